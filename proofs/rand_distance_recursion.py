"""A recursion in n for the distribution of the RD over all r x s tables, with finitely many polynomials.

Statement `rd-recursion`: the generating functions of F over the tables on a set of cells satisfy a linear recursion
    in n. For 3 x 3 tables there are 25 of them, and each N(n) follows from N(n - w) and from smaller sets.

F = C(n, 2) RD is the sum of x_u x_v over the pairs of cells u, v in the same row or column: per row it is
(a_i^2 - sum_j x_ij^2)/2, per column (b_j^2 - sum_i x_ij^2)/2, and n (n - 1) RD is their sum doubled.  G is the
matrix of this relation, E_h(x) = x'Gx/2 + h . x, and for a set S of cells and an integer vector h on S

    N(S, h; n) = sum over integers x >= 0 on S with total n of q^E_h(x),     0 for n < 0.

1. Step.  For U in S with indicator 1_U:  E_h(x + 1_U) = E_{h + G 1_U}(x) + E_h(1_U).  The x that vanish nowhere on U
   are the y + 1_U with y >= 0; the others are counted by inclusion-exclusion over the cells T of U where they vanish:

       N(S, h; n) = sum over non-empty T in U of (-1)^(|T|+1) N(S - T, h; n) + q^E_h(1_U) N(S, h + G 1_U; n - |U|).

   Solved for its last term it is a step down.  Fields matter up to constants: N(S, h + c; n) = q^(c n) N(S, h; n).
2. Closed paths.  Every integer vector v is a sum of such steps, up or down. They turn h into h + G v and n into n -
   w, w the sum of v.  If G v = c on S, then N(S, h; n) = q^(c n + d) N(S, h; n - w) + terms with fewer cells, d a
   constant.
3. There is such a v with w > 0, or with w = 0 and c > 0.  G is symmetric, so either 1 is orthogonal to its kernel, and
   then G v = 1 has a rational solution; or some integer v in the kernel has w > 0.  In the first case multiply by a
   denominator, and by -1 if w < 0.
4. So a state (S, h), fields up to constants, leads to itself and to states of fewer cells, and (all cells, 0) leads to
   finitely many.  By induction on |S| and n, all follow from N({}, h; n) = (n = 0) where w > 0; where w = 0, they
   follow if c n + d is not 0 for n >= 1, which is checked for each shape.

Consequence: to list the distribution for n takes O(n) polynomials of degree O(n^2) for each state, O(n^3) additions
in all; the tables number about n^(rs - 1).  For 3 x 3 tables 25 states suffice up to permutations of rows and columns
and transposition, none with a field, and N(all; n) = q^(4n - 18) N(all; n - 9) + the tables with an empty cell.  QED
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain, combinations, product

from confmat.distributions.rand_distribution import LARGEST_COLUMNS_OF_RD
from confmat.distributions.rand_distribution.counts import (
    CountTerm,
    Relation,
    State,
    rectangle,
    recursion,
    values_on_cells,
)
from proofs import require, twice_disagreements

Cell = tuple[int, int]
Field = tuple[tuple[Cell, int], ...]
"""Cells and the field on them."""
Part = tuple[Counter[int], int, int]
"""A polynomial, an exponent and a factor."""


def in_line(u: Cell, v: Cell) -> bool:
    """Return whether two different cells have a row or a column in common."""
    return u != v and (u[0] == v[0] or u[1] == v[1])


def energy(x: dict[Cell, int], field: Field) -> int:
    """Return E_h(x), the exponent of q for a table x."""
    pairs = sum(x[u] * x[v] for u, v in combinations(x, 2) if in_line(u, v))
    return pairs + sum(h * x[u] for u, h in field)


@cache
def by_definition(field: Field, n: int) -> Counter[int]:
    """Return N(S, h; n) by its definition, as a dict from exponents to coefficients."""
    cells = [u for u, _ in field]
    values = product(range(n + 1), repeat=len(cells)) if n >= 0 else ()
    return Counter(energy(dict(zip(cells, x)), field) for x in values if sum(x) == n)


def require_sum(parts: list[Part], total: Counter[int], step: str) -> None:
    """Check that polynomials, each times factor q^exponent, add up to ``total``."""
    found: Counter[int] = Counter()
    for polynomial, exponent, factor in parts:
        for e, count in polynomial.items():
            found[e + exponent] += factor * count
    require({e: c for e, c in found.items() if c} == total, step)


def subsets(cells: list[Cell]) -> list[tuple[Cell, ...]]:
    """Return the non-empty subsets of a set of cells."""
    return list(chain.from_iterable(combinations(cells, size + 1) for size in range(len(cells))))


def require_step(r: int, s: int, n: int) -> None:
    """Check step 1 for all S and U of r x s cells, with and without a field."""
    for cells in subsets(list(product(range(r), range(s)))):
        for field in (dict.fromkeys(cells, 0), {u: 3 * u[0] - u[1] for u in cells}):
            total = by_definition(tuple(field.items()), n)
            for steps in subsets(list(cells)):
                parts = []
                for removed in subsets(list(steps)):
                    rest = tuple((u, h) for u, h in field.items() if u not in removed)
                    parts.append((by_definition(rest, n), 0, -((-1) ** len(removed))))
                lifted = tuple((u, h + sum(in_line(u, v) for v in steps)) for u, h in field.items())
                exponent = energy({u: int(u in steps) for u in cells}, tuple(field.items()))
                parts.append((by_definition(lifted, n - len(steps)), exponent, 1))
                require_sum(parts, total, f"step 1 for S = {cells}, U = {steps}")


def field_of(state: State, r: int) -> Field:
    """Return cells and linear term of a state of confmat.distributions.rand_distribution."""
    values = values_on_cells(state, r).tolist()
    return tuple(((i, j), x - 1) for i, row in enumerate(values) for j, x in enumerate(row) if x)


def require_relation(state: State, relation: Relation, r: int, most: int) -> None:
    """Check a relation of confmat.distributions.rand_distribution, by definition for 1 <= n <= most."""
    for n in range(1, most + 1):
        parts = []
        for term, factor in relation.items():
            polynomial = by_definition(field_of(term.source, r), n - term.back)
            parts.append((polynomial, term.slope * n + term.shift, factor))
        require_sum(parts, by_definition(field_of(state, r), n), f"the relation of {state} at n = {n}")


def require_order(relations: dict[State, Relation]) -> None:
    """Check step 4: a state depends on itself at smaller n, or with c n + d > 0 for n >= 1, and on smaller sets."""
    places = {state: i for i, state in enumerate(relations)}
    for state, relation in relations.items():
        for term in relation:
            if term.source == state:
                closes = term.back > 0 or term.slope + term.shift > 0 <= term.slope
                require(closes, f"the path of {state} closes")
            else:
                is_earlier = term.back >= 0 and places[term.source] < places[state]
                require(is_earlier, f"{state} needs {term.source}")


def verify() -> str:
    """Check step 1 on 2 x 3 cells, steps 2 to 4 on the states of each supported shape."""
    for table in product(range(3), repeat=6):
        x = dict(zip(product(range(2), range(3)), table))
        require(2 * energy(x, ()) == twice_disagreements([table[:3], table[3:]]), f"F of {table}")
    require_step(2, 3, 2)
    require_step(2, 2, 4)
    checked = 0
    for r, largest in LARGEST_COLUMNS_OF_RD.items():
        for s in range(r, largest + 1):
            relations = recursion(r, s)
            require_order(relations)
            small = [state for state in relations if any(state) and len(field_of(state, r)) <= 6]
            for state in small[:: 1 + len(small) // 200]:
                require_relation(state, relations[state], r, 3)
                checked += 1
    three = recursion(3, 3)
    everything = rectangle(3, 3, 3, 3)
    require(len(three) == 26, "25 sets of cells of 3 x 3 tables, and the empty one")
    require(all(h == 0 for state in three for _, h in field_of(state, 3)), "no field for 3 x 3 tables")
    own = [term for term in three[everything] if term.source == everything]
    require(own == [CountTerm(everything, 9, 4, -18)], "N(n) = q^(4n - 18) N(n - 9) + ...")
    return f"step 1 on all sets of 2 x 3 cells, {checked} relations by definition, all shapes close"
