"""What a machine, a second process or a hasty command can do: outputs are whole or absent, refusals quick, one line."""

import os
import signal
import threading
import time
from itertools import count

import pytest
from command_line import fail, succeed

import confmat as cm
from confmat import archive
from confmat._display.sheets import Sheet
from confmat._engine import checkpoint
from confmat.distributions import formulas
from confmat.distributions.rand_distribution import rand_distance_counts
from confmat.errors import TooLargeError
from confmat.sampling import stream
from confmat.significance import permutation_test

resource = pytest.importorskip("resource")

LARGE = cm.Tables(60, 9, 9)


@pytest.fixture
def small_disk():
    """Files of at most 2 KiB, in place of a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    "command",
    [
        "check med-max 2x2..3x3 n=..4 --out {folder}/x.json",
        "table 6 2 2 --joint {folder}/x.csv",
        "table 6 2 2 --certificate {folder}/x.json",
        "table 6 2 2 --plot {folder}/x.png",
        "search ard 6 2 2 --certificate {folder}/x.json",
        "sample 6 2 2 --size 5 --out {folder}/x.parquet",
    ],
)
def test_a_full_disk_is_found_before_any_work(confmat, tmp_path, built, small_disk, command):
    words = [word.format(folder=tmp_path, built=built) for word in command.split()]
    result = confmat(*words)
    assert "cannot be written: File too large" in fail(result)
    assert result[1] == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("statement", "says"), [("med-max", "True for all"), ("med-bound", "False.")])
def test_a_disk_that_fills_up_swallows_no_answer(confmat, tmp_path, monkeypatch, statement, says):
    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    file = tmp_path / "answer.json"
    result = confmat("check", statement, "2x2..3x3", "n=..6", "--out", file)
    assert fail(result) == f"confmat: --out {file} cannot be written: No space left on device\n"
    assert says in result[1]
    assert list(tmp_path.iterdir()) == []


def test_links_are_followed_and_pipes_written_to(tmp_path):
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(file)
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    for path in (link, pipe):
        with checkpoint.written_whole(path) as aside:
            aside.write_text("law")
    reader.join()
    assert (link.is_symlink(), file.read_text(), read, pipe.is_fifo()) == (True, "law", ["law"], True)


@pytest.mark.parametrize(
    "command",
    [
        "check med-bound 2x2..3x3 n=1..1000000000000",
        "check rd-max 2x2..99999999x99999999",
        "archive build --out {folder}/a 2x2..3x3 n=..99999999999",
        "archive build --out {folder}/a 2x2..2x3 n=99999999",
        "archive build --out {folder}/a 2x2..99x99 n=..10000",
        "sample 20 3 3 --given med=1e999999999",
    ],
)
def test_ranges_without_end_are_refused_at_once(confmat, tmp_path, command):
    start = time.process_time()
    fail(confmat(*command.format(folder=tmp_path).split()))
    assert time.process_time() - start < 5  # of the processor; some of them did not end
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (
            "check-metric ard",
            "claims on 100 examples, checked for all cases of up to 6 objects, would take about",
        ),
        (
            "check-metric ard --n 9 --examples 1",
            "claims on 1 examples, checked for all cases of up to 9 objects",
        ),
    ],
)
def test_commands_refuse_work_beyond_the_limit(confmat, tmp_path, command, says):
    with cm.limits(seconds=0.25):  # four times as much is refused
        assert says in fail(confmat(*command.format(folder=tmp_path).split()))


def test_formulas_refuse_work_beyond_the_limit():
    message = "formulas for 60 residues of n would take about"
    with cm.limits(seconds=0.25), pytest.raises(TooLargeError, match=message):
        formulas.moments_formulas(2, 5)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: cm.sample(cm.Tables(6, 6, 6), 10**5), "100000 draws of 6 x 6 cells would take about"),
        (lambda: stream(cm.Tables(6, 6, 6), 10**5).array(), "100000 draws of 6 x 6 cells would take"),
        (
            lambda: stream(cm.Tables(20, 3, 3), 10**9).distribution("rd"),
            "draws of 3 x 3 cells would take about",
        ),
        (
            lambda: stream(cm.Tables(50, 4, 4), 10**6).distribution("mi"),
            "draws of 4 x 4 cells would take about",
        ),
        (
            lambda: stream(cm.Tables(60, 4, 4, allow_empty=True), 10**6, weight="labelings").distribution(
                "mi"
            ),
            "draws of 4 x 4 cells would take about",
        ),
    ],
)
def test_the_library_refuses_work_beyond_the_limit(ask, says):
    with cm.limits(seconds=1), pytest.raises(TooLargeError, match=says):
        ask()


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (
            lambda: cm.FixedRows(range(10**12), 2),
            "rows must have at most 1000000 values, got more, beginning with 0",
        ),
        (
            lambda: cm.joint_distribution(cm.Tables(10**17, 4, 10**17), "rd")["rd"].mean(),
            "more than 32767 objects, the limit of an enumeration",
        ),
        (
            lambda: cm.joint_distribution(cm.Tables(2000, 4, 10**17, allow_empty=True), "rd")["rd"].mean(),
            "pairs of margins, the limit is 30,000,000",
        ),
        (
            lambda: cm.joint_distribution(cm.Tables(5, 4, 10**17, allow_empty=True), "med").digest,
            "pairs of margins, the limit is",
        ),
        (
            lambda: cm.joint_distribution(cm.FixedMargins([1000] * 30, [1000] * 30), "ari")["ari"].mean(),
            "would take",
        ),
        (lambda: formulas.moments_formulas(10**400, 3), "the generating function is for shapes up to"),
        (lambda: cm.Limits(threads=10**17), "threads must be at most 4096, got 1000"),
        (lambda: rand_distance_counts(10, 2, 2, threads=10**17), "threads must be at most 4096, got 1000"),
        (lambda: cm.testing.every_table(n=10**200), "n must be at most 11, got 1000"),
        (lambda: cm.testing.every_classifier_matrix(n=12), "n must be at most 11, got 12"),
        (
            lambda: cm.testing.every_labeling_pair(n=9),
            "a test, checked for all cases of up to 9 objects, would",
        ),
        (
            lambda: cm.testing.every_table(n=2, examples=10**400),
            "examples must be at most 10{18}, got 10+$",
        ),
        (lambda: cm.testing.check_metric("ari", n=10**200), "n must be at most 11, got 1000"),
        (
            lambda: cm.testing.check_metric("ari", n=9, every=9),
            "for all cases of up to 9 objects, would take",
        ),
        (
            lambda: cm.testing.check_metric("ari", examples=10**400),
            "examples must be at most 10{18}, got 10+$",
        ),
        (
            lambda: cm.sample(cm.Tables(5, 2, 2, allow_empty=True), 10**400, weight="labelings"),
            "size must be at most 10{18}, got 10+$",
        ),
        (lambda: cm.sample(cm.Tables(10, 3, 3), 10**400), "size must be at most 10{18}, got 10+$"),
        (lambda: cm.maximize(LARGE, "ari", restarts=10**400), "restarts must be at most 10{18}, got 10+$"),
        (lambda: cm.sample(cm.Tables(10, 3, 3), 10**18), "would take about .* of memory"),
        (lambda: cm.maximize(LARGE, "ari", method="local", restarts=10**18), "would take about .* years"),
        (
            lambda: stream(cm.Tables(99, 3, 3, allow_empty=True), 10**18, weight="labelings").distribution(
                "med"
            ),
            "^10{18} draws of 3 x 3 cells would take about .* years",
        ),
        (lambda: permutation_test([[1]], draws=10**400), "draws must be at most 10{18}, got 10+$"),
        (lambda: cm.Limits(seconds=10**400), "seconds must be at most 10.300, or inf, got 10+$"),
    ],
)
def test_endless_work_is_refused_before_it_begins(ask, says):
    with pytest.raises(ValueError, match=says):
        ask()


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: archive.build(None, [(2, 2)], [4]), "folder must be the path of .* got None"),
        (lambda: archive.verify(5), "folder must be the path of .* got 5"),
        (lambda: cm.JointDistribution.load([]), r"path must be the path of .* got \[\]"),
        (lambda: cm.indices.soft.read_memberships(5), "path must be the path of .* got 5"),
    ],
)
def test_useless_arguments_are_named(ask, says):
    with pytest.raises(TypeError, match=says):
        ask()


def test_endless_lists_are_refused_by_the_library(tmp_path):
    with pytest.raises(ValueError, match="sizes must have at most 10000 values, got more, beginning with 1"):
        archive.build(tmp_path, [(2, 2)], count(1))
    with pytest.raises(ValueError, match="sizes must have at most 5000 values for 2 others"):
        cm.conjectures.domain(cm.conjectures.LITERATURE["med-max"], [(2, 2), (2, 3)], count(1))


def test_endless_labels_are_refused(monkeypatch):
    monkeypatch.setattr("confmat.contingency.labels._MOST_WITHOUT_LENGTH", 1000)  # 10^7 take a second
    with pytest.raises(
        ValueError,
        match="labels_a must have at most 1,000 labels if it has no length, got more, beginning with 0",
    ):
        cm.ari(count(), count())
    assert cm.ari(iter([0, 0, 1]), (x for x in "aab")) == 1
    assert cm.ari(range(2000), range(2000)) == 1  # what has a length ends


ENDLESS = "SELECT sum(a.range * b.range) FROM range(1000000000) a, range(1000000000) b"


def test_a_query_is_interrupted(confmat, built, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.start()
    try:
        assert "interrupted" in fail(confmat("archive", "query", built, ENDLESS), 130)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    assert list(tmp_path.iterdir()) == []  # DuckDB's folder for what does not fit memory neither


def test_answers_of_a_query_are_bounded_and_of_any_type(confmat, built):
    too_many = "SELECT b.range FROM distributions, range(100000000000) b"
    assert "at most 1000000 rows" in fail(confmat("archive", "query", built, too_many))
    named = succeed(confmat("archive", "query", built, 'SELECT 1 AS "a""b"', "--format", "csv"))
    assert named == '"a""b"\n1\n'


def test_spreadsheets_run_no_label():
    sheet = Sheet(
        ("label", "count"),
        rows=[("=1+1", "-2"), ("@x", "1/3"), ("-2+3+cmd|' /C calc'!A0", "+5e-3"), ("-", "")],
    )
    assert sheet.csv().splitlines()[1:] == ["'=1+1,-2", "'@x,1/3", "'-2+3+cmd|' /C calc'!A0,+5e-3", "-,"]


@pytest.mark.parametrize(
    "index", [cm.nmi, cm.vi, cm.ami, cm.mi, cm.indices.partition.chi2], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("count", [10**101, 10**400])
def test_floats_of_huge_tables_are_refused_by_name(index, count):
    """Beyond 10^308 a float overflowed with the message of Python."""
    assert index([[10**50, 0], [0, 10**50]]) >= 0
    with pytest.raises(TooLargeError, match=r"matrix must have at most 1e\+100 objects, got 2\.00e\+"):
        index([[count, 0], [0, count]])
