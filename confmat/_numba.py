"""Compilation of the kernels: kept on disk where that can be written, else done again in every run, which is said."""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache as once
from functools import partial, update_wrapper
from hashlib import sha256
from pathlib import Path
from pkgutil import resolve_name
from types import SimpleNamespace
from typing import Any

_to_tell: list[Callable[[], None]] = []
_one_at_a_time = threading.RLock()


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Numba's ``njit`` for the functions of this package; Numba is loaded when one of them is first called.

    Code is cached, and runs without the lock of the interpreter.

    >>> njit(lambda x: x + 1)(2)
    3
    """
    if function is None:
        return partial(njit, **options)
    return Kernel(function, {"cache": True, "nogil": True, **options})


class Kernel:
    """A function that is compiled, or read from disk, when it is first called."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self.options = function, options
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*arguments)

    def __reduce__(self) -> Any:  # by name: once compiled, it is Numba's function that has the name
        return resolve_name, (f"{self.py_func.__module__}:{self.py_func.__qualname__}",)

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks for the type of a global: functions compiled elsewhere may call a kernel."""
        return self.compiled._numba_type_

    @property
    def compiled(self) -> Any:
        """Numba's function; where no folder for its cache can be written it is compiled again in every run."""
        import numba

        with _one_at_a_time:
            if self._compiled is None:
                _listen()
                _teach()
                try:
                    self._compiled = _kept(numba.njit(**self.options)(self.py_func))
                except RuntimeError:  # Numba found no locator, as it says: a folder that it may write
                    _say_uncached()
                    self._compiled = numba.njit(**{**self.options, "cache": False})(self.py_func)
                # What it calls must be Numba's too.
                names = self.py_func.__globals__
                names.update(
                    {name: each.compiled for name, each in names.items() if isinstance(each, Kernel)}
                )
        return self._compiled


def _kept(function: Any) -> Any:
    """Numba's function with one file for each signature, which says whose code it holds.

    Numba keeps an index of numbered files beside them.  Two processes that compile at once, or one that is killed
    between the two writings, leave an index that names the code of another signature, or of an older source, and that
    code is then run: a wrong number, silently.
    """
    cache: Any = getattr(function, "_cache", None)  # without compilation a plain function
    if file := getattr(cache, "_cache_file", None):  # none where the options want no cache
        stamp = file._source_stamp, _digest_of_kernels()
        cache._cache_file = _files()(file._cache_path, Path(file._index_name).stem, stamp)
        function.get_call_template = partial(_of_types, function.get_call_template)
    return function


@once
def _digest_of_kernels() -> str:
    """Return the SHA-256 of the sources of all kernels: code of a kernel contains that of the kernels that it calls."""
    sha = sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        source = path.read_bytes()
        if b"njit" in source:
            sha.update(source)
    return sha.hexdigest()


def _of_types(template: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Kernels that call a kernel with 0 or False, or with what a loop begins at, get the one compiled for its type."""
    from numba.core.types import unliteral

    return template(
        tuple(map(unliteral, arguments)),
        {name: unliteral(x) for name, x in named.items()},
    )


def with_item(values: Any, place: int, value: Any) -> Any:
    """Return a tuple, or an array, with another item at a place.

    In kernels the items of a tuple stay in registers. Each length of a tuple is compiled for itself.

    >>> with_item((1, 2, 3), 1, 5)
    (1, 5, 3)
    """
    return (*values[:place], value, *values[place + 1 :])


@once
def _teach() -> None:
    """Tell Numba what it is to compile for ``with_item``."""
    from numba.core.types import Array
    from numba.cpython.unsafe.tuple import tuple_setitem
    from numba.extending import overload

    def of_tuple(values: Any, place: Any, value: Any) -> Any:
        return tuple_setitem(values, place, value)  # type: ignore[call-arg]

    def of_array(values: Any, place: Any, value: Any) -> Any:
        values[place] = value
        return values

    @overload(with_item)
    def implementation(values: Any, place: Any, value: Any) -> Any:
        return of_array if isinstance(values, Array) else of_tuple


@once
def _files() -> Any:
    from numba.core.caching import IndexDataCacheFile

    class Files(IndexDataCacheFile):
        def _name(self, key: Any) -> str:
            return self._data_name(int(sha256(repr(key).encode()).hexdigest()[:12], 16))

        def save(self, key: Any, data: Any) -> None:
            self._save_data(
                self._name(key),
                (self._version, self._source_stamp, key, data),
            )

        def load(self, key: Any) -> Any:
            try:
                *of, data = self._load_data(self._name(key))
            except (OSError, EOFError, ImportError, AttributeError, pickle.UnpicklingError):
                return None  # also what calls a kernel that has moved since
            if of == [self._version, self._source_stamp, key]:
                return data
            return None

    return Files


def on_first_compilation(callback: Callable[[], None]) -> None:
    """Call a function before the next kernel is compiled in this process; kernels read from disk do not count.

    >>> on_first_compilation(lambda: None)
    """
    _to_tell.append(callback)


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


# ``look()`` returns the seconds until the call is stopped, None if it is not, and raises an error after them: that of
# ``confmat._limits`` takes its place.
clock: Any = SimpleNamespace(look=lambda: None)


def stoppable(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a compiled kernel whose last argument is a flag that stops it.

    The kernel runs in a second thread. The deadline and Ctrl-C set the flag.

    >>> stoppable(lambda x, stop: (x, len(stop)), 2)
    (2, 1)
    """
    import numpy as np

    stop = np.zeros(1, np.uint8)
    with ThreadPoolExecutor(1) as executor:
        future = executor.submit(kernel, *arguments, stop)
        try:
            return future.result(clock.look())
        except BaseException:
            stop[0] = 1
            clock.look()
            raise


@njit
def copy(source: Any, target: Any) -> None:
    """Entries one by one: an assignment of arrays takes two seconds to compile, as it may have to say what it got."""
    for i in range(len(target)):
        target[i] = source[i]
