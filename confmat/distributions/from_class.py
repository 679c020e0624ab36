"""Functions that return the exact distribution of statistics over a class of matrices."""

from __future__ import annotations

from typing import Any

from confmat._arguments import as_choice
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
    """Check the arguments of ``joint_distribution`` and return them as a `LawQuestion`."""
    matrices = as_class(matrices)
    records = statistics_over(matrices, statistics)
    as_choice("weight", weight, WEIGHTS)
    return LawQuestion(matrices, records, weight, as_limits(limits))


@plannable(_question)
def joint_distribution(
    matrices: MatrixClass | str,
    *statistics: str | Statistic | Any,
    weight: str = "tables",
    limits: Limits | None = None,
) -> JointDistribution:
    """Return the exact joint distribution of statistics over a class of matrices.

    On the command line this is ``confmat table``.

    Parameters
    ----------
    matrices : MatrixClass or str
        Class of matrices, such as ``Tables(20, 3, 3)``, or its text "3x3 n=20".
    *statistics : str, Statistic or callable
        Short names in ``confmat.statistics.STATISTICS``, functions of indices, or user-defined functions of a
        matrix. A ``Statistic`` declares the symmetry of a function.
    weight : {"tables", "labelings"}
        "tables" counts each matrix once. "labelings" counts each pair of labelings once, n!/prod x! for a matrix
        with cells x. Default: "tables".
    limits : Limits, optional
        Time, memory, threads or executor, checkpoint, progress. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    JointDistribution
        Its ``assumptions`` list the declared symmetries of user-defined statistics.

    Raises
    ------
    TypeError, ValueError
        For an unknown statistic or weight, or a metric of a class that is not square.
    TooLargeError
        When a result is requested that exceeds the limits. Default: an hour.

    Notes
    -----
    Nothing is enumerated before a result is requested, and ``confmat.plan`` returns its cost. One pass answers
    everything if the distinct values of the sufficient statistics fit in memory: (50,4,4), 2*10^14 matrices, takes
    minutes and 0.4 GB. A statistic without a formula is computed table by table in one thread, without executor and
    checkpoint.

    Examples
    --------
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
    """Return the exact distribution of one statistic over a class of matrices.

    It is ``joint_distribution(matrices, statistic)[name]``.

    Parameters
    ----------
    matrices : MatrixClass or str
        Class of matrices, such as ``Tables(20, 3, 3)``, or its text "3x3 n=20".
    statistic : str, Statistic or callable
        As for `joint_distribution`.
    weight : {"tables", "labelings"}
        "tables" counts each matrix once. "labelings" counts each pair of labelings once, n!/prod x! for a matrix
        with cells x. Default: "tables".
    limits : Limits, optional
        Time, memory, threads or executor, checkpoint, progress. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    Distribution

    Raises
    ------
    TypeError, ValueError, TooLargeError
        As from `joint_distribution`.

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> distribution(Tables(5, 2, 2), "rd").mean(exact=True)
    Fraction(2, 5)
    """
    of_one = joint_distribution(matrices, statistic, weight=weight, limits=limits)
    return of_one[of_one.names[0]]
