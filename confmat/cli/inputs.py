"""What the commands on two labelings read: FILE with --columns, or --matrix."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from confmat.cli.numbers import whole_number
from confmat.cli.output import Failure, checked, say

File = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE",
        help="CSV whose first line is a header, an object a line; labels are text (nan too), none empty; - for stdin.",
    ),
]
Columns = Annotated[
    str | None, typer.Option(metavar="A,B", help="The two columns with labels, if there are more.")
]
Matrix = Annotated[
    str | None, typer.Option(metavar="ROW;ROW;..", help="A contingency matrix instead of labels.")
]


class Compared(NamedTuple):
    """A contingency matrix and the names of its rows and columns."""

    matrix: Any
    rows: tuple[Any, ...]
    cols: tuple[Any, ...]


def crossed(labels_a: list[str], labels_b: list[str]) -> Compared:
    """The contingency matrix of two labelings."""
    from confmat.matrices.matrix import contingency, label_values

    return Compared(contingency(labels_a, labels_b), label_values(labels_a), label_values(labels_b))


def read_table(
    file: str | None,
    columns: str | None,
    matrix: str | None,
    count: Callable[[list[str], list[str]], Compared] = crossed,
) -> Compared:
    """The matrix that the user gave, or the one that ``count`` makes of the labels in the file."""
    check_source(file, columns, matrix)
    with checked():
        return from_text(matrix) if matrix is not None else count(*_read_labels(str(file), columns))


def check_source(file: str | None, columns: str | None, matrix: str | None) -> None:
    """Exactly one of FILE and --matrix; --columns only with FILE."""
    if (file is None) == (matrix is None):
        raise Failure('give either FILE or --matrix, such as --matrix "50,0,0;0,48,2;0,1,49"')
    if matrix is not None and columns is not None:
        raise Failure("--columns belongs to FILE, not to --matrix")


def from_text(text: str) -> Compared:
    """A matrix written as on the command line: rows between semicolons, cells between commas."""
    from confmat.matrices.matrix import as_matrix

    rows = [row for row in text.replace("\n", ";").split(";") if row.strip()]
    entries = [
        [whole_number(f"matrix[{i}, {j}]", cell.strip()) for j, cell in enumerate(row.split(","))]
        for i, row in enumerate(rows)
    ]
    matrix = as_matrix(entries)
    r, s = matrix.shape
    return Compared(matrix, tuple(range(1, r + 1)), tuple(range(1, s + 1)))


def _read_labels(file: str, columns: str | None) -> tuple[list[str], list[str]]:
    import csv

    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Failure(f"{file} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    file = "standard input" if file == "-" else file
    reader = csv.reader(text.splitlines())
    try:
        header = next(reader, [])
        chosen = [_position(header, name, file) for name in _two_columns(header, columns, file)]
        labels: list[list[str]] = [[], []]
        for line in reader:
            if not line:
                continue
            if len(line) != len(header):
                raise Failure(
                    f"{file}, line {reader.line_num}: {len(line)} fields, the header has {len(header)}"
                )
            for position, column in zip(chosen, labels):
                if not line[position].strip():
                    raise Failure(f"{file}, line {reader.line_num}: no label in column {header[position]!r}")
                column.append(line[position].strip())
    except csv.Error as error:
        raise Failure(f"{file}, line {reader.line_num}: {error}") from error
    if not labels[0]:
        raise Failure(f"{file} has no line with labels under its header {','.join(header)!r}")
    names = [header[position].strip() for position in chosen]
    say(f"{names[0]} against {names[1]}, n = {len(labels[0])} objects")
    if all(name in column for name, column in zip(names, labels)):
        say(f"the header {','.join(names)} of {file} looks like data: its cells are labels below it")
    return labels[0], labels[1]


def _two_columns(header: list[str], columns: str | None, file: str) -> list[str]:
    if columns is None:
        if len(header) < 2:
            raise Failure(f"{file} must have two columns of labels, its header is {','.join(header)!r}")
        if len(header) > 2:
            raise Failure(f"{file} has {len(header)} columns: choose two with --columns A,B")
        return header
    names = columns.split(",")
    if len(names) != 2:
        raise Failure(f"--columns must be two names separated by a comma, got {columns!r}")
    return names


def _position(header: list[str], name: str, file: str) -> int:
    names = [column.strip() for column in header]
    found = names.count(name.strip())
    if found == 0:
        raise Failure(f"{file} has no column {name.strip()!r}; its columns are {', '.join(names)}")
    if found > 1:
        raise Failure(f"{file} has {found} columns {name.strip()!r}")
    return names.index(name.strip())
