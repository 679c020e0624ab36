"""Degree of concordance of two soft clusterings (Huellermeier et al. 2012), and its adjustment for chance.

Objects i and j are equivalent in U to the degree E_U(i, j) = 1 - (1/2) sum_k |u_ik - u_jk|. U and V are concordant
on the pair to the degree ``1 - |E_U - E_V|``. In contrast to the other fuzzy Rand indices, the index of a
clustering with itself is 1.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from confmat.indices.soft.memberships import (
    FuzzyPairCounts,
    Memberships,
    SoftNumber,
    as_pair_of_memberships,
    pair_blocks,
    sums_over_pairs,
    total,
)

ROUNDOFF = 1e-14


def equivalence(u: np.ndarray, i: np.ndarray, j: np.ndarray, one: Any) -> np.ndarray:
    """Return the equivalences E_U of some pairs of objects (i, j), in units of ``one``.

    E_U is 1 - half the sum over k of |u_ik - u_jk|. If the memberships ``u`` (K x n) are integers, so are the
    values, because both rows have the same sum.

    >>> equivalence(np.array([[2, 0, 1], [0, 2, 1]]), np.array([0, 0]), np.array([1, 2]), 2)
    array([0, 1])
    """
    distance = np.zeros(np.broadcast_shapes(i.shape, j.shape), dtype=u.dtype)
    for row in u:
        distance += abs(row[i] - row[j])
    if not isinstance(one, float):
        return one - distance // 2
    return np.maximum(1 - distance / 2, 0)  # it can be below 0 if row sums exceed 1 within the tolerance


def ndc(U: Memberships, V: Memberships, *, exact: bool = False) -> SoftNumber:
    """Return the normalised degree of concordance (NDC), 1 - mean ``|E_U - E_V|`` over the pairs.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.

    Returns
    -------
    float or Fraction
        From 0 to 1. It is 1 for U = V and for n <= 1, and the Rand index for hard labels (statement `ndc-crisp`).

    Notes
    -----
    1 - NDC is a pseudo-metric. Time O(n^2 (K + L)), without an n x n array.

    References
    ----------
    Huellermeier et al. (2012).

    Examples
    --------
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> round(ndc(P, Q), 4)
    0.6367
    >>> ndc([0, 0, 1], [0, 1, 1], exact=True)
    Fraction(1, 3)
    """
    u, v, unity = as_pair_of_memberships(U, V, exact=exact)
    n = u.shape[1]

    def distances(i: np.ndarray, j: np.ndarray) -> list[np.ndarray]:
        return [abs(equivalence(u, i, j, unity) - equivalence(v, i, j, unity))]

    (distance,) = sums_over_pairs(n, distances, exact)
    pairs = max(1, math.comb(n, 2))  # unity object: the sum over its pairs is 0
    return 1 - distance / (pairs * unity)


def huellermeier_pairs(U: Memberships, V: Memberships, *, exact: bool = False) -> FuzzyPairCounts:
    """Return the pair counts of Huellermeier et al. (2012) with the product t-norm.

    A pair of objects has the equivalence e = E_U in U and f = E_V in V. It adds ``(1 - |e - f|) e f`` to the count a
    and ``(1 - |e - f|)(1 - e f)`` to d. It adds max(e - f, 0) to b and max(f - e, 0) to c. The Rand index of these
    counts is the NDC. Their adjusted Rand index is not an adjustment for chance, see `aci`.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.

    Returns
    -------
    FuzzyPairCounts

    Notes
    -----
    Time O(n^2 (K + L)).

    Examples
    --------
    >>> huellermeier_pairs([0, 0, 1, 0], [0, 1, 1, 0])
    FuzzyPairCounts(a=1.0, b=2.0, c=1.0, d=2.0, pairs=6)
    """
    u, v, unity = as_pair_of_memberships(U, V, exact=exact)
    n = u.shape[1]

    def degrees(i: np.ndarray, j: np.ndarray) -> tuple[Any, ...]:
        return huellermeier_degrees(
            equivalence(u, i, j, unity),
            equivalence(v, i, j, unity),
            unity,
        )

    a, b, c = sums_over_pairs(n, degrees, exact)
    a /= unity**3
    b /= unity
    c /= unity
    pairs = math.comb(n, 2)
    return FuzzyPairCounts(a, b, c, pairs - a - b - c, pairs)


def huellermeier_degrees(e: Any, f: Any, one: Any) -> tuple[Any, Any, Any]:
    """Return three arrays: the terms that some pairs of objects add to the counts a, b and c of `huellermeier_pairs`.

    e and f are the equivalences of these pairs in U and in V, in units of ``one``. The terms of a are in units of
    ``one``^3.

    >>> huellermeier_degrees(np.array([2]), np.array([1]), 2)
    (array([2]), array([1]), array([0]))
    """
    both = (one - abs(e - f)) * e * f
    return both, np.maximum(e - f, 0), np.maximum(f - e, 0)


# The adjustment: the mean NDC over all relabelings of the pairs.


def _equivalences(u: np.ndarray, v: np.ndarray, unity: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the equivalences E_U and E_V of all pairs of objects, two arrays in the same order of pairs.

    ``u`` and ``v`` are the memberships (K x n and L x n) in units of ``unity``.
    """
    pairs = math.comb(u.shape[1], 2)
    e = np.empty(pairs, dtype=u.dtype)
    f = np.empty(pairs, dtype=v.dtype)
    start = 0
    for i, j in pair_blocks(u.shape[1]):
        block = equivalence(u, i, j, unity).ravel()
        stop = start + len(block)
        e[start:stop] = block
        f[start:stop] = equivalence(v, i, j, unity).ravel()
        start = stop
    return e, f


def distances_to_all(values: np.ndarray, other_values: np.ndarray) -> np.ndarray:
    """Return, for each x of ``values``, the sum of |x - y| over all y of ``other_values``.

    >>> distances_to_all(np.array([0, 3]), np.array([1, 2]))
    array([3, 3])
    """
    ascending = np.sort(other_values)
    running_sums = np.concatenate(
        [
            ascending[:1] * 0,
            np.cumsum(ascending),
        ]
    )
    smaller = np.searchsorted(ascending, values)
    to_smaller = values * smaller - running_sums[smaller]
    number_larger = len(ascending) - smaller
    to_larger = running_sums[-1] - running_sums[smaller] - values * number_larger
    return to_smaller + to_larger


def _exact_mean_difference(e: np.ndarray, f: np.ndarray) -> Fraction:
    """Return the mean of |e_i - f_j| over all i and j as a Fraction, for integer arrays."""
    return Fraction(
        int(distances_to_all(e, f).sum(dtype=object)),
        len(e) ** 2,
    )


def expected_ndc(U: Memberships, V: Memberships, *, exact: bool = False) -> SoftNumber:
    """Return the mean of the NDC over all permutations of the pairs of objects of V.

    The NDC is the normalised degree of concordance (`ndc`). There are m = n(n-1)/2 pairs. The mean is
    ``1 - (1/m^2) sum_{i,j} |e_i - f_j|``, where e and f are the equivalences of the pairs in U and in V (statement
    `ndc-mean`).

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.

    Returns
    -------
    float or Fraction
        1 for n <= 1.

    Notes
    -----
    Time O(m log m) by sorting, memory 16 m bytes (3.2 GB for n = 20 000).

    Examples
    --------
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> round(expected_ndc(P, Q), 4)
    0.6972
    """
    return 1 - _distances_of(U, V, exact)[1]


def _distances_of(U: Memberships, V: Memberships, exact: bool) -> tuple[SoftNumber, SoftNumber]:
    """Return the two means of `mean_distances`, for memberships that are not yet validated."""
    return mean_distances(*as_pair_of_memberships(U, V, exact=exact))


def mean_distances(u: np.ndarray, v: np.ndarray, one: Any) -> tuple[SoftNumber, SoftNumber]:
    """Return two means of |e - f|, where e and f are the equivalences of a pair of objects in U and of one in V.

    The equivalence of two objects is 1 - half the sum of the differences of their memberships. In the first mean
    both pairs are the same. The second mean is over all combinations of a pair in U and a pair in V. ``u`` and
    ``v`` are the memberships in units of ``one``. The means are divided by ``one``, and lie between 0 and 1.

    >>> mean_distances(np.array([[2, 0, 1], [0, 2, 1]]), np.array([[2, 2, 0], [0, 0, 2]]), 2)
    (Fraction(2, 3), Fraction(4, 9))
    """
    exact = not isinstance(one, float)
    if u.shape[1] < 2:
        nothing = total([], exact)
        return nothing, nothing
    e, f = _equivalences(u, v, one)
    step = 1 << 20
    parts = []
    for k in range(0, len(e), step):
        differences = e[k : k + step] - f[k : k + step]
        parts.append(abs(differences).sum())
    observed_mean = total(parts, exact) / (len(e) * one)
    if exact:
        return observed_mean, _exact_mean_difference(e, f) / one
    from confmat.indices.soft.merge import mean_absolute_difference  # Numba: only when needed

    e.sort()
    f.sort()
    return observed_mean, float(mean_absolute_difference(e, f))


def aci(
    U: Memberships,
    V: Memberships,
    *,
    exact: bool = False,
) -> SoftNumber:
    """Return the adjusted concordance index (ACI), (NDC - E)/(1 - E) with E = `expected_ndc`.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.

    Returns
    -------
    float or Fraction
        At most 1. It is 1 for U = V, and also if it is 0/0: U and V agree on every pair then. It is the adjusted
        Rand index for hard labels (statement `aci-crisp`).

    Notes
    -----
    Time and memory of `expected_ndc`.

    References
    ----------
    Amodio et al. (2015).

    Examples
    --------
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> round(aci(P, Q), 4)
    -0.2
    >>> aci([0, 0, 1, 0], [0, 1, 1, 0], exact=True)
    Fraction(0, 1)
    """
    distance, mean_distance = _distances_of(U, V, exact)
    if mean_distance <= (0 if exact else ROUNDOFF):
        return Fraction(1) if exact else 1.0
    return 1 - distance / mean_distance
