"""The generating function of tables by total and best matching.

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

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from confmat.matrices.arguments import as_count

LARGEST_COLUMNS = {1: 5, 2: 5, 3: 4}
"""For each number of rows the largest supported number of columns (r <= s)."""


def oriented_shape(r: int, s: int) -> tuple[int, int]:
    """Check that the shape is supported and return it with r <= s: the transpose has the same matchings.

    >>> oriented_shape(4, 3)
    (3, 4)
    """
    small, large = sorted((as_count("r", r, minimum=1), as_count("s", s, minimum=1)))
    if large > LARGEST_COLUMNS.get(small, 0):
        shapes = ", ".join(f"{rows} x {cols}" for rows, cols in LARGEST_COLUMNS.items())
        raise ValueError(
            f"no generating function for r={r}, s={s}: supported are shapes up to {shapes} and their transposes; "
            'for others enumerate, confmat.joint(Tables(n, r, s), "med")'
        )
    return small, large


@dataclass(frozen=True)
class GeneratingFunction:
    """sum over k, n of numerator[k, n] x^n y^k, divided by prod over d of (1 - x^d y)^exponents[d - 1]."""

    exponents: tuple[int, ...]
    numerator: np.ndarray

    def series(self, largest: int) -> np.ndarray:
        """Coefficients of x^n y^k for k <= largest, n <= s largest: an object array [k, n] of Python ints.

        >>> generating_function(2, 2).series(2)[2].tolist()
        [0, 0, 6, 12, 9]
        """
        columns = len(self.exponents)
        coefficients = np.zeros((largest + 1, columns * largest + 1), object)
        k, n = (min(a, b) for a, b in zip(coefficients.shape, self.numerator.shape))
        coefficients[:k, :n] = self.numerator[:k, :n]
        for d, exponent in enumerate(self.exponents, start=1):
            for _ in range(exponent):
                coefficients = _divided(coefficients, d)
        return coefficients


@cache
def generating_function(r: int, s: int) -> GeneratingFunction:
    """Generating function of the r x s matrices (empty rows and columns allowed) in lowest terms.

    Nothing is stored: the numerator is derived from an enumeration of all matrices with k(N) <= (D - r)/2,
    D the sum of the ranks (half a second for 3 x 4).  Supported shapes: see
    ``LARGEST_COLUMNS``; r and s in either order.

    >>> g = generating_function(2, 2)
    >>> g.exponents, g.numerator.tolist()
    ((2, 3), [[1, 0, 0, 0, 0], [0, 2, 1, 0, 0], [0, 0, -1, -2, 0], [0, 0, 0, 0, -1]])
    """
    r, s = oriented_shape(r, s)
    exponents = ranks(r, s)
    half = (sum(exponents) - r) // 2
    numerator = matched_counts(r, s, half).astype(object)
    for d, exponent in enumerate(exponents, start=1):
        for _ in range(exponent):
            numerator = multiplied(numerator, d)
    return _lowest_terms(exponents, _palindrome(numerator, r, exponents))


def _palindrome(lower: np.ndarray, r: int, exponents: tuple[int, ...]) -> np.ndarray:
    """Complete the numerator: G(1/x, 1/y) = (-1)^rs x^rs y^r G(x, y) (reciprocity; the polytope is Gorenstein)."""
    cells = r * len(exponents)
    last_k = sum(exponents) - r
    last_n = sum(d * e for d, e in enumerate(exponents, start=1)) - cells
    sign = (-1) ** (cells + sum(exponents))
    numerator = np.zeros((last_k + 1, last_n + 1), object)
    for k, n in np.argwhere(lower).tolist():
        numerator[k, n] = lower[k, n]
        numerator[last_k - k, last_n - n] = sign * lower[k, n]
    return numerator


def _lowest_terms(exponents: tuple[int, ...], numerator: np.ndarray) -> GeneratingFunction:
    """Cancel the factors 1 - x^d y that divide the numerator: the division then ends with a zero row."""
    left = list(exponents)
    for d in range(1, len(left) + 1):
        while left[d - 1] and not (quotient := _divided(numerator, d))[-1].any():
            numerator = quotient[:-1]
            left[d - 1] -= 1
    degree = np.flatnonzero(numerator.any(axis=0)).max()
    return GeneratingFunction(tuple(left), numerator[:, : degree + 1])


def multiplied(coefficients: np.ndarray, d: int) -> np.ndarray:
    """Product with 1 - x^d y; terms beyond the array [k, n] are dropped.

    >>> multiplied(np.array([[1, 0, 0], [0, 0, 0]]), 1)
    array([[ 1,  0,  0],
           [ 0, -1,  0]])
    """
    result = coefficients.copy()
    result[1:, d:] -= coefficients[:-1, : coefficients.shape[1] - d]
    return result


def _divided(coefficients: np.ndarray, d: int) -> np.ndarray:
    """Quotient by 1 - x^d y as a power series; terms beyond the array [k, n] are dropped."""
    result = coefficients.copy()
    for k in range(1, len(result)):
        result[k, d:] += result[k - 1, : result.shape[1] - d]
    return result


def line_subsets(r: int, s: int) -> list[frozenset[tuple[int, int]]]:
    """Non-empty subsets of rows and columns, as sets of cells, each once: with 0 the vertices of Q.

    >>> [sorted(cells) for cells in line_subsets(1, 2)]
    [[(0, 0)], [(0, 1)], [(0, 0), (0, 1)]]
    """
    lines = [[(i, j) for j in range(s)] for i in range(r)] + [[(i, j) for i in range(r)] for j in range(s)]
    subsets = {frozenset(c) for line in lines for d in range(len(line)) for c in combinations(line, d + 1)}
    return sorted(subsets, key=lambda cells: (len(cells), sorted(cells)))


def ranks(r: int, s: int) -> tuple[int, ...]:
    """For d = 1, ..., s the rank of the d-subsets of lines that meet the matching (0,0), ..., (r-1,r-1).

    They bound the numbers of d-subsets in a simplex of the triangulation; all matchings of r rows are alike.

    >>> ranks(3, 3)
    (3, 8, 5)
    """
    matching = {(i, i) for i in range(r)}
    found = []
    for d in range(1, s + 1):
        met = [cells for cells in line_subsets(r, s) if len(cells) == d and cells & matching]
        vectors = [[(i, j) in cells for i in range(r) for j in range(s)] for cells in met]
        found.append(int(np.linalg.matrix_rank(np.array(vectors, float))))
    return tuple(found)


def matched_counts(r: int, s: int, largest: int) -> np.ndarray:
    """Number of r x s matrices with total n whose best matching is k, as an array [k, n], k <= largest.

    r <= s, r <= 3, by enumeration: the first r - 1 rows up to the order of the columns; the entries of the last
    row are then bounded one by one, by k less the best matching of the other rows that avoids the column.
    Time about largest^(s (r - 1))/s!.

    >>> matched_counts(2, 2, 1).tolist()
    [[1, 0, 0], [0, 4, 4]]
    """
    width = s * largest + 1  # n <= s k: the s cyclic diagonals cover the matrix
    at_most = np.zeros((largest + 2, width), np.int64)  # row k + 1 for "best matching at most k"
    for avoiding, totals in _rows_above(r, s, largest):
        for k in range(max(avoiding), largest + 1):
            row = totals
            for matched in avoiding:
                row = np.convolve(row, np.ones(k - matched + 1, np.int64))
            at_most[k + 1] += row[:width]
    return np.diff(at_most, axis=0)


def _rows_above(r: int, s: int, largest: int) -> Iterator[tuple[list[int], np.ndarray]]:
    """Matrices of r - 1 rows with best matching <= largest, grouped by the best matchings that avoid a column.

    Pairs of the s values of these matchings, in any order, and the numbers of matrices by total.
    """
    from confmat.laws.medlaw.kernels import two_rows

    histogram = two_rows(s, largest if r > 1 else 0, largest if r > 2 else 0, largest)
    for u, v, w in np.argwhere(histogram.any(axis=3)).tolist():
        yield ([u, v] + [w] * s)[:s], histogram[u, v, w]
