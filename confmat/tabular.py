"""Laws as files: CSV and Parquet with exact values, written whole or not at all."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

Rows = Iterable[tuple[tuple[Any, ...], int]]


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path beside ``path`` that replaces it when the block ends without an error."""
    target = Path(path)
    aside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        yield aside
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)


def text(value: Any) -> str:
    """Exact text of a number: p/q, or the shortest decimal that gives the same double."""
    return repr(value) if isinstance(value, float) else str(value)


def write_csv(path: str | os.PathLike[str], names: Sequence[str], rows: Rows, count: str = "count") -> None:
    """One line per row: the values as text, then the weight under the heading ``count``."""
    with written_whole(path) as aside, aside.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*names, count])
        for values, weight in rows:
            writer.writerow([*map(text, values), weight])


def write_parquet(
    path: str | os.PathLike[str], names: Sequence[str], rows: Rows, count: str = "count"
) -> None:
    """Parquet through DuckDB: for each value NAME (text), NAME_num, NAME_den (64 bits, null where they do not fit).

    The weight is a 64-bit integer if all fit, else text.
    """
    import duckdb
    import pandas as pd

    rows = list(rows)
    columns: dict[str, Any] = {}
    for i, name in enumerate(names):
        values = [row[i] for row, _ in rows]
        columns[name] = pd.Series([text(v) for v in values], dtype="str")
        for suffix, part in (("num", "numerator"), ("den", "denominator")):
            parts = [getattr(v, part) if isinstance(v, (Fraction, int)) else None for v in values]
            fitting = [p if p is not None and abs(p) < 2**63 else None for p in parts]
            columns[f"{name}_{suffix}"] = pd.Series(fitting, dtype="Int64")
    weights = [weight for _, weight in rows]
    fits = all(weight < 2**63 for weight in weights)
    columns[count] = pd.Series(weights if fits else map(str, weights), dtype="int64" if fits else "str")
    frame = pd.DataFrame(columns)
    with written_whole(path) as aside, duckdb.connect() as connection:
        connection.register("law", frame)
        connection.execute("COPY law TO ? (FORMAT PARQUET)", [str(aside)])
