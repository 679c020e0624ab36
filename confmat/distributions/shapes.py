"""Shapes of tables for closed forms and recursions, and inclusion and exclusion over empty rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb

from confmat._arguments import as_count


def as_shape(r: int, s: int, largest_columns: Mapping[int, int], way: str, names: str) -> tuple[int, int]:
    """Return the shape (r, s) with r <= s, or raise ValueError if a method does not support it.

    ``largest_columns`` maps each supported number of rows to the largest supported number of columns. The message
    has the name of the method (``way``), and suggests another call for the statistics ``names``.

    >>> as_shape(4, 3, {3: 4}, "recursion", '"rd"')
    (3, 4)
    """
    shorter, longer = sorted(
        [
            as_count("r", r, minimum=1),
            as_count("s", s, minimum=1),
        ]
    )
    if longer > largest_columns.get(shorter, 0):
        shapes_known = [f"{rows} x {columns}" for rows, columns in largest_columns.items()]
        shapes = ", ".join(shapes_known)
        raise ValueError(
            f"the {way} is for shapes up to {shapes} and their transposes, got r = {r} and s = {s}. "
            f"Use confmat.joint_distribution(Tables(n, r, s), {names}), which enumerates."
        )
    return shorter, longer


def smaller_shapes(r: int, s: int, allow_empty: bool) -> Iterator[tuple[int, int, int]]:
    """Yield the terms (i, j, factor) of the inclusion and exclusion over empty rows and columns of r x s tables.

    The number of r x s tables is the sum of factor * (number of i x j tables with empty rows and columns allowed).
    With ``allow_empty`` the only term is (r, s, 1).

    >>> list(smaller_shapes(1, 2, True)), list(smaller_shapes(1, 2, False))
    ([(1, 2, 1)], [(1, 1, -2), (1, 2, 1)])
    """
    if allow_empty:
        yield r, s, 1
        return
    for i in range(1, r + 1):
        for j in range(1, s + 1):
            yield i, j, (-1) ** (r + s - i - j) * comb(r, i) * comb(s, j)
