"""Commands and calls at random, made from the parameters of the commands and the signatures of public functions.

    python -m tests.fuzz commands 10000 --seed 1
    python -m tests.fuzz calls 10000 --seed 1

Each runs under a budget of one second and 1 GiB, and must be refused within a second of the processor, or done within
twice the budget; a command ends with an exit code it documents and no traceback, a call returns or raises an error of
the package, or a ValueError or TypeError that the package itself raises.  Whatever else happens is printed, with what
repeats it: each depends on the seed and its number alone.  Each is a forked child of one process that has imported
everything and compiled the kernels, with limits on memory and time, and a folder of its own.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import io
import json
import os
import pkgutil
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from enum import EnumType
from fractions import Fraction
from importlib import import_module
from pathlib import Path

SECONDS, MEMORY = 1, 2**30
REFUSED, DONE = 1, 2 * SECONDS  # seconds of the processor: more is a find
DEAD, GONE, MOST = 10, 300, 6 * 2**30  # seconds of the processor, and by the clock; bytes of address space
NUMBERS = [
    *map(str, [0, 1, 2, 3, 4, 5, 7, 12, 20, 60, 1000, -1, 2.5, int("10" * 9), 10**400]),
    "nan",
    "x",
    "",
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
WARM = [
    "warmup",
    "shards 6 2 2 --folder law --part 1/1",
    "search ard 6 2 2 --certificate proof.json",
    "compare labels.csv",
    "classify --matrix 3,1;0,4",
    "check med-max --n ..4 --out certificate.json",
    "table 6 2 2 --plot picture.png --joint law.csv --weight labelings",
    "sample 6 2 2 --given med=1/6 --size 3",
    "sample 6 2 2 --seed 1 --size 10",
    "test --matrix 3,1;0,4 --exact",
    "plan 6 2 2",
    "contract confmat:ari --n 3",
    "statistics",
    "conjectures",
]
FILES = ["new.json", "labels.csv", "archive", "law", "law.csv", "proof.json", "certificate.json"]
FILES += ["none/x.csv", "x.png", "x.csv"]
POSITIONS = {
    "N R S": SMALL,
    "STATEMENT": [*FORMULAS, "med-max", "rd-max", "no-such"],
    "NAME": NAMES,
    "SQL": ["SELECT 1", "DROP x", "", "SELECT * FROM laws"],
}


def values(parameter, rng: random.Random, folder: Path, tame: bool) -> str:
    """A value of an option or argument, by its name, its kind, or at random; a likely one where it is ``tame``."""
    kind = parameter.type_descriptor.annotation
    if isinstance(kind, EnumType) and rng.random() < 0.9:
        return rng.choice(list(kind)).value
    metavar = str(parameter.metavar or "")
    for option in parameter.opts:
        if option in TEXTS:
            return rng.choice(TEXTS[option][: 2 if tame else None])
    if any(word in metavar for word in ("FILE", "DIR", "FOLDER", "CERT", "LABELS")):
        return rng.choice([str(folder / name) for name in FILES])
    return rng.choice(
        SMALL if tame and metavar not in POSITIONS else POSITIONS.get(metavar, NUMBERS + SMALL + NAMES)
    )


def command(rng: random.Random, folder: Path) -> list[str]:
    """A command line."""
    import typer

    from confmat.cli.app import application

    words, tame, group = [], rng.random() < 0.6, typer.main.get_command(application())
    while hasattr(group, "commands"):
        name = rng.choice(sorted(set(group.commands) - {"warmup", "reproduce"}))
        words, group = [*words, name], group.commands[name]
    for parameter in group.params:
        if parameter.param_type_name == "argument":
            number = 3 if parameter.nargs == -1 else 1
            given = [values(parameter, rng, folder, tame) for _ in range(number)]
            words += given if parameter.required or rng.random() < 0.8 else []
        elif not {"--help", "--yes"} & {*parameter.opts} and (  # --yes lifts the budget
            parameter.required or rng.random() < (0.05 if tame else 0.15)
        ):
            words.append(parameter.opts[0])
            if not parameter.is_flag:
                words.append(values(parameter, rng, folder, tame))
    return words


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
            if callable(thing) and not made and name not in ("budget", "infer", "scoring_auc"):
                found[f"{room}.{name}".lstrip(".")] = thing
    return found


def pool(name: str, rng: random.Random, tame: bool):
    """A value for a parameter of this name; a likely one where it is ``tame``."""
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
    either, counts = arrays + labels, [3, 4, 0, 1, 2, 5, *numbers]
    kinds = {
        **dict.fromkeys(("matrix", "table"), arrays),
        **dict.fromkeys(("matrix_or_labels_a", "matrix_or_y_true"), either),
        **dict.fromkeys(("labels_a", "labels_b", "y_true", "y_pred", "masses"), labels),
        **dict.fromkeys(("matrices", "tables", "cls", "model"), classes),
        **dict.fromkeys(("statistic", "statistics", "name", "names", "given", "weight", "index"), texts),
        **dict.fromkeys(("r", "s", "n", "m", "size", "clusters", "seed", "rng"), counts),
        "classes": [[x] for x in classes] + classes,
        "rows": [[3, 2], [4, 1], [5], [], [10**9, 2], [-1, 2], 3],
        "cols": [[4, 1], [2, 3], [1] * 5, [0, 5], None],
        "shapes": [[(2, 2)], [(2, 2), (2, 3)], [(0, 2)], [(99, 99)], [(2,)], 3],
        "sizes": [[4], range(3, 6), range(10**12), [10**9], [-1], "4"],
        "shape": [(2, 2), (2, 3), (0, 2), (10**9, 2), 3],
        "conjecture": [cm.Conjecture("a", "rd <= ard"), cm.conjectures.LITERATURE["med-max"], *FORMULAS],
        "statement": FORMULAS,
        "d": [Fraction(1, 3), Fraction(1, 2), 0, 1, *numbers],
        "law": [cm.joint(classes[0], "rd", "ard"), cm.joint(classes[1], "med"), *texts],
    }
    if name in kinds and (tame or rng.random() < 0.9):
        return rng.choice(kinds[name][: 3 if tame else None])
    return rng.choice(rng.choice([numbers, arrays, labels, classes, texts]))


def call(rng: random.Random):
    """A public function, positional and named arguments."""
    name, function = rng.choice(sorted(functions().items()))
    given, named, tame = [], {}, rng.random() < 0.6
    with contextlib.suppress(ValueError, TypeError):
        for x in inspect.signature(function).parameters.values():
            if x.name in ("folder", "out", "path", "executor", "checkpoint", "progress", "resources"):
                if x.default is x.empty:
                    return call(rng)
            elif x.kind in (x.POSITIONAL_ONLY, x.POSITIONAL_OR_KEYWORD, x.VAR_POSITIONAL):
                if x.default is x.empty or rng.random() < 0.3:
                    given.append(pool(x.name, rng, tame))
                else:
                    break
        for x in inspect.signature(function).parameters.values():
            if (
                x.kind is x.KEYWORD_ONLY
                and (x.default is x.empty or rng.random() < 0.15)
                and x.name not in ("resources", "progress")
            ):
                named[x.name] = pool(x.name, rng, tame)
    return name, function, given, named


@dataclass(frozen=True)
class Tried:
    """How a command or call ended: what is wrong with it, seconds of the processor, and whether it was refused."""

    shown: str
    problem: str | None = None
    seconds: float = 0.0
    refused: bool = False


def said_by(error: BaseException) -> str:
    """An error, and where it was raised."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    file = "/".join(where.filename.split("/")[-2:])
    return f"{type(error).__name__} at {file}:{where.lineno}: {error!s:.200}"


def run_command(words: list[str]) -> tuple[str | None, bool]:
    """What is wrong with how a command ends, and whether it was refused."""
    from confmat.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as end:
            code = end.code
    lines = err.getvalue().splitlines()
    if code not in (0, 1, 2):
        return f"exit code {code}", False
    if code == 2 and "--json" not in words and not (len(lines) == 1 and lines[0].startswith("confmat: ")):
        return f"{len(lines)} lines for an error: {lines[:1]}", True
    return None, code == 2


def run_call(function, given, named) -> tuple[str | None, bool]:
    """What is wrong with how a call ends, and whether it was refused."""
    from confmat import errors

    known = tuple(x for x in vars(errors).values() if isinstance(x, type) and issubclass(x, Exception))
    try:
        repr(function(*given, **named))
    except (*known, OSError):
        return None, True
    except (ValueError, TypeError) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        own = "/confmat/" in where.filename or where.filename == __file__
        return None if own else said_by(error), True
    return None, False


def warm(folder: Path) -> None:
    """What children inherit: modules, compiled kernels, and a folder with files that commands read."""
    import confmat as cm
    from confmat.cli.app import run

    for module in pkgutil.walk_packages(cm.__path__, "confmat."):
        if not module.name.startswith(("confmat.studies", "confmat.__main__")):
            import_module(module.name)
    (folder / "labels.csv").write_text("truth,found\na,x\na,x\nb,y\nb,x\n")
    os.chdir(folder)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for line in WARM:
            assert run(line.split()) in (0, 1), line
    built = [
        sys.executable,
        "-m",
        "confmat",
        *["archive", "build", "--out", "archive", "--shapes", "2x2", "--n", "4"],
    ]
    subprocess.run(
        built, check=True, capture_output=True
    )  # elsewhere: DuckDB's threads do not survive a fork


def limited() -> None:
    """Limits of this process; a second signal, in a loop that is compiled, kills."""

    def out_of_time(*_):
        raise TimeoutError(f"more than {DEAD} s of the processor")

    signal.signal(signal.SIGXCPU, out_of_time)
    signal.alarm(GONE)
    resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
    resource.setrlimit(resource.RLIMIT_CPU, (DEAD, DEAD + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    warnings.simplefilter("ignore")


def work(kind: str, seed: int, i: int, folder: Path) -> Iterator[Tried]:
    """Do one in this process: what it is, then how it ended."""
    import confmat as cm

    rng = random.Random(f"{seed} {kind} {i}")
    if kind == "commands":
        words = command(rng, folder)
        shown, run = " ".join(words).replace(str(folder), "."), lambda: run_command(words)
    else:
        what, function, given, named = call(rng)
        shown = f"{what}(*{given!r:.200}, **{named!r:.200})"
        run = lambda: run_call(function, given, named)  # noqa: E731
    yield Tried(shown[:500])
    started, refused = time.process_time(), False
    try:
        with cm.budget(seconds=SECONDS, memory=MEMORY):
            problem, refused = run()
    except BaseException as error:
        problem = said_by(error)
    seconds = time.process_time() - started
    if problem is None and seconds > (REFUSED if refused else DONE):
        problem = f"{'refused' if refused else 'done'} after {seconds:.1f} s of the processor"
    yield Tried(shown[:500], problem, seconds, refused)


def tried(kind: str, seed: int, i: int, files: Path) -> Tried:
    """How number i ends, in a child of this process."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile("w+") as said:
        folder = Path(shutil.copytree(files, Path(name) / "files"))
        if (child := os.fork()) == 0:
            try:
                limited()
                os.chdir(folder)
                for ended in work(kind, seed, i, folder):
                    print(json.dumps(vars(ended)), file=said, flush=True)
            finally:
                os._exit(0)
        _, status, used = os.wait4(child, 0)
        said.seek(0)
        lines = [Tried(**json.loads(line)) for line in said]
    if len(lines) == 2:
        return lines[1]
    shown = lines[0].shown if lines else "nothing"
    return Tried(
        shown, f"the process died, {os.waitstatus_to_exitcode(status)}", used.ru_utime + used.ru_stime
    )


def all_tried(kind: str, seed: int, numbers: range) -> Iterator[tuple[int, Tried]]:
    """How each number ends."""
    with tempfile.TemporaryDirectory() as name:
        here = Path.cwd()
        warm(Path(name))
        os.chdir(here)
        for i in numbers:
            one = tried(kind, seed, i, Path(name))
            if one.problem and " s of the processor" in one.problem:  # again: a kernel may have been compiled
                one = tried(kind, seed, i, Path(name))
            yield i, one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kind", choices=["commands", "calls"])
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    ended = []
    with contextlib.suppress(KeyboardInterrupt):  # what has been tried is told
        for i, one in all_tried(given.kind, given.seed, range(given.first, given.first + given.number)):
            ended.append(one)
            if one.problem:
                print(f"{i}: {one.shown}\n    {one.problem}", flush=True)
    seconds = {refused: [one.seconds for one in ended if one.refused == refused] for refused in (False, True)}
    print(
        f"{len(ended)} {given.kind}, seed {given.seed}: {sum(one.problem is not None for one in ended)} finds"
    )
    for refused, words in ((False, "done"), (True, "refused")):
        used = seconds[refused] or [0.0]
        print(
            f"{len(seconds[refused])} {words}: {sum(used) / len(used):.3f} s each, {max(used):.2f} s at most"
        )


if __name__ == "__main__":
    main()
