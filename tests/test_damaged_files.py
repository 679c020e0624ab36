"""Damaged and packed files: each reader answers, or names the file in one error of the package."""

import gzip
import random
import zipfile
from contextlib import suppress
from io import BytesIO

import duckdb
import pandas as pd
import pytest
from command_line import fail

import confmat as cm
from confmat import archive
from confmat.errors import ArchiveError, CheckpointError

FRAME = pd.DataFrame({"truth": ["a", "b", "b"] * 9, "found": ["x", "y", "x"] * 9})


def damaged(content, number, seed):
    """Yield copies of bytes that are cut, or have other bytes at a place."""
    rng = random.Random(seed)
    for i in range(number):
        place = rng.randrange(len(content))
        if i % 4 == 0:
            yield content[:place]
        elif i % 4 == 1:
            yield content[:place] + rng.randbytes(rng.randrange(1, 40)) + content[place:]
        else:
            yield content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]


def labels_file(tmp_path, suffix):
    path = tmp_path / f"labels{suffix}"
    if suffix == ".parquet":
        duckdb.from_df(FRAME).write_parquet(str(path))
    elif suffix == ".xlsx":
        FRAME.to_excel(path, index=False)
    else:
        FRAME.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".xlsx"])
def test_damaged_labels_are_refused_by_name(confmat, tmp_path, suffix):
    path = labels_file(tmp_path, suffix)
    for content in damaged(path.read_bytes(), 40, suffix):
        path.write_bytes(content)
        code, _, err = confmat("compare", path)
        assert code in (0, 2), err
        assert code == 0 or f"{path}" in err


XML = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb">{}]><a>{}</a>'
ENTITIES = "".join(f'<!ENTITY b{i} "{f"&b{i - 1 or str()};" * 10}">' for i in range(1, 9))


@pytest.mark.parametrize(
    "text",
    [
        "<a>",
        "<a/>",
        XML.format(ENTITIES, "&b8;"),
        XML.format('<!ENTITY c SYSTEM "file:///etc/passwd">', "&c;"),
    ],
)
@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"])
def test_parts_of_a_workbook_that_are_no_sheet_are_refused(confmat, tmp_path, text, part):
    path = labels_file(tmp_path, ".xlsx")
    with zipfile.ZipFile(BytesIO(path.read_bytes())) as before, zipfile.ZipFile(path, "w") as after:
        for name in before.namelist():
            after.writestr(name, text if name == part else before.read(name))
    assert f"{path} cannot be read as a .xlsx file: " in fail(confmat("compare", path))


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".CSV.GZ", ".parquet", ".xlsx"])
def test_files_are_limited_before_they_are_unpacked(confmat, tmp_path, monkeypatch, suffix):
    monkeypatch.setattr("confmat.contingency.files._MOST_BYTES", 40_000)
    path = labels_file(tmp_path, suffix.lower()).rename(tmp_path / f"small{suffix}")
    assert confmat("compare", path)[0] == 0
    long = pd.concat([FRAME] * 200)
    path = tmp_path / f"long{suffix}"
    if suffix == ".parquet":
        duckdb.from_df(long).write_parquet(str(path))
        assert path.stat().st_size < 40_000
    elif suffix == ".xlsx":
        long.to_excel(path, index=False)
    else:
        text = long.to_csv(index=False).encode() * 10
        path.write_bytes(gzip.compress(text) if "gz" in suffix.lower() else text)
    message = fail(confmat("compare", path))
    assert (
        f"{path} cannot be read as a {'.csv' if 'csv' in suffix.lower() else suffix} file: its content must have "
        "at most 40,000" in message
    )


@pytest.mark.parametrize("command", ["search ard 6 2 2 --certificate", "check ard>=0 2x2 n=..4 --out"])
def test_damaged_certificates_are_wrong_or_unreadable(confmat, tmp_path, command):
    path = tmp_path / "certificate.json"
    assert confmat(*command.split(), path)[0] == 0
    for content in [*damaged(path.read_bytes(), 40, command), b"[" * 10**5, b'{"a":' * 10**5]:
        path.write_bytes(content)
        code, _, err = confmat("verify", path)
        assert code in (0, 1, 2), err
        assert code == 0 or str(path) in err


def test_damaged_distributions_are_refused_by_name(tmp_path):
    path = tmp_path / "law"
    cm.joint_distribution(cm.Tables(6, 2, 2), "ard").save(path)
    for content in damaged(path.read_bytes(), 40, 1):
        path.write_bytes(content)
        with pytest.raises(CheckpointError, match=str(path)):
            cm.distributions.JointDistribution.load(path)


def test_damaged_archives_are_refused(tmp_path):
    path = tmp_path / "tables"
    archive.build(path, [(2, 2)], [4])
    manifest = path / "manifest.json"
    before = manifest.read_bytes()
    for content in [*damaged(before, 60, 1), b"[" * 10**5, b'{"laws":' * 10**5]:
        manifest.write_bytes(content)
        for call in (archive.verify, lambda path: archive.query(path, "SELECT max(n) FROM distributions")):
            with suppress(ArchiveError):
                call(path)
