"""Hooks: tables with positive cells only in the first row and the first column, up to order.

The corner of a hook is at least 0. The cells of its arm (the rest of the first row) and of its leg (the rest of the
first column) are at least 1.
"""

from fractions import Fraction
from itertools import product

from confmat._integers.compositions import distinct_orderings, partitions
from confmat.indices.hooks import Hook, best_hook
from confmat.indices.pairs import PairSums, pairs_within


def largest_hook_rd(n: int, r: int, s: int) -> Fraction | None:
    """Return the largest RD of the r x s hooks with total n and a leg of ones.

    The result is None if there is no such hook.

    >>> largest_hook_rd(12, 3, 4)
    Fraction(15, 22)
    """
    distances = []
    for arm in range(s - 1, n - (r - 1) + 1):
        table = Hook(n, r, s, arm, leg=r - 1).matrix()
        distances.append(PairSums.of(table).rand_distance)
    return max(distances, default=None)


def hooks_with(F: int, n: int, r: int, s: int) -> int:
    """Return the number of r x s hooks with total n and F pairs of objects together in exactly one clustering.

    A hook has objects in one row and one column only, which may be any. Their common cell may be 0, and their other
    cells are at least 1.

    >>> hooks_with(4, 4, 2, 2)
    4
    """
    number = 0
    for in_arm in range(s - 1, n + 1):
        for in_leg in range(r - 1, n - in_arm + 1):
            corner = n - in_arm - in_leg
            arms = partitions(in_arm, s - 1, minimum=1)
            legs = partitions(in_leg, r - 1, minimum=1)
            for arm, leg in product(arms, legs):
                A = pairs_within([corner + in_arm, *leg])
                B = pairs_within([corner + in_leg, *arm])
                P = pairs_within([corner, *arm, *leg])
                if PairSums(n, A, B, P).disagreements == F:
                    number += r * s * distinct_orderings(arm) * distinct_orderings(leg)
    return number


def largest_hook_ard(n: int, r: int, s: int) -> Fraction | None:
    """Return the largest ARD of the r x s hooks with total n, or None if there is no such hook.

    If the sums of arm and leg are fixed, a balanced arm and leg are best (statement `ard-balanced-hooks`).

    >>> largest_hook_ard(20, 2, 2)
    Fraction(95, 84)
    """
    if n >= r + s - 2:
        return best_hook(n, r, s).ard
    return None
