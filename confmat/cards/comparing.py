"""The way in: two labelings or their matrix to a card, several labelings to a matrix of one index."""

from __future__ import annotations

from itertools import chain, count
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from confmat.arguments import as_count
from confmat.cards.comparisons import Comparison, compared
from confmat.cards.several import Comparisons, card_of_two, several
from confmat.matrices.labels import Missing
from confmat.matrices.matrix import as_matrix

if TYPE_CHECKING:
    from confmat.cards.soft import SoftComparison


@overload
def compare(U: NDArray[np.floating], V: NDArray[np.floating], /) -> SoftComparison: ...


@overload
def compare(
    labels_a: Any, labels_b: Any, /, *, index: str = ..., na: Missing = ..., rng: int = ...
) -> Comparison: ...


@overload
def compare(
    matrix_or_labels_a: Any, /, *others: Any, index: str = ..., na: Missing = ..., rng: int = ...
) -> Comparison | Comparisons | SoftComparison: ...


def compare(
    matrix_or_labels_a: Any,
    /,
    *others: Any,
    index: str = "ari",
    na: Missing = "refuse",
    rng: int = 0,
) -> Comparison | Comparisons | SoftComparison:
    """Compare two clusterings by every index: of their contingency matrix, or of two labelings of the same objects.

    More than two labelings, or a DataFrame of more than two columns of labels: one ``index`` of every pair.  Of a
    DataFrame two columns may be named: ``compare(frame, "truth", "found")``.  A frame is one of labels where a column
    holds anything but numbers, or where its columns are named and its rows are not; else it is a contingency matrix.

    Where one of two is memberships (two dimensions: objects in rows, clusters in columns), the card of soft indices
    with their ranges and their means by chance (`confmat.cards.soft`); the other may be labels.

    ``na``: "drop" leaves objects without a label out, "label" makes them a cluster (`contingency`); ``rng`` of the
    draws for the place of an index, where there are too many tables to count.  Errors as for each index
    (`confmat.indices.partition`); an index that is 0/0 is None.  SymmetryError where a statistic of one's own is
    declared to be the same for relabeled clusterings, and is not for this matrix.

    >>> result = compare(["x", "x", "y", "y"], [1, 2, 2, 2])
    >>> result["med"], result["ari"]
    (Fraction(1, 4), Fraction(0, 1))
    >>> result
    4 objects, 2 x 2 clusters; print it for all indices, and where they stand
      med             1/4 = 0.25
      nmed            1/2 = 0.5
      rd              1/2 = 0.5
      ri              1/2 = 0.5
      nrd             3/4 = 0.75
      ard             1
      ari             0
      mirkin          3/8 = 0.375
      fm              sqrt(1/6) = 0.4082483
      jaccard         1/4 = 0.25
      wallace_ab      1/2 = 0.5
      wallace_ba      1/3 = 0.3333333
      vi              3*log(3)/4 = 0.8239592
      mi              (6*log(2) - 3*log(3))/4 = 0.2157616
      entropy_a       log(2) = 0.6931472
      entropy_b       (8*log(2) - 3*log(3))/4 = 0.5623351
      and 15 more
    >>> round(compare([[0.9, 0.1], [0.5, 0.5], [0, 1]], ["x", "x", "y"])["sari"].value, 3)
    -0.149
    """
    if any(map(_is_memberships, (matrix_or_labels_a, *others))) and _are_sides(others):
        return _soft((matrix_or_labels_a, *others), na)
    labelings = _labelings_of(matrix_or_labels_a, others)
    rng = as_count("rng", rng)
    if labelings is None:
        matrix = as_matrix(matrix_or_labels_a)
        r, s = matrix.shape
        labels = _lines(matrix_or_labels_a, "index", r), _lines(matrix_or_labels_a, "columns", s)
        return compared(matrix, labels, ("a", "b"), rng)
    if len(labelings) > 2:
        return several(labelings, index, na)
    name_a, name_b = labelings
    return card_of_two(labelings, (name_a, name_b), na, rng)


def _is_memberships(side: Any) -> bool:
    """Whether it has two dimensions; a label may be a tuple.

    >>> [_is_memberships(side) for side in ([[0.5, 0.5]], np.eye(2), [("a", 1), ("b", 2)], ["x", "y"], "truth")]
    [True, True, False, False, False]
    """
    if hasattr(side, "ndim"):
        return bool(side.ndim == 2)
    if not isinstance(side, list | tuple) or not side:
        return False
    return isinstance(side[0], list | np.ndarray)


def _are_sides(arguments: tuple[Any, ...]) -> bool:
    """Return whether the arguments after the first are labelings or memberships, not names of its columns."""
    return bool(arguments) and not any(isinstance(argument, str | int) for argument in arguments)


def _soft(sides: tuple[Any, ...], na: Missing) -> SoftComparison:
    """The card of two sides of which one is memberships."""
    from confmat.cards.soft import compare_soft

    if len(sides) != 2:
        raise ValueError(f"memberships must be compared with one other clustering, got {len(sides) - 1}")
    if na != "refuse":
        raise ValueError(f"na must be 'refuse' for memberships, got {na!r}")
    return compare_soft(*sides)


def _labelings_of(first: Any, others: tuple[Any, ...]) -> dict[str, Any] | None:
    """Labelings by their names; None for a contingency matrix.

    >>> _labelings_of([1, 1, 2], ([1, 2, 2],))
    {'a': [1, 1, 2], 'b': [1, 2, 2]}
    """
    if hasattr(first, "columns") and (others or _holds_labels(first)):
        chosen = list(others or first.columns)
        missing = [name for name in chosen if not _is_column(name, first)]
        if missing:
            known = ", ".join(map(repr, first.columns))
            raise ValueError(f"columns must be among {known}, got {missing[0]!r}")
        if len(chosen) < 2:
            raise ValueError(f"columns must be two at least, got {', '.join(map(repr, chosen))}")
        return {str(name): first[name].tolist() for name in chosen}
    if not others:
        return None
    labelings: dict[str, Any] = {}
    names = chain(ascii_lowercase, map(str, count(len(ascii_lowercase) + 1)))
    for labels, otherwise in zip((first, *others), names):
        name = _name(labels, otherwise)
        labelings[name if name not in labelings else otherwise] = labels
    return labelings


def _holds_labels(frame: Any) -> bool:
    """Whether a frame holds labels, and no counts."""
    if not all(kind.kind in "iuf" for kind in frame.dtypes):
        return True
    are_named = all(isinstance(name, str) for name in frame.columns)
    are_numbered = frame.index.name is None and list(frame.index) == list(range(len(frame)))
    return are_named and are_numbered and frame.columns.name is None


def _is_column(name: Any, frame: Any) -> bool:
    return isinstance(name, str | int | tuple) and name in frame.columns


def _lines(matrix: Any, side: str, size: int) -> tuple[Any, ...]:
    """The labels of the rows or columns of a DataFrame, else their numbers from 1."""
    if hasattr(matrix, "columns"):
        return tuple(getattr(matrix, side))
    return tuple(range(1, size + 1))


def _name(labels: Any, otherwise: str) -> str:
    """That of a Series."""
    return str(getattr(labels, "name", None) or otherwise)
