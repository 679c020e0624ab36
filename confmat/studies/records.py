"""Long simulations, kept as they came out: ``data/PAPER.json`` with seed, digest, date and cost.

``python -m confmat.studies.records PAPER [PART ...]`` draws parts of a record again and writes them.  The last digits
of a simulation in floating point depend on the libraries: elsewhere it comes near to the record, and need not
reproduce its digest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from confmat.matrices.arguments import as_amount, as_choice

if TYPE_CHECKING:
    import pandas as pd

_DIGITS = 9


@dataclass(frozen=True)
class Provenance:
    """Where recorded numbers come from: size and seed of the run (None without chance), date, cost, digest.

    >>> str(Provenance(None, None, "2026-11-21", "3 min", "05badfde6a55622b"))
    'recorded 2026-11-21, cost 3 min, digest 05badfde6a55'
    """

    replications: int | None
    seed: int | None
    date: str
    cost: str
    digest: str

    def __str__(self) -> str:
        run = "" if self.seed is None else f", {self.replications} replications, seed {self.seed}"
        return f"recorded {self.date}{run}, cost {self.cost}, digest {self.digest[:12]}"


@dataclass(frozen=True)
class Simulation:
    """The draws of a design: ``draw(replications, seed, progress)`` makes a frame of plain columns.

    ``rows()`` is the record; with any option the draws are made anew, as many and from the seed of the record
    where these are not given.

    >>> import pandas as pd
    >>> design = Simulation("nobody2026", "x", lambda k, seed, progress: pd.DataFrame({"x": [seed] * k}), 3, 7)
    >>> design.rows(replications=2)["x"].to_list(), design.rows(recompute=True)["x"].to_list()
    ([7, 7], [7, 7, 7])
    """

    paper: str
    part: str
    draw: Callable[[int, int, bool], pd.DataFrame]
    replications: int
    seed: int

    def rows(
        self,
        replications: int | None = None,
        seed: int | None = None,
        recompute: bool = False,
        progress: bool = False,
    ) -> pd.DataFrame:
        """The recorded draws, or new ones.  Raises ValueError for replications below 1."""
        if replications is None and seed is None and not recompute:
            return recorded(self.paper, self.part)
        size = self.replications if replications is None else as_amount("replications", replications, 1)
        return self.draw(size, self.seed if seed is None else seed, progress)

    def summary(
        self,
        of_rows: Callable[[pd.DataFrame], Any],
        replications: int | None = None,
        seed: int | None = None,
        recompute: bool = False,
        progress: bool = False,
    ) -> Any:
        """A table or a figure of the draws; ``partial(design.summary, of_rows)`` is what an item computes."""
        return of_rows(self.rows(replications, seed, recompute, progress))

    def provenance(self) -> Provenance:
        """Of the record."""
        return Provenance(**{name: _part(self.paper, self.part)[name] for name in Provenance.__annotations__})


def recorded(paper: str, part: str) -> pd.DataFrame:
    """The frame of a recorded part.  Raises ValueError for an unknown part, and where its digest does not match.

    >>> recorded("espindola2005", "figures-4-5").shape
    (80, 16)
    """
    import pandas as pd

    entry = _part(paper, part)
    if _digest(entry["rows"]) != entry["digest"]:
        raise ValueError(f"record {part} of {paper} does not have the digest {entry['digest']}")
    return pd.DataFrame(entry["rows"], columns=entry["columns"])


def write(folder: Path, design: Simulation, frame: pd.DataFrame, cost: str) -> Provenance:
    """Put the frame of a design, rounded to nine digits, into the paper's record in a folder.

    >>> import pandas as pd, tempfile
    >>> design = Simulation("nobody2026", "x", lambda *_: pd.DataFrame(), 3, 7)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(write(Path(folder), design, pd.DataFrame({"x": [1 / 3]}), "1 s").digest[:12])
    616d3a53c404
    """
    path = folder / f"{design.paper}.json"
    parts = json.loads(path.read_text()) if path.exists() else {}
    rows = [[_rounded(x) for x in row] for row in frame.astype(object).to_numpy().tolist()]
    found = Provenance(design.replications, design.seed, date.today().isoformat(), cost, _digest(rows))
    parts[design.part] = vars(found) | {"columns": list(frame.columns), "rows": rows}
    lines = (f"{json.dumps(name)}: {json.dumps(part)}" for name, part in sorted(parts.items()))
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return found


@cache
def _parts(paper: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(_folder().joinpath(f"{paper}.json").read_text())
    return found


def _part(paper: str, part: str) -> dict[str, Any]:
    parts = _parts(paper)
    return parts[as_choice(f"part of {paper}", part, parts)]


def _folder() -> Path:
    return Path(str(files("confmat.studies"))) / "data"


def _rounded(x: Any) -> Any:
    """A number of few digits, None for NaN; anything else as it is."""
    return (None if x != x else float(f"{x:.{_DIGITS}g}")) if isinstance(x, float) else x


def _digest(rows: list[list[Any]]) -> str:
    return sha256(json.dumps(rows).encode()).hexdigest()


def main(paper: str, *parts: str) -> None:
    """Draw parts of a record, or all of it, and write them beside this module."""
    designs = {design.part: design for design in import_module(f"confmat.studies.{paper}").SIMULATIONS}
    for name in parts or designs:
        design = designs[as_choice("part", name, designs)]
        started = process_time()
        frame = design.rows(recompute=True, progress=True)
        print(name, write(_folder(), design, frame, f"{process_time() - started:.0f} s of one core"))


if __name__ == "__main__":
    main(*sys.argv[1:])
