"""Compiled kernels where their cache can be written and where it cannot."""

import pickle

import numba
import numpy as np

from confmat import compiled
from confmat.sampling import random_bits


def test_without_a_cache_it_compiles_and_says_so_once(monkeypatch, capsys):
    real = numba.njit

    def unwritable(*arguments, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function 'f': no locator available for file 'f.py'")
        return real(*arguments, **options)

    monkeypatch.setattr(numba, "njit", unwritable)
    compiled._say_uncached.cache_clear()
    assert compiled.njit(cache=True)(lambda x: x + 1)(2) == 3
    assert compiled.njit(nogil=True)(lambda x: 2 * x)(2) == 4
    assert capsys.readouterr().err.count("\n") == 1


def test_compilation_is_told_once(capsys):
    told = []
    compiled.on_first_compilation(lambda: told.append("compiling"))
    functions = [compiled.njit(cache=False)(lambda x, k=k: x + k) for k in range(2)]
    assert [f(1) for f in functions] == [1, 2]
    assert told == ["compiling"]


def test_a_function_compiled_elsewhere_may_call_a_kernel():
    kernel = compiled.njit(cache=False)(lambda x: x + 1)
    assert numba.njit(lambda x: 2 * kernel(x))(1) == 4


def test_a_kernel_is_pickled_by_its_name():
    kernel = compiled.Kernel(random_bits.state_of, {})  # once compiled, another object has the name
    assert pickle.loads(pickle.dumps(kernel)) is random_bits.state_of
    assert pickle.loads(pickle.dumps(random_bits.ones))(np.uint64(6)) == 2
