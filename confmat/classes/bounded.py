"""Matrices whose cells have bounds, one cell after another: how many ways there are to go on, and which.

The cells are read in row-major order.  What is still possible depends on little of what was read, the *state*; the
numbers of completions of all states, each computed once, give count, order and rank of the class.
"""

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

import numpy as np

from confmat._display.sheets import whole
from confmat._integers.compositions import Composition, Side, sums_to_end
from confmat.classes.orbits import Matrix
from confmat.errors import TooLargeError

CellBounds = tuple[Matrix, Matrix]
Needs = tuple[int, int, Composition]

# States whose completions are held: minutes and a GB at most.
MOST_STATES = 2_000_000


class CellByCell:
    """Matrices within bounds and with sums from two sides, cell by cell.

    A state is what is left: of the points, of what the current row needs, and of what every column needs.  A line with
    a fixed sum needs what is left of it; one that must not be empty a point, until it has one.
    """

    def __init__(self, cells: CellBounds, rows: Side, cols: Side) -> None:
        self.rows, self.cols, self.s = rows, cols, cols.lines
        self.low, self.high = ([x for row in bound for x in row] for bound in cells)
        # What the cells after one take, least and most: all of them, those of its row, those of its column.
        self.after = sums_to_end(self.low), sums_to_end(self.high)
        grids = [np.array(bound, object) for bound in cells]
        self.right = [(_sums_to_end_of_lines(grid, 1) - grid).ravel().tolist() for grid in grids]
        self.below = [(_sums_to_end_of_lines(grid, 0) - grid).ravel().tolist() for grid in grids]
        self._completions: dict[Any, int] = {}
        self._least_states = self._numbers_of_points_left()

    def _numbers_of_points_left(self) -> int:
        """States that there are at least: after each cell, as many as there may be points left; 0 for fixed sums."""
        if self.rows.sums is not None or self.cols.sums is not None:
            return 0
        n = self.rows.n
        so_far = (
            accumulate(self.low, initial=0),
            accumulate(self.high, initial=0),
        )
        states = 0
        for points_so_far, most_so_far, least_after, most_after in zip(*so_far, *self.after):
            most_left = min(most_so_far, n - least_after)
            least_left = max(points_so_far, n - most_after)
            states += max(0, most_left - least_left + 1)
        return states

    def start(self) -> Needs:
        """The state before the first cell."""
        return self.rows.n, self.rows.least[0], self.cols.least

    def choices(self, k: int, state: Needs) -> range:
        """Values of cell k that may lead to a member."""
        points, of_row, of_columns = state
        of_column = of_columns[k % self.s]
        (least_after, most_after), (least_right, most_right) = self.after, self.right
        least_below, most_below = self.below
        lower_bounds = [
            self.low[k],
            points - most_after[k + 1],
            of_row - most_right[k],
            of_column - most_below[k],
        ]
        upper_bounds = [
            self.high[k],
            points - least_after[k + 1],
        ]
        if self.rows.sums is not None:
            upper_bounds.append(of_row - least_right[k])
        if self.cols.sums is not None:
            upper_bounds.append(of_column - least_below[k])
        return range(
            max(lower_bounds),
            min(upper_bounds) + 1,
        )

    def step(self, k: int, state: Needs, x: int) -> Needs:
        """The state after cell k with value x, one of its choices."""
        points, of_row, of_columns = state
        i, j = divmod(k, self.s)
        of_row = of_row - x
        of_column = of_columns[j] - x
        if self.rows.sums is None:
            of_row = max(0, of_row)
        if self.cols.sums is None:
            of_column = max(0, of_column)
        if j == self.s - 1:
            if k + 1 == len(self.low):
                of_row = 0
            else:
                of_row = self.rows.least[i + 1]
        return points - x, of_row, (*of_columns[:j], of_column, *of_columns[j + 1 :])

    def completions(self, k: int, state: Needs) -> int:
        """Number of ways to fill the cells from k on."""
        if k == len(self.low):
            return 1
        number = self._completions.get((k, state))
        if number is None:
            values = self._few(k, state)
            number = sum(self.completions(k + 1, self.step(k, state, x)) for x in values)
            self._completions[k, state] = number
        return number

    def _few(self, k: int, state: Needs) -> range:
        """``choices``, each of which leads to a state of its own; TooLargeError where there is no room for these."""
        values = self.choices(k, state)
        states_needed = max(len(self._completions) + values.stop - values.start, self._least_states)
        if states_needed > MOST_STATES:
            states = f"{whole(states_needed)} states or more (limit {whole(MOST_STATES)})"
            raise TooLargeError(f"counting with bounds on cells would take {states}")
        return values

    def _state_after(self, prefix: list[int]) -> Needs:
        state = self.start()
        for k, x in enumerate(prefix):
            state = self.step(k, state, x)
        return state

    def tail(self, prefix: list[int]) -> Callable[[int], int]:
        """x -> number of members that start with ``prefix``, as some do, and have x or more in the next cell."""
        k = len(prefix)
        state = self._state_after(prefix)
        values = self._few(k, state)
        counts = []
        for x in values:
            counts.append(
                self.completions(
                    k + 1,
                    self.step(k, state, x),
                )
            )
        tails = sums_to_end(counts)
        return lambda x: tails[min(max(x - values.start, 0), len(counts))]

    def next_rows(self, rows_above: list[Composition]) -> Iterator[Composition]:
        """Rows that may follow ``rows_above`` in a member, in lexicographic order."""
        k = len(rows_above) * self.s
        yield from self._rows(
            k,
            k + self.s,
            self._state_after([x for row in rows_above for x in row]),
        )

    def _rows(self, k: int, end: int, state: Needs) -> Iterator[Composition]:
        if k == end:
            yield ()
            return
        for x in self.choices(k, state):
            following = self.step(k, state, x)
            if self.completions(k + 1, following):
                for rest in self._rows(k + 1, end, following):
                    yield (x, *rest)


def _sums_to_end_of_lines(grid: np.ndarray, axis: int) -> np.ndarray:
    """The sum of each cell and those after it along an axis."""
    return np.flip(np.flip(grid, axis).cumsum(axis=axis), axis)
