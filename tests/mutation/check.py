"""Mutation check of the rooms: change one thing in a module, and some test must fail.

    python tests/mutation/check.py                              # every module of FOLDERS
    python tests/mutation/check.py confmat/classes/tables.py    # these modules or folders
    python tests/mutation/check.py --sample 60                  # 60 mutants a module, drawn with --seed
    python tests/mutation/check.py --again mutation.json        # only what survived in that run

The mutants are those of cosmic-ray (``pip install cosmic-ray``); only the way to run them is ours, since a fresh
interpreter for each costs more than the tests.  One process a module imports everything else and starts pytest;
where the module under test is about to be imported the process forks, and every child goes on with its own mutant
of the source, up to the first test that fails.  No file is changed; who reads the file of the module, as the checkers
that are printed are read, reads the mutant.  The first child has no mutant; it measures the tests, for ten times
``--budget`` seconds, and the others run the quickest of them, up to ``--budget`` seconds together.

A mutant is *killed* when a test fails, the source does not compile or the limits of time and memory are passed;
it is *void*, and not counted, when it differs from the original in type annotations only, which nothing evaluates.
``survivors.json`` says of each survivor why no test can or should see it: *equivalent*, where no answer can differ, or
of *cost* alone (limits chosen by hand, caches, sizes of blocks, estimates, faster ways to the same number).  The score
is told over all, and over those that are not equivalent; the exit status is 1 where an explanation is missing.
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
import random
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from math import ceil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies

ROOT = Path(__file__).parents[2]
FOLDERS = [
    "confmat/_integers",
    "confmat/contingency",
    "confmat/indices",
    "confmat/classes",
    "confmat/fixed_margins",
    "confmat/statistics",
    "confmat/_engine",
    "confmat/distributions",
    "confmat/sampling",
    "confmat/search",
    "confmat/significance",
    "confmat/certificates",
    "confmat/conjectures",
    "confmat/testing",
    "confmat/archive",
    "confmat/_display",
    "confmat/reports",
    "confmat/plots",
    "confmat/_arguments.py",
    "confmat/_figures.py",
    "confmat/_limits.py",
]
EXPLAINED = Path(__file__).with_name("survivors.json")

# A binary operator is replaced once, not by each of eleven others, and == not by `is`: those mutants only multiply
# what dies or survives together.
STANDARD = (
    r"^core/(?!ReplaceB|ReplaceC)"
    r"|Binary\w*_(Add_Sub|Sub_Add|Mul_Add|Div_Mul|FloorDiv_Mul|Mod_FloorDiv|Pow_Mul"
    r"|LShift_RShift|RShift_LShift|BitAnd_BitOr|BitOr_BitAnd|BitXor_BitOr)$"
    r"|Comp\w*_(Is_IsNot|IsNot_Is|In_NotIn|NotIn_In|\w+_(Eq|NotEq|Lt|LtE|Gt|GtE))$"
)

LAWS = "distributions distributions_of_own_statistics distributions_refused distributions_shown"

# What is run, after the doctests of the module: the longest prefix decides.
TESTS = {
    "confmat/_display": "",
    "confmat/_arguments.py": "front_door",
    "confmat/archive": "",
    "confmat/reports": "reports",
    "confmat/indices": "indices/partition indices/undefined indices/null_moments",
    "confmat/fixed_margins/cell_sums.py": "",
    "confmat/indices/extremes.py": "indices/extremes indices/largest_ard",
    "confmat/indices/hooks.py": "indices/extremes indices/largest_ard",
    "confmat/indices/numbers.py": "indices/root_sums indices/information",
    "confmat/indices/overlaps.py": "indices/agreement",
    "confmat/indices/records.py": "adding",
    "confmat/indices/undefined.py": "indices/undefined indices/classification_undefined",
    "confmat/indices/classification": (
        "indices/classification_counts indices/classification_definitions indices/classification_arguments "
        "indices/classification_undefined indices/classification_packages indices/classification_batch "
        "indices/root_sums indices/matrix_or_labelings"
    ),
    "confmat/indices/classification/agreement.py": "indices/agreement",
    "confmat/indices/soft": (
        "indices/soft_memberships indices/soft_definitions indices/soft_pairs indices/soft_properties "
        "indices/soft_concordance indices/soft_printed_values"
    ),
    "confmat/indices/information.py": "indices/information",
    "confmat/indices/logarithms.py": "indices/information",
    "confmat/classes": (
        "classes/one_margin classes/tables classes/margins classes/orbits classes/fibers classes/texts"
    ),
    "confmat/classes/burnside.py": "classes/burnside",
    "confmat/_integers/compositions.py": (
        "classes/fibers classes/one_margin classes/tables classes/margins classes/partitions classes/symmetry"
    ),
    "confmat/_integers/arrays.py": "engine/residues",
    "confmat/_integers/row_walks.py": "classes/fibers classes/margins classes/products",
    "confmat/classes/fibers.py": "classes/fibers classes/margins",
    "confmat/classes/completions.py": "classes/margins classes/one_margin classes/tables",
    "confmat/classes/tables.py": (
        "classes/margins classes/orbits classes/one_margin classes/tables classes/texts"
    ),
    "confmat/classes/matrix_class.py": ("classes/texts adding classes/symmetry"),
    "confmat/classes/orbits.py": "classes/orbits classes/one_margin classes/tables classes/margins classes/symmetry",
    "confmat/conjectures": (""),
    "confmat/conjectures/claims": "",
    "confmat/conjectures/literature.py": "",
    "confmat/conjectures/registry.py": "",
    "confmat/conjectures/stated.py": (""),
    "confmat/classes/roots_of_unity.py": "classes/roots_of_unity",
    "confmat/fixed_margins/distributions.py": "classes/short_lines",
    "confmat/statistics": "",
    "confmat/statistics/classifiers.py": "",
    "confmat/statistics/clusterings.py": "",
    "confmat/statistics/table.py": "",
    "confmat/statistics/conditions.py": "",
    "confmat/statistics/grammar.py": "",
    "confmat/statistics/ratios.py": "",
    "confmat/statistics/record.py": "",
    "confmat/distributions": f"{LAWS}",
    "confmat/distributions/conditional.py": "",
    "confmat/distributions/files.py": "",
    "confmat/distributions/formulas.py": "nothing_breaks",
    "confmat/distributions/held.py": f"{LAWS}",
    "confmat/distributions/lines.py": "",
    "confmat/distributions/univariate.py": f"{LAWS}",
    "confmat/distributions/from_class.py": f"{LAWS}",
    "confmat/distributions/supports.py": "",
    "confmat/distributions/multivariate.py": f"{LAWS}",
    "confmat/distributions/signed.py": f"{LAWS}",
    "confmat/_engine/witnesses.py": "",
    "confmat/distributions/sources.py": (f"{LAWS}"),
    "confmat/distributions/sums.py": "",
    "confmat/distributions/ways.py": ("plans"),
    "confmat/distributions/med_distribution": "",
    "confmat/distributions/rand_distribution": "",
    "confmat/significance": "",
    "confmat/significance/null_distributions.py": "plans",
    "confmat/significance/label_permutations.py": "",
    "confmat/fixed_margins": "classes/short_lines",
    "confmat/fixed_margins/graph.py": "",
    "confmat/fixed_margins/kernels.py": "",
    "confmat/fixed_margins/sums.py": "",
    "confmat/fixed_margins/tails.py": "",
    "confmat/significance/exact_tests.py": "",
    "confmat/significance/tails.py": "",
    "confmat/certificates": "",
    "confmat/_engine": "engine/engine engine/halves engine/widths engine/residues",
    "confmat/_engine/checkpoint.py": "engine/checkpoints",
    "confmat/_engine/blocks.py": "engine/engine engine/widths engine/residues",
    "confmat/_engine/fold.py": "engine/engine engine/residues",
    "confmat/_engine/run.py": "engine/run",
    "confmat/search/transport.py": "",
    "confmat/_engine/walks.py": "",
    "confmat/_engine/pieces.py": "engine/engine plans",
    "confmat/_engine/signatures.py": "engine/run",
    "confmat/conjectures/checking.py": "",
    "confmat/contingency": "indices/matrix_or_labelings",
    "confmat/_figures.py": "",
    "confmat/_limits.py": "plans",
    "confmat/plots": "",
    "confmat/sampling": "",
    "confmat/sampling/given_tables.py": "",
    "confmat/sampling/labelings.py": "",
    "confmat/search": "",
    "confmat/search/local.py": "",
    "confmat/testing": "",
    "confmat/testing/strategies.py": "",
}

# What the tests import and no mutation changes.
PRELOADED = ["numba", "pandas", "scipy.optimize", "scipy.sparse", "sklearn.metrics"]

VOID, INVALID = 98, 99  # exit codes that pytest does not use
MEMORY = 8 << 30  # address space of a child, for mutants such as n ** n or a list that grows for ever


def tests_of(module: str) -> list[str]:
    names = TESTS[max((prefix for prefix in TESTS if module.startswith(prefix)), key=len)].split()
    found = [file for name in names for file in Path("tests").rglob(f"test_{Path(name).name}.py")]
    assert len(found) == len(names), names
    return list(map(str, found))


# --- one module, in a process of its own ---


class Branching(importlib.machinery.SourceFileLoader):
    """Loads the module under test once a mutant, each time in a new child process."""

    def __init__(self, name: str, path: str, wanted: Callable[[str, int], bool], options: argparse.Namespace):
        super().__init__(name, path)
        import cosmic_ray.ast  # first: its plugins cannot be loaded before it
        from cosmic_ray import mutating, plugins

        self.visitor = mutating.MutationVisitor
        self.budget = options.budget
        self.quickest: dict[str, float] = {}  # of the tests; empty until they are measured
        self.times = os.memfd_create("times")  # written by the first child, read by the parent
        self.source = Path(path).read_text()
        self.tree = cosmic_ray.ast.get_ast(self.source)
        self.program = without_annotations(self.source)
        self.mutants = []
        for operator in plugins.operator_names():
            kind = plugins.get_operator(operator)
            if kind.arguments():  # these need names of variables
                continue
            places = [
                p for node in cosmic_ray.ast.ast_nodes(self.tree) for p in kind().mutation_positions(node)
            ]
            self.mutants += [
                (operator, number, start)
                for number, (start, _) in enumerate(places)
                if wanted(operator, number)
            ]
        if options.sample is not None and options.sample < len(self.mutants):
            self.mutants = random.Random(options.seed).sample(self.mutants, options.sample)

    def mutated(self, operator: str, number: int) -> str:
        """The source after one mutation; it changes the tree, so this is for children only."""
        from cosmic_ray import plugins

        return self.visitor(number, plugins.get_operator(operator)()).walk(self.tree).get_code()

    def get_code(self, fullname: str):  # type: ignore[override]
        outcome = self.child(None, 12 * self.budget)
        if outcome is None:
            return self.code
        if outcome not in ("survived", "timeout"):
            raise SystemExit(f"{self.path}: the tests fail without any mutation")
        self.quickest = self.measured()
        if not self.quickest:
            raise SystemExit(f"{self.path}: no test ends within {self.budget} seconds")
        seconds = sum(self.quickest.values())
        for operator, number, (line, _) in self.mutants:
            outcome = self.child((operator, number), 2 * seconds + 1)  # generous: no test is killed by chance
            if outcome is None:
                return self.code
            record = {"operator": operator, "number": number, "line": line, "outcome": outcome}
            print(json.dumps(record), flush=True)
        print(json.dumps({"tests": len(self.quickest), "seconds": round(seconds, 2)}), flush=True)
        os._exit(0)

    def measured(self) -> dict[str, float]:
        """The quickest tests, as far as the budget goes, with their seconds."""
        lines = os.pread(self.times, 1 << 24, 0).decode().splitlines()
        tests = sorted((float(seconds), test) for seconds, test in (line.split(" ", 1) for line in lines))
        return {t: x for (x, t), total in zip(tests, accumulate(x for x, _ in tests)) if total <= self.budget}

    def child(self, mutant: tuple[str, int] | None, seconds: float) -> str | None:
        """Fork: None in the child, which goes on with ``self.code``; in the parent how the child ended."""
        pid = os.fork()
        if pid:
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            names = {0: "survived", VOID: "void", INVALID: "invalid"}
            return names.get(code, "killed" if code > 0 else "timeout")
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        # Processor time, since a busy machine should not count as a failing test.
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), ceil(seconds)))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        source = self.mutated(*mutant) if mutant else self.source
        try:
            if mutant and without_annotations(source) == self.program:
                os._exit(VOID)
            self.code = compile(source, self.path, "exec", dont_inherit=True)
        except SyntaxError:
            os._exit(INVALID)
        Path.read_text = reading(self.path, source)
        return None


def reading(path: str, source: str) -> Callable[..., str]:
    """``Path.read_text`` where a file is as its mutant: the checkers that are printed are texts of modules."""
    module = Path(path).resolve()
    read_text = Path.read_text

    def read(self: Path, *arguments, **options) -> str:
        is_module = self.name == module.name and self.resolve() == module
        return source if is_module else read_text(self, *arguments, **options)

    return read


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


class Plugin:
    """The finder of the module under test; runs the tests that were chosen, and ends without ceremony."""

    def __init__(self, loader: Branching):
        self.loader = loader

    def pytest_collection_modifyitems(self, items):
        if quickest := self.loader.quickest:
            items[:] = sorted((i for i in items if i.nodeid in quickest), key=lambda i: quickest[i.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        start = time.process_time()
        result = yield
        if not self.loader.quickest:
            os.write(self.loader.times, f"{time.process_time() - start} {item.nodeid}\n".encode())
            if time.process_time() > 10 * self.loader.budget:
                os._exit(0)  # the quickest of these will do
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
            os._exit(1)  # killed: no report is needed

    def pytest_sessionfinish(self, exitstatus):
        os._exit(exitstatus)

    def find_spec(self, name, path=None, target=None):
        if name != self.loader.name:
            return None
        return importlib.util.spec_from_file_location(name, self.loader.path, loader=self.loader)


def run_module(module: str, wanted: Callable[[str, int], bool], options: argparse.Namespace) -> None:
    if "njit" in Path(module).read_text():
        os.environ["NUMBA_DISABLE_JIT"] = "1"  # the kernels are mutated too: run them as they stand
    for name in PRELOADED:
        importlib.import_module(name)
    settings.register_profile(  # a failing example is enough, its smallest form is not needed
        "mutation",
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    given(strategies.integers())(lambda x: None)()  # reads all modules so far, once for all children
    # Hypothesis has loaded classes of the package, for types to draw from: they are loaded again, with the mutants.
    for loaded in [x for x in sys.modules if x.partition(".")[0] == "confmat"]:
        del sys.modules[loaded]
    name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    plugin = Plugin(Branching(name, module, wanted, options))
    sys.meta_path.insert(0, plugin)  # before pytest: its conftest loads modules of the package too
    gc.freeze()
    arguments = (
        "-x -q -s -n0 -p no:cacheprovider -p no:benchmark --assert=plain --hypothesis-profile=mutation"
    )
    pytest.main([*arguments.split(), module, *tests_of(module)], plugins=[plugin])


# --- all modules ---


def mutated_line(module: str, operator: str, number: int) -> tuple[str, str]:
    """The first line that a mutation changes, before and after."""
    none = argparse.Namespace(budget=0, sample=None)
    loader = Branching("module", str(ROOT / module), lambda operator, number: False, none)
    before, after = loader.source.splitlines(), loader.mutated(operator, number).splitlines()
    changes = [line for line in difflib.ndiff(before, after) if line[0] in "-+"]
    removed, added = ([c[2:].strip() for c in changes if c[0] == sign] for sign in "-+")
    return " ".join(removed), " ".join(added)


def explained(module: str) -> dict[str, str]:
    """The kind of each survivor of a module that ``survivors.json`` explains.

    ``[{"why": ..., "kind": "equivalent" or "cost", "mutants": [...]}, ...]``
    """
    groups = json.loads(EXPLAINED.read_text()).get(module, [])
    return {mutant: group["kind"] for group in groups for mutant in group["mutants"]}


def checked(module: str) -> tuple[dict[str, float], list[dict]]:
    """Counts of the outcomes, and the survivors, of one module in a process of its own; both are printed.

    No counts where the module was not checked.
    """
    command = [sys.executable, __file__, *sys.argv[1:], "--one", module]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    *records, tests = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")] or [{}]
    if done.returncode:
        print(f"{module} NOT CHECKED: its tests fail, or all take too long, without any mutation", flush=True)
    counts = dict(Counter(record["outcome"] for record in records))
    why, survivors, report = explained(module), [], [f"{module} {tests} {counts}"]
    for record in records:
        if record["outcome"] == "survived":
            mutant = "  ->  ".join(mutated_line(module, record["operator"], record["number"]))
            kind = why.get(mutant)
            survivors.append({"module": module, **record, "mutant": mutant, "kind": kind})
            report.append(f"    {kind or 'NOT EXPLAINED'} {record['line']}: {mutant}")
    print("\n".join(report), flush=True)
    return {} if done.returncode else tests | counts, survivors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("modules", nargs="*", default=FOLDERS)
    parser.add_argument("--again", type=Path, help="results of a run whose survivors are tried again")
    parser.add_argument(
        "--operators", default=STANDARD, help="regular expression: only these of cosmic-ray's (. for all)"
    )
    parser.add_argument("--budget", type=float, default=5, help="seconds of tests for a mutant (default: 5)")
    parser.add_argument("--sample", type=int, help="mutants of a module (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default: 0)")
    parser.add_argument("--jobs", type=int, default=2, help="modules at the same time (default: 2)")
    parser.add_argument("--results", type=Path, default=Path("mutation.json"), help="file to write")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.chdir(ROOT)
    survivors = None
    if options.again:
        records = json.loads(options.again.read_text())["survivors"]
        survivors = {(s["module"], s["operator"], s["number"]) for s in records}
    if options.one:
        run_module(
            options.one,
            lambda operator, number: (
                (survivors is None or (options.one, operator, number) in survivors)
                and bool(re.search(options.operators, operator))
            ),
            options,
        )
    paths = [Path(m) for m in options.modules]
    modules = [str(f) for p in paths for f in (sorted(p.rglob("*.py")) if p.is_dir() else [p])]
    if survivors is not None:
        modules = [module for module in modules if any(module == name for name, _, _ in survivors)]
    results: dict = {"modules": {}, "survivors": []}
    with ThreadPoolExecutor(options.jobs) as pool:
        for module, (counts, alive) in zip(modules, pool.map(checked, modules)):
            results["modules"][module] = counts
            results["survivors"] += alive
            options.results.write_text(json.dumps(results, indent=1))
    total: Counter = Counter()
    for counts in results["modules"].values():
        total.update({outcome: n for outcome, n in counts.items() if outcome not in ("tests", "seconds")})
    kinds = Counter(s["kind"] for s in results["survivors"])
    unexplained = kinds[None]
    print(dict(total))
    counted = sum(total.values()) - total["void"]
    for said, left_out in (("all", 0), ("those that are not equivalent", kinds["equivalent"])):
        of = counted - left_out
        print(f"killed {(counted - total['survived']) / max(1, of):.1%} of {of}: {said}")
    unchecked = [module for module, counts in results["modules"].items() if not counts]
    print(
        f"survivors without an explanation: {unexplained}; modules not checked: {', '.join(unchecked) or 'none'}"
    )
    sys.exit(unexplained > 0 or unchecked != [])


if __name__ == "__main__":
    main()
