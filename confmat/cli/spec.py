"""Arguments for classes of matrices, and names that the shell completes."""

from typing import Annotated, NamedTuple

import typer

import confmat as cm
from confmat._arguments import as_few
from confmat.classes import texts
from confmat.cli.output import Failure
from confmat.statistics.grammar import meant_among


class SaidClass(NamedTuple):
    """Argument CLASS of the commands: the words that name a class of matrices, as they were typed.

    >>> SaidClass(["20", "3", "3", "empty"]).text
    '20 3 3 empty'
    """

    size: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CLASS",
            help="3x3 n=20, with empty; or rows=10,6,4 cols=9,7,4; or N R S: total, rows, columns.",
        ),
    ] = None

    @property
    def text(self) -> str:
        """Words of the command-line argument CLASS, joined by spaces."""
        return " ".join(self.size or ())

    def classes(self) -> cm.classes.MatrixClass | list[cm.classes.MatrixClass]:
        """Return the class of matrices, or the list of classes. Raise ValueError for an invalid text."""
        return cm.classes.parse(self.text)

    def matrices(self) -> cm.classes.MatrixClass:
        """Return the class of matrices. Raise Failure if there are several."""
        matrices_found = self.classes()
        if isinstance(matrices_found, list):
            raise Failure(
                f"CLASS must be a single class for this command, got {len(matrices_found)} in {self.text!r}"
            )
        return matrices_found


Classes = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="CLASSES",
        help="2x2..3x4 n=..12: all r <= s in between and these totals; or any one CLASS.",
    ),
]


def sizes_of_spec(text: str) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Return the shapes and the totals in a text of classes. Raise ValueError if it has other parts."""
    said = texts.read(text)
    if not said.of_sizes:
        raise ValueError(
            f"CLASSES must be shapes and totals for this command, as in 2x2..3x4 n=..12, got {text!r}"
        )
    shapes = texts.parse_shapes(str(said.shapes))
    totals = texts.parse_totals(str(said.n))
    return as_few("shapes", shapes), as_few("n", totals)


def statistics_named(text: str) -> list[str]:
    """Return the names of statistics in the text of the option --only, which are separated by commas.

    >>> statistics_named("kappa, f1_score")
    ['kappa', 'f1_score']
    """
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in cm.statistics.STATISTICS:
            hint = meant_among(name, cm.statistics.STATISTICS) or "; confmat statistics lists them"
            raise Failure(f"--only must be the name of a statistic, got {name!r}{hint}")
    return names


def statistic_names(incomplete: str) -> list[str]:
    """Return the short names of statistics that begin with ``incomplete``, for the completion of the shell.

    >>> statistic_names("nme")
    ['nmed']
    """
    return [name for name in cm.statistics.STATISTICS if name.startswith(incomplete)]


def conjecture_names(incomplete: str) -> list[str]:
    """Return the names of statements on record that begin with ``incomplete``, for the completion of the shell.

    >>> "rd-max" in conjecture_names("rd-")
    True
    """
    return [name for name in cm.conjectures.LITERATURE if name.startswith(incomplete)]
