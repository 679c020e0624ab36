"""Compilation of functions with Numba, and a cache of compiled code on disk."""

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
    """Return a function of this package that Numba compiles on its first call. Numba is imported only then.

    The compiled code is cached, and releases the lock of the interpreter.

    >>> njit(lambda x: x + 1)(2)
    3
    """
    if function is None:
        return partial(njit, **options)
    return Kernel(function, {"cache": True, "nogil": True, **options})


class Kernel:
    """Function that is compiled, or read from the cache, on its first call."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self.options = function, options
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*arguments)

    def __reduce__(self) -> Any:  # by name, which refers to Numba's function after compilation
        return resolve_name, (f"{self.py_func.__module__}:{self.py_func.__qualname__}",)

    @property
    def _numba_type_(self) -> Any:
        """Return the type that Numba uses for the function, so that other compiled functions can call it."""
        return self.compiled._numba_type_

    @property
    def compiled(self) -> Any:
        """Return Numba's compiled function. If no directory for the cache is writable, it is not cached."""
        import numba

        with _one_at_a_time:
            if self._compiled is None:
                _listen()
                _teach()
                try:
                    self._compiled = _kept(numba.njit(**self.options)(self.py_func))
                except RuntimeError:  # Numba found no writable directory for its cache
                    _say_uncached()
                    self._compiled = numba.njit(**{**self.options, "cache": False})(self.py_func)
                # Functions that it calls must be compiled functions too.
                names = self.py_func.__globals__
                names.update(
                    {name: each.compiled for name, each in names.items() if isinstance(each, Kernel)}
                )
        return self._compiled


def _kept(function: Any) -> Any:
    """Return Numba's function, with a cache that has one file for each tuple of argument types.

    Numba itself stores an index of numbered files. If two processes compile at once, or one is killed, the index
    can name the code for other types or of an older source. This code would then return wrong numbers. Here each
    file contains its key.
    """
    cache: Any = getattr(function, "_cache", None)  # None if compilation is disabled
    if file := getattr(cache, "_cache_file", None):  # None if caching is disabled
        stamp = file._source_stamp, _digest_of_kernels()
        cache._cache_file = _files()(file._cache_path, Path(file._index_name).stem, stamp)
        function.get_call_template = partial(_of_types, function.get_call_template)
    return function


@once
def _digest_of_kernels() -> str:
    """Return the SHA-256 of the sources of all compiled functions.

    The compiled code of a function contains the code of the functions that it calls. A change of any of them must
    therefore change the digest.
    """
    sha = sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        source = path.read_bytes()
        if b"njit" in source:
            sha.update(source)
    return sha.hexdigest()


def _of_types(template: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Return the call template of a Numba function for the types of its arguments, without the values of literals.

    A call with 0 or False then uses the code that is compiled for integers or booleans.
    """
    from numba.core.types import unliteral

    return template(
        tuple(map(unliteral, arguments)),
        {name: unliteral(x) for name, x in named.items()},
    )


def with_item(values: Any, place: int, value: Any) -> Any:
    """Return a tuple or an array with the item at index ``place`` replaced by ``value``.

    Compiled code changes the array itself. There the items of a tuple stay in registers, and each length of a tuple
    is compiled separately.

    >>> with_item((1, 2, 3), 1, 5)
    (1, 5, 3)
    """
    return (*values[:place], value, *values[place + 1 :])


@once
def _teach() -> None:
    """Register the compiled implementation of `with_item` with Numba."""
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
    """Return the class that reads and writes the cache files of compiled functions.

    The name of a file is derived from the key of the compiled code. The file also contains the key, which is
    compared when it is read.
    """
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
                return None  # also if it calls a kernel that was moved to another module
            if of == [self._version, self._source_stamp, key]:
                return data
            return None

    return Files


def on_first_compilation(callback: Callable[[], None]) -> None:
    """Register a function that is called before the next compilation in this process.

    Reading compiled code from the cache is not a compilation.

    >>> on_first_compilation(lambda: None)
    """
    _to_tell.append(callback)


@once
def _listen() -> None:
    """Register a listener with Numba that calls the functions of `on_first_compilation`."""
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
    """Print that compiled code cannot be cached."""
    print(
        "confmat: compiled kernels cannot be kept, some ten seconds a run: set NUMBA_CACHE_DIR to a folder to write to",
        file=sys.stderr,
    )


# ``look()`` returns the seconds until the deadline, or None without a deadline. It raises an error after the deadline.
# ``confmat._limits`` replaces it.
clock: Any = SimpleNamespace(look=lambda: None)


def stoppable(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a compiled function whose last argument is a flag that stops it.

    The function runs in a second thread. The deadline and Ctrl-C set the flag.

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
    """Copy the entries of an array to another one by one.

    In compiled code an assignment of arrays would take two seconds to compile.
    """
    for i in range(len(target)):
        target[i] = source[i]
