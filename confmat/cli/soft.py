"""``confmat compare U.csv V.csv``: two files of memberships, or of labels, for the same objects."""

from itertools import chain
from pathlib import Path

import numpy as np

from confmat.answers import Told, counted, exact_json
from confmat.cli.output import Failure, checked, tell
from confmat.sheets import Sheet


def compare_files(first: str, second: str, json: bool, sep: str | None, header: bool | None) -> None:
    """The soft indices of two files, and every crisp index after each object went to its largest membership."""
    from confmat.cards import compare
    from confmat.indices.soft import all_indices

    for file in (first, second):
        if not Path(file).exists():
            raise Failure(f"{file} cannot be read: No such file or directory")
    with checked():
        sides = [_read(file, sep, header) for file in (first, second)]
        soft = all_indices(*sides, buckets=2**20 if len(sides[0]) > 5000 else None)
        hard = [(side if side.ndim == 1 else side.argmax(axis=1) + 1).tolist() for side in sides]
        crisp = compare(*hard)
    sheet = Sheet(("soft index", "value"), ("soft index",), f"{counted(len(hard[0]), 'object')}, memberships")
    for name, value in soft.items():
        sheet.add_row(name, "0/0" if value != value else f"{value:.7f}")
    between = "Each object in its cluster of largest membership (of several, the first):"
    facts = {"soft": {name: exact_json(x) for name, x in soft.items()}, "hardened": crisp}
    tell(Told(chain([sheet, between], crisp.parts()), facts), json=json)


def _read(file: str, sep: str | None, header: bool | None) -> np.ndarray:
    from confmat.indices.soft import read_memberships

    try:
        side = read_memberships(file, sep=sep, header=header)
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        named = str(error).startswith(file)
        raise Failure(str(error) if named else f"{file} holds no memberships: {error}") from error
    if not len(side):
        raise Failure(f"{file} has no line under its header")
    return side
