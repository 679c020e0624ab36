"""Compare confmat with R, NumPy, SciPy and scikit-learn, in one run: CPU seconds and their ratios.

    python -m tests.benchmarks            print the table
    python -m tests.benchmarks --write    write it into notebooks/pages/benchmarks.md

A row is left out if its package is not installed. Both functions of a row run in turn, so that other work on the
machine affects both. The time is the least of five runs, after one run that compiles and imports. Results are
compared before they are timed.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from math import comb
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

import confmat as cm

PAGE = Path(__file__).parents[2] / "notebooks" / "pages" / "benchmarks.md"
RUNS = 5
# Mehta and Patel (1983), sixth example.
SPARSE = [
    [2, 0, 0, 2, 1, 1, 1],
    [1, 2, 1, 1, 0, 0, 0],
    [1, 0, 1, 3, 1, 1, 0],
    [0, 2, 1, 0, 2, 0, 2],
    [1, 1, 1, 1, 1, 2, 2],
]


class Row(NamedTuple):
    """A task, the functions that do it here and elsewhere, and the comparison of their results."""

    task: str
    other: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    agree: Callable[[Any, Any], bool]


def ard_by_numpy(n: int, r: int, s: int) -> dict[float, int]:
    """Return the number of tables of each ARD: all tables in one array."""
    cells = r * s
    bars = np.array(np.meshgrid(*[np.arange(n + 1)] * (cells - 1), indexing="ij"), np.int8).reshape(
        cells - 1, -1
    )
    bars = bars[:, bars.sum(axis=0, dtype=np.int16) <= n]
    tables = np.vstack([bars, n - bars.sum(axis=0, dtype=np.int16)]).T.reshape(-1, r, s).astype(np.int64)
    rows, cols = tables.sum(axis=2), tables.sum(axis=1)
    keep = rows.all(axis=1) & cols.all(axis=1)
    tables, rows, cols = tables[keep], rows[keep], cols[keep]
    A, B, P = ((x * (x - 1) // 2).reshape(len(x), -1).sum(axis=1) for x in (rows, cols, tables))
    M = comb(n, 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = M * (A + B - 2 * P) / (A * (M - B) + B * (M - A))
    return Counter(np.round(values, 9).tolist())


def of_distribution() -> Row:
    """Compare the distribution of the ARD over all 2 x 3 tables with total 24 with NumPy."""
    tables = cm.Tables(24, 2, 3)

    def ours() -> dict[float, int]:
        return {round(float(x), 9): k for x, k in cm.distribution(tables, "ard")}

    return Row(
        "distribution of the ARD over all 2 x 3 tables with total 24",
        "NumPy, all tables in one array",
        ours,
        lambda: dict(ard_by_numpy(24, 2, 3)),
        lambda x, y: x == y,
    )


def of_ari() -> Row:
    """Compare the ARI of 100,000 objects with scikit-learn."""
    from sklearn.metrics import adjusted_rand_score

    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 50, (2, 10**5))
    return Row(
        "ARI of two labelings of 100,000 objects",
        "scikit-learn",
        lambda: cm.ari(a, b),
        lambda: adjusted_rand_score(a, b),
        lambda x, y: abs(x - y) < 1e-12,
    )


def of_kappa() -> Row:
    """Compare kappa of 1000 confusion matrices with scikit-learn, which takes labels."""
    from sklearn.metrics import cohen_kappa_score

    tables = np.random.default_rng(2).integers(1, 9, (1000, 3, 3))
    cells = [np.repeat(np.arange(9), table.ravel()) for table in tables]
    labels = [(cell // 3, cell % 3) for cell in cells]
    return Row(
        "kappa of 1000 confusion matrices of three classes",
        "scikit-learn, one by one",
        lambda: [cm.kappa(table) for table in tables],
        lambda: [cohen_kappa_score(*pair) for pair in labels],
        lambda x, y: bool(np.allclose(np.asarray(x, float), y)),
    )


def of_permutations() -> Row:
    """Compare an exact p-value with 999 permutations by scikit-learn."""
    from sklearn.metrics import adjusted_rand_score

    rng = np.random.default_rng(3)
    a = rng.integers(0, 3, 60)
    b = np.where(rng.random(60) < 0.25, a, rng.integers(0, 3, 60))

    def theirs() -> float:
        draws = np.random.default_rng(4)
        observed = adjusted_rand_score(a, b)
        return (1 + sum(adjusted_rand_score(a, draws.permutation(b)) >= observed for _ in range(999))) / 1000

    return Row(
        "p-value of an ARI, 60 objects: exact here, 999 permutations there",
        "scikit-learn and NumPy",
        lambda: float(cm.permutation_test(a, b).pvalue),
        theirs,
        lambda x, y: abs(x - y) < 5 * (x * (1 - x) / 999) ** 0.5 + 0.002,
    )


def of_samples() -> Row:
    """Compare 1000 tables with given margins with SciPy, whose tables are not uniform."""
    margins = [12, 13, 12, 13]
    tables = cm.FixedMargins(margins, margins)
    return Row(
        "1000 random 4 x 4 tables with given margins: uniform here, hypergeometric there",
        "SciPy, `random_table`",
        lambda: np.asarray(cm.sample(tables, 1000, rng=1)),
        lambda: stats.random_table(margins, margins, seed=1).rvs(1000),
        lambda x, y: x.shape == y.shape and (x.sum(axis=2) == y.sum(axis=2)).all(),
    )


def of_fisher_by_draws() -> Row:
    """Compare an exact test of a 5 x 7 table with the 9,999 draws of SciPy."""
    return Row(
        "Fisher's exact test of a 5 x 7 table: exact here, 9,999 draws there",
        "SciPy, `fisher_exact`",
        lambda: float(cm.exact_test(SPARSE).pvalue),
        lambda: float(stats.fisher_exact(SPARSE).pvalue),
        lambda x, y: abs(x - y) < 5 * (x * (1 - x) / 9999) ** 0.5,
    )


def in_r() -> tuple[float, float]:
    """Return the p-value of R for the 5 x 7 table, and the CPU seconds of a call."""
    cells = ",".join(str(x) for row in SPARSE for x in row)
    script = f"""
        m <- matrix(c({cells}), 5, byrow = TRUE)
        p <- fisher.test(m, workspace = 2e7)$p.value
        times <- replicate({RUNS}, sum(system.time(for (k in 1:20) fisher.test(m, workspace = 2e7))[1:2]))
        cat(format(p, digits = 15), min(times) / 20)
    """
    done = subprocess.run(["Rscript", "-"], input=script, capture_output=True, text=True, check=True)
    p, seconds = map(float, done.stdout.split())
    return p, seconds


def rows() -> Iterator[Row]:
    """Yield the rows whose packages are installed."""
    yield of_distribution()
    if find_spec("sklearn"):
        yield from (of_ari(), of_kappa(), of_permutations())
    yield from (of_samples(), of_fisher_by_draws())


def seconds_of(row: Row) -> tuple[float, float]:
    """Return the least CPU seconds of a call here and elsewhere."""
    if not row.agree(row.ours(), row.theirs()):
        raise AssertionError(f"{row.task}: the results differ")
    least = [float("inf")] * 2
    for _ in range(RUNS):
        for k, call in enumerate((row.ours, row.theirs)):
            number, begun = 0, process_time()
            while (taken := process_time() - begun) < 0.05:
                call()
                number += 1
            least[k] = min(least[k], taken / number)
    return least[0], least[1]


def line(task: str, other: str, ours: float, theirs: float) -> str:
    """Return a line of the table. The ratio is above 1 if confmat is faster."""
    return f"| {task} | {other} | {1000 * ours:.3g} | {1000 * theirs:.3g} | {theirs / ours:.2g} |"


def table() -> Iterator[str]:
    """Yield the lines of the table and of the versions."""
    yield "| Task | Compared with | confmat, ms | other, ms | ratio |"
    yield "|---|---|---|---|---|"
    for row in rows():
        yield line(row.task, row.other, *seconds_of(row))
    packages = ["numpy", "scipy", "scikit-learn", "numba"]
    versions = [
        f"{name} {version(name)}" for name in packages if find_spec(name.replace("scikit-learn", "sklearn"))
    ]
    if shutil.which("Rscript"):
        p, seconds = in_r()
        here = Row("", "", lambda: cm.exact_test(SPARSE), lambda: None, lambda *_: True)
        if abs(float(here.ours().pvalue) / p - 1) > 1e-9:
            raise AssertionError(f"p-value of R is {p}")
        yield line("Fisher's exact test of a 5 x 7 table", "R, `fisher.test`", seconds_of(here)[0], seconds)
        said = subprocess.run(["Rscript", "--version"], capture_output=True, text=True, check=True)
        versions.append("R " + re.findall(r"\d+\.\d+\.\d+", said.stdout + said.stderr)[0])
    yield ""
    yield f"Python {platform.python_version()}, {', '.join(versions)}; {platform.machine()}."


def main() -> None:
    lines = []
    for text in table():
        print(text, flush=True)
        lines.append(text)
    if "--write" in sys.argv[1:]:
        page = PAGE.read_text(encoding="utf-8")
        head, _, rest = page.partition("<!-- table -->\n")
        _, _, tail = rest.partition("<!-- end of table -->")
        PAGE.write_text(
            f"{head}<!-- table -->\n" + "\n".join(lines) + f"\n<!-- end of table -->{tail}", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
