"""Uniform draws given the misclassification error distance, or any condition.

Given a distance from Tables by the proposals of ``confmat.sampling.given_tables``, exact as long as a pilot finds
that they take seconds; MED = 0 is built directly.  From fixed margins or rows by *filtering* draws from the whole
class.
*Listing*: walk through a class of moderate size up to relabeling, where it is small or a pilot shows that the
others find too little; exact as well.  Where nothing exact is feasible, draws are approximate, by *splitting*
(see ``confmat.sampling.splitting``), up to its number of lines; beyond, exact draws are refused when they would
take too long.  Other conditions by listing, filtering, or at fixed margins by a recursion over rows
(``confmat.sampling.short_lines``); splitting does not know them.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import factorial, prod

import numpy as np

from confmat.classes.symmetry import NONE, Symmetry
from confmat.engine.matchings import MOST_LINES
from confmat.engine.walks import batches
from confmat.errors import TooLarge, TooRare
from confmat.plans.methods import Cost, register
from confmat.plans.methods import Method as Way
from confmat.sampling.chain import markov_chain
from confmat.sampling.choice import DrawQuestion, choose, fixed_margins
from confmat.sampling.distance import Wanted, no_member
from confmat.sampling.given_tables import PILOT_SECONDS, best_proposals, exact, seconds_a_draw
from confmat.sampling.methods import LARGEST_TOTAL, Block, Method
from confmat.sampling.short_lines import from_short_lines
from confmat.sampling.splitting import MOST_LINES as MOST_SPLIT_LINES
from confmat.sampling.splitting import expected_seconds, multilevel

# Draws made with one seed when they are filtered, and how many from the whole class they may take.
FILTER_BLOCK = 4096
FILTERED = 4 * 10**6

# Tables visited to list the members with a distance: at once, and when a pilot finds few of them (seconds).
LISTED = 10**6
MOST_LISTED = 2 * 10**7

# The pilot of filtering: this many draws must come from that many.
PILOT_DRAWS = 20
PILOT = 20_000

# Seconds on one core that exact draws from Tables may take: before splitting takes over, before they are refused.
MOST_EXACT = 60
MOST_REFUSED = 600


def given_med(wanted: Wanted, m: int, size: int = 1) -> Method:
    """The best way to draw ``size`` members with MED = m/n.

    Splitting takes over where nothing exact finds enough, and what takes too long is refused.
    Raises ValueError when no member has this distance (as far as it is known), and for more columns than the
    matching by sets of columns can take; TooRare where the draws are refused.

    >>> from confmat.classes import Tables
    >>> method = given_med(Wanted.of(Tables(20, 3, 3), "med=4/20"), 4, size=10)
    >>> method.name, method.draw(np.random.SeedSequence(1), 3).tables.shape
    ('matched', (3, 3, 3))
    """
    matrices = wanted.matrices
    if max(matrices.shape) > MOST_LINES or matrices.n >= LARGEST_TOTAL:
        raise ValueError(f"given needs at most {MOST_LINES} rows and columns and n < 2^62, got {matrices!r}")
    visited = _visited(wanted)
    if matrices.unrestricted:
        return _from_tables(wanted, m, size, visited)
    if visited <= LISTED:
        return _listed(wanted)
    whole = choose(matrices)
    splits = max(matrices.shape) <= MOST_SPLIT_LINES and matrices.sides is not None
    margins = fixed_margins(matrices)
    if splits and visited > MOST_LISTED and whole.name == "unranking" and margins is not None:
        why = "exact draws from the whole class are too slow to filter"  # some hundredths of a second each
        return multilevel(matrices, markov_chain(margins, why), m, why)
    if visited <= MOST_LISTED or splits:
        return _piloted(wanted, whole, visited, lambda why: multilevel(matrices, whole, m, why))
    return _filtered(wanted, whole, FILTERED)


def given_condition(wanted: Wanted) -> Method:
    """The best way to draw members under any condition; TooRare where none is found that is exact.

    >>> from confmat.classes import FixedMargins, Tables
    >>> given_condition(Wanted.of(Tables(50, 4, 4), "ard>1")).name
    'rejection, filtered'
    >>> given_condition(Wanted.of(FixedMargins([9] * 4, [9] * 4), "ard<1/3")).name
    'counting'
    """
    visited, margins = _visited(wanted), fixed_margins(wanted.matrices)
    if visited <= LISTED:
        return _listed(wanted)
    if margins is not None and (pairs := wanted.pairs(margins)) is not None:
        with suppress(TooLarge):
            return from_short_lines(margins, pairs)

    def refused(why: str) -> Method:
        raise TooRare(
            f"draws from {wanted.matrices!r} given {wanted}: {why}, and splitting takes one value of the MED"
        )

    return _piloted(wanted, choose(wanted.matrices), visited, refused)


def _piloted(wanted: Wanted, whole: Method, visited: float, otherwise: Callable[[str], Method]) -> Method:
    """Filtering where a pilot finds enough members, a list where these are not too many, else what is said."""
    try:
        _filtered(wanted, whole, PILOT).draw(np.random.SeedSequence(0), PILOT_DRAWS)
    except TooRare:
        if visited <= MOST_LISTED:
            return _listed(wanted)
        return otherwise(f"less than {PILOT_DRAWS} of {PILOT} draws from the whole class meet it")
    return _filtered(wanted, whole, FILTERED)


def _obeyed(wanted: Wanted, name: str) -> Method:
    """Draws by the method of this name, kept when they are as asked for; never another one.

    Rejection from Tables given a MED proposes tables near it, and rejects.
    """
    matrices, m = wanted.matrices, wanted.unmatched
    if name == "rejection" and matrices.unrestricted and m is not None:
        return exact(matrices, m, best_proposals(matrices, m))
    return _filtered(wanted, choose(matrices, name), FILTERED)


def _from_tables(wanted: Wanted, m: int, size: int, visited: float) -> Method:
    """Proposals; where a pilot predicts that they take too long, a list, splitting, or an error that says so."""
    matrices = wanted.matrices
    proposals = best_proposals(matrices, m)
    method = exact(matrices, m, proposals)
    if not proposals.number or not size:
        return method
    each = seconds_a_draw(matrices, m, proposals)
    needed = each * size
    if needed <= MOST_EXACT:
        return method
    if visited <= MOST_LISTED:
        return _listed(wanted)
    why = f"a pilot of {PILOT_SECONDS:.0f} s found none" if each == np.inf else f"about {each:.2g} s each"
    if max(matrices.shape) <= MOST_SPLIT_LINES:
        if needed <= expected_seconds(matrices, size):
            return method
        return multilevel(matrices, choose(matrices), m, f"exact draws take too long, {why}")
    if needed <= MOST_REFUSED:
        return method
    feasible = "" if each == np.inf else f"{int(MOST_REFUSED / each)} are feasible; "
    raise TooRare(
        f"exact draws from {matrices!r} given {wanted} would take over {MOST_REFUSED} s ({why}), "
        f'and splitting takes at most {MOST_SPLIT_LINES} lines: {feasible}method "rejection" tries all the same'
    )


def _free(wanted: Wanted) -> Symmetry:
    """Lines that class and condition leave free: they are listed in one order, and drawn in all."""
    matrices = wanted.matrices
    shared = wanted.condition.symmetry & matrices.symmetry & {"rows", "columns"}
    return shared if matrices.sides is not None else NONE


def _visited(wanted: Wanted) -> float:
    """About how many tables ``_listed`` walks through; infinite where too many, or not known."""
    matrices, free = wanted.matrices, _free(wanted)
    try:
        count = matrices.count()
    except ValueError:  # margins that cannot be counted
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
            kept.append(block.tables[wanted.each(block.tables)])
            found += len(kept[-1])
        return Block(np.concatenate(kept)[:size], drawn)

    name, why = f"{base.name}, filtered", f"other draws than with {wanted} are dropped"
    return replace(base, name=name, why=why, draw=draw, proposals=None, block=FILTER_BLOCK)


# --- as ways to draw ----------------------------------------------------------------------------------


def _given(question: DrawQuestion) -> Method:
    wanted = question.wanted
    assert wanted is not None
    if question.base != "auto":
        return _obeyed(wanted, question.base)
    if wanted.unmatched is None:
        return given_condition(wanted)
    return given_med(wanted, wanted.unmatched, question.size)


def _splitting(question: DrawQuestion) -> Method:
    assert question.wanted is not None
    assert question.wanted.unmatched is not None
    return multilevel(question.matrices, choose(question.matrices), question.wanted.unmatched, "asked for")


def _not_given(question: DrawQuestion) -> str | None:
    return (
        'draws under a condition: it needs given="med=value" or another' if question.wanted is None else None
    )


def _no_distance(question: DrawQuestion) -> str | None:
    if question.wanted is None or question.wanted.unmatched is None:
        return 'draws given one value of the MED: it needs given="med=value"'
    return None


def _cost(question: DrawQuestion) -> Cost:
    r, s = question.matrices.shape
    few, many = sorted((r, s))
    each = 1e-5 * (1 + 0.003 * s * min(few << many, 10**9))
    return Cost(each * question.size, 2**28 + 8 * r * s * question.size, question.resources.cores)


def _cost_of_splitting(question: DrawQuestion) -> Cost:
    return replace(_cost(question), seconds=expected_seconds(question.matrices, question.size))


register(
    Way(
        "given",
        DrawQuestion,
        _given,
        _cost,
        why="proposals, a list or filtering as a pilot tells; approximate where nothing exact is feasible",
        gives="draws that meet the condition; their method says whether exact",
        refusal=_not_given,
    ),
    Way(
        "splitting",
        DrawQuestion,
        _splitting,
        _cost_of_splitting,
        why="populations that come nearer to the MED level by level",
        gives="approximate draws with this MED, however rare",
        grade=1,
        refusal=_no_distance,
    ),
)
