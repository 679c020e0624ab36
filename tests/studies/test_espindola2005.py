"""The study of Espindola & Ebecken (2005): data, trees, cross-validation, what it says of the claims."""

from itertools import groupby

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.stats import binom
from sklearn.datasets import load_iris, load_wine
from sklearn.metrics import confusion_matrix, f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from confmat.conjectures.claims.classification import ALL_MEASURES, MEASURES
from confmat.studies import espindola2005 as study
from confmat.studies import trees
from confmat.studies.strategies_compared import NAMES

ITEMS = {item.id: item for item in study.ITEMS}


@pytest.fixture(scope="module")
def data():
    chosen = study.data_sets()
    return {name: chosen[name] for name in ("bala", "iris", "wdbc")}


@pytest.fixture(scope="module")
def means(data):
    return study.means(study.runs(1, data=data))


def test_balance_scale_is_in_balance_where_the_torques_agree():
    X, y = study.balance_scale()
    assert len(np.unique(X, axis=0)) == 625
    for (left_weight, left, right_weight, right), side in zip(X, y):
        torques = left_weight * left, right_weight * right
        assert side == ("L" if torques[0] > torques[1] else "R" if torques[1] > torques[0] else "B")


def test_repeated_records_go_and_contradictions_stay():
    X = np.array([[3, 1], [1, 2], [3, 1], [1, 2]])
    kept, classes = study.without_repeats(X, np.array(["a", "b", "a", "a"]))
    assert kept.tolist() == [[3, 1], [1, 2], [1, 2]]
    assert classes.tolist() == ["a", "b", "a"]


def test_table_1():
    frame = ITEMS["table-1"].table()
    assert len(frame) == len(study.TABLE_1) == 24
    assert frame["printed"].to_dict() == dict(study.TABLE_1)
    ours = frame["ours"].dropna()
    assert len(ours) == 3
    assert (ours == frame["printed"][ours.index]).all()


def test_areas_are_those_under_the_drawn_curves():
    areas = ITEMS["figures-1-3"].compute()["ours"]
    for name, (alarm, hit) in study.ROC_POINTS.items():
        assert areas[name] == pytest.approx(trapezoid([0, float(hit), 1], [0, float(alarm), 1]))
    # "A and B are better than the others"; those below the diagonal have less than 1/2.
    assert set(areas.nlargest(2).index) == {"A", "B"}
    assert set(areas[areas < 0.5].index) == {"E"}
    places, curves, shaded = ITEMS["figures-1-3"].draw().axes
    assert [text.get_text() for text in curves.texts] == list("ABCDE")
    assert len(places.lines) == 6
    assert len(curves.lines) == 11
    assert [area.get_label() for area in shaded.collections] == ["A: area 0.75", "B: area 0.70"]


# Trees.


@pytest.mark.parametrize(("errors", "size"), [(0, 1), (0, 9), (1, 16), (3, 10), (40, 100)])
@pytest.mark.parametrize("confidence", [0.1, 0.25])
def test_the_pessimistic_rate_leaves_the_confidence_below(errors, size, confidence):
    rate = trees.pessimistic_errors(errors, size, confidence) / size
    assert binom.cdf(errors, size, rate) == pytest.approx(confidence)


def test_a_leaf_of_errors_only_stays_one():
    assert trees.pessimistic_errors([2], [2]).tolist() == [2]


def test_leaf_errors_are_those_of_the_training_data():
    X, y = load_wine(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    errors, sizes = trees.leaf_errors(tree)
    assert sizes.sum() == len(y)
    assert errors.sum() == (tree.predict(X) != y).sum() > 0


def test_pruning_keeps_the_least_pessimistic_tree_of_the_path():
    X, y = study.balance_scale()
    pruned = trees.pruned_tree(X, y, 0)
    full = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0).fit(X, y)
    estimate = [trees.pessimistic_errors(*trees.leaf_errors(tree)).sum() for tree in (pruned, full)]
    assert pruned.get_n_leaves() < full.get_n_leaves() < trees.unpruned_tree(X, y, 0).get_n_leaves()
    assert estimate[0] < estimate[1]
    assert trees.leaf_errors(pruned)[1].min() >= 2
    X, y = load_iris(return_X_y=True)
    alphas = full.cost_complexity_pruning_path(X, y).ccp_alphas
    every = [
        DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=2, random_state=0, ccp_alpha=max(alpha, 0)
        )
        for alpha in alphas
    ]
    least = min(trees.pessimistic_errors(*trees.leaf_errors(tree.fit(X, y))).sum() for tree in every)
    found = trees.pessimistic_errors(*trees.leaf_errors(trees.pruned_tree(X, y, 0))).sum()
    assert found == pytest.approx(least)


def test_noise_is_pruned_to_one_leaf():
    X = np.arange(40.0)[:, None]
    y = np.array(["a", "a", "b", "a"] * 10)
    assert trees.pruned_tree(X, y, 0).get_n_leaves() == 1
    assert trees.unpruned_tree(X, y, 0).get_n_leaves() > 10


# Cross-validation.


def test_cross_validation_agrees_with_scikit_learn():
    X, y = load_wine(return_X_y=True)
    splits = StratifiedKFold(5, shuffle=True, random_state=3)
    tree = DecisionTreeClassifier(criterion="entropy", random_state=3)
    expected = confusion_matrix(y, cross_val_predict(tree, X, y, cv=splits))
    ours = study.cross_validated(X, y, trees.unpruned_tree, folds=5, seed=3)
    assert ours.tolist() == expected.tolist()


def test_rows_are_the_true_classes_in_sorted_order(data):
    X, y = data["bala"]
    matrix = study.cross_validated(X, y, trees.pruned_tree)
    assert matrix.sum(axis=1).tolist() == [49, 288, 288]


def test_evaluations_are_under_their_names():
    truth, predicted = [0, 0, 0, 1, 1, 2], [0, 1, 0, 1, 2, 2]
    values = study.evaluations(confusion_matrix(truth, predicted))
    assert list(values) == ["acc", *NAMES]
    assert set(ALL_MEASURES) < set(NAMES)
    assert values["acc"] == pytest.approx(4 / 6)
    assert values["f1"] == pytest.approx(f1_score(truth, predicted, average="weighted"))
    pairs = [f1_score([0, 0, 0, 1], [0, 1, 0, 1], average=None), [1, 1], [2 / 3, 2 / 3]]
    assert values["f2"] == pytest.approx(np.mean(pairs))


def test_replications_differ_in_the_folds_and_repeat_with_the_seed(data):
    chosen = {"iris": data["iris"]}
    grown = {"unpruned": trees.unpruned_tree}
    frame = study.runs(3, 1, data=chosen, trees=grown)
    assert frame.columns.to_list()[:3] == ["data set", "tree", "replication"]
    assert frame["acc"].nunique() > 1
    second = study.runs(1, 2, data=chosen, trees=grown)
    assert second.iloc[0].tolist()[3:] == frame.iloc[1].tolist()[3:]
    means = study.means(frame)
    assert means["ours"]["iris", "unpruned", "f2"] == pytest.approx(frame["f2"].mean())
    assert means["sd"]["iris", "unpruned", "f2"] == pytest.approx(frame["f2"].std())


def test_one_replication_has_no_deviation(means):
    assert len(means) == 3 * 2 * 13
    assert means["ours"].between(0, 1).all()
    assert means["sd"].isna().all()


def descending(values):
    """Values from the largest to the smallest, with the names that have each."""
    return groupby(sorted(values, key=values.__getitem__, reverse=True), key=values.__getitem__)


def orders_of(means):
    """The eight evaluations in order, the measures for which strategy 1 is at least strategy 2, how far they spread."""
    table = means["ours"].unstack("evaluation")[list(ALL_MEASURES)]
    rows = [dict(zip(ALL_MEASURES, row)) for row in table.to_numpy().tolist()]
    return table[[]].assign(
        order=[" > ".join(" = ".join(tied) for _, tied in descending(row)) for row in rows],
        holds=[", ".join(name for name in MEASURES if row[f"{name}1"] >= row[f"{name}2"]) for row in rows],
        spread=[max(row.values()) - min(row.values()) for row in rows],
    )


def test_what_the_data_say_of_the_claims(means):
    orders = orders_of(means)
    # The paper's data set, where a class is rare: the claim.  Balanced classes: the opposite, for every measure.
    assert (orders.loc["bala", "holds"] == ", ".join(MEASURES)).all()
    assert (orders.loc["iris", "holds"] == "").all()
    assert orders.loc["wdbc", "order"].str.contains("auc1 = auc2").all()
    assert orders.loc["wdbc", "holds"].str.contains("auc").all()
    assert orders.loc["wdbc", "spread"].max() < 0.02 < orders.loc["bala", "spread"].min()
    for order, values in zip(orders["order"], means["ours"].unstack()[list(ALL_MEASURES)].to_dict("records")):
        assert sorted(order.replace("=", ">").split(" > ")) == sorted(ALL_MEASURES)
        assert order.split(" ")[0] in {name for name, x in values.items() if x == max(values.values())}


def test_figure(data, tmp_path):
    chosen = {name: data[name] for name in ("iris", "bala")}
    rows = study.runs(1, data=chosen, trees={"unpruned": trees.unpruned_tree})
    figure, means = study.figure_evaluations(rows), study.means(rows)["ours"]
    assert [axis.get_title() for axis in figure.axes] == ["iris", "bala"]
    lines = figure.axes[1].lines
    for strategy, line in zip("123", lines, strict=True):
        assert line.get_ydata().tolist() == [means["bala", "unpruned", f"{m}{strategy}"] for m in MEASURES]
    assert [line.get_fillstyle() for line in lines] == ["full", "none", "left"]
    figure.savefig(tmp_path / "evaluations.png")


def test_recorded_runs_come_again(data):
    recorded = study.RUNS.rows()
    assert recorded.groupby(["data set", "tree"]).size().to_dict() == {
        (name, tree): 10 for name in study.data_sets() for tree in study.TREES
    }
    again = study.runs(1, data={"iris": data["iris"]})
    first = recorded.query("`data set` == 'iris' and replication == 0")
    assert again.iloc[:, 3:].to_numpy() == pytest.approx(first.iloc[:, 3:].to_numpy(), abs=1e-6)


def test_share_of_counterexamples():
    frame = ITEMS["section-4.2"].table(sizes={2: [4], 3: [4]})
    for reading in study.PAIRS:
        ours = frame["ours"].xs(reading)
        assert ours.loc[2, "f", 4] == 2 / 25
        assert ours.loc[2, "auc", 4] == 0
        assert (ours.loc[3] > 0).all()
    assert frame["printed"].isna().all()


def test_no_evaluation_is_always_largest_or_smallest():
    frame = ITEMS["section-4.2-extremes"].compute(sizes={3: [6]})
    assert frame["ours"].between(0, 1, inclusive="neither").all()
    for reading in study.PAIRS:
        shares = frame["ours"].xs(reading).loc[3].unstack()
        assert (shares.sum() > 1).all()  # ties count for each, and every matrix has a largest one


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: study.RUNS.rows(replications=0), "replications must be at least 1, got 0"),
        (lambda: study.cross_validated([[1]], [1], trees.unpruned_tree, folds=1), "folds must be at least 2"),
        (lambda: study.cross_validated([[1], [2]], [1], trees.unpruned_tree), "inconsistent numbers"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
