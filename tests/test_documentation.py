"""The reference of the public modules: it builds without warnings, and every function in it shows an example."""

import importlib
import inspect
import warnings

import pytest

import confmat

# The modules that the docstring of the package lists, and those of the studies.
PUBLIC = [line.split()[0] for line in (confmat.__doc__ or "").splitlines() if line.startswith("    confmat.")]


def public_objects(module):
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    for name in names:
        thing = getattr(module, name)
        if (inspect.isfunction(thing) or inspect.isclass(thing)) and (
            hasattr(module, "__all__") or thing.__module__ == module.__name__
        ):
            yield name, thing


def examples(thing):
    """Whether a function, or a class or one of its methods, has a doctest."""
    documented = [thing]
    if inspect.isclass(thing):
        documented += [member for name, member in inspect.getmembers(thing) if not name.startswith("_")]
    return any(">>>" in (inspect.getdoc(x) or "") for x in documented)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_function_has_a_doctest(name):
    module = importlib.import_module(name)
    missing = [
        f"{name}.{key}"
        for key, thing in public_objects(module)
        if (inspect.isfunction(thing) and not examples(thing)) or not inspect.getdoc(thing)
    ]
    assert not missing, f"without an example: {', '.join(missing)}"


def test_the_reference_builds_without_warnings(tmp_path):
    pdoc = pytest.importorskip("pdoc")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # As `python -m pdoc confmat -o reference` does, without the composite strategies and the command line.
        pdoc.pdoc("confmat", "!confmat.strategy_draws", "!confmat.cli", output_directory=tmp_path)
    pages = {
        str(page.relative_to(tmp_path).with_suffix("")).replace("/", ".") for page in tmp_path.rglob("*.html")
    }
    assert set(PUBLIC) <= pages
