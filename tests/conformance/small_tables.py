"""All tables of a few objects, by definition: what is small enough to be tried whole.

>>> [len(orbits(n)) for n in range(1, 5)], [len(all_tables(n)) for n in range(1, 4)]
([1, 4, 10, 33], [1, 5, 33])
"""

from itertools import product

import numpy as np

from confmat.classes import Tables


def all_tables(n):
    """Of all shapes, without empty lines."""
    shapes = product(range(1, n + 1), repeat=2)
    return [table for r, s in shapes for table in Tables(n, r, s)]


def _few_lines_first(table):
    r, s = table.shape
    return r + s, r, (-table).tolist()


def orbits(n):
    """The largest table of each orbit under permutations of rows and of columns; few lines first."""
    found = {}
    for r, s in product(range(1, n + 1), repeat=2):
        matrices = Tables(n, r, s)
        for table, _ in matrices.orbits():
            for image in (table, table.T) if r == s else (table,):
                largest = matrices.representative(image, "permutations")
                found[r, largest.tobytes()] = largest
    return sorted(found.values(), key=_few_lines_first)


def degenerate(table):
    """Why a table says little of an index, where definitions are 0/0 and packages differ; None where nothing speaks so.

    >>> [degenerate(np.array(table)) for table in ([[1]], [[2, 1]], [[1, 0], [0, 1]], [[2, 1], [1, 1]])]
    ['one object', 'one cluster', 'all singletons', None]
    >>> [degenerate(np.array(table)) for table in ([[2, 0], [0, 1]], [[1, 1, 0], [0, 0, 1]])]
    ['equal', 'one side singletons']
    """
    rows, cols = table.sum(axis=1), table.sum(axis=0)
    clusters = np.count_nonzero(rows), np.count_nonzero(cols)
    if table.sum() <= 1:
        return "one object"
    if min(clusters) <= 1:
        return "one cluster"
    if np.count_nonzero(table) == max(clusters) == min(clusters):
        return "all singletons" if table.max() == 1 else "equal"
    return "one side singletons" if min(rows.max(), cols.max()) == 1 else None


def classifier_matrices(n, classes):
    """All confusion matrices with so many classes, each true or predicted at least once."""
    tables = Tables(n, classes, classes, allow_empty=True)
    return [table for table in tables if (table.any(axis=0) | table.any(axis=1)).all()]


def classifier_orbits(n, classes):
    """The largest of each orbit under exchanges of classes, the largest first."""
    matrices = Tables(n, classes, classes, allow_empty=True)
    largest = [matrices.representative(x, "simultaneous") for x in classifier_matrices(n, classes)]
    found = {table.tobytes(): table for table in largest}
    return sorted(found.values(), key=np.ndarray.tolist, reverse=True)


def spelled_out(table):
    """Two labelings with this table, the objects in order.

    >>> spelled_out(np.array([[2, 0], [1, 1]]))
    ((0, 0, 1, 1), (0, 0, 0, 1))
    """
    cells = [cell for cell, objects in np.ndenumerate(table) for _ in range(objects)]
    a, b = zip(*cells)
    return a, b
