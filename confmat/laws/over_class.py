"""The front door to laws: over a class of matrices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from confmat.classes import MatrixClass, RandomModel
from confmat.engine.run import Resources
from confmat.engine.trying import tried
from confmat.engine.work import WEIGHTS
from confmat.laws.evaluation import gathered
from confmat.laws.law import Law, Points
from confmat.laws.sources import Pass, Source, check_total
from confmat.statistics.record import Statistic
from confmat.statistics.table import as_statistic, check_square


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

    Nothing is enumerated before something is asked of the result; then one pass answers everything, as long as the
    distinct values of what the statistics depend on can be held: (50,4,4), 2*10^14 matrices, takes minutes and 0.4 GB.

    What is declared of a statistic of one's own is tried first (``confmat.engine.trying``); ``law.basis`` says where
    this is no proof.

    Raises TypeError or ValueError for an unknown statistic or weight, or a metric of a class that is not square;
    SymmetryError for a symmetry that is declared and false.

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
    chosen = statistics_over(matrices, statistics)
    where = resources or Resources()
    if isinstance(matrices, RandomModel):
        if weight is not None:
            raise ValueError(
                f"weight belongs to a class; the model {matrices.name!r} has its own, got {weight!r}"
            )
        if matrices.matrices is None:
            return Law(matrices, chosen, "clusterings", points=_mixed(matrices, chosen, where))
        matrices, weight = matrices.matrices, "labelings"
    weight = weight or "tables"
    if weight not in WEIGHTS:
        raise ValueError(f'weight must be "tables" or "labelings", got {weight!r}')
    tried(matrices, chosen)
    return Law(matrices, chosen, weight, Source(Pass(matrices, weight, where)))


def statistics_over(matrices: MatrixClass | RandomModel, statistics: Iterable[Any]) -> tuple[Statistic, ...]:
    """Statistics by name, function or record, all of which a class or a model can have; TypeError, ValueError.

    >>> from confmat.classes import Tables
    >>> [statistic.name for statistic in statistics_over(Tables(4, 2, 2), ["med", "ari"])]
    ['med', 'ari']
    """
    if not isinstance(matrices, MatrixClass | RandomModel):
        raise TypeError(f"matrices must be a class of matrices such as Tables(20, 3, 3), got {matrices!r}")
    chosen = tuple(map(as_statistic, statistics))
    if not chosen:
        raise ValueError('statistics must name at least one statistic, such as "med"')
    names = [statistic.name for statistic in chosen]
    if len(set(names)) < len(names):
        raise ValueError(f"statistics must have different names, got {names}")
    check_square(matrices, chosen)
    for statistic in chosen:
        if isinstance(matrices, RandomModel) and not matrices.named_clusters and not statistic.of_clusterings:
            raise ValueError(
                f"statistic {statistic.name!r} depends on the names of clusters, which the model {matrices.name!r} "
                "has not"
            )
    return chosen


def _mixed(model: RandomModel, statistics: tuple[Statistic, ...], resources: Resources) -> Points:
    """The law over a sum of classes: values of each among its own tables, by pairs of clusterings."""
    points = gathered(
        (values, int(pairs * coefficient))
        for matrices, coefficient in model.parts
        for values, pairs in joint(matrices, *statistics, weight="labelings", resources=resources).support
    )
    check_total(model, "clusterings", sum(pairs for _, pairs in points), "the sum of its classes")
    return points
