"""Separated Gaussian mixtures: the separation index by brute force, and what the sampler promises."""

import numpy as np
import pytest

from mixtures import fit_mixture, separated_components, separated_mixture, separation_index


def random_covariance(rng, p):
    A = rng.normal(size=(p, p))
    return A @ A.T + 0.1 * np.eye(p)


@pytest.mark.parametrize("p", [2, 3])
def test_no_direction_separates_better(p):
    rng = np.random.default_rng(p)
    for _ in range(10):
        m, first, second = rng.normal(size=p) * 3, random_covariance(rng, p), random_covariance(rng, p)
        best = separation_index(np.zeros(p), first, m, second)
        a = rng.normal(size=(200_000, p))
        gap = abs(a @ m)
        extent = 1.959964 * (
            np.sqrt(np.einsum("ti,ij,tj->t", a, first, a)) + np.sqrt(np.einsum("ti,ij,tj->t", a, second, a))
        )
        index = (gap - extent) / (gap + extent)
        assert index.max() <= best + 1e-7
        assert index.max() == pytest.approx(best, abs=5e-3)


def test_equal_covariances_have_a_closed_form():
    """With S1 = S2 the best direction is S^-1 delta, and the ratio half the Mahalanobis distance."""
    rng = np.random.default_rng(9)
    S, m = random_covariance(rng, 4), rng.normal(size=4)
    half = np.sqrt(m @ np.linalg.solve(S, m)) / 2
    assert separation_index(np.zeros(4), S, m, S) == pytest.approx((half - 1.959964) / (half + 1.959964))
    assert separation_index(m, S, m, S) == -1


@pytest.mark.parametrize("separation", [-0.9, 0.0, 0.6])
def test_every_cluster_has_its_nearest_neighbour_at_the_separation(separation):
    means, covariances = separated_components(5, 3, separation, np.random.default_rng(4))
    index = np.full((5, 5), np.inf)
    for i in range(5):
        for j in range(5):
            if i != j:
                index[i, j] = separation_index(means[i], covariances[i], means[j], covariances[j])
    assert index.min() == pytest.approx(separation, abs=1e-6)
    assert index.min(axis=1) == pytest.approx(np.full(5, separation), abs=1e-6)


def test_sizes_and_seeds():
    X, y = separated_mixture(3, 4, 0.1, rng=2)
    sizes = np.bincount(y)
    assert len(sizes) == 3
    assert sizes.min() >= 50
    assert sizes.max() <= 200
    assert (separated_mixture(3, 4, 0.1, rng=2)[0] == X).all()
    with pytest.raises(ValueError, match="separation must be between -1 and 1, got 1"):
        separated_mixture(2, 2, 1)
    with pytest.raises(ValueError, match="clusters must be at least 1, got 0"):
        separated_mixture(0, 2, 0.5)


def test_fit_mixture_finds_separated_clusters():
    X, y = separated_mixture(3, 3, 0.7, rng=5)
    z = fit_mixture(X, range(1, 6), covariances=("full",))
    assert z.shape == (len(X), 3)
    assert len({(a, b) for a, b in zip(y.tolist(), z.argmax(axis=1).tolist())}) == 3
    assert fit_mixture(X, 2).shape[1] == 2
    with pytest.raises(ValueError, match="no mixture with"):
        fit_mixture(X[:2], 3)


def test_fit_mixture_from_a_start():
    """The posteriors of a fit lead back to it; its mirror image to the mirror image."""
    X, _ = separated_mixture(2, 3, 0.1, rng=5)
    z = fit_mixture(X, 2, covariances=("full",))
    again = fit_mixture(X, 2, covariances=("full",), start=z[:, ::-1])
    assert again[:, ::-1] == pytest.approx(z, abs=0.05)
