"""Laws under random models: exact where the classes are small, of draws elsewhere, and they say which.

One table under every random model: the expected Rand index, the adjusted one, p-values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import comb, inf, prod
from typing import Any

import numpy as np

from confmat.answers import Answer, Part, counted, number_json, probability_text
from confmat.answers.sheets import Sheet
from confmat.arguments import as_amount, as_choice, as_confidence, as_instance
from confmat.chance.p_values import PValue, TailLine
from confmat.classes import MatrixClass, RandomModel, random_model
from confmat.classes.random_models import MODELS, Clustering, bell
from confmat.indices.pairs import PairSums, pairs_within
from confmat.indices.partition import med
from confmat.integers.compositions import surjections
from confmat.laws import Law, joint
from confmat.matrices.matrix import observed_table
from confmat.plans import (
    Plan,
    Question,
    Resources,
    Run,
    admit,
    begin,
    choose,
    in_words,
    method,
    plannable,
    question_of,
    register,
    telling,
)
from confmat.sampling import stream
from confmat.sampling.models import labels_of, seconds_of_labels, urn_chances
from confmat.sampling.random_bits import generator_of
from confmat.sampling.streams import Seed, seed_sequence
from confmat.statistics.record import Statistic

NULL_STATISTICS = ("med", "rd", "ard", "nmed", "nrd")
"""The statistics of a null law unless others are named."""

# Seconds that an exact law may take before it is drawn instead; beyond so many points its weights have thousands of
# digits.
PATIENCE_WITH_LAW = 5.0
LARGEST_EXACT = 2000

# Draws unless their number is given: a share of one half is then known to 0.3 %.
NULL_DRAWS = 100_000


@dataclass(frozen=True)
class NullQuestion(Question):
    """The law of some statistics under a random model, or over a class, exact or of ``draws`` draws by ``rng``.

    ``patience``: seconds that the exact law may take where no budget says any and it is not asked for.
    """

    model: RandomModel | MatrixClass
    statistics: tuple[Any, ...] = NULL_STATISTICS
    draws: int = NULL_DRAWS
    rng: Seed = field(default=None, compare=False)
    asked: str | None = None
    resources: Resources = field(default_factory=Resources)
    patience: float = PATIENCE_WITH_LAW

    def __str__(self) -> str:
        return f"the law of {', '.join(map(str, self.statistics))} under {self.model!r}"


def _null_question(
    model: RandomModel,
    *statistics: str | Statistic | Any,
    exact: bool | None = None,
    draws: int = NULL_DRAWS,
    rng: Seed = None,
) -> NullQuestion:
    if exact is None:
        method_name = None
    elif exact:
        method_name = "enumeration"
    else:
        method_name = "draws"
    return NullQuestion(model, statistics or NULL_STATISTICS, draws, rng, method_name)


@plannable(_null_question)
def null_law(
    model: RandomModel,
    *statistics: str | Statistic | Any,
    exact: bool | None = None,
    draws: int = NULL_DRAWS,
    rng: Seed = None,
) -> Law:
    """The law of statistics (of the distances of ``NULL_STATISTICS`` if none is named) under a random model.

    ``exact``: None takes ``joint`` where its plan says at most some seconds, and else ``draws`` draws by ``rng``; True
    and False insist.  ``law.draws`` tells which it is.

    >>> from confmat.classes import random_model
    >>> law = null_law(random_model("partitions", 3), "rd")
    >>> [(str(value), weight) for (value,), weight in law.support]  # 5 x 5 pairs of partitions of 3 points
    [('0', 5), ('1/3', 6), ('2/3', 12), ('1', 2)]
    """
    # reads: a parameter for each thing that may be asked
    as_instance("model", model, RandomModel, "a random model, such as random_model('labels', n=5, r=2)")
    question = _null_question(model, *statistics, exact=exact, draws=draws, rng=rng)
    chosen = choose(question)
    if chosen.method == "draws":  # an exact law tells its plan itself
        chosen.told()
    return chosen.answer()


def _law_of_draws(question: NullQuestion) -> Law:
    """The law of all draws, none of which is kept."""
    return stream(question.model, question.draws, rng=question.rng).law(*question.statistics)


@method("enumeration", "the exact law takes seconds", "the exact law")
def _exact_law(question: NullQuestion) -> Run | str:
    def law() -> Law:
        return joint(question.model, *question.statistics)

    if question.model.n > LARGEST_EXACT:
        digits = f"weights of more digits than those of {LARGEST_EXACT} points"
        return Run(law, cpu_seconds=inf, limit=digits)
    plan = choose(question_of(joint, question.model, *question.statistics))
    most = question.resources.said or question.patience
    if question.asked is None and (plan.excess is not None or plan.seconds > most):
        return f"would take {plan.excess or f'about {in_words(plan.seconds)} (limit {in_words(most)})'}"
    return replace(plan, answer=law)


@method("draws", "the exact law would take too long", "the law of draws")
def _draws(question: NullQuestion) -> Run:
    plan = choose(question_of(stream, question.model, question.draws))
    return replace(plan, answer=lambda: _law_of_draws(question))


register(NullQuestion, _exact_law, _draws)


# Seconds, as the rule puts them, that the exact law under one of ten models may take.
PATIENCE_WITH_EACH = 1

# Of tables with more cells pairs alone are drawn.
MOST_DRAWN_CELLS = 400

# Bell numbers up to here; beyond, their quotients are doubles.
LARGEST_BELL = 1000


def expected_rand_index(model: RandomModel) -> Fraction | float:
    """E[RI] = p q + (1 - p)(1 - q), p and q the chances that two objects share a cluster on either side.

    p is A/C(n, 2) for given sizes with A pairs in common clusters, 1/k for k labels, S(n - 1, k)/S(n, k) for k clusters
    and B(n - 1)/B(n), Bell numbers, for any number (Gates and Ahn 2017): objects are exchangeable, so a pair is like
    any other, and the sides are independent.  A double where "partitions" has more than ``LARGEST_BELL`` objects.

    >>> from confmat.classes import random_model
    >>> expected_rand_index(random_model("clusters", rows=(3, 2, 1), s=2))
    Fraction(236, 465)
    >>> expected_rand_index(random_model("partitions", n=3))  # p = 2/5
    Fraction(13, 25)
    """
    as_instance("model", model, RandomModel, "a random model, such as random_model('labels', n=5, r=2)")
    p, q = (_chance_to_share(model, side) for side in (model.rows, model.cols))
    return p * q + (1 - p) * (1 - q)


def _chance_to_share(model: RandomModel, side: Clustering) -> Fraction | float:
    n = model.n
    if n < 2:
        return Fraction(1)
    if isinstance(side, tuple):
        return Fraction(pairs_within(side), comb(n, 2))
    if side is None:
        if n > LARGEST_BELL:  # Dobinski: the mean of 1/k over the numbers of urns
            chances = urn_chances(n)
            return float(chances @ (1 / np.arange(1, len(chances) + 1)))
        return Fraction(bell(n - 1), bell(n))
    # surjections(n, k) = k! S(n, k)
    if model.name == "labels":
        return Fraction(1, side)
    return Fraction(
        surjections(n - 1, side),
        surjections(n, side),
    )


@dataclass(frozen=True)
class UnderModel:
    """A table under a model: ``adjusted`` = (RI - E[RI])/(1 - E[RI]), the ARI where the model is "sizes".

    ``p_ri``: P(RI >= observed), which is P(adjusted >= observed); ``p_med``: P(MED <= observed).  ``expected_med`` and
    ``p_med`` are None where tables of more than ``MOST_DRAWN_CELLS`` cells would have to be drawn.
    """

    model: RandomModel
    expected_ri: Fraction | float
    adjusted: Fraction | float
    p_ri: PValue
    expected_med: Fraction | float | None
    p_med: PValue | None

    @property
    def given(self) -> str:
        """Which sides are given by their sizes: "both", "rows", "columns" or "neither"."""
        rows, cols = (isinstance(side, tuple) for side in (self.model.rows, self.model.cols))
        if rows and cols:
            return "both"
        if rows:
            return "rows"
        if cols:
            return "columns"
        return "neither"


@dataclass(frozen=True, repr=False)
class UnderModels(Answer, Sequence[UnderModel]):
    """One table under several models."""

    models: tuple[UnderModel, ...]

    def __getitem__(self, index: Any) -> Any:
        return self.models[index]

    def __len__(self) -> int:
        return len(self.models)

    def parts(self, *, mid: bool = False) -> Iterator[Part]:
        """A line for every model and what it has given."""
        sheet = Sheet(
            ("model", "given", "E[RI]", "adjusted", "p of RI", "E[MED]", "p of MED"),
            ("model", "given"),
            f"P(RI or more), P(MED or less) by chance{', mid-p' if mid else ''}",
        )
        for entry in self.models:
            sheet.add_row(
                entry.model.name,
                entry.given,
                _number_text(entry.expected_ri),
                _number_text(entry.adjusted),
                _p_text(entry.p_ri, mid),
                _number_text(entry.expected_med),
                _p_text(entry.p_med, mid),
            )
        yield sheet

    def as_dict(self) -> list[dict[str, Any]]:
        """A dictionary for every model."""
        return [
            {
                "model": entry.model.name,
                "given": entry.given,
                "expected_ri": number_json(entry.expected_ri),
                "adjusted": number_json(entry.adjusted),
                "ri": entry.p_ri,
                "expected_med": None if entry.expected_med is None else number_json(entry.expected_med),
                "med": entry.p_med,
            }
            for entry in self.models
        ]


def _number_text(x: Fraction | float | None) -> str:
    if x is None:
        return "-"
    return f"{float(x):.5f}"


def _p_text(p: PValue | None, mid: bool) -> str:
    if p is None:
        return "-"
    return probability_text(p.mid if mid else p.value)


@telling
def under_models(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    model: str = "all",
    draws: int = 9_999,
    rng: Seed = None,
    confidence: float = 0.99,
) -> UnderModels:
    """One table under every random model, or under those of one name: how much a verdict depends on what chance is.

    "sizes" has both clusterings' sizes given; "labels", "clusters" and "partitions" have neither, or one of them, and
    as many labels or clusters as observed on the others.  Laws that take at most ``PATIENCE_WITH_EACH`` seconds
    are exact ("partitions" with neither side: of at most 7 objects; with the sizes of two clusters: of some 15); the
    others are drawn, ``draws`` times, O(n) each where tables have more than ``MOST_DRAWN_CELLS`` cells.  A recursion
    for "sizes" is in ``significance``.

    Raises ValueError for an empty matrix, one of 2^62 objects or more, and an unknown model; TooLarge, before the first
    law, where all of them together take longer than the budget.

    >>> for one in under_models([[3, 1], [0, 3]], model="clusters"):
    ...     print(one.given, one.expected_ri, one.adjusted, one.p_ri.value, one.expected_med)
    neither 1985/3969 425/992 71/567 1364/3969
    rows 221/441 47/110 8/63 151/441
    columns 221/441 47/110 8/63 151/441
    """
    # reads: a parameter for each thing that may be asked
    chosen = MODELS if model == "all" else (as_choice("model", model, (*MODELS, "all")),)
    draws = as_amount("draws", draws, 1)
    confidence = as_confidence(confidence)
    table = observed_table(matrix_or_labels_a, labels_b)
    if not 0 < (n := sum(table.ravel().tolist())) < 2**62:
        raise ValueError(f"matrix must hold at least one object and fewer than 2^62, got {n}")
    plans: list[Plan] = []
    for name in chosen:
        for one, seeds in zip(_models(name, table), seed_sequence(rng).spawn(3)):
            plans.append(choose(NullQuestion(one, ("rd", "med"), draws, seeds, patience=PATIENCE_WITH_EACH)))
            many = counted(len(plans), "model")
            admit(
                f"{many} with {draws} draws of {n} objects",
                sum(map(_seconds, plans)),
            )
    begin(
        f"{n} objects under {many}",
        "model by model",
        "the exact law where it takes a second, else draws",
        "the value by chance, and a p-value, under each",
        sum(map(_seconds, plans)),
    )
    return UnderModels(tuple(_under(plan, table, confidence) for plan in plans))


def _models(name: str, table: np.ndarray) -> list[RandomModel]:
    """The model of a name with neither side given, with rows, with columns; "sizes" with both."""
    n = int(table.sum())
    rows = table.sum(axis=1).tolist()
    cols = table.sum(axis=0).tolist()
    r, s = table.shape
    if name == "sizes":
        return [random_model("sizes", rows=rows, cols=cols)]
    if name == "partitions":
        return [
            random_model(name, n),
            random_model(name, rows=rows),
            random_model(name, cols=cols),
        ]
    return [
        random_model(name, n, r, s),
        random_model(name, rows=rows, s=s),
        random_model(name, r=r, cols=cols),
    ]


def _under(plan: Plan, table: np.ndarray, confidence: float) -> UnderModel:
    question: Any = plan.question
    model: RandomModel = question.model
    expected = expected_rand_index(model)
    observed = PairSums.of(table)
    law: Law | None = None if _of_pairs_alone(plan) else plan.answer()
    points = _drawn_distances(model, question.draws, question.rng) if law is None else law["rd"]
    width = None if law is not None and law.draws is None else confidence

    def p_value(points: Any, distance: Fraction) -> PValue:
        return TailLine.of(points, -1, width).p_value(-distance, "greater")

    return UnderModel(
        model,
        expected,
        1 - observed.rand_distance / (1 - expected) if expected != 1 else Fraction(1),
        p_value(points, observed.rand_distance),
        None if law is None else law["med"].mean,
        None
        if law is None
        else p_value(
            law["med"],
            Fraction(med(table, exact=True)),
        ),
    )


def _of_pairs_alone(plan: Plan) -> bool:
    """Whether tables would have to be drawn that are too large."""
    question: Any = plan.question
    return plan.method == "draws" and prod(question.model.shape) > MOST_DRAWN_CELLS


def _seconds(plan: Plan) -> float:
    """About how long one model takes."""
    question: Any = plan.question
    if not _of_pairs_alone(plan):
        return plan.seconds
    return 8e-5 * question.draws + seconds_of_labels(question.model, question.draws)


def _drawn_distances(
    model: RandomModel, draws: int, seeds: np.random.SeedSequence
) -> list[tuple[Fraction, int]]:
    """RDs of draws with how often they came, from cells that hold objects alone."""
    rng = generator_of(seeds)
    times_apart: Counter[int] = Counter()
    for _ in range(draws):
        row_labels, column_labels = labels_of(model, rng)
        cell_numbers = row_labels * (column_labels.max() + 1) + column_labels
        _, cells = np.unique(cell_numbers, return_counts=True)
        clusters = np.concatenate([np.bincount(row_labels), np.bincount(column_labels)])
        pairs_apart = pairs_within(clusters.tolist()) - 2 * pairs_within(cells.tolist())
        times_apart[pairs_apart] += 1
    pairs = comb(model.n, 2)
    return [(Fraction(pairs_apart, pairs), times) for pairs_apart, times in times_apart.items()]
