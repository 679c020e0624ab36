"""All choices of a matrix for each fold that have the printed means: how many, one of them, ranges of other scores.

Sums over folds are told apart exactly: a whole number stands for the scores of a fold, in it digits of each rational
score over a common denominator, and one for each irrational value, of how many folds have it.  Doubles leave out what
comes nowhere near what is printed; at an end of it the sum itself is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress
from math import floor, lcm, nextafter
from typing import Any

import numpy as np

from confmat.auditing.boxes import members
from confmat.auditing.report import Report
from confmat.auditing.scores import Score
from confmat.certificates.ranges import misses
from confmat.indices.numbers import Exact
from confmat.statistics.record import Number

# Sums of doubles are off by less than this for each fold.
_GUARD = 1e-9

# Irrational scores are cut to parts of this size in ranges; their doubles may be off by less.
_PARTS, _ROUNDED = 2**45, 2.0**-50

# What a sum that is tried takes for each score, in bytes; one that is kept beside its digits; bytes in a second.
_TRIED, _KEPT, RATE = 8, 64, 2**27

# Seconds that the ranges of all scores take for a matrix of a fold, for a group of them, and for a way to a sum.
_OF_A_MATRIX, _OF_A_GROUP, _OF_A_WAY = 3e-5, 7e-4, 1e-6

# Most bits of the exact means of a score.
_MOST_BITS = 2**31

# The sizes of a fold's classes.
Rows = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Fold:
    """All matrices of a fold, in groups that have the same printed scores: ``which`` group, and ``scores`` of each."""

    tables: np.ndarray
    which: np.ndarray
    scores: list[tuple[Any, ...]]

    @classmethod
    def of(cls, report: Report, rows: Rows) -> Fold:
        """The matrices with these row sums, and the scores of a report.

        >>> sorted(Fold.of(Report.of(classes=(4, 4), acc="1", bacc="1"), (1, 1)).scores)
        [(Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 1), Fraction(1, 1))]
        """
        free = Report.of(classes=rows, ri="0").question
        tables = members(free, free.box(rows))
        columns = [_values(score, tables) for score in report.judged]
        places, which = np.unique(
            np.stack([which for _, which in columns], axis=1), axis=0, return_inverse=True
        )
        groups: dict[tuple[Any, ...], int] = {}
        found = [
            groups.setdefault(tuple(values[i] for (values, _), i in zip(columns, place)), len(groups))
            for place in places
        ]
        return cls(tables, np.array(found)[which.reshape(-1)], [*groups])

    @cached_property
    def sorted(self) -> tuple[np.ndarray, np.ndarray]:
        """The order in which groups follow each other, and where each begins."""
        order = np.argsort(self.which, kind="stable")
        return order, np.searchsorted(self.which[order], range(len(self.scores)))

    @property
    def first(self) -> np.ndarray:
        """A matrix of each group."""
        order, starts = self.sorted
        return self.tables[order[starts]]

    def ends(self, score: Score) -> tuple[np.ndarray, np.ndarray]:
        """Tables that may have the least or the largest value of a score in their group, and where groups begin.

        >>> fold = Fold.of(Report.of(classes=(4, 4), acc="1"), (2, 2))
        >>> tables, starts = fold.ends(Score.of("ari", 2, Fraction(0)))
        >>> len(tables), starts.tolist()
        (9, [0, 1, 2, 5, 7])
        """
        order, starts = self.sorted
        rough, sizes = score.rough(self.tables)[order], np.diff(np.append(starts, len(order)))
        guard = 2 * score.guard(self.tables)
        least, largest = (np.repeat(x.reduceat(rough, starts), sizes) for x in (np.minimum, np.maximum))
        near = np.flatnonzero((rough <= least + guard) | (rough >= largest - guard))
        return self.tables[order[near]], np.searchsorted(near, starts)


def _values(score: Score, tables: np.ndarray) -> tuple[list[Any], np.ndarray]:
    """Scores, Fractions where they are known to be, and the position of each table's one."""
    keys, which = score.keys(tables)
    values = (score.value(x) for x in keys)
    return [x.rational if isinstance(x, Exact) and x.rational is not None else x for x in values], which


@dataclass(frozen=True, eq=False)
class Choices:
    """The choices of matrices that have the means of a report, as paths through the sums of the first folds.

    A stage holds, for each sum with one more fold, ways to it: which sum before, and which group of the fold, in the
    order of the new sums, and where the ways to each begin.  ``inside``: the last sums that are as printed.
    """

    report: Report
    folds: Mapping[Rows, Fold]
    stages: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]]
    inside: np.ndarray

    @property
    def count(self) -> int:
        """How many there are, folds told apart."""
        ways = {
            rows: np.bincount(fold.which, minlength=len(fold.scores)).astype(object)
            for rows, fold in self.folds.items()
        }
        return int(self._through(ways, np.ones(1, object), np.multiply, np.add).sum())

    def one(self) -> np.ndarray:
        """A matrix of each fold, k x r x r."""
        groups = self._path(self.inside[0])
        return np.array([self.folds[rows].first[g] for rows, g in zip(self.report.folds or (), groups)])

    def total(self, last: int) -> list[Any]:
        """The last sum of this number, exactly: of each score."""
        path = zip(self.report.folds or (), self._path(last))
        return [sum(column) for column in zip(*(self.folds[rows].scores[g] for rows, g in path))]

    def _path(self, last: int) -> list[int]:
        groups: list[int] = []
        for source, part, starts in reversed(self.stages):
            groups.insert(0, int(part[starts[last]]))
            last = source[starts[last]]
        return groups

    @property
    def seconds(self) -> float:
        """About how long the ranges of all scores take."""
        folds, ways = self.folds.values(), sum(len(part) for _, part, _ in self.stages)
        of_folds = seconds_of_ranges(sum(len(x.tables) for x in folds), sum(len(x.scores) for x in folds))
        return of_folds + ways * _OF_A_WAY

    def range(self, score: Score) -> tuple[Number, Number]:
        """The least and largest mean of a score among all choices: Fractions, or doubles rounded outward.

        These where some are irrational, or have too long a common denominator.
        """
        found = {rows: fold.ends(score) for rows, fold in self.folds.items()}
        values = {rows: _values(score, tables) for rows, (tables, _) in found.items()}
        most = _MOST_BITS // max(len(part) for _, part, _ in self.stages)
        exact = _common_denominator((x for some, _ in values.values() for x in some), most)
        k, parts = len(self.stages), exact or _PARTS
        kind = np.int64 if 3 * k * parts < 2**63 else object
        ends = []
        for sign in (1, -1):
            numbers = {}
            for rows, (some, which) in values.items():
                of_tables = np.array([_below(sign * x, parts) for x in some], kind)[which]
                numbers[rows] = np.minimum.reduceat(of_tables, found[rows][1])
            total = self._through(numbers, np.zeros(1, kind), np.add, np.minimum).min()
            mean = Fraction(int(total), parts * k)
            ends.append(sign * (mean if exact else _double_below(mean)) + 0)  # no zero has a sign
        return ends[0], ends[1]

    def _through(
        self, of: Mapping[Rows, np.ndarray], found: np.ndarray, join: np.ufunc, merge: np.ufunc
    ) -> np.ndarray:
        """What numbers of the groups of all folds come to at each sum as printed: joined on a way, merged over ways."""
        for rows, (source, part, starts) in zip(self.report.folds or (), self.stages):
            found = merge.reduceat(join(found[source], of[rows][part]), starts)
        return found[self.inside]


def choices(report: Report, folds: Mapping[Rows, Fold], seconds: float, memory: float) -> Choices | None:
    """The choices of these matrices; None where their sums take more, or are open at an end of what is printed.

    >>> report = Report.of(classes=(8, 8), acc="0.9375", folds=4)
    >>> found = choices(report, {(2, 2): Fold.of(report, (2, 2))}, seconds=1, memory=2**30)
    >>> found.count, found.range(Score.of("ari", 2, report.undefined))
    (8, (Fraction(3, 4), Fraction(3, 4)))
    """
    order, windows = report.folds or (), report.question.windows
    k, left = len(order), min(seconds * RATE, memory)
    if (found := _codes(folds, k, 8 * left / sum(len(x.scores) for x in folds.values()))) is None:
        return None
    codes, bits = found
    rough = {rows: np.array([[*map(float, x)] for x in fold.scores]) for rows, fold in folds.items()}
    # Where sums of the first folds must be: so far from what is printed that the others may make up for it.
    ends = np.array([[float(x) * k for x in window[:2]] for window in windows]).T
    reach = np.array([[rough[rows].max(axis=0), rough[rows].min(axis=0)] for rows in order])
    rest = np.cumsum(reach[::-1], axis=0)[::-1] - reach
    sums, at, stages = codes[order[0]][:1] * 0, np.zeros((1, len(windows))), []
    for rows, (low, high) in zip(order, ends - rest + [[-_GUARD * k], [_GUARD * k]]):
        if (left := left - len(sums) * rough[rows].size * _TRIED) < 0:
            return None
        totals = at[:, None] + rough[rows]
        source, part = np.nonzero(((totals >= low) & (totals <= high)).all(axis=2))
        if (left := left - len(part) * (_KEPT + bits / 8)) < 0:
            return None
        after = sums[source] + codes[rows][part]
        ways = np.argsort(after, kind="stable")
        source, part, after = source[ways], part[ways], after[ways]
        starts = np.flatnonzero(np.append(True, after[1:] != after[:-1])[: len(after)])
        sums, at = after[starts], totals[source[starts], part[starts]]
        stages.append((source, part, starts))
    every = Choices(report, folds, stages, np.arange(len(sums)))
    near = (at <= ends[0] + _GUARD * k) | (at >= ends[1] - _GUARD * k)
    surely = ~near.any(axis=1)
    for last in np.flatnonzero(~surely).tolist():
        open_ = [*compress(zip(every.total(last), windows), near[last])]
        exact = [(x, window) for x, window in open_ if not isinstance(x, float)]
        surely[last] = not any(misses((x, x), (a * k, b * k, *closed)) for x, (a, b, *closed) in exact)
        if surely[last] and exact != open_:
            return None
    return Choices(report, folds, stages, np.flatnonzero(surely))


def _codes(folds: Mapping[Rows, Fold], k: int, most: float) -> tuple[dict[Rows, np.ndarray], int] | None:
    """A whole number for each group of each fold, of so many bits in the sums of k; these are equal as scores' sums.

    None where a common denominator alone has more bits than ``most``.
    """
    bits, digits = 0, []
    for column in zip(*(x for fold in folds.values() for x in fold.scores)):
        rational = {x for x in column if isinstance(x, Fraction)}
        if (whole := _common_denominator(rational, most)) is None:
            return None
        of = {x: int((x + 1) * whole) << bits for x in rational}
        bits += (3 * k * whole).bit_length()
        for x in {*column} - rational:
            of[x] = 1 << bits
            bits += k.bit_length()
        digits.append(of)
    kind = np.int64 if bits < 63 else object
    return {
        rows: np.array([sum(of[x] for of, x in zip(digits, scores)) for scores in fold.scores], kind)
        for rows, fold in folds.items()
    }, bits


def seconds_of_ranges(matrices: int, groups: float) -> float:
    """About how long the ranges of all scores take, with so many matrices of folds, in so many groups.

    >>> round(seconds_of_ranges(641_601, 1601))  # 23 were measured
    20
    """
    return matrices * _OF_A_MATRIX + groups * _OF_A_GROUP


def _common_denominator(values: Iterable[Any], bits: float) -> int | None:
    """Of Fractions; None where others are among them, or it has more bits.

    >>> _common_denominator([Fraction(1, 2), Fraction(1, 3)], 3), _common_denominator([Fraction(1, 8)], 3)
    (6, None)
    """
    whole = 1
    for x in values:
        if not isinstance(x, Fraction) or (whole := lcm(whole, x.denominator)).bit_length() > bits:
            return None
    return whole


def _below(x: Any, parts: int) -> int:
    """The whole part of a number in parts; of one that is irrational, or a double, of a little less.

    >>> _below(Fraction(1, 2), 2), _below(0.5, 2), _below(0.7, 2)
    (1, 0, 1)
    """
    return floor((x if isinstance(x, Fraction) else Fraction(float(x) - _ROUNDED)) * parts)


def _double_below(x: Fraction) -> float:
    """The largest double up to a number."""
    near = float(x)
    return near if near <= x else nextafter(near, -2)


def grid_steps(x: Any, q: int) -> int:
    """The whole part of (x + 1) q: no score is below -1.

    >>> grid_steps(Fraction(-1, 3), 10), grid_steps(1, 10)
    (6, 20)
    >>> grid_steps(1 - Fraction(1, 10**20), 10), grid_steps(Fraction(29, 100), 100)  # where doubles are wrong
    (19, 129)
    """
    k = floor(float(x) * q)
    k += 1 if x >= Fraction(k + 1, q) else -1 if x < Fraction(k, q) else 0
    return k + q
