"""P-values from all tables with given margins, if these are few, with counts of any size.

Each table is compared with the observed one by a sum over cells, without rounding. If only two row sums and two
column sums are positive, there is one table for each value of the first cell. Its probability follows from that of
the table before it.

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
"""Largest number of tables of two rows and two columns whose probabilities are added up: one or two seconds."""

# Largest number of bits of all integers of an exact sum: about a second.
_MOST_BITS = 5 * 10**9

# Bits of the logarithms that are compared, and the largest sum of differences of cells for an exact ratio.
_PRECISIONS = (128, 512, 4096)
_MOST_MOVED = 10_000

# Numbers are stored as a mantissa between _SMALL and _LARGE times a power of 2^512.
_LARGE, _SMALL, _STEP = 2.0**256, 2.0**-256, 2.0**-512

# Roundings of one step, twice: four of counts, four of the ratio and its product, one of the sum.  The errors of a sum
# and of the total add up.
_ROUNDINGS_OF_A_STEP = 18

Margins = tuple[int, ...]


class Chances(NamedTuple):
    """Probability of the tables at least as extreme as the observed one, and probability of the more extreme tables.

    ``error`` bounds their relative errors. It is None if they are exact.
    """

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
    """Return the sign of the difference between the sums over the cells of two tables: 1, 0 or -1.

    ``cell_sum`` defines the term of a cell. The tables must have the same margins.

    Raise UndecidedError if two sums of logarithms agree to 4096 bits and the tables differ too much to prove
    equality.

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
        f"cannot decide whether {cell_sum.name} is equal for {matrix_text(table)} and {matrix_text(other)}: "
        f"the values agree in {_PRECISIONS[-1]} bits"
    )


def _exact_sum(cell_sum: CellSum, table: np.ndarray) -> Fraction:
    """Return the sum over the cells of a table, as a Fraction. The terms of ``cell_sum`` must be exact numbers."""
    assert cell_sum.cell is not None
    rows, cols = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    total = Fraction(0)
    for (i, j), x in np.ndenumerate(table):
        total += cell_sum.cell(int(x), i, j, rows, cols)
    return total


def _logarithm_of_product(cell_sum: CellSum, cells: Sequence[int], bits: int) -> Any:
    """Return the sum of log x! or of x log x over ``cells``, with ``bits`` binary digits.

    It is that of log x! if ``cell_sum.logarithm`` is "factorials". For cells of at most 2^60 objects the error is
    below 2^(70 - bits).
    """
    from mpmath import mp

    with mp.workprec(bits + 10):
        if cell_sum.logarithm == "factorials":
            return mp.fsum(mp.loggamma(x + 1) for x in cells)
        return mp.fsum(x * mp.log(x) for x in cells if x)


def _is_equal(cell_sum: CellSum, table: np.ndarray, other: np.ndarray) -> bool:
    """Return True if it is proved in integers that two tables have the same sum of logarithms over their cells.

    If the sums are those of log x!, the result is also False for tables that differ in more than ``_MOST_MOVED``
    objects.
    """
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
    """All tables with given margins, of which two row sums and two column sums are positive and the others 0.

    The *first cell* of a table is in the first row and the first column with a positive sum. It determines the
    table.
    """

    rows: Margins
    cols: Margins

    @property
    def first_cells(self) -> range:
        """Possible numbers of objects in the first cell.

        >>> TwoByTwo((3, 2), (1, 4)).first_cells
        range(0, 2)
        """
        (row, other_row), (col, _) = self._positive
        return range(max(0, col - other_row), min(row, col) + 1)

    @property
    def _positive(self) -> tuple[list[int], list[int]]:
        """The two positive row sums and the two positive column sums."""
        return [x for x in self.rows if x], [x for x in self.cols if x]

    def table(self, x: int) -> np.ndarray:
        """Return the table with ``x`` objects in its first cell.

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
        """Return the rank of each table, in the order of `first_cells`, by a sum over cells.

        It is 1, 0 or -1 if the sum is above, equal to or below that of the observed table. ``observed`` is the
        first cell of the observed table. The sum is convex in the first cell. Tables with smaller sums are
        therefore consecutive and adjacent to the observed one.

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
        """Return whether `exact_chances` takes at most about a second.

        >>> TwoByTwo((3, 2), (1, 4)).has_small_numbers()
        True
        """
        row, other_row = self._positive[0]
        logarithm = lgamma(row + other_row + 1) - lgamma(row + 1)
        bits = (logarithm - lgamma(other_row + 1)) / log(2)
        return len(self.first_cells) * (bits + 1000) <= _MOST_BITS

    def chances(self, ranks: np.ndarray) -> Chances:
        """Return the probabilities of tables at least as extreme as observed (rank >= 0) and more extreme (1).

        ``ranks`` is the result of the method `ranks`. They are floats, with a bound of their relative error.
        """
        (row, other_row), (col, _) = self._positive
        least = self.first_cells.start
        mantissas, powers = _sums_by_rank(ranks, least, row, col, other_row - col)
        sums = []
        for mantissa, power in zip(mantissas, powers.tolist()):
            sums.append(Fraction(mantissa) * Fraction(2) ** (512 * power))
        error = 1.01 * 2.0**-53 * _ROUNDINGS_OF_A_STEP * len(ranks)
        return _chances_of(sums, error)

    def exact_chances(self, ranks: np.ndarray) -> Chances:
        """Return the exact probabilities of tables with rank >= 0 and with rank 1.

        ``ranks`` is the result of the method `ranks`. Raise TooLargeError for too large integers.
        """
        if not self.has_small_numbers():
            raise TooLargeError(
                f"exact=True would add {len(ranks):,} integers of more than {_MOST_BITS:,} bits, the limit"
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
    """Return the `Chances` from the total weights of the less, the equally and the more extreme tables.

    ``error`` is the bound of the relative error of the result, None if the weights are exact.
    """
    total = sum(sums)
    at_least = Fraction(sums[1] + sums[2])
    return Chances(at_least / total, Fraction(sums[2]) / total, error)


@njit
def _sums_by_rank(
    ranks: np.ndarray, least: int, row: int, col: int, rest: int
) -> tuple[np.ndarray, np.ndarray]:
    """Add up the probabilities of 2 x 2 tables, up to a factor, for each of the ranks -1, 0 and 1.

    ``ranks`` has the rank of each table, by increasing first cell. ``least`` is the smallest first cell. ``row``
    and ``col`` are the sums of the first row and column. If the first cell is x, the last one is ``rest + x``.
    Return the three sums as mantissas and exponents of 2^512.
    """
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
