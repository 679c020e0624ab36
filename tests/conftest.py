"""Settings of the whole suite."""

import gc
import json
import os
import shutil
import tempfile
import threading
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings

from confmat._limits import _METHODS

# No deadline: the first example of a test may compile kernels.  Derandomized: the same examples on every run, half as
# many as Hypothesis takes where a test says nothing; with HYPOTHESIS_PROFILE=fuzz ten times as many, new ones on every
# run, and how to see a failing one again is printed.
settings.register_profile("confmat", deadline=None, derandomize=True, max_examples=50)
fresh = {"derandomize": False, "database": None, "print_blob": True}
settings.register_profile("fuzz", deadline=None, max_examples=500, **fresh)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "confmat"))


# Tests that take long beside what they find, or that guard what changes seldom: python -m pytest -m long runs them.
LONG = (
    "tests/archive/test_archive_queries.py",
    "tests/cli/test_cli_archive.py",
    "tests/conformance",
    "tests/conjectures/test_registry.py::test_the_first_range_is_checked_again",
    "tests/conjectures/test_statements_not_checked.py",
    "tests/distributions/test_med_distribution.py",
    "tests/distributions/test_rand_distribution.py",
    "tests/engine/test_walks.py",
    "tests/engine/test_witnesses.py",
    "tests/indices/test_ard_given_med.py",
    "tests/indices/test_largest_ard.py",
    "tests/sampling/test_sampling_given_tables.py",
    "tests/search/test_search_local.py",
    "tests/significance/test_few_tables.py",
    "tests/statistics/test_declared.py",
    "tests/statistics/test_exact_comparisons.py",
    "tests/statistics/test_second_definitions.py",
    "tests/testing/test_contracts.py",
    "tests/testing/test_own_contracts.py",
    "tests/test_adding.py",
    "tests/test_compiled.py",
    "tests/test_damaged_files.py",
    "tests/test_degenerate.py",
    "tests/test_file_names.py",
    "tests/test_graphs.py",
    "tests/test_hostile_labels.py",
    "tests/test_kept.py",
    "tests/test_limits_hold.py",
    "tests/test_printed_numbers.py",
    "tests/test_proofs.py",
    "tests/test_references.py",
)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.startswith("tests/papers"):  # printed numbers change with the notebooks only
            item.add_marker("slow")
        elif item.nodeid.startswith(LONG) and not item.get_closest_marker("slow"):
            item.add_marker("long")


# While tests are collected all that is made lives on.
gc.disable()

_compiling = threading.RLock()
_compilations = []


def compiled_once(compile_kernel):
    """Compile while no other process of the tests does: what one compiles the others read from the cache."""
    import fcntl

    def compile_alone(dispatcher, signature):
        with _compiling, open(os.path.join(tempfile.gettempdir(), f"compiling-{os.getuid()}"), "w") as file:
            if not _compilations:  # a kernel compiles those that it calls
                fcntl.flock(file, fcntl.LOCK_EX)
            _compilations.append(dispatcher)
            try:
                return compile_kernel(dispatcher, signature)
            finally:
                _compilations.pop()

    return compile_alone


def pytest_sessionstart():
    if os.name == "posix":
        from numba.core.dispatcher import Dispatcher

        Dispatcher.compile = compiled_once(Dispatcher.compile)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Examples are looked for in those files of the tests that have any: a look takes as long as all else."""
    collectors = yield
    has_examples = file_path.suffix == ".py" and ">>>" in file_path.read_text(encoding="utf-8")
    return [x for x in collectors if has_examples or type(x).__name__ != "DoctestModule"]


def pytest_collection_finish():
    """Look for garbage less often, and not among what was imported, which lives to the end: a twentieth of the time."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


def pytest_unconfigure():
    """What libraries look for at the end is found; they look twice, the second time among what is new."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


_seconds_of_files = Counter()


def pytest_runtest_logreport(report):
    _seconds_of_files[report.nodeid.partition("::")[0]] += report.duration


def pytest_terminal_summary(terminalreporter):
    """Which files took longest, where it takes long; seconds of one process."""
    if sum(_seconds_of_files.values()) > 60:
        terminalreporter.section("files that took longest")
        for file, seconds in _seconds_of_files.most_common(20):
            terminalreporter.write_line(f"{seconds:7.1f} s  {file}")


@pytest.fixture
def confmat(capsys):
    """Run a command line in this process: (exit code, standard output, standard error)."""
    from command_line import run

    def call(*arguments):
        code = run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call


@pytest.fixture
def histograms(monkeypatch):
    """Enumerate small classes as large ones: without it they are walked, and no kernel is compiled."""
    from confmat._engine import pieces

    monkeypatch.setattr(pieces, "FEW_STEPS", 0)
    pieces.pieces_of.cache_clear()
    yield
    pieces.pieces_of.cache_clear()


@pytest.fixture
def many_pieces(monkeypatch):
    """Small classes in as many pieces as large ones."""
    from confmat._engine import pieces

    monkeypatch.setattr(pieces, "_TABLES_PER_PIECE", 1)
    monkeypatch.setattr(pieces, "_TABLES_PER_WALK", 1)
    monkeypatch.setattr(pieces, "_MOST_PIECES", 10**9)
    monkeypatch.setattr(pieces, "_TOGETHER", 1)
    pieces.pieces_of.cache_clear()
    yield
    pieces.pieces_of.cache_clear()


@pytest.fixture(scope="session")
def oracles():
    """Recorded values with their sources: ``oracles("packages")`` is the content of oracles/packages.json."""

    def load(name):
        return json.loads((Path(__file__).parent / "oracles" / f"{name}.json").read_text())

    return load


# An archive for the tests of confmat.archive, and ways to damage it.
ARCHIVE_SHAPES = [(1, 2), (2, 2), (2, 3), (3, 2), (3, 3)]
ARCHIVE_SIZES = [1, 2, 4, 6]


@pytest.fixture(scope="session")
def requested():
    """What the archive ``built`` was asked for: shapes and sizes."""
    return ARCHIVE_SHAPES, ARCHIVE_SIZES


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """An archive that no test changes, in a folder whose name is not easy."""
    from confmat import archive
    from confmat._limits import Limits

    folder = tmp_path_factory.mktemp("it's [an] *archive*") / "a b"
    archive.build(folder, ARCHIVE_SHAPES, ARCHIVE_SIZES, limits=Limits(threads=1))
    return folder


@pytest.fixture
def copied(built, tmp_path):
    """The same archive, to be damaged."""
    return shutil.copytree(built, tmp_path / "copy")


@pytest.fixture
def replace_method(monkeypatch):
    """A function that lets the method of a name apply as is said in this test: by what it would have said."""
    from confmat.distributions import joint_distribution  # noqa: F401  # its methods register themselves

    def put(name, applies):
        (question,) = (of for of, methods in _METHODS.items() if name in [x.name for x in methods])
        changed = [
            replace(x, applies=partial(applies, x.applies)) if x.name == name else x
            for x in _METHODS[question]
        ]
        monkeypatch.setitem(_METHODS, question, changed)

    return put


@pytest.fixture
def fold(monkeypatch):
    """A function that lets sums stand for signatures in this test, as if these were too many."""

    def begin():
        monkeypatch.setattr("confmat._engine.run.Enumeration.fits", lambda enumeration: False)

    return begin
