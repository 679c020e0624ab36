"""Fuzzy c-means and PD-clustering: their fixed-point equations, an outside result, and bad input."""

import numpy as np
import pytest
from late import sk_datasets

from fuzzy_clusterings import fuzzy_c_means, pd_clustering, pd_memberships, pd_of_classes

X = np.random.default_rng(1).normal(size=(60, 2)) + np.repeat([[0, 0], [4, 0], [0, 5]], 20, axis=0)


def test_fuzzy_c_means_on_iris_has_the_centres_of_another_program():
    """Centres by scikit-fuzzy 0.5.0: cmeans(X.T, 3, 2, error=1e-9, maxiter=5000)."""
    data, _ = sk_datasets.load_iris(return_X_y=True)
    u = fuzzy_c_means(data, 3, rng=0)
    centres = (u**2).T @ data / (u**2).sum(axis=0)[:, None]
    expected = [
        [5.003966, 3.414089, 1.482816, 0.253546],
        [5.888932, 2.761069, 4.363952, 1.397315],
        [6.775011, 3.052382, 5.646782, 2.053547],
    ]
    assert centres[np.argsort(centres[:, 0])] == pytest.approx(np.array(expected), abs=2e-5)


@pytest.mark.parametrize("fuzzifier", [1.5, 2.0, 3.0])
def test_fuzzy_c_means_is_a_fixed_point(fuzzifier):
    u = fuzzy_c_means(X, 3, fuzzifier=fuzzifier, rng=0, tolerance=1e-10)
    w = u**fuzzifier
    centres = w.T @ X / w.sum(axis=0)[:, None]
    d = np.linalg.norm(X[:, None] - centres[None], axis=2)
    expected = 1 / ((d[:, :, None] / d[:, None, :]) ** (2 / (fuzzifier - 1))).sum(axis=2)
    assert u == pytest.approx(expected, abs=1e-6)


def test_pd_clustering_is_a_fixed_point():
    p = pd_clustering(X, 3, rng=0, tolerance=1e-11)
    assert p.sum(axis=1) == pytest.approx(1)
    centres = None
    # The distances follow from p up to one factor a row; recover the centres by their own equation.
    best = X[p.argmax(axis=0)]
    for _ in range(500):
        d = np.maximum(np.linalg.norm(X[:, None] - best[None], axis=2), 1e-12)
        w = p**2 / d
        centres, best = best, w.T @ X / w.sum(axis=0)[:, None]
    assert pd_memberships(X, centres) == pytest.approx(p, abs=1e-5)


def test_memberships_of_points_on_a_centre():
    assert pd_memberships([[0.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]]).round(9).tolist() == [[1, 0]]
    assert pd_memberships([[0.0]], [[0.0], [0.0], [1.0]]).round(9).tolist() == [[0.5, 0.5, 0]]
    repeated = np.repeat([[0.0], [1.0]], 5, axis=0)
    assert fuzzy_c_means(repeated, 2, rng=3).max(axis=1) == pytest.approx(1)


def test_pd_of_classes_uses_the_class_means():
    p = pd_of_classes([[0.0], [2.0], [9.0], [11.0]], ["a", "a", "b", "b"])
    assert p[0] == pytest.approx([10 / 11, 1 / 11])


def test_seeds_repeat():
    assert (fuzzy_c_means(X, 4, rng=7) == fuzzy_c_means(X, 4, rng=7)).all()
    assert (pd_clustering(X, 4, rng=7) == pd_clustering(X, 4, rng=7)).all()


def test_bad_input():
    with pytest.raises(ValueError, match="fuzzifier must be greater than 1, got 1"):
        fuzzy_c_means(X, 2, fuzzifier=1)
    with pytest.raises(ValueError, match="at least clusters = 61 rows"):
        pd_clustering(X, 61)
    with pytest.raises(ValueError, match="starts must be at least 1, got 0"):
        pd_clustering(X, 2, starts=0)
    with pytest.warns(RuntimeWarning, match="no convergence in max_iterations = 1"):
        fuzzy_c_means(X, 3, max_iterations=1, rng=0)
