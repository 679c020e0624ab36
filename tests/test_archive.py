"""Archives: against the laws themselves and the index functions, resume, digests, verification, queries."""

import json
import shutil
from decimal import Decimal
from fractions import Fraction
from math import factorial, prod

import duckdb
import numpy as np
import pandas as pd
import pytest

from confmat import archive
from confmat.archive.build import total_weight
from confmat.archive.folder import (
    EXTREMES,
    LAWS,
    content_digest,
    extremes_file,
    law_file,
    read_rows,
    write_columns,
    write_entries,
)
from confmat.classes import Tables, canonical
from confmat.engine.run import Resources
from confmat.engine.work import WEIGHTS
from confmat.indices.partition import SHORT_NAMES
from confmat.laws import joint

SHAPES = [(1, 2), (2, 2), (2, 3), (3, 2), (3, 3)]
SIZES = range(1, 7)
NAMES = ("med", "rd", "ard")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """An archive that no test changes, in a folder whose name is not easy."""
    folder = tmp_path_factory.mktemp("it's [an] *archive*") / "a b"
    archive.build(folder, SHAPES, SIZES, resources=Resources(threads=1))
    return folder


@pytest.fixture
def copied(built, tmp_path):
    """The same archive, to be damaged."""
    return shutil.copytree(built, tmp_path / "copy")


def labelings(matrix):
    cells = [int(x) for x in np.ravel(matrix)]
    return factorial(sum(cells)) // prod(map(factorial, cells))


def rewrite(path, schema, change):
    """Write a Parquet file again with its rows changed."""
    rows = change([list(row) for row in read_rows(path, schema)])
    write_columns(path, schema, dict(zip(schema, map(list, zip(*rows)))))


# --- what is in it --------------------------------------------------------------------------------


def test_it_lists_what_was_asked_for_in_order(built):
    keys = [entry.key for entry in archive.read_entries(built)]
    assert keys == sorted((r, s, n, weight) for r, s in SHAPES for n in SIZES for weight in WEIGHTS)


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (3, 3)])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_laws_are_the_indices_of_every_matrix(built, shape, weight):
    matrices = Tables(6, *shape)
    law = {}
    for matrix in matrices:
        values = tuple(str(SHORT_NAMES[name](matrix, exact=True)) for name in NAMES)
        law[values] = law.get(values, 0) + (1 if weight == "tables" else labelings(matrix))
    where = f"n = 6 AND r = {shape[0]} AND s = {shape[1]} AND weight = '{weight}'"
    found = archive.query(built, f"SELECT med, rd, ard, count FROM laws WHERE {where}")
    assert {tuple(row[:3]): row[3] for row in found.values.tolist()} == law
    assert sum(law.values()) == total_weight(matrices, weight)


def test_law_digests_are_those_of_the_laws(built):
    for entry in archive.read_entries(built)[::5]:
        assert entry.law_digest == joint(entry.tables, *NAMES, weight=entry.weight).digest()


@pytest.mark.parametrize("matrices", [Tables(5, 2, 3), Tables(6, 3, 2), Tables(6, 3, 3)], ids=repr)
def test_extremes_are_those_of_every_matrix(built, matrices):
    values = {name: {} for name in NAMES}
    for matrix in matrices:
        found = {name: SHORT_NAMES[name](matrix, exact=True) for name in NAMES}
        for name in NAMES:
            values[name].setdefault(None, set()).add(found[name])
            if name != "med":
                values[name].setdefault(found["med"], set()).add(found[name])
    expected = {
        (name, extreme, None if given is None else str(given), str(end(among)))
        for name, by_med in values.items()
        for given, among in by_med.items()
        for extreme, end in (("min", min), ("max", max))
    }
    where = f"n = {matrices.n} AND r = {matrices.r} AND s = {matrices.s}"
    rows = archive.query(
        built, f"SELECT statistic, extreme, given_med, value, matrix FROM extremes WHERE {where}"
    )
    rows = [tuple(None if x is None or x != x else x for x in row) for row in rows.values.tolist()]
    assert {row[:4] for row in rows} == expected
    for statistic, _, given, value, text in rows:
        matrix = [[int(x) for x in row.split(",")] for row in text.split(";")]
        assert matrix in matrices
        assert canonical(matrix).tolist() == matrix
        assert SHORT_NAMES[statistic](matrix, exact=True) == Fraction(value)
        assert given is None or SHORT_NAMES["med"](matrix, exact=True) == Fraction(given)


def test_classes_without_members_are_listed_and_empty(built):
    empty = [entry for entry in archive.read_entries(built) if entry.n < max(entry.r, entry.s)]
    assert empty
    for entry in empty:
        assert (entry.matrices, entry.total, entry.points) == (0, 0, 0)
        assert read_rows(law_file(built, entry.key), LAWS) == []
        assert entry.content_digest == content_digest([])


def test_one_point_in_one_cluster(tmp_path):
    archive.build(tmp_path, [(1, 1)], [1])
    assert archive.query(tmp_path, "SELECT med, rd, ard, count FROM laws").values.tolist() == [
        ["0", "0", "0", 1],
        ["0", "0", "0", 1],
    ]
    assert archive.verify(tmp_path) == ()


def test_other_readers_need_no_confmat(built):
    file = law_file(built, (3, 3, 6, "labelings"))
    frame = pd.DataFrame(duckdb.connect().from_parquet(str(file)).fetchall(), columns=list(LAWS))
    assert sum(frame["count"]) == Decimal(total_weight(Tables(6, 3, 3), "labelings"))
    assert "count, a DECIMAL(38,0)" in (built / "README.md").read_text()


def test_counts_beyond_64_bits_are_exact(tmp_path):
    total = total_weight(Tables(20, 4, 4), "labelings")
    assert total > 2**64
    archive.build(tmp_path, [(4, 4)], [20], ["labelings"])
    (entry,) = archive.read_entries(tmp_path)
    assert entry.total == total
    assert archive.query(tmp_path, "SELECT sum(count) FROM laws").iloc[0, 0] == total
    assert archive.verify(tmp_path) == ()


# --- building -------------------------------------------------------------------------------------


def test_order_and_threads_do_not_change_the_digest(built, tmp_path):
    for weight, sizes in (("labelings", [6, 2, 4]), ("tables", SIZES), ("labelings", SIZES)):
        archive.build(tmp_path, SHAPES[::-1], sizes, [weight], resources=Resources(threads=3))
    assert archive.digest(archive.read_entries(tmp_path)) == archive.digest(archive.read_entries(built))


def test_the_digest_notices_every_number():
    entry = archive.Entry(4, 2, 2, "tables", 17, 17, 5, "a", "b", "c", "1.0", "method")
    seen = {archive.digest([entry])}
    for name in ("n", "r", "s", "matrices", "total", "points"):
        seen.add(archive.digest([archive.Entry(**{**vars(entry), name: 1})]))
    for name in ("weight", "law_digest", "content_digest", "extremes_digest"):
        seen.add(archive.digest([archive.Entry(**{**vars(entry), name: "other"})]))
    assert len(seen) == 11
    assert archive.digest([archive.Entry(**{**vars(entry), "version": "2.0", "method": "x"})]) in seen


class Killed(BaseException):
    pass


def test_a_killed_build_continues(built, tmp_path):
    def kill(step):
        if step.done == 10:
            raise Killed

    with pytest.raises(Killed):
        archive.build(tmp_path, SHAPES, SIZES, progress=kill)
    kept = {entry.key: entry for entry in archive.read_entries(tmp_path)}
    assert len(kept) == 10
    # What a kill in the middle of a file leaves: an unfinished law, and a file under its temporary name.
    law_file(tmp_path, (3, 3, 6, "tables")).write_bytes(b"PAR1 half a file")
    (tmp_path / "laws" / ".3x3-n06-labelings.parquet.4711.tmp").write_bytes(b"PAR1")
    times = {key: law_file(tmp_path, key).stat().st_mtime_ns for key in kept}

    steps = []
    archive.build(tmp_path, SHAPES, SIZES, progress=steps.append)
    assert steps[0].total == len(SHAPES) * len(SIZES) * 2 - 10
    assert (steps[-1].done, steps[-1].key) == (steps[0].total, None)
    assert {key: law_file(tmp_path, key).stat().st_mtime_ns for key in kept} == times
    assert archive.verify(tmp_path) == ()
    assert archive.digest(archive.read_entries(tmp_path)) == archive.digest(archive.read_entries(built))


def test_lost_and_cut_files_are_built_again(copied, built):
    law_file(copied, (2, 3, 6, "tables")).unlink()
    extremes_file(copied, (3, 3, 5, "")).unlink()
    cut = law_file(copied, (3, 3, 6, "labelings"))
    cut.write_bytes(cut.read_bytes()[:-20])
    assert archive.missing(copied, SHAPES, SIZES) == [
        (2, 3, 6, "tables"),
        (3, 3, 5, "labelings"),
        (3, 3, 5, "tables"),
        (3, 3, 6, "labelings"),
    ]
    archive.build(copied, SHAPES, SIZES)
    assert archive.verify(copied) == ()
    assert archive.read_entries(copied) == archive.read_entries(built)


def test_a_foreign_folder_is_left_as_it_is(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(archive.ArchiveError, match=r"is not an archive: it has no manifest\.json"):
        archive.build(tmp_path, [(2, 2)], [4])
    (tmp_path / "manifest.json").write_text('{"format": "another"}')
    for call in (lambda: archive.build(tmp_path, [(2, 2)], [4]), lambda: archive.verify(tmp_path)):
        with pytest.raises(archive.ArchiveError, match="was not written by this program"):
            call()
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(archive.ArchiveError, match=r"manifest\.json cannot be read"):
        archive.query(tmp_path, "SELECT 1")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["manifest.json", "notes.txt"]


def test_another_version_of_the_format_is_refused(copied):
    (copied / "manifest.json").write_text(json.dumps({"format": "confmat archive", "version": 99}))
    with pytest.raises(archive.ArchiveError, match="has version 99 of the format, not 1"):
        archive.build(copied, SHAPES, [9])


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(archive.ArchiveError, match="file is not a folder"):
        archive.build(tmp_path / "file", [(2, 2)], [4])
    with pytest.raises(archive.ArchiveError, match="cannot be written: Not a directory"):
        archive.build(tmp_path / "file" / "archive", [(2, 2)], [4])


def test_a_file_that_cannot_be_written_says_so(tmp_path):
    archive.build(tmp_path, [(2, 2)], [3])
    (tmp_path / "laws" / "2x2-n04-tables.parquet").mkdir()
    with pytest.raises(archive.ArchiveError, match=r"2x2-n04-tables.parquet cannot be written"):
        archive.build(tmp_path, [(2, 2)], [4], ["tables"])
    assert [entry.n for entry in archive.read_entries(tmp_path)] == [3, 3]


@pytest.mark.parametrize(
    ("shapes", "sizes", "weights", "message"),
    [
        ([(2, 2)], [4], ["matrices"], "weights must be among .* got 'matrices'"),
        ([(2, 2)], [-1], ["tables"], "sizes must be at least 0, got -1"),
        ([(0, 2)], [4], ["tables"], "r must be at least 1, got 0"),
        ([(4, 4)], [40], ["labelings"], r"counts have at most 38 digits, labelings of Tables\(n=40"),
        ([(4, 4)], [80], ["tables"], r"the law of Tables\(n=80.* may have over 5e\+07 points"),
        ([(9, 9)], [90], ["tables"], r"must be smaller"),
    ],
)
def test_bad_requests_are_refused_before_any_work(tmp_path, shapes, sizes, weights, message):
    with pytest.raises(ValueError, match=message):
        archive.build(tmp_path / "new", shapes, sizes, weights)
    assert not (tmp_path / "new").exists()


def test_total_weight_is_the_sum_over_the_class():
    for matrices in (Tables(6, 2, 3), Tables(5, 3, 3), Tables(2, 3, 3), Tables(4, 1, 1)):
        assert total_weight(matrices, "tables") == sum(1 for _ in matrices)
        assert total_weight(matrices, "labelings") == sum(map(labelings, matrices))


# --- verification ---------------------------------------------------------------------------------


def test_a_right_archive_has_no_problems(built):
    steps = []
    assert archive.verify(built, recompute=3, seed=1, progress=steps.append) == ()
    assert steps[-1].done == steps[-1].total == len(archive.read_entries(built))


def test_a_changed_count_is_found(copied):
    def one_more(rows):
        rows[3][-1] += 1
        return rows

    rewrite(law_file(copied, (3, 3, 6, "labelings")), LAWS, one_more)
    total = total_weight(Tables(6, 3, 3), "labelings")
    assert archive.verify(copied) == (
        f"3x3 n=6 labelings: the counts add up to {total + 1}, the closed form is {total}",
        "3x3 n=6 labelings: its rows do not have the digest that is listed",
    )


def reseal(folder, key):
    """Put the digest of the rows of a law, as they are now, on the list."""
    entries = archive.read_entries(folder)
    digest = content_digest(read_rows(law_file(folder, key), LAWS))
    changed = [
        archive.Entry(**{**vars(entry), "content_digest": digest}) if entry.key == key else entry
        for entry in entries
    ]
    write_entries(folder, changed)


def test_mass_moved_under_a_new_digest_is_found_by_another_method(copied):
    def moved(rows):
        rows[0][-1] -= 1
        rows[-1][-1] += 1
        return rows

    key = (3, 3, 6, "tables")
    rewrite(law_file(copied, key), LAWS, moved)
    reseal(copied, key)
    assert archive.verify(copied) == (
        "3x3 n=6 tables: the law of the RD is not the one found without visiting tables",
    )
    problems = archive.verify(copied, recompute=len(archive.read_entries(copied)))
    assert any("computed again, its content_digest is" in problem for problem in problems)


def test_mass_of_labelings_moved_is_found_by_recomputing(copied):
    def moved(rows):
        rows[0][-1] -= 1
        rows[-1][-1] += 1
        return rows

    key = (3, 3, 6, "labelings")
    rewrite(law_file(copied, key), LAWS, moved)
    reseal(copied, key)
    assert archive.verify(copied) == ()
    problems = archive.verify(copied, recompute=len(archive.read_entries(copied)))
    assert [problem.split(" is ")[0] for problem in problems] == [
        "3x3 n=6 labelings: computed again, its content_digest"
    ]


def test_wrong_extremes_and_witnesses_are_found(copied):
    def changed(rows):
        rows[5][7] += 1  # the largest ARD
        rows[0][-1] = "3,1,0;1,1,0;0,0,0"  # not a member
        rows[1][-1] = "1,0,0;0,1,0;0,0,4"  # not canonical
        rows[2][-1] = "no matrix"
        return rows[:-1]

    rewrite(extremes_file(copied, (3, 3, 6, "")), EXTREMES, changed)
    problems = archive.verify(copied)
    assert sum("does not have the digest that is listed" in problem for problem in problems) == 2
    assert sum("the matrix" in problem for problem in problems) == 4
    assert any("the max of ard is given as" in problem for problem in problems)
    assert any("is not there, in the law it is" in problem for problem in problems)


def test_missing_damaged_and_foreign_files_are_found(copied):
    law_file(copied, (2, 2, 5, "tables")).unlink()
    law_file(copied, (2, 2, 6, "tables")).write_bytes(b"PAR1 not really")
    shutil.copy(law_file(copied, (2, 3, 6, "tables")), law_file(copied, (2, 3, 5, "tables")))
    shutil.copy(copied / "classes.parquet", law_file(copied, (3, 3, 4, "tables")))
    (copied / "laws" / "mine.txt").write_text("")
    problems = "\n".join(archive.verify(copied))
    assert "2x2-n05-tables.parquet is missing" in problems
    assert "2x2-n06-tables.parquet is damaged" in problems
    assert "2x3 n=5 tables: its file has rows of another class or weight" in problems
    assert "3x3-n04-tables.parquet has other columns than an archive's" in problems
    assert "mine.txt is not part of the archive" in problems


def test_a_wrong_list_is_found(copied):
    first, *rest = archive.read_entries(copied)
    changed = archive.Entry(**{**vars(rest[-1]), "total": 1, "points": 1})
    write_entries(copied, [first, first, *rest[:-1], changed])
    problems = archive.verify(copied)
    assert any("lists a law twice" in problem for problem in problems)
    assert any("listed with total 1, the closed form is" in problem for problem in problems)
    assert any("1 are listed" in problem for problem in problems)
    (copied / "classes.parquet").write_bytes(b"")
    with pytest.raises(archive.ArchiveError, match=r"classes.parquet is damaged"):
        archive.verify(copied)


# --- queries and export ---------------------------------------------------------------------------


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


def test_an_archive_without_laws_can_be_asked(tmp_path):
    archive.build(tmp_path, [], [])
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
    assert duckdb.connect().from_parquet(str(tmp_path / "big.parquet")).fetchall() == [(2**64 - 2,)]


def test_export_refuses_what_it_does_not_know(built, tmp_path):
    with pytest.raises(ValueError, match="file_format must be"):
        archive.export(built, tmp_path / "x", "xlsx")
    with pytest.raises(ValueError, match="view must be one of"):
        archive.export(built, tmp_path / "x", "csv", "law")
    with pytest.raises(OSError, match="No such file"):
        archive.export(built, tmp_path / "nowhere" / "x.csv", "csv")
