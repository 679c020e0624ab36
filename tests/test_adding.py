"""What the page on contributing names is all that it takes to add an index, a class, a statement, a paper's item.

The index is added as its diff says.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from command_line import succeed

import compare
import confmat as cm
import confmat.conjectures.literature as literature
from confmat.classes import MatrixClass
from confmat.conjectures import LITERATURE, registry
from confmat.statistics import STATISTICS, Statistic, register, unregister
from confmat.testing import check_class, check_index

# --- an index of the package: what the page shows, in a copy ----------------------------------------------------------

ROOT = Path(cm.__file__).parents[1]
PAGE = ROOT / "notebooks" / "pages" / "contributing.md"
SHORT_NAMES = "# Short names, as they stand"
OF_CLUSTERINGS = "SECOND_OF_CLUSTERINGS = {\n"


def lines_added(page, path):
    """What a diff of the page adds to a file."""
    part = page.split(f"--- a/{path}\n")[1]
    lines = re.match(r"(@@.*\n)?((\+.*\n)+)", part)[2]
    return re.sub(r"^\+", "", lines, flags=re.MULTILINE)


def test_lines_added_by_a_diff():
    page = "```diff\n--- a/one.py\n@@ here\n+a = 1\n+\n--- a/two.py\n+b = 2\n```\n"
    assert [lines_added(page, path) for path in ("one.py", "two.py")] == ["a = 1\n\n", "b = 2\n"]


@pytest.fixture
def copied(tmp_path):
    """A copy of the package and of two files of its tests, and Python there; kernels are not compiled."""
    shutil.copytree(ROOT / "confmat", tmp_path / "confmat", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests").mkdir()
    for name in ("stubs.py", "test_second_definitions.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests")

    def python(*arguments):
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
        return subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    return tmp_path, python


WHAT_KNOWS_IT = """
from fractions import Fraction
import confmat as cm
from confmat.indices import partition
from confmat.testing import INVARIANTS, contract

table, tables = [[2, 1], [0, 2]], cm.Tables(5, 2, 2)
assert cm.sokal_sneath is partition.sokal_sneath and "sokal_sneath" in partition.__all__
values = {cm.sokal_sneath(x, exact=True) for x in tables}
assert {value for (value,), _ in cm.joint(tables, "sokal_sneath").support} == values
assert cm.minimize(tables, "sokal_sneath").value == min(values)
assert cm.compare(table)["sokal_sneath"] == Fraction(1, 5)
assert cm.check("sokal_sneath <= jaccard", [tables])
assert INVARIANTS["sokal_sneath"] == INVARIANTS["jaccard"]
assert {"identity", "refinement", "bounds"} <= set(contract("sokal_sneath", n=4, every=3, examples=10).kept)
"""

TRY_SECOND = ("-m", "pytest", "-q", "-k", "every_record or sokal_sneath", "tests/test_second_definitions.py")


def test_one_decorated_function_and_its_second_definition_add_an_index(copied):
    folder, python = copied
    page = PAGE.read_text()
    module = folder / "confmat" / "indices" / "partition.py"
    function = lines_added(page, "confmat/indices/partition.py")
    module.write_text(module.read_text().replace(SHORT_NAMES, f"{function}\n\n{SHORT_NAMES}"))

    assert "python -m tests.stubs --write" in python("-m", "tests.stubs").stderr
    assert python("-m", "tests.stubs", "--write").returncode == 0
    assert python("-m", "tests.stubs").returncode == 0
    told = python("-c", WHAT_KNOWS_IT)
    assert told.returncode == 0, told.stderr
    assert "Sokal-Sneath" in python("-m", "confmat", "compare", "--matrix", "2,1;0,2").stdout
    assert "sokal_sneath" in python("-m", "confmat", "statistics").stdout

    assert "['sokal_sneath'] == []" in python(*TRY_SECOND).stdout  # it fails by its name
    tests = folder / "tests" / "test_second_definitions.py"
    line = lines_added(page, "tests/test_second_definitions.py")
    tests.write_text(tests.read_text().replace(OF_CLUSTERINGS, OF_CLUSTERINGS + line))
    assert "2 passed" in python(*TRY_SECOND).stdout


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
    assert {v: w for (v,), w in cm.joint(tables, rogers).support} == Counter(values)
    assert cm.joint(tables, simple_matching).support == cm.joint(tables, rogers).support
    assert cm.minimize(tables, rogers).value == min(values)
    assert cm.compare([[2, 1], [0, 2]])[rogers] == STATISTICS[rogers]([[2, 1], [0, 2]])
    assert "Rogers-Tanimoto" in succeed(confmat("compare", "--matrix", "2,1;0,2"))
    assert "rogers" in succeed(confmat("statistics"))
    assert "order" in check_index(simple_matching, identity=1, n=4, every=3, examples=20)


# --- a class: n, shape, iteration, membership ------------------------------------------------------


class Hooks(MatrixClass):
    """Tables that are empty off the first row and the first column."""

    def __init__(self, n, r, s):
        self.n, self.shape = n, (r, s)

    def __iter__(self):
        return (x for x in cm.Tables(self.n, *self.shape) if not x[1:, 1:].any())

    def __contains__(self, matrix):
        return matrix in cm.Tables(self.n, *self.shape) and not np.asarray(matrix)[1:, 1:].any()


def test_a_class():
    hooks = Hooks(8, 3, 3)
    assert set(check_class(hooks)) >= {"members", "count", "rank", "symmetry"}
    values = [cm.ard(x, exact=True) for x in hooks]
    found = cm.maximize(hooks, "ard")
    assert (found.value, found.proved) == (max(values), True)
    assert all(x in hooks for x in found.maximizers)
    assert cm.joint(hooks, "ard").total == len(values)


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
    code, out, _ = confmat("check", "planted-rd", "--shapes", "2x2..3x3", "--n", "..8")
    assert (code, "counterexample is in Tables(n=6, r=3, s=3," in out) == (1, True)


# --- a paper: functions, and what is printed of them ------------------------------------------------


def test_a_paper(tmp_path, monkeypatch, capsys):
    (tmp_path / "nobody2026.py").write_text('def table_1():\n    return {("one", "number"): 0.25}\n')
    (tmp_path / "nobody2026.toml").write_text(
        'title = "Nobody (2026)"\n[table-1]\nabout = "a number"\nkind = "exact"\nnote = "A note."\n'
        'columns = ["number"]\n[table-1.printed]\none = "0.25"\n'
    )
    monkeypatch.setattr(compare, "HERE", tmp_path)
    monkeypatch.setattr(compare, "PAPERS", ("nobody2026",))
    monkeypatch.syspath_prepend(tmp_path)
    assert compare.main([]) == 0
    assert "nobody2026: Nobody (2026)" in capsys.readouterr().out
    assert compare.main(["nobody2026", "table-1"]) == 0
    shown = capsys.readouterr().out
    assert "Exact: A note." in shown
    assert "1 agree, 0 differ, 0 missing" in shown
