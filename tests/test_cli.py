"""The command line: the paper's numbers through it, JSON, files, errors, interruption."""

import csv
import json
import os
import pty
import signal
import subprocess
import sys
import time
from fractions import Fraction
from math import comb, factorial

import pytest
from command_line import fail, succeed

from confmat.classes import FixedMargins, Tables
from confmat.cli import cost
from confmat.indices import partition
from confmat.laws import joint
from confmat.matrix import contingency

IRIS = "50,0,0;0,48,2;0,1,49"
MODCLUST = "47,197,7,0,0;0,1408,153,0,0;0,278,1216,0,0;0,62,0,0,0;4813,2,0,0,0"
ENTMERGE = "16,7,0,14,214;0,146,929,417,69;0,1191,81,63,159;0,0,0,0,62;4809,0,0,1,5"
STEINLEY = "1,0,1,1,0;0,1,0,0,1;1,0,1,0,1;0,1,0,1,0;1,0,1,0,1"


def exact(number):
    return Fraction(number["exact"])


# --- table ----------------------------------------------------------------------------------------


def test_table_has_the_numbers_of_the_literature(confmat):
    law = json.loads(succeed(confmat("table", 20, 3, 3, "--json")))
    assert law["class"] == {"kind": "tables", "n": 20, "r": 3, "s": 3, "empty": False}
    assert law["weight"] == "tables"
    assert law["total"] == 2806281
    rows = {exact(row["med"]): row for row in law["given_med"]}
    assert rows[0]["total"] == 1026
    assert max(rows, key=lambda med: exact(rows[med]["ard"]["max"])) == Fraction(10, 20)
    assert max(rows, key=lambda med: rows[med]["ard"]["mean"]["value"]) == Fraction(13, 20) == max(rows)
    outlier = rows[Fraction(4, 20)]["ard"]
    assert outlier["argmax"] == [[16, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert outlier["max"]["value"] == pytest.approx(1.10758, abs=5e-6)


def test_table_json_agrees_with_brute_force(confmat):
    law = json.loads(succeed(confmat("table", 7, 2, 3, "--weight", "labelings", "--json")))
    weights = {}
    for matrix in Tables(7, 2, 3):
        med, rd, ard = (
            index(matrix, exact=True)
            for index in (partition.med, partition.rand_distance, partition.adjusted_rand_distance)
        )
        weight = factorial(7)
        for x in matrix.ravel().tolist():
            weight //= factorial(x)
        weights.setdefault(med, []).append((rd, ard, weight))
    assert [exact(row["med"]) for row in law["given_med"]] == sorted(weights)
    assert law["total"] == sum(weight for values in weights.values() for *_, weight in values)
    for row in law["given_med"]:
        values = weights[exact(row["med"])]
        total = sum(weight for *_, weight in values)
        assert row["total"] == total
        assert row["probability"] == pytest.approx(total / law["total"], rel=1e-15)
        for position, name in enumerate(("rd", "ard")):
            mean = sum(value[position] * value[2] for value in values) / total
            assert row[name]["mean"]["value"] == pytest.approx(float(mean), rel=1e-15)
            assert exact(row[name]["min"]) == min(value[position] for value in values)
            assert exact(row[name]["max"]) == max(value[position] for value in values)
        witness = row["ard"]["argmax"]
        assert partition.adjusted_rand_distance(witness, exact=True) == exact(row["ard"]["max"])


def test_table_at_fixed_margins(confmat):
    law = json.loads(succeed(confmat("table", "--rows", "10,6,4", "--cols", "9,7,4", "--json")))
    assert law["class"] == {"kind": "fixed_margins", "n": 20, "rows": [10, 6, 4], "cols": [9, 7, 4]}
    assert law["total"] == FixedMargins((10, 6, 4), (9, 7, 4)).count()


@pytest.mark.parametrize(
    "arguments",
    [(20, 3, 3), (12, 2, 5, "--weight", "labelings"), (9, 4, 4), (6, 6, 6, "--empty"), (30, 1, 1), (2, 3, 3)],
)
def test_printed_table_is_plain_and_fits(confmat, arguments):
    out = succeed(confmat("table", *arguments))
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert all(line == line.rstrip() for line in out.splitlines())


def test_printed_table_agrees_with_the_law(confmat):
    out = succeed(confmat("table", 9, 3, 3))
    for row in joint(Tables(9, 3, 3), "med", "rd", "ard").given("med").rows:
        lines = [line.split() for line in out.splitlines() if line.split()[:1] == [f"{row.value * 9}/9"]]
        assert len(lines) == 3
        assert lines[0][1] == f"{row.total:,}"
        for line, name in zip(lines[1:], ("rd", "ard")):
            assert line[1:] == [f"{float(number):.5f}" for number in row.laws[name].numbers().values()]


def test_joint_files(confmat, tmp_path):
    import pandas as pd

    succeed(confmat("table", 9, 3, 3, "--joint", tmp_path / "law.csv"))
    with (tmp_path / "law.csv").open() as file:
        rows = list(csv.DictReader(file))
    law = {}
    for matrix in Tables(9, 3, 3):
        key = tuple(
            index(matrix, exact=True)
            for index in (partition.med, partition.rand_distance, partition.adjusted_rand_distance)
        )
        law[key] = law.get(key, 0) + 1
    found = {tuple(Fraction(row[name]) for name in ("med", "rd", "ard")): int(row["count"]) for row in rows}
    assert list(rows[0]) == ["med", "rd", "ard", "count"]
    assert len(rows) == len(found)
    assert found == law
    succeed(confmat("table", 9, 3, 3, "--joint", tmp_path / "law.parquet"))
    frame = pd.DataFrame(_parquet(tmp_path / "law.parquet"), columns=["med", "rd", "ard", "count"])
    assert frame.astype(str).values.tolist() == [list(row.values()) for row in rows]


def _parquet(path):
    import duckdb

    return duckdb.sql(f"SELECT med, rd, ard, count FROM '{path}'").fetchall()


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_plot_files(confmat, tmp_path, suffix, start):
    path = tmp_path / f"law.{suffix}"
    succeed(confmat("table", 8, 2, 2, "--plot", path))
    assert path.read_bytes().startswith(start)
    assert os.listdir(tmp_path) == [path.name]


def test_checkpoint_resumes_and_refuses_another_class(confmat, tmp_path):
    folder = tmp_path / "run"
    first = succeed(confmat("table", 15, 3, 3, "--checkpoint", folder, "--threads", 1))
    assert first == succeed(confmat("table", 15, 3, 3, "--checkpoint", folder, "--threads", 2))
    before = sorted(folder.iterdir())
    code, out, err = confmat("table", 16, 3, 3, "--checkpoint", folder)
    assert (code, out) == (2, "")
    assert "another run" in err
    assert sorted(folder.iterdir()) == before


@pytest.mark.slow
def test_interrupted_run_says_how_to_resume_and_resumes(tmp_path):
    command = [sys.executable, "-m", "confmat.cli", "table", "38", "4", "4", "--json"]
    folder = tmp_path / "run"
    process = subprocess.Popen([*command, "--checkpoint", str(folder)], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not list(folder.glob("*.npz")):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.startswith("confmat: interrupted")
    assert str(folder) in err
    resumed = subprocess.run(
        [*command, "--checkpoint", str(folder)], capture_output=True, text=True, check=True
    )
    fresh = subprocess.run(command, capture_output=True, text=True, check=True)
    assert resumed.stdout == fresh.stdout


@pytest.mark.slow
def test_scheduler_runs_on_a_dask_cluster(confmat):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        on_cluster = succeed(confmat("table", 12, 3, 3, "--json", "--scheduler", cluster.scheduler_address))
    assert on_cluster == succeed(confmat("table", 12, 3, 3, "--json"))


# --- count and plan -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        ((50, 4, 4), 204063621701016),
        ((9, 3, 4, "--empty"), comb(9 + 11, 11)),
        (("--rows", "10,62,13,11,39", "--cols", "65,25,45"), 239382173),
        ((2, 3, 3), 0),
    ],
)
def test_count(confmat, arguments, count):
    assert succeed(confmat("count", *arguments)) == f"{count}\n"


def test_count_may_have_thousands_of_digits(confmat):
    assert int(succeed(confmat("count", 10**6, 50, 30))) == Tables(10**6, 50, 30).count()


def test_plan(confmat):
    plan = json.loads(succeed(confmat("plan", 20, 3, 3, "--json")))
    assert plan["matrices"] == 2806281
    assert 0 < plan["tables"] < plan["matrices"]
    assert plan["seconds"] >= 0
    out = succeed(confmat("plan", "--rows", "10,6,4", "--cols", "9,7,4", "--weight", "labelings"))
    assert "confmat table --rows 10,6,4 --cols 9,7,4 --weight labelings\n" in out
    assert "--scheduler tcp://HOST:8786 --checkpoint DIR" in out
    assert "out of reach" in succeed(confmat("plan", 10**6, 5, 7))


# --- compare --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matrix", "med", "rd", "ard"),
    [
        (IRIS, Fraction(1, 50), 0.0260403, 0.0589877),
        (MODCLUST, Fraction(746, 8183), 0.0549669, 0.1122647),
        (ENTMERGE, Fraction(1040, 8183), 0.0469447, 0.0972073),
        (STEINLEY, Fraction(8, 13), 22 / 78, 78 / 67),
    ],
)
def test_compare_gives_the_printed_values(confmat, matrix, med, rd, ard):
    numbers = json.loads(succeed(confmat("compare", "--matrix", matrix, "--json")))
    assert set(partition.SHORT_NAMES) <= set(numbers)
    assert all(set(number) == {"exact", "value"} for number in numbers.values())
    assert exact(numbers["med"]) == med
    assert numbers["rd"]["value"] == pytest.approx(rd, abs=5e-8)
    assert numbers["ard"]["value"] == pytest.approx(ard, abs=5e-8)
    out = succeed(confmat("compare", "--matrix", matrix))
    assert f"{ard:.7f}" in out
    assert max(map(len, out.splitlines())) <= 80


def test_compare_reads_labels(confmat, tmp_path):
    a, b = ["x", "x", "y", "y", "z z"], ["1", "1", "1", "2", "3"]
    path = tmp_path / "labels.csv"
    path.write_text(
        "\ufeffid,truth,cluster\n" + "".join(f'{i},"{x}",{y}\n' for i, (x, y) in enumerate(zip(a, b)))
    )
    numbers = json.loads(succeed(confmat("compare", path, "--columns", "truth,cluster", "--json")))
    matrix = contingency(a, b)
    for name, index in partition.SHORT_NAMES.items():
        assert numbers[name]["value"] == pytest.approx(float(index(matrix)), rel=1e-15)
    assert exact(numbers["ari"]) == partition.adjusted_rand_index(matrix, exact=True)
    moments = partition.adjusted_rand_index_null_moments(matrix)
    assert exact(numbers["ari_null_mean"]) == moments.mean
    assert numbers["ari_null_sd"]["value"] == pytest.approx(float(moments.variance) ** 0.5)
    out = succeed(confmat("compare", path, "--columns", "truth,cluster"))
    matched = [line.split() for line in out.splitlines() if line.startswith(("x ", "y ", "z z "))]
    assert matched == [["x", "1", "2"], ["y", "2", "1"], ["z", "z", "3", "1"]]


@pytest.mark.parametrize("matrix", ["0,0", "1", "1,0;0,1", "5", f"{2**62},{2**62};1,{2**70}"])
def test_compare_degenerate_and_huge(confmat, matrix):
    assert "index" in succeed(confmat("compare", "--matrix", matrix))
    json.loads(succeed(confmat("compare", "--matrix", matrix, "--json")))


def test_undefined_indices_are_null(confmat):
    numbers = json.loads(succeed(confmat("compare", "--matrix", "1,0;0,1", "--json")))
    assert numbers["jaccard"] == {"exact": None, "value": None}
    assert exact(numbers["ari"]) == 1


# --- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tables"], "tables"),
        (["table"], "give N R S"),
        (["table", "20", "3"], "give N R S"),
        (["table", "20", "3"], "; got 20 3"),
        (["table", "-5", "3", "3"], "n must be at least 0, got -5"),
        (["count", "20", "-35", "3"], "r must be at least 1, got -35"),
        (["table", "20", "3", "3", "--nosuch"], "No such option: --nosuch"),
        (["table", "60", "4", "4", "--only", "ari"], "too many to hold (300,000,000 at most)"),
        (["check", "rd-max", "--out", "none/rd.json"], "--out must lie in a folder that exists"),
        (["check", "rd-max", "--from", "none.py"], "--from none.py cannot be read: [Errno 2]"),
        (["table", "x", "3", "3"], "N must be a whole number, got 'x'"),
        (["table", "20", "0", "3"], "r must be at least 1, got 0"),
        (["table", "20", "3", "3", "--rows", "1,2"], "--rows and --cols belong together"),
        (["table", "20", "3", "3", "--rows", "1,2", "--cols", "3"], "not both"),
        (["table", "--rows", "10,6,4", "--cols", "9,7,5"], "same total, got 20"),
        (["table", "--rows", "10,x", "--cols", "9"], "--rows[1] must be a whole number, got 'x'"),
        (["table", "20", "3", "3", "--weight", "none"], "none"),
        (["table", "20", "3", "3", "--threads", "0"], "--threads must be at least 1, got 0"),
        (
            ["table", "20", "3", "3", "--joint", "law.txt"],
            "--joint must end in .csv or .parquet, got law.txt",
        ),
        (["table", "20", "3", "3", "--plot", "none/law.png"], "folder that exists, got none/law.png"),
        (["table", "20", "3", "3", "--scheduler", "nowhere", "--threads", "2"], "not both"),
        (["table", "60", "5", "5"], f"{Tables(60, 5, 5).count():.3e} matrices, about"),
        (["table", "1000000", "5", "7", "--yes"], "confmat count still counts it"),
        (["plan", "--rows", "220,215,93,64", "--cols", "108,286,71,127"], "memory"),
        (["compare"], "give either FILE or --matrix"),
        (["compare", "none.csv"], "none.csv cannot be read"),
        (["compare", "none.csv", "--matrix", "1"], "give either FILE or --matrix"),
        (["compare", "--matrix", "1,2;3"], "matrix rows must have equal lengths"),
        (["compare", "--matrix", "1,-2"], "matrix[0, 1] must be at least 0, got -2"),
        (["compare", "--matrix", "1,b"], "matrix[0, 1] must be a whole number, got 'b'"),
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


def test_a_long_run_is_refused_unless_asked_for_twice(confmat, monkeypatch):
    monkeypatch.setattr(cost, "_PATIENCE", 0)
    code, out, err = confmat("table", 25, 4, 4, "--json")
    assert (code, out) == (2, "")
    assert f"{Tables(25, 4, 4).count():,} matrices" in err
    assert "--yes" in err
    law = json.loads(succeed(confmat("table", 25, 4, 4, "--json", "--yes")))
    assert law["total"] == Tables(25, 4, 4).count()


@pytest.mark.parametrize(
    ("content", "columns", "says"),
    [
        (b"", None, "must have two columns of labels, its header is ''"),
        (b"a,b\n", None, "no line with labels"),
        (b"a,b,c\n1,2,3\n", None, "3 columns: choose two"),
        (b"a,b\n1,2\n3\n", None, "line 3: 1 fields, the header has 2"),
        (b"a,b\n1,\n", None, "line 2: no label in column 'b'"),
        (b"a,b\n\xff,1\n", None, "not UTF-8"),
        (b"a,b\n1,2\n", "a", "--columns must be two names"),
        (b"a,b\n1,2\n", "a,c", "no column 'c'; its columns are a, b"),
        (b"a,a\n1,2\n", None, "2 columns 'a'"),
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
    monkeypatch.setattr("confmat.laws.Joint.to_csv", full)
    for option, name in (("--plot", "law.png"), ("--joint", "law.csv")):
        code, _, err = confmat("table", 6, 2, 2, option, tmp_path / name)
        assert code == 2
        assert err == f"confmat: {option} {tmp_path / name} cannot be written: No space left on device\n"
    assert os.listdir(tmp_path) == []


def test_folders_that_cannot_be_made_are_one_line(confmat, tmp_path):
    path = tmp_path / "file"
    path.write_text("")
    assert fail(confmat("table", 6, 2, 2, "--checkpoint", path)) == (
        f"confmat: --checkpoint {path} cannot be a folder: File exists\n"
    )


@pytest.mark.parametrize("content", ["import nosuch_module", "x = (", "1/0"])
def test_a_conjecture_file_that_fails_is_one_line(confmat, tmp_path, content):
    path = tmp_path / "mine.py"
    path.write_text(content)
    assert f"--from {path} cannot be run: " in fail(confmat("check", "mine", "--from", path))


def test_classes_out_of_reach_and_without_members(confmat):
    assert "out of reach" in succeed(confmat("plan", 1000, 20, 20))
    assert "years on" in succeed(confmat("plan", 100, 100, 100))
    assert succeed(confmat("count", 20, 10**26, 3)) == "0\n"
    assert "There is no such table." in succeed(confmat("table", 20, 10**6, 10**6))
    assert "\n1 matrix, each equally likely." in succeed(confmat("table", 5, 1, 1))


def on_a_terminal(command, folder):
    """What a command writes to a terminal as standard error; its standard output goes to a file."""
    control, terminal = pty.openpty()
    with open(folder / "out", "wb") as out:
        arguments = [sys.executable, "-m", "confmat.cli", *command.split()]
        process = subprocess.Popen(arguments, stdin=terminal, stdout=out, stderr=terminal)
    os.close(terminal)
    shown = b""
    try:
        while part := os.read(control, 65536):
            shown += part
    except OSError:  # the end of a terminal, on Linux
        pass
    os.close(control)
    assert process.wait() == 0, shown
    return shown.decode(), (folder / "out").read_text()


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("sample 20 3 3 --size 3 --seed 1", "Drawing"),
        ("table 8 3 3 --only ari --json", "Joint law"),
        ("table 12 3 3 --only rd --json", "Law of rd"),
        ("search ard 8 3 3 --json", "Searching 8 3 3"),
    ],
)
def test_progress_never_takes_the_output_along(tmp_path, command, says):
    shown, out = on_a_terminal(command, tmp_path)
    assert says in shown
    assert out.startswith(("{", "n_1_1,"))
    assert "\x1b" not in out


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_one_line():
    command = f"{sys.executable} -m confmat.cli table 6 2 2 > /dev/full"
    result = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr.splitlines()[0] == "confmat: [Errno 28] No space left on device"


def test_labels_that_the_terminal_cannot_show(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,b\n\u00e9,1\nf,2\n", encoding="utf-8")
    command = [sys.executable, "-m", "confmat.cli", "compare", str(path)]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "?" in result.stdout


@pytest.mark.parametrize(
    "command",
    ["table", "count", "plan", "compare", "classify", "search", "check", "conjectures", "verify", "sample"]
    + ["reproduce", "test"]
    + [f"archive {name}" for name in ("build", "list", "query", "export", "verify")],
)
def test_help_shows_examples(confmat, command):
    shown = succeed(confmat(*command.split(), "--help"))
    assert shown.count(f"confmat {command} ") > 1  # the usage, and an example


def test_starts_without_the_heavy_libraries():
    heavy = {"pandas", "matplotlib", "sympy", "sklearn", "duckdb", "networkx", "hypothesis"}
    code = (
        "import sys; from confmat.cli.app import run; run(['table', '8', '2', '2']);"
        f"print(sorted({heavy!r} & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr == "[]\n"


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m confmat.cli table 12 3 3 | head -n 1"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert result.stdout.startswith("All 3 x 3 tables")
    assert result.stderr == ""
