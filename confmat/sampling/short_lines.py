"""Exact draws of tables with many short lines: labels in random order, or row by row from states of equal columns."""

from bisect import bisect_right
from collections.abc import Callable, Container
from functools import lru_cache
from itertools import accumulate

import numpy as np

from confmat.classes import FixedMargins
from confmat.classes.fibers import MAX_MULTISETS, MAX_STATES, fewest_states, multisets, states
from confmat.classes.short_lines import Choice, State, choices, completions, state
from confmat.errors import TooRare
from confmat.sampling.methods import DrawnTables, Sampler, uniform_below

Draw = Callable[[np.random.SeedSequence, int], DrawnTables]

# Cells of a block's tables: 80 MB.
_BLOCK_CELLS = 10**7

# Lists of choices that draws share.
_LISTS = 1 << 14


def has_short_lines(margins: FixedMargins) -> bool:
    """Whether states of equal columns are far fewer than places in arrays, or arrays have no room.

    >>> has_short_lines(FixedMargins([2] * 30, [2] * 30)), has_short_lines(FixedMargins([5] * 3, [5] * 3))
    (True, False)
    """
    rows, cols = (tuple(sorted(filter(None, margin))) for margin in (margins.rows, margins.cols))
    few = multisets(fewest_states(rows, cols)[1])
    places = min(states(rows), states(cols))
    return min(len(rows), len(cols)) > 2 and few <= MAX_MULTISETS and places > min(MAX_STATES, 100 * few)


def side_of_points(margins: FixedMargins) -> int | None:
    """The side whose lines hold one point at most: 0 rows, 1 columns; None if there is none.

    >>> side_of_points(FixedMargins([1, 1, 1], [2, 1])), side_of_points(FixedMargins([2, 1], [2, 1]))
    (0, None)
    """
    return next((i for i, side in enumerate((margins.rows, margins.cols)) if max(side) <= 1), None)


def arrangement(margins: FixedMargins) -> Sampler:
    """Independent and exactly uniform draws where a side has lines of one point.

    >>> method = arrangement(FixedMargins([1, 1, 1], [2, 1]))
    >>> method.draw(np.random.SeedSequence(1), 2).tables.sum(axis=1).tolist()
    [[2, 1], [2, 1]]
    """
    turned = bool(side_of_points(margins))
    rows, cols = (margins.cols, margins.rows) if turned else (margins.rows, margins.cols)
    why = f"{'columns' if turned else 'rows'} of one point are labels in random order"
    return Sampler("arrangement", why, _arranged(rows, cols, turned), block=_block(margins))


def _block(margins: FixedMargins) -> int:
    return max(1, min(1024, _BLOCK_CELLS // (len(margins.rows) * len(margins.cols))))


def from_short_lines(margins: FixedMargins, pairs: Container[int] | None = None) -> Sampler:
    """Independent and exactly uniform draws; ``completions`` are counted at once, in seconds; TooLarge where not.

    With ``pairs`` of the tables with so many pairs of points in common cells; TooRare where there is none.

    >>> method = from_short_lines(FixedMargins([2, 1, 1], [2, 2]))
    >>> method.name, method.draw(np.random.SeedSequence(1), 2).tables.sum(axis=1).tolist()
    ('counting', [[2, 2], [2, 2]])
    """
    sides = tuple(tuple(sorted(filter(None, margin))) for margin in (margins.rows, margins.cols))
    turned = fewest_states(*sides) != sides
    rows, cols = (margins.cols, margins.rows) if turned else (margins.rows, margins.cols)
    why = "numbers of completions, equal columns sharing a state"
    return Sampler("counting", why, _row_by_row(rows, cols, turned, pairs), block=min(_block(margins), 256))


def _arranged(rows: tuple[int, ...], cols: tuple[int, ...], turned: bool) -> Draw:
    labels, points = np.repeat(np.arange(len(cols)), cols), np.flatnonzero(rows)

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        rng = np.random.Generator(np.random.PCG64(seeds))
        out = np.zeros((size, len(rows), len(cols)), np.int64)
        orders = rng.permuted(np.tile(labels, (size, 1)), axis=1)
        out[np.arange(size)[:, None], points, orders] = 1
        return DrawnTables(out.transpose(0, 2, 1) if turned else out, size)

    return draw


def _row_by_row(
    rows: tuple[int, ...], cols: tuple[int, ...], turned: bool, pairs: Container[int] | None
) -> Draw:
    order = np.argsort(rows, kind="stable").tolist()
    order = [i for i in order if rows[i]]  # the largest row, last, has no choice
    below = completions(tuple(rows[i] for i in order), cols, pairs=pairs is not None)
    first = state(cols)

    def ways(k: int, columns: State, so_far: int) -> int:
        found = below[k][columns].items()
        return sum(ways for p, ways in found if pairs is None or so_far + p in pairs)

    if not ways(0, first, 0):
        raise TooRare(f"no table with row sums {rows} and column sums {cols} has pairs as asked for")

    @lru_cache(_LISTS)
    def listed(k: int, columns: State, so_far: int) -> tuple[list[tuple[Choice, int]], list[int]]:
        found = [(c, so_far + _pairs(c)) for c in choices(rows[order[k]], columns)]
        return found, list(accumulate(c.ways * ways(k + 1, c.left, after) for c, after in found))

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        rng = np.random.Generator(np.random.PCG64(seeds))
        out = np.zeros((size, len(rows), len(cols)), np.int64)
        for table in out:
            left, columns, so_far = np.array(cols), first, 0
            for k, i in enumerate(order[:-1]):
                found, running = listed(k, columns, so_far if pairs is not None else 0)
                choice, so_far = found[bisect_right(running, uniform_below(rng, running[-1]))]
                _put(rng, choice, left, table[i])
                left -= table[i]
                columns = choice.left
            table[order[-1]] = left
        return DrawnTables(out.transpose(0, 2, 1) if turned else out, size)

    return draw


def _pairs(choice: Choice) -> int:
    return sum(x * (x - 1) for _, x in choice.cells) // 2


def _put(rng: np.random.Generator, choice: Choice, left: np.ndarray, row: np.ndarray) -> None:
    """Give the cells of a choice to random columns with the same sum left."""
    for c in {c for c, _ in choice.cells}:
        cells = [x for cap, x in choice.cells if cap == c]
        row[rng.permutation(np.flatnonzero(left == c))[: len(cells)]] = cells
