# mypy: allow-untyped-defs
"""The law of the Rand distance alone over Tables(n, r, s), by adding one row at a time.

F = C(n, 2) RD counts the pairs of points that lie in one line (row or column) and in different cells.  When a row
x joins rows with column sums c, the new such pairs are within the row and along the columns:

    F(with x) = F(without x) + sum over i < j of x_i x_j + sum over j of c_j x_j.

So of the rows so far only c matters, and F; permuting columns changes nothing, so c is kept sorted.  The *partial
law* of c is the number of matrices with column sums c for each F.  The last row is not merged into partial laws:
its size is known, n - sum c, and its contributions are counted and convolved with the law of c.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
from numba import njit

from confmat.classes import Tables
from confmat.classes.partitions import distinct_orderings, partitions


def rand_distance_counts(n: int, r: int, s: int, *, empty: bool = False) -> list[int]:
    """Exact law of the RD: element F is the number of tables in ``Tables(n, r, s, empty)`` with C(n, 2) RD = F.

    The list ends with the largest F; it is empty for a class without members.  Rows and columns are exchanged so
    that r <= s.  The work is one addition for each row that fits and each entry of the partial law it joins:
    (80,3,3) and (40,4,4) take seconds, (120,3,3) about twenty; it grows about as n^7 for 3 x 3.
    OverflowError when the class with empty lines has 2^63 members or more: 4 x 4 beyond n = 107.

    >>> rand_distance_counts(3, 2, 2)
    [4, 0, 4]
    """
    tables = Tables(n, r, s, empty)
    n, (r, s), empty = tables.n, sorted(tables.shape), tables.empty
    if (members := Tables(n, r, s, empty=True).count()) >= 2**63:
        raise OverflowError(
            f"n={n}, r={r}, s={s}: {members} tables, their counts by RD need more than 63 bits"
        )
    if tables.count() == 0:
        return []
    total = np.zeros(comb(n, 2) + 1, np.int64)
    for c, first, law in _partial_laws(n, s, r - 1, empty):
        left = n - sum(c)
        if empty or left >= max(1, c.count(0)):
            _add_last_row(np.array(c, np.int64), left, empty, first, law * distinct_orderings(c), total)
    return [int(count) for count in np.trim_zeros(total, "b")]


def _partial_laws(
    n: int, s: int, rows: int, empty: bool
) -> Iterator[tuple[tuple[int, ...], int, np.ndarray]]:
    """Sorted column sums c of ``rows`` rows with up to n points, the least F, and the counts from there on."""
    one = np.ones(1, np.int64)
    if rows == 0:
        yield (0,) * s, 0, one
        return
    column_sums = (c for size in range(0 if empty else rows, n + 1) for c in partitions(size, s, minimum=0))
    if rows == 1:
        for c in column_sums:
            yield c, comb(sum(c), 2) - sum(comb(x, 2) for x in c), one
        return
    # places[rank of c] and the next place enclose the law of c in one long array
    binomials = np.array([[comb(i + j, j + 1) for j in range(s)] for i in range(n + 1)], np.int64)
    firsts = np.zeros(comb(n + s, s), np.int64)
    lengths = np.zeros(comb(n + s, s) + 1, np.int64)
    above = list(_partial_laws(n, s, rows - 1, empty))
    ranks = [_rank(np.array(c, np.int64), binomials) for c, _, _ in above]
    for rank, (_, first, law) in zip(ranks, above):
        firsts[rank], lengths[rank + 1] = first, len(law)
    places = lengths.cumsum()
    laws = np.zeros(places[-1], np.int64)
    for rank, (_, _, law) in zip(ranks, above):
        laws[places[rank] : places[rank + 1]] = law
    del above
    for c in column_sums:
        counts = np.zeros(comb(sum(c), 2) + 1, np.int64)
        _add_row(np.array(c, np.int64), firsts, places, laws, binomials, empty, counts)
        present = np.flatnonzero(counts)
        yield c, int(present[0]), counts[present[0] : present[-1] + 1].copy()


@njit(nogil=True, cache=True)
def _rank(c: np.ndarray, binomials: np.ndarray) -> int:
    """Place of c_1 >= ... >= c_s in lexicographic order: sum over j of C(c_j + s - j, s - j + 1)."""
    place = 0
    for j in range(len(c)):
        place += binomials[c[j], len(c) - 1 - j]
    return place


@njit(nogil=True, cache=True)
def _add_row(c, firsts, places, laws, binomials, empty, counts):
    """Add to ``counts[F]`` the matrices with column sums c, from the laws of those without their last row x."""
    s = len(c)
    x = np.zeros(s, np.int64)
    rest = np.zeros(s, np.int64)
    while True:
        size, new = 0, 0
        for j in range(s):
            old = c[j] - x[j]
            new += (size + old) * x[j]
            size += x[j]
            i = j  # insert into rest, which decreases
            while i > 0 and rest[i - 1] < old:
                rest[i] = rest[i - 1]
                i -= 1
            rest[i] = old
        if size > 0 or empty:
            rank = _rank(rest, binomials)
            shift = firsts[rank] + new - places[rank]
            for place in range(places[rank], places[rank + 1]):
                counts[shift + place] += laws[place]
        j = s - 1
        while j >= 0 and x[j] == c[j]:
            x[j] = 0
            j -= 1
        if j < 0:
            return
        x[j] += 1


@njit(nogil=True, cache=True)
def _add_last_row(c, left, empty, first, law, total):
    """Add to ``total[F]`` the matrices of rows with column sums c and law ``law`` above a row with sum ``left``."""
    s = len(c)
    news = np.zeros(len(total), np.int64)
    x = np.zeros(s, np.int64)
    x[s - 1] = left
    while True:
        size, new, full = 0, 0, True
        for j in range(s):
            new += size * x[j] + c[j] * x[j]
            size += x[j]
            full = full and c[j] + x[j] > 0
        if full or empty:
            news[new] += 1
        # the next composition: move one point from the last part in use one place to the left
        j = s - 1
        while j > 0 and x[j] == 0:
            j -= 1
        if j == 0:
            break
        rest = x[j] - 1
        x[j] = 0
        x[j - 1] += 1
        x[s - 1] = rest
    for new in range(len(news)):
        if news[new]:
            for i in range(len(law)):
                total[new + first + i] += news[new] * law[i]
