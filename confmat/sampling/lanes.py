"""Compiled rejection sampler, which draws many tables at once.

Cells of at most 127 objects are bytes, so that an instruction handles 32 or 64 tables.
"""

import numpy as np

from confmat._numba import njit
from confmat.sampling.random_bits import below, next_word

# Numbers of tables at once, multiples of 4: their cells stay in the first-level cache.
_LANES_OF_BYTES = 1024
_LANES = 64


@njit
def _draw_ranks(state: np.ndarray, bound: int, ranks: np.ndarray, are_drawn: np.ndarray) -> None:
    """Fill ``ranks`` with uniform integers below ``bound``. ``are_drawn[k]`` becomes 0 if the draw k failed.

    Bytes are drawn from 16 random bits (multiplication and shift). Some bits are rejected, as they would make values
    unequally likely.
    """
    if ranks.itemsize > 1:
        for k in range(len(ranks)):
            ranks[k] = below(state, bound)
        return
    words = np.empty(len(ranks) >> 2, np.uint64)
    for k in range(len(words)):
        words[k] = next_word(state)
    bits = words.view(np.uint16)
    uneven = np.uint32(2**16 % bound)
    for k in range(len(ranks)):
        product = np.uint32(bits[k]) * np.uint32(bound)
        ranks[k] = product >> np.uint32(16)
        are_drawn[k] &= np.uint8(np.uint16(product) >= uneven)


@njit
def _compose(state: np.ndarray, total: int, cells: np.ndarray, are_drawn: np.ndarray) -> None:
    """Draw a uniform composition of ``total`` into each column of ``cells`` (parts x tables), by stars and bars.

    The parts are the gaps between bars, which are different positions. Each bar is drawn by its rank among the free
    positions. Each earlier bar at or before it moves it one position to the right. The bars are sorted by insertion
    at the same time. ``are_drawn[k]`` becomes 0 if the draw of table k failed.
    """
    parts, lanes = cells.shape
    places = total + parts - 1
    bar = np.empty(lanes, cells.dtype)
    for i in range(parts - 1):
        _draw_ranks(state, places - i, bar, are_drawn)
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

    The new order of these columns depends on ``are_inside`` alone.
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
def reject(
    state: np.ndarray, totals: np.ndarray, lines: np.ndarray, limit: int, tables: np.ndarray
) -> tuple[int, int]:
    """Fill ``tables`` with uniform members of a class by rejection (Chacon 2019, Appendix C).

    Return the numbers of proposals and of accepted tables.

    Parameters
    ----------
    state : array
        State of the generator of random bits.
    totals : array of int
        The total of the table, whose cells are proposed as a uniform composition of it. Or the row sums: each row is
        proposed as a uniform composition of its sum.
    lines : array of uint8 or int64, shape (2, r + s)
        Smallest and largest sum of each row, then of each column. Its type is that of the proposals. Bytes suffice for
        at most 127 objects and 127 cells.
    limit : int
        Largest number of proposals.
    tables : array of int64, shape (size, r, s)

    Examples
    --------
    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((3, 2, 2), np.int64)
    >>> lines = np.array([[1] * 4, [4] * 4], np.uint8)
    >>> reject(state, np.array([4]), lines, 10, out)[1], out.sum(axis=(1, 2)).tolist()
    (3, [4, 4, 4])
    """
    size, r, s = tables.shape
    parts = r * s // len(totals)
    lanes = _LANES_OF_BYTES if lines.itemsize == 1 else _LANES
    cells = np.empty((r * s, lanes), lines.dtype)
    cells_of_tables = tables.reshape(size, r * s)
    are_drawn = np.empty(lanes, np.uint8)
    proposals = number_kept = 0
    while number_kept < size and proposals < limit:
        are_drawn[:] = 1
        for g in range(len(totals)):
            _compose(
                state,
                totals[g],
                cells[g * parts : (g + 1) * parts],
                are_drawn,
            )
        are_members = are_drawn.copy()
        bound_lines(
            cells,
            (r, s),
            (s, 1),
            lines[:, :r],
            are_members,
        )
        bound_lines(
            cells,
            (s, r),
            (1, s),
            lines[:, r:],
            are_members,
        )
        looked_at = 0
        number_missing = size - number_kept
        while looked_at < lanes and number_missing > 0 and proposals < limit:
            if are_drawn[looked_at]:
                proposals += 1
            if are_members[looked_at]:
                number_missing -= 1
            looked_at += 1
        # All of the batch are moved, so that the first draws do not depend on the size.
        _close_up(cells, are_members)
        number_found = size - number_kept - number_missing
        for k in range(number_found):
            for cell in range(r * s):
                cells_of_tables[number_kept + k, cell] = cells[cell, k]
        number_kept += number_found
    return proposals, number_kept
