"""Claims about MED, RD and ARD over a whole class: their largest values, and the RD at each MED.

``F`` is the number of pairs of points on which two clusterings disagree, RD = F/C(n, 2); r <= s throughout.

>>> from confmat.classes import Tables
>>> largest_is("med", lambda n, r, s: Fraction(n - 1, n))(Tables(4, 2, 2)).violation
Violation(detail='the largest MED is 1/2, not 3/4', witness={'matrix': ((2, 1), (1, 0))})
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import numpy as np

from confmat.classes.orbits import nested
from confmat.conjectures.claims.hooks import hooks_with
from confmat.conjectures.law_shapes import LawClaim, Points
from confmat.conjectures.outcomes import Violation
from confmat.indices.hooks import squares
from confmat.indices.pairs import PairSums
from confmat.laws.over_class import joint

OfSize = Callable[[int, int, int], Fraction | None]
"""A number for n, r and s, r <= s."""


def sorted_size(matrices: Any) -> tuple[int, int, int]:
    """n, r, s with r <= s.

    >>> from confmat.classes import Tables
    >>> sorted_size(Tables(6, 3, 2))
    (6, 2, 3)
    """
    r, s = sorted(matrices.shape)
    return matrices.n, r, s


def largest_is(name: str, claimed_value: OfSize) -> LawClaim:
    """The largest value of a statistic over a class is the claimed one; None claims that of a table that is not there.

    >>> from confmat.classes import Tables
    >>> from confmat.conjectures.claims.hooks import largest_hook_ard
    >>> largest_is("ard", largest_hook_ard)(Tables(7, 2, 2)).violation is None
    True
    >>> largest_is("ard", largest_hook_ard)(Tables(6, 2, 2)).violation.detail
    'the largest ARD is 45/37, not 6/5'
    """
    return LawClaim((name,), partial(_has_another_largest, name, claimed_value))


def _has_another_largest(name: str, claimed_value: OfSize, points: Points, matrices: Any) -> Violation | None:
    (value,), _ = points[-1]
    expected_value = claimed_value(*sorted_size(matrices))
    if value == expected_value:
        return None
    words = "that of the form (there is no such table)" if expected_value is None else expected_value
    table = joint(matrices, name)[name].argmax()
    return Violation(
        f"the largest {name.upper()} is {value}, not {words}",
        {"matrix": nested(table)},
    )


def _others_than_hooks(points: Points, matrices: Any) -> str | None:
    """How many of the tables with the largest F are hooks, if some are not.

    >>> from confmat.classes import Tables
    >>> HOOKS_ONLY(Tables(4, 2, 2)).violation.detail, HOOKS_ONLY(Tables(9, 2, 3)).violation
    ('5 tables attain the largest F = 4, 4 of them are hooks', None)
    """
    (rd,), tables = points[-1]
    n, r, s = sorted_size(matrices)
    F = int(rd * comb(n, 2))
    hooks = hooks_with(F, n, r, s)
    if hooks == tables:
        return None
    return f"{tables} tables attain the largest F = {F}, {hooks} of them are hooks"


HOOKS_ONLY = LawClaim(("rd",), _others_than_hooks)
"""That as many tables attain the largest RD as there are hooks that do."""


# --- RD at given MED ------------------------------------------------------------------------------


def rd_by_med(
    test: Callable[[int, int, int, int, list[int]], str | None], *, of_each: bool = True
) -> LawClaim:
    """A claim about the values of F at each MED: ``test(n, r, s, m, values)`` says what is wrong, or None.

    ``of_each``: it is about each of the values, not about the largest alone.

    >>> from confmat.classes import Tables
    >>> small = rd_by_med(lambda n, r, s, m, values: f"F reaches {max(values)}" if max(values) > 8 else None)
    >>> small(Tables(6, 2, 2)).violation.detail
    'at n MED = 3 F reaches 9'
    """
    return LawClaim(("med", "rd"), AtEachMed(test, of_each))


@dataclass(frozen=True)
class AtEachMed:
    """What a claim of ``rd_by_med`` finds wrong."""

    test: Callable[[int, int, int, int, list[int]], str | None]
    of_each: bool

    def __call__(self, points: Points, matrices: Any) -> str | None:
        n, r, s = sorted_size(matrices)
        pairs = comb(n, 2)
        disagreements: dict[int, list[int]] = {}
        for (med, rd), _ in points:
            disagreements.setdefault(int(med * n), []).append(int(rd * pairs))
        for m, values in disagreements.items():
            wrong = self.test(n, r, s, m, values)
            if wrong:
                return f"at n MED = {m} {wrong}"
        return None

    def allowed(self, matrices: Any, m: int) -> tuple[int, int]:
        """The least and the largest F that it allows at n MED = m, of all from 0 to C(n, 2).

        >>> from confmat.classes import Tables
        >>> AtEachMed(most_2f_below_turan, of_each=True).allowed(Tables(6, 2, 2), 3)
        (0, 9)
        """
        size = sorted_size(matrices)
        pairs = comb(matrices.n, 2)
        passing = [F for F in range(pairs + 1) if self.test(*size, m, [F]) is None]
        if not passing:
            return 0, pairs
        return (passing[0] if self.of_each else 0), passing[-1]


def most_2f_below_turan(n: int, r: int, s: int, m: int, values: list[int]) -> str | None:
    """2F <= 2km + m^2 - (least sum of s - 1 squares with sum m), k = n - m.

    >>> most_2f_below_turan(6, 2, 2, 3, [7, 9]), most_2f_below_turan(6, 2, 2, 3, [10])
    (None, '2F reaches 20 > 18')
    """
    bound = 2 * (n - m) * m + m * m - squares(m, s - 1)
    if 2 * max(values) > bound:
        return f"2F reaches {2 * max(values)} > {bound}"
    return None


def largest_2f_at_hook(n: int, r: int, s: int, m: int, values: list[int]) -> str | None:
    """For long arms the largest 2F is that of a hook with corner k and a leg of ones.

    Verified, not proved: statement `rd-given-med-upper-attained`.

    >>> largest_2f_at_hook(6, 2, 2, 3, [7, 9]), largest_2f_at_hook(12, 2, 3, 4, [7, 9])
    (None, 'the largest 2F is 18, not 68')
    """
    k = n - m
    rows = r - 1
    columns = s - 1
    arm = m - rows
    if arm < columns:
        return None
    largest_of_arm = -(-arm // columns)
    if k <= largest_of_arm:
        return None
    largest_2f = 2 * max(values)
    within_arm = arm * arm - squares(arm, columns)
    within_leg = rows * (rows - 1)
    of_hook = 2 * k * m + within_arm + within_leg
    if largest_2f == of_hook:
        return None
    return f"the largest 2F is {largest_2f}, not {of_hook}"


def least_2f_above(
    numerator: Callable[[int, int], Fraction],
) -> Callable[[int, int, int, int, list[int]], str | None]:
    """2F is at least a constant of the shape times m^2.

    >>> test = least_2f_above(lambda r, s: Fraction(2))
    >>> test(6, 2, 2, 2, [4, 8]), test(6, 2, 2, 2, [3, 8])
    (None, '2F goes down to 6 < 8')
    """

    def test(n: int, r: int, s: int, m: int, values: list[int]) -> str | None:
        bound = numerator(r, s) * m * m
        if 2 * min(values) < bound:
            return f"2F goes down to {2 * min(values)} < {bound}"
        return None

    return test


# --- the largest ARD ------------------------------------------------------------------------------


def _independent_has_largest(points: Points, matrices: Any) -> Violation | None:
    """The table with all cells equal, where it has the largest ARD.

    >>> from confmat.classes import Tables
    >>> INDEPENDENT_IS_SMALLER(Tables(4, 2, 2)).violation.witness
    {'matrix': ((1, 1), (1, 1))}
    """
    r, s = matrices.shape
    table = np.full((r, s), matrices.n // (r * s))
    ard = PairSums.of(table).adjusted_rand_distance
    (largest_ard,), _ = points[-1]
    if ard < largest_ard:
        return None
    return Violation(
        f"the independent table has the largest ARD, {ard}",
        {"matrix": nested(table)},
    )


INDEPENDENT_IS_SMALLER = LawClaim(("ard",), _independent_has_largest)
"""That the table with all cells equal does not have the largest ARD."""

# Tables with all cells equal that do have the largest ARD: all (n, r, s) with r <= s <= 5 and n <= 25.
INDEPENDENT_IS_LARGEST = frozenset(
    {(4, 2, 2), (8, 2, 2), (6, 2, 3), (8, 2, 4), (10, 2, 5), (9, 3, 3), (12, 3, 4)}
)


def best_form_of_2x2(exceptions: frozenset[tuple[int, int]]) -> LawClaim:
    """At every d >= 2 [[n - d, ceil(d/2)], [floor(d/2), 0]] is best, except at the given (n, d), where it is not.

    >>> from confmat.classes import Tables
    >>> best_form_of_2x2(frozenset())(Tables(4, 2, 2)).violation.detail
    'at d2 = 2 the largest ARD is 3/2, the form has 4/3'
    >>> best_form_of_2x2(frozenset({(4, 2)}))(Tables(4, 2, 2)).violation is None
    True
    """
    return LawClaim(("med", "ard"), partial(_beats_the_form, exceptions))


def _beats_the_form(exceptions: frozenset[tuple[int, int]], points: Points, matrices: Any) -> str | None:
    n = matrices.n
    largest_ards = {}
    for (med, ard), _ in points:  # with increasing ARD at each MED
        largest_ards[int(med * n)] = ard
    for d, largest_ard in largest_ards.items():
        form = [[n - d, d - d // 2], [d // 2, 0]]
        of_form = PairSums.of(form).adjusted_rand_distance
        if d >= 2 and (largest_ard > of_form) != ((n, d) in exceptions):
            return f"at d2 = {d} the largest ARD is {largest_ard}, the form has {of_form}"
    return None
