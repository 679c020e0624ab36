"""Tables drawn under random models, each with its weight there."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb, factorial, prod
from typing import ClassVar

import numpy as np

from confmat.classes import RandomModel
from confmat.classes.random_models import Clustering
from confmat.plans.methods import Cost, register
from confmat.plans.methods import Method as Way
from confmat.plans.resources import Resources
from confmat.sampling.methods import Block, Method, uniform_below

# Cells of a block of draws; tables under "partitions" have n rows and columns, most of them empty.
_CELLS = 2**20


def drawn_from(model: RandomModel) -> Method:
    """Draws from a model: independent, and exactly so.

    "labels": multinomial cells, or rows.  "sizes": labels permuted.  "clusters": the sizes
    of uniform surjections, then labels permuted.  "partitions": the same with a number of clusters drawn first.

    >>> from confmat.classes import random_model
    >>> drawn_from(random_model("sizes", rows=[3, 2], cols=[4, 1])).draw(np.random.SeedSequence(1), 100).tables.shape
    (100, 2, 2)
    """
    draw = {"labels": _draw_labels, "sizes": _draw_sizes}.get(model.name, _draw_clusters)

    def block(seeds: np.random.SeedSequence, amount: int) -> Block:
        return Block(draw(model, np.random.Generator(np.random.PCG64(seeds)), amount), amount)

    r, s = model.shape
    return Method(model.name, "drawn from the model", block, block=min(16384, max(1, _CELLS // (r * s or 1))))


def _draw_labels(model: RandomModel, rng: np.random.Generator, size: int) -> np.ndarray:
    rows, cols = model.rows, model.cols
    if isinstance(rows, tuple) and isinstance(
        cols, int
    ):  # each object of a given cluster draws one of s labels
        return np.stack([rng.multinomial(a, [1 / cols] * cols, size) for a in rows], axis=1)
    if isinstance(rows, int) and isinstance(cols, tuple):
        return np.stack([rng.multinomial(b, [1 / rows] * rows, size) for b in cols], axis=2)
    assert isinstance(rows, int)
    assert isinstance(cols, int)
    return rng.multinomial(model.n, [1 / (rows * cols)] * (rows * cols), size).reshape(size, rows, cols)


def _draw_sizes(model: RandomModel, rng: np.random.Generator, size: int) -> np.ndarray:
    """Cell by cell, each hypergeometric given those before; SciPy's ``random_table`` takes half a second to import."""
    assert isinstance(model.rows, tuple)
    assert isinstance(model.cols, tuple)
    tables = np.zeros((size, *model.shape), np.int64)
    if model.n == 0:
        return tables
    left = np.tile(np.array(model.cols), (size, 1))  # of every column
    for i, a in enumerate(model.rows[:-1]):
        wanted, others = np.full(size, a), left.sum(axis=1)
        for j in range(len(model.cols) - 1):
            others -= left[:, j]
            tables[:, i, j] = rng.hypergeometric(left[:, j], others, wanted)
            wanted -= tables[:, i, j]
        tables[:, i, -1] = wanted
        left -= tables[:, i]
    tables[:, -1] = left
    return tables


def _draw_clusters(model: RandomModel, rng: np.random.Generator, size: int) -> np.ndarray:
    counts = model.rows, model.cols
    if all(isinstance(k, int) and k * (1 - 1 / k) ** model.n < 1 / 4 for k in counts):
        return _draw_surjections(model, rng, size)
    tables = np.zeros((size, *model.shape), np.int64)
    for table in tables:
        drawn = table_of(model, rng)
        table[: drawn.shape[0], : drawn.shape[1]] = drawn
    return tables


def _draw_surjections(model: RandomModel, rng: np.random.Generator, size: int) -> np.ndarray:
    """Pairs of labelings, those kept that use every label: most, where objects are many."""
    kept, found = [], 0
    while found < size:
        tables = _draw_labels(model, rng, size)
        full = (tables.sum(axis=2) > 0).all(axis=1) & (tables.sum(axis=1) > 0).all(axis=1)
        kept.append(tables[full])
        found += len(kept[-1])
    return np.concatenate(kept)[:size] if kept else np.zeros((0, *model.shape), np.int64)


def _sizes(clustering: Clustering, n: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Sizes of a uniform clustering: given, of a number of clusters, or of any number."""
    if isinstance(clustering, tuple):
        return clustering
    if clustering is not None:
        return _surjection_sizes(n, clustering, rng)
    counts = _stirling_row(n)
    return _surjection_sizes(n, bisect_right(counts, uniform_below(rng, counts[-1])), rng)


def _permuted(rows: tuple[int, ...], cols: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """One table of labels permuted at random; quicker where the margins change every time."""
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


def table_of(model: RandomModel, rng: np.random.Generator) -> np.ndarray:
    """The table of one draw from "clusters", "sizes" or "partitions": sizes of both sides, then labels permuted.

    >>> from confmat.classes import random_model
    >>> table_of(random_model("partitions", 5), np.random.default_rng(1)).sum()
    np.int64(5)
    """
    return _permuted(_sizes(model.rows, model.n, rng), _sizes(model.cols, model.n, rng), rng)


@lru_cache(maxsize=16)
def _stirling_row(n: int) -> tuple[int, ...]:
    """Running sums of the Stirling numbers S(n, 0), ..., S(n, n)."""
    return tuple(accumulate(surjections(n, k) // factorial(k) for k in range(n + 1)))


@dataclass(frozen=True)
class ModelQuestion:
    """How to draw ``size`` tables under a random model."""

    asked: ClassVar[None] = None
    unmatched: ClassVar[None] = None
    model: RandomModel
    size: int
    resources: Resources

    def __str__(self) -> str:
        return f"draw {self.size} tables under {self.model!r}"


def _cost(question: ModelQuestion) -> Cost:
    cells = prod(question.model.shape) * question.size
    return Cost(1e-7 * cells + 1e-6 * question.size, 2**28 + 8 * cells, question.resources.cores)


register(
    Way(
        "from the model",
        ModelQuestion,
        lambda question: drawn_from(question.model),
        _cost,
        why="the model says how its tables come about",
        gives="exact, independent draws",
    )
)
