"""Answers are checked while they are made: a planted fault is an error that names class and method."""

import inspect
from fractions import Fraction

import numpy as np
import pytest

import confmat as cm
from confmat._engine import blocks, margins, pieces
from confmat.classes import FixedColumns, FixedRows, Tables
from confmat.errors import CertificateError, ConsistencyError
from confmat.sampling import kernels, lanes, stream
from confmat.search import exhaustive, pruning

# --- draws ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kernel", "matrices", "options"),
    [
        ("reject_in_lanes", Tables(20, 3, 3), {}),
        ("reject_in_lanes", FixedRows([5, 4], 3), {}),
        ("reject_in_lanes", FixedColumns([5, 4], 3), {}),
        ("reject", Tables(200, 3, 3), {}),
        ("propose_matched", Tables(20, 3, 3), {"given": "med=4/20"}),
    ],
)
@pytest.mark.parametrize("fault", ["a point too many", "a point below zero", "all points in one cell"])
def test_a_kernel_that_draws_no_member(kernel, matrices, options, fault, monkeypatch):
    module = lanes if kernel == "reject_in_lanes" else kernels
    right = getattr(module, kernel)

    def wrong(state, *arguments):
        answer, out = right(state, *arguments), arguments[-1]
        out = out.transpose(2, 0, 1) if module is lanes else out
        if fault == "a point too many":
            out[-1, 0, 0] += 1
        elif fault == "a point below zero":
            out[-1, 0, 0] += out[-1, 1, 1] + 1
            out[-1, 1, 1] = -1
        else:
            total = out[-1].sum()
            out[-1] = 0
            out[-1, 0, 0] = total
        return answer

    assert stream(matrices, 100, rng=1, **options).array().shape == (100, *matrices.shape)
    monkeypatch.setattr(module, kernel, wrong)
    with pytest.raises(ConsistencyError) as caught:
        stream(matrices, 100, rng=1, **options).array()
    assert f"no member of {matrices!r}" in str(caught.value)
    assert 'method "' in str(caught.value)


def test_a_kernel_that_draws_another_med(monkeypatch):
    right = kernels.propose_matched

    def wrong(state, matched, unmatched, *rest):
        return right(state, matched + 1, unmatched - 1, *rest)

    monkeypatch.setattr(kernels, "propose_matched", wrong)
    with pytest.raises(ConsistencyError, match="which does not meet med = 1/5"):
        np.asarray(cm.sample(Tables(20, 3, 3), 10, rng=1, given="med=4/20"))


def test_a_class_that_unranks_to_no_member():
    wrong = type("Wrong", (Tables,), {"unrank": lambda self, index: np.array([[0, 4]])})
    with pytest.raises(ConsistencyError, match=r'method "unranking" drew 0,4, which is no member of Wrong'):
        np.asarray(cm.sample(wrong(4, 1, 2), 50, rng=1, method="unranking"))


# --- witnesses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        ([[4, 0], [0, 1]], "which is no member of"),
        ([[2, 1], [1, 0]], "which does not meet med = 1/4"),
        ([[3, 0], [1, 0]], "which is no member of"),
    ],
)
def test_a_search_that_finds_no_member(found, fault, monkeypatch):
    def wrong(problem):
        return exhaustive.Found([np.array(found)], {}, "", complete=True)

    monkeypatch.setattr("confmat.search.exhaustive.extreme_tables", wrong)
    with pytest.raises(ConsistencyError, match=f'method "exhaustive" found .*{fault}.*Tables'):
        cm.maximize(Tables(4, 2, 2), "rd", "med=1/4")


def test_a_search_whose_witnesses_differ(monkeypatch):
    def wrong(problem):
        return exhaustive.Found(
            [np.array([[2, 1], [0, 1]]), np.array([[3, 0], [0, 1]])], {}, "", complete=True
        )

    monkeypatch.setattr("confmat.search.exhaustive.extreme_tables", wrong)
    with pytest.raises(ConsistencyError, match=r"found 3,0;0,1, where rd is 0, not 1/2"):
        cm.maximize(Tables(4, 2, 2), "rd")


def test_a_theorem_whose_matrix_is_no_member(monkeypatch):
    from dataclasses import replace

    from confmat.statistics import STATISTICS

    right = STATISTICS["med"]
    wrong = replace(right, largest=replace(right.largest, matrix=lambda n, r, s: np.full((r, s), 1)))
    with pytest.raises(
        ConsistencyError, match=r'method "theorem" found .* no member of Tables\(n=9, r=2, s=2'
    ):
        cm.maximize(Tables(9, 2, 2), wrong, method="theorem")


def planted(function, old, new):
    """The function with a part of its source replaced."""
    source = inspect.getsource(function)
    assert old in source
    names = dict(vars(inspect.getmodule(function)))
    exec(source.replace(old, new), names)
    return names[function.__name__]


def test_a_histogram_whose_index_type_is_too_narrow(monkeypatch, histograms):
    monkeypatch.setattr(blocks, "_prepared", planted(blocks._prepared, "2**16", "2**17"))
    monkeypatch.setattr(pieces, "_PLACES_PER_TABLE", 10**9)  # nothing is walked
    matrices = FixedRows([58, 2, 2], 3)  # 42 rows of a histogram for each of 1655 pairs: 2^16 and some
    visited = matrices.count() - 324
    message = rf'method "streamed" visited {visited} members of FixedRows\(rows=\(58, .*, which has {matrices.count()}'
    with pytest.raises(ConsistencyError, match=message):
        cm.maximize(matrices, "rd", "med=1/31", method="streamed")


@pytest.mark.parametrize("again", [0, 2])
@pytest.mark.parametrize(
    ("matrices", "statistic"), [(Tables(16, 3, 3), "rd"), (Tables(8, 2, 2), lambda table: int(table[0, 0]))]
)
def test_a_part_of_a_class_visited_never_or_twice(matrices, statistic, again, monkeypatch):
    def some(parts):
        def wrong(*arguments):
            for i, part in enumerate(parts(*arguments)):
                yield from [part] * (again if i == 0 else 1)

        return wrong

    for name in ("run", "chunks"):
        monkeypatch.setattr(exhaustive, name, some(getattr(exhaustive, name)))
    with pytest.raises(ConsistencyError, match=r'method "exhaustive" visited \d+ members of Tables'):
        cm.maximize(matrices, statistic, method="exhaustive")


# --- weights --------------------------------------------------------------------------------------

HELD, STREAMED, FIXED = Tables(9, 3, 3), Tables(13, 3, 3), FixedRows([5, 3, 2], 3)

WAYS = [
    (HELD, lambda law: law.support),
    (STREAMED, lambda law: law.groupby("med").rows),
    (STREAMED, lambda law: law.probability("ard>1")),
]


@pytest.fixture(autouse=True)
def fresh_jobs(monkeypatch):
    """No margin classes of another test, and one class that counts as too large to be held."""
    from confmat._engine import signatures
    from confmat.distributions import sources, ways

    right = ways.fits
    planted = lambda matrices, *rest: matrices != STREAMED and right(matrices, *rest)  # noqa: E731
    for module in (signatures, sources, ways):
        monkeypatch.setattr(module, "fits", planted)
    kept = (margins.row_jobs, pieces.work_of, pieces.pieces_of)
    for function in kept:
        function.cache_clear()
    yield
    for function in kept:
        function.cache_clear()


@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize(
    ("matrices", "asked", "lost", "left"),
    [(matrices, asked, "2 * own * orders[i:]", "own * orders[i:]") for matrices, asked in WAYS]
    + [(matrices, asked, "2 * own * orders[i:]", "2 * own + 0 * orders[i:]") for matrices, asked in WAYS]
    + [(FIXED, lambda law: law.support, "read_only(own * orders)", "read_only(own + 0 * orders)")],
)
def test_a_lost_doubling_and_a_lost_column_weight(matrices, asked, lost, left, weight, monkeypatch):
    monkeypatch.setattr(pieces, "row_jobs", planted(margins.row_jobs, lost, left))
    with pytest.raises(ConsistencyError, match=r"pass over .* finds"):
        asked(cm.joint_distribution(matrices, "med", "rd", "ard", weight=weight))


@pytest.mark.parametrize("again", [0, 2])
@pytest.mark.parametrize(("matrices", "asked"), WAYS)
def test_a_block_counted_never_or_twice(matrices, asked, again, monkeypatch):
    from confmat._engine import signatures
    from confmat.distributions import sources, sums

    for module in (signatures, sources, sums):
        right = module.run

        def wrong(*arguments, right=right):
            for i, part in enumerate(right(*arguments)):
                yield from [part] * (again if i == 0 else 1)

        monkeypatch.setattr(module, "run", wrong)
    with pytest.raises(ConsistencyError, match=r"pass over Tables\(n="):
        asked(cm.joint_distribution(matrices, "med", "rd", "ard"))


@pytest.mark.parametrize("spoiled", ["_bins", "_law"])
def test_sums_that_do_not_agree(spoiled, monkeypatch):
    """Weights by bins, and weights by F, of one run: one of them is another one at some MED."""
    from confmat._engine import fold

    right = fold.Sums.compare

    def wrong(sums):
        array = getattr(sums, spoiled)
        array[0, 3, 1] += 1
        right(sums)

    monkeypatch.setattr(fold.Sums, "compare", wrong)
    with pytest.raises(ConsistencyError, match=r"pass over Tables\(n=13, .*agree at MED = 3/13"):
        list(cm.joint_distribution(STREAMED, "med", "rd", "ard").groupby("med"))


def test_a_second_run_that_does_not_agree(monkeypatch):
    from confmat.distributions import sums

    right = sums.run

    def wrong(*arguments):
        for block in right(*arguments):
            block.weights[:] += 1
            yield block

    monkeypatch.setattr(sums, "run", wrong)
    with pytest.raises(ConsistencyError, match=r"second pass over Tables\(n=13, .*the first one found"):
        list(cm.joint_distribution(STREAMED, "med", "rd", "ard").groupby("med"))


def test_margin_classes_that_are_not_scanned(monkeypatch):
    right = pruning.scan

    def wrong(rows, cols, first, last, *rest):
        return right(rows, cols, first, last - 1, *rest)

    monkeypatch.setattr(pruning, "scan", wrong)
    with pytest.raises(
        ConsistencyError, match=r'"bound-and-prune" scanned \d+ margin classes of Tables\(n=12'
    ):
        cm.maximize(Tables(12, 3, 3), "ard", method="bound-and-prune")


def test_a_witness_that_is_not_there(monkeypatch):
    monkeypatch.setattr("confmat._engine.witnesses.find_table", lambda *_: None)
    with pytest.raises(ConsistencyError, match=r"no margin class of Tables\(n=8.* has any of the signatures"):
        cm.joint_distribution(Tables(8, 2, 3), "med", "rd")["rd"].argmax()


def test_a_value_that_no_member_has(monkeypatch):
    """Where a statistic is looked for table by table."""
    law = cm.joint_distribution(Tables(6, 2, 2), "cor")
    monkeypatch.setattr("confmat._engine.witnesses.tables_under", lambda *_: iter(()))
    with pytest.raises(
        ConsistencyError, match=r"no member of Tables\(n=6, .* has accuracy = 1, which was counted"
    ):
        law["cor"].argmax()


def test_signatures_that_a_second_look_does_not_find():
    from confmat.distributions.signed import Signed
    from confmat.statistics import STATISTICS

    source = cm.joint_distribution(Tables(6, 2, 2), "med", "rd").source
    law = Signed(Tables(6, 2, 2), STATISTICS["rd"], source.blocks, source.size)
    assert law.total
    law.blocks = lambda: iter(())
    with pytest.raises(ConsistencyError, match="no signature has the value 3/5, which was counted"):
        law.cells_at_end(True)


def test_a_second_walk_with_another_law():
    from confmat.conjectures import unimodal

    walk = [(np.array([[[1, 0], [0, 1]]]), np.array([3]))]
    with pytest.raises(CertificateError, match=r"Tables\(n=2, .* has another law of rd"):
        unimodal("rd").of_walk(Tables(2, 2, 2), walk)


def test_members_pass():
    roots = cm.Statistic(
        "roots", lambda table: sum(float(x) ** 1.5 * 0.1 for x in table.flat), symmetry="transposition"
    )
    found = cm.minimize(FixedRows([2, 3, 4], 3), roots)  # a sum of doubles, here in another order
    assert {roots(table) for table in found.tables} != {found.value}
    assert cm.maximize(FixedRows([1, 3], 2), "rd", "med<=1/2").value > 0
    assert cm.maximize(FixedColumns([3, 1], 2), "ard").value == Fraction(4, 3)
