"""The reference card: where two clusterings stand, against counting every table, and in every format."""

import json
from fractions import Fraction
from itertools import permutations, product
from math import comb

import numpy as np
import pandas as pd
import pytest
from brute import pair_sums
from command_line import succeed

import confmat as cm
from confmat.cards import compare, neighbours, place
from confmat.chance import PValue
from confmat.indices.extremes import min_med, min_rand_distance, nearest_matrices
from confmat.matrices import contingency

TABLE = np.array([[3, 1], [0, 2]])


def as_good(name, table):
    value, observed = (getattr(cm, name)(x, exact=True) for x in (table, TABLE))
    return value <= observed if name == "med" else value >= observed


def test_shares_are_those_of_counting_every_table_and_permutation():
    found = place(TABLE)
    assert [x.draws for x in found.populations] == [None] * 2
    tables = list(cm.Tables(6, 2, 2))
    first, second = [0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]
    permuted = [contingency(first, b) for b in permutations(second)]
    for standing in found.standings:
        for name, population in (("tables", tables), ("margins", permuted)):
            share = Fraction(sum(as_good(standing.name, table) for table in population), len(population))
            assert standing.shares[name].value == share
        values = [getattr(cm, standing.name)(table, exact=True) for table in tables]
        ends = {standing.worst.value, standing.best.value}
        assert ends == {min(values), max(values)}
        assert standing.worst.proved
    assert found.standings[0].shares["margins"].value == cm.significance(TABLE).p_ari.value


def test_draws_agree_with_counting(monkeypatch):
    table = cm.sample(cm.Tables(40, 3, 2), 1, rng=3)[0]
    monkeypatch.setattr("confmat.cards.places._SECONDS", 1e9)  # as many draws however slow the machine is
    monkeypatch.setattr("confmat.cards.places._SECONDS_OF_LAW", 10)
    exact = place(table)
    monkeypatch.setattr("confmat.cards.places._SECONDS_OF_LAW", 1e-9)
    monkeypatch.setattr("confmat.cards.places._DEEP_TERMS", -1)
    drawn = place(table, rng=4)
    assert [x.draws for x in drawn.populations] == [9999] * 2
    for one, other in zip(exact.standings, drawn.standings):
        for name, share in one.shares.items():
            low, high = other.shares[name].interval
            assert low <= share.value <= high
        assert one.worst.value == other.worst.value
        assert (
            (one.best.value >= other.best.value)
            if one.name != "med"
            else (one.best.value == other.best.value)
        )
    assert place(table, rng=4) == drawn


@pytest.mark.parametrize(
    "table", [[[8, 2], [1, 9]], [[5, 0, 2], [1, 6, 3]], [[3], [4]], [[2, 1, 1]], [[0, 4], [5, 0]]]
)
def test_p_values_by_the_recursion_are_those_of_counting(table, monkeypatch):
    counted = {standing.name: standing.shares["margins"] for standing in place(np.array(table)).standings}
    monkeypatch.setattr("confmat.cards.places._SECONDS_OF_LAW", 1e-9)
    for standing in place(np.array(table)).standings:
        p, expected = standing.shares["margins"], counted[standing.name]
        assert p.method == ("Monte Carlo" if standing.name == "med" else "recursion")
        if standing.name != "med":
            assert (p.value, p.mid) == pytest.approx((expected.value, expected.mid), rel=1e-12)


@pytest.mark.parametrize("unmatched", [6, 16])
def test_shares_of_draws_are_those_of_their_values(unmatched, monkeypatch):
    """Bounds of matchings change no comparison."""
    monkeypatch.setattr("confmat.cards.places._SECONDS_OF_LAW", 1e-9)
    table = cm.sample(cm.Tables(30, 4, 3), 1, rng=1, given={"med": Fraction(unmatched, 30)})[0]
    found = place(table, rng=5)
    draws = found.populations[0].draws
    sums = pair_sums(cm.sampling.stream(cm.Tables(30, 4, 3), draws, rng=5).array())
    as_good = (sums[:, 0] <= unmatched).sum()
    (med,) = (standing for standing in found.standings if standing.name == "med")
    assert med.shares["tables"].value == Fraction(int(as_good) + 1, draws + 1)
    pairs_apart = sums[:, 1] + sums[:, 2] - 2 * sums[:, 3]
    as_good = (pairs_apart <= int(435 * cm.rd(table, exact=True))).sum()
    (ri,) = (standing for standing in found.standings if standing.name == "ri")
    assert ri.shares["tables"].value == Fraction(int(as_good) + 1, draws + 1)


def test_smallest_distances_are_those_of_all_tables():
    for n, r, s in ((6, 2, 5), (7, 3, 5), (8, 1, 3), (8, 3, 4), (5, 5, 2), (6, 3, 3), (1, 1, 1)):
        tables = cm.Tables(n, r, s)
        assert min_rand_distance(n, r, s) == cm.minimize(tables, "rd").value
        assert min_med(n, r, s) == cm.minimize(tables, "med").value
        for table in nearest_matrices(n, r, s):
            assert table in tables
            assert cm.rd(table, exact=True) == min_rand_distance(n, r, s)


def test_neighbours_are_the_nearest_of_all_moves():
    table = np.array([[4, 1, 0], [0, 3, 2], [1, 0, 1]])
    ari, values = cm.ari(table, exact=True), []
    for start, end in product(product(range(3), repeat=2), repeat=2):
        if table[start] and (start[0] == end[0]) != (start[1] == end[1]):
            moved = table.copy()
            moved[start] -= 1
            moved[end] += 1
            if moved.any(axis=0).all() and moved.any(axis=1).all():
                values.append(cm.ari(moved, exact=True))
    lower, higher = neighbours(table)
    assert lower.ari == max(x for x in values if x < ari)
    assert higher.ari == min(x for x in values if x > ari)
    assert neighbours([[1]]) == (None, None)


@pytest.mark.parametrize(
    "matrix", [[[0]], [[1]], [[5]], [[2, 3]], [[1, 0], [0, 1]], [[1, 1], [1, 1]], np.eye(6, dtype=int)]
)
def test_cards_of_small_tables_are_written(matrix):
    card = compare(matrix)
    assert str(card)
    assert card.to_markdown()
    assert "<table>" in card._repr_html_()
    json.dumps(card.to_json())
    assert (card.place is None) == (card.n == 0)


def test_what_is_too_large_has_no_place():
    for matrix in ([[10**8, 0], [0, 1]], np.eye(51, dtype=int)):
        card = compare(matrix)
        assert card.place is None
        assert "Where it stands" not in str(card)
        assert "No place among other tables" in str(card)
        assert card.to_json()["place"] is None
    assert compare(np.eye(200, dtype=int) * 2).neighbours == (None, None)


def test_labels_and_names_are_those_of_the_data():
    frame = pd.DataFrame({"species": ["a", "a", "b", None], "found": [10, 9, 9, 10]})
    card = compare(frame["species"], frame["found"], na="drop")
    assert (card.names, card.labels) == (("species", "found"), (("a", "b"), (9, 10)))
    assert "2 clusters in species (rows), 2 in found" in str(card)
    crossed = pd.crosstab(frame["species"], frame["found"])
    assert compare(crossed).labels == card.labels
    assert card == compare(crossed)


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (Fraction(3, 7 * 10**400), "4.29·10^-401"),
        (1 / comb(100, 50), "9.91·10^-30"),
        (Fraction(10**9 - 1, 10**12), "1.00·10^-3"),
        (Fraction(1, 1000), "0.001"),
    ],
)
def test_small_probabilities_are_powers_of_ten(p, text):
    assert PValue(p, p, interval=(p, 1.0)).within == f"{text} to 1"


def test_shares_have_three_digits():
    (line,) = (x for x in str(compare(TABLE)).splitlines() if x.startswith("all 2 x 2 tables"))
    assert line.split()[-3:] == ["0.433"] * 3


def test_the_command_says_where_it_stands_in_every_format(confmat, tmp_path):
    matrix = "4,1;0,5"
    page = succeed(confmat("compare", "--matrix", matrix))
    assert "all 2 x 2 tables" in page
    assert "chance (p-value)" in page
    assert r"\begin{tabular}" in succeed(confmat("compare", "--matrix", matrix, "--format", "tex"))
    assert "| observed |" in succeed(confmat("compare", "--matrix", matrix, "--format", "md"))
    assert "name,value,exact" in succeed(confmat("compare", "--matrix", matrix, "--format", "csv"))
    plot = tmp_path / "card.svg"
    succeed(confmat("compare", "--matrix", matrix, "--plot", plot))
    assert "<svg" in plot.read_text()
    drawn = json.loads(
        succeed(confmat("compare", "--matrix", "40,1,9;0,50,7;3,3,60", "--seed", "7", "--json"))
    )
    assert drawn["place"]["med"]["tables"]["draws"] == 9999
    assert drawn["place"]["ari"]["best"] == {
        "exact": "1",
        "value": 1.0,
        "basis": "the two coincide",
        "proved": True,
    }
