"""Which numbers to print: what share of changed digits an audit detects."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from confmat.auditing.boxes import members, size
from confmat.auditing.choices import grid_steps
from confmat.auditing.report import Report
from confmat.errors import TooLarge
from confmat.matrices.arguments import as_count, as_counts, as_few

_MOST_MATRICES = 2 * 10**6
_MOST_DECIMALS = 12  # which doubles have


def power(classes: Iterable[int], errors: int, decimals: int, scores: Iterable[str] = ("ari",)) -> Fraction:
    """The share of changed last digits that no matrix can have: which is what an audit detects, exactly.

    Over all matrices with so many errors, each equally likely, whose accuracy is printed (it tells the errors), and the
    ``scores`` with so many decimals, half up; and over the nine other last digits of the last one of these.  A changed
    digit is detected if no matrix with as many errors has it beside the other scores.  The more errors, the more values
    there are, and the fewer changes are seen; another score helps.  With more decimals the last one says less.

    Raises TooLarge for more than 2 10^6 matrices, ValueError or TypeError for an argument that makes no sense.

    >>> [round(float(power((50, 50, 50), 4, d)), 2) for d in (2, 3, 4)]
    [1.0, 0.78, 0.67]
    >>> [round(float(power((50, 50, 50), e, 3)), 2) for e in (2, 6, 10)]
    [1.0, 0.33, 0.16]
    """
    rows, decimals = as_counts("classes", classes), as_count("decimals", decimals, 0, _MOST_DECIMALS)
    if not sum(rows):
        raise ValueError(f"classes must have objects, got {rows}")
    errors = as_count("errors", errors, 0, sum(rows) * (len(rows) > 1))
    scores = as_few("scores", scores)
    if not scores or "acc" in scores:
        raise ValueError(f"scores must be those printed beside the accuracy, got {scores}")
    share = Fraction(sum(rows) - errors, sum(rows))
    blank: dict[str, Any] = {"acc": f"{float(share):.12f}", **dict.fromkeys(scores, "0")}
    report = Report.of(classes=rows, rounding="half-up", **blank)
    box = report.question.box(rows)
    assert box is not None
    if (many := size(report.question, box)) > _MOST_MATRICES:
        raise TooLarge(f"there may be {many} matrices with {errors} errors ({_MOST_MATRICES} at most)")
    tables, columns, unit = members(report.question, box), [], 10**decimals
    for score in report.judged[1:]:
        keys, which = score.keys(tables)
        steps = [_printed(score.value(x), unit) for x in keys]
        columns.append(np.array(steps)[which])
    values, count = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    there = set(map(tuple, values.tolist()))
    detected = 0
    for (*others, last), times in zip(values.tolist(), count.tolist()):
        sign, first = -1 if last < 0 else 1, abs(last) - abs(last) % 10
        detected += times * sum((*others, sign * x) not in there for x in range(first, first + 10))
    return Fraction(detected, 9 * int(count.sum()))


def _printed(x: Any, unit: int) -> int:
    """The digits of a number, rounded half up (away from zero), as a whole number with its sign; -0.00 is 0.00.

    >>> _printed(Fraction(-25, 1000), 100), _printed(Fraction(-4, 1000), 100)
    (-3, 0)
    """
    sign = -1 if x < 0 else 1
    return sign * (grid_steps(sign * x + Fraction(1, 2 * unit), unit) - unit)
