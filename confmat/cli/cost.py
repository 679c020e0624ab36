"""What a run will cost, in words, and which runs are not started without being asked twice."""

from __future__ import annotations

from decimal import Decimal
from math import prod
from typing import TYPE_CHECKING

from confmat.cli.output import Failure, checked, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from confmat.classes import MatrixClass
    from confmat.engine.plan import Plan

# A class within both bounds takes seconds at most: it is run without an estimate, which would take longer.
_FEW_MATRICES = 10**10
_FEW_MARGIN_CLASSES = 10**5
_FEW_MEMBERS = 10**5  # of a class that is visited member by member

_PATIENCE = 3600  # seconds: runs that take longer need --yes
_TABLES_PER_SECOND = 10**9  # for classes out of reach, whose cost nobody measures

# Binomials C(m, k) of B bits take Python about 1.5e-12 k B seconds each (its division is quadratic).
_SECONDS_PER_BIT_PAIR = Decimal("1.5e-12")
_SECONDS_PER_TERM = Decimal("2e-6")
_MOST_COUNTING = 60  # seconds that counting a class may take unasked

# Bytes a value of a law of one statistic takes, measured at n = 10^6 for text and JSON; the bytes allowed.
_BYTES_PER_VALUE = {False: 350, True: 1400}
_MOST_MEMORY = 6 * 2**30

_UNITS = (("years", 31_557_600), ("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))


def check_cost(
    matrices: MatrixClass,
    weight: str,
    threads: int | None,
    *,
    yes: bool,
    most: Callable[[], int | None],
    spread: bool,
) -> None:
    """Failure if the law of (MED, RD, ARD) takes over an hour (unless ``yes``) or cannot be had at all.

    ``most``: how many of its points can be held, None if none are, asked of classes within reach; ``spread``: it runs
    on a cluster, whose time is not estimated.
    """
    from confmat.engine.summary import streams

    if is_quick(matrices):
        return
    expected = cost(matrices, weight, threads)
    instead = "take a smaller total or fix the margins (--rows, --cols); confmat count still counts it"
    if expected.seconds is None:
        raise Failure(f"{_too_large(matrices, expected)}: too many to enumerate; {instead}")
    if (limit := most()) is not None and expected.cells > limit:
        ways = ", or leave --only and --joint out" if streams(matrices, weight) else " or sample the class"
        raise Failure(
            f"the {matrices.words()}, have up to {whole(expected.cells)} values of (MED, RD, ARD), too many to "
            f"hold ({whole(limit)} at most): take a smaller total{ways}"
        )
    if takes_long(expected.seconds) and not yes and not spread:
        raise Failure(
            f"{_too_large(matrices, expected)}: {instead}; or run it on a cluster (--scheduler), "
            "or start it here with --yes and --checkpoint DIR, to resume when it is stopped"
        )


def check_counting(matrices: MatrixClass, instead: str) -> None:
    """Failure if the number of matrices alone takes over a minute to compute; ``instead``: what to do."""
    seconds = counting_seconds(matrices) if matrices.unrestricted else Decimal(0)
    if seconds > _MOST_COUNTING:
        raise Failure(f"counting the {matrices.words()}, takes about {duration(seconds)}; {instead}")


def counting_seconds(tables: MatrixClass) -> Decimal:
    """About how long ``tables.count()`` takes, within a factor of 5: r s binomials (one, with empty lines).

    >>> from confmat.classes import Tables
    >>> duration(counting_seconds(Tables(10**8, 2000, 2000)))
    '21 years'
    """
    cells = prod(tables.shape)
    if not tables:
        return Decimal(0)
    k = max(1, min(tables.n, cells))
    bits = k * ((max(tables.n, cells) // k).bit_length() + 2)
    return (1 if tables.may_be_empty else cells) * (_SECONDS_PER_TERM + _SECONDS_PER_BIT_PAIR * k * bits)


def check_values(matrices: MatrixClass, name: str, json: bool) -> None:
    """Failure if the law of a statistic of the MED, of up to n values, does not fit in memory."""
    needed = matrices.n * _BYTES_PER_VALUE[json]
    if needed > _MOST_MEMORY:
        raise Failure(
            f"the law of {name} over the {matrices.words()}, has about {whole(matrices.n)} values and needs "
            f"{size(needed)} of memory ({size(_MOST_MEMORY)} at most): take a smaller total"
        )


def is_quick(matrices: MatrixClass) -> bool:
    """Whether the law takes seconds at most, told from counts alone."""
    from confmat.engine.jobs import number_of_margin_classes

    check_counting(matrices, "too many to enumerate")
    with checked():
        count = matrices.count()
    if count == 0:
        return True
    if not matrices.has_margins:
        return count <= _FEW_MEMBERS
    margins = number_of_margin_classes(matrices)
    return count <= _FEW_MATRICES and margins <= _FEW_MARGIN_CLASSES


def takes_long(seconds: float) -> bool:
    """Whether a run of so many seconds needs --yes."""
    return seconds > _PATIENCE


def cost(matrices: MatrixClass, weight: str, threads: int | None) -> Plan:
    """The estimate of the engine; Failure where it refuses."""
    from confmat.engine.plan import plan

    check_counting(matrices, "too many to enumerate")
    with checked():
        return plan(matrices, weight, threads)


def _too_large(matrices: MatrixClass, expected: Plan) -> str:
    size = f"the {matrices.words()}, are {whole(expected.matrices)} matrices"
    return f"{size}, about {duration(seconds_of(expected))} on this machine ({expected.threads} threads)"


def seconds_of(expected: Plan) -> float | Decimal:
    """The estimated time, a rough one where the class is out of reach."""
    if expected.seconds is not None:
        return expected.seconds
    visited = max(expected.tables, expected.margin_classes)
    return Decimal(2 * visited) / (_TABLES_PER_SECOND * expected.threads)


def duration(seconds: float | Decimal) -> str:
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
    if gib >= 10:
        return f"{gib:,.0f} GiB"
    return f"{gib:.1f} GiB" if gib >= 1 else f"{octets / 2**20:.0f} MiB"
