"""The classes of all matrices with given row sums, and with given column sums."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import comb, prod
from operator import add
from typing import ClassVar

from confmat.classes.compositions import Composition, Side, bounded_compositions, compositions_count
from confmat.classes.products import Product
from confmat.classes.ranking import Tail
from confmat.matrices.arguments import as_count, as_counts, as_flag


@dataclass(frozen=True, repr=False)
class FixedRows(Product):
    """All matrices of non-negative integers with row sums ``rows`` and ``s`` columns.

    In classification: the true classes have fixed sizes, predictions are free.  Columns may be empty unless
    ``empty=False``; a row is empty where its sum is 0.

    >>> FixedRows([50, 50], 2).count(), FixedRows([50, 50], 2, empty=False).count()
    (2601, 2599)
    >>> FixedRows([1, 2], 2).unrank(4)
    array([[1, 0],
           [1, 1]])
    """

    KIND: ClassVar[str] = "fixed_rows"

    rows: Composition
    s: int
    empty: bool = field(default=True, repr=False)

    def __post_init__(self) -> None:
        rows, s = as_counts("rows", self.rows), as_count("s", self.s, minimum=1)
        self._settle(rows=rows, s=s, empty=as_flag("empty", self.empty))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns of every member."""
        return len(self.rows), self.s

    @property
    def n(self) -> int:
        """Total of every member."""
        return sum(self.rows)

    @property
    def _margin_sides(self) -> tuple[Side, Side]:
        return Side(self.n, len(self.rows), self.rows), Side(self.n, self.s, minimum=0 if self.empty else 1)

    def _closed_rows(self, above: list[Composition]) -> Iterator[Composition]:
        total, *below = self.rows[len(above) :]
        missing = [not self.empty] * self.s
        for row in above:
            missing = [lacks and not x for lacks, x in zip(missing, row)]
        # The last row fills every column that is still empty.
        least = [0] * self.s if below else [*map(int, missing)]
        total -= sum(least)
        for over in bounded_compositions(total, (total,) * self.s):
            row = tuple(map(add, over, least))
            still_missing = sum(lacks and not x for lacks, x in zip(missing, row))
            # Each point below can fill a column.
            if still_missing <= sum(below):
                yield row

    def _closed_tail(self, prefix: list[int]) -> Tail:
        i, j = divmod(len(prefix), self.s)
        rest = self.rows[i] - sum(prefix[i * self.s :])
        below = self.rows[i + 1 :]
        unfilled = [not (self.empty or any(prefix[k :: self.s])) for k in range(self.s)]
        left = sum(unfilled[:j])
        right = sum(unfilled[j + 1 :])

        def at_least(x: int) -> int:
            # Inclusion and exclusion over the columns that stay empty; a positive x fills its own.
            here = int(unfilled[j] and x <= 0)
            number = 0
            for p in range(left + 1):
                for q in range(right + here + 1):
                    choices = (-1) ** (p + q) * comb(left, p) * comb(right + here, q)
                    rows_below = prod(compositions_count(a, self.s - p - q) for a in below)
                    number += choices * rows_below * compositions_count(rest - x, self.s - j - q)
            return number

        return at_least

    def words(self) -> str:
        return f"tables with row sums {_sums_text(self.rows)} and {self.s} free columns{_filled(self.empty)}"

    def text(self) -> str:
        return f"rows={_sums_text(self.rows)} cols=free:{self.s}" + ("" if self.empty else " no-empty")


@dataclass(frozen=True, repr=False)
class FixedColumns(Product):
    """All matrices of non-negative integers with ``r`` rows and column sums ``cols``: the transposes of ``FixedRows``.

    Rows may be empty unless ``empty=False``; a column is empty where its sum is 0.

    >>> FixedColumns(2, [50, 50]).count(), FixedColumns(2, [50, 50], empty=False).count()
    (2601, 2599)
    >>> FixedColumns(2, [1, 2]).unrank(4)
    array([[1, 1],
           [0, 1]])
    """

    KIND: ClassVar[str] = "fixed_columns"

    r: int
    cols: Composition
    empty: bool = field(default=True, repr=False)

    def __post_init__(self) -> None:
        r, cols = as_count("r", self.r, minimum=1), as_counts("cols", self.cols)
        self._settle(r=r, cols=cols, empty=as_flag("empty", self.empty))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns of every member."""
        return self.r, len(self.cols)

    @property
    def n(self) -> int:
        """Total of every member."""
        return sum(self.cols)

    @property
    def _margin_sides(self) -> tuple[Side, Side]:
        return Side(self.n, self.r, minimum=0 if self.empty else 1), Side(self.n, len(self.cols), self.cols)

    def _left(self, above: list[Composition]) -> Composition:
        """What the rows above leave of every column."""
        return tuple(c - sum(column) for c, column in zip(self.cols, zip(*above))) if above else self.cols

    def _closed_rows(self, above: list[Composition]) -> Iterator[Composition]:
        left = self._left(above)
        below = self.r - len(above) - 1
        rows: Iterable[Composition] = (left,)
        if below:
            rows = product(*(range(c + 1) for c in left))
        for row in rows:
            # Each row below needs a point.
            if self.empty or (any(row) and sum(left) - sum(row) >= below):
                yield row

    def _closed_tail(self, prefix: list[int]) -> Tail:
        s = len(self.cols)
        i, j = divmod(len(prefix), s)
        below = self.r - i - 1
        left = tuple(c - sum(prefix[k::s]) for k, c in enumerate(self.cols))
        filled = self.empty or any(prefix[i * s :])

        def ways(x: int, rows: int, here: int) -> int:
            """Ways to share what is left, x taken off column j, among so many rows below and, from j on, this one."""
            number = 1
            for k, c in enumerate(left):
                points = c - x if k == j else c
                number *= compositions_count(points, rows + here if k >= j else rows)
            return number

        def at_least(x: int) -> int:
            # Inclusion and exclusion over the rows that stay empty, this one among them unless it holds a point.
            number = 0
            for lost in (0,) if self.empty else range(below + 1):
                rest = ways(x, below - lost, 1)
                if not filled and x <= 0:
                    rest -= ways(x, below - lost, 0)
                number += (-1) ** lost * comb(below, lost) * rest
            return number

        return at_least

    def words(self) -> str:
        return f"tables with {self.r} free rows and column sums {_sums_text(self.cols)}{_filled(self.empty)}"

    def text(self) -> str:
        return f"rows=free:{self.r} cols={_sums_text(self.cols)}" + ("" if self.empty else " no-empty")


def _sums_text(sums: Composition) -> str:
    return ",".join(map(str, sums))


def _filled(empty: bool) -> str:
    return "" if empty else ", none of them empty"
