"""Hypothesis strategies for symmetries of tables, and for tables close to a table."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat._arguments import as_flag
from confmat._integers.compositions import Composition
from confmat.testing.arguments import (
    as_shape,
    as_table,
    unless,
)
from confmat.testing.draws import (
    draw_near,
    shown_as,
)


@dataclass(frozen=True)
class Symmetry:
    """Permutation of rows and of columns, then optionally transposition. Call it on a table.

    Row i of the image is row ``rows[i]``, and column j is column ``cols[j]``.

    >>> Symmetry((1, 0), (0, 1, 2))([[1, 2, 3], [4, 5, 6]])
    array([[4, 5, 6],
           [1, 2, 3]])
    """

    rows: Composition
    cols: Composition
    transpose: bool = False

    def __call__(self, table: Any) -> np.ndarray:
        """Return the image of a table. Raise ValueError if its shape does not fit."""
        array = np.asarray(table)
        shape = (len(self.rows), len(self.cols))
        if array.shape != shape:
            raise ValueError(f"table must have shape {shape}, got {array.shape}")
        image = array[np.ix_(self.rows, self.cols)]
        return image.T if self.transpose else image


def symmetries(
    shape: tuple[int, int], *, transpose: bool = True, simultaneous: bool = False
) -> SearchStrategy[Symmetry]:
    """Draw permutations of the rows and columns of tables of a shape, and transpositions.

    Parameters
    ----------
    shape : (int, int)
        Numbers of rows and columns.
    transpose : bool
        Draw transpositions too. Default: True.
    simultaneous : bool
        Draw one permutation for rows and columns, without transposition, as for renamed classes of a classifier.
        Default: False.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of Symmetry

    Raises
    ------
    ValueError
        If ``simultaneous`` is True and the shape is not square.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(symmetries((2, 3)), lambda symmetry: symmetry.rows != (0, 1))
    Symmetry(rows=(1, 0), cols=(0, 1, 2), transpose=False)
    """
    r, s = as_shape(shape)
    if as_flag("simultaneous", simultaneous):
        if r != s:
            raise ValueError(f"shape must be square for simultaneous=True, got {(r, s)}")
        orders_alike = st.permutations(range(r)).map(lambda order: Symmetry(tuple(order), tuple(order)))
        return shown_as("symmetries", orders_alike)((r, s), simultaneous=True)
    flips = st.booleans() if as_flag("transpose", transpose) else st.just(False)
    symmetries_of_shape = st.builds(
        Symmetry,
        st.permutations(range(r)).map(tuple),
        st.permutations(range(s)).map(tuple),
        flips,
    )
    return shown_as("symmetries", symmetries_of_shape)(
        (r, s),
        **unless(True, transpose=bool(transpose)),
    )


def near(matrix: Any, *, med: Any) -> SearchStrategy[np.ndarray]:
    """Draw tables that result from ``matrix`` if at most the fraction ``med`` of its objects moves to other cells.

    The tables have the total and shape of ``matrix``, and their MED differs from that of ``matrix`` by at most
    ``med``. They have no empty row or column if ``matrix`` has none. They shrink to ``matrix``.

    Parameters
    ----------
    matrix : array_like
        Contingency table.
    med : int, float or Fraction
        Number from 0 to 1. A float means the decimal number that is printed for it.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of numpy.ndarray

    Examples
    --------
    >>> from hypothesis import find
    >>> find(near([[5, 0], [0, 5]], med=0.3), lambda table: table[1, 0] == 3)
    array([[2, 0],
           [3, 5]])
    """
    cells = as_table(matrix)
    try:
        share = Fraction(str(med) if isinstance(med, float) else med)
    except (TypeError, ValueError):
        raise TypeError(f"med must be a number from 0 to 1, got {med!r}") from None
    if not 0 <= share <= 1:
        raise ValueError(f"med must be a number from 0 to 1, got {med!r}")
    return draw_near(cells.tolist(), med=share)
