"""The page of tables and sequences, ``pages/sequences.md``: ``python notebooks/build_sequences.py`` writes it.

Terms are what the expression beside them gives; a generating function is expanded and compared with them.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp

import confmat as cm
from confmat.indices import extremes
from confmat.laws import medlaw

PAGE = Path(__file__).parent / "pages" / "sequences.md"
HEAD = """# Tables and sequences

Exact numbers of confusion matrices, to be cited and looked up. Every line is what the expression under it gives, in
`import confmat as cm`, `from confmat.indices import extremes`, `from confmat.laws import medlaw`; this page is made by
`python notebooks/build_sequences.py`, and a test compares it. Larger tables: [archives](archive.md).

The OEIS was not searched: this page is built without a network. The definitions are elementary enough for some of them
to be there, such as the numbers of matrices; search for the first terms.
"""


@dataclass(frozen=True)
class Sequence:
    """Numbers by n from ``first`` on, or a triangle by n and m: words, expression, generating function if one is known.

    ``generating``: a text in x (and y); the coefficient of x^n (y^m) is the term.
    """

    title: str
    words: str
    expression: str
    first: int
    generating: str = ""

    def terms(self) -> list[Any]:
        """Numbers, or rows of numbers."""
        names = {"cm": cm, "extremes": extremes, "medlaw": medlaw}
        return list(eval(self.expression, names))

    def lines(self) -> list[str]:
        """Its part of the page; raises ValueError where the generating function gives other numbers."""
        terms = self.terms()
        if self.generating and (expanded := self.expanded(len(terms))) != terms:
            raise ValueError(f"{self.title}: {self.generating} gives {expanded}, not {terms}")
        rows = terms if isinstance(terms[0], list) else [terms]
        shown = [", ".join(map(str, row)) for row in rows]
        if rows is terms:
            shown = [f"n = {n}: {row}" for n, row in enumerate(shown, start=self.first)]
        known = (
            f"Generating function: `{self.generating}`."
            if self.generating
            else "No generating function is given."
        )
        start = f"n = {self.first}, {self.first + 1}, ...; " if rows is not terms else ""
        return [
            f"## {self.title}",
            "",
            self.words,
            "",
            "```",
            *shown,
            "```",
            "",
            f"{start}`{self.expression}`",
            "",
            known,
            "",
        ]

    def expanded(self, count: int) -> list[Any]:
        """As many numbers, or rows without zeros at their ends, from the generating function."""
        x, y = sp.symbols("x y")
        series = sp.series(
            sp.sympify(self.generating, locals={"x": x, "y": y}), x, 0, self.first + count
        ).removeO()
        powers = [
            sp.Poly(series.coeff(x, n), y).all_coeffs()[::-1] for n in range(self.first, self.first + count)
        ]
        rows = [[int(c) for c in row] for row in powers]
        return rows if "y" in self.generating else [row[0] for row in rows]


def matrices(r: int, s: int) -> str:
    """The generating function of r x s matrices without empty lines, by inclusion and exclusion of lines."""
    x = sp.Symbol("x")
    terms = ((-1) ** (r + s - i - j) * sp.binomial(r, i) * sp.binomial(s, j) / (1 - x) ** (i * j)
             for i in range(r + 1) for j in range(s + 1))  # fmt: skip
    return str(sp.factor(sp.together(sum(terms))))


def matched(r: int, s: int) -> str:
    """The generating function of r x s matrices, y counting the objects outside the best matching."""
    x, y = sp.symbols("x y")
    found = medlaw.generating_function(r, s)
    numerator = sum(int(c) * x**n * y ** (n - k) for (k, n), c in np.ndenumerate(found.numerator) if c)
    return str(
        numerator / sp.prod((1 - x**d * y ** (d - 1)) ** e for d, e in enumerate(found.exponents, start=1))
    )


def page() -> str:
    """The page's text."""
    return "\n".join([HEAD, *(line for one in SEQUENCES for line in one.lines())])


SEQUENCES = (
    *(
        Sequence(
            f"{r} x {s} matrices",
            f"{r} x {s} matrices of whole numbers >= 0 with sum n, no row and no column empty: pairs of clusterings "
            f"with {r} and {s} named clusters, up to the names of the objects.",
            f"[cm.Tables(n, {r}, {s}).count() for n in range({s}, {s + 12})]",
            s,
            matrices(r, s),
        )
        for r, s in ((2, 2), (2, 3), (3, 3))
    ),
    Sequence(
        "Matrices of any shape",
        "Matrices of whole numbers >= 0 with sum n, no row and no column empty.",
        "[sum(cm.Tables(n, r, s).count() for r in range(1, n + 1) for s in range(1, n + 1)) for n in range(1, 11)]",
        1,
    ),
    Sequence(
        "2 x 2 matrices by MED",
        "2 x 2 matrices with sum n, lines may be empty, by the number m of objects outside the best matching.",
        "[medlaw.med_counts(n, 2, 2, empty=True) for n in range(1, 11)]",
        1,
        matched(2, 2),
    ),
    Sequence(
        "3 x 3 matrices by MED",
        "3 x 3 matrices with sum n, lines may be empty, by the number m of objects outside the best matching.",
        "[medlaw.med_counts(n, 3, 3, empty=True) for n in range(1, 11)]",
        1,
        matched(3, 3),
    ),
    Sequence(
        "Pairs of partitions by MED",
        "Ordered pairs of set partitions of n objects, by the number of objects outside the best matching of clusters.",
        '[[weight for _, weight in cm.joint(cm.random_model("partitions", n), "med").support] for n in range(1, 7)]',
        1,
    ),
    Sequence(
        "Pairs of partitions by disagreements",
        "Ordered pairs of set partitions of n objects, by the number of pairs of objects that are together in one of "
        "the two alone; numbers that do not occur are left out.",
        '[[weight for _, weight in cm.joint(cm.random_model("partitions", n), "rd").support] for n in range(1, 7)]',
        1,
    ),
    Sequence(
        "Largest MED, 3 clusters on either side",
        "The largest number of objects outside the best matching of two clusterings of n objects with 3 clusters each.",
        "[int(n * extremes.max_med(n, 3, 3)) for n in range(3, 20)]",
        3,
        "x**2*(1 + x)/((1 - x)*(1 - x**3)) - x**2 - 2*x**3",
    ),
    Sequence(
        "Largest disagreement, 3 clusters on either side",
        "The largest number of pairs of objects that are together in one of two such clusterings alone.",
        "[int(n * (n - 1) // 2 * extremes.max_rand_distance(n, 3, 3)) for n in range(3, 20)]",
        3,
        "x**3*(1 + x)/((1 - x)**2*(1 - x**3)) + 2*x**6/(1 - x) + x**5 - x**4 - x**3",
    ),
    Sequence(
        "Values of the ARI",
        "Distinct values of the adjusted Rand index of two clusterings of n objects with 2 clusters each.",
        '[len(list(cm.joint(cm.Tables(n, 2, 2), "ari").support)) for n in range(2, 20)]',
        2,
    ),
)

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
