"""Tables drawn under random models, each with its weight there."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb, prod

import numpy as np

from confmat.classes import RandomModel
from confmat.classes.random_models import Clustering
from confmat.integers.compositions import surjections
from confmat.plans import Question, Resources, Run, method, register
from confmat.sampling.methods import DrawnTables, Sampler, uniform_below
from confmat.sampling.random_bits import generator_of

# Cells of a block of draws; tables under "partitions" have n rows and columns, most of them empty.
_CELLS_OF_A_BLOCK = 2**20


def drawn_from(model: RandomModel) -> Sampler:
    """Draws from a model: independent, and exactly so.

    "labels": multinomial cells, or rows.  "sizes": labels permuted.  "clusters": the sizes
    of uniform surjections, then labels permuted.  "partitions": Stam's urns.

    >>> from confmat.classes import random_model
    >>> drawn_from(random_model("sizes", rows=[3, 2], cols=[4, 1])).draw(np.random.SeedSequence(1), 100).tables.shape
    (100, 2, 2)
    """
    draw = {"labels": _tables_of_labels, "sizes": _tables_of_sizes}.get(model.name, _tables_of_clusters)

    def block(seeds: np.random.SeedSequence, amount: int) -> DrawnTables:
        tables = draw(model, generator_of(seeds), amount)
        return DrawnTables(tables, amount)

    cells = max(1, prod(model.shape))
    at_once = min(16384, max(1, _CELLS_OF_A_BLOCK // cells))
    return Sampler(model.name, "drawn from the model", block, block=at_once)


def _tables_of_labels(model: RandomModel, rng: np.random.Generator, size: int) -> np.ndarray:
    rows = model.rows
    cols = model.cols

    def each_label(objects: int, labels: int) -> np.ndarray:
        """How many of the objects draw each of the labels."""
        return rng.multinomial(objects, [1 / labels] * labels, size)

    if isinstance(rows, tuple) and isinstance(cols, int):
        return np.stack([each_label(a, cols) for a in rows], axis=1)
    if isinstance(rows, int) and isinstance(cols, tuple):
        return np.stack([each_label(b, rows) for b in cols], axis=2)
    assert isinstance(rows, int)
    assert isinstance(cols, int)
    return each_label(model.n, rows * cols).reshape(size, rows, cols)


def _tables_of_sizes(model: RandomModel, rng: np.random.Generator, size: int) -> np.ndarray:
    """Cell by cell, each hypergeometric given those before; SciPy's ``random_table`` takes half a second to import."""
    assert isinstance(model.rows, tuple)
    assert isinstance(model.cols, tuple)
    tables = np.zeros((size, *model.shape), np.int64)
    rests = np.tile(np.array(model.cols), (size, 1))  # of every column
    for i, a in enumerate(model.rows[:-1]):
        still_needed = np.full(size, a)
        rests_after = rests.sum(axis=1)
        for j in range(len(model.cols) - 1):
            rests_after -= rests[:, j]
            tables[:, i, j] = rng.hypergeometric(rests[:, j], rests_after, still_needed)
            still_needed -= tables[:, i, j]
        tables[:, i, -1] = still_needed
        rests -= tables[:, i]
    tables[:, -1] = rests
    return tables


def _tables_of_clusters(model: RandomModel, rng: np.random.Generator, size: int) -> np.ndarray:
    if _by_labels(model):
        return _draw_surjections(model, rng, size)
    tables = np.zeros((size, *model.shape), np.int64)
    for table in tables:
        drawn_table = table_of_labels(model, rng)
        table[: drawn_table.shape[0], : drawn_table.shape[1]] = drawn_table
    return tables


def _by_labels(model: RandomModel) -> bool:
    """Whether most pairs of labelings use every label."""
    return all(isinstance(k, int) and k * (1 - 1 / k) ** model.n < 1 / 4 for k in (model.rows, model.cols))


def _draw_surjections(model: RandomModel, rng: np.random.Generator, size: int) -> np.ndarray:
    """Pairs of labelings, those kept that use every label: most, where objects are many."""
    tables_kept = []
    number_kept = 0
    while number_kept < size:
        tables = _tables_of_labels(model, rng, size)
        full = (tables.sum(axis=2) > 0).all(axis=1) & (tables.sum(axis=1) > 0).all(axis=1)
        tables_kept.append(tables[full])
        number_kept += len(tables_kept[-1])
    if tables_kept:
        return np.concatenate(tables_kept)[:size]
    return np.zeros((0, *model.shape), np.int64)


def _labels_of_side(are_named: bool, clustering: Clustering, n: int, rng: np.random.Generator) -> np.ndarray:
    """Labels of n objects: of given sizes, a number of labels (``are_named``) or clusters, or any number of clusters.

    Sizes and numbers of clusters in blocks.  A uniform clustering with any number of clusters comes from Stam's urns
    (1983): k urns with a chance in proportion to k^n/k!, every object into any of them, empty urns forgotten.  O(n),
    exact up to the doubles of these chances.
    """
    if clustering is None:
        urns = rng.integers(1 + np.searchsorted(urn_chances(n).cumsum(), rng.random()), size=n)
        used = np.bincount(urns) > 0
        return (np.cumsum(used) - 1)[urns]
    if are_named and isinstance(clustering, int):
        return rng.integers(clustering, size=n)
    if isinstance(clustering, tuple):
        sizes = clustering
    else:
        sizes = _surjection_sizes(n, clustering, rng)
    return np.repeat(np.arange(len(sizes)), sizes)


@lru_cache(maxsize=16)
def urn_chances(n: int) -> np.ndarray:
    """Chances of 1, 2, ... urns.

    >>> round(float(urn_chances(1)[0]), 6)  # 1/e
    0.367879
    """
    from scipy.special import gammaln, lambertw

    k = np.arange(1, 61 + int(2 * n / lambertw(n).real))  # most likely n/W(n); far less so at twice as many
    logs = n * np.log(k) - gammaln(k + 1)
    weights: np.ndarray = np.exp(logs - logs.max())
    return weights / weights.sum()


def labels_of(model: RandomModel, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two labelings under a model, O(n) but for numbers of clusters.

    >>> from confmat.classes import random_model
    >>> first, second = labels_of(random_model("partitions", 10**5), np.random.default_rng(1))
    >>> len(first), int(first.max()) // 100
    (100000, 107)
    """
    are_named = model.name == "labels"
    second = rng.permutation(_labels_of_side(are_named, model.cols, model.n, rng))
    return _labels_of_side(are_named, model.rows, model.n, rng), second


def _surjection_sizes(n: int, parts: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Sizes of the classes of a uniform surjection of n points onto ``parts`` labels, exact at any size."""
    sizes = []
    for parts_left in range(parts, 0, -1):
        weights = _first_sizes(n, parts_left)
        sizes.append(bisect_right(weights, uniform_below(rng, weights[-1])))
        n -= sizes[-1]
    return tuple(sizes)


@lru_cache(maxsize=4096)
def _first_sizes(n: int, parts: int) -> tuple[int, ...]:
    """Running numbers of surjections onto ``parts`` labels by the size of the first class, 0..n."""
    ways = (comb(n, a) * surjections(n - a, parts - 1) for a in range(1, n + 1))
    return tuple(accumulate(ways, initial=0))


def table_of_labels(model: RandomModel, rng: np.random.Generator) -> np.ndarray:
    """The table of one draw, by its labels.

    >>> from confmat.classes import random_model
    >>> table_of_labels(random_model("partitions", 5), np.random.default_rng(1)).sum()
    np.int64(5)
    """
    row_labels, column_labels = labels_of(model, rng)
    r, s = (1 + int(labels.max(initial=-1)) for labels in (row_labels, column_labels))
    cell_numbers = row_labels * s + column_labels
    counts = np.bincount(cell_numbers, minlength=r * s)
    return counts.reshape(r, s)


@dataclass(frozen=True)
class ModelQuestion(Question):
    """How to draw ``size`` tables under a random model; ``held``: all are kept in memory."""

    model: RandomModel
    size: int
    resources: Resources
    held: bool = True

    def __str__(self) -> str:
        return f"draw {self.size} tables under {self.model!r}"


# Seconds of a core that a cell of a table drawn at once takes, and an object of labels that are drawn.
_SECONDS_OF_CELL, _SECONDS_OF_OBJECT = 1e-7, 1e-7


def seconds_of_labels(model: RandomModel, size: int) -> float:
    """About how long so many pairs of labelings take.

    >>> from confmat.classes import random_model
    >>> [round(seconds_of_labels(random_model("clusters", n, 20, 20), 10**4), 1) for n in (40, 10**6)]
    [1.0, 1001.0]
    """
    return size * (1e-4 + _SECONDS_OF_OBJECT * model.n)


@method("from the model", "the model says how its tables come about", "exact, independent draws")
def _from_the_model(question: ModelQuestion) -> Run:
    model = question.model
    size = question.size
    cells = min(prod(model.shape) * size, 10**300)
    seconds = _SECONDS_OF_CELL * cells
    if model.name not in ("labels", "sizes") and not _by_labels(model):
        seconds += seconds_of_labels(model, size)
    octets = 2**28 + 8 * cells * question.held
    return Run(
        lambda: drawn_from(model),
        seconds,
        octets,
        question.resources.cores,
    )


register(ModelQuestion, _from_the_model)
