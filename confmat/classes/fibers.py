"""Number of matrices with given row and column sums (the *fiber* of the margins).

Two rows have a closed form, and so have rows of sum 1. Otherwise there are two methods, and the faster one is used.
For few rows or columns of any size, rows are added one at a time to an array indexed by the column sums. The last
column sum follows from the total and has no axis. The work is the product of c_j + 1 over all columns but one.
Roots of unity (``roots_of_unity``) take work in proportion to multisets of roots, which are few if sums are equal.

Results are exact: int64 arrays are used only if a bound proves that the entries fit, otherwise Python integers.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import lru_cache, partial
from math import comb, prod
from typing import NamedTuple

import numpy as np

from confmat._integers.compositions import (
    Composition,
    arrangements,
    bounded_compositions_count,
    tables_at_most,
)
from confmat._limits import duration, look
from confmat.errors import TooLargeError

MAX_STATES = 20_000_000  # entries of an array, 160 MB of int64
MAX_MULTISETS = 1_000_000  # vectors of column sums up to order
CACHED = 1 << 16  # entries of one step
STATES_AT_ONCE = 10**5  # smaller arrays take milliseconds, and roots of unity would load Numba first
MOST_SECONDS = 600.0  # limit of a count
MOST_SHOWN = 200  # characters of margins in a message


def fiber_count(rows: Composition, cols: Composition, seconds: float = MOST_SECONDS) -> int:
    """Return the number of non-negative integer matrices with row sums ``rows`` and column sums ``cols``.

    Their totals must be equal. Raise TooLargeError if every method takes more than ``seconds``.

    >>> fiber_count((10, 62, 13, 11, 39), (65, 25, 45))
    239382173
    """
    return _number_of_tables(*sorted_margins(rows, cols), seconds)


@lru_cache(maxsize=100_000)
def _number_of_tables(rows: Composition, cols: Composition, seconds: float) -> int:
    """Return the number of matrices with sorted positive margins.

    Raise TooLargeError if it takes more than ``seconds``.
    """
    way = way_to_count(rows, cols)
    if way.seconds > seconds:
        reason = f"{way.name} would take about {duration(way.seconds)} (limit {duration(seconds)})"
        raise too_large(rows, cols, reason)
    return way.answer()


def sorted_margins(rows: Composition, cols: Composition) -> tuple[Composition, Composition]:
    """Return both margins without zeros and in increasing order, possibly interchanged.

    The second margin of the result is the one with fewer ``states``, so that the arrays of the recursion are small.

    >>> sorted_margins((5, 0, 3), (1, 7))
    ((3, 5), (1, 7))
    """
    margins = (tuple(sorted(filter(None, margin))) for margin in (rows, cols))
    caps, lines = sorted(margins, key=states)
    return lines, caps


class Way(NamedTuple):
    """Method to count matrices with fixed margins, and its forecast CPU seconds."""

    name: str
    answer: Callable[[], int]
    seconds: float = 0.0


# Seconds of an addition of int64, and the number of such additions that take as long as one of Python integers.
_RATE_OF_ARRAYS = 60e-9
_STEPS_OF_INTEGER = 50


def way_to_count(rows: Composition, cols: Composition) -> Way:
    """Return the method to count matrices with these margins, given as the result of ``sorted_margins``.

    Raise TooLargeError if no method can count them.

    >>> [way_to_count((a,) * lines, (a,) * lines).name for a, lines in ((2000, 2), (2000, 3), (2, 30))]
    ['formula', 'arrays', 'roots of unity']
    """
    number = _by_formula(rows, cols)
    if number is not None:
        return Way("formula", lambda: number)
    size = states(cols)
    # The first row of each half takes no additions. A larger number is not converted to float.
    steps = min(size, 10**300) * (len(rows) - 2)
    if tables_at_most(rows, cols) >= 2**63:
        steps *= _STEPS_OF_INTEGER
    arrays = Way("arrays", lambda: _count_by_halves(rows, cols), _RATE_OF_ARRAYS * steps)
    if size <= STATES_AT_ONCE:
        return arrays
    from confmat.classes.roots_of_unity import by_roots, count_by_roots

    roots = by_roots(rows, cols)
    if roots is not None and (size > MAX_STATES or roots.seconds < arrays.seconds):
        return Way("roots of unity", partial(count_by_roots, rows, cols), roots.seconds)
    if size > MAX_STATES:
        limit = f"arrays would take {short(size)} states (at most {MAX_STATES:.0e})"
        raise too_large(rows, cols, f"{limit}, and roots of unity do not apply to such sums")
    return arrays


def _by_formula(rows: Composition, cols: Composition) -> int | None:
    """Return the number of matrices by a closed form, or None if there is none.

    There is one for at most two rows or columns, and for margins whose row sums or column sums are all 1.
    """
    for lines, caps in ((rows, cols), (cols, rows)):
        if len(lines) <= 1:
            return 1
        if len(lines) == 2:
            return bounded_compositions_count(lines[0], caps)
        if lines[-1] == 1:
            return arrangements(caps)
    return None


def too_large(rows: Composition, cols: Composition, reason: str) -> TooLargeError:
    """Return the error for margins that are too large to count.

    >>> too_large((2**30,) * 4, (2**30,) * 4, "they are").args[0][-32:]
    'are too large to count: they are'
    """
    margins = f"rows and cols {rows} x {cols}"
    if len(margins) > MOST_SHOWN:
        margins = f"rows and cols of {len(rows)} x {len(cols)} tables with total {short(sum(rows))}"
    return TooLargeError(f"{margins} are too large to count: {reason}")


def short(count: int) -> str:
    """Return a count as a string: all digits below 10^20, otherwise four significant digits.

    >>> short(10**6), short(3 * 10**5000)
    ('1000000', '3.000e+5000')
    """
    if count < 10**20:
        return str(count)
    return f"{Decimal(count):.3e}"


def states(caps: Composition) -> int:
    """Return the product of c + 1 over all ``caps`` but the last.

    It is the number of vectors of column sums up to ``caps``, if the last column sum follows from the total.

    >>> states((2, 2, 3))
    9
    """
    return prod(c + 1 for c in caps[:-1])


def multisets(caps: Composition) -> int:
    """Return an upper bound of the number of vectors of remaining column sums that are at most ``caps``.

    Vectors that differ only by the order of columns with equal caps are counted once.

    >>> multisets((2, 2, 3))
    24
    """
    return prod(comb(c + copies, copies) for c, copies in Counter(caps).items())


def _count_by_halves(rows: Composition, cols: Composition) -> int:
    """Count the matrices by the column sums v of the upper half of their rows.

    The number is the sum over v of (number of upper halves) x (number of lower halves).
    """
    upper = rows[: len(rows) // 2]
    lower = rows[len(rows) // 2 :]
    counts_above = column_sum_counts(upper, cols)
    counts_below = counts_above if upper == lower else column_sum_counts(lower, cols)
    return _exact_dot(
        counts_above.ravel(),
        counts_below.ravel()[::-1],
    )


def column_sum_counts(rows: Composition, caps: Composition) -> np.ndarray:
    """Return the numbers of tables with row sums ``rows``, indexed by all column sums but the last.

    The array has shape (caps[0] + 1, ..., caps[-2] + 1). The last column sum is the rest of the total. It is not
    limited by ``caps[-1]``. If it would be negative, the entry is 0. For rows (1, 1) and caps (2, 2), entry 1
    counts the two tables with column sums (1, 1).

    >>> column_sum_counts((1, 1), (2, 2))
    array([1, 2, 1])
    """
    return deque(_suffixes(rows, caps), maxlen=1).pop()


@lru_cache(maxsize=2)
def suffix_counts(rows: Composition, caps: Composition) -> tuple[np.ndarray, ...]:
    """Return the numbers of tables of the last k rows by their column sums, for k = 0, ..., r - 1.

    Each is an array as ``column_sum_counts`` returns it, read-only. Ranking and sampling use these arrays. The
    results of the last two calls stay in memory.

    >>> [counts.tolist() for counts in suffix_counts((1, 1, 2), (2, 2))]
    [[1, 0, 0], [1, 1, 1], [1, 2, 2]]
    """
    arrays = tuple(_suffixes(rows[1:], caps))
    for array in arrays:
        array.flags.writeable = False
    return arrays


def _suffixes(rows: Composition, caps: Composition) -> Iterator[np.ndarray]:
    """Yield the numbers of tables of the last k rows by their column sums, for k = 0, ..., r.

    An array of numbers is the result of ``column_sum_counts`` for these rows. ``caps`` are the largest column sums.
    """
    largest_row = sum(caps[:-1])
    rows = tuple(min(a, largest_row) for a in rows)  # the last column, which has no cap, takes the rest
    counts = np.zeros([c + 1 for c in caps[:-1]], dtype=np.int64)
    counts.flat[0] = 1
    yield counts
    for k in range(1, len(rows) + 1):
        counts = _with_row(counts, rows[-k:], caps)
        yield counts


def degrees(shape: Composition) -> np.ndarray:
    """Return an array of this shape whose entries are the sums of their indices.

    >>> degrees((2, 3))
    array([[0, 1, 2],
           [1, 2, 3]])
    """
    total = np.zeros(shape, dtype=np.int64)
    for index in np.indices(shape, sparse=True):
        total += index
    return total


def _with_row(counts: np.ndarray, rows: Composition, caps: Composition) -> np.ndarray:
    """Return the numbers of tables with row sums ``rows`` by their column sums, given those without the first row.

    ``counts`` is ``column_sum_counts(rows[1:], caps)``. A single row has a closed form. Otherwise the new row, of
    sum a, has cells u_1, ..., u_d in all columns but the last one, with u_1 + ... + u_d <= a. For each value t of
    u_1 + ... + u_{d-1}, the cell u_d runs from 0 to a - t. The counts are therefore added over a window of the last
    axis, as a difference of cumulative sums. The sum over all u_1, ..., u_{d-1} with the sum t is computed column
    by column.
    """
    a = rows[0]
    if len(rows) == 1:
        return np.asarray(degrees(counts.shape) <= a).astype(np.int64)
    # Additions and subtractions are exact modulo 2^64, so that only the result must fit.
    dtype = np.int64 if tables_at_most(rows, caps) < 2**63 else object
    running = np.cumsum(
        np.atleast_2d(counts).astype(dtype),
        axis=-1,
        dtype=dtype,
    )
    size = len(running)
    with_zeros = np.concatenate([np.zeros_like(running), running])  # index i - t for i < t, too
    total = np.zeros_like(running)
    # Chunks along the first axis stay in the cache for all t.
    block = max(1, CACHED // running[0].size)
    for start in range(0, size, block):
        look()
        part = total[start : start + block]
        layers = [running[start : start + block]] * (running.ndim - 1)
        largest_t = min(a, start + len(part) - 1 + sum(running.shape[1:-1]))
        for t in range(largest_t + 1):
            if t:
                start_below = size + start - min(t, size)
                layers[0] = with_zeros[start_below : start_below + len(part)]
                for axis in range(1, len(layers)):
                    layer = layers[axis - 1].copy()
                    np.moveaxis(layer, axis, 0)[1:] += np.moveaxis(layers[axis], axis, 0)[:-1]
                    layers[axis] = layer
            part += layers[-1]
            width = a - t + 1
            part[..., width:] -= layers[-1][..., :-width]
    return total.reshape(counts.shape)


def exact_sums(array: np.ndarray) -> list[int]:
    """Return the sums over all axes but the first, as Python integers, without overflow.

    >>> exact_sums(np.full((1, 4), 2**62))
    [18446744073709551616]
    """
    axes = tuple(range(1, array.ndim))
    low_halves = (array & 0xFFFFFFFF).sum(axis=axes)
    high_halves = (array >> 32).sum(axis=axes)
    return ((high_halves.astype(object) << 32) + low_halves.astype(object)).tolist()


def _exact_dot(x: np.ndarray, y: np.ndarray) -> int:
    """Return the inner product as a Python integer, computed in chunks."""
    total = 0
    for start in range(0, len(x), CACHED):
        part = slice(start, start + CACHED)
        total += int(np.dot(x[part].astype(object), y[part].astype(object)))
    return total
