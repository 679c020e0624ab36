"""Files of labels and memberships: what pandas reads, and what is refused by name."""

import gzip
import json

import pandas as pd
import pytest
from command_line import fail, succeed

from confmat.contingency import read_frame, read_labels
from confmat.indices.soft import read_memberships

TRUTH, FOUND = ["setosa", "new york", "setosa"], ["1", "2", "2"]
TEXT = "truth,found\nsetosa,1\nnew york,2\nsetosa,2\n"


@pytest.fixture
def written(tmp_path):
    def write(content, name="labels.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (TEXT, "labels.csv"),
        (TEXT.encode("utf-8-sig"), "labels.csv"),
        (TEXT.replace("\n", "\r\n"), "labels.CSV"),
        (TEXT.replace(",", "\t"), "labels.tsv"),
        (gzip.compress(TEXT.encode(), mtime=0), "labels.csv.gz"),
        (TEXT.replace(",", " , "), "labels.csv"),
        ('"truth","found"\n"setosa","1"\n\n"new york","2"\n"setosa","2"\n', "labels.csv"),
    ],
)
def test_text_files_are_read(written, content, name):
    assert read_labels(written(content, name)) == {"truth": TRUTH, "found": FOUND}


@pytest.mark.parametrize("suffix", ["xlsx", "parquet"])
def test_workbooks_and_parquet_files_are_read(tmp_path, suffix):
    import duckdb

    path = tmp_path / f"labels.{suffix}"
    frame = pd.DataFrame({"truth": TRUTH, "found": [1, 2, 2]})
    if suffix == "xlsx":
        frame.to_excel(path, index=False)
    else:
        duckdb.from_df(frame).write_parquet(str(path))
    assert read_labels(path) == {"truth": TRUTH, "found": [1, 2, 2]}


def test_columns_are_chosen_by_name_and_missing_labels_are_none(written):
    path = written("id,truth,found\n1,a,x\n2,,y\n3,NA,nan\n")
    assert read_labels(path, ["found", "truth"]) == {"found": ["x", "y", None], "truth": ["a", None, None]}
    assert list(read_labels(path)) == ["id", "truth", "found"]
    with pytest.raises(ValueError, match=r"has no column 'cluster'\. Its columns are id, truth, found"):
        read_labels(path, ["truth", "cluster"])
    with pytest.raises(ValueError, match="columns must be different, got id, truth, id"):
        read_labels(path, ["id", "truth", "id"])


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (TEXT, "labels.txt", "must end in one of .csv, .tsv, .parquet, .xlsx, got"),
        ("", "labels.csv", "cannot be read as a .csv file: No columns"),
        ("a,b\n", "labels.csv", "must have a row under its header a, b"),
        ("a,\n1,2\n", "labels.csv", "must have a header that names every column, got none for column 2"),
        ("a,a\n1,2\n", "labels.csv", "must have different names of columns, got 'a' twice"),
        (
            "a,b\n1,2,3\n",
            "labels.csv",
            "cannot be read as a .csv file: .* Expected 2 fields in line 2, saw 3",
        ),
        (b"a,b\n\xff,1\n", "labels.csv", "cannot be read as a .csv file: 'utf-8' codec"),
        (b"no gzip", "labels.csv.gz", "cannot be read as a .csv file"),
        (b"no workbook", "labels.xlsx", "cannot be read as a .xlsx file"),
        (b"PAR1 no table", "labels.parquet", "cannot be read as a .parquet file"),
        ('a,b\n"x,1\n', "labels.csv", "cannot be read as a .csv file: "),
    ],
)
def test_files_that_are_no_table_are_refused_by_name(written, content, name, message):
    path = written(content, name)
    with pytest.raises(ValueError, match=f"{path.name}.*{message}|{message}"):
        read_frame(path)


def test_names_of_columns_are_as_in_the_file(tmp_path, written):
    assert read_labels(written("Unnamed: 0,a.1\n1,2\n")) == {"Unnamed: 0": ["1"], "a.1": ["2"]}
    assert read_labels(written("NA,b\n1,NA\n")) == {"NA": ["1"], "b": [None]}
    path = tmp_path / "labels.xlsx"
    pd.DataFrame([["x", "y"]], columns=["NA", "b"]).to_excel(path, index=False)
    assert read_labels(path) == {"NA": ["x"], "b": ["y"]}
    pd.DataFrame([["a", None], ["x", "y"]]).to_excel(path, index=False, header=False)
    with pytest.raises(ValueError, match="must have a header that names every column, got none for column 2"):
        read_frame(path)
    pd.DataFrame([["x", "y"]], columns=["a", "a"]).to_excel(path, index=False)
    with pytest.raises(ValueError, match="must have different names of columns, got 'a' twice"):
        read_frame(path)


def test_a_parquet_name_is_not_a_pattern(tmp_path):
    import duckdb

    for name, label in (
        ("run[1].parquet", "x"),
        ("run1.parquet", "y"),
        ("p*.parquet", "z"),
        ("pq.parquet", "y"),
    ):
        duckdb.from_df(pd.DataFrame({"a": [label]})).write_parquet(str(tmp_path / name))
    assert read_labels(tmp_path / "run[1].parquet") == {"a": ["x"]}
    assert read_labels(tmp_path / "p*.parquet") == {"a": ["z"]}


def test_memberships_are_numbers_in_every_cell(written):
    assert read_memberships(written("a,b\n0.75,0.25\n0,1\n")).tolist() == [[0.75, 0.25], [0, 1]]
    assert read_memberships(written("cluster\nx\ny\n")).tolist() == ["x", "y"]
    for content, message in (
        ("a,b\nx,1\n", "must hold a number in every cell"),
        ('cluster\nx\n""\n', "has no label in 1 rows, first in data row 2"),
        ("a,b\n0.9,0.3\n", r"labels.csv\[0\]: the memberships must have the sum 1 .*, got 1.2"),
        ("a,b\n0.9,\n", r"labels.csv\[0\]"),
    ):
        with pytest.raises(ValueError, match=message):
            read_memberships(written(content))


def test_commands_read_two_columns_or_all(confmat, written):
    path = written("id,truth,found\n1,a,x\n2,b,y\n3,b,x\n")
    assert "3 objects, 2 clusters in truth" in succeed(confmat("compare", path, "--columns", "truth,found"))
    assert "adjusted Rand index" in succeed(confmat("compare", path))
    said = fail(confmat("test", path))
    assert "has 3 columns of labels: choose two with --columns A,B. Its columns are id, truth, found" in said
    assert "must have at least two columns of labels, got only truth" in fail(
        confmat("test", path, "--columns", "truth")
    )
    assert "none.csv cannot be read: No such file" in fail(confmat("compare", path.parent / "none.csv"))


def test_commands_refuse_missing_labels_unless_told_otherwise(confmat, written):
    path = written("truth,found\na,x\n,y\nb,y\n")
    said = fail(confmat("compare", path))
    assert (
        "has no label in 1 of 3 rows of column 'truth', first in data row 2. Give --na drop or --na" in said
    )
    assert "2 objects" in succeed(confmat("compare", path, "--na", "drop"))
    assert "3 clusters in truth" in succeed(confmat("compare", path, "--na", "label"))


def test_labels_without_a_common_name_are_no_classification(confmat, written):
    path = written("truth,found\na,x\nb,y\n")
    for command in (("classification-report", path), ("test", path, "--statistic", "kappa")):
        assert "must have a label in common, got 'a', .. and 'x', .." in fail(confmat(*command))
    path = written("truth,found\na,a\nb,a\n", "same.csv")
    assert json.loads(succeed(confmat("classification-report", path, "--json")))["accuracy"]["value"] == 0.5
