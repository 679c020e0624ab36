"""The checker of certificates: as a program that runs alone, and against the package."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from itertools import product

import pytest
from brute import pair_sums
from command_line import run as cli
from forgeries import CERTIFICATES, CHECKER, alone

import confmat as cm
from confmat.certificates import check, write_certificate
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.conjectures import Conjecture, verify


@pytest.fixture
def run(tmp_path):
    def run(text):
        (tmp_path / "verify.py").write_text(cm.certificates.script())
        (tmp_path / "file.json").write_text(text)
        program = [sys.executable, "-I", "verify.py", "file.json"]
        done = subprocess.run(program, capture_output=True, text=True, cwd=tmp_path)
        return done.returncode, (done.stdout + done.stderr).strip()

    return run


def test_the_checker_runs_alone(run, tmp_path, capsys):

    text = CERTIFICATES["bounds"]()
    code, said = run(text)
    assert (code, said) == (0, f"right: {check(text)}")
    assert run(text.replace("119/97", "118/97").replace('"ard"', '"rd"'))[0] == 1
    for other in (
        "",
        "[]",
        "{",
        "\0",
        text.replace(f'"version": {CHECKER.VERSION}', f'"version": {CHECKER.VERSION + 1}'),
        '{"a": 1, "a": 2}',
        "[1.5]",
    ):
        assert run(other)[0] == 2
    for arguments in ([], [tmp_path / "none"], [tmp_path, tmp_path]):
        assert CHECKER.main(arguments) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("usage: python3 -I verify.py FILE")) == ("", 3)


@pytest.mark.parametrize("version", range(1, CHECKER.VERSION))
def test_a_certificate_of_an_older_version_is_older_and_not_wrong(version, tmp_path, capsys):
    """Such as one of an extreme with the bounds of an earlier search, whose seal is right."""
    found = cm.maximize(cm.Tables(12, 3, 3), "ard", method="bound-and-prune")
    content = json.loads(found.certificate()) | {"version": version}
    content["proof"]["margin_classes"] += 1
    content["digest"] = CHECKER.seal(content)
    old = tmp_path / "old.json"
    old.write_text(json.dumps(content))
    said = f"older than its checker: its version is {version}, but the checker reads only {CHECKER.VERSION}"
    with pytest.raises(CHECKER.Unreadable, match=said):
        alone(old.read_text())
    assert cli(["verify", str(old)]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            {"on": "distributions"},
            "formulas of one table only, and the test of this certificate has the fields on",
        ),
        (
            {"source": {}},
            "formulas of one table only, and the test of this certificate has the fields source",
        ),
    ],
)
def test_the_checker_lists_everything_that_it_does_not_check(said, reason):
    text = write_certificate(
        "certificate", {"test": {"formula": "ari_after >= ari_before", **said}, "classes": []}
    )
    with pytest.raises(CHECKER.Unreadable, match=reason):
        alone(text)


def test_the_checker_needs_the_standard_library_only():
    nodes = list(ast.walk(ast.parse(cm.certificates.script())))
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert imported <= set(sys.stdlib_module_names)


def test_the_enumerator_of_the_checker():
    classes = [
        *(
            Tables(n, r, s, allow_empty)
            for n in range(6)
            for r, s in ((1, 1), (2, 3), (3, 2), (3, 3))
            for allow_empty in (0 > 1, True)
        ),
        FixedRows((3, 0, 2), 2),
        FixedRows((3, 2), 3, allow_empty=False),
        cm.FixedColumns((4, 1), 3),
        FixedMargins((3, 0, 1), (2, 2)),
        FixedMargins((2, 2, 1), (2, 2, 1)),
    ]
    for matrices in classes:
        other = CHECKER.Class(matrices.to_json())
        members = {tuple(map(tuple, table.tolist())) for table in matrices}
        claim = Conjecture("", "any table", predicate=lambda table: True)
        if members:  # the second walk of the package is over these classes
            assert "enumerator: the same" in str(verify(cm.check(claim, [matrices]), claim))
        assert sum(weight for _, weight in other.tables()) == len(members)
        if not other.rows and not other.cols:
            group = other.n, *sorted((other.r, other.s)), other.square, other.empty
            assert CHECKER.orbits_of_tables(*group) == len(list(matrices.orbits()))


def test_the_cells_of_least_cost():
    """With slopes, the tables of which each cell is a whole number >= 0 that makes x^2 - slope x least."""
    for rows, cols in (((3, 2), (4, 1)), ((1, 2), (1, 2)), ((2, 1), (2, 1))):
        tables = [*CHECKER.fillings(rows, cols)]
        for numbers in product((-2, -1, 0, 1, 3, 4), repeat=4):
            slopes = [numbers[:2], numbers[2:]]
            cheap = [[min(x * x - w * x for x in range(6)) for w in line] for line in slopes]
            costs = {t: [[x * x - w * x for x, w in zip(*lines)] for lines in zip(t, slopes)] for t in tables}
            assert [*CHECKER.fillings(rows, cols, slopes)] == [t for t in tables if costs[t] == cheap]


@pytest.mark.parametrize(
    "other",
    [
        {"n": 6},
        {"n": 4},
        {"rows": [3, -1, 3]},
        {"s": 0},
        {"s": 7},
        {"empty": True},
        {"s": "2"},
        {"kind": "tables"},
    ],
    ids=str,
)
def test_the_checker_knows_no_other_classes(other):
    spec = json.loads(json.dumps(FixedRows((3, 2), 2).to_json()))
    CHECKER.Class(spec)
    with pytest.raises(CHECKER.Unreadable, match="is not a valid class"):
        CHECKER.Class(spec | other)


def test_the_classes_of_a_certificate_are_listed_once_from_small_to_large():
    held = json.loads(CERTIFICATES["certificate"]())
    entries = held["classes"]
    for classes in ([*entries, entries[-1]], entries[::-1], []):
        tree = held | {"classes": classes}
        with pytest.raises(CHECKER.Wrong, match="missing, repeated or not in increasing size"):
            alone(json.dumps(tree | {"digest": CHECKER.seal(tree)}))


def test_the_sums_and_formulas_of_the_checker_are_those_of_the_package():
    from confmat.statistics import STATISTICS, as_condition

    texts = [
        "med <= 1/3 -> ard >= 1/2 -> not rd < 1/3",
        "1/5 < jaccard <= 2 * (n - 1) / (r + s) or wallace_ab != wallace_ba and not (mirkin = 0)",
        "-ari * n < ri / (med - 1/4) or (n = 4 -> rd > 0)",
        "med = s/n or ard <= r/n or not jaccard = 1 or rd / med != 1",
        "med / n = 0 or 1 / med > n",
    ]
    nothing, one = Tables(0, 2, 2, allow_empty=True), Tables(1, 1, 2, allow_empty=True)  # 0/0
    for matrices in (Tables(4, 2, 2), Tables(5, 2, 3), Tables(5, 3, 2, allow_empty=True), nothing, one):
        other = CHECKER.Class(matrices.to_json())
        for member in matrices:
            table = tuple(map(tuple, member.tolist()))
            found = CHECKER.signature_of(table)
            assert list(found) == pair_sums([member])[0].tolist()
            for name in CHECKER.FORMULAS:
                expected = STATISTICS[name](member)
                assert CHECKER.value(name, other.n, found) == (None if expected != expected else expected)
            for text in texts:
                condition = as_condition(text)
                assert CHECKER.IndexFormula(str(condition)).holds(other, found) == condition(member), (
                    text,
                    table,
                )


@pytest.mark.parametrize(
    "text",
    [
        "med",
        "med <",
        "med < 1 < rd or",
        "__import__('os')",
        "med < x",
        "(med < 1) < 2",
        "not med",
        "1 -> rd < 1",
        "med < 1 if 0 else rd < 1",
        "med == 1",
        "med < 1  # rd < 1",
        "med < True",
        "rd**2 < 1",
        "med < 1 and rd",
        "",
        " med < 1",
        "-" * 3000 + "1 < 2",
        "(" * 3000 + "1 < 2",
        "1 in n",
        "rd // 2 < 1",
        "ｍｅｄ < 1",
    ],
)
def test_the_checker_reads_no_other_formulas(text):
    with pytest.raises(CHECKER.Unreadable):
        CHECKER.IndexFormula(text)


@pytest.mark.slow
@pytest.mark.parametrize("statistic", ["ard", "rd"])
@pytest.mark.parametrize("size", [(60, 4, 4), (120, 3, 3)])
def test_large_extremes_by_bounds(size, statistic):
    result = cm.maximize(Tables(*size), statistic, method="bound-and-prune")
    shown = f" is {result.value}; matrices with it, up to symmetry: {len(result.tables)}"
    assert check(result.certificate()).endswith(shown)


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (2, 2), (3, 2)], ids=str)
@pytest.mark.parametrize("n", [0, 1, 2])
def test_extremes_of_no_or_few_points_are_certified(n, shape):
    """At n = 0 the potentials' bounds have nothing to scale by: this was an endless loop on both sides."""
    for name in ("ard", "rd"):
        result = cm.maximize(Tables(n, *shape, allow_empty=True), name, method="bound-and-prune")
        alone(result.certificate())
