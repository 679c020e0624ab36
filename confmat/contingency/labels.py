"""Contingency matrices of two labelings of the same objects."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Set
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Missing = Literal["refuse", "drop", "label"]
"""Treatment of objects without a label."""


class _NA:
    """Label of the cluster of all objects without a label. It is sorted after every other label."""

    def __lt__(self, label: object) -> bool:
        return False

    def __gt__(self, label: object) -> bool:
        return label is not self

    def __repr__(self) -> str:
        return "NA"


NA = _NA()
"""The label of all objects without a label, for ``na="label"``."""

# A dense table of up to this many cells (8 bytes each) is always affordable.
_CELLS_ALWAYS_DENSE = 10**6

# Largest number of labels that an iterator may yield.
_MOST_WITHOUT_LENGTH = 10**7


def contingency_matrix(
    labels_a: Iterable[Hashable],
    labels_b: Iterable[Hashable],
    *,
    sparse: bool | None = None,
    na: Missing = "refuse",
) -> np.ndarray | csr_array:
    """Count the objects with label i in ``labels_a`` and label j in ``labels_b``.

    Rows and columns are sorted if Python can sort the labels, otherwise in order of first appearance
    (`label_values`).

    Parameters
    ----------
    labels_a, labels_b : iterable
        Hashable labels in a list, an array or a column of pandas, polars or pyarrow, paired by position. Labels
        that are equal in Python (1, 1.0, True) are the same label. Two pandas Series must have equal indexes.
    sparse : bool, optional
        Return a sparse array. Default: if there are more than 10^6 cells, of which fewer than a quarter can be
        filled.
    na : {"refuse", "drop", "label"}
        Treatment of missing labels (None, NaN, NaT, pandas NA, nulls, masked entries). "drop" leaves out objects
        with a missing label. "label" makes them a cluster `NA`, the last one. Default: "refuse".

    Returns
    -------
    array of int, shape (r, s)
        An int64 array, or a ``scipy.sparse.csr_array``.

    Raises
    ------
    ValueError
        For labelings of different lengths or indexes, without objects, or with missing labels.
    TypeError
        For labels that cannot be hashed, and for text, sets and mappings.

    Notes
    -----
    Time O(n + r log r + s log s). Memory O(n) if the result is sparse.

    Examples
    --------
    >>> contingency_matrix(["x", "x", "y", "y"], [2, 2, 2, 1])
    array([[0, 2],
           [1, 1]])
    >>> contingency_matrix(["x", "x", "y", None], [2, 2, 2, 1], na="drop")
    array([[2],
           [1]])
    """
    items_a, items_b = as_paired_labels(na, labels_a=labels_a, labels_b=labels_b)
    codes_a, values_a = encode("labels_a", items_a)
    codes_b, values_b = encode("labels_b", items_b)
    shape = (len(values_a), len(values_b))
    return count_pairs(codes_a, codes_b, shape, sparse)


def count_pairs(
    rows: np.ndarray, cols: np.ndarray, shape: tuple[int, int], sparse: bool | None = None
) -> np.ndarray | csr_array:
    """Return the r x s matrix with the number of objects in each cell, given the row and column of each object.

    ``sparse`` is as in `contingency_matrix`.

    >>> count_pairs(np.array([0, 1, 1]), np.array([0, 2, 2]), (2, 3)).tolist()
    [[1, 0, 0], [0, 0, 2]]
    """
    r, s = shape
    if sparse is None:
        sparse = r * s > max(_CELLS_ALWAYS_DENSE, 4 * len(rows))
    if sparse:
        from scipy.sparse import coo_array

        ones = np.ones(len(rows), dtype=np.int64)
        return coo_array((ones, (rows, cols)), shape=shape).tocsr()
    return np.bincount(rows * s + cols, minlength=r * s).reshape(shape)


def label_values(labels: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Return the distinct labels in the order of the rows or columns of `contingency_matrix`.

    Parameters
    ----------
    labels : iterable
        Hashable labels.

    Returns
    -------
    tuple
        Sorted if Python can sort the labels, otherwise in order of first appearance.

    Raises
    ------
    ValueError, TypeError
        As from `contingency_matrix`.

    Examples
    --------
    >>> label_values(["b", "a", "b"]), label_values(["b", (1, 2), 3])
    (('a', 'b'), ('b', (1, 2), 3))
    """
    return encode("labels", as_labels("labels", labels))[1]


def encode(name: str, items: list[Any]) -> tuple[np.ndarray, tuple[Hashable, ...]]:
    """Return the index of each label among the distinct labels as an array, and the distinct labels as a tuple.

    ``items`` are the labels, and ``name`` is the argument in error messages. Distinct labels are sorted if Python
    can sort them. Raise TypeError for a label that is not hashable, ValueError for a missing label.

    >>> encode("a", ["y", "x", "y"])
    (array([1, 0, 1]), ('x', 'y'))
    """
    codes: dict[Hashable, int] = {}
    try:
        code_of_item = np.array([codes.setdefault(item, len(codes)) for item in items], dtype=np.int64)
    except TypeError:
        i = next(i for i, item in enumerate(items) if not _is_hashable(item))
        raise TypeError(f"{name}[{i}] must be hashable, got {items[i]!r}") from None
    if any(is_missing(value) for value in codes):
        lost = [i for i, item in enumerate(items) if is_missing(item)]
        raise ValueError(
            f"{name} must not have missing labels, got {items[lost[0]]!r} at position {lost[0]} ({len(lost)} of "
            f'{len(items)}). Remove them, or pass contingency_matrix(..., na="drop") or na="label"'
        )
    try:
        values = sorted(codes)  # type: ignore[type-var]
    except TypeError:
        return code_of_item, tuple(codes)
    position = np.empty(len(values), dtype=np.int64)
    position[[codes[value] for value in values]] = np.arange(len(values))
    return position[code_of_item], tuple(values)


def as_paired_labels(na: Missing = "refuse", /, **labelings: Any) -> tuple[list[Any], list[Any]]:
    """Return two labelings of the same objects as lists of equal length.

    The keywords are the names of the arguments in error messages. ``na`` is as in `contingency_matrix`, except that
    "refuse" does not look for missing labels: `encode` raises for them.

    >>> as_paired_labels(truth=[0, 1], found=("x", "y"))
    ([0, 1], ['x', 'y'])
    >>> as_paired_labels("label", truth=[0, None], found=(float("nan"), "y"))
    ([0, NA], [NA, 'y'])
    """
    if na not in get_args(Missing):
        raise ValueError(f"na must be one of {', '.join(get_args(Missing))}, got {na!r}")
    (name_a, a), (name_b, b) = labelings.items()
    items_a = as_labels(name_a, a)
    items_b = as_labels(name_b, b)
    if len(items_a) != len(items_b):
        raise ValueError(
            f"{name_a} and {name_b} must have the same length, got {len(items_a)} and {len(items_b)}"
        )
    index_a: Any = getattr(a, "index", None)
    index_b: Any = getattr(b, "index", None)
    # Only the index of a pandas Series has equals. Lists and tuples have a method index.
    if hasattr(index_a, "equals") and hasattr(index_b, "equals") and not index_a.equals(index_b):
        i = next((i for i, pair in enumerate(zip(index_a, index_b)) if pair[0] != pair[1]), 0)
        raise ValueError(
            f"{name_a} and {name_b} must have equal indexes, got {index_a[i]!r} and {index_b[i]!r} at position "
            f"{i}. Align them, or pass .array to pair them by position"
        )
    if na == "label":
        return _with_na(items_a), _with_na(items_b)
    if na == "drop":
        complete_pairs = [pair for pair in zip(items_a, items_b) if not any(map(is_missing, pair))]
        if not complete_pairs:
            raise ValueError(
                f"{name_a} and {name_b} must have an object with both labels, got none among {len(items_a)}"
            )
        items_a, items_b = map(list, zip(*complete_pairs))
    return items_a, items_b


def _with_na(items: list[Any]) -> list[Any]:
    return [NA if is_missing(item) else item for item in items]


def as_labels(name: str, labels: Iterable[Hashable]) -> list[Any]:
    """Return ``labels`` as a non-empty list of Python objects.

    At most 10^7 labels are read from an iterator. ``name`` is the argument named in error messages.

    >>> as_labels("a", np.array([2, 1, 2])), as_labels("b", ("x", None))
    ([2, 1, 2], ['x', None])
    """
    if isinstance(labels, str | bytes | Mapping | Set):
        raise TypeError(f"{name} must be a sequence of labels, got {type(labels).__name__}: {labels!r:.60}")
    shape = getattr(labels, "shape", (None,))
    if len(shape) != 1:
        if len(shape) == 2:
            hint = ". Pass memberships to functions of confmat.indices.soft"
        else:
            hint = ""
        raise ValueError(f"{name} must be one-dimensional, got shape {shape}{hint}")
    # NumPy writes dates as bare integers in tolist(); iteration keeps them dates.
    dates = isinstance(labels, np.ndarray) and labels.dtype.kind in "mM"
    # tolist of NumPy (None for masked entries) and pandas, to_pylist of pyarrow, whose scalars cannot be sorted.
    listed: Any = getattr(labels, "tolist", getattr(labels, "to_pylist", None))
    try:
        if listed is None and not hasattr(labels, "__len__"):
            labels = list(islice(labels, _MOST_WITHOUT_LENGTH + 1))
            if len(labels) > _MOST_WITHOUT_LENGTH:
                raise ValueError(
                    f"{name} must have at most {_MOST_WITHOUT_LENGTH:,} labels if it has no length, got more, "
                    f"beginning with {labels[0]!r}. Pass a list"
                )
        items: list[Any] = list(labels) if dates or listed is None else listed()
    except TypeError:
        raise TypeError(f"{name} must be a sequence of labels, got {labels!r}") from None
    if not items:
        raise ValueError(f"{name} must not be empty")
    return items


def _is_hashable(item: object) -> bool:
    try:
        hash(item)
    except TypeError:
        return False
    return True


def is_missing(value: Any) -> bool:
    """Return whether a label is missing: None, or a value that differs from itself (NaN, NaT, pandas NA).

    >>> is_missing(None), is_missing(float("nan")), is_missing("NA")
    (True, True, False)
    """
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA != pandas.NA has no truth value
        return True
    except ValueError:  # an array, which is not a label either
        return False
