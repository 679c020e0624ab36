"""The documentation: what is public shows an example that runs."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest
from numpydoc.validate import validate

import confmat
from confmat._display import Answer
from confmat.statistics import STATISTICS

# Rooms, as the docstring of the package lists them, and as there are.
LISTED = [line.split()[0] for line in (confmat.__doc__ or "").splitlines() if line.startswith("    confmat.")]
ONE_FILE = {"confmat._limits", "confmat.graphs"}
ROOMS = ONE_FILE | {x.name for x in pkgutil.iter_modules(confmat.__path__, "confmat.") if x.ispkg}


def opened(module):
    """A module, and those that it and they export: what is public is reached from the front door."""
    yield module
    for name in getattr(module, "__all__", ()):
        if inspect.ismodule(thing := getattr(module, name)):
            yield from opened(thing)


PUBLIC = sorted({module.__name__ for module in opened(confmat)})


def public_objects(module):
    """The functions (compiled and cached ones too) and classes that a module defines or exports, by name."""
    exported = getattr(module, "__all__", ())
    for name in dict.fromkeys([*exported, *(name for name in vars(module) if not name.startswith("_"))]):
        thing = getattr(module, name)
        if (inspect.isfunction(inspect.unwrap(thing)) or inspect.isclass(thing)) and (
            name in exported or thing.__module__ == module.__name__
        ):
            yield name, thing


def public_methods(cls):
    """The methods that a class has from this package, by name; properties need no example."""
    for base in cls.__mro__:
        if base.__module__.startswith("confmat."):
            for name, member in vars(base).items():
                function = inspect.unwrap(getattr(member, "__func__", member))
                # Defined here, not a function that a field holds.
                own = getattr(function, "__qualname__", "") == f"{base.__qualname__}.{name}"
                if inspect.isfunction(function) and own and not name.startswith("_"):
                    yield name, getattr(cls, name)


def shows_an_example(thing):
    """Whether the docstring, which a method may inherit, has a doctest and skips none."""
    text = inspect.getdoc(thing) or ""
    return ">>>" in text and "+SKIP" not in text


def without_example(module):
    for name, thing in public_objects(module):
        if not inspect.isclass(thing):
            if not shows_an_example(thing):
                yield name
            continue
        if not inspect.getdoc(thing):
            yield name
        of_answers = (
            set(dict(public_methods(Answer))) if thing is not Answer and issubclass(thing, Answer) else ()
        )
        for key, method in public_methods(thing):
            if key not in of_answers and not shows_an_example(method):
                yield f"{name}.{key}"


def test_the_package_lists_its_rooms():
    assert sorted(LISTED) == sorted(ROOMS)
    assert ROOMS - set(PUBLIC) == {
        "confmat._display",
        "confmat.cli",
        "confmat._engine",
        "confmat._integers",
        "confmat._limits",
    }


def test_public_names_are_reached_from_the_package():
    assert {"confmat.indices.partition", "confmat.indices.soft", "confmat.errors"} < set(PUBLIC)
    assert all(inspect.getdoc(importlib.import_module(name)) for name in PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_function_and_method_has_a_doctest(name):
    missing = sorted(set(without_example(importlib.import_module(name))))
    assert not missing, f"without an example in {name}: {', '.join(missing)}"


def test_shared_attributes_of_answers_are_documented_once():
    assert list(without_example(importlib.import_module("confmat._display"))) == []


def test_functions_and_methods_without_an_example_are_found():
    class Counted:
        """Documented."""

        def shown(self):
            """Two.

            >>> 1 + 1
            2
            """

        def bare(self):
            """Nothing."""

        @classmethod
        def skipped(cls):
            """Nothing runs.

            >>> 1 + 1  # doctest: +SKIP
            3
            """

        @property
        def size(self):
            """No example needed."""

    def bare():
        """Nothing."""

    Counted.__module__ = bare.__module__ = "confmat.invented"
    module = type(inspect)("confmat.invented")
    vars(module).update(Counted=Counted, bare=bare, _inner=bare)
    assert list(without_example(module)) == ["Counted.bare", "Counted.skipped", "bare"]


def test_classes_that_users_construct_document_their_parameters():
    documented = set()
    for name in PUBLIC:
        for key, thing in public_objects(importlib.import_module(name)):
            if inspect.isclass(thing) and "Parameters\n" in inspect.getdoc(thing):
                documented.add(key)
    tables = {"Tables", "FixedRows", "FixedColumns", "FixedMargins", "MembershipGrids"}
    assert documented >= tables | {"Conjecture", "Limits", "Statistic"}


def test_the_glossary_lists_every_other_name_of_a_statistic():
    rows = re.findall(
        r"^\| `(\w+)` \| [^|]* \| (.*) \|$", Path("notebooks/pages/glossary.md").read_text(), re.M
    )
    listed = {name: tuple(re.findall(r"\w+", others)) for name, others in rows}
    assert listed == {name: record.names for name, record in STATISTICS.items() if record.names}


# Not asked of every docstring: related functions, an extended summary, a description beside a type, and examples, which
# a test above counts. Answers, which users do not construct, have attributes and no parameters.
NOT_ASKED = {"SA01", "ES01", "RT03", "PR07", "EX01"}


def documented_names():
    """Names of all public functions, classes and methods, for numpydoc."""
    for module in PUBLIC:
        for name, thing in public_objects(importlib.import_module(module)):
            yield f"{module}.{name}", thing
            if inspect.isclass(thing):
                yield from ((f"{module}.{name}.{key}", method) for key, method in public_methods(thing))


def test_docstrings_are_those_of_numpydoc():
    found = {}
    for name, thing in documented_names():
        skipped = NOT_ASKED | ({"PR01", "PR02"} if inspect.isclass(thing) else set())
        errors = [(code, words) for code, words in validate(name)["errors"] if code not in skipped]
        if errors:
            found[name] = errors
    assert found == {}
