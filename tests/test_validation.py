"""Arguments are named in the errors about them."""

import numpy as np
import pytest

from confmat.classes import FixedRows, Tables


@pytest.mark.parametrize("value", [7, 7.0, np.int8(7), np.uint64(7)])
def test_whole_numbers_of_any_type(value):
    count = Tables(value, 2, 2).n
    assert count == 7
    assert type(count) is int


def test_counts_of_any_size():
    assert Tables(10**40, 2, 2).n == 10**40
    assert FixedRows(np.array([3, 2]), 2).rows == (3, 2)


@pytest.mark.parametrize("value", [True, 2.5, "3", None, float("nan"), float("inf")])
def test_values_that_are_not_integers_are_refused(value):
    with pytest.raises(TypeError, match=r"^n must be an integer, got "):
        Tables(value, 2, 2)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (5, TypeError, "rows must be a sequence of integers, got 5"),
        ("12", TypeError, "rows must be a sequence of integers, got '12'"),
        ([], ValueError, "rows must not be empty"),
        ([3, -1], ValueError, r"rows\[1\] must be at least 0, got -1"),
        ([3, 1.5], TypeError, r"rows\[1\] must be an integer, got 1.5"),
    ],
)
def test_bad_sequences(values, error, message):
    with pytest.raises(error, match=message):
        FixedRows(values, 2)
