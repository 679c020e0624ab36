"""Uniform draws given the misclassification error distance (MED), or any other condition.

Draws of ``Tables`` given one value of the MED use the proposals of ``confmat.sampling.given_tables``. For another
condition, members are listed up to the order of rows and columns (``confmat.sampling.given_lists``): all of them in a
class of moderate size, margin by margin in a larger class with few such members. At fixed margins a recursion over
rows (``confmat.sampling.recursion``) draws given a sum over cells. Otherwise draws from the whole class are
*filtered*: draws that do not satisfy the condition are dropped.
"""

import time
from dataclasses import replace
from functools import lru_cache

import numpy as np

from confmat._engine.pieces import STEP
from confmat._engine.run import Enumeration
from confmat._engine.walks import orders_alike
from confmat._limits import Run, duration, look, method, register
from confmat.distributions.given_margins import GivenMargins
from confmat.errors import TooLargeError, TooRareError
from confmat.sampling.choice import sampler_of
from confmat.sampling.given_lists import sampler_of_list, sampler_of_parts, symmetry_of_list
from confmat.sampling.given_tables import best_proposals, exact, seconds_a_draw
from confmat.sampling.methods import DrawnTables, Sampler, Wanted
from confmat.sampling.recursion import decided, given_by_rows
from confmat.sampling.ways import RATE, GivenQuestion, drawing

# Number of filtered draws with one seed, and the largest number of draws from the whole class for them.
FILTER_BLOCK = 4096
FILTERED = 4 * 10**6

# Largest number of CPU seconds for a filtered chunk: draws by position are a hundred times slower than kernels.
MOST_FILTERED = 20

# Largest number of tables enumerated to list the members that satisfy a condition: some seconds.  Larger classes are
# listed in parts, each with at most the second number of tables: a minute.
MOST_TABLES_LISTED = 2 * 10**6
MOST_TABLES_OF_PART = 10**8

# Forecast CPU seconds of draws by proposals above which a list is preferred, and above which they are an error.
MOST_EXACT = 60
MOST_REFUSED = 600

_SECONDS_OF_LISTED = 1e-6

# CPU seconds of a draw by the recursion over rows, measured: 0.1 ms (4 x 4) to 1.5 ms (30 x 30).
_SECONDS_OF_WALK = 1e-3


def _visited(target: Wanted) -> float:
    """Estimate the number of tables that ``sampler_of_list`` enumerates.

    The result is infinite if counting the members of the class takes long, or if there are 2^62 or more.
    """
    count = target.matrices.count_at_once()
    if count is None or count >= 2**62:
        return np.inf
    return count // orders_alike(target.matrices, symmetry_of_list(target))


def _filtered(target: Wanted, base: Sampler) -> Sampler:
    """Return the sampler that filters the draws of ``base`` from the whole class by the condition of ``target``.

    It raises TooRareError after ``FILTERED`` draws or ``MOST_FILTERED`` CPU seconds for a chunk.
    """
    matrices = target.matrices

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        tables_kept: list[np.ndarray] = [np.empty((0, *matrices.shape), np.int64)]
        members_found = draws_made = 0
        begun = time.process_time()
        while members_found < size:
            look()
            if draws_made >= FILTERED or time.process_time() - begun > MOST_FILTERED:
                raise TooRareError(
                    f"only {members_found} of {draws_made} draws from {matrices!r} have {target}, {size} are needed"
                )
            block = base.draw(seeds.spawn(1)[0], FILTER_BLOCK)
            draws_made += len(block.tables)
            tables_kept.append(block.tables[target.each(block.tables)])
            members_found += len(tables_kept[-1])
        return DrawnTables(np.concatenate(tables_kept)[:size], draws_made)

    return replace(
        base,
        name=f"{base.name}, filtered",
        why=f"draws without {target} are dropped",
        draw=draw,
        proposals=None,
        block=FILTER_BLOCK,
    )


# --- as ways to draw ----------------------------------------------------------------------------------


_OTHER_WAY = "is not the requested method"


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
    is_slow = seconds > MOST_EXACT and question.limits.in_force().seconds is None
    if is_slow and isinstance(_listing_given.applies(question), Run):
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
    if _why_no_proposals(question) is None:
        return "is slower than the method proposals"
    return drawing(
        question,
        lambda: _filtered(question.wanted, sampler_of(question.matrices, question.base)),
    )


@lru_cache(maxsize=64)
def _is_rare(target: Wanted) -> bool:
    """Return whether none of the first draws from the whole class satisfies the condition."""
    base = sampler_of(target.matrices)
    tables = base.draw(np.random.SeedSequence(0), min(FILTER_BLOCK, base.block)).tables
    return not target.each(tables).any()


@method(
    "recursion",
    "rows are drawn in proportion to the tables that begin with them and satisfy the condition",
    RATE,
)
def _recursion_given(question: GivenQuestion) -> Run | str:
    """Return the `Run` that draws row by row given a sum over cells, or a string: the reason why it does not apply."""
    if question.base not in ("auto", "counting"):
        return _OTHER_WAY
    if isinstance(decisive_sum := decided(question.wanted), str):
        return decisive_sum
    sampler = given_by_rows(question.wanted)
    return drawing(question, lambda: sampler, _SECONDS_OF_WALK)


@method(
    "listing",
    "the members that satisfy the condition are listed, up to the order of rows and columns",
    RATE,
)
def _listing_given(question: GivenQuestion) -> Run | str:
    """Return the `Run` that draws from a list of the members that satisfy the condition, or a string: why it cannot."""
    target = question.wanted
    is_requested = question.base == "auto"
    tables_visited = _visited(target)
    if tables_visited <= MOST_TABLES_LISTED and (is_requested or _is_rare(target)):
        return drawing(
            question,
            lambda: sampler_of_list(target),
            seconds_once=_SECONDS_OF_LISTED * tables_visited,
            in_one_thread=True,
        )
    if not is_requested:
        return _OTHER_WAY
    too_many = f"would enumerate {tables_visited:.2g} tables (limit {MOST_TABLES_LISTED:.0g})"
    if tables_visited == np.inf or not target.condition.counted or isinstance(decided(target), GivenMargins):
        return too_many
    enumeration = Enumeration(target.matrices, "tables", question.limits)
    seconds = STEP * enumeration.steps
    if seconds > MOST_REFUSED or enumeration.work.of_pairs.max() > MOST_TABLES_OF_PART:
        return too_many
    if not _is_rare(target):
        return "is slower than the method filtering, as a pilot estimates"
    return drawing(question, lambda: sampler_of_parts(target, question.limits), seconds_once=seconds)


register(GivenQuestion, _proposals, _listing_given, _recursion_given, _filtering)
