"""Queries and exports: against joint laws, exact numbers, errors."""

import duckdb
import pytest

from confmat import archive
from confmat.archive.folder import create_archive, law_file
from confmat.classes import Tables
from confmat.laws import joint


def test_queries_agree_with_joint(built):
    found = archive.query(
        built,
        "SELECT ard, sum(count) AS count FROM laws WHERE n = 6 AND r = 3 AND s = 3 AND weight = 'tables' "
        "GROUP BY ard, ard_num, ard_den ORDER BY ard_num / ard_den",
    )
    law = joint(Tables(6, 3, 3), "ard").support
    assert list(zip(found["ard"], found["count"])) == [(str(value), count) for (value,), count in law]


def test_answers_are_never_rounded(built):
    row = archive.query(built, "SELECT 12345678901234567890123::DECIMAL(38,0) AS a, NULL AS b, 7 AS c")
    assert row.iloc[0, 0] == 12345678901234567890123
    assert row.iloc[0, 1] is None
    partly = archive.query(built, "SELECT unnest([9007199254740993, NULL]) AS x")
    assert partly["x"].tolist() == [9007199254740993, None]
    assert archive.query(built, "SELECT n, n FROM laws LIMIT 1").shape == (1, 2)
    assert archive.query(built, "SELECT n FROM laws WHERE n > 99").shape == (0, 1)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELEC 1", "sql cannot be run: Parser Error"),
        ("SELECT foo FROM laws", 'sql cannot be run: Binder Error: Referenced column "foo" not found'),
        ("SELECT 'x'::INTEGER", "sql cannot be run: Conversion Error"),
        ("SELECT * FROM entries", "Table with name entries does not exist"),  # no variable of ours
        ("", "sql must ask for something"),
    ],
)
def test_wrong_sql(built, sql, message):
    with pytest.raises(ValueError, match=message):
        archive.query(built, sql)


OTHER_STATEMENTS = [
    ("COPY laws TO '{0}/x.csv'", "COPY"),
    ("SELECT 1; COPY laws TO '{0}/x.csv'", "SELECT, COPY"),
    ("COPY (PIVOT laws ON r USING sum(n)) TO '{0}/x.csv'", "MULTI"),
    ("EXPLAIN ANALYZE COPY laws TO '{0}/x.csv'", "EXPLAIN"),
    ("FROM query('COPY laws TO ''{0}/x.csv''')", None),
    ("EXPORT DATABASE '{0}/x'", "EXPORT"),
    ("ATTACH '{0}/x.db'", "ATTACH"),
    ("CREATE TABLE x AS SELECT 1", "CREATE"),
    ("SET enable_external_access = true", "SET"),
]


@pytest.mark.parametrize(("sql", "found"), OTHER_STATEMENTS)
def test_a_query_writes_nothing(copied, tmp_path, sql, found):
    """Not outside the archive, and not in it."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    before = sorted(copied.rglob("*"))
    for folder in (elsewhere, copied):
        with pytest.raises(ValueError, match=f"changes nothing, got {found}$" if found else "sql "):
            archive.query(copied, sql.format(folder))
        with pytest.raises(ValueError, match="sql "):
            archive.query_to_file(copied, sql.format(folder), elsewhere / "out.csv")
    assert list(elsewhere.iterdir()) == []
    assert sorted(copied.rglob("*")) == before


@pytest.mark.parametrize("reader", ["'{}'", "read_csv('{}')", "read_text('{}')", "glob('{}')"])
def test_a_query_reads_nothing_else(built, tmp_path, reader):
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n")
    sql = f"SELECT * FROM {reader.format(secret)}"
    for ask in (archive.query, lambda *x: archive.query_to_file(*x, tmp_path / "out.csv")):
        with pytest.raises(ValueError, match="sql cannot be run"):
            ask(built, sql)
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


def test_an_archive_in_the_working_folder(copied, monkeypatch):
    monkeypatch.chdir(copied)
    assert archive.query(".", "SELECT count(*) FROM laws").iloc[0, 0] > 0
    archive.query_to_file(".", "SELECT 1 AS one", "one.csv")
    assert (copied / "one.csv").read_text() == "one\n1\n"


def test_an_archive_without_laws_can_be_asked(tmp_path):
    create_archive(tmp_path)
    assert archive.verify(tmp_path, recompute=5) == ()
    assert len(archive.query(tmp_path, "SELECT med, count FROM laws")) == 0
    assert len(archive.query(tmp_path, "SELECT value, given_med FROM extremes")) == 0


def test_a_missing_file_is_named(copied):
    law_file(copied, (3, 3, 6, "tables")).unlink()
    with pytest.raises(archive.ArchiveError, match=r"3x3-n06-tables.parquet is missing"):
        archive.query(copied, "SELECT 1")


@pytest.mark.parametrize("view", ["laws", "extremes", "classes"])
def test_exported_files_hold_everything_in_order(built, tmp_path, view):
    with archive.connect(built) as connection:
        relation = connection.view(view)
        expected, columns = relation.fetchall(), relation.columns
    for file_format in ("csv", "parquet"):
        out = tmp_path / f"it's.{file_format}"
        archive.export(built, out, file_format, view)
        reader = "read_csv(?, all_varchar = true)" if file_format == "csv" else "read_parquet(?)"
        found = duckdb.connect().execute(f"SELECT * FROM {reader}", [str(out)])
        assert [column[0] for column in found.description] == columns
        rows = found.fetchall()
        if file_format == "parquet":
            assert rows == expected
        else:
            assert rows == [tuple(None if x is None else str(x) for x in row) for row in expected]


def test_sums_written_as_parquet_stay_exact(built, tmp_path):
    sql = "SELECT sum(x) AS big FROM (SELECT unnest([9223372036854775807, 9223372036854775807]) AS x)"
    archive.query_to_file(built, sql, tmp_path / "big.parquet")
    with duckdb.connect() as connection:
        assert connection.from_parquet(str(tmp_path / "big.parquet")).fetchall() == [(2**64 - 2,)]


def test_export_refuses_what_it_does_not_know(built, tmp_path):
    with pytest.raises(ValueError, match="file_format must be"):
        archive.export(built, tmp_path / "x", "xlsx")
    with pytest.raises(ValueError, match="view must be one of"):
        archive.export(built, tmp_path / "x", "csv", "law")
    with pytest.raises(OSError, match="No such file"):
        archive.export(built, tmp_path / "nowhere" / "x.csv", "csv")
