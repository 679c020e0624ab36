"""Compiled kernel that counts all tables with given margins as pairs of half tables.

A table with r rows is an upper half (r // 2 of its rows) and a lower half. Two numbers of a table are counted:
P, the number of pairs of objects in a common cell, and k, the weight of the best matching of rows to columns:

    P = P(upper) + P(lower)
    k = max over sets T of columns of best(upper, T) + best(lower, not T)

where best(half, T) is the weight of the best matching of rows of the half to columns of T. This is the expansion of
a determinant by complementary minors (Laplace) in the max-plus semiring. Because best
increases with T, sets T with at most as many columns as the upper half has rows suffice. Their complements need not
have more columns than the lower half has rows.

Each half is listed once, as a *state*: P, and best for every T. States are grouped by their column sums into
*buckets*. A table with column sums mu is a pair of states: an upper one with column sums c and a lower one with
column sums mu - c. A pair costs some 16-bit additions and comparisons, and one addition to a histogram over (P, k).

The compiler needs constants: the number of sets T is the length of a tuple, and the index of the histogram has the
smallest sufficient type. It then unrolls the loop over T and vectorizes the loop over states.

>>> split = np.zeros(3, np.int64)
>>> _first_split(np.array([2, 1, 1]), 2, split)  # of the column margin (2, 1, 1), two points for the upper half
>>> splits = [split.tolist()]
>>> while _next_split(np.array([2, 1, 1]), split):
...     splits.append(split.tolist())
>>> splits
[[2, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
"""

import numpy as np

from confmat._engine.halves import LANES, PRIMES_TOGETHER, composition_rank, orbit_size
from confmat._numba import njit, with_item

# Up to this number of 16-bit entries of an outer state are in registers, as a tuple.  More entries are an array.
MOST_IN_REGISTERS = 10


@njit
def _index(best, inner_best, inner_pairs, i0, size, index, matched):
    """Compute the indices of tables in the histogram, without the pairs of the outer half, which the caller adds.

    The tables consist of one outer half and each of ``size`` inner halves from number ``i0`` on. ``index`` gets k +
    stride * P(inner half), and k is the weight of the best matching of the table. ``best`` has best(T) of the outer
    half for each set T. ``matched`` is working memory.

    ``PRIMES_TOGETHER`` inner states are evaluated at a time, if necessary beyond their end, because a loop of fixed
    length has no remainder. Unsigned indices and explicit 16-bit sums avoid sign checks and widening, so that the
    loop vectorizes.
    """
    states = np.uint64(len(inner_pairs))
    if (
        len(best) > MOST_IN_REGISTERS
    ):  # the length of a tuple is a constant, so that one of both loops is compiled
        for i in range(size):
            matched[i] = np.int16(best[0] + inner_best[i0 + i])
        for t in range(np.uint64(1), np.uint64(len(best))):
            begin = t * states + i0
            of_set = inner_best[begin : begin + size]
            own = best[t]
            for i in range(size):
                value = np.int16(own + of_set[i])
                matched[i] = max(matched[i], value)
        for i in range(size):
            index[i] = matched[i] + inner_pairs[i0 + i]
        return
    for first in range(np.uint64(0), size, np.uint64(PRIMES_TOGETHER)):
        for i in range(first, first + np.uint64(PRIMES_TOGETHER)):
            k = np.int16(best[0] + inner_best[i0 + i])
            for t in range(np.uint64(1), np.uint64(len(best))):
                value = np.int16(best[t] + inner_best[t * states + i0 + i])
                k = value if value > k else k
            index[i] = k + inner_pairs[i0 + i]


@njit
def _first_split(cols, total, split):
    """Write the largest vector with the sum ``total`` and entries up to ``cols`` into ``split``.

    Vectors of column sums of the upper half are enumerated in decreasing lexicographic order. This is the first of
    them.
    """
    for j in range(len(cols)):
        split[j] = min(cols[j], total)
        total -= split[j]


@njit
def _next_split(cols, split):
    """Replace ``split`` by its lexicographic predecessor with the same sum and 0 <= split <= cols.

    Return False, and leave ``split`` unchanged, if it has no predecessor.
    """
    s = len(cols)
    moved = split[s - 1]
    room = cols[s - 1] - moved
    for j in range(s - 2, -1, -1):
        if split[j] > 0 and room > 0:
            split[j] -= 1
            moved += 1
            for q in range(j + 1, s):
                split[q] = min(cols[q], moved)
                moved -= split[q]
            return True
        moved += split[j]
        room += cols[j] - split[j]
    return False


@njit
def _pair_up(shift, weight, multiplicities, first, common, size, index, histogram):
    """Add to the histogram the tables made of one outer half and each of ``size`` inner halves.

    The tables have the positions ``shift + index[i]``. The outer half counts ``weight`` times, and inner half i
    counts ``multiplicities[first + i]`` times. The first ``common`` inner halves have equal multiplicities, so that
    one number is added for all of them.
    """
    # reads: a compiled loop takes each array and number as an argument
    kind = histogram.dtype.type
    if common:
        of_common = kind(weight * multiplicities[first])
        for i in range(common):
            histogram[shift + np.uint64(index[i])] += of_common
    for i in range(common, size):
        of_state = kind(weight * multiplicities[first + i])
        histogram[shift + np.uint64(index[i])] += of_state


@njit
def _weigh_up(outer, o, inner, bucket, size, index, times, weighing, weight):
    """Add the weights of the tables made of one outer half and each of ``size`` inner halves, modulo each prime.

    ``o`` is the index of the outer half, and ``bucket`` that of the bucket of inner halves. The weight of a table
    is (weight of the outer half) x (weight of the inner half) x ``times``. ``index[i]`` is its index in the
    histogram without the pairs of the outer half. ``weight`` is working memory. Products of two residues are below
    2^62. A sum above 2^63 is reduced by the largest multiple of the prime below 2^63.
    """
    # reads: a compiled loop takes each array and number as an argument
    primes, sums, multiples = weighing
    weights = inner[3]
    first_state = np.uint64(inner[4][bucket])
    shift = np.uint64(outer[1][o])
    for q in range(len(primes)):
        residue = np.uint64(outer[3][o, q])
        weight[q] = residue * np.uint64(times) % primes[q]
    for first in range(np.uint64(0), np.uint64(len(multiples)), np.uint64(LANES)):
        for i in range(size):
            cell = shift + np.uint64(index[i])
            for q in range(first, first + np.uint64(LANES)):
                of_state = np.uint64(weights[first_state + i, q])
                total = sums[cell, q] + weight[q] * of_state
                # If total is below 2^63, less wraps around and exceeds it.  No branch can be mispredicted.
                less = total - multiples[q]
                sums[cell, q] = less if less < total else total


@njit
def _join(outer, of_outer, inner, of_inner, best, rows, times, scratch, weighing, weight):
    """Add to the histogram all tables made of upper and lower halves with given column sums, each ``times`` times.

    The caller calls one of the halves the outer one: the loop over its states is the outer loop. ``of_outer`` and
    ``of_inner`` are the ranks of the column sums of both halves among all compositions. ``weighing`` is explained
    in ``enumerate_class``. ``best``, ``rows``, ``scratch`` and ``weight`` are arrays that are overwritten. Arrays
    are separate arguments, because unpacking tuples takes longer than pairing few states.
    """
    # reads: a compiled loop takes each array and number as an argument
    histogram, (index, matched) = scratch
    b = outer[7][of_outer]
    c = inner[7][of_inner]
    i0 = np.uint64(inner[4][c])
    size = np.uint64(inner[4][c + 1]) - i0
    # Inner states are read in their own order of sets, and the sets of outer states are permuted to match.
    own_order = inner[8][of_inner]
    order = outer[8][of_outer]
    outer_states = np.uint64(len(outer[1]))
    for t in range(len(best)):
        rows[t] = np.uint64(outer[9][order, inner[10][own_order, t]]) * outer_states
    outer_best = outer[0]
    outer_pairs = outer[1]
    outer_multiplicities = outer[2]
    inner_best = inner[0]
    inner_pairs = inner[1]
    multiplicities = inner[2]
    common = np.uint64(inner[5][c]) - i0
    for o in range(np.uint64(outer[4][b]), np.uint64(outer[4][b + 1])):
        for t in range(np.uint64(len(best))):
            best = with_item(best, t, outer_best[rows[t] + o])
        _index(best, inner_best, inner_pairs, i0, size, index, matched)
        if weighing is None:
            shift = np.uint64(outer_pairs[o])
            _pair_up(
                shift, times * outer_multiplicities[o], multiplicities, i0, common, size, index, histogram
            )
        else:
            _weigh_up(outer, o, inner, c, size, index, times, weighing, weight)


@njit
def enumerate_class(cols, halves, scratch, weighing, stop):
    """Add the tables with given margins to a histogram, a table at index stride * P + k.

    P is the number of pairs of objects in common cells, k the weight of the best matching. Stop early if
    ``stop[0]`` is set.

    Parameters
    ----------
    cols : array of int
        Column sums. Equal column sums are adjacent.
    halves : tuple
        Four items: the fields of the upper ``Half``, those of the lower ``Half``, working memory of a 16-bit
        integer for each set T, and (stride, binomials).
    scratch : tuple
        Histogram, and working memory for a bucket: ``index`` and ``matched``.
    weighing : tuple or None
        None: the histogram is increased by the numbers of tables. (primes, sums, multiples): instead ``sums[cell,
        q]`` is increased by the weights modulo prime q.
    """
    # reads: a compiled loop takes each array and number as an argument
    upper, lower, best, (_, binomial) = halves
    s = len(cols)
    split = np.zeros(s, np.int64)
    rest = np.zeros(s, np.int64)
    lanes = 0 if weighing is None else len(weighing[2])
    weight = np.ones(lanes, np.uint64)  # lanes beyond the primes are not read
    rows = np.zeros(
        len(best), np.uint64
    )  # for each set, the first index of its entries in ``best`` of the outer half
    _first_split(cols, upper[6], split)
    more = True
    while more and not stop[0]:
        # Tables that differ by a permutation of equal columns have the same P and k: one split represents all.
        times = orbit_size(split, cols)
        if not times:
            more = _next_split(cols, split)
            continue
        for j in range(s):
            rest[j] = cols[j] - split[j]
        of_upper = composition_rank(split, upper[6], binomial)
        of_lower = composition_rank(rest, lower[6], binomial)
        more = _next_split(cols, split)
        b = upper[7][of_upper]
        c = lower[7][of_lower]
        # The shorter bucket is in the outer loop, because the inner loop is vectorized.
        if upper[4][b + 1] - upper[4][b] > lower[4][c + 1] - lower[4][c]:
            _join(lower, of_lower, upper, of_upper, best, rows, times, scratch, weighing, weight)
        else:
            _join(upper, of_upper, lower, of_lower, best, rows, times, scratch, weighing, weight)


@njit
def gather(rows, cols, windows, weights, first_lines, halves, scratch, weighing, stop, dense):
    """Add the tables with margins ``rows`` x ``cols[c]``, for each c, to the distribution of (m, A, B, P).

    m is n MED. A, B and P are the numbers of pairs of objects in a common row, column and cell. The margins
    determine A and B. ``dense[m, first_lines[c] + P, q]`` is increased by the weight of the tables with this m and
    P, times ``weights[c]``. With ``weighing`` (see ``enumerate_class``) this is the weight modulo prime q,
    otherwise q is 0. ``windows[:, c]`` has bounds of P and of n - m, as in ``RowJob.windows``.
    """
    # reads: a compiled loop takes each array and number as an argument
    histogram = scratch[0]
    stride = halves[3][0]
    fewest_matched = rows.sum() - stride + 1
    for c in range(len(cols)):
        least, most, matched = windows[:, c]
        enumerate_class(cols[c], halves, scratch, weighing, stop)
        for p in range(least, most + 1):
            line = first_lines[c] + p
            cell = np.uint64(stride * p + fewest_matched)
            after = np.uint64(stride * p + matched + 1)
            while True:
                # A separate loop finds the next nonzero cell.  With the sums in the same loop, LLVM vectorizes it by
                # masked scatters for every cell, a hundred times slower if most cells are empty.
                if weighing is None:
                    while cell < after and histogram[cell] == 0:
                        cell += np.uint64(1)
                else:
                    while cell < after and not weighing[1][cell].any():
                        cell += np.uint64(1)
                if cell >= after:
                    break
                matched_points = np.int64(cell) - stride * p - fewest_matched
                m = stride - 1 - matched_points
                if weighing is None:
                    dense[m, line, 0] += weights[c] * np.int64(histogram[cell])
                    histogram[cell] = 0
                else:
                    primes, sums, _ = weighing
                    for q in range(len(primes)):
                        prime = np.int64(primes[q])
                        of_cell = np.int64(sums[cell, q] % primes[q])
                        value = of_cell * (weights[c] % prime) % prime
                        sums[cell, q] = np.uint64(0)
                        dense[m, line, q] += value
                        dense[m, line, q] %= prime
