"""Two classifiers on one test set: against all exchanges in fractions, McNemar's test, and planted sizes."""

import json
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from command_line import fail, succeed

import confmat as cm
from confmat.chance import compare_classifiers
from confmat.indices.classification import confusion
from confmat.statistics import STATISTICS, f_beta

METRICS = [
    "accuracy",
    "balanced_accuracy",
    "recall",
    "precision",
    "kappa",
    "f1",
    "f1_weighted",
    "mcc",
    "gss",
    "gsp",
    "auc",
    "auc3",
    "gss_pairs",
]

RISING = ["precision", "f1", "f1_weighted", "mcc", "gss", "gsp", "auc"]


def predictions(classes, seed, objects=24, discordant=7):
    """Labels of the truth and of two classifiers that differ on so many objects at most."""
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), rng.integers(0, classes, objects - classes)])
    first = np.where(rng.random(objects) < 0.6, truth, rng.integers(0, classes, objects))
    second = first.copy()
    places = rng.choice(objects, discordant, replace=False)
    second[places] = rng.integers(0, classes, discordant)
    return truth.tolist(), first.tolist(), second.tolist()


def by_all_exchanges(truth, first, second, metric):
    """P(|difference| >= observed), every object's predictions exchanged or not, in exact numbers."""
    classes = sorted({*truth, *first, *second})

    def difference(one, other):
        return metric(confusion(truth, one, labels=classes)) - metric(confusion(truth, other, labels=classes))

    observed = difference(first, second)
    places = [i for i, (x, y) in enumerate(zip(first, second)) if x != y]
    extreme = 0
    for exchanged in product((False, True), repeat=len(places)):
        one, other = list(first), list(second)
        for i, swap in zip(places, exchanged):
            if swap:
                one[i], other[i] = second[i], first[i]
        value = difference(one, other)
        size, wanted = (-x if x < 0 else x for x in (value, observed))
        extreme += bool(size >= wanted)
    return observed, Fraction(extreme, 2 ** len(places))


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_all_exchanges(name, classes):
    compared = 0
    for seed in range(4):
        labels = predictions(classes, seed)
        metric = STATISTICS[name]
        try:
            found = compare_classifiers(*labels, name)
        except ValueError:
            continue
        if found.discordant == 0:
            continue
        observed, pvalue = by_all_exchanges(*labels, metric)
        assert (found.method, found.statistic, found.pvalue) == ("exact", observed, pvalue), seed
        compared += 1
    assert compared >= 3


@pytest.mark.parametrize("name", RISING)
def test_differences_that_are_equal_in_many_ways(name):
    """Classes of one size, with as many objects each way: most differences are tied with others."""
    truth = [t for t in range(3) for _ in range(6)]
    first = [(t + more) % 3 for t in range(3) for more in (0, 0, 0, 0, 1, 1)]
    second = [(t + more) % 3 for t in range(3) for more in (0, 0, 2, 2, 0, 1)]
    labels = truth, first, second
    found = compare_classifiers(*labels, name)
    assert (found.statistic, found.pvalue) == by_all_exchanges(*labels, STATISTICS[name])
    assert found.method == "exact"


@pytest.mark.parametrize("name", RISING)
def test_exchanges_that_leave_a_metric_undefined_are_not_counted(name):
    """Class 2 is predicted for two objects alone, which one classifier may get both of."""
    truth = [0, 0, 0, 1, 1, 1, 2, 2]
    pairs = [(0, 1), (0, 0), (1, 0), (1, 1), (0, 1), (1, 0), (2, 0), (1, 2)]
    for order in (pairs, pairs[::-1]):
        first, second = map(list, zip(*order))
        found = compare_classifiers(truth, first, second, name)
        assert (found.statistic, found.pvalue) == by_all_exchanges(truth, first, second, STATISTICS[name])


@pytest.mark.parametrize("name", RISING)
def test_equal_classifiers_differ_by_nothing_or_more(name):
    """A difference of 0 is reached by every exchange at which the metric is defined."""
    truth = [0, 0, 1, 1, 2, 2]
    first, second = [0, 1, 1, 1, 2, 0], [1, 0, 1, 1, 0, 2]
    found = compare_classifiers(truth, first, second, name)
    assert found.statistic == 0
    assert found.pvalue == by_all_exchanges(truth, first, second, STATISTICS[name])[1]


@pytest.mark.parametrize("name", RISING)
def test_three_rows_and_the_law_of_all_sums_agree(name, monkeypatch):
    labels = predictions(3, 8, objects=60, discordant=24)
    by_rows = compare_classifiers(*labels, name)
    monkeypatch.setattr("confmat.chance.two_classifiers._pvalue_of_three", lambda *_: None)
    by_sums = compare_classifiers(*labels, name)
    assert by_rows.pvalue == by_sums.pvalue
    assert by_rows.method == by_sums.method == "exact"


def test_one_s_own_beta():
    labels = predictions(3, 12)
    for metric in (f_beta(2), f_beta(Fraction(1, 3))):
        found = compare_classifiers(*labels, metric)
        assert (found.statistic, found.pvalue) == by_all_exchanges(*labels, metric)


def test_one_s_own_metric_and_a_formula():
    labels = predictions(3, 11)
    for metric in (lambda table: int(table[0, 0]) - 2 * int(table[2, 1]), STATISTICS["ari"]):
        found = compare_classifiers(*labels, metric)
        assert (found.statistic, found.pvalue) == by_all_exchanges(*labels, metric)
    name = "ari"
    assert compare_classifiers(*labels, name).pvalue == by_all_exchanges(*labels, STATISTICS[name])[1]


def mcnemar(won, lost):
    """Twice the tail of a fair binomial law, at most 1: McNemar's exact test."""
    d, least = won + lost, min(won, lost)
    return min(Fraction(1), 2 * Fraction(sum(comb(d, k) for k in range(least + 1)), 2**d))


@pytest.mark.parametrize(
    ("won", "lost", "both_wrong"),
    [(5, 0, 3), (9, 2, 0), (4, 4, 1), (150, 98, 60), pytest.param(1200, 1000, 0, marks=pytest.mark.slow)],
)
def test_accuracy_is_mcnemar_s_exact_test(won, lost, both_wrong):
    from scipy.stats import binomtest

    truth = [0] * (won + lost + both_wrong + 5)
    first = [0] * won + [1] * lost + [1] * both_wrong + [0] * 5
    second = [1] * won + [0] * lost + [2] * both_wrong + [0] * 5
    found = compare_classifiers(truth, first, second)
    assert found.pvalue == mcnemar(won, lost)
    assert float(found.pvalue) == pytest.approx(binomtest(won, won + lost).pvalue, rel=1e-9)
    assert (found.discordant, found.exchanged) == (won + lost + both_wrong, won + lost)


def test_large_numbers_of_discordant_objects_agree_with_draws():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 400)
    first = np.where(rng.random(400) < 0.7, truth, rng.integers(0, 3, 400))
    second = np.where(rng.random(400) < 0.8, first, rng.integers(0, 3, 400))
    for name in ("kappa", "mcc", "balanced_accuracy"):
        exact = compare_classifiers(truth, first, second, name)
        assert exact.method == "exact"
        assert exact.pvalue.denominator > 2**20
        swapped = compare_classifiers(truth, second, first, name)
        assert (swapped.pvalue, swapped.statistic) == (exact.pvalue, -exact.statistic)


@pytest.mark.parametrize("name", ["kappa", "mcc", "f1"])
def test_too_many_sums_are_drawn_and_said_so(name, monkeypatch):
    monkeypatch.setattr("confmat.chance.two_classifiers.MOST_EXCHANGE_TERMS", 10)
    monkeypatch.setattr("confmat.chance.three_classes.MOST_CUTS", 10)
    labels = predictions(3, 5, objects=60, discordant=12)
    drawn = compare_classifiers(*labels, name, draws=20_000, rng=1)
    monkeypatch.undo()
    exact = compare_classifiers(*labels, name)
    assert (drawn.method, drawn.draws, exact.method) == ("Monte Carlo", 20_000, "exact")
    assert drawn.interval[0] <= exact.pvalue <= drawn.interval[1]
    assert "99 % interval" in str(drawn)


def three_hundred_discordant():
    rng = np.random.default_rng(5)
    truth = rng.choice(3, 1500, p=[0.47, 0.32, 0.21])
    first = np.where(rng.random(1500) < 0.9, truth, rng.integers(0, 3, 1500))
    second = first.copy()
    places = rng.choice(1500, 450, replace=False)
    second[places] = rng.integers(0, 3, 450)
    return truth, first, second


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kappa", *RISING])
def test_three_hundred_discordant_objects_of_three_classes_are_exact(name, monkeypatch):
    labels = three_hundred_discordant()
    found = compare_classifiers(*labels, name)
    assert (found.method, found.discordant) == ("exact", 299)
    monkeypatch.setattr("confmat.chance.two_classifiers.MOST_EXCHANGE_TERMS", 10)
    monkeypatch.setattr("confmat.chance.three_classes.MOST_CUTS", 10)
    drawn = compare_classifiers(*labels, name, draws=20_000, rng=2)
    assert drawn.interval[0] <= found.pvalue <= drawn.interval[1]


@pytest.mark.parametrize("name", ["f1", "gsp"])
def test_too_many_near_differences_are_drawn(name, monkeypatch):
    monkeypatch.setattr("confmat.chance.three_classes.MOST_TIES", 0)
    labels = predictions(3, 5, objects=60, discordant=12)
    assert compare_classifiers(*labels, name, draws=99, rng=1).method == "Monte Carlo"


def test_nothing_to_exchange():
    same = compare_classifiers([0, 1, 1], [0, 1, 0], [0, 1, 0], "kappa")
    assert (same.pvalue, same.statistic, same.method) == (1, 0, "no discordant objects")
    both_wrong = compare_classifiers([0, 0, 1], [1, 0, 1], [2, 0, 1], "accuracy")
    assert (both_wrong.pvalue, both_wrong.method) == (1, "no discordant object changes accuracy")


def test_labels_of_any_kind():
    words = compare_classifiers(["no", "no", "yes"], ["no", "yes", "yes"], ["no", "no", "no"], cm.kappa)
    numbers = compare_classifiers([0, 0, 1], [0, 1, 1], [0, 0, 0], "kappa")
    assert (words.name, words.pvalue, words.statistic) == ("kappa", numbers.pvalue, numbers.statistic)
    assert cm.compare_classifiers is compare_classifiers


@pytest.mark.parametrize(
    ("arguments", "options", "error", "text"),
    [
        (([0, 1], [0, 1, 1], [0, 1]), {}, ValueError, "truth and a must have the same length, got 2 and 3"),
        (([0, 1], [0, 1], [1]), {}, ValueError, "truth and b must have the same length, got 2 and 1"),
        (([], [], []), {}, ValueError, "truth must not be empty"),
        (
            ([0, 1], [0, 1], [1, 1], "kapa"),
            {},
            ValueError,
            "statistic must be the name of a statistic, got 'kapa'",
        ),
        (([0, 1], [0, 1], [1, 1], 7), {}, TypeError, "statistic must be a short name or a function"),
        (
            ([0, 0], [0, 0], [0, 1], "kappa"),
            {},
            ValueError,
            "'kappa' is undefined at the confusion matrix of a",
        ),
        (([0, 1], [0, 1], [1, 1]), {"draws": 0}, ValueError, "draws must be at least 1"),
        (([0, None], [0, 1], [1, 1]), {}, ValueError, "is missing: got None"),
        (([0, 1], [0, 1], "01"), {}, TypeError, "b must be a sequence of labels"),
    ],
)
def test_refused(arguments, options, error, text):
    with pytest.raises(error, match=text):
        compare_classifiers(*arguments, **options)


# --- the command ----------------------------------------------------------------------------------------


@pytest.fixture
def labels_file(tmp_path):
    truth, first, second = predictions(3, 2)
    path = tmp_path / "labels.csv"
    lines = [",".join(map(str, line)) for line in zip(truth, first, second)]
    path.write_text("\n".join(["y,forest,svm", *lines]) + "\n")
    return str(path)


def test_the_command(confmat, labels_file):
    options = ["test", labels_file, "--truth", "y", "--classifiers", "svm,forest"]
    truth, first, second = predictions(3, 2)
    for name, more in (("accuracy", []), ("kappa", ["--statistic", "kappa"])):
        found = json.loads(succeed(confmat(*options, *more, "--json")))
        expected = compare_classifiers(truth, second, first, name)
        assert found["p"]["exact"] == str(expected.pvalue)
        assert found["difference"]["exact"] == str(expected.statistic)
    assert "two-sided" in succeed(confmat(*options))


def test_lines_that_lack_a_label(confmat, labels_file, tmp_path):
    lines = Path(labels_file).read_text().splitlines()
    path = tmp_path / "lacking.csv"
    path.write_text("\n".join([*lines, "0,,1", "1,1,"]) + "\n")
    options = ["--truth", "y", "--classifiers", "forest,svm", "--json"]
    assert "2 of 26 objects have no label" in fail(confmat("test", path, *options))
    assert succeed(confmat("test", path, "--na", "drop", *options)) == succeed(
        confmat("test", labels_file, *options)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--truth", "y"], "--truth and --classifiers must go together"),
        (["--truth", "y", "--classifiers", "svm"], "--classifiers must be two columns"),
        (["--truth", "y", "--classifiers", "svm,y"], "must name three columns"),
        (["--truth", "y", "--classifiers", "svm,tree"], "tree"),
        (
            ["--truth", "y", "--classifiers", "svm,forest", "--exact"],
            "--exact/--draw does not go with --truth and --classifiers",
        ),
        (
            ["--truth", "y", "--classifiers", "svm,forest", "--statistic", "kapa"],
            "statistic must be the name",
        ),
    ],
)
def test_commands_refused(confmat, options, message, labels_file):
    assert message in fail(confmat("test", labels_file, *options))
