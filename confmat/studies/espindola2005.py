"""Espindola & Ebecken (2005): F-measure and G-means of many classes, and which evaluations are optimistic.

The protocol, ten-fold stratified cross-validation, with decision trees on data sets that scikit-learn ships, on
balance scale (the one data set of the paper that a formula gives) and on any (X, y).  The only numbers that
the paper prints are the sizes of its data sets (Table 1); the evaluations are bars of Figures 4 and 5.  It says
that one evaluation is always the largest and one the smallest; which ones is not legible in the copy used here.

`confmat.studies.strategies_compared` decides the paper's statements at all confusion matrices of a size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from confmat.conjectures.claims.classification import MEASURES
from confmat.indices.classification import accuracy, confusion, discrete_auc
from confmat.indices.soft.memberships import tracked
from confmat.matrices.arguments import as_count
from confmat.pictures import BLUE, VERMILLION, panels
from confmat.studies import PaperItem, without_numbers
from confmat.studies.records import Simulation
from confmat.studies.strategies_compared import NAMES, Sizes, evaluation, extremes, strategies
from confmat.studies.trees import pruned_tree, unpruned_tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from sklearn.tree import DecisionTreeClassifier

Data = tuple[np.ndarray, np.ndarray]
Grow = Callable[[np.ndarray, np.ndarray, int], "DecisionTreeClassifier"]


# Data sets.


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


def data_sets() -> dict[str, Data]:
    """Balance scale, and iris, wine and breast cancer of scikit-learn, without repeated records.

    >>> {name: (len(y), len(set(y.tolist()))) for name, (X, y) in data_sets().items()}  # doctest: +NORMALIZE_WHITESPACE
    {'bala': (625, 3), 'iris': (149, 3), 'wine': (178, 3), 'wdbc': (569, 2)}
    """
    from sklearn import datasets

    loaders = {
        "iris": datasets.load_iris,
        "wine": datasets.load_wine,
        "wdbc": datasets.load_breast_cancer,
    }
    return {"bala": balance_scale()} | {
        name: without_repeats(*load(return_X_y=True)) for name, load in loaders.items()
    }


def without_repeats(X: np.ndarray, y: np.ndarray) -> Data:
    """The first of each group of equal records, as the paper prepares its data.

    >>> without_repeats(np.array([[2.0], [1.0], [2.0]]), np.array([0, 1, 0]))[0].tolist()
    [[2.0], [1.0]]
    """
    classes = np.unique(y, return_inverse=True)[1]
    first = np.unique(np.column_stack([X, classes]), axis=0, return_index=True)[1]
    return X[np.sort(first)], y[np.sort(first)]


TABLE_1: Mapping[tuple[str, str], int] = {
    (name, column): value
    for name, *values in (
        ("bala", 4, 3, 625),
        ("car", 6, 4, 1728),
        ("cred", 15, 2, 653),
        ("fog", 18, 7, 26482),
        ("glass", 9, 7, 143),
        ("iono", 33, 2, 351),
        ("pima", 8, 2, 768),
        ("yeast", 8, 10, 1484),
    )
    for column, value in zip(("features", "classes", "records"), values)
}


def table_1() -> pd.DataFrame:
    """Size of balance scale, the one of the data sets that is at hand.

    >>> table_1().loc["bala", "ours"].to_dict()
    {'features': 4, 'classes': 3, 'records': 625}
    """
    X, y = balance_scale()
    ours = {("bala", "features"): X.shape[1], ("bala", "classes"): len(set(y)), ("bala", "records"): len(y)}
    return pd.DataFrame({"ours": ours}).rename_axis(["data set", "size"])


# The ROC space (Figures 1-3).

ROC_POINTS = {
    "A": (Fraction("0.2"), Fraction("0.7")),
    "B": (Fraction("0.5"), Fraction("0.9")),
    "C": (Fraction("0.5"), Fraction("0.6")),
    "D": (Fraction("0.4"), Fraction("0.4")),
    "E": (Fraction("0.8"), Fraction("0.3")),
}
"""False positive rate and sensitivity of the classifiers of Figure 1, as printed."""


def figures_1_3() -> pd.DataFrame:
    """Area under the ROC curve of each classifier of Figure 1, from a matrix with ten objects a class.

    >>> figures_1_3()["ours"].astype(float).to_dict()
    {'A': 0.75, 'B': 0.7, 'C': 0.55, 'D': 0.5, 'E': 0.25}
    """
    areas = {
        name: discrete_auc([[10 * hit, 10 * (1 - hit)], [10 * alarm, 10 * (1 - alarm)]])
        for name, (alarm, hit) in ROC_POINTS.items()
    }
    return pd.DataFrame({"ours": areas}).rename_axis("classifier")


def figure_roc() -> Figure:
    """Figures 1 to 3: five discrete classifiers, their ROC curves, the areas under those of A and B.

    >>> [axis.get_title() for axis in figure_roc().axes]
    ['classifiers', 'ROC curves', 'areas']
    """
    areas = figures_1_3()["ours"]
    figure, (places, curves, shaded) = panels(13, 5.4, columns=3, sharex=True, sharey=True)
    for name, (alarm, hit) in ROC_POINTS.items():
        x, y = [0, float(alarm), 1], [0, float(hit), 1]
        for axis in (places, curves):
            axis.plot(x[1], y[1], "o", color=BLUE)
            axis.annotate(name, (x[1], y[1]), xytext=(5, 5), textcoords="offset points", fontweight="bold")
        curves.plot(x, y, color=BLUE, linewidth=1)
    for name, colour, hatch in (("A", BLUE, "//"), ("B", VERMILLION, "\\\\")):
        alarm, hit = ROC_POINTS[name]
        label = f"{name}: area {areas[name]:.2f}"
        corners = [0, float(alarm), 1], [0, float(hit), 1]
        shaded.fill_between(*corners, facecolor="none", edgecolor=colour, hatch=hatch, label=label)
    for axis, title in ((places, "classifiers"), (curves, "ROC curves"), (shaded, "areas")):
        axis.plot([0, 1], [0, 1], color="grey", linestyle="--", label="random")
        axis.set(title=title, xlabel="false positive rate", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    places.set_ylabel("sensitivity")
    figure.legend(*shaded.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.suptitle("Five classifiers as printed; their areas, exact")
    return figure


# Trees.


TREES: Mapping[str, Grow] = {"unpruned": unpruned_tree, "pruned": pruned_tree}


# Cross-validation.


def cross_validated(X: Any, y: Any, grow: Grow, *, folds: int = 10, seed: int = 2005) -> np.ndarray:
    """Confusion matrix of stratified cross-validation: every object predicted by the tree that did not see it.

    ``grow(X, y, seed)`` returns anything with ``predict``.  The matrix adds up all folds, so that a class that a
    fold misses is no 0/0.  scikit-learn's errors and warnings (a class with fewer objects than folds) pass
    through.

    >>> cross_validated(*balance_scale(), unpruned_tree).sum(axis=1).tolist()  # classes B, L, R
    [49, 288, 288]
    """
    from sklearn.model_selection import StratifiedKFold
    from sklearn.utils import check_X_y

    splits = StratifiedKFold(as_count("folds", folds, 2), shuffle=True, random_state=seed)
    X, y = check_X_y(X, y, dtype=None)
    predicted = np.empty_like(y)
    for train, test in splits.split(X, y):
        predicted[test] = grow(X[train], y[train], seed).predict(X[test])
    return np.asarray(confusion(y.tolist(), predicted.tolist(), labels=np.unique(y).tolist()))


def evaluations(matrix: Any) -> dict[str, float]:
    """Accuracy ("acc") and the evaluations by all strategies, as floats; a 0/0 of a pair is 0, with a warning.

    >>> {name: round(value, 3) for name, value in evaluations([[4, 1], [0, 5]]).items()}["f1"]
    0.899
    """
    return {"acc": float(accuracy(matrix))} | {name: float(evaluation(name, matrix)) for name in NAMES}


def runs(
    replications: int,
    seed: int = 2005,
    progress: bool = False,
    *,
    data: Mapping[str, Data] | None = None,
    trees: Mapping[str, Grow] = TREES,
) -> pd.DataFrame:
    """The evaluations of every ten-fold cross-validation: one row for each data set, tree and replication.

    ``data`` maps names to (X, y), by default all of `data_sets`.  Replications differ in the folds.

    >>> iris = {"iris": data_sets()["iris"]}
    >>> frame = runs(2, data=iris, trees={"unpruned": unpruned_tree})
    >>> frame["replication"].to_list(), list(frame.columns[:5])
    ([0, 1], ['data set', 'tree', 'replication', 'acc', 'auc1'])
    """
    known = data_sets() if data is None else data
    jobs = list(product(known, trees, range(replications)))
    rows = [
        dict(zip(LEVELS, (name, tree, number)))
        | evaluations(cross_validated(*known[name], trees[tree], seed=seed + number))
        for name, tree, number in tracked(jobs, "cross-validations", progress)
    ]
    return pd.DataFrame(rows)


LEVELS = ("data set", "tree", "replication")
RUNS = Simulation("espindola2005", "figures-4-5", runs, replications=10, seed=2005)


def means(rows: pd.DataFrame) -> pd.DataFrame:
    """Means and standard deviations of the evaluations over replications, from `runs`.

    >>> means(RUNS.rows()).loc["bala", "pruned"].round(2).loc[["auc1", "auc2", "auc3"], "ours"].to_list()
    [0.81, 0.63, 0.68]
    """
    groups = rows.drop(columns="replication").groupby(["data set", "tree"], sort=False)
    ours, sd = groups.mean().stack(future_stack=True), groups.std().stack(future_stack=True)
    return pd.DataFrame({"ours": ours, "sd": sd}).rename_axis([*LEVELS[:2], "evaluation"])


def figure_evaluations(rows: pd.DataFrame) -> Figure:
    """Figures 4 and 5 for our data sets and trees: a panel each; strategy 1 filled, 2 hollow, 2 of Hand & Till half.

    >>> [axis.get_title() for axis in figure_evaluations(RUNS.rows()).axes]
    ['bala', 'iris', 'wine', 'wdbc']
    """
    ours = means(rows)["ours"]
    names = list(dict.fromkeys(ours.index.get_level_values("data set")))
    figure, axes = panels(3.2 * len(names), 4.4, columns=len(names))
    for axis, name in zip(axes, names):
        for (tree, line), colour in zip(ours[name].groupby(level="tree", sort=False), (BLUE, VERMILLION)):
            values = line.droplevel("tree")
            for strategy, fill in ((1, "full"), (2, "none"), (3, "left")):
                marks = values[[f"{m}{strategy}" for m in MEASURES]].to_numpy()
                label = f"{tree} tree, strategy {strategy}"
                # Side by side, so that equal values do not hide each other.
                x = np.arange(len(MEASURES)) + 0.12 * (len(axis.lines) - 2.5)
                axis.plot(x, marks, "o", color=colour, fillstyle=fill, label=label)
        axis.set_xticks(range(len(MEASURES)), [measure.upper() for measure in MEASURES])
        axis.set(title=name, xlabel="measure")
        axis.margins(x=0.15)
    figure.axes[0].set_ylabel("mean evaluation")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle(f"Data at hand, ten-fold cross-validation; repetitions: {rows['replication'].nunique()}")
    return figure


# The claims, over all confusion matrices.

_SOME_SIZES: Sizes = {2: [12], 3: [9], 4: [8]}


PAIRS = {"predicted in one of the two": "2", "all (Hand & Till)": "3"}
"""What of a pair of classes counts -> its reading, see `strategies_compared`."""


def strategy_1_below(sizes: Sizes = _SOME_SIZES, weight: str = "tables") -> pd.DataFrame:
    """Share of all confusion matrices at which strategy 1 is below strategy 2, by pairs, classes, measure and n.

    Where both are defined; claimed is none.  ``sizes`` maps numbers of classes to numbers of objects.

    >>> strategy_1_below({3: [4]})["ours"].round(2).to_list()
    [0.5, 0.47, 0.67, 0.5, 0.37, 0.39, 0.67, 0.2]
    """
    shares = {
        name: strategies(sizes, pairs=pairs).xs(weight, level="weight")["share"]
        for name, pairs in PAIRS.items()
    }
    return pd.concat(shares, names=["of a pair"]).to_frame("ours")


def largest_and_smallest(sizes: Sizes = _SOME_SIZES, weight: str = "tables") -> pd.DataFrame:
    """Share of the confusion matrices at which each evaluation is the largest, or the smallest, of the eight.

    Where all are defined, ties included.  The paper has one evaluation with 1 at each place; at the default sizes
    there is none (at the smallest sizes there is: all are 1, or F1 is the smallest throughout).

    >>> frame = largest_and_smallest({2: [3]})["ours"].xs("all (Hand & Till)")
    >>> frame.loc[2, ["auc1", "f1"]].round(2).to_dict()
    {('auc1', 'largest'): 0.75, ('auc1', 'smallest'): 0.5, ('f1', 'largest'): 0.75, ('f1', 'smallest'): 0.75}
    """
    counts = pd.concat({name: extremes(sizes, weight=weight, pairs=x) for name, x in PAIRS.items()})
    shares = counts[["largest", "smallest"]].div(counts["defined"], axis=0).stack(future_stack=True)
    return pd.DataFrame({"ours": shares}).rename_axis(["of a pair", "classes", "evaluation", "place"])


ITEMS: tuple[PaperItem, ...] = (
    PaperItem(
        "table-1",
        "features, classes and records of the data sets",
        "exact",
        "Ours is balance scale, made by its rule; the seven other data sets are missing.",
        table_1,
        TABLE_1,
    ),
    PaperItem(
        "figures-1-3",
        "five classifiers in ROC space, their areas",
        "exact",
        "From the printed points; the paper shades the areas of A and B and prints none.",
        figures_1_3,
        draw=figure_roc,
        also=("figure-1", "figure-2", "figure-3"),
    ),
    without_numbers("table-2", "names of the variants of the fuzzy system"),
    PaperItem(
        "figures-4-5",
        "mean evaluations by ten-fold cross-validation",
        "other data",
        "Balance scale is the paper's, seven others and the fuzzy systems are missing; its bars have no numbers.",
        partial(RUNS.summary, means),
        draw=partial(RUNS.summary, figure_evaluations),
        also=("figure-4", "figure-5"),
        simulation=RUNS,
    ),
    PaperItem(
        "section-4.2",
        "how often strategy 1 is below strategy 2",
        "exact",
        "At all confusion matrices of n objects, by both readings of strategy 2; the paper says never.",
        strategy_1_below,
    ),
    PaperItem(
        "section-4.2-extremes",
        "how often each is largest, smallest",
        "exact",
        "At all confusion matrices of n objects; the paper says that one is always, its name is lost in our copy.",
        largest_and_smallest,
    ),
)

SIMULATIONS = (RUNS,)
