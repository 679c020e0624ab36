"""The comparer of papers: every printed cell has a verdict; planted wrong digits and stale reasons are found."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import compare
from digits import Between, Drawn, agrees

FOLDER = Path(compare.__file__).parent
ITEMS = [(name, item) for name in compare.PAPERS for item in compare.Paper(name).items.values()]
# Items of two to six seconds.
LONG = {
    "espindola2005 section-4.2",
    "espindola2005 section-4.2-extremes",
    "santos2009 table-5-ranges",
    "santos2009 table-5-selection",
    "chacon2019 figure-5-vi",
}


def as_case(name, item):
    """An item as a case of a test, slow if it takes more than two seconds."""
    case = f"{name} {item.name}"
    return pytest.param(item, id=case, marks=pytest.mark.slow if item.slow or case in LONG else ())


CASES = [as_case(*item) for item in ITEMS]


@pytest.mark.parametrize("item", CASES)
def test_every_printed_cell_agrees_or_has_its_reason(item):
    """And every reason on record is the reason of a cell: what agrees by now needs none."""
    cells = item.cells()
    assert compare.without_reason(cells) == []
    assert len({(cell.row, cell.column) for cell in cells}) == len(cells)
    verdicts = " | ".join(cell.verdict for cell in cells)
    on_record = [reason for reasons in item.reasons.values() for reason in reasons.values()]
    assert [reason for reason in on_record if reason not in verdicts] == []


@pytest.mark.parametrize(
    ("ours", "printed", "expected"),
    [
        (0.5647, "0.564", True),  # cut
        (0.5647, "0.565", True),  # rounded
        (0.5647, "0.566", False),
        (-0.2004, "-0.200", True),
        (-0.2014, "-0.200", False),
        (204063621701016, "2.04e14", True),
        (205063621701016, "2.04e14", False),
        (1 / 3, "1/3", True),
        (0.3333, "1/3", False),
        (Drawn(0.5, 0.1, 100), "0.79", True),
        (Drawn(0.5, 0.1, 100), "0.81", False),
        (Drawn(1.0, 0.0, 100), "1.0000", True),
        (Drawn(1.0, 0.0, 100), "0.9999", False),
        (Between(0.87, 1), "0.87", True),
        (Between(0.875, 1), "0.86", False),
        ("yes", "no", False),
    ],
)
def test_printed_digits_mean_an_interval(ours, printed, expected):
    assert agrees(ours, printed) is expected


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """A paper of our own, of which any printed text can be chosen."""

    def plant(printed, more=""):
        (tmp_path / "nobody2026.toml").write_text(
            f'title = "Nobody (2026)"\n[table-1]\nabout = "a"\nkind = "exact"\n{more}\n[table-1.printed]\n{printed}\n'
        )
        (tmp_path / "nobody2026.py").write_text('def table_1():\n    return {("a", "x"): 0.25}\n')
        monkeypatch.setattr(compare, "HERE", tmp_path)
        monkeypatch.setattr(compare, "PAPERS", ("nobody2026",))
        monkeypatch.syspath_prepend(tmp_path)
        sys.modules.pop("nobody2026", None)
        return "nobody2026"

    yield plant
    sys.modules.pop("nobody2026", None)


def run(capsys, *arguments):
    code = compare.main(list(arguments))
    return code, capsys.readouterr().out


def test_a_wrong_digit_without_a_reason_is_exit_code_1(planted, capsys):
    assert run(capsys, planted('a = {x = "0.25"}'), "--json")[0] == 0
    code, out = run(capsys, planted('a = {x = "0.26"}'), "--json")
    assert code == 1
    cell = {"item": "table-1", "row": "a", "column": "x", "ours": 0.25, "exact": None, "printed": "0.26"}
    assert json.loads(out) == [cell | {"verdict": "differs: no reason on record"}]


def test_a_cell_that_is_not_computed_is_missing(planted, capsys):
    code, out = run(capsys, planted('b = {x = "0.25"}'))
    assert code == 1
    assert "missing: no reason on record" in out
    code, out = run(capsys, planted('b = {x = "0.25"}', 'missing = {b = "lost"}'))
    assert code == 0
    assert "missing: lost" in out


@pytest.mark.parametrize("key", ["a / x", "a", "* / x", "*"])
def test_a_reason_is_of_a_cell_a_row_a_column_or_all(planted, capsys, key):
    code, out = run(capsys, planted('a = {x = "0.26"}', f'differs = {{"{key}" = "a misprint"}}'))
    assert code == 0
    assert "differs: a misprint" in out


def test_a_kind_that_is_none_is_refused(planted):
    name = planted('a = {x = "1"}', "")
    path = compare.HERE / "nobody2026.toml"
    path.write_text(path.read_text().replace('"exact"', '"guess"'))
    with pytest.raises(ValueError, match=r"kind of table-1 must be one of exact, .* got 'guess'"):
        compare.Paper(name)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chacn2019"], "PAPER must be one of .*got 'chacn2019'; did you mean chacon2019?"),
        (
            ["chacon2019", "tabel-1"],
            "ITEM of chacon2019 must be one of .*got 'tabel-1'; did you mean table-1?",
        ),
        (["chacon2019", "table-1", "--data", "nowhere"], "--data must be a folder, got 'nowhere'"),
    ],
)
def test_wrong_arguments_are_named(capsys, arguments, said):
    with pytest.raises(SystemExit) as ended:
        compare.main(arguments)
    assert ended.value.code == 2
    assert re.search(said, capsys.readouterr().err.replace("\n", " "))


def test_the_script_runs_from_a_shell():
    command = [sys.executable, FOLDER / "compare.py", "chacon2019", "table-1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    cells = json.loads(done.stdout)
    assert [cell["verdict"] for cell in cells] == ["agrees"] * 3
    assert set(cells[0]) == {"item", "row", "column", "ours", "exact", "printed", "verdict"}
