"""Ranking of features by ARI, and the scikit-learn selector."""

import doctest
import pickle
import sys
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest
from late import Late, sk_metrics

from confmat.contingency import contingency_matrix
from confmat.indices.partition import adjusted_rand_index
from feature_ranking import ari_scores, equal_width_bins

checks = Late("sklearn.utils.estimator_checks")
feature_selection = Late("sklearn.feature_selection")


def ARISelector(*arguments, **options):
    """The class of this name."""
    return Late("ari_selector").ARISelector(*arguments, **options)


def ranking(X, y, bins=None):
    """Columns, those of the largest ARI first; equal ones keep their order."""
    return np.argsort(-ari_scores(X, y, bins), kind="stable")


def interval(x, column, bins):
    """The interval of x by its definition, in rational arithmetic."""
    low, high = Fraction(min(column)), Fraction(max(column))
    if low == high:
        return 0
    return max(k for k in range(bins) if Fraction(x) >= low + k * (high - low) / bins)


@pytest.mark.parametrize("bins", [1, 2, 3, 7, 49, 1000])
def test_intervals_of_whole_numbers_are_exact(bins):
    X = np.random.default_rng(bins).integers(-40, 1000, size=(60, 3))
    expected = [[interval(int(x), X[:, j].tolist(), bins) for j, x in enumerate(row)] for row in X]
    assert equal_width_bins(X, bins).tolist() == expected


def test_boundaries_belong_to_the_right():
    assert equal_width_bins([[0], [1], [2], [3], [4]], 2).ravel().tolist() == [0, 0, 1, 1, 1]
    # 49 * (k/49) in floats falls short of k for some k: one product and one quotient does not.
    assert equal_width_bins(np.arange(50)[:, None], 49).ravel().tolist() == [*range(49), 48]


def test_constant_columns_and_extreme_ranges():
    assert equal_width_bins([[3.0, 5e-324], [3.0, 0.0]], 4).tolist() == [[0, 3], [0, 0]]
    with pytest.raises(ValueError, match=r"X\[:, 1\] ranges from -1e\+308 to 1e\+308"):
        equal_width_bins([[0, 1e308], [1, -1e308]], 2)


def test_any_number_of_intervals():
    """Beyond 2^21 intervals times classes only those with objects are counted; each value its own interval here."""
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 10, size=(60, 5)), rng.integers(3, size=60)
    apart = ari_scores(X, y, 1000, exact=True)
    for bins in (10**6, 10**9, 2**53):
        assert ari_scores(X, y, bins, exact=True) == apart
    with pytest.raises(ValueError, match=r"bins must be at most 2\^53, got 9007199254740993"):
        ari_scores(X, y, 2**53 + 1)
    many = rng.permutation(5000)  # labels all different, and twice as many intervals
    assert ari_scores(many[:, None], many).tolist() == [1]


@pytest.mark.parametrize(("n", "classes", "bins"), [(2, 1, None), (7, 3, 2), (40, 2, None), (61, 5, 13)])
def test_scores_against_one_table_a_feature(n, classes, bins):
    rng = np.random.default_rng(n)
    X, y = rng.integers(-30, 30, size=(n, 9)), rng.integers(classes, size=n)
    y[:classes] = range(classes)
    scores = ari_scores(X, y, bins, exact=True)
    for column, score in zip(X.T.tolist(), scores, strict=True):
        intervals = [interval(x, column, bins or 2 * classes) for x in column]
        assert score == adjusted_rand_index(contingency_matrix(y, intervals), exact=True)
        assert float(score) == pytest.approx(sk_metrics.adjusted_rand_score(y, intervals))
    assert ari_scores(X, y, bins).tolist() == [float(score) for score in scores]


def test_blocks_do_not_matter(monkeypatch):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(30, 50)), rng.integers(3, size=30)
    whole = ari_scores(X, y, exact=True)
    for cells in (1, 100, 997):
        monkeypatch.setattr("feature_ranking._CELLS_AT_ONCE", cells)
        assert ari_scores(X, y, exact=True) == whole


def test_scores_do_not_depend_on_names_order_scale():
    rng = np.random.default_rng(1)
    X, y = rng.integers(100, size=(50, 20)), rng.integers(3, size=50)
    scores = ari_scores(X, y, exact=True)
    assert ari_scores(X, np.array(["z", "a", "m"])[y], exact=True) == scores
    assert ari_scores(3 * X + 8, y, exact=True) == scores
    order = rng.permutation(50)
    assert ari_scores(X[order], y[order], exact=True) == scores
    columns = rng.permutation(20)
    assert ari_scores(X[:, columns], y, exact=True) == [scores[j] for j in columns]


def test_ties_keep_the_order_of_the_columns():
    X = np.array([[0, 1, 0, 5, 0], [0, 1, 1, 5, 0], [9, 7, 0, 5, 1], [9, 7, 1, 5, 1]])
    assert ranking(X, [0, 0, 1, 1]).tolist() == [0, 1, 4, 3, 2]


def test_ten_thousand_features():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], [44, 56])
    X = rng.normal(size=(100, 10_000))
    informative = rng.choice(10_000, 50, replace=False)
    X[:, informative] += 4 * y[:, None]
    assert set(ranking(X, y)[:50]) == set(informative)


@pytest.mark.parametrize(
    ("X", "y", "bins", "message"),
    [
        ([1, 2], [0, 1], 2, r"X must have the shape \(objects, features\)"),
        (np.empty((0, 3)), [], 2, r"none of them 0, got \(0, 3\)"),
        ([[1], [np.nan]], [0, 1], 2, r"X\[1, 0\] must be finite, got nan"),
        ([[1], [2]], [0, 1, 1], 2, r"y must have one label for each of the 2 rows of X, got shape \(3,\)"),
        ([[1], [2]], [0, 1], 0, "bins must be at least 1, got 0"),
    ],
)
def test_bad_input(X, y, bins, message):
    with pytest.raises(ValueError, match=message):
        ari_scores(X, y, bins)


def test_text_is_no_feature():
    with pytest.raises(TypeError, match="X must hold real numbers"):
        ari_scores([["a"], ["b"]], [0, 1])


@pytest.mark.parametrize("options", [{}, {"n_features_to_select": 1, "bins": 3}])
def test_scikit_learn_conventions(options):
    results = checks.check_estimator(ARISelector(**options))
    assert len(results) > 40
    assert {x["status"] for x in results} <= {"passed", "skipped"}


def test_the_example():
    """pyproject.toml leaves this file out, as scikit-learn would be imported to collect it."""
    assert doctest.testmod(import_module("ari_selector")) == (0, 4)


def test_selector_keeps_the_best():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 11)), rng.integers(2, size=60)
    selector = ARISelector(4, bins=5).fit(X, y)
    assert selector.scores_.tolist() == ari_scores(X, y, 5).tolist()
    assert selector.ranking_.tolist() == ranking(X, y, 5).tolist()
    kept = selector.get_support(indices=True)
    assert set(kept) == set(selector.ranking_[:4])
    assert (selector.transform(X) == X[:, kept]).all()
    assert (pickle.loads(pickle.dumps(selector)).get_support() == selector.get_support()).all()
    best = feature_selection.SelectKBest(lambda X, y: ari_scores(X, y, 5), k=4).fit(X, y)
    assert (best.get_support() == selector.get_support()).all()
    assert ARISelector().fit(X, y).get_support().sum() == 5


def test_selector_errors():
    X, y = np.eye(4), [0, 0, 1, 1]
    with pytest.raises(ValueError, match="n_features_to_select must be at most the 4 features of X, got 5"):
        ARISelector(5).fit(X, y)
    with pytest.raises(ValueError, match="n_features_to_select must be at least 1, got 0"):
        ARISelector(0).fit(X, y)
    with pytest.raises(ValueError, match="bins must be at least 1, got 0"):
        ARISelector(bins=0).fit(X, y)


def test_without_scikit_learn(monkeypatch):
    monkeypatch.delitem(sys.modules, "ari_selector", raising=False)
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    with pytest.raises(ImportError, match=r"pip install 'confmat\[ml\]'"):
        import_module("ari_selector")
