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

from confmat.answers.sheets import whole
from confmat.auditing.choices import Choices, Fold, RowSums, choices, grid_steps
from confmat.auditing.report import Report
from confmat.certificates.means import SumsOfFolds, matrices_of
from confmat.certificates.verdict import Unreadable
from confmat.errors import TooLarge
from confmat.plans import Resources

_MOST_MATRICES = 10**6  # of one fold
EXACT = 10**5  # the largest common denominator that is the grid, where all scores are rational
PLACES_TRIED = (4, 5, 6, 7)  # decimals of the grids that are tried, one after the other
PATIENCE_OF_CHOICES = 5  # seconds for all choices, where nobody said any


def too_many(report: Report) -> str | None:
    """Why folds of a report are too large to list.

    >>> too_many(Report.of(classes=(200, 200), acc="0.5", folds=2)) is None
    True
    >>> too_many(Report.of(classes=(2000, 2000), acc="0.5", folds=2))
    'a listing of 1,002,001 matrices of a fold with classes of 1000, 1000 (1,000,000 at most)'
    """
    largest_fold = max(report.folds or (), key=matrices_of)
    matrices = matrices_of(largest_fold)
    sizes = ", ".join(map(str, largest_fold))
    if matrices <= _MOST_MATRICES:
        return None
    limit = f"{whole(_MOST_MATRICES)} at most"
    return f"a listing of {whole(matrices)} matrices of a fold with classes of {sizes} ({limit})"


def means(report: Report, resources: Resources) -> tuple[tuple[int, ...], np.ndarray | None, Choices | None]:
    """Steps of the scores by which it is decided, matrices of the folds (k x r x r) that have the means, or None.

    And all choices of such matrices, None where these have too many sums.  Where irrational scores cancel at an end of
    what is printed no steps tell, () then, and the sums of the choices decide.

    TooLarge where the scores have too many sums for both.

    >>> means(Report.of(classes=(8, 8), acc="0.9375", ari="0.7429", folds=4), Resources())
    ((4, 2), None, None)
    """
    folds = report.folds or ()
    fold_of_rows = {rows: Fold.of(report, rows) for rows in {*folds}}
    seconds = resources.said or PATIENCE_OF_CHOICES
    all_choices = partial(choices, report, fold_of_rows, seconds, resources.limits()[1])
    why_open = f"it stays open to {PLACES_TRIED[-1]} decimals"
    for places, tells_rounded in product(PLACES_TRIED, (False, True)):
        grid, is_rounded, table_of_steps = _in_steps(fold_of_rows, places, tells_rounded)
        steps_of_folds = [{*table_of_steps[rows]} for rows in folds]
        try:
            sums = SumsOfFolds(steps_of_folds, report.question.windows, grid, is_rounded)
        except Unreadable as error:
            why_open = str(error)
            if tells_rounded:
                continue
            break
        sum_within = sums.met(surely=True)
        if sum_within is not None:
            parts = zip(folds, _steps_of_folds(sums, sum_within))
            matrices = np.array([table_of_steps[rows][steps] for rows, steps in parts])
            return grid, matrices, all_choices()
        if sums.met(surely=False) is None:
            return grid, None, None
    exact = all_choices()
    if exact is None:
        raise TooLarge(f"{report} in {len(folds)} folds is beyond reach: {why_open}")
    return (), exact.one() if len(exact.inside) else None, exact


def _in_steps(
    folds: Mapping[RowSums, Fold], places: int, tells_rounded: bool
) -> tuple[tuple[int, ...], list[bool], dict[RowSums, dict[tuple[int, ...], np.ndarray]]]:
    """A grid of so many places, the scores that are rounded down in it, and what folds can have, in its steps.

    After them stands whether any is rounded down (``tells_rounded``), else True always.  With a matrix that has it.
    """
    every_scores = [scores for fold in folds.values() for scores in fold.scores]
    values_of_scores = [set(column) for column in zip(*every_scores)]
    grid = tuple(_steps(values, places) for values in values_of_scores)
    is_rounded = [
        not _are_whole(values, [steps] * len(values)) for values, steps in zip(values_of_scores, grid)
    ]
    table_of_steps: dict[RowSums, dict[tuple[int, ...], np.ndarray]] = {}
    for rows, fold in folds.items():
        table_of_steps[rows] = {}
        for scores, table in zip(fold.scores, fold.first):
            may_be_more = not (tells_rounded and _are_whole(scores, grid))
            table_of_steps[rows][*map(grid_steps, scores, grid), may_be_more] = table
    return grid, is_rounded, table_of_steps


def _steps_of_folds(sums: SumsOfFolds, total: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Steps of each fold with this sum, as the report orders the scores; at the end whether any is rounded down."""
    parts: list[tuple[int, ...]] = []
    for sums_before, fold in reversed([*zip(sums.stages, sums.folds)]):
        part = next(part for part in sorted(fold) if _is_sum(_rest(total, part), sums_before))
        total = _rest(total, part)
        in_order = sorted(zip(sums.order, part))
        parts.insert(0, tuple(steps for _, steps in in_order))
    return parts


def _rest(total: tuple[int, ...], part: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(int.__sub__, total, part))


def _is_sum(total: tuple[int, ...], sums: Mapping[tuple[int, ...], int]) -> bool:
    """Whether a total is among sums, the last score of which are bits of an integer."""
    *other_steps, last_steps = total
    return last_steps >= 0 and bool(sums.get(tuple(other_steps), 0) >> last_steps & 1)


def _steps(values: Collection[Any], places: int) -> int:
    """Steps in which all these numbers are whole, or as many of them as can be, to so many places."""
    rational = [x for x in values if isinstance(x, Fraction)]
    steps = lcm(*(x.denominator for x in rational))
    if len(rational) == len(values) and steps <= EXACT:
        return steps
    return 10**places // steps * steps or 10**places


def _are_whole(values: Collection[Any], grid: Collection[int]) -> bool:
    """Whether each value is a whole number of the steps for it.

    >>> _are_whole([Fraction(1, 2), Fraction(2, 3)], [4, 6]), _are_whole([Fraction(1, 2)], [3])
    (True, False)
    """
    return all(
        isinstance(value, Fraction) and steps % value.denominator == 0 for value, steps in zip(values, grid)
    )
