"""What every command prints at 60, 80 and 120 columns; ``python -m tests.screens`` writes it anew."""

import os
import subprocess
import sys

import pytest
from screens import COMMANDS, LABELS, WIDTHS, file_of, screen, screens

from confmat.cli.app import COMMANDS as ALL


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("screens"))
        return screens()


@pytest.mark.parametrize("width", WIDTHS)
def test_screens_are_as_they_were(width, shown):
    assert shown[width].splitlines() == file_of(width).read_text(encoding="utf-8").splitlines()


def test_every_command_has_a_screen():
    shown = {command.split()[0] for command in COMMANDS}
    assert set(ALL) - shown <= {"plan", "warmup"}  # they say seconds, or where something went


def test_no_line_but_a_single_word_is_wider_than_the_page():
    for width in WIDTHS:
        text = file_of(width).read_text(encoding="utf-8")
        pages = [page for page in text.split("$ ") if "--format" not in page.partition("\n")[0]]
        lines = [line for page in pages for line in page.splitlines()[1:]]
        wide = [line for line in lines if len(line) > width]
        whole = ("Digest ", "count = ", "identity: ", "  ")  # a digest, a formula, an example, a matrix
        assert [line for line in wide if not line.startswith(whole) and "(" not in line] == []


def test_a_classifier_of_three_classes_is_told_in_25_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "")
    (tmp_path / "species.csv").write_text(LABELS["species.csv"])
    lines = screen("classification-report species.csv", 80).splitlines()
    assert len(lines) <= 25
    for word in (
        "precision",
        "recall",
        "F1",
        "support",
        "kappa",
        "Matthews",
        "accuracy",
        "balanced",
        "macro",
        "weighted",
    ):
        assert any(word in line for line in lines), word
    assert "versicolor       0          48          2" in lines


def test_a_picture_is_there_before_anybody_stops_reading(tmp_path):
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = f"{sys.executable} -m confmat table 6 2 2 --plot p.png --joint law.csv | head -1"
    subprocess.run(command, shell=True, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "law.csv").stat().st_size


def test_a_matrix_is_cut_into_blocks_of_columns_and_never_transposed(tmp_path, monkeypatch, confmat):
    monkeypatch.setenv("COLUMNS", "60")
    matrix = ";".join(",".join(str(1000 * (i + j)) for j in range(14)) for i in range(3))
    _, out, _ = confmat("compare", "--matrix", matrix)
    heads = [line.split() for line in out.splitlines() if line.split()[:1] == ["1"] and "," not in line]
    assert len(heads) >= 1
    rows = [line for line in out.splitlines() if line.startswith("3  ")]
    assert len(rows) == 3
    assert "15,000" in rows[1]
    assert "119,000" in rows[2]
