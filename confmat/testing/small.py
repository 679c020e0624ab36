"""Enumeration of all tables, pairs, triples and chains of clusterings of a few objects, in order of size.

A chain has three clusterings, each refined by the next one. Orbits are those of permutations of rows and of
columns. A table and its transpose are in different orbits, because a tested function need not be symmetric.
"""

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import product
from math import comb

import numpy as np

from confmat._integers.compositions import partitions, set_partitions
from confmat._limits import admit
from confmat.classes import Tables
from confmat.classes.burnside import orbits_count
from confmat.classes.orbits import NAMED, PERMUTATIONS, Matrix, largest_image, nested

Labels = tuple[int, ...]

MOST_LISTED = 11
"""Largest number of objects of enumerated orbits.  There are 119 369 orbits, and 430 000 for one object more."""


def admit_small(
    work_words: str, n: int, every_n: int, *, classifier: bool = False, seconds: float = 0
) -> None:
    """Raise TooLargeError if the enumeration of small inputs takes too long.

    Small inputs are all tables of up to ``every_n`` objects, and one table of each orbit of up to n. For a
    classifier they are the confusion matrices of up to 3 classes. ``seconds`` is the time of other work, and
    ``work_words`` describes all work in the message.

    >>> admit_small("a claim", 9, 9)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.TooLargeError: a claim, checked for all cases of up to 9 objects, would take about ...
    """
    every_n = min(n, every_n)
    tables = orbits = 0
    if not classifier:
        for k, r, s in product(range(1, every_n + 1), repeat=3):
            tables += Tables(k, r, s).count()
        for k in range(every_n + 1, n + 1):
            orbits += _number_of_orbits(k)
    seconds += 2e-4 * tables + 8e-4 * orbits + 8e-5 * comb(n + 9, 9) * classifier  # measured
    admit(f"{work_words}, checked for all cases of up to {n} objects,", seconds, 1e3 * tables)


def _number_of_orbits(n: int) -> int:
    """Return the number of orbits of tables of n objects of all shapes.

    Tables with n rows and n + 1 columns, which may be empty, include all shapes without transposition.
    """
    return orbits_count(Tables(n, n, n + 1, allow_empty=True)) or 0


def all_tables(n: int) -> Iterator[np.ndarray]:
    """Yield all tables of n objects, of all shapes, without empty rows and columns.

    Their numbers are 1, 5, 33, 281, 2961, 37277 for n = 1, ..., 6.

    >>> [table.tolist() for table in all_tables(2)]
    [[[2]], [[1, 1]], [[1], [1]], [[0, 1], [1, 0]], [[1, 0], [0, 1]]]
    """
    yield from map(np.array, _all_tables(n))


@lru_cache(5)
def _all_tables(n: int) -> tuple[Matrix, ...]:
    """Return the tables of ``all_tables`` as nested tuples."""
    tables: list[Matrix] = []
    for lines in range(2, 2 * n + 1):
        for r in range(max(1, lines - n), min(n, lines - 1) + 1):
            tables += map(nested, Tables(n, r, lines - r))
    return tuple(tables)


def orbits(n: int) -> Iterator[np.ndarray]:
    """Yield the lexicographically largest table of each orbit of n objects, by increasing number of rows and columns.

    Their numbers are 1, 4, 10, 33, 91, 298, 910 for n = 1, ..., 7 (bipartite multigraphs with n edges).

    >>> [table.tolist() for table in orbits(2)]
    [[[2]], [[1, 1]], [[1], [1]], [[1, 0], [0, 1]]]
    """
    yield from map(np.array, _orbits(n))


@lru_cache(16)
def _orbits(n: int) -> tuple[Matrix, ...]:
    """Return the tables that ``orbits`` returns, as nested tuples. They stay in memory."""
    largest_images = set()
    for r in range(1, n + 1):
        for s in range(r, n + 1):
            for table, _ in Tables(n, r, s).orbits():
                for image in (table, table.T):
                    largest_images.add(nested(largest_image(image, PERMUTATIONS)))
    return tuple(sorted(largest_images, key=_few_lines_first))


def _few_lines_first(rows: Matrix) -> tuple[int, int, list[list[int]]]:
    """Return the sort key of a table: number of rows and columns, number of rows, then large cells first.

    >>> _few_lines_first(((2, 1),))
    (3, 1, [[-2, -1]])
    """
    lines = len(rows) + len(rows[0])
    negative_cells = [[-x for x in row] for row in rows]
    return lines, len(rows), negative_cells


def classifier_matrices(n: int, classes: int) -> Iterator[np.ndarray]:
    """Yield all confusion matrices of n objects with ``classes`` classes.

    Each class is true or predicted at least once.

    >>> [matrix.tolist() for matrix in classifier_matrices(1, 2)]
    [[[0, 0], [1, 0]], [[0, 1], [0, 0]]]
    """
    for matrix in Tables(n, classes, classes, allow_empty=True):
        if (matrix.any(axis=0) | matrix.any(axis=1)).all():
            yield np.array(matrix)


def classifier_orbits(n: int, classes: int) -> Iterator[np.ndarray]:
    """Yield one confusion matrix of each orbit under simultaneous permutations of rows and columns.

    >>> [matrix.tolist() for matrix in classifier_orbits(1, 2)]
    [[[0, 1], [0, 0]]]
    """
    representatives = {
        nested(largest_image(x, NAMED["simultaneous"])) for x in classifier_matrices(n, classes)
    }
    yield from map(np.array, sorted(representatives, reverse=True))


# --- clusterings of named objects -----------------------------------------------------------------


def triples(n: int) -> Iterator[tuple[Labels, Labels, Labels]]:
    """Yield triples of partitions of n objects, so that every triple is one of them after a reordering of the objects.

    The first partition has decreasing cluster sizes and sorted labels. The other two are arbitrary. There are 18928
    triples for n = 5.

    >>> [len(list(triples(n))) for n in (1, 2, 3)]  # each partition of n, with each pair of set partitions
    [1, 8, 75]
    """
    for parts in range(1, n + 1):
        for sizes in partitions(n, parts):
            sorted_labels: list[int] = []
            for label, size in enumerate(sizes):
                sorted_labels += [label] * size
            a = tuple(sorted_labels)
            for b in set_partitions(n):
                for c in set_partitions(n):
                    yield a, b, c


def chains(n: int) -> Iterator[tuple[Labels, Labels, Labels]]:
    """Yield all chains of three partitions of n objects, each refined by the next one.

    Their numbers are 1, 4, 22, 154, 1304 for n = 1, ..., 5.

    >>> list(chains(1)), [len(list(chains(n))) for n in range(1, 6)]
    ([((0,), (0,), (0,))], [1, 4, 22, 154, 1304])
    """
    for fine in set_partitions(n):
        for merge in set_partitions(max(fine) + 1):
            for coarse_merge in set_partitions(max(merge) + 1):
                middle = tuple(merge[label] for label in fine)
                yield tuple(coarse_merge[label] for label in middle), middle, fine


def by_appearance(labels: Iterable[Hashable]) -> Labels:
    """Return labels renumbered in the order of their first appearance.

    >>> by_appearance((2, 0, 2))
    (0, 1, 0)
    """
    number: dict[Hashable, int] = {}
    return tuple(number.setdefault(label, len(number)) for label in labels)


def spelled_out(table: np.ndarray) -> tuple[Labels, Labels]:
    """Return two labelings with this contingency table. The objects are sorted by row, then by column.

    >>> spelled_out(np.array([[2, 0], [1, 1]]))
    ((0, 0, 1, 1), (0, 0, 0, 1))
    """
    cells = [cell for cell in np.ndindex(*table.shape) for _ in range(int(table[cell]))]
    a, b = zip(*cells)
    return a, b
