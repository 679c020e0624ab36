"""The gate through which matrices leave: each is a member, meets every condition, and has the values said of it.

No method is believed, whichever found a matrix: what it shows is asked again, one matrix after the other.

>>> from confmat.classes import Tables
>>> members_behind(Tables(4, 2, 2), np.array([[1, 2, 3, 1], [1, 3, 2, 1]])).tolist()
[[[2, 0], [1, 1]], [[2, 1], [0, 1]]]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb
from typing import Any

import numpy as np

from confmat._engine.margins import is_transposed, pairs_of_margin, row_jobs
from confmat._engine.tables import find_table
from confmat._engine.walks import (
    exact_values,
    meets,
    orders_alike,
    pair_sums,
    ranked,
    tables_under,
)
from confmat._integers.arrays import groups
from confmat._limits import admit
from confmat.classes import MatrixClass
from confmat.contingency.texts import matrix_text
from confmat.errors import ConsistencyError
from confmat.statistics.conditions import Condition
from confmat.statistics.record import Number, Statistic, same_value, shared_symmetry
from confmat.statistics.shortfall import shortfall

# A statistic, and the value that it is to have: nan for one that is undefined.
Value = tuple[Statistic, Number]

# Doubles change in their last digits with the order of lines; a comparison of them may fail by no more.
_ROUNDING_OF_ORDER = 1e-9
_SECONDS_OF_WITNESS = 3e-6


def handed_out(
    found_by: str,
    matrices: Any,
    tables: np.ndarray,
    conditions: Iterable[Condition] = (),
    values: Iterable[Value] = (),
) -> np.ndarray:
    """Some matrices (k x r x s), after each was seen to be what it is said to be; ConsistencyError for one that is not.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import STATISTICS, as_condition
    >>> table, med = np.array([[2, 1], [0, 1]]), STATISTICS["med"]
    >>> handed_out("a search found", Tables(4, 2, 2), table[None], [as_condition("rd>0")], [(med, 4)])
    Traceback (most recent call last):
    ...
    confmat.errors.ConsistencyError: a search found 2,1;0,1, where med is 1/4, not 4, over Tables(n=4, \
r=2, s=2, allow_empty=False)
    """

    def refuse(right: np.ndarray, fault: str) -> None:
        if not right.all():
            wrong = tables[right.argmin()]
            raise ConsistencyError(f"{found_by} {matrix_text(wrong)}, {fault}")

    if not len(tables):
        return tables
    over = f", over {matrices!r}"
    refuse(matrices.contains_each(tables), f"which is no member of {matrices!r}")
    for condition in conditions:
        refuse(
            meets_up_to_rounding(condition, matrices, tables),
            f"which does not meet {condition}{over}",
        )
    for statistic, value in values:
        found, places = ranked(matrices, statistic, tables)
        right = np.array([same_value(x, value) for x in found], bool)[places]
        refuse(right, f"where {statistic.name} is {found[places[right.argmin()]]}, not {value}{over}")
    return tables


def meets_up_to_rounding(condition: Condition, matrices: MatrixClass, tables: np.ndarray) -> np.ndarray:
    """Which members of a class (k x r x s) meet a condition: exactly, but for what it compares in doubles.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import Statistic, as_condition
    >>> third = Statistic("third", lambda table: table[0, 0] * 0.1, exact=False)
    >>> tables = np.array([[[3, 1], [0, 1]], [[4, 0], [0, 1]]])
    >>> meets_up_to_rounding(as_condition("third <= 0.3", known=[third]), Tables(5, 2, 2), tables)
    array([ True, False])
    """
    met = meets(condition, matrices, tables)
    if condition.exact or met.all():
        return met
    doubles = {}
    for statistic in condition.statistics:
        found, places = exact_values(statistic, matrices, tables)
        doubles[statistic.name] = np.array([*map(float, found)])[places]
    missing = np.broadcast_to(
        shortfall(condition.at(matrices).formula, doubles),
        len(tables),
    )
    return met | (missing <= _ROUNDING_OF_ORDER)


def first_member(
    found_by: str,
    matrices: MatrixClass,
    conditions: tuple[Condition, ...] = (),
    values: tuple[Value, ...] = (),
) -> np.ndarray:
    """The representative of the first member met that meets all conditions and has all values.

    A visit of the class that stops there; TooLargeError, before any work, where a whole one takes too long.

    >>> from fractions import Fraction
    >>> from confmat.classes import Tables
    >>> from confmat.statistics import STATISTICS, as_condition
    >>> half = STATISTICS["rd"], Fraction(1, 2)
    >>> first_member("we sought", Tables(4, 2, 2), (as_condition("med>0"),), (half,)).tolist()
    [[2, 1], [0, 1]]
    """
    statistics = [
        *(x for x, _ in values),
        *(x for c in conditions for x in c.statistics),
    ]
    symmetry = shared_symmetry(statistics)
    visited = matrices.count() // orders_alike(matrices, symmetry)
    admit(f"a visit of all of {matrices!r}", seconds=_SECONDS_OF_WITNESS * visited)
    for tables, _ in tables_under(matrices.margins(symmetry & matrices.symmetry)):
        right = np.ones(len(tables), bool)
        for condition in conditions:
            right &= meets(condition, matrices, tables)
        for statistic, value in values:
            found, places = ranked(matrices, statistic, tables)
            right &= np.array([same_value(x, value) for x in found], bool)[places]
        if right.any():
            table = matrices.representative(tables[right.argmax()], symmetry)
            return handed_out(found_by, matrices, table[None], conditions, values)[0]
    wanted = [
        *map(str, conditions),
        *(f"{x.name} = {value}" for x, value in values),
    ]
    raise ConsistencyError(f"no member of {matrices!r} has {', '.join(wanted)}, which was counted")


def member_at(matrices: MatrixClass, cells: np.ndarray) -> np.ndarray:
    """The member that stands for the first table, in decreasing order of margins, with one of some signatures (k x 4).

    These have one m, A and B as they are enumerated.  Of the orbit of the table it is the lexicographically largest.
    Instant for n = 20, a second or so where a margin class holds 10^7 tables.

    >>> from confmat.classes import Tables
    >>> member_at(Tables(4, 2, 2), np.array([[1, 3, 2, 1]])).tolist()
    [[2, 1], [0, 1]]
    """
    best_matching = matrices.n - int(cells[0, 0])
    pairs: dict[tuple[int, int], list[int]] = {}
    for _, a, b, p in cells.tolist():
        pairs.setdefault((a, b), []).append(p)
    r, s = matrices.shape
    margins = []
    for job in row_jobs(matrices):
        b_wanted = [b for a, b in pairs if a == job.a]
        for cols in job.cols[np.isin(pairs_of_margin(job.cols), b_wanted)].tolist():
            margins.append((job.rows, tuple(cols)) if r == s else (tuple(cols), job.rows))
    margins.sort(reverse=True)
    # The short side first, which the tables are searched along.
    is_turned = is_transposed(matrices) if r == s else r > s
    for margin, other in margins:
        a, b = map(int, map(pairs_of_margin, map(np.array, (margin, other))))
        for p in pairs[(a, b) if r == s else (b, a)]:
            table = find_table(margin, other, best_matching, p)
            if table is not None:
                return matrices.member_like(table.T if is_turned else table)
    raise ConsistencyError(f"no margin class of {matrices!r} has any of the signatures {matrix_text(cells)}")


def members_behind(matrices: MatrixClass, cells: np.ndarray) -> np.ndarray:
    """A member (k x r x s) behind each of some signatures: m, A of its rows, B of its columns and P (k x 4).

    The signatures are distinct and in increasing order.  A visit of the class; ConsistencyError for one without member.

    >>> from confmat.classes import Tables
    >>> members_behind(Tables(4, 2, 2), np.array([[1, 2, 3, 1], [1, 3, 2, 1]])).tolist()
    [[[2, 0], [1, 1]], [[2, 1], [0, 1]]]
    """
    wanted = _codes_of_signatures(cells, matrices.n)
    found = np.zeros((len(cells), *matrices.shape), np.int64)
    missing = np.ones(len(cells), bool)
    for tables in _members_of_margins(matrices):
        if not missing.any():
            break
        codes = _codes_of_signatures(pair_sums(tables), matrices.n)
        places = np.minimum(
            np.searchsorted(wanted, codes),
            len(wanted) - 1,
        )
        fresh = np.flatnonzero((wanted[places] == codes) & missing[places])
        # Of several with one signature the first is written last, and stays.
        fresh = fresh[::-1]
        found[places[fresh]] = tables[fresh]
        missing[places[fresh]] = False
    if missing.any():
        raise ConsistencyError(
            f"no member of {matrices!r} has the signature {matrix_text(cells[missing][:1])}, which was counted"
        )
    # Margins tell what is a member: of the members with the same margins one is tested.
    _, order, starts = groups(np.concatenate([found.sum(axis=2), found.sum(axis=1)], axis=1))
    handed_out("a visit of the margins found", matrices, found[order[starts]])
    return found


def _codes_of_signatures(cells: np.ndarray, n: int) -> np.ndarray:
    """Signatures as single numbers, in the same order: int64, or Python ints where these do not fit."""
    width = comb(n, 2) + 1
    if (n + 1) * width**3 >= 2**63:
        cells = cells.astype(object)
    m, a, b, p = cells.T
    return ((m * width + a) * width + b) * width + p


def _members_of_margins(matrices: MatrixClass) -> Iterator[np.ndarray]:
    """Members (N x r x s) with every signature, some at once: one of each order of lines, and its transpose."""
    for tables, _ in tables_under(matrices.margins(matrices.symmetry)):
        yield tables
        if "transposition" in matrices.symmetry:
            yield tables.transpose(0, 2, 1)
