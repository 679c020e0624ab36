"""Building: digests, resuming after a kill, folders that cannot be used, requests that are refused."""

import json
import os
import sys
from contextlib import contextmanager, nullcontext, suppress

import duckdb
import elsewhere
import pytest
from archives import extremes_file, law_file, rewrite

from confmat import archive
from confmat.classes import Tables
from confmat.laws import joint
from confmat.plans import Resources


def test_order_and_threads_do_not_change_the_digest(built, tmp_path):
    for weight, sizes in (("labelings", [6, 2]), ("tables", [2, 4, 6]), ("labelings", [2, 4, 6])):
        archive.build(tmp_path, [(3, 3), (3, 2)], sizes, [weight], resources=Resources(threads=3))
    found = archive.read_entries(tmp_path)
    keys = {entry.key for entry in found}
    assert len(keys) == 12
    assert archive.digest(found) == archive.digest([x for x in archive.read_entries(built) if x.key in keys])


def test_the_digest_notices_every_number():
    entry = archive.Entry(4, 2, 2, "tables", 17, 17, 5, 6, *"abcdefg", "1.0", "method", "checked")
    seen = {archive.digest([entry])}
    for name in ("n", "r", "s", "matrices", "total", "points", "signatures"):
        seen.add(archive.digest([archive.Entry(**{**vars(entry), name: 1})]))
    for name in ("weight", "law_digest", "content_digest", "extremes_digest", "signatures_digest"):
        seen.add(archive.digest([archive.Entry(**{**vars(entry), name: "other"})]))
    assert len(seen) == 13
    files = dict.fromkeys(("law_bytes", "extremes_bytes", "signatures_bytes"), "other")
    again = {**vars(entry), **files, "version": "2.0", "method": "x", "checked": ""}
    assert archive.digest([archive.Entry(**again)]) in seen


class Killed(BaseException):
    pass


def test_a_killed_build_continues(built, tmp_path):
    requested = [(2, 3), (3, 3)], [4, 6]

    def kill(step):
        if step.done == 5:
            raise Killed

    with pytest.raises(Killed):
        archive.build(tmp_path, *requested, progress=kill)
    kept = {entry.key: entry for entry in archive.read_entries(tmp_path)}
    assert len(kept) == 5
    # What a kill in the middle of a file leaves: an unfinished law, and a file under its temporary name.
    law_file(tmp_path, (3, 3, 6, "tables")).write_bytes(b"PAR1 half a file")
    (tmp_path / "laws" / ".3x3-n06-labelings.parquet.4711.tmp").write_bytes(b"PAR1")
    times = {key: law_file(tmp_path, key).stat().st_mtime_ns for key in kept}

    steps = []
    archive.build(tmp_path, *requested, progress=steps.append)
    assert steps[0].total == 2 * 2 * 2 - 5
    assert (steps[-1].done, steps[-1].key) == (steps[0].total, None)
    assert {key: law_file(tmp_path, key).stat().st_mtime_ns for key in kept} == times
    assert archive.verify(tmp_path) == ()
    found = archive.read_entries(tmp_path)
    keys = {entry.key for entry in found}
    assert archive.digest(found) == archive.digest([x for x in archive.read_entries(built) if x.key in keys])


def test_lost_and_cut_files_are_built_again(copied, built, requested):
    law_file(copied, (2, 3, 6, "tables")).unlink()
    extremes_file(copied, (3, 3, 4, "")).unlink()
    cut = law_file(copied, (3, 3, 6, "labelings"))
    cut.write_bytes(cut.read_bytes()[:-20])
    assert archive.missing(copied, *requested) == [
        (2, 3, 6, "tables"),
        (3, 3, 4, "labelings"),
        (3, 3, 4, "tables"),
        (3, 3, 6, "labelings"),
    ]
    archive.build(copied, *requested)
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


@pytest.mark.parametrize("version", [3, 99])
def test_another_version_of_the_format_is_refused(copied, requested, version):
    (copied / "manifest.json").write_text(json.dumps({"format": "confmat archive", "version": version}))
    ways = (
        lambda: archive.build(copied, requested[0], [9]),
        lambda: archive.query(copied, "SELECT 1"),
        lambda: archive.verify(copied),
        lambda: archive.read_entries(copied),
    )
    said = f"copy has version {version} of the format, this confmat reads 4: build it again in another folder"
    for ask in ways:
        with pytest.raises(archive.ArchiveError, match=said):
            ask()


def test_altered_files_are_built_again(copied, built, requested):
    """Those whose rows differ, and those whose rows are only written in another way."""
    rewrite(law_file(copied, (2, 3, 6, "tables")), lambda rows: rows[::-1])
    with duckdb.connect() as connection:
        file = str(law_file(copied, (3, 3, 6, "labelings")))
        connection.from_parquet(file).to_table("rows")
        connection.sql("FROM rows").to_parquet(file)
    (copied / "README.md").write_text("another text")
    assert archive.missing(copied, *requested) == [(2, 3, 6, "tables"), (3, 3, 6, "labelings")]
    archive.build(copied, *requested)
    assert archive.verify(copied) == ()
    assert archive.digest(archive.read_entries(copied)) == archive.digest(archive.read_entries(built))


def test_an_altered_list_is_not_built_upon(copied, requested):
    file = str(copied / "classes.parquet")
    with duckdb.connect() as connection:
        connection.from_parquet(file).to_table("rows")
        connection.sql("SELECT * REPLACE (total + 1 AS total) FROM rows").to_parquet(file)
    with pytest.raises(
        archive.ArchiveError, match=r"classes\.parquet is not as it was built: confmat archive verify"
    ):
        archive.build(copied, *requested)


# --- several processes --------------------------------------------------------------------------------

NEIGHBOUR = """
import sys, time
from pathlib import Path
from confmat import archive
folder, name, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
archive.build(folder / f"warm{name}", [(1, 1)], [1])
for k in range(times):
    (folder / f"ready {k} {name}").touch()
    while len(list(folder.glob(f"ready {k} *"))) < 2:
        time.sleep(0.001)
    try:
        archive.missing(folder / str(k), [(2, 2)], [2, 3])
        archive.build(folder / str(k), [(2, 2)], [2, 3])
        archive.query(folder / str(k), "SELECT max(ard) FROM laws")
        print("built")
    except archive.ArchiveError as error:
        print("waits" if "is being built by another process" in str(error) else error)
"""


@pytest.mark.parametrize("times", [3, pytest.param(30, marks=pytest.mark.slow)])
def test_neighbours_on_one_new_folder_build_or_wait(tmp_path, times):
    """At the same moment, again and again: none calls the folder foreign or damaged; what is built is right."""
    neighbours = [elsewhere.begin(NEIGHBOUR, tmp_path, name, times) for name in "ab"]
    said = [line for each in neighbours for line in each.ended()[1].splitlines()]
    assert len(said) == 2 * times
    assert set(said) <= {"built", "waits"}
    for k in range(times):
        assert archive.verify(tmp_path / str(k)) == ()


@contextmanager
def locked(folder):
    """As another process locks it that builds an archive."""
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield
    os.close(descriptor)


@pytest.mark.skipif(os.name != "posix", reason="the lock is that of POSIX systems")
@pytest.mark.parametrize("begun", [(), ("manifest.json",), (".manifest.json.1@host.tmp",)])
def test_a_folder_that_another_process_began_is_no_foreign_one(copied, tmp_path, begun):
    folder = tmp_path / "new"
    folder.mkdir()
    for name in begun:
        (folder / name).write_bytes((copied / "manifest.json").read_bytes())
    request = ([(2, 2)], [2])
    with locked(folder):
        with pytest.raises(archive.ArchiveError, match="is being built by another process"):
            archive.build(folder, *request)
        with suppress(archive.ArchiveError):  # nothing is there yet: all is missing
            assert len(archive.missing(folder, *request)) == 2
        if "manifest.json" in begun:
            with pytest.raises(archive.ArchiveError, match="is being built by another process"):
                archive.query(folder, "SELECT 1")
    archive.build(folder, *request)
    assert archive.verify(folder) == ()


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(archive.ArchiveError, match="file is not a folder"):
        archive.build(tmp_path / "file", [(2, 2)], [4])
    with pytest.raises(archive.ArchiveError, match="cannot be written: Not a directory"):
        archive.build(tmp_path / "file" / "archive", [(2, 2)], [4])


def test_a_file_that_cannot_be_written_says_so(tmp_path):
    archive.build(tmp_path, [(2, 2)], [0, 3])
    (tmp_path / "laws" / "2x2-n04-tables.parquet").mkdir()
    with pytest.raises(archive.ArchiveError, match=r"2x2-n04-tables.parquet cannot be written"):
        archive.build(tmp_path, [(2, 2)], [4], ["tables"])
    assert [entry.n for entry in archive.read_entries(tmp_path)] == [0, 0, 3, 3]


@pytest.mark.parametrize(
    ("shapes", "sizes", "weights", "message"),
    [
        ([(2, 2)], [4], ["matrices"], r"weights must be among .* got \['matrices'\]"),
        ([(2, 2)], [4], "tables", "weights must be a list, got 'tables'"),
        ([(2, 2, 2)], [4], ["tables"], r"shapes must be pairs .* got \(2, 2, 2\)"),
        ([(2, 2)], [], ["tables"], "sizes must not be empty"),
        ([(2, 2)], [-1], ["tables"], r"sizes\[0\] must be at least 0, got -1"),
        ([(0, 2)], [4], ["tables"], r"shapes\[0\]\[0\] must be at least 1, got 0"),
        ([(4, 4)], [40], ["labelings"], r"counts have at most 38 digits, labelings of Tables\(n=40"),
        ([(3, 3)], [90], ["tables"], r"the law of Tables\(n=90.* may have over 5e\+07 points"),
        ([(9, 9)], [90], ["tables"], r"must be smaller"),
    ],
)
def test_bad_requests_are_refused_before_any_work(tmp_path, shapes, sizes, weights, message):
    with pytest.raises((TypeError, ValueError), match=message):
        archive.build(tmp_path / "new", shapes, sizes, weights)
    assert not (tmp_path / "new").exists()


BUILDING = sys.modules["confmat.archive.build"]  # its name is that of its function


def test_limits_belong_to_what_is_built(tmp_path, monkeypatch):
    """Counts up to the largest, and laws of so many points, by the number of tables, of margins, or of signatures."""
    monkeypatch.setattr(BUILDING, "MOST_COUNT", 196)
    assert len(archive.missing(tmp_path / "new", [(2, 2)], [4])) == 2
    monkeypatch.setattr(BUILDING, "MOST_COUNT", 195)
    with pytest.raises(ValueError, match=r"38 digits, labelings of Tables\(n=4"):
        archive.missing(tmp_path / "new", [(2, 2)], [4])
    assert len(archive.missing(tmp_path / "new", [(2, 2)], [4], ["tables"])) == 1
    matrices = Tables(9, 2, 2)
    limits = (
        matrices.count(),
        max(BUILDING.number_of_margin_classes(matrices), BUILDING.work_of(matrices).signatures),
    )
    for most, refused in ((limits[0], False), (limits[1], False), (limits[1] - 1, True)):
        monkeypatch.setattr(BUILDING, "_MOST_POINTS", most)
        with pytest.raises(ValueError, match="may have over") if refused else nullcontext():
            archive.missing(tmp_path / "new", [(2, 2)], [9], ["tables"])
    assert limits[0] > limits[1] > 1


@pytest.mark.parametrize("names", [(), (".a.tmp",), (".a",), ("a.tmp",), (".a.tmp", "b")])
def test_a_new_folder_holds_nothing_but_what_a_killed_build_began(tmp_path, names):
    folder = tmp_path / "new"
    folder.mkdir()
    for name in names:
        (folder / name).write_text("")
    request = [(1, 2), (1, 1)], [2], ["tables"]
    if set(names) <= {".a.tmp"}:
        keys = [(1, 1, 2, "tables"), (1, 2, 2, "tables")]
        assert archive.missing(folder, *request) == keys
        if names:
            assert [entry.key for entry in archive.build(folder, *request)] == keys
            assert not (folder / ".a.tmp").exists()
    else:
        for ask in (archive.missing, archive.build):
            with pytest.raises(archive.ArchiveError, match=r"is not an archive: it has no manifest\.json"):
                ask(folder, *request)


@pytest.mark.parametrize("content", ["[]", "{}", '"confmat archive"', '{"version": 4}'])
def test_a_manifest_of_another_program_is_refused(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(archive.ArchiveError, match=r"its manifest\.json was not written by this program"):
        archive.read_entries(tmp_path)


def test_laws_at_hand_are_not_computed(tmp_path, monkeypatch):
    """Whole ones, over classes and with weights that are asked for."""
    laws = [joint(Tables(4, 2, 2), "med", weight=weight) for weight in ("tables", "labelings")]
    expected = archive.digest(archive.build(tmp_path / "a", [(2, 2)], [4]))
    monkeypatch.delattr(BUILDING, "law_of")
    assert archive.digest(archive.build(tmp_path / "b", [(2, 2)], [4], laws=laws)) == expected
    conditional = next(law for _, _, law in joint(Tables(4, 2, 2), "med", "rd").given_each("med"))
    for law in (
        joint(Tables(4, 2, 3), "med"),
        joint(Tables(5, 2, 2), "med"),
        joint(Tables(4, 2, 2, empty=True), "med"),
        laws[1],
        conditional,
    ):
        with pytest.raises(ValueError, match=r"laws must be whole, over classes and with weights .*, got <"):
            archive.build(tmp_path / "d", [(2, 2)], [4], ["tables"], laws=[law])
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(
    ("shape", "n", "weight"),
    [
        ((3, 3), 40, "tables"),  # 370 million, which have far fewer signatures, and margins
        ((1, 300), 250, "labelings"),  # none
    ],
)
def test_a_law_of_few_points_is_begun_whatever_its_size(tmp_path, shape, n, weight):
    def kill(step):
        raise Killed

    with pytest.raises(Killed):
        archive.build(tmp_path, [shape], [n], [weight], progress=kill)
