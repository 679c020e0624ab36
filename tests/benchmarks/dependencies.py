"""What each dependency costs a user: MB on the disk, and processor time and memory of importing it (a Markdown table).

    python -m tests.benchmarks.dependencies

Processor time (user and system) is the least of five processes, less that of an empty one; megabytes on the disk are
those of the distribution alone.  Below the table: commands whose start is all that they take, against `import numba`.
"""

import os
import subprocess
import sys
from importlib.metadata import files

IMPORTED = {
    **{
        name: name
        for name in ("numpy", "scipy", "numba", "llvmlite", "sympy", "networkx", "pandas", "duckdb")
    },
    **{name: name for name in ("matplotlib", "hypothesis", "typer", "rich")},
    "lazy-loader": "lazy_loader",
}
COMMANDS = ["--version", "count 20 3 3", "table 20 3 3", "search ard 20 3 3"]


def spent(*arguments: str) -> tuple[float, float]:
    """Processor seconds of a process, the least of five, and its megabytes of memory."""
    found = []
    for _ in range(5):
        process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
        _, _, used = os.wait4(process.pid, 0)
        found.append((used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
    return min(found)


def megabytes(distribution: str) -> float:
    """What a distribution takes on the disk."""
    paths = [file.locate() for file in files(distribution) or ()]
    return sum(os.path.getsize(path) for path in paths if os.path.exists(path)) / 1e6


def main() -> None:
    empty, least = spent("-c", "pass")
    print("| Dependency | MB on the disk | Import, s of processor | MB of memory |\n|---|---|---|---|")
    for distribution, module in IMPORTED.items():
        seconds, memory = spent("-c", f"import {module}")
        print(
            f"| {distribution} | {megabytes(distribution):.0f} | {seconds - empty:.2f} | {memory - least:.0f} |"
        )
    numba, _ = spent("-c", "import numba")
    for command in COMMANDS:
        seconds, memory = spent("-m", "confmat", *command.split())
        print(
            f"confmat {command}: {seconds:.2f} s of processor, {seconds / numba:.1f} times numba; {memory:.0f} MB"
        )


if __name__ == "__main__":
    main()
