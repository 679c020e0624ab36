"""Two classifiers of three classes: how many exchanges of predictions change a metric as much, row by row.

Two cells tell a row of a 3 x 3 matrix whose sum is known, so under exchange each row has a law of two dimensions, and
rows are independent.  F1, precision, the G-means and Matthews' correlation depend on the diagonal d and on the column
sums c, and at given c they rise with d.  So does the difference of the two matrices:

    gain_0 [c_0, d_0]  +  gain_1 [c_1, d_1]  +  gain_2 [c_2, d_2]   >=   threshold [c_0, c_1]

Given what the columns of the first two rows hold, (d_0, d_1) tells these rows.  Their weights are added up along d_0
from above, and each third row asks for one such sum for every d_1: from the least d_0 on that reaches the threshold.
Weights are residues modulo primes, side by side, which are added up without leaving 64 bits.

>>> numbers = np.zeros((3, 3), int)
>>> numbers[0, 1], numbers[2, 1] = 2, 1  # two objects of a row are put into 0 and 1, one into 2 and 1
>>> exchanged_row(numbers).tolist()  # cells 0 and 1 hold none and two of them in one exchange, 1 and 1 in two, ...
[[0, 0, 1, 1], [0, 2, 2, 0], [1, 1, 0, 0]]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from confmat.compiled import njit
from confmat.errors import TooLarge
from confmat.integers.arrays import from_residues, primes_for

MOST_CUTS = 4_000_000_000
"""Third rows times columns of the others times values of d_1: some 10 seconds, as most are decided at once."""

MOST_TIES = 500_000
"""Sums that are too near the threshold to be compared in doubles."""

MOST_PAIRS_OF_ROWS = 2**31
"""So many residues below 2^31 are added up."""


def exchanged_row(numbers: np.ndarray) -> np.ndarray:
    """In how many exchanges the first two cells of a row hold u and v of the objects on which the classifiers differ.

    ``numbers[x, y]``: of objects that one puts into class x and the other one into y.
    """
    ways = {}
    for x, y in combinations(range(3), 2):
        number = int(numbers[x, y] + numbers[y, x])
        ways[x, y] = np.array([comb(number, k) for k in range(number + 1)], object)
    # Those that may be in class 2 come one way to cell 0 or cell 1; the others are in one of these two.
    with_class_2 = np.multiply.outer(
        ways[0, 2],
        ways[1, 2],
    )
    rows, cols = with_class_2.shape
    others = len(ways[0, 1]) - 1
    weights = np.zeros((rows + others, cols + others), object)
    for u, number in enumerate(ways[0, 1]):
        v = others - u
        weights[u : u + rows, v : v + cols] += number * with_class_2
    return weights


@dataclass(frozen=True)
class ThreeRows:
    """Three rows under exchange: ``numbers[t, x, y]`` objects of class t that are put into x and y.

    Axes of hits and column sums increase for the first two classes, and decrease for the last one.
    """

    numbers: np.ndarray

    @cached_property
    def laws(self) -> list[np.ndarray]:
        """Of each row."""
        return [exchanged_row(of_row) for of_row in self.numbers]

    @cached_property
    def agreed(self) -> np.ndarray:
        """The matrix of the objects on which the classifiers agree."""
        return np.diagonal(self.numbers, axis1=1, axis2=2)

    @cached_property
    def discordant(self) -> np.ndarray:
        """How many objects of each class are left."""
        return self.numbers.sum(axis=(1, 2)) - self.agreed.sum(axis=1)

    @cached_property
    def hits(self) -> list[np.ndarray]:
        """What each class may have on the diagonal."""
        shapes = [law.shape for law in self.laws]
        return self._axes(
            np.diag(self.agreed),
            shapes[0][0],
            shapes[1][1],
            sum(shapes[2]) - 1,
            self.discordant[2],
        )

    @cached_property
    def columns(self) -> list[np.ndarray]:
        """What each column may hold."""
        first, second = np.sum([law.shape for law in self.laws], axis=0) - 2
        return self._axes(
            self.agreed.sum(axis=0),
            first,
            second,
            first + second - 1,
            self.discordant.sum(),
        )

    def _axes(self, least: np.ndarray, *sizes: int) -> list[np.ndarray]:
        *sizes_of_axes, largest = sizes
        first, second, third = (np.arange(size) for size in sizes_of_axes)
        return [
            least[0] + first,
            least[1] + second,
            least[2] + largest - third,
        ]

    @cached_property
    def column_sums(self) -> np.ndarray:
        """All three, for each of the first and each of the second class."""
        first, second = np.meshgrid(*self.columns[:2], indexing="ij")
        return np.stack(
            [first, second, self.numbers.sum() - first - second],
            axis=-1,
        )


def number_enough(
    three: ThreeRows,
    gains: Sequence[np.ndarray],
    threshold: np.ndarray,
    near: float,
    are_enough: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> int:
    """In how many exchanges the gains of all classes reach the threshold, on the axes of ``ThreeRows``.

    ``gains[t][column, hits]`` increases with hits; ``threshold[column, column]``, of the first two classes, is infinite
    where nothing is enough.  ``are_enough`` decides what is ``near`` it, from hits and column sums, N x 3 each.
    TooLarge where that takes too long.

    >>> numbers = np.zeros((3, 3, 3), int)
    >>> for t in range(3):
    ...     numbers[t, t, t], numbers[t, t, t - 1] = 1, 2
    >>> three = ThreeRows(numbers)
    >>> gains = [np.broadcast_to(hits, (len(columns), 3)) for hits, columns in zip(three.hits, three.columns)]
    >>> number_enough(three, gains, np.full((5, 5), 7.5), 1e-9, np.array)  # of 64, 9 hits in one and 8 in six
    7
    """
    first, second, third = three.laws
    thirds = np.argwhere(third)
    pairs_of_rows = first.size * second.size
    cuts = (len(first) + len(second) - 1) * first.shape[1] * second.shape[1] * len(thirds)
    if cuts > MOST_CUTS or pairs_of_rows > MOST_PAIRS_OF_ROWS:
        raise TooLarge(f"three rows under exchange meet in {cuts:,} cases")
    primes = primes_for(int(first.sum() * second.sum()))
    ties = np.empty((MOST_TIES, 5), np.int64)
    weights_of_ties = np.empty((MOST_TIES, len(primes)), np.int64)
    totals, number_of_ties = sums_of_pairs(
        _residues(first, primes),
        _residues(second, primes),
        thirds,
        tuple(np.ascontiguousarray(gain, float) for gain in gains),
        threshold,
        near,
        np.array(primes),
        ties,
        weights_of_ties,
    )
    if number_of_ties > MOST_TIES:
        raise TooLarge(f"more than {MOST_TIES:,} sums of gains are too near the threshold")
    number = int(third[tuple(thirds.T)] @ _from_sums(totals, primes))
    if number_of_ties:
        a, b, i, j, k = ties[:number_of_ties].T
        u, v = thirds[k].T
        hits = np.column_stack(
            [
                three.hits[0][j],
                three.hits[1][i],
                three.hits[2][u + v],
            ]
        )
        is_short = ~are_enough(hits, three.column_sums[a + u, b + v])
        weights = third[u, v] * _from_sums(weights_of_ties[:number_of_ties], primes)
        number -= sum(weights[is_short])
    return number


def _from_sums(sums: np.ndarray, primes: tuple[int, ...]) -> np.ndarray:
    """The numbers with these sums of residues, a line each.

    >>> _from_sums(np.array([[1, 4], [2, 1]]), (2, 3)).tolist()
    [1, 4]
    """
    return from_residues((sums % np.array(primes)).T, primes)


def _residues(weights: np.ndarray, primes: tuple[int, ...]) -> np.ndarray:
    """The remainders modulo each prime, along a last axis.

    >>> _residues(np.array([5, 7], object), (2, 3)).tolist()
    [[1, 2], [1, 1]]
    """
    return np.stack(
        [(weights % prime).astype(np.int64) for prime in primes],
        axis=-1,
    )


@njit()
def _above(first: Any, second: Any, a: int, b: int, primes: Any, above: Any) -> Any:
    """Into ``above[i, j]``: the weights of the rows with d_1 = i and d_0 >= j whose columns hold a and b; returns the
    ranges of i and j."""
    # reads: a compiled loop, with the places of each cell written out
    low_j = max(0, a - second.shape[0] + 1)
    high_j = min(first.shape[0] - 1, a)
    low_i = max(0, b - first.shape[1] + 1)
    high_i = min(second.shape[1] - 1, b)
    for i in range(low_i, high_i + 1):
        above[i, high_j + 1] = 0
        for j in range(high_j, low_j - 1, -1):
            for p in range(len(primes)):
                weight = first[j, b - i, p] * second[a - j, i, p] % primes[p]
                above[i, j, p] = above[i, j + 1, p] + weight
    return low_i, high_i, low_j, high_j


@njit()
def sums_of_pairs(
    first: Any,
    second: Any,
    thirds: Any,
    gains: Any,
    threshold: Any,
    near: float,
    primes: Any,
    ties: Any,
    weights_of_ties: Any,
) -> Any:
    """For each third row the weight of the pairs of first and second ones with which the threshold is reached, or
    nearly; and how many are near it.

    Near ones are written into ``ties`` (a, b, i, j as in ``_above``, and the third row) with their weights, while there
    is room.
    """
    # reads: a compiled loop is handed each array and number by itself
    gain_0, gain_1, gain_2 = gains
    totals = np.zeros((len(thirds), len(primes)), np.int64)
    above = np.zeros(
        (
            gain_1.shape[1],
            gain_0.shape[1] + 1,
            len(primes),
        ),
        np.int64,
    )
    all_from = np.zeros(
        (
            gain_1.shape[1] + 1,
            len(primes),
        ),
        np.int64,
    )
    number_near = 0
    for a in range(first.shape[0] + second.shape[0] - 1):
        for b in range(first.shape[1] + second.shape[1] - 1):
            low_i, high_i, low_j, high_j = _above(first, second, a, b, primes, above)
            all_from[high_i + 1] = 0
            for i in range(high_i, low_i - 1, -1):
                for p in range(len(primes)):
                    all_from[i, p] = all_from[i + 1, p] + above[i, low_j, p]
            for k in range(len(thirds)):
                u, v = thirds[k]
                of_first = gain_0[a + u]
                of_second = gain_1[b + v]
                missing = threshold[a + u, b + v] - gain_2[a + b + u + v, u + v]
                low = missing - near
                high = missing + near
                if of_first[high_j] + of_second[high_i] < low:
                    continue
                begin = low_i
                end = high_i + 1
                while begin < end:
                    middle = (begin + end) // 2
                    if of_first[low_j] + of_second[middle] > high:
                        end = middle
                    else:
                        begin = middle + 1
                for p in range(len(primes)):
                    totals[k, p] += all_from[begin, p]
                j = low_j
                for i in range(begin - 1, low_i - 1, -1):
                    while j <= high_j and of_first[j] + of_second[i] < low:
                        j += 1
                    if j > high_j:
                        break
                    for p in range(len(primes)):
                        totals[k, p] += above[i, j, p]
                    near_j = j
                    while near_j <= high_j and of_first[near_j] + of_second[i] <= high:
                        if number_near < len(ties):
                            ties[number_near] = a, b, i, near_j, k
                            weights_of_ties[number_near] = above[i, near_j] - above[i, near_j + 1]
                        number_near += 1
                        near_j += 1
    return totals, number_near
