"""The front door: `import confmat as cm` has what a user needs, loaded when it is used."""

import ast
import inspect
import pickle
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import stubs

import confmat as cm
from confmat.statistics import STATISTICS

ROOT = Path(cm.__file__).parents[1]


def exports():
    """(package, name, module): what the packages that load lazily export, and where it stands; None for a module."""
    for path in sorted(Path(cm.__file__).parent.rglob("__init__.pyi")):
        package = ".".join(path.parent.relative_to(ROOT).parts)
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ImportFrom):
                module = node.module and f"{package}.{node.module}"
                yield from ((package, alias.name, module) for alias in node.names)


EXPORTS = list(exports())
OBJECTS = {name: module for package, name, module in EXPORTS if package == "confmat" and module}
ROOMS = [name for package, name, module in EXPORTS if package == "confmat" and not module]

HEAVY = "{'numba', 'pandas', 'sympy', 'networkx', 'scipy', 'matplotlib', 'duckdb', 'hypothesis'}"


def run(code):
    """What a fresh process prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_the_stub_agrees_with_the_records():
    """Else: python -m tests.stubs --write"""
    text = stubs.STUB.read_text()
    assert text == stubs.with_indices(text, STATISTICS)
    without_ari = text.replace("from .indices.partition import ari as ari\n", "")
    assert without_ari != text == stubs.with_indices(without_ari, STATISTICS)


def test_every_statistic_is_a_function_of_the_door():
    for name in STATISTICS:
        assert inspect.isfunction(getattr(cm, name)), name


def test_short_names_are_the_functions_of_the_indices():
    assert all(getattr(cm, name) is statistic.index for name, statistic in STATISTICS.items())
    assert cm.ari is import_module("confmat.indices.partition").adjusted_rand_index


def test_names_of_the_stub_exist():
    assert len(OBJECTS) > 30 < len(EXPORTS) - len(OBJECTS)
    assert sorted(cm.__all__) == sorted([*OBJECTS, *ROOMS])
    assert set(dir(cm)) < set(cm.__all__)
    assert {"Tables", "ari", "check", "distribution", "sample"} <= set(dir(cm))
    assert len(dir(cm)) <= 60
    for name, module in OBJECTS.items():
        assert getattr(cm, name) is getattr(import_module(module), name), name
    for name in ROOMS:
        assert getattr(cm, name) is import_module(f"confmat.{name}"), name


def test_the_door_of_a_room_names_at_most_twenty_things():
    sizes = {}
    for room in ROOMS:
        module = import_module(f"confmat.{room}")
        own = {
            name
            for name, thing in vars(module).items()
            if getattr(thing, "__module__", "") == module.__name__
        }
        sizes[room] = len(getattr(module, "__all__", own))
    assert len(sizes) > 15
    assert {room: size for room, size in sizes.items() if size > 20} == {}


def test_every_import_leaves_every_name_its_object():
    """A submodule with the name of a function would replace it: the import system sets it on its package."""
    code = f"""
import pkgutil, sys, confmat
from importlib import import_module
for module in pkgutil.walk_packages(confmat.__path__, "confmat."):
    if not module.name.endswith("__main__"):
        import_module(module.name)
for package, name, module in {EXPORTS!r}:
    found = getattr(import_module(package), name)
    expected = getattr(import_module(module), name) if module else import_module(f"{{package}}.{{name}}")
    assert found is expected, (package, name)
print("numba" in sys.modules)
"""
    assert run(code) == "False\n"  # and no import loads Numba


def test_an_index_of_a_matrix_and_the_commands_load_no_heavy_library():
    code = [
        "cm.med([[50, 0, 0], [0, 48, 2], [0, 1, 49]])",
        "cm.med([0, 0, 1, 1], ['a', 'b', 'b', 'b'])",
        "[index(range(6), [0, 0, 1, 1, 2, 2]) for index in (cm.nmed, cm.ard, cm.vi, cm.nmi, cm.compare)]",
        "cm.auc([[3, 1], [0, 2]]), cm.indices.classification.gsp_pairs([[3, 1], [0, 2]])",
        "cm.__version__, dir(cm), cm.Tables",
        "from confmat.cli.app import application; application()",
    ]
    told = f"print(sorted({HEAVY} & set(sys.modules)))"
    assert run("\n".join(["import sys, confmat as cm", *(f"{x}; {told}" for x in code)])) == "[]\n" * len(
        code
    )


def test_nothing_is_loaded_before_it_is_used():
    loaded = run("import sys, confmat; print([name for name in sys.modules if name.startswith('confmat.')])")
    assert loaded == "[]\n"


def test_everything_is_documented():
    for name in OBJECTS:
        assert inspect.getdoc(getattr(cm, name)), name


def test_signatures_can_be_read():
    shown = str(inspect.signature(cm.med))
    assert (
        shown
        == "(matrix_or_labels_a: 'Any', labels_b: 'Any' = None, /, *, exact: 'bool' = False) -> 'PartitionNumber'"
    )


def test_from_confmat_import_everything():
    names = {}
    exec("from confmat import *", names)
    assert set(cm.__all__) <= set(names)
    assert names["med"] is cm.med


@pytest.mark.parametrize("name", sorted(OBJECTS))
def test_public_objects_can_be_pickled(name):
    thing = getattr(cm, name)
    assert pickle.loads(pickle.dumps(thing)) is thing


def test_comparisons_can_be_pickled():
    found = cm.compare([[2, 1], [1, 3]])
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="medd"):
        cm.medd  # noqa: B018
    with pytest.raises(ImportError, match="medd"):
        exec("from confmat import medd")


def test_the_version_has_one_source():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" not in project["project"]
    assert ROOT / project["tool"]["hatch"]["version"]["path"] == Path(cm.__file__)
    assert cm.__version__.count(".") == 2


@pytest.mark.parametrize("program", ["confmat", "confmat --version"])
def test_the_program_is_a_module(program):
    arguments = [sys.executable, "-m", *program.split()]
    result = subprocess.run(arguments, capture_output=True, text=True)
    said = f"confmat {cm.__version__}\n" if program.endswith("--version") else "Usage: confmat"
    assert said in result.stdout
