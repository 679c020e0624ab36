"""Grammar of conditions and conjectures: conversion of text to a formula, and of a formula to text and to values.

Numbers are integers, decimals (0.2 and 20 % are 1/5), names, and combinations of numbers by +, -, *, / and powers
(** or ^, with exponents from 0 to 8). A square root, sqrt(...), must be a whole operand of a comparison.

Comparisons use =, ==, !=, <, <=, > and >=. A chain such as 1/5 < med <= 2/5 is one comparison. Comparisons are
joined, from high to low precedence, by ``not``, ``and`` (``&``), ``or`` (``|``), the comma (another ``and``) and
``->`` (``=>``, ``implies``). Parentheses group. Texts are never evaluated as Python code.
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
"""First word of a statement that some matrix of each class satisfies a condition."""

NUMBERS = ("mean", "var", "min", "q1", "median", "q3", "max")
"""Endings of names of moments and quantiles, such as ard_mean."""

# How tightly an operator binds; "neg" is the minus sign before a number.
_BINDS = {"->": 1, ",": 2, "or": 3, "and": 4, "not": 5, **dict.fromkeys(RELATION_SIGNS, 6)}
_BINDS |= {"+": 7, "-": 7, "*": 8, "/": 8, "neg": 9, "**": 10, "%": 10, "": 11}
_ALIASES = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "=>": "->", "⇒": "->", "implies": "->", "^": "**"}
_ALIASES |= {"&": "and", "&&": "and", "|": "or", "||": "or"}
_WORDS = ("and", "or", "not", "implies")

_TOKEN = re.compile(
    r"(?P<number>[0-9]+\.?[0-9]*|\.[0-9]+)|(?P<name>[^\W\d]\w*)|(?P<sign>->|=>|[=!<>]=|\*\*|&&|\|\||[-+*/()=<>,%^&|≤≥≠⇒])"
)

# Limits of a text. Longer texts would exceed Python's limits of recursion and of digits.
_LONGEST = 4000
_DEEPEST_NESTING = 60
_MOST_NAMES_LISTED = 12  # in an error, of names that are known
_LARGEST_POWER = 8

_SQRT = "sqrt"
"""Operator of a square root. It must be a whole operand of a comparison, which is then squared."""


@dataclass(frozen=True)
class Constant:
    """Node of a formula: a rational number. In a condition on a value it may also be an `Exact` number."""

    value: Any

    depth = 0


class Named(Protocol):
    """Object that a name in a formula refers to: a statistic, or a size of a class."""

    @property
    def name(self) -> str:
        """Return the name as it is written in formulas, such as "ard"."""


@dataclass(frozen=True)
class ClassSize:
    """Size of a class of matrices: its total "n", its number of rows "r" or of columns "s"."""

    name: str


SIZES: Mapping[str, ClassSize] = {name: ClassSize(name) for name in ("n", "r", "s")}
"""Names in conditions in addition to statistics: the sizes of the class."""


@dataclass(frozen=True)
class Name:
    """Node of a formula: a name. ``of`` is the statistic or the size that it refers to."""

    of: Named

    depth = 0


@dataclass(frozen=True)
class Apply:
    """Node of a formula: an operator and its operands.

    "not" and "neg" have one operand, "and" and "or" any number, other operators two.
    """

    operator: str
    parts: tuple[FormulaTree, ...]

    @cached_property
    def depth(self) -> int:
        """Return the depth of nested operators."""
        return 1 + max(part.depth for part in self.parts)


@dataclass(frozen=True)
class Chain:
    """Node of a formula: a chain of comparisons ``parts[i] relations[i] parts[i + 1]`` for all i."""

    relations: tuple[str, ...]
    parts: tuple[FormulaTree, ...]

    @cached_property
    def depth(self) -> int:
        """Return the depth of nested operators."""
        return 1 + max(part.depth for part in self.parts)


FormulaTree = Constant | Name | Apply | Chain


def is_truth(formula: FormulaTree) -> bool:
    """Return whether the value of a formula is a truth value and not a number.

    >>> is_truth(parse("n < 5", SIZES))
    True
    """
    return isinstance(formula, Chain) or (isinstance(formula, Apply) and formula.operator in CONNECTIVES)


def words_of(known: Mapping[str, Any]) -> dict[str, str]:
    """Return a dict from every name and title of the statistics in ``known`` to their short names.

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
    """Return the entry of ``known`` with a name in any letter case, or None.

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
    """Return a hint such as "; did you mean ari?" for the misspelled name ``word``, or "" if no name is similar.

    Candidates are the names and titles of ``statistics`` and the ``more_words``.

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
    """Return the formula of a condition, or of a number if ``number`` is True.

    ``known`` maps names to the objects that they refer to. Arithmetic of constants is evaluated. If the text is not
    valid, the ValueError names the ``argument``, the text, the position and the problem.

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
        reader.fail(f"has {reader.token.text!r}, which is unexpected")
    reader.raise_problems()
    if is_truth(formula) == number:
        reader.fail(
            "needs a number, not a comparison"
            if number
            else f"needs a comparison ({' '.join(RELATION_SIGNS)})"
        )
    return formula


_EXAMPLES = {"statement": "med <= 1/10 -> ari >= 0"}


class _Token(NamedTuple):
    """Token of a formula. ``kind`` is "number", "name" or "sign". The end is a sign with an empty text."""

    kind: str
    text: str
    position: int


class _Reader:
    """Parser of a formula by operator precedence.

    It reads an operand, and then all operators with at least the requested precedence.
    """

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
        """Raise ValueError for a problem at ``position`` (default: the current token) and for earlier problems."""
        self._note(problem, self.token.position if position is None else position)
        for token in (self.token, *self.tokens):
            if token.kind == "name":
                self._name(token)
        self.raise_problems()
        raise AssertionError

    def _note(self, problem: str, place: int) -> None:
        """Store a problem at the position ``place`` of the text.

        Parsing continues, so that several problems are reported.
        """
        place_text = "the end" if place >= len(self.text) else f"position {place}"
        self.problems.append(f"{place_text} {problem}")

    def raise_problems(self) -> None:
        """Raise ValueError with all stored problems, if there are any."""
        if self.problems:
            raise ValueError(f"{self.demand}, got {self.text!r}: {'; '.join(self.problems)}")

    def _tokens(self) -> Iterator[_Token]:
        """Yield the tokens of the text."""
        position = 0
        while position < len(self.text):
            if self.text[position].isspace():
                position += 1
                continue
            match = _TOKEN.match(self.text, position)
            if match is None:
                self._note(f"has {self.text[position]!r}, which is not a valid character", position)
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
        """Return the current token and move to the next."""
        token_before, self.token = self.token, next(self.tokens, self.token)
        return token_before

    def formula(self, least: int = 0) -> FormulaTree:
        """Parse a formula up to the first operator with a precedence below ``least``, and return it."""
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
        """Return the precedence of the current token if it is an infix operator, otherwise -1."""
        infix = self.token.kind == "sign" and self.token.text not in ("", "not")
        if infix:
            return _BINDS.get(self.token.text, -1)
        return -1

    def _operand(self) -> FormulaTree:
        """Parse an operand (number, name, square root, parentheses, or sign and operand) and return its formula."""
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
                self.fail("needs )")
            self._advance()
            return formula
        if token.text not in ("not", "-", "+"):
            self.fail('needs a number, a name, "-", "not" or "("', token.position)
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
        """Return the formula of a name, given its token. Store a problem if the name is unknown."""
        named = found_among(token.text, self.known)
        if named is None:
            hint = meant_among(token.text, self.known, _WORDS)
            if not hint and len(self.known) > _MOST_NAMES_LISTED:
                hint = ". Run `confmat statistics` for the list"
            elif not hint:
                hint = f"; known are {', '.join(self.known)}"
            self._note(f"has the unknown name {token.text!r}{hint}", token.position)
            return Constant(Fraction(1))
        return Name(named)

    def _chain(self, left_part: FormulaTree, start: int) -> FormulaTree:
        """Parse the rest of a chain of comparisons such as "a < b <= c", and return the formula of the chain.

        ``left_part`` is its first operand, which is already parsed, and ``start`` the position of this operand in
        the text.
        """
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
        """Parse an exponent and return the power of ``base`` as a product."""
        token = self._advance()
        exponents = range(_LARGEST_POWER + 1)
        if token.kind != "number" or token.text not in map(str, exponents):
            self.fail(f"needs an exponent from 0 to {_LARGEST_POWER}", token.position)
        power: FormulaTree = Constant(Fraction(1))
        for exponent in range(int(token.text)):
            power = self._apply("*", (power, base)) if exponent else base
        return power

    def _joined(self, left_part: FormulaTree, start: int) -> FormulaTree:
        """Parse an infix operator and its right operand, and return the formula with both operands.

        ``left_part`` is the left operand, which is already parsed, and ``start`` its position in the text.
        """
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
        """Return a formula that begins at ``start`` if it is a valid operand of ``sign``, otherwise raise.

        ``truth`` is True if the operand must be a truth value, False if it must be a number.
        """
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
        """Return a formula, or raise if it is nested too deeply."""
        if formula.depth > _DEEPEST_NESTING:
            self.fail(f"is nested more than {_DEEPEST_NESTING} deep")
        return formula


def _is_root(formula: FormulaTree) -> bool:
    return isinstance(formula, Apply) and formula.operator == _SQRT


def _squared(sign: str, left: FormulaTree, right: FormulaTree) -> FormulaTree:
    """Return a formula without square roots that is equivalent to the comparison ``left`` ``sign`` ``right``.

    For example, x < sqrt(y) becomes y >= 0 and (x < 0 or x * x < y).
    """
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
    """Return the formula that applies ``operator`` to the operands ``parts``.

    Operators on constants are evaluated. Nested "and" and "or" are merged.

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
    """Return the text of a formula with as few parentheses as possible. `parse` converts it back to this formula.

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
    """Return the text of the operand ``formula``, in parentheses if its precedence is below ``least_binding``."""
    text = write(formula)
    if _binding_of(formula) >= least_binding:
        return text
    return f"({text})"


def _binding_of(formula: FormulaTree) -> int:
    """Return the precedence of the outermost operator of a formula."""
    if isinstance(formula, Constant):
        if not isinstance(formula.value, Fraction):
            return _BINDS["+"]
        return _BINDS["/" if formula.value.denominator > 1 else "neg" if formula.value < 0 else ""]
    if isinstance(formula, Chain):
        return _BINDS["="]
    return _BINDS[formula.operator if isinstance(formula, Apply) else ""]


def parts_of(formula: FormulaTree) -> Iterator[FormulaTree]:
    """Yield a formula and all its subformulas, depth first, from left to right.

    >>> [write(part) for part in parts_of(parse("n < r + 1", SIZES))]
    ['n < r + 1', 'n', 'r + 1', 'r', '1']
    """
    yield formula
    if isinstance(formula, Apply | Chain):
        for part in formula.parts:
            yield from parts_of(part)


def named_in(formula: FormulaTree) -> tuple[Named, ...]:
    """Return the objects that names in a formula refer to, without repetition, in order of appearance.

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
    """Return the formula with numbers in place of the names n, r and s, which are the keys of ``sizes``.

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
    """Return the value of a formula.

    ``value_of`` returns the value of an object that a name refers to. ``apply`` returns the value of an operator
    from the values of its operands. A chain of comparisons is an "and" of comparisons.

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
