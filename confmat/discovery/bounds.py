"""Sharp bounds with closed forms: in n, and in n and the MED."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np

from confmat.classes import Tables
from confmat.conjectures.stated import Conjecture
from confmat.discovery.facts import Expression, expressions
from confmat.discovery.families import families
from confmat.discovery.formulas import Formula, fitted, surface, text_of
from confmat.discovery.known import TOLERANCE, Knowledge, Sums, largest
from confmat.discovery.proposals import Proposal, Range, Shape, Shown, Tried, shapes_of

_MOST_FAMILIES = 3


def sharp_bounds(
    shown: Shown, statistics: tuple[str, ...], known: Knowledge, tried: Tried
) -> Iterator[Proposal]:
    """Sharp bounds that follow neither from what is known nor from those before them, the simplest first."""
    found: dict[tuple[Expression, str], list[tuple[Shape, Formula]]] = {}
    for shape, expression in product(shapes_of(shown), expressions(statistics)):
        text = str(expression)
        values = {
            matrices.n: Fraction(facts["extremes"][text]["value"])
            for matrices, facts in shown.items()
            if matrices.shape == shape and text in facts["extremes"]
        }
        tried.count("largest values of an expression over the tables of a shape")
        forms = fitted(values) if len(values) > 5 else []
        tried.count("of these without a closed form", not forms)
        for form in forms:
            found.setdefault((expression, str(form)), []).append((shape, form))
    record = _Record(known)
    for (expression, _), each in sorted(
        found.items(), key=lambda x: (len(x[1][0][1].fitted), len(x[0][1]), str(x))
    ):
        bounds = [_Bound(expression, shape, form) for shape, form in each]
        new = []
        for bound in bounds:
            refuted = known.refuted(expression, bound.later)
            if refuted is not None:
                tried.count(f"closed forms that are on record as {refuted}, which is false in other classes")
            elif record.leaves_open(bound):
                new.append(bound)
            else:
                tried.count("closed forms that follow from what is on record or from simpler ones")
        tried.count("closed forms", len(bounds))
        if new:
            yield _proposed(new, shown, record)
        for bound in new:
            record.accepted.append(bound)


@dataclass(frozen=True)
class _Bound:
    """That an expression over the tables of a shape is at most a form in n."""

    expression: Expression
    shape: Shape
    form: Formula

    @cached_property
    def claims(self) -> list[tuple[Conjecture, Range]]:
        """A conjecture for each residue of n, one where all have the same form."""
        form = self.form
        period = form.period if len(set(map(str, form.parts))) > 1 else 1
        ranges = [Range(self.shape, form.first, form.last, period, i) for i in range(period)]
        return [
            (
                Conjecture(
                    f"{self.expression}, {where}",
                    self.expression.at_most(str(form.part(where.residue))),
                    applies=where,
                ),
                where,
            )
            for where in ranges
            if where.classes
        ]

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
        for other in self.accepted:
            if matrices in other.values:
                amounts[sums.passed_by(other.expression, other.values[matrices]) > TOLERANCE] = 0
        return largest(amounts)

    def leaves_open(self, bound: _Bound) -> bool:
        """Whether a bound says more than what is on record at one of the later classes."""
        amounts = (self.left_open(bound, matrices) for matrices in bound.later)
        return any(amount is None or amount > TOLERANCE for amount in amounts)

    def sharpness(self, bound: _Bound) -> float:
        """How much what is on record leaves open at the last class that can be looked at, at most 1."""
        amounts = (self.left_open(bound, matrices) for matrices in bound.values)
        last = next((amount for amount in amounts if amount is not None), 1.0)
        return min(1.0, last)


def _proposed(bounds: list[_Bound], shown: Shown, record: _Record) -> Proposal:
    """One proposal for all shapes with the same form."""
    best = max(bounds, key=lambda bound: (len(bound.form.tried), bound.shape))
    expression, (r, s), form = str(best.expression), best.shape, best.form
    facts = {n: shown[Tables(n, r, s)]["extremes"][expression] for n in range(form.first, form.last + 1)}
    listed = {n: {tuple(map(tuple, table)) for table in x["listed"]} for n, x in facts.items()}
    most_shown = _MOST_FAMILIES if form.period == 1 else 1
    names = [f"{x} for n >= {n}" for x, n in families(listed, form.period, most_shown)]
    at_end = facts[form.last]
    attained = "; or ".join(names) or f"{at_end['listed'][0]} at n = {form.last}; no family in n was found"
    ranges = "; ".join(f"{b.shape[0]} x {b.shape[1]}, {b.form.first} <= n <= {b.form.last}" for b in bounds)
    return Proposal(
        "bound",
        f"{best.expression.in_words(str(form))}, of {ranges}",
        tuple(claim for bound in bounds for claim in bound.claims),
        str(form),
        f"{r} x {s}: {attained} ({at_end['tables']} tables at n = {form.last})",
        sum(len(bound.form.fitted) for bound in bounds),
        sum(len(bound.form.tried) for bound in bounds),
        0.0 if at_end["only equal"] else record.sharpness(best),
        {"values": {n: Fraction(x["value"]) for n, x in facts.items()}, "form": form, "text": expression,
         "table": at_end["listed"][0], "n": form.last},
    )  # fmt: skip


# --- at given MED ---------------------------------------------------------------------------------


def bounds_at_med(
    shown: Shown, statistics: tuple[str, ...], known: Knowledge, tried: Tried
) -> Iterator[Proposal]:
    """Bounds at each MED with a closed form in n and m = n MED."""
    compared = [x for x in statistics if x != "med"]
    for shape, x, upper in product(shapes_of(shown), compared, (True, False)):
        side = "largest" if upper else "smallest"
        values = {
            (matrices.n, m): Fraction(value)
            for matrices, facts in shown.items()
            if matrices.shape == shape
            for m, value in facts["given med"][f"{side} {x}"]
        }
        tried.count("extremes of a statistic at each MED over the tables of a shape")
        form = surface(values)
        bound = None if form is None else form.bound(upper)
        tried.count("of these without a closed form in n and the MED", bound is None)
        if form is None or bound is None:
            continue
        where = Range(shape, max(2 * form.first, *shape), form.last)
        looked_at = known.last(where.classes)
        gap = 1.0 if looked_at is None else _gap(looked_at, x, upper, values, form.first)
        if gap <= TOLERANCE:
            tried.count("closed forms in n and the MED that follow from what is on record")
            continue
        relation, (r, s) = "<=" if upper else ">=", shape
        text = f"{form.first}/n <= med and med <= 1/2 -> {x} {relation} {text_of(bound)}"
        residues = ", m = n MED" if form.period > 1 else ""
        yield Proposal(
            "given the MED",
            f"the {side} {x} of {where} at a MED from {form.first}/n to 1/2 is {form}{residues}",
            ((Conjecture(f"{side} {x} given the MED, {r} x {s}", text, applies=where), where),),
            str(form),
            fitted=form.fitted,
            tried=form.tried,
            sharpness=min(1.0, gap),
            shown={"surface": form, "values": values, "n": form.last, "text": f"{side} {x}"},
        )


def _gap(sums: Sums, x: str, upper: bool, values: Mapping[tuple[int, int], Fraction], first: int) -> float:
    """By how much what is known may pass the extremes of a statistic at a MED from first/n to 1/2."""
    n, levels = sums.matrices.n, sums.rows[:, 0]
    extremes = np.full(n, np.nan)
    for m in range(first, n // 2 + 1):
        extremes[m] = float(values.get((n, m), np.nan))
    passed = sums.values(x) - extremes[levels]
    return largest(passed if upper else -passed)
