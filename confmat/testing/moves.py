"""Symmetries of tables and tables near one, as Hypothesis strategies."""

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
    """A permutation of rows and one of columns, then perhaps transposition; call it on a table.

    Row i of the image is row ``rows[i]``, and column j is column ``cols[j]``.

    >>> Symmetry((1, 0), (0, 1, 2))([[1, 2, 3], [4, 5, 6]])
    array([[4, 5, 6],
           [1, 2, 3]])
    """

    rows: Composition
    cols: Composition
    transpose: bool = False

    def __call__(self, table: Any) -> np.ndarray:
        """The image of a table of the right shape; ValueError for another one."""
        array = np.asarray(table)
        shape = (len(self.rows), len(self.cols))
        if array.shape != shape:
            raise ValueError(f"table must have shape {shape}, got {array.shape}")
        image = array[np.ix_(self.rows, self.cols)]
        return image.T if self.transpose else image


def symmetries(
    shape: tuple[int, int], *, transpose: bool = True, simultaneous: bool = False
) -> SearchStrategy[Symmetry]:
    """Permutations of the rows and columns of tables of this shape, with transposition unless it is refused.

    ``simultaneous``: one permutation of both, and no transposition, as when classes get other names; the shape must be
    a square's, else ValueError.

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
    """Tables that differ from ``matrix`` by at most the share ``med`` of its objects, each moved to another cell.

    They have its total and shape, and their MED differs from its own by at most ``med`` (a number from 0 to 1,
    best a Fraction; a float is read as the decimal that it prints), and no line is empty if none of ``matrix`` is.
    Shrinks to ``matrix`` itself.

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
