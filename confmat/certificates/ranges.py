"""Ranges of printed scores over boxes of matrices: a part of the checker of audits, plain Python.

Products lie between planes, convex functions between tangents and chords, and what is linear in the cells is largest
and smallest greedily, row by row: integers and fractions, exact.

Of the matrices with row sums 5 and 5 and a diagonal cell of 4 or 5 in each row, the range of the accuracy is sharp; the
Rand index, between planes, is above 3/5 (its least is 29/45, of [[4, 1], [1, 4]]):

>>> box = MatrixBox((5, 5), [[4, 0], [0, 4]], [[5, 1], [1, 5]], undefined=0)
>>> [str(end) for end in score("acc", box)], [str(end) for end in score("ri", box)]
(['4/5', '1'], ['3/5', '1'])
"""

import operator
import re
from decimal import Context, Decimal
from fractions import Fraction
from math import comb, gcd, prod

from confmat.certificates.verdict import Unreadable, matched

# --- printed numbers ------------------------------------------------------------------------------

ROUNDINGS = ("half-up", "half-even", "truncation", "any")


def window(digits, rounding):
    """The numbers that are printed so: both ends, and whether they belong to it.

    Half up is away from zero, truncation towards it; "any" is what one of the three can print.

    >>> low, high, has_low, has_high = window("0.564", "half-up")
    >>> str(low), str(high), has_low, has_high
    ('1127/2000', '1129/2000', True, False)
    >>> [str(x) for x in window("4.2", "any")[:2]]
    ['83/20', '43/10']
    """
    if not re.fullmatch(r"-?(\d+\.?\d*|\.\d+)%?", digits, re.ASCII) or rounding not in ROUNDINGS:
        raise Unreadable(f"{digits!r:.80}, rounded {rounding!r:.80}, is no printed number")
    before_point, _, after_point = digits.strip("-%").partition(".")
    places = len(after_point) + (2 if digits.endswith("%") else 0)
    unit = Fraction(1, 10**places)
    half_unit = unit / 2
    units = int(before_point + after_point)
    value = units * unit
    if rounding == "half-even":
        even = units % 2 == 0
        lower = value - half_unit
        upper = value + half_unit
        has_low = even
        has_high = even
    elif value == 0:
        if rounding == "half-up":
            lower = -half_unit
            upper = half_unit
        else:
            lower = -unit
            upper = unit
        has_low = has_high = False
    else:
        if rounding == "truncation":
            lower = value
        else:
            lower = value - half_unit
        if rounding == "half-up":
            upper = value + half_unit
        else:
            upper = value + unit
        has_low = True
        has_high = False
    if digits.startswith("-"):
        return -upper, -lower, has_high, has_low
    return lower, upper, has_low, has_high


def misses(closed_range, printed):
    """Whether no number of a closed range is printed so; ``printed`` is a window.

    >>> misses((Fraction("4.2596"), Fraction("4.2596")), window("4.2", "half-up"))
    True
    >>> misses((Fraction("4.2596"), Fraction("4.2596")), window("4.2", "any"))
    False
    """
    least_value, largest_value = closed_range
    lower, upper, has_low, has_high = printed
    is_below = largest_value < lower or (largest_value == lower and not has_low)
    is_above = least_value > upper or (least_value == upper and not has_high)
    return is_below or is_above


# --- roots and logarithms -------------------------------------------------------------------------


def root_range(x, k, places):
    """The k-th root of a fraction >= 0 between two fractions, the same one where it is rational.

    >>> root_range(Fraction(1, 4), 2, 3)
    (Fraction(1, 2), Fraction(1, 2))
    >>> [str(end) for end in root_range(Fraction(2), 2, 3)]
    ['707/500', '283/200']
    """
    # (p/q)^(1/k) = (p q^(k - 1))^(1/k) / q: the root_range of a whole number, in units of the last place.
    radicand = x.numerator * x.denominator ** (k - 1) * 10 ** (places * k)
    denominator = x.denominator * 10**places
    lower = 0
    upper = 1 << radicand.bit_length() // k + 1
    while upper - lower > 1:
        middle = (lower + upper) // 2
        if middle**k <= radicand:
            lower = middle
        else:
            upper = middle
    if lower**k == radicand:
        rounded_up = lower
    else:
        rounded_up = lower + 1
    return Fraction(lower, denominator), Fraction(rounded_up, denominator)


LOGARITHMS: dict = {}


def logarithm(k, places):
    """log k in units of the last of so many places, at most one of them off; 0 for 0, of which there are none."""
    if (k, places) not in LOGARITHMS:
        exact = Decimal(max(1, k)).ln(Context(prec=places + 3 + len(str(k))))
        LOGARITHMS[k, places] = int(Fraction(exact) * 10**places)
    return LOGARITHMS[k, places]


def coprime(numbers):
    """Numbers > 1, any two of them coprime, of which all these are products: their logarithms are independent.

    >>> sorted(coprime([12, 18]))
    [2, 3]
    """
    bases = []
    to_split = [*numbers]
    while to_split:
        x = to_split.pop()
        base = next((base for base in bases if gcd(x, base) > 1), None)
        if base is not None:
            bases.remove(base)
            common = gcd(x, base)
            to_split += [
                common,
                x // common,
                base // common,
            ]
        elif x > 1:
            bases.append(x)
    return bases


def power_of(base, k):
    """How often k can be divided by ``base``."""
    times = 0
    while k % base == 0:
        k //= base
        times += 1
    return times


# --- lines below and above convex functions -------------------------------------------------------


def tangent(f, a, b):
    """A line below a convex f of whole numbers, through its values in the middle: slope, and value at 0.

    >>> tangent(lambda x: x * x, 0, 3)  # through (1, 1) and (2, 4)
    (3, -2)
    """
    middle = (a + b) // 2
    slope = f(middle + 1) - f(middle)
    return slope, f(middle) - middle * slope


def chord(f, a, b):
    """A line above a convex f from a to b, whole where f is.

    >>> chord(lambda x: x * x, 0, 3)
    (3, 0)
    """
    slope = 0
    if b > a:
        slope = -((f(a) - f(b)) // (b - a))  # rounded up
    return slope, f(a) - a * slope


# --- boxes ----------------------------------------------------------------------------------------


def square(size):
    return size * size


def column_sums(cells):
    return [*map(sum, zip(*cells))]


def add_cells(table, other_table):
    """The sums of the cells of two tables, row by row."""
    return [[*map(operator.add, row, other_row)] for row, other_row in zip(table, other_table)]


def dot(numbers, other_numbers):
    """The sum of products, one by one.

    >>> dot([1, 2], [3, 4])
    11
    """
    return sum(map(operator.mul, numbers, other_numbers))


class MatrixBox:
    """All r x s matrices with these row sums whose cells lie between ``low`` and ``high``: ranges of their scores.

    ``undefined``: what a class counts whose precision, recall or F1 is 0/0, and kappa and MCC where they are.
    ``correct``: the diagonal holds at least and at most so many objects, other matrices are left out.
    A range is a pair, its least and its largest number.
    """

    def __init__(self, rows, low, high, undefined, correct=(0, float("inf"))):
        self.rows = rows
        self.low = low
        self.high = high
        self.undefined = undefined
        self.correct = correct
        self.n = sum(rows)
        self.r = len(rows)
        self.s = len(low[0])
        self.least = column_sums(low)
        self.most = column_sums(high)
        self.M = comb(self.n, 2)
        self.A = sum(comb(x, 2) for x in rows)
        self.places = 25  # of roots and logarithms
        self._pairs = None

    # --- what is linear in the cells --------------------------------------------------------------

    def linear(self, weights):
        """The least and largest sum of weights times cells, with as many objects on the diagonal as the accuracy says.

        >>> MatrixBox((2, 2), [[0, 0], [0, 0]], [[2, 2], [2, 2]], 0, correct=(3, 4)).linear([[1, 0], [2, 0]])
        [1, 4]
        """
        opposite = [[-weight for weight in line] for line in weights]
        return [
            self.least_sum(weights),
            -self.least_sum(opposite),
        ]

    def least_sum(self, weights):
        """The least sum of weights times cells.

        Each row takes its cheapest cells, the diagonal last; then objects go to the diagonal, where they cost least.
        """
        total = 0
        correct = 0
        moves = []  # to the diagonal: what one object costs more there, and how many there are
        for i, (line, low_cells, high_cells, row_sum) in enumerate(
            zip(weights, self.low, self.high, self.rows)
        ):
            k = min(i, self.s - 1)  # without classes in columns the accuracy says nothing
            objects = row_sum - sum(low_cells)
            total += dot(line, low_cells)
            rooms = map(operator.sub, high_cells, low_cells)
            other_cells = [*zip(line, rooms)]
            del other_cells[k]
            objects_taken = []
            for weight, room in sorted(other_cells):
                part = min(room, objects)
                objects_taken.append((weight, part))
                objects -= part
                total += weight * part
            total += line[k] * objects
            correct += low_cells[k] + objects
            room = high_cells[k] - low_cells[k] - objects
            for weight, part in reversed(objects_taken):
                objects_moved = min(part, room)
                moves.append((line[k] - weight, objects_moved))
                room -= objects_moved
        for cost, part in sorted(moves):
            # What costs less is objects_moved while the accuracy allows it, what costs more as far as it must be.
            if cost < 0:
                limit = self.correct[1]
            else:
                limit = self.correct[0]
            objects_moved = max(0, min(part, limit - correct))
            total += cost * objects_moved
            correct += objects_moved
        return total

    def of_columns(self, weights):
        """The least and largest sum of weights times column sums."""
        if self.least == self.most:
            known_sum = dot(weights, self.least)
            return [known_sum, known_sum]
        return self.linear([weights] * self.r)

    def diagonal(self, weights):
        """The least and largest sum of weights times diagonal cells."""
        matrix = []
        for i, weight in enumerate(weights):
            line = [0] * self.s
            if i < self.s:
                line[i] = weight
            matrix.append(line)
        return self.linear(matrix)

    # --- what is bounded by it --------------------------------------------------------------------

    def convex(self, f):
        """A range for the sum of f, convex and whole, over the column sums."""
        return [
            self._sum_of_lines(tangent, f)[0],
            self._sum_of_lines(chord, f)[1],
        ]

    def _sum_of_lines(self, line, f):
        lines = [line(f, a, b) for a, b in zip(self.least, self.most)]
        slopes, heights = zip(*lines)
        low_end, high_end = self.of_columns(slopes)
        return [
            low_end + sum(heights),
            high_end + sum(heights),
        ]

    def split_pairs(self):
        """A range for F, the pairs together in one clustering only."""
        lower_planes = [self._plane(corner, corner)[0] for corner in (self.low, self.high)]
        upper_plane = self._plane(self.low, self.high)[1]
        return Fraction(max(*lower_planes, 0), 2), Fraction(upper_plane, 2)

    def _plane(self, x, y):
        """The range of Q(t, x) + Q(t, y) - Q(x, y) over the box, where Q(t, t) = 2F is a sum of products of cells.

        For two cells t and u with corners a and b, (t - a)(u - b) is at least 0 where both corners are low or both
        high, at most 0 where one is low and the other high: so Q(t, t) is above a plane at x = y, below one else.
        """
        corners = add_cells(x, y)
        rows = [*map(sum, corners)]
        cols = column_sums(corners)
        weights = []
        for line, row_sum in zip(corners, rows):
            weights.append([row_sum + column_sum - 2 * cell for cell, column_sum in zip(line, cols)])
        of_rows = dot(map(sum, x), map(sum, y))
        of_columns = dot(column_sums(x), column_sums(y))
        of_cells = sum(map(dot, x, y))
        at_corners = of_rows + of_columns - 2 * of_cells
        low_end, high_end = self.linear(weights)
        return [low_end - at_corners, high_end - at_corners]

    def numbers(self):
        """Ranges of F and B, the pairs together in a column."""
        if self._pairs is None:
            least_squares, most_squares = self.convex(square)
            fewest_pairs = Fraction(least_squares - self.n, 2)
            most_pairs = Fraction(most_squares - self.n, 2)
            pairs_together = max(0, fewest_pairs), min(self.M, most_pairs)
            self._pairs = self.split_pairs(), pairs_together
        return self._pairs

    # --- scores of classes ------------------------------------------------------------------------

    def acc(self):
        return [Fraction(end, self.n) for end in self.diagonal([1] * self.r)]

    def ratios(self, i):
        """Recall, precision and F1 of a class."""
        least_hits = self.low[i][i]
        most_hits = self.high[i][i]
        least_missed = self.rows[i] - most_hits
        most_missed = self.rows[i] - least_hits
        least_in_cells = sum(line[i] for line in self.low)
        most_in_cells = sum(line[i] for line in self.high)
        least_wrong = max(
            least_in_cells - least_hits,
            self.least[i] - most_hits,
        )
        most_wrong = min(
            most_in_cells - most_hits,
            self.most[i] - least_hits,
        )
        hits = least_hits, most_hits
        missed_range = least_missed, most_missed
        wrong = least_wrong, most_wrong
        missed_or_wrong = least_missed + least_wrong, most_missed + most_wrong
        return (
            self._ratio(hits, missed_range, 1),
            self._ratio(hits, wrong, 1),
            self._ratio(hits, missed_or_wrong, 2),
        )

    def _ratio(self, hits, other_range, times):
        """A range for times hits/(times hits + others), from their ranges."""
        ends = []
        for hit, other_objects in zip(hits, reversed(other_range)):
            is_defined = hit or other_objects
            ends.append(
                Fraction(
                    times * hit,
                    times * hit + other_objects,
                )
                if is_defined
                else self.undefined
            )
        # Where the smallest numbers are 0/0 the class may be empty, else the ratio is at least 0.
        if hits[0] + other_range[0] == 0:
            return min(*ends, self.undefined), max(*ends, self.undefined)
        return ends

    def mean(self, ratio, weights=None):
        """The mean over the classes of precision (1) or F1 (2)."""
        weights = weights or [1] * self.r
        ranges = [self.ratios(i)[ratio] for i in range(self.r)]
        ends = []
        for end in (0, 1):
            total = dot(weights, [of_class[end] for of_class in ranges])
            ends.append(total / Fraction(sum(weights)))
        return ends

    def recall(self, empty):
        """The mean recall of the classes that hold an object, or of all."""
        nonempty = sum(size > 0 for size in self.rows)
        shares = []
        for size in self.rows:
            shares.append(Fraction(1, size) if size else Fraction(0))
        of_nonempty = self.diagonal(shares)
        if not empty:
            return [end / nonempty for end in of_nonempty]
        of_empty = (self.r - nonempty) * self.undefined
        return [(end + of_empty) / self.r for end in of_nonempty]

    def f1_of_means(self):
        ends = []
        for recall, precision in zip(self.recall(True), self.mean(1)):
            total = recall + precision
            ends.append(2 * recall * precision / total if total else Fraction(0))
        return ends

    def gmean(self):
        recalls = [self.ratios(i)[0] for i in range(self.r)]
        products = [prod(of_class[end] for of_class in recalls) for end in (0, 1)]
        return self._between_roots(products, self.r)

    def _between_roots(self, ends, k=2):
        """The k-th roots of two ends, the first rounded down and the second up."""
        lower, _ = root_range(Fraction(ends[0]), k, self.places)
        _, upper = root_range(Fraction(ends[1]), k, self.places)
        return [lower, upper]

    def agreement(self):
        """n times the diagonal less the products of margins, as a range, and the range of these products."""
        chance = self.of_columns(self.rows)
        correct = [self.n * self.n * share for share in self.acc()]
        return [
            correct[0] - chance[1],
            correct[1] - chance[0],
        ], chance

    def kappa(self):
        excess, chance = self.agreement()
        squared_n = self.n**2
        if chance[1] == squared_n:  # in some matrix of the box all objects are in one cell
            return self._undefined_or_any(chance[0] == squared_n)
        return [
            excess[0] / (squared_n - chance[1]),
            excess[1] / (squared_n - chance[0]),
        ]

    def _undefined_or_any(self, is_undefined):
        """The range of kappa or MCC where they are 0/0 in all matrices of the box, or in some."""
        if is_undefined:
            return [self.undefined] * 2
        return Fraction(-1), Fraction(1)

    def mcc(self):
        (least_excess, most_excess), _ = self.agreement()
        least_squares, most_squares = self.convex(square)
        of_rows = self.n**2 - sum(map(square, self.rows))
        least_product = max(
            Fraction(0),
            of_rows * (self.n**2 - most_squares),
        )
        most_product = max(
            Fraction(0),
            of_rows * (self.n**2 - least_squares),
        )
        if least_product == 0:
            return self._undefined_or_any(most_product == 0)
        # The quotient excess/sqrt(product), the product from least to most.
        product_at_least = most_product if least_excess > 0 else least_product
        product_at_most = least_product if most_excess > 0 else most_product
        least_value = self._signed_root(least_excess, product_at_least, up=False)
        largest_value = self._signed_root(most_excess, product_at_most, up=True)
        return [least_value, largest_value]

    def _signed_root(self, x, square, up):
        """x/sqrt(square), rounded down or ``up``."""
        lower, upper = root_range(x**2 / square, 2, self.places)
        if x < 0:
            return -lower if up else -upper
        return upper if up else lower

    # --- scores of clusterings --------------------------------------------------------------------

    def ri(self):
        if not self.M:
            return [Fraction(1), Fraction(1)]
        (least_split, most_split), _ = self.numbers()
        return [
            1 - most_split / self.M,
            1 - least_split / self.M,
        ]

    def ari(self):
        (least_split, most_split), pairs_together = self.numbers()
        divisors = sorted(self.A * self.M + B * (self.M - 2 * self.A) for B in pairs_together)
        if divisors[0]:
            lower = 1 - self.M * most_split / divisors[0]
        else:
            lower = Fraction(-1 if most_split else 1)
        if divisors[1]:
            upper = 1 - self.M * least_split / divisors[1]
        else:
            upper = Fraction(1)
        return lower, upper

    def jaccard(self):
        (least_split, most_split), pairs_together = self.numbers()
        # Twice the pairs that are together on both sides, or on any, at the ends.
        fewest_sum = self.A + pairs_together[0]
        largest_sum = self.A + pairs_together[1]
        least_value = self._share(fewest_sum - most_split, fewest_sum + most_split)
        largest_value = self._share(largest_sum - least_split, largest_sum + least_split)
        if fewest_sum == 0:
            return min(least_value, self.undefined), max(largest_value, self.undefined)
        return least_value, largest_value

    def _share(self, part, all_of_it):
        if all_of_it:
            return max(part, 0) / all_of_it
        return self.undefined

    def fm(self):
        (least_split, most_split), (fewest_together, most_together) = self.numbers()
        fewest_together = max(
            fewest_together, self.A - most_split
        )  # no pair is together in the rows alone more often than A
        if self.A == 0 or most_together == 0:
            return [self.undefined] * 2
        squares = []
        for B, split in ((fewest_together, most_split), (most_together, least_split)):
            twice_both = max(self.A + B - split, 0)
            squares.append(twice_both**2 / (4 * self.A * B) if B else 0)
        lower, upper = self._between_roots(squares)
        if fewest_together == 0:
            return min(lower, self.undefined), max(upper, self.undefined)
        return lower, upper

    def med(self):
        points_kept = min(matched(self.high), self.n), min(matched(self.low), self.n)
        return [1 - Fraction(points, self.n) for points in points_kept]

    # --- normalized mutual information ------------------------------------------------------------

    def nmi(self):
        """Sums of k log k: 2 (that of n + that of the cells - those of the margins), over the entropies of both."""
        if self.low == self.high and (only_value := self.rational_nmi()) is not None:
            return only_value, only_value
        places = self.places + 5 + len(str(self.n))

        def log(k):
            return logarithm(k, places)

        def term(k):
            return k * log(k)

        thousandths = self._nmi_in_the_middle(term)
        known_terms = 2 * term(self.n) - sum(map(term, self.rows))
        least_terms, most_terms = self.convex(term)
        entropies = known_terms - most_terms, known_terms - least_terms
        slack = 10 ** (places - self.places)
        if entropies[1] < slack:
            return Fraction(1), Fraction(1)
        excess = self.information(thousandths, log)
        # NMI - t/1000 is 1/1000 of the information's excess over the sum of both entropies.
        divisors = entropies[1 if excess[0] > 0 else 0], entropies[1 if excess[1] < 0 else 0]
        error = Fraction(1, 2 * 10**self.places)
        lower = 0
        upper = 1
        if divisors[0] > slack:
            lower = Fraction(thousandths, 1000) + Fraction(excess[0], 1000 * divisors[0])
        if divisors[1] > slack:
            upper = Fraction(thousandths, 1000) + Fraction(excess[1], 1000 * divisors[1])
        return max(Fraction(0), lower - error), min(Fraction(1), upper + error)

    def _nmi_in_the_middle(self, term):
        """The NMI of the sum of both corners, in thousandths."""
        middle = add_cells(self.low, self.high)
        cells = sum(term(cell) for line in middle for cell in line)
        row_sums = [*map(sum, middle)]
        rows = sum(map(term, row_sums))
        columns = sum(map(term, column_sums(middle)))
        of_n = term(sum(row_sums))
        entropies = 2 * of_n - rows - columns
        if entropies <= 0:
            return 1000
        return 2000 * (cells + entropies - of_n) // entropies

    def rational_nmi(self):
        """The NMI of the one matrix of a box, as a fraction; None where it is irrational.

        The parts of its numerator and denominator are sums of k log k, so of logarithms of coprime numbers with whole
        factors: their ratio is rational where these factors are proportional.
        """
        cells = [cell for line in self.low for cell in line]
        margins = [*self.rows, *self.least]
        ratios = set()
        for base in coprime([self.n, *cells, *margins]):
            of_n = factor_of_log(base, [self.n])
            of_cells = factor_of_log(base, cells)
            of_margins = factor_of_log(base, margins)
            numerator = 2 * (of_cells + of_n - of_margins)
            denominator = 2 * of_n - of_margins
            if numerator or denominator:
                ratios.add(Fraction(numerator, denominator) if denominator else None)
        if len(ratios) == 1:
            return ratios.pop()
        return None

    def information(self, t, log):
        """A range for 2000 times the mutual information less t times the sum of both entropies.

        One linear bound of all of it, which is sharper than those of its parts.  The least: the k log k/c of a column,
        c its sum, add up to at least those k log p, whatever the shares p (Gibbs); here those in the middle.
        """

        def term(k):
            return k * log(k)

        columns = [tangent(term, a, b) for a, b in zip(self.least, self.most)]
        column_heights = sum(height for _, height in columns)
        totals = column_sums(add_cells(self.low, self.high))
        weights_below = []
        weights_above = []
        cell_heights = 0
        for low_cells, high_cells in zip(self.low, self.high):
            weights_for_least_here = []
            weights_for_most_here = []
            for a, b, total, (column_slope, _) in zip(low_cells, high_cells, totals, columns):
                cell_slope, cell_height = chord(term, a, b)
                cell_heights += cell_height
                log_of_share = log(a + b) - log(total)
                weights_for_least_here.append(2000 * log_of_share + t * column_slope)
                weights_for_most_here.append(2000 * cell_slope - (2000 - t) * column_slope)
            weights_below.append(weights_for_least_here)
            weights_above.append(weights_for_most_here)
        of_rows = sum(map(term, self.rows))
        constant = (2000 - 2 * t) * term(self.n) - (2000 - t) * of_rows
        least_sum = self.linear(weights_below)[0] + t * column_heights
        most_sum = self.linear(weights_above)[1] + 2000 * cell_heights - (2000 - t) * column_heights
        return least_sum + constant, most_sum + constant


def factor_of_log(base, numbers):
    """How often log ``base`` stands in the sum of k log k over these numbers, by the powers of the base.

    >>> factor_of_log(2, [4, 6])
    14
    """
    return sum(k * power_of(base, k) for k in numbers if k)


# --- scores by name -------------------------------------------------------------------------------


def one_less(closed_range):
    lower, upper = closed_range
    return [1 - upper, 1 - lower]


SCORE_RANGES = {
    "acc": MatrixBox.acc,
    "bacc": lambda box: box.recall(False),
    "recall": lambda box: box.recall(True),
    "precision": lambda box: box.mean(1),
    "f1": lambda box: box.mean(2),
    "f1_weighted": lambda box: box.mean(2, box.rows),
    "f1_of_means": MatrixBox.f1_of_means,
    "gmean": MatrixBox.gmean,
    "kappa": MatrixBox.kappa,
    "mcc": MatrixBox.mcc,
    "ri": MatrixBox.ri,
    "ari": MatrixBox.ari,
    "jaccard": MatrixBox.jaccard,
    "fm": MatrixBox.fm,
    "med": MatrixBox.med,
    "nmi": MatrixBox.nmi,
    "rd": lambda box: one_less(box.ri()),
    "ard": lambda box: one_less(box.ari()),
}
OF_CLUSTERINGS = ("ri", "ari", "jaccard", "fm", "med", "nmi", "rd", "ard")
OF_A_CLASS = re.compile(r"(recall|precision|f1)_([1-9]\d*)", re.ASCII)


def score(name, box):
    """The range of a score over a box; Unreadable for a name that is none here."""
    of_a_class = OF_A_CLASS.fullmatch(name)
    if of_a_class and int(of_a_class[2]) <= box.r:
        recall, precision, f1 = box.ratios(int(of_a_class[2]) - 1)
        return {"recall": recall, "precision": precision, "f1": f1}[of_a_class[1]]
    if name not in SCORE_RANGES:
        raise Unreadable(f"the score {name!r:.80} is not one that this file knows")
    return SCORE_RANGES[name](box)
