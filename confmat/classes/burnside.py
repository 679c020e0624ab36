"""How many orbits a class has without listing them: Burnside's lemma over types of permutations."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from math import factorial, gcd, lcm

from confmat.classes.compositions import Composition, cycle_types, ways_to_add_up
from confmat.classes.matrix_class import MatrixClass

# The lines of a side: the types of its permutations are the partitions of their number.
MOST_LINES_COUNTED = 12


def orbits_count(matrices: MatrixClass) -> int | None:
    """Number of members up to permutations of rows and of columns and, for r = s, transposition.

    For classes of all matrices with a total and shape; None for others, and beyond ``MOST_LINES_COUNTED`` lines a side.

    >>> from confmat.classes import Tables
    >>> orbits_count(Tables(8, 3, 3)), len(list(Tables(8, 3, 3).orbits()))
    (128, 128)
    """
    if not matrices.unrestricted or max(matrices.shape) > MOST_LINES_COUNTED:
        return None
    n, (r, s) = matrices.n, sorted(matrices.shape)
    if matrices.may_be_empty or not n:
        return _orbits_of_square(n, r, s) if matrices else 0
    # A table is one without empty lines and with fewer of them: those that fill all lines are what is new.
    fewer_of_both = _with_lines(n, r - 1, s - 1)
    fewer_rows = _with_lines(n, r - 1, s) - fewer_of_both
    if r < s:
        return _with_lines(n, r, s) - fewer_rows - _with_lines(n, r, s - 1)
    fewer_square = _orbits_of_square(n, r - 1, r - 1) if r > 1 else 0
    return _orbits_of_square(n, r, r) - fewer_square - fewer_rows


def _with_lines(n: int, r: int, s: int) -> int:
    """r x s tables with empty lines allowed up to permutations alone; none has no lines, as n > 0."""
    return _fixed(n, _by_permutations(r, s)) // (factorial(r) * factorial(s)) if r and s else 0


def _orbits_of_square(n: int, r: int, s: int) -> int:
    """The same, for r = s up to transposition as well."""
    if r < s:
        return _with_lines(n, r, s)
    total = _fixed(n, _by_permutations(r, r)) + _fixed(n, _by_transpositions(r))
    return total // (2 * factorial(r) ** 2)


@cache
def _by_permutations(r: int, s: int) -> Counter[Composition]:
    """Lengths of the cycles of cells under a permutation of rows and one of columns, and how many pairs have them."""
    pairs: Counter[Composition] = Counter()
    for (rows, of_rows), (cols, of_cols) in product(cycle_types(r), cycle_types(s)):
        lengths = []
        for a, b in product(rows, cols):
            lengths += [lcm(a, b)] * gcd(a, b)
        lengths.sort()
        pairs[tuple(lengths)] += of_rows * of_cols
    return pairs


@cache
def _by_transpositions(r: int) -> Counter[Composition]:
    """The same where the matrix is transposed as well: done twice, that permutes the rows, by each type as often."""
    transpositions: Counter[Composition] = Counter()
    for rows, times in cycle_types(r):
        lengths = []
        for a, b in combinations(rows, 2):
            lengths += [2 * lcm(a, b)] * gcd(a, b)
        for a in rows:
            lengths += [2 * a] * (a // 2) + [a] * (a % 2)
        lengths.sort()
        transpositions[tuple(lengths)] += times * factorial(r)
    return transpositions


def _fixed(n: int, types: Counter[Composition]) -> int:
    """Tables with total n that permutations of cells leave unchanged: the cells of a cycle are equal."""
    return sum(times * ways_to_add_up(n, lengths) for lengths, times in types.items())
