"""One table under every random model: the expected Rand index, the adjusted one, p-values."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from typing import Any

import numpy as np

from confmat.chance.null_laws import NullQuestion
from confmat.chance.p_values import PValue, TailLine
from confmat.classes import RandomModel, random_model
from confmat.classes.random_models import MODELS, Clustering, bell
from confmat.indices.pairs import PairSums, pairs_within
from confmat.indices.partition import med
from confmat.laws import Law
from confmat.matrices.arguments import as_amount, as_choice, as_confidence, as_instance
from confmat.matrices.matrix import observed_table
from confmat.plans.choice import Plan, choose
from confmat.plans.methods import admit
from confmat.sampling.models import labels_of, surjections, urn_chances
from confmat.sampling.streams import Seed, seed_sequence
from confmat.shown import counted

# Seconds that the exact law under one model may take; tables of more cells are not drawn, only their pairs.
PATIENCE = 0.5
MOST_CELLS = 400

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
    p, q = (_share(model, side) for side in (model.rows, model.cols))
    return p * q + (1 - p) * (1 - q)


def _share(model: RandomModel, side: Clustering) -> Fraction | float:
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
    return (
        Fraction(1, side)
        if model.name == "labels"
        else Fraction(surjections(n - 1, side), surjections(n, side))
    )


@dataclass(frozen=True)
class UnderModel:
    """A table under a model: ``adjusted`` = (RI - E[RI])/(1 - E[RI]), the ARI where the model is "sizes".

    ``p_ri``: P(RI >= observed), which is P(adjusted >= observed); ``p_med``: P(MED <= observed).  ``expected_med`` and
    ``p_med`` are None where tables of more than ``MOST_CELLS`` cells would have to be drawn.
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
        return "both" if rows and cols else "rows" if rows else "columns" if cols else "neither"


def under_models(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    model: str = "all",
    draws: int = 9_999,
    rng: Seed = None,
    confidence: float = 0.99,
) -> tuple[UnderModel, ...]:
    """One table under every random model, or under those of one name: how much a verdict depends on what chance is.

    "sizes" has both clusterings' sizes given; "labels", "clusters" and "partitions" have neither, or one of them, and
    as many labels or clusters as observed on the others.  Laws of at most 10^6 tables of at most 120 objects are exact
    ("partitions": of at most 6); the others are drawn, ``draws`` times, O(n) each where tables have more than
    ``MOST_CELLS`` cells.  A recursion for "sizes" is in ``significance``.

    Raises ValueError for an empty matrix, one of 2^62 objects or more, and an unknown model; TooLarge, before the first
    law, where all of them together take longer than the budget.

    >>> for one in under_models([[3, 1], [0, 3]], model="clusters"):
    ...     print(one.given, one.expected_ri, one.adjusted, one.p_ri.value, one.expected_med)
    neither 1985/3969 425/992 71/567 1364/3969
    rows 221/441 47/110 8/63 151/441
    columns 221/441 47/110 8/63 151/441
    """
    chosen = MODELS if model == "all" else (as_choice("model", model, (*MODELS, "all")),)
    draws = as_amount("draws", draws, 1)
    confidence = as_confidence(confidence)
    table = observed_table(matrix_or_labels_a, labels_b)
    if not 0 < (n := sum(table.ravel().tolist())) < 2**62:
        raise ValueError(f"matrix must hold at least one object and fewer than 2^62, got {n}")
    plans: list[Plan] = []
    for name in chosen:
        for one, seeds in zip(_models(name, table), seed_sequence(rng).spawn(3)):
            plans.append(choose(NullQuestion(one, ("rd", "med"), draws, seeds, patience=PATIENCE)))
            many = counted(len(plans), "model")
            admit(f"{many} with {draws} draws of {n} objects", sum(map(_seconds, plans)))
    return tuple(_under(plan, table, confidence) for plan in plans)


def _models(name: str, table: np.ndarray) -> list[RandomModel]:
    """The model of a name with neither side given, with rows, with columns; "sizes" with both."""
    n, rows, cols = int(table.sum()), table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    r, s = table.shape
    if name == "sizes":
        return [random_model("sizes", rows=rows, cols=cols)]
    if name == "partitions":
        return [random_model(name, n), random_model(name, rows=rows), random_model(name, cols=cols)]
    return [
        random_model(name, n, r, s),
        random_model(name, rows=rows, s=s),
        random_model(name, r=r, cols=cols),
    ]


def _under(plan: Plan, table: np.ndarray, confidence: float) -> UnderModel:
    asked: Any = plan.question
    model: RandomModel = asked.model
    expected, observed = expected_rand_index(model), PairSums.of(table)
    law: Law | None = None if _of_pairs_alone(plan) else plan.chosen.run(asked)
    points = _drawn_distances(model, asked.draws, asked.rng) if law is None else law["rd"]
    width = None if law is not None and law.exact else confidence

    def p_value(points: Any, distance: Fraction) -> PValue:
        return TailLine.of(points, -1, width).p_value(-distance, "greater")

    return UnderModel(
        model,
        expected,
        1 - observed.rand_distance / (1 - expected) if expected != 1 else Fraction(1),
        p_value(points, observed.rand_distance),
        None if law is None else law["med"].mean,
        None if law is None else p_value(law["med"], Fraction(med(table, exact=True))),
    )


def _of_pairs_alone(plan: Plan) -> bool:
    """Whether tables would have to be drawn that are too large."""
    question: Any = plan.question
    return plan.method == "draws" and prod(question.model.shape) > MOST_CELLS


def _seconds(plan: Plan) -> float:
    """About how long one model takes."""
    question: Any = plan.question
    return question.draws * (1e-4 + 5e-8 * question.model.n) if _of_pairs_alone(plan) else plan.seconds


def _drawn_distances(
    model: RandomModel, draws: int, seeds: np.random.SeedSequence
) -> list[tuple[Fraction, int]]:
    """RDs of draws with how often they came, from cells that hold objects alone."""
    rng = np.random.Generator(np.random.PCG64(seeds))
    found: Counter[int] = Counter()
    for _ in range(draws):
        first, second = labels_of(model, rng)
        cells = np.unique(first * (second.max() + 1) + second, return_counts=True)[1]
        a, b, p = (int((x * (x - 1)).sum()) // 2 for x in (np.bincount(first), np.bincount(second), cells))
        found[a + b - 2 * p] += 1
    return [(Fraction(apart, comb(model.n, 2)), times) for apart, times in found.items()]
