"""Joint distributions computed table by table, for statistics without a fast kernel.

Tables are enumerated in chunks. A statistic with a batch function is evaluated at a chunk at once, any other
function at one table after another. The weights of tables with equal values are then added up.

>>> from confmat.classes import Tables
>>> law = walk(Tables(4, 2, 2), (Statistic("largest", np.max),), "tables", Limits())
>>> [(int(value), weight) for (value,), weight in law]
[(1, 1), (2, 14), (3, 4)]
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby, starmap
from math import factorial, prod
from operator import getitem
from typing import Any

import numpy as np

from confmat._engine.tables import tables_with, with_pairs
from confmat._integers.arrays import Chunk, distinct, summed
from confmat._limits import Limits, Watch
from confmat.classes import MatrixClass
from confmat.classes.matrix_class import Margins
from confmat.classes.orbits import Generators
from confmat.contingency.matching import heaviest_totals
from confmat.contingency.texts import matrix_text
from confmat.errors import ConsistencyError, TooLargeError, UndecidedError
from confmat.statistics.conditions import Condition
from confmat.statistics.record import Number, Statistic, as_number, same_value, shared_symmetry, sort_key

# Largest number of objects whose labelings are counted table by table: its factorial takes seconds.
_MOST_LABELED = 10**6

# Number of tables of a chunk at which a batch function is compared with the function.
COMPARED = 4

# Number of tables in a chunk.
CHUNK = 2**16

# The factorial of this number of rows exceeds the number of members of every class that is enumerated.
_MOST_ORDERED = 1000

# From this number of objects on, x (x - 1) may exceed 64 bits.
MOST_POINTS = 2**31


def chunks(matrices: MatrixClass, symmetry: str | Generators, size: int = CHUNK) -> Iterator[Chunk]:
    """Yield tables that represent a class under a symmetry, about ``size`` at a time.

    Each chunk has tables, an int64 array (N x r x s), and the number of members that each table represents.

    >>> from confmat.classes import Tables
    >>> [(tables.shape, int(copies.sum())) for tables, copies in chunks(Tables(6, 3, 3), "permutations")]
    [((104, 3, 3), 1038)]
    """
    waiting: list[Chunk] = []
    tables_waiting = 0
    for batch in tables_under(matrices.margins(symmetry)):
        waiting.append(batch)
        tables_waiting += len(batch[0])
        if tables_waiting >= size:
            tables, copies = map(np.concatenate, zip(*waiting))
            yield tables, copies
            waiting = []
            tables_waiting = 0
    if tables_waiting:
        tables, copies = map(np.concatenate, zip(*waiting))
        yield tables, copies


def tables_under(margins: Iterable[Margins], pairs: tuple[int, int] | None = None) -> Iterator[Chunk]:
    """Yield arrays of all tables with the given margins, grouped by row sums, and the multiplicities of their margins.

    ``pairs`` are bounds of the number of pairs of objects in a common cell. Tables beyond them are left out, except
    some that only the last row makes so. Default: no bounds.

    >>> [tables.tolist() for tables, _ in tables_under([((2, 1), (2, 1), 1), ((2, 1), (3, 0), 1)])]
    [[[[2, 0], [0, 1]], [[1, 1], [1, 0]], [[2, 0], [1, 0]]]]
    """
    for rows, of_rows in groupby(margins, key=lambda margins: tuple(margins[0])):
        _, cols, copies = zip(*of_rows)
        weights = np.array(copies)
        promising = None if pairs is None else with_pairs(rows, *pairs)
        for lines, cells in tables_with(rows, np.array(cols, np.int64), promising):
            yield np.ascontiguousarray(cells.transpose(2, 0, 1)), weights[lines]


def orders_alike(matrices: MatrixClass, symmetry: Generators) -> int:
    """Estimate the number of members that an enumerated table represents under a symmetry.

    Rows (or columns) count with all their permutations if the symmetry contains these and their sums are not fixed.
    Of more than 1000 rows or columns only 1000 are permuted.

    >>> from confmat.classes import FixedRows, Tables
    >>> simultaneous = frozenset({"simultaneous"})
    >>> orders_alike(Tables(6, 3, 3), simultaneous), orders_alike(FixedRows((3, 2, 1), 3), simultaneous)
    (6, 1)
    """
    lines = {}
    for side, name in zip(matrices.possible_sums, ("rows", "columns")):
        if side.sums is None:
            lines[name] = min(side.lines, _MOST_ORDERED)
    alike = symmetry.intersection(lines)
    if len(lines) == 2 and not alike and "simultaneous" in symmetry:
        return factorial(lines["rows"])
    return prod(factorial(lines[name]) for name in alike)


def numbers_of_labelings(tables: np.ndarray) -> np.ndarray:
    """Return the number of pairs of labelings n!/prod x! of each table (N x r x s); Python integers if large.

    >>> numbers_of_labelings(np.array([[[1, 1], [0, 2]]]))
    array([12])
    """
    n = int(tables[0].sum())
    cells, positions = np.unique(tables, return_inverse=True)
    # 20! fits into 64 bits, and so does the sum over all tables of the class.
    fits = n <= 20 and tables[0].size ** n < 2**63
    factorials = np.array([*map(factorial, cells.tolist())], np.int64 if fits else object)
    orders = factorials[positions.reshape(len(tables), -1)].prod(axis=1)
    return np.asarray(factorial(n) // orders)


def weighted(chunk: Chunk, weight: str) -> np.ndarray:
    """Return the weight of each table of a chunk: the number of members that it represents, or of their labelings.

    >>> chunk = np.array([[[1, 1], [0, 2]]]), np.array([4])
    >>> weighted(chunk, "tables"), weighted(chunk, "labelings")
    (array([4]), array([48]))
    """
    tables, copies = chunk
    if weight == "tables":
        return copies
    return copies * numbers_of_labelings(tables)


def walk(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weight: str, limits: Limits
) -> list[tuple[tuple[Number, ...], int]]:
    """Return the joint values of the statistics over the class with their weights, in increasing order.

    The tables are enumerated in this thread. Of ``limits`` only ``progress`` and the time are used.

    >>> from confmat.classes import Tables
    >>> law = walk(Tables(4, 2, 2), (Statistic("largest", np.max),), "tables", Limits())
    >>> [(int(value), weight) for (value,), weight in law]
    [(1, 1), (2, 14), (3, 4)]
    """
    return values_of(matrices, statistics, _weighed(matrices, shared_symmetry(statistics), weight, limits))


def _weighed(matrices: MatrixClass, symmetry: Generators, weight: str, limits: Limits) -> Iterator[Chunk]:
    """Yield arrays of the tables that represent a class under a symmetry, and their weights."""
    if weight == "labelings" and matrices.n > _MOST_LABELED:
        raise TooLargeError(
            f"weight='labelings' must be used with at most {_MOST_LABELED} objects, got {matrices.n} in {matrices!r}"
        )
    total = matrices.count()
    watch = Watch("tables", limits, total, total)
    for chunk in chunks(matrices, symmetry):
        yield chunk[0], weighted(chunk, weight)
        members = int(chunk[1].sum())
        watch.step(members, members)
        watch.look()


def values_of(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weighed: Iterable[Chunk]
) -> list[tuple[tuple[Number, ...], int]]:
    """Return the joint values of the statistics with their weights, in increasing order.

    ``weighed`` yields arrays of tables of the class (N x r x s) and of their weights.

    >>> from confmat.classes import Tables
    >>> tables = np.array([[[2, 1], [0, 1]], [[2, 0], [1, 1]]])
    >>> values_of(Tables(4, 2, 2), (Statistic("largest", np.max),), [(tables, np.array([3, 4]))])
    [((Fraction(2, 1),), 7)]
    """
    law: Counter[tuple[Number, ...]] = Counter()
    for tables, weights in weighed:
        values = []
        places = []
        for statistic in statistics:
            of_statistic, positions = exact_values(statistic, matrices, tables)
            values.append(of_statistic)
            places.append(positions)
        rows, weights = summed(np.column_stack(places), weights)
        for row, weight in zip(rows.tolist(), weights.tolist()):
            law[tuple(map(getitem, values, row))] += weight
    return sorted(law.items(), key=lambda point: [*map(sort_key, point[0])])


def exact_values(
    statistic: Statistic, matrices: MatrixClass, tables: np.ndarray
) -> tuple[list[Any], np.ndarray]:
    """Return a list of values of a statistic, and for each table of the class the position of its value in the list.

    The list may contain a value twice. Undefined values are the same object `math.nan`.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> exact_values(as_statistic("med"), Tables(2, 2, 2), np.array([[[0, 1], [1, 0]], [[1, 0], [0, 1]]]))
    ([Fraction(0, 1)], array([0, 0]))
    """
    if statistic.counted:
        sums, positions = distinct(pair_sums(tables))
        return [*starmap(statistic.over(matrices), sums.tolist())], positions
    if statistic.batch is not None:
        values, positions = _of_batch(statistic.batch(tables))
        _compare_with_function(statistic, tables, values, positions)
        return [x if x == x else math.nan for x in values], positions
    assert statistic.function is not None
    tables = tables.view()
    # A function that writes into its argument would change other statistics. Numba compiles for arrays to write to.
    tables.flags.writeable = hasattr(statistic.function, "nopython_signatures")
    found = [*map(statistic.function, tables)]
    # Few values are distinct.  Python compares them ten times as fast as fractions.  The type separates 1 from 1.0.
    places: dict[Any, int] = {}
    try:
        places_found = [places.setdefault((type(x), x), len(places)) for x in found]
    except TypeError:  # a value cannot be hashed
        return [as_number(statistic, value) for value in found], np.arange(len(tables))
    numbers = [as_number(statistic, x) for _, x in places]
    return [x if x == x else math.nan for x in numbers], np.array(places_found, np.int64)


def _compare_with_function(
    statistic: Statistic, tables: np.ndarray, values: list[Any], positions: np.ndarray
) -> None:
    """Raise ConsistencyError if the function of a statistic differs from its batch function at a first table.

    The value of the batch function at ``tables[i]`` is ``values[positions[i]]``. Floats are compared up to
    rounding.
    """
    if statistic.function is None:
        return
    for table, place in zip(tables[:COMPARED], positions.tolist()):
        expected = as_number(statistic, statistic.function(table))
        found = values[place]
        if not same_value(found, expected):
            raise ConsistencyError(
                f"batch and function of statistic {statistic.name!r} must return equal values, got {found} from "
                f"batch and {expected} from function for the table {matrix_text(table)}"
            )


def _of_batch(found: Any) -> tuple[list[Any], np.ndarray]:
    """Return the distinct values in the result of a batch function, and for each table the position of its value."""
    if isinstance(found[0], list):
        return found
    if isinstance(found, np.ndarray):
        values, positions = np.unique(found, return_inverse=True)
        return values.tolist(), positions
    return _fractions(*found)


def meets(condition: Condition, matrices: MatrixClass, tables: np.ndarray) -> np.ndarray:
    """Return a mask of the tables of a class (N x r x s) that satisfy a condition, exactly.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_condition
    >>> tables = np.array([[[2, 1], [0, 1]], [[1, 0], [0, 3]]])
    >>> [meets(as_condition(text), Tables(4, 2, 2), tables).tolist() for text in ("med<1/5", "cor<r, fm=1")]
    [[False, True], [False, True]]
    """
    if not len(tables):
        return np.zeros(0, bool)
    if condition.counted:
        return condition.mask(matrices, *pair_sums(tables).T)
    return holding(
        condition.at(matrices),
        tables,
        [exact_values(x, matrices, tables) for x in condition.statistics],
    )


def holding(
    condition: Condition, tables: np.ndarray, columns: list[tuple[list[Any], np.ndarray]]
) -> np.ndarray:
    """Return a mask of the tables that satisfy a condition.

    ``columns`` has a pair for each statistic: a list of values, and for each table the position of its value. The
    condition is evaluated once for each combination of values.

    >>> from confmat.statistics import as_condition
    >>> tables = np.ones((3, 2, 2), int)
    >>> holding(as_condition("med < ard"), tables, [([0, 1], np.array([0, 0, 1])), ([0, 2], np.array([0, 1, 1]))])
    array([False,  True,  True])
    """
    values, places = zip(*columns)
    rows, positions = distinct(np.column_stack(places))
    holds = np.zeros(len(rows), bool)
    for number, row in enumerate(rows.tolist()):
        of_row = {name: of[place] for name, of, place in zip(condition.names, values, row)}
        try:
            holds[number] = condition.holds(of_row)
        except UndecidedError as error:
            table = tables[(positions == number).argmax()]
            raise UndecidedError(f"{error}, at {matrix_text(table)}") from None
    return holds[positions]


def pair_sums(tables: np.ndarray) -> np.ndarray:
    """Return m, A, B and P of each table (N x r x s), an array N x 4 of int64 or Python integers.

    m is n MED, the number of objects outside the best matching. A, B and P are the numbers of pairs of objects in a
    common row, column and cell.

    >>> pair_sums(np.array([[[2, 1], [0, 1]], [[1, 0], [0, 3]]]))
    array([[1, 3, 2, 1],
           [0, 3, 3, 3]])
    """
    points = int(tables[0].sum()) if len(tables) else 0
    kind = object if points >= MOST_POINTS else np.int64
    _, r, s = tables.shape
    cells = np.ascontiguousarray(tables.transpose(1, 2, 0), kind)
    columns = [points - heaviest_totals(tables)]
    for lines in (cells.sum(axis=1), cells.sum(axis=0), cells.reshape(r * s, -1)):
        columns.append((lines * (lines - 1)).sum(axis=0) // 2)
    return np.column_stack(columns)


def _fractions(numerators: np.ndarray, denominators: np.ndarray) -> tuple[list[Number], np.ndarray]:
    """Return a list of fractions (NaN for 0/0), and for each table the position of its value in the list.

    Equal fractions with different terms are listed separately.
    """
    pairs = np.column_stack([numerators, denominators])
    positions = np.arange(len(numerators))
    if pairs.dtype != object:
        pairs, positions = distinct(pairs)
    return [Fraction(p, q) if q else math.nan for p, q in pairs.tolist()], positions
