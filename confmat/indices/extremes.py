"""Largest and smallest distances between clusterings, and matrices that attain them.

The clusterings have n objects, and r and s clusters.

r and s may be in either order, and n has any size. The functions raise ValueError if there is no such pair of
clusterings (n < max(r, s)). With ``allow_empty=True`` clusters may be empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import wraps
from itertools import product
from math import ceil, comb, isqrt
from typing import Any, NamedTuple, TypeVar

import numpy as np

from confmat._arguments import as_count
from confmat._limits import admit
from confmat.contingency.matrix import as_matrix
from confmat.errors import NotProvedError
from confmat.indices.hooks import Hook, balanced, best_hook, best_hooks, squares
from confmat.indices.only_hooks import only_hooks
from confmat.indices.pairs import PairSums

_BYTES_OF_CELL = 40  # of a matrix, as Python numbers first

MakerOfTables = TypeVar("MakerOfTables", bound=Callable[..., Any])


def _of_size(tables: MakerOfTables) -> MakerOfTables:
    """Return a function that accepts r and s in any order, given one that requires r <= s (decorator).

    ``tables`` is the given function of n, r and s, which returns one or several r x s matrices. For r > s those of
    (n, s, r) are transposed. The returned function raises TooLargeError if a matrix would not fit in memory.
    """

    @wraps(tables)
    def in_either_order(n: Any, r: Any, s: Any, *more: Any, **options: Any) -> Any:
        n, shorter, longer = _class(n, r, s, allow_empty=False)
        admit(
            f"a matrix of {shorter} x {longer} cells",
            memory=_BYTES_OF_CELL * shorter * longer,
        )
        answer = tables(n, shorter, longer, *more, **options)
        if r <= s:
            return answer
        if isinstance(answer, list):
            return [table.T.copy() for table in answer]
        return answer.T.copy()

    return in_either_order  # type: ignore[return-value]


def max_med(n: int, r: int, s: int, *, allow_empty: bool = False) -> Fraction:
    """Return the largest misclassification error distance between a clustering with r and one with s clusters.

    Parameters
    ----------
    n, r, s : int
        Numbers of objects, of clusters of the first and of the second clustering.
    allow_empty : bool
        Clusters may be empty. Default: False.

    Returns
    -------
    Fraction

    Raises
    ------
    ValueError
        If there is no such pair of clusterings.

    Notes
    -----
    For r <= s the largest n MED is:

    - 2n - r - s, if n <= r + s - 2.
    - n - ceil((n + s - r)/s), if r + s - 1 <= n <= (r - 1)s.
    - n - ceil(n/s), if n is larger. This is the bound of Charon et al. (2006, lemma 1), by which the MED is normalised.

    With ``allow_empty=True`` it is n - ceil(n/s) for every n (statement `med-max`, statement `med-max-empty`).

    Examples
    --------
    >>> max_med(8, 3, 4), max_med(8, 3, 4, allow_empty=True)
    (Fraction(5, 8), Fraction(3, 4))
    """
    n, r, s = _class(n, r, s, allow_empty)
    if n == 0:
        return Fraction(0)
    if allow_empty:
        points_in_matching = -(-n // s)
    else:
        points_in_matching = _least_matching(n, r, s)
    return Fraction(n - points_in_matching, n)


def _least_matching(n: int, r: int, s: int) -> int:
    """Return the smallest possible weight of the best matching of an r x s table with total n.

    No row or column of the table is empty, and 1 <= r <= s <= n.
    """
    if n <= r + s - 2:
        return r + s - n
    if n <= (r - 1) * s:
        return -(-(n + s - r) // s)
    return -(-n // s)


def max_rand_distance(
    n: int, r: int, s: int, *, allow_empty: bool = False, as_printed: bool = False
) -> Fraction:
    """Return the largest Rand distance between a clustering with r and one with s clusters.

    Parameters
    ----------
    n, r, s : int
        Numbers of objects, of clusters of the first and of the second clustering.
    allow_empty : bool
        Clusters may be empty. Default: False.
    as_printed : bool
        Evaluate value (8) of Chacon (2019) for every n. For n < s + 2(r - 1) it is not the maximum. Default: False.

    Returns
    -------
    Fraction

    Raises
    ------
    ValueError
        If there is no such pair of clusterings.

    Notes
    -----
    For r <= s and e = n - (r + s - 2) the largest n(n - 1) RD is:

    - (n - r)(n - r + 1) + (n - s)(n - s + 1), if e <= 0.
    - (r - 1)(r - 2) + (s - 1)(s - 2) + 2e(r + s - 2), if 0 <= e <= r.
    - Value (8) of Chacon (2019), conjectured there, if e is larger (statement `rd-max`).

    With ``allow_empty=True`` it is n^2 minus the least sum of squares of s integers with sum n. One cluster and s
    clusters of nearly equal sizes attain it (statement `rd-max-empty`).

    Examples
    --------
    >>> max_rand_distance(100, 5, 5), max_rand_distance(4, 3, 3)
    (Fraction(151, 198), Fraction(1, 3))
    >>> max_rand_distance(4, 3, 3, as_printed=True)
    Fraction(5, 6)
    """
    if allow_empty and as_printed:
        raise ValueError(
            "allow_empty=True and as_printed=True exclude each other: the printed value is for nonempty clusters"
        )
    n, r, s = _class(n, r, s, allow_empty)
    if n <= 1:
        return Fraction(0)
    return Fraction(
        _largest_2f(n, r, s, allow_empty, as_printed),
        n * (n - 1),
    )


def _largest_2f(n: int, r: int, s: int, allow_empty: bool, as_printed: bool) -> int:
    """Return twice the largest number of pairs of objects that are together in exactly one clustering.

    Requires r <= s. ``as_printed`` evaluates value (8) of Chacon (2019) for every n, also for small n, for which it
    is not the maximum.
    """
    if allow_empty:
        return n * n - squares(n, s)
    rows = r - 1
    columns = s - 1
    lines = rows + columns
    excess = n - lines
    if excess >= r or as_printed:
        in_row_sums = (n - rows) ** 2 + rows
        of_arm_and_corner = squares(n - 2 * rows, s)
        return in_row_sums + 2 * rows * (rows - 1) - of_arm_and_corner
    if excess >= 0:
        in_lines = rows * (r - 2) + columns * (s - 2)
        return in_lines + 2 * excess * lines
    return (n - r) * (n - rows) + (n - s) * (n - columns)


@_of_size
def max_med_matrix(n: int, r: int, s: int) -> np.ndarray:
    """Return a matrix with the largest MED, with r rows, s columns, total n, and no empty row or column.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.

    Returns
    -------
    numpy.ndarray of shape (r, s)

    Raises
    ------
    ValueError
        If there is no such matrix.

    Notes
    -----
    Let k be the number of objects in the best matching. There are weights u_i of rows and v_j of columns with sum k
    (Konig and Egervary; statement `med-max`). Cell (i, j) is at most u_i + v_j. If k >= r, all v_j are 0. Otherwise
    the weights of k - 1 rows and of the first column are 1, and the others 0.

    Examples
    --------
    >>> max_med_matrix(8, 3, 4)
    array([[1, 1, 1, 1],
           [1, 1, 0, 0],
           [0, 0, 1, 1]])
    """
    k = _least_matching(n, r, s)
    rows = np.arange(r)[:, None]
    columns = np.arange(s)
    ones = np.zeros((r, s), np.int64)
    if k >= r:
        limits = np.ones((r, s), object)
        limits[0] = k - r + 1
        ones[np.minimum(columns, r - 1), columns] = 1
    else:
        limits = 1 * (rows < k - 1) + (columns < 1)
        ones[k - 1 :, 0] = 1
        later_columns = columns[1:]
        rows_of_ones = np.minimum(later_columns, k - 1) - 1
        ones[rows_of_ones, later_columns] = 1
    table = ones.astype(object)
    points_left = n - int(ones.sum())
    for place, room in np.ndenumerate(limits - ones):
        points = min(points_left, int(room))
        table[place] += points
        points_left -= points
    return _validated_table(table)


@_of_size
def max_rand_matrix(n: int, r: int, s: int) -> np.ndarray:
    """Return a matrix with the largest Rand distance, with r rows, s columns, total n, and no empty row or column.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.

    Returns
    -------
    numpy.ndarray of shape (r, s)

    Raises
    ------
    ValueError
        If there is no such matrix.

    Notes
    -----
    For n >= r + s - 2 it is a hook, form (7) of Chacon (2019): entries in the first row, and ones in the first
    column below the corner (statement `rd-max-form-late`). For smaller n it has ones in a row, ones in a column,
    and isolated ones.

    Examples
    --------
    >>> max_rand_matrix(12, 3, 4)
    array([[4, 2, 2, 2],
           [1, 0, 0, 0],
           [1, 0, 0, 0]])
    """
    excess = n - (r + s - 2)
    if excess < 0:
        row = n - r + 1
        table = _crossed_ones(
            r,
            s,
            row + 1,
            n - s + 2,
            column=row,
        )
        table[0, row] = 0
        return _validated_table(table)
    corner = excess
    if excess >= r:
        larger_rows = r - 1
        corner = (n - 2 * larger_rows) // s + larger_rows
    leg = r - 1
    return _validated_table(Hook(n, r, s, n - corner - leg, leg).matrix())


def _crossed_ones(r: int, s: int, in_row: int, in_column: int, column: int = 0) -> np.ndarray:
    """Return a matrix with ones in the first row, ones in a column, and isolated ones in the other rows and columns.

    The first row has ``in_row`` ones, the column ``column`` has ``in_column`` ones.

    >>> _crossed_ones(4, 5, 3, 2)
    array([[1, 1, 1, 0, 0],
           [1, 0, 0, 0, 0],
           [0, 0, 0, 1, 0],
           [0, 0, 0, 0, 1]])
    """
    table = np.zeros((r, s), np.int64)
    table[0, :in_row] = 1
    table[:in_column, column] = 1
    diagonal = np.arange(r - in_column)
    table[in_column + diagonal, in_row + diagonal] = 1
    return table


# --- the adjusted Rand distance -------------------------------------------------------------------


def max_adjusted_rand_distance(n: int, r: int, s: int, *, conjectured: bool = False) -> Fraction:
    """Return the largest adjusted Rand distance between a clustering with r and one with s clusters of n objects.

    Parameters
    ----------
    n, r, s : int
        Numbers of objects, of clusters of the first and of the second clustering.
    conjectured : bool
        Return the conjectured value if it is not proved. Default: False.

    Returns
    -------
    Fraction

    Raises
    ------
    NotProvedError
        If the value is not proved and ``conjectured`` is False.

    Notes
    -----
    The value is proved if r or s is 2, if both are at most 10, and for n >= 16(r + s). For other n it is proved if
    a computation of milliseconds finds a certificate, in most cases from n = 2(r + s) on (statement `ard-max`).
    Unless n is very small, the value is the ARD of a hook: a table with objects in the first row and the first
    column only. See `max_adjusted_rand_matrix`.

    Chacon and Rastrojo (2023, ADAC 17, doi 10.1007/s11634-022-00491-w) announce an explicit formula for the
    smallest ARI of two clusterings of given sizes. Their text was not available to us. These values depend on our
    own proofs.

    Examples
    --------
    >>> max_adjusted_rand_distance(20, 2, 2), max_adjusted_rand_distance(100_000, 2, 50) > Fraction(116959, 100_000)
    (Fraction(95, 84), True)
    >>> max_adjusted_rand_distance(20, 4, 5, conjectured=True)
    Fraction(11495, 9011)
    """
    table = max_adjusted_rand_matrix(n, r, s, conjectured=conjectured)
    return PairSums.of(table).adjusted_rand_distance


def min_adjusted_rand_index(n: int, r: int, s: int, *, conjectured: bool = False) -> Fraction:
    """Return the smallest adjusted Rand index of two clusterings of n objects: 1 - `max_adjusted_rand_distance`.

    Parameters
    ----------
    n, r, s : int
        Numbers of objects, of clusters of the first and of the second clustering.
    conjectured : bool
        Return the conjectured value if it is not proved. Default: False.

    Returns
    -------
    Fraction

    Raises
    ------
    NotProvedError
        If the value is not proved and ``conjectured`` is False.

    Examples
    --------
    >>> min_adjusted_rand_index(20, 2, 2)
    Fraction(-11, 84)
    """
    return 1 - max_adjusted_rand_distance(n, r, s, conjectured=conjectured)


@_of_size
def max_adjusted_rand_matrix(n: int, r: int, s: int, *, conjectured: bool = False) -> np.ndarray:
    """Return an r x s matrix with total n and the largest adjusted Rand distance, without empty rows or columns.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.
    conjectured : bool
        Return the conjectured matrix if no matrix is proved to have the largest distance. Default: False.

    Returns
    -------
    numpy.ndarray of shape (r, s)

    Raises
    ------
    NotProvedError
        If no matrix is proved to have the largest distance, and ``conjectured`` is False or n < r + s - 2.

    Notes
    -----
    In most cases the matrix is a hook, with objects in the first row and the first column only (statement `ard-max`;
    if ``conjectured``, statement `ard-form-late`). There are three exceptions, for r <= s:

    - For n < r + s - 2 there is no hook. The matrix has ones in a row and in a column with a common cell, and
      isolated ones.
    - For a few n the cells differ by at most 1. For 2 x s this is n = s + 2, also n = s + 3 for s = 3 to 6, and
      n = s + 4 for s = 2, 4 and 5. It is n = 7 to 10 for 3 x 3, and n = 10 to 12 for 3 x 4.
    - If r = 1 or n = s, all matrices have the same ARD.

    Examples
    --------
    >>> max_adjusted_rand_matrix(20, 2, 4)
    array([[10,  2,  2,  2],
           [ 4,  0,  0,  0]])
    >>> max_adjusted_rand_matrix(6, 2, 4)
    array([[1, 1, 1, 1],
           [1, 1, 0, 0]])
    """
    if r == 1 or n == s:
        return max_rand_matrix(n, r, s)
    has_hooks = n >= r + s - 2
    if not (largest_is_known(n, r, s) or (conjectured and has_hooks)):
        hint = "there is no hook with n < r + s - 2"
        if has_hooks:
            hint = "conjectured=True gives the best hook"
        raise NotProvedError(
            f"the largest ARD is not proved at n = {n}, r = {r}, s = {s}: {hint}. Use confmat.search.maximize to "
            "compare all matrices"
        )
    if not has_hooks:
        first_row = n - r + 1
        first_column = n - s + 1
        return _crossed_ones(r, s, first_row, first_column)
    if equal_cells_are_best(n, r, s):
        return _validated_table(
            max(filter(_has_no_empty_line, _nearly_equal_cells(n, r, s)), key=_ard_of_table)
        )
    return _validated_table(best_hook(n, r, s).matrix())


@_of_size
def max_adjusted_rand_matrices(n: int, r: int, s: int) -> list[np.ndarray]:
    """Return all matrices with the largest adjusted Rand distance, up to the order of rows and columns.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.

    Returns
    -------
    list of numpy.ndarray

    Raises
    ------
    NotProvedError
        If other matrices than hooks have the largest ARD, or may have it (statement `ard-max`).

    Examples
    --------
    >>> [table.tolist() for table in max_adjusted_rand_matrices(25, 3, 3)]
    [[[13, 3, 3], [3, 0, 0], [3, 0, 0]]]
    """
    is_one_value = r == 1 or n == s
    if is_one_value or not _only_hooks_are_known(n, r, s):
        raise NotProvedError(
            f"the matrices with the largest ARD are not all known at n = {n}, r = {r}, s = {s}. Use "
            "confmat.search.maximize"
        )
    return [_validated_table(hook.matrix()) for hook in best_hooks(n, r, s)]


# s -> last n at which a 2 x s table other than a hook has the largest ARD. The first n is s + 2. Default: s + 2.
_LAST_OTHERS = {2: 8, 3: 7, 4: 8, 5: 10, 6: 9}


def _only_hooks_are_known(n: int, r: int, s: int) -> bool:
    """Return whether it is proved that only hooks have the largest ARD. Requires 2 <= r <= s < n.

    A hook has objects in one row and one column only.
    """
    if r == 2:
        return not s + 2 <= n <= _LAST_OTHERS.get(s, s + 2)
    if s <= _MOST_LINES_SETTLED:
        return n >= r + s - 1 and not equal_cells_are_best(n, r, s)
    return only_hooks(n, r, s)


_MOST_LINES_SETTLED = 10  # shapes up to 10 x 10 are settled for every n (statement `ard-hooks-small-shapes`)


def largest_is_known(n: int, r: int, s: int) -> bool:
    """Return whether the largest ARD is proved (statement `ard-max`). Requires 2 <= r <= s < n.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.

    Returns
    -------
    bool

    Examples
    --------
    >>> largest_is_known(15, 10, 10), largest_is_known(23, 12, 12), largest_is_known(60, 12, 12)
    (True, False, True)
    """
    return r == 2 or s <= _MOST_LINES_SETTLED or only_hooks(n, r, s)


def equal_cells_are_best(n: int, r: int, s: int) -> bool:
    """Return whether tables with nearly equal cells have the largest ARD, and no hook has it.

    Requires r <= s and n >= r + s - 2. A hook has objects in one row and one column only. The shapes and totals
    with the result True are the exceptions in the statement `ard-max`.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.

    Returns
    -------
    bool

    Examples
    --------
    >>> [n for n in range(4, 20) if equal_cells_are_best(n, 3, 3)]
    [7, 8, 9, 10]
    """
    if r == 2:
        return n == s + 2 or (s, n) in _EQUAL_CELLS_OF_TWO_ROWS
    return (r, s, n) in _EQUAL_CELLS


_EQUAL_CELLS_OF_TWO_ROWS = {(3, 6), (4, 7), (5, 8), (6, 9), (2, 6), (4, 8), (5, 9)}  # s, n
_EQUAL_CELLS = {(3, 3, 7), (3, 3, 8), (3, 3, 9), (3, 3, 10), (3, 4, 10), (3, 4, 11), (3, 4, 12)}  # r, s, n


def _nearly_equal_cells(n: int, r: int, s: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return two r x s tables with total n and cells that differ by at most 1.

    The larger cells come first, row by row in the first table, column by column in the second.
    """
    cells = balanced(n, r * s)
    by_rows = [cells[i * s : (i + 1) * s] for i in range(r)]
    by_columns = [cells[i::r] for i in range(r)]
    return by_rows, by_columns


# --- smallest distances ----------------------------------------------------------------------------


def min_med(n: int, r: int, s: int) -> Fraction:
    """Return the smallest misclassification error distance between clusterings with r and s clusters: abs(r - s)/n.

    A matching leaves abs(r - s) clusters unmatched, with at least one object each. The minimum is attained if one
    clustering results from the other by splitting off abs(r - s) single objects (statement `med-min`).

    Parameters
    ----------
    n, r, s : int
        Numbers of objects, of clusters of the first and of the second clustering.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> min_med(20, 3, 5)
    Fraction(1, 10)
    """
    n, r, s = _class(n, r, s, allow_empty=False)
    return Fraction(s - r, n)


def min_rand_distance(n: int, r: int, s: int) -> Fraction:
    """Return the smallest Rand distance between a clustering with r and one with s clusters.

    The minimum is attained if the clustering with more clusters refines the other (statement `rd-min`). Let cluster
    i of the coarser clustering be split into j_i + 1 parts. With one object in each part this separates j_i(j_i +
    1)/2 pairs. Each further object of the cluster separates j_i more pairs. All further objects are therefore in the
    cluster with the smallest j_i. The function compares all choices of the j_i, whose sum is the difference of r and s.

    Parameters
    ----------
    n, r, s : int
        Numbers of objects, of clusters of the first and of the second clustering.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> min_rand_distance(20, 3, 5), min_rand_distance(6, 2, 5)
    (Fraction(1, 95), Fraction(1, 3))
    """
    pairs = comb(as_count("n", n), 2)
    if not pairs:
        return Fraction(0)
    fewest_pairs = min(_split_pairs(n, split) for split in _splits(n, r, s))
    return Fraction(fewest_pairs, pairs)


@_of_size
def nearest_matrices(n: int, r: int, s: int) -> list[np.ndarray]:
    """Return r x s matrices with total n and the smallest RD: refinements of one clustering by the other.

    There is a matrix for each number of parts of the largest cluster that attains the smallest RD (statement
    `rd-min`). The other clusters are split as evenly as possible. Other matrices may have the same RD.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.

    Returns
    -------
    list of numpy.ndarray

    Examples
    --------
    >>> [table.tolist() for table in nearest_matrices(9, 2, 3)]
    [[[7, 0, 0], [0, 1, 1]]]
    """
    splits = list(_splits(n, r, s))
    fewest_pairs = min(_split_pairs(n, split) for split in splits)
    tables = []
    for split in splits:
        if _split_pairs(n, split) == fewest_pairs:
            blocks = [parts + 1 for parts in split]
            table = np.zeros((r, s), object)
            row_of_columns = np.repeat(np.arange(r), blocks)
            table[row_of_columns, np.arange(s)] = 1
            table[0, 0] += n - s
            tables.append(_validated_table(table))
    return tables


def _splits(n: int, r: int, s: int) -> Iterator[list[int]]:
    """Yield lists with the number of times that each of r clusters is split, to get s clusters. Requires r <= s.

    The first cluster is split at most as often as the others, which are split evenly.
    """
    n, r, s = _class(n, r, s, allow_empty=False)
    splits = s - r
    if r == 1:
        yield [splits]
        return
    for of_first in range(splits // r + 1):
        yield [of_first, *balanced(splits - of_first, r - 1)]


def _split_pairs(n: int, splits: list[int]) -> int:
    """Return the number of pairs of objects that are together before the splits and apart after them.

    ``splits`` has the number of splits of each cluster. After the splits one part of the first cluster has all
    objects in excess, and every other part has one object.
    """
    between_single_objects = sum(comb(parts + 1, 2) for parts in splits)
    objects_in_excess = n - sum(splits) - len(splits)
    return between_single_objects + objects_in_excess * splits[0]


# --- the adjusted Rand distance at a given MED ----------------------------------------------------


class LargestArd(NamedTuple):
    """The largest adjusted Rand distance at a given number of misplaced objects, or bounds on it.

    Attributes
    ----------
    value : Fraction
        The largest ARD if ``exact``, otherwise an upper bound.
    exact : bool
        True if some pair of clusterings has the ARD ``value``.
    attained : Fraction
        An ARD that some pair of clusterings has, equal to ``value`` if ``exact``.
    basis : str
        The reason, such as the statement of the registry that covers the case.
    """

    value: Fraction
    exact: bool
    attained: Fraction
    basis: str


def ard_bound(med: Any) -> Fraction:
    """Return the supremum of the ARD of populations with misclassification error distance ``med``.

    It is phi(med) = 4(4 - 3 med)/((2 - med)^2 (4 - med)). No population attains it (statement
    `ard-given-med-populations`).

    Parameters
    ----------
    med : int, float or Fraction
        The MED, at least 0 and less than 1.

    Returns
    -------
    Fraction
        The supremum phi(med). At ``med=0`` the ARD is 0 and phi is its limit 1.

    Raises
    ------
    ValueError
        If ``med`` is not in this range.

    Notes
    -----
    A population is a table of probabilities, the limit of tables of many objects. The ARD of a table of n objects
    can exceed the bound. `max_ard_given_med` has bounds for tables.

    phi increases up to med = 2 - 2/sqrt(3) = 0.845..., where it is 6 sqrt(3) - 9 = 1.392..., and decreases to 4/3.

    Examples
    --------
    >>> from fractions import Fraction
    >>> ard_bound(Fraction(1, 10)), ard_bound(Fraction(9, 10))
    (Fraction(14800, 14079), Fraction(5200, 3751))
    >>> max_ard_given_med(11, 2).value > ard_bound(Fraction(2, 11))
    True
    """
    mu = Fraction(med)
    if not 0 <= mu < 1:
        raise ValueError(f"med must be at least 0 and less than 1, got {med!r}")
    denominator = (2 - mu) ** 2 * (4 - mu)
    return 4 * (4 - 3 * mu) / denominator


def max_ard_given_med(n: int, m: int) -> LargestArd:
    """Return the largest ARD of two clusterings of ``n`` objects of which ``m`` = n MED are misplaced.

    The numbers of clusters are free. The largest ARD is known in each of these cases:

    - m <= 1, m = n - 1, or n >= (m + 4)^2 (statement `ard-given-med-tables`).
    - n >= 2000 (statement `ard-given-med-many`).
    - m <= 8, or n <= 14 (statement `ard-given-med-few`, statement `ard-given-med-small`).

    In most of them it is the ARD of the hook of ones. This table has n - m objects in the corner, ceil(m/2) ones in
    the row of the corner and floor(m/2) ones in its column. If the largest ARD is not known, ``attained`` is the ARD
    of this hook, and ``value`` is an upper bound.

    Parameters
    ----------
    n : int
        Number of objects, at least 1.
    m : int
        Number of misplaced objects, at most n - 1.

    Returns
    -------
    LargestArd
        The value, whether it is exact, an attained ARD and the reason.

    Raises
    ------
    ValueError
        If ``m`` is more than n - 1.

    Notes
    -----
    The upper bound is at most 3/2 (statement `ari-least`). Otherwise it is the largest t with

        (t - (1 - 1/n) f)(t - 1) <= t^2/n

    for f = ``ard_bound(m/n)``, rounded up to 12 decimal places.

    Examples
    --------
    >>> known = max_ard_given_med(36, 2)
    >>> known.value, known.exact
    (Fraction(36, 35), True)
    >>> bound = max_ard_given_med(20, 10)
    >>> bound.exact, round(float(bound.attained), 5)
    (False, 1.27731)
    >>> answer = max_ard_given_med(10**6, 10**5)
    >>> answer.exact, round(float(answer.value), 12)
    (True, 1.051211049698)
    """
    n = as_count("n", n, 1)
    m = as_count("m", m)
    if m >= n:
        raise ValueError(f"m must be at most n - 1 = {n - 1}, got {m}")
    if m == 0:
        return _exactly(Fraction(0), "equal clusterings")
    if m == n - 1:
        return _exactly(Fraction(1), "one cluster against clusters of one object")
    all_pairs = comb(n, 2)
    if m == 1:
        return _exactly(Fraction(all_pairs, all_pairs - 1), "theorem ard-given-med-tables")
    leg = m // 2
    arm = m - leg
    attained = Hook(n, leg + 1, arm + 1, arm, leg).ard
    if n >= (m + 4) ** 2:
        return _exactly(attained, "theorem ard-given-med-tables")
    if n >= _FEWEST_POINTS_OF_ALL:
        return _exactly(attained, "theorem ard-given-med-many")
    if n <= _MOST_POINTS_COMPARED:
        return _exactly(_NO_HOOK_OF_ONES.get((n, m), attained), "theorem ard-given-med-small")
    if m <= _MOST_MISPLACED_COMPARED or n <= _MOST_POINTS_SETTLED:
        return _exactly(attained, "theorem ard-given-med-few")
    bound = _bound_of_tables(ard_bound(Fraction(m, n)), n)
    return LargestArd(min(Fraction(3, 2), bound), False, attained, "upper bound")


@_of_size
def max_ard_matrices_given_med(n: int, r: int, s: int, m: int) -> list[np.ndarray]:
    """Return all matrices with the largest ARD among the r x s matrices with n MED at most ``m``.

    They are hooks whose first row and first column have at most m objects outside the corner (statement
    `ard-given-med-tables`). Matrices that differ in the order of rows or columns are listed once. No row or column
    is empty.

    Parameters
    ----------
    n, r, s : int
        Total, number of rows and number of columns, r, s >= 2.
    m : int
        Largest number of misplaced objects, at least r + s - 2.

    Returns
    -------
    list of numpy.ndarray
        The matrices, of shape (r, s).

    Raises
    ------
    NotProvedError
        If m < r + s - 2 or n < (m + 4)^2.

    Examples
    --------
    >>> [table.tolist() for table in max_ard_matrices_given_med(10**6, 2, 3, 4)]
    [[[999996, 1, 1], [2, 0, 0]]]
    """
    is_hook = r >= 2 and m >= r + s - 2
    if not is_hook or n < (m + 4) ** 2:
        raise NotProvedError(
            f"the largest ARD at n MED <= {m} is not proved at n = {n}, r = {r}, s = {s}. Use confmat.search.maximize "
            "with a condition on the MED"
        )
    hooks = best_hooks(n, r, s, m)
    return [_validated_table(hook.matrix()) for hook in hooks]


_MOST_POINTS_COMPARED = 12  # all pairs of clusterings are compared
_MOST_MISPLACED_COMPARED = 8  # of more objects, by all tables that can reach the hook of ones
_MOST_POINTS_SETTLED = 14  # in the same way
_FEWEST_POINTS_OF_ALL = 2000  # any number of them misplaced, by proofs/ard_given_many.py
_NO_HOOK_OF_ONES = {
    (4, 2): Fraction(3, 2),
    (5, 2): Fraction(25, 19),
    (5, 3): Fraction(10, 7),
    (6, 3): Fraction(15, 11),
    (7, 3): Fraction(21, 17),
    (7, 4): Fraction(77, 57),
    (7, 5): Fraction(7, 5),
    (8, 5): Fraction(4, 3),
    (9, 7): Fraction(18, 13),
}


def _exactly(value: Fraction, basis: str) -> LargestArd:
    """Return the `LargestArd` for a case in which the largest ARD is known, with the reason ``basis``."""
    return LargestArd(value, True, value, basis)


def _bound_of_tables(bound: Fraction, n: int) -> Fraction:
    """Return an upper bound of the ARD of tables of ``n`` objects, from a bound for populations.

    The population of a table has the fractions x/n of its cells x as probabilities, and pairs are drawn with
    replacement. ``bound`` >= 1 is an upper bound of the ARD of these populations. The result is the larger root of
    (1 - 1/n) t^2 - (1 + f) t + f with f = (1 - 1/n) ``bound``, rounded up to a multiple of 10^-12. The proof is in
    proofs/ard_given_med.py.
    """
    kept = 1 - Fraction(1, n)
    last = kept * bound
    middle = 1 + last
    discriminant = middle**2 - 4 * kept * last
    root = _root_above(discriminant)
    return _rounded_up((middle + root) / (2 * kept))


def _root_above(x: Fraction) -> Fraction:
    """Return a number above the square root of ``x``, by at most 10^-24."""
    digits = ceil(x * 10**48)
    return Fraction(isqrt(digits) + 1, 10**24)


def _rounded_up(x: Fraction) -> Fraction:
    """Return the least multiple of 10^-12 that is at least ``x``."""
    return Fraction(ceil(x * 10**12), 10**12)


# --- two clusters on each side --------------------------------------------------------------------


def med_2x2(n: int, d: int) -> Fraction:
    """Return the MED of every 2 x 2 table with total n and d objects on a diagonal: min(d, n - d)/n.

    The proof is statement `two-by-two`.

    Parameters
    ----------
    n, d : int
        Total, and number of objects on a diagonal.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> med_2x2(20, 8)
    Fraction(2, 5)
    """
    n, d = _on_diagonal(n, d)
    if n:
        return Fraction(min(d, n - d), n)
    return Fraction(0)


def rand_distance_2x2(n: int, d: int) -> Fraction:
    """Return the Rand distance of every 2 x 2 table with total n and d objects on a diagonal: d(n - d)/C(n, 2).

    The proof is statement `two-by-two`.

    Parameters
    ----------
    n, d : int
        Total, and number of objects on a diagonal.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> rand_distance_2x2(20, 8)
    Fraction(48, 95)
    """
    n, d = _on_diagonal(n, d)
    if n > 1:
        return Fraction(d * (n - d), comb(n, 2))
    return Fraction(0)


def max_adjusted_rand_distance_2x2(n: int, d: int) -> Fraction:
    """Return the largest ARD over 2 x 2 tables without empty rows or columns, total n and d <= n/2 misplaced objects.

    Parameters
    ----------
    n, d : int
        Total, and number of misplaced objects, d = n MED.

    Returns
    -------
    Fraction

    Raises
    ------
    ValueError
        If there is no such table.

    Examples
    --------
    >>> max_adjusted_rand_distance_2x2(20, 8)
    Fraction(95, 84)
    """
    return PairSums.of(max_adjusted_rand_matrix_2x2(n, d)).adjusted_rand_distance


def max_adjusted_rand_matrix_2x2(n: int, d: int) -> np.ndarray:
    """Return a 2 x 2 table that attains `max_adjusted_rand_distance_2x2`.

    Parameters
    ----------
    n, d : int
        Total, and number of misplaced objects, d = n MED.

    Returns
    -------
    array of int, shape (2, 2)

    Raises
    ------
    ValueError
        If there is no such table: n < 2, d > n/2, or n = 2 with d = 1.

    Notes
    -----
    For n >= 9 and d >= 2 it is [[n - d, ceil(d/2)], [floor(d/2), 0]], the form that Chacon (2019, Section 3.3)
    conjectured. The form fails at (n, d) = (4, 2) and (6, 3) (statement `ard-2x2-exceptions`). For d <= 1 it would
    have an empty row or column, and the table is [[n - 1 - d, d], [0, 1]] (statement `ard-2x2-one`). Up to n = 8
    all tables are compared.

    Examples
    --------
    >>> max_adjusted_rand_matrix_2x2(6, 3)
    array([[2, 2],
           [1, 1]])
    """
    n = as_count("n", n, 2)
    d = as_count("d", d)
    if 2 * d > n or (n, d) == (2, 1):
        raise ValueError(
            f"no 2 x 2 table without empty rows or columns has n = {n} and d = {d}. Choose d <= n/2"
        )
    leg = d // 2
    closed_form = [[n - d, d - leg], [leg, 0]]
    if d <= 1:
        closed_form = [[n - 1 - d, d], [0, 1]]
    if n > 8:
        return _validated_table(closed_form)
    candidates = [closed_form]  # the first of several maximisers is returned
    for x, y in product(range(n - d + 1), range(d + 1)):
        first_row = [n - d - x, d - y]
        candidates.append([first_row, [y, x]])
    return _validated_table(max(filter(_has_no_empty_line, candidates), key=_ard_of_table))


def ard_range_given_med_2x2(n: int, d: int) -> tuple[Fraction, Fraction]:
    """Return the smallest and largest ARD over 2 x 2 tables with total n and d = n MED misplaced objects.

    No row or column is empty. The smallest ARD is that of a table with an empty cell off the diagonal (statement
    `ard-2x2-least`). The largest is `max_adjusted_rand_distance_2x2`.

    Parameters
    ----------
    n, d : int
        Total, and number of misplaced objects.

    Returns
    -------
    (Fraction, Fraction)

    Raises
    ------
    ValueError
        If there is no such table.

    Examples
    --------
    >>> ard_range_given_med_2x2(20, 4)
    (Fraction(1216, 1821), Fraction(760, 693))
    """
    largest_ard = max_adjusted_rand_distance_2x2(n, d)
    n = as_count("n", n, 2)
    d = as_count("d", d)
    if d == 0:
        return Fraction(0), largest_ard
    root = isqrt(n + d * d - 2)
    largest_p = min(n - d - 2, root + 1)
    p = largest_p - (largest_p - (n - d)) % 2
    ordered_pairs = n * (n - 1)
    first_factor = (d + p) ** 2 - n
    second_factor = (d - p) ** 2 - n
    divisor = ordered_pairs**2 - first_factor * second_factor
    numerator = 4 * ordered_pairs * d * (n - d)
    return Fraction(numerator, divisor), largest_ard


def _has_no_empty_line(table: list[list[int]]) -> bool:
    """Return whether every row and every column has an object."""
    columns = zip(*table)
    return all(map(any, table)) and all(map(any, columns))


def _ard_of_table(table: list[list[int]]) -> Fraction:
    return PairSums.of(table).adjusted_rand_distance


def _on_diagonal(n: Any, d: Any) -> tuple[int, int]:
    """Return n and d after checking that they are integers with 0 <= d <= n."""
    n = as_count("n", n)
    d = as_count("d", d)
    if d > n:
        raise ValueError(f"d must be at most n = {n}, got {d}")
    return n, d


def _class(n: Any, r: Any, s: Any, allow_empty: bool) -> tuple[int, int, int]:
    """Return n, r and s with r <= s, after checking that there is a table with this total and shape."""
    n = as_count("n", n)
    r = as_count("r", r, 1)
    s = as_count("s", s, 1)
    shorter, longer = sorted((r, s))
    if not allow_empty and n < longer:
        raise ValueError(
            f"n must be at least {longer} for {r} x {s} tables without empty rows or columns, got {n}"
        )
    return n, shorter, longer


def _validated_table(table: Any) -> np.ndarray:
    """Return the table as an int64 array, or as an array of Python integers if they exceed 64 bits."""
    return np.asarray(as_matrix(table))
