"""The largest ARD of populations, for every shape; and why hooks win from some n on.

Statement `ard-populations`: each local maximum > 1 of the ARD of populations is a hook with equal arm and equal leg
    entries and an ARD below 6 sqrt(3) - 9, the supremum over all shapes; for r = s there is just one, and its arm
    and leg total is r/(r-1) times less than the only root in (0, 1) of a cubic.
Statement `ard-hooks-eventually`: for each shape there is an n0 from which on only hooks have the largest ARD, and
    the largest ARD tends to that of populations.

A population is an r x s table x of real entries >= 0 with total 1, r, s >= 2, lines may be empty; A, B, P, l = ARD,
lambda, alpha, beta and (I1), (I2), (I3), (E) as in `ard_identities`, with M = 1.  A hook has all its weight in one
row and one column: a corner w, the rest of the row (arm), the rest of the column (leg).

Theorem 1.  The largest ARD is attained.  Every local maximum with ARD > 1 is, up to the order of lines, a hook
without empty lines, with s - 1 equal arm entries u > 0, r - 1 equal leg entries v > 0, and beta v + alpha u < mu
(below).
Theorem 2.  The arm and leg totals t, y satisfy t <= 1 - 1/s, y <= 1 - 1/r.  If r = s there is one local maximum with
ARD > 1 up to order: t = y = z/k, k = r/(r-1), z the only root in (0, 1) of (1 + 2/k) z^3 - (5 + 4/k) z^2 + 8z - 2.
Theorem 3.  The supremum over all populations of all shapes is 6 sqrt(3) - 9 = 1.3923.., not attained; it is the
limit for r, s -> infinity.
Theorem 4.  For each r, s there is an n0 such that for n >= n0 every table of Tables(n,r,s) with the largest ARD is a
hook.  The largest ARD tends to that of populations.  (The proof does not give n0.)

Proof of 1.  ARD is continuous except at a single cell; near one A, B -> 1 and (I2) keeps ARD below 1 + o(1), while
the 2 x 2 hook with t = y = 17/100 has 1.107.  So the largest value is attained.  Let x be a local maximum, l > 1.
(1) Phi = A + B - 2P - l (A + B - 2AB), with this l, is at most 0 near x and 0 at x.  Its derivative at the cell (i,j)
    is 4 (beta a_i + alpha b_j - x_ij); on the simplex these are equal to some 4 mu where x_ij > 0, and at most that
    elsewhere.  So x_ij = max(0, beta a_i + alpha b_j - mu) for all i, j; alpha, beta > 0 by (I1).
(2) f(a) = sum_j max(0, beta a + alpha b_j - mu) is convex, non-decreasing, and f(a_i) = a_i for every row.  The row
    sums are not all equal, or x_ij = b_j/r, which has ARD 1.  Likewise the columns, with g(b).
(3) Suppose f is the identity between the least and the largest row sum.  A sum of convex functions is affine only if
    each is: each term is 0 throughout or untruncated.  So there is a set J of m columns with x_ij = beta a_i +
    alpha b_j - mu for all i, the other columns are empty, and beta m = 1.
    - If a row is empty, then alpha b_j = mu on J and x_ij = beta a_i: independent, ARD 1, excluded.
    - If a column is empty, 0 is a column sum.  The column sums over J are not all equal (else x_ij = beta a_i + const,
      and summing over J shows that the constant is 0: independent).  So g has three fixed points among the column
      sums; a convex function with three is the identity between them; and the line before, for columns, excludes it.
    So nothing is truncated: x_ij = beta a_i + alpha b_j - mu for all i, j.
(4) That is impossible.  Sums over rows and columns, not all equal, give beta = 1/s, alpha = 1/r, mu = 1/(rs), and
    P = A/s + B/r - 1/(rs).  With R = 1 - 2/r, S = 1 - 2/s: l (1/2 - B) = S/2, l (1/2 - A) = R/2, and ARD = l becomes
    (l - 1)(l - RS) = 0; but l > 1 > RS.
(5) So f, not the identity, has just two fixed points among the row sums, a_L < a_H, and g has b_L < b_H.  Two rows
    with a_H would be equal, with m >= 1 positive cells each; (E) gives beta m <= 1, but beta m is the slope of f to
    the left of a_H, at least 1 by convexity: so f lies above its tangent of slope 1 and below its chord, and is the
    identity, excluded by (3), (4).  So one row has a_H and one column b_H.
(6) Off this cross x_ij = max(0, beta a_L + alpha b_L - mu).  If beta a_L + alpha b_L >= mu nothing is truncated,
    which (4) excludes.  So beta a_L + alpha b_L < mu and these cells are 0: a hook, with u = b_L, v = a_L.  If b_L =
    0, one column has everything, B = 1 and ARD = 1.  So u > 0, v > 0.

Proof of 2.  At a local maximum w - u = alpha (b_H - b_L) > 0, so t = (s-1) u < (s-1) w, and t + w < 1 gives
t < 1 - 1/s; likewise y.  For r = s let c = 1/(r-1), k = 1 + c, so that t, y < 1/k.  N = A + B - 2P and
D = A + B - 2AB depend on t + y and ty only; at fixed t + y
    dN/d(ty) = -2(2-k),   dD/d(ty) = -2(2-k) - 4(1-kt)(1-ky),
and the slope of N/D has the sign of dN - l dD = 2(l-1)(2-k) + 4l (1-kt)(1-ky) > 0.  So t != y is no local maximum.
For t = y, ARD = (2 - (2+k)t)/((1 - 2t + k t^2)(2 - kt)), whose derivative has the sign of -h(kt), h the cubic.
h(0) < 0 < h(1) = 2 - 2/k, and h' is convex with h'(0) > 0 >= h'(1): h rises and then falls in (0, 1), so it has one
root there.

Proof of 3.  By the lemma of `max_adjusted_rand`, which holds for populations as well, taking t^2/(s-1) out of B and
P, and y^2/(r-1) out of A and P, raises the ARD strictly.  What is left is the case k = 1 of N and D above (for any t,
y): at fixed t + y the ratio, where above 1, grows with ty, up to t = y; there it is (2-3t)/((1-t)^2 (2-t)), largest
at t = 1 - 1/sqrt(3).  It is the limit of hooks with these t, y.

Proof of 4.  ARD_n(x) = (1 - 1/n) N/(D - (2 - A - B)/n) with N, D, A, B of the population x/n.  Let L be the largest
value of populations.  Rounded population maxima show that the largest ARD has liminf >= L > 1.  Suppose there are
maximizers x^(n) that are no hooks, for infinitely many n.  A subsequence of x^(n)/n converges to a population X,
which is not a single cell by (I2); so ARD(X) = L and X is as in Theorem 1; let row 1, column 1 be its cross.  Then
x^(n) has a positive cell (i,j) off this cross.  Moving a point from it to the corner leaves no line empty for large
n, as u, v > 0, and by (I3) the gain, divided by n, tends to at least
    beta (a_H - a_L) + alpha (b_H - b_L) - w = mu - beta v - alpha u > 0   (dA dB is positive).
So x^(n) is no maximizer.  By continuity the largest ARD tends to L.  QED

Not claimed: that the local maximum is unique for r != s.  `LIMITS` has the values that a search found for r, s <= 10;
they are proved for r = s, and lower bounds otherwise.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from confmat.conjectures.claims.hooks import largest_hook_ard
from proofs import require, require_equal

# (r, s): largest ARD, arm total t and leg total y of the best hook, for r <= s
LIMITS = {
    (2, 2): (1.107813, 0.17135, 0.17135),
    (2, 3): (1.131391, 0.21887, 0.18577),
    (2, 4): (1.142219, 0.24171, 0.19176),
    (2, 5): (1.148461, 0.25516, 0.19507),
    (2, 6): (1.152525, 0.26403, 0.19716),
    (2, 7): (1.155383, 0.27032, 0.19861),
    (2, 8): (1.157503, 0.27501, 0.19967),
    (2, 9): (1.159138, 0.27865, 0.20048),
    (2, 10): (1.160438, 0.28154, 0.20112),
    (3, 3): (1.166424, 0.24093, 0.24093),
    (3, 4): (1.183494, 0.26801, 0.25045),
    (3, 5): (1.193644, 0.28413, 0.25580),
    (3, 6): (1.200382, 0.29483, 0.25923),
    (3, 7): (1.205183, 0.30246, 0.26162),
    (3, 8): (1.208778, 0.30817, 0.26338),
    (3, 9): (1.211572, 0.31260, 0.26474),
    (3, 10): (1.213806, 0.31614, 0.26581),
    (4, 4): (1.204221, 0.27958, 0.27958),
    (4, 5): (1.216752, 0.29703, 0.28614),
    (4, 6): (1.225161, 0.30865, 0.29038),
    (4, 7): (1.231197, 0.31696, 0.29335),
    (4, 8): (1.235744, 0.32319, 0.29555),
    (4, 9): (1.239291, 0.32804, 0.29724),
    (4, 10): (1.242137, 0.33192, 0.29858),
    (5, 5): (1.230871, 0.30439, 0.30439),
    (5, 6): (1.24041, 0.31659, 0.30917),
    (5, 7): (1.247293, 0.32531, 0.31253),
    (5, 8): (1.252494, 0.33187, 0.31501),
    (5, 9): (1.256565, 0.33698, 0.31693),
    (5, 10): (1.259837, 0.34107, 0.31846),
    (6, 6): (1.250763, 0.32175, 0.32175),
    (6, 7): (1.258258, 0.33076, 0.32538),
    (6, 8): (1.263937, 0.33754, 0.32808),
    (6, 9): (1.26839, 0.34282, 0.33016),
    (6, 10): (1.271976, 0.34705, 0.33182),
    (7, 7): (1.266216, 0.33460, 0.33460),
    (7, 8): (1.272258, 0.34154, 0.33745),
    (7, 9): (1.277003, 0.34695, 0.33966),
    (7, 10): (1.280828, 0.35129, 0.34142),
    (8, 8): (1.278585, 0.34452, 0.34452),
    (8, 9): (1.283559, 0.35003, 0.34682),
    (8, 10): (1.287573, 0.35444, 0.34865),
    (9, 9): (1.288718, 0.35240, 0.35240),
    (9, 10): (1.292885, 0.35689, 0.35430),
    (10, 10): (1.297178, 0.35883, 0.35883),
}

SHAPES_TRIED = ((2, 2), (2, 3), (2, 5), (3, 3), (3, 4), (4, 4), (3, 6))
STARTS = 8


def parts(t: Any, y: Any, r: Any, s: Any) -> tuple[Any, Any, Any]:
    """A, B, P of a hook with arm total t over s - 1 cells and leg total y over r - 1 cells."""
    leg, arm = y**2 / (r - 1), t**2 / (s - 1)
    return (1 - y) ** 2 + leg, (1 - t) ** 2 + arm, (1 - t - y) ** 2 + leg + arm


def ard(A: Any, B: Any, P: Any) -> Any:
    """The ARD of a population."""
    return (A + B - 2 * P) / (A + B - 2 * A * B)


def check_untruncated() -> None:
    """(1) and (4): the gradient, and the table x_ij = a_i/s + b_j/r - 1/(rs)."""
    import sympy as sp

    r, s, A, B, x, l, a, b = sp.symbols("r s A B x l a b", positive=True)
    # the derivatives of A, B, P at a cell are 2 a_i, 2 b_j, 2 x_ij
    half = sp.Rational(1, 2)
    alpha, beta = half + l * (A - half), half + l * (B - half)
    slope = (2 * a + 2 * b - 4 * x) - l * (2 * a + 2 * b - 4 * a * B - 4 * A * b)
    require_equal(slope, 4 * (beta * a + alpha * b - x), "(1)")

    R, S = 1 - 2 / r, 1 - 2 / s
    P = A / s + B / r - 1 / (r * s)
    solved = {A: half - R / (2 * l), B: half - S / (2 * l)}
    require_equal(beta.subs(solved), 1 / s, "(4): beta = 1/s")
    require_equal(alpha.subs(solved), 1 / r, "(4): alpha = 1/r")
    equation = l * (A + B - 2 * A * B) - (A + B - 2 * P)
    require_equal(2 * l * equation.subs(solved), (l - 1) * (l - R * S), "(4)")


def check_two_variables() -> None:
    """Theorems 2 and 3: the slope at fixed t + y, the cubic, its signs, and the limit."""
    import sympy as sp

    k, total, t, z, l = sp.symbols("k total t z l", positive=True)
    y = total - t
    c = k - 1
    # at fixed t + y: substitute t (t + y - t) for ty
    A, B = 1 - 2 * y + k * y**2, 1 - 2 * t + k * t**2
    P = (1 - total) ** 2 + c * (t**2 + y**2)
    N, D = A + B - 2 * P, A + B - 2 * A * B
    for name, expression, claimed in (
        ("N", N, -2 * (2 - k)),
        ("D", D, -2 * (2 - k) - 4 * (1 - k * t) * (1 - k * y)),
    ):
        require_equal(
            sp.diff(expression, t), claimed * sp.diff(t * y, t), f"the slope of {name} in ty at fixed t + y"
        )
    dN, dD = -2 * (2 - k), -2 * (2 - k) - 4 * (1 - k * t) * (1 - k * y)
    require_equal(
        dN - l * dD, 2 * (l - 1) * (2 - k) + 4 * l * (1 - k * t) * (1 - k * y), "the slope of N/D in ty"
    )
    same = (N / D).subs(total, 2 * t)
    require_equal(same, (2 - (2 + k) * t) / ((1 - 2 * t + k * t**2) * (2 - k * t)), "t = y")
    h = (1 + 2 / k) * z**3 - (5 + 4 / k) * z**2 + 8 * z - 2
    slope = sp.numer(sp.together(sp.diff((2 - (2 + k) * t) / ((1 - 2 * t + k * t**2) * (2 - k * t)), t)))
    require_equal(slope, -2 * h.subs(z, k * t), "the derivative on t = y")
    require_equal(h.subs(z, 1), 2 - 2 / k, "h(1)")
    require_equal(sp.diff(h, z).subs(z, 0), 8, "h'(0)")
    require_equal(sp.diff(h, z).subs(z, 1), 1 - 2 / k, "h'(1) <= 0 for k <= 2")
    require_equal(sp.diff(h, z, 3), 6 + 12 / k, "h' is convex")

    limit = same.subs(k, 1)
    require_equal(limit, (2 - 3 * t) / ((1 - t) ** 2 * (2 - t)), "many clusters")
    at = 1 - 1 / sp.sqrt(3)
    require(sp.simplify(h.subs({k: 1, z: at})) == 0, "the root for k = 1")
    require(sp.simplify(limit.subs(t, at) - (6 * sp.sqrt(3) - 9)) == 0, "6 sqrt(3) - 9")


def check_integers() -> None:
    """Theorem 4: the ARD of a table from its population, and the gain of moving a point to the corner."""
    import sympy as sp

    n, A, B, P, w, u, v, aH, bH, alpha, beta, mu = sp.symbols("n A B P w u v aH bH alpha beta mu")
    M = n * (n - 1) / 2
    a, b, p = ((n**2 * x - n) / 2 for x in (A, B, P))
    table = M * (a + b - 2 * p) / (M * (a + b) - 2 * a * b)
    N, D = A + B - 2 * P, A + B - 2 * A * B
    require_equal(table, (1 - 1 / n) * N / (D - (2 - A - B) / n), "ARD of a table")
    gain = beta * (aH - v) + alpha * (bH - u) - w
    require_equal(gain.subs(w, beta * aH + alpha * bH - mu), mu - beta * v - alpha * u, "the gain per n")


def check_limits() -> None:
    """Values, the root of the cubic for r = s, a grid for the others, growth with the shape, and large tables."""
    import numpy as np
    import sympy as sp

    t = sp.Symbol("t")
    grid = np.linspace(0, 1, 201)
    arm, leg = (x[grid[:, None] + grid[None, :] < 1] for x in np.meshgrid(grid, grid, indexing="ij"))
    for (r, s), (value, *totals) in LIMITS.items():
        where = [Fraction(str(x)) for x in totals]
        exact = ard(*parts(*where, Fraction(r), Fraction(s)))
        require(
            abs(exact - Fraction(str(value))) < Fraction(1, 10**6), f"the value at {(r, s)}: {float(exact)}"
        )
        require(value < 1.392305, f"below 6 sqrt(3) - 9 at {(r, s)}")
        with np.errstate(invalid="ignore", divide="ignore"):
            tried = ard(*parts(arm, leg, r, s))
        require(np.nanmax(tried) <= value + 1e-6, f"no hook of a grid is better at {(r, s)}")
        if r == s:
            k = sp.Rational(r, r - 1)
            z = k * t
            cubic = sp.Poly((1 + 2 / k) * z**3 - (5 + 4 / k) * z**2 + 8 * z - 2, t)
            require(cubic.count_roots(0, 1 / k) == 1, f"one root at {(r, r)}")
            below, above = (cubic.eval(sp.Rational(str(totals[0])) + sp.Rational(e, 10**4)) for e in (-1, 1))
            require(totals[0] == totals[1] and below < 0 < above, f"the root at {(r, r)}")
        for larger in ((r + 1, s), (r, s + 1)):
            require(
                LIMITS.get(tuple(sorted(larger)), (2,))[0] > value, f"larger shapes than {(r, s)} have more"
            )  # type: ignore[arg-type]
    for shape in ((2, 2), (2, 4), (3, 3), (4, 5)):
        errors = [abs(float(largest_hook_ard(n, *shape) or 0) - LIMITS[shape][0]) for n in (100, 400)]
        require(errors[0] < 0.1 and errors[1] < errors[0] / 3, f"hooks of many points approach it: {shape}")


def local_maxima(shape: tuple[int, int], starts: int) -> list[tuple[float, float]]:
    """Value and weight off the cross of the local maxima that random starts lead to (entries are squares, scaled)."""
    import numpy as np
    from scipy.optimize import minimize

    rng = np.random.default_rng(shape)

    def objective(root: Any) -> tuple[float, Any]:
        x = (root**2).reshape(shape)
        scale = x.sum()
        x = x / scale
        a, b = x.sum(1, keepdims=True), x.sum(0, keepdims=True)
        A, B = (a * a).sum(), (b * b).sum()
        N, D = A + B - 2 * (x * x).sum(), A + B - 2 * A * B
        slope = (2 * a + 2 * b - 4 * x) / D - N / D**2 * (2 * a + 2 * b - 4 * a * B - 4 * A * b)
        slope = slope - (slope * x).sum()
        return -N / D, -(slope.ravel() * 2 * root / scale)

    found = []
    for _ in range(starts):
        start = np.sqrt(rng.dirichlet(np.full(shape[0] * shape[1], rng.choice([0.3, 1.0, 3.0]))) + 1e-6)
        end = minimize(
            objective,
            start,
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 3000, "ftol": 1e-15, "gtol": 1e-10},
        )
        x = (end.x**2 / (end.x @ end.x)).reshape(shape)
        i, j = x.sum(1).argmax(), x.sum(0).argmax()
        found.append((-end.fun, 1 - x[i].sum() - x[:, j].sum() + x[i, j]))
    return found


def verify() -> str:
    """The algebra, the table of limits, and local maxima from random starts."""
    check_untruncated()
    check_two_variables()
    check_integers()
    check_limits()
    ends = 0
    for shape in SHAPES_TRIED:
        for value, off in local_maxima(shape, STARTS):
            if value > 1.0001:
                require(
                    abs(value - LIMITS[shape][0]) < 1e-6 and off < 1e-4, f"a local maximum {value} at {shape}"
                )
                ends += 1
    require(ends > len(SHAPES_TRIED) * STARTS / 2, "most random starts lead to a local maximum above 1")
    return f"algebra; limits for {len(LIMITS)} shapes; {ends} local maxima from random starts, all of them this hook"
