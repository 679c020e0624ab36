"""Labels and names of columns are text in each output, whatever the medium would make of them."""

import csv
import io
import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import pandas as pd
import pytest
from command_line import fail, succeed
from matplotlib.image import imread

import confmat as cm

LABELS = [
    "a_$b_{$", "$x^2$ & #", "\x1b[31mred", "\x00\x07\r", "\u202eevil", "<script>alert(1)</script>", "--> ]]>",
    "\\end{tabular}%", "[1mm]", "*", "=1+1", "@x", "a\n\nb", "|x|",
]  # fmt: skip
COLUMNS = ["=tr\x1b[1mu$e_{$", "[fo$und</script>", "*th\u202eird$"]


@pytest.fixture
def labels(tmp_path):
    """Return the path of a file of three labelings."""
    truth = LABELS * 3
    found = LABELS * 2 + LABELS[1:] + LABELS[:1]
    frame = pd.DataFrame(zip(truth, found, sorted(truth)), columns=COLUMNS)
    path = tmp_path / "labels.csv"
    frame.to_csv(path, index=False, quoting=csv.QUOTE_ALL)
    return path


@pytest.fixture
def answers():
    """Return two reports that show the labels."""
    labels = [*LABELS, "\udcff"]  # a name in bytes that are not UTF-8
    a, b = labels * 3, labels * 2 + labels[1:] + labels[:1]
    return cm.compare(a, b), cm.classification_report(a, b)


def is_printable(text):
    return all(x.isprintable() or x == "\n" for x in text)


def test_a_terminal_gets_no_control_characters(confmat, labels, answers):
    for answer in answers:
        assert is_printable(str(answer) + repr(answer) + answer._published("md") + answer.to_latex())
        assert r"\x1b[31mred" in str(answer)
    for arguments in ((), ("--format", "md"), ("--format", "tex")):
        assert is_printable(succeed(confmat("compare", labels, *arguments)))
    assert is_printable(fail(confmat("compare", labels, "--columns", "\x1b[31m,x")))
    assert is_printable(fail(confmat("compare", "\x1b[31m\u202e.csv")))
    assert is_printable(fail(confmat("table", "4", "2", "2", "--joint", "\x1b[31m/law.csv")))


class Tags(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text = set(), []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.text.append(data)


def test_html_and_markdown_get_no_tags(answers):
    for answer in answers:
        page = Tags(answer._repr_html_())
        assert page.tags <= {"table", "tr", "th", "td", "p", "br"}
        assert "<script>alert(1)</script>" in "".join(page.text)
        assert "script" not in Tags(answer._published("md")).tags


def test_latex_gets_rows_of_text(answers):
    for answer in answers:
        tex = answer.to_latex()
        assert tex.count(r"\end{tabular}") == tex.count(r"\begin{tabular}")
        plain = tex.replace(r"\$", "").replace(r"\%", "").replace(r"\#", "")
        assert not {"$", "#"} & {*plain}
        assert all("\n\n" not in table.strip() for table in tex.split(r"\end{tabular}"))
        for row in tex.splitlines():
            assert row[:1] not in ("[", "*")
            assert "%" not in row.lstrip("%").replace(r"\%", "")


def test_csv_gets_no_formulas(answers):
    for answer in answers:
        cells = {cell for row in csv.reader(io.StringIO(answer._published("csv"))) for cell in row}
        assert not {"=1+1", "@x"} & cells
        assert {r"\x1b[31mred", "a\n\nb", "|x|", "'=1+1"} <= cells


def test_json_gets_the_labels(confmat, labels):
    assert succeed(confmat("classification-report", labels, "--columns", ",".join(COLUMNS[:2]), "--json"))
    pairs = json.loads(succeed(confmat("compare", labels, "--json")))
    assert all(repr(name) in repr(pairs) for name in COLUMNS)


@pytest.mark.parametrize("command", ["compare", "classification-report"])
def test_pictures_get_dollars(confmat, labels, command):
    for suffix in (".png", ".svg"):
        out = labels.with_suffix(suffix)
        succeed(confmat(command, labels, "--columns", ",".join(COLUMNS[:2]), "--plot", out))
    assert imread(labels.with_suffix(".png")).ndim == 3
    ElementTree.parse(labels.with_suffix(".svg"))


def test_names_of_axes_are_as_given():
    own = cm.statistics.Statistic("own", lambda table: int(table.max()), title="a_$b_{$")
    ax = cm.joint_distribution(cm.Tables(4, 2, 2), own)["own"].plot()
    assert "a_$b_{$" in ax.get_xlabel()
    ax.figure.savefig(io.BytesIO(), format="svg")
