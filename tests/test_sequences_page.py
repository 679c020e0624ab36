"""The page of tables and sequences is what its script makes, and its first terms are what they are said to be."""

from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest

import confmat as cm
from confmat import archive

SCRIPT = Path(__file__).parents[1] / "notebooks" / "build_sequences.py"


@pytest.fixture(scope="module")
def sequences():
    spec = spec_from_file_location("build_sequences", SCRIPT)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def known(sequences):
    return {one.title: one for one in sequences.SEQUENCES}


@pytest.mark.slow
def test_the_page_agrees_with_its_script(sequences, tmp_path):
    assert sequences.PAGE.read_text(encoding="utf-8") == sequences.page(sequences.small(tmp_path))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An archive of 1 x 1, 1 x 2 and 2 x 2 tables of one and two objects, and of the last of three."""
    path = tmp_path_factory.mktemp("sequences") / "archive"
    archive.build(path, [(1, 1), (1, 2), (2, 2)], [1, 2], ["tables", "labelings"])
    archive.build(path, [(2, 2)], [3], ["tables"])
    return path


def test_terms_are_those_of_an_archive_as_far_as_it_has_all(known, folder):
    assert known["2 x 2 matrices"].archived(folder) == [2, 8]
    assert known["2 x 2 matrices by MED"].archived(folder) == [[2], [4, 4]]
    assert known["Values of the ARI"].archived(folder) == [1, 2]
    assert known["Matrices of any shape"].archived(folder) == [1, 5]  # of three objects it lacks shapes
    for kind in ("MED", "disagreements"):
        assert known[f"Pairs of partitions by {kind}"].archived(folder) == [[1], [2, 2]]
    assert known["Largest number of disagreements, 3 clusters in both clusterings"].archived(folder) == []
    lines = known["2 x 2 matrices"].lines(folder)
    assert "n = 2 to 3, from the archive; n = 4 to 15, from the expression:" in lines


def test_wrong_terms_and_generating_functions_are_refused(known, folder):
    one = known["2 x 2 matrices"]
    for wrong, says in (
        ({"generating": "x/(1 - x)"}, "2 x 2 matrices: x/\\(1 - x\\) gives"),
        ({"expression": "n"}, r"the archive has \[2, 8\], not \[2, 3\]"),
        ({"generating": "", "expression": "cm.Tables(n, 2, 2).count()"}, "have a recurrence of order"),
    ):
        with pytest.raises(ValueError, match=says):
            replace(one, **wrong).lines(folder)


def test_recurrences_are_found_or_proved_to_be_none(sequences):
    assert not sequences.unrecurrent([1, 1, 2, 6, 24, 120, 720, 5040], 1, 1)
    assert sequences.unrecurrent([1, 1, 2, 6, 24, 120, 720, 5040], 1, 0)
    assert sequences.unrecurrent([2, 3, 5, 7, 11, 13, 17, 19, 23], 1, 1)


def test_matrices_of_any_shape_are_the_sum_over_shapes(known):
    counted = [
        sum(cm.Tables(n, r, s).count() for r in range(1, n + 1) for s in range(1, n + 1)) for n in range(1, 9)
    ]
    assert [known["Matrices of any shape"].term(n) for n in range(1, 9)] == counted


def partitions_of(n):
    """All set partitions of n objects, as labels."""
    return [p for p in product(range(n), repeat=n) if all(p[i] <= max((-1, *p[:i])) + 1 for i in range(n))]


def outside(a, b):
    """Objects outside the best matching of two labelings, by trying all."""
    table = np.zeros((len(a), len(a)), int)
    np.add.at(table, (a, b), 1)
    return len(a) - max(sum(table[i, j] for i, j in enumerate(p)) for p in permutations(range(len(a))))


def test_first_terms_by_brute_force(known):
    def square(n, k):
        cells = (np.array(x).reshape(k, k) for x in product(range(n + 1), repeat=k * k) if sum(x) == n)
        return [x for x in cells if x.sum(0).all() and x.sum(1).all()]

    def counts(values):
        return np.bincount(values).tolist()

    assert [known["3 x 3 matrices"].term(n) for n in (3, 4)] == [len(square(n, 3)) for n in (3, 4)]
    for n in (2, 3, 5):
        assert known["2 x 2 matrices by MED"].term(n) == counts(
            [min(x[0, 0] + x[1, 1], x[0, 1] + x[1, 0]) for x in square(n, 2)]
        )
    pairs = list(product(partitions_of(4), repeat=2))
    assert known["Pairs of partitions by MED"].term(4) == counts([outside(a, b) for a, b in pairs])
    apart = [sum((a[i] == a[j]) != (b[i] == b[j]) for i, j in combinations(range(4), 2)) for a, b in pairs]
    assert known["Pairs of partitions by disagreements"].term(4) == [c for c in counts(apart) if c]
    assert known["Largest MED, 3 clusters in both clusterings"].term(4) == 2
