"""Statistics that are sums over cells at fixed margins, as integers: exact, or scaled logarithms.

The sum of f_ij(x_ij) over the cells is computed in 64 bits. If all f_ij(x) are integers or fractions, a common
denominator makes it exact. Logarithms are rounded to multiples of 1/scale. Two tables whose sums differ by at most
``slack`` units can be equal, and count as equal in floats. For exact answers the products inside the logarithms are
compared by their prime exponents, which are packed into one number (``primes``).

>>> sums = of_logarithms((3, 3), (2, 4), "factorials")
>>> sums.slack, sums.of([[2, 1], [0, 3]]) == round(sums.scale * 2.4849066497880004)  # log(2! 1! 0! 3!) = log 12
(4, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, product
from math import ceil, frexp, isfinite, lcm, log2
from typing import Any

import numpy as np

from confmat.errors import TooLargeError
from confmat.fixed_margins.cell_sums import CellSum
from confmat.fixed_margins.graph import LARGEST_LINE, LARGEST_VALUE, OrderedMargins

# All tables are one value of it.
NOTHING = CellSum("nothing", lambda x, i, j, rows, cols: 0)

FINEST = 2.0**50
"""Units of a logarithm: beyond, sums of some hundred objects leave 64 bits."""

TIES = 1e-11
"""Logarithms that differ by less count as equal, where the range of 64 bits allows it."""

CellValues = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Additive:
    """Statistic that is the sum of cell(x, i, j) over the cells, with x objects in row i and column j (from 0)."""

    cell: Callable[[int, int, int], Any]

    def of(self, table: np.ndarray) -> Any:
        """Return the sum over the cells of a table.

        Parameters
        ----------
        table : array of int, shape (r, s)

        Returns
        -------
        number

        Examples
        --------
        >>> Additive(lambda x, i, j: x * x).of(np.array([[2, 1], [0, 3]]))
        14
        """
        return sum(self.cell(int(x), i, j) for (i, j), x in np.ndenumerate(table))


def additive(cell: Callable[[int, int, int], Any]) -> Additive:
    """Make a statistic that is the sum of cell(x, i, j) over the cells.

    Parameters
    ----------
    cell : callable
        Takes the number of objects, the row and the column, and returns an int, a Fraction or a float.

    Returns
    -------
    Additive

    Examples
    --------
    >>> additive(lambda x, i, j: x * x).cell(3, 0, 0)
    9
    """
    if not callable(cell):
        raise TypeError(f"cell must be a function of x, i and j, got {cell!r}")
    return Additive(cell)


@dataclass(frozen=True)
class CellSums:
    """Integer values of x in cell (i, j), ``values[i][j, x]``: ``scale`` times the terms of the sum.

    Two sums that differ by at most ``slack`` can mean the same number. It is 0 if they are exact. ``primes`` are
    values whose sums are equal exactly if the statistic is, None if ``slack`` is 0 or they do not fit.
    """

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    values: CellValues
    scale: Fraction | float
    slack: int = 0
    primes: CellValues | None = None

    def of(self, table: Any) -> int:
        """Return the sum over the cells of a table."""
        return int(self.of_many(np.asarray(table)[None])[0])

    def of_many(self, tables: np.ndarray) -> np.ndarray:
        """Return the sums of tables (N x r x s)."""
        total = np.zeros(len(tables), np.int64)
        for i, line in enumerate(self.values):
            for j, of_cell in enumerate(line):
                total += of_cell[tables[:, i, j]]
        return total

    @property
    def exact(self) -> CellSums | None:
        """Integer values whose sums are equal exactly if the statistic is, None if they do not fit."""
        if not self.slack:
            return self
        if self.primes is None:
            return None
        return replace(self, values=self.primes, slack=0, primes=None)

    def negative(self) -> CellSums:
        """Return the sums with the other sign."""
        return replace(self, values=tuple(-line for line in self.values))

    @property
    def turned(self) -> bool:
        """True if columns are added one by one. States consist of the shorter of rows and columns."""
        return len(self.rows) < len(self.cols)

    @property
    def order(self) -> list[int]:
        """Order in which rows (or columns) are added: the largest first, then increasing.

        A large row at the beginning has few possibilities, and large rows at the end are enumerated from the other
        end.
        """
        lines = self.cols if self.turned else self.rows
        increasing = sorted(
            range(len(lines)),
            key=lambda i: lines[i],
        )
        return increasing[-1:] + increasing[:-1]

    @property
    def margins(self) -> OrderedMargins:
        """Margins in the order of addition."""
        return self.margins_of(self.values)

    def margins_of(self, values: CellValues) -> OrderedMargins:
        """Return the margins in the order of addition, with other values of the cells."""
        lines = self.rows
        other_lines = self.cols
        if self.turned:
            lines, other_lines = other_lines, lines
            values = tuple(np.array([line[j] for line in values]) for j in range(len(lines)))
        # Where a whole row or column fits into no cell, values beyond it are never asked for.
        cut = tuple(_resized(values[i], max(other_lines) + 1) for i in self.order)
        return OrderedMargins(tuple(lines[i] for i in self.order), other_lines, cut)


def _resized(lines: np.ndarray, size: int) -> np.ndarray:
    """Return values for x below ``size``: shortened, or with the last one repeated."""
    if lines.shape[1] >= size:
        return lines[:, :size]
    missing = size - lines.shape[1]
    return np.concatenate([lines, np.repeat(lines[:, -1:], missing, axis=1)], axis=1)


def of_cells(
    cell_sum: CellSum, rows: tuple[int, ...], cols: tuple[int, ...], finest: float | None = None
) -> CellSums:
    """Return a sum over cells at these margins: exact if possible, otherwise in multiples of 1/``finest`` or less.

    States consist of the shorter of rows and columns. Raises TooLargeError if one of these has more than
    ``LARGEST_LINE`` objects.

    >>> from confmat.fixed_margins.cell_sums import PAIRS
    >>> of_cells(PAIRS, (3, 3), (2, 4)).of([[2, 1], [0, 3]])
    4
    """
    longest = max(rows if len(rows) < len(cols) else cols)
    if longest > LARGEST_LINE:
        raise TooLargeError(
            f"the shorter side must have at most {LARGEST_LINE} objects in a line, got {longest}"
        )
    if cell_sum.logarithm:
        return of_logarithms(rows, cols, cell_sum.logarithm, finest or FINEST)
    cell = cell_sum.cell
    assert cell is not None

    def at_margins(x: int, i: int, j: int) -> Any:
        return cell(x, i, j, rows, cols)

    if cell_sum.alike:
        return of_equal_cells(rows, cols, lambda x: at_margins(x, 0, 0))
    if finest is None and _exact_at_a_few(rows, cols, at_margins):
        try:
            return of_fractions(rows, cols, at_margins)
        except TooLargeError:
            pass
    return of_doubles(rows, cols, at_margins, finest or FINEST)


def _cells_and_counts(rows: Sequence[int], cols: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield (i, j, x) for each cell and each number that it can contain.

    >>> list(_cells_and_counts((1,), (1,)))
    [(0, 0, 0), (0, 0, 1)]
    """
    for i, row in enumerate(rows):
        for j, col in enumerate(cols):
            for x in range(min(row, col) + 1):
                yield i, j, x


def _exact_at_a_few(rows: Sequence[int], cols: Sequence[int], cell: Callable[[int, int, int], Any]) -> bool:
    """Return whether the values of each cell at 0, 1 and its maximum are integers or fractions."""
    for (i, row), (j, col) in product(enumerate(rows), enumerate(cols)):
        for x in {0, min(1, row, col), min(row, col)}:
            if not isinstance(cell(x, i, j), int | np.integer | Fraction):
                return False
    return True


def _fits(values: CellValues, rows: Sequence[int], cols: Sequence[int]) -> bool:
    """Return whether the absolute value of no sum of values, one of each cell, exceeds ``LARGEST_VALUE``."""
    total = 0
    for line, row in zip(values, rows):
        for of_column, col in zip(line, cols):
            values_in_reach = of_column[: min(row, col) + 1]
            total += max(
                abs(int(values_in_reach.max())),
                abs(int(values_in_reach.min())),
            )
    return total < LARGEST_VALUE


def of_equal_cells(rows: tuple[int, ...], cols: tuple[int, ...], cell: Callable[[int], int]) -> CellSums:
    """Return the sum of cell(x), an integer, over all cells. All cells use the same array of values.

    >>> of_equal_cells((3, 3), (2, 4), lambda x: x * x).of([[2, 1], [0, 3]])
    14
    """
    largest_cell = min(max(rows), max(cols))
    line = [cell(x) for x in range(largest_cell + 1)]
    cells = len(rows) * len(cols)
    if max(map(abs, line)) * cells >= LARGEST_VALUE:
        raise TooLargeError("the values of the statistic do not fit into 64 bits")
    of_column = np.array(line, np.int64)
    values = np.broadcast_to(of_column, (len(cols), largest_cell + 1))
    return CellSums(
        rows,
        cols,
        (values,) * len(rows),
        Fraction(1),
    )


def of_fractions(
    rows: tuple[int, ...], cols: tuple[int, ...], cell: Callable[[int, int, int], Fraction | int]
) -> CellSums:
    """Return the sum of cell(x, i, j), exact numbers. Raise TooLargeError if a common denominator exceeds 64 bits.

    >>> of_fractions((3, 3), (2, 4), lambda x, i, j: x if i == j else 0).of([[2, 1], [0, 3]])
    5
    """
    largest_cell = max(*rows, *cols)
    exact = np.full(
        (
            len(rows),
            len(cols),
            largest_cell + 1,
        ),
        Fraction(0),
        object,
    )
    for i, j, x in _cells_and_counts(rows, cols):
        exact[i, j, x] = Fraction(cell(x, i, j))
    numbers = exact.ravel().tolist()
    scale = lcm(*(number.denominator for number in numbers))
    largest_value = max(abs(number) for number in numbers)
    if largest_value * scale * len(rows) * len(cols) >= LARGEST_VALUE:
        raise TooLargeError("the statistic's values have no common denominator that fits into 64 bits")
    values = tuple((exact * scale).astype(np.int64))
    return CellSums(rows, cols, values, Fraction(scale))


def of_doubles(
    rows: tuple[int, ...],
    cols: tuple[int, ...],
    cell: Callable[[int, int, int], float],
    finest: float = FINEST,
) -> CellSums:
    """Return the sum of cell(x, i, j), floats that are rounded to multiples of 1/scale relative to the largest."""
    largest_cell = max(*rows, *cols)
    numbers = np.zeros(
        (
            len(rows),
            len(cols),
            largest_cell + 1,
        )
    )
    for i, j, x in _cells_and_counts(rows, cols):
        numbers[i, j, x] = _finite(cell(x, i, j), x, i, j)

    _, exponent = frexp(np.abs(numbers).max())
    numbers = np.ldexp(numbers, -exponent)

    def rounded(scale: float) -> np.ndarray:
        return np.rint(scale * numbers)

    sums = _scaled(rows, cols, rounded, 1.0, finest)
    return replace(sums, scale=float(sums.scale) / 2.0**exponent)


def _finite(value: Any, x: int, i: int, j: int) -> float:
    if not isfinite(value):
        raise ValueError(
            f"statistic must be finite in every cell, got {value!r} for x = {x} in cell ({i}, {j})"
        )
    return float(value)


def _scaled(
    rows: tuple[int, ...],
    cols: tuple[int, ...],
    round_at: Callable[[float], np.ndarray],
    largest_value: float,
    finest: float,
) -> CellSums:
    """Return values at the scale that separates ties at ``TIES``, or at the finest scale that fits."""
    cells = len(rows) * len(cols)
    scale = min(finest, 2.0 ** ceil(log2(cells / TIES)))
    while largest_value * scale >= LARGEST_VALUE:
        scale /= 2
    while True:
        values = tuple(round_at(scale).astype(np.int64))
        if _fits(values, rows, cols):
            # Each cell is off by half a unit at most, in both of two tables that are compared.
            return CellSums(rows, cols, values, scale, slack=cells)
        scale /= 2


def of_logarithms(
    rows: tuple[int, ...], cols: tuple[int, ...], kind: str, finest: float = FINEST
) -> CellSums:
    """Return the sum of log x! ("factorials") or of x log x ("powers") over the cells.

    >>> of_logarithms((2, 2), (2, 2), "powers").of([[2, 0], [0, 2]]) > 0
    True
    """
    largest_cell = max(*rows, *cols)
    logs = _logarithms(largest_cell, kind)

    def rounded(scale: float) -> np.ndarray:
        of_x = np.array([round(log * Fraction(scale)) for log in logs], np.int64)
        return np.broadcast_to(
            of_x,
            (
                len(rows),
                len(cols),
                largest_cell + 1,
            ),
        )

    sums = _scaled(rows, cols, rounded, float(logs[-1]), finest)
    exponents = _packed_exponents(sum(rows), largest_cell, kind)
    if exponents is None:
        return sums
    line = np.broadcast_to(exponents, (len(cols), largest_cell + 1))
    return replace(sums, primes=(line,) * len(rows))


def _logarithms(largest_cell: int, kind: str) -> list[Fraction]:
    """Return log x! or x log x for x up to ``largest_cell``, as multiples of 2^-100 with errors below 2^-80."""
    from mpmath import mp

    with mp.workprec(140):
        logs = [Fraction(int(mp.nint(mp.ldexp(mp.log(k), 100))), 2**100) for k in range(1, largest_cell + 1)]
    if kind == "powers":
        return [Fraction(0)] + [k * log for k, log in enumerate(logs, start=1)]
    return [Fraction(0), *accumulate(logs)]


def _packed_exponents(n: int, largest_cell: int, kind: str) -> np.ndarray | None:
    """Return the exponents of the primes in x! or x^x as digits of one number, for x up to ``largest_cell``.

    No digit overflows in a sum over cells (`row-tail-bracket`). None if the numbers exceed 56 bits.
    """
    packed_digits = [0] * (largest_cell + 1)
    radix = 1
    for prime in range(2, largest_cell + 1):
        if any(prime % k == 0 for k in range(2, prime)):
            continue
        exponents = [0] * (largest_cell + 1)
        power = prime
        while power <= max(largest_cell, n):
            for x in range(power, largest_cell + 1, power):
                exponents[x] += 1
            power *= prime
        if kind == "factorials":
            digits = [sum(exponents[: x + 1]) for x in range(largest_cell + 1)]
            largest_digit = sum(n // prime**k for k in range(1, n.bit_length() + 1))
        else:
            digits = [x * exponents[x] for x in range(largest_cell + 1)]
            largest_digit = n * max(exponents)
        packed_digits = [value + radix * digit for value, digit in zip(packed_digits, digits)]
        radix *= largest_digit + 1
        if radix >= LARGEST_VALUE:
            return None
    return np.array(packed_digits, np.int64)
