"""Mutation check of confmat/indices and confmat/classes: change one thing in a module, and some test must fail.

    python tests/mutation/check.py                              # every module
    python tests/mutation/check.py confmat/classes/rows.py      # these modules or folders
    python tests/mutation/check.py --again results.json         # only what survived in that run

The mutants are those of cosmic-ray (``pip install cosmic-ray``, all its operators); only the way to run them is
ours, since a fresh interpreter for each costs more than the tests.  One process a module imports everything else
and starts pytest; where the module under test is about to be imported the process forks, and every child goes on
with its own mutant of the source, up to the first test that fails.  No file is changed.

A mutant is *killed* when a test fails, the source does not compile or the limits of time and memory are passed;
it is *void*, and not counted, when it differs from the original in type annotations only, which nothing evaluates.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import gc
import importlib.machinery
import importlib.util
import json
import os
import resource
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ["confmat/indices", "confmat/classes"]

# What is run, after the doctests of the module: the longest prefix decides.
TESTS = {
    "confmat/indices": ["tests/indices/test_partition.py"],
    "confmat/indices/extremes.py": ["tests/indices/test_extremes.py"],
    "confmat/indices/soft": [
        "tests/indices/test_soft_memberships.py",
        "tests/indices/test_soft.py",
        "tests/indices/test_soft_concordance.py",
    ],
    "confmat/classes": [
        "tests/classes/test_rows.py",
        "tests/classes/test_tables.py",
        "tests/classes/test_margins.py",
        "tests/classes/test_orbits.py",
        "tests/classes/test_fibers.py",
    ],
}

VOID, INVALID = 98, 99  # exit codes that pytest does not use
MEMORY = 8 << 30  # address space of a child, for mutants such as n ** n or a list that grows for ever


def tests_of(module: str) -> list[str]:
    return TESTS[max((prefix for prefix in TESTS if module.startswith(prefix)), key=len)]


# --- one module, in a process of its own ---


class Branching(importlib.machinery.SourceFileLoader):
    """Loads the module under test once a mutant, each time in a new child process."""

    def __init__(self, name: str, path: str, again: set[tuple[str, int]] | None):
        super().__init__(name, path)
        import cosmic_ray.ast  # first: its plugins cannot be loaded before it
        from cosmic_ray import plugins

        self.source = Path(path).read_text()
        self.tree = cosmic_ray.ast.get_ast(self.source)
        self.mutants = []
        for operator in plugins.operator_names():
            kind = plugins.get_operator(operator)
            if kind.arguments():  # these need names of variables
                continue
            places = [p for node in cosmic_ray.ast.ast_nodes(self.tree) for p in kind().mutation_positions(node)]
            self.mutants += [
                (operator, number, start)
                for number, (start, _) in enumerate(places)
                if again is None or (operator, number) in again
            ]

    def mutated(self, operator: str, number: int) -> str:
        """The source after one mutation; it changes the tree, so this is for children only."""
        from cosmic_ray import plugins
        from cosmic_ray.mutating import MutationVisitor

        return MutationVisitor(number, plugins.get_operator(operator)()).walk(self.tree).get_code()

    def get_code(self, fullname: str):  # type: ignore[override]
        seconds = 120.0
        outcome, used = self.child(None, seconds)
        if outcome is None:
            return self.code
        if outcome != "survived":
            raise SystemExit(f"{self.path}: the tests fail without any mutation")
        # Fair: twice the processor time of all tests, so a slow machine kills nothing.
        seconds = 2 * used + 2
        print(json.dumps({"module": self.path, "seconds": round(used, 2)}), flush=True)
        for operator, number, (line, _) in self.mutants:
            outcome, _ = self.child((operator, number), seconds)
            if outcome is None:
                return self.code
            record = {"operator": operator, "number": number, "line": line, "outcome": outcome}
            print(json.dumps(record), flush=True)
        os._exit(0)

    def child(self, mutant: tuple[str, int] | None, seconds: float) -> tuple[str | None, float]:
        """Fork: None in the child, which goes on with ``self.code``; in the parent how the child ended."""
        pid = os.fork()
        if pid:
            _, status, usage = os.wait4(pid, 0)
            code = os.waitstatus_to_exitcode(status)
            names = {0: "survived", VOID: "void", INVALID: "invalid"}
            return names.get(code, "killed" if code > 0 else "timeout"), usage.ru_utime + usage.ru_stime
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1,) * 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.alarm(300)
        source = self.mutated(*mutant) if mutant else self.source
        try:
            if mutant and without_annotations(source) == without_annotations(self.source):
                os._exit(VOID)
            self.code = compile(source, self.path, "exec", dont_inherit=True)
        except SyntaxError:
            os._exit(INVALID)
        return None, 0.0


def without_annotations(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


class Finder:
    """Puts the loader in place, before pytest's own for the files it was asked for."""

    def __init__(self, loader: Branching):
        self.loader = loader

    def pytest_configure(self):
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        if name != self.loader.name:
            return None
        return importlib.util.spec_from_file_location(name, self.loader.path, loader=self.loader)


def run_module(module: str, again: set[tuple[str, int]] | None) -> None:
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # the kernels are mutated too: run them as they stand
    sys.dont_write_bytecode = True
    for name in ("pandas", "scipy.optimize", "scipy.sparse", "sklearn.datasets", "sklearn.metrics", "numba"):
        importlib.import_module(name)
    import pytest
    from hypothesis import Phase, settings

    settings.register_profile(  # a failing example is enough, its smallest form is not needed
        "mutation", deadline=None, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate)
    )
    name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    finder = Finder(Branching(name, module, again))
    gc.freeze()
    options = ["-x", "-q", "-s", "-p", "no:cacheprovider", "-p", "no:benchmark", "--hypothesis-profile=mutation"]
    os._exit(pytest.main([*options, module, *tests_of(module)], plugins=[finder]))


# --- all modules ---


def mutated_line(module: str, operator: str, number: int) -> tuple[str, str]:
    """The first line that a mutation changes, before and after."""
    loader = Branching("module", str(ROOT / module), set())
    before, after = loader.source.splitlines(), loader.mutated(operator, number).splitlines()
    changes = [line for line in difflib.ndiff(before, after) if line[0] in "-+"]
    removed, added = ([c[2:].strip() for c in changes if c[0] == sign] for sign in "-+")
    return " ".join(removed), " ".join(added)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("modules", nargs="*", default=FOLDERS)
    parser.add_argument("--again", type=Path, help="results of a run whose survivors are tried again")
    parser.add_argument("--results", type=Path, default=Path("mutation.json"), help="file to write")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.chdir(ROOT)
    survivors = json.loads(options.again.read_text())["survivors"] if options.again else None
    if options.one:
        again = survivors and {(s["operator"], s["number"]) for s in survivors if s["module"] == options.one}
        run_module(options.one, again if survivors is not None else None)
    paths = [Path(m) for m in options.modules]
    modules = [str(f) for p in paths for f in (sorted(p.rglob("*.py")) if p.is_dir() else [p])]
    results: dict = {"modules": {}, "survivors": []}
    for module in modules:
        if survivors is not None and all(s["module"] != module for s in survivors):
            continue
        command = [sys.executable, __file__, "--one", module, *(["--again", options.again] if options.again else [])]
        lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
        first, *records = (json.loads(line) for line in lines if line.startswith("{"))
        counts = Counter(record["outcome"] for record in records)
        results["modules"][module] = {"seconds": first["seconds"], **counts}
        print(module, f"{first['seconds']} s of tests", dict(counts), flush=True)
        for record in records:
            if record["outcome"] == "survived":
                before, after = mutated_line(module, record["operator"], record["number"])
                results["survivors"].append({"module": module, **record, "before": before, "after": after})
                print(f"    {record['line']}: {before}  ->  {after}", flush=True)
        options.results.write_text(json.dumps(results, indent=1))
    total = Counter()
    for counts in results["modules"].values():
        total.update({k: v for k, v in counts.items() if k != "seconds"})
    counted = sum(total.values()) - total["void"]
    print(dict(total), f"killed {1 - total['survived'] / max(1, counted):.1%} of {counted}")


if __name__ == "__main__":
    main()
