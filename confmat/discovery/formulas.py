"""Closed forms of exact values: quotients with unknown coefficients, found at some n and tried at others.

n             4    5    6    7    8    9   10
smallest    1/2  2/5  1/2  3/7  1/2  4/9  1/2       1/2 for n = 0 mod 2; (n - 1)/(2*n) for n = 1 mod 2
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice, product, takewhile
from operator import mul
from typing import Any

import sympy as sp
from sympy.polys.matrices import DomainMatrix
from sympy.printing.str import StrPrinter

N, MED = sp.symbols("n med")

PERIODS = (1, 2, 3, 4)

# Degrees of numerator and denominator of rational forms.
_DEGREES = ((0, 1), (1, 1), (0, 2), (2, 1), (1, 2), (2, 2), (3, 2), (2, 3), (3, 3), (4, 3), (3, 4), (4, 4))

# Powers of n - 1 and of n: the denominators 1, n, n - 1 and n(n - 1), below a polynomial of degree at most 2, are tried
# for every period, with fewer coefficients to be found.
_DIVISORS = ((0, 0), (0, 1), (1, 0), (1, 1))

# The largest n, this share of all, are never used to find a form: they are where it is tried.  Fewer for forms in n
# and m, which are found from many values.
_SHARE_TRIED = Fraction(1, 3)
_SHARE_TRIED_OF_TWO = Fraction(1, 10)
_LEAST_TRIED_LATE = 3
_LEAST_TRIED = 2

# A total at which forms are compared that differ by a function of n.
_LATE_TOTAL = 1000


class _Printer(StrPrinter):
    """Formulas as the package's grammar has them: powers are products."""

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if expr.exp.is_Integer and expr.exp > 1:
            return "*".join([self.parenthesize(expr.base, 55)] * int(expr.exp))
        return str(super()._print_Pow(expr, rational=rational))


def text_of_form(expression: Any) -> str:
    """A rational expression in the grammar of conditions, factored.

    >>> text_of_form((N**2 - N - 8) / (N**2 - N)), text_of_form(2 * (N - 2) / (N - 1)), text_of_form(-2 / N**2)
    ('(n*n - n - 8)/(n*(n - 1))', '2*(n - 2)/(n - 1)', '-2/(n*n)')
    """
    factors = sp.factor(expression)
    _, denominator = sp.fraction(factors)
    printer = _Printer({"order": "lex"})
    if denominator.is_Pow:  # one power alone denominator: its product needs parentheses
        product_below = sp.Symbol(f"({printer.doprint(denominator)})")
        factors = factors.xreplace({1 / denominator: 1 / product_below})
    return str(printer.doprint(factors))


def by_residue(letter: str, texts: Sequence[str]) -> str:
    """The text for each residue of a number, in words; the text itself where there is one.

    >>> by_residue("n", ["n/2", "(n - 1)/2"])
    'n/2 for n = 0 mod 2; (n - 1)/2 for n = 1 mod 2'
    """
    if len(set(texts)) == 1:
        return texts[0]
    cases = [f"{text} for {letter} = {i} mod {len(texts)}" for i, text in enumerate(texts)]
    return "; ".join(cases)


# --- quotients --------------------------------------------------------------------------------------------------------

# The terms above and below a fraction line, at numbers or at symbols.
Terms = Callable[[Any], tuple[list[Any], list[Any]]]


def _terms_in_n(
    degree: int, degree_below: int, divisor: tuple[int, int], n: Any
) -> tuple[list[Any], list[Any]]:
    """The terms of a rational form in n.

    >>> _terms_in_n(2, 1, (1, 0), N)
    ([1, n, n**2], [n - 1, n*(n - 1)])
    """
    numerator_terms = [n**i for i in range(degree + 1)]
    denominator_terms = [_divisor(divisor, n) * n**i for i in range(degree_below + 1)]
    return numerator_terms, denominator_terms


def _quadratic(divisor: tuple[int, int], at: tuple[Any, Any]) -> tuple[list[Any], list[Any]]:
    """The terms of a quadratic form in n and m over a denominator in n."""
    n, m = at
    return [
        1,
        n,
        m,
        n * n,
        n * m,
        m * m,
    ], [_divisor(divisor, n)]


def _divisor(powers: tuple[int, int], n: Any) -> Any:
    power_before, power = powers
    return (n - 1) ** power_before * n**power


@dataclass(frozen=True)
class QuotientPart:
    """A quotient of two sums of terms, each with a coefficient.

    >>> half = QuotientPart(partial(_terms_in_n, 1, 0, (0, 0)), (Fraction(-1), Fraction(1)), (Fraction(2),))
    >>> half(7), half(N)
    (Fraction(3, 1), n/2 - 1/2)
    """

    terms: Terms
    above: tuple[Fraction, ...]
    below: tuple[Fraction, ...]

    def __call__(self, at: Any) -> Any:
        """The value at a number (or numbers), None where the denominator is 0; an expression at symbols."""
        numerator_terms, denominator_terms = self.terms(at)
        denominator = sum(map(mul, self.below, denominator_terms))
        if denominator:
            return sum(map(mul, self.above, numerator_terms)) / denominator
        return None


def _through(values: Mapping[Any, Fraction], terms: Terms) -> QuotientPart | None:
    """The only quotient of such terms with these values; None where there is none, or not just one.

    >>> form = _through({n: Fraction(n, n - 1) for n in (4, 5, 6)}, partial(_terms_in_n, 1, 1, (0, 0)))
    >>> form.above, form.below
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(-1, 1), Fraction(1, 1)))
    """
    equations = []
    for point, value in values.items():
        numerator_terms, denominator_terms = terms(point)
        equations.append([*numerator_terms, *(-value * x for x in denominator_terms)])
    solutions = DomainMatrix.from_list(equations, sp.QQ).nullspace()
    if solutions.shape[0] != 1:
        return None
    # The last coefficient that is not 0 is 1.
    coefficients = tuple(map(Fraction, solutions.to_Matrix()))
    part = QuotientPart(
        terms,
        coefficients[: len(numerator_terms)],
        coefficients[len(numerator_terms) :],
    )
    return part if any(part.below) else None


# --- in n -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClosedForm:
    """A form for each residue of n modulo ``period``, from n = ``first`` to ``last``.

    ``fitted``: the n that it was found from; ``tried``: all others of its range, where it is right too.

    >>> over = fitted({n: Fraction(n, n - 1) for n in range(4, 14)})[0]
    >>> str(over), over.first, over.fitted, over.tried
    ('n/(n - 1)', 4, (9, 10), (4, 5, 6, 7, 8, 11, 12, 13))
    """

    parts: tuple[QuotientPart, ...]
    first: int
    last: int
    fitted: tuple[int, ...]
    tried: tuple[int, ...]

    @property
    def period(self) -> int:
        """How many residues of n have a form of their own."""
        return len(self.parts)

    def part(self, n: int) -> QuotientPart:
        """The form at n.

        >>> fitted({n: Fraction(n // 2) for n in range(4, 20)})[0].part(7)(N)
        n/2 - 1/2
        """
        return self.parts[n % self.period]

    @property
    def expressions(self) -> list[Any]:
        """The form for each residue, for SymPy."""
        return [sp.cancel(part(N)) for part in self.parts]

    @cached_property
    def texts(self) -> list[str]:
        """The form for each residue, in the grammar of conditions.

        >>> fitted({n: Fraction(n // 2) for n in range(4, 20)})[0].texts
        ['n/2', '(n - 1)/2']
        """
        return list(map(text_of_form, self.expressions))

    def __str__(self) -> str:
        return by_residue("n", self.texts)


def fitted(values: Mapping[int, Fraction]) -> list[ClosedForm]:
    """Forms of the values from some n to the largest, and of those before: none where none is found.

    The form with the fewest parameters wins; it must be right at all n of the last third, none of which it was found
    from, and at two values or more for each of its coefficients, so that no fewer speak for it than make it (residues
    that share a coefficient speak for each other).  Before the n from which it holds only a form with two parameters
    is tried.

    >>> [str(form) for form in fitted({n: Fraction(n // 2) for n in range(4, 20)})]
    ['n/2 for n = 0 mod 2; (n - 1)/2 for n = 1 mod 2']
    >>> [(str(form), form.first, form.last) for form in fitted({n: Fraction(max(n, 2 * n - 9)) for n in range(20)})]
    [('2*n - 9', 9, 19), ('n', 0, 9)]
    >>> fitted({n: Fraction(1, n * n % 7 + 1) for n in range(20)})
    []
    """
    ns = _last_run(sorted(values))
    number_tried = max(_LEAST_TRIED_LATE, int(len(ns) * _SHARE_TRIED))
    to_the_end = (
        form for form in _forms(values, ns, len(ns) - number_tried, _late_patterns()) if form.last == ns[-1]
    )
    late = next(to_the_end, None)
    if late is None:
        return []
    if late.first == ns[0]:
        return [late]
    early_forms = _forms(values, ns, ns.index(late.first) + 1, _early_patterns())
    return [late, *islice(early_forms, 1)]


def _last_run(ns: Sequence[int]) -> Sequence[int]:
    """The last of the runs of numbers without a gap.

    >>> _last_run([3, 4, 6, 7, 8])
    [6, 7, 8]
    """
    beginnings = [i for i in range(1, len(ns)) if ns[i] > ns[i - 1] + 1]
    return ns[max(beginnings, default=0) :]


# Period, degrees above and below, and a further factor below.
Pattern = tuple[int, int, int, tuple[int, int]]


def _late_patterns() -> list[Pattern]:
    patterns: list[Pattern] = []
    for degree, degree_below in _DEGREES:
        patterns.append((1, degree, degree_below, (0, 0)))
    for period, divisor, degree in product(PERIODS, _DIVISORS, range(3)):
        patterns.append((period, degree, 0, divisor))
    return sorted(patterns, key=_unknowns)


def _early_patterns() -> list[Pattern]:
    return [(1, degree, 0, divisor) for degree, divisor in product(range(2), _DIVISORS)]


def _unknowns(pattern: Pattern) -> int:
    """How many values determine all coefficients of a form."""
    period, degree, degree_below, _ = pattern
    return period * (degree + degree_below + 1)


def _forms(
    values: Mapping[int, Fraction], ns: Sequence[int], end: int, patterns: list[Pattern]
) -> Iterator[ClosedForm]:
    """Forms through the last points before a place that are right at enough others around them."""
    for pattern in patterns:
        period, degree, degree_below, divisor = pattern
        start = max(0, end - _unknowns(pattern))
        used = ns[start:end]
        terms = partial(_terms_in_n, degree, degree_below, divisor)
        parts: list[Any] = []
        for residue in range(period):
            points = {n: values[n] for n in used if n % period == residue}
            parts.append(_through(points, terms))
            if None in parts:
                break
        if None in parts:
            continue
        is_right = partial(_is_right, parts, values)
        earlier = list(takewhile(is_right, reversed(ns[:start])))
        later = list(takewhile(is_right, ns[end:]))
        places_tried = (*reversed(earlier), *later)
        places = sorted([*used, *places_tried])
        number_needed = 2 * (degree_below + _different(parts))
        if len(places_tried) >= _LEAST_TRIED and len(places) >= number_needed:
            yield ClosedForm(
                tuple(parts),
                places[0],
                places[-1],
                tuple(used),
                places_tried,
            )


def _is_right(parts: list[QuotientPart], values: Mapping[int, Fraction], n: int) -> bool:
    return bool(parts[n % len(parts)](n) == values[n])


def _different(parts: list[QuotientPart]) -> int:
    """How many coefficients stand above, over all residues: those of one power that are equal count once."""
    of_powers = zip(*(part.above for part in parts))
    return sum(len(set(coefficients)) for coefficients in of_powers)


# --- in n and m = n MED ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Surface:
    """A quadratic form in n and m over a denominator in n, one for each residue of m, for m >= ``first``, 2m <= n.

    ``parts``, expressions of SymPy, are in n and ``med`` = m/n.  ``fitted``, ``tried``: numbers of (n, m) that it was
    found from, and tried at, all up to n = ``last``.
    """

    parts: tuple[Any, ...]
    first: int
    last: int
    fitted: int
    tried: int

    @property
    def period(self) -> int:
        """How many residues of m have a form of their own."""
        return len(self.parts)

    def bound(self, upper: bool = True) -> Any:
        """The largest (else smallest) of the parts, which differ by what does not depend on m; None where they do.

        >>> half = surface({(n, m): Fraction(m * m // 2) for n in range(4, 24) for m in range(1, n // 2 + 1)})
        >>> text_of_form(half.bound()), text_of_form(half.bound(upper=False))
        ('med*med*n*n/2', '(med*n - 1)*(med*n + 1)/2')
        """
        steps = [sp.cancel(part - self.parts[0]) for part in self.parts]
        if any(MED in step.free_symbols for step in steps):
            return None
        ordered = sorted(
            zip(steps, self.parts),
            key=lambda pair: pair[0].subs(N, _LATE_TOTAL),
        )
        return ordered[-1 if upper else 0][1]

    def __str__(self) -> str:
        return by_residue("m", list(map(text_of_form, self.parts)))


def surface(values: Mapping[tuple[int, int], Fraction]) -> Surface | None:
    """The form of values at (n, m), 2 <= 2m <= n; found on all but the last tenth of n and right there too.

    >>> largest = {(n, m): Fraction(2 * m * (n - m), n * (n - 1)) for n in range(4, 20) for m in range(1, n // 2 + 1)}
    >>> found = surface(largest)
    >>> str(found), found.first, found.tried > found.fitted
    ('-2*med*n*(med - 1)/(n - 1)', 1, True)
    """
    inner = {(n, m): value for (n, m), value in values.items() if 2 <= 2 * m <= n}
    last_n = max((n for n, _ in inner), default=0)
    early = last_n - int(last_n * _SHARE_TRIED_OF_TWO)
    for period, divisor, start in product(PERIODS, _DIVISORS, range(1, early // 4 + 1)):
        terms = partial(_quadratic, divisor)
        parts: list[Any] = []
        used = 0
        for residue in range(period):
            usable = [(n, m) for n, m in inner if n <= early and m >= start and m % period == residue]
            points = _spread(usable)
            is_enough = len(points) >= _LEAST_POINTS
            parts.append(_through({point: inner[point] for point in points}, terms) if is_enough else None)
            if None in parts:
                break
            used += len(points)
        if None in parts:
            continue
        wrong = [m for (n, m), value in inner.items() if parts[m % period]((n, m)) != value]
        first_m = max(wrong, default=0) + 1
        number_inside = sum(m >= first_m for _, m in inner)
        if first_m <= start and number_inside >= 2 * used:
            expressions = [sp.cancel(part((N, N * MED))) for part in parts]
            return Surface(
                tuple(expressions),
                first_m,
                last_n,
                used,
                number_inside - used,
            )
    return None


# A quadratic form has six coefficients: a point more than that speaks for it.
_LEAST_POINTS, _MOST_POINTS = 7, 12


def _spread(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Some of the points, as far apart as they lie in order."""
    step = max(1, len(points) // _MOST_POINTS)
    return points[::-step][:_MOST_POINTS]
