"""Descriptions of a law on the line, against the sample spelled out."""

import json
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from confmat.classes import Tables
from confmat.indices import partition
from confmat.indices.numbers import number_json
from confmat.laws import joint, marginal_of
from confmat.laws.lines import rank
from confmat.laws.moments import root


@given(st.dictionaries(st.fractions(0, 2, max_denominator=50), st.integers(1, 50), min_size=1, max_size=8))
def test_describe_against_the_spelled_out_sample(law):
    sample = sorted(x for x, w in law.items() for _ in range(w))
    got = marginal_of(law)
    assert got.mean == sum(sample) / len(sample)
    assert got.var == sum((x - got.mean) ** 2 for x in sample) / len(sample)
    for value, p in ((got.q1, Fraction(1, 4)), (got.median, Fraction(1, 2)), (got.q3, Fraction(3, 4))):
        assert value == min(x for x in sample if Fraction(sum(y <= x for y in sample), len(sample)) >= p)
    assert (got.min, got.max) == (sample[0], sample[-1])


@given(st.fractions(0, 10**6))
def test_root_is_correctly_rounded(x):
    import mpmath

    with mpmath.workdps(60):
        assert root(x) == float(mpmath.sqrt(mpmath.mpf(x.numerator) / x.denominator))


@given(st.integers(1, 10**30), st.fractions(0, 1).filter(bool))
def test_rank_is_the_smallest_position_that_reaches_p(total, p):
    k = rank(total, p)
    assert Fraction(k, total) >= p
    assert k == 1 or Fraction(k - 1, total) < p


def test_undefined_mass_is_counted_apart():
    """Tables(3, 3, 3): permutation matrices and others; Wallace is 0/0 exactly where all rows are singletons."""
    matrices = Tables(4, 3, 3, empty=True)
    undefined = sum(partition.pair_counts(x)[0] + partition.pair_counts(x)[1] == 0 for x in matrices)
    assert undefined == 0  # four points in three rows always share one
    matrices = Tables(3, 3, 3, empty=True)
    law = joint(matrices, "med", "wallace_ab", "fm")
    singletons = [x for x in matrices if max(x.sum(axis=1)) <= 1]
    rows = law.given_each("med").rows
    assert sum(row.law["wallace_ab"].undefined for row in rows) == len(singletons) > 0
    assert sum(row.weight for row in rows) == matrices.count()
    alone = marginal_of({float("nan"): 3})
    assert alone.undefined == 3
    assert np.isnan(alone.mean)


def test_json_shape_of_numbers():
    assert number_json(Fraction(2, 3)) == {"exact": "2/3", "value": 2 / 3}
    assert number_json(Fraction(1, 10**70)) == {"exact": None, "value": 1e-70}
    assert json.loads(json.dumps(number_json(1.5))) == {"exact": None, "value": 1.5}
