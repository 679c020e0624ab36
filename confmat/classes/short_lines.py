"""Counting the matrices of many short lines: row by row, columns that have the same sum left sharing a state.

A state is the column sums that are left, as increasing pairs (sum, number of columns), empty columns dropped.
Nothing here calls itself, so there may be any number of lines.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import factorial, prod
from typing import NamedTuple

from confmat.classes.compositions import Row
from confmat.errors import TooLarge

State = tuple[tuple[int, int], ...]

# Choices of a row looked at before counting gives up: some 5 microseconds each.
MAX_CHOICES = 2_000_000

# Numbers of completions that are added up, by the pairs in them: some 10 s.
MAX_TERMS = 3 * 10**7


class Choice(NamedTuple):
    """``cells``: (sum left, cell) of the columns that a row puts something in; ``ways`` to pick these columns."""

    cells: tuple[tuple[int, int], ...]
    left: State
    ways: int


def state(cols: Row) -> State:
    """Columns up to order.

    >>> state((2, 0, 1, 2))
    ((1, 1), (2, 2))
    """
    return tuple(sorted(Counter(filter(None, cols)).items()))


def choices(total: int, columns: State) -> Iterator[Choice]:
    """Every way to put a row of sum ``total`` into columns, up to the order of those with the same sum left.

    >>> [(choice.cells, choice.ways) for choice in choices(2, ((1, 2), (2, 1)))]
    [(((2, 2),), 1), (((1, 1), (2, 1)), 2), (((1, 1), (1, 1)), 1)]
    """
    room = [sum(c * copies for c, copies in columns[g:]) for g in range(len(columns) + 1)]
    # (group, largest cell there, its columns not yet used, points left, cells so far, ways, equal cells in a row)
    Step = tuple[int, int, int, int, tuple[tuple[int, int], ...], int, int]
    waiting: list[Step] = []
    if total <= room[0]:
        waiting.append((-1, 0, 0, total, (), 1, 0))
    while waiting:
        g, most, free, left, cells, ways, equal = waiting.pop()
        if not left:
            yield Choice(cells, _without(columns, cells), ways)
            continue
        beyond = room[g + 1]
        for x in range(max(1, -(-(left - beyond) // free)), min(most, left) + 1) if free else ():
            run = equal + 1 if x == most and equal else 1
            cell = (columns[g][0], x)
            waiting.append((g, x, free - 1, left - x, (*cells, cell), ways * free // run, run))
        if left <= beyond:
            waiting.append((g + 1, *columns[g + 1], left, cells, ways, 0))


def _without(columns: State, cells: tuple[tuple[int, int], ...]) -> State:
    copies = dict(columns)
    for c, x in cells:
        copies[c] -= 1
        copies[c - x] = copies.get(c - x, 0) + 1
    return tuple(sorted((c, k) for c, k in copies.items() if c and k))


def arrangements(cols: Row) -> int:
    """Number of matrices whose rows hold one point each: orders of the columns' labels.

    >>> arrangements((2, 1, 1))
    12
    """
    return factorial(sum(cols)) // prod(map(factorial, cols))


def completions(rows: Row, cols: Row, *, pairs: bool = False) -> list[dict[State, dict[int, int]]]:
    """For k = 0..len(rows) - 1: in how many ways rows k, k + 1, ... fill the columns, by the state before row k.

    By the pairs of points in common cells of these rows, or all under 0.

    >>> completions((1, 1), (1, 1))
    [{((1, 2),): {0: 2}}, {((1, 1),): {0: 1}}]
    >>> completions((2, 2), (2, 2), pairs=True)[0]
    {((2, 2),): {2: 2, 0: 1}}
    """

    def within(cells: Iterable[int]) -> int:
        return sum(x * (x - 1) for x in cells) // 2 if pairs else 0

    levels: list[dict[State, dict[int, int]]] = [{state(cols): {}}]
    looked_at = added = 0
    for total in rows[:-1]:
        reached: dict[State, dict[int, int]] = {}
        for columns in levels[-1]:
            for choice in choices(total, columns):
                reached[choice.left] = {}
                looked_at += 1
                if looked_at > MAX_CHOICES:
                    raise TooLarge(f"rows and cols leave more than {MAX_CHOICES} choices of rows to list")
        levels.append(reached)
    levels[-1] = {columns: {within(c for c, k in columns for _ in range(k)): 1} for columns in levels[-1]}
    for k in range(len(rows) - 2, -1, -1):
        below = levels[k + 1]
        for columns in levels[k]:
            found: Counter[int] = Counter()
            for choice in choices(rows[k], columns):
                here, after = within(x for _, x in choice.cells), below[choice.left]
                for p, ways in after.items():
                    found[p + here] += choice.ways * ways
                added += len(after)
                if added > MAX_TERMS:
                    raise TooLarge(f"rows and cols leave more than {MAX_TERMS} ways to add up")
            levels[k][columns] = dict(found)
    return levels
