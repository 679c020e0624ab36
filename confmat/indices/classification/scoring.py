"""The area under the ROC curve of a classifier that gives scores, through scikit-learn."""

from collections.abc import Hashable, Iterable
from typing import Any

from confmat.matrices.labels import as_labels


def scoring_auc(
    y_true: Iterable[Hashable],
    scores: Any,
    *,
    strategy: str = "rest",
    labels: Iterable[Hashable] | None = None,
) -> float:
    """Area under the ROC curve of a scoring classifier: a thin wrapper of scikit-learn's ``roc_auc_score``.

    Two classes: ``scores`` has one number for each object, larger for the class that sorts last.  More classes:
    an (n, K) array of probabilities whose rows sum to 1, its columns in the order of ``labels`` (by default the
    classes that occur, sorted); ``strategy="rest"`` weights each class against the rest by its frequency,
    ``"pairs"`` is the mean over pairs of classes (Hand & Till 2001).  O(K n log n), or O(K^2 n log n) for pairs.

    A discrete classifier has one operating point: `discrete_auc`.  scikit-learn's errors and warnings pass
    through; ImportError without scikit-learn (the ``ml`` extra).

    >>> scoring_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    if strategy not in ("rest", "pairs"):
        raise ValueError(f'strategy must be "rest" or "pairs", got {strategy!r}')
    truth = as_labels("y_true", y_true)
    try:
        from sklearn.metrics import roc_auc_score
    except ImportError:
        raise ImportError("scoring_auc needs scikit-learn: pip install 'confmat[ml]'") from None
    multi_class, average = {"rest": ("ovr", "weighted"), "pairs": ("ovo", "macro")}[strategy]
    names = None if labels is None else as_labels("labels", labels)
    return float(roc_auc_score(truth, scores, multi_class=multi_class, average=average, labels=names))
