"""The modules of the package import each other in one direction, function-level imports included."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

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


@pytest.fixture(scope="module")
def trees():
    return {name: ast.parse(path.read_text()) for name, path in MODULES.items()}


def imported(tree):
    imports = Imports()
    imports.visit(tree)
    return imports.found & set(MODULES)


@pytest.fixture(scope="module")
def imports(trees):
    """What each module imports."""
    return {name: imported(tree) for name, tree in trees.items()}


def test_no_two_modules_import_each_other(imports):
    assert sum(map(len, imports.values())) > len(MODULES)
    TopologicalSorter(imports).prepare()  # its CycleError names the modules of a circle


# The rooms, each importing only from those before it.
ORDER = (
    *(
        "errors",
        "_numba",
        "_arguments",
        "_integers",
        "_display",
        "certificates",
        "contingency",
        "_figures",
        "_limits",
        "fixed_margins",
        "classes",
        "indices",
        "statistics",
        "_engine",
        "distributions",
        "sampling",
        "significance",
        "search",
    ),
    *("conjectures", "graphs", "testing", "archive", "plots", "reports", "cli", "__main__"),
)


def room(module):
    return module.split(".")[1] if "." in module else None


def test_rooms_import_from_the_left_only(imports):
    rooms = {room(name) for name in MODULES} - {None}
    assert rooms == set(ORDER)
    wrong = [
        f"{name} -> {other}"
        for name, others in imports.items()
        for other in others
        if room(name) and room(other) and ORDER.index(room(other)) > ORDER.index(room(name))
    ]
    assert wrong == []


MOST_LEVELS = 10  # from ``errors`` to ``cli``; ``python -m confmat`` is above them


def test_rooms_lie_in_few_levels(imports):
    lower = {name: set() for name in ORDER}
    for name, others in imports.items():
        if room(name):
            lower[room(name)] |= {room(other) for other in others} - {None, room(name)}
    levels = {}
    for name in TopologicalSorter(lower).static_order():
        levels[name] = 1 + max((levels[other] for other in lower[name]), default=0)
    assert levels["__main__"] == levels["cli"] + 1
    assert levels["cli"] <= MOST_LEVELS


# --- a class answers for itself -------------------------------------------------------------------

CLASSES = {"Tables", "FixedMargins", "FixedRows", "FixedColumns", "MatrixClass"}
KINDS = {"fixed_margins", "fixed_rows", "fixed_columns"}  # "tables" is a weight, too


class Questions(ast.NodeVisitor):
    """Places that ask which class of matrices a class is: by isinstance, issubclass, type(), match, or its name.

    ``isinstance(x, MatrixClass)``, whether an argument is a class at all, is a check of arguments.
    """

    def __init__(self):
        self.found = []

    def names(self, *nodes):
        inner = [part for node in nodes for part in ast.walk(node)]
        names = {part.id for part in inner if isinstance(part, ast.Name)}
        return names | {part.attr for part in inner if isinstance(part, ast.Attribute)}

    def visit_Call(self, node):
        function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if function in ("isinstance", "issubclass") and self.names(node.args[1]) & (
            CLASSES - {"MatrixClass"}
        ):
            self.found.append(node.lineno)
        if (
            function in ("type", "hasattr", "getattr")
            and node.args
            and self.names(node.args[0]) & {"matrices", "cls"}
        ):
            named = [x.value for x in node.args[1:2] if isinstance(x, ast.Constant)]
            if function == "type" or set(named) & {"rows", "cols", "empty", "r", "s"}:
                self.found.append(node.lineno)
        self.generic_visit(node)

    def visit_Match(self, node):
        patterns = [part for case in node.cases for part in ast.walk(case.pattern)]
        if self.names(*(x.cls for x in patterns if isinstance(x, ast.MatchClass))) & CLASSES:
            self.found.append(node.lineno)
        self.generic_visit(node)

    def visit_Compare(self, node):
        constants = [
            x.value for x in ast.walk(node) if isinstance(x, ast.Constant) and isinstance(x.value, str)
        ]
        if set(constants) & (CLASSES | KINDS) or "__class__" in self.names(node):
            self.found.append(node.lineno)
        self.generic_visit(node)

    def visit_FunctionDef(self, node):
        if self.names(*node.decorator_list) & {"singledispatch", "singledispatchmethod", "register"}:
            self.found.append(node.lineno)
        self.generic_visit(node)


def questions(tree):
    seeker = Questions()
    seeker.visit(tree)
    return seeker.found


def test_nothing_outside_classes_asks_which_class_a_class_is(trees):
    asked = {name: questions(tree) for name, tree in trees.items() if room(name) != "classes"}
    assert {name: lines for name, lines in asked.items() if lines} == {}


@pytest.mark.parametrize(
    "planted",
    [
        "if isinstance(matrices, Tables): pass",
        "if isinstance(problem.matrices, (FixedRows, classes.FixedMargins)): pass",
        "match matrices:\n    case FixedColumns(): pass",
        "if type(matrices) is Tables: pass",
        "if type(self.matrices).__name__ == 'Tables': pass",
        "if spec['kind'] == 'fixed_rows': pass",
        "if matrices.__class__ in known: pass",
        "getattr(matrices, 'empty', False)",
        "hasattr(matrices, 'rows')",
        "@count.register\ndef of_tables(matrices: Tables): pass",
    ],
)
def test_planted_questions_are_found(planted):
    assert questions(ast.parse(planted))


# --- matrices in texts --------------------------------------------------------------------------------

# Nested lists are written here, to be read by programs: (module, how often).
WRITES_LISTS = {
    ("testing.claims", 1): "the arguments of a call, to be pasted into Python",
}


def lists_in_texts(tree):
    """Lines that write an array as lists within lists, where `matrix_text` is the printer of matrices."""
    found = set()
    for node in ast.walk(tree):
        in_text = isinstance(node, ast.FormattedValue)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("str", "repr"):
            in_text = True
        for part in ast.walk(node) if in_text else ():
            if getattr(part, "attr", "") == "tolist" or getattr(part, "id", "") == "nested":
                found.add(node.lineno)
    return found


def test_matrices_in_texts_have_one_printer(trees):
    found = {name.removeprefix("confmat."): len(lists_in_texts(tree)) for name, tree in trees.items()}
    assert {(name, number) for name, number in found.items() if number} == set(WRITES_LISTS)


@pytest.mark.parametrize(
    "planted",
    [
        "raise ValueError(f'{table.tolist()} is no member')",
        "said = f'at {tables[wrong].tolist()!r:.80}'",
        "said = str(table.tolist())",
        "raise ValueError(f'{nested(table)} is no member')",
    ],
)
def test_planted_lists_are_found(planted):
    assert lists_in_texts(ast.parse(planted)) == {1}


def defined_twice(tree):
    """Names that a module defines more than once at its top level: the second definition wins in silence."""
    names = []
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign):
            names.append(node.target.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
    return {name for name in names if names.count(name) > 1}


def test_no_name_of_a_module_is_defined_twice(trees):
    assert {name: found for name, tree in trees.items() if (found := defined_twice(tree))} == {}


def test_a_planted_second_definition_is_found():
    assert defined_twice(ast.parse("MOST = 2**60\nmost = 1\nMOST = 10**8")) == {"MOST"}


RETIRED = {
    "Joint",
    "NullLaw",
    "Conditional",
    "Given",
    "Description",
    "null_tables",
    "describe_cells",
    "testing_claims",
    "tabular",
    "Envelope",
    "envelopes",
    "null_models",
}

# Modules are named by what is in them.
RETIRED_MODULES = {"tablewise", "evaluation", "grouping", "jitted"} | RETIRED


def test_retired_words_are_gone(trees):
    assert not {name for name in MODULES if name.rpartition(".")[2] in RETIRED_MODULES}
    found = {
        (name, x)
        for name, tree in trees.items()
        for node in ast.walk(tree)
        for x in (
            getattr(node, "name", None),
            getattr(node, "id", None),
            getattr(node, "attr", None),
        )
        if x in RETIRED
    }
    assert not found
