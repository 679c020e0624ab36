"""What holds between modules: theorems on generated tables, fast paths against slow ones, runs that are killed."""

import math
import os
import platform
import shutil
import tempfile
from collections import Counter
from functools import cache
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from brute import labelings as number_of_labelings
from brute import pairs_within
from brute import partitions as all_partitions
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from confmat import Limits
from confmat._engine import checkpoint, pieces
from confmat._engine.tables import tables_of_margins
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.contingency import best_matching, contingency_matrix
from confmat.distributions import joint_distribution
from confmat.errors import CheckpointError, ConsistencyError, UndefinedIndexError
from confmat.indices import PairSums
from confmat.indices.extremes import max_med, max_rand_distance, med_2x2, rand_distance_2x2
from confmat.indices.partition import (
    adjusted_rand_distance,
    adjusted_rand_index_null_moments,
    fowlkes_mallows,
    med,
    mirkin_distance,
    rand_distance,
    rand_index,
)
from confmat.testing import margins, tables

huge = tables(n=st.integers(2, 10**30), nonempty=False)


# --- identities and bounds, at any size ---


@given(tables() | huge)
def test_pair_indices_are_one_number(table):
    n = sum(table.ravel().tolist())
    distance = rand_distance(table, exact=True)
    assert rand_index(table, exact=True) + distance == 1
    assert distance * (n - 1) == mirkin_distance(table, exact=True) * n


@given(tables(n=st.integers(2, 10**30), shape=(2, 2)))
def test_two_by_two_tables_depend_on_one_diagonal(table):
    n, d = sum(table.ravel().tolist()), int(table[0, 1] + table[1, 0])
    assert med(table, exact=True) == med_2x2(n, d)
    assert rand_distance(table, exact=True) == rand_distance_2x2(n, d)


@given(tables() | tables(n=st.integers(4, 10**20)))
def test_no_table_exceeds_the_largest_distances(table):
    n, (r, s) = sum(table.ravel().tolist()), table.shape
    assert med(table, exact=True) <= max_med(n, r, s)
    assert rand_distance(table, exact=True) <= max_rand_distance(n, r, s)


@pytest.mark.parametrize(("n", "r", "s"), [(6, 2, 3), (7, 3, 3), (7, 3, 4), (4, 3, 3)])
def test_the_largest_distances_are_attained(n, r, s):
    law = Counter()
    for table in Tables(n, r, s):
        law[med(table, exact=True), rand_distance(table, exact=True)] += 1
    assert max(m for m, _ in law) == max_med(n, r, s)
    assert max(d for _, d in law) == max_rand_distance(n, r, s)


@given(tables(), st.sampled_from([2, 10**3, 10**9]))
def test_the_mirkin_distance_is_the_limit_of_the_rand_distance(table, k):
    replicas = table.astype(object) * k
    assert med(replicas, exact=True) == med(table, exact=True)
    limit = mirkin_distance(table, exact=True)
    assert mirkin_distance(replicas, exact=True) == limit
    n = int(table.sum())
    assert n * k == 1 or rand_distance(replicas, exact=True) - limit == limit / (n * k - 1)


@pytest.mark.parametrize(("table", "clustering"), [([[1, 1]], "b"), ([[1], [1]], "a")])
def test_an_undefined_index_names_the_clustering_without_pairs(table, clustering):
    with pytest.raises(UndefinedIndexError, match=f"no two objects lie together in clustering {clustering}$"):
        fowlkes_mallows(table)


# --- the null model: all labelings with given margins ---


FACTORIALS = np.array([math.factorial(x) for x in range(9)])


@pytest.mark.parametrize("n", range(2, 9))
def test_mean_and_variance_at_every_fixed_margins(n):
    margins_of_n = [part for k in range(1, n + 1) for part in all_partitions(n, k)]
    for rows, cols in product(margins_of_n, repeat=2):
        if cols > rows:
            continue
        by_pairs = Counter()
        for batch in tables_of_margins(rows, cols):
            pairs = (batch * (batch - 1) // 2).sum(axis=(1, 2))
            labelings = math.factorial(n) // FACTORIALS[batch].prod(axis=(1, 2))
            for p, weight in zip(pairs.tolist(), labelings.tolist()):
                by_pairs[p] += weight
        total = sum(by_pairs.values())
        a, b = pairs_within(rows), pairs_within(cols)
        ards = [(PairSums(n, a, b, p).adjusted_rand_distance, weight) for p, weight in by_pairs.items()]
        mean = sum(x * weight for x, weight in ards) / total
        expected = PairSums(n, a, b, 0).expected_rand_distance
        assert mean == (1 if expected else 0)
        variance = sum((x - mean) ** 2 * weight for x, weight in ards) / total
        moments = adjusted_rand_index_null_moments(margins=(rows, cols))
        assert (1 - moments.mean, moments.variance) == (mean, variance)


# --- fast paths against slow ones ---

NAMES = ("med", "rd", "ard")


def values(table):
    return tuple(index(table, exact=True) for index in (med, rand_distance, adjusted_rand_distance))


@st.composite
def classes(draw):
    rows, cols = draw(margins(n=st.integers(3, 7), shape=st.tuples(st.integers(1, 3), st.integers(1, 3))))
    n, r, s = sum(rows), len(rows), len(cols)
    kinds = [
        Tables(n, r, s),
        Tables(min(n, 5), r, s, allow_empty=True),
        FixedMargins(rows, cols),
        FixedRows(rows, s),
    ]
    return draw(st.sampled_from(kinds))


@settings(max_examples=30)
@given(classes(), st.sampled_from(["tables", "labelings"]))
def test_laws_are_those_of_all_tables(matrices, weight):
    slow = Counter()
    for table in matrices:
        slow[values(table)] += 1 if weight == "tables" else number_of_labelings(table)
    law = joint_distribution(matrices, *NAMES, weight=weight, limits=Limits(threads=1))
    assert dict(list(law)) == slow
    assert law.total == sum(slow.values())
    given_med = {value: given.total for value, given in law.groupby("med")}
    assert given_med == Counter({m: sum(w for v, w in slow.items() if v[0] == m) for m, _, _ in slow})


@pytest.mark.parametrize(("n", "r", "s"), [(4, 2, 2), (5, 2, 3), (4, 3, 2)])
def test_weights_are_numbers_of_pairs_of_labelings(n, r, s):
    pairs = product(product(range(r), repeat=n), product(range(s), repeat=n))
    tables = Counter(
        tuple(map(tuple, contingency_matrix(a, b).tolist()))
        for a, b in pairs
        if (len({*a}), len({*b})) == (r, s)
    )
    slow = Counter()
    for table, times in tables.items():
        slow[values(table)] += times
    assert dict(list(joint_distribution(Tables(n, r, s), *NAMES, weight="labelings"))) == slow


@given(tables() | tables(n=10**25))
def test_best_matching_is_the_best_of_all(table):
    square = np.zeros((max(table.shape),) * 2, dtype=object)
    square[: table.shape[0], : table.shape[1]] = table
    size = range(len(square))
    best = max(sum(int(square[i, order[i]]) for i in size) for order in permutations(size))
    assert best_matching(table).total == best


# --- a long run that is killed and resumed ---


class Killed(Exception):
    pass


@pytest.fixture(autouse=True, scope="module")
def many_pieces():
    """Small classes in as many pieces as large ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "_TABLES_PER_PIECE", 1)
        patch.setattr(pieces, "_TABLES_PER_WALK", 100)
        patch.setattr(pieces, "_MOST_PIECES", 10**9)
        pieces.pieces_of.cache_clear()
        yield
    pieces.pieces_of.cache_clear()


RUNS = [
    (Tables(9, 3, 3), "tables"),
    (Tables(8, 3, 4), "labelings"),
    (Tables(7, 3, 3, allow_empty=True), "tables"),
]


@cache
def digest_without_checkpoint(run):
    matrices, weight = RUNS[run]
    return joint_distribution(matrices, *NAMES, weight=weight, limits=Limits(threads=1))._digest_of_sums


class LongRun(RuleBasedStateMachine):
    """A run that is killed, and any sequence of kills, losses and resumes after it, ends with the same law."""

    @initialize(run=st.integers(0, len(RUNS) - 1), after=st.integers(1, 4))
    def start(self, run, after):
        self.run = run
        self.folder = Path(tempfile.mkdtemp()) / "checkpoint"
        self.parts = set()
        self.others = set()
        self.kill(after)

    def law(self, progress=None):
        matrices, weight = RUNS[self.run]
        return joint_distribution(
            matrices,
            *NAMES,
            weight=weight,
            limits=Limits(threads=1, checkpoint=self.folder, progress=progress),
        )._digest_of_sums

    def files(self):
        return set(self.folder.glob("*.npz"))

    @rule(after=st.integers(1, 4))
    def kill(self, after):
        calls = []

        def progress(state):
            calls.append(state)
            if len(calls) == after:
                raise Killed

        before = self.files()
        try:
            digest = self.law(progress)
        except Killed:
            assert len(self.files()) >= min(after, len(before) + 1)
        else:
            assert len(calls) < after
            assert digest == digest_without_checkpoint(self.run)
        assert before <= self.files()
        self.parts = self.files()

    @precondition(lambda self: self.parts)
    @rule(data=st.data())
    def lose_a_part(self, data):
        lost = data.draw(st.sampled_from(sorted(self.parts)))
        lost.unlink()
        self.parts = self.files()

    @precondition(lambda self: self.folder.exists())
    @rule()
    def die_while_writing(self):
        name = f".part.npz.1.{os.getpid()}@{platform.node()}.tmp"
        (self.folder / name).write_bytes(b"PK\x03\x04 half a file")

    @precondition(lambda self: self.parts - self.others)
    @rule(data=st.data())
    def damage_a_part(self, data):
        damaged = data.draw(st.sampled_from(sorted(self.parts - self.others)))
        content = damaged.read_bytes()
        damaged.write_bytes(content[: len(content) // 2])
        with pytest.raises(CheckpointError, match="damaged"):
            self.law()
        damaged.write_bytes(content)
        self.parts = self.files()

    @precondition(lambda self: self.parts)
    @rule()
    def another_run_adds_its_own(self):
        contents = {path: path.read_bytes() for path in self.folder.iterdir()}
        other = Tables(6, 2, 2)
        where = Limits(threads=1, checkpoint=self.folder)
        found = joint_distribution(other, "med", "rd", limits=where)._digest_of_sums
        assert found == joint_distribution(other, "med", "rd")._digest_of_sums
        assert contents.items() <= {path: path.read_bytes() for path in self.folder.iterdir()}.items()
        self.others |= self.files() - self.parts
        self.parts = self.files()

    @rule()
    def a_foreign_file_is_refused(self):
        self.folder.mkdir(exist_ok=True)
        letter = self.folder / "letter.txt"
        letter.write_text("important")
        with pytest.raises(CheckpointError, match=r"contains letter\.txt"):
            self.law()
        letter.unlink()

    @rule()
    def finish(self):
        kept = {path: path.stat().st_mtime_ns for path in self.files()}
        assert self.law() == digest_without_checkpoint(self.run)
        assert all(path.stat().st_mtime_ns == time for path, time in kept.items())  # nothing done twice
        self.parts = self.files()

    @invariant()
    def the_folder_holds_what_was_finished(self):
        if hasattr(self, "folder"):
            assert self.files() == self.parts

    def teardown(self):
        if hasattr(self, "folder"):
            self.finish()
            shutil.rmtree(self.folder.parent)


TestLongRun = LongRun.TestCase
TestLongRun.settings = settings(max_examples=10, stateful_step_count=10, deadline=None)


load = checkpoint.Chunks.load


def forgets_a_damaged_part(self, question, number):
    try:
        return load(self, question, number)
    except CheckpointError:
        return None


FAULTS = {
    "a part is taken for another": (
        "load",
        lambda self, question, number: load(self, question, max(0, number - 1)),
    ),
    "finished parts are done again": ("load", lambda self, question, number: None),
    "damage is not reported": ("load", forgets_a_damaged_part),
    "nothing is kept": ("save", lambda self, question, number, arrays: None),
    "any folder will do": (
        "__init__",
        lambda self, folder: vars(self).update(folder=Path(folder)) or self.folder.mkdir(exist_ok=True),
    ),
}

# Arrays of two runs do not fit together (ValueError, IndexError), or differ when computed again (CheckpointError).
WAYS_TO_NOTICE = (
    AssertionError,
    ValueError,
    IndexError,
    ConsistencyError,
    CheckpointError,
    pytest.fail.Exception,
)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_long_run_notices_a_resume_that_is_broken(fault, monkeypatch):
    monkeypatch.setattr(checkpoint.Chunks, *FAULTS[fault])
    find = settings(
        TestLongRun.settings, phases=[Phase.generate], report_multiple_bugs=False, print_blob=False
    )
    with pytest.raises(WAYS_TO_NOTICE):
        run_state_machine_as_test(LongRun, settings=find)


def test_the_long_runs_differ_and_have_parts_to_lose():
    assert len({digest_without_checkpoint(run) for run in range(len(RUNS))}) == len(RUNS)
    for matrices, weight in RUNS:
        done = []
        _ = joint_distribution(
            matrices, *NAMES, weight=weight, limits=Limits(threads=1, progress=done.append)
        )._digest_of_sums
        assert len(done) >= 4
