"""Registration of strategies with Hypothesis for ``hypothesis.strategies.from_type`` and the types of this package.

Hypothesis calls `register`, because it is an entry point "hypothesis" in pyproject.toml. It can do so while the
strategies of this package import Hypothesis. Therefore this module imports none of them.

>>> from hypothesis import find, strategies as st
>>> from confmat.classes import Tables
>>> find(st.from_type(Tables), lambda matrices: True)
Tables(n=3, r=1, s=1, allow_empty=False)
"""

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

_few = st.integers(1, 3)
_sizes = st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple)


def register() -> None:
    """Register strategies for classes of matrices with Hypothesis. They draw small classes.

    >>> register()
    """
    from confmat.classes import FixedColumns, FixedMargins, FixedRows, Tables

    st.register_type_strategy(
        Tables,
        st.builds(
            Tables,
            st.integers(3, 8),
            _few,
            _few,
            allow_empty=st.booleans(),
        ),
    )
    st.register_type_strategy(FixedRows, st.builds(FixedRows, _sizes, _few))
    st.register_type_strategy(FixedColumns, st.builds(FixedColumns, _sizes, _few))
    st.register_type_strategy(FixedMargins, st.tuples(_sizes, st.data()).map(_fixed_margins))


def _fixed_margins(rows_and_data: Any) -> Any:
    """Return `FixedMargins` with drawn row sums, and the same total in up to three columns."""
    from confmat.classes import FixedMargins

    rows, data = rows_and_data
    cuts = sorted(data.draw(st.lists(st.integers(0, sum(rows)), max_size=2)))
    edges = [0, *cuts, sum(rows)]
    return FixedMargins(rows, tuple(cut_after - cut_before for cut_before, cut_after in pairwise(edges)))
