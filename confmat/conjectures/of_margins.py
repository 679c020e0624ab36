"""Statements about margins alone: a condition on what they tell, or a function of row sums and column sums."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numpy as np

from confmat.classes.margin_pairs import MarginPairs
from confmat.classes.orbits import as_symmetry
from confmat.conjectures.outcomes import Finding, Violation, explained
from confmat.conjectures.predicates import usable
from confmat.engine.reference import largest_table
from confmat.errors import SymmetryError
from confmat.statistics.conditions import Condition, as_condition

Lines = tuple[int, ...]

TOLD = ("entropy_a", "entropy_b")
"""The statistics of the table that margins alone tell."""


def condition_of_margins(text: str, argument: str = "statement") -> Condition:
    """The condition of a text such as "entropy_a <= entropy_b -> r <= s", on what margins tell.

    >>> condition_of_margins("entropy_a + entropy_b < n").names
    ('entropy_a', 'entropy_b')
    """
    condition = as_condition(text, argument)
    for name in condition.names:
        if name not in TOLD:
            raise ValueError(
                f"{argument} must compare n, r, s, {' and '.join(TOLD)} where it is on margins, got {name} in "
                f"{text!r}; all else that margins tell needs a predicate, a function of row sums and column sums"
            )
    return condition


def _of_sums(condition: Condition) -> Callable[[Lines, Lines], Any]:
    """The condition as a function of margins: asked of one of their tables."""

    def holds(rows: Lines, cols: Lines) -> Any:
        table = largest_table(np.array(rows, np.int64), np.array(cols, np.int64))
        values = ", ".join(f"{x.name} = {x(table)}" for x in condition.statistics)
        return condition(table) or (False, values)

    return holds


def finding_of_margins(
    test: Condition | Callable[[Lines, Lines], Any], matrices: MarginPairs, symmetry: str
) -> Finding:
    """What a condition, or a function of row sums and column sums, answers on all margins of a class.

    The symmetry is tried wherever it is used: on the same sums the other way round, and with rows and columns
    exchanged; SymmetryError where the answer is another one.

    >>> finding_of_margins(lambda rows, cols: max(rows) < 4, MarginPairs(5, 2, 2), "none").violation.witness
    {'rows': (1, 4), 'cols': (1, 4)}
    """
    asked, premise = test.judged(_of_sums) if isinstance(test, Condition) else (test, None)
    usual, lines, failing, covered = usable(symmetry, matrices), [], [], 0
    cases = 0
    for rows, cols, weight in matrices.pairs(usual):
        holds, reason = explained(asked(rows, cols), f"{rows}, {cols}")
        for image in _images(rows, cols, usual):
            if explained(asked(*image), str(image))[0] != holds:
                raise SymmetryError(
                    f"symmetry {usual!r} is declared of the predicate, which is {holds} at {rows}, {cols} and "
                    f"{not holds} at {image[0]}, {image[1]}"
                )
        covered += weight
        cases += weight * (premise is not None and explained(premise(rows, cols), "")[0])
        lines.append(f"{rows} {cols} {weight} {int(holds)}\n")
        if not holds:
            failing.append((*min([(rows, cols), *_images(rows, cols, usual)]), reason))
    seal = sha256("".join(lines).encode()).hexdigest()
    said = None if premise is None else cases
    if not failing:
        return Finding(covered, seal, cases=said)
    first, second, reason = min(failing)
    violation = Violation(reason or "the predicate is False here", {"rows": first, "cols": second})
    return Finding(covered, seal, violation, said)


def _images(rows: Lines, cols: Lines, symmetry: str) -> list[tuple[Lines, Lines]]:
    """Other orders of a pair of sorted margins, the increasing ones first."""
    generators = as_symmetry(symmetry)
    if "rows" not in generators:
        return []
    turned = rows[::-1], cols[::-1]
    return [turned, *([turned[::-1]] if "transposition" in generators and len(rows) == len(cols) else [])]
