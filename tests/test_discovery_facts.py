"""What discover knows: closed forms on values that were not used, facts against brute force, what follows."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sp

import confmat as cm
from confmat.classes import canonical
from confmat.conjectures import check
from confmat.discovery import DISTANCE_NAMES, facts
from confmat.discovery.facts import Expression, expressions, facts_of
from confmat.discovery.formulas import fitted, surface
from confmat.discovery.known import Knowledge, largest
from confmat.indices import extremes
from confmat.statistics import as_statistic

# --- closed forms ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "first", "text"),
    [
        (lambda n: Fraction(7, 3), 3, "7/3"),
        (lambda n: Fraction(n * n - n - 8, n * (n - 1)), 3, "(n*n - n - 8)/(n*(n - 1))"),
        (lambda n: Fraction(n**4, n**3 + 1), 3, "n*n*n*n/((n + 1)*(n*n - n + 1))"),
        (lambda n: Fraction(n // 2, n), 3, "1/2 for n = 0 mod 2; (n - 1)/(2*n) for n = 1 mod 2"),
        (lambda n: Fraction(-2, n * n), 3, "-2/(n*n)"),
        (lambda n: Fraction(1, (n - 1) ** 2), 3, "1/((n - 1)*(n - 1))"),
        (lambda n: Fraction(n) if n > 5 else Fraction(0), 6, "n"),
    ],
)  # fmt: skip
def test_a_planted_form_is_found_where_it_holds(value, first, text):
    found = fitted({n: value(n) for n in range(3, 31)})[0]
    assert (str(found), found.first, found.last) == (text, first, 30)
    assert not set(found.fitted) & set(found.tried)
    assert {*found.fitted, *found.tried} == set(range(first, 31))
    assert max(found.fitted) < 22 <= max(found.tried)  # the last third is never used
    assert all(found.part(n)(n) == value(n) for n in range(first, 31))
    if found.period == 1:
        told = sp.sympify(text)
        assert all(told.subs("n", n) == value(n) for n in range(first, 31))


def polynomial(coefficients, n):
    return sum(c * n**i for i, c in enumerate(coefficients))


PLANTED = [  # coefficients above, for each residue; those below; how many of them are to be found
    ([[7]], [1], 1),
    ([[3, 2]], [1], 2),
    ([[3, 2, 1]], [1], 3),
    ([[3, 2, 1]], [0, -1, 1], 3),
    ([[5]], [-1, 1], 1),
    ([[1, 1]], [0, 1], 2),
    ([[1, 1]], [1, 2], 3),
    ([[1]], [3, 0, 1], 3),
    ([[1, 0, 2]], [5, 1], 4),
    ([[2, 1, 0, 1]], [3, 1, 1], 6),
    ([[1, 2, 0, 1]], [1, 1, 0, 0, 1], 8),
    ([[1, 2, 0, 0, 1]], [3, 0, 1, 0, 1], 9),
    ([[0, 1], [-1, 1]], [2], 4),
    ([[1, 1], [2, 3]], [0, 1], 4),
    ([[0, 0, 1], [-1, 0, 1]], [0, -1, 1], 6),
    ([[1], [2], [4]], [-1, 1], 3),
    ([[1, 1], [2, 1], [4, 1]], [1], 6),
    ([[1], [2], [4], [3]], [0, 1], 4),
    ([[0, 1], [3, 1], [2, 1], [1, 1]], [4], 8),
]


@pytest.mark.parametrize(("above", "below", "unknown"), PLANTED)
def test_every_planted_form_is_found_as_soon_as_enough_values_speak_for_it(above, below, unknown):
    """Two values for each different coefficient, three and a third at the end that were not used."""

    def value(n):
        return Fraction(polynomial(above[n % len(above)], n), polynomial(below, n))

    degree = max(map(len, above))
    different = sum(len({(*part, *[0] * degree)[i] for part in above}) for i in range(degree))
    # With no coefficient below to be found: divisors that are tried have none.
    is_tried_below = below in ([1], [2], [4], [0, 1], [-1, 1], [0, -1, 1])
    needed = 2 * (different + (0 if is_tried_below else len(below) - 1))
    for count in range(max(1, needed - 1), 40):
        last = 3 + count
        found = fitted({n: value(n) for n in range(4, last + 1)})
        is_enough = count - max(3, count // 3) >= unknown and count >= needed
        if found and len(found[0].fitted) < unknown:
            continue  # a simpler form has the same values so far
        assert bool(found) == is_enough, count
        if found:
            form = found[0]
            assert (form.first, form.last, len(form.fitted)) == (4, last, unknown)
            end = last - max(3, count // 3)
            assert form.fitted == tuple(range(end - unknown + 1, end + 1))
            assert form.tried == (*range(4, end - unknown + 1), *range(end + 1, last + 1))
            if count > needed:
                break
    else:
        pytest.fail("it was not found")
    assert form.period == len(above)
    assert all(form.part(n)(n) == value(n) for n in range(50, 60))


def test_a_form_before_the_last_one_is_a_simple_one():
    """The two are the same where the last one begins."""
    for early, text in (
        (lambda n: Fraction(3), "3"),
        (lambda n: Fraction(2 * n - 1), "2*n - 1"),
        (lambda n: Fraction(n + 1, n), "(n + 1)/n"),
        (lambda n: Fraction(2, n - 1), "2/(n - 1)"),
        (lambda n: Fraction(n + 1, n * (n - 1)), "(n + 1)/(n*(n - 1))"),
        (lambda n: Fraction(n * n + 1), None),
        (lambda n: Fraction(n // 2), None),
    ):
        late = {n: early(12) + (n - 12) * (n + 20) for n in range(12, 31)}
        forms = fitted({n: early(n) for n in range(3, 12)} | late)
        assert forms[0].first == 12
        assert [(str(x), x.first, x.last) for x in forms[1:]] == ([] if text is None else [(text, 3, 12)])
        assert len(fitted(late)) == 1
    gap = fitted({n: Fraction(n) for n in (3, 4, 5, 6, *range(8, 20))})
    assert [(str(x), x.first) for x in gap] == [("n", 8)]


@pytest.mark.parametrize(
    ("period", "below"),
    [(1, lambda n: 3), (2, lambda n: n), (3, lambda n: n - 1), (4, lambda n: n * (n - 1))],
)
def test_planted_forms_in_two_variables_with_their_bounds(period, below):
    """Quadratic in n and m for each residue of m; from some m on; the largest and the smallest part."""
    shift = [0, 2, -1, 1][:period]

    def value(n, m):
        return Fraction(2 * m * (n - m) + n + shift[m % period] if m > 1 else 7, below(n))

    found = surface({(n, m): value(n, m) for n in range(4, 41) for m in range(n // 2 + 2)})
    assert (found.period, found.first, found.last) == (period, 2, 40)
    number = sum(1 for n in range(4, 41) for m in range(2, n // 2 + 1))
    assert (found.fitted, found.fitted + found.tried) == (12 * period, number)
    for upper, most in ((True, max(shift)), (False, min(shift))):
        at = {"n": 50, "med": sp.Rational(3, 5)}
        assert found.bound(upper).subs(at) == sp.Rational(2 * 30 * 20 + 50 + most, below(50))
    for (n, m), part in zip(((50, 12), (50, 13), (50, 14), (50, 15)), range(4)):
        shown = found.parts[m % period].subs({"n": n, "med": sp.Rational(m, n)})
        assert shown == sp.Rational(value(n, m).numerator, value(n, m).denominator), part


def test_a_form_in_two_variables_is_tried_at_the_last_n_and_needs_half_of_all():
    def value(n, m):
        return Fraction(m * (n - m), n)

    values = {(n, m): value(n, m) for n in range(4, 31) for m in range(1, n // 2 + 1)}
    assert surface(values).first == 1
    assert surface(values | {(30, 1): Fraction(0)}).first == 2
    assert surface(values | {(30, 15): Fraction(0)}) is None
    assert surface(values | {(30, 16): Fraction(0), (30, 0): Fraction(9)}).first == 1
    for last in range(4, 14):
        few = {(n, m): x for (n, m), x in values.items() if n <= last}
        usable = sum(n <= last - last // 10 for n, _ in few)
        assert (surface(few) is not None) == (usable >= 7 and len(few) >= 2 * min(12, usable)), last


@pytest.mark.parametrize("late", [22, 27, 30])
def test_a_form_that_is_wrong_at_one_n_that_was_not_used_is_none(late):
    values = {n: Fraction(n, n + 1) for n in range(3, 31)}
    assert fitted(values)
    assert not fitted(values | {late: Fraction(1, 2)})


@pytest.mark.parametrize(("last", "number"), [(12, 0), (13, 0), (14, 1)])
def test_a_form_with_more_coefficients_than_values_that_speak_for_it_is_none(last, number):
    # Over 2 x 3 tables MED - (1 - J) is at most this up to n = 13, and above it at 14: six coefficients, ten values.
    form = {n: Fraction(n * n - 7 * n + 8, n * (n * n - 5 * n + 8)) for n in range(3, last + 1)}
    assert len(fitted(form)) == number


def test_nothing_is_found_in_what_has_no_form():
    assert not fitted({n: Fraction(sum(map(int, bin(n)[2:])), n) for n in range(3, 31)})
    assert not fitted({3: Fraction(1), 4: Fraction(1)})
    assert not fitted({})
    assert surface({}) is None
    assert surface({(n, m): Fraction(n ^ m) for n in range(4, 24) for m in range(1, n // 2 + 1)}) is None


# --- facts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(5, 2, 2), (6, 2, 3), (5, 3, 3)])
def test_facts_are_those_of_every_table(size):
    matrices = cm.Tables(*size)
    found = facts_of(matrices, DISTANCE_NAMES)
    tables = [np.array(table) for table in matrices]
    for text in map(str, expressions(DISTANCE_NAMES)):
        statistic = as_statistic(text)
        values = [(x, table) for table in tables if (x := statistic(table)) == x]
        if not values:
            assert text not in found["extremes"]
            continue
        best = max(x for x, _ in values)
        orbits = {str(canonical(table).tolist()) for x, table in values if x == best}
        shown = found["extremes"][text]
        assert Fraction(shown["value"]) == best, text
        assert shown["tables"] == sum(x == best for x, _ in values), text
        assert {str(table) for table in shown["listed"]} == orbits, text
    for side, extreme in (("largest", max), ("smallest", min)):
        at = {}
        for table in tables:
            at.setdefault(int(cm.med(table, exact=True) * matrices.n), []).append(cm.ard(table, exact=True))
        expected = [[m, str(extreme(values))] for m, values in sorted(at.items())]
        assert found["given med"][f"{side} ard"] == expected


def test_a_ratio_bounds_nothing_where_what_is_below_it_is_0_or_negative():
    found = facts_of(cm.Tables(5, 2, 2), ("med", "ri", "ari"))["extremes"]
    # RI is 1 where MED is 0; ARI may be negative.
    assert {text for text in found if "/" in text} == {"med/ri", "ari/ri"}
    assert cm.discover([(2, 2)], range(2, 10), ["med", "ri"]).proposals  # no certificate failed


@pytest.mark.parametrize(
    "bound",
    ["2", "n", "n - 2", "-2/(n*n)", "(n - 2)/n", "2*(n + 1)", "(n + 1)*(n - 1) - 1", "n*n/(2*(n - 1))"],
)
@pytest.mark.parametrize("by", ["med", "1 - jaccard"])
def test_a_bound_of_a_ratio_is_stated_as_a_product(bound, by):
    """As its formula says at a number."""
    text = Expression("rd", "/", by).at_most(bound)
    left, right = text.split(" <= ")
    names = {"n": Fraction(7), "med": Fraction(2, 7), "jaccard": Fraction(1, 5)}
    assert left == "rd"
    assert eval(right, dict(names)) == eval(bound, dict(names)) * eval(by, dict(names))
    assert (
        Expression("rd", "-", by).at_most(bound)
        == f"rd - {by if by == 'med' else '(1 - jaccard)'} <= {bound}"
    )
    assert Expression("rd").at_most(bound) == f"rd <= {bound}"


def test_what_facts_say_of_laws_is_what_a_check_says(monkeypatch):
    matrices = cm.Tables(8, 2, 4)
    found = facts_of(matrices, ("med", "rd"))["laws"]
    for question in facts.law_questions(("med", "rd")):
        claim = cm.Conjecture(question.words, question.words, predicate=question.claim, on="laws")
        answer = check(claim, [matrices])
        entry = found[question.words]
        assert entry["wrong"] == getattr(answer, "detail", None)
        if entry["wrong"] is None:
            assert (answer.entries[0].covered, answer.entries[0].digest) == (
                entry["covered"],
                entry["digest"],
            )
    monkeypatch.setattr(facts, "MOST_SIGNATURES_ASKED", 3)
    assert facts_of(matrices, ("med", "rd"))["laws"] == {}


# --- what follows ---------------------------------------------------------------------------------


NOTHING = Knowledge(frozenset())
TWO_BY_TWO = ("two-by-two", "ard-2x2-one", "ard-2x2-exceptions", "ard-2x2-least")


@pytest.mark.parametrize(
    "size", [(6, 1, 3), (13, 2, 2), (10, 2, 3), (9, 3, 2), (8, 3, 3), (8, 2, 5), (7, 4, 4)]
)
def test_no_table_is_excluded_by_what_is_on_record(size):
    matrices = cm.Tables(*size)
    left = set(map(tuple, Knowledge().left(matrices).rows.tolist()))
    for m, A, B, P in _signatures(matrices):
        assert {(m, A, B, P), (m, B, A, P)} & left, (m, A, B, P)


def _signatures(matrices):
    for table in matrices:
        cells = np.array(table)
        A, B, P = (int((x * (x - 1)).sum() // 2) for x in (cells.sum(1), cells.sum(0), cells))
        yield int(cm.med(cells, exact=True) * matrices.n), A, B, P


def pairs_of_parts(n, k):
    """The numbers of pairs within k parts of n, of all sizes."""
    sizes = product(range(1, n + 1), repeat=k)
    return {sum(x * (x - 1) // 2 for x in parts) for parts in sizes if sum(parts) == n}


def numbers_by_hand(size):
    """All (m, A, B, P) with MED, RD and ARD (None where it is 0/0); of square tables A <= B."""
    n, r, s = size
    pairs = n * (n - 1) // 2
    for m, A, B in product(range(n), pairs_of_parts(n, r), pairs_of_parts(n, s)):
        for P in range(min(A, B) + 1 if r != s or A <= B else 0):
            f, below = A + B - 2 * P, A * (pairs - B) + B * (pairs - A)
            if f > pairs:
                continue
            yield (
                (m, A, B, P),
                Fraction(m, n),
                Fraction(f, pairs),
                Fraction(f * pairs, below) if below else None,
            )


@cache
def largest_ard_2x2(n, m):
    return max(cm.ard(x, exact=True) for x in cm.Tables(n, 2, 2) if cm.med(x, exact=True) == Fraction(m, n))


@cache
def least_ard_2x2(n, m):
    return min(cm.ard(x, exact=True) for x in cm.Tables(n, 2, 2) if cm.med(x, exact=True) == Fraction(m, n))


def rd_2x2(n, m, rd):
    return 2 * m <= n and rd == Fraction(2 * m * (n - m), n * (n - 1))


BY_HAND = {  # what a statement allows, at n, r, s and m, MED, RD and ARD
    "med-max": lambda n, r, s, m, med, rd, ard: med <= extremes.max_med(n, r, s),
    "med-max-empty": lambda n, r, s, m, med, rd, ard: med <= extremes.max_med(n, r, s, empty=True),
    "med-min": lambda n, r, s, m, med, rd, ard: med >= extremes.min_med(n, r, s),
    "rd-max": lambda n, r, s, m, med, rd, ard: rd <= extremes.max_rand_distance(n, r, s),
    "rd-max-empty": lambda n, r, s, m, med, rd, ard: rd <= extremes.max_rand_distance(n, r, s, empty=True),
    "rd-min": lambda n, r, s, m, med, rd, ard: rd >= extremes.min_rand_distance(n, r, s),
    "two-by-two": lambda n, r, s, m, med, rd, ard: rd_2x2(n, m, rd),
    "ard-2x2-one": lambda n, r, s, m, med, rd, ard: m >= 2 or ard is None or ard <= largest_ard_2x2(n, m),
    "ard-2x2-exceptions": lambda n, r, s, m, med, rd, ard: (
        not 2 <= m <= n / 2 or ard is None or ard <= largest_ard_2x2(n, m)
    ),
    "ard-2x2-least": lambda n, r, s, m, med, rd, ard: not 0 < m <= n / 2 or ard is None or ard >= least_ard_2x2(n, m),
    "rd-given-med-lower": lambda n, r, s, m, med, rd, ard: rd * n * (n - 1) >= Fraction(s * m * m, r * (s - 1)),
}  # fmt: skip


@pytest.mark.parametrize("size", [(7, 2, 2), (7, 2, 3), (7, 3, 2), (8, 2, 4), (6, 3, 3), (5, 1, 3)])
def test_what_is_left_is_what_each_statement_allows(size):
    every = list(numbers_by_hand(size))
    matrices = cm.Tables(*size)
    found = NOTHING.left(matrices).rows.tolist()
    assert sorted(found) == sorted(list(numbers) for numbers, *_ in every)
    n, (r, s) = size[0], sorted(size[1:])
    for name, allows in BY_HAND.items():
        known = Knowledge(frozenset([name]))
        if not known.holds(name, matrices) or (name in TWO_BY_TWO and (r, s) != (2, 2)):
            expected = [list(numbers) for numbers, *_ in every]
        else:
            expected = [list(x) for x, *at in every if allows(n, r, s, x[0], *at)]
        assert sorted(known.left(matrices).rows.tolist()) == sorted(expected), name


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *((name, (9, 2, 3)) for name in ("med-max", "med-max-empty", "med-min", "rd-max", "rd-max-empty", "rd-min")),
        *((name, (9, 2, 2)) for name in ("ard-2x2-one", "ard-2x2-exceptions", "ard-2x2-least", "two-by-two")),
        ("ard-max", (9, 2, 3)),
        ("ard-form-late", (9, 3, 4)),
        *((f"rd-given-med-{x}", (9, 2, 3)) for x in ("upper", "upper-attained", "lower", "lower-sharp", "lower-wide")),
        ("statistic-ranges", (9, 2, 3)),
        ("ari-least", (9, 2, 3)),
        ("rd-over-jaccard", (9, 2, 3)),
        ("med-over-jaccard-3x3", (10, 3, 3)),
    ],
)  # fmt: skip
def test_every_kind_of_statement_excludes_something(name, size):
    matrices = cm.Tables(*size)
    alone = Knowledge(frozenset([name])).left(matrices).rows
    assert 0 < len(alone) < len(NOTHING.left(matrices).rows)


@pytest.mark.parametrize("name", ["med-bound", "rd-max-value", "ari-above-med", "ard-metric", "null-mean"])
def test_what_is_refuted_or_of_something_else_excludes_nothing(name):
    matrices = cm.Tables(9, 3, 3)
    assert len(Knowledge(frozenset([name])).left(matrices).rows) == len(NOTHING.left(matrices).rows)


def test_a_bound_follows_where_no_numbers_that_are_left_pass_it():
    matrices = cm.Tables(10, 3, 3)
    known = Knowledge(frozenset(["rd-over-med-3x3"])).left(matrices)  # RD <= 16/9 MED
    for expression, bound, follows in (
        (Expression("rd", "/", "med"), Fraction(16, 9), True),
        (Expression("rd", "/", "med"), Fraction(15, 9), False),
        (Expression("med"), Fraction(1, 2), False),
        (Expression("1 - ri", "/", "1 - (1 - med)"), Fraction(16, 9), True),
        (Expression("rd*rd", "/", "med*med"), Fraction(16, 9) ** 2, True),
        (Expression("rd*rd", "/", "med*med"), Fraction(3), False),
        (Expression("rd/(1 + rd)", "-", "16/9*med/(1 + 16/9*med)"), Fraction(0), True),
    ):
        assert (largest(known.passed_by(expression, bound)) <= 1e-7) == follows, str(expression)


def test_a_class_with_too_many_numbers_is_not_looked_at():
    assert NOTHING.left(cm.Tables(60, 3, 3)) is None
    assert NOTHING.last([cm.Tables(n, 3, 3) for n in (8, 60)]).matrices.n == 8


def test_what_is_refuted_is_not_known_and_what_is_out_of_range_neither():
    known = Knowledge()
    assert known.holds("ard-over-med-2x2", cm.Tables(7, 2, 2))
    assert not known.holds("ard-over-med-2x2", cm.Tables(6, 2, 2))
    assert not known.holds("med-bound", cm.Tables(6, 2, 2))
    assert not Knowledge(frozenset()).holds("med-max", cm.Tables(6, 2, 2))
