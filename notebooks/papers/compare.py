"""Papers computed again: ours beside what is printed, and whether the one is the other.

    python notebooks/papers/compare.py                            the papers, and the items of each
    python notebooks/papers/compare.py chacon2019                 all of a paper
    python notebooks/papers/compare.py chacon2019 table-1         one item
    python notebooks/papers/compare.py chacon2019 --json          {item, row, column, ours, exact, printed, verdict}

A paper is PAPER.py, a function for each item that returns {(row, column): value}, and PAPER.toml, what is printed, as
text.  Printed digits mean the numbers that any rule of rounding prints so (`digits.window`).  A verdict
is "agrees", "differs: REASON" or "missing: REASON"; the reasons are on record in PAPER.toml.  Exit code 1 where one
differs, or is missing, without a reason.
"""

from __future__ import annotations

import argparse
import difflib
import json
import math
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import Any

import pandas as pd

import data_sets
from digits import SD, Between, Drawn, Key, Value, agrees

HERE = Path(__file__).parent
PAPERS = ("chacon2019", "amodio2015", "flynt2019", "santos2009", "espindola2005")
KINDS = {
    "exact": "from what the paper states or prints, without chance",
    "recorded": "a long run, its size in the note, kept beside the papers",
    "same design": "data, or random starts, drawn as the paper draws them",
    "other data": "the paper's method on data that it does not use",
    "selected": "something of ours was chosen to match the paper",
    "question": "what the paper asks or claims, and prints no number of",
    "notation": "no numbers",
}
"""What the numbers of an item are."""

NO_REASON = "no reason on record"
MOST_UNPRINTED = 24


@dataclass(frozen=True)
class Cell:
    """A number of ours, and what is printed of it; either may be missing."""

    item: str
    row: str
    column: str
    value: Value
    printed: str | None
    verdict: str

    def to_json(self) -> dict[str, Any]:
        """``ours`` is a double, ``exact`` the same as a fraction, or a range; null where there is none."""
        return {
            "item": self.item,
            "row": self.row,
            "column": self.column,
            "ours": _double(self.value),
            "exact": _exact(self.value),
            "printed": self.printed,
            "verdict": self.verdict,
        }


def _double(value: Value) -> float | None:
    if isinstance(value, Drawn):
        return value.mean
    if isinstance(value, Between):
        return float(value.low)
    if value is None or isinstance(value, str):
        return None
    return None if math.isnan(value) else float(value)


def _exact(value: Value) -> str | None:
    if isinstance(value, Between):
        return f"{_short(value.low)} .. {_short(value.high)}"
    return str(value) if isinstance(value, Fraction | int | str) else None


def _short(x: float | Fraction) -> str:
    return f"{float(x):.7g}"


class Item:
    """An item of a paper: a table, a figure's numbers, a section's example."""

    def __init__(self, paper: str, name: str, record: Mapping[str, Any]) -> None:
        self.paper, self.name = paper, name
        self.about: str = record["about"]
        self.kind: str = record["kind"]
        self.note: str = record.get("note", "")
        self.slow: bool = record.get("slow", False)
        self.verdict: str = record.get("verdict", "")
        self.names: tuple[str, ...] = (name, *record.get("also", ()))
        self.printed = dict(_printed_cells(record))
        self.reasons = {"differs": record.get("differs", {}), "missing": record.get("missing", {})}
        if self.kind not in KINDS:
            raise ValueError(
                f"{paper}.toml: kind of {name} must be one of {', '.join(KINDS)}, got {self.kind!r}"
            )

    @cached_property
    def function(self) -> Callable[[], dict[Key, Value]]:
        """What computes the item: the function of its name."""
        called = self.name.replace("-", "_").replace(".", "_")
        found: Callable[[], dict[Key, Value]] = getattr(import_module(self.paper), called)
        return found

    def cells(self) -> list[Cell]:
        """Every cell, those that are printed first."""
        ours = {} if self.kind == "notation" else self.function()
        wrong = [key for key in ours if not (len(key) == 2 and all(isinstance(part, str) for part in key))]
        if wrong:
            raise ValueError(
                f"{self.paper} {self.name}: keys must be (row, column) of text, got {wrong[0]!r}"
            )
        printed = [self._cell(key, ours.get(key), text) for key, text in self.printed.items()]
        others = [
            Cell(self.name, *key, value, None, "") for key, value in ours.items() if key not in self.printed
        ]
        return printed + others

    def frame(self) -> pd.DataFrame:
        """The cells by row and column: ours, exact, printed ("" where nothing is) and verdict.

        >>> Paper("chacon2019").item("table-1").frame()["exact"].to_list()
        ['1/50', '97/3725', '14453/245017']
        """
        cells = self.cells()
        index = pd.MultiIndex.from_tuples(
            [(cell.row, cell.column) for cell in cells], names=["row", "column"]
        )
        columns = {
            "ours": pd.Series([_double(cell.value) for cell in cells], index, float),
            "exact": [_exact(cell.value) or "" for cell in cells],
            "printed": [cell.printed or "" for cell in cells],
            "verdict": [cell.verdict for cell in cells],
        }
        return pd.DataFrame(columns, index)

    def _cell(self, key: Key, value: Value, text: str) -> Cell:
        return Cell(self.name, *key, value, text, self._verdict(key, value, text))

    def _verdict(self, key: Key, value: Value, text: str) -> str:
        if value is None:
            return f"missing: {self._reason('missing', key)}"
        if agrees(value, text):
            return "agrees"
        reason = self._reason("differs", key)
        if isinstance(value, Drawn):
            return f"differs: {value.away(text):.1f} sd away; {reason}"
        return f"differs: {reason}"

    def _reason(self, which: str, key: Key) -> str:
        """The reason on record for a cell "row / column", a row, or a column ("* / column"); or for all ("*")."""
        row, column = key
        on_record: Mapping[str, str] = self.reasons[which]
        for name in (f"{row} / {column}", row, f"* / {column}", "*"):
            if name in on_record:
                return on_record[name]
        return NO_REASON


def _printed_cells(record: Mapping[str, Any]) -> Iterator[tuple[Key, str]]:
    """Cells of `printed`: rows are tables of texts, or lines of texts under ``columns``, "-" where there is none."""
    for row, texts in record.get("printed", {}).items():
        cells = texts if isinstance(texts, dict) else dict(zip(record["columns"], texts.split(), strict=True))
        for column, text in cells.items():
            if text != "-":
                yield (row, column), text


class Paper:
    """A paper by name: its title, and its items in the order of the paper."""

    def __init__(self, name: str) -> None:
        _known("PAPER", name, PAPERS)
        about = tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))
        self.name, self.title = name, about.pop("title")
        self.verdict: str = about.pop("verdict", "")
        self.items = {key: Item(name, key, record) for key, record in about.items()}

    def item(self, name: str) -> Item:
        """An item by one of its names.

        >>> Paper("chacon2019").item("table-1").about
        'iris, three mixture components: MED, RD, ARD'
        """
        by_name = {known: item for item in self.items.values() for known in item.names}
        return by_name[_known(f"ITEM of {self.name}", name, by_name)]


def _known(argument: str, name: str, names: Any) -> str:
    if name in names:
        return name
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise ValueError(f"{argument} must be one of {', '.join(names)}, got {name!r}{hint}")


# --- printing -------------------------------------------------------------------------------------


def show(item: Item, cells: list[Cell], everything: bool = False) -> None:
    """An item as text: the printed cells (all where nothing is printed), and a verdict on the whole."""
    print(f"\n{item.paper} {item.name}: {item.about}")
    doc = getdoc(item.function) if item.kind != "notation" else None
    if doc:
        print(doc.splitlines()[0])
    print(f"{item.kind.capitalize()}: {item.note or KINDS[item.kind]}")
    printed = [cell for cell in cells if cell.printed is not None]
    shown = cells if everything else printed or cells[:MOST_UNPRINTED]
    if shown:
        print(_table(shown).to_string(index=False))
    if len(cells) > len(shown):
        print(f"{len(cells) - len(shown)} more numbers, with nothing printed: --all shows them")
    if printed:
        print(summary(item, printed))


def _table(cells: list[Cell]) -> pd.DataFrame:
    rows = []
    for cell in cells:
        value = cell.value
        row = {"row": cell.row, "column": cell.column}
        double = _double(value)
        row["ours"] = "" if double is None else f"{double:.7g}"
        row["exact"] = _exact(value) or ""
        if isinstance(value, Drawn):
            row |= {"draws": str(value.draws), "standard error": f"{value.error:.1g}"}
            if cell.printed is not None:
                row["sd away"] = f"{value.away(cell.printed):.1f}"
        if cell.printed is not None:
            row |= {"printed": cell.printed, "verdict": cell.verdict}
        rows.append(row)
    frame = pd.DataFrame(rows).fillna("")
    return frame[[name for name in frame if (frame[name] != "").any()]]


def summary(item: Item, printed: list[Cell]) -> str:
    """How many cells agree, differ and are missing, and of drawn ones how many are too far away.

    >>> item = Paper("chacon2019").item("table-1")
    >>> summary(item, item.cells())
    '3 agree, 0 differ, 0 missing'
    """
    text = ", ".join(f"{number} {word}" for word, number in count(printed).items())
    beyond = beyond_sd(printed)
    if beyond:
        text += f"\n{beyond}"
    return f"{text}: {item.verdict}" if beyond and item.verdict else text


def beyond_sd(printed: list[Cell]) -> str:
    """How many of the cells that vary from draw to draw are too far away; "" where none varies."""
    drawn = [cell for cell in printed if isinstance(cell.value, Drawn) and cell.value.sd > 0]
    beyond = sum(cell.verdict.startswith("differs") for cell in drawn)
    return f"{beyond} of {len(drawn)} cells beyond {SD} sd" if drawn else ""


def count(cells: list[Cell]) -> dict[str, int]:
    """Numbers of printed cells by verdict.

    >>> count([Cell("table-1", "a", "b", None, "1", "missing: lost")])
    {'agree': 0, 'differ': 0, 'missing': 1}
    """
    words = [cell.verdict.partition(":")[0] for cell in cells if cell.printed is not None]
    return {
        "agree": words.count("agrees"),
        "differ": words.count("differs"),
        "missing": words.count("missing"),
    }


def without_reason(cells: list[Cell]) -> list[Cell]:
    """The cells that differ, or are missing, and no record says why."""
    return [cell for cell in cells if cell.verdict.endswith(NO_REASON)]


def list_papers() -> None:
    """Papers and items, with what each is."""
    for name in PAPERS:
        paper = Paper(name)
        print(f"\n{name}: {paper.title}")
        for item in paper.items.values():
            also = f" (also {', '.join(item.names[1:])})" if len(item.names) > 1 else ""
            print(f"  {item.name:24} {item.kind:12} {item.about}{also}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="compare.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paper", metavar="PAPER", nargs="?", help="; ".join(PAPERS))
    parser.add_argument(
        "item", metavar="ITEM", nargs="?", help="one table or figure; all of them if left out"
    )
    parser.add_argument("--json", action="store_true", help="print JSON: a list of the printed cells")
    parser.add_argument("--all", action="store_true", help="show also numbers of which nothing is printed")
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="data sets that are not kept here, as NAME.csv"
    )
    chosen = parser.parse_args(arguments)
    if chosen.paper is None:
        list_papers()
        return 0
    try:
        data_sets.use_folder(chosen.data)
        paper = Paper(chosen.paper)
        items = [paper.item(chosen.item)] if chosen.item else list(paper.items.values())
    except ValueError as error:
        parser.error(str(error))
    everything: list[Cell] = []
    for item in items:
        cells = item.cells()
        everything += cells
        if not chosen.json:
            show(item, cells, chosen.all)
    printed = [cell for cell in everything if cell.printed is not None]
    if chosen.json:
        print(json.dumps([cell.to_json() for cell in printed], indent=1))
    elif len(items) > 1:
        total = ", ".join(f"{number} {word}" for word, number in count(printed).items())
        beyond = beyond_sd(printed)
        verdict = f": {paper.verdict}" if beyond and paper.verdict else ""
        print(f"\n{paper.name}: {total}" + (f"; {beyond}{verdict}" if beyond else ""))
    return int(bool(without_reason(printed)))


if __name__ == "__main__":
    sys.exit(main())
