# mypy: allow-untyped-defs
"""Compiled functions of the recursion for the Rand distance: canonical states, and values modulo a prime."""

from __future__ import annotations

import numpy as np

from confmat._numba import copy, njit

STATES_OF_BLOCK = 4096
"""Number of coefficients that are summed at a time, so that they stay in the cache."""


@njit
def advance(n, prime, todo, sizes, relations, rings, residues, lengths):
    """Compute N(state; n) modulo ``prime`` for the states in ``todo``, given the values at smaller n.

    N(state; n) is a polynomial in q. For the last state, the coefficient of q^E counts the tables of n objects with
    C(n, 2) RD = E. N is the sum, over the terms of the state, of factor * q^(slope n + shift) * N(source; n - back).

    Parameters
    ----------
    n, prime : int
        Number of objects, and modulus.
    todo : array of int
        Indices of the states.
    sizes : array of int
        Upper bound of the number of coefficients of each state.
    relations : tuple of arrays
        The first array has the index of the first term of each state. State k has the terms from ``first[k]`` to
        ``first[k + 1] - 1``. The other arrays have the source, back, slope, shift and factor of each term.
    rings : tuple of arrays
        Start of the ring buffer of each state in ``residues``, its number of slots and their width. N(state; m) is
        in slot m modulo the number of slots.
    residues : array of int
        Coefficients.
    lengths : array of int
        Number of coefficients in each slot, up to the last nonzero one.

    >>> from confmat.distributions.rand_distribution.counts import _program
    >>> program = _program(1, 2)
    >>> rings, residues, lengths = program.rings(2)
    >>> for n in range(3):
    ...     todo, sizes = np.arange(len(rings[0])), program.sizes(n)
    ...     advance(n, 97, todo, sizes, program.terms, rings, residues, lengths)
    >>> first = rings[0][-1] + 2 % rings[1][-1] * rings[2][-1]
    >>> residues[first : first + 2].tolist()  # (2 0), (0 2) and (1 1): two tables with E = 0, one with E = 1
    [2, 1]
    """
    first_term, sources, backs, slopes, shifts, factors = relations
    starts, slots, widths = rings
    inverse = 1.0 / prime
    total = np.empty(STATES_OF_BLOCK)  # sums of factors times residues stay below 2^53: exact
    for state in todo:
        own = starts[state] + n % slots[state] * widths[state]
        if n == 0:
            residues[own] = 1
            lengths[state, 0] = 1
            continue
        step = 0  # of a term q^step N(state; n) on the right-hand side
        for begin in range(0, sizes[state], STATES_OF_BLOCK):
            width = min(STATES_OF_BLOCK, sizes[state] - begin)
            total[:width] = 0
            for t in range(first_term[state], first_term[state + 1]):
                m = n - backs[t]
                move = slopes[t] * n + shifts[t]
                source = sources[t]
                if m < 0:
                    continue
                if source == state and m == n:
                    step = move
                    continue
                slot = m % slots[source]
                factor = factors[t]
                low = max(0, move - begin)
                high = min(width, move - begin + lengths[source, slot])
                place = starts[source] + slot * widths[source] + begin - move
                for e in range(low, high):
                    total[e] += factor * residues[place + e]
            for e in range(width):
                x = total[e] - np.floor(total[e] * inverse) * prime
                x = x + prime if x < 0 else x - prime if x >= prime else x
                residues[own + begin + e] = np.int32(x)
        if step > 0:
            for e in range(own + step, own + sizes[state]):
                x = np.int64(residues[e]) + residues[e - step]
                residues[e] = x - prime if x >= prime else x
        length = sizes[state]
        while length > 0 and residues[own + length - 1] == 0:
            length -= 1
        lengths[state, n % slots[state]] = length


@njit
def canonical_cells(cells, row_orders):
    """Return codes that are equal if and only if two states differ by symmetry and by a constant in h.

    A *state* is a set of cells with an integer h >= 0 at each. First the least h of the state is subtracted from
    all its h. Symmetries are permutations of rows, permutations of columns, and transposition if the result fits in
    r x s.

    Parameters
    ----------
    cells : array of int, shape (K, r, s)
        K states: 1 + h at the cells of a state, and 0 at all other cells.
    row_orders : array of int
        All permutations of the r rows.

    Returns
    -------
    codes : array of int, shape (K, s)
        The lexicographically largest code of the states that are equivalent to state k. The code of a state has for
        each column j the sum over its rows i of (1 + h) 256^i.
    least : array of int
        The least h of each state, which was subtracted.

    >>> columns, least = canonical_cells(np.array([[[0, 0], [2, 3]]]), np.array([[0, 1], [1, 0]]))
    >>> columns.tolist(), least.tolist()
    ([[513, 0]], [1])
    """
    number, r, s = cells.shape
    best = np.zeros((number, s), np.int64)
    lows = np.zeros(number, np.int64)
    columns = np.zeros(s, np.int64)
    frame = np.zeros((r, s), np.int64)
    for k in range(number):
        used_rows = np.flatnonzero(cells[k].sum(axis=1))
        used_columns = np.flatnonzero(cells[k].sum(axis=0))
        if len(used_rows) == 0:
            continue
        low = 2**62
        for i in used_rows:
            for j in used_columns:
                if 0 < cells[k, i, j] < low:
                    low = cells[k, i, j]
        lows[k] = low - 1
        for transposed in range(2):
            if transposed and len(used_columns) > r:
                continue
            frame[:] = 0
            for i in range(len(used_rows)):
                for j in range(len(used_columns)):
                    value = cells[k, used_rows[i], used_columns[j]]
                    value = max(value - lows[k], 0)
                    if transposed:
                        frame[j, i] = value
                    else:
                        frame[i, j] = value
            for order in row_orders:
                for j in range(s):
                    column = 0
                    for i in range(r):
                        column += frame[order[i], j] << 8 * i
                    place = j  # insert into columns, which decrease
                    while place > 0 and columns[place - 1] < column:
                        columns[place] = columns[place - 1]
                        place -= 1
                    columns[place] = column
                for j in range(s):
                    if columns[j] != best[k, j]:
                        if columns[j] > best[k, j]:
                            copy(columns, best[k])
                        break
    return best, lows
