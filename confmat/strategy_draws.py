"""How the strategies draw: tables with margins first, then cells within the bounds that the margins leave.

Every function draws each valid example and nothing else, so that nothing is ever rejected.  What is known is
checked by the functions ``settle_...``: on the fixed arguments when a strategy is made, on all of them when it
draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat.classes import Tables
from confmat.classes.compositions import Row
from confmat.classes.orbits import as_rows
from confmat.validation import as_count, as_counts

# Where nothing is said: sides and numbers of clusters up to 4, totals up to 20 beyond the least one, cells up to 9.
_MOST_CLUSTERS = 4
_MOST_SPARE = 20
_MOST_IN_CELL = 9

Draw = Callable[[SearchStrategy[Any]], Any]


def _named(name: str) -> Callable[[Callable[..., Any]], Callable[..., SearchStrategy[Any]]]:
    """A composite strategy that shows itself as the public function."""

    def decorate(function: Callable[..., Any]) -> Callable[..., SearchStrategy[Any]]:
        function.__name__ = name
        return st.composite(function)

    return decorate


@_named("margins")
def draw_margins(
    draw: Draw, n: Any = None, shape: Any = None, rows: Any = None, cols: Any = None, nonempty: bool = True
) -> tuple[Row, Row]:
    drawn = [_value(draw, value) for value in (n, shape, rows, cols)]
    total, known, *sums = settle_margins(*drawn, nonempty=nonempty)
    sides = [_draw_clusters(draw, total, nonempty) if side is None else side for side in known]
    size = _draw_total(draw, max(sides) * nonempty) if total is None else total
    row_sums, col_sums = (
        _draw_composition(draw, size, parts, int(nonempty)) if side is None else side
        for side, parts in zip(sums, sides)
    )
    return row_sums, col_sums


@_named("tables")
def draw_table(
    draw: Draw,
    n: Any = None,
    shape: Any = None,
    rows: Any = None,
    cols: Any = None,
    nonempty: bool = True,
    dtype: Any = np.int64,
) -> np.ndarray:
    if n is rows is cols is None:
        _, sides, *_ = settle_margins(None, _value(draw, shape), nonempty=nonempty)
        r, s = (_draw_clusters(draw, None, nonempty) if side is None else side for side in sides)
        return np.array(_draw_cells(draw, r, s, nonempty), dtype=dtype)
    row_sums, room = draw(draw_margins(n=n, shape=shape, rows=rows, cols=cols, nonempty=nonempty))
    check_dtype(np.dtype(dtype), sum(row_sums))
    table = []
    for row in row_sums:
        table.append(_draw_bounded(draw, row, room))
        room = tuple(c - x for c, x in zip(room, table[-1]))
    return np.array(table, dtype=dtype)


def _draw_cells(draw: Draw, r: int, s: int, nonempty: bool) -> list[list[int]]:
    """Cells one by one, so that each can shrink alone.

    A staircase, the diagonal in a square, meets every line; lines that stay empty get one object there.
    """
    largest = draw(st.sampled_from([_MOST_IN_CELL, 1]))
    zeros = draw(st.sampled_from([0, 3])) * largest  # how many more ways there are to draw an empty cell
    cell = st.integers(0, zeros + largest).map(lambda x: max(0, x - zeros))
    # Last row and last column first: examples shrink to the largest table in lexicographic order.
    cells = [list(draw(st.tuples(*[cell] * s)))[::-1] for _ in range(r)][::-1]
    if nonempty:
        for k in range(max(r, s)):
            i, j = min(k, r - 1), min(k, s - 1)
            if not any(cells[i]) or not any(row[j] for row in cells):
                cells[i][j] = 1
    return cells


@_named("partitions")
def draw_partition(draw: Draw, n: Any = None, parts: Any = None, nonempty: bool = True) -> Row:
    left, size = _draw_sizes(draw, "parts", n, parts, nonempty)
    least, chosen = int(nonempty), []
    for k in range(size, 1, -1):  # the smallest of the k parts that are still to come
        least = draw(st.integers(least, left // k))
        chosen.append(least)
        left -= least
    return (left, *reversed(chosen))


@_named("labelings")
def draw_labeling(draw: Draw, n: Any = None, clusters: Any = None, nonempty: bool = True) -> list[int]:
    size, k = _draw_sizes(draw, "clusters", n, clusters, nonempty)
    (labels,) = _draw_labels(draw, size, (k,), nonempty)
    return labels


@_named("labeling_pairs")
def draw_labeling_pair(
    draw: Draw, n: Any = None, clusters: Any = None, nonempty: bool = True
) -> tuple[list[int], list[int]]:
    total = _value(draw, n)
    sides = [_value(draw, side) for side in as_pair(clusters)]
    known = [settle_sizes(total, side, name="clusters", nonempty=nonempty) for side in sides]
    k, l = (_draw_clusters(draw, total, nonempty) if side is None else side for _, side in known)
    size = _draw_total(draw, max(k, l) * nonempty) if total is None else known[0][0]
    a, b = _draw_labels(draw, size or 0, (k, l), nonempty)
    return a, b


def _draw_labels(draw: Draw, size: int, clusters: Sequence[int], nonempty: bool) -> list[list[int]]:
    """One labeling for each number of clusters, object by object, so that an object can be left out as a whole."""
    labels: list[list[int]] = [[] for _ in clusters]
    unused = [list(range(k)) if nonempty else [] for k in clusters]
    for left in range(size, 0, -1):
        for side, k in enumerate(clusters):
            # When only enough objects are left, they take the labels that nobody has.
            allowed = unused[side] if len(unused[side]) == left else range(k)
            label = draw(st.sampled_from(allowed))
            labels[side].append(label)
            unused[side] = [other for other in unused[side] if other != label]
    return labels


@_named("memberships")
def draw_memberships(
    draw: Draw, n: Any = None, clusters: Any = None, exact: bool = False, denominator: Any = None
) -> np.ndarray:
    size, k = _draw_sizes(draw, "clusters", n, clusters, nonempty=False, least=1)
    if denominator is None:
        denominator = st.integers(1, 12) if exact else st.integers(0, 10).map(lambda power: 2**power)
    rows = []
    for _ in range(size):
        one = as_denominator(_value(draw, denominator), exact)
        parts = _draw_composition(draw, one, k, 0)
        rows.append([Fraction(part, one) if exact else part / one for part in parts])
    return np.array(rows, dtype=object if exact else np.float64)


@_named("near")
def draw_near(draw: Draw, matrix: Any, med: Fraction) -> np.ndarray:
    cells = np.array(matrix, dtype=object)
    movable = cells - _anchors(cells)
    moving = draw(st.integers(0, min(int(med * cells.sum()), movable.sum())))
    taken = _draw_bounded(draw, moving, movable.ravel().tolist())
    given = _draw_composition(draw, moving, cells.size, 0)
    return _as_matrix(cells + np.reshape(np.array(given, object) - np.array(taken, object), cells.shape))


def _anchors(cells: np.ndarray) -> np.ndarray:
    """One unit in the largest cell of every row and of every column, unless a line is empty."""
    anchors = np.zeros(cells.shape, dtype=object)
    if cells.any(axis=0).all() and cells.any(axis=1).all():
        anchors[range(cells.shape[0]), [row.index(max(row)) for row in cells.tolist()]] = 1
        anchors[[col.index(max(col)) for col in cells.T.tolist()], range(cells.shape[1])] = 1
    return anchors


def _draw_composition(draw: Draw, total: int, parts: int, least: int) -> Row:
    """``parts`` numbers >= ``least`` that add up to ``total``; shrinks to all others least, the first the rest."""
    others: list[int] = []
    for k in range(parts - 1, 0, -1):
        others.append(draw(st.integers(least, total - sum(others) - least * k)))
    return (total - sum(others), *reversed(others))


def _draw_bounded(draw: Draw, total: int, caps: Sequence[int]) -> Row:
    """Numbers 0 <= x_j <= caps_j that add up to ``total``; shrinks to the lexicographically largest."""
    chosen = []
    beyond = sum(caps)
    for cap in caps:
        beyond -= cap
        least, most = max(0, total - beyond), min(total, cap)
        chosen.append(most - draw(st.integers(0, most - least)))
        total -= chosen[-1]
    return tuple(chosen)


def _draw_sizes(draw: Draw, name: str, n: Any, parts: Any, nonempty: bool, least: int = 0) -> tuple[int, int]:
    """The total and the number of parts, drawn where they are not given."""
    total, size = settle_sizes(
        _value(draw, n), _value(draw, parts), name=name, nonempty=nonempty, least=least
    )
    size = _draw_clusters(draw, total, nonempty) if size is None else size
    return (_draw_total(draw, max(least, size * nonempty)) if total is None else total), size


def _draw_clusters(draw: Draw, total: int | None, nonempty: bool) -> int:
    most = _MOST_CLUSTERS if total is None or not nonempty else min(_MOST_CLUSTERS, total)
    return draw(st.integers(1, most))


def _draw_total(draw: Draw, least: int) -> int:
    return draw(st.integers(least, least + _MOST_SPARE))


def _value(draw: Draw, value: Any) -> Any:
    return draw(value) if isinstance(value, SearchStrategy) else value


# --- checking -------------------------------------------------------------------------------------


def fixed(*values: Any) -> list[Any]:
    """The values that are known before anything is drawn, None for the others."""
    return [None if isinstance(value, SearchStrategy) else value for value in values]


def said(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def unless(default: Any, **option: Any) -> dict[str, Any]:
    return {name: value for name, value in option.items() if value != default}


def settle_margins(
    n: Any, shape: Any, rows: Any = None, cols: Any = None, *, nonempty: bool
) -> tuple[int | None, list[int | None], Row | None, Row | None]:
    """Total, sides, row sums and column sums as far as they are known, checked against each other."""
    least = int(nonempty)
    row_sums = None if rows is None else as_counts("rows", rows, least)
    col_sums = None if cols is None else as_counts("cols", cols, least)
    sums = {"rows": row_sums, "cols": col_sums}
    totals = {name: sum(side) for name, side in sums.items() if side is not None}
    if n is not None:
        totals["n"] = as_count("n", n)
    if len(set(totals.values())) > 1:
        found = ", ".join(f"{name}: {total}" for name, total in totals.items())
        raise ValueError(f"{', '.join(totals)} must have the same total, got {found}")
    total = next(iter(totals.values()), None)
    sides: list[int | None] = [None, None] if shape is None else list(as_shape(shape))
    for k, (name, side) in enumerate(sums.items()):
        if side is not None and sides[k] not in (None, len(side)):
            raise ValueError(f"shape must agree with {name}, got {shape} and {len(side)} {name}")
        sides[k] = sides[k] if side is None else len(side)
    largest = max((side for side in sides if side is not None), default=0)
    if nonempty and total is not None and total < max(1, largest):
        spelled = f" for shape ({', '.join('any' if side is None else str(side) for side in sides)})"
        raise ValueError(f"n must be at least {max(1, largest)}{spelled} without empty lines, got {total}")
    return total, sides, row_sums, col_sums


def settle_sizes(
    n: Any, parts: Any, *, name: str, nonempty: bool, least: int = 0
) -> tuple[int | None, int | None]:
    """Total and number of parts as far as they are known; a part holds one unit or more if ``nonempty``."""
    size = None if parts is None else as_count(name, parts, 1)
    total = None if n is None else as_count("n", n, least)
    needed = (size or 1) if nonempty else 0
    if total is not None and total < needed:
        raise ValueError(f"n must be at least {needed} for {name}={size} without empty ones, got {total}")
    return total, size


def as_shape(shape: Any) -> tuple[int, int]:
    try:
        r, s = shape
    except (TypeError, ValueError):
        raise ValueError(f"shape must be a pair of whole numbers, got {shape!r}") from None
    return as_count("shape[0]", r, 1), as_count("shape[1]", s, 1)


def as_pair(clusters: Any) -> tuple[Any, Any]:
    if not isinstance(clusters, tuple):
        return clusters, clusters
    if len(clusters) != 2:
        raise ValueError(f"clusters must be a number or a pair of numbers, got {clusters!r}")
    return clusters


def as_denominator(value: Any, exact: bool) -> int:
    one = as_count("denominator", value, 1)
    if not exact and (one & (one - 1) or one > 2**52):
        raise ValueError(
            f"denominator must be a power of 2 up to 2**52 for floats, got {one}; or use exact=True"
        )
    return one


def check_dtype(dtype: np.dtype, total: int | None) -> None:
    """A table of this type must hold its total exactly."""
    if dtype.kind == "O":
        return
    if dtype.kind not in "iuf":
        raise ValueError(f"dtype must be an integer, a float or the object type, got {dtype}")
    limit = 2 ** (np.finfo(dtype).nmant + 1) if dtype.kind == "f" else np.iinfo(dtype).max
    if total is not None and total > limit:
        raise ValueError(
            f"n must be at most {limit} for dtype {dtype}, got {total}; dtype=object has no limit"
        )


def as_table(matrix: Any) -> np.ndarray:
    rows = as_rows(matrix)
    if rows is None:
        raise ValueError(f"matrix must be a table of non-negative whole numbers, got {matrix!r}")
    return _as_matrix(np.array(rows, dtype=object))


def _as_matrix(cells: np.ndarray) -> np.ndarray:
    return cells.astype(np.int64) if cells.sum() < 2**63 else cells


def own_class(cells: np.ndarray) -> Tables:
    """The tables of this total and shape, with empty lines if it has one."""
    full = bool(cells.any(axis=0).all() and cells.any(axis=1).all())
    return Tables(sum(cells.ravel().tolist()), len(cells), len(cells[0]), empty=not full)
