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
additions, comparisons, and one addition to a histogram over (P, k).

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

# So many 16-bit numbers of an outer state are kept in registers, as a tuple; more of them are an array.
MOST_IN_REGISTERS = 10


@njit
def _index(best, inner_best, inner_pairs, i0, size, index, matched):
    """k + stride * P of an outer state, with entries ``best``, together with each inner state, into ``index``.

    ``PRIMES_TOGETHER`` inner states at a time, beyond their end where the last are fewer: a loop of known length has
    no remainder, which buckets of some thirty states mostly are.  Unsigned indices and explicit 16-bit sums keep the
    loop free of sign checks and widening, which is what lets it vectorise.
    """
    states = np.uint64(len(inner_pairs))
    if len(best) > MOST_IN_REGISTERS:  # of a tuple known to the compiler, which leaves one of both loops
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
    """The lexicographically largest split of the column margin: what of it falls into the upper half."""
    for j in range(len(cols)):
        split[j] = min(cols[j], total)
        total -= split[j]


@njit
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


@njit
def _pair_up(shift, weight, multiplicities, first, common, size, index, histogram):
    """Add to the histogram the tables of an outer state, of multiplicity ``weight``, with each of ``size`` inner ones.

    Inner states of the commonest multiplicity come first: one number is added for all of them.
    """
    # reads: a compiled loop is handed each array and number by itself
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
    """Like ``_pair_up``, with the product of the two weights modulo each prime.

    Of ``outer`` and ``inner`` the weights have ``LANES`` columns or a multiple of it.  A sum stays
    below 2^63 by taking off the largest multiple of the prime up to 2^63 when it passes; products of two residues are
    below 2^62.
    """
    # reads: a compiled loop is handed each array and number by itself
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
                # Below 2^63 less is larger than total, which is kept: it wraps around: no branch to be mispredicted.
                less = total - multiples[q]
                sums[cell, q] = less if less < total else total


@njit
def _join(outer, of_outer, inner, of_inner, best, rows, times, scratch, weighing, weight):
    """Add all tables with one split of the column margin, whose parts have these ranks, ``times`` times.

    Arrays are passed one by one, since unpacking tuples of them takes longer than pairing few states. ``best``,
    ``rows`` (a number for each set) and ``weight`` (one for each column of weights) are space.
    """
    # reads: a compiled loop is handed each array and number by itself
    histogram, (index, matched) = scratch
    b = outer[7][of_outer]
    c = inner[7][of_inner]
    i0 = np.uint64(inner[4][c])
    size = np.uint64(inner[4][c + 1]) - i0
    # Inner states are read in their own order of sets, and outer ones in the order that this gives.
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
    """Count the tables of one margin class by cell stride * P + k.

    ``cols`` is the column margin, equal ones side by side; ``halves`` are the fields of the upper and of the lower
    ``Half``, 16-bit integers for the sets, a tuple or an array, and (stride, binomials).  ``scratch`` is the
    histogram and space for a bucket: index and matched.  ``weighing`` is None, and the histogram gains the
    number of tables; or (primes, sums, multiples), see ``_weigh_up``, and ``sums[cell, q]`` gains the weights modulo
    each prime.  Stops early when ``stop[0]`` is set.
    """
    # reads: a compiled loop is handed each array and number by itself
    upper, lower, best, (_, binomial) = halves
    s = len(cols)
    split = np.zeros(s, np.int64)
    rest = np.zeros(s, np.int64)
    lanes = 0 if weighing is None else len(weighing[2])
    weight = np.ones(lanes, np.uint64)  # lanes beyond the primes are not read
    rows = np.zeros(len(best), np.uint64)  # where the entries of the outer states for a set begin
    _first_split(cols, upper[6], split)
    more = True
    while more and not stop[0]:
        # Tables whose equal columns are permuted have the same P and k: one split stands for all.
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
        # The shorter bucket goes outside: the inner loop is the vectorised one.
        if upper[4][b + 1] - upper[4][b] > lower[4][c + 1] - lower[4][c]:
            _join(lower, of_lower, upper, of_upper, best, rows, times, scratch, weighing, weight)
        else:
            _join(upper, of_upper, lower, of_lower, best, rows, times, scratch, weighing, weight)


@njit
def gather(rows, cols, windows, weights, first_lines, halves, scratch, weighing, stop, dense):
    """Add the margin classes ``rows`` x ``cols[c]`` to the distribution of (m, A, B, P).

    ``windows``: bounds of P and k of each class, as of ``RowJob.windows``.  ``dense[m, first_lines[c] + P, q]``
    gains the weight of the tables of class c with these m and P: plainly, or with ``weighing`` modulo its primes, q
    over them.
    """
    # reads: a compiled loop is handed each array and number by itself
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
                # A loop of its own, which LLVM does not vectorise: with the sums in it, it does so from 40 cells on,
                # with masked scatters for every cell, a hundred times slower where cells are empty.
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
