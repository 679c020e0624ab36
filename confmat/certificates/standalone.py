"""Check a confmat certificate without confmat: one file of plain Python, with an enumerator of its own.

    python3 -I verify.py FILE        exit code 0: right; 1: wrong; 2: unreadable, or beyond this file

``confmat verify --script`` prints this file.  A certificate is JSON under a seal, the SHA-256 of its canonical text.
It is right if it is, letter by letter, what this file writes itself as the answer to the same question.
Kinds: "certificate" (a formula holds for every member of some classes), "counterexample" (the first one), "extreme"
(the largest or smallest value over a class, and all matrices up to symmetry that attain it), "law" (the digest of an
exact law).  Statistics: FORMULAS.  Classes (KINDS): all r x s tables with total n <= 10^6, some of their margins fixed,
at most 6 lines a side.  Sizes: about MOST tables where lines may be exchanged; with potentials, where margin classes
are listed instead, (60,4,4) and (120,3,3) in seconds, (200,3,3) in a minute.
"""

import ast
import json
import operator
import re
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise, permutations, product
from math import comb, factorial, isqrt, prod

from confmat.certificates.verdict import STRANGE, Unreadable, Wrong, canonical, matched, partitions

# --- classes of tables ----------------------------------------------------------------------------

MOST = 4 * 10**6

KINDS = {
    "tables": ("r", "s", "empty"),
    "fixed_margins": ("rows", "cols"),
    "fixed_rows": ("rows", "s"),  # and "empty" where it is false
    "fixed_columns": ("r", "cols"),
}


class Class:
    """All r x s tables with total n: ``rows`` and ``cols`` where these sums are fixed, empty lines or not elsewhere."""

    def __init__(self, spec):
        try:
            named, self.n, self.empty = KINDS[spec["kind"]], int(spec["n"]), bool(spec.get("empty", True))
            self.rows, self.cols = (
                tuple(map(int, spec[x])) if x in named else None for x in ("rows", "cols")
            )
            self.r, self.s = len(self.rows or ()) or int(spec["r"]), len(self.cols or ()) or int(spec["s"])
            fixed = [x for x in (self.rows, self.cols) if x]
            self.spec = {"kind": spec["kind"], "n": self.n, **{x: getattr(self, x) for x in named}}
            self.spec |= {} if self.empty or len(fixed) == 2 else {"empty": False}
            known = canonical(self.spec) == canonical(spec) and all(sum(x) == self.n for x in fixed)
            known = known and min((self.n, *sum(fixed, ()))) >= 0 < self.r <= 6 >= self.s > 0
        except STRANGE:
            known = False
        if not known or self.n > 10**6:
            raise Unreadable(f"{spec!r:.80} is no class with at most 10^6 points and 6 lines a side")
        self.square = self.r == self.s and sorted(self.rows or ()) == sorted(self.cols or ())

    def __str__(self):
        return json.dumps(self.spec)

    def margins(self):
        """The row sums, and the column sums, each with a weight: free ones decreasing, for so many orders."""
        for fixed, k in ((self.rows, self.r), (self.cols, self.s)):
            found = [fixed] if fixed else partitions(self.n, k, 1 - self.empty)
            same = ((x, [factorial(k)] if fixed else map(factorial, Counter(x).values())) for x in found)
            yield [(x, factorial(k) // prod(times)) for x, times in same]

    def tables(self):
        """The members, column sums first, free lines exchanged, with weights: how many one stands for."""
        for (cols, copies), (rows, times) in product(*reversed([*self.margins()])):
            yield from ((table, times * copies) for table in fillings(rows, cols))

    def survey(self, members, labelings=False):
        """How many members, or pairs of labelings, have which (m, A, B, P); Wrong unless there are so many members."""
        free = [factorial(k) for k, x in ((self.r, self.rows), (self.s, self.cols)) if x is None]
        if members // prod(free) > MOST:
            raise Unreadable(f"{members} members are too many for this file")
        law, found = Counter(), 0
        for table, weight in self.tables():
            found += weight
            if found > members:
                break
            cells = prod(factorial(x) for row in table for x in row)
            law[sums(table)] += weight * (factorial(self.n) // cells if labelings else 1)
        if found != members:
            raise Wrong(f"{self} has {found} members{' or more' * (found > members)}, not {members}")
        return law

    def at(self, wanted):
        """The members, free lines exchanged, that have one of some (m, A, B, P)."""
        return [table for table, _ in self.tables() if sums(table) in wanted] if wanted else []

    def images(self, table, turned):
        """The members that exchanging lines makes of a table, and transposing if ``turned`` and the class allows."""
        for x in (table, tuple(zip(*table))) if turned and self.square else (table,):
            for cols in set(permutations(zip(*x))):
                for image in set(permutations(zip(*cols))):
                    sides = (self.rows, image), (self.cols, zip(*image))
                    if all(fixed in (None, tuple(map(sum, lines))) for fixed, lines in sides):
                        yield image


def orbits(n, r, s, turned, empty):
    """Tables with total n, r <= s, up to exchange of lines and, where ``turned``, transposition (Burnside)."""
    if not empty:  # a table without empty lines is one that does not fit fewer lines
        lower = orbits(n, r - 1, s, False, True) - orbits(n, r - 1, s - 1, False, True)
        return orbits(n, r, s, turned, True) - orbits(n, r - turned, s - 1, turned, True) - lower
    kinds, total = Counter(), 0
    for rows, cols, flip in product(permutations(range(r)), permutations(range(s)), (1, -1)[: 1 + turned]):
        image = {(i, j): (rows[i], cols[j])[::flip] for i in range(r) for j in range(s)}
        lengths = []  # of the cycles of cells
        while image:
            place, length = next(iter(image)), 0
            while place in image:
                place, length = image.pop(place), length + 1
            lengths.append(length)
        kinds[tuple(sorted(lengths))] += 1
    for lengths, times in kinds.items():  # the cells of a cycle are equal: n is a sum of multiples of lengths
        ways = [1] + [0] * n
        for length in lengths:
            for x in range(length, n + 1):
                ways[x] += ways[x - length]
        total += times * ways[n]
    return total // kinds.total()


def fillings(rows, left, slopes=None):
    """Tables with these row and column sums; with slopes those of least sum x^2 - slope x: x is slope/2, rounded."""
    if slopes:
        cells = [range(max(0, x // 2), min(y, max(0, (x + 1) // 2)) + 1) for x, y in zip(slopes[0], left)]
    else:
        cells = [range(min(rows[0], y) + 1) for y in left]
    last = len(rows) == 1
    for row in [left] if last else ((*x, rows[0] - sum(x)) for x in product(*cells[:-1])):
        if all(map(operator.contains, cells, row)):
            below = tuple(map(operator.sub, left, row))
            more = [()] if last else fillings(rows[1:], below, slopes and slopes[1:])
            yield from ((row, *others) for others in more)


# --- statistics and formulas ----------------------------------------------------------------------


def sums(table):
    """m = n MED, and the numbers A, B and P of pairs of points together in a row, in a column, in a cell."""
    rows, cols, cells = [*map(sum, table)], map(sum, zip(*table)), (x for row in table for x in row)
    return sum(rows) - matched(table), *(sum(comb(x, 2) for x in parts) for parts in (rows, cols, cells))


# name: numerator and denominator, M pairs of points in all, and the value where both are 0 (None: undefined)
FORMULAS = {
    "med": lambda n, M, m, A, B, P: (m, n, 0),
    "rd": lambda n, M, m, A, B, P: (A + B - 2 * P, M, 0),
    "ri": lambda n, M, m, A, B, P: (M - A - B + 2 * P, M, 1),
    "mirkin": lambda n, M, m, A, B, P: (2 * (A + B - 2 * P), n * n, 0),
    "ard": lambda n, M, m, A, B, P: ((A + B - 2 * P) * M, A * (M - B) + B * (M - A), 0),
    "ari": lambda n, M, m, A, B, P: (2 * (P * M - A * B), A * (M - B) + B * (M - A), 1),
    "jaccard": lambda n, M, m, A, B, P: (P, A + B - P, None),
    "wallace_ab": lambda n, M, m, A, B, P: (P, A, None),
    "wallace_ba": lambda n, M, m, A, B, P: (P, B, None),
}
CHANGED_BY_TRANSPOSITION = {"wallace_ab", "wallace_ba"}


def value(name, n, found):
    """A statistic from n and (m, A, B, P), a Fraction; None where it is undefined."""
    if name not in FORMULAS:
        raise Unreadable(f"the statistic {name!r:.80} is not one that this file knows")
    numerator, denominator, undefined = FORMULAS[name](n, comb(n, 2), *found)
    return Fraction(numerator, denominator) if denominator else undefined


SIGNS: dict = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le}
SIGNS |= {ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Add: operator.add, ast.Sub: operator.sub}
SIGNS |= {ast.USub: operator.neg, ast.Mult: operator.mul, ast.Div: operator.truediv}


class Formula:
    """A condition as confmat writes it, "med <= 1/10 -> ari >= 0"; an undefined number satisfies no comparison.

    Python's parser reads it, nothing is run: x -> y is written to it as "x if 0 else y", which binds as little.
    """

    def __init__(self, text):
        try:
            if "if" in text or not re.fullmatch(r"[\w ()<>=!+*/-]+", text, re.ASCII):
                raise ValueError
            python = re.sub("(?<![<>!])=", "==", text).replace("->", " if 0 else ")
            self.tree = rest = ast.parse(python, mode="eval").body
            if type(evaluate(self.tree, dict.fromkeys(("n", "r", "s", *FORMULAS)))) is not bool:
                raise ValueError
        except (SyntaxError, ValueError, RecursionError):
            raise Unreadable(f"{text!r:.80} is not a formula that this file reads") from None
        self.premises = []
        while isinstance(rest, ast.IfExp):
            self.premises.append(rest.body)
            rest = rest.orelse
        self.names = [x for x in dict.fromkeys(re.findall(r"\w+", text)) if x in FORMULAS]
        self.turned = not CHANGED_BY_TRANSPOSITION & {*self.names}

    def holds(self, of, found):
        """Whether it holds for a member with these m, A, B and P, and whether all its premises do."""
        values = {name: value(name, of.n, found) for name in self.names}
        values |= {"n": Fraction(of.n), "r": Fraction(of.r), "s": Fraction(of.s)}
        return evaluate(self.tree, values), all(evaluate(x, values) for x in self.premises)


def evaluate(tree, values):
    """A part of a formula: a truth, or a number, None if undefined."""
    parts = [evaluate(x, values) for x in ast.iter_child_nodes(tree) if isinstance(x, ast.expr)]
    match tree, {*map(type, parts)} == {bool}:
        case ast.Constant(value=number), _ if type(number) is int:
            return Fraction(number)
        case ast.Name(id=name), _ if name in values:
            return values[name]
        case ast.BoolOp(op=sign), True:
            return (all if isinstance(sign, ast.And) else any)(parts)
        case ast.UnaryOp(op=ast.Not()), True:
            return not parts[0]
        case ast.IfExp(), _ if {*map(type, parts[1:])} == {bool}:  # the first one is 0
            return parts[2] or not parts[1]
        case _ if bool in map(type, parts):
            pass
        case ast.UnaryOp(op=sign) | ast.BinOp(op=sign), _ if type(sign) in SIGNS:
            undefined = None in parts or (isinstance(sign, ast.Div) and parts[1] == 0)
            return None if undefined else SIGNS[type(sign)](*parts)
        case ast.Compare(ops=signs), _ if SIGNS.keys() >= {*map(type, signs)}:
            pairs = zip(signs, pairwise(parts))
            return all(None not in pair and SIGNS[type(sign)](*pair) for sign, pair in pairs)
    raise Unreadable(f"{ast.unparse(tree)!r:.80} in a formula is not what this file reads there")


# --- what certificates say: each check returns it in words, and the fields as they should be ------

FINE = 10**7  # Outcomes of larger classes are sealed by sums.


def outcomes(of, members, formula):
    """The entry of a class: the digest of how many members have which m, {A, B}, P and outcome; and where it is false.

    Of a large class for each m and outcome: members, and sums of A + B, AB, P, P^2 over them, modulo 2^64.  Its cases
    are the members that satisfy the premises.
    """
    law, failing, cases = {}, set(), 0
    for found, weight in of.survey(members).items():
        m, A, B, P = found
        holds, met = formula.holds(of, found)
        failing |= set() if holds else {found}
        cases += weight * met
        key, each = (m, min(A, B), max(A, B), P, int(holds)), (1,)
        if members > FINE:
            key, each = (m, int(holds)), (1, A + B, A * B, P, P * P)
        law[key] = tuple((x + weight * y) % 2**64 for x, y in zip(law.get(key, (0,) * 5), each))
    lines = (" ".join(map(str, (*key, *law[key]))) + "\n" for key in sorted(law))
    free = None if of.rows or of.cols else (of.n, *sorted((of.r, of.s)), of.r == of.s, of.empty)
    entry = {"class": of.spec, "members": members, "orbits": free and orbits(*free)}
    entry |= {"cases": cases} if formula.premises and law else {}
    return entry | {"digest": sha256("".join(lines).encode()).hexdigest()}, of.at(failing)


def claimed(content):
    """The formula of a claim, and its classes, each with what is said of it; Unreadable where it is another test."""
    if beyond := ", ".join(sorted({*content["test"]} - {"formula"})):
        raise Unreadable(f"its test is no formula of one table, it has {beyond}: confmat verify checks that")
    parts = content["classes"] + [content][: content["kind"] == "counterexample"]
    return Formula(content["test"]["formula"]), [(Class(part["class"]), part) for part in parts]


def check_claim(content):
    """A formula holds for every member of some classes; or then fails first, row by row, at a member of another."""
    formula, parts = claimed(content)
    text, entries, sizes = content["test"]["formula"], [], []
    for of, part in parts:
        entry, failing = outcomes(of, int(part["members"]), formula)
        if failing and part is not content:
            raise Wrong(f"{text} is false for {failing[0]} of {of}")
        entries.append(entry)
        sizes.append((of.n, of.r, of.s))
    if sizes != sorted(sizes) or not 0 < len({str(x["class"]) for x in entries}) == len(sizes):
        raise Wrong("its classes are none, repeated or not in increasing size")
    right = {"conjecture": text, "statement": text, "test": {"formula": text}, "basis": "all members"}
    if content["kind"] == "certificate":
        members, cases = (sum(x.get(key, 0) for x in entries) for key in ("members", "cases"))
        met = f", of whom {cases} satisfy the premises" if formula.premises else ""
        return f"{text} for all {members} members{met}", {**right, "classes": entries}
    if not failing:
        raise Wrong(f"{text} is true for all members of {of}")
    first = min(min(of.images(table, formula.turned)) for table in failing)
    shown = ((name, value(name, of.n, sums(first))) for name in formula.names)
    detail = ", ".join(f"{name} = {'nan' if x is None else x}" for name, x in shown)
    right |= {"classes": entries[:-1], "class": of.spec, "members": entry["members"]}
    right |= {"witness": {"matrix": first}, "detail": detail or "the condition is False here"}
    return f"{text} is false, first at {first} of all classes listed: {detail}", right


def check_extreme(content):
    """The largest or smallest value of a statistic over a class, and all matrices that attain it up to symmetry."""
    of, name, largest, given = (content[x] for x in ("class", "statistic", "largest", "given"))
    of, condition, proof = Class(of), None if given is None else Formula(given), content["proof"]
    if "potentials" in proof and given is None:
        table = tuple(map(tuple, content["matrices"][0]))
        best, attaining, proof = by_bounds(of, name, largest, table, proof["potentials"])
    else:
        law = of.survey(int(proof["members"]))
        values = {x: value(name, of.n, x) for x in law if condition is None or condition.holds(of, x)[0]}
        best = (max if largest else min)((x for x in values.values() if x is not None), default=None)
        attaining = of.at({found for found, x in values.items() if x == best is not None})
        proof = {"members": law.total()}
    turned = not CHANGED_BY_TRANSPOSITION & {name, *(condition.names if condition else ())}
    shown = sorted({max(of.images(x, turned)) for x in attaining}, reverse=True)
    right = {"class": of.spec, "statistic": name, "largest": bool(largest), "given": given, "proof": proof}
    right |= {"value": None if best is None else str(best), "matrices": shown}
    what = f"{'largest' if largest else 'smallest'} {name} over {of}{f' given {given}' if given else ''}"
    return f"the {what} is {best}; matrices with it, up to symmetry: {len(shown)}", right


def by_bounds(of, name, largest, table, potentials):
    """The value F/D of ``table``; all tables with it, up to exchange of lines; and the proof that none has more.

    F = A + B - 2P, and D is M (RD) or A(M - B) + B(M - A) (ARD over M).  At margins a, b they are largest where the
    sum of squares of the cells is least.  For any u, v that is >= sum v b - sum u a + sum of min_x x^2 - (v_j - u_i) x.
    With X = sqrt((r sum a^2/n^2 - 1)/(r - 1)), Y the same of b, and Z = max(0, X + Y - 1), rs sum x^2 is at least n^2
    (1 + (r - 1) X^2 + (s - 1) Y^2 + (r - 1)(s - 1) Z^2) (proofs/least_pairs.py); where that does not do, integers u, v
    are read from the certificate; those that were used are the proof.
    """
    if {"rd": True, "mirkin": True, "ard": True, "ri": False, "ari": False}.get(name) is not largest:
        raise Wrong("potentials show the largest RD or ARD, or what is the same")
    n, r, s, M = of.n, of.r, of.s, comb(of.n, 2)

    squared = 1  # a square, by which roots are computed more precisely
    while squared * n * n * r * s < 2**60:
        squared *= 4

    def root(x):
        return isqrt(squared * x)

    def divisor(A, B):
        return max(1, FORMULAS[name](n, M, 0, A, B, 0)[1])

    _, A, B, P = found = sums(table)
    f, d = A + B - 2 * P, divisor(A, B)
    rows, cols = ([tuple(sorted(x, reverse=True)) for x, _ in side] for side in of.margins())
    half = of.rows is None and of.cols is None and r == s
    squares = [sum(x * x for x in b) for b in cols]
    known, used, attaining, seen = iter(potentials), [], [], 0
    for i, a in enumerate(rows):
        a2 = sum(x * x for x in a)
        A = (a2 - n) // 2
        for b, b2 in zip(cols[i:], squares[i:]) if half else zip(cols, squares):
            seen += 1
            B = (b2 - n) // 2
            # F/D is not below the best where the sum of squares, of the parity of n, is at most this.
            most = A + B + n - -(-f * divisor(A, B) // d)
            most -= (most - n) % 2
            over_rows, over_cols = r * a2 - n * n, s * b2 - n * n
            excess = r * s * most - (over_rows + over_cols + n * n)
            if excess < 0:
                continue
            apart = root(over_rows * (s - 1)) + root(over_cols * (r - 1))
            if apart > root(n * n * (r - 1) * (s - 1)) + root(excess) + 2:
                continue
            u = [*map(int, next(known, ()))]
            if len(u) != r + s:
                raise Wrong(f"there are no potentials for the margins {a}, {b}")
            used.append(u)
            slopes = [[v - x for v in u[r:]] for x in u[:r]]
            least = sum(v * y for v, y in zip(u[r:], b)) - sum(x * y for x, y in zip(u, a))
            least -= sum((x // 2) * (x - x // 2) for line in slopes for x in line if x > 0)
            over = (A + B + n - least) * d - f * divisor(A, B)
            if over > 0:
                raise Wrong(f"the potentials for the margins {a}, {b} leave a larger value open")
            attaining += fillings(a, b, slopes) if over == 0 else []
    return value(name, n, found), attaining, {"margin_classes": seen, "potentials": used}


def check_law(content):
    """The digest of an exact law: class, weight, statistics, conditions, and every value with its weight."""
    of, members, weight = Class(content["class"]), int(content["members"]), content["weight"]
    names, conditions = [*content["statistics"]], [*content["conditions"]]
    if weight not in ("tables", "labelings"):
        raise Unreadable(f"the weight is {weight!r:.80}")
    formulas, law = [*map(Formula, conditions)], Counter()
    for found, each in of.survey(members, weight == "labelings").items():
        if all(x.holds(of, found)[0] for x in formulas):
            law[tuple(value(name, of.n, found) for name in names)] += each
    given = [{"text": text, "on": x.names} for text, x in zip(conditions, formulas)]
    parts = [
        {"format": "confmat law 3", "class": of.spec, "weight": weight, "statistics": names, "given": given}
    ]
    for key in sorted(law, key=lambda key: [(x is None, x or 0) for x in key]):
        parts.append([*("nan" if x is None else str(x) for x in key), law[key]])
    digest = sha256("".join(f"{json.dumps(x, sort_keys=True)}\n" for x in parts).encode()).hexdigest()
    right = {"class": of.spec, "members": members, "weight": weight, "law": digest}
    right |= {"statistics": names, "conditions": conditions}
    return f"the law of {', '.join(names)} over {of} has this digest, {len(law)} values", right


CHECKS = {
    "certificate": check_claim,
    "counterexample": check_claim,
    "extreme": check_extreme,
    "law": check_law,
}
