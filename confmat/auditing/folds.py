"""Means over folds: matrices, one for each fold, that have the printed scores on average.

The scores that one fold can have are listed, and added up in steps of a grid by the checker's sums
(``confmat.certificates.means``); where what is rounded down leaves the question open the grid is made finer.  Rational
scores are whole in it wherever it can be: means at an end of what is printed are mostly of these.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from math import lcm
from typing import Any

import numpy as np

from confmat.auditing.choices import Choices, Fold, Rows, choices, grid_steps
from confmat.auditing.report import Report
from confmat.certificates.means import Sums, matrices_of
from confmat.certificates.verdict import Unreadable
from confmat.errors import TooLarge
from confmat.plans import Resources
from confmat.sheets import whole

_MOST_MATRICES = 10**6  # of one fold
EXACT = 10**5  # the largest common denominator that is the grid, where all scores are rational
PLACES = (4, 5, 6, 7)
PATIENCE_OF_CHOICES = 5  # seconds for all choices, where nobody said any


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


def means(report: Report, resources: Resources) -> tuple[tuple[int, ...], np.ndarray | None, Choices | None]:
    """Steps of the scores by which it is decided, matrices of the folds (k x r x r) that have the means, or None.

    And all choices of such matrices, None where these have too many sums.  Where irrational scores cancel at an end of
    what is printed no steps tell, () then, and the sums of the choices decide.

    TooLarge where the scores have too many sums for both.

    >>> means(Report.of(classes=(8, 8), acc="0.9375", ari="0.7429", folds=4), Resources())
    ((4, 2), None, None)
    """
    folds = report.folds or ()
    found = {rows: Fold.of(report, rows) for rows in {*folds}}
    every = partial(choices, report, found, resources.said or PATIENCE_OF_CHOICES, resources.limits()[1])
    refused = f"it stays open to {PLACES[-1]} decimals"
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
            return grid, np.array([of_steps[rows][x] for rows, x in zip(folds, _parts(sums, met))]), every()
        if sums.met(surely=False) is None:
            return grid, None, None
    if (exact := every()) is None:
        raise TooLarge(f"{report} in {len(folds)} folds is beyond reach: {refused}")
    return (), exact.one() if len(exact.inside) else None, exact


def _in_steps(
    found: Mapping[Rows, Fold], places: int, told: bool
) -> tuple[tuple[int, ...], list[bool], dict[Rows, dict[tuple[int, ...], np.ndarray]]]:
    """A grid of so many places, the scores that are rounded down in it, and what folds can have, in its steps.

    After them stands whether any is rounded down; always, where this is not ``told`` apart.  With a matrix that has it.
    """
    columns = [*map(set, zip(*(x for fold in found.values() for x in fold.scores)))]
    grid = tuple(_steps(column, places) for column in columns)
    more = [not all(_is_whole(x, q) for x in column) for column, q in zip(columns, grid)]
    of_steps = {
        rows: {
            (*map(grid_steps, x, grid), not (told and all(map(_is_whole, x, grid)))): table
            for x, table in zip(fold.scores, fold.first)
        }
        for rows, fold in found.items()
    }
    return grid, more, of_steps


def _parts(sums: Sums, total: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Steps of each fold with this sum, as the report orders the scores; at the end whether any is rounded down."""
    parts: list[tuple[int, ...]] = []
    for before, fold in reversed([*zip(sums.stages, sums.folds)]):
        rests = ((x, tuple(map(int.__sub__, total, x))) for x in sorted(fold))
        part, total = next((x, y) for x, y in rests if y[-1] >= 0 and before.get(y[:-1], 0) >> y[-1] & 1)
        parts.insert(0, tuple(x for _, x in sorted(zip(sums.order, part))))
    return parts


def _steps(values: Collection[Any], places: int) -> int:
    """Steps in which all these numbers are whole, or as many of them as can be, to so many places."""
    rational = [x for x in values if isinstance(x, Fraction)]
    steps = lcm(*(x.denominator for x in rational))
    if len(rational) == len(values) and steps <= EXACT:
        return steps
    return 10**places // steps * steps or 10**places


def _is_whole(x: Any, q: int) -> bool:
    return isinstance(x, Fraction) and q % x.denominator == 0
