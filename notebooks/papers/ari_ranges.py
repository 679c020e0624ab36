"""Which ARI is possible at a printed correct rate (COR), for two classes of known sizes.

A classifier of a true objects of one class and b of the other makes a matrix [[a - u, u], [v, b - v]]: the
class ``FixedRows([a, b], 2)``, with e = u + v errors and COR = 1 - e/n.  Its ARI depends on u and v, but near
COR 1 hardly on more than e.  A printed COR and ARI are means over many such matrices, so the mean ARI is
bounded by the convex hull of the attainable points (COR, ARI).  Its upper side is always 1, as the matrices
with no error and with nothing but errors both have ARI 1; the lower side is what a printed value can violate.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import ceil, floor

import numpy as np

from checks import whole
from confmat.indices import PairSums

Sizes = tuple[int, int]
Point = tuple[Fraction, Fraction]

HALF_DIGIT = Fraction(1, 20_000)
"""A correct rate printed in percent with two decimals is known up to this."""

_CLOSE = 1e-9
"""Floats choose what is evaluated exactly; they err by far less than this."""


def _as_rate(name: str, value: Fraction | float) -> Fraction:
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be between 0 and 1, got {value}")
    return Fraction(value)


def two_class_ari(a: int, b: int, u: int, v: int) -> Fraction:
    """ARI of [[a - u, u], [v, b - v]].

    >>> two_class_ari(50, 50, 50, 50), two_class_ari(357, 212, 11, 8)
    (Fraction(1, 1), Fraction(128636438, 147825963))
    """
    together = pairs_within((a - u, u, v, b - v))
    columns = pairs_within((a - u + v, u + b - v))
    return 1 - PairSums(a + b, pairs_within((a, b)), columns, together).adjusted_rand_distance


@lru_cache(maxsize=64)
def ari_extremes(sizes: Sizes) -> tuple[tuple[Fraction, Fraction], ...]:
    """Smallest and largest ARI with 0, 1, .., n errors, over all matrices with the class sizes.

    O(a b), in floats that choose the matrices to evaluate exactly; (900, 100) takes 30 ms.

    >>> ari_extremes((2, 1))[:2]
    ((Fraction(1, 1), Fraction(1, 1)), (Fraction(-1, 2), Fraction(0, 1)))
    """
    a, b = (whole("sizes", size) for size in sizes)
    extremes = [_extremes_with(a, b, errors) for errors in range((a + b) // 2 + 1)]
    # Naming the other class every time keeps the partition, and e errors become n - e.
    return (*extremes, *extremes[(a + b - 1) // 2 :: -1])


def _extremes_with(a: int, b: int, errors: int) -> tuple[Fraction, Fraction]:
    v = np.arange(max(0, errors - a), min(b, errors) + 1)
    ari = _float_ari(a, b, errors - v, v)
    lowest, highest = v[ari <= ari.min() + _CLOSE].tolist(), v[ari >= ari.max() - _CLOSE].tolist()
    return (
        min(two_class_ari(a, b, errors - x, x) for x in lowest),
        max(two_class_ari(a, b, errors - x, x) for x in highest),
    )


def _float_ari(a: int, b: int, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`two_class_ari` of arrays, up to some 1e-15: whole numbers below 2^53, one product and one quotient."""
    pairs, rows = (a + b) * (a + b - 1) / 2, float(pairs_within((a, b)))
    columns = _pairs(a - u + v) + _pairs(b + u - v)
    together = _pairs(u) + _pairs(a - u) + _pairs(v) + _pairs(b - v)
    apart = pairs * (rows + columns - 2 * together)
    expected = rows * (pairs - columns) + columns * (pairs - rows)
    return 1 - apart / np.where(expected, expected, 1)  # 0/0: the partitions coincide


def pairs_within(sizes: Iterable[int]) -> int:
    """Pairs of objects that are in one group.

    >>> pairs_within((3, 2))
    4
    """
    return sum(size * (size - 1) // 2 for size in sizes)


def _pairs(x: np.ndarray) -> np.ndarray:
    return x * (x - 1.0) / 2


def range_of_one(sizes: Sizes, cor: Fraction) -> tuple[Fraction, Fraction]:
    """Smallest and largest ARI of one matrix whose number of errors is next to n (1 - cor), on either side.

    >>> [round(float(value), 3) for value in range_of_one((357, 212), Fraction("0.9679"))]
    [0.87, 0.877]
    """
    errors = sum(sizes) * (1 - _as_rate("cor", cor))
    near = ari_extremes(tuple(sizes))[floor(errors) : ceil(errors) + 1]
    return min(low for low, _ in near), max(high for _, high in near)


def least_mean(shapes: Iterable[Sizes], cor: Fraction, margin: Fraction = HALF_DIGIT) -> Fraction:
    """Smallest mean ARI of any number of matrices whose mean COR is within ``margin`` of ``cor``.

    Each matrix may have any of the class sizes ``shapes``.  Exact: the lower convex hull of all attainable
    (COR, ARI), at its lowest over the interval.

    >>> round(float(least_mean([(357, 212)], Fraction("0.9679"))), 4)
    0.8745
    """
    cor = _as_rate("cor", cor)
    points = [
        (1 - Fraction(errors, sum(sizes)), low)
        for sizes in shapes
        for errors, (low, _) in enumerate(ari_extremes(tuple(sizes)))
    ]
    hull = lower_hull(points)
    left, right = max(cor - margin, Fraction(0)), min(cor + margin, Fraction(1))
    inside = [y for x, y in hull if left <= x <= right]
    return min([*inside, _height(hull, left), _height(hull, right)])


def lower_hull(points: Iterable[Point]) -> list[Point]:
    """Vertices of the lower convex hull from left to right (Andrew 1979), exact.

    >>> lower_hull([(0, 1), (1, 0), (2, 1), (1, 1), (3, 1)])
    [(0, 1), (1, 0), (3, 1)]
    """
    hull: list[Point] = []
    for x, y in sorted(points):
        if hull and hull[-1][0] == x:
            continue
        while len(hull) > 1 and _turns_right(hull[-2], hull[-1], (x, y)):
            hull.pop()
        hull.append((x, y))
    return hull


def _turns_right(p: Point, q: Point, r: Point) -> bool:
    return (q[0] - p[0]) * (r[1] - p[1]) <= (q[1] - p[1]) * (r[0] - p[0])


def _height(hull: Sequence[Point], x: Fraction) -> Fraction:
    for (x0, y0), (x1, y1) in pairwise(hull):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise ValueError(f"{x} lies outside the hull")


def matrices_at(
    sizes: Sizes, cor: Fraction, bcr: Fraction, margin: Fraction = HALF_DIGIT
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """All matrices of a test set with at most ``sizes`` objects of the classes that fit a COR and a BCR.

    Both within ``margin``; each class has an object in the test set.  O((a + b) a b).

    >>> matrices_at((20, 25), Fraction("0.9118"), Fraction("0.9250"))
    [((14, 0), (3, 17)), ((17, 3), (0, 14))]
    """
    cor, bcr = _as_rate("cor", cor), _as_rate("bcr", bcr)
    found = []
    for a, b in product(range(1, sizes[0] + 1), range(1, sizes[1] + 1)):
        n = a + b
        for errors in range(max(0, ceil(n * (1 - cor - margin))), min(n, floor(n * (1 - cor + margin))) + 1):
            for v in range(max(0, errors - a), min(b, errors) + 1):
                u = errors - v
                if abs(1 - Fraction(u * b + v * a, 2 * a * b) - bcr) <= margin:
                    found.append(((a - u, u), (v, b - v)))
    return found


# Test halves.


def stratified_halves(sizes: Sizes) -> list[Sizes]:
    """Class sizes of a test half that takes half of each class, up to one object.

    >>> stratified_halves((5, 4))
    [(2, 2), (3, 2)]
    """
    a, b = sizes
    return [(i, j) for i in sorted({a // 2, a - a // 2}) for j in sorted({b // 2, b - b // 2})]


@lru_cache(maxsize=64)
def usual_spread(sizes: Sizes, runs: int = 20, probability: float = 1e-6) -> tuple[Fraction, Fraction]:
    """How far random halves are from half of the first class: bounds (largest, mean) over the runs.

    Each bound fails with at most the given probability: the deviation of a run is hypergeometric, one half
    decides the other; the largest by the union bound, the mean by the law of the sum.

    >>> usual_spread((100, 100))
    (Fraction(19, 1), Fraction(109, 20))
    """
    from scipy.stats import hypergeom

    a, n = sizes[0], sum(sizes)
    law = np.zeros(a + 1)  # of twice the deviation, a whole number
    objects = np.arange(a + 1)
    np.add.at(law, abs(2 * objects - a), hypergeom.pmf(objects, n, a, n // 2))
    total = np.ones(1)
    for _ in range(runs):
        total = np.convolve(total, law)
    return Fraction(_quantile(law, probability / runs), 2), Fraction(_quantile(total, probability), 2 * runs)


def _quantile(law: np.ndarray, probability: float) -> int:
    """Smallest whole number that is exceeded with at most this probability."""
    above = np.append(law[::-1].cumsum()[::-1][1:], 0.0)  # P(more than k), from the small terms
    return int((above <= probability).argmax())


def least_mean_random(
    sizes: Sizes, cor: Fraction, spread: tuple[Fraction, Fraction], margin: Fraction = HALF_DIGIT
) -> Fraction:
    """A lower bound on the mean ARI of runs that split the data at random into two test halves.

    A half holds a/2 objects of the first class, at most ``spread[0]`` more or fewer, on average at most
    ``spread[1]``; the halves of a run are complementary, so their mean is a/2.  Linear programming over the
    attainable (size, COR, ARI) of a half gives the smallest mean ARI whose mean COR is at least
    ``cor - margin``.  Its dual solution, in floats, is rounded to rational slopes, and the bound that they
    imply is computed exactly: it holds whatever the solver did.

    >>> round(float(least_mean_random((100, 100), Fraction("0.9240"), usual_spread((100, 100)))), 3)
    0.712
    """
    from scipy.optimize import linprog

    cor, centre = _as_rate("cor", cor), Fraction(sizes[0], 2)
    if min(spread) < centre % 1:
        raise ValueError(f"spread must be at least {centre % 1} with {sizes[0]} objects, got {spread}")
    wanted = max(cor - margin, Fraction(0))
    points = _half_points(tuple(sizes), spread[0])
    size, errors, n, low = points.T
    rate, deviation = 1 - errors / n, abs(size - float(centre))
    dual = linprog(
        low,
        A_ub=[-rate, deviation],
        b_ub=[-float(wanted), float(spread[1])],
        A_eq=[size, np.ones(len(points))],
        b_eq=[float(centre), 1.0],
        method="highs",
    )
    # Any slopes give a bound as long as these two are not negative.
    gain, fine = (max(Fraction(-x).limit_denominator(10**6), Fraction(0)) for x in dual.ineqlin.marginals)
    tilt = Fraction(dual.eqlin.marginals[0]).limit_denominator(10**6)
    # Where low - gain rate + fine deviation - tilt size is least: in floats, then exactly at all points near.
    gap = low - float(gain) * rate + float(fine) * deviation - float(tilt) * size
    near = points[gap <= gap.min() + _CLOSE, :3].astype(int).tolist()
    offset = min(
        _extremes_with(a, m - a, e)[0] - gain * (1 - Fraction(e, m)) + fine * abs(a - centre) - tilt * a
        for a, e, m in near
    )
    return offset + gain * wanted - fine * spread[1] + tilt * centre


@lru_cache(maxsize=16)
def _half_points(sizes: Sizes, spread: Fraction) -> np.ndarray:
    """Rows (a', errors, n', least ARI) over test halves with a' of n' objects in the first class.

    In floats.  No more than n'/2 errors: beyond that, the other names give the same ARI at a higher COR.
    """
    centre, n = Fraction(sizes[0], 2), sum(sizes)
    blocks = []
    for m in sorted({n // 2, n - n // 2}):
        for a in range(max(0, ceil(centre - spread)), min(m, floor(centre + spread)) + 1):
            u, v = np.arange(a + 1)[:, None], np.arange(m - a + 1)
            low = np.full(m + 1, np.inf)
            np.minimum.at(low, (u + v).ravel(), _float_ari(a, m - a, u, v).ravel())
            errors = np.arange(m // 2 + 1)
            blocks.append(np.column_stack(np.broadcast_arrays(a, errors, m, low[errors])))
    return np.concatenate(blocks)
