"""Numbers of tables by MED at any n, as values of piecewise quasi-polynomials.

The pairs (n, k) with d k <= n <= (d + 1) k form sector d = 1, ..., s - 1.  In it n = alpha d + beta (d + 1),
k = alpha + beta with whole alpha, beta >= 0.  Let L = lcm(1, ..., s - 1).  Then the number of r x s matrices with
total n and best matching k is, for alpha, beta >= 1 in given residue classes modulo L, a polynomial in alpha and
beta of total degree at most r s - 2; on the walls n = d k it is one in k >= 1 of the same degree.  So its values
on a small triangular grid, taken from the series of the generating function, give all others by Newton's
formula, in integers.

Why: cut the simplicial cones over the triangulation (below) along the walls.  The new rays are
((j - d) v + (d - i) w)/gcd for vertices v, w with i < d < j cells; such a ray ends at a multiple of
(n, k) = (d, 1) by a divisor of L.  A half-open cone of the cut has P rays over one wall of its sector and Q over
the other, P + Q = r s and P, Q < r s (no size has r s independent vertices, save for 1 x 1), so it
contributes p(u, v)/((1 - u^L)^P (1 - v^L)^Q), p of degrees at most P L and Q L: the coefficient of
u^alpha v^beta is of the stated form, with exceptions at alpha = 0 or beta = 0 only.

The generating function of tables by total and best matching.

k(N) is the largest total of a matching of rows to columns, so n MED = n - k(N).  For r <= s let

    G(x, y) = sum over all r x s matrices N of non-negative integers of x^n y^k(N),    t_d = x^d y.

G is a rational function with denominator prod (1 - t_d)^e_d, d = 1, ..., s.  Why, in short (statement
`med-generating-function`): {k(N) <= k} is k times the polytope Q = {N >= 0, no matching above 1},
whose vertices are 0 and the indicators of the non-empty subsets of the lines, and on whose facet inequalities
all vertices take two values.  So pulling 0 triangulates Q into unimodular simplices: 0 with r s independent
vertices of one facet "this matching is 1".  A subset of d cells contributes a factor 1 - t_d, and e_d is at most
the rank of the d-subsets of lines that meet one matching.  The polytope being Gorenstein (N - 1 is in the
interior where N is in the closure: k rises by r + 1), the numerator is palindromic; half of it determines it,
and that half is enumerated here.
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
    """Check that the shape is supported and return it with r <= s: the transpose has the same matchings.

    >>> oriented_shape(4, 3)
    (3, 4)
    """
    return as_shape(r, s, LARGEST_COLUMNS, "generating function", '"med"')


@dataclass(frozen=True)
class GeneratingFunction:
    """sum over k, n of numerator[k, n] x^n y^k, divided by prod over d of (1 - x^d y)^exponents[d - 1]."""

    exponents: tuple[int, ...]
    numerator: np.ndarray

    def series(self, largest: int) -> np.ndarray:
        """Return the coefficients of x^n y^k for k <= largest, n <= s largest.

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
                coefficients = _divided_series(coefficients, d)
        return coefficients


@cache
def generating_function(r: int, s: int) -> GeneratingFunction:
    """Return the generating function of the r x s matrices (empty rows and columns allowed) in lowest terms.

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
    Nothing is stored: the numerator is derived from an enumeration of all matrices with k(N) <= (D - r)/2, where D
    is the sum of the ranks (half a second for 3 x 4).

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
    """Complete the numerator: G(1/x, 1/y) = (-1)^rs x^rs y^r G(x, y) (reciprocity; the polytope is Gorenstein)."""
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
    """Cancel the factors 1 - x^d y that divide the numerator: the division then ends with a zero row."""
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
    """Return the product with 1 - x^d y, without terms beyond the array [k, n].

    >>> multiplied(np.array([[1, 0, 0], [0, 0, 0]]), 1)
    array([[ 1,  0,  0],
           [ 0, -1,  0]])
    """
    result = coefficients.copy()
    result[1:, d:] -= coefficients[:-1, : coefficients.shape[1] - d]
    return result


def _divided_series(coefficients: np.ndarray, d: int) -> np.ndarray:
    """Return the quotient by 1 - x^d y as a power series, without terms beyond the array [k, n]."""
    result = coefficients.copy()
    for k in range(1, len(result)):
        before = result[k - 1, : result.shape[1] - d]
        result[k, d:] += before
    return result


def line_subsets(r: int, s: int) -> list[frozenset[tuple[int, int]]]:
    """Return the non-empty subsets of rows and columns, as sets of cells, each once: with 0 the vertices of Q.

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
    """For d = 1, ..., s the rank of the d-subsets of lines that meet the matching (0,0), ..., (r-1,r-1).

    They bound the numbers of d-subsets in a simplex of the triangulation; all matchings of r rows are alike.

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
    """Return the number of r x s matrices with total n whose best matching is k, as an array [k, n], k <= largest.

    For r <= s, r <= 3, by enumeration: the first r - 1 rows up to the order of the columns. The entries of the last
    row are then bounded one by one, by k minus the best matching of the other rows that avoids the column. The time
    is about largest^(s (r - 1))/s!.

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
    """r <= s, and whether rows and columns may be empty: all that the quasi-polynomials depend on."""

    r: int
    s: int
    allow_empty: bool

    @property
    def period(self) -> int:
        """Return L, the period of the quasi-polynomials inside the sectors."""
        return lcm(*range(1, self.s))

    @property
    def values(self) -> int:
        """Return r s - 1, the number of values in line that determine a polynomial (1 for the shape 1 x 1)."""
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
    Ehrhart theory, see the docstring of the module. Time and memory are proportional to n (n = 10^6: about a
    second).

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
        n MED.
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
    One value of `med_counts`, in time independent of n (milliseconds at n = 10^9).

    Examples
    --------
    >>> med_count(10**9, 2, 2, 1)
    3999999992
    """
    shape, tables = _shape_of(n, r, s, allow_empty)
    return matched_count(shape, tables.n, tables.n - as_count("m", m))


def _shape_of(n: int, r: int, s: int, allow_empty: bool) -> tuple[ShapeOfCounts, Tables]:
    tables = Tables(n, r, s, allow_empty)
    return ShapeOfCounts(*oriented_shape(r, s), tables.allow_empty), tables


def matched_count(shape: ShapeOfCounts, n: int, k: int) -> int:
    """Return the number of matrices with total n >= 0 whose best matching is k.

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
    """Return the value at i of the polynomial with these differences at 0.

    >>> newton(differences([1, 4, 9]), 10)
    121
    """
    return sum(delta * comb(i, p) for p, delta in enumerate(deltas))


def _inside_sector(shape: ShapeOfCounts, n: int, first: int, end: int) -> list[int]:
    """Return the counts for first <= k < end, strictly inside one sector: along k a polynomial per class modulo L."""
    counts = [0] * (end - first)
    for start in range(min(shape.period, len(counts))):
        places = range(start, len(counts), shape.period)
        first_counts = [matched_count(shape, n, first + place) for place in places[: shape.values]]
        counts[start :: shape.period] = _continued(first_counts, len(places))
    return counts


def _continued(values: list[int], length: int) -> Iterator[int]:
    """Return values 0, 1, ..., length - 1 of the polynomial of degree < len(values) with these first values."""
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
    """Return delta[p][q], p + q <= r s - 2, of the counts at alpha = a + i L, beta = b + j L in sector d.

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
    """Return delta[p], p <= r s - 2, of the counts at k = a + i L, n = d k."""
    ks = [a + i * shape.period for i in range(shape.values)]
    return tuple(differences([_series(shape)[k, d * k] for k in ks]))


@cache
def _series(shape: ShapeOfCounts) -> np.ndarray:
    """Return an array [k, n] of the numbers of matrices with total n and best matching k, up to the size of the grids.

    Without empty rows and columns these are computed by inclusion and exclusion; the entries at n = 0 are then
    meaningless.
    """
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
