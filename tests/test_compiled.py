"""Compiled kernels where their cache can be written and where it cannot."""

import numba

from confmat import compiled


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
