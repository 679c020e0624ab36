"""How hard the package is to read, in a few numbers: ``python tests/readability.py [--gate | --write]``.

A statement is made of *thoughts*: the expressions that a reader takes in at once.  Arguments or elements that stand on
lines of their own are thoughts of their own.

    def area(rows):                                # one statement
        return sum(sum(row) for row in rows)       # one thought of 10 nodes, one scoped expression

What is counted are nodes of the syntax tree, without docstrings, annotations and contexts.  The numbers stand in
``readability.toml``; they may fall, never rise (``test_readability``), and ``--write`` writes down those that fell.
``--gate`` lists the functions beyond a limit; a comment ``# reads: REASON`` in a function excuses it, and is counted.
"""

import argparse
import ast
import re
import tomllib
from collections import defaultdict
from copy import copy
from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "confmat"
TESTS = ROOT / "tests"
RATCHET = TESTS / "readability.toml"

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.IfExp, ast.NamedExpr)

# Nodes of a thought that is big: of a hundred thoughts in packages that read well one is.
BIG_THOUGHT = 25

# What 99 of 100 functions keep within in nine packages that read well (galois, more-itertools, NetworkX, Hypothesis,
# attrs, httpx, SymPy's combinatorics, pyrsistent, returns), of functions with four statements or more.
LIMITS = {
    "nodes per thought": 12.7,
    "longest thought": 41,
    "big thoughts, %": 18.8,
    "scoped in scoped": 2,
    "names per statement": 2.5,
    "parameters": 9,
}
FEW_STATEMENTS = 4

# Single words that say how or which but not what: ``found`` what?  Participles in -ed are another such kind.
WORDS_WITHOUT_A_THING = frozenset(
    re.findall(
        r"\w+",
        """
    a about above after again against all alike almost alone along already also although am among an and another any
    apart are around as aside at away back be because been before behind being below beneath beside between beyond
    both but by can could did do does doing done down during each either else enough ever every far few fewer fewest
    first for free from further given gone had half has have having he her here high his how if in inside instead
    into is it its just kept known largest last least left less like likely long low made many may me mean might
    more most much must my near nearly neither never new next no none nor not nothing now of off often old on once
    one only or other others our out outside over own perhaps quite rather right same seen several shall she should
    shown since small so some something soon still such sure taken than that the their them then there these they
    this those though through till to together told too toward true twice under unless until up upon very was well
    were what when where whether which while who whole whom whose why will with within without would yet you your
    found held said drawn chosen spoken written
        """,
    )
)


def says_no_thing(name):
    """Whether a name is a single word such as ``found`` or ``asked``.

    >>> says_no_thing("found"), says_no_thing("asked"), says_no_thing("rows_found")
    (True, True, False)
    """
    word = name.strip("_").lower()
    participle = re.fullmatch(r"[a-z]{2,}[^e]ed", word)
    return bool(participle) or (len(word) > 1 and word in WORDS_WITHOUT_A_THING)


# --- trees of syntax -------------------------------------------------------------------------------------------------


def read(path):
    """The syntax tree of a file, without docstrings and annotations, so that typed code counts like untyped code."""
    return tree_of(path.read_text())


@cache
def tree_of(text):
    """Every measure begins with the tree, which none changes: it is made once."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        is_documented = isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module))
        if is_documented and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, FUNCTIONS):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Name("x", ast.Load())
    return tree


def nodes_of(tree):
    return [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]


def expressions_of(statement):
    """The expressions of a statement itself: of an ``if`` its condition, not its body."""
    expressions = []
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            expressions.append(child)
    return expressions


def elements_on_lines(node):
    """The arguments or elements of a call or display, if each stands on a line of its own; else none."""
    elements = []
    if isinstance(node, ast.Call):
        elements = [*node.args, *(keyword.value for keyword in node.keywords)]
    elif isinstance(node, ast.Dict):
        elements = node.values
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        elements = node.elts
    lines = [element.lineno for element in elements]
    stand_alone = len(lines) > 1 and len(set(lines)) == len(lines) and min(lines) > node.lineno
    return elements if stand_alone else []


@cache
def sizes_of_thoughts(statement):
    """The nodes of each thought of a statement, the statement itself one of the first.

    >>> sizes_of_thoughts(ast.parse("x = a + b").body[0])
    [6]
    """
    sizes = []
    beginnings = [(1, expressions_of(statement))]
    while beginnings:
        size, waiting = beginnings.pop()
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.expr_context):
                continue
            size += 1
            elements = elements_on_lines(node)
            for element in elements:
                beginnings.append((0, [element]))
            for child in ast.iter_child_nodes(node):
                expression = child.value if isinstance(child, ast.keyword) else child
                if not any(expression is element for element in elements):
                    waiting.append(child)
        sizes.append(size)
    return sizes


def depth_of_scopes(node):
    """How many comprehensions, lambdas and conditional expressions lie inside one another."""
    deepest = max(map(depth_of_scopes, ast.iter_child_nodes(node)), default=0)
    return deepest + isinstance(node, SCOPED)


# --- one function, one module ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """What is counted in a function or a module."""

    nodes: int
    statements: int
    thoughts: list
    scoped: int
    names: set
    own_names: set

    @classmethod
    @cache
    def of(cls, tree):
        nodes = nodes_of(tree)
        statements = [node for node in nodes if isinstance(node, ast.stmt)]
        thoughts = []
        for statement in statements:
            if not isinstance(statement, ast.ClassDef):
                thoughts += sizes_of_thoughts(statement)
        scoped = sum(isinstance(node, SCOPED) for node in nodes)
        arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
        variables = [node for node in nodes if isinstance(node, ast.Name)]
        assigned = {node.id for node in variables if isinstance(node.ctx, ast.Store)}
        names = arguments | {node.id for node in variables}
        return cls(len(nodes), max(1, len(statements)), thoughts or [0], scoped, names, arguments | assigned)

    @property
    def share_of_no_things(self):
        """Of the names that are given a value here, how many per cent say no thing."""
        wordless = sum(map(says_no_thing, self.own_names))
        return 100 * wordless / max(1, len(self.own_names))


def functions_in(body, prefix=""):
    """The functions and methods of a module with their qualified names; not those inside functions."""
    for node in body:
        if isinstance(node, FUNCTIONS):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions_in(node.body, f"{prefix}{node.name}.")


def excesses(function):
    """The limits that a function is beyond, in words; its decorators belong to what stands around it."""
    undecorated = copy(function)
    undecorated.decorator_list = []
    part = Part.of(undecorated)
    arguments = function.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    big = sum(size >= BIG_THOUGHT for size in part.thoughts)
    measures = {
        "nodes per thought": fmean(part.thoughts),
        "longest thought": max(part.thoughts),
        "big thoughts, %": 100 * big / len(part.thoughts),
        "scoped in scoped": depth_of_scopes(function),
        "names per statement": len(part.names) / part.statements,
        "parameters": len(parameters),
    }
    asked = LIMITS if part.statements >= FEW_STATEMENTS else ["longest thought"]
    return [
        f"{name} {measures[name]:.1f} > {LIMITS[name]}" for name in asked if measures[name] > LIMITS[name]
    ]


def beyond_gate(package):
    """(where, limits) of the functions beyond the gate, and the number of those that say why."""
    found, with_reason = [], 0
    for path in sorted(package.rglob("*.py")):
        lines = path.read_text().splitlines()
        for name, function in functions_in(read(path).body):
            words = excesses(function)
            source = lines[function.lineno - 1 : function.end_lineno]
            has_reason = any("# reads: " in line for line in source)
            if words and has_reason:
                with_reason += 1
            elif words:
                where = path.relative_to(package.parent)
                found.append((f"{where}:{function.lineno} {name}", words))
    return found, with_reason


# --- the whole -------------------------------------------------------------------------------------------------------


def names_defined_by(statement):
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def modules_of_names(package):
    """Name -> the modules that define it at the top."""
    modules = defaultdict(set)
    for path in package.rglob("*.py"):
        for statement in read(path).body:
            for name in names_defined_by(statement):
                if not name.startswith("__"):
                    modules[name].add(path)
    return modules


def nodes_per_thought(paths):
    """The mean over modules, each as often as it has statements."""
    parts = [Part.of(read(path)) for path in paths]
    statements = sum(part.statements for part in parts)
    return sum(fmean(part.thoughts) * part.statements for part in parts) / statements


def names_listed(tree, root):
    """What a module exports: its ``__all__`` where it is a list, else what it defines without an underscore.

    So are those that it imports with a star; modules are looked up in the folder of the package.
    """
    names_defined = set()
    for statement in tree.body:
        names = names_defined_by(statement)
        if names == ["__all__"] and isinstance(statement.value, ast.List):
            return {element.value for element in statement.value.elts}
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            path = root.joinpath(*statement.module.split(".")).with_suffix(".py")
            names_defined |= names_listed(ast.parse(path.read_text()), root)
        names_defined |= {name for name in names if not name.startswith("_")}
    return names_defined


def names_at_doors(package):
    """Module -> the names that it exports, for the package, its rooms, and the modules that one of these exports."""
    doors = defaultdict(set)
    for init in [package / "__init__.py", *package.glob("*/__init__.py")]:
        room = ".".join(init.parent.relative_to(package.parent).parts)
        stub = init.with_suffix(".pyi")
        if not stub.exists():
            doors[room] |= names_listed(ast.parse(init.read_text()), package.parent)
            continue
        for statement in ast.parse(stub.read_text()).body:
            if not isinstance(statement, ast.ImportFrom):
                continue
            names = {alias.asname or alias.name for alias in statement.names}
            doors[room] |= names
            modules = names if statement.module is None else ()
            for name in modules:
                folder = init.parent / name
                path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
                doors[f"{room}.{name}"] |= names_listed(ast.parse(path.read_text()), package.parent)
    return doors


def inner_names_imported(tests, package):
    """(module, name) that tests import from the package although no door exports it."""
    doors = names_at_doors(package)
    inner = set()
    for path in tests.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                is_of_package = node.module.split(".")[0] == package.name
                names = {alias.name for alias in node.names} if is_of_package else set()
                inner |= {(node.module, name) for name in names - doors[node.module]}
    return inner


def measures(package=PACKAGE, tests=TESTS):
    """Every number that is held down, by its name."""
    paths = sorted(package.rglob("*.py"))
    parts = [Part.of(read(path)) for path in paths]
    statements = sum(part.statements for part in parts)
    rooms = defaultdict(list)
    for path in paths:
        rooms[path.relative_to(package).parts[0]].append(path)
    densest = max(rooms, key=lambda room: nodes_per_thought(rooms[room]))
    functions = []
    for path in paths:
        functions += [Part.of(function) for _, function in functions_in(read(path).body)]
    modules = modules_of_names(package)
    repeated = [name for name, places in modules.items() if len(places) > 1]
    unexcused, excused = beyond_gate(package)
    return {
        "nodes": sum(part.nodes for part in parts),
        "nodes per thought": nodes_per_thought(paths),
        "nodes per thought of the densest room": nodes_per_thought(rooms[densest]),
        "scoped expressions per 100 statements": 100 * sum(part.scoped for part in parts) / statements,
        "names that say no thing, %": fmean(part.share_of_no_things for part in functions),
        "functions beyond the gate": len(unexcused) + excused,
        "functions beyond the gate without a reason": len(unexcused),
        "names defined in several modules, %": 100 * len(repeated) / len(modules),
        "inner names that tests import": len(inner_names_imported(tests, package)),
    }


def written_down():
    """The numbers of ``readability.toml``."""
    return tomllib.loads(RATCHET.read_text())


def write_down(values):
    """The least of what is measured and what was written; one decimal, rounded up, as all of them may only fall."""
    before = written_down() if RATCHET.exists() else {}
    lines = ["# What tests/readability.py --write wrote: numbers that may fall, never rise."]
    for name, value in values.items():
        rounded = value if isinstance(value, int) else ceil(10 * value) / 10
        lines.append(f'"{name}" = {min(rounded, before.get(name, rounded))}')
    RATCHET.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--gate", action="store_true", help="list the functions that are beyond a limit")
    parser.add_argument("--write", action="store_true", help="write the numbers that fell down")
    options = parser.parse_args()
    if options.gate:
        for where, words in beyond_gate(PACKAGE)[0]:
            print(f"{where}: {'; '.join(words)}")
        return
    values = measures()
    if options.write:
        write_down(values)
    for name, value in values.items():
        print(f"{name:42}{value:12,.1f}")


if __name__ == "__main__":
    main()
