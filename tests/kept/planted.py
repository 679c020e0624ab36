"""Plant faults in a copy of the package, one at a time, and ask the stored questions there.

    python -m tests.kept.planted          all faults (some minutes)
    python -m tests.kept.planted rank     the faults whose names contain a text

Exit code 1 if a fault is not found, or not planted because the code was rewritten: then edit its text here.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
MOST_MEMORY = 6 * 2**30
"""Bytes of address space of a process: some faults ask for tables of 10^9 objects."""


@dataclass(frozen=True)
class Fault:
    """A text in one file of the package, what replaces it, and the kinds of questions that find it."""

    name: str
    before: str
    after: str
    kinds: str
    compiled: bool = False


FAULTS = [
    Fault(
        "kernel: a better matching of columns is taken only if it is better by two",
        "k = value if value > k else k",
        "k = value if value > k + 1 else k",
        "points",
        compiled=True,
    ),
    Fault(
        "weight: labelings of tables with a cell above 3",
        "return np.asarray(factorial(n) // orders)",
        "return np.asarray(factorial(n) // orders) + (tables.max(axis=(1, 2)) > 3)",
        "function",
    ),
    Fault(
        "rank: cells above 2 count as 2",
        "position += tail(0) - tail(cell)",
        "position += tail(0) - tail(min(cell, 2))",
        "unrank,rank",
    ),
    Fault(
        "rejection: an eighth of the tables whose first cell is 1",
        "are_members = are_drawn.copy()",
        "are_members = are_drawn * ((cells[0] != 1) | (np.arange(lanes) % 8 != 0))",
        "uniform,estimate",
        compiled=True,
    ),
    Fault(
        "condition: <= is <",
        ".compared(relation, y.numerator",
        '.compared({"<=": "<"}.get(relation, relation), y.numerator',
        "probability",
    ),
    Fault(
        "index: the Jaccard index of tables with many pairs in common",
        "Fraction(sums.P, sums.A + sums.B - sums.P)",
        "Fraction(sums.P, sums.A + sums.B - sums.P + (sums.P > 3))",
        "labels",
    ),
    Fault(
        "quantile: rounded down",
        "position = ceil(total * p) if reached",
        "position = floor(total * p) if reached",
        "quantile",
    ),
    Fault(
        "file: denominators in a CSV",
        'columns[f"{name}_den"] = _integers(second)',
        'columns[f"{name}_den"] = _integers(first)',
        "csv",
    ),
    Fault(
        "strategy: a cell may be one above its bound",
        "max_value = min(total, cap)",
        "max_value = min(total, cap + 1)",
        "strategy",
    ),
    Fault(
        "p-value: of more than three equal cases one is forgotten",
        "Fraction(beyond + equal, total),",
        "Fraction(beyond + equal - (equal > 3), total),",
        "permutation test",
    ),
    Fault(
        "survivor 1: margins of square classes under a false symmetry",
        '(are_free and rows.lines == cols.lines and "simultaneous" in group)',
        "(are_free and rows.lines == cols.lines)",
        "function,predicate",
    ),
    Fault(
        "survivor 2: a root as the right operand of a sum",
        "if self.root or other.root:\n            raise IrrationalSum",
        "if self.root:\n            raise IrrationalSum",
        "probability,points given,given",
    ),
    Fault(
        "survivor 3: floats in tables of Python integers",
        "table = np.zeros((r, s), dtype=object)",
        "table = np.zeros((r, s))",
        "strategy,reached",
    ),
    Fault(
        "survivor 4: estimated counts of fixed columns",
        "for side, other_side in ((rows, cols), (cols, rows)):",
        "for side, other_side in ((rows, cols), (rows, cols)):",
        "estimate",
    ),
    Fault(
        "survivor 5: memberships of more objects than the limit",
        "max_corner if subject.may_be_large else min(max_corner, subject.wishes.max_n)",
        "max_corner",
        "contract sizes",
    ),
    Fault(
        "doctest 1: one fixed side is taken for both",
        "if rows is None or cols is None:\n        return None\n    return FixedMargins",
        "if rows is None:\n        return None\n    return FixedMargins",
        "points,groups,count,uniform",
    ),
    Fault(
        "doctest 2: the member that is shown for an orbit",
        "labels[i] = tuple(table.sum(axis=1 - i).tolist())",
        "labels[i] = tuple(table.sum(axis=i).tolist())",
        "extreme,attained",
    ),
    Fault(
        "doctest 3: a soft index that is 0/0 at some order",
        "if any(value != value for value in values):",
        "if not any(value != value for value in values):",
        "soft moments",
    ),
    Fault(
        "doctest 4: variance of the NDC by chance",
        "2 * number(sums.same_pair) / perm(n, 2)",
        "2 * number(sums.same_pair) // perm(n, 2)",
        "soft moments",
    ),
    Fault(
        "doctest 5: binomial coefficients of a symbol",
        "sp.ff(top, p) / sp.factorial(p)",
        "sp.ff(top, p) // sp.factorial(p)",
        "formula",
    ),
]


class Copy:
    """The package and the stored questions in a directory, where faults are planted."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "confmat", self.folder / "confmat", ignore=unwanted)
        shutil.copytree(ROOT / "tests" / "kept", self.folder / "tests" / "kept", ignore=unwanted)

    def ask(self, kinds: str, cache: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {
            "NUMBA_CACHE_DIR": str(self.folder / cache),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, "-m", "tests.kept", "--kind", kinds]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY)),
        )

    def file_of(self, fault: Fault) -> Path | None:
        """Return the one file that has the text, wherever it was moved."""
        sources = (self.folder / "confmat").rglob("*.py")
        files = [path for path in sources if fault.before in path.read_text()]
        return files[0] if len(files) == 1 else None

    def with_fault(self, fault: Fault) -> tuple[bool, str]:
        """Return whether the fault was found, and how."""
        path = self.file_of(fault)
        if path is None:
            return False, f"NOT PLANTED, as not one file has: {fault.before}"
        source = path.read_text()
        path.write_text(source.replace(fault.before, fault.after))
        run = self.ask(fault.kinds, f"cache-{FAULTS.index(fault)}" if fault.compiled else "cache")
        path.write_text(source)
        if not run.returncode:
            return False, "NOT FOUND"
        lines = run.stdout.splitlines()
        summary = [line for line in lines if "answers," in line]
        first = " ".join(line.strip() for line in lines[:3])
        return True, f"{summary[-1] if summary else run.stderr[-300:]}\n    {first:.400}"


def main() -> int:
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    faults = [fault for fault in FAULTS if wanted in fault.name]
    not_found = 0
    with TemporaryDirectory() as folder:
        copy = Copy(folder)
        kinds = ",".join(dict.fromkeys(kind for fault in faults for kind in fault.kinds.split(",")))
        unchanged = copy.ask(kinds, "cache")
        print(f"without a fault: {unchanged.stdout.splitlines()[-1]}", flush=True)
        if unchanged.returncode:
            print(unchanged.stdout + unchanged.stderr)
            return 1
        for fault in faults:
            start = time.perf_counter()
            found, how = copy.with_fault(fault)
            not_found += not found
            print(f"{fault.name}: {time.perf_counter() - start:.0f} s\n    {how}", flush=True)
    print(f"{len(faults)} faults planted, {len(faults) - not_found} found")
    return 1 if not_found else 0


if __name__ == "__main__":
    sys.exit(main())
