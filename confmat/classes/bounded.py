"""Matrices whose cells have bounds, one cell after another: how many ways there are to go on, and which.

The cells are read in row-major order.  What is still possible depends on little of what was read, the *state*; the
numbers of completions of all states, each computed once, give count, order and rank of the class.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from confmat.classes.compositions import Composition, sums_to_end
from confmat.classes.orbits import Matrix
from confmat.errors import TooLarge
from confmat.matrices.arguments import as_count
from confmat.matrices.texts import matrix_text
from confmat.sheets import whole

CellBounds = tuple[Matrix, Matrix]

# States whose completions are held, and cells: minutes and a GB at most.
MOST_STATES = 2_000_000
MOST_CELLS_BOUNDED = 400


def as_cells(cells: Any, shape: tuple[int, int], n: int) -> CellBounds:
    """``cells=(low, high)`` as two r x s matrices of ints; each bound one number for all cells or a matrix of numbers.

    ``high`` None: no bound.  A structural zero is a cell with high 0.  Raises ValueError or TypeError naming ``cells``.

    >>> as_cells((1, [[2, None], [5, 0]]), (2, 2), 9)
    Traceback (most recent call last):
    ...
    ValueError: cells must have low <= high everywhere, got 1 and 0 in row 1, column 1
    """
    if not isinstance(cells, (tuple, list)) or len(cells) != 2:
        raise TypeError(f"cells must be (low, high), each a number or a matrix of numbers, got {cells!r}")
    low = _bound("low", cells[0], [[0] * shape[1]] * shape[0])
    no_bound = []
    for row in low:
        no_bound.append([max(n, least) for least in row])
    high = _bound("high", cells[1], no_bound)
    for i, j in np.ndindex(*shape):
        if low[i][j] > high[i][j]:
            raise ValueError(
                f"cells must have low <= high everywhere, got {low[i][j]} and {high[i][j]} in row {i}, column {j}"
            )
    return low, high


def _bound(name: str, bound: Any, unbounded: list[list[int]]) -> Matrix:
    """A bound as a matrix; what is None, or in it, as ``unbounded`` has it."""
    r, s = len(unbounded), len(unbounded[0])
    bound = bound.tolist() if isinstance(bound, np.ndarray) else bound
    if not isinstance(bound, (list, tuple)):
        bound = [[bound] * s] * r
    are_rows = all(isinstance(row, (list, tuple)) and len(row) == s for row in bound)
    if len(bound) != r or not are_rows:
        raise ValueError(f"cells must have a {name} bound of shape {r, s}, got {bound!r}")
    checked = [[*row] for row in unbounded]
    for i, row in enumerate(bound):
        for j, x in enumerate(row):
            if x is not None:
                checked[i][j] = as_count(f"cells {name}[{i}][{j}]", x)
    return tuple(map(tuple, checked))


def within(rows: Matrix, cells: CellBounds) -> bool:
    """Whether every cell keeps its bounds.

    >>> within(((1, 0), (0, 2)), as_cells((0, 1), (2, 2), 3))
    False
    """
    return all(a <= x <= b for line, low, high in zip(rows, *cells) for x, a, b in zip(line, low, high))


def brief(cells: CellBounds) -> tuple[int | Matrix, int | Matrix]:
    """The bounds, one number for those that are the same for all cells.

    >>> brief(as_cells((0, [[1, 0]]), (1, 2), 3))
    (0, ((1, 0),))
    """
    values = [{x for row in bound for x in row} for bound in cells]
    low, high = (found.pop() if len(found) == 1 else bound for found, bound in zip(values, cells))
    return low, high


def bounds_in_words(cells: CellBounds | None) -> str:
    """The bounds as the end of a sentence; nothing where there are none.

    >>> bounds_in_words(as_cells((0, 1), (2, 2), 3)), bounds_in_words(None)
    (', cells from 0 to 1', '')
    """
    return "" if cells is None else ", cells from {} to {}".format(*brief(cells))


def bounds_as_text(cells: CellBounds | None) -> str:
    """The bounds as a part of the text of a class; nothing where there are none.

    >>> bounds_as_text(as_cells((0, 1), (2, 2), 3)), bounds_as_text(as_cells((0, [[1, 0]]), (1, 2), 3))
    (' cells=0..1', ' cells=0..1,0')
    """
    if cells is None:
        return ""
    low, high = (matrix_text(bound) if isinstance(bound, tuple) else bound for bound in brief(cells))
    return f" cells={low}..{high}"


class Recursion(ABC):
    """Matrices read cell by cell; ``step`` takes a state past the next cell, ``choices`` says what that may be."""

    def __init__(self, cells: CellBounds) -> None:
        self.r, self.s = len(cells[0]), len(cells[0][0])
        self.low, self.high = ([x for row in bound for x in row] for bound in cells)
        if len(self.low) > MOST_CELLS_BOUNDED:
            raise TooLarge(f"cells with bounds must be at most {MOST_CELLS_BOUNDED}, got {len(self.low)}")
        self._completions: dict[Any, int] = {}

    @abstractmethod
    def start(self) -> Any:
        """The state before the first cell."""

    @abstractmethod
    def choices(self, k: int, state: Any) -> range:
        """Values of cell k that may lead to a member."""

    @abstractmethod
    def step(self, k: int, state: Any, x: int) -> Any:
        """The state after cell k with value x; None where no member goes on so."""

    @abstractmethod
    def accepts(self, state: Any) -> bool:
        """Whether the state after the last cell is that of a member."""

    def completions(self, k: int, state: Any) -> int:
        """Number of ways to fill the cells from k on."""
        if state is None:
            return 0
        if k == len(self.low):
            return int(self.accepts(state))
        known = self._completions.get((k, state))
        if known is None:
            values = self._few(k, state)
            known = sum(self.completions(k + 1, self.step(k, state, x)) for x in values)
            self._completions[k, state] = known
        return known

    def _few(self, k: int, state: Any) -> range:
        """``choices``, each of which leads to a state of its own; TooLarge where there is no room for these."""
        values = self.choices(k, state)
        needed = max(len(self._completions) + values.stop - values.start, self.least_states())
        if needed > MOST_STATES:
            raise TooLarge(
                f"counting with bounds on cells would take {whole(needed)} states or more (limit {whole(MOST_STATES)})"
            )
        return values

    def least_states(self) -> int:
        """A number of states that there are at least, told from the bounds alone."""
        return 0

    def after(self, prefix: list[int]) -> Any:
        """The state after the cells ``prefix``."""
        state = self.start()
        for k, x in enumerate(prefix):
            state = self.step(k, state, x) if x in self.choices(k, state) else None
            if state is None:
                break
        return state

    def tail(self, prefix: list[int]) -> Callable[[int], int]:
        """x -> number of members that start with ``prefix`` and have x or more in the next cell."""
        k, state = len(prefix), self.after(prefix)
        values = self._few(k, state)
        counts = []
        for x in values:
            counts.append(self.completions(k + 1, self.step(k, state, x)))
        tails = sums_to_end(counts)
        return lambda x: tails[min(max(x - values.start, 0), len(counts))]

    def next_rows(self, above: list[Composition]) -> Iterator[Composition]:
        """Rows that may follow ``above`` in a member, in lexicographic order."""
        k = len(above) * self.s
        yield from self._rows(k, k + self.s, self.after([x for row in above for x in row]))

    def _rows(self, k: int, end: int, state: Any) -> Iterator[Composition]:
        if k == end:
            yield ()
            return
        for x in self.choices(k, state):
            following = self.step(k, state, x)
            if self.completions(k + 1, following):
                for rest in self._rows(k + 1, end, following):
                    yield (x, *rest)


class WithTotal(Recursion):
    """All matrices with a total; ``empty``: lines may be empty.  State: points left, row filled?, columns filled."""

    def __init__(self, cells: CellBounds, n: int, empty: bool) -> None:
        super().__init__(cells)
        self.n, self.empty = n, empty
        self.least, self.most = sums_to_end(self.low), sums_to_end(self.high)

    def least_states(self) -> int:
        return self._least_states

    @cached_property
    def _least_states(self) -> int:
        """After each cell, as many as there are numbers of points left."""
        so_far = accumulate(self.low, initial=0), accumulate(self.high, initial=0)
        states = 0
        for low, high, least, most in zip(*so_far, self.least, self.most):
            largest, smallest = min(high, self.n - least), max(low, self.n - most)
            states += max(0, largest - smallest + 1)
        return states

    def start(self) -> Any:
        return self.n, self.empty, (1 << self.s) - 1 if self.empty else 0

    def choices(self, k: int, state: Any) -> range:
        left = state[0]
        return range(
            max(self.low[k], left - self.most[k + 1]), min(self.high[k], left - self.least[k + 1]) + 1
        )

    def step(self, k: int, state: Any, x: int) -> Any:
        left, filled, columns = state
        j = k % self.s
        filled, columns = filled or x > 0, columns | (1 << j if x else 0)
        if j == self.s - 1:
            if not filled:
                return None
            filled = self.empty
        return left - x, filled, columns

    def accepts(self, state: Any) -> bool:
        return state[0] == 0 and state[2] == (1 << self.s) - 1


class WithMargins(Recursion):
    """All matrices with row and column sums.  State: what is left of the row, and of every column."""

    def __init__(self, cells: CellBounds, rows: Composition, cols: Composition) -> None:
        super().__init__(cells)
        self.rows, self.cols = rows, cols
        by_row, by_column = (
            [],
            [],
        )  # what the cells to the right in the row, below in the column take: least and most
        for bound in (self.low, self.high):
            grid = np.array(bound, object).reshape(self.r, self.s)
            by_row.append((np.cumsum(grid[:, ::-1], axis=1)[:, ::-1] - grid).ravel().tolist())
            by_column.append((np.cumsum(grid[::-1], axis=0)[::-1] - grid).ravel().tolist())
        self.right, self.below = by_row, by_column

    def start(self) -> Any:
        return self.rows[0], self.cols

    def choices(self, k: int, state: Any) -> range:
        left, column = state[0], state[1][k % self.s]
        (least_right, most_right), (least_below, most_below) = self.right, self.below
        least_by_row = left - most_right[k]
        least_by_column = column - most_below[k]
        least = max(self.low[k], least_by_row, least_by_column)
        most_by_row = left - least_right[k]
        most_by_column = column - least_below[k]
        most = min(self.high[k], most_by_row, most_by_column)
        return range(least, most + 1)

    def step(self, k: int, state: Any, x: int) -> Any:
        left, columns = state
        i, j = divmod(k, self.s)
        columns = (*columns[:j], columns[j] - x, *columns[j + 1 :])
        if j < self.s - 1:
            return left - x, columns
        return (self.rows[i + 1] if i + 1 < self.r else 0), columns

    def accepts(self, state: Any) -> bool:
        return not any(state[1])
