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
from importlib import import_module
from pathlib import Path

from tests.made_at_random import call, command

SECONDS, MEMORY = 1, 2**30
REFUSED, DONE = 1, 2 * SECONDS  # seconds of the processor: more is a find
DEAD, GONE, MOST = 10, 300, 6 * 2**30  # seconds of the processor, and by the clock; bytes of address space
WARM = [
    "warmup",
    "search ard 6 2 2 --certificate proof.json",
    "compare labels.csv",
    "classify --matrix 3,1;0,4",
    "check med-max --n ..4 --out certificate.json",
    "table 6 2 2 --plot picture.png --joint law.csv --weight labelings",
    "sample 6 2 2 --given med=1/6 --size 3",
    "sample 6 2 2 --seed 1 --size 10",
    "test --matrix 3,1;0,4 --exact",
    "plan 6 2 2",
    "check-metric confmat:ari --n 3",
    "statistics",
    "conjectures",
]


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
    from tests.command_line import run

    for module in pkgutil.walk_packages(cm.__path__, "confmat."):
        if not module.name.startswith("confmat.__main__"):
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
        with cm.limits(seconds=SECONDS, memory=MEMORY):
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
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell has the background ignore
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
