"""Sufficient statistics of a distribution as arrays, and an example table for each of them.

>>> from confmat.classes import Tables
>>> from confmat.distributions import joint_distribution
>>> law = joint_distribution(Tables(4, 2, 2), "med")
>>> {name: column.tolist() for name, column in law.given("med = 1/4").sufficient_statistics().items()}
{'m': [1, 1], 'A': [2, 3], 'B': [3, 2], 'P': [1, 1], 'weight': [4, 4]}
>>> law.given("med = 1/4").example_tables().tolist()
[[[2, 0], [1, 1]], [[2, 1], [0, 1]]]
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from confmat._engine.blocks import WeightedSignatures
from confmat._engine.pieces import work_of
from confmat._engine.signatures import joined
from confmat._engine.witnesses import members_behind
from confmat._integers.arrays import summed
from confmat._limits import admit
from confmat.statistics.record import same_value

if TYPE_CHECKING:
    from confmat.distributions.held import Held

# Bytes of a sufficient statistic with its weight while they are sorted, bytes of a cell of an example table, and
# seconds of an enumerated table.
_BYTES_OF_SORTED = 240
_BYTES_OF_WITNESS_CELL = 16
_SECONDS_OF_TABLE = 1e-6


def signatures_of(law: Held) -> WeightedSignatures:
    """Return the distinct sufficient statistics (m, A, B, P) of a distribution, and an array of their weights.

    A is counted in the rows of the class. The sufficient statistics are in increasing order. Raise ValueError for a
    distribution of draws, and for conditions on a statistic without a formula.
    """
    if law._source is None:
        raise ValueError(
            f"distribution must be exact and over one class to have sufficient statistics, got {law!r}"
        )
    names_without_formulas = [
        x.name for condition in law.conditions for x in condition.statistics if not x.counted
    ]
    names_without_formulas += [statistic.name for statistic, _ in law._fixed if not statistic.counted]
    if names_without_formulas:
        raise ValueError(
            "there are sufficient statistics only under conditions on statistics with a formula in n, m, A, B and P, "
            f"got conditions on {', '.join(names_without_formulas)}"
        )
    source = replace(law._source, conditions=law.conditions, oriented=True)
    admit(
        f"all sufficient statistics of {law!r}",
        memory=_BYTES_OF_SORTED * source.size,
    )
    cells, weights = joined(source.blocks())
    for statistic, value in law._fixed:
        function = statistic.over(source.of.matrices)
        met = np.array([same_value(function(*sums), value) for sums in cells.tolist()], bool)
        cells = cells[met]
        weights = weights[met]
    return summed(cells, weights)


def witnesses_of(law: Held) -> np.ndarray:
    """Return an example table for each sufficient statistic of a distribution, as an array (k x r x s).

    The tables are found by another enumeration.
    """
    if law._source is None:
        raise ValueError(f"distribution must be exact and over one class to have example tables, got {law!r}")
    matrices = law._source.of.matrices
    seconds = _SECONDS_OF_TABLE * work_of(matrices).visited
    admit(f"an enumeration of {matrices!r}", seconds=seconds, limits=law._limits)
    cells, _ = signatures_of(law)
    r, s = matrices.shape
    admit(
        f"the example tables of {law!r}",
        memory=_BYTES_OF_WITNESS_CELL * r * s * len(cells),
    )
    return members_behind(matrices, cells)
