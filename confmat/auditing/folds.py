"""Means over folds: matrices, one for each fold, that have the printed scores on average.

The scores that one fold can have are listed, and added up in steps of a grid by the checker's sums
(``confmat.certificates.means``); where what is rounded down leaves the question open the grid is made finer.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, lcm
from typing import Any

import numpy as np

from confmat.auditing.boxes import members
from confmat.auditing.report import Report
from confmat.certificates.means import Sums, matrices_of
from confmat.certificates.verdict import Unreadable
from confmat.errors import TooLarge
from confmat.plans.methods import whole

_MOST_MATRICES = 10**6  # of one fold
EXACT = 10**5  # the largest common denominator that is taken for the grid
PLACES = (4, 5, 6, 7)


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


def means(report: Report) -> tuple[tuple[int, ...], np.ndarray | None]:
    """Steps of the scores by which it is decided, and matrices of the folds (k x r x r) that have the means, or None.

    TooLarge where the scores have too many sums, or the question stays open.

    >>> means(Report.of(classes=(8, 8), acc="0.9375", ari="0.7429", folds=4))
    ((4, 2), None)
    """
    folds = report.folds or ()
    found = {rows: attainable(report, rows) for rows in folds}
    columns = [[*{x[k] for of in found.values() for x in of}] for k in range(len(report.scores))]
    wholes = [_common(column) for column in columns]
    for places in PLACES:
        grid = tuple(steps or 10**places for steps in wholes)
        counted = [{x: grid_steps(x, q) for x in column} for column, q in zip(columns, grid)]
        of_steps = {
            rows: {tuple(map(dict.__getitem__, counted, x)): table for x, table in of.items()}
            for rows, of in found.items()
        }
        try:
            sums = Sums(
                [{*of_steps[x]} for x in folds], report.question.windows, grid, [not x for x in wholes]
            )
        except Unreadable as error:
            raise TooLarge(f"{report} in {len(folds)} folds is beyond reach: {error}") from None
        if (met := sums.met(surely=True)) is not None:
            return grid, np.array([of_steps[rows][x] for rows, x in zip(folds, _parts(sums, met))])
        if sums.met(surely=False) is None:
            return grid, None
    raise TooLarge(f"{report} in {len(folds)} folds stays open to {PLACES[-1]} decimals")


def _parts(sums: Sums, total: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Steps of each fold with this sum, as the report orders the scores."""
    parts: list[tuple[int, ...]] = []
    for before, fold in reversed([*zip(sums.stages, sums.folds)]):
        rests = ((x, tuple(map(int.__sub__, total, x))) for x in sorted(fold))
        part, total = next((x, y) for x, y in rests if y[-1] >= 0 and before.get(y[:-1], 0) >> y[-1] & 1)
        parts.insert(0, tuple(x for _, x in sorted(zip(sums.order, part))))
    return parts


def attainable(report: Report, rows: tuple[int, ...]) -> dict[tuple[Any, ...], np.ndarray]:
    """What the scores of a report can be together in one fold, exactly, and a matrix that has them.

    >>> sorted(attainable(Report.of(classes=(4, 4), acc="1", bacc="1"), (1, 1)))
    [(Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 1), Fraction(1, 1))]
    """
    free = Report.of(classes=rows, ri="0").question
    tables = members(free, free.box(rows))
    columns = [score.keys(tables) for score in report.judged]
    places, first = np.unique(np.stack([which for _, which in columns], axis=1), axis=0, return_index=True)
    values = [[score.value(x) for x in keys] for score, (keys, _) in zip(report.judged, columns)]
    return {
        tuple(column[i] for column, i in zip(values, place)): tables[k] for place, k in zip(places, first)
    }


def _common(values: list[Any]) -> int | None:
    """Steps in which all these numbers are whole; None if there are none, or too many."""
    if not all(isinstance(x, Fraction) for x in values):
        return None
    steps = lcm(*(x.denominator for x in values))
    return steps if steps <= EXACT else None


def grid_steps(x: Any, q: int) -> int:
    """The whole part of (x + 1) q: no score is below -1.

    >>> grid_steps(Fraction(-1, 3), 10), grid_steps(1, 10)
    (6, 20)
    """
    k = floor(float(x) * q)
    k += 1 if x >= Fraction(k + 1, q) else -1 if x < Fraction(k, q) else 0
    return k + q
