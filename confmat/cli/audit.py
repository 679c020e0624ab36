"""The command ``audit``: is what a paper prints possible?"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import confmat as cm
from confmat.answers import Part, Told
from confmat.answers.sheets import Sheet
from confmat.arguments import meant
from confmat.auditing.scores import is_score
from confmat.cli.inputs import columns_of_options
from confmat.cli.output import Failure, check_file, checked, spinner, tell, whole_number, write_text
from confmat.cli.planning import OnlyPlan, print_plan
from confmat.errors import TooLarge

_NAMES = ("report", "name", "id")  # columns of a file that only name its reports
_NESTED = re.compile(r"[\[(]{2}(.*?)(?:[\])]{2}|(?=, got))")  # sizes in folds as Python writes them
_OF_THE_FILE = {"undefined": "--undefined", "empty": "--at-most"}  # no columns


def audit(
    scores: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="--SCORE DIGITS ..",
            help="Scores as they are printed: --acc, --bacc, --recall, --precision, --f1, --f1_weighted, "
            "--f1_of_means, --gmean, --kappa, --mcc, --ri, --ari, --jaccard, --fm, --med, --nmi, --rd, --ard, "
            "--recall_1, ..",
        ),
    ] = None,
    classes: Annotated[
        str | None,
        typer.Option(metavar="A,B,..", help="Sizes of the classes; one number with --n: how many."),
    ] = None,
    n: Annotated[
        str | None, typer.Option("--n", metavar="N", help="Objects, where sizes are not known.")
    ] = None,
    clusters: Annotated[
        str | None,
        typer.Option(
            metavar="S|R,S", help="Columns are S clusters, not classes; rows R clusters, without --classes."
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            "--column-sizes",
            metavar="A,B,..",
            help="Sizes of the columns: predicted classes, or clusters.",
        ),
    ] = None,
    empty: Annotated[bool, typer.Option("--at-most", help="Clusters may be empty: at most so many.")] = False,
    rounding: Annotated[
        str, typer.Option(metavar="RULE", help="half-up, half-even, truncation, or any of the three.")
    ] = "any",
    undefined: Annotated[
        int,
        typer.Option(
            min=0, max=1, metavar="X", help="The value of a ratio 0/0, 0 unless said (scikit-learn: 0)."
        ),
    ] = 0,
    folds: Annotated[
        str | None,
        typer.Option(
            metavar="K|A,B/A,B/..",
            help="Scores are means over K folds with the same share of every class; or the classes of each.",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--reports", metavar="FILE", help="Many reports, one a line: columns classes, acc, ari, .."
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what confmat verify checks, or its script alone."),
    ] = None,
    plan: OnlyPlan = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: possible, matrices, ranges, ..")] = False,
) -> None:
    """Whether any confusion matrix can have the scores that a paper prints, as it prints them.

    "0.90" has two decimals, and stands for all numbers that are rounded so.  Possible: how many matrices, and the range
    of every other score among them.  Impossible: which score, if dropped, makes it possible, and a certificate.
    Exit code 0: possible (all of them, with --reports); 1: impossible; 2: bad input, or beyond reach.

    \b
      confmat audit --classes 50,50,50 --acc 0.893 --ari 0.7302
    Two clusterings of 20 objects:
      confmat audit --n 20 --clusters 3,3 --ari 0.73 --ri 0.88 --json
    A proof for those who do not have this package (see confmat verify):
      confmat audit --classes 100,100 --acc .7700 --kappa .5401 --mcc .5625 --certificate impossible.json
    Means of ten folds:
      confmat audit --classes 50,50,50 --acc 0.9467 --ari 0.8435 --folds 10
    A table of results, a line each with its classes such as 50;50;50:
      confmat audit --reports results.csv
    """
    # reads: a parameter for each option of the command
    known = {"classes": classes, "n": n, "clusters": clusters, "columns": columns, "folds": folds}
    conventions = {"empty": empty, "rounding": rounding, "undefined": undefined}
    printed = _scores(scores or [])
    if source is not None:
        if printed or any(x is not None for x in (*known.values(), certificate)):
            raise Failure(
                "--reports stands for the report: give no classes, n, clusters, columns, scores, --folds, --certificate"
            )
        if plan:
            raise Failure("--plan is of one report, not of --reports")
        _audit_file(source, conventions, json)
        return
    check_file("--certificate", certificate)
    texts = {name: text for name, text in known.items() if text is not None}
    report = _report(texts | printed, conventions, "--")
    if plan:
        print_plan(cm.audit, report, json=json)
    with checked(), spinner("Looking for a matrix"):
        found = cm.audit(report)
    files = [partial(write_text, "--certificate", certificate, lambda: found.certificate() + "\n")]
    tell(found, json=json, files=files)
    raise typer.Exit(int(not found.possible))


def _scores(words: list[str]) -> dict[str, str]:
    """Options that name scores, and their digits."""
    parts = [part for word in words for part in (word.split("=", 1) if word.startswith("--") else [word])]
    known = [f"--{name}" for name in cm.auditing.SCORES]
    for part in (part for part in parts if part.startswith("--")):
        name = part.replace("-", "_").replace("__", "--", 1)
        if not is_score(name[2:]):
            some = ", ".join(known[:3])
            raise Failure(
                f"no option or score {part}; scores are {some}, .. (see --help){meant(part, known)}"
            )
    for name, digits in zip(parts[::2], [*parts[1::2], ""]):
        if not name.startswith("--") or digits.startswith("--") or not digits:
            raise Failure(f"scores must be given as --acc 0.893, got {' '.join(words)}")
    names = [name[2:].replace("-", "_") for name in parts[::2]]
    if twice := {name for name in names if names.count(name) > 1}:
        raise Failure(f"--{min(twice)} must be given once")
    return dict(zip(names, parts[1::2]))


def _report(texts: dict[str, str], conventions: dict[str, Any], dashes: str = "") -> cm.auditing.Report:
    """A report from texts; ``dashes``: what stands before their names where they are typed."""
    fields = {name: _READ.get(name, _digits)(f"{dashes}{name}", text) for name, text in texts.items()}
    if conventions["empty"] and "clusters" not in fields:
        raise Failure("--at-most is about clusters, of which there are none")
    try:
        return cm.auditing.Report.of(**(conventions | fields))
    except (ValueError, TypeError) as error:
        said = _NESTED.sub(
            lambda found: re.sub(r"\W{4}", "/", found[1]).replace(" ", ""),
            str(error),
        )
        named = re.split(r"\W", said)[0] in fields
        raise Failure(f"{dashes if named else ''}{said}") from error


def _digits(name: str, text: str) -> str:
    return text


def _one_or_more(name: str, text: str) -> int | list[int]:
    numbers = [whole_number(name, x) for x in re.split(r"[\s,;]+", text.strip())]
    if len(numbers) > 1:
        return numbers
    return numbers[0]


def _folds(name: str, text: str) -> int | list[Any]:
    """How many, or the sizes of the classes in each of several."""
    folds = [_one_or_more(name, x) for x in text.split("/")]
    several = len(folds) > 1
    if any(isinstance(x, list) != several for x in folds):
        raise Failure(f"{name} must be K, or the sizes of the classes in each such as 3,2/2,2, got {text!r}")
    return folds if several else folds[0]


_READ: dict[str, Callable[[str, str], Any]] = {
    **dict.fromkeys(("classes", "clusters", "columns"), _one_or_more),
    "n": whole_number,
    "folds": _folds,
}


def _audit_file(file: str, conventions: dict[str, Any], json: bool) -> None:
    """The reports of a file, one a line; exit code 1 if one is impossible, else 2 if one is beyond reach."""
    table = columns_of_options(file, None, True)
    for name in (name for name in table.names if name in _OF_THE_FILE):
        raise Failure(f"{file} must have no column {name}: give {_OF_THE_FILE[name]}, for the whole file")
    reports = {}
    for line, *cells in zip(table.lines, *table.values):
        texts = {name: x for name, x in zip(table.names, cells) if x and name not in _NAMES}
        try:
            reports[line] = _report(texts, conventions)
        except Failure as error:
            raise Failure(f"{file}, line {line}: {error}") from None
    if not reports:
        raise Failure(f"{file} has no line with a report")
    answers = {}
    with spinner(f"Auditing {len(reports)} reports") as change:
        for line, report in reports.items():
            if change is not None:
                change(f"Auditing line {line}")
            answers[line] = _answer_of_report(report, json)
    tell(
        Told(
            _parts_of(answers),
            [{"line": line, **said} for line, said in answers.items()],
        ),
        json=json,
    )
    found = [said["possible"] for said in answers.values()]
    raise typer.Exit(1 if False in found else 2 if None in found else 0)


def _answer_of_report(report: cm.auditing.Report, json: bool) -> dict[str, Any]:
    """What is printed of a report of many: "possible" is None where that is beyond reach."""
    try:
        found = cm.audit(report)
    except TooLarge as error:
        return {"possible": None, "refused": str(error), "report": report.to_json()}
    if json:
        return found.to_json()
    return {x: getattr(found, x) for x in ("possible", "matrices", "culprits")}


def _parts_of(answers: dict[int, dict[str, Any]]) -> list[Part]:
    """A line for every report, and why one was refused."""
    sheet = Sheet(("line", "possible", "matrices", "possible without"), ("possible", "possible without"))
    for line, said in answers.items():
        many = said.get("matrices")
        word = {True: "yes", False: "no", None: "open"}[said["possible"]]
        sheet.add_row(
            line,
            word,
            "" if many is None else many,
            ", ".join(said.get("culprits", ())),
        )
    refused = [f"line {line}: {said['refused']}" for line, said in answers.items() if "refused" in said]
    return [sheet, *refused]
