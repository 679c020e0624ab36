"""Data sets have records: what is kept has the hash and the sizes of its record, another file is refused."""

from collections import Counter
from hashlib import sha256

import pytest

import data_sets

SOURCES = data_sets.sources()


@pytest.fixture
def folder(tmp_path):
    data_sets.use_folder(tmp_path)
    yield tmp_path
    data_sets.use_folder(None)


@pytest.mark.parametrize("name", [name for name, record in SOURCES.items() if record["kept"]])
def test_stored_data_agree_with_their_record(name):
    record = SOURCES[name]
    content = (data_sets.FOLDER / f"{name}.csv").read_bytes()
    assert sha256(content).hexdigest() == record["sha256"]
    assert record["licence"].startswith(("CC BY 4.0", "GPL-2"))
    if name == "diabetes":  # with posteriors: read by the paper itself
        return
    X, y = data_sets.load(name)
    assert (*X.shape, sorted(Counter(y.tolist()).values(), reverse=True)) == data_sets.sizes(name)
    assert record["wheel"].endswith(".whl")
    assert len(record["wheel_sha256"]) == len(record["member_sha256"]) == 64


@pytest.mark.parametrize("name", [name for name, record in SOURCES.items() if not record["kept"]])
def test_data_that_are_not_stored_have_a_reason(name):
    assert not (data_sets.FOLDER / f"{name}.csv").exists()
    with pytest.raises(data_sets.NotHere, match=r"\w"):
        data_sets.load(name)


def test_another_file_of_that_name_is_refused(folder):
    (folder / "pima.csv").write_text("a,class\n1,x\n")
    with pytest.raises(ValueError, match=r"pima\.csv has the SHA-256 .*, its record"):
        data_sets.load("pima")


def test_a_broken_file_is_not_read(folder):
    (folder / "credit.csv").write_text("a,class\n1,x\n")
    with pytest.raises(data_sets.NotHere, match="lost the decimal points"):
        data_sets.load("credit")
