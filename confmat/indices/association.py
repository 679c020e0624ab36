"""Statistics of tests of independence: chi-squared, the likelihood ratio, and the probability of the table."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from math import comb, exp, lgamma, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat.contingency.matrix import cell_margins, nonzero_cells, one_matrix
from confmat.fixed_margins.cell_sums import FACTORIALS, POWERS, SQUARES
from confmat.indices.information import (
    MOST_IN_FLOATS,
    check_total,
    exact_if_small,
    mutual_information,
    values_of_tables,
)
from confmat.indices.logarithms import LogRatio
from confmat.indices.pairs import answer
from confmat.indices.records import names_in, recorded

# Factorials of more objects have too many digits for a fraction.
LARGEST_FACTORIAL = 10**5


@recorded(
    "chi2",
    names=("chi_squared", "pearson_chi2"),
    title="chi-squared",
    label="Pearson's chi-squared",
    symmetry="transposition",
    bounds=(0, None),
    rises_with=SQUARES,
    claims={"symmetric": True},
)
def chi_squared(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Fraction | float:
    """Return Pearson's chi-squared n (sum x^2/(r c) - 1), over cells x with row and column sums r and c.

    A continuity correction is not applied.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        At least 0, and 0 for independence. 0 if there is no object.

    Examples
    --------
    >>> chi_squared([[3, 1], [1, 3]]), chi_squared([[3, 1], [1, 2]], exact=True)
    (2.0, Fraction(175, 144))
    """
    cells = nonzero_cells(one_matrix(matrix_or_labels_a, labels_b))
    rows, cols = cell_margins(cells)
    total = Fraction(0)
    for i, j, x in zip(cells.rows.tolist(), cells.cols.tolist(), cells.values):
        total += Fraction(x * x, rows[i] * cols[j])
    n = sum(rows)
    check_total(n, n if exact else MOST_IN_FLOATS)
    return answer(n * (total - 1), exact)


def likelihood_ratios(tables: np.ndarray) -> tuple[list[Any], np.ndarray]:
    """Return the distinct values of G2 at tables (N x r x s) with the same total, and the index of each table's value.

    >>> likelihood_ratios(np.array([[[2, 0], [0, 2]], [[1, 1], [1, 1]]]))
    ([8*log(2), Fraction(0, 1)], array([0, 1]))
    """
    values, positions = values_of_tables("mi", tables, mutual_information)
    twice = 2 * int(tables[0].sum())
    return [x * twice for x in values], positions


@recorded(
    "g2",
    names=("likelihood_ratio",),
    title="likelihood ratio G2",
    label="G2 (likelihood ratio)",
    evaluated_by=exact_if_small,
    batch=likelihood_ratios,
    symmetry="transposition",
    bounds=(0, None),
    rises_with=POWERS,
    claims={"symmetric": True},
)
def likelihood_ratio(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> Fraction | float | LogRatio:
    """Return the likelihood ratio G2 = 2 sum x log(x n/(r c)), over cells x with row and column sums r and c.

    It is 2 n times the mutual information.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return an exact number, up to 10^12 objects. Default: False.

    Returns
    -------
    float, LogRatio or Fraction
        At least 0, and 0 for independence.

    Examples
    --------
    >>> likelihood_ratio([[3, 1], [1, 3]], exact=True), likelihood_ratio([[2, 2], [1, 1]])
    (-16*log(2) + 12*log(3), 0.0)
    """
    matrix = one_matrix(matrix_or_labels_a, labels_b)
    n = sum(nonzero_cells(matrix).values)
    return mutual_information(matrix, exact=exact) * (2 * n)


@recorded(
    "fisher_probability",
    names=("ffh", "fisher", "table_probability"),
    title="probability of the table",
    label="probability of the table given its margins (Fisher, Freeman & Halton)",
    evaluated_by=partial(exact_if_small, largest=LARGEST_FACTORIAL),
    symmetry="transposition",
    bounds=(0, 1),
    falls_with=FACTORIALS,
    claims={"symmetric": True},
)
def fisher_probability(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> Fraction | float:
    """Return the probability prod r! prod c! / (n! prod x!) of a table, given both margins.

    The labels of one clustering are permuted at random. The exact test of Fisher, Freeman and Halton orders tables
    by this probability.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        From 0 to 1.

    Raises
    ------
    TooLargeError
        If ``exact`` is true and there are more than 10^5 objects.

    Examples
    --------
    >>> fisher_probability([[3, 1], [1, 3]], exact=True)
    Fraction(8, 35)
    """
    cells = nonzero_cells(one_matrix(matrix_or_labels_a, labels_b))
    rows, cols = cell_margins(cells)
    n = sum(rows)
    if n > LARGEST_FACTORIAL:
        check_total(n, LARGEST_FACTORIAL if exact else MOST_IN_FLOATS)
        logarithm_above = sum(lgamma(x + 1) for x in (*rows, *cols))
        logarithm_below = sum(lgamma(x + 1) for x in (n, *cells.values))
        return exp(logarithm_above - logarithm_below)
    # The quotient of two products of multinomial coefficients: they have a fifth of the digits of the factorials.
    in_columns: list[list[int]] = [[] for _ in cols]
    for j, x in zip(cells.cols.tolist(), cells.values):
        in_columns[j].append(x)
    ways = prod(map(multinomial, in_columns))
    return answer(Fraction(ways, multinomial(rows)), exact)


def multinomial(sizes: Iterable[int]) -> int:
    """Return the number of ways to divide sum(``sizes``) objects into groups of these sizes.

    >>> multinomial([2, 1, 1])
    12
    """
    ways = 1
    total = 0
    for size in sizes:
        total += size
        ways *= comb(total, size)
    return ways


# The short names of the statistics.
chi2 = chi_squared
g2 = likelihood_ratio

if not TYPE_CHECKING:  # a type checker reads all names
    __all__ = names_in(__name__)
