"""What an archive holds, resumed builds, and what a verification finds."""

import json
import os
import shutil
import sys
from collections import Counter
from decimal import Decimal

import duckdb
import pytest
from brute import WEIGHTS, obvious_law

from confmat import Limits, archive
from confmat.classes import Tables

NAMES = ("med", "rd", "ard")


def law_file(folder, key):
    r, s, n, weight = key
    return folder / f"{r}x{s}-n{n:02}-{weight}.parquet"


def change(path, replacement):
    """Write a file again as another program would, with one column replaced."""
    with duckdb.connect() as connection:
        connection.from_parquet(str(path)).to_table("rows")
        connection.sql(f"SELECT * REPLACE ({replacement}) FROM rows").to_parquet(str(path))


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (3, 3)])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_laws_are_the_indices_of_every_matrix(built, shape, weight):
    matrices = Tables(6, *shape)
    law = {tuple(map(str, values)): count for values, count in obvious_law(matrices, NAMES, weight).items()}
    where = f"n = 6 AND r = {shape[0]} AND s = {shape[1]} AND weight = '{weight}'"
    found = archive.query(
        built, f"SELECT med_text, rd_text, ard_text, count FROM distributions WHERE {where}"
    )
    assert {tuple(row[:3]): row[3] for row in found.values.tolist()} == law
    assert sum(law.values()) == (matrices.count() if weight == "tables" else matrices.labelings_count())


def test_it_lists_the_request_in_order(built, requested):
    shapes, sizes = requested
    entries = archive.read_entries(built)
    keys = [entry.key for entry in entries]
    assert keys == sorted((r, s, n, weight) for r, s in shapes for n in sizes for weight in WEIGHTS)
    for entry in entries:
        assert entry.matrices == entry.tables.count()
        if entry.n < max(entry.r, entry.s):
            assert (entry.matrices, entry.total, entry.points) == (0, 0, 0)


def test_other_readers_need_no_confmat(built):
    with duckdb.connect() as connection:
        relation = connection.from_parquet(str(law_file(built, (3, 3, 6, "labelings"))))
        types = dict(zip(relation.columns, map(str, relation.types)))
        counts = [row[-1] for row in relation.fetchall()]
    assert list(types) == [
        *("n", "r", "s", "weight"),
        *(f"{name}{part}" for name in NAMES for part in ("", "_text", "_num", "_den")),
        "count",
    ]
    assert Counter(types.values()) == {
        "INTEGER": 3,
        "VARCHAR": 4,
        "DOUBLE": 3,
        "BIGINT": 6,
        "DECIMAL(38,0)": 1,
    }
    assert sum(counts) == Decimal(Tables(6, 3, 3).labelings_count())
    assert (built / "README.md").read_text() == archive.__doc__


def test_counts_beyond_64_bits_are_exact(tmp_path):
    total = Tables(21, 3, 3).labelings_count()
    assert total > 2**64
    (entry,) = archive.build(tmp_path, [(3, 3)], [21], ["labelings"])
    assert entry.total == total
    assert archive.query(tmp_path, "SELECT sum(count) FROM distributions").iloc[0, 0] == total
    assert archive.verify(tmp_path) == ()


def test_order_and_threads_do_not_change_the_digest(built, tmp_path):
    for weight, sizes in (("labelings", [6, 2]), ("tables", [2, 4, 6]), ("labelings", [2, 4, 6])):
        archive.build(tmp_path, [(3, 3), (3, 2)], sizes, [weight], limits=Limits(threads=3))
    found = archive.read_entries(tmp_path)
    keys = {entry.key for entry in found}
    assert len(keys) == 12
    assert archive.digest(found) == archive.digest([x for x in archive.read_entries(built) if x.key in keys])


def test_the_digest_depends_on_every_number():
    entry = archive.Entry(4, 2, 2, "tables", 17, 17, 5, "a", "b")
    digests = {archive.digest([entry])}
    for name in ("n", "r", "s", "matrices", "total", "points"):
        digests.add(archive.digest([archive.Entry(**{**vars(entry), name: 1})]))
    for name in ("weight", "digest"):
        digests.add(archive.digest([archive.Entry(**{**vars(entry), name: "other"})]))
    assert len(digests) == 9
    assert archive.digest([archive.Entry(**{**vars(entry), "sha256": "other"})]) in digests


class Killed(BaseException):
    pass


def test_a_killed_build_continues(built, tmp_path):
    requested = [(2, 3), (3, 3)], [4, 6]

    def kill(step):
        if step.done == 5:
            raise Killed

    with pytest.raises(Killed):
        archive.build(tmp_path, *requested, progress=kill)
    kept = archive.read_entries(tmp_path)
    assert len(kept) == 5
    law_file(tmp_path, (3, 3, 6, "tables")).write_bytes(b"PAR1 half a file")
    (tmp_path / ".3x3-n06-labelings.parquet.4711.tmp").write_bytes(b"PAR1")
    times = {entry.key: law_file(tmp_path, entry.key).stat().st_mtime_ns for entry in kept}
    steps = []
    archive.build(tmp_path, *requested, progress=steps.append)
    assert (steps[0].total, steps[-1].done, steps[-1].key) == (3, 3, None)
    assert {key: law_file(tmp_path, key).stat().st_mtime_ns for key in times} == times
    assert archive.verify(tmp_path) == ()
    found = archive.read_entries(tmp_path)
    keys = {entry.key for entry in found}
    assert archive.digest(found) == archive.digest([x for x in archive.read_entries(built) if x.key in keys])


def test_two_builds_at_once_end_with_one_archive(tmp_path):
    def build_too(step):
        if step.done == 1:
            archive.build(tmp_path, [(2, 3)], [4])

    archive.build(tmp_path, [(2, 2)], [3, 4], progress=build_too)
    assert len(archive.read_entries(tmp_path)) == 6
    assert archive.verify(tmp_path) == ()


def test_lost_and_altered_files_are_built_again(copied, built, requested):
    law_file(copied, (2, 3, 6, "tables")).unlink()
    cut = law_file(copied, (3, 3, 6, "labelings"))
    cut.write_bytes(cut.read_bytes()[:-20])
    change(law_file(copied, (3, 3, 4, "tables")), "count + 1 AS count")
    missing = [(2, 3, 6, "tables"), (3, 3, 4, "tables"), (3, 3, 6, "labelings")]
    assert archive.missing(copied, *requested) == missing
    archive.build(copied, *requested)
    assert archive.verify(copied) == ()
    assert archive.digest(archive.read_entries(copied)) == archive.digest(archive.read_entries(built))


# --- verification -----------------------------------------------------------------------------------


def test_altered_files_are_named(copied):
    change(law_file(copied, (2, 3, 6, "tables")), "count + 1 AS count")
    law_file(copied, (3, 3, 6, "labelings")).unlink()
    law_file(copied, (3, 3, 4, "labelings")).write_bytes(b"nothing")
    first, second, third = archive.verify(copied, recompute=0)
    assert first == "2x3 n=6 tables: the file differs from its manifest"
    assert second.startswith("3x3 n=4 labelings: ")
    assert third.startswith("3x3 n=6 labelings: ")
    assert "cannot be read" in second
    assert "cannot be read" in third


def forge(folder, key, replacement):
    """Change a file, and the manifest so that it fits the file."""
    from confmat.archive.files import entry_of, write_entries

    path = law_file(folder, key)
    change(path, replacement)
    entries = [x for x in archive.read_entries(folder) if x.key != key]
    write_entries(folder, [*entries, entry_of(path, key)])


def test_a_forged_total_is_found(copied):
    forge(copied, (2, 2, 6, "tables"), "count + 1 AS count")
    (problem,) = archive.verify(copied, recompute=0)
    assert (
        problem == "2x2 n=6 tables: the counts add up to 35, the closed form is 31"
        or "closed form" in problem
    )


def test_a_forged_value_is_found_where_the_class_is_computed_again(copied):
    forge(copied, (3, 3, 6, "tables"), "ard_num + 1 AS ard_num")
    assert archive.verify(copied, recompute=0) == ()
    (problem,) = archive.verify(copied, recompute=99)
    assert problem.startswith("3x3 n=6 tables: computed again, its digest is ")


def test_steps_of_a_verification(built):
    steps = []
    assert archive.verify(built, progress=steps.append) == ()
    assert [step.done for step in steps] == list(range(steps[0].total + 1))
    assert steps[-1].key is None


# --- folders and requests that are refused ----------------------------------------------------------


def test_a_foreign_folder_is_left_as_it_is(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(archive.ArchiveError, match=r"is not an archive: it has no manifest\.json"):
        archive.build(tmp_path, [(2, 2)], [4])
    (tmp_path / "manifest.json").write_text('{"format": "another"}')
    for call in (lambda: archive.build(tmp_path, [(2, 2)], [4]), lambda: archive.verify(tmp_path)):
        with pytest.raises(
            archive.ArchiveError, match=r"another format or version: expected .*, got .*another"
        ):
            call()
    for content in ("{", "[]", '{"distributions": [{"n": 1}]}'):
        (tmp_path / "manifest.json").write_text(content)
        with pytest.raises(archive.ArchiveError, match=r"manifest\.json cannot be read"):
            archive.query(tmp_path, "SELECT 1")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["manifest.json", "notes.txt"]


@pytest.mark.parametrize("version", [4, 99])
def test_another_version_of_the_format_is_refused(copied, version):
    manifest = json.loads((copied / "manifest.json").read_text())
    (copied / "manifest.json").write_text(json.dumps({**manifest, "version": version}))
    for ask in (archive.verify, archive.read_entries, lambda x: archive.build(x, [(2, 2)], [4])):
        with pytest.raises(archive.ArchiveError, match=f"got .*'version': {version}.* another directory"):
            ask(copied)


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "archive"):
        with pytest.raises(archive.ArchiveError, match="cannot be written"):
            archive.build(folder, [(2, 2)], [4])
    with pytest.raises(archive.ArchiveError, match="has no manifest"):
        archive.read_entries(tmp_path / "none")


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    archive.build(tmp_path, [(2, 2)], [3])
    (tmp_path / "2x2-n04-tables.parquet").mkdir()
    with pytest.raises((archive.ArchiveError, OSError), match=r"2x2-n04-tables.parquet"):
        archive.build(tmp_path, [(2, 2)], [4], ["tables"])
    assert [entry.n for entry in archive.read_entries(tmp_path)] == [3, 3]


@pytest.mark.parametrize(
    ("shapes", "sizes", "weights", "message"),
    [
        ([(2, 2)], [4], ["matrices"], r"weights must contain only .* got \['matrices'\]"),
        ([(2, 2)], [4], "tables", "weights must be a list, got 'tables'"),
        ([(2, 2, 2)], [4], ["tables"], r"shapes must be pairs .* got \(2, 2, 2\)"),
        ([(2, 2)], [], ["tables"], "sizes must not be empty"),
        ([(2, 2)], [-1], ["tables"], r"sizes\[0\] must be at least 0, got -1"),
        ([(0, 2)], [4], ["tables"], r"shapes\[0\]\[0\] must be at least 1, got 0"),
        ([(4, 4)], [40], ["labelings"], r"labelings of Tables\(n=40, .* at most 38 digits, got more"),
        ([(2, 2)], [201], ["labelings"], r"labelings of Tables\(n=201, .* at most 38 digits, got more"),
    ],
)
def test_bad_requests_are_refused_before_any_work(tmp_path, shapes, sizes, weights, message):
    with pytest.raises((TypeError, ValueError), match=message):
        archive.build(tmp_path / "new", shapes, sizes, weights)
    assert not (tmp_path / "new").exists()


def test_counts_may_have_38_digits(tmp_path, monkeypatch):
    module = sys.modules["confmat.archive.build"]  # its name is that of its function
    monkeypatch.setattr(module, "_MOST_COUNT", 196)
    assert len(archive.missing(tmp_path / "new", [(2, 2)], [4])) == 2
    monkeypatch.setattr(module, "_MOST_COUNT", 195)
    with pytest.raises(ValueError, match=r"labelings of Tables\(n=4.* at most 38 digits, got more"):
        archive.missing(tmp_path / "new", [(2, 2)], [4])
    assert len(archive.missing(tmp_path / "new", [(2, 2)], [4], ["tables"])) == 1


@pytest.mark.skipif(os.name != "posix", reason="hidden files")
@pytest.mark.parametrize("names", [(), (".a.tmp",), ("a.tmp",)])
def test_a_new_folder_holds_hidden_files_at_most(tmp_path, names):
    for name in names:
        (tmp_path / name).write_text("")
    request = [(1, 2), (1, 1)], [2], ["tables"]
    keys = [(1, 1, 2, "tables"), (1, 2, 2, "tables")]
    if names == ("a.tmp",):
        for ask in (archive.missing, archive.build):
            with pytest.raises(archive.ArchiveError, match=r"is not an archive"):
                ask(tmp_path, *request)
    else:
        assert archive.missing(tmp_path, *request) == keys
        assert [entry.key for entry in archive.build(tmp_path, *request)] == keys


def test_an_archive_moved_elsewhere_is_the_same(built, tmp_path):
    shutil.copytree(built, tmp_path / "there")
    assert archive.query(tmp_path / "there", "SELECT count(*) FROM distributions").equals(
        archive.query(built, "SELECT count(*) FROM distributions")
    )
