"""Whatever matrix is handed out is a member that meets every condition and has the value: against all members."""

import re
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, nan

import numpy as np
import pytest

import confmat as cm
from confmat.errors import CertificateError, ConsistencyError
from confmat.statistics import Statistic

# --- own code: every table, and its statistics in Fractions -------------------------------------------


def every_table(n, r, s):
    last = n + r * s - 1
    for bars in combinations(range(last), r * s - 1):
        table = np.diff([-1, *bars, last]).reshape(r, s) - 1
        if table.any(axis=0).all() and table.any(axis=1).all():
            yield table


def over(numerator, denominator, otherwise=nan):
    return Fraction(numerator, denominator) if denominator else otherwise


def pairs(counts):
    return sum(comb(int(x), 2) for x in np.ravel(counts))


def values_of(table):
    n = int(table.sum())
    rows, cols = table.sum(axis=1), table.sum(axis=0)
    a, b, p, all_pairs = pairs(rows), pairs(cols), pairs(table), comb(n, 2)
    narrow = table if len(rows) <= len(cols) else table.T
    lines = range(narrow.shape[0])
    matched = max(
        sum(narrow[i, j] for i, j in zip(lines, order)) for order in permutations(range(narrow.shape[1]))
    )
    rd = Fraction(a + b - 2 * p, all_pairs)
    divisor = a * (all_pairs - b) + b * (all_pairs - a)
    ard = over((a + b - 2 * p) * all_pairs, divisor, Fraction(0))
    return {
        "med": 1 - Fraction(int(matched), n),
        "rd": rd,
        "ri": 1 - rd,
        "ard": ard,
        "ari": 1 - ard,
        "wallace_ab": over(p, a),
        "wallace_ba": over(p, b),
        "jaccard": over(p, a + b - p),
        "rows": Fraction(int(a)),
        "corner": Fraction(int(table[0, 0])),
    }


# No table of pairs (statistic, condition) is written down: all that transposition changes, all that is outside.
ROWS = Statistic("rows", formula=lambda n, m, a, b, p: (a, 1), depends="ABP", symmetry="permutations")
TOLD_BY_SIDES = ("wallace_ab", "wallace_ba", ROWS)
OUTSIDE = ("med", "rd", "ri", "ard", "ari", "wallace_ab", "wallace_ba", "jaccard")
RELATIONS = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "=": lambda x, y: x == y,
}
SIZES = [(6, 2, 2), (5, 2, 3), (5, 3, 2), (5, 3, 3)]


def classes(n, r, s, rng):
    """Some classes of these tables, with own members each."""
    tables = list(every_table(n, r, s))
    yield cm.Tables(n, r, s), tables
    one = tables[rng.integers(len(tables))]
    rows, cols = tuple(one.sum(axis=1).tolist()), tuple(one.sum(axis=0).tolist())
    alike = [x for x in tables if tuple(x.sum(axis=1)) == rows]
    yield cm.classes.FixedRows(rows, s, allow_empty=False), alike
    yield cm.FixedMargins(rows, cols), [x for x in alike if tuple(x.sum(axis=0)) == cols]


def compared(law, statistic, right, facts, context):
    """The ends of a law are those of the members that are right, and its matrices are among these."""
    name = getattr(statistic, "name", statistic)
    defined = [
        facts[x.tobytes()][name] for x in right if facts[x.tobytes()][name] == facts[x.tobytes()][name]
    ]
    if not defined:
        assert law[name].argmin() is None or not right, context
        return 0
    allowed = {x.tobytes() for x in right}
    for found, value, end in (
        (law[name].argmin(), min(defined), law[name].min()),
        (law[name].argmax(), max(defined), law[name].max()),
    ):
        assert end == value, context
        assert found.tobytes() in allowed, (context, found.tolist())
        assert facts[found.tobytes()][name] == value, (context, found.tolist())
    return 1


@pytest.mark.parametrize("size", SIZES)
def test_ends_under_conditions_on_statistics_outside_the_law(size):
    rng = np.random.default_rng(size)
    asked = 0
    for matrices, members in classes(*size, rng):
        facts = {x.tobytes(): values_of(x) for x in members}
        for statistic, outside in product(TOLD_BY_SIDES, OUTSIDE):
            known = sorted({x[outside] for x in facts.values() if x[outside] == x[outside]})
            sign = list(RELATIONS)[rng.integers(len(RELATIONS))]
            end = known[rng.integers(len(known))] if known else Fraction(0)
            for negated in (False, True):  # a negated comparison holds where it is undefined
                right = [
                    x for x in members if RELATIONS[sign](facts[x.tobytes()][outside], end) is not negated
                ]
                text = f"{'not ' * negated}{outside} {sign} {end}"
                law = cm.joint_distribution(matrices, statistic).given(text)
                assert law.total == len(right), text
                asked += compared(law, statistic, right, facts, (matrices, statistic, text))
    assert asked > 50


def test_the_matrices_that_were_wrong():
    given = cm.joint_distribution(cm.Tables(20, 3, 3), "wallace_ab").given("ard<=1/10")
    table = given["wallace_ab"].argmin()
    assert values_of(table)["ard"] <= Fraction(1, 10)
    assert values_of(table)["wallace_ab"] == given["wallace_ab"].min()
    table = cm.joint_distribution(cm.Tables(6, 2, 2), "wallace_ab").given("ari>0")["wallace_ab"].argmin()
    assert values_of(table)["ari"] > 0


@pytest.mark.parametrize("largest", [False, True])
def test_a_value_and_its_matrix_come_from_one_law(largest):
    """The law of both is not held; that of the MED alone is listed."""
    law = cm.joint_distribution(cm.Tables(40, 3, 3), "med", "ard")["med"]
    value, table = (law.max(), law.argmax()) if largest else (law.min(), law.argmin())
    assert values_of(table)["med"] == value == (Fraction(26, 40) if largest else 0)
    assert table.shape == (3, 3)
    assert table.sum() == 40


CORNER = Statistic("corner", lambda table: int(table[0, 0]))


@pytest.mark.parametrize("matrices", [cm.Tables(5, 2, 2), cm.Tables(4, 2, 3)])
def test_ends_of_laws_of_functions_and_of_each_slice(matrices):
    members = [np.array(x) for x in matrices]
    facts = {x.tobytes(): values_of(x) for x in members}
    for given in ("corner < 2", "not wallace_ab <= 1/2", "corner>0 -> wallace_ab=0"):
        law = cm.joint_distribution(matrices, CORNER, "wallace_ab").given(given)
        right = [x for x in members if law_condition(given)(facts[x.tobytes()])]
        assert law.total == len(right)
        for name in ("corner", "wallace_ab"):
            compared(law, name, right, facts, (matrices, given, name))
        for name in ("corner", "wallace_ab"):  # undefined is a value of its own
            for value, each in law.groupby(name):
                same = [x for x in right if is_value(facts[x.tobytes()][name], value)]
                assert each.total == len(same)
                for other in ("corner", "wallace_ab"):
                    compared(each, other, same, facts, (matrices, given, name, value, other))


def law_condition(text):
    return {
        "corner < 2": lambda x: x["corner"] < 2,
        "not wallace_ab <= 1/2": lambda x: not x["wallace_ab"] <= Fraction(1, 2),
        "corner>0 -> wallace_ab=0": lambda x: not x["corner"] > 0 or x["wallace_ab"] == 0,
    }[text]


def is_value(x, value):
    return x == value or (x != x and value != value)


@pytest.mark.parametrize("by", ["med", "rd", "wallace_ab"])
def test_ends_of_each_slice_of_signatures(by):
    members = list(every_table(6, 2, 3))
    facts = {x.tobytes(): values_of(x) for x in members}
    for given in (None, "ari > 0", "not wallace_ba < 1/2"):
        law = cm.joint_distribution(cm.Tables(6, 2, 3), by, "ard", "jaccard")
        conditions = {
            "ari > 0": lambda x: x["ari"] > 0,
            "not wallace_ba < 1/2": lambda x: not x["wallace_ba"] < 0.5,
        }
        right = [x for x in members if given is None or conditions[given](facts[x.tobytes()])]
        for value, each in (law if given is None else law.given(given)).groupby(by):
            same = [x for x in right if is_value(facts[x.tobytes()][by], value)]
            assert each.total == len(same)
            for other in ("ard", "jaccard"):
                compared(each, other, same, facts, (given, by, value, other))


def test_a_conditional_distribution_records_its_condition():
    law = cm.joint_distribution(cm.Tables(6, 2, 2), "med", "rd")
    for value, each in law.groupby("med"):
        assert f"given med = {value}" in repr(each)
        assert each.digest == law.given(f"med = {value}").digest
        assert cm.certificates.check(each.certificate())


# --- searches, checks and draws -----------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_extremes_counterexamples_and_draws_under_conditions(size):
    rng = np.random.default_rng(size)
    for matrices, members in classes(*size, rng):
        facts = {x.tobytes(): values_of(x) for x in members}
        for statistic, outside in product(("wallace_ab", "ard"), ("wallace_ba", "med", "jaccard")):
            end = facts[members[rng.integers(len(members))].tobytes()][outside]
            text = f"{outside} = {end}" if end == end else f"not {outside} = {outside}"
            right = [x for x in members if is_value(facts[x.tobytes()][outside], end)]
            defined = [x for x in right if facts[x.tobytes()][statistic] == facts[x.tobytes()][statistic]]
            best = max((facts[x.tobytes()][statistic] for x in defined), default=None)
            found = cm.maximize(matrices, statistic, given=text)
            assert found.value == best
            allowed = {x.tobytes() for x in right}
            for table in found.tables:
                assert table.tobytes() in allowed
                assert facts[table.tobytes()][statistic] == best
            draws = cm.sample(matrices, 20, rng=1, given=text).tables
            assert {np.array(x).tobytes() for x in draws} <= allowed
            answer = cm.check(f"not ({text})", matrices)
            assert answer.counterexample.tobytes() in allowed


class Changing:
    """A predicate that is False the first time it is asked, and True from then on."""

    def __init__(self):
        self.asked = set()

    def __call__(self, table):
        new = table.tobytes() not in self.asked and table[0, 0] == 2
        self.asked.add(table.tobytes())
        return not new


def test_a_counterexample_is_asked_again():
    with pytest.raises(ConsistencyError, match="but the predicate is True in a second call"):
        cm.check(cm.Conjecture("changing", "it changes", predicate=Changing()), cm.Tables(4, 2, 2))


def test_a_claim_that_shows_no_member():
    from confmat.conjectures import Finding, Violation

    def claim(matrices):
        return Finding(matrices.count(), "", Violation("see there", {"matrix": ((9, 0), (0, 9))}))

    with pytest.raises(
        ConsistencyError, match=r"returned the counterexample .*, which is not a member of Tables"
    ):
        cm.check(cm.Conjecture("foreign", "it is", predicate=claim, on="distributions"), cm.Tables(4, 2, 2))


def test_doubles_are_asked_up_to_rounding():
    """A sum of doubles over cells depends on their order; the matrix shown is in another order than the one visited."""

    def score(table):
        return float(sum(0.1 * (i + 1) ** 0.5 * x for i, x in enumerate(sorted(table.ravel()))))

    inexact = Statistic("score", score, symmetry="transposition", exact=False)
    law = cm.joint_distribution(cm.Tables(6, 2, 3), inexact, "ard")
    for value, each in law.groupby("score"):
        table = each["ard"].argmax()
        assert abs(score(table) - value) < 1e-9


CLAIMS = ["med-bound", "rd-max-form", "rd-max-value", "ard-form", "ard-independent"]
OF_CLAIMS = [(n, r, s) for r, s in ((2, 2), (2, 3), (3, 2), (3, 3), (2, 4)) for n in range(max(r, s), 9)]


def numbers_of_witnesses():
    """Of every witness of a claim about laws: the largest value that it says there is, and the matrix's own."""
    index = {"MED": cm.med, "RD": cm.rand_distance, "ARD": cm.ard}
    for name in CLAIMS:
        conjecture = cm.conjectures.LITERATURE[name]
        for size in OF_CLAIMS:
            matrices = cm.Tables(*size)
            found = cm.conjectures.check(conjecture, [matrices]) if conjecture.applies(matrices) else None
            if getattr(found, "witness", None):
                said = re.search(r"largest (MED|RD|ARD)(?: is|,) ([0-9/]+)", found.detail)
                yield (
                    name,
                    size,
                    Fraction(said[2]),
                    index[said[1]](np.array(found.witness["matrix"]), exact=True),
                )


def test_the_witness_of_a_claim_about_laws_has_the_value_that_it_shows():
    found = list(numbers_of_witnesses())
    assert {name for name, *_ in found} == set(CLAIMS)
    assert [x for x in found if x[2] != x[3]] == []


def test_a_value_that_no_member_has(monkeypatch):
    """Where a statistic is looked for table by table."""
    law = cm.joint_distribution(cm.Tables(6, 2, 2), "cor")
    monkeypatch.setattr("confmat._engine.witnesses.tables_under", lambda *_: iter(()))
    with pytest.raises(ConsistencyError, match=r"a table with accuracy = 1 was counted in Tables\(n=6, "):
        law["cor"].argmax()


def test_a_second_walk_with_another_law():
    from confmat.conjectures import rises

    walk = [(np.array([[[1, 0], [0, 1]]]), np.array([3]))]
    with pytest.raises(CertificateError, match=r"of Tables\(n=2, .* gives another distribution of med, rd"):
        rises("rd", given="med").of_walk(cm.Tables(2, 2, 2), walk)


def test_a_sum_of_doubles_may_be_found_in_another_order():
    roots = cm.Statistic(
        "roots", lambda table: sum(float(x) ** 1.5 * 0.1 for x in table.flat), symmetry="transposition"
    )
    found = cm.minimize(cm.FixedRows([2, 3, 4], 3), roots)
    assert {roots(table) for table in found.tables} != {found.value}
