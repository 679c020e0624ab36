"""The commands ``check``, ``verify`` and ``conjectures``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run
from forgeries import resealed

import confmat
from confmat.classes import Tables
from confmat.conjectures import checking


def test_commands(tmp_path: Path, capsys):
    file = tmp_path / "cert.json"
    assert run(["check", "rd-max", "2x2..3x3", "n=..7", "--out", str(file)]) == 0
    total = sum(Tables(n, r, s).count() for n in range(2, 8) for r, s in [(2, 2), (2, 3), (3, 3)])
    assert f"True for all {total:,} members" in capsys.readouterr().out
    assert run(["verify", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "this certificate is right." in shown
    assert "checked: every member again, by another enumerator: the same outcomes" in shown

    content = json.loads(file.read_text())
    content["classes"][0]["members"] += 1
    file.write_text(json.dumps(content))
    assert run(["verify", str(file)]) == 1
    assert "is wrong: its digest should be" in capsys.readouterr().err
    file.write_text(resealed(content))
    assert run(["verify", str(file), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    reason = "Tables(n=2, r=2, s=2, allow_empty=False) has 2 members, but the certificate says 3"
    assert answer == {"verdict": "wrong", "reason": reason}

    assert run(["check", "med-bound", "--out", str(file)]) == 1
    assert "smallest counterexample is in Tables(n=2, r=2, s=2" in capsys.readouterr().out
    assert run(["verify", str(file)]) == 0


def test_own_conjecture_on_the_command_line(tmp_path: Path, capsys):
    source = tmp_path / "my.py"
    source.write_text(
        "from confmat.conjectures import Conjecture\n"
        "mine = Conjecture('mine', 'no 4', predicate=lambda m: bool(m.max() < 4), symmetry='transposition')\n"
    )
    assert run(["check", "mine", "--python", str(source), "2x2", "n=..10"]) == 1
    assert "matrix 0,1;4,0" in capsys.readouterr().out
    assert run(["check", "yours", "--python", str(source)]) == 2
    assert "must define a conjecture named 'yours', got mine" in capsys.readouterr().err


def test_other_kinds_and_the_script(tmp_path: Path, capsys):
    file = tmp_path / "cert.json"
    for arguments in (
        ["search", "ard", "9", "3", "3", "--certificate", str(file)],
        ["search", "ard", "30", "4", "4", "--certificate", str(file), "--json"],
        ["table", "6", "2", "2", "--certificate", str(file)],
        ["table", "5", "2", "2", "--only", "jaccard", "--weight", "labelings", "--certificate", str(file)],
    ):
        assert run(arguments) == 0
        capsys.readouterr()
        assert run(["verify", str(file), "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["verdict"] == "right"
        assert answer["not_checked"] == []
    file.write_text(confmat.check("med < 1", Tables(4, 2, 2)).to_json())
    assert run(["verify", str(file), "--script"]) == 0
    assert capsys.readouterr().out == confmat.certificates.script()
    file.write_text("")
    assert run(["verify", str(file), "--script"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["rd-max"], "of this certificate has the fields registered, symmetry"),
        (["exists med >= 0"], "of this certificate has the fields on"),
        (["med_max <= 1 - 1/s"], "of this certificate has the fields on"),
        (["med < 1 -> homogeneity >= 0"], "'homogeneity' in a formula is not supported by this script"),
    ],
)
def test_no_script_is_printed_that_cannot_check_its_certificate(tmp_path: Path, capsys, arguments, reason):
    file = tmp_path / "cert.json"
    run(["check", *arguments, "2x2", "n=2..5", "--out", str(file)])
    capsys.readouterr()
    assert run(["verify", str(file), "--script"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert reason in shown.err


def test_an_interrupted_check_prints_the_classes_that_were_covered(tmp_path: Path, capsys, monkeypatch):
    def examine(conjecture, matrices, where):
        if matrices.n > 3:
            raise KeyboardInterrupt
        return whole(conjecture, matrices, where)

    whole, file = checking.examine, tmp_path / "cert.json"
    monkeypatch.setattr(checking, "examine", examine)
    asked = ["check", "med < 1", "2x2", "n=2..5"]
    assert run([*asked, "--out", str(file)]) == 130
    shown = capsys.readouterr()
    assert "True for all 10 members of 2 classes" in shown.out
    assert "interrupted: the answer covers only the finished classes" in shown.err
    assert len(json.loads(file.read_text())["classes"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify"], "Missing argument 'CERT.json'"),
        (["verify", "nowhere.json"], "nowhere.json cannot be read"),
        (["verify", __file__], "is not checked: this is not a certificate: it is not JSON"),
        (
            ["search", "vi", "4", "2", "2", "--certificate", "x.json"],
            "certificates can be made only for the statistics med, rd,",
        ),
        (
            ["search", "med", "90", "5", "5", "--certificate", "x.json"],
            'method "theorem" does not list them. Repeat',
        ),
        (
            ["search", "rd", "4", "2", "2", "--certificate", "nowhere/x.json"],
            "--certificate must be in a directory",
        ),
        (["table", "4", "7", "2", "--certificate", "x.json"], "more than 10^6 objects, 6 rows or 6 columns"),
    ],
)
def test_other_files_are_not_certificates(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not list(tmp_path.iterdir())


def test_a_formula_on_the_command_line(tmp_path: Path, capsys):
    file = tmp_path / "cert.json"
    arguments = ["3x3", "n=..7", "--out", str(file)]
    assert run(["check", "med<=1/10 -> ari>=0", *arguments]) == 0
    total = sum(Tables(n, 3, 3).count() for n in range(3, 8))
    assert f"med <= 1/10 -> ari >= 0.\nTrue for all {total:,} members" in capsys.readouterr().out
    assert run(["verify", str(file)]) == 0
    assert run(["check", "med <= 1/3", "2x2", "n=2..4", "--out", str(file)]) == 1
    assert "(n=4, r=2, s=2, allow_empty=False): med = 1/2 = 0.5." in " ".join(capsys.readouterr().out.split())
    assert run(["verify", str(file)]) == 0
    assert run(["check", "mad<=1/10"]) == 2
    assert "unknown name 'mad'; did you mean med?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rdmax"], "did you mean rd-max?"),
        (["rd-max", "2y2", "n=..10"], "a shape must be like"),
        (["rd-max", "3x3..2x2", "n=..10"], "the end of a range of shapes must be at least its start"),
        (["rd-max", "2x2..3x3", "n=x"], "n must be an integer or a range"),
        (["rd-max", "2x2..3x3", "n=.."], "n must be an integer or a range"),
        (["rd-max", "2x2..3x3", "n=5..2"], "the end of a range of n must be at least"),
        (["rd-max", "2x2..3x3", "n=1"], "classes must not be empty"),
        (["rd-max", "--python", "nowhere.py"], "must be a Python file that exists"),
    ],
)
def test_bad_arguments(arguments, message, capsys):
    assert run(["check", *arguments]) == 2
    assert message in capsys.readouterr().err
