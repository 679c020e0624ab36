"""The largest ARD of tables with few misplaced objects, also if n is less than (n MED + 4)^2.

Statement `ard-given-med-few`: for n >= 10 and 2 <= m <= n - 2 with m <= 8 or n <= 14, the largest ARD of all pairs of
    clusterings with n MED = m is that of the hook of ones, a cell of n - m objects with ceil(m/2) ones in its row and
    floor(m/2) in its column. Only this table has it, up to order, transposition and empty rows and columns.
Statement `ard-above-one-few`: let m = n MED be 2, 3 or 4, n >= 3m + 1, and some pair of objects together in both
    clusterings. Then the ARD exceeds 1 if and only if all objects lie in one row and one column that meet in a cell
    of n - m objects, with other objects in each of them.

For n >= (m + 4)^2 both follow from `ard-given-med-tables`.  For smaller n all tables that can have an ARD of a level
t or more are compared, with the names of that proof:
(1) A best matching has cells y_1 >= y_2 >= ..., with the sum n - m and Q pairs.  With r_i other objects in row i and
    c_j in column j, A = Q + sum y_i r_i + sum C(r_i, 2), B likewise, P >= Q; rows and columns outside the matching have
    y = 0.  A and B lie between Q and Q + y_1 m + C(m, 2), and are positive if the ARD is.
(2) ARD >= t if and only if g(A, B, P) = (1 - t) M (A + B) + 2t AB - 2MP >= 0.  g decreases in P and is linear in A and
    in B, so its largest value over a square of A and B is at a corner.  At the corners, as a function of Q, it is
    convex.  This leaves few (y_i), then few (r_i) and (c_j), whose tables are listed.
(3) The first statement: t is the ARD of the hook of ones.  The second: t = 1 and P >= 1; "if" is (C6).  QED
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import comb

import confmat as cm
from confmat._integers.compositions import partitions
from proofs import Table, ard, is_hook, require
from proofs.ard_given_med import hook_of_ones, largest

Lines = tuple[
    tuple[int, int], ...
]  # y and the number of other objects, of the rows or columns that have others
Gain = Callable[[int, int, int], int]

MOST = 8  # objects misplaced
ALL_OF = 14  # objects, of which any number is misplaced
EACH_TIME = 6  # of these, what `verify` compares


def gain_over(level: Fraction, M: int) -> Gain:
    """Return the function g(A, B, P) of step (2), times 2 M and the denominator of the level.

    >>> gain_over(Fraction(1), 6)(2, 2, 0)
    8
    """
    t, d = level.numerator, level.denominator
    return lambda A, B, P: (d - t) * M * (A + B) + 2 * t * A * B - 2 * d * M * P


def sizes(total: int, most: int, other: int, gain: Gain, least: int) -> Iterator[tuple[list[int], int]]:
    """Yield possible cells of a matching, the first one ``most`` and their sum ``total``, with their pairs Q.

    Those for which some A, B >= 1 from Q to Q + ``other`` have a gain >= 0 with P = max(Q, ``least``).

    >>> list(sizes(4, 3, 3, gain_over(Fraction(1), 10), 0))
    [([3, 1], 3)]
    """

    def may_reach(Q: int) -> bool:
        ends, P = (max(Q, 1), Q + other), max(Q, least)
        return max(gain(A, B, P) for A in ends for B in ends) >= 0

    def extend(left: int, last: int, cells: list[int], Q: int) -> Iterator[tuple[list[int], int]]:
        if not left:
            if may_reach(Q):
                yield cells, Q
            return
        high = Q + (left // last) * comb(last, 2) + comb(left % last, 2)  # Q is at most this in the end
        if not any(map(may_reach, (Q, max(Q, least), high))):
            return
        for size in range(min(last, left), 0, -1):
            yield from extend(left - size, size, [*cells, size], Q + comb(size, 2))

    yield from extend(total - most, most, [most], comb(most, 2))


def lines(cells: list[int], m: int) -> Iterator[Lines]:
    """Yield the ways to put m objects into rows with these matched cells, or into rows without."""
    available = Counter(cells)
    available[0] = m

    def place(parts: tuple[int, ...], placed: Lines) -> Iterator[Lines]:
        if not parts:
            yield placed
            return
        for y in available:
            place_of_part = (y, parts[0])
            if available[y] and (not placed or placed[-1][1] > parts[0] or placed[-1] >= place_of_part):
                available[y] -= 1
                yield from place(parts[1:], (*placed, place_of_part))
                available[y] += 1

    for count in range(1, m + 1):
        for parts in partitions(m, count, minimum=1):
            yield from place(parts, ())


def pairs_in_lines(Q: int, of: Lines) -> int:
    """Return A (for rows) or B (for columns)."""
    return Q + sum(y * others + comb(others, 2) for y, others in of)


def identifications(rows: Lines, columns: Lines) -> Iterator[dict[int, int]]:
    """Yield all assignments of columns to rows with which they share a matched cell."""

    def extend(i: int, chosen: dict[int, int]) -> Iterator[dict[int, int]]:
        if i == len(rows):
            yield dict(chosen)
            return
        yield from extend(i + 1, chosen)
        for j, (y, _) in enumerate(columns):
            if y and y == rows[i][0] and j not in chosen.values():
                chosen[i] = j
                yield from extend(i + 1, chosen)
                del chosen[i]

    yield from extend(0, {})


def fillings(rows: list[int], columns: list[int], closed: set[tuple[int, int]]) -> Iterator[Table]:
    """Yield tables with these margins and zeros in the closed cells."""

    def extend(i: int, j: int, left: int, rest: list[int], table: Table) -> Iterator[Table]:
        if j == len(columns):
            if left:
                return
            if i + 1 == len(rows):
                yield table
            else:
                yield from extend(i + 1, 0, rows[i + 1], rest, [*table, []])
            return
        most = 0 if (i, j) in closed else min(left, rest[j])
        for x in range(most + 1):
            after = [*rest[:j], rest[j] - x, *rest[j + 1 :]]
            yield from extend(i, j + 1, left - x, after, [*table[:-1], [*table[-1], x]])

    yield from extend(0, 0, rows[0], columns, [[]])


def tables(cells: list[int], rows: Lines, columns: Lines, reaches: Callable[[int], bool]) -> Iterator[Table]:
    """Yield the tables with these matched cells and other objects, up to order, if their P reaches the level."""
    Q = sum(comb(y, 2) for y in cells)
    available = Counter(cells)
    for same in identifications(rows, columns):
        alone = [columns[j] for j in range(len(columns)) if j not in same.values()]
        used = Counter(y for y, _ in (*rows, *alone) if y)
        if any(used[y] > available[y] for y in used):
            continue
        rest = list((available - used).elements())
        for inner in fillings([x for _, x in rows], [x for _, x in columns], set(same.items())):
            if not reaches(Q + sum(comb(x, 2) for row in inner for x in row)):
                continue
            width = len(columns) + len(rows) + len(alone) + len(rest)
            table = [row + [0] * (width - len(columns)) for row in inner]
            free = len(columns)
            for i, (y, _) in enumerate(rows):
                if i in same:
                    table[i][same[i]] = y
                else:
                    table[i][free] = y
                    free += 1
            for j, (y, _) in enumerate(columns):
                if j not in same.values():
                    table.append([y if j == k else 0 for k in range(width)])
            for y in rest:
                table.append([y if k == free else 0 for k in range(width)])
                free += 1
            yield stripped(table)


def stripped(table: Table) -> Table:
    """Return the table without empty rows and columns.

    >>> stripped([[0, 2], [0, 0]])
    [[2]]
    """
    kept = [row for row in table if any(row)]
    return [list(row) for row in zip(*(column for column in zip(*kept) if any(column)))]


def misplaced(table: Table) -> int:
    """Return n MED, by the assignment problem.

    >>> misplaced([[2, 1], [1, 0]])
    2
    """
    return int(cm.med(table, exact=True) * sum(map(sum, table)))


def reaching(n: int, m: int, level: Fraction, least: int = 0) -> Iterator[Table]:
    """Yield all tables with n MED = m, ARD >= level >= 1 and P >= least, once or more up to order and transposition."""
    gain = gain_over(level, comb(n, 2))
    for most in range(1, n - m + 1):
        for cells, Q in sizes(n - m, most, most * m + comb(m, 2), gain, least):
            P = max(Q, least)
            ways = sorted(((pairs_in_lines(Q, of), of) for of in lines(cells, m)), reverse=True)
            high = ways[0][0]
            useful = [way for way in ways if max(gain(way[0], high, P), gain(way[0], Q, P)) >= 0]
            for i, (A, rows) in enumerate(useful):
                for B, columns in useful[i:]:
                    if not B or gain(A, B, P) < 0:
                        continue
                    reaches = partial(reached, gain, A, B, least)
                    for table in tables(cells, rows, columns, reaches):
                        if misplaced(table) == m:
                            yield table


def reached(gain: Gain, A: int, B: int, least: int, P: int) -> bool:
    """Return whether a table with these pairs has the level and P >= least."""
    return least <= P and gain(A, B, P) >= 0


def is_hook_of_ones(table: Table, m: int) -> bool:
    """Return whether the table is the hook of ones, in some order, or its transpose.

    >>> is_hook_of_ones([[0, 0, 1], [1, 1, 3]], 3), is_hook_of_ones([[3, 2], [1, 0]], 3)
    (True, False)
    """
    leg = m // 2
    shape = sorted((len(table), len(table[0])))
    ones = sorted(x for row in table for x in row if x)[:-1]
    return is_hook(table) and ones == [1] * m and shape == [leg + 1, m - leg + 1]


def compare(n: int, m: int) -> int:
    """Check that the hook of ones has the largest ARD at (n, m), and no other table; return the tables listed."""
    seen = 0
    for table in reaching(n, m, ard(hook_of_ones(n, m))):
        require(is_hook_of_ones(table, m), f"(3): {table}")
        seen += 1
    require(seen, f"the hook of ones at {n}, {m}")
    return seen


def check_above_one() -> int:
    """Check the second statement, and that for fewer objects there are other tables than hooks."""
    seen = 0
    for m in (2, 3, 4):
        for n in range(3 * m + 1, (m + 4) ** 2):
            for table in reaching(n, m, Fraction(1), least=1):
                if ard(table) > 1 and max(map(max, table)) > 1:
                    require(is_hook(table) and max(map(max, table)) == n - m, f"(3): {table}")
                    seen += 1
    for n in range(5, 9):
        not_hooks = largest(n).not_hooks
        for m in (2, 3, 4):
            found = [x for x in reaching(n, m, Fraction(1), least=1) if ard(x) > 1 and max(map(max, x)) > 1]
            require(all(map(is_hook, found)) == (m not in not_hooks), f"what is no hook at {n}, {m}")
    return seen


def sizes_compared(most: int) -> Iterator[tuple[int, int]]:
    """Yield the (n, m), m <= most, that the theorem for large n does not cover."""
    for m in range(2, most + 1):
        last = (m + 4) ** 2 - 1 if m <= MOST else ALL_OF
        for n in range(max(10, m + 2), last + 1):
            yield n, m


def verify() -> str:
    """Check all tables that reach the level, for few misplaced objects."""
    seen = sum(compare(n, m) for n, m in sizes_compared(EACH_TIME))
    return f"{seen} tables as good as the hook of ones, {check_above_one()} with ARD > 1"
