"""What the page on contributing names is all that it takes to add an index, a score, a class, a statement, a command.

Each is added as its diff says; one's own, at run time, below.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from command_line import succeed

import confmat as cm
import confmat.conjectures.literature as literature
from confmat.conjectures import LITERATURE, registry
from confmat.statistics import STATISTICS, Statistic, register, unregister
from confmat.testing import check_metric

# --- into the package: every diff of the page, in one copy ------------------------------------------------------------

ROOT = Path(cm.__file__).parents[1]
PAGE = ROOT / "notebooks" / "pages" / "contributing.md"

# What is copied, and so may be changed by a diff.
COPIED = ("confmat", "notebooks/papers", "notebooks/pages", "notebooks/build_site.py")
TESTS = ("stubs.py", "statistics/test_second_definitions.py")

OF_THE_SAME_NAME = """
from confmat.indices.records import recorded

@recorded("mine", names=("jaccard_index",), formula=lambda n, m, a, b, p: (p, a), symmetry="permutations")
def mine(table):
    return 0
"""

# Before the stub is written: it is missed by name, and an index of a name that another one has is no index.
STUBS = """
import runpy, sys

def stubs(*arguments):
    sys.argv = ["stubs", *arguments]
    runpy.run_module("tests.stubs", run_name="__main__")

try:
    stubs()
except SystemExit as end:
    assert "python -m tests.stubs --write" in str(end)
else:
    raise AssertionError("the stub names what it does not")
stubs("--write")
stubs()

from confmat.statistics import STATISTICS
assert "mine" not in STATISTICS
try:
    import confmat.indices.of_the_same_name
except ValueError as error:
    assert "got 'jaccard_index', the name of index jaccard in confmat.indices.partition" in str(error)
else:
    raise AssertionError("a second index of the same name")
"""

DOORS = """
import ast, contextlib, io, json, sys
from fractions import Fraction
from pathlib import Path

import confmat as cm
from confmat.cli.app import run
from confmat.indices import partition
from confmat.statistics import STATISTICS
from confmat.testing import INVARIANTS, check_metric

sys.path += ["notebooks/papers", "tests", "tests/statistics"]

def confmat(*arguments):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert run(arguments) == 0, arguments
    return printed.getvalue()

# an index
table, tables = [[2, 1], [0, 2]], cm.Tables(5, 2, 2)
assert cm.sokal_sneath is partition.sokal_sneath and "sokal_sneath" in partition.__all__
values = {cm.sokal_sneath(x, exact=True) for x in tables}
assert {value for (value,), _ in cm.joint_distribution(tables, "sokal_sneath")} == values
assert cm.minimize(tables, "sokal_sneath").value == min(values)
assert cm.compare(table)["sokal_sneath"] == Fraction(1, 5)
assert cm.check("sokal_sneath <= jaccard", [tables])
assert INVARIANTS["sokal_sneath"] == INVARIANTS["jaccard"]
assert {"identity", "refinement", "bounds"} <= set(check_metric("sokal_sneath", n=4, every=3, examples=10).kept)
assert "Sokal-Sneath" in confmat("compare", "--matrix", "2,1;0,2")
assert "sokal_sneath" in confmat("statistics")

# a classifier's score, which stands between the macro means and kappa
names = list(STATISTICS)
assert names[names.index("f1") : names.index("mcc")] == ["f1", "macro_specificity", "kappa"]
values = {cm.macro_specificity(x, exact=True, undefined="nan") for x in tables}
assert {value for (value,), _ in cm.joint_distribution(tables, "macro_specificity")} == values
assert STATISTICS["macro_specificity"](table) == Fraction(5, 6)
assert check_metric("macro_specificity", n=4, every=3, examples=10)

# both have a second definition, and are missed by name without
import test_second_definitions as second
for name in ("sokal_sneath", "macro_specificity"):
    differences, compared = second.differences(STATISTICS[name], second.SECOND[name])
    assert not differences and compared > 50
    second.SECOND.pop(name)
assert second.without_a_second_definition(STATISTICS) == ["macro_specificity", "sokal_sneath"]

# a statement by its formula, and one by its test
assert "jaccard-below-rand (proved; argument or citation)" in confmat("conjectures")
for name in ("jaccard-below-rand", "largest-cluster"):
    assert "true" in confmat("check", name, "2x2..2x3", "n=..5", "--json")

# a command
assert confmat("members", "2x2", "n=2").splitlines() == ["0,1;1,0", "1,0;0,1"]
assert json.loads(confmat("members", "2x2", "n=2", "--json")) == [[[0, 1], [1, 0]], [[1, 0], [0, 1]]]

# a paper
import compare
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    assert compare.main([]) == compare.main(["nobody2026", "table-1"]) == 0
assert "nobody2026: Nobody (2026)" in printed.getvalue()
assert "1 agree, 0 differ, 0 missing" in printed.getvalue()

# a page
assigned = [x for x in ast.parse(Path("notebooks/build_site.py").read_text()).body if isinstance(x, ast.Assign)]
tasks = next(ast.literal_eval(x.value) for x in assigned if x.targets[0].id == "TASKS")
assert "Print every matrix" in tasks
pages = [page for page, _ in tasks.values() if page != "../gallery"]  # which was not copied
assert "members" in pages
assert all(Path("notebooks/pages", f"{page}.md").exists() for page in pages)
"""


def diffs_of(page):
    """The diffs of a page, as one.

    >>> diffs_of("One\\n```diff\\n--- a/x\\n+1\\n```\\ntwo\\n```diff\\n--- a/y\\n+2\\n```\\n")
    '--- a/x\\n+1\\n--- a/y\\n+2\\n'
    """
    return "".join(re.findall(r"^```diff\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL))


def test_diffs_of_the_page_add_one_of_each_kind(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__", "data")
    for name in COPIED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(exist_ok=True)
        copy(ROOT / name, tmp_path / name, **({"ignore": ignored} if copy is shutil.copytree else {}))
    (tmp_path / "tests" / "statistics").mkdir(parents=True)
    for name in TESTS:
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests" / name)
    (tmp_path / "page.diff").write_text(diffs_of(PAGE.read_text()))
    subprocess.run(["git", "apply", "--recount", "page.diff"], cwd=tmp_path, check=True)
    (tmp_path / "confmat" / "indices" / "of_the_same_name.py").write_text(OF_THE_SAME_NAME)

    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    for script in (STUBS, DOORS):
        told = subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert told.returncode == 0, told.stderr


# --- an index of one's own: a function of a matrix, one record in the table of statistics -------------------------


def simple_matching(matrix, labels=None, /, *, exact=False):
    """The Rogers-Tanimoto index (M - F)/(M + F), M pairs of which F disagree, by the pair counts."""
    pairs = cm.indices.pair_counts(matrix, labels)
    agree, disagree = pairs.both + pairs.neither, pairs.only_a + pairs.only_b
    value = Fraction(agree, agree + 2 * disagree) if agree + disagree else Fraction(1)
    return value if exact else float(value)


RECORD = Statistic(
    "rogers",
    title="Rogers-Tanimoto",
    index=simple_matching,
    formula=lambda n, m, a, b, p: (n * (n - 1) // 2 - (a + b - 2 * p), n * (n - 1) // 2 + (a + b - 2 * p)),
    depends="F",
    undefined=1,
    symmetry="transposition",
    bounds=(0, 1),
)


@pytest.fixture
def rogers():
    register(RECORD)
    yield "rogers"
    unregister("rogers")


def test_an_index(rogers, confmat):
    tables = cm.Tables(6, 2, 3)
    values = [simple_matching(x, exact=True) for x in tables]
    assert {v: w for (v,), w in list(cm.joint_distribution(tables, rogers))} == Counter(values)
    assert list(cm.joint_distribution(tables, simple_matching)) == list(cm.joint_distribution(tables, rogers))
    assert cm.minimize(tables, rogers).value == min(values)
    assert cm.compare([[2, 1], [0, 2]])[rogers] == STATISTICS[rogers]([[2, 1], [0, 2]])
    assert "Rogers-Tanimoto" in succeed(confmat("compare", "--matrix", "2,1;0,2"))
    assert "rogers" in succeed(confmat("statistics"))
    assert "order" in check_metric(simple_matching, identity=1, n=4, every=3, examples=20).kept


# --- a conjecture: an entry of statements.toml, with its formula ----------------------------------


def test_a_conjecture(monkeypatch, confmat):
    lines = (
        "statement = 'the RD is at most 3/5'",
        "status = 'open'",
        "formula = 'rd <= 3/5'",
        "where = 'r > 2'",
    )
    entry = registry.read("\n".join(["[planted-rd]", *lines]), {})
    monkeypatch.setattr(cm.conjectures, "STATEMENTS", entry)
    monkeypatch.setattr(literature, "STATEMENTS", entry)
    monkeypatch.setitem(LITERATURE, "planted-rd", literature._of_formula(entry["planted-rd"]))
    assert "planted-rd (open)" in succeed(confmat("conjectures"))
    code, out, _ = confmat("check", "planted-rd", "2x2..3x3", "n=..8")
    assert (code, "counterexample is in Tables(n=6, r=3, s=3," in out) == (1, True)
