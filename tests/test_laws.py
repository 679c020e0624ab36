"""Laws: conditional descriptions against the plain support, the paper's figures, T6, files, errors."""

import inspect
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from brute import obvious_law
from hypothesis import given, settings
from hypothesis import strategies as st

import confmat as cm
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.engine import halves
from confmat.engine.work import WEIGHTS
from confmat.errors import ConsistencyError, TooLarge
from confmat.indices import partition
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.laws import joint, marginal_of, signed, ways
from confmat.laws.ways import LawQuestion
from confmat.plans.methods import _METHODS
from confmat.statistics import STATISTICS, Statistic
from confmat.statistics.conditions import as_condition
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
@pytest.mark.parametrize("name", ["med", "rd", "ard"])
def test_laws_given_each_value_are_those_of_the_support(matrices, weight, name):
    law = joint(matrices, "med", "rd", "ard", weight=weight)
    support = dict(law.support)
    rows = law.given_each(name).rows
    at = law.names.index(name)
    assert sum(row.weight for row in rows) == law.total == sum(support.values())
    assert [row.value for row in rows] == sorted({values[at] for values in support})
    for value, amount, there in rows:
        inside = {values: w for values, w in support.items() if values[at] == value}
        assert amount == sum(inside.values())
        assert dict(there.support) == inside
        for position, other in enumerate(law.names):
            marginal = defaultdict(int)
            for values, w in inside.items():
                marginal[values[position]] += w
            expected, got = marginal_of(marginal), there[other]
            assert list(got) == list(expected)
            assert got.numbers(exact=True) == expected.numbers()
            assert got.moments(exact=True)[:2] == (expected.mean, expected.var)


@pytest.mark.parametrize("matrices", [m for m in CLASSES if not isinstance(m, FixedMargins)], ids=repr)
def test_rounded_moments_are_the_exact_ones_rounded(matrices):
    for _, _, law in joint(matrices, "med", "rd", "ard").given_each("med"):
        assert tuple(map(float, law["ard"].moments(exact=True))) == tuple(map(float, law["ard"].moments()))


# --- one law: brute force -------------------------------------------------------------------------

NAMES = ("med", "ari", "wallace_ab", "fm", "mirkin", "ri")


def members(matrices, weight):
    """Every member's values, spelled out once for each unit of its weight."""
    for matrix in matrices:
        values = {name: STATISTICS[name](matrix) for name in NAMES}
        yield values, 1 if weight == "tables" else labelings(matrix)


@pytest.mark.parametrize(
    "matrices",
    [Tables(6, 3, 3), Tables(5, 2, 3, empty=True), FixedRows((3, 1, 2), 2), FixedMargins((3, 2), (2, 2, 1))],
    ids=repr,
)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_the_law_on_the_line_against_every_member(matrices, weight):
    law = joint(matrices, *NAMES, weight=weight)
    everyone = list(members(matrices, weight))
    assert law.total == sum(w for _, w in everyone)
    for name in NAMES:
        sample = [(values[name], w) for values, w in everyone if values[name] == values[name]]
        total, got = sum(w for _, w in sample), law[name]
        assert (got.total, got.undefined) == (total, law.total - total)
        close = {} if name != "fm" else {"rel": 1e-12, "abs": 1e-12}
        mean = sum(x * w for x, w in sample) / total
        assert got.moments(exact=True)[0] == (pytest.approx(mean, **close) if close else mean)
        assert float(got.mean) == pytest.approx(float(mean), rel=1e-14, abs=1e-14)
        variance = sum((x - mean) ** 2 * w for x, w in sample) / total
        assert float(got.var) == pytest.approx(float(variance), rel=1e-12, abs=1e-12)
        assert got.sd == pytest.approx(float(variance) ** 0.5, rel=1e-9, abs=1e-7)
        assert (got.min, got.max) == (min(x for x, _ in sample), max(x for x, _ in sample))
        values = sorted({x for x, _ in sample})
        for p in (0, Fraction(1, 7), 0.25, "1/2", Fraction(9, 10), 1):
            share = Fraction(str(p))
            below = (x for x in values if Fraction(sum(w for y, w in sample if y <= x), total) >= share)
            assert got.quantile(p) == next(below)
        if name == "fm":
            continue  # its doubles lie beside the square roots that are compared
        for x in [*values, Fraction(1, 3), -1, 2]:
            weight_below = sum(w for y, w in sample if y <= x)
            assert got.cdf(x) == 1 - got.sf(x) == Fraction(weight_below, total)
            assert got.probability(f"{name} < {x}") == Fraction(sum(w for y, w in sample if y < x), total)
        assert STATISTICS[name](got.argmin()) == got.min
        assert STATISTICS[name](got.argmax()) == got.max
        assert got.argmin() in matrices
        assert got.argmax() in matrices


CONDITIONS = [
    "med<=1/5",
    "med=2/5, ari>0",
    "not (ri > wallace_ab)",
    "fm > 1/2 or med = 1/5",
    {"med": Fraction(1, 5)},
    "jaccard < 1/3 and wallace_ba <= 1/2",
    "med<0",
]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("matrices", [Tables(5, 3, 3, empty=True), FixedRows((3, 1, 1), 2)], ids=repr)
def test_conditions_against_every_member(matrices, weight, condition):
    """Also on statistics that the law does not name, and on some that tell rows from columns."""
    law = joint(matrices, "med", "ard", "wallace_ab", weight=weight)
    meets = as_condition(condition)
    chosen = [m for m in matrices if meets(m)]
    weights = [1 if weight == "tables" else labelings(m) for m in chosen]
    expected = defaultdict(int)
    for matrix, amount in zip(chosen, weights):
        values = tuple(STATISTICS[name](matrix) for name in law.names)
        expected[tuple("nan" if x != x else x for x in values)] += amount
    chosen_law = law.given(condition)
    assert chosen_law.total == sum(weights)
    assert law.probability(condition) == Fraction(sum(weights), law.total)
    found = {tuple("nan" if x != x else x for x in values): w for values, w in chosen_law.support}
    assert found == expected
    assert law.ask(condition, "ard>1", condition)[::2] == (law.probability(condition),) * 2
    if chosen:
        assert chosen_law["ard"].max == max(x[1] for x in expected)
        assert meets(chosen_law["ard"].argmax())
        assert chosen_law.given("ard>1/2").total == sum(
            w for x, w in expected.items() if x[1] > Fraction(1, 2)
        )


def test_conditions_on_what_a_law_of_functions_does_not_hold():
    law = joint(Tables(5, 2, 2), "med", trace)
    assert law.held
    assert np.trace(law["trace"].argmax()) == law["trace"].max
    assert law.given("trace > 2")["med"].total == sum(np.trace(x) > 2 for x in Tables(5, 2, 2))
    with pytest.raises(ValueError, match=r"condition must be on statistics of the law \(med, trace\)"):
        law.given("ard>1")
    with pytest.raises(ValueError, match="mde"):
        law.given("mde>1")


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_quantile_and_cdf_invert_each_other_and_slices_mix_to_the_law(data):
    n, r, s = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    law = joint(Tables(n, r, s, empty=True), "med", "rd", "ard", weight=data.draw(st.sampled_from(WEIGHTS)))
    line = law[data.draw(st.sampled_from(law.names))]
    p = data.draw(st.fractions(0, 1, max_denominator=1000))
    x = line.quantile(p)
    assert line.cdf(x) >= p
    assert line.quantile(line.cdf(x)) == x
    smaller = [y for y, _ in line if y < x]
    assert not smaller or p == 0 or line.cdf(smaller[-1]) < p
    each = law.given_each(data.draw(st.sampled_from(law.names)))
    at = data.draw(st.fractions(0, 2, max_denominator=30))
    assert sum(row.probability * row.law[line.name].cdf(at) for row in each) == line.cdf(at)
    assert sum((row.probability for row in each), Fraction(0)) == 1


def test_large_laws_are_looked_at_in_blocks(monkeypatch, leave_out):
    """With limits of a few signatures: by bins, in one block, block after block, and by passes that hold nothing."""
    law = joint(Tables(10, 3, 3), "med", "rd", "ard", "fm")
    shares = [Fraction(k, 50) for k in range(51)]
    expected = {name: [law[name].quantile(p) for p in shares] for name in law.names}
    numbers = {name: law[name].moments(exact=True)[:2] for name in ("med", "rd", "ard")}
    asked = law.ask("ard>1", "med<=1/4", "fm>jaccard")
    for name, most in {"_KEPT": 20, "_BINS": 8, "_STRETCH": 10}.items():
        monkeypatch.setattr(signed, name, most)
    for held, at_once in ((True, signed.AT_ONCE), (True, 20), (False, 20)):
        monkeypatch.setattr(signed, "AT_ONCE", at_once)
        leave_out(LawQuestion, *([] if held else ["one pass"]))
        again = joint(Tables(10, 3, 3), "med", "rd", "ard", "fm")
        assert again.held is held
        for name in law.names:
            assert [again[name].quantile(p) for p in shares[:: 1 if held else 10]] == expected[name][
                :: 1 if held else 10
            ]
        assert {name: again[name].moments(exact=True)[:2] for name in numbers} == numbers
        assert again.ask("ard>1", "med<=1/4", "fm>jaccard") == asked
        assert again["ard"].argmax().tolist() == law["ard"].argmax().tolist()


def test_squares_of_large_numerators_do_not_overflow():
    """Of C(140, 2)^3 + P, which has 40 bits."""
    large = Statistic(
        "large",
        formula=lambda n, m, a, b, p: (a * (n * (n - 1) // 2) * (n * (n - 1) // 2) + p, 1),
        symmetry="permutations",
    )
    line = joint(Tables(140, 1, 2), large)["large"]
    values = [comb(140, 2) ** 3 + comb(k, 2) + comb(140 - k, 2) for k in range(1, 140)]
    mean = Fraction(sum(values), 139)
    assert line.moments(exact=True)[:2] == (mean, Fraction(sum(x * x for x in values), 139) - mean**2)


@pytest.mark.parametrize("matrices", [Tables(6, 3, 3), Tables(7, 3, 2)], ids=repr)
@pytest.mark.parametrize("name", ["med", "rd", "wallace_ba"])
def test_slices_know_rows_from_columns(matrices, name):
    """Conditions that tell rows from columns, on laws of statistics that do not, given each value."""
    law = joint(matrices, "med", "rd", *{name} - {"med", "rd"})
    for value, weight, part in law.given_each(name):
        members = [x for x in matrices if str(STATISTICS[name](x)) == str(value)]
        assert weight == len(members)
        found = sum(STATISTICS["wallace_ab"](x) < Fraction(1, 2) for x in members)
        assert part.probability("wallace_ab<1/2") == Fraction(found, weight)


def test_what_a_law_that_is_not_held_refuses():
    law = joint(Tables(60, 4, 4), "med", "rd", "ard")
    assert not law.held
    for refused in (lambda: law.support, law.to_frame, lambda: list(law), lambda: law.given_each("rd").rows):
        with pytest.raises(TooLarge, match=r"need no support|law.ask"):
            refused()


def test_weights_are_compared_with_the_count_of_the_class(monkeypatch):
    matrices = Tables(8, 3, 3)
    assert joint(matrices, "ard").basis == "guarded"
    monkeypatch.setattr(Tables, "count", lambda self: 7)
    with pytest.raises(
        ConsistencyError, match=r"one pass over Tables\(n=8.* finds tables of weight 1038|finds"
    ):
        _ = joint(Tables(8, 3, 3), "ard").support


@pytest.mark.parametrize(
    ("names", "kind"), [(("ard",), "a pass"), (("med",), "a list"), ((np.trace,), "a list")]
)
def test_a_lost_table_is_an_error(names, kind, monkeypatch):
    if kind == "a pass":
        whole = ways.hold
        monkeypatch.setattr(ways, "hold", lambda *of: replace(held := whole(*of), parts=held.parts[1:]))
    else:
        for name in ("generating function", "table by table"):
            wrong = replace(_METHODS[LawQuestion][name], run=lambda question: [((Fraction(0),), 3)])
            monkeypatch.setitem(_METHODS[LawQuestion], name, wrong)
    with pytest.raises(ConsistencyError, match=r"Tables\(n=9, r=3, s=3.* not 14437"):
        _ = joint(Tables(9, 3, 3), *names).support


def test_a_histogram_index_that_overflows_is_an_error(monkeypatch):
    """The planted fault: 16-bit indices for histograms of up to 2^17 cells."""
    planted = inspect.getsource(halves.list_halves).replace("2**16", "2**17")
    namespace = dict(vars(halves))
    exec(planted, namespace)
    monkeypatch.setattr("confmat.engine.work.list_halves", namespace["list_halves"])
    with pytest.raises(ConsistencyError, match=r"sums of one pass over Tables\(n=62, .* not 9382809123"):
        _ = joint(Tables(62, 3, 3), "med", "rd", "ard").given_each("med").rows


def test_digests():
    law = joint(Tables(9, 3, 3), "med", "rd", "ard")
    assert law.digest_of_sums == joint(Tables(9, 3, 3), "rd").digest_of_sums
    others = [
        joint(Tables(9, 3, 3), "med", "rd"),
        joint(Tables(9, 3, 3), "rd", "med"),
        joint(Tables(9, 3, 3), "med", "rd", weight="labelings"),
        joint(Tables(9, 3, 3, empty=True), "med", "rd"),
        law.given("med<1/2"),
        law,
    ]
    assert len({x.digest for x in others}) == len(others)
    assert law.digest == joint(Tables(9, 3, 3), "med", "rd", "ard").digest
    slow = Statistic("rd", lambda t: partition.rand_distance(t, exact=True), symmetry="transposition")
    assert joint(Tables(9, 3, 3), "med", slow).digest == others[0].digest  # whatever the way


def test_laws_show_themselves():
    law = joint(Tables(9, 3, 3), "med", "rd", "ard")
    for shown in (law, law["ard"], law.given_each("med"), law.given("med<1/3"), law.given("med<0")["rd"]):
        assert len(repr(shown).splitlines()) <= 20
        assert shown._repr_html_().count("<tr>") <= 20
    assert "mean" in repr(law["ard"])
    assert law["ard"].plot().get_xlabel() == STATISTICS["ard"].label


def test_a_law_shows_the_numbers_of_each_statistic(leave_out):
    law = joint(Tables(4, 2, 2), "med", "rd")
    html = law._repr_html_()
    head = "".join(f"<th>{name}</th>" for name in ("", "mean", "sd", "min", "q1", "median", "q3", "max"))
    assert f"<tr>{head}</tr><tr><td>med</td><td>9/38</td><td>0.189766</td><td>0</td>" in html
    assert html.count("<tr>") == 3
    assert law.given("med<0")._repr_html_().endswith("<table></table>")
    leave_out(LawQuestion, "one pass")
    assert joint(Tables(4, 2, 2), "med", "rd", "ard")._repr_html_().endswith("<table></table>")


def test_other_objects_show_themselves():
    claim = cm.Conjecture("all", "0 <= 1", predicate=lambda t: True, symmetry="transposition")
    tables = Tables(6, 2, 2)
    answers = (
        cm.maximize(tables, "ard"),
        cm.minimize(Tables(9, 3, 3), "rd"),
        cm.check(claim, [tables]),
        cm.check(cm.Conjecture("one", "med <= 1"), [Tables(n, 2, 2) for n in range(2, 26)]),
        cm.check(cm.Conjecture("none", "ard <= 1"), [tables]),
        cm.significance([[30, 2], [1, 40]]),
        cm.significance([[30, 2], [1, 40]], exact=False, draws=99, rng=1).p_ari,
        cm.sample(tables, 100, rng=1),
        cm.sample(tables, 100, rng=1).law("med"),
        cm.plan(cm.joint, tables, "ard"),
    )
    assert (
        cm.compare([[2, 1], [0, 3]])._repr_html_().startswith("<p>")
    )  # every index: a card, and as many lines
    for answer in answers:
        html = answer._repr_html_()
        assert html.startswith("<p>")
        assert 0 < html.count("<tr>") <= 20
        assert len(repr(answer).splitlines()) <= 20


def test_frames_have_one_number_type():
    law = joint(Tables(6, 2, 3), "med", "ard")
    for frame in (law.to_frame(), law["ard"].to_frame(), law.given_each("med").to_frame()):
        assert {str(kind) for kind in frame.dtypes} <= {"float64", "int64"}
    for frame in (law.to_frame(exact=True), law["ard"].to_frame(exact=True)):
        assert all(isinstance(x, Fraction) for x in frame.iloc[:, 0])


def test_bad_questions_are_named():
    law = joint(Tables(5, 2, 2), "med", "rd")
    for ask, message in [
        (lambda: law["ard"], "name must be one of med, rd, got 'ard'"),
        (lambda: law["med"].quantile(2), "p must be from 0 to 1, got 2"),
        (lambda: law["med"].cdf("x"), "x must be a number, .* got 'x'"),
        (lambda: law["med"].probability("rd>0"), "condition must be on med alone"),
        (lambda: law.given("med"), "condition"),
        (lambda: law.given_each("ard"), "name must be one of med, rd, got 'ard'"),
    ]:
        with pytest.raises(ValueError, match=message):
            ask()


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
def test_witnesses_attain_the_extremes(matrices):
    for row in joint(matrices, "med", "rd", "ard").given_each("med").rows:
        for name in ("rd", "ard"):
            law = row.law[name]
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
                assert law["ard"].mean == 1
            else:
                assert law["ard"].mean == 0


def _margins_of(n):
    from confmat.classes.partitions import partitions

    margins = [p for parts in (2, 3) for p in partitions(n, parts)]
    return [FixedMargins(a, b) for a in margins for b in margins]


def test_chacon_2019_section_4_2():
    """The whole class (20,3,3): the facts stated with Figures 5 to 7."""
    law = joint(Tables(20, 3, 3), "med", "rd", "ard")
    rows = {row.value: row for row in law.given_each("med").rows}
    assert law.total == sum(row.weight for row in rows.values()) == 2806281
    assert rows[0].weight == 1026
    assert max(rows) == max_med(20, 3, 3) == Fraction(13, 20)
    largest = max(rows.values(), key=lambda row: row.law["ard"].max)
    assert largest.value == Fraction(10, 20)
    assert largest.law["ard"].argmax().tolist() == [[10, 3, 2], [3, 0, 0], [2, 0, 0]]
    assert max(rows.values(), key=lambda row: row.law["ard"].mean).value == Fraction(13, 20)
    outlier = rows[Fraction(4, 20)].law["ard"]
    assert outlier.argmax().tolist() == [[16, 1, 1], [1, 0, 0], [1, 0, 0]]
    assert float(outlier.max) == pytest.approx(1.10758, abs=5e-6)
    assert max(row.law["rd"].max for row in rows.values()) == max_rand_distance(20, 3, 3)


def test_two_by_two_has_one_rand_distance_at_each_med():
    for row in joint(Tables(20, 2, 2), "med", "rd", "ard").given_each("med").rows:
        d = row.value * 20
        assert row.law["rd"].min == row.law["rd"].max == Fraction(d * (20 - d), comb(20, 2))
    assert max(
        row.law["ard"].max for row in joint(Tables(20, 2, 2), "med", "ard").given_each("med").rows
    ) == Fraction(95, 84)


@pytest.mark.parametrize("matrices", [Tables(2, 3, 3), Tables(0, 2, 2)], ids=repr)
def test_an_empty_class_has_no_mass(matrices):
    law = joint(matrices, "med", "rd", "ard")
    assert law.total == 0
    assert law.given_each("med").rows == ()
    assert law.support == []
    assert len(law.to_frame()) == 0
    with pytest.raises(ValueError, match="no members"):
        _ = joint(matrices, "rd")["rd"].mean


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

    monkeypatch.setattr("confmat.laws.held.exact_columns", enumerated)
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
    conditional = joint(Tables(6, 2, 3), "med", "rd", "ard").given_each("med")
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
        ((Tables(5, 2, 2), "mde"), {}, "statistic must be a short name, got 'mde'; did you mean med"),
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
        joint(Tables(5, 2, 2), "med", "rd").given_each("ard")
