"""What an archive holds, against the index functions of every matrix."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction

import duckdb
import pandas as pd
import pytest
from archives import columns_of, digest_of_rows, law_file, rows_of
from brute import WEIGHTS, labelings, obvious_law

from confmat import archive
from confmat.classes import Tables, canonical
from confmat.conjectures import Conjecture, failures
from confmat.indices import PairSums
from confmat.laws import joint
from confmat.matrices import best_matching
from confmat.statistics import STATISTICS

NAMES = ("med", "rd", "ard")


def test_it_lists_what_was_asked_for_in_order(built, requested):
    shapes, sizes = requested
    keys = [entry.key for entry in archive.read_entries(built)]
    assert keys == sorted((r, s, n, weight) for r, s in shapes for n in sizes for weight in WEIGHTS)


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (3, 3)])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_laws_are_the_indices_of_every_matrix(built, shape, weight):
    matrices = Tables(6, *shape)
    law = {tuple(map(str, values)): count for values, count in obvious_law(matrices, NAMES, weight).items()}
    where = f"n = 6 AND r = {shape[0]} AND s = {shape[1]} AND weight = '{weight}'"
    found = archive.query(built, f"SELECT med_text, rd_text, ard_text, count FROM laws WHERE {where}")
    assert {tuple(row[:3]): row[3] for row in found.values.tolist()} == law
    assert sum(law.values()) == (matrices.count() if weight == "tables" else matrices.labelings_count())


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (3, 3)])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_signatures_are_the_sums_of_every_matrix(built, shape, weight):
    expected = Counter()
    for table in Tables(6, *shape):
        sums = PairSums.of(table)
        m = 6 - best_matching(table).total
        expected[m, sums.A, sums.B, sums.P] += 1 if weight == "tables" else labelings(table)
    where = f"n = 6 AND r = {shape[0]} AND s = {shape[1]} AND weight = '{weight}'"
    found = archive.query(built, f"SELECT m, a, b, p, count FROM signatures WHERE {where}").values.tolist()
    assert {tuple(row[:4]): row[4] for row in found} == expected
    assert [row[:4] for row in found] == sorted(row[:4] for row in found)


def test_claims_are_decided_without_enumeration(built):
    readme = (built / "README.md").read_text()
    documented = readme[readme.index("SELECT") :].partition("``")[0]
    claim = Conjecture("claim", "med <= 3/10 -> ari >= 0")
    by_sql = {tuple(row[:3]): row[3] for row in archive.query(built, documented).values.tolist()}
    by_rows = {
        (entry.n, entry.r, entry.s): number
        for entry, number in archive.failing(built, claim.statement)
        if number and entry.weight == "tables"
    }
    assert by_sql == by_rows
    assert by_rows[4, 3, 3] == failures(claim, Tables(4, 3, 3)).members
    with pytest.raises(ValueError, match="condition must be on statistics with formulas"):
        archive.failing(built, "nmi > 1/2")


def test_law_digests_are_those_of_the_laws(built):
    for entry in archive.read_entries(built)[::5]:
        assert entry.law_digest == joint(entry.tables, *NAMES, weight=entry.weight).digest_of_sums


@pytest.mark.parametrize("matrices", [Tables(4, 2, 3), Tables(6, 3, 2), Tables(6, 3, 3)], ids=repr)
def test_extremes_are_those_of_every_matrix(built, matrices):
    values = {name: {} for name in NAMES}
    for matrix in matrices:
        found = {name: STATISTICS[name].index(matrix, exact=True) for name in NAMES}
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
        built, f"SELECT statistic, extreme, given_med_text, value_text, matrix FROM extremes WHERE {where}"
    )
    rows = [tuple(None if x is None or x != x else x for x in row) for row in rows.values.tolist()]
    assert {row[:4] for row in rows} == expected
    for statistic, _, given, value, text in rows:
        matrix = [[int(x) for x in row.split(",")] for row in text.split(";")]
        assert matrix in matrices
        assert canonical(matrix).tolist() == matrix
        assert STATISTICS[statistic].index(matrix, exact=True) == Fraction(value)
        assert given is None or STATISTICS["med"].index(matrix, exact=True) == Fraction(given)


def test_classes_without_members_are_listed_and_empty(built):
    empty = [entry for entry in archive.read_entries(built) if entry.n < max(entry.r, entry.s)]
    assert empty
    for entry in empty:
        assert (entry.matrices, entry.total, entry.points) == (0, 0, 0)
        assert rows_of(law_file(built, entry.key)) == []
        assert entry.content_digest == digest_of_rows([])


def test_one_point_in_one_cluster(tmp_path):
    archive.build(tmp_path, [(1, 1)], [1])
    assert archive.query(tmp_path, "SELECT med, rd_text, ard_text, count FROM laws").values.tolist() == [
        [0.0, "0", "0", 1],
        [0.0, "0", "0", 1],
    ]
    assert archive.verify(tmp_path) == ()


def test_other_readers_need_no_confmat(built):
    file = law_file(built, (3, 3, 6, "labelings"))
    with duckdb.connect() as connection:
        frame = pd.DataFrame(connection.from_parquet(str(file)).fetchall(), columns=list(columns_of(file)))
    assert sum(frame["count"]) == Decimal(Tables(6, 3, 3).labelings_count())
    assert "count, a DECIMAL(38,0)" in (built / "README.md").read_text()


def test_counts_beyond_64_bits_are_exact(tmp_path):
    total = Tables(21, 3, 3).labelings_count()
    assert total > 2**64
    archive.build(tmp_path, [(3, 3)], [21], ["labelings"])
    (entry,) = archive.read_entries(tmp_path)
    assert entry.total == total
    assert archive.query(tmp_path, "SELECT sum(count) FROM laws").iloc[0, 0] == total
    assert archive.verify(tmp_path) == ()


def test_labelings_are_counted_over_the_class():
    for matrices in (Tables(6, 2, 3), Tables(5, 3, 3), Tables(2, 3, 3), Tables(4, 1, 1)):
        assert matrices.count() == sum(1 for _ in matrices)
        assert matrices.labelings_count() == sum(map(labelings, matrices))
