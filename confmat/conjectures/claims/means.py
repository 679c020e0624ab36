"""Claims about means over the tables of a class, each table equally likely."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from confmat.classes import Tables
from confmat.conjectures.checking import Finding, Violation
from confmat.laws.over_class import joint


def mean_ard_at_med(matrices: Tables) -> dict[Fraction, Fraction]:
    """The mean ARD at each value of the MED, exactly, in the order of the MED.

    >>> {str(med): str(mean) for med, mean in mean_ard_at_med(Tables(4, 2, 2)).items()}
    {'0': '0', '1/4': '1', '1/2': '41/30'}
    """
    weights: dict[Fraction, int] = {}
    sums: dict[Fraction, Fraction] = {}
    for values, weight in joint(matrices, "med", "ard").support:
        med, ard = (Fraction(value) for value in values)
        weights[med] = weights.get(med, 0) + weight
        sums[med] = sums.get(med, Fraction(0)) + weight * ard
    return {med: sums[med] / weights[med] for med in sorted(sums)}


def mean_ard_rises(matrices: Tables) -> Finding:
    """The mean ARD at given MED does not decrease as the MED grows, over the values that the MED takes.

    >>> mean_ard_rises(Tables(6, 2, 3)).violation is None
    True
    """
    law = joint(matrices, "med", "ard")
    falls = (
        Violation(f"the mean ARD falls from {high} at MED = {med} to {low} at MED = {next_med}")
        for (med, high), (next_med, low) in pairwise(mean_ard_at_med(matrices).items())
        if low < high
    )
    return Finding(law.total, law.digest, next(falls, None))
