"""Texts of classes of matrices, as users, commands and the registry of statements write them.

Each class has a text (``text``), which `parse` reads:

==============================  ======================================================================
``3x3 n=20``                    all 3 x 3 tables with total 20 and no empty row or column
``3x3 n=20 empty``              rows and columns may be empty
``rows=10,6,4 cols=9,7,4``      all tables with these row and column sums
``rows=50,30 cols=free:2``      row sums 50 and 30, two free columns (not empty with ``no-empty``)
``3x3 n=..20``                  several classes: totals 1 to 20. Also ``n=4,8..10``.
``2x2..3x4 n=..12``             several classes: all shapes in between with r <= s. Also ``2x3,3x2``.
``20 3 3``, ``1..20 3 3``       total, rows, columns, as the arguments of commands
==============================  ======================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from confmat._arguments import as_count, as_few, as_instance, meant
from confmat.classes.matrix_class import MatrixClass
from confmat.classes.one_margin import FixedColumns, FixedRows
from confmat.classes.tables import FixedMargins, Tables

_LIKE = 'like "3x3 n=20", "rows=10,6,4 cols=9,7,4" or N R S as in "20 3 3"'
_KEYS = ("n", "rows", "cols")
_FLAGS = {"empty": True, "no-empty": False}


def as_class(matrices: Any) -> MatrixClass:
    """Return a class of matrices from itself or from its text.

    Parameters
    ----------
    matrices : MatrixClass or str

    Returns
    -------
    MatrixClass

    Raises
    ------
    TypeError, ValueError
        For another object or text.

    Examples
    --------
    >>> as_class("3x3 n=20")
    Tables(n=20, r=3, s=3, allow_empty=False)
    """
    found = parse(matrices) if isinstance(matrices, str) else matrices
    if found is not matrices and isinstance(found, list):
        raise ValueError(
            f"matrices must be the text of a single class, got {matrices!r} with {len(found)} classes"
        )
    kind = 'a class of matrices such as Tables(20, 3, 3), or its text "3x3 n=20"'
    return as_instance("matrices", found, MatrixClass, kind)


class Said(NamedTuple):
    """Parts of a text that describes classes: shapes, totals, row sums, and column sums. A missing part is None."""

    shapes: str | None = None
    n: str | None = None
    rows: str | None = None
    cols: str | None = None
    allow_empty: bool | None = None

    @property
    def of_sizes(self) -> bool:
        """True if the text gives only shapes and totals, so that it can also describe objects other than tables."""
        return (self.rows, self.cols, self.allow_empty) == (None,) * 3

    @property
    def several(self) -> bool:
        """True if the text describes several classes: its shapes or totals are a range or a list."""
        texts = self.shapes or "", self.n or ""
        return any(sign in text for sign in ("..", ",") for text in texts)


Parsed = MatrixClass | list[MatrixClass]


def parse(text: str) -> Parsed:
    """Return the class that a string names.

    Parameters
    ----------
    text : str
        For example "3x3 n=20", or "rows=10,6,4 cols=9,7,4".

    Returns
    -------
    MatrixClass or list of MatrixClass
        A list, by total and shape, if the text has ranges.

    Raises
    ------
    ValueError
        For another text.

    Examples
    --------
    >>> parse("3x3 n=20"), parse("rows=3,1 cols=free:2")
    (Tables(n=20, r=3, s=3, allow_empty=False), FixedRows(rows=(3, 1), s=2))
    >>> parse("2x2..2x3 n=4..5")
    [Tables(n=4, r=2, s=2, allow_empty=False), Tables(n=4, r=2, s=3, allow_empty=False), \
Tables(n=5, r=2, s=2, allow_empty=False), Tables(n=5, r=2, s=3, allow_empty=False)]
    >>> parse("3x3 m=20")
    Traceback (most recent call last):
    ...
    ValueError: m in '3x3 m=20' must be one of n, rows, cols
    """
    said_parts = read(text)
    options: dict[str, Any] = (
        {} if said_parts.allow_empty is None else {"allow_empty": said_parts.allow_empty}
    )
    if said_parts.rows is not None and said_parts.cols is not None:
        return _from_margins(said_parts.rows, said_parts.cols, options)
    shapes = as_few("shapes", parse_shapes(str(said_parts.shapes)))
    totals = as_few(
        "n",
        parse_totals(str(said_parts.n)),
        len(shapes),
    )
    classes: list[Any] = [Tables(n, r, s, **options) for n, (r, s) in product(totals, shapes)]
    return classes if said_parts.several else classes[0]


def read(text: str) -> Said:
    """Return the parts of a string that names classes. Raise ValueError for unknown or contradictory parts.

    >>> read("2x2..3x4 n=..12").n, read("..12 3 4").shapes
    ('..12', '3x4')
    """
    as_instance("text", text, str, f"a text {_LIKE}")
    parts: dict[str, Any] = {}
    plain = []
    for word in text.split():
        key, sign, value = word.partition("=")
        if sign and key not in _KEYS:
            raise ValueError(f"{key} in {text!r} must be one of {', '.join(_KEYS)}{meant(key, _KEYS)}")
        if not sign and key not in _FLAGS:
            plain.append(word)
            continue
        name = key if sign else "allow_empty"
        if name in parts:
            raise ValueError(f"{name} must occur once, got {text!r}")
        parts[name] = value if sign else _FLAGS[key]
    if len(plain) == 3:
        sizes = {
            "n": plain[0],
            "shapes": f"{_whole_number('R', plain[1])}x{_whole_number('S', plain[2])}",
        }
    elif len(plain) <= 1:
        sizes = dict(zip(["shapes"], plain))
    else:
        raise ValueError(f"a class must read {_LIKE}, got {text!r}")
    if "n" in sizes and "n" in parts:
        raise ValueError(f"n must occur once, got {text!r}")
    return _said_together(Said(**(parts | sizes)), text)


def _said_together(said_parts: Said, text: str) -> Said:
    """Return the parts unchanged. Raise ValueError if they contradict each other."""
    if (said_parts.rows is None) != (said_parts.cols is None):
        raise ValueError(f"rows and cols must occur together, as in rows=10,6,4 cols=9,7,4, got {text!r}")
    with_sizes = said_parts.shapes is not None or said_parts.n is not None
    if said_parts.rows is not None and with_sizes:
        raise ValueError(f"a class must have either rows and cols or a shape and n, got {text!r}")
    if said_parts.rows is None and (said_parts.shapes is None or said_parts.n is None):
        raise ValueError(f"a class must read {_LIKE}, got {text!r}")
    return said_parts


def _from_margins(rows: str, cols: str, options: dict[str, Any]) -> MatrixClass:
    """Return the class with fixed row sums, column sums or both, from the strings after "rows=" and "cols=".

    ``options`` may have ``allow_empty``.
    """
    are_free = [side.partition(":")[0] == "free" for side in (rows, cols)]
    if all(are_free):
        raise ValueError(
            f"rows or cols must be a list of sums, got rows={rows} and cols={cols}. Use a shape and n instead, as "
            "in 3x4 n=20."
        )
    if options and not any(are_free):
        raise ValueError(
            "empty and no-empty must be left out if both rows and cols are lists of sums, which may be 0."
        )
    if are_free[0]:
        sums = _numbers("cols", cols)
        return FixedColumns(sums, _free_lines("R in rows=free:R", rows, sums), **options)
    sums = _numbers("rows", rows)
    if are_free[1]:
        return FixedRows(sums, _free_lines("S in cols=free:S", cols, sums), **options)
    return FixedMargins(sums, _numbers("cols", cols))


def _free_lines(name: str, text: str, sums: tuple[int, ...]) -> int:
    """Return the number in a string such as "free:3". Default: the number of ``sums``."""
    _, _, number = text.partition(":")
    return _whole_number(name, number) if number else len(sums)


def _whole_number(name: str, text: str) -> int:
    """Return the integer in a string. ``name`` is the argument in the error message."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name} must be an integer, got {text!r}") from None


def _numbers(name: str, text: str) -> tuple[int, ...]:
    """Return the integers in a string, which are separated by commas."""
    return tuple(_whole_number(f"{name}[{i}]", part) for i, part in enumerate(text.split(",")))


def parse_totals(text: str) -> Iterator[int]:
    """Yield the totals in a text: "8", "4..14", "..14", or a list of these separated by commas.

    >>> list(parse_totals("..3")), list(parse_totals("2,5..6"))
    ([1, 2, 3], [2, 5, 6])
    """
    for part in text.split(","):
        start, dots, end = part.partition("..")
        try:
            if start or not dots:
                least_total = int(start)
            else:
                least_total = 1
            largest_total = int(end) if dots else least_total
        except ValueError:
            raise ValueError(f"n must be an integer or a range such as 4..14 or ..14, got {part!r}") from None
        if largest_total < least_total:
            raise ValueError(f"the end of a range of n must be at least its start, got {part!r}")
        yield from range(least_total, largest_total + 1)


def parse_shapes(text: str) -> Iterator[tuple[int, int]]:
    """Yield shapes from a string: "3x3", "2x2..5x5" for all r <= s in between, or a list of these separated by commas.

    >>> list(parse_shapes("2x2..3x3")), list(parse_shapes("4x2"))
    ([(2, 2), (2, 3), (3, 3)], [(4, 2)])
    """
    for part in text.split(","):
        start, dots, end = part.partition("..")
        try:
            (r0, s0), (r1, s1) = (
                map(int, shape.lower().split("x")) for shape in (start, end if dots else start)
            )
        except ValueError:
            raise ValueError(f"a shape must be like 3x3, or a range like 2x2..5x5, got {part!r}") from None
        r0 = as_count("r", r0, 1)
        s0 = as_count("s", s0, 1)
        if r1 < r0 or s1 < s0:
            raise ValueError(f"the end of a range of shapes must be at least its start, got {part!r}")
        if dots:
            yield from ((r, s) for r in range(r0, r1 + 1) for s in range(s0, s1 + 1) if r <= s)
        else:
            yield r0, s0
