"""The law of P, the pairs of objects in common cells, at fixed margins with labels permuted at random.

P is a sum over cells, so its law is one of the recursion over rows (`confmat.rows`), in doubles of a small relative
error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from confmat.matrices.arguments import as_counts
from confmat.rows.graph import Margins
from confmat.rows.sums import CellSums
from confmat.rows.tails import MOST_TERMS, SMALLEST, law

__all__ = ["SMALLEST", "PairLaw", "pair_law"]


@dataclass(frozen=True)
class PairLaw:
    """``chances[t]``: P(P = t); ``error`` bounds the relative error of every sum of them above ``SMALLEST``.

    Statement `row-tail-error`.
    """

    chances: np.ndarray
    error: float

    def at_least(self, t: int) -> float:
        """P(P >= t).

        >>> round(pair_law([2, 1], [2, 1]).at_least(1), 12)
        0.333333333333
        """
        return min(1.0, float(self.chances[max(t, 0) :].sum()))

    def at_most(self, t: int) -> float:
        """P(P <= t).

        >>> pair_law([2, 1], [2, 1]).at_most(1)
        1.0
        """
        return min(1.0, float(self.chances[: max(t + 1, 0)].sum()))
