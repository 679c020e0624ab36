"""The formulas of the formal proofs, evaluated by Rocq, against the Python ones.

What Rocq proves is about definitions of its own; this test guards against a slip between them and the package.
The proofs themselves are checked by ``proofs/rocq/check``.  All of it takes as long as half a minute, and needs Rocq:
``.ci/run`` runs it beside them, and ``python -m pytest -m slow tests/test_rocq.py``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

from confmat.contingency import best_matching
from confmat.indices import PairSums
from confmat.indices.extremes import ard_range_given_med_2x2, max_med, max_rand_distance
from confmat.indices.partition import med

ROCQ = Path(__file__).parents[1] / "proofs" / "rocq"
CASES = [(m, t) for t in range(1, 9) for m in range(31)]
DIAGONALS = [(first, second) for first in range(2, 25) for second in range(1, first + 1)]
SHAPES = [(n, r, s) for s in range(1, 8) for r in range(1, s + 1) for n in range(s, 31)]

# What is evaluated here; the other files rest on these.
FILES = ["Arithmetic.v", "Tables.v", "MaxRandDistance.v", "MaxMed.v", "TwoByTwoIntegers.v", "TwoByTwo.v"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("coqc") is None, reason="coqc is not installed, see proofs/rocq/README.md"
    ),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Definitions and statements, compiled once into a temporary folder; their proofs are another step."""
    folder = tmp_path_factory.mktemp("rocq")
    done = subprocess.run([ROCQ / "check", "--statements", folder, *FILES], capture_output=True, text=True)
    if "Cannot find a physical path bound to logical path" in done.stderr:
        pytest.skip("mathcomp or its zify is not installed, see proofs/rocq/README.md")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def values(library: Path) -> list[list[int]]:
    """All the numbers that Rocq prints for each expression."""
    expressions = [
        on_the_grid("largest_nMED"),
        on_the_grid("largest_F"),
        f"[seq balanced_squares c.1 c.2 | c <- [:: {'; '.join(map(str, CASES))}]]",
        f"[seq least_ARD_width c.1 c.2 | c <- [:: {'; '.join(map(str, DIAGONALS))}]]",
    ]
    done = compile_source(
        library,
        "evaluate.v",
        "From mathcomp Require Import all_ssreflect.\n"
        "From Confmat Require Import Arithmetic MaxRandDistance MaxMed TwoByTwo.\n"
        "Set Printing Depth 1000000.\n" + "".join(f"Eval vm_compute in {x}.\n" for x in expressions),
    )
    assert done.returncode == 0, done.stderr
    printed = [part.rpartition(":")[0] for part in done.stdout.split("=")[1:]]
    return [[int(number) for number in re.findall(r"\d+", value)] for value in printed]


def on_the_grid(function: str) -> str:
    """The values of a function of n, r, s on all the shapes."""
    grid = "; ".join(f"({n}, {r}, {s})" for n, r, s in SHAPES)
    return f"[seq {function} t.1.1 t.1.2 t.2 | t <- [:: {grid}]]"


def compile_source(library: Path, name: str, text: str) -> subprocess.CompletedProcess[str]:
    """Compile a file beside the proofs."""
    (library / name).write_text(text)
    command = ["coqc", "-vok", "-w", "none", "-Q", ".", "Confmat", name]
    return subprocess.run(command, cwd=library, capture_output=True, text=True)


# Sums over ordinals do not evaluate, so the values of the definitions are proved, one table at a time.
DEFINITIONS = """
From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Tables.
Import GRing.Theory Num.Theory.
Definition of_rows r s (rows : seq (seq nat)) : table r s := fun i j => nth 0 (nth nil rows i) j.
Ltac evaluate := rewrite /F2 /expected_numerator /row_pairs /col_pairs /cell_pairs /all_pairs /total /squares
  /row_sum /col_sum /of_rows !big_ord_recl !big_ord0 /=.
"""


def claims(rows: list[list[int]]) -> str:
    """What Rocq is to prove of a 2 x s table, s = 2 or 3: the package's class, F, ARD, best matching and MED."""
    n, s = sum(map(sum, rows)), len(rows[0])
    table = f"(of_rows 2 {s} [:: {'; '.join('[:: ' + '; '.join(map(str, row)) + ']' for row in rows)}])%N"
    sums = PairSums.of(rows)
    F, ard = n * (n - 1) * sums.rand_distance, sums.adjusted_rand_distance
    matching = best_matching(rows)
    first, second = max(permutations(range(s), 2), key=lambda f: rows[0][f[0]] + rows[1][f[1]])
    unmatched = n * med(rows, exact=True)
    return f"""
Goal in_class {n} {table}.
Proof.
by split; [evaluate | move=> [{cases_pattern(2)} ?] //; evaluate | move=> [{cases_pattern(s)} ?] //; evaluate].
Qed.
Goal F2 {table} = {F}. Proof. by evaluate. Qed.
Goal (ARD {table} = {ard.numerator}%:R / {ard.denominator}%:R)%R.
Proof.
rewrite ARD_nat; last by evaluate.
apply/eqP; rewrite eqr_div ?pnatr_eq0; last 2 first; [by evaluate | by [] |].
by rewrite -!natrM eqr_nat; evaluate.
Qed.
Lemma matched : best {table} = {matching.total}.
Proof.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  apply: best_le => f fi; rewrite !big_ord_recl !big_ord0 /of_rows /=.
  have : f ord0 != f (lift ord0 ord0) by apply: contra_neq (@fi _ _) _.
  by move: (f ord0) (f (lift ord0 ord0)) => [{cases_pattern(s)} Hp] [{cases_pattern(s)} Hq].
pose f (i : 'I_2) : 'I_{s} := inord (nth 0 [:: {first}; {second}] i).
have fi : injective f.
  by move=> [[|[|p]] Hp] [[|[|q]] Hq] // /(congr1 val); rewrite /= ?inordK // => _; apply: val_inj.
by apply: leq_trans (best_ge _ fi); rewrite !big_ord_recl !big_ord0 /of_rows /f /= !inordK.
Qed.
Goal (MED {table} = {unmatched}%:R / {n}%:R)%R.
Proof. by rewrite MED_nat matched; have -> : total {table} = {n} by evaluate. Qed.
Reset matched.
"""


def cases_pattern(s: int) -> str:
    """The introduction pattern that splits a number below s: [|[|?]] for s = 2."""
    return "[|" * s + "?" + "]" * s


SAMPLES = [[[2, 1], [1, 0]], [[2, 1, 0], [0, 1, 3]]]
MORE = [[[1, 3], [0, 2]], [[3, 0], [1, 1]], [[1, 1, 1], [0, 1, 2]]]


def test_definitions_on_more_tables(library: Path) -> None:
    done = compile_source(library, "definitions.v", DEFINITIONS + "".join(map(claims, MORE)))
    assert done.returncode == 0, done.stdout + done.stderr


WRONG = {
    "= 8.": "= 9.",
    "in_class 4": "in_class 5",
    "[:: [:: 2; 1]; [:: 1; 0]]": "[:: [:: 3; 1]; [:: 0; 0]]",
    "= 2%:R / 4%:R": "= 1%:R / 4%:R",
}


def test_definitions_on_sample_tables_and_no_wrong_value(library: Path) -> None:
    """A wrong one is refused by the very proof of the right one, which is checked before it."""
    text = "".join(map(claims, SAMPLES))
    for right, wrong in WRONG.items():
        goal = next(x for x in re.findall(r"Goal .*?Qed\.\n", text, re.S) if right in x)
        refused = re.sub(
            r"Proof\.\s(.*)\sQed", r"Proof. Fail \1 Abort", goal.replace(right, wrong), flags=re.S
        )
        text = text.replace(goal, goal + refused, 1)
    assert text.count("Fail") == len(WRONG)
    done = compile_source(library, "wrong.v", DEFINITIONS + text)
    assert done.returncode == 0, done.stdout + done.stderr


def test_largest_med(values: list[list[int]]) -> None:
    assert values[0] == [n * max_med(n, r, s) for n, r, s in SHAPES]


def test_largest_rand_distance(values: list[list[int]]) -> None:
    assert values[1] == [n * (n - 1) * max_rand_distance(n, r, s) for n, r, s in SHAPES]


def test_balanced_squares(values: list[list[int]]) -> None:
    """Against the least sum of squares found by spreading units one at a time."""

    def spread(m: int, t: int) -> int:
        parts = [0] * t
        for _ in range(m):
            parts[parts.index(min(parts))] += 1
        return sum(part * part for part in parts)

    assert values[2] == [spread(m, t) for m, t in CASES]


def test_least_ard_given_the_med(values: list[list[int]]) -> None:
    """`ARD_two_by_two` at the table of the theorem: the difference p on the one diagonal, d on the other."""
    for (other, d), p in zip(DIAGONALS, values[3], strict=True):
        n = other + d
        divisor = (n * (n - 1)) ** 2 - ((d + p) ** 2 - n) * ((d - p) ** 2 - n)
        assert ard_range_given_med_2x2(n, d)[0] == Fraction(4 * n * (n - 1) * other * d, divisor)
        table = [[(other + p) // 2, d], [0, (other - p) // 2]]
        assert PairSums.of(table).adjusted_rand_distance == ard_range_given_med_2x2(n, d)[0]
