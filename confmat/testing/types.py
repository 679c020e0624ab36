"""What ``hypothesis.strategies.from_type`` draws for the package's types: the hook that Hypothesis runs by itself.

The entry point "hypothesis" in pyproject.toml names it.  Hypothesis may run it while it is imported by the strategies
of this package, so it imports none of them.

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
    """Tell Hypothesis what to draw for classes of matrices and for symmetries: small ones.

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
    """Margins: row sums, and as many objects in up to three columns."""
    from confmat.classes import FixedMargins

    rows, data = rows_and_data
    cuts = sorted(data.draw(st.lists(st.integers(0, sum(rows)), max_size=2)))
    edges = [0, *cuts, sum(rows)]
    return FixedMargins(rows, tuple(cut_after - cut_before for cut_before, cut_after in pairwise(edges)))
