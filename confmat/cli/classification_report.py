"""Command ``classification_report``: every metric of a classifier.

Its input is true and predicted labels, or their matrix.
"""

from typing import Annotated, Literal

import typer

from confmat.cli.inputs import TableSource, check_common_labels, read_two_labelings
from confmat.cli.output import Failure, Plot, Published, tell
from confmat.contingency.texts import parse_matrix


def classification_report(
    source: TableSource,
    rows: Annotated[
        Literal["truth", "predicted"] | None,
        typer.Option("--rows", help="Meaning of the rows of --matrix. Default: truth."),
    ] = None,
    plot: Plot = None,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: short name, number.")] = False,
) -> None:
    """Report every metric of a classifier, from true and predicted labels or a matrix.

    The metrics of each class against the rest are sensitivity, specificity, precision, F1,
    gsp = sqrt(sens prec), gss = sqrt(sens spec) and auc = (sens + spec)/2. Their means are
    "weighted" by class frequency, and "pairs" over pairs of classes.

    \b
    True and predicted labels in two columns of a CSV file:
      confmat classification-report labels.csv --columns truth,prediction
    A confusion matrix, rows true classes (or --rows predicted):
      confmat classification-report --matrix "50,0,0;0,48,2;0,1,49"
    The same for a program, {"accuracy": {"exact": "49/50", "value": 0.98}, ...}:
      confmat classification-report --matrix "50,0,0;0,48,2;0,1,49" --json
    """
    from confmat.reports import classification

    source.check()
    if source.matrix is not None:
        given = [parse_matrix(source.matrix)]
    else:
        if rows is not None:
            raise Failure("--rows must be used with --matrix, not with FILE")
        given = [*read_two_labelings(source).values()]
        check_common_labels(*given)
    answer = classification.classification_report(*given, rows=rows)
    tell(answer, form=form, json=json, plot=plot)
