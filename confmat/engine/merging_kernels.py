"""Compiled loops of `confmat.engine.merging` over the first rows: their lists, their states and profiles.

That module explains the method and the words state, profile, group; `merging_last_row` has the loops over the
last row.  Two habits make all of them fast; neither changes a result.  A short loop has a length that the compiler
knows (``_UNROLLED``), so that it unrolls it and does sixteen matrices at a time.  Flat arrays are indexed with unsigned
64-bit integers (``u64``), which spares a test for negative indices.
"""

# mypy: disable-error-code="no-untyped-def"
# (the arguments of compiled functions are arrays and integers, described in the docstrings)
from math import comb

import numpy as np

from confmat.compiled import copy, njit
from confmat.engine.halves import composition_rank, first_composition, next_composition, orbit_size
from confmat.errors import TooLarge

u64 = np.uint64
LANES = 16  # matrices taken at once by the merging: 16-bit numbers in a vector register
# columns of RowLists.splits
TOP_TOTAL, TOP_BUCKET, BOTTOM_BUCKET, ROW_PAIRS, ORDERINGS = range(5)


@njit(nogil=True, cache=True)
def fill_compositions(total, columns, out):
    """Write the compositions of 0, 1, ..., ``total`` in ``columns`` parts >= 0, each lexicographically."""
    x = np.zeros(columns, np.int64)
    row = 0
    for subtotal in range(total + 1):
        first_composition(x, subtotal)
        more = True
        while more:
            copy(x, out[row])
            row += 1
            more = next_composition(x)


@njit(nogil=True, cache=True)
def enlarged(array, size):
    """A copy of ``array`` of the given size, filled up with zeros."""
    larger = np.zeros(size, array.dtype)
    copy(array, larger[: len(array)])
    return larger


# The loop over the choices of columns is unrolled to the first of these lengths that is enough; the last always is.
LARGEST_SIDE = 7
_MOST_CHOICES = comb(LARGEST_SIDE - 1, (LARGEST_SIDE - 1) // 2)
_UNROLLED = tuple((0,) * length for length in (1, 3, 6, 10, _MOST_CHOICES))


# Inlined, as they are called for a few matrices at a time: calls cost half as much as the work.
@njit(nogil=True, cache=True, forceinline=True)
def _cells(best, x, y, width, choices, unrolled, stride, cell):
    for z in range(u64(0), width, u64(LANES)):
        for j in range(u64(len(stride))):
            step = stride[j]
            x_best = x + j * choices
            y_best = y + j * choices * width + z
            for lane in range(u64(LANES)):
                t = np.int16(best[x_best] + best[y_best + lane])
                for q in range(u64(1), u64(len(unrolled))):
                    p = min(q, choices - u64(1))
                    other = np.int16(best[x_best + p] + best[y_best + p * width + lane])
                    t = other if other > t else t
                if j == u64(0):
                    cell[z + lane] = np.int32(t) * step
                else:
                    cell[z + lane] += np.int32(t) * step


@njit(nogil=True, cache=True, forceinline=True)
def cells_of(best, x, y, width, choices, stride, cell):
    """The cells of the first rows whose best start at x with each of ``width`` below that start at y.

    ``LANES`` at a time: the surplus of the last ones is not used.
    """
    if choices <= 1:
        _cells(best, x, y, width, choices, _UNROLLED[0], stride, cell)
    elif choices <= 3:
        _cells(best, x, y, width, choices, _UNROLLED[1], stride, cell)
    elif choices <= 6:
        _cells(best, x, y, width, choices, _UNROLLED[2], stride, cell)
    elif choices <= 10:
        _cells(best, x, y, width, choices, _UNROLLED[3], stride, cell)
    else:
        _cells(best, x, y, width, choices, _UNROLLED[4], stride, cell)


@njit(nogil=True, cache=True)
def merge_states(
    column_sums,  # of the first rows, decreasing
    splits,  # a line for each choice of the first rows, as in RowLists
    best,
    choices,  # column sets, as large as the number of top rows, that avoid a column
    pairs,
    bucket,
    compositions,
    starts,
    binomial,
    stride,  # state t has the cell sum of (t_j - lowest_j) stride_j
    origin,  # sum of lowest_j stride_j
    smallest,  # profiles start at this value of A' - 2P'
    length,  # entries of a profile
    slot,  # slot[cell] = number of the state found there, -1 if none
    cells,  # cells[number] = cell of a state
    profiles,  # profiles[number * length + (A' - 2P') - smallest] = weighted number of matrices
    most_entries,  # what `profiles` may hold
):
    """Add up the profile of every state; returns (number of states, cells, profiles), enlarged when needed.

    The first rows are cut in two halves.  ``part`` runs over the column sums of the top half, one of each
    orbit of equal columns, ``rest`` are those of the bottom half; all pairs of the two buckets are matrices.
    t_j = max over column sets S avoiding j, as large as the top half, of top inside S + bottom outside S and j.
    """
    columns, states, total = len(column_sums), 0, column_sums.sum()
    slots = columns * choices
    rest = np.zeros(columns, np.int64)
    cell = np.zeros(0, np.int32)
    end = 0
    while end < len(splits):
        begin, top_total = end, splits[end, TOP_TOTAL]
        while end < len(splits) and splits[end, TOP_TOTAL] == top_total:
            end += 1
        for rank in range(starts[top_total + 1] - starts[top_total]):
            part = compositions[starts[top_total] + rank]
            orbit = orbit_size(part, column_sums)
            for j in range(columns):
                rest[j] = column_sums[j] - part[j]
                if rest[j] < 0:
                    orbit = 0
            if orbit == 0:
                continue
            rest_rank = composition_rank(rest, total - top_total, binomial)
            for split in range(begin, end):
                weight = orbit * splits[split, ORDERINGS]
                top = bucket[splits[split, TOP_BUCKET] + rank : splits[split, TOP_BUCKET] + rank + 2]
                bottom = splits[split, BOTTOM_BUCKET] + rest_rank
                y, y_end = bucket[bottom], bucket[bottom + 1]
                width = u64(y_end - y)
                if width + u64(LANES) > len(cell):
                    cell = np.zeros(2 * width + u64(LANES), np.int32)
                for x in range(top[0], top[1]):
                    most_states = states + y_end - y
                    if most_states > len(cells):
                        cells = enlarged(cells, 2 * most_states)
                    if most_states * length > len(profiles):
                        if most_states * length > most_entries:
                            raise TooLarge("the profiles of the states exceed the memory limit of merging")
                        profiles = enlarged(profiles, min(2 * most_states * length, most_entries))
                    cells_of(best, u64(x * slots), u64(y * slots), width, u64(choices), stride, cell)
                    start = splits[split, ROW_PAIRS] - smallest - 2 * pairs[x]
                    for z in range(width):
                        c = u64(cell[z] - origin)
                        number = np.int64(slot[c])
                        if number < 0:
                            number = states
                            slot[c] = number
                            cells[number] = c
                            states += 1
                        profiles[u64(number * length + start - 2 * pairs[u64(y) + z])] += weight
    return states, cells, profiles


@njit(nogil=True, cache=True)
def fold_orbits(column_sums, states, stride, lowest, length, slot, cells, profiles):
    """Add the profile of every state to the one of its orbit whose entries decrease among equal columns.

    Two such states are as good as one: the last row sees the same columns in another order.  Emptied profiles
    remain, as zeros.  Returns nothing; `slot` is reset to -1.
    """
    columns = len(column_sums)
    t = np.zeros(columns, np.int64)
    tied = False
    for j in range(1, columns):
        tied = tied or column_sums[j] == column_sums[j - 1]
    if tied:
        for number in range(states):
            cell = cells[number]
            for j in range(columns):
                t[j] = lowest[j] + cell // stride[j]
                cell %= stride[j]
                i = j  # insertion among the equal columns before j
                while i > 0 and column_sums[i] == column_sums[i - 1] and t[i] > t[i - 1]:
                    t[i], t[i - 1] = t[i - 1], t[i]
                    i -= 1
            cell = 0
            for j in range(columns):
                cell += (t[j] - lowest[j]) * stride[j]
            if cell == cells[number]:
                continue
            slot[cells[number]] = -1
            kept = slot[cell]
            if kept < 0:
                slot[cell] = number
                cells[number] = cell
                continue
            for value in range(length):
                profiles[kept * length + value] += profiles[number * length + value]
                profiles[number * length + value] = 0
    for number in range(states):
        slot[cells[number]] = -1
