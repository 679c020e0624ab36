"""Numbers in the outputs of notebooks, and printed digits of papers that agree, against those stored.

``gone.toml`` lists, each with a reason, what may be missing: cells of notebooks that were deleted, items of papers, and
questions about what was deleted.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STORED_CELLS = HERE / "notebooks.json.gz"
STORED_PAPERS = HERE / "papers.json"
GONE = HERE / "gone.toml"
PAPERS = ("chacon2019", "amodio2015", "flynt2019", "santos2009", "espindola2005")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:/\d+|\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]*\w)")

Numbers = list[str]


def numbers_in(text: str) -> Numbers:
    """Return the fractions, decimals and integers of three digits or more, in their order.

    >>> numbers_in("mean 5/9, 12 tables, at most 0.25 of 2806281, x2")
    ['5/9', '0.25', '2806281']
    """
    found = NUMBER.findall(text)
    return [x for x in found if "/" in x or "." in x or len(x.lstrip("-")) >= 3]


def cells_of(notebooks: dict[str, str]) -> dict[str, Numbers]:
    """Return the numbers that each code cell shows, by notebook and cell; ``notebooks`` are JSON texts by name."""
    found = {}
    for name, content in sorted(notebooks.items()):
        for cell in json.loads(content)["cells"]:
            numbers = numbers_in("\n".join(texts_of(cell)))
            if numbers:
                found[f"{name}/{cell['id']}"] = numbers
    return found


def texts_of(cell: dict[str, Any]) -> list[str]:
    """Return what a cell printed and showed as text."""
    shown = []
    for output in cell.get("outputs", []):
        lines = output.get("text") or output.get("data", {}).get("text/plain") or []
        shown.append("".join(lines))
    return shown


def notebooks_now() -> dict[str, str]:
    return {path.stem: path.read_text() for path in (ROOT / "notebooks").glob("*.ipynb")}


def gone(what: str) -> dict[str, str]:
    """Return the reasons for what is missing, of "notebooks", "papers" or "questions", or the "corrected" answers."""
    return dict(tomllib.loads(GONE.read_text())[what])


def lost(stored: Numbers, cells: list[Counter[str]]) -> Numbers:
    """Return the numbers of a stored cell that are missing from the cell that has most of them."""
    wanted = Counter(stored)
    return min((list((wanted - cell).elements()) for cell in cells), key=len, default=stored)


def compare_notebooks() -> list[str]:
    """Return a line for each stored cell whose numbers no cell of today shows together."""
    stored: dict[str, Numbers] = json.loads(gzip.decompress(STORED_CELLS.read_bytes()))
    excused = gone("notebooks")
    cells = [Counter(numbers) for numbers in cells_of(notebooks_now()).values()]
    lines = [f"gone.toml names {name}, which is not stored" for name in excused if name not in stored]
    for name, numbers in stored.items():
        missing = lost(numbers, cells)
        if missing and name not in excused:
            few = ", ".join(missing[:8])
            lines.append(f"notebook {name}: {len(missing)} of {len(numbers)} numbers are lost: {few}")
    print(f"{len(stored)} cells of notebooks, {len(excused)} excused, {len(lines)} differ")
    return lines


# --- papers ---------------------------------------------------------------------------------------

Items = dict[str, dict[str, int]]


def agreement(paper: str) -> Items:
    """Return for each item the numbers of printed cells, of cells that agree, and of printed digits that agree."""
    script = ROOT / "notebooks" / "papers" / "compare.py"
    run = subprocess.run(
        [sys.executable, str(script), paper, "--json"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    if run.returncode:
        raise SystemExit(f"{paper}: compare.py exits with {run.returncode}\n{run.stderr[-2000:]}")
    return agreement_of(json.loads(run.stdout))


def agreement_of(cells: list[dict[str, Any]]) -> Items:
    """Count printed cells and digits by item.

    >>> agreement_of([{"item": "table-1", "verdict": "agrees", "printed": "0.25"}])
    {'table-1': {'cells': 1, 'agree': 1, 'digits': 3}}
    """
    items: Items = {}
    for cell in cells:
        item = items.setdefault(cell["item"], {"cells": 0, "agree": 0, "digits": 0})
        agrees = cell["verdict"] == "agrees"
        item["cells"] += 1
        item["agree"] += agrees
        item["digits"] += agrees * sum(map(str.isdigit, cell["printed"]))
    return items


def compare_papers() -> list[str]:
    """Return a line for each item of a paper with fewer printed digits that agree than are stored."""
    stored: dict[str, Items] = json.loads(STORED_PAPERS.read_text())
    excused = gone("papers")
    lines = []
    for paper in PAPERS:
        now = agreement(paper)
        for item, numbers in stored[paper].items():
            fewer = {
                what: (number, now.get(item, {}).get(what, 0))
                for what, number in numbers.items()
                if now.get(item, {}).get(what, 0) < number
            }
            if fewer and f"{paper}/{item}" not in excused:
                told = ", ".join(f"{what} {before} -> {after}" for what, (before, after) in fewer.items())
                lines.append(f"paper {paper}, {item}: {told}")
        digits = sum(item["digits"] for item in now.values())
        before = sum(item["digits"] for item in stored[paper].values())
        print(f"{paper}: {digits} printed digits agree, {before} stored")
    return lines
