"""What the page on contributing names is all that it takes to add an index, a class, a statement, a paper's item."""

from collections import Counter
from fractions import Fraction

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

# --- an index: a function of a matrix, one record in the table of statistics -----------------------


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
