"""SQL over an archive, and an archive as one file."""

import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from confmat.archive.exact import statements
from confmat.archive.folder import (
    EXTREMES,
    LAWS,
    SIGNATURES,
    Entry,
    classes_file,
    extremes_file,
    intact_entries,
    law_file,
    signatures_file,
)
from confmat.archive.parquet import first_line, read_rows
from confmat.arguments import as_path
from confmat.engine.checkpoint import written_whole
from confmat.errors import TooLarge
from confmat.statistics.conditions import AnyCondition, as_condition

_MOST_ROWS = 10**6  # of an answer in memory, some gigabyte


def connect(folder: str | os.PathLike[str]) -> duckdb.DuckDBPyConnection:
    """A DuckDB connection with the views ``laws``, ``signatures``, ``extremes`` and ``classes`` over an archive.

    The columns are those of the files (see ``confmat.archive``), and exact values once more: med, rd, ard in laws,
    given_med, value in extremes as doubles, and as text p/q under the names med_text and so on.  Macros compare them
    without rounding: ``exact_max``, ``exact_min``, ``exact_compare``, ``exact_order``.
    Nothing is copied; the files are read when a query needs them.
    Raises ArchiveError when the folder is no archive, or a file is not as it was built.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     with connect(folder) as connection:
    ...         connection.execute("SELECT max(ard), exact_max(ard_num, ard_den) FROM laws").fetchone()
    (1.5, '3/2')
    """
    entries = intact_entries(folder)
    path = Path(folder).resolve()  # DuckDB 1.2 opens no other path once access is confined
    connection = duckdb.connect()
    connection.execute("SET python_enable_replacements = false")  # no variables of ours as tables
    for macro in statements():
        connection.execute(macro)
    _view(
        connection,
        "laws",
        _files_of_laws(path, entries, law_file),
        LAWS,
        ("med", "rd", "ard"),
    )
    _view(connection, "signatures", _files_of_laws(path, entries, signatures_file), SIGNATURES, ())
    _view(
        connection,
        "extremes",
        _files_of_laws(path, entries, extremes_file),
        EXTREMES,
        ("given_med", "value"),
    )
    connection.from_parquet(str(classes_file(path))).create_view("classes")
    return connection


def _files_of_laws(
    folder: Path, entries: tuple[Entry, ...], file_of: Callable[[Path, tuple[int, int, int, str]], Path]
) -> list[str]:
    """The files of all laws, in their order."""
    return [str(file) for file in dict.fromkeys(file_of(folder, entry.key) for entry in entries)]


def _view(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    files: list[str],
    schema: dict[str, str],
    exact: tuple[str, ...],
) -> None:
    """A view over Parquet files, which hold the ``exact`` values as two integers: these as doubles and texts too."""
    columns = []
    for column in schema:
        value = column.removesuffix("_num")
        if value != column and value in exact:
            fraction = f"{value}_num, {value}_den"
            columns.append(f"{value}_num / {value}_den AS {value}")
            columns.append(f"exact_text({fraction}) AS {value}_text")
        columns.append(f'"{column}"')
    if files:
        relation = connection.read_parquet(files)
    else:
        empty = ", ".join(f'NULL::{sql_type} AS "{column}"' for column, sql_type in schema.items())
        relation = connection.sql(f"SELECT {empty} WHERE false")
    relation.project(", ".join(columns)).create_view(name)


def query(folder: str | os.PathLike[str], sql: str) -> pd.DataFrame:
    """The answer to an SQL query over ``laws``, ``signatures``, ``extremes`` and ``classes`` as a pandas DataFrame.

    Whole numbers are Python ints where they do not fit 64 bits, never rounded.  Raises ValueError naming what is
    wrong with the SQL, TooLarge for more than a million rows, ArchiveError for the folder, and where a file is not as
    it was built.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     query(folder, "SELECT ard_text, sum(count) AS tables FROM laws GROUP BY ard_text, ard ORDER BY ard")
      ard_text  tables
    0        0       6
    1        1       8
    2      4/3       4
    3      3/2       1
    """
    with connect(folder) as connection:
        # Times with a zone would need another package.
        relation = _cast(
            _answer_to_query(_confined(connection, folder), sql), ".*WITH TIME ZONE.*", "VARCHAR"
        )
        rows = _run(connection, relation.limit(_MOST_ROWS + 1).fetchall)
        if len(rows) > _MOST_ROWS:
            raise TooLarge(f"sql must ask for at most {_MOST_ROWS} rows, got more: write them to a file")
        return _exact_frame(relation.columns, list(map(str, relation.types)), rows)


def _run(connection: duckdb.DuckDBPyConnection, work: Callable[[], Any]) -> Any:
    """What a query or its writing gives; in a thread beside this one, which hears Ctrl-C and stops it."""
    with ThreadPoolExecutor(1) as executor:
        running = executor.submit(work)
        try:
            return running.result()
        except KeyboardInterrupt:
            connection.interrupt()
            raise
        except duckdb.IOException as error:
            raise OSError(first_line(error)) from error
        except duckdb.Error as error:
            raise ValueError(f"sql cannot be run: {first_line(error)}") from error


def failing(folder: str | os.PathLike[str], statement: AnyCondition) -> tuple[tuple[Entry, int], ...]:
    """For each class of an archive, how many of its tables do not meet a condition with formulas, without enumeration.

    In the order of the archive; of laws of labelings pairs of labelings are counted.  ValueError for a statistic
    without formula.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4, 5], ["tables"])
    ...     [(str(entry), number) for entry, number in failing(folder, "ari >= -1/4")]
    [('2x2 n=4 tables', 5), ('2x2 n=5 tables', 0)]
    """
    condition = as_condition(statement, "statement")
    path = as_path("folder", folder)
    failures = []
    for entry in intact_entries(path):
        rows = read_rows(signatures_file(path, entry.key), SIGNATURES)
        signatures = np.array([row[4:8] for row in rows], np.int64).reshape(-1, 4)
        holds = condition.mask(entry.tables, *signatures.T)
        counts_failing = [row[-1] for row, met in zip(rows, holds.tolist()) if not met]
        failures.append((entry, sum(counts_failing)))
    return tuple(failures)


def query_to_file(folder: str | os.PathLike[str], sql: str, out: str | os.PathLike[str]) -> None:
    """Write the answer to a query as .csv or .parquet, whole or not at all; errors as ``query``, and OSError, also
    for a file in the folder of an archive.

    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> sql = "SELECT med_text, sum(count) AS tables FROM laws GROUP BY med_text, med ORDER BY med"
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(f"{folder}/small", [(2, 2)], [4], ["tables"])
    ...     query_to_file(f"{folder}/small", sql, f"{folder}/m.csv")
    ...     print(open(f"{folder}/m.csv").read().split())
    ['med_text,tables', '0,6', '1/4,8', '1/2,5']
    """
    target = as_path("out", out)
    if target.suffix.lower() not in (".csv", ".parquet"):
        raise ValueError(f"out must end in .csv or .parquet, got {target}")
    with connect(folder) as connection, written_whole(target) as draft:
        answer = _answer_to_query(_confined(connection, folder, draft), sql)
        _write_relation(connection, answer, draft, target.suffix.lower()[1:])


def _confined(
    connection: duckdb.DuckDBPyConnection, folder: str | os.PathLike[str], *files: Path
) -> duckdb.DuckDBPyConnection:
    """The connection, from now on without access to anything but the archive and these files."""
    connection.execute(
        "SET temp_directory = ''"
    )  # a folder that it makes where the user stands, and could be read
    connection.execute("SET allowed_directories = [?]", [str(Path(folder).resolve())])
    connection.execute("SET allowed_paths = ?", [list(map(str, files))])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def _answer_to_query(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.DuckDBPyRelation:
    """What one query says; statements that could change something, the files of the archive too, are refused."""
    try:
        kinds = [statement.type for statement in connection.extract_statements(sql)]
        # Not EXPLAIN either: EXPLAIN ANALYZE does what it explains.
        if len(kinds) > 1 or not set(kinds) <= {duckdb.StatementType.SELECT}:
            kinds_in_words = ", ".join(kind.name for kind in kinds)
            raise ValueError(
                f"sql must be one query, which reads the archive and changes nothing, got {kinds_in_words}"
            )
        relation = connection.sql(sql)
    except duckdb.Error as error:
        raise ValueError(f"sql cannot be run: {first_line(error)}") from error
    if relation is None:
        raise ValueError(f"sql must ask for something, got {sql!r}")
    return relation


def _cast(relation: duckdb.DuckDBPyRelation, types: str, target: str) -> duckdb.DuckDBPyRelation:
    """A relation with the columns of some types (a regular expression) in another one."""
    columns = []
    for name, sql_type in zip(relation.columns, relation.types):
        column = '"' + name.replace('"', '""') + '"'
        is_cast = re.fullmatch(types, str(sql_type))
        columns.append(f"CAST({column} AS {target}) AS {column}" if is_cast else column)
    return relation.project(", ".join(columns))


def _exact_frame(names: list[str], types: list[str], rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    """Rows as a frame: decimals without a fraction as ints, nothing through doubles."""
    columns = []
    for i, sql_type in enumerate(types):
        values = [row[i] for row in rows]
        if sql_type.startswith("DECIMAL") and sql_type.endswith(",0)"):
            values = [None if x is None else int(x) for x in values]
        column = pd.Series(values, dtype=object)
        columns.append(column if column.isna().any() else column.infer_objects())
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = pd.Index(names)
    return frame


def _write_relation(
    connection: duckdb.DuckDBPyConnection, relation: duckdb.DuckDBPyRelation, path: Path, file_format: str
) -> None:
    """A relation as a file.  Sums of integers become decimals: in Parquet 128-bit integers would be doubles."""
    exact = _cast(relation, "U?HUGEINT", "DECIMAL(38,0)")
    if file_format == "csv":
        _run(connection, partial(exact.to_csv, str(path)))
    else:
        _run(connection, partial(exact.to_parquet, str(path), compression="zstd"))
