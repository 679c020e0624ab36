"""What may be exchanged in a matrix without changing a statistic or leaving a class: sets of generators.

"rows" and "columns": every permutation of them; "simultaneous": one permutation of the rows and the columns of a square
matrix; "transposition": a square matrix and its transpose.  What a statistic and a class share may be used.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from confmat.matrices.arguments import as_choice

Symmetry = frozenset[str]

GENERATORS = ("rows", "columns", "simultaneous", "transposition")
NONE: Symmetry = frozenset()
PERMUTATIONS: Symmetry = frozenset({"rows", "columns", "simultaneous"})
ALL: Symmetry = frozenset(GENERATORS)

# What means nothing for a matrix that is not square.
ONLY_SQUARE: Symmetry = frozenset({"simultaneous", "transposition"})

# The usual ones by name.  A permutation of rows and one of columns make every simultaneous one.
NAMED: dict[str, Symmetry] = {
    "transposition": ALL,
    "permutations": PERMUTATIONS,
    "simultaneous": frozenset({"simultaneous"}),
    "none": NONE,
}


def as_symmetry(symmetry: str | Iterable[str]) -> Symmetry:
    """The generators behind a name ("transposition", "permutations", "simultaneous", "none") or a set of them.

    Raises ValueError for anything else.

    >>> sorted(as_symmetry("permutations")), sorted(as_symmetry({"rows"}))
    (['columns', 'rows', 'simultaneous'], ['rows'])
    """
    if isinstance(symmetry, str):
        return NAMED[as_choice("symmetry", symmetry, NAMED)]
    if not isinstance(symmetry, Iterable):
        raise TypeError(f"symmetry must be a name or a set of {', '.join(GENERATORS)}, got {symmetry!r}")
    chosen = frozenset(symmetry)
    if not chosen <= ALL:
        strange = sorted(chosen - ALL, key=repr)
        raise ValueError(f"symmetry must be made of {', '.join(GENERATORS)}, got {strange}")
    return chosen | PERMUTATIONS if chosen >= {"rows", "columns"} else chosen


def generated(symmetry: Symmetry, shape: tuple[int, int]) -> Symmetry:
    """All generators that some of them make of matrices of one shape.

    Of square matrices the rows and any other generator make all permutations; others have two generators.

    >>> sorted(generated(frozenset({"rows", "transposition"}), (2, 2)))
    ['columns', 'rows', 'simultaneous', 'transposition']
    >>> sorted(generated(frozenset({"rows", "transposition"}), (2, 3)))
    ['rows']
    """
    if shape[0] != shape[1]:
        return symmetry - ONLY_SQUARE
    return symmetry | PERMUTATIONS if symmetry & {"rows", "columns"} and len(symmetry) > 1 else symmetry


def images(table: np.ndarray, symmetry: Symmetry) -> Iterator[tuple[str, np.ndarray]]:
    """The generators of a symmetry and what they make of a table: exchanges of two neighbouring lines, the transpose.

    They generate all: what these leave unchanged on every table of a class is unchanged by the whole group.

    >>> [(name, image.tolist()) for name, image in images(np.array([[1, 2], [3, 4]]), frozenset({"rows"}))]
    [('rows', [[3, 4], [1, 2]])]
    """
    r, s = table.shape
    for i in range(r - 1):
        if "rows" in symmetry:
            yield "rows", table[_exchange(r, i)]
        if "simultaneous" in symmetry and r == s:
            yield "simultaneous", table[np.ix_(_exchange(r, i), _exchange(r, i))]
    for j in range(s - 1):
        if "columns" in symmetry:
            yield "columns", table[:, _exchange(s, j)]
    if "transposition" in symmetry and r == s:
        yield "transposition", table.T


def _exchange(lines: int, i: int) -> list[int]:
    order = list(range(lines))
    order[i], order[i + 1] = i + 1, i
    return order
