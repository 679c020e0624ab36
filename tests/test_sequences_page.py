"""The page of tables and sequences is what its script makes, and its first terms are what they are said to be."""

from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest

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


@pytest.mark.slow  # ``.ci/run`` compares them too, beside the notebooks
def test_the_page_is_what_the_script_makes(sequences):
    assert sequences.PAGE.read_text(encoding="utf-8") == sequences.page()


def test_a_wrong_generating_function_is_refused(known):
    one = known["2 x 2 matrices"]
    assert one.generating
    with pytest.raises(ValueError, match="2 x 2 matrices: x/\\(1 - x\\) gives"):
        replace(one, generating="x/(1 - x)").lines()
    assert replace(one, expression="[1, 8]", generating="").lines() != one.lines()


def partitions_of(n):
    """All set partitions of n objects, as labels."""
    return [p for p in product(range(n), repeat=n) if all(p[i] <= max((-1, *p[:i])) + 1 for i in range(n))]


def outside(a, b):
    """Objects outside the best matching of two labelings, by trying all."""
    table = np.zeros((len(a), len(a)), int)
    np.add.at(table, (a, b), 1)
    return len(a) - max(sum(table[i, j] for i, j in enumerate(p)) for p in permutations(range(len(a))))


def test_first_terms_by_brute_force(known):
    def square(n, k, filled):
        cells = (np.array(x).reshape(k, k) for x in product(range(n + 1), repeat=k * k) if sum(x) == n)
        return [x for x in cells if not filled or (x.sum(0).all() and x.sum(1).all())]

    def counts(values):
        return np.bincount(values).tolist()

    assert known["3 x 3 matrices"].terms()[:2] == [len(square(n, 3, True)) for n in (3, 4)]
    by_med = known["2 x 2 matrices by MED"].terms()
    for n in (1, 2, 5):
        assert by_med[n - 1] == counts(
            [min(x[0, 0] + x[1, 1], x[0, 1] + x[1, 0]) for x in square(n, 2, False)]
        )
    pairs = list(product(partitions_of(4), repeat=2))
    assert known["Pairs of partitions by MED"].terms()[3] == counts([outside(a, b) for a, b in pairs])
    apart = [sum((a[i] == a[j]) != (b[i] == b[j]) for i, j in combinations(range(4), 2)) for a, b in pairs]
    assert known["Pairs of partitions by disagreements"].terms()[3] == [c for c in counts(apart) if c]
    assert known["Largest MED, 3 clusters on either side"].terms()[1] == 2
