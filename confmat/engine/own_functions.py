"""A user's function at many tables: in a compiled loop where Numba compiled the function, else one by one."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

Loop = Callable[[np.ndarray, np.ndarray], None]


def distinct_values(
    function: Callable[[np.ndarray], Any], tables: np.ndarray
) -> tuple[list[Any], np.ndarray]:
    """Values of ``function`` at tables (N x r x s, int64), most of them distinct, and which one every table has.

    A function compiled by ``numba.njit`` that returns a number, or a pair of whole numbers, runs without the
    interpreter, some hundred times faster; an error that it raises comes out either way.

    >>> distinct_values(lambda table: (int(table[0, 0]), 6), np.array([[[2, 1], [0, 3]], [[1, 1], [4, 0]]]))
    ([(2, 6), (1, 6)], array([0, 1]))
    """
    if not len(tables):
        return [], np.zeros(0, np.int64)
    compiled = _loop(function) if hasattr(function, "nopython_signatures") else None
    if compiled is None:
        tables = tables.view()
        tables.flags.writeable = (
            False  # a function that writes into its argument would change other statistics
        )
        return [function(table) for table in tables], np.arange(len(tables))
    loop, dtype, pair = compiled
    tables = np.ascontiguousarray(tables, np.int64)
    out = np.empty((len(tables), 2) if pair else len(tables), dtype)
    loop(tables, out)
    values, which = np.unique(out, axis=0 if pair else None, return_inverse=True)
    return [tuple(x) for x in values.tolist()] if pair else values.tolist(), which.reshape(-1)


@lru_cache(maxsize=64)
def _loop(function: Any) -> tuple[Loop, np.dtype, bool] | None:
    """A compiled loop that fills an array with the values, its dtype, and whether a value is a pair.

    None for functions that return anything else: they are called one by one.
    """

    from numba import njit, types
    from numba.np.numpy_support import as_dtype

    @njit
    def first(tables: np.ndarray) -> Any:
        return function(tables[0])

    first.compile((types.Array(types.int64, 3, "C"),))
    returned = first.nopython_signatures[0].return_type
    pair = isinstance(returned, types.UniTuple) and returned.count == 2
    number = returned.dtype if pair else returned
    wanted = (types.Integer, types.Boolean) if pair else (types.Integer, types.Boolean, types.Float)
    if not isinstance(number, wanted):
        return None

    @njit(nogil=True)
    def loop(tables: np.ndarray, out: np.ndarray) -> None:
        for i in range(len(tables)):
            out[i] = function(tables[i])

    @njit(nogil=True)
    def loop_of_pairs(tables: np.ndarray, out: np.ndarray) -> None:
        for i in range(len(tables)):
            out[i, 0], out[i, 1] = function(tables[i])

    return loop_of_pairs if pair else loop, as_dtype(number), pair
