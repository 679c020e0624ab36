"""Pages of the site for each public module and for the commands."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import typer
from typer.cli import get_docs_for_click

import confmat as cm
from confmat.cli.app import application


def public_modules(module: ModuleType = cm) -> Iterator[ModuleType]:
    """A module, then those that it and they export: what is reached from the front door."""
    yield module
    for name in getattr(module, "__all__", ()):
        if inspect.ismodule(thing := getattr(module, name)):
            yield from public_modules(thing)


def public_names(module: ModuleType) -> dict[str, Any]:
    """What a module exports, or defines where it exports nothing by name; without modules."""
    exported = getattr(module, "__all__", None)
    own = {name: x for name, x in vars(module).items() if getattr(x, "__module__", None) == module.__name__}
    names = {name: getattr(module, name) for name in exported} if exported else own
    return {n: x for n, x in names.items() if not n.startswith("_") and not inspect.ismodule(x)}


def _directive(thing: Any) -> str:
    if inspect.isclass(thing):
        return ".. autoclass:: {}\n   :members:"
    return ".. autofunction:: {}" if callable(thing) else ".. py:data:: {}"


def _headed(title: str) -> list[str]:
    return [title, "-" * len(title), ""]


def write_reference(folder: Path) -> None:
    """A page for each public module; a name stands on the page of the last module that exports it, elsewhere a link."""
    folder.mkdir()
    modules = {module.__name__: public_names(module) for module in public_modules()}
    home = {id(x): f"{where}.{name}" for where, names in modules.items() for name, x in names.items()}
    for where, names in modules.items():
        lines = [where, "=" * len(where), "", f".. automodule:: {where}", ""]
        elsewhere = {name: home[id(x)] for name, x in names.items() if home[id(x)] != f"{where}.{name}"}
        here = [name for name in names if name not in elsewhere]
        if elsewhere:
            lines += _headed("Described with their subpackages")
            lines += [f"- `{name} <{at}>`" for name, at in elsewhere.items()] + [""]
            lines += _headed("Described here") if here else []
        for name in here:
            lines += [_directive(names[name]).format(f"{where}.{name}"), ""]
        if where == "confmat":
            lines += ["", ".. toctree::", "   :hidden:", "   :glob:", "", "   confmat.*"]
        (folder / f"{where}.rst").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = typer.main.get_command(application())
    words = get_docs_for_click(obj=command, ctx=typer.Context(command, info_name="confmat"), name="confmat")
    words = re.sub(r"\x08\n(.*?)\n\n", r"```text\n\1\n```\n\n", words, flags=re.DOTALL)  # not to be wrapped
    words = words.replace("# `confmat`", "# Commands", 1)
    (folder / "commands.md").write_text(words, encoding="utf-8")
