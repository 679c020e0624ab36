"""Fuzzy pair counts a, b, c, d by several authors, and their Rand indices.

Every definition replaces "i and j are together" by a degree, and adds degrees over the pairs i < j. For hard labels
all definitions are the ordinary counts. Only the Rand index of Huellermeier is 1 for each U = V, because a soft
membership can disagree with itself. ``U`` and ``V`` are (n, K) and (n, L) memberships or n hard labels.
"""

import inspect
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any, Protocol

import numpy as np

from confmat.indices.metadata import named_after
from confmat.indices.soft.memberships import (
    FuzzyPairCounts,
    Memberships,
    SoftNumber,
    as_pair_of_memberships,
    sums_over_pairs,
)
from confmat.indices.undefined import Undefined, check_undefined

_ROUNDOFF = 1e-14


def pair_counts(counts: Iterable[Any], unit: Any, pairs: int, exact: bool) -> FuzzyPairCounts:
    """Return the `FuzzyPairCounts` with the sums a, b, c and d in ``counts``, which are divided by ``unit``.

    ``pairs`` is the number of pairs of objects. With ``exact`` the counts are Fractions. A float of at most 1e-14
    for each pair is a rounding error and becomes 0. Otherwise an index that is 0/0 would have a value.

    >>> pair_counts((4, 2, 2, 4), 2, 6, exact=False)
    FuzzyPairCounts(a=2.0, b=1.0, c=1.0, d=2.0, pairs=6)
    """
    if exact:
        a, b, c, d = (Fraction(x) / unit for x in counts)
        return FuzzyPairCounts(a, b, c, d, pairs)
    floats = np.array([float(x) for x in counts]) / float(unit)
    floats[abs(floats) <= _ROUNDOFF * pairs] = 0.0
    a, b, c, d = floats.tolist()
    return FuzzyPairCounts(a, b, c, d, pairs)


class SoftIndex(Protocol):
    """Protocol of a soft index: a function of two memberships, and of the options of its pair counts."""

    def __call__(
        self, U: Memberships, V: Memberships, *, undefined: Undefined = "raise", **options: Any
    ) -> SoftNumber: ...


def index_of_pairs(
    pairs: Callable[..., FuzzyPairCounts],
) -> Callable[[Callable[[FuzzyPairCounts, Undefined], SoftNumber]], SoftIndex]:
    """Return a decorator that turns a formula of pair counts into an index of two memberships.

    ``pairs`` computes the pair counts. The arguments of the index are those of ``pairs``, and ``undefined``.
    """

    def of_formula(formula: Callable[[FuzzyPairCounts, Undefined], SoftNumber]) -> SoftIndex:
        def index(
            U: Memberships, V: Memberships, *, undefined: Undefined = "raise", **options: Any
        ) -> SoftNumber:
            check_undefined(undefined)  # before the work
            return formula(pairs(U, V, **options), undefined)

        undefined_parameter = inspect.signature(index).parameters["undefined"]
        parameters = [*inspect.signature(pairs).parameters.values(), undefined_parameter]
        return named_after(formula, index, parameters)

    return of_formula


# Anderson et al. (2010) and Flynt et al. (2019): the pair counts of the table U'V.


def table_pairs(table: Any, *, exact: bool = False) -> FuzzyPairCounts:
    """Return the pair counts of a contingency table of real masses.

    Let n be the sum of the table p, and S the sum of all p[i, j]^2. Then a = (S - n)/2, b = (sum p[i, .]^2 - S)/2 and
    c = (sum p[., j]^2 - S)/2. d is n(n-1)/2 - a - b - c.

    Parameters
    ----------
    table : array_like, shape (r, s)
        Numbers that are at least 0.
    exact : bool
        Calculate with Fractions. Default: False.

    Returns
    -------
    FuzzyPairCounts
        ``a`` can be negative if many masses are small. ``pairs`` is that of the rounded n.

    References
    ----------
    Flynt, Dean and Nugent (2019), Section 3.3.

    Examples
    --------
    >>> round(table_pairs([[39.569, 10.431], [11.825, 38.175]]).adjusted_rand(), 3)  # Flynt's Table 5
    0.301
    >>> table_pairs([[42, 8], [9, 41]], exact=True).rand()  # Table 2
    Fraction(3539, 4950)
    """
    p: Any = np.asarray(table, dtype=object if exact else np.float64)
    if p.ndim != 2:
        raise ValueError(f"table must have two dimensions, got {p.ndim}")
    if exact:
        p = np.vectorize(Fraction, otypes=[object])(p) if p.size else p
    for i, j in np.argwhere(~(p >= 0)):
        raise ValueError(f"table[{i}, {j}] must be a number >= 0, got {p[i, j]}")
    n: Any = p.sum()
    of_cells = (p**2).sum()
    of_rows = (p.sum(axis=1) ** 2).sum()
    of_columns = (p.sum(axis=0) ** 2).sum()
    d = of_cells + n * n - of_rows - of_columns
    objects = round(n)
    pairs = objects * (objects - 1) // 2
    return pair_counts(
        (
            of_cells - n,
            of_rows - of_cells,
            of_columns - of_cells,
            d,
        ),
        2,
        pairs,
        exact,
    )


def anderson_pairs(U: Memberships, V: Memberships, *, exact: bool = False) -> FuzzyPairCounts:
    """Return the pair counts of Anderson, Bezdek, Popescu and Keller (2010): those of the table U'V.

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
    Time O(nKL).

    Examples
    --------
    >>> anderson_pairs([[0.5, 0.5], [1, 0]], [0, 1])
    FuzzyPairCounts(a=-0.25, b=0.5, c=0.25, d=0.5, pairs=1)
    """
    u, v, unity = as_pair_of_memberships(U, V, exact=exact)
    table: Any = u @ v.T
    if exact:
        table = np.array([[Fraction(int(x), unity * unity) for x in row] for row in table], dtype=object)
    return table_pairs(table, exact=exact)


@index_of_pairs(anderson_pairs)
def anderson_rand(counts: FuzzyPairCounts, undefined: Undefined) -> SoftNumber:
    """Return the Rand index of Anderson et al. (2010), from the counts of ``anderson_pairs(U, V)``.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        Can be outside [0, 1], and is below 1 if U = V is not hard.

    Examples
    --------
    >>> anderson_rand([[0.5, 0.5], [1, 0]], [0, 1])
    0.25
    """
    return counts.rand(undefined)


@index_of_pairs(anderson_pairs)
def anderson_adjusted_rand(counts: FuzzyPairCounts, undefined: Undefined) -> SoftNumber:
    """Return the adjusted Rand index of Anderson et al. (2010), from the counts of ``anderson_pairs(U, V)``.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        Below 1 for a soft U = V. It is ``sari`` if rows sum to 1.

    Examples
    --------
    >>> anderson_adjusted_rand([0, 0, 1, 1], [[1, 0], [0.5, 0.5], [0, 1], [0, 1]], exact=True)
    Fraction(4, 11)
    """
    return counts.adjusted_rand(undefined)


def sari(
    U: Memberships, V: Memberships, *, exact: bool = False, undefined: Undefined = "raise"
) -> SoftNumber:
    """Return the soft adjusted Rand index (sARI).

    It is the adjusted Rand index of the table U'V of masses, and equal to ``anderson_adjusted_rand``.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        At most 1 for hard labels. It is below 1 if U = V is not hard.

    Notes
    -----
    Time O(nKL). Equation 3 of the paper is misprinted: it has a sum in place of the product of the two terms of
    margins.

    References
    ----------
    Flynt, Dean and Nugent (2019), equation 5.

    Examples
    --------
    >>> round(sari([0, 0, 1, 1], [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0, 1]]), 6)
    0.235
    >>> sari([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return anderson_pairs(U, V, exact=exact).adjusted_rand(undefined)


# Brouwer (2009) and Frigui et al. (2007): "together" is the cosine, or the inner product, of two rows.


def _bonding_pairs(u: np.ndarray, v: np.ndarray, unity: Any, exact: bool) -> FuzzyPairCounts:
    """Return the pair counts if objects i and j are together to the degree u_i.u_j in U, and v_i.v_j in V.

    These are inner products of rows of memberships. The counts are sums of products of the degrees and of their
    complements to 1. No loop over pairs is needed: the sum of products of both degrees over all (i, j) is the sum
    of squares of U'V, and similarly for the others.
    """
    n = u.shape[1]
    pairs = n * (n - 1) // 2
    unit = unity * unity

    def over_pairs(all_ordered: np.ndarray, diagonal: np.ndarray) -> Any:
        if exact:
            return (int(all_ordered.sum()) - int(diagonal.sum())) // 2
        return (float(all_ordered.sum()) - float(diagonal.sum())) / 2

    norms_u = (u * u).sum(axis=0)
    norms_v = (v * v).sum(axis=0)
    a = over_pairs((u @ v.T) ** 2, norms_u * norms_v)
    b = over_pairs(u.sum(axis=1) ** 2, norms_u) * unit - a
    c = over_pairs(v.sum(axis=1) ** 2, norms_v) * unit - a
    d = pairs * unit * unit - a - b - c
    return pair_counts(
        (a, b, c, d),
        unit * unit,
        pairs,
        exact,
    )


def frigui_pairs(U: Memberships, V: Memberships, *, exact: bool = False) -> FuzzyPairCounts:
    """Return the pair counts of Frigui, Hwang and Rhee (2007).

    Objects i and j are together to the degree sum_k u_ik u_jk. The counts are sums of products of these degrees and
    of their complements to 1.

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
    Time O(nKL).

    Examples
    --------
    >>> frigui_pairs([[0.5, 0.5], [1, 0]], [0, 1])
    FuzzyPairCounts(a=0.0, b=0.5, c=0.0, d=0.5, pairs=1)
    """
    return _bonding_pairs(*as_pair_of_memberships(U, V, exact=exact), exact)


@index_of_pairs(frigui_pairs)
def frigui_rand(counts: FuzzyPairCounts, undefined: Undefined) -> SoftNumber:
    """Return the Rand index of Frigui et al. (2007), from the counts of ``frigui_pairs(U, V)``.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        From 0 to 1, and below 1 if U = V is not hard.

    Examples
    --------
    >>> frigui_rand([[0.5, 0.5], [1, 0]], [0, 1])
    0.5
    """
    return counts.rand(undefined)


@index_of_pairs(frigui_pairs)
def frigui_adjusted_rand(counts: FuzzyPairCounts, undefined: Undefined) -> SoftNumber:
    """Return the adjusted Rand index of Frigui et al. (2007), from the counts of ``frigui_pairs(U, V)``.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        Below 1 for a soft U = V.

    Examples
    --------
    >>> frigui_adjusted_rand([0, 0, 1, 1], [[1, 0], [0.5, 0.5], [0, 1], [0, 1]], exact=True)
    Fraction(8, 17)
    """
    return counts.adjusted_rand(undefined)


def brouwer_pairs(U: Memberships, V: Memberships) -> FuzzyPairCounts:
    """Return the pair counts of Brouwer (2009).

    Objects i and j are together to the degree cos(u_i, u_j).

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.

    Returns
    -------
    FuzzyPairCounts
        Floats, because cosines are irrational.

    Notes
    -----
    Time O(nKL).

    Examples
    --------
    >>> brouwer_pairs([[1.0, 0.0], [1.0, 0.0]], [0, 1])
    FuzzyPairCounts(a=0.0, b=1.0, c=0.0, d=0.0, pairs=1)
    """
    u, v, unity = as_pair_of_memberships(U, V)
    return _bonding_pairs(
        u / np.linalg.norm(u, axis=0),
        v / np.linalg.norm(v, axis=0),
        unity,
        exact=False,
    )


@index_of_pairs(brouwer_pairs)
def brouwer_rand(counts: FuzzyPairCounts, undefined: Undefined) -> SoftNumber:
    """Return the Rand index of Brouwer (2009), from the counts of ``brouwer_pairs(U, V)``.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float
        From 0 to 1, and below 1 if U = V is not hard.

    Examples
    --------
    >>> round(brouwer_rand([[0.5, 0.5], [1, 0]], [0, 1]), 6)
    0.292893
    """
    return float(counts.rand(undefined))


@index_of_pairs(brouwer_pairs)
def brouwer_adjusted_rand(counts: FuzzyPairCounts, undefined: Undefined) -> SoftNumber:
    """Return the adjusted Rand index of Brouwer (2009), from the counts of ``brouwer_pairs(U, V)``.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float
        Below 1 for a soft U = V.

    Examples
    --------
    >>> round(brouwer_adjusted_rand([0, 0, 1, 1], [[1, 0], [0.5, 0.5], [0, 1], [0, 1]]), 6)
    0.438533
    """
    return float(counts.adjusted_rand(undefined))


# Campello (2007): fuzzy sets of pairs, intersected by a t-norm.


def campello_pairs(U: Memberships, V: Memberships, *, exact: bool = False) -> FuzzyPairCounts:
    """Return the pair counts of Campello (2007), with the minimum as t-norm.

    Objects i and j are together to the degree S = max_k min(u_ik, u_jk). They are apart to the degree D = max_{k !=
    l} min(u_ik, u_jl). The counts are sums over pairs: a = sum min(S_U, S_V), b = sum min(S_U, D_V), c = sum
    min(D_U, S_V), d = sum min(D_U, D_V).

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
    Time O(n^2 (K + L)), memory O(nK + nL).

    Examples
    --------
    >>> campello_pairs([[0.5, 0.5], [1, 0]], [0, 1])
    FuzzyPairCounts(a=0.0, b=0.5, c=0.0, d=0.5, pairs=1)
    """
    u, v, unity = as_pair_of_memberships(U, V, exact=exact)
    n = u.shape[1]
    largest_others = largest_other(u), largest_other(v)

    def degrees(i: np.ndarray, j: np.ndarray) -> list[Any]:
        of_u = together_and_apart(u, largest_others[0], i, j)
        of_v = together_and_apart(v, largest_others[1], i, j)
        return [np.minimum(x, y) for x, y in product(of_u, of_v)]

    sums = sums_over_pairs(n, degrees, exact)
    return pair_counts(sums, unity, n * (n - 1) // 2, exact)


def largest_other(u: np.ndarray) -> np.ndarray:
    """Return the largest membership of each object in a cluster other than k, for each k, an array (K x n).

    ``u`` are the memberships (K x n). The result is 0 if there is no other cluster.
    """
    return np.array([np.delete(u, k, axis=0).max(axis=0, initial=0) for k in range(len(u))], u.dtype)


def together_and_apart(
    u: np.ndarray, rest: np.ndarray, i: np.ndarray, j: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the degrees to which the objects i and j are together, and apart, for index arrays i and j.

    Two objects are together to the degree max over clusters k of min(u_ki, u_kj). They are apart to the degree max
    over k of min(u_ki, largest membership of j in another cluster than k). ``rest`` has these largest memberships.
    """
    degree_together = degree_apart = np.zeros(np.broadcast_shapes(i.shape, j.shape), dtype=u.dtype)
    for row, largest_elsewhere in zip(u, rest):
        degree_together = np.maximum(degree_together, np.minimum(row[i], row[j]))
        degree_apart = np.maximum(degree_apart, np.minimum(row[i], largest_elsewhere[j]))
    return degree_together, degree_apart


@index_of_pairs(campello_pairs)
def campello_rand(counts: FuzzyPairCounts, undefined: Undefined) -> SoftNumber:
    """Return the Rand index of Campello (2007), from the counts of ``campello_pairs(U, V)``.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        From 0 to 1, and below 1 if U = V is not hard.

    Examples
    --------
    >>> campello_rand([[0.5, 0.5], [1, 0]], [0, 1])
    0.5
    """
    return counts.rand(undefined)


@index_of_pairs(campello_pairs)
def campello_adjusted_rand(counts: FuzzyPairCounts, undefined: Undefined) -> SoftNumber:
    """Return the adjusted Rand index of Campello (2007), from the counts of ``campello_pairs(U, V)``.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    exact : bool
        Calculate with Fractions. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        Below 1 for a soft U = V.

    Examples
    --------
    >>> campello_adjusted_rand([0, 0, 1, 1], [[1, 0], [0.5, 0.5], [0, 1], [0, 1]], exact=True)
    Fraction(8, 17)
    """
    return counts.adjusted_rand(undefined)
