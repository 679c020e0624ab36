"""Matrices as text: numbers alone, and what NumPy prints; names, totals and other programs' prints are refused."""

import numpy as np
import pytest
from command_line import fail
from hypothesis import given
from hypothesis import strategies as st

from confmat.contingency import matrix_text, parse_matrix

MATRIX = [[10, 3, 2], [0, 0, 7]]


@pytest.mark.parametrize(
    "text",
    [
        "10,3,2;0,0,7",
        "10, 3, 2; 0, 0, 7",
        "10 3 2;0 0 7",
        "10,3,2\n0,0,7\n",
        "10\t3\t2\n0\t0\t7",
        str(np.array(MATRIX)),
        repr(np.array(MATRIX)),
        str(MATRIX),
    ],
)
def test_numbers_alone_are_read(text):
    assert parse_matrix(text) == MATRIX


@given(
    st.integers(1, 4).flatmap(
        lambda s: st.lists(st.lists(st.integers(0, 10**30), min_size=s, max_size=s), min_size=1, max_size=4)
    )
)
def test_text_of_a_matrix_is_read_back(matrix):
    assert parse_matrix(matrix_text(matrix)) == matrix
    assert parse_matrix(str(matrix)) == matrix


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "matrix must not be empty, got ''"),
        (
            "1,2;3,x",
            r"matrix\[1, 1\] must be an integer, got 'x'. Give numbers only, such as \[\[2,1\],\[0,3\]\]",
        ),
        ("1.5,2;3,4", r"matrix\[0, 0\] must be an integer, got '1.5'"),
        ("a,b\n1,2\n3,4", r"matrix\[0, 0\] must be an integer, got 'a'"),
        ("matrix(c(1,2,3,4), 2)", r"matrix\[0, 0\] must be an integer, got 'matrix\(c\(1'"),
        ("A = [[1, 2], [3, 4]]", "matrix with brackets must be a list of rows"),
        ("[[1, 2], [3, 4]", "matrix with brackets must be a list of rows"),
        ("[1, 2], [3, 4]]", "matrix with brackets must be a list of rows"),
        ("array([[1, 2], [3, 4])", "matrix with brackets must be a list of rows"),
        ("1,,2;3,4,5", r"matrix\[0, 1\] must be an integer, got ''"),
    ],
)
def test_other_texts_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_matrix(text)


def test_the_command_line_says_the_same(confmat):
    assert "matrix[0, 1] must be an integer, got 'b'" in fail(confmat("compare", "--matrix", "1,b"))
