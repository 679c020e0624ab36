"""Rejection for few points, many tables side by side: cells are bytes, so an instruction works on 32 or 64 tables."""

import numpy as np

from confmat.compiled import njit
from confmat.sampling.random_bits import next_word

# Tables side by side, whose cells stay in the nearest cache; a multiple of 4.
_LANES = 1024


@njit(nogil=True, cache=True)
def _compose_in_lanes(
    state: np.ndarray, total: int, cells: np.ndarray, words: np.ndarray, drawn: np.ndarray
) -> None:
    """A uniform composition of ``total`` in each lane of ``cells`` (parts x lanes); ``drawn`` turns 0 where it failed.

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
            drawn[k] &= np.uint8(np.uint16(product) >= uneven)
        for j in range(i):
            for k in range(lanes):
                before, here = cells[j, k], bar[k]
                cells[j, k] = min(before, here)
                bar[k] = max(before, here) + np.uint8(before <= here)
        for k in range(lanes):  # a loop: Numba assigns one array to another slowly
            cells[i, k] = bar[k]
    cells[parts - 1] = places
    for i in range(parts - 1, 0, -1):  # from bars to the gaps between them
        for k in range(lanes):
            cells[i, k] = cells[i, k] - cells[i - 1, k] - np.uint8(1)


@njit(nogil=True, cache=True)
def bound_lines(
    cells: np.ndarray, shape: tuple[int, int], steps: tuple[int, int], bounds: np.ndarray, inside: np.ndarray
) -> None:
    """Turn ``inside`` to 0 in each lane of ``cells`` (cells x lanes) where the sum of a line is out of bounds.

    ``shape``: so many lines of so many cells, whose places are ``steps`` apart.
    """
    total = np.empty(cells.shape[1], cells.dtype)
    for i in range(shape[0]):
        total[:] = 0
        for j in range(shape[1]):
            cell = cells[i * steps[0] + j * steps[1]]
            for k in range(len(total)):
                total[k] += cell[k]
        low, high = bounds[0, i], bounds[1, i]
        for k in range(len(total)):
            inside[k] &= np.uint8(low <= total[k]) & np.uint8(total[k] <= high)


@njit(nogil=True, cache=True)
def _close_up(cells: np.ndarray, inside: np.ndarray) -> int:
    """Move the last lanes that are inside to where others are not; the number of lanes inside, which are then first."""
    first, last = 0, len(inside) - 1
    while True:
        while first <= last and inside[first]:
            first += 1
        while first <= last and not inside[last]:
            last -= 1
        if first > last:
            return first
        for cell in cells:
            cell[first] = cell[last]
        first += 1
        last -= 1


@njit(nogil=True, cache=True)
def reject_in_lanes(
    state: np.ndarray, totals: np.ndarray, lines: np.ndarray, limit: int, out: np.ndarray
) -> tuple[int, int]:
    """As ``kernels.reject``, of at most 127 points in at most 127 cells, so that places of bars are bytes.

    ``out`` (r x s x size, int8) has the draws side by side.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 2, 3), np.int8)
    >>> lines = np.array([[1] * 4, [4] * 4])
    >>> reject_in_lanes(state, np.array([4]), lines, 10, out)[1], out.sum(axis=(0, 1)).tolist()
    (3, [4, 4, 4])
    """
    r, s, size = out.shape
    parts = r * s // len(totals)
    cells, into = np.empty((r * s, _LANES), np.uint8), out.reshape(r * s, size)
    words, bounds = np.empty(_LANES >> 2, np.uint64), lines.astype(np.uint8)
    drawn, inside = np.empty(_LANES, np.uint8), np.empty(_LANES, np.uint8)
    proposals = kept = 0
    while kept < size and proposals < limit:
        drawn[:] = 1
        for g in range(len(totals)):
            _compose_in_lanes(state, totals[g], cells[g * parts : (g + 1) * parts], words, drawn)
        for k in range(_LANES):
            inside[k] = drawn[k]
        bound_lines(cells, (r, s), (s, 1), bounds[:, :r], inside)
        bound_lines(cells, (s, r), (1, s), bounds[:, r:], inside)
        looked_at, wanted = 0, size - kept
        while looked_at < _LANES and wanted > 0 and proposals < limit:
            proposals += drawn[looked_at]
            wanted -= inside[looked_at]
            looked_at += 1
        found = _close_up(cells, inside[:looked_at])
        for cell in range(r * s):
            for k in range(found):
                into[cell, kept + k] = cells[cell, k]
        kept += found
    return proposals, kept
