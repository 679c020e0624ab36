"""Uniform draws from classes of matrices: by rejection, by exact counting, or given a condition.

``sample`` returns `Draws`.  ``stream`` yields chunks and keeps no draw in memory.  Both report how they draw.  The
method follows from the class: rejection if enough proposals are members, exact counting otherwise.  Every method is
exact: draws are independent, and each member is equally likely.  A class that no method reaches is refused.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from math import inf
from typing import Any

from confmat._arguments import as_amount, as_choice
from confmat._engine.blocks import WEIGHTS
from confmat._limits import Limits, as_limits, choose, deadline, plannable
from confmat.classes import MatrixClass, as_class
from confmat.errors import TooLargeError, TooRareError
from confmat.sampling import given as _given  # noqa: F401 (its ways)
from confmat.sampling.choice import question_of_class
from confmat.sampling.draws import Draws
from confmat.sampling.labelings import LabelingsQuestion
from confmat.sampling.methods import Sampler, Wanted
from confmat.sampling.streams import CountEstimate, Seed, Stream, as_dtype, seed_sequence
from confmat.sampling.ways import DrawQuestion, GivenQuestion
from confmat.statistics.conditions import AnyCondition

__all__ = [
    "METHODS",
    "CountEstimate",
    "Draws",
    "Stream",
    "TooRareError",
    "sample",
    "stream",
]

METHODS = ("auto", "rejection", "counting", "unranking")

_log = logging.getLogger(__name__)


def _draw_question(
    matrices: MatrixClass,
    size: int = 1,
    *,
    rng: Seed = None,
    given: AnyCondition | None = None,
    method: str = "auto",
    weight: str = "tables",
    dtype: Any = None,
    limits: Limits | None = None,
) -> DrawQuestion:
    """What a call of ``sample`` or ``stream`` asks, its arguments checked."""
    where = as_limits(limits)
    matrices = as_class(matrices)
    as_choice("method", method, METHODS)
    as_choice("weight", weight, WEIGHTS)
    if not matrices:
        raise ValueError(f"{matrices!r} has no members to draw from")
    draws = as_amount("size", size)
    if weight == "labelings":
        if given is not None or method != "auto":
            raise ValueError(f'given and method must be of weight "tables", got {given!r}, {method!r}')
        return LabelingsQuestion(matrices, size=draws, limits=where)
    if given is None:
        return replace(question_of_class(matrices, method), size=draws, limits=where)
    wanted = Wanted.of(matrices, given)
    return GivenQuestion(matrices, size=draws, limits=where, wanted=wanted, base=method)


@plannable(_draw_question)
@deadline(Limits())
def sample(
    matrices: MatrixClass,
    size: int = 1,
    *,
    rng: Seed = None,
    given: AnyCondition | None = None,
    method: str = "auto",
    weight: str = "tables",
    dtype: Any = None,
    limits: Limits | None = None,
) -> Draws:
    """Draw ``size`` members of a class, each equally likely, or in proportion to their pairs of labelings.

    `Draws` iterate over the matrices, ``np.asarray`` makes them an array of shape (size, r, s), int64 unless ``dtype``
    says otherwise, and ``.distribution("med", "ard")`` is their empirical law.  Arguments and errors as for ``stream``.

    >>> from confmat.classes import Tables
    >>> draws = sample(Tables(50, 4, 4), 1000, rng=1)
    >>> draws.shape, draws.distribution("ard").sample_size
    ((1000, 4, 4), 1000)
    >>> sample(Tables(50, 2, 2), 1, rng=1, given="med=0")[0].sum()
    np.int64(50)
    >>> sample(Tables(50, 2, 2, allow_empty=True), 1000, rng=1, weight="labelings").distribution("ri").sample_size
    1000
    """
    # reads: a parameter for each thing that may be asked
    options: dict[str, Any] = {"method": method, "weight": weight, "dtype": dtype, "limits": limits}
    drawing = stream(matrices, size, rng=rng, given=given, **options)
    return Draws(drawing.matrices, drawing.array(), drawing.method, drawing.given, weight)


@plannable(lambda *args, **options: replace(_draw_question(*args, **options), held=False))
def stream(
    matrices: MatrixClass,
    size: int,
    *,
    rng: Seed = None,
    given: AnyCondition | None = None,
    method: str = "auto",
    weight: str = "tables",
    dtype: Any = None,
    limits: Limits | None = None,
) -> Stream:
    """Draws from a class in chunks, for any number of them: iterate over the result.

    ``rng``: a seed or a numpy Generator; the draws depend on it alone, not on threads.
    ``given``: any condition, such as "med=4/20", "ard>1" or "rd=1/3, med<=2/20".  One value of the MED is drawn by
    proposals, however rare it is; at fixed margins what the pairs in common cells decide (RD, RI, ARD, ARI, ...) by a
    recursion, exactly; other conditions from a list of the members where these are at most 10^7 or so, or from the
    whole class, keeping the draws that meet it.  A condition that hardly any of 20 000 draws meet is refused before a
    draw is made.
    ``weight``: "tables" draws each member with the same probability.  "labelings" draws each pair of labelings with the
    same probability, so a matrix with cells x in proportion to n!/prod x!.  It takes ``Tables(n, r, s,
    allow_empty=True)`` and ``FixedMargins``, and neither ``given`` nor ``method``.
    ``dtype``: integer type of the chunks (default: int64). Products of cells overflow silently in small types.
    ``limits``: threads, and progress in draws; a stream may be left at any time, so its time is not limited, but
    that of its ``array`` and ``law``, and of a file of all draws.
    ``method``: "rejection" (Chacon 2019, Appendix C; ``rejection_rate`` and ``estimated_count`` of the result),
    "counting" (fixed margins, row by row), "unranking" (any class of any size).  A method that is named is taken, its
    draws kept when they meet ``given``, or refused.  "auto" is rejection unless less than a thousandth of the proposals
    are members.  ``method.name`` and ``method.why`` of the result, and the log at level INFO, name the method taken.

    Raises ValueError for an empty class, an unknown method, or a value of ``given`` that no member has.  Raises
    TooLargeError (a ValueError) for fixed margins that are too large to count.  Raises TooRareError (a ValueError,
    possibly while drawing) if too few members meet ``given``, or if rejection finds hardly any member.

    >>> from confmat.classes import Tables
    >>> draws = stream(Tables(6, 6, 6), 10, rng=1)
    >>> draws.method.name, draws.method.why
    ('unranking', 'rejection would accept 0.016% of its proposals')
    """
    # reads: a parameter for each thing that may be asked
    asked = _draw_question(matrices, size, given=given, method=method, weight=weight, limits=limits)
    free = replace(asked, limits=replace(asked.limits, seconds=None, memory=inf))
    plan = choose(free)
    condition = str(asked.wanted.condition) if isinstance(asked, GivenQuestion) else ""
    if plan.limit is not None and not condition:
        raise TooLargeError(plan.refusal)
    if plan.limit is not None:
        raise TooRareError(f'{plan.refusal}; method "rejection" tries all the same')
    chosen: Sampler = plan.answer()
    _log.info("%r: %s (%s)", matrices, chosen.name, chosen.why)
    kind = as_dtype(dtype, matrices.n)
    return Stream(
        matrices, chosen, asked.size, seed_sequence(rng), kind, asked.limits, plan.seconds, weight, condition
    )
