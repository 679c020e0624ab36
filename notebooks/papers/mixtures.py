"""Gaussian mixtures: drawn with clusters a given distance apart (Qiu & Joe 2006), and fitted."""

import math
import warnings
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from checks import whole

COVARIANCES = ("full", "tied", "diag", "spherical")

_QUANTILE = 1.959963984540054
"""The normal quantile of 1 - alpha/2 with alpha = 0.05, the usual tail left out of a cluster."""


def separation_index(
    mean_1: np.ndarray, covariance_1: np.ndarray, mean_2: np.ndarray, covariance_2: np.ndarray
) -> float:
    """The gap between two Gaussian clusters relative to their extent, on the line that shows it best.

    On a line the clusters are intervals of mean +- 1.96 sd; the index is (gap between them)/(length of both
    with the gap), negative if they overlap: from -1 (one place) over 0 (touching) to 1.

    >>> round(separation_index([0, 0], np.eye(2), [2 * 1.959964, 0], np.eye(2)), 6)
    0.0
    """
    ratio = _best_ratio(np.subtract(mean_2, mean_1), np.asarray(covariance_1), np.asarray(covariance_2))
    return (ratio - _QUANTILE) / (ratio + _QUANTILE)


def _best_ratio(delta: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """Largest a'delta/(sqrt(a' S1 a) + sqrt(a' S2 a)) over directions a.

    A best direction solves (S1/s1 + S2/s2) a = delta up to scale, so one weight t is left to search.
    """
    from scipy.optimize import minimize_scalar

    def ratio(t: float) -> float:
        a = np.linalg.solve(t * first + (1 - t) * second, delta)
        return float(a @ delta / (math.sqrt(a @ first @ a) + math.sqrt(a @ second @ a)))

    if not np.any(delta):
        return 0.0
    return -float(minimize_scalar(lambda t: -ratio(t), bounds=(0, 1), method="bounded").fun)


def separated_mixture(
    clusters: int,
    variables: int,
    separation: float,
    rng: np.random.Generator | int | None = None,
    sizes: tuple[int, int] = (50, 200),
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a Gaussian mixture whose clusters are ``separation`` away from their nearest neighbour: (X, y).

    Covariances have eigenvalues uniform on (1, 10) and uniform random axes; cluster sizes are uniform on
    ``sizes`` (the defaults of R's clusterGeneration).  That package puts the centres on a scaled simplex;
    here each new centre leaves a random earlier one in a random direction until its index with the nearest
    cluster is ``separation``: so no pair is closer, and each cluster has a neighbour at that index.

    >>> X, y = separated_mixture(3, 4, 0.2, rng=0)
    >>> X.shape[1], sorted(set(y.tolist()))
    (4, [0, 1, 2])
    """
    rng = np.random.default_rng(rng)
    means, covariances = separated_components(clusters, variables, separation, rng)
    counts = rng.integers(sizes[0], sizes[1] + 1, size=len(means))
    X = np.concatenate([rng.multivariate_normal(m, c, size=k) for m, c, k in zip(means, covariances, counts)])
    return X, np.repeat(np.arange(len(means)), counts)


def separated_components(
    clusters: int, variables: int, separation: float, rng: np.random.Generator
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Means and covariances of ``separated_mixture``.

    >>> means, covariances = separated_components(2, 3, 0.2, np.random.default_rng(0))
    >>> round(separation_index(means[0], covariances[0], means[1], covariances[1]), 6)
    0.2
    """
    from scipy.optimize import brentq
    from scipy.stats import ortho_group

    clusters, variables = whole("clusters", clusters), whole("variables", variables, 2)
    if not -1 < separation < 1:
        raise ValueError(f"separation must be between -1 and 1, got {separation}")
    covariances = []
    for _ in range(clusters):
        axes = ortho_group.rvs(variables, random_state=rng)
        covariances.append(axes @ np.diag(rng.uniform(1, 10, size=variables)) @ axes.T)
    means = [np.zeros(variables)]
    for new in range(1, clusters):
        start, direction = means[rng.integers(new)], rng.normal(size=variables)
        direction /= np.linalg.norm(direction)

        def excess(
            t: float, start: np.ndarray = start, direction: np.ndarray = direction, new: int = new
        ) -> float:
            here = start + t * direction
            return separation - min(
                separation_index(means[k], covariances[k], here, covariances[new]) for k in range(new)
            )

        far = 1.0
        while excess(far) > 0:
            far *= 2
        means.append(start + brentq(excess, 0.0, far, xtol=1e-9) * direction)
    return means, covariances


def fit_mixture(
    X: np.ndarray,
    components: int | Sequence[int] = range(1, 10),
    *,
    covariances: Sequence[str] = COVARIANCES,
    seed: int = 0,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Posterior probabilities (n, K) of the Gaussian mixture with the best BIC.

    ``components``: how many, or the numbers to choose from.  ``start``: posteriors to begin with, for one number
    of components with covariances "full".  Needs scikit-learn (the extra ``ml``).

    >>> X = np.repeat([[0.0], [9.0]], 20, axis=0) + np.linspace(-1, 1, 40)[:, None]
    >>> fit_mixture(X, 2).round(2).sum(axis=0)
    array([20., 20.])
    """
    try:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.mixture import GaussianMixture
    except ImportError:
        raise ImportError("Gaussian mixtures need scikit-learn: pip install 'confmat[ml]'") from None
    numbers = [components] if isinstance(components, int) else list(components)
    initial = {} if start is None else _parameters(X, start)
    best: tuple[float, Any] = (np.inf, None)
    # One thread: data this small only lose time to more (ten times, on two shared cores).
    with warnings.catch_warnings(), _libraries().limit(limits=1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        for number, covariance in product(numbers, covariances):
            model = GaussianMixture(
                number, covariance_type=covariance, max_iter=200, random_state=seed, **initial
            )
            try:
                bic = model.fit(X).bic(X)
            except ValueError:  # a component collapsed: this candidate is out
                continue
            if bic < best[0]:
                best = (bic, model)
    if best[1] is None:
        raise ValueError(f"components: no mixture with {numbers} components could be fitted to {len(X)} rows")
    return best[1].predict_proba(X)


@cache
def _libraries() -> Any:
    """What scikit-learn computes with, whose threads can be limited: to look for it takes as long as a small fit."""
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()


def _parameters(X: np.ndarray, z: np.ndarray) -> dict[str, np.ndarray]:
    """Weights, means and precisions of components with the posteriors z, as a GaussianMixture starts from them."""
    means = z.T @ X / z.sum(axis=0)[:, None]
    covariances = [np.cov(X.T, aweights=weights, bias=True) for weights in z.T]
    return {
        "weights_init": z.mean(axis=0),
        "means_init": means,
        "precisions_init": np.linalg.inv(covariances),
    }
