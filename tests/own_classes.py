"""Classes defined by the public interface alone, for tests of what is asked of them."""

import itertools
from functools import cache

import numpy as np

import confmat as cm
from confmat.classes import Margins, MatrixClass
from confmat.statistics import STATISTICS


@cache
def tables(n, shape, empty):
    """All of them: the classes below are asked for their members again and again."""
    return list(cm.Tables(n, *shape, empty=empty))


class Symmetric(MatrixClass):
    """Symmetric k x k tables with total n, lines may be empty: (3,2,1), (3,2,1) has 12 tables, 8 of them symmetric."""

    def __init__(self, n, k):
        self.n, self.shape = n, (k, k)

    def __repr__(self):
        return f"Symmetric({self.n}, {self.shape[0]})"

    def __iter__(self):
        return (x for x in tables(self.n, self.shape, True) if (x == x.T).all())

    def __contains__(self, matrix):
        inside = matrix in cm.Tables(self.n, *self.shape, empty=True)
        return inside and bool((np.asarray(matrix) == np.asarray(matrix).T).all())

    symmetry = frozenset({"simultaneous", "transposition"})


class GivenTrace(MatrixClass):
    """k x k tables with total n and trace t: a classifier with t hits.  Nothing is declared."""

    def __init__(self, n, k, t):
        self.n, self.shape, self.t = n, (k, k), t

    def __repr__(self):
        return f"GivenTrace({self.n}, {self.shape[0]}, {self.t})"

    def __iter__(self):
        return (x for x in tables(self.n, self.shape, False) if np.trace(x) == self.t)

    def __contains__(self, matrix):
        return matrix in cm.Tables(self.n, *self.shape) and np.trace(np.asarray(matrix)) == self.t


class EvenRows(MatrixClass):
    """r x s tables with total n whose row sums are even: known by its margins, and says so."""

    def __init__(self, n, r, s):
        self.n, self.shape = n, (r, s)

    def __repr__(self):
        return f"EvenRows({self.n}, {self.shape[0]}, {self.shape[1]})"

    def __iter__(self):
        return (x for x in tables(self.n, self.shape, True) if not (x.sum(axis=1) % 2).any())

    def __contains__(self, matrix):
        return matrix in cm.Tables(self.n, *self.shape, empty=True) and not (np.sum(matrix, axis=1) % 2).any()

    symmetry = frozenset({"rows", "columns"})

    def margins(self, symmetry="none"):
        for rows in itertools.product(range(0, self.n + 1, 2), repeat=self.shape[0]):
            for cols in itertools.product(range(self.n + 1), repeat=self.shape[1]):
                if sum(rows) == sum(cols) == self.n:
                    yield Margins(rows, cols, 1)


COUNTED = [name for name, x in STATISTICS.items() if x.symmetry != "simultaneous"]
