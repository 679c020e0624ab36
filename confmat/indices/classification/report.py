"""All metrics of a confusion matrix at once."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from confmat.indices.classification.counts import ClassCounts
from confmat.indices.classification.measures import (
    DISCRETE_AUC,
    G_MEAN_SP,
    G_MEAN_SS,
    PRECISION,
    SENSITIVITY,
    SPECIFICITY,
    Measure,
    Number,
    accuracy,
    balanced_rate,
    evaluate,
    f_beta,
)
from confmat.indices.pairs import PairSums, pairs_within
from confmat.indices.undefined import Undefined


@dataclass(frozen=True)
class ByClass:
    """A measure of every class against the rest, its mean by class frequency, and its mean over pairs.

    ``pairs`` is None for a single class.
    """

    classes: tuple[Number, ...]
    rest: Number
    pairs: Number | None


@dataclass(frozen=True)
class Metrics:
    """The metrics of a confusion matrix under their short names."""

    cor: Number
    bcr: Number
    ari: Number
    sens: ByClass
    spec: ByClass
    prec: ByClass
    f: ByClass
    gsp: ByClass
    gss: ByClass
    auc: ByClass


def all_metrics(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    beta: float | Fraction = 1,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Metrics:
    """Every metric of a confusion matrix (or of true and predicted labels), with the adjusted Rand index beside them.

    ``undefined`` as for the single metrics.  The "lying machine" separates the classes and swaps their names:

    >>> liar = all_metrics([[0, 5], [5, 0]], exact=True)
    >>> liar.cor, liar.ari, liar.f.classes
    (Fraction(0, 1), Fraction(1, 1), (Fraction(0, 1), Fraction(0, 1)))
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred)

    def by_class(measure: Measure) -> ByClass:
        classes = evaluate(measure, counts, None, None, exact, undefined)
        rest = evaluate(measure, counts, "rest", None, exact, undefined)
        pairs = evaluate(measure, counts, "pairs", None, exact, undefined) if counts.size > 1 else None
        return ByClass(classes, rest, pairs)  # type: ignore[arg-type]

    within = (pairs_within(sizes) for sizes in (counts.rows, counts.cols, counts.nonzero.values))
    ari = 1 - PairSums(counts.n, *within).adjusted_rand_distance
    return Metrics(
        cor=accuracy(counts, exact=exact),
        bcr=balanced_rate(counts, exact=exact),
        ari=ari if exact else float(ari),
        sens=by_class(SENSITIVITY),
        spec=by_class(SPECIFICITY),
        prec=by_class(PRECISION),
        f=by_class(f_beta(beta)),
        gsp=by_class(G_MEAN_SP),
        gss=by_class(G_MEAN_SS),
        auc=by_class(DISCRETE_AUC),
    )
