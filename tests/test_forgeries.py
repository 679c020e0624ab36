"""Certificates of every kind, changed in every place: none is taken for right."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from functools import partial
from itertools import product

import pytest
from forgeries import forged, mutations

import confmat as cm
from confmat.certificates import check, sealed, standalone, verdict
from confmat.certificates.seals import CHECKS
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.cli.check import _verified
from confmat.cli.output import Failure
from confmat.conjectures import LITERATURE, Certificate, Conjecture, Counterexample, verify
from confmat.conjectures.claims.membership_grids import MembershipPairs
from confmat.conjectures.entries import Entry
from confmat.conjectures.outcomes import _every_table as every_table
from confmat.engine import walks
from confmat.errors import CertificateError, TooLarge


def formula(text, sizes=range(2, 5)):
    return cm.check(Conjecture(text, text), [Tables(n, 2, 2) for n in sizes]).to_json()


ALONE = {
    "certificate": lambda: formula("med<=1/2 -> not (ard > 3/2, rd<1)"),
    "counterexample": lambda: formula("rd <= 1/2 or wallace_ab < n/20", range(2, 6)),
    "extreme": lambda: cm.maximize(Tables(5, 2, 3), "ard", given="med<=2/5").certificate(),
    "bounds": lambda: cm.maximize(Tables(8, 3, 3), "ard", method="bound-and-prune").certificate(),
    "margins": lambda: cm.maximize(FixedRows((3, 2), 3), "rd", method="bound-and-prune").certificate(),
    "law": lambda: cm.joint(Tables(4, 2, 2), "ari", "wallace_ba").given("med<1").certificate(),
    "labelings": lambda: cm.joint(FixedMargins((2, 1), (2, 1)), "jaccard", weight="labelings").certificate(),
}


LIMIT = 5


def corner(matrix):
    return matrix[0, 0] < LIMIT


def own(test, **options):
    return Conjecture("own", "an entry is small", predicate=test, **options)


SMALL = [Tables(n, 2, 2) for n in range(2, 5)]
SOURCE = {
    "predicate": (own(corner), SMALL),
    "symmetric": (own(lambda matrix: matrix.max() < LIMIT, symmetry="permutations"), SMALL),
    "found": (own(lambda matrix: matrix[1, 1] < 2), SMALL),
    "claim": (LITERATURE["rd-max"], [*SMALL, Tables(5, 2, 3)]),
    "refuted": (LITERATURE["rd-max-value"], [Tables(n, 2, 3) for n in range(3, 8)]),
    "grids": (LITERATURE["sari-below-ari"], [MembershipPairs(2, 2)]),
}


alone = partial(verdict.check, checks=CHECKS)


def accepted(text, checker, rejected):
    """Whether a checker takes a file for right; any error but a rejection is its own fault."""
    try:
        checker(text)
    except rejected:
        return False
    return True


@pytest.mark.parametrize("kind", ALONE)
def test_every_change_is_found_by_the_checker_alone(kind):
    text = ALONE[kind]()
    assert check(text)
    held = json.loads(text)
    rejected = verdict.Wrong, verdict.Unreadable
    assert [path for path, tree in mutations(held) if accepted(json.dumps(tree), alone, rejected)] == []
    taken = [(path, other) for path, other in forged(text) if accepted(other, alone, rejected)]
    # Other numbers may prove the same bound: what is said of the class, its value and matrices is unchanged.
    assert all("potentials" in path and alone(other) == check(text) for path, other in taken), taken


@pytest.mark.parametrize("kind", [*SOURCE, "certificate", "counterexample"])
def test_every_change_is_found_by_the_package(kind, monkeypatch):
    if kind in SOURCE:
        conjecture, classes = SOURCE[kind]
        monkeypatch.setattr("confmat.cli.check.find", lambda name, source: conjecture)
        text = cm.check(conjecture, classes).to_json()
    else:
        text = ALONE[kind]()
    false = kind in ("found", "refuted", "counterexample")
    assert json.loads(text)["kind"] == ("counterexample" if false else "certificate")

    def verified(file):
        return _verified(file, None, False)

    verified(text)
    assert [path for path, other in forged(text) if accepted(other, verified, (ValueError, Failure))] == []


def test_a_forged_value_is_named():
    held = json.loads(ALONE["extreme"]()) | {"value": "2"}
    with pytest.raises(CertificateError, match=r'value should be "[0-9/]*", it says "2"'):
        check(json.dumps(held | {"digest": verdict.seal(held)}))


@pytest.mark.parametrize("matrices", [Tables(6, 2, 3), cm.FixedColumns(2, (4, 1))])
def test_no_potentials_hide_a_matrix(matrices):
    """Weaker bounds, which a forger may write, do not make the list of the matrices shorter."""
    result = cm.maximize(matrices, "rd", method="bound-and-prune")
    held = json.loads(result.certificate())
    assert len(held["matrices"]) > 1
    potentials = held["proof"]["potentials"]
    hidden = [held["matrices"][:i] + held["matrices"][i + 1 :] for i in range(len(held["matrices"]))]
    for i, line in enumerate(potentials):
        for j, number in enumerate(line):
            for other in range(number - 3, number + 4):
                weaker = [*potentials[:i], [*line[:j], other, *line[j + 1 :]], *potentials[i + 1 :]]
                for fewer in hidden:
                    tree = {**held, "matrices": fewer, "proof": {**held["proof"], "potentials": weaker}}
                    text = json.dumps({**tree, "digest": verdict.seal(tree)})
                    assert not accepted(text, alone, (verdict.Wrong, verdict.Unreadable))


# --- forgeries from public constructors -----------------------------------------------------------


def test_a_certificate_is_of_one_test():
    """A predicate that is always true, another one under the same name and a changed helper have other certificates."""
    real = cm.check(own(corner), SMALL)
    easy = cm.check(own(lambda matrix: True), SMALL)
    assert easy.digest != real.digest
    with pytest.raises(CertificateError, match="about another test: its source is not that of 'own'"):
        verify(easy, own(corner))
    assert verify(real, own(corner)).right


def test_a_changed_helper_is_another_test(monkeypatch):
    real = cm.check(own(corner), SMALL)
    monkeypatch.setattr(sys.modules[__name__], "LIMIT", 4)
    with pytest.raises(CertificateError, match="about another test"):
        verify(real, own(corner))


def test_a_forged_certificate_of_a_refuted_statement_is_never_right():
    bound = LITERATURE["med-bound"]
    entries = tuple(Entry(x, x.count(), "5e1f") for x in (Tables(2, 2, 2), Tables(50, 4, 4)))
    quick = verify(Certificate(bound.about, entries), bound, walk=False)
    assert not quick.right
    assert "no class was visited" in str(quick)
    with pytest.raises(TooLarge, match=r"a second walk: about 3.5e\+11 tables"):
        verify(Certificate(bound.about, entries[1:]), bound)
    with pytest.raises(CertificateError, match="has a counterexample: the largest n MED is 0, not 1"):
        verify(Certificate(bound.about, entries[:1]), bound)


def test_a_table_in_the_place_of_another_is_found(monkeypatch):
    """The enumerator of the check is made to repeat a table in the place of the one where a claim is false."""
    claim = own(lambda matrix: not (matrix[0, 0] == 3 and matrix[1, 1] == 1))
    right = walks.tables_of_margins

    def wrong(rows, cols):
        for batch in right(rows, cols):
            batch = batch.copy()
            batch[(batch[:, 0, 0] == 3) & (batch[:, 1, 1] == 1)] = [[3, 1], [0, 0]]
            yield batch

    monkeypatch.setattr(walks, "tables_of_margins", wrong)
    forged_by_accident = cm.check(claim, SMALL)
    assert isinstance(forged_by_accident, Certificate)
    with pytest.raises(CertificateError, match="has a counterexample: the predicate is False here"):
        verify(forged_by_accident, claim)
    always = own(lambda matrix: True)
    with pytest.raises(CertificateError, match="its outcomes have digest"):
        verify(cm.check(always, SMALL), always)


def test_counterexamples_of_others_and_later_ones_are_not_right():
    claim, other = own(lambda matrix: matrix.max() < 3), own(lambda matrix: matrix.max() < 4)
    found = cm.check(claim, SMALL)
    assert isinstance(found, Counterexample)
    assert found.matrices.n == 4
    assert verify(found, claim).right
    with pytest.raises(CertificateError, match="about another test"):
        verify(found, other)
    late = cm.check(claim, [Tables(6, 2, 2)])
    report = verify(late, claim)
    assert not report.right
    assert report.unchecked == (
        "that none is smaller: Tables(n=2, r=2, s=2, empty=False) and 3 more are not listed",
    )
    second = Counterexample(
        claim.about, found.matrices, found.detail, {"matrix": ((3, 0), (0, 1))}, found.entries
    )
    with pytest.raises(CertificateError, match="does not show this counterexample"):
        verify(second, claim)


def test_what_is_only_declared_is_said():
    claim = own(lambda matrix: matrix.max() < LIMIT, symmetry="permutations")
    answer = cm.check(claim, SMALL)
    assert answer.basis == "all members, given the declared symmetry (permutations)"
    assert verify(answer, claim).unchecked == (
        "that the symmetry 'permutations' holds: it is declared, and was tried",
    )
    strange = object()
    shown = own(lambda matrix: strange is not None)
    assert verify(cm.check(shown, SMALL), shown).unchecked == (
        "what strange of test_what_is_only_declared_is_said.<lambda> is",
    )


# --- the checker as a program ---------------------------------------------------------------------


@pytest.fixture
def run(tmp_path):
    def run(text, kind="certificate"):
        (tmp_path / "verify.py").write_text(cm.certificates.script(kind))
        (tmp_path / "file.json").write_text(text)
        program = [sys.executable, "-I", "verify.py", "file.json"]
        done = subprocess.run(program, capture_output=True, text=True, cwd=tmp_path)
        return done.returncode, (done.stdout + done.stderr).strip()

    return run


def test_the_checker_of_audits_runs_alone(run):
    text = cm.audit(classes=(5, 5), acc="0.9", ari="0.7").certificate()
    assert run(text, "audit") == (0, f"right: {check(text)}")
    other = json.loads(text)
    other["scores"]["ari"] = "0.6"
    assert run(json.dumps(other | {"digest": verdict.seal(other)}), "audit")[0] == 1
    for file, kind in ((text, "certificate"), (ALONE["law"](), "audit")):
        code, said = run(file, kind)
        assert code == 2
        assert said.endswith("`confmat verify FILE --script` prints the checker")


def test_the_checker_runs_alone(run, tmp_path, capsys):

    text = ALONE["bounds"]()
    code, said = run(text)
    assert (code, said) == (0, f"right: {check(text)}")
    assert run(text.replace("119/97", "118/97").replace('"ard"', '"rd"'))[0] == 1
    for other in (
        "",
        "[]",
        "{",
        "\0",
        text.replace('"version": 2', '"version": 3'),
        '{"a": 1, "a": 2}',
        "[1.5]",
    ):
        assert run(other)[0] == 2
    for arguments in ([], [tmp_path / "none"], [tmp_path, tmp_path]):
        assert verdict.main(arguments, CHECKS) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("usage: python3 -I verify.py FILE")) == ("", 3)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"related_by": "merges"}, "no formula of one table, it has related_by"),
        ({"on": "triples"}, "no formula of one table, it has on"),
        ({"source": {}}, "no formula of one table, it has source"),
    ],
)
def test_the_checker_says_what_it_does_not_check(said, reason):
    text = sealed("certificate", {"test": {"formula": "ari_after >= ari_before", **said}, "classes": []})
    with pytest.raises(verdict.Unreadable, match=reason):
        alone(text)


def test_the_checker_needs_the_standard_library_only():
    nodes = [
        x for kind in ("certificate", "audit") for x in ast.walk(ast.parse(cm.certificates.script(kind)))
    ]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert imported <= set(sys.stdlib_module_names)


SHAPES = (1, 1), (2, 3), (3, 2), (3, 3)


def test_the_enumerator_of_the_checker():
    classes = [
        *(
            Tables(n, r, s, empty)
            for n in range(6)
            for r, s in ((1, 1), (2, 3), (3, 2), (3, 3))
            for empty in (0 > 1, True)
        ),
        FixedRows((3, 0, 2), 2),
        FixedRows((3, 2), 3, empty=False),
        cm.FixedColumns(3, (4, 1)),
        FixedMargins((3, 0, 1), (2, 2)),
        FixedMargins((2, 2, 1), (2, 2, 1)),
    ]
    for matrices in classes:
        other = standalone.Class(matrices.to_json())
        members = {tuple(map(tuple, table.tolist())) for table in matrices}
        assert dict.fromkeys(members, 1) == dict(every_table(other))
        assert sum(weight for _, weight in other.tables()) == len(members)
        if not other.rows and not other.cols:
            group = other.n, *sorted((other.r, other.s)), other.square, other.empty
            assert standalone.orbits(*group) == len(list(matrices.orbits()))


def test_the_cells_of_least_cost():
    """With slopes, the tables of which each cell is a whole number >= 0 that makes x^2 - slope x least."""
    for rows, cols in (((3, 2), (4, 1)), ((1, 2), (1, 2)), ((2, 1), (2, 1))):
        tables = [*standalone.fillings(rows, cols)]
        for numbers in product((-2, -1, 0, 1, 3, 4), repeat=4):
            slopes = [numbers[:2], numbers[2:]]
            cheap = [[min(x * x - w * x for x in range(6)) for w in line] for line in slopes]
            costs = {t: [[x * x - w * x for x, w in zip(*lines)] for lines in zip(t, slopes)] for t in tables}
            assert [*standalone.fillings(rows, cols, slopes)] == [t for t in tables if costs[t] == cheap]


@pytest.mark.parametrize(
    "other",
    [
        {"n": 6},
        {"n": 4},
        {"rows": [3, -1, 3]},
        {"s": 0},
        {"s": 7},
        {"empty": True},
        {"s": "2"},
        {"kind": "tables"},
    ],
    ids=str,
)
def test_the_checker_knows_no_other_classes(other):
    spec = json.loads(json.dumps(FixedRows((3, 2), 2).to_json()))
    standalone.Class(spec)
    with pytest.raises(verdict.Unreadable, match="is no class with at most"):
        standalone.Class(spec | other)


def test_the_classes_of_a_certificate_are_listed_once_from_small_to_large():
    held = json.loads(ALONE["certificate"]())
    entries = held["classes"]
    for classes in ([*entries, entries[-1]], entries[::-1], []):
        tree = held | {"classes": classes}
        with pytest.raises(verdict.Wrong, match="none, repeated or not in increasing size"):
            alone(json.dumps(tree | {"digest": verdict.seal(tree)}))


def test_the_sums_and_formulas_of_the_checker_are_those_of_the_package():
    from confmat.search.problem import sums_of
    from confmat.statistics import STATISTICS, as_condition

    texts = [
        "med <= 1/3 -> ard >= 1/2 -> not rd < 1/3",
        "1/5 < jaccard <= 2 * (n - 1) / (r + s) or wallace_ab != wallace_ba and not (mirkin = 0)",
        "-ari * n < ri / (med - 1/4) or (n = 4 -> rd > 0)",
        "med = s/n or ard <= r/n or not jaccard = 1 or rd / med != 1",
        "med / n = 0 or 1 / med > n",
    ]
    nothing, one = Tables(0, 2, 2, empty=True), Tables(1, 1, 2, empty=True)  # 0/0
    for matrices in (Tables(4, 2, 2), Tables(5, 2, 3), Tables(5, 3, 2, empty=True), nothing, one):
        other = standalone.Class(matrices.to_json())
        for member in matrices:
            table = tuple(map(tuple, member.tolist()))
            found = standalone.sums(table)
            assert found == sums_of(member)
            for name in standalone.FORMULAS:
                expected = STATISTICS[name](member)
                assert standalone.value(name, other.n, found) == (None if expected != expected else expected)
            for text in texts:
                condition = as_condition(text)
                assert standalone.Formula(str(condition)).holds(other, found)[0] == condition(member), (
                    text,
                    table,
                )


@pytest.mark.parametrize(
    "text",
    [
        "med",
        "med <",
        "med < 1 < rd or",
        "__import__('os')",
        "med < x",
        "(med < 1) < 2",
        "not med",
        "1 -> rd < 1",
        "med < 1 if 0 else rd < 1",
        "med == 1",
        "med < 1  # rd < 1",
        "med < True",
        "rd**2 < 1",
        "med < 1 and rd",
        "",
        " med < 1",
        "-" * 3000 + "1 < 2",
        "(" * 3000 + "1 < 2",
        "1 in n",
        "rd // 2 < 1",
        "ｍｅｄ < 1",
    ],
)
def test_the_checker_reads_no_other_formulas(text):
    with pytest.raises(verdict.Unreadable):
        standalone.Formula(text)


@pytest.mark.slow
@pytest.mark.parametrize("statistic", ["ard", "rd"])
@pytest.mark.parametrize("size", [(60, 4, 4), (120, 3, 3)])
def test_large_extremes_by_bounds(size, statistic):
    result = cm.maximize(Tables(*size), statistic, method="bound-and-prune")
    shown = f" is {result.value}; matrices with it, up to symmetry: {len(result.maximizers)}"
    assert check(result.certificate()).endswith(shown)
