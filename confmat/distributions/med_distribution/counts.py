"""Numbers of tables by MED at any n, as values of piecewise quasi-polynomials, and the generating function.

*Counts.* Let k be the weight of the best matching of rows to columns, so that n MED = n - k. The pairs (n, k) with
d k <= n <= (d + 1) k form sector d = 1, ..., s - 1. In it n = alpha d + beta (d + 1) and k = alpha + beta with
integers alpha, beta >= 0. Let L = lcm(1, ..., s - 1). Consider the number of r x s matrices with total n and best
matching k. For alpha, beta >= 1 in given residue classes modulo L it is a polynomial in alpha and beta of total
degree at most r s - 2. On the walls n = d k it is a polynomial in k >= 1 of at most the same degree. Its values on
a small triangular grid follow from the series of the generating function. Newton's formula gives all others, in
integers.

*Proof.* Cut the simplicial cones over the triangulation below along the walls. The new rays are ((j - d) v + (d -
i) w)/gcd for vertices v, w with i < d < j cells. Such a ray ends at a multiple of (n, k) = (d, 1) by a divisor of
L. A half-open cone of the cut has P rays over one wall of its sector and Q over the other, P + Q = r s. Both are
less than r s, because no size has r s independent vertices, except for 1 x 1. The cone therefore contributes p(u,
v)/((1 - u^L)^P (1 - v^L)^Q) with p of degrees at most P L and Q L. The coefficient of u^alpha v^beta has the stated
form, with exceptions only at alpha = 0 or beta = 0.

*Generating function.* For r <= s let

    G(x, y) = sum over all r x s matrices N of non-negative integers of x^n y^k(N),    t_d = x^d y.

G is a rational function with denominator prod (1 - t_d)^e_d, d = 1, ..., s (statement `med-generating-function`).
The reason: {k(N) <= k} is k times the polytope Q = {N >= 0, no matching above 1}. Its vertices are 0 and the
indicators of the non-empty subsets of rows and of columns. All vertices take two values on its facet inequalities.
So pulling 0 triangulates Q into unimodular simplices: 0 with r s independent vertices of one facet "this matching
is 1". A subset of d cells contributes a factor 1 - t_d. The exponent e_d is at most the rank of the d-subsets of
rows and of columns that meet one matching. The polytope is Gorenstein: N - 1 is in the interior if N is in the
closure, and k rises by r + 1. Therefore the numerator is palindromic. Half of it determines the rest, and that half
is enumerated here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations, islice, pairwise, product, repeat
from math import comb, lcm

import numpy as np

from confmat._arguments import as_count
from confmat._integers.arrays import read_only
from confmat.classes import Tables
from confmat.distributions.shapes import as_shape, smaller_shapes

LARGEST_COLUMNS = {1: 5, 2: 5, 3: 4}
"""For each number of rows the largest supported number of columns (r <= s)."""


def oriented_shape(r: int, s: int) -> tuple[int, int]:
    """Return the shape with r <= s, which has the same matchings. Raise ValueError if it is not supported.

    >>> oriented_shape(4, 3)
    (3, 4)
    """
    return as_shape(r, s, LARGEST_COLUMNS, "generating function", '"med"')


@dataclass(frozen=True)
class GeneratingFunction:
    """Generating function of tables by total n and weight k of the best matching, a rational function of x and y.

    It is the sum of numerator[k, n] x^n y^k, divided by the product over d of (1 - x^d y)^exponents[d - 1].
    """

    exponents: tuple[int, ...]
    numerator: np.ndarray

    def series(self, largest: int) -> np.ndarray:
        """Return the coefficients of x^n y^k in the power series of the function, for k <= largest and n <= s largest.

        Parameters
        ----------
        largest : int
            Largest k.

        Returns
        -------
        numpy.ndarray of object
            Array [k, n] of Python integers.

        Examples
        --------
        >>> generating_function(2, 2).series(2)[2].tolist()
        [0, 0, 6, 12, 9]
        """
        columns = len(self.exponents)
        coefficients = np.zeros(
            (
                largest + 1,
                columns * largest + 1,
            ),
            object,
        )
        low_terms = self.numerator[: largest + 1, : columns * largest + 1]
        coefficients[: low_terms.shape[0], : low_terms.shape[1]] = low_terms
        for d, exponent in enumerate(self.exponents, start=1):
            for _ in range(exponent):
                coefficients = _divided_series(coefficients, d)  # by 1 - x^d y
        return coefficients


@cache
def generating_function(r: int, s: int) -> GeneratingFunction:
    """Return the sum of x^n y^k over all r x s matrices with total n and best matching k, in lowest terms.

    Rows and columns may be empty.

    Parameters
    ----------
    r, s : int
        Numbers of rows and columns. Supported shapes: see ``LARGEST_COLUMNS``.

    Returns
    -------
    GeneratingFunction

    Raises
    ------
    ValueError
        For other shapes.

    Notes
    -----
    The numerator is derived from an enumeration of all matrices with best matching at most (D - r)/2. D is the sum of
    the exponents before the reduction to lowest terms. It takes half a second for 3 x 4.

    Examples
    --------
    >>> g = generating_function(2, 2)
    >>> g.exponents, g.numerator.tolist()
    ((2, 3), [[1, 0, 0, 0, 0], [0, 2, 1, 0, 0], [0, 0, -1, -2, 0], [0, 0, 0, 0, -1]])
    """
    r, s = oriented_shape(r, s)
    exponents = ranks(r, s)
    largest_k = (sum(exponents) - r) // 2
    numerator = matched_counts(r, s, largest_k).astype(object)
    for d, exponent in enumerate(exponents, start=1):
        for _ in range(exponent):
            numerator = multiplied(numerator, d)
    return _lowest_terms(exponents, _palindrome(numerator, r, exponents))


def _palindrome(lower: np.ndarray, r: int, exponents: tuple[int, ...]) -> np.ndarray:
    """Return the complete numerator from its lower half, by G(1/x, 1/y) = (-1)^rs x^rs y^r G(x, y).

    This reciprocity holds because the polytope is Gorenstein.
    """
    cells = r * len(exponents)
    last_k = sum(exponents) - r
    degree = sum(d * e for d, e in enumerate(exponents, start=1))
    last_n = degree - cells
    sign = (-1) ** (cells + sum(exponents))
    numerator = np.zeros((last_k + 1, last_n + 1), object)
    for k, n in np.argwhere(lower).tolist():
        numerator[k, n] = lower[k, n]
        opposite = last_k - k, last_n - n
        numerator[opposite] = sign * lower[k, n]
    return numerator


def _lowest_terms(exponents: tuple[int, ...], numerator: np.ndarray) -> GeneratingFunction:
    """Return the generating function with common factors 1 - x^d y of numerator and denominator removed.

    ``exponents`` are those of the factors of the denominator. A factor divides the numerator if the last row of the
    quotient, computed as a power series, is zero.
    """
    lowest = []
    for d, exponent in enumerate(exponents, start=1):
        quotient = _divided_series(numerator, d)
        while exponent and not quotient[-1].any():
            numerator = quotient[:-1]
            exponent = exponent - 1
            quotient = _divided_series(numerator, d)
        lowest.append(exponent)
    degree = np.flatnonzero(numerator.any(axis=0)).max()
    return GeneratingFunction(
        tuple(lowest),
        numerator[:, : degree + 1],
    )


def multiplied(coefficients: np.ndarray, d: int) -> np.ndarray:
    """Multiply a polynomial by 1 - x^d y.

    ``coefficients[k, n]`` belongs to x^n y^k, and terms beyond the array are dropped.

    >>> multiplied(np.array([[1, 0, 0], [0, 0, 0]]), 1)
    array([[ 1,  0,  0],
           [ 0, -1,  0]])
    """
    result = coefficients.copy()
    result[1:, d:] -= coefficients[:-1, : coefficients.shape[1] - d]
    return result


def _divided_series(coefficients: np.ndarray, d: int) -> np.ndarray:
    """Divide a power series by 1 - x^d y.

    ``coefficients[k, n]`` belongs to x^n y^k, and terms beyond the array are dropped.
    """
    result = coefficients.copy()
    for k in range(1, len(result)):
        before = result[k - 1, : result.shape[1] - d]
        result[k, d:] += before
    return result


def line_subsets(r: int, s: int) -> list[frozenset[tuple[int, int]]]:
    """Return all non-empty subsets of rows and of columns, as sets of cells.

    Together with 0, their indicators are the vertices of the polytope Q of the module.

    >>> [sorted(cells) for cells in line_subsets(1, 2)]
    [[(0, 0)], [(0, 1)], [(0, 0), (0, 1)]]
    """
    rows = [list(product([i], range(s))) for i in range(r)]
    subsets: set[frozenset[tuple[int, int]]] = set()
    lines = [*rows, *zip(*rows)]
    for line in lines:
        for size in range(1, len(line) + 1):
            subsets |= set(map(frozenset, combinations(line, size)))
    return sorted(subsets, key=lambda subset: (len(subset), sorted(subset)))


def ranks(r: int, s: int) -> tuple[int, ...]:
    """Return, for d = 1, ..., s, the rank of the indicators of d-subsets of one row or column that meet a matching.

    The matching has the cells (i, i) for i < r. The ranks bound the numbers of d-subsets in a simplex of the
    triangulation. By symmetry one matching of r rows suffices.

    >>> ranks(3, 3)
    (3, 8, 5)
    """
    matching = {(i, i) for i in range(r)}
    vectors: list[list[np.ndarray]] = [[] for _ in range(s)]
    for cells in line_subsets(r, s):
        if cells & matching:
            indicator = np.zeros((r, s))
            indicator[tuple(zip(*cells))] = 1
            vectors[len(cells) - 1].append(indicator.ravel())
    ranks = [np.linalg.matrix_rank(np.array(of_size)) for of_size in vectors]
    return tuple(map(int, ranks))


def matched_counts(r: int, s: int, largest: int) -> np.ndarray:
    """Return the number of r x s matrices with total n and best matching of weight k <= largest, as an array [k, n].

    Requires r <= s and r <= 3. The first r - 1 rows are enumerated up to the order of the columns. Let w be the
    weight of their best matching that avoids a given column. The entry of the last row in this column is then at
    most k - w. The time is about largest^(s (r - 1))/s!.

    >>> matched_counts(2, 2, 1).tolist()
    [[1, 0, 0], [0, 4, 4]]
    """
    from confmat.distributions.med_distribution.kernels import two_rows

    width = s * largest + 1  # n <= s k: the s cyclic diagonals cover the matrix
    at_most = np.zeros((largest + 2, width), np.int64)  # row k + 1 for "best matching at most k"
    bounds = [largest if r > rows else 0 for rows in (1, 2)]
    # By the best matchings that avoid a column (all but two are the largest one) and by total.
    histogram = two_rows(s, *bounds, largest)
    for u, v, w in np.argwhere(histogram.any(axis=3)).tolist():
        avoiding = [u, v, *[w] * s][:s]
        for k in range(max(avoiding), largest + 1):
            row = histogram[u, v, w]
            for matching in avoiding:
                ones = np.ones(k - matching + 1, np.int64)
                row = np.convolve(row, ones)
            at_most[k + 1] += row[:width]
    return np.diff(at_most, axis=0)


@dataclass(frozen=True)
class ShapeOfCounts:
    """Arguments of the quasi-polynomials: r <= s, and whether rows and columns may be empty."""

    r: int
    s: int
    allow_empty: bool

    @property
    def period(self) -> int:
        """Period L = lcm(1, ..., s - 1) of the quasi-polynomials inside the sectors."""
        return lcm(*range(1, self.s))

    @property
    def values(self) -> int:
        """Number of values that determine the polynomial in alpha or in beta of one residue class modulo L: r s - 1.

        For the shape 1 x 1 it is 1.
        """
        return max(self.r * self.s - 1, 1)


def med_counts(n: int, r: int, s: int, *, allow_empty: bool = False) -> list[int]:
    """Return the exact distribution of the MED over ``Tables(n, r, s, allow_empty)``, as counts.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.
    allow_empty : bool
        Rows and columns may be empty. Default: False.

    Returns
    -------
    list of int
        Element m is the number of tables with n MED = m. The list ends with the largest MED, and is empty for a
        class without members.

    Raises
    ------
    ValueError
        For other shapes than 1 x 5, 2 x 5, 3 x 4, smaller ones, and their transposes.

    Notes
    -----
    The method is Ehrhart theory, see the docstring of the module. Time and memory are proportional to n (about a
    second for n = 10^6).

    Examples
    --------
    >>> med_counts(6, 2, 2)
    [10, 16, 22, 12]
    >>> med_counts(2, 3, 3)
    []
    """
    shape, tables = _shape_of(n, r, s, allow_empty)
    n = tables.n
    if n == 0:
        return [1] if shape.allow_empty else []
    counts = [0] * (n + 1)  # by k
    for d in range(1, shape.s + 1):
        if n % d == 0:
            counts[n // d] = matched_count(shape, n, n // d)
        if d < shape.s:
            first_k = n // (d + 1) + 1
            end = -(-n // d)
            counts[first_k:end] = _inside_sector(shape, n, first_k, end)
    by_distance = counts[::-1]
    while by_distance and not by_distance[-1]:
        by_distance.pop()
    return by_distance


def med_count(n: int, r: int, s: int, m: int, *, allow_empty: bool = False) -> int:
    """Return the number of tables in ``Tables(n, r, s, allow_empty)`` with n MED = m.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.
    m : int
        The number n MED of objects outside the best matching.
    allow_empty : bool
        Rows and columns may be empty. Default: False.

    Returns
    -------
    int
        0 outside the range of the MED.

    Raises
    ------
    ValueError
        For the shapes for which `med_counts` raises it.

    Notes
    -----
    The result is one element of `med_counts`. The time does not depend on n (milliseconds for n = 10^9).

    Examples
    --------
    >>> med_count(10**9, 2, 2, 1)
    3999999992
    """
    shape, tables = _shape_of(n, r, s, allow_empty)
    return matched_count(shape, tables.n, tables.n - as_count("m", m))


def _shape_of(n: int, r: int, s: int, allow_empty: bool) -> tuple[ShapeOfCounts, Tables]:
    """Return the shape with r <= s and the class of all tables. Raise ValueError if the shape is not supported."""
    tables = Tables(n, r, s, allow_empty)
    return ShapeOfCounts(*oriented_shape(r, s), tables.allow_empty), tables


def matched_count(shape: ShapeOfCounts, n: int, k: int) -> int:
    """Return the number of matrices with total n >= 0 and a best matching of weight k.

    >>> [matched_count(ShapeOfCounts(2, 2, allow_empty=False), 6, k) for k in (6, 5, 4, 3)]
    [10, 16, 22, 12]
    """
    if n == 0 or k <= 0:
        return int(n == k == 0 and shape.allow_empty)
    d, beta = divmod(n, k)
    if d == 0 or n > shape.s * k:
        return 0
    if beta == 0:
        i, a = divmod(k - 1, shape.period)
        return newton(_on_wall(shape, d, a + 1), i)
    i, a = divmod(k - beta - 1, shape.period)
    j, b = divmod(beta - 1, shape.period)
    along_alpha = [newton(row, j) for row in inside_differences(shape, d, a + 1, b + 1)]
    return newton(along_alpha, i)


def newton(deltas: Sequence[int], i: int) -> int:
    """Return the value at i of the polynomial with the forward differences ``deltas`` at 0.

    >>> newton(differences([1, 4, 9]), 10)
    121
    """
    return sum(delta * comb(i, p) for p, delta in enumerate(deltas))


def _inside_sector(shape: ShapeOfCounts, n: int, first: int, end: int) -> list[int]:
    """Return the numbers of tables with total n and a best matching of weight k, for k = first, ..., end - 1.

    All pairs (n, k) must be inside one sector (d k < n < (d + 1) k for one d). Along k the numbers are then a
    polynomial for each residue class of k modulo L = lcm(1, ..., s - 1).
    """
    counts = [0] * (end - first)
    for start in range(min(shape.period, len(counts))):
        places = range(start, len(counts), shape.period)
        first_counts = [matched_count(shape, n, first + place) for place in places[: shape.values]]
        counts[start :: shape.period] = _continued(first_counts, len(places))
    return counts


def _continued(values: list[int], length: int) -> Iterator[int]:
    """Return an iterator over p(0), ..., p(``length`` - 1), for the polynomial p with the first values ``values``.

    The degree of p is less than len(values).
    """
    *lower, top = differences(values)
    line: Iterator[int] = repeat(top)
    for delta in reversed(lower):
        line = accumulate(line, initial=delta)
    return islice(line, length)


def differences(values: Sequence[int]) -> list[int]:
    """Return the forward differences at 0 of orders 0, 1, ...: f(i) = sum_p delta_p C(i, p).

    >>> differences([1, 4, 9])
    [1, 3, 2]
    """
    deltas = []
    while values:
        deltas.append(values[0])
        values = [b - a for a, b in pairwise(values)]
    return deltas


@cache
def inside_differences(shape: ShapeOfCounts, d: int, a: int, b: int) -> tuple[tuple[int, ...], ...]:
    """Return the differences delta[p][q] of the counts inside sector d, for p + q <= r s - 2.

    The counts are those at alpha = a + i L and beta = b + j L (see the module). p and q are the orders of the
    differences in i and j.

    >>> inside_differences(ShapeOfCounts(2, 2, allow_empty=False), 1, 1, 1)
    ((4, 12, 4), (4, 2), (0,))
    """
    series = _series(shape)
    size = shape.values
    along_beta = []  # for each alpha the differences along beta
    for i in range(size):
        alpha = a + i * shape.period
        betas = range(b, b + (size - i) * shape.period, shape.period)
        values = [series[alpha + beta, d * alpha + (d + 1) * beta] for beta in betas]
        along_beta.append(differences(values))
    deltas: list[list[int]] = [[] for _ in range(size)]
    for q in range(size):
        along_both = differences([row[q] for row in along_beta[: size - q]])
        for p, delta in enumerate(along_both):
            deltas[p].append(delta)
    return tuple(map(tuple, deltas))


@cache
def _on_wall(shape: ShapeOfCounts, d: int, a: int) -> tuple[int, ...]:
    """Return the forward differences of orders p = 0, ..., r s - 2 at i = 0 of numbers of tables on a wall.

    These are the numbers of tables with total d k and best matching k = ``a`` + i L. L is the period. By Newton's
    formula the differences determine all of them.
    """
    ks = [a + i * shape.period for i in range(shape.values)]
    return tuple(differences([_series(shape)[k, d * k] for k in ks]))


@cache
def _series(shape: ShapeOfCounts) -> np.ndarray:
    """Return an array [k, n] of the numbers of matrices with total n and best matching k.

    It has all values that determine the quasi-polynomials of the module. If no row or column may be empty, the
    numbers follow by inclusion and exclusion, and the entries at n = 0 are meaningless.
    """
    # The grids have k = alpha + beta <= 2 L + (r s - 2) L with the period L, and n <= s k.
    largest_k = (shape.values + 1) * shape.period
    total = np.zeros(
        (
            largest_k + 1,
            shape.s * largest_k + 1,
        ),
        object,
    )
    for r, s, factor in smaller_shapes(shape.r, shape.s, shape.allow_empty):
        part = generating_function(r, s).series(largest_k)
        total[:, : part.shape[1]] += factor * part
    return read_only(total)
