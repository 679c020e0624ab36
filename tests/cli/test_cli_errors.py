"""Bad input and failures: one line that names what was given."""

import json
import os

import pytest
from command_line import fail, succeed

import confmat as cm
from confmat.classes import Tables


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tables"], "tables"),
        (["table"], "a class must read like"),
        (["table", "20", "3"], "N R S as in"),
        (["table", "20", "3"], ", got '20 3'"),
        (["table", "-5", "3", "3"], "n must be at least 0, got -5"),
        (["count", "20", "-35", "3"], "r must be at least 1, got -35"),
        (["table", "20", "3", "3", "--nosuch"], "No such option: --nosuch"),
        (["table", "5000", "2", "2"], "would take about 49 GiB of memory (limit "),
        (
            ["table", "400", "4", "4", "--only", "ard"],
            "pairs of margins, the limit is 30,000,000",
        ),
        (
            ["table", "60", "5", "5", "--only", "rd"],
            "by one pass would take about",
        ),
        (["check", "rd-max", "--out", "none/rd.json"], "--out must be in a directory that exists"),
        (
            ["check", "rd-max", "--python", "none.py"],
            "must be a Python file that exists, such as my.py, got 'none.py'",
        ),
        (["table", "x", "3", "3"], "n must be an integer or a range such as 4..14 or ..14, got 'x'"),
        (["table", "20", "0", "3"], "r must be at least 1, got 0"),
        (["table", "20", "3", "3", "rows=1,2"], "rows and cols must occur together"),
        (["table", "20", "3", "3", "rows=1,2", "cols=3"], "either rows and cols or a shape and n"),
        (["table", "rows=10,6,4", "cols=9,7,5"], "same total, got 20"),
        (["table", "rows=10,x", "cols=9"], "rows[1] must be an integer, got 'x'"),
        (["table", "20", "3", "3", "--weight", "none"], "'--weight': 'none' is not one of"),
        (
            ["table", "1" + 12 * "0", "3", "3", "--only", "med"],
            "would take about 325,963 GiB of memory (limit",
        ),
        (["table", "60", "5", "5", "--only", "rd"], "start it with --yes and --checkpoint DIR"),
        (
            ["table", "30", "8", "8"],
            "start it with --yes and --checkpoint DIR if memory suffices",
        ),
        # Too large: more time does not help.
        (["table", "1" + 12 * "0", "3", "3", "--only", "med", "--yes"], "(rows=, cols=)"),
        (["count", "1" + 24 * "0", "300"], "a class must read like"),
        (["table", "1" + 24 * "0", "300", "300"], "pairs of margins, the limit is"),
        (["count", "100000000", "2000", "2000"], "years (limit 1.0 hours). Start it with --yes"),
        (["sample", "100000000", "2000", "2000"], "years (limit 1.0 minutes)"),
        (
            ["sample", "20", "3", "3", "--size", "1" + 14 * "0", "--out", "x.csv"],
            "days (limit 1.0 hours). Start it with --yes",
        ),
        (["sample", "20", "3", "3", "--given", "med=1/3"], "a multiple of 1/20 between 0 and 1, got 1/3"),
        (
            ["table", "20", "3", "3", "--joint", "law.txt"],
            "--joint must end in .csv or .parquet, got law.txt",
        ),
        (["check-metric", "ari", "--identity", "nan"], "identity must be a number, got nan"),
        (["table", "6", "2", "2", "--json", "--format", "md"], "give --json or --format md, not both"),
        (["archive", "query", ".", "", "--json", "--format", "md"], "give --json or --format md, not both"),
        (["table", "20", "3", "3", "--plot", "none/law.png"], "directory that exists, got none/law.png"),
        (
            ["table", "60", "5", "5"],
            f"there are {Tables(60, 5, 5).count():.3e} matrices; take a smaller total",
        ),
        (["table", "1000000", "5", "7", "--yes"], "confmat count still counts it"),
        (
            ["table", "rows=220,215,93,64", "cols=108,286,71,127"],
            "by one pass would take about",
        ),
        (["sample", "20", "3", "3", "--size", "-1"], "--size must be at least 0, got -1"),
        (["sample", "20", "3", "3", "--size", "1e6"], "--size must be an integer, got '1e6'"),
        (["sample", "20", "3", "3", "--seed", "-4"], "--seed must be at least 0, got -4"),
        (["archive", "verify", ".", "--recompute", "-2"], "--recompute must be at least 0, got -2"),
        (["compare"], "give either FILE or --matrix"),
        (["compare", "none.csv"], "none.csv cannot be read"),
        (["compare", "none.csv", "--matrix", "1"], "give either FILE or --matrix"),
        (["compare", "--matrix", "1,2;3"], "matrix rows must have equal lengths"),
        (["compare", "--matrix", "1,-2"], "matrix[0, 1] must be at least 0, got -2"),
        (["compare", "--matrix", "1,b"], "matrix[0, 1] must be an integer, got 'b'"),
        (["compare", "--matrix", ""], "matrix must not be empty"),
    ],
)
def test_bad_input_is_one_line(confmat, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    code, out, err = confmat(*arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("confmat: ")
    assert says in err


def test_a_file_that_a_certificate_does_not_need_is_refused(confmat, tmp_path):
    path = tmp_path / "claim.json"
    succeed(confmat("check", "rd<=1", "2x2", "n=2", "--out", path))
    assert "--python must be a Python file that exists" in fail(
        confmat("verify", path, "--python", "nosuch.py")
    )
    succeed(confmat("search", "ard", 6, 2, 2, "--certificate", path))
    assert "--python must be left out" in fail(confmat("verify", path, "--python", "nosuch.py"))


def test_one_is_singular(confmat):
    assert "1 object, 1 class (rows: truth)" in succeed(confmat("classification-report", "--matrix", "1"))
    told = succeed(confmat("check", "rd<=1", "1x1", "n=1"))
    assert "True for all 1 member of 1 class " in told
    assert repr(cm.compare([[1]])).startswith("1 object, ")


def test_a_long_run_is_refused_unless_asked_for_twice(confmat):
    with cm.limits(seconds=1e-3):
        code, out, err = confmat("table", 18, 4, 4, "--json")
    assert (code, out) == (2, "")
    assert f"{Tables(18, 4, 4).count():,} matrices" in err
    assert "--yes" in err
    with cm.limits(seconds=1e-3):
        law = json.loads(succeed(confmat("table", 18, 4, 4, "--json", "--yes")))
    assert law["total"] == Tables(18, 4, 4).count()


@pytest.mark.parametrize(
    ("content", "columns", "says"),
    [
        (b"", None, "labels.csv cannot be read as a .csv file"),
        (b"a\nb\n", None, "must have at least two columns of labels, got only a"),
        (b"a,b\n", None, "must have a row under its header a, b"),
        (b"a,b\n1,\n", None, "has no label in 1 of 1 rows of column 'b', first in data row 1"),
        (b"a,b\n\xff,1\n", None, "cannot be read as a .csv file: 'utf-8'"),
        (b"a,b\n1,2\n", "a", "must have at least two columns of labels, got only a"),
        (b"a,b\n1,2\n", "a,c", "no column 'c'. Its columns are a, b"),
    ],
)
def test_bad_files_are_one_line(confmat, tmp_path, content, columns, says):
    path = tmp_path / "labels.csv"
    path.write_bytes(content)
    code, out, err = confmat("compare", path, *([] if columns is None else ["--columns", columns]))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert says in err


def test_files_that_cannot_be_written_are_one_line(confmat, tmp_path, monkeypatch):
    def full(*arguments, **keywords):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", full)
    monkeypatch.setattr("confmat.distributions.multivariate.JointDistribution.to_csv", full)
    for option, name in (("--plot", "law.png"), ("--joint", "law.csv")):
        code, _, err = confmat("table", 6, 2, 2, option, tmp_path / name)
        assert code == 2
        assert err == f"confmat: {option} {tmp_path / name} cannot be written: No space left on device\n"
    assert os.listdir(tmp_path) == []


def test_folders_that_cannot_be_made_are_one_line(confmat, tmp_path):
    path = tmp_path / "file"
    path.write_text("")
    assert fail(confmat("table", 6, 2, 2, "--checkpoint", path)) == (
        f"confmat: --checkpoint {path} cannot be used as a directory: File exists\n"
    )


@pytest.mark.parametrize(
    "content", ["import nosuch_module", "x = (", "1/0", "import sys; sys.exit(3)", "open('none')"]
)
def test_a_conjecture_file_that_fails_is_one_line(confmat, tmp_path, content):
    path = tmp_path / "mine.py"
    path.write_text(content)
    assert f"--python {path} cannot be run: " in fail(confmat("check", "mine", "--python", path))


def test_only_a_python_file_is_run(confmat, tmp_path):
    (tmp_path / "labels.csv").write_text("a,b\n")
    (tmp_path / "folder.py").mkdir()
    for path in (tmp_path / "labels.csv", tmp_path / "folder.py", tmp_path):
        assert f"--python must be a Python file that exists, such as my.py, got '{path}'" in fail(
            confmat("check", "mine", "--python", path)
        )


def test_classes_out_of_reach_and_without_members(confmat):
    assert "too much" in succeed(confmat("table", 1000, 20, 20, "--plan"))
    assert "too much" in succeed(confmat("table", 100, 100, 100, "--plan"))
    assert succeed(confmat("count", 20, 10**26, 3)) == "0\n"
    assert "There is no such table." in succeed(confmat("table", 20, 10**6, 10**6))
    assert "\n1 matrix, each equally likely." in succeed(confmat("table", 5, 1, 1))


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        (("tabel", 8, 2, 2), "'table'"),
        (("archive", "biuld"), "'build'"),
        (("search", "rdd", 8, 2, 2), "rd"),
        (("table", 8, 2, 2, "--only", "mde"), "med"),
        (("sample", 8, 2, 2, "--given", "mde=1/8"), "med"),
        (("check", "rdmax"), "rd-max"),
    ],
)
def test_a_misspelled_name_has_one_suggestion(confmat, command, meant):
    assert f"id you mean {meant}?" in fail(confmat(*command))
