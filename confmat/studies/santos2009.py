"""Santos & Embrechts (2009), the ARI as a metric for supervised classification: its tables.

The experiments use data that scikit-learn ships and checkerboards drawn anew, scikit-learn's classifiers and
the constants below where the paper gives none; so Table 5 is its design and order of magnitude.  What the
paper prints is also checked against itself: `table_5_ranges` shows that no classifier can have the printed
ARI and COR of any SVM row, and of five MLP rows; `table_5_test_sets` finds the one matrix behind the Leukemia row.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from confmat.indices.classification import accuracy, balanced_rate
from confmat.indices.partition import adjusted_rand_index
from confmat.indices.soft.memberships import tracked
from confmat.matrices.arguments import as_choice, as_count
from confmat.studies import PaperItem, without_numbers
from confmat.studies.audited import SANTOS, VERDICTS, audited
from confmat.studies.checkerboards import checkerboard, figure_checkerboard
from confmat.studies.feature_selection import ari_scores, equal_width_bins
from confmat.studies.records import Simulation
from confmat.studies.santos2009_figures import figure_ranges
from confmat.studies.santos2009_printed import (
    CHECKERBOARDS,
    CLASS_SIZES,
    FIGURE_1,
    LYING_MACHINE,
    MEASURES,
    TABLE_3,
    TABLE_4,
    TABLE_5,
    TABLE_5_SD,
    TWO_CLASS,
    sizes_of,
)
from confmat.studies.santos2009_ranges import (
    least_mean,
    least_mean_random,
    matrices_at,
    range_of_one,
    stratified_halves,
    usual_spread,
)
from confmat.studies.santos2009_selection import HIGH_DIMENSIONAL, after_selection, high_dimensional
from confmat.studies.two_fold import mlp, svm, two_fold

Key = tuple[str, str, str]


def lying_machine(a: int = 50, b: int = 50) -> pd.DataFrame:
    """Section 3: a classifier that names the other class every time, [[0, a], [b, 0]], has COR 0 and ARI 1.

    >>> lying_machine(30, 20)["ours"].to_dict()
    {'COR': 0.0, 'BCR': 0.0, 'ARI': 1.0}
    """
    matrix = [[0, as_count("a", a, 1)], [as_count("b", b, 1), 0]]
    ours = {
        "COR": float(accuracy(matrix)),
        "BCR": float(balanced_rate(matrix)),
        "ARI": float(adjusted_rand_index(matrix)),
    }
    return pd.DataFrame({"ours": ours})


# The example of feature selection (Table 3).

EXAMPLE_CLASSES = (1,) * 4 + (2,) * 4 + (3,) * 4
EXAMPLE_FEATURES = {
    "feat1": (0, 0.3, 0.1, 0.5, 0.2, 0.4, 0.7, 0.5, 0.9, 1, 0.7, 0.4),
    "feat2": (1, 0.8, 0.9, 0.7, 0.2, 0.4, 0.4, 0.5, 0, 0.1, 0.1, 0.2),
}


def example_data() -> tuple[np.ndarray, np.ndarray]:
    """The twelve elements a, .., l of Table 3: (X, y), X of shape (12, 2).

    >>> X, y = example_data()
    >>> X.shape, np.bincount(y)[1:].tolist()
    ((12, 2), [4, 4, 4])
    """
    return np.array(list(EXAMPLE_FEATURES.values())).T, np.array(EXAMPLE_CLASSES)


def table_3() -> pd.DataFrame:
    """The interval of each element of Table 3, printed as partitions of the elements in Section 3.

    >>> table_3().loc["feat1", "ours"].astype(int).to_list()
    [0, 0, 0, 1, 0, 1, 2, 1, 2, 2, 2, 1]
    """
    X, y = example_data()
    intervals = equal_width_bins(X, len(set(y)))
    ours = {
        (name, element): float(intervals[i, j])
        for j, name in enumerate(EXAMPLE_FEATURES)
        for i, element in enumerate("abcdefghijkl")
    }
    return pd.DataFrame({"ours": ours}).rename_axis(["feature", "element"])


def table_3_ari() -> pd.DataFrame:
    """ARI of both features of Table 3 with as many intervals as classes, and with twice as many, exactly.

    >>> table_3_ari()["exact"].to_list()
    ['23/144', '216/293', '2/57', '90/233']
    """
    X, y = example_data()
    exact = {
        (name, bins): score
        for bins in (3, 6)
        for name, score in zip(EXAMPLE_FEATURES, ari_scores(X, y, bins, exact=True))
    }
    values = {key: (float(score), str(score)) for key, score in exact.items()}
    frame = pd.DataFrame.from_dict(values, orient="index", columns=["ours", "exact"])
    return frame.set_index(pd.MultiIndex.from_tuples(values, names=["feature", "intervals"]))


# Data sets and classifiers.

SHIPPED = {"Wdbc": "load_breast_cancer", "Iris": "load_iris", "Wine": "load_wine"}
"""The data sets of the paper that scikit-learn ships."""


def load(name: str, seed: int = 2009) -> tuple[np.ndarray, np.ndarray]:
    """A data set of ``SHIPPED`` or ``CHECKERBOARDS`` (drawn with ``seed``): (X, y).

    >>> [X.shape for X, _ in map(load, ("Check2x2(400,25)", "Wine"))]
    [(400, 2), (178, 13)]
    """
    if name in CHECKERBOARDS:
        return checkerboard(*CHECKERBOARDS[name], rng=seed)
    as_choice("name", name, (*CHECKERBOARDS, *SHIPPED))
    from sklearn import datasets

    return getattr(datasets, SHIPPED[name])(return_X_y=True)


def classifiers(name: str) -> dict[str, Any]:
    """The classifiers of a data set: an MLP, and for two classes an SVM.

    The MLP has eight hidden neurons, on checkerboards twice the lines that part the cells (2 or 6).  The SVM
    has scikit-learn's constants, on checkerboards a harder margin and a narrower kernel.

    >>> list(classifiers("Wdbc")), list(classifiers("Iris"))
    (['MLP', 'SVM'], ['MLP'])
    """
    if name in CHECKERBOARDS:
        return {"MLP": mlp(4 * (CHECKERBOARDS[name][0] - 1)), "SVM": svm(C=100, gamma=2.0)}
    return {"MLP": mlp(), "SVM": svm()} if name == "Wdbc" else {"MLP": mlp()}


def table_4() -> pd.DataFrame:
    """Table 4 for the data sets that scikit-learn ships; class sizes from large to small.

    >>> table_4().loc["Wine", "ours"].to_dict()
    {'elements': 178.0, 'features': 13.0, 'classes': 3.0, 'class 1': 71.0, 'class 2': 59.0, 'class 3': 48.0}
    """
    ours: dict[tuple[str, str], float] = {}
    for name in SHIPPED:
        X, y = load(name)
        ours |= sizes_of(name, X.shape[0], X.shape[1], np.bincount(y).tolist())
    return pd.DataFrame({"ours": ours}).rename_axis(["data set", "quantity"])


def figure_1(*, seed: int = 2009) -> pd.DataFrame:
    """The numbers of Figure 1, Check4x4(400,25); `figure_checkerboard` draws it.

    >>> figure_1()["ours"].to_dict()
    {'points': 400.0, 'minority': 100.0, 'cells': 16.0}
    """
    X, y = load("Check4x4(400,25)", seed)
    occupied = {tuple(cell) for cell in np.floor(4 * X).astype(int).tolist()}
    ours = {"points": len(X), "minority": int(y.sum()), "cells": len(occupied)}
    return pd.DataFrame({"ours": ours}).astype(float)


# Table 5.


def table_5(
    replications: int, seed: int = 2009, progress: bool = False, *, names: Sequence[str] | None = None
) -> pd.DataFrame:
    """Table 5 for the data sets at hand, or for those of them in ``names`` alone: columns, then ours and sd.

    Means and standard deviations over runs of two-fold validation, COR and BCR in percent.  Other data go
    through `two_fold` with `mlp` and `svm`.

    >>> table_5(1, names=["Iris"])["measure"].to_list()
    ['COR', 'BCR', 'ARI']
    """
    rows = []
    for name in tracked(names or (*CHECKERBOARDS, *SHIPPED), "data sets", progress):
        X, y = load(name, seed)
        for label, classifier in classifiers(name).items():
            runs = two_fold(X, y, classifier, replications=replications, seed=seed)
            rows += [((name, label, m), runs[m]) for m in runs.columns[runs.notna().any()]]
    return _means(rows, TABLE_5_LEVELS).reset_index()


TABLE_5_LEVELS = ["data set", "classifier", "measure"]
TABLE_5_RUNS = Simulation("santos2009", "table-5", table_5, replications=20, seed=2009)


def _means(rows: Iterable[tuple[Key, pd.Series]], names: list[str]) -> pd.DataFrame:
    """Mean and standard deviation of the runs of each row."""
    keys, runs = zip(*rows)
    index = pd.MultiIndex.from_tuples(keys, names=names)
    return pd.DataFrame({"ours": [x.mean() for x in runs], "sd": [x.std() for x in runs]}, index=index)


def beside_printed_sd(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of `table_5` by data set, classifier and measure, with the printed standard deviations.

    >>> beside_printed_sd(TABLE_5_RUNS.rows()).loc[("Iris", "MLP", "COR")].round(2).to_dict()
    {'ours': 95.67, 'sd': 1.15, 'printed_sd': 1.17}
    """
    frame = rows.set_index(TABLE_5_LEVELS)
    return frame.assign(printed_sd=[TABLE_5_SD.get(key, np.nan) for key in frame.index])


def table_5_ranges(*, names: Sequence[str] = tuple(CLASS_SIZES)) -> pd.DataFrame:
    """The printed ARI of every two-class row against what its printed COR and class sizes allow.

    ``one_low``, ``one_high``: ARI of one matrix of all objects with the printed COR.  The others are lower
    bounds of a mean ARI at the printed mean COR, two decimals: ``runs``, one matrix of all objects a run;
    ``stratified``, one matrix a test half, with half of each class; ``ours``, one a half, the halves at random
    (20 runs; wrong with probability below 2e-6 a row, when the halves came out very uneven).  The paper says
    "randomly chosen", and printed COR and BCR differ where the classes are equal, which excludes the first
    two.  ``possible``: whether the printed ARI, two decimals, reaches the smallest of the three.  The upper
    bound is 1 throughout: see `santos2009_ranges`.  ``names``: some of the data sets.

    >>> table_5_ranges(names=["Sonar"])["possible"].to_dict()
    {('Sonar', 'MLP'): True, ('Sonar', 'SVM'): False}
    """
    if not names or not set(names) <= set(CLASS_SIZES):
        raise ValueError(f"names must be some of {', '.join(CLASS_SIZES)}, got {names!r}")
    rows = {}
    for key in (key for key in TWO_CLASS if key[0] in names):
        sizes, cor = CLASS_SIZES[key[0]], Fraction(str(TABLE_5[*key, "COR"])) / 100
        one = range_of_one(sizes, cor)
        means = {
            "runs": least_mean([sizes], cor),
            "stratified": least_mean(stratified_halves(sizes), cor),
            "ours": least_mean_random(sizes, cor, usual_spread(sizes)),
        }
        printed = Fraction(str(TABLE_5[*key, "ARI"]))
        rows[key] = {
            "ours": float(means["ours"]),
            "possible": printed + Fraction(1, 200) >= min(means.values()),
            "runs": float(means["runs"]),
            "stratified": float(means["stratified"]),
            "one_low": float(one[0]),
            "one_high": float(one[1]),
        }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    return frame.rename_axis(["data set", "classifier"])


# Feature selection (the last rows of Table 5).

SELECTION = ("training half", "all objects", "none")


def table_5_selection(*, shift: float = 1.0, replications: int = 5, seed: int = 2009) -> pd.DataFrame:
    """What the rows Arcene and Leukemia of Table 5 do, on drawn data of the same sizes.

    Those data sets are not at hand: ours (`high_dimensional`) share their sizes only.  The paper does not say
    which objects choose the features; here the training half, all objects, and without selection.

    >>> frame = table_5_selection(replications=1)
    >>> len(frame), frame.index.unique("chosen by").to_list()
    (24, ['training half', 'all objects', 'none'])
    """
    rows = []
    for name, (sizes, features, selected) in HIGH_DIMENSIONAL.items():
        X, y = high_dimensional(sizes, features, selected, shift=shift, seed=seed)
        for chosen_by in SELECTION:
            runs = after_selection(
                X,
                y,
                None if chosen_by == "none" else selected,
                beforehand=chosen_by == "all objects",
                replications=replications,
                seed=seed,
            )
            rows += [((name, chosen_by, measure), runs[measure]) for measure in MEASURES]
    return _means(rows, ["sizes of", "chosen by", "measure"])


def table_5_test_sets() -> pd.DataFrame:
    """The printed ARI of Arcene and Leukemia against the matrices that give their printed COR and BCR.

    These rows have no standard deviation: one test set, whose size the paper does not give.  Over all test
    sets inside the data, ``matrices`` is the number of confusion matrices that fit; ``low`` and ``high`` are
    their least and largest ARI, ``ours`` the middle.  Leukemia leaves [[17, 3], [0, 14]] alone, but for the
    order of the classes: 34 samples, as many as the independent set of Golub et al. (1999) has.

    >>> table_5_test_sets()["matrices"].to_dict()
    {'Arcene': 14, 'Leukemia': 2}
    """
    rows = {}
    for name, (sizes, _, _) in HIGH_DIMENSIONAL.items():
        cor, bcr = (Fraction(str(TABLE_5[name, "naive Bayes", m])) / 100 for m in ("COR", "BCR"))
        matrices = matrices_at(sizes, cor, bcr)
        values = [adjusted_rand_index(matrix) for matrix in matrices]
        low, high = float(min(values)), float(max(values))
        rows[name] = {
            "ours": (low + high) / 2,
            "low": low,
            "high": high,
            "matrices": len(matrices),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("data set")


MISSING = (
    "Cleveland HD, Diabetes, Ionosphere, Liver, Sonar, Breast Tissue, Glass, Leukemia and Arcene are missing"
)

ITEMS: tuple[PaperItem, ...] = (
    without_numbers("table-1", "notation: contingency table of two partitions"),
    without_numbers("table-2", "notation: the four kinds of pairs"),
    PaperItem(
        "section-3",
        "the lying machine: COR 0 and ARI 1",
        "exact",
        "Half of 100 objects in each class; other sizes give the same.",
        lying_machine,
        LYING_MACHINE,
    ),
    PaperItem(
        "table-3",
        "two features, twelve elements: their intervals",
        "exact",
        "Section 3 prints the intervals as partitions of the elements; they are numbered here.",
        table_3,
        TABLE_3,
    ),
    PaperItem(
        "table-3-ari",
        "ARI of these features with the classes, exact",
        "exact",
        "The paper prints no ARI, it says that feat2 has the higher one.",
        table_3_ari,
        beside=("exact",),
    ),
    PaperItem(
        "table-4",
        "sizes of the data sets; ours: those in scikit-learn",
        "exact",
        f"{MISSING}.",
        table_4,
        TABLE_4,
    ),
    PaperItem(
        "figure-1",
        "the checkerboard Check4x4(400,25)",
        "same design",
        "Points drawn anew.",
        figure_1,
        FIGURE_1,
        draw=figure_checkerboard,
    ),
    PaperItem(
        "table-5",
        "MLP and SVM: AUC, COR, BCR, ARI",
        "same design",
        "scikit-learn's classifiers, boards drawn anew; the twelve data sets without ours are missing.",
        partial(TABLE_5_RUNS.summary, beside_printed_sd),
        TABLE_5,
        simulation=TABLE_5_RUNS,
    ),
    PaperItem(
        "table-5-ranges",
        "least ARI at the printed COR, two classes",
        "exact",
        "Ours is the least mean ARI at the printed mean COR; where the printed one is below, it is not possible.",
        table_5_ranges,
        {key: TABLE_5[*key, "ARI"] for key in TWO_CLASS},
        draw=figure_ranges,
        beside=("one_low", "one_high", "possible"),
    ),
    PaperItem(
        "table-5-audit",
        "matrices that have the printed COR, BCR and ARI",
        "exact",
        "No row is of one matrix; means: whether COR and BCR can be of 20 runs over all; ARI: table-5-ranges.",
        partial(audited, SANTOS, 20),
        beside=(*VERDICTS, "means"),
    ),
    PaperItem(
        "table-5-selection",
        "naive Bayes after selection by ARI",
        "other data",
        "Normal noise in place of Leukemia and Arcene, which are missing: the paper's numbers do not compare.",
        table_5_selection,
    ),
    PaperItem(
        "table-5-test-sets",
        "ARI at the printed COR and BCR of one test set",
        "exact",
        "Over all test sets inside the data; ours is the middle of the least and the largest ARI.",
        table_5_test_sets,
        {name: TABLE_5[name, "naive Bayes", "ARI"] for name in HIGH_DIMENSIONAL},
        beside=("low", "high", "matrices"),
    ),
)

SIMULATIONS = (TABLE_5_RUNS,)
