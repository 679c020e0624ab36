"""Registry of indices. Names, formula, symmetry, bounds and claims of an index are declared at its function.

A function that `recorded` decorates becomes a statistic of the package. `confmat.statistics` registers it,
`confmat.indices.partition` exports it, and `confmat.testing` checks its claims.

>>> from confmat.indices import partition
>>> RECORDS["jaccard"].function is partition.jaccard, RECORDS["jaccard"].fields["bounds"]
(True, (0, 1))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import Any, TypeVar

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

METRIC: Mapping[str, Any] = {"metric": True, "refinement": True}
SIMILARITY: Mapping[str, Any] = {"identity": 1, "refinement": True}


@dataclass(frozen=True)
class Theorem:
    """Theorem on the largest value of a statistic.

    Attributes
    ----------
    name : str
        Name of the statement.
    matrix : callable
        Takes (n, r, s) and returns a matrix that attains the value.
    matrices : callable
        Takes (n, r, s) and returns all matrices that attain it, up to the order of rows and columns. Both functions
        raise NotProvedError if the value is not proved.
    given_most_med : Theorem
        Theorem on tables with n MED at most m. Its ``matrices`` takes (n, r, s, m).
    """

    name: str
    matrix: Callable[[int, int, int], np.ndarray] | None = None
    matrices: Callable[..., list[np.ndarray]] | None = None
    given_most_med: Theorem | None = None


@dataclass(frozen=True)
class Record:
    """Index with a short name.

    ``function`` is the public function. ``fields`` are those of `confmat.statistics.Statistic`, with the name of
    another index as ``of``. ``claims`` are properties that `confmat.testing` checks in addition to the symmetry and
    the bounds.
    """

    name: str
    function: Callable[..., Any]
    fields: Mapping[str, Any]
    claims: Mapping[str, Any]


# Every index by its short name, as its module is imported.
RECORDS: dict[str, Record] = {}


def recorded(
    name: str,
    *,
    claims: Mapping[str, Any] | None = None,
    evaluated_by: Callable[..., Any] | None = None,
    **fields: Any,
) -> Callable[[Function], Function]:
    """Return a decorator that records a function as an index with a short name, claims, and fields of its statistic.

    An index without a formula is evaluated by ``evaluated_by(function, table)``. Default: ``function(table,
    exact=True)``, with ``undefined="nan"`` if the function has this parameter. Raise ValueError if another index
    has one of the names.
    """

    def of_function(function: Function) -> Function:
        # The values of a statistic follow from a formula, from another statistic ("of"), or from a function.
        if evaluated_by is not None:
            fields["function"] = partial(evaluated_by, function)
        elif not {"formula", "of"} & set(fields):
            options = {"undefined": "nan"} if "undefined" in signature(function).parameters else {}
            fields["function"] = partial(function, exact=True, **options)
        check_names_are_free(name, *fields.get("names", ()))
        RECORDS[name] = Record(name, function, fields, claims or {})
        return function

    return of_function


def check_names_are_free(*names: str) -> None:
    """Raise ValueError if an index with one of the names is already recorded.

    >>> check_names_are_free("new", "jaccard_index")
    Traceback (most recent call last):
    ...
    ValueError: name must be unused, got 'jaccard_index', the name of index jaccard in confmat.indices.partition
    """
    for record in RECORDS.values():
        for name in (record.name, *record.fields.get("names", ())):
            if name in names:
                function = record.function
                raise ValueError(
                    f"name must be unused, got {name!r}, "
                    f"the name of index {function.__name__} in {function.__module__}"
                )


def names_in(*modules: str) -> list[str]:
    """Return the short names and the function names of the indices that some modules define.

    >>> names_in("confmat.indices.overlaps")
    ['pair_kappa', 'purity', 'van_dongen']
    """
    names = set()
    for record in RECORDS.values():
        if record.function.__module__ in modules:
            names |= {record.name, record.function.__name__}
    return sorted(names)
