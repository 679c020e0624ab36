"""What is known of an index stands at its function: names, formula, symmetry, bounds, claims.

A function under `recorded` is a statistic of the package.  From it follow the table of `confmat.statistics`, and so
laws, searches, comparisons and commands; what `confmat.indices.partition` exports; what contracts try.

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
    """A largest value in closed form: the name of its proof, and a matrix that attains it at (n, r, s).

    ``matrices``: all of them up to the order of lines, where that is known; both raise NotProvedError elsewhere.
    ``given_most_med``: the theorem on tables with n MED at most m, whose ``matrices`` takes (n, r, s, m).
    """

    name: str
    matrix: Callable[[int, int, int], np.ndarray] | None = None
    matrices: Callable[..., list[np.ndarray]] | None = None
    given_most_med: Theorem | None = None


@dataclass(frozen=True)
class Record:
    """An index by its short name: the function that users call, fields of `confmat.statistics.Statistic`, and claims.

    ``of`` names another index here, not the statistic.  ``claims``: what `confmat.testing.contract` tries beside the
    symmetry and the bounds.
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
    """Record the decorated function as an index: its short name, its claims, and fields of its statistic.

    One without a formula is evaluated with ``exact=True``, and ``undefined="nan"`` if it takes that, or by a function
    of it and a table.  ValueError where another index has the name, or one of the names.
    """

    def of_function(function: Function) -> Function:
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
    """Raise ValueError where an index that is recorded already goes by one of the names.

    >>> check_names_are_free("new", "jaccard_index")
    Traceback (most recent call last):
    ...
    ValueError: name must be that of one index, got 'jaccard_index', which jaccard in confmat.indices.partition has
    """
    for record in RECORDS.values():
        for name in (record.name, *record.fields.get("names", ())):
            if name in names:
                function = record.function
                raise ValueError(
                    f"name must be that of one index, got {name!r}, "
                    f"which {function.__name__} in {function.__module__} has"
                )


def names_in(*modules: str) -> list[str]:
    """The names of the indices that stand in some modules: short ones, and those of their functions.

    >>> names_in("confmat.indices.overlaps")
    ['pair_kappa', 'purity', 'van_dongen']
    """
    names = set()
    for record in RECORDS.values():
        if record.function.__module__ in modules:
            names |= {record.name, record.function.__name__}
    return sorted(names)
