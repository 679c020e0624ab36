"""Install the lowest versions that pyproject.toml allows into a fresh environment, and try the commands there.

``python -m tests.lowest_versions [FOLDER]``, with Python 3.11: some 300 MB of downloads, 1 GB in the folder (a
temporary one unless named).  Exit code 1, with its output, at the first command that fails.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]

USE = """
import confmat as cm
law = cm.joint_distribution(cm.Tables(8, 3, 3), "med", "ard")
assert law["ard"].to_frame().shape[1] == 3
assert sum(given.total for _, given in law.groupby("med")) == law.total
assert b"PNG" in law.plot()._repr_png_()[0][:8]
assert cm.permutation_test([[4, 0], [1, 5]]).p_ari.pvalue.denominator == 21
assert not cm.check_metric(cm.med).broken
"""

COMMANDS = (
    ("table", "8", "3", "3", "--plot", "law.svg", "--joint", "law.parquet"),
    ("table", "200", "3", "3", "--only", "med"),
    ("compare", "labels.csv", "--columns", "truth,a", "--plot", "matrix.pdf"),
    ("classification-report", "labels.csv", "--columns", "truth,a", "--plot", "classes.png"),
    ("test", "labels.csv", "--plot", "test.png"),
    ("search", "ard", "12", "3", "3"),
    ("check", "rd-max", "2x2", "n=..6", "--out", "certificate.json"),
    ("verify", "certificate.json"),
    ("sample", "20", "3", "3", "--out", "draws.parquet"),
    ("archive", "build", "--out", "small", "2x2", "n=2..4"),
    ("archive", "query", "small", "SELECT count(*) FROM distributions"),
)


def lowest() -> list[str]:
    """Every dependency at its lower bound.

    >>> all("==" in requirement for requirement in lowest())
    True
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [requirement.replace(">=", "==") for requirement in project["dependencies"]]


def main(folder: Path) -> None:
    venv.create(folder / "venv", with_pip=True)
    python = str(folder / "venv" / "bin" / "python")
    (folder / "labels.csv").write_text("truth,a\n" + "a,a\na,a\na,b\nb,b\nb,b\nb,b\n")

    def run(*command: str) -> None:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        print("failed" if done.returncode else "ok    ", *command[1:4], flush=True)
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)

    run(python, "-m", "pip", "install", "-q", *lowest())
    run(python, "-m", "pip", "install", "-q", "--no-deps", str(ROOT))
    run(python, "-m", "pip", "check")
    run(python, "-c", USE)
    for command in COMMANDS:
        run(python, "-m", "confmat", *command)


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        main(Path(sys.argv[1] if len(sys.argv) > 1 else temporary))
