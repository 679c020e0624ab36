"""Every pair of membership matrices on a small rational grid: the least NDC.  Notebook 07 shows it.

A pair (U, V) of n objects, K and L clusters and denominator q has its entries in {0, 1/q, .., 1}.  The order
of the objects changes no index, so a pair is a multiset of n joint rows (u_i, v_i); there are C(R + n - 1,
n) of them with R = C(q+K-1, K-1) C(q+L-1, L-1).  All numbers are integers, and the extremes Fractions.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from confmat._arguments import as_count
from confmat._integers.arrays import compositions
from membership_grids import pairs_of_memberships, without_ties


@dataclass(frozen=True)
class Witness:
    """A pair of membership matrices and what it attains.

    >>> smallest_ndc(3, 2).value
    Fraction(1, 3)
    """

    value: Fraction
    U: tuple[tuple[Fraction, ...], ...]
    V: tuple[tuple[Fraction, ...], ...]


def _ndc_parts(U: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Sum over pairs of objects of |E_U - E_V|, in units of 1/q."""
    i, j = np.triu_indices(U.shape[1], 1)
    distance_u = abs(U[:, i] - U[:, j]).sum(axis=2)
    distance_v = abs(V[:, i] - V[:, j]).sum(axis=2)
    return abs(distance_u - distance_v).sum(axis=1) // 2


def _witness(value: Fraction, U: np.ndarray, V: np.ndarray, q: int) -> Witness:
    def rational(matrix: np.ndarray) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(tuple(Fraction(int(x), q) for x in row) for row in matrix)

    return Witness(value, rational(U), rational(V))


def _largest(
    n: int,
    q: int,
    rows_u: np.ndarray,
    rows_v: np.ndarray,
    values: Callable[..., tuple[np.ndarray, np.ndarray]],
) -> Witness | None:
    """The first pair with the largest numerator/denominator, of those with a positive denominator."""
    best: Witness | None = None
    for U, V in pairs_of_memberships(rows_u, rows_v, n):
        top, bottom = values(U, V)
        # Doubles find the candidates; they are then compared as fractions.
        ratio = np.divide(top, bottom, out=np.full(len(top), -np.inf), where=bottom > 0)
        bound = ratio.max() - 1e-9
        if best is not None:
            bound = max(bound, float(best.value) - 1e-9)
        for t in np.flatnonzero((ratio >= bound) & np.isfinite(ratio)):
            value = Fraction(int(top[t]), int(bottom[t]))
            if best is None or value > best.value:
                best = _witness(value, U[t], V[t], q)
    return best


def smallest_ndc(
    n: int, q: int, clusters: int = 2, classes: int = 2, *, same_hard: bool = False
) -> Witness | None:
    """Smallest NDC of two soft clusterings (the largest is 1, at U = V).

    With ``same_hard`` only pairs whose rows have, without ties, their largest membership in the same column:
    two fuzzy clusterings that harden to one partition.

    >>> smallest_ndc(3, 2).value
    Fraction(1, 3)
    """
    q = as_count("q", q, 1)
    pairs = math.comb(as_count("n", n, 2), 2)
    rows_u, rows_v = compositions(q, clusters), compositions(q, classes)
    if same_hard:
        rows_u, rows_v = without_ties(rows_u), without_ties(rows_v)

    def values(U: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        bottom = np.full(len(U), pairs * q)
        if same_hard:
            bottom[(U.argmax(axis=2) != V.argmax(axis=2)).any(axis=1)] = 0
        return _ndc_parts(U, V) - pairs * q, bottom  # the largest of the negatives

    best = _largest(n, q, rows_u, rows_v, values)
    return None if best is None else Witness(-best.value, best.U, best.V)
