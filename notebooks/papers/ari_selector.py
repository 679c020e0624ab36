"""The scikit-learn estimator that keeps the features of largest ARI with the classes (extra ``ml``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks import whole
from feature_ranking import ari_scores

try:
    from sklearn.base import BaseEstimator
    from sklearn.feature_selection import SelectorMixin
    from sklearn.utils import Tags
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise ImportError("ari_selector needs scikit-learn 1.6: pip install 'confmat[ml]'") from None


class ARISelector(SelectorMixin, BaseEstimator):
    """Keep the features whose equal-width intervals agree best with the classes (Santos & Embrechts 2009).

    ``n_features_to_select``: how many; None keeps half, as scikit-learn's ``RFE`` does.  ``bins``: intervals a
    feature; None takes twice the number of classes.  Of equal scores the earlier column is kept.

    Fitted: ``scores_``, the ARI of each feature; ``ranking_``, the columns, best first; ``n_features_in_``.

    >>> X, y = [[0, 5, 1], [1, 5, 2], [8, 6, 1], [9, 5, 3]], ["a", "a", "b", "b"]
    >>> selector = ARISelector(1).fit(X, y)
    >>> selector.get_support(), selector.transform(X).ravel().tolist()
    (array([ True, False, False]), [0, 1, 8, 9])
    """

    def __init__(self, n_features_to_select: int | None = None, bins: int | None = None) -> None:
        self.n_features_to_select = n_features_to_select
        self.bins = bins

    def fit(self, X: Any, y: Any) -> ARISelector:
        """Score the features of ``X`` (n, d) against the n class labels ``y``.

        >>> ARISelector(1).fit([[0, 5], [1, 5], [8, 6], [9, 5]], ["a", "a", "b", "b"]).scores_.tolist()
        [1.0, 0.0]
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        d = X.shape[1]
        if self.n_features_to_select is None:
            keep = max(1, d // 2)
        else:
            keep = whole("n_features_to_select", self.n_features_to_select)
        if keep > d:
            raise ValueError(f"n_features_to_select must be at most the {d} features of X, got {keep}")
        self.scores_ = ari_scores(X, y, self.bins)
        self.ranking_ = np.argsort(-self.scores_, kind="stable")
        self._keep = keep
        return self

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.ranking_[: self._keep]] = True
        return mask

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
