"""What counts as a membership matrix, and what the errors say."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from confmat.indices import soft

GOOD = [[0.5, 0.5], [1, 0], [0, 1]]
BAD = {
    "sum": (
        [[0.5, 0.5], [0.5, 0.4], [1, 0]],
        ValueError,
        r"U\[1\]: the memberships .* sum 1 \(within 1e-06\), got 0.9",
    ),
    "nan": ([[0.5, 0.5], [1, 0], [np.nan, 1]], ValueError, r"U\[2\]: membership nan is not"),
    "infinite": ([[0.5, 0.5], [1, 0], [np.inf, 1]], ValueError, r"U\[2\]: membership inf is not"),
    "other place": ([[0.5, 0.5], [1, 0], [1, -1]], ValueError, r"U\[2\]: membership -1.0 is not between"),
    "long row": ([[0.5, 0.5], [1, 0, 0], [0, 1]], ValueError, r"U\[1\] must be a row of 2 memberships"),
    "not a row": ([[0.5, 0.5], [1, 0], 1], ValueError, r"U\[2\] must be a row of 2 memberships, got 1"),
    "text for a row": ([[0.5, 0.5], [1, 0], "01"], ValueError, r"U\[2\] must be a row of 2 .*, got '01'"),
    "negative": ([[1.5, -0.5], [1, 0], [0, 1]], ValueError, r"U\[0\]: membership 1.5 is not between 0 and 1"),
    "ragged": ([[0.5, 0.5], [1], [0, 1]], ValueError, r"U\[1\] must be a row of 2 memberships, got \[1\]"),
    "text": ([["a", "b"], ["c", "d"], ["e", "f"]], TypeError, "U must hold numbers, got 'a'"),
    "fractional labels": ([0.2, 0.8, 1.0], TypeError, r"U\[0\] must be a label, got 0.2"),
    "missing label": (
        [0.0, np.nan, 1.0],
        ValueError,
        r"U must not have missing labels, got .* at position 1",
    ),
    "no dimension": (np.array(1.0), ValueError, "one dimension .* or two .* got 0"),
    "three dimensions": (np.ones((3, 1, 1)), ValueError, "one dimension .* or two .* got 3"),
    "empty": ([], ValueError, "U must not be empty"),
    "no clusters": (np.ones((3, 0)), ValueError, r"U must not be empty, got shape \(3, 0\)"),
    "string": ("aab", TypeError, "U must be a sequence of labels, got str"),
    "too few": (GOOD[:1], ValueError, "the same objects: U has 1 rows, V 3"),
    "too many": (GOOD[:1] * 4, ValueError, "the same objects: U has 4 rows, V 3"),
}
FUNCTIONS = [
    soft.ndc,
    soft.aci,
    soft.sari,
    soft.campello_rand,
    soft.brouwer_rand,
    soft.frigui_rand,
    soft.anderson_rand,
    soft.anderson_adjusted_rand,
    soft.huellermeier_pairs,
    soft.expected_ndc,
    soft.all_indices,
]


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_bad_input_is_refused_by_name_and_row(function, case):
    U, error, message = BAD[case]
    with pytest.raises(error, match=message):
        function(U, GOOD)
    if not case.startswith("too "):
        with pytest.raises(error, match=message.replace("U", "V", 1)):
            function(GOOD, U)


def test_tolerance_of_row_sums():
    inside = [[0.5, 0.5 + 0.9e-6]] * 2
    outside = [[0.5, 0.5 + 1.1e-6]] * 2
    assert soft.ndc(inside, inside) == 1
    with pytest.raises(ValueError, match=r"U\[0\]"):
        soft.ndc(outside, outside)
    with pytest.raises(ValueError, match=r"U\[0\]: the memberships must have the sum 1"):
        soft.ndc(inside, inside, exact=True)
    assert soft.as_memberships("U", [[-1e-9, 1.0], [0.0, 1 + 1e-9]]).tolist() == [[0, 1]] * 2


def test_exact_memberships():
    third = Fraction(1, 3)
    assert soft.as_memberships("U", [[third, 2 * third], [0.25, 0.75]], exact=True).tolist() == [
        [third, 2 * third],
        [Fraction(1, 4), Fraction(3, 4)],
    ]
    with pytest.raises(ValueError, match=r"U\[0\]: the memberships must have the sum 1, got"):
        soft.ndc([[0.1, 0.2, 0.7], [1, 0, 0]], [0, 1], exact=True)  # the doubles do not sum to 1
    with pytest.raises(TypeError, match=r"U\[0\]: membership '1/3' is not a number"):
        soft.ndc([["1/3", "2/3"]], [0], exact=True)
    with pytest.raises(ValueError, match=r"U\[0\]: membership nan"):
        soft.ndc([[float("nan"), 1]], [0], exact=True)


@pytest.mark.parametrize(
    "labels",
    [
        ["a", "b", "a"],
        (1, "b", 1),
        np.array([3, 1, 3]),
        pd.Series(["x", "y", "x"]),
        pd.Categorical(["x", "y", "x"]),
        [True, False, True],
        np.array([2.0, 1.0, 2.0]),
    ],
    ids=lambda x: type(x).__name__,
)
def test_kinds_of_labels(labels):
    assert soft.ndc(labels, [0, 1, 0]) == 1
    assert soft.sari([[1, 0], [0, 1], [1, 0]], labels) == 1


@pytest.mark.parametrize(
    "U",
    [GOOD, np.array(GOOD), pd.DataFrame(GOOD), [np.array(row) for row in GOOD]],
    ids=lambda x: type(x).__name__,
)
def test_kinds_of_matrices(U):
    assert soft.as_memberships("U", U).tolist() == GOOD


def test_input_is_not_modified():
    U = np.array([[1 + 1e-9, -1e-9], [0.5, 0.5]])
    before = U.copy()
    soft.all_indices(U, U)
    assert (before == U).all()


def test_tables_of_masses_are_checked():
    with pytest.raises(ValueError, match=r"table\[0, 1\] must be a number >= 0, got -1"):
        soft.table_pairs([[1, -1]])
    for table in ([1, 2], [[[1, 2]]]):
        with pytest.raises(ValueError, match=f"table must have two dimensions, got {np.ndim(table)}"):
            soft.table_pairs(table)


@pytest.mark.parametrize(
    "function", [f for f in FUNCTIONS if f.__name__.endswith(("rand", "sari", "indices"))]
)
def test_undefined_is_checked_even_where_the_index_is_defined(function):
    with pytest.raises(
        ValueError, match='undefined must be "raise", "warn", "nan" or a number, got \'zero\''
    ):
        function(GOOD, GOOD, undefined="zero")
    for index in ("rand", "adjusted_rand", "jaccard", "dice", "fowlkes_mallows"):
        with pytest.raises(ValueError, match="undefined must be"):
            getattr(soft.campello_pairs(GOOD, GOOD), index)("zero")


def test_masked_entries_are_refused():
    U = np.ma.array(GOOD, mask=[[0, 0], [0, 0], [1, 0]])
    with pytest.raises(ValueError, match=r"U\[2\] must have no masked entries"):
        soft.ndc(U, GOOD)
    assert soft.ndc(np.ma.array(GOOD), GOOD) == 1


def test_read_memberships(tmp_path):
    matrix, labels = tmp_path / "u.csv", tmp_path / "v.csv"
    matrix.write_text("k1, k2\n0.25, 0.75\n1, 0\n")
    labels.write_text("class\na\n b\n")
    assert soft.read_memberships(matrix).tolist() == [[0.25, 0.75], [1, 0]]
    assert soft.read_memberships(str(labels)).tolist() == ["a", "b"]
    assert soft.sari(soft.read_memberships(matrix), soft.read_memberships(labels)) == soft.sari(
        [[0.25, 0.75], [1, 0]], [0, 1]
    )
    matrix.write_text("k1,k2\n0.25,0.75\n0.5,0.1\n")
    with pytest.raises(ValueError, match=r"u.csv\[1\]: the memberships must have the sum 1 .*, got 0.6"):
        soft.read_memberships(matrix)
    with pytest.raises(FileNotFoundError, match=r"absent\.csv"):
        soft.read_memberships(tmp_path / "absent.csv")
