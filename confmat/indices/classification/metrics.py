"""Metrics of a classifier: each of one class, of all, or their mean over the classes or over pairs of them.

>>> f_measure([[8, 2], [1, 4]], strategy=None, exact=True), f_pairs([[8, 2], [1, 4]], exact=True)
((Fraction(16, 19), Fraction(8, 11)), Fraction(164, 209))

A score of the whole matrix is recorded: it becomes a statistic, in the order in which they stand here.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, Protocol

from confmat.indices.classification.batch import class_means
from confmat.indices.classification.counts import ClassCounts
from confmat.indices.classification.measures import (
    PAIR_STRATEGIES,
    Measure,
    MeasureFormula,
    MeasureNumber,
    MeasureValues,
    evaluate_measure,
    f_beta,
    mean_by,
)
from confmat.indices.classification.roots import RootSum
from confmat.indices.metadata import named_after
from confmat.indices.records import Function, recorded
from confmat.indices.undefined import Undefined, check_undefined

# Those of the metrics below, by name.
MEASURES_OF_CLASS: dict[str, Measure] = {"f_measure": f_beta(1)}


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
        rows: str | None = None,
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
            rows: str | None = None,
            undefined: Undefined = "warn",
        ) -> MeasureValues:
            counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)
            return evaluate_measure(measure, counts, strategy, label, exact, undefined)

        return named_after(formula, metric)

    return of_formula


class Mean(Protocol):
    """The mean of a measure as a function of a confusion matrix, or of true and predicted labels."""

    def __call__(
        self,
        matrix_or_y_true: Any,
        y_pred: Any = None,
        /,
        *,
        exact: bool = False,
        rows: str | None = None,
        undefined: Undefined = "warn",
    ) -> MeasureNumber: ...


def _as_roots(index: Callable[..., Any], table: Any) -> Any:
    """Return the mean of a geometric mean as a sum of roots, also where it is rational; nan for 0/0."""
    value = index(table, exact=True, undefined="nan")
    return value + RootSum(()) if value == value else value


def recorded_score(
    name: str, measure: str, strategy: str, *, symmetric: bool = False, **fields: Any
) -> Callable[[Function], Function]:
    """Record a function as a statistic that is the mean of a measure by a strategy.

    ``symmetric``: whether truth and prediction may be exchanged.
    """
    claims: dict[str, Any] = {"identity": 1}
    if strategy in PAIR_STRATEGIES:
        claims["undefined"] = (ValueError,)  # there must be two classes
    if symmetric:
        claims["symmetric"] = True

    def of_function(function: Function) -> Function:
        of_class = MEASURES_OF_CLASS[measure]
        record = recorded(
            name,
            claims=claims,
            batch=partial(class_means, of_class, strategy),
            evaluated_by=None if of_class.is_rational else _as_roots,
            symmetry="simultaneous",
            bounds=(0, 1),
            **fields,
        )
        return record(function)

    return of_function


def mean_over(name: str, measure: str, strategy: str, **fields: Any) -> Callable[[Callable[[], None]], Mean]:
    """Make and record the mean of a measure by a strategy, of a function that says in words what it is."""

    def of_words(words: Callable[[], None]) -> Mean:
        def index(
            matrix_or_y_true: Any,
            y_pred: Any = None,
            /,
            *,
            exact: bool = False,
            rows: str | None = None,
            undefined: Undefined = "warn",
        ) -> MeasureNumber:
            counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)
            check_undefined(undefined)
            return mean_by(strategy, MEASURES_OF_CLASS[measure], counts, undefined, exact)

        made: Mean = named_after(words, index)
        return recorded_score(name, measure, strategy, **fields)(made)

    return of_words


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


@recorded_score("auc", "discrete_auc", "rest", title="discrete AUC", label="AUC (discrete AUC)")
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


@mean_over(
    "auc_pairs",
    "discrete_auc",
    "pairs",
    title="discrete AUC, pairs",
    label="AUC (discrete AUC, pairs)",
    aliases=(partial(discrete_auc, strategy="pairs"),),
)
def auc_pairs() -> None:
    """Mean of (sensitivity + specificity)/2 over ordered pairs of classes (`discrete_auc`).

    >>> auc_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(37, 40)
    """


@recorded_score("f1_weighted", "f_measure", "rest", names=("f", "weighted_f1"), title="weighted F1")
def f_measure(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    beta: float | Fraction = 1,
    strategy: str | None = "rest",
    label: int | None = None,
    exact: bool = False,
    rows: str | None = None,
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
    counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)
    return evaluate_measure(measure, counts, strategy, label, exact, undefined)


@recorded_score(
    "f_pairs",
    "f_measure",
    "pairs",
    title="F-measure, pairs",
    label="F (F-measure, pairs)",
    aliases=(partial(f_measure, strategy="pairs"),),
    symmetric=True,
)
def f_pairs(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    beta: float | Fraction = 1,
    exact: bool = False,
    rows: str | None = None,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """Mean F-measure over ordered pairs of classes (`f_measure`).

    >>> f_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(851, 945)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)
    return f_measure(counts, beta=beta, strategy="pairs", exact=exact, undefined=undefined)


@recorded_score("gsp", "g_mean_sp", "rest", title="G-mean sens/prec", label="GSP (G-mean sens/prec)")
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


@mean_over(
    "gsp_pairs",
    "g_mean_sp",
    "pairs",
    title="G-mean sens/prec, pairs",
    label="GSP (G-mean sens/prec, pairs)",
    aliases=(partial(g_mean_sp, strategy="pairs"),),
    symmetric=True,
)
def gsp_pairs() -> None:
    """Mean of sqrt(sensitivity * precision) over ordered pairs of classes (`g_mean_sp`).

    >>> gsp_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    0.9071624299160865
    """


@recorded_score("gss", "g_mean_ss", "rest", title="G-mean sens/spec", label="GSS (G-mean sens/spec)")
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


@mean_over(
    "gss_pairs",
    "g_mean_ss",
    "pairs",
    title="G-mean sens/spec, pairs",
    label="GSS (G-mean sens/spec, pairs)",
    aliases=(partial(g_mean_ss, strategy="pairs"),),
)
def gss_pairs() -> None:
    """Mean of sqrt(sensitivity * specificity) over ordered pairs of classes (`g_mean_ss`).

    >>> gss_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    0.9201508649281182
    """


@mean_over(
    "auc3",
    "discrete_auc",
    "ovo",
    title="discrete AUC, Hand & Till",
    label="AUC (discrete AUC, Hand & Till)",
    aliases=(partial(discrete_auc, strategy="ovo"),),
)
def auc3() -> None:
    """Mean of (sensitivity + specificity)/2 over pairs of classes with all their objects (Hand & Till 2001).

    >>> auc3([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(71, 80)
    """


# Short names, as they stand in files, in laws and on the command line.
f = f_measure
f1_weighted = f_measure
gsp = g_mean_sp
gss = g_mean_ss
auc = discrete_auc
