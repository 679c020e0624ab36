"""A classifier on a page: its matrix, every metric of every class, and of all of them together.

>>> print(classify(["cat", "cat", "dog", "dog", "dog"], ["cat", "dog", "dog", "dog", "dog"]))
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
accuracy              cor    0.8000  4/5
balanced accuracy     bcr    0.7500  3/4
Cohen's kappa         kappa  0.5455  6/11
Matthews correlation  mcc    0.6124  sqrt(3/8)
adjusted Rand index   ari    0.2308  3/13
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from confmat.answers import Answer, Part, counted, exact_json
from confmat.answers.sheets import Sheet
from confmat.cards.pages import MOST_LINES_ON_PAGE, exactly
from confmat.indices.classification import (
    ClassCounts,
    Metrics,
    all_metrics,
    confusion,
    kappa,
    mcc,
)
from confmat.indices.undefined import Undefined
from confmat.matrices.matrix import dense, label_values, relabel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Columns of a page and the measures under them; the names of JSON.
_COLUMNS = ("prec", "sens", "f")
_MORE_COLUMNS = ("spec", "gsp", "gss", "auc")
_MOST_ERRORS_ON_PAGE = 10  # of many classes, the most frequent ones
BY_CLASS = ("sens", "spec", "prec", "f", "gsp", "gss", "auc")
_ROWS_OF_WHOLE = {
    "cor": "accuracy",
    "bcr": "balanced accuracy",
    "kappa": "Cohen's kappa",
    "mcc": "Matthews correlation",
    "ari": "adjusted Rand index",
}


@dataclass(frozen=True, eq=False, repr=False)
class Classification(Answer):
    """The answer of ``classify``: the ``matrix`` with the names of its ``classes``, and its ``metrics``, exact.

    ``kappa`` and ``mcc`` beside them; ``beta`` of the F score.
    """

    matrix: Any
    classes: tuple[Any, ...]
    metrics: Metrics
    kappa: Any
    mcc: Any
    beta: Fraction = Fraction(1)
    names: tuple[str, str] = ("true class", "predicted class")
    counts: ClassCounts = field(repr=False, kw_only=True)

    def parts(self) -> Iterator[Part]:
        """The matrix, a line for every class, their means, and what is of the whole matrix.

        Of more than 16 classes a page shows the worst, and in place of the matrix its most frequent errors.
        """
        counts = self.counts
        labels = tuple(map(str, self.classes))
        classes = counted(counts.size, "class", "classes")
        yield f"{counted(counts.n, 'object')}, {classes} (rows: truth)."
        matrix = Sheet(
            ("", *labels),
            ("",),
            rows=self._matrix_rows(labels),
        )
        if counts.size > MOST_LINES_ON_PAGE:
            matrix.title = "The matrix, and every class: --format csv, --json."
            matrix.fold(0)
        yield matrix
        if counts.size > MOST_LINES_ON_PAGE:
            yield self._errors(labels)
        yield self._of_classes(labels)
        whole = Sheet(
            ("", " ", "  ", "   "),
            ("", " ", "   "),
        )
        for name, words in _ROWS_OF_WHOLE.items():
            value = self._of_all(name)
            whole.add_row(words, name, _four_decimals(value), exactly(value))
        yield whole

    def _matrix_rows(self, labels: tuple[str, ...]) -> list[tuple[Any, ...]]:
        return [(label, *row) for label, row in zip(labels, dense(self.matrix).tolist())]

    def _errors(self, labels: tuple[str, ...]) -> Sheet:
        """The cells beside the diagonal that are not empty, the fullest first."""
        errors: list[tuple[Any, ...]] = []
        for i, (label, *row) in enumerate(self._matrix_rows(labels)):
            row[i] = 0
            errors += [(label, other, x) for other, x in zip(labels, row) if x]
        errors.sort(key=lambda error: -error[-1])
        sheet = Sheet((*self.names, "objects"), self.names, "Most frequent errors", errors)
        sheet.fold(_MOST_ERRORS_ON_PAGE)
        return sheet

    def _of_classes(self, labels: tuple[str, ...]) -> Sheet:
        score = f"F{self.beta}"
        sheet = Sheet(("class", "precision", "recall", score, "support", *_MORE_COLUMNS), ("class",))
        measures = [getattr(self.metrics, name) for name in (*_COLUMNS, *_MORE_COLUMNS)]

        def line(name: str, support: int, values: list[Any]) -> None:
            texts = [_four_decimals(x) for x in values]
            sheet.add_row(
                name,
                *texts[:3],
                support,
                *texts[3:],
            )

        for i, label in enumerate(labels):
            line(
                label,
                self.counts.rows[i],
                [measure.classes[i] for measure in measures],
            )
        if self.counts.size > MOST_LINES_ON_PAGE:
            sheet.title = "Classes, the worst first"
            sheet.rows.sort(key=lambda cells: str(cells[3]))  # by F, with four decimals
        sheet.fold(MOST_LINES_ON_PAGE)
        n = self.counts.n
        line("macro", n, [_mean_of_values(measure.classes) for measure in measures])
        line("weighted", n, [measure.rest for measure in measures])
        if self.counts.size > 1:
            line("pairs", n, [measure.pairs for measure in measures])
        return sheet

    def _of_all(self, name: str) -> Any:
        if name in ("kappa", "mcc"):
            return getattr(self, name)
        return getattr(self.metrics, name)

    def as_dict(self) -> dict[str, Any]:
        """Classes, matrix, metrics of the whole, and of every class with their means over pairs and by frequency.

        >>> classify([[3, 1], [0, 4]]).to_json()["cor"]
        {'exact': '7/8', 'value': 0.875}
        """
        whole = {name: exact_json(self._of_all(name)) for name in _ROWS_OF_WHOLE}
        by_class = {}
        for name in BY_CLASS:
            measure = getattr(self.metrics, name)
            by_class[name] = {
                "classes": [exact_json(x) for x in measure.classes],
                "rest": exact_json(measure.rest),
                "pairs": exact_json(measure.pairs),
                "macro": exact_json(_mean_of_values(measure.classes)),
            }
        matrix = {"classes": self.classes, "matrix": [row[1:] for row in self._matrix_rows(self.classes)]}
        return {**matrix, **whole, **by_class}

    def plot(self) -> Figure:
        """The matrix as a picture, beside the metrics of its classes.

        >>> len(classify([[3, 1], [0, 4]]).plot().axes) > 1
        True
        """
        from confmat.plots import classifier

        figure: Any = classifier(self.matrix, (self.classes, self.classes), self.names).get_figure()
        return figure


def classify(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    match: bool = False,
    beta: Any = 1,
    undefined: Undefined = "nan",
) -> Classification:
    """Every metric of a classifier, from true and predicted labels or their confusion matrix (rows: truth).

    ``match``: clusters in place of predictions, each renamed to the class that it agrees with best.  ``beta``: weight
    of recall in F.  ``undefined``: the value of a ratio 0/0.

    >>> classify([0, 0, 1, 1], [1, 1, 0, 0], match=True).metrics.cor
    Fraction(1, 1)
    """
    names: tuple[str, ...] = ("true class", "predicted class")
    classes = None
    if y_pred is None:
        if match:
            raise ValueError("match must go with labels, got a matrix")
        matrix = matrix_or_y_true
    else:
        names = tuple(str(getattr(x, "name", None) or y) for x, y in zip((matrix_or_y_true, y_pred), names))
        predicted = relabel(matrix_or_y_true, y_pred) if match else y_pred
        classes = label_values([*matrix_or_y_true, *predicted])
        matrix = confusion(matrix_or_y_true, predicted)
    return classified(matrix, classes, names, beta=beta, undefined=undefined)


def classified(
    matrix: Any,
    classes: tuple[Any, ...] | None,
    names: tuple[str, ...],
    *,
    beta: Any = 1,
    undefined: Undefined = "nan",
) -> Classification:
    """The metrics of a confusion matrix whose classes are at hand, else numbered from 1.

    >>> classified([[3, 1], [0, 4]], ("no", "yes"), ("truth", "found")).classes
    ('no', 'yes')
    """
    counts = ClassCounts.of(matrix)
    return Classification(
        matrix=matrix,
        classes=tuple(range(1, counts.size + 1)) if classes is None else classes,
        metrics=all_metrics(counts, beta=beta, exact=True, undefined=undefined),
        kappa=kappa(matrix, exact=True, undefined=undefined),
        mcc=mcc(matrix, exact=True, undefined=undefined),
        beta=Fraction(beta),
        names=(names[0], names[1]),
        counts=counts,
    )


def _mean_of_values(values: tuple[Any, ...]) -> Any:
    """Their mean; of roots a double."""
    if all(isinstance(x, Fraction) for x in values):
        return sum(values, Fraction(0)) / len(values)
    return sum(map(float, values)) / len(values)


def _four_decimals(x: Any) -> str:
    if x is None or x != x:
        return "0/0"
    return f"{float(x):.4f}"
