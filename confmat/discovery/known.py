"""What follows from what is known: linear inequalities between statistics at one n, decided by linear programming.

That a proposal does not follow is a reason to show it, nothing more; the programs are solved in doubles.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb, inf
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.conjectures.claims.distances import by_med
from confmat.conjectures.law_shapes import LawClaim
from confmat.conjectures.literature import LITERATURE
from confmat.conjectures.registry import STATEMENTS
from confmat.engine.pieces import work_of
from confmat.laws.sources import Pass, Source
from confmat.plans import Resources
from confmat.statistics.conditions import Condition
from confmat.statistics.grammar import Apply, Chain, Formula, fold
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS

# A linear form: coefficients by statistic, the constant under "".
Form = dict[str, Fraction]

# Premises are looked at in classes of so many signatures.
_MOST_LOOKED_AT = 10**6

_INFEASIBLE = 2  # what SciPy says of inequalities that nothing meets

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
    here = condition.at(matrices)
    formula = here.formula
    if isinstance(formula, Apply) and formula.operator == "->":
        premise, formula = formula.parts
        if not _is_always_met(replace(here, formula=premise), matrices):
            return []
    try:
        return list(_forms(formula))
    except _NotLinear:
        return []


@lru_cache(256)
def _signatures(matrices: MatrixClass) -> Any:
    blocks = list(Source(Pass(matrices, "tables", Resources())).blocks())
    return np.concatenate([cells for cells, _ in blocks]) if blocks else np.zeros((0, 4), np.int64)


def _is_always_met(condition: Condition, matrices: MatrixClass) -> bool:
    """Whether all members of a class meet a condition with formulas: looked at one by one, up to signatures."""
    if not all(statistic.counted for statistic in condition.statistics):
        return False
    if work_of(matrices).signatures > _MOST_LOOKED_AT:
        return False
    return bool(condition.mask(matrices, *_signatures(matrices).T).all())


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

    def at_med(self, matrices: MatrixClass, m: int) -> tuple[Form, ...]:
        """All that is known of the members with n MED = m: what is not linear in the MED is linear here.

        >>> from confmat.classes import Tables
        >>> known = Knowledge().at_med(Tables(6, 2, 2), 2)  # where the MED fixes the RD, by `two-by-two`
        >>> round(most({"rd": Fraction(1)}, known), 9), round(8 / 15, 9)
        (0.533333333, 0.533333333)
        """
        return (*self.at(matrices), *_known_at(self, matrices, Fraction(m, matrices.n)))

    def at_each_med(self, matrices: MatrixClass) -> Iterator[tuple[Form, ...]]:
        """The same for every MED from 0 to 1; those beyond the largest that is known contradict it.

        >>> from confmat.classes import Tables
        >>> [most({"rd": Fraction(1)}, at) > 0 for at in Knowledge().at_each_med(Tables(4, 2, 2))]
        [False, True, True, False, False]
        """
        return (self.at_med(matrices, m) for m in range(matrices.n + 1))

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


# Identities between MED and RD at one n, of statements that are no predicate: name, shape, RD from n and the MED.
_OF_THE_MED = {"two-by-two": ((2, 2), lambda n, med: 2 * med * (1 - med) * n / (n - 1))}


@lru_cache(None)
def _known_at(knowledge: Knowledge, matrices: MatrixClass, med: Fraction) -> tuple[Form, ...]:
    """What is known beside ``_known`` where the MED has a value."""
    found: list[Form] = [{"med": Fraction(1), "": -med}, {"med": Fraction(-1), "": med}]
    for name, (shape, rd) in _OF_THE_MED.items():
        if name in knowledge.names and matrices.shape == shape and matrices.n > 1:
            value = rd(matrices.n, med)
            found += [{"rd": Fraction(1), "": -value}, {"rd": Fraction(-1), "": value}]
    m = int(med * matrices.n)
    for name in knowledge.names & set(LITERATURE):
        test: Any = getattr(LITERATURE[name].predicate, "test", None)
        if isinstance(test, by_med) and knowledge.holds(name, matrices):
            pairs = max(1, comb(matrices.n, 2))
            least, largest = (Fraction(F, pairs) for F in test.allowed(matrices, m))
            found += [{"rd": Fraction(1), "": -largest}, {"rd": Fraction(-1), "": least}]
    return tuple(found)


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
    """The largest value of a linear form under inequalities; inf where they do not bound it, -inf where they clash.

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
    if answer.status == _INFEASIBLE:
        return -inf
    return inf if answer.fun is None else float(form.get("", 0)) - answer.fun


def _may_be_negative(name: str) -> bool:
    return name not in STATISTICS or STATISTICS[name].bounds[0] is None
