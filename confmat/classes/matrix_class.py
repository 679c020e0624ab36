"""Base of the four classes of matrices, which are given by the possible row sums and column sums.

A class counts its members, iterates over them, ranks and unranks them, and lists its orbits. The order is row-major
lexicographic: matrices are compared cell by cell, along the first row, then the next one.

Rank and unrank use a *tail*: the number of matrices that begin with given cells (a prefix) and have at least x in
the next cell. Subtracting x from this cell is a bijection to the matrices that begin with the prefix and have x
fewer objects. Tails therefore have the same closed form as the number of members. The position of a matrix is a sum
of differences of tails, one for each cell.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import cached_property, partial
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from confmat._arguments import as_count, as_counts, as_flag
from confmat._display import Fields
from confmat._integers.compositions import Composition, Side, arrangements, orders_of_equal, surjections
from confmat._integers.row_walks import rows_after, tables_by_rows
from confmat._limits import admit, duration, limited
from confmat.classes.completions import completions
from confmat.classes.orbits import (
    ALL,
    PERMUTATIONS,
    Generators,
    arranged,
    as_rows,
    as_symmetry,
    generated,
    largest_arrangement,
    largest_image,
    simultaneous_images,
)
from confmat.contingency.texts import matrix_text
from confmat.errors import TooLargeError

# Largest number of seconds of a count that a forecast or a message needs.
_SECONDS_OF_COUNT_AT_ONCE = 60.0
_COUNTED_AT_ONCE = 100  # number of objects up to which counting takes less than a millisecond


# The function that checks each field of a class.
_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "n": as_count,
    "r": partial(as_count, minimum=1),
    "s": partial(as_count, minimum=1),
    "rows": as_counts,
    "cols": as_counts,
    "allow_empty": as_flag,
}


# Names in JSON of arguments whose names differ there.
JSON_KEYS = {"allow_empty": "empty"}


# The classes by their kind in JSON.
KINDS: dict[str, Any] = {}


class Margins(NamedTuple):
    """Row sums and column sums, with the number ``weight`` of equivalent margins for which they stand."""

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    weight: int


class MatrixClass(Fields, ABC):
    """Finite set of r x s matrices of non-negative integers with a common total.

    The four classes are frozen dataclasses. A restriction of a class is a condition (``given=``), not another
    class.

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> Tables(3, 2, 2).count(), Tables(3, 2, 2).unrank(1).tolist(), sorted(Tables(3, 2, 2).symmetry)
    (8, [[0, 1], [2, 0]], ['columns', 'rows', 'simultaneous', 'transposition'])
    """

    KIND: ClassVar[str]

    if TYPE_CHECKING:  # a field or a property

        @property
        def n(self) -> int:
            """Total of every member."""

    def __init_subclass__(cls) -> None:
        """Register the kind of a class, which names it in JSON."""
        if "KIND" in vars(cls):
            KINDS[cls.KIND] = cls

    @property
    @abstractmethod
    def possible_sums(self) -> tuple[Side, Side]:
        """Set of the possible vectors of row sums of the members, and that of column sums: a pair of `Side`."""

    def __post_init__(self) -> None:
        """Check the fields. Raise ValueError if row sums and column sums have different totals."""
        for field in fields(self):  # type: ignore[arg-type]
            value = _CHECKS[field.name](field.name, getattr(self, field.name))
            object.__setattr__(self, field.name, value)
        _ = self.shape  # raises ValueError if row sums and column sums have different totals

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns of every member."""
        rows, cols = self.possible_sums
        return rows.lines, cols.lines

    @property
    def _shown(self) -> dict[str, Any]:
        """Fields of the class by name, without default values."""
        values = {x.name: (getattr(self, x.name), x) for x in fields(self)}  # type: ignore[arg-type]
        return {name: value for name, (value, x) in values.items() if x.repr or value != x.default}

    def __repr__(self) -> str:
        """Return the call that makes the class."""
        return (
            f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._shown.items())})"
        )

    def _facts(self) -> dict[str, Any]:
        """Return the fields of the class by their names in JSON.

        >>> from confmat.classes import Tables
        >>> Tables(20, 3, 3).to_json()
        {'kind': 'tables', 'n': 20, 'r': 3, 's': 3, 'empty': False}
        """
        shown = {JSON_KEYS.get(name, name): value for name, value in self._shown.items()}
        return {"kind": self.KIND, "n": self.n, **shown}

    def words(self) -> str:
        """Return the class in words.

        Returns
        -------
        str

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> Tables(20, 3, 3).words()
        '3 x 3 tables with total 20, no empty row or column'
        """
        rows, cols = self.possible_sums
        filled_words = ", none of them empty" if self._asks_for_points else ""
        sides = f"{_side_in_words(rows, 'row')} and {_side_in_words(cols, 'column')}"
        return f"tables with {sides}{filled_words}"

    def text(self) -> str:
        """Return the text of the class, which commands and `confmat.classes.parse` read.

        Returns
        -------
        str

        Examples
        --------
        >>> from confmat.classes import FixedRows
        >>> FixedRows([3, 1], 2).text()
        'rows=3,1 cols=free:2'
        """
        rows, cols = self.possible_sums
        filled_word = " no-empty" if self._asks_for_points else ""
        return f"rows={_side_as_text(rows)} cols={_side_as_text(cols)}{filled_word}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the repr. Without this method IPython and Hypothesis print every field of the dataclass."""
        printer.text(repr(self))

    def __bool__(self) -> bool:
        """Return whether the class has a member, without counting.

        >>> from confmat.classes import Tables
        >>> bool(Tables(3, 2, 4)), bool(Tables(3, 2, 4, allow_empty=True))
        (False, True)
        """
        rows, cols = self.possible_sums
        return rows.n >= max(rows.minimum * rows.lines, cols.minimum * cols.lines)

    def count(self) -> int:
        """Count the members by a closed form, or by a recursion at fixed margins.

        Returns
        -------
        int

        Raises
        ------
        TooLargeError
            Before any work, if counting would exceed the limits.

        Examples
        --------
        >>> from confmat.classes import FixedColumns, Tables
        >>> Tables(50, 4, 4).count(), FixedColumns((2, 1), 3).count()
        (204063621701016, 18)
        """
        if seconds := self._seconds_to_count():
            admit(f"counting {self!r}", seconds)
        return self._count

    @cached_property
    def _count(self) -> int:
        """Number of members. It stays in memory, because forecasts and draws use it repeatedly."""
        return completions([], *self.possible_sums)(0) if self else 0

    def count_at_once(self) -> int | None:
        """Return the number of members if counting takes at most a minute, or a second at fixed margins.

        Returns
        -------
        int or None
            None if counting at fixed margins would take more than a second.

        Raises
        ------
        TooLargeError
            If counting would take more than a minute.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> Tables(20, 3, 3).count_at_once()
        2806281
        """
        if (seconds := self._seconds_to_count()) > _SECONDS_OF_COUNT_AT_ONCE:
            raise TooLargeError(
                f"counting {self!r} would take about {duration(seconds)} (limit {duration(_SECONDS_OF_COUNT_AT_ONCE)})."
                " Use count(), which has no such limit"
            )
        return self.count()

    def _seconds_to_count(self) -> float:
        """Estimate the seconds of the closed form, which adds r s binomial coefficients.

        If rows and columns may be empty, it is a single binomial coefficient.
        """
        if self.n <= _COUNTED_AT_ONCE or not self.unrestricted or not self:
            return 0.0
        cells = prod(self.shape)
        return _seconds_of_binomials(1 if self.may_be_empty else cells, self.n, cells)

    def seconds_to_unrank(self) -> float:
        """Estimate the seconds to find the member at a position, by inclusion and exclusion at each cell.

        Returns
        -------
        float

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> Tables(10**5, 30, 30).seconds_to_unrank() > 10 > 0.1 > Tables(1000, 10, 10).seconds_to_unrank()
        True
        """
        if not self.unrestricted:
            return 0.0
        r, s = self.shape
        terms = 1 if self.may_be_empty else 1 + r * s * s // 150
        return _seconds_of_binomials(r * s * (self.n + 2).bit_length() * terms, self.n, r * s)

    def has_at_most(self, most: int) -> bool:
        """Return whether the class has at most ``most`` members.

        Parameters
        ----------
        most : int

        Returns
        -------
        bool
            False also if counting would take more than a second, because the class is large then.

        Examples
        --------
        >>> from confmat.classes import FixedMargins, Tables
        >>> Tables(3, 2, 2).has_at_most(8), Tables(3, 2, 2).has_at_most(7)
        (True, False)
        >>> FixedMargins([2, 1], [1, 1, 1]).has_at_most(3), FixedMargins([99] * 9, [99] * 9).has_at_most(10**9)
        (True, False)
        """
        count = self.count_at_once()
        return count is not None and count <= most

    def labelings_count(self) -> int:
        """Count the pairs of labelings of all members: the labelings of the rows times the labelings of the columns.

        Returns
        -------
        int

        Raises
        ------
        TooLargeError
            Before any work, if counting would exceed the limits.

        Examples
        --------
        >>> from confmat.classes import FixedRows
        >>> FixedRows((2, 1), 2).labelings_count() == 3 * 2**3
        True
        """
        admit(
            f"counting the labelings of {self!r}", sum(map(_seconds_to_count_labelings, self.possible_sums))
        )
        return prod(_labelings_of_side(side) for side in self.possible_sums)

    # --- order ----------------------------------------------------------------------------------------

    def contains_each(self, tables: np.ndarray) -> np.ndarray:
        """Return a mask of the matrices that are members.

        Parameters
        ----------
        tables : array of int, shape (k, r, s)

        Returns
        -------
        array of bool, shape (k,)

        Examples
        --------
        >>> from confmat.classes import FixedRows
        >>> FixedRows((2, 1), 2).contains_each(np.array([[[1, 1], [1, 0]], [[1, 0], [1, 1]]]))
        array([ True, False])
        """
        largest_sum = self.n * prod(self.shape)
        if tables.dtype.kind != "i" or tables.shape[1:] != self.shape or largest_sum >= 2**63:
            return np.array([table in self for table in tables], bool)
        are_members: np.ndarray = tables.sum(axis=(1, 2), dtype=np.int64) == self.n
        are_members &= ((tables >= 0) & (tables <= self.n)).all(axis=(1, 2))
        for side, axis in zip(self.possible_sums, (2, 1)):
            sums = tables.sum(axis=axis, dtype=np.int64)
            least, largest = side.bounds()
            are_members &= ((sums >= least) & (sums <= largest)).all(axis=1)
        return are_members

    def __len__(self) -> int:
        """Return the number of members. Raise OverflowError if it is 2**63 or more. Use ``count()`` then."""
        count = self.count()
        if count >= 2**63:
            raise OverflowError(
                f"{self!r} has {count} members, but len() is limited to 2**63 - 1. Use count()."
            )
        return count

    def __contains__(self, matrix: object) -> bool:
        """Return whether ``matrix`` (array_like) is a member. A wrong shape or a negative entry gives False."""
        rows = as_rows(matrix)
        if rows is None or (len(rows), len(rows[0])) != self.shape:
            return False
        lines = rows, zip(*rows)
        return all(side.admits(tuple(map(sum, line))) for side, line in zip(self.possible_sums, lines))

    def __iter__(self) -> Iterator[np.ndarray]:
        """Yield every member in row-major lexicographic order.

        Members are int64 arrays, or arrays of objects if n >= 2**63.
        """
        for rows in self._walk():
            yield self._array(rows)

    def __getitem__(self, index: int | slice) -> Any:
        """Return the member at a position of the iteration order, or a list of members for a slice.

        >>> from confmat.classes import Tables
        >>> tables = Tables(3, 2, 2)
        >>> tables[-1].tolist(), [table.tolist() for table in tables[:2]]
        ([[2, 0], [0, 1]], [[[0, 1], [1, 1]], [[0, 1], [2, 0]]])
        """
        if isinstance(index, slice):
            return [self.unrank(position) for position in range(self.count())[index]]
        position = as_count("index", index, -self.count())
        return self.unrank(position % self.count() if position < 0 else position)

    @limited
    def rank(self, matrix: Any) -> int:
        """Return the position of a member in the iteration order, from 0, without iterating.

        Parameters
        ----------
        matrix : array_like

        Returns
        -------
        int

        Raises
        ------
        ValueError
            If ``matrix`` is not a member.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> Tables(3, 2, 2).rank([[1, 0], [1, 1]])
        4
        """
        if matrix not in self:
            raise ValueError(f"matrix must be a member of {self!r}, got {matrix!r}")
        position = 0
        prefix: list[int] = []
        for cell in (cell for row in as_rows(matrix) or () for cell in row):
            tail = completions(prefix, *self.possible_sums)
            position += tail(0) - tail(cell)
            prefix.append(cell)
        return position

    @limited
    def unrank(self, index: int) -> np.ndarray:
        """Return the member at a position of the iteration order, without iterating.

        Parameters
        ----------
        index : int

        Returns
        -------
        array of int, shape (r, s)

        Raises
        ------
        ValueError
            If ``index`` is negative.
        IndexError
            If ``index`` is ``count()`` or more.
        TooLargeError
            If it takes more than the limits.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> Tables(3, 2, 2).unrank(3)
        array([[1, 0],
               [0, 2]])
        """
        admit(f"a member of {self!r} by its position", self.seconds_to_unrank())
        position = as_count("index", index)
        if position >= self.count():
            raise IndexError(f"index must be less than {self.count()}, the number of members, got {position}")
        r, s = self.shape
        prefix: list[int] = []
        points_left = self.n
        for _ in range(r * s):
            tail = completions(prefix, *self.possible_sums)
            total = tail(0)
            # The largest value of the cell such that at most `position` completions have a smaller one.
            cell, too_large = 0, points_left + 1
            while too_large - cell > 1:
                middle = (cell + too_large) // 2
                if total - tail(middle) <= position:
                    cell = middle
                else:
                    too_large = middle
            position -= total - tail(cell)
            points_left -= cell
            prefix.append(cell)
        return self._array([tuple(prefix[i * s : (i + 1) * s]) for i in range(r)])

    def orbits(self) -> Iterator[tuple[np.ndarray, int]]:
        """Yield a representative of every orbit, and the number of members in the orbit.

        The group consists of the symmetries of the class: permutations of rows and of columns, and transposition if
        r = s. With fixed margins only rows (or columns) with equal sums are exchanged. Transposition is included if
        row sums and column sums agree up to order.

        Yields
        ------
        representative : array of int, shape (r, s)
            The lexicographically largest member of its orbit. Representatives increase.
        size : int
            Number of members. The sum of all sizes is ``count()``.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> [(matrix.tolist(), size) for matrix, size in Tables(3, 2, 2).orbits()]
        [([[1, 1], [1, 0]], 4), ([[2, 0], [0, 1]], 4)]
        """
        row_labels, col_labels = self._labels
        group = orders_of_equal(row_labels) * orders_of_equal(col_labels)

        def is_largest(rows: list[Composition]) -> bool:
            """Return False if permutations make larger first rows. The whole table is then not the largest, either."""
            labels = row_labels[: len(rows)]
            if any(row < rows[-1] and label == labels[-1] for row, label in zip(rows, labels)):
                return False
            begun = tuple(rows)
            return largest_arrangement(begun, labels, col_labels, labels, col_labels)[0] == begun

        for rows in self._walk(is_largest):
            matrix = tuple(rows)
            _, symmetries = largest_arrangement(matrix, row_labels, col_labels, row_labels, col_labels)
            multiplicity = group // symmetries
            if self._transposable:
                # Row k of the transpose has the label of column k, and positions have the labels of the class.
                of_transpose, _ = largest_arrangement(
                    tuple(zip(*matrix)), col_labels, row_labels, row_labels, col_labels
                )
                if of_transpose > matrix:
                    continue
                multiplicity *= 1 if of_transpose == matrix else 2
            yield self._array(rows), multiplicity

    def _walk(self, keep: Callable[[list[Composition]], bool] = bool) -> Iterator[list[Composition]]:
        """Yield the rows of each member, in the order of the class.

        ``keep(rows)`` returns False if no member that begins with these rows is needed.
        """
        rows, cols = self.possible_sums
        if self:
            yield from tables_by_rows(rows.lines, partial(rows_after, rows=rows, cols=cols), keep)

    def _array(self, rows: list[Composition]) -> np.ndarray:
        """Return a matrix from its rows, int64 or, if n >= 2**63, of Python integers."""
        dtype = np.int64 if self.n < 2**63 else object
        return np.array(rows, dtype=dtype).reshape(self.shape)

    # --- symmetry and margins -------------------------------------------------------------------------

    @property
    def unrestricted(self) -> bool:
        """True if the members are all matrices of this shape and total, or all without empty rows and columns."""
        rows, cols = self.possible_sums
        return rows.sums is None and cols.sums is None and rows.minimum == cols.minimum

    @property
    def _asks_for_points(self) -> bool:
        """True if the only condition on rows, or on columns, is that none is empty."""
        rows, cols = self.possible_sums
        return rows.asks_for_points or cols.asks_for_points

    @property
    def may_be_empty(self) -> bool:
        """True if some member has an empty row or column."""
        rows, cols = self.possible_sums
        return rows.may_be_empty or cols.may_be_empty

    @property
    def clusters(self) -> tuple[int, int, bool]:
        """Numbers of rows and of columns that can have objects, and whether some of these may be empty in a member.

        Normalized distances are divided by their largest value among tables of this size.
        """
        r, s = (sum(x > 0 for x in side.sums) if side.sums else side.lines for side in self.possible_sums)
        return r, s, any(side.sums is None and not side.minimum for side in self.possible_sums)

    @property
    def symmetry(self) -> Generators:
        """Generators of the symmetry of the class.

        They are a subset of "rows", "columns", "simultaneous" and "transposition".
        """
        rows, cols = self.possible_sums
        lines_alike = [rows.exchangeable, cols.exchangeable]
        generators = {generator for generator, is_alike in zip(("rows", "columns"), lines_alike) if is_alike}
        if len(generators) == 2 and self.shape[0] == self.shape[1]:
            generators |= PERMUTATIONS
        if rows == cols:
            generators.add("transposition")
        return frozenset(generators)

    @property
    def _labels(self) -> tuple[Composition, Composition]:
        """Labels of the rows and of the columns. Two rows (columns) can be exchanged if their labels are equal."""
        rows, cols = self.possible_sums
        return rows.labels, cols.labels

    @property
    def _transposable(self) -> bool:
        """True if the transposes of the members are members up to the order of rows and columns."""
        rows, cols = self.possible_sums
        return (rows.lines, rows.minimum, sorted(rows.sums or ())) == (
            cols.lines,
            cols.minimum,
            sorted(cols.sums or ()),
        )

    def margins(self, symmetry: str | Iterable[str] = "none") -> Iterator[Margins]:
        """Yield margins that represent the class under a symmetry: row sums, column sums, and a weight.

        Each matrix with these margins is counted with the weight. The distribution of a function that is invariant
        under ``symmetry`` is then the same as over the class. Sums are sorted if rows or columns can be exchanged.

        Parameters
        ----------
        symmetry : str or set of str
            Name or generators of a symmetry. Default: "none".

        Yields
        ------
        Margins

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> [tuple(margins) for margins in Tables(3, 2, 2).margins("simultaneous")]
        [((2, 1), (2, 1), 2), ((2, 1), (1, 2), 2)]
        """
        group = as_symmetry(symmetry)
        rows, cols = self.possible_sums
        are_free = rows.sums is None and cols.sums is None
        counts_twice = are_free and rows == cols and group == ALL
        # A simultaneous permutation sorts the rows, while the columns are in every order.
        in_rows = "rows" in group or (are_free and rows.lines == cols.lines and "simultaneous" in group)
        for row_sums, orders in rows.sorted() if in_rows else rows.every():
            for col_sums, col_orders in cols.sorted() if "columns" in group else cols.every():
                if not (counts_twice and col_sums > row_sums):
                    yield Margins(
                        row_sums,
                        col_sums,
                        orders * col_orders * (2 if counts_twice and col_sums != row_sums else 1),
                    )

    def representative(
        self, table: np.ndarray, symmetry: str | Iterable[str] = "transposition"
    ) -> np.ndarray:
        """Return the lexicographically largest member of the class among the images of a table under a symmetry.

        Parameters
        ----------
        table : array of int
            Its rows and columns may be in another order than those of the members.
        symmetry : str or set of str
            Name or generators of a symmetry. Generators that are not symmetries of the class are ignored. Default:
            "transposition", which means all permutations of rows and of columns, and transposition.

        Returns
        -------
        array of int, shape (r, s)

        Raises
        ------
        ValueError
            If no image is a member.

        Examples
        --------
        >>> from confmat.classes import FixedMargins, FixedRows
        >>> FixedRows([3, 1], 2).representative(np.array([[1, 2], [0, 1]])).tolist()
        [[2, 1], [1, 0]]
        >>> FixedMargins([1, 3], [2, 2]).representative(np.array([[2, 1], [0, 1]])).tolist()
        [[1, 0], [1, 2]]
        """
        asked = as_symmetry(symmetry)
        group = generated(asked, self.shape)
        images: Iterable[np.ndarray]
        if {"rows", "columns"} <= group:
            images = self._arranged(table)
            if "transposition" in asked:
                images += self._arranged(table.T)
        elif "simultaneous" in group:
            images = simultaneous_images(table, "transposition" in group)
        else:
            images = [largest_image(table, self.symmetry & group)]
        members = [image for image in images if image in self]  # only some orders preserve fixed sums
        if not members:
            raise ValueError(
                f"table must be a member of {self!r} up to the order of rows and columns, got {matrix_text(table)}"
            )
        return max(members, key=np.ndarray.tolist)

    def _arranged(self, table: np.ndarray) -> list[np.ndarray]:
        """Return a list with the lexicographically largest member among the row and column permutations of a table.

        The list is empty if none of these permutations is a member of the class.
        """
        places = self._labels
        # Rows (columns) with free sums can be at any position.
        labels = list(places)
        for i, side in enumerate(self.possible_sums):
            if side.sums is not None:
                labels[i] = tuple(table.sum(axis=1 - i).tolist())
        if table.shape != self.shape or [*map(sorted, labels)] != [*map(sorted, places)]:
            return []
        return [arranged(table, *labels, *places)]


# Seconds per product of two bits in Python's integer division, which is quadratic.
_RATE_OF_BITS = 1.5e-12

# Cost of the other operations of a term, in products of two bits.
_STEPS_OF_TERM = 10**6


def _seconds_of_binomials(number: int, n: int, cells: int) -> float:
    """Estimate the seconds of a number of binomial coefficients C(n + cells - 1, cells - 1)."""
    k = max(1, min(n, cells))
    bits = (max(n, cells) // k).bit_length() + 2
    products = _STEPS_OF_TERM + k * k * bits
    return _RATE_OF_BITS * min(number * products, 10**300)


def order_in_words(matrices: MatrixClass) -> str:
    """Return a sentence for the error of an empty class, which explains the order n, r, s of its arguments.

    The sentence is empty if the class has a member.

    >>> from confmat.classes import Tables
    >>> order_in_words(Tables(3, 3, 20))
    ' The total n = 3 is less than r = 3 or s = 20: the order is n, r, s.'
    """
    if matrices:
        return ""
    r, s = matrices.shape
    return f" The total n = {matrices.n} is less than r = {r} or s = {s}: the order is n, r, s."


def _side_in_words(side: Side, line: str) -> str:
    """Return the sums of rows or columns in words. ``line`` is "row" or "column"."""
    if side.sums is None:
        return f"{side.lines} free {line}s"
    return f"{line} sums {_sums_as_text(side.sums)}"


def _side_as_text(side: Side) -> str:
    """Return the sums of rows or columns as ``parse`` reads them."""
    if side.sums is None:
        return f"free:{side.lines}"
    return _sums_as_text(side.sums)


def _sums_as_text(sums: Composition) -> str:
    """Return integers as text, separated by commas."""
    return ",".join(map(str, sums))


def _seconds_to_count_labelings(side: Side) -> float:
    """Return the approximate seconds of ``_labelings_of_side``: a power of Python integers for each row or column."""
    if side.sums is not None or not side.minimum:
        return 0.0
    bits = side.n * side.lines.bit_length()
    return 7e-12 * side.lines * float(bits) ** 1.585


def _labelings_of_side(side: Side) -> int:
    """Return the number of labelings of n objects whose cluster sizes are possible row (or column) sums."""
    if side.sums is not None:
        return arrangements(side.sums)
    if side.minimum:
        return surjections(side.n, side.lines)
    return side.lines**side.n
