"""The one rule: about how long a run over a class takes, and how much memory, from counts alone.

    seconds = 8e-10 tables + 4e-9 places + 6e-8 splits + 8e-8 states, or 5e-7 tables that are visited themselves,

the former for each prime that weights are added up by: tables made of half tables, places laid out, splits of column
margins between halves, states of halves listed.  Right within a factor of 2.5 on an ordinary core.

>>> from confmat.classes import Tables
>>> 5 < run_of(Tables(40, 4, 4), "tables").seconds < 20
True
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from math import factorial, inf, prod
from typing import Any

from confmat.classes import MatrixClass
from confmat.engine.blocks import moduli_of
from confmat.engine.fold import bytes_of_sums
from confmat.engine.margins import MOST_MARGIN_CLASSES, number_of_margin_classes, row_jobs
from confmat.engine.pieces import about_members, fact_of_members, pieces_of, work_of
from confmat.engine.run import MOST_POINTS, memory_of_run
from confmat.engine.signatures import fits, is_foldable, limit_of_kept
from confmat.plans import Resources, size
from confmat.sheets import whole

# Seconds of an ordinary core, from runs of twenty classes of 2 x 4 to 7 x 7 tables.
PAIRED, PLACE, SPLIT, STATE, VISITED = 8e-10, 4e-9, 6e-8, 8e-8, 5e-7

# Of a run, begun and ended.
_BEGUN = 2e-3

# Bytes: the interpreter with what it loads.
INTERPRETER = 180 * 2**20

# Classes with more margin classes are not listed for the rule, nor counted, where that takes long, if they have more.
_LISTED = 2 * 10**6
_COUNTED = 10**15

# Nor of more lines, whose orders alone are too many to be told.
_MOST_LINES = 10**4


@dataclass(frozen=True)
class Run:
    """About how long a run takes one core, the bytes of its largest block, and the numbers that these come from.

    ``refusal``: why there can be none, None if there can.
    """

    seconds: float
    bytes: float
    facts: dict[str, Any] = field(default_factory=dict)
    refusal: str | None = None


@lru_cache(maxsize=64)
def run_of(matrices: MatrixClass, weight: str) -> Run:
    """The rule, for a class and a weight.

    >>> from confmat.classes import Tables
    >>> run_of(Tables(20, 3, 3), "tables").facts["tables"], run_of(Tables(60, 5, 5), "tables").seconds > 10**6
    (57603, True)
    """
    if not matrices:
        return Run(0.0, INTERPRETER)
    if matrices.n > MOST_POINTS and (max(matrices.shape) > _MOST_LINES or _is_listed(matrices)):
        return Run(inf, 0.0, refusal=f"more points than an enumeration can take ({MOST_POINTS})")
    if not _is_listed(matrices):
        return _unlisted(matrices)
    work, moduli = work_of(matrices), moduli_of(matrices, weight)
    margins = sum(len(job.cols) for job in row_jobs(matrices))
    visiting, pairing = _BEGUN, 0.0
    for piece in pieces_of(matrices, moduli.lanes):
        if piece.walked:
            visiting += VISITED * piece.tables
        else:
            pairing += PAIRED * piece.tables + PLACE * piece.places
            pairing += SPLIT * piece.splits + STATE * piece.states
    facts = {
        **fact_of_members(matrices),
        "margin_classes": margins,
        "tables": work.visited,
        "signatures": work.expected,
    }
    octets = INTERPRETER + memory_of_run(matrices, weight)
    return Run(visiting + moduli.lanes * pairing, octets, facts)


# Of a signature: its place where it is listed, and its weight.
_BYTES_OF_SIGNATURE = 16


def bytes_of_run(matrices: MatrixClass, weight: str, resources: Resources) -> float:
    """Bytes of a run: what its threads lay out at once, and what is kept, or added up where that is too much.

    >>> from confmat.classes import Tables
    >>> bytes_of_run(Tables(20, 3, 3), "tables", Resources()) < bytes_of_run(Tables(100, 3, 3), "tables", Resources())
    True
    """
    run = run_of(matrices, weight)
    if not matrices or run.refusal is not None:
        return run.bytes
    lanes = moduli_of(matrices, weight).lanes if _is_listed(matrices) else 1
    limit, at_once = limit_of_kept(resources), run.bytes - INTERPRETER
    if _is_listed(matrices):
        work = work_of(matrices)
        kept = work.places / 8 + work.expected * (4 * lanes if lanes > 1 else 2)
        threads = min(resources.cores, len(pieces_of(matrices, lanes)))
        at_once = max(at_once, min(threads * at_once, resources.limits()[1] / 2))
    else:
        kept = _BYTES_OF_SIGNATURE * run.facts["tables"]
    if kept > limit and is_foldable(matrices, lanes):
        kept = limit + bytes_of_sums(matrices, lanes)
    return INTERPRETER + at_once + float(min(kept, 10**300))


def why_not_kept(matrices: MatrixClass, weight: str, resources: Resources) -> str | None:
    """Why signatures are certainly too many to be kept; None where they are not, or only a run tells.

    >>> from confmat.classes import Tables
    >>> why_not_kept(Tables(100, 3, 3), "tables", Resources(memory=2**40))
    'signatures of more than 1.0 GiB'
    """
    if run_of(matrices, weight).refusal is not None or not _is_listed(matrices):
        return None
    if fits(matrices, weight, resources) is not False:
        return None
    return f"signatures of more than {size(limit_of_kept(resources))}"


def _is_listed(matrices: MatrixClass) -> bool:
    """Whether margins are listed, and members counted: they are few, or it takes no time."""
    if number_of_margin_classes(matrices) > _LISTED:
        return False
    return matrices.count_at_once() is not None or about_members(matrices) <= _COUNTED


def _unlisted(matrices: MatrixClass) -> Run:
    """A class that is not listed or counted: lines that may be exchanged are taken for distinct ones."""
    margins = number_of_margin_classes(matrices)
    members = fact_of_members(matrices)
    orders = prod(factorial(min(side.lines, 1000)) for side in matrices.sides or () if side.sums is None)
    tables = sum(members.values()) // orders // (2 if "transposition" in matrices.symmetry else 1)
    facts = {**members, "margin_classes": margins, "tables": tables}
    refusal = None
    if margins > MOST_MARGIN_CLASSES:
        many = whole(MOST_MARGIN_CLASSES)
        refusal = f"more than the {many} pairs of margins listed, of which there may be {whole(margins)}"
    elif matrices.n > MOST_POINTS:
        refusal = f"more points than an enumeration can take ({MOST_POINTS})"
    # Python integers: either may be beyond a double.
    seconds = float(min(10**300, tables // 10**9 + margins // 10**5))
    return Run(seconds, INTERPRETER + float(min(100 * margins, 10**300)), facts, refusal)
