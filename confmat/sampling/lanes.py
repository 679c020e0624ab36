"""Rejection for few points, many tables side by side: cells are bytes, so an instruction works on 32 or 64 tables."""

import numpy as np

from confmat._numba import njit
from confmat.sampling.random_bits import next_word

# Tables side by side, whose cells stay in the nearest cache; a multiple of 4.
_LANES = 1024


@njit
def _compose_in_lanes(
    state: np.ndarray, total: int, cells: np.ndarray, words: np.ndarray, are_drawn: np.ndarray
) -> None:
    """A uniform composition of ``total`` in each lane of ``cells`` (parts x lanes); ``are_drawn`` is 0 where it failed.

    The i-th bar is a uniform rank among the places - i that are free, from 16 bits (multiply and shift; uneven ones
    fail).  It passes the bars before it in order: each that is not beyond it moves it one place on; where it stays, it
    takes the place in the order, and the bars beyond pass on in its stead.
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
    """Turn ``are_inside`` to 0 in each lane of ``cells`` (cells x lanes) where the sum of a line is out of bounds.

    ``shape``: so many lines of so many cells, whose places are ``steps`` apart.
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
def _close_up(cells: np.ndarray, are_inside: np.ndarray) -> int:
    """Move the last lanes that are inside to where others are not; the number of lanes inside, which are then first."""
    start = 0
    end = len(are_inside) - 1
    while True:
        while start <= end and are_inside[start]:
            start += 1
        while start <= end and not are_inside[end]:
            end -= 1
        if start > end:
            return start
        for cell in cells:
            cell[start] = cell[end]
        start += 1
        end -= 1


@njit
def reject_in_lanes(
    state: np.ndarray, totals: np.ndarray, lines: np.ndarray, limit: int, tables: np.ndarray
) -> tuple[int, int]:
    """As ``kernels.reject``, of at most 127 points in at most 127 cells, so that places of bars are bytes.

    ``tables`` (r x s x size, int8) has the draws side by side.

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
        number_found = _close_up(cells, are_members[:looked_at])
        for cell in range(r * s):
            for k in range(number_found):
                cells_of_tables[cell, number_kept + k] = cells[cell, k]
        number_kept += number_found
    return proposals, number_kept
