"""Decision trees for the study of Espindola & Ebecken (2005): unpruned, and pruned much as C4.5 does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier


def unpruned_tree(X: np.ndarray, y: np.ndarray, seed: int) -> DecisionTreeClassifier:
    """scikit-learn's decision tree with the entropy criterion, grown until every leaf is pure.

    >>> int(unpruned_tree([[0], [1], [2], [3]], [0, 1, 1, 0], 0).get_n_leaves())
    3
    """
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(criterion="entropy", random_state=seed).fit(X, y)


_STRENGTHS = 32


def pruned_tree(X: np.ndarray, y: np.ndarray, seed: int) -> DecisionTreeClassifier:
    """A tree as near to C4.5 as scikit-learn comes: entropy, two objects in a leaf, pruned.

    Like C4.5 (Quinlan 1993) it keeps what has the least pessimistic number of errors, see `pessimistic_errors`,
    but only among the trees that cost-complexity pruning makes from the full one (32 of them, if there are more).
    C4.5 moreover replaces or raises each subtree on its own, splits by gain ratio and not by gain, makes one
    branch for each value of a discrete feature, and distributes objects with missing values.

    >>> X, y = np.arange(12)[:, None], [0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    >>> [int(grow(X, y, 0).get_n_leaves()) for grow in (unpruned_tree, pruned_tree)]
    [4, 2]
    """
    from sklearn.tree import DecisionTreeClassifier

    full = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=seed)
    alphas = np.maximum(full.cost_complexity_pruning_path(X, y).ccp_alphas, 0)
    chosen = alphas[np.unique(np.linspace(0, len(alphas) - 1, _STRENGTHS).round().astype(int))]
    trees = [
        DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=2, random_state=seed, ccp_alpha=alpha
        ).fit(X, y)
        for alpha in chosen
    ]
    return min(trees, key=lambda tree: pessimistic_errors(*leaf_errors(tree)).sum())


def leaf_errors(tree: DecisionTreeClassifier) -> tuple[np.ndarray, np.ndarray]:
    """Errors and objects of every leaf of a fitted tree, on the data that it was fitted to.

    >>> X, y = np.arange(12)[:, None], [0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    >>> [numbers.tolist() for numbers in leaf_errors(pruned_tree(X, y, 0))]
    [[1.0, 0.0], [6, 6]]
    """
    leaves = tree.tree_.children_left < 0
    sizes = tree.tree_.n_node_samples[leaves]
    shares = tree.tree_.value[leaves, 0]
    return sizes - np.rint(sizes * (shares / shares.sum(axis=1, keepdims=True)).max(axis=1)), sizes


def pessimistic_errors(errors: Any, sizes: Any, confidence: float = 0.25) -> np.ndarray:
    """C4.5's estimate of the errors of leaves on new data: sizes times an upper limit of the error rate.

    The limit p solves P(Binomial(size, p) <= errors) = confidence; Quinlan (1993, chapter 4), who interpolates
    in a table where there are errors (0.157 for 1 of 16; here 0.160).

    >>> pessimistic_errors([0, 0, 1], [6, 1, 16]).round(3)
    array([1.238, 0.75 , 2.554])
    """
    from scipy.stats import beta

    errors, sizes = np.asarray(errors, float), np.asarray(sizes, float)
    hopeless = errors >= sizes
    return sizes * np.where(hopeless, 1, beta.ppf(1 - confidence, errors + 1, sizes - errors + hopeless))
