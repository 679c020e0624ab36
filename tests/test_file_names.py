"""File names are names: each reader and writer takes the characters of patterns, quotes and blanks literally."""

import gzip
import json
from io import BytesIO
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from command_line import succeed

import confmat as cm
from confmat import archive

NAMES = ["a[1]", "~a*?#%20'\"$ \n\u00e9", "a\\b", "n" * 250]
FRAME = pd.DataFrame({"truth": ["a", "b", "b"], "found": ["x", "y", "x"]})


@pytest.fixture(params=NAMES, ids=range(len(NAMES)))
def named(request, tmp_path, monkeypatch):
    """Return a function that makes a relative path of at most 250 bytes; the pattern would match other files, too."""
    monkeypatch.chdir(tmp_path)
    return lambda suffix="": Path(request.param[: 250 - len(suffix)] + suffix)


def content_of(suffix):
    """Return the bytes of a file of labels."""
    content = BytesIO()
    if suffix == ".parquet":
        duckdb.from_df(FRAME).write_parquet("draft")
        return Path("draft").read_bytes()
    if suffix == ".xlsx":
        FRAME.to_excel(content, index=False)
        return content.getvalue()
    text = FRAME.to_csv(index=False, sep="\t" if suffix == ".tsv" else ",").encode()
    return gzip.compress(text) if suffix == ".csv.gz" else text


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.gz", ".parquet", ".xlsx"])
def test_readers_open_the_named_file_only(confmat, named, suffix):
    for decoy in ("a1", "ab", "axb"):
        duckdb.sql("SELECT 'p' AS truth, 'p' AS found").write_parquet(f"{decoy}.parquet")
    path = named(suffix)
    path.write_bytes(content_of(suffix))
    answer = json.loads(succeed(confmat("compare", f"./{path}", "--json")))
    assert answer["ari"] == json.loads(succeed(confmat("compare", "--matrix", "1,0;1,1", "--json")))["ari"]


@pytest.mark.parametrize(
    ("command", "suffix"),
    [
        ("table 4 2 2 --joint", ".csv"),
        ("table 4 2 2 --joint", ".parquet"),
        ("table 4 2 2 --explore", ".html"),
        ("table 4 2 2 --certificate", ".json"),
        ("table 4 2 2 --plot", ".svg"),
        ("table 4 2 2 --checkpoint", ""),
        ("search ard 6 2 2 --certificate", ".json"),
        ("check ard>=0 2x2 n=..4 --out", ".json"),
        ("sample 4 2 2 --out", ".csv"),
        ("sample 4 2 2 --out", ".npy"),
        ("sample 4 2 2 --out", ".parquet"),
    ],
)
def test_writers_make_the_named_file_only(confmat, named, suffix, command):
    path = named(suffix)
    for _ in range(2):
        succeed(confmat(*command.split(), f"./{path}"))
        assert list(Path().iterdir()) == [path]
    if suffix == ".json":
        succeed(confmat("verify", f"./{path}"))
    if suffix == ".parquet":
        path.rename("b.parquet")
        assert len(duckdb.read_parquet("b.parquet").columns) > 1


def test_archives_lie_in_the_named_directory(confmat, named):
    path = named()
    archive.build("a1", [(2, 2)], [6], ["tables"])
    Path("a1/2x2-n06-tables.parquet").rename("a1/2x2-n05-tables.parquet")
    succeed(confmat("archive", "build", "--out", f"./{path}", "2x2", "n=5"))
    succeed(confmat("archive", "verify", f"./{path}", "--recompute", "9"))
    with archive.connect(path) as connection:
        assert connection.execute("SELECT DISTINCT n FROM distributions").fetchall() == [(5,)]
    assert "5" in succeed(confmat("archive", "query", f"./{path}", "SELECT DISTINCT n FROM distributions"))
    with pytest.raises(ValueError, match="file system operations are disabled"):
        archive.query(path, "FROM 'a1/2x2-n05-tables.parquet'")


def test_distributions_are_written_to_the_named_file(named):
    law = cm.joint_distribution(cm.Tables(4, 2, 2), "ard", "mcc")
    for suffix, write in ((".csv", law.to_csv), (".parquet", law.to_parquet)):
        write(named(suffix))
        assert named(suffix).is_file()
