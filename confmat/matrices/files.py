"""Columns of text from a file: delimited text of any common dialect, Excel, Parquet; what was recognised is said."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from confmat.arguments import as_instance

__all__ = ["Columns", "read_columns"]

SEPARATORS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars", " ": "spaces"}

MISSING = frozenset(
    ("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NaT", "None", "none", "NULL", "Null", "null")
)
"""What R, pandas, Excel, SQL and people write for a label that is missing."""

_INDEX_NAMES = ("id", "index", "rownames", "row.names", "row_names", "rowname", "__index_level_0__")
_MOST_COLUMNS_LISTED = 12  # names of columns in an error
_WORKBOOKS = (".xlsx", ".xlsm")
_GZIP = b"\x1f\x8b"
_LINES_LOOKED_AT = 100  # lines, to tell the separator

Row = tuple[int, list[str]]  # the number of its line, its cells


@dataclass(frozen=True)
class Columns:
    """The columns of a file by name: texts without blanks around them, None where one is missing.

    ``lines``: the number of the line, or row of the sheet, of each object; ``sep`` what separates cells ("" where
    nothing does); ``notes``: what was recognised, in words; ``index``: whether the first column only names the objects.
    """

    file: str
    names: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...] = field(repr=False)
    lines: tuple[int, ...] = field(repr=False)
    sep: str = ""
    index: bool = False
    notes: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[int, ...]:
        """Positions of the columns that do not only name the objects."""
        return tuple(range(int(self.index), len(self.names)))

    def position(self, name: str) -> int:
        """Where a column stands, by its name or its number from 1; ValueError listing the columns there are.

        >>> table = read_columns(b"truth,found\\na,x\\n")
        >>> table.position("found"), table.position("1")
        (1, 0)
        """
        times = self.names.count(name)
        if times == 1:
            return self.names.index(name)
        if times > 1:
            raise ValueError(f"{self.file} has {times} columns {name!r}: choose them by number, from 1")
        if name.isdecimal() and 1 <= int(name) <= len(self.names):
            return int(name) - 1
        raise ValueError(f"{self.file} has no column {name!r}; {self.listed()}")

    def listed(self) -> str:
        """The names of the columns, for errors.

        >>> Columns("a.csv", ("id", "x y"), ((), ()), ()).listed()
        "its columns are 'id', 'x y'"
        """
        if len(self.names) > _MOST_COLUMNS_LISTED:
            and_more = [f".. ({len(self.names)} in all)"]
        else:
            and_more = []
        return f"its columns are {', '.join([*map(repr, self.names[:_MOST_COLUMNS_LISTED]), *and_more])}"


def read_columns(
    file: str | Path | bytes,
    *,
    sep: str | None = None,
    header: bool | None = None,
    comment: str = "",
    encoding: str | None = None,
    sheet: str | None = None,
) -> Columns:
    """Read the columns of a file, or of the bytes of one.

    Text (UTF-8, or UTF-16 with its mark, or in an ``encoding`` that is said, such as "latin-1"; ``.gz``: packed),
    separated by commas, tabs, semicolons, bars or spaces, which is told from its first lines unless ``sep`` says it;
    ``.xlsx`` (needs openpyxl): its only sheet, or the ``sheet`` of this name; ``.parquet`` (needs duckdb).
    The first line is a header unless each of its cells looks like those below it, or ``header`` says; a first column
    without a name (row names of R, an index of pandas), or one that numbers the objects, is an ``index``.
    Lines that start with ``comment`` are left out.

    Raises ValueError, naming the line, for what is no table; OSError for a file that cannot be read.

    >>> found = read_columns(b"\\"\\";\\"truth\\";\\"found\\"\\n\\"1\\";\\"a\\";NA\\n\\"2\\";\\"b\\";\\"x\\"\\n")
    >>> found.names, found.values[1:], found.labels
    (('', 'truth', 'found'), (('a', 'b'), (None, 'x')), (1, 2))
    >>> found.notes
    ('separated by semicolons', 'its first column names the objects')
    """
    if sep is not None and sep not in SEPARATORS:
        raise ValueError(f"sep must be one of {', '.join(map(repr, SEPARATORS))}, got {sep!r}")
    as_instance("file", file, (str, Path, bytes), "a path, or the bytes of a file")
    if isinstance(file, bytes):
        name = "standard input"
        suffix = ""
    else:
        name = str(file)
        suffix = Path(file).suffix.lower()
    if sheet is not None and suffix not in _WORKBOOKS:
        raise ValueError(f"sheet must go with an Excel workbook, got {sheet!r} with {name}")
    if suffix in _WORKBOOKS:
        rows = _numbered_cells(_sheet(name, sheet))
        sep = ""
    elif suffix in (".parquet", ".pq"):
        rows = _numbered_cells(_parquet(name))
        sep = ""
        header = True
    else:
        text = _decoded_text(name, _unpacked(name, file), encoding)
        lines_of_text = []
        for line_of_text in StringIO(text, newline=""):
            is_comment = comment and line_of_text.startswith(comment)
            lines_of_text.append("\n" if is_comment else line_of_text)
        if sep is None:
            sep = _separator_of(lines_of_text)
        rows = _parsed_rows(name, lines_of_text, sep)
    if not rows:
        raise ValueError(f"{name} is empty")
    names, body, is_headless = _headed(name, rows, header)
    for line, cells in body:
        if len(cells) != len(names):
            raise ValueError(f"{name}, line {line}: {len(cells)} fields, the header has {len(names)}")
    if body:
        columns = list(zip(*(cells for _, cells in body)))
    else:
        columns = [()] * len(names)
    if len(names) > 1 and not names[-1] and not any(columns[-1]):
        # A comma at the end of every line.
        names = names[:-1]
        columns.pop()
    values = tuple(map(_without_missing, columns))
    is_index = not is_headless and len(names) > 1 and _is_unnamed(names[0])
    is_index = is_index or (len(names) > 2 and _names_objects(names[0], values[0], is_headless))
    notes = []
    if sep and sep != "," and len(names) > 1:
        notes.append(f"separated by {SEPARATORS[sep]}")
    if is_headless:
        notes.append("it has no header")
    if is_index:
        notes.append("its first column names the objects")
    lines = tuple(line for line, _ in body)
    return Columns(name, names, values, lines, sep, is_index, tuple(notes))


def _without_missing(column: Iterable[str]) -> tuple[str | None, ...]:
    return tuple(None if cell in MISSING else cell for cell in column)


# --- from a file to rows of cells -----------------------------------------------------------------


def _unpacked(name: str, file: str | Path | bytes) -> bytes:
    """The bytes of a file, unpacked where it is packed by gzip."""
    if isinstance(file, bytes):
        content = file
    else:
        content = Path(file).read_bytes()
    if not content.startswith(_GZIP):
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{name} cannot be unpacked: {error}") from None


def _decoded_text(name: str, content: bytes, encoding: str | None) -> str:
    is_utf16 = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    coding = encoding or ("utf-16" if is_utf16 else "utf-8-sig")
    try:
        text = content.decode(coding)
    except LookupError:
        raise ValueError(
            f"encoding must be one that Python knows, such as latin-1, got {encoding!r}"
        ) from None
    except UnicodeDecodeError as error:
        coding_name = coding.upper().removesuffix("-SIG")
        hint = "" if encoding else "; if it is Western European text, give the encoding latin-1"
        raise ValueError(
            f"{name} is not {coding_name} text: {error.reason} at byte {error.start}{hint}"
        ) from None
    if text.lstrip()[:2] in ("[{", '{"', "[[") or Path(name).suffix.lower() == ".json":
        raise ValueError(f"{name} is JSON, and no table: labels are read from CSV, TSV, .xlsx or .parquet")
    return text


def _reader(lines: Iterable[str], sep: str) -> Any:
    return csv.reader(lines, delimiter=sep, skipinitialspace=True)


def _separator_of(lines: Sequence[str]) -> str:
    """The separator by which the first lines have equally many cells (a header may lack that of row names)."""
    stripped_lines = [line.strip(" \r\n") for line in lines[:_LINES_LOOKED_AT]]
    widths = {}
    for sep in SEPARATORS:
        try:
            numbers_of_cells = [len(row) for row in _reader(stripped_lines, sep) if row]
        except csv.Error:
            numbers_of_cells = []
        widths[sep] = numbers_of_cells or [0]
    for sep, (head, *widths_below) in widths.items():
        if head > 1 and len(set(widths_below)) <= 1 and set(widths_below) <= {head, head + 1}:
            return sep
    return max(widths, key=lambda sep: widths[sep][0])


def _parsed_rows(name: str, lines: Iterable[str], sep: str) -> list[Row]:
    reader = _reader(map(str.strip, lines) if sep == " " else lines, sep)
    rows = []
    try:
        for cells in reader:
            if cells:
                rows.append((reader.line_num, list(map(_cell, cells))))
    except csv.Error as error:
        raise ValueError(f"{name}, line {reader.line_num}: {error}") from None
    return rows


def _cell(value: Any) -> str:
    """A value as text; a whole float is what Excel makes of an integer."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if value is None:
        return ""
    return str(value).strip()


def _numbered_cells(rows: Iterable[Sequence[Any]]) -> list[Row]:
    numbered_rows = ((i, list(map(_cell, row))) for i, row in enumerate(rows, 1))
    return [(i, row) for i, row in numbered_rows if any(row)]


def _sheet(name: str, sheet: str | None) -> list[Sequence[Any]]:
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError:
        raise ValueError(f"{name} needs openpyxl: python -m pip install 'confmat[excel]'") from None
    from zipfile import BadZipFile

    content = BytesIO(Path(name).read_bytes())
    try:
        sheets = {x.title: x for x in load_workbook(content, read_only=True, data_only=True).worksheets}
    except (BadZipFile, InvalidFileException, KeyError) as error:
        raise ValueError(f"{name} is no Excel workbook: {error}") from None
    names_of_sheets = ", ".join(map(repr, sheets))
    if sheet is None and len(sheets) > 1:
        raise ValueError(
            f"{name} has {len(sheets)} sheets: choose one with --sheet; they are {names_of_sheets}"
        )
    if sheet is not None and sheet not in sheets:
        raise ValueError(f"{name} has no sheet {sheet!r}; its sheets are {names_of_sheets}")
    return list(sheets[sheet or next(iter(sheets))].values)


def _parquet(name: str) -> list[Sequence[Any]]:
    try:
        import duckdb
    except ImportError:
        raise ValueError(f"{name} needs duckdb: python -m pip install duckdb") from None
    Path(name).open("rb").close()  # what stands in its way is an OSError
    try:
        relation = duckdb.connect().from_parquet(name)
        return [relation.columns, *relation.fetchall()]
    except duckdb.Error as error:
        raise ValueError(f"{name} is no Parquet file: {error}") from None


# --- what the rows are ----------------------------------------------------------------------------


def _headed(name: str, rows: list[Row], header: bool | None) -> tuple[tuple[str, ...], list[Row], bool]:
    """Names of the columns, the rows below them, and whether there was no header."""
    (_, head), body = rows[0], rows[1:]
    if body and len(body[0][1]) == len(head) + 1:  # as R writes tables with row names
        head = ["", *head]
    if header is None:
        header = not body or not _like_data(head, body)
        if not header and head == [str(i) for i in range(len(head))]:
            raise ValueError(f"is the first line of {name}, {','.join(head)}, a header or data? say which")
    if header:
        return tuple(head), body, False
    return tuple(str(i + 1) for i in range(len(head))), rows, True


def _like_data(head: list[str], body: list[Row]) -> bool:
    """Whether every cell of the first line occurs below it, or is a number above numbers."""
    for i, cell in enumerate(head):
        cells_below = {cells[i] for _, cells in body if i < len(cells)}
        is_number_above_numbers = _is_number(cell) and all(map(_is_number, cells_below))
        if not cell or not (cell in cells_below or is_number_above_numbers):
            return False
    return True


def _is_unnamed(name: str) -> bool:
    """Whether it is the column of row names that R and pandas write."""
    return not name or name.startswith("Unnamed: ")


def _names_objects(name: str, values: Sequence[str | None], headless: bool) -> bool:
    """Whether the first of three or more columns only names the objects: by what it is called, or as it counts them."""
    if not headless and name.lower() in _INDEX_NAMES:
        return len(set(values)) == len(values)
    if len(values) < 3:
        return False
    numbers = list(map(str, range(len(values) + 1)))
    return list(values) in (numbers[:-1], numbers[1:])


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True
