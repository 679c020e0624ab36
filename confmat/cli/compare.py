"""Command ``compare``: every index of two labelings or of one matrix, or one index of several labelings."""

from typing import Annotated, Any

import typer

from confmat._display import Told
from confmat._display.sheets import Sheet
from confmat.cli.inputs import TableSource, read_labelings
from confmat.cli.output import Failure, Plot, Published, say, tell
from confmat.contingency.texts import parse_matrix


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
    """Compare two labelings of the same objects by every index, with ranks and p-values of ARI, RD and MED.

    The rank is the fraction of all tables of this size with at least this agreement. Ranks and p-values that take more
    than five seconds are omitted.

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
    import pandas as pd

    from confmat.reports import comparison

    source.check()
    given: Any
    if source.matrix is not None:
        given = parse_matrix(source.matrix)
    else:
        labelings = read_labelings(source)
        say(f"{', '.join(labelings)}: {len(next(iter(labelings.values()))):,} objects")
        given = pd.DataFrame(labelings, dtype=object)
    answer: Any = comparison.compare(given, index=index or "ari", na=source.na)
    if isinstance(answer, pd.DataFrame):
        if plot is not None:
            raise Failure("--plot draws the matrix of two labelings: choose them with --columns A,B")
        answer = _pairs(answer, index or "ari")
    elif index is not None:
        raise Failure(
            "--index must be used with more than two labelings. For two labelings every index is printed."
        )
    tell(answer, form=form, json=json, plot=plot)


def _pairs(frame: Any, index: str) -> Told:
    """Return a printable answer with the values of an index for all pairs of labelings.

    ``frame`` has these values, with a row and a column for each labeling.
    """
    from confmat.statistics import STATISTICS

    sheet = Sheet(("", *frame.columns), ("",), STATISTICS[index].title)
    matrix = frame.to_numpy().tolist()
    for name, values in zip(frame.columns, matrix):
        sheet.add_row(name, *(f"{x:.4f}".replace("nan", "0/0") for x in values))
    return Told([sheet], {"index": index, "names": [*frame.columns], "matrix": matrix})
