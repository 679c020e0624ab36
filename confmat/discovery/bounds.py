"""Sharp bounds with closed forms: in n, and in n and the MED."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from confmat.classes import Tables
from confmat.conjectures.stated import Conjecture
from confmat.discovery.facts import Expression, expressions
from confmat.discovery.families import families
from confmat.discovery.formulas import Formula, fitted, surface, text_of
from confmat.discovery.known import TOLERANCE, Form, Knowledge, forms_of, most
from confmat.discovery.proposals import Proposal, Range, Shape, Shown, Tried, shapes_of
from confmat.statistics.conditions import as_condition

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
    accepted: dict[Tables, list[Form]] = {}
    for (expression, _), each in sorted(
        found.items(), key=lambda x: (len(x[1][0][1].fitted), len(x[0][1]), str(x))
    ):
        bounds = [_Bound(expression, shape, form) for shape, form in each]
        new = [bound for bound in bounds if bound.is_new(known, accepted)]
        tried.count("closed forms", len(bounds))
        tried.count("of these follow from what is known or from simpler ones", len(bounds) - len(new))
        if new:
            yield _proposed(new, shown, known, accepted)
        for bound in new:
            for matrices, forms_there in bound.linear.items():
                accepted.setdefault(matrices, []).extend(forms_there)


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
    def linear(self) -> dict[Tables, list[Form]]:
        """The same as linear forms, at each class."""
        return {
            matrices: forms_of(as_condition(conjecture.predicate), matrices)  # type: ignore[arg-type]
            for conjecture, where in self.claims
            for matrices in where.classes
        }

    def left_open(self, matrices: Tables, known: Knowledge, accepted: Mapping[Tables, list[Form]]) -> float:
        """By how much what is known may exceed it over a class."""
        added = accepted.get(matrices, [])
        forms = self.linear[matrices]
        if max((most(form, [*known.at(matrices), *added]) for form in forms), default=0.0) <= TOLERANCE:
            return 0.0
        each = (most(form, [*at, *added]) for at in known.at_each_med(matrices) for form in forms)
        return max(each, default=0.0)

    def is_new(self, known: Knowledge, accepted: Mapping[Tables, list[Form]]) -> bool:
        """Whether it says more than what is known at more than half of all n, the last ones among them."""
        classes = sorted(self.linear, key=lambda matrices: -matrices.n)
        later = classes[: len(classes) // 2 + 1]
        return any(self.left_open(matrices, known, accepted) > TOLERANCE for matrices in later)


def _proposed(
    bounds: list[_Bound], shown: Shown, known: Knowledge, accepted: Mapping[Tables, list[Form]]
) -> Proposal:
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
        0.0 if at_end["only equal"] else min(1.0, best.left_open(Tables(form.last, r, s), known, accepted)),
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
        level = [m for n, m in values if n == form.last and form.first <= m <= n / 2]
        gaps = [_gap(x, upper, Tables(form.last, *shape), m, values[form.last, m], known) for m in level]
        if max(gaps) <= TOLERANCE:
            tried.count("closed forms in n and the MED that are known")
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
            sharpness=min(1.0, max(gaps)),
            shown={"surface": form, "values": values, "n": form.last, "text": f"{side} {x}"},
        )


def _gap(x: str, upper: bool, matrices: Tables, m: int, value: Fraction, known: Knowledge) -> float:
    """By how much what is known may exceed the extreme of a statistic at n MED = m."""
    sign = "<=" if upper else ">="
    return max(
        most(form, known.at_med(matrices, m))
        for form in forms_of(as_condition(f"{x} {sign} {value}"), matrices)
    )
