"""Compiled loops of `confmat.engine.merging`: states and profiles of the first rows, joined with the last row.

That module explains the method and the words state, profile, group.  Two habits make the loops fast; neither changes a
result.  A short loop has a length that the compiler knows (``_UNROLLED``), so that it unrolls it and does sixteen
matrices at a time.  Flat arrays are indexed with unsigned 64-bit integers (``u64``), which spares a test for negative
indices.

>>> out = np.empty((6, 2), np.int16)
>>> fill_compositions(2, 2, out)
>>> out.tolist()
[[0, 0], [0, 1], [1, 0], [0, 2], [1, 1], [2, 0]]
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


BLOCK = 4  # profile entries taken at once by the convolution


@njit(nogil=True, cache=True)
def fill_last_rows(column_sums, candidates, smallest_column, rows, values):
    """Keep the last rows x that leave every column sum c_j + x_j >= ``smallest_column``.

    Row number i goes to ``rows[j * len(values) + i]`` and its R_x = sum of C(c_j + x_j, 2) - 2 C(x_j, 2) to
    ``values[i]``.  Returns (number kept, least R_x, largest R_x).
    """
    columns = len(column_sums)
    kept = least = largest = 0
    for candidate in range(candidates.shape[0]):
        fits = True
        value = 0
        for j in range(columns):
            x = np.int64(candidates[candidate, j])
            column = column_sums[j] + x
            fits = fits and column >= smallest_column
            value += column * (column - 1) // 2 - x * (x - 1)
        if not fits:
            continue
        for j in range(columns):
            rows[j * len(values) + kept] = candidates[candidate, j]
        values[kept] = value
        least = min(least, value) if kept else value
        largest = max(largest, value) if kept else value
        kept += 1
    return kept, least, largest


@njit(nogil=True, cache=True, fastmath={"contract"})
def join_last_row(
    rows, values, kept, least, spread, states, stride, lowest, length, cells, profiles, k_low, law
):
    """Add the profiles, convolved with the last rows, to ``law[k - k_low, value]``; empty them.

    For one state, k = max over j of (x_j + t_j) and R_x depend on the last row x alone: a histogram of
    (k, R_x) over all x, then one convolution with the profile for each k.  ``values`` is R_x, its least value
    is ``least`` and ``spread`` the number of values up to the largest.  All sums are whole numbers below 2^53
    (the caller has checked), thus exact in float64, in any order.
    """
    columns, capacity = u64(len(stride)), u64(len(values))
    value_of, index = np.empty(kept, np.uint32), np.empty(kept, np.uint32)
    for i in range(kept):
        value_of[i] = values[i] - least
    k_of = np.empty(kept, np.int16)
    histogram = np.zeros(law.shape[0] * spread, np.int32)
    profile = np.zeros(length + BLOCK)
    counts = np.zeros(spread + 3 * BLOCK)
    t = np.zeros(columns, np.int16)
    for number in range(states):
        first = number * length
        begin, end = 0, length
        while begin < end and profiles[first + begin] == 0:
            begin += 1
        if begin == end:
            continue
        while profiles[first + end - 1] == 0:
            end -= 1
        size = (end - begin + BLOCK - 1) // BLOCK * BLOCK
        profile[:size] = 0
        for value in range(begin, end):
            profile[value - begin] = profiles[first + value]
            profiles[first + value] = 0
        cell = np.int64(cells[number])
        for j in range(columns):
            t[j] = lowest[j] + cell // stride[j] - k_low
            cell %= stride[j]

        for j in range(u64(0), columns, u64(2)):
            other = min(j + u64(1), columns - u64(1))
            top, other_top, row, other_row = t[j], t[other], j * capacity, other * capacity
            for i in range(u64(kept)):
                k, second = np.int16(top + rows[row + i]), np.int16(other_top + rows[other_row + i])
                k = second if second > k else k
                if j > u64(0):
                    k = k_of[i] if k_of[i] > k else k
                k_of[i] = k
        smallest_k, largest_k = np.int16(32767), np.int16(-1)
        for i in range(u64(kept)):
            k = k_of[i]
            smallest_k = k if k < smallest_k else smallest_k
            largest_k = k if k > largest_k else largest_k
            index[i] = np.uint32(np.uint32(np.uint32(k) * np.uint32(spread)) + value_of[i])
        for i in range(u64(kept)):
            histogram[u64(index[i])] += np.int32(1)
        for k in range(smallest_k, largest_k + 1):
            convolve(histogram[k * spread : (k + 1) * spread], profile[:size], counts, law[k, begin:])


@njit(nogil=True, cache=True, fastmath={"contract"})
def convolve(histogram, profile, counts, law):
    """law[a + b] += profile[a] * histogram[b] for all a, b; the histogram is emptied.

    len(profile) is a multiple of BLOCK; ``counts`` is room for the non-zero range of the histogram between
    zeros.  BLOCK products at a time are added to an entry of the law, to read and write it less often.
    """
    low, high = 0, len(histogram)
    while low < high and histogram[low] == 0:
        low += 1
    if low == high:
        return
    while histogram[high - 1] == 0:
        high -= 1
    width = high - low
    for b in range(width):
        counts[u64(BLOCK + b)] = histogram[u64(low + b)]
        histogram[u64(low + b)] = 0
    counts[:BLOCK] = 0
    reach = (width + BLOCK - 1 + 3) // 4 * 4  # entries that a block reaches, in whole vectors of 4
    counts[BLOCK + width : BLOCK + reach] = 0
    for a in range(0, len(profile), BLOCK):
        p = u64(a)
        start = u64(low + a)
        for b in range(u64(reach)):
            value = law[start + b]
            for shift in range(u64(BLOCK)):
                value += profile[p + shift] * counts[b + u64(BLOCK) - shift]
            law[start + b] = value
