"""Input of the commands on labelings: FILE with --columns, or --matrix."""

from typing import Annotated, Any, Literal, NamedTuple

import typer

from confmat.cli.output import Failure
from confmat.contingency.texts import parse_matrix

# Treatment of objects without a label.
OnMissing = Literal["refuse", "drop", "label"]

Other = Annotated[
    str | None,
    typer.Argument(metavar="OTHER", help="FILE and OTHER: memberships (a column a cluster) or labels (one)."),
]


class TableSource(NamedTuple):
    """Arguments and options for two labelings or their matrix."""

    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE", help="Labels, an object a line, with a header: .csv, .tsv, .parquet or .xlsx."
        ),
    ] = None
    columns: Annotated[
        str | None,
        typer.Option("--columns", metavar="A,B", help="Names of the columns with labels. Default: all."),
    ] = None
    matrix: Annotated[
        str | None,
        typer.Option(metavar="ROW;ROW;..", help='A matrix of counts instead of labels, such as "2,1;0,3".'),
    ] = None
    na: Annotated[
        OnMissing,
        typer.Option(
            "--na", help="Objects without a label: refuse, drop, or label (a cluster of their own)."
        ),
    ] = "refuse"

    def check(self) -> None:
        """Raise Failure unless exactly one of FILE and --matrix is used.

        Options of FILE must not be used with --matrix.
        """
        if (self.file is None) == (self.matrix is None):
            raise Failure("give either FILE or --matrix, and not both")
        if self.matrix is not None and self.columns is not None:
            raise Failure("--columns belongs to FILE, not to --matrix")
        if self.matrix is not None and self.na != "refuse":
            raise Failure("--na belongs to FILE, not to --matrix")


def read_labelings(source: TableSource) -> dict[str, list[Any]]:
    """Return two or more labelings from the file of the options, as a dict from names of columns to lists of labels.

    ``source`` has the options FILE, --columns and --na. Raise Failure for fewer labelings, or for missing labels
    unless --na allows them.
    """
    from confmat.contingency.files import read_labels

    chosen = None if source.columns is None else [name.strip() for name in source.columns.split(",")]
    labelings = read_labels(str(source.file), chosen)
    if len(labelings) < 2:
        raise Failure(
            f"{source.file} must have at least two columns of labels, got only {', '.join(labelings)}"
        )
    for name, labels in labelings.items():
        missing = [i for i, label in enumerate(labels) if label is None]
        if missing and source.na == "refuse":
            raise Failure(
                f"{source.file} has no label in {len(missing)} of {len(labels)} rows of column {name!r}, first in "
                f"data row {missing[0] + 1}. Give --na drop or --na label"
            )
    return labelings


def read_two_labelings(source: TableSource) -> dict[str, list[Any]]:
    """Return exactly two labelings from the file of the options ``source``, as a dict from names to lists of labels.

    Objects that ``--na drop`` removes are left out. Raise Failure for another number of labelings.
    """
    from confmat.contingency.labels import as_paired_labels

    labelings = read_labelings(source)
    if len(labelings) > 2:
        raise Failure(
            f"{source.file} has {len(labelings)} columns of labels: choose two with --columns A,B. Its columns are "
            f"{', '.join(labelings)}"
        )
    (name_a, a), (name_b, b) = labelings.items()
    a, b = as_paired_labels(source.na, labels_a=a, labels_b=b)
    return {name_a: a, name_b: b}


def read_matrix(source: TableSource, classes: bool = False) -> Any:
    """Return the contingency matrix of the options ``source``: that of --matrix, or that of two labelings in FILE.

    If ``classes`` is True, the labelings are true and predicted classes, and the result is the square confusion
    matrix.
    """
    from confmat.contingency.labels import contingency_matrix
    from confmat.indices.classification import confusion_matrix

    source.check()
    if source.matrix is not None:
        return parse_matrix(source.matrix)
    a, b = read_two_labelings(source).values()
    if not classes:
        return contingency_matrix(a, b)
    check_common_labels(a, b)
    return confusion_matrix(a, b)


def check_common_labels(truth: list[Any], labels_found: list[Any]) -> None:
    """Raise Failure if ``truth`` and ``labels_found`` have no label in common.

    They are then clusterings, not true and predicted classes.
    """
    if not {*truth} & {*labels_found}:
        raise Failure(
            f"true and predicted classes must have a label in common, got {truth[0]!r}, .. and "
            f"{labels_found[0]!r}, ... "
            "Use confmat compare for clusterings, whose names need not agree"
        )
