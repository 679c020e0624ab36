"""The class of all matrices with a given total and shape."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from typing import Any

from confmat.classes.bounded import Cells, Recursion, WithTotal, as_cells, bounds_as_option, bounds_in_words
from confmat.classes.compositions import Row, bounded_compositions, compositions_count
from confmat.classes.products import Product
from confmat.classes.ranking import Tail
from confmat.classes.sides import Side
from confmat.matrices.arguments import as_count, as_flag


@dataclass(frozen=True, repr=False)
class Tables(Product):
    """All r x s matrices of non-negative integers with total ``n`` and no empty row or column.

    These are the confusion matrices of a clustering with r and one with s clusters of n points (M_{n,r,s} in
    Chacon 2019); with ``empty=True`` rows and columns may be empty.  n >= 0 and r, s >= 1, of any size.
    A class without members, n < max(r, s), is valid: its count is 0.
    ``cells=(low, high)`` keeps every cell within bounds, each a number or an r x s matrix (``high`` may be None):
    (0, 1) for zeros and ones, (1, None) for positive cells, a high bound of 0 for a structural zero.  The class is
    then not known by its margins; it is visited member by member.

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
    cells: Cells | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self._settle(
            n=as_count("n", self.n),
            r=as_count("r", self.r, minimum=1),
            s=as_count("s", self.s, minimum=1),
            empty=as_flag("empty", self.empty),
        )
        if self.cells is not None:
            self._settle(cells=as_cells(self.cells, self.shape, self.n))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns of every member."""
        return self.r, self.s

    @property
    def _margin_sides(self) -> tuple[Side, Side]:
        minimum = 0 if self.empty else 1
        return Side(self.n, self.r, minimum=minimum), Side(self.n, self.s, minimum=minimum)

    def _bounded(self) -> Recursion:
        assert self.cells is not None
        return WithTotal(self.cells, self.n, self.empty)

    def _closed_rows(self, above: list[Row]) -> Iterator[Row]:
        left = self.n - sum(map(sum, above))
        below = self.r - len(above) - 1
        seen = [any(column) for column in zip(*above)] if above else [False] * self.s
        # A spare cell holds what is left for the rows below; in the last row it must stay empty.
        spare = left if below else 0
        # The last row fills every column that is still empty.
        least = [int(not (below or self.empty or old)) for old in seen]
        left -= sum(least)
        for *over, rest in bounded_compositions(left, (*[left] * self.s, spare)):
            cells = [x + y for x, y in zip(over, least)]
            missing = sum(not (cell or old) for cell, old in zip(cells, seen))
            # Points below can fill a row and a missing column each: enough for both suffices.
            if self.empty or (any(cells) and rest >= max(below, missing)):
                yield tuple(cells)

    def _closed_tail(self, prefix: list[int]) -> Tail:
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

    def words(self) -> str:
        lines = "empty rows and columns allowed" if self.empty else "no empty row or column"
        return f"{self.r} x {self.s} tables with total {self.n}, {lines}{bounds_in_words(self.cells)}"

    def to_json(self) -> dict[str, Any]:
        sizes = {"n": self.n, "r": self.r, "s": self.s, "empty": self.empty}
        return {"kind": "tables", **sizes, **({} if self.cells is None else {"cells": self.cells})}

    def arguments(self) -> str:
        return f"{self.n} {self.r} {self.s}{' --empty' if self.empty else ''}{bounds_as_option(self.cells)}"


@lru_cache(maxsize=1 << 16)
def _completion_terms(
    below: int, s: int, right: int, row_filled: bool, empty_left: int, empty_right: int
) -> tuple[tuple[int, int], ...]:
    """Inclusion-exclusion over lines left empty, as pairs (number of free cells, signed number of choices).

    With no cell filled it is the number of all tables (statement `count-tables`).
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
