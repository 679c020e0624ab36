"""Two-fold cross-validation of a classifier, measured by AUC, COR, BCR and ARI (needs the extra ``ml``)."""

import warnings
from typing import Any

import numpy as np
import pandas as pd

import confmat as cm
from checks import whole

MEASURES = ("AUC", "COR", "BCR", "ARI")


def mlp(hidden: int = 8, seed: int = 0) -> Any:
    """A perceptron with one hidden layer of tanh neurons, on standardised features: a scikit-learn pipeline.

    The paper minimises squared errors of a tanh output by backpropagation; scikit-learn's classifier has a
    logistic or softmax output and the log loss, here minimised by L-BFGS with an L2 penalty of 0.1.

    >>> X = np.repeat([[0.0], [1.0]], 20, axis=0)
    >>> mlp(2).fit(X, np.repeat(["no", "yes"], 20)).predict([[0.1], [0.9]]).tolist()
    ['no', 'yes']
    """
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    layers = (whole("hidden", hidden),)
    return make_pipeline(
        StandardScaler(),
        MLPClassifier(layers, activation="tanh", solver="lbfgs", alpha=0.1, max_iter=300, random_state=seed),
    )


def svm(C: float = 1.0, gamma: float | str = "scale") -> Any:
    """A support vector machine with a Gaussian kernel on standardised features: a scikit-learn pipeline.

    The paper names neither kernel nor constants.

    >>> X = np.repeat([[0.0], [1.0]], 20, axis=0)
    >>> svm().fit(X, np.repeat(["no", "yes"], 20)).predict([[0.1], [0.9]]).tolist()
    ['no', 'yes']
    """
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    return make_pipeline(StandardScaler(), SVC(C=C, gamma=gamma))


def two_fold(
    X: Any,
    y: Any,
    classifier: Any,
    *,
    replications: int = 20,
    seed: int = 2009,
    stratified: bool = False,
) -> pd.DataFrame:
    """Measures of a scikit-learn classifier in ``replications`` runs of two-fold cross-validation.

    In each run a random half of the n objects trains and the other tests, then the reverse; the row of the
    run is the mean over both halves.  ``stratified`` gives both halves equal shares of the classes.  Columns:
    AUC of the scores (two classes only, else NaN), COR and BCR in percent, ARI.  The classifier is cloned,
    not changed.

    >>> X = np.repeat([[0.0], [1.0]], 20, axis=0)
    >>> two_fold(X, np.repeat(["no", "yes"], 20), svm(), replications=1).iloc[0].tolist()
    [1.0, 100.0, 100.0, 1.0]
    """
    from sklearn.base import clone
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    X, y = np.asarray(X), np.asarray(y)
    if y.shape != X.shape[:1]:
        raise ValueError(f"y must have one label for each of the {len(X)} rows of X, got shape {y.shape}")
    split = RepeatedStratifiedKFold if stratified else RepeatedKFold
    folds = split(n_splits=2, n_repeats=whole("replications", replications), random_state=seed)
    two_classes = len(np.unique(y)) == 2
    rows = []
    # One thread: data this small only lose time to more.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        for train, test in folds.split(X, y):
            fitted = clone(classifier).fit(X[train], y[train])
            rows.append(_measures(fitted, X[test], y[test], two_classes))
    halves = pd.DataFrame(rows, columns=list(MEASURES))
    return halves.groupby(halves.index // 2).mean().rename_axis("run")


def _measures(fitted: Any, X: np.ndarray, y: np.ndarray, two_classes: bool) -> tuple[float, ...]:
    from sklearn.metrics import roc_auc_score

    matrix = cm.confusion_matrix(y, fitted.predict(X))
    auc = np.nan
    if two_classes and len(np.unique(y)) == 2:
        has_margin = hasattr(fitted, "decision_function")
        scores = fitted.decision_function(X) if has_margin else fitted.predict_proba(X)[:, 1]
        auc = float(roc_auc_score(y, scores))
    return (
        auc,
        100 * float(cm.accuracy(matrix)),
        100 * float(cm.balanced_accuracy(matrix)),
        float(cm.ari(matrix)),
    )
