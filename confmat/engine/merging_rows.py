"""The lists from which merging starts: the matrices of half of the first rows of Tables(n, r, s), r <= s."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from confmat.classes.compositions import distinct_orderings, partitions
from confmat.engine.halves import list_half, number_of_states, split_rows
from confmat.engine.merging_kernels import LANES, LARGEST_SIDE, fill_compositions
from confmat.errors import TooLarge
from confmat.matrices.arguments import as_count

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
    octets_listed = max(size * 2 * (slots + len(rows) * s) for size, (rows, _) in zip(sizes, halves))
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
