"""Classes of all matrices with a given total and shape, or with given row and column sums, and classes from JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from confmat._arguments import as_choice, as_counts, as_instance
from confmat._integers.compositions import Composition, Side
from confmat._limits import limited
from confmat.classes.fibers import fiber_count
from confmat.classes.matrix_class import JSON_KEYS, KINDS, MatrixClass
from confmat.errors import TooLargeError


@dataclass(frozen=True, repr=False)
class Tables(MatrixClass):
    """All r x s matrices of non-negative integers with total ``n`` and no empty row or column.

    They are the confusion matrices of a clustering with r and one with s clusters of n objects, M_{n,r,s} in Chacon
    (2019). The class is empty if n < max(r, s), and its count is 0 then.

    Parameters
    ----------
    n : int
        Total of the cells, at least 0.
    r : int or (int, int)
        Number of rows, at least 1, or the numbers of rows and columns.
    s : int, optional
        Number of columns, at least 1. Left out if ``r`` is a pair.
    allow_empty : bool
        Whether rows and columns may be empty. Default: False.

    Raises
    ------
    TypeError or ValueError
        If an argument has a wrong type or is below its least value.

    Examples
    --------
    >>> tables = Tables(20, 3, 3)
    >>> tables.count()
    2806281
    >>> tables.unrank(1_000_000)
    array([[1, 1, 3],
           [2, 3, 0],
           [1, 8, 1]])
    >>> tables.rank([[1, 1, 3], [2, 3, 0], [1, 8, 1]])
    1000000
    >>> Tables(20, (3, 3)) == tables
    True
    >>> [[1, 2], [0, 0]] in Tables(3, 2, 2), [[1, 2], [0, 0]] in Tables(3, 2, 2, allow_empty=True)
    (False, True)
    """

    KIND: ClassVar[str] = "tables"

    n: int
    r: int
    s: int = None  # type: ignore[assignment]
    allow_empty: bool = False

    def __post_init__(self) -> None:
        """Check the fields, and accept a pair (r, s)."""
        if isinstance(self.r, tuple | list):
            sizes = as_counts("shape", self.r, 1)
            if len(sizes) != 2 or self.s is not None:
                raise ValueError(
                    f"shape must be a pair (r, s), or r and s separately, got {self.r!r} and s = {self.s!r}"
                )
            for name, size in zip("rs", sizes):
                object.__setattr__(self, name, size)
        super().__post_init__()

    @cached_property
    def possible_sums(self) -> tuple[Side, Side]:
        """Possible row sums and possible column sums."""
        minimum = int(not self.allow_empty)
        return Side(self.n, self.r, minimum=minimum), Side(self.n, self.s, minimum=minimum)

    def words(self) -> str:
        """Return the class in words.

        Returns
        -------
        str

        Examples
        --------
        >>> Tables(20, 3, 3).words()
        '3 x 3 tables with total 20, no empty row or column'
        """
        lines = "empty rows and columns allowed" if self.allow_empty else "no empty row or column"
        return f"{self.r} x {self.s} tables with total {self.n}, {lines}"

    def text(self) -> str:
        """Return the text of the class, which commands and `confmat.classes.parse` read.

        Returns
        -------
        str

        Examples
        --------
        >>> Tables(20, 3, 3).text()
        '3x3 n=20'
        """
        return f"{self.r}x{self.s} n={self.n}{' empty' if self.allow_empty else ''}"


@dataclass(frozen=True, repr=False)
class FixedMargins(MatrixClass):
    """All matrices of non-negative integers with row sums ``rows`` and column sums ``cols``.

    A row or column of sum 0 is empty in each member. `count`, `rank` and `unrank` use a closed form if there are at
    most two rows or columns. Otherwise the first call needs memory for prod(cols[j] + 1) integers over all columns
    but one.

    Parameters
    ----------
    rows, cols : sequence of int
        Row sums and column sums of the same total, each at least 0.

    Raises
    ------
    TypeError or ValueError
        If a sum is not a non-negative integer, or if the totals differ.

    Examples
    --------
    >>> FixedMargins([220, 215, 93, 64], [108, 286, 71, 127]).count()
    1225914276768514
    >>> fiber = FixedMargins([2, 1], [1, 1, 1])
    >>> [matrix.tolist() for matrix in fiber]
    [[[0, 1, 1], [1, 0, 0]], [[1, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 0, 1]]]
    >>> fiber.rank([[1, 0, 1], [0, 1, 0]])
    1
    """

    KIND: ClassVar[str] = "fixed_margins"

    rows: Composition
    cols: Composition

    @property
    def n(self) -> int:
        """Total of every member."""
        return sum(self.rows)

    @cached_property
    def possible_sums(self) -> tuple[Side, Side]:
        """Possible row sums and possible column sums. Raise ValueError if the totals differ."""
        n = self.n
        total = sum(self.cols)
        if n != total:
            raise ValueError(f"rows and cols must have the same total, got {n} (rows) and {total} (cols)")
        return Side(n, len(self.rows), self.rows), Side(n, len(self.cols), self.cols)

    @limited
    def count(self) -> int:
        """Count the members, at least 1.

        Returns
        -------
        int

        Raises
        ------
        TooLargeError
            If the margins are too large to count.

        Examples
        --------
        >>> FixedMargins([2, 1], [1, 1, 1]).count()
        3
        """
        return fiber_count(self.rows, self.cols)

    def count_at_once(self) -> int | None:
        """Return the number of members, or None if counting would take more than a second.

        Returns
        -------
        int or None

        Examples
        --------
        >>> FixedMargins([2, 1], [1, 1, 1]).count_at_once(), FixedMargins([99] * 9, [99] * 9).count_at_once()
        (3, None)
        """
        try:
            return fiber_count(self.rows, self.cols, seconds=1.0)
        except TooLargeError:  # a class that takes more than a second has more than 10^9 tables
            return None


def class_from_json(spec: Mapping[str, Any]) -> MatrixClass:
    """Return the class of matrices from its JSON.

    Parameters
    ----------
    spec : dict
        Result of ``to_json()`` of a class.

    Returns
    -------
    MatrixClass

    Raises
    ------
    ValueError
        For an unknown kind, or wrong fields.

    Examples
    --------
    >>> from confmat.classes import FixedColumns
    >>> class_from_json(FixedColumns([1, 2], 2).to_json())
    FixedColumns(cols=(1, 2), r=2)
    """
    as_instance("spec", spec, Mapping, "a mapping, as to_json returns it")
    argument_of = {key: name for name, key in JSON_KEYS.items()}
    arguments = {argument_of.get(key, key): value for key, value in spec.items()}
    kind = KINDS[as_choice("kind", arguments.pop("kind", None), KINDS)]
    n = arguments.pop("n", None)
    if "n" in kind.__dataclass_fields__:
        arguments["n"] = n
    matrices = kind(**arguments)
    if n is not None and matrices.n != n:
        raise ValueError(f"n must be the total {matrices.n} of {matrices!r}, got {n}")
    return matrices


def as_fixed_margins(matrices: MatrixClass) -> FixedMargins | None:
    """Return an equal `FixedMargins` if the class has fixed row sums and column sums, otherwise None.

    >>> from confmat.classes import FixedRows
    >>> as_fixed_margins(FixedMargins([2, 1], [1, 2])), as_fixed_margins(FixedRows([2, 1], 2))
    (FixedMargins(rows=(2, 1), cols=(1, 2)), None)
    """
    rows, cols = (side.sums for side in matrices.possible_sums)
    if rows is None or cols is None:
        return None
    return FixedMargins(rows, cols)
