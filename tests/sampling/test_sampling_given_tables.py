"""Proposals given the MED of Tables: each kind against full supports, the pilot's predictions, and refusals."""

from fractions import Fraction

import numpy as np
import pytest
from brute import matched_points
from goodness import p_value, support, uniform

from confmat.classes import Tables
from confmat.errors import TooRareError
from confmat.sampling import given, given_tables, stream
from confmat.sampling.methods import compiled
from confmat.sampling.potentials import running_proposals


@pytest.mark.parametrize(
    "matrices",
    [Tables(6, 3, 3), Tables(7, 2, 3), Tables(6, 2, 4, allow_empty=True), Tables(4, 3, 3, allow_empty=True)],
)
@pytest.mark.parametrize("kernel", ["potentials.propose_potentials", "kernels.propose_whole"])
def test_every_table_at_a_distance_is_equally_likely(matrices, kernel):
    n, r, s = matrices.n, *matrices.shape
    for m in range(n):
        members = support(matrices, m)
        if len(members) < 2:
            continue
        arguments, number = (
            (n, n - m, matrices.allow_empty),
            stream(matrices, 1, method="rejection").method.proposals,
        )
        if kernel == "potentials.propose_potentials":
            running = running_proposals(n, r, s, n - m)
            split = np.array(running if r < s else [0] * len(running), np.int64)
            arguments, number = (split, n, matrices.allow_empty), running[-1]
        if number > 350 * len(members):  # not what this kind is for
            continue
        draw = compiled(kernel, arguments, (r, s), 10**8, "")
        block = draw(np.random.SeedSequence(m), 12 * len(members))
        assert p_value(uniform(members), block.tables) > 0.001 / n


@pytest.mark.parametrize(
    ("n", "r", "s", "m"), [(30, 7, 7, 22), (30, 8, 8, 22), (30, 7, 5, 20), (200, 8, 8, 120), (40, 12, 12, 20)]
)
def test_many_lines_are_drawn_exactly_within_seconds(n, r, s, m):
    matrices = Tables(n, r, s)
    draws = stream(matrices, 5, rng=1, given={"med": Fraction(m, n)})
    tables = draws.array()
    assert all(table in matrices for table in tables)
    assert (matched_points(tables) == n - m).all()


def test_the_pilot_predicts_how_long_a_draw_takes():
    matrices = Tables(50, 4, 4)
    proposals = given_tables.best_proposals(matrices, 25)
    block = given_tables.exact(matrices, 25, proposals).draw(np.random.SeedSequence(7), 2000)
    predicted = given_tables.seconds_a_draw(matrices, 25)
    assert 0.5 < predicted / (block.proposals * proposals.cost / 2000) < 2


def test_rare_tables_are_refused_within_seconds():
    with pytest.raises(TooRareError, match="would take over 600 s, about inf s each"):
        stream(Tables(40, 10, 10), 1, given={"med": Fraction(33, 40)})


def test_a_refusal_says_how_long_a_draw_takes(monkeypatch):
    monkeypatch.setattr(given, "seconds_a_draw", lambda *_: 2.0)
    asked = {"med": Fraction(30, 40)}
    assert stream(Tables(40, 10, 10), 300, given=asked).size == 300
    with pytest.raises(TooRareError, match="would take over 600 s, about 2 s each"):
        stream(Tables(40, 10, 10), 301, given=asked)
