"""Ranges of printed scores over boxes of matrices: a part of the checker of audits, plain Python.

Products lie between planes, convex functions between tangents and chords, and what is linear in the cells is largest
and smallest greedily, row by row: integers and fractions, exact.
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
    whole, _, part = digits.strip("-%").partition(".")
    unit = Fraction(1, 10 ** (len(part) + 2 * digits.endswith("%")))
    value, half = int(whole + part) * unit, unit / 2
    even = int(whole + part) % 2 == 0
    up, cut = (value - half, value + half, True, False), (value, value + unit, True, False)
    if value == 0:
        up, cut = (-half, half, False, False), (-unit, unit, False, False)
    ends = {"half-up": up, "half-even": (*up[:2], even, even), "truncation": cut}
    low, high, has_low, has_high = ends.get(rounding, (min(up[0], cut[0]), cut[1], value > 0, False))
    return (-high, -low, has_high, has_low) if digits.startswith("-") else (low, high, has_low, has_high)


def misses(found, printed):
    """Whether no number of a closed range is printed so; ``printed`` is a window.

    >>> misses((Fraction("4.2596"), Fraction("4.2596")), window("4.2", "half-up"))
    True
    >>> misses((Fraction("4.2596"), Fraction("4.2596")), window("4.2", "any"))
    False
    """
    (a, b), (low, high, has_low, has_high) = found, printed
    return b < low or a > high or (b == low and not has_low) or (a == high and not has_high)


def root(x, k, places):
    """The k-th root of a fraction >= 0 between two fractions, the same one where it is rational."""
    p, q = x.numerator * x.denominator ** (k - 1) * 10 ** (places * k), x.denominator * 10**places
    low, high = 0, 1 << p.bit_length() // k + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**k <= p else (low, middle)
    return Fraction(low, q), Fraction(low + (low**k < p), q)


LOGARITHMS: dict = {}


def logarithm(k, places):
    """log k in units of the last of so many places, at most one of them off; 0 for 0, of which there are none."""
    if (k, places) not in LOGARITHMS:
        exact = Decimal(max(1, k)).ln(Context(prec=places + 3 + len(str(k))))
        LOGARITHMS[k, places] = int(Fraction(exact) * 10**places)
    return LOGARITHMS[k, places]


def tangent(f, a, b):
    """A line below a convex f of whole numbers, through its values in the middle: slope, and value at 0."""
    c = (a + b) // 2
    slope = f(c + 1) - f(c)
    return slope, f(c) - c * slope


def chord(f, a, b):
    """A line above a convex f from a to b, whole where f is."""
    slope = -((f(a) - f(b)) // (b - a)) if b > a else 0
    return slope, f(a) - a * slope


def coprime(numbers):
    """Numbers > 1, any two of them coprime, of which all these are products: their logarithms are independent."""
    found, left = [], [*numbers]
    while left:
        x = left.pop()
        y = next((y for y in found if gcd(x, y) > 1), None)
        if y is not None:
            found.remove(y)
            left += [gcd(x, y), x // gcd(x, y), y // gcd(x, y)]
        elif x > 1:
            found.append(x)
    return found


def power_of(base, k):
    """How often k can be divided by ``base``."""
    times = 0
    while k % base == 0:
        k, times = k // base, times + 1
    return times


class Box:
    """All r x s matrices with these row sums whose cells lie between ``low`` and ``high``: ranges of their scores.

    ``undefined``: what a class counts whose precision, recall or F1 is 0/0, and kappa and MCC where they are.
    ``correct``: the diagonal holds at least and at most so many objects, other matrices are left out.
    """

    def __init__(self, rows, low, high, undefined, correct=(0, float("inf"))):
        self.rows, self.low, self.high, self.undefined, self.correct = rows, low, high, undefined, correct
        self.n, self.r, self.s = sum(rows), len(rows), len(low[0])
        self.least, self.most = ([*map(sum, zip(*x))] for x in (low, high))  # of the columns
        self.M, self.A = comb(self.n, 2), sum(comb(x, 2) for x in rows)
        self.kept = {}
        self.places = 25  # of roots and logarithms

    def linear(self, weights):
        """The least and largest sum of weights times cells, with as many objects on the diagonal as the accuracy says.

        Each row takes its cheapest cells, the diagonal last; then objects go to the diagonal, where they gain most.
        """
        ends = []
        for sign in (1, -1):
            total, correct, moves = 0, 0, []
            for i, (w, low, high, left) in enumerate(zip(weights, self.low, self.high, self.rows)):
                k = min(i, self.s - 1)  # without classes in columns the accuracy says nothing
                left -= sum(low)
                total += sum(map(operator.mul, w, low))
                others = sorted((sign * w[j], high[j] - low[j]) for j in range(self.s) if j != k)
                taken = []
                for weight, room in others:
                    taken.append((weight, min(room, left)))
                    left -= taken[-1][1]
                    total += sign * weight * taken[-1][1]
                total += w[k] * left
                correct += low[k] + left
                left = high[k] - low[k] - left
                for weight, part in reversed(taken):
                    moves.append((sign * w[k] - weight, min(part, left)))
                    left -= moves[-1][1]
            for gain, part in sorted(moves):
                part = max(0, min(part, self.correct[gain < 0] - correct))
                total += sign * gain * part
                correct += part
            ends.append(total)
        return ends

    def of_columns(self, weights):
        """The least and largest sum of weights times column sums."""
        known = sum(map(operator.mul, weights, self.least))
        return [known] * 2 if self.least == self.most else self.linear([weights] * self.r)

    def convex(self, f):
        """A range for the sum of f, convex and whole, over the column sums."""
        ends = []
        for end, line in enumerate((tangent, chord)):
            weights, values = zip(*(line(f, a, b) for a, b in zip(self.least, self.most)))
            ends.append(self.of_columns(weights)[end] + sum(values))
        return ends

    def diagonal(self, weights):
        """The least and largest sum of weights times diagonal cells."""
        return self.linear([[w * (i == j) for j in range(self.s)] for i, w in enumerate(weights)])

    def split_pairs(self):
        """A range for F, the pairs together in one clustering only: products of two cells of a line."""

        def planes(x, y):  # at the corners x and y of the box, twice
            lines = [[*map(sum, t)] for z in (x, y) for t in (z, zip(*z))]
            rows, cols = ([*map(operator.add, lines[i], lines[i + 2])] for i in (0, 1))
            weights = [
                [rows[i] + cols[j] - 2 * (a + b) for j, (a, b) in enumerate(zip(p, q))]
                for i, (p, q) in enumerate(zip(x, y))
            ]
            own = sum(a * b for p, q in zip(x, y) for a, b in zip(p, q))
            const = sum(a * b for i in (0, 1) for a, b in zip(lines[i], lines[i + 2])) - 2 * own
            return [z - const for z in self.linear(weights)]

        low = max(planes(self.low, self.low)[0], planes(self.high, self.high)[0], 0)
        return Fraction(low, 2), Fraction(planes(self.low, self.high)[1], 2)

    def numbers(self):
        """Ranges of F and B, the pairs together in a column."""
        if "FB" not in self.kept:
            squares = self.convex(lambda c: c * c)
            pairs = [(x - self.n) / Fraction(2) for x in squares]
            self.kept["FB"] = self.split_pairs(), (max(0, pairs[0]), min(self.M, pairs[1]))
        return self.kept["FB"]

    # --- scores -----------------------------------------------------------------------------------

    def acc(self):
        return [Fraction(x, self.n) for x in self.diagonal([1] * self.r)]

    def ratios(self, i):
        """Recall, precision and F1 of a class."""

        def ratio(tp, others, times):
            ends = [
                Fraction(times * a, times * a + b) if a or b else self.undefined
                for a, b in zip(tp, others[::-1])
            ]
            # Where the smallest numbers are 0/0 the class may be empty, else the ratio is at least 0.
            empty = tp[0] + others[0] == 0
            return (min(*ends, self.undefined), max(*ends, self.undefined)) if empty else ends

        tp = self.low[i][i], self.high[i][i]
        fn = self.rows[i] - tp[1], self.rows[i] - tp[0]
        low, high = (sum(line[i] for line in x) for x in (self.low, self.high))
        fp = max(low - tp[0], self.least[i] - tp[1]), min(high - tp[1], self.most[i] - tp[0])
        return ratio(tp, fn, 1), ratio(tp, fp, 1), ratio(tp, [*map(operator.add, fn, fp)], 2)

    def mean(self, which, weights=None):
        """The mean over the classes of precision (1) or F1 (2)."""
        weights = weights or [1] * self.r
        found = [self.ratios(i)[which] for i in range(self.r)]
        return [sum(w * x[end] for w, x in zip(weights, found)) / Fraction(sum(weights)) for end in (0, 1)]

    def recall(self, empty):
        """The mean recall of the classes that hold an object, or of all."""
        held = sum(x > 0 for x in self.rows)
        counted, more = (self.r, (self.r - held) * self.undefined) if empty else (held, 0)
        return [(x + more) / counted for x in self.diagonal([Fraction(x > 0, max(1, x)) for x in self.rows])]

    def f1_of_means(self):
        recall, precision = self.recall(True), self.mean(1)
        return [2 * p * q / (p + q) if p + q else Fraction(0) for p, q in zip(recall, precision)]

    def gmean(self):
        recalls = [self.ratios(i)[0] for i in range(self.r)]
        return [root(prod(x[end] for x in recalls), self.r, self.places)[end] for end in (0, 1)]

    def agreement(self):
        """n times the diagonal less the products of margins, as a range, and the range of these products."""
        chance = self.of_columns(self.rows)
        return [self.n * x * self.n - y for x, y in zip(self.acc(), chance[::-1])], chance

    def kappa(self):
        ends, chance = self.agreement()
        if chance[1] == self.n**2:  # in some matrix of the box all objects are in one cell
            return [self.undefined] * 2 if chance[0] == chance[1] else (Fraction(-1), Fraction(1))
        return [x / (self.n**2 - y) for x, y in zip(ends, chance[::-1])]

    def mcc(self):
        ends, columns = self.agreement()[0], self.convex(lambda c: c * c)
        rest = self.n**2 - sum(x * x for x in self.rows)
        least, most = (max(Fraction(0), rest * (self.n**2 - x)) for x in columns[::-1])
        if least == 0:
            return [self.undefined] * 2 if most == 0 else (Fraction(-1), Fraction(1))
        low = root(ends[0] ** 2 / (most if ends[0] > 0 else least), 2, self.places)[ends[0] < 0]
        high = root(ends[1] ** 2 / (least if ends[1] > 0 else most), 2, self.places)[ends[1] > 0]
        return [-x if end < 0 else x for x, end in zip((low, high), ends)]

    def ri(self):
        F, _ = self.numbers()
        return [1 - x / self.M if self.M else Fraction(1) for x in F[::-1]]

    def ari(self):
        F, B = self.numbers()
        below = sorted(self.A * (self.M - b) + b * (self.M - self.A) for b in B)
        low = 1 - self.M * F[1] / below[0] if below[0] else Fraction(-1 if F[1] else 1)
        return low, 1 - self.M * F[0] / below[1] if below[1] else Fraction(1)

    def jaccard(self):
        F, B = self.numbers()
        ends = ((self.A + b - f, self.A + b + f) for b, f in zip(B, F[::-1]))
        low, high = (max(p, 0) / q if q else self.undefined for p, q in ends)
        return (min(low, self.undefined), max(high, self.undefined)) if self.A + B[0] == 0 else (low, high)

    def fm(self):
        F, B = self.numbers()
        B = max(B[0], self.A - F[1]), B[1]  # no pair is together in the rows alone more often than A
        if self.A == 0 or B[1] == 0:
            return [self.undefined] * 2
        ends = [max(self.A + b - f, 0) ** 2 / (4 * self.A * b) if b else 0 for b, f in zip(B, F[::-1])]
        low, high = (root(Fraction(x), 2, self.places)[end] for end, x in enumerate(ends))
        return (min(low, self.undefined), max(high, self.undefined)) if B[0] == 0 else (low, high)

    def med(self):
        return [1 - Fraction(min(matched(x), self.n), self.n) for x in (self.high, self.low)]

    def rational_nmi(self):
        """The NMI of the one matrix of a box, as a fraction; None where it is irrational.

        The parts of its numerator and denominator are sums of k log k, so of logarithms of coprime numbers with whole
        factors: their ratio is rational where these factors are proportional.
        """
        cells, margins = [x for row in self.low for x in row], [*self.rows, *self.least]
        ratios = set()
        for base in coprime([self.n, *cells, *margins]):
            whole, joint, alone = (
                sum(k * power_of(base, k) for k in x if k) for x in ([self.n], cells, margins)
            )
            above, below = 2 * (joint + whole - alone), 2 * whole - alone
            if above or below:
                ratios.add(Fraction(above, below) if below else None)
        return ratios.pop() if len(ratios) == 1 else None

    def nmi(self):
        if self.low == self.high and (only := self.rational_nmi()) is not None:
            return only, only
        places = self.places + 5 + len(str(self.n))

        def log(k):
            return logarithm(k, places)

        def term(k):
            return k * log(k)

        middle = [[*map(operator.add, p, q)] for p, q in zip(self.low, self.high)]
        margins = [[*map(sum, middle)], [*map(sum, zip(*middle))]]
        cells, rows, columns, all_ = (
            sum(map(term, x)) for x in ([x for line in middle for x in line], *margins, [sum(margins[0])])
        )
        alone = (
            2 * all_ - rows - columns
        )  # the sum of the entropies in the middle; t: the NMI there in thousandths
        t = 2000 * (cells + alone - all_) // alone if alone > 0 else 1000
        known = 2 * term(self.n) - sum(map(term, self.rows))
        below = [known - x for x in self.convex(term)[::-1]]
        slack = 10 ** (places - self.places)
        if below[1] < slack:
            return Fraction(1), Fraction(1)
        above = self.information(t, log)
        ends = [
            Fraction(t, 1000) + Fraction(x, 1000 * y) if y > slack else end
            for end, (x, y) in enumerate(zip(above, (below[above[0] > 0], below[above[1] < 0])))
        ]
        error = Fraction(1, 2 * 10**self.places)
        return max(Fraction(0), ends[0] - error), min(Fraction(1), ends[1] + error)

    def information(self, t, log):
        """A range for 2000 times the mutual information less t times the sum of both entropies.

        One linear bound of all of it, which is sharper than those of its parts.  The least: the k log k/c of a column,
        c its sum, add up to at least those k log p, whatever the shares p (Gibbs); here those in the middle.
        """

        def term(k):
            return k * log(k)

        columns = [tangent(term, a, b) for a, b in zip(self.least, self.most)]
        heights = sum(x for _, x in columns)
        totals = [a + b for a, b in zip(map(sum, zip(*self.low)), map(sum, zip(*self.high)))]
        shares, chords, over = [], [], 0
        for low, high in zip(self.low, self.high):
            lines = [chord(term, a, b) for a, b in zip(low, high)]
            over += sum(x for _, x in lines)
            slopes = [*zip(lines, columns)]
            chords.append([2000 * x - (2000 - t) * y for (x, _), (y, _) in slopes])
            logs = [log(a + b) - log(c) for a, b, c in zip(low, high, totals)]
            shares.append([2000 * x + t * y for x, (y, _) in zip(logs, columns)])
        rest = (2000 - 2 * t) * term(self.n) - (2000 - t) * sum(map(term, self.rows))
        least, most = self.linear(shares)[0] + t * heights, self.linear(chords)[1] + 2000 * over
        return least + rest, most - (2000 - t) * heights + rest


SCORES = {
    "acc": Box.acc,
    "bacc": lambda box: box.recall(False),
    "recall": lambda box: box.recall(True),
    "precision": lambda box: box.mean(1),
    "f1": lambda box: box.mean(2),
    "f1_weighted": lambda box: box.mean(2, box.rows),
    **{name: getattr(Box, name) for name in ("f1_of_means", "gmean", "kappa", "mcc")},
    **{name: getattr(Box, name) for name in ("ri", "ari", "jaccard", "fm", "med", "nmi")},
    "rd": lambda box: [1 - x for x in box.ri()[::-1]],
    "ard": lambda box: [1 - x for x in box.ari()[::-1]],
}
OF_CLUSTERINGS = ("ri", "ari", "jaccard", "fm", "med", "nmi", "rd", "ard")
OF_A_CLASS = re.compile(r"(recall|precision|f1)_([1-9]\d*)", re.ASCII)


def score(name, box):
    """The range of a score over a box; Unreadable for a name that is none here."""
    one = OF_A_CLASS.fullmatch(name)
    if one and int(one[2]) <= box.r:
        return box.ratios(int(one[2]) - 1)[("recall", "precision", "f1").index(one[1])]
    if name not in SCORES:
        raise Unreadable(f"the score {name!r:.80} is not one that this file knows")
    return SCORES[name](box)
