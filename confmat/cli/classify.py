"""The command ``classify``: every metric of a classifier, from true and predicted labels or their matrix."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import isinf
from typing import Annotated, Any

import typer

from confmat.cli.inputs import (
    Compared,
    TableSource,
    read_table,
)
from confmat.cli.output import Failure, Plot, Published, checked, say, tell


def classify(
    source: TableSource,
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
    # reads: a parameter for each option of the command
    from confmat.cards.classified import classified

    if undefined is not None and isinf(undefined):
        raise Failure(f"--undefined must be finite or nan, got {undefined}")
    if match and source.matrix is not None:
        raise Failure("--match belongs to FILE, not to --matrix")
    table = read_table(
        source,
        partial(confused, match=match),
    )
    if source.file is not None:
        names = table.names
    else:
        names = "true class", "predicted class"
    with checked():
        answer = classified(
            table.matrix,
            table.rows,
            names,
            beta=_fraction("--beta", beta),
            undefined="nan" if undefined is None else undefined,
        )
    say(table.note)
    tell(answer, form=form, json=json, plot=plot)


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
