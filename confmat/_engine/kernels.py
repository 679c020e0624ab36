"""The fast kernel: all tables of a margin class, as pairs of half tables.

A table with r rows is an upper half (its first r // 2 rows) over a lower half.  Two numbers of it matter, the
number of pairs inside cells, P, and the weight of the best matching of rows to columns, k:

    P = P(upper) + P(lower)
    k = max over sets T of columns of best(upper, T) + best(lower, not T)

where best(half, T) is the best matching of rows of the half to columns of T: the expansion of a determinant by
complementary minors (Laplace) in the max-plus semiring.  No T has more columns than the upper half has rows, nor leaves
more than the lower half has: best grows with T.  So each half is listed once, as
*states* (P, best for every T) grouped by column sums into *buckets*; the tables with column margin mu are all
pairs of an upper state from the bucket c and a lower state from the bucket mu - c, and each costs a few 16-bit
additions, comparisons, and one increment of a histogram over (P, k).

The number of sets T is the length of a tuple and the histogram's index has the smallest sufficient type, so that
the compiler sees both as constants, unrolls the loop over T and vectorises the loop over states.

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

# A histogram cell is 32 bits wide: it is emptied before it can have been incremented this often.
HISTOGRAM_CAPACITY = 2**31 - 1


# So many 16-bit numbers of an outer state are kept in registers; LLVM does not unroll the loop over more of them.
_MOST_KEPT = 10


@njit(nogil=True, cache=True)
def _index(index, o, outer, inner, i0, size, sets):
    """k + the inner pairs of outer state o with each inner state: into ``index``.

    ``AT_ONCE`` inner states at a time, beyond their end where the last are fewer: a loop of known length has no
    remainder, which buckets of some thirty states mostly are.  What the outer state adds is read before: a load that
    an assignment to ``index`` might change costs a test of overlapping arrays for each outer state.
    """
    outer_best = outer[0]
    outer_pairs = outer[1]
    inner_best = inner[0]
    inner_pairs = inner[1]
    outer_states = np.uint64(len(outer_pairs))
    inner_states = np.uint64(len(inner_pairs))
    if len(sets) > _MOST_KEPT:  # known to the compiler, which leaves one of both loops
        for i in range(size):
            k = np.int16(outer_best[o] + inner_best[i0 + i])
            for t in range(np.uint64(1), np.uint64(len(sets))):
                value = np.int16(outer_best[t * outer_states + o] + inner_best[t * inner_states + i0 + i])
                k = value if value > k else k
            index[i] = k + inner_pairs[i0 + i]
        return
    best = sets
    for t in range(np.uint64(len(sets))):
        best = with_item(best, t, outer_best[t * outer_states + o])
    for first in range(np.uint64(0), size, np.uint64(PRIMES_TOGETHER)):
        for i in range(first, first + np.uint64(PRIMES_TOGETHER)):
            k = np.int16(best[0] + inner_best[i0 + i])
            for t in range(np.uint64(1), np.uint64(len(sets))):
                value = np.int16(best[t] + inner_best[t * inner_states + i0 + i])
                k = value if value > k else k
            index[i] = k + inner_pairs[i0 + i]


@njit(nogil=True, cache=True)
def _pair_up(outer, outer_first, outer_size, inner, inner_first, inner_size, sets, index, histogram, times):
    """``times`` in a cell of the histogram for each outer and each inner state of two matching buckets.

    ``outer`` and ``inner`` are (best, pairs, weights), best flat: entry T of state i is best[T * len(pairs) + i].
    Unsigned indices and explicit 16-bit sums keep the loop over the inner states free of sign checks and widening,
    which is what lets it vectorise.
    """
    # reads: a compiled loop is handed each array and number by itself
    i0 = np.uint64(inner_first)
    size = np.uint64(inner_size)
    for o in range(np.uint64(outer_first), np.uint64(outer_first + outer_size)):
        _index(index, o, outer, inner, i0, size, sets)
        shift = np.uint64(outer[1][o])
        for i in range(size):
            histogram[shift + np.uint64(index[i])] += np.int32(times)


@njit(nogil=True, cache=True)
def _first_split(cols, total, split):
    """The lexicographically largest split of the column margin: what of it falls into the upper half."""
    for j in range(len(cols)):
        split[j] = min(cols[j], total)
        total -= split[j]


@njit(nogil=True, cache=True)
def _next_split(cols, split):
    """Lexicographic predecessor with the same total, 0 <= split <= cols, in place; False after the last one."""
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


@njit(nogil=True, cache=True)
def _weigh_up(outer, outer_first, outer_size, inner, inner_first, inner_size, sets, index, weighing, times):
    """Like ``_pair_up``, adding the product of the two weights, so many ``times``, modulo each prime.

    Of ``outer`` and ``inner`` the weights have ``LANES`` columns or a multiple of it.  A sum stays
    below 2^63 by taking off the largest multiple of the prime up to 2^63 when it passes; products of two residues are
    below 2^62.
    """
    # reads: a compiled loop is handed each array and number by itself
    primes, sums, multiples = weighing
    weight = np.ones(len(multiples), np.uint64)  # the lanes beyond the primes are not read
    i0 = np.uint64(inner_first)
    size = np.uint64(inner_size)
    for o in range(np.uint64(outer_first), np.uint64(outer_first + outer_size)):
        _index(index, o, outer, inner, i0, size, sets)
        shift = np.uint64(outer[1][o])
        for q in range(len(primes)):
            weight[q] = np.uint64(outer[2][o, q]) * np.uint64(times) % primes[q]
        for first in range(np.uint64(0), np.uint64(len(multiples)), np.uint64(LANES)):
            for i in range(size):
                cell = shift + np.uint64(index[i])
                for q in range(first, first + np.uint64(LANES)):
                    total = sums[cell, q] + weight[q] * np.uint64(inner[2][i0 + i, q])
                    # Below the multiple it wraps around: no branch to be mispredicted.
                    less = total - multiples[q]
                    sums[cell, q] = less if less < total else total


@njit(nogil=True, cache=True)
def _spill(histogram, counts, low, high, times):
    for cell in range(low, high):
        counts[cell] += times * np.int64(histogram[cell])
        histogram[cell] = 0


@njit(nogil=True, cache=True)
def enumerate_class(cols, window, halves, scratch, weighing, stop):
    """Count the tables of one margin class by (P, k); returns their number.

    Cell i = stride * P + k, P within ``window``, gains ``counts[i] + histogram[i]``: the 32-bit histogram is emptied
    into the 64-bit counts whenever it might overflow, never for a class of up to ``HISTOGRAM_CAPACITY`` tables.

    ``cols`` is the column margin, equal ones side by side; ``halves`` are the fields of the upper and of the lower
    ``Half``, (best flat, pairs, offsets, total, weights), any tuple of 16-bit integers, as many as ``best`` has
    rows, and (stride, binomials).  ``scratch`` is space: histogram, index and counts, all zero.  ``weighing`` is None
    or (primes, sums, multiples), see ``_weigh_up``: then ``sums[cell, q]`` also receives the weights modulo each prime.
    Stops early when ``stop[0]`` is set.
    """
    upper, lower, sets, (stride, binomial) = halves
    histogram, index, counts = scratch
    low = stride * window[0]
    high = min(
        stride * (window[1] + 1) + cols.sum() + 1,
        len(counts),
    )
    upper_best, upper_pairs, upper_offsets, upper_total, upper_weights = upper
    lower_best, lower_pairs, lower_offsets, lower_total, lower_weights = lower
    upper_states = (upper_best, upper_pairs, upper_weights)
    lower_states = (lower_best, lower_pairs, lower_weights)
    s = len(cols)
    split = np.zeros(s, np.int64)
    rest = np.zeros(s, np.int64)
    tables = pending = 0
    _first_split(cols, upper_total, split)
    more = True
    while more and not stop[0]:
        # Tables whose equal columns are permuted have the same P and k: one split stands for all.
        times = orbit_size(split, cols)
        if not times:
            more = _next_split(cols, split)
            continue
        for j in range(s):
            rest[j] = cols[j] - split[j]
        b = composition_rank(split, upper_total, binomial)
        c = composition_rank(rest, lower_total, binomial)
        more = _next_split(cols, split)
        outer = upper_states
        outer_first = upper_offsets[b]
        outer_size = upper_offsets[b + 1] - outer_first
        inner = lower_states
        inner_first = lower_offsets[c]
        inner_size = lower_offsets[c + 1] - inner_first
        product = outer_size * inner_size * times
        tables += product
        # The shorter bucket goes outside: the inner loop is the vectorised one.
        if outer_size > inner_size:
            outer, inner = inner, outer
            outer_first, inner_first = inner_first, outer_first
            outer_size, inner_size = inner_size, outer_size
        if product <= HISTOGRAM_CAPACITY:
            if pending + product > HISTOGRAM_CAPACITY:
                _spill(histogram, counts, low, high, 1)
                pending = 0
            pending += product
            _pair_up(
                outer, outer_first, outer_size, inner, inner_first, inner_size, sets, index, histogram, times
            )
        else:
            _spill(histogram, counts, low, high, 1)
            pending = 0
            for o in range(outer_first, outer_first + outer_size):
                _pair_up(outer, o, 1, inner, inner_first, inner_size, sets, index, histogram, 1)
                _spill(histogram, counts, low, high, times)
        if weighing is not None:
            _weigh_up(
                outer, outer_first, outer_size, inner, inner_first, inner_size, sets, index, weighing, times
            )
    return tables


@njit(nogil=True, cache=True)
def gather(rows, cols, windows, weights, first_lines, halves, scratch, weighing, stop, dense):
    """Add the margin classes ``rows`` x ``cols[c]`` to the law of (m, A, B, P).

    ``windows``: bounds of P and k of each class, as of ``RowJob.windows``.  ``dense[m, first_lines[c] + P, q]``
    gains the weight of the tables of class c with these m and P: plainly, or with ``weighing`` modulo its primes, q
    over them.
    """
    # reads: a compiled loop is handed each array and number by itself
    histogram = scratch[0]
    counts = scratch[2]
    stride = halves[3][0]
    fewest_matched = rows.sum() - stride + 1
    for c in range(len(cols)):
        least, most, matched = windows[:, c]
        tables = enumerate_class(
            cols[c],
            windows[:, c],
            halves,
            scratch,
            weighing,
            stop,
        )
        spilled = tables > HISTOGRAM_CAPACITY
        for p in range(least, most + 1):
            line = first_lines[c] + p
            cell = np.uint64(stride * p + fewest_matched)
            after = np.uint64(stride * p + matched + 1)
            while True:
                # A loop of its own, which LLVM does not vectorise: with the sums in it, it does so from 40 cells on,
                # with masked scatters for every cell, a hundred times slower where cells are empty.
                while cell < after and histogram[cell] == 0 and not (spilled and counts[cell]):
                    cell += np.uint64(1)
                if cell >= after:
                    break
                i = np.int64(cell) - stride * p - fewest_matched
                x = np.int64(histogram[cell])
                if spilled:
                    x += counts[cell]
                    counts[cell] = 0
                histogram[cell] = 0
                if weighing is None:
                    dense[stride - 1 - i, line, 0] += weights[c] * x
                else:
                    primes, sums, _ = weighing
                    for q in range(len(primes)):
                        prime = np.int64(primes[q])
                        value = np.int64(sums[cell, q] % primes[q]) * (weights[c] % prime) % prime
                        sums[cell, q] = np.uint64(0)
                        dense[stride - 1 - i, line, q] = (dense[stride - 1 - i, line, q] + value) % prime
