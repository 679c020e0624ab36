"""Metrics of a confusion matrix: by definition, against scikit-learn and imbalanced-learn, and degenerate."""

from __future__ import annotations

import inspect
import json
import math
import warnings
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from confmat.indices import classification as c
from confmat.indices.partition import adjusted_rand_index

metrics = pytest.importorskip("sklearn.metrics")

ORACLES = Path(__file__).parents[1] / "oracles" / "classification.json"
BY_CLASS = {
    "sens": c.sensitivity,
    "spec": c.specificity,
    "prec": c.precision,
    "f": c.f_measure,
    "gsp": c.g_mean_sp,
    "gss": c.g_mean_ss,
    "auc": c.discrete_auc,
}


@st.composite
def matrices(draw, least=1, most=4, largest=6):
    """Square matrices, not all zero, with empty classes and empty predictions among them."""
    k = draw(st.integers(least, most))
    cells = st.one_of(st.just(0), st.integers(0, largest))
    matrix = draw(st.lists(st.lists(cells, min_size=k, max_size=k), min_size=k, max_size=k))
    if not any(map(any, matrix)):
        matrix[draw(st.integers(0, k - 1))][draw(st.integers(0, k - 1))] = 1
    return matrix


def labels_of(matrix):
    """Two labelings with this confusion matrix."""
    pairs = [(i, j) for i, row in enumerate(matrix) for j, count in enumerate(row) for _ in range(count)]
    return [i for i, _ in pairs], [j for _, j in pairs]


@pytest.fixture
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


# --- by definition --------------------------------------------------------------------------------


def two_class(truth, predicted, i):
    """The seven measures of class i against all others, from labels, None where a ratio in them is 0/0."""

    def share(of, among):
        chosen = [x for x in zip(truth, predicted) if among(*x)]
        return sympy.Rational(sum(of(*x) for x in chosen), len(chosen)) if chosen else None

    sens = share(lambda t, p: p == i, lambda t, p: t == i)
    spec = share(lambda t, p: p != i, lambda t, p: t != i)
    prec = share(lambda t, p: t == i, lambda t, p: p == i)

    def joined(how, *parts):
        return None if None in parts else how(*parts)

    if sens is None and prec is None:
        f = None
    else:
        f = 2 * sens * prec / (sens + prec) if sens and prec else sympy.Integer(0)
    return {
        "sens": sens,
        "spec": spec,
        "prec": prec,
        "f": f,
        "gsp": joined(lambda x, y: sympy.sqrt(x * y), sens, prec),
        "gss": joined(lambda x, y: sympy.sqrt(x * y), sens, spec),
        "auc": joined(lambda x, y: (x + y) / 2, sens, spec),
    }


def mean(weights, values):
    pairs = [(w, v) for w, v in zip(weights, values) if w]
    return None if None in [v for _, v in pairs] else sum(w * v for w, v in pairs) / sum(w for w, _ in pairs)


def agree(value, expected):
    if expected is None:
        return value != value
    symbolic = sum(sympy.Rational(w) * sympy.sqrt(q) for w, q in (as_root_sum(value)).terms)
    return sympy.simplify(symbolic - expected) == 0


def as_root_sum(value):
    return value if isinstance(value, c.RootSum) else c.RootSum.of([(value, 1)])


@given(matrices(most=3))
def test_every_measure_and_strategy_by_definition(matrix):
    truth, predicted = labels_of(matrix)
    k = len(matrix)
    by_class = [two_class(truth, predicted, i) for i in range(k)]
    by_pair = []
    for i, j in permutations(range(k), 2):
        kept = [(t, p) for t, p in zip(truth, predicted) if {t, p} <= {i, j}]
        by_pair.append(two_class([t for t, _ in kept], [p for _, p in kept], i))
    for name, measure in BY_CLASS.items():
        options = {"exact": True, "undefined": "nan"}
        values = measure(matrix, strategy=None, **options)
        assert len(values) == k
        for i in range(k):
            assert agree(values[i], by_class[i][name])
            one = measure(matrix, label=i, **options)
            assert one == values[i] or (one != one and values[i] != values[i])
        expected = mean([sum(row) for row in matrix], [x[name] for x in by_class])
        assert agree(measure(matrix, strategy="rest", **options), expected)
        if k > 1:
            assert agree(
                measure(matrix, strategy="pairs", **options),
                mean([1] * len(by_pair), [x[name] for x in by_pair]),
            )


@given(matrices())
def test_floats_are_the_rounded_exact_values(matrix):
    exact, rounded = (c.all_metrics(matrix, exact=e, undefined="nan") for e in (True, False))
    assert (rounded.cor, rounded.bcr, rounded.ari) == tuple(map(float, (exact.cor, exact.bcr, exact.ari)))
    for name in BY_CLASS:
        some, other = getattr(exact, name), getattr(rounded, name)
        pairs = [*zip(some.classes, other.classes), (some.rest, other.rest)]
        if len(matrix) > 1:
            pairs.append((some.pairs, other.pairs))
        for x, y in pairs:
            assert type(y) is float
            assert (x != x and y != y) or float(x) == y


def test_ties_between_doubles_are_rounded_as_the_exact_value():
    """All sensitivities of pairs are half-way between two doubles; a sixth of them has no finite binary form."""
    tp, fn = 2**53 + 3, 2**53 - 3
    matrix = [[tp if i == j else fn for j in range(3)] for i in range(3)]
    exact = c.sensitivity(matrix, strategy="pairs", exact=True)
    assert exact == Fraction(tp, 2**54)
    assert c.sensitivity(matrix, strategy="pairs") == float(exact) > 0.5 + 2**-53


@given(matrices(), st.fractions(0, 3))
def test_all_metrics_are_the_single_ones(matrix, beta):
    options = {"exact": True, "undefined": 0}
    found = c.all_metrics(matrix, beta=beta, **options)
    assert (found.cor, found.bcr) == (c.accuracy(matrix, exact=True), c.balanced_rate(matrix, exact=True))
    for name, metric in BY_CLASS.items():
        chosen = {**options, "beta": beta} if name == "f" else options
        by_class = getattr(found, name)
        assert by_class.classes == metric(matrix, strategy=None, **chosen)
        assert by_class.rest == metric(matrix, strategy="rest", **chosen)
        assert len(matrix) == 1 or by_class.pairs == metric(matrix, strategy="pairs", **chosen)


def test_exact_is_a_fraction_where_that_is_possible():
    assert isinstance(c.g_mean_ss([[8, 2], [1, 4]], exact=True), Fraction)
    assert isinstance(c.g_mean_sp([[8, 2], [1, 4]], exact=True), c.RootSum)


@given(matrices(), st.randoms())
def test_simultaneous_relabeling_changes_nothing(matrix, random):
    order = random.sample(range(len(matrix)), len(matrix))
    moved = [[matrix[i][j] for j in order] for i in order]
    for name, metric in c.SHORT_NAMES.items():
        options = {"exact": True} if name in ("cor", "bcr") else {"exact": True, "undefined": 0}
        assert metric(moved, **options) == metric(matrix, **options)
        if name not in ("cor", "bcr") and len(matrix) > 1:
            assert metric(moved, strategy="pairs", **options) == metric(matrix, strategy="pairs", **options)


@given(matrices(), st.sampled_from([2**40, 2**70]))
def test_huge_counts(matrix, factor):
    large = [[factor * x for x in row] for row in matrix]
    options = {"exact": True, "undefined": "nan"}
    small, scaled = c.all_metrics(matrix, **options), c.all_metrics(large, **options)
    assert (scaled.cor, scaled.bcr) == (small.cor, small.bcr)
    for name in BY_CLASS:
        some, other = getattr(small, name), getattr(scaled, name)
        for x, y in zip((*some.classes, some.rest, some.pairs), (*other.classes, other.rest, other.pairs)):
            assert x == y or (x != x and y != y)


@given(matrices())
def test_ari_beside_them(matrix):
    assert c.all_metrics(matrix, exact=True, undefined=0).ari == adjusted_rand_index(matrix, exact=True)


@given(matrices(least=2, most=2))
def test_two_classes(matrix):
    """Strategies agree where the measure does not prefer a class; the balanced rate is the discrete AUC."""
    if not all(map(sum, matrix)):
        return
    assert c.balanced_rate(matrix, exact=True) == c.discrete_auc(matrix, exact=True)
    for metric in (c.discrete_auc, c.g_mean_ss):
        assert metric(matrix, exact=True) == metric(matrix, strategy="pairs", exact=True)
        assert metric(matrix, exact=True) == metric(matrix, label=0, exact=True)


@given(matrices())
def test_weighted_sensitivity_is_the_accuracy(matrix):
    assert c.sensitivity(matrix, strategy="rest", exact=True) == c.accuracy(matrix, exact=True)


@given(matrices(), st.fractions(0, 5))
def test_f_measure_between_precision_and_sensitivity(matrix, beta):
    for i in range(len(matrix)):
        options = {"label": i, "exact": True, "undefined": 0}
        ends = sorted([c.precision(matrix, **options), c.sensitivity(matrix, **options)])
        assert ends[0] <= c.f_measure(matrix, beta, **options) <= ends[1]
        assert c.f_measure(matrix, 0, **options) == c.precision(matrix, **options)


@pytest.mark.parametrize(
    "case", json.loads(ORACLES.read_text())["cases"], ids=lambda case: case["source"][:60]
)
def test_printed_values(case):
    found = c.all_metrics(case["matrix"], exact=True, undefined=0)
    for name, value in case["exact"].items():
        metric = getattr(found, name)
        assert (metric.classes[case["label"]] if name in BY_CLASS else metric) == Fraction(value)


# --- scikit-learn and imbalanced-learn ------------------------------------------------------------


@given(matrices(), st.sampled_from([0, 1]))
@pytest.mark.usefixtures("quiet")
def test_against_scikit_learn(matrix, zero):
    truth, predicted = labels_of(matrix)
    options = {"labels": list(range(len(matrix))), "zero_division": zero}
    assert c.accuracy(matrix) == pytest.approx(metrics.accuracy_score(truth, predicted))
    assert c.balanced_rate(matrix) == pytest.approx(metrics.balanced_accuracy_score(truth, predicted))
    for ours, theirs in (
        (c.sensitivity, metrics.recall_score),
        (c.precision, metrics.precision_score),
        (c.f_measure, metrics.f1_score),
    ):
        for strategy, average in ((None, None), ("rest", "weighted")):
            expected = theirs(truth, predicted, average=average, **options)
            assert ours(matrix, strategy=strategy, undefined=zero) == pytest.approx(expected)
    for beta in (0, 0.5, 2):
        for strategy, average in ((None, None), ("rest", "weighted")):
            expected = metrics.fbeta_score(truth, predicted, beta=beta, average=average, **options)
            assert c.f_measure(matrix, beta, strategy=strategy, undefined=zero) == pytest.approx(expected)


@given(matrices(least=2))
@pytest.mark.usefixtures("quiet")
def test_discrete_auc_against_scikit_learn(matrix):
    truth, predicted = (np.array(side) for side in labels_of(matrix))
    for i in range(len(matrix)):
        value = c.discrete_auc(matrix, label=i, undefined="nan")
        expected = metrics.roc_auc_score(truth == i, predicted == i)  # NaN with a single class
        assert value == pytest.approx(expected, nan_ok=True)
    if len(matrix) > 2 and all(map(sum, matrix)):
        hot = np.eye(len(matrix))[predicted]
        expected = metrics.roc_auc_score(truth, hot, multi_class="ovr", average="weighted")
        assert c.discrete_auc(matrix) == pytest.approx(expected)


@given(matrices(least=2))
@pytest.mark.usefixtures("quiet")
def test_against_imbalanced_learn(matrix):
    theirs = pytest.importorskip("imblearn.metrics")
    truth, predicted = labels_of(matrix)
    options = {"labels": list(range(len(matrix)))}
    for strategy, average in ((None, None), ("rest", "weighted")):
        for ours, name in ((c.sensitivity, "sensitivity_score"), (c.specificity, "specificity_score")):
            expected = getattr(theirs, name)(truth, predicted, average=average, **options)
            assert ours(matrix, strategy=strategy, undefined=0) == pytest.approx(expected)
    expected = theirs.geometric_mean_score(truth, predicted, average=None, **options)
    assert c.g_mean_ss(matrix, strategy=None, undefined=0) == pytest.approx(expected)


THREE = [[5, 1, 0], [2, 3, 1], [0, 1, 7]]


@pytest.mark.usefixtures("quiet")
def test_where_we_differ_from_scikit_learn():
    truth, predicted = labels_of(THREE)
    # One-vs-one counts the objects of two classes that are predicted in a third: of class 0 against 1 the scores
    # of class 0 have sensitivity 5/6 and specificity 4/6, in [[5, 1], [2, 3]] they are 5/6 and 3/5.
    ovo = metrics.roc_auc_score(truth, np.eye(3)[predicted], multi_class="ovo")
    assert ovo == pytest.approx(77 / 96)
    ours = (Fraction(43, 60) + 1 + Fraction(13, 16)) / 3
    assert c.discrete_auc(THREE, strategy="pairs", exact=True) == ours == Fraction(607, 720)
    # A NaN stays in the mean; scikit-learn leaves it out.
    never = [[2, 1, 0], [1, 2, 0], [1, 0, 0]]
    assert math.isnan(c.precision(never, strategy="rest", undefined="nan"))
    theirs = metrics.precision_score(*labels_of(never), average="weighted", zero_division=np.nan)
    assert theirs == pytest.approx(float((3 * Fraction(1, 2) + 3 * Fraction(2, 3)) / 6))
    # scikit-learn drops objects of labels that are not named.
    assert metrics.confusion_matrix([0, 1], [0, 1], labels=[0]).tolist() == [[1]]
    with pytest.raises(ValueError, match="labels must name every class that occurs, but 1 is not among them"):
        c.confusion([0, 1], [0, 1], labels=[0])


def test_where_we_differ_from_imbalanced_learn():
    score = pytest.importorskip("imblearn.metrics").geometric_mean_score
    truth, predicted = labels_of(THREE)
    sens, spec = (metric(THREE, strategy="rest") for metric in (c.sensitivity, c.specificity))
    assert score(truth, predicted, average="weighted") == pytest.approx(math.sqrt(sens * spec))
    assert c.g_mean_ss(THREE) < math.sqrt(sens * spec)
    assert score(truth, predicted) == pytest.approx(math.prod(c.sensitivity(THREE)) ** (1 / 3))


# --- undefined ratios -----------------------------------------------------------------------------


def test_default_is_zero_with_a_warning():
    with pytest.warns(
        c.UndefinedIndexWarning,
        match="precision of class 1 is 0/0 here, 0 is returned: none is predicted in it",
    ):
        assert c.precision([[2, 0], [1, 0]], exact=True) == (Fraction(2, 3), 0)
    with pytest.warns(c.UndefinedIndexWarning, match="sensitivity of class 0 against class 2"):
        c.sensitivity([[0, 1, 0], [0, 1, 0], [0, 0, 1]], strategy="pairs")


@pytest.mark.parametrize(
    ("metric", "says"),
    [
        (lambda m: c.precision(m), "precision of class 1 (and of 2 more) is 0/0 here"),
        (lambda m: c.g_mean_sp(m), "g_mean_sp of class 1 (and of 2 more) is 0/0 here"),
        (
            lambda m: c.precision(m, strategy="pairs"),
            "precision of class 1 against class 0 (and of 8 more) is",
        ),
        (lambda m: c.precision(m, label=2), "precision of class 2 is 0/0 here"),
    ],
)
def test_one_warning_at_the_line_of_the_user(metric, says):
    never = [[1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric(never)
    assert [warning.filename for warning in caught] == [__file__]
    assert str(caught[0].message).startswith(says)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        line = inspect.currentframe().f_lineno + 1
        c.precision(never)
    assert [warning.lineno for warning in caught] == [line]
    with pytest.raises(c.UndefinedIndexError, match="is 0/0 here"):
        c.precision(never, undefined="raise")


def test_other_policies():
    matrix = [[2, 0], [1, 0]]
    with pytest.raises(c.UndefinedIndexError, match="g_mean_sp of class 1 is 0/0"):
        c.g_mean_sp(matrix, undefined="raise")
    assert c.precision(matrix, exact=True, undefined=0.5) == (Fraction(2, 3), Fraction(1, 2))
    assert c.precision(matrix, strategy="rest", undefined=math.inf) == math.inf
    assert math.isnan(c.precision(matrix, strategy="rest", undefined=math.nan, exact=True))
    assert c.precision(matrix, strategy="rest", undefined=-1) == float(
        Fraction(2, 3) * Fraction(2, 3) - Fraction(1, 3)
    )
    large = [[2**80, 0], [2**80, 0]]
    assert c.precision(large, strategy="rest", undefined=np.int64(1), exact=True) == Fraction(3, 4)
    with pytest.raises(ValueError, match='undefined must be "raise", "warn", "nan" or a number'):
        c.precision([[1, 0], [0, 1]], undefined="skip")


def test_a_class_without_objects_has_no_weight_against_the_rest():
    matrix = [[2, 1, 0], [0, 3, 0], [0, 0, 0]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for metric in BY_CLASS.values():
            metric(matrix, strategy="rest")
        assert c.balanced_rate(matrix, exact=True) == Fraction(5, 6)


def test_all_objects_in_one_class():
    with pytest.warns(c.UndefinedIndexWarning, match="none is outside it"):
        assert c.discrete_auc([[3, 0], [0, 0]], label=0) == 0
    single = c.all_metrics([[3]], exact=True, undefined="nan")
    assert (single.cor, single.bcr, single.ari, single.prec.rest, single.prec.pairs) == (1, 1, 1, 1, None)
    assert math.isnan(single.spec.rest)
    with pytest.raises(ValueError, match="at least two classes"):
        c.f_measure([[3]], strategy="pairs")


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", [*c.SHORT_NAMES.values(), c.sensitivity, c.all_metrics])
@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], "must be square .* got shape 2 x 3"),
        ([[0, 0], [0, 0]], "at least one object, got 2 x 2 zeros"),
        ([[1, -2], [0, 1]], r"matrix\[0, 1\] must be at least 0, got -2"),
        ([[1, 0.5], [0, 1]], r"matrix\[0, 1\] must be a whole number, got 0.5"),
        ([[1, math.nan], [0, 1]], r"matrix\[0, 1\] must be finite"),
        ([[1, 2], [3]], "equal lengths"),
        ([], "must not be empty"),
    ],
)
def test_bad_matrices(metric, matrix, message):
    with pytest.raises(ValueError, match=message):
        metric(matrix)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"label": 2}, ValueError, "label must be below the number of classes, 2, got 2"),
        ({"label": -1}, ValueError, "label must be at least 0, got -1"),
        ({"label": "a"}, TypeError, "label must be a whole number, got 'a'"),
        ({"strategy": "ovr"}, ValueError, "strategy must be .* got 'ovr'"),
        ({"strategy": "pairs", "label": 0}, ValueError, "label=0 asks for one class"),
        ({"beta": -1}, ValueError, "beta must be at least 0, got -1"),
        ({"beta": math.inf}, ValueError, "beta must be finite, got inf"),
        ({"beta": "1"}, TypeError, "beta must be a number, got '1'"),
    ],
)
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message):
        c.f_measure([[1, 0], [0, 1]], **options)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_counts_of_classes(k):
    table = np.random.default_rng(k).integers(0, 3, (k, k)) + np.eye(k, dtype=int)
    for matrix in (table, csr_array(table), table.astype(object) * 2**70):
        counts, scale = c.ClassCounts.of(matrix), 2**70 if matrix.dtype == object else 1
        assert counts.n == int(table.sum()) * scale
        for i in range(k):
            tp, row, col = table[i, i], table[i].sum(), table[:, i].sum()
            parts = (tp, row - tp, col - tp, table.sum() - row - col + tp)
            assert counts.rest(i) == tuple(int(x) * scale for x in parts)
            for j in range(k):
                cells = (table[i, i], table[i, j], table[j, i], table[j, j])
                assert i == j or counts.pair(i, j) == tuple(int(x) * scale for x in cells)


def test_any_kind_of_table():
    import pandas as pd

    expected = c.all_metrics(THREE, exact=True)
    for matrix in (np.array(THREE), csr_array(np.array(THREE)), pd.DataFrame(THREE), c.ClassCounts.of(THREE)):
        assert c.all_metrics(matrix, exact=True) == expected


# --- labels ---------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=20))
@pytest.mark.usefixtures("quiet")
def test_confusion_against_scikit_learn(pairs):
    truth, predicted = [t for t, _ in pairs], [p for _, p in pairs]
    assert c.confusion(truth, predicted).tolist() == metrics.confusion_matrix(truth, predicted).tolist()
    order = [4, 2, 0, 1, 3]
    expected = metrics.confusion_matrix(truth, predicted, labels=order).tolist()
    assert c.confusion(truth, predicted, labels=order).tolist() == expected


def test_confusion_of_many_classes_is_sparse():
    many = list(range(2000))
    matrix = c.confusion(many, [*many[1:], "other"], labels=[*many, "other"])
    assert matrix.shape == (2001, 2001)
    assert not isinstance(matrix, np.ndarray)
    assert c.accuracy(matrix) == 0
    assert matrix[0, 1] == matrix[1999, 2000] == 1


@pytest.mark.parametrize(
    ("truth", "predicted", "labels", "message"),
    [
        ([1, 2], [1], None, "y_true and y_pred must have the same length, got 2 and 1"),
        ([1, math.nan], [1, 2], None, r"missing: got nan"),
        ([], [], None, "y_true must not be empty"),
        ([1], [1], [1, 1], "labels must be distinct, got 1 more than once"),
    ],
)
def test_bad_labels(truth, predicted, labels, message):
    with pytest.raises(ValueError, match=message):
        c.confusion(truth, predicted, labels=labels)


def test_scoring_auc():
    truth = [0, 1, 2, 2, 1, 0, 2]
    scores = np.random.default_rng(0).dirichlet([1, 1, 1], len(truth))
    rest = metrics.roc_auc_score(truth, scores, multi_class="ovr", average="weighted")
    pairs = metrics.roc_auc_score(truth, scores, multi_class="ovo", average="macro")
    assert (c.scoring_auc(truth, scores), c.scoring_auc(truth, scores, strategy="pairs")) == (rest, pairs)
    assert c.scoring_auc(["no", "yes", "no"], [0.1, 0.9, 0.2]) == 1
    with pytest.raises(ValueError, match="strategy must be"):
        c.scoring_auc(truth, scores, strategy="ovr")


def test_scoring_auc_of_a_discrete_classifier_is_the_discrete_auc():
    truth, predicted = labels_of([[7, 3], [2, 8]])
    assert c.scoring_auc(truth, predicted) == pytest.approx(c.discrete_auc([[7, 3], [2, 8]]))


def test_scoring_auc_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sklearn.metrics", None)
    with pytest.raises(ImportError, match=r"confmat\[ml\]"):
        c.scoring_auc([0, 1], [0.1, 0.9])


SKEWED = [[5, 2, 0], [1, 3, 0], [1, 1, 4]]


def test_doubles_unless_exact_is_asked_for():
    metrics = (
        c.accuracy,
        c.balanced_rate,
        c.sensitivity,
        c.specificity,
        c.precision,
        c.f_measure,
        c.discrete_auc,
    )
    for metric in metrics:
        assert isinstance(metric(SKEWED, **({} if metric in metrics[:2] else {"label": 1})), float)
    for metric in (c.f_measure, c.g_mean_sp, c.g_mean_ss, c.discrete_auc):
        assert isinstance(metric(SKEWED, strategy="rest"), float)
        assert isinstance(metric(SKEWED, strategy="pairs"), float)
    report = c.all_metrics(SKEWED)
    assert isinstance(report.ari, float)
    assert isinstance(report.f.rest, float)


def test_all_metrics_weighs_both_rates_alike_by_default():
    assert c.all_metrics(SKEWED).f.classes == c.f_measure(SKEWED, 1, strategy=None)


def test_pairs_need_two_classes():
    assert c.all_metrics([[3]], undefined=0).auc.pairs is None
    two = c.all_metrics([[3, 1], [2, 4]], exact=True).auc
    assert two.pairs == two.rest
    with pytest.raises(AttributeError):
        two.pairs = 0
    with pytest.raises(AttributeError):
        c.all_metrics([[3, 1], [2, 4]]).cor = 0


@pytest.mark.parametrize("beta", [Fraction(1, 2), Fraction(0), Fraction(2)])
def test_f_measure_by_its_formula(beta):
    """Espindola & Ebecken (2005): (b^2 + 1) sens prec / (sens + b^2 prec), for each class."""
    for label in range(3):
        sens = c.sensitivity(SKEWED, label=label, exact=True)
        prec = c.precision(SKEWED, label=label, exact=True)
        expected = (beta**2 + 1) * sens * prec / (sens + beta**2 * prec)
        assert c.f_measure(SKEWED, beta, label=label, exact=True) == expected


def test_what_stands_for_an_undefined_class_has_its_weight():
    """Class 2 is never predicted: its precision is the caller's number, weighted by its frequency 1/4."""
    matrix = [[2, 1, 0], [0, 3, 0], [1, 1, 0]]
    others = Fraction(3, 8) * Fraction(2, 3) + Fraction(3, 8) * Fraction(3, 5)
    assert c.precision(matrix, strategy="rest", undefined=Fraction(1, 2), exact=True) == others + Fraction(
        1, 8
    )
    assert c.precision(matrix, strategy="rest", undefined=math.inf) == math.inf
    with pytest.warns(c.UndefinedIndexWarning, match=r"precision of class 2 is 0/0"):
        assert c.precision(matrix, strategy="rest", exact=True) == others


def test_numbers_of_undefined_classes_in_the_warning():
    with pytest.warns(c.UndefinedIndexWarning, match=r"precision of class 1 \(and of 1 more\) is"):
        c.precision([[2, 0, 0], [1, 0, 0], [1, 0, 0]], strategy="rest")
