"""Half tables: every choice of some rows, listed once, grouped by column sums.

A table with r rows is an upper half (r // 2 of its rows) over a lower half.  The kernel needs two things of a half,
its pairs inside cells and best(T), the weight of the best matching of its rows to the columns of T, for the sets T of
columns that it may get; these make its *state*.  States with equal column sums form a *bucket*.

>>> halves = list_halves((2, 1), 2, None, np.zeros(1, np.uint8))  # (2) over (1)
>>> halves.upper.offsets.tolist(), halves.upper.best.reshape(halves.sets, -1)[:2, :3].tolist()
([0, 1, 2, 3], [[0, 1, 2], [2, 1, 0]])
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb, prod
from typing import NamedTuple

import numpy as np

from confmat._numba import copy, njit

# So many residues are multiplied at once.
LANES = 4

# So many states are paired with another at once: 256 bits of ``best``.  As many, of no table, follow the last state.
PRIMES_TOGETHER = 16


class Half(NamedTuple):
    """The states of half a table, sorted into buckets of equal column sums.

    ``best`` is flat: entry T of state i is best[T * len(pairs) + i]; ``pairs`` holds stride * P, the half's share of
    the histogram index.  Bucket b holds the states ``offsets[b]`` to ``offsets[b + 1]``, those whose column sums are
    the composition of ``total`` with this rank.  ``weights`` (states x primes, then 1 up to a multiple of ``LANES``),
    when asked for, is the product of 1/x! over the cells.
    """

    best: np.ndarray
    pairs: np.ndarray
    offsets: np.ndarray
    total: int
    weights: np.ndarray | None


@lru_cache(maxsize=2**10)
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
def next_composition(parts):
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


@njit(nogil=True, cache=True)
def orbit_size(x, column_sums):
    """Number of rearrangements of ``x`` among columns of equal sums; 0 unless x decreases in each such run.

    One vector of each orbit is thus kept and weighted.  ``column_sums`` is sorted, equal ones are adjacent.
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


@njit(nogil=True, cache=True)
def _fill_run(x, size, cells, state):
    """Write ``size`` states: table x, then one unit less in its last free cell again and again.

    The last free cell is that before the last one of the last row but one; what it loses the cell to its right
    gains, and the two cells below them the other way round.
    """
    depth, s = x.shape
    for i in range(depth):
        for j in range(s):
            step = 0
            if i >= depth - 2 and j >= s - 2:
                step = 1 if (i == depth - 2) == (j == s - 1) else -1
            value = np.int16(x[i, j])
            for z in range(state, state + size):
                cells[i, j, z] = value
                value += np.int16(step)


@njit(nogil=True, cache=True)
def _list_cells(rows, offsets, cells, stop):
    """The cells of all states, bucket after bucket: ``cells[i, j, state]``; sets ``offsets``.

    The last row and the last column follow from the others, the *free cells*, which count down like the digits
    of an odometer; the last of them runs through its range at once.
    """
    depth = len(rows)
    s = cells.shape[1]
    sums = np.zeros(s, np.int64)
    sums[-1] = rows.sum()
    if depth == 1:
        for state in range(len(offsets) - 1):
            copy(sums, cells[0, :, state])
            next_composition(sums)
            offsets[state + 1] = state + 1
        return
    x = np.zeros((depth, s), np.int64)
    rest = np.zeros((depth, s), np.int64)  # of the row, from this cell on
    left = np.zeros((depth, s), np.int64)  # of the column, from this cell on
    room = np.zeros((depth, s), np.int64)  # in the columns to the right of this cell
    free = (depth - 1) * (s - 1)
    state = 0
    for bucket in range(len(offsets) - 1):
        if stop[0]:
            return
        copy(sums, left[0])
        next_composition(sums)
        first = 0
        while first >= 0:
            # The free cells from the first on take as much as they can.
            for cell in range(first, free):
                i, j = divmod(cell, s - 1)
                if j > 0:
                    rest[i, j] = rest[i, j - 1] - x[i, j - 1]
                else:
                    rest[i, 0] = rows[i]
                    for c in range(s - 1, -1, -1):
                        if i > 0:
                            left[i, c] = left[i - 1, c] - x[i - 1, c]
                        room[i, c] = room[i, c + 1] + left[i, c + 1] if c < s - 1 else 0
                x[i, j] = min(left[i, j], rest[i, j])
                if j == s - 2:
                    x[i, s - 1] = rest[i, j] - x[i, j]
            i = depth - 2
            for j in range(s):
                x[i + 1, j] = left[i, j] - x[i, j]
            size = x[i, s - 2] - max(0, rest[i, s - 2] - room[i, s - 2]) + 1
            _fill_run(x, size, cells, state)
            state += size
            # The last free cell before the run that can give one up.
            first = free - 2
            while first >= 0:
                i, j = divmod(first, s - 1)
                if x[i, j] > max(0, rest[i, j] - room[i, j]):
                    x[i, j] -= 1
                    x[i, s - 1] += j == s - 2
                    first += 1
                    break
                first -= 1
        offsets[bucket + 1] = state


# States are evaluated so many at a time: what the expansion holds for them stays in the cache.
_BLOCK = 512


@njit(nogil=True, cache=True)
def _expand(cells, sets, best_out):
    """best(T) of every state for some sets T of columns, row by row: each row takes a column of T, or none."""
    depth, s, states = cells.shape
    best = np.zeros((1 << s, _BLOCK), np.int16)
    for first in range(0, states, _BLOCK):
        size = min(_BLOCK, states - first)
        best[:] = 0
        for i in range(depth):
            # Larger sets first: those without one of their columns do not have the row yet.
            for columns in range((1 << s) - 1, 0, -1):
                with_row = best[columns]
                for j in range(s):
                    if columns >> j & 1:
                        before = best[columns ^ (1 << j)]
                        x = cells[i, j, first : first + size]
                        for z in range(size):
                            with_row[z] = max(with_row[z], np.int16(before[z] + x[z]))
        for t in range(len(sets)):
            copy(best[sets[t], :size], best_out[t, first : first + size])


@njit(nogil=True, cache=True)
def _count_pairs(cells, stride, pairs_out):
    for row in cells:
        for column in row:
            for state in range(len(column)):
                x = np.int32(column[state])
                pairs_out[state] += stride * (x * (x - 1) >> 1)


@njit(nogil=True, cache=True)
def _multiply_factors(cells, factors, weights_out):
    for q in range(len(factors)):
        prime = factors[q, 0]
        for row in cells:
            for column in row:
                for state in range(len(column)):
                    weights_out[state, q] = weights_out[state, q] * factors[q, column[state] + 1] % prime


def lanes_of(primes: int) -> int:
    """Columns of weights for so many primes: a multiple of ``LANES``.

    >>> lanes_of(7)
    8
    """
    return -(-primes // LANES) * LANES


def number_of_states(rows: tuple[int, ...], s: int) -> int:
    """How many states a half with these row sums has: the product of C(row + s - 1, s - 1)."""
    return prod(comb(row + s - 1, s - 1) for row in rows)


def list_half(
    rows: tuple[int, ...],
    s: int,
    sets: np.ndarray,
    stride: int,
    index_type: type,
    inverse_factorials: np.ndarray | None,
    stop: np.ndarray,
) -> Half:
    """All states of a half table with the row sums ``rows`` and ``s`` columns.

    ``sets[t]`` (a bit mask) is the set of columns of entry t of ``best``.
    ``inverse_factorials`` (primes x (1 + n + 1)): a prime, then 1/0!, 1/1!, ... modulo it.  Once ``stop[0]`` is
    set the listing ends early, and what it returns must not be used.
    Time O(states * 2^s), memory 2 |sets| bytes a state.
    """
    total = sum(rows)
    states = number_of_states(rows, s)
    offsets = np.zeros(
        comb(total + s - 1, s - 1) + 1,
        np.int64,
    )
    best = np.zeros((len(sets), states + PRIMES_TOGETHER), np.int16)
    pairs: np.ndarray = np.zeros(states + PRIMES_TOGETHER, index_type)
    weights = None
    if inverse_factorials is not None:
        weights = np.ones((states, lanes_of(len(inverse_factorials))), np.uint32)
    cells = np.zeros((len(rows), s, states), np.int16)
    if rows:
        _list_cells(np.array(rows, np.int64), offsets, cells, stop)
    else:
        offsets[-1] = 1
    if not stop[0]:
        _expand(cells, sets, best)
        _count_pairs(cells, stride, pairs)
        if weights is not None:
            _multiply_factors(cells, inverse_factorials, weights)
    return Half(best.ravel(), pairs, offsets, total, weights)


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


# With more states than this in all choices of all rows no halves have room, however they are split.
_HOPELESS = 2**80


@lru_cache(maxsize=2**14)
def split_rows(rows: tuple[int, ...], s: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Upper (r // 2 rows) and lower half with the fewest states in all; any, where these have 2^40 or more at least.

    Halves of equal rows are tried once: of 30 objects alone there are 155 117 520 choices of 15, all the same.

    >>> split_rows((3, 2, 1, 1, 1), 5), split_rows((1,) * 30, 30) == ((1,) * 15,) * 2
    (((3, 1), (2, 1, 1)), True)
    """
    states = number_of_states(rows, s)  # the product of those of both halves
    if states >= _HOPELESS:
        return rows[1::2], rows[::2]
    whole = Counter(rows)
    counts = product(*(range(k, -1, -1) for k in whole.values()))
    uppers = (
        sum(((x,) * k for x, k in zip(whole, some)), ()) for some in counts if sum(some) == len(rows) // 2
    )

    def cost(upper: tuple[int, ...]) -> int:
        own = number_of_states(upper, s)
        return own + states // own

    best = min(uppers, key=cost)
    return best, tuple((whole - Counter(best)).elements())


# Numbers of sets T that a kernel is compiled for; larger ones are compiled for themselves.
_SETS = (4, 6, 10)


def competing_sets(upper: int, lower: int, s: int) -> list[int]:
    """Return the sets T of columns that ``upper`` rows may be matched with, as bit masks.

    The other columns are no more than the ``lower`` other rows. The last set is repeated up to one of few numbers.

    >>> competing_sets(1, 2, 3), competing_sets(2, 2, 2)
    ([1, 2, 4, 4], [0, 1, 2, 3])
    """
    sets = [columns for columns in range(1 << s) if max(0, s - lower) <= columns.bit_count() <= min(s, upper)]
    filled = next((number for number in _SETS if len(sets) <= number), len(sets))
    return sets + sets[-1:] * (filled - len(sets))


def list_halves(
    rows: tuple[int, ...], s: int, inverse_factorials: np.ndarray | None, stop: np.ndarray
) -> Halves:
    """The halves of all tables with the row margin ``rows`` and ``s <= len(rows)`` columns, n < 2^15."""
    upper_rows, lower_rows = split_rows(rows, s)
    upper_sets = np.array(competing_sets(len(upper_rows), len(lower_rows), s), np.int64)
    # ceil(n/r) <= k <= n, and no more pairs lie within cells than within rows.
    n = sum(rows)
    stride = n - -(-n // len(rows)) + 1
    histogram_size = stride * sum(comb(row, 2) for row in rows) + n + 1
    index_type = np.uint16 if histogram_size <= 2**16 else np.uint32
    shape = (stride, index_type, inverse_factorials, stop)
    upper = list_half(upper_rows, s, upper_sets, *shape)
    lower = list_half(lower_rows, s, (1 << s) - 1 - upper_sets, *shape)
    longest = int(
        max(
            np.diff(upper.offsets).max(),
            np.diff(lower.offsets).max(),
        )
    )
    return Halves(upper, lower, len(upper_sets), stride, histogram_size, longest)
