"""One reader of matrices: what this package, NumPy, pandas, R and MATLAB print is the matrix again."""

import numpy as np
import pandas as pd
import pytest
from command_line import fail, succeed
from hypothesis import given
from hypothesis import strategies as st

from confmat.matrices import matrix_text, parse_matrix

MATRIX = [[10, 3, 2], [0, 0, 7]]
OF_R = "     [,1] [,2] [,3]\n[1,]   10    3    2\n[2,]    0    0    7"
OF_R_IN_BLOCKS = "     [,1] [,2]\n[1,]   10    3\n[2,]    0    0\n     [,3]\n[1,]    2\n[2,]    7"
CROSSTAB = pd.DataFrame(
    MATRIX, index=pd.Index([5, 6], name="truth"), columns=pd.Index([1, 2, 3], name="found")
)


@pytest.mark.parametrize(
    "text",
    [
        "10,3,2;0,0,7",
        "10 3 2;0 0 7",
        "10,3,2\n0,0,7\n",
        "10,3,2,\n0,0,7,",
        "10\t3\t2\n0\t0\t7",
        "[10 3 2; 0 0 7]",
        "A = [10, 3, 2; 0, 0, 7]",
        "A =\n\n    10     3     2\n     0     0     7\n",
        "{{10,3,2},{0,0,7}}",
        "matrix([[10, 3, 2],\n        [ 0,  0,  7]])",
        "np.array([[10, 3, 2], [0, 0, 7]], dtype=int)",
        OF_R,
        OF_R_IN_BLOCKS,
        "  a b c\nx 10 3 2\ny 0 0 7",
        "   pred\ntruth a b c\n  a 10 3 2\n  b 0 0 7",
        "   \n     1  2  3\n  1 10  3  2\n  2  0  0  7",
        "matrix(c(10,0,3,0,2,7), 2)",
        "x <- matrix(c(10,3,2,0,0,7), nrow = 2, ncol = 3, byrow = TRUE)",
        "matrix(c(10,0,3,0,2,7), ncol = 3)",
        "structure(c(10L, 0L, 3L, 0L, 2L, 7L), dim = 2:3)",
        'structure(c(10L, 0L, 3L, 0L, 2L, 7L), .Dim = c(2L,3L), .Dimnames = list(c("a","b"), NULL))',
        "rbind(c(10, 3, 2), c(0, 0, 7))",
        "cbind(c(10, 0), c(3, 0), c(2, 7))",
        str(CROSSTAB),
        str(pd.DataFrame(MATRIX)),
        pd.DataFrame(MATRIX, index=["a", "b"], columns=["x", "y", "z"]).to_csv(),
    ],
)
def test_other_programs(text):
    assert parse_matrix(text) == MATRIX


@pytest.mark.parametrize(
    ("text", "matrix"),
    [
        ("5", [[5]]),
        ("[5]", [[5]]),
        ("1;2", [[1], [2]]),
        ("[1, 2]", [[1, 2]]),
        ("[[1], [2]]", [[1], [2]]),
        ("[1\n2]", [[1], [2]]),
        ("[[1\n2]]", [[1, 2]]),
        ("[1,] 3", [[3]]),
        # Names above, beside, or both; two lines or one; numbers as names.
        ("x 1\ny 2", [[1], [2]]),
        ("x 1", None),
        ("a\nx 1\ny 2", [[1], [2]]),
        ("a b\nx 1 2", [[1, 2]]),
        ("t a b\nx 1 2\ny 3 4", [[1, 2], [3, 4]]),
        ("7 a b\nx 1 2\ny 3 4", [[1, 2], [3, 4]]),
        (",a,b\n1,5,6\n2,7,8", [[5, 6], [7, 8]]),
        ("7 8\nx 1 2\ny 3 4", [[1, 2], [3, 4]]),
        ("1 2\n3 4\n5 6", [[1, 2], [3, 4], [5, 6]]),
        ("x 1 2\n3 4 5", None),
        ("pred\na b\n1 2", [[2]]),
        ("truth a b\n1 5 6\n2 7 8", None),
        ("1 a b\n1 5 6\n2 7 8", None),
        ("1 2 3\nx 4 5\ny 6 7", [[4, 5], [6, 7]]),
        ("1 2\nx y", None),
        # How many rows R's numbers have: the last of what is said, a list of two first.
        ("matrix(c(1, 2, 3, 4))", None),
        ("matrix(c(1, 2, 3, 4), 4)", [[1], [2], [3], [4]]),
        ("matrix(c(1, 2, 3, 4), 1, 4)", [[1, 2, 3, 4]]),
        ("matrix(c(1, 2, 3, 4), 1L, 4L)", [[1, 2, 3, 4]]),
        ("matrix(c(1, 2, 3, 4), ncol = 4)", [[1, 2, 3, 4]]),
        ("matrix(c(1, 2, 3, 4), ncol = 1)", [[1], [2], [3], [4]]),
        ("matrix(c(1, 2, 3, 4), ncol = 0)", [[1], [2], [3], [4]]),
        ("matrix(c(1, 2, 3, 4), ncol = 5)", None),
        ("matrix(c(1, 2, 3, 4), nrow = 0)", None),
        ("matrix(c(1, 2, 3, 4), nrow = 3)", None),
        ("matrix(c(1, 2, 3, 4), nrow = 2, byrow = T)", [[1, 2], [3, 4]]),
        ("matrix(c(1, 2, 3, 4), nrow = 2, byrow = F)", [[1, 3], [2, 4]]),
        ("matrix(c(1, 2, 3, 4), nrow = 1, ncol = 4, byrow = FALSE)", [[1, 2, 3, 4]]),
        ("rbind(c(1, 2))", [[1, 2]]),
        ("cbind(c(1, 2))", [[1], [2]]),
    ],
)
def test_every_way_of_rows(text, matrix):
    if matrix is None:
        with pytest.raises(ValueError, match="matrix"):
            parse_matrix(text)
    else:
        assert parse_matrix(text) == matrix


@given(
    st.integers(1, 4).flatmap(
        lambda s: st.lists(st.lists(st.integers(0, 10**25), min_size=s, max_size=s), min_size=1, max_size=4)
    )
)
def test_what_python_and_numpy_print(rows):
    array = np.array(rows, object)
    texts = [matrix_text(rows), str(rows), str(tuple(map(tuple, rows))), str(array), repr(array)]
    assert [parse_matrix(text) for text in texts] == [rows] * len(texts)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "matrix must not be empty"),
        ("1,2;3,x", r"matrix\[1, 1\] must be a whole number, got 'x'"),
        ("1 2\n3 4.5", r"matrix\[1, 1\] must be a whole number, got '4.5'"),
        ("[[1 ... 2]]", r"matrix\[0, 1\] must be a whole number, got '...'"),
        ("[[1, 2]] z", "rows in brackets and nothing else"),
        # Row names, or numbers without a name for a column: nobody can tell.
        ("a b\n1 2\n3 4", "no header, or names of its rows too, got the header a b"),
        ("matrix(c(1, 2, 3), 2)", "how many rows its 3 numbers have"),
        ("cbind(c(1, 2), c(3))", "argument 2 is shorter"),
    ],
)
def test_what_cannot_be_told_is_refused(text, says):
    with pytest.raises(ValueError, match=says):
        parse_matrix(text)


def test_commands_read_what_they_print(confmat):
    said = succeed(confmat("compare", "--matrix", "[[10 3 2]\n [0 0 7]]", "--json"))
    assert said == succeed(confmat("compare", "--matrix", "10,3,2;0,0,7", "--json"))
    assert "matrix[0, 1] must be a whole number, got 'x'" in fail(confmat("compare", "--matrix", "[[1, x]]"))
