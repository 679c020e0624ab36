"""Square confusion matrices: from labels or a table to the counts of one class against others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from confmat._arguments import as_count
from confmat.contingency.labels import as_labels, as_paired_labels, contingency_matrix, encode, label_values
from confmat.contingency.matrix import Cells, cell_margins, nonzero_cells

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class TwoClass(NamedTuple):
    """The counts of a positive class against a negative one."""

    tp: int
    fn: int
    fp: int
    tn: int

    @property
    def empty(self) -> str:
        """Which of the groups that ratios divide by hold no object, in words."""
        groups = {
            "no object is in the class": self.tp + self.fn,
            "none is predicted in it": self.tp + self.fp,
            "none is outside it": self.fp + self.tn,
        }
        return ", ".join(words for words, size in groups.items() if not size)


@dataclass(frozen=True, eq=False)
class ClassCounts:
    """A checked square confusion matrix: its class sizes, predicted sizes and non-zero cells, exact.

    ``ClassCounts.of(matrix)`` checks a matrix once where several metrics are wanted; every metric takes either, or
    true and predicted labels.
    """

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    nonzero: Cells

    @classmethod
    def of(cls, matrix_or_y_true: Any, y_pred: Any = None, /) -> ClassCounts:
        """Check a confusion matrix: square, whole numbers at least 0, not all zero; or count labels
        (`confusion_matrix`).

        >>> ClassCounts.of([[3, 1], [0, 2]]).rest(0)
        TwoClass(tp=3, fn=1, fp=0, tn=2)
        >>> ClassCounts.of(["x", "x", "y"], ["x", "z", "y"]).rows
        (2, 1, 0)
        >>> ClassCounts.of([[3, 1, 0], [0, 2, 0]])
        Traceback (most recent call last):
        ...
        ValueError: matrix must be square (rows: true classes, columns: predicted ones), got shape 2 x 3
        """
        if isinstance(matrix_or_y_true, ClassCounts) and y_pred is None:
            return matrix_or_y_true
        if y_pred is None:
            matrix = matrix_or_y_true
        else:
            matrix = confusion_matrix(matrix_or_y_true, y_pred)
        cells = nonzero_cells(matrix)
        r, s = cells.shape
        if r != s:
            raise ValueError(
                f"matrix must be square (rows: true classes, columns: predicted ones), got shape {r} x {s}"
            )
        if not cells.values:
            raise ValueError(f"matrix must count at least one object, got {r} x {s} zeros")
        rows, cols = cell_margins(cells)
        return cls(rows, cols, cells)

    @cached_property
    def n(self) -> int:
        """Number of objects."""
        return sum(self.rows)

    @property
    def size(self) -> int:
        """Number of classes K, with those that hold no object."""
        return len(self.rows)

    @cached_property
    def hits(self) -> dict[int, int]:
        """How many objects of each class are predicted in it, where there are any."""
        places = np.flatnonzero(self.nonzero.rows == self.nonzero.cols)
        return dict(
            zip(
                self.nonzero.rows[places].tolist(),
                (self.nonzero.values[k] for k in places),
            )
        )

    @cached_property
    def cells(self) -> dict[tuple[int, int], int]:
        """The non-zero cells by row and column; only pairs of classes need them all."""
        places = zip(
            self.nonzero.rows.tolist(),
            self.nonzero.cols.tolist(),
        )
        return dict(zip(places, self.nonzero.values))

    def class_number(self, label: object) -> int:
        """Check the number of a class, from 0 to K - 1.

        >>> ClassCounts.of([[3, 1], [0, 2]]).class_number(1)
        1
        """
        i = as_count("label", label)
        if i >= self.size:
            raise ValueError(f"label must be below the number of classes, {self.size}, got {i}")
        return i

    def correct(self, i: int) -> int:
        """How many objects of class i are predicted in it.

        >>> ClassCounts.of([[3, 1], [0, 2]]).correct(0)
        3
        """
        return self.hits.get(i, 0)

    def rest(self, i: int) -> TwoClass:
        """Class i against all others together.

        >>> ClassCounts.of([[3, 1, 0], [0, 2, 0], [1, 0, 4]]).rest(0)
        TwoClass(tp=3, fn=1, fp=1, tn=6)
        """
        tp = self.correct(i)
        row = self.rows[i]
        col = self.cols[i]
        return TwoClass(
            tp,
            row - tp,
            col - tp,
            self.n - row - col + tp,
        )

    def pair(self, i: int, j: int) -> TwoClass:
        """Class i against class j: objects of these classes that are predicted in one of them.

        >>> ClassCounts.of([[3, 1, 0], [0, 2, 0], [1, 0, 4]]).pair(0, 2)
        TwoClass(tp=3, fn=0, fp=1, tn=4)
        """
        return TwoClass(
            self.correct(i),
            self.cells.get((i, j), 0),
            self.cells.get((j, i), 0),
            self.correct(j),
        )

    def ovo(self, i: int, j: int) -> TwoClass:
        """Class i against class j: all objects of these classes, predicted in i or not (Hand & Till 2001).

        >>> ClassCounts.of([[3, 1, 0], [0, 2, 0], [1, 0, 4]]).ovo(0, 2)
        TwoClass(tp=3, fn=1, fp=1, tn=4)
        """
        tp = self.correct(i)
        fp = self.cells.get((j, i), 0)
        return TwoClass(
            tp,
            self.rows[i] - tp,
            fp,
            self.rows[j] - fp,
        )


def confusion_matrix(
    y_true: Iterable[Hashable], y_pred: Iterable[Hashable], *, labels: Iterable[Hashable] | None = None
) -> np.ndarray | csr_array:
    """Square confusion matrix of a classifier: rows true classes, columns predicted ones.

    Rows and columns stand for the union of the labels on both sides, in the order of `label_values`, so a class
    that occurs on one side only has a row or a column of zeros.  ``labels`` gives the order instead, and may
    name more classes; it must name all that occur (scikit-learn's ``confusion_matrix`` drops the objects of
    those that it does not).  Otherwise as `contingency_matrix`: O(n + K^2), sparse for many classes.

    >>> confusion_matrix(["x", "x", "y"], ["x", "z", "y"])
    array([[1, 0, 1],
           [0, 1, 0],
           [0, 0, 0]])
    """
    objects = as_paired_labels(y_true=y_true, y_pred=y_pred)
    (true, row_names), (predicted, col_names) = map(encode, ("y_true", "y_pred"), objects)
    table = contingency_matrix(true, predicted)
    if labels is None:
        classes = label_values([*row_names, *col_names])
    else:
        classes = tuple(as_labels("labels", labels))
    position = {name: i for i, name in enumerate(classes)}
    if len(position) < len(classes):
        twice = next(name for i, name in enumerate(classes) if position[name] != i)
        raise ValueError(f"labels must be distinct, got {twice!r} more than once")
    missing = [name for name in (*row_names, *col_names) if name not in position]
    if missing:
        raise ValueError(f"labels must name every class that occurs, but {missing[0]!r} is not among them")
    rows = np.array([position[name] for name in row_names])
    cols = np.array([position[name] for name in col_names])
    shape = (len(classes), len(classes))
    if not isinstance(table, np.ndarray):
        from scipy.sparse import coo_array

        coo = table.tocoo()
        return coo_array((coo.data, (rows[coo.row], cols[coo.col])), shape=shape).tocsr()
    square = np.zeros(shape, dtype=np.int64)
    square[np.ix_(rows, cols)] = table
    return square
