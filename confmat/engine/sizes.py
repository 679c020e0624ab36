"""How many distinct values the statistics of a class may have, from its margins alone."""

from __future__ import annotations

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine import reduce
from confmat.engine.jobs import row_jobs, tables_to_visit


def window_cells(matrices: MatrixClass) -> int:
    """Histogram cells (P, k) of all margin classes to visit: as many distinct (m, A, B, P) at most.

    >>> from confmat.classes import Tables
    >>> window_cells(Tables(20, 3, 3)), window_cells(Tables(300, 2, 2))
    (291499, 12289374420)
    """
    return sum(
        int(reduce.window_cells(np.array(job.rows, np.int64), job.cols).sum()) for job in row_jobs(matrices)
    )


def cells_to_hold(matrices: MatrixClass) -> int:
    """About how many distinct (m, A, B, P) the class has at most.

    >>> from confmat.classes import Tables
    >>> cells_to_hold(Tables(300, 2, 2))
    583971
    """
    return min(window_cells(matrices), tables_to_visit(matrices))


def support_bound(matrices: MatrixClass) -> int:
    """An upper bound on the number of points of a joint law of indices: histogram cells, or matrices if fewer.

    >>> from confmat.classes import Tables
    >>> support_bound(Tables(20, 3, 3)), Tables(20, 3, 3).count()
    (291499, 2806281)
    """
    return min(window_cells(matrices), matrices.count())
