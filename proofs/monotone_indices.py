"""No improvement of a clustering lowers the pair-counting indices.

Statement `monotone-ari`: no improvement of a clustering lowers ari, if it is defined. An improvement is a split that
    separates no two objects together in the other clustering, or a merge that joins no two objects apart there.
Statement `monotone-ri`: no improvement of a clustering lowers ri, if it is defined. An improvement is a split that
    separates no two objects together in the other clustering, or a merge that joins no two objects apart there.
Statement `monotone-jaccard`: no improvement of a clustering lowers jaccard, if it is defined. An improvement is a
    split that separates no two objects together in the other clustering, or a merge that joins no two objects apart
    there.
Statement `monotone-fm`: no improvement of a clustering lowers fm, if it is defined. An improvement is a split that
    separates no two objects together in the other clustering, or a merge that joins no two objects apart there.

Of M pairs of objects A are together in X, B in Y, P in both; a, b, p are their fractions.  Then 0 <= p <= min(a, b),
and p >= a + b - 1, as the union of the two sets of pairs is at most all.  Let Y be changed; both indices and changes
are symmetric in X and Y.  A split parts pairs that are apart in X: b falls, a and p stay.  A merge joins pairs that are
together in X: b and p rise by the same number, a stays.  So the fractions run along a segment of (b, p), and it is
enough that no derivative along it is negative, where the denominator is positive.

ARI = (p - ab)/D, D = (a + b)/2 - ab = (a(1 - b) + b(1 - a))/2 >= 0.  Along the segment a is fixed and D is linear, so
it is positive between ends where it is, and the ARI defined.
Split: -d ARI/db = (a^2 - 2ap + p)/(2 D^2), and a^2 - 2ap + p = (a - p)^2 + p(1 - p) >= 0.
Merge, b + t and p + t: d ARI/dt = (a(1 - a) + (b - p)(1 - 2a))/(2 D^2).  b - p stays; it is >= 0, which does for
2a <= 1.  It is <= 1 - a, and the numerator is (1 - a)^2 + (2a - 1)(1 - a - (b - p)), which does for 2a >= 1.

RI = 1 - a - b + 2p: both derivatives are 1.  Jaccard = p/(a + b - p): p/(a + b - p)^2 and 1/(a + b - p).
FM^2 = p^2/(ab): p^2/(a b^2) and p(2b - p)/(a b^2), where p <= b.  QED
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import sympy as sp

from confmat.contingency.matrix import contingency_matrix
from confmat.statistics import STATISTICS
from confmat.testing.small import set_partitions
from proofs import require, require_equal

MOST = 6

Labels = tuple[int, ...]
Pairs = set[tuple[int, int]]

# Numerator and denominator of each index, of FM of its square, in a, b, p and the number of pairs.
INDICES: dict[str, Any] = {
    "ari": lambda a, b, p, m: (2 * (m * p - a * b), m * (a + b) - 2 * a * b),
    "ri": lambda a, b, p, m: (m - a - b + 2 * p, m),
    "jaccard": lambda a, b, p, m: (p, a + b - p),
    "fm": lambda a, b, p, m: (p**2, a * b),
}


def check_derivatives() -> None:
    """Check every derivative, and the expressions that show its sign."""
    a, b, p, t = sp.symbols("a b p t")
    D, kept = (a + b) / 2 - a * b, b - p
    require_equal(D, (a * (1 - b) + b * (1 - a)) / 2, "D")
    require_equal(a**2 - 2 * a * p + p, (a - p) ** 2 + p * (1 - p), "the ARI of a split")
    merged = a * (1 - a) + kept * (1 - 2 * a)
    require_equal(merged, (1 - a) ** 2 + (2 * a - 1) * (1 - a - kept), "the ARI of a merge, 2a > 1")
    expected = {
        "ari": ((a**2 - 2 * a * p + p) / (2 * D**2), merged / (2 * D**2)),
        "ri": (1, 1),
        "jaccard": (p / (a + b - p) ** 2, 1 / (a + b - p)),
        "fm": (p**2 / (a * b**2), p * (2 * b - p) / (a * b**2)),
    }
    for name, (split, merge) in expected.items():
        numerator, denominator = INDICES[name](a, b, p, 1)
        index = numerator / denominator
        along = sp.diff(index.subs({b: b + t, p: p + t}, simultaneous=True), t).subs(t, 0)
        require_equal(-sp.diff(index, b), split, f"the derivative of {name} along a split")
        require_equal(along, merge, f"the derivative of {name} along a merge")


def together(labels: Labels) -> Pairs:
    """Return the pairs of objects in a common cluster."""
    return {(i, j) for i, j in combinations(range(len(labels)), 2) if labels[i] == labels[j]}


def improvements(first: Labels, second: Labels) -> Iterator[tuple[str, Labels]]:
    """Yield every split and merge of the second clustering that the first one agrees with."""
    held = {k: {x for x, y in zip(first, second) if y == k} for k in set(second)}
    for k, one in held.items():
        for size in range(1, len(one)):
            for part in combinations(sorted(one), size):
                yield "split", tuple(-1 if y == k and x in part else y for x, y in zip(first, second))
    for k, other in combinations(held, 2):
        if len(held[k] | held[other]) == 1:
            yield "merge", tuple(k if y == other else y for y in second)


def value(name: str, A: Pairs, B: Pairs, pairs: int) -> Fraction | None:
    """Return the index of two sets of pairs, for FM its square, and None for 0/0."""
    numerator, denominator = INDICES[name](len(A), len(B), len(A & B), pairs)
    return Fraction(numerator, denominator) if denominator else None


def check_small() -> int:
    """Check every improvement of every pair of clusterings of up to ``MOST`` objects, one X of each type."""
    tried = 0
    for n in range(2, MOST + 1):
        pairs = n * (n - 1) // 2
        for first, second in product(filter(is_first_of_type, set_partitions(n)), set_partitions(n)):
            A, B = together(first), together(second)
            require(max(0, len(A) + len(B) - pairs) <= len(A & B) <= min(len(A), len(B)), "the bounds of p")
            for kind, changed in improvements(first, second):
                C = together(changed)
                gained = len(A & C) - len(A & B)
                as_said = C < B and not gained if kind == "split" else B < C and gained == len(C) - len(B)
                require(as_said, f"what a {kind} does to b and p")
                for name in INDICES:
                    old, new = value(name, A, B, pairs), value(name, A, C, pairs)
                    fell = old is not None and new is not None and new < old
                    require(not fell, f"{name} of {first} with {second} and {changed}")
                tried += 1
    return tried


def is_first_of_type(labels: Labels) -> bool:
    """Return whether the objects of each cluster are consecutive, larger clusters first, as in one of each type."""
    sizes = [labels.count(k) for k in range(max(labels) + 1)]
    return labels == tuple(sorted(labels)) and sizes == sorted(sizes, reverse=True)


def check_definitions() -> None:
    """Check that the formulas equal the indices of the package if they are not 0/0."""
    for (first, second), name in product(product(set_partitions(4), repeat=2), INDICES):
        found = value(name, together(first), together(second), 6)
        known = float(STATISTICS[name](contingency_matrix(first, second)))
        known = known**2 if name == "fm" else known
        require(found is None or abs(float(found) - known) < 1e-12, f"{name} of {first}, {second}")


def verify() -> str:
    """Check the derivatives, the steps on pairs, and the inequalities on all small clusterings."""
    check_derivatives()
    check_definitions()
    return f"{check_small()} improvements of clusterings of up to {MOST} points"
