"""Small tables of text: on a page of any width, no number broken, and in the formats that people publish."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from io import StringIO
from itertools import zip_longest
from textwrap import wrap

from confmat.shown import html_table

_GAP = "  "
_TEX = str.maketrans(
    {x: f"\\{x}" for x in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)


@dataclass
class Sheet:
    """A title, headings, and rows of texts; columns in ``left`` are text, the others numbers, to the right."""

    head: tuple[str, ...]
    left: tuple[str, ...] = ()
    title: str = ""
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add_row(self, *cells: str) -> None:
        """Another row: a cell for each heading."""
        self.rows.append(cells)

    def text(self, width: int = 80) -> str:
        """The table in lines of at most ``width`` characters, or row below row where it is wider.

        Texts are wrapped between words; a number, and any word, stays whole, alone on its line if it must.

        >>> sheet = Sheet(("n", "count"), rows=[("20", "2,806,281")])
        >>> print(sheet.text(30))
         n      count
        ─────────────
        20  2,806,281
        >>> print(sheet.text(10))
        n      20
        count
          2,806,281
        """
        return (self._laid_out(width) or self._stacked(width)) if self.rows else ""

    def fits(self, width: int) -> bool:
        """Whether the table can be laid out in so many characters.

        >>> Sheet(("n", "count"), rows=[("20", "2,806,281")]).fits(10)
        False
        """
        return self._laid_out(width) is not None

    def _laid_out(self, width: int) -> str | None:
        """Columns side by side, the widest wrapped between words as far as it takes; None where words are too wide."""
        columns = list(zip(self.head, *self.rows))
        widths = [max(map(_widest, column)) for column in columns]
        least = [
            max((_widest(word) for cell in column for word in cell.split()), default=0) for column in columns
        ]
        room = width - len(_GAP) * (len(columns) - 1)
        if sum(least) > room:
            return None
        while (excess := sum(widths) - room) > 0:
            i = max((i for i, w in enumerate(widths) if w > least[i]), key=widths.__getitem__)
            widths[i] = max(least[i], widths[i] - excess)
        lines = []
        for row in (self.head, *self.rows):
            for parts in zip_longest(*map(_wrapped, row, widths), fillvalue=""):
                blanks = [" " * (w - _widest(part)) for part, w in zip(parts, widths)]
                placed = [
                    x + b if name in self.left else b + x for name, x, b in zip(self.head, parts, blanks)
                ]
                lines.append(_GAP.join(placed).rstrip())
            if row is self.head:
                lines.append("\u2500" * (width - room + sum(widths)))
        return "\n".join(lines)

    def _stacked(self, width: int) -> str:
        """Row below row, each cell beside the name of its column, or below it where it is too long for that."""
        names = max(map(len, self.head))

        def item(name: str, cell: str) -> str:
            line = f"{name:<{names}}{_GAP}{cell}".rstrip()
            if "\n" not in cell and _widest(line) <= width:
                return line
            return "\n".join([name] * bool(name) + [_GAP + x for x in _wrapped(cell, width - len(_GAP))])

        return "\n\n".join("\n".join(map(item, self.head, row)) for row in self.rows)

    def markdown(self) -> str:
        r"""A pipe table under its title.

        >>> print(Sheet(("name", "value"), ("name",), "Indices", [("a|b", "1")]).markdown())
        **Indices**
        <BLANKLINE>
        | name | value |
        |:--|--:|
        | a\|b | 1 |
        """
        ruler = "|".join(":--" if name in self.left else "--:" for name in self.head)
        texts = (
            [x.replace("|", "\\|").replace("\n", "<br>") for x in row] for row in (self.head, *self.rows)
        )
        rows = [" | ".join(row) for row in texts]
        lines = [f"| {rows[0]} |", f"|{ruler}|", *(f"| {row} |" for row in rows[1:])]
        return "\n".join(([f"**{self.title}**", ""] if self.title else []) + lines)

    def tex(self) -> str:
        r"""A LaTeX tabular (of booktabs), its title a caption.

        >>> print(Sheet(("n", "count"), rows=[("20", "2,806,281")]).tex())
        \begin{tabular}{rr}
        \toprule
        n & count \\
        \midrule
        20 & 2,806,281 \\
        \bottomrule
        \end{tabular}
        """
        columns = "".join("l" if name in self.left else "r" for name in self.head)
        head, *rows = (" & ".join(x.translate(_TEX) for x in row) + r" \\" for row in (self.head, *self.rows))
        body = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
        caption = [rf"% {self.title}"] if self.title else []
        return "\n".join([*caption, *body, r"\end{tabular}"])

    def csv(self) -> str:
        """Comma-separated, headings first; an apostrophe before text that spreadsheets would run as a formula.

        >>> Sheet(("name", "value"), rows=[("x, y", "1"), ("=A1", "-2")]).csv()
        'name,value\\n"x, y",1\\n\\'=A1,-2'
        """
        page = StringIO()
        safe = [
            [f"'{text}" if _is_formula(text) else text for text in row] for row in (self.head, *self.rows)
        ]
        csv.writer(page, lineterminator="\n").writerows(safe)
        return page.getvalue().rstrip("\n")

    def bfile(self) -> str:
        """The b-file of a sequence, as in the OEIS: a number and its count a line.

        ValueError for a table that has no column "count".

        >>> print(Sheet(("n", "count"), rows=[("3", "1"), ("4", "18")]).bfile())
        3 1
        4 18
        """
        if "count" not in self.head:
            raise ValueError(
                f"--format bfile is for sequences, tables with a column count, not {', '.join(self.head)}"
            )
        column = self.head.index("count")
        named = self.head[0] == "n"
        return "\n".join(f"{row[0] if named else i} {row[column]}" for i, row in enumerate(self.rows))

    def html(self) -> str:
        """The title above a table, for notebooks.

        >>> Sheet(("x",), title="a < b", rows=[("1/2",)]).html()
        '<p>a &lt; b</p><table><tr><th>x</th></tr><tr><td>1/2</td></tr></table>'
        """
        return html_table(self.title, self.head, self.rows, most=None)


FORMATS: Mapping[str, Callable[[Sheet], str]] = {
    "tex": Sheet.tex,
    "md": Sheet.markdown,
    "csv": Sheet.csv,
    "bfile": Sheet.bfile,
}
"""The formats that people publish tables in, by the name of the option ``--format``."""


def _is_formula(text: str) -> bool:
    """Whether a spreadsheet would compute a text that is no number."""
    return text[:1] in ("=", "+", "-", "@", "\t", "\r") and re.fullmatch(r"[-+]?[\d./e+-]*", text) is None


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, wrapped between words alone."""
    lines = (
        wrap(x, max(width, 1), break_long_words=False, break_on_hyphens=False) for x in text.splitlines()
    )
    return [part for line in lines for part in line or [""]] or [""]


def _widest(text: str) -> int:
    from rich.cells import cell_len

    return max(map(cell_len, text.splitlines()), default=0)
