"""Claims about the MED, RD and ARD over a whole class: their largest values, and the RD at each MED.

F = A + B - 2P is the number of pairs of objects that are together in exactly one of both clusterings.
The RD is F/C(n, 2). Formulas assume r <= s.

>>> from confmat.classes import Tables
>>> largest_is("med", lambda n, r, s: Fraction(n - 1, n))(Tables(4, 2, 2)).violation
Violation(detail='the largest MED is 1/2, not 3/4', witness={'matrix': ((2, 1), (1, 0))})
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from operator import eq, ge, le
from typing import Any

import numpy as np

from confmat.classes.orbits import nested
from confmat.conjectures.claims.hooks import hooks_with
from confmat.conjectures.distribution_shapes import LawClaim
from confmat.conjectures.outcomes import Violation
from confmat.distributions.multivariate import JointDistribution
from confmat.indices.hooks import squares
from confmat.indices.pairs import PairSums

OfSize = Callable[[int, int, int], Fraction | None]
"""Function of n, r and s, r <= s, that returns a number."""


def sorted_size(matrices: Any) -> tuple[int, int, int]:
    """Return n, and the numbers of rows and columns in increasing order.

    >>> from confmat.classes import Tables
    >>> sorted_size(Tables(6, 3, 2))
    (6, 2, 3)
    """
    r, s = sorted(matrices.shape)
    return matrices.n, r, s


def largest_is(name: str, claimed_value: OfSize) -> LawClaim:
    """Return the claim that the largest value of a statistic over a class is ``claimed_value(n, r, s)``.

    ``claimed_value`` returns None if the class has no table of the claimed form. The claim is then false.

    >>> from confmat.classes import Tables
    >>> from confmat.conjectures.claims.hooks import largest_hook_ard
    >>> largest_is("ard", largest_hook_ard)(Tables(7, 2, 2)).violation is None
    True
    >>> largest_is("ard", largest_hook_ard)(Tables(6, 2, 2)).violation.detail
    'the largest ARD is 45/37, not 6/5'
    """
    return LawClaim((name,), partial(_has_another_largest, name, claimed_value))


def _has_another_largest(name: str, claimed_value: OfSize, law: JointDistribution) -> Violation | None:
    """Return a violation if the largest value of a statistic over a class differs from ``claimed_value(n, r, s)``."""
    value = law[name].max()
    expected_value = claimed_value(*sorted_size(law.matrices))
    if value == expected_value:
        return None
    words = "that of the form (there is no such table)" if expected_value is None else expected_value
    return Violation(
        f"the largest {name.upper()} is {value}, not {words}",
        {"matrix": nested(law[name].argmax())},
    )


def _others_than_hooks(law: JointDistribution) -> str | None:
    """Return a violation if some table with the largest Rand distance is not a hook, otherwise None.

    A hook has positive cells only in one row and one column.

    >>> from confmat.classes import Tables
    >>> HOOKS_ONLY(Tables(4, 2, 2)).violation.detail, HOOKS_ONLY(Tables(9, 2, 3)).violation
    ('5 tables attain the largest F = 4, 4 of them are hooks', None)
    """
    *_, (rd, tables) = law["rd"]
    n, r, s = sorted_size(law.matrices)
    F = int(rd * comb(n, 2))
    hooks = hooks_with(F, n, r, s)
    if hooks == tables:
        return None
    return f"{tables} tables attain the largest F = {F}, {hooks} of them are hooks"


HOOKS_ONLY = LawClaim(("rd",), _others_than_hooks)
"""Claim that only hooks attain the largest RD."""


# --- RD at given MED ------------------------------------------------------------------------------


BoundOf2F = Callable[[int, int, int, int], Any]
"""Function of n, r, s and m = n MED that returns a bound of 2F, or None if there is no claim."""

# Relation -> which of the values at one MED is compared, the comparison, and the text of a violation.
_COMPARED: dict[str, tuple[Callable[..., int], Callable[[Any, Any], bool], str]] = {
    "<=": (max, le, "2F reaches {} > {}"),
    ">=": (min, ge, "2F goes down to {} < {}"),
    "=": (max, eq, "the largest 2F is {}, not {}"),
}


def rd_by_med(relation: str, bound: BoundOf2F) -> LawClaim:
    """Return a claim about the values of F at each MED.

    F is the number of pairs of objects that are together in exactly one clustering. For the relation "<=" (">=")
    the claim is that each 2F is at most (at least) ``bound(n, r, s, m)``, with m = n MED. For "=" it is that the
    largest 2F equals this bound.

    >>> from confmat.classes import Tables
    >>> rd_by_med("<=", lambda n, r, s, m: 16)(Tables(6, 2, 2)).violation.detail
    'at n MED = 3 2F reaches 18 > 16'
    """
    return LawClaim(("med", "rd"), AtEachMed(relation, bound))


@dataclass(frozen=True)
class AtEachMed:
    """Function that returns a violation of a claim of `rd_by_med`, or None."""

    relation: str
    bound: BoundOf2F

    def __call__(self, law: JointDistribution) -> str | None:
        n, r, s = sorted_size(law.matrices)
        pairs = comb(n, 2)
        disagreements: dict[int, list[int]] = {}
        for (med, rd), _ in law:
            disagreements.setdefault(int(med * n), []).append(int(rd * pairs))
        for m, values in disagreements.items():
            wrong = self.wrong_at(self.bound(n, r, s, m), values)
            if wrong:
                return f"at n MED = {m} {wrong}"
        return None

    def wrong_at(self, bound: Any, values: list[int]) -> str | None:
        """Return a description of the violation of the claim at one MED, or None.

        ``bound`` is the claimed bound of 2F, or None without a claim. ``values`` are the numbers F of pairs of
        objects together in exactly one clustering.

        >>> most, hook = AtEachMed("<=", most_2f_below_turan), AtEachMed("=", largest_2f_at_hook)
        >>> most.wrong_at(18, [7, 10]), hook.wrong_at(18, [9])
        ('2F reaches 20 > 18', None)
        """
        end, agrees, words = _COMPARED[self.relation]
        twice = 2 * end(values)
        if bound is None or agrees(twice, bound):
            return None
        return words.format(twice, bound)


def most_2f_below_turan(n: int, r: int, s: int, m: int) -> int:
    """Return the upper bound 2km + m^2 - q of 2F for r x s tables of n objects with n MED = m.

    k is n - m, and q is the least sum of squares of s - 1 integers with sum m. F is the number of pairs of objects
    together in exactly one clustering.

    >>> most_2f_below_turan(6, 2, 2, 3)
    18
    """
    within_m = m * m - squares(m, s - 1)
    return 2 * (n - m) * m + within_m


def largest_2f_at_hook(n: int, r: int, s: int, m: int) -> int | None:
    """Return 2F of the hook with first cell k = n - m, ones below it, and a balanced rest of the first row.

    A hook has positive cells in one row and one column only. F is the number of pairs of objects together in
    exactly one clustering. Return None if there is no such hook, or if its first cell is not the largest one. The
    statement `rd-given-med-upper-attained` that this is the largest 2F is verified, not proved.

    >>> largest_2f_at_hook(6, 2, 2, 3), largest_2f_at_hook(12, 2, 3, 4)
    (18, 68)
    """
    k = n - m
    rows = r - 1
    columns = s - 1
    arm = m - rows
    if arm < columns or k <= -(-arm // columns):
        return None
    within_arm = arm * arm - squares(arm, columns)
    within_leg = rows * (rows - 1)
    return 2 * k * m + within_arm + within_leg


# --- the largest ARD ------------------------------------------------------------------------------


def _independent_has_largest(law: JointDistribution) -> Violation | None:
    """Return a violation if the table with all cells equal has the largest ARD.

    >>> from confmat.classes import Tables
    >>> INDEPENDENT_IS_SMALLER(Tables(4, 2, 2)).violation.witness
    {'matrix': ((1, 1), (1, 1))}
    """
    r, s = law.matrices.shape
    table = np.full((r, s), law.matrices.n // (r * s))
    ard = PairSums.of(table).adjusted_rand_distance
    if ard < law["ard"].max():
        return None
    return Violation(
        f"the independent table has the largest ARD, {ard}",
        {"matrix": nested(table)},
    )


INDEPENDENT_IS_SMALLER = LawClaim(("ard",), _independent_has_largest)
"""Claim that the table with all cells equal does not have the largest ARD."""

# Tables with all cells equal that do have the largest ARD: all (n, r, s) with r <= s <= 5 and n <= 25.
INDEPENDENT_IS_LARGEST = frozenset(
    {(4, 2, 2), (8, 2, 2), (6, 2, 3), (8, 2, 4), (10, 2, 5), (9, 3, 3), (12, 3, 4)}
)


def best_form_of_2x2(exceptions: frozenset[tuple[int, int]]) -> LawClaim:
    """Return the claim that [[n - d, ceil(d/2)], [floor(d/2), 0]] has the largest ARD at each n MED = d >= 2.

    At the pairs (n, d) in ``exceptions`` the claim is that another table has a larger ARD.

    >>> from confmat.classes import Tables
    >>> best_form_of_2x2(frozenset())(Tables(4, 2, 2)).violation.detail
    'at d2 = 2 the largest ARD is 3/2, the form has 4/3'
    >>> best_form_of_2x2(frozenset({(4, 2)}))(Tables(4, 2, 2)).violation is None
    True
    """
    return LawClaim(("med", "ard"), partial(_beats_the_form, exceptions))


def _beats_the_form(exceptions: frozenset[tuple[int, int]], law: JointDistribution) -> str | None:
    """Return a violation of the claim of `best_form_of_2x2`, or None."""
    n = law.matrices.n
    largest_ards = {}
    for (med, ard), _ in law:  # with increasing ARD at each MED
        largest_ards[int(med * n)] = ard
    for d, largest_ard in largest_ards.items():
        form = [[n - d, d - d // 2], [d // 2, 0]]
        of_form = PairSums.of(form).adjusted_rand_distance
        if d >= 2 and (largest_ard > of_form) != ((n, d) in exceptions):
            return f"at d2 = {d} the largest ARD is {largest_ard}, the form has {of_form}"
    return None
