"""What is on record of a class, by values: the whole numbers (m, A, B, P) that no statement on record excludes.

A table shows m = n MED and its pairs A, B and P; here are all such numbers with the A and B of some margins and
P <= A, B, whether a table has them or not, that every statement on record allows.  What holds of all of them follows
from the record, however either is written; what fails for one does not follow from it statement by statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import ceil, comb, floor
from typing import Any

import numpy as np

from confmat.classes import MatrixClass, Tables
from confmat.conjectures.claims.distances import AtEachMed
from confmat.conjectures.claims.hooks import largest_hook_ard
from confmat.conjectures.law_shapes import LawClaim
from confmat.conjectures.literature import LITERATURE
from confmat.conjectures.registry import STATEMENTS
from confmat.conjectures.stated import FAMILIES
from confmat.discovery.facts import Expression
from confmat.discovery.same import on_record
from confmat.indices.extremes import (
    ard_range_given_med_2x2,
    max_adjusted_rand_distance,
    max_med,
    max_rand_distance,
    min_med,
    min_rand_distance,
)
from confmat.indices.pairs import pairs_within
from confmat.integers.compositions import partitions
from confmat.statistics.conditions import Condition
from confmat.statistics.table import STATISTICS, as_statistic

# A difference of doubles that is none.
TOLERANCE = 1e-7

# Classes with more numbers (m, A, B, P) are not looked at: some 100 MB.
_MOST_SUMS_LOOKED_AT = 2 * 10**6

# Statements on the largest (or least) value of a statistic: the statistic, whether the largest, the value at n, r, s.
_EXTREMES: dict[str, tuple[str, bool, Callable[[int, int, int], Fraction | None]]] = {
    "med-max": ("med", True, max_med),
    "med-max-empty": ("med", True, partial(max_med, empty=True)),
    "med-min": ("med", False, min_med),
    "rd-max": ("rd", True, max_rand_distance),
    "rd-max-empty": ("rd", True, partial(max_rand_distance, empty=True)),
    "rd-min": ("rd", False, min_rand_distance),
    "ard-max": ("ard", True, max_adjusted_rand_distance),
    "ard-form-late": ("ard", True, largest_hook_ard),
}

Interval = tuple[Fraction | None, Fraction | None]


def _rd_2x2(n: int, m: int) -> Interval:
    """The RD is fixed, and no MED exceeds 1/2: there is no value between the two.

    >>> [[str(x) for x in _rd_2x2(4, m)] for m in (1, 2, 3)]
    [['1/2', '1/2'], ['2/3', '2/3'], ['1', '0']]
    """
    value = Fraction(m * (n - m), comb(n, 2))
    if 2 * m <= n:
        return value, value
    return Fraction(1), Fraction(0)


def _ard_2x2(where: Callable[[int], bool], upper: bool) -> Callable[[int, int], Interval]:
    """The largest, or the least, ARD at m that a condition selects."""

    def interval(n: int, m: int) -> Interval:
        if n < 3 or 2 * m > n or not where(m):
            return None, None
        least_ard, largest_ard = ard_range_given_med_2x2(n, m)
        return (None, largest_ard) if upper else (least_ard, None)

    return interval


# Statements on 2 x 2 tables at n and m = n MED that are no conditions: the statistic, and between what its values lie.
_TWO_BY_TWO: dict[str, tuple[str, Callable[[int, int], Interval]]] = {
    "two-by-two": ("rd", _rd_2x2),
    "ard-2x2-exceptions": ("ard", _ard_2x2(lambda m: m > 1, True)),
    "ard-2x2-one": ("ard", _ard_2x2(lambda m: m < 2, True)),
    "ard-2x2-least": ("ard", _ard_2x2(lambda m: m > 0, False)),
}


class SumsOfClass:
    """Numbers (m, A, B, P) of a class, in rows, and what statistics are there.

    >>> sums = SumsOfClass(Tables(4, 2, 2), np.array([[1, 3, 2, 1], [2, 2, 2, 0]]))
    >>> sums.values("rd").tolist(), sums.passed_by(Expression("rd", "/", "med"), Fraction(1)).tolist()
    ([0.5, 0.6666666666666666], [0.25, 0.16666666666666663])
    """

    def __init__(self, matrices: MatrixClass, rows: np.ndarray) -> None:
        self.matrices, self.rows = matrices, rows
        self._values: dict[str, np.ndarray] = {}

    def values(self, text: str) -> np.ndarray:
        """Of a statistic, in doubles; nan where it is undefined."""
        if text not in self._values:
            self._values[text] = as_statistic(text).rough_values(self.matrices, self.rows)
        return self._values[text]

    def passed_by(self, expression: Expression, bound: Fraction) -> np.ndarray:
        """By how much an expression passes a bound, without a division by a statistic; nan where it is undefined."""
        dividend = self.values(expression.of)
        if expression.sign == "/":
            return dividend - float(bound) * self.values(expression.by)
        divisor = self.values(expression.by) if expression.sign else 0.0
        return dividend - divisor - float(bound)

    def where(self, kept: np.ndarray) -> SumsOfClass:
        """Those of a mask."""
        return SumsOfClass(self.matrices, self.rows[kept])

    def med_fixes(self, text: str) -> bool:
        """Whether a statistic has one value, or is undefined, at each m.

        >>> Knowledge().left(Tables(9, 2, 2)).med_fixes("rd"), Knowledge().left(Tables(9, 2, 3)).med_fixes("rd")
        (True, False)
        """
        values = self.values(text)
        is_defined = ~np.isnan(values)
        levels = self.rows[is_defined, 0]
        values = values[is_defined]
        order = np.lexsort((values, levels))
        same_level = np.diff(levels[order]) == 0
        steps = np.diff(values[order])[same_level]
        return bool((steps <= TOLERANCE).all())


def largest(amounts: np.ndarray) -> float:
    """The largest of some numbers where they are defined, at least 0.

    >>> largest(np.array([np.nan, 0.25])), largest(np.array([]))
    (0.25, 0.0)
    """
    return float(np.nanmax(np.append(amounts, 0.0)))


@dataclass(frozen=True)
class Knowledge:
    """Statements that are taken as known, by their names in the registry."""

    names: frozenset[str] = frozenset(STATEMENTS)

    def left(self, matrices: Tables) -> SumsOfClass | None:
        """The numbers that no statement excludes; None for a class with too many.

        >>> known, nothing = Knowledge().left(Tables(5, 3, 3)), Knowledge(frozenset()).left(Tables(5, 3, 3))
        >>> [round(largest(at.passed_by(Expression("rd", "/", "med"), Fraction(3, 2))), 9) for at in (known, nothing)]
        [0.0, 0.6]
        """
        return _left(self, matrices)

    def holds(self, name: str, matrices: MatrixClass) -> bool:
        """Whether a statement is taken as known, is not refuted, and speaks of a class.

        >>> [Knowledge(names).holds("med-max", Tables(9, 2, 2)) for names in (frozenset(STATEMENTS), frozenset())]
        [True, False]
        """
        return STATEMENTS[name].status != "refuted" and self._speaks_of(name, matrices)

    def _speaks_of(self, name: str, matrices: MatrixClass) -> bool:
        is_known = name in self.names
        return is_known and (name not in LITERATURE or bool(LITERATURE[name].applies(matrices)))

    def conditions(self, matrices: Tables) -> Iterator[tuple[str, Condition]]:
        """Conditions on m, A, B and P that speak of a class, by the names of the statements, refuted ones too.

        >>> [name for name, _ in Knowledge().conditions(Tables(9, 2, 3))][:3]
        ['ard-over-med-2x3', 'ari-above-med', 'ari-below-fm']
        """
        for name in sorted(self.names & set(LITERATURE)):
            test = LITERATURE[name].predicate
            if not isinstance(test, Condition) or LITERATURE[name].on != "signatures":
                continue
            if self._speaks_of(name, matrices):
                yield name, test

    def last(self, classes: Iterable[Tables]) -> SumsOfClass | None:
        """What is left of the last class that can be looked at; None where there is none."""
        sums_left = (self.left(matrices) for matrices in reversed(list(classes)))
        return next((sums for sums in sums_left if sums is not None), None)

    def refuted(self, expression: Expression, bounds: dict[Tables, Fraction]) -> str | None:
        """The name of a statement that says the same in these classes and is refuted in others; None for none.

        >>> same = Expression("1 - jaccard", "-", "ard")  # ARI <= J
        >>> Knowledge().refuted(same, {Tables(9, 2, 2): Fraction(0)})
        'ari-below-jaccard'
        """
        names_alike: set[str] | None = None
        for matrices, bound in bounds.items():
            all_sums = _left(Knowledge(frozenset()), matrices)
            if all_sums is None:
                continue
            passes = all_sums.passed_by(expression, bound) > TOLERANCE
            names_here = set()
            for name, test in self.conditions(matrices):
                if STATEMENTS[name].status == "refuted":
                    holds = test.mask(matrices, *all_sums.rows.T)
                    if (holds == ~passes).all():
                        names_here.add(name)
            names_alike = names_here if names_alike is None else names_alike & names_here
            if not names_alike:
                return None
        return min(names_alike or (), default=None)

    def law(self, claim: LawClaim) -> str | None:
        """The name of the statement that makes (or refutes) the same claim about laws of tables; None for none.

        >>> from confmat.conjectures import rises
        >>> Knowledge().law(rises("rd", given="med")), Knowledge().law(rises("ri", along="s"))  # of a random model
        ('mean-rd-given-med', None)
        """
        for name in self.names & set(LITERATURE):
            conjecture = LITERATURE[name]
            test: Any = conjecture.predicate
            of_tables = conjecture.family is FAMILIES["laws"]
            if of_tables and isinstance(test, LawClaim) and _claim_key(test) == _claim_key(claim):
                return name
        return None


def _claim_key(claim: LawClaim) -> Any:
    wrong: Any = claim.wrong
    return claim.statistics, getattr(wrong, "func", wrong), getattr(wrong, "args", ())


# What the values of a statistic lie between, at m.
BoundedStatistic = tuple[str, Callable[[int], Interval]]


@lru_cache(256)
def _left(knowledge: Knowledge, matrices: Tables) -> SumsOfClass | None:
    intervals = list(_bounded_statistics(knowledge, matrices))
    rows = _rows_within(matrices, [interval for statistic, interval in intervals if statistic == "rd"])
    if rows is None:
        return None
    sums = SumsOfClass(matrices, rows)
    for statistic, interval in intervals:
        at_each_m = [interval(m) for m in range(matrices.n)]
        lower_ends, upper_ends = (np.array(side, float)[sums.rows[:, 0]] for side in zip(*at_each_m))
        values = sums.values(statistic)
        is_excluded = (values < lower_ends - TOLERANCE) | (values > upper_ends + TOLERANCE)
        sums = sums.where(~is_excluded)
    for name, test in knowledge.conditions(matrices):
        if knowledge.holds(name, matrices):
            sums = sums.where(test.mask(matrices, *sums.rows.T))
    return sums


def _bounded_statistics(knowledge: Knowledge, matrices: Tables) -> Iterator[BoundedStatistic]:
    """What statements that are no conditions say of the values of statistics."""
    n, (r, s) = matrices.n, matrices.shape
    if "statistic-ranges" in knowledge.names:
        for statistic in on_record():
            yield statistic, _at_every_m(*STATISTICS[statistic].bounds)
    for name, (statistic, upper, value) in _EXTREMES.items():
        if knowledge.holds(name, matrices):
            extreme = value(n, r, s)
            yield statistic, _at_every_m(None, extreme) if upper else _at_every_m(extreme, None)
    for name, (statistic, interval_at) in _TWO_BY_TWO.items():
        if knowledge.holds(name, matrices) and (r, s) == (2, 2):
            yield statistic, partial(interval_at, n)
    for name in sorted(knowledge.names & set(LITERATURE)):
        claim = getattr(LITERATURE[name].predicate, "wrong", None)
        if isinstance(claim, AtEachMed) and knowledge.holds(name, matrices):
            yield "rd", partial(_allowed, claim, matrices)


def _at_every_m(low: Any, high: Any) -> Callable[[int], Interval]:
    return lambda m: (low, high)


def _allowed(claim: AtEachMed, matrices: Tables, m: int) -> Interval:
    least_f, most_f = claim.allowed(matrices, m)
    pairs = max(1, comb(matrices.n, 2))
    return Fraction(least_f, pairs), Fraction(most_f, pairs)


def _rows_within(matrices: Tables, distances: list[Callable[[int], Interval]]) -> np.ndarray | None:
    """All (m, A, B, P) with the A and B of some margins (of square tables A <= B) where the RD is within bounds.

    >>> _rows_within(Tables(3, 2, 2), [lambda m: (Fraction(1, 3), Fraction(2, 3))]).tolist()
    [[0, 1, 1, 0], [1, 1, 1, 0], [2, 1, 1, 0]]
    """
    n, (r, s) = matrices.n, matrices.shape
    of_rows = sorted({pairs_within(sizes) for sizes in partitions(n, r)})
    of_columns = sorted({pairs_within(sizes) for sizes in partitions(n, s)})
    margins = [(A, B) for A, B in product(of_rows, of_columns) if r != s or A <= B]
    A, B = np.array(margins).T
    rows = []
    number = 0
    for m in range(n):
        least_f, most_f = _disagreements(n, [distance(m) for distance in distances])
        first_p = np.maximum(0, -((most_f - A - B) // 2))
        last_p = np.minimum(
            np.minimum(A, B),
            (A + B - least_f) // 2,
        )
        lengths = np.maximum(0, last_p - first_p + 1)
        number += int(lengths.sum())
        if number > _MOST_SUMS_LOOKED_AT:
            return None
        places = np.repeat(np.arange(len(margins)), lengths)
        starts = np.cumsum(lengths) - lengths
        P = first_p[places] + np.arange(len(places)) - starts[places]
        level = np.full(len(places), m)
        rows.append(np.stack([level, A[places], B[places], P], axis=1))
    return np.concatenate(rows)


def _disagreements(n: int, intervals: list[Interval]) -> tuple[int, int]:
    """The least and the largest number of pairs on which two clusterings disagree, where the RD is in all intervals.

    >>> _disagreements(4, [(Fraction(1, 4), None), (None, Fraction(3, 4))])
    (2, 4)
    """
    pairs = comb(n, 2)
    least_f = 0
    most_f = pairs
    for lower, upper in intervals:
        if lower is not None:
            least_f = max(least_f, ceil(lower * pairs))
        if upper is not None:
            most_f = min(most_f, floor(upper * pairs))
    return least_f, most_f
