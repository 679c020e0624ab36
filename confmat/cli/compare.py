"""The command ``compare``: every index of two labelings or of one matrix."""

from typing import Annotated

import typer

from confmat.cli.indices import print_comparison
from confmat.cli.inputs import (
    ColumnNames,
    File,
    Header,
    Matrix,
    Missing,
    OnMissing,
    Separator,
    Source,
    read_table,
)
from confmat.cli.output import Failure, checked, print_json


def compare(
    file: File = None,
    other: Annotated[
        str | None,
        typer.Argument(
            metavar="OTHER", help="FILE and OTHER: memberships (a column a cluster) or labels (one)."
        ),
    ] = None,
    columns: ColumnNames = None,
    matrix: Matrix = None,
    sep: Separator = None,
    header: Header = None,
    na: Missing = OnMissing.refuse,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: short name, number.")] = False,
) -> None:
    """Every index of two labelings of the same objects, exact and decimal.

    \b
    Labels in two columns of a CSV file:
      confmat compare labels.csv --columns truth,cluster
    A contingency matrix (rows are clusters of a, columns clusters of b):
      confmat compare --matrix "50,0,0;0,48,2;0,1,49"
    Soft clusterings: memberships (or hard labels) of the same objects in two files:
      confmat compare U.csv V.csv
    The same for a program, {"med": {"exact": "1/50", "value": 0.02}, ...}:
      confmat compare --matrix "50,0,0;0,48,2;0,1,49" --json
    """
    source = Source(file, columns, matrix, sep, header, na)
    if other is not None:
        source.check()
        if columns is not None or na is not OnMissing.refuse:
            raise Failure("--columns and --na belong to a single FILE, not to FILE and OTHER")
        from confmat.cli.soft import compare_files

        compare_files(str(file), other, json, sep, header)
        return
    from confmat.statistics.comparison import compare as compare_matrix

    compared = read_table(source)
    with checked():
        comparison = compare_matrix(compared.matrix)
    if json:
        print_json(comparison.to_json())
    else:
        print_comparison(compared, comparison)
