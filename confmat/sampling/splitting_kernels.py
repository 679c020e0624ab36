"""Moves of tables that keep a class and never fall behind a level of a distance (``splitting``)."""

import numpy as np

from confmat.compiled import njit
from confmat.sampling.kernels import full, matched, matching_steps
from confmat.sampling.random_bits import below

# ARD is compared with levels in units of its inverse.
ARD_UNITS = 2**40

# One move in this many swaps two lines.
_SWAPS = 8


@njit(nogil=True, cache=True)
def walk_within(
    state: np.ndarray,
    tables: np.ndarray,
    sides_fixed: int,
    must_be_filled: tuple[bool, bool],
    rows: np.ndarray,
    cols: np.ndarray,
    kind: int,
    sign: int,
    level: int,
    moves: int,
) -> None:
    """``moves`` moves of every table; one that leaves the class or falls behind the level is taken back.

    ``sides_fixed``: 0 for the total, 1 for row sums, 2 for both margins.  ``must_be_filled``: whether no row, and
    whether no column may be empty.  ``rows`` and ``cols``: lines with equal entries may be swapped.  ``kind``: 0 for
    MED, 1 for RD, 2 for ARD.
    """
    # reads: a compiled loop is handed each array and number by itself
    n = tables[0].sum() if len(tables) else 0
    _, r, s = tables.shape
    steps, starts = matching_steps(min(r, s), max(r, s))
    best = np.zeros(1 << max(r, s), np.int64)
    for place in range(len(tables)):
        table = tables[place]
        narrow = table if r <= s else table.T
        for _ in range(moves):
            if below(state, _SWAPS) == 0:
                _swap_lines(state, table, rows, cols)
                continue
            i, j, k, l, t = _propose(state, table, sides_fixed)
            if t == 0:
                continue
            _shift(table, sides_fixed, i, j, k, l, t)
            if full(table, must_be_filled[0], must_be_filled[1]):
                distance = (
                    _pair_distance(table, kind == 2) if kind else n - matched(narrow, steps, starts, best)
                )
                if sign * distance >= level:
                    continue
            _shift(table, sides_fixed, i, j, k, l, -t)


@njit(nogil=True, cache=True)
def pair_distances(tables: np.ndarray, for_ard: bool) -> np.ndarray:
    return np.array([_pair_distance(table, for_ard) for table in tables])


@njit(nogil=True, cache=True)
def _pair_distance(table: np.ndarray, for_ard: bool) -> np.int64:
    """Pairs that are together in one clustering only, or 2^40 ARD, rounded down: a few ulps off before that."""
    r, s = table.shape
    n = a = b = p = 0
    for i in range(r):
        line = 0
        for j in range(s):
            line += table[i, j]
            p += table[i, j] * (table[i, j] - 1)
        a += line * (line - 1)
        n += line
    for j in range(s):
        line = 0
        for i in range(r):
            line += table[i, j]
        b += line * (line - 1)
    pairs_apart = a + b - 2 * p
    if not for_ard:
        return np.int64(pairs_apart // 2)
    ordered_pairs = n * (n - 1)
    expected_apart = float(a) * float(ordered_pairs - b) + float(b) * float(ordered_pairs - a)
    return (
        np.int64(pairs_apart * float(ordered_pairs) / expected_apart * ARD_UNITS)
        if pairs_apart
        else np.int64(0)
    )


@njit(nogil=True, cache=True)
def _swap_lines(state: np.ndarray, table: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> None:
    """Swap two random rows and two random columns, where the class allows it: no matching changes its total."""
    r, s = table.shape
    i = below(state, r)
    k = below(state, r)
    if rows[i] == rows[k]:
        for j in range(s):
            table[i, j], table[k, j] = table[k, j], table[i, j]
    one_column = below(state, s)
    other_column = below(state, s)
    if cols[one_column] == cols[other_column]:
        for line in table:
            line[one_column], line[other_column] = line[other_column], line[one_column]


@njit(nogil=True, cache=True)
def _propose(
    state: np.ndarray, table: np.ndarray, sides_fixed: int
) -> tuple[np.int64, np.int64, np.int64, np.int64, np.int64]:
    """Two cells (i, j) and (k, l), and by how much to shift: uniform over what cells allow, or one unit, in turn.

    Symmetric: the way back is proposed with the same probability.
    """
    # reads: four coordinates and a step side by side
    r, s = table.shape
    if sides_fixed == 0:
        cell = below(state, r * s)
        step = 1 + below(state, r * s - 1)
        other_cell = (cell + step) % (r * s)
        i = cell // s
        j = cell % s
        k = other_cell // s
        l = other_cell % s
    else:
        i = below(state, r)
        j = below(state, s)
        k = i
        l = (j + 1 + below(state, s - 1)) % s
    if sides_fixed == 2:
        k = (i + 1 + below(state, r - 1)) % r
        least_step = -min(table[i, j], table[k, l])
        largest_step = min(table[i, l], table[k, j])
    else:
        least_step = -table[i, j]
        largest_step = table[k, l]
    if below(state, 2):
        t = 2 * below(state, 2) - 1
        if t < least_step or t > largest_step:
            return i, j, k, l, np.int64(0)
    else:
        t = least_step + below(state, largest_step - least_step + 1)
    return i, j, k, l, t


@njit(nogil=True, cache=True)
def _shift(
    table: np.ndarray, sides_fixed: int, i: np.int64, j: np.int64, k: np.int64, l: np.int64, t: np.int64
) -> None:
    """Add t to cell (i, j) and take it from (k, l); at fixed margins, to the diagonal and from the other two cells."""
    table[i, j] += t
    if sides_fixed == 2:
        table[k, l] += t
        table[i, l] -= t
        table[k, j] -= t
    else:
        table[k, l] -= t
