"""The commands sample and test, as a user runs them."""

import json
from fractions import Fraction

import numpy as np
import pytest
from command_line import fail, run, succeed

from confmat.classes import Tables
from confmat.sampling import sample
from confmat.significance import permutation_test


def test_sample_prints_csv_and_says_how(capsys):
    assert run(["sample", "50", "4", "4", "--size", "5", "--seed", "1"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("n_1_1,n_1_2")
    tables = np.array([list(map(int, line.split(","))) for line in lines[1:]]).reshape(-1, 4, 4)
    assert (tables == np.asarray(sample(Tables(50, 4, 4), 5, rng=1))).all()
    assert "rejection" in err


def test_sample_says_that_unranking_took_over(capsys):
    assert run(["sample", "6", "6", "6", "--size", "1"]) == 0
    assert "unranking (rejection would accept 0.016% of its proposals)" in capsys.readouterr().err


def test_files_hold_the_same_draws(tmp_path):
    import duckdb

    expected = np.asarray(sample(Tables(50, 4, 4), 20_000, rng=1, given={"med": Fraction(37, 50)}))
    for suffix in ("csv", "npy", "parquet"):
        path = str(tmp_path / f"draws.{suffix}")
        options = ["--size", "20000", "--seed", "1", "--given", "med=37/50", "--out", path]
        assert run(["sample", "50", "4", "4", *options]) == 0
    flat = np.loadtxt(tmp_path / "draws.csv", delimiter=",", skiprows=1, dtype=np.int64)
    assert (flat.reshape(expected.shape) == expected).all()
    assert (np.load(tmp_path / "draws.npy") == expected).all()
    rows = duckdb.sql(f"SELECT * FROM '{tmp_path}/draws.parquet'").fetchnumpy()
    assert (np.column_stack(list(rows.values())).reshape(expected.shape) == expected).all()
    assert {p.name for p in tmp_path.iterdir()} == {"draws.csv", "draws.npy", "draws.parquet"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["50", "4", "4", "--given", "med=x"], "--given must read like"),
        (["50", "4", "4", "--given", "med=38/50"], "no member"),
        (["2", "4", "4"], "at least one member"),
        (["rows=3,1", "cols=2,1"], "same total"),
        (["50", "4", "4", "--out", "draws.txt"], "must end in"),
    ],
)
def test_bad_samples(arguments, message, capsys):
    assert run(["sample", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_test_of_a_matrix(capsys):
    assert run(["test", "--matrix", "9,4,2;3,8,4;2,5,8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = permutation_test([[9, 4, 2], [3, 8, 4], [2, 5, 8]])
    assert found["method"] == "exact"
    assert found["ari"]["p"]["value"] == float(expected.p_ari.pvalue)
    assert Fraction(found["ari"]["observed"]["exact"]) == expected.ari


def test_test_of_labels(tmp_path, capsys):
    path = tmp_path / "labels.csv"
    path.write_text("a,b\n" + "x,1\n" * 6 + "y,2\n" * 5 + "y,1\n")
    assert run(["test", str(path), "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "exact" in out
    assert run(["test"]) == 2


def test_margins_too_large_to_count_are_refused(confmat):
    margin = ",".join(["10000"] * 4)
    for command in ("count", "sample"):
        assert "too large to count" in fail(confmat(command, f"rows={margin}", f"cols={margin}"))


def test_sample_of_more_matrices_than_a_double_counts(confmat, tmp_path):
    code, _, err = confmat("sample", 1000000, 10, 10, "--size", 2, "--out", tmp_path / "draws.csv")
    assert code == 0
    assert "confmat: drawn by rejection" in err


@pytest.mark.parametrize("suffix", ["csv", "npy", "parquet"])
def test_draws_that_cannot_be_written_are_one_line(confmat, tmp_path, suffix):
    out = tmp_path / f"{'x' * 255}.{suffix}"  # longer than a file name may be
    assert f"--out {out} cannot be written: " in fail(confmat("sample", 8, 3, 3, "--out", out))


def test_draws_for_programs(confmat, tmp_path):
    sized = ("sample", 8, 2, 2, "--size", 3, "--seed", 5)
    answer = json.loads(succeed(confmat(*sized, "--json")))
    assert (answer["class"]["n"], answer["seed"], answer["method"]) == (8, 5, "rejection")
    lines = succeed(confmat(*sized)).splitlines()[1:]
    assert [",".join(str(x) for row in table for x in row) for table in answer["matrices"]] == lines
    assert "not both" in fail(confmat(*sized, "--json", "--out", tmp_path / "draws.csv"))
