"""Proposals made of facts: bounds with a closed form in n, bounds at given MED, claims about laws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from confmat.classes import Tables
from confmat.conjectures.certificates import Certificate, Counterexample, Entry
from confmat.conjectures.stated import Conjecture
from confmat.discovery.facts import Expression, Facts, expressions, law_questions
from confmat.discovery.families import families
from confmat.discovery.formulas import Formula, fitted, surface, text_of
from confmat.discovery.known import TOLERANCE, Form, Knowledge, forms_of, most
from confmat.statistics.conditions import as_condition

Shape = tuple[int, int]
Shown = Mapping[Tables, Facts]

KINDS = ("bound", "given the MED", "law", "first failure")
"""What a proposal may be: a sharp bound with a closed form, one at each MED, a property of laws, or where one ends."""

# A claim about laws is worth a line where it first fails if so many smaller classes have it; and is proposed from some
# n on if it holds at so many n.
_LEAST_BEFORE = 10
_LEAST_SIZES = 5

_MOST_FAMILIES = 3

# Evidence at which a score is half of what it is with any amount.
_HALF = 10


@dataclass(frozen=True)
class Range:
    """Tables of one shape with a total from ``first`` to ``last``, of one residue."""

    shape: Shape
    first: int
    last: int
    period: int = 1
    residue: int = 0

    def __call__(self, matrices: Any) -> bool:
        return (
            matrices.shape == self.shape
            and self.first <= matrices.n <= self.last
            and matrices.n % self.period == self.residue
        )

    def __str__(self) -> str:
        r, s = self.shape
        every = f", n = {self.residue} mod {self.period}" if self.period > 1 else ""
        return f"{r} x {s}, {self.first} <= n <= {self.last}{every}"

    @property
    def classes(self) -> list[Tables]:
        """All of them."""
        return [
            Tables(n, *self.shape)
            for n in range(self.first, self.last + 1)
            if n % self.period == self.residue
        ]


@dataclass(frozen=True, repr=False)
class Proposal:
    """What may be true: a sentence, the conjectures that say it (one for each residue of n), and what speaks for it.

    ``kind``: one of ``KINDS``.  ``formula``: the closed form.  ``extremal``: the families of tables that attain it.
    ``fitted``, ``tried``: from how many n (n and MED; classes, of laws) it was found, and tried at besides;
    ``sharpness``: how much of the statistic what is known leaves open at the largest n, from 0 to 1, 1/2 of laws.
    ``shown``: what its picture shows.  ``certificates``: one for each conjecture, of its range.
    """

    kind: str
    sentence: str
    claims: tuple[tuple[Conjecture, Range], ...]
    formula: str = ""
    extremal: str = ""
    fitted: int = 0
    tried: int = 0
    sharpness: float = 0.5
    shown: Mapping[str, Any] = field(default_factory=dict, compare=False)
    certificates: tuple[Certificate | Counterexample, ...] = ()

    @property
    def conjectures(self) -> tuple[Conjecture, ...]:
        """The statements to be checked."""
        return tuple(conjecture for conjecture, _ in self.claims)

    @property
    def statement(self) -> str:
        """The statements, as the grammar of conditions has them, or the claim about laws in words."""
        return "; ".join(dict.fromkeys(x.statement for x in self.conjectures))

    @property
    def range(self) -> str:
        """The classes that it is about."""
        return "; ".join(str(where) for _, where in self.claims)

    @property
    def score(self) -> float:
        """Sharpness, less where there is little evidence."""
        return self.sharpness * self.tried / (self.tried + _HALF)

    def __repr__(self) -> str:
        return f"<{self.kind}: {self.sentence}>"

    def to_json(self) -> dict[str, Any]:
        """What a report lists: statement, kind, range, evidence, extremal, formula.

        >>> Proposal("law", "the law of med is unimodal", ()).to_json()["kind"]
        'law'
        """
        return {
            "statement": self.statement,
            "sentence": self.sentence,
            "kind": self.kind,
            "range": [str(where) for _, where in self.claims],
            "evidence": {
                "fitted": self.fitted,
                "tried": self.tried,
                "sharpness": round(self.sharpness, 4),
                "classes": sum(len(x.entries) for x in self.certificates),
                "members": sum(entry.covered for x in self.certificates for entry in x.entries),
                "digests": [x.digest for x in self.certificates],
            },
            "extremal": self.extremal,
            "formula": self.formula,
        }


class Tried(dict[str, int]):
    """How many of each thing were tried, found, dropped."""

    def count(self, what: str, number: int = 1) -> None:
        """So many more.

        >>> tried = Tried()
        >>> tried.count("pairs", 3)
        >>> tried
        {'pairs': 3}
        """
        self[what] = self.get(what, 0) + number


def proposals(shown: Shown, statistics: tuple[str, ...], known: Knowledge, tried: Tried) -> list[Proposal]:
    """All that is proposed, the best first."""
    found = [
        *_bounds(shown, statistics, known, tried),
        *_at_given_med(shown, statistics, known, tried),
        *_laws(shown, statistics, known, tried),
    ]
    return sorted(found, key=lambda x: (-x.score, x.sentence))


def _shapes(shown: Shown) -> list[Shape]:
    return sorted({matrices.shape for matrices in shown})


# --- bounds ---------------------------------------------------------------------------------------


def _bounds(shown: Shown, statistics: tuple[str, ...], known: Knowledge, tried: Tried) -> Iterator[Proposal]:
    """Sharp bounds that follow neither from what is known nor from those before them, the simplest first."""
    found: dict[tuple[Expression, str], list[tuple[Shape, Formula]]] = {}
    for shape, expression in product(_shapes(shown), expressions(statistics)):
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
        inequalities = [*known.at(matrices), *accepted.get(matrices, [])]
        return max((most(form, inequalities) for form in self.linear[matrices]), default=0.0)

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
        min(1.0, best.left_open(Tables(form.last, r, s), known, accepted)),
        {"values": {n: Fraction(x["value"]) for n, x in facts.items()}, "form": form, "text": expression,
         "table": at_end["listed"][0], "n": form.last},
    )  # fmt: skip


# --- at given MED ---------------------------------------------------------------------------------


def _at_given_med(
    shown: Shown, statistics: tuple[str, ...], known: Knowledge, tried: Tried
) -> Iterator[Proposal]:
    """Bounds at each MED with a closed form in n and m = n MED."""
    compared = [x for x in statistics if x != "med"]
    for shape, x, upper in product(_shapes(shown), compared, (True, False)):
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
        if (
            x == "rd"
            and upper
            and known.largest_rd(form.last, *shape, level[-1], values[form.last, level[-1]])
        ):
            gaps = [0.0]
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
    sign, med = "<=" if upper else ">=", Fraction(m, matrices.n)
    at = [
        form for text in (f"med <= {med}", f"med >= {med}") for form in forms_of(as_condition(text), matrices)
    ]
    return max(
        most(form, [*known.at(matrices), *at])
        for form in forms_of(as_condition(f"{x} {sign} {value}"), matrices)
    )


# --- laws -----------------------------------------------------------------------------------------


def _laws(shown: Shown, statistics: tuple[str, ...], known: Knowledge, tried: Tried) -> Iterator[Proposal]:
    listed = sorted((m for m, facts in shown.items() if facts["laws"]), key=lambda m: (m.n, m.shape))
    telling: dict[str, list[Tables]] = {}
    held: dict[str, dict[Shape, Range]] = {}
    for question in law_questions(statistics):
        verdicts = {m: shown[m]["laws"][question.words] for m in listed}
        telling[question.words] = asked = [m for m in listed if not verdicts[m]["says nothing"]]
        right = [m for m in asked if verdicts[m]["wrong"] is None]
        held[question.words] = dict(_ranges(asked, right))
    for question in law_questions(statistics):
        tried.count("claims about laws")
        asked = telling[question.words]
        tried.count("claims about laws that all have one point", not asked)
        verdicts = {m: shown[m]["laws"][question.words] for m in listed}
        failing = [m for m in asked if verdicts[m]["wrong"]]
        ranges = held[question.words]
        tried.count("claims about laws that fail in every shape", bool(asked) and not ranges)
        before = asked[: asked.index(failing[0])] if failing else asked
        if not ranges and len(before) < _LEAST_BEFORE:
            continue
        if known.law(question.claim):
            tried.count("claims about laws that the registry decides")
            continue
        new = {shape: x for shape, x in ranges.items() if not _stronger(question.words, shape, x, held)}
        tried.count("claims about laws of a shape that follow from stronger ones", len(ranges) - len(new))
        picture = {"verdicts": {m: not v["wrong"] for m, v in verdicts.items()}}
        if new:
            claims = tuple(
                (_law_conjecture(question.words, question.claim, where), where) for where in new.values()
            )
            entries = [[_entry(m, verdicts) for m in where.classes if m in verdicts] for _, where in claims]
            certificates = tuple(Certificate(c.about, tuple(x)) for (c, _), x in zip(claims, entries))
            words = f"{question.words} in every class of these ranges: {'; '.join(map(str, new.values()))}"
            number = sum(map(len, entries))
            yield Proposal("law", words, claims, tried=number, shown=picture, certificates=certificates)
        if failing and len(before) >= _LEAST_BEFORE:
            first, wrong = failing[0], verdicts[failing[0]]["wrong"]
            where = Range(first.shape, first.n, first.n)
            conjecture = _law_conjecture(question.words, question.claim, None)
            found = Counterexample(
                conjecture.about, first, wrong, {}, tuple(_entry(m, verdicts) for m in before)
            )
            size = (first.n, *first.shape)
            words = f"{question.words} is false, first at (n, r, s) = {size}, after {len(before)} classes: {wrong}"
            yield Proposal("first failure", words, ((conjecture, where),), tried=len(before), shown=picture,
                           certificates=(found,))  # fmt: skip


def _law_conjecture(words: str, claim: Any, where: Range | None) -> Conjecture:
    if where is None:
        return Conjecture(words, words, predicate=claim, on="laws")
    return Conjecture(f"{words}, {where}", words, predicate=claim, on="laws", applies=where)


def _entry(matrices: Tables, verdicts: Mapping[Tables, Mapping[str, Any]]) -> Entry:
    return Entry(matrices, verdicts[matrices]["covered"], verdicts[matrices]["digest"])


def _ranges(asked: Iterable[Tables], right: list[Tables]) -> Iterator[tuple[Shape, Range]]:
    """Where a claim holds from some n on to the end, of each shape: at several n, and more than half of all."""
    sizes: dict[Shape, list[int]] = {}
    for matrices in asked:
        sizes.setdefault(matrices.shape, []).append(matrices.n)
    for shape, ns in sizes.items():
        wrong = max((i for i, n in enumerate(ns) if Tables(n, *shape) not in right), default=-1)
        if len(ns) - wrong - 1 >= max(_LEAST_SIZES, len(ns) / 2):
            yield shape, Range(shape, ns[wrong + 1], ns[-1])


def _stronger(words: str, shape: Shape, where: Range, held: Mapping[str, Mapping[Shape, Range]]) -> bool:
    """Whether a claim that implies this one holds in the same classes."""
    others = [words.replace("the mean of", "the law of", 1)]
    if words.startswith("the law of") and words.endswith("is unimodal"):
        name = words.removeprefix("the law of ").removesuffix(" is unimodal")
        others += [f"the weights of {name} rise", f"the weights of {name} fall"]
    implied = (held.get(other, {}).get(shape) for other in others if other != words)
    return any(x is not None and x.first <= where.first for x in implied)
