"""Function that gives an index the name, docstring and parameters of its formula."""

import inspect
from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any


def named_after(
    formula: Callable[..., Any],
    index: Callable[..., Any],
    parameters: Sequence[inspect.Parameter] | None = None,
) -> Any:
    """Return the function ``index`` with the name and the docstring of ``formula``.

    If ``parameters`` are given, they replace the parameters that `inspect.signature` reports.

    >>> def square(side):
    ...     return side * side
    >>> named_after(square, lambda matrix: square(len(matrix))).__name__
    'square'
    """
    signature = inspect.signature(index)
    if parameters is not None:
        signature = signature.replace(parameters=parameters)
    index.__signature__ = signature  # type: ignore[attr-defined]
    return update_wrapper(index, formula)
