"""Two classifiers on one test set: is one better than chance makes it, whatever the metric?

If the two are equally good, an object's two predictions could as well stand under each other's name: they are
exchanged object by object, each with chance 1/2.  Objects on which both agree change nothing.  Those of true class t
that one puts into class a and the other into b are alike, so of the m of them a binomial number keep a: the first
matrix is

    what agrees  +  sum over (t, a, b) of  k [t, a]  +  (m - k) [t, b],        k out of m with weight C(m, k),

and the second one has the rest.  Most metrics look at few sums of the cells only.  Accuracy looks at the diagonal, so
objects that both get wrong change nothing, and what is left is McNemar's exact test; balanced accuracy looks at the
diagonal divided by the row sums; kappa at the diagonal and at sum r_t c_t (r and c the row and column sums); Matthews'
correlation at the diagonal and all column sums; F1 and the like at each class's place on the diagonal besides.  Others,
and functions of one's own, look at all cells.  The law of these sums is a recursion over (t, a, b), the same that
`confmat.rows` makes over rows, with one state: several sums are digits of one number.  Of three classes what looks at
column sums is counted row by row, which reaches farther (`confmat.chance.three_classes`).

>>> truth = [0] * 8 + [1] * 6
>>> first = [0] * 8 + [1] * 5 + [0]
>>> second = [0] * 4 + [1] * 4 + [1] * 4 + [0] * 2
>>> compare_classifiers(truth, first, second, "accuracy").pvalue  # 5 objects, all won by the first: 2/2^5
Fraction(1, 16)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm, prod
from typing import Any

import numpy as np

from confmat.answers import Answer, Part, details, number_json
from confmat.arguments import as_amount
from confmat.chance.p_values import interval_lines, p_of_draws
from confmat.chance.three_classes import ThreeRows, number_enough
from confmat.engine.walks import values_at
from confmat.errors import TooLarge
from confmat.indices.classification import confusion
from confmat.indices.classification.agreement import correlation, kappa_quotient, mcc_terms
from confmat.indices.classification.batch import mean_of
from confmat.indices.classification.counts import TwoClass
from confmat.indices.classification.measures import CLASS_WEIGHTS, Measure
from confmat.integers.arrays import distinct, from_residues, primes_for
from confmat.matrices.labels import as_paired_labels, label_values
from confmat.matrices.matrix import dense
from confmat.rows.kernels import FAR, Edges, Laws, laws_along
from confmat.sampling.streams import Seed, check_seed
from confmat.statistics import STATISTICS, Statistic, as_statistic

MOST_EXCHANGE_TERMS = 2_000_000_000
"""Of the recursion, over all primes: some 10 seconds."""

MOST_SUMS = 6_000_000
"""Sums of cells at which a metric is evaluated at once: 200 bytes each."""

MOST_EXCHANGED_TABLES = 300_000
"""The same where the metric looks at all cells."""

NEAR = 1e-9
"""Differences in doubles that are nearer than this are compared exactly; doubles are off by less than 1e-12."""

NEAR_WHOLE = 1e-6
"""Numbers of objects on the diagonal that are nearer than this to a whole one are compared exactly."""

CELLS_AT_ONCE = 2**22
"""Cells of tables that are drawn at once."""


@dataclass(frozen=True, repr=False)
class ClassifierComparison(Answer):
    """Result of ``compare_classifiers``: ``statistic`` is the difference, first minus second, of ``values``.

    ``pvalue``: the chance of a difference at least as large in size, a Fraction; of draws Davison and Hinkley's, with
    the Clopper-Pearson ``interval`` of 99 % for the exact one.  ``discordant``: objects on which the two differ;
    ``exchanged``: those of them on which the metric depends.
    """

    name: str
    values: tuple[Any, Any]
    statistic: Any
    pvalue: Fraction
    method: str
    objects: int
    discordant: int
    exchanged: int
    interval: tuple[float, float] | None = None
    draws: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Every field; exact numbers with their doubles.

        >>> compare_classifiers([0, 0, 1], [0, 0, 1], [1, 1, 1], "accuracy").to_json()["p"]
        {'exact': '1/2', 'value': 0.5}
        """
        first, second = map(number_json, self.values)
        return {
            "statistic": self.name,
            "first": first,
            "second": second,
            "difference": number_json(self.statistic),
            "p": number_json(self.pvalue),
            "method": self.method,
            "objects": self.objects,
            "discordant": self.discordant,
            "exchanged": self.exchanged,
            "interval": self.interval,
            "draws": self.draws,
        }

    def parts(self) -> Iterable[Part]:
        """The two values, their difference, and how often exchanged predictions differ as much."""
        first, second = self.values
        lines: list[tuple[str, Any]] = [
            ("first", first),
            ("second", second),
            ("difference", self.statistic),
            ("p", self.pvalue),
        ]
        lines += interval_lines("99 % interval", self.interval)
        title = f"{self.name} of two classifiers, two-sided, predictions exchanged: {self.method}"
        yield details(lines, title)
        yield f"They differ on {self.discordant:,} of {self.objects:,} objects."


def compare_classifiers(
    truth: Any,
    a: Any,
    b: Any,
    statistic: Any = "accuracy",
    *,
    draws: int = 99_999,
    rng: Seed = None,
) -> ClassifierComparison:
    """Test whether two classifiers differ on one test set: the difference of a metric under exchanged predictions.

    ``confmat test FILE --truth T --classifiers A,B`` is this on the command line.

    ``truth``, ``a``, ``b``: the labels of the same objects.  ``statistic``: "accuracy" (McNemar's exact test), "kappa",
    "f1", "mcc", any metric of a classifier of ``confmat.statistics``, or a function of the confusion matrix (rows =
    truth).  Null model: the two predictions of every object are exchanged with chance 1/2, objects apart.  The p-value
    is two-sided, the chance that the difference is at least as large in size as the observed one, and a Fraction: every
    near tie is decided by exact values.  Exchanges that leave the metric undefined are not counted as extreme.  Of
    three classes it is exact for 300 objects on which the two differ for every mean over the classes against the rest
    (precision, F1, G-means, AUC), for kappa, Matthews' correlation and accuracy.  Where sums are too many to be
    followed, it is of ``draws`` draws by ``rng``, and ``method`` says so.

    Raises ValueError for labels of several lengths, for no objects, and for a statistic that is unknown, or undefined
    at one of the two.

    Source: McNemar (1947) for the accuracy; exchange of a pair's members is Fisher's (1935) randomisation test.

    >>> truth = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    >>> first = [0, 0, 0, 1, 1, 1, 1, 2, 2, 0]
    >>> second = [0, 1, 2, 1, 1, 0, 1, 2, 0, 0]
    >>> found = compare_classifiers(truth, first, second, "kappa")
    >>> found.statistic, found.pvalue, found.method
    (Fraction(20, 33), Fraction(1, 8), 'exact')
    """
    count = as_amount("draws", draws, 1)
    check_seed(rng)
    record = as_statistic(statistic)
    matrices, cells = _crossed(truth, a, b)
    values = record(matrices[0]), record(matrices[1])
    for argument, value in zip("ab", values):
        if value != value:
            raise ValueError(f"statistic {record.name!r} is undefined at the confusion matrix of {argument}")
    return _comparison(record, matrices, cells, values, count, rng)


CrossedLabels = tuple[int, int, int]


def _crossed(truth: Any, a: Any, b: Any) -> tuple[tuple[np.ndarray, np.ndarray], Counter[CrossedLabels]]:
    """The confusion matrices of two predictions, and how often each (true class, prediction of a, of b) occurs.

    >>> _crossed([*"xxy"], [*"xxy"], [*"xyy"])[1]
    Counter({(0, 0, 0): 1, (0, 0, 1): 1, (1, 1, 1): 1})
    """
    true_labels, first_labels = as_paired_labels(truth=truth, a=a)
    _, second_labels = as_paired_labels(truth=truth, b=b)
    classes = label_values([*true_labels, *first_labels, *second_labels])
    place = {label: i for i, label in enumerate(classes)}
    places = [[place[label] for label in labels] for labels in (true_labels, first_labels, second_labels)]
    of_first = dense(confusion(true_labels, first_labels, labels=classes))
    of_second = dense(confusion(true_labels, second_labels, labels=classes))
    return (of_first, of_second), Counter(zip(*places))


# --- what a metric looks at ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """The sums over cells on which a metric depends.

    ``sums``: of tables, N x K x K, as N x F whole numbers.  ``doubles``: of sums, the metric's values; ``exact``: of
    one line of sums, its exact value.  ``most``: at so many lines the metric may be evaluated.  ``of_columns``: the
    sums by the diagonals and the column sums, N x K each, where these are enough.  Then the metric is linear in the
    objects on the diagonal, or a sum over classes of ``share``, by a class's hits and its column sum, rising with hits.
    """

    sums: Callable[[np.ndarray], np.ndarray]
    doubles: Callable[[np.ndarray], np.ndarray]
    exact: Callable[[list[int]], Any]
    most: int = MOST_SUMS
    of_columns: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    share: Callable[[int, np.ndarray, np.ndarray], np.ndarray] | None = None

    @classmethod
    def by_columns(
        cls,
        of_columns: Callable[[np.ndarray, np.ndarray], np.ndarray],
        doubles: Callable[[np.ndarray], np.ndarray],
        exact: Callable[[list[int]], Any],
        share: Callable[[int, np.ndarray, np.ndarray], np.ndarray] | None = None,
    ) -> Seen:
        """Where the diagonal and the column sums are enough."""

        def sums(tables: np.ndarray) -> np.ndarray:
            return of_columns(
                np.diagonal(tables, axis1=1, axis2=2),
                tables.sum(axis=1),
            )

        return cls(sums, doubles, exact, of_columns=of_columns, share=share)

    def extreme(self, first: np.ndarray, second: np.ndarray, observed: Any) -> np.ndarray:
        """Where the metric of the first sums and that of the second differ at least as much; near ties exactly."""
        size = abs(float(observed))
        differences = np.abs(self.doubles(first) - self.doubles(second))
        is_extreme = differences >= size
        for i in np.flatnonzero(np.abs(differences - size) <= NEAR * max(1.0, size)):
            values = self.exact(first[i].tolist()), self.exact(second[i].tolist())
            is_extreme[i] = _is_as_large(values[0] - values[1], observed)
        return is_extreme


def _seen(record: Statistic, matrix: np.ndarray) -> Seen:
    """What a metric looks at, where the row sums are those of a matrix.

    >>> _seen(STATISTICS["kappa"], np.array([[3, 1], [0, 2]])).exact([5, 18])  # the diagonal; 4 x 3 + 2 x 3
    Fraction(2, 3)
    """
    rows = matrix.sum(axis=1)
    if record is STATISTICS["accuracy"]:
        return _linear(np.ones_like(rows), int(rows.sum()))
    if record in (STATISTICS["balanced_accuracy"], STATISTICS["recall"], STATISTICS["auc3"]):
        present = rows[rows > 0].tolist()
        common = lcm(*present)
        # Of K classes auc3 is (K recall + K - 2)/(2 (K - 1)): here without what is the same for both.
        if record is STATISTICS["auc3"]:
            divisor = 2 * (len(rows) - 1)
        else:
            divisor = len(present)
        if common < 2**32:
            weights = np.array([common // row if row else 0 for row in rows.tolist()])
            return _linear(weights, common * divisor)
    if record is STATISTICS["kappa"]:
        return _of_kappa(rows)
    if record is STATISTICS["mcc"]:
        return _of_mcc(rows)
    mean = mean_of(record.batch)
    if mean is not None and mean[1] in CLASS_WEIGHTS:
        return _of_classes(*mean, rows)
    return _all_cells(record, rows)


def _linear(weights: np.ndarray, whole: int) -> Seen:
    """A weighted sum of the diagonal, divided by ``whole``."""
    return Seen.by_columns(
        lambda hits, columns: hits @ weights[:, None],
        doubles=lambda sums: sums[:, 0] / whole,
        exact=lambda sums: Fraction(sums[0], whole),
    )


def _of_kappa(rows: np.ndarray) -> Seen:
    n = int(rows.sum())

    def of_columns(hits: np.ndarray, columns: np.ndarray) -> np.ndarray:
        return np.column_stack(
            [
                hits.sum(axis=1),
                columns @ rows,
            ]
        )

    def doubles(sums: np.ndarray) -> np.ndarray:
        above, below = kappa_quotient(
            n,
            sums[:, 0],
            sums[:, 1],
        )
        return _quotients_or_nan(above, below)

    def exact(sums: list[int]) -> Any:
        above, below = kappa_quotient(n, *sums)
        return Fraction(above, below) if below else float("nan")

    return Seen.by_columns(of_columns, doubles, exact)


def _of_mcc(rows: np.ndarray) -> Seen:
    n = int(rows.sum())
    squares = int((rows**2).sum())

    def of_columns(hits: np.ndarray, columns: np.ndarray) -> np.ndarray:
        return np.column_stack([hits.sum(axis=1), columns])

    def doubles(sums: np.ndarray) -> np.ndarray:
        columns = sums[:, 1:]
        shared, left, right = mcc_terms(
            n,
            sums[:, 0],
            columns @ rows,
            squares,
            (columns**2).sum(axis=1),
        )
        # Columns that no matrix has may make it negative.
        return _quotients_or_nan(shared, np.sqrt(np.maximum(float(left) * right, 0)))

    def exact(sums: list[int]) -> Any:
        columns = np.array(sums[1:], object)
        value = correlation(
            *mcc_terms(
                n,
                sums[0],
                columns @ rows,
                squares,
                columns @ columns,
            )
        )
        return float("nan") if value is None else value

    return Seen.by_columns(of_columns, doubles, exact)


def _of_classes(measure: Measure, strategy: str, rows: np.ndarray) -> Seen:
    """The mean of a measure of each class against the rest."""
    n = int(rows.sum())
    weights = CLASS_WEIGHTS[strategy](rows)
    whole = int(weights.sum())

    def counts(t: int, hits: Any, column: Any) -> tuple[Any, Any, Any, Any]:
        row = int(rows[t])
        return hits, row - hits, column - hits, n - row - column + hits

    def share(t: int, hits: np.ndarray, column: np.ndarray) -> np.ndarray:
        if not weights[t]:
            return np.zeros(hits.shape)
        numerator, denominator, *under_root = measure.formula(*counts(t, hits.astype(float), column))
        # Hits and columns that no matrix has together may make it negative.
        root = np.sqrt(np.maximum(prod(under_root), 0))
        return weights[t] / whole * _quotients_or_nan(numerator * root, denominator)

    def doubles(sums: np.ndarray) -> np.ndarray:
        hits, columns = np.split(sums.T, 2)
        shares = [share(t, hits[t], columns[t]) for t in range(len(rows))]
        return np.sum(shares, axis=0)

    def exact(sums: list[int]) -> Any:
        mean: Any = 0
        for t in np.flatnonzero(weights).tolist():
            value = measure.of(
                TwoClass(
                    *counts(
                        t,
                        sums[t],
                        sums[len(rows) + t],
                    )
                )
            )
            if value is None:
                return float("nan")
            mean += Fraction(int(weights[t]), whole) * value
        return mean

    return Seen.by_columns(lambda hits, columns: np.column_stack([hits, columns]), doubles, exact, share)


def _quotients_or_nan(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """A quotient in doubles, nan where there is none."""
    quotients = np.full(np.shape(above), np.nan)
    return np.divide(above, below, out=quotients, where=below != 0)


def _all_cells(record: Statistic, rows: np.ndarray) -> Seen:
    """All cells but those of the last column, which the row sums tell."""
    size = len(rows)

    def sums(tables: np.ndarray) -> np.ndarray:
        return tables[:, :, :-1].reshape(len(tables), -1)

    def tables_of(sums: np.ndarray) -> np.ndarray:
        cells = sums.reshape(len(sums), size, size - 1)
        last_column = rows - cells.sum(axis=2)
        return np.concatenate([cells, last_column[:, :, None]], axis=2)

    def doubles(sums: np.ndarray) -> np.ndarray:
        values, places = values_at(record, tables_of(sums))
        return np.array([float(value) for value in values])[places]

    def exact(sums: list[int]) -> Any:
        values, _ = values_at(record, tables_of(np.array([sums])))
        return values[0]

    return Seen(sums, doubles, exact, MOST_EXCHANGED_TABLES)


# --- the law of these sums under exchange --------------------------------------------------------------


@dataclass(frozen=True)
class Exchange:
    """The sums of the first matrix: ``base``, and for each kind of objects a binomial number of ``steps``.

    ``numbers``: of objects of each kind.  ``total``: the sums of both matrices together.
    """

    seen: Seen
    base: np.ndarray
    steps: np.ndarray
    numbers: list[int]
    total: np.ndarray

    @classmethod
    def of(
        cls, seen: Seen, matrices: tuple[np.ndarray, np.ndarray], cells: Counter[CrossedLabels]
    ) -> Exchange:
        """Objects that move the sums alike, or to opposite sides, are of one kind; those that do not are of none."""
        first, second = matrices
        size = len(first)
        base = seen.sums(first[None])[0]
        numbers_of_steps = Counter[tuple[int, ...]]()
        for (t, x, y), number in cells.items():
            moved_cells = np.zeros((1, size, size), np.int64)
            moved_cells[0, t, x] += 1
            moved_cells[0, t, y] -= 1
            step = seen.sums(moved_cells)[0]
            # They stand at x and may lose the step; those of the opposite step may gain it.
            way = next((int(np.sign(entry)) for entry in step if entry), 0)
            if way > 0:
                base = base - number * step
            if way:
                numbers_of_steps[tuple((way * step).tolist())] += number
        kinds = sorted(
            numbers_of_steps.items(),
            key=lambda kind: kind[1],
        )
        steps = np.array([step for step, _ in kinds], np.int64).reshape(len(kinds), len(base))
        total = seen.sums(first[None])[0] + seen.sums(second[None])[0]
        return cls(seen, base, steps, [number for _, number in kinds], total)

    @property
    def objects(self) -> int:
        """How many objects may be exchanged."""
        return sum(self.numbers)

    def counted(self, observed: Any) -> int:
        """In how many of all exchanges the difference is at least as large in size; TooLarge for too many."""
        lowest, sizes = self._digits()
        radices = np.array([prod(sizes[place + 1 :]) for place in range(len(sizes))], np.int64)
        codes = [int(code) for code in self.steps @ radices]
        primes = primes_for(2**self.objects)
        times = np.zeros(0, np.int64)
        counts: list[list[int]] = []
        for prime in primes:
            law = _upper_half(
                codes,
                self.numbers,
                prime,
                self.seen.most,
                MOST_EXCHANGE_TERMS // len(primes),
            )
            if not counts:
                digits = np.unravel_index(law.keys - lowest @ radices, sizes)
                sums = np.column_stack(digits) + lowest + self.base
                extreme = self.seen.extreme(sums, self.total - sums, observed)
                # Exchanging all objects mirrors the law, and leaves the size of the difference.
                twice_centre = sum(code * number for code, number in zip(codes, self.numbers))
                is_own_mirror = 2 * law.keys == twice_centre
                times = extreme * np.where(is_own_mirror, 1, 2)
            counts.append([int(law.weights @ times) % prime])
        return int(from_residues(np.array(counts), primes)[0])

    def _digits(self) -> tuple[np.ndarray, list[int]]:
        """The least that the steps add to each sum, and how many values it may have: digits of one number."""
        moved_sums = self.steps * np.array(self.numbers, np.int64)[:, None]
        lowest = np.minimum(moved_sums, 0).sum(axis=0)
        sizes = [int(size) + 1 for size in np.abs(moved_sums).sum(axis=0)]
        if prod(sizes) >= FAR:
            raise TooLarge("sums of cells do not fit into one number of 61 bits")
        return lowest, sizes

    def drawn(self, observed: Any, draws: int, rng: Seed) -> int:
        """In how many of so many draws the difference is at least as large in size."""
        generator = np.random.default_rng(rng)
        extreme = 0
        draws_left = draws
        while draws_left:
            size = min(draws_left, max(1, CELLS_AT_ONCE // len(self.base)))
            numbers_kept = generator.binomial(self.numbers, 0.5, (size, len(self.numbers)))
            sums = self.base + numbers_kept @ self.steps
            extreme += int(self.seen.extreme(sums, self.total - sums, observed).sum())
            draws_left -= size
        return extreme


def _binomial(code: int, number: int, prime: int) -> Edges:
    """Edges from one state to itself, one for each multiple of a code.

    >>> _binomial(-2, 3, 101).weight.tolist(), _binomial(-2, 3, 101).value.tolist()
    ([1, 3, 3, 1], [0, -2, -4, -6])
    """
    multiples = np.arange(number + 1)
    ways = [comb(number, k) % prime for k in range(number + 1)]
    all_of_one = np.array([0, number + 1])
    return Edges(
        all_of_one,
        np.zeros_like(multiples),
        np.array(ways),
        multiples * code,
    )


def _upper_half(codes: list[int], numbers: list[int], prime: int, most: int, terms: int) -> Laws:
    """The law of the sum of binomial multiples of codes, from its centre on, weights modulo a prime.

    >>> law = _upper_half([1, -2], [2, 1], 101, 10, 100)  # all of it: 1, 2, 2, 2, 1 at -2, -1, 0, 1, 2
    >>> law.keys.tolist(), law.weights.tolist()
    ([0, 1, 2], [2, 2, 1])
    """
    twice_centre = sum(code * number for code, number in zip(codes, numbers))
    lowest = [-FAR] * (len(codes) - 1) + [-(-twice_centre // 2)]
    law = Laws(
        np.array([0, 1]),
        np.zeros(1, np.int64),
        np.ones(1, np.int64),
    )
    for code, number, low in zip(codes, numbers, lowest):
        terms -= len(law.keys) * (number + 1)
        if terms < 0 or len(law.keys) > most:
            raise TooLarge("exchanges of predictions lead to too many sums of cells")
        law, _ = laws_along(
            _binomial(code, number, prime),
            law,
            np.array([low]),
            np.array([FAR]),
            prime,
        )
    if len(law.keys) > most:
        raise TooLarge("exchanges of predictions lead to too many sums of cells")
    return law


def _is_as_large(difference: Any, observed: Any) -> bool:
    """Whether a difference is at least as large in size as another; of doubles, up to 10^-11.

    >>> _is_as_large(Fraction(-1, 2), Fraction(1, 3)), _is_as_large(0.1 + 0.2, 0.3), _is_as_large(0.1, 0.3)
    (True, True, False)
    """
    size, observed_size = (-x if x < 0 else x for x in (difference, observed))
    if isinstance(size, float) or isinstance(observed_size, float):
        return bool(float(size) >= float(observed_size) - 1e-11 * max(1.0, float(observed_size)))
    return bool(size >= observed_size)


# --- how it is answered: the first way that applies ---------------------------------------------------


def _comparison(
    record: Statistic,
    matrices: tuple[np.ndarray, np.ndarray],
    cells: Counter[CrossedLabels],
    values: tuple[Any, Any],
    draws: int,
    rng: Seed,
) -> ClassifierComparison:
    """Nothing to exchange, the recursion, or draws."""
    discordant = sum(number for (_, x, y), number in cells.items() if x != y)
    exchange = Exchange.of(_seen(record, matrices[0]), matrices, cells)
    objects = int(matrices[0].sum())
    observed = values[0] - values[1]

    def answer(pvalue: Fraction, method: str, **more: Any) -> ClassifierComparison:
        sizes = objects, discordant, exchange.objects
        return ClassifierComparison(record.name, values, observed, pvalue, method, *sizes, **more)

    if not discordant:
        return answer(Fraction(1), "no discordant objects")
    if not exchange.objects:
        return answer(Fraction(1), f"no discordant object changes {record.name}")
    try:
        if len(matrices[0]) == 3:
            pvalue = _pvalue_of_three(record, cells, observed)
        else:
            pvalue = None
        if pvalue is None:
            pvalue = Fraction(
                exchange.counted(observed),
                2**exchange.objects,
            )
    except TooLarge:
        p = p_of_draws(0, exchange.drawn(observed, draws, rng), draws)
        return answer(Fraction(p.value), "Monte Carlo", interval=p.interval, draws=draws)
    return answer(pvalue, "exact")


def _pvalue_of_three(record: Statistic, cells: Counter[CrossedLabels], observed: Any) -> Fraction | None:
    """Of three classes, where the diagonal and the column sums are enough, and one sum is not; None elsewhere."""
    numbers = np.zeros((3, 3, 3), np.int64)
    for crossed, number in cells.items():
        numbers[crossed] = number
    # The last row is met with all pairs of the others: it has the fewest objects to exchange.
    order = np.argsort(-ThreeRows(numbers).discordant, kind="stable")
    three = ThreeRows(numbers[np.ix_(order, order, order)])
    # The matrices of both classifiers together.
    both = three.numbers.sum(axis=1) + three.numbers.sum(axis=2)
    seen = _seen(record, three.numbers.sum(axis=2))
    of_columns = seen.of_columns
    total = seen.sums(both[None])[0]
    if of_columns is None or len(total) == 1:
        return None

    def are_as_large(hits: np.ndarray, columns: np.ndarray) -> np.ndarray:
        lines, which = distinct(of_columns(hits, columns))
        return seen.extreme(lines, total - lines, observed)[which]

    # A difference of 0 is reached wherever there is one; others by as many exchanges downwards as upwards.
    if observed:
        size = abs(float(observed))
        sides = 2
    else:
        size = -np.inf
        sides = 1
    if seen.share is None:
        gains, threshold = _gains_alike(seen, three, total, size, are_as_large)
    else:
        gains, threshold = _gains_apart(seen.share, three, both, size)
    number = number_enough(three, gains, threshold, NEAR, are_as_large)
    return Fraction(
        sides * number,
        2 ** int(three.discordant.sum()),
    )


# What hits add to the difference at every column sum, and, at the first two column sums, how much is as large as the
# observed one.
Gains = tuple[list[np.ndarray], np.ndarray]


def _gains_apart(
    share: Callable[[int, np.ndarray, np.ndarray], np.ndarray],
    three: ThreeRows,
    both: np.ndarray,
    size: float,
) -> Gains:
    """Of shares of the classes, in two matrices whose sum is ``both``."""
    columns = three.column_sums
    gains = []
    threshold = np.full(columns.shape[:2], size)
    for t, axes in enumerate(zip(three.columns, three.hits)):
        column, hits = np.meshgrid(*axes, indexing="ij")
        gain = share(t, hits, column) - share(t, both[t, t] - hits, both[:, t].sum() - column)
        undefined_columns = three.columns[t][np.isnan(gain).any(axis=1)]
        threshold[np.isin(columns[:, :, t], undefined_columns)] = np.inf
        gains.append(np.nan_to_num(gain))
    return gains, threshold


def _gains_alike(
    seen: Seen,
    three: ThreeRows,
    total: np.ndarray,
    size: float,
    are_as_large: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> Gains:
    """Where the difference is linear in the objects on the diagonal: known from that at none and at all n of them.

    Those that make it as large are told between two whole numbers, so that no sum of hits is near.
    """
    assert seen.of_columns is not None
    columns = three.column_sums.reshape(-1, 3)
    differences = []
    n = int(columns[0].sum())
    for agreed in (0, n):
        sums = seen.of_columns(np.full((len(columns), 1), agreed), columns)
        differences.append(seen.doubles(sums) - seen.doubles(total - sums))
    at_none, at_all = differences
    least_hits = np.nan_to_num(n * (size - at_none) / (at_all - at_none), nan=np.inf)
    least_hits = np.clip(least_hits, -0.5, n + 0.5)
    whole = np.rint(least_hits).astype(int)
    is_near = np.abs(least_hits - whole) < NEAR_WHOLE
    is_enough = are_as_large(whole[is_near, None], columns[is_near])
    least_hits[is_near] = whole[is_near] + np.where(is_enough, -0.5, 0.5)
    gains = [np.meshgrid(*axes, indexing="ij")[1] for axes in zip(three.columns, three.hits)]
    return gains, least_hits.reshape(three.column_sums.shape[:2])
