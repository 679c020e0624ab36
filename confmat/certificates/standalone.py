"""Check a confmat certificate without confmat: one file of plain Python, with an enumerator of its own.

    python3 -I verify.py FILE        exit code 0: right; 1: wrong; 2: unreadable, or beyond this file

``confmat verify --script`` prints this file.  A certificate is JSON under a seal, the SHA-256 of its canonical text.
It is right if it is, letter by letter, what this file writes itself as the answer to the same question.
Kinds (CHECKS): "certificate" (a formula holds for every member of some classes), "counterexample" (the first one),
"extreme" (the largest or smallest value over a class, and all matrices up to symmetry that attain it), "law" (the
digest of an exact law).  Statistics: FORMULAS.  Classes (KINDS): all r x s tables with total n <= 10^6, some of their
margins fixed, at most 6 lines a side.  Sizes: about MOST tables where lines may be exchanged; with potentials, where
margin classes are listed instead, (60,4,4) and (120,3,3) in a minute, (200,3,3) in several.
"""

import ast
import json
import operator
import re
import sys
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise, permutations, product
from math import comb, factorial, prod

MOST = 4 * 10**6


class Wrong(Exception):
    """The certificate says something that is not so."""


class Unreadable(Exception):
    """It is no certificate, or one that this file cannot check."""


STRANGE = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
)  # what reading fields of another form ends in


def canonical(tree):
    """The one JSON text of a value: 1, true and "1" differ, lists and tuples do not."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"))


def seal(content):
    """SHA-256 of the canonical text of everything but the digest."""
    return sha256(canonical({key: x for key, x in content.items() if key != "digest"}).encode()).hexdigest()


def read(text):
    """The content of a certificate; Unreadable for another text, Wrong for a broken seal."""

    def once(pairs):
        return dict(pairs) if len(dict(pairs)) == len(pairs) else refused("a key twice")

    def refused(what):
        raise Unreadable(f"it has {what}")

    try:
        content = json.loads(text, object_pairs_hook=once, parse_float=refused, parse_constant=refused)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is not JSON: {error}") from None
    if not isinstance(content, dict) or content.get("format") != "confmat certificate":
        raise Unreadable('it does not have the format "confmat certificate"')
    if content.get("version") != 2:
        raise Unreadable(f"its version is {content.get('version')!r:.80}, not 2")
    if content.get("digest") != seal(content):
        raise Wrong(f"its digest should be {seal(content)}, it says {content.get('digest')!r:.80}")
    return content


# --- classes of tables ----------------------------------------------------------------------------

KINDS = {
    "tables": ("r", "s", "empty"),
    "fixed_margins": ("rows", "cols"),
    "fixed_rows": ("rows", "s"),  # and "empty" where it is false
    "fixed_columns": ("r", "cols"),
}


class Class:
    """All r x s tables with total n, row and column sums ``rows`` and ``cols`` where fixed, else >= ``least``."""

    def __init__(self, spec):
        try:
            named, self.n, self.empty = KINDS[spec["kind"]], int(spec["n"]), bool(spec.get("empty", True))
            self.rows, self.cols = (
                tuple(map(int, spec[x])) if x in named else None for x in ("rows", "cols")
            )
            self.r, self.s = len(self.rows or ()) or int(spec["r"]), len(self.cols or ()) or int(spec["s"])
            fixed = [x for x in (self.rows, self.cols) if x is not None]
            self.spec = {"kind": spec["kind"], "n": self.n, **{x: getattr(self, x) for x in named}}
            self.spec |= {} if self.empty or len(fixed) == 2 else {"empty": False}
            same = canonical(self.spec) == canonical(spec)
        except STRANGE:
            same = False
        if not same or any(sum(x) != self.n for x in fixed) or min((self.n, *sum(fixed, ()))) < 0:
            raise Unreadable(f"the class {spec!r:.80} is not one that this file knows")
        if not 1 <= min(self.r, self.s) <= max(self.r, self.s) <= 6 or self.n > 10**6:
            raise Unreadable("more than 6 lines a side, or 10^6 points, are beyond this file")
        self.square = self.r == self.s and sorted(self.rows or ()) == sorted(self.cols or ())

    def __str__(self):
        return json.dumps(self.spec)

    def margins(self, exchange=True):
        """The row sums, and the column sums, each with a weight; free lines in all orders, or exchanged in one."""
        for fixed, k in ((self.rows, self.r), (self.cols, self.s)):
            found = [fixed] if fixed else partitions(self.n, k, 1 - self.empty)
            if fixed or exchange:
                yield [(x, 1 if fixed else orders(x)) for x in found]
            else:
                yield [(y, 1) for x in found for y in set(permutations(x))]

    def tables(self, exchange=True):
        """The members, column sums first, with weights: how many one stands for where free lines may be exchanged."""
        for (cols, copies), (rows, times) in product(*reversed([*self.margins(exchange)])):
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
        """The members, lines exchanged, that have one of some (m, A, B, P)."""
        return [table for table, _ in self.tables() if sums(table) in wanted] if wanted else []

    def __contains__(self, table):
        """Whether a table of this shape and total has the margins that are fixed."""
        sides = (self.rows, table), (self.cols, zip(*table))
        return all(fixed in (None, tuple(map(sum, lines))) for fixed, lines in sides)

    def images(self, table, turned):
        """The members that exchanging lines make of a table, and transposing, where it keeps the class."""
        for x in (table, tuple(zip(*table))) if turned and self.square else (table,):
            for cols in set(permutations(zip(*x))):
                yield from (image for image in set(permutations(zip(*cols))) if image in self)

    def orbits(self):
        """Tables up to exchange of lines and, r = s, transposition (Burnside); None where sums are fixed."""
        if self.rows or self.cols:
            return None
        n, (r, s), square = self.n, sorted((self.r, self.s)), self.r == self.s
        if self.empty:
            return burnside(n, r, s, square)
        # A table without empty lines is one that does not fit fewer lines.
        lower = burnside(n, r - 1, s, False) - burnside(n, r - 1, s - 1, False)
        return burnside(n, r, s, square) - burnside(n, r - square, s - 1, square) - lower


def burnside(n, r, s, turned):
    """Tables with total n, empty lines allowed, up to exchange of lines and, where ``turned``, transposition."""
    kinds, total = Counter(), 0
    for rows, cols, flip in product(permutations(range(r)), permutations(range(s)), range(1 + turned)):
        images = {
            (i, j): (cols[j], rows[i]) if flip else (rows[i], cols[j]) for i in range(r) for j in range(s)
        }
        lengths = []  # of the cycles of cells
        while images:
            place, length = next(iter(images)), 0
            while place in images:
                place, length = images.pop(place), length + 1
            lengths.append(length)
        kinds[tuple(sorted(lengths))] += 1
    for lengths, times in kinds.items():  # the cells of a cycle are equal: n is a sum of multiples of lengths
        ways = [1] + [0] * n
        for length in lengths:
            for x in range(length, n + 1):
                ways[x] += ways[x - length]
        total += times * ways[n]
    return total // sum(kinds.values())


def partitions(n, parts, least, most=None):
    """Decreasing tuples of whole numbers >= least with sum n, the largest first."""
    most = n if most is None else min(n, most)
    if parts == 1 or n == least * parts:
        yield from [(n // parts,) * parts] * (least * parts <= n)
        return
    for first in range(min(most, n - least * (parts - 1)), -(-n // parts) - 1, -1):
        yield from ((first, *rest) for rest in partitions(n - first, parts - 1, least, first))


def orders(lines):
    """In how many orders some lines can stand."""
    return factorial(len(lines)) // prod(map(factorial, Counter(lines).values()))


def counted(number, one, many):
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


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
    turned = tuple(zip(*table))
    lines, others = sorted((table, turned), key=len)
    matched = max(sum(map(operator.getitem, lines, x)) for x in permutations(range(len(others)), len(lines)))
    cells = [x for row in table for x in row]
    pairs = (sum(comb(x, 2) for x in parts) for parts in (map(sum, table), map(sum, turned), cells))
    return sum(cells) - matched, *pairs


def chance(n, A, B):
    """The denominator of the ARD, whose numerator is A + B - 2P times the number of pairs."""
    return A * (comb(n, 2) - B) + B * (comb(n, 2) - A)


# name: numerator, denominator, and the value where both are 0 (None: undefined)
FORMULAS = {
    "med": lambda n, m, A, B, P: (m, n, 0),
    "rd": lambda n, m, A, B, P: (A + B - 2 * P, comb(n, 2), 0),
    "ri": lambda n, m, A, B, P: (comb(n, 2) - A - B + 2 * P, comb(n, 2), 1),
    "mirkin": lambda n, m, A, B, P: (2 * (A + B - 2 * P), n * n, 0),
    "ard": lambda n, m, A, B, P: ((A + B - 2 * P) * comb(n, 2), chance(n, A, B), 0),
    "ari": lambda n, m, A, B, P: (2 * (P * comb(n, 2) - A * B), chance(n, A, B), 1),
    "jaccard": lambda n, m, A, B, P: (P, A + B - P, None),
    "wallace_ab": lambda n, m, A, B, P: (P, A, None),
    "wallace_ba": lambda n, m, A, B, P: (P, B, None),
}
CHANGED_BY_TRANSPOSITION = {"wallace_ab", "wallace_ba"}


def value(name, n, found):
    """A statistic from n and (m, A, B, P), a Fraction; None where it is undefined."""
    if name not in FORMULAS:
        raise Unreadable(f"the statistic {name!r:.80} is not one that this file knows")
    numerator, denominator, undefined = FORMULAS[name](n, *found)
    return Fraction(numerator, denominator) if denominator else undefined


COMPARED = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt}
COMPARED |= {ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
COMPUTED = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


class Formula:
    """A condition as confmat writes it, "med <= 1/10 -> ari >= 0"; an undefined number satisfies no comparison.

    Python's parser reads it, nothing is run: x -> y is written to it as "x if 0 else y", which binds as little.
    """

    def __init__(self, text):
        tokens = re.findall(r"->|[=!<>]=|\d+|\w+|\S", text)
        try:
            if {"if", "==", "else"} & {*tokens}:
                raise ValueError
            python = " ".join({"->": "if 0 else", "=": "=="}.get(x, x) for x in tokens)
            self.tree = ast.parse(python, mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            raise Unreadable(f"{text!r:.80} is not a formula that this file reads") from None
        self.premises, rest = [], self.tree
        while isinstance(rest, ast.IfExp):
            self.premises.append(rest.body)
            rest = rest.orelse
        self.names = [x for x in dict.fromkeys(tokens) if x in FORMULAS]
        self.turned = not CHANGED_BY_TRANSPOSITION & {*self.names}
        self.holds(Class({"kind": "tables", "n": 2, "r": 1, "s": 1, "empty": False}), (0, 1, 1, 1))

    def holds(self, of, found):
        """Whether it holds for a member with these m, A, B and P, and whether all its premises do."""
        values = {name: value(name, of.n, found) for name in self.names}
        values |= {"n": of.n, "r": of.r, "s": of.s}
        return [all(evaluate(x, values, True) for x in parts) for parts in ([self.tree], self.premises)]


def evaluate(tree, values, truth):
    """A part of a formula: a truth, or a number, None if undefined."""

    def parts(*trees, truths=truth):
        return [evaluate(x, values, truths) for x in trees]

    match truth, tree:
        case True, ast.IfExp(body=given, orelse=then):
            met, holds = parts(given, then)
            return holds or not met
        case True, ast.BoolOp(op=sign, values=joined):
            return all(parts(*joined)) if isinstance(sign, ast.And) else any(parts(*joined))
        case True, ast.UnaryOp(op=ast.Not(), operand=part):
            return not parts(part)[0]
        case True, ast.Compare(ops=signs) if COMPARED.keys() >= {*map(type, signs)}:
            pairs = zip(signs, pairwise(parts(tree.left, *tree.comparators, truths=False)))
            return all(None not in pair and COMPARED[type(sign)](*pair) for sign, pair in pairs)
        case False, ast.Constant(value=number) if type(number) is int:
            return Fraction(number)
        case False, ast.Name(id=name) if name in values:
            return values[name]
        case False, ast.UnaryOp(op=ast.USub(), operand=part):
            return evaluate(ast.BinOp(ast.Constant(0), ast.Sub(), part), values, False)
        case False, ast.BinOp(op=sign) if type(sign) in COMPUTED:
            x, y = parts(tree.left, tree.right)
            undefined = None in (x, y) or (isinstance(sign, ast.Div) and y == 0)
            return None if undefined else COMPUTED[type(sign)](x, y)
    raise Unreadable(f"{ast.unparse(tree)!r:.80} in a formula is not what this file reads there")


# --- what certificates say: each check returns it in words, and the fields as they should be ------

FINE = 10**7  # Outcomes of larger classes are sealed by sums.


def outcomes(of, members, formula):
    """The entry of a class: the digest of how many members have which m, {A, B}, P and outcome; and where it is false.

    Of a large class for each m and outcome: members, and sums of A + B, AB, P, P^2 over them, modulo 2^64.  Its cases
    are the members that satisfy the premises.
    """
    law, failing, cases = {}, set(), []
    for found, weight in of.survey(members).items():
        m, A, B, P = found
        holds, met = formula.holds(of, found)
        failing |= set() if holds else {found}
        cases += [weight * met] if formula.premises else []
        key, each = (m, min(A, B), max(A, B), P, int(holds)), (1,)
        if members > FINE:
            key, each = (m, int(holds)), (1, A + B, A * B, P, P * P)
        law[key] = tuple((x + weight * y) % 2**64 for x, y in zip(law.get(key, (0,) * 5), each))
    lines = (" ".join(map(str, (*key, *law[key]))) + "\n" for key in sorted(law))
    entry = {"class": of.spec, "members": members, "orbits": of.orbits()}
    entry |= {"digest": sha256("".join(lines).encode()).hexdigest()}
    return entry | ({"cases": sum(cases)} if cases else {}), of.at(failing)


BEYOND = {
    "source": "is Python source to be run",
    "related_by": "compares tables before and after a change",
    "on": "is about laws, margins or several tables at once",
}


def check_claim(content):
    """A formula holds for every member of some classes; or then fails first, row by row, at a member of another."""
    beyond = [says for part, says in BEYOND.items() if part in content["test"]]
    if beyond:
        raise Unreadable(f"its test {beyond[0]}, which this file does not do: see confmat verify")
    text, last = content["test"]["formula"], [content][: content["kind"] == "counterexample"]
    formula, entries, sizes = Formula(text), [], []
    for part in content["classes"] + last:
        of = Class(part["class"])
        entry, failing = outcomes(of, int(part["members"]), formula)
        if failing and part is not content:
            raise Wrong(f"{text} is false for {failing[0]} of {of}")
        entries.append(entry)
        sizes.append((of.n, of.r, of.s))
    if sizes != sorted(sizes) or not 0 < len({str(x["class"]) for x in entries}) == len(sizes):
        raise Wrong("its classes are none, repeated or not in increasing size")
    classes = counted(len(sizes), "class", "classes")
    right = {"conjecture": text, "statement": text, "test": {"formula": text}, "basis": "all members"}
    if not last:
        members, cases = (sum(x.get(key, 0) for x in entries) for key in ("members", "cases"))
        vacuous = "; vacuous: nothing satisfies the premise" if formula.premises and not cases else ""
        return f"{text} for all {members} members of {classes}{vacuous}", {**right, "classes": entries}
    if not failing:
        raise Wrong(f"{text} is true for all members of {of}")
    first = min(min(of.images(table, formula.turned)) for table in failing)
    shown = ((name, value(name, of.n, sums(first))) for name in formula.names)
    detail = ", ".join(f"{name} = {'nan' if x is None else x}" for name, x in shown)
    right |= {"classes": entries[:-1], "class": of.spec, "members": entry["members"]}
    right |= {"witness": {"matrix": first}, "detail": detail or "the condition is False here"}
    return f"{text} is false, first at {first} of the {classes} listed: {detail}", right


def check_extreme(content):
    """The largest or smallest value of a statistic over a class, and all matrices that attain it up to symmetry."""
    of, name, largest, given = (content[x] for x in ("class", "statistic", "largest", "given"))
    of, condition = Class(of), None if given is None else Formula(given)
    if "potentials" in content["proof"] and given is None:
        table = tuple(map(tuple, content["matrices"][0]))
        best, attaining, proof = by_bounds(of, name, largest, table, content["proof"]["potentials"])
    else:
        best, attaining, proof = by_walk(of, name, largest, condition, int(content["proof"]["members"]))
    turned = not CHANGED_BY_TRANSPOSITION & {name, *(condition.names if condition else ())}
    shown = sorted({max(of.images(x, turned)) for x in attaining}, reverse=True)
    right = {"class": of.spec, "statistic": name, "largest": bool(largest), "given": given, "proof": proof}
    right |= {"value": None if best is None else str(best), "matrices": shown}
    what = f"{'largest' if largest else 'smallest'} {name} over {of}{f' given {given}' if given else ''}"
    return f"the {what} is {best}, at {counted(len(shown), 'matrix', 'matrices')} up to symmetry", right


def by_walk(of, name, largest, condition, members):
    """The extreme value over all members, None if there is none; the tables that attain it; and the proof."""
    law = [x for x in of.survey(members) if condition is None or condition.holds(of, x)[0]]
    values = {found: x for found in law if (x := value(name, of.n, found)) is not None}
    best = (max if largest else min)(values.values(), default=None)
    return best, of.at({found for found, x in values.items() if x == best}), {"members": members}


def by_bounds(of, name, largest, table, potentials):
    """The value F/D of ``table``; all tables with it, up to exchange of lines; and the proof that none has more.

    F = A + B - 2P, and D = 1 (RD) or A(M - B) + B(M - A) (ARD over M).  At margins a, b they are largest where the
    sum of squares of the cells is least.  For any u, v that is >= sum v b - sum u a + sum of min_x x^2 - (v_j - u_i) x.
    At rs (v_j - u_i) = 2 X_ij, X_ij = r a_i + s b_j - n, this is (sum X^2 + sum min(X, 0)^2)/(rs)^2; where that does
    not do, integers u, v are read from the certificate; those that were used are the proof.
    """
    if {"rd": True, "mirkin": True, "ard": True, "ri": False, "ari": False}.get(name) is not largest:
        raise Wrong("potentials show the largest RD or ARD, or what is the same")
    n, r, s = of.n, of.r, of.s

    def divisor(A, B):
        return max(1, chance(n, A, B)) if name in ("ard", "ari") else 1

    _, A, B, P = found = sums(table)
    f, d = A + B - 2 * P, divisor(A, B)
    rows, cols = ([tuple(sorted(x, reverse=True)) for x, _ in side] for side in of.margins())
    half = of.rows is None and of.cols is None and r == s
    squares, cells = [sum(x * x for x in b) for b in cols], r * s
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
            scaled = cells * (r * a2 + s * b2 - n * n)
            if scaled > most * cells * cells:
                continue
            if scaled + sum(min(0, r * x + s * y - n) ** 2 for x in a for y in b) > most * cells * cells:
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
    lines = ["law 2", json.dumps(of.spec, sort_keys=True), weight, ",".join(names), *conditions]
    for key in sorted(law, key=lambda key: [(x is None, x or 0) for x in key]):
        lines.append(f"{','.join('nan' if x is None else str(x) for x in key)},{law[key]}")
    digest = sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    right = {"class": of.spec, "members": members, "weight": weight, "law": digest}
    right |= {"statistics": names, "conditions": conditions}
    return f"the law of {', '.join(names)} over {of} has this digest, {len(law)} values", right


CHECKS = {"certificate": check_claim, "counterexample": check_claim}
CHECKS |= {"extreme": check_extreme, "law": check_law}


def check(text):
    """What a certificate shows, in words; Wrong or Unreadable where it does not."""
    content = read(text)
    if content.get("kind") not in [*CHECKS]:
        raise Unreadable(f"its kind is {content.get('kind')!r:.80}, not one of {', '.join(CHECKS)}")
    head = {key: content[key] for key in ("format", "version", "kind", "digest")}
    try:
        said, right = CHECKS[content["kind"]](content)
    except STRANGE as error:
        raise Unreadable(f"a field is missing or of another form: {error!r:.80}") from None
    held, right = ({k: canonical(x) for k, x in tree.items()} for tree in (content, head | right))
    for key in sorted({*held, *right}):
        if held.get(key) != right.get(key):
            raise Wrong(f"{key} should be {right.get(key)!s:.200}, it says {held.get(key)!s:.200}")
    return said


def main(arguments):
    """Check a file, say what was found, and return the exit code."""
    try:
        (name,) = arguments
        with open(name, encoding="utf-8") as file:
            print(f"right: {check(file.read())}")
        return 0
    except Wrong as error:
        print(f"wrong: {error}")
        return 1
    except Unreadable as error:
        print(f"unreadable: {error}", file=sys.stderr)
    except (OSError, ValueError) as error:
        print(f"usage: python3 -I verify.py FILE ({error})", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
