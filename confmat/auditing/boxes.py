"""The search: boxes of matrices, halved until a printed score is out of reach, or until their matrices are listed.

A box is a range for every cell, row sums known.  The ranges of its scores, with their proofs, are those of the checker
(``confmat.certificates.reports``): integers and fractions, no doubles.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from operator import sub
from typing import Any

import numpy as np

from confmat.auditing.scores import Score
from confmat.certificates.ranges import MatrixBox
from confmat.certificates.reports import LETTERS, ReportQuestion
from confmat.integers.compositions import bounded_compositions_count

# A box with no more matrices than this is listed.
_MOST_LISTED_OF_BOX = 2**16

# The forecast is of the boxes that are left when there are so many.
_FORECAST = 400

# Where there are more matrices than this at first, no halving brings the forecast down to what can be listed.
_HOPELESS_COUNT = 10**14


def proof(
    question: ReportQuestion, rows: tuple[int, ...], most_boxes: float = inf
) -> str | np.ndarray | None:
    """Why no matrix with these row sums has the scores, as the checker reads it; or a matrix that has them.

    None if neither is found in so many boxes.

    >>> from confmat.auditing import Report
    >>> proof(Report.of(classes=(5, 5), acc="0.9", ari="0.7").question, (5, 5))
    '//bab'
    >>> proof(Report.of(classes=(5, 5), acc="0.9", ari="0.6").question, (5, 5)).tolist()
    [[5, 0], [1, 4]]
    """
    letters: list[str] = []
    boxes = _whole_boxes(question, rows)
    while boxes:
        if len(letters) >= most_boxes:
            return None
        box = boxes.pop()
        missed_number = missed_score(question, box)
        if missed_number is None and box.low == box.high:
            return np.array(box.low)
        letters.append("/" if missed_number is None else LETTERS[missed_number])
        boxes += question.halves(box) if missed_number is None else ()
    return "".join(letters)


def _whole_boxes(question: ReportQuestion, rows: tuple[int, ...]) -> list[MatrixBox]:
    return [box for box in (question.box(rows),) if box is not None]


def missed_score(question: ReportQuestion, box: MatrixBox) -> int | None:
    """The first score that is out of reach in a box, by its number.

    >>> from confmat.auditing import Report
    >>> question = Report.of(classes=(5, 5), acc="0.9", ari="0.7").question
    >>> missed_score(question, question.box((5, 5), [[5, 0], [1, 4]], [[5, 0], [1, 4]]))
    1
    """
    return next((k for k in range(len(question.names)) if question.missed(box, k)), None)


def forecast(question: ReportQuestion, rows: tuple[int, ...], most_boxes: int = _FORECAST) -> float:
    """At most so many matrices are listed by ``fitting``: those of boxes that are left, ``most_boxes`` of them halved.

    >>> from confmat.auditing import Report
    >>> forecast(Report.of(classes=(5, 5), acc="0.9").question, (5, 5))
    4
    """
    boxes = _whole_boxes(question, rows)
    if boxes and size(question, boxes[0]) > _HOPELESS_COUNT:
        return size(question, boxes[0])
    while len(boxes) < min(most_boxes, _FORECAST) and any(
        size(question, box) > _MOST_LISTED_OF_BOX for box in boxes
    ):
        halves: list[MatrixBox] = []
        for box in boxes:
            if box.low == box.high:
                halves.append(box)
            else:
                halves += question.halves(box)
        boxes = [box for box in halves if missed_score(question, box) is None]
    return sum(size(question, box) for box in boxes)


def size(question: ReportQuestion, box: MatrixBox) -> int:
    """At most so many matrices are in a box: rows within it, diagonals as the accuracy leaves them.

    >>> from confmat.auditing import Report
    >>> question = Report.of(classes=(5, 5), acc="0.9").question
    >>> size(question, question.box((5, 5)))
    4
    """
    ways = 1
    for lower, upper, total in zip(box.low[: _free_rows(question, box)], box.high, box.rows):
        widths = tuple(map(sub, upper, lower))
        ways *= bounded_compositions_count(total - sum(lower), widths)
    if question.paired and question.columns is None:
        least_correct, most_correct = question.correct()
        values_of_diagonal = [box.high[i][i] - box.low[i][i] + 1 for i in range(box.r)]
        widest = max(values_of_diagonal)
        # All other diagonal cells leave the widest one so many values, each of them with a share of the rows at most.
        ways = ways * min(widest, most_correct - least_correct + 1) // widest
    return max(1, ways)


def _free_rows(question: ReportQuestion, box: MatrixBox) -> int:
    """How many rows are chosen: where columns are known the last row is what the others leave of them."""
    if question.columns is None:
        return box.r
    return box.r - 1


def fitting(
    question: ReportQuestion, rows: tuple[int, ...], scores: tuple[Score, ...]
) -> Iterator[np.ndarray]:
    """All matrices with these row sums that have the scores, some at a time (N x r x s).

    >>> from confmat.auditing import Report
    >>> report = Report.of(classes=(5, 5), acc="0.9", ari="0.6")
    >>> [tables.tolist() for tables in fitting(report.question, (5, 5), report.judged)]
    [[[[5, 0], [1, 4]], [[4, 1], [0, 5]]]]
    """
    boxes = _whole_boxes(question, rows)
    while boxes:
        box = boxes.pop()
        if missed_score(question, box) is not None:
            continue
        if size(question, box) > _MOST_LISTED_OF_BOX:
            boxes += question.halves(box)
            continue
        tables = members(question, box)
        for score, score_window in zip(scores, question.windows):
            if len(tables) and score.quick:
                tables = tables[score.near(tables, score_window)]
        for score, score_window in zip(scores, question.windows):
            if len(tables):
                tables = tables[score.fits(tables, score_window)]
        if len(tables):
            yield tables


def members(question: ReportQuestion, box: MatrixBox) -> np.ndarray:
    """All matrices of a box with as many correct objects as the accuracy says, and columns that may be (N x r x s).

    >>> from confmat.auditing import Report
    >>> question = Report.of(classes=(2, 1), acc="0.67").question
    >>> members(question, question.box((2, 1))).tolist()
    [[[2, 0], [1, 0]], [[1, 1], [0, 1]]]
    """
    # The first rows of tables, and how many objects of these rows are correct.
    tables = np.zeros((1, 0, box.s), np.int64)
    correct = np.zeros(1, np.int64)
    for i in range(_free_rows(question, box)):
        tables, correct = _with_next_row(question, box, tables, correct)
        if question.columns is not None:
            of_later_rows = box.least - tables.sum(axis=1)
            lower = np.sum(box.low[i + 1 :], axis=0)
            upper = np.sum(box.high[i + 1 :], axis=0)
            is_possible = _all_between(of_later_rows, lower, upper)
            tables = tables[is_possible]
            correct = correct[is_possible]
    if question.columns is not None:
        return _with_last_row(question, box, tables)
    return tables[(tables.sum(axis=1) >= question.least).all(axis=1)]


def _all_between(lines: np.ndarray, lower: Any, upper: Any) -> np.ndarray:
    """Which lines (N x s) have every number between the ends for it."""
    return ((lines >= lower) & (lines <= upper)).all(axis=1)


def _with_next_row(
    question: ReportQuestion, box: MatrixBox, tables: np.ndarray, correct: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The first rows of tables with all rows that may follow, and how many objects are correct in each."""
    i = tables.shape[1]
    rows = _rows_between(
        box.low[i],
        box.high[i],
        box.rows[i],
    )
    correct_in_row = np.zeros(len(rows), np.int64)
    least_later = 0
    most_later = 0
    if question.paired:
        correct_in_row = rows[:, i]
        least_later = sum(box.low[j][j] for j in range(i + 1, box.r))
        most_later = sum(box.high[j][j] for j in range(i + 1, box.r))
    least_correct, most_correct = question.correct()
    longer_tables = []
    correct_in_longer = []
    for of_row in np.unique(correct_in_row):
        totals = correct + of_row
        is_possible = (totals + most_later >= least_correct) & (totals + least_later <= most_correct)
        beginnings = tables[is_possible]
        next_rows = rows[correct_in_row == of_row]
        first_rows = np.repeat(beginnings, len(next_rows), axis=0)
        rows_below = np.tile(next_rows, (len(beginnings), 1))[:, None]
        longer_tables.append(np.concatenate([first_rows, rows_below], axis=1))
        correct_in_longer.append(np.repeat(totals[is_possible], len(next_rows)))
    return np.concatenate(longer_tables), np.concatenate(correct_in_longer)


def _with_last_row(question: ReportQuestion, box: MatrixBox, tables: np.ndarray) -> np.ndarray:
    """The tables with what they leave of the columns as their last row, where that is within the box."""
    last_row = box.least - tables.sum(axis=1)
    tables = np.concatenate([tables, last_row[:, None]], axis=1)
    is_member = _all_between(
        last_row,
        box.low[-1],
        box.high[-1],
    )
    if question.paired:
        least_correct, most_correct = question.correct()
        correct = np.trace(tables, axis1=1, axis2=2)
        is_member &= (correct >= least_correct) & (correct <= most_correct)
    return tables[is_member]


def _rows_between(lower: list[int], upper: list[int], total: int) -> np.ndarray:
    """All rows with this sum between two others; every beginning that is formed ends in one.

    >>> _rows_between([0, 0, 1], [2, 1, 1], 3).tolist()
    [[1, 1, 1], [2, 0, 1]]
    """
    rows = np.zeros((1, 0), np.int64)
    sum_of_later = np.array([total])
    for j, (low_here, high_here) in enumerate(zip(lower, upper), 1):
        least_cells = np.maximum(low_here, sum_of_later - sum(upper[j:]))
        most_cells = np.minimum(high_here, sum_of_later - sum(lower[j:]))
        choices = np.maximum(0, most_cells - least_cells + 1)
        beginning = np.repeat(np.arange(len(rows)), choices)
        # Choices of a beginning follow each other: least, least + 1, and so on.
        first_choices = np.cumsum(choices) - choices
        cells = np.arange(len(beginning)) + (least_cells - first_choices)[beginning]
        rows = np.column_stack([rows[beginning], cells])
        sum_of_later = sum_of_later[beginning] - cells
    return rows
