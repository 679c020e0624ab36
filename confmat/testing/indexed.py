"""Conversion of a function, its name "module:function", or a statistic to an index with a name.

>>> function, name, record = as_indexed("math:hypot")
>>> function(3, 4), name, record
(5.0, 'hypot', None)
>>> as_indexed("rd")[2].title
'Rand distance'
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from confmat._arguments import as_instance
from confmat.contingency.labels import contingency_matrix
from confmat.statistics import Statistic, as_statistic
from confmat.testing.claims import DEGENERATE, is_number


class Indexed(NamedTuple):
    """Index as a function with a name, and its `Statistic` if it is one of the package."""

    function: Any
    name: str
    record: Statistic | None


def as_indexed(index: Any) -> Indexed:
    """Return an `Indexed`, given a function, its name "module:function", a statistic or its short name.

    Raise ValueError for a name that cannot be imported.
    """
    if isinstance(index, str) and ":" in index:
        index = imported(index)
    if isinstance(index, (str, Statistic)):
        record = as_statistic(index)
        return Indexed(_of_record(record), record.name, record)
    return Indexed(index, getattr(index, "__name__", type(index).__name__), None)


def imported(name: str) -> Callable[..., Any]:
    """Return the function "module:function". The module may be a file in the current directory.

    Parameters
    ----------
    name : str
        Name of the module, a colon, and the name of the function.

    Returns
    -------
    callable

    Raises
    ------
    ValueError
        If it cannot be imported.
    TypeError
        If it is not callable.

    Examples
    --------
    >>> from confmat.testing.indexed import imported
    >>> imported("math:hypot")(3, 4)
    5.0
    """
    as_instance("name", name, str, 'a text "module:function"')
    module, _, attribute = name.partition(":")
    sys.path.insert(0, "")
    try:
        attribute_found: Any = import_module(module)
        for part in attribute.split("."):
            attribute_found = getattr(attribute_found, part)
    except Exception as error:  # any exception of the user's module
        raise ValueError(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove("")
    if not callable(attribute_found):
        raise TypeError(f"{name} must be a function, got {attribute_found!r}")
    return attribute_found


def _of_record(record: Statistic) -> Callable[..., Any]:
    """Return a statistic as a function of a table or of two labelings. Roots and logarithms become floats."""

    def index(*arguments: Any) -> Any:
        value = record(arguments[0] if len(arguments) == 1 else contingency_matrix(*arguments))
        return value if is_number(value) else float(value)

    return index


def as_undefined(undefined: Any) -> tuple[tuple[Any, ...], frozenset[str]]:
    """Split the argument ``undefined`` into accepted results (exceptions and numbers) and names of degenerate cases.

    >>> as_undefined({"one cluster"})
    ((), frozenset({'one cluster'}))
    >>> as_undefined((ZeroDivisionError, float("nan")))
    ((<class 'ZeroDivisionError'>, nan), frozenset())
    """
    are_several = isinstance(undefined, (tuple, list, set, frozenset))
    stand_ins = tuple(undefined) if are_several else (undefined,)
    kinds = [stand_in for stand_in in stand_ins if isinstance(stand_in, str) and stand_in in DEGENERATE]
    values = tuple(stand_in for stand_in in stand_ins if stand_in not in kinds)
    for stand_in in values:
        if not (is_number(stand_in) or (isinstance(stand_in, type) and issubclass(stand_in, Exception))):
            kinds_said = ", ".join(repr(kind) for kind in DEGENERATE)
            raise TypeError(
                "undefined must be exceptions or numbers in place of a value, such as (ZeroDivisionError, nan), "
                f"or kinds of inputs at which it is undefined ({kinds_said}), got {undefined!r}"
            )
    return values, frozenset(kinds)
