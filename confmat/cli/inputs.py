"""What the commands on two labelings read: FILE with --columns, or --matrix."""

import csv
import sys
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Annotated, Any, Literal, NamedTuple

import typer

from confmat.answers import counted
from confmat.cli.output import Failure, checked
from confmat.matrices.files import SEPARATORS, Columns, read_columns
from confmat.matrices.labels import NA, as_paired_labels, contingency, label_values
from confmat.matrices.matrix import as_matrix
from confmat.matrices.texts import parse_matrix

_NAMED = {name.removesuffix("s"): sep for sep, name in SEPARATORS.items()}  # "tab" and so on
_MOST_NAMED = 3  # objects that miss a label, in the message about them


# What becomes of objects that miss a label.
OnMissing = Literal["refuse", "drop", "label"]


def _separator(text: str) -> str:
    sep = _NAMED.get(text, text.replace("\\t", "\t"))
    if sep not in SEPARATORS:
        raise Failure(f"--sep must be one of {', '.join(_NAMED)}, or the character, got {text!r}")
    return sep


ColumnNames = Annotated[
    str | None,
    typer.Option("--columns", metavar="A,B", help="The two columns with labels: names or numbers."),
]


Other = Annotated[
    str | None,
    typer.Argument(metavar="OTHER", help="FILE and OTHER: memberships (a column a cluster) or labels (one)."),
]
Normalise = Annotated[
    bool,
    typer.Option("--normalise", help="Divide rows of memberships by their sum, in FILE and OTHER."),
]


class TableSource(NamedTuple):
    """Where two labelings or their matrix are, as the user gave it."""

    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="Labels, an object a line: CSV, TSV, .., .xlsx or .parquet; - for stdin.",
        ),
    ] = None
    columns: ColumnNames = None
    matrix: Annotated[
        str | None,
        typer.Option(
            metavar="ROW;ROW;..",
            help="A matrix instead of labels; also as NumPy, R, MATLAB print it.",
        ),
    ] = None
    sep: Annotated[
        str | None,
        typer.Option(
            "--sep",
            parser=_separator,
            metavar="C",
            help=f"What separates cells ({', '.join(_NAMED)}), if told wrongly.",
        ),
    ] = None
    header: Annotated[
        bool | None,
        typer.Option("--header/--no-header", help="Whether the first line is a header, if told wrongly."),
    ] = None
    na: Annotated[
        OnMissing,
        typer.Option(
            "--na", help="Objects without a label (empty, NA, nan, ..): refuse, drop them, or a cluster NA."
        ),
    ] = "refuse"
    sheet: Annotated[
        str | None,
        typer.Option("--sheet", metavar="NAME", help="Of an Excel workbook: the sheet with the labels."),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option("--encoding", metavar="NAME", help="Of a text that is not UTF-8, such as latin-1."),
    ] = None

    def check(self) -> None:
        """Exactly one of FILE and --matrix; what belongs to FILE only with it."""
        if (self.file is None) == (self.matrix is None):
            raise Failure('give either FILE or --matrix, such as --matrix "50,0,0;0,48,2;0,1,49"')
        if self.matrix is None:
            return
        for name, usual in self._field_defaults.items():
            if name not in ("file", "matrix") and getattr(self, name) != usual:
                raise Failure(f"--{name} belongs to FILE, not to --matrix")


class Compared(NamedTuple):
    """A contingency matrix, the names of its rows and columns, and of the two labelings; how a file was read.

    The note is said beside an answer: an error is alone.
    """

    matrix: Any
    rows: tuple[Any, ...]
    cols: tuple[Any, ...]
    names: tuple[str, str] = ("a", "b")
    note: str = ""


Count = Callable[[list[Any], list[Any]], Compared]


def crossed(labels_a: list[Any], labels_b: list[Any]) -> Compared:
    """The contingency matrix of two labelings."""
    return Compared(
        contingency(labels_a, labels_b),
        label_values(labels_a),
        label_values(labels_b),
    )


def read_table(source: TableSource, count: Count = crossed) -> Compared:
    """The matrix that the user gave, or the one that ``count`` makes of the labels in the file."""
    source.check()
    with checked():
        if source.matrix is not None:
            return from_text(source.matrix)
        return _labelings(_columns_from(source), source, count)


def _columns_from(source: TableSource) -> Columns:
    where = {"sheet": source.sheet, "encoding": source.encoding}
    return columns_of_options(str(source.file), source.sep, source.header, **where)


class Several(NamedTuple):
    """More than two labelings by the names of their columns, and how the file was read."""

    labelings: dict[str, list[Any]]
    note: str


def read_two_or_more(source: TableSource) -> Compared | Several:
    """The matrix, or that of two labelings; or all columns of labels of a file that has more, or that are named."""
    source.check()
    with checked():
        if source.matrix is not None:
            return from_text(source.matrix)
        table = _columns_from(source)
        if source.columns is None:
            named = []
        else:
            named = _named_columns(source.columns)
        chosen = [table.position(name) for name in named] or list(table.labels)
        if len(chosen) > 2:
            return _several(table, chosen, source.na)
        return _labelings(table, source, crossed)


def _several(table: Columns, chosen: list[int], na: OnMissing) -> Several:
    labelings = {table.names[i]: list(table.values[i]) for i in chosen}
    if len(labelings) < len(chosen):
        raise Failure(f"{table.file} has several columns of one name; {table.listed()}")
    _incomplete_lines(table, chosen, na)
    if table.notes:
        notes = f" ({'; '.join(table.notes)})"
    else:
        notes = ""
    return Several(labelings, f"{', '.join(labelings)}, n = {len(table.lines)}{notes}")


def _incomplete_lines(table: Columns, chosen: Iterable[int], na: OnMissing) -> list[int]:
    """The lines of objects that miss a label in some of the columns; Failure where there is one and it is refused."""
    if not table.lines:
        raise Failure(f"{table.file} has no line with labels under its header {','.join(table.names)!r}")
    columns = [table.values[i] for i in chosen]
    lost = [line for line, *labels in zip(table.lines, *columns) if None in labels]
    if lost and na == "refuse":
        names = [repr(table.names[i]) for i in chosen if None in table.values[i]]
        lines = [str(line) for line in lost[:_MOST_NAMED]]
        if len(lost) > _MOST_NAMED:
            lines.append("..")
        raise Failure(
            f"{table.file}: {len(lost)} of {len(table.lines)} objects have no label in column {' or '.join(names)} "
            f"(line {', '.join(lines)}); --na drop leaves them out, --na label makes them a cluster"
        )
    return lost


def _named_columns(columns: str) -> list[str]:
    return [name.strip() for name in next(csv.reader([columns]), [])]


def read_matrix_or_labels(source: str, columns: str | None) -> Compared:
    """The matrix that a text says, or a file: one of labels in two columns or in those named, else of whole numbers."""
    if not source:
        raise Failure("--from must be a file or a matrix such as 10,3;2,5, got ''")
    if any(sign in source for sign in ";[({\n"):
        return read_table(TableSource(None, None, source))
    table = columns_of_options(source, None, None)
    with checked():
        rows = [[cell or "" for cell in row] for row in zip(*(table.values[i] for i in table.labels))]
        if columns is None and len(table.labels) > 2 and all(_is_whole(x) for row in rows for x in row):
            return from_text("\n".join(map(",".join, rows)))
        return _labelings(table, TableSource(source, columns), crossed)


def from_text(text: str) -> Compared:
    """A matrix as `parse_matrix` reads it: what this package, NumPy, R and MATLAB print."""
    matrix = as_matrix(parse_matrix(text))
    r, s = matrix.shape
    return Compared(
        matrix,
        tuple(range(1, r + 1)),
        tuple(range(1, s + 1)),
    )


def columns_of_options(file: str, sep: str | None, header: bool | None, **how: Any) -> Columns:
    """The columns of a file that the user named, - for standard input."""
    try:
        with checked():
            return read_columns(
                sys.stdin.buffer.read() if file == "-" else file, sep=sep, header=header, **how
            )
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}") from error


def _labelings(table: Columns, source: TableSource, count: Count) -> Compared:
    chosen = _two_columns(table, source.columns)
    names = table.names[chosen[0]], table.names[chosen[1]]
    a, b, dropped = _complete(table, chosen, source.na)
    notes = list(table.notes)
    if dropped:
        notes.append(f"{dropped} without a label left out")
    if notes:
        recognised = f" ({'; '.join(notes)})"
    else:
        recognised = ""
    compared = count(a, b)
    note = f"{names[0]} against {names[1]}, n = {counted(len(a), 'object')}{recognised}"
    rows = tuple("NA" if x is NA else x for x in compared.rows)
    cols = tuple("NA" if x is NA else x for x in compared.cols)
    return compared._replace(rows=rows, cols=cols, names=names, note=note)


def _two_columns(table: Columns, columns: str | None) -> tuple[int, int]:
    if columns is not None:
        names = _named_columns(columns)
        if len(names) != 2:
            raise Failure(
                f"--columns must be two names separated by a comma, got {columns!r}; {table.listed()}"
            )
        return table.position(names[0]), table.position(names[1])
    if len(table.labels) < 2:
        raise Failure(f"{table.file} must have two columns of labels; {table.listed()}")
    if len(table.labels) > 2:
        raise Failure(
            f"{table.file} has {len(table.labels)} columns: choose two with --columns A,B; {table.listed()}"
        )
    return table.labels[0], table.labels[1]


def _complete(table: Columns, chosen: tuple[int, int], na: OnMissing) -> tuple[list[Any], list[Any], int]:
    """Two labelings without missing labels, and how many objects were dropped; whole numbers are read as such."""
    lost = _incomplete_lines(table, chosen, na)
    values: list[list[Any]] = [list(table.values[i]) for i in chosen]
    if all(x is None or _is_whole(x) for x in chain(*values)):
        for column in values:
            column[:] = [None if x is None else int(x) for x in column]
    sides = {"the first column": values[0], "the second": values[1]}
    a, b = as_paired_labels(na, **sides)
    if na == "drop":
        number_dropped = len(lost)
    else:
        number_dropped = 0
    return a, b, number_dropped


def _is_whole(text: str) -> bool:
    """Whether a text is how an integer is written."""
    return text.removeprefix("-").isdecimal() and str(int(text)) == text
