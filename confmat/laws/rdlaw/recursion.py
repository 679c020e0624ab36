"""The recursion behind the law of the RD: how the laws on sets of cells determine each other.

F = C(n, 2) RD is the sum of x_u x_v over the pairs of cells u, v of one line (row or column).  For a set S of cells
and whole numbers h on it, the *field*, let

    N(S, h; n) = sum over x >= 0 on S with total n of q^E(x),    E(x) = sum over pairs in line of x_u x_v + h . x.

The law of the RD over tables with empty lines allowed is N(all cells, 0; n).  Let U be a part of S, 1_U its
indicator, G the matrix of the relation "in one line", e = E(1_U); then E(x + 1_U) = E(x) + (G 1_U) . x + e.  Split
the x by the cells of U where they vanish (inclusion-exclusion), subtract 1_U from those that vanish nowhere on U:

    N(S, h; n) = sum over non-empty T in U of (-1)^(|T|+1) N(S - T, h; n) + q^e N(S, h + G 1_U; n - |U|).      (*)

A few such steps, up and down, bring h to h + G v for any whole vector v on S.  Where G v is a constant c on S,
N(S, h + G v; m) = q^(c m) N(S, h; m): the path closes, and N(S, h; n) follows from N(S, h; n - sum v) and from
sets of fewer cells.  Such v exist: 1 is in the range of G on S, or else G has a null vector with sum v > 0.  (If
sum v = 0, the path says N = terms + q^(c n + d) N, which is enough where c n + d > 0.)  Fields stay small, and
permutations of lines and transposition make most pairs (S, h), the *states*, one: 25 remain of the 3 x 3 tables,
without any field, and some 6000 of the 4 x 4 tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from math import gcd

import numpy as np

from confmat.laws.rdlaw.kernels import canonical

State = tuple[int, ...]
"""A set of cells with a field: for each column the sum of (1 + h) 256^i over its cells, i the row."""


@dataclass(frozen=True)
class Term:
    """q^(slope n + shift) N(source; n - back)."""

    source: State
    back: int
    slope: int
    shift: int


Relation = dict[Term, int]
"""N(state; n) as a sum of terms with factors; the state itself may be a source, also with back = 0."""


@cache
def recursion(r: int, s: int) -> dict[State, Relation]:
    """The relations of all states that the r x s tables lead to (r <= s), by increasing number of cells.

    They hold for n >= 1; at n = 0 every N is 1.  The state without cells has no terms.

    >>> len(recursion(2, 2)), len(recursion(3, 3))
    (6, 26)
    """
    relations: dict[State, Relation] = {(0,) * s: {}}
    todo = [rectangle(i, j, r, s) for i in range(1, r + 1) for j in range(1, s + 1)]
    while todo:
        state = todo.pop()
        if state not in relations:
            relations[state] = _relation(state, r)
            todo += {term.source for term in relations[state]}
    return {
        state: relations[state]
        for state in sorted(relations, key=lambda x: (np.count_nonzero(values_on_cells(x, r)), x))
    }


def rectangle(i: int, j: int, r: int, s: int) -> State:
    """All cells of i rows and j columns, without field, as a state of r x s tables.

    >>> rectangle(1, 2, 2, 2), rectangle(2, 1, 2, 2)
    ((257, 0), (257, 0))
    """
    cells = np.zeros((1, r, s), np.int64)
    cells[0, :i, :j] = 1
    return _states(cells)[0][0]


def values_on_cells(state: State, r: int) -> np.ndarray:
    """The r x s array of 1 + h on the cells and 0 elsewhere.

    >>> values_on_cells(rectangle(1, 2, 2, 2), 2)
    array([[1, 0],
           [1, 0]])
    """
    return np.array([[column >> 8 * i & 255 for column in state] for i in range(r)], np.int64)


def _relation(state: State, r: int) -> Relation:
    """The path of steps (*) that closes: up along the positive part of v, then down along the negative part."""
    cells = values_on_cells(state, r)
    places = tuple(zip(*(axis.tolist() for axis in np.nonzero(cells))))
    in_line = _in_line(places)
    field = cells[cells > 0] - 1
    relation: Counter[Term] = Counter()
    constant, *closing = _closing_vector(places)
    v = np.array(closing)
    # Along the path N(S, h; n) = the terms so far + q^exponent N(S, field; n - back).
    back, exponent = 0, 0
    for step in _layers(np.maximum(v, 0)):
        for (source, low), factor in _boundary(places, field, step, cells.shape).items():
            relation[Term(source, back, low, exponent - low * back)] += factor
        exponent += _energy(field, in_line, step)
        field, back = field + in_line @ step, back + int(step.sum())
    for step in _layers(np.maximum(-v, 0)):
        field, back = field - in_line @ step, back - int(step.sum())
        exponent -= _energy(field, in_line, step)
        for (source, low), factor in _boundary(places, field, step, cells.shape).items():
            relation[Term(source, back, low, exponent - low * back)] -= factor
    closed = Term(state, back, constant, exponent - constant * back)
    relation[closed] += 1
    if back == 0 and constant + closed.shift <= 0:
        raise ArithmeticError(f"N = terms + q^({constant} n + {closed.shift}) N says nothing for some n >= 1")
    return {term: factor for term, factor in relation.items() if factor}


def _energy(field: np.ndarray, in_line: np.ndarray, step: np.ndarray) -> int:
    """E at the indicator of a step."""
    return int(field @ step + step @ in_line @ step // 2)


def _boundary(
    places: tuple[tuple[int, int], ...], field: np.ndarray, step: np.ndarray, shape: tuple[int, ...]
) -> Counter[tuple[State, int]]:
    """The sum over T in (*) as states, the constants taken out of their fields, and factors."""
    removable = np.flatnonzero(step)
    chosen = np.arange(1, 2 ** len(removable))[:, None] >> np.arange(len(removable)) & 1
    values = np.repeat(field[None] + 1, len(chosen), axis=0)
    lift = 1 - min(int(values.min()), 1)  # fields may be negative on the way
    values += lift
    values[:, removable] *= 1 - chosen
    cells = np.zeros((len(chosen), *shape), np.int64)
    cells[:, [i for i, _ in places], [j for _, j in places]] = values
    states, lows = _states(cells)
    total: Counter[tuple[State, int]] = Counter()
    for state, low, size in zip(states, lows, chosen.sum(axis=1).tolist()):
        total[state, low - lift if any(state) else 0] += 1 if size % 2 else -1
    return total


def _layers(v: np.ndarray) -> Iterator[np.ndarray]:
    """v >= 0 as a sum of 0/1 vectors: v >= 1, v >= 2, ..."""
    for height in range(1, v.max() + 1):
        yield (v >= height).astype(np.int64)


def _in_line(places: tuple[tuple[int, int], ...]) -> np.ndarray:
    """G: whether two different cells have a row or a column in common."""
    same = [[(i == k) + (j == m) == 1 for k, m in places] for i, j in places]
    return np.array(same, np.int64)


@cache
def _closing_vector(places: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """(c, v) with G v = c on all cells, v small, sum v > 0 or else c > 0."""
    from sympy import QQ, ZZ
    from sympy.polys.matrices import DomainMatrix

    rows = [[QQ(int(x)) for x in row] + [QQ(-1)] for row in _in_line(places)]
    null = DomainMatrix(rows, (len(rows), len(rows) + 1), QQ).nullspace()
    basis = [_primitive(row) for row in null.clear_denoms(convert=True)[1].convert_to(ZZ).to_list()]
    most = 3 if len(basis) <= 3 else 2 if len(basis) == 4 else 1
    factors = np.array(list(product(range(-most, most + 1), repeat=len(basis))))
    best = None
    for *v, c in (factors @ np.array(basis)).tolist():
        if (sum(v), c) <= (0, 0):
            continue
        c, *v = _primitive([c, *v])
        cost = (sum(v) == 0, max(map(abs, v)), max(0, -min(v)), sum(map(abs, v)))
        if best is None or cost < best[0]:
            best = cost, (c, *v)
    assert best is not None
    return best[1]


def _primitive(vector: list[int]) -> list[int]:
    divisor = gcd(*(int(x) for x in vector))
    return [int(x) // divisor for x in vector]


def _states(cells: np.ndarray) -> tuple[list[State], list[int]]:
    """States of arrays [k, r, s] of 1 + h and 0, and the constants low that were taken out: h' = h - low."""
    columns, lows = canonical(cells, np.array(list(permutations(range(cells.shape[1])))))
    return list(map(tuple, columns.tolist())), lows.tolist()
