"""Statements about (m, A, B, P), decided on the distinct signatures of a class, as the engine counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from confmat.classes import MatrixClass
from confmat.conjectures.outcomes import Outcomes
from confmat.engine.reference import tables_of_margins
from confmat.engine.run import Resources
from confmat.engine.walks import Chunk
from confmat.indices.pairs import pairs_within
from confmat.laws.sources import Pass, Source
from confmat.statistics.conditions import Condition

# Numbers A and B of pairs of points in rows and columns, the smaller first, at which a condition fails.
Failing = set[tuple[int, int]]


def outcomes_of_signatures(
    condition: Condition, matrices: MatrixClass, watch: Callable[..., None] | None = None
) -> tuple[Outcomes, Failing, int]:
    """What a condition with formulas answers over a class, where it fails, and for how many members.

    ``watch`` is called now and then, and may raise to stop it.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_condition
    >>> outcomes, failing, members = outcomes_of_signatures(as_condition("med < 1/2"), Tables(4, 2, 2))
    >>> outcomes.covered, sorted(failing), members
    (19, [(2, 2), (3, 3)], 5)
    """
    source = Source(
        Pass(matrices, "tables", Resources(progress=watch)),
        oriented="transposition" not in condition.symmetry,
    )
    outcomes, members = Outcomes(matrices.count()), 0
    failing: Failing = set()
    for signatures, weights in source.blocks():
        if watch is not None:
            watch()
        holds = condition.mask(matrices, *signatures.T)
        outcomes.add(signatures, weights, holds)
        members += int(weights[~holds].sum())
        failing |= set(map(tuple, np.unique(np.sort(signatures[~holds, 1:3]), axis=0).tolist()))
    return outcomes, failing, members


def tables_at(matrices: MatrixClass, symmetry: str, failing: Failing) -> Iterator[Chunk]:
    """The tables of a class, up to a symmetry, whose margins have such numbers of pairs.

    >>> from confmat.classes import Tables
    >>> sum(int(copies.sum()) for _, copies in tables_at(Tables(4, 2, 2), "transposition", {(2, 2)}))
    3
    """
    for rows, cols, copies in matrices.margins(symmetry):
        if tuple(sorted((pairs_within(rows), pairs_within(cols)))) in failing:
            for batch in tables_of_margins(rows, cols):
                yield batch, np.full(len(batch), copies)
