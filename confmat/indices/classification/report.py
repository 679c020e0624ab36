"""All metrics of a confusion matrix at once."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from confmat.indices.classification.counts import ClassCounts
from confmat.indices.classification.macro import accuracy, balanced_accuracy
from confmat.indices.classification.measures import Measure, MeasureNumber, evaluate_measure, measure_f
from confmat.indices.classification.metrics import MEASURES_OF_CLASS
from confmat.indices.pairs import PairSums, answer
from confmat.indices.undefined import Undefined

MOST_CLASSES_IN_PAIRS = 100


@dataclass(frozen=True)
class ByClass:
    """Values of a measure: one for every class against the rest, and two means.

    The means are over classes by their frequency (``rest``), and over pairs of classes (``pairs``). ``pairs`` is
    None for a single class, and for more than 100 classes.
    """

    classes: tuple[MeasureNumber, ...]
    rest: MeasureNumber
    pairs: MeasureNumber | None = None


@dataclass(frozen=True)
class Metrics:
    """All metrics of a confusion matrix by short name."""

    accuracy: MeasureNumber
    balanced_accuracy: MeasureNumber
    ari: MeasureNumber
    recall: ByClass
    specificity: ByClass
    precision: ByClass
    f: ByClass
    gsp: ByClass
    gss: ByClass
    auc: ByClass


def all_metrics(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    beta: float | Fraction = 1,
    exact: bool = False,
    rows: str | None = None,
    undefined: Undefined = "warn",
) -> Metrics:
    """Return every metric of a confusion matrix, and the adjusted Rand index.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    beta : float or Fraction
        Weight of the sensitivity. Default: 1.
    exact : bool
        Return an exact number: a Fraction, or a `RootSum` if it is irrational. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    Metrics

    Examples
    --------
    A classifier that separates the classes and exchanges their names:

    >>> liar = all_metrics([[0, 5], [5, 0]], exact=True)
    >>> liar.accuracy, liar.ari, liar.f.classes
    (Fraction(0, 1), Fraction(1, 1), (Fraction(0, 1), Fraction(0, 1)))
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)

    def by_class(measure: Measure) -> ByClass:
        strategies = [None, "rest"]
        if 1 < counts.size <= MOST_CLASSES_IN_PAIRS:
            strategies.append("pairs")
        values: list[Any] = []
        for strategy in strategies:
            values.append(evaluate_measure(measure, counts, strategy, None, exact, undefined))
        return ByClass(*values)

    ari = 1 - PairSums.of_cells(counts.nonzero).adjusted_rand_distance
    return Metrics(
        accuracy=accuracy(counts, exact=exact),
        balanced_accuracy=balanced_accuracy(counts, exact=exact),
        ari=answer(ari, exact),
        recall=by_class(MEASURES_OF_CLASS["sensitivity"]),
        specificity=by_class(MEASURES_OF_CLASS["specificity"]),
        precision=by_class(MEASURES_OF_CLASS["precision"]),
        f=by_class(measure_f(beta)),
        gsp=by_class(MEASURES_OF_CLASS["g_mean_sp"]),
        gss=by_class(MEASURES_OF_CLASS["g_mean_ss"]),
        auc=by_class(MEASURES_OF_CLASS["auc"]),
    )
