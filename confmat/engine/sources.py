"""What a function is, as text: its source and that of everything of one's own that it reaches.

Helpers, globals, closures, defaults and fields are followed; what comes from packages is named, without a version.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
import os
import pickle
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import partial
from textwrap import dedent
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from confmat.errors import CheckpointError

# What stands for a value that no text says; its type follows.
UNKNOWN = "not known: an object of type"

_PLAIN = (int, float, complex, str, bytes, bool, Fraction, type(None), type(...), np.generic)
_LIBRARY = os.path.dirname(os.__file__)
_OWN = ("confmat.conjectures.claims", "confmat.conjectures.literature")  # shown as one's own


def sources(test: Any) -> dict[str, str]:
    """The texts behind a function or a callable object by name: its own first, then what it reaches, each once.

    A function without a source, typed at a prompt, is shown by its bytecode; a value that cannot be shown by its type,
    after ``UNKNOWN``.

    >>> mine = {"__name__": "mine", "limit": 2}
    >>> exec("def small(table, factor=3): return table.max() <= factor * limit", mine)
    >>> found = sources(mine["small"])
    >>> list(found), found["limit of small"]
    (['small', 'factor of small', 'limit of small'], '2')
    """
    seeker = _Seeker()
    said = seeker.say(test, "test")
    return seeker.found if said in seeker.found else {"test": said, **seeker.found}


def fingerprint(value: Any) -> str:
    """SHA-256 of what a function or an object is: its ``sources``, bytecode, and foreign objects as they are pickled.

    The same in another process; another one where anything that is reached has changed.  CheckpointError naming what
    cannot be told from something else, such as a lock or an open file.

    >>> from threading import Lock
    >>> mine = {"__name__": "mine", "limit": 2}
    >>> exec("def small(table): return table.max() <= limit", mine)
    >>> before = fingerprint(mine["small"])
    >>> mine["limit"] = 3
    >>> fingerprint(mine["small"]) == before
    False
    >>> mine["limit"] = Lock()
    >>> fingerprint(mine["small"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.CheckpointError: checkpoint cannot be kept: limit of small is an object of type lock, which ...
    """
    seeker = _Seeker()
    sha = hashlib.sha256(seeker.say(value, "test").encode())
    for name, text in sorted(seeker.found.items()):
        sha.update(f"{name}\n{text}\n".encode())
    for reached in seeker.kept:
        if isinstance(reached, FunctionType):
            sha.update(repr(list(_bytecodes(reached.__code__))).encode())
        elif not isinstance(reached, type) and not _said_by_fields(type(reached)):
            sha.update(_pickled(reached, seeker.names[id(reached)]))
    return sha.hexdigest()


def _bytecodes(code: CodeType) -> Iterator[tuple[Any, ...]]:
    """What is run, where two functions have one line of source."""
    constants = [x for x in code.co_consts if not isinstance(x, CodeType)]
    in_order = [sorted(map(repr, x)) if isinstance(x, frozenset) else x for x in constants]
    yield code.co_code, in_order, code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _bytecodes(inner)


def _pickled(value: Any, name: str) -> bytes:
    try:
        return pickle.dumps(value)
    except Exception as error:  # whatever its class raises
        raise CheckpointError(
            f"checkpoint cannot be kept: {name} is an object of type {type(value).__qualname__}, which cannot be told "
            "from another"
        ) from error


@dataclass
class _Seeker:
    found: dict[str, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    kept: list[Any] = field(default_factory=list)  # so that no id is used twice

    def say(self, value: Any, name: str) -> str:
        """A value in a word or two; what they do not say is written down under its name."""
        if isinstance(value, _PLAIN):
            return repr(value)
        if isinstance(value, list | tuple):
            inside = ", ".join([self.say(x, f"{name}[{i}]") for i, x in enumerate(value)])
            return f"{type(value).__name__}({inside})"
        if isinstance(value, set | frozenset):
            return f"{type(value).__name__}({', '.join(sorted(self.say(x, name) for x in value))})"
        if isinstance(value, Mapping):
            inside = ", ".join(
                f"{self.say(k, name)}: {self.say(x, f'{name}[{k!r}]')}" for k, x in value.items()
            )
            return f"{type(value).__name__}({inside})"
        if isinstance(value, np.ndarray):
            return f"array({self.say(value.tolist(), name)}, {value.dtype})"
        if isinstance(value, ModuleType):
            return value.__name__
        value = getattr(value, "py_func", value)  # compiled by Numba
        if isinstance(value, partial):
            return f"partial({self.say([value.func, value.args, value.keywords], name)})"
        if isinstance(value, MethodType):
            return f"method({self.say([value.__func__, value.__self__], name)})"
        if isinstance(value, BuiltinFunctionType | np.ufunc):
            return f"{getattr(value, '__module__', None)}.{value.__name__}"
        if isinstance(value, FunctionType | type) and _foreign(value.__module__ or ""):
            return f"{value.__module__}.{value.__qualname__}"
        return self._written(value, name)

    def _written(self, value: Any, name: str) -> str:
        """A function, a class or an object, by the name under which it is written down."""
        if id(value) in self.names:
            return self.names[id(value)]
        label = getattr(value, "__qualname__", name).replace("<locals>.", "")
        while label in self.found:
            label += "'"
        self.names[id(value)] = label
        self.kept.append(value)
        if isinstance(value, FunctionType):
            self.found[label] = _text(value)
            self._note_all(label, _reached(value))
        elif isinstance(value, type):
            self.found[label] = _text(value)
            for function in _methods(value):
                self._note_all(label, _reached(function))
            if not self.found[label]:  # without a source as a whole
                self.found[label] = f"class {label}"
                self._note_all(
                    label, ((x, y) for x, y in vars(value).items() if x == "__init__" or x[:2] != "__")
                )
        else:
            self.found[label] = self._object(value, name)
        return label

    def _object(self, value: Any, name: str) -> str:
        """An object is its class and its fields; one of a foreign class what it says of itself."""
        shown, own = repr(value), type(value)
        if _said_by_fields(own):
            return f"{self.say(own, name)}({self.say(_held(value), name)})"
        return f"{UNKNOWN} {own.__qualname__}" if " at 0x" in shown else shown

    def _note_all(self, label: str, reached: Iterable[tuple[str, Any]]) -> None:
        for inner, value in reached:
            key = f"{inner} of {label}"
            said = self.say(value, key)
            if said not in self.found:
                self.found[key] = said


def _said_by_fields(own: type) -> bool:
    """Whether an object of a class is told by its fields: of one's own and of this package."""
    return not _foreign(own.__module__) or own.__module__.startswith("confmat.")


def _held(value: Any) -> dict[str, Any]:
    """The fields of an object."""
    if is_dataclass(value):
        return {x.name: getattr(value, x.name) for x in fields(value)}
    slots = [
        name for own in type(value).__mro__ for name in getattr(own, "__slots__", ()) if hasattr(value, name)
    ]
    return {name: getattr(value, name) for name in slots} | getattr(value, "__dict__", {})


def _methods(own: type) -> Iterator[FunctionType]:
    """The methods that a class writes itself, not those that a decorator such as ``dataclass`` made."""
    for value in vars(own).values():
        if isinstance(value, FunctionType):
            file = value.__code__.co_filename
            if file != "<string>" and not file.startswith(_LIBRARY):
                yield value


def _reached(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function gets from outside: defaults, closure, globals, attributes of modules of one's own."""
    signature = inspect.signature(function, follow_wrapped=False)
    yield from ((x.name, x.default) for x in signature.parameters.values() if x.default is not x.empty)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not yet assigned
            continue
    names = list(dict.fromkeys(_names(function.__code__)))
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType) and not _foreign(value.__name__):
            yield from ((f"{name}.{x}", getattr(value, x)) for x in names if hasattr(value, x))
        elif name in function.__globals__ and value is not function:
            yield name, value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _foreign(module: str) -> bool:
    """Whether a module comes with Python, or with an installed package, this one apart from its claims."""
    top = module.partition(".")[0]
    if top == "confmat":
        return not module.startswith(_OWN)
    path = getattr(sys.modules.get(module), "__file__", None) or ""
    library = top in sys.stdlib_module_names and module != "__main__"
    return library or "site-packages" in path or "dist-packages" in path


def _text(value: FunctionType | type) -> str:
    """The source, that of a function without one its bytecode, that of a class without one nothing."""
    try:
        if isinstance(value, FunctionType) and value.__name__ == "<lambda>":
            return _of_lambda(value.__code__)
        return dedent(inspect.getsource(value))
    except (OSError, TypeError):
        if not isinstance(value, FunctionType):
            return ""
        code = value.__code__
        constants = [x for x in code.co_consts if not isinstance(x, CodeType)]
        return f"bytecode {code.co_code.hex()}, constants {constants!r}, names {code.co_names!r}"


def _of_lambda(code: CodeType) -> str:
    """A lambda expression, of which several may stand in one line; OSError where there is no source."""
    text = "".join(linecache.getlines(code.co_filename))
    spots = [(line, column) for line, _, column, _ in code.co_positions() if line and column]
    try:
        lambdas = [x for x in ast.walk(ast.parse(text)) if isinstance(x, ast.Lambda)]
    except SyntaxError as error:
        raise OSError("no source that can be read") from error
    around = [
        x
        for x in lambdas
        if spots
        and (x.lineno, x.col_offset) <= min(spots)
        and max(spots) <= (x.end_lineno or 0, x.end_col_offset or 0)
    ]
    if not around:
        raise OSError("no source")
    innermost = max(around, key=lambda x: (x.lineno, x.col_offset))
    return ast.get_source_segment(text, innermost) or ""
