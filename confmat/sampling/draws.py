"""Draws, held: an array of matrices that knows where it comes from, and its laws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from confmat.classes import MatrixClass, RandomModel
from confmat.laws import Law
from confmat.sampling.empirical import empirical
from confmat.sampling.methods import Block, Method
from confmat.shown import MOST_ROWS, html_table

# Draws whose statistics are found together.
_AT_ONCE = 2**16


@dataclass(frozen=True, eq=False, repr=False)
class Draws:
    """Draws from a class or a random model: iterates over the matrices; ``np.asarray`` and an index give arrays.

    ``tables``: shape (size, r, s), int64 unless asked otherwise.  ``weights``: what each draw weighs, Python ints,
    where splitting made populations of different weights; else None, and all weigh the same.  ``method`` says how they
    were made.

    >>> from confmat.classes import Tables
    >>> from confmat.sampling import sample
    >>> draws = sample(Tables(20, 3, 3), 1000, rng=1)
    >>> len(draws), np.asarray(draws).shape, draws[0].sum(), draws.law("med", "ard").draws
    (1000, (1000, 3, 3), np.int64(20), 1000)
    """

    matrices: MatrixClass | RandomModel
    tables: np.ndarray
    method: Method
    given: str = ""
    weights: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter(self.tables)

    def __getitem__(self, index: Any) -> np.ndarray:
        return np.asarray(self.tables[index])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.tables, dtype) if not copy else np.array(self.tables, dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array: (size, r, s)."""
        return self.tables.shape

    def law(self, *statistics: Any, weight: str = "tables") -> Law:
        """The empirical law of some statistics: a `Law` with ``draws``, and ``law["ard"].error("mean")``.

        ``weight`` "labelings" weighs each draw by its pairs of labelings, n!/prod x! for cells x: the law over pairs of
        labelings from draws of matrices; ``law["ard"].effective_size`` tells what that costs.

        >>> from confmat.classes import Tables
        >>> from confmat.sampling import sample
        >>> draws = sample(Tables(8, 2, 2), 2000, rng=1)
        >>> laws = [draws.law("med", weight=weight)["med"] for weight in ("tables", "labelings")]
        >>> [(round(float(law.mean), 2), round(law.effective_size)) for law in laws]
        [(0.28, 2000), (0.36, 966)]
        """
        return empirical(self.matrices, statistics, self._blocks(), self.method, weight)

    def _blocks(self) -> Iterator[Block]:
        start = 0
        for weight, same in groupby([1] * len(self) if self.weights is None else self.weights.tolist()):
            end = start + len(list(same))
            for first in range(start, end, _AT_ONCE):
                yield Block(self.tables[first : min(end, first + _AT_ONCE)], 0, weight)
            start = end

    def _title(self) -> str:
        given = f" given {self.given}" if self.given else ""
        return f"{len(self)} draws from {self.matrices!r}{given}, by {self.method.name}: {self.method.why}"

    def __repr__(self) -> str:
        more = ["..."] if len(self) > 3 else []
        return "\n".join([self._title(), *(str(table.tolist()) for table in self.tables[:3]), *more])

    def _repr_html_(self) -> str:
        return html_table(
            self._title(), [""], ([str(table.tolist())] for table in self.tables[: MOST_ROWS + 1])
        )
