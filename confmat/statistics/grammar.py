"""The one grammar of conditions and conjectures: from text to a formula, from a formula to text and to values.

A comparison of numbers (=, ==, !=, <, <=, >, >=, also a chain such as 1/5 < med <= 2/5) is a truth; numbers are whole
numbers, decimals (0.2 and 20 % are 1/5), names, and what +, -, *, / and powers (** or ^, up to 8) make of them.  A
square root, sqrt(...), stands alone on one side of a comparison.  Truths are joined by ``not``, ``and`` (``&``), ``or``
(``|``), the comma, which is an ``and`` that binds less than ``or``, and ``->`` (``=>``, ``implies``), which binds
least.  Parentheses as usual.  Nothing is evaluated by Python: a text can do no more than this.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn, Protocol

from confmat._arguments import meant

RELATION_SIGNS = ("=", "!=", "<", "<=", ">", ">=")
CONNECTIVES = ("->", "or", "and", "not")

EXISTS = "exists"
"""How a statement on some member of each class begins."""

NUMBERS = ("mean", "var", "min", "q1", "median", "q3", "max")
"""Endings of names of numbers of a distribution, such as ard_mean."""

# How tightly an operator binds; "neg" is the minus sign before a number.
_BINDS = {"->": 1, ",": 2, "or": 3, "and": 4, "not": 5, **dict.fromkeys(RELATION_SIGNS, 6)}
_BINDS |= {"+": 7, "-": 7, "*": 8, "/": 8, "neg": 9, "**": 10, "%": 10, "": 11}
_ALIASES = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "=>": "->", "⇒": "->", "implies": "->", "^": "**"}
_ALIASES |= {"&": "and", "&&": "and", "|": "or", "||": "or"}
_WORDS = ("and", "or", "not", "implies")

_TOKEN = re.compile(
    r"(?P<number>[0-9]+\.?[0-9]*|\.[0-9]+)|(?P<name>[^\W\d]\w*)|(?P<sign>->|=>|[=!<>]=|\*\*|&&|\|\||[-+*/()=<>,%^&|≤≥≠⇒])"
)

# A text that a person writes has less; beyond, Python's own limits on recursion and digits would answer.
_LONGEST = 4000
_DEEPEST_NESTING = 60
_MOST_NAMES_LISTED = 12  # in an error, of names that are known
_LARGEST_POWER = 8

_SQRT = "sqrt"
"""A square root, which stands alone on one side of a comparison: it is squared away."""


@dataclass(frozen=True)
class Constant:
    """Rational number; of a given value also an `Exact` number."""

    value: Any

    depth = 0


class Named(Protocol):
    """Meaning of a name in a formula: the record of a statistic, or a size."""

    @property
    def name(self) -> str:
        """Return its name in texts."""


@dataclass(frozen=True)
class ClassSize:
    """Size of a class: its total n, its numbers of rows r and of columns s."""

    name: str


SIZES: Mapping[str, ClassSize] = {name: ClassSize(name) for name in ("n", "r", "s")}
"""What conditions may name beside statistics."""


@dataclass(frozen=True)
class Name:
    """Node for a name: the record of a statistic, or a size."""

    of: Named

    depth = 0


@dataclass(frozen=True)
class Apply:
    """Node for an operator and its operands: two or, for "not" and "neg", one; any number for "and" and "or"."""

    operator: str
    parts: tuple[FormulaTree, ...]

    @cached_property
    def depth(self) -> int:
        """Return the depth of nested operators."""
        return 1 + max(part.depth for part in self.parts)


@dataclass(frozen=True)
class Chain:
    """Node for comparisons that share operands: ``parts[i] relations[i] parts[i + 1]`` for every i."""

    relations: tuple[str, ...]
    parts: tuple[FormulaTree, ...]

    @cached_property
    def depth(self) -> int:
        """Return the depth of nested operators."""
        return 1 + max(part.depth for part in self.parts)


FormulaTree = Constant | Name | Apply | Chain


def is_truth(formula: FormulaTree) -> bool:
    """Return whether a formula is true or false, not a number.

    >>> is_truth(parse("n < 5", SIZES))
    True
    """
    return isinstance(formula, Chain) or (isinstance(formula, Apply) and formula.operator in CONNECTIVES)


def words_of(known: Mapping[str, Any]) -> dict[str, str]:
    """Return other names and titles of statistics, with the short name of each.

    >>> from confmat.statistics import STATISTICS
    >>> words = words_of(STATISTICS)
    >>> words["adjusted_rand_score"], words["adjusted rand index"], words["acc"]
    ('ari', 'ari', 'accuracy')
    """
    words = {}
    for name, record in known.items():
        for word in (getattr(record, "title", name).lower(), *getattr(record, "names", ()), name):
            words[word] = name
    return words


def found_among(name: Any, known: Mapping[str, Any]) -> Any:
    """Return what a name stands for, whether its letters are large or small; None for other names.

    >>> from confmat.statistics import STATISTICS
    >>> found_among("ARI", STATISTICS).name, found_among("Adjusted_Rand_Score", STATISTICS).name
    ('ari', 'ari')
    """
    if not isinstance(name, str):
        return None
    for word in (name, name.lower()):
        if word in known:
            return known[word]
    return next((known[word] for word in known if word.lower() == name.lower()), None)


def meant_among(word: str, statistics: Mapping[str, Any], more_words: Iterable[str] = ()) -> str:
    """Return what a misspelled name may have meant, by the names and titles of statistics; other words as they are.

    >>> from confmat.statistics import STATISTICS
    >>> [meant_among(word, STATISTICS, ["fhb"]) for word in ("acuracy", "adjusted rand", "fbh", "log_loss")]
    ['; did you mean accuracy?', '; did you mean ari?', '; did you mean fhb?', '']
    """
    if word.lower() in _SCORES_OF_OTHERS:
        return ""
    words = words_of(statistics) | {name: name for name in more_words}
    stems = {text.removesuffix("_score").removesuffix("_index"): name for text, name in words.items()}
    return meant(word.lower().removesuffix("_score").removesuffix("_index"), stems, stems)


# Scores of scikit-learn that none of the statistics is, although a name is like one.
_SCORES_OF_OTHERS = frozenset(
    [
        "average_precision_score",
        "brier_score_loss",
        "calinski_harabasz_score",
        "davies_bouldin_score",
        "hamming_loss",
        "hinge_loss",
        "jaccard_score",
        "log_loss",
        "pair_confusion_matrix",
        "silhouette_score",
        "zero_one_loss",
    ]
)


# --- from text ------------------------------------------------------------------------------------


def parse(
    text: str, known: Mapping[str, Named], *, argument: str = "condition", number: bool = False
) -> FormulaTree:
    """Return the expression tree of a condition, or of a number if ``number`` is True.

    Names are looked up in ``known``, and arithmetic of constants is evaluated. Raise ValueError with the argument,
    the text, the position and the fault.

    >>> from confmat.statistics import STATISTICS
    >>> write(parse("med<=4/20, ard>1", STATISTICS))
    'med <= 1/5 and ard > 1'
    >>> parse("mad = 1", STATISTICS)
    Traceback (most recent call last):
    ...
    ValueError: condition must read like "med<=1/5, ard>1", got 'mad = 1': position 0 has the unknown name 'mad'; \
did you mean med?
    """
    example = "4/20" if number else _EXAMPLES.get(argument, "med<=1/5, ard>1")
    reader = _Reader(text, known, f'{argument} must read like "{example}"')
    formula = reader.formula()
    if reader.token.text:
        reader.fail(f"has {reader.token.text!r}, which continues nothing")
    reader.raise_problems()
    if is_truth(formula) == number:
        reader.fail(
            "asks for a number, not for a comparison"
            if number
            else f"asks for a comparison ({' '.join(RELATION_SIGNS)})"
        )
    return formula


_EXAMPLES = {"statement": "med <= 1/10 -> ari >= 0"}


class _Token(NamedTuple):
    """Token of ``kind`` "number", "name" or "sign"; the end of the text is a sign without text."""

    kind: str
    text: str
    position: int


class _Reader:
    """Parser by precedence: an operand, then every operator that binds at least as tightly as requested."""

    def __init__(self, text: str, known: Mapping[str, Named], demand: str) -> None:
        self.text, self.known, self.demand = text, known, demand
        self.token = _Token("sign", "", 0)
        self.nesting = 0
        self.problems: list[str] = []
        if len(text) > _LONGEST:
            raise ValueError(f"{demand}, in at most {_LONGEST} characters, got {len(text)}")
        self.tokens = self._tokens()
        self._advance()

    def fail(self, problem: str, position: int | None = None) -> NoReturn:
        """Raise the error about a position, the current one unless said, after the problems that were found before."""
        self._note(problem, self.token.position if position is None else position)
        for token in (self.token, *self.tokens):
            if token.kind == "name":
                self._name(token)
        self.raise_problems()
        raise AssertionError

    def _note(self, problem: str, place: int) -> None:
        """Add a problem after which the text can still be read."""
        place_text = "the end" if place >= len(self.text) else f"position {place}"
        self.problems.append(f"{place_text} {problem}")

    def raise_problems(self) -> None:
        """Raise ValueError that names all problems, if there are any."""
        if self.problems:
            raise ValueError(f"{self.demand}, got {self.text!r}: {'; '.join(self.problems)}")

    def _tokens(self) -> Iterator[_Token]:
        position = 0
        while position < len(self.text):
            if self.text[position].isspace():
                position += 1
                continue
            match = _TOKEN.match(self.text, position)
            if match is None:
                self._note(f"has {self.text[position]!r}, which means nothing here", position)
                position += 1
                continue
            sign = match.group()
            if sign.lower() in _WORDS:
                sign = sign.lower()
                kind = "sign"
            else:
                kind = str(match.lastgroup)
            yield _Token(kind, _ALIASES.get(sign, sign), position)
            position = match.end()
        yield _Token("sign", "", len(self.text))

    def _advance(self) -> _Token:
        token_before, self.token = self.token, next(self.tokens, self.token)
        return token_before

    def formula(self, least: int = 0) -> FormulaTree:
        """Return the formula that follows, up to an operator that binds less tightly than ``least``."""
        self.nesting += 1
        if self.nesting > _DEEPEST_NESTING:
            self.fail(f"is nested more than {_DEEPEST_NESTING} deep")
        start = self.token.position
        formula = self._operand()
        while least <= self._binding():
            if self.token.text in RELATION_SIGNS:
                grow = self._chain
            else:
                grow = self._joined
            formula = grow(formula, start)
        self.nesting -= 1
        return formula

    def _binding(self) -> int:
        """Return the precedence of the operator that follows, -1 if there is none."""
        infix = self.token.kind == "sign" and self.token.text not in ("", "not")
        if infix:
            return _BINDS.get(self.token.text, -1)
        return -1

    def _operand(self) -> FormulaTree:
        token = self._advance()
        if token.kind == "number":
            return Constant(Fraction(token.text))
        if token.text == _SQRT and self.token.text == "(":
            start = self.token.position
            radicand = self._kind(self._operand(), start, _SQRT, truth=False)
            return Apply(_SQRT, (radicand,))
        if token.kind == "name":
            return self._name(token)
        if token.text == "(":
            formula = self.formula()
            if self.token.text != ")":
                self.fail("asks for )")
            self._advance()
            return formula
        if token.text not in ("not", "-", "+"):
            self.fail("asks for a number, a name, -, not or (", token.position)
        operator = "not" if token.text == "not" else "neg"
        start = self.token.position
        part = self._kind(
            self.formula(_BINDS[operator]),
            start,
            token.text,
            truth=operator == "not",
        )
        if token.text == "+":
            return part
        return self._apply(operator, (part,))

    def _name(self, token: _Token) -> FormulaTree:
        named = found_among(token.text, self.known)
        if named is None:
            hint = meant_among(token.text, self.known, _WORDS)
            if not hint and len(self.known) > _MOST_NAMES_LISTED:
                hint = "; `confmat statistics` lists the names"
            elif not hint:
                hint = f"; known are {', '.join(self.known)}"
            self._note(f"has the unknown name {token.text!r}{hint}", token.position)
            return Constant(Fraction(1))
        return Name(named)

    def _chain(self, left_part: FormulaTree, start: int) -> FormulaTree:
        relations = []
        parts = [self._kind(left_part, start, self.token.text, truth=False)]
        while self.token.kind == "sign" and self.token.text in RELATION_SIGNS:
            relations.append(self._advance().text)
            start = self.token.position
            parts.append(
                self._kind(
                    self.formula(_BINDS["="] + 1),
                    start,
                    relations[-1],
                    truth=False,
                )
            )
        if any(_is_root(part) for part in parts):
            pairs = [_squared(sign, *pair) for sign, pair in zip(relations, pairwise(parts))]
            return self._apply("and", tuple(pairs))
        return self._shallow(Chain(tuple(relations), tuple(parts)))

    def _power(self, base: FormulaTree) -> FormulaTree:
        """Return a base that is multiplied with itself."""
        token = self._advance()
        exponents = range(_LARGEST_POWER + 1)
        if token.kind != "number" or token.text not in map(str, exponents):
            self.fail(f"asks for a power from 0 to {_LARGEST_POWER}", token.position)
        power: FormulaTree = Constant(Fraction(1))
        for exponent in range(int(token.text)):
            power = self._apply("*", (power, base)) if exponent else base
        return power

    def _joined(self, left_part: FormulaTree, start: int) -> FormulaTree:
        sign = self._advance().text
        truth = sign in (",", *CONNECTIVES)
        self._kind(left_part, start, sign, truth)
        if sign == "**":
            return self._power(left_part)
        if sign == "%":
            return self._apply("/", (left_part, Constant(Fraction(100))))
        start = self.token.position
        # Implications group to the right, everything else to the left.
        right_part = self._kind(self.formula(_BINDS[sign] + (sign != "->")), start, sign, truth)
        if sign == "/" and right_part == Constant(Fraction(0)):
            self.fail("is a division by 0", start)
        return self._apply(
            "and" if sign == "," else sign,
            (left_part, right_part),
        )

    def _kind(self, formula: FormulaTree, start: int, sign: str, truth: bool) -> FormulaTree:
        """Return the formula if an operator takes it, or note a problem."""
        if _is_root(formula) and sign not in RELATION_SIGNS:
            self.fail("has a square root, which stands alone on one side of a comparison", start)
        if is_truth(formula) != truth:
            what_it_takes = "comparisons" if truth else "numbers"
            self.fail(
                f"has a {'number' if truth else 'comparison'}, but {sign!r} is for {what_it_takes}", start
            )
        return formula

    def _apply(self, operator: str, parts: tuple[FormulaTree, ...]) -> FormulaTree:
        return self._shallow(applied(operator, parts))

    def _shallow(self, formula: FormulaTree) -> FormulaTree:
        if formula.depth > _DEEPEST_NESTING:
            self.fail(f"is nested more than {_DEEPEST_NESTING} deep")
        return formula


def _is_root(formula: FormulaTree) -> bool:
    return isinstance(formula, Apply) and formula.operator == _SQRT


def _squared(sign: str, left: FormulaTree, right: FormulaTree) -> FormulaTree:
    """Return a comparison of a number with a square root in terms of squares."""
    if not _is_root(right):
        if not _is_root(left):
            return Chain((sign,), (left, right))
        return _squared(sign.translate(str.maketrans("<>", "><")), right, left)
    (radicand,) = right.parts  # type: ignore[union-attr]
    zero = Constant(Fraction(0))
    is_defined: FormulaTree = Chain((">=",), (radicand, zero))
    if _is_root(left):
        (other,) = left.parts  # type: ignore[union-attr]
        squares: FormulaTree = Chain((sign,), (other, radicand))
        return applied("and", (is_defined, Chain((">=",), (other, zero)), squares))
    squares = Chain((sign,), (applied("*", (left, left)), radicand))
    if sign in ("<", "<=", "!="):
        is_below: FormulaTree = Chain(("<",), (left, zero))
        return applied("and", (is_defined, applied("or", (is_below, squares))))
    return applied("and", (is_defined, Chain((">=",), (left, zero)), squares))


def applied(operator: str, parts: tuple[FormulaTree, ...]) -> FormulaTree:
    """Return the operator applied to its operands: constants are computed, nested "and" and "or" are merged.

    >>> write(applied("/", (Constant(Fraction(4)), Constant(Fraction(20)))))
    '1/5'
    """
    if operator in ("and", "or"):
        flat: list[FormulaTree] = []
        for part in parts:
            if isinstance(part, Apply) and part.operator == operator:
                flat += part.parts
            else:
                flat.append(part)
        if len(flat) == 1:
            return flat[0]
        return Apply(operator, tuple(flat))
    numbers = [x.value for x in parts if isinstance(x, Constant)]
    if len(numbers) == len(parts) and operator in ARITHMETIC:
        return Constant(ARITHMETIC[operator](*numbers))
    return Apply(operator, parts)


ARITHMETIC: dict[str, Callable[..., Any]] = {
    "neg": operator.neg,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


# --- from formulas --------------------------------------------------------------------------------


def write(formula: FormulaTree) -> str:
    """Return the text of a formula, with the parentheses that it needs. Parsing it gives the formula again.

    >>> from confmat.statistics import STATISTICS
    >>> write(parse("not (med=.2 or 2*(rd+1)>0) -> 1/5<rd<=0.4", STATISTICS))
    'not (med = 1/5 or 2 * (rd + 1) > 0) -> 1/5 < rd <= 2/5'
    """
    if isinstance(formula, Constant):
        return str(formula.value)
    if isinstance(formula, Name):
        return formula.of.name
    if isinstance(formula, Chain):
        texts = [_within(part, _BINDS["="] + 1) for part in formula.parts]
        return texts[0] + "".join(f" {sign} {text}" for sign, text in zip(formula.relations, texts[1:]))
    operator = formula.operator
    parts = formula.parts
    binds = _BINDS[formula.operator]
    if len(parts) == 1:
        return {"neg": "-"}.get(operator, f"{operator} ") + _within(parts[0], binds)
    if operator == "->":
        return f"{_within(parts[0], binds + 1)} -> {_within(parts[1], binds)}"
    return f" {operator} ".join(_within(part, binds + (i > 0)) for i, part in enumerate(parts))


def _within(formula: FormulaTree, least_binding: int) -> str:
    text = write(formula)
    if _binding_of(formula) >= least_binding:
        return text
    return f"({text})"


def _binding_of(formula: FormulaTree) -> int:
    if isinstance(formula, Constant):
        if not isinstance(formula.value, Fraction):
            return _BINDS["+"]
        return _BINDS["/" if formula.value.denominator > 1 else "neg" if formula.value < 0 else ""]
    if isinstance(formula, Chain):
        return _BINDS["="]
    return _BINDS[formula.operator if isinstance(formula, Apply) else ""]


def parts_of(formula: FormulaTree) -> Iterator[FormulaTree]:
    """Yield a formula and all formulas within it, from left to right.

    >>> [write(part) for part in parts_of(parse("n < r + 1", SIZES))]
    ['n < r + 1', 'n', 'r + 1', 'r', '1']
    """
    yield formula
    if isinstance(formula, Apply | Chain):
        for part in formula.parts:
            yield from parts_of(part)


def named_in(formula: FormulaTree) -> tuple[Named, ...]:
    """Return the meanings of the names in a formula, each once, in order of appearance.

    >>> from confmat.statistics import STATISTICS
    >>> [x.name for x in named_in(parse("rd < med or rd > n/2", {**STATISTICS, **SIZES}))]
    ['rd', 'med', 'n']
    """
    names: list[Named] = []
    for part in parts_of(formula):
        if isinstance(part, Name) and part.of not in names:
            names.append(part.of)
    return tuple(names)


def with_sizes(formula: FormulaTree, sizes: Mapping[str, Fraction]) -> FormulaTree:
    """Return the formula with numbers instead of n, r and s.

    >>> from confmat.statistics import STATISTICS
    >>> write(with_sizes(parse("med <= 4/n", {**STATISTICS, **SIZES}), {"n": Fraction(20)}))
    'med <= 1/5'
    """
    if isinstance(formula, Constant):
        return formula
    if isinstance(formula, Name):
        if isinstance(formula.of, ClassSize):
            return Constant(sizes[formula.of.name])
        return formula
    parts = tuple(with_sizes(part, sizes) for part in formula.parts)
    if isinstance(formula, Chain):
        return Chain(formula.relations, parts)
    if formula.operator == "/" and parts[1] == Constant(Fraction(0)):
        return Apply("/", parts)  # undefined, which a comparison finds out
    return applied(formula.operator, parts)


def fold(
    formula: FormulaTree, value_of: Callable[[Any], Any], apply: Callable[[str, tuple[Any, ...]], Any]
) -> Any:
    """Return the value of a formula, computed from the inside out by ``apply``, with ``value_of`` for names.

    >>> of_size = {"n": "x", "r": "y"}
    >>> as_text = lambda sign, parts: f"({sign} {' '.join(map(str, parts))})"
    >>> fold(parse("2 < n < r", SIZES), lambda size: of_size[size.name], as_text)
    '(and (< 2 x) (< x y))'
    """
    if isinstance(formula, Constant):
        return formula.value
    if isinstance(formula, Name):
        return value_of(formula.of)
    parts = tuple(fold(part, value_of, apply) for part in formula.parts)
    if isinstance(formula, Apply):
        return apply(formula.operator, parts)
    return apply("and", tuple(apply(sign, pair) for sign, pair in zip(formula.relations, pairwise(parts))))
