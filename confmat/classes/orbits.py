"""Orbits of matrices under row permutations, column permutations and transposition.

The canonical representative of an orbit is its lexicographically largest matrix (row-major). A symmetry is a set of
generators. "rows" and "columns" are all permutations of rows and of columns. "simultaneous" is one permutation of
the rows and the columns of a square matrix. "transposition" exchanges a square matrix and its transpose. An
enumeration can use the symmetries that both the statistic and the class have.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

import numpy as np

from confmat._arguments import as_choice
from confmat._integers.compositions import Composition, orders_of_equal
from confmat.contingency.matrix import as_matrix, dense

Generators = frozenset[str]

GENERATORS = ("rows", "columns", "simultaneous", "transposition")
NONE: Generators = frozenset()
PERMUTATIONS: Generators = frozenset({"rows", "columns", "simultaneous"})
ALL: Generators = frozenset(GENERATORS)

# Generators that apply to square matrices only.
ONLY_SQUARE: Generators = frozenset({"simultaneous", "transposition"})

# Symmetries by name.  Permutations of rows and of columns generate the simultaneous ones.
NAMED: dict[str, Generators] = {
    "transposition": ALL,
    "permutations": PERMUTATIONS,
    "simultaneous": frozenset({"simultaneous"}),
    "none": NONE,
}


def as_symmetry(symmetry: str | Iterable[str]) -> Generators:
    """Return the generators of a symmetry, given its name or a set of generators.

    Names are "transposition", "permutations", "simultaneous" and "none". Raise ValueError for another argument.

    >>> sorted(as_symmetry("permutations")), sorted(as_symmetry({"rows"}))
    (['columns', 'rows', 'simultaneous'], ['rows'])
    """
    if isinstance(symmetry, str):
        return NAMED[as_choice("symmetry", symmetry, NAMED)]
    if not isinstance(symmetry, Iterable):
        raise TypeError(
            f"symmetry must be the name of a symmetry or a set of the strings {', '.join(GENERATORS)}, got {symmetry!r}"
        )
    generators = frozenset(symmetry)
    if not generators <= ALL:
        strange = sorted(generators - ALL, key=repr)
        raise ValueError(f"symmetry must be a set of {', '.join(GENERATORS)}, got {strange}")
    if generators >= {"rows", "columns"}:
        return generators | PERMUTATIONS
    return generators


def generated(symmetry: Generators, shape: tuple[int, int]) -> Generators:
    """Return all generators in the group that ``symmetry`` generates, for matrices of this shape.

    For square matrices the row permutations and any other generator generate all permutations.

    >>> sorted(generated(frozenset({"rows", "transposition"}), (2, 2)))
    ['columns', 'rows', 'simultaneous', 'transposition']
    >>> sorted(generated(frozenset({"rows", "transposition"}), (2, 3)))
    ['rows']
    """
    if shape[0] != shape[1]:
        return symmetry - ONLY_SQUARE
    permutes_one_side = bool(symmetry & {"rows", "columns"})
    if permutes_one_side and len(symmetry) > 1:
        return symmetry | PERMUTATIONS
    return symmetry


def images(table: np.ndarray, symmetry: Generators) -> Iterator[tuple[str, np.ndarray]]:
    """Yield images of a table that generate a symmetry, each with the name of its generator.

    The images are by exchanges of adjacent rows, of adjacent columns, of both, or with the transpose. These
    exchanges generate the group. A function that is invariant under them on every table of a class is therefore
    invariant under the group.

    >>> [(name, image.tolist()) for name, image in images(np.array([[1, 2], [3, 4]]), frozenset({"rows"}))]
    [('rows', [[3, 4], [1, 2]])]
    """
    r, s = table.shape
    for i in range(r - 1):
        if "rows" in symmetry:
            yield "rows", table[_exchange(r, i)]
        if "simultaneous" in symmetry and r == s:
            yield "simultaneous", table[np.ix_(_exchange(r, i), _exchange(r, i))]
    for j in range(s - 1):
        if "columns" in symmetry:
            yield "columns", table[:, _exchange(s, j)]
    if "transposition" in symmetry and r == s:
        yield "transposition", table.T


def _exchange(lines: int, i: int) -> list[int]:
    order = list(range(lines))
    order[i], order[i + 1] = i + 1, i
    return order


Matrix = tuple[Composition, ...]
LabeledRows = tuple[tuple[int, Composition], ...]  # rows with their labels
# A tie: the labelled rows still to be placed, and the block of every column; with its number of paths.
Ties = Counter[tuple[LabeledRows, Composition]]


def as_rows(matrix: Any) -> Matrix | None:
    """Return a matrix as a tuple of rows of Python ints, None if it is not a matrix of non-negative integers.

    Lists, arrays, frames and SciPy sparse matrices are accepted, and floats that are integers. There is at least
    one row and one column.

    >>> as_rows(np.eye(2))
    ((1, 0), (0, 1))
    >>> as_rows([[1, -1]]) is None
    True
    """
    try:
        return nested(dense(as_matrix(matrix)))
    except (TypeError, ValueError):
        return None


def nested(table: Any) -> Matrix:
    """Return the rows of a table as tuples, which can be compared and hashed.

    >>> nested(np.eye(2, dtype=int))
    ((1, 0), (0, 1))
    """
    return tuple(map(tuple, np.asarray(table).tolist()))


def canonical(matrix: Any) -> np.ndarray:
    """Return the lexicographically largest matrix in the orbit of a matrix.

    The orbit consists of permutations of rows and of columns, and transposition if the matrix is square. Two
    matrices have the same canonical form exactly if they are in one orbit.

    Parameters
    ----------
    matrix : array_like

    Returns
    -------
    array of int

    Raises
    ------
    ValueError
        If ``matrix`` is not a two-dimensional array of non-negative integers.

    Notes
    -----
    Time grows with the number of ties between rows, not with r! s!. A 7 x 7 matrix takes milliseconds.

    Examples
    --------
    >>> canonical([[0, 1], [2, 3]])
    array([[3, 2],
           [1, 0]])
    """
    rows = as_rows(matrix)
    if rows is None:
        raise ValueError(f"matrix must be a 2-d array of non-negative integers, got {matrix!r}")
    kind = np.int64 if max(map(max, rows)) < 2**63 else object
    return largest_image(np.array(rows, kind), ALL)


def simultaneous_images(table: np.ndarray, turned: bool) -> Iterator[np.ndarray]:
    """Yield the images of a square table under simultaneous permutations of rows and columns.

    If ``turned`` is True, the images of its transpose follow.

    >>> [image.tolist() for image in simultaneous_images(np.array([[1, 2], [3, 4]]), False)]
    [[[1, 2], [3, 4]], [[4, 3], [2, 1]]]
    """
    for matrix in (table, table.T) if turned else (table,):
        for order in permutations(range(len(matrix))):
            yield matrix[np.ix_(order, order)]


def largest_image(table: np.ndarray, symmetry: Generators) -> np.ndarray:
    """Return the lexicographically largest image of a table under a symmetry.

    Two matrices have the same largest image if and only if they are in one orbit. For "simultaneous" alone all r!
    permutations are compared.

    >>> largest_image(np.array([[0, 1], [2, 3]]), frozenset({"rows"}))
    array([[2, 3],
           [0, 1]])
    """
    symmetry = generated(symmetry, table.shape)
    turned = "transposition" in symmetry
    if "simultaneous" in symmetry and not symmetry >= PERMUTATIONS:
        return max(simultaneous_images(table, turned), key=np.ndarray.tolist)
    # Rows (columns) with equal labels may be exchanged. A row may move to a position with its own label.
    labels = []
    for line, k in zip(("rows", "columns"), table.shape):
        labels.append((0,) * k if line in symmetry else tuple(range(k)))
    images = []
    for matrix in (table, table.T) if turned else (table,):
        images.append(arranged(matrix, *labels, *labels))
    return max(images, key=np.ndarray.tolist)


def arranged(table: np.ndarray, *labels: Composition) -> np.ndarray:
    """Return the ``largest_arrangement`` of a table as an array.

    >>> arranged(np.array([[0, 1], [1, 0]]), (0, 0), (0, 0), (0, 0), (0, 0)).tolist()
    [[1, 0], [0, 1]]
    """
    return np.array(largest_arrangement(nested(table), *labels)[0], table.dtype)


def largest_arrangement(
    rows: Matrix,
    row_labels: Composition,
    col_labels: Composition,
    row_places: Composition,
    col_places: Composition,
) -> tuple[Matrix, int]:
    """Return the lexicographically largest arrangement of ``rows``, and the number of arrangements equal to it.

    An arrangement is a pair of a row permutation and a column permutation. Rows, columns and positions have labels,
    and a row or column can only be at a position with its label. ``row_places`` and ``col_places`` are the labels
    of the positions. The number of equal arrangements is the order of the stabilizer.

    The method chooses one row after another. The entries of the first row decrease within each set of
    interchangeable columns. Different entries split such a set. All rows that give the same largest row (ties) are
    followed. Ties with the same remaining rows and the same sets are merged.

    >>> largest_arrangement(((0, 1), (1, 0)), (0, 0), (0, 0), (0, 0), (0, 0))
    (((1, 0), (0, 1)), 2)
    """
    # Columns are moved once to positions with their labels.  From here on a block is a set of interchangeable
    # positions.
    waiting: dict[int, list[int]] = defaultdict(list)
    for column, label in enumerate(col_labels):
        waiting[label].append(column)
    order = [waiting[label].pop() for label in col_places]
    reordered = [tuple(row[j] for j in order) for row in rows]
    start = tuple(zip(row_labels, reordered))

    blocks = tuple(col_places)
    ties: Ties = Counter({(start, blocks): 1})
    best: list[Composition] = []
    for place in row_places:
        line: Composition = ()
        following: Ties = Counter()
        for (rows_left, blocks), paths in ties.items():
            for (label, row), copies in Counter(rows_left).items():
                if label != place:
                    continue
                positions = _decreasing(row, blocks)
                arranged_row = tuple(row[j] for j in positions)
                if arranged_row < line:
                    continue
                if arranged_row > line:
                    line = arranged_row
                    following.clear()
                remaining = list(rows_left)
                remaining.remove((label, row))
                blocks_refined = _refined(blocks, arranged_row)
                rows_moved = tuple(
                    (other_label, tuple(cells[j] for j in positions)) for other_label, cells in remaining
                )
                following[rows_moved, blocks_refined] += paths * copies
        best.append(line)
        ties = _merge_ties(following)
    # Columns of one set are equal now, so that all their orders count.
    count = sum(paths * orders_of_equal(blocks) for (_, blocks), paths in ties.items())
    return tuple(best), count


def _decreasing(keys: Sequence[Any], blocks: Composition) -> list[int]:
    """Return the column at each position after the columns of each set are sorted by decreasing ``keys``.

    Entry j of ``blocks`` is the number of the set of column j. The columns of a set stay at its positions.

    >>> _decreasing((1, 5, 2), (0, 1, 0))
    [2, 1, 0]
    """
    members: dict[int, list[int]] = defaultdict(list)
    for column, block in enumerate(blocks):
        members[block].append(column)
    sources = {
        block: iter(sorted(positions, key=keys.__getitem__, reverse=True))
        for block, positions in members.items()
    }
    return [next(sources[block]) for block in blocks]


def _refined(blocks: Composition, line: Composition) -> Composition:
    """Split sets of columns by the entries of a row. Columns stay in one set if their entries are equal.

    ``blocks`` has the number of the set of each column. The new sets are numbered by first appearance.
    """
    number: dict[tuple[int, int], int] = {}
    return tuple(number.setdefault(pair, len(number)) for pair in zip(blocks, line))


def _merge_ties(ties: Ties) -> Ties:
    """Merge ties (remaining rows and sets of columns) that differ only by the order of columns within sets.

    A tie has a multiplicity. The multiplicities of merged ties are added.
    """
    merged_ties: Ties = Counter()
    for (lines, blocks), paths in ties.items():
        merged_ties[_sorted_columns(lines, blocks), blocks] += paths
    return merged_ties


def _sorted_columns(lines: LabeledRows, blocks: Composition) -> LabeledRows:
    """Return the remaining rows with the columns of each set sorted, so that equivalent ties become equal.

    ``blocks`` has the number of the set of each column. Every sorting rule gives a correct result, because the
    columns of a set are interchangeable. The rule used here makes many ties equal.
    """
    if not lines:
        return lines
    columns = list(zip(*(row for _, row in lines)))
    labels = [label for label, _ in lines]
    keys = [tuple(sorted(zip(labels, column))) for column in columns]
    positions = _decreasing(list(zip(keys, columns)), blocks)
    arranged = [(label, tuple(row[j] for j in positions)) for label, row in lines]
    return tuple(sorted(arranged, reverse=True))
