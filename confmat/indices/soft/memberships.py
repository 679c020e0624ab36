"""Membership matrices: hard labels or numbers in, checked arrays out."""

import math
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from numbers import Rational, Real
from os import PathLike
from typing import Any

import numpy as np

from confmat.matrices.arguments import as_path
from confmat.matrices.files import read_columns
from confmat.matrices.labels import as_labels, encode

ROW_TOLERANCE = 1e-6
"""How far a row of a membership matrix of floats may be from a sum of 1 (and an entry from [0, 1])."""

Memberships = Any
"""An (n, K) array-like of numbers (lists, NumPy, pandas), or a sequence of n hard labels."""


def one_hot(name: str, labels: Iterable[Hashable]) -> np.ndarray:
    """The 0/1 membership matrix of hard labels, columns in the order of those of ``cm.contingency``.

    Raises ValueError for missing labels, TypeError for fractional numbers and what cannot be hashed.

    >>> one_hot("U", ["b", "a", "b"])
    array([[0, 1],
           [1, 0],
           [0, 1]])
    """
    items = as_labels(name, labels)
    for i, label in enumerate(items):
        if isinstance(label, float | Fraction) and label % 1 > 0:
            raise TypeError(
                f"{name}[{i}]: {label!r} is not a label; a membership matrix has two dimensions "
                "(one row an object, one column a cluster)"
            )
    codes, values = encode(name, items)
    matrix = np.zeros((len(codes), len(values)), dtype=np.int64)
    matrix[np.arange(len(codes)), codes] = 1
    return matrix


def as_memberships(
    name: str, value: Memberships, *, exact: bool = False, possibilistic: bool = False
) -> np.ndarray:
    """The (n, K) membership matrix of ``value``, checked: float64, or Fractions with ``exact``.

    One dimension is read as hard labels, two as memberships.  Entries lie in [0, 1] and each row sums to 1
    (free with ``possibilistic``), up to ``ROW_TOLERANCE``; with ``exact`` to the last digit, so that thirds
    must be Fractions.  Entries out of [0, 1] by less than the tolerance are moved to its end; rows are
    never rescaled.  Errors name the row.

    >>> as_memberships("U", [[0.25, 0.75], [1, 0]])
    array([[0.25, 0.75],
           [1.  , 0.  ]])
    >>> as_memberships("U", [[0.25, 0.75], [0.5, 0.4]])
    Traceback (most recent call last):
    ...
    ValueError: U[1]: the memberships sum to 0.9, not 1 within 1e-06: write more decimals or divide rows by their sum
    """
    array = _as_array(name, value)
    if array.ndim == 1:
        array = one_hot(name, array)
    if array.ndim != 2:
        raise ValueError(f"{name} must have one dimension (labels) or two (memberships), got {array.ndim}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    numbers = _fractions(name, array) if exact else _floats(name, array)
    slack = 0 if exact else ROW_TOLERANCE
    for bad in np.argwhere((numbers < -slack) | (numbers > 1 + slack)):
        raise ValueError(f"{name}[{bad[0]}]: membership {numbers[tuple(bad)]} is not between 0 and 1")
    if not exact:
        numbers = np.clip(numbers, 0.0, 1.0)
    if not possibilistic:
        sums = numbers.sum(axis=1)
        for row in np.flatnonzero(abs(sums - 1) > slack):
            within = (
                "" if exact else f" within {ROW_TOLERANCE:g}: write more decimals or divide rows by their sum"
            )
            raise ValueError(f"{name}[{row}]: the memberships sum to {sums[row]}, not 1{within}")
    return numbers


def _as_array(name: str, value: Memberships) -> np.ndarray:
    if isinstance(value, np.ma.MaskedArray):
        for masked in np.argwhere(np.ma.getmaskarray(value)):
            raise ValueError(f"{name}[{masked[0]}]: an entry is masked")
    if hasattr(value, "__array__"):
        return np.asarray(value)
    items = as_labels(name, value)
    if not _is_row(items[0]):
        return np.array([*items, None], dtype=object)[:-1]  # the None keeps NumPy from unpacking
    for i, row in enumerate(items):
        if not _is_row(row) or len(row) != len(items[0]):
            raise ValueError(f"{name}[{i}] must be a row of {len(items[0])} memberships, got {row!r:.60}")
    return np.array([list(row) for row in items], dtype=object)


def _is_row(item: object) -> bool:
    return isinstance(item, Sequence | np.ndarray) and not isinstance(item, str | bytes)


def _floats(name: str, array: np.ndarray) -> np.ndarray:
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must hold numbers, got {_first_non_number(array)!r}") from None
    for bad in np.argwhere(~np.isfinite(numbers)):
        raise ValueError(
            f"{name}[{bad[0]}]: membership {numbers[tuple(bad)]} is not a number between 0 and 1"
        )
    return numbers


def _fractions(name: str, array: np.ndarray) -> np.ndarray:
    numbers = np.empty(array.shape, dtype=object)
    for i, row in enumerate(array.tolist()):
        for k, entry in enumerate(row):
            if isinstance(entry, float) and not math.isfinite(entry):
                raise ValueError(f"{name}[{i}]: membership {entry} is not a number between 0 and 1")
            if not isinstance(entry, int | float | Rational):
                raise TypeError(f"{name}[{i}]: membership {entry!r} is not a number")
            numbers[i, k] = Fraction(entry)
    return numbers


def _first_non_number(array: np.ndarray) -> object:
    return next((x for x in array.ravel().tolist() if not isinstance(x, Real)), array.dtype)


def as_pair(
    U: Memberships, V: Memberships, *, exact: bool = False, possibilistic: bool = False
) -> tuple[np.ndarray, np.ndarray, Any]:
    """Both memberships transposed to (K, n) and (L, n), in one unit: returns (u, v, one).

    ``one`` is what stands for a full membership: 1.0, or with ``exact`` the common denominator of all
    entries, which are then integers.  They are 64-bit where n^2 one^4, the largest sum that the indices
    form, fits; Python integers otherwise.

    >>> u, v, one = as_pair([[0.25, 0.75], [1, 0]], ["a", "b"], exact=True)
    >>> u.tolist(), v.tolist(), one
    ([[1, 4], [3, 0]], [[4, 0], [0, 4]], 4)
    """
    u = as_memberships("U", U, exact=exact, possibilistic=possibilistic).T
    v = as_memberships("V", V, exact=exact, possibilistic=possibilistic).T
    if u.shape[1] != v.shape[1]:
        raise ValueError(f"U and V must describe the same objects: U has {u.shape[1]} rows, V {v.shape[1]}")
    if not exact:
        return np.ascontiguousarray(u), np.ascontiguousarray(v), 1.0
    one = math.lcm(*(x.denominator for x in u.flat), *(x.denominator for x in v.flat))
    fits = (u.shape[1] * one**2) ** 2 < 2**63
    dtype = np.int64 if fits else object
    as_integers = np.vectorize(lambda x: x.numerator * (one // x.denominator), otypes=[object])
    return as_integers(u).astype(dtype), as_integers(v).astype(dtype), one


def read_memberships(
    path: str | PathLike[str], *, sep: str | None = None, header: bool | None = None
) -> np.ndarray:
    """Read a file of memberships (one column a cluster), or of hard labels (a single column).

    Returns an (n, K) float array, or the n labels; both are valid first or second arguments of every index.
    Which files: `confmat.matrices.read_columns`; a column that only names the objects is left out, and lines that
    start with # are.  Where commas do not separate columns they may be decimal commas.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("a,b\\n0.75,0.25\\n0,1\\n")
    ...     file.flush()
    ...     read_memberships(file.name)
    array([[0.75, 0.25],
           [0.  , 1.  ]])
    """
    table = read_columns(as_path("path", path), sep=sep, header=header, comment="#")
    columns = [table.values[i] for i in table.labels]
    if len(columns) == 1:
        lost = [line for line, label in zip(table.lines, columns[0]) if label is None]
        if lost:
            raise ValueError(
                f"{path} has no label in {len(lost)} of {len(columns[0])} lines, first in line {lost[0]}"
            )
        return np.array(columns[0], dtype=object)
    decimal = "." if table.sep == "," else ","
    rows = [[_number(cell, decimal) for cell in row] for row in zip(*columns)]
    return as_memberships(str(path), np.array(rows, dtype=object))


def _number(cell: str | None, decimal: str) -> float | str:
    try:
        return math.nan if cell is None else float(cell.replace(decimal, "."))
    except ValueError:
        return cell or ""
