"""What each dependency costs a user: MB on the disk, and processor time and memory of importing it (a Markdown table).

    python -m tests.benchmarks.dependencies

Processor time (user and system) is the least of twenty processes, less that of an empty one; megabytes on the disk are
those of the distribution alone.  Below the table: commands whose start is all that they take, against `import numba`.
Processes take turns, so that what else the machine does meets all alike; the first turn, which may write bytecode, is
not counted.  Linux says of a process at least the memory of the one that started it: this one loads nothing before.
"""

import os
import sys

IMPORTED = {
    **{name: name for name in ("numpy", "scipy", "numba", "llvmlite", "sympy", "pandas", "duckdb")},
    **{name: name for name in ("matplotlib", "hypothesis", "typer", "rich")},
    "lazy-loader": "lazy_loader",
}
COMMANDS = ["--version", "count 20 3 3", "table 20 3 3", "search ard 20 3 3"]


def spent(processes: list[list[str]]) -> list[tuple[float, float]]:
    """Processor seconds of each process, the least of twenty, and its megabytes of memory."""
    found = [[_run(arguments) for arguments in processes] for _ in range(21)]
    return [min(of_one) for of_one in zip(*found[1:])]


def _run(arguments: list[str]) -> tuple[float, float]:
    to_nowhere = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    process = os.posix_spawn(
        sys.executable, [sys.executable, *arguments], os.environ, file_actions=[to_nowhere]
    )
    _, _, used = os.wait4(process, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def megabytes(distribution: str) -> float:
    """What a distribution takes on the disk."""
    from importlib.metadata import files

    paths = [file.locate() for file in files(distribution) or ()]
    return sum(os.path.getsize(path) for path in paths if os.path.exists(path)) / 1e6


def main() -> None:
    imports = [["-c", f"import {module}"] for module in IMPORTED.values()]
    (empty, least), *imported = spent([["-c", "pass"], *imports])
    (numba, _), *started = spent([["-c", "import numba"], *(["-m", "confmat", *x.split()] for x in COMMANDS)])
    print("| Dependency | MB on the disk | Import, s of processor | MB of memory |\n|---|---|---|---|")
    for distribution, (seconds, memory) in zip(IMPORTED, imported):
        print(
            f"| {distribution} | {megabytes(distribution):.0f} | {seconds - empty:.2f} | {memory - least:.0f} |"
        )
    for command, (seconds, memory) in zip(COMMANDS, started):
        print(
            f"confmat {command}: {seconds:.2f} s of processor, {seconds / numba:.2f} times numba; {memory:.0f} MB"
        )


if __name__ == "__main__":
    main()
