"""Draws from classes of totals so large that nothing may be laid out in arrays of their size."""

from fractions import Fraction

import numpy as np
import pytest

from confmat import Limits
from confmat.classes import FixedMargins, Tables
from confmat.indices.partition import med
from confmat.sampling import stream


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (4, 2)])
@pytest.mark.parametrize("n", [10**7, 2**61])
def test_small_distances_at_any_total(n, shape):
    # Nothing may take time or memory in proportion to the best matching.
    distance = Fraction(3, n)
    draws = stream(Tables(n, *shape), 5, rng=1, given={"med": distance}, limits=Limits(threads=1))
    tables = draws.array()
    assert draws.method.name == "matched"
    assert (tables >= 0).all()
    assert tables.any(axis=1).all()
    assert tables.any(axis=2).all()
    assert {(int(table.sum()), med(table, exact=True)) for table in tables} == {(n, distance)}
    assert tables.dtype == np.int64


@pytest.mark.parametrize(
    "margins",
    [
        FixedMargins([2**40, 2**40], [2**40, 2**40]),
        FixedMargins([2**62, 2**62], [2**61, 3 * 2**61]),
        FixedMargins([2**64, 1], [1, 2**64]),
    ],
)
def test_few_lines_with_large_margins(margins):
    draws = stream(margins, 3, rng=1, limits=Limits(threads=1))
    tables = draws.array()
    assert draws.method.name == "unranking"
    assert all(table in margins for table in tables)
