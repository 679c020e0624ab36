"""What an enumeration costs, before it starts, from counts alone.

The work is linear in a few numbers of the class: states of half tables listed, tables made of them, histogram cells
looked at, places for signatures filled, signatures or moments described.  How long one of each takes is known roughly
for an ordinary core; ``confmat.engine.timing`` times them in a part of the very class.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial, prod

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.jobs import (
    MOST_MARGIN_CLASSES,
    RowJob,
    is_transposed,
    number_of_margin_classes,
    row_jobs,
)
from confmat.engine.memory import memory_of_job, memory_of_sums
from confmat.engine.numbers import (
    SHARE_OF_QUARTILES,
    expected_signatures,
    is_rounded,
    memory_of_moments,
    number_of_bins,
    number_of_distances,
    places_by_a,
    primes_of_pass,
)
from confmat.engine.reduce import BINS
from confmat.engine.signatures import AT_ONCE, by_table, bytes_to_hold
from confmat.engine.sizes import (
    about_members,
    cells_to_hold,
    fact_of_members,
    is_walked,
    shards,
    sizes_of,
    steps_of_walk,
    tables_to_visit,
)
from confmat.engine.work import EVERY, Pass
from confmat.plans.methods import Cost, Resources, duration, excess, size, whole

# Classes with more margin classes are not listed for a rough cost.
_LISTED = 5 * 10**6

# Nor are members counted, where that takes long and there are more.
_COUNTED = 10**15

# So many rows of a class whose margins are not listed tell what it needs.
_MOST_ROWS = 20

# Processor seconds that take an ordinary core: a state listed (at 6 x 6, where its rows are expanded in so many steps;
# as much longer as there are more), a table made, a histogram cell looked at, a place for a signature laid out; a set
# of columns of a table walked by itself; a pass begun and ended; a signature described, for each prime of its weight.
_RATES = np.array([2e-7, 1e-9, 2e-9, 1e-8])
_EXPANSION = 96
_STEP = 3e-8
_PASS = 7e-3
_DESCRIBED_LISTED, _DESCRIBED_PACKED = 4.2e-7, 3.7e-8
_SORTED = 7e-7  # a signature that is listed, among those of its shard and of all
_MARGINS = 5e-6  # a margin class, whatever is done with it

# What a moment of a margin class at one distance takes, modulo one prime, where there are hardly more tables.
_MOMENT = 4.2e-7

# A moment that is divided and rounded down.
_QUOTIENT = 1e-7

# Bytes: the interpreter with what it loads; a signature that is listed and put together, and for each prime; a packed
# one in a block, with what is computed of it.
INTERPRETER = 180 * 2**20
_BYTES_LISTED = (72, 24)
_BYTES_OF_ROW = 40


@dataclass(frozen=True)
class Enumeration:
    """A class to be enumerated with a weight, in one or two ``passes``: to hold its signatures, or sums."""

    matrices: MatrixClass
    weight: str
    held: bool
    passes: int = 1

    @cached_property
    def task(self) -> Pass:
        """What each pass computes."""
        primes = primes_of_pass(self.matrices, self.weight)
        wanted = EVERY if by_table(self.matrices, self.weight) else None
        return Pass(self.matrices, self.weight, primes, wanted, packed=self.held and wanted is None)

    @property
    def lanes(self) -> int:
        """Primes modulo which every state and table is weighed."""
        return 1 if self.weight == "tables" else max(1, len(self.task.primes))

    def work(self) -> np.ndarray:
        """States to list, tables to visit, histogram cells to look at, places to fill: what dense passes cost by."""
        sizes = sizes_of(self.matrices)
        places = sum(places_by_a(self.matrices)) if self.task.packed else 0
        return np.array([sizes.states.sum(), sizes.pairings.sum(), sizes.cells.sum(), places])


@dataclass(frozen=True)
class Found:
    """What enumerating takes, in seconds of all passes, and the signatures that it leaves: number and bytes."""

    seconds: float
    signatures: float
    bytes: float


def rough(asked: Enumeration, described: int, threads: int) -> Cost:
    """The cost by the rates of an ordinary core, with ``described`` statistics described.

    >>> from confmat.classes import Tables
    >>> rough(Enumeration(Tables(20, 3, 3), "tables", True), 2, 1).seconds < 5
    True
    >>> rough(Enumeration(Tables(100, 8, 9), "tables", False), 2, 1).seconds > 1e9
    True
    """
    if not asked.matrices:
        return Cost(0, INTERPRETER)
    if not _is_listed(asked.matrices):
        return _unlisted(asked, threads)
    by_walk = is_walked(asked.matrices)
    seconds = _STEP * steps_of_walk(asked.matrices) if by_walk else seconds_of_pairing(asked)
    return cost_of(asked, expected(asked, seconds), described, threads)


def seconds_of_pairing(asked: Enumeration) -> float:
    """What a dense pass takes one ordinary core, by the margins of the class, which are listed.

    >>> from confmat.classes import Tables
    >>> seconds_of_pairing(Enumeration(Tables(20, 3, 3), "tables", True)) < 1
    True
    """
    few, many = sorted(asked.matrices.shape)
    expansion = min(10**300, sum(k * comb(many, k) for k in range(1, -(-few // 2) + 1)))
    return asked.lanes * float(asked.work() @ (_RATES * [max(1.0, expansion / _EXPANSION), 1, 1, 1]))


def refusal_of_margins(asked: Enumeration, resources: Resources) -> str | None:
    """Why a class is not even listed or counted: its margins are too many, or the rough cost alone is too much.

    >>> from confmat.classes import Tables
    >>> refusal_of_margins(Enumeration(Tables(60, 5, 5), "tables", True), Resources(threads=2))
    'about 127 days and 833 GiB of memory'
    """
    if _is_listed(asked.matrices):
        return None
    cost, margins = _unlisted(asked, resources.cores), number_of_margin_classes(asked.matrices)
    about = f"about {duration(cost.wall)} and {size(cost.bytes)} of memory"
    many = whole(MOST_MARGIN_CLASSES)
    if margins > MOST_MARGIN_CLASSES:
        return f"{about}, and more than the {many} pairs of margins listed, of which there may be {whole(margins)}"
    return about if excess(cost.wall, cost.bytes, resources) else None


def _is_listed(matrices: MatrixClass) -> bool:
    """Whether margins are listed, and members counted, for a rough cost: they are few, or it takes no time."""
    few = number_of_margin_classes(matrices) <= _LISTED
    return few and (matrices.count_at_once() is not None or about_members(matrices) <= _COUNTED)


def _unlisted(asked: Enumeration, threads: int) -> Cost:
    """A class that is not listed or counted: lines that may be exchanged are taken for distinct ones."""
    matrices, margins = asked.matrices, number_of_margin_classes(asked.matrices)
    members = fact_of_members(matrices)
    orders = prod(factorial(min(side.lines, 1000)) for side in matrices.sides or () if side.sums is None)
    tables = sum(members.values()) // orders // (2 if "transposition" in matrices.symmetry else 1)
    facts = {
        **members,
        "margin_classes": margins,
        "tables": tables,
        "passes": asked.passes,
    }
    # Python integers: either may be beyond a double.
    seconds = min(10**300, tables * asked.passes // 10**9 + margins // 10**5)
    job = _most_even(matrices)
    sparse = margins * job.histogram_cells > 30 * tables  # about what ``is_sparse`` says
    # Labelings: as much is needed where the number of all matrices does not fit, which is not asked here.
    working = 2**26 if sparse else memory_of_job(Pass(matrices, "labelings", (2**62,), packed=True), job)
    octets = INTERPRETER + float(min(threads * working + 100 * margins, 10**300))
    return Cost(float(seconds), octets, threads, facts=facts)


def _most_even(matrices: MatrixClass) -> RowJob:
    """The row margin whose halves have most states, no column margins; of many rows some: no memory has their states.

    >>> from confmat.classes import Tables
    >>> _most_even(Tables(62, 5, 6)).rows
    (13, 13, 12, 12, 12)
    """
    turned = is_transposed(matrices)
    few, many = matrices.shape[::-1] if turned else matrices.shape
    side = matrices.sides[turned] if matrices.sides else None
    r = min(few, _MOST_ROWS)
    even = tuple((matrices.n + i) // r for i in reversed(range(r)))
    rows = even if side is None or side.sums is None else side.sums[:_MOST_ROWS]
    nothing = np.zeros((0, many), np.int64)
    return RowJob(rows, nothing, nothing[:, 0])


def expected(asked: Enumeration, seconds: float) -> Found:
    """A pass of so many seconds, and the signatures that are expected of the class."""
    seconds *= asked.passes
    signatures: float
    if by_table(asked.matrices, asked.weight):
        signatures = cells_to_hold(asked.matrices)
        return Found(seconds, signatures, signatures * _bytes_of_listed(asked))
    signatures = expected_signatures(asked.matrices)
    return Found(seconds, signatures, bytes_to_hold(asked.matrices, asked.weight))


def _bytes_of_listed(asked: Enumeration) -> int:
    each, of_prime = _BYTES_LISTED
    return each + of_prime * len(asked.task.primes)


def cost_of(asked: Enumeration, found: Found, described: int, threads: int) -> Cost:
    """Enumerating; describing what was found, and what is done once a pass, which one thread does."""
    matrices, jobs = asked.matrices, row_jobs(asked.matrices)
    margins, primes = sum(len(job.cols) for job in jobs), len(asked.task.primes)
    busy = min(threads, len(jobs))
    if asked.held:
        listed = _SORTED + described * _DESCRIBED_LISTED
        each = listed if by_table(matrices, asked.weight) else described * _DESCRIBED_PACKED
        describing = each * found.signatures
    else:
        moments = margins * number_of_distances(matrices) * primes
        rounded = is_rounded(matrices, asked.weight)
        describing = (_QUOTIENT if rounded else _MOMENT if described else 0.0) * moments
    facts = {
        **fact_of_members(matrices),
        "margin_classes": margins,
        "tables": tables_to_visit(matrices),
        "signatures": int(found.signatures),
        "passes": asked.passes,
    }
    describing += _PASS * asked.passes
    return Cost(found.seconds + _MARGINS * margins, _memory(asked, found, busy), busy, describing, facts)


def _memory(asked: Enumeration, found: Found, threads: int) -> float:
    """Peak bytes: what each thread works in, and what is held."""
    matrices, weight = asked.matrices, asked.weight
    dense = (memory_of_job(asked.task, job) for job in row_jobs(matrices))
    working = 2**26 if is_walked(matrices) else max(dense)
    held: float
    if not asked.held:
        # The sums of each thread, their total, and that as Python integers.
        held = (threads + 2) * memory_of_sums(matrices, weight)
        exact = not is_rounded(matrices, weight)
        moments = exact * memory_of_moments(matrices, weight)
        # Of every margin class of a shard, one by one, put together and sorted: moments, and least and largest F in 4
        # bytes; the moments of the shard before, while they are added to those of all, three times.
        margins, parts = sum(len(job.cols) for job in row_jobs(matrices)), len(shards(matrices))
        of_margin = number_of_distances(matrices) * (16 + exact * 48 * len(asked.task.primes))
        first = threads * of_margin * margins // parts + 3 * moments // parts
        # Signatures of the bins of quartiles, which the second pass finds.
        finer = number_of_bins(matrices, weight) / BINS
        second = SHARE_OF_QUARTILES / finer * found.signatures * _bytes_of_listed(asked) * (asked.passes > 1)
        held += moments + max(first, second)
    elif by_table(matrices, weight):
        held = found.bytes
    else:
        lanes = len(asked.task.primes) if weight == "labelings" else 1
        working += 8 * max(places_by_a(matrices), default=0) * lanes
        rows = min(AT_ONCE, 3 * found.signatures / number_of_distances(matrices))
        # A third of it again while the shards are put together; rows while it is described, after that.
        held = found.bytes + max(found.bytes / 3, _BYTES_OF_ROW * rows)
    return INTERPRETER + threads * working + held
