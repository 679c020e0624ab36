"""Draws are not believed: every block is tested for members before it is handed out."""

from __future__ import annotations

import numpy as np

from confmat.classes import MatrixClass, RandomModel
from confmat.engine.matchings import matched_points
from confmat.errors import ConsistencyError

# The MED, whose test would cost more than many a draw, is tested for one draw in so many.
_MED_OF_ONE_IN = 64


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
    inside = matrices.contains_each(tables)
    if not inside.all():
        wrong = tables[inside.argmin()].tolist()
        raise ConsistencyError(f'method "{method}" drew {wrong}, which is no member of {matrices!r}')
    if unmatched is None:
        return
    for table, matched in zip(tables[::_MED_OF_ONE_IN], matched_points(tables[::_MED_OF_ONE_IN]).tolist()):
        if matrices.n - matched != unmatched:
            raise ConsistencyError(
                f'method "{method}" drew {table.tolist()} from {matrices!r}, with a MED of '
                f"{matrices.n - matched}/{matrices.n} instead of {unmatched}/{matrices.n}"
            )
