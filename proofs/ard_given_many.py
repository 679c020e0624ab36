"""The largest ARD at a given MED, for 2000 objects or more and every number of misplaced ones.

Statement `ard-given-med-many`: for n >= 2000 and 2 <= m <= n - 2 the largest ARD of all pairs of clusterings with n
    MED = m is that of the hook of ones, a cell of n - m objects with ceil(m/2) ones in its row and floor(m/2) in its
    column. Only this table has it, up to order, transposition and empty rows and columns.
Statement `ard-given-corner-many`: let the largest row and the largest column of a table of n >= 2000 objects meet in
    a cell of c <= n - 2 objects. Its ARD is at most that of the hook of ones with this corner, a cell of c objects
    with ceil((n-c)/2) ones in its row and floor((n-c)/2) in its column. Only this table has it, up to order,
    transposition and empty rows and columns.

Names, and steps (A0) to (C11), as in `ard_given_med`: A, B, P, N, D of fractions, A_p, B_p, P_p, M of pairs.  e = 1/n
<= 1/2000, K = 1 - 2h, S = (1-h)^2 (2-h), phi = Phi(1 - h), h* = 1 - 1/sqrt 3, the h of mu*.  Row 1 and column 1 are
largest rows and columns; a, b are their sizes, c their common cell, al = a - c, be = b - c, d the objects off both.
First statement: m = n MED.  Second: m = n - c.  In both h = m/(2n), and some matching has the fraction 1 - 2h, which
is all that (A3), (A4) and (A7) need.  Let t be the ARD of the hook of ones, and let a table have ARD >= t.

Few misplaced.  Let n >= (m + 4)^2.  First statement: (C9).  Second: if the table has ARD > 1 it is a hook with
    corner n - n MED by (C5), as P >= 1.  The corner, more than half, is c, so n MED = m, and (C9) applies.  So let
    n < (m + 4)^2, m >= m_0 = isqrt(2000) - 3, and h >= m_0 e/2.
(G1) The level t.  With v = n - j and arm and leg of j = m/2 each, perhaps no integers, the hook has the ARD t* with
    t*/phi - 1 = j(2n^2 - 6jn + 3j^2 + j)/(n(v-1)(3v-n)(n+v-1)).  So phi <= t* <= phi (1 + 0.12 e) for h <= h*, and
    phi (1 - 0.34 e) <= t* <= phi (1 + e^2) for h >= h*.  For even m t = t*.  For odd m, by (C8), t* - t is at most
    0.4 n^2 over n^4 D* = v(v-1) j(n+v-1)/2, as the slope of (C8) is at most 1.6 n^2 and U increases by 1/4.
(G2) (R) of `ard_identities` makes (N - phi D)/(1 - X^2) >= -E e with E e = 2(t e + max(0, phi - t)), by D <= 2 - A
    - B <= 2(1 - X^2).  Without P_p the ARD is at most 1/(1 - H), H the harmonic mean of A_p/M <= A and B_p/M <= B,
    so max(A, B) >= 1 - 1/t, and X^2 >= 1 - 1/t as 1/X^2 <= (1/A + 1/B)/2.

h <= h*, near a hook.
(G3) X <= h is impossible: X^2 >= 1 - 1/t >= 0.65 h > h^2.  X = h + vK, v <= 4/5, is impossible: by (A7) N - phi D
    <= -2KF/S, and 2KF/S > E e.  X = 1 - h - s, 0 < s <= K/5: N - phi D <= -2sG/S with G >= min(e_0, e_1), the ends
    of the line of (A7), so s <= s_1; then G >= min(G_0, G_0 + G_1 s_1), so s <= k e (1 - X^2).  As |Phi'| <= 1.12
    on [0.57, 1], and Phi is largest at 1 - h*, Phi(X) - phi <= 1.12 s.  X >= 1 - h: Phi(X) <= phi, and 2X^2 (phi -
    Phi(X)) <= E e, where |Phi'| >= 1 on [3/4, 1].
(G4) With x - y = 2u, N - phi D = 2X^2 (1-X^2)(Phi(X) - phi) - 2(P - (2X-1)^2) - u^2 (2(phi-1) + 2phi (2X^2-u^2)),
    so 2(P - (2X-1)^2) and u^2 (2(phi-1) + 2phi X^2) are at most Z e (1-X^2) together, Z = E + 2.24 k X^2 (1-X^2).
    So sqrt P - (2X-1) <= g = Z e (1-X^2)/(4(2X-1)), and by (A1), in both orders, x - a/n <= x g/(1-y), y - b/n <= y
    g/(1-x).  Other rows have the sum of squares A - (a/n)^2 <= 2x (x - a/n), so fractions of at most r, r^2 a bound of
    this; columns likewise.  P >= (c/n)^2 gives d/n = 1 + c/n - a/n - b/n <= g + (x - a/n) + (y - b/n) = T.  Other
    cells have the sum of squares P - (c/n)^2 <= (T - d/n) R, R = 2(2X - 1 + g).

h >= h*, near a hook.  z = xy, x_0 = (1 + c/n)/2 <= 1 - h, f = Phi(x_0) <= phi.
(G5) Half of N - f D is at least -q, q = (t e + max(0, phi - t))/t, as 1 - X^2 <= 1/t; it is less than 0 by (A9), so
    (phi - f) z(1-z) < q.  By (A9), z <= x_0^2 gives P - (c/n)^2 <= q and x_0^2 - z <= q/(f z + (c/n)^2/x_0^2), and
    z > x_0^2 gives z - x_0^2 <= q (1+z)/(4z - (1+z)(f z + (c/n)^2/x_0^2)), where the denominator is concave in z,
    and P - (c/n)^2 <= q + (z - x_0^2)(f z + (c/n)^2/x_0^2).  In both (x-y)^2 <= 2q/(f-1), and |z - x_0^2| <= w.
(G6) sqrt(ab)/n = g = x_0 - s/x_0.  (A9) before its last steps: 4g^2 (s-w)^2 <= (P - (c/n)^2)(w + 2s)(2x_0^2 + w) if
    s > w, with g >= z >= x_0^2 - w, and then with g >= x_0 - s/x_0.  d/n = 2x_0 - (a+b)/n <= 2s/x_0.  (x - a/n) b/n
    <= z - g^2 <= w + 2s, b/n >= g^2/x.

The end.
(G7) p = n - m - c is 0 in the second statement.  In the first p >= 0, and p <= d if every best matching has the
    cell c; a matching without it has a fraction of at most 2r + d/n, and at most d/n and sqrt 2 times the root of the
    sum of squares of the other cells, sqrt(2TR) if 2T <= R.  A_p = C(a,2) + sum C(z_i,2) + E_A with z_i objects of
    the leg and o_i off the cross in row i, E_A = sum (z_i o_i + C(o_i,2)) <= d r n.  By (C7) twice and P_p >=
    C(c,2) + sum C(z_i,2) + ..., F = (1-t) M (A'+B') + 2t A'B' - 2M C(c,2) >= 0 at A' = C(a,2) + E_A, B' = C(b,2) +
    E_B.  F increases with E_A and E_B, so F <= F_0 + d y n^3, with y = r ((1-t)(1-e) + t(x^2+y^2)) + 2t r^2 d/n.
    At a given a + b = 2n - m - p - d F_0 increases with ab by (C8): at most G((a+b)/2) - M c(c-1), G(v) = (1-t) M
    v(v-1) + t v^2 (v-1)^2/2, G' = (2v-1)((1-t) M + t v(v-1)) positive and increasing.  At p = d = 0 this is at most
    0.4 n^2, (G1).  So F <= 0.4 n^2 - (p+d) G'/2 + (1-2h) p n^3 + d y n^3, with G' at n - m/2 - d, or at n g if h >=
    h*.
(G8) F < 0 unless p = d = 0.  For p <= d, linear in p, this is min(L/2, L - (1-2h)) > y + 0.4 e, L = G'/n^3; for p =
    0 L/2 > y + 0.4 e; for any p L/2 > max(y, 1-2h) + 0.4 e.  So the table is a hook with corner n - m.  t > 1, so
    arm and leg are not empty; (C7) and (C8) at level t make it the hook of ones.  QED

`verify` checks (G1), (G3) and (G8) in fractions, with polynomials by their Bernstein coefficients, and intervals of
h and x_0 that cover all.  h <= 1/20 is one interval, where 1 - X >= h - E e/(2X^2) is a multiple of e, and u,
g/(1-y) are bounded by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, comb, floor, isqrt
from typing import Any, NamedTuple

import sympy as sp

from proofs import ard, pairs, require, require_equal
from proofs.ard_given_med import COEFFICIENTS, QUARTICS, hook_of_ones, largest_of_form, read

Box = tuple[tuple[Fraction, Fraction], ...]  # a range of each variable
Powers = Mapping[tuple[int, ...], Fraction]  # coefficients of a polynomial

FIRST = 2000  # objects
SMALL = Fraction(1, 20)  # h up to here in one interval
BEFORE, AFTER = Fraction(42264, 10**5), Fraction(42265, 10**5)  # h* is between
TOP = Fraction(139231, 10**5)  # more than phi anywhere
ABOVE, BELOW = Fraction(12, 100), Fraction(34, 100)  # of (G1)
STEEP = Fraction(112, 100)  # more than the slope of Phi
LOSS = Fraction(4, 10)  # of (G1), in n^2
ROWS, COLUMNS = 400, 40  # intervals: of h up to h*; of h from h* on, and of x_0 for each
DIGITS = 10**12

h, v, s, e = sp.symbols("h v s e")
K, S = 1 - 2 * h, (1 - h) ** 2 * (2 - h)


# --- arithmetic -----------------------------------------------------------------------------------


def up(x: Fraction) -> Fraction:
    """Return a short fraction that is at least x."""
    return Fraction(ceil(x * DIGITS), DIGITS)


def down(x: Fraction) -> Fraction:
    """Return a short fraction that is at most x."""
    return Fraction(floor(x * DIGITS), DIGITS)


def root(x: Fraction) -> Fraction:
    """Return a number slightly above the square root of x.

    >>> root(Fraction(4)) - 2 == Fraction(1, DIGITS)
    True
    """
    return Fraction(isqrt(ceil(x * DIGITS**2)) + 1, DIGITS)


def powers(polynomial: Any, *names: Any) -> Powers:
    """Return the coefficients of a polynomial in these symbols."""
    return {place: Fraction(int(x.p), int(x.q)) for place, x in sp.Poly(polynomial, *names).terms()}


def coefficients(polynomial: Powers, box: Box) -> list[Fraction]:
    """Return the Bernstein coefficients of a polynomial on a box. Its values lie between the least and the largest.

    >>> coefficients({(2,): Fraction(1)}, ((Fraction(0), Fraction(2)),)) == [0, 0, 4]
    True
    """
    degrees = [max(place[i] for place in polynomial) for i in range(len(box))]
    places = list(product(*(range(degree + 1) for degree in degrees)))
    values = [polynomial.get(place, Fraction(0)) for place in places]
    stride = len(places)
    for degree, (low, high) in zip(degrees, box):
        stride //= degree + 1
        matrix = change_of_basis(degree, low, high)
        starts = [i for i, place in enumerate(places) if (i // stride) % (degree + 1) == 0]
        for start in starts:
            line = values[start : start + stride * (degree + 1) : stride]
            for i, row in enumerate(matrix):
                values[start + i * stride] = sum((x * y for x, y in zip(row, line)), Fraction(0))
    return values


def change_of_basis(degree: int, low: Fraction, high: Fraction) -> list[list[Fraction]]:
    """Return the Bernstein coefficients on an interval of the powers x^0, x^1, ..., a column each."""
    matrix = []
    for i in range(degree + 1):
        share = [Fraction(comb(i, l), comb(degree, l)) * (high - low) ** l for l in range(degree + 1)]
        matrix.append(
            [
                sum((comb(k, l) * low ** (k - l) * share[l] for l in range(k + 1)), Fraction(0))
                for k in range(degree + 1)
            ]
        )
    return matrix


def positive(polynomial: Powers, box: Box, strict: bool, halvings: int = 12) -> bool:
    """Return whether Bernstein coefficients prove that a polynomial is > 0 on a box, or >= 0 if not ``strict``."""
    smallest = min(coefficients(polynomial, box))
    if smallest > 0 or (smallest == 0 and not strict):
        return True
    if not halvings:
        return False
    widest = max(range(len(box)), key=lambda i: box[i][1] - box[i][0])
    low, high = box[widest]
    middle = (low + high) / 2
    parts = ((low, middle), (middle, high))
    boxes = ((*box[:widest], part, *box[widest + 1 :]) for part in parts)
    return all(positive(polynomial, smaller, strict, halvings - 1) for smaller in boxes)


def require_positive(expression: Any, step: str, strict: bool = True, **ranges: tuple[Any, Any]) -> None:
    """Check that a polynomial is > 0, or >= 0, on the box of these ranges."""
    box = tuple((Fraction(low), Fraction(high)) for low, high in ranges.values())
    found = powers(sp.expand(expression), *map(sp.Symbol, ranges))
    require(positive(found, box, strict), step)


def least(polynomial: Powers, low: Fraction, high: Fraction) -> Fraction:
    """Return a lower bound of a polynomial in h on an interval."""
    return min(coefficients(polynomial, ((low, high),)))


# --- polynomials ----------------------------------------------------------------------------------

CASE_2 = Fraction(4, 5) * S * K * v**2 - (h + v * K) ** 2 * (
    (2 - 3 * h) * v * (v * K + 2 * h) - 2 * h * (1 - h)
)  # F of (A7)
G0 = 2 * (1 - h) * (2 - h) * K**2 + 2 * (2 - 3 * h) * (1 - h) ** 3 - sp.Rational(16, 5) * S * K
G1 = sp.Rational(64, 25) * S - (2 - h) * K**2 - 5 * (2 - 3 * h) * (1 - h) ** 2
BEND = sp.Rational(19, 5) * (1 - h) * (2 - 3 * h)
LINE = [powers(G0 - BEND * (K / 5) ** 2 + share * (G1 + 2 * BEND * K / 5) * K / 5, h) for share in (0, 1)]
FLAT, TILT, DIVISOR = (powers(x, h) for x in (G0, G1, S))


def check_level() -> None:
    """Check (G1), and what (G3) takes of phi."""
    n, j, u = sp.symbols("n j u")
    w = n - j
    M, A, P = pairs(n), pairs(w), pairs(n - 2 * j)
    level = M * (2 * A - 2 * P) / (2 * M * A - 2 * A**2)
    limit = largest_of_form(w / n)
    more = j * (2 * n**2 - 6 * j * n + 3 * j**2 + j) / (n * (w - 1) * (3 * w - n) * (n + w - 1))
    require_equal(level / limit - 1, more, "(G1): the hook and phi")
    require_equal(2 * A * (M - A), w * (w - 1) * j * (n + w - 1) / 2, "(G1): D")
    top, divisor = u * (2 - 6 * u + 3 * u**2 + u * e), (1 - u - e) * (2 - 3 * u) * (2 - u - e)
    require_equal(more.subs({j: u * n, n: 1 / e}), e * top / divisor, "(G1): in shares")
    thin = (0, Fraction(1, FIRST))
    require_positive(ABOVE * divisor - top, "(G1): above phi", u=(0, AFTER), e=thin)
    require_positive(BELOW * divisor + top, "(G1): below phi", u=(BEFORE, Fraction(1, 2)), e=thin)
    require_positive(divisor - u**2, "(G1): e^2", u=(BEFORE, Fraction(1, 2)), e=thin)
    require((TOP - 1) / 2 + TOP + thin[1] <= 4 * LOSS, "(G1): the slope")
    require((TOP + 9) ** 2 > 108, "the largest phi")
    before, after = (3 * (1 - x) ** 2 for x in (BEFORE, AFTER))
    require(before > 1 > after, "h*")
    gain = 2 - 3 * h - S  # phi - 1 times S
    require_positive(sp.cancel(gain / h) - Fraction(66, 100) * (2 - 3 * h), "(G3): phi", h=(0, AFTER))
    require_positive(sp.cancel(gain / h) - Fraction(974, 1000) * (2 - 3 * h), "(G3): small h", h=(0, SMALL))
    x = sp.Symbol("x")
    low = Fraction(57, 100)
    require_equal(sp.diff(largest_of_form(x), x), 2 * (1 - 3 * x**2) / (x**3 * (1 + x) ** 2), "Phi'")
    square = x**3 * (1 + x) ** 2
    require_positive(STEEP * square - 2 * (3 * x**2 - 1), "(G3): the slope", x=(low, 1))
    require_positive(STEEP * square + 2 * (3 * x**2 - 1), "(G3): the slope", x=(low, 1))
    require_positive(2 * (3 * x**2 - 1) - square, "(G3): near 1", strict=False, x=(Fraction(3, 4), 1))


def check_away() -> None:
    """Check (G3): no X below 1 - h - K/5."""
    X = sp.Symbol("X")
    low = h * (2 - 4 * h + h**2)

    def margin(X: Any, rho_squared: Any) -> Any:
        return S * rho_squared - X**2 * ((2 - 3 * h) * X**2 - low)

    require_equal(margin(h + v * K, sp.Rational(4, 5) * (v * K) ** 2), K * CASE_2, "(G3): F")
    G = G0 + G1 * s + (2 - 3 * h) * s**2 * (4 * (1 - h) - s)
    require_equal(margin(1 - h - s, (K - sp.Rational(8, 5) * s) ** 2), s * G, "(G3): G")
    four_fifths = Fraction(4, 5)
    stored = [x for line in read(COEFFICIENTS) for x in line]
    box = ((Fraction(0), Fraction(1, 2)), (Fraction(0), four_fifths))
    require(coefficients(powers(CASE_2, h, v), box) == stored, "(G3): the certificate of F")
    quarter = ((Fraction(0), Fraction(1, 4)),)
    for line, quartics in zip(LINE, QUARTICS):
        require(coefficients(line, quarter) == read(quartics[:1])[0], "(G3): the certificate of the line")
    X = h + v * K
    ends = (0, four_fifths)
    m, e = isqrt(FIRST) - 3, Fraction(1, FIRST)
    below = level_below(AFTER, e, m)
    require(below * Fraction(2, m) < Fraction(4, 1000), "(G3): what t is below phi")
    require(2 * (TOP * (1 + ABOVE * e) + below) < 3, "(G3): E")
    near_one = largest_of_form(1 - SMALL) * (1 + ABOVE * e) + level_below(SMALL, e, m)
    require(2 * near_one < Fraction(22, 10), "(G3): E, small h")
    part, kept = Fraction(23, 100), Fraction(97, 100)  # F >= part X^2 - h/125, X^2 >= kept h
    require_positive(CASE_2 - part * X**2 + h / 125, "(G3): F, small h", strict=False, h=(0, SMALL), v=ends)
    small = part * kept - Fraction(1, 125)
    require_positive(2 * K * small - Fraction(22, 10) * Fraction(2, m) * S, "(G3): small h", h=(0, SMALL))
    tenth = Fraction(1, 10)
    require_positive(CASE_2 - X**2 / 6 + h / 100, "(G3): F, to 1/10", h=(SMALL, tenth), v=ends)
    middle = (Fraction(65, 600) - Fraction(1, 100)) * h
    require_positive(2 * K * middle - Fraction(3, FIRST) * S, "(G3): to 1/10", h=(SMALL, tenth))
    require_positive(2 * K * CASE_2 - Fraction(3, FIRST) * S, "(G3): from 1/10 on", h=(tenth, AFTER), v=ends)


def check_near() -> None:
    """Check identities of (G2), (G4) to (G8)."""
    X, u, P, f, A, B, t, M, E, p, n, d, m = sp.symbols("X u P f A B t M E p n d m")
    x, y = X + u, X - u
    difference = (1 - f) * (x**2 + y**2) - 2 * P + 2 * f * (x * y) ** 2
    parts = 2 * X**2 * (1 - X**2) * (largest_of_form(X) - f) - 2 * (P - (2 * X - 1) ** 2)
    parts -= u**2 * (2 * (f - 1) + 2 * f * (2 * X**2 - u**2))
    require_equal(difference, parts, "(G4): N - phi D")
    require_equal(2 - A - B - (A + B - 2 * A * B), 2 * (1 - A) * (1 - B), "(G2): D")
    z, o = sp.symbols("z o")
    require_equal(pairs(z + o), pairs(z) + z * o + pairs(o), "(G7): E")
    C = sp.Symbol("C")
    level = (1 - t) * M * (A + B) + 2 * t * A * B
    raised = level.subs({A: A + E, B: B + C}, simultaneous=True)
    more = E * ((1 - t) * M + 2 * t * B) + C * ((1 - t) * M + 2 * t * A) + 2 * t * E * C
    require_equal(raised - level, more, "(G7): F")
    G = level.subs({A: pairs(X), B: pairs(X)})
    require_equal(G, (1 - t) * M * X * (X - 1) + t * X**2 * (X - 1) ** 2 / 2, "(G7): G")
    require_equal(sp.diff(G, X), (2 * X - 1) * ((1 - t) * M + t * X * (X - 1)), "(G7): the slope")
    require_equal(2 * n - m - p - d, (n - m - p) + n - d, "(G7): a + b")
    corner = 2 * M * (pairs(n - m) - pairs(n - m - p))
    require_equal(corner, M * p * (2 * (n - m) - p - 1), "(G7): the corner")
    g, r, w = sp.symbols("g r w")
    require_equal(X**2 - (X - g / X) ** 2, 2 * g - g**2 / X**2, "(G6): z - g^2")
    require_equal((g - w) ** 2 - r * (w + 2 * g), g**2 - 2 * (w + r) * g + w**2 - r * w, "(G6): s")
    require_equal((w + r) ** 2 - w**2 + r * w, r**2 + 3 * r * w, "(G6): s at most")


# --- intervals ------------------------------------------------------------------------------------


class Level(NamedTuple):
    """t is between ``low`` and ``high``, and max(0, phi - t) is at most ``below`` e."""

    low: Fraction
    high: Fraction
    below: Fraction


def level_below(high: Fraction, e: Fraction, m: int) -> Fraction:
    """Return (t* - t)/e of (G1) for h <= ``high`` and at least ``m`` objects misplaced.

    >>> float(round(level_below(Fraction(1, 4), Fraction(1, 2000), 41), 4))
    0.0397
    """
    share = 1 - high
    return up(4 * LOSS / (m * share * (share - e) * (1 + share - e)))


def slope(share: Fraction, e: Fraction, t: Level) -> Fraction:
    """Return a lower bound of G'/n^3 at n times ``share`` or more, which is valid if it is positive."""
    lost = 1 - 2 * share * (share - e)
    return (share - e / 2) * (1 - (t.high if lost > 0 else t.low) * lost)


def cost(r: Fraction, off: Fraction, squares: Fraction, e: Fraction, t: Level) -> Fraction:
    """Return an upper bound of y of (G7) plus 0.4 e, given an upper bound ``squares`` of x^2 + y^2."""
    more = squares - 1 + e
    first = r * (1 + (t.high if more > 0 else t.low) * more)
    return first + 2 * t.high * off * r**2 + LOSS * e


def rises(share: Fraction, e: Fraction, t: Level) -> bool:
    """Return whether F increases with E_A and E_B if a/n and b/n are at least ``share``."""
    return t.high * (1 - 2 * share * (share - e)) < 1


def rate(low: Fraction, high: Fraction, E: Fraction, e: Fraction) -> Fraction:
    """Return k of (G3), with s <= k e (1 - X^2) for h between ``low`` and ``high``."""
    divisor = max(coefficients(DIVISOR, ((low, high),)))
    ends = min(least(line, low, high) for line in LINE)
    require(ends > 0, f"(G3): the line at {low}")
    first = up(divisor * E * e / (2 * ends))
    flat = least(FLAT, low, high)
    tilted = {place: FLAT.get(place, Fraction(0)) + first * TILT.get(place, Fraction(0)) for place in FLAT}
    G = min(flat, least(tilted, low, high))
    require(G > 0, f"(G3): G at {low}")
    return up(divisor * E / (2 * G))


def largest_X(low: Fraction, high: Fraction, E: Fraction, e: Fraction) -> Fraction:
    """Return an upper bound of the X >= 1 - h with 2X^2 (phi - Phi(X)) <= E e."""
    need = largest_of_form(1 - low) - E * e / (2 * (1 - high) ** 2)
    below, above = max(1 - low, 1 - BEFORE), Fraction(1)
    for _ in range(20):
        middle = (below + above) / 2
        if largest_of_form(middle) < need:
            above = middle
        else:
            below = middle
    require(largest_of_form(above) < need, f"(G3): X at {low}")
    return up(above)


def few(n: int, high: Fraction) -> bool:
    """Return whether (G8) is true for h up to ``high``, with bounds that are multiples of 1 - X."""
    e, m = Fraction(1, n), isqrt(n) - 3
    below = level_below(high, e, m)
    t = Level(Fraction(1), largest_of_form(1 - high) * (1 + ABOVE * e), below)
    E = up(2 * (t.high + below))
    k = rate(Fraction(0), high, E, e)
    X = down(1 - high - k * e)
    require(Fraction(974, 2000) * m > below, "(G8): t > 1")
    Z = up(E + 2 * STEEP * k * (1 - X**2))
    from_one = Fraction(m, 2) - E / (2 * X**2)  # 1 - X is at least this times e
    u = root(Z * (1 + X) / (2 * X**2 * from_one))  # times 1 - X
    if u >= 1:
        return False
    g = up(Z * e * (1 - X**2) / (4 * (2 * X - 1)))
    gap = up(Z * e * (1 + X) / (4 * (2 * X - 1) * (1 - u)))
    r, off = root(2 * gap), g + 2 * gap
    y = cost(r, off, Fraction(2), e, t)
    L = slope(1 - high - off, e, t)
    smallest = X - u * (1 - X) - gap
    return 2 * r + off < 1 - 2 * high and min(L / 2, L - 1) > y and rises(smallest, e, t)


def row(n: int, low: Fraction, high: Fraction) -> bool:
    """Return whether (G8) is true for h between the two numbers, up to h*."""
    e, m = Fraction(1, n), isqrt(n) - 3
    phi = largest_of_form(1 - low)
    below = level_below(high, e, m)
    top = largest_of_form(1 - high) if high < BEFORE else TOP
    t = Level(phi - below * e, top * (1 + ABOVE * e), below)
    require(t.low > 1, f"(G8): t > 1 at {low}")
    E = up(2 * (t.high + below))
    k = rate(low, high, E, e)
    X = down(1 - high - k * e)
    last = largest_X(low, high, E, e)
    Z = up(E + 2 * STEEP * k * min(Fraction(1, 4), last**2 * (1 - X**2)))
    more = Z * e * (1 - X**2)
    g = up(more / (4 * (2 * X - 1)))
    u = root(more / (2 * (phi - 1) + 2 * phi * X**2))
    if last + u >= 1:
        return False
    gap = up((last + u) * g / (1 - last - u))
    r, off = root(2 * (last + u) * gap), g + 2 * gap
    both = 2 * (2 * last - 1 + g)
    two_cells = root(2 * off * both) if 2 * off <= both else Fraction(1)
    y = cost(r, off, 2 * last**2 + 2 * u**2, e, t)
    L = slope(1 - high - off, e, t)
    in_matching = min(2 * r + off, two_cells) < 1 - 2 * high
    return in_matching and min(L / 2, L - 1 + 2 * low) > y and rises(X - u - gap, e, t)


def cell(n: int, low: Fraction, high: Fraction, start: Fraction, end: Fraction, by_corner: bool) -> bool:
    """Return whether (G8) is true for h >= h* from ``low`` to ``high`` and x_0 from ``start`` to ``end``."""
    e = Fraction(1, n)
    share = 1 - high
    phi = largest_of_form(share)
    top = TOP if low <= AFTER else largest_of_form(1 - low)
    below = BELOW * top + 2 * LOSS * e / (share * (share - e) * low * (1 + share - e))
    t = Level(phi - below * e, top * (1 + e**2), below)
    q = up((t.high + below) * e / t.low)
    f, f_end = largest_of_form(start), (largest_of_form(end) if end < 1 - AFTER else TOP)
    corner, corner_end = ((2 * x - 1) ** 2 / x**2 for x in (start, end))
    apart = root(2 * q / (f - 1))
    largest = 1 / root(1 / (1 - 1 / t.low))
    z = largest * (largest - apart)
    require(z < Fraction(4, 10), f"(G5): z at {low}")
    if phi > f_end and (phi - f_end) * z * (1 - z) > q:
        return True  # no such corner

    def gain(z: Fraction) -> Fraction:
        return 4 * z - (1 + z) * (f_end * z + corner_end)

    last = end  # z is at most this
    above = Fraction(0)
    for _ in range(3):
        slowest = min(gain(start**2), gain(last))
        require(slowest > 0, f"(G5): the gain at {low}, {start}")
        above = up(q * (1 + last) / slowest)
        last = min(last, end**2 + above)
    w = max(above, up(q / (f * z + corner)))
    cells = up(q + (f_end * last + corner_end) * above)
    last = end**2 + w
    g = start**2 - w
    s = Fraction(0)
    for _ in range(8):
        factor = up(cells * (2 * end**2 + w) / (4 * g**2))
        s = w + factor + root(factor**2 + 3 * factor * w)
        g = max(g, down(start - s / start))
    off = 2 * s / start
    x = apart / 2 + root(apart**2 / 4 + last)
    smallest = g**2 / x
    r = root(2 * x * (w + 2 * s) / smallest)
    y = cost(r, off, 2 * last + apart**2, e, t)
    L, anywhere = slope(1 - high - off, e, t), slope(g, e, t)
    if not rises(smallest, e, t):
        return False
    if by_corner:
        return y < L / 2
    in_matching = min(2 * r, root(2 * cells)) + off < 1 - 2 * high
    cross = in_matching and min(L / 2, L - 1 + 2 * low) > y
    return cross or anywhere / 2 > max(y, 1 - 2 * low + LOSS * e)


def grid(low: Fraction, high: Fraction, parts: int) -> list[tuple[Fraction, Fraction]]:
    """Return the intervals of equal length into which a range is divided."""
    return list(pairwise(low + (high - low) * i / parts for i in range(parts + 1)))


def check_intervals(n: int) -> int:
    """Check (G8) for all h and x_0, for at least a given number of objects."""
    require(few(n, SMALL), f"(G8): h <= {SMALL}, n = {n}")
    seen = 1
    for low, high in grid(SMALL, AFTER, ROWS):
        require(row(n, low, high), f"(G8): h from {low}, n = {n}")
        seen += 1
    half = Fraction(1, 2)
    for low, high in grid(BEFORE, half, COLUMNS):
        for start, end in grid(half, 1 - low, COLUMNS):
            require(cell(n, low, high, start, end, False), f"(G8): h from {low}, n = {n}")
            seen += 1
        start, end = max(half, 1 - high), 1 - low
        require(cell(n, low, high, start, end, True), f"(G8): the corner at {low}, n = {n}")
    return seen


def pairs_of(n: int, m: int, off: int) -> tuple[int, int, int]:
    """Return A_p, B_p, P_p of a hook of ones in which some objects of the corner are alone outside its row and column.

    >>> pairs_of(9, 3, 1), ard_of(9, pairs_of(9, 3, 0)) == ard(hook_of_ones(9, 3))
    ((22, 16, 10), True)
    """
    leg = m // 2
    corner = n - m - off
    return comb(corner + m - leg, 2) + off, comb(corner + leg, 2) + off, comb(corner, 2)


def ard_of(n: int, numbers: tuple[int, int, int]) -> Fraction:
    """Return the ARD of n objects with these A_p, B_p, P_p."""
    A, B, P = numbers
    M = comb(n, 2)
    return Fraction(M * (A + B - 2 * P), M * (A + B) - 2 * A * B)


def check_samples(n: int) -> int:
    """Check the level at many numbers of misplaced objects, and hooks with an object off the cross, for n objects."""
    e, seen = Fraction(1, n), 0
    require(ard_of(9, pairs_of(9, 3, 0)) == ard(hook_of_ones(9, 3)), "the hook of ones")
    for m in range(isqrt(n) - 3, n - 1, 7):
        t, share = ard_of(n, pairs_of(n, m, 0)), Fraction(m, 2 * n)
        phi = largest_of_form(1 - share)
        low = share < BEFORE
        below = level_below(share, e, m) + (0 if low else BELOW * phi)
        require(phi - below * e <= t <= phi * (1 + (ABOVE * e if low else e**2)), f"(G1): {m} of {n}")
        require(ard_of(n, pairs_of(n, m, 1)) < t, f"(G8): {m} of {n}")
        seen += 1
    return seen


def verify() -> str:
    """Check the identities, polynomials and intervals of the proof."""
    check_level()
    check_away()
    check_near()
    hooks = check_samples(FIRST)
    return f"algebra; {hooks} hooks of {FIRST} objects, {check_intervals(FIRST)} intervals"
