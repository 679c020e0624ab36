"""Executors, checkpoints, stops: whatever happens on the way, the digest is the same."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from confmat import Limits, plan
from confmat._engine import margins, pieces
from confmat._engine.run import Enumeration
from confmat._engine.signatures import enumerated, summed_up
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.distributions import joint_distribution
from confmat.errors import CheckpointError, TooLargeError

CLASS = Tables(14, 4, 4)


def octets_of(signatures):
    return sum(array.nbytes for array in signatures.arrays().values())


def digest(matrices=CLASS, weight="tables", **limits):
    return joint_distribution(
        matrices, "med", "rd", "ard", weight=weight, limits=Limits(**limits)
    )._digest_of_sums


@pytest.fixture(scope="module")
def expected():
    return digest(threads=1)


SHOWN = [Tables(20, 3, 3), Tables(12, 4, 4), Tables(10, 5, 5), Tables(9, 3, 6)]


@pytest.mark.parametrize("matrices", SHOWN, ids=repr)
def test_threads_and_methods_agree(matrices):
    assert digest(matrices, threads=1) == digest(matrices, threads=3)
    law = summed_up(Enumeration(matrices, "tables", Limits())).law
    kept = np.zeros_like(law)
    for cells, weights in enumerated(Enumeration(matrices, "tables", Limits())).blocks():
        m, a, b, p = cells.T
        np.add.at(kept, (m, a + b - 2 * p), weights)
    assert np.array_equal(law, kept)


def test_processes_agree():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert [digest(m, executor=executor) for m in SHOWN] == [digest(m) for m in SHOWN]


@pytest.mark.slow
def test_dask_agrees_and_survives_a_killed_worker(expected):
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        assert digest(executor=client.get_executor()) == expected
        assert [digest(m, executor=client.get_executor()) for m in SHOWN] == [digest(m) for m in SHOWN]
        killed = []

        def kill_one(progress):
            if not killed:
                victim = next(iter(client.run(os.getpid).values()))
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

        assert digest(Tables(16, 4, 4), executor=client.get_executor(), progress=kill_one) == digest(
            Tables(16, 4, 4)
        )
        assert killed


@pytest.mark.usefixtures("many_pieces")
def test_a_checkpoint_is_resumed(tmp_path, expected):
    seen = []

    class Enough(Exception):
        pass

    def give_up(progress):
        seen.append(progress)
        if len(seen) == 2:
            raise Enough

    with pytest.raises(Enough):
        digest(checkpoint=tmp_path / "run", progress=give_up)
    kept = list((tmp_path / "run").glob("*.npz"))
    seen.clear()
    assert digest(checkpoint=tmp_path / "run", progress=lambda progress: seen.append(progress)) == expected
    assert 1 <= len(kept) < len(list((tmp_path / "run").glob("*.npz")))
    assert seen[-1].done == seen[-1].total
    assert seen[-1].fraction == pytest.approx(1)
    assert not list((tmp_path / "run").glob("*.tmp"))


def test_killed_process_loses_only_the_parts_in_flight(tmp_path, expected):
    folder = tmp_path / "run"
    program = (
        "import time\nfrom confmat.classes import Tables\nfrom confmat.distributions import joint_distribution\n"
        "from confmat._limits import Limits\n"
        f"joint_distribution({CLASS!r}, 'med', 'rd', 'ard', limits=Limits(threads=1, checkpoint={str(folder)!r},"
        " progress=lambda p: time.sleep(0.5)))._digest_of_sums"
    )
    process = subprocess.Popen([sys.executable, "-c", program])
    while not list(folder.glob("*.npz")) and process.poll() is None:
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert list(folder.glob("*.npz"))
    assert digest(checkpoint=folder) == expected


def test_interrupt_stops_the_kernels_quickly():
    """An exception in the caller's thread makes kernels in flight return at the next column partition."""
    matrices = Tables(60, 4, 4)
    program = (
        # A parent that ignores Ctrl-C (a background job) would leave it ignored here.
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from confmat.classes import Tables\nfrom confmat._limits import Limits\n"
        "from confmat._engine.run import Enumeration\nfrom confmat._engine.signatures import summed_up\n"
        f"summed_up(Enumeration({CLASS!r}, 'tables', Limits(threads=1)))\n"  # its kernels are loaded
        "print('ready', flush=True)\n"
        f"summed_up(Enumeration({matrices!r}, 'tables', Limits(threads=1)))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)  # in a kernel by then, or nearly: sooner tests less, but is as right
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()  # hours, if it did not stop
    assert "KeyboardInterrupt" in stderr


@pytest.mark.parametrize("other", [{"weight": "labelings"}, {"matrices": Tables(13, 4, 4)}])
def test_another_run_does_not_mix(tmp_path, other):
    digest(CLASS, checkpoint=tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    asked = {"matrices": CLASS, **other}
    assert digest(**asked, checkpoint=tmp_path) == digest(**asked)
    assert before.items() < {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}.items()


def test_a_foreign_folder_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("important")
    with pytest.raises(CheckpointError, match=r"contains thesis\.tex, which is not a chunk"):
        digest(checkpoint=tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {"thesis.tex"}


def test_a_damaged_part_is_reported(tmp_path):
    digest(checkpoint=tmp_path)
    path = next(tmp_path.glob("*.npz"))
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(CheckpointError, match="is damaged"):
        digest(checkpoint=tmp_path)
    assert path.stat().st_size == 100


def test_an_unwritable_folder_is_an_error_before_work(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(CheckpointError, match="cannot be written"):
        digest(checkpoint=blocked / "run")


def test_two_runs_in_one_process_do_not_disturb_each_other(expected):
    class Enough(Exception):
        pass

    def fail(progress):
        raise Enough

    found = []
    thread = threading.Thread(target=lambda: found.append(digest()))
    thread.start()
    with pytest.raises(Enough):
        digest(progress=fail)
    thread.join()
    assert found == [expected]


# --- plans ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "matrices", [Tables(20, 3, 3), Tables(16, 4, 4), Tables(14, 3, 5), FixedMargins((9, 7), (8, 8))]
)
def test_expected_tables_are_close_to_the_visited_ones(matrices):
    visited = sum(FixedMargins(x.rows, x.cols).count() for x in matrices.margins("transposition"))
    assert pieces.work_of(matrices).visited == pytest.approx(visited, rel=0.05)


@pytest.mark.parametrize("matrices", [Tables(60, 5, 5), Tables(1000, 2, 2)], ids=repr)
def test_a_plan_of_a_long_run_is_quick(matrices):
    """Sampled margin classes are small, however large the others are."""
    assert plan(joint_distribution, matrices, "med", "rd", "ard").seconds > 1


def test_a_plan_beyond_reach_needs_no_list_of_margin_classes():
    estimate = plan(joint_distribution, Tables(100, 8, 9), "ard")
    assert estimate.seconds > 1e9
    assert "pairs of margins, the limit is" in estimate.excess


@pytest.mark.parametrize("matrices", [Tables(400, 4, 4), FixedRows((400, 300, 300), 6)], ids=repr)
def test_margins_too_many_to_list_are_refused_at_once(matrices):
    with pytest.raises(ValueError, match="pairs of margins, the limit is 30,000,000"):
        _ = list(joint_distribution(matrices, "med", "rd", "ard").groupby("med"))


@pytest.mark.parametrize(
    "matrices", [FixedRows((9, 5, 3), 3), FixedRows((4, 4), 5), FixedMargins((3, 2), (4, 1))]
)
def test_the_number_of_margin_classes_is_an_upper_bound(matrices):
    listed = sum(1 for _ in matrices.margins("transposition"))
    assert listed <= margins.number_of_margin_classes(matrices) <= 5 * listed + 5


def test_plan_of_an_empty_class():
    assert plan(joint_distribution, Tables(2, 3, 3), "ard").seconds == 0


# --- guarded --------------------------------------------------------------------------------------


def test_no_block_is_laid_out_that_the_memory_has_no_room_for(monkeypatch):
    """A class whose block is larger than the limit: refused before a kernel, or a walk, is called."""
    monkeypatch.setattr("confmat._engine.run.block_of", None)
    with pytest.raises(
        TooLargeError, match=r"Tables\(n=20, r=6, s=6.* of memory \(limit 10 MiB\) for one chunk"
    ):
        list(Enumeration(Tables(20, 6, 6), "tables", Limits(memory=10 * 2**20)).chunks())


@pytest.mark.usefixtures("many_pieces")
def test_signatures_beyond_the_memory_that_no_sums_replace_are_refused(monkeypatch):
    matrices = Tables(10, 3, 3)
    kept = octets_of(enumerated(Enumeration(matrices, "tables", Limits())))
    monkeypatch.setattr("confmat._engine.pieces._WALK", 1)
    pieces.pieces_of.cache_clear()
    monkeypatch.setattr("confmat._engine.run._MOST_SUMS", 0)
    with pytest.raises(TooLargeError, match=r"need more memory than the limit of 0 MiB"):
        enumerated(Enumeration(matrices, "tables", Limits(memory=kept - 1)))
    assert octets_of(enumerated(Enumeration(matrices, "tables", Limits(memory=kept)))) == kept


@pytest.mark.usefixtures("many_pieces")
def test_a_limit_stops_a_run_and_keeps_finished_chunks(tmp_path, expected, monkeypatch):
    from confmat._engine import run as running

    right = running.block_of

    def slow(*arguments):
        time.sleep(0.3)
        return right(*arguments)

    monkeypatch.setattr(running, "block_of", slow)
    says = r"enumerating was stopped after 1.0 seconds \(the limit\), with \d+% of the work done: finished parts are in"
    with pytest.raises(TooLargeError, match=says):
        digest(threads=1, seconds=1, checkpoint=tmp_path)
    kept = len(list(tmp_path.glob("*.npz")))
    monkeypatch.setattr(running, "block_of", right)
    assert digest(checkpoint=tmp_path) == expected
    assert 0 < kept < len(list(tmp_path.glob("*.npz")))


@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize(
    "matrices", [Tables(10, 3, 3), FixedRows((5, 4), 3), Tables(7, 2, 4, allow_empty=True)], ids=repr
)
@pytest.mark.usefixtures("many_pieces")
def test_blocks_that_do_not_fit_are_folded_while_the_run_goes_on(matrices, weight, monkeypatch):
    """Given the MED everything is the same, and the support of MED and RD; the law says that it is not held."""
    names = ("med", "rd", "ard")

    def said():
        law = joint_distribution(matrices, *names, weight=weight)
        parts = list(law.groupby("med"))
        rows = [(value, x.total, [x[name].describe() for name in names]) for value, x in parts]
        ends = [[x["ard"].argmax().tolist(), x["rd"].argmin().tolist()] for _, x in parts]
        pairs = joint_distribution(matrices, "med", "rd", weight=weight)
        return law._held, rows, ends, list(pairs), law._digest_of_sums, law.probability("ard>1", "med<=1/4")

    held, *expected = said()
    kept = enumerated(Enumeration(matrices, weight, Limits()))
    monkeypatch.setattr("confmat._engine.run.MOST_KEPT", octets_of(kept) // 2)
    monkeypatch.setattr("confmat._engine.run.Enumeration.fits", lambda enumeration: None)
    folded, *again = said()
    assert (held, folded) == (True, False)
    assert again == expected
