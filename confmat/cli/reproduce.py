"""The command ``reproduce``: tables and figures of the literature, printed values beside ours."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from confmat.cli.output import (
    Failure,
    Page,
    at_least,
    checked,
    make_folder,
    plain_table,
    print_json,
    say,
    spinner,
)
from confmat.engine.folders import written_whole
from confmat.sheets import Sheet
from confmat.studies import KINDS, PaperItem
from confmat.studies.papers import PAPERS, find_item, is_simulated, items, taken

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_SUFFIXES = (".png", ".svg")
_NUMBERS = ("printed", "formula", "ours", "sd", "difference")
_DIGITS = 7
_FEWER_DIGITS = (7, 5, 4)
_MOST_UNPRINTED = 24


def reproduce(
    paper: Annotated[str | None, typer.Argument(metavar="PAPER", help="A paper; see --list.")] = None,
    item: Annotated[
        str | None, typer.Argument(metavar="ITEM", help="One table or figure; all of them if left out.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write PAPER-ITEM.csv, and .png and .svg where it has a figure."),
    ] = None,
    replications: Annotated[
        int | None,
        typer.Option(
            parser=at_least("--replications", 1),
            metavar="K",
            help="Draw anew, so often, what is recorded or random.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=at_least("--seed", 0), metavar="K", help="Seed of the simulations.")
    ] = None,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Compute recorded results again: seconds to hours.")
    ] = False,
    show: Annotated[bool, typer.Option("--list", help="Show papers and items, compute nothing.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tables and figures of five papers: the printed values, ours, and the difference.

    Each has a kind and a note that say what is exact, drawn, chosen or missing. Long simulations are recorded.

    \b
    What there is:
      confmat reproduce --list
    Everything in a paper, as CSV and pictures in a folder:
      confmat reproduce chacon2019 --out chacon
    One table; simulations with more replications:
      confmat reproduce chacon2019 table-2
      confmat reproduce amodio2015 table-2 --replications 20 --seed 1
    """
    if show:
        _print_list(paper, json)
        return
    chosen = _chosen(paper, item)
    options = {"replications": replications, "seed": seed, "recompute": recompute or None}
    _check_options(chosen, options)
    if out is not None:
        make_folder("--out", out)
    results = []
    for entry in chosen:
        kept = "nothing was kept" if out is None else f"finished items are in {out}"
        with checked(f" in {entry.id}; {kept}"):
            frame, pictures = _computed(entry, options, draw=out is not None)
        origin = _origin(entry, options)
        if not json:
            _print_result(f"{paper} {entry.id}: {entry.description}", entry, frame, out is not None)
            _print_origin(origin)
        results.append(_result_json(entry, frame, origin))
        if out is not None and len(frame):
            _write(out, f"{paper}-{entry.id}", frame.assign(**origin), pictures)
    if json:
        print_json(results)


def _chosen(paper: str | None, item: str | None) -> tuple[PaperItem, ...]:
    if paper is None:
        raise Failure(f"name a paper: {', '.join(PAPERS)}; --list shows their items")
    with checked():
        return items(paper) if item is None else (find_item(paper, item),)


def _check_options(chosen: tuple[PaperItem, ...], options: dict[str, Any]) -> None:
    """An option that no item takes is a mistake."""
    for name, value in options.items():
        if value is not None and not any(taken(entry.compute, **{name: value}) for entry in chosen):
            raise Failure(f"--{name} changes nothing in {', '.join(entry.id for entry in chosen)}")


def _computed(entry: PaperItem, options: dict[str, Any], draw: bool) -> tuple[pd.DataFrame, dict[str, bytes]]:
    """The frame of an item, with the differences, and its pictures by suffix."""
    options = {**options, "progress": sys.stderr.isatty() or None}
    own_bar = "progress" in taken(entry.compute, **options)
    with checked(), nullcontext() if own_bar else spinner(entry.id):
        try:
            frame = entry.table(**taken(entry.compute, **options))
            figure = entry.draw(**taken(entry.draw, **options)) if draw and entry.draw is not None else None
            pictures = {} if figure is None else {suffix: _picture(figure, suffix) for suffix in _SUFFIXES}
        except ImportError as error:  # an extra that is not installed
            reason = str(error)
            if (error.name or "").partition(".")[0] == "sklearn":
                reason = "needs scikit-learn: python -m pip install 'confmat[ml]'"
            raise Failure(f"{entry.id}: {reason}") from error
    return frame, pictures


def _picture(figure: Figure, suffix: str) -> bytes:
    """The same bytes every time: no date, no random names in the SVG."""
    from matplotlib import rc_context

    file = BytesIO()
    with rc_context({"svg.hashsalt": "confmat"}):
        metadata = {"Date": None} if suffix == ".svg" else {}
        figure.savefig(file, format=suffix[1:], dpi=150, metadata=metadata)
    return file.getvalue()


def _write(out: Path, name: str, frame: pd.DataFrame, pictures: dict[str, bytes]) -> None:
    with written_whole(out / f"{name}.csv") as aside:
        frame.to_csv(aside)
    for suffix, content in pictures.items():
        with written_whole(out / f"{name}{suffix}") as aside:
            aside.write_bytes(content)
    say(f"wrote {', '.join(f'{name}{suffix}' for suffix in ('.csv', *pictures))} in {out}")


# --- printing -------------------------------------------------------------------------------------


def _print_result(title: str, entry: PaperItem, frame: pd.DataFrame, written: bool) -> None:
    """The rows that have a printed value, or else the first ones; how many others there are."""
    page = Page()
    printed = frame[frame.filter(["printed", "formula"]).notna().any(axis=1)]
    shown = printed if len(printed) else frame[:_MOST_UNPRINTED]
    if len(shown):
        _print_rows(page, title, shown, entry.beside)
    else:
        page.line(title, style="bold")
    others = len(frame) - len(shown)
    if others:
        what = f"{others} {'row' if others == 1 else 'rows'} with nothing printed"
        more = what if len(printed) else f"{others} more {'row' if others == 1 else 'rows'}"
        page.line(f"{more}: {'in the CSV file' if written else '--out FOLDER writes them'}.\n")


def _origin(entry: PaperItem, options: dict[str, Any]) -> dict[str, str]:
    """What the numbers are: kind, note, and seed, date, cost and digest of a record, if they are read from one."""
    read = entry.simulation is not None and all(value is None for value in options.values())
    record = str(entry.simulation.provenance()) if read and entry.simulation is not None else ""
    return {"kind": "recorded" if read else entry.kind, "note": entry.note, "record": record}


def _print_origin(origin: dict[str, str]) -> None:
    text = f"{origin['kind'].capitalize()}: {origin['note']}"
    Page().paragraph(f"{text} {origin['record'].capitalize()}.\n" if origin["record"] else f"{text}\n")


def _print_rows(page: Page, title: str, rows: pd.DataFrame, beside: tuple[str, ...]) -> None:
    """A table as wide as the page: fewer digits, then fewer columns, where it takes them; rows stacked in the end."""
    columns = [
        x for x in ("printed", "formula", "ours", "sd", *beside) if x in rows and rows[x].notna().any()
    ]
    choices = [columns, [x for x in columns if x != "sd"], [x for x in columns if x in _NUMBERS[:3]]]
    layouts = [(columns, _DIGITS), *((chosen, digits) for chosen in choices for digits in _FEWER_DIGITS)]
    tables = (_table(rows, *layout) for layout in layouts)
    page.table(next(filter(page.fits, tables), None) or _table(rows, columns, _DIGITS), title)


def _table(rows: pd.DataFrame, columns: list[str], digits: int) -> Sheet:
    names = [str(name or "") for name in rows.index.names]
    table = plain_table(*names, *(column.replace("_", " ") for column in columns), left=tuple(names))
    for cells in _cells(rows, columns, digits):
        table.add_row(*cells)
    return table


def _cells(rows: pd.DataFrame, columns: list[str], digits: int) -> Iterator[list[str]]:
    """The keys and values of each row as text."""
    values = zip(*(rows[column].tolist() for column in columns))
    for key, row in zip(rows.index, values):
        labels = key if isinstance(key, tuple) else (key,)
        yield [*map(str, labels), *(_text(name, x, digits) for name, x in zip(columns, row))]


def _text(name: str, x: Any, digits: int) -> str:
    if isinstance(x, bool):
        return "yes" if x else "no"
    if isinstance(x, str):
        return x
    if x != x:
        return ""
    if name in ("difference", "sd"):
        return f"{x:.2g}"
    return f"{int(x)}" if name == "ours" and float(x).is_integer() else f"{x:.{digits}g}"


def _result_json(entry: PaperItem, frame: pd.DataFrame, origin: dict[str, str]) -> dict[str, Any]:
    names = [name for name in dict.fromkeys((*_NUMBERS, *entry.beside)) if name in frame]
    values = zip(*(frame[name].tolist() for name in names))
    rows = [
        {"row": [str(label) for label in (key if isinstance(key, tuple) else (key,))]}
        | {name: None if x != x else x for name, x in zip(names, row)}
        for key, row in zip(frame.index, values)
    ]
    return {"item": entry.id, "description": entry.description, **origin, "rows": rows}


def _print_list(paper: str | None, json: bool) -> None:
    with checked():
        listed = {name: items(name) for name in ([paper] if paper is not None else PAPERS)}
    if json:
        flat = [
            {"paper": name, "item": entry.id, "description": entry.description}
            | {"kind": entry.kind, "note": entry.note, "recorded": entry.simulation is not None}
            | {"simulated": is_simulated(entry), "figure": entry.draw is not None, "also": entry.also}
            for name, entries in listed.items()
            for entry in entries
        ]
        print_json(flat)
        return
    page = Page()
    for name, entries in listed.items():
        table = plain_table("item", "", "kind", "", left=("item", "", "kind"))
        for entry in entries:
            kinds = dict.fromkeys([entry.kind, *["recorded"] * (entry.simulation is not None)])
            marks = ("f" if entry.draw is not None else "", ", ".join(kinds))
            also = f"\nalso {', '.join(entry.also)}" if entry.also else ""
            table.add_row(entry.id, *marks, entry.description + also)
        page.table(table, f"{name}: {PAPERS[name].title}")
    page.line("f: has a figure, which --out FOLDER draws as PNG and SVG.")
    for kind, meaning in KINDS.items():
        page.line(f"{kind}: {meaning}.")
