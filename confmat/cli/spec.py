"""A class of matrices from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from confmat.cli.numbers import whole_number
from confmat.cli.output import Failure, checked

if TYPE_CHECKING:
    from confmat.classes import MatrixClass

Size = Annotated[
    list[str] | None,
    typer.Argument(metavar="N R S", help="Total, rows and columns: all R x S tables with total N."),
]
Rows = Annotated[str | None, typer.Option(metavar="A,B,..", help="Row sums, with --cols, instead of N R S.")]
Cols = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,..|free[:S]",
        help="Column sums, with --rows; free: S columns of any sums (as many as rows, unless said).",
    ),
]
Empty = Annotated[bool, typer.Option("--empty", help="Allow empty rows and columns.")]


def matrices_from(size: list[str] | None, rows: str | None, cols: str | None, empty: bool) -> MatrixClass:
    """``Tables`` from N R S, ``FixedMargins`` or ``FixedRows`` from --rows and --cols; Failure otherwise."""
    if (rows is None) != (cols is None):
        raise Failure("--rows and --cols belong together, such as --rows 10,6,4 --cols 9,7,4")
    if rows is not None and cols is not None:
        if size or empty:
            raise Failure(f"give either {'N R S' if size else '--empty'} or --rows and --cols, not both")
        from confmat.classes import FixedMargins, FixedRows

        sums = _numbers("--rows", rows)
        free, _, columns = cols.partition(":")
        with checked():
            if free == "free":
                return FixedRows(sums, whole_number("S in --cols free:S", columns) if columns else len(sums))
            return FixedMargins(sums, _numbers("--cols", cols))
    if len(size or ()) != 3:
        got = f"; got {' '.join(size)}" if size else ""
        raise Failure(
            f"give N R S, such as 20 3 3, or --rows and --cols, such as --rows 10,6,4 --cols 9,7,4{got}"
        )
    from confmat.classes import Tables

    n, r, s = (whole_number(name, text) for name, text in zip("NRS", size or ()))
    with checked():
        return Tables(n, r, s, empty)


def class_json(matrices: MatrixClass) -> dict[str, Any]:
    """The class as JSON."""
    from confmat.classes import FixedRows, Tables

    if isinstance(matrices, Tables):
        sizes = {"n": matrices.n, "r": matrices.r, "s": matrices.s}
        return {"kind": "tables", **sizes, "empty": matrices.empty}
    if isinstance(matrices, FixedRows):
        return {"kind": "fixed_rows", "n": matrices.n, "rows": list(matrices.rows), "s": matrices.s}
    rows, cols = (list(getattr(matrices, name)) for name in ("rows", "cols"))
    return {"kind": "fixed_margins", "n": matrices.n, "rows": rows, "cols": cols}


def class_text(matrices: MatrixClass) -> str:
    """The class in words."""
    spec = class_json(matrices)
    if spec["kind"] == "fixed_margins":
        rows, cols = (",".join(map(str, spec[name])) for name in ("rows", "cols"))
        return f"tables with row sums {rows} and column sums {cols}"
    if spec["kind"] == "fixed_rows":
        return f"tables with row sums {','.join(map(str, spec['rows']))} and {spec['s']} free columns"
    lines = "empty rows and columns allowed" if spec["empty"] else "no empty row or column"
    return f"{spec['r']} x {spec['s']} tables with total {spec['n']}, {lines}"


def class_arguments(matrices: MatrixClass) -> str:
    """The class as it is written on the command line."""
    spec = class_json(matrices)
    if spec["kind"] == "fixed_margins":
        return " ".join(f"--{name} {','.join(map(str, spec[name]))}" for name in ("rows", "cols"))
    if spec["kind"] == "fixed_rows":
        return f"--rows {','.join(map(str, spec['rows']))} --cols free:{spec['s']}"
    return f"{spec['n']} {spec['r']} {spec['s']}" + (" --empty" if spec["empty"] else "")


def _numbers(name: str, text: str) -> tuple[int, ...]:
    return tuple(whole_number(f"{name}[{i}]", part) for i, part in enumerate(text.split(",")))
