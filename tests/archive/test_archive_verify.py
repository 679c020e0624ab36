"""Verification: every kind of damage is found, and named."""

import random
import shutil
from collections import Counter
from dataclasses import replace

import duckdb
import pytest
from archives import (
    columns_of,
    digest_of_bytes,
    digest_of_rows,
    extremes_file,
    law_file,
    rewrite,
    rows_of,
    signatures_file,
    write_entries,
    write_rows,
)

from confmat import archive
from confmat.classes import Tables
from confmat.laws import joint
from confmat.plans import Resources


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A smaller archive: each test verifies all of it.  Of 2 x 3 and 3 x 3 tables of two objects there are none."""
    folder = tmp_path_factory.mktemp("verified") / "archive"
    archive.build(folder, [(2, 3), (3, 3)], [2, 4, 6], resources=Resources(threads=1))
    return folder


def test_a_right_archive_has_no_problems(built):
    steps = []
    assert archive.verify(built, recompute=3, rng=1, progress=steps.append) == ()
    assert steps[-1].done == steps[-1].total == len(archive.read_entries(built))


def test_a_changed_count_is_found(copied):
    def one_more(rows):
        rows[3][-1] += 1
        return rows

    rewrite(law_file(copied, (3, 3, 6, "labelings")), one_more)
    total = Tables(6, 3, 3).labelings_count()
    file = law_file(copied, (3, 3, 6, "labelings"))
    assert archive.verify(copied) == (
        f"{file.relative_to(copied)} is not as it was built",
        f"3x3 n=6 labelings: the counts add up to {total + 1}, the closed form is {total}",
        "3x3 n=6 labelings: its rows do not have the digest that is listed",
        "3x3 n=6 labelings: its signatures give another law",
    )


@pytest.fixture(scope="module")
def one_class(tmp_path_factory):
    """Both laws of one class."""
    folder = tmp_path_factory.mktemp("one") / "class"
    archive.build(folder, [(2, 3)], [4], resources=Resources(threads=1))
    return folder


@pytest.fixture
def small(one_class, tmp_path):
    return shutil.copytree(one_class, tmp_path / "small")


KEY = (2, 3, 4, "tables")
LABELINGS = (2, 3, 4, "labelings")


@pytest.mark.parametrize("more", [1, -1])
def test_every_listed_number_is_compared(small, more):
    labelings, tables = archive.read_entries(small)
    points, signatures = len(rows_of(law_file(small, KEY))), len(rows_of(signatures_file(small, KEY)))
    matrices = Tables(4, 2, 3).count()
    for name, said in (
        ("matrices", f"listed with matrices {matrices + more}, the closed form is {matrices}"),
        ("total", f"listed with total {matrices + more}, the closed form is {matrices}"),
        ("points", f"has {points} rows, {points + more} are listed"),
        ("signatures", "its signatures do not have the number and the digest that are listed"),
    ):
        assert tables.signatures == signatures
        write_entries(small, [labelings, replace(tables, **{name: getattr(tables, name) + more})])
        assert archive.verify(small) == (f"2x3 n=4 tables: {said}",)


OF_ANOTHER_CLASS = "its file has rows of another class or weight"
SIGNATURES_OF_ANOTHER_CLASS = "its signatures have rows of another class or weight"
EXTREMES_OF_ANOTHER_CLASS = "its extremes are of another class"


@pytest.mark.parametrize(
    ("file_of", "column", "row", "said"),
    [
        *((law_file, column, 0, OF_ANOTHER_CLASS) for column in ("n", "weight")),
        *((signatures_file, column, -1, SIGNATURES_OF_ANOTHER_CLASS) for column in ("r", "weight")),
        (extremes_file, "s", -1, EXTREMES_OF_ANOTHER_CLASS),
        (extremes_file, "statistic", 0, "the min of med is not there, in the law it is 1/4"),
        (extremes_file, "extreme", 0, "the tables of med is given as 1/4, in the law it is None"),
        (extremes_file, "given_med_num", -1, "the max of ard given med = 1/2 is not there, in the law it is"),
        (extremes_file, "value_den", 0, "the matrix "),
    ],
)
def test_every_field_of_a_row_is_compared(small, file_of, column, row, said):
    """One more, or another text, in the first or the last row, under digests made anew."""
    path = file_of(small, KEY)
    place = [*columns_of(path)].index(column)
    rows = [list(x) for x in rows_of(path)]
    if isinstance(rows[row][place], int):
        rows[row][place] += 1
    else:
        rows[row][place] = "labelings" if column == "weight" else "tables"
    write_rows(path, rows)
    resealed(small)
    found = [x.partition(": ")[2] for x in archive.verify(small)]
    assert any(x.startswith(said) for x in found), found


@pytest.mark.parametrize("name", ["law_digest", "content_digest", "extremes_digest", "signatures_digest"])
def test_a_digest_that_is_larger_is_another_one(small, name):
    labelings, tables = archive.read_entries(small)
    write_entries(small, [labelings, replace(tables, **{name: "f" * 64})])
    found = archive.verify(small, recompute=2)
    assert len(found) == 2
    assert found[1].startswith(f"2x3 n=4 tables: computed again, its {name} is ")
    assert found[1].endswith(f", not {'f' * 64}")


@pytest.mark.parametrize(("recompute", "rng"), [(0, 0), (1, 0), (1, 1), (9, 1)])
def test_so_many_laws_are_computed_again(small, recompute, rng):
    entries = archive.read_entries(small)
    wrong = [replace(entry, matrices=0, law_digest="0" * 64) for entry in entries]
    write_entries(small, wrong)
    found = archive.verify(small, recompute=recompute, rng=rng)
    again = random.Random(rng).sample(entries, min(recompute, 2))
    assert [x.partition(":")[0] for x in found if "computed again, its law_digest is" in x] == [
        str(entry) for entry in entries if entry in again
    ]


def test_steps_are_told(small):
    steps = []
    assert archive.verify(small, progress=steps.append) == ()
    assert [(x.done, x.total, x.key) for x in steps] == [(0, 2, LABELINGS), (1, 2, KEY), (2, 2, None)]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"n": -1}, "no law is 2x3 n=-1 tables"),
        ({"r": 0}, "no law is 0x3 n=4 tables"),
        ({"s": 0}, "no law is 2x0 n=4 tables"),
        ({"weight": "labels"}, "no law is 2x3 n=4 labels"),
        ({"n": 0}, None),
    ],
)
def test_laws_that_are_none_are_not_listed(small, fields, said):
    labelings, tables = archive.read_entries(small)
    write_entries(small, [labelings, replace(tables, **fields)])
    if said is None:
        assert len(archive.read_entries(small)) == 2
        return
    with pytest.raises(archive.ArchiveError, match=rf"classes\.parquet is damaged: {said}"):
        archive.read_entries(small)


@pytest.mark.parametrize(
    ("column", "value"),
    [("given_med_den", 0), ("given_med_den", None), ("value_den", None), ("rd_den", 0), ("rd_den", -1)],
)
def test_denominators_are_positive(small, column, value):
    path = law_file(small, KEY) if column == "rd_den" else extremes_file(small, KEY)
    place = [*columns_of(path)].index(column)

    def changed(rows):
        rows[-1][place] = value
        return rows

    rewrite(path, changed)
    found = "\n".join(archive.verify(small))
    assert ("is damaged: a row lacks a value, or has a denominator below 1" in found) == (
        (column, value) != ("given_med_den", None)
    )


def resealed(folder):
    """Put all digests of rows and files, as they are now, on the list, as anyone can."""

    def again(entry):
        law, signatures, extremes = (
            file_of(folder, entry.key) for file_of in (law_file, signatures_file, extremes_file)
        )
        files = {"law_bytes": law, "signatures_bytes": signatures, "extremes_bytes": extremes}
        digests = {name: digest_of_bytes(file) for name, file in files.items()}
        if all(digest == getattr(entry, name) for name, digest in digests.items()):
            return entry  # nothing was changed
        rows_of_law, rows_of_signatures = rows_of(law), rows_of(signatures)
        return replace(
            entry,
            points=len(rows_of_law),
            signatures=len(rows_of_signatures),
            content_digest=digest_of_rows(rows_of_law),
            signatures_digest=digest_of_rows(rows_of_signatures),
            extremes_digest=digest_of_rows(rows_of(extremes)),
            **digests,
        )

    write_entries(folder, map(again, archive.read_entries(folder)))


def problems_of(folder, entry="3x3 n=6 tables"):
    """What is said of one law."""
    found = archive.verify(folder)
    assert all(problem.startswith(entry) for problem in found)
    return [problem.removeprefix(f"{entry}: ") for problem in found]


def moved(rows):
    """One unit of mass from the first value to the last."""
    rows[0][-1] -= 1
    rows[-1][-1] += 1
    return rows


def test_mass_moved_under_a_new_digest_is_found_by_another_method(copied):
    key = (3, 3, 6, "tables")
    rewrite(law_file(copied, key), moved)
    resealed(copied)
    assert archive.verify(copied) == (
        "3x3 n=6 tables: the law of the RD is not the one found without visiting tables",
        "3x3 n=6 tables: its signatures give another law",
    )


def test_mass_of_labelings_moved_is_found_by_signatures_and_by_recomputing(copied):
    shapes_and_sizes = [(2, 3, 4), (2, 3, 6), (3, 3, 4), (3, 3, 6)]
    for r, s, n in shapes_and_sizes:
        rewrite(law_file(copied, (r, s, n, "labelings")), moved)
    resealed(copied)
    assert archive.verify(copied) == tuple(
        f"{r}x{s} n={n} labelings: its signatures give another law" for r, s, n in shapes_and_sizes
    )
    problems = archive.verify(copied, recompute=len(archive.read_entries(copied)))
    for r, s, n in shapes_and_sizes:
        said = f"{r}x{s} n={n} labelings: computed again, its content_digest is"
        assert any(x.startswith(said) for x in problems)


def test_changed_signatures_are_found(copied):
    rewrite(signatures_file(copied, (3, 3, 6, "tables")), moved)
    resealed(copied)
    assert problems_of(copied) == [
        "its signatures give another law",
        "the law of the MED is not the one found without visiting tables",
        "its signatures do not have the law_digest that is listed",
    ]


def swapped(rows):
    rows[1], rows[2] = rows[2], rows[1]
    return rows


def negative(rows):
    rows[0][-1] += 1 + rows[1][-1]
    rows[1][-1] = -1
    return rows


def split(rows):
    """A row as two, of the same law."""
    first = [*rows[1]]
    first[-1] -= 1
    rows[1][-1] = 1
    return [rows[0], first, *rows[1:]]


def with_a_zero(rows):
    return [*rows, [*rows[-1][:-1], 0]]


COUNTS = "has counts below 1", "its signatures have counts below 1"
ORDERS = (
    "its rows are not in increasing order of MED, RD, ARD, each once",
    "its signatures are not in increasing order, each once",
)


@pytest.mark.parametrize(
    ("change", "said"), [(swapped, ORDERS), (negative, COUNTS), (split, ORDERS), (with_a_zero, COUNTS)]
)
def test_rows_are_positive_and_in_order_each_once(copied, change, said):
    """Under digests made anew, in laws and in signatures."""
    key = (3, 3, 6, "tables")
    kept = copied.parent / "kept"
    shutil.copytree(copied, kept)
    for folder, file, words in zip((copied, kept), (law_file, signatures_file), said):
        rewrite(file(folder, key), change)
        resealed(folder)
        assert words in problems_of(folder)


def test_signatures_of_square_shapes_are_symmetric(copied):
    """Oriented to A >= B they give the same law of MED, RD and ARD."""

    def oriented(rows):
        counts = Counter()
        for *head, m, a, b, p, count in rows:
            counts[(*head, m, max(a, b), min(a, b), p)] += count
        return [[*row, counts[row]] for row in sorted(counts)]

    rewrite(signatures_file(copied, (3, 3, 6, "tables")), oriented)
    resealed(copied)
    assert problems_of(copied) == ["its signatures are not symmetric, as those of a square shape are"]


def test_a_second_extreme_is_found(copied):
    """A false one beside the right one, the right one twice, the right ones in another order."""
    right = "3x3 n=6 "
    changes = {
        "the max of ard is given as 28/57 and as 4/3, in the law it is": lambda rows: [
            *rows[:5],
            [*rows[5][:7], 28, 57, rows[5][-1]],
            *rows[5:],
        ],
        "the max of ard is given as 4/3 and as 4/3, in the law it is": lambda rows: [*rows[:6], *rows[5:]],
        "its extremes are not in their order": lambda rows: [rows[1], rows[0], *rows[2:]],
    }
    for said, change in changes.items():
        folder = shutil.copytree(copied, copied.parent / said.replace("/", "_")[:30])
        rewrite(extremes_file(folder, (3, 3, 6, "")), change)
        resealed(folder)
        found = [problem.removeprefix(right) for problem in archive.verify(folder)]
        said = said.replace("4/3", str(joint(Tables(6, 3, 3), "ard")["ard"].max))
        assert any(said in problem for problem in found)


def test_labelings_have_the_means_that_margins_give(copied):
    """Weight moved between signatures and in the law alike, under new digests: sums and totals stay."""

    def moved_to_the_last(rows):
        rows[-1][-1] += rows[0][-1] - 1
        rows[0][-1] = 1
        return rows

    key = (3, 3, 6, "labelings")
    for file in (law_file, signatures_file):
        rewrite(file(copied, key), moved_to_the_last)
    resealed(copied)
    said = "its signatures do not have the mean of P that A and B give to labelings"
    assert said in problems_of(copied, "3x3 n=6 labelings")


@pytest.mark.parametrize("name", ["law_digest", "content_digest", "extremes_digest", "signatures_digest"])
@pytest.mark.parametrize("sealed", [True, False])
def test_every_altered_digest_is_found(copied, name, sealed):
    """Whether the list is written by another program, or with a seal made anew."""
    entries = archive.read_entries(copied)
    changed = [replace(entry, **{name: "0" * 64}) if entry.n == 6 else entry for entry in entries]
    write_entries(copied, changed)
    if not sealed:
        with duckdb.connect() as connection:
            file = str(copied / "classes.parquet")
            connection.from_parquet(file).to_table("rows")
            connection.sql("FROM rows").to_parquet(file)
    problems = archive.verify(copied)
    assert sum("classes.parquet is not as it was built" in problem for problem in problems) == (not sealed)
    assert sum(" n=6 " in problem and "digest" in problem for problem in problems) == sum(
        entry.n == 6 for entry in entries
    )


@pytest.mark.parametrize("name", ["law_bytes", "extremes_bytes", "signatures_bytes"])
def test_every_altered_digest_of_a_file_is_found(copied, name):
    entries = archive.read_entries(copied)
    write_entries(copied, [replace(entry, **{name: "0" * 64}) for entry in entries])
    files = {"extremes_bytes": len(entries) // 2}.get(name, len(entries))
    problems = archive.verify(copied)
    assert len(problems) == files
    assert all(problem.endswith("is not as it was built") for problem in problems)


@pytest.mark.parametrize("text", [None, "", "rewritten", "README"])
def test_a_readme_that_is_not_the_one_written_is_found(copied, text):
    readme = copied / "README.md"
    if text is None:
        readme.unlink()
    else:
        readme.write_text(readme.read_text() + "." if text == "README" else text)
    assert archive.verify(copied) == ("README.md is missing, or is not the text that was written",)


def test_a_list_in_another_order_is_found(copied):
    rows = [tuple(vars(entry).values()) for entry in archive.read_entries(copied)][::-1]
    write_rows(copied / "classes.parquet", rows, sealed=True)
    assert archive.verify(copied) == ("classes.parquet does not list the laws in order",)


def test_wrong_extremes_and_witnesses_are_found(copied):
    def changed(rows):
        rows[5][7] += 1  # the largest ARD
        rows[0][-1] = "3,1,0;1,1,0;0,0,0"  # not a member
        rows[1][-1] = "1,0,0;0,1,0;0,0,4"  # not canonical
        rows[2][-1] = "no matrix"
        return rows[:-1]

    rewrite(extremes_file(copied, (3, 3, 6, "")), changed)
    problems = archive.verify(copied)
    assert sum("does not have the digest that is listed" in problem for problem in problems) == 2
    assert sum("the matrix" in problem for problem in problems) == 4
    assert any("the max of ard is given as" in problem for problem in problems)
    assert any("is not there, in the law it is" in problem for problem in problems)


def test_missing_damaged_and_foreign_files_are_found(copied, tmp_path):
    law_file(copied, (2, 3, 2, "tables")).unlink()
    law_file(copied, (2, 3, 6, "tables")).write_bytes(b"PAR1 not really")
    shutil.copy(law_file(copied, (2, 3, 6, "labelings")), law_file(copied, (3, 3, 6, "labelings")))
    shutil.copy(copied / "classes.parquet", law_file(copied, (3, 3, 2, "tables")))
    (copied / "laws" / "mine.txt").write_text("")
    rewrite(extremes_file(copied, (2, 3, 6, "")), lambda rows: [[*row[:8], 0, row[9]] for row in rows])
    nameless = "(SELECT * REPLACE (NULL::BIGINT AS rd_num) FROM read_parquet(?))"
    file = str(law_file(copied, (3, 3, 6, "tables")))
    duckdb.connect().execute(f"COPY {nameless} TO '{tmp_path / 'changed'}' (FORMAT PARQUET)", [file])
    shutil.move(tmp_path / "changed", file)
    problems = "\n".join(archive.verify(copied))
    assert "2x3-n02-tables.parquet is missing" in problems
    assert "2x3-n06-tables.parquet is damaged" in problems
    assert "3x3 n=6 labelings: its file has rows of another class or weight" in problems
    assert "3x3-n02-tables.parquet has other columns than an archive's" in problems
    assert "2x3-n06.parquet is damaged: a row lacks a value, or has a denominator below 1" in problems
    assert "3x3-n06-tables.parquet is damaged: a row lacks a value" in problems
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
    with pytest.raises(archive.ArchiveError, match=r"classes.parquet is damaged: no law is 2x3 n=2 matrices"):
        archive.verify(copied)
    (copied / "classes.parquet").write_bytes(b"")
    with pytest.raises(archive.ArchiveError, match=r"classes.parquet is damaged"):
        archive.verify(copied)
