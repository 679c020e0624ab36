"""The lists from which merging starts: the matrices of half of the first rows of Tables(n, r, s), r <= s."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from confmat.classes.compositions import distinct_orderings, partitions
from confmat.engine.halves import number_of_states, split_rows
from confmat.engine.merging_kernels import LANES, LARGEST_SIDE, fill_compositions, fill_row_list
from confmat.errors import TooLarge
from confmat.matrices.arguments import as_count

MEMORY_LIMIT = 2 * 2**30  # bytes: row lists + the grids and profiles of all threads

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RowLists:
    """What every group of Tables(n, r, s), r <= s, shares: the matrices of half of the first rows.

    The arrays are those of `merging_kernels.fill_row_list`, one list after the other.  ``splits[last]`` has a
    line for each choice of the first rows: total of the top half, first bucket of the list of the top and of the
    bottom half, A', number of orderings of all row sums; sorted.
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
    _refuse_beyond_limit(needed + sum(sizes) * (2 * slots + 4) + sum(bucket_ends) * 8, n, r, s)

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

    best = np.zeros(slots * sum(sizes) + LANES, np.int16)  # the last lanes read beyond the last bucket
    pairs = np.empty(sum(sizes), np.int32)
    bucket = np.zeros(sum(bucket_ends), np.int64)
    first_bucket: dict[tuple[tuple[int, ...], bool], int] = {}
    place = buckets_before = 0
    for half, size, buckets in zip(halves, sizes, bucket_ends):
        rows, is_top = half
        part = bucket[buckets_before : buckets_before + buckets]
        fill_row_list(
            np.array(rows, np.int64),
            compositions,
            starts,
            np.array(masks[is_top], np.int64),
            binomial,
            not is_top,
            best[slots * place : slots * (place + size)],
            pairs[place : place + size],
            part,
        )
        part += place
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
