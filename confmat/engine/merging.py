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
"""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import comb, prod

import numpy as np
import numpy.typing as npt

from confmat.classes.compositions import distinct_orderings, partitions
from confmat.engine import merging_rows
from confmat.engine.merging_rows import RowLists, checked_sides, pairs_of, row_choices, row_lists
from confmat.errors import TooLarge
from confmat.plans import as_threads


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
    groups = [
        Group(last, columns)
        for last in row_choices(n, r, 0 if empty else 1)
        for columns in partitions(n - last, s, minimum=0)
    ]
    return sorted(groups, key=_cost, reverse=True)


def _cost(group: Group) -> int:
    return prod(c + 1 for c in group.columns)


# Processor seconds of an ordinary core that a state takes at each choice of the last row.
_SECONDS = 3e-9


def expected_seconds(groups: list[Group]) -> float:
    """About how long these groups take on one thread: states at most, times choices of the last row.

    >>> expected_seconds(merging_groups(20, 4, 4)) < 1 < expected_seconds(merging_groups(40, 5, 5))
    True
    """
    return _SECONDS * sum(
        _cost(group) * comb(group.last + len(group.columns) - 1, len(group.columns) - 1) for group in groups
    )


def _workspaces(lists: RowLists, groups: list[Group], threads: int) -> list[_Workspace]:
    """Room for every thread; raises TooLarge when the grid of a group exceeds the limit."""
    cells = max((prod(_state_grid(group.columns, lists.r)[1]) for group in groups), default=0)
    listed = lists.best.nbytes + lists.pairs.nbytes + lists.bucket.nbytes + lists.compositions.nbytes
    room = (merging_rows.MEMORY_LIMIT - listed) // threads - 4 * cells
    if room <= 0:
        raise TooLarge(
            f"merging at (n, r, s) = ({lists.n}, {lists.r}, {lists.s}) needs a grid of {cells} states for each of "
            f"{threads} threads beside {listed / 2**30:.1f} GiB of lists; "
            f"the limit is {merging_rows.MEMORY_LIMIT / 2**30:.1f} GiB"
        )
    # an array of 8-byte entries is, for a moment, kept beside the one that it replaces
    return [_Workspace(room // 16, np.full(cells, -1, np.int32)) for _ in range(threads)]


def _add_group(law: npt.NDArray, lists: RowLists, group: Group, work: _Workspace) -> None:
    """Add the counts of one group to ``law[n MED, A + B - 2P]``."""
    from confmat.engine import merging_kernels as kernels
    from confmat.engine import merging_last_row as last_row

    n, r, s, last, columns = lists.n, lists.r, lists.s, group.last, group.columns
    candidates = lists.compositions[lists.starts[last] : lists.starts[last + 1]]
    first_rows = r * prod(comb(c + r - 2, r - 2) for c in columns) if r > 1 else 1
    if first_rows * len(candidates) >= 2**53:
        raise TooLarge(f"{group} may hold 2^53 matrices or more: too many for exact sums in float64")
    column_sums = np.array(columns, np.int64)
    rows = np.empty(s * len(candidates), np.int16)
    values = np.empty(len(candidates), np.int64)
    kept, least, largest = last_row.fill_last_rows(column_sums, candidates, lists.smallest, rows, values)
    if kept == 0:
        return

    splits = lists.splits[last]
    row_pairs = splits[:, kernels.ROW_PAIRS].tolist()  # A' of each choice of the first rows
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
    states, work.cells, work.profiles = kernels.merge_states(
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
    kernels.fold_orbits(column_sums, states, grid, low, length, work.slot, work.cells, work.profiles)

    k_low = -(-n // s)
    spread = largest - least + 1
    block = np.zeros((n - k_low + 1, length + spread + 4 * last_row.BLOCK))
    last_row.join_last_row(
        rows, values, kept, least, spread, states, grid, low, length, work.cells, work.profiles, k_low, block
    )

    start = smallest + pairs_of(last) + least  # the value of A + B - 2P in column 0 of the block
    begin, end = max(start, 0), min(start + block.shape[1], law.shape[1])
    counts = block[:, begin - start : end - start].astype(np.int64).astype(law.dtype)
    law[n - k_low :: -1, begin:end] += distinct_orderings(columns) * counts


def _empty_law(n: int, r: int, s: int) -> npt.NDArray:
    """Zeros of the shape of the law; Python integers where 64 bits might not do."""
    cells = (n + 1) * (pairs_of(n) + 1)
    if (
        8 * cells > merging_rows.MEMORY_LIMIT // 8
    ):  # each thread keeps one such array and another one for a group
        raise TooLarge(f"the law of (MED, RD) at n = {n} has {cells} entries, too many for the memory limit")
    exact = np.int64 if comb(n + r * s - 1, n) < 2**63 else object
    return np.zeros((n + 1, pairs_of(n) + 1), exact)


def merge_groups(
    lists: RowLists,
    groups: Iterable[Group],
    *,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> npt.NDArray:
    """The part of the law that comes from ``groups``: one shard; the laws of disjoint shards add up.

    ``progress`` is called with the share of the groups that are done, by cost, from any thread.

    >>> groups = merging_groups(20, 3, 3)
    >>> lists = row_lists(20, 3, 3)
    >>> law = merge_groups(lists, groups[::2]) + merge_groups(lists, groups[1::2])
    >>> int(law.sum())
    2806281
    """
    queue = deque(groups)
    cost = sum(map(_cost, queue))
    done: list[int] = []
    spaces = _workspaces(lists, list(queue), threads)

    def work_off_queue(space: _Workspace) -> npt.NDArray:
        law = _empty_law(lists.n, lists.r, lists.s)
        while True:
            try:
                group = queue.popleft()
            except IndexError:
                return law
            _add_group(law, lists, group, space)
            done.append(_cost(group))
            if progress is not None:
                progress(min(1.0, sum(done) / cost))

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
