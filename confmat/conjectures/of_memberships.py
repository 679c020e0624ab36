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
from confmat.engine.walks import holding
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
    found = as_condition(condition, argument, known=SOFT.values())
    for statistic in found.statistics:
        if not is_soft(statistic) and not statistic.of_clusterings:
            raise ValueError(
                f"{argument} must be on two clusterings where it is on memberships, got {statistic.name} in "
                f"{str(condition)!r}"
            )
    return found


def finding_of_memberships(test: Condition | Callable[..., Any], grids: MembershipGrids) -> Finding:
    """What a statement answers on every pair of a class, one of each orbit, and the first at which it fails.

    A condition says something where all its statistics are defined: these pairs are its cases.  A function is of U and
    V, rows of Fractions.
    """
    visit, covered, cases = sha256(), 0, 0
    sizes = {"n": grids.n, "r": grids.r, "s": grids.s}
    violation = None
    for U, V, weights in grids.blocks():
        if isinstance(test, Condition):
            holds, says, reasons = _judged(test, U, V, grids.d, sizes)
        else:
            holds, reasons = _answers(test, grids, U, V)
            says = np.ones(len(U), bool)
        for part in (U, V, weights, holds):
            visit.update(np.ascontiguousarray(part, dtype="<i8").tobytes())
        covered += int(weights.sum())
        cases += int(weights[says].sum())
        if not holds.all():
            first = int(np.flatnonzero(~holds)[0])
            shown = {name: _texts(grids.rational(side[first])) for name, side in (("U", U), ("V", V))}
            violation = Violation(reasons(first), shown)
            break
    counted = cases if isinstance(test, Condition) else None
    return Finding(covered, visit.hexdigest(), violation, counted)


def _judged(
    condition: Condition, U: np.ndarray, V: np.ndarray, d: int, sizes: dict[str, int]
) -> tuple[np.ndarray, np.ndarray, Callable[[int], str]]:
    """Where a condition holds or says nothing, where it says something, and its values."""
    of_statistics = [values(statistic, U, V, d) for statistic in condition.statistics]
    defined = np.ones(len(U), bool)
    columns = []
    for found in of_statistics:
        numbers: dict[Any, int] = {}
        places = [numbers.setdefault(None if x != x else x, len(numbers)) for x in found]
        columns.append(([np.nan if x is None else x for x in numbers], np.array(places)))
        defined &= np.array([x == x for x in found])
    holds = holding(condition, columns, sizes) | ~defined

    def reason(i: int) -> str:
        named = zip(condition.names, of_statistics)
        return ", ".join(f"{name} = {found[i]}" for name, found in named)

    return holds, defined, reason


def _answers(
    test: Callable[..., Any], grids: MembershipGrids, U: np.ndarray, V: np.ndarray
) -> tuple[np.ndarray, Callable[[int], str]]:
    answers = [
        explained(test(grids.rational(u), grids.rational(v)), f"a pair of {grids}") for u, v in zip(U, V)
    ]
    holds = np.array([holds for holds, _ in answers], bool)
    return holds, lambda i: answers[i][1] or "the predicate is False here"


def _texts(side: Any) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(str, row)) for row in side)
