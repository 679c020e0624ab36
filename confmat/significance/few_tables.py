"""Tails over few tables with given margins, with counts of any size.

A table is compared with the observed one by a sum over cells, without rounding. Its probability is computed from
that of a similar table. Two rows and two columns have one table for each value of a cell.

>>> from confmat.fixed_margins.cell_sums import PAIRS
>>> tables = TwoByTwo((4, 3), (4, 3))
>>> ranks = tables.ranks(PAIRS, 3)
>>> ranks, tables.exact_chances(ranks)
(array([ 1, -1,  0,  1], dtype=int8), Chances(at_least=Fraction(17, 35), beyond=Fraction(1, 7), error=None))
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lgamma, log, prod
from typing import Any, NamedTuple

import numpy as np

from confmat._numba import njit
from confmat.contingency.texts import matrix_text
from confmat.errors import TooLargeError, UndecidedError
from confmat.fixed_margins.cell_sums import CellSum

MOST_MEMBERS = 20_000_000
"""Tables of two rows and two columns whose probabilities are added up: a second or two."""

# Bits of the integers that are added up if the answer is a fraction: about a second.
_MOST_BITS = 5 * 10**9

# Bits of the logarithms that are compared, and objects moved between two tables whose ratio is computed exactly.
_PRECISIONS = (128, 512, 4096)
_MOST_MOVED = 10_000

# Numbers are a mantissa between these two times a power of 2^512.
_LARGE, _SMALL, _STEP = 2.0**256, 2.0**-256, 2.0**-512

# Roundings of one step: four of counts, four of the ratio and of what it multiplies, one of the sum; the errors of a
# sum and of the total are added.
_ROUNDINGS_OF_A_STEP = 18

Margins = tuple[int, ...]


class Chances(NamedTuple):
    """Probabilities of tables at least as extreme, and of more extreme ones; their relative error, None if exact."""

    at_least: Fraction
    beyond: Fraction
    error: float | None


def ratio(table: np.ndarray, other: np.ndarray) -> Fraction:
    """Return the quotient of the probabilities of two tables with the same margins.

    >>> ratio(np.array([[2, 1], [0, 2]]), np.array([[1, 2], [1, 1]]))
    Fraction(1, 2)
    """
    above = below = 1
    for x, y in zip(table.ravel().tolist(), other.ravel().tolist()):
        above *= prod(range(x + 1, y + 1))
        below *= prod(range(y + 1, x + 1))
    return Fraction(above, below)


def compare_sums(cell_sum: CellSum, table: np.ndarray, other: np.ndarray) -> int:
    """Return the sign of the difference between the sums over the cells of two tables with the same margins.

    Raises UndecidedError if 4096 bits do not tell two sums of logarithms apart, and the tables are far from each other.

    >>> from confmat.fixed_margins.cell_sums import PAIRS
    >>> compare_sums(PAIRS, np.array([[2, 1], [0, 2]]), np.array([[1, 2], [1, 1]]))
    1
    """
    if not cell_sum.logarithm:
        difference = _exact_sum(cell_sum, table) - _exact_sum(cell_sum, other)
        return (difference > 0) - (difference < 0)
    cells, other_cells = (sorted(x.ravel().tolist()) for x in (table, other))
    if cells == other_cells:
        return 0
    for bits in _PRECISIONS:
        difference = _logarithm_of_product(cell_sum, cells, bits) - _logarithm_of_product(
            cell_sum, other_cells, bits
        )
        if abs(difference) > 2.0**-40 * 2.0 ** (128 - min(bits, 1000)):
            return 1 if difference > 0 else -1
        if bits == _PRECISIONS[0] and _is_equal(cell_sum, table, other):
            return 0
    raise UndecidedError(
        f"{cell_sum.name} of {matrix_text(table)} and {matrix_text(other)} agree to {_PRECISIONS[-1]} bits"
    )


def _exact_sum(cell_sum: CellSum, table: np.ndarray) -> Fraction:
    assert cell_sum.cell is not None
    rows, cols = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    total = Fraction(0)
    for (i, j), x in np.ndenumerate(table):
        total += cell_sum.cell(int(x), i, j, rows, cols)
    return total


def _logarithm_of_product(cell_sum: CellSum, cells: Sequence[int], bits: int) -> Any:
    """Return the sum of log x! or x log x over some cells, of at most 2^60 objects, off by less than 2^(70 - bits)."""
    from mpmath import mp

    with mp.workprec(bits + 10):
        if cell_sum.logarithm == "factorials":
            return mp.fsum(mp.loggamma(x + 1) for x in cells)
        return mp.fsum(x * mp.log(x) for x in cells if x)


def _is_equal(cell_sum: CellSum, table: np.ndarray, other: np.ndarray) -> bool:
    if cell_sum.logarithm == "factorials":
        return bool(abs(table - other).sum() <= _MOST_MOVED) and ratio(table, other) == 1
    from sympy import factorint

    exponents: dict[int, int] = {}
    signed_cells = [(x, 1) for x in table.ravel().tolist()]
    signed_cells += [(x, -1) for x in other.ravel().tolist()]
    for x, sign in signed_cells:
        for prime, exponent in factorint(x).items() if x > 1 else ():
            exponents[prime] = exponents.get(prime, 0) + sign * x * exponent
    return not any(exponents.values())


@dataclass(frozen=True)
class TwoByTwo:
    """All tables with these sums of rows and columns, of which two of each are positive."""

    rows: Margins
    cols: Margins

    @property
    def first_cells(self) -> range:
        """All values of the first cell of the two rows and columns.

        >>> TwoByTwo((3, 2), (1, 4)).first_cells
        range(0, 2)
        """
        (row, other_row), (col, _) = self._positive
        return range(max(0, col - other_row), min(row, col) + 1)

    @property
    def _positive(self) -> tuple[list[int], list[int]]:
        return [x for x in self.rows if x], [x for x in self.cols if x]

    def table(self, x: int) -> np.ndarray:
        """Return the table with ``x`` in the first cell of the two rows and columns.

        >>> TwoByTwo((3, 0, 2), (1, 4)).table(1).tolist()
        [[1, 2], [0, 0], [0, 2]]
        """
        (row, other_row), (col, _) = self._positive
        table = np.zeros((len(self.rows), len(self.cols)), np.int64)
        cells = [x, row - x, col - x, other_row - col + x]
        rows = np.flatnonzero(self.rows)
        cols = np.flatnonzero(self.cols)
        table[np.ix_(rows, cols)] = np.reshape(cells, (2, 2))
        return table

    def ranks(self, cell_sum: CellSum, observed: int) -> np.ndarray:
        """Return for each table 1, 0 or -1 if its sum over cells is above, at or below the one at ``observed``.

        The sum is convex in the first cell, so that smaller ones lie between the observed table and another one.

        >>> from confmat.fixed_margins.cell_sums import PAIRS
        >>> TwoByTwo((4, 3), (4, 3)).ranks(PAIRS, 3)
        array([ 1, -1,  0,  1], dtype=int8)
        """
        members = self.first_cells
        table = self.table(observed)

        def sign(x: int) -> int:
            return compare_sums(cell_sum, self.table(x), table)

        ranks = np.ones(len(members), np.int8)
        ranks[observed - members.start] = 0
        for others in (range(observed + 1, members.stop), range(observed - 1, members.start - 1, -1)):
            end = bisect_left(others, True, key=lambda x: sign(x) >= 0)
            ranks[np.array(others[:end], np.int64) - members.start] = -1
            if end < len(others) and sign(others[end]) == 0:
                ranks[others[end] - members.start] = 0
        return ranks

    def has_small_numbers(self) -> bool:
        """Return whether exact fractions take about a second at most.

        >>> TwoByTwo((3, 2), (1, 4)).has_small_numbers()
        True
        """
        row, other_row = self._positive[0]
        logarithm = lgamma(row + other_row + 1) - lgamma(row + 1)
        bits = (logarithm - lgamma(other_row + 1)) / log(2)
        return len(self.first_cells) * (bits + 1000) <= _MOST_BITS

    def chances(self, ranks: np.ndarray) -> Chances:
        """Return the probabilities of ranks of at least 0 and of 1, with a bound of their relative error."""
        (row, other_row), (col, _) = self._positive
        least = self.first_cells.start
        mantissas, powers = _sums_by_rank(ranks, least, row, col, other_row - col)
        sums = []
        for mantissa, power in zip(mantissas, powers.tolist()):
            sums.append(Fraction(mantissa) * Fraction(2) ** (512 * power))
        error = 1.01 * 2.0**-53 * _ROUNDINGS_OF_A_STEP * len(ranks)
        return _chances_of(sums, error)

    def exact_chances(self, ranks: np.ndarray) -> Chances:
        """Return the probabilities of ranks of at least 0 and of 1; TooLargeError if their integers are too large."""
        if not self.has_small_numbers():
            raise TooLargeError(
                f"exact=True takes too long here: {len(ranks):,} integers have too many digits"
            )
        (row, other_row), (col, other_col) = self._positive
        least = self.first_cells.start
        ways = comb(col, least) * comb(other_col, row - least)
        sums = [0, 0, 0]
        for x, rank in enumerate(ranks.tolist(), start=least):
            sums[rank + 1] += ways
            divisor = (x + 1) * (other_row - col + x + 1)
            ways = ways * (row - x) * (col - x) // divisor
        return _chances_of(sums, None)


def _chances_of(sums: Sequence[int | Fraction], error: float | None) -> Chances:
    """Return probabilities from the sums of less extreme, equally extreme and more extreme tables."""
    total = sum(sums)
    at_least = Fraction(sums[1] + sums[2])
    return Chances(at_least / total, Fraction(sums[2]) / total, error)


@njit
def _sums_by_rank(
    ranks: np.ndarray, least: int, row: int, col: int, rest: int
) -> tuple[np.ndarray, np.ndarray]:
    """Add up probabilities, up to a factor, by ranks -1, 0 and 1: mantissas and powers of 2^512."""
    mantissas = np.zeros(3)
    powers = np.zeros(3, np.int64)
    chance, power = 1.0, 0
    for k in range(len(ranks)):
        x = float(least + k)
        rank = ranks[k] + 1
        if mantissas[rank] == 0.0:
            powers[rank] = power
        while powers[rank] < power:
            mantissas[rank] *= _STEP
            powers[rank] += 1
        behind = powers[rank] - power
        if behind < 3:
            mantissas[rank] += chance * _STEP**behind
        numerator = (row - x) * (col - x)
        chance *= numerator / ((x + 1) * (rest + x + 1))
        if chance > _LARGE:
            chance *= _STEP
            power += 1
        elif chance < _SMALL and chance > 0.0:
            chance /= _STEP
            power -= 1
    return mantissas, powers
