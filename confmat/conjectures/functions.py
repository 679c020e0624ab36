"""Functions of Python in a statement: no text says all of what they do, so none is told by what it looks like.

A statement in the grammar is bound: its text is the whole of it, in a certificate and in a checkpoint.  A function may
reach globals, files, other modules, a fitted model: following these sees half of it.  So a certificate shows the
source that can be read and says that it is not bound to it, and finished parts of a check are used again under a
version that the author gives, and after some of them were evaluated again.
"""

from __future__ import annotations

import inspect
import warnings
from functools import partial
from textwrap import dedent
from typing import Any

from confmat.errors import NotKeptWarning
from confmat.statistics.record import Statistic

NO_SOURCE = "source not available"


def source_of(function: Any) -> str:
    """The text of a function, or of the class of an object that is called, as its file has it now.

    >>> source_of(source_of).splitlines()[0], source_of(len)
    ('def source_of(function: Any) -> str:', 'source not available')
    """
    while isinstance(function, partial):
        function = function.func
    has_text = inspect.isroutine(function) or inspect.isclass(function) or hasattr(function, "__wrapped__")
    try:
        return dedent(inspect.getsource(function if has_text else type(function)))
    except Exception:  # it was typed at a prompt, its file is gone, or its class answers oddly
        return NO_SOURCE


def sources_of(statistic: Statistic) -> dict[str, str]:
    """What can be shown of a statistic of one's own: the texts of its functions, and what it is made of.

    >>> sources_of(Statistic("largest", len))
    {'function of largest': 'source not available'}
    """
    shown = {}
    for field in ("formula", "function", "batch", "factor"):
        if (function := getattr(statistic, field)) is not None:
            shown[f"{field} of {statistic.name}"] = source_of(function)
    if statistic.of is not None:
        shown[f"of of {statistic.name}"] = f"{statistic.of!r}, complement {statistic.complement}"
    return shown


def is_of_package(kind: type) -> bool:
    """Whether the package defines a class.

    >>> is_of_package(Statistic), is_of_package(int)
    (True, False)
    """
    return kind.__module__.partition(".")[0] == __name__.partition(".")[0]


def warn_not_kept(folder: Any, what: str) -> None:
    """Say that a checkpoint is neither read nor written, as what its parts would belong to is not known."""
    warnings.warn(
        f"checkpoint {folder} is not used: {what}, which nothing tells from others; finished parts are kept for this "
        "process alone, in its answer; a version (version=, --version-of-claim) lets another one go on",
        NotKeptWarning,
        stacklevel=4,
    )
