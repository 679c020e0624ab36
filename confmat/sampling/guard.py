"""Draws are not believed: every block is tested for members before it is handed out."""

from __future__ import annotations

import numpy as np

from confmat.classes import MatrixClass, RandomModel
from confmat.classes.membership import have_total
from confmat.engine.matchings import matched_points
from confmat.errors import ConsistencyError

# What would cost a tenth of a draw or more is tested for one draw in so many: the MED, and in blocks of more draws than
# this, which are made in 0.1 us each, the lines of a table.  Cells and totals are tested for every draw.
_ONE_IN = 64
_ALL = 4096


def check_draws(
    matrices: MatrixClass | RandomModel, method: str, tables: np.ndarray, unmatched: int | None
) -> None:
    """ConsistencyError, naming class and method, where one of the tables (k x r x s) is no member.

    With ``unmatched`` also where the MED of one of those looked at is another than unmatched/n.

    >>> from confmat.classes import Tables
    >>> check_draws(Tables(4, 2, 2), "rejection", np.array([[[2, 1], [0, 1]]]), 1)
    >>> check_draws(Tables(4, 2, 2), "rejection", np.array([[[2, 0], [0, 1]]]), None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.ConsistencyError: method "rejection" drew [[2, 0], [0, 1]], which is no member of Tables(n=4, ...
    """
    looked_at = tables[::_ONE_IN] if len(tables) > _ALL and _are_sums(tables, matrices.n) else tables
    inside = matrices.contains_each(np.ascontiguousarray(looked_at))
    if not inside.all():
        wrong = looked_at[inside.argmin()].tolist()
        raise ConsistencyError(f'method "{method}" drew {wrong}, which is no member of {matrices!r}')
    if unmatched is None:
        return
    for table, matched in zip(tables[::_ONE_IN], matched_points(tables[::_ONE_IN]).tolist()):
        if matrices.n - matched != unmatched:
            raise ConsistencyError(
                f'method "{method}" drew {table.tolist()} from {matrices!r}, with a MED of '
                f"{matrices.n - matched}/{matrices.n} instead of {unmatched}/{matrices.n}"
            )


def _are_sums(tables: np.ndarray, n: int) -> bool:
    """Whether all tables, of 64-bit integers, have the total n and no cell below 0."""
    rowwise = tables if tables.flags.c_contiguous else tables.transpose(0, 2, 1)
    return tables.dtype == np.int64 and have_total(rowwise.reshape(len(tables), -1), n)
