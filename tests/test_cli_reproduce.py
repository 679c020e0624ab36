"""``confmat reproduce``: what is listed runs, is printed narrow, and is written whole or not at all."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import partial
from inspect import Parameter, signature

import pandas as pd
import pytest

from confmat.cli import output
from confmat.cli import reproduce as command
from confmat.cli.app import run
from confmat.studies import KINDS, PaperItem, without_numbers
from confmat.studies.papers import PAPERS, find_item, is_simulated, items, taken

EVERY = [(paper, item) for paper in PAPERS for item in items(paper)]
FAST = [
    ("chacon2019", "table-1"),
    ("chacon2019", "figure-1"),
    ("chacon2019", "section-4.2"),
    ("chacon2019", "figure-8"),
    ("amodio2015", "toy"),
    ("amodio2015", "toy-crisp"),
    ("flynt2019", "table-2"),
    ("flynt2019", "table-9"),
]


@pytest.mark.parametrize(("paper", "item"), EVERY, ids=lambda x: getattr(x, "id", x))
def test_every_item_can_be_computed_without_an_argument(paper, item):
    for function in (item.compute, item.draw):
        if function is not None:
            parameters = signature(function).parameters.values()
            optional = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
            assert all(p.default is not Parameter.empty or p.kind in optional for p in parameters)
    compute = signature(item.compute).parameters
    assert "replications" not in compute or "seed" in compute
    if item.draw is not None and "seed" in signature(item.draw).parameters:
        assert "seed" in compute
    assert item.description
    assert len(f"{paper} {item.id}: {item.description}") <= 80


@pytest.mark.parametrize("paper", PAPERS)
def test_ids_are_unique_file_names(paper):
    ids = [item.id for item in items(paper)]
    assert len(set(ids)) == len(ids)
    assert all(name.replace("-", "").replace(".", "").isalnum() for name in ids)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_table_and_figure_of_a_paper_has_an_item(paper):
    for kind, count in (("table", PAPERS[paper].tables), ("figure", PAPERS[paper].figures)):
        for number in range(1, count + 1):
            assert f"{kind}-{number}" in find_item(paper, f"{kind}-{number}").names
    names = [name for item in items(paper) for name in item.names]
    assert len(set(names)) == len(names)


def test_another_name_and_a_table_of_notation(capsys, tmp_path):
    assert run(["reproduce", "flynt2019", "table-5"]) == 0
    assert "flynt2019 table-2: RI, ARI and sARI" in capsys.readouterr().out
    assert run(["reproduce", "santos2009", "table-2", "--out", str(tmp_path)]) == 0
    assert "nothing to compute" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


# Printing.


def shown(entry, frame, capsys, width=80):
    """The lines of a table on a page of a width."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "_WIDTH", width)
        command._print_result("title", entry, frame, written=True)
    return capsys.readouterr().out.splitlines()


LONGEST_UNPRINTED = {(-0.95, "sari_hard_soft"): 1.0, ("digits", "unpruned"): 1.0}


@pytest.mark.parametrize(("paper", "item"), EVERY, ids=lambda x: getattr(x, "id", x))
def test_no_row_is_folded(paper, item, capsys):
    """With an sd, and as many digits as there can be: each row is one line, and begins with its whole key."""
    printed = item.printed or LONGEST_UNPRINTED
    keys = [key if isinstance(key, tuple) else (key,) for key in printed]
    index = pd.MultiIndex.from_tuples(keys, names=["data set", "classifier", "measure"][: len(keys[0])])
    frame = pd.DataFrame({"ours": -1 / 3, "sd": 0.0012345, "printed": list(printed.values())}, index=index)
    frame = frame.assign(difference=frame["ours"] - frame["printed"])
    frame = frame.assign(**{name: -12.3456789 for name in item.beside if name not in frame})
    lines = shown(item, frame, capsys)
    assert max(map(len, lines)) <= 80
    rows = lines[3:-1]
    assert [line.split()[: len(" ".join(map(str, key)).split())] for key, line in zip(keys, rows)] == [
        " ".join(map(str, key)).split() for key in keys
    ]
    assert len(rows) == len(keys)


def test_a_narrow_page_has_fewer_columns_then_lines(capsys):
    item = find_item("santos2009", "table-5")
    index = pd.MultiIndex.from_tuples(
        [("Check4x4(1000,10)", "MLP", "COR")], names=["data set", "by", "measure"]
    )
    frame = pd.DataFrame({"ours": 1 / 3, "sd": 0.1, "printed": 0.3, "difference": 1 / 30}, index=index)
    assert "difference" in shown(item, frame, capsys)[1]
    for width in (44, 30):
        lines = shown(item, frame, capsys, width)
        assert "difference" not in lines[1]
        assert {"Check4x4(1000,10)", "MLP", "COR"} <= set(" ".join(lines).split())


def test_numbers_of_ours_where_none_is_printed(capsys):
    assert run(["reproduce", "santos2009", "table-3-ari"]) == 0
    out = capsys.readouterr().out
    assert "216/293" in out
    assert "0.7372014" in out
    frame = pd.DataFrame({"ours": range(30), "printed": float("nan")})
    lines = shown(find_item("santos2009", "table-3-ari"), frame, capsys)
    assert lines[-2] == "6 more rows: in the CSV file."


def test_columns_that_say_more_than_a_difference(capsys, monkeypatch):
    whole = find_item("santos2009", "table-5-ranges")
    item = replace(whole, compute=partial(whole.compute, names=["Wdbc"]), printed={("Wdbc", "SVM"): 0.28})
    monkeypatch.setattr(command, "_chosen", lambda paper, name: (item,))
    assert run(["reproduce", "santos2009", "table-5-ranges"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split()[-5:] == ["one", "low", "one", "high", "possible"]
    assert "difference" not in lines[1]
    assert lines[3].endswith("no")  # SVM, the only one printed here
    assert run(["reproduce", "santos2009", "table-5-ranges", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert [row["possible"] for row in result["rows"]] == [False, False]


@pytest.mark.parametrize(("paper", "item"), EVERY, ids=lambda x: getattr(x, "id", x))
def test_items_say_what_they_are(paper, item):
    """A kind and one line; nothing is printed and a formula at once; the words fit the numbers."""
    assert item.kind in KINDS
    assert 10 < len(item.note) < 170
    assert not set(item.printed) & set(item.formula)
    assert (item.kind == "notation") == (item.compute is without_numbers("x", "x").compute)
    assert item.kind != "exact" or (item.simulation is None and not is_simulated(item))
    if item.kind == "other data":
        assert not item.printed


@pytest.mark.parametrize("kind", ["exact", "selected"])
def test_kinds_and_notes_are_printed_and_written(kind, tmp_path, capsys):
    item = next(item for item in items("chacon2019") if item.kind == kind)
    assert run(["reproduce", "chacon2019", item.id, "--out", str(tmp_path)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"{kind.capitalize()}: {item.note}" in out
    assert "--full" not in out
    frame = pd.read_csv(tmp_path / f"chacon2019-{item.id}.csv")
    assert set(frame["kind"]) == {kind}
    assert set(frame["note"]) == {item.note}
    assert run(["reproduce", "chacon2019", item.id, "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert (result["kind"], result["note"], result["record"]) == (kind, item.note, "")


def test_records_are_shown_unless_an_option_is_given(capsys):
    """With seed, size, date, cost and digest."""
    item = find_item("amodio2015", "table-8")
    assert run(["reproduce", "amodio2015", "table-8", "--json"]) == 0
    (recorded,) = json.loads(capsys.readouterr().out)
    assert recorded["kind"] == "recorded"
    assert recorded["record"] == str(item.simulation.provenance())
    for part in ("recorded 2026-11-22", "100 replications", "seed 2015", "cost 1 s of one core", "digest "):
        assert part in recorded["record"]
    assert run(["reproduce", "amodio2015", "table-8", "--json", "--replications", "1"]) == 0
    (drawn,) = json.loads(capsys.readouterr().out)
    assert (drawn["kind"], drawn["record"]) == ("same design", "")
    assert drawn["rows"] != recorded["rows"]


def test_what_a_formula_gives_is_not_printed(capsys):
    assert run(["reproduce", "chacon2019", "section-3.4", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    exception = next(row for row in result["rows"] if row["row"][1] == "(4, 3, 3)")
    assert exception["printed"] is None
    assert exception["formula"] == pytest.approx(5 / 6)
    assert exception["difference"] == pytest.approx(1 / 3 - 5 / 6)


@pytest.mark.parametrize(("paper", "item"), FAST)
def test_fast_items(paper, item, tmp_path, capsys):
    out = tmp_path / "new" / "folder"
    assert run(["reproduce", paper, item, "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert f"{paper} {item}: " in printed.out
    assert max(map(len, printed.out.splitlines())) <= 80
    frame = pd.read_csv(out / f"{paper}-{item}.csv")
    assert {"ours", "printed", "difference"} <= set(frame)
    assert frame["difference"].dropna().tolist() == pytest.approx(
        (frame["ours"] - frame.get("formula", frame["printed"]).fillna(frame["printed"])).dropna().tolist(),
        abs=1e-12,
    )
    has_figure = find_item(paper, item).draw is not None
    suffixes = (".csv", ".png", ".svg") if has_figure else (".csv",)
    assert {path.name for path in out.iterdir()} == {f"{paper}-{item}{suffix}" for suffix in suffixes}
    if has_figure:
        assert (out / f"{paper}-{item}.png").read_bytes().startswith(b"\x89PNG")
        assert ET.parse(out / f"{paper}-{item}.svg").getroot().tag.endswith("svg")


def test_pictures_have_the_same_bytes_every_time(tmp_path):
    for name in ("a", "b"):
        assert run(["reproduce", "chacon2019", "table-3", "--out", str(tmp_path / name)]) == 0
    for suffix in (".csv", ".png", ".svg"):
        first, second = (
            (tmp_path / name / f"chacon2019-table-3{suffix}").read_bytes() for name in ("a", "b")
        )
        assert first == second


def test_replications_and_seed_reach_the_simulation(capsys):
    arguments = ["reproduce", "amodio2015", "table-9", "--replications", "2", "--json"]
    found = []
    for seed in ("1", "1", "2"):
        assert run([*arguments, "--seed", seed]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1] != found[2]
    (result,) = found[0]
    assert result["item"] == "table-9"
    assert set(result["rows"][0]) == {"row", "printed", "ours", "sd", "difference"}


def test_list_names_every_item(capsys):
    assert run(["reproduce", "--list"]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    text = " ".join(text.split())
    for paper, item in EVERY:
        assert paper in text
        assert item.id in text
        assert item.description in text
        assert all(name in text for name in item.also)
    assert "table-7 same design, recorded how often" in text
    assert run(["reproduce", "chacon2019", "--list", "--json"]) == 0
    entries = {entry["item"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert entries["figure-3"]["simulated"]
    assert not entries["figure-5"]["simulated"]
    assert entries["figure-5"]["figure"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a paper: chacon2019, "),
        (["chacon2020"], "paper must be one of chacon2019, "),
        (["chacon2019", "table-9"], "item of chacon2019 must be one of table-1, "),
        (["chacon2019", "table-1", "--seed", "1"], "--seed changes nothing in table-1"),
        (["chacon2019", "figure-4", "--replications", "99"], "replications must be "),
        (["chacon2019", "table-1", "--recompute"], "--recompute changes nothing in table-1"),
    ],
)
def test_errors_say_what_there_is(arguments, message, capsys):
    assert run(["reproduce", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert not captured.out


def test_out_must_not_be_a_file(tmp_path, capsys):
    target = tmp_path / "file"
    target.write_text("kept")
    assert run(["reproduce", "chacon2019", "table-1", "--out", str(target)]) == 2
    assert "--out" in capsys.readouterr().err
    assert target.read_text() == "kept"


def test_nothing_is_written_when_the_figure_fails(tmp_path, monkeypatch, capsys):
    def broken():
        raise ValueError("no figure")

    good = find_item("chacon2019", "table-1")
    item = replace(good, draw=broken)
    monkeypatch.setattr(command, "_chosen", lambda paper, name: (item,))
    assert run(["reproduce", "chacon2019", "table-1", "--out", str(tmp_path)]) == 2
    assert "no figure" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_missing_extra_is_named(monkeypatch, capsys):
    def needs_more():
        raise ImportError("pip install 'confmat[ml]'")

    item = PaperItem("x", "x", "exact", "x", needs_more)
    monkeypatch.setattr(command, "_chosen", lambda paper, name: (item,))
    assert run(["reproduce", "chacon2019", "x"]) == 2
    assert "confmat: x: pip install 'confmat[ml]'" in capsys.readouterr().err


def test_options_are_those_that_a_function_takes():
    assert taken(lambda seed=1: None, seed=3, replications=2) == {"seed": 3}
    assert taken(lambda seed=1: None, seed=None) == {}
    assert is_simulated(find_item("flynt2019", "table-7"))
    assert not is_simulated(find_item("flynt2019", "table-8"))


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "item"), EVERY, ids=lambda x: getattr(x, "id", x))
def test_every_item_runs(paper, item, tmp_path, capsys):
    few = (
        ["--replications", "200" if paper == "chacon2019" else "1"]
        if "replications" in signature(item.compute).parameters
        else []
    )
    assert run(["reproduce", paper, item.id, "--out", str(tmp_path), *few]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_without_scikit_learn_the_extra_is_named():
    code = (
        "import sys; sys.modules['sklearn'] = None; from confmat.cli.app import run;"
        "sys.exit(run(['reproduce', 'santos2009', 'table-4']))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr == ("confmat: table-4: needs scikit-learn: python -m pip install 'confmat[ml]'\n")
