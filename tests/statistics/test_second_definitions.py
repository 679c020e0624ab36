"""Every record has a second definition: of the objects, two labels each, by nothing of the package's.

Whoever adds a record adds its line to ``SECOND``, in the words of its source; a record without one fails by its name.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import fsum, isclose, log, sqrt

import numpy as np
import pytest

from confmat.classes import Tables
from confmat.statistics import STATISTICS, Statistic

# --- objects: a list of (label a, label b), of a classifier (true class, predicted class) -----------------------------


def objects_of(table):
    """
    >>> objects_of([[2, 0], [0, 1]])
    [(0, 0), (0, 0), (1, 1)]
    """
    cells = product(range(len(table)), range(len(table[0])))
    return [cell for cell in cells for _ in range(table[cell[0]][cell[1]])]


def share(objects, condition):
    """How often a condition holds, None of no object."""
    return Fraction(sum(map(condition, objects)), len(objects)) if objects else None


def ratio(numerator, denominator):
    if not denominator:
        return None
    whole = isinstance(numerator, int) and isinstance(denominator, int)
    return Fraction(numerator, denominator) if whole else numerator / denominator


def mean(values, weights=None):
    weights = [1] * len(values) if weights is None else weights
    weighted = [(weight, value) for weight, value in zip(weights, values) if weight]
    if any(value is None for _, value in weighted):
        return None
    return sum(weight * value for weight, value in weighted) / Fraction(sum(weights))


# --- two clusterings --------------------------------------------------------------------------------------------------


def of_pairs(formula):
    """Of the numbers of pairs together in both, in a alone, in b alone, in none."""

    def value(objects):
        kinds = Counter()
        for (a, b), (c, d) in combinations(objects, 2):
            kinds[a == c, b == d] += 1
        together = (True, True), (True, False), (False, True), (False, False)
        return formula(*(kinds[kind] for kind in together))

    return value


def kappa_of_two(both, only_a, only_b, neither):
    pairs = both + only_a + only_b + neither
    in_a, in_b = both + only_a, both + only_b
    chance = in_a * in_b + (pairs - in_a) * (pairs - in_b)
    return ratio(pairs * (both + neither) - chance, pairs * pairs - chance)


def adjusted_rand(a, b, c, d):
    return ratio(2 * (a * d - b * c), (a + b) * (b + d) + (a + c) * (c + d))


def matched(objects):
    """The most objects whose labels agree when the labels of one side are renamed."""
    sides = [sorted(set(side)) for side in zip(*objects)]
    if len(sides[0]) > len(sides[1]):
        return matched([(b, a) for a, b in objects])
    return max(
        sum(b == dict(zip(sides[0], names))[a] for a, b in objects)
        for names in permutations(sides[1], len(sides[0]))
    )


def misclassified(objects):
    return 1 - Fraction(matched(objects), len(objects))


def discordance(objects):
    return of_pairs(lambda a, b, c, d: ratio(b + c, a + b + c + d))(objects)


def over_largest(distance):
    @cache
    def largest(n, r, s):
        return max(distance(objects_of(table)) for table in Tables(n, r, s))

    def value(objects):
        r, s = (len(set(side)) for side in zip(*objects))
        return ratio(distance(objects), largest(len(objects), r, s))

    return value


def entropy(labels):
    shares = [count / len(labels) for count in Counter(labels).values()]
    return fsum(-x * log(x) for x in shares)


def of_entropies(formula):
    """Of H(A), H(B) and H(A, B); 0/0 where it is that up to rounding."""

    def value(objects):
        a, b = zip(*objects)
        return formula(*(round(entropy(labels), 15) for labels in (a, b, objects)))

    return value


def information(objects):
    return of_entropies(lambda x, y, z: x + y - z)(objects)


def adjusted_information(objects):
    """The mean is that over all orders of the labels b."""
    a, b = zip(*objects)
    orders = [information(list(zip(a, labels))) for labels in permutations(b)]
    expected = fsum(orders) / len(orders)
    spread = (entropy(a) + entropy(b)) / 2 - expected
    return None if abs(spread) < 1e-12 else (information(objects) - expected) / spread


def v_measure(x, y, z):
    homogeneity, completeness = ratio(x + y - z, x), ratio(x + y - z, y)
    if homogeneity is None or completeness is None:
        return None
    return ratio(2 * homogeneity * completeness, homogeneity + completeness)


def of_largest_cells(formula):
    """Of n and how many objects are in the largest cell of their row, and of their column."""

    def value(objects):
        in_rows, in_columns = Counter(), Counter()
        for (a, b), count in Counter(objects).items():
            in_rows[a] = max(in_rows[a], count)
            in_columns[b] = max(in_columns[b], count)
        return formula(len(objects), sum(in_rows.values()), sum(in_columns.values()))

    return value


def expected_counts(objects):
    rows, columns = (Counter(side) for side in zip(*objects))
    return {(a, b): Fraction(rows[a] * columns[b], len(objects)) for a in rows for b in columns}


def chi_squared(objects):
    cells = Counter(objects)
    return sum((cells[cell] - x) ** 2 / x for cell, x in expected_counts(objects).items())


def likelihood_ratio(objects):
    expected = expected_counts(objects)
    return 2 * fsum(count * log(count / expected[cell]) for cell, count in Counter(objects).items())


def probability_of_the_table(objects):
    """Of all orders of the labels b, how many give it."""
    a, b = zip(*objects)
    orders = list(permutations(b))
    return share(orders, lambda labels: Counter(zip(a, labels)) == Counter(objects))


# --- a classifier -----------------------------------------------------------------------------------------------------


def sensitivity(objects, k):
    return share([x for x in objects if x[0] == k], lambda x: x[1] == k)


def specificity(objects, k):
    return share([x for x in objects if x[0] != k], lambda x: x[1] != k)


def precision(objects, k):
    return share([x for x in objects if x[1] == k], lambda x: x[0] == k)


def f1(objects, k):
    hits = objects.count((k, k))
    return ratio(2 * hits, sum((truth == k) + (found == k) for truth, found in objects))


def both(first, second, joined):
    def measure(objects, k):
        x, y = first(objects, k), second(objects, k)
        return None if x is None or y is None else joined(x, y)

    return measure


half_of_both = both(sensitivity, specificity, lambda x, y: (x + y) / 2)
root_of_sp = both(sensitivity, precision, lambda x, y: sqrt(x * y))
root_of_ss = both(sensitivity, specificity, lambda x, y: sqrt(x * y))


def over_classes(measure):
    return lambda objects, classes: mean([measure(objects, k) for k in range(classes)])


def by_frequency(measure):
    def value(objects, classes):
        frequencies = [sum(truth == k for truth, _ in objects) for k in range(classes)]
        return mean([measure(objects, k) for k in range(classes)], frequencies)

    return value


def over_pairs(measure, is_kept):
    def value(objects, classes):
        values = []
        for i, j in permutations(range(classes), 2):
            objects_kept = [x for x in objects if is_kept(*x, {i, j})]
            values.append(measure(objects_kept, i))
        return mean(values)

    return value


def only_these(truth, found, pair):
    return truth in pair and found in pair


def all_their_objects(truth, found, pair):
    return truth in pair


def accuracy(objects, classes):
    return share(objects, lambda x: x[0] == x[1])


def balanced_accuracy(objects, classes):
    """Over the classes that occur."""
    return mean([sensitivity(objects, k) for k in sorted({truth for truth, _ in objects})])


def kappa(objects, classes):
    agreement = accuracy(objects, classes)
    by_chance = share(list(product(objects, objects)), lambda pair: pair[0][0] == pair[1][1])
    return ratio(agreement - by_chance, 1 - by_chance)


def correlation(objects, classes):
    """Of the indicators of the classes."""
    sides = [
        np.array([[label == k for k in range(classes)] for label in side], float) for side in zip(*objects)
    ]
    x, y = (side - side.mean(axis=0) for side in sides)
    spread = sqrt((x * x).sum() * (y * y).sum())
    return None if spread < 1e-12 else (x * y).sum() / spread


# --- the second definitions -------------------------------------------------------------------------------------------

SECOND_OF_CLUSTERINGS = {
    "med": misclassified,
    "nmed": over_largest(misclassified),
    "rd": discordance,
    "nrd": over_largest(discordance),
    "ri": of_pairs(lambda a, b, c, d: ratio(a + d, a + b + c + d)),
    "ari": of_pairs(adjusted_rand),
    "ard": of_pairs(lambda *kinds: None if adjusted_rand(*kinds) is None else 1 - adjusted_rand(*kinds)),
    "mirkin": lambda objects: share(
        list(product(objects, objects)), lambda pair: (pair[0][0] == pair[1][0]) != (pair[0][1] == pair[1][1])
    ),
    "fm": of_pairs(lambda a, b, c, d: ratio(a, sqrt((a + b) * (a + c)))),
    "jaccard": of_pairs(lambda a, b, c, d: ratio(a, a + b + c)),
    "wallace_ab": of_pairs(lambda a, b, c, d: ratio(a, a + b)),
    "wallace_ba": of_pairs(lambda a, b, c, d: ratio(a, a + c)),
    "pair_kappa": of_pairs(kappa_of_two),
    "vi": of_entropies(lambda x, y, z: 2 * z - x - y),
    "mi": information,
    "entropy_a": of_entropies(lambda x, y, z: x),
    "entropy_b": of_entropies(lambda x, y, z: y),
    "nmi": of_entropies(lambda x, y, z: ratio(2 * (x + y - z), x + y)),
    "nmi_geometric": of_entropies(lambda x, y, z: ratio(x + y - z, sqrt(x * y))),
    "nmi_max": of_entropies(lambda x, y, z: ratio(x + y - z, max(x, y))),
    "nmi_min": of_entropies(lambda x, y, z: ratio(x + y - z, min(x, y))),
    "nmi_joint": of_entropies(lambda x, y, z: ratio(x + y - z, z)),
    "v_measure": of_entropies(v_measure),
    "homogeneity": of_entropies(lambda x, y, z: ratio(x + y - z, x)),
    "completeness": of_entropies(lambda x, y, z: ratio(x + y - z, y)),
    "ami": adjusted_information,
    "purity": of_largest_cells(lambda n, in_rows, in_columns: Fraction(in_columns, n)),
    "van_dongen": of_largest_cells(lambda n, in_rows, in_columns: 1 - Fraction(in_rows + in_columns, 2 * n)),
    "chi2": chi_squared,
    "g2": likelihood_ratio,
    "fisher_probability": probability_of_the_table,
}
SECOND_OF_CLASSIFIERS = {
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
    "recall": over_classes(sensitivity),
    "precision": over_classes(precision),
    "f1": over_classes(f1),
    "kappa": kappa,
    "mcc": correlation,
    "auc": by_frequency(half_of_both),
    "auc_pairs": over_pairs(half_of_both, only_these),
    "auc3": over_pairs(half_of_both, all_their_objects),
    "f_beta": by_frequency(f1),
    "f_pairs": over_pairs(f1, only_these),
    "gsp": by_frequency(root_of_sp),
    "gsp_pairs": over_pairs(root_of_sp, only_these),
    "gss": by_frequency(root_of_ss),
    "gss_pairs": over_pairs(root_of_ss, only_these),
}
SECOND = SECOND_OF_CLUSTERINGS | SECOND_OF_CLASSIFIERS

CLUSTERINGS = [
    *(Tables(n, r, s) for r, s in ((2, 2), (2, 3), (3, 2)) for n in range(max(r, s), 6)),
    Tables(5, 3, 3),
]
CLASSIFIERS = [
    *(Tables(n, 2, 2, allow_empty=True) for n in range(1, 6)),
    *(Tables(n, 3, 3, allow_empty=True) for n in range(1, 5)),
]


def without_a_second_definition(records):
    return sorted(set(records) - set(SECOND))


def differences(statistic, second_of):
    """(table, value, second value) where both have one and they differ; and how many were compared."""
    found, compared = [], 0
    is_classifier = not statistic.of_clusterings
    for matrices in CLASSIFIERS if is_classifier else CLUSTERINGS:
        for table in matrices:
            objects = objects_of(table)
            second = second_of(objects, len(table)) if is_classifier else second_of(objects)
            value = statistic(table)
            if second is None or value != value:
                continue
            compared += 1
            if not isclose(value, second, rel_tol=1e-12, abs_tol=1e-12):
                found.append((np.asarray(table).tolist(), value, second))
    return found, compared


def test_every_record_has_a_second_definition():
    assert without_a_second_definition(STATISTICS) == []
    assert without_a_second_definition([*STATISTICS, "youden"]) == ["youden"]


@pytest.mark.parametrize("name", STATISTICS)
def test_a_record_is_its_second_definition_on_all_small_tables(name):
    found, compared = differences(STATISTICS[name], SECOND[name])
    assert found == []
    assert compared > 30


def test_a_mean_weighted_otherwise_is_found():
    """Youden's index as a plain mean over classes, and a record that weighs the classes by their frequency."""

    def youden(objects, k):
        return both(sensitivity, specificity, lambda x, y: x + y - 1)(objects, k)

    def weighted(table):
        value = by_frequency(youden)(objects_of(table), len(table))
        return Fraction(0) if value is None else value

    record = Statistic("youden", weighted, symmetry="simultaneous")
    found, compared = differences(record, over_classes(youden))
    assert found
    assert compared > len(found)
