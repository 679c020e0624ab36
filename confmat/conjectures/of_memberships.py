"""Statements about pairs of memberships on a grid: conditions on soft indices, and on hard ones of modal clusters.

>>> from confmat.classes import MembershipGrids
>>> found = finding_of_memberships(condition_of_memberships("sari <= ari"), MembershipGrids(3, 2, 2, 3))
>>> found.violation.detail
'sari = 4/37, ari = 0'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numpy as np

from confmat.classes import MembershipGrids
from confmat.conjectures.outcomes import Finding, Violation, explained
from confmat.engine.walks import holding, numbered
from confmat.statistics.conditions import Condition, as_condition
from confmat.statistics.memberships import SOFT, is_soft, values

_SOFT_NAME = re.compile(rf"\b({'|'.join(SOFT)})\b")


def names_soft_indices(text: str) -> bool:
    """Whether a formula names a soft index, so that it is about memberships.

    >>> names_soft_indices("sari <= ari"), names_soft_indices("ari <= 1")
    (True, False)
    """
    return bool(_SOFT_NAME.search(text))


def condition_of_memberships(condition: str | Condition, argument: str = "statement") -> Condition:
    """The condition of a text such as "sari <= ari", on soft indices and on statistics of two clusterings.

    >>> condition_of_memberships("sari <= ari").names
    ('sari', 'ari')
    """
    result = as_condition(condition, argument, known=SOFT.values())
    for statistic in result.statistics:
        if not is_soft(statistic) and not statistic.of_clusterings:
            raise ValueError(
                f"{argument} must be on two clusterings where it is on memberships, got {statistic.name} in "
                f"{str(condition)!r}"
            )
    return result


def finding_of_memberships(test: Condition | Callable[..., Any], grids: MembershipGrids) -> Finding:
    """What a statement answers on every pair of a class, one of each orbit, and the first at which it fails.

    A condition says something where all its statistics are defined: these pairs are its cases.  A function is of U and
    V, rows of Fractions.
    """
    visit = sha256()
    members = cases = 0
    violation = None
    for U, V, weights in grids.blocks():
        if isinstance(test, Condition):
            holds, is_defined, reasons = _judged_pairs(test, grids, U, V)
            cases += int(weights[is_defined].sum())
        else:
            holds, reasons = _answers_of_pairs(test, grids, U, V)
        for part in (U, V, weights, holds):
            visit.update(np.ascontiguousarray(part, dtype="<i8").tobytes())
        members += int(weights.sum())
        if not holds.all():
            i = int(holds.argmin())
            pair = {
                "U": _texts(grids.rational(U[i])),
                "V": _texts(grids.rational(V[i])),
            }
            violation = Violation(reasons(i), pair)
            break
    return Finding(
        members,
        visit.hexdigest(),
        violation,
        cases if isinstance(test, Condition) else None,
    )


def _judged_pairs(
    condition: Condition, grids: MembershipGrids, U: np.ndarray, V: np.ndarray
) -> tuple[np.ndarray, np.ndarray, Callable[[int], str]]:
    """Where a condition holds or says nothing, where it says something, and its values."""
    is_defined = np.ones(len(U), bool)
    columns = []
    for statistic in condition.statistics:
        distinct, places = numbered(values(statistic, U, V, grids.d))
        columns.append((distinct, places))
        is_defined &= np.array([x == x for x in distinct])[places]
    holds = holding(condition.at(grids), columns) | ~is_defined

    def reason(i: int) -> str:
        values_of_names = zip(condition.names, columns)
        return ", ".join(f"{name} = {distinct[places[i]]}" for name, (distinct, places) in values_of_names)

    return holds, is_defined, reason


def _answers_of_pairs(
    test: Callable[..., Any], grids: MembershipGrids, U: np.ndarray, V: np.ndarray
) -> tuple[np.ndarray, Callable[[int], str]]:
    """What a function says of each pair, and why."""
    holds = np.ones(len(U), bool)
    reasons = []
    for i, pair in enumerate(zip(U, V)):
        answer = test(*map(grids.rational, pair))
        holds[i], reason = explained(answer, f"a pair of {grids}")
        reasons.append(reason or "the predicate is False here")
    return holds, reasons.__getitem__


def _texts(side: Any) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(str, row)) for row in side)
