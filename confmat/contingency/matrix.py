"""Contingency matrices: validation, margins and best matchings.

A validated matrix is a NumPy array or a ``scipy.sparse.csr_array``. Its entries are int64, or Python ints (dtype
object) if an entry exceeds 64 bits. Entries that need not be integers are float64 or Fractions.
"""

from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from confmat.contingency.labels import contingency_matrix, label_values
from confmat.contingency.matching import heaviest_matching, matchings_by_sets
from confmat.errors import TooLargeError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = [
    "Cells",
    "Matching",
    "as_matrix",
    "best_matching",
    "cell_margins",
    "contingency_matrix",
    "drop_empty",
    "label_values",
    "margins",
    "nonzero_cells",
    "one_matrix",
    "refuse_totals",
]

_INT64_MAX = 2**63 - 1
_MOST_DENSE_CELLS = 2**30

# Names that other programs give to sums of rows and columns.
_TOTALS = frozenset({"all", "total", "totals", "sum"})


class Cells(NamedTuple):
    """Non-zero cells of a matrix.

    ``rows`` and ``cols`` are their row and column numbers, ``values`` their exact entries. ``shape`` is the shape
    of the matrix.
    """

    rows: np.ndarray
    cols: np.ndarray
    values: list[Any]
    shape: tuple[int, int]


_MOST_COUNTING_STEPS = 5_000_000  # some tenths of a second


class Matching(NamedTuple):
    """Matching of rows to columns.

    ``pairs`` are the matched cells (row, column), ``total`` is the sum of their entries.
    """

    pairs: tuple[tuple[int, int], ...]
    total: Any


# --- checking -------------------------------------------------------------------------------------


def as_matrix(matrix: Any) -> "np.ndarray | csr_array":
    """Validate a table and return it as a matrix. The input is never modified.

    Parameters
    ----------
    matrix : array_like
        A list of rows, a NumPy array of numbers or objects, a pandas DataFrame or a SciPy sparse matrix. Entries
        are integers of any size that are at least 0 (2.0 is an integer).

    Returns
    -------
    array, shape (r, s)
        A csr_array for a sparse matrix.

    Raises
    ------
    ValueError, TypeError
        For a table that is empty or not two-dimensional, and for a wrong entry, with its position.

    Notes
    -----
    Time O(cells), or O(stored entries) of a sparse matrix.

    Examples
    --------
    >>> as_matrix([[2**70, 0], [0, 1]])
    array([[1180591620717411303424, 0],
           [0, 1]], dtype=object)
    >>> as_matrix([[1, 2], [3, -4]])
    Traceback (most recent call last):
    ...
    ValueError: matrix[1, 1] must be at least 0, got -4
    """
    if _is_sparse(matrix):
        return _check_sparse(matrix)
    if hasattr(matrix, "columns") and hasattr(matrix, "index"):
        refuse_totals(matrix)
    if isinstance(matrix, np.ndarray) and hasattr(matrix, "mask") and np.ma.is_masked(matrix):
        i, j = np.argwhere(np.ma.getmaskarray(matrix))[0][-2:]
        raise ValueError(f"matrix[{i}, {j}] must not be masked")
    # A DataFrame's columns may have different types: as objects no entry is rounded to a common one.
    array = matrix.to_numpy(dtype=object) if hasattr(matrix, "to_numpy") else matrix
    array = np.asarray(array) if hasattr(array, "__array__") else _from_rows(array)
    if array.ndim != 2:
        hint = ". Pass two labelings as two arguments" if array.ndim == 1 else ""
        raise ValueError(f"matrix must be two-dimensional, got shape {array.shape}{hint}")
    if array.size == 0:
        raise ValueError(f"matrix must not be empty, got shape {array.shape}")
    if array.dtype.kind in "iuf":
        return _check_numbers(array, lambda k: divmod(int(k), array.shape[1]))
    if array.dtype != object:
        raise TypeError(f"matrix must hold numbers, got dtype {array.dtype}")
    entries = [_entry(value, i, j) for (i, j), value in np.ndenumerate(array)]
    return _from_ints(entries, array.shape)


def refuse_totals(frame: Any) -> None:
    """Raise ValueError if the last row and column of a pandas table are totals.

    Parameters
    ----------
    frame : pandas.DataFrame

    Raises
    ------
    ValueError
        If the last row or column is called All, Total, Totals or Sum. Also if both have the same name and contain
        the sums of the other rows and columns.

    Examples
    --------
    >>> import pandas as pd
    >>> as_matrix(pd.crosstab([0, 0, 1], [1, 0, 1], margins=True))
    Traceback (most recent call last):
    ...
    ValueError: matrix must not contain row or column sums, got a last row and column named 'All'. Remove them.
    """
    if not frame.size:
        return
    last_labels = [frame.index[-1], frame.columns[-1]]
    row, column = (label[0] if isinstance(label, tuple) else label for label in last_labels)
    names = {side: name for side, name in (("row", row), ("column", column)) if isinstance(name, str)}
    sides = [side for side, name in names.items() if name.strip().casefold() in _TOTALS]
    if row == column and len(names) == 2 and _has_sums(frame):
        sides = ["row", "column"]
    if sides:
        raise ValueError(
            f"matrix must not contain row or column sums, got a last {' and '.join(sides)} named {names[sides[0]]!r}. "
            "Remove them."
        )


def _has_sums(frame: Any) -> bool:
    """Return whether the last row and column of the DataFrame ``frame`` are the sums of the other ones."""
    cells = frame.to_numpy(dtype=object)
    try:
        below = cells[:-1].sum(axis=0).tolist()
        beside = cells[:, :-1].sum(axis=1).tolist()
    except TypeError:  # a cell is not a number, which as_matrix reports
        return False
    if min(frame.shape) < 2 or below != cells[-1].tolist():
        return False
    return bool(beside == cells[:, -1].tolist())


def one_matrix(matrix_or_labels_a: Any, labels_b: Any = None) -> Any:
    """Return a given matrix unchanged, or the contingency matrix of two labelings.

    A single argument is a matrix. Two arguments are labelings of the same objects.

    Parameters
    ----------
    matrix_or_labels_a : array_like
    labels_b : array_like, optional

    Returns
    -------
    array_like

    Examples
    --------
    >>> one_matrix([0, 0, 1, 1], ["a", "b", "b", "b"])
    array([[1, 1],
           [0, 2]])
    """
    if labels_b is None:
        return matrix_or_labels_a
    return contingency_matrix(matrix_or_labels_a, labels_b)


def _is_sparse(matrix: Any) -> bool:
    # Every SciPy sparse class has these two; asking scipy.sparse itself would import it for dense tables too.
    return hasattr(matrix, "tocoo") and hasattr(matrix, "nnz")


def _from_rows(matrix: Any) -> np.ndarray:
    """Return a list of rows as an array of objects, so that NumPy does not round large integers to floats."""
    try:
        if isinstance(matrix, str | bytes) or not isinstance(matrix, Sequence):
            raise TypeError  # an iterator, or a class of matrices, may have no end
        rows = [list(row) for row in matrix]
    except TypeError:
        raise TypeError(
            f"matrix must be a list of rows or a 2-d array, got {matrix!r:.60}. Pass two labelings as two arguments"
        ) from None
    if not rows or not rows[0]:
        raise ValueError(f"matrix must not be empty, got {matrix!r:.60}")
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(
                f"matrix rows must have equal lengths, got {len(rows[0])} in row 0 and {len(row)} in row {i}"
            )
    array = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            array[i, j] = value
    return array


def _entry(value: Any, i: int, j: int) -> int:
    """Return entry (i, j) of an object array as a Python integer, or raise if it is not valid."""
    name = f"matrix[{i}, {j}]"
    if isinstance(value, bool | np.bool_) or not hasattr(value, "as_integer_ratio"):
        value = _index_or_raise(name, value)
    try:
        numerator, denominator = value.as_integer_ratio()
    except (ValueError, OverflowError):
        raise ValueError(f"{name} must be finite, got {value}") from None
    if numerator < 0:
        raise ValueError(f"{name} must be at least 0, got {value}")
    if denominator != 1:
        raise ValueError(f"{name} must be an integer, got {value}")
    return int(numerator)


def _index_or_raise(name: str, value: Any) -> int:
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be a number, got {value!r}")
    return int(value)


def _check_numbers(array: np.ndarray, position: Any) -> np.ndarray:
    """Return a numeric array of any shape as int64, or as Python ints if they exceed 64 bits.

    Raise ValueError for an invalid entry. ``position`` converts the flat index of this entry to (row, column) for
    the message.
    """
    flat = array.ravel()
    is_float = array.dtype.kind == "f"

    def refuse(bad: np.ndarray, must: str) -> None:
        if bad.any():
            k = int(np.argmax(bad))
            i, j = position(k)
            raise ValueError(f"matrix[{i}, {j}] must be {must}, got {flat[k]}")

    if is_float:
        refuse(~np.isfinite(flat), "finite")
    refuse(flat < 0, "at least 0")
    if is_float:
        refuse(flat != np.floor(flat), "an integer")
    if flat.size and int(flat.max()) > _INT64_MAX:
        return _from_ints([int(value) for value in flat], array.shape)
    return array.astype(np.int64)


def _from_ints(values: list[int], shape: tuple[int, ...]) -> np.ndarray:
    """Return Python ints as an int64 array if they fit, otherwise as an array of objects."""
    dtype = np.int64 if max(values) <= _INT64_MAX else object
    return np.array(values, dtype=dtype).reshape(shape)


def _check_sparse(matrix: Any) -> "csr_array":
    from scipy.sparse import coo_array

    if matrix.ndim != 2:
        raise ValueError(f"matrix must be two-dimensional, got shape {matrix.shape}")
    if 0 in matrix.shape:
        raise ValueError(f"matrix must not be empty, got shape {matrix.shape}")
    coo = matrix.tocoo()
    if coo.data.dtype.kind not in "iuf":
        raise TypeError(f"matrix must hold numbers, got dtype {coo.data.dtype}")
    data = _check_numbers(coo.data, lambda k: (int(coo.row[k]), int(coo.col[k])))
    # SciPy adds repeated cells in 64 bits and does not report an overflow.
    has_repeated_cells = sum(data.tolist()) > _INT64_MAX and len(set(zip(coo.row, coo.col))) < coo.nnz
    if data.dtype == object or has_repeated_cells:
        raise ValueError("a sparse matrix must have entries below 2**63. Pass a dense table of Python ints")
    csr = coo_array((data, (coo.row, coo.col)), shape=coo.shape).tocsr()
    csr.eliminate_zeros()
    csr.sort_indices()
    return csr


# --- looking inside -------------------------------------------------------------------------------


def nonzero_cells(matrix: Any) -> Cells:
    """Return the non-zero cells of a table in row-major order.

    Parameters
    ----------
    matrix : array_like

    Returns
    -------
    Cells
        Entries are Python numbers.

    Examples
    --------
    >>> nonzero_cells([[0, 5], [7, 0]]).values
    [5, 7]
    """
    table = as_matrix(matrix)
    if isinstance(table, np.ndarray):
        rows, cols = np.nonzero(table)
        values = table[rows, cols]
    else:
        coo = table.tocoo()
        rows = coo.row.astype(np.int64)
        cols = coo.col.astype(np.int64)
        values = coo.data
    return Cells(
        rows,
        cols,
        values.tolist(),
        (
            int(table.shape[0]),
            int(table.shape[1]),
        ),
    )


def margins(matrix: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the row sums and the column sums as Python ints, including zeros.

    Parameters
    ----------
    matrix : array_like

    Returns
    -------
    (tuple of int, tuple of int)

    Examples
    --------
    >>> margins([[2**62, 2**62], [0, 1]])
    ((9223372036854775808, 1), (4611686018427387904, 4611686018427387905))
    """
    return cell_margins(nonzero_cells(matrix))


def cell_margins(cells: Cells) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the row sums and the column sums of non-zero cells.

    Parameters
    ----------
    cells : Cells
        Entries are any numbers.

    Returns
    -------
    (tuple, tuple)

    Examples
    --------
    >>> cell_margins(nonzero_cells([[2, 1], [0, 3]]))
    ((3, 3), (2, 4))
    """
    row_sums = [0] * cells.shape[0]
    col_sums = [0] * cells.shape[1]
    for i, j, value in zip(cells.rows.tolist(), cells.cols.tolist(), cells.values):
        row_sums[i] += value
        col_sums[j] += value
    return tuple(row_sums), tuple(col_sums)


def drop_empty(matrix: Any) -> "np.ndarray | csr_array":
    """Return the matrix without its rows and columns of zeros.

    Parameters
    ----------
    matrix : array_like

    Returns
    -------
    array
        A 1 x 1 zero if all entries are 0.

    Examples
    --------
    >>> drop_empty([[0, 0], [3, 0]])
    array([[3]])
    """
    table = as_matrix(matrix)
    cells = nonzero_cells(table)
    rows = np.unique(cells.rows)
    cols = np.unique(cells.cols)
    if not cells.values:
        rows = cols = np.zeros(1, dtype=np.int64)
    return table[rows][:, cols]


def observed_table(matrix_or_labels_a: Any, labels_b: Any = None) -> np.ndarray:
    """Return a table, or the contingency table of two labelings, as a dense array without empty rows and columns.

    >>> observed_table([[1, 0], [2, 0]]).tolist()
    [[1], [2]]
    """
    return dense(drop_empty(one_matrix(matrix_or_labels_a, labels_b)))


def axis_labels(matrix: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the row labels and column labels of a DataFrame, or the numbers from 1 of another matrix.

    >>> axis_labels([[1, 2, 3], [4, 5, 6]])
    ((1, 2), (1, 2, 3))
    """
    if hasattr(matrix, "columns"):
        return tuple(matrix.index), tuple(matrix.columns)
    r, s = as_matrix(matrix).shape
    return tuple(range(1, r + 1)), tuple(range(1, s + 1))


def dense(matrix: Any) -> np.ndarray:
    """Return a dense or sparse matrix as a NumPy array, without validation.

    Raise TooLargeError if a sparse matrix has 2^30 cells or more.

    >>> from scipy.sparse import csr_array
    >>> dense(csr_array([[0, 2], [1, 0]])).tolist(), dense([[1]]).tolist()
    ([[0, 2], [1, 0]], [[1]])
    """
    if not hasattr(matrix, "toarray"):
        return np.asarray(matrix)
    r, s = matrix.shape
    if r * s >= _MOST_DENSE_CELLS:
        raise TooLargeError(
            f"matrix of shape {r} x {s} must have fewer than {_MOST_DENSE_CELLS:,} cells to become a dense "
            "array"
        )
    return np.asarray(matrix.toarray())


# --- matching -------------------------------------------------------------------------------------


def best_matching(matrix: Any) -> Matching:
    """Return a matching of rows to columns whose matched entries have the largest sum.

    Each row and column is matched at most once. The MED is (n - total)/n.

    Parameters
    ----------
    matrix : array_like

    Returns
    -------
    Matching
        ``pairs`` are sorted pairs (row, column) with positive entries. ``total`` is their sum, exact for integers
        of any size. If several matchings are best, the result is one of them.

    Notes
    -----
    A dense table takes O(r s min(r, s)) at worst. A sparse table of 10^5 x 10^5 takes below a second if most
    matches are clear, and up to about 15 s for random labelings. Totals beyond 2^50 are computed with Python ints.

    Examples
    --------
    >>> best_matching([[50, 0, 0], [0, 2, 48], [0, 49, 1]])
    Matching(pairs=((0, 0), (1, 2), (2, 1)), total=147)
    """
    cells = nonzero_cells(matrix)
    matched_cells = heaviest_matching(cells.rows, cells.cols, cells.values, cells.shape)
    pairs = zip(
        cells.rows[matched_cells].tolist(),
        cells.cols[matched_cells].tolist(),
    )
    total = sum(cells.values[cell] for cell in matched_cells)
    return Matching(tuple(sorted(pairs)), total)


def count_best_matchings(matrix: Any) -> int | None:
    """Count the matchings of rows to columns with the largest sum of entries.

    A matching is the set of its positive cells (row, column).

    Parameters
    ----------
    matrix : array_like

    Returns
    -------
    int or None
        None if counting would take too long. This begins at about a dozen rows and columns.

    Examples
    --------
    >>> count_best_matchings([[1, 1], [1, 1]]), count_best_matchings([[2, 1], [0, 1]])
    (2, 1)
    """
    cells = nonzero_cells(matrix)
    if len(cells.values) << min(cells.shape) > _MOST_COUNTING_STEPS:
        return None
    return matchings_by_sets(*cells)[0]
