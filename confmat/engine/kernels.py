"""The fast kernel: all tables of a margin class, as pairs of half tables.

A table with r rows is an upper half (its first r // 2 rows) over a lower half.  Two numbers of it matter, the
number of pairs inside cells, P, and the weight of the best matching of rows to columns, k:

    P = P(upper) + P(lower)
    k = max over sets T of columns, |T| = rows of the upper half, of best(upper, T) + best(lower, not T)

where best(half, T) is the best matching of the rows of the half into the columns of T: the expansion of a
determinant by complementary minors (Laplace) in the max-plus semiring.  So each half is listed once, as
*states* (P, best for every T) grouped by column sums into *buckets*; the tables with column margin mu are all
pairs of an upper state from the bucket c and a lower state from the bucket mu - c, and each costs a few 16-bit
additions, comparisons, and one increment of a histogram over (P, k).

The number of sets T is the length of a tuple and the histogram's index has the smallest sufficient type, so that
the compiler sees both as constants, unrolls the loop over T and vectorises the loop over states.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

import numpy as np
from numba import njit

# A histogram cell is 32 bits wide: it is emptied before it can have been incremented this often.
_HISTOGRAM_CAPACITY = 2**31 - 1


@dataclass(frozen=True)
class Half:
    """The states of half a table, sorted into buckets of equal column sums.

    ``best`` is flat: entry T of state i is best[T * states + i]; ``pairs`` holds stride * P, the half's share of
    the histogram index.  Bucket b holds the states ``offsets[b]`` to ``offsets[b + 1]``; its column sums are
    ``column_sums[b]``.  ``weights`` (states x primes), when asked for, is the product of 1/x! over the cells.
    """

    best: np.ndarray
    pairs: np.ndarray
    offsets: np.ndarray
    column_sums: np.ndarray
    weights: np.ndarray | None


def binomials(n: int, k: int) -> np.ndarray:
    """Pascal's triangle as far as the ranking of compositions of ``n`` into ``k`` parts needs it."""
    return np.array([[comb(a, b) for b in range(k + 1)] for a in range(n + k + 1)], np.int64)


@njit(nogil=True, cache=True)
def _composition_rank(parts, total, binomial):
    """Rank of a composition of ``total`` among all with as many parts, in increasing lexicographic order."""
    rank = 0
    rest = total
    s = len(parts)
    for j in range(s - 1):
        free = s - 1 - j
        rank += binomial[rest + free, free]
        rest -= parts[j]
        rank -= binomial[rest + free, free]
    return rank


@njit(nogil=True, cache=True)
def _first_composition(parts, total):
    parts[:] = 0
    parts[-1] = total


@njit(nogil=True, cache=True)
def _next_composition(parts):
    """Lexicographic successor in place; False after the last one."""
    j = len(parts) - 1
    while j > 0 and parts[j] == 0:
        j -= 1
    if j <= 0:
        return False
    last = parts[j]
    parts[j] = 0
    parts[-1] = last - 1
    parts[j - 1] += 1
    return True


def _expansions(s: int) -> tuple[np.ndarray, np.ndarray]:
    """The terms of the row expansion: (T, T without j, j) for every set T of columns and j in T, by size of T.

    Terms ``offsets[k]`` to ``offsets[k + 1]`` are those with |T| = k; the terms of one T are contiguous.
    """
    terms = []
    offsets = [0, 0]
    for size in range(1, s + 1):
        for chosen in combinations(range(s), size):
            columns = sum(1 << j for j in chosen)
            terms += [(columns, columns ^ (1 << j), j) for j in chosen]
        offsets.append(len(terms))
    return np.array(terms, np.int64), np.array(offsets, np.int64)


@njit(nogil=True, cache=True)
def _add_row(best, row, terms, first, last, result):
    """best(rows so far + this row, T) for all T of one size: the row takes one column of T."""
    previous = np.int64(-1)
    top = np.int16(-1)
    for e in range(first, last):
        columns = terms[e, 0]
        value = np.int16(best[terms[e, 1]] + row[terms[e, 2]])
        top = value if columns != previous or value > top else top
        result[columns] = top
        previous = columns


@njit(nogil=True, cache=True)
def _list_states(
    rows, s, subsets, expansions, stride, binomial, offsets, best_out, pairs_out, factors, weights_out, stop
):
    """Run through all choices of the rows twice: count the states of each bucket, then file them there."""
    terms, term_offsets = expansions
    depth = len(rows)
    total = rows.sum()
    cells = np.zeros((depth, s), np.int64)
    sums = np.zeros((depth + 1, s), np.int64)
    pairs = np.zeros(depth + 1, np.int64)
    best = np.zeros((depth + 1, 1 << s), np.int16)
    buckets = np.empty(len(pairs_out), np.int32)
    for filing in (False, True):
        listed = 0
        level = 0
        _first_composition(cells[0], rows[0])
        while level >= 0 and not stop[0]:
            x = cells[level]
            if filing:
                pairs[level + 1] = pairs[level]
                for j in range(s):
                    pairs[level + 1] += x[j] * (x[j] - 1) // 2
                first, last = term_offsets[level + 1], term_offsets[level + 2]
                _add_row(best[level], x, terms, first, last, best[level + 1])
            else:
                for j in range(s):
                    sums[level + 1, j] = sums[level, j] + x[j]
            if level + 1 < depth:
                level += 1
                _first_composition(cells[level], rows[level])
                continue
            if filing:
                bucket = buckets[listed]
                state = offsets[bucket]
                pairs_out[state] = pairs[depth] * stride
                for t in range(subsets.shape[0]):
                    top = best[depth, subsets[t, 0]]
                    for u in range(1, subsets.shape[1]):
                        top = max(top, best[depth, subsets[t, u]])
                    best_out[t, state] = top
                if weights_out is not None:
                    for q in range(weights_out.shape[1]):
                        weight = np.uint64(1)
                        prime = factors[q, 0]
                        for i in range(depth):
                            for j in range(s):
                                weight = weight * factors[q, cells[i, j] + 1] % prime
                        weights_out[state, q] = weight
                offsets[bucket] += 1
            else:
                bucket = _composition_rank(sums[depth], total, binomial)
                buckets[listed] = bucket
                offsets[bucket + 1] += 1
            listed += 1
            while level >= 0 and not _next_composition(cells[level]):
                level -= 1
        if filing:
            # Filing moved every offset to the end of its bucket, which is the start of the next one.
            for b in range(len(offsets) - 1, 0, -1):
                offsets[b] = offsets[b - 1]
            offsets[0] = 0
        else:
            for b in range(1, len(offsets)):
                offsets[b] += offsets[b - 1]


@njit(nogil=True, cache=True)
def _all_compositions(total, out):
    _first_composition(out[0], total)
    for i in range(1, len(out)):
        out[i] = out[i - 1]
        _next_composition(out[i])


def number_of_states(rows: tuple[int, ...], s: int) -> int:
    """How many states a half with these row sums has: the product of C(row + s - 1, s - 1)."""
    return prod(comb(row + s - 1, s - 1) for row in rows)


def list_half(
    rows: tuple[int, ...],
    s: int,
    subsets: np.ndarray,
    stride: int,
    index_type: type,
    inverse_factorials: np.ndarray | None,
    stop: np.ndarray,
) -> Half:
    """All states of a half table with the row sums ``rows`` and ``s`` columns.

    ``subsets[t]`` lists (as bit masks) the sets of columns whose best matchings compete for entry t of ``best``.
    ``inverse_factorials`` (primes x (1 + n + 1)): a prime, then 1/0!, 1/1!, ... modulo it.  Once ``stop[0]`` is
    set the listing ends early, and what it returns must not be used.
    Time O(states * 2^s), memory 2 |subsets| bytes a state.
    """
    total = sum(rows)
    states = number_of_states(rows, s)
    column_sums = np.empty((comb(total + s - 1, s - 1), s), np.int64)
    _all_compositions(total, column_sums)
    offsets = np.zeros(len(column_sums) + 1, np.int64)
    best = np.zeros((len(subsets), states), np.int16)
    pairs: np.ndarray = np.zeros(states, index_type)
    weights = None
    if inverse_factorials is not None:
        weights = np.ones((states, len(inverse_factorials)), np.uint64)
    if rows:
        margins = np.array(rows, np.int64)
        _list_states(
            margins,
            s,
            subsets,
            _expansions(s),
            stride,
            binomials(total, s),
            offsets,
            best,
            pairs,
            inverse_factorials,
            weights,
            stop,
        )
    else:
        offsets[-1] = 1
    return Half(best.ravel(), pairs, offsets, column_sums, weights)


@dataclass(frozen=True)
class Halves:
    """Both halves of all tables with one row margin; a table increments cell stride * P + k of the histogram.

    ``sets`` is the number of sets T; ``longest`` the size of the largest bucket.
    """

    upper: Half
    lower: Half
    sets: int
    stride: int
    histogram_size: int
    longest: int


def split_rows(rows: tuple[int, ...], s: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Upper (r // 2 rows) and lower half with the fewest states in all."""
    r = len(rows)

    def halves(chosen: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(rows[i] for i in chosen), tuple(rows[i] for i in range(r) if i not in chosen)

    return min(
        map(halves, combinations(range(r), r // 2)),
        key=lambda pair: number_of_states(pair[0], s) + number_of_states(pair[1], s),
    )


def list_halves(
    rows: tuple[int, ...], s: int, inverse_factorials: np.ndarray | None, stop: np.ndarray
) -> Halves:
    """The halves of all tables with the row margin ``rows`` and ``s >= len(rows)`` columns, n < 2^15."""
    upper_rows, lower_rows = split_rows(rows, s)
    columns = range(s)
    chosen = list(combinations(columns, len(upper_rows)))
    upper_sets = np.array([[sum(1 << j for j in t)] for t in chosen], np.int64)
    lower_sets = np.array(
        [
            [
                sum(1 << j for j in u)
                for u in combinations([j for j in columns if j not in t], len(lower_rows))
            ]
            for t in chosen
        ],
        np.int64,
    )
    # ceil(n/s) <= k <= n, and no more pairs lie within cells than within rows.
    n = sum(rows)
    stride = n - -(-n // s) + 1
    histogram_size = stride * sum(comb(row, 2) for row in rows) + n + 1
    index_type = np.uint16 if histogram_size <= 2**16 else np.uint32
    shape = (stride, index_type, inverse_factorials, stop)
    upper = list_half(upper_rows, s, upper_sets, *shape)
    lower = list_half(lower_rows, s, lower_sets, *shape)
    longest = int(max(np.diff(upper.offsets).max(), np.diff(lower.offsets).max()))
    return Halves(upper, lower, len(chosen), stride, histogram_size, longest)


@njit(nogil=True, cache=True)
def _pair_up(outer, outer_first, outer_size, inner, inner_first, inner_size, sets, index, histogram):
    """One increment of the histogram for each outer and each inner state of two matching buckets.

    ``outer`` and ``inner`` are (best, pairs), flat: entry T of state i is best[T * states + i].  Unsigned indices
    and explicit 16-bit sums keep the loop over the inner states free of sign checks and widening, which is what
    lets it vectorise.
    """
    outer_best, outer_pairs = outer
    inner_best, inner_pairs = inner
    outer_states, inner_states = np.uint64(len(outer_pairs)), np.uint64(len(inner_pairs))
    i0, size = np.uint64(inner_first), np.uint64(inner_size)
    for o in range(np.uint64(outer_first), np.uint64(outer_first + outer_size)):
        for i in range(size):
            k = np.int16(outer_best[o] + inner_best[i0 + i])
            for t in range(np.uint64(1), np.uint64(len(sets))):
                value = np.int16(outer_best[t * outer_states + o] + inner_best[t * inner_states + i0 + i])
                k = value if value > k else k
            index[i] = k + inner_pairs[i0 + i]
        shift = np.uint64(outer_pairs[o])
        for i in range(size):
            histogram[shift + np.uint64(index[i])] += np.int32(1)


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
def _weigh_up(outer, outer_first, outer_size, inner, inner_first, inner_size, sets, primes, sums):
    """Like ``_pair_up``, adding the product of the two weights modulo each prime instead of 1.

    ``outer`` and ``inner`` are (best, pairs, weights).  A sum stays below 2^63 by taking off a multiple of the
    prime just below 2^63 when it passes; products of two residues are below 2^62.
    """
    outer_best, outer_pairs, outer_weights = outer
    inner_best, inner_pairs, inner_weights = inner
    outer_states, inner_states = len(outer_pairs), len(inner_pairs)
    half_range = np.uint64(1) << np.uint64(63)
    for o in range(outer_first, outer_first + outer_size):
        for i in range(inner_first, inner_first + inner_size):
            k = np.int16(outer_best[o] + inner_best[i])
            for t in range(1, len(sets)):
                value = np.int16(outer_best[t * outer_states + o] + inner_best[t * inner_states + i])
                k = value if value > k else k
            cell = np.int64(outer_pairs[o]) + np.int64(inner_pairs[i]) + k
            for q in range(len(primes)):
                total = sums[cell, q] + outer_weights[o, q] * inner_weights[i, q]
                if total >= half_range:
                    total -= half_range - half_range % primes[q]
                sums[cell, q] = total


@njit(nogil=True, cache=True)
def _spill(histogram, counts, low, high):
    for cell in range(low, high):
        counts[cell] += histogram[cell]
        histogram[cell] = 0


@njit(nogil=True, cache=True)
def enumerate_class(cols, upper, lower, sets, binomial, low, high, histogram, index, counts, weighing, stop):
    """Count the tables of one margin class by (P, k): adds to ``counts[low:high]``, returns their number.

    ``cols`` is the column margin; ``upper`` and ``lower`` are the fields of a ``Half``: (best flat, pairs,
    offsets, column_sums, weights); ``sets`` is any tuple with as many items as ``best`` has rows.
    ``histogram`` (int32, all zero) and ``index`` are scratch space.  ``weighing`` is None or (primes, sums): then
    ``sums[cell, q]`` also receives the weights modulo each prime.  Stops early when ``stop[0]`` is set.
    """
    upper_best, upper_pairs, upper_offsets, upper_sums, upper_weights = upper
    lower_best, lower_pairs, lower_offsets, lower_sums, lower_weights = lower
    upper_states, lower_states = (upper_best, upper_pairs), (lower_best, lower_pairs)
    upper_total, lower_total = upper_sums[0].sum(), lower_sums[0].sum()
    s = len(cols)
    split = np.zeros(s, np.int64)
    rest = np.zeros(s, np.int64)
    tables = pending = 0
    _first_split(cols, upper_total, split)
    more = True
    while more and not stop[0]:
        for j in range(s):
            rest[j] = cols[j] - split[j]
        b = _composition_rank(split, upper_total, binomial)
        c = _composition_rank(rest, lower_total, binomial)
        more = _next_split(cols, split)
        b0, b1 = upper_offsets[b], upper_offsets[b + 1]
        c0, c1 = lower_offsets[c], lower_offsets[c + 1]
        product = (b1 - b0) * (c1 - c0)
        tables += product
        # The shorter bucket goes outside: the inner loop is the vectorised one.
        if product <= _HISTOGRAM_CAPACITY:
            if pending + product > _HISTOGRAM_CAPACITY:
                _spill(histogram, counts, low, high)
                pending = 0
            pending += product
            if b1 - b0 <= c1 - c0:
                _pair_up(upper_states, b0, b1 - b0, lower_states, c0, c1 - c0, sets, index, histogram)
            else:
                _pair_up(lower_states, c0, c1 - c0, upper_states, b0, b1 - b0, sets, index, histogram)
        else:
            for o in range(b0, b1):
                _spill(histogram, counts, low, high)
                _pair_up(upper_states, o, 1, lower_states, c0, c1 - c0, sets, index, histogram)
            pending = c1 - c0
        if weighing is not None:
            primes, sums = weighing
            _weigh_up(
                (upper_best, upper_pairs, upper_weights),
                b0,
                b1 - b0,
                (lower_best, lower_pairs, lower_weights),
                c0,
                c1 - c0,
                sets,
                primes,
                sums,
            )
    _spill(histogram, counts, low, high)
    return tables
