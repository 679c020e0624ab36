"""The command ``classify``: every metric of a classifier, from true and predicted labels or their matrix."""

from __future__ import annotations

from fractions import Fraction
from math import isinf
from typing import Annotated, Any

import typer

from confmat.cli.inputs import TableSource, check_common_labels, read_numbers, read_two_labelings
from confmat.cli.output import Failure, Plot, Published, checked, tell


def classify(
    source: TableSource,
    beta: Annotated[
        str,
        typer.Option(metavar="B", help="Weight of recall in F, such as 2 or 1/2. Default: 1."),
    ] = "1",
    undefined: Annotated[
        float | None, typer.Option(metavar="X", help="The value of a ratio 0/0, such as 0. Default: none.")
    ] = None,
    plot: Plot = None,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: short name, number.")] = False,
) -> None:
    """Every metric of a classifier, from true and predicted labels or a matrix.

    Of each class against the rest: sensitivity, specificity, precision, F,
    gsp = sqrt(sens prec), gss = sqrt(sens spec), auc = (sens + spec)/2; then
    their means: "weighted" by class frequency, "pairs" over pairs.

    \b
    True and predicted labels in two columns of a CSV file:
      confmat classify labels.csv --columns truth,prediction
    A confusion matrix, rows true classes; ratios 0/0 count 0, as in scikit-learn:
      confmat classify --matrix "50,0,0;0,48,2;0,1,49" --undefined 0
    The same for a program, {"cor": {"exact": "49/50", "value": 0.98}, ...}:
      confmat classify --matrix "50,0,0;0,48,2;0,1,49" --json
    """
    from confmat.reports.classification import classified, classified_labels

    if undefined is not None and isinf(undefined):
        raise Failure(f"--undefined must be finite or nan, got {undefined}")
    weight = _fraction("--beta", beta)
    source.check()
    ratio: Any = "nan" if undefined is None else undefined
    with checked():
        if source.matrix is not None:
            answer = classified(read_numbers(source.matrix), None, beta=weight, undefined=ratio)
        else:
            (truth_name, truth), (found_name, found) = read_two_labelings(source).items()
            check_common_labels(truth, found)
            names = truth_name, found_name
            answer = classified_labels(truth, found, names, beta=weight, undefined=ratio)
    tell(answer, form=form, json=json, plot=plot)


def _fraction(name: str, text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise Failure(f"{name} must be a number, such as 2 or 1/2, got {text!r}") from None
