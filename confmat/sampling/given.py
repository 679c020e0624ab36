"""Uniform draws given the misclassification error distance (MED), or any other condition.

Draws of ``Tables`` given one value of the MED use the proposals of ``confmat.sampling.given_tables``. For another
condition, the members of a class of moderate size are listed up to the order of rows and columns. At fixed margins
a recursion over rows (``confmat.sampling.recursion``) draws given a sum over cells. Otherwise draws from the whole
class are *filtered*: draws that do not satisfy the condition are dropped.
"""

import time
from dataclasses import replace
from functools import lru_cache
from math import factorial

import numpy as np

from confmat._engine.walks import tables_under
from confmat._limits import Run, duration, look, method, register
from confmat.classes.orbits import Generators
from confmat.errors import TooLargeError, TooRareError
from confmat.sampling.choice import sampler_of
from confmat.sampling.given_tables import best_proposals, exact, seconds_a_draw
from confmat.sampling.kernels import MOST_LINES
from confmat.sampling.methods import LARGEST_INDEXED, DrawnTables, Sampler, Wanted, no_member
from confmat.sampling.random_bits import generator_of
from confmat.sampling.recursion import decided, given_by_rows
from confmat.sampling.ways import RATE, GivenQuestion, drawing
from confmat.statistics.clusterings import MED

# Number of filtered draws with one seed, and the largest number of draws from the whole class for them.
FILTER_BLOCK = 4096
FILTERED = 4 * 10**6

# Largest number of CPU seconds for a filtered chunk: draws by position are a hundred times slower than kernels.
MOST_FILTERED = 20

# If fewer than one member in this number satisfies the condition, draws from a small class are from a list.
_RARE = 1000

# Largest number of tables enumerated to list the members that satisfy a condition: some seconds.
MOST_TABLES_LISTED = 2 * 10**6

# Forecast CPU seconds of draws by proposals above which a list is preferred, and above which they are an error.
MOST_EXACT = 60
MOST_REFUSED = 600

_SECONDS_OF_LISTED = 1e-6

# CPU seconds of a draw by the recursion over rows, measured: 0.1 ms (4 x 4) to 1.5 ms (30 x 30).
_SECONDS_OF_WALK = 1e-3


def _free(target: Wanted) -> Generators:
    """Return which of the symmetries "rows" and "columns" both the class and the condition of ``target`` have.

    Tables are then listed in one order of the rows or columns, and drawn in all orders.
    """
    matrices = target.matrices
    return target.condition.symmetry & matrices.symmetry & {"rows", "columns"}


def _visited(target: Wanted) -> float:
    """Estimate the number of tables that ``_list_sampler`` enumerates.

    The result is infinite if the members of the class cannot be counted, or if there are 2^62 or more.
    """
    matrices = target.matrices
    free_lines = _free(target)
    try:
        count = matrices.count_at_once()
    except ValueError:  # margins that cannot be counted
        count = None
    if count is None:
        return np.inf
    # Rows (columns) that may be exchanged are listed in one order only.
    orders = 1
    for side, lines in zip(matrices.possible_sums, ("rows", "columns")):
        if side.sums is None and lines in free_lines:
            orders *= factorial(side.lines)
    if count < 2**62:
        return count // orders
    return np.inf


def _members_as(target: Wanted) -> tuple[np.ndarray, np.ndarray]:
    """Return the members that satisfy the condition, one of each orbit, and the orbit sizes.

    An orbit consists of the members that permutations of rows or columns (those of ``_free``) make of one member.
    Raise ValueError if there are no members.
    """
    members = []
    weights = []
    for batch, copies in tables_under(target.matrices.margins(_free(target))):
        is_wanted = target.each(batch)
        members.append(batch[is_wanted])
        weights.append(copies[is_wanted])
    if not sum(map(len, members)):
        raise no_member(target.matrices, target)
    return np.concatenate(members), np.concatenate(weights).astype(np.int64)


def _list_sampler(target: Wanted) -> Sampler:
    """Return the sampler that draws from a list of the members that satisfy the condition."""
    members, weights = _members_as(target)
    running, free_lines, (r, s) = np.cumsum(weights), _free(target), target.matrices.shape

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        # A generator for each array, so that the first draws do not depend on the size.
        of_members, of_columns, of_rows = map(generator_of, seeds.spawn(3))
        tables = members[np.searchsorted(running, of_members.integers(0, running[-1], size), side="right")]
        if "columns" in free_lines:
            tables = np.take_along_axis(tables, _random_orders(of_columns, size, s)[:, None, :], axis=2)
        if "rows" in free_lines:
            tables = np.take_along_axis(tables, _random_orders(of_rows, size, r)[:, :, None], axis=1)
        return DrawnTables(tables, size)

    return Sampler("listing", f"all {running[-1]} members with {target} are known", draw)


def _random_orders(rng: np.random.Generator, size: int, lines: int) -> np.ndarray:
    """Return random permutations of 0, ..., ``lines`` - 1, one in each of ``size`` rows."""
    return rng.permuted(np.tile(np.arange(lines), (size, 1)), axis=1)


def _filtered(target: Wanted, base: Sampler, limit: int) -> Sampler:
    """Return the sampler that filters the draws of ``base`` from the whole class by the condition of ``target``.

    It raises TooRareError after ``limit`` draws or ``MOST_FILTERED`` CPU seconds for a chunk.
    """
    matrices = target.matrices

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        tables_kept: list[np.ndarray] = [np.empty((0, *matrices.shape), np.int64)]
        members_found = draws_made = 0
        begun = time.process_time()
        while members_found < size:
            look()
            if draws_made >= limit or time.process_time() - begun > MOST_FILTERED:
                raise TooRareError(
                    f"only {members_found} of {draws_made} draws from {matrices!r} have {target}, {size} are needed"
                )
            block = base.draw(seeds.spawn(1)[0], FILTER_BLOCK)
            draws_made += len(block.tables)
            tables = block.tables.astype(np.int64, copy=False)
            tables_kept.append(tables[target.each(tables)])
            members_found += len(tables_kept[-1])
        return DrawnTables(np.concatenate(tables_kept)[:size], draws_made)

    name = f"{base.name}, filtered"
    reason = f"draws without {target} are dropped"
    return replace(base, name=name, why=reason, draw=draw, proposals=None, block=FILTER_BLOCK)


# --- as ways to draw ----------------------------------------------------------------------------------


_OTHER_WAY = "is not the requested method"


def _why_not_matched(question: GivenQuestion) -> str | None:
    """Return the reason why the MED of a class cannot be computed in compiled loops.

    It is None if the MED can be computed, or is not needed.
    """
    if MED not in question.wanted.condition.statistics:
        return None
    if max(question.matrices.shape) <= MOST_LINES and question.matrices.n < LARGEST_INDEXED:
        return None
    return f"is for at most {MOST_LINES} rows and columns and n < 2^62"


@method("proposals", "the proposals that find members fastest in a trial run", RATE)
def _proposals(question: GivenQuestion) -> Run | str:
    """Return the `Run` that draws by proposals given the MED, or a string: the reason why it does not apply.

    Proposals that are not members are rejected. A request for the method "rejection" therefore includes this
    method.
    """
    matrices = question.matrices
    points_unmatched = question.wanted.unmatched
    if (reason := _why_no_proposals(question)) is not None:
        return reason
    assert points_unmatched is not None
    seconds: float = 0
    if question.size and question.base == "auto":  # without a forecast if the method is requested
        seconds_each = seconds_a_draw(matrices, points_unmatched)
        seconds = question.size * seconds_each
    is_listed = isinstance(_listing_given.applies(question), Run)
    if seconds > MOST_EXACT and question.limits.in_force().seconds is None and is_listed:
        return f"would take about {duration(seconds)} (limit {duration(MOST_EXACT)})"
    if seconds > MOST_REFUSED:
        raise TooLargeError(f"exact draws would take over {MOST_REFUSED} s, about {seconds_each:.2g} s each")

    def sampler() -> Sampler:
        return exact(matrices, points_unmatched, best_proposals(matrices, points_unmatched))

    return drawing(question, sampler, seconds_once=seconds, in_one_thread=True)


def _why_no_proposals(question: GivenQuestion) -> str | None:
    """Return the reason why proposals given the MED do not apply, None if they do."""
    if question.wanted.unmatched is None:
        return 'draws given one value of the MED: it needs given="med=value"'
    if reason := _why_not_matched(question):
        return reason
    if question.base not in ("auto", "rejection"):
        return _OTHER_WAY
    if not question.matrices.unrestricted:
        return "is for Tables only"
    return None


@method(
    "filtering",
    "draws from the whole class are kept if they satisfy the condition",
    RATE,
)
def _filtering(question: GivenQuestion) -> Run | str:
    """Return the `Run` that filters draws from the whole class, or a string: the reason why it does not apply."""
    if reason := _why_not_matched(question):
        return reason
    if _why_no_proposals(question) is None:
        return "is slower than the method proposals"
    return drawing(question, lambda: _filtered_or_listed(question))


def _filtered_or_listed(question: GivenQuestion) -> Sampler:
    """Return the sampler that filters draws from the whole class by the requested method.

    If the class is small and hardly any member satisfies the condition, return a sampler that draws from a list.
    """
    target = question.wanted
    matrices = target.matrices
    if question.base != "auto" and _visited(target) <= MOST_TABLES_LISTED:
        members = int(_members_as(target)[1].sum())
        if members * _RARE < matrices.count():
            return _list_sampler(target)
    return _filtered(target, sampler_of(matrices, question.base), FILTERED)


@method(
    "recursion",
    "rows are drawn in proportion to the tables that begin with them and satisfy the condition",
    RATE,
)
def _recursion_given(question: GivenQuestion) -> Run | str:
    """Return the `Run` that draws row by row given a sum over cells, or a string: the reason why it does not apply."""
    if reason := _why_not_matched(question):
        return reason
    if question.base not in ("auto", "counting"):
        return _OTHER_WAY
    if isinstance(decisive_sum := decided(question.wanted), str):
        return decisive_sum
    sampler = _given_by_rows(question.wanted)
    if isinstance(sampler, str):
        raise TooLargeError(sampler)
    return drawing(question, lambda: sampler, _SECONDS_OF_WALK)


@lru_cache(maxsize=16)
def _given_by_rows(target: Wanted) -> Sampler | str:
    """Return the sampler that draws row by row given a sum over cells.

    Return a string with the reason if the recursion over rows would need too many numbers.
    """
    try:
        return given_by_rows(target)
    except TooLargeError as error:
        return str(error)


@method(
    "listing",
    "the members that satisfy the condition are listed, up to the order of rows and columns",
    RATE,
)
def _listing_given(question: GivenQuestion) -> Run | str:
    """Return the `Run` that draws from a list of the members that satisfy the condition, or a string: why it cannot."""
    if reason := _why_not_matched(question):
        return reason
    if question.base != "auto":
        return _OTHER_WAY
    tables_visited = _visited(question.wanted)
    if tables_visited > MOST_TABLES_LISTED:
        return f"would enumerate {tables_visited:.2g} tables (limit {MOST_TABLES_LISTED:.0g})"
    return drawing(
        question,
        lambda: _list_sampler(question.wanted),
        seconds_once=_SECONDS_OF_LISTED * tables_visited,
        in_one_thread=True,
    )


register(GivenQuestion, _proposals, _listing_given, _recursion_given, _filtering)
