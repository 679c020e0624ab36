"""Matrices as text: one reader of what this package, NumPy, pandas, R and MATLAB print, and one printer.

>>> matrix_text([[10, 3], [2, 5]])
'10,3;2,5'
>>> parse_matrix("10,3;2,5"), parse_matrix("matrix(c(10, 2, 3, 5), nrow = 2)")
([[10, 3], [2, 5]], [[10, 3], [2, 5]])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_WHOLE = re.compile(r"([+-]?\d+)(\.0*|L)?")  # also 3. as NumPy and 3L as R write them
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?L?", re.IGNORECASE)
_ASSIGNED = re.compile(r"[A-Za-z]\w*\s*(=|<-)\s*")
_ARRAY = re.compile(r"(?:\w+\.)*[A-Za-z]\w*\((.*?)(?:,\s*\w+\s*=\s*[\w.'\"]+)*\s*\)", re.DOTALL)
_OPTION = re.compile(r",\s*([\w.]+)\s*=\s*(c\([^()]*\)|[^,()]+)")
_FLAT = re.compile(r"c\(([^()]*)\)")
_LABEL_OF_R = re.compile(r"\[\d+,\]|\[,\d+\]")
_BRACKETS = str.maketrans("({)}", "[[]]")

TextRows = list[list[str]]


def matrix_text(matrix: Any, separator: str = ",", rows: str = ";") -> str:
    """A matrix as `parse_matrix` and every command read it.

    >>> matrix_text([[1, 2], [3, 4]])
    '1,2;3,4'
    """
    return rows.join(separator.join(map(str, row)) for row in matrix)


def parse_matrix(text: str) -> list[list[int]]:
    """The rows of a matrix of whole numbers from its text: lines or semicolons, brackets, or what a program prints.

    Names of rows and columns are left out.  ValueError naming the entry, or what cannot be told.

    >>> parse_matrix("1 2; 3 4"), parse_matrix("((1, 2), (3, 4))"), parse_matrix("[1, 2]")
    ([[1, 2], [3, 4]], [[1, 2], [3, 4]], [[1, 2]])
    >>> parse_matrix("     [,1] [,2]\\n[1,]    1    2\\n[2,]    3    4")
    [[1, 2], [3, 4]]
    >>> parse_matrix("   pred\\ntruth a b\\n    a 1 2\\n    b 3 4")
    [[1, 2], [3, 4]]
    >>> parse_matrix("1,2;3,x")
    Traceback (most recent call last):
    ...
    ValueError: matrix[1, 1] must be a whole number, got 'x'
    """
    rows = _rows(text)
    if not rows:
        raise ValueError(f"matrix must not be empty, got {text!r:.60}")
    return [[_whole(cell, i, j) for j, cell in enumerate(row)] for i, row in enumerate(rows)]


def _whole(cell: str, i: int, j: int) -> int:
    match = _WHOLE.fullmatch(cell)
    if match is None:
        raise ValueError(f"matrix[{i}, {j}] must be a whole number, got {cell!r}")
    return int(match[1])


def _rows(text: str) -> TextRows:
    """The cells, as they are written."""
    text = text.strip()
    if _LABEL_OF_R.search(text):
        return _printed_by_r(text)
    assignment = _ASSIGNED.match(text)
    if assignment:
        text = text[assignment.end() :].strip()
    if text.startswith(("matrix(", "structure(", "rbind(", "cbind(")) and "c(" in text:
        return _called_in_r(text)
    array = _ARRAY.fullmatch(text)
    if array:
        text = array[1].strip()
    in_brackets = text.translate(_BRACKETS)
    if in_brackets.startswith("["):
        return _in_brackets(in_brackets)
    return _without_names(_lines(text))


def _cells(line: str) -> list[str]:
    """The cells of a line, between commas where there are any.

    >>> _cells("1, 2,3"), _cells("1  2"), _cells("a\\t1\\t2")
    (['1', '2', '3'], ['1', '2'], ['a', '1', '2'])
    """
    if "," in line:
        return [cell.strip().strip("\"'") for cell in line.strip().strip(",").split(",")]
    return line.split()


def _lines(text: str) -> TextRows:
    return [_cells(line) for line in re.split(r"[;\n]", text) if line.strip()]


def _in_brackets(text: str) -> TextRows:
    """Rows in brackets of their own, or all of them in one pair.

    >>> _in_brackets("[[1, 2], [3, 4]]"), _in_brackets("[1 2; 3 4]")
    ([['1', '2'], ['3', '4']], [['1', '2'], ['3', '4']])
    """
    inner = re.findall(r"\[([^\[\]]*)\]", text)
    rest = re.sub(r"\[[^\[\]]*\]", "", text)
    if re.sub(r"[\[\],;\s]", "", rest):
        raise ValueError(f"matrix must be rows in brackets and nothing else, got {text!r:.60}")
    if len(inner) == 1 and not text.startswith("[["):
        return _lines(inner[0])
    return [_cells(" ".join(row.split())) for row in inner]


def _printed_by_r(text: str) -> TextRows:
    """A matrix as R prints it, ``[1,]`` before each row and ``[,1]`` above each column; wide ones in several blocks.

    >>> _printed_by_r("     [,1] [,2]\\n[1,]    1    2\\n[2,]    3    4\\n     [,3]\\n[1,]    5\\n[2,]    6")
    [['1', '2', '5'], ['3', '4', '6']]
    """
    rows: dict[str, list[str]] = {}
    for line in text.splitlines():
        label, *cells = line.split() or [""]
        if label.endswith(",]"):
            rows.setdefault(label, []).extend(cells)
    return list(rows.values())


def _called_in_r(text: str) -> TextRows:
    """``matrix``, ``structure`` as of dput, ``rbind`` and ``cbind``.

    >>> _called_in_r("structure(c(1L, 2L, 3L, 4L), dim = c(2L, 2L))")
    [['1L', '3L'], ['2L', '4L']]
    >>> _called_in_r("matrix(c(1, 2, 3, 4, 5, 6), ncol = 3, byrow = TRUE)"), _called_in_r("rbind(c(1, 2), c(3, 4))")
    ([['1', '2', '3'], ['4', '5', '6']], [['1', '2'], ['3', '4']])
    """
    vectors = [_cells(vector) for vector in _FLAT.findall(_OPTION.sub("", text))]
    if text.startswith("rbind"):
        return vectors
    if text.startswith("cbind"):
        return [list(row) for row in zip(*vectors, strict=True)]
    cells = vectors[0]
    options = dict(_OPTION.findall(text))
    by_row = options.get("byrow", "F").strip() in ("TRUE", "T")
    r = _number_of_rows(text, len(cells), options)
    s = len(cells) // r
    if by_row:
        return [cells[i * s : (i + 1) * s] for i in range(r)]
    return [cells[i::r] for i in range(r)]


def _number_of_rows(text: str, count: int, options: dict[str, str]) -> int:
    sizes = [int(x) for x in re.findall(r"\d+", options.get("dim") or options.get(".Dim", ""))]
    if "nrow" in options:
        sizes = [int(options["nrow"])]
    elif "ncol" in options:
        sizes = [count // max(1, int(options["ncol"]))]
    argument = re.search(r"\)\s*,\s*(\d+)L?\s*[,)]", text)
    if not sizes and argument:
        sizes = [int(argument[1])]
    r = sizes[0] if sizes else 0
    if r < 1 or count % r:
        raise ValueError(f"matrix must say how many rows its {count} numbers have, got {text!r:.60}")
    return r


def _are_numbers(cells: Sequence[str]) -> bool:
    return all(_NUMBER.fullmatch(cell) for cell in cells)


def _without_names(lines: TextRows) -> TextRows:
    """Rows without the names of rows and columns that R and pandas print about them.

    >>> _without_names([["1", "2"], ["1", "8", "9"], ["2", "6", "7"]])
    [['8', '9'], ['6', '7']]
    >>> _without_names([["a", "b"], ["1", "2"]])
    Traceback (most recent call last):
    ...
    ValueError: matrix must have no header, or names of its rows too, got the header a b
    """
    if not lines:
        return lines
    width = len(lines[-1])
    names_alone = []
    if width > 1:
        names_alone = [line for line in lines if len(line) == 1 and not _are_numbers(line)]
    lines = [line for line in lines if line not in names_alone]
    if len(lines) < 2:
        return lines
    header, *body = lines
    without_names = [row[1:] for row in body]
    is_named = [not _are_numbers(row[:1]) for row in body]
    has_numbers_first = _are_numbers(header[:1])
    if len(header) == width - 1 and all(len(row) == width for row in body):
        return without_names
    if _are_numbers(header[1:]) and has_numbers_first != any(is_named):
        if all(is_named):
            return [row[1:] for row in lines]
        return lines
    if all(is_named) or names_alone or header[0] == "":
        return without_names
    if has_numbers_first or not _are_numbers(body[0]):
        return lines  # some entry is no number: it will be named
    raise ValueError(
        f"matrix must have no header, or names of its rows too, got the header {' '.join(header)}"
    )
