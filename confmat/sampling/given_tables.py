"""Exact draws of tables given the misclassification error distance (MED): proposals and forecasts of their time.

A method proposes uniformly from a set of known size that contains each wanted table equally often. Its expected
time is the size of that set times the cost of a proposal. A short pilot run estimates the time. It gives the same
result on every machine, because costs are given in seconds of an ordinary core and are not measured.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.errors import TooRareError
from confmat.sampling.methods import Sampler, check_distance, compiled, matched_proposals, number_of_proposals
from confmat.sampling.potentials import running_proposals

# Largest number of proposals for a chunk of draws.
BUDGET = 10**9

# Largest weight of the best matching for which proposals of potentials are counted: some seconds.
MOST_MATCHED = 10**6

# The pilot run ends after this number of draws, or of forecast seconds.
PILOT_DRAWS = 20
PILOT_SECONDS = 2.0


@dataclass(frozen=True)
class Proposals:
    """Method that proposes tables by drawing one of ``number`` elements with equal probability.

    An element is, for example, a matching together with a way to fill its cells and the others. ``kernel`` is the
    name of the compiled function. ``cost`` is the approximate number of CPU seconds of one proposal, ``why`` the
    reason to choose the method.
    """

    name: str
    why: str
    kernel: str
    arguments: tuple[Any, ...]
    number: int
    cost: float


@lru_cache(maxsize=64)
def best_proposals(matrices: MatrixClass, m: int) -> Proposals:
    """Return the proposals for MED = m/n with the least expected time.

    Raise ValueError if no member has this distance.

    >>> from confmat.classes import Tables
    >>> best_proposals(Tables(20, 3, 3), 1).name, best_proposals(Tables(20, 3, 3), 13).name
    ('matched', 'potentials')
    """
    check_distance(matrices, m)
    n, (r, s), k = matrices.n, sorted(matrices.shape), matrices.n - m
    cells = r * s
    sets = r << s
    allow_empty = matrices.may_be_empty
    choices = [
        Proposals(
            "matched",
            "a best matching, then the other cells",
            "kernels.propose_matched",
            (k, m, allow_empty),
            matched_proposals(n, r, s, m),
            1e-6 * (1 + 0.003 * s * sets),
        ),
        Proposals(
            "filtering",
            "tables of any MED, of which those with the right MED are accepted",
            "kernels.propose_whole",
            (n, k, allow_empty),
            number_of_proposals(matrices),
            1e-6 * (0.6 + 0.02 * cells + 0.00125 * sets),
        ),
    ]
    if k <= MOST_MATCHED:
        running = running_proposals(n, r, s, k)
        if r == s or running[-1] < 2**62:
            split = np.array(running if r < s else [0] * len(running), np.int64)
            why = "fewest proposals near the largest MED"
            arguments = (split, n, allow_empty)
            choices.append(
                Proposals("potentials", why, "potentials.propose_potentials", arguments, running[-1], 3e-6)
            )
    return min(choices, key=lambda proposals: proposals.number * proposals.cost)


def exact(matrices: MatrixClass, m: int, proposals: Proposals, limit: int = BUDGET) -> Sampler:
    """Return the sampler that draws tables with MED = m/n by ``proposals``.

    The sampler makes at most ``limit`` proposals for a chunk.

    >>> from confmat.classes import Tables
    >>> method = exact(Tables(20, 3, 3), 0, best_proposals(Tables(20, 3, 3), 0))
    >>> (method.draw(np.random.SeedSequence(1), 2).tables > 0).sum(axis=2).tolist()
    [[1, 1, 1], [1, 1, 1]]
    """
    subject = f"members of {matrices!r} with MED = {m}/{matrices.n}"
    r, s = matrices.shape
    shape = min(r, s), max(r, s)
    draw = compiled(proposals.kernel, proposals.arguments, shape, limit, subject, is_turned=r > s)
    return Sampler(proposals.name, proposals.why, draw, proposals=proposals.number)


@lru_cache(maxsize=64)
def seconds_a_draw(matrices: MatrixClass, m: int) -> float:
    """Estimate the CPU seconds of one exact draw with MED = m/n by the best proposals.

    They are infinite if a pilot run finds no table.

    >>> from confmat.classes import Tables
    >>> 0 < seconds_a_draw(Tables(20, 3, 3), 1) < 0.001
    True
    """
    proposals = best_proposals(matrices, m)
    limit = max(PILOT_DRAWS, int(PILOT_SECONDS / proposals.cost))
    try:
        proposals_made = (
            exact(matrices, m, proposals, limit).draw(np.random.SeedSequence(0), PILOT_DRAWS).proposals
        )
    except TooRareError as few:
        if few.found:
            return PILOT_SECONDS / few.found
        return np.inf
    return proposals_made * proposals.cost / PILOT_DRAWS
