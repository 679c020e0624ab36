"""The front door to laws: over a class of matrices."""

from __future__ import annotations

from typing import Any

from confmat.classes import MatrixClass, RandomModel
from confmat.engine.work import WEIGHTS
from confmat.errors import Unsupported
from confmat.laws.law import Law
from confmat.laws.sources import Pass, Source
from confmat.laws.ways import LawQuestion
from confmat.plans.choice import plannable
from confmat.plans.resources import Resources
from confmat.statistics.record import Statistic
from confmat.statistics.table import as_statistic, check_square


def _question(
    matrices: MatrixClass | RandomModel,
    *statistics: str | Statistic | Any,
    weight: str | None = None,
    resources: Resources | None = None,
) -> LawQuestion:
    """What a call of ``joint`` asks, its arguments checked."""
    if isinstance(matrices, RandomModel):
        matrices, weight = _tables_of(matrices, weight, statistics)
    weight = weight or "tables"
    if not isinstance(matrices, MatrixClass):
        raise TypeError(f"matrices must be a class of matrices such as Tables(20, 3, 3), got {matrices!r}")
    if weight not in WEIGHTS:
        raise ValueError(f'weight must be "tables" or "labelings", got {weight!r}')
    if not statistics:
        raise ValueError('statistics must name at least one statistic, such as "med"')
    chosen = tuple(as_statistic(statistic) for statistic in statistics)
    names = [statistic.name for statistic in chosen]
    check_square(matrices, chosen)
    if len(set(names)) < len(names):
        raise ValueError(f"statistics must have different names, got {names}")
    return LawQuestion(matrices, chosen, weight, resources or Resources())


@plannable(_question)
def joint(
    matrices: MatrixClass | RandomModel,
    *statistics: str | Statistic | Any,
    weight: str | None = None,
    resources: Resources | None = None,
) -> Law:
    """Exact joint law of some statistics over a class of matrices.

    ``statistics``: short names of the table ``confmat.statistics.STATISTICS`` (``confmat statistics`` prints it; some
    are of square matrices alone, rows = truth), the index functions that they name, or functions of a matrix of one's
    own (wrapped in ``Statistic`` to declare what leaves them unchanged).
    ``weight``: "tables", each matrix once (unless said), or "labelings", each pair of labelings once, n!/prod x! for a
    matrix with cells x; a random model says itself what is equally likely and takes no weight.
    ``resources``: threads or executor, checkpoint, progress.  A law with a statistic that has no formula is computed
    table by table, in one thread: it takes progress, but no executor and no checkpoint.  A function compiled by
    ``numba.njit`` runs in a compiled loop: (20,3,3), 2.8 million matrices without a symmetry, in two seconds.

    Nothing is enumerated before something is asked of the result (``confmat.plan(joint, ...)`` tells what that takes;
    beyond the budget, an hour unless said, it is refused: TooLarge); then one pass answers everything, as long as the
    distinct values of what the statistics depend on can be held: (50,4,4), 2*10^14 matrices, takes minutes and 0.4 GB.

    Raises TypeError or ValueError for an unknown statistic or weight, or a metric of a class that is not square.

    >>> from confmat.classes import Tables
    >>> law = joint(Tables(5, 2, 2), "med", "rd", "ard")
    >>> law.total, law["rd"].mean, law.given("med<=1/5")["ard"].max, law.probability("ard>1")
    (36, Fraction(2, 5), Fraction(5, 6), Fraction(4, 9))
    >>> from confmat.classes import random_model
    >>> joint(random_model("clusters", rows=(3, 2, 1), s=2), "ri")["ri"].mean  # Gates and Ahn 2017, one-sided
    Fraction(236, 465)
    >>> [(str(value), weight, each["rd"].mean) for value, weight, each in law.given_each("med")]
    [('0', 8, Fraction(0, 1)), ('1/5', 12, Fraction(2, 5)), ('2/5', 16, Fraction(3, 5))]
    """
    asked = _question(matrices, *statistics, weight=weight, resources=resources)
    whole = Pass(asked.matrices, asked.weight, asked.resources)
    return Law(asked.matrices, asked.statistics, asked.weight, Source(whole))


def _tables_of(
    model: RandomModel, weight: str | None, statistics: tuple[Any, ...]
) -> tuple[MatrixClass, str]:
    """The class of a random model's tables and how they are weighed."""
    if weight is not None:
        raise ValueError(f"weight belongs to a class; the model {model.name!r} has its own, got {weight!r}")
    if model.matrices is None:
        raise Unsupported(
            f"the model {model.name!r} has tables of many shapes, whose joint law is none over one class; "
            "confmat.chance.null_law has the laws of its statistics"
        )
    for statistic in map(as_statistic, statistics):
        if not model.named_clusters and not statistic.generators >= {"rows", "columns"}:
            raise ValueError(
                f"statistic {statistic.name!r} depends on the names of clusters, which the model {model.name!r} has not"
            )
    return model.matrices, "labelings"
