"""Metrics of a classifier: of one class, of each class, or their mean over classes or over pairs of classes.

>>> f_beta([[8, 2], [1, 4]], strategy=None, exact=True), f_pairs([[8, 2], [1, 4]], exact=True)
((Fraction(16, 19), Fraction(8, 11)), Fraction(164, 209))



A score of the whole matrix is recorded as a statistic, in the order of the definitions below.
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
    mean_by,
    measure_f,
)
from confmat.indices.classification.roots import RootSum
from confmat.indices.metadata import named_after
from confmat.indices.records import Function, recorded
from confmat.indices.undefined import Undefined, check_undefined

# Measures of the metrics below, by name.
MEASURES_OF_CLASS: dict[str, Measure] = {"f_measure": measure_f(1)}


class Metric(Protocol):
    """Function that computes a measure from a confusion matrix, or from true and predicted labels."""

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
    """Return a decorator that turns a formula of tp, fn, fp and tn into a metric of a confusion matrix.

    ``usual_strategy`` is the default of its argument ``strategy``.
    """

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
    """Function that computes the mean of a measure from a confusion matrix, or from true and predicted labels."""

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
    """Return the value of ``index``, a mean of geometric means, as a `RootSum` even if it is rational.

    Return nan for 0/0.
    """
    value = index(table, exact=True, undefined="nan")
    return value + RootSum(()) if value == value else value


def recorded_score(
    name: str, measure: str, strategy: str, *, symmetric: bool = False, **fields: Any
) -> Callable[[Function], Function]:
    """Return a decorator that records a function as a statistic of a classifier.

    The statistic is the mean of ``measure``, such as "recall". ``strategy`` says over which two-class problems the
    mean is taken, such as "rest" (each class against the rest). ``symmetric`` is True if truth and prediction can
    be exchanged. ``fields`` are those of `recorded`.
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
    """Return a decorator that makes and records a statistic: the mean of a measure over classes by a strategy.

    The decorated function has only the name and the docstring of the statistic.
    """

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
    """Return the sensitivity (recall, hit rate) tp/(tp + fn) of each class.

    It is 0/0 for a class without objects.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    strategy : {"rest", "pairs", "ovo"} or None
        Mean over classes or over pairs of classes, see `confmat.indices.classification`. Default: None, a tuple of
        all classes.
    label : int, optional
        Number of the class, counted from 0, whose value is returned.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float, Fraction or tuple
        From 0 to 1.

    Examples
    --------
    >>> sensitivity([[8, 2], [1, 4]], exact=True)
    (Fraction(4, 5), Fraction(4, 5))
    """
    return tp, tp + fn


@metric_by(None)
def specificity(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Return the specificity tn/(tn + fp) of each class.

    It is 0/0 for a class that has all objects.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    strategy : {"rest", "pairs", "ovo"} or None
        Mean over classes or over pairs of classes, see `confmat.indices.classification`. Default: None, a tuple of
        all classes.
    label : int, optional
        Number of the class, counted from 0, whose value is returned.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float, Fraction or tuple
        From 0 to 1.

    Examples
    --------
    >>> specificity([[8, 2], [1, 4]], label=0, exact=True)
    Fraction(4, 5)
    """
    return tn, tn + fp


@metric_by(None)
def precision(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Return the precision tp/(tp + fp) of each class.

    It is 0/0 for a class without predictions.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    strategy : {"rest", "pairs", "ovo"} or None
        Mean over classes or over pairs of classes, see `confmat.indices.classification`. Default: None, a tuple of
        all classes.
    label : int, optional
        Number of the class, counted from 0, whose value is returned.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float, Fraction or tuple
        From 0 to 1.

    Examples
    --------
    >>> precision([[8, 2], [1, 4]], exact=True)
    (Fraction(8, 9), Fraction(2, 3))
    """
    return tp, tp + fp


@recorded_score(
    "auc", "auc", "rest", names=("roc_auc_score",), title="discrete AUC", label="AUC (discrete AUC)"
)
@metric_by("rest")
def auc(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Return the area under the ROC curve through one operating point, (sensitivity + specificity)/2.

    The default mean over classes is scikit-learn's ``roc_auc_score`` of one-hot predictions with
    ``multi_class="ovr"``. The mean by the strategy "ovo" is that of scikit-learn's ``multi_class="ovo"``. It equals
    1/2 + (K BCR - 1)/(2(K - 1)) for K classes and the balanced accuracy BCR.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    strategy : {"rest", "pairs", "ovo"} or None
        Mean over classes or over pairs of classes, see `confmat.indices.classification`. None: a tuple of all
        classes. Default: "rest".
    label : int, optional
        Number of the class, counted from 0, whose value is returned.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float, Fraction or tuple
        From 0 to 1. It is 0/0 for a class without objects, or with all objects.

    References
    ----------
    Provost and Domingos (2001) for "rest". Hand and Till (2001) for "ovo".

    Examples
    --------
    >>> auc([[7, 3], [2, 8]], label=0, exact=True)
    Fraction(3, 4)
    >>> [auc([[5, 1, 1], [0, 6, 2], [1, 0, 3]], strategy=way, exact=True) for way in ("pairs", "ovo")]
    [Fraction(31, 36), Fraction(45, 56)]
    """
    positive = tp + fn
    negative = tn + fp
    return tp * negative + tn * positive, 2 * positive * negative


@mean_over(
    "auc_pairs",
    "auc",
    "pairs",
    title="discrete AUC, pairs",
    label="AUC (discrete AUC, pairs)",
    aliases=(partial(auc, strategy="pairs"),),
)
def auc_pairs() -> None:
    """Return the mean of (sensitivity + specificity)/2 over ordered pairs of classes (`auc`).

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float or Fraction
        From 0 to 1.

    Examples
    --------
    >>> auc_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(37, 40)
    """


@recorded_score(
    "f_beta",
    "f_measure",
    "rest",
    names=("f", "f1_weighted", "weighted_f1"),
    title="weighted F1",
)
def f_beta(
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
    """Return the F-measure (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp) with b = ``beta``.

    For b = 1 it is the harmonic mean of sensitivity and precision, and for b = 0 the precision.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    beta : float or Fraction
        Weight of the sensitivity. Default: 1.
    strategy : {"rest", "pairs", "ovo"} or None
        Mean over classes or over pairs of classes, see `confmat.indices.classification`. None: a tuple of all
        classes. Default: "rest".
    label : int, optional
        Number of the class, counted from 0, whose value is returned.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float, Fraction or tuple
        From 0 to 1. It is 0 for a class without predictions, and 0/0 for a class without objects and predictions.

    References
    ----------
    Lewis and Gale (1994). Espindola and Ebecken (2005), equation 5, whose "same importance" for b = 0 is a misprint
    for b = 1.

    Examples
    --------
    >>> f_beta([[8, 2], [1, 4]], exact=True), f_beta([[8, 2], [1, 4]], strategy=None, exact=True)
    (Fraction(168, 209), (Fraction(16, 19), Fraction(8, 11)))
    """
    # reads: it has the parameters of every metric
    measure = measure_f(beta)
    counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)
    return evaluate_measure(measure, counts, strategy, label, exact, undefined)


@recorded_score(
    "f_pairs",
    "f_measure",
    "pairs",
    title="F-measure, pairs",
    label="F (F-measure, pairs)",
    aliases=(partial(f_beta, strategy="pairs"),),
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
    """Return the mean F-measure over ordered pairs of classes (`f_beta`).

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    beta : float or Fraction
        Weight of the sensitivity. Default: 1.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float or Fraction
        From 0 to 1.

    Examples
    --------
    >>> f_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(851, 945)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)
    return f_beta(counts, beta=beta, strategy="pairs", exact=exact, undefined=undefined)


@recorded_score("gsp", "g_mean_sp", "rest", title="G-mean sens/prec", label="GSP (G-mean sens/prec)")
@metric_by("rest")
def g_mean_sp(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Return the geometric mean sqrt(sensitivity * precision).

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    strategy : {"rest", "pairs", "ovo"} or None
        Mean over classes or over pairs of classes, see `confmat.indices.classification`. None: a tuple of all
        classes. Default: "rest".
    label : int, optional
        Number of the class, counted from 0, whose value is returned.
    exact : bool
        Return an exact number: a Fraction, or a `RootSum` if it is irrational. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float, RootSum or tuple
        From 0 to 1. It is 0/0 for a class without objects or without predictions.

    References
    ----------
    Kubat, Holte and Matwin (1998). Espindola and Ebecken (2005), equation 6.

    Examples
    --------
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
    """Return the mean of sqrt(sensitivity * precision) over ordered pairs of classes (`g_mean_sp`).

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return an exact number: a Fraction, or a `RootSum` if it is irrational. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float or RootSum
        From 0 to 1.

    Examples
    --------
    >>> gsp_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    0.9071624299160865
    """


@recorded_score("gss", "g_mean_ss", "rest", title="G-mean sens/spec", label="GSS (G-mean sens/spec)")
@metric_by("rest")
def g_mean_ss(tp: Any, fn: Any, fp: Any, tn: Any) -> tuple[Any, ...]:
    """Return the geometric mean sqrt(sensitivity * specificity).

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    strategy : {"rest", "pairs", "ovo"} or None
        Mean over classes or over pairs of classes, see `confmat.indices.classification`. None: a tuple of all
        classes. Default: "rest".
    label : int, optional
        Number of the class, counted from 0, whose value is returned.
    exact : bool
        Return an exact number: a Fraction, or a `RootSum` if it is irrational. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float, Fraction, RootSum or tuple
        From 0 to 1. It is 0/0 for a class without objects, or with all objects.

    Notes
    -----
    imbalanced-learn's ``geometric_mean_score(average=None)`` is the tuple of all classes. Its "weighted" mean is
    the root of the product of the weighted means. Its default is the K-th root of the product of all sensitivities.

    References
    ----------
    Kubat, Holte and Matwin (1998). Espindola and Ebecken (2005), equation 7.

    Examples
    --------
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
    """Return the mean of sqrt(sensitivity * specificity) over ordered pairs of classes (`g_mean_ss`).

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return an exact number: a Fraction, or a `RootSum` if it is irrational. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float or RootSum
        From 0 to 1.

    Examples
    --------
    >>> gss_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    0.9201508649281182
    """


@mean_over(
    "auc3",
    "auc",
    "ovo",
    title="discrete AUC, Hand & Till",
    label="AUC (discrete AUC, Hand & Till)",
    aliases=(partial(auc, strategy="ovo"),),
)
def auc3() -> None:
    """Return the mean of (sensitivity + specificity)/2 over ordered pairs of classes, as in Hand and Till (2001).

    All objects of the two classes are counted. An object that is not predicted in the first class counts as predicted
    in the second.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float or Fraction
        From 0 to 1.

    References
    ----------
    Hand and Till (2001).

    Examples
    --------
    >>> auc3([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(71, 80)
    """


# Short names, as in files, distributions and on the command line.
gsp = g_mean_sp
gss = g_mean_ss
