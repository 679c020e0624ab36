"""The law of one cell over the matrices with given margins, each equally likely."""

from fractions import Fraction
from typing import NamedTuple


class CellLaw(NamedTuple):
    """``counts[x]``: the matrices whose cell is x, from 0 to the smaller of its two line sums."""

    counts: tuple[int, ...]

    def at_least(self, k: int) -> Fraction:
        """P(cell >= k).

        >>> CellLaw((1, 2, 1)).at_least(1)
        Fraction(3, 4)
        """
        return Fraction(sum(self.counts[max(k, 0) :]), sum(self.counts))

    def moment(self, order: int) -> Fraction:
        """E cell^order.

        >>> CellLaw((1, 2, 1)).moment(2)
        Fraction(3, 2)
        """
        return Fraction(sum(count * x**order for x, count in enumerate(self.counts)), sum(self.counts))

    @property
    def mean(self) -> Fraction:
        """Mean."""
        return self.moment(1)

    @property
    def var(self) -> Fraction:
        """Variance."""
        return self.moment(2) - self.mean**2
