"""Laws under null models (see ``confmat.chance.models``): exact where the class is small, sampled elsewhere, and they
say which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

import numpy as np

from confmat.chance.models import LARGEST_EXACT, is_2x2, is_enumerated, null_tables, table_of
from confmat.classes import MatrixClass, RandomModel, Tables
from confmat.engine.grouping import groups
from confmat.engine.matchings import matched_points
from confmat.engine.reduce import ard_denominator
from confmat.engine.summary import streams
from confmat.laws.evaluation import MOST_POINTS, check_size
from confmat.laws.files import lowest_terms
from confmat.laws.marginal import Marginal, marginal_of
from confmat.laws.sources import oriented
from confmat.matrices.arguments import as_count
from confmat.sampling.draws import Seed, seed_sequence
from confmat.statistics.record import Statistic
from confmat.statistics.table import ARD, STATISTICS, as_statistic, sort_key

__all__ = [
    "LARGEST_EXACT",
    "NullLaw",
    "degree_of_overlap",
    "null_law",
    "null_tables",
]

DISTANCES = ("med", "rd", "ard", "nmed", "nrd")
"""The statistics of a null law unless others are named."""

Number = Fraction | float
Cells = dict[tuple[int, int, int, int], int]
Part = tuple[MatrixClass, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class NullLaw:
    """The joint law of some statistics under a null model, exact or the frequencies of draws.

    ``parts``: for each class of tables its distinct (m, A, B, P), an int64 array of shape (k, 4), and the weight
    of each (Python ints): pairs of clusterings or labelings if ``exact``, else numbers of draws.
    """

    model: RandomModel
    statistics: tuple[Statistic, ...]
    exact: bool
    parts: tuple[Part, ...] = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Short names of the statistics."""
        return tuple(statistic.name for statistic in self.statistics)

    @cached_property
    def support(self) -> list[tuple[tuple[Number, ...], int]]:
        """Every value that occurs, in increasing order, with its weight.

        A tuple of Fractions for each: a minute for the two million values of 400 points and two labels, where
        ``marginal`` takes seconds.
        """
        law = _gathered(self.statistics, self.parts)
        return sorted(law.items(), key=lambda item: tuple(map(sort_key, item[0])))

    @cached_property
    def total(self) -> int:
        """Sum of all weights."""
        return sum(int(weights.sum()) for _, _, weights in self.parts)

    def marginal(self, name: str) -> dict[Number, int]:
        """Value -> weight of one statistic, in increasing order.

        >>> from confmat.classes import random_model
        >>> null_law(random_model("labels", 3, 2, 2), "med", "rd").marginal("rd")
        {Fraction(0, 1): 16, Fraction(2, 3): 48}
        """
        statistic = self._named(name)
        law = _gathered((statistic,), self._determining(statistic))
        return {value: weight for (value,), weight in sorted(law.items(), key=lambda x: sort_key(x[0][0]))}

    def describe(self, name: str) -> Marginal:
        """Mean, sd, quartiles and extremes of one statistic.

        >>> from confmat.classes import random_model
        >>> null_law(random_model("labels", 20, 2, 2), "med").describe("med").median
        Fraction(2, 5)
        """
        return marginal_of(self.marginal(name), name)

    def moments(self, name: str) -> tuple[float, float]:
        """Mean and standard deviation of one statistic in doubles, quick where exact ones have long fractions.

        >>> from confmat.classes import random_model
        >>> mean, sd = null_law(random_model("labels", 3, 2, 2), "rd").moments("rd")
        >>> round(mean, 12), round(sd, 3)
        (0.5, 0.289)
        """
        total, statistic = self.total, self._named(name)
        parts = [
            (float(value), weight / total)
            for (value,), weight in _values_of((statistic,), self._determining(statistic))
        ]
        values, probabilities = np.array(parts).T
        mean = float(values @ probabilities)
        return mean, float(np.sqrt(((values - mean) ** 2) @ probabilities))

    def probability(self, name: str, value: Number) -> Fraction:
        """P(statistic = value); of draws the frequency.

        >>> from confmat.classes import random_model
        >>> null_law(random_model("labels", 20, 2, 2), "med").probability("med", Fraction(1, 2))
        Fraction(46189, 262144)
        """
        return Fraction(self.marginal(name).get(value, 0), self.total)

    def at_most(self, name: str, value: Number) -> Fraction:
        """P(statistic <= value); of draws the frequency.

        >>> from confmat.classes import random_model
        >>> null_law(random_model("labels", 20, 2, 2), "med").at_most("med", Fraction(1, 4))
        Fraction(5425, 131072)
        """
        return Fraction(sum(w for x, w in self.marginal(name).items() if x <= value), self.total)

    def _named(self, name: str) -> Statistic:
        if name not in self.names:
            raise ValueError(f"name must be one of {', '.join(self.names)}, got {name!r}")
        return self.statistics[self.names.index(name)]

    def _determining(self, statistic: Statistic) -> Iterator[Part]:
        """The parts with cells merged that agree in what determines the statistic.

        Some of m, F, A, B and P; the ARD in lowest terms.
        """
        for matrices, cells, weights in self.parts:
            m, a, b, p = cells.T
            f = a + b - 2 * p
            if statistic.base == ARD:
                pairs = comb(matrices.n, 2)
                d = np.where(f > 0, ard_denominator(a, b, pairs), 1)
                keys = np.column_stack(lowest_terms(f * pairs, d))
            else:
                columns = {"m": m, "F": f, "A": a, "B": b, "P": p}
                keys = np.column_stack([columns[letter] for letter in statistic.base.depends])
            _, order, starts = groups(keys)
            yield matrices, cells[order[starts]], np.add.reduceat(weights[order], starts)


def _values_of(
    statistics: tuple[Statistic, ...], parts: Iterable[Part]
) -> Iterator[tuple[tuple[Number, ...], int]]:
    """The values of statistics at every cell and its weight; several cells may have the same values."""
    for matrices, cells, weights in parts:
        functions = [statistic.over(matrices) for statistic in statistics]
        for sums, weight in zip(cells.tolist(), weights.tolist()):
            yield tuple(function(*sums) for function in functions), weight


def _gathered(statistics: tuple[Statistic, ...], parts: Iterable[Part]) -> dict[tuple[Number, ...], int]:
    law: dict[tuple[Number, ...], int] = {}
    for values, weight in _values_of(statistics, parts):
        law[values] = law.get(values, 0) + weight
    return law


def null_law(
    model: RandomModel,
    *statistics: str | Statistic | Any,
    exact: bool | None = None,
    draws: int = 100_000,
    rng: Seed = None,
) -> NullLaw:
    """The joint law of statistics with a formula (the distances of ``DISTANCES`` if none is named) under a null model.

    ``exact``: None enumerates where that takes seconds and draws elsewhere; True and False insist.  ``draws``
    and ``rng`` are for sampling.  Laws of functions of the MED and the RD alone ("med", "rd", "nmed", "nrd") reach
    further when insisted on: their support stays small.

    Raises ValueError for an unknown statistic, and for ``exact=True`` where the law cannot be held.

    >>> from confmat.classes import random_model
    >>> law = null_law(random_model("partitions", 3), "rd")
    >>> [(str(value), weight) for (value,), weight in law.support]  # 5 x 5 pairs of partitions of 3 points
    [('0', 5), ('1/3', 6), ('2/3', 12), ('1', 2)]
    """
    chosen = tuple(as_statistic(statistic) for statistic in statistics or DISTANCES)
    for statistic in chosen:
        if not statistic.counted:
            counted = ", ".join(name for name, known in STATISTICS.items() if known.counted)
            raise ValueError(f"statistic must be one of {counted}, got {statistic.name!r}")
    enumerated = is_enumerated(model) if exact is None else exact
    if enumerated:
        parts = tuple(_exact_parts(model, chosen))
    else:
        drawn = _drawn_cells(model, as_count("draws", draws, 1), rng)
        parts = tuple((matrices, *_as_arrays(cells)) for matrices, cells in drawn)
    return NullLaw(model, chosen, enumerated, parts)


def _exact_parts(model: RandomModel, statistics: tuple[Statistic, ...]) -> Iterator[Part]:
    """Distinct (m, A, B, P) with their numbers of pairs of labelings (of clusterings, for "partitions").

    Where the statistics depend on m and F = A + B - 2P alone, (m, F, 0, 0): much larger classes can be held.
    """
    if (matrices := model.matrices) is not None:
        of_disagreements = set("".join(s.base.depends for s in statistics)) <= {"m", "F"}
        if not is_2x2(matrices) and of_disagreements and streams(matrices, "labelings"):
            law = _law_of_disagreements(matrices)
            m, f = np.nonzero(law)
            yield matrices, np.column_stack([m, f, 0 * f, 0 * f]), law[m, f]
            return
        check_size(matrices, MOST_POINTS)
        yield matrices, *_as_arrays(labeling_cells(matrices, _is_directed(statistics)))
        return
    for matrices, coefficient in model.parts:
        cells, weights = _as_arrays(labeling_cells(matrices, _is_directed(statistics)))
        yield matrices, cells, weights // coefficient.denominator  # labelings that are the same clusterings


def _law_of_disagreements(matrices: MatrixClass) -> np.ndarray:
    """Pairs of labelings by m and F."""
    from confmat.engine.summary import summarize
    from confmat.plans.resources import Resources

    summary = summarize(matrices, "labelings", Resources())
    return np.zeros((1, 1), object) if summary is None else summary.law


def _as_arrays(cells: Cells) -> tuple[np.ndarray, np.ndarray]:
    weights = np.empty(len(cells), object)
    weights[:] = list(cells.values())
    return np.array(list(cells), np.int64), weights


def _is_directed(statistics: tuple[Statistic, ...]) -> bool:
    """Whether a statistic tells rows from columns."""
    return any("transposition" not in statistic.generators for statistic in statistics)


def labeling_cells(matrices: MatrixClass, directed: bool = True) -> Cells:
    """Distinct (m, A, B, P) over a class with the number of pairs of labelings of each.

    ``directed`` False: A and B may be exchanged.

    >>> labeling_cells(Tables(3, 2, 2))
    {(0, 1, 1, 1): 12, (1, 1, 1, 0): 24}
    """
    from confmat.engine.run import Resources
    from confmat.engine.summary import collect

    if is_2x2(matrices) and not directed:
        return _cells_2x2(matrices.n)
    cells, counts = collect(matrices, "labelings", Resources())
    if directed:
        cells, counts = oriented(matrices, cells, counts)
    law: Cells = {}
    for cell, weight in zip(map(tuple, cells.tolist()), counts.tolist()):
        law[cell] = law.get(cell, 0) + weight
    return law


def _cells_2x2(n: int) -> Cells:
    """The 2 x 2 case directly: n!/prod x! by binomials, one table of each orbit under exchange of rows and columns.

    ``collect`` carries residues modulo dozens of primes where n is in the hundreds; Python integers are quicker here.
    """
    cells: Cells = {}
    pairs = [comb(x, 2) for x in range(n + 1)]
    binomials = [[comb(k, x) for x in range(k + 1)] for k in range(n + 1)]
    for a in range(n // 2 + 1):
        above, below = binomials[a], binomials[n - a]
        rows = binomials[n][a] * (1 if 2 * a == n else 2)
        for x in range(a + 1):  # table [[x, a - x], [y, n - a - y]]
            for y in range(n // 2 - x + 1):
                b, on = x + y, x + n - a - y
                inside = pairs[x] + pairs[a - x] + pairs[y] + pairs[n - a - y]
                cell = (min(on, n - on), pairs[a] + pairs[n - a], pairs[b] + pairs[n - b], inside)
                ways = rows * above[x] * below[y] * (1 if 2 * b == n else 2)
                cells[cell] = cells.get(cell, 0) + ways
    return cells


def _drawn_cells(model: RandomModel, draws: int, rng: Seed) -> Iterator[tuple[MatrixClass, Cells]]:
    if model.matrices is not None:
        for tables in null_tables(model, draws, rng=rng):
            yield model.matrices, table_cells(tables)
        return
    generator = np.random.Generator(np.random.PCG64(seed_sequence(rng)))
    by_shape: dict[tuple[int, ...], list[np.ndarray]] = {}
    for _ in range(draws):
        table = table_of(model, generator)
        by_shape.setdefault(table.shape, []).append(table)
    for (r, s), found in by_shape.items():
        yield Tables(model.n, r, s), table_cells(np.array(found))


def table_cells(tables: np.ndarray) -> Cells:
    """(m, A, B, P) of every table of an array (size x r x s), with how many have them.

    >>> table_cells(np.array([[[2, 0], [0, 1]], [[1, 1], [1, 0]], [[0, 1], [2, 0]]]))
    {(0, 1, 1, 1): 2, (1, 1, 1, 0): 1}
    """
    keys, counts = np.unique(cell_values(tables), axis=0, return_counts=True)
    return {tuple(key): count for key, count in zip(keys.tolist(), counts.tolist())}


def cell_values(tables: np.ndarray) -> np.ndarray:
    """(m, A, B, P) of every table: an int64 array of shape (size, 4).

    >>> cell_values(np.array([[[2, 0], [0, 1]], [[1, 1], [1, 0]]]))
    array([[0, 1, 1, 1],
           [1, 1, 1, 0]])
    """
    rows, cols = tables.sum(axis=2), tables.sum(axis=1)
    m = rows.sum(axis=1) - matched_points(tables)
    inside = tables.reshape(len(tables), -1)
    return np.column_stack([m, *((x * (x - 1) // 2).sum(axis=1) for x in (rows, cols, inside))])


def degree_of_overlap(matrix: Any) -> Fraction:
    """Share of the points off the diagonal of a square table (Steinley 2004); never below the MED.

    The two differ once points moved off the diagonal gather in a better matching (Chacon 2019, Section 4.2).

    >>> from confmat.indices.partition import med
    >>> matrix = [[2, 8], [7, 3]]
    >>> degree_of_overlap(matrix), med(matrix, exact=True)
    (Fraction(3, 4), Fraction(1, 4))
    """
    from confmat.matrices.matrix import nonzero_cells

    cells = nonzero_cells(matrix)
    if cells.shape[0] != cells.shape[1]:
        raise ValueError(f"matrix must be square, got shape {cells.shape}")
    n = sum(cells.values)
    on = sum(x for i, j, x in zip(cells.rows.tolist(), cells.cols.tolist(), cells.values) if i == j)
    return Fraction(n - on, n) if n else Fraction(0)
