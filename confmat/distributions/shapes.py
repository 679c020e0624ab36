"""What the laws without enumeration share: the shapes that they know, and tables with and without empty lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb

from confmat._arguments import as_count


def as_shape(r: int, s: int, largest_columns: Mapping[int, int], way: str, names: str) -> tuple[int, int]:
    """The shape with r <= s, where a way knows it; ValueError that says which it knows.

    ``largest_columns``: for each number of rows the largest number of columns, at least as large.

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
    """(i, j, factor): r x s tables are so many times i x j tables with empty lines allowed, all added up.

    Of tables that may have empty lines themselves; else by inclusion and exclusion over the lines left out.

    >>> list(smaller_shapes(1, 2, True)), list(smaller_shapes(1, 2, False))
    ([(1, 2, 1)], [(1, 1, -2), (1, 2, 1)])
    """
    if allow_empty:
        yield r, s, 1
        return
    for i in range(1, r + 1):
        for j in range(1, s + 1):
            yield i, j, (-1) ** (r + s - i - j) * comb(r, i) * comb(s, j)
