"""How much room a statement leaves: in each class the least distance between the two sides of what it claims.

>>> from confmat.classes import Tables
>>> from confmat.statistics import as_condition
>>> slacks(as_condition("ard <= 3/2"), [Tables(6, 3, 3)])
{Tables(n=6, r=3, s=3, empty=False): Fraction(1, 9)}
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from typing import Any

from confmat.classes import MatrixClass
from confmat.errors import TooLarge
from confmat.plans import Resources, Watch, budget
from confmat.search import maximize, minimize
from confmat.statistics.conditions import Condition
from confmat.statistics.grammar import Chain, write

# Seconds that the classes of one picture may take together; a search that has begun may end.
SECONDS_OF_A_PICTURE = 5.0


def slacks(condition: Condition, classes: Iterable[Any]) -> dict[MatrixClass, Fraction | float]:
    """The slack in each class of matrices that has one; of as many as are found in some seconds.

    None has one where the statement is no inequality, where its premise holds nowhere, or where no extreme is proved.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_condition
    >>> found = slacks(as_condition("rd <= 1"), [Tables(n, 2, 2) for n in (4, 5)])
    >>> [str(slack) for slack in found.values()]
    ['1/3', '2/5']
    """
    found: dict[MatrixClass, Fraction | float] = {}
    watch = Watch("the slack of a claim", Resources(seconds=SECONDS_OF_A_PICTURE), 1, 1)
    with suppress(TooLarge), budget(seconds=SECONDS_OF_A_PICTURE):
        for matrices in classes:
            watch.look()
            if isinstance(matrices, MatrixClass) and matrices:
                asked = _extreme_and_bound(condition, matrices)
            else:
                asked = None
            if asked is not None:
                search, statistic, bound = asked
                extreme = search(matrices, statistic, condition.premise)
                if extreme.proved and extreme.value is not None:
                    found[matrices] = abs(bound - extreme.value)
    return found


def _extreme_and_bound(condition: Condition, matrices: MatrixClass) -> tuple[Any, Any, Fraction] | None:
    """Which extreme of what is nearest to which bound."""
    claim = condition.conclusion.at(matrices)
    compared: Any = claim.comparison(matrices)
    if compared is not None:
        statistic, sign, bound = compared
    elif isinstance(claim.formula, Chain) and len(claim.formula.parts) == 2:
        (sign,), (left, right) = claim.formula.relations, claim.formula.parts
        statistic = f"({write(left)}) - ({write(right)})"
        bound = Fraction(0)
    else:
        return None
    if sign in ("<", "<="):
        return maximize, statistic, bound
    if sign in (">", ">="):
        return minimize, statistic, bound
    return None
