"""Check an audit of printed scores without confmat: one file of plain Python.

    python3 -I verify.py FILE        exit code 0: right; 1: wrong; 2: unreadable, or beyond this file

``confmat verify FILE --script`` prints this file.  A certificate of kind "audit" says whether a matrix can have
produced a report.  Possible: here is one.  Impossible: a tree of boxes.  A box is a range for every cell; "/" halves
it, any other letter names a printed score whose range over the box misses what was printed.  Ranges are exact: products
lie between planes, convex functions between tangents and chords, and what is linear in the cells is largest and
smallest greedily, row by row.
"""

import operator
import re
from decimal import Context, Decimal
from fractions import Fraction
from itertools import permutations
from math import comb, gcd, prod

from confmat.certificates.verdict import Unreadable, Wrong, matched, partitions

# --- printed numbers ------------------------------------------------------------------------------

ROUNDINGS = ("half-up", "half-even", "truncation", "any")
LETTERS = "abcdefghijklmnopqrstuvwxyz"  # of the scores, in the order of the report


def window(digits, rounding):
    """The numbers that are printed so: both ends, and whether they belong to it.

    Half up is away from zero, truncation towards it; "any" is what one of the three can print.
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
    """Whether no number of a closed range is printed so."""
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


TERMS: dict = {}


def entropy_term(k, places):
    """k log k as a fraction, to more than so many places: `decimal` rounds logarithms correctly."""
    if k == 0:
        return Fraction(0)
    if (k, places) not in TERMS:
        TERMS[k, places] = k * Fraction(Decimal(k).ln(Context(prec=places + 15 + len(str(k)))))
    return TERMS[k, places]


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
        """The least and largest sum of weights times cells."""
        ends = []
        for sign in (1, -1):
            total = 0
            for w, low, high, left in zip(weights, self.low, self.high, self.rows):
                left -= sum(low)
                total += sum(map(operator.mul, w, low))
                for weight, room in sorted(((x, b - a) for x, a, b in zip(w, low, high)), reverse=sign < 0):
                    total += weight * min(room, left)
                    left -= min(room, left)
            ends.append(total)
        return ends

    def convex(self, f, columns):
        """A range for the sum of f, convex, over the cells or the column sums."""
        lows, highs = ([self.least], [self.most]) if columns else (self.low, self.high)
        ends = []
        for end, slope in (
            (0, lambda a, b: ((a + b) // 2, f((a + b) // 2 + 1) - f((a + b) // 2))),
            (1, lambda a, b: (a, Fraction(f(b) - f(a), b - a) if b > a else 0)),
        ):
            lines = [[slope(a, b) for a, b in zip(low, high)] for low, high in zip(lows, highs)]
            weights = [[g for _, g in line] for line in lines]
            ends.append(
                self.linear(weights * self.r if columns else weights)[end]
                + sum(f(c) - c * g for line in lines for c, g in line)
            )
        return ends

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
            squares = self.convex(lambda c: c * c, True)
            pairs = [(x - self.n) / Fraction(2) for x in squares]
            self.kept["FB"] = self.split_pairs(), (max(0, pairs[0]), min(self.M, pairs[1]))
        return self.kept["FB"]

    # --- scores -----------------------------------------------------------------------------------

    def acc(self):
        low, high = self.linear([[i == j for j in range(self.s)] for i in range(self.r)])
        return Fraction(max(low, self.correct[0]), self.n), Fraction(min(high, self.correct[1]), self.n)

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
        fp = self.least[i] - tp[0], self.most[i] - tp[1]
        return ratio(tp, fn, 1), ratio(tp, fp, 1), ratio(tp, [*map(operator.add, fn, fp)], 2)

    def mean(self, which, weights=None):
        """The mean over the classes of recall (0), precision (1) or F1 (2)."""
        weights = weights or [1] * self.r
        found = [self.ratios(i)[which] for i in range(self.r)]
        return [sum(w * x[end] for w, x in zip(weights, found)) / Fraction(sum(weights)) for end in (0, 1)]

    def bacc(self):
        return self.mean(0, [int(x > 0) for x in self.rows])

    def f1_of_means(self):
        recall, precision = self.mean(0), self.mean(1)
        return [2 * p * q / (p + q) if p + q else Fraction(0) for p, q in zip(recall, precision)]

    def gmean(self):
        recalls = [self.ratios(i)[0] for i in range(self.r)]
        return [root(prod(x[end] for x in recalls), self.r, self.places)[end] for end in (0, 1)]

    def agreement(self):
        """n times the diagonal less the products of margins, as a range, and the range of these products."""
        chance = self.linear([self.rows] * self.r)
        return [self.n * x * self.n - y for x, y in zip(self.acc(), chance[::-1])], chance

    def kappa(self):
        ends, chance = self.agreement()
        if chance[1] == self.n**2:  # in some matrix of the box all objects are in one cell
            return [self.undefined] * 2 if chance[0] == chance[1] else (Fraction(-1), Fraction(1))
        return [x / (self.n**2 - y) for x, y in zip(ends, chance[::-1])]

    def mcc(self):
        ends, columns = self.agreement()[0], self.convex(lambda c: c * c, True)
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

        def term(k):
            return entropy_term(k, self.places)

        of_rows, whole = sum(map(term, self.rows)), term(self.n)
        (low, high), columns = (self.convex(term, x) for x in (False, True))
        entropies = [2 * whole - of_rows - x for x in columns[::-1]]
        mutual = low - of_rows - columns[1] + whole, high - of_rows - columns[0] + whole
        slack = Fraction(1, 10**self.places)
        if entropies[1] < slack:
            return Fraction(1), Fraction(1)
        ends = [2 * x / y if y > slack else end for end, (x, y) in enumerate(zip(mutual, entropies[::-1]))]
        return max(Fraction(0), ends[0] - slack), min(Fraction(1), ends[1] + slack)


SCORES = {
    **{name: getattr(Box, name) for name in ("acc", "bacc")},
    "recall": lambda box: box.mean(0),
    "precision": lambda box: box.mean(1),
    "f1": lambda box: box.mean(2),
    "f1_weighted": lambda box: box.mean(2, box.rows),
    **{name: getattr(Box, name) for name in ("f1_of_means", "gmean", "kappa", "mcc")},
    **{name: getattr(Box, name) for name in ("ri", "ari", "jaccard", "fm", "med", "nmi")},
}
OF_CLUSTERINGS = ("ri", "ari", "jaccard", "fm", "med", "nmi")
OF_A_CLASS = re.compile(r"(recall|precision|f1)_([1-9]\d*)", re.ASCII)


def score(name, box):
    """The range of a score over a box; Unreadable for a name that is none here."""
    one = OF_A_CLASS.fullmatch(name)
    if one and int(one[2]) <= box.r:
        return box.ratios(int(one[2]) - 1)[("recall", "precision", "f1").index(one[1])]
    if name not in SCORES:
        raise Unreadable(f"the score {name!r:.80} is not one that this file knows")
    return SCORES[name](box)


class Question:
    """What a report asks: r x s matrices of ``n`` objects, with these ``rows`` where known, and printed scores.

    ``paired``: rows and columns are the same classes; else columns are clusters, rows too where their sizes are not
    known, which may be ``empty`` or not.
    """

    def __init__(self, report):
        self.report = {key: report[key] for key in FIELDS}
        rows, undefined = report["rows"], report["undefined"]
        self.n, self.paired, (self.r, self.s) = report["n"], report["paired"], report["shape"]
        self.least = int(not self.paired and not report["empty"])
        self.least_row = max(self.least, int(self.paired))
        if not {*map(type, (self.n, self.r, self.s, *(rows or ())))} <= {int}:
            raise Unreadable("objects, rows and columns must be whole numbers")
        if rows is not None and (len(rows) != self.r or sum(rows) != self.n or min(rows, default=0) < 0):
            raise Unreadable(f"rows must be {self.r} numbers with the sum {self.n}, not {rows!r:.80}")
        if not re.fullmatch(r"\d+(/0*[1-9]\d*)?", undefined, re.ASCII) or Fraction(undefined) > 1:
            raise Unreadable(f"undefined must be from 0 to 1, not {undefined!r:.80}")
        self.undefined = Fraction(undefined)
        self.names = [*report["scores"]]
        self.windows = [window(x, report["rounding"]) for x in report["scores"].values()]
        single = any(map(OF_A_CLASS.fullmatch, self.names))
        self.in_any_order = report["rows"] is None and not single
        of_classes = [x for x in self.names if x not in OF_CLUSTERINGS]
        if of_classes and not self.paired:
            raise Unreadable(f"{of_classes[0]} needs classes in rows and columns, not clusters")
        if not 0 < len(self.names) <= len(LETTERS) or min(self.n, self.r, self.s) < 1:
            raise Unreadable("there must be scores, objects, rows and columns")
        if self.paired and self.r != self.s:
            raise Unreadable("classes must be in rows and columns")

    def margins(self):
        """The row sums that may be; where they are in any order, decreasing ones stand for all."""
        if self.report["rows"] is not None:
            return [tuple(self.report["rows"])]
        found = partitions(self.n, self.r, self.least_row)
        return [*found] if self.in_any_order else [y for x in found for y in sorted({*permutations(x)})]

    def correct(self):
        """At least and at most so many objects on the diagonal, as the accuracy says."""
        low, high = self.windows[self.names.index("acc")][:2] if "acc" in self.names else (0, 1)
        return max(0, int(-(-self.n * low // 1))), min(self.n, int(self.n * high // 1))

    def box(self, rows, low=None, high=None):
        """The box with these ends as far as row sums, accuracy and columns reach; None if it is empty."""
        low = [*map(list, low or [[0] * self.s] * self.r)]
        high = [*map(list, high or [[x] * self.s for x in rows])]
        diagonal = [(i, i) for i in range(self.r)]
        lines = [([(i, j) for j in range(self.s)], x, x) for i, x in enumerate(rows)]
        if self.paired:
            lines += [(diagonal, *self.correct()), *lines]
        for cells, least, most in lines:
            below, above = sum(low[i][j] for i, j in cells), sum(high[i][j] for i, j in cells)
            for i, j in cells:
                a, b = low[i][j], high[i][j]
                low[i][j], high[i][j] = max(a, least - above + b), min(b, most - below + a)
                if low[i][j] > high[i][j]:
                    return None
        if any(sum(column) < self.least for column in zip(*high)):
            return None
        return Box(rows, low, high, self.undefined, self.correct())

    def halves(self, box):
        """The boxes that are left of the two halves of the widest range."""
        _, i, j = max(
            (b - a, -i, -j)
            for i, (p, q) in enumerate(zip(box.low, box.high))
            for j, (a, b) in enumerate(zip(p, q))
        )
        middle = (box.low[-i][-j] + box.high[-i][-j]) // 2
        for low, high in ((box.low[-i][-j], middle), (middle + 1, box.high[-i][-j])):
            ends = [*map(list, box.low)], [*map(list, box.high)]
            ends[0][-i][-j], ends[1][-i][-j] = low, high
            half = self.box(box.rows, *ends)
            yield from [half] * (half is not None)

    def missed(self, box, k):
        """Whether no matrix of the box has the k-th score as it was printed; of one matrix, whether it has not."""
        (a, b), printed = score(self.names[k], box), self.windows[k]
        while box.low == box.high and a < b and any(a <= end <= b for end in printed[:2]):
            box.places *= 2  # irrational, so not at an end of its window: on one side of it
            a, b = score(self.names[k], box)
        return misses((a, b), printed)

    def __str__(self):
        """Which matrices, printed how."""
        size = f"{self.r} x {self.s}" if self.least or self.paired else f"at most {self.r} x {self.s}"
        rows = self.report["rows"]
        of = f"{self.n} objects" + (f" in rows of {', '.join(map(str, rows))}" if rows is not None else "")
        means = f"rounding {self.report['rounding']}, 0/0 counts {self.undefined}"
        return f"{size} {'confusion matrix' if self.paired else 'table'} of {of} ({means})"


FIELDS = ("n", "shape", "rows", "paired", "empty", "rounding", "undefined", "scores")


def check_audit(content):
    """A matrix has all scores that a report prints; or none has, box by box."""
    asked = Question(content)
    said = ", ".join(f"{name} {digits}" for name, digits in content["scores"].items())
    if content["possible"]:
        table = [[*map(int, row)] for row in content["matrix"]]
        rows = [*map(sum, table)]
        members = [sorted(x) for x in asked.margins()]
        known = (content["rows"] is None and sorted(rows) in members) or rows == content["rows"]
        known = known and {*map(len, table)} == {asked.s} and min(map(min, table)) >= 0
        box = asked.box(rows, table, table) if known else None
        if box is None:
            raise Wrong(f"{table} is no matrix of this report")
        if missed := [x for k, x in enumerate(asked.names) if asked.missed(box, k)]:
            raise Wrong(f"{table} does not have the {missed[0]} that was printed")
        return f"{said} is possible in a {asked}: {table}", {
            **asked.report,
            "possible": True,
            "matrix": table,
        }
    boxes = 0
    for rows, proof in zip(asked.margins(), content["proof"], strict=True):
        open_boxes = [x for x in [asked.box(rows)] if x is not None]
        for letter in proof:
            if not open_boxes:
                raise Wrong(f"{letter!r} is about no box")
            box = open_boxes.pop()
            boxes += 1
            if letter == "/":
                open_boxes += asked.halves(box)
            elif not asked.missed(box, LETTERS.index(letter)):
                raise Wrong(
                    f"{asked.names[LETTERS.index(letter)]} may be as printed in {box.low} to {box.high}"
                )
        if open_boxes:
            raise Wrong(f"{len(open_boxes)} boxes are left open")
    right = {**asked.report, "possible": False, "proof": content["proof"]}
    return f"no {asked} has {said} ({boxes} boxes)", right


CHECKS = {"audit": check_audit}
