"""Check of a confmat certificate without confmat: one file of plain Python with a separate enumerator.

    python3 -I verify.py FILE        exit code 0: right; 1: wrong; 2: unreadable, or beyond this script

``confmat verify --script`` prints this file. A certificate is JSON with a digest, the SHA-256 of its canonical text.
It is right if it equals the certificate that this file computes for the same claim. The kinds are:

- "certificate": a formula is true for all tables of some classes.
- "counterexample": the first table for which a formula is false.
- "extreme": the largest or smallest value over a class, and all tables that attain it, up to symmetry.
- "distribution": the digest of an exact distribution.

The statistics are the keys of FORMULAS. A class has all r x s tables with total n <= 10^6 and r, s <= 6, with free or
fixed margins (KINDS_OF_CLASSES). The check lists the tables of a class whose free row sums and column sums do not
increase, at most about MOST_TABLES_LISTED. Each represents all tables with other orders of these sums.

For the largest RD or ARD of a larger class, a certificate can have potentials. These are integers that bound the sum of
squares of the cells of all tables with given margins. The check then lists margins instead of tables. This takes
seconds for (n, r, s) = (60, 4, 4) and (120, 3, 3), and a minute for (200, 3, 3).

The example lists the 2 x 2 tables with total 2 whose row sums and column sums do not increase. It prints the number of
tables that each represents, its (m, A, B, P), and its Rand distance. m = n MED is the number of objects outside the
best matching. A, B and P are the numbers of pairs of objects together in a row, in a column and in a cell.

>>> matrices = Class({"kind": "tables", "n": 2, "r": 2, "s": 2, "empty": True})
>>> for table, weight in matrices.tables():
...     print(weight, table, signature_of(table), value("rd", 2, signature_of(table)))
4 ((2, 0), (0, 0)) (0, 1, 1, 1) 0
2 ((1, 0), (1, 0)) (1, 0, 1, 0) 1
2 ((1, 1), (0, 0)) (1, 1, 0, 0) 1
1 ((0, 1), (1, 0)) (0, 0, 0, 0) 0
1 ((1, 0), (0, 1)) (0, 0, 0, 0) 0

Since MED = m/2, 4 of the 10 tables do not satisfy "rd <= med", and a certificate for all 10 is wrong:

>>> formula = IndexFormula("rd <= med")
>>> [formula.holds(matrices, signature_of(table)) for table, _ in matrices.tables()]
[True, False, False, True, True]
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
from math import comb, factorial, isqrt, prod

# --- integers and tables --------------------------------------------------------------------------


def partitions(n, parts, least, most=None):
    """Yield the decreasing tuples of ``parts`` integers >= ``least`` with sum n, the lexicographically largest first.

    The integers are at most ``most``, if that is given.

    >>> [*partitions(5, 3, 1)]
    [(3, 1, 1), (2, 2, 1)]
    """
    if parts == 1 or n == least * parts:
        if least * parts <= n:
            yield (n // parts,) * parts
        return
    largest_part = n - least * (parts - 1)
    if most is not None:
        largest_part = min(largest_part, most)
    mean_rounded_up = -(-n // parts)
    for first_part in range(largest_part, mean_rounded_up - 1, -1):
        for other_parts in partitions(n - first_part, parts - 1, least, first_part):
            yield (first_part, *other_parts)


def matched(table):
    """Return the largest sum of cells of a matching of rows to columns: n (1 - MED).

    >>> matched([[2, 1, 0], [3, 0, 1]])
    4
    """
    lines, other_lines = sorted((table, [*zip(*table)]), key=len)
    points = []
    for matching in permutations(range(len(other_lines)), len(lines)):
        points.append(sum(map(operator.getitem, lines, matching)))
    return max(points)


# --- reading, and the verdict ---------------------------------------------------------------------


class Wrong(Exception):
    """Error for a certificate whose claim is false."""


class Unreadable(Exception):
    """Error for a string that is not a certificate, or a certificate that this file does not support."""


# Version of the format and of the meaning of certificates. Version 3 marks unbound functions. Version 4 has other
# bounds of extremes.
VERSION = 4

# Errors that reading invalid fields can raise.
STRANGE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def canonical(tree):
    """Return the canonical JSON of a value. 1, true and "1" differ, lists and tuples do not."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"))


def seal(content):
    """Return the SHA-256 digest of the canonical JSON of all fields except the digest."""
    sealed_fields = {key: field for key, field in content.items() if key != "digest"}
    return sha256(canonical(sealed_fields).encode()).hexdigest()


def read(text):
    """Return the content of a certificate. Raise Unreadable for another text, Wrong if the digest does not match."""

    def refused(words):
        raise Unreadable(f"it has {words}")

    def once(pairs):
        fields = dict(pairs)
        if len(fields) < len(pairs):
            refused("a key twice")
        return fields

    try:
        content = json.loads(text, object_pairs_hook=once, parse_float=refused, parse_constant=refused)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is not JSON: {error}") from None
    if not isinstance(content, dict) or content.get("format") != "confmat certificate":
        raise Unreadable('it does not have the format "confmat certificate"')
    if content.get("version") in (1, 2, 3):
        raise Unreadable(
            f"it is older than its checker: its version is {content['version']}, but the checker reads only "
            f"{VERSION}"
        )
    if content.get("version") != VERSION:
        raise Unreadable(
            f"its version is {content.get('version')!r:.80}, but this checker reads only {VERSION}"
        )
    if content.get("digest") != seal(content):
        raise Wrong(f"its digest should be {seal(content)}, got {content.get('digest')!r:.80}")
    return content


def check(text, checks):
    """Return the claim of a certificate in words. Raise Wrong if it is false, Unreadable if it is not supported.

    ``checks`` maps each kind of certificate to a function of its fields. This function returns the claim in words,
    and the fields that a correct certificate has.
    """
    content = read(text)
    if content.get("kind") not in [*checks]:
        raise Unreadable(
            f"certificates of the kind {content.get('kind')!r:.80} need another checker, which "
            "`confmat verify FILE --script` prints"
        )
    try:
        words, fields = checks[content["kind"]](content)
    except STRANGE as error:
        raise Unreadable(f"a field is missing or invalid: {error!r:.80}") from None
    for key in ("format", "kind", "digest"):
        fields[key] = content[key]
    fields["version"] = VERSION
    texts = {key: canonical(field) for key, field in content.items()}
    right_texts = {key: canonical(field) for key, field in fields.items()}
    for key in sorted({*texts, *right_texts}):
        if texts.get(key) != right_texts.get(key):
            raise Wrong(
                f"the field {key!r} should be {right_texts.get(key)!s:.200}, got {texts.get(key)!s:.200}"
            )
    return words


# --- classes of tables ----------------------------------------------------------------------------

LARGEST_TOTAL_CHECKED = 10**6
MOST_LINES_OF_SIDE = 6  # rows or columns, which have 720 orders
MOST_TABLES_LISTED = 4 * 10**6  # that are listed: a few minutes

# kind: the fields of its specification, in addition to "kind" and "n"
KINDS_OF_CLASSES = {
    "tables": ("r", "s", "empty"),
    "fixed_margins": ("rows", "cols"),
    "fixed_rows": ("rows", "s"),  # and "empty" where it is false
    "fixed_columns": ("r", "cols"),
}


class Class:
    """All r x s tables with total n, with fixed row sums ``rows`` or column sums ``cols`` unless these are None.

    If ``empty`` is False, rows and columns with free sums have at least one object.
    """

    def __init__(self, spec):
        try:
            self._read(spec)
            is_known = canonical(self.spec) == canonical(spec) and self._is_possible()
        except STRANGE:
            is_known = False
        if not is_known:
            raise Unreadable(
                f"{spec!r:.80} is not a valid class, or has more than 10^6 objects, 6 rows or 6 columns"
            )
        same_sums = sorted(self.rows or ()) == sorted(self.cols or ())
        self.square = self.r == self.s and same_sums

    def _read(self, spec):
        """Set the attributes from ``spec``, the JSON of a class, and ``self.spec`` to its normal form."""
        fields = KINDS_OF_CLASSES[spec["kind"]]
        self.n = int(spec["n"])
        self.empty = bool(spec.get("empty", True))
        if "rows" in fields:
            self.rows = tuple(map(int, spec["rows"]))
        else:
            self.rows = None
        if "cols" in fields:
            self.cols = tuple(map(int, spec["cols"]))
        else:
            self.cols = None
        if self.rows:
            self.r = len(self.rows)
        else:
            self.r = int(spec["r"])
        if self.cols:
            self.s = len(self.cols)
        else:
            self.s = int(spec["s"])
        self.spec = {"kind": spec["kind"], "n": self.n}
        for field in fields:
            self.spec[field] = getattr(self, field)
        if not self.empty and not (self.rows and self.cols):
            self.spec["empty"] = False

    def _is_possible(self):
        """Return whether fixed sums are at least 0 and add up to n, and n and the shape are not too large."""
        for fixed_sums in (self.rows, self.cols):
            if fixed_sums and (min(fixed_sums) < 0 or sum(fixed_sums) != self.n):
                return False
        sides_fit = 1 <= self.r <= MOST_LINES_OF_SIDE and 1 <= self.s <= MOST_LINES_OF_SIDE
        return sides_fit and 0 <= self.n <= LARGEST_TOTAL_CHECKED

    def __str__(self):
        return json.dumps(self.spec)

    def margins(self):
        """Return the possible row sums and the possible column sums, two lists of pairs (sums, number of orders).

        Free sums are listed in decreasing order only.
        """
        return self._sums_of_side(self.rows, self.r), self._sums_of_side(self.cols, self.s)

    def _sums_of_side(self, fixed_sums, lines):
        """Return a list of pairs for one margin: possible sums of its rows or columns, and their number of orders.

        ``lines`` is the number of rows or columns. ``fixed_sums`` are their sums if these are fixed, otherwise
        None.
        """
        if fixed_sums:
            return [(fixed_sums, 1)]
        smallest = 0 if self.empty else 1
        return [(sizes, number_of_orders(sizes)) for sizes in partitions(self.n, lines, smallest)]

    def tables(self):
        """Yield the tables whose free row sums and free column sums do not increase.

        Each comes with the number of tables of the class that it represents.
        """
        row_sums, column_sums = self.margins()
        for cols, orders_of_columns in column_sums:
            for rows, orders_of_rows in row_sums:
                for table in fillings(rows, cols):
                    yield table, orders_of_rows * orders_of_columns

    def survey(self, members, labelings=False):
        """Return the number of tables of the class for each (m, A, B, P), the result of `signature_of`.

        If ``labelings`` is True, pairs of labelings are counted instead of tables. ``members`` is the claimed
        number of tables. Raise Wrong if it is not the number of tables.
        """
        row_orders = 1 if self.rows else factorial(self.r)
        column_orders = 1 if self.cols else factorial(self.s)
        if members // (row_orders * column_orders) > MOST_TABLES_LISTED:
            raise Unreadable(
                f"the class has {members} members, more than this script can list. Use confmat verify"
            )
        weights = Counter()
        members_seen = 0
        for table, weight in self.tables():
            members_seen += weight
            if members_seen > members:
                raise Wrong(f"{self} has {members_seen} members or more, but the certificate says {members}")
            weights[signature_of(table)] += weight * (number_of_labelings(table) if labelings else 1)
        if members_seen != members:
            raise Wrong(f"{self} has {members_seen} members, but the certificate says {members}")
        return weights

    def at(self, signatures):
        """Return the results of `tables` whose (m, A, B, P), computed by `signature_of`, is among ``signatures``."""
        if not signatures:
            return []
        return [table for table, _ in self.tables() if signature_of(table) in signatures]

    def images(self, table, transposed):
        """Yield the tables of the class that result from permutations of rows and of columns of a table.

        Transposition is included if ``transposed`` is True and the class allows it.
        """
        tables = [table]
        if transposed and self.square:
            tables.append(tuple(zip(*table)))
        for start in tables:
            for columns in set(permutations(zip(*start))):
                for image in set(permutations(zip(*columns))):
                    if self._has_margins_of(image):
                        yield image

    def _has_margins_of(self, table):
        """Return whether a table has the fixed row sums and column sums of the class."""
        row_sums = tuple(map(sum, table))
        column_sums = tuple(map(sum, zip(*table)))
        return self.rows in (None, row_sums) and self.cols in (None, column_sums)

    def orbits(self):
        """Return the number of orbits of the tables, or None if row sums or column sums are fixed.

        Orbits are those of permutations of rows and of columns and, if r = s, of transposition.
        """
        if self.rows or self.cols:
            return None
        shorter, longer = sorted((self.r, self.s))
        return orbits_of_tables(self.n, shorter, longer, shorter == longer, self.empty)


def number_of_orders(numbers):
    """Return the number of different orders of a sequence.

    >>> number_of_orders((2, 1, 1))
    3
    """
    return factorial(len(numbers)) // prod(map(factorial, Counter(numbers).values()))


def number_of_labelings(table):
    """Return the number of pairs of labelings of n objects with this table: n! / (product of x! over cells x).

    >>> number_of_labelings(((1, 1), (0, 1)))
    6
    """
    cells = [x for row in table for x in row]
    return factorial(sum(cells)) // prod(map(factorial, cells))


def fillings(rows, cols, slopes=None):
    """Yield the tables with given row sums and column sums, in lexicographic order.

    ``slopes`` is a table with a number for each cell. If it is given, yield only the tables in which each cell x
    has the least possible value of x^2 - slope x.

    >>> list(fillings((2, 1), (2, 1)))
    [((1, 1), (1, 0)), ((2, 0), (0, 1))]
    """
    choices = []
    for j, column_sum in enumerate(cols):
        if slopes is None:
            choices.append(range(min(rows[0], column_sum) + 1))
        else:
            slope = slopes[0][j]  # the square is least at slope/2, rounded down or up
            least_cell = max(0, slope // 2)
            most_in_cell = max(0, (slope + 1) // 2)
            choices.append(range(least_cell, min(column_sum, most_in_cell) + 1))
    if len(rows) == 1:  # the last row takes what the columns have left
        if all(map(operator.contains, choices, cols)):
            yield (cols,)
        return
    for cells in product(*choices[:-1]):
        last_cell = rows[0] - sum(cells)
        if last_cell not in choices[-1]:
            continue
        row = (*cells, last_cell)
        columns_below = tuple(map(operator.sub, cols, row))
        for rows_below in fillings(rows[1:], columns_below, slopes and slopes[1:]):
            yield (row, *rows_below)


# --- how many tables there are up to symmetry -----------------------------------------------------


def orbits_of_tables(n, r, s, may_transpose, empty):
    """Return the number of r x s tables with total n up to the order of rows and of columns. Requires r <= s.

    If ``may_transpose`` is True, a table and its transpose count once. ``empty`` says whether rows and columns may
    be empty. By Burnside's lemma this is the mean number of tables that a permutation of the cells leaves
    unchanged.

    >>> orbits_of_tables(2, 2, 2, False, True)  # 2 0 / 0 0, 1 1 / 0 0, 1 0 / 1 0, 1 0 / 0 1
    4
    """
    if not empty:
        # Tables without empty rows and columns: all tables minus those that fit in fewer rows or columns.
        fewer_columns = orbits_of_tables(
            n,
            r - may_transpose,
            s - 1,
            may_transpose,
            True,
        )
        fewer_rows = orbits_of_tables(n, r - 1, s, False, True)
        fewer_of_both = orbits_of_tables(
            n,
            r - 1,
            s - 1,
            False,
            True,
        )
        return orbits_of_tables(n, r, s, may_transpose, True) - fewer_columns - fewer_rows + fewer_of_both
    cells = [*product(range(r), range(s))]
    motions = Counter()
    for rows, cols in product(permutations(range(r)), permutations(range(s))):
        moved_cells = [(rows[i], cols[j]) for i, j in cells]
        motions[lengths_of_cycles(cells, moved_cells)] += 1
        if may_transpose:
            transposed_cells = [(j, i) for i, j in moved_cells]
            motions[lengths_of_cycles(cells, transposed_cells)] += 1
    number_unmoved = 0
    for lengths, times in motions.items():
        number_unmoved += times * number_of_sums(n, lengths)
    return number_unmoved // motions.total()


def lengths_of_cycles(places, images):
    """Return the lengths of the cycles of the permutation ``places[k]`` -> ``images[k]``, in increasing order.

    >>> lengths_of_cycles("abc", "bac")
    (1, 2)
    """
    image_of = dict(zip(places, images))
    lengths = []
    while image_of:
        place = next(iter(image_of))
        length = 0
        while place in image_of:
            place = image_of.pop(place)
            length += 1
        lengths.append(length)
    return tuple(sorted(lengths))


def number_of_sums(n, lengths):
    """Return the number of ways to write n as a sum of multiples of ``lengths``.

    This is the number of tables with total n that do not change under a permutation of the cells with cycles of
    these lengths.

    >>> number_of_sums(4, (1, 2))  # 4 + 0, 2 + 2, 0 + 4
    3
    """
    ways = [1] + [0] * n
    for length in lengths:
        for total in range(length, n + 1):
            ways[total] += ways[total - length]
    return ways[n]


# --- statistics -----------------------------------------------------------------------------------


def signature_of(table):
    """Return (m, A, B, P) of a table.

    m = n MED is the number of objects outside the best matching. A, B and P are the numbers of pairs of objects
    together in a row, in a column and in a cell.

    >>> signature_of(((2, 1), (0, 1)))
    (1, 3, 2, 1)
    """
    row_sums = [sum(row) for row in table]
    column_sums = map(sum, zip(*table))
    cells = (x for row in table for x in row)
    return sum(row_sums) - matched(table), pairs(row_sums), pairs(column_sums), pairs(cells)


def pairs(sizes):
    """Return the number of pairs of objects within groups of these ``sizes``."""
    return sum(comb(size, 2) for size in sizes)


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


def value(name, n, signature):
    """Return the value of a statistic as a Fraction, or None if it is undefined.

    ``signature`` is (m, A, B, P): n MED, and the numbers of pairs of objects in common rows, columns and cells.

    >>> value("rd", 4, (1, 3, 2, 1))
    Fraction(1, 2)
    """
    if name not in FORMULAS:
        raise Unreadable(f"the statistic {name!r:.80} is not supported by this script")
    numerator, denominator, undefined = FORMULAS[name](n, comb(n, 2), *signature)
    return Fraction(numerator, denominator) if denominator else undefined


def as_text(number, undefined):
    """Return the value of a statistic as text, or the text ``undefined`` if it is None."""
    return undefined if number is None else str(number)


# --- formulas -------------------------------------------------------------------------------------

COMPARISONS_OF_NUMBERS: dict = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
OPERATIONS: dict = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.USub: operator.neg,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class IndexFormula:
    """Condition such as "med <= 1/10 -> ari >= 0". An undefined number satisfies no comparison.

    Python's parser parses the text, but nothing is executed. The implication x -> y is passed to the parser as "x
    if 0 else y", which has the same low precedence.
    """

    def __init__(self, text):
        try:
            self.tree = tree_of(text)
        except (SyntaxError, ValueError, RecursionError):
            raise Unreadable(f"{text!r:.80} is not a formula that this script supports") from None
        self.premises = []  # of "p -> q -> r" p and q
        conclusion = self.tree
        while isinstance(conclusion, ast.IfExp):
            self.premises.append(conclusion.body)
            conclusion = conclusion.orelse
        words = re.findall(r"\w+", text)
        self.names = [name for name in dict.fromkeys(words) if name in FORMULAS]
        self.may_transpose = CHANGED_BY_TRANSPOSITION.isdisjoint(self.names)

    def values(self, matrices, signature):
        """Return the values of all names in the formula at a table.

        ``signature`` is the `signature_of` the table. ``matrices`` is its class, from which n, r and s follow.
        """
        values = {name: value(name, matrices.n, signature) for name in self.names}
        sizes = {"n": matrices.n, "r": matrices.r, "s": matrices.s}
        return values | {name: Fraction(size) for name, size in sizes.items()}

    def holds(self, matrices, signature):
        """Return whether the formula is true at a table. Arguments are as in `values`."""
        return evaluate_formula(self.tree, self.values(matrices, signature))

    def applies(self, matrices, signature):
        """Return whether all premises of the formula are true at a table. Arguments are as in `values`."""
        values = self.values(matrices, signature)
        return all(evaluate_formula(premise, values) for premise in self.premises)


def tree_of(text):
    """Return the syntax tree of a formula. Raise ValueError, SyntaxError or RecursionError for another text.

    >>> ast.unparse(tree_of("med = 0 -> rd < 1/2"))
    'med == 0 if 0 else rd < 1 / 2'
    """
    if "if" in text or not re.fullmatch(r"[\w ()<>=!+*/-]+", text, re.ASCII):
        raise ValueError
    double_signs = re.sub("(?<![<>!])=", "==", text)
    tree = ast.parse(double_signs.replace("->", " if 0 else "), mode="eval").body
    all_undefined = dict.fromkeys(("n", "r", "s", *FORMULAS))
    if type(evaluate_formula(tree, all_undefined)) is not bool:
        raise ValueError
    return tree


def evaluate_formula(tree, values):
    """Return the value of a node of a formula: True, False, a number, or None for an undefined number.

    ``values`` maps names to numbers or None. A comparison with None is False.

    >>> evaluate_formula(tree_of("rd < 1/2 -> med = 0"), {"rd": Fraction(1, 3), "med": None})
    False
    """
    parts = [
        evaluate_formula(part, values) for part in ast.iter_child_nodes(tree) if isinstance(part, ast.expr)
    ]
    types = {*map(type, parts)}
    match tree:
        case ast.Constant(value=number) if type(number) is int:
            return Fraction(number)
        case ast.Name(id=name) if name in values:
            return values[name]
        case ast.BoolOp(op=ast.And()) if types == {bool}:
            return all(parts)
        case ast.BoolOp(op=ast.Or()) if types == {bool}:
            return any(parts)
        case ast.UnaryOp(op=ast.Not()) if types == {bool}:
            return not parts[0]
        case ast.IfExp() if {*map(type, parts[1:])} == {bool}:
            _, premise, conclusion = parts
            return conclusion or not premise
        case ast.UnaryOp(op=sign) | ast.BinOp(op=sign) if bool not in types and type(sign) in OPERATIONS:
            if None in parts or (isinstance(sign, ast.Div) and parts[1] == 0):
                return None
            return OPERATIONS[type(sign)](*parts)
        case ast.Compare(ops=signs) if bool not in types and COMPARISONS_OF_NUMBERS.keys() >= {
            *map(type, signs)
        }:
            sides = zip(signs, pairwise(parts))
            return all(None not in pair and COMPARISONS_OF_NUMBERS[type(sign)](*pair) for sign, pair in sides)
    raise Unreadable(f"{ast.unparse(tree)!r:.80} in a formula is not supported by this script")


# --- claims of certificates: each check returns the claim in words, and the right fields -----------

FINE = 10**7  # Outcomes of larger classes are sealed by sums.


def outcomes(matrices, members, formula):
    """Return the entry of a class in a certificate, and the tables for which the formula is false.

    ``members`` is the claimed number of tables of the class. The entry has a digest of the numbers of tables for
    each (m, {A, B}, P, truth value of the formula). For a large class it is a digest of five numbers for each pair
    (m, truth value), modulo 2^64. These are the number of tables, and the sums of A + B, AB, P and P^2 over the
    tables. The field "cases" is the number of tables that satisfy the premises.
    """
    sums_of_outcome = {}
    failing_signatures = set()
    cases = 0
    for signature, weight in matrices.survey(members).items():
        m, A, B, P = signature
        holds = formula.holds(matrices, signature)
        if not holds:
            failing_signatures.add(signature)
        if formula.premises and formula.applies(matrices, signature):
            cases += weight
        if members > FINE:
            outcome = (m, int(holds))
            summands = (1, A + B, A * B, P, P * P)
        else:
            outcome = (
                m,
                min(A, B),
                max(A, B),
                P,
                int(holds),
            )
            summands = (1,)
        sums_before = sums_of_outcome.get(outcome, (0,) * len(summands))
        sums_with = []
        for sum_before, summand in zip(sums_before, summands):
            sums_with.append((sum_before + weight * summand) % 2**64)
        sums_of_outcome[outcome] = sums_with
    lines = []
    for outcome, sums in sorted(sums_of_outcome.items()):
        lines.append(" ".join(map(str, (*outcome, *sums))))
    entry = {"class": matrices.spec, "members": members, "orbits": matrices.orbits()}
    if formula.premises and sums_of_outcome:
        entry["cases"] = cases
    entry["digest"] = digest_of(lines)
    return entry, matrices.at(failing_signatures)


def digest_of(lines):
    """Return the SHA-256 digest of text lines."""
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def claimed(content):
    """Return the formula of a claim, and a list of its classes, each with its entry in the certificate.

    Raise Unreadable if the test of the claim is not a formula of a table.
    """
    if other_fields := ", ".join(sorted({*content["test"]} - {"formula"})):
        raise Unreadable(
            "this script checks formulas of one table only, and the test of this certificate has the fields "
            f"{other_fields}. "
            "Use confmat verify"
        )
    if content["kind"] == "counterexample":
        own_class = [content]
    else:
        own_class = []
    formula = IndexFormula(content["test"]["formula"])
    parts = []
    for part in content["classes"] + own_class:
        parts.append((Class(part["class"]), part))
    return formula, parts


def check_claim(content):
    """Check a certificate that a formula is true for all tables of some classes, or of its first counterexample.

    ``content`` has the fields of the certificate. Return the claim in words, and the fields of a correct
    certificate.
    """
    formula, parts = claimed(content)
    text = content["test"]["formula"]
    entries = []
    sizes = []
    for matrices, part in parts:
        entry, failing = outcomes(matrices, int(part["members"]), formula)
        if failing and part is not content:
            raise Wrong(
                f"the certificate says that {text} is true, but it is false for {failing[0]} of {matrices}"
            )
        entries.append(entry)
        sizes.append((matrices.n, matrices.r, matrices.s))
    distinct_classes = {str(entry["class"]) for entry in entries}
    if not sizes or sizes != sorted(sizes) or len(distinct_classes) != len(sizes):
        raise Wrong("the classes of the certificate are missing, repeated or not in increasing size")
    right = {"conjecture": text, "statement": text, "test": {"formula": text}}
    if content["kind"] == "certificate":
        right["classes"] = entries
        return said_of_all(text, formula, entries), right
    if not failing:
        raise Wrong(
            f"the certificate says that {text} is false for a member of {matrices}, but it is true for all"
        )
    images = [image for table in failing for image in matrices.images(table, formula.may_transpose)]
    first = min(images)
    detail = values_of_cells(first, matrices, formula)
    right["classes"] = entries[:-1]
    right["class"] = matrices.spec
    right["members"] = entry["members"]
    right["witness"] = {"matrix": first}
    right["detail"] = detail or "the condition is False here"
    return f"{text} is false, first at {first} of all classes listed: {detail}", right


def said_of_all(text, formula, entries):
    """Return the text of the claim that a formula is true for all tables of some classes."""
    members = sum(entry["members"] for entry in entries)
    if not formula.premises:
        return f"{text} for all {members} members"
    cases = sum(entry.get("cases", 0) for entry in entries)
    return f"{text} for all {members} members, of whom {cases} satisfy the premises"


def values_of_cells(table, matrices, formula):
    """Return the values of the statistics in a formula at a table, in words."""
    signature = signature_of(table)
    words = []
    for name in formula.names:
        number = value(name, matrices.n, signature)
        words.append(f"{name} = {as_text(number, 'nan')}")
    return ", ".join(words)


def check_extreme(content):
    """Check a certificate of the largest or smallest value of a statistic over a class.

    ``content`` has the fields of the certificate, among them all tables that attain the value. Return the claim in
    words, and the fields of a correct certificate.
    """
    spec, name, largest, given = (content[key] for key in ("class", "statistic", "largest", "given"))
    matrices = Class(spec)
    if given is None:
        condition = None
    else:
        condition = IndexFormula(given)
    proof = content["proof"]
    if "potentials" in proof and condition is None:
        table = tuple(map(tuple, content["matrices"][0]))
        best, attaining, proof = by_bounds(matrices, name, largest, table, proof["potentials"])
    else:
        best, attaining, proof = by_listing(matrices, name, largest, condition, int(proof["members"]))
    names = {name, *(condition.names if condition else ())}
    may_transpose = CHANGED_BY_TRANSPOSITION.isdisjoint(names)
    # The lexicographically largest image of each table is listed.
    shown = {max(matrices.images(table, may_transpose)) for table in attaining}
    right = {
        "class": matrices.spec,
        "statistic": name,
        "largest": bool(largest),
        "given": given,
        "proof": proof,
        "value": None if best is None else str(best),
        "matrices": sorted(shown, reverse=True),
    }
    side = "largest" if largest else "smallest"
    restriction = f" given {given}" if given else ""
    said = f"the {side} {name} over {matrices}{restriction} is {best}"
    return f"{said}; matrices with it, up to symmetry: {len(shown)}", right


def by_listing(matrices, name, largest, condition, members):
    """Return the extreme value of a statistic over a class, the tables that attain it, and the proof.

    The value is the largest one if ``largest``, otherwise the smallest. Only tables that satisfy ``condition`` are
    compared. The proof is {"members": number of tables}.
    """
    weights = matrices.survey(members)
    values = {}
    for signature in weights:
        if condition is None or condition.holds(matrices, signature):
            values[signature] = value(name, matrices.n, signature)
    numbers = [number for number in values.values() if number is not None]
    best = (max if largest else min)(numbers, default=None)
    best_signatures = set()
    if best is not None:
        best_signatures = {signature for signature, number in values.items() if number == best}
    return best, matrices.at(best_signatures), {"members": weights.total()}


# --- the largest RD and ARD by bounds -------------------------------------------------------------

# Whether potentials can prove the largest (True) or the smallest value of a statistic.
SHOWN_BY_POTENTIALS = {"rd": True, "mirkin": True, "ard": True, "ri": False, "ari": False}


def by_bounds(matrices, name, largest, table, potentials):
    """Return the value of ``table``, all tables with this value up to the order of rows and columns, and the proof.

    Let F = A + B - 2P. F/D is the RD for D = M, and the ARD over M for D = A(M - B) + B(M - A). The proof shows
    that no table has a larger F/D. For given margins F/D is largest if the sum of squares of the cells, 2P + n, is
    least.

    Margins for which `excluder` shows that F/D is smaller need no proof. For each other pair of margins,
    ``potentials`` has a list of integers u_1, ..., u_r, v_1, ..., v_s. They give a lower bound of the sum of
    squares (`least_square_sum`). The proof has the number of pairs of margins, and these lists.
    """
    if SHOWN_BY_POTENTIALS.get(name) is not largest:
        raise Wrong("the field 'potentials' can prove only the largest RD or ARD, or an equivalent value")
    n = matrices.n
    r = matrices.r
    s = matrices.s

    def divisor(A, B):
        _, denominator, _ = FORMULAS[name](n, comb(n, 2), 0, A, B, 0)
        return max(1, denominator)

    signature = signature_of(table)
    _, A, B, P = signature
    best_f = A + B - 2 * P
    best_d = divisor(A, B)
    margins_exclude = excluder(n, r, s)
    unused_potentials = iter(potentials)
    used_potentials = []
    attaining = []
    margin_classes = 0
    for rows, row_squares, cols, column_squares in pairs_of_margins(matrices):
        margin_classes += 1
        A = (row_squares - n) // 2
        B = (column_squares - n) // 2
        # F/D is not below the best where the sum of squares is at most this.
        least_f = ceil_division(best_f * divisor(A, B), best_d)
        most_squares = A + B + n - least_f
        if margins_exclude(row_squares, column_squares, most_squares):
            continue
        potentials_here = [*map(int, next(unused_potentials, ()))]
        if len(potentials_here) != r + s:
            raise Wrong(
                f"the field 'potentials' has no entry for the row sums {rows} and the column sums {cols}"
            )
        used_potentials.append(potentials_here)
        slopes, squares = least_square_sum(
            potentials_here[:r],
            potentials_here[r:],
            rows,
            cols,
        )
        largest_f = A + B + n - squares
        excess = largest_f * best_d - best_f * divisor(A, B)
        if excess > 0:
            raise Wrong(
                f"the field 'potentials' does not prove that no table with the row sums {rows} and the column "
                f"sums {cols} has a larger value"
            )
        if excess == 0:
            attaining += fillings(rows, cols, slopes)
    proof = {"margin_classes": margin_classes, "potentials": used_potentials}
    return value(name, n, signature), attaining, proof


def pairs_of_margins(matrices):
    """Yield tuples (row sums, their sum of squares, column sums, their sum of squares) of the class.

    If transposition exchanges two pairs of margins, only one is yielded.
    """
    row_sums, column_sums = (with_squares(side) for side in matrices.margins())
    are_free = matrices.rows is None and matrices.cols is None
    is_symmetric = are_free and matrices.r == matrices.s
    for i, (rows, row_squares) in enumerate(row_sums):
        for cols, column_squares in column_sums[i if is_symmetric else 0 :]:
            yield rows, row_squares, cols, column_squares


def with_squares(side):
    """Return a list of pairs for one margin: possible sums of its rows or columns, and the sum of their squares.

    Fixed sums are put in decreasing order, as free sums are.
    """
    sums_with_squares = []
    for sizes, _ in side:
        decreasing = tuple(sorted(sizes, reverse=True))
        sums_with_squares.append((decreasing, sum(size * size for size in sizes)))
    return sums_with_squares


def excluder(n, r, s):
    """Return a function that tells whether a bound excludes all tables with some margins.

    Its arguments are the sums of squares of the row sums and of the column sums, and a number. It returns True only
    if all r x s tables with these margins have a larger sum of squares of the cells.

    The bound (proofs/least_pairs.py) is n^2/(rs) (1 + (r - 1) X^2 + (s - 1) Y^2 + (r - 1)(s - 1) Z^2). Let a be the
    row sums and b the column sums. X is sqrt((r sum a^2/n^2 - 1)/(r - 1)), Y is the same for b and s, and Z =
    max(0, X + Y - 1).

    >>> margins_exclude = excluder(4, 2, 2)
    >>> margins_exclude(16, 8, 7), margins_exclude(16, 8, 8)  # rows (4, 0), columns (2, 2): cells 2, 2, 0, 0
    (True, False)
    """
    precision = 1  # a square, by which roots are computed more precisely
    while precision * max(1, n) ** 2 * r * s < 2**60:
        precision *= 4

    def root(x):
        return isqrt(precision * x)

    squares = n * n * (r - 1) * (s - 1)
    root_of_whole = root(squares)

    def margins_exclude(row_squares, column_squares, most_squares):
        most_squares -= (most_squares - n) % 2  # a sum of squares is even where n is
        over_rows = r * row_squares - n * n
        over_cols = s * column_squares - n * n
        over_margins = over_rows + over_cols + n * n
        excess = r * s * most_squares - over_margins
        if excess < 0:
            return True
        root_of_rows = root(over_rows * (s - 1))
        roots_of_margins = root_of_rows + root(over_cols * (r - 1))
        return roots_of_margins > root_of_whole + root(excess) + 2

    return margins_exclude


def least_square_sum(u, v, rows, cols):
    """Return the slopes v_j - u_i of all cells (i, j), and a lower bound of the sum of squares of the cells.

    The bound is valid for all tables with row sums ``rows`` and column sums ``cols``. It is sum_j v_j cols_j -
    sum_i u_i rows_i, plus the sum over cells of the least value of x^2 - slope x. This value is attained at x =
    slope/2, rounded up or down, or at 0 if the slope is negative.

    >>> least_square_sum([0, 1], [2, 1], (2, 1), (2, 1))
    ([[2, 1], [1, 0]], 3)
    """
    slopes = [[y - x for y in v] for x in u]
    of_columns = sum(map(operator.mul, v, cols))
    of_rows = sum(map(operator.mul, u, rows))
    squares = of_columns - of_rows
    for line in slopes:
        for slope in line:
            if slope > 0:
                cell = slope // 2
                squares -= cell * (slope - cell)
    return slopes, squares


def ceil_division(a, b):
    """Return a/b rounded up."""
    return -(-a // b)


# --- distributions --------------------------------------------------------------------------------


def check_law(content):
    """Check a certificate that an exact distribution has a given digest.

    ``content`` has the fields of the certificate. Return the claim in words, and the fields of a correct
    certificate.
    """
    matrices = Class(content["class"])
    members = int(content["members"])
    weight = content["weight"]
    names = [*content["statistics"]]
    conditions = [*content["conditions"]]
    if weight not in ("tables", "labelings"):
        raise Unreadable(f"the weight {weight!r:.80} is not one of tables and labelings")
    formulas = [IndexFormula(text) for text in conditions]
    law = Counter()
    for signature, times in matrices.survey(members, weight == "labelings").items():
        if all(formula.holds(matrices, signature) for formula in formulas):
            values = tuple(value(name, matrices.n, signature) for name in names)
            law[values] += times
    question = {
        "format": "confmat distribution 3",
        "class": matrices.spec,
        "weight": weight,
        "statistics": names,
        "given": [{"text": text, "on": formula.names} for text, formula in zip(conditions, formulas)],
    }
    lines = [json.dumps(question, sort_keys=True)]
    for values in sorted(law, key=undefined_last):
        texts = [as_text(number, "nan") for number in values]
        lines.append(json.dumps([*texts, law[values]]))
    fields = {
        "class": matrices.spec,
        "members": members,
        "weight": weight,
        "distribution": digest_of(lines),
        "statistics": names,
        "conditions": conditions,
    }
    return (
        f"the distribution of {', '.join(names)} over {matrices} has this digest, {len(law)} values",
        fields,
    )


def undefined_last(values):
    """Return the sort key of a tuple of values. Undefined values (None) come last."""
    return [(number is None, number or 0) for number in values]


CHECKS_OF_CLAIMS = {
    "certificate": check_claim,
    "counterexample": check_claim,
    "extreme": check_extreme,
    "distribution": check_law,
}


def main(arguments):
    """Check a file, print the verdict, and return the exit code."""
    try:
        (name,) = arguments
        with open(name, encoding="utf-8") as file:
            print("right:", check(file.read(), CHECKS_OF_CLAIMS))
        return 0
    except Wrong as error:
        print("wrong:", error)
        return 1
    except (Unreadable, OSError, ValueError) as error:
        words = "unreadable" if isinstance(error, Unreadable) else "usage: python3 -I verify.py FILE"
        print(f"{words}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
