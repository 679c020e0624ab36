"""Every compiled kernel at sizes where it is quick without Numba too, against one matrix after another.

With ``NUMBA_DISABLE_JIT=1`` the kernels run as plain Python: coverage sees them, and integers that would overflow
or wrap silently show up as a different result or a warning.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from brute import obvious_law

from confmat import Limits
from confmat._engine import blocks, pieces
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.distributions import joint_distribution
from confmat.distributions.med_distribution import med_counts
from confmat.distributions.rand_distribution import rand_distance_counts
from confmat.indices import PairSums
from confmat.indices.partition import adjusted_rand_distance, med, rand_distance
from confmat.sampling import sample
from confmat.sampling.methods import compiled
from confmat.sampling.potentials import running_proposals
from confmat.search import maximize
from confmat.search.transport import least_squares, least_squares_tables

ONE_THREAD = Limits(threads=1)
CLASSES = [
    Tables(6, 2, 3),
    Tables(5, 3, 3),
    Tables(6, 4, 2),
    Tables(4, 3, 3, allow_empty=True),
    FixedMargins((4, 2, 1), (3, 2, 2)),
    FixedRows((3, 2), 3),
]


def by_med_and_disagreements(matrices):
    law = Counter()
    for table in matrices:
        law[int(med(table, exact=True) * matrices.n), PairSums.of(table).disagreements] += 1
    return law


@pytest.fixture
def fresh():
    """No pieces and no primes of another way, before and after."""
    for function in (blocks.moduli_of, pieces.pieces_of):
        function.cache_clear()
    yield
    for function in (blocks.moduli_of, pieces.pieces_of):
        function.cache_clear()


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("way", ["histograms", "residues", "table by table"])
def test_laws(matrices, weight, way, monkeypatch):
    if way == "residues":
        monkeypatch.setattr(blocks, "PLAIN", 0)
        blocks.moduli_of.cache_clear()
    monkeypatch.setattr("confmat._engine.pieces.FEW_STEPS", 10**9 if way == "table by table" else 0)
    pieces.pieces_of.cache_clear()
    law = joint_distribution(matrices, "med", "rd", "ard", weight=weight, limits=ONE_THREAD)
    slow = obvious_law(matrices, ("med", "rd", "ard"), weight)
    assert dict(list(law)) == slow
    given = dict(law.groupby("med"))
    for m in {m for m, _, _ in slow}:
        ards = [ard for value, _, ard in slow if value == m]
        assert given[m].total == sum(count for (value, _, _), count in slow.items() if value == m)
        assert (given[m]["ard"].min(), given[m]["ard"].max()) == (min(ards), max(ards))


@pytest.mark.parametrize(("n", "r", "s"), [(8, 2, 2), (7, 2, 3), (6, 3, 3)])
def test_laws_without_enumeration(n, r, s):
    slow = by_med_and_disagreements(Tables(n, r, s))
    by_med, by_disagreements = Counter(), Counter()
    for (m, f), count in slow.items():
        by_med[m] += count
        by_disagreements[f] += count
    assert {m: x for m, x in enumerate(med_counts(n, r, s)) if x} == by_med
    assert {f: x for f, x in enumerate(rand_distance_counts(n, r, s, threads=1)) if x} == by_disagreements


@pytest.mark.parametrize("rows", [(4, 3, 1), (5, 2), (2, 2, 2, 1), (7,)])
def test_least_squares(rows):
    n = sum(rows)
    for cols in combinations_with_replacement(range(n + 1), 3):
        if sum(cols) != n:
            continue
        squares = {table.tobytes(): int((table**2).sum()) for table in FixedMargins(rows, cols)}
        assert least_squares(rows, cols) == min(squares.values())
        optimal = {key for key, x in squares.items() if x == min(squares.values())}
        assert {np.ascontiguousarray(t).tobytes() for t in least_squares_tables(rows, cols)} <= optimal


@pytest.mark.parametrize("matrices", [Tables(7, 3, 3), Tables(7, 2, 3), FixedMargins((4, 4, 2), (5, 3, 2))])
@pytest.mark.parametrize("name", ["rd", "ard"])
def test_bound_and_prune(matrices, name):
    index = {"rd": rand_distance, "ard": adjusted_rand_distance}[name]
    found = maximize(matrices, name, method="bound-and-prune", restarts=1)
    assert found.value == max(index(table, exact=True) for table in matrices)


@pytest.mark.parametrize(
    ("matrices", "method"),
    [
        (Tables(3, 2, 2), "rejection"),
        (Tables(4, 2, 3), "unranking"),
        (FixedRows((2, 1), 2), "rejection"),
        *((FixedMargins((2, 1, 2), (2, 3)), m) for m in ("rejection", "counting", "unranking")),
        (FixedMargins((2, 1, 2, 1), (2, 3, 1)), "counting"),
    ],
    ids=str,
)
def test_draws_reach_every_member_and_no_other(matrices, method):
    members = {np.asarray(table, np.int64).tobytes() for table in matrices}
    drawn = {
        table.tobytes() for table in np.asarray(sample(matrices, 12 * len(members), rng=1, method=method))
    }
    assert drawn == members


@pytest.mark.parametrize(
    "matrices", [Tables(5, 2, 2), Tables(4, 3, 3), Tables(4, 2, 3), Tables(3, 2, 2, allow_empty=True)]
)
def test_draws_given_the_med_reach_every_member_and_no_other(matrices):
    by_med = {}
    for table in matrices:
        by_med.setdefault(med(table, exact=True), set()).add(np.asarray(table, np.int64).tobytes())
    for value, members in by_med.items():
        drawn = np.asarray(
            sample(
                matrices,
                12 * len(members),
                rng=1,
                given={"med": Fraction(value)},
                limits=Limits(threads=1),
            )
        )
        assert {table.tobytes() for table in drawn} == members


def test_draws_near_the_largest_med():
    matrices = Tables(7, 3, 3)
    largest = max(med(table, exact=True) for table in matrices)
    members = {table.tobytes() for table in matrices if med(table, exact=True) == largest}
    matched = int(7 - 7 * largest)
    arguments = (np.zeros(len(running_proposals(7, 3, 3, matched)), np.int64), 7, False)
    block = compiled("potentials.propose_potentials", arguments, (3, 3), 10**6, "")(
        np.random.SeedSequence(1), 12 * len(members)
    )
    assert {table.tobytes() for table in block.tables} == members


def test_draws_of_large_totals():
    """Bars that are sorted instead of marked, and random integers beyond 32 bits."""
    for n in (5000, 2**40):
        tables = np.asarray(sample(Tables(n, 2, 2), 5, rng=1, method="rejection"))
        assert (tables.sum(axis=(1, 2)) == n).all()
        assert tables.min() >= 0
