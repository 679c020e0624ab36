"""Draws are not believed: every block is tested for members before it is handed out."""

from __future__ import annotations

import numpy as np

from confmat.classes import MatrixClass, RandomModel
from confmat.classes.membership import have_total
from confmat.errors import ConsistencyError
from confmat.sampling.distance import Wanted

# What would cost a tenth of a draw or more is tested for one draw in so many: the MED, and in blocks of more draws than
# this, which are made in 0.1 us each, the lines of a table.  Cells and totals are tested for every draw.
_ONE_IN = 64
_ALL = 4096


def check_draws(
    matrices: MatrixClass | RandomModel, method: str, tables: np.ndarray, wanted: Wanted | None
) -> None:
    """ConsistencyError, naming class and method, where one of the tables (k x r x s) is no member.

    With ``wanted`` also where one of those looked at is not as asked for.

    >>> from confmat.classes import Tables
    >>> asked = Wanted.of(Tables(4, 2, 2), "med=1/4")
    >>> check_draws(Tables(4, 2, 2), "rejection", np.array([[[2, 1], [0, 1]]]), asked)
    >>> check_draws(Tables(4, 2, 2), "rejection", np.array([[[2, 0], [0, 1]]]), None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.ConsistencyError: method "rejection" drew [[2, 0], [0, 1]], which is no member of Tables(n=4, ...
    """
    looked_at = tables[::_ONE_IN] if len(tables) > _ALL and _are_sums(tables, matrices.n) else tables
    inside = matrices.contains_each(looked_at)
    if not inside.all():
        wrong = looked_at[inside.argmin()].tolist()
        raise ConsistencyError(f'method "{method}" drew {wrong}, which is no member of {matrices!r}')
    if wanted is None:
        return
    some = tables[::_ONE_IN]
    as_asked = wanted.each(some)
    if not as_asked.all():
        wrong = some[as_asked.argmin()].tolist()
        raise ConsistencyError(f'method "{method}" drew {wrong} from {matrices!r}, which has not {wanted}')


def _are_sums(tables: np.ndarray, n: int) -> bool:
    """Whether all tables, of 64-bit integers, have the total n and no cell below 0."""
    rowwise = tables if tables.flags.c_contiguous else tables.transpose(0, 2, 1)
    return tables.dtype == np.int64 and have_total(rowwise.reshape(len(tables), -1), n)
