"""Conversion between matrices of counts and text.

>>> matrix_text([[10, 3], [2, 5]])
'10,3;2,5'
>>> parse_matrix("10,3;2,5")
[[10, 3], [2, 5]]
"""

from __future__ import annotations

import re
from typing import Any

from confmat._arguments import as_instance

_INTEGER = re.compile(r"[+-]?\d+")
_ARRAY = re.compile(r"array\((.*)\)", re.DOTALL)
_ROW = re.compile(r"\[([^\[\]]*)\]")
_ROWS = re.compile(r"(\[)?\s*(\[[^\[\]]*\][\s,]*)+(?(1)\])")


def matrix_text(matrix: Any, separator: str = ",", rows: str = ";") -> str:
    """Return a matrix as text that `parse_matrix` and every command can read.

    Parameters
    ----------
    matrix : array_like
    separator : str
        Text between cells. Default: ",".
    rows : str
        Text between rows. Default: ";".

    Returns
    -------
    str

    Examples
    --------
    >>> matrix_text([[1, 2], [3, 4]])
    '1,2;3,4'
    """
    lines = [str(separator).join(map(str, row)) for row in matrix]
    return str(rows).join(lines)


def parse_matrix(text: str) -> list[list[int]]:
    """Return the rows of a matrix of integers from its text.

    Parameters
    ----------
    text : str
        Numbers without names of rows and columns. Rows are separated by semicolons or newlines, cells by commas or
        spaces. The output of NumPy is accepted too.

    Returns
    -------
    list of list of int

    Raises
    ------
    ValueError
        If the text is empty or a cell is not an integer.

    Examples
    --------
    >>> parse_matrix("2,1;0,3"), parse_matrix("[[2 1]\\n [0 3]]"), parse_matrix("array([[2, 1], [0, 3]])")
    ([[2, 1], [0, 3]], [[2, 1], [0, 3]], [[2, 1], [0, 3]])
    >>> parse_matrix("1,2;3,x")
    Traceback (most recent call last):
    ...
    ValueError: matrix[1, 1] must be an integer, got 'x'. Give numbers only, such as [[2,1],[0,3]]
    """
    as_instance("text", text, str, "the text of a matrix")
    rows = [row for row in _rows(text.strip()) if row]
    if not rows:
        raise ValueError(f"matrix must not be empty, got {text!r:.60}")
    matrix = []
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            if not _INTEGER.fullmatch(cell):
                raise ValueError(
                    f"matrix[{i}, {j}] must be an integer, got {cell!r}. Give numbers only, such as [[2,1],[0,3]]"
                )
        matrix.append([*map(int, row)])
    return matrix


def _rows(text: str) -> list[list[str]]:
    """Return the rows of a matrix, given as text, each as a list of the strings of its cells."""
    array = _ARRAY.fullmatch(text)
    if array:
        text = array[1]
    if "[" not in text:
        return [_cells(line) for line in re.split(r"[;\n]", text)]
    if not _ROWS.fullmatch(text):
        raise ValueError(
            f"matrix with brackets must be a list of rows, such as [[2,1],[0,3]], got {text!r:.60}"
        )
    return [_cells(row) for row in _ROW.findall(text)]


def _cells(row: str) -> list[str]:
    """Return the cells of a row as strings. They are separated by commas or, if there are none, by spaces."""
    if "," in row:
        return [cell.strip() for cell in row.strip().strip(",").split(",")]
    return row.split()
