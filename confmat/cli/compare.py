"""The command ``compare``: the reference card of two labelings or of one matrix."""

from typing import Annotated

import typer

from confmat.answers import Answer
from confmat.cli.inputs import (
    Normalise,
    Other,
    Several,
    TableSource,
    read_two_or_more,
)
from confmat.cli.output import Failure, Plot, Published, at_least, checked, say, tell


def compare(
    source: TableSource,
    other: Other = None,
    seed: Annotated[
        int,
        typer.Option(
            parser=at_least("--seed", 0),
            metavar="K",
            help="Seed of the draws, where tables are too many to count; rng in Python.",
        ),
    ] = 0,
    normalise: Normalise = False,
    index: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Of more than two labelings: the index of every pair, ari unless said."
        ),
    ] = None,
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
    Several labelings, a column each: the ARI, or another index, of every pair:
      confmat compare labels.csv --index med --plot pairs.png
    Soft clusterings: memberships (or hard labels) of the same objects in two files:
      confmat compare U.csv V.csv
    The same for a program, {"med": {"exact": "1/50", "value": 0.02}, ...}:
      confmat compare --matrix "50,0,0;0,48,2;0,1,49" --json
    """
    # reads: a parameter for each option of the command
    card: Answer
    note = ""
    waiting = "Where it stands"
    if other is not None:
        source.check()
        if source.columns is not None or source.na != "refuse":
            raise Failure("--columns and --na belong to a single FILE, not to FILE and OTHER")
        from confmat.cards.soft import compare_soft
        from confmat.cli.soft import read_sides

        with checked():
            card = compare_soft(*read_sides(str(source.file), other, source.sep, source.header, normalise))
    elif normalise:
        raise Failure("--normalise belongs to FILE and OTHER, which hold memberships")
    else:
        read = read_two_or_more(source)
        note = read.note
        with checked():
            if isinstance(read, Several):
                from confmat.cards.several import several

                card = several(read.labelings, index or "ari", source.na)
                waiting = ""
            elif index is not None:
                raise Failure("--index must go with more than two labelings; of two every index is printed")
            else:
                from confmat.cards.comparisons import compared

                card = compared(read.matrix, (read.rows, read.cols), read.names, seed)
    say(note)
    tell(card, form=form, json=json, plot=plot, waiting=waiting)
