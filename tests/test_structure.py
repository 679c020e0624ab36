"""The modules of the package import each other in one direction, function-level imports included."""

import ast
from pathlib import Path

import networkx as nx

import confmat

ROOT = Path(confmat.__file__).parent
MODULES = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in ROOT.rglob("*.py")
}


class Imports(ast.NodeVisitor):
    """Modules of the package that a source imports when it runs; what only type checkers import is left out."""

    def __init__(self):
        self.found = set()

    def visit_If(self, node):
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    def visit_Import(self, node):
        self.found |= {alias.name for alias in node.names}

    def visit_ImportFrom(self, node):
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            self.found.add(inner if inner in MODULES else node.module)


def imported(path):
    imports = Imports()
    imports.visit(ast.parse(path.read_text()))
    return imports.found & set(MODULES)


def test_no_two_modules_import_each_other():
    graph = nx.DiGraph((name, other) for name, path in MODULES.items() for other in imported(path))
    assert graph.number_of_edges() > len(MODULES)
    circles = [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
    assert circles == []
