"""Questions, drawn at random from a stored seed without asking the package anything.

A question is a text: its kind and its arguments, which ``answering`` reads. Statistics and conditions have the names
that users type.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb, prod
from random import Random
from typing import NamedTuple

SEED = 20261128
LARGEST_TOTAL = 17
SHAPES = [(r, s) for r in range(1, 5) for s in range(1, 6)] + [(5, 2), (5, 3)]
KINDS = ["rows", "columns", "margins"]
SQUARE = [(2, 2), (3, 3), (4, 4)]

OF_PAIRS = ["nmed", "ri", "nrd", "ari", "mirkin", "fm", "jaccard", "wallace_ab", "wallace_ba", "pair_kappa"]
"""Statistics with a formula in n MED and the pair counts, in addition to MED, RD and ARD."""
OF_TABLES = ["purity", "van_dongen", "chi2", "ffh"]
OF_LOGARITHMS = [
    "vi",
    "mi",
    "entropy_a",
    "entropy_b",
    "nmi",
    "nmi_geometric",
    "nmi_max",
    "nmi_min",
    "nmi_joint",
]
OF_LOGARITHMS += ["v_measure", "homogeneity", "completeness", "g2", "ami"]
OF_CLASSIFIERS = [
    "accuracy",
    "balanced_accuracy",
    "recall",
    "precision",
    "f1",
    "kappa",
    "mcc",
    "auc",
    "auc_pairs",
]
OF_CLASSIFIERS += ["f1_weighted", "f_pairs", "auc3"]
OF_ROOTS = ["gsp", "gsp_pairs", "gss", "gss_pairs"]
"""Comparisons of these with a number are not asked about."""
OF_LABELS = [
    "med",
    "rd",
    "ard",
    "ri",
    "ari",
    "fm",
    "jaccard",
    "vi",
    "mi",
    "nmi",
    "ami",
    "v_measure",
    "purity",
]
OF_LABELS += ["van_dongen", "pair_kappa", "wallace_ab", "wallace_ba", "nmed", "nrd", "mirkin", "chi2", "g2"]
SOFT = [
    "ndc",
    "aci",
    "sari",
    "frobenius_rand",
    "fari",
    "anderson_rand",
    "anderson_adjusted_rand",
    "anderson_jaccard",
]
SOFT += [
    "anderson_dice",
    "anderson_fm",
    "frigui_rand",
    "frigui_adjusted_rand",
    "frigui_jaccard",
    "frigui_dice",
]
SOFT += [
    "frigui_fm",
    "brouwer_rand",
    "brouwer_adjusted_rand",
    "brouwer_jaccard",
    "brouwer_dice",
    "brouwer_fm",
]
SOFT += ["campello_rand", "campello_adjusted_rand", "campello_jaccard", "campello_dice", "campello_fm"]
SOFT += ["huellermeier_jaccard", "huellermeier_dice", "huellermeier_fm"]
IN_CONDITIONS = ["med", "rd", "ard", "ari", "ri", "jaccard", "fm", "ard/med", "med+rd", "1-ard", "ri*ri"]
SUMS_OF_ROOTS = ["ari+fm", "fm+ari", "1+fm", "fm-rd", "rd-fm", "fm+med", "med+fm"]
SIDES = ["greater", "less", "two-sided"]

LARGE = [
    ("tables 40 4 4", "med rd ard"),
    ("tables 25 5 5", "ard"),
    ("tables 50 2 6", "ard"),
    ("tables 300 3 3", "rd"),
    ("tables 1000000 3 3", "med"),
    ("tables 17 4 5", "med rd ard"),
    ("tables 20 3 3 empty", "med rd ari"),
    ("margins 9,8,7,6,5 10,9,8,5,3", "ard"),
]
OF_LARGE = ["about", "sd", "least", "median", "largest", "total", "undefined"]

Group = list[str]


class Drawn(NamedTuple):
    """A class of tables, an upper bound of its number of members, and its shape."""

    name: str
    bound: int
    n: int
    shape: tuple[int, int]


def ask(*parts: object) -> str:
    return " | ".join(map(str, parts))


def listed(integers: list[int]) -> str:
    return ",".join(map(str, integers))


def rows_of(table: list[list[int]]) -> str:
    return ";".join(map(listed, table))


class Source:
    """Random classes, tables, thresholds and conditions."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.upto = self.random.randint
        self.of = self.random.choice

    def composition(self, n: int, parts: int, least: int) -> list[int]:
        sums = [least] * parts
        for _ in range(n - least * parts):
            sums[self.upto(0, parts - 1)] += 1
        return sums

    def tables(self, shape: tuple[int, int], most: int) -> Drawn:
        """Draw ``Tables`` with at most a number of members."""
        r, s = shape
        empty = self.upto(0, 2) == 0
        least = 1 if empty else max(r, s)
        totals = [n for n in range(least, LARGEST_TOTAL + 1) if comb(n + r * s - 1, r * s - 1) <= most]
        totals = totals or [least]
        n = max(self.of(totals), self.of(totals))
        return Drawn(f"tables {n} {r} {s}{' empty' * empty}", comb(n + r * s - 1, r * s - 1), n, shape)

    def fixed(self, kind: str, shape: tuple[int, int], most: int) -> Drawn:
        """Draw a class with fixed rows, columns or both."""
        r, s = shape
        while True:
            n = self.upto(max(r, s), LARGEST_TOTAL)
            rows, cols = self.composition(n, r, 1), self.composition(n, s, 1)
            of_rows = prod(comb(x + s - 1, s - 1) for x in rows)
            of_cols = prod(comb(x + r - 1, r - 1) for x in cols)
            empty = self.upto(0, 1) == 0
            bound = {"rows": of_rows, "columns": of_cols, "margins": min(of_rows, of_cols)}[kind]
            if bound <= most:
                break
        sizes = {
            "rows": f"{listed(rows)} {s}{' empty' * empty}",
            "columns": f"{r} {listed(cols)}{' empty' * empty}",
            "margins": f"{listed(rows)} {listed(cols)}",
        }
        return Drawn(f"{kind} {sizes[kind]}", bound, n, shape)

    def any_class(self, kind: str, shapes: list[tuple[int, int]], most: int) -> Drawn:
        shape = self.of(shapes)
        return self.tables(shape, most) if kind == "tables" else self.fixed(kind, shape, most)

    def fraction(self, largest: int = 1) -> Fraction:
        denominator = self.of([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 35])
        return Fraction(self.upto(0, largest * denominator), denominator)

    def comparison(self, names: list[str]) -> str:
        return f"{self.of(names)}{self.of(['<', '<=', '>', '>=', '<=', '>='])}{self.fraction()}"

    def condition(self) -> str:
        """Draw a condition: one comparison, an equality, a range, several, or one on a sum with a root."""
        form = self.upto(0, 9)
        if form == 0:
            return f"{self.of(['med', 'rd', 'ari'])}={self.fraction()}"
        if form == 1:
            low, high = sorted([self.fraction(), self.fraction()])
            return f"{low}<={self.of(['med', 'rd', 'ard', 'ri'])}<{high + Fraction(1, 7)}"
        if form == 2:
            return f"{self.of(SUMS_OF_ROOTS)}{self.of(['<=', '>', '<', '>='])}{self.fraction()}"
        if form < 6:
            return f"{self.comparison(IN_CONDITIONS)}, {self.comparison(IN_CONDITIONS)}"
        return self.comparison(IN_CONDITIONS)

    def table(self, shape: tuple[int, int], least: int = 0) -> list[list[int]]:
        """Draw a table with at most 17 objects; ``least`` is the smallest sum of a row or column."""
        r, s = shape
        while True:
            filled = self.upto(1, 3)
            cells = [[self.upto(0, 5) if self.upto(0, 3) < filled else 0 for _ in range(s)] for _ in range(r)]
            sums = [*map(sum, cells), *map(sum, zip(*cells))]
            if 0 < sum(map(sum, cells)) <= LARGEST_TOTAL and min(sums) >= least:
                return cells

    def member(self, drawn: Drawn) -> list[list[int]] | None:
        """Draw a member of ``Tables`` by filling it at random; None if it has an empty row or column."""
        r, s = drawn.shape
        cells = self.composition(drawn.n, r * s, 0)
        table = [cells[i * s : (i + 1) * s] for i in range(r)]
        sums = [*map(sum, table), *map(sum, zip(*table))]
        return table if min(sums) or drawn.name.endswith("empty") else None

    def memberships(self, objects: int, clusters: int) -> str:
        whole = self.of([1, 2, 3, 4])
        rows = [[Fraction(x, whole) for x in self.composition(whole, clusters, 0)] for _ in range(objects)]
        return ";".join(",".join(map(str, row)) for row in rows)


def of_class(source: Source, drawn: Drawn) -> Group:
    """Draw questions on the members of a class: count, order, rank and unrank."""
    asked = [ask("count", drawn.name)]
    if drawn.bound <= 20_000:
        asked.append(ask("members", drawn.name))
    asked += [ask("unrank", drawn.name, source.fraction()) for _ in range(4)]
    if drawn.name.startswith("tables"):
        members = [source.member(drawn) for _ in range(3)]
        asked += [ask("rank", drawn.name, rows_of(member)) for member in members if member is not None]
    return asked


def of_joint(source: Source, drawn: Drawn, weight: str, names: list[str], number: int) -> Group:
    """Draw questions on a joint distribution: its points, and moments, quantiles and cdf of each statistic."""
    head = (drawn.name, weight, " ".join(names))
    asked = [ask("points", *head)]
    for name in names:
        whats = ["mean", "variance", "sd", "least", "median", "largest", "total", "undefined"]
        asked += [ask("whole", *head, what, name) for what in whats]
        asked += [ask("quantile", *head, name, source.fraction()) for _ in range(number)]
        if name in OF_ROOTS:
            continue
        asked += [ask("cdf at quantile", *head, name, source.fraction()) for _ in range(number)]
        if name not in OF_LOGARITHMS:
            asked += [ask("cdf", *head, name, source.fraction()) for _ in range(number)]
    return asked


def of_conditions(source: Source, drawn: Drawn, weight: str, names: list[str]) -> Group:
    """Draw questions on probabilities and conditional distributions of statistics with a formula."""
    head = (drawn.name, weight, " ".join(names))
    asked = [ask("probability", *head, source.condition()) for _ in range(5)]
    asked += [ask("groups", *head, "med", name) for name in ("rd", "ard")]
    for _ in range(2):
        condition = source.condition()
        asked.append(ask("points given", *head, condition))
        asked += [
            ask("given", *head, condition, what, source.of(names)) for what in ("mean", "largest", "median")
        ]
    return asked


def of_extremes(source: Source, drawn: Drawn) -> Group:
    """Draw extremes with all tables that attain them, some under a condition."""
    names = ["med", "rd", "ard", *OF_PAIRS]
    if drawn.bound <= 3_000:
        names += OF_TABLES + OF_CLASSIFIERS * (drawn.shape[0] == drawn.shape[1])
    asked = [ask("extreme", drawn.name, source.of(["largest", "least"]), source.of(names)) for _ in range(2)]
    given = [ask("extreme", drawn.name, source.of(["largest", "least"]), source.of(names)) for _ in range(3)]
    return asked + [ask(question, source.condition()) for question in given]


def of_classes(source: Source, kind: str, number: int, most: int) -> Iterator[Group]:
    for _ in range(number):
        drawn = source.any_class(kind, SHAPES, most)
        weights = ["tables", "labelings"]
        if kind == "margins":
            weights = [source.of(weights)]
        group = of_class(source, drawn)
        for weight in weights:
            names = ["med", "rd", "ard", *source.random.sample(OF_PAIRS, 2)]
            group += of_joint(source, drawn, weight, names, 2) + of_conditions(source, drawn, weight, names)
        yield group + of_extremes(source, drawn)


def of_functions(source: Source, number: int) -> Iterator[Group]:
    """Draw joint distributions of statistics without a formula, over small classes."""
    for i in range(number):
        of_square = i % 2 == 0
        kind = source.of(["tables", "tables", "rows", "columns", "margins"])
        drawn = source.any_class(kind, SQUARE if of_square else SHAPES, 2_000)
        names = [source.of(OF_TABLES), source.of(OF_LOGARITHMS)]
        if of_square:
            names += [source.of(OF_CLASSIFIERS), source.of(OF_ROOTS)]
        weight = source.of(["tables", "labelings"])
        group: Group = []
        for name in dict.fromkeys(names):
            group += of_joint(source, drawn, weight, [name], 2)
        yield [*group, ask("points", drawn.name, weight, f"med {names[0]}")]


def of_checks(source: Source, number: int) -> Iterator[Group]:
    """Draw statements over the classes of a shape by increasing size."""
    group = []
    for i in range(number):
        shape = source.of(SHAPES[:14])
        r, s = shape
        first = max(r, s)
        last = max(n for n in range(first, 13) if n == first or comb(n + r * s - 1, r * s - 1) <= 200_000)
        classes = [f"tables {n} {r} {s}" for n in range(first, last + 1)]
        if i % 5 == 4:
            classes = [source.any_class(source.of(["rows", "columns", "margins"]), SHAPES, 20_000).name]
        names = ["med", "rd", "ard", "ari", "jaccard", "ri"]
        statement = [
            f"{source.comparison(names)} -> {source.comparison(names)}",
            f"{source.of(names)} <= {source.fraction(2)}*{source.of(names)}",
            f"not ({source.condition()}) or {source.comparison(names)}",
            f"{source.of(names)} <= {source.fraction(2)}",
            f"{source.of(names)} >= {source.of(names)} - {source.fraction()}",
            f"{source.comparison(names)} -> {source.of(['ffh', 'purity', 'van_dongen', 'chi2'])} <= 1",
        ][i % 6]
        if i % 6 == 5:
            classes = [name for name in classes if small(name)]
        if classes:
            group.append(ask("check", statement, *classes))
    yield from in_parts(group, 25)


def small(name: str) -> bool:
    kind, *sizes = name.split()
    return kind == "tables" and int(sizes[0]) <= 7 and int(sizes[1]) * int(sizes[2]) <= 6


def in_parts(group: Group, size: int) -> Iterator[Group]:
    for i in range(0, len(group), size):
        yield group[i : i + size]


def of_values(source: Source, tables: int, labelings: int) -> Iterator[Group]:
    """Draw tables, with empty rows and columns among them, and ask for every index of each."""
    everywhere = ["med", "rd", "ard", *OF_PAIRS, *OF_TABLES, *OF_LOGARITHMS]
    for i in range(tables):
        shape = source.of(SQUARE if i % 3 == 0 else SHAPES)
        table = rows_of(source.table(shape))
        names = everywhere + (OF_CLASSIFIERS + OF_ROOTS if shape[0] == shape[1] else [])
        yield [ask("index", name, table) for name in names]
    for _ in range(labelings):
        n = source.upto(2, LARGEST_TOTAL)
        labels = [listed([source.upto(0, 3) for _ in range(n)]) for _ in range(2)]
        yield [ask("labels", name, *labels) for name in source.random.sample(OF_LABELS, 5)]


def of_soft(source: Source, number: int) -> Iterator[Group]:
    """Draw pairs of memberships, and ask for every soft index, its null moments and exact p-value."""
    for _ in range(number):
        objects = source.upto(3, 6)
        U, V = (source.memberships(objects, source.upto(2, 3)) for _ in range(2))
        group = [ask("soft", U, V, name) for name in SOFT]
        group += [ask("soft moments", U, V, name) for name in source.random.sample(SOFT, 14)]
        group += [ask("soft adjusted", U, V, name) for name in source.random.sample(SOFT, 4)]
        exact = [name for name in SOFT if not name.startswith("brouwer")]
        yield group + [ask("soft p", U, V, name) for name in source.random.sample(exact, 8)]


def of_tests(source: Source, number: int) -> Iterator[Group]:
    """Draw tables without empty rows and columns, of several members, and ask for exact p-values."""
    shapes = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 3), (3, 4), (2, 5), (4, 2)]
    names = [
        "ffh",
        "chi2",
        "g2",
        "med",
        "rd",
        "ard",
        "ari",
        "jaccard",
        "vi",
        "nmi",
        "ami",
        "purity",
        "van_dongen",
    ]
    group = []
    for _ in range(number):
        shape = source.of(shapes)
        table = source.table(shape, 1)
        while max(map(sum, table)) < 2 or max(map(sum, zip(*table))) < 2:
            table = source.table(shape, 1)
        known = names + ["kappa", "accuracy"] * (shape[0] == shape[1])
        for _ in range(4):
            group.append(ask("exact test", rows_of(table), source.of(known), source.of(SIDES)))
        group.append(ask("permutation test", rows_of(table), source.of(SIDES)))
    yield from in_parts(group, 50)


FUNCTIONS = [
    "first row",
    "first column",
    "last row less first",
    "corner",
    "weighted",
    "largest cell",
    "largest row",
]
FUNCTIONS += ["zeros"]
SQUARE_FUNCTIONS = ["diagonal", "above less below", "true class used least"]
PREDICATES = ["first row is not the smaller", "first column is not the smaller", "corner is not alone"]
PREDICATES += ["no cell exceeds four", "rows are no more unequal", "something"]


def of_users(source: Source, number: int) -> Iterator[Group]:
    """Draw distributions of functions of a user and statements with predicates, over small classes.

    Every other class is square: there, a symmetry that is assumed and false changes the answers.
    """
    for i in range(number):
        of_square = i % 2 == 0
        drawn = source.any_class(
            source.of(["tables", "tables", *KINDS]), SQUARE if of_square else SHAPES, 3_000
        )
        names = FUNCTIONS + SQUARE_FUNCTIONS * (drawn.shape[0] == drawn.shape[1])
        weights = ["tables", "labelings"]
        group = [ask("function", drawn.name, source.of(weights), x) for x in source.random.sample(names, 4)]
        yield group + [ask("predicate", x, drawn.name) for x in source.random.sample(PREDICATES, 3)]
    for r, s in [(2, 2), (3, 3), (2, 3), (3, 2)]:
        classes = [f"tables {n} {r} {s}" for n in range(3, 8)]
        yield [ask("predicate", x, *classes) for x in PREDICATES]


def of_files(source: Source, number: int) -> Iterator[Group]:
    """Draw questions on orbits, sufficient statistics with their example tables, and files."""
    for _ in range(number):
        drawn = source.any_class(source.of(["tables", "tables", *KINDS]), SHAPES[:18], 20_000)
        weight = source.of(["tables", "labelings"])
        statistics = ["med", "rd", "ard", "ari", "jaccard", "wallace_ab", "wallace_ba"]
        group = [ask("orbits", drawn.name), ask("labelings", drawn.name), ask("sums", drawn.name, weight)]
        group.append(ask("csv", drawn.name, weight, " ".join(source.random.sample(statistics, 2))))
        if not drawn.name.startswith("margins"):
            group.append(ask("file", drawn.name, weight, source.of(statistics)))
        names = "med rd ard wallace_ab"
        for _ in range(3):
            asked = (drawn.name, weight, names, source.condition(), source.of(names.split()))
            group.append(ask("attained", *asked))
        yield group


def of_formulas(source: Source) -> Iterator[Group]:
    """Ask for formulas in n at integers and other numbers, and for counts by the generating function and recursion."""
    group = []
    for shape in ("1,1", "1,2", "2,2", "2,3", "3,2", "3,3", "2,4", "4,4"):
        for at in ("1", "6", "7/2", "-2", "1000000"):
            group += [ask("formula", "count", shape, empty, at) for empty in ("filled", "empty")]
    for shape in ("2,2", "2,3", "3,2"):
        for at in ("5", "6", "7/2", "100"):
            group += [ask("formula", "moments", shape, empty, at) for empty in ("filled", "empty")]
    for shape in ("1,2", "2,2", "2,3", "3,3"):
        group += [
            ask("generating function", shape, "1/3", "1/5"),
            ask("generating function", shape, "1/2", "1"),
        ]
    for shape in ("1,2", "2,2", "2,3", "3,3"):
        group += [ask("density", shape, at) for at in ("0", "1/10", "1/3", "1/2", "3/5", "9/10")]
    yield from in_parts(group, 40)
    counts = []
    for name, largest in (("med", 40), ("rd", 20)):
        for _ in range(60):
            r, s = source.upto(1, 3), source.upto(1, 3)
            counts.append(ask("counts", name, f"{source.upto(1, largest)},{r},{s}"))
    for _ in range(40):
        n, r, s = source.upto(5, 10**6), source.upto(1, 3), source.upto(1, 3)
        counts.append(ask("counts", "med at", f"{n},{r},{s},{source.upto(0, n // 2)}"))
        counts.append(ask("counts", "med moment", f"{source.upto(3, 200)},{r},{s},{source.upto(1, 3)}"))
    yield from in_parts(counts, 40)


def of_tails(source: Source, number: int) -> Iterator[Group]:
    """Draw tails of the number of pairs in common cells, and exact tests of sums over cells."""
    group = []
    for _ in range(number):
        r, s = source.upto(2, 4), source.upto(2, 5)
        n = source.upto(max(r, s) + 2, 60)
        margins = (listed(source.composition(n, r, 1)), listed(source.composition(n, s, 1)))
        group.append(ask("pair tail", *margins, source.upto(0, n * n // (2 * r * s))))
        table = rows_of(source.table((2, 3), 1))
        group.append(ask("additive test", table, source.of(["squares", "moments"]), source.of(SIDES)))
    yield from in_parts(group, 40)


SMALL_CLASSES = {
    "tables 5 2 3": ["med=2/5", "ari>1/5", "ri=3/5", "rd<=1/2, med>=1/4"],
    "tables 5 3 3": ["med=2/5", "ari>1/5", "ri=3/5", "rd<=1/2, med>=1/4"],
    "tables 4 2 2 empty": ["med=1/4", "ari>1/5", "ard=1", "rd<=1/2, med>=1/4"],
    "rows 3,2 3": ["med=2/5", "ari>1/5", "ri=3/5"],
    "rows 4,3 2 empty": ["med=2/7", "ari>1/5", "ard=1"],
    "columns 2 3,2": ["med=2/5", "ari>1/5"],
    "columns 3 2,2,1 empty": ["med=2/5", "ari>1/5", "ri=3/5"],
    "margins 4,3,2 3,3,3": ["med=4/9", "ari>1/5", "rd<=1/2, med>=1/4"],
    "margins 5,6 3,4,4": ["med=4/11", "ari>1/5", "rd<=1/2, med>=1/4"],
    "margins 2,3,2,3 4,3,3": ["med=2/5", "ri=3/5", "rd<=1/2, med>=1/4"],
}
STRATEGIES = [
    "tables",
    "tables of a size",
    "tables with empty rows",
    "tables of margins",
    "tables of Python integers",
]
STRATEGIES += [
    "margins",
    "partitions",
    "members",
    "labelings",
    "pairs of labelings",
    "memberships",
    "worst tables",
]
REACHED = ["an empty row", "a cell that is no double", "each table of a small class"]


def of_trials() -> Iterator[Group]:
    """Ask whether draws are uniform and strategies keep their promises, and what an archive of 20 classes holds."""
    yield [ask("archive", "2x2 2x3 3x3 2x4", "4,5,6,7,8")]
    for name, conditions in SMALL_CLASSES.items():
        methods = ["rejection", "counting"] if name.startswith("margins") else ["rejection"]
        group = [ask("uniform", name, method, 100_000) for method in methods]
        group += [ask("uniform", name, "unranking", 5_000), ask("estimate", name)]
        yield group + [ask("uniform", name, "auto", 100_000, condition) for condition in conditions]
    yield [ask("strategy", name) for name in STRATEGIES] + [ask("reached", name) for name in REACHED]
    yield [ask("contract sizes", 20, 20), ask("contract sizes", 12, "default")]


COMPILED = ["tables 19 4 4", "tables 17 4 5", "tables 16 5 4 empty", "tables 15 5 5"]
COMPILED += ["rows 6,5,5,4 4 empty", "rows 12,11,10 4", "columns 4 8,7,6,6 empty", "columns 4 12,10,9"]
COMPILED += ["margins 6,5,5,4,3 7,6,5,5", "margins 9,8,8,7 10,9,8,5"]
"""Classes of so many tables that compiled loops enumerate them; smaller ones are enumerated by NumPy."""


def of_compiled(source: Source) -> Iterator[Group]:
    """Draw questions on distributions that take compiled loops."""
    for name in COMPILED:
        for weight in ("tables", "labelings"):
            names = ["med", "rd", "ard"]
            head = (name, weight, " ".join(names))
            group = [ask("points", *head)]
            for one in names:
                whats = ["about", "sd", "least", "median", "largest", "total"]
                group += [ask("whole", *head, what, one) for what in whats]
                group += [ask("quantile", *head, one, source.fraction()) for _ in range(3)]
                group += [ask("cdf", *head, one, source.fraction()) for _ in range(3)]
            group += [ask("probability", *head, source.condition()) for _ in range(4)]
            yield [*group, ask("given", *head, f"med<={source.fraction()}", "about", "ard")]
    yield [ask("whole", "tables 30 2 5", "tables", "med rd", x, "rd") for x in ("mean", "median", "largest")]


def drawn_groups(seed: int = SEED) -> list[Group]:
    """Return the questions that are asked every time, in groups that share what they compute."""
    source = Source(seed)
    groups = [
        *of_classes(source, "tables", 56, 400_000),
        *of_classes(source, "rows", 22, 60_000),
        *of_classes(source, "columns", 22, 60_000),
        *of_classes(source, "margins", 40, 60_000),
        *of_functions(source, 40),
        *of_checks(source, 300),
        *of_values(source, 90, 80),
        *of_soft(source, 24),
        *of_tests(source, 120),
        *of_users(source, 60),
        *of_files(source, 40),
        *of_formulas(source),
        *of_tails(source, 40),
        *of_trials(),
        *of_compiled(source),
    ]
    return [list(dict.fromkeys(group)) for group in groups]


def large_groups() -> list[Group]:
    """Return the questions that take minutes."""
    groups = [[ask("uniform", name, "unranking", 100_000)] for name in SMALL_CLASSES]
    for name, statistics in LARGE:
        group = []
        for statistic in statistics.split():
            group += [ask("whole", name, "tables", statistics, what, statistic) for what in OF_LARGE]
            group += [
                ask("quantile", name, "tables", statistics, statistic, p)
                for p in ("1/10", "1/4", "3/4", "9/10")
            ]
            group += [ask("cdf", name, "tables", statistics, statistic, x) for x in ("1/5", "1/2", "3/4")]
        groups.append(group)
    return groups
