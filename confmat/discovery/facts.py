"""What one class shows: the extremes of statistics, alone and in pairs, with all tables that attain them, the extremes
at each MED, and which claims about laws hold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.orbits import canonical, nested
from confmat.conjectures.law_shapes import LawClaim, falls, monotone, next_class, rises, skewed, unimodal
from confmat.conjectures.predicates import tables_at
from confmat.engine.signatures import joined
from confmat.engine.walks import pair_sums
from confmat.laws.law import Law
from confmat.laws.sources import Pass, Source
from confmat.plans import Resources
from confmat.statistics.record import Statistic
from confmat.statistics.table import as_statistic

DISTANCE_NAMES = ("med", "rd", "ard", "1 - jaccard")
"""The statistics that are compared unless others are named: distances, 0 where two clusterings coincide."""

# Laws of values are listed, fractions in Python: of classes with so many signatures at most.
MOST_SIGNATURES_ASKED = 6_000

# Tables that attain an extreme are listed, up to symmetry, where no more than so many do; else some or one of them.
MOST_TABLES = 1000

_RELATIVE_TIE = 1e-9
_VERBS = {"rises": rises, "falls": falls}


# Of one text one object: what is declared of it is tried once for each class.
_statistic = lru_cache(None)(as_statistic)


@dataclass(frozen=True)
class Expression:
    """A statistic, or with ``sign`` "/" or "-" its ratio to, or its difference from, another one.

    >>> ratio = Expression("rd", "/", "1 - jaccard")
    >>> str(ratio), ratio.at_most("(n - 2)/n"), Expression("rd", "-", "med").at_most("0")
    ('rd/(1 - jaccard)', 'rd <= (n - 2)/n * (1 - jaccard)', 'rd <= med')
    """

    of: str
    sign: str = ""
    by: str = ""

    def __str__(self) -> str:
        if self.sign == "/":
            numerator = _bracket(self.of)
        else:
            numerator = self.of
        return numerator + {"": "", "/": "/", "-": " - "}[self.sign] + (self.by and _bracket(self.by))

    def at_most(self, bound: str) -> str:
        """That it is at most a bound, without a division by a statistic.

        >>> Expression("rd").at_most("n/(n + 1)")
        'rd <= n/(n + 1)'
        """
        if (self.sign, bound) in (("-", "0"), ("/", "1")):
            return f"{self.of} <= {self.by}"
        if self.sign != "/":
            return f"{self} <= {bound}"
        if _is_product(bound):
            factor = bound
        else:
            factor = f"({bound})"
        return f"{self.of} <= {factor} * {_bracket(self.by)}"

    def in_words(self, bound: str) -> str:
        """That the bound is what it reaches.

        >>> Expression("rd", "/", "med").in_words("2"), Expression("rd", "-", "ard").in_words("0")
        ('the largest rd/med is 2', 'rd is at most ard')
        """
        if self.sign == "-" and bound == "0":
            return f"{self.of} is at most {self.by}"
        return f"the largest {self} is {bound}"


def _bracket(text: str) -> str:
    if text.isidentifier():
        return text
    return f"({text})"


def _is_product(text: str) -> bool:
    """Whether no sum stands outside of parentheses."""
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter in "+-" and not depth:
            return False
    return True


def expressions(statistics: Iterable[str]) -> list[Expression]:
    """What is made as large as it can be: each statistic, and the ratios and differences of all pairs.

    >>> [str(each) for each in expressions(["med", "rd"])]
    ['med', 'rd', 'med/rd', 'med - rd', 'rd/med', 'rd - med']
    """
    names = list(statistics)
    pairs = [Expression(x, sign, y) for x, y in permutations(names, 2) for sign in "/-"]
    return [*map(Expression, names), *pairs]


@dataclass(frozen=True)
class AskedLaw:
    """A claim about the law of ``names`` in words, and what tries it; ``of_shape``: laws of one point have it.

    ``along``: the size by which a class is compared with the next; ``ordered``: whether its laws given the MED are.
    """

    words: str
    claim: LawClaim
    of_shape: bool = False
    along: str = ""
    ordered: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The statistics of the law."""
        return tuple(as_statistic(x).name for x in self.claim.statistics)

    def says_nothing(self, law: Law) -> bool:
        """Whether every class like this has it: laws have one point, or there is nothing to compare them with.

        >>> from confmat.classes import Tables
        >>> from confmat.laws.over_class import joint
        >>> question = next(x for x in law_questions(["rd"]) if "each law" in x.words)
        >>> [question.says_nothing(joint(Tables(6, 2, s), "med", "rd")) for s in (2, 3)]  # of 2 x 2 MED fixes RD
        [True, False]
        >>> rises = next(x for x in law_questions(["rd"]) if "the mean of rd given" in x.words)
        >>> [rises.says_nothing(joint(Tables(4, 1, s), "med", "rd")) for s in (2, 3)]  # two values of the MED, and one
        [False, True]
        """
        points = Counter(values[:-1] for values, _ in law.support if values[-1] == values[-1])
        if self.along:
            return not next_class(law.matrices, self.along).count()
        if not self.of_shape and len(points) < 2:
            return True
        return (self.of_shape or self.ordered) and max(points.values(), default=0) < 2


def law_questions(statistics: Iterable[str]) -> list[AskedLaw]:
    """What is asked of laws: the shape of each, how it moves with n and with s, and with the MED.

    >>> [question.words for question in law_questions(["rd"])][:3]
    ['the law of rd is unimodal', 'the law of rd is skewed to the left', 'the law of rd is skewed to the right']
    """
    questions = []
    for x in statistics:
        shapes = {
            "is unimodal": unimodal(x),
            "is skewed to the left": skewed(x),
            "is skewed to the right": skewed(x, left=False),
        }
        for words, claim in shapes.items():
            questions.append(AskedLaw(f"the law of {x} {words}", claim, of_shape=True))
        questions.append(
            AskedLaw(
                f"the weights of {x} rise",
                monotone(x),
                of_shape=True,
            )
        )
        questions.append(
            AskedLaw(
                f"the weights of {x} fall",
                monotone(x, rising=False),
                of_shape=True,
            )
        )
        for verb, moves in _VERBS.items():
            for along, of in product("ns", ("mean", "law")):
                words = f"the {of} of {x} {verb} with {along}"
                questions.append(AskedLaw(words, moves(x, of, along=along), along=along))
            for of in ("mean", "law") if x != "med" else ():
                words = f"the {of} of {x} given the MED {verb} with it"
                questions.append(
                    AskedLaw(
                        words,
                        moves(x, of, given="med"),
                        ordered=of == "law",
                    )
                )
        for words, claim in shapes.items() if x != "med" else ():
            each = LawClaim(
                ("med", *claim.statistics),
                _AtEach(claim.wrong),
            )
            questions.append(AskedLaw(f"each law of {x} given the MED {words}", each, of_shape=True))
    return questions


@dataclass(frozen=True)
class _AtEach:
    """What is wrong with one of the laws given the first statistic."""

    wrong: Callable[[Any, Any], Any]

    def __call__(self, points: Any, matrices: Any) -> str | None:
        laws = defaultdict(list)
        for (level, x), weight in points:
            if x == x:
                laws[level].append(((x,), weight))
        for level, law in laws.items():
            wrong = self.wrong(law, matrices)
            if wrong:
                return f"at med = {level} {wrong}"
        return None


Facts = dict[str, Any]


def facts_of(matrices: MatrixClass, statistics: tuple[str, ...]) -> Facts:
    """All that is asked of one class, as JSON: from one pass over it, and the tables that attain extremes.

    >>> from confmat.classes import Tables
    >>> found = facts_of(Tables(6, 2, 2), ("med", "rd"))
    >>> found["extremes"]["rd/med"]
    {'value': '2', 'tables': 16, 'only equal': False, 'listed': [[[3, 1], [0, 2]], [[4, 1], [0, 1]]]}
    >>> found["given med"]["largest rd"]
    [[0, '0'], [1, '1/3'], [2, '8/15'], [3, '3/5']]
    """
    whole_pass = Pass(matrices, "tables", Resources())
    cells, weights = joined(Source(whole_pass).blocks())
    given_med = {}
    for name in statistics:
        if name != "med":
            given_med[f"largest {name}"] = _at_each_med(matrices, _statistic(name), 1, cells)
            given_med[f"smallest {name}"] = _at_each_med(matrices, _statistic(name), -1, cells)
    return {
        "extremes": _extremes(matrices, statistics, cells, weights),
        "given med": given_med,
        "laws": _laws(matrices, statistics, whole_pass, len(cells)),
    }


def _extremes(
    matrices: MatrixClass, statistics: tuple[str, ...], cells: np.ndarray, weights: np.ndarray
) -> dict[str, Any]:
    """The largest value of each expression, the number of tables that attain it, and these tables."""
    extremes: dict[str, Any] = {}
    signatures_attaining: dict[str, set[Signature]] = {}
    numbers: Counter[Signature] = Counter()
    for expression in expressions(statistics):
        text = str(expression)
        best = _largest(matrices, _statistic(text), cells)
        if best is None or (expression.sign == "/" and not _is_bound(matrices, expression, cells)):
            continue
        value, places = best
        tables = int(weights[places].sum())
        extremes[text] = {
            "value": str(value),
            "tables": tables,
            "only equal": not cells[places, 0].any(),
        }
        rarest = places[weights[places].argmin()]
        signatures_attaining[text] = set()
        for i in places if tables <= MOST_TABLES else [rarest]:
            signature = _signature(cells[i].tolist())
            numbers[signature] += int(weights[i])
            signatures_attaining[text].add(signature)
    tables_of = _tables_of_signatures(matrices, numbers)
    for text, extreme in extremes.items():
        extreme["listed"] = sorted(
            table for signature in signatures_attaining[text] for table in tables_of[signature]
        )
    return extremes


def _largest(
    matrices: MatrixClass, statistic: Statistic, cells: np.ndarray, sign: int = 1
) -> tuple[Fraction, np.ndarray] | None:
    """The largest value (with ``sign`` -1 the smallest) over signatures, exactly, and where it is; None if nowhere.

    Doubles choose, to a billionth, what is compared exactly.
    """
    rough = sign * statistic.rough_values(matrices, cells)
    if np.isnan(rough).all():
        return None
    top = np.nanmax(rough)
    candidates = np.flatnonzero(rough >= top - _RELATIVE_TIE * max(1, abs(top)))
    value = statistic.over(matrices)
    looked_at = [statistic.base.counted_of(*row) for row in cells[candidates].tolist()]
    values = {counts: sign * value(*counts) for counts in set(looked_at)}
    best = max(values.values())
    return sign * best, candidates[[values[counts] == best for counts in looked_at]]


def _is_bound(matrices: MatrixClass, ratio: Expression, cells: np.ndarray) -> bool:
    """Whether x <= c y follows from x/y <= c: not where y is 0 and x is not, or where y is negative."""
    dividend = _statistic(ratio.of)
    divisor = _statistic(ratio.by)
    value_above = dividend.over(matrices)
    value_below = divisor.over(matrices)
    for row in cells[divisor.rough_values(matrices, cells) <= _RELATIVE_TIE].tolist():
        numerator = value_above(*dividend.base.counted_of(*row))
        denominator = value_below(*divisor.base.counted_of(*row))
        if denominator < 0 or (denominator == 0 and numerator > 0):
            return False
    return True


Signature = tuple[int, int, int, int]


def _signature(sums: Iterable[int]) -> Signature:
    """m, the smaller of A and B, the larger, P."""
    m, a, b, p = sums
    return m, min(a, b), max(a, b), p


def _tables_of_signatures(
    matrices: MatrixClass, weights: Mapping[Signature, int]
) -> dict[Signature, list[Any]]:
    """The tables that have each signature, up to symmetry, in a readable order; one where its weight is large."""
    orbits: dict[Signature, set[Any]] = {signature: set() for signature in weights}
    margins = {signature[1:3] for signature in weights}
    for tables, _ in tables_at(matrices, "transposition", margins):
        for table, sums in zip(tables, pair_sums(tables).tolist()):
            signature = _signature(sums)
            orbit = orbits.get(signature)
            if orbit is not None and (weights[signature] <= MOST_TABLES or not orbit):
                orbit.add(nested(canonical(table)))
    tables_of = {}
    for signature, members in orbits.items():
        tables_of[signature] = [list(map(list, table)) for table in sorted(members)]
    return tables_of


def _at_each_med(
    matrices: MatrixClass, statistic: Statistic, sign: int, cells: np.ndarray
) -> list[list[Any]]:
    """m and the largest (or smallest) value at n MED = m, for all m."""
    order = np.argsort(cells[:, 0], kind="stable")
    extremes = []
    for part in np.split(cells[order], np.flatnonzero(np.diff(cells[order, 0])) + 1):
        best = _largest(matrices, statistic, part, sign)
        if best is not None:
            extremes.append(
                [
                    int(part[0, 0]),
                    str(best[0]),
                ]
            )
    return extremes


def _laws(
    matrices: MatrixClass, statistics: tuple[str, ...], whole_pass: Pass, signatures: int
) -> dict[str, Any]:
    """What became of each claim about laws; nothing for a class with more signatures than are listed."""
    if signatures > MOST_SIGNATURES_ASKED:
        return {}
    laws: dict[tuple[str, ...], Law] = {}
    verdicts = {}
    for question in law_questions(statistics):
        if question.names not in laws:
            records = tuple(map(as_statistic, question.names))
            laws[question.names] = Law(matrices, records, "tables", Source(whole_pass))
        law = laws[question.names]
        finding = question.claim.finding(matrices, law)
        verdicts[question.words] = {
            "wrong": None if finding.violation is None else finding.violation.detail,
            "says nothing": question.says_nothing(law),
            "covered": finding.covered,
            "digest": finding.digest,
        }
    return verdicts
