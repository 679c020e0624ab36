"""The command ``compare``: every index of two labelings or of one matrix, or one index of several labelings."""

from math import isnan
from typing import Annotated

import typer

from confmat._display import Answer, Told
from confmat._display.sheets import Sheet
from confmat.cli.inputs import TableSource, read_labelings, read_numbers
from confmat.cli.output import Failure, Plot, Published, checked, say, tell


def compare(
    source: TableSource,
    index: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The index of every pair of more than two labelings, default: ari."
        ),
    ] = None,
    plot: Plot = None,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: short name, number.")] = False,
) -> None:
    """Every index of two labelings of the same objects, with ranks and p-values of ARI, RD and MED.

    The rank is the share of all tables of this size that agree as well or better. Ranks and p-values that take longer
    than five seconds are left out.

    \b
    Labels in two columns of a CSV file:
      confmat compare labels.csv --columns truth,cluster
    A contingency matrix (rows are clusters of a, columns clusters of b):
      confmat compare --matrix "50,0,0;0,48,2;0,1,49"
    Several labelings, a column each: the ARI, or another index, of every pair:
      confmat compare labels.csv --index med
    The same for a program, {"med": {"exact": "1/50", "value": 0.02}, ...}:
      confmat compare --matrix "50,0,0;0,48,2;0,1,49" --json
    """
    from confmat.contingency.matrix import as_matrix
    from confmat.reports.comparison import compared, compared_labelings, index_matrix

    answer: Answer
    source.check()
    if source.matrix is not None:
        matrix = read_numbers(source.matrix)
        with checked():
            r, s = as_matrix(matrix).shape
            answer = compared(as_matrix(matrix), (tuple(range(1, r + 1)), tuple(range(1, s + 1))))
    else:
        labelings = read_labelings(source)
        say(f"{', '.join(labelings)}: {len(next(iter(labelings.values()))):,} objects")
        with checked():
            if len(labelings) > 2:
                answer = _pairs(index_matrix(labelings, index or "ari", source.na), index or "ari")
                index = None
            else:
                answer = compared_labelings(labelings, source.na)
    if index is not None:
        raise Failure("--index must go with more than two labelings; of two every index is printed")
    draw = getattr(answer, "plot", None)
    if plot is not None and draw is None:
        raise Failure("--plot draws the matrix of two labelings: choose them with --columns A,B")
    tell(answer, form=form, json=json, plot=plot, draw=draw, waiting="Ranks and p-values")


def _pairs(frame: object, index: str) -> Told:
    """Return the index of every pair of labelings, a pandas DataFrame, for print and as JSON."""
    import pandas as pd

    from confmat.statistics import STATISTICS

    assert isinstance(frame, pd.DataFrame)
    sheet = Sheet(("", *frame.columns), ("",), STATISTICS[index].title)
    rows = []
    for name, values in zip(frame.columns, frame.to_numpy().tolist()):
        sheet.add_row(name, *("0/0" if isnan(x) else f"{x:.4f}" for x in values))
        rows.append([None if isnan(x) else x for x in values])
    return Told([sheet], {"index": index, "names": list(frame.columns), "matrix": rows})
