"""Draws as files, written chunk by chunk: any number of them in little memory, whole or not at all."""

import csv
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from confmat._arguments import as_path
from confmat._engine.checkpoint import written_whole
from confmat.sampling.streams import Stream

# What DuckDB may keep of its table in memory.
_BYTES_HELD = "256MB"

# Its integers, by their bytes.
_INTEGERS = {1: "TINYINT", 2: "SMALLINT", 4: "INTEGER", 8: "BIGINT"}


def column_names(r: int, s: int) -> list[str]:
    """Names of the cells in row-major order.

    >>> column_names(2, 2)
    ['n_1_1', 'n_1_2', 'n_2_1', 'n_2_2']
    """
    return [f"n_{i}_{j}" for i in range(1, r + 1) for j in range(1, s + 1)]


def write_draws(draws: Stream, path: str | os.PathLike[str]) -> None:
    """Write draws to ``path``: .csv and .parquet have a column per cell, .npy the array of shape (size, r, s).

    Raises ValueError for another suffix, and for totals beyond 64 bits in other files than CSV; TooLargeError, before
    the first draw, where all of them take longer than the limits of the stream allow.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.classes import Tables
    >>> from confmat.sampling import stream
    >>> with TemporaryDirectory() as folder:
    ...     write_draws(stream(Tables(4, 2, 3), 5, rng=1), f"{folder}/draws.npy")
    ...     np.load(f"{folder}/draws.npy").shape
    (5, 2, 3)
    """
    writers: dict[str, Callable[[Stream, Path], None]] = {
        ".csv": _write_csv_file,
        ".npy": _write_npy,
        ".parquet": _write_parquet,
    }
    suffix = as_path("path", path).suffix.lower()
    if suffix not in writers:
        raise ValueError(f"path must end in {', '.join(writers)}, got {os.fspath(path)!r}")
    if suffix != ".csv" and draws.matrices.n >= 2**63:
        raise ValueError(f"totals beyond 64 bits fit CSV files only, got {os.fspath(path)!r}")
    draws.admit()
    with written_whole(path) as draft:
        writers[suffix](draws, draft)


def write_csv(draws: Stream, file: IO[str]) -> None:
    """A header and one line per draw, cells in row-major order.

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
    for rows in _flat(draws):
        writer.writerows(rows.tolist())


def _flat(draws: Stream) -> Iterator[np.ndarray]:
    for chunk in draws:
        yield chunk.reshape(len(chunk), -1)


def _write_csv_file(draws: Stream, path: Path) -> None:
    with path.open("w", newline="") as file:
        write_csv(draws, file)


def _write_npy(draws: Stream, path: Path) -> None:
    r, s = draws.matrices.shape
    kind = draws.dtype.newbyteorder("<")
    header: dict[str, Any] = {"descr": kind.str, "fortran_order": False, "shape": (draws.size, r, s)}
    with path.open("wb") as file:
        np.lib.format.write_array_header_2_0(file, header)
        for chunk in draws:
            file.write(np.ascontiguousarray(chunk, kind).tobytes())


def _write_parquet(draws: Stream, path: Path) -> None:
    import duckdb
    import pandas as pd

    names = column_names(*draws.matrices.shape)
    sql = ("U" if draws.dtype.kind == "u" else "") + _INTEGERS[draws.dtype.itemsize]
    columns = ", ".join(f"{name} {sql}" for name in names)
    # DuckDB's table is a file too, so that memory does not grow with the number of draws.
    store = path.with_name(path.name + ".duckdb")
    try:
        with duckdb.connect(str(store), config={"memory_limit": _BYTES_HELD}) as connection:
            connection.execute(f"CREATE TABLE draws ({columns})")
            for rows in _flat(draws):
                connection.register("chunk", pd.DataFrame(rows, columns=names))
                connection.execute("INSERT INTO draws SELECT * FROM chunk")
            connection.table("draws").write_parquet(str(path))
    finally:
        store.unlink(missing_ok=True)
