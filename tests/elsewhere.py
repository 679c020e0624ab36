"""Programs in processes of their own: copies of one that has imported the package, which takes longer than most."""

import multiprocessing
import os
import sys
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import mkdtemp

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["confmat.archive", "confmat.cli.app", "confmat.conjectures"])


@dataclass(frozen=True)
class Running:
    """A program in another process, and the folder of what it prints."""

    process: BaseProcess
    printed: Path

    def ended(self) -> tuple[int, str, str]:
        """Its exit code, standard output and standard error, when it has ended."""
        self.process.join()
        return self.process.exitcode, (self.printed / "out").read_text(), (self.printed / "err").read_text()


def begin(program: str, *arguments: object) -> Running:
    """Run a program, as ``python -c`` does, in another process, without waiting for its end."""
    printed = Path(mkdtemp())
    process = _PROCESSES.Process(target=_run, args=(program, [*map(str, arguments)], printed))
    process.start()
    return Running(process, printed)


def run(program: str, *arguments: object) -> str:
    """What a program prints in another process, where it must not fail."""
    code, out, err = begin(program, *arguments).ended()
    assert code == 0, err
    return out


def _run(program: str, arguments: list[str], printed: Path) -> None:
    for place, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(printed / name, os.O_WRONLY | os.O_CREAT), place)
    sys.argv = ["-c", *arguments]
    exec(program, {"__name__": "__main__"})
