"""Laws: conditional descriptions against the plain support, the paper's figures, T6, files, errors."""

from collections import defaultdict
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from brute_laws import obvious_law

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.engine.work import WEIGHTS
from confmat.indices import partition
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.laws import law as laws
from confmat.laws.description import describe
from confmat.laws.law import Statistic, joint
from confmat.statistics import STATISTICS
from confmat.statistics.table import labelings

CLASSES = [
    Tables(8, 3, 3),
    Tables(7, 2, 4),
    Tables(7, 4, 2),
    Tables(6, 2, 2, empty=True),
    FixedMargins((5, 4, 2), (6, 3, 2)),
    FixedMargins((2, 5), (3, 0, 4)),
    FixedRows((3, 1, 4), 2),
    FixedRows((3, 2, 2), 3),
    FixedRows((2, 0, 3), 2),
    Tables(2, 2, 2),
    Tables(1, 1, 1),
    Tables(3, 1, 1),
]


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_support_is_the_indices_of_every_matrix(matrices, weight):
    names = ("med", "rd", "ard", "ri", "ari", "mirkin")
    assert dict(joint(matrices, *names, weight=weight).support) == obvious_law(matrices, names, weight)


@pytest.mark.parametrize(
    "matrices", [Tables(8, 3, 3), Tables(7, 2, 4), FixedMargins((5, 4, 2), (6, 3, 2))], ids=repr
)
def test_directed_and_normalised_statistics(matrices):
    names = ("jaccard", "wallace_ab", "wallace_ba", "nmed", "nrd")
    assert dict(joint(matrices, *names).support) == obvious_law(matrices, names, "tables")


@pytest.mark.parametrize("matrices", [FixedRows((3, 1, 4), 2), FixedRows((3, 2, 2), 3)], ids=repr)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_directed_statistics_at_fixed_rows(matrices, weight):
    names = ("jaccard", "wallace_ab", "wallace_ba")
    assert dict(joint(matrices, *names, weight=weight).support) == obvious_law(matrices, names, weight)


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_streamed_conditionals_are_those_of_the_support(matrices, weight):
    """Given MED, RD and ARD come from sums, bins and a second pass; here also from the whole support."""
    law = joint(matrices, "med", "rd", "ard", weight=weight)
    support = dict(law.support)
    rows = law.given("med", exact=True).rows
    assert sum(row.total for row in rows) == law.total == sum(support.values())
    for row in rows:
        for position, name in ((1, "rd"), (2, "ard")):
            marginal = defaultdict(int)
            for values, weight_ in support.items():
                if values[0] == row.value:
                    marginal[values[position]] += weight_
            expected, got = describe(marginal), row.laws[name]
            assert got.numbers() == expected.numbers()
            assert got.variance == expected.variance


@pytest.mark.parametrize("matrices", [m for m in CLASSES if not isinstance(m, FixedMargins)], ids=repr)
def test_rounded_moments_are_the_exact_ones_rounded(matrices):
    law = joint(matrices, "med", "rd", "ard")
    for exact, rounded in zip(law.given("med", exact=True).rows, law.given("med").rows):
        e, r = exact.laws["ard"], rounded.laws["ard"]
        assert (float(e.mean), float(e.variance), e.sd) == (float(r.mean), float(r.variance), r.sd)


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
def test_witnesses_attain_the_extremes(matrices):
    for row in joint(matrices, "med", "rd", "ard").given("med").rows:
        for name, law in row.laws.items():
            index = STATISTICS[name].index
            for matrix, value in ((law.argmin(), law.min), (law.argmax(), law.max)):
                assert matrix in matrices
                assert index(matrix, exact=True) == value
                assert partition.med(matrix, exact=True) == row.value


def test_mean_ard_is_one_at_fixed_margins_under_labelings():
    """E is the mean of RD over all labelings with the margins (T6), so the ARD has mean exactly 1."""
    for n in range(2, 9):
        for matrices in (
            FixedMargins((n - 1, 1), (n - 1, 1)),
            FixedMargins((n,), (n - 1, 1)),
            *_margins_of(n),
        ):
            law = joint(matrices, "ard", weight="labelings")
            if partition.expected_rand_distance(matrices.unrank(0)) > 0:
                assert law.mean("ard") == 1
            else:
                assert law.mean("ard") == 0


def _margins_of(n):
    from confmat.classes.partitions import partitions

    margins = [p for parts in (2, 3) for p in partitions(n, parts)]
    return [FixedMargins(a, b) for a in margins for b in margins]


def test_chacon_2019_section_4_2():
    """The whole class (20,3,3): the facts stated with Figures 5 to 7."""
    law = joint(Tables(20, 3, 3), "med", "rd", "ard")
    rows = {row.value: row for row in law.given("med").rows}
    assert law.total == sum(row.total for row in rows.values()) == 2806281
    assert rows[0].total == 1026
    assert max(rows) == max_med(20, 3, 3) == Fraction(13, 20)
    largest = max(rows.values(), key=lambda row: row.laws["ard"].max)
    assert largest.value == Fraction(10, 20)
    assert largest.laws["ard"].argmax().tolist() == [[10, 3, 2], [3, 0, 0], [2, 0, 0]]
    assert max(rows.values(), key=lambda row: row.laws["ard"].mean).value == Fraction(13, 20)
    outlier = rows[Fraction(4, 20)].laws["ard"]
    assert outlier.argmax().tolist() == [[16, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert float(outlier.max) == pytest.approx(1.10758, abs=5e-6)
    assert max(row.laws["rd"].max for row in rows.values()) == max_rand_distance(20, 3, 3)


def test_two_by_two_has_one_rand_distance_at_each_med():
    for row in joint(Tables(20, 2, 2), "med", "rd", "ard").given("med").rows:
        d = row.value * 20
        assert row.laws["rd"].min == row.laws["rd"].max == Fraction(d * (20 - d), comb(20, 2))
    assert max(
        row.laws["ard"].max for row in joint(Tables(20, 2, 2), "med", "ard").given("med").rows
    ) == Fraction(95, 84)


@pytest.mark.parametrize("matrices", [Tables(2, 3, 3), Tables(0, 2, 2)], ids=repr)
def test_an_empty_class_has_no_mass(matrices):
    law = joint(matrices, "med", "rd", "ard")
    assert law.total == 0
    assert law.given("med").rows == ()
    assert law.support == []
    assert len(law.to_frame()) == 0
    with pytest.raises(ValueError, match="no members"):
        joint(matrices, "rd").mean("rd")


# --- statistics of one's own ----------------------------------------------------------------------


def trace(matrix):
    return int(np.trace(matrix))


def zeros(matrix):
    return int((matrix == 0).sum())


def largest_share(matrix):
    return int(matrix.max()), int(matrix.sum())


def corner(matrix):
    return float(matrix[0, -1])


@pytest.mark.parametrize(
    "matrices", [Tables(6, 3, 3), Tables(6, 2, 3), FixedMargins((4, 3), (5, 2)), FixedRows((3, 2), 2)]
)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize(
    "statistic",
    [
        Statistic("zeros", zeros, symmetry="transposition"),
        Statistic("zeros", zeros, symmetry="permutations"),
        Statistic("share", largest_share, symmetry="permutations"),
        trace,
        corner,
    ],
    ids=["transposition", "permutations", "pair", "none", "float"],
)
def test_own_statistic_against_a_plain_loop(matrices, weight, statistic):
    function = statistic.function if isinstance(statistic, Statistic) else statistic
    law = defaultdict(int)
    for matrix in matrices:
        value = function(matrix)
        value = Fraction(*value) if isinstance(value, tuple) else value
        law[partition.med(matrix, exact=True), value] += 1 if weight == "tables" else labelings(matrix)
    assert dict(joint(matrices, "med", statistic, weight=weight).support) == law


@pytest.mark.parametrize(
    "matrices", [Tables(6, 3, 3), Tables(5, 2, 2, empty=True), FixedMargins((4, 3), (5, 2))]
)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_simultaneous_relabeling_visits_fewer_matrices(matrices, weight):
    declared = joint(matrices, "med", Statistic("trace", trace, symmetry="simultaneous"), weight=weight)
    assert declared.support == joint(matrices, "med", trace, weight=weight).support


def test_a_statistic_that_returns_nonsense():
    with pytest.raises(TypeError, match="statistic 'text' must return"):
        _ = joint(Tables(3, 2, 2), Statistic("text", lambda _: "no")).support


def test_a_pair_of_zeros_is_undefined():
    """Precision of the first class: its column may be empty."""

    def precision(table):
        return table[0, 0], table[:, 0].sum()

    law = joint(FixedRows((2, 1), 2), precision)
    assert sum(weight for (value,), weight in law.support if value != value) == 1
    assert law.total == FixedRows((2, 1), 2).count()


def test_a_denominator_of_zero_alone_is_an_error():
    def odds(table):
        return table[0, 0], table[0, 1]

    law = joint(FixedRows((2, 1), 2), odds)
    with pytest.raises(ValueError, match="statistic 'odds' returned"):
        list(law.support)


# --- files and errors -----------------------------------------------------------------------------


@pytest.mark.parametrize("names", [("med", "rd", "ard"), ("rd", "med", "ard", "ri")])
def test_csv_and_parquet_hold_the_support(tmp_path, names):
    import duckdb

    law = joint(Tables(7, 2, 3), *names)
    law.to_csv(tmp_path / "law.csv")
    law.to_parquet(tmp_path / "law.parquet")
    lines = (tmp_path / "law.csv").read_text().splitlines()
    assert lines[0] == ",".join([*names, "count"])
    rows = [line.split(",") for line in lines[1:]]
    assert [(tuple(map(Fraction, row[:-1])), int(row[-1])) for row in rows] == law.support
    query = f"SELECT med_num, med_den, ard, count FROM '{tmp_path / 'law.parquet'}'"
    med, ard = names.index("med"), names.index("ard")
    read = [(Fraction(a, b), Fraction(c), d) for a, b, c, d in duckdb.sql(query).fetchall()]
    assert read == [(values[med], values[ard], weight) for values, weight in law.support]
    assert {path.name for path in tmp_path.iterdir()} == {"law.csv", "law.parquet"}


@pytest.mark.parametrize("name", ["med", "rd"])
def test_files_of_a_law_known_without_enumeration(tmp_path, monkeypatch, name):
    def enumerated(*arguments):
        raise AssertionError("the tables were visited")

    monkeypatch.setattr(laws, "exact_columns", enumerated)
    law = joint(Tables(60, 3, 3), name)
    law.to_csv(tmp_path / "law.csv")
    law.to_parquet(tmp_path / "law.parquet")
    rows = [line.split(",") for line in (tmp_path / "law.csv").read_text().splitlines()[1:]]
    assert [((Fraction(value),), int(count)) for value, count in rows] == law.support
    assert sum(int(count) for _, count in rows) == Tables(60, 3, 3).count()


def test_parquet_keeps_weights_beyond_64_bits(tmp_path):
    import duckdb

    law = joint(Tables(40, 2, 2), "med", "rd", weight="labelings")
    assert max(w for _, w in law.support) > 2**63
    law.to_parquet(tmp_path / "law.parquet")
    read = duckdb.sql(f"SELECT count FROM '{tmp_path / 'law.parquet'}'").fetchall()
    assert [int(w) for (w,) in read] == [w for _, w in law.support]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    from confmat.laws import files as tabular

    path = tmp_path / "law.csv"
    path.write_text("old")

    def broken(value):
        raise OSError("disk full")

    monkeypatch.setattr(tabular, "_text", broken)
    with pytest.raises(OSError, match="disk full"):
        joint(Tables(5, 2, 2), "ri", "med").to_csv(path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["law.csv"]


def test_conditional_frame_and_latex(tmp_path):
    conditional = joint(Tables(6, 2, 3), "med", "rd", "ard").given("med")
    frame = conditional.to_frame()
    assert list(frame.columns[:4]) == ["med", "total", "probability", "rd_mean"]
    assert frame["total"].sum() == Tables(6, 2, 3).count()
    conditional.to_csv(tmp_path / "given.csv")
    assert (tmp_path / "given.csv").read_text().startswith("med,probability,rd_mean,")
    conditional.to_parquet(tmp_path / "given.parquet")
    assert conditional.to_latex().count(r"\\") == len(conditional.rows) + 1


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        ((Tables(5, 2, 2), "mde"), {}, "statistic must be one of med, .* got 'mde'"),
        ((Tables(5, 2, 2),), {}, "statistics must name at least one"),
        ((Tables(5, 2, 2), "med", "med"), {}, "different names"),
        ((Tables(5, 2, 2), "med"), {"weight": "uniform"}, "weight must be .* got 'uniform'"),
        (("20,3,3", "med"), {}, "matrices must be a class of matrices"),
        ((Tables(5, 2, 2), 3), {}, "statistic must be a short name or a function"),
    ],
)
def test_bad_arguments_are_named(arguments, keywords, message):
    with pytest.raises((TypeError, ValueError), match=message):
        joint(*arguments, **keywords)


def test_conditioning_on_an_absent_statistic():
    with pytest.raises(ValueError, match="name must be one of med, rd, got 'ard'"):
        joint(Tables(5, 2, 2), "med", "rd").given("ard")
