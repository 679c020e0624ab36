"""What members of a class are asked for: those at one misclassification error distance, or under any condition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.matchings import matched_points
from confmat.engine.walks import meets
from confmat.indices.pairs import pairs_within
from confmat.statistics.conditions import AnyCondition, Condition, as_condition
from confmat.statistics.table import check_square

_MOST_PAIRS = 10**7


@dataclass(frozen=True)
class Wanted:
    """The members that meet ``condition``; those with MED = unmatched/n where it is nothing else."""

    matrices: MatrixClass
    condition: Condition
    unmatched: int | None

    @classmethod
    def of(cls, matrices: MatrixClass, given: AnyCondition) -> Wanted:
        """Raises ValueError for a MED that is not a multiple of 1/n in [0, 1], and for what no condition is.

        >>> from confmat.classes import Tables
        >>> Wanted.of(Tables(20, 3, 3), "med=4/20").unmatched, str(Wanted.of(Tables(20, 3, 3), "ard>1"))
        (4, 'ard > 1')
        """
        condition = as_condition(given, "given")
        check_square(matrices, condition.statistics)
        value, n = condition.value_of("med", matrices), matrices.n
        if value is None:
            return cls(matrices, condition, None)
        if (value * max(n, 1)).denominator != 1 or not 0 <= value <= 1:
            raise ValueError(
                f"given must have a MED that is a multiple of 1/{n} between 0 and 1, got {condition}"
            )
        return cls(matrices, condition, int(value * n))

    def __str__(self) -> str:
        return str(self.condition) if self.unmatched is None else f"MED = {self.unmatched}/{self.matrices.n}"

    def each(self, tables: np.ndarray) -> np.ndarray:
        """Which tables (k x r x s) are asked for.

        >>> from confmat.classes import Tables
        >>> Wanted.of(Tables(4, 2, 2), "rd=0").each(np.array([[[3, 0], [0, 1]], [[2, 1], [0, 1]]]))
        array([ True, False])
        """
        if self.unmatched is not None:
            return matched_points(tables) == self.matrices.n - self.unmatched
        return meets(self.condition, self.matrices, tables)

    @property
    def pairs(self) -> set[int] | None:
        """The numbers of pairs in common cells that are asked for, where these decide: at fixed margins.

        None, too, where they may be more than 10^7: a recursion over them would not end.

        >>> from confmat.classes import FixedMargins
        >>> margins = FixedMargins([2, 2], [2, 2])
        >>> Wanted.of(margins, "rd=0").pairs, Wanted.of(margins, "med=0").pairs
        ({2}, None)
        """
        sums = [side.sums for side in self.matrices.sides or ()]
        statistics = self.condition.statistics
        if (
            None in sums
            or not sums
            or not self.condition.counted
            or any("m" in x.depends for x in statistics)
        ):
            return None
        a, b = (pairs_within(side) for side in sums if side is not None)
        if min(a, b) > _MOST_PAIRS:
            return None
        possible = np.arange(min(a, b) + 1)
        return set(possible[self.condition.mask(self.matrices, 0, a, b, possible)].tolist())


def check_distance(matrices: MatrixClass, m: int) -> None:
    """Raise ValueError when no member has MED = m/n.

    >>> from confmat.classes import Tables
    >>> check_distance(Tables(4, 2, 2), 2)
    >>> check_distance(Tables(4, 2, 2), 3)
    Traceback (most recent call last):
    ...
    ValueError: no member of Tables(n=4, r=2, s=2, empty=False) has MED = 3/4
    """
    from confmat.indices.extremes import max_med

    n, (r, s) = matrices.n, sorted(matrices.shape)
    least = 0 if matrices.may_be_empty else s - r  # a column without partner holds a point
    if not matrices.count() or not least <= m <= max_med(n, r, s, empty=matrices.may_be_empty) * n:
        raise no_member(matrices, f"MED = {m}/{n}")


def no_member(matrices: MatrixClass, wanted: object) -> ValueError:
    """The error of a class in which nothing is as asked for.

    >>> from confmat.classes import Tables
    >>> str(no_member(Tables(4, 2, 2), "MED = 3/4"))
    'no member of Tables(n=4, r=2, s=2, empty=False) has MED = 3/4'
    """
    return ValueError(f"no member of {matrices!r} has {wanted}")
