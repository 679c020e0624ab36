"""Equal rows, against a dictionary."""

import numpy as np
import pytest

from confmat._integers.arrays import groups


@pytest.mark.parametrize("shape", [(0, 2), (1, 3), (200, 1), (200, 3)])
def test_groups_are_those_of_a_dictionary(shape):
    rng = np.random.default_rng(1)
    keys, weights = rng.integers(-2, 3, shape), rng.integers(0, 9, shape[0])
    sums = {}
    for key, weight in zip(map(tuple, keys.tolist()), weights.tolist()):
        sums[key] = sums.get(key, 0) + weight
    rows, order, starts = groups(keys)
    assert [tuple(row) for row in rows.tolist()] == sorted(sums)
    assert np.add.reduceat(weights[order], starts).tolist() == [sums[key] for key in sorted(sums)]
    assert np.array_equal(keys[order][starts], rows)
