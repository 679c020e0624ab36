"""Closed forms in n: the number of tables, the generating function of the MED, and means of the MED and the RD."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from confmat._limits import admit
from confmat.distributions.med_distribution import generating_function, med_moment_formula
from confmat.distributions.med_distribution.limits import binomial, tables_polynomial
from confmat.distributions.shapes import smaller_shapes

if TYPE_CHECKING:
    import sympy as sp

# Largest number of cells r s: polynomials of degree r s - 1 and their moments then take seconds.
MOST_CELLS = 36


def count_formulas(r: int, s: int, allow_empty: bool = False) -> dict[str, sp.Expr]:
    """Return the number of r x s tables with total n >= 1 as a polynomial in n.

    There are C(n + ij - 1, ij - 1) tables of i x j with empty rows and columns. The result follows by inclusion and
    exclusion over the empty rows and columns.

    >>> count_formulas(2, 2)
    {'count': (n - 1)*(n**2 + 7*n - 6)/6}
    """
    import sympy as sp

    if r * s > MOST_CELLS:
        raise ValueError(
            f"r and s must have a product of at most {MOST_CELLS} for a formula, got {r} and {s}"
        )
    return {"count": sp.factor(tables_polynomial(r, s, allow_empty))}


def med_formulas(r: int, s: int, allow_empty: bool = True) -> dict[str, sp.Expr]:
    """Return {"G(x, y)": the generating function of all r x s tables by total (x) and best matching (y)}.

    Empty rows and columns are always allowed, whatever ``allow_empty`` is. Raise ValueError for shapes that
    ``generating_function`` does not support.

    >>> print(med_formulas(1, 2)["G(x, y)"])
    (x*y + 1)/((-x*y + 1)*(-x**2*y + 1))
    """
    import sympy as sp

    x, y = sp.symbols("x y")
    quotient = generating_function(r, s)
    numerator = sp.Integer(0)
    for (k, n), coefficient in np.ndenumerate(quotient.numerator):
        numerator += int(coefficient) * x**n * y**k
    denominator = sp.Integer(1)
    for d, exponent in enumerate(quotient.exponents, start=1):
        # d is the number of cells of a vertex of the polytope.
        denominator *= (1 - x**d * y) ** exponent
    return {"G(x, y)": sp.factor(numerator) / denominator}


def moments_formulas(r: int, s: int, allow_empty: bool = False) -> dict[str, sp.Expr]:
    """Return the formulas in n of the means of MED, MED^2 and RD over all r x s tables with total n, by name.

    MED and MED^2 have one formula for each residue of n modulo lcm(1, ..., max(r, s)).

    >>> formulas = moments_formulas(2, 2)
    >>> len(formulas), formulas["mean RD"]
    (5, 2*(n - 2)*(n + 1)*(n + 7)/(5*(n - 1)*(n**2 + 7*n - 6)))
    """
    import sympy as sp

    generating_function(r, s)  # raises ValueError for an unsupported shape
    n = sp.Symbol("n")
    period = lcm(*range(1, max(r, s) + 1))
    admit(
        f"formulas for {period} residues of n",
        2e-3 * (r * s) ** 2 * period,
    )
    formulas = {}
    for order, name in ((1, "MED"), (2, "MED^2")):
        for residue in range(period):
            if period > 1:
                residue_class = f", n = {residue} mod {period}"
            else:
                residue_class = ""
            formulas[f"mean {name}{residue_class}"] = med_moment_formula(
                r, s, order, residue, allow_empty=allow_empty
            )

    pairs_apart = sp.Integer(0)  # over all tables together
    for i, j, factor in smaller_shapes(r, s, allow_empty):
        # Pairs in a common row are C(j + 1, 2) for each row, pairs in a common cell 1 for each cell, both times
        # C(n + ij - 1, ij + 1).
        of_a_table = i * j * sp.Rational(i + j - 2, 2)
        pairs_apart += factor * of_a_table * binomial(n + i * j - 1, i * j + 1)
    pairs = n * (n - 1) / 2
    return formulas | {"mean RD": sp.factor(pairs_apart / (pairs * tables_polynomial(r, s, allow_empty)))}
