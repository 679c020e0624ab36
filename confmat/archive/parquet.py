"""Rows of exact numbers in Parquet files, written whole or not at all, by columns and types in DuckDB."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from confmat.engine.checkpoint import written_whole
from confmat.errors import ArchiveError

ParquetRow = tuple[Any, ...]

# Columns and their types in DuckDB.  A DECIMAL of no decimals is the widest exact integer that Parquet has.
COUNT = "DECIMAL(38,0)"
MOST_COUNT = 10**38 - 1

_SEAL = "digest_of_rows"  # what a seal is called among the notes that a Parquet file can hold


def _connection() -> duckdb.DuckDBPyConnection:
    """A connection of one's own to a DuckDB in memory that all share: starting one takes longer than a query."""
    return _database().cursor()


@lru_cache(maxsize=1)
def _database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    with suppress(duckdb.CatalogException):  # a version without this cache, whose entries could be outdated
        connection.execute("SET enable_external_file_cache = false")
    return connection


def write_columns(
    path: Path, schema: Mapping[str, str], columns: Mapping[str, Any], seal: str | None = None
) -> None:
    """Write arrays or lists, by the names and in the types of ``schema``, as Parquet; whole or not at all.

    ``seal``: a text that is written into the file beside its rows, as ``seal_of`` reads it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_columns(Path(folder, "law.parquet"), {"count": COUNT}, {"count": [10**30]})
    ...     read_rows(Path(folder, "law.parquet"), {"count": COUNT})
    [(1000000000000000000000000000000,)]
    """
    frame = {}
    for name, sql_type in schema.items():
        values = columns[name]
        if sql_type == COUNT:  # as text: Python ints beyond 64 bits could become doubles on the way
            values = list(map(str, values))
        frame[name] = pd.Series(values, dtype="Int64" if sql_type in ("INTEGER", "BIGINT") else object)
    selection = ", ".join(f'CAST("{name}" AS {sql_type}) AS "{name}"' for name, sql_type in schema.items())
    if seal is None:
        seal_option = ""
    else:
        seal_option = f", KV_METADATA {{{_SEAL}: {_quoted(seal)}}}"
    try:
        with written_whole(path, into_archive=True) as draft, _connection() as connection:
            connection.register("rows", pd.DataFrame(frame))
            options = f"FORMAT parquet, COMPRESSION zstd{seal_option}"
            connection.execute(f"COPY (SELECT {selection} FROM rows) TO {_quoted(str(draft))} ({options})")
    except (OSError, duckdb.IOException) as error:
        raise ArchiveError(
            f"{path} cannot be written: {getattr(error, 'strerror', None) or error}"
        ) from error


def _quoted(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def seal_of(path: Path) -> str | None:
    """The text that was written into a Parquet file beside its rows; None where there is none.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_columns(Path(folder, "law.parquet"), {"count": COUNT}, {"count": [19]}, seal="5e1f")
    ...     seal_of(Path(folder, "law.parquet"))
    '5e1f'
    """
    question = "SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = ?"
    try:
        with _connection() as connection:
            row = connection.execute(question, [str(path), _SEAL]).fetchone()
    except duckdb.Error as error:
        raise ArchiveError(f"{path} is damaged: {first_line(error)}") from error
    if row is None:
        return None
    return str(row[0])


def bytes_digest(path: Path) -> str | None:
    """SHA-256 of the bytes of a file; None where there is no such file.

    >>> print(bytes_digest(Path("a file that does not exist")))
    None
    """
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_rows(path: Path, schema: Mapping[str, str]) -> list[ParquetRow]:
    """All rows of a Parquet file with exactly these columns, counts as Python ints; ArchiveError otherwise.

    >>> read_rows(Path("law.parquet"), {"n": "INTEGER"})
    Traceback (most recent call last):
    ...
    confmat.errors.ArchiveError: law.parquet is missing
    """
    if not path.is_file():
        raise ArchiveError(f"{path} is missing")
    try:
        with _connection() as connection:
            relation = connection.from_parquet(str(path))
            types = dict(zip(relation.columns, map(str, relation.types)))
            if types != dict(schema):
                raise ArchiveError(f"{path} has other columns than an archive's: {', '.join(types)}")
            rows = relation.fetchall()
    except duckdb.Error as error:
        raise ArchiveError(f"{path} is damaged: {first_line(error)}") from error
    for name, column in zip(schema, zip(*rows)):
        if _lacks_numbers(name, column):
            raise ArchiveError(f"{path} is damaged: a row lacks a value, or has a denominator below 1")
    count_columns = [i for i, sql_type in enumerate(schema.values()) if sql_type == COUNT]
    rows_with_ints = []
    for row in rows:
        values = list(row)
        for i in count_columns:
            if values[i] is not None:
                values[i] = int(values[i])
        rows_with_ints.append(tuple(values))
    return rows_with_ints


def _lacks_numbers(name: str, column: tuple[Any, ...]) -> bool:
    """Whether a row has no value where there must be one, or a denominator that is none.

    >>> _lacks_numbers("given_den", (None, 2)), _lacks_numbers("den", (0, 2)), _lacks_numbers("num", (None, 2))
    (False, True, True)
    """
    if None in column and not name.startswith("given_"):
        return True
    return name.endswith("den") and any(x is not None and x < 1 for x in column)


def rows_of(columns: Mapping[str, Any]) -> Iterator[ParquetRow]:
    """The rows of columns given as arrays or lists.

    >>> list(rows_of({"n": [4, 5], "count": [19, 36]}))
    [(4, 19), (5, 36)]
    """
    return zip(*(column.tolist() if hasattr(column, "tolist") else column for column in columns.values()))


def content_digest(rows: Iterable[ParquetRow]) -> str:
    """SHA-256 of rows as text: values separated by spaces, "-" for None, a line feed after each row.

    >>> content_digest([(1, None, "a")]) == hashlib.sha256(b"1 - a\\n").hexdigest()
    True
    """
    sha = hashlib.sha256()
    for row in rows:
        texts = ["-" if x is None else str(x) for x in row]
        line = " ".join(texts) + "\n"
        sha.update(line.encode())
    return sha.hexdigest()


def first_line(error: Exception) -> str:
    """A DuckDB error without the excerpt of the query that follows it.

    >>> first_line(RuntimeError("no such column" + 2 * chr(10) + "LINE 1: SELECT x"))
    'no such column'
    """
    return " ".join(str(error).split("\n\nLINE ")[0].split())
