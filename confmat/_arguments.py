"""Validation of arguments. Error messages name the argument and its value."""

import math
import operator
import os
import re
from collections.abc import Iterable, Mapping, Set
from difflib import SequenceMatcher, get_close_matches
from fractions import Fraction
from itertools import islice, zip_longest
from numbers import Integral, Real
from pathlib import Path
from types import MappingProxyType
from typing import Any

_MOST_CLASSES, _MOST_LINES = 10_000, 10**6
_MANY = 10**18

# Least similarity of a word to a known name, from 0 to 1, for long and for short words, and the length of a short word.
_LIKENESS, _LIKENESS_OF_SHORT, _SHORT = 0.75, 0.6, 5

ALTERNATIVES = ("greater", "less", "two-sided")


def as_count(name: str, value: object, minimum: int = 0, maximum: int | None = None) -> int:
    """Return the argument ``name`` as a Python int from ``minimum`` to ``maximum``.

    ``value`` may be an integer of Python or NumPy of any size, or a float with an integer value. Raise TypeError if
    it is not an integer, and ValueError if it is out of range. ``name`` is used in these messages only. None as
    ``maximum`` means no upper limit.

    >>> as_count("n", 20.0)
    20
    >>> as_count("n", -1)
    Traceback (most recent call last):
    ...
    ValueError: n must be at least 0, got -1
    """
    if isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        count = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {value!r}") from None
    if count < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {count}")
    if maximum is not None and count > maximum:
        raise ValueError(f"{name} must be at most {maximum}, got {count}")
    return count


def as_count_if_said(name: str, value: object, usual: Any, minimum: int = 0) -> Any:
    """Return ``usual`` if ``value`` is None, otherwise ``as_count(name, value, minimum)``.

    >>> as_count_if_said("max_n", None, 40), as_count_if_said("max_n", 7, 40)
    (40, 7)
    """
    return usual if value is None else as_count(name, value, minimum)


def as_amount(name: str, value: object, minimum: int = 0) -> int:
    """Return a number of draws, examples or restarts: ``value`` as an int from ``minimum`` to 10^18.

    ``name`` is the name of the argument in error messages. Numbers above 10^18 would never finish, and overflow
    estimates of the cost.

    >>> as_amount("draws", 10**400)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: draws must be at most 1000000000000000000, got 1000...
    """
    return as_count(name, value, minimum, _MANY)


def meant(word: str, known: Iterable[str], called: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a hint such as "; did you mean rd?" for a misspelled ``word``, or "" if no known name is similar.

    ``called`` maps known names to the names in the hint, if they differ.

    >>> meant("rdd", ["rd", "med"]), meant("x", ["rd", "med"]), meant("acuracy", ["accuracy"], {"accuracy": "acc"})
    ('; did you mean rd?', '', '; did you mean acc?')
    """
    sought = word.lower()
    likeness = _LIKENESS if len(sought) > _SHORT else _LIKENESS_OF_SHORT
    known = list(known)
    close = [name for name in known if name.startswith(f"{sought}_")]
    close = close[:3] or get_close_matches(sought, known, 3, likeness)
    if not close:
        return ""
    unlike = {name: _unlikeness(name, sought) for name in close}
    best = [name for name in close if unlike[name] == min(unlike.values())]
    names = dict.fromkeys(called.get(name, name) for name in best)
    return f"; did you mean {' or '.join(names)}?"


def _unlikeness(name: str, sought: str) -> tuple[bool, float, int]:
    """Return a sort key of a name that is smaller the more similar the name is to the word ``sought``.

    Words with exchanged letters are most similar. Others are ordered by the fraction of common letters.
    """
    ratio = SequenceMatcher(None, name, sought).ratio()
    number_that_differ = sum(x != y for x, y in zip_longest(name, sought))
    return sorted(name) != sorted(sought), -ratio, number_that_differ


def as_counts(name: str, values: Iterable[object], minimum: int = 0) -> tuple[int, ...]:
    """Return the argument ``name`` as a non-empty tuple of Python ints that are at least ``minimum``.

    Raise TypeError if ``values`` is not a sequence of integers, ValueError if it is empty, has more than 10^6
    values, or has a value below ``minimum``.

    >>> as_counts("rows", [10, 6, 4])
    (10, 6, 4)
    >>> as_counts("rows", [10, -6])
    Traceback (most recent call last):
    ...
    ValueError: rows[1] must be at least 0, got -6
    """
    if isinstance(values, (str, Set, Mapping)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a sequence of integers, got {values!r}")
    checked_values = (as_count(f"{name}[{i}]", value, minimum) for i, value in enumerate(values))
    counts = as_few(
        name, checked_values, most=_MOST_LINES
    )  # values are checked one by one, so that an endless iterator with a wrong value raises an error
    if not counts:
        raise ValueError(f"{name} must not be empty")
    return counts


def as_few(name: str, values: Iterable[Any], each: int = 1, most: int = _MOST_CLASSES) -> tuple[Any, ...]:
    """Return the argument ``name`` as a tuple with at most ``most``/``each`` elements.

    ``each`` is the number of other values with which each element is combined. Raise TypeError if ``values`` is a
    string or not iterable, ValueError if there are more elements. No further elements are consumed.

    >>> as_few("sizes", range(4))
    (0, 1, 2, 3)
    >>> as_few("sizes", range(10**12), each=3)
    Traceback (most recent call last):
    ...
    ValueError: sizes must have at most 3333 values for 3 others, got more, beginning with 0
    >>> as_few("known", "ari")
    Traceback (most recent call last):
    ...
    TypeError: known must be a list, got 'ari'
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list, got {values!r:.60}")
    most //= max(1, each)
    listed_values = tuple(islice(values, most + 1))
    if len(listed_values) > most:
        if each > 1:
            addition = f" for {each} others"
        else:
            addition = ""
        raise ValueError(
            f"{name} must have at most {most} values{addition}, got more, beginning with {listed_values[0]!r}"
        )
    return listed_values


def as_fraction(name: str, value: Any) -> Fraction:
    """Return a finite real number of any type, also of NumPy, as an exact Fraction.

    Raise TypeError if ``value`` is not a real number, ValueError if it is not finite.

    >>> as_fraction("beta", 0.5)
    Fraction(1, 2)
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    if isinstance(value, Integral):
        return fraction(value)
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value!r}")
    return Fraction(*value.as_integer_ratio())  # type: ignore[attr-defined]


def fraction(number: Any) -> Fraction:
    """Return a number or text as a Fraction. NumPy integers become Python ints, which do not overflow.

    >>> import numpy as np
    >>> fraction(np.uint8(200)) + 200
    Fraction(400, 1)
    """
    return Fraction(int(number) if isinstance(number, Integral) else number)


def as_instance(name: str, value: Any, kind: type | tuple[type, ...], words: str) -> Any:
    """Return ``value`` if it is of the type ``kind`` (or one of these types), otherwise raise TypeError.

    The message is "``name`` must be ``words``, got ...".

    >>> as_instance("text", ["{}"], str, "the text of a certificate")
    Traceback (most recent call last):
    ...
    TypeError: text must be the text of a certificate, got ['{}']
    """
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {words}, got {value!r:.60}")
    return value


def as_path(name: str, path: Any) -> Path:
    """Return the argument ``name`` as a `Path`. Raise TypeError unless ``path`` is a string or a path.

    >>> as_path("folder", 3)
    Traceback (most recent call last):
    ...
    TypeError: folder must be the path of a file or folder, got 3
    """
    return Path(as_instance(name, path, (str, os.PathLike), "the path of a file or folder"))


def as_pattern(path: str | os.PathLike[str]) -> str:
    """Return the glob pattern of DuckDB that matches only the given path.

    >>> as_pattern("/tmp/run[1].parquet")
    '/tmp/run[[]1].parquet'
    """
    return re.sub(r"[\[*?]", r"[\g<0>]", os.path.abspath(path))


def as_choice(name: str, value: Any, known: Iterable[str]) -> Any:
    """Return ``value`` if it is among the strings ``known``, otherwise raise ValueError that lists them.

    ``name`` is the name of the argument in the message, which suggests a similar string.

    >>> as_choice("end", "max", ("min", "max"))
    'max'
    >>> as_choice("end", "top", ("min", "max"))
    Traceback (most recent call last):
    ...
    ValueError: end must be one of min, max, got 'top'
    """
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}{meant(str(value), known)}")
    return value


def as_flag(name: str, value: object) -> bool:
    """Return the argument ``name`` as a bool. Raise TypeError unless ``value`` is a bool of Python or NumPy.

    >>> as_flag("empty", "no")
    Traceback (most recent call last):
    ...
    TypeError: empty must be True or False, got 'no'
    """
    if type(value).__name__ not in ("bool", "bool_"):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)
