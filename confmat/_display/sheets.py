"""Small tables of text, for pages of any width and in formats for publication."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from html import escape
from io import StringIO
from itertools import zip_longest
from textwrap import wrap

Column = tuple[str, ...]

_GAP = "  "
_LONGEST_WHOLE = 10**20
_TEX = str.maketrans(
    {x: f"\\{x}" for x in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
    | {
        "[": "{[}",
        "*": "{*}",
        "\n": " ",
    }  # a row that begins with [ or * would be an argument of the \\ before it
)


_Cell = str | int


@dataclass
class Sheet:
    """Table with a title, headings, and rows of cells.

    The columns whose headings are in ``left`` are text, and the others are numbers. Integers have grouped digits in
    print, and plain digits in files. If ``records`` is True, the rows are independent, and are printed one below
    the other if not all columns fit. The rows from ``folded[0]`` to ``folded[1]`` - 1 are not printed, but files
    and DataFrames contain them.
    """

    head: tuple[str, ...]
    left: tuple[str, ...] = ()
    title: str = ""
    rows: list[tuple[_Cell, ...]] = field(default_factory=list)
    records: bool = False
    folded: tuple[int, int] = (0, 0)

    def add_row(self, *cells: _Cell) -> None:
        """Add a row to the table. ``cells`` are strings or numbers, one for each heading."""
        self.rows.append(cells)

    def fold(self, most: int) -> None:
        """Print only the first ``most`` of the rows present now. Rows that are added later are printed."""
        self.folded = most, max(most, len(self.rows))

    def texts(self, *, grouped: bool = True) -> list[tuple[str, ...]]:
        """Return headings and rows as texts, with grouped digits (in print) or without (in files).

        >>> Sheet(("n",), rows=[(2026,)]).texts(), Sheet(("n",), rows=[(2026,)]).texts(grouped=False)
        ([('n',), ('2,026',)], [('n',), ('2026',)])
        """
        lines = [self.head, *self.rows]
        return [tuple(_cell_text(cell, grouped) for cell in line) for line in lines]

    def on_page(self) -> list[tuple[str, ...]]:
        """Return headings and rows as they are printed, with one line in place of folded rows.

        The result is empty if all rows are folded.

        >>> Sheet(("n",), rows=[(1,), (2,), (3,)], folded=(1, 3)).on_page()
        [('n',), ('1',), ('and 2 more',)]
        """
        first_row, end_row = self.folded
        lines = self.texts()
        rows_folded = end_row - first_row
        if rows_folded == len(self.rows):
            return []
        if rows_folded > 0:
            empty_cells = ("",) * (len(self.head) - 1)
            lines[first_row + 1 : end_row + 1] = [(f"and {whole(rows_folded)} more", *empty_cells)]
        return lines

    def text(self, width: int = 80) -> str:
        """Return the table as text for a terminal of ``width`` characters.

        Texts in cells are wrapped between words. Numbers and words are never broken. If the columns do not fit in
        one line, they are printed in groups, one group below the other. Each group begins with the first column. If
        a single column is too wide, the rows are printed one below the other.

        >>> sheet = Sheet(("n", "count"), rows=[(20, 2806281)])
        >>> print(sheet.text(30))
         n      count
        ─────────────
        20  2,806,281
        >>> print(Sheet(("", "a", "b"), ("",), rows=[("x", 100, 200), ("y", 300, 400)]).text(7))
             a
        ──────
        x  100
        y  300
        <BLANKLINE>
             b
        ──────
        x  200
        y  400
        """
        columns = list(zip(*self.on_page()))
        if not columns:
            return ""
        blocks = self._blocks(columns, width)
        if blocks is None:
            return self._stacked(width)
        return "\n\n".join(self._laid_out(block, width) for block in blocks)

    def _blocks(self, columns: list[Column], width: int) -> list[list[Column]] | None:
        """Return groups of columns that fit in ``width``, or None if a column does not fit.

        Each group begins with the first column.
        """
        if _narrowest(columns) <= width:
            return [columns]
        if self.records:
            return None
        key, *others = columns
        blocks = [[key]]
        for column in others:
            if _narrowest([key, column]) > width:
                return None
            if len(blocks[-1]) > 1 and _narrowest([*blocks[-1], column]) > width:
                blocks.append([key])
            blocks[-1].append(column)
        return blocks if others else None

    def _laid_out(self, columns: list[Column], width: int) -> str:
        """Return the text of ``columns`` next to each other, in lines of at most ``width`` characters.

        The widest columns are wrapped between words as far as necessary.
        """
        widths = [max(map(_widest, column)) for column in columns]
        least = [_longest_word(column) for column in columns]
        room = width - len(_GAP) * (len(columns) - 1)
        while (excess := sum(widths) - room) > 0:
            wrappable = [i for i, w in enumerate(widths) if w > least[i]]
            i = max(wrappable, key=widths.__getitem__)
            widths[i] = max(least[i], widths[i] - excess)
        lines = []
        to_left = [column[0] in self.left for column in columns]
        for number, row in enumerate(zip(*columns)):
            for pieces in zip_longest(*map(_wrapped, row, widths), fillvalue=""):
                placed = map(_placed, pieces, widths, to_left)
                lines.append(_GAP.join(placed).rstrip())
            if number == 0:
                lines.append("\u2500" * (width - room + sum(widths)))
        headless = not any(column[0].strip() for column in columns)
        return "\n".join(lines[2:] if headless else lines)

    def _stacked(self, width: int) -> str:
        """Return the text of the rows one below the other, for tables that are too wide. Each cell has its own line.

        A cell follows the name of its column. If both together exceed ``width`` characters, the cell is printed
        below the name.
        """
        head, *rows = self.on_page()
        names = max(map(len, head))

        def item(name: str, cell: str) -> str:
            line = f"{name:<{names}}{_GAP}{cell}".rstrip()
            if "\n" not in cell and _widest(line) <= width:
                return line
            return "\n".join([name] * bool(name) + [_GAP + x for x in _wrapped(cell, width - len(_GAP))])

        return "\n\n".join("\n".join(map(item, head, row)) for row in rows)

    def markdown(self) -> str:
        r"""Return a table in Markdown, below its title.

        >>> print(Sheet(("name", "value"), ("name",), "Indices", [("a|b", "1")]).markdown())
        **Indices**
        <BLANKLINE>
        | name | value |
        |:--|--:|
        | a\|b | 1 |
        """
        ruler = "|".join(":--" if name in self.left else "--:" for name in self.head)
        lines = []
        for row in self.texts():
            cells = []
            for text in row:
                literal = text.replace("<", "&lt;").replace("|", "\\|")
                cells.append(literal.replace("\n", "<br>"))
            lines.append(f"| {' | '.join(cells)} |")
        head, *body = lines
        if self.title:
            caption = [f"**{self.title}**", ""]
        else:
            caption = []
        return "\n".join([*caption, head, f"|{ruler}|", *body])

    def tex(self) -> str:
        r"""Return a LaTeX tabular with rules of booktabs, and the title as a comment.

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
        lines = []
        for row in self.texts():
            cells = [x.translate(_TEX) for x in row]
            lines.append(" & ".join(cells) + r" \\")
        head, *rows = lines
        body = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
        if self.title:
            title = printable(self.title).replace("\n", " ")
            caption = [f"% {title}"]
        else:
            caption = []
        return "\n".join([*caption, *body, r"\end{tabular}"])

    def csv(self) -> str:
        """Return comma-separated values, headings first.

        An apostrophe precedes a string that spreadsheets would evaluate as a formula.

        >>> Sheet(("name", "value"), rows=[("x, y", "1"), ("=A1", "-2")]).csv()
        'name,value\\n"x, y",1\\n\\'=A1,-2'
        """
        page = StringIO()
        writer = csv.writer(page, lineterminator="\n")
        for row in self.texts(grouped=False):
            safe = [f"'{text}" if _is_formula(text) else text for text in row]
            writer.writerow(safe)
        return page.getvalue().rstrip("\n")

    def bfile(self) -> str:
        """Return the table as the text of an OEIS b-file: a line with the index and the count of each row.

        The index is the column "n" if it is the first one, otherwise the number of the row. The count is the column
        "count". Raise ValueError for a table without it.

        >>> print(Sheet(("n", "count"), rows=[("3", "1"), ("4", "18")]).bfile())
        3 1
        4 18
        """
        if "count" not in self.head:
            raise ValueError(
                f"--format bfile needs a column named 'count', got the columns {', '.join(self.head)}"
            )
        column = self.head.index("count")
        named = self.head[0] == "n"
        return "\n".join(f"{row[0] if named else i} {row[column]}" for i, row in enumerate(self.rows))

    def html(self) -> str:
        """Return the title and a table in HTML, for notebooks. Numbers are aligned to the right.

        >>> print(Sheet(("x",), title="a < b", rows=[("1/2",)]).html())
        <p>a &lt; b</p><table><tr><th style="padding:0 .6em;text-align:right">x</th></tr><tr><td \
style="padding:0 .6em;text-align:right;font-variant-numeric:tabular-nums">1/2</td></tr></table>
        """
        head, *rows = self.on_page() or [()]
        has_head = any(name.strip() for name in head)
        if has_head:
            lines = [self._html_row("th", head)]
        else:
            lines = []
        lines += [self._html_row("td", row) for row in rows]
        if self.title:
            title = f"<p>{escape(self.title)}</p>"
        else:
            title = ""
        return f"{title}<table>{''.join(lines)}</table>"

    def _html_row(self, tag: str, row: tuple[str, ...]) -> str:
        """Return the HTML of the strings in ``row``. ``tag`` is the element of its cells, "td" or "th"."""
        cells = []
        for name, text in zip(self.head, row):
            side = "left" if name in self.left else "right"
            if tag == "td" and side == "right":
                digits = ";font-variant-numeric:tabular-nums"
            else:
                digits = ""
            content = escape(text).replace("\n", "<br>")
            cells.append(f'<{tag} style="padding:0 .6em;text-align:{side}{digits}">{content}</{tag}>')
        return f"<tr>{''.join(cells)}</tr>"


FORMATS: Mapping[str, Callable[[Sheet], str]] = {
    "tex": Sheet.tex,
    "md": Sheet.markdown,
    "csv": Sheet.csv,
    "bfile": Sheet.bfile,
}
"""The functions that write a table, by the value of the option ``--format``."""


def _is_formula(text: str) -> bool:
    """Return whether a spreadsheet would evaluate a string as a formula."""
    return text[:1] in ("=", "+", "-", "@", "\t", "\r") and re.fullmatch(r"[-+]?[\d./e+-]*", text) is None


def whole(count: int) -> str:
    """Return an integer as text with grouped digits, or rounded to four digits if it has more than 20.

    >>> whole(204063621701016), whole(10**40)
    ('204,063,621,701,016', '1.000e+40')
    """
    if abs(count) < _LONGEST_WHOLE:
        return f"{count:,}"
    return f"{Decimal(count):.3e}"


def _cell_text(cell: _Cell, grouped: bool) -> str:
    """Return the text of a cell. If ``grouped``, the digits of integers are in groups, such as 1,234."""
    if grouped and isinstance(cell, int):
        return whole(cell)
    return printable(str(cell))


def printable(text: str) -> str:
    r"""Return a string with escapes in place of characters that control a terminal.

    >>> print(printable("\x1b[31mred\u202e"))
    \x1b[31mred\u202e
    """
    letters = []
    for letter in text:
        if letter.isprintable() or letter == "\n":
            letters.append(letter)
        else:
            letters.append(ascii(letter)[1:-1])
    return "".join(letters)


def _placed(text: str, width: int, to_left: bool) -> str:
    """Return ``text`` padded with blanks to ``width`` characters, aligned left if ``to_left``, otherwise right."""
    blanks = " " * (width - _widest(text))
    if to_left:
        return text + blanks
    return blanks + text


def _longest_word(column: Column) -> int:
    """Return the smallest possible width of a column."""
    return max((_widest(word) for cell in column for word in cell.split()), default=0)


def _narrowest(columns: list[Column]) -> int:
    """Return the smallest possible width of several columns in a row."""
    gaps = len(_GAP) * (len(columns) - 1)
    return sum(map(_longest_word, columns)) + gaps


def _wrapped(text: str, width: int) -> list[str]:
    """Return the lines of ``text``, of at most ``width`` characters, broken between words only."""
    lines = (
        wrap(x, max(width, 1), break_long_words=False, break_on_hyphens=False) for x in text.splitlines()
    )
    return [part for line in lines for part in line or [""]] or [""]


def _widest(text: str) -> int:
    """Return the width of the longest line of a string, in terminal columns."""
    from rich.cells import cell_len

    return max(map(cell_len, text.splitlines()), default=0)
