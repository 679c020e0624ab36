"""Whole numbers from the command line: errors name the option and what was given."""

from collections.abc import Callable

from confmat.cli.output import Failure, checked
from confmat.matrices.arguments import as_count


def whole_number(name: str, text: str) -> int:
    """A whole number of any size from text; Failure naming it otherwise."""
    try:
        return int(text)
    except ValueError:
        raise Failure(f"{name} must be a whole number, got {text!r}") from None


def at_least(option: str, minimum: int, maximum: int | None = None) -> Callable[[str], int]:
    """A parser of the values of an option.

    >>> at_least("--size", 0)("12")
    12
    """

    def parse(text: str) -> int:
        with checked():
            return as_count(option, whole_number(option, text), minimum, maximum)

    return parse
