"""The formulas of the formal proofs, evaluated by Rocq, against the Python ones.

What Rocq proves is about definitions of its own; this test guards against a slip between them and the package.
The proofs themselves are checked by ``proofs/rocq/check``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from confmat.indices.extremes import max_med, max_rand_distance

ROCQ = Path(__file__).parents[1] / "proofs" / "rocq"
SHAPES = [(n, r, s) for s in range(1, 8) for r in range(1, s + 1) for n in range(s, 31)]

pytestmark = [
    pytest.mark.skipif(
        shutil.which("coqc") is None, reason="coqc is not installed, see proofs/rocq/README.md"
    ),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The proofs, compiled once into a temporary folder."""
    folder = tmp_path_factory.mktemp("rocq")
    done = subprocess.run([ROCQ / "check", "--build-only", folder], capture_output=True, text=True)
    if "Cannot find a physical path bound to logical path" in done.stderr:
        pytest.skip("mathcomp or its zify is not installed, see proofs/rocq/README.md")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def evaluate(library: Path, modules: str, expression: str) -> list[int]:
    """All the numbers that Rocq prints for an expression."""
    source = library / "evaluate.v"
    source.write_text(
        "From mathcomp Require Import all_ssreflect.\n"
        f"From Confmat Require Import {modules}.\n"
        "Set Printing Depth 1000000.\n"
        f"Eval vm_compute in {expression}.\n"
    )
    done = subprocess.run(
        ["coqc", "-w", "none", "-Q", ".", "Confmat", source.name], cwd=library, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    value = done.stdout.partition("=")[2].rpartition(":")[0]
    return [int(number) for number in re.findall(r"\d+", value)]


def on_the_grid(function: str) -> str:
    """The values of a function of n, r, s on all the shapes."""
    grid = "; ".join(f"({n}, {r}, {s})" for n, r, s in SHAPES)
    return f"[seq {function} t.1.1 t.1.2 t.2 | t <- [:: {grid}]]"


def test_largest_med(library: Path) -> None:
    values = evaluate(library, "MaxMed", on_the_grid("largest_nMED"))
    assert values == [n * max_med(n, r, s) for n, r, s in SHAPES]


def test_largest_rand_distance(library: Path) -> None:
    values = evaluate(library, "MaxRandDistance", on_the_grid("largest_F"))
    assert values == [n * (n - 1) * max_rand_distance(n, r, s) for n, r, s in SHAPES]


def test_balanced_squares(library: Path) -> None:
    """Against the least sum of squares found by spreading units one at a time."""
    cases = [(m, t) for t in range(1, 9) for m in range(31)]

    def spread(m: int, t: int) -> int:
        parts = [0] * t
        for _ in range(m):
            parts[parts.index(min(parts))] += 1
        return sum(part * part for part in parts)

    grid = "; ".join(f"({m}, {t})" for m, t in cases)
    values = evaluate(library, "Arithmetic", f"[seq balanced_squares c.1 c.2 | c <- [:: {grid}]]")
    assert values == [spread(m, t) for m, t in cases]
