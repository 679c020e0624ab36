"""Tables of text: whole numbers at every width, and in formats that people publish."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from confmat._display.sheets import Sheet

cells = st.one_of(
    st.integers(0, 10**25).map("{:,}".format),
    st.fractions().map(str),
    st.lists(st.sampled_from(["mean", "of", "pairs", "種", "(labels)"]), max_size=6).map(" ".join),
    st.sampled_from(["1,2;3,4", "1,2\n3,4", ""]),
)


@given(
    st.integers(1, 4).flatmap(lambda k: st.lists(st.tuples(*[cells] * k), min_size=1, max_size=4)),
    st.integers(20, 90),
)
def test_no_word_is_broken_and_lines_fit_unless_a_word_does_not(rows, width):
    names = ("value", "", "exact number", "at")[: len(rows[0])]
    sheet = Sheet(names, ("at",), rows=rows)
    text = sheet.text(width)
    words = [word for row in [names, *rows] for cell in row for word in cell.split()]
    assert set(text.replace("\u2500", "").split()) == set(words)
    columns = zip(*[names, *rows])
    longest = [
        max((cell_len(word) for cell in column for word in cell.split()), default=0) for column in columns
    ]
    if sum(longest) + 2 * (len(names) - 1) <= width:
        assert len(text.replace("\u2500", "").split()) == len(words)
    widest = max((len(line) for line in text.splitlines() if len(line.split()) > 1), default=0)
    assert widest <= width


@pytest.mark.parametrize("width", [30, 40, 80])
@pytest.mark.parametrize(
    "arguments",
    [
        ("table", 20, 3, 3, "--weight", "labelings"),
        ("test", "--matrix", "5,0,0;0,4,2;0,1,3"),
        ("classification-report", "--matrix", "50,0,0;0,48,2;0,1,49"),
        ("statistics",),
    ],
)
def test_a_page_of_any_width_has_the_same_words(confmat, monkeypatch, arguments, width):
    def words(width):
        monkeypatch.setenv("COLUMNS", str(width))
        return {word for word in confmat(*arguments)[1].split() if any(map(str.isdigit, word))}

    assert words(width) == words(200)


def test_folded_rows_are_counted_on_a_page_and_stand_in_files():
    sheet = Sheet(
        ("name", "n"), ("name",), "Names", [("a", 1), ("b", 2), ("c", 3), ("mean", 2)], folded=(1, 3)
    )
    assert sheet.text().splitlines()[2:] == ["a           1", "and 2 more", "mean        2"]
    assert "and 2 more" in sheet.html()
    assert ">c</td>" not in sheet.html()
    assert sheet.csv().splitlines() == ["name,n", "a,1", "b,2", "c,3", "mean,2"]
    assert "| c | 3 |" in sheet.markdown()
    sheet.folded = (0, 4)
    assert sheet.text() == ""
    assert sheet.html() == "<p>Names</p><table></table>"


def test_formats():
    sheet = Sheet(("name", "share"), ("name",), "Laws", [("a & b_1", "50%")])
    assert r"a \& b\_1 & 50\% \\" in sheet.tex()
    assert sheet.tex().startswith("% Laws\n\\begin{tabular}{lr}")
    assert sheet.markdown().splitlines()[2:] == ["| name | share |", "|:--|--:|", "| a & b_1 | 50% |"]
    assert sheet.csv() == "name,share\na & b_1,50%"
    assert ">a &amp; b_1</td>" in sheet.html()


def test_a_table_is_at_most_80_characters_wide_by_default():
    sheet = Sheet(("a", "b"), rows=[("x" * 40, "y" * 39)])
    assert max(map(len, sheet.text(81).splitlines())) == 81
    assert max(map(len, sheet.text().splitlines())) <= 80
