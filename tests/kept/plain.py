"""Classes of tables and statistics by their definitions: loops and fractions, without the package.

Only small classes: every table is made by filling its cells one after another.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import factorial, nan, prod

Table = tuple[tuple[int, ...], ...]


def compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the tuples of non-negative integers with a sum, in lexicographic order."""
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in compositions(n - first, parts - 1):
            yield first, *rest


@cache
def members(name: str) -> list[Table]:
    """Return the tables of a class with a name such as "tables 5 2 2" or "rows 3,2 2 empty", in lexicographic order."""
    kind, *sizes = name.split()
    empty = sizes[-1] == "empty"
    numbers = [tuple(map(int, size.split(","))) for size in sizes if size != "empty"]
    if kind == "tables":
        (n,), (r,), (s,) = numbers
        cells = compositions(n, r * s)
        tables = [tuple(flat[i * s : (i + 1) * s] for i in range(r)) for flat in cells]
        return [table for table in tables if empty or all_filled(table)]
    if kind == "rows":
        return by_rows(numbers[0], numbers[1][0], lambda table: empty or all_filled(table))
    if kind == "columns":
        turned = by_rows(numbers[1], numbers[0][0], lambda table: empty or all_filled(table))
        return sorted(tuple(zip(*table)) for table in turned)
    return by_rows(numbers[0], len(numbers[1]), lambda table: col_sums(table) == numbers[1])


def by_rows(rows: tuple[int, ...], s: int, wanted) -> list[Table]:
    return [table for table in product(*(list(compositions(x, s)) for x in rows)) if wanted(table)]


def row_sums(table: Table) -> tuple[int, ...]:
    return tuple(map(sum, table))


def col_sums(table: Table) -> tuple[int, ...]:
    return tuple(map(sum, zip(*table)))


def all_filled(table: Table) -> bool:
    return all(row_sums(table)) and all(col_sums(table))


def total(table: Table) -> int:
    return sum(row_sums(table))


def labelings(table: Table) -> int:
    return factorial(total(table)) // prod(factorial(x) for row in table for x in row)


def weight_of(table: Table, weight: str) -> int:
    return labelings(table) if weight == "labelings" else 1


def pairs(numbers) -> int:
    return sum(x * (x - 1) // 2 for x in numbers)


def matched(table: Table) -> int:
    """Return the largest sum of cells of which no two are in one row or column."""
    if len(table) > len(table[0]):
        table = tuple(zip(*table))
    orders = permutations(range(len(table[0])), len(table))
    return max(sum(row[j] for row, j in zip(table, order)) for order in orders)


def quotient(numerator: int, denominator: int, if_undefined=nan):
    return Fraction(numerator, denominator) if denominator else if_undefined


def pair_sums(table: Table) -> tuple[int, int, int, int]:
    """Return pairs of objects in a row, in a column, in a cell, and all pairs."""
    n = total(table)
    cells = [x for row in table for x in row]
    return pairs(row_sums(table)), pairs(col_sums(table)), pairs(cells), n * (n - 1) // 2


def med(table: Table):
    return quotient(total(table) - matched(table), total(table))


def rd(table: Table):
    A, B, P, N = pair_sums(table)
    return quotient(A + B - 2 * P, N, 0)


def ard(table: Table):
    A, B, P, N = pair_sums(table)
    return quotient(N * (A + B - 2 * P), A * (N - B) + B * (N - A), 0)


def jaccard(table: Table):
    A, B, P, _ = pair_sums(table)
    return quotient(P, A + B - P)


def wallace_ab(table: Table):
    A, _, P, _ = pair_sums(table)
    return quotient(P, A)


def wallace_ba(table: Table):
    _, B, P, _ = pair_sums(table)
    return quotient(P, B)


def purity(table: Table):
    return quotient(sum(map(max, zip(*table))), total(table))


def van_dongen(table: Table):
    best = sum(map(max, table)) + sum(map(max, zip(*table)))
    return quotient(2 * total(table) - best, 2 * total(table))


def accuracy(table: Table):
    return quotient(sum(table[i][i] for i in range(len(table))), total(table))


def chi2(table: Table):
    rows, cols = row_sums(table), col_sums(table)
    terms = [
        Fraction(x * x, rows[i] * cols[j]) for i, row in enumerate(table) for j, x in enumerate(row) if x
    ]
    return total(table) * (sum(terms, Fraction(0)) - 1)


STATISTICS = {
    "med": med,
    "rd": rd,
    "ri": lambda table: 1 - rd(table),
    "ard": ard,
    "ari": lambda table: 1 - ard(table),
    "jaccard": jaccard,
    "wallace_ab": wallace_ab,
    "wallace_ba": wallace_ba,
    "purity": purity,
    "van_dongen": van_dongen,
    "accuracy": accuracy,
    "chi2": chi2,
}
