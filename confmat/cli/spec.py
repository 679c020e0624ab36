"""A class of matrices from the command line.

Names that the shell completes.
"""

from typing import Annotated, Any

import typer

import confmat as cm
from confmat.arguments import as_few
from confmat.classes import texts
from confmat.cli.output import Failure, checked
from confmat.statistics.grammar import meant_among

Size = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="CLASS",
        help="3x3 n=20, with empty or cells=0..1; or rows=10,6,4 cols=9,7,4; or N R S: total, rows, columns.",
    ),
]
Rows = Annotated[
    str | None,
    typer.Option(metavar="A,B,..|free[:R]", help="As rows= in CLASS: row sums; free: R rows of any sums."),
]
Cols = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,..|free[:S]",
        help="As cols= in CLASS: column sums; free: S columns of any sums (as many as rows, unless said).",
    ),
]
Empty = Annotated[
    bool | None,
    typer.Option(
        "--empty/--no-empty",
        help="Whether rows and columns may be empty: tables of a shape no, free rows and columns yes, unless said.",
    ),
]
CellsOption = Annotated[
    str | None,
    typer.Option(metavar="LOW..HIGH", help="As cells= in CLASS: bounds on every cell, such as 0..1 or 1..."),
]


def class_text(
    size: list[str] | None, rows: str | None, cols: str | None, empty: bool | None, cells: str | None = None
) -> str:
    """The text of a class from words and the options that say parts of it.

    >>> class_text(["20", "3", "3"], None, None, True)
    '20 3 3 empty'
    """
    words = list(size or ())
    for key, value in {"rows": rows, "cols": cols, "cells": cells}.items():
        if value is not None:
            words.append(f"{key}={value.replace(' ', '')}")
    if empty is not None:
        words.append("empty" if empty else "no-empty")
    return " ".join(words)


def classes_from(
    size: list[str] | None, rows: str | None, cols: str | None, empty: bool | None, cells: str | None = None
) -> cm.classes.MatrixClass | list[cm.classes.MatrixClass]:
    """The class that the command line says, or the list of them; Failure otherwise."""
    text = class_text(size, rows, cols, empty, cells)
    with checked():
        classes = cm.classes.parse(text)
        if isinstance(classes, list):
            first_class = classes[0]
        else:
            first_class = classes
        if isinstance(first_class, cm.MembershipGrids):
            raise ValueError(f"CLASS must be of matrices here, without d, got {text!r}")
        return classes  # type: ignore[return-value]  # all of one kind


def matrices_from(
    size: list[str] | None, rows: str | None, cols: str | None, empty: bool | None, cells: str | None = None
) -> cm.classes.MatrixClass:
    """The one class that the command line says; Failure otherwise."""
    found = classes_from(size, rows, cols, empty, cells)
    if isinstance(found, list):
        raise Failure(f"CLASS must be one class here, got {len(found)} in {' '.join(size or ())!r}")
    return found


def grids_from(size: list[str] | None) -> cm.MembershipGrids | None:
    """The class of pairs of memberships that CLASS says; None where it says no d."""
    words = " ".join(size or ())
    if " d=" not in f" {words}":
        return None
    with checked():
        grids = cm.classes.parse(words)
    if not isinstance(grids, cm.MembershipGrids):
        raise Failure(f"CLASS must be one class here, got {words!r}")
    return grids


Classes = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="CLASSES", help="2x2..3x4 n=..12: all r <= s in between and these totals; or any one CLASS."
    ),
]
Shapes = Annotated[
    str | None,
    typer.Option(metavar="RxS..RxS", help="2x2..4x5: all r <= s in between; or a list, 2x3,3x2."),
]
Totals = Annotated[str | None, typer.Option("--n", metavar="N", help="Objects: 14, 8..14 or ..14.")]


def text_of_classes(words: list[str] | None, shapes: str | None, n: str | None, default: str) -> str:
    """The text of classes from CLASSES or from the options, and ``default`` for what these leave out.

    >>> text_of_classes(None, "2x2", None, "2x2..3x3 n=..10"), text_of_classes(["3x3", "n=8"], None, None, "2x2 n=5")
    ('2x2 n=..10', '3x3 n=8')
    """
    if words and (shapes is not None or n is not None):
        raise Failure("--shapes and --n say what CLASSES do: give either")
    instead = texts.read(default)
    return " ".join(
        words
        or [
            shapes or str(instead.shapes),
            f"n={n or instead.n}",
        ]
    )


def sizes_of_spec(text: str) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Shapes and totals that a text of classes says, and nothing else; Failure otherwise."""
    with checked():
        said = texts.read(text)
        if not said.of_sizes:
            raise ValueError(f"CLASSES must be shapes and totals here, as in 2x2..3x4 n=..12, got {text!r}")
        shapes = texts.parse_shapes(str(said.shapes))
        totals = texts.parse_totals(str(said.n))
        return as_few("shapes", shapes), as_few("n", totals)


def named_statistic(argument: str) -> dict[str, Any]:
    """What an argument or option that names a statistic has: its metavar, its check, what the shell completes.

    >>> named_statistic("--only")["parser"]("adjusted_rand_score")
    'adjusted_rand_score'
    """

    def known(name: str) -> str:
        if name not in cm.statistics.STATISTICS:
            hint = meant_among(name, cm.statistics.STATISTICS) or "; confmat statistics lists them"
            raise Failure(f"{argument} must be the name of a statistic, got {name!r}{hint}")
        return name

    return {"metavar": "NAME", "parser": known, "autocompletion": statistic_names}


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
