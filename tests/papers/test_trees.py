"""Trees and cross-validation of Espindola & Ebecken (2005), against definitions and scikit-learn."""

import numpy as np
import pytest
from late import Late, sk_datasets, sk_metrics, stats

import espindola2005 as study
import trees
from strategies_compared import NAMES

selection, tree_models = Late("sklearn.model_selection"), Late("sklearn.tree")


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


@pytest.mark.parametrize(("errors", "size"), [(0, 1), (0, 9), (1, 16), (3, 10), (40, 100)])
@pytest.mark.parametrize("confidence", [0.1, 0.25])
def test_the_pessimistic_rate_leaves_the_confidence_below(errors, size, confidence):
    rate = trees.pessimistic_errors(errors, size, confidence) / size
    assert stats.binom.cdf(errors, size, rate) == pytest.approx(confidence)


def test_a_leaf_of_errors_only_stays_one():
    assert trees.pessimistic_errors([2], [2]).tolist() == [2]


def test_leaf_errors_are_those_of_the_training_data():
    X, y = sk_datasets.load_wine(return_X_y=True)
    tree = tree_models.DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    errors, sizes = trees.leaf_errors(tree)
    assert sizes.sum() == len(y)
    assert errors.sum() == (tree.predict(X) != y).sum() > 0


def test_pruning_keeps_the_least_pessimistic_tree_of_the_path():
    X, y = study.balance_scale()
    pruned = trees.pruned_tree(X, y, 0)
    full = tree_models.DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0).fit(
        X, y
    )
    estimate = [trees.pessimistic_errors(*trees.leaf_errors(tree)).sum() for tree in (pruned, full)]
    assert pruned.get_n_leaves() < full.get_n_leaves() < trees.unpruned_tree(X, y, 0).get_n_leaves()
    assert estimate[0] < estimate[1]
    assert trees.leaf_errors(pruned)[1].min() >= 2
    X, y = sk_datasets.load_iris(return_X_y=True)
    alphas = full.cost_complexity_pruning_path(X, y).ccp_alphas
    every = [
        tree_models.DecisionTreeClassifier(
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


def test_cross_validation_agrees_with_scikit_learn():
    X, y = sk_datasets.load_wine(return_X_y=True)
    splits = selection.StratifiedKFold(5, shuffle=True, random_state=3)
    tree = tree_models.DecisionTreeClassifier(criterion="entropy", random_state=3)
    expected = sk_metrics.confusion_matrix(y, selection.cross_val_predict(tree, X, y, cv=splits))
    ours = study.cross_validated(X, y, trees.unpruned_tree, folds=5, seed=3)
    assert ours.tolist() == expected.tolist()


def test_evaluations_are_under_their_names():
    truth, predicted = [0, 0, 0, 1, 1, 2], [0, 1, 0, 1, 2, 2]
    values = study.evaluations(sk_metrics.confusion_matrix(truth, predicted))
    assert list(values) == ["acc", *NAMES]
    assert {name + way for name in ("auc", "f", "gsp", "gss") for way in "12"} < set(NAMES)
    assert values["acc"] == pytest.approx(4 / 6)
    assert values["f1"] == pytest.approx(sk_metrics.f1_score(truth, predicted, average="weighted"))
    pairs = [sk_metrics.f1_score([0, 0, 0, 1], [0, 1, 0, 1], average=None), [1, 1], [2 / 3, 2 / 3]]
    assert values["f2"] == pytest.approx(np.mean(pairs))


def test_recorded_runs_come_again():
    recorded = study.AT_HAND.rows()
    again = study.cross_validations(["iris"], 1)
    first = recorded.query("`data set` == 'iris' and replication == 0")
    assert again.iloc[:, 3:].to_numpy() == pytest.approx(first.iloc[:, 3:].to_numpy(), abs=1e-6)


def test_the_data_decide_the_claims():
    """Balance scale, where a class is rare: the claim.  Balanced classes of iris: the opposite, for every measure."""
    means = study.all_runs().groupby("data set").mean(numeric_only=True)
    for measure in ("auc", "f", "gsp", "gss"):
        assert means.loc["bala", f"{measure}1"] > means.loc["bala", f"{measure}2"]
        assert means.loc["iris", f"{measure}1"] < means.loc["iris", f"{measure}2"]
