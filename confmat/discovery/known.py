"""What follows from what is known: linear inequalities between statistics at one n, decided by linear programming.

That a proposal does not follow is a reason to show it, nothing more; the programs are solved in doubles.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.conjectures.claims.distances import largest_2f_at_hook
from confmat.conjectures.law_shapes import LawClaim
from confmat.conjectures.literature import LITERATURE
from confmat.conjectures.registry import STATEMENTS
from confmat.statistics.conditions import Condition
from confmat.statistics.grammar import Apply, Chain, Formula, fold
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS

# A linear form: coefficients by statistic, the constant under "".
Form = dict[str, Fraction]

# A difference of doubles that is none.
TOLERANCE = 1e-7


class _NotLinear(ValueError):
    """A product of statistics, say."""


def forms_of(condition: Condition, matrices: MatrixClass) -> list[Form]:
    """Linear forms that a condition says are at most 0 over a class; none for what is not linear.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_condition
    >>> forms_of(as_condition("rd <= 2*(n - 2)/(n - 1) * med"), Tables(5, 3, 3))
    [{'rd': Fraction(1, 1), 'med': Fraction(-3, 2)}]
    """
    try:
        return list(_forms(condition.at(matrices).formula))
    except _NotLinear:
        return []


def _forms(formula: Formula) -> Iterator[Form]:
    if isinstance(formula, Apply) and formula.operator == "and":
        for part in formula.parts:
            yield from _forms(part)
    if not isinstance(formula, Chain):
        return
    parts = [fold(part, _atom, _combined) for part in formula.parts]
    sides = [_form(x) for x in parts]
    for sign, left, right in zip(formula.relations, sides, sides[1:]):
        if sign[0] in "<=":
            yield _sum(left, right, -1)
        if sign[0] in ">=":
            yield _sum(right, left, -1)


def _atom(statistic: Statistic) -> Form:
    """A statistic by the one that it is the complement of; classes' own factors are not followed."""
    if statistic.factor is not None or not statistic.complement:
        return {statistic.name: Fraction(1)}
    return {statistic.base.name: Fraction(-1), "": Fraction(1)}


def _sum(x: Form, y: Form, factor: Any = 1) -> Form:
    found = {name: x.get(name, Fraction(0)) + factor * y.get(name, Fraction(0)) for name in {**x, **y}}
    return {name: c for name, c in found.items() if c}


def _combined(sign: str, parts: tuple[Any, ...]) -> Form:
    """An operator applied to forms and constants, at least one form among them."""
    numbers = [x for x in parts if isinstance(x, Fraction)]
    if sign == "/" and isinstance(parts[1], Fraction) and parts[1]:
        return _sum({}, parts[0], 1 / parts[1])
    if sign == "*" and numbers:
        return _sum({}, next(x for x in parts if isinstance(x, dict)), numbers[0])
    if sign not in ("neg", "+", "-"):
        raise _NotLinear(sign)
    left, right = ({}, *map(_form, parts))[-2:]
    return _sum(left, right, 1 if sign == "+" else -1)


def _form(x: Any) -> Form:
    return x if isinstance(x, dict) else {"": x}


@dataclass(frozen=True)
class Knowledge:
    """Statements that are taken as known, by their names in the registry; and inequalities added to them."""

    names: frozenset[str] = frozenset(STATEMENTS)

    def at(self, matrices: MatrixClass) -> tuple[Form, ...]:
        """All that is known of the statistics of members of a class, as forms that are at most 0.

        >>> from confmat.classes import Tables
        >>> round(most({"rd": Fraction(1), "med": Fraction(-2)}, Knowledge().at(Tables(5, 3, 3))), 9)
        0.0
        """
        return _known(self, matrices)

    def holds(self, name: str, matrices: MatrixClass) -> bool:
        """Whether a statement is taken as known, is not refuted, and speaks of a class.

        >>> from confmat.classes import Tables
        >>> [Knowledge(names).holds("med-max", Tables(9, 2, 2)) for names in (frozenset(STATEMENTS), frozenset())]
        [True, False]
        """
        known = name in self.names and STATEMENTS[name].status != "refuted"
        return known and (name not in LITERATURE or bool(LITERATURE[name].applies(matrices)))

    def law(self, claim: LawClaim) -> str | None:
        """The name of the statement that makes (or refutes) the same claim about laws; None where none does.

        >>> from confmat.conjectures import rises
        >>> Knowledge().law(rises("rd", given="med")), Knowledge().law(rises("rd", along="n"))
        ('mean-rd-given-med', None)
        """
        for name in self.names & set(LITERATURE):
            test: Any = LITERATURE[name].predicate
            if isinstance(test, LawClaim) and _said(test) == _said(claim):
                return name
        return None

    def largest_rd(self, n: int, r: int, s: int, m: int, value: Fraction) -> bool:
        """Whether the registry's `rd-given-med-upper-attained` gives this largest RD at n MED = m.

        >>> Knowledge().largest_rd(12, 3, 3, 4, Fraction(17, 33)), Knowledge().largest_rd(12, 3, 3, 4, Fraction(1, 2))
        (True, False)
        """
        twice = value * n * (n - 1)
        told = largest_2f_at_hook(n, min(r, s), max(r, s), m, [int(twice) // 2])
        other = largest_2f_at_hook(n, min(r, s), max(r, s), m, [int(twice) // 2 + 1])
        return "rd-given-med-upper-attained" in self.names and told is None and other is not None


def _said(claim: LawClaim) -> Any:
    wrong: Any = claim.wrong
    return claim.statistics, getattr(wrong, "func", wrong), getattr(wrong, "args", ())


@lru_cache(None)
def _known(knowledge: Knowledge, matrices: MatrixClass) -> tuple[Form, ...]:
    found: list[Form] = []
    for x in STATISTICS.values():
        alone: Form = {x.name: Fraction(1)}
        if x.bounds[1] is not None:
            found.append(alone | {"": -Fraction(x.bounds[1])})
        if x.largest is not None and knowledge.holds(x.largest.name, matrices):
            found.append(alone | {"": -Fraction(x(x.largest.matrix(matrices.n, *matrices.shape)))})
    for name in knowledge.names & set(LITERATURE):
        test = LITERATURE[name].predicate
        if isinstance(test, Condition) and LITERATURE[name].on in ("tables", "signatures"):
            found += forms_of(test, matrices) if knowledge.holds(name, matrices) else []
    return tuple(found)


def most(form: Form, known: Iterable[Form]) -> float:
    """The largest value of a linear form under inequalities; inf where they do not bound it.

    Statistics are not negative, but those that ``known`` bounds from below by less.

    >>> most({"rd": Fraction(1), "med": Fraction(-3)}, [{"rd": Fraction(1), "med": Fraction(-2)}])
    0.0
    """
    from scipy.optimize import linprog

    rows = list(known)
    names = sorted({name for row in (form, *rows) for name in row} - {""})
    matrix = np.array([[float(row.get(name, 0)) for name in names] for row in rows]).reshape(-1, len(names))
    limits = [-float(row.get("", 0)) for row in rows]
    bounds = [(None if _may_be_negative(name) else 0, None) for name in names]
    answer = linprog(
        [-float(form.get(name, 0)) for name in names], matrix, limits, bounds=bounds, method="highs"
    )
    return float("inf") if answer.fun is None else float(form.get("", 0)) - answer.fun


def _may_be_negative(name: str) -> bool:
    return name not in STATISTICS or STATISTICS[name].bounds[0] is None
