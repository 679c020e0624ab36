"""Feature selection in Santos & Embrechts (2009), the last rows of Table 5: drawn data, naive Bayes on them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from confmat.matrices.arguments import as_count
from confmat.studies.two_fold import two_fold

HIGH_DIMENSIONAL = {"Arcene": ((44, 56), 10_000, 50), "Leukemia": ((47, 25), 7129, 15)}
"""Class sizes, features, and how many of them the paper selects."""


def high_dimensional(
    sizes: Sequence[int], features: int, informative: int, *, shift: float = 1.0, seed: int = 2009
) -> tuple[np.ndarray, np.ndarray]:
    """Standard normal features, the first ``informative`` shifted in the second class: (X, y).

    >>> X, y = high_dimensional((30, 20), 200, 10)
    >>> X.shape, np.bincount(y).tolist()
    ((50, 200), [30, 20])
    """
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    X = rng.normal(size=(len(y), as_count("features", features, 1)))
    X[:, : as_count("informative", informative)] += shift * y[:, None]
    return X, y


def after_selection(
    X: Any,
    y: Any,
    features: int | None,
    *,
    beforehand: bool = False,
    replications: int = 20,
    seed: int = 2009,
) -> pd.DataFrame:
    """Naive Bayes on the ``features`` of largest ARI (None: on all): `two_fold`'s measures, one row a run.

    The features are chosen anew from each training half; with ``beforehand=True`` once, from all objects,
    which lets the test half choose them too and is too optimistic.

    >>> X, y = high_dimensional((30, 20), 200, 10, shift=3.0)
    >>> after_selection(X, y, 10, replications=2)["ARI"].to_list()
    [1.0, 1.0]
    """
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline

    from confmat.studies.ari_selector import ARISelector

    classifier: Any = GaussianNB()
    if features is not None and beforehand:
        X = ARISelector(features).fit_transform(X, y)
    elif features is not None:
        classifier = make_pipeline(ARISelector(features), classifier)
    return two_fold(X, y, classifier, replications=replications, seed=seed)
