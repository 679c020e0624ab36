"""Arrays that a cache hands out cannot be changed by who gets them."""

import numpy as np
import pytest

from confmat._engine import halves, margins, pieces
from confmat._integers import arrays
from confmat.classes import FixedRows, Tables, fibers
from confmat.fixed_margins import graph
from confmat.statistics import declarations
from confmat.testing import draws


def arrays_in(found):
    """All arrays in some nested result."""
    if isinstance(found, np.ndarray):
        return [found]
    if isinstance(found, dict):
        found = found.values()
    elif hasattr(found, "__dataclass_fields__"):
        found = [getattr(found, name) for name in found.__dataclass_fields__]
    elif not isinstance(found, (tuple, list)):
        return []
    return [array for part in found for array in arrays_in(part)]


@pytest.mark.parametrize(
    "handed_out",
    [
        lambda: margins.row_jobs(Tables(6, 3, 3)),
        lambda: margins.row_jobs(FixedRows((3, 2), 3)),
        lambda: pieces.work_of(Tables(6, 3, 3)),
        lambda: margins._table_of_logs(6, 3),
        lambda: halves.binomials(6, 3),
        lambda: halves._multipliers(4),
        lambda: halves._buckets_of(4, 3, (1, 2, 4)),
        lambda: pieces.work_of(Tables(6, 3, 3)).pairing,
        lambda: arrays._inverses((101, 103, 107)),
        lambda: graph.binomials_modulo(4, 101),
        lambda: declarations.small_tables(),
        lambda: draws._places_of_pattern("hook", 3, 3),
        lambda: fibers.suffix_counts((1, 1, 2), (2, 2)),
    ],
)
def test_a_planted_write_is_refused(handed_out):
    found = arrays_in(handed_out())
    assert found
    for array in found:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
