"""Espindola & Ebecken (2005): F-measure and G-means of many classes, and which evaluations are optimistic.

The protocol, ten-fold stratified cross-validation, with decision trees on the data sets that scikit-learn ships,
on balance scale (the one data set of the paper that a formula gives) and on any (X, y).  The only numbers that
the paper prints are the sizes of its data sets (Table 1); the evaluations are bars of Figures 4 and 5.  It says
that one evaluation is always the largest and one the smallest; which ones is not legible in the copy used here.

`confmat.studies.strategies_compared` decides the paper's statements at all confusion matrices of a size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from confmat.conjectures.claims.classification import ALL_MEASURES, MEASURES
from confmat.indices.classification import accuracy, confusion, discrete_auc
from confmat.matrices.arguments import as_count
from confmat.pictures import BLUE, VERMILLION, panels
from confmat.studies import PaperItem, without_numbers
from confmat.studies.strategies_compared import Sizes, evaluation, extremes, optimism, strategies
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
    """Balance scale, and iris, wine, breast cancer and digits of scikit-learn, without repeated records.

    >>> {name: (len(y), len(set(y.tolist()))) for name, (X, y) in data_sets().items()}  # doctest: +NORMALIZE_WHITESPACE
    {'bala': (625, 3), 'iris': (149, 3), 'wine': (178, 3), 'wdbc': (569, 2), 'digits': (1797, 10)}
    """
    from sklearn import datasets

    loaders = {
        "iris": datasets.load_iris,
        "wine": datasets.load_wine,
        "wdbc": datasets.load_breast_cancer,
        "digits": datasets.load_digits,
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
    """Sizes of the data sets: printed, and ours for balance scale, the one that is at hand.

    >>> table_1().loc["bala", "ours"].to_dict()
    {'features': 4.0, 'classes': 3.0, 'records': 625.0}
    """
    X, y = balance_scale()
    ours = {("bala", "features"): X.shape[1], ("bala", "classes"): len(set(y)), ("bala", "records"): len(y)}
    index = pd.MultiIndex.from_tuples(list(TABLE_1), names=["data set", "size"])
    return pd.DataFrame({"ours": pd.Series(ours), "printed": TABLE_1}, index=index)


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

    The paper shades the areas of A and B (Figure 3), draws the other curves and prints no area.

    >>> figures_1_3()["ours"].astype(float).to_dict()
    {'A': 0.75, 'B': 0.7, 'C': 0.55, 'D': 0.5, 'E': 0.25}
    """
    areas = {
        name: discrete_auc([[10 * hit, 10 * (1 - hit)], [10 * alarm, 10 * (1 - alarm)]])
        for name, (alarm, hit) in ROC_POINTS.items()
    }
    return pd.DataFrame({"ours": areas, "printed": np.nan}).rename_axis("classifier")


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
    """Accuracy ("acc") and the eight evaluations, as floats; a 0/0 of a pair of classes is 0, with a warning.

    >>> {name: round(value, 3) for name, value in evaluations([[4, 1], [0, 5]]).items()}["f1"]
    0.899
    """
    return {"acc": float(accuracy(matrix))} | {name: float(evaluation(name, matrix)) for name in ALL_MEASURES}


def runs(
    replications: int = 1,
    seed: int = 2005,
    *,
    data: Mapping[str, Data] | None = None,
    trees: Mapping[str, Grow] = TREES,
    folds: int = 10,
) -> pd.DataFrame:
    """The evaluations of every cross-validation: one row for each data set, tree and replication.

    ``data`` maps names to (X, y), by default all of `data_sets` (half a minute, most of it for digits).
    Replications differ in the folds.

    >>> iris = {"iris": data_sets()["iris"]}
    >>> frame = runs(2, data=iris, trees={"unpruned": unpruned_tree}, folds=2)
    >>> frame.index.to_list(), list(frame.columns[:3])
    ([('iris', 'unpruned', 0), ('iris', 'unpruned', 1)], ['acc', 'auc1', 'f1'])
    """
    replications = as_count("replications", replications, 1)
    rows = {
        (name, tree, number): evaluations(cross_validated(X, y, grow, folds=folds, seed=seed + number))
        for name, (X, y) in (data_sets() if data is None else data).items()
        for tree, grow in trees.items()
        for number in range(replications)
    }
    index = pd.MultiIndex.from_tuples(list(rows), names=["data set", "tree", "replication"])
    return pd.DataFrame(list(rows.values()), index=index)


def figures_4_5(
    replications: int | None = None, seed: int = 2005, full: bool = False, **options: Any
) -> pd.DataFrame:
    """Mean evaluations by data set, tree and measure, over replications: one, in full ten; options as for ``runs``.

    The paper's values for balance scale are bars without numbers, hence nothing is printed beside ours.

    >>> iris = {"iris": data_sets()["iris"]}
    >>> frame = figures_4_5(1, data=iris, trees={"unpruned": unpruned_tree}, folds=2)
    >>> list(frame.columns), len(frame)
    (['ours', 'sd', 'printed'], 9)
    """
    groups = runs(_repetitions(replications, full), seed, **options).groupby(
        level=["data set", "tree"], sort=False
    )
    ours, sd = groups.mean().stack(future_stack=True), groups.std().stack(future_stack=True)
    frame = pd.DataFrame({"ours": ours, "sd": sd, "printed": np.nan})
    return frame.rename_axis(["data set", "tree", "evaluation"])


def _repetitions(replications: int | None, full: bool) -> int:
    return (10 if full else 1) if replications is None else replications


def optimism_orders(means: pd.DataFrame) -> pd.DataFrame:
    """What the means of ``figures_4_5`` say of the paper's statements, by data set and tree.

    ``order``: the eight evaluations from the largest to the smallest.  ``holds``: the measures for which
    strategy 1 is at least strategy 2.  ``spread``: the largest evaluation less the smallest; "practically the
    same output" for two classes is no law, [[28, 1], [1, 0]] has F1 0.93 and AUC1 0.48.

    >>> import pandas as pd
    >>> levels = {"data set": ["bala"], "tree": ["pruned"], "evaluation": ALL_MEASURES}
    >>> rows = pd.MultiIndex.from_product(levels.values(), names=list(levels))
    >>> values = [0.875, 0.75, 0.5, 0.5, 0.75, 0.75, 0.625, 0.5]
    >>> optimism_orders(pd.DataFrame({"ours": values}, index=rows)).iloc[0, :2].to_list()
    ['auc1 > f1 = auc2 = f2 > gsp2 > gsp1 = gss1 = gss2', 'auc, f, gss']
    """
    table = means["ours"].unstack("evaluation")[list(ALL_MEASURES)]
    rows = [dict(zip(ALL_MEASURES, row)) for row in table.to_numpy().tolist()]
    return table[[]].assign(
        order=[" > ".join(" = ".join(tied) for tied in optimism(row)) for row in rows],
        holds=[", ".join(name for name in MEASURES if row[f"{name}1"] >= row[f"{name}2"]) for row in rows],
        spread=[max(row.values()) - min(row.values()) for row in rows],
    )


def figure_evaluations(
    replications: int | None = None, seed: int = 2005, full: bool = False, **options: Any
) -> Figure:
    """Figures 4 and 5 for our data sets and trees: one panel a data set; strategy 1 filled, strategy 2 hollow.

    >>> iris = {"iris": data_sets()["iris"]}
    >>> [axis.get_title() for axis in figure_evaluations(1, data=iris, folds=2).axes]
    ['iris']
    """
    replications = _repetitions(replications, full)
    means = figures_4_5(replications, seed, **options)["ours"]
    names = list(dict.fromkeys(means.index.get_level_values("data set")))
    figure, axes = panels(3.2 * len(names), 4.4, columns=len(names))
    for axis, name in zip(axes, names):
        for (tree, line), colour in zip(means[name].groupby(level="tree", sort=False), (BLUE, VERMILLION)):
            values = line.droplevel("tree")
            for strategy, fill in ((1, "full"), (2, "none")):
                marks = values[[f"{m}{strategy}" for m in MEASURES]].to_numpy()
                label = f"{tree} tree, strategy {strategy}"
                # Side by side, so that equal values do not hide each other.
                x = np.arange(len(MEASURES)) + 0.12 * (len(axis.lines) - 1.5)
                axis.plot(x, marks, "o", color=colour, fillstyle=fill, label=label)
        axis.set_xticks(range(len(MEASURES)), [measure.upper() for measure in MEASURES])
        axis.set(title=name, xlabel="measure")
        axis.margins(x=0.15)
    figure.axes[0].set_ylabel("mean evaluation")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    figure.suptitle(f"Data at hand, ten-fold cross-validation; repetitions: {replications}, seed {seed}")
    return figure


# The claims, over all confusion matrices.

_SOME_SIZES: Sizes = {2: [12], 3: [9], 4: [8]}


def strategy_1_below(sizes: Sizes = _SOME_SIZES, weight: str = "tables") -> pd.DataFrame:
    """Share of all confusion matrices at which strategy 1 is below strategy 2, by classes, measure and n.

    Where both are defined; claimed is none.  ``sizes`` maps numbers of classes to numbers of objects.

    >>> strategy_1_below({2: [4]})["ours"].to_list()
    [0.0, 0.08, 0.0, 0.0]
    """
    share = strategies(sizes).xs(weight, level="weight")["share"]
    return share.to_frame("ours").assign(printed=0.0)


def largest_and_smallest(sizes: Sizes = _SOME_SIZES, weight: str = "tables") -> pd.DataFrame:
    """Share of the confusion matrices at which each evaluation is the largest, or the smallest, of the eight.

    Where all are defined, ties included.  The paper has one evaluation with 1 at each place; at the default sizes
    there is none (at the smallest sizes there is: all are 1, or F1 is the smallest throughout).

    >>> largest_and_smallest({2: [3]})["ours"].loc[2, ["auc1", "f1"]].round(2).to_dict()
    {('auc1', 'largest'): 0.75, ('auc1', 'smallest'): 0.5, ('f1', 'largest'): 0.75, ('f1', 'smallest'): 0.75}
    """
    counts = extremes(sizes, weight=weight)
    shares = counts[["largest", "smallest"]].div(counts["defined"], axis=0).stack(future_stack=True)
    return pd.DataFrame({"ours": shares, "printed": np.nan}).rename_axis(["classes", "evaluation", "place"])


ITEMS: tuple[PaperItem, ...] = (
    PaperItem("table-1", "features, classes and records of the data sets", table_1, TABLE_1),
    PaperItem(
        "figures-1-3",
        "five classifiers in ROC space, their areas",
        figures_1_3,
        {},
        figure_roc,
        also=("figure-1", "figure-2", "figure-3"),
    ),
    without_numbers("table-2", "names of the variants of the fuzzy system"),
    PaperItem(
        "figures-4-5",
        "mean evaluations by ten-fold cross-validation",
        figures_4_5,
        {},
        figure_evaluations,
        also=("figure-4", "figure-5"),
    ),
    PaperItem("section-4.2", "how often strategy 1 is below strategy 2", strategy_1_below, {}),
    PaperItem("section-4.2-extremes", "how often each is largest, smallest", largest_and_smallest, {}),
)
