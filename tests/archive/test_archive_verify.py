"""Verification: every kind of damage is found, and named."""

import shutil

import duckdb
import pytest

from confmat import archive
from confmat.archive.build import total_weight
from confmat.archive.folder import (
    EXTREMES,
    LAWS,
    SIGNATURES,
    extremes_file,
    law_file,
    signatures_file,
    write_entries,
)
from confmat.archive.parquet import content_digest, read_rows
from confmat.classes import Tables


def test_a_right_archive_has_no_problems(built):
    steps = []
    assert archive.verify(built, recompute=3, seed=1, progress=steps.append) == ()
    assert steps[-1].done == steps[-1].total == len(archive.read_entries(built))


def test_a_changed_count_is_found(copied, rewrite):
    def one_more(rows):
        rows[3][-1] += 1
        return rows

    rewrite(law_file(copied, (3, 3, 6, "labelings")), LAWS, one_more)
    total = total_weight(Tables(6, 3, 3), "labelings")
    assert archive.verify(copied) == (
        f"3x3 n=6 labelings: the counts add up to {total + 1}, the closed form is {total}",
        "3x3 n=6 labelings: its rows do not have the digest that is listed",
        "3x3 n=6 labelings: its signatures give another law",
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


def moved(rows):
    """One unit of mass from the first value to the last."""
    rows[0][-1] -= 1
    rows[-1][-1] += 1
    return rows


def test_mass_moved_under_a_new_digest_is_found_by_another_method(copied, rewrite):
    key = (3, 3, 6, "tables")
    rewrite(law_file(copied, key), LAWS, moved)
    reseal(copied, key)
    assert archive.verify(copied) == (
        "3x3 n=6 tables: the law of the RD is not the one found without visiting tables",
        "3x3 n=6 tables: its signatures give another law",
    )


def test_mass_of_labelings_moved_is_found_by_signatures_and_by_recomputing(copied, rewrite):
    key = (3, 3, 6, "labelings")
    rewrite(law_file(copied, key), LAWS, moved)
    reseal(copied, key)
    assert archive.verify(copied) == ("3x3 n=6 labelings: its signatures give another law",)
    problems = archive.verify(copied, recompute=len(archive.read_entries(copied)))
    assert problems[-1].startswith("3x3 n=6 labelings: computed again, its content_digest is")


def test_changed_signatures_are_found(copied, rewrite):
    rewrite(signatures_file(copied, (3, 3, 6, "tables")), SIGNATURES, moved)
    found = archive.verify(copied)
    assert [problem.partition(": ")[2] for problem in found] == [
        "its signatures do not have the number and the digest that are listed",
        "its signatures give another law",
        "the law of the MED is not the one found without visiting tables",
    ]


def test_wrong_extremes_and_witnesses_are_found(copied, rewrite):
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


def test_missing_damaged_and_foreign_files_are_found(copied, rewrite, tmp_path):
    law_file(copied, (2, 2, 5, "tables")).unlink()
    law_file(copied, (2, 2, 6, "tables")).write_bytes(b"PAR1 not really")
    shutil.copy(law_file(copied, (2, 3, 6, "tables")), law_file(copied, (2, 3, 5, "tables")))
    shutil.copy(copied / "classes.parquet", law_file(copied, (3, 3, 4, "tables")))
    (copied / "laws" / "mine.txt").write_text("")
    rewrite(
        extremes_file(copied, (2, 2, 4, "")), EXTREMES, lambda rows: [[*row[:8], 0, row[9]] for row in rows]
    )
    nameless = "(SELECT * REPLACE (NULL::BIGINT AS rd_num) FROM read_parquet(?))"
    file = str(law_file(copied, (2, 2, 4, "tables")))
    duckdb.connect().execute(f"COPY {nameless} TO '{tmp_path / 'changed'}' (FORMAT PARQUET)", [file])
    shutil.move(tmp_path / "changed", file)
    problems = "\n".join(archive.verify(copied))
    assert "2x2-n05-tables.parquet is missing" in problems
    assert "2x2-n06-tables.parquet is damaged" in problems
    assert "2x3 n=5 tables: its file has rows of another class or weight" in problems
    assert "3x3-n04-tables.parquet has other columns than an archive's" in problems
    assert "2x2-n04.parquet is damaged: a row lacks a value, or has a denominator below 1" in problems
    assert "2x2-n04-tables.parquet is damaged: a row lacks a value" in problems
    assert "mine.txt is not part of the archive" in problems


def test_a_wrong_list_is_found(copied):
    first, *rest = archive.read_entries(copied)
    changed = archive.Entry(**{**vars(rest[-1]), "total": 1, "points": 1})
    write_entries(copied, [first, first, *rest[:-1], changed])
    problems = archive.verify(copied)
    assert any("lists a law twice" in problem for problem in problems)
    assert any("listed with total 1, the closed form is" in problem for problem in problems)
    assert any("1 are listed" in problem for problem in problems)
    write_entries(copied, [archive.Entry(**{**vars(first), "weight": "matrices"})])
    with pytest.raises(archive.ArchiveError, match=r"classes.parquet is damaged: no law is 1x2 n=1 matrices"):
        archive.verify(copied)
    (copied / "classes.parquet").write_bytes(b"")
    with pytest.raises(archive.ArchiveError, match=r"classes.parquet is damaged"):
        archive.verify(copied)
