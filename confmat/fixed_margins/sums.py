"""Sums over the cells of tables with fixed margins, in 64-bit integers: exact sums, or scaled logarithms.

Let f_ij(x) be the number that x objects in cell (i, j) add to a sum. If all f_ij(x) are integers or fractions, a
common denominator makes the sum exact. Logarithms are rounded to multiples of 1/scale. Two tables whose sums differ
by at most ``slack`` units can have equal exact sums. They count as equal in floats. For exact answers the products
inside the logarithms are compared by their prime exponents, which are packed into one integer (``primes``).

>>> sums = of_logarithms((3, 3), (2, 4), "factorials")
>>> sums.slack, sums.of([[2, 1], [0, 3]]) == round(sums.scale * 2.4849066497880004)  # log(2! 1! 0! 3!) = log 12
(4, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import ceil, frexp, isfinite, lcm, log2
from typing import Any

import numpy as np

from confmat.errors import TooLargeError
from confmat.fixed_margins.cell_sums import CellSum
from confmat.fixed_margins.graph import LARGEST_LINE, LARGEST_VALUE, OrderedMargins

# Every table has the same value of this sum.
NOTHING = CellSum("nothing", lambda x, i, j, rows, cols: 0)

FINEST = 2.0**50
"""Largest scale of logarithms: at larger scales, sums of some hundred objects exceed 64 bits."""

TIES = 1e-11
"""Logarithms that differ by less than this count as equal, if 64 bits allow such a fine scale."""

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
    """Sum over the cells of tables with margins ``rows`` and ``cols``, in integers.

    Attributes
    ----------
    values : tuple of arrays of int
        ``values[i][j, x]`` is the integer that x objects in cell (i, j) add.
    scale : Fraction or float
        The integers are ``scale`` times the terms of the statistic.
    slack : int
        Two sums that differ by at most ``slack`` can represent the same number. It is 0 if the sums are exact.
    primes : tuple of arrays of int or None
        Other values of the cells: two tables have equal sums of these if and only if the statistic is equal. None if
        ``slack`` is 0, or if they do not fit into 64 bits.
    """

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    values: CellValues
    scale: Fraction | float
    slack: int = 0
    primes: CellValues | None = None

    def of(self, table: Any) -> int:
        """Return the integer sum over the cells of a table."""
        return int(self.of_many(np.asarray(table)[None])[0])

    def of_many(self, tables: np.ndarray) -> np.ndarray:
        """Return the integer sums of N tables, an array of shape (N, r, s)."""
        total = np.zeros(len(tables), np.int64)
        for i, line in enumerate(self.values):
            for j, of_cell in enumerate(line):
                total += of_cell[tables[:, i, j]]
        return total

    @property
    def exact(self) -> CellSums | None:
        """The same sum over cells with integers for which equal sums mean equal values of the statistic (``slack`` 0).

        The integers contain the prime exponents (``primes``). The result is None if they do not fit into 64 bits.
        """
        if not self.slack:
            return self
        if self.primes is None:
            return None
        return replace(self, values=self.primes, slack=0, primes=None)

    def negative(self) -> CellSums:
        """Return these sums over cells multiplied by -1."""
        return replace(self, values=tuple(-line for line in self.values))

    @property
    def turned(self) -> bool:
        """True if the recursion adds columns instead of rows, because there are more columns than rows."""
        return len(self.rows) < len(self.cols)

    @property
    def order(self) -> list[int]:
        """Order in which rows (columns if ``turned``) are added: first the largest, then the others increasingly.

        A large first row has few ways to be filled. The recursion also begins at the other end, with the largest of
        the others.
        """
        lines = self.cols if self.turned else self.rows
        increasing = sorted(
            range(len(lines)),
            key=lambda i: lines[i],
        )
        return increasing[-1:] + increasing[:-1]

    @property
    def margins(self) -> OrderedMargins:
        """Margins in the order of addition, with the values of their cells."""
        return self.margins_of(self.values)

    def margins_of(self, values: CellValues) -> OrderedMargins:
        """Return the `OrderedMargins` of the recursion, whose rows are in the order in which they are added.

        If ``turned``, its rows are the columns of the tables. ``values[i][j][x]`` is the contribution of x objects
        in cell (i, j) to the sum.
        """
        lines = self.rows
        other_lines = self.cols
        if self.turned:
            lines, other_lines = other_lines, lines
            values = tuple(np.array([line[j] for line in values]) for j in range(len(lines)))
        # No cell contains more than the largest entry of the other margin: larger counts are not needed.
        cut = tuple(_resized(values[i], max(other_lines) + 1) for i in self.order)
        return OrderedMargins(tuple(lines[i] for i in self.order), other_lines, cut)


def _resized(lines: np.ndarray, size: int) -> np.ndarray:
    """Return an array whose last axis (the count x of a cell) has ``size`` entries.

    Longer arrays are cut. Shorter ones are padded with the last value.
    """
    if lines.shape[1] >= size:
        return lines[:, :size]
    missing = size - lines.shape[1]
    return np.concatenate([lines, np.repeat(lines[:, -1:], missing, axis=1)], axis=1)


def of_cells(
    cell_sum: CellSum, rows: tuple[int, ...], cols: tuple[int, ...], finest: float | None = None
) -> CellSums:
    """Convert a sum over cells to integers at these margins: exact if possible, otherwise rounded.

    Rounded values are multiples of 1/``finest`` or of a coarser unit that fits into 64 bits. Raise TooLargeError if
    the margin with fewer entries has an entry above ``LARGEST_LINE``, because states consist of that margin.

    >>> from confmat.fixed_margins.cell_sums import PAIRS
    >>> of_cells(PAIRS, (3, 3), (2, 4)).of([[2, 1], [0, 3]])
    4
    """
    longest = max(rows if len(rows) < len(cols) else cols)
    if longest > LARGEST_LINE:
        raise TooLargeError(
            f"the sums of the shorter one of rows and cols must be at most {LARGEST_LINE}, got {longest}"
        )
    if cell_sum.logarithm:
        return of_logarithms(rows, cols, cell_sum.logarithm, finest or FINEST)
    cell = cell_sum.cell
    assert cell is not None
    largest_cell = min(max(rows), max(cols))
    values = np.zeros((len(rows), len(cols), largest_cell + 1), object)
    if cell_sum.alike:  # columns are then interchangeable, whatever their sums
        values[:] = [cell(x, 0, 0, rows, cols) for x in range(largest_cell + 1)]
    for i, j, x in () if cell_sum.alike else _cells_and_counts(rows, cols):
        value = cell(x, i, j, rows, cols)
        if not isfinite(value):
            raise ValueError(
                f"statistic must be finite in every cell, got {value!r} for {x} objects in cell ({i}, {j})"
            )
        values[i, j, x] = value
    numbers = values.ravel().tolist()
    exact = finest is None or cell_sum.alike
    if exact and all(isinstance(x, int | np.integer | Fraction) for x in numbers):
        scale = lcm(*(Fraction(x).denominator for x in set(numbers)))
        if scale * max(map(abs, numbers)) * values[..., 0].size < LARGEST_VALUE:
            return CellSums(rows, cols, tuple((values * scale).astype(np.int64)), Fraction(scale))
    return _of_doubles(rows, cols, values.astype(float), finest or FINEST)


def _cells_and_counts(rows: Sequence[int], cols: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield (i, j, x) for each cell (i, j) and each count x that it can contain.

    >>> list(_cells_and_counts((1,), (1,)))
    [(0, 0, 0), (0, 0, 1)]
    """
    for i, row in enumerate(rows):
        for j, col in enumerate(cols):
            for x in range(min(row, col) + 1):
                yield i, j, x


def _fits(values: CellValues, rows: Sequence[int], cols: Sequence[int]) -> bool:
    """Return whether the sum of the largest absolute value of each cell is less than ``LARGEST_VALUE``."""
    total = 0
    for line, row in zip(values, rows):
        for of_column, col in zip(line, cols):
            values_in_reach = of_column[: min(row, col) + 1]
            total += max(
                abs(int(values_in_reach.max())),
                abs(int(values_in_reach.min())),
            )
    return total < LARGEST_VALUE


def _of_doubles(rows: tuple[int, ...], cols: tuple[int, ...], values: np.ndarray, finest: float) -> CellSums:
    """Make a `CellSums` from floats: ``values[i, j, x]`` is the value of x objects in cell (i, j).

    Values are divided by a power of two near the largest one. Then they are rounded to multiples of 1/``finest`` or
    of a coarser unit.
    """
    _, exponent = frexp(np.abs(values).max())
    scaled_values = np.ldexp(values, -exponent)

    def rounded(scale: float) -> np.ndarray:
        return np.rint(scale * scaled_values)

    sums = _scaled(rows, cols, rounded, 1.0, finest)
    return replace(sums, scale=float(sums.scale) / 2.0**exponent)


def _scaled(
    rows: tuple[int, ...],
    cols: tuple[int, ...],
    round_at: Callable[[float], np.ndarray],
    largest_value: float,
    finest: float,
) -> CellSums:
    """Return a sum over cells with the integer values ``round_at(scale)``, for a scale that this function chooses.

    The scale is fine enough to distinguish values that differ by more than ``TIES``, but at most ``finest``. It is
    halved until the integers fit into 64 bits. ``round_at`` returns an array of rounded values for cells (i, j) and
    counts x. ``largest_value`` is an upper bound of their absolute values at scale 1.
    """
    cells = len(rows) * len(cols)
    scale = min(finest, 2.0 ** ceil(log2(cells / TIES)))
    while largest_value * scale >= LARGEST_VALUE:
        scale /= 2
    while True:
        values = tuple(round_at(scale).astype(np.int64))
        if _fits(values, rows, cols):
            # Each cell is rounded by at most half a unit, in both tables of a comparison.
            return CellSums(rows, cols, values, scale, slack=cells)
        scale /= 2


def of_logarithms(
    rows: tuple[int, ...], cols: tuple[int, ...], kind: str, finest: float = FINEST
) -> CellSums:
    """Return the `CellSums` of the sum of log x! (kind "factorials") or of x log x (kind "powers") over the cells x.

    Values are rounded to multiples of 1/``finest`` or of a coarser unit.

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
    """Return log x! or x log x for x = 0, ..., ``largest_cell``, as multiples of 2^-100 with errors below 2^-80."""
    from mpmath import mp

    with mp.workprec(140):
        logs = [Fraction(int(mp.nint(mp.ldexp(mp.log(k), 100))), 2**100) for k in range(1, largest_cell + 1)]
    if kind == "powers":
        return [Fraction(0)] + [k * log for k, log in enumerate(logs, start=1)]
    return [Fraction(0), *accumulate(logs)]


def _packed_exponents(n: int, largest_cell: int, kind: str) -> np.ndarray | None:
    """Return the prime factorizations of x! or x^x for x = 0, ..., ``largest_cell``, each packed into one integer.

    The exponents of the primes are the digits of this integer. The radix is so large that no digit overflows in a
    sum over the cells of n objects. Return None if the integers exceed 56 bits.
    """
    packed_digits = [0] * (largest_cell + 1)
    radix = 1
    for prime in range(2, largest_cell + 1):
        if any(prime % k == 0 for k in range(2, prime)):
            continue
        exponents = [0] * (largest_cell + 1)
        for x in range(prime, largest_cell + 1, prime):
            exponents[x] = exponents[x // prime] + 1
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
