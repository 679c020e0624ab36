"""Textbook definitions of metrics, as plain as they are printed: what the metrics of libraries are compared with.

A definition takes a contingency table (of a classifier: rows true classes; of scores: classes and scores) and returns
a Fraction, or a float where it has roots or logarithms; it raises ZeroDivisionError where it is 0/0.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import comb, exp, fsum, lgamma, log, prod, sqrt
from typing import Any


@dataclass(frozen=True)
class Definition:
    """A formula, its value, and what follows from it: arguments of `confmat.contract`."""

    formula: str
    value: Callable[..., Any]
    claims: dict[str, Any]


def rows_of(table):
    """The table in whole numbers of Python, which do not overflow."""
    return [list(map(int, row)) for row in table]


def margins(table):
    return [sum(row) for row in table], [sum(column) for column in zip(*table)]


def cells(table):
    return [x for row in table for x in row]


# --- pairs of objects: a in both clusterings together, b only in the first, c only in the second, d in none ---


def of_pairs(formula):
    def value(table):
        rows, columns = margins(table := rows_of(table))
        together, first, second = (sum(comb(x, 2) for x in xs) for xs in (cells(table), rows, columns))
        b, c = first - together, second - together
        return formula(together, b, c, comb(sum(rows), 2) - together - b - c)

    return value


def adjusted_fowlkes_mallows(a, b, c, d):
    expected = Fraction((a + b) * (a + c), a + b + c + d)
    return (a - expected) / (sqrt((a + b) * (a + c)) - expected)


def correlation(a, b, c, d):
    return (a * d - b * c) / sqrt((a + b) * (a + c) * (d + b) * (d + c))


# --- logarithms ---


def entropy(sizes):
    n = sum(sizes)
    return fsum(-x / n * log(x / n) for x in sizes if x)


def of_entropies(formula):
    """A formula in the entropies of both clusterings and their joint one, in nats."""

    def value(table):
        rows, columns = margins(table := rows_of(table))
        return formula(entropy(rows), entropy(columns), entropy(cells(table)))

    return value


def log_comb(n, k):
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def adjusted_mutual_information(table):
    rows, columns = margins(table := rows_of(table))
    n = sum(rows)
    expected = fsum(
        x / n * log(n * x / (a * b)) * exp(log_comb(a, x) + log_comb(n - a, b - x) - log_comb(n, b))
        for a in rows
        for b in columns
        for x in range(max(1, a + b - n), min(a, b) + 1)
    )
    both = entropy(rows), entropy(columns)
    spread = sum(both) / 2 - expected
    if abs(spread) < 1e-12:  # one cluster on both sides, or single objects
        raise ZeroDivisionError
    return (sum(both) - entropy(cells(table)) - expected) / spread


# --- overlaps ---


def purity(table):
    """The largest class of each found cluster: of each column."""
    return Fraction(sum(map(max, zip(*rows_of(table)))), sum(map(sum, rows_of(table))))


def matched(table):
    """The largest sum of cells, one in a row and column each."""
    table = rows_of(table)
    few, many = (table, list(zip(*table))) if len(table) <= len(table[0]) else (list(zip(*table)), table)
    assert len(many) >= len(few)
    return max(
        sum(row[j] for row, j in zip(few, order)) for order in permutations(range(len(many)), len(few))
    )


def pivoted_accuracy(table):
    n, k = sum(map(sum, rows_of(table))), max(len(table), len(table[0]))
    return (Fraction(matched(table), n) - Fraction(1, k)) / (1 - Fraction(1, k))


def clustering_accuracy(table):
    """Missing rows and columns are filled with 0, and 0/0 is 0, as its author says."""
    table = rows_of(table)
    k = max(len(table), len(table[0]))
    square = [[*row, *[0] * (k - len(row))] for row in table] + [[0] * k for _ in range(k - len(table))]
    shares = [[Fraction(x, sum(row)) if any(row) else None for x in row] for row in square]
    gains = [[0 if x is None else (x - Fraction(1, k)) / (1 - Fraction(1, k)) for x in row] for row in shares]
    return max(sum(row[j] for row, j in zip(gains, order)) for order in permutations(range(k))) / Fraction(k)


def split_join(table):
    n = sum(map(sum, rows_of(table)))
    return Fraction(2 * n - sum(map(max, rows_of(table))) - sum(map(max, zip(*rows_of(table)))))


# --- classifiers: true classes in rows ---


def of_classes(formula, average=lambda values: sum(values) / Fraction(len(values))):
    """The average over classes of a formula in tp, fn, fp, tn."""

    def value(table):
        rows, columns = margins(table := rows_of(table))
        hits = [table[k][k] for k in range(len(table))]
        return average(
            [formula(x, r - x, c - x, sum(rows) - r - c + x) for x, r, c in zip(hits, rows, columns)]
        )

    return value


def of_agreement(formula):
    """A formula in the number of objects, of right ones, and the margins."""

    def value(table):
        rows, columns = margins(table := rows_of(table))
        return formula(sum(rows), sum(table[k][k] for k in range(len(table))), rows, columns)

    return value


def kappa(n, right, rows, columns):
    chance = sum(x * y for x, y in zip(rows, columns))
    return Fraction(n * right - chance, n * n - chance)


def matthews(n, right, rows, columns):
    chance, *both = (
        sum(x * y for x, y in zip(*pair)) for pair in ((rows, columns), (rows, rows), (columns, columns))
    )
    return (n * right - chance) / sqrt(prod(n * n - x for x in both))


def curve_area(truth, scores):
    up, down = ([x for y, x in zip(truth, scores) if y == kind] for kind in (1, 0))
    return Fraction(sum(2 * (x > y) + (x == y) for x in up for y in down), 2 * len(up) * len(down))


# --- all of them ---

_SHARE = {"bounds": (0, 1)}
_INDEX = {"bounds": (0, 1), "identity": 1}
_DISTANCE = {"bounds": (0, None), "metric": True}
_ADJUSTED = {"bounds": (None, 1), "identity": 1}
_ONE_SIDED = {"bounds": (0, 1), "symmetric": False}
_CLASSES = {"classifier": True, "bounds": (0, 1)}
_BOTH_WAYS = {"classifier": True, "bounds": (-1, 1), "identity": 1, "symmetric": True}

DEFINITIONS = {
    "Rand": Definition(
        "(a + d) / (a + b + c + d)", of_pairs(lambda a, b, c, d: Fraction(a + d, a + b + c + d)), _INDEX
    ),
    "adjusted Rand": Definition(
        "2 (ad - bc) / ((a + b)(b + d) + (a + c)(c + d))",
        of_pairs(lambda a, b, c, d: Fraction(2 * (a * d - b * c), (a + b) * (b + d) + (a + c) * (c + d))),
        _ADJUSTED,
    ),
    "Jaccard": Definition("a / (a + b + c)", of_pairs(lambda a, b, c, d: Fraction(a, a + b + c)), _INDEX),
    "Fowlkes-Mallows": Definition(
        "a / sqrt((a + b)(a + c))", of_pairs(lambda a, b, c, d: a / sqrt((a + b) * (a + c))), _INDEX
    ),
    "adjusted Fowlkes-Mallows": Definition(
        "(a - e) / (sqrt((a + b)(a + c)) - e), e = (a + b)(a + c) / (a + b + c + d)",
        of_pairs(adjusted_fowlkes_mallows),
        _ADJUSTED,
    ),
    "Dice": Definition(
        "2a / (2a + b + c)", of_pairs(lambda a, b, c, d: Fraction(2 * a, 2 * a + b + c)), _INDEX
    ),
    "Kulczynski": Definition(
        "(a / (a + b) + a / (a + c)) / 2",
        of_pairs(lambda a, b, c, d: (Fraction(a, a + b) + Fraction(a, a + c)) / 2),
        _INDEX,
    ),
    "Rogers-Tanimoto": Definition(
        "(a + d) / (a + 2 (b + c) + d)",
        of_pairs(lambda a, b, c, d: Fraction(a + d, a + 2 * (b + c) + d)),
        _INDEX,
    ),
    "Russell-Rao": Definition(
        "a / (a + b + c + d)", of_pairs(lambda a, b, c, d: Fraction(a, a + b + c + d)), _SHARE
    ),
    "Sokal-Sneath 1": Definition(
        "a / (a + 2 (b + c))", of_pairs(lambda a, b, c, d: Fraction(a, a + 2 * (b + c))), _INDEX
    ),
    "Sokal-Sneath 2": Definition(
        "(a + d) / (a + d + (b + c) / 2)",
        of_pairs(lambda a, b, c, d: (a + d) / (a + d + Fraction(b + c, 2))),
        _INDEX,
    ),
    "Southwood": Definition(
        "a / (b + c)", of_pairs(lambda a, b, c, d: Fraction(a, b + c)), {"bounds": (0, None)}
    ),
    "correlation of pairs": Definition(
        "(ad - bc) / sqrt((a + b)(a + c)(d + b)(d + c))",
        of_pairs(correlation),
        {"bounds": (-1, 1), "identity": 1},
    ),
    "Hubert's gamma": Definition(
        "(a + d - b - c) / (a + b + c + d)",
        of_pairs(lambda a, b, c, d: Fraction(a + d - b - c, a + b + c + d)),
        {"bounds": (-1, 1), "identity": 1},
    ),
    "discordance": Definition(
        "(b + c) / (a + b + c + d)",
        of_pairs(lambda a, b, c, d: Fraction(b + c, a + b + c + d)),
        {"bounds": (0, 1), "metric": True},
    ),
    "precision of pairs": Definition(
        "a / (a + c)", of_pairs(lambda a, b, c, d: Fraction(a, a + c)), _ONE_SIDED
    ),
    "recall of pairs": Definition("a / (a + b)", of_pairs(lambda a, b, c, d: Fraction(a, a + b)), _ONE_SIDED),
    "mutual information": Definition(
        "H(A) + H(B) - H(A, B), in nats", of_entropies(lambda x, y, z: x + y - z), {"bounds": (0, None)}
    ),
    "mutual information in bits": Definition(
        "H(A) + H(B) - H(A, B), in bits",
        of_entropies(lambda x, y, z: (x + y - z) / log(2)),
        {"bounds": (0, None)},
    ),
    "normalised mutual information": Definition(
        "2 I / (H(A) + H(B))", of_entropies(lambda x, y, z: 2 * (x + y - z) / (x + y)), _INDEX
    ),
    "NMI by the geometric mean": Definition(
        "I / sqrt(H(A) H(B))", of_entropies(lambda x, y, z: (x + y - z) / sqrt(x * y)), _INDEX
    ),
    "NMI by the larger entropy": Definition(
        "I / max(H(A), H(B))", of_entropies(lambda x, y, z: (x + y - z) / max(x, y)), _INDEX
    ),
    "NMI by the smaller entropy": Definition(
        "I / min(H(A), H(B))", of_entropies(lambda x, y, z: (x + y - z) / min(x, y)), _SHARE
    ),
    "homogeneity": Definition("I / H(A)", of_entropies(lambda x, y, z: (x + y - z) / x), _ONE_SIDED),
    "completeness": Definition("I / H(B)", of_entropies(lambda x, y, z: (x + y - z) / y), _ONE_SIDED),
    "conditional entropy in bits": Definition(
        "H(A | B), in bits",
        of_entropies(lambda x, y, z: (z - y) / log(2)),
        {"bounds": (0, None), "symmetric": False},
    ),
    "variation of information": Definition(
        "2 H(A, B) - H(A) - H(B), in nats", of_entropies(lambda x, y, z: 2 * z - x - y), _DISTANCE
    ),
    "variation of information in bits": Definition(
        "2 H(A, B) - H(A) - H(B), in bits", of_entropies(lambda x, y, z: (2 * z - x - y) / log(2)), _DISTANCE
    ),
    "adjusted mutual information": Definition(
        "(I - E I) / ((H(A) + H(B)) / 2 - E I)", adjusted_mutual_information, _ADJUSTED
    ),
    "purity": Definition("sum over columns of the largest cell, over n", purity, _ONE_SIDED),
    "larger projection distance": Definition(
        "1 - (smaller of the sums of row maxima and of column maxima) / n",
        lambda table: 1 - min(purity(table), purity(list(zip(*rows_of(table))))),
        {"bounds": (0, 1), "metric": True},
    ),
    "split-join": Definition("2n - sum of row maxima - sum of column maxima", split_join, _DISTANCE),
    "pivoted accuracy": Definition(
        "(largest sum of matched cells / n - 1/K) / (1 - 1/K), K = max(r, s)", pivoted_accuracy, _INDEX
    ),
    "normalised clustering accuracy": Definition(
        "largest mean over rows of (cell / row - 1/K) / (1 - 1/K), one a row and column",
        clustering_accuracy,
        _ONE_SIDED,
    ),
    "accuracy": Definition(
        "right / n",
        of_agreement(lambda n, right, *_: Fraction(right, n)),
        {**_CLASSES, "identity": 1, "symmetric": True},
    ),
    "error rate": Definition(
        "1 - right / n",
        of_agreement(lambda n, right, *_: 1 - Fraction(right, n)),
        {**_CLASSES, "identity": 0, "symmetric": True},
    ),
    "kappa": Definition("(n right - sum r c) / (n^2 - sum r c)", of_agreement(kappa), _BOTH_WAYS),
    "Matthews": Definition(
        "(n right - sum r c) / sqrt((n^2 - sum r^2)(n^2 - sum c^2))",
        of_agreement(matthews),
        _BOTH_WAYS,
    ),
    "macro recall": Definition(
        "mean tp / (tp + fn)", of_classes(lambda tp, fn, fp, tn: Fraction(tp, tp + fn)), _CLASSES
    ),
    "macro precision": Definition(
        "mean tp / (tp + fp)", of_classes(lambda tp, fn, fp, tn: Fraction(tp, tp + fp)), _CLASSES
    ),
    "macro F": Definition(
        "mean 2 tp / (2 tp + fn + fp)",
        of_classes(lambda tp, fn, fp, tn: Fraction(2 * tp, 2 * tp + fn + fp)),
        {**_CLASSES, "identity": 1, "symmetric": True},
    ),
    "macro Jaccard": Definition(
        "mean tp / (tp + fn + fp)",
        of_classes(lambda tp, fn, fp, tn: Fraction(tp, tp + fn + fp)),
        {**_CLASSES, "identity": 1, "symmetric": True},
    ),
    "macro specificity": Definition(
        "mean tn / (tn + fp)", of_classes(lambda tp, fn, fp, tn: Fraction(tn, tn + fp)), _CLASSES
    ),
    "macro negative predictive value": Definition(
        "mean tn / (tn + fn)", of_classes(lambda tp, fn, fp, tn: Fraction(tn, tn + fn)), _CLASSES
    ),
    "G-mean": Definition(
        "(product of tp / (tp + fn))^(1 / classes)",
        of_classes(
            lambda tp, fn, fp, tn: Fraction(tp, tp + fn),
            lambda values: float(prod(values)) ** (1 / len(values)),
        ),
        _CLASSES,
    ),
    "area under the curve": Definition(
        "share of pairs of classes in the order of their scores, ties half",
        curve_area,
        {"bounds": (0, 1), "identity": 1},
    ),
}
