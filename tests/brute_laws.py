"""Laws the obvious way: every index at every matrix."""

from collections import Counter

from confmat.statistics import STATISTICS
from confmat.statistics.table import labelings


def obvious_law(matrices, names, weight):
    """Values of named indices -> weight, over all matrices of a class."""
    law = Counter()
    for matrix in matrices:
        values = tuple(STATISTICS[name].index(matrix, exact=True) for name in names)
        law[values] += 1 if weight == "tables" else labelings(matrix)
    return law
