"""``python notebooks/build_sequences.py [ARCHIVE]`` writes the page of tables and sequences, ``pages/sequences.md``.

Terms are read from an archive (``confmat archive build``), here from a small one that is made first, and continued by
counting functions, which must give what the archive holds; a generating function is expanded and compared with all.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations_with_replacement, count, takewhile
from math import factorial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import sympy as sp
from sympy.functions.combinatorial.numbers import stirling
from sympy.polys.matrices import DomainMatrix
from sympy.polys.ring_series import rs_mul, rs_series_inversion

import confmat as cm
from confmat import archive
from confmat.distributions import med_distribution
from confmat.indices import extremes

PAGE = Path(__file__).parent / "pages" / "sequences.md"
HEAD = """# Tables and sequences

Exact numbers of confusion matrices, with the queries and expressions that compute them.

Each sequence has a query in SQL and an expression in Python. The query gives the first terms, from an
[archive](archive.md) with the digest `{digest}`. The expression gives the other terms. Both agree for all sizes in
the archive. A generating function is expanded and compared with all terms. The expressions use these names:

```python
import confmat as cm
from collections import Counter
from confmat.distributions import med_distribution
from confmat.indices import extremes
from math import factorial
from sympy.functions.combinatorial.numbers import stirling
```

The page is the output of `python notebooks/build_sequences.py`, which builds a new archive or reads the one that is
given as its argument. A test compares the page with this output.

The OEIS could not be searched completely. It contains the numbers of 3 x 3 matrices (A055005) and of matrices of any
shape (A120733), and probably the numbers of 2 x 2 and 2 x 3 matrices, which are elementary. From n = 4 on the largest
MED is floor(2n/3), which is A004523 up to a shift. From n = 7 on the largest number of disagreements is
floor((n - 1)^2/3) + 2, which is A000212 up to a shift and a constant. By their definitions, the other sequences are not
in the OEIS.
"""

# What the archive of this page holds: shapes, sizes, weights.
SMALL = (
    ([(2, 2)], range(2, 20), ["tables"]),
    ([(2, 3), (3, 3)], range(2, 11), ["tables"]),
    ([*combinations_with_replacement(range(1, 6), 2)], range(1, 6), ["tables", "labelings"]),
)


@dataclass(frozen=True)
class Sequence:
    """Numbers by n from ``first`` to ``last``, or a triangle by n and m.

    ``query``: SQL that gives n, the term, or n, m, the term, of an archive; ``expression``: Python of n, a number or a
    row.  ``generating``: a text in x (and y), "" where there is none; the coefficient of x^n (y^m), times n! if it is
    ``exponential``, is the term, for m below ``columns``.  ``known``: words on it, or what is known in its place.
    """

    title: str
    words: str
    query: str
    expression: str
    first: int
    last: int
    generating: str = ""
    exponential: bool = False
    columns: int | None = None
    known: str = ""

    def term(self, n: int) -> Any:
        """A number, or a row of numbers, as the expression gives it."""
        names = {
            "cm": cm,
            "extremes": extremes,
            "med_distribution": med_distribution,
            "factorial": factorial,
            "Counter": Counter,
        }
        return eval(self.expression, {**names, "stirling": stirling, "n": n})

    def archived(self, folder: Path) -> list[Any]:
        """Its terms from ``first`` on, as far as an archive has all of them."""
        with archive.connect(folder) as connection:
            rows = connection.execute(self.query).fetchall()
        found: dict[int, Any] = {}
        for n, *m, term in rows:
            if m:
                row = found.setdefault(n, [])
                row += [0] * (m[0] - len(row)) + [int(term)]
            else:
                found[n] = int(term)
        return [found[n] for n in takewhile(found.__contains__, count(self.first))]

    def lines(self, folder: Path) -> list[str]:
        """Its part of the page; raises ValueError where expression, archive and generating function differ."""
        held = self.archived(folder)
        sizes = range(self.first, max(self.last + 1, self.first + len(held)))
        terms = [self.term(n) for n in sizes]
        if held != terms[: len(held)]:
            raise ValueError(f"{self.title}: the archive has {held}, not {terms[: len(held)]}")
        cut = [x[: self.columns] for x in terms] if isinstance(terms[0], list) else terms
        if self.generating and (expanded := self.expanded(sizes)) != cut:
            raise ValueError(f"{self.title}: {self.generating} gives {expanded}, not {cut}")
        whose = [f"n = {a} to {b}, {of}" for a, b, of in (
            (self.first, self.first + len(held) - 1, "from the archive"),
            (self.first + len(held), sizes[-1], "from the expression"),
        ) if a <= b]  # fmt: skip
        kind = "Exponential generating function" if self.exponential else "Generating function"
        modulo = f" modulo y**{self.columns}" if self.columns else ""
        shown = [f"n = {n}: {', '.join(map(str, x))}" for n, x in zip(sizes, terms)] if terms is not cut else [
            ", ".join(map(str, terms))
        ]  # fmt: skip
        return [
            f"## {self.title}",
            "",
            self.words,
            "",
            "```text",
            *shown,
            "```",
            "",
            f"{'; '.join(whose)}:",
            "",
            "```sql",
            self.query,
            "```",
            "",
            "```python",
            self.expression,
            "```",
            "",
            *([f"{kind}{modulo}: `{self.generating}`.", ""] if self.generating else []),
            *([self.known, ""] if self.known else [] if self.generating else [without_recurrence(terms), ""]),
        ]

    def expanded(self, sizes: Iterable[int]) -> list[Any]:
        """As many numbers, or rows without zeros at their ends, from the generating function."""
        x, y = sp.symbols("x y")
        function = sp.sympify(self.generating, locals={"x": x, "y": y})
        *_, last = sizes
        # In each exponential the power series of the exponent has no constant term.
        whole = function.replace(sp.exp, lambda of: sum(of**k / factorial(k) for k in range(last + 1)))
        polynomials, x_, _ = sp.ring("x, y", sp.QQ)
        numerator, denominator = map(polynomials.from_expr, sp.fraction(sp.together(whole)))
        inverse = rs_series_inversion(denominator, x_, last + 1)
        series = rs_mul(numerator, inverse, x_, last + 1).as_expr()
        rows = []
        for n in sizes:
            times = factorial(n) if self.exponential else 1
            powers = sp.Poly(series.coeff(x, n), y).all_coeffs()[::-1][: self.columns]
            rows.append([int(times * c) for c in powers])
        return rows if "y" in self.generating else [row[0] for row in rows]


def unrecurrent(terms: list[int], order: int, degree: int) -> bool:
    """Whether no linear recurrence of this order, its coefficients polynomials of n, holds for all terms: a proof.

    Its equations have only the zero solution modulo a prime, so over the rationals too.
    """
    rows = [
        [n**d * terms[n + k] for k in range(order + 1) for d in range(degree + 1)]
        for n in range(len(terms) - order)
    ]
    found = DomainMatrix(rows, (len(rows), len(rows[0])), sp.ZZ).convert_to(sp.GF(2**31 - 1))
    return bool(found.rank() == len(rows[0]))


def without_recurrence(terms: list[int]) -> str:
    """Words on terms of which no generating function is known; raises ValueError where they have a recurrence."""
    many = len(terms)
    for order in range(many):
        degree = (many - order - 1) // (order + 1) - 1  # a recurrence of a lower degree is one of this
        if degree >= 0 and not unrecurrent(terms, order, degree):
            raise ValueError(f"{terms} have a recurrence of order {order} and degree at most {degree}")
    return (
        "No generating function is known. No linear recurrence of order k whose coefficients are polynomials of n of "
        f"degree d holds for these {many} terms, for any k and d with (k + 1) (d + 1) + k < {many} (more "
        "equations than unknowns)."
    )


def filled(r: int, s: int, function: Any) -> str:
    """Of a generating function of i x j matrices, lines may be empty, that of r x s ones without empty lines."""
    terms = ((-1) ** (r + s - i - j) * sp.binomial(r, i) * sp.binomial(s, j) * function(i, j)
             for i in range(r + 1) for j in range(s + 1))  # fmt: skip
    return str(sp.factor(sp.together(sum(terms))))


def matched(r: int, s: int) -> Any:
    """The generating function of r x s matrices, y counting the objects outside the best matching."""
    x, y = sp.symbols("x y")
    if not r * s:
        return 1
    found = med_distribution.generating_function(r, s)
    numerator = sum(int(c) * x**n * y ** (n - k) for (k, n), c in np.ndenumerate(found.numerator) if c)
    return numerator / sp.prod((1 - x**d * y ** (d - 1)) ** e for d, e in enumerate(found.exponents, start=1))


def page(folder: Path) -> str:
    """The page's text, of an archive."""
    head = HEAD.format(digest=archive.digest(archive.read_entries(folder))[:12])
    return "\n".join([head, *(line for one in SEQUENCES for line in one.lines(folder))])


def small(folder: Path) -> Path:
    """The archive of this page, made in a folder."""
    for shapes, sizes, weights in SMALL:
        archive.build(folder, shapes, sizes, weights)
    return folder


def largest(statistic: str, unit: str) -> str:
    """SQL of the largest values of a statistic over 3 x 3 matrices, as numbers of ``unit``."""
    return (
        f"SELECT n, max({statistic}_num * {unit} // {statistic}_den) FROM distributions\n"
        "WHERE r = 3 AND s = 3 GROUP BY n ORDER BY n"
    )


def complete(weight: str) -> str:
    """SQL of the sizes of which an archive has all shapes r <= s."""
    return (
        f"SELECT n FROM classes WHERE weight = '{weight}' AND r <= s AND s <= n\n"
        "  GROUP BY n HAVING count(*) = n * (n + 1) // 2"
    )


def by_shape(name: str) -> str:
    """The expression that adds up pairs of labelings over all shapes, each pair of partitions once."""
    return f"""[
    pairs
    for _, pairs in sorted(
        sum(
            (
                Counter(
                    {{
                        x: w // (factorial(r) * factorial(s))
                        for x, w in cm.joint_distribution(
                            cm.Tables(n, r, s),
                            "{name}",
                            weight="labelings",
                        )["{name}"]
                    }}
                )
                for r in range(1, n + 1)
                for s in range(1, n + 1)
            ),
            Counter(),
        ).items()
    )
]"""


def partitions(term: str) -> str:
    """SQL of pairs of partitions by a whole number."""
    return (
        f"SELECT n, {term} AS m,\n"
        "  sum(count::HUGEINT // (factorial(r) * factorial(s)) * if(r < s, 2, 1))\n"
        f"FROM distributions WHERE weight = 'labelings' AND r <= s AND n IN (\n  {complete('labelings')})\n"
        "GROUP BY n, m ORDER BY n, m"
    )


CONNECTED = (
    "Connect two objects if they are together in at least one partition. {of} is the sum over the connected "
    "components. The generating function is therefore the exponential of the generating function of connected pairs "
    "of partitions. Pairs of partitions with one cluster each contribute exp(x) - 1 to the latter."
)

SEQUENCES = (
    *(
        Sequence(
            f"{r} x {s} matrices",
            f"{r} x {s} matrices of integers >= 0 with sum n, without empty rows and columns. They are the pairs of "
            f"clusterings with {r} and {s} named clusters, if objects are not distinguished.",
            f"SELECT n, matrices FROM classes WHERE r = {r} AND s = {s} AND weight = 'tables' ORDER BY n",
            f"cm.Tables(n, {r}, {s}).count()",
            s,
            s + 13,
            filled(r, s, lambda i, j: (1 - sp.Symbol("x")) ** (-i * j)),
        )
        for r, s in ((2, 2), (2, 3), (3, 3))
    ),
    Sequence(
        "Matrices of any shape",
        "Matrices of integers >= 0 with sum n and without empty rows and columns.",
        "SELECT n, sum(matrices * if(r < s, 2, 1)) FROM classes\n"
        f"WHERE weight = 'tables' AND r <= s AND n IN (\n  {complete('tables')})\nGROUP BY n ORDER BY n",
        "sum(\n    stirling(n, k, kind=1)\n    * sum(factorial(j) * stirling(k, j) for j in range(k + 1)) ** 2\n"
        "    for k in range(n + 1)\n) // factorial(n)",
        1,
        14,
        known="The generating function is the sum of `1/(2**(n + 1)*(2 - (1 - x)**(-n)))` over all n >= 0, added term "
        "by term in powers of x.\n\nProof of the expression. Let P(i, j) = binomial(i j + n - 1, n), the number of "
        "i x j matrices that may have empty rows and columns. By inclusion and exclusion, the number of r x s matrices "
        "without empty rows and columns is the (r, s)-th difference of P at 0. The sum of the differences of all "
        "orders of a polynomial is the sum of P(i, j)/2^(i + j + 2) over all i, j >= 0. P(i, j) is the sum of "
        "c(n, k) (i j)^k/n! over k, where c(n, k) are the unsigned Stirling numbers of the first kind. The sum of "
        "i^k/2^(i + 1) over i is the k-th Fubini number. This gives the expression.",
    ),
    *(
        Sequence(
            f"{k} x {k} matrices by MED",
            f"{k} x {k} matrices with sum n and without empty rows and columns, by the number m of objects outside the "
            "best matching.",
            f"SELECT n, med_num * n // med_den AS m, sum(count) FROM distributions\n"
            f"WHERE r = {k} AND s = {k} AND weight = 'tables' GROUP BY n, m ORDER BY n, m",
            f"med_distribution.med_counts(n, {k}, {k})",
            k,
            14,
            filled(k, k, matched),
        )
        for k in (2, 3)
    ),
    Sequence(
        "Pairs of partitions by MED",
        "Ordered pairs of set partitions of n objects, by the number m of objects outside the best matching of "
        "clusters.",
        partitions("med_num * n // med_den"),
        by_shape("med"),
        1,
        7,
        "exp(exp(x) - 1 + y*(x*exp(2*x) - x**2 - x))",
        exponential=True,
        columns=2,
        known=CONNECTED.format(of="The MED")
        + " Connected pairs with m = 1 contribute x exp(2 x) - x - x^2. In such a pair one object (the factor x) is in "
        "different clusters, and the other objects are in these two clusters (the factor exp(2 x)). The clusters must "
        "not both be empty without the object (-x). If there are two objects, either may be the one outside, so the "
        "pair is counted twice (-x^2). The terms with m = 0 and m = 1 are therefore known for all n. For every m, "
        "the coefficient of y^m is exp(exp(x) - 1) times a polynomial in x and exp(x), since connected pairs have at "
        "most m + 1 clusters in each partition. These polynomials are not given for m >= 2.",
    ),
    Sequence(
        "Pairs of partitions by disagreements",
        "Ordered pairs of set partitions of n objects, by the number m of pairs of objects that are together in "
        "exactly one of the partitions.",
        partitions("rd_num * n * (n - 1) // 2 // rd_den"),
        by_shape("rd"),
        1,
        7,
        "exp(exp(x) - 1 + x**2*y + 2*x**3*y**2 + (x**3/3 + 7*x**4/3)*y**3 + (2*x**4 + 8*x**5/3)*y**4"
        " + (x**4/2 + 7*x**5/2 + 57*x**6/20)*y**5)",
        exponential=True,
        columns=6,
        known=CONNECTED.format(of="The number of disagreements")
        + " In any other connected pair, the m disagreements connect all objects, of which there are at most m + 1. "
        "The coefficient of y^m in the exponent is therefore a polynomial of degree m + 1, which the rows up to "
        "n = m + 1 determine. The coefficient of y^m in the generating function is exp(exp(x) - 1) times a polynomial, "
        "and is thus known for all n.",
    ),
    Sequence(
        "Largest MED, 3 clusters in both clusterings",
        "The largest number of objects outside the best matching of two clusterings of n objects with 3 clusters each.",
        largest("med", "n"),
        "int(n * extremes.max_med(n, 3, 3))",
        3,
        19,
        "x**2*(1 + x)/((1 - x)*(1 - x**3)) - x**2 - 2*x**3",
    ),
    Sequence(
        "Largest number of disagreements, 3 clusters in both clusterings",
        "The largest number of pairs of objects that are together in exactly one of two clusterings of n objects with "
        "3 clusters each.",
        largest("rd", "n * (n - 1) // 2"),
        "int(n * (n - 1) // 2 * extremes.max_rand_distance(n, 3, 3))",
        3,
        19,
        "x**3*(1 + x)/((1 - x)**2*(1 - x**3)) + 2*x**6/(1 - x) + x**5 - x**4 - x**3",
    ),
    Sequence(
        "Values of the ARI",
        "Distinct values of the adjusted Rand index of two clusterings of n objects with 2 clusters each.",
        "SELECT n, count(DISTINCT (ard_num, ard_den)) FROM distributions\n"
        "WHERE r = 2 AND s = 2 AND weight = 'tables' GROUP BY n ORDER BY n",
        'len(cm.joint_distribution(cm.Tables(n, 2, 2), "ari"))',
        2,
        60,
    ),
)

if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    with TemporaryDirectory() as temporary:
        PAGE.write_text(page(Path(sys.argv[1]) if sys.argv[1:] else small(Path(temporary))), encoding="utf-8")
