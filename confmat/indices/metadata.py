"""Indices that are made of formulas: shown under the formula's name, with their own arguments."""

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any


def named_after(formula: Callable[..., Any], index: Callable[..., Any]) -> Any:
    """The index with the name and the words of a formula.

    >>> def square(side):
    ...     return side * side
    >>> named_after(square, lambda matrix: square(len(matrix))).__name__
    'square'
    """
    index.__signature__ = inspect.signature(index)  # type: ignore[attr-defined]
    return update_wrapper(index, formula)
