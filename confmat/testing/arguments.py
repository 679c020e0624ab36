"""What the strategies accept: checks of arguments, of each alone and against each other.

What is known is checked by the functions ``settle_...``: on the fixed arguments when a strategy is made, on all of
them when it draws.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat._arguments import as_count, as_count_if_said, as_counts, as_flag
from confmat._integers.compositions import Composition
from confmat.classes import Tables
from confmat.classes.orbits import as_rows


def fixed(*values: Any) -> list[Any]:
    """The values that are known before anything is drawn, None for the others."""
    return [None if isinstance(value, (SearchStrategy, Between)) else value for value in values]


def said(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def unless(default: Any, **option: Any) -> dict[str, Any]:
    return {name: value for name, value in option.items() if value != default}


MOST_CLUSTERS = 6
"""Rows, columns, clusters that are drawn where nothing is said: in strategies and contracts alike."""


@dataclass(frozen=True)
class Sides:
    """How many rows and columns, each, a table has where nothing else says it."""

    least: int = 1
    most: int = MOST_CLUSTERS
    square: bool = False


def as_sides(min_clusters: Any = 1, max_clusters: Any = None, square: Any = False) -> Sides:
    fewest_clusters = as_count("min_clusters", min_clusters, 1)
    usual = max(fewest_clusters, Sides.most)
    most_clusters = as_count_if_said("max_clusters", max_clusters, usual, 1)
    if most_clusters < fewest_clusters:
        raise ValueError(
            f"max_clusters must be at least min_clusters, got {most_clusters} and {fewest_clusters}"
        )
    return Sides(fewest_clusters, most_clusters, as_flag("square", square))


# How many units beyond the least number a range has that names no largest one.
_SPARE = {"n": 40, "clusters": MOST_CLUSTERS - 1, "parts": MOST_CLUSTERS - 1}


@dataclass(frozen=True)
class Between:
    """A number of clusters from ``low`` to ``high``, or to the number of objects if these are fewer."""

    low: int
    high: int

    def __repr__(self) -> str:
        return f"({self.low}, {self.high})"


def as_size(name: str, value: Any, least: Any = None, most: Any = None, at_least: int = 1) -> Any:
    """A number, None or a strategy of numbers: from a pair (low, high), or from ``min_`` and ``max_`` of that name.

    >>> as_size("n", 3), as_size("n", (3, 9)), as_size("n", None, 2, 4)
    (3, integers(min_value=3, max_value=9), integers(min_value=2, max_value=4))
    >>> as_size("clusters", (2, 4))
    (2, 4)
    >>> as_size("n", (9, 3))
    Traceback (most recent call last):
    ...
    ValueError: n must be a number, a pair (low, high) in order, or a strategy, got (9, 3)
    """
    if least is None and most is None:
        if not isinstance(value, (tuple, list, range)):
            return value
        if isinstance(value, range):
            if value and value.step == 1:
                value = value.start, value.stop - 1
            else:
                value = tuple(value)
        if len(value) != 2 or value[0] > value[1]:
            words = f"{name} must be a number, a pair (low, high) in order, or a strategy"
            raise ValueError(f"{words}, got {value!r}")
        return _range(name, *(as_count(name, side, 0) for side in value))
    if value is not None:
        raise ValueError(f"{name} must be None beside min_{name} and max_{name}, got {value!r}")
    low = as_count_if_said(f"min_{name}", least, at_least)
    high = as_count_if_said(f"max_{name}", most, max(low, at_least) + _SPARE[name])
    if high < low:
        raise ValueError(f"max_{name} must be at least {low}, got {high}")
    return _range(name, low, high)


def _range(name: str, low: int, high: int) -> Any:
    if name == "n":
        return st.integers(low, high)
    return Between(max(1, low), high)


def settle_margins(
    n: Any, shape: Any, rows: Any = None, cols: Any = None, *, nonempty: bool, free: Sides = Sides()
) -> tuple[int | None, list[int | None], Composition | None, Composition | None]:
    """Total, sides, row sums and column sums as far as they are known, checked against each other."""
    least_cell_sum = int(nonempty)
    sums: dict[str, Composition | None] = {}
    for name, side in {"rows": rows, "cols": cols}.items():
        sums[name] = None if side is None else as_counts(name, side, least_cell_sum)
    totals = {name: sum(side) for name, side in sums.items() if side is not None}
    if n is not None:
        totals["n"] = as_count("n", n)
    if len(set(totals.values())) > 1:
        totals_told = ", ".join(f"{name}: {total}" for name, total in totals.items())
        raise ValueError(f"{', '.join(totals)} must have the same total, got {totals_told}")
    total = next(iter(totals.values()), None)
    sides: list[int | None] = [None, None]
    if shape is not None:
        sides = list(as_shape(shape))
    for k, (name, side) in enumerate(sums.items()):
        if side is not None and sides[k] not in (None, len(side)):
            raise ValueError(f"shape must agree with {name}, got {shape} and {len(side)} {name}")
        if side is not None:
            sides[k] = len(side)
    if free.square and None not in sides and sides[0] != sides[1]:
        raise ValueError(f"square must be False for {sides[0]} rows and {sides[1]} columns, got True")
    least_sides = [free.least if side is None else side for side in sides]
    least_total = max(1, *least_sides)
    if nonempty and total is not None and total < least_total:
        side_words = ["any" if side is None else str(side) for side in sides]
        shape_words = f"for shape ({', '.join(side_words)})"
        raise ValueError(f"n must be at least {least_total} {shape_words} without empty lines, got {total}")
    return total, sides, sums["rows"], sums["cols"]


def settle_sizes(
    n: Any, parts: Any, *, name: str, nonempty: bool, least: int = 0
) -> tuple[int | None, int | None]:
    """Total and number of parts as far as they are known; a part holds one unit or more if ``nonempty``."""
    size = as_count_if_said(name, parts, None, 1)
    total = as_count_if_said("n", n, None, least)
    least_total = (size or 1) if nonempty else 0
    if total is not None and total < least_total:
        raise ValueError(
            f"n must be at least {least_total} for {name}={size} without empty ones, got {total}"
        )
    return total, size


def as_shape(shape: Any) -> tuple[int, int]:
    try:
        r, s = shape
    except (TypeError, ValueError):
        raise ValueError(f"shape must be a pair of whole numbers, got {shape!r}") from None
    return as_count("shape[0]", r, 1), as_count("shape[1]", s, 1)


def as_pair(clusters: Any) -> tuple[Any, Any]:
    if not isinstance(clusters, (tuple, list)):
        return clusters, clusters
    if len(clusters) != 2:
        raise ValueError(f"clusters must be a number or a pair of numbers, got {clusters!r}")
    clusters_a, clusters_b = clusters
    return clusters_a, clusters_b


def as_denominator(value: Any, exact: bool) -> int:
    denominator = as_count("denominator", value, 1)
    if not exact and (denominator & (denominator - 1) or denominator > 2**52):
        raise ValueError(
            f"denominator must be a power of 2 up to 2**52 for floats, got {denominator}; or use exact=True"
        )
    return denominator


def as_dtype(value: Any) -> np.dtype:
    try:
        kind = np.dtype(value)
    except TypeError:
        kind = None
    if kind is None or kind.kind not in "iufO":
        raise ValueError(f"dtype must be an integer, a float or the object type, got {value!r}")
    return kind


def largest_total(dtype: np.dtype) -> int | None:
    """The largest total that tables of this type hold exactly, None if there is none."""
    if dtype.kind == "O":
        return None
    if dtype.kind == "f":
        digits = np.finfo(dtype).nmant + 1
        return int(2**digits)
    return int(np.iinfo(dtype).max)


def check_dtype(dtype: np.dtype, total: int | None) -> None:
    """A table of this type must hold its total exactly."""
    limit = largest_total(dtype)
    if total is not None and limit is not None and total > limit:
        raise ValueError(
            f"n must be at most {limit} for dtype {dtype}, got {total}; dtype=object has no limit"
        )


def as_table(matrix: Any) -> np.ndarray:
    rows = as_rows(matrix)
    if rows is None:
        raise ValueError(f"matrix must be a table of non-negative whole numbers, got {matrix!r}")
    return as_matrix(np.array(rows, dtype=object))


def as_matrix(cells: np.ndarray) -> np.ndarray:
    if cells.sum() < 2**63:
        return cells.astype(np.int64)
    return cells


def own_class(cells: np.ndarray) -> Tables:
    """The tables of this total and shape, with empty lines if it has one."""
    full = bool(cells.any(axis=0).all() and cells.any(axis=1).all())
    return Tables(
        sum(cells.ravel().tolist()),
        len(cells),
        len(cells[0]),
        allow_empty=not full,
    )
