"""Measures of a classifier's confusion matrix: per class, against the rest, over pairs of classes.

A measure is a formula of the four counts of two classes, tp, fn, fp and tn, numbers or arrays of them.  It gives a
numerator and a denominator, and of a geometric mean numbers whose product stands under a root besides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import isqrt, prod
from typing import Any, Protocol

from confmat.arguments import as_fraction
from confmat.indices.classification.counts import ClassCounts, TwoClass
from confmat.indices.classification.roots import RootSum, Term
from confmat.indices.metadata import named_after
from confmat.indices.pairs import answer
from confmat.indices.undefined import Undefined, check_undefined, undefined_value

ExactMeasure = Fraction | RootSum
MeasureNumber = Fraction | RootSum | float
MeasureValues = MeasureNumber | tuple[MeasureNumber, ...]

WeightedTerm = tuple[Fraction, MeasureNumber]

# One class (i,) against the rest, or one class against another (i, j), and their counts.
Case = tuple[tuple[int, ...], TwoClass]

# Means over pairs of classes, and what they look at in each.
PAIR_STRATEGIES = {"pairs": ClassCounts.pair, "ovo": ClassCounts.ovo}
MEAN_STRATEGIES = ("rest", *PAIR_STRATEGIES)

# Means over the classes against the rest: what a class counts in them by its number of objects (or arrays of these).
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
    """A measure of two classes by its name and its formula.

    >>> Measure("odds", lambda tp, fn, fp, tn: (tp, fn)).of(TwoClass(tp=2, fn=1, fp=3, tn=4))
    Fraction(2, 1)
    """

    name: str
    formula: MeasureFormula

    def of(self, counts: TwoClass) -> ExactMeasure | None:
        """The exact value, None where it is 0/0."""
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


# Those of the metrics below, by name.
MEASURES_OF_CLASS: dict[str, Measure] = {}


class Metric(Protocol):
    """A measure as a function of a confusion matrix, or of true and predicted labels."""

    def __call__(
        self,
        matrix_or_y_true: Any,
        y_pred: Any = None,
        /,
        *,
        strategy: str | None = None,
        label: int | None = None,
        exact: bool = False,
        undefined: Undefined = "warn",
    ) -> MeasureValues: ...


def metric_by(usual_strategy: str | None) -> Callable[[MeasureFormula], Metric]:
    """Make a metric of a formula: its measure by this strategy, unless another one is asked for."""

    def of_formula(formula: MeasureFormula) -> Metric:
        measure = MEASURES_OF_CLASS[formula.__name__] = Measure(formula.__name__, formula)

        def metric(
            matrix_or_y_true: Any,
            y_pred: Any = None,
            /,
            *,
            strategy: str | None = usual_strategy,
            label: int | None = None,
            exact: bool = False,
            undefined: Undefined = "warn",
        ) -> MeasureValues:
            counts = ClassCounts.of(matrix_or_y_true, y_pred)
            return evaluate_measure(measure, counts, strategy, label, exact, undefined)

        return named_after(formula, metric)

    return of_formula


def f_of_square(p: int, q: int) -> Measure:
    """The F-measure where the square of beta is p/q.

    >>> f_of_square(4, 1).of(TwoClass(tp=2, fn=1, fp=3, tn=4))
    Fraction(10, 17)
    """

    def formula(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, Any]:
        numerator = (p + q) * tp
        return numerator, numerator + p * fn + q * fp

    return Measure("f_measure", formula)


def f_beta(beta: Any) -> Measure:
    """The F-measure with a given weight of sensitivity against precision.

    >>> f_beta(2).of(TwoClass(tp=2, fn=1, fp=3, tn=4))
    Fraction(10, 17)
    """
    square = as_fraction("beta", beta) ** 2
    if beta < 0:
        raise ValueError(f"beta must be at least 0, got {beta}")
    return f_of_square(*square.as_integer_ratio())


# --- the whole matrix -----------------------------------------------------------------------------


def accuracy(matrix_or_y_true: Any, y_pred: Any = None, /, *, exact: bool = False) -> Fraction | float:
    """Share of objects predicted in their class, sum n_ii / n (correct rate, COR), from 0 to 1.

    >>> accuracy([[50, 0, 0], [0, 48, 2], [0, 1, 49]], exact=True)
    Fraction(49, 50)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred)
    return answer(Fraction(sum(counts.hits.values()), counts.n), exact)


def balanced_rate(matrix_or_y_true: Any, y_pred: Any = None, /, *, exact: bool = False) -> MeasureNumber:
    """Balanced correct rate (BCR): the mean sensitivity of the classes that hold an object, from 0 to 1.

    For two classes the mean of sensitivity and specificity (Santos & Embrechts 2009).  scikit-learn's
    ``balanced_accuracy_score``: classes without an object are left out there too, with a warning.

    >>> balanced_rate([[8, 2], [1, 4]], exact=True)
    Fraction(4, 5)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred)
    return mean_by("balanced", MEASURES_OF_CLASS["sensitivity"], counts, "raise", exact)


# --- one class against others ---------------------------------------------------------------------


@metric_by(None)
def sensitivity(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Sensitivity (recall, hit rate) tp / (tp + fn) of each class, as a tuple; 0/0 for a class without objects.

    >>> sensitivity([[8, 2], [1, 4]], exact=True)
    (Fraction(4, 5), Fraction(4, 5))
    """
    return tp, tp + fn


@metric_by(None)
def specificity(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Specificity tn / (tn + fp) of each class, as a tuple; 0/0 for a class that holds all objects.

    >>> specificity([[8, 2], [1, 4]], label=0, exact=True)
    Fraction(4, 5)
    """
    return tn, tn + fp


@metric_by(None)
def precision(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Precision tp / (tp + fp) of each class, as a tuple; 0/0 for a class in which nothing is predicted.

    >>> precision([[8, 2], [1, 4]], exact=True)
    (Fraction(8, 9), Fraction(2, 3))
    """
    return tp, tp + fp


def f_measure(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    beta: float | Fraction = 1,
    strategy: str | None = "rest",
    label: int | None = None,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """F-measure (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp), from 0 to 1: by default the one-vs-rest mean.

    The harmonic mean of sensitivity and precision for b = 1, precision for b = 0; Lewis & Gale (1994),
    Espindola & Ebecken (2005, equation 5; its "same importance" for b = 0 is a slip for b = 1).  Written with
    counts, as here and in scikit-learn, it is 0 for a class in which nothing is predicted, and 0/0 only where
    there is neither an object nor a prediction.

    >>> f_measure([[8, 2], [1, 4]], exact=True), f_measure([[8, 2], [1, 4]], strategy=None, exact=True)
    (Fraction(168, 209), (Fraction(16, 19), Fraction(8, 11)))
    """
    # reads: it takes what every metric takes
    measure = f_beta(beta)
    counts = ClassCounts.of(matrix_or_y_true, y_pred)
    return evaluate_measure(measure, counts, strategy, label, exact, undefined)


@metric_by("rest")
def g_mean_sp(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Geometric mean sqrt(sensitivity * precision), from 0 to 1: by default the one-vs-rest mean.

    Kubat, Holte & Matwin (1998); Espindola & Ebecken (2005, equation 6).  0/0 for a class without objects or
    predictions.  ``exact=True`` gives a `RootSum`; the square of one class's value is rational.

    >>> g = g_mean_sp([[8, 2], [1, 4]], label=0, exact=True)
    >>> g**2 == Fraction(32, 45)
    True
    """
    positive = tp + fn
    predicted_positive = tp + fp
    return tp, positive * predicted_positive, positive, predicted_positive


@metric_by("rest")
def g_mean_ss(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Geometric mean sqrt(sensitivity * specificity), from 0 to 1: by default the one-vs-rest mean.

    Kubat, Holte & Matwin (1998); Espindola & Ebecken (2005, equation 7).  0/0 for a class with no objects or
    with all of them.  ``exact=True`` gives a `RootSum` where it is irrational.  imbalanced-learn's
    ``geometric_mean_score(average=None)`` is the tuple of all classes; its "weighted" mean is the root of the
    product of the weighted means, and its default the K-th root of the product of all sensitivities.

    >>> g_mean_ss([[8, 2], [1, 4]], exact=True)
    Fraction(4, 5)
    """
    positive = tp + fn
    negative = tn + fp
    return 1, positive * negative, tp, tn, positive, negative


@metric_by("rest")
def discrete_auc(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Area under the ROC curve through one operating point, (sensitivity + specificity)/2, from 0 to 1.

    By default the one-vs-rest mean (Provost & Domingos 2001), which is scikit-learn's ``roc_auc_score`` of
    one-hot predictions with ``multi_class="ovr"``.  ``strategy="pairs"`` averages over pairs of classes and counts
    only the objects predicted in one of the two; ``strategy="ovo"`` counts all objects of the two, as Hand & Till
    (2001) and ``multi_class="ovo"`` do, and is 1/2 + (K BCR - 1)/(2(K - 1)) for K classes.  0/0 for a class with no
    objects or with all of them.

    >>> discrete_auc([[7, 3], [2, 8]], label=0, exact=True)
    Fraction(3, 4)
    >>> [discrete_auc([[5, 1, 1], [0, 6, 2], [1, 0, 3]], strategy=way, exact=True) for way in ("pairs", "ovo")]
    [Fraction(31, 36), Fraction(45, 56)]
    """
    positive = tp + fn
    negative = tn + fp
    return tp * negative + tn * positive, 2 * positive * negative


# --- shared ---------------------------------------------------------------------------------------


def evaluate_measure(
    measure: Measure,
    counts: ClassCounts,
    strategy: str | None,
    label: int | None,
    exact: bool,
    undefined: Undefined,
) -> MeasureValues:
    """A measure of one class, of every class (``strategy=None``), or its mean by a strategy.

    >>> counts = ClassCounts.of([[8, 2], [1, 4]])
    >>> evaluate_measure(f_beta(1), counts, strategy=None, label=None, exact=True, undefined="raise")
    (Fraction(16, 19), Fraction(8, 11))
    """
    check_undefined(undefined)
    if strategy is not None and strategy not in MEAN_STRATEGIES:
        raise ValueError(f'strategy must be "rest", "pairs", "ovo" or None, got {strategy!r}')
    if label is not None and strategy in PAIR_STRATEGIES:
        raise ValueError(
            f'label={label!r} asks for one class against the rest, strategy="{strategy}" does not'
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
    """The mean of a measure by a strategy, or by another of ``CLASS_WEIGHTS``.

    >>> counts = ClassCounts.of([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    >>> [str(mean_by(strategy, f_beta(1), counts, "raise")) for strategy in MEAN_STRATEGIES]
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
    """The measure in some cases, with one warning or error for all that are 0/0."""
    values = [measure.of(counts) for _, counts in cases]
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
    """Sum of weight times value; all floats are the caller's one number for 0/0, infinite or NaN."""
    parts: list[Term] = []
    for weight, value in terms:
        if isinstance(value, float):
            return value
        roots = value.terms if isinstance(value, RootSum) else [(value, 1)]
        parts += [(weight * w, q) for w, q in roots]
    if exact:
        return _rational_or_roots(RootSum.of(parts), True)
    return _rounded_terms(parts)


def _rounded_terms(parts: list[Term]) -> float:
    """The sum of roots as a double, correctly rounded: in fixed point where that decides it, else exactly.

    The common denominator of many classes, or the comparison of all their roots, would take too long.
    """
    if all(w >= 0 for w, _ in parts):
        rounded_down = 0
        for w, q in parts:
            rounded_down += isqrt((w.numerator**2 * q << 2 * _BITS_OF_ROOTS) // w.denominator**2)
        ends = {
            float(Fraction(end, 1 << _BITS_OF_ROOTS)) for end in (rounded_down, rounded_down + len(parts))
        }
        if len(ends) == 1:
            return ends.pop()
    return float(RootSum.of(parts))


def _rational_or_roots(value: MeasureNumber, exact: bool) -> MeasureNumber:
    if not exact:
        return float(value)
    if not isinstance(value, RootSum) or value.rational is None:
        return value
    return value.rational


# Short names, as they stand in files, in laws and on the command line.
cor = accuracy
balanced_accuracy = balanced_rate
bcr = balanced_rate
f = f_measure
f1_weighted = f_measure
gsp = g_mean_sp
gss = g_mean_ss
auc = discrete_auc
