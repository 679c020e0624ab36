"""What a class of matrices is: a value that answers for itself.

A class needs a total ``n``, a ``shape``, iteration and membership; everything else it may declare.  What it does not
declare is derived slowly, by iteration, or refused by name: no assumption made for another class is inherited.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice, permutations, product
from math import inf
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from confmat.answers import Fields
from confmat.arguments import as_count
from confmat.classes.costs import MOST_ITERATED, CountQuestion
from confmat.classes.orbits import NONE, Generators, as_symmetry, largest_image, nested
from confmat.errors import ConsistencyError, TooLarge, Unsupported
from confmat.integers.compositions import Side, arrangements
from confmat.matrices.texts import matrix_text
from confmat.plans import plannable


class Margins(NamedTuple):
    """All matrices with row sums ``rows`` and column sums ``cols``, each counting ``weight`` times."""

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    weight: int


class MatrixClass(Fields, ABC):
    """A finite set of r x s matrices of non-negative integers with one common total.

    A class of one's own defines ``n``, ``shape``, ``__iter__`` (every member once, as an integer array) and
    ``__contains__`` (False for what is no matrix).  It should be immutable and hashable.  It may also declare, to be
    served faster: ``count``, ``rank`` and ``unrank``, ``symmetry``, ``margins``, ``labelings_count``, ``propose``;
    ``confmat.testing.check_class`` tries what it declares.

    >>> class Diagonal(MatrixClass):
    ...     n, shape = 3, (2, 2)
    ...     def __iter__(self):
    ...         return (np.diag([k, 3 - k]) for k in range(4))
    ...     def __contains__(self, matrix):
    ...         return np.shape(matrix) == (2, 2) and any(np.array_equal(matrix, member) for member in self)
    >>> Diagonal().count(), Diagonal().unrank(1).tolist(), Diagonal().symmetry
    (4, [[1, 0], [0, 2]], frozenset())
    """

    if TYPE_CHECKING:  # fields, attributes or properties: at run time these would stand in their way

        @property
        def n(self) -> int:
            """Total of every member."""

        @property
        def shape(self) -> tuple[int, int]:
            """Number of rows and columns of every member."""

    @abstractmethod
    def __iter__(self) -> Iterator[np.ndarray]:
        """Every member once, as an array of integers."""

    @abstractmethod
    def __contains__(self, matrix: object) -> bool:
        """Whether ``matrix`` is a member."""

    def _defines(self, name: str) -> bool:
        """Whether the class says more under a name than what is derived here."""
        return getattr(type(self), name) is not getattr(MatrixClass, name)

    def contains_each(self, tables: np.ndarray) -> np.ndarray:
        """Which of some matrices (k x r x s) are members, True or False for each.

        >>> from confmat.classes import Tables
        >>> Tables(3, 2, 2).contains_each(np.array([[[1, 0], [1, 1]], [[3, 0], [0, 0]]]))
        array([ True, False])
        """
        return np.array([table in self for table in tables], bool)

    # --- how many -----------------------------------------------------------------------------------

    @plannable(CountQuestion)
    def count(self) -> int:
        """Number of members.  By iteration, TooLarge beyond 10^7, unless the class knows better.

        >>> from confmat.classes import Tables
        >>> Tables(3, 2, 2).count()
        8
        """
        return len(_listed_members(self))

    def count_at_once(self) -> int | None:
        """The count; None where a second does not suffice, of classes that say so.

        >>> from confmat.classes import Tables
        >>> Tables(20, 3, 3).count_at_once()
        2806281
        """
        return self.count()

    def has_at_most(self, most: int) -> bool:
        """Whether the count is at most ``most``; False where it is not known at once: it is large then.

        >>> from confmat.classes import FixedMargins, Tables
        >>> Tables(3, 2, 2).has_at_most(8), Tables(3, 2, 2).has_at_most(7)
        (True, False)
        >>> FixedMargins([2, 1], [1, 1, 1]).has_at_most(3), FixedMargins([99] * 9, [99] * 9).has_at_most(10**9)
        (True, False)
        """
        count = self.count_at_once()
        return count is not None and count <= most

    @property
    def counts_itself(self) -> bool:
        """Whether ``count`` is something else than iteration, so that it can be compared with one."""
        return self._defines("count")

    @property
    def counts_labelings_itself(self) -> bool:
        """Whether ``labelings_count`` is something else than iteration."""
        return self._defines("labelings_count")

    def labelings_count(self) -> int:
        """Number of pairs of labelings whose contingency table is a member: n!/prod x! of each member with cells x.

        >>> from confmat.classes import Tables
        >>> Tables(3, 2, 2, empty=True).labelings_count() == 2**3 * 2**3
        True
        """
        refuse_labelings(self)
        labelings = 0
        for table in chain.from_iterable(members(self)):
            labelings += arrangements(map(int, table.flat))
        return labelings

    def __bool__(self) -> bool:
        """Whether the class has a member."""
        return next(iter(self), None) is not None

    # --- order ----------------------------------------------------------------------------------------

    def rank(self, matrix: Any) -> int:
        """Position of ``matrix`` in the iteration order, from 0.  ValueError when it is not a member.

        >>> from confmat.classes import Tables
        >>> Tables(3, 2, 2).rank([[1, 0], [1, 1]])
        4
        """
        if matrix in self:
            key = np.asarray(matrix).tolist()
            for position, member in enumerate(_listed_members(self)):
                if member.tolist() == key:
                    return position
        raise ValueError(f"matrix must be a member of {self!r}, got {matrix!r}")

    def unrank(self, index: int) -> np.ndarray:
        """The member at position ``index`` of the iteration order.

        Raises ValueError when ``index`` is negative, IndexError when it is ``count()`` or more.

        >>> from confmat.classes import Tables
        >>> Tables(3, 2, 2).unrank(3)
        array([[1, 0],
               [0, 2]])
        """
        return np.array(_listed_members(self)[self._position(index)])

    def _position(self, index: int) -> int:
        position = as_count("index", index)
        if position >= self.count():
            raise IndexError(f"index must be below the count {self.count()}, got {position}")
        return position

    # --- symmetry and margins -------------------------------------------------------------------------

    @property
    def of_package(self) -> bool:
        """Whether the package defines the class, and tries in its tests what it declares.

        >>> from confmat.classes import Tables
        >>> Tables(3, 2, 2).of_package
        True
        """
        return type(self).__module__.partition(".")[0] == __name__.partition(".")[0]

    @property
    def symmetry(self) -> Generators:
        """Generators that map the class onto itself, of "rows", "columns", "simultaneous", "transposition"."""
        return NONE

    @property
    def sides(self) -> tuple[Side, Side] | None:
        """The sums that rows and columns may have, where the members are all matrices with such margins; else None."""
        return None

    @property
    def has_margins(self) -> bool:
        """Whether membership depends on the margins alone, so that ``margins`` answers."""
        return self._defines("margins")

    def margins(self, symmetry: str | Iterable[str] = "none") -> Iterator[Margins]:
        """Margins under which the class is visited: (rows, cols, weight), each promising ALL matrices with them.

        A function that ``symmetry`` leaves unchanged has over the class the same law as over these matrices, those of
        each pair counting ``weight`` times; so weights times numbers of matrices add up to ``count()``.  Where the
        class has the symmetry itself the matrices are members.  Unsupported where margins do not tell membership.

        >>> from confmat.classes import Tables
        >>> for margins in Tables(4, 2, 2).margins("transposition"):
        ...     print(margins)
        Margins(rows=(3, 1), cols=(3, 1), weight=4)
        Margins(rows=(3, 1), cols=(2, 2), weight=4)
        Margins(rows=(2, 2), cols=(2, 2), weight=1)
        """
        raise Unsupported(
            f"{self!r} is not known by its margins: not all matrices with a member's margins are members"
        )

    @property
    def unrestricted(self) -> bool:
        """Whether the members are all matrices of this shape and total, without empty lines unless ``may_be_empty``."""
        if self.sides is None:
            return False
        rows, cols = self.sides
        return rows.sums is None and cols.sums is None and rows.minimum == cols.minimum

    @property
    def may_be_empty(self) -> bool:
        """Whether some member has an empty row or column: as the sides say, else by iteration."""
        if self.sides is not None:
            rows, cols = self.sides
            return rows.may_be_empty or cols.may_be_empty
        for member in self:
            is_filled = np.any(member, axis=0).all() and np.any(member, axis=1).all()
            if not is_filled:
                return True
        return False

    @property
    def clusters(self) -> tuple[int, int, bool]:
        """Numbers of rows and columns that may hold points, and whether a member may use fewer.

        The normalised distances are over the largest value among the tables of this size.
        """
        return (*self.shape, self.may_be_empty)

    @property
    def says_clusters(self) -> bool:
        """Whether ``clusters`` or ``may_be_empty`` are more than iteration."""
        return self._defines("clusters") or self._defines("may_be_empty") or self.sides is not None

    def orbits(self) -> Iterator[tuple[np.ndarray, int]]:
        """One representative of every orbit under the declared symmetries, the lexicographically largest, and its size.

        Representatives come in increasing order; the sizes add up to ``count()``.

        >>> from confmat.classes import Tables
        >>> [(matrix.tolist(), size) for matrix, size in Tables(3, 2, 2).orbits()]
        [([[1, 1], [1, 0]], 4), ([[2, 0], [0, 1]], 4)]
        """
        sizes = Counter(nested(self.representative(member)) for member in _listed_members(self))
        for rows in sorted(sizes):
            yield np.array(rows), sizes[rows]

    def representative(
        self, table: np.ndarray, symmetry: str | Iterable[str] = "transposition"
    ) -> np.ndarray:
        """The largest member, in row-major order, among the images of ``table`` under symmetries shared with the class.

        >>> from confmat.classes import Tables
        >>> Tables(4, 2, 2).representative(np.array([[0, 1], [2, 1]])).tolist()
        [[2, 1], [0, 1]]
        """
        return largest_image(table, self.symmetry & as_symmetry(symmetry))

    def member_like(self, table: np.ndarray) -> np.ndarray:
        """The largest member that exchanging rows, exchanging columns and transposing make of ``table``.

        All orders are tried; ValueError where none is a member.  What all these leave unchanged is the same there.

        >>> from confmat.classes import FixedMargins
        >>> FixedMargins([1, 3], [2, 2]).member_like(np.array([[2, 1], [0, 1]])).tolist()
        [[1, 0], [1, 2]]
        """
        r, s = self.shape
        members_like = []
        for turned_table in (table, table.T):
            if turned_table.shape != self.shape:
                continue
            for rows, cols in product(permutations(range(r)), permutations(range(s))):
                arranged_table = turned_table[np.ix_(rows, cols)]
                if arranged_table in self:
                    members_like.append(arranged_table.tolist())
        if not members_like:
            raise ValueError(f"no member of {self!r} is {matrix_text(table)} with its lines in another order")
        return np.array(max(members_like))

    def propose(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """``size`` proposals (size x r x s), uniform over a set that holds the class: those that are members are draws.

        Optional; Unsupported where the class has none, and draws then go by ``unrank``.

        >>> from confmat.classes import Tables
        >>> Tables(4, 2, 2).proposes
        False
        """
        raise Unsupported(f"{self!r} makes no proposals to draw from")

    @property
    def proposes(self) -> bool:
        """Whether the class makes proposals of its own."""
        return self._defines("propose")

    # --- words ------------------------------------------------------------------------------------------

    def words(self) -> str:
        """The class in a sentence.

        >>> from confmat.classes import Tables
        >>> Tables(20, 3, 3).words()
        '3 x 3 tables with total 20, no empty row or column'
        """
        return repr(self)

    def as_dict(self) -> dict[str, Any]:
        """What it is made of.

        >>> from confmat.classes import Tables
        >>> Tables(20, 3, 3).to_json()
        {'kind': 'tables', 'n': 20, 'r': 3, 's': 3, 'empty': False}
        """
        return {
            "kind": type(self).__name__,
            "n": self.n,
            "shape": list(self.shape),
            "repr": repr(self),
        }

    def text(self) -> str:
        """The class as commands and `confmat.classes.parse` read it; Unsupported for one that has no such form.

        >>> from confmat.classes import FixedRows
        >>> FixedRows([3, 1], 2).text()
        'rows=3,1 cols=free:2'
        """
        raise Unsupported(f"{self!r} has no form as text")


def check_hashable(matrices: Any) -> None:
    """TypeError for a class that cannot be told from others: what is known of it could not be kept.

    >>> from confmat.classes import Tables
    >>> check_hashable(Tables(3, 2, 2))
    """
    try:
        hash(matrices)
    except TypeError as error:
        raise TypeError(
            f"matrices must be hashable, such as a frozen dataclass, got a {type(matrices).__name__}: {error}"
        ) from None


def _listed_members(matrices: MatrixClass) -> list[np.ndarray]:
    """All members, held; TypeError for a class that cannot be hashed, TooLarge beyond ``MOST_ITERATED``."""
    check_hashable(matrices)
    return _held(matrices)


@lru_cache(maxsize=4)
def _held(matrices: MatrixClass) -> list[np.ndarray]:
    listed = first_members(matrices, MOST_ITERATED + 1)
    if len(listed) > MOST_ITERATED:
        raise TooLarge(
            f"{matrices!r} has more than {MOST_ITERATED} members: too many for a class that is iterated"
        )
    return listed


def first_members(matrices: MatrixClass, most: int) -> list[np.ndarray]:
    """As many of the first members as there are, and wanted.

    >>> from confmat.classes import Tables
    >>> len(first_members(Tables(3, 2, 2), 5)), len(first_members(Tables(3, 2, 2), 10))
    (5, 8)
    """
    return list(islice(chain.from_iterable(members(matrices)), most))


MOST_LABELED = 10**6
"""Objects whose labelings are counted: their factorial takes seconds."""


def refuse_labelings(matrices: MatrixClass) -> None:
    """Raise TooLarge for a class whose labelings cannot be counted one table after the other."""
    if matrices.n > MOST_LABELED:
        raise TooLarge(
            f"labelings of {matrices!r} are counted up to {MOST_LABELED} objects, not for {matrices.n}"
        )


# Members of a class of one's own at once; so many, and one in so many beyond, are asked whether they are members.
_MEMBERS_TESTED_AT_ONCE = 2**12
_ALL_ASKED = 2**10
_ONE_IN = 64


def members(matrices: MatrixClass, at_once: int = _MEMBERS_TESTED_AT_ONCE) -> Iterator[np.ndarray]:
    """What a class iterates, some members at once (k x r x s): the gate through which those of foreign classes enter.

    What a class of one's own iterates is tested for shape, whole numbers, sign, total and membership; ConsistencyError
    naming the class and the member.

    >>> from confmat.classes import Tables
    >>> [batch.shape for batch in members(Tables(4, 2, 2), 12)]
    [(12, 2, 2), (7, 2, 2)]
    """
    members_seen = 0
    # Copies: the class may write the next member into the same array.
    copies = map(np.array, matrices)
    while tables := list(islice(copies, at_once)):
        if matrices.of_package:
            yield np.array(tables)
            continue
        batch = _as_whole(matrices, tables)
        first_members = batch[: max(0, _ALL_ASKED - members_seen)]
        some_of_the_rest = batch[len(first_members) :: _ONE_IN]
        _refuse(matrices, batch, (batch < 0).any(axis=(1, 2)), "has a cell below 0")
        _refuse(
            matrices,
            batch,
            batch.sum(axis=(1, 2)) != matrices.n,
            f"does not add up to n = {matrices.n}",
        )
        for members_asked in (first_members, some_of_the_rest):
            if len(members_asked):
                _refuse(
                    matrices,
                    members_asked,
                    ~matrices.contains_each(members_asked),
                    "is no member by its own account",
                )
        members_seen += len(batch)
        yield batch


def _as_whole(matrices: MatrixClass, tables: list[np.ndarray]) -> np.ndarray:
    """The members as one array of whole numbers: of 64 bits where they fit, else of Python's integers."""
    for table in tables:
        if table.shape != tuple(matrices.shape):
            raise ConsistencyError(
                f"{matrices!r} iterates a member of shape {table.shape}, not {tuple(matrices.shape)}: "
                f"{matrix_text(np.atleast_2d(table))}"
            )
    batch = np.array(tables)
    if batch.dtype.kind not in "iub":  # numbers of any kind, each looked at
        is_whole = np.frompyfunc(_is_whole_cell, 1, 1)(batch.astype(object)).astype(bool)
        _refuse(matrices, batch, ~is_whole.all(axis=(1, 2)), "has a cell that is no whole number")
        batch = np.frompyfunc(int, 1, 1)(batch.astype(object))
    return batch.astype(np.int64 if matrices.n < 2**63 else object)


def _is_whole_cell(cell: Any) -> bool:
    finite = isinstance(cell, Real) and cell == cell and cell not in (inf, -inf)
    return finite and int(cell) == cell


def _refuse(matrices: MatrixClass, tables: np.ndarray, wrong: Any, fault: str) -> None:
    if wrong.any():
        raise ConsistencyError(f"{matrices!r} iterates {matrix_text(tables[wrong.argmax()])}, which {fault}")
