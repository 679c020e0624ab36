"""Sharp bounds with closed forms: in n, and in n and the MED.

largest RD/MED of 3 x 3 tables      n = 4: 4/3   5: 3/2   6: 8/5   ...      rd <= 2*(n - 2)/(n - 1) * med
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np

from confmat.classes import Tables
from confmat.conjectures.stated import Conjecture
from confmat.discovery.facts import Expression, Facts, expressions
from confmat.discovery.families import families
from confmat.discovery.formulas import ClosedForm, fitted, surface, text_of_form
from confmat.discovery.known import TOLERANCE, Knowledge, SumsOfClass, largest
from confmat.discovery.proposals import ConjectureAndRange, Proposal, Range, Shape, Shown, shapes_of

_MOST_FAMILIES = 3

# Forms are looked for in the values of so many classes or more.
_LEAST_VALUES = 6


def sharp_bounds(
    facts_of_classes: Shown, statistics: tuple[str, ...], knowledge: Knowledge, tally: Counter[str]
) -> Iterator[Proposal]:
    """Sharp bounds that follow neither from what is known nor from those before them, the simplest first."""
    record = _Record(knowledge)
    for bounds in _bounds(facts_of_classes, statistics, tally):
        new_bounds = []
        for bound in bounds:
            refuted_name = knowledge.refuted(bound.expression, bound.later)
            if refuted_name is not None:
                tally[
                    f"closed forms that are on record as {refuted_name}, which is false in other classes"
                ] += 1
            elif record.leaves_open(bound):
                new_bounds.append(bound)
            else:
                tally["closed forms that follow from what is on record or from simpler ones"] += 1
        tally["closed forms"] += len(bounds)
        if new_bounds:
            yield _proposed(new_bounds, facts_of_classes, record)
        record.accepted += new_bounds


def _bounds(
    facts_of_classes: Shown, statistics: tuple[str, ...], tally: Counter[str]
) -> list[list["_Bound"]]:
    """The closed forms of the largest values of expressions, those that are alike in several shapes together."""
    bounds_alike = defaultdict(list)
    for shape, expression in product(shapes_of(facts_of_classes), expressions(statistics)):
        values = {}
        for matrices, facts in facts_of_classes.items():
            extreme = facts["extremes"].get(str(expression))
            if matrices.shape == shape and extreme is not None:
                values[matrices.n] = Fraction(extreme["value"])
        if len(values) >= _LEAST_VALUES:
            forms = fitted(values)
        else:
            forms = []
        tally["largest values of an expression over the tables of a shape"] += 1
        tally["of these without a closed form"] += not forms
        for form in forms:
            bounds_alike[expression, str(form)].append(_Bound(expression, shape, form))
    return sorted(bounds_alike.values(), key=_simplicity)


def _simplicity(bounds: list["_Bound"]) -> tuple[int, int, str, str]:
    """What is found from few values, then what is short, comes first."""
    first_bound = bounds[0]
    text = str(first_bound.form)
    return len(first_bound.form.fitted), len(text), repr(first_bound.expression), text


@dataclass(frozen=True)
class _Bound:
    """That an expression over the tables of a shape is at most a form in n."""

    expression: Expression
    shape: Shape
    form: ClosedForm

    @cached_property
    def claims(self) -> list[ConjectureAndRange]:
        """A conjecture for each residue of n, one where all have the same form."""
        texts = self.form.texts
        if len(set(texts)) == 1:
            texts = texts[:1]
        claims = []
        for residue, text in enumerate(texts):
            sizes = Range(
                self.shape,
                self.form.first,
                self.form.last,
                len(texts),
                residue,
            )
            statement = self.expression.at_most(text)
            if sizes.classes:
                claims.append((Conjecture(f"{self.expression}, {sizes}", statement, applies=sizes), sizes))
        return claims

    @cached_property
    def values(self) -> dict[Tables, Fraction]:
        """The bound at each class, the last one first."""
        values = {}
        for n in range(self.form.last, self.form.first - 1, -1):
            value = self.form.part(n)(n)
            if value is not None:
                values[Tables(n, *self.shape)] = value
        return values

    @property
    def later(self) -> dict[Tables, Fraction]:
        """The same for more than half of the classes, the last ones."""
        return dict(list(self.values.items())[: len(self.values) // 2 + 1])


class _Record:
    """What is known, and the bounds accepted since."""

    def __init__(self, known: Knowledge) -> None:
        self.known = known
        self.accepted: list[_Bound] = []

    def left_open(self, bound: _Bound, matrices: Tables) -> float | None:
        """By how much what is on record may exceed a bound over a class; None for a class with too many numbers."""
        sums = self.known.left(matrices)
        if sums is None:
            return None
        amounts = sums.passed_by(bound.expression, bound.values[matrices])
        for other_bound in self.accepted:
            if matrices in other_bound.values:
                is_excluded = sums.passed_by(other_bound.expression, other_bound.values[matrices]) > TOLERANCE
                amounts[is_excluded] = 0
        return largest(amounts)

    def leaves_open(self, bound: _Bound) -> bool:
        """Whether a bound says more than what is on record at one of the later classes."""
        amounts = (self.left_open(bound, matrices) for matrices in bound.later)
        return any(amount is None or amount > TOLERANCE for amount in amounts)

    def sharpness(self, bound: _Bound) -> float:
        """How much what is on record leaves open at the last class that can be looked at, at most 1."""
        for matrices in bound.values:
            amount = self.left_open(bound, matrices)
            if amount is not None:
                return min(1.0, amount)
        return 1.0


def _proposed(bounds: list[_Bound], facts_of_classes: Shown, record: _Record) -> Proposal:
    """One proposal for all shapes with the same form."""
    best = max(bounds, key=lambda bound: (len(bound.form.tried), bound.shape))
    form = best.form
    text = str(best.expression)
    (r, s), last_n = best.shape, form.last
    extremes = {n: facts_of_classes[Tables(n, r, s)]["extremes"][text] for n in range(form.first, last_n + 1)}
    at_end = extremes[last_n]
    claims: list[ConjectureAndRange] = []
    ranges = []
    for bound in bounds:
        claims += bound.claims
        ranges.append(str(Range(bound.shape, bound.form.first, bound.form.last)))
    return Proposal(
        "bound",
        f"{best.expression.in_words(str(form))}, of {'; '.join(ranges)}",
        tuple(claims),
        formula=str(form),
        extremal=f"{r} x {s}: {_attained(extremes, form)} ({at_end['tables']} tables at n = {last_n})",
        fitted=sum(len(bound.form.fitted) for bound in bounds),
        tried=sum(len(bound.form.tried) for bound in bounds),
        sharpness=0.0 if at_end["only equal"] else record.sharpness(best),
        shown={
            "values": {n: Fraction(extreme["value"]) for n, extreme in extremes.items()},
            "form": form,
            "text": text,
            "table": at_end["listed"][0],
            "n": last_n,
        },
    )


def _attained(extremes: Mapping[int, Facts], form: ClosedForm) -> str:
    """The families of tables that attain a bound, or a table that does."""
    tables_at = {}
    for n, extreme in extremes.items():
        tables_at[n] = {tuple(map(tuple, table)) for table in extreme["listed"]}
    most_families = _MOST_FAMILIES if form.period == 1 else 1
    names = [f"{family} for n >= {n}" for family, n in families(tables_at, form.period, most_families)]
    table = extremes[form.last]["listed"][0]
    return "; or ".join(names) or f"{table} at n = {form.last}; no family in n was found"


# --- at given MED ---------------------------------------------------------------------------------


def bounds_at_med(
    facts_of_classes: Shown, statistics: tuple[str, ...], knowledge: Knowledge, tally: Counter[str]
) -> Iterator[Proposal]:
    """Bounds at each MED with a closed form in n and m = n MED."""
    names = [name for name in statistics if name != "med"]
    for shape, name, upper in product(shapes_of(facts_of_classes), names, (True, False)):
        if upper:
            title = f"largest {name}"
        else:
            title = f"smallest {name}"
        values = {}
        for matrices, facts in facts_of_classes.items():
            if matrices.shape == shape:
                for m, value in facts["given med"][title]:
                    values[matrices.n, m] = Fraction(value)
        form = surface(values)
        bound = None if form is None else form.bound(upper)
        tally["extremes of a statistic at each MED over the tables of a shape"] += 1
        tally["of these without a closed form in n and the MED"] += bound is None
        if form is None or bound is None:
            continue
        sizes = Range(shape, max(2 * form.first, *shape), form.last)
        sums = knowledge.last(sizes.classes)
        if sums is None:
            gap = 1.0
        else:
            gap = _gap(sums, name, upper, values, form.first)
        if gap <= TOLERANCE:
            tally["closed forms in n and the MED that follow from what is on record"] += 1
            continue
        relation = "<=" if upper else ">="
        r, s = shape
        statement = f"{form.first}/n <= med and med <= 1/2 -> {name} {relation} {text_of_form(bound)}"
        conjecture = Conjecture(f"{title} given the MED, {r} x {s}", statement, applies=sizes)
        residues = ", m = n MED" if form.period > 1 else ""
        yield Proposal(
            "given the MED",
            f"the {title} of {sizes} at a MED from {form.first}/n to 1/2 is {form}{residues}",
            ((conjecture, sizes),),
            formula=str(form),
            fitted=form.fitted,
            tried=form.tried,
            sharpness=min(1.0, gap),
            shown={"surface": form, "values": values, "n": form.last, "text": title},
        )


def _gap(
    sums: SumsOfClass, name: str, upper: bool, values: Mapping[tuple[int, int], Fraction], first_m: int
) -> float:
    """By how much what is known may pass the extremes of a statistic at a MED from first/n to 1/2."""
    n = sums.matrices.n
    levels = sums.rows[:, 0]
    extremes = np.full(n, np.nan)
    for m in range(first_m, n // 2 + 1):
        extremes[m] = float(values.get((n, m), np.nan))
    excess = sums.values(name) - extremes[levels]
    return largest(excess if upper else -excess)
