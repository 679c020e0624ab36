"""The designs of the simulations of Amodio et al. (2015): centres, covariances, data sets."""

import numpy as np

CENTRES = np.array([[-2, -2], [2, 2], [0, 0], [-2, 2], [2, -2], [-4, 4], [4, -4], [9, 9]], dtype=float)
"""mu_1 .. mu_8: data set c of Tables 1 and 4 takes the first c + 1."""

VARIANCES = {"S1": 0.01, "S2": 0.25, "S3": 1.0}
"""The covariance matrices of Table 1 are these multiples of the identity."""


def gaussian_mixture(
    centres: np.ndarray, covariance: np.ndarray, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """n points in turn from the normal distributions around the centres: (X, y), X of shape (n, 2).

    >>> X, y = gaussian_mixture(CENTRES[:2], 1e-6 * np.eye(2), 4, np.random.default_rng(0))
    >>> abs(X.round(2)).tolist(), y.tolist()
    ([[2.0, 2.0], [2.0, 2.0], [2.0, 2.0], [2.0, 2.0]], [0, 1, 0, 1])
    """
    y = np.arange(n) % len(centres)
    noise = rng.multivariate_normal(np.zeros(centres.shape[1]), covariance, size=n)
    return centres[y] + noise, y


def first_design(rng: np.random.Generator, n: int = 100) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The twelve data sets of Table 1 and of the random case: name -> (X, y).

    >>> data = first_design(np.random.default_rng(0))
    >>> list(data)[::4], data["random 2"][0].shape
    (['2 centers S1', '3 centers S2', '4 centers S3'], (100, 2))
    """
    return {
        f"{c} centers {name}": gaussian_mixture(CENTRES[:c], variance * np.eye(2), n, rng)
        for c in (2, 3, 4)
        for name, variance in VARIANCES.items()
    } | {f"random {c}": gaussian_mixture(np.zeros((c, 2)), 0.8 * np.eye(2), n, rng) for c in (2, 3, 4)}


def second_design(rng: np.random.Generator, n: int = 120) -> list[np.ndarray]:
    """The seven data sets of Table 4: 2 to 8 clusters, covariance diag(alpha), alpha uniform on (0.1, 1).

    >>> [X.shape for X in second_design(np.random.default_rng(0))][:2]
    [(120, 2), (120, 2)]
    """
    return [
        gaussian_mixture(CENTRES[:c], np.diag(rng.uniform(0.1, 1, size=2)), n, rng)[0] for c in range(2, 9)
    ]
