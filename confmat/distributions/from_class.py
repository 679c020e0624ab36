"""The front door to laws: over a class of matrices."""

from __future__ import annotations

from typing import Any

from confmat._engine.blocks import WEIGHTS
from confmat._limits import (
    Limits,
    as_limits,
    plannable,
)
from confmat.classes import MatrixClass, as_class
from confmat.distributions.multivariate import JointDistribution
from confmat.distributions.sources import Pass, Source
from confmat.distributions.univariate import Distribution
from confmat.distributions.ways import LawQuestion
from confmat.statistics.record import Statistic
from confmat.statistics.table import statistics_over


def _question(
    matrices: MatrixClass | str,
    *statistics: str | Statistic | Any,
    weight: str = "tables",
    limits: Limits | None = None,
) -> LawQuestion:
    """What a call of ``joint_distribution`` asks, its arguments checked."""
    matrices = as_class(matrices)
    records = statistics_over(matrices, statistics)
    resources_read = as_limits(limits)
    if weight not in WEIGHTS:
        raise ValueError(f'weight must be "tables" or "labelings", got {weight!r}')
    return LawQuestion(matrices, records, weight, resources_read)


@plannable(_question)
def joint_distribution(
    matrices: MatrixClass | str,
    *statistics: str | Statistic | Any,
    weight: str = "tables",
    limits: Limits | None = None,
) -> JointDistribution:
    """Exact joint law of some statistics over a class of matrices.

    ``confmat table`` is this on the command line.

    ``statistics``: short names of the table ``confmat.statistics.STATISTICS`` (``confmat statistics`` prints it; some
    are of square matrices alone, rows = truth), the index functions that they name, or functions of a matrix of one's
    own (wrapped in ``Statistic`` to declare what leaves them unchanged).
    ``weight``: "tables", each matrix once (the default), or "labelings", each pair of labelings once, n!/prod x! for a
    matrix with cells x.
    ``limits``: threads or executor, checkpoint, progress.  A law with a statistic that has no formula is computed
    table by table, in one thread: it takes progress, but no executor and no checkpoint.  A function compiled by
    ``numba.njit`` runs in a compiled loop: (20,3,3), 2.8 million matrices without a symmetry, in two seconds.

    Nothing is enumerated before something is asked of the result (``confmat.plan(joint, ...)`` tells what that takes;
    beyond the limits, an hour by default, it is refused: TooLargeError); then one pass answers everything, as long as
    the distinct values of what the statistics depend on can be held: (50,4,4), 2*10^14 matrices, takes minutes and 0.4
    GB.

    ``assumptions`` of the result lists the declared symmetries of user-defined statistics.

    Raises TypeError or ValueError for an unknown statistic or weight, or a metric of a class that is not square.

    >>> from confmat.classes import Tables
    >>> law = joint_distribution(Tables(5, 2, 2), "med", "rd", "ard")
    >>> law.total, law["rd"].mean(exact=True), law.given("med<=1/5")["ard"].max(), law.probability("ard>1")
    (36, Fraction(2, 5), Fraction(5, 6), Fraction(4, 9))
    >>> from confmat.classes import FixedRows
    >>> rows = FixedRows([3, 2, 1], 2, allow_empty=False)
    >>> joint_distribution(rows, "ri", weight="labelings")["ri"].mean(exact=True)  # Gates and Ahn (2017)
    Fraction(236, 465)
    >>> [(str(value), given.total, given["rd"].mean(exact=True)) for value, given in law.groupby("med")]
    [('0', 8, Fraction(0, 1)), ('1/5', 12, Fraction(2, 5)), ('2/5', 16, Fraction(3, 5))]
    """
    question = _question(matrices, *statistics, weight=weight, limits=limits)
    every_signature = Pass(question.matrices, question.weight, question.limits)
    return JointDistribution(question.matrices, question.statistics, question.weight, Source(every_signature))


@plannable(_question)
def distribution(
    matrices: MatrixClass | str,
    statistic: str | Statistic | Any,
    weight: str = "tables",
    limits: Limits | None = None,
) -> Distribution:
    """Exact distribution of one statistic over a class of matrices.

    The same as ``joint_distribution(matrices, statistic)[name]``, with the same arguments and errors.

    >>> from confmat.classes import Tables
    >>> distribution(Tables(5, 2, 2), "rd").mean(exact=True)
    Fraction(2, 5)
    """
    of_one = joint_distribution(matrices, statistic, weight=weight, limits=limits)
    return of_one[of_one.names[0]]
