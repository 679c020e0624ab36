"""Agreement of two raters, or of a classifier and the truth, adjusted for chance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from confmat.fixed_margins.cell_sums import DIAGONAL
from confmat.indices.classification.counts import ClassCounts
from confmat.indices.classification.roots import RootSum
from confmat.indices.numbers import lowest_terms
from confmat.indices.pairs import answer
from confmat.indices.records import recorded
from confmat.indices.undefined import Undefined, check_undefined, undefined_value

AgreementNumber = Fraction | RootSum | float

_LARGEST_SQUARE = 10**9


def kappas(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return numerators and denominators of `kappa` at tables (N x k x k), in lowest terms, 0/0 if undefined.

    >>> kappas(np.array([[[3, 1], [0, 2]], [[4, 0], [0, 0]]]))
    (array([2, 0]), array([3, 0]))
    """
    n, agreed, chance, _, _ = _sums_of_tables(tables)
    return lowest_terms(*kappa_quotient(n, agreed, chance))


def mccs(tables: np.ndarray) -> tuple[list[Any], np.ndarray]:
    """Return the distinct exact values of `mcc` at tables (N x k x k), NaN if undefined.

    The second result is the index of the value of each table.

    >>> mccs(np.array([[[3, 0], [0, 2]], [[4, 0], [0, 0]]]))
    ([nan, Fraction(1, 1)], array([1, 0]))
    """
    keys = np.column_stack(mcc_terms(*_sums_of_tables(tables)))
    positions = np.arange(len(keys))
    if keys.dtype != object:  # NumPy does not sort rows of objects
        keys, positions = np.unique(keys, axis=0, return_inverse=True)
    values = (correlation(*key) for key in keys.tolist())
    return [float("nan") if value is None else value for value in values], positions.reshape(-1)


@recorded(
    "kappa",
    names=("cohen_kappa_score", "cohen_kappa"),
    title="Cohen's kappa",
    batch=kappas,
    symmetry="simultaneous",
    bounds=(-1, 1),
    rises_with=DIAGONAL,
    claims={"identity": 1, "symmetric": True},
)
def kappa(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    exact: bool = False,
    rows: str | None = None,
    undefined: Undefined = "warn",
) -> AgreementNumber:
    """Return Cohen's kappa (p - e)/(1 - e) of a square matrix.

    p is the fraction on the diagonal, and e its expectation for independent labels with the same frequencies.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result if the index is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float or Fraction
        From -1 to 1. It is 1 for a diagonal matrix, and 0/0 if all objects are in one cell of the diagonal.

    Examples
    --------
    >>> kappa([[3, 1], [0, 2]], exact=True)
    Fraction(2, 3)
    """
    sums = _sums_of_counts(ClassCounts.of(matrix_or_y_true, y_pred, rows))
    numerator, denominator = kappa_quotient(*sums[:3])
    if not denominator:
        return _value_of_one_class(undefined, "kappa", exact)
    return answer(Fraction(numerator, denominator), exact)


@recorded(
    "mcc",
    names=("matthews_corrcoef", "matthews_correlation"),
    title="Matthews' correlation",
    label="MCC (Matthews' correlation coefficient)",
    batch=mccs,
    symmetry="simultaneous",
    bounds=(-1, 1),
    rises_with=DIAGONAL,
    claims={"identity": 1, "symmetric": True},
)
def mcc(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    exact: bool = False,
    rows: str | None = None,
    undefined: Undefined = "warn",
) -> AgreementNumber:
    """Return Matthews' correlation coefficient of a square matrix.

    It is (n sum n_ii - sum r_i c_i) / sqrt((n^2 - sum r_i^2)(n^2 - sum c_i^2)), with row sums r and column sums c.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return an exact number: a Fraction, or a `RootSum` if it is irrational. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result if the index is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float, Fraction or RootSum
        From -1 to 1. It is 0/0 if all objects are of one class, or predicted as one, for which scikit-learn returns
        0.

    References
    ----------
    Gorodkin (2004), R_K, for more than two classes.

    Examples
    --------
    >>> mcc([[3, 1], [0, 2]]), mcc([[2, 0], [1, 1]], exact=True)
    (0.7071067811865476, RootSum(terms=((Fraction(1, 3), 3),)))
    """
    value = correlation(*mcc_terms(*_sums_of_counts(ClassCounts.of(matrix_or_y_true, y_pred, rows))))
    if value is None:
        return _value_of_one_class(undefined, "mcc", exact)
    return value if exact else float(value)


def _sums_of_counts(counts: ClassCounts) -> tuple[int, ...]:
    """Return n, the sum of the diagonal, sum r_i c_i, sum r_i^2 and sum c_i^2, for row sums r and column sums c."""
    return _sums_of_table(
        sum(counts.hits.values()),
        np.array(counts.rows, object),
        np.array(counts.cols, object),
    )


def _sums_of_table(agreed: Any, rows: np.ndarray, cols: np.ndarray) -> tuple[Any, ...]:
    """Return n, ``agreed``, sum r_i c_i, sum r_i^2 and sum c_i^2 from the row sums r and column sums c."""
    products = rows * cols, rows**2, cols**2
    return rows.sum(axis=-1), agreed, *(product.sum(axis=-1) for product in products)


def kappa_quotient(n: Any, agreed: Any, chance: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of kappa, for numbers or arrays.

    ``agreed`` is the sum of the diagonal, ``chance`` the sum of r_i c_i over row sums r and column sums c.

    >>> kappa_quotient(6, 5, 18)  # of [[3, 1], [0, 2]]
    (12, 18)
    """
    return n * agreed - chance, n * n - chance


def mcc_terms(n: Any, agreed: Any, chance: Any, rows: Any, cols: Any) -> tuple[Any, Any, Any]:
    """Return three terms x, y, z of Matthews' correlation x / sqrt(y z), for numbers or arrays.

    ``agreed`` is the sum of the diagonal, ``chance`` the sum of r_i c_i. ``rows`` and ``cols`` are the sums of
    squares of the row sums r and the column sums c.

    >>> mcc_terms(6, 5, 18, 20, 18)  # of [[3, 1], [0, 2]]
    (12, 16, 18)
    """
    return n * agreed - chance, n * n - rows, n * n - cols


def correlation(covariance: int, rest_of_rows: int, rest_of_columns: int) -> Fraction | RootSum | None:
    """Return covariance / sqrt(x y) for x = ``rest_of_rows`` and y = ``rest_of_columns``, or None if it is 0/0.

    >>> correlation(12, 16, 9), correlation(0, 0, 9)
    (Fraction(1, 1), None)
    """
    product = rest_of_rows * rest_of_columns
    if not product:
        return None
    root = RootSum.sqrt(Fraction(covariance**2, product))
    if covariance < 0:
        root = -root
    return root if root.rational is None else root.rational


def _value_of_one_class(undefined: Undefined, index: str, exact: bool) -> AgreementNumber:
    """Return the value that ``undefined`` specifies for ``index``, which is 0/0 because all objects are of one class.

    The result is a float if ``exact`` is False.
    """
    value = undefined_value(check_undefined(undefined), index, "all objects are of one class")
    return value if exact else float(value)


def _sums_of_tables(tables: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the sums of `_sums_of_counts` for tables (N x k x k), as Python ints if squares may exceed 64 bits."""
    if tables.sum(axis=(1, 2)).max(initial=0) > _LARGEST_SQUARE:
        tables = tables.astype(object)
    return _sums_of_table(
        np.trace(tables, axis1=1, axis2=2),
        tables.sum(axis=2),
        tables.sum(axis=1),
    )
