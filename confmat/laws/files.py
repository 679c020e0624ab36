"""Laws as files: CSV and Parquet with exact values, written whole or not at all."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from confmat.engine.checkpoint import written_whole

Rows = Iterable[tuple[tuple[Any, ...], int]]


def _text(value: Any) -> str:
    """Exact text of a number: p/q, or the shortest decimal that gives the same double."""
    return repr(value) if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class ExactColumns:
    """A law as arrays: for each name (numerators, denominators) in lowest terms; weights as Python ints.

    int64 where they fit.  0/0 is undefined.  Of a statistic whose values are irrational, or rounded, there is one array
    of doubles.
    """

    columns: Mapping[str, tuple[np.ndarray, ...]]
    weights: np.ndarray

    def write(self, path: str | os.PathLike[str], file_format: str) -> None:
        """Write "csv" (text p/q) or "parquet" (text, numerator, denominator) through DuckDB.

        >>> from tempfile import TemporaryDirectory
        >>> law = ExactColumns({"med": (np.array([0, 1]), np.array([1, 2]))}, np.array([10, 4], object))
        >>> with TemporaryDirectory() as folder:
        ...     law.write(f"{folder}/law.csv", "csv")
        ...     open(f"{folder}/law.csv").read().split()
        ['med,count', '0,10', '1/2,4']
        """
        import duckdb
        import pandas as pd

        frame = {
            f"{name}_{k}": part
            for name, pair in self.columns.items()
            for k, part in zip(("num", "den"), pair)
        }
        frame["count"] = _series(*_weight_column(self.weights.tolist()))
        text_of = "CASE WHEN {0}_den = 1 THEN {0}_num::VARCHAR ELSE {0}_num || '/' || {0}_den END AS {0}"
        wanted = []
        for name in self.columns:
            wanted.append(text_of.format(name))
            if file_format == "parquet":
                wanted += [f"{name}_num", f"{name}_den"]
        options = "FORMAT PARQUET" if file_format == "parquet" else "FORMAT CSV, HEADER"
        with written_whole(path) as aside, duckdb.connect() as connection:
            connection.register("law", pd.DataFrame(frame))
            query = f'SELECT {", ".join(wanted)}, "count" FROM law'
            connection.execute(f"COPY ({query}) TO '{str(aside).replace(chr(39), 2 * chr(39))}' ({options})")


def _series(values: list[Any], dtype: str) -> Any:
    import pandas as pd

    return pd.Series(values, dtype=dtype)


def _weight_column(weights: list[int]) -> tuple[Any, str]:
    """Weights and their column type: 64-bit integers if all fit, else text."""
    if all(weight < 2**63 for weight in weights):
        return weights, "int64"
    return [str(weight) for weight in weights], "str"


def columns_of(names: Sequence[str], rows: Rows) -> ExactColumns:
    """Values and weights as arrays.

    >>> columns_of(["rd"], [((Fraction(1, 3),), 4)]).columns
    {'rd': (array([1]), array([3]))}
    >>> columns_of(["x"], [((Fraction(2**70),), 4), ((float("nan"),), 1)]).columns["x"][1].tolist()
    [1, 0]
    """
    found = list(rows)
    columns = {}
    for i, name in enumerate(names):
        columns[name] = _column([values[i] for values, _ in found])
    return ExactColumns(columns, np.array([weight for _, weight in found], object))


def _column(values: list[Any]) -> tuple[np.ndarray, ...]:
    """Numerators and denominators of Fractions, 0/0 for nan; doubles of other numbers."""
    if any(x == x and not isinstance(x, Fraction | int) for x in values):
        return (np.array([*map(float, values)]),)
    ratios = [x.as_integer_ratio() if x == x else (0, 0) for x in values]
    largest = max((abs(part) for ratio in ratios for part in ratio), default=0)
    parts = np.array(ratios, np.int64 if largest < 2**63 else object).reshape(-1, 2)
    return parts[:, 0], parts[:, 1]


def write_csv(path: str | os.PathLike[str], names: Sequence[str], rows: Rows, count: str = "count") -> None:
    """One line per row: the values as text, then the weight under the heading ``count``.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_csv(f"{folder}/law.csv", ["rd", "x"], [((Fraction(1, 3), 0.5), 4)])
    ...     open(f"{folder}/law.csv").read().split()
    ['rd,x,count', '1/3,0.5,4']
    """
    with written_whole(path) as aside, aside.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*names, count])
        for values, weight in rows:
            writer.writerow([*map(_text, values), weight])


def write_parquet(
    path: str | os.PathLike[str], names: Sequence[str], rows: Rows, count: str = "count"
) -> None:
    """Parquet through DuckDB: for each value NAME (text), NAME_num, NAME_den (64 bits, null where they do not fit).

    The weight is a 64-bit integer if all fit, else text.

    >>> import duckdb
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_parquet(f"{folder}/law.parquet", ["rd"], [((Fraction(1, 3),), 4)])
    ...     duckdb.read_parquet(f"{folder}/law.parquet").fetchall()
    [('1/3', 1, 3, 4)]
    """
    import duckdb
    import pandas as pd

    rows = list(rows)
    columns: dict[str, Any] = {}
    for i, name in enumerate(names):
        values = [row[i] for row, _ in rows]
        columns[name] = pd.Series([_text(v) for v in values], dtype="str")
        for suffix, part in (("num", "numerator"), ("den", "denominator")):
            parts = [getattr(v, part) if isinstance(v, (Fraction, int)) else None for v in values]
            fitting = [p if p is not None and abs(p) < 2**63 else None for p in parts]
            columns[f"{name}_{suffix}"] = pd.Series(fitting, dtype="Int64")
    columns[count] = _series(*_weight_column([weight for _, weight in rows]))
    frame = pd.DataFrame(columns)
    with written_whole(path) as aside, duckdb.connect() as connection:
        connection.register("law", frame)
        connection.table("law").write_parquet(str(aside))
