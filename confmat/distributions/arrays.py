"""The signatures of a law as arrays, and a matrix behind each of them: for programs of one's own.

>>> from confmat.classes import Tables
>>> from confmat.distributions import joint_distribution
>>> law = joint_distribution(Tables(4, 2, 2), "med")
>>> {name: column.tolist() for name, column in law.given("med = 1/4").sufficient_statistics().items()}
{'m': [1, 1], 'A': [2, 3], 'B': [3, 2], 'P': [1, 1], 'weight': [4, 4]}
>>> law.given("med = 1/4").example_tables().tolist()
[[[2, 0], [1, 1]], [[2, 1], [0, 1]]]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from confmat._engine.blocks import WeightedSignatures
from confmat._engine.pieces import work_of
from confmat._engine.signatures import joined
from confmat._engine.walks import first_with_values, meets, tables_under
from confmat._engine.witnesses import members_behind
from confmat._integers.arrays import summed
from confmat._limits import admit
from confmat.distributions.lines import Number
from confmat.errors import ConsistencyError
from confmat.statistics.record import same_value, shared_symmetry

if TYPE_CHECKING:
    from confmat.distributions.held import Held

# Bytes of a signature with its weight while they are put in order, of a cell of a witness; seconds of a table visited.
_BYTES_OF_SORTED = 240
_BYTES_OF_WITNESS_CELL = 16
_SECONDS_OF_TABLE = 1e-6


def signatures_of(law: Held) -> WeightedSignatures:
    """The distinct signatures of a law, A of the rows, in increasing order, with weights that add up to its total.

    ValueError for a law of draws, of classes of many shapes, or under a condition that signatures do not tell.
    """
    if law.source is None:
        raise ValueError(f"law must be enumerated over one class to have signatures, got {law!r}")
    names_without_formulas = [
        x.name for condition in law.conditions for x in condition.statistics if not x.counted
    ]
    names_without_formulas += [statistic.name for statistic, _ in law.fixed if not statistic.counted]
    if names_without_formulas:
        raise ValueError(
            "law must be given statistics with formulas to have signatures, "
            f"got one given {', '.join(names_without_formulas)}"
        )
    source = replace(law.source, conditions=law.conditions, oriented=True)
    admit(
        f"all signatures of {law!r}",
        memory=_BYTES_OF_SORTED * source.size,
    )
    cells, weights = joined(source.blocks())
    for statistic, value in law.fixed:
        function = statistic.over(source.of.matrices)
        met = np.array([same_value(function(*sums), value) for sums in cells.tolist()], bool)
        cells = cells[met]
        weights = weights[met]
    return summed(cells, weights)


def witnesses_of(law: Held) -> np.ndarray:
    """A member (k x r x s) for each signature of a law, in order; of a law of functions for each of its values.

    A visit of the class of its own, so that the law itself takes no longer.
    """
    if law.source is None:
        raise ValueError(f"law must be enumerated over one class to have witnesses, got {law!r}")
    matrices = law.source.of.matrices
    have_formulas = all(statistic.counted for statistic in law.statistics)
    if have_formulas:
        tables_visited = work_of(matrices).visited
    else:
        tables_visited = matrices.count()
    admit(
        f"a visit of {matrices!r}",
        seconds=_SECONDS_OF_TABLE * tables_visited,
        limits=law.limits,
    )
    if not have_formulas:
        return _behind_values(law)
    cells, _ = signatures_of(law)
    r, s = matrices.shape
    admit(
        f"the witnesses of {law!r}",
        memory=_BYTES_OF_WITNESS_CELL * r * s * len(cells),
    )
    return members_behind(matrices, cells)


def _behind_values(law: Held) -> np.ndarray:
    """A member for each value of a law that is listed by its values, in their order."""
    matrices = law.source.of.matrices
    support = law.support
    conditioned = [x for condition in law.conditions for x in condition.statistics]
    symmetry = shared_symmetry([*law.statistics, *conditioned]) & matrices.symmetry

    def visited() -> Iterator[np.ndarray]:
        for tables, _ in tables_under(matrices.margins(symmetry)):
            for condition in law.conditions:
                tables = tables[meets(condition, matrices, tables)]
            yield tables

    tables_with_values = first_with_values(matrices, law.statistics, visited())
    tables = [_table_of_values(law, values, tables_with_values) for values, _ in support]
    return np.array(tables, np.int64).reshape(len(tables), *matrices.shape)


def _table_of_values(
    law: Held, values: tuple[Number, ...], tables_with_values: dict[tuple[Number, ...], np.ndarray]
) -> np.ndarray:
    """The table that has some values; doubles may differ in their last digits with the order of lines."""
    if values in tables_with_values:
        return tables_with_values[values]
    for other_values, table in tables_with_values.items():
        if all(map(same_value, other_values, values)):
            return table
    raise ConsistencyError(f"no member has {values}, which were counted, in {law!r}")
