"""A paper is a protocol: what its scripts share that take data of one's own."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

from digits import Drawn, Key, Value


def positive(text: str) -> int:
    """A whole number from 1 on, as argparse reads it.

    >>> positive("3")
    3
    """
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be an integer from 1 on, got {text!r}")
    return number


def numbers(text: str) -> list[int]:
    """Whole numbers from 1 on, apart by commas.

    >>> numbers("3,5")
    [3, 5]
    """
    return [positive(part) for part in text.split(",")]


def names(text: str) -> list[str]:
    """Names, apart by commas.

    >>> names("ari,ami")
    ['ari', 'ami']
    """
    found = [part.strip() for part in text.split(",")]
    if not all(found):
        raise argparse.ArgumentTypeError(f"must be names apart by commas, got {text!r}")
    return found


def read_features(path: Path, label: str | None = None) -> tuple[pd.DataFrame, np.ndarray | None]:
    """The columns of numbers of a CSV file, and those of the classes as labels, if a column is named.

    Raises ValueError, with file, column and row, for a column that is not there, that is not of numbers, or has gaps.
    """
    try:
        frame = pd.read_csv(path, comment="#")
    except (OSError, UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(f"{path} cannot be read as CSV: {error}") from None
    if label is not None and label not in frame:
        raise ValueError(f"{path} has no column {label!r}; it has {', '.join(map(str, frame.columns))}")
    labels = None if label is None else frame.pop(label)
    if labels is not None and labels.isna().any():
        raise ValueError(f"{path}, column {label!r}, data row {int(labels.isna().argmax()) + 1} is empty")
    for name in frame:
        column = pd.to_numeric(frame[name], errors="coerce")
        wrong = ~np.isfinite(column)
        if wrong.any():
            row = int(wrong.argmax())
            raise ValueError(
                f"{path}, column {name!r}, data row {row + 1} must be a number, got {frame[name][row]!r}"
            )
        frame[name] = column
    if frame.shape[1] == 0 or len(frame) < 2:
        raise ValueError(f"{path} must have a column of numbers and two rows, got {len(frame)} rows")
    return frame, None if labels is None else labels.astype(str).to_numpy()


def print_table(values: Mapping[Key, Value]) -> None:
    """Values as a table: rows and columns in the order in which they come, fractions beside their decimals.

    >>> print_table({("a", "x"): Fraction(1, 3), ("b", "x"): 2})
                     x
    a  0.3333333 = 1/3
    b                2
    """
    rows = list(dict.fromkeys(row for row, _ in values))
    columns = list(dict.fromkeys(column for _, column in values))
    cells = [[_text(values.get((row, column))) for column in columns] for row in rows]
    print(pd.DataFrame(cells, rows, columns).to_string())


def _text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, Drawn):
        return f"{value.mean:.6g} ({value.error:.1g})"
    if isinstance(value, Fraction) and value.denominator > 1:
        exact = str(value)
        return f"{float(value):.7g} = {exact}" if len(exact) <= 12 else f"{float(value):.7g}"
    return f"{value:.7g}" if isinstance(value, float) else str(value)
