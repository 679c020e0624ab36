"""Null models by name: what two clusterings look like when they agree by chance only.

| name | what is equally likely | tables |
|---|---|---|
| "labels" | pairs of labelings, r and s labels, any unused (Chacon 2019, Section 4.1) | total n, empty lines too |
| "clusters" | pairs of clusterings into exactly r and s clusters | total n, no empty line |
| "sizes" | pairs of clusterings with given sizes: the permutation model behind the ARI | fixed margins |
| "partitions" | pairs of clusterings with any number of clusters (Gates and Ahn 2017) | all of total n |

Laws are exact where the class is small, sampled elsewhere, and say which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial
from typing import Any

import numpy as np

from confmat.classes import FixedMargins, MatrixClass, Tables
from confmat.describe import Description, describe
from confmat.indices.pairs import PairSums
from confmat.sampling.draws import Draws, Seed, seed_sequence
from confmat.sampling.given import matched_points
from confmat.sampling.methods import Block, Method, uniform_below
from confmat.statistics import NAMED
from confmat.validation import as_count

__all__ = ["MODELS", "NullLaw", "NullModel", "degree_of_overlap", "null_law", "null_model", "null_tables"]

MODELS = ("labels", "clusters", "sizes", "partitions")

STATISTICS = ("med", "rd", "ard", "nmed", "nrd")

# Exact laws visit every table of the class up to symmetry; up to this many tables that takes seconds.
MOST_TABLES = 4 * 10**8
MOST_PARTITIONED = 6

# A law with weights of hundreds of digits costs the more, the larger n is; 2 x 2 tables have a way of their own.
LARGEST_EXACT = 120
LARGEST_2X2 = 400

Number = Fraction | float
Cells = dict[tuple[int, int, int, int], int]


@dataclass(frozen=True)
class NullModel:
    """A null model: its name and the class of its tables (None for "partitions"), made by ``null_model``."""

    name: str
    n: int
    matrices: MatrixClass | None

    @property
    def exact(self) -> bool:
        """Whether ``null_law`` enumerates it by default."""
        if self.matrices is None:
            return self.n <= MOST_PARTITIONED
        if self.name == "labels" and self.matrices.shape == (2, 2):
            return self.n <= LARGEST_2X2
        try:
            return self.n <= LARGEST_EXACT and self.matrices.count() <= MOST_TABLES
        except ValueError:  # margins that cannot be counted
            return False


def null_model(
    name: str,
    n: int | None = None,
    r: int | None = None,
    s: int | None = None,
    *,
    rows: Iterable[int] | None = None,
    cols: Iterable[int] | None = None,
) -> NullModel:
    """A null model by name.

    "labels" and "clusters" take ``n, r, s``, "sizes" takes ``rows, cols``, "partitions" takes ``n``.  Raises
    ValueError for an unknown name, missing or superfluous sizes, and clusters that n points cannot fill.

    >>> null_model("clusters", 20, 3, 3).matrices
    Tables(n=20, r=3, s=3, empty=False)
    """
    if name not in MODELS:
        raise ValueError(f"name must be one of {', '.join(MODELS)}, got {name!r}")
    wanted = {"labels": "nrs", "clusters": "nrs", "partitions": "n"}.get(name, ("rows", "cols"))
    sizes = {"n": n, "r": r, "s": s, "rows": rows, "cols": cols}
    if {key for key, value in sizes.items() if value is not None} != set(wanted):
        raise ValueError(f"the model {name!r} needs {', '.join(wanted)} and nothing else")
    if rows is not None and cols is not None:
        margins = FixedMargins(rows, cols)  # type: ignore[arg-type]
        return NullModel(name, margins.n, margins)
    if name == "partitions":
        return NullModel(name, as_count("n", n, 1), None)
    matrices = Tables(n, r, s, empty=name == "labels")  # type: ignore[arg-type]
    if not matrices.count():
        raise ValueError(f"{n} points cannot fill {r} and {s} clusters")
    return NullModel(name, matrices.n, matrices)


@dataclass(frozen=True)
class NullLaw:
    """The joint law of some statistics under a null model, exact or the frequencies of draws.

    ``support``: every value that occurs, in increasing order, with its weight (pairs of clusterings or labelings
    if ``exact``, else numbers of draws).
    """

    model: NullModel
    names: tuple[str, ...]
    exact: bool
    support: list[tuple[tuple[Number, ...], int]]

    @property
    def total(self) -> int:
        """Sum of all weights."""
        return sum(weight for _, weight in self.support)

    def marginal(self, name: str) -> dict[Number, int]:
        """Value -> weight of one statistic, in increasing order."""
        if name not in self.names:
            raise ValueError(f"name must be one of {', '.join(self.names)}, got {name!r}")
        position = self.names.index(name)
        law: dict[Number, int] = {}
        for values, weight in sorted(self.support, key=lambda item: item[0][position]):
            law[values[position]] = law.get(values[position], 0) + weight
        return law

    def describe(self, name: str) -> Description:
        """Mean, sd, quartiles and extremes of one statistic."""
        return describe(self.marginal(name))

    def moments(self, name: str) -> tuple[float, float]:
        """Mean and standard deviation of one statistic in doubles, quick where exact ones have long fractions."""
        position = self.names.index(name)
        values = np.array([float(v[position]) for v, _ in self.support])
        total = self.total
        weights = np.array([weight / total for _, weight in self.support])
        mean = float(values @ weights)
        return mean, float(np.sqrt(((values - mean) ** 2) @ weights))

    def probability(self, name: str, value: Number) -> Fraction:
        """P(statistic = value); of draws the frequency.

        >>> null_law(null_model("labels", 20, 2, 2), "med").probability("med", Fraction(1, 2))
        Fraction(46189, 262144)
        """
        return Fraction(self.marginal(name).get(value, 0), self.total)


def null_law(
    model: NullModel,
    *statistics: str,
    exact: bool | None = None,
    draws: int = 100_000,
    rng: Seed = None,
) -> NullLaw:
    """The joint law of statistics ("med", "rd", "ard", "nmed", "nrd" and others of ``joint``) under a null model.

    ``exact``: None enumerates where that takes seconds and draws elsewhere; True and False insist.  ``draws``
    and ``rng`` are for sampling.  Raises ValueError for an unknown statistic.

    >>> law = null_law(null_model("partitions", 3), "rd")
    >>> [(str(value), weight) for (value,), weight in law.support]  # 5 x 5 pairs of partitions of 3 points
    [('0', 5), ('1/3', 6), ('2/3', 12), ('1', 2)]
    """
    names = statistics or STATISTICS
    for name in names:
        if name not in NAMED:
            raise ValueError(f"statistic must be one of {', '.join(NAMED)}, got {name!r}")
    enumerated = model.exact if exact is None else exact
    law: dict[tuple[Number, ...], int] = {}
    parts = _exact_cells(model) if enumerated else _drawn_cells(model, as_count("draws", draws, 1), rng)
    for matrices, cells in parts:
        for (m, *sums), weight in cells.items():
            pair_sums = PairSums(model.n, *sums)
            values = tuple(NAMED[name](matrices, m, pair_sums) for name in names)
            law[values] = law.get(values, 0) + weight
    return NullLaw(model, names, enumerated, sorted(law.items(), key=_by_value))


def _by_value(item: tuple[tuple[Number, ...], int]) -> tuple[Any, ...]:
    """Doubles first, they compare quickly; exact values where doubles tie."""
    values = item[0]
    return tuple(map(float, values)), values


def _exact_cells(model: NullModel) -> Iterator[tuple[MatrixClass, Cells]]:
    """Distinct (m, A, B, P) with their numbers of pairs of labelings (of clusterings, for "partitions")."""
    if model.matrices is not None:
        yield model.matrices, labeling_cells(model.matrices)
        return
    n = model.n
    for r in range(1, n + 1):
        for s in range(1, n + 1):
            matrices = Tables(n, r, s)
            names = factorial(r) * factorial(s)  # labelings that are the same pair of clusterings
            yield matrices, {cell: w // names for cell, w in labeling_cells(matrices).items()}


def labeling_cells(matrices: MatrixClass) -> Cells:
    """Distinct (m, A, B, P) over a class with the number of pairs of labelings of each."""
    from confmat.engine.run import Resources
    from confmat.engine.summary import collect

    if isinstance(matrices, Tables) and matrices.shape == (2, 2) and matrices.empty:
        return _cells_2x2(matrices.n)
    cells, counts = collect(matrices, "labelings", Resources())
    return {tuple(cell): weight for cell, weight in zip(cells.tolist(), counts.tolist())}


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


def _drawn_cells(model: NullModel, draws: int, rng: Seed) -> Iterator[tuple[MatrixClass, Cells]]:
    if model.matrices is not None:
        for tables in null_tables(model, draws, rng=rng):
            yield model.matrices, table_cells(tables)
        return
    generator = np.random.Generator(np.random.PCG64(seed_sequence(rng)))
    by_shape: dict[tuple[int, ...], list[np.ndarray]] = {}
    for _ in range(draws):
        table = _table_of_partitions(model.n, generator)
        by_shape.setdefault(table.shape, []).append(table)
    for (r, s), found in by_shape.items():
        yield Tables(model.n, r, s), table_cells(np.array(found))


def table_cells(tables: np.ndarray) -> Cells:
    """(m, A, B, P) of every table of an array (size x r x s), with how many have them."""
    keys, counts = np.unique(cell_values(tables), axis=0, return_counts=True)
    return {tuple(key): count for key, count in zip(keys.tolist(), counts.tolist())}


def cell_values(tables: np.ndarray) -> np.ndarray:
    """(m, A, B, P) of every table: an int64 array of shape (size, 4)."""
    rows, cols = tables.sum(axis=2), tables.sum(axis=1)
    m = rows.sum(axis=1) - matched_points(tables)
    inside = tables.reshape(len(tables), -1)
    return np.column_stack([m, *((x * (x - 1) // 2).sum(axis=1) for x in (rows, cols, inside))])


# --- drawing ---------------------------------------------------------------------------------------


def null_tables(model: NullModel, size: int, *, rng: Seed = None, threads: int = 1) -> Draws:
    """Tables drawn under a null model, each with its weight there: iterate for chunks, or ``.array()``.

    "labels": multinomial cells.  "clusters": the sizes of two uniform surjections, then labels permuted.
    "sizes": labels permuted (SciPy's ``random_table``).  Raises ValueError for "partitions", whose tables have no
    common shape.

    >>> null_tables(null_model("sizes", rows=[3, 2], cols=[4, 1]), 100, rng=1).array().shape
    (100, 2, 2)
    """
    if model.matrices is None:
        raise ValueError(
            "tables of the model 'partitions' have no common shape; ask null_law for its statistics"
        )
    draw = {"labels": _draw_labels, "clusters": _draw_clusters, "sizes": _draw_sizes}[model.name]
    matrices = model.matrices

    def block(seeds: np.random.SeedSequence, amount: int) -> Block:
        return Block(draw(matrices, np.random.Generator(np.random.PCG64(seeds)), amount), amount)

    method = Method(model.name, "drawn from the model", block)
    return Draws(matrices, method, as_count("size", size), seed_sequence(rng), threads)


def _draw_labels(matrices: Any, rng: np.random.Generator, size: int) -> np.ndarray:
    cells = matrices.r * matrices.s
    return rng.multinomial(matrices.n, [1 / cells] * cells, size).reshape(size, matrices.r, matrices.s)


def _draw_sizes(matrices: Any, rng: np.random.Generator, size: int) -> np.ndarray:
    from scipy.stats import random_table

    if matrices.n == 0 or not size:
        return np.zeros((size, *matrices.shape), np.int64)
    # An int32 algorithm inside: shuffling below 10^4 points, Patefield's rows above, as SciPy chooses.
    drawn = random_table.rvs(matrices.rows, matrices.cols, size=size, random_state=rng)
    return drawn.reshape(size, *matrices.shape).astype(np.int64)


def _draw_clusters(matrices: Any, rng: np.random.Generator, size: int) -> np.ndarray:
    tables = np.empty((size, matrices.r, matrices.s), np.int64)
    for i in range(size):
        rows, cols = (_surjection_sizes(matrices.n, k, rng) for k in (matrices.r, matrices.s))
        tables[i] = _permuted(rows, cols, rng)
    return tables


def _permuted(rows: tuple[int, ...], cols: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """One table of labels permuted at random; quicker than ``random_table`` where the margins change every time."""
    r, s = len(rows), len(cols)
    cells = np.repeat(np.arange(r) * s, rows) + rng.permutation(np.repeat(np.arange(s), cols))
    return np.bincount(cells, minlength=r * s).reshape(r, s)


def _surjection_sizes(n: int, parts: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Sizes of the classes of a uniform surjection of n points onto ``parts`` labels, exact at any size."""
    sizes = []
    for left in range(parts, 0, -1):
        weights = _first_sizes(n, left)
        pick = uniform_below(rng, weights[-1])
        size = next(a for a, running in enumerate(weights) if pick < running)
        sizes.append(size)
        n -= size
    return tuple(sizes)


@lru_cache(maxsize=4096)
def _first_sizes(n: int, parts: int) -> tuple[int, ...]:
    """Running numbers of surjections onto ``parts`` labels by the size of the first class, 0..n."""
    running, total = [], 0
    for a in range(n + 1):
        total += comb(n, a) * surjections(n - a, parts - 1) if a else 0
        running.append(total)
    return tuple(running)


@lru_cache(maxsize=100_000)
def surjections(n: int, parts: int) -> int:
    """Number of ways to label n points with all of ``parts`` labels, parts! S(n, parts).

    >>> surjections(4, 2), surjections(0, 0)
    (14, 1)
    """
    return sum((-1) ** k * comb(parts, k) * (parts - k) ** n for k in range(parts + 1))


def _table_of_partitions(n: int, rng: np.random.Generator) -> np.ndarray:
    """The table of two uniform set partitions of n points, without empty lines."""
    margins = []
    for _ in range(2):
        counts = _stirling_row(n)
        pick = uniform_below(rng, counts[-1])
        parts = next(k for k, running in enumerate(counts) if pick < running)
        margins.append(_surjection_sizes(n, parts, rng))
    return _permuted(margins[0], margins[1], rng)


@lru_cache(maxsize=16)
def _stirling_row(n: int) -> tuple[int, ...]:
    """Running sums of the Stirling numbers S(n, 0), ..., S(n, n)."""
    running, total = [], 0
    for k in range(n + 1):
        total += surjections(n, k) // factorial(k)
        running.append(total)
    return tuple(running)


def degree_of_overlap(matrix: Any) -> Fraction:
    """Share of the points off the diagonal of a square table (Steinley 2004); never below the MED.

    The two differ once points moved off the diagonal gather in a better matching (Chacon 2019, Section 4.2).

    >>> from confmat.indices.partition import med
    >>> matrix = [[2, 8], [7, 3]]
    >>> degree_of_overlap(matrix), med(matrix, exact=True)
    (Fraction(3, 4), Fraction(1, 4))
    """
    from confmat.matrix import nonzero_cells

    cells = nonzero_cells(matrix)
    if cells.shape[0] != cells.shape[1]:
        raise ValueError(f"matrix must be square, got shape {cells.shape}")
    n = sum(cells.values)
    on = sum(x for i, j, x in zip(cells.rows.tolist(), cells.cols.tolist(), cells.values) if i == j)
    return Fraction(n - on, n) if n else Fraction(0)
