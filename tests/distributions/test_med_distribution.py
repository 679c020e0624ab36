"""The law of the MED for every n, against definition, enumeration, closed forms and other derivations."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
import sympy as sp

from confmat import Limits
from confmat._engine.run import Enumeration
from confmat._engine.signatures import summed_up
from confmat.classes import Tables
from confmat.distributions import joint_distribution
from confmat.distributions.med_distribution import (
    LARGEST_COLUMNS,
    generating_function,
    limit_density,
    med_count,
    med_counts,
    med_moment,
    med_moment_formula,
)
from confmat.indices.extremes import max_med

SHAPES = [(r, s) for r, largest in LARGEST_COLUMNS.items() for s in range(r, largest + 1)]
MU = sp.Symbol("mu", real=True)


def best_matching(table):
    rows = table if len(table) <= len(table[0]) else list(zip(*table))
    return max(sum(row[j] for row, j in zip(rows, p)) for p in permutations(range(len(rows[0])), len(rows)))


def by_engine(n, r, s):
    return summed_up(Enumeration(Tables(n, r, s), "tables", Limits())).law.sum(axis=1).tolist()


@pytest.mark.parametrize("allow_empty", [False, True])
@pytest.mark.parametrize(
    ("r", "s", "largest"),
    [(1, 1, 5), (1, 4, 6), (2, 2, 9), (3, 2, 6), (2, 4, 5), (2, 5, 5), (3, 3, 5), (3, 4, 4)],
)
def test_by_definition(r, s, largest, allow_empty):
    for n in range(largest + 1):
        law = Counter(n - best_matching(t.tolist()) for t in Tables(n, r, s, allow_empty))
        assert Counter(dict(enumerate(med_counts(n, r, s, allow_empty=allow_empty)))) == law


@pytest.mark.parametrize(
    ("n", "r", "s"), [(20, 3, 3), (27, 3, 3), (40, 2, 3), (21, 2, 4), (13, 3, 4), (12, 2, 5)]
)
def test_against_the_engine(n, r, s):
    assert med_counts(n, r, s) == by_engine(n, r, s)[: len(med_counts(n, r, s))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("r", "s", "largest"), [(3, 3, 40), (2, 2, 60), (2, 3, 60), (2, 4, 60), (2, 5, 60), (3, 4, 20)]
)
def test_against_the_engine_for_all_n(r, s, largest):
    for n in range(s, largest + 1):
        law = by_engine(n, r, s)
        counts = med_counts(n, r, s)
        assert counts == law[: len(counts)]
        assert not any(law[len(counts) :])


@pytest.mark.slow
def test_against_the_engine_at_50():
    assert med_counts(50, 3, 3) == by_engine(50, 3, 3)


@pytest.mark.parametrize("allow_empty", [False, True])
@pytest.mark.parametrize(("r", "s"), SHAPES)
def test_total_maximum_and_single_values(r, s, allow_empty):
    for n in [*range(1, 31), 97, 360, 1001]:
        counts = med_counts(n, r, s, allow_empty=allow_empty)
        assert sum(counts) == Tables(n, r, s, allow_empty).count()
        assert min(counts, default=0) >= 0
        if counts:
            assert Fraction(len(counts) - 1, n) == max_med(n, r, s, allow_empty=allow_empty)
        assert counts == [med_count(n, s, r, m, allow_empty=allow_empty) for m in range(len(counts))]
        assert (
            med_count(n, r, s, n, allow_empty=allow_empty)
            == med_count(n, r, s, 10 * n, allow_empty=allow_empty)
            == 0
        )


def test_a_million_points():
    n = 10**6
    counts = med_counts(n, 3, 3)
    assert sum(counts) == Tables(n, 3, 3).count()
    assert len(counts) - 1 == n * max_med(n, 3, 3)
    for m in (0, 1, 2, 3):  # the first counts are quadratic in n
        a, b, c = [(3, -9, 6), (18, -90, 108), (63, -369, 423), (168, -1152, 1020)][m]
        assert counts[m] == a * n * n + b * n + c
    assert sum(med_counts(n, 3, 4)) == Tables(n, 3, 4).count()


def test_2x2_far_out():
    n = 10**30 + 1
    for m in (1, 7, n // 3, n // 2):
        assert med_count(n, 2, 2, m) == 2 * ((n - m + 1) * (m + 1) - 4)
    assert med_count(n - 1, 2, 2, (n - 1) // 2) == ((n - 1) // 2 + 1) ** 2 - 4


@pytest.mark.parametrize("matrices", [Tables(12, 3, 3), Tables(2, 2, 2), Tables(6, 2, 4, allow_empty=True)])
def test_joint_laws_are_the_enumerated_ones(matrices):
    enumerated = Counter()
    for (*values, _), count in list(joint_distribution(matrices, "nmed", "med", "rd")):
        enumerated[tuple(values)] += count
    assert list(joint_distribution(matrices, "nmed", "med")) == sorted(enumerated.items())


def test_no_members_and_no_points():
    assert med_counts(2, 3, 3) == []
    assert med_counts(0, 2, 2) == []
    assert med_counts(0, 2, 2, allow_empty=True) == [1]
    assert med_count(0, 2, 2, 0) == 0
    assert med_count(0, 2, 2, 0, allow_empty=True) == 1
    assert med_counts(1, 1, 1) == [1]


def test_generating_function_is_in_lowest_terms():
    x, y = sp.symbols("x y")
    for r, s in [(2, 2), (2, 3), (3, 3)]:
        g = generating_function(r, s)
        numerator = sum(c * x**n * y**k for (k, n), c in np.ndenumerate(g.numerator))
        for d in range(1, s + 1):
            if g.exponents[d - 1]:
                assert sp.rem(numerator, 1 - x**d * y, y) != 0
    assert generating_function(4, 3) is not None


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize(("r", "s"), [(1, 2), (2, 2), (2, 3), (3, 3), (3, 4)])
def test_moments(r, s, order):
    for n in (s, 2 * s + 1, 100, 351):
        counts = med_counts(n, r, s)
        mean = Fraction(sum(m**order * c for m, c in enumerate(counts)), n**order * sum(counts))
        assert med_moment(n, s, r, order) == mean


@pytest.mark.parametrize("allow_empty", [False, True])
def test_moment_formulas(allow_empty):
    n = sp.Symbol("n")
    for r, s, period in [(1, 1, 1), (2, 2, 2), (2, 3, 6)]:
        for residue in range(period):
            formula = med_moment_formula(r, s, 2, residue, allow_empty=allow_empty)
            for size in (residue + period * 2, residue + period * 31):
                value = formula.subs(n, size)
                assert Fraction(int(value.p), int(value.q)) == med_moment(
                    size, r, s, 2, allow_empty=allow_empty
                )


def integral(density, factor=1):
    """Of a density times a polynomial, piece by piece: SymPy takes far longer over all at once."""
    total = 0
    *pieces, beyond = density.args
    assert beyond == (0, True)
    for d, (piece, where) in enumerate(pieces, 1):
        assert where.as_set() == sp.Interval(1 - sp.Rational(1, d), 1 - sp.Rational(1, d + 1))
        upwards = sp.Poly(piece * factor, MU).integrate()
        total += upwards(1 - sp.Rational(1, d + 1)) - upwards(1 - sp.Rational(1, d))
    return total


@pytest.mark.parametrize(("r", "s"), [shape for shape in SHAPES if shape != (1, 1)])
def test_limit_density(r, s):
    density = limit_density(r, s)
    assert integral(density) == 1
    mean = integral(density, MU)
    n = 10**12
    assert abs(Fraction(int(mean.p), int(mean.q)) - med_moment(n, r, s)) < Fraction(r * s, n)
    for mu in (Fraction(1, 7), Fraction(3, 7), Fraction(4, 7), Fraction(5, 7), Fraction(7, 9)):
        m = int(mu * n)
        scaled = n * Fraction(med_count(n, r, s, m), Tables(n, r, s).count())
        assert float(scaled) == pytest.approx(float(density.subs(MU, sp.Rational(m, n))), abs=1e-9)


def test_limit_density_is_that_of_uniform_masses():
    rng = np.random.default_rng(20240607)
    masses = rng.dirichlet(np.ones(9), 20_000).reshape(-1, 3, 3)
    matched = np.max([masses[:, range(3), p].sum(axis=1) for p in permutations(range(3))], axis=0)
    density = limit_density(3, 3)
    for x in (0.3, 0.45, 0.55):
        below = float(sp.integrate(density, (MU, 0, sp.Rational(str(x)))))
        assert np.mean(1 - matched <= x) == pytest.approx(
            below, abs=4 * np.sqrt(below * (1 - below) / 20_000)
        )


def test_errors():
    with pytest.raises(
        ValueError, match=r"is for shapes up to 1 x 5, 2 x 5, 3 x 4 .*, got r = 4 and s = 4.*joint"
    ):
        med_counts(20, 4, 4)
    with pytest.raises(ValueError, match="got r = 6 and s = 2"):
        med_count(20, 6, 2, 3)
    with pytest.raises(ValueError, match="m must be at least 0, got -1"):
        med_count(20, 3, 3, -1)
    with pytest.raises(ValueError, match="n must be at least 0, got -5"):
        med_counts(-5, 3, 3)
    with pytest.raises(ValueError, match=r"moments of the MED, got Tables\(n=2, r=3, s=3"):
        med_moment(2, 3, 3)
    with pytest.raises(ValueError, match="n must be at least 1"):
        med_moment(0, 2, 2, allow_empty=True)
    for shape, name in (((0, 3), "r"), ((3, 0), "s")):
        with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
            generating_function(*shape)
    with pytest.raises(ValueError, match="r or s must be at least 2 for a density"):
        limit_density(1, 1)
