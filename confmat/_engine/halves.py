"""Half tables: all ways to fill some rows of a table, listed once for each decreasing vector of column sums.

A table with r rows is an upper half (r // 2 of its rows) and a lower half. The *state* of a half has two parts: P,
the number of pairs of objects in a common cell, and best(T) for each set T of columns. best(T) is the weight of the
best matching of the rows of the half to the columns of T. States with equal column sums form a *bucket*. Halves
that differ in the order of equal rows have equal states. Equal states are merged into one state, whose multiplicity
is their number. If the columns of a half are permuted, best(T) becomes that of the permuted set T.

>>> halves = list_halves((1, 1, 1), np.array([[2, 1]]), None, np.zeros(1, np.uint8))  # (1) over (1, 1)
>>> halves.lower.multiplicities.tolist(), halves.lower.offsets.tolist()  # column sums (1, 1) in two ways, and (2, 0)
([2, 1], [0, 1, 2])
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from math import comb, factorial, inf, prod
from typing import NamedTuple

import numpy as np

from confmat._engine.tables import pairs_within_cells, tables_with
from confmat._integers.arrays import compositions, distinct, ends_after, read_only
from confmat._integers.compositions import Side
from confmat._numba import copy, njit

# Number of residues that are multiplied at once.
LANES = 4

# Number of states that are paired with another state at once: 256 bits of ``best``.  The arrays have this number of
# meaningless states at their end.
PRIMES_TOGETHER = 16


class Half(NamedTuple):
    """States of half a table, sorted into buckets of equal decreasing column sums.

    The sets T of columns are numbered, as in the tuple ``sets`` of ``list_half``.

    Attributes
    ----------
    best : array of int16
        best(T) of state i is ``best[t * len(pairs) + i]`` for the set T with number t.
    pairs : array of int
        stride * P of each state. ``PRIMES_TOGETHER`` meaningless entries follow the last state, also in ``best``.
    multiplicities : array of int
        Number of half tables with each state.
    weights : array of int or None
        States x primes, padded by zeros to a multiple of ``LANES`` columns. The weight of a state is the sum of
        prod 1/x! over its half tables with cells x, modulo each prime.
    offsets : array of int
        Bucket b has the states ``offsets[b]`` to ``offsets[b + 1]`` (exclusive).
    ends_of_common : array of int
        The states of bucket b before ``ends_of_common[b]`` have the most frequent multiplicity of the half.
    total : int
        Number of objects of the half.
    buckets : array of int
        ``buckets[k]`` is the bucket of the k-th composition of ``total``, in lexicographic order.
    orders, places : array of int
        If the columns of composition k are sorted decreasingly, set number t becomes set number ``places[orders[k],
        t]``.
    sets_there : array of int
        Inverse permutations of the rows of ``places``.
    """

    best: np.ndarray
    pairs: np.ndarray
    multiplicities: np.ndarray
    weights: np.ndarray | None
    offsets: np.ndarray
    ends_of_common: np.ndarray
    total: int
    buckets: np.ndarray
    orders: np.ndarray
    places: np.ndarray
    sets_there: np.ndarray


class Halves(NamedTuple):
    """Both halves of all tables with one row margin.

    ``sets`` is the number of sets T of columns, and ``longest`` the number of states in the largest bucket. Whole
    tables are counted in a histogram at index stride * P + k. P is the number of pairs of objects in common cells,
    and k the weight of the best matching, which has at most ``stride`` values.
    """

    upper: Half
    lower: Half
    sets: int
    stride: int
    longest: int


@lru_cache(maxsize=2**10)
def binomials(n: int, k: int) -> np.ndarray:
    """Return the array of binomial coefficients C(a, b) at [a, b], for a <= ``n`` + ``k`` and b <= ``k``.

    The lexicographic rank of a composition of ``n`` into ``k`` parts is a sum of these.
    """
    triangle = np.zeros((n + k + 1, k + 1), np.int64)
    for a, row in enumerate(triangle):
        row[:] = [comb(a, b) for b in range(k + 1)]
    return read_only(triangle)


@njit
def composition_rank(parts, total, binomial):
    """Return the lexicographic rank of the composition ``parts`` of ``total``, from 0.

    Only compositions with the same number of parts are ranked. ``binomial`` is the result of ``binomials``.
    """
    rank = 0
    rest = total
    s = len(parts)
    for j in range(s - 1):
        free = s - 1 - j
        rank = rank + binomial[rest + free, free]
        rest = rest - parts[j]
        rank = rank - binomial[rest + free, free]
    return rank


@njit
def orbit_size(x, column_sums):
    """Return the number of vectors that ``x`` becomes if entries of columns with equal sums are exchanged.

    The result is 0 if ``x`` increases within columns of equal sums, because only the decreasing vector represents
    the others. Equal entries of ``column_sums`` are adjacent.
    """
    size = 1
    run = equal = 1  # length so far of the run of equal column sums, and of equal entries in it
    for j in range(1, len(x)):
        if column_sums[j] != column_sums[j - 1]:
            run = equal = 1
            continue
        if x[j] > x[j - 1]:
            return 0
        run += 1
        equal = equal + 1 if x[j] == x[j - 1] else 1
        size = size * run // equal
    return size


class _Buckets(NamedTuple):
    """Result of ``_buckets_of``: the decreasing vectors with a given sum (``sums``), and fields of ``Half``."""

    sums: np.ndarray
    buckets: np.ndarray
    orders: np.ndarray
    places: np.ndarray
    sets_there: np.ndarray


@lru_cache(maxsize=64)
def _buckets_of(total: int, s: int, sets: tuple[int, ...]) -> _Buckets:
    """Sort each composition of ``total`` into ``s`` parts decreasingly, and find the set that each column set becomes.

    The result has the fields ``sums`` (the sorted vectors), ``buckets``, ``orders``, ``places`` and ``sets_there``.
    Composition k becomes ``sums[buckets[k]]`` when its columns are sorted. The set of columns ``sets[t]`` (a bit
    mask) then becomes ``sets[places[orders[k], t]]``. ``sets_there`` has the inverse permutations of the rows of
    ``places``.

    >>> found = _buckets_of(2, 2, (1, 2))
    >>> found.sums.tolist(), found.buckets.tolist(), found.places[found.orders].tolist()
    ([[1, 1], [2, 0]], [1, 0, 1], [[1, 0], [0, 1], [0, 1]])
    """
    every = compositions(total, s)
    by_size = np.argsort(-every, axis=1, kind="stable")
    decreasing = np.take_along_axis(every, by_size, axis=1)
    are_sorted = (every == decreasing).all(axis=1)
    rank_each = getattr(composition_rank, "py_func", composition_rank)
    ranks = np.zeros(len(every), np.int64)
    ranks += rank_each(decreasing.T, total, binomials(total, s))
    positions, orders = distinct(np.argsort(by_size, axis=1))
    members = np.array(sets)[:, None] >> np.arange(s) & 1
    place_of_set = np.zeros(1 << s, np.int64)
    place_of_set[np.array(sets)] = np.arange(len(sets))
    # The set of the new positions of the columns of each set, and the set whose columns get these positions.
    columns_there = np.argsort(positions, axis=1)
    places = place_of_set[(1 << positions) @ members.T]
    sets_there = place_of_set[(1 << columns_there) @ members.T]
    buckets = (np.cumsum(are_sorted) - 1)[ranks]
    found = [x.astype(np.int32) for x in (buckets, orders, places, sets_there)]
    return _Buckets(*map(read_only, (every[are_sorted], *found)))


# Number of tables that are evaluated at a time, so that the arrays of the expansion stay in the cache.
_BLOCK = 512


@njit
def _expand(cells, sets, best_out):
    """Compute best(T), the largest sum of a matching of rows to the columns of T, for each set T and many half tables.

    ``cells`` has shape (rows, s, number of tables). ``best_out[t, i]`` is set to best(T) of table i, for the set T
    with the bit mask ``sets[t]``. The method is dynamic programming over rows: each row gets one column of T or
    none.
    """
    depth, s, states = cells.shape
    best = np.zeros((1 << s, _BLOCK), np.int16)
    for first in range(0, states, _BLOCK):
        size = min(_BLOCK, states - first)
        best[:] = 0
        for i in range(depth):
            # Larger sets first: the smaller sets, which they read, do not include row i yet.
            for columns in range((1 << s) - 1, 0, -1):
                with_row = best[columns]
                for j in range(s):
                    if columns >> j & 1:
                        before = best[columns ^ (1 << j)]
                        x = cells[i, j, first : first + size]
                        for z in range(size):
                            matched = np.int16(before[z] + x[z])
                            with_row[z] = max(with_row[z], matched)
        for t in range(len(sets)):
            of_set = best[sets[t], :size]
            copy(of_set, best_out[t, first : first + size])


def lanes_of(primes: int) -> int:
    """Return the number of columns of weights for a number of primes: the next multiple of ``LANES``.

    >>> lanes_of(7)
    8
    """
    return -(-primes // LANES) * LANES


def number_of_states(rows: tuple[int, ...], s: int) -> int:
    """Return the number of tables with these row sums and ``s`` columns: the product of C(row + s - 1, s - 1)."""
    return prod(comb(row + s - 1, s - 1) for row in rows)


def states_listed(rows: tuple[int, ...], s: int) -> int:
    """Estimate the number of half tables with decreasing column sums, for both halves of a row margin.

    >>> states_listed((4, 3), 3), len(list(Side(4, 3).sorted())) + len(list(Side(3, 3).sorted()))
    (7, 7)
    """
    listed = 0
    for half in split_rows(rows, s):
        total = sum(half)
        decreasing = Side(total, s).count()
        listed += number_of_states(half, s) * decreasing // number_of_states((total,), s)
    return listed


def share_merged(rows: tuple[int, ...], s: int) -> float:
    """Estimate the fraction of pairs of states (upper, lower) that remain after equal states are merged.

    Halves that differ in the order of equal rows have equal states.

    >>> share_merged((5, 5, 4, 4), 4)
    0.25
    """
    orders = 1
    for half in split_rows(rows, s):
        orders *= _orders_of(Counter(half))
    return 1 / orders


def _orders_of(half: Counter[int]) -> int:
    """Return the number of permutations of the equal rows of a half, given the count of each row sum."""
    return prod(map(factorial, half.values()))


@lru_cache
def _multipliers(number: int) -> np.ndarray:
    """Return odd 64-bit numbers, by which the entries of a state are multiplied to make its hash.

    They are the same in every process.
    """
    return read_only(np.cumprod(np.full(number, 0x9E3779B97F4A7C15, np.uint64)))


def _products_of_factors(cells: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Return, for each table and each prime, the product of the factors of its cells modulo the prime.

    ``cells`` has shape (r, s, N). A row of ``factors`` contains a prime, and then the factors of cells with 0, 1,
    ... objects. The result has shape (primes, N).
    """
    products = np.ones((len(factors), cells.shape[2]), np.uint64)
    for x in cells.reshape(-1, cells.shape[2]):
        products *= factors[:, 1 + x]
        products %= factors[:, :1]
    return products


def list_half(
    rows: tuple[int, ...],
    largest: np.ndarray,
    own_sets: bool,
    sets: tuple[int, ...],
    stride: int,
    inverse_factorials: np.ndarray | None,
    stop: np.ndarray,
) -> Half:
    """List the states of the half tables with given row sums and with decreasing column sums up to ``largest``.

    Time O(tables 2^s), memory 4 |sets| + 40 bytes for each table. If ``stop[0]`` is set, the function returns early
    and its result is invalid.

    Parameters
    ----------
    largest : array of int
        Upper bound of each column sum.
    own_sets : bool
        True if best(T) is for the columns of each set T, False if it is for all other columns.
    sets : tuple of int
        Sets T of columns as bit masks.
    stride : int
        Factor of P in the index of the histogram.
    inverse_factorials : array of int, shape (primes, n + 2), or None
        Rows of a prime, then 1/0!, 1/1!, ..., 1/n! modulo it.

    Returns
    -------
    Half
    """
    buckets = _buckets_of(sum(rows), len(largest), sets)
    fitting = np.flatnonzero((buckets.sums <= largest).all(axis=1))
    masks = np.array(sets)
    if not own_sets:
        masks = (1 << len(largest)) - 1 - masks
    parts = []
    for lines, cells in tables_with(rows, buckets.sums[fitting]):
        best = np.zeros((len(sets), len(lines)), np.int16)
        _expand(cells.astype(np.int16), masks, best)
        weights = np.zeros((0, len(lines)), np.uint64)
        if inverse_factorials is not None:
            weights = _products_of_factors(cells, inverse_factorials)
        pairs = pairs_within_cells(cells).astype(np.uint32)
        parts.append((fitting[lines], pairs, best, weights))
        if stop[0]:
            break
    joined = [np.concatenate(part, axis=-1) for part in zip(*parts)]
    states = _merged(_States(*joined), inverse_factorials)
    number = len(buckets.sums)
    is_common = _are_commonest(states.multiplicities)
    offsets = ends_after(np.bincount(states.buckets, minlength=number))
    numbers_of_common = np.bincount(states.buckets[is_common], minlength=number)
    common_first = np.argsort(2 * states.buckets - is_common, kind="stable")
    with_room = np.append(common_first, [0] * PRIMES_TOGETHER)
    packed_weights = None
    if inverse_factorials is not None:
        primes = len(inverse_factorials)
        packed_weights = np.zeros((len(common_first), lanes_of(primes)), np.uint32)
        packed_weights[:, :primes] = states.weights[:, common_first].T
    return Half(
        states.best[:, with_room].ravel(),
        stride * states.pairs[with_room],
        states.multiplicities[common_first],
        packed_weights,
        offsets,
        offsets[:-1] + numbers_of_common,
        sum(rows),
        *buckets[1:],
    )


class _States(NamedTuple):
    """States of a half: buckets, pairs P, ``best`` (sets x N), weights (primes x N) and numbers of merged halves."""

    buckets: np.ndarray
    pairs: np.ndarray
    best: np.ndarray
    weights: np.ndarray
    multiplicities: np.ndarray = np.ones(0, np.int64)


def _merged(states: _States, inverse_factorials: np.ndarray | None) -> _States:
    """Merge equal states and add their weights modulo the primes. The result is sorted by bucket.

    Equal states are always in the same bucket, that is, they have the same column sums. ``inverse_factorials`` has
    the primes in its first column. It is None if states have no weights.
    """
    multipliers = _multipliers(len(states.best) + 1)
    keys = states.pairs * multipliers[-1]
    for of_set, multiplier in zip(states.best, multipliers):
        keys += of_set.astype(np.uint64) * multiplier
    # Equal states of a bucket get equal keys, and are then neighbours.
    bits = np.uint64(int(states.buckets.max()).bit_length())
    top_bits = states.buckets.astype(np.uint64) << np.uint64(64) - bits
    order = np.argsort(keys >> bits | top_bits)
    buckets = states.buckets[order]
    pairs = states.pairs[order]
    best = states.best[:, order]
    # If different states have the same key, equal states may not be adjacent.  They are then not merged, which is
    # correct.
    is_new = np.ones(len(order), bool)
    is_new[1:] = buckets[1:] != buckets[:-1]
    is_new[1:] |= pairs[1:] != pairs[:-1]
    differ = best[:, 1:] != best[:, :-1]
    is_new[1:] |= differ.any(axis=0)
    firsts = np.flatnonzero(is_new)
    weights = states.weights
    if inverse_factorials is not None:
        weights = np.add.reduceat(weights[:, order], firsts, axis=1)
        weights %= inverse_factorials[:, :1]
    multiplicities = np.diff(firsts, append=len(order))
    return _States(buckets[firsts], pairs[firsts], best[:, firsts], weights, multiplicities)


def _are_commonest(numbers: np.ndarray) -> np.ndarray:
    """Return a mask of the entries that are equal to the most frequent entry."""
    return numbers == np.bincount(numbers).argmax()


# With more tables than this of all row sums, the halves do not fit in memory, however the rows are split.
_HOPELESS = 2**80

# Cost of listing a state, in pairs of states counted.
_PAIRS_PER_STATE = 100


@lru_cache(maxsize=2**14)
def split_rows(rows: tuple[int, ...], s: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Split row sums into an upper half (r // 2 rows) and a lower half such that few states are listed and paired.

    Equal rows in one half are better, because their states are merged. Choices with the same row sums are compared
    only once, because 30 equal rows alone have 155 117 520 choices of 15.

    >>> split_rows((3, 2, 2, 1), 4), split_rows((12, 12, 12, 1, 1, 1), 6)
    (((3, 1), (2, 2)), ((12, 12, 1), (12, 1, 1)))
    """
    if number_of_states(rows, s) >= _HOPELESS:
        return rows[1::2], rows[::2]
    whole = Counter(rows)
    least = inf
    for counts in product(*(range(k, -1, -1) for k in whole.values())):
        if sum(counts) != len(rows) // 2:
            continue
        upper = Counter(dict(zip(whole, counts)))
        lower = whole - upper
        upper_rows = tuple(upper.elements())
        lower_rows = tuple(lower.elements())
        in_upper = number_of_states(upper_rows, s)
        in_lower = number_of_states(lower_rows, s)
        pairs = (in_upper // _orders_of(upper)) * (in_lower // _orders_of(lower))
        cost = pairs + _PAIRS_PER_STATE * (in_upper + in_lower)
        if cost < least:
            least = cost
            best = upper_rows, lower_rows
    return best


# Numbers of sets T for which a kernel is compiled.  One more kernel serves all larger numbers.
_SETS = (4, 6, 10)


@lru_cache
def competing_sets(upper: int, lower: int, s: int) -> tuple[int, ...]:
    """Return the sets T of at most ``upper`` columns whose complement has at most ``lower`` columns, as bit masks.

    These are the columns that a best matching can give to the ``upper`` rows of the upper half. The kernels are
    compiled for a few numbers of sets. Copies of the last set fill the tuple up to the next of these numbers.

    >>> competing_sets(1, 2, 3), competing_sets(2, 2, 2)
    ((1, 2, 4, 4), (0, 1, 2, 3))
    """
    fewest = max(0, s - lower)
    most = min(s, upper)
    sets = []
    for columns in range(1 << s):
        if fewest <= columns.bit_count() <= most:
            sets.append(columns)
    number = number_of_sets(upper, lower, s)
    sets += sets[-1:] * (number - len(sets))
    return tuple(sets)


def number_of_sets(upper: int, lower: int, s: int) -> int:
    """Return the length of ``competing_sets(upper, lower, s)`` without listing the sets.

    For 30 columns there can be too many sets to list.

    >>> number_of_sets(1, 2, 3), number_of_sets(15, 15, 30)
    (4, 155117520)
    """
    fewest = max(0, s - lower)
    number = 0
    for size in range(fewest, min(s, upper) + 1):
        number += comb(s, size)
    # The list is filled up to a length for which kernels are compiled.
    for most in _SETS:
        if number <= most:
            return most
    return number


def list_halves(
    rows: tuple[int, ...], cols: np.ndarray, inverse_factorials: np.ndarray | None, stop: np.ndarray
) -> Halves:
    """Return the upper and the lower half tables of all tables with the row sums ``rows`` and given column sums.

    Parameters
    ----------
    rows : tuple of int
        Row sums, with a total below 2^15.
    cols : array of int, shape (K, s)
        K vectors of column sums. Half tables with a column sum above the largest of that column are left out.
    inverse_factorials : array of int, shape (primes, n + 2), or None
        Rows of a prime, then 1/0!, 1/1!, ..., 1/n! modulo it. None for states without weights.
    stop : array
        If another thread sets ``stop[0]``, the function returns early and the result is invalid.

    Returns
    -------
    Halves
    """
    s = cols.shape[1]
    upper_rows, lower_rows = split_rows(rows, s)
    sets = competing_sets(len(upper_rows), len(lower_rows), s)
    # ceil(n/r) <= k <= n, and no more pairs lie within cells than within rows.
    n = sum(rows)
    stride = n - -(-n // len(rows)) + 1
    largest = cols.max(axis=0)
    upper = list_half(upper_rows, largest, True, sets, stride, inverse_factorials, stop)
    lower = list_half(lower_rows, largest, False, sets, stride, inverse_factorials, stop)
    longest = max(int(np.diff(half.offsets).max()) for half in (upper, lower))
    return Halves(upper, lower, len(sets), stride, longest)
