"""The search: boxes of matrices, halved until a printed score is out of reach, or until their matrices are listed.

A box is a range for every cell, row sums known.  The ranges of its scores, with their proofs, are those of the checker
(``confmat.certificates.reports``): integers and fractions, no doubles.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, prod
from operator import sub

import numpy as np

from confmat.auditing.scores import Score
from confmat.certificates.ranges import Box
from confmat.certificates.reports import LETTERS, Question
from confmat.classes.compositions import bounded_compositions_count

# A box with no more matrices than this is listed.
_LISTED = 2**16

# The forecast is of the boxes that are left when there are so many.
_FORECAST = 400

# Where there are more matrices than this at first, no halving brings the forecast down to what can be listed.
_HOPELESS = 10**14


def proof(question: Question, rows: tuple[int, ...], most: float = inf) -> str | np.ndarray | None:
    """Why no matrix with these row sums has the scores, as the checker reads it; or a matrix that has them.

    None if neither is found in ``most`` boxes.

    >>> from confmat.auditing import Report
    >>> proof(Report.of(classes=(5, 5), acc="0.9", ari="0.7").question, (5, 5))
    '//bab'
    >>> proof(Report.of(classes=(5, 5), acc="0.9", ari="0.6").question, (5, 5)).tolist()
    [[5, 0], [1, 4]]
    """
    letters: list[str] = []
    boxes = _whole(question, rows)
    while boxes:
        if len(letters) >= most:
            return None
        box = boxes.pop()
        missed = missed_score(question, box)
        if missed is None and box.low == box.high:
            return np.array(box.low)
        letters.append("/" if missed is None else LETTERS[missed])
        boxes += question.halves(box) if missed is None else ()
    return "".join(letters)


def _whole(question: Question, rows: tuple[int, ...]) -> list[Box]:
    return [box for box in (question.box(rows),) if box is not None]


def missed_score(question: Question, box: Box) -> int | None:
    """The first score that is out of reach in a box, by its number.

    >>> from confmat.auditing import Report
    >>> question = Report.of(classes=(5, 5), acc="0.9", ari="0.7").question
    >>> missed_score(question, question.box((5, 5), [[5, 0], [1, 4]], [[5, 0], [1, 4]]))
    1
    """
    return next((k for k in range(len(question.names)) if question.missed(box, k)), None)


def forecast(question: Question, rows: tuple[int, ...], most: int = _FORECAST) -> float:
    """At most so many matrices are listed by ``fitting``: those of boxes that are left, ``most`` of them halved.

    >>> from confmat.auditing import Report
    >>> forecast(Report.of(classes=(5, 5), acc="0.9").question, (5, 5))
    4
    """
    boxes = _whole(question, rows)
    if boxes and size(question, boxes[0]) > _HOPELESS:
        return size(question, boxes[0])
    while len(boxes) < min(most, _FORECAST) and any(size(question, box) > _LISTED for box in boxes):
        halves = [half for box in boxes for half in (question.halves(box) if box.low != box.high else [box])]
        boxes = [box for box in halves if missed_score(question, box) is None]
    return sum(size(question, box) for box in boxes)


def size(question: Question, box: Box) -> int:
    """At most so many matrices are in a box: rows within it, diagonals as the accuracy leaves them.

    >>> from confmat.auditing import Report
    >>> question = Report.of(classes=(5, 5), acc="0.9").question
    >>> size(question, question.box((5, 5)))
    4
    """
    free = box.r - (question.columns is not None)  # the last row is what others leave of the columns
    ways = prod(
        bounded_compositions_count(total - sum(low), tuple(map(sub, high, low)))
        for low, high, total in zip(box.low[:free], box.high, box.rows)
    )
    if not question.paired or free < box.r:
        return max(1, ways)
    least, most = question.correct()
    widest = max(box.high[i][i] - box.low[i][i] + 1 for i in range(box.r))
    # All other diagonal cells leave the widest one so many values, each of them with a share of the rows at most.
    return max(1, ways * min(widest, most - least + 1) // widest)


def fitting(question: Question, rows: tuple[int, ...], scores: tuple[Score, ...]) -> Iterator[np.ndarray]:
    """All matrices with these row sums that have the scores, some at a time (N x r x s).

    >>> from confmat.auditing import Report
    >>> report = Report.of(classes=(5, 5), acc="0.9", ari="0.6")
    >>> [tables.tolist() for tables in fitting(report.question, (5, 5), report.judged)]
    [[[[5, 0], [1, 4]], [[4, 1], [0, 5]]]]
    """
    boxes = _whole(question, rows)
    while boxes:
        box = boxes.pop()
        if missed_score(question, box) is not None:
            continue
        if size(question, box) > _LISTED and box.low != box.high:
            boxes += question.halves(box)
            continue
        tables = members(question, box)
        for score, printed in zip(scores, question.windows):
            if len(tables) and score.quick:
                tables = tables[score.near(tables, printed)]
        for score, printed in zip(scores, question.windows):
            if len(tables):
                tables = tables[score.fits(tables, printed)]
        if len(tables):
            yield tables


def members(question: Question, box: Box) -> np.ndarray:
    """All matrices of a box with as many correct objects as the accuracy says, and columns that may be (N x r x s).

    >>> from confmat.auditing import Report
    >>> question = Report.of(classes=(2, 1), acc="0.67").question
    >>> members(question, question.box((2, 1))).tolist()
    [[[2, 0], [1, 0]], [[1, 1], [0, 1]]]
    """
    least, most = question.correct()
    diagonal = [(box.low[i][i], box.high[i][i]) if question.paired else (0, 0) for i in range(box.r)]
    rest = [tuple(map(sum, zip((0, 0), *diagonal[i + 1 :]))) for i in range(box.r)]
    tables, held = np.zeros((1, 0, box.s), np.int64), np.zeros(1, np.int64)
    free = box.r - (question.columns is not None)
    for i, (low, high, total) in enumerate(zip(box.low[:free], box.high, box.rows)):
        rows = _rows(low, high, total)
        correct = rows[:, i] if question.paired else np.zeros(len(rows), np.int64)
        parts = []
        for x in np.unique(correct):
            kept = (held + x + rest[i][1] >= least) & (held + x + rest[i][0] <= most)
            above, these = tables[kept], rows[correct == x]
            joined = np.repeat(above, len(these), axis=0), np.tile(these, (len(above), 1))[:, None]
            parts.append((np.concatenate(joined, axis=1), np.repeat(held[kept] + x, len(these))))
        tables, held = (np.concatenate(x) for x in zip(*parts))
        if free < box.r:
            left = box.least - tables.sum(axis=1)
            below, above = (np.sum(x[i + 1 :], axis=0) for x in (box.low, box.high))
            kept = ((left >= below) & (left <= above)).all(axis=1)
            tables, held = tables[kept], held[kept]
    if free < box.r:
        return _with_last_row(question, box, tables)
    return tables[(tables.sum(axis=1) >= question.least).all(axis=1)]


def _with_last_row(question: Question, box: Box, tables: np.ndarray) -> np.ndarray:
    """The tables with what they leave of the columns as their last row, where that is within the box."""
    last = box.least - tables.sum(axis=1)
    tables = np.concatenate([tables, last[:, None]], axis=1)
    kept = ((last >= box.low[-1]) & (last <= box.high[-1])).all(axis=1)
    if question.paired:
        correct = np.trace(tables, axis1=1, axis2=2)
        kept &= (correct >= question.correct()[0]) & (correct <= question.correct()[1])
    return tables[kept]


def _rows(low: list[int], high: list[int], total: int) -> np.ndarray:
    """All rows with this sum between two others; every beginning that is formed ends in one."""
    found, left = np.zeros((1, 0), np.int64), np.array([total])
    for j, (a, b) in enumerate(zip(low, high), 1):
        least, most = np.maximum(a, left - sum(high[j:])), np.minimum(b, left - sum(low[j:]))
        choices = np.maximum(0, most - least + 1)
        of = np.repeat(np.arange(len(left)), choices)
        x = np.arange(len(of)) + (least + choices - np.cumsum(choices))[of]
        found, left = np.column_stack([found[of], x]), left[of] - x
    return found
