"""Source texts of the Python functions in a user-defined statement.

Certificates display these texts. They do not fix the meaning of a function, which may depend on other code.
"""

from __future__ import annotations

import inspect
import warnings
from dataclasses import fields, is_dataclass
from functools import partial
from textwrap import dedent
from typing import Any

from confmat.conjectures.named import behind
from confmat.errors import NotKeptWarning
from confmat.statistics.record import Statistic
from confmat.statistics.table import is_known

NO_SOURCE = "source not available"


def sources_of(value: Any, name: str = "predicate") -> dict[str, str]:
    """Return source texts by name: that of a function, or those of all functions in a dataclass of the package.

    Functions of the package's statistics are left out, because their names identify them.

    >>> list(sources_of(Statistic("largest", len, batch=max)))
    ['function of largest', 'batch of largest']
    >>> sources_of(len), sources_of(is_of_package)["predicate"].splitlines()[0]
    ({'predicate': 'source not available'}, 'def is_of_package(kind: type) -> bool:')
    """
    texts: dict[str, str] = {}
    if isinstance(value, tuple):
        for place, part in enumerate(value):
            texts |= sources_of(part, f"{name}[{place}]")
    elif isinstance(value, Statistic) and is_known(behind(value)):
        pass
    elif is_dataclass(value) and is_of_package(type(value)):
        owner = value.name if isinstance(value, Statistic) else name
        for field in fields(value):
            texts |= sources_of(
                getattr(value, field.name),
                f"{field.name} of {owner}",
            )
    elif callable(value):
        texts[name] = _source_text(value)
    return texts


def _source_text(function: Any) -> str:
    """Return the present source text of a function, or of the class of a callable object."""
    while isinstance(function, partial):
        function = function.func
    try:
        has_text = (
            inspect.isroutine(function) or inspect.isclass(function) or hasattr(function, "__wrapped__")
        )
        return dedent(inspect.getsource(function if has_text else type(function)))
    except Exception:  # it was typed at a prompt, its file is gone, or its class answers oddly
        return NO_SOURCE


def is_of_package(kind: type) -> bool:
    """Return whether a class is defined in this package.

    >>> is_of_package(Statistic), is_of_package(int)
    (True, False)
    """
    return kind.__module__.partition(".")[0] == __name__.partition(".")[0]


def warn_not_kept(folder: Any, subject: str) -> None:
    """Warn that a checkpoint is neither read nor written, because ``subject`` may change between runs.

    ``folder`` is the directory of the checkpoint.
    """
    warnings.warn(
        f"checkpoint {folder} is not used: {subject}, which may change between runs. Finished parts are lost when this "
        "process ends",
        NotKeptWarning,
        stacklevel=2,
    )
