"""The command ``classify``: every metric of a classifier, from true and predicted labels or their matrix."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import isinf
from typing import TYPE_CHECKING, Annotated, Any

import typer

import confmat as cm
from confmat.cli.inputs import (
    ColumnNames,
    Compared,
    File,
    Header,
    Matrix,
    Missing,
    Separator,
    TableSource,
    read_table,
)
from confmat.cli.output import (
    Failure,
    Format,
    Page,
    Plot,
    Published,
    checked,
    number_of,
    pictured,
    plain_table,
    print_json,
    whole,
)
from confmat.indices.numbers import number_json

if TYPE_CHECKING:
    from confmat.indices.classification import ClassCounts, Metrics, Number

_WHOLE = ("cor", "bcr", "ari")
_BY_CLASS = ("sens", "spec", "prec", "f", "gsp", "gss", "auc")


def classify(
    file: File = None,
    columns: ColumnNames = None,
    matrix: Matrix = None,
    sep: Separator = None,
    header: Header = None,
    na: Missing = "refuse",
    match: Annotated[
        bool,
        typer.Option("--match", help="Rename predicted labels to the classes that they agree with best."),
    ] = False,
    beta: Annotated[
        str,
        typer.Option(metavar="B", help="Weight of sensitivity in F, 1 for equal weights, such as 2 or 1/2."),
    ] = "1",
    undefined: Annotated[
        float | None, typer.Option(metavar="X", help="The value of a ratio 0/0, such as 0; by default none.")
    ] = None,
    plot: Plot = None,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: short name, number.")] = False,
) -> None:
    """Every metric of a classifier, from true and predicted labels or a matrix.

    Of each class against the rest: sensitivity, specificity, precision, F,
    gsp = sqrt(sens prec), gss = sqrt(sens spec), auc = (sens + spec)/2; then
    their means: "rest" weighted by class frequency, "pairs" over pairs.

    \b
    True and predicted labels in two columns of a CSV file:
      confmat classify labels.csv --columns truth,prediction
    Clusters in place of predictions, each renamed to the class that it matches:
      confmat classify labels.csv --columns truth,cluster --match
    A confusion matrix, rows true classes; ratios 0/0 count 0, as in scikit-learn:
      confmat classify --matrix "50,0,0;0,48,2;0,1,49" --undefined 0
    The same for a program, {"cor": {"exact": "49/50", "value": 0.98}, ...}:
      confmat classify --matrix "50,0,0;0,48,2;0,1,49" --json
    """
    from confmat.indices.classification import ClassCounts, all_metrics

    if undefined is not None and isinf(undefined):
        raise Failure(f"--undefined must be finite or nan, got {undefined}")
    if match and matrix is not None:
        raise Failure("--match belongs to FILE, not to --matrix")
    table = read_table(TableSource(file, columns, matrix, sep, header, na), partial(confused, match=match))
    with checked():
        counts = ClassCounts.of(table.matrix)
        metrics = all_metrics(
            counts,
            beta=_fraction("--beta", beta),
            exact=True,
            undefined="nan" if undefined is None else undefined,
        )
    table.tell()
    names = table.names if file is not None else ("true class", "predicted class")
    with pictured(plot, lambda: cm.plots.classifier(table.matrix, (table.rows, table.cols), names)):
        if json:
            print_json(_metrics_json(table, metrics))
        else:
            _print_metrics(table, metrics, counts, form)


def _print_metrics(table: Compared, metrics: Metrics, counts: ClassCounts, form: Format | None) -> None:
    page = Page(form)
    objects, classes = number_of(counts.n, "object", "objects"), number_of(counts.size, "class", "classes")
    page.line(f"{objects}, {classes} (rows: truth).\n")
    summary = plain_table("metric", "name", "value", "exact", left=("metric", "name", "exact"))
    for name in _WHOLE:
        value = getattr(metrics, name)
        summary.add_row(cm.statistics.STATISTICS[name].title, name, _decimal(value), str(value))
    page.table(summary)
    details = plain_table("class", "objects", "pred.", *_BY_CLASS, left=("class",))
    measures = [getattr(metrics, name) for name in _BY_CLASS]
    for i, label in enumerate(table.rows):
        values = (_decimal(measure.classes[i]) for measure in measures)
        details.add_row(str(label), whole(counts.rows[i]), whole(counts.cols[i]), *values)
    details.add_row("rest", "", "", *(_decimal(measure.rest) for measure in measures))
    if counts.size > 1:
        details.add_row("pairs", "", "", *(_decimal(measure.pairs) for measure in measures))
    page.table(details, "Each class against the rest; the mean by frequency and over pairs of classes")


def _fraction(name: str, text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise Failure(f"{name} must be a number, such as 2 or 1/2, got {text!r}") from None


def confused(truth: list[Any], predicted: list[Any], *, match: bool) -> Compared:
    """The square confusion matrix of two labelings, clusters renamed to the classes that they ``match`` best."""
    from confmat.indices.classification import confusion
    from confmat.matrices.matrix import label_values, relabel

    if match:
        predicted = relabel(truth, predicted)
    if not {*truth} & {*predicted}:
        raise Failure(
            f"no label occurs in both columns ({truth[0]!r}, .. and {predicted[0]!r}, ..): confmat compare takes "
            "clusterings, whose names need not agree; --match renames the second to agree best with the first"
        )
    classes = label_values([*truth, *predicted])
    return Compared(confusion(truth, predicted), classes, classes)


def _metrics_json(table: Compared, metrics: Metrics) -> dict[str, Any]:
    def number(x: Number | None) -> dict[str, Any]:
        if x is None or x != x:
            return {"exact": None, "value": None}
        return number_json(x if isinstance(x, Fraction) else float(x))

    def by_class(name: str) -> dict[str, Any]:
        measure = getattr(metrics, name)
        return {
            "classes": [number(x) for x in measure.classes],
            "rest": number(measure.rest),
            "pairs": number(measure.pairs),
        }

    whole_matrix = {name: number(getattr(metrics, name)) for name in _WHOLE}
    return {"classes": list(table.rows), **whole_matrix, **{name: by_class(name) for name in _BY_CLASS}}


def _decimal(x: Number) -> str:
    return "0/0" if x != x else f"{float(x):.4f}"
