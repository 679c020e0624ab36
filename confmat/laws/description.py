"""Exact descriptions of a law on the line: moments, quantiles, extremes and matrices that attain them.

Quantile: the smallest x with F(x) >= p.  sd: of the population, a correctly rounded double.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, isqrt

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine import reduce
from confmat.engine.jobs import is_transposed
from confmat.engine.reference import find_table
from confmat.engine.run import Resources
from confmat.engine.summary import LEAST_ARD, LEAST_RD, MOST_ARD, MOST_RD, Summary, collect
from confmat.engine.tablewise import first_with
from confmat.errors import ConsistencyError
from confmat.statistics.record import Statistic, shared_symmetry

Number = Fraction | float

QUARTILES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))

# Bits of a common denominator beyond which sums of Fractions are as good.
_LONGEST_UNIT = 256


@dataclass(frozen=True)
class Witness:
    """Where an extreme is attained: a margin class and its best matching and pairs within cells."""

    matrices: MatrixClass
    rows: tuple[int, ...]
    cols: tuple[int, ...]
    matched: int
    pairs: int

    def matrix(self) -> np.ndarray:
        """The first such table in lexicographically decreasing order, as the representative of its orbit.

        The representative is the lexicographically largest member of the class in the orbit.  The search
        walks through the margin class: instant for n = 20, a second or so where it holds 10^7 tables.

        >>> from confmat.classes import Tables
        >>> Witness(Tables(4, 2, 2), rows=(3, 1), cols=(2, 2), matched=3, pairs=1).matrix()
        array([[2, 1],
               [0, 1]])
        """
        table = find_table(self.rows, self.cols, self.matched, self.pairs)
        if table is None:
            raise AssertionError(f"no table behind {self}")
        return self.matrices.member_like(table.T if is_transposed(self.matrices) else table)


@dataclass(frozen=True)
class Sought:
    """Where some statistics have some values: a member is looked for when it is asked for."""

    matrices: MatrixClass
    statistics: tuple[Statistic, ...]
    values: tuple[Number, ...]

    def matrix(self) -> np.ndarray:
        """The representative of the first member met: a visit of the class that stops there.

        >>> from confmat.classes import Tables
        >>> from confmat.statistics import as_statistic
        >>> Sought(Tables(4, 2, 2), (as_statistic("rd"),), (Fraction(1, 2),)).matrix().tolist()
        [[2, 1], [0, 1]]
        """
        table = first_with(self.matrices, self.statistics, self.values)
        if table is None:
            raise ConsistencyError(
                f"no member of {self.matrices!r} has the values {self.values}, which were counted"
            )
        return self.matrices.representative(table, shared_symmetry(self.statistics))


@dataclass(frozen=True)
class Description:
    """A law on the line.  Numbers are Fractions when exact; floats when rounded, or of a float statistic.

    ``undefined`` is the weight of the matrices where the statistic is 0/0; the rest describes the others.
    """

    mean: Number
    variance: Number
    sd: float
    min: Number
    q1: Number
    median: Number
    q3: Number
    max: Number
    least: Witness | Sought | None = None
    most: Witness | Sought | None = None
    undefined: int = 0

    def numbers(self) -> dict[str, Number]:
        """Mean, sd, min, quartiles and max by name.

        >>> {name: str(number) for name, number in describe({0: 1, 2: 3}).numbers().items() if name != "sd"}
        {'mean': '3/2', 'min': '0', 'q1': '0', 'median': '2', 'q3': '2', 'max': '2'}
        """
        return {key: getattr(self, key) for key in ("mean", "sd", "min", "q1", "median", "q3", "max")}

    def argmin(self) -> np.ndarray | None:
        """A matrix with the smallest value, where one is known.

        >>> from confmat.classes import Tables
        >>> from confmat.laws import joint
        >>> law = joint(Tables(6, 2, 3), "med", "rd").given("med").rows[1].laws["rd"]
        >>> law.min, law.argmin().tolist()
        (Fraction(4, 15), [[2, 2, 0], [0, 0, 2]])
        """
        return self.least.matrix() if self.least is not None else None

    def argmax(self) -> np.ndarray | None:
        """A matrix with the largest value, where one is known.

        >>> from confmat.classes import Tables
        >>> from confmat.laws import joint
        >>> law = joint(Tables(6, 2, 3), "med", "rd").given("med").rows[1].laws["rd"]
        >>> law.max, law.argmax().tolist()
        (Fraction(8, 15), [[3, 1, 1], [0, 1, 0]])
        """
        return self.most.matrix() if self.most is not None else None


def describe(law: Mapping[Number, int], unit: int = 1) -> Description:
    """Describe a law given as value -> positive integer weight; values are multiples of 1/``unit``.

    Mass at nan, where a statistic is undefined, is counted apart.

    >>> describe({Fraction(0): 1, Fraction(1): 3}).mean
    Fraction(3, 4)
    >>> describe({0: 1, 1: 3}, unit=2).mean
    Fraction(3, 8)
    """
    undefined = sum(w for x, w in law.items() if x != x)
    if undefined:
        law = {x: w for x, w in law.items() if x == x}
        if not law:
            nan = math.nan
            return Description(nan, nan, nan, nan, nan, nan, nan, nan, undefined=undefined)
    law, unit = _in_integers(law, unit)
    total = sum(law.values())
    values = sorted(law)
    first = sum(x * w for x, w in law.items())
    if isinstance(first, float):
        mean: Number = first / total
        variance: Number = sum((x - mean) ** 2 * w for x, w in law.items()) / total
    else:
        mean = Fraction(first) / total
        variance = Fraction(sum(x * x * w for x, w in law.items())) / total - mean**2
    cumulative = np.cumsum(np.array([law[x] for x in values], dtype=object)).tolist()
    middle = (values[_first_reaching(cumulative, rank(total, p))] for p in QUARTILES)
    low, q1, median, q3, high = (_scaled(x, unit) for x in (values[0], *middle, values[-1]))
    variance = _scaled(variance, unit**2)
    sd = root(variance)
    return Description(_scaled(mean, unit), variance, sd, low, q1, median, q3, high, undefined=undefined)


def _in_integers(law: Mapping[Number, int], unit: int) -> tuple[Mapping[Number, int], int]:
    """The law with its values as multiples of a finer unit, where one of moderate size makes them all whole."""
    if not all(isinstance(x, Fraction) for x in law):
        return law, unit
    common = math.lcm(*(x.denominator for x in law if isinstance(x, Fraction)))
    if common.bit_length() > _LONGEST_UNIT:
        return law, unit
    return {
        x.numerator * (common // x.denominator): w for x, w in law.items() if isinstance(x, Fraction)
    }, unit * common


def _scaled(x: Number, unit: int) -> Number:
    return x / unit if isinstance(x, float) else Fraction(x) / unit


def rank(total: int, p: Fraction) -> int:
    """Position (from 1) of the p-quantile among ``total`` ordered values: the least k with k/total >= p.

    >>> rank(10, Fraction(1, 4)), rank(10, Fraction(1, 2))
    (3, 5)
    """
    return max(1, -(-total * p.numerator // p.denominator))


def _first_reaching(cumulative: list[int], target: int) -> int:
    from bisect import bisect_left

    return bisect_left(cumulative, target)


def root(x: Number) -> float:
    """Square root: correctly rounded from a Fraction.

    >>> root(Fraction(1, 4))
    0.5
    """
    if isinstance(x, float):
        return float(np.sqrt(x))
    return _rounded(lambda bits: _root_bounds(x, bits))


def _root_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    floor = isqrt((x.numerator << 2 * bits) // x.denominator)
    low = Fraction(floor, 1 << bits)
    return (low, low) if low * low == x else (low, Fraction(floor + 1, 1 << bits))


def _rounded(bounds: Callable[[int], tuple[Fraction, Fraction]]) -> float:
    """The double nearest to a number given by ever closer bounds (``bounds(bits)``)."""
    for bits in (128, 256, 512, 1024, 2048, 4096):
        low, high = bounds(bits)
        if float(low) == float(high):
            return float(low)
    raise ArithmeticError("a moment lies too close to the middle between two doubles to be rounded")


def describe_summary(
    summary: Summary, names: list[str], resources: Resources, exact: bool
) -> Iterator[tuple[int, int, dict[str, Description]]]:
    """Describe RD and ARD at every distance m that occurs: (m, weight, descriptions by name).

    >>> from confmat.classes import Tables
    >>> from confmat.engine.summary import summarize
    >>> summary = summarize(Tables(4, 2, 2), "tables", Resources())
    >>> described = describe_summary(summary, ["rd"], Resources(), exact=True)
    >>> [(m, total, str(laws["rd"].mean)) for m, total, laws in described]
    [(0, 6, '0'), (1, 8, '1/2'), (2, 5, '2/3')]
    """
    present = [m for m, total in enumerate(summary.totals) if total]
    quartiles = _ard_quartiles(summary, present, resources) if "ard" in names else {}
    for m in present:
        laws = {}
        for name in names:
            laws[name] = _rd(summary, m) if name == "rd" else _ard(summary, m, quartiles[m], exact)
        yield m, summary.totals[m], laws


def _witness(summary: Summary, kind: int, m: int) -> Witness:
    r = min(summary.matrices.shape)
    f, _, *margins = summary.extremes[kind, m].tolist()
    rows, cols = tuple(margins[:r]), tuple(margins[r:])
    together = sum(comb(x, 2) for x in margins)
    return Witness(summary.matrices, rows, cols, summary.matrices.n - m, (together - f) // 2)


def _rd(summary: Summary, m: int) -> Description:
    pairs = max(1, comb(summary.matrices.n, 2))
    plain = describe({f: w for f, w in enumerate(summary.law[m].tolist()) if w}, pairs)
    return replace(plain, least=_witness(summary, LEAST_RD, m), most=_witness(summary, MOST_RD, m))


def ard_value(f: int, d: int, pairs: int) -> Fraction:
    """The ARD of F disagreeing pairs: F C(n, 2)/D, and 0 for 0/0.

    >>> ard_value(f=4, d=8, pairs=6), ard_value(f=0, d=0, pairs=6)
    (Fraction(3, 1), Fraction(0, 1))
    """
    return Fraction(f * pairs, d) if d else Fraction(0)


def _ard(summary: Summary, m: int, quartiles: list[Fraction], exact: bool) -> Description:
    pairs = comb(summary.matrices.n, 2)
    least, most = (
        ard_value(int(summary.extremes[kind, m, 0]), int(summary.extremes[kind, m, 1]), pairs)
        for kind in (LEAST_ARD, MOST_ARD)
    )
    exact = exact or len(summary.keys) == 1
    mean, variance, sd = ard_moments(summary.keys, summary.moments(m), pairs, summary.totals[m], exact)
    if least == most:
        mean, variance, sd = least, Fraction(0), 0.0
    witnesses = (_witness(summary, LEAST_ARD, m), _witness(summary, MOST_ARD, m))
    q1, median, q3 = quartiles
    return Description(mean, variance, sd, least, q1, median, q3, most, *witnesses)


def ard_moments(
    keys: np.ndarray, sums: np.ndarray, pairs: int, total: int, exact: bool
) -> tuple[Number, Number, float]:
    """Mean, variance and sd of the ARD, of total weight ``total``: Fractions, or doubles correctly rounded.

    ``keys`` (K x 2): pairs (A, B); ``sums`` (K x 2): weight times F and F^2 there (Python ints).  The mean is
    M/W times the sum over (A, B) of (sum of w F)/D: floor divisions of the numerators, scaled by a power of two,
    bound it from both sides as closely as it takes.

    >>> mean, variance, sd = ard_moments(np.array([[2, 3]]), np.array([[4, 8]], object), 6, 3, exact=True)
    >>> mean, variance
    (Fraction(4, 9), Fraction(8, 81))
    """
    a, b = keys.astype(object).T
    d = reduce.ard_denominator(a, b, pairs)
    used = np.array([bool(x) for x in sums[:, 0]], bool)
    d, first, second = d[used], sums[used, 0], sums[used, 1]
    if exact:
        mean = sum((Fraction(x * pairs, y) for x, y in zip(first, d)), Fraction(0)) / total
        square = sum((Fraction(x * pairs**2, y**2) for x, y in zip(second, d)), Fraction(0)) / total
        return mean, square - mean**2, root(square - mean**2)

    def mean_bounds(bits: int) -> tuple[Fraction, Fraction]:
        return _sum_bounds(first, d, bits, pairs, total)

    def variance_bounds(bits: int) -> tuple[Fraction, Fraction]:
        low, high = mean_bounds(bits)
        square_low, square_high = _sum_bounds(second, d * d, bits, pairs**2, total)
        return max(Fraction(0), square_low - high**2), square_high - low**2

    def sd_bounds(bits: int) -> tuple[Fraction, Fraction]:
        low, high = variance_bounds(2 * bits)
        return _root_bounds(low, bits)[0], _root_bounds(high, bits)[1]

    return _rounded(mean_bounds), _rounded(variance_bounds), _rounded(sd_bounds)


def _sum_bounds(
    numerators: np.ndarray, denominators: np.ndarray, bits: int, factor: int, total: int
) -> tuple[Fraction, Fraction]:
    """Bounds of factor/total * sum of numerators/denominators, to about ``bits`` binary places."""
    floor = int(((numerators << bits) // denominators).sum()) if len(numerators) else 0
    scale = total << bits
    return Fraction(factor * floor, scale), Fraction(factor * (floor + len(numerators)), scale)


def _ard_quartiles(summary: Summary, present: list[int], resources: Resources) -> dict[int, list[Fraction]]:
    """Exact quartiles of the ARD at each m: the bins that hold them are known, a second pass looks inside."""
    wanted = np.zeros((summary.matrices.n + 1, reduce.BINS), bool)
    targets: dict[int, list[tuple[int, int]]] = {}
    for m in present:
        cumulative = np.cumsum(summary.bins[m]).tolist()
        targets[m] = []
        for p in QUARTILES:
            target = rank(summary.totals[m], p)
            bin = _first_reaching(cumulative, target)
            wanted[m, bin] = True
            targets[m].append((bin, target - (cumulative[bin - 1] if bin else 0)))
    cells, counts = collect(summary.matrices, summary.weight, resources, wanted)
    pairs = comb(summary.matrices.n, 2)
    # Values F M / D are compared as integers: distinct ones differ by 1/(D D') > 2^-124, as n < 2^15.
    inside: dict[tuple[int, int], dict[int, int]] = {}
    fractions: dict[int, tuple[int, int]] = {}
    for (m, a, b, p), count in zip(cells.tolist(), counts.tolist()):
        f, d = a + b - 2 * p, reduce.ard_denominator(a, b, pairs)
        law = inside.setdefault((m, reduce.ard_bin(f, d, pairs)), {})
        value = (f * pairs << 124) // d if d else 0
        fractions.setdefault(value, (f, d))
        law[value] = law.get(value, 0) + count
    return {
        m: [ard_value(*fractions[_nth(inside[m, bin], position)], pairs) for bin, position in targets[m]]
        for m in present
    }


def _nth(law: dict[int, int], position: int) -> int:
    for value in sorted(law):
        position -= law[value]
        if position <= 0:
            return value
    raise AssertionError("the bin holds fewer matrices than were counted in it")
