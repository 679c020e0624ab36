"""Methods to draw from a whole class, in order of preference, and the choice of one of them.

>>> from confmat.classes import FixedRows
>>> sampler_of(FixedMargins([5, 5, 5], [5, 5, 5])).name, sampler_of(FixedRows([2, 1], 3)).name
('counting', 'rejection')
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import prod

from confmat._limits import Run, choose, method, register
from confmat.classes import FixedMargins, MatrixClass
from confmat.classes.fibers import multisets, short, states
from confmat.classes.tables import as_fixed_margins
from confmat.errors import TooLargeError
from confmat.sampling.methods import (
    LARGEST_INDEXED,
    POOR_ACCEPTANCE,
    Sampler,
    acceptance,
    rejection,
    unranking,
)
from confmat.sampling.recursion import arrangement, by_rows, side_of_points
from confmat.sampling.ways import RATE, DrawQuestion, drawing

# Largest number of states of column sums up to order: graphs with more states have too many edges.
MOST_RECURSED = 50_000

# Largest number of integers beyond 64 bits that unranking stores for fixed margins: one minute, 3 GB.
MOST_UNRANKED_ENTRIES = 5 * 10**7

# CPU seconds of a draw by its position, without the counting.
_SECONDS_OF_POSITION = 1e-4


def sampler_of(matrices: MatrixClass, method: str = "auto") -> Sampler:
    """Return the sampler of a method by name, or of the best method for the class ("auto").

    >>> sampler_of(FixedMargins([5, 5, 5], [5, 5, 5]), "unranking").why
    'asked for'
    """
    sampler: Sampler = choose(question_of_class(matrices, method)).run()
    return sampler


def question_of_class(matrices: MatrixClass, method: str) -> DrawQuestion:
    """Return the question of drawing one member of ``matrices``, from which a method of sampling is chosen.

    ``method`` is the name of a method, or "auto" for the best one.

    >>> from confmat.classes import Tables
    >>> question_of_class(Tables(4, 2, 2), "auto").asked is None
    True
    """
    return DrawQuestion(matrices, None if method == "auto" else method)


@method("rejection", "proposals are uniform, and kept when they are members", RATE)
def _rejection(question: DrawQuestion) -> Run | str:
    """Return the `Run` that draws by rejection, or a string: the reason why it does not apply."""
    matrices = question.matrices
    objection = _why_no_rejection(matrices)
    if objection and question.asked is None:
        return objection
    share = acceptance(matrices)
    accepts = "every proposal is a member"
    if share < 1:
        accepts = f"it accepts {float(share):.2%} of its proposals"
    seconds_each = RATE * prod(matrices.shape) / float(max(share, POOR_ACCEPTANCE))
    return drawing(question, lambda: rejection(matrices, question.why(accepts)), seconds_each)


def _why_no_rejection(matrices: MatrixClass) -> str:
    """Return the reason against rejection for a class, "" if there is none.

    >>> from confmat.classes import Tables
    >>> _why_no_rejection(Tables(6, 6, 6)), _why_no_rejection(Tables(20, 3, 3))
    ('would accept 0.016% of its proposals', '')
    """
    if as_fixed_margins(matrices) is not None:
        return "is for classes with free row sums or column sums"
    share = acceptance(matrices)
    if matrices.n >= LARGEST_INDEXED:
        return "is for totals below 2^62"
    if share >= POOR_ACCEPTANCE:
        return ""
    return f"would accept {100 * float(share):.2g}% of its proposals"


@method("counting", "rows are drawn in proportion to the number of tables that begin with them", RATE)
def _counting(question: DrawQuestion) -> Run | str:
    """Return the `Run` that draws tables at fixed margins row by row, or a string: the reason why it does not apply.

    A row is drawn in proportion to the number of its completions, the tables that begin with the rows drawn so far.
    """
    margins = as_fixed_margins(question.matrices)
    if margins is None:
        return "is for FixedMargins"
    sampler = _counting_draws(margins)
    if isinstance(sampler, str):
        return sampler
    return drawing(question, lambda: replace(sampler, why=question.why(sampler.why)))


@lru_cache(maxsize=4)
def _counting_draws(margins: FixedMargins) -> Sampler | str:
    """Return the sampler that draws row by row, each row in proportion to the number of its completions.

    Completions are the tables that begin with the rows drawn so far. Return a string with the reason if there are
    too many such numbers.

    >>> _counting_draws(FixedMargins([5, 5, 5], [5, 5, 5])).why, _counting_draws(FixedMargins([1, 1, 1], [2, 1])).why
    ('numbers of completions, equal columns sharing a state', 'rows of one point are labels in random order')
    """
    if side_of_points(margins) is not None:
        return arrangement(margins)
    if min(multisets(margins.rows), multisets(margins.cols)) > MOST_RECURSED:
        return f"finds rows and cols too large to count: more than {MOST_RECURSED} states of the column sums"
    try:
        return by_rows(margins)
    except TooLargeError as error:
        return f"exceeds a limit: {error}"


@method("unranking", "the member at a uniform position", RATE)
def _unranking(question: DrawQuestion) -> Run | str:
    """Return the `Run` that draws uniform positions in the ordered class and returns the members there.

    Raise TooLargeError for fixed margins that are too large to count.
    """
    matrices = question.matrices
    margins = as_fixed_margins(matrices)
    if margins is not None and question.asked is None:
        entries = states(margins.cols) * len(margins.rows)
        if margins.n < LARGEST_INDEXED and min(margins.shape) > 2 and entries > MOST_UNRANKED_ENTRIES:
            raise TooLargeError(
                f"the margins are too large to count: drawing their tables would store {short(entries)} numbers (limit "
                f"{MOST_UNRANKED_ENTRIES})"
            )
    seconds_each = _SECONDS_OF_POSITION + matrices.seconds_to_unrank()
    return drawing(
        question, lambda: unranking(matrices, question.why(_why_unranking(matrices))), seconds_each
    )


def _why_unranking(matrices: MatrixClass) -> str:
    """Return the reason, as text, to draw members by their positions in the ordered class."""
    if as_fixed_margins(matrices) is not None:
        return f"exact counting of {short(matrices.count())} tables"
    if matrices.n >= LARGEST_INDEXED:
        return "the total exceeds 64-bit integers"
    return f"rejection {_why_no_rejection(matrices)}"


register(DrawQuestion, _rejection, _counting, _unranking)
