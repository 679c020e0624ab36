"""Parts of questions and answers: names of classes, matrices, memberships, digests of many lines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from . import adapter
from .texts import text

SEPARATOR = " | "


def ask(thing: Any, names: dict[str, str], what: str, *arguments: Any) -> Any:
    """Return an attribute under the name that the adapter gives, called if it is a method."""
    attribute = getattr(thing, names[what])
    return attribute(*arguments) if callable(attribute) else attribute


def integers(sequence: str) -> tuple[int, ...]:
    """Read "2,1,0"."""
    return tuple(map(int, sequence.split(",")))


def matrix(rows: str) -> list[list[int]]:
    """Read "2,1;0,3"."""
    return [list(integers(row)) for row in rows.split(";")]


def memberships(rows: str) -> list[list[Fraction]]:
    """Read "1/2,1/2;0,1"."""
    return [[Fraction(x) for x in row.split(",")] for row in rows.split(";")]


@lru_cache(64)
def class_of(name: str) -> Any:
    """Return the class with a name such as "tables 7 2 3", "rows 3,2 4 empty" or "columns 4 3,2"."""
    kind, *sizes = name.split()
    numbers = [integers(size) for size in sizes if size != "empty"]
    sequences = {"rows": {0}, "columns": {1}, "margins": {0, 1}}.get(kind, set())
    read = [x if i in sequences else x[0] for i, x in enumerate(numbers)]
    options = {} if kind == "margins" else {adapter.EMPTY: sizes[-1] == "empty"}
    return adapter.CLASSES[kind](*read, **options)


def digest_of(lines: Iterable[str]) -> list[str]:
    """Return the number of lines and a digest of them."""
    listed = list(lines)
    return [str(len(listed)), hashlib.sha256("\n".join(listed).encode()).hexdigest()[:24]]


def of_points(points: Iterable[tuple[Any, int]]) -> list[str]:
    """Return the number of points and a digest of their values and weights, in the order of their texts."""
    return digest_of(sorted(f"{text(values)}:{weight}" for values, weight in points))
