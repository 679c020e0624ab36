"""The slow, obvious way: all compositions, all permutations."""

from collections import Counter
from functools import cache
from itertools import accumulate, combinations, pairwise, permutations, product

import numpy as np

from confmat.classes import completions


@cache
def all_matrices(n, r, s):
    """Every r x s matrix with total n, as nested tuples, sorted."""
    matrices = []
    for bars in combinations(range(n + r * s - 1), r * s - 1):
        ends = (-1, *bars, n + r * s - 1)
        cells = [b - a - 1 for a, b in pairwise(ends)]
        matrices.append(tuple(tuple(cells[i * s : (i + 1) * s]) for i in range(r)))
    return sorted(matrices)


def has_no_empty_line(matrix):
    return all(map(any, matrix)) and all(map(any, zip(*matrix)))


def row_sums(matrix):
    return tuple(map(sum, matrix))


def col_sums(matrix):
    return tuple(map(sum, zip(*matrix)))


def images(matrix, transpose):
    """The image under every (row permutation, column permutation[, transposition]), with repetition."""
    sources = [matrix, tuple(zip(*matrix))] if transpose else [matrix]
    for source in sources:
        for p, q in product(permutations(range(len(source))), permutations(range(len(source[0])))):
            yield tuple(tuple(source[i][j] for j in q) for i in p)


def nested(matrix):
    return tuple(map(tuple, np.asarray(matrix).tolist()))


def check_against_members(cls, members):
    """Everything a class says, against the sorted list of its members."""
    listed = list(cls)
    assert [nested(matrix) for matrix in listed] == members
    assert all(matrix.shape == cls.shape and matrix.dtype == np.int64 for matrix in listed)
    assert cls.count() == len(cls) == len(members)
    assert bool(cls) == bool(members)
    for index, matrix in enumerate(members):
        assert cls.rank(matrix) == index
        assert nested(cls.unrank(index)) == matrix
    check_tails(cls, members)
    check_orbits(cls, members)


def check_tails(cls, members):
    """The numbers of members from a value of a cell on, also values beyond what is left, after every prefix."""
    cells = [tuple(cell for row in matrix for cell in row) for matrix in members]
    for length in range(cls.shape[0] * cls.shape[1]):
        starts = Counter(row[: length + 1] for row in cells)
        for prefix in {row[:length] for row in cells}:
            tail = completions.completions(list(prefix), *cls.possible_sums)
            values = range(cls.n, -1, -1)
            expected = list(accumulate(starts[(*prefix, x)] for x in values))
            assert [tail(x) for x in values] == expected
            assert tail(cls.n + 1) == tail(cls.n + 2) == 0


def check_orbits(cls, members):
    """Representatives and multiplicities against orbits by all permutations, their number by Burnside."""
    transpose = cls.shape[0] == cls.shape[1]
    inside = set(members)
    expected, fixed, group = {}, 0, 0
    for matrix in members:
        orbit = {image for image in images(matrix, transpose) if image in inside}
        expected[max(orbit)] = len(orbit)
    orbits = [(nested(matrix), multiplicity) for matrix, multiplicity in cls.orbits()]
    assert orbits == sorted(expected.items())
    assert sum(multiplicity for _, multiplicity in orbits) == cls.count()
    # Burnside: |orbits| |G| = number of pairs (member, symmetry of the class that fixes it).
    if members:
        for matrix in members:
            fixed += sum(image == matrix for image in images(matrix, transpose))
        symmetric = list(zip(*(images(matrix, transpose) for matrix in members)))
        group = sum(all(image in inside for image in moved) for moved in symmetric)
        assert fixed == len(orbits) * group
