"""Uniform random matrices of a class: by rejection, by exact counting, or under a condition.

``sample`` returns `Draws`. ``stream`` yields draws in chunks without storing them. Both report their method, which
follows from the class: rejection if enough proposals are members, otherwise exact counting. Every method is exact:
draws are independent, and each member is equally likely. An error is raised for a class that no method can draw
from.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from math import inf

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
from confmat.sampling.streams import CountEstimate, Seed, Stream, seed_sequence
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
    matrices: MatrixClass | str,
    size: int = 1,
    *,
    rng: Seed = None,
    given: AnyCondition | None = None,
    method: str = "auto",
    weight: str = "tables",
    limits: Limits | None = None,
) -> DrawQuestion:
    """Check the arguments of ``sample`` or ``stream`` and return them as a `DrawQuestion` or one of its subclasses."""
    where = as_limits(limits)
    matrices = as_class(matrices)
    as_choice("method", method, METHODS)
    as_choice("weight", weight, WEIGHTS)
    if not matrices:
        raise ValueError(f"matrices must have at least one member, got {matrices!r}")
    draws = as_amount("size", size)
    if weight == "labelings":
        if given is not None or method != "auto":
            raise ValueError(
                f'given and method must be left out for weight="labelings", got {given!r} and {method!r}'
            )
        return LabelingsQuestion(matrices, size=draws, limits=where)
    if given is None:
        return replace(question_of_class(matrices, method), size=draws, limits=where)
    wanted = Wanted.of(matrices, given)
    return GivenQuestion(matrices, size=draws, limits=where, wanted=wanted, base=method)


@plannable(_draw_question)
@deadline(Limits())
def sample(
    matrices: MatrixClass | str,
    size: int = 1,
    *,
    rng: Seed = None,
    given: AnyCondition | None = None,
    method: str = "auto",
    weight: str = "tables",
    limits: Limits | None = None,
) -> Draws:
    """Draw independent members of a class, each equally likely.

    Parameters
    ----------
    matrices : MatrixClass
        Class with at least one member.
    size : int
        Number of draws. Default: 1.
    rng : int, Generator or SeedSequence, optional
        Seed or generator. The first k draws of a seed depend neither on ``size`` nor on the number of threads.
    given : str or Condition, optional
        Condition that every draw satisfies, such as "med=4/20", "ard>1" or "rd=1/3, med<=2/20".
    method : {"auto", "rejection", "counting", "unranking"}
        "rejection" proposes compositions and keeps members (Chacon 2019, Appendix C). "counting" draws row by row
        at fixed margins. "unranking" draws a position in any class. With ``given`` the draws of the method are
        filtered. Default: "auto", rejection unless fewer than a thousandth of the proposals are members.
    weight : {"tables", "labelings"}
        "tables" draws each member with the same probability. "labelings" draws each pair of labelings with the same
        probability, so that a matrix with cells x has a probability proportional to n!/prod x!. It needs
        ``Tables(n, r, s, allow_empty=True)`` or ``FixedMargins``, without ``given`` and ``method``. Default:
        "tables".
    limits : Limits, optional
        Threads, time, memory, and progress in draws. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    Draws
        It iterates over the matrices. ``numpy.asarray`` makes an array of shape (size, r, s), and ``distribution``
        the empirical distribution.

    Raises
    ------
    ValueError
        For an empty class, an unknown method, or a value of ``given`` that no member has.
    TooLargeError
        For fixed margins that are too large to count, and draws beyond the limits.
    TooRareError
        If too few members meet ``given``, or rejection finds hardly any member. It can be raised while drawing.

    Notes
    -----
    Given one value of the MED, members are drawn by proposals, however rare the value is. At fixed margins, they are
    drawn by a recursion given statistics that the pairs in common cells determine (RD, RI, ARD, ARI). For other
    conditions the members of a class of few tables are listed. In a larger class, draws from the whole class are
    filtered. If hardly any draw satisfies a condition on MED, RD, ARD or a similar index, the class is enumerated
    instead, for at most ten minutes. A draw then chooses margins by their number of members, one of their tables, and
    the order of rows and columns.

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> draws = sample(Tables(50, 4, 4), 1000, rng=1)
    >>> draws.shape, draws.distribution("ard").sample_size
    ((1000, 4, 4), 1000)
    >>> sample(Tables(50, 2, 2), 1, rng=1, given="med=0")[0].sum()
    np.int64(50)
    >>> sample(Tables(50, 2, 2, allow_empty=True), 1000, rng=1, weight="labelings").distribution("ri").sample_size
    1000
    """
    drawing = stream(matrices, size, rng=rng, given=given, method=method, weight=weight, limits=limits)
    return Draws(drawing.matrices, drawing.array(), drawing.method, drawing.given, weight)


@plannable(lambda *args, **options: replace(_draw_question(*args, **options), held=False))
def stream(
    matrices: MatrixClass | str,
    size: int,
    *,
    rng: Seed = None,
    given: AnyCondition | None = None,
    method: str = "auto",
    weight: str = "tables",
    limits: Limits | None = None,
) -> Stream:
    """Draw independent members of a class in chunks, for any number of draws.

    Parameters
    ----------
    matrices : MatrixClass
        Class with at least one member.
    size : int
        Number of draws.
    rng : int, Generator or SeedSequence, optional
        Seed or generator. The draws depend on it alone, not on the number of threads.
    given : str or Condition, optional
        Condition that every draw satisfies, such as "med=4/20", "ard>1" or "rd=1/3, med<=2/20".
    method : {"auto", "rejection", "counting", "unranking"}
        "rejection" proposes compositions and keeps members (Chacon 2019, Appendix C). "counting" draws row by row
        at fixed margins. "unranking" draws a position in any class. With ``given`` the draws of the method are
        filtered. Default: "auto", rejection unless fewer than a thousandth of the proposals are members.
    weight : {"tables", "labelings"}
        "tables" draws each member with the same probability. "labelings" draws each pair of labelings with the same
        probability, so that a matrix with cells x has a probability proportional to n!/prod x!. It needs
        ``Tables(n, r, s, allow_empty=True)`` or ``FixedMargins``, without ``given`` and ``method``. Default:
        "tables".
    limits : Limits, optional
        Threads, time, memory, and progress in draws. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    Stream
        Iterate over it for arrays of shape (k, r, s). The time limit applies only to its array, its distribution and
        its files, because an iteration can be ended at any time. ``method.name`` and ``method.why`` are the method
        and the reason to choose it.

    Raises
    ------
    ValueError
        For an empty class, an unknown method, or a value of ``given`` that no member has.
    TooLargeError
        For fixed margins that are too large to count, and draws beyond the limits.
    TooRareError
        If too few members meet ``given``, or rejection finds hardly any member. It can be raised while drawing.

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> draws = stream(Tables(6, 6, 6), 10, rng=1)
    >>> draws.method.name, draws.method.why
    ('unranking', 'rejection would accept 0.016% of its proposals')
    """
    asked = _draw_question(matrices, size, given=given, method=method, weight=weight, limits=limits)
    free = replace(asked, limits=replace(asked.limits, seconds=None, memory=inf))
    plan = choose(free)
    condition = str(asked.wanted.condition) if isinstance(asked, GivenQuestion) else ""
    if plan.limit is not None and not condition:
        raise TooLargeError(plan.refusal)
    if plan.limit is not None:
        raise TooRareError(f'{plan.refusal}. Pass method="rejection" to draw without this forecast.')
    with deadline(asked.limits):  # a list of members may take long
        chosen: Sampler = plan.answer()
    matrices = asked.matrices
    _log.info("%r: %s (%s)", matrices, chosen.name, chosen.why)
    return Stream(
        matrices, chosen, asked.size, seed_sequence(rng), asked.limits, plan.seconds, weight, condition
    )
