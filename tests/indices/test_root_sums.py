"""Exact sums of square roots against SymPy and mpmath."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from confmat.indices.classification import RootSum

fractions = st.fractions(-3, 3, max_denominator=30)
sums = st.lists(st.tuples(fractions, st.integers(0, 60)), max_size=5)


def precisely(terms):
    return sum((mpmath.mpf(w.numerator) / w.denominator * mpmath.sqrt(q) for w, q in terms), mpmath.mpf(0))


@given(sums, sums)
def test_arithmetic_and_order_against_mpmath(first, second):
    a, b = RootSum.of(first), RootSum.of(second)
    with mpmath.workdps(80):
        x, y = precisely(first), precisely(second)
        tiny = mpmath.mpf(10) ** -70  # such small numbers do not come so close unless they are equal
        for ours, theirs in ((a + b, x + y), (a - b, x - y), (a * b, x * y), (-a, -x)):
            assert abs(precisely(ours.terms) - theirs) < tiny
            assert float(ours) == float(theirs) or abs(theirs) < tiny
        close = abs(x - y) < tiny
        assert (a == b) == close
        assert (a < b) == (not close and x < y)
        assert (a >= b) == (close or x > y)
    if a == b:
        assert hash(a) == hash(b)


@given(st.fractions(0, 50, max_denominator=10**6), st.fractions(0, 50, max_denominator=10**6))
def test_square_roots(p, q):
    a, b = RootSum.sqrt(p), RootSum.sqrt(q)
    assert a * a == p
    assert a * b == RootSum.sqrt(p * q)
    assert (a + b) * (a - b) == p - q
    assert (a <= b) == (p <= q)


@given(sums, st.integers(1, 200))
def test_bounds_enclose_the_value(terms, bits):
    value = RootSum.of(terms)
    low, high = value.bounds(bits)
    assert low <= value <= high
    assert high - low <= sum(abs(w) for w, _ in value.terms) / Fraction(2) ** bits


def test_equal_sums_with_other_terms():
    assert RootSum.sqrt(2) + RootSum.sqrt(8) == RootSum.sqrt(18)
    p, q = 10**9 + 7, 10**9 + 9  # primes that no trial division takes out
    assert RootSum.sqrt(Fraction(p, q)) * q == RootSum.sqrt(p * q) == p * RootSum.sqrt(Fraction(q, p))
    assert hash(RootSum.sqrt(p**2 * q)) == hash(p * RootSum.sqrt(q))
    assert RootSum.sqrt(p**2).rational == p
    assert (RootSum.sqrt(q) - RootSum.sqrt(q)).rational == 0
    assert RootSum.of([(np.uint8(200), 2)] * 2) == 400 * RootSum.sqrt(2)


def test_near_ties_are_decided():
    n = 10**40
    gap = RootSum.sqrt(n + 1) - RootSum.sqrt(n)
    assert gap > 0
    assert float(gap) == 5e-21
    # sqrt(a) + sqrt(b) against sqrt(c) + sqrt(d): as doubles and as 100-bit numbers all the same
    left = RootSum.sqrt(n) + RootSum.sqrt(n + 3)
    right = RootSum.sqrt(n + 1) + RootSum.sqrt(n + 2)
    assert float(left) == float(right)
    assert left < right
    assert right > left
    assert n - RootSum.of([(1, n**2 - 1)]) > 0  # the root is known as n rounded up


@pytest.mark.parametrize(("value", "sign"), [(RootSum.sqrt(2) - 1, 1), (1 - RootSum.sqrt(2), -1)])
def test_signs_and_absolute_values(value, sign):
    assert value.sign() == sign
    assert abs(value) == sign * value
    assert abs(value) > 0


def test_zero():
    zero = RootSum.sqrt(2) - RootSum.sqrt(2)
    assert (zero.sign(), abs(zero), zero.bounds(8)) == (0, 0, (0, 0))
    assert RootSum.of([(3, 0), (0, 5)]).terms == RootSum.sqrt(0).terms == ()


def test_a_root_is_known_to_as_many_places_as_asked_for():
    for bits in (0, 1, 20):
        low, high = RootSum.sqrt(2).bounds(bits)
        assert low**2 < 2 < high**2
        assert high - low == Fraction(1, 2**bits)


def test_small_radicands_are_squarefree():
    for q in range(1, 2 * 17**2):
        ((factor, radicand),) = RootSum.sqrt(q).terms
        assert factor**2 * radicand == q
        assert all(radicand % f**2 for f in range(2, 25))


@given(sums, st.sampled_from([float("nan"), float("inf"), -float("inf")]))
def test_numbers_that_are_not_finite_compare_as_with_a_fraction(terms, other):
    value, any_number = RootSum.of(terms), Fraction(1, 3)
    for relation in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
        assert relation(value, other) == relation(any_number, other)
        assert relation(other, value) == relation(other, any_number)


@given(sums, fractions.filter(bool), st.integers(0, 3))
def test_quotients_powers_and_absolute_values(terms, divisor, exponent):
    value = RootSum.of(terms)
    assert value / divisor * divisor == value
    assert value / RootSum.of([(divisor, 1)]) == value / divisor
    assert value**exponent == math.prod([value] * exponent, start=RootSum.of([(1, 1)]))
    assert abs(value) == (value if value >= 0 else -value)
    assert bool(value) == (value != 0)


def test_formats_and_refusals():
    root = RootSum.sqrt(2)
    assert f"{root:.3f} {root}" == "1.414 sqrt(2)"
    assert str(root + RootSum.sqrt(3) / 2 - 1) == "sqrt(2) + 1/2*sqrt(3) - 1"
    assert str(Fraction(1, 3) - 5 * root) == "-5*sqrt(2) + 1/3"
    with pytest.raises(AttributeError):
        root.terms = ()
    assert RootSum.sqrt(0.25).rational == Fraction(1, 2)
    assert (RootSum.sqrt(3) ** 2).rational == 3
    for divide in (lambda: root / "a", lambda: "a" / root, lambda: root < "a"):
        with pytest.raises(TypeError):
            divide()
    with pytest.raises(ZeroDivisionError):
        root / 0
    with pytest.raises(ValueError, match="exponent must be at least 0, got -1"):
        root**-1
    with pytest.raises(ValueError, match="radicand must be at least 0, got -2"):
        RootSum.of([(1, -2)])
    with pytest.raises(TypeError, match="radicand must be a number, got 'a'"):
        RootSum.sqrt("a")


def test_other_numbers():
    half = RootSum.sqrt(Fraction(1, 4))
    assert half == Fraction(1, 2) == half
    assert {half: 1}[Fraction(1, 2)] == 1
    assert hash(RootSum.sqrt(Fraction(1, 9))) == hash(Fraction(1, 3))
    assert RootSum.sqrt(2) / 2 == half * RootSum.sqrt(2)
    assert -math.inf < RootSum.sqrt(2) < math.inf
    assert not RootSum.sqrt(2) < math.nan
    assert half == 0.5
    assert 1 - half == half
    assert half != "1/2"
    assert half != float("nan")
    assert RootSum.sqrt(2) > 1.4142135623730950
    assert str(-RootSum.sqrt(2) - Fraction(1, 2)) == "-sqrt(2) - 1/2"
    assert str(RootSum.of([])) == "0"
    with pytest.raises(TypeError):
        half + "a"
    with pytest.raises(ValueError, match="radicand must be at least 0, got -1"):
        RootSum.sqrt(-1)
