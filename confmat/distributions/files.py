"""Laws as files: CSV and Parquet with exact values, written whole or not at all."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from confmat._engine.checkpoint import written_whole

LawRows = Iterable[tuple[tuple[Any, ...], int]]


def _text(value: Any) -> str:
    """Exact text of a number: p/q, or the shortest decimal that gives the same double."""
    if isinstance(value, float):
        return repr(value)
    return str(value)


@dataclass(frozen=True)
class ExactColumns:
    """A law as arrays: for each name (numerators, denominators) in lowest terms; weights as Python ints.

    int64 where they fit.  0/0 is undefined.  Of a statistic whose values are irrational, or rounded, there is one array
    of doubles.
    """

    columns: Mapping[str, tuple[np.ndarray, ...]]
    weights: np.ndarray

    @property
    def has_quotients_alone(self) -> bool:
        """Whether all values are quotients of 64-bit numbers, which ``write`` takes."""
        for parts in self.columns.values():
            kinds = [part.dtype for part in parts]
            if kinds != [np.int64, np.int64] or not parts[1].all():
                return False
        return True

    def write(self, path: str | os.PathLike[str], file_format: str) -> None:
        """Write quotients as "csv" (text p/q) or "parquet" (text, numerator, denominator) through DuckDB.

        >>> from tempfile import TemporaryDirectory
        >>> law = ExactColumns({"med": (np.array([0, 1]), np.array([1, 2]))}, np.array([10, 4], object))
        >>> with TemporaryDirectory() as folder:
        ...     law.write(f"{folder}/law.csv", "csv")
        ...     open(f"{folder}/law.csv").read().split()
        ['med,count', '0,10', '1/2,4']
        """
        frame = {"count": _pandas_series(*_weight_column(self.weights.tolist()))}
        columns = []
        for name, (numerators, denominators) in self.columns.items():
            p = f'"{name}_num"'
            q = f'"{name}_den"'
            frame |= {f"{name}_num": numerators, f"{name}_den": denominators}
            columns.append(f"CASE WHEN {q} = 1 THEN {p}::VARCHAR ELSE {p} || '/' || {q} END AS \"{name}\"")
            if file_format == "parquet":
                columns += [p, q]
        options = "FORMAT PARQUET" if file_format == "parquet" else "FORMAT CSV, HEADER"
        _copy(frame, f'SELECT {", ".join(columns)}, "count" FROM law', options, path)


def _pandas_series(values: list[Any], dtype: str) -> Any:
    import pandas as pd

    return pd.Series(values, dtype=dtype)


def _weight_column(weights: list[int]) -> tuple[Any, str]:
    """Weights and their column type: 64-bit integers if all fit, else text."""
    if all(weight < 2**63 for weight in weights):
        return weights, "int64"
    return [str(weight) for weight in weights], "str"


def columns_of_law(names: Sequence[str], rows: LawRows) -> ExactColumns:
    """Values and weights as arrays.

    >>> columns_of_law(["rd"], [((Fraction(1, 3),), 4)]).columns
    {'rd': (array([1]), array([3]))}
    >>> columns_of_law(["x"], [((Fraction(2**70),), 4), ((float("nan"),), 1)]).columns["x"][1].tolist()
    [1, 0]
    """
    points = list(rows)
    columns = {}
    for i, name in enumerate(names):
        columns[name] = _column([values[i] for values, _ in points])
    return ExactColumns(columns, np.array([weight for _, weight in points], object))


def _column(values: list[Any]) -> tuple[np.ndarray, ...]:
    """Numerators and denominators of Fractions, 0/0 for nan; doubles of other numbers."""
    ratios = []
    for x in values:
        if x == x and not isinstance(x, Fraction | int):
            return (np.array([*map(float, values)]),)
        ratios.append(x.as_integer_ratio() if x == x else (0, 0))
    parts = np.array(ratios, object).reshape(-1, 2)
    fits = bool(np.all(abs(parts) < 2**63))
    numerators, denominators = parts.astype(np.int64 if fits else object).T
    return numerators, denominators


def write_law_csv(path: str | os.PathLike[str], names: Sequence[str], rows: LawRows) -> None:
    """One line per row: the values as text, then the weight under the heading "count".

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_law_csv(f"{folder}/law.csv", ["rd", "x"], [((Fraction(1, 3), 0.5), 4)])
    ...     open(f"{folder}/law.csv").read().split()
    ['rd,x,count', '1/3,0.5,4']
    """
    with written_whole(path) as aside, aside.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*names, "count"])
        for values, weight in rows:
            writer.writerow([*map(_text, values), weight])


def write_parquet(path: str | os.PathLike[str], names: Sequence[str], rows: LawRows) -> None:
    """Parquet through DuckDB: for each value NAME (text), NAME_num, NAME_den (64 bits, null where they do not fit).

    The weight is a 64-bit integer if all fit, else text.

    >>> import duckdb
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_parquet(f"{folder}/law.parquet", ["rd"], [((Fraction(1, 3),), 4)])
    ...     duckdb.read_parquet(f"{folder}/law.parquet").fetchall()
    [('1/3', 1, 3, 4)]
    """
    rows = list(rows)
    columns = {}
    for i, name in enumerate(names):
        values = [row[i] for row, _ in rows]
        columns[name] = _pandas_series([_text(value) for value in values], "str")
        for suffix, part in (("num", "numerator"), ("den", "denominator")):
            columns[f"{name}_{suffix}"] = _pandas_series([_part(value, part) for value in values], "Int64")
    columns["count"] = _pandas_series(*_weight_column([weight for _, weight in rows]))
    _copy(columns, "SELECT * FROM law", "FORMAT PARQUET", path)


def _part(value: Any, part: str) -> int | None:
    """The numerator or denominator of a quotient, where 64 bits hold it."""
    if isinstance(value, Fraction | int):
        number = getattr(value, part)
    else:
        number = 2**63
    if abs(number) < 2**63:
        return number
    return None


def _copy(columns: dict[str, Any], query: str, options: str, path: str | os.PathLike[str]) -> None:
    """What a query selects of some columns, as a file."""
    import duckdb
    import pandas as pd

    with written_whole(path) as aside, duckdb.connect() as connection:
        connection.register("law", pd.DataFrame(columns))
        target = str(aside).replace("'", "''")
        connection.execute(f"COPY ({query}) TO '{target}' ({options})")
