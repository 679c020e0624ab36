"""Checks of the arguments of strategies: each argument alone, and contradictions between them.

A function ``settle_...`` is called twice. When a strategy is made, it checks the arguments that are not strategies
themselves. When an example is drawn, it checks all arguments.
"""

from typing import Any

import numpy as np
from hypothesis.strategies import SearchStrategy

from confmat._arguments import as_count, as_count_if_said, as_counts
from confmat._integers.compositions import Composition
from confmat.classes.orbits import as_rows


def fixed(*values: Any) -> list[Any]:
    """Return the values that are not strategies, and None in place of each strategy."""
    return [None if isinstance(value, SearchStrategy) else value for value in values]


MOST_CLUSTERS = 6
"""Default largest number of rows, columns and clusters of strategies and of `check_metric`."""


def settle_margins(
    n: Any, shape: Any, rows: Any = None, cols: Any = None, *, nonempty: bool, square: bool = False
) -> tuple[int | None, list[int | None], Composition | None, Composition | None]:
    """Return the total, the shape (a list), the row sums and the column sums that follow from the arguments.

    A number or margin that does not follow is None. Raise ValueError if the arguments contradict each other, also
    if a sum is 0 with ``nonempty`` or the shape is not square with ``square``.
    """
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
    if square and None not in sides and sides[0] != sides[1]:
        raise ValueError(f"square must be False for {sides[0]} rows and {sides[1]} columns, got True")
    least_sides = [1 if side is None else side for side in sides]
    least_total = max(least_sides)
    if nonempty and total is not None and total < least_total:
        side_words = ["any" if side is None else str(side) for side in sides]
        shape_words = f"for shape ({', '.join(side_words)})"
        raise ValueError(
            f"n must be at least {least_total} {shape_words} without empty rows and columns, got {total}"
        )
    return total, sides, sums["rows"], sums["cols"]


def settle_sizes(
    n: Any, parts: Any, *, name: str, nonempty: bool, least: int = 0
) -> tuple[int | None, int | None]:
    """Return the total and the number of parts that follow from the arguments, None for an unknown one.

    Raise ValueError if they contradict each other. ``name`` is the name of the argument ``parts`` in this message.
    If ``nonempty``, each part is at least 1.
    """
    size = as_count_if_said(name, parts, None, 1)
    total = as_count_if_said("n", n, None, least)
    least_total = (size or 1) if nonempty else 0
    if total is not None and total < least_total:
        raise ValueError(f"n must be at least {least_total} for {name}={size} and nonempty=True, got {total}")
    return total, size


def as_shape(shape: Any) -> tuple[int, int]:
    """Check that a shape (r, s) is a pair of positive integers and return it. Raise ValueError otherwise."""
    try:
        r, s = shape
    except (TypeError, ValueError):
        raise ValueError(f"shape must be a pair of integers, got {shape!r}") from None
    return as_count("shape[0]", r, 1), as_count("shape[1]", s, 1)


def as_pair(clusters: Any) -> tuple[Any, Any]:
    """Return one number of clusters for each labeling, given a number or a pair of numbers."""
    if not isinstance(clusters, (tuple, list)):
        return clusters, clusters
    if len(clusters) != 2:
        raise ValueError(f"clusters must be a number or a pair of numbers, got {clusters!r}")
    clusters_a, clusters_b = clusters
    return clusters_a, clusters_b


def as_table(matrix: Any) -> np.ndarray:
    """Return a matrix as an array. Raise ValueError if it is not an array of non-negative integers."""
    rows = as_rows(matrix)
    if rows is None:
        raise ValueError(f"matrix must be a table of non-negative integers, got {matrix!r}")
    return as_matrix(np.array(rows, dtype=object))


def as_matrix(cells: np.ndarray) -> np.ndarray:
    """Return an array as int64, or unchanged if its total exceeds int64."""
    if cells.sum() < 2**63:
        return cells.astype(np.int64)
    return cells
