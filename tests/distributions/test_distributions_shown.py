"""Laws and other answers as text, HTML, frames and files."""

import re
from fractions import Fraction

import duckdb
import pandas as pd
import pytest

import confmat as cm
from confmat.classes import Tables
from confmat.distributions import joint_distribution
from confmat.statistics import STATISTICS, Statistic


def test_laws_show_themselves():
    law = joint_distribution(Tables(9, 3, 3), "med", "rd", "ard")
    for shown in (law, law["ard"], law.given("med<1/3"), law.given("med<0")["rd"]):
        assert len(repr(shown).splitlines()) <= 20
        assert all(table.count("<tr>") <= 20 for table in shown._repr_html_().split("<table>"))
    assert "mean" in repr(law["ard"])
    assert law["ard"].plot().get_xlabel() == STATISTICS["ard"].label


def test_a_law_shows_the_numbers_of_each_statistic(fold):
    law = joint_distribution(Tables(4, 2, 2), "med", "rd")
    html = law._repr_html_()
    head = ["mean", "sd", "min", "q1", "median", "q3", "max"]
    assert re.findall(r">([^<>]+)</t", html)[:11] == [*head, "med", "9/38", "0.189766", "0"]
    assert html.count("<tr>") == 3
    assert law.given("med<0")._repr_html_().endswith("<p>There is no such table.</p>")
    fold()
    assert (
        joint_distribution(Tables(4, 2, 2), "med", "rd", "ard")
        ._repr_html_()
        .endswith("another pass over the class.</p>")
    )


def test_other_objects_show_themselves():
    claim = cm.Conjecture("all", "0 <= 1", predicate=lambda t: True, symmetry="transposition")
    tables = Tables(6, 2, 2)
    answers = (
        cm.maximize(tables, "ard"),
        cm.minimize(Tables(9, 3, 3), "rd"),
        cm.check(claim, [tables]),
        cm.check(cm.Conjecture("one", "med <= 1"), [Tables(n, 2, 2) for n in range(2, 26)]),
        cm.check(cm.Conjecture("none", "ard <= 1"), [tables]),
        cm.permutation_test([[30, 2], [1, 40]]),
        cm.permutation_test([[30, 2], [1, 40]], exact=False, draws=99, rng=1).p_ari,
        cm.sample(tables, 100, rng=1),
        cm.sample(tables, 100, rng=1).distribution("med"),
        cm.plan(cm.joint_distribution, tables, "ard"),
    )
    assert (
        cm.compare([[2, 1], [0, 3]])._repr_html_().startswith("<p>")
    )  # every index: a card, and as many lines
    for answer in answers:
        html = answer._repr_html_()
        assert html.startswith("<p>")
        assert html.count("<tr>") <= 20
        assert len(repr(answer).splitlines()) <= 20


def test_frames_have_one_number_type():
    law = joint_distribution(Tables(6, 2, 3), "med", "ard")
    for frame in (law.to_frame(), law["ard"].to_frame()):
        assert {str(kind) for kind in frame.dtypes} <= {"float64", "int64"}
    for frame in (law.to_frame(exact=True), law["ard"].to_frame(exact=True)):
        assert all(isinstance(x, Fraction) for x in frame.iloc[:, 0])


@pytest.mark.parametrize("names", [("med", "rd", "ard"), ("rd", "med", "ard", "ri")])
def test_csv_and_parquet_hold_the_support(tmp_path, names):

    law = joint_distribution(Tables(7, 2, 3), *names)
    law.to_csv(tmp_path / "law.csv")
    law.to_parquet(tmp_path / "law.parquet")
    law.to_csv(tmp_path / "it's a law")
    assert (tmp_path / "it's a law").read_bytes() == (tmp_path / "law.csv").read_bytes()
    (tmp_path / "it's a law").unlink()
    lines = (tmp_path / "law.csv").read_text().splitlines()
    assert lines[0] == ",".join([*(f"{x},{x}_num,{x}_den" for x in names), "count"])
    rows = [line.split(",") for line in lines[1:]]
    for row, (values, count) in zip(rows, law, strict=True):
        assert [*map(float, row[:-1:3])] == [*map(float, values)]
        assert tuple(map(Fraction, map("/".join, zip(row[1::3], row[2::3])))) == values
        assert int(row[-1]) == count
    query = f"SELECT med_num, med_den, ard, count FROM '{tmp_path / 'law.parquet'}'"
    med, ard = names.index("med"), names.index("ard")
    read = [(Fraction(a, b), c, d) for a, b, c, d in duckdb.sql(query).fetchall()]
    assert read == [(values[med], float(values[ard]), weight) for values, weight in law]
    assert {path.name for path in tmp_path.iterdir()} == {"law.csv", "law.parquet"}


@pytest.mark.parametrize("name", ["med", "rd"])
def test_files_of_a_law_known_without_enumeration(tmp_path, monkeypatch, name):
    def enumerated(*arguments):
        raise AssertionError("the tables were visited")

    monkeypatch.setattr("confmat.distributions.held.exact_columns", enumerated)
    monkeypatch.setattr("confmat.distributions.held.points_at", enumerated)
    law = joint_distribution(Tables(60, 3, 3), name)
    law.to_csv(tmp_path / "law.csv")
    law.to_parquet(tmp_path / "law.parquet")
    rows = [line.split(",") for line in (tmp_path / "law.csv").read_text().splitlines()[1:]]
    assert [((Fraction(int(p), int(q)),), int(count)) for _, p, q, count in rows] == list(law)
    assert sum(int(row[-1]) for row in rows) == Tables(60, 3, 3).count()


def test_parquet_keeps_weights_beyond_64_bits(tmp_path):
    import duckdb

    law = joint_distribution(Tables(40, 2, 2), "med", "rd", weight="labelings")
    assert max(w for _, w in list(law)) > 2**63
    law.to_parquet(tmp_path / "law.parquet")
    read = duckdb.sql(f"SELECT count FROM '{tmp_path / 'law.parquet'}'").fetchall()
    assert [int(w) for (w,) in read] == [w for _, w in list(law)]


@pytest.mark.parametrize("below", [2**63 - 1, 2**63, 2**64])
def test_parquet_keeps_weights_and_values_about_64_bits(tmp_path, below):
    import duckdb

    x = Statistic("x", formula=lambda n, m, a, b, p: (1, below), symmetry="permutations")
    for n in (62, 63, 64):  # objects that are in one of two columns each
        joint_distribution(Tables(n, 1, 2, allow_empty=True), x, weight="labelings").to_parquet(
            tmp_path / "law"
        )
        ((value, *parts, count),) = duckdb.read_parquet(str(tmp_path / "law")).fetchall()
        assert (value, int(count)) == (1 / below, 2**n)
        assert parts == [1, below if below < 2**63 else str(below)]


def test_files_of_irrational_and_undefined_values(tmp_path):
    law = joint_distribution(Tables(3, 2, 2, allow_empty=True), "gsp", "nmed")
    for read, write in (
        (pd.read_csv, law.to_csv),
        (lambda path: duckdb.read_parquet(str(path)).df(), law.to_parquet),
    ):
        write(tmp_path / "law")
        frame = read(tmp_path / "law")
        assert [*frame] == ["gsp", "gsp_text", "nmed", "nmed_num", "nmed_den", "count"]
        assert {str(frame.dtypes[name]) for name in ("gsp", "nmed")} == {"float64"}
        for row, ((gsp, nmed), count) in zip(frame.itertuples(index=False), law, strict=True):
            assert row.count == count
            assert (row.gsp != row.gsp) if gsp != gsp else (row.gsp, row.gsp_text) == (float(gsp), str(gsp))
            assert (row.nmed, Fraction(row.nmed_num, row.nmed_den)) == (float(nmed), nmed)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "law.csv"
    path.write_text("old")

    def broken(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", broken)
    with pytest.raises(OSError, match="disk full"):
        joint_distribution(Tables(5, 2, 2), "ri", "fm").to_csv(path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["law.csv"]
