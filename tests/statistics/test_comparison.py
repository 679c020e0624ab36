"""Every index at once: the values are those of each, and the text stays short."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confmat.errors import UndefinedIndexError
from confmat.indices import RootSum
from confmat.reports import compare
from confmat.statistics import STATISTICS

SHORT_NAMES = {name: x.index for name, x in STATISTICS.items() if x.symmetry != "simultaneous"}

tables = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 5), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@given(tables)
def test_every_value_is_that_of_its_index(table):
    found = compare(table)
    assert list(found) == list(SHORT_NAMES)
    for name, index in SHORT_NAMES.items():
        try:
            value = index(table)
        except UndefinedIndexError:
            assert found[name] is None
            continue
        assert float(found[name]) == pytest.approx(value, rel=1e-14, abs=1e-14)
        if STATISTICS[name].exact:
            assert found[name] == index(table, exact=True)


def test_an_irrational_root_is_exact():
    value = compare([[2, 1], [1, 0]])["fm"]
    assert value == Fraction(1, 3)  # 1/sqrt(3 * 3)
    value = compare([[2, 1], [0, 1]])["fm"]
    assert isinstance(value, RootSum)
    assert value**2 == Fraction(1, 6)
    assert compare([[2, 1], [0, 1]]).to_json()["fm"] == {"exact": None, "value": float(value)}


@pytest.mark.parametrize(
    "table",
    [
        [[0, 0]],
        [[1]],
        [[1, 0], [0, 1]],
        [[5, 2], [1, 7]],
        [[2**62, 2**62], [1, 2**70]],
        [[123457, 9], [98765, 3]],
    ],
)
def test_the_text_is_short_and_the_json_can_be_written(table):
    found = compare(table)
    lines = repr(found).splitlines()
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 100
    assert set(SHORT_NAMES) < set(json.loads(json.dumps(found.to_json())))


def test_comparisons_are_equal_if_their_values_are():
    assert compare([[2, 1], [1, 3]]) == compare([[1, 3], [2, 1]])
    assert compare([[2, 1], [1, 3]]) != compare([[2, 1], [0, 3]])
    with pytest.raises(KeyError, match="dice"):
        compare([[1]])["dice"]
