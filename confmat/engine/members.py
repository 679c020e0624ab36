"""Members of a class at random, not uniform: where a search starts, and where what is declared is tried."""

from __future__ import annotations  # np.random is loaded when it is used

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.compositions import Row, Side
from confmat.engine.reference import largest_table


def random_table(matrices: MatrixClass, rng: np.random.Generator) -> np.ndarray:
    """A member of a class with sides: nearly uniform, or a vertex of the fixed margins (lines in random order).

    >>> from confmat.classes import FixedRows
    >>> random_table(FixedRows([3, 2], 2), np.random.default_rng(0)).sum(axis=1).tolist()
    [3, 2]
    """
    assert matrices.sides is not None
    in_rows, in_cols = matrices.sides
    if in_rows.sums is None and in_cols.sums is not None:
        return _random_rows(in_cols.sums, in_rows, rng).T
    if in_rows.sums is not None and in_cols.sums is None:
        return _random_rows(in_rows.sums, in_cols, rng)
    if in_rows.sums is not None and in_cols.sums is not None:
        rows, cols = np.array(in_rows.sums, np.int64), np.array(in_cols.sums, np.int64)
        by_row, by_col = rng.permutation(len(rows)), rng.permutation(len(cols))
        table = np.zeros((len(rows), len(cols)), np.int64)
        table[np.ix_(by_row, by_col)] = largest_table(rows[by_row], cols[by_col])
        return table
    r, s = matrices.shape
    table = np.zeros((r, s), np.int64)
    if in_rows.minimum:  # every line gets a point
        lines = np.arange(max(r, s))
        table[rng.permutation(r)[lines % r], rng.permutation(s)[lines % s]] = 1
    left = matrices.n - int(table.sum())
    return table + rng.multinomial(left, rng.dirichlet(np.ones(r * s))).reshape(r, s)


def _random_rows(sums: Row, free: Side, rng: np.random.Generator) -> np.ndarray:
    """Rows with these sums and columns that the other side leaves free; points that columns need are dealt first."""
    table = np.zeros((len(sums), free.lines), np.int64)
    left = np.array(sums, np.int64)
    if free.minimum:
        points = np.repeat(np.arange(len(sums)), np.minimum(left, free.lines))
        table[rng.permutation(points)[: free.lines], rng.permutation(free.lines)] = 1
        left -= table.sum(axis=1)
    return table + np.array([rng.multinomial(a, rng.dirichlet(np.ones(free.lines))) for a in left])
