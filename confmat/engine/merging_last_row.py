"""Compiled loops of `confmat.engine.merging` over the last row: its histogram, convolved with the profiles.

`merging_kernels` says what makes them fast.
"""

# mypy: disable-error-code="no-untyped-def"
# (the arguments of compiled functions are arrays and integers, described in the docstrings)
import numpy as np

from confmat.compiled import njit

u64 = np.uint64
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
