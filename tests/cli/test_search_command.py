"""The command ``search``: JSON, text and errors."""

from __future__ import annotations

import json

import pytest
from command_line import run, succeed

from confmat._engine import run as enumeration
from confmat.classes import FixedMargins
from confmat.search import minimize


def printed(capsys, *arguments):
    code = run(["search", *arguments])
    return code, *capsys.readouterr()


def test_command_line_json(capsys):
    code, out, err = printed(capsys, "ard", "20", "2", "2", "--given", "med=8/20", "--json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert answer["class"] == {"kind": "tables", "n": 20, "r": 2, "s": 2, "empty": False}
    assert answer["value"] == {"exact": "95/84", "value": 95 / 84}
    assert answer["given"] == "med = 2/5"
    assert (answer["tables"], answer["proved"], answer["method"]) == (
        [[[12, 4], [4, 0]]],
        True,
        "exhaustive",
    )
    _, out, _ = printed(capsys, "rd", "rows=3,3", "cols=4,2", "--minimize", "--json")
    answer = json.loads(out)
    assert answer["tables"] == [[[3, 0], [1, 2]]]
    assert answer["value"]["exact"] == str(minimize(FixedMargins([3, 3], [4, 2]), "rd").value)


def test_command_line_text(capsys):
    code, out, _ = printed(capsys, "ard", "20", "2", "2")
    assert code == 0
    assert "Largest ard: 95/84 = 1.13095238095  (proved, theorem ard-max)" in out
    assert "12,4;4,0" in out
    _, out, _ = printed(capsys, "med", "30", "3", "3")
    assert "70 matrices" in out
    assert "and 50 more" in out
    assert "no such matrix" in printed(capsys, "ard", "1", "2", "2")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["adr", "5", "2", "2"], "got 'adr'"),
        (["ard", "5", "2"], "a class must read like"),
        (["ard", "5", "2", "2", "--given", "med"], "given must read like"),
        (["ard", "20", "3", "3", "--given", "med=1/3"], "a multiple of 1/20 between 0 and 1, got 1/3"),
        (["20", "3", "3"], "STATISTIC must be the first argument, as in search ard 20 3 3, got 20"),
    ],
)
def test_command_line_errors(capsys, arguments, message):
    code, out, err = printed(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_a_search_resumes_from_the_chunks_of_a_checkpoint(confmat, tmp_path, monkeypatch):
    question = (
        "search",
        "jaccard",
        "3x3",
        "n=16",
        "--minimize",
        "--given",
        "ard>1",
        "--checkpoint",
        tmp_path,
    )
    first = succeed(confmat(*question))
    assert list(tmp_path.iterdir())
    monkeypatch.setattr(enumeration, "block_of", None)
    assert succeed(confmat(*question)) == first
