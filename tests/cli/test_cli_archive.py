"""``confmat archive``: build, query, verify, and what is said when something is wrong."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial

import pytest
from command_line import fail, succeed
from test_archive import change, law_file

import confmat as cm
from confmat import archive
from confmat.classes import Tables
from confmat.distributions import joint_distribution


@pytest.fixture
def confmat(confmat):
    return partial(confmat, "archive")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """An archive that no test changes."""
    folder = tmp_path_factory.mktemp("it's [a] folder") / "small"
    archive.build(folder, [(2, 2), (2, 3), (3, 3)], range(5, 7))
    return folder


def test_build_and_verify(confmat, built, tmp_path):
    out = succeed(confmat("build", "--out", tmp_path / "new", "2x2..3x3", "n=5..6"))
    digest = archive.digest(archive.read_entries(built))
    assert "12 files" in out
    assert "12 of them new" in out
    assert f"Digest {digest}" in out
    assert "0 of them new" in succeed(confmat("build", "--out", tmp_path / "new", "2x2..3x3", "n=5..6"))
    listed = succeed(confmat("verify", tmp_path / "new"))
    assert f"Digest {digest}" in listed
    assert "3 of them computed again: all right" in listed
    assert ["3x3", "tables", "5..6", "2"] in [line.split()[:4] for line in listed.splitlines()]
    details = json.loads(succeed(confmat("verify", tmp_path / "new", "--json")))
    assert details["digest"] == digest
    assert details["distributions"][-1]["total"] == Tables(6, 3, 3).count()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("2x2..3x3", "n=5..2"), "n must"),
        (("3", "n=2..10"), "a shape must be like"),
        (("4x4", "n=40"), "a count of at most 38 digits"),
    ],
)
def test_bad_requests(confmat, tmp_path, options, message):
    assert message in fail(confmat("build", "--out", tmp_path / "new", *options))
    assert not (tmp_path / "new").exists()


def test_an_interrupted_build_says_how_to_continue(confmat, tmp_path, monkeypatch):
    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(archive, "build", interrupt)
    error = fail(confmat("build", "--out", tmp_path / "new", "2x2..3x3", "n=4"), 130)
    assert "run the same command again to resume" in error


def test_a_build_killed_at_any_moment_continues(confmat, built, tmp_path):
    command = [
        sys.executable,
        "-m",
        "confmat",
        "archive",
        "build",
        "--out",
        str(tmp_path),
        "2x2..3x3",
        "n=5..6",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not list(tmp_path.glob("*.parquet")) and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    succeed(confmat("build", "--out", tmp_path, "2x2..3x3", "n=5..6"))
    assert "all right" in succeed(confmat("verify", tmp_path))
    assert archive.digest(archive.read_entries(tmp_path)) == archive.digest(archive.read_entries(built))


ARD = (
    "SELECT ard_text, sum(count) AS count FROM distributions WHERE n = 6 AND r = 3 AND s = 3 AND weight = 'tables' "
    "GROUP BY ard_text, ard ORDER BY ard"
)


def test_query_as_table_csv_and_json(confmat, built):
    law = [(str(value), count) for (value,), count in list(joint_distribution(Tables(6, 3, 3), "ard"))]
    rows = json.loads(succeed(confmat("query", built, ARD, "--json")))
    assert [(row["ard_text"], row["count"]) for row in rows] == law
    lines = list(csv.reader(io.StringIO(succeed(confmat("query", built, ARD, "--format", "csv")))))
    assert lines == [["ard_text", "count"], *([value, str(count)] for value, count in law)]
    table = succeed(confmat("query", built, ARD))
    assert [tuple(line.split()) for line in table.splitlines()[2:] if line] == [
        (value, str(count)) for value, count in law
    ]


def test_wide_answers_are_not_wrapped_and_long_ones_are_cut(confmat, built):
    code, out, err = confmat("query", built, "SELECT * FROM distributions")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert out.splitlines()[:5] == [
        "n         5",
        "r         2",
        "s         2",
        "weight    labelings",
        "med       0.0",
    ]
    assert out.count("count ") == 50
    assert "these are 50 of" in err


def test_values_that_json_lacks(confmat, built):
    sql = "SELECT NULL AS a, 'nan'::DOUBLE AS b, [1, 2] AS c, DATE '2020-01-01' AS d, 2::HUGEINT ** 0 AS e, true AS f"
    assert json.loads(succeed(confmat("query", built, sql, "--json"))) == [
        {"a": None, "b": None, "c": [1, 2], "d": "2020-01-01", "e": 1, "f": True}
    ]
    assert "null" in succeed(confmat("query", built, "SELECT NULL AS a"))


def test_wrong_queries(confmat, built, tmp_path):
    assert confmat("query", built, "SELECT * FROM distributions WHERE n = 99") == (
        0,
        "",
        "confmat: no rows\n",
    )
    assert fail(confmat("query", built, "SELEC 1")).count("\n") == 1
    assert "is not an archive" in fail(confmat("query", tmp_path / "none", "SELECT 1"))
    assert "is not an archive: it has no manifest.json" in fail(confmat("query", tmp_path, "SELECT 1"))


def test_a_wrong_archive_is_rejected(confmat, tmp_path):
    succeed(confmat("build", "--out", tmp_path, "2x2", "n=4..5"))
    change(law_file(tmp_path, (2, 2, 5, "tables")), "count + 1 AS count")
    law_file(tmp_path, (2, 2, 4, "tables")).unlink()
    code, out, err = confmat("verify", tmp_path)
    assert code == 1
    assert "2x2 n=5 tables: the file differs from its manifest" in out
    assert err.endswith(f"confmat: {tmp_path} is rejected: 2 problems\n")
    code, out, _ = confmat("verify", tmp_path, "--json")
    assert (code, json.loads(out)["verdict"]) == (1, "wrong")
    (tmp_path / "manifest.json").write_bytes(b"nothing")
    assert "manifest.json cannot be read" in fail(confmat("verify", tmp_path))


def test_help_names_every_command(confmat):
    out = confmat("--help")[1]
    for name in ("build", "query", "verify"):
        assert f" {name} " in out


def test_answers_for_programs(confmat, tmp_path):
    made = json.loads(succeed(confmat("build", "--out", tmp_path, "2x2", "n=2..3", "--json")))
    assert (made["distributions"], made["new"]) == (4, 4)
    checked = json.loads(succeed(confmat("verify", tmp_path, "--json")))
    assert (checked["verdict"], checked["problems"], checked["digest"]) == ("right", [], made["digest"])


def test_publication_formats(confmat, built):
    sql = "SELECT n, total AS count FROM classes WHERE r = 3 AND s = 3 AND weight = 'tables' ORDER BY n"
    wanted = [(n, cm.Tables(n, 3, 3).count()) for n in range(5, 7)]
    assert succeed(confmat("query", built, sql, "--format", "bfile")) == "".join(
        f"{n} {k}\n" for n, k in wanted
    )
    tex = succeed(confmat("query", built, sql, "--format", "tex"))
    assert r"\begin{tabular}{rr}" in tex
    assert f"6 & {wanted[-1][1]}" in tex
    rows = succeed(confmat("query", built, "SELECT * FROM distributions", "--format", "csv")).splitlines()
    assert len(rows) == 1 + sum(entry.points for entry in archive.read_entries(built))
    assert "a column named 'count'" in fail(confmat("query", built, "FROM classes", "--format", "bfile"))
