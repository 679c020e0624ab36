"""A class of matrices from the command line.

Names that the shell completes.
"""

from typing import Annotated, Any

import typer

import confmat as cm
from confmat.cli.output import Failure, checked, whole_number

Size = Annotated[
    list[str] | None,
    typer.Argument(metavar="N R S", help="Total, rows and columns: all R x S tables with total N."),
]
Rows = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,..|free[:R]", help="Row sums, with --cols, instead of N R S; free: R rows of any sums."
    ),
]
Cols = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,..|free[:S]",
        help="Column sums, with --rows; free: S columns of any sums (as many as rows, unless said).",
    ),
]
Empty = Annotated[
    bool | None,
    typer.Option(
        "--empty/--no-empty",
        help="Whether rows and columns may be empty: with N R S no, free rows and columns yes, unless said.",
    ),
]
Cells = Annotated[
    str | None,
    typer.Option(
        metavar="LOW..HIGH", help="Bounds on every cell, such as 0..1 or 1.. (with N R S, or fixed margins)."
    ),
]


def matrices_from(
    size: list[str] | None, rows: str | None, cols: str | None, empty: bool | None, cells: str | None = None
) -> cm.classes.MatrixClass:
    """The class from N R S, or from --rows and --cols; Failure otherwise."""
    if (rows is None) != (cols is None):
        raise Failure("--rows and --cols belong together, such as --rows 10,6,4 --cols 9,7,4")
    options: dict[str, Any] = ({} if empty is None else {"empty": empty}) | (
        {} if cells is None else {"cells": _bounds(cells)}
    )
    if rows is not None and cols is not None:
        if size:
            raise Failure("give either N R S or --rows and --cols, not both")
        return _from_margins(rows, cols, options)
    if len(size or ()) != 3:
        got = f"; got {' '.join(size)}" if size else ""
        raise Failure(
            f"give N R S, such as 20 3 3, or --rows and --cols, such as --rows 10,6,4 --cols 9,7,4{got}"
        )
    n, r, s = (whole_number(name, text) for name, text in zip("NRS", size or ()))
    with checked():
        return cm.Tables(n, r, s, **options)


def _from_margins(rows: str, cols: str, options: dict[str, Any]) -> cm.classes.MatrixClass:
    free = [text.partition(":") for text in (rows, cols)]
    free_rows, free_cols = (head == "free" for head, _, _ in free)
    if free_rows and free_cols:
        raise Failure("--rows and --cols cannot both be free: give N R S instead")
    if not (free_rows or free_cols) and "empty" in options:
        raise Failure("--empty belongs to N R S and to free rows or columns; fixed sums may be 0")
    if (free_rows or free_cols) and "cells" in options:
        raise Failure("--cells belongs to N R S or to fixed --rows and --cols")
    with checked():
        if free_rows:
            sums = _numbers("--cols", cols)
            return cm.FixedColumns(_lines("R in --rows free:R", free[0][2], sums), sums, **options)
        sums = _numbers("--rows", rows)
        if free_cols:
            return cm.FixedRows(sums, _lines("S in --cols free:S", free[1][2], sums), **options)
        return cm.FixedMargins(sums, _numbers("--cols", cols), **options)


def _lines(name: str, text: str, sums: tuple[int, ...]) -> int:
    """How many free lines: as many as fixed ones, unless said."""
    return whole_number(name, text) if text else len(sums)


def _bounds(text: str) -> tuple[int, int | None]:
    low, dots, high = text.partition("..")
    if not dots:
        raise Failure(f"--cells must read like 0..1 or 1.., got {text}")
    return whole_number("LOW in --cells", low or "0"), whole_number("HIGH in --cells", high) if high else None


def _numbers(name: str, text: str) -> tuple[int, ...]:
    return tuple(whole_number(f"{name}[{i}]", part) for i, part in enumerate(text.split(",")))


def statistic_names(incomplete: str) -> list[str]:
    """Short names of statistics that begin so.

    >>> statistic_names("nme")
    ['nmed']
    """
    return [name for name in cm.statistics.STATISTICS if name.startswith(incomplete)]


def conjecture_names(incomplete: str) -> list[str]:
    """Names of statements of the literature that begin so.

    >>> "rd-max" in conjecture_names("rd-")
    True
    """
    return [name for name in cm.conjectures.LITERATURE if name.startswith(incomplete)]
