"""Test of the symmetry that a user declares for a function of a table.

The symmetry is tested on small tables and then assumed for all tables. This is not a proof. A result that relies on
a declared symmetry reports so, and is not called proved.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from confmat._integers.arrays import read_only
from confmat.classes import Tables
from confmat.classes.orbits import ONLY_SQUARE, Generators, images, nested
from confmat.contingency.texts import matrix_text
from confmat.errors import SymmetryError

# Rows, columns and the largest total of the tables on which a declared symmetry is tested.
_SMALL = ((2, 2, 5), (2, 3, 4), (3, 3, 3))


@lru_cache(maxsize=1)
def small_tables() -> tuple[tuple[np.ndarray, ...], ...]:
    """Return a tuple of all tables, for each of some small shapes and totals >= 2.

    Rows and columns may be empty.
    """
    totals = [(n, r, s) for r, s, largest in _SMALL for n in range(2, largest + 1)]
    return tuple(tuple(map(read_only, Tables(*size, allow_empty=True))) for size in totals)


def check_symmetry(
    name: str,
    symmetry: Generators,
    function: Callable[[np.ndarray], Any],
    same: Callable[[Any, Any], bool],
) -> None:
    """Check on all small tables that a function has a declared symmetry.

    Tables at which the function raises an error are ignored.

    Parameters
    ----------
    name : str
        The function in error messages.
    symmetry : frozenset of str
        Generators of the symmetry: any of "rows", "columns", "simultaneous" and "transposition".
    function : callable
        Function of an r x s int64 array.
    same : callable
        Function of two values that returns whether they are equal.

    Raises
    ------
    SymmetryError
        If the values at a table and at its image differ.

    Examples
    --------
    >>> check_symmetry("corner", frozenset({"rows"}), lambda table: int(table[0, 0]), int.__eq__)
    Traceback (most recent call last):
    ...
    confmat.errors.SymmetryError: symmetry 'rows' is declared for corner, but its value is 0 at 0,0;1,1 and 1 at 1,1;0,0
    """
    for tables in small_tables():
        r, s = tables[0].shape
        generators = symmetry if r == s else symmetry - ONLY_SQUARE
        values = _values(function, tables) if generators else {}
        for table in tables if values else ():
            for generator, image in images(table, generators):
                x, y = values.get(nested(table)), values.get(nested(image))
                if x is not None and y is not None and not same(x, y):
                    raise SymmetryError(
                        f"symmetry {generator!r} is declared for {name}, but its value is {x} at "
                        f"{matrix_text(table)} and {y} at {matrix_text(image)}"
                    )


def _values(function: Callable[[np.ndarray], Any], tables: tuple[np.ndarray, ...]) -> dict[Any, Any]:
    """Return a dict from tables (nested tuples) to the values of a function, except where it raises an error."""
    values = {}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for table in tables:
            try:
                values[nested(table)] = function(table.copy())
            except Exception:  # of the user's function at this table
                continue
    return values
