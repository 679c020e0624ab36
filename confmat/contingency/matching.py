"""Matching of rows to columns with the largest sum of cells: an assignment problem over the non-zero cells."""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations, product
from math import comb
from operator import itemgetter
from typing import Any

import numpy as np

# The solvers compute with floats. Every number in them is a difference of the weights of two matchings plus terms of
# that order. Nothing is rounded if weights are integers with sum at most 2^50.
_EXACT_TOTAL = 2**50
_DENSE_CELLS = 10**6

# Up to this number of cells times 2^min(r, s), plain Python takes less than a millisecond. SciPy's optimizers are not
# imported, which would take a quarter of a second.
_FEW_CHOICES = 4096

# With at most this number of sets of columns, NumPy takes microseconds for a table and is as fast as SciPy.
_FEW_SETS = 512
_TABLES_MATCHED_AT_ONCE = 2048  # they fit in the processor's cache


def heaviest_matching(
    rows: np.ndarray, cols: np.ndarray, values: list[int], shape: tuple[int, int]
) -> list[int]:
    """Return the indices of the cells of a heaviest matching, in increasing order.

    A matching has at most one cell of each row and column. A heaviest one has the largest sum of weights. Cell k is
    in the row ``rows[k]`` and the column ``cols[k]`` (int64) and has the weight ``values[k]`` > 0. Weights are
    Python integers of any size. ``shape`` is that of the table.

    >>> heaviest_matching(np.array([0, 0, 1]), np.array([0, 1, 0]), [3, 2, 2], (2, 2))
    [1, 2]
    """
    if not values:
        return []
    if len(values) << min(shape) <= _FEW_CHOICES:
        return matchings_by_sets(rows, cols, values, shape)[1]
    if sum(values) > _EXACT_TOTAL:
        return _exact_matching(rows, cols, values)
    if shape[0] * shape[1] <= _DENSE_CELLS:
        return _dense_matching(rows, cols, np.array(values, dtype=float), shape)
    return _sparse_matching(rows, cols, np.array(values, dtype=float))


def heaviest_total(table: np.ndarray) -> int:
    """Return the weight of a heaviest matching of a table of integers of any size.

    >>> heaviest_total(np.array([[3, 2], [2, 0]])), heaviest_total(np.array([[2**60, 2**60 + 1], [2**60, 2**60]]))
    (4, 2305843009213693953)
    >>> heaviest_total(np.array([[2**80, 2**80 + 1], [2**80, 2**80]]))
    2417851639229258349412353
    """
    if table.dtype != object and table.sum(dtype=float) <= _EXACT_TOTAL:
        from scipy.optimize import linear_sum_assignment

        return int(table[linear_sum_assignment(table, maximize=True)].sum())
    rows, cols = np.nonzero(table)
    values = [int(x) for x in table[rows, cols]]
    return sum(values[cell] for cell in heaviest_matching(rows, cols, values, table.shape))


def heaviest_totals(tables: np.ndarray) -> np.ndarray:
    """Return the weight of a heaviest matching of each of N tables, given as an array (N x r x s).

    Small tables are solved together by recursion over sets of columns, larger ones one by one.

    >>> heaviest_totals(np.array([[[2, 1], [0, 1]], [[1, 2], [1, 0]]])).tolist()
    [3, 3]
    >>> heaviest_totals(np.array([[[2, 1], [0, 1], [4, 0]]])).tolist()
    [5]
    """
    few, many = sorted(tables.shape[1:])
    sets = sum(comb(many, size) for size in range(few + 1))
    if sets > _FEW_SETS:
        return np.array([heaviest_total(table) for table in tables], dtype=tables.dtype)
    kind = np.result_type(tables.dtype, np.int64)
    totals = [np.zeros(0, kind)]
    for first in range(0, len(tables), _TABLES_MATCHED_AT_ONCE):
        cells = tables[first : first + _TABLES_MATCHED_AT_ONCE].transpose(1, 2, 0)
        totals.append(totals_by_sets(np.ascontiguousarray(cells, kind)))
    return np.concatenate(totals)


def totals_by_sets(tables: np.ndarray) -> np.ndarray:
    """Return the weight of a heaviest matching of each of N tables, given as an array (r x s x N).

    For each set of columns, the recursion over rows finds the largest sum of cells that match the first rows to
    that set.

    >>> totals_by_sets(np.array([[[2, 1], [0, 1]], [[1, 2], [1, 0]]]).transpose(1, 2, 0)).tolist()
    [3, 3]
    """
    if len(tables) > tables.shape[1]:
        tables = tables.swapaxes(0, 1)
    none: tuple[int, ...] = ()
    best = {none: np.zeros_like(tables[0, 0])}  # set of columns -> largest totals of the rows so far
    for size, row in enumerate(tables, 1):
        of_fewer = best
        best = {}
        for columns in combinations(range(len(row)), size):
            totals = []
            for i, j in enumerate(columns):
                others = columns[:i] + columns[i + 1 :]
                totals.append(of_fewer[others] + row[j])
            best[columns] = reduce(np.maximum, totals)
    return reduce(np.maximum, best.values())


def matchings_by_sets(
    rows: np.ndarray, cols: np.ndarray, values: Sequence[Any], shape: tuple[int, int]
) -> tuple[int, list[int]]:
    """Return the number of heaviest matchings, and the indices of the cells of one.

    Arguments are those of `heaviest_matching`. The recursion is over sets of rows or of columns, whichever are
    fewer.

    >>> matchings_by_sets(np.array([0, 0, 1]), np.array([0, 1, 0]), [3, 2, 1], (2, 2))
    (2, [0])
    """
    # One line (row or column) after another of the longer side is matched with one of the shorter side, or with none.
    lines, other_lines = (rows, cols) if shape[0] >= shape[1] else (cols, rows)
    cells_of_line: dict[int, list[tuple[int, int]]] = {}
    for cell, (line, other_line) in enumerate(zip(lines.tolist(), other_lines.tolist())):
        cells_of_line.setdefault(line, []).append((1 << other_line, cell))
    # Bit set of matched other lines -> largest total, number of matchings with this total, and cells of one.
    best: dict[int, tuple[Any, int, list[int]]] = {0: (0, 1, [])}
    for choices in cells_of_line.values():
        before = best
        best = dict(before)  # the line may stay unmatched
        for (matched, (total, ways, chosen)), (other_bit, cell) in product(before.items(), choices):
            if matched & other_bit:
                continue
            total_here = total + values[cell]
            known_total, known_ways, _ = best.get(matched | other_bit, (-1, 0, []))
            if total_here > known_total:
                best[matched | other_bit] = total_here, ways, [*chosen, cell]
            elif total_here == known_total:
                best[matched | other_bit] = total_here, known_ways + ways, best[matched | other_bit][2]
    heaviest = max(best.values(), key=itemgetter(0))
    ways_in_all = sum(ways for total, ways, _ in best.values() if total == heaviest[0])
    return ways_in_all, sorted(heaviest[2])


def _exact_matching(rows: np.ndarray, cols: np.ndarray, values: Sequence[Any]) -> list[int]:
    """Return the indices of the cells of a heaviest matching, for integer weights of any size.

    The calculation uses Python ints.

    >>> _exact_matching(np.array([0, 0, 1]), np.array([0, 1, 0]), [3 * 2**70, 2 * 2**70, 2 * 2**70])
    [1, 2]
    """
    import networkx as nx

    # The nodes of columns are -1, -2, ..., so that they differ from rows and come first in a sorted pair.
    cell_at = {}
    graph: Any = nx.Graph()
    for cell, (row, column, weight) in enumerate(zip(rows.tolist(), (~cols).tolist(), values)):
        cell_at[column, row] = cell
        graph.add_edge(column, row, weight=weight)
    pairs = map(sorted, nx.max_weight_matching(graph))
    return sorted(cell_at[column, row] for column, row in pairs)


def _dense_matching(
    rows: np.ndarray, cols: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> list[int]:
    """Return the indices of the cells of a heaviest matching, for float weights in a small table."""
    from scipy.optimize import linear_sum_assignment

    weight = np.zeros(shape)
    weight[rows, cols] = values
    cell = np.full(shape, -1)
    cell[rows, cols] = np.arange(len(values))
    matched_cells = cell[linear_sum_assignment(weight, maximize=True)]
    return sorted(matched_cells[matched_cells >= 0].tolist())


def _sparse_matching(rows: np.ndarray, cols: np.ndarray, values: np.ndarray) -> list[int]:
    """Return the indices of the cells of a heaviest matching, for float weights in a large sparse table.

    If all weights are equal, as for clusters of one object, it is a matching with the most cells. Otherwise SciPy's
    solver matches every row and does not accept the weight 0. Each row therefore has an additional column, which
    means "unmatched". All weights are raised by 1, which changes the weight of every such matching by the same
    amount.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching, min_weight_full_bipartite_matching

    _, i = np.unique(rows, return_inverse=True)
    _, j = np.unique(cols, return_inverse=True)
    r = int(i.max()) + 1
    s = int(j.max()) + 1
    if (values == values[0]).all():
        partner = maximum_bipartite_matching(csr_array((values, (i, j)), shape=(r, s)), perm_type="column")
        return np.flatnonzero(partner[i] == j).tolist()
    own_columns = np.arange(r)
    data = np.concatenate([values + 1.0, np.ones(r)])
    graph = csr_array(
        (
            data,
            (
                np.concatenate([i, own_columns]),
                np.concatenate([j, s + own_columns]),
            ),
        ),
        shape=(r, s + r),
    )
    matched_rows, matched_cols = min_weight_full_bipartite_matching(graph, maximize=True)
    partner = np.empty(r, dtype=np.int64)
    partner[matched_rows] = matched_cols
    return np.flatnonzero(partner[i] == j).tolist()
