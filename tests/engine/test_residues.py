"""Residue arithmetic against Python's integers."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from confmat._integers.arrays import from_residues, primes_for


def to_residues(values, primes):
    return np.array([values % p for p in primes]).astype(np.int64)


@pytest.mark.parametrize("bound", [0, 1, 2**31 - 2, 2**31 - 1, 2**31, 10**30, 2**400])
def test_primes_are_prime_distinct_and_enough_but_no_more(bound):
    primes = primes_for(bound)
    assert all(sympy.isprime(p) and p < 2**31 for p in primes)
    assert len(set(primes)) == len(primes)
    product = int(np.prod(np.array(primes, object)))
    assert product > bound
    assert len(primes) == 1 or product // primes[-1] <= bound


@given(st.lists(st.integers(0, 2**300), min_size=1, max_size=6))
def test_round_trip(values):
    primes = primes_for(2**300)
    array = np.array(values, dtype=object)
    assert from_residues(to_residues(array, primes), primes).tolist() == values
    assert from_residues(to_residues(array[0], primes), primes) == values[0]


def test_sums_of_residues_are_residues_of_sums():
    primes = primes_for(2**100)
    a, b = np.array([2**70, 5], object), np.array([2**99, 7], object)
    moduli = np.array(primes)[:, None]
    total = (to_residues(a, primes) + to_residues(b, primes)) % moduli
    assert from_residues(total, primes).tolist() == [2**70 + 2**99, 12]
