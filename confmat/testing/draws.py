"""Random tables, labelings and memberships: margins first, then cells within the bounds that the margins leave.

Every function draws only valid examples, so that Hypothesis rejects none.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat._integers.arrays import read_only
from confmat._integers.compositions import Composition
from confmat.classes import MatrixClass
from confmat.classes.orbits import nested
from confmat.indices.extremes import max_adjusted_rand_matrix, max_med_matrix, max_rand_matrix
from confmat.sampling import stream
from confmat.testing.arguments import (
    MOST_CLUSTERS,
    as_matrix,
    as_pair,
    settle_margins,
    settle_sizes,
)

# By default totals are at most 40 above the least one, and cells at most 9.  Sometimes cells, and the totals of
# margins, are as large as the type allows.
MOST_SPARE = 40
_MOST_IN_INT64 = 2**63 - 1

# Patterns of tables without given margins, and the size of their cells.  Hypothesis never makes the same choices twice.
# Hardly any table has two of these kinds, so that hardly any is drawn twice.  Two of 13 have one row or column.  Five
# are sparse, near a hook (at which most bounds are attained), or two clusterings of which one nearly refines the
# other.  The first kind is the simplest, to which Hypothesis shrinks the others.
_KINDS_OF_TABLES = (
    ("line", "large"),
    ("line", "small"),
    ("any", "small"),
    ("any", "tiny"),
    ("any", "medium"),
    ("any", "ones"),
    ("any", "large"),
    ("hook", "small"),
    ("hook", "large"),
    ("sparse", "small"),
    ("chain", "small"),
    ("refined", "large"),
    ("blocks", "small"),
)
_LARGEST_CELL = {"ones": 1, "tiny": 3, "small": 9, "medium": 60}

# Hypothesis limits the number of choices of an example, and takes 10 microseconds for each.  Of examples with more than
# _MOST_PICKS integers, _FIRST_PICKS are drawn, and the others are random, from a drawn seed.
_MOST_PICKS = 256
_FIRST_PICKS = 16

_seeds = st.integers(0, 2**32 - 1)

# Cached, because Hypothesis checks every new strategy before it draws from it.
_one_of = lru_cache(1024)(st.sampled_from)

Draw = Callable[[SearchStrategy[Any]], Any]


class _Picks:
    """Function that draws an integer between two bounds, for at most ``count`` calls.

    Hypothesis has a limit for the number of draws. If ``count`` is at most ``_MOST_PICKS``, Hypothesis draws every
    integer. Otherwise it draws the first integers and a seed, from which the other integers are computed at random.
    With the seed 0 each of these is its lower bound.
    """

    def __init__(self, draw: Draw, count: int) -> None:
        self.draw, self.many, self.left = draw, count > _MOST_PICKS, _FIRST_PICKS
        self.random: Random | None = None
        self.seed = 0

    def __call__(self, min_value: int, max_value: int) -> int:
        """Return an integer between the bounds, included."""
        if self.many and min_value == max_value:
            return min_value
        if self.left or not self.many:
            self.left -= 1
            return self.draw(st.integers(min_value, max_value))
        if self.random is None:
            self.seed = self.draw(_seeds)
            self.random = Random(self.seed)
        if self.seed:
            return self.random.randint(min_value, max_value)
        return min_value


def _named(name: str) -> Callable[[Callable[..., Any]], Callable[..., SearchStrategy[Any]]]:
    """Return a decorator for a composite strategy that is displayed as the public function ``name``."""

    def decorate(function: Callable[..., Any]) -> Callable[..., SearchStrategy[Any]]:
        function.__name__ = name
        return st.composite(function)

    return decorate


# --- tables ---------------------------------------------------------------------------------------


@_named("margins")
def draw_margins(
    draw: Draw,
    n: Any = None,
    shape: Any = None,
    rows: Any = None,
    cols: Any = None,
    square: bool = False,
    nonempty: bool = True,
) -> tuple[Composition, Composition]:
    """Draw row sums and column sums. Those that are given as ``rows`` or ``cols`` are returned.

    Arguments are those of the strategy ``tables``, whose total and shape may be strategies, too.
    """
    values = [_value(draw, value) for value in (n, shape, rows, cols)]
    total, sides_known, *sums = settle_margins(*values, nonempty=nonempty, square=square)
    sides = _draw_sides(draw, sides_known, total if nonempty else None, square)
    size = total
    if size is None:
        lines_to_fill = max(sides) * nonempty
        size = _draw_total(draw, lines_to_fill, _MOST_IN_INT64)
    pick = _Picks(draw, sum(sides))
    margins = []
    for side, parts in zip(sums, sides):
        margins.append(_drawn_composition(pick, size, parts, int(nonempty)) if side is None else side)
    row_sums, col_sums = margins
    return row_sums, col_sums


def _draw_sides(
    draw: Draw,
    sides_known: Sequence[int | None],
    total: int | None,
    square: bool,
    max_side: int = MOST_CLUSTERS,
) -> tuple[int, int]:
    """Return the numbers of rows and columns.

    Those that are not given are drawn, at most ``max_side`` and ``total``.
    """
    if total is not None:
        max_side = min(max_side, total)
    side = st.integers(1, max_side)
    r, s = sides_known
    if square:
        r = s = r or s or draw(side)
    if r is None:
        r = draw(side)
    return r, draw(side) if s is None else s


@_named("tables")
def draw_table(
    draw: Draw,
    n: Any = None,
    shape: Any = None,
    rows: Any = None,
    cols: Any = None,
    square: bool = False,
    nonempty: bool = True,
    largest: int = _MOST_IN_INT64,
    max_side: int = MOST_CLUSTERS,
) -> np.ndarray:
    """Draw a table. Arguments are those of the strategy ``tables``, and two bounds.

    ``largest`` bounds totals that are not given, ``max_side`` numbers of rows and columns that are not given.
    """
    if n is rows is cols is None:
        shape = _value(draw, shape)
        cells_drawn = _draw_without_sums(draw, shape, square, nonempty, largest, max_side)
        return as_matrix(cells_drawn)
    row_sums, room = draw(draw_margins(n, shape, rows, cols, square, nonempty))
    pick = _Picks(draw, len(row_sums) * len(room))
    table = []
    for row_sum in row_sums:
        cells = _bounded(pick, row_sum, room)
        room = tuple(c - x for c, x in zip(room, cells))
        table.append(cells)
    return as_matrix(np.array(table, dtype=object))


_KINDS_OF_LINES = tuple(kind for kind in _KINDS_OF_TABLES if kind[0] in ("line", "any"))


def _draw_without_sums(
    draw: Draw, shape: Any, square: bool, nonempty: bool, max_total: int, max_side: int
) -> np.ndarray:
    """Draw a table without given total and margins."""
    _, sides_known, *_ = settle_margins(None, shape, nonempty=nonempty, square=square)
    if nonempty and sides_known == [None, None] and not square:
        return _draw_free_cells(draw, max_total, min(max_side, max_total))
    r, s = _draw_sides(draw, sides_known, max_total if nonempty else None, square, max_side)
    kinds = _KINDS_OF_TABLES if min(r, s) > 1 else _KINDS_OF_LINES
    cells = _draw_cells(draw, draw(_one_of(kinds)), r, s, max_total)
    if r * s > max_total:
        cells = _first_objects(cells, max_total - max(r, s) * nonempty)
    return _with_full_lines(cells) if nonempty else cells


def _draw_free_cells(draw: Draw, max_total: int, most_lines: int) -> np.ndarray:
    """Draw a table without given shape, cell by cell. Empty rows and columns are then dropped or filled.

    It has at most ``max_total`` objects, and at most ``most_lines`` rows and columns.
    """
    has_two_lines = most_lines > 1 and max_total >= 4  # an object in each cell is not too many
    kind = draw(_one_of(_KINDS_OF_TABLES if has_two_lines else _KINDS_OF_LINES[:2]))
    if kind[0] == "line":
        # Two numbers are drawn, as for other kinds, so that examples of other kinds shrink to this one.
        length = draw(st.integers(1, most_lines))
        standing = draw(st.integers(0, 1))
        if standing:
            r = length
            s = 1
        else:
            r = 1
            s = length
    else:
        r = draw(st.integers(2, min(most_lines, max_total // 2)))
        s = draw(st.integers(2, min(most_lines, max_total // r)))
    cells = _draw_cells(draw, kind, r, s, max_total)
    full = cells > 0  # any() of an object array does not return bools before NumPy 2
    full_lines = cells[full.any(axis=1)][:, full.any(axis=0)]
    if full_lines.shape == cells.shape:
        return cells
    if not full_lines.size or (min(full_lines.shape) == 1 and kind[0] != "line") or draw(st.booleans()):
        return _with_full_lines(cells)
    return full_lines


def _draw_cells(draw: Draw, kind: tuple[str, str], r: int, s: int, max_total: int) -> np.ndarray:
    """Draw an r x s table with a pattern such as "hook", cell by cell, so that each cell can shrink alone.

    ``kind`` is a pair (pattern, size of cells). A cell is at most ``max_total`` // (r s), or 1 if this quotient is
    0.
    """
    pattern, size = kind
    max_cell = max(
        1,
        min(
            max_total // (r * s),
            _LARGEST_CELL.get(size, max_total),
        ),
    )
    table = np.zeros((r, s), dtype=object)
    if pattern == "sparse":
        for i in range(r):
            cell = draw(st.integers(1, max_cell))
            table[i, draw(st.integers(0, s - 1))] = cell
    else:
        pick = _Picks(draw, r * s)
        for i, j in np.argwhere(_places_of_pattern(pattern, r, s)).tolist():
            table[i, j] = pick(0, max_cell)
    # Last row and last column first: examples shrink to the largest table in lexicographic order.
    return table[::-1, ::-1]


@lru_cache(256)
def _places_of_pattern(pattern: str, r: int, s: int) -> np.ndarray:
    """Return a mask of the cells that can have objects in a pattern such as "hook".

    The last row of the mask is for the first row of the table, and its last column for the first column.

    >>> _places_of_pattern("hook", 3, 3).astype(int).tolist()
    [[0, 0, 1], [0, 0, 1], [1, 1, 1]]
    >>> _places_of_pattern("blocks", 4, 4).astype(int).tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    >>> _places_of_pattern("refined", 2, 4).astype(int).tolist()
    [[1, 1, 0, 0], [0, 0, 1, 1]]
    """
    i, j = np.indices((r, s))
    if pattern == "hook":
        return read_only((i == r - 1) | (j == s - 1))
    if pattern == "chain":
        beyond_square = np.maximum(i, j) > min(r, s)
        return read_only((i == j) | (i + 1 == j) | beyond_square)
    if pattern == "blocks":
        in_last_rows = i >= (r + 1) // 2
        in_last_columns = j >= (s + 1) // 2
        return read_only(in_last_rows == in_last_columns)
    if pattern == "refined":
        if r > s:
            return read_only(i * s // r == j)
        return read_only(j * r // s == i)
    return read_only(np.ones((r, s), bool))


def _first_objects(cells: np.ndarray, objects: int) -> np.ndarray:
    """Set all but the first ``objects`` ones of an array to 0, in row-major order, and return it.

    The array has zeros and ones only.

    >>> _first_objects(np.array([[1, 0], [1, 1]]), 2).tolist()
    [[1, 0], [1, 0]]
    """
    objects_so_far = np.cumsum(cells).reshape(cells.shape)
    return np.where(objects_so_far > objects, 0, cells)


def _with_full_lines(cells: np.ndarray) -> np.ndarray:
    """Add an object to each empty row and column of an array, and return the array.

    For each k, cell (k, k) becomes 1 if its row or column is empty. In an array that is not square, the last row or
    column is used for each k beyond it.
    """
    r, s = cells.shape
    for k in range(max(r, s)):
        i = min(k, r - 1)
        j = min(k, s - 1)
        if not cells[i].any() or not cells[:, j].any():
            cells[i, j] = 1
    return cells


@_named("partitions")
def draw_partition(
    draw: Draw,
    n: Any = None,
    parts: Any = None,
    nonempty: bool = True,
    largest: int = _MOST_IN_INT64,
) -> Composition:
    """Draw an integer partition. Arguments are those of the strategy ``partitions``.

    ``largest`` bounds a total that is not given.
    """
    total_left, size = _draw_sizes(draw, "parts", n, parts, nonempty, largest=largest)
    pick = _Picks(draw, size)
    least_part = int(nonempty)
    parts_drawn: list[int] = []
    for k in range(size, 1, -1):  # the smallest of the k parts that are still to come
        least_part = pick(least_part, total_left // k)
        parts_drawn.append(least_part)
        total_left -= least_part
    return (total_left, *reversed(parts_drawn))


# --- labelings and memberships --------------------------------------------------------------------


@_named("labelings")
def draw_labeling(draw: Draw, n: Any = None, clusters: Any = None, nonempty: bool = True) -> list[int]:
    """Draw a labeling. Arguments are those of the strategy ``labelings``."""
    size, k = _draw_sizes(draw, "clusters", n, clusters, nonempty)
    (labels,) = _draw_labels(draw, size, (k,), nonempty)
    return labels


@_named("labeling_pairs")
def draw_labeling_pair(
    draw: Draw, n: Any = None, clusters: Any = None, nonempty: bool = True
) -> tuple[list[int], list[int]]:
    """Draw two labelings of the same objects. Arguments are those of the strategy ``labeling_pairs``."""
    total = _value(draw, n)
    sides = [_value(draw, side) for side in as_pair(clusters)]
    sizes_known = [settle_sizes(total, side, name="clusters", nonempty=nonempty) for side in sides]
    numbers = []
    for _, number in sizes_known:
        numbers.append(_draw_clusters(draw, total, nonempty) if number is None else number)
    size = sizes_known[0][0]
    if size is None:
        size = _draw_total(draw, max(numbers) * nonempty)
    a, b = _draw_labels(draw, size, numbers, nonempty)
    return a, b


def _draw_labels(draw: Draw, size: int, clusters: Sequence[int], nonempty: bool) -> list[list[int]]:
    """Draw one labeling of ``size`` objects for each number of clusters in ``clusters``.

    Short labelings are drawn label by label. For long ones, cluster sizes and a random order of the objects are
    drawn.
    """
    if size * len(clusters) > _MOST_PICKS:
        return [_draw_long_labels(draw, size, k, nonempty) for k in clusters]
    # All labels of an object are drawn together, so that the object can be removed.
    labels: list[list[int]] = [[] for _ in clusters]
    unused_labels = [list(range(k)) if nonempty else [] for k in clusters]
    for objects_left in range(size, 0, -1):
        for side, k in enumerate(clusters):
            # If the number of remaining objects equals that of unused labels, they get these labels.
            must_be_unused = len(unused_labels[side]) == objects_left
            labels_allowed = tuple(unused_labels[side]) if must_be_unused else range(k)
            label = draw(_one_of(labels_allowed))
            labels[side].append(label)
            unused_labels[side] = [other_label for other_label in unused_labels[side] if other_label != label]
    return labels


def _draw_long_labels(draw: Draw, size: int, clusters: int, nonempty: bool) -> list[int]:
    """Draw a labeling by its cluster sizes and a seed for the order of the objects. Seed 0 gives sorted labels."""
    sizes = _drawn_composition(
        _Picks(draw, clusters),
        size,
        clusters,
        int(nonempty),
    )
    seed = draw(_seeds) if clusters > 1 else 0
    labels = np.repeat(range(clusters), sizes)
    if seed:
        labels = np.random.default_rng(seed).permutation(labels)
    return labels.tolist()


@_named("memberships")
def draw_memberships(draw: Draw, n: Any = None, clusters: Any = None, exact: bool = False) -> np.ndarray:
    """Draw a membership matrix. Arguments are those of the strategy ``memberships``."""
    size, k = _draw_sizes(draw, "clusters", n, clusters, nonempty=False, least=1)
    if k == 1 or draw(st.integers(0, 5)) == 5:
        denominators = st.just(1)  # crisp
    else:
        denominators = _DENOMINATORS if exact else _POWERS
    pick = _Picks(draw, size * k)
    rows = []
    for i in range(size):
        if i < _FIRST_PICKS or not pick.many:
            parts_of_one = draw(denominators)
        parts = _drawn_composition(pick, parts_of_one, k, 0)
        rows.append([Fraction(part, parts_of_one) if exact else part / parts_of_one for part in parts])
    return np.array(rows, dtype=object if exact else np.float64)


_DENOMINATORS = st.integers(1, 12)
_POWERS = st.integers(0, 10).map(lambda power: 2**power)


# --- members and moves ----------------------------------------------------------------------------

# Members of larger classes are drawn by a seed, because finding a member by its rank takes longer.
_MOST_RANKED = 10**6


@_named("members")
def draw_member(draw: Draw, matrices: MatrixClass) -> np.ndarray:
    """Draw a member of a class of matrices, as the strategy ``members`` does."""
    count = matrices.count_at_once()
    if count is not None and count <= _MOST_RANKED:
        return np.array(matrices.unrank(draw(st.integers(0, count - 1))))
    return stream(matrices, 1, rng=draw(st.integers(0, 2**63))).array()[0]


@_named("worst_tables")
def draw_worst(draw: Draw, n: Any, shape: Any) -> np.ndarray:
    """Draw a table that results from a table with the largest MED, RD or ARD by moving up to a quarter of its objects.

    Arguments are those of the strategy ``worst_tables``.
    """
    total = _value(draw, n)
    r, s = _value(draw, shape)
    settle_margins(total, (r, s), nonempty=True)
    table = draw(_one_of(_worst_of_size(total, r, s)))
    return draw(draw_near(table, med=Fraction(1, 4)))


@lru_cache(256)
def _worst_of_size(n: int, r: int, s: int) -> tuple[tuple[Composition, ...], ...]:
    """Return the tables with the largest MED, RD and ARD among r x s tables of n objects."""
    tables = [
        max_med_matrix(n, r, s),
        max_rand_matrix(n, r, s),
        max_adjusted_rand_matrix(n, r, s, conjectured=True),
    ]
    return tuple(dict.fromkeys(map(nested, tables)))


@_named("near")
def draw_near(draw: Draw, matrix: Any, *, med: Fraction) -> np.ndarray:
    """Draw a table in which at most a fraction ``med`` of the objects of ``matrix`` is moved.

    It has no empty row or column if ``matrix`` has none. Arguments are those of the strategy ``near``.
    """
    cells = np.array(matrix, dtype=object)
    n = int(cells.sum())
    pick = _Picks(draw, 2 * cells.size)
    moving = pick(0, min(int(med * n), n))
    objects_taken = _bounded(pick, moving, cells.ravel().tolist())
    cells_left = cells - np.reshape(np.array(objects_taken, object), cells.shape)
    if cells.any(axis=0).all() and cells.any(axis=1).all():
        moving -= _fill_lines(pick, cells_left, moving)
    # Only cells that gave no object receive objects.  Otherwise one of eight draws would be the table itself.
    room = [moving * (units == 0 or 0 not in objects_taken) for units in objects_taken]
    objects_given = _bounded(pick, moving, room)
    return as_matrix(cells_left + np.reshape(np.array(objects_given, object), cells.shape))


def _fill_lines(pick: _Picks, cells: np.ndarray, units: int) -> int:
    """Add an object to each empty row and column, at most ``units`` objects in all, and return their number.

    ``units`` must be at least the number of empty rows, and the number of empty columns. First each empty row gets
    an object, in any column. If only as many units remain as there are empty columns, it must be in an empty
    column. Then each column that is still empty gets an object.
    """
    put = 0
    for i in np.flatnonzero(~cells.any(axis=1)).tolist():
        empty = np.flatnonzero(~cells.any(axis=0)).tolist()
        columns = empty if units - put == len(empty) else range(cells.shape[1])
        cells[i, columns[pick(0, len(columns) - 1)]] += 1
        put += 1
    for j in np.flatnonzero(~cells.any(axis=0)).tolist():
        cells[pick(0, cells.shape[0] - 1), j] += 1
        put += 1
    return put


# --- numbers --------------------------------------------------------------------------------------


def _drawn_composition(pick: _Picks, total: int, parts: int, least_part: int) -> Composition:
    """Draw ``parts`` integers >= ``least_part`` with sum ``total``.

    They shrink to a large first part and least other parts.
    """
    later_parts: list[int] = []
    for k in range(parts - 1, 0, -1):
        later_parts.append(pick(least_part, total - least_part * k))
        total -= later_parts[-1]
    return (total, *reversed(later_parts))


def _bounded(pick: _Picks, total: int, caps: Sequence[int]) -> Composition:
    """Draw integers 0 <= x_j <= caps_j with sum ``total``. They shrink to the lexicographically largest ones."""
    numbers = []
    room_beyond = sum(caps)
    for cap in caps:
        room_beyond -= cap
        min_value = max(0, total - room_beyond)
        max_value = min(total, cap)
        numbers.append(max_value - pick(0, max_value - min_value))
        total -= numbers[-1]
    return tuple(numbers)


def _draw_sizes(
    draw: Draw,
    name: str,
    n: Any,
    parts: Any,
    nonempty: bool,
    *,
    least: int = 0,
    largest: int | None = None,
) -> tuple[int, int]:
    """Return the total and the number of parts. Those that are not given are drawn."""
    total_known = _value(draw, n)
    total, size = settle_sizes(total_known, _value(draw, parts), name=name, nonempty=nonempty, least=least)
    size = _draw_clusters(draw, largest if total is None else total, nonempty) if size is None else size
    if total is None:
        total = _draw_total(draw, max(least, size * nonempty), largest)
    return total, size


def _draw_clusters(draw: Draw, total: int | None, nonempty: bool) -> int:
    """Draw a number of clusters, at most ``MOST_CLUSTERS``, and at most ``total`` if no cluster may be empty."""
    if total is None or not nonempty:
        max_clusters = MOST_CLUSTERS
    else:
        max_clusters = min(MOST_CLUSTERS, total)
    return draw(st.integers(1, max_clusters))


def _draw_total(draw: Draw, least: int, largest: int | None = None) -> int:
    """Draw a total: in three of four cases a small one, otherwise one up to ``largest``.

    The four ranges of totals are disjoint, so that few totals are drawn twice.
    """
    largest_small_total = least + MOST_SPARE
    if largest is None:
        return draw(st.integers(least, largest_small_total))
    if largest <= largest_small_total:
        return draw(st.integers(least, max(least, largest)))
    third = MOST_SPARE // 3
    starts = (least, least + third, least + 2 * third, largest_small_total + 1)
    part = draw(st.integers(0, 3))
    ends = (*starts[1:], largest + 1)
    return draw(st.integers(starts[part], ends[part] - 1))


def _value(draw: Draw, value: Any) -> Any:
    """Return a value, which is drawn if ``value`` is a strategy."""
    return draw(value) if isinstance(value, SearchStrategy) else value
