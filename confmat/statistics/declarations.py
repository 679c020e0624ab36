"""The declared symmetry of a user's function of a table: tested once on small tables, then assumed.

A test on small tables is no proof, so a result that relies on a declared symmetry says so and is not called proved.
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
    """All tables of each small shape and total from 2 on, empty rows and columns allowed."""
    totals = [(n, r, s) for r, s, largest in _SMALL for n in range(2, largest + 1)]
    return tuple(tuple(map(read_only, Tables(*size, allow_empty=True))) for size in totals)


def check_symmetry(
    name: str,
    symmetry: Generators,
    function: Callable[[np.ndarray], Any],
    same: Callable[[Any, Any], bool],
) -> None:
    """Check that a function has a declared symmetry on all tables of small totals.

    Tables at which the function raises an error are passed over.

    Parameters
    ----------
    name : str
        The function in error messages.
    symmetry : frozenset of str
        Generators, of "rows", "columns", "simultaneous" and "transposition".
    function : callable
        Called with an r x s int64 array.
    same : callable
        Whether two values are equal.

    Raises
    ------
    SymmetryError
        With a table, its image and the two values.

    Examples
    --------
    >>> check_symmetry("corner", frozenset({"rows"}), lambda table: int(table[0, 0]), int.__eq__)
    Traceback (most recent call last):
    ...
    confmat.errors.SymmetryError: symmetry 'rows' is declared of corner, which is 0 at 0,0;1,1 and 1 at 1,1;0,0
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
                        f"symmetry {generator!r} is declared of {name}, which is {x} at {matrix_text(table)} "
                        f"and {y} at {matrix_text(image)}"
                    )


def _values(function: Callable[[np.ndarray], Any], tables: tuple[np.ndarray, ...]) -> dict[Any, Any]:
    """The value at each table at which the function returns one, by the table as nested tuples."""
    values = {}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for table in tables:
            try:
                values[nested(table)] = function(table.copy())
            except Exception:  # of the user's function at this table
                continue
    return values
