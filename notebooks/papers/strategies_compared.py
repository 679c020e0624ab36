"""One class against the rest, or pairs of classes: which is larger, over all confusion matrices of a size.

Espindola & Ebecken (2005) find on eight data sets that strategy 1 (each class against the rest, weighted by its
frequency) gives larger values than strategy 2 (pairs of classes), whatever the measure, and that one evaluation
is always the largest and one the smallest.  Here these statements are decided for all K x K matrices of n objects
with every true class present; predicted classes may be empty.

The evaluations have the paper's names: "auc1", "f1", "gsp1", "gss1" by strategy 1, "auc2", .. by strategy 2.  The
paper takes the latter from Hand & Till (2001), and its text leaves open what of a pair of classes counts: ``pairs``
"2" is the objects predicted in one of the two, "3" all of them, as Hand & Till have it; those are "auc3", "f3", ..
Two that differ by more than a bound on the roundoff are compared as doubles, all others exactly.  The claims are
also conjectures of the literature's list ("one-vs-rest-auc", "optimistic-auc1", ..), there over matrices without an
empty predicted class; `tests/oracles/espindola_strategies.json` records the counts for the default sizes.

What is true, and why (also conjectures: "f1-below-gsp1", "two-classes-auc", "equal-classes-f", ..):

- F is at most GSP and GSS at most AUC, by either strategy: the harmonic mean of two rates is at most their
  geometric one, and that at most their arithmetic one.  For K = 3 no two others of the eight are always in order.
- In a pair of classes some errors are left out, and none is added: F and GSP of class i against class j are never
  below those of class i against the rest.  So by these measures strategy 1 can exceed strategy 2 only through its
  weights, where larger classes have larger values; with equal class sizes it never does.
- Two classes: strategies differ by the weights alone; AUC and GSS do not change when the classes swap roles, and
  are equal.
- All objects of the pairs counted, auc3 = 1/2 + (K BCR - 1)/(2(K - 1)), which is auc1 where class sizes are equal:
  against the rest a class then has the mean of its specificities against each other class, and gss1 is at least gss3.
- Equal class sizes, every sensitivity at least 1/K (chance): AUC by strategy 1 is at most that by strategy 2, proved
  in `proofs/equal_classes_auc.py`.  The same was found, not proved, for GSS with classes of up to 13 objects (K = 3),
  5 objects (K = 4).
- From three classes on one error is enough to refute the claim for all four measures: at the identity matrix with
  a second object of class 0, predicted in class 1, 1 - AUC is 1/(2K) by strategy 1, 1/(2K(K - 1)) by strategy 2.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, combinations, permutations
from math import nan
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from checks import whole
from confmat._engine.blocks import WEIGHTS
from confmat._engine.tables import tables_of_margins
from confmat._engine.walks import Chunk, weighted
from confmat._integers.compositions import distinct_orderings, partitions
from confmat.classes import FixedRows
from confmat.classes.orbits import nested
from confmat.conjectures.claims.classification import MEASURES_OF_WAYS, READINGS, STRATEGIES
from confmat.indices.classification import ClassCounts, MeasureNumber
from confmat.indices.classification.batch import against_the_rest, one_against_one, over_pairs
from confmat.indices.classification.measures import mean_by
from confmat.indices.undefined import Undefined

Sizes = Mapping[int, Iterable[int]]
Reading = Any  # of 0/0: "nan", or a number

SIZES: Sizes = {2: range(2, 31), 3: range(3, 15), 4: range(4, 10)}
"""Numbers of classes, and for each the numbers of objects, that are decided by default."""

# Each evaluation is a mean of at most K(K - 1) numbers in [0, 1] that come from whole numbers by half a dozen
# rounded operations: its error is below (K(K - 1) + 8) 2^-53, less than half of this for K < 60.
ROUNDOFF = 1e-12

NAMES = tuple(dict.fromkeys(chain(*READINGS.values())))

UNDEFINED = 2
"""The code, among the signs -1, 0 and 1, of two evaluations that cannot be compared."""


@lru_cache(maxsize=32)
def true_classes_filled(n: int, k: int) -> Chunk:
    """All k x k confusion matrices of n objects with every true class present; predicted classes may be empty.

    Arrays of tables (N x k x k) and of copies, for statistics that simultaneous relabeling leaves unchanged: only
    matrices whose row sums decrease are visited, and stand for the other orders.

    >>> int(true_classes_filled(9, 4)[1].sum())
    703424
    """
    tables: list[np.ndarray] = []
    copies: list[np.ndarray] = []
    for rows in partitions(n, k):
        orders = distinct_orderings(rows)
        for above, cols, each in FixedRows(rows, k).margins("simultaneous"):
            for batch in tables_of_margins(above, cols):
                tables.append(batch.copy())  # a view would keep the whole batch
                copies.append(np.full(len(batch), each * orders))
    return np.concatenate(tables), np.concatenate(copies)


def evaluation(name: str, matrix: Any, undefined: Undefined = "warn") -> MeasureNumber:
    """One of the evaluations of a confusion matrix, exact; for ``"nan"`` a float NaN where it is 0/0.

    >>> evaluation("auc1", [[4, 1], [0, 5]]), str(evaluation("gss2", [[4, 1], [0, 5]]))
    (Fraction(9, 10), '2/5*sqrt(5)')
    """
    if name not in NAMES:
        raise ValueError(f"name must be one of {', '.join(NAMES)}, got {name!r}")
    return mean_by(STRATEGIES[name[-1]], MEASURES_OF_WAYS[name[:-1]], ClassCounts.of(matrix), undefined)


class Tally(NamedTuple):
    """How often a first evaluation is above, equal to or below a second one, or one of them is undefined.

    >>> compared(3, 2).tally("f1", "f2").below
    2
    """

    above: int
    equal: int
    below: int
    undefined: int


class Compared(NamedTuple):
    """The comparisons of the eight evaluations over the K x K matrices of n objects, true classes present.

    ``tables`` (N x K x K) stand for ``copies`` matrices each; ``signs[a, b]`` says for each table whether
    evaluation a is above (1), equal to (0) or below (-1) evaluation b of ``names``, or that one is `UNDEFINED`.

    >>> here = compared(3, 2)
    >>> here.tables.shape, here.signs.shape
    ((6, 2, 2), (8, 8, 6))
    """

    tables: np.ndarray
    copies: np.ndarray
    signs: np.ndarray
    names: tuple[str, ...]

    def sign(self, first: str, second: str) -> np.ndarray:
        """Comparison of two evaluations, for each table.

        >>> here = compared(3, 2)
        >>> here.tables[here.sign("f1", "f2") == -1].tolist()
        [[[0, 2], [0, 1]]]
        """
        return self.signs[self.names.index(first), self.names.index(second)]

    def total(self, weight: str, where: np.ndarray) -> int:
        """Exact number of matrices ("tables"), or of pairs of labelings behind them, for some of the tables.

        >>> here = compared(3, 2)
        >>> [here.total(weight, here.sign("f1", "f2") == -1) for weight in ("tables", "labelings")]
        [2, 6]
        """
        return int(self._weights(weight)[where].sum())

    def _weights(self, weight: str) -> np.ndarray:
        """What each of the tables stands for."""
        return weighted((self.tables, self.copies), weight)

    def tally(self, first: str, second: str, weight: str = "tables", accuracy: float = 0) -> Tally:
        """Compare two evaluations over the matrices whose accuracy is at least ``accuracy``.

        >>> compared(4, 2).tally("f1", "f2", accuracy=0.75)
        Tally(above=4, equal=5, below=0, undefined=0)
        """
        hits = np.trace(self.tables, axis1=1, axis2=2)
        accurate = hits >= accuracy * self.tables.sum(axis=(1, 2))
        sign, weights = self.sign(first, second), self._weights(weight)
        return Tally(*(int(weights[accurate & (sign == code)].sum()) for code in (1, 0, -1, UNDEFINED)))

    def largest_below(self, first: str, second: str) -> tuple[tuple[int, ...], ...] | None:
        """The lexicographically largest matrix at which ``first`` is below ``second``; None if there is none.

        >>> compared(3, 2).largest_below("f1", "f2")
        ((1, 0), (2, 0))
        """
        found = self.tables[self.sign(first, second) == -1]
        orders = [np.ix_(order, order) for order in permutations(range(self.tables.shape[1]))]
        images = (nested(table[order]) for table in found for order in orders)
        return max(images, default=None)


@lru_cache(maxsize=128)
def compared(n: int, k: int, undefined: Reading = "nan", pairs: str = "2") -> Compared:
    """Compare the eight evaluations at every k x k matrix of n objects with all true classes present.

    ``pairs``: "2" or "3", see above; the evaluations are those of strategy 1 and of this reading of strategy 2.
    ``undefined``: "nan" keeps matrices with a 0/0 apart; a number from 0 to 1 stands for each 0/0 of a class or
    a pair (0 is what ``confmat.indices.classification`` takes, with a warning).  O(matrices k^2), and an exact
    comparison of about a millisecond for each pair of values that are nearly equal.

    >>> compared(4, 2).tally("f1", "f2")
    Tally(above=8, equal=15, below=2, undefined=0)
    """
    n, k = whole("n", n), whole("k", k, 2)
    if pairs not in READINGS:
        raise ValueError(f"pairs must be one of {', '.join(READINGS)}, got {pairs!r}")
    if undefined != "nan" and (isinstance(undefined, str) or not 0 <= undefined <= 1):
        raise ValueError(f'undefined must be "nan" or a number from 0 to 1, got {undefined!r}')
    if n < k:
        raise ValueError(f"n must be at least k for every true class to be present, got n = {n}, k = {k}")
    tables, copies = true_classes_filled(n, k)
    return Compared(tables, copies, _signs(tables, undefined, pairs), READINGS[pairs])


def _signs(tables: np.ndarray, undefined: Reading, pairs: str) -> np.ndarray:
    """Signs of the differences of evaluations, 8 x 8 x N: from doubles where that is safe, else exactly."""
    values, names = (
        approximate(tables, nan if undefined == "nan" else float(undefined), pairs),
        READINGS[pairs],
    )
    first, second = values[:, None], values[None]
    differences = first - second
    signs = np.where(np.isnan(differences), UNDEFINED, np.sign(differences)).astype(np.int8)
    # A sum without negative terms is 0 only if all of them are, also in doubles: comparisons with 0 are exact.
    near = (np.abs(differences) <= ROUNDOFF) & (first != 0) & (second != 0)
    near &= np.tri(len(values), k=-1, dtype=bool)[:, :, None]  # each two evaluations once
    for i in np.flatnonzero(near.any(axis=(0, 1))):
        unclear = np.argwhere(near[:, :, i]).tolist()
        counts = ClassCounts.of(tables[i])
        exact = {a: evaluation(names[a], counts, undefined) for a in {*chain(*unclear)}}
        for a, b in unclear:
            signs[a, b, i] = (exact[a] > exact[b]) - (exact[a] < exact[b])
            signs[b, a, i] = -signs[a, b, i]
    return signs


def approximate(tables: np.ndarray, undefined: float = nan, pairs: str = "2") -> np.ndarray:
    """The eight evaluations of many matrices (N x K x K) as doubles, 8 x N; see ``ROUNDOFF``.

    >>> approximate(np.array([[[4, 1], [0, 5]]]))[0]
    array([0.9])
    """
    rest, (sizes, n) = against_the_rest(tables)
    both, _ = (over_pairs if pairs == "2" else one_against_one)(tables)
    return np.concatenate(
        [(_two_class(*rest, undefined) * (sizes / n)).sum(axis=2), _two_class(*both, undefined).mean(axis=2)]
    )


def _two_class(
    tp: np.ndarray, fn: np.ndarray, fp: np.ndarray, tn: np.ndarray, undefined: float
) -> np.ndarray:
    """AUC, F, GSP and GSS, stacked, of two classes."""
    positive, negative, predicted = tp + fn, tn + fp, tp + fp
    with np.errstate(invalid="ignore"):  # no numerator outlives its denominator: 0/0 only
        sensitivity, specificity = tp / positive, tn / negative
        measures = (
            (sensitivity + specificity) / 2,
            2 * tp / (positive + predicted),
            tp / np.sqrt(positive * predicted),
            np.sqrt(sensitivity * specificity),
        )
    return np.where(np.isnan(measures), undefined, measures)


# Tables: what is true at every matrix, where the rest fails first, and how often.


def strategies(sizes: Sizes = SIZES, undefined: Reading = "nan", pairs: str = "2") -> "pd.DataFrame":
    """How often strategy 1 is above, equal to and below strategy 2, by number of classes, measure, n and weight.

    ``share``: that of "below" among the matrices at which both are defined.  The default sizes take half a
    minute, once; all functions of this section share the comparisons.

    >>> strategies({2: [3, 4]}).loc[(2, "f", slice(None), "tables"), "above":"undefined"].to_numpy()
    array([[ 4,  6,  2,  0],
           [ 8, 15,  2,  0]])
    """
    rows = {
        (k, measure, n, weight): compared(n, k, undefined, pairs).tally(
            f"{measure}1", f"{measure}{pairs}", weight
        )
        for k, of_class in sizes.items()
        for measure in MEASURES_OF_WAYS
        for n in of_class
        for weight in WEIGHTS
    }
    return _with_share(_frame(rows, ("classes", "measure", "n", "weight"), Tally._fields))


def by_accuracy(
    sizes: Sizes,
    undefined: Reading = "nan",
    weight: str = "tables",
    accuracies: Iterable[float] = (0, 0.25, 0.5, 0.75),
) -> "pd.DataFrame":
    """The comparison of ``strategies`` among the matrices whose accuracy is at least each of ``accuracies``.

    Good classifiers do not save the claim:

    >>> by_accuracy({3: [6]}, accuracies=[0.75]).loc[(3, "auc"), "above":"undefined"].to_numpy()
    array([[ 0, 10, 36, 24]])
    """
    rows = {
        (k, measure, least): _sum(
            compared(n, k, undefined).tally(f"{measure}1", f"{measure}2", weight, least) for n in of_class
        )
        for k, of_class in sizes.items()
        for measure in MEASURES_OF_WAYS
        for least in accuracies
    }
    return _with_share(_frame(rows, ("classes", "measure", "accuracy"), Tally._fields))


def counterexamples(sizes: Sizes = SIZES, undefined: Reading = "nan", pairs: str = "2") -> "pd.DataFrame":
    """For each number of classes and measure the smallest matrix at which strategy 1 is below strategy 2.

    Of those with the fewest objects the lexicographically largest, and both exact values as text; nothing where
    there is none.  ``upto``: the largest n looked at.

    >>> counterexamples({2: range(2, 6)}).loc[(2, "gsp"), "matrix":].to_list()
    [((2, 0), (2, 1)), '1/5*sqrt(2) + 1/5*sqrt(3)', '1/4*sqrt(2) + 1/6*sqrt(3)']
    """
    rows = {}
    for k, of_class in sizes.items():
        for measure in MEASURES_OF_WAYS:
            names = (f"{measure}1", f"{measure}{pairs}")
            found = ((n, compared(n, k, undefined, pairs).largest_below(*names)) for n in sorted(of_class))
            n, matrix = next((case for case in found if case[1] is not None), (None, None))
            values = [matrix and str(evaluation(name, matrix, undefined)) for name in names]
            rows[k, measure] = (max(of_class), n, matrix, *values)
    frame = _frame(rows, ("classes", "measure"), ("upto", "n", "matrix", "strategy 1", "strategy 2"))
    return frame.astype({"n": "Int64"})


def relations(
    sizes: Sizes = SIZES, undefined: Reading = "nan", weight: str = "tables", pairs: str = "2"
) -> "pd.DataFrame":
    """How each two of the eight evaluations compare, over all sizes of a number of classes together.

    ``relation`` is what holds at every matrix where both are defined: "=", ">=", "<=", or "" for nothing.

    >>> relations({2: range(2, 6)}).loc[2].loc["auc1", "relation"].to_dict()
    {'f1': '', 'gsp1': '', 'gss1': '>=', 'auc2': '=', 'f2': '', 'gsp2': '', 'gss2': '>='}
    """
    rows = {
        (k, *pair): _sum(compared(n, k, undefined, pairs).tally(*pair, weight) for n in of_class)
        for k, of_class in sizes.items()
        for pair in combinations(READINGS[pairs], 2)
    }
    frame = _frame(rows, ("classes", "first", "second"), Tally._fields)
    relation = {(True, True): "", (True, False): ">=", (False, True): "<=", (False, False): "="}
    return frame.assign(relation=[relation[tally.above > 0, tally.below > 0] for tally in rows.values()])


def extremes(
    sizes: Sizes = SIZES, undefined: Reading = "nan", weight: str = "tables", pairs: str = "2"
) -> "pd.DataFrame":
    """How often each evaluation is the largest of the eight, and the smallest, ties included.

    Counted over the matrices at which all eight are defined, ``defined`` many.

    >>> extremes({3: [4]}).loc[3, "largest"].to_dict()
    {'auc1': 3, 'f1': 3, 'gsp1': 3, 'gss1': 3, 'auc2': 9, 'f2': 3, 'gsp2': 3, 'gss2': 3}
    """
    rows = {}
    for k, of_class in sizes.items():
        for a, name in enumerate(READINGS[pairs]):
            counts = [0, 0, 0]
            for here in (compared(n, k, undefined, pairs) for n in of_class):
                defined = (here.signs != UNDEFINED).all(axis=(0, 1))
                above, below = (here.signs[a] >= 0).all(axis=0), (here.signs[a] <= 0).all(axis=0)
                cases = (defined & above, defined & below, defined)
                counts = [count + here.total(weight, case) for count, case in zip(counts, cases)]
            rows[k, name] = counts
    return _frame(rows, ("classes", "evaluation"), ("largest", "smallest", "defined"))


def _sum(tallies: Iterator[Tally]) -> Tally:
    return Tally(*map(sum, zip(*tallies)))


def _with_share(frame: "pd.DataFrame") -> "pd.DataFrame":
    return frame.assign(share=frame["below"] / frame[["above", "equal", "below"]].sum(axis=1))


def _frame(
    rows: Mapping[Any, Iterable[Any]], levels: Iterable[str], columns: Iterable[str]
) -> "pd.DataFrame":
    index = pd.MultiIndex.from_tuples(list(rows), names=list(levels))
    return pd.DataFrame([list(row) for row in rows.values()], index=index, columns=list(columns))


def findings(sizes: Sizes = SIZES, undefined: Reading = "nan") -> dict[str, list[list[Any]]]:
    """The rows of ``strategies``, ``counterexamples``, ``relations`` and ``extremes`` as plain lists, for files.

    >>> findings({2: [3]})["counterexamples"][1]
    [2, 'f', 3, 3, [[1, 0], [2, 0]], '1/6', '1/4']
    """
    frames = {
        "strategies": strategies(sizes, undefined).drop(columns="share"),
        "counterexamples": counterexamples(sizes, undefined),
        "relations": relations(sizes, undefined),
        "extremes": extremes(sizes, undefined),
    }
    return {name: json.loads(frame.reset_index().to_json(orient="values")) for name, frame in frames.items()}
