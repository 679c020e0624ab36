"""The registry of statements agrees with the proofs, with Rocq, with the checks, with the code and with the tables."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import ceil, sqrt

import numpy as np
import pytest
from command_line import run

from confmat.classes import Tables
from confmat.conjectures import LITERATURE, STATEMENTS, registry
from confmat.indices import extremes
from confmat.indices.partition import ard
from confmat.search import minimize
from confmat.statistics import STATISTICS
from proofs import __main__ as program
from proofs import _registry, _rocq, ard_triangle, balanced_squares, rand_given_med_lower

KNOWN = dict(STATEMENTS)


@pytest.fixture(autouse=True, scope="module")
def read_once():
    """The sources, the proofs of Rocq and the closed-form counts do not change while these tests run."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("digests", "mentions", "members"):
            patch.setattr(_registry, name, cache(getattr(_registry, name)))
        yield


# --- nothing drifts -------------------------------------------------------------------------------


def test_everything_fits_together():
    assert _registry.faults(KNOWN) == []
    assert {name for name, x in KNOWN.items() if x.checked} == set(LITERATURE)


def test_the_tables_are_those_of_the_registry():
    for file, text in _registry.tables(KNOWN).items():
        assert file.read_text(encoding="utf-8") == text, f"{file}: run python -m proofs --write"


# These take two to six seconds each: ``.ci/run`` checks them again beside the notebooks.
LONG = ("svm-ari-lower",)


@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=pytest.mark.slow) if x in LONG else x for x in LITERATURE]
)
def test_the_first_range_is_checked_again(name):
    arguments, facts = next(iter(KNOWN[name].checked.items()))
    found, counterexample = _registry.checked(name, arguments)
    assert (found, counterexample) == (facts, KNOWN[name].counterexample)
    assert bool(counterexample) == (KNOWN[name].status == "refuted")


def test_later_ranges_are_checked_again_where_the_first_has_another_digest(monkeypatch):
    asked = []
    monkeypatch.setattr(_registry, "checked", lambda name, x: (asked.append(x) or KNOWN[name].checked[x], {}))
    known = KNOWN["ari-least"]
    first, second = known.checked
    _registry.evidence({"ari-least": known}, 1)
    assert asked == [first]
    stale = replace(known, checked={x: {"digest": "of other lines"} for x in known.checked})
    found = _registry.evidence({"ari-least": stale}, 1)
    assert asked == [first, first, second]
    assert found["ari-least"]["checked"] == known.checked


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments"), [(name, x) for name, known in KNOWN.items() for x in list(known.checked)[1:]]
)
def test_the_other_ranges_are_checked_again(name, arguments):
    assert _registry.checked(name, arguments)[0] == KNOWN[name].checked[arguments]


# --- what is planted is found ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["med-max", "rd-given-med-lower-sharp", "equal-classes-f", "optimistic-f1"])
@pytest.mark.parametrize(
    "change",
    [
        {"statement": "F <= 0 always"},
        {"status": "open"},
        {"scope": "for n >= 5"},
        {"formal": "for n >= 5"},
        {"rocq": {"MaxMed.largest_med": "19f144f849452c64"}},
        {"rocq": {"MaxMed.largest_MED": "0" * 16}},
        {"used_by": ("confmat.search.nobody",)},
        {"proof": ("max_fed",)},
    ],
    ids=str,
)
def test_another_statement_is_noticed(name, change):
    assert any(fault.startswith(name) for fault in planted(name, **change))


@pytest.mark.parametrize("name", KNOWN)
def test_another_word_or_number_is_noticed(name):
    text = KNOWN[name].statement
    numbers = list(re.finditer(r"\d+", text))
    for found in (numbers[0], numbers[-1]) if numbers else ():
        changed = text[: found.start()] + str(int(found[0]) + 1) + text[found.end() :]
        assert [x for x in planted(name, statement=changed) if x.startswith(name)]
    assert [x for x in planted(name, statement=text + " sometimes") if x.startswith(name)]


@pytest.mark.parametrize("name", [name for name, known in KNOWN.items() if len(known.checked) > 1])
def test_another_range_is_noticed(name):
    checked = {re.sub(r"\d+$", "3", arguments): facts for arguments, facts in KNOWN[name].checked.items()}
    assert any("checked is" in fault for fault in planted(name, checked=checked))


@pytest.mark.parametrize(
    ("status", "gone"),
    [
        ("proved", {"proof": (), "rocq": {}}),
        ("verified", {"checked": {}}),
        ("refuted", {"counterexample": {}}),
    ],
)
def test_a_status_without_evidence_is_noticed(status, gone):
    name = next(name for name, known in KNOWN.items() if known.status == status)
    assert f"{name}: it is {status}, but nothing says so" in planted(name, **gone)


def test_a_sentence_alone_proves_nothing():
    name = "van-dongen-and-med"
    assert KNOWN[name].evidence == "argument or citation"
    assert f"{name}: it is proved, but nothing says so" in planted(name, checked={})


def test_a_formal_part_needs_a_theorem():
    assert any(
        "no theorem of Rocq is named" in fault for fault in planted("count-tables", formal="for n >= 5")
    )
    weaker = replace(KNOWN["rd-max"], formal="for n >= 5")
    assert (KNOWN["rd-max"].evidence, weaker.evidence) == ("by machine (Rocq, whole)", "in part by machine")


def test_statements_name_their_evidence_and_range():
    heads = _registry.by_evidence(KNOWN)
    assert sum(map(len, heads.values())) == len(KNOWN)
    assert list(heads)[:2] == ["Proved: by machine (Rocq, whole)", "Proved: in part by machine"]
    assert "except for seven sizes (3x3..4x4, n <= 9)" in _registry.titles(KNOWN)
    assert "| Open: no proof, no counterexample at the sizes stated | 7 |" in _registry.summary(KNOWN)


def test_a_proof_that_states_something_else_is_noticed():
    known = replace(KNOWN["count-tables"], statement="there is one table")
    known = replace(known, seal=_registry.seal(known))
    assert _registry.faults(KNOWN | {"count-tables": known}) == [
        "count-tables: proofs/counting.py does not state it word for word"
    ]


def test_names_that_no_statement_has_are_noticed():
    others = {name: known for name, known in KNOWN.items() if name not in ("rd-max", "count-tables")}
    found = _registry.faults(others)
    assert any(
        x.startswith("rd-max: ") and "partition.rand_distance rely on it" in x.replace(",", " rely on it")
        for x in found
    )
    assert "MaxRandDistance.largest_RD: a main theorem that no statement rests on" in found
    assert "counting: a proof that no statement rests on" in found
    open_one = replace(KNOWN["ard-max"], status="open")
    assert any("not proved or verified" in fault for fault in _registry.faults(KNOWN | {"ard-max": open_one}))


def test_the_program_fails(monkeypatch, capsys):
    monkeypatch.setattr(
        _registry, "statements", lambda: KNOWN | {"med-max": replace(KNOWN["med-max"], seal="")}
    )
    monkeypatch.setattr("sys.argv", ["proofs", "counting"])
    assert program.main() == 1
    assert "med-max: its words, status, scope" in capsys.readouterr().out


def test_entries_are_complete_and_occur_once():
    sources = tomllib.loads((registry.HERE / "statements.toml").read_text(encoding="utf-8"))
    assert len(KNOWN) == sum(len(entry.get("each", [entry])) for entry in sources.values())
    for known in KNOWN.values():
        assert known.statement
        assert known.status in ("proved", "verified", "open", "refuted")
        assert not (known.on and (known.formula or known.checked))


def planted(name, **change):
    """The faults of the registry with one statement changed."""
    return _registry.faults(KNOWN | {name: replace(KNOWN[name], **change)})


# --- the formulas in the words are those that the code uses ----------------------------------------


def value(formula, **names):
    """A formula as it is printed: 2km, (r - 1)s, m^2, ceil(n/s), bal(m, t)."""
    from sympy import Function, Rational, ceiling, sympify
    from sympy.parsing.sympy_parser import (
        convert_xor,
        implicit_multiplication,
        parse_expr,
        split_symbols,
        standard_transformations,
    )

    steps = (*standard_transformations, convert_xor, split_symbols, implicit_multiplication)
    known = {"ceil": ceiling, "bal": Function("bal")}
    parsed = parse_expr(formula, local_dict=known, transformations=steps)
    found = parsed.subs({key: sympify(x) for key, x in names.items()})
    found = found.replace(known["bal"], lambda m, t: sympify(balanced_squares(int(m), int(t))))
    return Rational(found)


def formulas(name, pattern):
    found = re.search(pattern, KNOWN[name].statement)
    assert found, name
    return found.groups()


SIZES = [(n, r, s) for r in range(1, 5) for s in range(max(2, r), 6) for n in range(s, 14)]


def test_largest_med_in_words():
    few, some, many = formulas(
        "med-max", r"n MED is (.+?) for n <= r \+ s - 2, (.+?) up to \(r - 1\)s, then (.+?), r <= s"
    )
    (allow_empty,) = formulas("med-max-empty", r"n MED is (.+?) for every n")
    for n, r, s in SIZES:
        formula = few if n <= r + s - 2 else some if n <= (r - 1) * s else many
        assert value(formula, n=n, r=r, s=s) == n * extremes.max_med(n, r, s)
        assert value(allow_empty, n=n, r=r, s=s) == n * extremes.max_med(n, r, s, allow_empty=True)


def test_largest_rand_distance_in_words():
    few, some, many = formulas(
        "rd-max", r"RD is (.+?) if e <= 0, (.+?) if 0 <= e <= r, and (.+?), the value \(8\), if e >= r"
    )
    (allow_empty,) = formulas("rd-max-empty", r"RD is (.+?) for r <= s")
    for n, r, s in SIZES:
        e = n - (r + s - 2)
        largest = n * (n - 1) * extremes.max_rand_distance(n, r, s)
        for formula, holds in ((few, e <= 0), (some, 0 <= e <= r), (many, e >= r)):
            assert not holds or value(formula, n=n, r=r, s=s, e=e) == largest
        assert value(allow_empty, n=n, s=s) == n * (n - 1) * extremes.max_rand_distance(
            n, r, s, allow_empty=True
        )


def test_constants_in_words():
    (K,) = formulas("ard-triangle", r"with K = (.+?) for")
    for n in range(4, 12):
        assert value(K, n=n) == ard_triangle.constant(n * (n - 1) // 2)
    (sharp,) = formulas("rd-given-med-lower-sharp", r"2F >= (.+?) m\^2")
    for _, r, s in SIZES:
        if r > 1:
            assert value(sharp, r=r, s=s) == rand_given_med_lower.constant(Fraction(r), Fraction(s))


def test_bounds_at_given_med_in_words():
    """Each printed bound, against the extreme F of every table: not passed, and attained where it is said to be."""
    from confmat.classes import Tables
    from confmat.contingency import best_matching
    from confmat.indices import PairSums

    (upper,) = formulas("rd-given-med-upper", r"2F <= (.+?), m = n MED")
    (attained,) = formulas("rd-given-med-upper-attained", r"largest 2F is (.+)$")
    (lower,) = formulas("rd-given-med-lower", r"2F >= (.+?), m = n MED")
    for n, r, s in [(9, 2, 3), (8, 3, 3), (9, 2, 4)]:
        found = {}
        for table in Tables(n, r, s):
            k = int(best_matching(table).total)
            found.setdefault(k, set()).add(2 * PairSums.of(table).disagreements)
        for k, doubled in found.items():
            m, a = n - k, n - k - r + 1
            assert value(lower, m=m, r=r, s=s) <= min(doubled)
            assert max(doubled) <= value(upper, k=k, m=m, s=s)
            if m >= r + s - 2 and k >= ceil(a / (s - 1)) + 1:
                assert max(doubled) == value(attained, k=k, m=m, a=a, r=r, s=s)


# --- where statements are shown -------------------------------------------------------------------


def test_command(capsys):
    assert run(["conjectures", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in listed] == list(KNOWN)
    assert {entry["status"] for entry in listed} <= {"proved", "verified", "open", "refuted"}
    assert {entry["evidence"] for entry in listed if entry["status"] == "proved"} == set(registry.PROOFS)
    for entry in listed:
        assert entry["statement"] == KNOWN[entry["name"]].statement
    assert run(["conjectures"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{name} ({known.status}" in shown for name, known in KNOWN.items())
    assert "Rocq: OnlyHooks.largest_F_only_hooks" in " ".join(shown.split())


def test_theorems_and_bases_are_proved_statements():
    named = {x.largest.name for x in STATISTICS.values() if x.largest is not None}
    assert named == {"med-max", "rd-max", "ard-max"}
    assert "theorem rd-max" in str(minimize(Tables(6, 2, 2), "ri", method="theorem"))
    named |= {"least-squares"}  # of bound and prune
    assert all(KNOWN[name].status == "proved" and KNOWN[name].proof for name in named)


# --- what a theorem of Rocq says ------------------------------------------------------------------


def test_digest_of_a_theorem(tmp_path):
    def digest(text):
        (tmp_path / "A.v").write_text(text)
        return _rocq.digests(tmp_path)["A.small"]

    text = (
        "Section S.\nVariable n : nat. (* a (* nested *) comment. *)\nHypothesis few : n < 3.\n"
        "Definition half := n %/ 2.\nDefinition part := half + 1.\nDefinition other := 5.\n"
        "Theorem small : part <= 2.\nProof. by rewrite /part. Qed.\nEnd S.\n"
    )
    first = digest(text)
    for same in [
        ("by rewrite", "rewrite"),
        (":= 5", ":= 6"),
        ("nested", "nice"),
        ("n : nat. ", "n   : nat.\n"),
    ]:
        assert digest(text.replace(*same)) == first
    for other in [
        ("n < 3", "n < 4"),
        ("part <= 2", "part <= 1"),
        ("half + 1", "half + 2"),
        ("n %/ 2", "n %/ 3"),
    ]:
        assert digest(text.replace(*other)) != first


def test_the_exceptional_tables_of_ard_max_are_determined():
    """The larger of two tables has it, and another table of nearly equal cells may have less."""
    for n, r, s in ((6, 2, 2), (6, 2, 4), (7, 2, 5), (8, 2, 6), (7, 3, 3)):
        cells = [n // (r * s) + (i < n % (r * s)) for i in range(r * s)]
        by_rows, by_columns = np.reshape(cells, (r, s)), np.reshape(cells, (s, r)).T
        ards = [
            ard(table, exact=True)
            for table in (by_rows, by_columns)
            if table.any(0).all() and table.any(1).all()
        ]
        largest = max(ard(table, exact=True) for table in Tables(n, r, s))
        assert largest == max(ards), (n, r, s)
    assert ard([[2, 1], [1, 2]], exact=True) < max(ard(table, exact=True) for table in Tables(6, 2, 2))


def test_a_statement_about_one_class_is_proved_by_every_case():
    name = "svm-ari-lower"
    assert (KNOWN[name].status, KNOWN[name].evidence) == ("proved", registry.EXHAUSTION)
    assert f"{name}: it is proved, but nothing says so" in planted(name, checked={})
    assert f"{name}: it is proved, but nothing says so" in planted(name, exhaustive=False)


def test_lemmas_are_counted_apart():
    by_evidence = _registry.by_evidence(KNOWN)
    lemmas = {known.name for known in by_evidence[f"Proved: {registry.LEMMA}"]}
    assert len(lemmas) == 17
    assert {"f1-below-gsp1", "two-classes-auc-ovo", "equal-classes-gss-ovo", "ovo-auc-value"} <= lemmas
    assert not lemmas & {known.name for known in by_evidence[f"Proved: {registry.ARGUMENT}"]}


def test_a_class_without_objects_is_not_present():
    """With predictions in a class that has no object f1 exceeds f2: the statements ask that every class is present."""
    table = [[1, 0, 1], [0, 1, 1], [0, 0, 0]]
    f1, f2 = (STATISTICS[name](table) for name in ("f1_weighted", "f_pairs"))
    assert f1 > f2
    for name in KNOWN:
        if name.startswith("equal-classes"):
            assert "every class present" in KNOWN[name].statement


def test_the_steps_of_balanced_similar():
    """Largest differences on a grid of sensitivities, and the derivative that the argument bounds."""
    for p in range(50, 101):
        for q in range(50, p + 1):
            high, low = p / 100, q / 100
            d, s = high - low, (high + low) / 2
            f1 = (4 * s - d**2) / (4 - d**2)
            gss = sqrt(s**2 - d**2 / 4)
            gsp = ((s + d / 2) / sqrt(1 + d) + (s - d / 2) / sqrt(1 - d)) / 2
            assert (f1, gss, gsp) == pytest.approx(measures_of_rates(high, low))
            assert 0 <= s - f1 <= 1 / 60 + 1e-12
            assert -1e-12 <= s - gss <= 0.043
            assert -1e-12 <= gsp - f1 <= (0.0166 + 0.0405) / 2
            assert gsp - gss <= sqrt(1 / 6) - sqrt(1 / 8) + 1e-12
    for k in range(1, 50):
        d = k / 100
        slope = (3 / 2 + d) / (2 * (1 + d) ** 1.5) + 1 / (4 * (1 - d) ** 1.5) - 1 / sqrt(1 + 2 * d)
        assert slope >= max(0, 3 * d / 4 * (1 - 3 * d)) - 1e-12


def measures_of_rates(p, q):
    """F, GSS and GSP of two classes of one size with these sensitivities, by their definitions."""
    precisions = p / (p + 1 - q), q / (q + 1 - p)
    f1 = sum(2 * x * y / (x + y) for x, y in zip(precisions, (p, q))) / 2
    return f1, sqrt(p * q), sum(sqrt(x * y) for x, y in zip(precisions, (p, q))) / 2
