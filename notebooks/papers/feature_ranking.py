"""Features ranked by the adjusted Rand index of their equal-width intervals with the classes.

Santos & Embrechts (2009, Section 3): cut the range of each feature into intervals of equal width; these are a
clustering of the objects; its ARI with the class partition says how well the feature separates the classes.
`ari_selector.ARISelector` is the scikit-learn estimator.  `index_scores` takes any index, and quantiles.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal, overload

import numpy as np

import confmat as cm
from ari_ranges import pairs_within
from checks import whole
from confmat.indices import PairSums
from confmat.statistics import as_statistic

_CELLS_AT_ONCE = 1 << 21
"""Features are counted in blocks of about this many cells, to bound the memory."""

_MOST_BINS = 1 << 53
"""Numbers of intervals up to this one are doubles."""


def equal_width_bins(X: Any, bins: int) -> np.ndarray:
    """Number, from 0 to ``bins - 1``, of the interval that holds each value: an array of the shape of X.

    ``X`` is (n, d); the range of every column is cut into ``bins`` intervals of equal width, closed on the
    left, the last one on both sides.  Boundaries are exact for whole numbers up to 2^53/bins; for other
    values the usual rounding of doubles decides.  A constant column lies in interval 0.

    >>> equal_width_bins([[0.0], [0.3], [0.5], [1.0]], 2).ravel()
    array([0, 0, 1, 1])
    """
    X, bins = _as_features(X), _as_bins(bins)
    low, high = X.min(axis=0), X.max(axis=0)
    with np.errstate(over="ignore"):
        span = high - low
        too_wide = ~np.isfinite(span * bins)
    if too_wide.any():
        j = int(too_wide.argmax())
        raise ValueError(f"X[:, {j}] ranges from {low[j]} to {high[j]}, too far for doubles; scale it")
    # Multiply first: the quotient of whole numbers, correctly rounded, does not cross the next one.
    steps = (X - low) * bins / np.where(span > 0, span, 1)
    return np.minimum(steps.astype(np.intp), bins - 1)


@overload
def ari_scores(X: Any, y: Any, bins: int | None = ..., *, exact: Literal[False] = ...) -> np.ndarray: ...
@overload
def ari_scores(X: Any, y: Any, bins: int | None = ..., *, exact: Literal[True]) -> list[Fraction]: ...
def ari_scores(
    X: Any, y: Any, bins: int | None = None, *, exact: bool = False
) -> np.ndarray | list[Fraction]:
    """ARI of every feature's equal-width intervals with the classes ``y``: correctly rounded, or Fractions.

    ``X`` is (n, d), ``y`` has n labels of any kind; ``bins`` is twice the number of classes unless given, the
    best choice in the paper.  At most 1, 0 on average for a feature without information, 0 for a constant
    feature (1 if there is a single class: then the partitions coincide).  O(n d) counting steps, vectorised,
    O(d n log n) where intervals times classes exceed 2^21, and one rational number a feature.  It also serves
    as ``score_func`` of scikit-learn's ``SelectKBest``.

    >>> X, y = [[0, 5], [1, 5], [8, 6], [9, 5]], ["a", "a", "b", "b"]
    >>> ari_scores(X, y, bins=2)
    array([1., 0.])
    >>> ari_scores(X, y, bins=4, exact=True)[0]
    Fraction(1, 1)
    """
    X = _as_features(X)
    labels, classes = _as_codes(y, len(X))
    bins = 2 * classes if bins is None else _as_bins(bins)
    rows = pairs_within(np.bincount(labels).tolist())
    scores = [
        1 - PairSums(len(X), rows, B, P).adjusted_rand_distance
        for P, B in _pair_sums(X, labels, classes, bins)
    ]
    return scores if exact else np.array([float(score) for score in scores])


CUTS = ("width", "quantile")


def index_scores(X: Any, y: Any, bins: int, index: str = "ari", cut: str = "width") -> np.ndarray:
    """Any index of two clusterings, by its short name, of every feature's intervals with the classes.

    ``cut``: intervals of equal "width", or between every two "quantile"s, where equal values stay together.

    >>> index_scores([[0, 5], [1, 5], [8, 6], [9, 5]], ["a", "a", "b", "b"], 2, "ami").round(2)
    array([1., 0.])
    """
    X = _as_features(X)
    if cut not in CUTS:
        raise ValueError(f"cut must be one of {', '.join(CUTS)}, got {cut!r}")
    intervals = equal_width_bins(X, bins) if cut == "width" else _quantile_bins(X, _as_bins(bins))
    statistic = as_statistic(index)
    labels, _ = _as_codes(y, len(X))
    tables = [cm.contingency_matrix(column.tolist(), labels.tolist()) for column in intervals.T]
    return np.array([float(statistic(table)) for table in tables])


def _quantile_bins(X: np.ndarray, bins: int) -> np.ndarray:
    """Number of the interval between two quantiles that holds each value."""
    inner = np.quantile(X, np.arange(1, bins) / bins, axis=0)
    return np.stack(
        [np.searchsorted(cuts, column, side="right") for cuts, column in zip(inner.T, X.T)], axis=1
    )


def _pair_sums(X: np.ndarray, labels: np.ndarray, classes: int, bins: int) -> Iterator[tuple[int, int]]:
    """P and B of `PairSums` for every feature: pairs of objects in one interval and class, in one interval."""
    if bins * classes > _CELLS_AT_ONCE:
        yield from (_occupied_pair_sums(column[:, None], labels, classes, bins) for column in X.T)
        return
    block = max(1, _CELLS_AT_ONCE // max(len(X), bins * classes))
    for start in range(0, X.shape[1], block):
        intervals = equal_width_bins(X[:, start : start + block], bins)
        d = intervals.shape[1]
        cells = (np.arange(d) * bins + intervals) * classes + labels[:, None]
        tables = np.bincount(cells.ravel(), minlength=d * bins * classes).reshape(d, bins, classes)
        inside = (tables * (tables - 1) // 2).sum(axis=(1, 2))
        sizes = tables.sum(axis=2)
        yield from zip(inside.tolist(), (sizes * (sizes - 1) // 2).sum(axis=1).tolist())


def _occupied_pair_sums(column: np.ndarray, labels: np.ndarray, classes: int, bins: int) -> tuple[int, int]:
    """P and B of one feature; only intervals that hold an object are counted, however many there are."""
    intervals = equal_width_bins(column, bins).ravel()
    _, codes, sizes = np.unique(intervals, return_inverse=True, return_counts=True)
    _, cells = np.unique(codes * classes + labels, return_counts=True)
    return pairs_within(cells.tolist()), pairs_within(sizes.tolist())


def _as_bins(bins: Any) -> int:
    count = whole("bins", bins)
    if count > _MOST_BINS:
        raise ValueError(f"bins must be at most 2^53, got {count}")
    return count


def _as_features(X: Any) -> np.ndarray:
    X = np.asarray(X)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"X must have the shape (objects, features), none of them 0, got {X.shape}")
    if not (np.issubdtype(X.dtype, np.number) or X.dtype == bool) or np.iscomplexobj(X):
        raise TypeError(f"X must hold real numbers, got dtype {X.dtype}")
    X = X.astype(float, copy=False)
    if not np.isfinite(X).all():
        i, j = np.argwhere(~np.isfinite(X))[0]
        raise ValueError(f"X[{i}, {j}] must be finite, got {X[i, j]}")
    return X


def _as_codes(y: Any, n: int) -> tuple[np.ndarray, int]:
    y = np.asarray(y)
    if y.shape != (n,):
        raise ValueError(f"y must have one label for each of the {n} rows of X, got shape {y.shape}")
    names, codes = np.unique(y, return_inverse=True)
    return codes, len(names)
