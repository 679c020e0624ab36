"""The margins of tables, without the tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

from confmat.classes.matrix_class import Margins
from confmat.classes.of_sizes import OfSizes
from confmat.classes.orbits import Symmetry
from confmat.classes.tables import Tables


@dataclass(frozen=True)
class MarginPairs(OfSizes):
    """All pairs of row sums and column sums of r x s tables of n points without empty lines, in every order.

    >>> MarginPairs(6, 2, 3).count(), len(list(MarginPairs(6, 2, 3).pairs("none")))
    (50, 50)
    """

    n: int
    r: int
    s: int

    KIND = "margins"

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        return self.r, self.s

    @property
    def symmetry(self) -> Symmetry:
        """What maps the margins to margins of the same kind: that of the tables."""
        return Tables(self.n, self.r, self.s).symmetry

    def count(self) -> int:
        """How many pairs there are: a composition of n into r parts and one into s.

        >>> MarginPairs(4, 2, 2).count()
        9
        """
        return comb(self.n - 1, self.r - 1) * comb(self.n - 1, self.s - 1)

    def pairs(self, symmetry: str = "none") -> Iterator[Margins]:
        """Pairs that stand for all under a symmetry of tables, and for how many each.

        >>> [tuple(pair) for pair in MarginPairs(4, 2, 2).pairs("permutations")][:2]
        [((3, 1), (3, 1), 4), ((3, 1), (2, 2), 2)]
        """
        return Tables(self.n, self.r, self.s).margins(symmetry)
