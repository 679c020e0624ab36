"""How objects show themselves in a notebook: small tables, escaped."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from html import escape
from typing import Any

MOST_ROWS = 16

# Doubles are normal from here on, and up to the inverse.
_LEAST = 1e-300


def text_of(value: Any) -> str:
    """A number in few characters: exact where it is short, else six digits; anything else as it prints.

    >>> text_of(Fraction(1, 3)), text_of(Fraction(10**20, 3)), text_of(0.123456789), text_of(Fraction(1, 3**999))
    ('1/3', '3.33333e+19', '0.123457', '2.26917e-477')
    """
    if isinstance(value, Fraction) and len(str(value)) <= 16:
        return str(value)
    if isinstance(value, Fraction) and value and not _LEAST < abs(value) < 1 / _LEAST:  # beyond doubles
        return f"{Decimal(value.numerator) / value.denominator:.6g}"
    # The sum has no negative zero.
    return f"{float(value) + 0.0:.6g}" if isinstance(value, float | Fraction) else str(value)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun, whose plural ends in s unless it is given.

    >>> counted(1, "class", "classes"), counted(2, "class", "classes"), counted(0, "case")
    ('1 class', '2 classes', '0 cases')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def text_table(title: str, rows: Iterable[tuple[str, Any]]) -> str:
    """A title and at most sixteen lines, each a name and what it is.

    >>> print(text_table("largest ard", [("value", Fraction(1, 2)), ("at", [[1, 0], [0, 1]])]))
    largest ard
      value  1/2
      at     [[1, 0], [0, 1]]
    """
    shown = list(rows)
    width = max((len(name) for name, _ in shown), default=0)
    lines = [f"  {name:<{width}}  {text_of(x)}" for name, x in shown[:MOST_ROWS]]
    more = [f"  and {len(shown) - MOST_ROWS} more"] if len(shown) > MOST_ROWS else []
    return "\n".join([title, *lines, *more])


def html_table(
    title: str, head: Sequence[str], rows: Iterable[Sequence[Any]], most: int | None = MOST_ROWS
) -> str:
    """A title above a table of at most sixteen rows, or so many.

    >>> html_table("a < b", ["x"], [[Fraction(1, 2)]])
    '<p>a &lt; b</p><table><tr><th>x</th></tr><tr><td>1/2</td></tr></table>'
    """
    shown = list(rows)
    more = 0 if most is None else len(shown) - most
    cells = [[text_of(x) for x in row] for row in shown[: most if more > 0 else None]]
    if more > 0:
        cells.append([f"and {more} more", *[""] * (len(head) - 1)])
    body = "".join(f"<tr>{''.join(f'<td>{escape(x)}</td>' for x in row)}</tr>" for row in cells)
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    return f"<p>{escape(title)}</p><table>{f'<tr>{top}</tr>' if any(head) else ''}{body}</table>"


class Shown(ABC):
    """An answer with a title and lines, named values, which consoles and notebooks show as tables."""

    @abstractmethod
    def _title(self) -> str:
        """What it is, in one line."""

    @abstractmethod
    def _lines(self) -> Iterable[tuple[str, Any]]:
        """What it says."""

    def __repr__(self) -> str:
        return text_table(self._title(), self._lines())

    def _repr_html_(self) -> str:
        return html_table(self._title(), ["", ""], self._lines())
