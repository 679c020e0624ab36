"""The sums of a whole class that its conditional laws need, without its (possibly 10^8) support points."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.jobs import row_jobs
from confmat.engine.memory import memory_of_sums
from confmat.engine.numbers import (
    MOST_MOMENTS,
    MOST_ORDERS,
    digits_of_quotients,
    is_rounded,
    memory_of_moments,
    number_of_distances,
    primes_of_pass,
    total_weight,
)
from confmat.engine.reduce import pairs_of_margin
from confmat.engine.residues import from_residues
from confmat.engine.run import results
from confmat.engine.sizes import is_sparse, tables_to_visit
from confmat.engine.work import EVERY, Arrays, Pass, best_entry
from confmat.errors import ConsistencyError
from confmat.indices.pairs import pairs_within
from confmat.plans.methods import Resources, size, whole

LEAST_RD, MOST_RD, LEAST_ARD, MOST_ARD = range(4)

# Bytes that the laws of a summary may take in each thread.
_MOST_SUMS = 2**29


@dataclass(frozen=True)
class Summary:
    """Exact sums over a class of matrices; m = n MED indexes distances, F = C(n, 2) RD disagreeing pairs.

    ``law[m, F]``: weight of the matrices with that MED and RD (Python ints).  ``bins[m, i]``: the same by ARD bin.
    ``keys`` (K x 2): the pairs A <= B that occur; ``moments[K, j - 1, m]``: weight times F^j, j = 1, 2, as
    residues modulo ``primes`` in front.  Where these are too many the key (0, 0) stands for all, and ``quotients`` has
    the digits of the sums of F / D and of its square (2 x digits x distances), else 0.  ``extremes`` (4 x distances x
    (2 + r + s)): F, D and margins of the class where the least RD, largest RD, least ARD and largest ARD are.
    ``tables``: number of tables visited.
    """

    matrices: MatrixClass
    weight: str
    primes: tuple[int, ...]
    law: np.ndarray
    bins: np.ndarray
    keys: np.ndarray
    residues_of_moments: np.ndarray
    quotients: np.ndarray
    extremes: np.ndarray
    tables: int

    @cached_property
    def totals(self) -> list[int]:
        """Weight of the matrices at each m."""
        return [sum(row) for row in self.law.tolist()]

    @property
    def total(self) -> int:
        """Weight of the class."""
        return sum(self.totals)

    def attaining(self, kind: int, m: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """Row sums, column sums and pairs within cells of a table with an extreme at distance m; there must be one."""
        f, _, *margins = self.extremes[kind, m].tolist()
        few = min(self.matrices.shape)
        rows, cols = tuple(margins[:few]), tuple(margins[few:])
        return rows, cols, (pairs_within(rows) + pairs_within(cols) - f) // 2

    def moments(self, m: int) -> np.ndarray:
        """Exact sums of weight times F and F^2 at distance m for each pair A <= B: shape (K, 2), Python ints."""
        return from_residues(self.residues_of_moments[:, :, :, m], self.primes)

    def quotient(self, power: int, m: int) -> tuple[int, int, int]:
        """Where sums are rounded, that of weight times (F / D)^power at m is p to p + e, over 2^q: p, e, q."""
        digits, bits = digits_of_quotients(self.matrices)
        places = enumerate(self.quotients[power - 1, :, m].tolist())
        found = sum(digit << bits * (digits - place) for place, digit in places)
        return found, MOST_ORDERS, digits * bits


def streams(matrices: MatrixClass, weight: str) -> bool:
    """Whether a summary is the way to the laws of the class; where it has few tables of many points, ``collect`` is."""
    return why_not_streamed(matrices, weight) is None


@lru_cache(maxsize=16)
def why_not_streamed(matrices: MatrixClass, weight: str) -> str | None:
    """Why sums over the class are more than its tables, or than the memory; None if they are not.

    >>> from confmat.classes import Tables
    >>> [why_not_streamed(Tables(*size), "tables") for size in ((100, 3, 3), (300, 2, 2))]
    [None, '1,710,075 sums, more than the 583,971 tables']
    """
    if is_sparse(matrices):
        moments = number_of_distances(matrices) * sum(len(job.cols) for job in row_jobs(matrices))
        if (tables := tables_to_visit(matrices)) < moments:
            return f"{whole(moments)} sums, more than the {whole(tables)} tables"
    if (octets := memory_of_sums(matrices, weight)) > _MOST_SUMS:
        return f"sums of {size(octets)} ({size(_MOST_SUMS)} at most)"
    if not is_rounded(matrices, weight) and (octets := memory_of_moments(matrices, weight)) > MOST_MOMENTS:
        return f"sums by margins of {size(octets)} ({size(MOST_MOMENTS)} at most)"
    return None


def summarize(matrices: MatrixClass, weight: str, resources: Resources) -> Summary | None:
    """One pass over the class; None when it has no member."""
    if matrices.count() == 0:
        return None
    task = Pass(matrices, weight, primes_of_pass(matrices, weight))
    return _gather(task, results(task, "summary", resources))


def _gather(task: Pass, parts: Iterable[Arrays]) -> Summary:
    moduli = np.array(task.primes, np.int64).reshape(-1, 1, 1)
    law = bins = np.zeros((len(task.primes), 1, 1), np.int64)
    extremes: list[np.ndarray] = []
    tables = 0
    n, keys = task.matrices.n, np.zeros((1, 2), np.int64)
    if not is_rounded(task.matrices, task.weight):
        keys = _pairs_of_margins(task.matrices)
    codes = _code(n, *keys.T)
    sums = np.zeros((len(task.primes), len(keys), 2, number_of_distances(task.matrices)), np.int64)
    quotients = np.zeros(1, np.int64)
    for part in parts:
        law = (law + part["law"]) % moduli
        bins = (bins + part["bins"]) % moduli
        tables += int(part["tables"])
        extremes.append(part["extremes"])
        where = np.searchsorted(codes, _code(n, *part["keys"].T))
        sums[:, where] = (sums[:, where] + part["moments"]) % moduli[..., None]
        quotients = quotients + part["quotients"]
    _compare(task, law, bins, sums)
    best = np.array(
        [
            [best_entry(kind, np.array([e[kind, m] for e in extremes])) for m in range(law.shape[1])]
            for kind in range(4)
        ]
    )
    return Summary(
        task.matrices,
        task.weight,
        task.primes,
        from_residues(law, task.primes),
        from_residues(bins, task.primes),
        keys,
        sums,
        quotients,
        best,
        tables,
    )


def _compare(task: Pass, law: np.ndarray, bins: np.ndarray, moments: np.ndarray) -> None:
    """Three sums of the same matrices, made apart: their weights, and these times F, agree at each distance."""
    f = np.arange(law.shape[2])
    for i, prime in enumerate(task.primes):
        weights, times_f = law[i].sum(axis=1), (law[i] * f % prime).sum(axis=1)
        first = moments[i, :, 0].sum(axis=0)
        wrong = (weights - bins[i].sum(axis=1)) % prime | (times_f - first) % prime
        if wrong.any():
            raise ConsistencyError(
                f"sums of one pass over {task.matrices!r} do not agree at MED = {wrong.argmax()}/{task.matrices.n}"
            )


def _pairs_of_margins(matrices: MatrixClass) -> np.ndarray:
    """The pairs A <= B of all margin classes, sorted."""
    found = [np.zeros(0, np.int64)]
    for job in row_jobs(matrices):
        a, b = pairs_of_margin(np.array(job.rows)), pairs_of_margin(job.cols)
        found.append(np.unique(_code(matrices.n, np.minimum(a, b), np.maximum(a, b))))
    codes = np.unique(np.concatenate(found))
    return np.stack(np.divmod(codes, comb(matrices.n, 2) + 1), axis=1)


def _code(n: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """One number for each pair, in the order of the pairs."""
    return a * (comb(n, 2) + 1) + b


def collect(
    matrices: MatrixClass, weight: str, resources: Resources, wanted: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Distinct (m, A, B, P) of the class, sorted (shape cells x 4), and their weights: int64 where the sum of all fits.

    A and B are those of the enumerated orientation (r <= s; rows >= cols when r = s).  ``wanted`` (n + 1 x bins)
    restricts to some bins of ARD at each m.  Memory grows with the number of cells.
    """
    if matrices.count() == 0:
        return np.zeros((0, 4), np.int64), np.zeros(0, np.int64)
    primes = primes_of_pass(matrices, weight)
    stage = "cells" if wanted is None else "refine"
    task = Pass(matrices, weight, primes, EVERY if wanted is None else wanted)
    parts = [(part["cells"], part["counts"].T) for part in results(task, stage, resources)]
    cells, counts = map(np.concatenate, zip(*parts))
    del parts
    # Shards have no (A, B) in common: they are put into order alone.
    order = np.lexsort(cells.T[::-1])
    cells, counts = cells[order], counts[order].T
    return cells, from_residues(counts, primes, total_weight(matrices, weight) < 2**62)
