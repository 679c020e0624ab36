"""Tables of text: whole numbers at every width, and in formats that people publish."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confmat.sheets import Sheet

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
    if sheet.fits(width):
        assert len(text.replace("\u2500", "").split()) == len(words)
    widest = max((len(line) for line in text.splitlines() if len(line.split()) > 1), default=0)
    assert widest <= width


@pytest.mark.parametrize("width", [30, 40, 80])
@pytest.mark.parametrize(
    "arguments",
    [
        ("table", 20, 3, 3, "--weight", "labelings"),
        ("test", "--matrix", "5,0,0;0,4,2;0,1,3"),
        ("classify", "--matrix", "50,0,0;0,48,2;0,1,49"),
        ("statistics",),
    ],
)
def test_a_page_of_any_width_has_the_same_words(confmat, monkeypatch, arguments, width):
    def words(width):
        monkeypatch.setenv("COLUMNS", str(width))
        return {word for word in confmat(*arguments)[1].split() if any(map(str.isdigit, word))}

    assert words(width) == words(200)


def test_formats():
    sheet = Sheet(("name", "share"), ("name",), "Laws", [("a & b_1", "50%")])
    assert r"a \& b\_1 & 50\% \\" in sheet.tex()
    assert sheet.tex().startswith("% Laws\n\\begin{tabular}{lr}")
    assert sheet.markdown().splitlines()[2:] == ["| name | share |", "|:--|--:|", "| a & b_1 | 50% |"]
    assert sheet.csv() == "name,share\na & b_1,50%"
    assert ">a &amp; b_1</td>" in sheet.html()
