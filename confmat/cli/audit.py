"""The command ``audit``: is what a paper prints possible?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

import confmat as cm
from confmat.certificates.ranges import OF_A_CLASS
from confmat.cli.files import check_file, write_text
from confmat.cli.inputs import columns_of
from confmat.cli.numbers import whole_number
from confmat.cli.output import Failure, Page, checked, plain_table, print_json
from confmat.cli.planning import never_planned, only_planned
from confmat.cli.progress import spinner
from confmat.matrices.arguments import meant
from confmat.plans.amounts import whole

_NAMES = ("report", "name", "id")  # columns of a file that only name its reports
_NUMBERS = ("classes", "n", "clusters", "columns")


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
            metavar="A,B,..", help="Sizes of the columns: of the predicted classes, or of the clusters."
        ),
    ] = None,
    empty: Annotated[bool, typer.Option("--at-most", help="Clusters may be empty: at most so many.")] = False,
    rounding: Annotated[
        str, typer.Option(metavar="RULE", help="half-up, half-even, truncation, or any of the three.")
    ] = "any",
    undefined: Annotated[
        int, typer.Option(min=0, max=1, help="What counts for a score that is 0/0 (scikit-learn: 0).")
    ] = 0,
    folds: Annotated[
        str | None,
        typer.Option(metavar="K", help="Scores are means over K folds with the same share of every class."),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FILE", help="Many reports, one a line: columns classes, acc, ari, .."
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what confmat verify checks, or its script alone."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: possible, matrices, ranges, ..")] = False,
) -> None:
    """Whether any confusion matrix can have the scores that a paper prints, as it prints them.

    "0.90" has two decimals, and stands for all numbers that are rounded so.  Possible: how many matrices, and the range
    of every other score among them.  Impossible: which score, if dropped, makes it possible, and a certificate.
    Exit code 0: possible (all of them, with --from); 1: impossible; 2: bad input, or beyond reach.

    \b
      confmat audit --classes 50,50,50 --acc 0.893 --ari 0.7302
    Two clusterings of 20 objects:
      confmat audit --n 20 --clusters 3,3 --ari 0.73 --ri 0.88 --json
    A proof for those who do not have this package (see confmat verify):
      confmat audit --classes 100,100 --acc .7700 --kappa .5401 --mcc .5625 --certificate impossible.json
    Means of ten folds:
      confmat audit --classes 50,50,50 --acc 0.9467 --ari 0.8435 --folds 10
    A table of results, a line each with its classes such as 50;50;50:
      confmat audit --from results.csv
    """
    known = {"classes": classes, "n": n, "clusters": clusters, "columns": columns}
    conventions = {"empty": empty, "rounding": rounding, "undefined": undefined}
    if source is not None:
        if any((*known.values(), scores, certificate, folds)):
            raise Failure(
                "--from stands for the report: give no classes, n, clusters, columns, scores, --folds, --certificate"
            )
        never_planned("--from")
        _audit_file(source, conventions, json)
        return
    check_file("--certificate", certificate)
    report = _report({**known, **_scores(scores or [])}, conventions)
    count = 1 if folds is None else whole_number("--folds", folds)
    if count != 1:
        never_planned("--folds")
        if certificate is not None:
            raise Failure("--certificate is for one matrix, not for --folds")
        _audit_folds(report, count, json)
    only_planned(cm.audit, report)
    with checked(), spinner("Looking for a matrix"):
        found = cm.audit(report)
    if certificate is not None:
        write_text("--certificate", certificate, lambda: found.certificate() + "\n")
    if json:
        print_json(found.to_json())
    else:
        _print(found)
    raise typer.Exit(int(not found.possible))


def _scores(words: list[str]) -> dict[str, str]:
    """Options that name scores, and their digits."""
    parts = [part for word in words for part in (word.split("=", 1) if word.startswith("--") else [word])]
    known = [f"--{name}" for name in cm.auditing.SCORES]
    for part in (part for part in parts if part.startswith("--")):
        name = part.replace("-", "_").replace("__", "--", 1)
        if name not in known and not OF_A_CLASS.fullmatch(name[2:]):
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


def _report(texts: dict[str, str | None], conventions: dict[str, Any]) -> cm.auditing.Report:
    """A report from texts; what is None or empty was not printed."""
    fields: dict[str, Any] = {name: text for name, text in texts.items() if text}
    for name in set(_NUMBERS) & set(fields):
        numbers = [whole_number(name, x) for x in re.split(r"[\s,;]+", fields[name].strip())]
        fields[name] = numbers if len(numbers) > 1 else numbers[0]
    with checked():
        return cm.auditing.Report.of(**fields, **conventions)


def _print(found: cm.auditing.Audit) -> None:
    page = Page()
    page.paragraph(found.sentence())
    page.line("")
    page.named(found.lines())


def _audit_folds(report: cm.auditing.Report, folds: int, json: bool) -> None:
    """Whether the scores can be means over folds; the command ends."""
    with checked(), spinner("Adding up folds"):
        possible = cm.auditing.folds_possible(report, folds)
    if json:
        print_json({"possible": possible, "folds": folds, "report": report.to_json()})
    else:
        some = "Some" if possible else "No"
        Page().paragraph(f"{some} {report.matrices()} in {folds} equal folds have these means: {report}.")
    raise typer.Exit(int(not possible))


def _audit_file(file: str, conventions: dict[str, Any], json: bool) -> None:
    """The reports of a file, one a line; exit code 1 if one of them is impossible."""
    table = columns_of(file, None, True)
    reports = []
    for line, *cells in zip(table.lines, *table.values):
        texts = {name: x for name, x in zip(table.names, cells) if name not in _NAMES}
        try:
            reports.append(_report(texts, conventions))
        except Failure as error:
            raise Failure(f"{file}, line {line}: {error}") from None
    answers = []
    with spinner(f"Auditing {len(reports)} reports") as change:
        for line, report in zip(table.lines, reports):
            if change is not None:
                change(f"Auditing line {line}")
            with checked():
                answers.append(cm.audit(report))
    if json:
        print_json([{"line": line, **found.to_json()} for line, found in zip(table.lines, answers)])
    else:
        sheet = plain_table(
            "line", "possible", "matrices", "possible without", left=("possible", "possible without")
        )
        for line, found in zip(table.lines, answers):
            many = "" if found.matrices is None else whole(found.matrices)
            sheet.add_row(str(line), "yes" if found.possible else "no", many, ", ".join(found.culprits))
        Page().table(sheet)
    raise typer.Exit(int(not all(found.possible for found in answers)))
