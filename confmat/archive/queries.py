"""SQL queries over an archive, read only."""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import astuple
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from confmat._arguments import as_pattern
from confmat._limits import Limits, deadline, look
from confmat.archive.files import first_line, intact_entries, law_file
from confmat.errors import TooLargeError

_MOST_ROWS = 10**6  # rows of a result in memory, about 1 GB
_SECONDS = 600.0  # time limit of a query, if the limits have none

# Two different fractions of 64-bit integers differ by more than 2^-126.  The integers ``whole``, ``high`` and ``low``
# of exact_order, with 126 binary digits after the point, order them.  Each macro uses those before it.
MACROS = {
    "exact_den(den)": "CASE WHEN den < 1 THEN error('a denominator must be positive, got ' || den) ELSE den END",
    "exact_text(num, den)": "CASE WHEN exact_den(den) = 1 THEN num::VARCHAR ELSE num || '/' || den END",
    "exact_rest(num, den)": (
        "CASE WHEN num % exact_den(den) < 0 THEN num % exact_den(den) + den ELSE num % exact_den(den) END"
    ),
    "exact_order(num, den)": (
        "{'whole': num // exact_den(den) - CASE WHEN num % exact_den(den) < 0 THEN 1 ELSE 0 END, "
        "'high': (exact_rest(num, den)::HUGEINT << 63) // exact_den(den), "
        "'low': (((exact_rest(num, den)::HUGEINT << 63) % exact_den(den)) << 63) // exact_den(den)}"
    ),
    "exact_max(num, den)": "arg_max(exact_text(num, den), exact_order(num, den))",
    "exact_min(num, den)": "arg_min(exact_text(num, den), exact_order(num, den))",
    "exact_part(value, i)": (
        "CASE WHEN regexp_full_match(value::VARCHAR, '-?[0-9]+(/0*[1-9][0-9]*)?') "
        "THEN coalesce(nullif(split_part(value::VARCHAR, '/', i), ''), '1')::BIGINT::HUGEINT "
        "ELSE error('an exact value must be a text such as 10/7 or -2, got ' || value) END"
    ),
    "exact_compare(num, den, value)": (
        "sign(num::HUGEINT * exact_part(value, 2) - exact_den(den)::HUGEINT * exact_part(value, 1))::INTEGER"
    ),
}

_TEXTS = ("med_text", "rd_text", "ard_text")
_COMPARED = {f"COMPARE_{name}" for name in ("LESSTHAN", "GREATERTHAN", "BETWEEN")}
_COMPARED |= {f"COMPARE_{name}" for name in ("LESSTHANOREQUALTO", "GREATERTHANOREQUALTO", "NOT_BETWEEN")}
_ORDERING = {"min", "max", "least", "greatest", "median"}

_NO_LAW = """
    SELECT 0::INTEGER AS n, 0::INTEGER AS r, 0::INTEGER AS s, '' AS weight, 0::DOUBLE AS med, '' AS med_text,
    0::BIGINT AS med_num, 0::BIGINT AS med_den, 0::DOUBLE AS rd, '' AS rd_text, 0::BIGINT AS rd_num,
    0::BIGINT AS rd_den, 0::DOUBLE AS ard, '' AS ard_text, 0::BIGINT AS ard_num, 0::BIGINT AS ard_den,
    0::DECIMAL(38,0) AS count WHERE false
"""
_TABLE_OF_CLASSES = """
    CREATE TABLE classes (n INTEGER, r INTEGER, s INTEGER, weight VARCHAR, matrices DECIMAL(38,0),
    total DECIMAL(38,0), points BIGINT, digest VARCHAR, sha256 VARCHAR)
"""


def connect(folder: str | os.PathLike[str]) -> duckdb.DuckDBPyConnection:
    """Open an archive in DuckDB.

    Parameters
    ----------
    folder : path
        Directory of the archive.

    Returns
    -------
    duckdb.DuckDBPyConnection
        Connection to a database in memory. It has the view ``distributions`` over the files and the table
        ``classes`` of the manifest. Macros are ``exact_max``, ``exact_min``, ``exact_compare`` and
        ``exact_order``. ``confmat.archive`` documents the columns.

    Raises
    ------
    ArchiveError
        If the directory is not an archive, or the SHA-256 of a file differs from the manifest.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     with connect(folder) as connection:
    ...         connection.execute("SELECT max(ard), exact_max(ard_num, ard_den) FROM distributions").fetchone()
    (1.5, '3/2')
    """
    entries = intact_entries(folder)
    path = Path(folder).resolve()  # DuckDB 1.2 opens only absolute paths when access is restricted
    connection = duckdb.connect()
    connection.execute("SET python_enable_replacements = false")  # no Python variables as tables
    for name, meaning in MACROS.items():
        connection.execute(f"CREATE MACRO {name} AS {meaning}")
    files = [as_pattern(law_file(path, entry.key)) for entry in entries]
    laws = connection.read_parquet(files) if files else connection.sql(_NO_LAW)
    laws.create_view("distributions")
    connection.execute(_TABLE_OF_CLASSES)
    if entries:
        rows = [tuple(map(str, astuple(entry))) for entry in entries]
        connection.executemany("INSERT INTO classes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    return connection


def query(folder: str | os.PathLike[str], sql: str) -> pd.DataFrame:
    """Return the result of an SQL query over the views ``distributions`` and ``classes`` of an archive.

    Parameters
    ----------
    folder : path
        Directory of the archive.
    sql : str
        One query in the SQL of DuckDB. It can read the archive only.

    Returns
    -------
    pandas.DataFrame
        At most a million rows. Integers that do not fit into 64 bits are Python integers. The time is limited to
        ten minutes, or by the limits in force.

    Raises
    ------
    ValueError
        If the SQL is not one query, or cannot be run.
    TooLargeError
        If the result has more than a million rows, or takes more than the limits.
    ArchiveError
        If the directory is not an archive, or the SHA-256 of a file differs from the manifest.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from confmat.archive import build
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(folder, [(2, 2)], [4], ["tables"])
    ...     sql = "SELECT ard_text, sum(count) AS tables FROM distributions GROUP BY ard_text, ard ORDER BY ard"
    ...     query(folder, sql)
      ard_text  tables
    0        0       6
    1        1       8
    2      4/3       4
    3      3/2       1
    """
    with _opened(folder, sql) as (connection, relation):
        rows = _run(connection, relation.limit(_MOST_ROWS + 1).fetchall)
        if len(rows) > _MOST_ROWS:
            raise TooLargeError(f"sql must return at most {_MOST_ROWS} rows, got more. Add a LIMIT.")
        frame = pd.DataFrame([tuple(map(_as_integer, row)) for row in rows], dtype=object)
        frame = frame.reindex(columns=range(len(relation.columns)))
        exact = frame.apply(lambda column: column if column.isna().any() else column.infer_objects())
        return exact.set_axis(relation.columns, axis=1)


@contextmanager
def _opened(
    folder: str | os.PathLike[str], sql: str
) -> Iterator[tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyRelation]]:
    """Open the archive ``folder`` for one query, for the duration of a ``with`` statement.

    Yield two objects: a connection of DuckDB that can access only the archive, and the result of the query ``sql``.
    The result is a relation of DuckDB, which is not computed yet. Raise ValueError for an invalid query.
    """
    seconds, memory = Limits().most(_SECONDS)
    with connect(folder) as connection, deadline(Limits(seconds=seconds)):
        connection.execute("SET memory_limit = ?", [f"{memory / 2**20:.0f}MiB"])
        connection.execute("SET temp_directory = ''")  # otherwise it is created in the working directory
        path = Path(folder).resolve()
        connection.execute("SET allowed_directories = [?, ?]", [str(path), as_pattern(path)])
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        try:
            kinds = [statement.type for statement in connection.extract_statements(sql)]
            # EXPLAIN ANALYZE runs its query and is therefore refused.
            if kinds != [duckdb.StatementType.SELECT]:
                raise ValueError(f"sql must be a single SELECT statement, got {sql!r:.60}")
            _refuse_order_of_texts(connection, sql)
            relation = connection.sql(sql)
        except duckdb.Error as error:
            raise ValueError(f"sql cannot be run: {first_line(error)}") from error
        yield connection, relation


def _refuse_order_of_texts(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raise ValueError if the query ``sql`` orders exact values as texts, in which 10/7 precedes 2/3.

    It does so by <, > or ORDER BY, for example. Texts may be tested for equality.

    >>> _refuse_order_of_texts(duckdb.connect(), "SELECT n FROM distributions WHERE ard_text = '10/7'")
    """
    [(tree,)] = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()
    for name in _texts_in_order(json.loads(tree)):
        value = name.removesuffix("_text")
        raise ValueError(
            f"sql must not compare or sort by {name}, which is a text. Use {value}, or exact_compare({value}_num, "
            f"{value}_den, '10/7') < 0."
        )


def _texts_in_order(node: Any) -> Iterator[str]:
    """Yield the names of the columns of exact values that a query compares or sorts as texts.

    ``node`` is the syntax tree of the query or a part of it.
    """
    if isinstance(node, list):
        for part in node:
            yield from _texts_in_order(part)
    if isinstance(node, dict):
        if node.get("type") in _COMPARED or node.get("function_name") in _ORDERING or "null_order" in node:
            operands = [node]
            for operand in chain.from_iterable(x if isinstance(x, list) else [x] for x in node.values()):
                if isinstance(operand, dict):
                    operands.append(operand.get("expression", operand))
            names = [operand.get("column_names", [""])[-1].lower() for operand in operands]
            yield from (name for name in names if name in _TEXTS)
        for part in node.values():
            yield from _texts_in_order(part)


def _run(connection: duckdb.DuckDBPyConnection, work: Callable[[], Any]) -> Any:
    """Return ``work()``, a call that uses ``connection``. Ctrl-C and the time limit stop it.

    It runs in a second thread, because DuckDB does not return before the end of a query.
    """
    with ThreadPoolExecutor(1) as executor:
        future = executor.submit(work)
        try:
            return future.result(look())
        except (KeyboardInterrupt, TimeoutError):
            connection.interrupt()
            look("the query")
            raise
        except duckdb.OutOfMemoryException as error:
            raise TooLargeError(f"the query takes too much memory: {first_line(error)}") from error
        except duckdb.Error as error:
            raise ValueError(f"sql cannot be run: {first_line(error)}") from error


def _as_integer(value: Any) -> Any:
    """Return a value of DuckDB. A decimal that is an integer becomes an int.

    >>> _as_integer(Decimal(19)), _as_integer(Decimal("0.5"))
    (19, Decimal('0.5'))
    """
    return int(value) if isinstance(value, Decimal) and value == int(value) else value
