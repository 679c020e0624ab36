"""Classes of all matrices with given row sums, or with given column sums."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from confmat._integers.compositions import Composition, Side
from confmat.classes.matrix_class import MatrixClass


@dataclass(frozen=True, repr=False)
class FixedRows(MatrixClass):
    """All matrices of non-negative integers with row sums ``rows`` and ``s`` columns.

    In classification the true classes have fixed sizes and the predictions are free.

    Parameters
    ----------
    rows : sequence of int
        Row sums, each at least 0. A row of sum 0 is empty in each member.
    s : int
        Number of columns, at least 1.
    allow_empty : bool
        Whether columns may be empty. Default: True.

    Raises
    ------
    TypeError or ValueError
        If an argument has a wrong type or is below its least value.

    Examples
    --------
    >>> FixedRows([50, 50], 2).count(), FixedRows([50, 50], 2, allow_empty=False).count()
    (2601, 2599)
    >>> FixedRows([1, 2], 2).unrank(4)
    array([[1, 0],
           [1, 1]])
    """

    KIND: ClassVar[str] = "fixed_rows"

    rows: Composition
    s: int
    allow_empty: bool = field(default=True, repr=False)

    @property
    def n(self) -> int:
        """Total of every member."""
        return sum(self.rows)

    @cached_property
    def possible_sums(self) -> tuple[Side, Side]:
        """Possible row sums and possible column sums, a pair of `Side`."""
        return Side(self.n, len(self.rows), self.rows), Side(
            self.n, self.s, minimum=int(not self.allow_empty)
        )


@dataclass(frozen=True, repr=False)
class FixedColumns(MatrixClass):
    """All matrices of non-negative integers with ``r`` rows and column sums ``cols``, the transposes of `FixedRows`.

    Parameters
    ----------
    cols : sequence of int
        Column sums, each at least 0. A column of sum 0 is empty in each member.
    r : int
        Number of rows, at least 1.
    allow_empty : bool
        Whether rows may be empty. Default: True.

    Raises
    ------
    TypeError or ValueError
        If an argument has a wrong type or is below its least value.

    Examples
    --------
    >>> FixedColumns([50, 50], 2).count(), FixedColumns([50, 50], 2, allow_empty=False).count()
    (2601, 2599)
    >>> FixedColumns([1, 2], 2).unrank(4)
    array([[1, 1],
           [0, 1]])
    """

    KIND: ClassVar[str] = "fixed_columns"

    cols: Composition
    r: int
    allow_empty: bool = field(default=True, repr=False)

    @property
    def n(self) -> int:
        """Total of every member."""
        return sum(self.cols)

    @cached_property
    def possible_sums(self) -> tuple[Side, Side]:
        """Possible row sums and possible column sums, a pair of `Side`."""
        return Side(self.n, self.r, minimum=int(not self.allow_empty)), Side(
            self.n, len(self.cols), self.cols
        )
