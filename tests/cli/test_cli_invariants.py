"""Metamorphic tests of the command line: other names of labels, another order of lines, the same answer."""

import contextlib
import csv
import io
import json
import tempfile
from pathlib import Path

from command_line import run
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat.testing import labeling_pairs, tables

# Names as they occur in files: text, digits, blanks inside, commas, quotes, letters outside ASCII.
names = st.text("ab1 ,\"';é-.", min_size=1, max_size=6).map(str.strip).filter(bool)


def confmat(*arguments):
    """Standard output of a command that succeeds."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([str(argument) for argument in arguments])
    assert code == 0, err.getvalue()
    return out.getvalue()


def on_file(lines, *arguments, command="compare", header=("one clustering", "the other")):
    """A command on a CSV file with these lines; the header is no label that may be drawn."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *lines])
        return confmat(command, path, *arguments)


def card(lines, *arguments, **options):
    """The numbers of a comparison, without the table."""
    return without_names(on_file(lines, *arguments, "--json", **options))


def without_names(text):
    found = json.loads(text)
    del found["table"]
    return found


def renaming(draw, labels):
    """A one-to-one map of the labels that occur to other names."""
    used = sorted(set(labels))
    return dict(zip(used, draw(st.lists(names, min_size=len(used), max_size=len(used), unique=True))))


@st.composite
def twins(draw, n):
    """Lines of two labels, and the same objects in another order under other names."""
    a, b = draw(labeling_pairs(n=n))
    to_a, to_b = renaming(draw, a), renaming(draw, b)
    lines = list(zip(a, b))
    return lines, [(to_a[x], to_b[y]) for x, y in draw(st.permutations(lines))]


@settings(max_examples=10)
@given(twins(st.integers(1, 12)), names)
def test_compare_depends_on_the_partitions_alone(pair, anything):
    lines, other = pair
    wide = [(anything, b, i, a) for i, (a, b) in enumerate(other)]
    header = ("note", "second", "id", "first")
    assert card(wide, "--columns", "first,second", header=header) == card(lines)
    # The text names the clusters in its first table.
    text, other_text = (on_file(one).split("Every index")[1] for one in (lines, other))
    assert text == other_text


@settings(max_examples=10)
@given(twins(st.integers(1, 12)))
def test_exchanging_the_labelings_exchanges_the_wallace_indices(pair):
    lines, _ = pair
    numbers, turned = card(lines), card([(b, a) for a, b in lines])
    for one, other in (
        ("wallace_ab", "wallace_ba"),
        ("entropy_a", "entropy_b"),
        ("homogeneity", "completeness"),
    ):
        assert turned[one] == numbers[other]
    for directed in (
        "wallace_ab",
        "wallace_ba",
        "entropy_a",
        "entropy_b",
        "homogeneity",
        "completeness",
        "purity",
    ):
        del turned[directed], numbers[directed]
    assert turned == numbers


@settings(max_examples=10)
@given(tables(n=st.integers(1, 12)), st.data())
def test_a_matrix_with_lines_in_another_order(table, data):
    r, s = table.shape
    order = data.draw(st.permutations(range(r))), data.draw(st.permutations(range(s)))
    padded = [[*(int(table[i, j]) for j in order[1]), 0] for i in order[0]] + [[0] * (s + 1)]
    text = [";".join(",".join(map(str, row)) for row in rows) for rows in (table.tolist(), padded)]
    first, second = (without_names(confmat("compare", "--json", "--matrix", matrix)) for matrix in text)
    assert first == second


@settings(max_examples=8)
@given(twins(st.integers(2, 8)))
def test_significance_depends_on_the_partitions_alone(pair):
    def permutation_test(lines):
        found = json.loads(on_file(lines, "--json", command="test"))
        found["rows"], found["cols"] = sorted(found["rows"]), sorted(found["cols"])
        return found

    lines, other = pair
    found = permutation_test(lines)
    assert permutation_test(other) == found
    turned = permutation_test([(b, a) for a, b in lines])
    assert turned | {"rows": found["rows"], "cols": found["cols"]} == found


def by_med(*arguments):
    """What ``table`` prints of the laws, without the matrices that show the extremes."""
    law = json.loads(confmat("table", *arguments, "--json"))
    for row in law["given_med"]:
        for name in ("rd", "ard"):
            for witness in ("argmin", "argmax"):
                row[name].pop(witness, None)
    return law["total"], law["given_med"]


def test_classes_that_a_symmetry_exchanges_have_one_law():
    margins = by_med("rows=4,3,2", "cols=5,4")
    assert margins[0] > 0
    assert by_med("rows=2,4,3", "cols=4,5") == margins
    assert by_med("cols=2,4,3", "rows=4,5") == margins
    assert by_med(8, 2, 3) == by_med(8, 3, 2)
    assert by_med(6, 3, 2, "empty", "--weight", "labelings") == by_med(
        6, 2, 3, "empty", "--weight", "labelings"
    )
