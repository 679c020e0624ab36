"""Classes with an order: iteration, rank and unrank, without visiting what comes before.

The order is row-major lexicographic: matrices are compared cell by cell, along the first row, then the next.
Rank and unrank rest on one idea.  Raising a cell by x is a bijection from the completions of a prefix with
that many fewer points to those whose next cell is at least x, so these *tails* have the same closed form as
the class itself, and the position of a matrix is a sum of differences of tails, one per cell.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from math import factorial, prod
from typing import Any

import numpy as np

from confmat.classes.costs import seconds_to_unrank
from confmat.classes.free_sides import Tail
from confmat.classes.matrix_class import MatrixClass
from confmat.classes.orbits import as_rows, decreasing_row, first_earlier_equal, largest_arrangement
from confmat.integers.compositions import Composition
from confmat.plans import admit


class Ranked(MatrixClass):
    """A class in row-major lexicographic order that says which rows may follow, and how many completions there are."""

    @abstractmethod
    def _admits(self, rows: tuple[Composition, ...]) -> bool:
        """Whether non-negative integer ``rows`` of the right shape form a member."""

    @abstractmethod
    def _next_rows(self, rows_above: list[Composition]) -> Iterator[Composition]:
        """Rows that may follow ``rows_above`` in a member, in lexicographic order."""

    @abstractmethod
    def _tail(self, prefix: list[int]) -> Tail:
        """x -> number of members that start with the cells ``prefix`` and have x or more in the next cell.

        Some member starts with ``prefix``.
        """

    @property
    @abstractmethod
    def _labels(self) -> tuple[Composition, Composition]:
        """Labels of the row and of the column positions: lines with equal labels may be exchanged."""

    @property
    @abstractmethod
    def _transposable(self) -> bool:
        """Whether transposition (followed by permutations) keeps the class."""

    def __len__(self) -> int:
        """The count, where Python can hold it; beyond 2**63 - 1 OverflowError, and ``count()`` answers."""
        count = self.count()
        if count >= 2**63:
            raise OverflowError(f"{self!r} has {count} members, more than len() can say; use count()")
        return count

    def __contains__(self, matrix: object) -> bool:
        """Whether ``matrix`` (any array-like) is a member; False for a wrong shape or a negative entry."""
        rows = as_rows(matrix)
        return rows is not None and (len(rows), len(rows[0])) == self.shape and self._admits(rows)

    def __iter__(self) -> Iterator[np.ndarray]:
        """Yield every member in row-major lexicographic order: int64 arrays, of objects from n = 2**63."""
        for rows in self._walk(lambda rows: True):
            yield self._array(rows)

    def rank(self, matrix: Any) -> int:
        """Position of ``matrix`` in the iteration order, from 0, without iterating.

        Raises ValueError when ``matrix`` is not a member.

        >>> from confmat.classes import Tables
        >>> Tables(3, 2, 2).rank([[1, 0], [1, 1]])
        4
        """
        if matrix not in self:
            raise ValueError(f"matrix must be a member of {self!r}, got {matrix!r}")
        position = 0
        prefix: list[int] = []
        for cell in (cell for row in as_rows(matrix) or () for cell in row):
            tail = self._tail(prefix)
            position += tail(0) - tail(cell)
            prefix.append(cell)
        return position

    def unrank(self, index: int) -> np.ndarray:
        """The member at position ``index`` of the iteration order, without iterating.

        Raises ValueError when ``index`` is negative, IndexError when it is ``count()`` or more, TooLarge where
        finding it takes hours (four of them, or four times what a ``budget`` says).

        >>> from confmat.classes import Tables
        >>> Tables(3, 2, 2).unrank(3)
        array([[1, 0],
               [0, 2]])
        """
        admit(f"a member of {self!r} by its position", seconds_to_unrank(self))
        position = self._position(index)
        r, s = self.shape
        prefix: list[int] = []
        points_left = self.n
        for _ in range(r * s):
            tail = self._tail(prefix)
            total = tail(0)
            # The largest value of the cell such that at most `position` completions have a smaller one.
            cell, too_large = 0, points_left + 1
            while too_large - cell > 1:
                middle = (cell + too_large) // 2
                if total - tail(middle) <= position:
                    cell = middle
                    too_large = too_large
                else:
                    cell = cell
                    too_large = middle
            position -= total - tail(cell)
            points_left -= cell
            prefix.append(cell)
        return self._array([tuple(prefix[i * s : (i + 1) * s]) for i in range(r)])

    def orbits(self) -> Iterator[tuple[np.ndarray, int]]:
        """Yield one representative of every orbit, and the number of members in the orbit.

        The group is made of the symmetries that keep the class: permutations of rows and columns, and
        transposition when r = s.  Where margins are fixed only lines with equal margins are exchanged, and
        transposition counts when the row and column margins agree up to order.
        The representative is the lexicographically largest member of its orbit; representatives come in
        increasing order, and their multiplicities sum to ``count()``.
        Only matrices whose interchangeable rows and columns decrease are visited.

        >>> from confmat.classes import Tables
        >>> [(matrix.tolist(), size) for matrix, size in Tables(3, 2, 2).orbits()]
        [([[1, 1], [1, 0]], 4), ([[2, 0], [0, 1]], 4)]
        """
        row_labels, col_labels = self._labels
        above_of = first_earlier_equal(row_labels)
        left_of = first_earlier_equal(col_labels)
        group = _arrangements(row_labels) * _arrangements(col_labels)

        def decreasing(rows: list[Composition]) -> bool:
            row_before = above_of[len(rows) - 1]
            if row_before is not None and rows[row_before] < rows[-1]:
                return False
            if row_labels[len(rows) - 1] == row_labels[0] and decreasing_row(rows[-1], col_labels) > rows[0]:
                return False  # that row would stand first
            columns = list(zip(*rows))
            return all(
                column_before is None or columns[column_before] >= columns[j]
                for j, column_before in enumerate(left_of)
            )

        for rows in self._walk(decreasing):
            matrix = tuple(rows)
            best, symmetries = largest_arrangement(matrix, row_labels, col_labels, row_labels, col_labels)
            if best > matrix:
                continue
            multiplicity = group // symmetries
            if self._transposable:
                # Line k of the transpose carries its own margin's label, the positions those of the class.
                of_transpose, _ = largest_arrangement(
                    tuple(zip(*matrix)), col_labels, row_labels, row_labels, col_labels
                )
                if of_transpose > matrix:
                    continue
                multiplicity *= 1 if of_transpose == matrix else 2
            yield self._array(rows), multiplicity

    def _walk(self, keep: Callable[[list[Composition]], bool]) -> Iterator[list[Composition]]:
        """Depth-first walk over the members, row by row, in order; ``keep`` prunes partial matrices."""
        r, _ = self.shape
        if not self:
            return
        rows: list[Composition] = []
        choices = [self._next_rows([])]
        while choices:
            del rows[len(choices) - 1 :]
            row = next(choices[-1], None)
            if row is None:
                choices.pop()
                continue
            rows.append(row)
            if not keep(rows):
                continue
            if len(rows) == r:
                yield rows
            else:
                choices.append(self._next_rows(list(rows)))

    def _array(self, rows: list[Composition]) -> np.ndarray:
        dtype = np.int64 if self.n < 2**63 else object
        return np.array(rows, dtype=dtype).reshape(self.shape)


def _arrangements(labels: Composition) -> int:
    """Number of permutations of positions that keep every label in its place."""
    return prod(factorial(labels.count(label)) for label in set(labels))
