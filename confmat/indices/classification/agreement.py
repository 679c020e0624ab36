"""Agreement beyond chance of two raters, or of a classifier and the truth: kappa and Matthews' correlation."""

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
    """Numerators and denominators of `kappa` of tables (N x k x k), in lowest terms; 0/0 for none.

    >>> kappas(np.array([[[3, 1], [0, 2]], [[4, 0], [0, 0]]]))
    (array([2, 0]), array([3, 0]))
    """
    n, agreed, chance, _, _ = _sums_of_tables(tables)
    return lowest_terms(*kappa_quotient(n, agreed, chance))


def mccs(tables: np.ndarray) -> tuple[list[Any], np.ndarray]:
    """Exact values of `mcc` at tables (N x k x k), nan for none, and which one every table has.

    >>> mccs(np.array([[[3, 0], [0, 2]], [[4, 0], [0, 0]]]))
    ([nan, Fraction(1, 1)], array([1, 0]))
    """
    keys = np.column_stack(mcc_terms(*_sums_of_tables(tables)))
    positions = np.arange(len(keys))
    if keys.dtype != object:  # whose rows NumPy does not compare
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
    """Cohen's kappa (p - e)/(1 - e) of a square matrix: 1 for a diagonal one, 0 where chance agrees as much.

    p is the share on the diagonal, e that of labels drawn apart with the same frequencies.  From -1 to 1.  0/0 where
    all objects are in one cell of the diagonal.

    >>> kappa([[3, 1], [0, 2]], exact=True)
    Fraction(2, 3)
    """
    sums = _sums_of_counts(ClassCounts.of(matrix_or_y_true, y_pred, rows))
    numerator, denominator = kappa_quotient(*sums[:3])
    if not denominator:
        return _undefined(undefined, "kappa", exact)
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
    """Matthews' correlation coefficient of a square matrix, for many classes that of Gorodkin (2004), R_K.

    (n sum n_ii - sum r_i c_i) / sqrt((n^2 - sum r_i^2)(n^2 - sum c_i^2)) with row sums r and column sums c, from -1 to
    1.  0/0 where all objects are of one class, or predicted as one (scikit-learn says 0).  Exact, it is a Fraction or a
    `RootSum`.

    >>> mcc([[3, 1], [0, 2]]), mcc([[2, 0], [1, 1]], exact=True)
    (0.7071067811865476, RootSum(terms=((Fraction(1, 3), 3),)))
    """
    value = correlation(*mcc_terms(*_sums_of_counts(ClassCounts.of(matrix_or_y_true, y_pred, rows))))
    if value is None:
        return _undefined(undefined, "mcc", exact)
    return value if exact else float(value)


def _sums_of_counts(counts: ClassCounts) -> tuple[int, ...]:
    """n, the diagonal, sum r_i c_i, sum r_i^2, sum c_i^2."""
    return _sums_of_table(
        sum(counts.hits.values()),
        np.array(counts.rows, object),
        np.array(counts.cols, object),
    )


def _sums_of_table(agreed: Any, rows: np.ndarray, cols: np.ndarray) -> tuple[Any, ...]:
    products = rows * cols, rows**2, cols**2
    return rows.sum(axis=-1), agreed, *(product.sum(axis=-1) for product in products)


def kappa_quotient(n: Any, agreed: Any, chance: Any) -> tuple[Any, Any]:
    """Numerator and denominator of kappa from n, the diagonal and sum r_i c_i: numbers or arrays.

    >>> kappa_quotient(6, 5, 18)  # of [[3, 1], [0, 2]]
    (12, 18)
    """
    return n * agreed - chance, n * n - chance


def mcc_terms(n: Any, agreed: Any, chance: Any, rows: Any, cols: Any) -> tuple[Any, Any, Any]:
    """Matthews' correlation is the first, divided by the root of the product of the others; from the sums of squares
    of rows and columns besides: numbers or arrays.

    >>> mcc_terms(6, 5, 18, 20, 18)  # of [[3, 1], [0, 2]]
    (12, 16, 18)
    """
    return n * agreed - chance, n * n - rows, n * n - cols


def correlation(covariance: int, rest_of_rows: int, rest_of_columns: int) -> Fraction | RootSum | None:
    """covariance / sqrt(left right), None for 0/0.

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


def _undefined(undefined: Undefined, index: str, exact: bool) -> AgreementNumber:
    value = undefined_value(check_undefined(undefined), index, "all objects are of one class")
    return value if exact else float(value)


def _sums_of_tables(tables: np.ndarray) -> tuple[np.ndarray, ...]:
    """``_sums_of_counts`` of square tables, N x k x k: Python ints where squares of totals may be beyond 64 bits."""
    if tables.sum(axis=(1, 2)).max(initial=0) > _LARGEST_SQUARE:
        tables = tables.astype(object)
    return _sums_of_table(
        np.trace(tables, axis1=1, axis2=2),
        tables.sum(axis=2),
        tables.sum(axis=1),
    )
