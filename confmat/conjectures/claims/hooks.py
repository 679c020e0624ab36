"""Hooks: what claims say of the largest RD and ARD, and how many hooks have a value."""

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from confmat.classes.compositions import distinct_orderings, partitions
from confmat.indices.hooks import balanced
from confmat.indices.pairs import pairs_within


def largest_hook(n: int, r: int, s: int) -> int | None:
    """Largest F of the tables (7): first row (x_1, 1 + x_2, ..., 1 + x_s), ones below the corner; None if none.

    >>> largest_hook(12, 3, 4)
    45
    """
    e = n - (r + s - 2)
    if e < 0:
        return None

    def disagreements(x: int) -> int:
        row = [x, *(1 + part for part in (balanced(e - x, s - 1) if s > 1 else []))]
        rows, cols = [sum(row), *[1] * (r - 1)], [x + r - 1, *row[1:]]
        return pairs_within(rows) + pairs_within(cols) - 2 * pairs_within(row)

    return max(map(disagreements, range(e + 1) if s > 1 else [e]))


def hooks_with(F: int, n: int, r: int, s: int) -> int:
    """How many r x s tables with total n are hooks with F disagreeing pairs: a corner >= 0, the rest >= 1, zeros.

    >>> hooks_with(4, 4, 2, 2)
    4
    """
    found = 0
    for corner in range(n - (r + s - 2) + 1):
        for arm_total in range(s - 1, n - corner - (r - 1) + 1):
            for arm in partitions(arm_total, s - 1, minimum=1):
                for leg in partitions(n - corner - arm_total, r - 1, minimum=1):
                    rows, cols = [corner + arm_total, *leg], [n - arm_total, *arm]
                    if pairs_within(rows) + pairs_within(cols) - 2 * pairs_within([corner, *arm, *leg]) == F:
                        found += r * s * distinct_orderings(arm) * distinct_orderings(leg)
    return found


def largest_hook_ard(n: int, r: int, s: int) -> Fraction | None:
    """Largest ARD of hooks: a corner >= 0, the rest of the first row and of the first column >= 1, zeros.

    At given corner, arm and leg totals a balanced arm and leg are best (statement `ard-balanced-hooks`).

    >>> largest_hook_ard(20, 2, 2)
    Fraction(95, 84)
    """
    if n < r + s - 2:
        return None
    arm = np.arange(s - 1, n - (r - 1) + 1)[:, None]
    leg = np.arange(r - 1, n - (s - 1) + 1)[None, :]
    corner = np.maximum(n - arm - leg, 0)

    def pairs(x: Any) -> Any:
        return x * (x - 1) // 2

    def balanced(total: Any, parts: int) -> Any:
        q, k = np.divmod(total, parts)
        return parts * pairs(q) + k * q

    M = comb(n, 2)
    in_arm, in_leg = balanced(arm, s - 1), balanced(leg, r - 1)
    A, B = pairs(corner + arm) + in_leg, pairs(corner + leg) + in_arm
    F, D = A + B - 2 * (pairs(corner) + in_arm + in_leg), A * (M - B) + B * (M - A)
    # Doubles find the candidates, fractions decide.
    ratio = np.where((arm + leg <= n) & (D > 0), F / np.maximum(D, 1), 0.0)
    candidates = np.argwhere((arm + leg <= n) & (ratio >= ratio.max() * (1 - 1e-12)))
    return max(Fraction(M * int(F[i, j]), int(D[i, j]) or 1) for i, j in candidates)
