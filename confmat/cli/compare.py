"""The command ``compare``: the reference card of two labelings or of one matrix."""

from typing import Annotated

import typer

from confmat.cli.inputs import (
    ColumnNames,
    File,
    Header,
    Matrix,
    Missing,
    Normalise,
    Other,
    Separator,
    TableSource,
    check_normalise,
    read_table,
)
from confmat.cli.output import Failure, Plot, Published, at_least, checked, tell


def compare(
    file: File = None,
    other: Other = None,
    columns: ColumnNames = None,
    matrix: Matrix = None,
    sep: Separator = None,
    header: Header = None,
    na: Missing = "refuse",
    seed: Annotated[
        int,
        typer.Option(
            parser=at_least("--seed", 0),
            metavar="K",
            help="Seed of the draws, where tables are too many to count.",
        ),
    ] = 0,
    normalise: Normalise = False,
    plot: Plot = None,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: short name, number.")] = False,
) -> None:
    """Every index of two labelings of the same objects, and where they stand.

    Is an ARI of 0.3 good?  The share of all tables of this size, of all pairs of labelings, and of labels permuted at
    random (the p-value) that agree as well or better; the best and the worst that is possible.

    \b
    Labels in two columns of a CSV file:
      confmat compare labels.csv --columns truth,cluster
    A contingency matrix (rows are clusters of a, columns clusters of b):
      confmat compare --matrix "50,0,0;0,48,2;0,1,49" --plot card.svg
    Soft clusterings: memberships (or hard labels) of the same objects in two files:
      confmat compare U.csv V.csv
    The same for a program, {"med": {"exact": "1/50", "value": 0.02}, ...}:
      confmat compare --matrix "50,0,0;0,48,2;0,1,49" --json
    """
    source = TableSource(file, columns, matrix, sep, header, na)
    if other is not None:
        source.check()
        if plot is not None:
            raise Failure("--plot draws the card of two labelings, not of memberships")
        if columns is not None or na != "refuse":
            raise Failure("--columns and --na belong to a single FILE, not to FILE and OTHER")
        from confmat.cli.soft import compare_files

        compare_files(str(file), other, json, sep, header, normalise)
        return
    check_normalise(normalise)
    from confmat.cards.comparisons import compared

    read = read_table(source)
    with checked():
        card = compared(read.matrix, (read.rows, read.cols), read.names, seed)
    read.tell()
    tell(card, form=form, json=json, plot=plot)
