"""A bound of the upper tail of P that holds at any size and depth, evaluated in interval arithmetic."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import lgamma, log
from typing import Any

import numpy as np

MOST_INTERVAL_TERMS = 3 * 10**5  # of sums in interval arithmetic, some 10 microseconds each


def pair_tail_bound(rows: Sequence[int], cols: Sequence[int], t: int) -> float | None:
    """log10 of a number that P(P >= t) does not exceed, at positive margins with labels permuted at random.

    Statement `pair-tail-bound`: P(P >= t) <= prod r_i! prod c_j!/n! exp(-theta t - u.r - v.c) times the product over
    cells of the sum over x <= min(r_i, c_j) of exp((u_i + v_j) x + theta C(x, 2))/x!, for any theta >= 0, u and v.
    The multipliers are optimised in doubles, then the bound is evaluated at them with intervals of 30 digits and
    rounded up: it does not rest on the optimisation.  Equal clusters share a multiplier (the bound is convex in them).
    None where that takes more than ``MOST_INTERVAL_TERMS`` terms.  It is far from sharp where clusters are small (each
    margin costs about the square root of its size) or where tables with t pairs are a mixture of fewer and more (0
    then).

    >>> round(pair_tail_bound([30] * 3, [30] * 3, 1305), 2)  # the exact tail is 10^-40.12
    -38.41
    """
    sides = [Counter(rows), Counter(cols)]
    terms = sum(min(a, b) + 1 for a, b in product(*sides))
    if terms > MOST_INTERVAL_TERMS:
        return None
    u, v, theta = _multipliers(sides, t)
    return _evaluate(sides, t, u, v, theta)


def _multipliers(sides: list[Counter[int]], t: int) -> tuple[np.ndarray, np.ndarray, float]:
    """u and v of the distinct sizes, and theta, that make the bound small."""
    # reads: a function and its gradient, term by term as in the statement
    from scipy.optimize import minimize

    (sizes, copies), (others, times) = ([np.array(x, float) for x in zip(*side.items())] for side in sides)
    n = float(sizes @ copies)
    terms = [[np.arange(min(a, b) + 1.0) for b in sides[1]] for a in sides[0]]
    logs = np.array([lgamma(k + 1) for k in range(int(max(sizes.max(), others.max())) + 1)])
    unit = 1 / max(sizes.max(), others.max())

    def objective(point: np.ndarray) -> tuple[float, np.ndarray]:
        u = point[: len(sizes)]
        v = point[len(sizes) : -1]
        theta = point[-1] * unit
        value = -theta * t - u @ (sizes * copies) - v @ (others * times)
        of_u = -sizes * copies
        of_v = -others * times
        of_theta = -float(t)
        for i, line in enumerate(terms):
            for j, x in enumerate(line):
                exponents = (u[i] + v[j]) * x + theta * x * (x - 1) / 2 - logs[: len(x)]
                top = exponents.max()
                weights = np.exp(exponents - top)
                total = weights.sum()
                cells = copies[i] * times[j]
                value += cells * (top + log(total))
                mean = cells * (weights @ x) / total
                of_u[i] += mean
                of_v[j] += mean
                of_theta += cells * (weights @ (x * (x - 1) / 2)) / total
        return value / n, np.concatenate([of_u, of_v, [of_theta * unit]]) / n

    start = np.concatenate(
        [
            np.log(sizes / n),
            np.log(others),
            [0.0],
        ]
    )
    bounds: list[Any] = [(None, None)] * (len(start) - 1) + [(0, None)]
    options: Any = {"maxiter": 2000, "maxfun": 4000, "ftol": 1e-13, "gtol": 1e-9, "maxcor": 30}
    best = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    return best[: len(sizes)], best[len(sizes) : -1], max(0.0, float(best[-1] * unit))


def _evaluate(sides: list[Counter[int]], t: int, u: np.ndarray, v: np.ndarray, theta: float) -> float:
    """The bound at these multipliers, whatever they are: log10, rounded up."""
    from mpmath import iv

    iv.dps = 30
    n = sum(size * copies for size, copies in sides[0].items())
    tilt = iv.mpf(theta)
    value = -_log_factorial(n) - tilt * t
    for side, multipliers in zip(sides, (u, v)):
        for (size, copies), multiplier in zip(side.items(), multipliers.tolist()):
            value += copies * (_log_factorial(size) - iv.mpf(multiplier) * size)
    for (a, copies), ua in zip(sides[0].items(), u.tolist()):
        for (b, times), vb in zip(sides[1].items(), v.tolist()):
            # term of x + 1 over term of x: exp(w + theta x)/(x + 1)
            factor = iv.exp(iv.mpf(ua) + iv.mpf(vb))
            step = iv.exp(tilt)
            term = total = iv.mpf(1)
            for x in range(min(a, b)):
                term = term * factor / (x + 1)
                factor = factor * step
                total += term
            value += copies * times * iv.log(total)
    bound = (value / iv.log(10)).b
    return min(0.0, float(np.nextafter(float(bound), np.inf)))


def _log_factorial(n: int):  # type: ignore[no-untyped-def]  # an interval of mpmath
    from mpmath import iv

    return sum(
        (iv.log(k) for k in range(2, n + 1)),
        iv.mpf(0),
    )
