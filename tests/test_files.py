"""Files of labels in the dialects that people's programs write: one reader, and what it refuses."""

import gzip
import io
import json

import pandas as pd
import pytest
from command_line import fail, succeed

from confmat.indices.soft import read_memberships
from confmat.matrices import read_columns

TRUTH, FOUND = ["setosa", "new york", "setosa"], ["1", "2", "2"]


def labels(table):
    return [list(table.values[i]) for i in table.labels]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("truth,found\nsetosa,1\nnew york,2\nsetosa,2\n", ""),
        ("truth\tfound\nsetosa\t1\nnew york\t2\nsetosa\t2\n", "tabs"),
        ("truth;found\r\nsetosa;1\r\nnew york;2\r\nsetosa;2\r\n", "semicolons"),
        ("truth | found\nsetosa | 1\nnew york | 2\nsetosa | 2", "bars"),
        ('truth found\nsetosa 1\n"new york"  2\nsetosa 2 \n', "spaces"),
        ('"truth" "found"\n"1" "setosa" 1\n"2" "new york" 2\n"3" "setosa" 2\n', "first column names"),
        ('"","truth","found"\n"a","setosa",1\n"b","new york",2\n"c","setosa",2\n', "first column names"),
        (",truth,found\n0,setosa,1\n1,new york,2\n2,setosa,2\n", "first column names"),
        ("Unnamed: 0,truth,found\n5,setosa,1\n1,new york,2\n2,setosa,2\n", "first column names"),
        ("id,truth,found\nx7,setosa,1\nx9,new york,2\nx8,setosa,2\n", "first column names"),
        ("plant,truth,found\n1,setosa,1\n2,new york,2\n3,setosa,2\n", "first column names"),
        ('"truth","found"\n"setosa","1"\n\n"new york","2"\n"setosa","2"\n', ""),
    ],
)
def test_dialects(text, note):
    for content in (text.encode(), text.encode("utf-8-sig"), text.encode("utf-16")):
        table = read_columns(content)
        assert labels(table) == [TRUTH, FOUND]
        assert [table.names[i] for i in table.labels] == ["truth", "found"]
        assert note in "; ".join(table.notes)
        assert bool(note) == bool(table.notes)


def told(content, **options):
    """Names of the columns, values, lines and notes."""
    table = read_columns(content, **options)
    assert table.index == (INDEX in table.notes)
    return table.names, [list(x) for x in table.values], table.lines, table.notes


INDEX = "its first column names the objects"
HEADLESS = "it has no header"
SEMICOLONS = "separated by semicolons"


@pytest.mark.parametrize(
    ("text", "options", "answer"),
    [
        # What separates: the first by which all lines are alike, a header shorter by one or not.
        ("a,b", {}, (("a", "b"), [[], []], (), ())),
        ("a", {}, (("a",), [[]], (), ())),
        ("a\n1\n1", {}, (("a",), [["1", "1"]], (2, 3), ())),
        ("a b;c d\ne f;g h", {}, (("a b", "c d"), [["e f"], ["g h"]], (2,), (SEMICOLONS,))),
        ("a,b;c\nd;e", {}, (("a,b", "c"), [["d"], ["e"]], (2,), (SEMICOLONS,))),
        ("a b,c\nd e,f", {"sep": " "}, (("a", "b,c"), [["d"], ["e,f"]], (2,), ("separated by spaces",))),
        # Lines that are left out count.
        ("a,b\n\nx,1\n\ny,1\n", {}, (("a", "b"), [["x", "y"], ["1", "1"]], (3, 5), ())),
        ("#c\na,b\n#,\nx,1\n", {"comment": "#"}, (("a", "b"), [["x"], ["1"]], (4,), ())),
        ("#,b\nx,1\n", {}, (("#", "b"), [["x"], ["1"]], (2,), ())),
        # A header, or none: a cell that occurs below, or a number above numbers, in every column.
        ("x,1\nx,2\n", {}, (("1", "2"), [["x", "x"], ["1", "2"]], (1, 2), (HEADLESS,))),
        ("x,1\nx,y\n", {}, (("x", "1"), [["x"], ["y"]], (2,), ())),
        ("x,y\nx,2\n", {}, (("x", "y"), [["x"], ["2"]], (2,), ())),
        ("x;1,5\nx;2\n", {}, (("1", "2"), [["x", "x"], ["1,5", "2"]], (1, 2), (SEMICOLONS, HEADLESS))),
        ("x,\nx,\n", {}, (("x",), [["x"]], (2,), ())),
        ("a\tb\n\t1\ny\t\n", {}, (("a", "b"), [[None, "y"], ["1", None]], (2, 3), ("separated by tabs",))),
        ("1,2\n1,3\n", {"header": True}, (("1", "2"), [["1"], ["3"]], (2,), ())),
        ("a,b\n1,3\n", {"header": False}, (("1", "2"), [["a", "1"], ["b", "3"]], (1, 2), (HEADLESS,))),
        # A column that names the objects: without a name, or called so and all different, or that counts three or more.
        (",b\nx,1\n", {}, (("", "b"), [["x"], ["1"]], (2,), (INDEX,))),
        ("b,\nx,1\n", {}, (("b", ""), [["x"], ["1"]], (2,), ())),
        ("b,c\nu,x,1\n", {}, (("", "b", "c"), [["u"], ["x"], ["1"]], (2,), (INDEX,))),
        ("ID,b,c\nu,x,1\nv,x,1\n", {}, (("ID", "b", "c"), [["u", "v"], ["x", "x"], ["1", "1"]], (2, 3), (INDEX,))),
        ("id,b,c\nu,x,1\nu,x,1\n", {}, (("id", "b", "c"), [["u", "u"], ["x", "x"], ["1", "1"]], (2, 3), ())),
        ("id,b\nu,x\nv,x\n", {}, (("id", "b"), [["u", "v"], ["x", "x"]], (2, 3), ())),
        ("k,b,c\n0,x,1\n1,x,1\n2,y,1\n", {}, (("k", "b", "c"), [[*"012"], [*"xxy"], [*"111"]], (2, 3, 4), (INDEX,))),
        ("k,b,c\n1,x,1\n2,x,1\n3,y,1\n", {}, (("k", "b", "c"), [[*"123"], [*"xxy"], [*"111"]], (2, 3, 4), (INDEX,))),
        ("k,b,c\n1,x,1\n2,x,1\n4,y,1\n", {}, (("k", "b", "c"), [[*"124"], [*"xxy"], [*"111"]], (2, 3, 4), ())),
        ("k,b,c\n1,x,1\n2,x,1\n", {}, (("k", "b", "c"), [["1", "2"], ["x", "x"], ["1"] * 2], (2, 3), ())),
        ("1,b,c\n2,b,c\n3,b,c\n", {}, (("1", "2", "3"), [[*"123"], [*"bbb"], [*"ccc"]], (1, 2, 3), (HEADLESS, INDEX))),
        # An empty last column is the comma at the end of every line, but for one without a value in it.
        ("a,\nx,\n", {}, (("a",), [["x"]], (2,), ())),
        ("a,b\nx,\n", {}, (("a", "b"), [["x"], [None]], (2,), ())),
    ],
)  # fmt: skip
def test_what_is_told_of_a_file(text, options, answer):
    assert told(text.encode(), **options) == answer


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        (b"", {}, "standard input is empty"),
        (b"\n\n", {}, "standard input is empty"),
        (b"a,b\nx,1\n\nx\n", {}, "standard input, line 4: 1 fields, the header has 2"),
        (b"a,b\nx,1,2\nx,1\n", {}, "standard input, line 3: 2 fields, the header has 3"),
        (b"a,b\nx,1\n", {"sheet": "s"}, "sheet must go with an Excel workbook, got 's' with standard input"),
        (b"a,b\nx," + b"1" * 2**18, {"sep": ","}, "standard input, line 2: field larger than field limit"),
        (b"0,1,2\nx,y,z\n0,1,2\n", {}, "is the first line of standard input, 0,1,2, a header or data"),
        (b'{"a": 1}', {}, "standard input is JSON"),
        (b' [{"a": 1}]', {}, "standard input is JSON"),
        (b"[[1, 2]]", {}, "standard input is JSON"),
        (b"a\xff,b\n", {}, "standard input is not UTF-8 text: invalid start byte at byte 1; if it is Western"),
        (b"a\xff,b\n", {"encoding": "ascii"}, r"input is not ASCII text: ordinal not in range\(128\) at byte 1$"),
        (b"\xff\xfea", {}, "standard input is not UTF-16 text: truncated data at byte 2; if"),
    ],
)  # fmt: skip
def test_what_is_no_table_is_named(content, options, says):
    with pytest.raises(ValueError, match=says):
        read_columns(content, **options)


@pytest.mark.parametrize("mark", ["utf-16-le", "utf-16-be"])
def test_a_mark_says_in_which_order_bytes_are(mark):
    text = "\ufefftruth,found\nK\u00f6ln,1\n"
    assert told(text.encode(mark)) == (("truth", "found"), [["K\u00f6ln"], ["1"]], (2,), ())


@pytest.mark.parametrize("many", [12, 13])
def test_columns_are_found_by_name_or_by_number(many):
    names = [f"c{i}" for i in range(1, many - 1)] + ["2", "c1"]
    table = read_columns(f"{','.join(names)}\n{','.join('x' * many)}\n".encode())
    assert [table.position(name) for name in ("c2", "2", "1", str(many))] == [1, many - 2, 0, many - 1]
    with pytest.raises(ValueError, match="has 2 columns 'c1': choose them by number, from 1"):
        table.position("c1")
    for absent in ("0", str(many + 1), "-1", "c"):
        with pytest.raises(ValueError, match=f"has no column '{absent}'; its columns are 'c1', ") as refused:
            table.position(absent)
        listed = str(refused.value).partition("; its columns are ")[2]
        more = [".. (13 in all)"] if many == 13 else []
        assert listed == ", ".join([*map(repr, names[:12]), *more])


def test_a_sheet_keeps_the_numbers_of_its_rows(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in [["a", "b"], [None, None], [1.0, 2.5], [3, "x "]]:
        book.active.append(row)
    path = tmp_path / "of labels.XLSM"
    book.save(path)
    found = told(path, sheet="Sheet")
    assert found == (("a", "b"), [["1", "3"], ["2.5", "x"]], (3, 4), ())
    assert read_columns(path).sep == ""


def test_the_names_in_a_parquet_file_are_its_header(tmp_path):
    import duckdb

    path = tmp_path / "labels.pq"
    duckdb.sql("SELECT 'u' AS u, 'v' AS v").write_parquet(str(path))
    assert told(path) == (("u", "v"), [["u"], ["v"]], (2,), ())


def test_a_file_without_header_is_told_and_a_doubtful_one_refused():
    table = read_columns(b"1,1\n2,2\n1,2\n")
    assert labels(table) == [["1", "2", "1"], ["1", "2", "2"]]
    assert table.notes == ("it has no header",)
    assert labels(read_columns(b"1,x\n2,y\n3,x\n4,y\n")) == [
        list("1234"),
        list("xyxy"),
    ]  # two columns: both are labels
    assert labels(read_columns(b"7,2\n0,2\n")) == [["7", "0"], ["2", "2"]]
    with pytest.raises(ValueError, match="is the first line of standard input, 0,1, a header or data"):
        read_columns(b"0,1\n1,1\n0,0\n")
    assert labels(read_columns(b"0,1\n1,1\n0,0\n", header=True)) == [["1", "0"], ["1", "0"]]
    assert labels(read_columns(b"0,1\n1,1\n0,0\n", header=False)) == [["0", "1", "0"], ["1", "1", "0"]]


def test_the_separator_can_be_said():
    assert read_columns(b"a;b,c\nx;y,z\n", sep=";").names == ("a", "b,c")
    with pytest.raises(ValueError, match=r"sep must be one of ',', .* got ':'"):
        read_columns(b"a:b\n", sep=":")


@pytest.mark.parametrize("mark", ["NA", "", "nan", "<NA>", "None", "NULL", "#N/A"])
def test_missing_labels_in_files(confmat, tmp_path, mark):
    path = tmp_path / "r.csv"
    path.write_text(f"truth,found\na,1\n{mark},2\nb,{mark}\nb,2\na,1\n")
    for command in ("compare", "test", "classify"):
        error = fail(confmat(command, path))
        assert "2 of 5 objects have no label in column 'truth' or 'found' (line 3, 4); --na drop" in error
    _, out, err = confmat("compare", path, "--na", "drop")
    assert "n = 3 objects (2 without a label left out)" in err
    assert "3 objects, 2 clusters in truth (rows), 2 in found" in out
    assert "5 objects, 3 clusters in truth (rows), 3 in found" in succeed(
        confmat("compare", path, "--na", "label")
    )


def test_other_formats(confmat, tmp_path):
    frame = pd.DataFrame({"truth": TRUTH, "found": [1, 2, 2]}, index=[4, 5, 6])
    book, parquet = tmp_path / "book.xlsx", tmp_path / "labels.parquet"
    import duckdb

    duckdb.from_df(frame.reset_index()).write_parquet(str(parquet))
    assert labels(read_columns(parquet)) == [TRUTH, FOUND]
    book.write_bytes(b"PK")
    assert "book.xlsx" in fail(confmat("compare", book))
    parquet.write_text("no parquet")
    assert "is no Parquet file" in fail(confmat("compare", parquet))
    pytest.importorskip("openpyxl")
    frame.to_excel(book)
    assert labels(read_columns(book)) == [TRUTH, FOUND]


def test_columns_are_listed_and_chosen_by_name_or_number(confmat, tmp_path, monkeypatch):
    path = tmp_path / "labels.csv"
    path.write_text('site,"a, b",c\nx,1,u\ny,1,u\ny,2,v\n')
    assert "adjusted Rand index" in succeed(confmat("compare", path))
    assert fail(confmat("test", path)).endswith(
        "has 3 columns: choose two with --columns A,B; its columns are 'site', 'a, b', 'c'\n"
    )
    assert "its columns are 'site', 'a, b', 'c'" in fail(confmat("compare", path, "--columns", "site,d"))
    by_name = confmat("compare", path, "--columns", '"a, b",c')
    assert by_name == confmat("compare", path, "--columns", "2,3")
    assert by_name[0] == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert confmat("compare", "-", "--columns", "2,3") == by_name
    assert "belongs to FILE" in fail(confmat("compare", "--matrix", "1", "--sep", "tab"))
    assert "--sep must be one of comma, tab" in fail(confmat("compare", path, "--sep", "::"))


def test_classify_refuses_disjoint_labels_unless_they_are_matched(confmat, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("species,kmeans\na,0\na,0\nb,1\nb,0\n")
    error = fail(confmat("classify", path))
    assert "no label occurs in both columns" in error
    assert "confmat compare" in error
    assert "--match" in error
    assert "cor 0.7500 3/4" in " ".join(succeed(confmat("classify", path, "--match")).split())


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n0.75,0.25\n0,1\n",
        ",a,b\n1,0.75,0.25\n2,0,1\n",
        '"","a","b"\n"x",0.75,0.25\n"y",0,1\n',
        '"a" "b"\n"1" 0.75 0.25\n"2" 0 1\n',
        '"";"a";"b"\n"1";0,75;0,25\n"2";0;1\n',
        "# made by hand\na\tb\n0.75\t0.25\n# more\n0\t1\n",
        "0.75,0.25\n0,1\n",
    ],
)
def test_membership_files(tmp_path, text):
    path = tmp_path / "u.csv"
    path.write_text(text)
    assert read_memberships(path).tolist() == [[0.75, 0.25], [0, 1]]
    path.write_text("label\na\nNA\n")
    with pytest.raises(ValueError, match="no label in 1 of 2 lines, first in line 3"):
        read_memberships(path)


def test_a_packed_file_is_read_and_other_encodings_are_named(confmat, tmp_path):
    plain = "truth,found\nKöln,1\nBonn,2\nKöln,1\n"
    packed, western = tmp_path / "labels.csv.gz", tmp_path / "labels.csv"
    packed.write_bytes(gzip.compress(plain.encode()))
    western.write_bytes(plain.encode("latin-1"))
    told = succeed(confmat("compare", packed))
    assert "Köln" in told
    assert "give the encoding latin-1" in fail(confmat("compare", western))
    assert succeed(confmat("compare", western, "--encoding", "latin-1")) == told
    assert "encoding must be one that Python knows" in fail(confmat("compare", western, "--encoding", "x"))
    packed.write_bytes(gzip.compress(plain.encode())[:-9])
    assert "cannot be unpacked" in fail(confmat("compare", packed))


def test_json_is_refused_in_a_line(confmat, tmp_path):
    path = tmp_path / "labels.json"
    path.write_text(json.dumps([{"a": i, "b": i} for i in range(300)]))
    error = fail(confmat("compare", path))
    assert "is JSON, and no table" in error
    assert len(error) < 200


def test_a_sheet_is_chosen_by_name(confmat, tmp_path):
    path = tmp_path / "labels.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"note": ["x"]}).to_excel(book, sheet_name="notes", index=False)
        pd.DataFrame({"a": [1, 1, 2], "b": [1, 2, 2]}).to_excel(book, sheet_name="labels", index=False)
    assert "has 2 sheets: choose one with --sheet; they are 'notes', 'labels'" in fail(
        confmat("compare", path)
    )
    assert "3 objects" in succeed(confmat("compare", path, "--sheet", "labels"))
    assert "has no sheet 'label'" in fail(confmat("compare", path, "--sheet", "label"))


def test_a_comma_at_the_end_of_every_line_makes_no_column(confmat, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,b,\n1,2,\n2,2,\n")
    assert "2 objects" in succeed(confmat("compare", path))
