"""Checks of arguments."""

from operator import index
from typing import Any


def whole(name: str, value: Any, least: int = 1) -> int:
    """A whole number that is large enough; ValueError with name and value for another.

    >>> whole("starts", 3)
    3
    >>> whole("starts", 0)
    Traceback (most recent call last):
    ...
    ValueError: starts must be at least 1, got 0
    """
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {value!r}")
    return number
