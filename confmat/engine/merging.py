"""The exact law of (MED, RD) over Tables(n, r, s) by merging states: fast, independent of the enumeration.

Let r <= s.  Sort the rows by size and weight each matrix by the number of orderings of its row sums.  Build all
rows but the largest, the *first rows*; let c_j be their column sums, A' = sum C(row sum, 2) and
P' = sum C(entry, 2) over them.  When the last and largest row x arrives,

    k(N)       = max over j of (x_j + t_j),   t_j = best assignment of the first rows to columns other than j,
    A + B - 2P = (A' - 2P') + C(sum of x, 2) + R_x,   R_x = sum over j of C(c_j + x_j, 2) - 2 C(x_j, 2),

because the last row is matched to some column j and the other r - 1 rows to the other columns.  So only c, t and
A' - 2P' of the first rows matter.  For fixed c, the *state* of the first rows is the vector t; matrices in the
same state are merged into its *profile*: how many there are, weighted, for each value of A' - 2P'.  The law of
(k, R_x) over the last rows, convolved with the profile, is the law of (k, A + B - 2P) over all matrices with this
c and t.  There are far fewer states than matrices.

The unit of work is a *group*: the size of the last row and the sorted column sums c of the first rows (every
ordering of c gives the same law).  Columns of equal c_j are interchangeable, which saves work too.  To visit the
first rows quickly they are cut in two halves; each half is listed once and the lists are joined by column sums.

A = sum C(row sum, 2), B = sum C(column sum, 2), P = sum C(entry, 2); n MED = n - k; C(n, 2) RD = A + B - 2P.
The adjusted Rand distance needs A and B apart: this method does not give it.

>>> law = med_rd_law_by_merging(4, 2, 2)
>>> [(m, f, int(law[m, f])) for m, f in np.argwhere(law).tolist()]
[(0, 0, 6), (1, 3, 8), (2, 4, 5)]
"""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, factorial, prod

import numpy as np
import numpy.typing as npt

from confmat.classes.compositions import distinct_orderings, partitions, partitions_count
from confmat.compiled import copy, njit
from confmat.engine.halves import (
    composition_rank,
    first_composition,
    list_half,
    next_composition,
    number_of_states,
    orbit_size,
    split_rows,
)
from confmat.errors import TooLarge
from confmat.matrices.arguments import as_count
from confmat.plans import as_threads

# The loop over the choices of columns is unrolled to the first of these lengths that is enough; the last always is.
LARGEST_SIDE = 7
_MOST_CHOICES = comb(LARGEST_SIDE - 1, (LARGEST_SIDE - 1) // 2)
_UNROLLED = tuple((0,) * length for length in (1, 3, 6, 10, _MOST_CHOICES))

u64 = np.uint64
LANES = 16  # matrices taken at once by the merging: 16-bit numbers in a vector register
# columns of RowLists.splits
TOP_TOTAL, TOP_BUCKET, BOTTOM_BUCKET, ROW_PAIRS, ORDERINGS = range(5)
BLOCK = 4  # profile entries taken at once by the convolution

MEMORY_LIMIT = 2 * 2**30  # bytes: row lists + the grids and profiles of all threads

Integers = npt.NDArray[np.int64]

# Nobody stops the listing of a half.
_GO_ON = np.zeros(1, np.uint8)


@dataclass(frozen=True)
class RowLists:
    """What every group of Tables(n, r, s), r <= s, shares: the matrices of half of the first rows.

    Lists of halves (``confmat.engine.halves``) stand one after the other: ``bucket[c] : bucket[c + 1]`` are the places
    of the matrices with the c-th column sums, ``pairs[place]`` is the sum of C(entry, 2) of each.  ``best`` holds its
    best matchings into ``slots`` sets of columns: of a top half side by side, at ``best[slots * place + q]``; of a
    bottom half in a bucket at b of width w at ``best[slots * b + q * w + (place - b)]``, so that neighbours have
    their values for one set side by side.  ``splits[last]`` has a line for each choice of the first rows: total of the
    top half, first bucket of the list of the top and of the bottom half, A', number of orderings of all row sums;
    sorted.
    """

    n: int
    r: int
    s: int
    smallest: int  # of a row or column sum: 1, or 0 when they may be empty
    compositions: npt.NDArray[np.int16]
    starts: Integers
    binomial: Integers
    best: npt.NDArray[np.int16]
    pairs: npt.NDArray[np.int32]
    bucket: Integers
    splits: dict[int, Integers]

    @property
    def choices(self) -> int:
        """Number of column sets, as large as the number of top rows, that avoid a given column."""
        return comb(self.s - 1, (self.r - 1) // 2)


def pairs_of(x: int) -> int:
    return x * (x - 1) // 2


def checked_sides(n: object, r: object, s: object) -> tuple[int, int, int]:
    """The arguments as whole numbers, the sides in increasing order (transposed matrices have the same law)."""
    n, r, s = as_count("n", n), as_count("r", r, 1), as_count("s", s, 1)
    for name, side in (("r", r), ("s", s)):
        if side > LARGEST_SIDE:
            raise ValueError(f"{name} must be at most {LARGEST_SIDE}, got {side}")
    return n, min(r, s), max(r, s)


def row_choices(n: int, r: int, smallest: int) -> dict[int, list[tuple[int, ...]]]:
    """The sums of the first rows, decreasing, by the size of the last and largest one."""
    choices: dict[int, list[tuple[int, ...]]] = {}
    for last, *first in partitions(n, r, minimum=smallest):
        choices.setdefault(last, []).append(tuple(first))
    return choices


def _refuse_beyond_limit(needed: int, n: int, r: int, s: int) -> None:
    if needed > MEMORY_LIMIT:
        raise TooLarge(
            f"merging at (n, r, s) = ({n}, {r}, {s}) needs lists of {needed / 2**30:.1f} GiB, "
            f"the limit is {MEMORY_LIMIT / 2**30:.1f} GiB"
        )


def row_lists(n: int, r: int, s: int, *, empty: bool = False) -> RowLists:
    """List the halves of the first rows of Tables(n, r, s).

    Raises TooLarge before the work when the lists exceed the limit.  They take 2 s C(s - 1, h) + 4 bytes for
    each matrix listed, h = (r - 1) // 2.
    """
    n, r, s = checked_sides(n, r, s)
    smallest = 0 if empty else 1
    top_rows = (r - 1) // 2
    slots = s * comb(s - 1, top_rows)
    needed = comb(n + s, s) * 2 * s  # the compositions; checked first, then with the lists
    _refuse_beyond_limit(needed, n, r, s)
    choices = row_choices(n, r, smallest)
    cuts = {last: [split_rows(rows, s) for rows in choices[last]] for last in choices}
    halves = sorted({half for some in cuts.values() for cut in some for half in zip(cut, (True, False))})
    sizes = [number_of_states(rows, s) for rows, _ in halves]
    bucket_ends = [comb(sum(rows) + s - 1, s - 1) + 1 for rows, _ in halves]
    # While a half is listed its cells and its best matchings stand beside the lists.
    octets_listed = max(
        (size * 2 * (slots + len(rows) * s) for size, (rows, _) in zip(sizes, halves)), default=0
    )
    octets_kept = sum(sizes) * (2 * slots + 4) + sum(bucket_ends) * 8
    _refuse_beyond_limit(needed + octets_kept + octets_listed, n, r, s)

    compositions = np.empty((comb(n + s, s), s), np.int16)
    fill_compositions(n, s, compositions)
    starts = np.cumsum([0] + [comb(a + s - 1, s - 1) for a in range(n + 1)], dtype=np.int64)
    binomial = np.array([[comb(m, k) for k in range(s + 1)] for m in range(n + s + 1)], np.int64)

    best = np.zeros(slots * sum(sizes) + LANES, np.int16)  # the last lanes read beyond the last bucket
    pairs = np.empty(sum(sizes), np.int32)
    bucket = np.zeros(sum(bucket_ends), np.int64)
    first_bucket: dict[tuple[tuple[int, ...], bool], int] = {}
    place = buckets_before = 0
    for half, size, buckets in zip(halves, sizes, bucket_ends):
        rows, is_top = half
        listed = list_half(rows, s, _sets_of_half(rows, s, top_rows, is_top), 1, np.int32, None, _GO_ON)
        of_states = listed.best.reshape(slots, -1)[:, :size]
        best[slots * place : slots * (place + size)][_places(listed.offsets, slots, is_top)] = of_states
        pairs[place : place + size] = listed.pairs[:size]
        bucket[buckets_before : buckets_before + buckets] = listed.offsets + place
        first_bucket[half] = buckets_before
        place += size
        buckets_before += buckets

    splits = {
        last: np.array(
            sorted(
                (
                    sum(top),
                    first_bucket[top, True],
                    first_bucket[bottom, False],
                    sum(map(pairs_of, rows)),
                    distinct_orderings((last, *rows)),
                )
                for rows, (top, bottom) in zip(choices[last], cuts[last])
            ),
            np.int64,
        )
        for last in choices
    }
    return RowLists(n, r, s, smallest, compositions, starts, binomial, best, pairs, bucket, splits)


def _sets_of_half(rows: tuple[int, ...], s: int, top_rows: int, is_top: bool) -> np.ndarray:
    """The sets of columns that a half may get: for each column j of the last row, each choice of ``top_rows`` others.

    A top half gets the choice, a bottom half what remains without j: a line lists the sets, as bit masks, of as many
    columns as the half has rows.

    >>> _sets_of_half((2,), 3, 1, True).T.tolist(), _sets_of_half((2,), 3, 1, False).T.tolist()
    ([[2, 4, 1, 4, 1, 2]], [[4, 2, 4, 1, 2, 1]])
    """
    sets = []
    for j in range(s):
        others = [i for i in range(s) if i != j]
        for chosen in combinations(others, top_rows):
            got = chosen if is_top else [i for i in others if i not in chosen]
            sets.append([sum(1 << i for i in some) for some in combinations(got, len(rows))])
    return np.array(sets, np.int64)


def _places(offsets: Integers, slots: int, is_top: bool) -> np.ndarray:
    """Where in ``RowLists.best`` the value of each state for each set goes (slots x states).

    >>> _places(np.array([0, 2, 3]), 2, True).tolist(), _places(np.array([0, 2, 3]), 2, False).tolist()
    ([[0, 2, 4], [1, 3, 5]], [[0, 1, 4], [2, 3, 5]])
    """
    states, sets = np.arange(offsets[-1]), np.arange(slots)[:, None]
    if is_top:
        return slots * states + sets
    widths = np.diff(offsets)
    first, width = offsets[:-1].repeat(widths), widths.repeat(widths)
    return slots * first + sets * width + (states - first)


@dataclass(frozen=True)
class Group:
    """All matrices whose largest row sums to ``last`` and whose other rows have column sums ``columns``."""

    last: int
    columns: tuple[int, ...]  # decreasing


@dataclass
class _Workspace:
    """Arrays that one thread keeps from group to group; the kernels leave them clean (-1 and 0)."""

    most_entries: int
    slot: npt.NDArray[np.int32]
    cells: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(1024, np.int32))
    profiles: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))


def _fewest_pairs(total: int, parts: int) -> int:
    """Least sum of C(part, 2): all parts equal, up to one unit."""
    quotient, larger = divmod(total, parts)
    return (parts - larger) * pairs_of(quotient) + larger * pairs_of(quotient + 1)


def _state_grid(columns: tuple[int, ...], r: int) -> tuple[list[int], list[int]]:
    """Lower bounds of t_j, and how many values it takes: the grid on which the states lie.

    The r - 1 first rows and the s - 1 columns other than j are covered by s - 1 disjoint assignments, one of
    which has at least the average weight; and an assignment takes at most all of its r - 1 columns.
    """
    lowest, sizes = [], []
    for j in range(len(columns)):
        others = columns[:j] + columns[j + 1 :]
        lowest.append(-(-sum(others) // max(len(others), 1)))
        sizes.append(sum(sorted(others)[len(others) - (r - 1) :]) - lowest[-1] + 1)
    return lowest, sizes


def merging_groups(n: int, r: int, s: int, *, empty: bool = False) -> list[Group]:
    """The groups that make up Tables(n, r, s), roughly dearest first; any subset of them is a shard.

    >>> merging_groups(4, 2, 2)
    [Group(last=2, columns=(1, 1)), Group(last=2, columns=(2, 0)), Group(last=3, columns=(1, 0))]
    """
    n, r, s = checked_sides(n, r, s)
    smallest = 0 if empty else 1
    groups = []
    for last in row_choices(n, r, smallest):
        for columns in partitions(n - last, s, minimum=0):
            groups.append(Group(last, columns))
    groups.sort(key=_cost, reverse=True)
    return groups


def _cost(group: Group) -> int:
    return prod(c + 1 for c in group.columns)


# Seconds of an ordinary core, from runs of 28 classes of 2 x 4 to 7 x 7 tables, right within a factor of 2.5: of a
# state at a choice of the last row, of a group at one, of first rows that are joined, of a group.
_STATE_AND_ROW, _GROUP_AND_ROW, _FIRST_ROWS, _GROUP = 6e-10, 1.2e-8, 7e-8, 1.8e-4


def expected_work(n: int, r: int, s: int) -> tuple[int, float]:
    """About how many states there are, and how many seconds of a core merging takes, without listing the groups.

    States are at most the vectors t, each entry of which has about c_j + 1 values, and at most the matrices of the
    first rows up to the order of rows and columns.

    >>> states, seconds = expected_work(40, 4, 4)  # 1 441 478 states, 5.9 s
    >>> 10**6 < states < 3 * 10**6, 3 < seconds < 12
    (True, True)
    """
    r, s = sorted((r, s))
    states, seconds = 0.0, 0.0
    for last in range(-(-n // r), n + 1):
        rest = n - last
        groups = partitions_count(rest + s, s)
        vectors = groups + comb(rest + 2 * s - 1, rest) / factorial(s)
        first_rows = groups + _first_rows(rest, r - 1, s, last) / (factorial(s) * factorial(r - 1))
        merged = min(vectors, first_rows)
        last_rows = float(comb(last + s - 1, last))
        states += merged
        seconds += last_rows * (_STATE_AND_ROW * merged + _GROUP_AND_ROW * groups)
        seconds += _FIRST_ROWS * first_rows + _GROUP * groups
    return int(states), seconds


def _first_rows(total: int, rows: int, columns: int, largest: int) -> float:
    """How many matrices of a total have so many rows and columns, and no row sum beyond the largest.

    >>> _first_rows(2, 2, 2, 1), _first_rows(2, 2, 2, 2)
    (4.0, 10.0)
    """
    of_row = [float(comb(a + columns - 1, a)) for a in range(min(largest, total) + 1)]
    matrices = np.ones(1)
    for _ in range(rows):
        matrices = np.convolve(matrices, of_row)[: total + 1]
    return float(matrices[total]) if total < len(matrices) else 0.0


def _workspaces(lists: RowLists, groups: list[Group], threads: int) -> list[_Workspace]:
    """Room for every thread; raises TooLarge when the grid of a group exceeds the limit."""
    cells = 0
    for group in groups:
        _, sizes = _state_grid(group.columns, lists.r)
        cells = max(cells, prod(sizes))
    listed = 0
    for array in (lists.best, lists.pairs, lists.bucket, lists.compositions):
        listed += array.nbytes
    room = (MEMORY_LIMIT - listed) // threads - 4 * cells
    if room <= 0:
        sizes_asked = f"({lists.n}, {lists.r}, {lists.s})"
        listed_gib, limit_gib = listed / 2**30, MEMORY_LIMIT / 2**30
        raise TooLarge(
            f"merging at (n, r, s) = {sizes_asked} needs a grid of {cells} states for each of {threads} threads "
            f"beside {listed_gib:.1f} GiB of lists; the limit is {limit_gib:.1f} GiB"
        )
    # an array of 8-byte entries is, for a moment, kept beside the one that it replaces
    return [_Workspace(room // 16, np.full(cells, -1, np.int32)) for _ in range(threads)]


def _add_group(law: npt.NDArray, lists: RowLists, group: Group, work: _Workspace) -> None:
    """Add the counts of one group to ``law[n MED, A + B - 2P]``."""
    n, r, s, last, columns = lists.n, lists.r, lists.s, group.last, group.columns
    candidates = lists.compositions[lists.starts[last] : lists.starts[last + 1]]
    first_rows = r * prod(comb(c + r - 2, r - 2) for c in columns) if r > 1 else 1
    if first_rows * len(candidates) >= 2**53:
        raise TooLarge(f"{group} may hold 2^53 matrices or more: too many for exact sums in float64")
    column_sums = np.array(columns, np.int64)
    rows = np.empty(s * len(candidates), np.int16)
    values = np.empty(len(candidates), np.int64)
    kept, least, largest = fill_last_rows(column_sums, candidates, lists.smallest, rows, values)
    if kept == 0:
        return

    splits = lists.splits[last]
    row_pairs = splits[:, ROW_PAIRS].tolist()  # A' of each choice of the first rows
    column_pairs = sum(map(pairs_of, columns))
    even_spread = sum(_fewest_pairs(c, max(r - 1, 1)) for c in columns)
    # even_spread <= P' <= min(A', column_pairs)
    smallest = min(a - 2 * min(a, column_pairs) for a in row_pairs)
    length = max(row_pairs) - 2 * even_spread - smallest + 1
    lowest, sizes = _state_grid(columns, r)
    stride = [prod(sizes[j + 1 :]) for j in range(s)]
    origin = sum(a * b for a, b in zip(lowest, stride))
    if origin + prod(sizes) >= 2**31:
        raise TooLarge(f"the states of {group} need more than 31 bits")
    grid = np.array(stride, np.int32)
    states, work.cells, work.profiles = merge_states(
        column_sums,
        splits,
        lists.best,
        lists.choices,
        lists.pairs,
        lists.bucket,
        lists.compositions,
        lists.starts,
        lists.binomial,
        grid,
        origin,
        smallest,
        length,
        work.slot,
        work.cells,
        work.profiles,
        work.most_entries,
    )
    low = np.array(lowest, np.int64)
    fold_orbits(column_sums, states, grid, low, length, work.slot, work.cells, work.profiles)

    k_low = -(-n // s)
    spread = largest - least + 1
    block = np.zeros((n - k_low + 1, length + spread + 4 * BLOCK))
    join_last_row(
        rows, values, kept, least, spread, states, grid, low, length, work.cells, work.profiles, k_low, block
    )

    start = smallest + pairs_of(last) + least  # the value of A + B - 2P in column 0 of the block
    begin, end = max(start, 0), min(start + block.shape[1], law.shape[1])
    counts = block[:, begin - start : end - start].astype(np.int64).astype(law.dtype)
    law[n - k_low :: -1, begin:end] += distinct_orderings(columns) * counts


def too_many_entries(n: int) -> str | None:
    """Why the law of (MED, RD) of n points has no room, None if it has: it is an array.

    >>> too_many_entries(100), too_many_entries(1000)
    (None, 'the law of (MED, RD) at n = 1000 has 500000501 entries, too many for the memory limit')
    """
    entries = (n + 1) * (pairs_of(n) + 1)
    # Each thread keeps one such array and another one for a group.
    if 8 * entries <= MEMORY_LIMIT // 8:
        return None
    return f"the law of (MED, RD) at n = {n} has {entries} entries, too many for the memory limit"


def _empty_law(n: int, r: int, s: int) -> npt.NDArray:
    """Zeros of the shape of the law; Python integers where 64 bits might not do."""
    if (reason := too_many_entries(n)) is not None:
        raise TooLarge(reason)
    tables_at_most = comb(n + r * s - 1, n)
    exact = np.int64 if tables_at_most < 2**63 else object
    return np.zeros((n + 1, pairs_of(n) + 1), exact)


def merge_groups(
    lists: RowLists,
    groups: Iterable[Group],
    *,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> npt.NDArray:
    """The part of the law that comes from ``groups``: one shard; the laws of disjoint shards add up.

    ``progress`` is called after each group with its share of the cost, from any thread.

    >>> groups = merging_groups(20, 3, 3)
    >>> lists = row_lists(20, 3, 3)
    >>> law = merge_groups(lists, groups[::2]) + merge_groups(lists, groups[1::2])
    >>> int(law.sum())
    2806281
    """
    queue = deque(groups)
    cost = sum(map(_cost, queue))
    spaces = _workspaces(lists, list(queue), threads)

    def work_off_queue(space: _Workspace) -> npt.NDArray:
        law = _empty_law(lists.n, lists.r, lists.s)
        while True:
            try:
                group = queue.popleft()
            except IndexError:
                return law
            _add_group(law, lists, group, space)
            if progress is not None:
                progress(_cost(group) / cost)

    if threads == 1:
        return work_off_queue(spaces[0])
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(work_off_queue, spaces), _empty_law(lists.n, lists.r, lists.s))


def med_rd_law_by_merging(
    n: int,
    r: int,
    s: int,
    *,
    empty: bool = False,
    threads: int = 2,
    progress: Callable[[float], None] | None = None,
) -> npt.NDArray:
    """The law of (MED, RD) over Tables(n, r, s), by merging equal states of all rows but the largest.

    Returns G of shape (n + 1, C(n, 2) + 1): G[m, f] = number of r x s matrices of total n with n MED = m and
    C(n, 2) RD = f; exact, int64, or Python integers when C(n + r s - 1, n) >= 2^63.  1 <= r, s <= 7; without
    ``empty`` every row and column sum is at least 1 (n < max(r, s): no matrix, all zeros).  The time grows with
    the number of (r - 1) x s matrices of total up to n - n/r, up to the order of rows and columns.  Raises
    ValueError or TypeError for a bad argument; TooLarge when the memory allowed does not suffice, before the work but
    for the profiles, whose number is not known in advance, and when a group may hold 2^53 matrices.

    >>> law = med_rd_law_by_merging(4, 2, 2)
    >>> [(m, f, int(law[m, f])) for m, f in np.argwhere(law).tolist()]
    [(0, 0, 6), (1, 3, 8), (2, 4, 5)]
    """
    n, r, s = checked_sides(n, r, s)
    threads = as_threads(threads)
    _empty_law(n, r, s)  # fails early when it does not fit
    lists, groups = row_lists(n, r, s, empty=empty), merging_groups(n, r, s, empty=empty)
    return merge_groups(lists, groups, threads=threads, progress=progress)


# --- compiled loops: states and profiles of the first rows, joined with the last row ------------------
#
# Two habits make them fast; neither changes a result.  A short loop has a length that the compiler knows
# (``_UNROLLED``), so that it unrolls it and does sixteen matrices at a time.  Flat arrays are indexed with unsigned
# 64-bit integers (``u64``), which spares a test for negative indices.


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
    # reads: a compiled loop is handed each array and number by itself
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
    # reads: a compiled loop is handed each array and number by itself
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
