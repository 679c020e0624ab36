"""Files of distributions: CSV and Parquet with floats and exact values, written completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import nan
from typing import Any

import numpy as np

from confmat._engine.checkpoint import written_whole

LawRows = Iterable[tuple[tuple[Any, ...], int]]


@dataclass(frozen=True)
class ExactColumns:
    """Distribution as arrays.

    Attributes
    ----------
    columns : dict of str to (array, array)
        Numerators and denominators of the values of a statistic in lowest terms, 0/0 if undefined. For irrational
        or rounded values their floats and their exact texts.
    weights : array of Python integers
    """

    columns: Mapping[str, tuple[np.ndarray, np.ndarray]]
    weights: np.ndarray

    def write(self, path: str | os.PathLike[str], file_format: str) -> None:
        """Write a file in the format "csv" or "parquet".

        A statistic x has the columns x, x_num and x_den, or x and x_text. The last column is ``count``.

        >>> from tempfile import TemporaryDirectory
        >>> law = ExactColumns({"med": (np.array([0, 1]), np.array([1, 2]))}, np.array([10, 4], object))
        >>> with TemporaryDirectory() as folder:
        ...     law.write(f"{folder}/law.csv", "csv")
        ...     open(f"{folder}/law.csv").read().split()
        ['med,med_num,med_den,count', '0.0,0,1,10', '0.5,1,2,4']
        """
        import duckdb
        import pandas as pd

        columns: dict[str, np.ndarray] = {}
        for name, (first, second) in self.columns.items():
            if first.dtype == float:
                columns |= {name: first, f"{name}_text": second}
            else:
                columns[name] = _nearest_floats(first, second)
                columns[f"{name}_num"] = _integers(first)
                columns[f"{name}_den"] = _integers(second)
        columns["count"] = _integers(self.weights)
        options = "FORMAT PARQUET" if file_format == "parquet" else "FORMAT CSV, HEADER"
        with written_whole(path) as aside, duckdb.connect() as connection:
            connection.register("law", pd.DataFrame(columns))
            target = str(aside).replace("'", "''")
            connection.execute(f"COPY (SELECT * FROM law) TO '{target}' ({options})")


def _nearest_floats(numerators: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """Return the floats nearest to quotients, NaN for 0/0."""
    pairs = zip(numerators.tolist(), denominators.tolist())
    return np.array([p / q if q else nan for p, q in pairs], float)


def _integers(values: np.ndarray) -> np.ndarray:
    """Return integers as int64, or as texts if one needs more bits."""
    if all(abs(value) < 2**63 for value in values.tolist()):
        return values.astype(np.int64)
    return np.array([*map(str, values.tolist())], object)


def columns_of_law(names: Sequence[str], rows: LawRows) -> ExactColumns:
    """Return the content of a file of a distribution, for the names of its statistics and its rows.

    A row is a pair: the tuple of values of the statistics, and the weight. A statistic has two arrays in the
    result, the numerators and the denominators of its values. An undefined value is 0/0. The weights are a third
    array.

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


def _column(values: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return numerators and denominators of Fractions, 0/0 for NaN, or floats and texts if other numbers occur."""
    ratios = []
    for x in values:
        if x == x and not isinstance(x, Fraction | int):
            return np.array([*map(float, values)]), np.array([*map(str, values)], object)
        ratios.append(x.as_integer_ratio() if x == x else (0, 0))
    parts = np.array(ratios, object).reshape(-1, 2)
    fits = bool(np.all(abs(parts) < 2**63))
    numerators, denominators = parts.astype(np.int64 if fits else object).T
    return numerators, denominators
