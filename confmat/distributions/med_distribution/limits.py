"""Moments of the MED as rational functions of n, and its limit distribution."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, lcm
from typing import TYPE_CHECKING, Any

from confmat._arguments import as_count
from confmat.classes import Tables
from confmat.distributions.med_distribution.counts import (
    ShapeOfCounts,
    differences,
    inside_differences,
    med_counts,
    newton,
    oriented_shape,
)
from confmat.distributions.shapes import smaller_shapes

if TYPE_CHECKING:
    import sympy as sp


def med_moment(n: int, r: int, s: int, order: int = 1, *, allow_empty: bool = False) -> Fraction:
    """Return the mean of MED^order over ``Tables(n, r, s, allow_empty)``, each table once.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.
    order : int
        Power.
    allow_empty : bool
        Rows and columns may be empty. Default: False.

    Returns
    -------
    Fraction

    Raises
    ------
    ValueError
        For the shapes for which `med_counts` raises it, for a class without members, and for n = 0.

    Notes
    -----
    The time does not depend on n.

    Examples
    --------
    >>> med_moment(20, 3, 3), float(med_moment(10**9, 3, 3))
    (Fraction(2569969, 6236180), 0.45293209780362653)
    """
    tables = Tables(n, r, s, allow_empty)
    shape = ShapeOfCounts(*oriented_shape(r, s), tables.allow_empty)
    order = as_count("order", order)
    if tables.n == 0 or tables.count() == 0:
        raise ValueError(
            f"n must be at least 1 and the class must have members for moments of the MED, got {tables}"
        )
    first_n, period = _progression(shape, tables.n)
    total = newton(
        _power_sum_differences(shape, order, first_n),
        (tables.n - first_n) // period,
    )
    return Fraction(total, tables.count() * tables.n**order)


def med_moment_formula(r: int, s: int, order: int, residue: int, *, allow_empty: bool = False) -> sp.Expr:
    """Return the mean of MED^order as a rational function of n, for n = ``residue`` modulo lcm(1, ..., max(r, s)).

    Parameters
    ----------
    r, s : int
        Numbers of rows and columns.
    order : int
        Power.
    residue : int
        Residue of n.
    allow_empty : bool
        Rows and columns may be empty. Default: False.

    Returns
    -------
    sympy.Expr
        Expression in the symbol n, for every n >= 1 with this residue whose class has members.

    Notes
    -----
    Let r <= s, and let k be the weight of the best matching, so that n MED = n - k. The sum over all tables of x^n
    (n - k)^order is a proper rational function of x. Its poles are roots of unity of orders 1, ..., s (module
    `confmat.distributions.med_distribution.counts`). The sum of (n - k)^order is therefore a quasi-polynomial in n
    of degree r s - 1 + order, determined by its first values.

    Examples
    --------
    >>> med_moment_formula(2, 2, 1, residue=0)
    n*(n - 2)*(5*n + 34)/(16*(n - 1)*(n**2 + 7*n - 6))
    >>> med_moment_formula(2, 2, 1, residue=1)
    (n + 1)*(5*n**2 + 24*n - 69)/(16*n*(n**2 + 7*n - 6))
    """
    import sympy as sp

    shape = ShapeOfCounts(*oriented_shape(r, s), bool(allow_empty))
    order = as_count("order", order)
    residue = as_count("residue", residue)
    first_n, period = _progression(shape, residue)
    n = sp.Symbol("n")
    i = (n - first_n) / sp.Integer(period)
    deltas = _power_sum_differences(shape, order, first_n)
    total = sum(delta * binomial(i, p) for p, delta in enumerate(deltas))
    number_of_tables = tables_polynomial(shape.r, shape.s, shape.allow_empty)
    return sp.factor(total / (n**order * number_of_tables))


def _progression(shape: ShapeOfCounts, n: int) -> tuple[int, int]:
    """Return the smallest integer >= 1 that is congruent to n modulo the period lcm(1, ..., s), and this period."""
    period = lcm(*range(1, shape.s + 1))
    return n % period or period, period


@cache
def _power_sum_differences(shape: ShapeOfCounts, order: int, first: int) -> tuple[int, ...]:
    """Return the forward differences of orders 0, 1, ... of a sequence of power sums: S(first), S(first + period), ...

    S(n) is the sum of (n MED)^order over all tables with total n and the given shape. The period is the second
    result of ``_progression``. The differences determine S(n), which is a polynomial along the sequence.
    """
    period = _progression(shape, first)[1]
    sums = []
    for i in range(shape.r * shape.s + order):
        law = med_counts(first + i * period, shape.r, shape.s, allow_empty=shape.allow_empty)
        sums.append(sum(m**order * count for m, count in enumerate(law)))
    return tuple(differences(sums))


def binomial(top: Any, p: int) -> Any:
    """Return C(top, p) as a polynomial of a symbolic top."""
    import sympy as sp

    return sp.ff(top, p) / sp.factorial(p)


def tables_polynomial(r: int, s: int, allow_empty: bool) -> Any:
    """Return the number of r x s tables as a polynomial in their total n >= 1."""
    import sympy as sp

    n = sp.Symbol("n")
    total = sp.Integer(0)
    for i, j, factor in smaller_shapes(r, s, allow_empty):
        total += factor * binomial(n + i * j - 1, i * j - 1)
    return total


@cache
def limit_density(r: int, s: int) -> sp.Piecewise:
    """Return the density of the limit distribution of the MED as n grows, each table once.

    Parameters
    ----------
    r, s : int
        Numbers of rows and columns, supported by `med_counts`, except 1 x 1, for which the MED is 0.

    Returns
    -------
    sympy.Expr
        Piecewise polynomial in the symbol mu, exact.

    Notes
    -----
    For r <= s it is a polynomial of degree r s - 2 on each [1 - 1/d, 1 - 1/(d + 1)], d = 1, ..., s - 1, and zero
    elsewhere. It is the density of the MED of r x s probabilities that are uniform on the simplex. It is the same if
    empty rows and columns are excluded. Distribution functions converge everywhere, n P(MED = m/n) inside these
    intervals. For 2 x 2 tables, n P(MED = 1/2) converges to half the density.

    Examples
    --------
    >>> limit_density(2, 2)
    Piecewise((-12*mu*(mu - 1), (mu >= 0) & (mu <= 1/2)), (0, True))
    """
    import sympy as sp

    r, s = oriented_shape(r, s)
    if s == 1:
        raise ValueError("r or s must be at least 2 for a density, got 1 and 1")
    mu = sp.Symbol("mu", real=True)
    # There are about n^(r s - 1)/(r s - 1)! tables, so that the density is (r s - 1)! times the leading terms.
    pieces: list[tuple[Any, Any]] = []
    for d in range(1, s):
        lower_end = 1 - sp.Rational(1, d)
        upper_end = 1 - sp.Rational(1, d + 1)
        pieces.append(
            (
                _leading_form(
                    ShapeOfCounts(r, s, allow_empty=True),
                    d,
                    1 - mu,
                ),
                (mu >= lower_end) & (mu <= upper_end),
            )
        )
    return sp.Piecewise(*pieces, (0, True))


def _leading_form(shape: ShapeOfCounts, d: int, kappa: Any) -> Any:
    """Return (r s - 1)! times the leading terms of the numbers of tables in sector d, at n = 1 and k = kappa.

    n is the total, k the weight of the best matching, and the leading terms are those of highest degree. They are
    equal for all residues of n and k, because the lattice of the cone over a simplex is all of Z^rs.
    """
    import sympy as sp

    # Coordinates of (n, k) = (1, kappa) in the sector: n = alpha d + beta (d + 1), k = alpha + beta.
    alpha = (d + 1) * kappa - 1
    beta = 1 - d * kappa
    degree = shape.values - 1
    form = sp.Integer(0)
    for p, row in enumerate(inside_differences(shape, d, 1, 1)):
        # The leading terms of Newton's formula are delta[p][q] (alpha/L)^p/p! (beta/L)^q/q! with p + q = degree.
        form += comb(degree, p) * row[-1] * alpha**p * beta ** (degree - p)
    # (r s - 1)!/(p! q!) = (degree + 1) C(degree, p), because degree = r s - 2.
    scale = sp.Rational(degree + 1, shape.period**degree)
    return sp.factor(form * scale)
