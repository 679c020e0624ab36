"""The least number of pairs together in both clusterings, at given numbers of pairs together in each.

Statement `least-pairs`: let an r x s table have real entries x_ij >= 0 with total n, possibly with empty rows or
    columns. Let A = sum a_i^2/n^2 = (1 + (r-1) X^2)/r and B = sum b_j^2/n^2 = (1 + (s-1) Y^2)/s with X, Y >= 0, and Z
    = max(0, X + Y - 1). Then rs sum x_ij^2/n^2 >= 1 + (r-1) X^2 + (s-1) Y^2 + (r-1)(s-1) Z^2. For all X, Y in [0, 1]
    some table attains equality, and if X + Y >= 1 a hook with equal arm entries and equal leg entries does.

Total 1: x_ij, a_i, b_j are over n; P = sum x_ij^2; r, s >= 2.  Let v = (1 - X)/r, a* = v + X, u = (1 - Y)/s, b* = u +
Y: (a*, v, .., v) and (b*, u, .., u) have the sums 1 and the sums of squares A and B, and no a_i is above a*, as
(a_i - 1/r)^2 r/(r-1) <= A - 1/r (Cauchy, the others).

Proof.  (1) Lemma.  For real T and f(t) = ((t - T)+)^2, sum_i f(a_i) <= f(a*) + (r-1) f(v).  There is a quadratic q, of
leading coefficient >= 0, with q >= f up to a* and q = f at a* and at v; sum q(a_i) is fixed by A.
    T >= a*: q = 0.   T <= v: q = (t - T)^2.   v < T < a*: q = m^2 (t - v)^2 with m = (a* - T)/X, as for T <= t <= a*
    m (t - v) - (t - T) = (1 - m)(a* - t) >= 0.
(2) Let l_ij = c a_i + d b_j - e, c, d >= 0.  From x^2 >= 2 x l+ - (l+)^2 and x l+ >= x l,
        P >= 2 (cA + dB - e) - sum (l_ij+)^2.
    At fixed b the sum over i is c^2 sum f(a_i) with a T that depends on j: by (1) it does not fall if a is replaced by
    (a*, v, .., v); and then likewise if b is replaced.
(3) X + Y >= 1, X, Y > 0: let w = u + v + Z, c = (w - v)/X, d = (w - u)/Y, e = c a* + d b* - w.  At (a*, b*), (a*, u),
    (v, b*), (v, u) then l = w, u, v, -Z <= 0.  These are the entries of the hook with margins (a*, v, ..), (b*, u,
    ..), so cA + dB - e = sum x l = w^2 + (s-1) u^2 + (r-1) v^2 on it, and (2) says that P is at least this, its own P.
(4) X + Y <= 1: c = 1/s, d = 1/r, e = 1/(rs) in (2) without the truncation, which is sum (x - l)^2 >= 0 with sum l^2 =
    sum x l, gives P >= A/s + B/r - 1/(rs), attained where x = l: its least cell is (1 - X - Y)/(rs).  QED

Consequence `(*)`: P >= max(0, sqrt A + sqrt B - 1)^2, for any numbers of rows and columns.  The largest a_1 >= A, b_1
>= B, as A <= a_1 sum a_i, so sum x_ij a_i b_j >= sum x_ij (a_i b_1 + b_j a_1 - a_1 b_1) = A b_1 + B a_1 - a_1 b_1,
with slopes B - b_1 <= 0 and A - a_1 <= 0: at given A, B it is least at the largest possible, sqrt A and sqrt B, where
it is sqrt(AB) (sqrt A + sqrt B - 1); and sum x_ij a_i b_j <= sqrt(P) sqrt(sum_ij a_i^2 b_j^2) = sqrt(P A B).

Formally: rocq/LeastSquares.v, without roots.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from confmat.search.transport import _excluded, least_squares
from proofs import margins, require, require_equal, small_classes


def least(X: Any, Y: Any, Z: Any, r: Any, s: Any) -> Any:
    """Return the least P by the statement."""
    return (1 + (r - 1) * X**2 + (s - 1) * Y**2 + (r - 1) * (s - 1) * Z**2) / (r * s)


def check_algebra() -> None:
    """Check the margins, the steps (1), (3), (4), and the conditions of (*)."""
    X, Y, t, T, r, s = sp.symbols("X Y t T r s")
    A, B, Z = (1 + (r - 1) * X**2) / r, (1 + (s - 1) * Y**2) / s, X + Y - 1
    u, v = (1 - Y) / s, (1 - X) / r
    a, b, w = v + X, u + Y, u + v + Z
    require_equal(a + (r - 1) * v, 1, "the sum of (a*, v, ..)")
    require_equal(a**2 + (r - 1) * v**2, A, "its sum of squares")
    require_equal((a - 1 / r) ** 2 * r / (r - 1), A - 1 / r, "no a_i is above a*")
    m = (a - T) / X
    require_equal(m * (t - v) - (t - T), (1 - m) * (a - t), "(1)")
    c, d = (w - v) / X, (w - u) / Y
    e = c * a + d * b - w
    for place, value in (((a, b), w), ((a, u), u), ((v, b), v), ((v, u), -Z)):
        require_equal(c * place[0] + d * place[1] - e, value, f"(3): l at {place}")
    require_equal(w + (s - 1) * u, a, "(3): the hook has the margin a*")
    hook = w**2 + (s - 1) * u**2 + (r - 1) * v**2
    require_equal(c * A + d * B - e, hook, "(3): sum x l")
    require_equal(hook, least(X, Y, Z, r, s), "(3): the least P")
    require_equal(A / s + B / r - 1 / (r * s), least(X, Y, 0, r, s), "(4)")
    require_equal(v / s + u / r - 1 / (r * s), (1 - X - Y) / (r * s), "(4): the least cell")
    x, y = sp.symbols("x y")  # sqrt A, sqrt B
    require_equal(x**2 * y + y**2 * x - x * y, x * y * (x + y - 1), "(*)")


def verify() -> str:
    """Check the algebra, and the bound in integers, as the search uses it, for all small tables."""
    check_algebra()
    seen = 0
    for _, _, _, tables in small_classes((2, 2, 8), (2, 3, 8), (3, 3, 8), (2, 4, 8)):
        for table in tables:
            rows, cols = (tuple(margin) for margin in margins(table))
            excluded = _excluded(np.array(rows), np.array(cols), least_squares(rows, cols))
            require(not excluded, f"the bound at {rows}, {cols}")
        seen += len(tables)
    return f"algebra; the bound on {seen} tables; formally: rocq/LeastSquares.v"
