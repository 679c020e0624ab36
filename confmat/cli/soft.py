"""Two files of memberships, or of labels, for the same objects, as ``confmat compare U.csv V.csv`` takes them."""

from pathlib import Path

import numpy as np

from confmat.cli.output import Failure


def read_sides(
    first: str, second: str, sep: str | None, header: bool | None, normalise: bool
) -> list[np.ndarray]:
    """The memberships, or labels, of two files."""
    for file in (first, second):
        if not Path(file).exists():
            raise Failure(f"{file} cannot be read: No such file or directory")
    return [_read(file, sep, header, normalise) for file in (first, second)]


def _read(file: str, sep: str | None, header: bool | None, normalise: bool) -> np.ndarray:
    from confmat.indices.soft import read_memberships

    try:
        side = read_memberships(file, sep=sep, header=header, normalise=normalise)
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        named = str(error).startswith(file)
        raise Failure(str(error) if named else f"{file} holds no memberships: {error}") from error
    if not len(side):
        raise Failure(f"{file} has no line under its header")
    return side
