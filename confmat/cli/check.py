"""Commands ``conjectures``, ``check`` and ``verify``: statements, their tests, and certificates."""

from functools import partial
from math import inf
from pathlib import Path
from runpy import run_path
from typing import Annotated, Any

import typer

import confmat as cm
from confmat._arguments import meant
from confmat._display import Told, Verbatim
from confmat._limits import Progress, duration
from confmat.cli.output import (
    Failure,
    Plot,
    check_apart,
    check_file,
    print_json,
    spinner,
    tell,
    write_text,
)
from confmat.cli.planning import OnlyPlan, print_plan
from confmat.cli.spec import Classes, conjecture_names
from confmat.conjectures.registry import refuse_uncheckable
from confmat.conjectures.verification import Verification
from confmat.errors import CertificateError, InvalidCertificateError

Own = Annotated[
    str | None,
    typer.Option(
        "--python", metavar="FILE.py", help="A Python file that defines the conjecture as a variable."
    ),
]


def conjectures(
    json: Annotated[bool, typer.Option("--json", help="Print JSON: a list, with all evidence.")] = False,
) -> None:
    """List every statement on record: proved, verified on a range, open or refuted, with its evidence.

    \b
    Statements with a range can be checked again:
      confmat conjectures
      confmat check med-max 2x2..3x4 n=..9
    """
    statements = list(cm.conjectures.STATEMENTS.values())
    tell(Told([part for statement in statements for part in statement._parts()], statements), json=json)


def check(
    name: Annotated[
        str,
        typer.Argument(
            metavar="STATEMENT",
            autocompletion=conjecture_names,
            help="A name (see confmat conjectures) or a formula.",
        ),
    ],
    sizes: Classes = None,
    source: Own = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep finished classes here, and resume from here.",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="PATH", help="Write the answer as JSON.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Start even a check of more than an hour.")] = False,
    plot: Plot = None,
    plan: OnlyPlan = False,
    json: Annotated[bool, typer.Option("--json", help='Print JSON: {"answer": "true", ...}.')] = False,
) -> None:
    """Test a statement on every matrix: the smallest counterexample (exit code 1), or a certificate (0).

    After Ctrl-C the certificate covers the finished classes, and the exit code is 130.

    \b
    The largest Rand distance, on six billion tables:
      confmat check rd-max 2x2..5x5 n=..14 --out rd-max.json
      confmat verify rd-max.json
    A conjecture that is false:
      confmat check med-bound
    A formula in statistics, n, r and s, with output for a program:
      confmat check "med<=1/10 -> ari>=0" 3x3 n=..60 --json
    A formula about a whole distribution, or about the existence of a table:
      confmat check "med_max <= 1 - 1/s"
      confmat check "exists ard > 1" 3x3 n=..10
    A confmat.Conjecture with the name mine in my.py:
      confmat check mine --python my.py 3x3 n=..12
    """
    # reads: a parameter for each option of the command
    check_file("--out", out)
    check_apart({"--out": out, "--checkpoint": checkpoint})
    conjecture = find(name, source)
    classes = cm.conjectures.domain(conjecture, " ".join(sizes or ["2x2..3x3 n=..10"]))
    if plan:
        print_plan(
            cm.conjectures.check, conjecture, classes, json=json, limits=cm.Limits(checkpoint=checkpoint)
        )
    with spinner("Checking") as show, cm.limits(seconds=inf if yes else None):
        progress = None if show is None else lambda step: show(_step_in_words(step))
        limits = cm.Limits(checkpoint=checkpoint, progress=progress)
        answer = cm.conjectures.check(conjecture, classes, limits=limits)
    false = isinstance(answer, cm.conjectures.Counterexample)
    if false and conjecture.sharpened:
        hints = [f"See also {conjecture.sharpened}."]
    else:
        hints = []
    files = [partial(write_text, "--out", out, lambda: answer.to_json() + "\n")]
    tell(
        Told(
            [*answer._parts(), *hints],
            answer._facts(),
        ),
        json=json,
        files=files,
        plot=plot,
        draw=answer.plot,
    )
    if false:
        raise typer.Exit(1)
    if isinstance(answer, cm.conjectures.Certificate) and answer.interrupted:
        raise Failure("interrupted: the answer covers only the finished classes", 130)


def _step_in_words(step: Progress) -> str:
    """Return the progress ``step`` of a check as text: its stage, the finished classes, and the time left."""
    time_left = ""
    if step.seconds_left is not None:
        time_left = f", {duration(step.seconds_left)} left"
    return f"{step.stage}, {step.done} of {step.total} classes done{time_left}"


def verify(
    file: Annotated[
        Path,
        typer.Argument(metavar="CERT.json", help="Written by check --out, search or table --certificate."),
    ],
    source: Own = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON: verdict, what was checked, what was not.")
    ] = False,
    script: Annotated[
        bool,
        typer.Option(
            "--script",
            help="Print the checker of CERT.json, plain Python: for all but claims that are no formula of a table.",
        ),
    ] = False,
) -> None:
    """Check a certificate again, and report which parts were checked.

    Counts are compared with closed forms, and the statement with the one on record or in the Python file. Then every
    class is enumerated again by independent code. Exit codes: 0 if it is right, 1 if it is wrong, 2 if it cannot be
    read or checked.

    \b
      confmat check rd-max 2x2..3x3 n=..8 --out rd-max.json
      confmat verify rd-max.json
    The largest ARD over 1.4 10^17 matrices, checked without this package:
      confmat search ard 60 4 4 --certificate ard.json
      confmat verify ard.json --script > verify.py
      python3 -I verify.py ard.json
    """
    try:
        text = file.read_text(errors="replace")
        if script:
            print(cm.certificates.script_for(text), end="")
            return
        with spinner("Enumerating every class again"):
            what, found = _verified(text, source)
    except ValueError as error:
        wrong = isinstance(error, CertificateError) and not isinstance(error, InvalidCertificateError)
        if json:
            print_json({"verdict": "wrong" if wrong else "unreadable", "reason": str(error)})
            raise typer.Exit(1 if wrong else 2) from error
        raise Failure(
            f"{file} is {'wrong' if wrong else 'not checked'}: {error}",
            1 if wrong else 2,
        ) from error
    verdict = "is right." if found.right else "has nothing wrong in what was checked."
    tell(
        Told(
            [
                Verbatim(f"{file}: this {what} {verdict}"),
                *found._parts(),
            ],
            found._facts(),
        ),
        json=json,
    )


def _verified(text: str, source: str | None) -> tuple[str, Verification]:
    """Return the kind of a certificate as text, and its verification.

    ``text`` is the JSON of the certificate. ``source`` is the Python file that defines its conjecture, if there is
    one.
    """
    kind = cm.certificates.read_certificate(text).get("kind")
    is_statement = kind in ("certificate", "counterexample")
    what = str(kind)
    if not is_statement:
        what = f"certificate of kind {kind!r}"
    if source is None:
        return what, cm.verify(text)
    if not is_statement:
        raise Failure(f"--python must be left out for a {what}, got {source}")
    return what, cm.verify(text, find(cm.conjectures.read(text).conjecture, source))


def find(name: str, source: str | None) -> cm.Conjecture:
    """Return the conjecture with a name, on record or in the Python file ``source``.

    Without a file, a name with "<", ">" or "=" is a formula, which becomes a conjecture.
    """
    if source is None:
        if name not in cm.conjectures.LITERATURE and any(sign in name for sign in "<>="):
            return cm.Conjecture(name, name)
        refuse_uncheckable(name)
        if name not in cm.conjectures.LITERATURE:
            hint = meant(name, list(cm.conjectures.LITERATURE)) or "; confmat conjectures lists them"
            raise Failure(f"there is no conjecture {name!r}{hint}")
        return cm.conjectures.LITERATURE[name]
    found = [value for value in _variables(source).values() if isinstance(value, cm.conjectures.Conjecture)]
    for conjecture in found:
        if conjecture.name == name:
            return conjecture
    names = ", ".join(conjecture.name for conjecture in found) or "none"
    raise Failure(f"{source} must define a conjecture named {name!r}, got {names}")


def _variables(source: str) -> dict[str, Any]:
    """Return the variables that the Python file ``source`` defines. Raise Failure if it cannot be run."""
    if not source.endswith(".py") or not Path(source).is_file():
        raise Failure(f"--python must be a Python file that exists, such as my.py, got {source!r}")
    try:
        return run_path(source, run_name="own_conjecture")
    except (Exception, SystemExit) as error:  # any exception of the user's file
        raise Failure(f"--python {source} cannot be run: {type(error).__name__}: {error}") from error
