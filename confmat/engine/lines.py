"""The pairs (B, P) that signatures with one A may have: what packed ones are laid out by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confmat.engine.jobs import RowJob
from confmat.engine.reduce import pairs_of_margin


@dataclass(frozen=True)
class Lines:
    """The pairs (B, P) that may occur with one A: ``bs``, and for each the least P and where its lines begin."""

    bs: np.ndarray
    bottoms: np.ndarray
    starts: np.ndarray

    @property
    def number(self) -> int:
        """How many pairs there are."""
        return int(self.starts[-1])


def lines_of(jobs: list[RowJob], windows: list[np.ndarray] | None = None) -> Lines:
    """The lines of row margins with one A; their ``windows`` if these are known."""
    bs, which = np.unique(np.concatenate([pairs_of_margin(job.cols) for job in jobs]), return_inverse=True)
    least, most, _ = np.concatenate(windows or [job.windows for job in jobs], axis=1)
    bottoms, tops = np.full(len(bs), 2**62), np.full(len(bs), -1)
    real = most >= least
    np.minimum.at(bottoms, which[real], least[real])
    np.maximum.at(tops, which[real], most[real])
    sizes = np.maximum(0, tops - bottoms + 1)
    return Lines(bs, np.where(sizes > 0, bottoms, 0), np.concatenate([[0], np.cumsum(sizes)]))
