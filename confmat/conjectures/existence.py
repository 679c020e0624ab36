"""That something exists: at least one member of every class meets a condition."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from confmat.classes.orbits import NAMED, Symmetry
from confmat.conjectures.on_signatures import finding_of
from confmat.conjectures.outcomes import Finding, Violation
from confmat.conjectures.predicates import of_predicate, usable
from confmat.engine.walks import Chunk
from confmat.statistics.conditions import Condition
from confmat.statistics.grammar import applied

SAYS = "exists "


@dataclass(frozen=True)
class Exists:
    """That some member of a class meets a condition; a class where none does is the counterexample.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_condition
    >>> [Exists(as_condition("ard > 13/10"))(Tables(n, 2, 2)).violation for n in (4, 5)]
    [None, Violation(detail='no member meets ard > 13/10', witness={})]
    """

    condition: Condition

    @property
    def stated(self) -> dict[str, str]:
        """The statement as certificates have it."""
        return {"formula": f"{SAYS}{self.condition}", "on": "laws"}

    @cached_property
    def _none(self) -> Condition:
        """That a member does not meet it."""
        return Condition(applied("not", (self.condition.formula,)), self.condition.statistics)

    @property
    def symmetry(self) -> Symmetry:
        """What leaves it unchanged in a class that has it."""
        return self.condition.symmetry

    def _usable(self, matrices: Any) -> str:
        return usable(next(name for name, of in NAMED.items() if of <= self.symmetry), matrices)

    def __call__(self, matrices: Any) -> Finding:
        by_signatures = self.condition.counted and matrices.has_margins
        return self._turned(finding_of(self._none, matrices, self._usable(matrices), by_signatures))

    def of_walk(self, matrices: Any, walk: Iterable[Chunk]) -> Finding:
        """The same from the tables of a walk."""
        return self._turned(of_predicate(self._none, matrices, walk, self._usable(matrices)))

    def _turned(self, none: Finding) -> Finding:
        missing = None if none.violation else Violation(f"no member meets {self.condition}")
        return Finding(none.covered, none.digest, missing)
