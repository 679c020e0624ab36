"""What a run will cost, in words, and which runs are not started without being asked twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confmat.cli.output import Failure, checked, whole
from confmat.cli.spec import class_text

if TYPE_CHECKING:
    from confmat.classes import MatrixClass
    from confmat.engine.plan import Plan

# A class within both bounds takes seconds at most: it is run without an estimate, which would take longer.
_FEW_MATRICES = 10**10
_FEW_MARGIN_CLASSES = 10**5

_PATIENCE = 3600  # seconds: runs that take longer need --yes
_MOST_POINTS = 10**9  # bound on the points of a joint law that is written to a file
_SECONDS_PER_TABLE = 1e-9  # for classes out of reach, whose cost nobody measures

_UNITS = (("years", 365.25 * 86400), ("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))


def check_cost(
    matrices: MatrixClass, weight: str, threads: int | None, *, yes: bool, joint: bool, spread: bool
) -> None:
    """Failure if the law of (MED, RD, ARD) takes over an hour (unless ``yes``) or cannot be had at all.

    ``joint``: all its points are asked for; ``spread``: it runs on a cluster, whose time is not estimated.
    """
    if is_quick(matrices):
        return
    expected = cost(matrices, weight, threads)
    instead = "take a smaller total or fix the margins (--rows, --cols); confmat count still counts it"
    if expected.seconds is None:
        raise Failure(f"{_too_large(matrices, expected)}: too many to enumerate; {instead}")
    if joint and expected.cells > _MOST_POINTS:
        raise Failure(
            f"--joint would write up to {whole(expected.cells)} rows for the {class_text(matrices)}; "
            "leave it out (the table itself is summed up on the way) or take a smaller total"
        )
    if takes_long(expected.seconds) and not yes and not spread:
        raise Failure(
            f"{_too_large(matrices, expected)}: {instead}; or run it on a cluster (--scheduler), "
            "or start it here with --yes and --checkpoint DIR, to resume when it is stopped"
        )


def is_quick(matrices: MatrixClass) -> bool:
    """Whether the law takes seconds at most, told from counts alone."""
    from confmat.classes import FixedMargins
    from confmat.engine.plan import number_of_margin_classes

    with checked():
        count = matrices.count()
    margins = 1 if isinstance(matrices, FixedMargins) else number_of_margin_classes(matrices)
    return count <= _FEW_MATRICES and margins <= _FEW_MARGIN_CLASSES


def takes_long(seconds: float) -> bool:
    """Whether a run of so many seconds needs --yes."""
    return seconds > _PATIENCE


def cost(matrices: MatrixClass, weight: str, threads: int | None) -> Plan:
    """The estimate of the engine; Failure where it refuses."""
    from confmat.engine.plan import plan

    with checked():
        return plan(matrices, weight, threads)


def _too_large(matrices: MatrixClass, expected: Plan) -> str:
    size = f"the {class_text(matrices)} are {whole(expected.matrices)} matrices"
    return f"{size}, about {duration(seconds_of(expected))} on this machine ({expected.threads} threads)"


def seconds_of(expected: Plan) -> float:
    """The estimated time, a rough one where the class is out of reach."""
    if expected.seconds is not None:
        return expected.seconds
    return 2 * expected.tables * _SECONDS_PER_TABLE / expected.threads


def duration(seconds: float) -> str:
    """A time in the largest unit that it fills.

    >>> duration(0.2), duration(195), duration(4e9)
    ('less than a second', '3.2 minutes', '127 years')
    """
    if seconds < 1:
        return "less than a second"
    unit, length = next((unit, length) for unit, length in _UNITS if seconds >= length)
    amount = seconds / length
    if amount < 10:
        return f"{amount:.1f} {unit}"
    return f"{amount:,.0f} {unit}" if amount < 1e6 else f"{amount:.0e} {unit}"


def size(octets: float) -> str:
    """A number of bytes.

    >>> size(162788820), size(2527747340)
    ('155 MiB', '2.4 GiB')
    """
    gib = octets / 2**30
    return f"{gib:.1f} GiB" if gib >= 1 else f"{octets / 2**20:.0f} MiB"
