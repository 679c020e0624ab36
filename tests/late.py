"""Modules that take a good part of a second to import, imported when something of them is asked for.

All tests are collected before the first one runs, whichever are meant: what one test needs is not imported for all.
"""

from importlib import import_module


class Late:
    """A module by its name.

    >>> Late("math").comb(5, 2)
    10
    """

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith(("_", "pytest")):  # what pytest looks for in everything that a file of tests holds
            raise AttributeError(name)
        return getattr(import_module(self._name), name)


networkx = Late("networkx")
optimize = Late("scipy.optimize")
stats = Late("scipy.stats")
sk_datasets = Late("sklearn.datasets")
sk_metrics = Late("sklearn.metrics")
