"""Draws in memory: an array of matrices with its origin, and its empirical distributions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from confmat._display import Answer, Part, Verbatim
from confmat._engine.walks import MOST_POINTS, Chunk, pair_sums, values_of
from confmat._integers.arrays import MergedChunks
from confmat._limits import Limits
from confmat.classes import MatrixClass
from confmat.distributions import JointDistribution
from confmat.distributions.sources import Pass, Source
from confmat.sampling.methods import Sampler
from confmat.statistics.record import Statistic
from confmat.statistics.table import statistics_over


def empirical(
    matrices: MatrixClass,
    statistics: Iterable[object],
    blocks: Iterable[np.ndarray],
    weight: str = "tables",
) -> JointDistribution:
    """Return the empirical distribution of statistics over draws, given in arrays (k x r x s).

    Members were drawn with probabilities proportional to ``weight`` ("tables" or "labelings").

    >>> from confmat.classes import Tables
    >>> block = np.array([[[2, 1], [0, 1]], [[2, 0], [1, 1]], [[4, 0], [0, 0]]])
    >>> law = empirical(Tables(4, 2, 2, allow_empty=True), ["med"], [block])
    >>> list(law), law.sample_size, round(law["med"].standard_error(), 3)
    ([((Fraction(0, 1),), 1), ((Fraction(1, 4),), 2)], 3, 0.068)
    """
    records = statistics_over(matrices, statistics)
    size = 0

    def counted() -> Iterator[Chunk]:
        nonlocal size
        for tables in blocks:
            size += len(tables)
            yield tables, np.ones(len(tables), np.int64)

    content: Any
    if _by_sums(matrices, records):
        content = {"_source": _signatures(matrices, weight, counted())}
    else:
        content = {"_given_points": values_of(matrices, records, counted())}
    return JointDistribution(matrices, records, weight, sample_size=size, **content)


# CPU seconds of a draw and of one of its cells in array functions, and of a draw in a Python function.
_SECONDS_OF_DRAW, _SECONDS_OF_CELL, _SECONDS_OF_CALL = 1e-6, 6e-8, 5e-5


def seconds_of_statistics(matrices: MatrixClass, statistics: Iterable[object]) -> float:
    """Estimate the CPU seconds of the statistics for each draw.

    >>> from confmat.classes import Tables
    >>> seconds_of_statistics(Tables(4, 2, 2), ["rd"])
    1.24e-06
    """
    if not _by_sums(matrices, statistics_over(matrices, statistics)):
        return _SECONDS_OF_CALL
    return _SECONDS_OF_DRAW + _SECONDS_OF_CELL * prod(matrices.shape)


def _by_sums(matrices: MatrixClass, statistics: tuple[Statistic, ...]) -> bool:
    """Return whether the statistics are functions of (m, A, B, P), the sufficient statistic of a table.

    m is n MED, and A, B, P are the numbers of pairs of objects in a common row, column and cell.
    """
    return all(x.counted for x in statistics) and matrices.n < MOST_POINTS


def _signatures(matrices: MatrixClass, weight: str, chunks: Iterable[Chunk]) -> Source:
    """Return the distinct sufficient statistics (m, A, B, P) of draws with their weights, for a distribution.

    m is n MED. A, B and P are the numbers of pairs of objects in a common row, column and cell.
    """
    signatures = MergedChunks(4)
    for tables, weights in chunks:
        signatures.add(pair_sums(tables), weights)
    return Source(Pass(matrices, weight, Limits()), oriented=True).listed(*signatures.together())


_DRAWS_SHOWN = 3  # number of printed draws

# Number of draws whose statistics are computed together.
_DRAWS_AT_ONCE = 2**16


@dataclass(frozen=True, eq=False, repr=False)
class Draws(Answer):
    """Draws from a class. It iterates over the matrices, and an index or ``numpy.asarray`` returns arrays.

    Attributes
    ----------
    matrices : MatrixClass
    tables : array of int, shape (size, r, s)
    method : Sampler
        Method of drawing, with its ``name`` and the reason ``why`` it was chosen.
    given : str
        Condition that every draw satisfies.
    weight : str
        Weight in proportion to which members were drawn.

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> from confmat.sampling import sample
    >>> draws = sample(Tables(20, 3, 3), 1000, rng=1)
    >>> len(draws), np.asarray(draws).shape, draws[0].sum(), draws.distribution("med", "ard").sample_size
    (1000, (1000, 3, 3), np.int64(20), 1000)
    """

    matrices: MatrixClass
    tables: np.ndarray
    method: Sampler
    given: str = ""
    weight: str = "tables"

    def __len__(self) -> int:
        """Return the number of draws."""
        return len(self.tables)

    def __iter__(self) -> Iterator[np.ndarray]:
        """Return an iterator over the matrices."""
        return iter(self.tables)

    def __getitem__(self, index: Any) -> np.ndarray:
        """Return the matrix or matrices at an index."""
        return np.asarray(self.tables[index])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return the matrices as an array of shape (size, r, s)."""
        if not copy:
            return np.asarray(self.tables, dtype)
        return np.array(self.tables, dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array: (size, r, s)."""
        return self.tables.shape

    def distribution(self, *statistics: Any) -> JointDistribution:
        """Return the empirical distribution of some statistics.

        Parameters
        ----------
        *statistics : str, Statistic or callable

        Returns
        -------
        JointDistribution
            It has ``sample_size``, and the distribution of each statistic has ``standard_error()``.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.sampling import sample
        >>> draws = sample(Tables(8, 2, 2), 2000, rng=1)
        >>> law = draws.distribution("med")["med"]
        >>> round(law.mean(), 2), round(law.standard_error(), 3)
        (0.28, 0.003)
        """
        starts = range(0, len(self), _DRAWS_AT_ONCE)
        chunks = (self.tables[start : start + _DRAWS_AT_ONCE] for start in starts)
        return empirical(self.matrices, statistics, chunks, self.weight)

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text: the method, and the first draws."""
        if self.given:
            condition = f" given {self.given}"
        else:
            condition = ""
        subject = f"{len(self)} draws from {self.matrices!r}{condition}"
        yield Verbatim(f"{subject}, by {self.method.name}: {self.method.why}")
        yield from (Verbatim(table.tolist()) for table in self.tables[:_DRAWS_SHOWN])
        if len(self) > _DRAWS_SHOWN:
            yield "..."

    def _facts(self) -> dict[str, Any]:
        """Return class, condition, weight, method and matrices by name."""
        return {
            "class": self.matrices,
            "given": self.given,
            "weight": self.weight,
            "method": self.method.name,
            "matrices": self.tables,
        }
