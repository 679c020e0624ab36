"""Square confusion matrices, and the counts of one class against other classes."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from confmat._arguments import as_choice, as_count
from confmat.contingency.labels import as_labels, as_paired_labels, count_pairs, encode, label_values
from confmat.contingency.matrix import Cells, as_matrix, cell_margins, nonzero_cells, refuse_totals

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class TwoClass(NamedTuple):
    """Numbers of true positives, false negatives, false positives and true negatives of a class."""

    tp: int
    fn: int
    fp: int
    tn: int

    @property
    def empty(self) -> str:
        """Return a string that describes which of the denominators tp + fn, tp + fp and fp + tn are 0."""
        groups = {
            "no object is in the class": self.tp + self.fn,
            "none is predicted in it": self.tp + self.fp,
            "none is outside it": self.fp + self.tn,
        }
        return ", ".join(words for words, size in groups.items() if not size)


@dataclass(frozen=True, eq=False)
class ClassCounts:
    """Validated square confusion matrix.

    ``rows`` are the class sizes, ``cols`` the numbers of predictions, ``nonzero`` the non-zero cells.
    ``ClassCounts.of(matrix)`` validates a matrix once for several metrics. Every metric accepts it in place of a
    matrix.
    """

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    nonzero: Cells

    @classmethod
    def of(cls, matrix_or_y_true: Any, y_pred: Any = None, /, rows: str | None = None) -> ClassCounts:
        """Validate a confusion matrix, or count true and predicted labels.

        Parameters
        ----------
        matrix_or_y_true : array_like
            Confusion matrix, or the true labels.
        y_pred : array_like, optional
            The predicted labels.
        rows : {"truth", "predicted"}, optional
            Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".

        Returns
        -------
        ClassCounts

        Raises
        ------
        ValueError
            If the matrix is not square, has an entry that is negative or not an integer, or is all zero.

        Examples
        --------
        >>> ClassCounts.of([[3, 1], [0, 2]]).rest(0)
        TwoClass(tp=3, fn=1, fp=0, tn=2)
        >>> ClassCounts.of(["x", "x", "y"], ["x", "z", "y"]).rows
        (2, 1, 0)
        >>> ClassCounts.of([[3, 1, 0], [0, 2, 0]])
        Traceback (most recent call last):
        ...
        ValueError: matrix must be square (rows: true classes, columns: predicted classes), got shape 2 x 3
        """
        if isinstance(matrix_or_y_true, ClassCounts) and y_pred is None and rows is None:
            return matrix_or_y_true
        matrix = as_confusion_table(matrix_or_y_true, y_pred, rows)
        cells = nonzero_cells(matrix)
        r, s = cells.shape
        if r != s:
            raise ValueError(
                f"matrix must be square (rows: true classes, columns: predicted classes), got shape {r} x {s}"
            )
        if not cells.values:
            raise ValueError(f"matrix must count at least one object, got {r} x {s} zeros")
        return cls(*cell_margins(cells), cells)

    @cached_property
    def n(self) -> int:
        """Return the number of objects."""
        return sum(self.rows)

    @property
    def size(self) -> int:
        """Return the number of classes K, including classes without objects."""
        return len(self.rows)

    @cached_property
    def hits(self) -> dict[int, int]:
        """Return the number of correctly predicted objects by class, without zeros."""
        places = np.flatnonzero(self.nonzero.rows == self.nonzero.cols)
        return dict(
            zip(
                self.nonzero.rows[places].tolist(),
                (self.nonzero.values[k] for k in places),
            )
        )

    @cached_property
    def cells(self) -> dict[tuple[int, int], int]:
        """Return the non-zero cells by (row, column)."""
        places = zip(
            self.nonzero.rows.tolist(),
            self.nonzero.cols.tolist(),
        )
        return dict(zip(places, self.nonzero.values))

    def class_number(self, label: object) -> int:
        """Return the index of a class after checking it.

        Parameters
        ----------
        label : object
            An integer from 0 to K - 1.

        Returns
        -------
        int

        Raises
        ------
        ValueError
            If the index is not below K.

        Examples
        --------
        >>> ClassCounts.of([[3, 1], [0, 2]]).class_number(1)
        1
        """
        i = as_count("label", label)
        if i >= self.size:
            raise ValueError(f"label must be below the number of classes, {self.size}, got {i}")
        return i

    def correct(self, i: int) -> int:
        """Return the number of objects of class i that are predicted in it.

        Parameters
        ----------
        i : int

        Returns
        -------
        int

        Examples
        --------
        >>> ClassCounts.of([[3, 1], [0, 2]]).correct(0)
        3
        """
        return self.hits.get(i, 0)

    def rest(self, i: int) -> TwoClass:
        """Return the counts of class i against all other classes.

        Parameters
        ----------
        i : int

        Returns
        -------
        TwoClass

        Examples
        --------
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
        """Return the counts of class i against class j, of objects whose true and predicted classes are i or j.

        Parameters
        ----------
        i, j : int

        Returns
        -------
        TwoClass

        Examples
        --------
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
        """Return the counts of class i against class j, of all objects of these classes.

        An object that is not predicted in i counts as predicted in j (Hand and Till 2001).

        Parameters
        ----------
        i, j : int

        Returns
        -------
        TwoClass

        Examples
        --------
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


def as_confusion_table(matrix_or_y_true: Any, y_pred: Any = None, rows: str | None = None) -> Any:
    """Return a square table whose rows are the true classes, from labels or a confusion matrix.

    Parameters
    ----------
    matrix_or_y_true : array_like
        A confusion matrix, or the true labels. Rows and columns of a DataFrame are brought into the same order,
        with all classes that occur in either. The names of its dimensions can specify that its rows are the
        predicted classes.
    y_pred : array_like, optional
        The predicted labels of the same objects.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of the matrix. Default: by the names of its dimensions, otherwise "truth".

    Returns
    -------
    array_like
        A matrix without names of classes is returned unchanged, or transposed if ``rows="predicted"``.

    Raises
    ------
    ValueError
        If the matrix has totals or repeated classes, or its rows and columns have no common class. Also if its
        names contradict each other or ``rows``.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.crosstab(pd.Series(list("aab"), name="Predicted"), pd.Series(list("abc"), name="Actual"))
    >>> as_confusion_table(table).to_numpy().tolist()
    [[1, 0, 0], [1, 0, 0], [0, 1, 0]]
    """
    if rows is not None:
        as_choice("rows", rows, ("truth", "predicted"))
    if y_pred is not None:
        if rows is not None:
            raise ValueError(f"rows must be None for two sequences of labels, got {rows!r}")
        return confusion_matrix(matrix_or_y_true, y_pred)
    matrix = matrix_or_y_true
    if hasattr(matrix, "columns") and hasattr(matrix, "index"):
        rows = _rows_by_name(matrix, rows)
        matrix = _with_same_classes(matrix)
    elif rows == "predicted":
        matrix = as_matrix(matrix)
    return matrix.T if rows == "predicted" else matrix


def _rows_by_name(frame: Any, rows: str | None) -> str | None:
    """Return the axis that the rows of a DataFrame are: "truth" or "predicted".

    It is ``rows`` if given, otherwise what the names of its index and of its columns say. Return None if neither
    says it. Raise ValueError if they contradict each other.
    """
    names = frame.index.name, frame.columns.name
    of_index, of_columns = map(_side_of_name, names)
    by_name = of_index or _OTHER_SIDE.get(of_columns or "")
    is_contradicted = of_columns is not None and of_columns == by_name
    if is_contradicted or (rows is not None and by_name not in (None, rows)):
        raise ValueError(
            f"matrix must have true classes on one axis and predicted classes on the other, but its rows and columns "
            f"are named {names[0]!r} and {names[1]!r}{'' if rows is None else f', and rows={rows!r}'}"
        )
    return rows or by_name


_OTHER_SIDE = {"truth": "predicted", "predicted": "truth"}


def _side_of_name(name: object) -> str | None:
    """Return "truth" or "predicted" for the name of a dimension, or None if it means neither or both."""
    words = set(re.split(r"[\W_]+", str(name).casefold()))
    sides = []
    if words & {"truth", "true", "actual", "reference"}:
        sides.append("truth")
    if words & {"pred", "predicted", "prediction", "predictions"}:
        sides.append("predicted")
    return sides[0] if len(sides) == 1 else None


def _with_same_classes(frame: Any) -> Any:
    """Return a DataFrame of counts with the same classes in rows and columns, in the order of `label_values`.

    A class that is missing in the rows or in the columns has zeros there. A DataFrame without names of classes is
    returned unchanged. Raise ValueError if a class is named twice, or if rows and columns have no class in common.
    """
    refuse_totals(frame)
    rows = list(frame.index)
    cols = list(frame.columns)
    if rows == cols or all(type(axis).__name__ == "RangeIndex" for axis in (frame.index, frame.columns)):
        return frame
    if len({*rows}) < len(rows) or len({*cols}) < len(cols) or not {*rows} & {*cols}:
        raise ValueError(
            "matrix must have the same classes in rows and columns, each of them once, got rows "
            f"{rows[:5]} and columns {cols[:5]}"
        )
    classes = list(label_values([*rows, *cols]))
    return frame.reindex(index=classes, columns=classes, fill_value=0)


def confusion_matrix(
    y_true: Iterable[Hashable], y_pred: Iterable[Hashable], *, labels: Iterable[Hashable] | None = None
) -> np.ndarray | csr_array:
    """Count a square confusion matrix: rows are true classes, columns are predicted ones.

    The classes are those of both arguments, in the order of `label_values`. A class that occurs in one of them only
    has a row or a column of zeros.

    Parameters
    ----------
    y_true : iterable
        True labels.
    y_pred : iterable
        Predicted labels of the same objects.
    labels : iterable, optional
        Classes in the order of rows and columns. All classes that occur must be among them. scikit-learn's
        ``confusion_matrix`` drops the objects of other classes. Default: the classes that occur.

    Returns
    -------
    array of int, shape (K, K)
        A sparse array for many classes, as from `contingency_matrix`.

    Notes
    -----
    Time O(n + K^2).

    Examples
    --------
    >>> confusion_matrix(["x", "x", "y"], ["x", "z", "y"])
    array([[1, 0, 1],
           [0, 1, 0],
           [0, 0, 0]])
    """
    objects = as_paired_labels(y_true=y_true, y_pred=y_pred)
    (true, row_names), (predicted, col_names) = map(encode, ("y_true", "y_pred"), objects)
    are_texts = [{isinstance(name, str) for name in names} for names in (row_names, col_names)]
    if not are_texts[0] & are_texts[1]:
        raise ValueError(
            f"y_true and y_pred must have labels of one type, got {row_names[0]!r} and {col_names[0]!r}"
        )
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
        raise ValueError(f"labels must include every class that occurs, got labels without {missing[0]!r}")
    row_places = np.array([position[name] for name in row_names])
    col_places = np.array([position[name] for name in col_names])
    return count_pairs(row_places[true], col_places[predicted], (len(classes), len(classes)))
