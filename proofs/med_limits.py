"""The limits, for many objects, of the mean ARD at a given MED of 2 x 2 tables and of the MED of 3 x 3 tables.

Tables of n objects with equal weights, divided by n, tend to a uniform distribution on the tables of numbers >= 0 with
total 1 (Dirichlet with all parameters 1).  The statements are about this distribution.

Statement `mean-ard-limit-2x2`: let a 2 x 2 table of real numbers >= 0 with total 1 be uniformly distributed. Its mean
    ARD given MED = mu is the integral of 4/(1 - (p^2 - q^2)^2) over 0 <= p <= 1 - mu, 0 <= q <= mu, and strictly
    increases on 0 < mu <= 1/2.
Statement `med-density-3x3`: let a 3 x 3 table of real numbers >= 0 with total 1 be uniformly distributed. Its MED has
    the density 144 mu^5 (4mu^2 - 14mu + 7) on [0, 1/2] and 144 (3mu - 2)^3 (684mu^4 - 1306mu^3 + 893mu^2 - 260mu +
    27) on [1/2, 2/3], the mean 587/1296 and the variance 68731/8398080, and exceeds 1/2 with probability 11/32.

2 x 2.  Let mu be the smaller diagonal sum, p and q the differences on the larger and on the smaller diagonal.
(1) N = A + B - 2P = 2mu (1 - mu), D = A + B - 2AB = (1 - (p^2 - q^2)^2)/2, as the row sums differ by p + q, the column
    sums by p - q.  Given mu, p and q are independent and uniform on [-(1 - mu), 1 - mu] and [-mu, mu].  The mean of N/D
    over the quarter p, q >= 0 is the integral G.
(2) a = 1 - mu >= b = mu.  G'/4 is the integral of 1/(1 - (p^2 - b^2)^2) over 0 <= p <= a less that of 1/(1 - (a^2 -
    q^2)^2) over 0 <= q <= b.  By partial fractions, 1 - b^2 = a(1 + b) and 1 - a^2 = b(1 + a), with T(w) = artanh(w)/w
    and U(z) = arctan(z)/z, G'/2 = [a T(w_1)/(1 + b^2) - b T(w_2)/(1 + a^2)] + [U(z_1)/(1 + b) - U(z_2)/(1 + a)], w_1 =
    a/sqrt(1 + b^2), w_2 = b/sqrt(1 + a^2), z_1^2 = a/(1 + b), z_2^2 = b/(1 + a).
(3) T >= 1 increases and w_1 >= w_2: the first bracket is at least a/(1 + b^2) - b/(1 + a^2) = (a - b)(2 - ab)/((1 +
    a^2)(1 + b^2)) >= 0.
(4) U(z_1) >= pi/4 > 3/4 as z_1 <= 1, and U(z) is the integral of 1/(1 + z^2 u^2) over 0 <= u <= 1, whose derivative in
    z^2 is at least -1/3.  So the second bracket is at least (a - b)/((1 + a)(1 + b)) (3/4 - 2/(3(1 + a))), positive for
    a > b as 1 + a >= 3/2.

3 x 3.  Let k = 1 - mu be the weight of a best matching.
(5) The integral of exp(-s X - t k(x)) over all x >= 0, X their sum and k(x) the weight of a best matching, is the limit
    of e^9 G(exp(-e s), exp(-e t)) as e -> 0, G the generating function of `med_generating_function`: a Riemann sum.
    It is the quotient of the leading terms.
(6) By homogeneity it is the mean of 1/(s + t k)^9.  For the density above it is the same rational
    function, at s = 1.  Its expansion at t = 0 has the moments of k, which determine a distribution on [0, 1].  QED
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from confmat.distributions.med_distribution.counts import generating_function
from proofs import require, require_equal

MEAN, VARIANCE, UPPER = sp.Rational(587, 1296), sp.Rational(68731, 8398080), sp.Rational(11, 32)


def density(mu: Any) -> list[tuple[Any, Any, Any]]:
    """Return the density of the MED of 3 x 3 tables: low end, high end and polynomial of each part."""
    half = sp.Rational(1, 2)
    low = 144 * mu**5 * (4 * mu**2 - 14 * mu + 7)
    high = 144 * (3 * mu - 2) ** 3 * (684 * mu**4 - 1306 * mu**3 + 893 * mu**2 - 260 * mu + 27)
    return [(sp.Integer(0), half, low), (half, sp.Rational(2, 3), high)]


def mean_of(function: Any, mu: Any) -> Any:
    """Return the mean of a rational function of the MED."""
    return sum(sp.integrate(sp.expand(function * part), (mu, low, high)) for low, high, part in density(mu))


def check_two_by_two() -> None:
    """Check (1) to (4)."""
    mu, p, q, a, b = sp.symbols("mu p q a b", positive=True)
    larger, smaller = ((1 - mu + p) / 2, (1 - mu - p) / 2), ((mu + q) / 2, (mu - q) / 2)
    rows = larger[0] + smaller[0], larger[1] + smaller[1]
    columns = larger[0] + smaller[1], larger[1] + smaller[0]
    A, B, P = (sum(x**2 for x in part) for part in (rows, columns, larger + smaller))
    require_equal(A + B - 2 * P, 2 * mu * (1 - mu), "(1): N")
    require_equal(A + B - 2 * A * B, (1 - (p**2 - q**2) ** 2) / 2, "(1): D")
    y = sp.Symbol("y")
    require_equal(1 / (1 - y**2), (1 / (1 - y) + 1 / (1 + y)) / 2, "(2): partial fractions")
    for x, c in ((a, 1 + b**2), (b, 1 + a**2)):
        t = sp.Symbol("t", positive=True)
        root = sp.sqrt(c)
        slope = sp.diff(sp.atanh(t / root) / root, t)
        require(sp.simplify(slope - 1 / (c - t**2)) == 0, "(2): artanh")
        require(sp.simplify(x / c - (x / root) / root) == 0, "(2): T")
        slope = sp.diff(sp.atan(t / root) / root, t)
        require(sp.simplify(slope - 1 / (c + t**2)) == 0, "(2): arctan")
    of_b = {a: 1 - b}
    require_equal((1 - b**2 - a * (1 + b)).subs(of_b), 0, "(2): 1 - b^2")
    require_equal((1 - a**2 - b * (1 + a)).subs(of_b), 0, "(2): 1 - a^2")
    first = a / (1 + b**2) - b / (1 + a**2)
    require_equal(
        (first - (a - b) * (2 - a * b) / ((1 + a**2) * (1 + b**2))).subs(of_b), 0, "(3): the first bracket"
    )
    squares = a**2 / (1 + b**2) - b**2 / (1 + a**2)
    parts = (a**2 - b**2) * (1 + a**2 + b**2) / ((1 + a**2) * (1 + b**2))
    require_equal(squares, parts, "(3): w_1 >= w_2")
    product = (1 + a) * (1 + b)
    require_equal(1 / (1 + b) - 1 / (1 + a), (a - b) / product, "(4): U(z_1)")
    require_equal((a / (1 + b) - b / (1 + a) - 2 * (a - b) / product).subs(of_b), 0, "(4): z_1^2 - z_2^2")
    u = sp.Symbol("u", positive=True)
    require(sp.integrate(u**2, (u, 0, 1)) == sp.Rational(1, 3), "(4): the derivative of U")
    require(sp.Rational(3, 4) > sp.Rational(2, 3) / sp.Rational(3, 2), "(4): positive")


def leading_terms() -> Any:
    """Return the integral (5) for 3 x 3 tables as a function of s and t."""
    s, t = sp.symbols("s t", positive=True)
    fraction = generating_function(3, 3)
    numbers = {}
    for k, row in enumerate(fraction.numerator.tolist()):
        numbers |= {(n, k): number for n, number in enumerate(row) if number}
    terms = [(number, n * s + k * t) for (n, k), number in numbers.items()]
    order = sum(fraction.exponents) - 9
    for power in range(order + 1):
        leading = sp.expand(sum(number * (-slope) ** power for number, slope in terms) / sp.factorial(power))
        require((leading == 0) == (power < order), f"(5): the terms of order {power}")
    return leading / sp.prod([(d * s + t) ** e for d, e in enumerate(fraction.exponents, 1)])


def check_three_by_three() -> None:
    """Check (5) and (6)."""
    s, t = sp.symbols("s t", positive=True)
    mu = sp.Symbol("mu", positive=True)
    transform = leading_terms().subs(s, 1)
    require_equal(transform.subs(t, 0), 1, "(6): the whole mass")
    k = sp.Symbol("k", positive=True)
    total = 0
    for low, high, part in density(1 - k):
        # a polynomial of degree 7 over (1 + t k)^9 has the antiderivative k^(j+1)/(1 + t k)^8, and so on
        powers = sp.Poly(sp.expand(part), k)
        for (j,), coefficient in powers.terms():
            total += coefficient * (moment(j, 1 - low, t) - moment(j, 1 - high, t))
    require_equal(total, transform, "(6): the density")
    require_equal(mean_of(1, mu), 1, "the mass")
    require_equal(mean_of(mu, mu), MEAN, "the mean")
    require_equal(mean_of((mu - MEAN) ** 2, mu), VARIANCE, "the variance")
    low, high, part = density(mu)[1]
    require_equal(sp.integrate(sp.expand(part), (mu, low, high)), UPPER, "the probability")


def moment(j: int, end: Any, t: Any) -> Any:
    """Return the integral of k^j/(1 + t k)^9 over 0 <= k <= end, j <= 7.

    >>> t = sp.Symbol("t", positive=True)
    >>> sp.simplify(moment(7, 1, t) - 1 / (8 * (1 + t) ** 8))
    0
    """
    # with y = k/(1 + t k), dk = dy (1 + t k)^2 and 1/(1 + t k) = 1 - t y
    y = sp.Symbol("y")
    return sp.integrate(sp.expand(y**j * (1 - t * y) ** (7 - j)), (y, 0, end / (1 + t * end)))


def verify() -> str:
    """Check all identities, and the density against the generating function."""
    check_two_by_two()
    check_three_by_three()
    return "algebra; the transform of the density of 3 x 3 tables is that of their generating function"
