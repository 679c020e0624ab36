"""Fuzzy c-means and probabilistic-distance clustering, as the studies of soft indices need them.

Both are a few lines of alternating updates, written here because the packages that offer fuzzy c-means do not
serve: fuzzy-c-means 2.3 demands NumPy 1, scikit-fuzzy 0.5 seeds NumPy's global generator and has no restarts;
neither has probabilistic-distance clustering.
"""

import warnings
from collections.abc import Callable

import numpy as np

from checks import whole

_SMALLEST_DISTANCE = 1e-150


def _distances(X: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Euclidean distances (n, K), kept off zero: a point on a centre then belongs to it alone."""
    from scipy.spatial.distance import cdist

    return np.maximum(cdist(X, centres), _SMALLEST_DISTANCE)


def _shares(weights: np.ndarray) -> np.ndarray:
    return weights / weights.sum(axis=1, keepdims=True)


def pd_memberships(X: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Memberships proportional to 1/distance to each centre (Ben-Israel & Iyigun 2008), shape (n, K).

    >>> pd_memberships(np.array([[0.0], [1.0]]), np.array([[0.0], [4.0]])).round(2)
    array([[1.  , 0.  ],
           [0.75, 0.25]])
    """
    return _shares(1 / _distances(np.asarray(X, float), np.asarray(centres, float)))


def pd_of_classes(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The "true" fuzzy partition of labelled data: ``pd_memberships`` to class means (Amodio et al. 2015).

    >>> pd_of_classes([[0], [2], [9], [11]], [0, 0, 1, 1]).round(2)
    array([[0.91, 0.09],
           [0.89, 0.11],
           [0.11, 0.89],
           [0.09, 0.91]])
    """
    X, y = np.asarray(X, float), np.asarray(y)
    return pd_memberships(X, np.array([X[y == label].mean(axis=0) for label in np.unique(y)]))


def fuzzy_c_means(
    X: np.ndarray,
    clusters: int,
    *,
    fuzzifier: float = 2.0,
    starts: int = 5,
    rng: np.random.Generator | int | None = None,
    tolerance: float = 1e-7,
    max_iterations: int = 2000,
) -> np.ndarray:
    """Fuzzy c-means (Bezdek 1981): memberships (n, K) that minimise sum u_ik^m |x_i - c_k|^2 locally.

    The best of ``starts`` runs, each until no membership moves by more than ``tolerance``; warns if
    ``max_iterations`` stopped the best one.

    >>> X = np.array([[0.0], [0.2], [5.0], [5.2]])
    >>> fuzzy_c_means(X, 2, rng=0).round(2).max(axis=1)
    array([1., 1., 1., 1.])
    """
    if not fuzzifier > 1:
        raise ValueError(f"fuzzifier must be greater than 1, got {fuzzifier}")

    def memberships(distances: np.ndarray) -> np.ndarray:
        nearest = distances.min(axis=1, keepdims=True)
        return _shares((nearest / distances) ** (2 / (fuzzifier - 1)))

    return _alternate(
        X,
        clusters,
        memberships,
        weights=lambda u, d: u**fuzzifier,
        objective=lambda u, d: float((u**fuzzifier * d**2).sum()),
        control=(starts, rng, tolerance, max_iterations),
    )


def pd_clustering(
    X: np.ndarray,
    clusters: int,
    *,
    starts: int = 5,
    rng: np.random.Generator | int | None = None,
    tolerance: float = 1e-7,
    max_iterations: int = 2000,
) -> np.ndarray:
    """Probabilistic-distance clustering (Ben-Israel & Iyigun 2008), Euclidean: memberships (n, K).

    p_k(x) d_k(x) is the same for all k; centres are means with weights p_k^2/d_k.  Minimises the sum of
    1/sum_k (1/d_k) locally; starts and stopping as in ``fuzzy_c_means``.

    >>> X = np.array([[0.0], [0.2], [0.4], [5.0], [5.2], [5.4]])
    >>> bool((pd_clustering(X, 2, rng=0).max(axis=1) > 0.9).all())
    True
    """
    return _alternate(
        X,
        clusters,
        memberships=lambda d: _shares(1 / d),
        weights=lambda p, d: p**2 / d,
        objective=lambda p, d: float((1 / (1 / d).sum(axis=1)).sum()),
        control=(starts, rng, tolerance, max_iterations),
    )


def _alternate(
    X: np.ndarray,
    clusters: int,
    memberships: Callable[[np.ndarray], np.ndarray],
    weights: Callable[[np.ndarray, np.ndarray], np.ndarray],
    objective: Callable[[np.ndarray, np.ndarray], float],
    control: tuple[int, np.random.Generator | int | None, float, int],
) -> np.ndarray:
    """Memberships from centres, centres as weighted means, until still; the best of several starts."""
    X = np.asarray(X, float)
    starts, seed, tolerance, max_iterations = control
    max_iterations = whole("max_iterations", max_iterations)
    clusters, starts = whole("clusters", clusters), whole("starts", starts)
    if X.ndim != 2 or len(X) < clusters:
        raise ValueError(f"X must be a matrix with at least clusters = {clusters} rows, got shape {X.shape}")
    rng = np.random.default_rng(seed)
    results = []
    for _ in range(starts):
        # Means of three random rows: a start on a data point would never leave it in PD-clustering.
        centres = np.array([X[rng.integers(len(X), size=3)].mean(axis=0) for _ in range(clusters)])
        distances = _distances(X, centres)
        u = memberships(distances)
        for _ in range(max_iterations):
            w = weights(u, distances)
            distances = _distances(X, w.T @ X / w.sum(axis=0)[:, None])
            old, u = u, memberships(distances)
            if abs(u - old).max() <= tolerance:
                break
        else:
            warnings.warn(
                f"no convergence in max_iterations = {max_iterations}", RuntimeWarning, stacklevel=3
            )
        results.append((objective(u, distances), u))
    return min(results, key=lambda result: result[0])[1]
