"""Report on a classifier: the metrics of each class and of the whole confusion matrix.

>>> print(classification_report(["cat", "cat", "dog", "dog", "dog"], ["cat", "dog", "dog", "dog", "dog"]))
5 objects, 2 classes (rows: truth).
<BLANKLINE>
     cat  dog
─────────────
cat    1    1
dog    0    3
<BLANKLINE>
class     precision  recall      F1  support    spec     gsp     gss     auc
────────────────────────────────────────────────────────────────────────────
cat          1.0000  0.5000  0.6667        2  1.0000  0.7071  0.7071  0.7500
dog          0.7500  1.0000  0.8571        3  0.5000  0.8660  0.7071  0.7500
macro        0.8750  0.7500  0.7619        5  0.7500  0.7866  0.7071  0.7500
weighted     0.8500  0.8000  0.7810        5  0.7000  0.8025  0.7071  0.7500
pairs        0.8750  0.7500  0.7619        5  0.7500  0.7866  0.7071  0.7500
<BLANKLINE>
accuracy              accuracy           0.8000
balanced accuracy     balanced_accuracy  0.7500
Cohen's kappa         kappa              0.5455
Matthews correlation  mcc                0.6124
adjusted Rand index   ari                0.2308
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from confmat._display import Answer, Part, counted, exact_json
from confmat._display.sheets import Sheet
from confmat._limits import Limits, limited
from confmat.contingency.labels import as_paired_labels, label_values
from confmat.contingency.matrix import axis_labels, dense
from confmat.errors import TooLargeError
from confmat.indices.classification import ClassCounts, Metrics, all_metrics, kappa, mcc
from confmat.indices.classification.counts import as_confusion_table
from confmat.indices.classification.report import MOST_CLASSES_IN_PAIRS, ByClass

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Measures of a class in the order of the columns. The support is printed after the first three.
_MEASURES = ("precision", "recall", "f", "specificity", "gsp", "gss", "auc")
_TITLES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "kappa": "Cohen's kappa",
    "mcc": "Matthews correlation",
    "ari": "adjusted Rand index",
}
_MOST_CLASSES_SHOWN = 16  # classes in print
_MOST_WITH_MATRIX = 1000  # classes whose matrix is part of the answer


# A report on this number of classes takes about a minute.
_MOST_CLASSES_REPORTED = 100_000


@dataclass(frozen=True, eq=False, repr=False)
class Classification(Answer):
    """Result of `classification_report`.

    Attributes
    ----------
    matrix : array
        The confusion matrix. Rows are the true classes.
    classes : tuple
        Names of the classes.
    metrics : Metrics
        Exact metrics of each class and of the whole matrix.
    overall : dict of str to number
        Accuracy, balanced accuracy, kappa, MCC and ARI by short name.
    support : tuple of int
        Number of objects of each true class.
    """

    matrix: Any
    classes: tuple[Any, ...]
    metrics: Metrics
    overall: dict[str, Any]
    support: tuple[int, ...]

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text.

        They are the matrix, the metrics of each class and their means, and the overall metrics.
        """
        classes = counted(len(self.classes), "class", "classes")
        yield f"{counted(sum(self.support), 'object')}, {classes} (rows: truth)."
        if len(self.classes) <= _MOST_WITH_MATRIX:
            matrix = Sheet(("", *map(str, self.classes)), ("",))
            for label, row in zip(self.classes, dense(self.matrix).tolist()):
                matrix.add_row(str(label), *row)
            if len(self.classes) > _MOST_CLASSES_SHOWN:
                matrix.fold(0)
            yield matrix
        if len(self.classes) > MOST_CLASSES_IN_PAIRS:
            yield f"Means over pairs are computed for at most {MOST_CLASSES_IN_PAIRS} classes."
        yield self._class_sheet()
        overall = Sheet(("", " ", "  "), ("", " "))
        for name, title in _TITLES.items():
            overall.add_row(title, name, _four_decimals(self.overall[name]))
        yield overall

    def _class_sheet(self) -> Sheet:
        """Return the table of the metrics of each class and their means."""
        sheet = Sheet(("class", "precision", "recall", "F1", "support", "spec", *_MEASURES[4:]), ("class",))
        names = (*self.classes, "macro", "weighted", "pairs")
        sizes = (*self.support, *[sum(self.support)] * 3)
        values = [_values_and_means(getattr(self.metrics, name)) for name in _MEASURES]
        for name, size, line in zip(names, sizes, zip(*values)):
            texts = [*map(_four_decimals, line)]
            sheet.add_row(str(name), *texts[:3], size, *texts[3:])
            if len(sheet.rows) == len(self.classes):
                sheet.fold(_MOST_CLASSES_SHOWN)
        return sheet

    def _facts(self) -> dict[str, Any]:
        """Return the fields of the JSON output.

        They are classes, matrix, overall metrics, and metrics of each class with their means.

        >>> classification_report([[3, 1], [0, 4]]).to_json()["accuracy"]
        {'exact': '7/8', 'value': 0.875}
        """
        numbers: dict[str, Any] = {name: exact_json(value) for name, value in self.overall.items()}
        for name in _MEASURES:
            measure = getattr(self.metrics, name)
            numbers[name] = {
                "classes": [exact_json(x) for x in measure.classes],
                "rest": exact_json(measure.rest),
                "pairs": exact_json(measure.pairs),
                "macro": exact_json(_macro(measure)),
            }
        matrix = dense(self.matrix).tolist() if len(self.classes) <= _MOST_WITH_MATRIX else None
        return {"classes": self.classes, "matrix": matrix, **numbers}

    def plot(self) -> Figure:
        """Draw the matrix, and the metrics of its classes.

        Returns
        -------
        matplotlib.figure.Figure

        Examples
        --------
        >>> len(classification_report([[3, 1], [0, 4]]).plot().axes) > 1
        True
        """
        from confmat.plots import classifier

        figure: Any = classifier(self.matrix, (self.classes, self.classes)).get_figure()
        return figure


@limited
def classification_report(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    rows: str | None = None,
    limits: Limits | None = None,
) -> Classification:
    """Return every metric of a classifier.

    Parameters
    ----------
    matrix_or_y_true : array_like
        A confusion matrix with true classes in rows, or the true labels.
    y_pred : array_like, optional
        The predicted labels of the same objects.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    limits : Limits, optional
        Time and memory. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    Classification
        A metric that is 0/0 is nan.

    Raises
    ------
    ValueError
        If the matrix is not square, has no object, has totals, or has names that contradict each other. Also if
        labels have different lengths or types.

    Examples
    --------
    >>> classification_report([0, 0, 1, 1], [0, 1, 1, 1]).overall["accuracy"]
    Fraction(3, 4)
    """
    if y_pred is not None:
        matrix_or_y_true, y_pred = as_paired_labels(y_true=matrix_or_y_true, y_pred=y_pred)
    matrix = as_confusion_table(matrix_or_y_true, y_pred, rows)
    classes, _ = axis_labels(matrix)
    if y_pred is not None:
        classes = label_values([*label_values(matrix_or_y_true), *label_values(y_pred)])
    counts = ClassCounts.of(matrix)
    if counts.size > _MOST_CLASSES_REPORTED:
        raise TooLargeError(
            f"a report must have at most {_MOST_CLASSES_REPORTED:,} classes, got {counts.size:,}"
        )
    metrics = all_metrics(counts, exact=True, undefined="nan")
    overall = {"accuracy": metrics.accuracy, "balanced_accuracy": metrics.balanced_accuracy}
    overall["kappa"] = kappa(counts, exact=True, undefined="nan")
    overall["mcc"] = mcc(counts, exact=True, undefined="nan")
    overall["ari"] = metrics.ari
    return Classification(matrix, classes, metrics, overall, counts.rows)


def _macro(measure: ByClass) -> Any:
    """Return the mean over classes of the metric ``measure``, as a float if a value is irrational."""
    values = measure.classes
    if all(isinstance(x, Fraction) for x in values):
        return sum(values) / len(values)
    return sum(map(float, values)) / len(values)


def _values_and_means(measure: ByClass) -> list[Any]:
    """Return a list: the value of ``measure`` for each class, then its means.

    These are the macro mean, the mean weighted by the frequencies of the classes and, if it was computed, the mean
    over pairs of classes.
    """
    means = [_macro(measure), measure.rest, measure.pairs]
    return [*measure.classes, *means[: 2 + (measure.pairs is not None)]]


def _four_decimals(x: Any) -> str:
    """Return a number with four decimal places, or "0/0" for nan."""
    return "0/0" if x != x else f"{float(x):.4f}"
