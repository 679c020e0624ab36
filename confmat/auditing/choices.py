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
TRIED, _KEPT, RATE = 8, 64, 2**27

# Seconds that the ranges of all scores take for a matrix of a fold, for a group of them, and for a way to a sum.
_OF_A_MATRIX, _OF_A_GROUP, _OF_A_WAY = 3e-5, 7e-4, 1e-6

# Most bits of the exact means of a score.
_MOST_BITS = 2**31

# The sizes of a fold's classes.
RowSums = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Fold:
    """All matrices of a fold, in groups that have the same printed scores: ``which`` group, and ``scores`` of each."""

    tables: np.ndarray
    which: np.ndarray
    scores: list[tuple[Any, ...]]

    @classmethod
    def of(cls, report: Report, rows: RowSums) -> Fold:
        """The matrices with these row sums, and the scores of a report.

        >>> sorted(Fold.of(Report.of(classes=(4, 4), acc="1", bacc="1"), (1, 1)).scores)
        [(Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 1), Fraction(1, 1))]
        """
        tables = members_of_rows(rows)
        values_of_scores = []
        position_of_scores = []
        for score in report.judged:
            values, positions = _values_of_tables(score, tables)
            values_of_scores.append(values)
            position_of_scores.append(positions)
        positions = np.stack(position_of_scores, axis=1)
        distinct, which_distinct = np.unique(positions, axis=0, return_inverse=True)
        # Positions that differ may have equal values.
        number_of_group: dict[tuple[Any, ...], int] = {}
        group_of_distinct = []
        for place in distinct:
            scores = tuple(values[i] for values, i in zip(values_of_scores, place))
            group = number_of_group.setdefault(scores, len(number_of_group))
            group_of_distinct.append(group)
        groups = np.array(group_of_distinct)[which_distinct.reshape(-1)]
        return cls(tables, groups, [*number_of_group])

    @cached_property
    def sorted(self) -> tuple[np.ndarray, np.ndarray]:
        """The order in which groups follow each other, and where each begins."""
        order = np.argsort(self.which, kind="stable")
        return order, np.searchsorted(
            self.which[order],
            range(len(self.scores)),
        )

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
        sizes = np.diff(np.append(starts, len(order)))
        rough = score.rough(self.tables)[order]
        guard = 2 * score.guard(self.tables)
        least_of_group = np.repeat(np.minimum.reduceat(rough, starts), sizes)
        largest_of_group = np.repeat(np.maximum.reduceat(rough, starts), sizes)
        near_least = rough <= least_of_group + guard
        near_largest = rough >= largest_of_group - guard
        positions = np.flatnonzero(near_least | near_largest)
        return self.tables[order[positions]], np.searchsorted(positions, starts)


def _values_of_tables(score: Score, tables: np.ndarray) -> tuple[list[Any], np.ndarray]:
    """Scores, Fractions where they are known to be, and the position of each table's one."""
    keys, positions = score.keys(tables)
    values = []
    for key in keys:
        value: Any = score.value(key)
        is_rational = isinstance(value, Exact) and value.rational is not None
        values.append(value.rational if is_rational else value)
    return values, positions


def members_of_rows(rows: RowSums) -> np.ndarray:
    """All square tables with these row sums (N x r x r): those of a report that says nothing more.

    >>> members_of_rows((1, 1)).tolist()
    [[[0, 1], [1, 0]], [[1, 0], [1, 0]], [[0, 1], [0, 1]], [[1, 0], [0, 1]]]
    """
    question = Report.of(classes=rows, ri="0").question
    return members(question, question.box(rows))


@dataclass(frozen=True, eq=False)
class Choices:
    """The choices of matrices that have the means of a report, as paths through the sums of the first folds.

    A stage holds, for each sum with one more fold, ways to it: which sum before, and which group of the fold, in the
    order of the new sums, and where the ways to each begin.  ``inside``: the last sums that are as printed.
    """

    report: Report
    folds: Mapping[RowSums, Fold]
    stages: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]]
    inside: np.ndarray

    @property
    def count(self) -> int:
        """How many there are, folds told apart."""
        tables_of_groups = {}
        for rows, fold in self.folds.items():
            counts = np.bincount(fold.which, minlength=len(fold.scores))
            tables_of_groups[rows] = counts.astype(object)
        choices_of_sums = self._through(tables_of_groups, np.ones(1, object), np.multiply, np.add)
        return int(choices_of_sums.sum())

    def one(self) -> np.ndarray:
        """A matrix of each fold, k x r x r."""
        matrices = []
        for rows, group in zip(self.report.folds or (), self._path(self.inside[0])):
            matrices.append(self.folds[rows].first[group])
        return np.array(matrices)

    def total(self, last_sum: int) -> list[Any]:
        """The last sum of this number, exactly: of each score."""
        scores_of_folds = []
        for rows, group in zip(self.report.folds or (), self._path(last_sum)):
            scores_of_folds.append(self.folds[rows].scores[group])
        return [sum(values) for values in zip(*scores_of_folds)]

    def _path(self, last_sum: int) -> list[int]:
        """The group of each fold on the first way to a last sum."""
        groups: list[int] = []
        for source, part, starts in reversed(self.stages):
            groups.insert(0, int(part[starts[last_sum]]))
            last_sum = source[starts[last_sum]]
        return groups

    @property
    def seconds(self) -> float:
        """About how long the ranges of all scores take."""
        matrices = sum(len(fold.tables) for fold in self.folds.values())
        groups = sum(len(fold.scores) for fold in self.folds.values())
        ways = sum(len(part) for _, part, _ in self.stages)
        return seconds_of_ranges(matrices, groups) + ways * _OF_A_WAY

    def range(self, score: Score) -> tuple[Number, Number]:
        """The least and largest mean of a score among all choices: Fractions, or doubles rounded outward.

        These where some are irrational, or have too long a common denominator.
        """
        values = {}
        positions = {}
        starts = {}
        for rows, fold in self.folds.items():
            tables, starts[rows] = fold.ends(score)
            values[rows], positions[rows] = _values_of_tables(score, tables)
        every_value = [value for of_fold in values.values() for value in of_fold]
        most_ways = max(len(part) for _, part, _ in self.stages)
        denominator = _common_denominator(every_value, _MOST_BITS // most_ways)
        parts = denominator or _PARTS
        folds = len(self.stages)
        kind = np.int64 if 3 * folds * parts < 2**63 else object
        ends = []
        for sign in (1, -1):
            least_of_groups = {}
            for rows, of_fold in values.items():
                rounded_values = np.array([_below(sign * value, parts) for value in of_fold], kind)
                of_tables = rounded_values[positions[rows]]
                least_of_groups[rows] = np.minimum.reduceat(of_tables, starts[rows])
            least_of_sums = self._through(least_of_groups, np.zeros(1, kind), np.add, np.minimum)
            mean_value = Fraction(
                int(least_of_sums.min()),
                parts * folds,
            )
            end = mean_value if denominator else _double_below(mean_value)
            ends.append(sign * end + 0)  # no zero has a sign
        return ends[0], ends[1]

    def _through(
        self, of_groups: Mapping[RowSums, np.ndarray], beginning: np.ndarray, join: np.ufunc, merge: np.ufunc
    ) -> np.ndarray:
        """What numbers of the groups of all folds come to at each sum as printed: joined on a way, merged over ways."""
        numbers = beginning
        for rows, (source, part, starts) in zip(self.report.folds or (), self.stages):
            on_ways = join(numbers[source], of_groups[rows][part])
            numbers = merge.reduceat(on_ways, starts)
        return numbers[self.inside]


def choices(report: Report, folds: Mapping[RowSums, Fold], seconds: float, memory: float) -> Choices | None:
    """The choices of these matrices; None where their sums take more, or are open at an end of what is printed.

    >>> report = Report.of(classes=(8, 8), acc="0.9375", folds=4)
    >>> found = choices(report, {(2, 2): Fold.of(report, (2, 2))}, seconds=1, memory=2**30)
    >>> found.count, found.range(Score.of("ari", 2, report.undefined))
    (8, (Fraction(3, 4), Fraction(3, 4)))
    """
    order = report.folds or ()
    windows = report.question.windows
    bytes_left = min(seconds * RATE, memory)
    groups = sum(len(fold.scores) for fold in folds.values())
    codes_and_bits = _codes(
        folds,
        len(order),
        8 * bytes_left / groups,
    )
    if codes_and_bits is None:
        return None
    codes, bits = codes_and_bits
    rough = {}
    for rows, fold in folds.items():
        rough[rows] = np.array([[float(value) for value in scores] for scores in fold.scores])
    guard = _GUARD * len(order)
    # Sums of the printed scores lie between these, in doubles.
    ends = np.array([[float(end) * len(order) for end in window[:2]] for window in windows]).T
    # Sums of the first folds must be so near that the others may make up for what is missing: by these at most.
    reach = np.array([[rough[rows].max(axis=0), rough[rows].min(axis=0)] for rows in order])
    reach_of_later = np.cumsum(reach[::-1], axis=0)[::-1] - reach

    sums = np.zeros(1, codes[order[0]].dtype)
    rough_sums = np.zeros((1, len(windows)))
    stages = []
    for rows, later in zip(order, reach_of_later):
        bytes_left -= len(sums) * rough[rows].size * TRIED
        if bytes_left < 0:
            return None
        totals = rough_sums[:, None] + rough[rows]
        lower, upper = ends - later
        is_near = (totals >= lower - guard) & (totals <= upper + guard)
        source, part = np.nonzero(is_near.all(axis=2))
        bytes_left -= len(part) * (_KEPT + bits / 8)
        if bytes_left < 0:
            return None
        new_sums = sums[source] + codes[rows][part]
        order_of_sums = np.argsort(new_sums, kind="stable")
        source = source[order_of_sums]
        part = part[order_of_sums]
        new_sums = new_sums[order_of_sums]
        is_new = np.append(True, new_sums[1:] != new_sums[:-1])[: len(new_sums)]
        starts = np.flatnonzero(is_new)
        sums = new_sums[starts]
        rough_sums = totals[source[starts], part[starts]]
        stages.append((source, part, starts))

    every_sum = Choices(report, folds, stages, np.arange(len(sums)))
    near_end = (rough_sums <= ends[0] + guard) | (rough_sums >= ends[1] - guard)
    is_inside = ~near_end.any(axis=1)
    for last_sum in np.flatnonzero(~is_inside).tolist():
        is_right = _is_printed(
            every_sum.total(last_sum),
            windows,
            near_end[last_sum],
            len(order),
        )
        if is_right is None:
            return None
        is_inside[last_sum] = is_right
    return Choices(report, folds, stages, np.flatnonzero(is_inside))


def _is_printed(
    total: Sequence[Any], windows: Sequence[Any], near_end: np.ndarray, folds: int
) -> bool | None:
    """Whether sums over folds near an end of what is printed are within it; None where doubles cannot tell."""
    is_open = False
    for value, window in compress(zip(total, windows), near_end):
        if isinstance(value, float):
            is_open = True
            continue
        lower, upper, *closed_ends = window
        if misses((value, value), (lower * folds, upper * folds, *closed_ends)):
            return False
    return None if is_open else True


def _codes(
    folds: Mapping[RowSums, Fold], number_of_folds: int, most_bits: float
) -> tuple[dict[RowSums, np.ndarray], int] | None:
    """A whole number for each group of each fold, of so many bits in the sums of all: equal as the sums of scores are.

    Each rational score has a field of bits, in which x + 1 stands over a common denominator; each irrational value a
    field of its own, in which it counts folds.  None where a denominator alone has more than ``most_bits``.
    """
    bits = 0
    code_of_value = []
    for column in zip(*(scores for fold in folds.values() for scores in fold.scores)):
        values = set(column)
        rational = {value for value in values if isinstance(value, Fraction)}
        denominator = _common_denominator(rational, most_bits)
        if denominator is None:
            return None
        codes = {}
        for value in rational:
            codes[value] = int((value + 1) * denominator) << bits
        bits += (3 * number_of_folds * denominator).bit_length()
        for value in values - rational:
            codes[value] = 1 << bits
            bits += number_of_folds.bit_length()
        code_of_value.append(codes)
    kind = np.int64 if bits < 63 else object
    codes_of_groups = {}
    for rows, fold in folds.items():
        totals = []
        for scores in fold.scores:
            totals.append(sum(codes[value] for codes, value in zip(code_of_value, scores)))
        codes_of_groups[rows] = np.array(totals, kind)
    return codes_of_groups, bits


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
    denominator = 1
    for value in values:
        if not isinstance(value, Fraction):
            return None
        denominator = lcm(denominator, value.denominator)
        if denominator.bit_length() > bits:
            return None
    return denominator


def _below(value: Any, parts: int) -> int:
    """The whole part of a number in parts; of one that is irrational, or a double, of a little less.

    >>> _below(Fraction(1, 2), 2), _below(0.5, 2), _below(0.7, 2)
    (1, 0, 1)
    """
    if isinstance(value, Fraction):
        certain = value
    else:
        certain = Fraction(float(value) - _ROUNDED)
    return floor(certain * parts)


def _double_below(x: Fraction) -> float:
    """The largest double up to a number."""
    nearest = float(x)
    if nearest <= x:
        return nearest
    return nextafter(nearest, -2)


def grid_steps(x: Any, q: int) -> int:
    """The whole part of (x + 1) q: no score is below -1.

    >>> grid_steps(Fraction(-1, 3), 10), grid_steps(1, 10)
    (6, 20)
    >>> grid_steps(1 - Fraction(1, 10**20), 10), grid_steps(Fraction(29, 100), 100)  # where doubles are wrong
    (19, 129)
    """
    steps = floor(float(x) * q)
    if x >= Fraction(steps + 1, q):
        steps += 1
    elif x < Fraction(steps, q):
        steps -= 1
    return steps + q
