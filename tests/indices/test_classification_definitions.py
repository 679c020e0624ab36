"""Metrics of a confusion matrix by definition: every measure and strategy, exact values and doubles."""

import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
import sympy
from classification_cases import BY_CLASS, SKEWED, labels_of, matrices
from hypothesis import given
from hypothesis import strategies as st

from confmat.indices import classification as c
from confmat.indices.partition import adjusted_rand_index

ORACLES = Path(__file__).parents[1] / "oracles" / "classification.json"


def two_class(truth, predicted, i):
    """The seven measures of class i against all others, from labels, None where a ratio in them is 0/0."""

    def share(of, among):
        chosen = [x for x in zip(truth, predicted) if among(*x)]
        return sympy.Rational(sum(of(*x) for x in chosen), len(chosen)) if chosen else None

    sens = share(lambda t, p: p == i, lambda t, p: t == i)
    spec = share(lambda t, p: p != i, lambda t, p: t != i)
    prec = share(lambda t, p: t == i, lambda t, p: p == i)

    def joined(how, *parts):
        return None if None in parts else how(*parts)

    if sens is None and prec is None:
        f = None
    else:
        f = 2 * sens * prec / (sens + prec) if sens and prec else sympy.Integer(0)
    return {
        "recall": sens,
        "specificity": spec,
        "precision": prec,
        "f": f,
        "gsp": joined(lambda x, y: sympy.sqrt(x * y), sens, prec),
        "gss": joined(lambda x, y: sympy.sqrt(x * y), sens, spec),
        "auc": joined(lambda x, y: (x + y) / 2, sens, spec),
    }


def mean(weights, values):
    pairs = [(w, v) for w, v in zip(weights, values) if w]
    return None if None in [v for _, v in pairs] else sum(w * v for w, v in pairs) / sum(w for w, _ in pairs)


def agree(value, expected):
    if expected is None:
        return value != value
    symbolic = sum(sympy.Rational(w) * sympy.sqrt(q) for w, q in (as_root_sum(value)).terms)
    return sympy.simplify(symbolic - expected) == 0


def as_root_sum(value):
    return value if isinstance(value, c.RootSum) else c.RootSum.of([(value, 1)])


@given(matrices(most=3))
def test_every_measure_and_strategy_by_definition(matrix):
    truth, predicted = labels_of(matrix)
    k = len(matrix)
    by_class = [two_class(truth, predicted, i) for i in range(k)]
    by_pair = []
    for i, j in permutations(range(k), 2):
        kept = [(t, p) for t, p in zip(truth, predicted) if {t, p} <= {i, j}]
        by_pair.append(two_class([t for t, _ in kept], [p for _, p in kept], i))
    for name, measure in BY_CLASS.items():
        options = {"exact": True, "undefined": "nan"}
        values = measure(matrix, strategy=None, **options)
        assert len(values) == k
        for i in range(k):
            assert agree(values[i], by_class[i][name])
            one = measure(matrix, label=i, **options)
            assert one == values[i] or (one != one and values[i] != values[i])
        expected = mean([sum(row) for row in matrix], [x[name] for x in by_class])
        assert agree(measure(matrix, strategy="rest", **options), expected)
        if k > 1:
            assert agree(
                measure(matrix, strategy="pairs", **options),
                mean([1] * len(by_pair), [x[name] for x in by_pair]),
            )


@given(matrices())
def test_floats_are_the_rounded_exact_values(matrix):
    exact, rounded = (c.all_metrics(matrix, exact=e, undefined="nan") for e in (True, False))
    assert (rounded.accuracy, rounded.balanced_accuracy, rounded.ari) == tuple(
        map(float, (exact.accuracy, exact.balanced_accuracy, exact.ari))
    )
    for name in BY_CLASS:
        some, other = getattr(exact, name), getattr(rounded, name)
        pairs = [*zip(some.classes, other.classes), (some.rest, other.rest)]
        if len(matrix) > 1:
            pairs.append((some.pairs, other.pairs))
        for x, y in pairs:
            assert type(y) is float
            assert (x != x and y != y) or float(x) == y


def test_ties_between_doubles_are_rounded_as_the_exact_value():
    """All sensitivities of pairs are half-way between two doubles; a sixth of them has no finite binary form."""
    tp, fn = 2**53 + 3, 2**53 - 3
    matrix = [[tp if i == j else fn for j in range(3)] for i in range(3)]
    exact = c.sensitivity(matrix, strategy="pairs", exact=True)
    assert exact == Fraction(tp, 2**54)
    assert c.sensitivity(matrix, strategy="pairs") == float(exact) > 0.5 + 2**-53


@given(matrices(), st.fractions(0, 3))
def test_all_metrics_are_the_single_ones(matrix, beta):
    options = {"exact": True, "undefined": 0}
    found = c.all_metrics(matrix, beta=beta, **options)
    assert (found.accuracy, found.balanced_accuracy) == (
        c.accuracy(matrix, exact=True),
        c.balanced_accuracy(matrix, exact=True),
    )
    for name, metric in BY_CLASS.items():
        chosen = {**options, "beta": beta} if name == "f" else options
        by_class = getattr(found, name)
        assert by_class.classes == metric(matrix, strategy=None, **chosen)
        assert by_class.rest == metric(matrix, strategy="rest", **chosen)
        assert len(matrix) == 1 or by_class.pairs == metric(matrix, strategy="pairs", **chosen)


def test_exact_is_a_fraction_where_that_is_possible():
    assert isinstance(c.g_mean_ss([[8, 2], [1, 4]], exact=True), Fraction)
    assert isinstance(c.g_mean_sp([[8, 2], [1, 4]], exact=True), c.RootSum)


@given(matrices(), st.randoms())
def test_simultaneous_relabeling_changes_nothing(matrix, random):
    order = random.sample(range(len(matrix)), len(matrix))
    moved = [[matrix[i][j] for j in order] for i in order]
    for metric in (c.accuracy, c.balanced_accuracy):
        assert metric(moved, exact=True) == metric(matrix, exact=True)
    for metric in (c.f_beta, c.g_mean_sp, c.g_mean_ss, c.auc):
        options = {"exact": True, "undefined": 0}
        assert metric(moved, **options) == metric(matrix, **options)
        if len(matrix) > 1:
            assert metric(moved, strategy="pairs", **options) == metric(matrix, strategy="pairs", **options)


@given(matrices(), st.sampled_from([2**40, 2**70]))
def test_huge_counts(matrix, factor):
    large = [[factor * x for x in row] for row in matrix]
    options = {"exact": True, "undefined": "nan"}
    small, scaled = c.all_metrics(matrix, **options), c.all_metrics(large, **options)
    assert (scaled.accuracy, scaled.balanced_accuracy) == (small.accuracy, small.balanced_accuracy)
    for name in BY_CLASS:
        some, other = getattr(small, name), getattr(scaled, name)
        for x, y in zip((*some.classes, some.rest, some.pairs), (*other.classes, other.rest, other.pairs)):
            assert x == y or (x != x and y != y)


@given(matrices())
def test_ari_beside_them(matrix):
    assert c.all_metrics(matrix, exact=True, undefined=0).ari == adjusted_rand_index(matrix, exact=True)


@given(matrices(least=2, most=2))
def test_two_classes(matrix):
    """Strategies agree where the measure does not prefer a class; the balanced accuracy is the discrete AUC."""
    if not all(map(sum, matrix)):
        return
    assert c.balanced_accuracy(matrix, exact=True) == c.auc(matrix, exact=True)
    for metric in (c.auc, c.g_mean_ss):
        assert metric(matrix, exact=True) == metric(matrix, strategy="pairs", exact=True)
        assert metric(matrix, exact=True) == metric(matrix, label=0, exact=True)


@given(matrices())
def test_weighted_sensitivity_is_the_accuracy(matrix):
    assert c.sensitivity(matrix, strategy="rest", exact=True) == c.accuracy(matrix, exact=True)


@given(matrices(), st.fractions(0, 5))
def test_f_measure_between_precision_and_sensitivity(matrix, beta):
    for i in range(len(matrix)):
        options = {"label": i, "exact": True, "undefined": 0}
        ends = sorted([c.precision(matrix, **options), c.sensitivity(matrix, **options)])
        assert ends[0] <= c.f_beta(matrix, beta=beta, **options) <= ends[1]
        assert c.f_beta(matrix, beta=0, **options) == c.precision(matrix, **options)


@pytest.mark.parametrize(
    "case", json.loads(ORACLES.read_text())["cases"], ids=lambda case: case["source"][:60]
)
def test_printed_values(case):
    found = c.all_metrics(case["matrix"], exact=True, undefined=0)
    for name, value in case["exact"].items():
        metric = getattr(found, name)
        assert (metric.classes[case["label"]] if name in BY_CLASS else metric) == Fraction(value)


def test_all_metrics_weighs_both_rates_alike_by_default():
    assert c.all_metrics(SKEWED).f.classes == c.f_beta(SKEWED, strategy=None)


@pytest.mark.parametrize("beta", [Fraction(1, 2), Fraction(0), Fraction(2)])
def test_f_measure_by_its_formula(beta):
    """Espindola & Ebecken (2005): (b^2 + 1) sens prec / (sens + b^2 prec), for each class."""
    for label in range(3):
        sens = c.sensitivity(SKEWED, label=label, exact=True)
        prec = c.precision(SKEWED, label=label, exact=True)
        expected = (beta**2 + 1) * sens * prec / (sens + beta**2 * prec)
        assert c.f_beta(SKEWED, beta=beta, label=label, exact=True) == expected
