"""Long simulations, kept as they came out: ``records/PAPER.json`` with seed, size, date, cost and digest.

``python notebooks/papers/records.py PAPER [PART ...]`` draws parts of a record again and writes them.  The last digits
of a simulation in floating point depend on the libraries: elsewhere it comes near to the record, and need not
reproduce its digest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any, TypeVar

import pandas as pd
from rich.console import Console
from rich.progress import track

FOLDER = Path(__file__).parent / "records"
_DIGITS = 9

T = TypeVar("T")


@dataclass(frozen=True)
class Simulation:
    """The draws of a design: ``draw(replications, seed)`` makes a frame of plain columns.

    ``rows()`` is the record; with a size or a seed the draws are made anew.

    >>> design = Simulation("nobody2026", "x", lambda k, seed: pd.DataFrame({"x": [seed] * k}), 3, 7)
    >>> design.rows(replications=2)["x"].to_list(), design.rows(seed=1)["x"].to_list()
    ([7, 7], [1, 1, 1])
    """

    paper: str
    part: str
    draw: Callable[[int, int], pd.DataFrame]
    replications: int
    seed: int

    def rows(self, replications: int | None = None, seed: int | None = None) -> pd.DataFrame:
        """The recorded draws, or new ones.  Raises ValueError for replications below 1."""
        if replications is None and seed is None:
            return recorded(self.paper, self.part)
        size = self.replications if replications is None else replications
        if size < 1:
            raise ValueError(f"replications must be at least 1, got {size}")
        return self.draw(size, self.seed if seed is None else seed)

    @property
    def draws(self) -> int:
        """How many draws the record holds."""
        return int(_part(self.paper, self.part)["replications"])


def tracked(jobs: Iterable[T], what: str) -> Iterator[T]:
    """The jobs in turn, with a bar on a terminal.

    >>> list(tracked([1, 2], "numbers"))
    [1, 2]
    """
    jobs = list(jobs)
    yield from track(
        jobs, what, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True
    )


def recorded(paper: str, part: str) -> pd.DataFrame:
    """The frame of a recorded part.  Raises ValueError for an unknown part, and where its digest does not match.

    >>> recorded("chacon2019", "figure-3").shape
    (11, 5)
    """
    entry = _part(paper, part)
    if _digest(entry["rows"]) != entry["digest"]:
        raise ValueError(f"record {part} of {paper} does not have the digest {entry['digest']}")
    return pd.DataFrame(entry["rows"], columns=entry["columns"])


def write(design: Simulation, frame: pd.DataFrame, cost: str, folder: Path = FOLDER) -> dict[str, Any]:
    """Put the frame of a design, rounded to nine digits, into the paper's record; what is written beside the rows.

    >>> import tempfile
    >>> design = Simulation("nobody2026", "x", lambda *_: pd.DataFrame(), 3, 7)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(write(design, pd.DataFrame({"x": [1 / 3]}), "1 s", Path(folder))["digest"][:12])
    616d3a53c404
    """
    path = folder / f"{design.paper}.json"
    parts = json.loads(path.read_text()) if path.exists() else {}
    rows = [[_rounded(x) for x in row] for row in frame.astype(object).to_numpy().tolist()]
    about = {
        "replications": design.replications,
        "seed": design.seed,
        "date": date.today().isoformat(),
        "cost": cost,
        "digest": _digest(rows),
    }
    parts[design.part] = about | {"columns": list(frame.columns), "rows": rows}
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in sorted(parts.items())]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return about


@cache
def _parts(paper: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((FOLDER / f"{paper}.json").read_text())
    return found


def _part(paper: str, part: str) -> dict[str, Any]:
    parts = _parts(paper)
    if part not in parts:
        raise ValueError(f"part of {paper} must be one of {', '.join(parts)}, got {part!r}")
    return parts[part]


def _rounded(x: Any) -> Any:
    """A number of few digits, None for NaN; anything else as it is."""
    if not isinstance(x, float):
        return x
    return None if x != x else float(f"{x:.{_DIGITS}g}")


def _digest(rows: list[list[Any]]) -> str:
    return sha256(json.dumps(rows).encode()).hexdigest()


def main(paper: str, *parts: str) -> None:
    """Draw parts of a record, or all of it, and write them."""
    designs = {design.part: design for design in import_module(paper).SIMULATIONS}
    for name in parts or designs:
        if name not in designs:
            sys.exit(f"PART of {paper} must be one of {', '.join(designs)}, got {name!r}")
        design = designs[name]
        started = process_time()
        frame = design.draw(design.replications, design.seed)
        print(name, write(design, frame, f"{process_time() - started:.0f} s of one core"))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
