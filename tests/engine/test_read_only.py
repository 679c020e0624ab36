"""Arrays that a cache of the engine hands out cannot be changed by who gets them."""

import numpy as np
import pytest

from confmat._engine import halves, margins, pieces
from confmat.classes import FixedRows, Tables


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
    ],
)
def test_a_planted_write_is_refused(handed_out):
    arrays = arrays_in(handed_out())
    assert arrays
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
