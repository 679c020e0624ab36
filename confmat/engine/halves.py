"""Half tables: every choice of some rows, listed once, grouped by column sums.

A table with r rows is an upper half (r // 2 of its rows) over a lower half.  The kernel needs two things of a half,
its pairs inside cells and best(T), the weight of the best matching of its rows into the columns of T, for the sets T
of columns that it may get; these make its *state*.  States with equal column sums form a *bucket*.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

import numpy as np
from numba import njit


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
def composition_rank(parts, total, binomial):
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
                bucket = composition_rank(sums[depth], total, binomial)
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
