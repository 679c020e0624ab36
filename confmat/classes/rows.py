"""The class of all matrices with given row sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from confmat.classes.compositions import Row, bounded_compositions, compositions_count
from confmat.classes.orbits import MarginClass
from confmat.classes.partitions import distinct_orderings, partitions
from confmat.classes.ranking import MatrixClass, Tail
from confmat.matrices.arguments import as_count, as_counts


@dataclass(frozen=True)
class FixedRows(MatrixClass):
    """All matrices of non-negative integers with row sums ``rows`` and ``s`` columns, which may be empty.

    In classification: the true classes have fixed sizes, predictions are free.

    >>> FixedRows([50, 50], 2).count()
    2601
    >>> FixedRows([1, 2], 2).unrank(4)
    array([[1, 0],
           [1, 1]])
    """

    rows: Row
    s: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", as_counts("rows", self.rows))
        object.__setattr__(self, "s", as_count("s", self.s, minimum=1))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns of every member."""
        return len(self.rows), self.s

    @property
    def n(self) -> int:
        """Total of every member."""
        return sum(self.rows)

    def count(self) -> int:
        """Number of members: the product of the numbers of compositions of the rows; at least 1.

        >>> FixedRows([1, 2], 2).count()
        6
        """
        return prod(compositions_count(a, self.s) for a in self.rows)

    def _admits(self, rows: tuple[Row, ...]) -> bool:
        return tuple(map(sum, rows)) == self.rows

    def _next_rows(self, above: list[Row]) -> Iterator[Row]:
        total = self.rows[len(above)]
        return bounded_compositions(total, (total,) * self.s)

    def _tail(self, prefix: list[int]) -> Tail:
        i, j = divmod(len(prefix), self.s)
        rest = self.rows[i] - sum(prefix[i * self.s :])
        below = prod(compositions_count(a, self.s) for a in self.rows[i + 1 :])
        return lambda x: compositions_count(rest - x, self.s - j) * below

    def _margin_classes(self) -> Iterator[MarginClass]:
        rows = tuple(sorted(self.rows, reverse=True))
        for cols in partitions(self.n, self.s, minimum=0):
            yield MarginClass(rows, cols, distinct_orderings(cols))

    @property
    def _labels(self) -> tuple[Row, Row]:
        return self.rows, (0,) * self.s

    @property
    def _transposable(self) -> bool:
        return False
