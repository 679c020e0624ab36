"""Membership matrices: conversion and validation, and fuzzy pair counts with their indices."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from numbers import Rational, Real
from os import PathLike
from typing import Any, TypeVar

import numpy as np

from confmat._arguments import as_path
from confmat._limits import look
from confmat.contingency.files import read_frame
from confmat.contingency.labels import as_labels, encode
from confmat.indices.undefined import Undefined, check_undefined, undefined_value

ROW_TOLERANCE = 1e-6
"""Largest difference of the sum of a row of floats from 1, and of an entry from [0, 1]."""

Memberships = Any
"""An (n, K) array-like of numbers (lists, NumPy, pandas), or a sequence of n hard labels."""


def one_hot(name: str, labels: Iterable[Hashable]) -> np.ndarray:
    """Return the 0/1 membership matrix of hard labels.

    Parameters
    ----------
    name : str
        Name of the argument, for errors.
    labels : iterable

    Returns
    -------
    array of int, shape (n, K)
        Columns are in the order of those of ``cm.contingency_matrix``.

    Raises
    ------
    ValueError
        If a label is missing.
    TypeError
        If a label is a number with a fractional part, or cannot be hashed.

    Examples
    --------
    >>> one_hot("U", ["b", "a", "b"])
    array([[0, 1],
           [1, 0],
           [0, 1]])
    """
    items = as_labels(name, labels)
    for i, label in enumerate(items):
        if isinstance(label, float | Fraction) and label % 1 > 0:
            raise TypeError(
                f"{name}[{i}] must be a label, got {label!r}. Pass memberships as a matrix with a row for each object "
                "and a column for each cluster"
            )
    codes, values = encode(name, items)
    matrix = np.zeros((len(codes), len(values)), dtype=np.int64)
    matrix[np.arange(len(codes)), codes] = 1
    return matrix


def as_memberships(name: str, value: Memberships, *, exact: bool = False) -> np.ndarray:
    """Validate memberships and return them as a matrix.

    Parameters
    ----------
    name : str
        Name of the argument, for errors.
    value : array_like
        Hard labels (one dimension) or memberships (two dimensions).
    exact : bool
        Return Fractions, without tolerance for sums of floats such as 1/3. Default: False.

    Returns
    -------
    array of float or Fraction, shape (n, K)
        Entries outside [0, 1] by less than ``ROW_TOLERANCE`` become 0 or 1. Rows are never rescaled.

    Raises
    ------
    ValueError
        If an entry is not in [0, 1], or a row does not sum to 1 within ``ROW_TOLERANCE``. The error names the row.

    Examples
    --------
    >>> as_memberships("U", [[0.25, 0.75], [1, 0]])
    array([[0.25, 0.75],
           [1.  , 0.  ]])
    >>> as_memberships("U", [[0.25, 0.75], [0.5, 0.4]])
    Traceback (most recent call last):
    ...
    ValueError: U[1]: the memberships must have the sum 1 (within 1e-06), got 0.9. soft.normalised divides rows by \
their sums
    """
    numbers = _between_0_and_1(name, value, exact)
    sums = numbers.sum(axis=1)
    slack = 0 if exact else ROW_TOLERANCE
    for row in np.flatnonzero(abs(sums - 1) > slack):
        within = "" if exact else f" (within {slack:g})"
        raise ValueError(
            f"{name}[{row}]: the memberships must have the sum 1{within}, got {sums[row]}. soft.normalised divides "
            "rows by their sums"
        )
    return numbers


def _between_0_and_1(name: str, value: Memberships, exact: bool) -> np.ndarray:
    """Return the argument ``name`` (memberships or labels) as a matrix of numbers between 0 and 1.

    With ``exact`` they are Fractions, otherwise floats. Sums of rows are not checked.
    """
    array = as_array(name, value)
    if array.ndim == 1:
        array = one_hot(name, array)
    if array.ndim != 2:
        raise ValueError(f"{name} must have one dimension (labels) or two (memberships), got {array.ndim}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    if exact:
        numbers = _fractions_of_cells(name, array)
    else:
        numbers = _floats(name, array)
    slack = 0 if exact else ROW_TOLERANCE
    is_outside = (numbers < -slack) | (numbers > 1 + slack)
    for place in np.argwhere(is_outside):
        raise ValueError(f"{name}[{place[0]}]: membership {numbers[tuple(place)]} is not between 0 and 1")
    if not exact:
        numbers = np.clip(numbers, 0.0, 1.0)
    return numbers


def normalised(memberships: Memberships) -> np.ndarray:
    """Divide each row of memberships by its sum.

    Parameters
    ----------
    memberships : array_like
        Memberships whose rows may have any positive sum, or labels.

    Returns
    -------
    array, shape (n, K)
        Fractions if all memberships are rational numbers. Labels are returned as they are.

    Raises
    ------
    ValueError
        If a row has sum 0.

    Examples
    --------
    >>> normalised([[0.333, 0.333, 0.333], [0.5, 0.5, 1.0]]).tolist()
    [[0.3333333333333333, 0.3333333333333333, 0.3333333333333333], [0.25, 0.25, 0.5]]
    """
    array = as_array("memberships", memberships)
    if array.ndim == 1:
        return array
    is_object = array.dtype.kind == "O"
    rational = is_object and all(isinstance(x, Rational) for x in array.flat)
    rows = _between_0_and_1("memberships", array, rational)
    sums = rows.sum(axis=1)
    for row in np.flatnonzero(sums == 0):
        raise ValueError(f"memberships[{row}] must have a sum above 0, got 0")
    return rows / sums[:, None]


def as_array(name: str, value: Memberships) -> np.ndarray:
    """Convert memberships or labels to an array of two dimensions or one. Its numbers are not checked.

    >>> as_array("U", ["a", "b"]).shape, as_array("U", [[1, 0], [0, 1]]).shape
    ((2,), (2, 2))
    """
    if isinstance(value, np.ma.MaskedArray):
        for place in np.argwhere(np.ma.getmaskarray(value)):
            raise ValueError(f"{name}[{place[0]}] must have no masked entries")
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
    """Return whether an element of a sequence is a row of memberships and not a label."""
    return isinstance(item, Sequence | np.ndarray) and not isinstance(item, str | bytes)


def _floats(name: str, array: np.ndarray) -> np.ndarray:
    """Return an array as floats. Raise if an element is not a finite number."""
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must hold numbers, got {_first_non_number(array)!r}") from None
    for bad in np.argwhere(~np.isfinite(numbers)):
        raise ValueError(
            f"{name}[{bad[0]}]: membership {numbers[tuple(bad)]} is not a number between 0 and 1"
        )
    return numbers


def _fractions_of_cells(name: str, array: np.ndarray) -> np.ndarray:
    """Return the matrix of Fractions of the argument ``name``, given as ``array``.

    Raise an error that names the row of an element that is not a finite number.
    """
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
    """Return the first element that is not a number, for an error message."""
    return next((x for x in array.ravel().tolist() if not isinstance(x, Real)), array.dtype)


def as_pair_of_memberships(
    U: Memberships, V: Memberships, *, exact: bool = False
) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return both membership matrices transposed, u (K, n) and v (L, n), and ``one``, the number that represents 1.

    ``one`` is 1.0 for floats. With ``exact`` it is the common denominator of all entries, which become integers.
    These are int64 if all sums of the indices fit in 64 bits (n^2 times the fourth power of ``one``), otherwise
    Python ints.

    >>> u, v, one = as_pair_of_memberships([[0.25, 0.75], [1, 0]], ["a", "b"], exact=True)
    >>> u.tolist(), v.tolist(), one
    ([[1, 4], [3, 0]], [[4, 0], [0, 4]], 4)
    """
    u = as_memberships("U", U, exact=exact).T
    v = as_memberships("V", V, exact=exact).T
    if u.shape[1] != v.shape[1]:
        raise ValueError(f"U and V must describe the same objects: U has {u.shape[1]} rows, V {v.shape[1]}")
    if not exact:
        return np.ascontiguousarray(u), np.ascontiguousarray(v), 1.0
    unity = math.lcm(*(x.denominator for side in (u, v) for x in side.flat))
    largest_sum = (u.shape[1] * unity**2) ** 2
    kind = np.int64 if largest_sum < 2**63 else object
    in_units = np.vectorize(int, otypes=[kind])
    return in_units(u * unity), in_units(v * unity), unity


def read_memberships(path: str | PathLike[str]) -> np.ndarray:
    """Read a file of memberships, a column for each cluster, or of hard labels, a single column.

    Parameters
    ----------
    path : str or PathLike
        A file with a header: .csv, .tsv, .parquet or .xlsx.

    Returns
    -------
    numpy.ndarray
        An (n, K) array of floats, or the n labels.

    Raises
    ------
    ValueError
        For a missing label, a cell that is not a number, and rows that do not sum to 1.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("a,b\\n0.75,0.25\\n0,1\\n")
    ...     file.flush()
    ...     read_memberships(file.name)
    array([[0.75, 0.25],
           [0.  , 1.  ]])
    """
    frame = read_frame(as_path("path", path))
    if len(frame.columns) == 1:
        labels = frame.iloc[:, 0]
        if labels.isna().any():
            row = int(labels.isna().to_numpy().argmax()) + 1
            raise ValueError(f"{path} has no label in {labels.isna().sum()} rows, first in data row {row}")
        return labels.to_numpy(dtype=object)
    try:
        memberships = frame.to_numpy(dtype=float)
    except ValueError as error:
        raise ValueError(f"{path} must hold a number in every cell: {error}") from error
    return as_memberships(str(path), memberships)


SoftNumber = float | Fraction
Argument = TypeVar("Argument")

CELLS_OF_BLOCK = 1 << 18
"""Number of pairs in a chunk. Its temporary arrays have 2 MiB and stay in the processor's cache."""


@dataclass(frozen=True)
class FuzzyPairCounts:
    """Numbers of pairs of objects by their agreement in two soft clusterings U and V.

    The methods are indices. If one is 0/0, it returns 1 if the clusterings agree on every pair, and otherwise does as
    its argument ``undefined`` says.

    Attributes
    ----------
    a, b, c, d : float or Fraction
        Pairs together in both, in U only, in V only, and apart in both. Integers for hard labels.
    pairs : int
        Number of pairs, n(n-1)/2.

    References
    ----------
    Hubert and Arabie (1985), for the indices.

    Examples
    --------
    >>> counts = FuzzyPairCounts(a=1.0, b=2.0, c=1.0, d=2.0, pairs=6)
    >>> counts.rand(), counts.adjusted_rand(), counts.jaccard(), counts.dice()
    (0.5, 0.0, 0.25, 0.4)
    """

    a: SoftNumber
    b: SoftNumber
    c: SoftNumber
    d: SoftNumber
    pairs: int

    def rand(self, undefined: Undefined = "raise") -> SoftNumber:
        """Return the Rand index (a + d)/(a + b + c + d), 1 if there is no pair.

        Parameters
        ----------
        undefined : {"raise", "nan"} or number
            Result if the index is 0/0. Default: "raise".

        Returns
        -------
        float or Fraction

        Examples
        --------
        >>> FuzzyPairCounts(a=1.0, b=2.0, c=1.0, d=2.0, pairs=6).rand()
        0.5
        """
        check_undefined(undefined)
        if self.pairs == 0:
            return type(self.a)(1)
        all_degrees = self.a + self.b + self.c + self.d
        return self._ratio("Rand index", self.a + self.d, all_degrees, undefined)

    def adjusted_rand(self, undefined: Undefined = "raise") -> SoftNumber:
        """Return the adjusted Rand index 2(ad - bc)/(b^2 + c^2 + 2ad + (a + d)(b + c)).

        It is 1 if there is no pair, or if b = c = 0 and a or d is not 0.

        Parameters
        ----------
        undefined : {"raise", "nan"} or number
            Result if the index is 0/0. Default: "raise".

        Returns
        -------
        float or Fraction

        Examples
        --------
        >>> FuzzyPairCounts(a=2.0, b=1.0, c=1.0, d=2.0, pairs=6).adjusted_rand()
        0.3333333333333333
        """
        check_undefined(undefined)
        a = self.a
        b = self.b
        c = self.c
        d = self.d
        if self.pairs == 0 or (b == c == 0 and (a or d)):
            return type(self.a)(1)
        numerator = 2 * (a * d - b * c)
        denominator = (a + b) * (b + d)
        denominator += (a + c) * (c + d)
        return self._ratio("adjusted Rand index", numerator, denominator, undefined)

    def jaccard(self, undefined: Undefined = "raise") -> SoftNumber:
        """Return the Jaccard index a/(a + b + c).

        Parameters
        ----------
        undefined : {"raise", "nan"} or number
            Result if the index is 0/0. Default: "raise".

        Returns
        -------
        float or Fraction

        Examples
        --------
        >>> FuzzyPairCounts(a=1.0, b=2.0, c=1.0, d=2.0, pairs=6).jaccard()
        0.25
        """
        return self._ratio("Jaccard index", self.a, self.a + self.b + self.c, undefined)

    def dice(self, undefined: Undefined = "raise") -> SoftNumber:
        """Return the Dice index 2a/(2a + b + c).

        Parameters
        ----------
        undefined : {"raise", "nan"} or number
            Result if the index is 0/0. Default: "raise".

        Returns
        -------
        float or Fraction

        Examples
        --------
        >>> FuzzyPairCounts(a=1.0, b=2.0, c=1.0, d=2.0, pairs=6).dice()
        0.4
        """
        return self._ratio(
            "Dice index",
            2 * self.a,
            2 * self.a + self.b + self.c,
            undefined,
        )

    def fowlkes_mallows(self, undefined: Undefined = "raise") -> float:
        """Return the Fowlkes-Mallows index a/sqrt((a + b)(a + c)) as a float.

        It is undefined if a factor is not positive.

        Parameters
        ----------
        undefined : {"raise", "nan"} or number
            Result if the index is 0/0. Default: "raise".

        Returns
        -------
        float

        Examples
        --------
        >>> FuzzyPairCounts(a=2.0, b=2.0, c=2.0, d=0.0, pairs=6).fowlkes_mallows()
        0.5
        """
        check_undefined(undefined)
        in_u = self.a + self.b
        in_v = self.a + self.c
        if in_u <= 0 or in_v <= 0:
            reason = "a clustering puts no pair together"
            return float(undefined_value(undefined, "Fowlkes-Mallows index", reason))
        return float(self.a) / math.sqrt(in_u * in_v)

    def _ratio(
        self, index: str, numerator: SoftNumber, denominator: SoftNumber, undefined: Undefined
    ) -> SoftNumber:
        """Return numerator/denominator of the index ``index``, or the result of ``undefined`` for x/0."""
        check_undefined(undefined)
        if denominator == 0:
            number = undefined_value(undefined, index, f"its denominator is zero for {self}")
            if isinstance(self.a, Fraction):
                return number
            return float(number)
        return numerator / denominator


def pair_blocks(n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield index arrays (i, j) that together contain every pair i < j < n once.

    A chunk has about ``CELLS_OF_BLOCK`` pairs. ``i`` and ``j`` broadcast against each other: x[i] - x[j] has one number
    for each pair.

    >>> [(int(a), int(b)) for i, j in pair_blocks(3) for a, b in np.broadcast(i, j)]
    [(0, 1), (0, 2), (1, 2)]
    """
    rows = max(1, CELLS_OF_BLOCK // n)
    for start in range(0, n, rows):
        look()
        stop = min(n, start + rows)
        i, j = np.triu_indices(stop - start, 1)
        if len(i):
            yield i + start, j + start
        if stop < n:
            yield np.arange(start, stop)[:, None], np.arange(stop, n)[None, :]


def sums_over_pairs(
    n: int, summands: Callable[[np.ndarray, np.ndarray], Iterable[Any]], exact: bool
) -> list[SoftNumber]:
    """Return the sums of some numbers over all pairs of n objects.

    ``summands(i, j)`` returns one array of numbers for each sum, given index arrays i and j of pairs. The sums are
    Fractions if ``exact``, otherwise floats that are rounded once.

    >>> sums_over_pairs(3, lambda i, j: (i + j, i * j), exact=True)
    [Fraction(6, 1), Fraction(2, 1)]
    """
    no_objects = np.zeros(0, np.int64)
    block_sums = []
    for i, j in chain([(no_objects, no_objects)], pair_blocks(n)):
        block_sums.append([degrees.sum() for degrees in summands(i, j)])
    return [total(parts, exact) for parts in zip(*block_sums)]


def total(parts: Iterable[Any], exact: bool) -> SoftNumber:
    """Return the sum of ``parts`` as a Fraction if ``exact``, otherwise as a float that is rounded once.

    >>> total([1, 2], exact=True), total([0.1] * 10, exact=False)
    (Fraction(3, 1), 1.0)
    """
    if exact:
        return Fraction(sum(map(int, parts)))
    return math.fsum(parts)
