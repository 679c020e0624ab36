"""The class of all matrices with a given total and shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from confmat.classes.compositions import Row, bounded_compositions, compositions_count
from confmat.classes.orbits import MarginClass
from confmat.classes.partitions import distinct_orderings, partitions
from confmat.classes.ranking import MatrixClass, Tail
from confmat.matrices.arguments import as_count


@dataclass(frozen=True)
class Tables(MatrixClass):
    """All r x s matrices of non-negative integers with total ``n`` and no empty row or column.

    These are the confusion matrices of a clustering with r and one with s clusters of n points (M_{n,r,s} in
    Chacon 2019); with ``empty=True`` rows and columns may be empty.  n >= 0 and r, s >= 1, of any size.
    A class without members, n < max(r, s), is valid: its count is 0.

    >>> tables = Tables(20, 3, 3)
    >>> tables.count()
    2806281
    >>> tables.unrank(1_000_000)
    array([[1, 1, 3],
           [2, 3, 0],
           [1, 8, 1]])
    >>> tables.rank([[1, 1, 3], [2, 3, 0], [1, 8, 1]])
    1000000
    >>> [[1, 2], [0, 0]] in Tables(3, 2, 2), [[1, 2], [0, 0]] in Tables(3, 2, 2, empty=True)
    (False, True)
    """

    n: int
    r: int
    s: int
    empty: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_count("n", self.n))
        object.__setattr__(self, "r", as_count("r", self.r, minimum=1))
        object.__setattr__(self, "s", as_count("s", self.s, minimum=1))
        if self.empty not in (False, True):
            raise TypeError(f"empty must be True or False, got {self.empty!r}")
        object.__setattr__(self, "empty", bool(self.empty))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns of every member."""
        return self.r, self.s

    def count(self) -> int:
        """Number of members, by inclusion-exclusion over empty rows and columns: r s binomials at most.

        >>> Tables(50, 4, 4).count()
        204063621701016
        """
        return self._tail([])(0) if self else 0

    def __bool__(self) -> bool:
        """Whether the class has a member, without counting."""
        return self.empty or self.n >= max(self.r, self.s)

    def _admits(self, rows: tuple[Row, ...]) -> bool:
        full = self.empty or (all(map(any, rows)) and all(map(any, zip(*rows))))
        return full and sum(map(sum, rows)) == self.n

    def _next_rows(self, above: list[Row]) -> Iterator[Row]:
        left = self.n - sum(map(sum, above))
        below = self.r - len(above) - 1
        seen = [any(column) for column in zip(*above)] if above else [False] * self.s
        # A spare cell holds what is left for the rows below; in the last row it must stay empty.
        spare = left if below else 0
        for *cells, rest in bounded_compositions(left, (*[left] * self.s, spare)):
            missing = sum(not (cell or old) for cell, old in zip(cells, seen))
            # Points below can fill a row and a missing column each: enough for both suffices.
            if self.empty or (any(cells) and rest >= max(below, missing)):
                yield tuple(cells)

    def _tail(self, prefix: list[int]) -> Tail:
        i, j = divmod(len(prefix), self.s)
        left = self.n - sum(prefix)
        below, right = self.r - i - 1, self.s - j
        if self.empty:
            return lambda x: compositions_count(left - x, right + below * self.s)

        columns = [any(prefix[k :: self.s]) for k in range(self.s)]
        row = any(prefix[i * self.s :])
        empty_left, empty_right = columns[:j].count(False), columns[j:].count(False)

        def at_least(x: int) -> int:
            # A positive x fills its row and its column.
            terms = _completion_terms(
                below, self.s, right, row or x > 0, empty_left, empty_right - (x > 0 and not columns[j])
            )
            return sum(sign * compositions_count(left - x, cells) for cells, sign in terms)

        return at_least

    def _margin_classes(self) -> Iterator[MarginClass]:
        minimum = 0 if self.empty else 1
        for rows in partitions(self.n, self.r, minimum=minimum):
            for cols in partitions(self.n, self.s, minimum=minimum):
                if self.r == self.s and cols > rows:
                    continue
                weight = distinct_orderings(rows) * distinct_orderings(cols)
                yield MarginClass(rows, cols, 2 * weight if self.r == self.s and rows != cols else weight)

    @property
    def _labels(self) -> tuple[Row, Row]:
        return (0,) * self.r, (0,) * self.s

    @property
    def _transposable(self) -> bool:
        return self.r == self.s


@lru_cache(maxsize=1 << 16)
def _completion_terms(
    below: int, s: int, right: int, row_filled: bool, empty_left: int, empty_right: int
) -> tuple[tuple[int, int], ...]:
    """Inclusion-exclusion over lines left empty, as pairs (number of free cells, signed number of choices).

    Free are the last ``right`` cells of the current row and ``below`` full rows.  The rows below, the current
    row unless ``row_filled``, and the columns still empty (left of the current cell, or not) must be filled.
    """
    terms: Counter[int] = Counter()
    for a in range(below + 1):
        for p in range(empty_left + 1):
            for q in range(empty_right + 1):
                choices = (-1) ** (a + p + q) * comb(below, a) * comb(empty_left, p) * comb(empty_right, q)
                cells = (below - a) * (s - p - q)
                terms[cells + right - q] += choices
                if not row_filled:
                    terms[cells] -= choices
    return tuple((cells, sign) for cells, sign in terms.items() if sign)
