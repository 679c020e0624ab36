"""Commands and calls at random, made from the parameters of the commands and the signatures of public functions.

    python -m tests.fuzz commands 10000 --seed 1
    python -m tests.fuzz calls 10000 --seed 1

Each runs under a budget of one second and 1 GiB, and must be refused, or done, within three seconds of the processor; a
command ends with an exit code it documents and no traceback, a call returns or raises an error of the package, or a
ValueError or TypeError that the package itself raises.  Whatever else happens is printed, with what repeats it.
Work is done by processes with limits on memory and processor time: one that is killed is a find too.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from enum import EnumType
from pathlib import Path

SECONDS, MEMORY = 1, 2**30
SLOW, DEAD, MOST = 3, 10, 6 * 2**30  # seconds of the processor: a find, killed; bytes of address space
NUMBERS = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "12",
    "20",
    "60",
    "1000",
    "10" * 9,
    "1" + 400 * "0",
    "-1",
    "x",
    "",
    "2.5",
    "nan",
]
SMALL = ["1", "2", "3", "4", "6", "8"]
SIZES = ["2x2", "2x2..3x3", "3x3,2x4", "1x1", "99x99", "2x2..99999999x99999999", "0x2", "x"]
RANGES = ["4", "..6", "3..5", "..99999999999", "5..2", "a", ""]
LISTS = ["3,2,1", "2,2", "4,1,1", "1000000,5", "free", "free:3", "0,0", "-1,2", "1,x", "", "10" * 9 + ",2"]
FORMULAS = [
    "med<=1/10 -> ari>=0",
    "rd<=ard",
    "ard>1",
    "med=2/6",
    "exists ard > 1",
    "ari_after >= ari_before",
    "1/0>med",
    "((",
    "med",
    "",
]
MATRICES = [
    "3,1;0,4",
    "6,1,1;2,5,0;1,0,4",
    "0,0;0,0",
    "1",
    "-1,2;3,4",
    "1,2;3",
    "x",
    "1e9,2;3,4",
    "10000000000,1;1,10000000000",
]
NAMES = ["med", "rd", "ard", "ari", "ri", "nmi", "vi", "bcr", "cor", "kappa", "ard/med", "no_such", ""]
TEXTS = {
    "--shapes": SIZES,
    "--n": RANGES,
    "--rows": LISTS,
    "--cols": LISTS,
    "--cells": ["0..1", "1..", "5..2", "x", "..", "0..10" + 9 * "0"],
    "--given": FORMULAS,
    "--only": NAMES,
    "--matrix": MATRICES,
    "--part": ["1/2", "3/2", "x", "0/0"],
    "--bounds": ["0..1", "x", "1..0"],
}
POSITIONS = {
    "N R S": SMALL,
    "STATEMENT": [*FORMULAS, "med-max", "rd-max", "no-such"],
    "NAME": NAMES,
    "SQL": ["SELECT 1", "DROP x", "", "SELECT * FROM laws"],
}


def values(parameter, rng: random.Random, folder: Path) -> str:
    """A value of an option or argument, by its name, its kind, or at random."""
    kind = parameter.type_descriptor.annotation
    if isinstance(kind, EnumType) and rng.random() < 0.9:
        return rng.choice(list(kind)).value
    metavar = str(parameter.metavar or "")
    for option in parameter.opts:
        if option in TEXTS:
            return rng.choice(TEXTS[option])
    if any(word in metavar for word in ("FILE", "DIR", "FOLDER", "CERT", "LABELS")):
        return rng.choice(
            [
                str(folder / name)
                for name in ("new.json", "labels.csv", "archive", "none/x.csv", "x.png", "x.csv")
            ]
        )
    return rng.choice(POSITIONS.get(metavar, NUMBERS + SMALL + NAMES))


def command(rng: random.Random, folder: Path) -> list[str]:
    """A command line."""
    import typer

    from confmat.cli.app import application

    words, group = [], typer.main.get_command(application())
    while hasattr(group, "commands"):
        name = rng.choice(sorted(set(group.commands) - {"warmup", "reproduce"}))
        words, group = [*words, name], group.commands[name]
    for parameter in group.params:
        if parameter.param_type_name == "argument":
            number = 3 if parameter.nargs == -1 else 1
            given = [values(parameter, rng, folder) for _ in range(number)]
            words += given if parameter.required or rng.random() < 0.8 else []
        elif "--help" not in parameter.opts and (parameter.required or rng.random() < 0.15):
            words.append(parameter.opts[0])
            if not parameter.is_flag:
                words.append(values(parameter, rng, folder))
    return words


def run_command(words: list[str], folder: Path) -> str | None:
    """What is wrong with how a command ends."""
    import confmat as cm
    from confmat.cli.app import run

    out, err = io.StringIO(), io.StringIO()
    os.chdir(folder)
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        cm.budget(seconds=SECONDS, memory=MEMORY),
    ):
        code = run(words)
    lines = err.getvalue().splitlines()
    if code not in (0, 1, 2):
        return f"exit code {code}"
    if code == 2 and "--json" not in words and not (len(lines) == 1 and lines[0].startswith("confmat: ")):
        return f"{len(lines)} lines for an error: {lines[:1]}"
    return None


def functions() -> dict[str, object]:
    """Public functions and classes, by their names."""
    import confmat as cm

    found = {}
    rooms = (
        "indices",
        "chance",
        "laws",
        "classes",
        "matrices",
        "search",
        "sampling",
        "conjectures",
        "cards",
        "archive",
        "plans",
        "testing",
    )
    for room in ("", *rooms):
        module = getattr(cm, room) if room else cm
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            made = (
                isinstance(thing, type)
                and room != "classes"
                and name not in ("Statistic", "Conjecture", "Resources")
            )
            if callable(thing) and not made and name not in ("budget", "infer"):
                found[f"{room}.{name}".lstrip(".")] = thing
    return found


def pool(name: str, rng: random.Random):
    """A value for a parameter of this name."""
    import numpy as np

    import confmat as cm

    numbers = [0, 1, 2, 3, 4, 6, 9, 20, 10**3, 10**9, 10**18, 10**400, -1, 2.5, float("nan"), True, "3", None]
    arrays = [
        [[3, 1], [0, 4]],
        [[6, 1, 1], [2, 5, 0], [1, 0, 4]],
        [[0, 0], [0, 0]],
        np.eye(3, dtype=int),
        [[1, 2], [3]],
        [[-1, 2], [3, 4]],
        [[10**30, 1], [2, 10**30]],
        [],
        [[]],
        [[0.5, 1], [1, 1]],
        np.zeros((0, 0), int),
        "3,1;0,4",
    ]
    labels = [
        [0, 0, 1, 1],
        ["a", "a", "b", "b"],
        [1, 2, 3, 4],
        [],
        [0, None, 1, 1],
        np.array([1, 1, 2, 2]),
        [[0, 1], [1, 0]],
        "aabb",
        range(4),
    ]
    classes = [
        cm.Tables(6, 2, 2),
        cm.Tables(8, 3, 3),
        cm.Tables(0, 2, 2),
        cm.Tables(10**9, 3, 3),
        cm.Tables(60, 9, 9),
        cm.Tables(2, 3, 3),
        cm.FixedMargins([3, 2], [4, 1]),
        cm.FixedRows([3, 2], 2),
        cm.Tables(5, 2, 2, cells=(0, 2)),
        cm.FixedMargins([10**6] * 9, [10**6] * 9),
        cm.random_model("labels", n=5, r=2, s=2),
        cm.Tables,
        None,
        3,
    ]
    texts = [
        *NAMES,
        *FORMULAS,
        "tables",
        "labelings",
        "clusters",
        "sizes",
        "two-sided",
        "less",
        ";",
        cm.ari,
        cm.STATISTICS["med"] if hasattr(cm, "STATISTICS") else "med",
    ]
    kinds = {
        "matrix": arrays + labels,
        "table": arrays,
        "truth": labels,
        "found": labels,
        "a": labels + arrays,
        "b": labels,
        "matrices": classes,
        "tables": classes,
        "classes": [[x] for x in classes] + classes,
        "cls": classes,
        "statistic": texts,
        "statistics": texts,
        "names": texts,
        "name": texts,
        "given": texts,
        "weight": texts,
        "rows": [[3, 2], [5], [], [10**9, 2], [-1, 2], 3],
        "cols": [[4, 1], [1] * 5, [0, 5], None],
        "r": numbers,
        "s": numbers,
        "n": numbers,
    }
    if name in kinds and rng.random() < 0.9:
        return rng.choice(kinds[name])
    return rng.choice(rng.choice([numbers, arrays, labels, classes, texts]))


def call(rng: random.Random):
    """A public function, positional and named arguments."""
    name, function = rng.choice(sorted(functions().items()))
    given, named = [], {}
    with contextlib.suppress(ValueError, TypeError):
        for x in inspect.signature(function).parameters.values():
            if x.name in ("folder", "out", "path", "executor", "checkpoint", "progress", "resources"):
                if x.default is x.empty:
                    return call(rng)
            elif x.kind in (x.POSITIONAL_ONLY, x.POSITIONAL_OR_KEYWORD, x.VAR_POSITIONAL):
                if x.default is x.empty or rng.random() < 0.3:
                    given.append(pool(x.name, rng))
                else:
                    break
        for x in inspect.signature(function).parameters.values():
            if (
                x.kind is x.KEYWORD_ONLY
                and (x.default is x.empty or rng.random() < 0.15)
                and x.name not in ("resources", "progress")
            ):
                named[x.name] = pool(x.name, rng)
    return name, function, given, named


def said_by(error: BaseException) -> str:
    """An error, and where it was raised."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__} at {'/'.join(where.filename.split('/')[-2:])}:{where.lineno}: {error!s:.200}"
    )


def run_call(function, given, named) -> str | None:
    """What is wrong with how a call ends."""
    import confmat as cm
    from confmat import errors

    known = tuple(x for x in vars(errors).values() if isinstance(x, type) and issubclass(x, Exception))
    try:
        with cm.budget(seconds=SECONDS, memory=MEMORY):
            answer = function(*given, **named)
            repr(answer)
    except (*known, OSError):
        return None
    except (ValueError, TypeError) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        own = "/confmat/" in where.filename or where.filename == __file__
        return (
            None
            if own
            else f"{type(error).__name__} from {where.filename.rpartition('/')[2]}: {error!s:.200}"
        )
    except Exception as error:
        return said_by(error)
    return None


def work(kind: str, seed: int, first: int, last: int) -> None:
    """Do some in this process: a line before each, and one after it."""
    import numba  # noqa: F401  # before the limits

    def out_of_time(*_):
        raise TimeoutError(f"more than {DEAD} s of the processor")

    resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
    signal.signal(signal.SIGXCPU, out_of_time)  # a second one, of a loop that is compiled, kills
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "labels.csv").write_text("truth,found\na,x\na,x\nb,y\nb,x\n")
        for i in range(first, last):
            rng = random.Random(f"{seed} {kind} {i}")
            if kind == "commands":
                words = command(rng, folder)
                shown, run = (
                    " ".join(words).replace(name, "."),
                    lambda words=words: run_command(words, folder),
                )
            else:
                what, function, given, named = call(rng)
                shown = f"{what}(*{given!r:.200}, **{named!r:.200})"
                run = lambda f=function, g=given, k=named: run_call(f, g, k)  # noqa: E731
            print(json.dumps({"i": i, "shown": shown[:500]}), flush=True)
            used = time.process_time()
            resource.setrlimit(resource.RLIMIT_CPU, (int(used) + DEAD, resource.RLIM_INFINITY))
            try:
                problem = run()
            except BaseException as error:
                problem = said_by(error)
            seconds = time.process_time() - used
            if problem is None and seconds > SLOW:
                problem = f"{seconds:.1f} s of the processor"
            print(json.dumps({"i": i, "problem": problem, "seconds": round(seconds, 2)}), flush=True)


def finds(kind: str, seed: int, first: int, last: int):
    """Whatever went wrong: (number, what was run, problem); after a process that died the next one goes on."""
    while first < last:
        arguments = [
            sys.executable,
            "-m",
            "tests.fuzz",
            kind,
            "0",
            "--seed",
            str(seed),
            "--work",
            str(first),
            str(last),
        ]
        done = subprocess.run(arguments, capture_output=True, text=True)
        shown = {}
        for line in done.stdout.splitlines():
            with contextlib.suppress(ValueError):
                said = json.loads(line)
                shown |= {said["i"]: said["shown"]} if "shown" in said else {}
                first = said["i"] + 1
                if said.get("problem"):
                    yield said["i"], shown[said["i"]], said["problem"]
                    shown.pop(said["i"])
                elif "problem" in said:
                    shown.pop(said["i"])
        if done.returncode:
            if not shown:
                raise RuntimeError(done.stderr)
            i, text = shown.popitem()
            yield i, text, f"the process died, {done.returncode}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kind", choices=["commands", "calls"])
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--work", type=int, nargs=2)
    given = parser.parse_args()
    if given.work:
        work(given.kind, given.seed, *given.work)
        return
    found = 0
    for i, shown, problem in finds(given.kind, given.seed, given.first, given.first + given.number):
        found += 1
        print(f"{i}: {shown}\n    {problem}", flush=True)
    print(f"{given.number} {given.kind}, seed {given.seed}: {found} finds")


if __name__ == "__main__":
    main()
