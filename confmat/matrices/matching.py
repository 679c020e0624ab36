"""The heaviest matching of rows to columns: an assignment problem over the non-zero cells of a matrix."""

from typing import Any

import numpy as np

# The solvers below compute in doubles.  Every length they form is a difference of two matchings' weights plus
# terms of that order, so with whole weights that add up to at most 2^50 nothing is ever rounded.
_EXACT_TOTAL = 2**50
_DENSE_CELLS = 10**6

# Up to so many lines on the short side, and cells, plain Python takes ten to a hundred microseconds, and SciPy's
# optimizers, a quarter of a second to import, stay out of it.
_FEW_LINES = 10
_FEW_CELLS = 144


def heaviest_matching(
    rows: np.ndarray, cols: np.ndarray, values: list[Any], shape: tuple[int, int]
) -> list[int]:
    """Return the indices of the cells of a heaviest matching, in increasing order.

    Cells are (row, column, positive weight); weights are ints of any size, floats or Fractions (Fractions and
    ints are handled exactly, floats as doubles).

    >>> heaviest_matching(np.array([0, 0, 1]), np.array([0, 1, 0]), [3, 2, 2], (2, 2))
    [1, 2]
    """
    if not values:
        return []
    exact = not any(isinstance(value, float) for value in values)
    if exact and min(shape) <= _FEW_LINES and shape[0] * shape[1] <= _FEW_CELLS:
        return _small_matching(rows, cols, values, shape)
    if exact and (sum(values) > _EXACT_TOTAL or not all(isinstance(value, int) for value in values)):
        return _integer_matching(rows, cols, values)
    if shape[0] * shape[1] <= _DENSE_CELLS:
        return _dense_matching(rows, cols, np.array(values, dtype=float), shape)
    return _sparse_matching(rows, cols, np.array(values, dtype=float), shape)


def _small_matching(
    rows: np.ndarray, cols: np.ndarray, values: list[Any], shape: tuple[int, int]
) -> list[int]:
    """Shortest augmenting paths (Kuhn 1955, Munkres 1957) in exact arithmetic: O(short^2 long) operations.

    Every line of the short side is given a partner in turn, at the least additional cost; a cell costs less the more
    it weighs, and an empty one nothing.
    """
    if shape[0] > shape[1]:
        rows, cols, shape = cols, rows, (shape[1], shape[0])
    cell = {place: c for c, place in enumerate(zip(rows.tolist(), cols.tolist()))}
    costs = [[-values[cell[i, j]] if (i, j) in cell else 0 for j in range(shape[1])] for i in range(shape[0])]
    partner: list[int | None] = [None] * shape[1]  # row of every column
    of_row, of_col = (
        [0] * shape[0],
        [0] * shape[1],
    )  # potentials: no cell costs less than the two of its lines
    for row in range(shape[0]):
        _augment(row, costs, partner, of_row, of_col)
    return sorted(cell[i, j] for j, i in enumerate(partner) if (i, j) in cell)


def _augment(
    start: int, costs: list[list[Any]], partner: list[int | None], of_row: list[Any], of_col: list[Any]
) -> None:
    """Give row ``start`` a column along a path of least cost, moving the partners on the path (Dijkstra)."""
    away: dict[int, Any] = {}  # columns not yet reached for good: least cost of a path that leads there
    before: dict[int, int | None] = {}  # the column before it on that path
    reached: dict[int, Any] = {}
    row, last, length = start, None, 0
    while True:
        for j, cost in enumerate(costs[row]):
            if j not in reached:
                through = length + cost - of_row[row] - of_col[j]
                if j not in away or through < away[j]:
                    away[j], before[j] = through, last
        last = min(away, key=away.__getitem__)
        length = reached[last] = away.pop(last)
        if (mate := partner[last]) is None:
            break
        row = mate
    of_row[start] += length
    for j, distance in reached.items():
        of_col[j] -= length - distance
        if (mate := partner[j]) is not None:
            of_row[mate] += length - distance
    column: int | None = last
    while column is not None:
        previous = before[column]
        partner[column] = start if previous is None else partner[previous]
        column = previous


def _dense_matching(
    rows: np.ndarray, cols: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> list[int]:
    from scipy.optimize import linear_sum_assignment

    weight = np.zeros(shape)
    weight[rows, cols] = values
    cell = np.full(shape, -1)
    cell[rows, cols] = np.arange(len(values))
    chosen = cell[linear_sum_assignment(weight, maximize=True)]
    return sorted(chosen[chosen >= 0].tolist())


def _integer_matching(rows: np.ndarray, cols: np.ndarray, values: list[Any]) -> list[int]:
    """Edmonds' method as NetworkX has it: integer arithmetic throughout when all weights are ints."""
    from math import lcm

    import networkx as nx

    scale = lcm(*(value.denominator for value in values))
    graph: Any = nx.Graph()
    for c, (i, j, value) in enumerate(zip(rows.tolist(), cols.tolist(), values)):
        graph.add_edge(("row", i), ("col", j), weight=int(value * scale), cell=c)
    # Components are independent, and the method is cubic in the size of each.
    return sorted(
        graph.edges[edge]["cell"]
        for part in nx.connected_components(graph)
        for edge in nx.max_weight_matching(graph.subgraph(part))
    )


def _sparse_matching(
    rows: np.ndarray, cols: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> list[int]:
    """Take the cells that are surely in a best matching, then solve what remains (LAPJVsp, SciPy)."""
    chosen: list[int] = []
    alive = np.arange(len(values))
    while alive.size:
        taken = _dominant_cells(rows[alive], cols[alive], values[alive])
        chosen += alive[taken].tolist()
        row_free, col_free = np.ones(shape[0], dtype=bool), np.ones(shape[1], dtype=bool)
        row_free[rows[alive[taken]]] = False
        col_free[cols[alive[taken]]] = False
        before = alive.size
        alive = alive[row_free[rows[alive]] & col_free[cols[alive]]]
        if before - alive.size < before / 100:  # little left to gain this way
            break
    if alive.size:
        chosen += alive[_lapjv(rows[alive], cols[alive], values[alive])].tolist()
    return sorted(chosen)


def _dominant_cells(rows: np.ndarray, cols: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Indices of cells, no two in a line, each at least the largest other of its row plus that of its column.

    A matching without such a cell does not lose by dropping what it has in that row and that column for it.
    """
    dominant = np.flatnonzero(values >= _largest_other(rows, values) + _largest_other(cols, values))
    for line in (rows, cols):
        dominant = dominant[np.unique(line[dominant], return_index=True)[1]]
    return dominant


def _largest_other(line: np.ndarray, values: np.ndarray) -> np.ndarray:
    """For each cell the largest value among the other cells of its line (0 if it is alone)."""
    order = np.lexsort((-values, line))
    first = np.diff(line[order], prepend=-1) != 0
    start = np.flatnonzero(first)
    follower = np.append(values[order], 0.0)[start + 1]
    follower[np.append(first, True)[start + 1]] = 0.0
    others = np.repeat(values[order][start], np.diff(np.append(start, len(values))))
    others[start] = follower
    result = np.empty_like(others)
    result[order] = others
    return result


def _lapjv(rows: np.ndarray, cols: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Indices of the cells of a heaviest matching.

    SciPy's solver wants every row matched, and no zero weights: each row gets a column of its own that means
    "unmatched", and all weights are raised by 1, which changes every such matching by the same amount.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    _, i = np.unique(rows, return_inverse=True)
    _, j = np.unique(cols, return_inverse=True)
    r, s = int(i.max()) + 1, int(j.max()) + 1
    own = np.arange(r)
    data = np.concatenate([values + 1.0, np.ones(r)])
    graph = csr_array((data, (np.concatenate([i, own]), np.concatenate([j, s + own]))), shape=(r, s + r))
    matched_rows, matched_cols = min_weight_full_bipartite_matching(graph, maximize=True)
    partner = np.empty(r, dtype=np.int64)
    partner[matched_rows] = matched_cols
    return np.flatnonzero(partner[i] == j)
