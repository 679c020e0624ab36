"""The best way to draw from a whole class, and the ways that can be asked for by name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import prod

from confmat.classes import FixedMargins, MatrixClass
from confmat.classes.costs import seconds_to_unrank
from confmat.classes.fibers import short, states
from confmat.errors import TooLarge, Unsupported
from confmat.plans.choice import choose as choose_method
from confmat.plans.methods import Cost, Question, Resources, register
from confmat.plans.methods import Method as Way
from confmat.sampling.chain import markov_chain
from confmat.sampling.methods import (
    LARGEST_TOTAL,
    POOR_ACCEPTANCE,
    Method,
    Wanted,
    acceptance,
    rejection,
    unranking,
)
from confmat.sampling.short_lines import arrangement, from_short_lines, has_short_lines, side_of_points

# Numbers beyond 64 bits that unranking may lay out for fixed margins: a minute, 3 GB.
MOST_ENTRIES = 5 * 10**7


_EVERY = "draws whatever is given"

# Processor seconds of a proposal, in Python and in a kernel, of a cell of it, and of two of its bars in order.
_SECONDS_OF_OWN, _SECONDS_OF_PROPOSAL, _SECONDS_OF_CELL, _SECONDS_OF_ORDER = 2e-5, 2e-8, 5e-9, 2.5e-10
# The same of a cell by counting, of a step of a chain, and of a draw by its position, beside what that counts.
_SECONDS_OF_COUNTING, _SECONDS_OF_STEP, _SECONDS_OF_POSITION = 3e-8, 4e-7, 1e-4


@dataclass(frozen=True)
class DrawQuestion(Question):
    """How to draw ``size`` members of a class uniformly; ``asked``: the way asked for by name.

    ``wanted``: of the members that meet it, if it is not None; ``base``: how the whole class is drawn from on the way
    there, "auto" for the best one.  ``held``: all draws are kept in memory, where a stream keeps none.
    """

    matrices: MatrixClass
    asked: str | None = None
    size: int = 1
    wanted: Wanted | None = None
    base: str = "auto"
    resources: Resources = field(default_factory=Resources)
    held: bool = True

    def __str__(self) -> str:
        given = "" if self.wanted is None else f" given {self.wanted}"
        return f"draw {self.size} members of {self.matrices!r}{given}"

    def why(self, otherwise: str) -> str:
        """Why a way is taken."""
        return otherwise if self.asked is None else "asked for"


def choose(matrices: MatrixClass, method: str = "auto") -> Method:
    """The method called ``method``, or the best one for the class.

    >>> from confmat.classes import FixedRows
    >>> choose(FixedMargins([5, 5, 5], [5, 5, 5])).name, choose(FixedRows([2, 1], 3)).name
    ('counting', 'rejection')
    """
    if method == "splitting":
        raise ValueError('method "splitting" draws given a distance: it needs given="med=value" or another')
    return choose_method(DrawQuestion(matrices, None if method == "auto" else method)).run()


def fixed_margins(matrices: MatrixClass) -> FixedMargins | None:
    """The row and column sums of a class that is all matrices with them; None for any other class.

    >>> from confmat.classes import FixedRows
    >>> fixed_margins(FixedMargins([2, 1], [1, 2])), fixed_margins(FixedRows([2, 1], 2))
    (FixedMargins(rows=(2, 1), cols=(1, 2)), None)
    """
    if matrices.sides is None:
        return None
    rows, cols = (side.sums for side in matrices.sides)
    return None if rows is None or cols is None else FixedMargins(rows, cols)


# --- rejection --------------------------------------------------------------------------------------


def _rejection(question: DrawQuestion) -> Method:
    matrices = question.matrices
    if matrices.proposes:
        return rejection(matrices, question.why("the class makes its own proposals"))
    if question.asked is not None:
        return rejection(matrices, "asked for")
    share = acceptance(matrices)
    return rejection(
        matrices,
        "every proposal is a member" if share == 1 else f"it accepts {float(share):.2%} of its proposals",
    )


def _no_rejection(question: DrawQuestion) -> str | None:
    matrices = question.matrices
    if question.wanted is not None:
        return _EVERY
    if matrices.proposes or question.asked is not None:
        return None
    if matrices.sides is None:
        return "proposes by margins, which do not tell what is a member"
    if fixed_margins(matrices) is not None:
        return "is for margins that are free"
    share = acceptance(matrices)
    if matrices.n >= LARGEST_TOTAL:
        return "takes totals of 64 bits"
    return None if share >= POOR_ACCEPTANCE else f"would accept {100 * float(share):.2g}% of its proposals"


def _cost_of_rejection(question: DrawQuestion) -> Cost:
    matrices = question.matrices
    if matrices.proposes or matrices.sides is None:
        return _cost(question, _SECONDS_OF_OWN)
    cells = prod(matrices.shape)
    # Of few places bars are marked.
    bars = min(
        cells // prod(len(side.sums) for side in matrices.sides if side.sums), matrices.n // 2**12 * cells
    )
    each = _SECONDS_OF_PROPOSAL + (_SECONDS_OF_CELL + _SECONDS_OF_ORDER * bars) * cells
    return _cost(question, float(1 / max(acceptance(matrices), POOR_ACCEPTANCE)) * each)


# --- fixed margins ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class CountingQuestion(Question):
    """How to draw exactly from fixed margins by numbers of completions."""

    margins: FixedMargins

    def __str__(self) -> str:
        return f"draw from {self.margins!r} by counting"


@lru_cache(maxsize=4)
def _completed(question: CountingQuestion) -> Method | str:
    """Draws by states of equal columns, or why there are too many: told by counting them, in seconds."""
    try:
        return from_short_lines(question.margins)
    except TooLarge as error:
        return str(error)


def _too_many_states(question: CountingQuestion) -> str | None:
    found = _completed(question)
    return found if isinstance(found, str) else None


def _no_arrays(question: CountingQuestion) -> str | None:
    from confmat.sampling.fixed import countable

    if has_short_lines(question.margins):
        return "are larger than states of equal columns"
    return None if countable(question.margins) else "have no room for numbers of completions"


def _by_arrays(question: CountingQuestion) -> Method:
    from confmat.sampling.fixed import counted

    return counted(question.margins, "numbers of completions fit 64 bits")


def _counting(question: DrawQuestion) -> Method:
    margins = fixed_margins(question.matrices)
    assert margins is not None
    found: Method = choose_method(CountingQuestion(margins)).run()
    return found if question.asked is None else replace(found, why="asked for")


def _no_counting(question: DrawQuestion) -> str | None:
    margins = fixed_margins(question.matrices)
    if question.wanted is not None:
        return _EVERY
    if margins is None:
        return "is for FixedMargins"
    try:
        limit = choose_method(CountingQuestion(margins)).limit
    except Unsupported:
        return "has no room for margins too large to count in arrays"
    return None if limit is None else f"finds too many tables to count: {limit}"


def _chain(question: DrawQuestion) -> Method:
    margins = fixed_margins(question.matrices)
    assert margins is not None
    return markov_chain(margins, question.why(_no_unranking(question) or "asked for"))


def _no_chain(question: DrawQuestion) -> str | None:
    if question.wanted is not None:
        return _EVERY
    if fixed_margins(question.matrices) is None:
        return "is for FixedMargins"
    exact = _no_counting(question) is None or _no_unranking(question) is None
    return "is approximate, where exact draws are possible" if exact and question.asked is None else None


# --- any class --------------------------------------------------------------------------------------


def _unranking(question: DrawQuestion) -> Method:
    matrices = question.matrices
    if question.asked is not None:
        return unranking(matrices, "asked for")
    if matrices.sides is None:
        return unranking(matrices, f"one of {short(matrices.count())} members by its position")
    if fixed_margins(matrices) is not None:
        return unranking(matrices, f"exact counting of {short(matrices.count())} tables")
    if matrices.n >= LARGEST_TOTAL:
        return unranking(matrices, "the total exceeds 64-bit integers")
    return unranking(matrices, f"rejection {_no_rejection(question)}")


def _no_unranking(question: DrawQuestion) -> str | None:
    margins = fixed_margins(question.matrices)
    if question.wanted is not None:
        return _EVERY
    if margins is None or question.asked is not None:
        return None
    entries = states(margins.cols) * len(margins.rows)
    large = margins.n < LARGEST_TOTAL and min(margins.shape) > 2 and entries > MOST_ENTRIES
    return "unranking, which is exact, would count for minutes" if large else None


def _cost(question: DrawQuestion, each: float) -> Cost:
    return Cost(
        each * question.size,
        2**28 + 8 * prod(question.matrices.shape) * question.size * question.held,
        question.resources.cores,
    )


register(
    Way(
        "arrangement",
        CountingQuestion,
        lambda question: arrangement(question.margins),
        lambda question: Cost(0),
        why="lines of one point are labels in random order",
        gives="exact, independent draws",
        refusal=lambda question: (
            None if side_of_points(question.margins) is not None else "is of single points"
        ),
    ),
    Way(
        "arrays",
        CountingQuestion,
        _by_arrays,
        lambda question: Cost(0),
        why="numbers of completions fit 64 bits",
        gives="exact, independent draws",
        grade=1,
        refusal=_no_arrays,
    ),
    Way(
        "equal columns",
        CountingQuestion,
        _completed,
        lambda question: Cost(0),
        why="equal columns share a state",
        gives="exact, independent draws",
        grade=1,
        refusal=lambda question: None if has_short_lines(question.margins) else "are no fewer than in arrays",
        limit=_too_many_states,
    ),
)

register(
    Way(
        "rejection",
        DrawQuestion,
        _rejection,
        _cost_of_rejection,
        why="proposals are uniform, and kept when they are members",
        gives="exact, independent draws",
        refusal=_no_rejection,
    ),
    Way(
        "counting",
        DrawQuestion,
        _counting,
        lambda question: _cost(question, _SECONDS_OF_COUNTING * prod(question.matrices.shape)),
        why="row by row, each as often as it can be completed",
        gives="exact, independent draws",
        grade=1,
        refusal=_no_counting,
    ),
    Way(
        "unranking",
        DrawQuestion,
        _unranking,
        lambda question: _cost(question, _SECONDS_OF_POSITION + seconds_to_unrank(question.matrices)),
        why="the member at a uniform position",
        gives="exact, independent draws",
        grade=2,
        refusal=_no_unranking,
    ),
    Way(
        "chain",
        DrawQuestion,
        _chain,
        lambda question: _cost(question, _SECONDS_OF_STEP * prod(question.matrices.shape)),
        why="margins are too large to count",
        gives="approximate, dependent draws",
        grade=3,
        refusal=_no_chain,
    ),
)
