"""Null models by name, and tables drawn under them: what two clusterings look like when they agree by chance only.

| name | what is equally likely | tables |
|---|---|---|
| "labels" | pairs of labelings, r and s labels, any unused (Chacon 2019, Section 4.1) | total n, empty lines too |
| "clusters" | pairs of clusterings into exactly r and s clusters | total n, no empty line |
| "sizes" | pairs of clusterings with given sizes: the permutation model behind the ARI | fixed margins |
| "partitions" | pairs of clusterings with any number of clusters (Gates and Ahn 2017) | all of total n |
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb, factorial
from typing import Any

import numpy as np

from confmat.classes import FixedMargins, MatrixClass, Tables
from confmat.matrices.arguments import as_count
from confmat.sampling.draws import Draws, Seed, seed_sequence
from confmat.sampling.methods import Block, Method, uniform_below

__all__ = ["MODELS", "NullModel", "null_model", "null_tables", "surjections", "table_of_partitions"]

MODELS = ("labels", "clusters", "sizes", "partitions")

# Exact laws visit every table of the class up to symmetry; up to this many tables that takes seconds.
MOST_TABLES = 4 * 10**8
MOST_PARTITIONED = 6

# A law with weights of hundreds of digits costs the more, the larger n is; 2 x 2 tables have a way of their own.
LARGEST_EXACT = 120
LARGEST_2X2 = 400


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
        if is_2x2(self.matrices):
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


def is_2x2(matrices: MatrixClass) -> bool:
    """Whether these are all 2 x 2 tables, empty lines included.

    >>> is_2x2(Tables(4, 2, 2, empty=True)), is_2x2(Tables(4, 2, 2))
    (True, False)
    """
    return matrices.unrestricted and matrices.shape == (2, 2) and matrices.may_be_empty


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
        sizes.append(bisect_right(weights, uniform_below(rng, weights[-1])))
        n -= sizes[-1]
    return tuple(sizes)


@lru_cache(maxsize=4096)
def _first_sizes(n: int, parts: int) -> tuple[int, ...]:
    """Running numbers of surjections onto ``parts`` labels by the size of the first class, 0..n."""
    ways = (comb(n, a) * surjections(n - a, parts - 1) for a in range(1, n + 1))
    return tuple(accumulate(ways, initial=0))


@lru_cache(maxsize=100_000)
def surjections(n: int, parts: int) -> int:
    """Number of ways to label n points with all of ``parts`` labels, parts! S(n, parts).

    >>> surjections(4, 2), surjections(0, 0)
    (14, 1)
    """
    return sum((-1) ** k * comb(parts, k) * (parts - k) ** n for k in range(parts + 1))


def table_of_partitions(n: int, rng: np.random.Generator) -> np.ndarray:
    """The table of two uniform set partitions of n points, without empty lines.

    >>> table_of_partitions(5, np.random.default_rng(1)).sum()
    np.int64(5)
    """
    margins = []
    for _ in range(2):
        counts = _stirling_row(n)
        parts = bisect_right(counts, uniform_below(rng, counts[-1]))
        margins.append(_surjection_sizes(n, parts, rng))
    return _permuted(margins[0], margins[1], rng)


@lru_cache(maxsize=16)
def _stirling_row(n: int) -> tuple[int, ...]:
    """Running sums of the Stirling numbers S(n, 0), ..., S(n, n)."""
    return tuple(accumulate(surjections(n, k) // factorial(k) for k in range(n + 1)))
