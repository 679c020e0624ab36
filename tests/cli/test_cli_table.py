"""The command table: the paper's numbers, JSON, files, interruption."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from math import factorial

import duckdb
import pytest
from command_line import succeed

from confmat.classes import FixedMargins, Tables
from confmat.distributions import joint_distribution
from confmat.indices import partition


def exact(number):
    return Fraction(number["exact"])


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


def test_few_tables_of_many_points(confmat):
    """One row: every ARD is 1, and the MED is what is outside the largest cell."""
    lines = succeed(confmat("table", 200, 1, 2)).splitlines()
    assert lines[1] == "199 matrices, each equally likely."
    assert lines[6].split() == ["1/200", "2", "0.01005", "1.00000", "199,1"]


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
    law = json.loads(succeed(confmat("table", "rows=10,6,4", "cols=9,7,4", "--json")))
    assert law["class"] == {"kind": "fixed_margins", "n": 20, "rows": [10, 6, 4], "cols": [9, 7, 4]}
    assert law["total"] == FixedMargins((10, 6, 4), (9, 7, 4)).count()


@pytest.mark.parametrize(
    "arguments",
    [(20, 3, 3), (12, 2, 5, "--weight", "labelings"), (9, 4, 4), (6, 6, 6, "empty"), (30, 1, 1), (2, 3, 3)],
)
def test_printed_table_is_plain_and_fits(confmat, arguments):
    out = succeed(confmat("table", *arguments))
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert all(line == line.rstrip() for line in out.splitlines())


def test_printed_table_agrees_with_the_law(confmat):
    out = succeed(confmat("table", 9, 3, 3))
    for value, given in joint_distribution(Tables(9, 3, 3), "med", "rd", "ard").groupby("med"):
        lines = [line.split() for line in out.splitlines() if line.split()[:1] == [f"{value * 9}/9"]]
        assert len(lines) == 3
        assert lines[0][1] == f"{given.total:,}"
        for line, name in zip(lines[1:], ("rd", "ard")):
            assert line[1:] == [f"{float(number):.5f}" for number in [*given[name].describe().values()][1:]]


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
    names = ("med", "rd", "ard")
    found = {}
    for row in rows:
        values = tuple(Fraction(int(row[f"{name}_num"]), int(row[f"{name}_den"])) for name in names)
        assert [float(row[name]) for name in names] == [*map(float, values)]
        found[values] = int(row["count"])
    assert len(rows) == len(found)
    assert found == law
    succeed(confmat("table", 9, 3, 3, "--joint", tmp_path / "law.parquet"))
    pd.testing.assert_frame_equal(
        duckdb.read_parquet(str(tmp_path / "law.parquet")).df(), pd.read_csv(tmp_path / "law.csv")
    )


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_plot_files(confmat, tmp_path, suffix, start):
    path = tmp_path / f"law.{suffix}"
    succeed(confmat("table", 8, 2, 2, "--plot", path))
    assert path.read_bytes().startswith(start)
    assert os.listdir(tmp_path) == [path.name]


def test_checkpoint_resumes_and_another_class_adds_its_own(confmat, tmp_path):
    folder = tmp_path / "run"
    first = succeed(confmat("table", 15, 3, 3, "--checkpoint", folder))
    assert first == succeed(confmat("table", 15, 3, 3, "--checkpoint", folder))
    before = set(folder.iterdir())
    other = succeed(confmat("table", 16, 3, 3, "--checkpoint", folder))
    assert other == succeed(confmat("table", 16, 3, 3))
    assert before < set(folder.iterdir())


@pytest.mark.slow
def test_interrupted_run_says_how_to_resume_and_resumes(tmp_path):
    command = [sys.executable, "-m", "confmat", "table", "38", "4", "4", "--json"]
    folder = tmp_path / "run"
    process = subprocess.Popen([*command, "--checkpoint", str(folder)], stderr=subprocess.PIPE, text=True)
    while not list(folder.glob("*.npz")):
        assert process.poll() is None
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


@pytest.mark.parametrize("only", ["med", "rd", "cor"])
@pytest.mark.parametrize("option", [("--checkpoint", "run"), ("--scheduler", "tcp://127.0.0.1:1")])
def test_options_that_would_do_nothing_are_refused(confmat, monkeypatch, tmp_path, only, option):
    monkeypatch.chdir(tmp_path)
    code, out, err = confmat("table", 8, 3, 3, "--only", only, *option)
    assert (code, out) == (2, "")
    assert f"{option[0]} must be left out for --only" in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--only", "rd"), "interrupted; nothing was kept"),
        (("--only", "ard"), "interrupted; nothing was kept: with --checkpoint DIR a run can be resumed"),
        (("--checkpoint", "run"), "finished parts are in run: run the same command again to resume"),
    ],
)
def test_interrupted_run_suggests_a_checkpoint_only_where_there_is_one(
    confmat, monkeypatch, tmp_path, arguments, says
):
    def interrupted(*arguments, **keywords):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    for name in ("__getitem__", "groupby"):  # laws are computed when they are first asked
        monkeypatch.setattr(f"confmat.distributions.multivariate.JointDistribution.{name}", interrupted)
    code, out, err = confmat("table", 20, 3, 3, *arguments)
    assert (code, out) == (130, "")
    assert err.endswith(f"{says}\n")


@pytest.mark.slow
def test_scheduler_runs_on_a_dask_cluster(confmat):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        on_cluster = succeed(confmat("table", 12, 3, 3, "--json", "--scheduler", cluster.scheduler_address))
    assert on_cluster == succeed(confmat("table", 12, 3, 3, "--json"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("3", "8", "8", "--certificate", "proof.json"),
            "the checker of certificates does not support this class",
        ),
        (("5", "2", "2", "--certificate", "kept", "--checkpoint", "./kept"), "must be different files"),
        (("5", "2", "2", "--certificate", "law.csv"), "--joint and --certificate must be different files"),
    ],
)
def test_a_refused_command_writes_no_file(confmat, tmp_path, monkeypatch, options, said):
    monkeypatch.chdir(tmp_path)
    code, _, err = confmat("table", *options, "--joint", "law.csv")
    assert (code, len(err.splitlines()), said in err) == (2, 1, True)
    assert not list(tmp_path.iterdir())


def test_the_law_of_one_statistic_over_no_table(confmat, tmp_path):
    assert "There is no such table." in succeed(
        confmat("table", 3, 4, 1, "--only", "med", "--joint", tmp_path / "law.csv")
    )
