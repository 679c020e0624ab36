"""The class of all matrices with given row and column sums."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from confmat.classes.bounded import Cells, Recursion, WithMargins, as_cells, bounds_as_option, bounds_in_words
from confmat.classes.cell_laws import CellLaw
from confmat.classes.compositions import Row, bounded_compositions, bounded_compositions_count
from confmat.classes.fibers import (
    MAX_MULTISETS,
    MAX_STATES,
    FiberQuestion,
    degrees,
    exact_sums,
    fiber_count,
    states,
    suffix_counts,
)
from confmat.classes.products import Product
from confmat.classes.ranking import Tail
from confmat.classes.sides import Side
from confmat.errors import TooLarge, Unsupported
from confmat.matrices.arguments import as_counts


@dataclass(frozen=True, repr=False)
class FixedMargins(Product):
    """All matrices of non-negative integers with row sums ``rows`` and column sums ``cols``.

    Margins may be 0 (that line is empty in every member).  Raises ValueError when the totals differ.
    Counting, rank and unrank take closed forms when one side has at most two lines, else memory for
    prod(c_j + 1) states over the columns but one; the first call prepares them, later calls are fast.
    ``cells=(low, high)``: bounds on every cell, as for ``Tables``.

    >>> FixedMargins([220, 215, 93, 64], [108, 286, 71, 127]).count()
    1225914276768514
    >>> fiber = FixedMargins([2, 1], [1, 1, 1])
    >>> [matrix.tolist() for matrix in fiber]
    [[[0, 1, 1], [1, 0, 0]], [[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 0, 1]]]
    >>> fiber.rank([[1, 0, 1], [0, 1, 0]])
    1
    """

    rows: Row
    cols: Row
    cells: Cells | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self._settle(rows=as_counts("rows", self.rows), cols=as_counts("cols", self.cols))
        if sum(self.rows) != sum(self.cols):
            raise ValueError(
                "rows and cols must have the same total, "
                f"got {sum(self.rows)} (rows) and {sum(self.cols)} (cols)"
            )
        if self.cells is not None:
            self._settle(cells=as_cells(self.cells, self.shape, self.n))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns of every member."""
        return len(self.rows), len(self.cols)

    @property
    def n(self) -> int:
        """Total of every member."""
        return sum(self.rows)

    @property
    def _margin_sides(self) -> tuple[Side, Side]:
        return Side(self.n, len(self.rows), self.rows), Side(self.n, len(self.cols), self.cols)

    def _bounded(self) -> Recursion:
        assert self.cells is not None
        return WithMargins(self.cells, self.rows, self.cols)

    def count(self) -> int:
        """Number of members, at least 1 without bounds on cells.  TooLarge when the margins are too large to count.

        >>> FixedMargins([2, 1], [1, 1, 1]).count(), FixedMargins([2, 2, 2], [2, 2, 2], cells=(0, 1)).count()
        (3, 6)
        """
        return super().count() if self.cells is not None else fiber_count(self.rows, self.cols)

    def cell_law(self, i: int, j: int) -> CellLaw:
        """How many members have which value in row i, column j: k taken from the cell leaves smaller margins.

        The members whose cell is at least k are as many as those with k less in row i and column j.  One count for
        each value, O(min(r_i, c_j)) of them.  Raises IndexError for a cell outside, TooLarge as ``count``,
        Unsupported with bounds on cells.

        >>> law = FixedMargins([3, 2, 2], [3, 2, 2]).cell_law(0, 0)
        >>> law.counts, law.mean
        ((4, 10, 8, 3), Fraction(7, 5))
        """
        if not (0 <= i < len(self.rows) and 0 <= j < len(self.cols)):
            raise IndexError(f"i and j must be a row and a column of {self.shape} cells, got {i} and {j}")
        if self.cells is not None:
            raise Unsupported(f"the law of a cell needs cells without bounds, got {self!r}")

        def with_at_least(k: int) -> int:
            return fiber_count(
                tuple(a - k * (at == i) for at, a in enumerate(self.rows)),
                tuple(b - k * (at == j) for at, b in enumerate(self.cols)),
            )

        above = [with_at_least(k) for k in range(min(self.rows[i], self.cols[j]) + 1)]
        return CellLaw(tuple(count - after for count, after in zip(above, [*above[1:], 0])))

    def has_at_most(self, most: int) -> bool:
        """Whether the count is at most ``most``; False where a second does not suffice to count.

        >>> FixedMargins([2, 1], [1, 1, 1]).has_at_most(3), FixedMargins([99] * 9, [99] * 9).has_at_most(10**9)
        (True, False)
        """
        if self.cells is not None:
            return super().has_at_most(most)
        try:
            return fiber_count(self.rows, self.cols, seconds=1.0) <= most
        except TooLarge:  # a second of counting is more than 10^9 tables
            return False

    def _closed_rows(self, above: list[Row]) -> Iterator[Row]:
        left = tuple(c - sum(column) for c, column in zip(self.cols, zip(*above))) if above else self.cols
        return bounded_compositions(self.rows[len(above)], left)

    def _closed_tail(self, prefix: list[int]) -> Tail:
        s = len(self.cols)
        i, j = divmod(len(prefix), s)
        left = tuple(c - sum(prefix[k::s]) for k, c in enumerate(self.cols))
        return _fiber_tail(self.rows, self.cols, i, j, self.rows[i] - sum(prefix[i * s :]), left)

    def words(self) -> str:
        rows, cols = (",".join(map(str, sums)) for sums in (self.rows, self.cols))
        return f"tables with row sums {rows} and column sums {cols}{bounds_in_words(self.cells)}"

    def to_json(self) -> dict[str, Any]:
        sums = {"n": self.n, "rows": list(self.rows), "cols": list(self.cols)}
        return {"kind": "fixed_margins", **sums, **({} if self.cells is None else {"cells": self.cells})}

    def arguments(self) -> str:
        rows, cols = (",".join(map(str, sums)) for sums in (self.rows, self.cols))
        return f"--rows {rows} --cols {cols}{bounds_as_option(self.cells)}"


@lru_cache(maxsize=4096)
def _fiber_tail(rows: Row, cols: Row, i: int, j: int, rest: int, left: Row) -> Tail:
    """Tail at cell (i, j), when ``rest`` is left of row i and ``left`` of the columns; some member goes on so."""
    below = rows[i + 1 :]
    if j == len(cols) - 1:  # the last cell of a row is what is left of it
        completions = fiber_count(below, (*left[:j], left[j] - rest))
        return lambda x: completions if x <= rest else 0
    if not below:
        return lambda x: int(x <= left[j])
    if len(below) == 1:
        return lambda x: bounded_compositions_count(rest - x, (left[j] - x, *left[j + 1 :]))
    if len(cols) == 2:
        return lambda x: bounded_compositions_count(left[0] - x, (rest - x, *below))
    if states(cols) <= MAX_STATES:
        least = 0
        by_value = _values_by_array(suffix_counts(rows, cols)[len(below)], j, rest, left)
    elif bounded_compositions_count(rest, left[j:]) > MAX_MULTISETS:
        raise FiberQuestion.of(rows, cols).too_large([f"a row goes on in more than {MAX_MULTISETS} ways"])
    else:
        least = max(0, rest - sum(left[j + 1 :]))
        by_value = [0] * (min(rest, left[j]) - least + 1)
        for cells in bounded_compositions(rest, left[j:]):
            remaining = (*left[:j], *(c - x for c, x in zip(left[j:], cells)))
            by_value[cells[0] - least] += fiber_count(below, remaining)
    tails = [*accumulate(reversed(by_value), initial=0)][::-1]
    return lambda x: tails[min(max(x - least, 0), len(tails) - 1)]


def _values_by_array(counts: np.ndarray, j: int, rest: int, left: Row) -> list[int]:
    """Number of completions for each value of cell j of a row: sum over the row's other cells.

    ``counts`` gives the completions below by the column sums left; the last cell takes the rest of the row.
    """
    after = counts[tuple(left[:j]) + tuple(slice(c, None, -1) for c in left[j:-1])]
    return exact_sums(np.where(degrees(after.shape) <= rest, after, 0))
