"""Closed forms in n of exact values: rational, or one rational form for each residue of n, found on some n and tried on
others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from sympy.polys.matrices import DomainMatrix
from sympy.printing.str import StrPrinter

N, MED = sp.symbols("n med")

PERIODS = (1, 2, 3, 4)

# Coefficients by increasing power.
Polynomial = tuple[Fraction, ...]

# Degrees of numerator and denominator of rational forms; and the denominators 1, n, n - 1 and n(n - 1), below a
# polynomial of degree at most 2, that are tried for every period, with fewer coefficients to be found.
_DEGREES = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 2), (2, 2), (3, 2), (2, 3), (3, 3), (4, 3),
            (3, 4), (4, 4))  # fmt: skip
_BELOW: tuple[Polynomial, ...] = tuple(
    tuple(map(Fraction, below)) for below in ((1,), (0, 1), (-1, 1), (0, -1, 1))
)

# The largest n, this share of all, are never used to find a form: they are where it is tried.  Fewer for forms in n
# and m, which are found from many values.
_KEPT = Fraction(1, 3)
_KEPT_OF_TWO = Fraction(1, 10)
_LEAST_KEPT = 3
_LEAST_KEPT_EARLY = 2

# A total at which forms are compared that differ by a function of n.
_LATE = 1000


class _Printer(StrPrinter):
    """Formulas as the package's grammar has them: powers are products."""

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if expr.exp.is_Integer and expr.exp > 1:
            return "*".join([self.parenthesize(expr.base, 55)] * int(expr.exp))
        return str(super()._print_Pow(expr, rational=rational))


def text_of(expression: Any) -> str:
    """A rational expression in the grammar of conditions, factored.

    >>> text_of((N**2 - N - 8) / (N**2 - N)), text_of(2 * (N - 2) / (N - 1))
    ('(n*n - n - 8)/(n*(n - 1))', '2*(n - 2)/(n - 1)')
    """
    return str(_Printer({"order": "lex"}).doprint(sp.factor(expression)))


def _value(polynomial: Polynomial, n: int) -> Fraction:
    found = Fraction(0)
    for c in reversed(polynomial):
        found = found * n + c
    return found


@dataclass(frozen=True)
class Part:
    """A rational function of n: coefficients of numerator and denominator, by increasing power.

    >>> half = Part((Fraction(-1), Fraction(1)), (Fraction(2),))
    >>> half(7), str(half)
    (Fraction(3, 1), '(n - 1)/2')
    """

    above: Polynomial
    below: Polynomial

    def __call__(self, n: int) -> Fraction | None:
        below = _value(self.below, n)
        return _value(self.above, n) / below if below else None

    @property
    def expression(self) -> Any:
        """The same for SymPy."""
        above, below = (
            sum(sp.Rational(c.numerator, c.denominator) * N**i for i, c in enumerate(polynomial))
            for polynomial in (self.above, self.below)
        )
        return sp.cancel(above / below)

    def __str__(self) -> str:
        return text_of(self.expression)


@dataclass(frozen=True)
class Formula:
    """A form for each residue of n modulo ``period``, from n = ``first`` to ``last``.

    ``fitted``: the n that it was found from; ``tried``: all others of its range, where it is right too.

    >>> over = fitted({n: Fraction(n, n - 1) for n in range(4, 14)})[0]
    >>> str(over), over.first, over.fitted, over.tried
    ('n/(n - 1)', 4, (9, 10), (4, 5, 6, 7, 8, 11, 12, 13))
    """

    parts: tuple[Part, ...]
    first: int
    last: int
    fitted: tuple[int, ...]
    tried: tuple[int, ...]

    @property
    def period(self) -> int:
        """How many residues of n have a form of their own."""
        return len(self.parts)

    def part(self, n: int) -> Part:
        """The form at n.

        >>> str(fitted({n: Fraction(n // 2) for n in range(4, 20)})[0].part(7))
        '(n - 1)/2'
        """
        return self.parts[n % self.period]

    def __str__(self) -> str:
        return _by_residue("n", list(map(str, self.parts)))


def _by_residue(letter: str, texts: list[str]) -> str:
    if len(set(texts)) == 1:
        return texts[0]
    return "; ".join(f"{text} for {letter} = {i} mod {len(texts)}" for i, text in enumerate(texts))


def fitted(values: Mapping[int, Fraction]) -> list[Formula]:
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
    kept = max(_LEAST_KEPT, int(len(ns) * _KEPT))
    late = _first_right(values, ns, len(ns) - kept, _late_forms(), len(ns))
    if late is None or late.first == ns[0]:
        return [] if late is None else [late]
    early = _first_right(values, ns, ns.index(late.first) + 1, _early_forms(), 0)
    return [late] if early is None else [late, early]


def _last_run(ns: Sequence[int]) -> list[int]:
    """The last of the runs of numbers without a gap."""
    start = max((i for i in range(1, len(ns)) if ns[i] > ns[i - 1] + 1), default=0)
    return list(ns[start:])


Form = tuple[int, int, int, Polynomial]  # period, degrees above and below, a further factor below


def _late_forms() -> list[Form]:
    forms = [(1, p, q, _BELOW[0]) for p, q in _DEGREES]
    forms += [(period, d, 0, below) for period, below, d in product(PERIODS, _BELOW, range(3))]
    return sorted(forms, key=lambda form: form[0] * (form[1] + form[2] + 1))


def _early_forms() -> list[Form]:
    return [(1, d, 0, below) for d, below in product(range(2), _BELOW)]


def _through(points: list[tuple[int, Fraction]], p: int, q: int, factor: Polynomial) -> Part | None:
    """The only form of these degrees through p + q + 1 points; None where there is none, or not just one."""
    rows = [
        [*(Fraction(n) ** i for i in range(p + 1)), *(-y * _value(factor, n) * n**i for i in range(q + 1))]
        for n, y in points
    ]
    c = _null_vector(rows)
    if c is None or not any(c[p + 1 :]):
        return None
    below = [Fraction(0)] * (q + len(factor))
    for (i, x), (j, y) in product(enumerate(c[p + 1 :]), enumerate(factor)):
        below[i + j] += x * y
    return Part(tuple(c[: p + 1]), tuple(below))


def _null_vector(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The only vector, up to a factor, that a matrix takes to 0; None where there is none, or not just one."""
    exact = [[sp.QQ(x.numerator, x.denominator) for x in row] for row in rows]
    null = DomainMatrix(exact, (len(rows), len(rows[0])), sp.QQ).nullspace()
    if null.shape[0] != 1:
        return None
    return [Fraction(int(x.numerator), int(x.denominator)) for x in null.to_list()[0]]


def _first_right(
    values: Mapping[int, Fraction], ns: Sequence[int], before: int, forms: list[Form], to: int
) -> Formula | None:
    """The first form through the points before a place that is right up to place ``to``, or at some others at least."""
    for period, p, q, factor in forms:
        used = ns[max(0, before - period * (p + q + 1)) : before]
        if len(used) < period * (p + q + 1):
            continue
        parts = [
            _through([(n, values[n]) for n in used if n % period == i], p, q, factor) for i in range(period)
        ]
        right = [part for part in parts if part is not None]
        if len(right) < period:
            continue
        end, start = before, before - len(used)
        while end < len(ns) and right[ns[end] % period](ns[end]) == values[ns[end]]:
            end += 1
        while start > 0 and right[ns[start - 1] % period](ns[start - 1]) == values[ns[start - 1]]:
            start -= 1
        tried = tuple(n for n in ns[start:end] if n not in used)
        if end >= to and len(tried) >= _LEAST_KEPT_EARLY and end - start >= 2 * (q + _different(right)):
            return Formula(tuple(right), ns[start], ns[end - 1], tuple(used), tried)
    return None


def _different(parts: list[Part]) -> int:
    """How many coefficients stand above, over all residues: those of one power that are equal count once."""
    scaled = [[x / (part.below[-1] or 1) for x in part.above] for part in parts]
    return sum(len(set(column)) for column in zip(*scaled))


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
        >>> text_of(half.bound()), text_of(half.bound(upper=False))
        ('med*med*n*n/2', '(med*n - 1)*(med*n + 1)/2')
        """
        steps = [sp.cancel(part - self.parts[0]) for part in self.parts]
        if any(MED in step.free_symbols for step in steps):
            return None
        ordered = sorted(zip(steps, self.parts), key=lambda pair: pair[0].subs(N, _LATE))
        return ordered[-1 if upper else 0][1]

    def __str__(self) -> str:
        return _by_residue("m", list(map(text_of, self.parts)))


def surface(values: Mapping[tuple[int, int], Fraction]) -> Surface | None:
    """The form of values at (n, m), 2 <= 2m <= n; found on all but the last tenth of n and right there too.

    >>> largest = {(n, m): Fraction(2 * m * (n - m), n * (n - 1)) for n in range(4, 20) for m in range(1, n // 2 + 1)}
    >>> found = surface(largest)
    >>> str(found), found.first, found.tried > found.fitted
    ('-2*med*n*(med - 1)/(n - 1)', 1, True)
    """
    where = {at: y for at, y in values.items() if 2 <= 2 * at[1] <= at[0]}
    last = max((n for n, _ in where), default=0)
    early = last - int(last * _KEPT_OF_TWO)
    for period, below, start in product(PERIODS, _BELOW, range(1, early // 4 + 1)):
        chosen = [
            _spread([at for at in where if at[0] <= early and at[1] >= start and at[1] % period == i])
            for i in range(period)
        ]
        forms = [_quadric([(*at, where[at]) for at in points], below) for points in chosen]
        right = [form for form in forms if form is not None]
        if len(right) < period:
            continue
        wrong = [m for (n, m), y in where.items() if _at(right[m % period], n, m) != y * _value(below, n)]
        first, used = max(wrong, default=0) + 1, sum(map(len, chosen))
        inside = sum(m >= first for _, m in where)
        if first <= start and inside >= 2 * used:
            return Surface(
                tuple(_expression(form, below) for form in right), first, last, used, inside - used
            )
    return None


_MOST_POINTS = 12


def _spread(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Some of the points, as far apart as they lie in order."""
    step = max(1, len(points) // _MOST_POINTS)
    return points[::-step][:_MOST_POINTS]


def _monomials(n: Any, m: Any) -> tuple[Any, ...]:
    return (1, n, m, n * n, n * m, m * m)


def _at(form: list[Fraction], n: int, m: int) -> Fraction:
    return sum((c * x for c, x in zip(form, _monomials(n, m))), Fraction(0))


def _quadric(points: list[tuple[int, int, Fraction]], below: Polynomial) -> list[Fraction] | None:
    """Coefficients of the only quadratic form over a denominator through points; None where there is not just one."""
    if len(points) <= len(_monomials(0, 0)):
        return None
    c = _null_vector([[*map(Fraction, _monomials(n, m)), -_value(below, n) * y] for n, m, y in points])
    return None if c is None or not c[-1] else [x / c[-1] for x in c[:-1]]


def _expression(form: list[Fraction], below: Polynomial) -> Any:
    terms = (sp.Rational(c.numerator, c.denominator) * x for c, x in zip(form, _monomials(N, N * MED)))
    return sp.cancel(sum(terms) * Part((Fraction(1),), below).expression)
