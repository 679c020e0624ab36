"""Commands and calls at random: each answers, or is refused in words of the package, whatever its arguments.

A command ends with an exit code that it documents, and one line if it is refused. A call returns, or raises an error of
the package, or a ValueError or TypeError that the package itself raises.
"""

import contextlib
import io
import random
import traceback
import warnings
from itertools import count, islice

import pytest
from command_line import run
from made_at_random import call, command

import confmat as cm
from confmat import errors

OURS = tuple(x for x in vars(errors).values() if isinstance(x, type) and issubclass(x, Exception))


def fault_of_command(words):
    """Return what is wrong with how a command ends, None if nothing is."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    lines = err.getvalue().splitlines()
    if code not in (0, 1, 2):
        return f"exit code {code}: {lines}"
    if code == 2 and "--json" not in words and not (len(lines) == 1 and lines[0].startswith("confmat: ")):
        return f"{len(lines)} lines for an error: {lines[:3]}"
    return None


def fault_of_call(function, given, named):
    """Return what is wrong with how a call ends, None if nothing is."""
    try:
        repr(function(*given, **named))
    except (*OURS, OSError):
        return None
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        is_ours = "/confmat/" in where.filename or where.filename == __file__
        if isinstance(error, ValueError | TypeError) and is_ours:
            return None
        return f"{type(error).__name__} at {where.filename}:{where.lineno}: {error!s:.200}"
    return None


def faults(seed, folder):
    """Yield what a number of commands and calls do, in turn, and what is wrong with it or None."""
    for i in count():
        rng = random.Random(f"{seed} {i}")
        with cm.limits(seconds=1, memory=2**30, threads=1):
            if i % 2:
                words = command(rng, folder)
                yield words, fault_of_command(words)
            else:
                name, function, given, named = call(rng)
                yield (name, given, named), fault_of_call(function, given, named)


@pytest.mark.parametrize(
    ("seed", "number"),
    [(1, 300), *(pytest.param(seed, 1000, marks=pytest.mark.slow) for seed in range(2, 7))],
)
def test_anything_is_answered_or_refused(tmp_path, monkeypatch, seed, number):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text("truth,found\na,x\na,x\nb,y\nb,x\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [
            (shown, fault) for shown, fault in islice(faults(seed, tmp_path), number) if fault is not None
        ]
    assert found == []
