"""Results of the package: classes from whose fields and parts all output formats are made.

A result lists its parts once, as tables and prose. Text of any width, HTML, Markdown, LaTeX, CSV, b-files of the
OEIS, DataFrames and JSON are made from them. The command line prints results without further layout.

>>> told = Told([Sheet(("n", "count"), rows=[(20, 2806281)]), "Counted, not listed."], {"count": 2806281})
>>> print(told)
 n      count
─────────────
20  2,806,281
<BLANKLINE>
Counted, not listed.
>>> told._published("csv"), told.to_json(), told.to_frame()["count"].tolist()
('n,count\\n20,2806281', {'count': 2806281}, [2806281])
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from html import escape
from itertools import islice
from math import floor, log10
from numbers import Rational
from textwrap import fill
from typing import Any

import numpy as np

from confmat._display.sheets import FORMATS, Sheet, printable, whole

MOST_ROWS = 16
"""Largest number of lines of a repr."""

# Floats from this number to its inverse have full precision.
_LEAST_NORMAL = 1e-300

# Exact values longer than this many characters are left out of JSON.
_LONGEST_EXACT_IN_JSON = 60
_LONGEST_IN_A_LINE = 16

# Largest width of prose, in characters, also in a wider terminal.
_WIDEST_PROSE = 80


class Verbatim(str):
    """Line that must not be wrapped, such as a command, a matrix or a digest."""

    __slots__ = ()


Part = Sheet | str


class Fields:
    """Base class of objects with named values, which `to_json` converts.

    By default the values are the fields of a dataclass.
    """

    def _facts(self) -> Any:
        """Return the values by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def to_json(self) -> Any:
        """Return the values for ``json.dumps``. An exact number is ``{"exact": "p/q", "value": float}``.

        Returns
        -------
        dict

        Examples
        --------
        >>> told = Told([Sheet(("n", "count"), rows=[(4, 1900)]), "Counted."], {"count": 1900})
        >>> told.to_json()
        {'count': 1900}
        """
        return as_json(self._facts())


class Shown(ABC):
    """Base class of printable results. ``_parts`` returns the tables and sentences of the printed text."""

    @abstractmethod
    def _parts(self) -> Iterable[Part]:
        """Return the parts of the printed text in order: tables, prose, and lines that must not be wrapped."""

    @abstractmethod
    def _facts(self) -> Any:
        """Return the values by name, for JSON."""

    def _brief(self) -> Iterable[Part]:
        """Return the parts that need no further computation, for ``repr``."""
        return self._parts()

    def __str__(self) -> str:
        return _text_of_parts(self._parts(), _WIDEST_PROSE)

    def __repr__(self) -> str:
        lines = _text_of_parts(self._brief(), _WIDEST_PROSE).splitlines()
        shown = [line for line in lines[:MOST_ROWS] if line or len(lines) > 1]
        more = len(lines) - MOST_ROWS
        return "\n".join([*shown, *([f"and {counted(more, 'line')} more: print it"] if more > 0 else [])])

    def _repr_html_(self) -> str:
        pieces = (
            part.html() if isinstance(part, Sheet) else f"<p>{escape(part)}</p>" for part in self._parts()
        )
        return "".join(pieces)

    def _published(self, form: str) -> str:
        """Return the tables of this answer in the format ``form``: "tex", "md", "csv" or "bfile".

        Markdown ("md") includes the paragraphs of prose. The other formats have the tables only.
        """
        pieces = []
        for part in self._parts():
            if isinstance(part, Sheet):
                pieces.append(FORMATS[form](part))
            elif form == "md":
                pieces.append(printable(part))
        return "\n\n".join(pieces)


class Answer(Fields, Shown):
    """Base class of results that can be converted to text, JSON, LaTeX and a DataFrame."""

    def to_latex(self) -> str:
        """Return the tables as LaTeX tabulars.

        Returns
        -------
        str

        Examples
        --------
        >>> told = Told([Sheet(("n", "count"), rows=[(4, 1900)]), "Counted."], {"count": 1900})
        >>> told.to_latex().splitlines()[2]
        'n & count \\\\\\\\'
        """
        return self._published("tex")

    def to_frame(self) -> Any:
        """Return the first table as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        ValueError
            If there is no table.

        Examples
        --------
        >>> told = Told([Sheet(("n", "count"), rows=[(4, 1900)]), "Counted."], {"count": 1900})
        >>> told.to_frame().to_dict("records")
        [{'n': 4, 'count': 1900}]
        """
        import pandas as pd

        for part in self._parts():
            if isinstance(part, Sheet):
                return pd.DataFrame(part.rows, columns=list(part.head))
        raise ValueError(f"a {type(self).__name__} cannot be shown as a DataFrame")


@dataclass(frozen=True, repr=False)
class Told(Answer):
    """Result whose printed parts (``said``) and JSON values (``known``) are given as arguments."""

    said: Iterable[Part]
    known: Any = None

    def _parts(self) -> Iterable[Part]:
        """Return the field ``said``: the printed parts."""
        return self.said

    def _facts(self) -> Any:
        """Return the field ``known``: the values for JSON."""
        return self.known


def _text_of_parts(parts: Iterable[Part], width: int) -> str:
    """Return the parts as text of a given width."""
    return "\n".join(text for text, _ in page_texts(parts, width))


def page_texts(parts: Iterable[Part], width: int) -> Iterator[tuple[str, bool]]:
    """Yield two values for each part of an answer: its text, and True if the part is a title.

    Lines have at most ``width`` characters. Empty lines surround tables.

    >>> list(page_texts(["Counted.", Sheet(("n",), title="Sizes", rows=[(4,)])], 40))
    [('Counted.', False), ('', False), ('Sizes', True), ('n\\n─\\n4', False)]
    """
    after_sheet = is_first = True
    for part in parts:
        is_sheet = isinstance(part, Sheet)
        if not is_first and (is_sheet or after_sheet):
            yield "", False
        if isinstance(part, Sheet):
            if part.title:
                yield prose(part.title, width), True
            text = part.text(width)
        else:
            text = prose(part, width)
        if text:
            yield text, False
        after_sheet = is_sheet
        is_first = False


def prose(text: str, width: int) -> str:
    """Return a paragraph in lines of at most ``width`` characters, broken between words.

    Continuation lines have the indentation of the first line.

    >>> print(prose("Computed exactly, rounded here.", 20))
    Computed exactly,
    rounded here.
    >>> print(prose(Verbatim("10,3;2,5 and more"), 4))
    10,3;2,5 and more
    """
    if isinstance(text, Verbatim):
        return printable(text)
    text = printable(text)
    indent = " " * (len(text) - len(text.lstrip()))
    return fill(
        text.strip(),
        min(width, _WIDEST_PROSE),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def details(lines: Iterable[tuple[str, Any]], title: str = "", most: int | None = None) -> Sheet:
    """Return a table (`Sheet`) with a row for each pair (name, value) in ``lines``, without headings.

    Only the first ``most`` pairs are shown. Default: all. ``title`` is printed above the table.

    >>> print(details([("value", Fraction(1, 2)), ("at", [[1, 0], [0, 1]])]).text())
    value  1/2
    at     [[1, 0], [0, 1]]
    """
    sheet = Sheet(("", " "), ("", " "), title)
    for name, value in islice(lines, most):
        sheet.add_row(name, text_of(value))
    return sheet


def text_of(value: Any) -> str:
    """Return a short text of a value: an exact number if it is short, otherwise six digits.

    >>> text_of(Fraction(1, 3)), text_of(Fraction(10**20, 3)), text_of(0.123456789), text_of(Fraction(1, 3**999))
    ('1/3', '3.33333e+19', '0.123457', '2.26917e-477')
    """
    if isinstance(value, Fraction) and (short := exact_text(value, _LONGEST_IN_A_LINE)):
        return short
    if (
        isinstance(value, Fraction) and value and not _LEAST_NORMAL < abs(value) < 1 / _LEAST_NORMAL
    ):  # too large or too small for a float
        return f"{Decimal(value.numerator) / value.denominator:.6g}"
    # The sum has no negative zero.
    if isinstance(value, float | Fraction):
        return f"{float(value) + 0.0:.6g}"
    return str(value)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, such as "2,026 classes".

    ``one`` is the singular. Default of the plural ``many``: the singular with an s.

    >>> counted(1, "class", "classes"), counted(2026, "class", "classes"), counted(0, "case")
    ('1 class', '2,026 classes', '0 cases')
    """
    return f"{whole(number)} {one if number == 1 else many or one + 's'}"


def number_json(x: Fraction | float | int) -> dict[str, str | float | None]:
    """Return the number ``x`` for JSON: ``{"exact": "p/q" or null, "value": float}``.

    "exact" is null for a float, and for a number with too many characters. A positive Fraction that is too small
    for a float has the decimal logarithm "log10" in addition.

    >>> number_json(Fraction(1, 4))
    {'exact': '1/4', 'value': 0.25}
    >>> number_json(0.5), number_json(Fraction(1, 10**400))["log10"]
    ({'exact': None, 'value': 0.5}, -400.0)
    """
    number: dict[str, str | float | None] = {
        "exact": exact_text(x, _LONGEST_EXACT_IN_JSON) or None,
        "value": float(x),
    }
    if isinstance(x, Fraction) and x > 0 and not float(x):
        number["log10"] = _log10(x)
    return number


def _log10(x: Fraction) -> float:
    """Return the decimal logarithm of a positive Fraction, which may be too small or too large for a float."""
    return log10(x.numerator) - log10(x.denominator)


def exact_text(value: Any, longest: int) -> str:
    """Return the text of an exact number, or an empty text for a float or if it has more than ``longest`` characters.

    The length of numbers with thousands of digits is estimated from their bits, because Python refuses to print
    them.

    >>> exact_text(Fraction(1, 3), 8), exact_text(0.5, 8), exact_text(Fraction(1, 3**10_000), 60)
    ('1/3', '', '')
    """
    if isinstance(value, float):
        return ""
    if isinstance(value, Rational):
        bits = int(value.numerator).bit_length() + int(value.denominator).bit_length()
        if bits > 4 * longest:  # a decimal digit has less than four bits
            return ""
    text = str(value)
    return text if len(text) <= longest else ""


def as_json(value: Any) -> Any:
    """Convert any value of the package for ``json.dumps``.

    Fractions become ``{"exact": "p/q", "value": float}``, so that they can be distinguished from floats. Arrays
    become lists, results their fields, nan and infinities null.

    >>> as_json({"mean": Fraction(1, 2), "sd": 0.5, "at": np.eye(2, dtype=int), "none": float("nan")})
    {'mean': {'exact': '1/2', 'value': 0.5}, 'sd': 0.5, 'at': [[1, 0], [0, 1]], 'none': None}
    """
    if hasattr(value, "_facts"):
        return as_json(value._facts())
    match value:
        case None | bool() | str() | int():
            return value
        case float() | np.floating():
            return float(value) if np.isfinite(value) else None
        case Fraction():
            return number_json(value)
        case np.ndarray() | np.generic():
            return value.tolist()
        case Mapping():
            return {str(key): as_json(x) for key, x in value.items()}
        case Iterable():
            return [as_json(x) for x in value]
    if is_dataclass(value):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    return str(value)


def exact_json(value: Any) -> dict[str, str | float | None]:
    """Return the value of an index as ``{"exact", "value"}``. Both are null for 0/0.

    >>> exact_json(Fraction(1, 4)), exact_json(None), exact_json(float("nan"))
    ({'exact': '1/4', 'value': 0.25}, {'exact': None, 'value': None}, {'exact': None, 'value': None})
    """
    if value is None or value != value:
        return {"exact": None, "value": None}
    return number_json(Fraction(value) if isinstance(value, Rational) else float(value))


def probability_text(p: Fraction | float) -> str:
    """Return the probability ``p`` as text with three digits, as a power of ten if it is below 1/1000.

    >>> probability_text(Fraction(1, 3)), probability_text(0.0), probability_text(Fraction(1, 2**2000))
    ('0.333', '0', '8.71·10^-603')
    """
    if not p or p >= Fraction(1, 1000):
        return f"{float(p):.3g}"
    return power_text(_log10(Fraction(p)))


def power_text(exponent: float) -> str:
    """Return 10^exponent with three digits.

    >>> power_text(-1324.98)
    '1.05·10^-1325'
    """
    power = floor(exponent)
    digits = f"{10 ** (exponent - power):.2f}"
    if digits == "10.00":
        return f"1.00·10^{power + 1}"
    return f"{digits}·10^{power}"
