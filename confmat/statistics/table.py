"""The table of statistics: one record each, and one's own beside them.

Those of two clusterings have a formula in the MED and the pair sums A, B, P, which the fast kernels count.  Metrics of
a classifier (rows = truth), and functions of one's own, are evaluated at every table that their symmetry leaves to
visit.  The values over a whole class: ``confmat.laws.supports``.
"""

from __future__ import annotations

import copyreg
import inspect
from collections import ChainMap
from collections.abc import Callable, Mapping
from functools import partial
from math import factorial, prod
from types import MappingProxyType
from typing import Any

import numpy as np

from confmat.classes import MatrixClass, RandomModel
from confmat.classes.orbits import ONLY_SQUARE
from confmat.matrices.arguments import meant
from confmat.statistics.classifiers import CLASSIFIERS
from confmat.statistics.clusterings import CLUSTERINGS
from confmat.statistics.derived import derived
from confmat.statistics.grammar import CONNECTIVES
from confmat.statistics.record import Statistic

_own: dict[str, Statistic] = {}
_known = {statistic.name: statistic for statistic in (*CLUSTERINGS, *CLASSIFIERS)}

STATISTICS: Mapping[str, Statistic] = MappingProxyType(ChainMap(_own, _known))
"""Every statistic by its short name, those registered at run time last."""

SIZES = ("n", "r", "s")
"""What conditions may name beside statistics: total, rows and columns."""


def _pickled(statistic: Statistic) -> Any:
    """One of the package's by its name, so that it is the same record elsewhere; one's own by its fields."""
    if is_known(statistic):
        return as_statistic, (statistic.name,)
    return object.__reduce_ex__(statistic, 2)


copyreg.pickle(Statistic, _pickled)


def is_known(statistic: Statistic) -> bool:
    """Whether it is one of the package's own, whose declarations are tried in its tests.

    >>> is_known(as_statistic("med")), is_known(Statistic("med", len))
    (True, False)
    """
    return _known.get(statistic.name) is statistic


def register(statistic: Statistic) -> Statistic:
    """Put a statistic of one's own into the table: its short name then stands wherever a name does.

    Raises TypeError for what is no ``Statistic``, ValueError for a name that is taken or no identifier.

    >>> largest = register(Statistic("largest", lambda table: int(table.max()), symmetry="transposition"))
    >>> largest is STATISTICS["largest"] is as_statistic("largest")
    True
    >>> unregister("largest")
    """
    if not isinstance(statistic, Statistic):
        raise TypeError(f"statistic must be a Statistic, got {statistic!r}")
    if not statistic.name.isidentifier():
        raise ValueError(f"statistic must have an identifier for a name, got {statistic.name!r}")
    if statistic.name in (*STATISTICS, *SIZES, *CONNECTIVES):
        raise ValueError(f"statistic must have a name that is free, got {statistic.name!r}")
    _own[statistic.name] = statistic
    return statistic


def unregister(name: str) -> None:
    """Take a statistic of one's own out of the table; ValueError for any other name.

    >>> unregister("med")
    Traceback (most recent call last):
    ...
    ValueError: name must be one that was registered, got 'med'
    """
    if name not in _own:
        raise ValueError(f"name must be one that was registered, got {name!r}")
    del _own[name]


def as_statistic(statistic: str | Statistic | Callable[[np.ndarray], Any]) -> Statistic:
    """A ``Statistic`` from a short name, a text such as "ard/med", an index function, one's own, or itself.

    Of a function of one's own no symmetry is assumed.

    >>> as_statistic("med").name, as_statistic("cor").symmetry
    ('med', 'simultaneous')
    >>> from confmat.indices import partition
    >>> as_statistic(partition.med) is as_statistic("med")
    True
    """
    if isinstance(statistic, Statistic):
        return statistic
    if isinstance(statistic, str):
        if statistic not in STATISTICS and any(sign in statistic for sign in "+-*/"):
            return derived(statistic, STATISTICS)
        if statistic not in STATISTICS:
            hint = meant(statistic, STATISTICS) or f", which is none of {', '.join(STATISTICS)}"
            raise ValueError(f"statistic must be a short name, got {statistic!r}{hint}")
        return STATISTICS[statistic]
    if not callable(statistic):
        raise TypeError(f"statistic must be a short name or a function of a matrix, got {statistic!r}")
    called = _called(statistic)
    for known in STATISTICS.values():
        if any(
            _called(own) == called for own in (known.index, known.function, *known.aliases) if own is not None
        ):
            return known
    return Statistic(getattr(statistic, "__name__", "statistic"), statistic)


def _called(function: Callable[..., Any]) -> tuple[Callable[..., Any], dict[str, Any]]:
    """A function and the options it is called with, defaults included; ``exact`` changes no statistic.

    So ``wallace`` is ``partial(wallace, direction="ab")``.
    """
    options: dict[str, Any] = {}
    if isinstance(function, partial) and not function.args:
        options, function = function.keywords, function.func
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a function of C that does not say
        parameters = []
    defaults = {x.name: x.default for x in parameters if x.default is not x.empty}
    return function, {name: value for name, value in (defaults | options).items() if name != "exact"}


def check_square(matrices: MatrixClass | RandomModel, statistics: tuple[Statistic, ...]) -> None:
    """Raise ValueError for a statistic that relabels rows and columns together, over matrices that are not square.

    >>> from confmat.classes import Tables
    >>> check_square(Tables(4, 2, 3), (as_statistic("med"),))
    >>> check_square(Tables(4, 2, 3), (as_statistic("cor"),))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: statistic 'cor' needs square matrices (rows and columns are the same classes), got ...
    """
    r, s = matrices.shape
    for statistic in statistics:
        if statistic.generators and statistic.generators <= ONLY_SQUARE and r != s:
            raise ValueError(
                f"statistic {statistic.name!r} needs square matrices (rows and columns are the same classes), "
                f"got {matrices!r}"
            )


def labelings(table: np.ndarray) -> int:
    """Number of pairs of labelings with this contingency matrix, n!/prod x!.

    >>> labelings(np.array([[1, 1], [0, 2]]))
    12
    """
    cells = table.ravel().tolist()
    return factorial(sum(cells)) // prod(map(factorial, cells))
