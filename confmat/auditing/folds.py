"""Means over folds: can matrices, one for each fold, have the printed scores on average?

The scores that one fold can have are listed.  Sums over the folds are whole numbers of steps of a grid: of one score a
bit each in a long integer, for which adding a value is a shift, and one such integer for all sums of the other scores.
A sum of k values that were rounded down may be up to k steps more; where that leaves the question open the grid is made
finer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor, lcm
from typing import Any

import numpy as np

from confmat.auditing.audits import audit
from confmat.auditing.boxes import members, size
from confmat.auditing.report import Report
from confmat.auditing.scores import Window
from confmat.errors import TooLarge
from confmat.matrices.arguments import as_count, as_counts

_MOST_MATRICES = 10**6  # of one fold
_MOST_SUMS = 10**5  # of the scores but one
_EXACT = 10**5  # the largest common denominator that is taken for the grid
_PLACES = (4, 5, 6, 7)


def folds_possible(report: Report, folds: int | Sequence[Sequence[int]]) -> bool:
    """Whether k confusion matrices, one for each fold, have the scores of a report as means over the folds.

    ``folds``: how many, each with the same share of every class; or the sizes of the classes in each.  Every fold is a
    table of its own: a mean of ARIs is not the ARI of all folds together, for which, and for one fold, ``audit`` is.

    Raises TypeError for folds that are no whole numbers, ValueError for classes that do not divide by ``folds``;
    TooLarge where a fold has more than 10^6 matrices, or where the question stays open.

    >>> folds_possible(Report.of(classes=(8, 8), acc="0.9375", ari="0.7429"), 4)
    False
    >>> folds_possible(Report.of(classes=(8, 8), acc="0.9375", ari="0.750"), 4)
    True
    """
    if report.rows is None or report.columns is not None or not report.paired:
        raise ValueError(f"folds need classes of known sizes alone, got {report.matrices()}")
    sizes = _sizes(report.rows, folds)
    if len(sizes) == 1:
        return audit(report).possible
    found = {rows: attainable(report, rows) for rows in sizes}
    for places in _PLACES:
        answer = _Sums(report, [found[rows] for rows in sizes], places).answer()
        if answer is not None:
            return answer
    raise TooLarge(f"{report} as means of {len(sizes)} folds stays open to {_PLACES[-1]} decimals")


def _sizes(classes: tuple[int, ...], folds: int | Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The sizes of the classes in each fold."""
    if isinstance(folds, str) or not isinstance(folds, Iterable):
        count = as_count("folds", folds, minimum=1)
        if any(x % count for x in classes):
            raise ValueError(f"folds must divide every class of {classes}, or be their sizes, got {count}")
        return [tuple(x // count for x in classes)] * count
    sizes = [as_counts(f"folds[{i}]", rows) for i, rows in enumerate(folds)]
    if {*map(len, sizes)} != {len(classes)} or tuple(map(sum, zip(*sizes))) != classes:
        raise ValueError(f"folds must add up to the classes {classes}, got {folds}")
    return sizes


def attainable(report: Report, rows: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """What the scores of a report can be together in one fold, exactly.

    >>> attainable(Report.of(classes=(4, 4), acc="1", bacc="1"), (1, 1))
    [(Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 1), Fraction(1, 1))]
    """
    free = Report.of(classes=rows, ri="0").question
    box = free.box(rows)
    if size(free, box) > _MOST_MATRICES:
        raise TooLarge(
            f"a fold with classes of {rows} has {size(free, box)} matrices ({_MOST_MATRICES} at most)"
        )
    tables = members(free, box)
    columns = [score.keys(tables) for score in report.judged]
    places = np.unique(np.stack([which for _, which in columns], axis=1), axis=0)
    values = [[score.value(x) for x in keys] for score, (keys, _) in zip(report.judged, columns)]
    return sorted({tuple(column[i] for column, i in zip(values, place)) for place in places})


class _Sums:
    """The sums over the folds, on a grid with so many decimals, or exact where denominators are small."""

    def __init__(self, report: Report, folds: list[list[tuple[Any, ...]]], places: int) -> None:
        columns = [{x for fold in folds for x in {row[k] for row in fold}} for k in range(len(report.scores))]
        # The score with the most values is the one of the long integers.
        self.order = sorted(range(len(columns)), key=lambda k: len(columns[k]))
        self.steps, self.slack, self.ends = [], [], []
        for k in self.order:
            exact = all(isinstance(x, Fraction) for x in columns[k])
            whole = lcm(*(x.denominator for x in columns[k])) if exact else _EXACT + 1
            self.steps.append(whole if whole <= _EXACT else 10**places)
            self.slack.append(0 if whole <= _EXACT else len(folds))
            self.ends.append(_ends(report.question.windows[k], len(folds), self.steps[-1]))
        self.sums: dict[tuple[int, ...], int] = {(0,) * (len(columns) - 1): 1}
        added = [
            {tuple(grid_steps(row[k], q) for k, q in zip(self.order, self.steps)) for row in fold}
            for fold in folds
        ]
        for i, values in enumerate(added):
            self._add(values, [sum(map(max, column)) for column in zip(*map(_columns, added[i + 1 :]))])

    def _add(self, values: set[tuple[int, ...]], most_left: list[int]) -> None:
        """One more fold; ``most_left``: what the folds after it add at most."""
        sums: dict[tuple[int, ...], int] = {}
        rest = most_left or [0] * len(self.ends)
        for (key, bits), (*others, last) in product(self.sums.items(), values):
            total = tuple(map(int.__add__, key, others))
            within = zip(total, self.ends, rest, self.slack)
            if all(x <= high and x + more + slack >= low for x, (low, high), more, slack in within):
                sums[total] = sums.get(total, 0) | bits << last
        if len(sums) > _MOST_SUMS:
            raise TooLarge(f"the scores have more than {_MOST_SUMS} sums over the folds")
        self.sums = sums

    def answer(self) -> bool | None:
        """Whether a sum is as printed; None where rounding leaves that open."""
        return True if self._met(1) else None if self._met(-1) else False

    def _met(self, sign: int) -> bool:
        """Whether a sum is, for sign 1 whatever rounding took off, within the ends."""
        ends = [
            (low, high - slack) if sign > 0 else (low - slack, high)
            for (low, high), slack in zip(self.ends, self.slack)
        ]
        *others, (low, high) = ends
        return any(
            all(a <= x <= b for x, (a, b) in zip(key, others))
            and (bits >> max(low, 0)) % (1 << max(high - max(low, 0) + 1, 0))
            for key, bits in self.sums.items()
        )


def _columns(rows: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return [*zip(*rows)]


def grid_steps(x: Any, q: int) -> int:
    """The whole part of (x + 1) q: no score is below -1.

    >>> grid_steps(Fraction(-1, 3), 10), grid_steps(1, 10)
    (6, 20)
    """
    k = floor(float(x) * q)
    k += 1 if x >= Fraction(k + 1, q) else -1 if x < Fraction(k, q) else 0
    return k + q


def _ends(printed: Window, folds: int, q: int) -> tuple[int, int]:
    """The least and most steps of sums whose mean is printed so."""
    low, high = ((x + 1) * folds * q for x in printed[:2])
    return (
        ceil(low) if printed[2] else floor(low) + 1,
        floor(high) if printed[3] else ceil(high) - 1,
    )
