"""Distribution of the Rand distance (RD) by a recursion over sets of cells, modulo primes.

F = C(n, 2) RD is the sum of x_u x_v over the pairs of cells u, v in a common row or column. Let S be a set of
cells, and h an integer for each of them (the *linear term*). The recursion is for the generating function

    N(S, h; n) = sum over x >= 0 on S with total n of q^E(x)

    E(x) = sum over pairs u, v of x_u x_v + h . x

The distribution of the RD over tables with empty rows and columns is N(all cells, 0; n). Let U be a subset of S
with indicator 1_U. Let G be the matrix with G_uv = 1 if u, v are in a common row or column, and e = E(1_U). Then
E(x + 1_U) = E(x) + (G 1_U) . x + e. Split the x by the cells of U at which they are 0 (inclusion and exclusion).
Subtract 1_U from the x that are positive on all of U:

    N(S, h; n) = sum over T of (-1)^(|T|+1) N(S - T, h; n) + q^e N(S, h + G 1_U; n - |U|)      (*)

with T over the non-empty subsets of U.

Some such steps, up and down, lead from h to h + G v for any integer vector v on S. If G v is a constant c on S,
N(S, h + G v; m) = q^(c m) N(S, h; m). The path is then closed. N(S, h; n) follows from N(S, h; n - sum v) and from
sets with fewer cells. Such a v exists: either 1 is in the range of G on S, or G has a null vector with sum v > 0.
If sum v = 0, the closed path gives N = terms + q^(c n + d) N, which determines N if c n + d > 0.

The linear terms stay small. Permutations of rows and columns and transposition make most pairs (S, h), the
*states*, equivalent: 25 remain of the 3 x 3 tables, with h = 0 only, and some 6000 of the 4 x 4 tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from math import gcd
from typing import Any

import numpy as np

from confmat._integers.arrays import from_residues, primes_for
from confmat._limits import as_threads
from confmat.classes import Tables
from confmat.distributions.rand_distribution.kernels import advance, canonical_cells
from confmat.distributions.shapes import as_shape, smaller_shapes

State = tuple[int, ...]
"""A set of cells with a linear term h: for each column the sum of (1 + h) 256^i over its cells, i the row."""


@dataclass(frozen=True)
class CountTerm:
    """Term q^(slope n + shift) N(source; n - back) of the recursion, without its integer factor.

    N(source; k) is the polynomial in q of the state ``source`` for k objects (see the module).
    """

    source: State
    back: int
    slope: int
    shift: int


Relation = dict[CountTerm, int]
"""N(state; n) as a sum of terms with factors.  The state itself may be a source, also with back = 0."""


@cache
def recursion(r: int, s: int) -> dict[State, Relation]:
    """Return the recursion for r x s tables: for each state, by increasing number of cells, its relation to others.

    Requires r <= s. The states are those that follow from the rectangles of cells of r x s tables. A relation
    expresses N(state; n) by terms, for n >= 1. N(state; 0) is 1. The state without cells has no terms.

    >>> len(recursion(2, 2)), len(recursion(3, 3))
    (6, 26)
    """
    relations: dict[State, Relation] = {(0,) * s: {}}
    todo = []
    for i in range(1, r + 1):
        todo += [rectangle(i, j, r, s) for j in range(1, s + 1)]
    while todo:
        state = todo.pop()
        if state not in relations:
            relations[state] = _relation(state, r)
            todo += {term.source for term in relations[state]}
    sizes = {state: np.count_nonzero(values_on_cells(state, r)) for state in relations}
    states = sorted(relations, key=lambda state: (sizes[state], state))
    return {state: relations[state] for state in states}


def rectangle(i: int, j: int, r: int, s: int) -> State:
    """Return the state of all cells of i rows and j columns, with linear term h = 0, for r x s tables.

    >>> rectangle(1, 2, 2, 2) == rectangle(2, 1, 2, 2)  # one state for all rectangles that are alike
    True
    """
    cells = np.zeros((1, r, s), np.int64)
    cells[0, :i, :j] = 1
    return _states(cells)[0][0]


def values_on_cells(state: State, r: int) -> np.ndarray:
    """Return an r x s array with 1 + h(i, j) at the cells (i, j) of a state, and 0 at other cells.

    A state is a set of cells with an integer h for each of them, the linear term of its recursion (see the module).

    >>> values_on_cells(rectangle(1, 2, 2, 2), 2)
    array([[1, 0],
           [1, 0]])
    """
    columns = np.array(state, np.int64)
    shifts = 8 * np.arange(r)[:, None]
    return columns >> shifts & 255


def _relation(state: State, r: int) -> Relation:
    """Return the linear relation between a state (S, h) and other states, from a closed path of steps.

    A step from h to h + G 1_U removes one object from each cell of U (see the module). Let G v be constant. The sum
    of the steps up is the positive part of v, the sum of the steps down the negative part.
    """
    cells = values_on_cells(state, r)
    places = tuple((i, j) for i, j in np.argwhere(cells).tolist())
    in_line = _in_line(places)
    field = cells[cells > 0] - 1
    relation: Counter[CountTerm] = Counter()
    constant, *closing = _closing_vector(places)
    v = np.array(closing)
    # A path of steps up and then down, after which the linear term h has changed by a constant only.
    # Along the path N(S, h; n) = terms so far + q^exponent N(S, field; n - points_back), with linear term ``field``.
    points_back = 0
    exponent = 0
    for step in _layers(v):
        for (source, low), factor in _boundary(places, field, step, cells.shape).items():
            term = CountTerm(source, points_back, low, exponent - low * points_back)
            relation[term] += factor
        exponent += _energy(field, in_line, step)
        field = field + in_line @ step
        points_back = points_back + int(step.sum())
    for step in _layers(-v):
        field = field - in_line @ step
        points_back = points_back - int(step.sum())
        exponent -= _energy(field, in_line, step)
        for (source, low), factor in _boundary(places, field, step, cells.shape).items():
            term = CountTerm(source, points_back, low, exponent - low * points_back)
            relation[term] -= factor
    closing_term = CountTerm(state, points_back, constant, exponent - constant * points_back)
    relation[closing_term] += 1
    if points_back == 0 and constant + closing_term.shift <= 0:
        raise ArithmeticError(
            f"the recursion for the RD has no valid recurrence for this shape: the exponent {constant} n + "
            f"{closing_term.shift} must be positive. This is a bug: please report it"
        )
    return {term: factor for term, factor in relation.items() if factor}


def _energy(field: np.ndarray, in_line: np.ndarray, step: np.ndarray) -> int:
    """Return E(x) of the module for the 0/1 vector x = ``step``.

    ``field`` is the linear term h. ``in_line`` is the matrix G.
    """
    pairs = step @ in_line @ step
    return int(field @ step + pairs // 2)


def _boundary(
    places: tuple[tuple[int, int], ...], field: np.ndarray, step: np.ndarray, shape: tuple[int, ...]
) -> Counter[tuple[State, int]]:
    """Return the sum over non-empty subsets T of U in formula (*) of the module, as a dictionary of factors.

    ``step`` is the indicator of U. A key is a pair (state, c), and c is the constant part of the linear term. It
    contributes q^(c n).
    """
    removable = np.flatnonzero(step)
    subsets = np.arange(1, 2 ** len(removable))
    vanishing = subsets[:, None] >> np.arange(len(removable)) & 1
    values = np.repeat(
        field[None] + 1,
        len(vanishing),
        axis=0,
    )
    lift = 1 - min(int(values.min()), 1)  # linear terms may be negative along the path
    values += lift
    values[:, removable] *= 1 - vanishing
    cells = np.zeros((len(vanishing), *shape), np.int64)
    rows, columns = zip(*places)
    cells[:, rows, columns] = values
    states, lows = _states(cells)
    total: Counter[tuple[State, int]] = Counter()
    for state, low, size in zip(states, lows, vanishing.sum(axis=1).tolist()):
        total[state, low - lift if any(state) else 0] += 1 if size % 2 else -1
    return total


def _layers(v: np.ndarray) -> Iterator[np.ndarray]:
    """Yield 0/1 vectors with the positive part of v as sum: v >= 1, v >= 2, ..."""
    for height in range(1, v.max() + 1):
        yield (v >= height).astype(np.int64)


def _in_line(places: tuple[tuple[int, int], ...]) -> np.ndarray:
    """Return the matrix G for the cells ``places``.

    An entry is 1 if two different cells have a row or a column in common, otherwise 0.
    """
    rows, columns = np.array(places).T
    in_row = rows[:, None] == rows
    in_column = columns[:, None] == columns
    return (in_row ^ in_column).astype(np.int64)


@cache
def _closing_vector(places: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """Return a pair (c, v) with G v = c on the cells ``places`` and small v. G is the result of `_in_line`.

    Either the sum of v is positive, or it is 0 and c > 0.
    """
    from sympy import QQ, ZZ
    from sympy.polys.matrices import DomainMatrix

    equations = [[*map(QQ, row), QQ(-1)] for row in _in_line(places).tolist()]
    null = DomainMatrix(
        equations,
        (
            len(equations),
            len(equations) + 1,
        ),
        QQ,
    ).nullspace()
    rows = null.clear_denoms(convert=True)[1].convert_to(ZZ).to_list()
    basis = np.array([_primitive(row) for row in rows])
    largest_factor = {4: 2}.get(
        len(basis),
        3 if len(basis) < 4 else 1,
    )
    closing = []
    for factors in product(range(-largest_factor, largest_factor + 1), repeat=len(basis)):
        *v, c = (factors @ basis).tolist()
        if (sum(v), c) > (0, 0):
            closing.append(_primitive([c, *v]))
    smallest: list[int] = min(closing, key=_size_of_closing)
    return tuple(smallest)


def _size_of_closing(vector: list[int]) -> tuple[Any, ...]:
    """Return a key that sorts ``vector`` = (c, v): small vectors v first, and those with sum 0 last.

    The key is a tuple: whether the sum of v is 0, the largest absolute value, the most negative value, and the sum
    of absolute values.
    """
    _, *v = vector
    sizes = list(map(abs, v))
    return sum(v) == 0, max(sizes), max(0, -min(v)), sum(sizes)


def _primitive(vector: Iterable[int]) -> list[int]:
    """Divide integers by their greatest common divisor."""
    numbers = list(map(int, vector))
    divisor = gcd(*numbers)
    return [x // divisor for x in numbers]


def _states(cells: np.ndarray) -> tuple[list[State], list[int]]:
    """Return the state of each of k arrays (k x r x s), and a list of the smallest h of each array.

    An array has 1 + h at the cells of its state, with the linear term h, and 0 at other cells. The smallest h is
    subtracted in the state.
    """
    columns, lows = canonical_cells(cells, np.array(list(permutations(range(cells.shape[1])))))
    return list(map(tuple, columns.tolist())), lows.tolist()


LARGEST_COLUMNS_OF_RD = {1: 8, 2: 8, 3: 4, 4: 4}
"""For each number of rows the largest supported number of columns (r <= s)."""

MOST_MEMORY = 2**33
"""Largest memory of the recursion, in bytes."""


def rand_distance_counts(
    n: int, r: int, s: int, *, allow_empty: bool = False, threads: int | None = None
) -> list[int]:
    """Return the exact distribution of the RD over ``Tables(n, r, s, allow_empty)``, as counts.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.
    allow_empty : bool
        Rows and columns may be empty. Default: False.
    threads : int, optional
        Number of threads. Default: all cores.

    Returns
    -------
    list of int
        Element F is the number of tables with C(n, 2) RD = F, RD the Rand distance. The list ends with the largest F,
        and is empty for a class without members.

    Raises
    ------
    ValueError
        For other shapes than 1 x 8, 2 x 8, 3 x 4, 4 x 4, smaller ones and their transposes, and for an n that takes
        more memory than ``MOST_MEMORY``.

    Notes
    -----
    The method is a recursion over sets of cells (statement `rd-recursion`). The time grows as n^3, the memory as n^2.
    Tables(300, 3, 3) takes a second, (100, 4, 4) seven seconds and half a GiB. (300, 4, 4) takes six minutes of CPU
    time and 4 GiB.

    Examples
    --------
    >>> rand_distance_counts(3, 2, 2)
    [4, 0, 4]
    """
    tables = Tables(n, r, s, allow_empty)
    threads = as_threads(threads)
    r, s = as_shape(r, s, LARGEST_COLUMNS_OF_RD, "recursion", '"med", "rd"')
    if (memory := memory_of_columns(tables.n, r, s)) > MOST_MEMORY:
        raise ValueError(
            f"n must be smaller, got n={n} for r={r}, s={s}: the recursion would take {memory / 2**30:.0f} GiB "
            f"(limit {MOST_MEMORY / 2**30:.0f} GiB)"
        )
    if tables.count() == 0:
        return []
    primes = primes_for(tables.count())
    with ThreadPoolExecutor(threads) as pool:
        residues = []
        for prime in primes:
            residues.append(_law_modulo(prime, tables.n, r, s, tables.allow_empty, threads, pool))
    counts = from_residues(np.stack(residues), primes)
    return [int(count) for count in np.trim_zeros(counts, "b")]


def memory_of_columns(n: int, r: int, s: int) -> int:
    """Return the memory in bytes of the largest arrays of ``rand_distance_counts``.

    Parameters
    ----------
    n, r, s : int
        Total, numbers of rows and of columns.

    Returns
    -------
    int

    Examples
    --------
    >>> memory_of_columns(300, 3, 3) / 2**20 < 11
    True
    """
    shorter, longer = sorted((r, s))
    program = _program(shorter, longer)
    sizes = program.sizes(np.array([n], object))  # Python integers: n may be of any size
    residues = 4 * int(program.slots @ sizes)
    longest = max(n, int(sizes.max()))
    return residues + 64 * longest


def _law_modulo(
    prime: int, n: int, r: int, s: int, allow_empty: bool, threads: int, pool: ThreadPoolExecutor
) -> np.ndarray:
    """Return the number of tables with each value of F = C(n, 2) RD, modulo a prime.

    If rows and columns must not be empty, the numbers follow by inclusion and exclusion over smaller rectangles of
    cells.
    """
    program = _program(r, s)
    roots: Counter[int] = Counter()
    for i, j, factor in smaller_shapes(r, s, allow_empty):
        roots[program.numbers[rectangle(i, j, r, s)]] += factor
    rings, residues, lengths = program.rings(n)
    for m in range(n + 1):
        sizes = program.sizes(m)
        for level in program.levels:
            arguments: tuple[Any, ...] = (sizes, program.terms, rings, residues, lengths)
            parts = [level[i::threads] for i in range(min(threads, len(level)))]
            runs = [pool.submit(advance, m, prime, part, *arguments) for part in parts]
            for run in runs:
                run.result()
    starts, slots, widths = rings
    law = np.zeros(widths[list(roots)].max(), np.int64)
    for state, factor in roots.items():
        slot = n % slots[state]
        start = starts[state] + slot * widths[state]
        length = lengths[state, slot]
        window = residues[start : start + length].astype(np.int64)
        law[:length] += factor * window
        law[:length] %= prime
    return law


@dataclass(frozen=True)
class Program:
    """Relations of ``recursion(r, s)`` as arrays, for the compiled function.

    Attributes
    ----------
    numbers : dict
        Number of each state. States are numbered by increasing number of cells.
    levels : list of array
        States with equal numbers of cells, which do not depend on each other.
    cliques : array of int
        For each state, the largest number of its cells in one row or column.
    fields : array of int
        For each state, its largest linear term.
    terms : tuple of arrays
        First term of each state, then source, back, slope, shift and factor of each term.
    slots : array of int
        Number of consecutive n for which the values of a state are needed at the same time.
    """

    numbers: dict[State, int]
    levels: list[np.ndarray]
    cliques: np.ndarray
    fields: np.ndarray
    terms: tuple[np.ndarray, ...]
    slots: np.ndarray

    def sizes(self, n: int | np.ndarray) -> np.ndarray:
        """Return upper bounds of the numbers of coefficients of N(state; n), from E <= (1 - 1/clique) n^2/2 + n field.

        The bound is due to Motzkin and Straus (1965).

        >>> _program(1, 2).sizes(2)
        array([1, 1, 2])
        """
        most_pairs = n * n * (self.cliques - 1) // (2 * self.cliques)
        return most_pairs + n * self.fields + 1

    def rings(self, n: int) -> tuple[tuple[np.ndarray, ...], np.ndarray, np.ndarray]:
        """Return empty ring buffers for the recursion up to ``n`` objects, as the last three arguments of ``advance``.

        The polynomial N(state; m) is needed for the last few m only, ``slots`` of them for each state. It is stored
        in slot m modulo ``slots``.

        Returns
        -------
        rings : tuple of arrays
            For each state: the index in ``residues`` at which its buffer begins, its number of slots, and the
            length of a slot.
        residues : array of int32
            The buffers of all states one after the other, uninitialized.
        lengths : array of int
            Number of coefficients in use in each slot, at first 0: an array (states x largest number of slots).

        >>> (starts, slots, widths), residues, lengths = _program(1, 2).rings(2)
        >>> slots.tolist(), widths.tolist(), residues.size
        ([1, 2, 3], [1, 1, 2], 9)
        """
        widths = self.sizes(n)
        ends = np.cumsum(self.slots * widths)
        starts = ends - self.slots * widths
        residues = np.empty(ends[-1], np.int32)
        lengths = np.zeros((len(starts), self.slots.max()), np.int64)
        return (starts, self.slots, widths), residues, lengths


@cache
def _program(r: int, s: int) -> Program:
    """Return the relations of the r x s tables as arrays. Requires r <= s."""
    relations = recursion(r, s)
    numbers = {state: i for i, state in enumerate(relations)}
    rows = []
    for relation in relations.values():
        for term, factor in relation.items():
            rows.append((numbers[term.source], term.back, term.slope, term.shift, factor))
    sources, backs, slopes, shifts, factors = np.array(rows, np.int64).T.copy()
    first_term = np.cumsum([0, *map(len, relations.values())])
    slots = np.ones(len(numbers), np.int64)
    np.maximum.at(slots, sources, backs + 1)
    values = np.stack([values_on_cells(state, r) for state in numbers])
    cells = values > 0
    sizes = cells.sum(axis=(1, 2))
    longest_lines = [cells.sum(axis=axis).max(axis=1) for axis in (1, 2)]
    return Program(
        numbers,
        levels=[np.flatnonzero(sizes == size) for size in range(r * s + 1)],
        cliques=np.maximum(np.maximum(*longest_lines), 1),
        fields=np.maximum(values.max(axis=(1, 2)) - 1, 0),
        terms=(first_term, sources, backs, slopes, shifts, factors.astype(float)),
        slots=slots,
    )
