"""Every pair of membership matrices on a small rational grid: the extremes of sARI - ARI and of the NDC.

A pair (U, V) of n objects, K and L clusters and denominator q has its entries in {0, 1/q, .., 1}.  The order
of the objects changes no index, so a pair is a multiset of n joint rows (u_i, v_i); there are C(R + n - 1,
n) of them with R = C(q+K-1, K-1) C(q+L-1, L-1).  All numbers are integers, and the extremes Fractions.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from confmat.classes.memberships import grid_rows
from confmat.conjectures.claims.membership_grids import pairs_of_memberships, without_ties
from confmat.matrices.arguments import as_count


@dataclass(frozen=True)
class Witness:
    """A pair of membership matrices and what it attains.

    >>> largest_excess(3, 3, 2, 2).value
    Fraction(9, 34)
    """

    value: Fraction
    U: tuple[tuple[Fraction, ...], ...]
    V: tuple[tuple[Fraction, ...], ...]


def _harden(rows: np.ndarray, q: int) -> np.ndarray:
    return np.where(rows == rows.max(axis=-1, keepdims=True), q, 0)


def _sari_parts(U: np.ndarray, V: np.ndarray, q: int) -> tuple[np.ndarray, np.ndarray]:
    """Numerator and denominator of sARI of each pair, as integers (sums of table masses in units of 1/q^2).

    With b, c, d >= 0 and a >= -n/2 the denominator can be zero or negative when masses are spread thin.
    """
    table = np.einsum("tik,til->tkl", U, V)
    n = U.shape[1] * q * q
    squares = (table**2).sum(axis=(1, 2))
    rows, columns = (table.sum(axis=2) ** 2).sum(axis=1), (table.sum(axis=1) ** 2).sum(axis=1)
    a, b, c = squares - n * q * q, rows - squares, columns - squares
    d = squares + n * n - rows - columns
    return 2 * (a * d - b * c), (a + b) * (b + d) + (a + c) * (c + d)


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


def largest_excess(
    n: int, q: int, clusters: int = 2, classes: int = 2, soft_v: bool = False
) -> Witness | None:
    """Largest sARI(U, V) - ARI(hard U, hard V) with n objects and denominator q; None if no pair has both.

    U is soft with ``clusters`` columns and no tied rows (a tie has no hard label); V is hard with ``classes``
    columns, or soft without ties too with ``soft_v``.  Pairs for which either index is 0/0, or sARI has a
    denominator <= 0, are left out.

    >>> largest_excess(2, 3) is None or largest_excess(2, 3).value <= 0
    True
    """
    q = as_count("q", q, 1)
    rows_u = without_ties(grid_rows(clusters, q))
    rows_v = without_ties(grid_rows(classes, q)) if soft_v else q * np.eye(classes, dtype=np.int64)

    def values(U: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        top, bottom = _sari_parts(U, V, q)
        hard_top, hard_bottom = _sari_parts(_harden(U, q) // q, _harden(V, q) // q, 1)
        positive = (bottom > 0) & (hard_bottom > 0)
        return top * hard_bottom - hard_top * bottom, np.where(positive, bottom * hard_bottom, 0)

    return _largest(n, q, rows_u, rows_v, values)


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
    rows_u, rows_v = grid_rows(clusters, q), grid_rows(classes, q)
    if same_hard:
        rows_u, rows_v = without_ties(rows_u), without_ties(rows_v)

    def values(U: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        bottom = np.full(len(U), pairs * q)
        if same_hard:
            bottom[(U.argmax(axis=2) != V.argmax(axis=2)).any(axis=1)] = 0
        return _ndc_parts(U, V) - pairs * q, bottom  # the largest of the negatives

    best = _largest(n, q, rows_u, rows_v, values)
    return None if best is None else Witness(-best.value, best.U, best.V)
