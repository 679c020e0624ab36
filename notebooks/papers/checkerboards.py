"""Checkerboards: two classes on alternating cells of a square, a minority among the dark ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from checks import whole


def checkerboard(
    cells: int, total: int, percent: float, rng: np.random.Generator | int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Points of CheckNxN(T, p) of Santos & Embrechts (2009, Section 4): (X, y), X of shape (total, 2).

    The unit square has ``cells`` x ``cells`` cells.  ``percent`` of the ``total`` points, a whole number of
    them, are of class 1, uniform on the cells of one colour; the others, class 0, on those of the other.

    >>> X, y = checkerboard(4, 400, 25, rng=0)
    >>> X.shape, np.bincount(y), np.unique(np.floor(4 * X).sum(axis=1)[y == 1] % 2)
    ((400, 2), array([300, 100]), array([1.]))
    """
    cells, total = whole("cells", cells, 2), whole("total", total)
    if not 0 <= percent <= 100:
        raise ValueError(f"percent must be between 0 and 100, got {percent}")
    minority = Fraction(str(percent)) * total / 100
    if minority.denominator != 1:
        raise ValueError(f"percent must give a whole number of points, got {percent}% of {total}")
    rng = np.random.default_rng(rng)
    y = np.repeat([0, 1], [total - int(minority), int(minority)])
    corners = np.argwhere(np.ones((cells, cells)))
    colour = corners.sum(axis=1) % 2
    X = np.empty((total, 2))
    for label in (0, 1):
        size = int((y == label).sum())
        X[y == label] = rng.choice(corners[colour == label], size) + rng.random((size, 2))
    return X / cells, y
