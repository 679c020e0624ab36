"""Uniform draws given the misclassification error distance, or any condition.

Given a distance from Tables by the proposals of ``confmat.sampling.given_tables``, exact as long as a pilot finds
that they take seconds; MED = 0 is built directly.  From fixed margins or rows by *filtering* draws from the whole
class.
*Listing*: walk through a class of moderate size up to relabeling, where it is small or a pilot shows that the
others find too little; exact as well.  Where nothing exact is feasible, draws are approximate, by *splitting*
(see ``confmat.sampling.splitting``), up to its number of lines; beyond, exact draws are refused when they would
take too long.  Other conditions by listing, filtering, or at fixed margins a recursion over rows
(``confmat.sampling.short_lines``); of these splitting knows one side, or one value, of MED, RD or ARD.  What takes how
long is said here, what is taken is the plan's choice.
"""

from dataclasses import replace
from functools import lru_cache
from math import factorial, prod

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.orbits import NONE, Symmetry
from confmat.engine.matchings import MOST_LINES
from confmat.engine.walks import batches
from confmat.errors import TooLarge, TooRare
from confmat.plans.methods import Cost, register
from confmat.plans.methods import Method as Way
from confmat.sampling.chain import markov_chain
from confmat.sampling.choice import DrawQuestion, choose, fixed_margins
from confmat.sampling.given_tables import PILOT_SECONDS, best_proposals, exact, seconds_a_draw
from confmat.sampling.methods import LARGEST_TOTAL, Block, Method, Wanted, no_member
from confmat.sampling.short_lines import from_short_lines
from confmat.sampling.splitting import MOST_LINES as MOST_SPLIT_LINES
from confmat.sampling.splitting import Goal, expected_seconds, multilevel
from confmat.statistics.clusterings import MED

# Draws made with one seed when they are filtered, and how many from the whole class they may take.
FILTER_BLOCK = 4096
FILTERED = 4 * 10**6

# Tables visited to list the members with a distance: at once, and when a pilot finds few of them (seconds).
LISTED = 10**6
MOST_LISTED = 2 * 10**7

# The pilot of filtering: this many draws must come from that many; fewer where no other way is exact.
PILOT_DRAWS = 20
PILOT = 20_000
FEWEST = 3

# Seconds on one core that exact draws from Tables may take: before splitting takes over, before they are refused.
MOST_EXACT = 60
MOST_REFUSED = 600

_SECONDS_OF_TABLE = 1e-6


def _free(wanted: Wanted) -> Symmetry:
    """Lines that class and condition leave free: they are listed in one order, and drawn in all."""
    matrices = wanted.matrices
    shared = wanted.condition.symmetry & matrices.symmetry & {"rows", "columns"}
    return shared if matrices.sides is not None else NONE


def _visited(wanted: Wanted) -> float:
    """About how many tables ``_listed`` walks through; infinite where too many, or not known."""
    matrices, free = wanted.matrices, _free(wanted)
    try:
        count = matrices.count_at_once()
    except ValueError:  # margins that cannot be counted
        count = None
    if count is None:
        return np.inf
    if matrices.sides is None:
        return count
    orders = prod(
        factorial(side.lines)
        for side, lines in zip(matrices.sides, ("rows", "columns"))
        if side.sums is None and lines in free
    )
    # Members are numbered in 64 bits.
    return count // orders if count < 2**62 else np.inf


def _listed(wanted: Wanted) -> Method:
    """Positions in a list of the members, one of each that lines in another order turn it into."""
    matrices, free = wanted.matrices, _free(wanted)
    found, weights = [], []
    for batch, weight in batches(matrices, free):
        found.append(batch[wanted.each(batch)])
        weights += [weight] * len(found[-1])
    if not weights:
        raise no_member(matrices, wanted)
    members, running = np.concatenate(found), np.cumsum(np.array(weights, np.int64))
    r, s = matrices.shape

    def draw(seeds: np.random.SeedSequence, size: int) -> Block:
        rng = np.random.Generator(np.random.PCG64(seeds))
        tables = members[np.searchsorted(running, rng.integers(0, running[-1], size), side="right")]
        if "columns" in free:
            tables = np.take_along_axis(tables, _orders(rng, size, s)[:, None, :], axis=2)
        if "rows" in free:
            tables = np.take_along_axis(tables, _orders(rng, size, r)[:, :, None], axis=1)
        return Block(tables, size)

    return Method("listing", f"all {running[-1]} members with {wanted} are known", draw)


def _orders(rng: np.random.Generator, size: int, lines: int) -> np.ndarray:
    """Random permutations of 0..lines - 1, one in each row."""
    return rng.permuted(np.tile(np.arange(lines), (size, 1)), axis=1)


def _filtered(wanted: Wanted, base: Method, limit: int) -> Method:
    """Draws from the whole class, at most ``limit`` for a block, kept when they are as asked for."""
    matrices = wanted.matrices

    def draw(seeds: np.random.SeedSequence, size: int) -> Block:
        kept: list[np.ndarray] = [np.empty((0, *matrices.shape), np.int64)]
        found = drawn = 0
        while found < size:
            if drawn >= limit:
                raise TooRare(
                    f"only {found} of {drawn} draws from {matrices!r} had {wanted}, {size} are needed"
                )
            block = base.draw(seeds.spawn(1)[0], FILTER_BLOCK)
            drawn += len(block.tables)
            tables = block.tables.astype(np.int64, copy=False)
            kept.append(tables[wanted.each(tables)])
            found += len(kept[-1])
        return Block(np.concatenate(kept)[:size], drawn)

    name, why = f"{base.name}, filtered", f"draws without {wanted} are dropped"
    return replace(base, name=name, why=why, draw=draw, proposals=None, block=FILTER_BLOCK)


# --- as ways to draw ----------------------------------------------------------------------------------


def _not_given(question: DrawQuestion) -> str | None:
    if question.wanted is None:
        return 'draws under a condition: it needs given="med=value" or another'
    if MED in question.wanted.condition.statistics and (
        max(question.matrices.shape) > MOST_LINES or question.matrices.n >= LARGEST_TOTAL
    ):
        return f"takes at most {MOST_LINES} rows and columns and n < 2^62"
    return None


def _no_distance(question: DrawQuestion) -> str | None:
    if question.wanted is not None and question.wanted.unmatched is None:
        return 'draws given one value of the MED: it needs given="med=value"'
    return _not_given(question)


def _wanted(question: DrawQuestion) -> Wanted:
    assert question.wanted is not None
    return question.wanted


def _at(question: DrawQuestion) -> tuple[MatrixClass, int]:
    """The class, and the points that are not matched."""
    m = _wanted(question).unmatched
    assert m is not None
    return question.matrices, m


def _cost(question: DrawQuestion) -> Cost:
    r, s = question.matrices.shape
    few, many = sorted((r, s))
    each = 1e-5 * (1 + 0.003 * s * min(few << many, 10**9))
    return Cost(
        each * question.size, 2**28 + 8 * r * s * question.size * question.held, question.resources.cores
    )


def _no_proposals(question: DrawQuestion) -> str | None:
    """They are rejected where they are no member, so they are meant by "rejection" too."""
    if reason := _no_distance(question):
        return reason
    if question.base not in ("auto", "rejection"):
        return "is another way than the one asked for"
    return None if question.matrices.unrestricted else "knows Tables alone"


def _cost_of_proposals(question: DrawQuestion) -> Cost:
    return Cost(seconds_a_draw(*_at(question)) * question.size if question.size else 0, _cost(question).bytes)


def _slowness(question: DrawQuestion) -> str:
    each = seconds_a_draw(*_at(question))
    return f"a pilot of {PILOT_SECONDS:.0f} s found none" if each == np.inf else f"about {each:.2g} s each"


def _by_proposals(question: DrawQuestion) -> Method:
    (matrices, m), seconds = _at(question), _cost_of_proposals(question).seconds
    if question.base == "auto" and seconds > MOST_REFUSED:
        each = seconds / question.size
        feasible = "" if each == np.inf else f"{int(MOST_REFUSED / each)} are feasible; "
        raise TooRare(
            f"exact draws from {matrices!r} given MED = {m}/{matrices.n} would take over {MOST_REFUSED} s "
            f"({_slowness(question)}), and splitting takes at most {MOST_SPLIT_LINES} lines: {feasible}"
            'method "rejection" tries all the same'
        )
    return exact(matrices, m, best_proposals(matrices, m))


def _no_listing(question: DrawQuestion) -> str | None:
    reason = _not_given(question)
    if reason is None and question.base != "auto":
        return "is another way than the one asked for"
    if reason is None and (visited := _visited(_wanted(question))) > MOST_LISTED:
        return f"would walk through {visited:.2g} tables, at most {MOST_LISTED:.0g}"
    return reason


def _cost_of_listing(question: DrawQuestion) -> Cost:
    return Cost(_SECONDS_OF_TABLE * _visited(_wanted(question)), _cost(question).bytes)


def _no_filtering(question: DrawQuestion) -> str | None:
    if reason := _not_given(question):
        return reason
    if _no_proposals(question) is None:
        return "is slower than proposals"
    short = question.base == "auto" and _visited(_wanted(question)) <= LISTED
    return "is not needed where a list is short" if short else None


def _poor_filtering(question: DrawQuestion) -> str | None:
    """Why draws from the whole class are too slow, or hardly ever as wanted: with a block, where no way is exact."""
    matrices, whole = question.matrices, choose(question.matrices, question.base)
    exact = not (_no_listing(question) and _no_recursion(question))
    if not exact and _no_splitting(question) and (question.base != "auto" or whole.name == "unranking"):
        return None
    if whole.name == "unranking" and fixed_margins(matrices) is not None:
        return "long: draws from the whole class are too slow to filter"
    needed = PILOT_DRAWS if exact else max(FEWEST, PILOT * min(question.size, FILTER_BLOCK) // FILTERED)
    try:
        _filtered(_wanted(question), whole, PILOT).draw(np.random.SeedSequence(0), needed)
    except TooRare:
        return f"more than {PILOT} draws from the whole class to have {needed} with {question.wanted}"
    return None


def _by_filtering(question: DrawQuestion) -> Method:
    return _filtered(_wanted(question), choose(question.matrices, question.base), FILTERED)


@lru_cache(maxsize=16)
def _recursion(wanted: Wanted) -> Method | str:
    """Draws row by row by the pairs in common cells, or why they are too many to count."""
    margins = fixed_margins(wanted.matrices)
    assert margins is not None
    try:
        return from_short_lines(margins, wanted.pairs)
    except TooLarge as error:
        return str(error)


def _no_recursion(question: DrawQuestion) -> str | None:
    if reason := _not_given(question):
        return reason
    if question.base not in ("auto", "counting") or _wanted(question).pairs is None:
        return "is for what pairs in common cells, 10^7 at most, decide at fixed margins"
    return "is not needed where a list is short" if _visited(_wanted(question)) <= LISTED else None


def _too_many_states(question: DrawQuestion) -> str | None:
    found = _recursion(_wanted(question))
    return found if isinstance(found, str) else None


def _no_splitting(question: DrawQuestion) -> str | None:
    matrices, reason = question.matrices, _not_given(question)
    if reason is None and Goal.of(_wanted(question)) is None:
        reason = "climbs to one value or to one side of med, rd or ard (ri, ari, ...)"
    if reason is not None or question.asked is not None:
        return reason
    if question.base != "auto":
        return "is approximate, where exact draws are asked for"
    if max(matrices.shape) > MOST_SPLIT_LINES or matrices.sides is None:
        return f"takes classes known by their margins, of at most {MOST_SPLIT_LINES} lines"
    if _no_proposals(question):
        return None
    quick = _cost_of_proposals(question).seconds <= _cost_of_splitting(question).seconds
    return "would take longer than exact draws" if quick else None


def _cost_of_splitting(question: DrawQuestion) -> Cost:
    return replace(_cost(question), seconds=expected_seconds(question.matrices, question.size))


def _splitting(question: DrawQuestion) -> Method:
    margins, whole = fixed_margins(question.matrices), choose(question.matrices)
    if whole.name == "unranking" and margins is not None:
        whole = markov_chain(margins, "exact draws from the whole class are too slow")
    return multilevel(_wanted(question), whole, "asked for" if question.asked else _why_not_exact(question))


def _why_not_exact(question: DrawQuestion) -> str:
    if not _no_proposals(question):
        return f"exact draws take too long, {_slowness(question)}"
    return f"exact draws would take {_poor_filtering(question)}"


register(
    Way(
        "proposals",
        DrawQuestion,
        _by_proposals,
        _cost_of_proposals,
        why="those that find members soonest, as a pilot tells",
        gives="exact draws with this MED",
        refusal=_no_proposals,
        patience=MOST_EXACT,
    ),
    Way(
        "filtering",
        DrawQuestion,
        _by_filtering,
        _cost,
        why="enough draws from the whole class meet the condition",
        gives="draws that meet the condition, exact where those from the class are",
        refusal=_no_filtering,
        limit=_poor_filtering,
    ),
    Way(
        "recursion",
        DrawQuestion,
        lambda question: _recursion(_wanted(question)),
        _cost,
        why="rows by the numbers of completions with so many pairs in common cells",
        gives="exact draws that meet the condition",
        refusal=_no_recursion,
        limit=_too_many_states,
    ),
    Way(
        "listing",
        DrawQuestion,
        lambda question: _listed(_wanted(question)),
        _cost_of_listing,
        why="the members that meet the condition can be listed up to the order of lines",
        gives="exact draws that meet the condition",
        grade=1,
        refusal=_no_listing,
    ),
    Way(
        "splitting",
        DrawQuestion,
        _splitting,
        _cost_of_splitting,
        why="populations that come nearer to the distance level by level",
        gives="approximate draws at this distance or beyond, however rare",
        grade=2,
        refusal=_no_splitting,
    ),
)
