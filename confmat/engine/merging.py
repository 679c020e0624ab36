"""The exact law of (MED, RD) over Tables(n, r, s) by merging states: fast, and independent of the enumeration.

Let r <= s and take the rows in decreasing order, each matrix weighted by the number of orderings of its row
sums.  Build all rows but the largest first; call c_j their column sums, A' = sum C(row sum, 2) and
P' = sum C(entry, 2) over them.  When the last, largest row x arrives,

    k(N)       = max over j of (x_j + t_j),   t_j = best assignment of the first rows to columns other than j,
    A + B - 2P = (A' - 2P') + C(sum of x, 2) + R_x,   R_x = sum over j of C(c_j + x_j, 2) - 2 C(x_j, 2),

because the last row is matched to some column j and the other r - 1 rows to the other columns.  So of the first
rows only (c, t, A' - 2P') matters.  For fixed c, the *state* of the first rows is the vector t; matrices in the
same state are merged into its *profile*: how many of them, weighted, have each value of A' - 2P'.  A last row
moves a profile as a whole: the law of (k, R_x) over the last rows, convolved with the profile, gives the law of
(k, A + B - 2P).  There are far fewer states than matrices.

The unit of work is a *group*: the size of the last row and the sorted column sums c of the others (all orderings
of c give the same law).  Columns of equal c_j may be exchanged, which saves most of the work where there are ties.
To list the first rows quickly they are cut in two halves, listed once, and joined by column sums.

A = sum C(row sum, 2), B = sum C(column sum, 2), P = sum C(entry, 2); n MED = n - k; C(n, 2) RD = A + B - 2P.
The adjusted Rand distance needs A and B apart: this method does not give it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, prod

import numpy as np
import numpy.typing as npt

from confmat.classes.partitions import distinct_orderings, partitions
from confmat.validation import as_count

LARGEST_SIDE = 7
MEMORY_LIMIT = 2 * 2**30  # bytes: row lists + the grids and profiles of all threads

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Group:
    """All matrices whose largest row sums to ``last`` and whose other rows have the column sums ``columns``."""

    last: int
    columns: tuple[int, ...]  # decreasing


@dataclass(frozen=True)
class RowLists:
    """What every group of Tables(n, r, s), r <= s, shares: the matrices of half of the first rows.

    The arrays are those of `merging_kernels.fill_row_list`, one list after the other; ``lists`` has a line
    (total, first place, first bucket) for each; ``splits[last]`` a line (top list, bottom list, A', orderings of
    the row sums) for each choice of the first rows.
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
    lists: Integers
    splits: dict[int, Integers]

    @property
    def choices(self) -> int:
        """Number of column sets, as large as the number of top rows, that avoid a given column."""
        return comb(self.s - 1, (self.r - 1) // 2)


@dataclass
class _Workspace:
    """Arrays that one thread keeps from group to group; the kernels leave them clean (-1 and 0)."""

    most_entries: int
    slot: npt.NDArray[np.int32]
    cells: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(1024, np.int32))
    profiles: dict[type, npt.NDArray[np.signedinteger]] = field(
        default_factory=lambda: {np.int32: np.zeros(0, np.int32), np.int64: np.zeros(0, np.int64)}
    )


def _pairs(x: int) -> int:
    return x * (x - 1) // 2


def _fewest_pairs(total: int, parts: int) -> int:
    """Least sum of C(part, 2): all parts equal, up to one unit."""
    quotient, larger = divmod(total, parts)
    return (parts - larger) * _pairs(quotient) + larger * _pairs(quotient + 1)


def _matrices(rows: tuple[int, ...], s: int) -> int:
    """Number of matrices with these row sums and s columns."""
    return prod(comb(a + s - 1, s - 1) for a in rows)


def _halves(rows: tuple[int, ...], s: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Cut the first rows in (top, bottom) so that listing both is cheapest; bottom has the extra row, if any."""
    places = range(len(rows))
    cuts = (
        (tuple(rows[i] for i in chosen), tuple(rows[i] for i in places if i not in chosen))
        for chosen in combinations(places, len(rows) // 2)
    )
    return min(cuts, key=lambda cut: _matrices(cut[0], s) + _matrices(cut[1], s))


def _checked(n: object, r: object, s: object) -> tuple[int, int, int]:
    """The arguments as whole numbers, sides in increasing order (the law is that of the transposed matrices)."""
    n, r, s = as_count("n", n), as_count("r", r, 1), as_count("s", s, 1)
    for name, side in (("r", r), ("s", s)):
        if side > LARGEST_SIDE:
            raise ValueError(f"{name} must be at most {LARGEST_SIDE}, got {side}")
    return n, min(r, s), max(r, s)


def _row_choices(n: int, r: int, smallest: int) -> dict[int, list[tuple[int, ...]]]:
    """The sums of the first rows, decreasing, by the size of the last and largest one."""
    choices: dict[int, list[tuple[int, ...]]] = {}
    for last, *first in partitions(n, r, minimum=smallest):
        choices.setdefault(last, []).append(tuple(first))
    return choices


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
    n, r, s = _checked(n, r, s)
    groups = [
        Group(last, columns)
        for last in _row_choices(n, r, 0 if empty else 1)
        for columns in partitions(n - last, s, minimum=0)
    ]
    return sorted(groups, key=lambda group: prod(c + 1 for c in group.columns), reverse=True)


def row_lists(n: int, r: int, s: int, *, empty: bool = False) -> RowLists:
    """List the halves of the first rows of Tables(n, r, s); raises MemoryError, before any work, beyond the limit."""
    from confmat.engine.merging_kernels import fill_compositions, fill_row_list

    n, r, s = _checked(n, r, s)
    smallest = 0 if empty else 1
    choices = _row_choices(n, r, smallest)
    cuts = {last: [_halves(rows, s) for rows in choices[last]] for last in choices}
    top_rows = (r - 1) // 2
    order = sorted(
        {half for some in cuts.values() for top, bottom in some for half in ((top, True), (bottom, False))}
    )
    number = {half: i for i, half in enumerate(order)}
    sizes = [_matrices(rows, s) for rows, _ in order]
    buckets = [comb(sum(rows) + s - 1, s - 1) + 1 for rows, _ in order]

    slots = s * comb(s - 1, top_rows)
    needed = sum(sizes) * (2 * slots + 4) + sum(buckets) * 8 + comb(n + s, s) * 2 * s
    if needed > MEMORY_LIMIT:
        raise MemoryError(
            f"merging at (n, r, s) = ({n}, {r}, {s}) needs row lists of {needed / 2**30:.1f} GiB, "
            f"the limit is {MEMORY_LIMIT / 2**30:.1f} GiB"
        )
    compositions = np.empty((comb(n + s, s), s), np.int16)
    fill_compositions(n, s, compositions)
    starts = np.cumsum([0] + [comb(a + s - 1, s - 1) for a in range(n + 1)], dtype=np.int64)
    binomial = np.array([[comb(m, k) for k in range(s + 1)] for m in range(n + s + 1)], np.int64)

    full = (1 << s) - 1
    masks: dict[bool, list[int]] = {True: [], False: []}
    for j in range(s):
        for chosen in combinations([i for i in range(s) if i != j], top_rows):
            inside = sum(1 << i for i in chosen)
            masks[True].append(inside)
            masks[False].append(full & ~inside & ~(1 << j))

    best = np.empty(slots * sum(sizes), np.int16)
    pairs = np.empty(sum(sizes), np.int32)
    bucket = np.zeros(sum(buckets), np.int64)
    lists = np.zeros((len(order), 3), np.int64)
    place = first_bucket = 0
    for i, (rows, is_top) in enumerate(order):
        lists[i] = sum(rows), place, first_bucket
        fill_row_list(
            np.array(rows, np.int64),
            compositions,
            starts,
            np.array(masks[is_top], np.int64),
            binomial,
            not is_top,
            best[slots * place : slots * (place + sizes[i])],
            pairs[place : place + sizes[i]],
            bucket[first_bucket : first_bucket + buckets[i]],
        )
        place += sizes[i]
        first_bucket += buckets[i]

    splits = {
        last: np.array(
            [
                (
                    number[top, True],
                    number[bottom, False],
                    sum(map(_pairs, rows)),
                    distinct_orderings((last, *rows)),
                )
                for rows, (top, bottom) in zip(choices[last], cuts[last])
            ],
            np.int64,
        )
        for last in choices
    }
    return RowLists(n, r, s, smallest, compositions, starts, binomial, best, pairs, bucket, lists, splits)


def _workspace(lists: RowLists, groups: Iterable[Group], threads: int) -> _Workspace:
    """Room for one of ``threads`` threads; raises MemoryError when the grid of a group exceeds the limit."""
    cells = 0
    for group in groups:
        lowest, sizes = _state_grid(group.columns, lists.r)
        cells = max(cells, prod(sizes))
    listed = lists.best.nbytes + lists.pairs.nbytes + lists.bucket.nbytes + lists.compositions.nbytes
    room = (MEMORY_LIMIT - listed) // threads - 4 * cells
    if room <= 0 or cells >= 2**28:
        raise MemoryError(
            f"merging at (n, r, s) = ({lists.n}, {lists.r}, {lists.s}) needs a grid of {cells} states in each of "
            f"{threads} threads, beside {listed / 2**30:.1f} GiB of row lists; "
            f"the limit is {MEMORY_LIMIT / 2**30:.1f} GiB (and 2^28 states)"
        )
    return _Workspace(room // 8, np.full(cells, -1, np.int32))


def _add_group(law: npt.NDArray, lists: RowLists, group: Group, work: _Workspace) -> None:
    """Add the counts of one group to ``law[n MED, A + B - 2P]``."""
    from confmat.engine import merging_kernels as kernels

    n, r, s, last, columns = lists.n, lists.r, lists.s, group.last, group.columns
    candidates = lists.compositions[lists.starts[last] : lists.starts[last + 1]]
    first_rows = r * prod(comb(c + r - 2, r - 2) for c in columns) if r > 1 else 1
    if first_rows * len(candidates) >= 2**53:
        raise OverflowError(f"{group} may hold 2^53 matrices or more: too many for exact sums in float64")
    column_sums = np.array(columns, np.int64)
    rows = np.empty(s * len(candidates), np.int16)
    values = np.empty(len(candidates), np.int64)
    kept, least, largest = kernels.fill_last_rows(column_sums, candidates, lists.smallest, rows, values)
    if kept == 0:
        return

    splits = lists.splits[last]
    row_pairs = splits[:, 2].tolist()  # A' of each choice of the first rows; P' <= A' and P' <= C' below
    column_pairs = sum(map(_pairs, columns))
    even_spread = sum(_fewest_pairs(c, max(r - 1, 1)) for c in columns)  # P' is at least this
    smallest = min(a - 2 * min(a, column_pairs) for a in row_pairs)
    length = max(row_pairs) - 2 * even_spread - smallest + 1
    lowest, sizes = _state_grid(columns, r)
    stride = [prod(sizes[j + 1 :]) for j in range(s)]
    origin = sum(a * b for a, b in zip(lowest, stride))
    if origin + prod(sizes) >= 2**31:
        raise OverflowError(f"the states of {group} need more than 31 bits")
    grid = np.array(stride, np.int32)
    count_type = np.int32 if first_rows < 2**31 else np.int64
    merge = kernels.state_merger(s, lists.choices)
    states, work.cells, profiles = merge(
        column_sums,
        splits,
        lists.lists,
        lists.best,
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
        work.profiles[count_type],
        work.most_entries,
    )
    work.profiles[count_type] = profiles
    low = np.array(lowest, np.int64)
    kernels.fold_orbits(column_sums, states, grid, low, length, work.slot, work.cells, profiles)

    k_low = -(-n // s)
    spread = largest - least + 1
    index_type = np.uint16 if (n - k_low + 1) * spread < 2**16 else np.uint32
    block = np.zeros((n - k_low + 1, length + spread + 4 * kernels.BLOCK))
    join = kernels.last_row_joiner(s, index_type)
    join(rows, values, kept, least, spread, states, grid, low, length, work.cells, profiles, k_low, block)

    start = smallest + _pairs(last) + least  # the value of A + B - 2P in column 0 of the block
    begin, end = max(start, 0), min(start + block.shape[1], law.shape[1])
    counts = block[:, begin - start : end - start].astype(law.dtype if law.dtype != object else np.int64)
    law[n - k_low :: -1, begin:end] += distinct_orderings(columns) * counts


def _empty_law(n: int, r: int, s: int) -> npt.NDArray:
    """Zeros of the shape of the law; Python integers where 64 bits might not do."""
    cells = (n + 1) * (_pairs(n) + 1)
    if 8 * cells > MEMORY_LIMIT // 8:  # each thread keeps one such array and another one for a group
        raise MemoryError(
            f"the law of (MED, RD) at n = {n} has {cells} entries, too many for the memory limit"
        )
    exact = np.int64 if comb(n + r * s - 1, n) < 2**63 else object
    return np.zeros((n + 1, _pairs(n) + 1), exact)


def merge_groups(lists: RowLists, groups: Iterable[Group], *, threads: int = 1) -> npt.NDArray:
    """The part of the law that comes from ``groups``: one shard; the laws of disjoint shards add up.

    >>> groups = merging_groups(20, 3, 3)
    >>> lists = row_lists(20, 3, 3)
    >>> law = merge_groups(lists, groups[::2]) + merge_groups(lists, groups[1::2])
    >>> int(law.sum())
    2806281
    """
    queue = deque(groups)
    spaces = [_workspace(lists, list(queue), threads) for _ in range(threads)]

    def work_off_queue(space: _Workspace) -> npt.NDArray:
        law = _empty_law(lists.n, lists.r, lists.s)
        while True:
            try:
                group = queue.popleft()
            except IndexError:
                return law
            _add_group(law, lists, group, space)

    if threads == 1:
        return work_off_queue(spaces[0])
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(work_off_queue, spaces), _empty_law(lists.n, lists.r, lists.s))


def med_rd_law_by_merging(n: int, r: int, s: int, *, empty: bool = False, threads: int = 2) -> npt.NDArray:
    """The law of (MED, RD) over Tables(n, r, s), by merging equal states of all rows but the largest.

    Returns G of shape (n + 1, C(n, 2) + 1): G[m, f] = number of r x s matrices of total n with n MED = m and
    C(n, 2) RD = f; exact, int64, or Python integers when C(n + r s - 1, n) >= 2^63.  1 <= r, s <= 7; without
    ``empty`` every row and column sum is at least 1.  Time grows with the number of (r - 1) x s matrices of
    total up to n - n/r, up to reordering of rows and columns.  Raises ValueError or TypeError for a bad argument,
    MemoryError when MEMORY_LIMIT does not suffice (known before the work, except for the profiles),
    OverflowError when a group may hold 2^53 matrices.

    >>> law = med_rd_law_by_merging(4, 2, 2)
    >>> [(m, f, int(law[m, f])) for m, f in zip(*law.nonzero())]
    [(0, 0, 6), (1, 2, 4), (1, 3, 8), (2, 4, 1)]
    """
    n, r, s = _checked(n, r, s)
    threads = as_count("threads", threads, 1)
    _empty_law(n, r, s)  # fails early when it does not fit
    return merge_groups(
        row_lists(n, r, s, empty=empty), merging_groups(n, r, s, empty=empty), threads=threads
    )
