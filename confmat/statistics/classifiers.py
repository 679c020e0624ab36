"""Records (`Statistic`) of the metrics of a classifier, such as accuracy, kappa and the macro F1, and of F-measures.

The metrics themselves are in `confmat.indices.classification`. Rows of a table are the true classes, and columns
the predicted classes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from confmat._arguments import as_fraction
from confmat.indices.classification import agreement, macro, measures, metrics, scores
from confmat.indices.classification.batch import class_means
from confmat.statistics.clusterings import statistics_of
from confmat.statistics.record import Statistic

CLASSIFIERS = tuple(statistics_of(macro, agreement, metrics).values())

# Statistics of 2 x 2 tables under names of scikit-learn, whose value is that of the second class.
OF_POSITIVE_CLASS = {
    score.__name__: Statistic(
        score.__name__, partial(score, exact=True, undefined="nan"), index=score, bounds=(0, 1), tested=True
    )
    for score in (scores.f1_score, scores.precision_score, scores.recall_score)
}


def f_beta(beta: Any) -> Statistic:
    """Return the F-measure with weight beta as a statistic: its mean over the classes, weighted by their true sizes.

    Each class is compared with all others.

    Parameters
    ----------
    beta : number
        Weight of recall against precision, at least 0.

    Returns
    -------
    Statistic
        Its name is accepted in texts after `register`.

    Examples
    --------
    >>> weighted = f_beta(3)
    >>> weighted.name, weighted([[8, 2], [1, 4]])
    ('f_3', Fraction(4040, 5049))
    >>> from confmat import FixedRows, joint_distribution
    >>> joint_distribution(FixedRows((2, 2), 2), weighted).total
    9
    """
    measure = measures.measure_f(beta)
    exact = as_fraction("beta", beta)
    index = partial(metrics.f_beta, beta=exact)
    return Statistic(
        f"f_{exact}".replace("/", "_"),
        partial(index, exact=True, undefined="nan"),
        title=f"F-measure, beta = {exact}",
        label=f"F (F-measure, beta = {exact})",
        index=index,
        batch=partial(class_means, measure, "rest"),
        exact=True,
        symmetry="simultaneous",
        bounds=(0, 1),
        tested=True,
    )
