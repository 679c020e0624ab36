"""Compilation of the kernels: kept on disk where that can be written, else done again in every run, which is said."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache as once
from typing import Any

_to_tell: list[Callable[[], None]] = []


def njit(*, cache: bool = True, **options: Any) -> Any:
    """Numba's ``njit``; where no folder for its cache can be written the function is compiled again in every run.

    >>> njit(nogil=True)(lambda x: x + 1)(2)
    3
    """
    import numba

    _listen()

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            return numba.njit(cache=cache, **options)(function)
        except RuntimeError:  # Numba found no locator, as it says: a folder that it may write
            _say_uncached()
            return numba.njit(**options)(function)

    return compiled


def on_first_compilation(told: Callable[[], None]) -> None:
    """Call a function before the next kernel is compiled in this process; kernels read from disk do not count.

    >>> on_first_compilation(lambda: None)
    """
    _to_tell.append(told)


@once
def _listen() -> None:
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, _: Any) -> None:
            while _to_tell:
                _to_tell.pop()()

        def on_end(self, _: Any) -> None:
            pass

    event.register("numba:compile", Listener())


@once
def _say_uncached() -> None:
    print(
        "confmat: compiled kernels cannot be kept, some ten seconds a run: set NUMBA_CACHE_DIR to a folder to write to",
        file=sys.stderr,
    )
