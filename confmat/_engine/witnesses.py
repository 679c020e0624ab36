"""Example tables: members of a class that satisfy conditions or have given values of (m, A, B, P).

m is n MED, the number of objects outside the best matching. A, B and P are the numbers of pairs of objects in a
common row, column and cell.

>>> from confmat.classes import Tables
>>> members_behind(Tables(4, 2, 2), np.array([[1, 2, 3, 1], [1, 3, 2, 1]])).tolist()
[[[2, 0], [1, 1]], [[2, 1], [0, 1]]]
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from confmat._engine.margins import is_transposed, pairs_of_margin, row_jobs
from confmat._engine.tables import find_table
from confmat._engine.walks import (
    exact_values,
    meets,
    orders_alike,
    pair_sums,
    tables_under,
)
from confmat._limits import admit
from confmat.classes import MatrixClass
from confmat.errors import ConsistencyError
from confmat.statistics.conditions import Condition
from confmat.statistics.record import Number, Statistic, same_value, shared_symmetry

# A statistic and its required value: nan if the statistic must be undefined.
Value = tuple[Statistic, Number]

_SECONDS_OF_WITNESS = 3e-6


def first_member(
    matrices: MatrixClass,
    conditions: tuple[Condition, ...] = (),
    values: tuple[Value, ...] = (),
) -> np.ndarray:
    """Return the first member, up to symmetry, that satisfies all conditions and has all values.

    ``values`` are pairs of a statistic and its value. The class is enumerated until a table is found. Raise
    TooLargeError, before any work, if a complete enumeration would take too long.

    >>> from fractions import Fraction
    >>> from confmat.classes import Tables
    >>> from confmat.statistics import STATISTICS, as_condition
    >>> half = STATISTICS["rd"], Fraction(1, 2)
    >>> first_member(Tables(4, 2, 2), (as_condition("med>0"),), (half,)).tolist()
    [[2, 1], [0, 1]]
    """
    statistics = [
        *(x for x, _ in values),
        *(x for c in conditions for x in c.statistics),
    ]
    symmetry = shared_symmetry(statistics)
    visited = matrices.count() // orders_alike(matrices, symmetry)
    admit(f"an enumeration of {matrices!r}", seconds=_SECONDS_OF_WITNESS * visited)
    for tables, _ in tables_under(matrices.margins(symmetry & matrices.symmetry)):
        right = np.ones(len(tables), bool)
        for condition in conditions:
            right &= meets(condition, matrices, tables)
        for statistic, value in values:
            found, places = exact_values(statistic, matrices, tables)
            right &= np.array([same_value(x, value) for x in found], bool)[places]
        if right.any():
            return matrices.representative(tables[right.argmax()], symmetry)
    wanted = [
        *map(str, conditions),
        *(f"{x.name} = {value}" for x, value in values),
    ]
    raise ConsistencyError(
        f"a table with {', '.join(wanted)} was counted in {matrices!r}, but a second enumeration did not find it. "
        "This is a bug: please report it"
    )


def member_at(matrices: MatrixClass, cells: np.ndarray) -> np.ndarray:
    """Return an example table, given the sufficient statistics that it may have.

    ``cells`` (k x 4) are sufficient statistics (m, A, B, P) with equal m, A and B: m is n MED, and A, B, P are the
    numbers of pairs of objects in a common row, column and cell. The margins are searched in decreasing order, and
    the tables of a margin lexicographically. The result is the lexicographically largest table of the orbit of the
    first table found. This takes no noticeable time for n = 20, and about a second if 10^7 tables have the same
    margins.

    >>> from confmat.classes import Tables
    >>> member_at(Tables(4, 2, 2), np.array([[1, 3, 2, 1]])).tolist()
    [[2, 1], [0, 1]]
    """
    best_matching = matrices.n - int(cells[0, 0])
    pairs: dict[tuple[int, int], list[int]] = {}
    for _, a, b, p in cells.tolist():
        pairs.setdefault((a, b), []).append(p)
    r, s = matrices.shape
    # A job has a row margin of the engine (r >= s) and its column margins. Tables are searched row by row, along the
    # shorter side, so that they are transposed unless r = s.
    margins = []
    for job in row_jobs(matrices):
        b_wanted = [b for a, b in pairs if a == job.a]
        for cols in job.cols[np.isin(pairs_of_margin(job.cols), b_wanted)].tolist():
            margins.append((job.rows, tuple(cols)) if r == s else (tuple(cols), job.rows))
    margins.sort(reverse=True)

    def tables_found() -> Iterator[np.ndarray | None]:
        for margin, other in margins:
            a, b = map(int, map(pairs_of_margin, map(np.array, (margin, other))))
            for p in pairs[(a, b) if r == s else (b, a)]:
                yield find_table(margin, other, best_matching, p)

    table = next(table for table in tables_found() if table is not None)
    # For r = s the engine may have enumerated the transposes.
    is_turned = is_transposed(matrices) if r == s else r > s
    return matrices.representative(table.T if is_turned else table)


def members_behind(matrices: MatrixClass, cells: np.ndarray) -> np.ndarray:
    """Return one member of the class for each sufficient statistic (m, A, B, P), as an array k x r x s.

    The rows of ``cells`` (k x 4) must be distinct, sorted, and occur in the class. The class is enumerated once.

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
        # If several tables have one sufficient statistic, the first is written last and remains.
        fresh = fresh[::-1]
        found[places[fresh]] = tables[fresh]
        missing[places[fresh]] = False
    return found


def _codes_of_signatures(cells: np.ndarray, n: int) -> np.ndarray:
    """Return an integer for each sufficient statistic. The integers increase if the sufficient statistics do.

    The integers are int64, or Python integers if they are larger.
    """
    width = comb(n, 2) + 1
    if (n + 1) * width**3 >= 2**63:
        cells = cells.astype(object)
    m, a, b, p = cells.T
    return ((m * width + a) * width + b) * width + p


def _members_of_margins(matrices: MatrixClass) -> Iterator[np.ndarray]:
    """Yield arrays of members (N x r x s) in which every sufficient statistic of the class occurs.

    Tables that differ only by the order of rows and columns are not repeated. Transposes are included.
    """
    for tables, _ in tables_under(matrices.margins(matrices.symmetry)):
        yield tables
        if "transposition" in matrices.symmetry:
            yield tables.transpose(0, 2, 1)
