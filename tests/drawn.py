"""What strategies draw: the smallest example of a condition, and all that come up."""

import numpy as np
from hypothesis import Phase, find, given, settings


def smallest(strategy, condition, examples=10_000, phases=(Phase.generate, Phase.shrink)):
    options = settings(max_examples=examples, database=None, deadline=None, phases=phases)
    return find(strategy, condition, settings=options)


def seen(strategy, examples=1500):
    """Every value that comes up, hashable."""
    values = set()

    @settings(max_examples=examples, database=None)
    @given(strategy)
    def collect(value):
        values.add(hashable(value))

    collect()
    return values


def hashable(value):
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return tuple(map(hashable, value)) if isinstance(value, (list, tuple)) else value


def has_no_empty_line(table):
    return bool(table.any(axis=0).all() and table.any(axis=1).all())
