"""Shapes of distributions that are computed without enumeration, and tables with or without empty rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb

from confmat._arguments import as_count


def as_shape(r: int, s: int, largest_columns: Mapping[int, int], way: str, names: str) -> tuple[int, int]:
    """Return the shape with r <= s, or raise ValueError that lists the shapes of a method.

    ``largest_columns`` is the largest number of columns for each number of rows.

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
            f"no {way} for r={r}, s={s}: supported are shapes up to {shapes} and their transposes; "
            f"for others enumerate, confmat.joint_distribution(Tables(n, r, s), {names})"
        )
    return shorter, longer


def smaller_shapes(r: int, s: int, allow_empty: bool) -> Iterator[tuple[int, int, int]]:
    """Return (i, j, factor): the r x s tables are the sum of ``factor`` times the i x j tables with empty rows and
    columns.

    Without ``allow_empty`` this is inclusion and exclusion over the rows and columns that are left out.

    >>> list(smaller_shapes(1, 2, True)), list(smaller_shapes(1, 2, False))
    ([(1, 2, 1)], [(1, 1, -2), (1, 2, 1)])
    """
    if allow_empty:
        yield r, s, 1
        return
    for i in range(1, r + 1):
        for j in range(1, s + 1):
            yield i, j, (-1) ** (r + s - i - j) * comb(r, i) * comb(s, j)
