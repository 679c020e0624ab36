"""Rejection for at most 127 objects, with many tables at once.

Cells are bytes, so that an instruction handles 32 or 64 tables.
"""

import numpy as np

from confmat._numba import njit
from confmat.sampling.random_bits import next_word

# Number of tables at once, a multiple of 4: their cells stay in the first-level cache.
_LANES = 1024


@njit
def _compose_in_lanes(
    state: np.ndarray, total: int, cells: np.ndarray, words: np.ndarray, are_drawn: np.ndarray
) -> None:
    """Draw a uniform composition of ``total`` into each column of ``cells`` (parts x tables), by stars and bars.

    The i-th bar is a uniform rank among the free positions, from 16 random bits (multiplication and shift). Some
    bits are rejected, as they would make ranks unequally likely. Then the draw of table k fails, and
    ``are_drawn[k]`` becomes 0. Each earlier bar at or before the new one, in increasing order, moves it one
    position to the right. The bars are sorted by insertion at the same time.
    """
    parts, lanes = cells.shape
    places = total + parts - 1
    bar = np.empty(lanes, np.uint8)
    for i in range(parts - 1):
        bound = np.uint32(places - i)
        uneven = np.uint32(2**16 % (places - i))
        for k in range(lanes >> 2):
            words[k] = next_word(state)
        bits = words.view(np.uint16)
        for k in range(lanes):
            product = np.uint32(bits[k]) * bound
            bar[k] = product >> np.uint32(16)
            are_drawn[k] &= np.uint8(np.uint16(product) >= uneven)
        for j in range(i):
            for k in range(lanes):
                bar_before = cells[j, k]
                bar_here = bar[k]
                cells[j, k] = min(bar_before, bar_here)
                bar[k] = max(bar_before, bar_here) + np.uint8(bar_before <= bar_here)
        for k in range(lanes):  # a loop: Numba assigns one array to another slowly
            cells[i, k] = bar[k]
    cells[parts - 1] = places
    for i in range(parts - 1, 0, -1):  # from bars to the gaps between them
        for k in range(lanes):
            cells[i, k] = cells[i, k] - cells[i - 1, k] - np.uint8(1)


@njit
def bound_lines(
    cells: np.ndarray,
    shape: tuple[int, int],
    steps: tuple[int, int],
    bounds: np.ndarray,
    are_inside: np.ndarray,
) -> None:
    """Set ``are_inside`` to 0 for each table of ``cells`` (cells x tables) with a row or column sum out of bounds.

    Parameters
    ----------
    shape : (int, int)
        Number of rows (or columns), and of cells in each.
    steps : (int, int)
        Distance between the first cells of consecutive rows, and between consecutive cells of a row.
    bounds : array of int, shape (2, number of rows)
        Smallest and largest sums.
    """
    total = np.empty(cells.shape[1], cells.dtype)
    for i in range(shape[0]):
        total[:] = 0
        for j in range(shape[1]):
            cell = cells[i * steps[0] + j * steps[1]]
            for k in range(len(total)):
                total[k] += cell[k]
        least_sum = bounds[0, i]
        largest_sum = bounds[1, i]
        for k in range(len(total)):
            are_inside[k] &= np.uint8(least_sum <= total[k]) & np.uint8(total[k] <= largest_sum)


@njit
def _close_up(cells: np.ndarray, are_inside: np.ndarray) -> None:
    """Move the columns of ``cells`` for which ``are_inside`` is true to the front.

    Their order depends on ``are_inside`` alone.
    """
    start = 0
    end = len(are_inside) - 1
    while True:
        while start <= end and are_inside[start]:
            start += 1
        while start <= end and not are_inside[end]:
            end -= 1
        if start > end:
            return
        for cell in cells:
            cell[start] = cell[end]
        start += 1
        end -= 1


@njit
def reject_in_lanes(
    state: np.ndarray, totals: np.ndarray, lines: np.ndarray, limit: int, tables: np.ndarray
) -> tuple[int, int]:
    """Fill ``tables`` (r x s x size, int8) with uniform members by rejection, as ``kernels.reject`` does.

    There must be at most 127 objects and 127 cells, so that positions of bars (stars and bars) fit in a byte.
    ``totals``, ``lines`` and ``limit`` are those of ``kernels.reject``. Return the numbers of proposals and of
    accepted tables.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 2, 3), np.int8)
    >>> lines = np.array([[1] * 4, [4] * 4])
    >>> reject_in_lanes(state, np.array([4]), lines, 10, out)[1], out.sum(axis=(0, 1)).tolist()
    (3, [4, 4, 4])
    """
    r, s, size = tables.shape
    parts = r * s // len(totals)
    cells = np.empty((r * s, _LANES), np.uint8)
    cells_of_tables = tables.reshape(r * s, size)
    words = np.empty(_LANES >> 2, np.uint64)
    bounds = lines.astype(np.uint8)
    are_drawn = np.empty(_LANES, np.uint8)
    are_members = np.empty(_LANES, np.uint8)
    proposals = number_kept = 0
    while number_kept < size and proposals < limit:
        are_drawn[:] = 1
        for g in range(len(totals)):
            _compose_in_lanes(
                state,
                totals[g],
                cells[g * parts : (g + 1) * parts],
                words,
                are_drawn,
            )
        for k in range(_LANES):
            are_members[k] = are_drawn[k]
        bound_lines(
            cells,
            (r, s),
            (s, 1),
            bounds[:, :r],
            are_members,
        )
        bound_lines(
            cells,
            (s, r),
            (1, s),
            bounds[:, r:],
            are_members,
        )
        looked_at = 0
        number_missing = size - number_kept
        while looked_at < _LANES and number_missing > 0 and proposals < limit:
            if are_drawn[looked_at]:
                proposals += 1
            if are_members[looked_at]:
                number_missing -= 1
            looked_at += 1
        # All of the batch are moved, so that the first draws do not depend on the size.
        _close_up(cells, are_members)
        number_found = size - number_kept - number_missing
        for cell in range(r * s):
            for k in range(number_found):
                cells_of_tables[cell, number_kept + k] = cells[cell, k]
        number_kept += number_found
    return proposals, number_kept
