"""Compiled kernels where their cache can be written and where it cannot."""

import importlib.util
import pickle
import shutil
import subprocess
import sys

import numba
import numpy as np
import pytest

import confmat._numba as _numba
from confmat.sampling import random_bits


def test_without_a_cache_it_compiles_and_says_so_once(monkeypatch, capsys):
    real = numba.njit

    def unwritable(*arguments, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function 'f': no locator available for file 'f.py'")
        return real(*arguments, **options)

    monkeypatch.setattr(numba, "njit", unwritable)
    _numba._say_uncached.cache_clear()
    assert _numba.njit(cache=True)(lambda x: x + 1)(2) == 3
    assert _numba.njit(nogil=True)(lambda x: 2 * x)(2) == 4
    assert capsys.readouterr().err.count("\n") == 1


def test_compilation_is_told_once(capsys):
    told = []
    _numba.on_first_compilation(lambda: told.append("compiling"))
    functions = [_numba.njit(cache=False)(lambda x, k=k: x + k) for k in range(2)]
    assert [f(1) for f in functions] == [1, 2]
    assert told == ["compiling"]


def test_a_function_compiled_elsewhere_may_call_a_kernel():
    kernel = _numba.njit(cache=False)(lambda x: x + 1)
    assert numba.njit(lambda x: 2 * kernel(x))(1) == 4


def test_a_kernel_is_pickled_by_its_name():
    kernel = _numba.Kernel(random_bits.state_of, {})  # once _numba, another object has the name
    assert pickle.loads(pickle.dumps(kernel)) is random_bits.state_of
    assert pickle.loads(pickle.dumps(random_bits.ones))(np.uint64(6)) == 2


PLUS = "def plus(x):\n    return x + {}\n"


@pytest.fixture
def plus(tmp_path, monkeypatch):
    """Compile a function of a file, as a new process would, whose cache lies beside that file."""
    monkeypatch.syspath_prepend(tmp_path)

    def load(number=1):
        path = tmp_path / "one_more_kernel.py"
        if not path.exists() or path.read_text() != PLUS.format(number):
            path.write_text(PLUS.format(number))
        spec = importlib.util.spec_from_file_location("one_more_kernel", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return _numba.njit(module.plus).compiled

    return load


def test_literals_are_compiled_for_their_type(plus):
    kernel = plus()

    @numba.njit
    def adding_up():
        total = 0  # inferred as 0 first
        for _ in range(3):
            total = kernel(total)
        return total + kernel(5)

    assert adding_up() == 9
    assert len(kernel.signatures) == 1


def test_code_of_another_signature_is_not_run(plus, tmp_path):
    """What two processes that compile at once left behind: one signature's code under the name of another."""
    assert plus()(1) == 2
    (of_int,) = tmp_path.rglob("*.nbc")
    assert plus()(0.5) == 1.5
    (of_float,) = set(tmp_path.rglob("*.nbc")) - {of_int}
    of_float.write_bytes(of_int.read_bytes())
    again = plus()
    assert again(0.5) == 1.5
    assert sum(again.stats.cache_hits.values()) == 0
    assert plus()(0.5) == 1.5


OF_A_MODULE_THAT_MOVED = b"cno_such_module\nkernel\n."  # a pickle


@pytest.mark.parametrize(
    "damage",
    [
        lambda code: code[:100],
        lambda code: b"",
        lambda code: b"x" + code,
        lambda code: OF_A_MODULE_THAT_MOVED,
    ],
)
def test_damaged_code_is_compiled_again(plus, tmp_path, damage):
    assert plus()(1) == 2
    (file,) = tmp_path.rglob("*.nbc")
    file.write_bytes(damage(file.read_bytes()))
    assert plus()(1) == 2
    kept = plus()
    assert kept(1) == 2
    assert sum(kept.stats.cache_hits.values()) == 1


def test_code_of_an_older_source_is_not_run(plus):
    assert plus()(1) == 2
    assert plus(1000)(1) == 1001


KERNEL = "from small._numba import njit\n{}\n@njit\n{}"
CALLING = KERNEL.format("from small.called import plus\n", "def twice(x):\n    return 2 * plus(x)\n")


def test_code_that_contains_an_older_source_of_another_file_is_not_run(tmp_path):
    """A kernel calls one of another file, which alone changes."""
    package = tmp_path / "small"
    package.mkdir()
    shutil.copy(_numba.__file__, package)
    (package / "__init__.py").touch()
    (package / "calling.py").write_text(CALLING)
    printed = []
    for number in (1, 1, 1000):
        (package / "called.py").write_text(KERNEL.format("", PLUS.format(number)))
        program = (
            "from small.calling import twice; print(twice(1), sum(twice.compiled.stats.cache_hits.values()))"
        )
        process = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        printed.append(process.stdout.split())
    assert printed == [["4", "0"], ["4", "1"], ["2002", "0"]]
