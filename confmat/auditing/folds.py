"""Means over folds: matrices, one for each fold, that have the printed scores on average.

The scores that one fold can have are listed, and added up in steps of a grid by the checker's sums
(``confmat.certificates.means``); where what is rounded down leaves the question open the grid is made finer.  Rational
scores are whole in it wherever it can be: means at an end of what is printed are mostly of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import floor, lcm
from typing import Any

import numpy as np

from confmat.auditing.boxes import members
from confmat.auditing.report import Report
from confmat.certificates.means import Sums, ends, matrices_of
from confmat.certificates.verdict import Unreadable
from confmat.errors import TooLarge
from confmat.indices.numbers import Exact
from confmat.plans.methods import whole

# Scores of one fold: a matrix that has them, and how many have.
Attainable = dict[tuple[Any, ...], tuple[np.ndarray, int]]

_MOST_MATRICES = 10**6  # of one fold
EXACT = 10**5  # the largest common denominator that is the grid, where all scores are rational
PLACES = (4, 5, 6, 7)
_MOST_COUNTED = 5 * 10**5  # sums that are formed where choices are counted, a few seconds


def too_many(report: Report) -> str | None:
    """Why folds of a report are too large to list.

    >>> too_many(Report.of(classes=(200, 200), acc="0.5", folds=2)) is None
    True
    >>> too_many(Report.of(classes=(2000, 2000), acc="0.5", folds=2))
    'a listing of 1,002,001 matrices of a fold with classes of 1000, 1000 (1,000,000 at most)'
    """
    largest = max(report.folds or (), key=matrices_of)
    many, sizes = matrices_of(largest), ", ".join(map(str, largest))
    if many <= _MOST_MATRICES:
        return None
    return f"a listing of {whole(many)} matrices of a fold with classes of {sizes} ({whole(_MOST_MATRICES)} at most)"


def means(report: Report) -> tuple[tuple[int, ...], np.ndarray | None, int | None]:
    """Steps of the scores by which it is decided, matrices of the folds (k x r x r) that have the means, or None.

    And how many choices of such matrices there are, None where they have too many sums to be counted.

    TooLarge where the scores have too many sums, or the question stays open: at an end of what is printed irrational
    scores whose roots cancel are not told from those beside it.

    >>> means(Report.of(classes=(8, 8), acc="0.9375", ari="0.7429", folds=4))
    ((4, 2), None, 0)
    """
    folds = report.folds or ()
    found = {rows: attainable(report, rows) for rows in folds}
    refused = ""
    for places, told in product(PLACES, (False, True)):
        grid, more, of_steps = _in_steps(found, places, told)
        try:
            sums = Sums([{*of_steps[x]} for x in folds], report.question.windows, grid, more)
        except Unreadable as error:
            refused = str(error)
            if told:
                continue
            break
        if (met := sums.met(surely=True)) is not None:
            some = [of_steps[rows][x][0] for rows, x in zip(folds, _parts(sums, met))]
            return grid, np.array(some), _choices(report, found)
        if sums.met(surely=False) is None:
            return grid, None, 0
    if refused:
        raise TooLarge(f"{report} in {len(folds)} folds is beyond reach: {refused}")
    raise TooLarge(f"{report} in {len(folds)} folds stays open to {PLACES[-1]} decimals")


def _in_steps(
    found: Mapping[tuple[int, ...], Attainable], places: int, told: bool
) -> tuple[tuple[int, ...], list[bool], dict[tuple[int, ...], Attainable]]:
    """A grid of so many places, the scores that are rounded down in it, and what folds can have, in its steps.

    After them stands whether any is rounded down; always, where this is not ``told`` apart.
    """
    columns = [*map(set, zip(*(x for of in found.values() for x in of)))]
    grid = tuple(_steps(column, places) for column in columns)
    more = [not all(_is_whole(x, q) for x in column) for column, q in zip(columns, grid)]
    of_steps = {
        rows: _gathered(
            ((*map(grid_steps, x, grid), not (told and all(map(_is_whole, x, grid)))), *some)
            for x, some in of.items()
        )
        for rows, of in found.items()
    }
    return grid, more, of_steps


def _choices(report: Report, found: Mapping[tuple[int, ...], Attainable]) -> int | None:
    """How many choices of matrices have the means, folds told apart; None where their sums are too many, or open."""
    if (work := sum(map(len, found.values()))) > _MOST_COUNTED:
        return None
    grid, more, of_steps = _in_steps(found, PLACES[-1], told=True)
    folds = [of_steps[rows] for rows in report.folds or ()]
    limits = [ends(window, q * len(folds)) for window, q in zip(report.question.windows, grid)]
    tops = [[*map(max, zip(*fold))] for fold in folds]
    sums = Counter({(0,) * (len(grid) + 1): 1})
    for i, fold in enumerate(folds, 1):
        if (work := work + len(sums) * len(fold)) > _MOST_COUNTED:
            return None
        rest = [sum(column) + len(folds) for column in zip(*tops[i:])] or [len(folds)] * len(grid)
        after = Counter[tuple[int, ...]]()
        for (x, many), (y, (_, ways)) in product(sums.items(), fold.items()):
            total = tuple(map(int.__add__, x, y))
            if all(t <= high and t + z >= low for t, (low, high), z in zip(total, limits, rest)):
                after[total] += many * ways
        sums = after
    inside, near = (
        sum(
            many
            for (*total, rounded), many in sums.items()
            if all(
                low - rounded * z * (not surely) <= t <= high - rounded * z * surely
                for t, z, (low, high) in zip(total, more, limits)
            )
        )
        for surely in (True, False)
    )
    return inside if inside == near else None


def _parts(sums: Sums, total: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Steps of each fold with this sum, as the report orders the scores; at the end whether any is rounded down."""
    parts: list[tuple[int, ...]] = []
    for before, fold in reversed([*zip(sums.stages, sums.folds)]):
        rests = ((x, tuple(map(int.__sub__, total, x))) for x in sorted(fold))
        part, total = next((x, y) for x, y in rests if y[-1] >= 0 and before.get(y[:-1], 0) >> y[-1] & 1)
        parts.insert(0, tuple(x for _, x in sorted(zip(sums.order, part))))
    return parts


def attainable(report: Report, rows: tuple[int, ...]) -> Attainable:
    """What the scores of a report can be together in one fold, exactly; a matrix that has them, and how many have.

    >>> sorted(attainable(Report.of(classes=(4, 4), acc="1", bacc="1"), (1, 1)))
    [(Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 1), Fraction(1, 1))]
    """
    free = Report.of(classes=rows, ri="0").question
    tables = members(free, free.box(rows))
    columns = [score.keys(tables) for score in report.judged]
    places, first, many = np.unique(
        np.stack([which for _, which in columns], axis=1), axis=0, return_index=True, return_counts=True
    )
    values = [[_simplest(score.value(x)) for x in keys] for score, (keys, _) in zip(report.judged, columns)]
    return _gathered(
        (tuple(column[i] for column, i in zip(values, place)), tables[k], ways)
        for place, k, ways in zip(places, first, many.tolist())
    )


def _gathered(found: Iterable[tuple[tuple[Any, ...], np.ndarray, int]]) -> Attainable:
    """Scores with one of their matrices, and the number of all of them."""
    result: Attainable = {}
    for x, table, many in found:
        result[x] = table, many + result.get(x, (table, 0))[1]
    return result


def _simplest(x: Any) -> Any:
    """A Fraction if it is known to be one."""
    return x.rational if isinstance(x, Exact) and x.rational is not None else x


def _steps(values: Collection[Any], places: int) -> int:
    """Steps in which all these numbers are whole, or as many of them as can be, to so many places."""
    rational = [x for x in values if isinstance(x, Fraction)]
    steps = lcm(*(x.denominator for x in rational))
    if len(rational) == len(values) and steps <= EXACT:
        return steps
    return 10**places // steps * steps or 10**places


def _is_whole(x: Any, q: int) -> bool:
    return isinstance(x, Fraction) and q % x.denominator == 0


def grid_steps(x: Any, q: int) -> int:
    """The whole part of (x + 1) q: no score is below -1.

    >>> grid_steps(Fraction(-1, 3), 10), grid_steps(1, 10)
    (6, 20)
    """
    k = floor(float(x) * q)
    k += 1 if x >= Fraction(k + 1, q) else -1 if x < Fraction(k, q) else 0
    return k + q
