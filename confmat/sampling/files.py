"""Files of draws: CSV, written chunk by chunk, and NumPy and Parquet, from memory.

A file appears completely or not at all.
"""

import csv
import os
from pathlib import Path
from typing import IO

import numpy as np

from confmat._arguments import as_path
from confmat._engine.checkpoint import written_whole
from confmat.sampling.streams import Stream

TYPES_OF_FILES = (".csv", ".npy", ".parquet")


def column_names(r: int, s: int) -> list[str]:
    """Return the names of the cells of an r x s table in row-major order.

    >>> column_names(2, 2)
    ['n_1_1', 'n_1_2', 'n_2_1', 'n_2_2']
    """
    return [f"n_{i}_{j}" for i in range(1, r + 1) for j in range(1, s + 1)]


def write_draws(draws: Stream, path: str | os.PathLike[str]) -> None:
    """Write draws to a file: .csv and .parquet with a column for each cell, .npy with an array of shape (size, r, s).

    Raise ValueError for another suffix, and for totals beyond 64 bits if the file is not CSV. Raise TooLargeError
    before the first draw if the whole file exceeds the limits.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.classes import Tables
    >>> from confmat.sampling import stream
    >>> with TemporaryDirectory() as folder:
    ...     write_draws(stream(Tables(4, 2, 3), 5, rng=1), f"{folder}/draws.npy")
    ...     np.load(f"{folder}/draws.npy").shape
    (5, 2, 3)
    """
    suffix = as_path("path", path).suffix.lower()
    if suffix not in TYPES_OF_FILES:
        raise ValueError(f"path must end in {', '.join(TYPES_OF_FILES)}, got {os.fspath(path)!r}")
    if suffix != ".csv" and draws.matrices.n >= 2**63:
        raise ValueError(f"path must end in .csv for totals of 2^63 or more, got {os.fspath(path)!r}")
    draws.admit()
    with written_whole(path) as draft:
        if suffix == ".csv":
            with draft.open("w", newline="") as file:
                write_csv(draws, file)
        elif suffix == ".npy":
            with draft.open("wb") as file_of_bytes:
                np.save(file_of_bytes, draws.array())
        else:
            _write_parquet(draws, draft)


def write_csv(draws: Stream, file: IO[str]) -> None:
    """Write the draws of a stream to ``file`` as CSV: a header, and one row for each draw, cells in row-major order.

    >>> from io import StringIO
    >>> from confmat.classes import FixedMargins
    >>> from confmat.sampling import stream
    >>> file = StringIO()
    >>> write_csv(stream(FixedMargins([2, 1], [3, 0]), 2, rng=1), file)
    >>> file.getvalue().split()
    ['n_1_1,n_1_2,n_2_1,n_2_2', '2,0,1,0', '2,0,1,0']
    """
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(column_names(*draws.matrices.shape))
    for chunk in draws:
        writer.writerows(chunk.reshape(len(chunk), -1).tolist())


def _write_parquet(draws: Stream, path: Path) -> None:
    """Write all draws to a Parquet file, one column for each cell."""
    import duckdb
    import pandas as pd

    cells = draws.array().reshape(draws.size, -1)
    frame = pd.DataFrame(cells, columns=column_names(*draws.matrices.shape))
    duckdb.from_df(frame).write_parquet(str(path))
