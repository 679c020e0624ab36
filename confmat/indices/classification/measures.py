"""Measures of one class of a confusion matrix against the rest or against another class, and their means.

A measure is a formula of the four counts tp, fn, fp and tn of two classes, for numbers or arrays. It returns a
numerator and a denominator. A geometric mean also returns factors under a square root.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import permutations
from math import prod
from typing import Any

from confmat._arguments import as_fraction
from confmat._limits import look
from confmat.indices.classification.counts import ClassCounts, TwoClass
from confmat.indices.classification.roots import RootSum, Term
from confmat.indices.undefined import Undefined, check_undefined, undefined_value

ExactMeasure = Fraction | RootSum
MeasureNumber = Fraction | RootSum | float
MeasureValues = MeasureNumber | tuple[MeasureNumber, ...]

WeightedTerm = tuple[Fraction, MeasureNumber]

# One class (i,) against the rest, or one class against another (i, j), and their counts.
Case = tuple[tuple[int, ...], TwoClass]

# Means over pairs of classes, and the counts that they use of each pair.
PAIR_STRATEGIES = {"pairs": ClassCounts.pair, "ovo": ClassCounts.ovo}
MEAN_STRATEGIES = ("rest", *PAIR_STRATEGIES)

# Means over the classes against the rest: weight of a class by its number of objects (numbers or arrays).
CLASS_WEIGHTS: dict[str, Callable[[Any], Any]] = {
    "rest": lambda size: size,
    "macro": lambda size: 0 * size + 1,
    "balanced": lambda size: 1 * (size > 0),
}

# Binary places of the fixed-point sums that floats are rounded from.
_BITS_OF_ROOTS = 128

MeasureFormula = Callable[[Any, Any, Any, Any], tuple[Any, ...]]


@dataclass(frozen=True)
class Measure:
    """Measure of two classes: its name and its formula of tp, fn, fp and tn.

    >>> Measure("odds", lambda tp, fn, fp, tn: (tp, fn)).of(TwoClass(tp=2, fn=1, fp=3, tn=4))
    Fraction(2, 1)
    """

    name: str
    formula: MeasureFormula
    factor: int = 1  # the largest number that it multiplies a count by

    @property
    def is_rational(self) -> bool:
        """Return whether the formula has no square root."""
        return len(self.formula(1, 1, 1, 1)) == 2

    def of(self, counts: TwoClass) -> ExactMeasure | None:
        """Return the exact value, or None if it is 0/0."""
        numerator, denominator, *under_root = self.formula(*counts)
        if not denominator:
            return None
        if not under_root:
            return Fraction(numerator, denominator)
        return RootSum.sqrt(
            Fraction(
                numerator**2 * prod(under_root),
                denominator**2,
            )
        )


def _f_of_counts(p: int, q: int, tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of the F-measure with beta^2 = p/q, given the counts of a two-class table."""
    numerator = (p + q) * tp
    return numerator, numerator + p * fn + q * fp


def measure_f(beta: Any) -> Measure:
    """Return the F-measure with the weight ``beta`` of the sensitivity.

    >>> measure_f(2).of(TwoClass(tp=2, fn=1, fp=3, tn=4))
    Fraction(10, 17)
    """
    exact = as_fraction("beta", beta)
    if exact < 0:
        raise ValueError(f"beta must be at least 0, got {beta}")
    p, q = (exact**2).as_integer_ratio()
    return Measure("f_measure", partial(_f_of_counts, p, q), p + q)


def evaluate_measure(
    measure: Measure,
    counts: ClassCounts,
    strategy: str | None,
    label: int | None,
    exact: bool,
    undefined: Undefined,
) -> MeasureValues:
    """Return a measure of one class, its mean over classes, or its values for all classes.

    Parameters
    ----------
    measure : Measure
    counts : ClassCounts
        Confusion matrix.
    strategy : str or None
        "rest", "pairs" or "ovo" for a mean, see ``mean_by``.
    label : int or None
        Index of a class, for the value of this class against the rest. If both are None, a tuple with the value of
        each class is returned.
    exact : bool
        Return exact numbers if True, floats if False.
    undefined : str or number
        Result for a value that is 0/0.

    >>> counts = ClassCounts.of([[8, 2], [1, 4]])
    >>> evaluate_measure(measure_f(1), counts, strategy=None, label=None, exact=True, undefined="raise")
    (Fraction(16, 19), Fraction(8, 11))
    """
    check_undefined(undefined)
    if strategy is not None and strategy not in MEAN_STRATEGIES:
        raise ValueError(f'strategy must be "rest", "pairs", "ovo" or None, got {strategy!r}')
    if label is not None and strategy in PAIR_STRATEGIES:
        raise ValueError(
            f'label must be None for strategy="{strategy}", which is a mean over pairs of classes, got {label!r}'
        )
    if strategy is not None and label is None:
        return mean_by(strategy, measure, counts, undefined, exact)
    classes = range(counts.size) if label is None else [counts.class_number(label)]
    cases = [((i,), counts.rest(i)) for i in classes]
    values = tuple(_rational_or_roots(value, exact) for value in _values_of_cases(measure, cases, undefined))
    return values if label is None else values[0]


def mean_by(
    strategy: str, measure: Measure, counts: ClassCounts, undefined: Undefined, exact: bool = True
) -> MeasureNumber:
    """Return the mean of a measure over classes or over pairs of classes.

    ``strategy`` is a key of ``PAIR_STRATEGIES`` for ordered pairs of classes, or of ``CLASS_WEIGHTS`` for each class
    against all others. ``undefined`` is the result at 0/0, or "raise".

    >>> counts = ClassCounts.of([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    >>> [str(mean_by(strategy, measure_f(1), counts, "raise")) for strategy in MEAN_STRATEGIES]
    ['37/45', '851/945', '6533/7560']
    """
    cases: list[Case]
    if strategy in PAIR_STRATEGIES:
        if counts.size < 2:
            raise ValueError(f'strategy="{strategy}" needs at least two classes, got a 1 x 1 matrix')
        pairs = permutations(range(counts.size), 2)
        cases = [(pair, PAIR_STRATEGIES[strategy](counts, *pair)) for pair in pairs]
        weights = [1] * len(cases)
    else:
        weights_of_classes = list(map(CLASS_WEIGHTS[strategy], counts.rows))
        cases = [((i,), counts.rest(i)) for i, weight in enumerate(weights_of_classes) if weight]
        weights = list(filter(None, weights_of_classes))
    whole_weight = sum(weights)
    values = _values_of_cases(measure, cases, undefined)
    terms = [(Fraction(weight, whole_weight), value) for weight, value in zip(weights, values)]
    return _sum(terms, exact)


def _values_of_cases(measure: Measure, cases: Sequence[Case], undefined: Undefined) -> list[MeasureNumber]:
    """Return the values of ``measure`` for some two-class tables.

    ``cases`` are pairs: the classes that a table is about, and its counts. ``undefined`` replaces values that are
    0/0, with one warning or error for all of them.
    """
    values = []
    for _, counts in cases:
        look()
        values.append(measure.of(counts))
    empty_cases = [case for case, value in zip(cases, values) if value is None]
    if not empty_cases:
        return values  # type: ignore[return-value]
    (classes, counts), *more_cases = empty_cases
    which_classes = "class " + " against class ".join(map(str, classes))
    if more_cases:
        and_others = f" (and of {len(more_cases)} more)"
    else:
        and_others = ""
    substitute = undefined_value(undefined, f"{measure.name} of {which_classes}{and_others}", counts.empty)
    return [substitute if value is None else value for value in values]


def _sum(terms: list[WeightedTerm], exact: bool) -> MeasureNumber:
    """Return the sum of weight times value over ``terms``, exactly, or as the nearest float if ``exact`` is False.

    If a value is a float, which replaces 0/0, the sum is this float.
    """
    parts: list[Term] = []
    for weight, value in terms:
        look()
        if isinstance(value, float):
            return value
        roots = value.terms if isinstance(value, RootSum) else [(value, 1)]
        parts += [(weight * w, q) for w, q in roots]
    if exact:
        return _rational_or_roots(RootSum.of(parts), True)
    return _rounded_terms(parts)


def _rounded_terms(parts: list[Term]) -> float:
    """Return the float nearest to a sum of roots.

    It is computed in fixed point if that is sufficient. The exact comparison of all roots of many classes would
    take too long.
    """
    lower, upper = map(float, RootSum(tuple(parts)).bounds(_BITS_OF_ROOTS))
    return lower if lower == upper else float(RootSum.of(parts))


def _rational_or_roots(value: MeasureNumber, exact: bool) -> MeasureNumber:
    """Return a value as a float or, if ``exact``, as a Fraction or an irrational `RootSum`."""
    if not exact:
        return float(value)
    if not isinstance(value, RootSum) or value.rational is None:
        return value
    return value.rational
