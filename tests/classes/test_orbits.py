import itertools
import random
from math import factorial

import numpy as np
import pytest
from brute_classes import images, nested
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat.classes import FixedMargins, FixedRows, Margins, Tables, canonical
from confmat.classes.orbits import largest_arrangement


def cycles(permutation):
    """Cycle lengths of a permutation given as a dict."""
    lengths, seen = [], set()
    for start in permutation:
        length, here = 0, start
        while here not in seen:
            seen.add(here)
            here = permutation[here]
            length += 1
        if length:
            lengths.append(length)
    return lengths


def fixed_matrices(lengths, n):
    """Number of ways to give every cycle of cells one value, with total n."""
    ways = [1] + [0] * n
    for length in lengths:
        for total in range(length, n + 1):
            ways[total] += ways[total - length]
    return ways[n]


@pytest.mark.parametrize(
    ("n", "r", "s"),
    [(0, 2, 2), (9, 2, 2), (12, 2, 3), (9, 3, 3), (7, 3, 4), (6, 4, 4), (11, 1, 5), (4, 5, 5)],
)
def test_number_of_orbits_by_burnside(n, r, s):
    # Empty lines allowed: a symmetry fixes the matrices that are constant on its cycles of cells.
    total = group = 0
    for p, q in itertools.product(itertools.permutations(range(r)), itertools.permutations(range(s))):
        moves = [{(i, j): (p[i], q[j]) for i in range(r) for j in range(s)}]
        if r == s:
            moves.append({(i, j): (q[j], p[i]) for i in range(r) for j in range(s)})
        total += sum(fixed_matrices(cycles(move), n) for move in moves)
        group += len(moves)
    orbits = list(Tables(n, r, s, allow_empty=True).orbits())
    assert len(orbits) * group == total
    assert sum(multiplicity for _, multiplicity in orbits) == Tables(n, r, s, allow_empty=True).count()


@pytest.mark.parametrize(
    "cls",
    [Tables(9, 3, 3), Tables(10, 2, 4), Tables(7, 4, 4), Tables(5, 5, 5), FixedMargins((3, 3, 2), (3, 2, 3))],
)
def test_representatives_are_members_canonical_and_complete(cls):
    orbits = [(nested(matrix), multiplicity) for matrix, multiplicity in cls.orbits()]
    representatives = [matrix for matrix, _ in orbits]
    assert representatives == sorted(set(representatives))
    assert all(matrix in cls for matrix in representatives)
    assert sum(multiplicity for _, multiplicity in orbits) == cls.count()
    if isinstance(cls, Tables):
        assert all(nested(canonical(matrix)) == matrix for matrix in representatives)


def test_orbits_of_fixed_rows_keep_the_rows():
    # Transposition is not a symmetry of the class, even when r = s; exchanging equal rows is.
    for cls in (FixedRows((2, 2), 2), FixedRows((3, 1), 2), FixedRows((2, 1, 2), 3)):
        members = [nested(matrix) for matrix in cls]
        inside = set(members)
        expected = {}
        for matrix in members:
            orbit = {image for image in images(matrix, transpose=False) if image in inside}
            expected[max(orbit)] = len(orbit)
        assert [(nested(m), multiplicity) for m, multiplicity in cls.orbits()] == sorted(expected.items())


@settings(max_examples=150)
@given(st.data())
def test_canonical_is_the_largest_image(data):
    r, s = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    largest = data.draw(st.sampled_from([1, 2, 9]))
    cells = data.draw(st.lists(st.integers(0, largest), min_size=r * s, max_size=r * s))
    matrix = tuple(tuple(cells[i * s : (i + 1) * s]) for i in range(r))
    assert nested(canonical(matrix)) == max(images(matrix, transpose=r == s))
    labels = (0,) * r, (0,) * s
    best, symmetries = largest_arrangement(matrix, *labels, *labels)
    everything = list(images(matrix, transpose=False))
    assert best == max(everything)
    assert symmetries == everything.count(best)


@settings(max_examples=100)
@given(st.data())
def test_labelled_lines_stay_in_their_places(data):
    r, s = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    cells = data.draw(st.lists(st.integers(0, 2), min_size=r * s, max_size=r * s))
    matrix = tuple(tuple(cells[i * s : (i + 1) * s]) for i in range(r))
    row_labels = tuple(data.draw(st.lists(st.integers(0, 1), min_size=r, max_size=r)))
    col_labels = tuple(data.draw(st.lists(st.integers(0, 1), min_size=s, max_size=s)))
    row_places, col_places = data.draw(st.permutations(row_labels)), data.draw(st.permutations(col_labels))
    allowed = [
        tuple(tuple(matrix[i][j] for j in q) for i in p)
        for p, q in itertools.product(itertools.permutations(range(r)), itertools.permutations(range(s)))
        if [row_labels[i] for i in p] == row_places and [col_labels[j] for j in q] == col_places
    ]
    best, count = largest_arrangement(matrix, row_labels, col_labels, tuple(row_places), tuple(col_places))
    assert (best, count) == (max(allowed), allowed.count(max(allowed)))


def test_margin_classes_are_values():
    margins = Margins((3, 1), (2, 2), 4)
    assert {margins, Margins((3, 1), (2, 2), 4)} == {margins}
    with pytest.raises(AttributeError):
        margins.weight = 8


FANO = [[int((j - i) % 7 in (0, 1, 3)) for j in range(7)] for i in range(7)]


@pytest.mark.parametrize(
    ("matrix", "symmetries"),
    [
        (np.eye(16, dtype=int).tolist(), factorial(16)),
        (np.ones((7, 7), dtype=int).tolist(), factorial(7) ** 2),
        (FANO, 168),  # the collineations of the Fano plane
        ([[(i + j) % 7 for j in range(7)] for i in range(7)], 7),
    ],
)
def test_symmetric_matrices(matrix, symmetries):
    rows, labels = nested(matrix), (0,) * len(matrix)
    assert largest_arrangement(rows, labels, labels, labels, labels)[1] == symmetries
    rng = np.random.default_rng(1)
    for _ in range(5):
        shuffled = rng.permutation(rng.permutation(np.array(matrix)), axis=1)
        assert nested(canonical(shuffled)) == nested(canonical(matrix)) == nested(canonical(shuffled.T))


def test_random_seven_by_seven_matrices_have_one_form_per_orbit():
    rng = np.random.default_rng(2)
    for largest in (1, 2, 5, 10**6):
        matrix = rng.integers(0, largest + 1, (7, 7))
        form = canonical(matrix)
        assert sorted(form.ravel()) == sorted(matrix.ravel())
        for _ in range(5):
            image = rng.permutation(rng.permutation(matrix), axis=1)
            assert (canonical(random.Random(0).choice([image, image.T])) == form).all()


def test_canonical_of_entries_beyond_64_bits_and_of_bad_input():
    assert canonical([[1, 2**70]]).tolist() == [[2**70, 1]]
    assert [canonical([[1, x]]).dtype for x in (2**63 - 1, 2**63)] == [np.int64, object]
    assert canonical([[0, 1], [2, 0], [3, 0]]).tolist() == [[3, 0], [2, 0], [0, 1]]  # not transposed
    for bad in ([[1, -1]], [1, 2], [[0.5]], [[-0.5]], [[True]], [[[1]]], [[]], "x", [[1, 2], [3]]):
        with pytest.raises(ValueError, match="matrix must be a 2-d array of non-negative integers"):
            canonical(bad)
