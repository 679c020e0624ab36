"""Two methods agree: ``law.check()`` says what was compared, and a fault planted in any of them is an error."""

import json

import numpy as np
import pytest
from command_line import fail, succeed

import confmat as cm
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.errors import ConsistencyError
from confmat.laws import agreement, rdlaw

PASS, MEMBERS = "one pass", "every member one by one"
GENERATING, RECURSION = "the generating function", "the recursion over sets of cells"


def ways(law):
    return [(x.of, x.first, x.second) for x in law.check()]


def test_what_is_compared_with_what():
    two = [("med", PASS, GENERATING), ("rd", PASS, RECURSION)]
    assert ways(cm.joint(Tables(20, 3, 3), "med", "rd", "ard")) == two
    assert ways(cm.joint(Tables(7, 2, 3), "ard")) == [*two, ("ard", "the law", MEMBERS)]
    assert ways(cm.joint(Tables(7, 3, 2, empty=True), "med")) == [*two, ("med", "the law", MEMBERS)]
    assert ways(cm.joint(Tables(50, 3, 3), "med", "ard")) == two
    assert ways(cm.joint(Tables(7, 2, 5), "rd"))[:2] == two
    assert ways(cm.joint(Tables(9, 4, 4), "rd")) == two[1:]  # the generating function is of at most 3 rows
    # Weighed, at fixed margins, of statistics without formulas, given a condition: its members one by one.
    for law in (
        cm.joint(Tables(6, 3, 3), "med", "wallace_ab", weight="labelings"),
        cm.joint(FixedRows([4, 2], 3), "ri", "wallace_ba"),
        cm.joint(FixedMargins([4, 2], [3, 3]), "nmi", weight="labelings"),
    ):
        assert ways(law) == [(", ".join(law.names), "the law", MEMBERS)]
    given = cm.joint(Tables(7, 3, 3), "med", "cor").given("cor>1/2")
    assert ways(given)[-1] == ("med, accuracy given accuracy > 1/2", "the law", MEMBERS)
    # No second way: too many members, empty, visited member by member anyway, draws.
    for matrices in (FixedRows([30, 30, 30], 3), Tables(2, 3, 3)):
        assert cm.joint(matrices, "med", "ard").check() == ()
    assert cm.sample(Tables(6, 2, 2), 10, rng=1).law("med").check() == ()


def test_sums_of_a_pass_are_compared_as_signatures_are(leave_out):
    kept = cm.joint(Tables(9, 3, 3), "med", "rd").check()
    leave_out("one pass")
    assert cm.joint(Tables(9, 3, 3), "med", "rd").check() == kept


def test_what_one_law_lacks_has_no_weight():
    def compared(first, second):
        return agreement.agreement(Tables(4, 2, 2), "med", ("one", first), ("another", second)).values

    assert compared({0: 2, 1: 0}, {0: 2}) == compared({0: 2}, {0: 2, 1: 0}) == 2
    for pair in (({0: 2}, {0: 2, 1: 1}), ({0: 2, 1: 1}, {0: 2})):
        with pytest.raises(ConsistencyError, match="gives 1 the weight"):
            compared(*pair)


def test_all_values_are_compared():
    law = cm.joint(Tables(7, 3, 3), "med", "rd", "ard")
    assert [x.values for x in law.check()] == [
        len(cm.joint(Tables(7, 3, 3), *names).support) for names in (["med"], ["rd"], law.names)
    ]


FAULTS = {
    GENERATING: ("confmat.laws.medlaw.med_counts", lambda counts: [counts[0] + 1, *counts[1:]]),
    RECURSION: ("confmat.laws.rdlaw.rand_distance_counts", lambda counts: [*counts[:-1], counts[-1] - 1]),
    PASS: (
        "confmat.laws.agreement.of_signatures",
        lambda law: (law[0] + [0, 1], law[1]),
    ),
    MEMBERS: ("confmat.laws.agreement.values_of", lambda points: points[1:]),
}


@pytest.mark.parametrize("way", FAULTS)
def test_a_fault_in_any_way_is_an_error(way, monkeypatch):
    matrices = Tables(7, 2, 3)
    law = cm.joint(matrices, "med", "ard")
    assert law.check()
    path, wrong = FAULTS[way]
    module, name = path.rsplit(".", 1)
    right = getattr(__import__(module, fromlist=[name]), name)
    monkeypatch.setattr(path, lambda *arguments, **options: wrong(right(*arguments, **options)))
    with pytest.raises(ConsistencyError) as caught:
        cm.joint(matrices, "med", "ard").check()
    assert f"over {matrices!r}: " in str(caught.value)
    assert way in str(caught.value)


def test_a_symmetry_used_wrongly_is_an_error(monkeypatch):
    """Orbits weighed wrongly with the right total: two row margins change their weights."""
    right = Tables.margins

    def wrong(self, symmetry="none"):
        found = list(right(self, symmetry))
        other = next(i for i, x in enumerate(found) if x.weight != found[0].weight)
        one, two = found[0], found[other]
        found[0], found[other] = two._replace(weight=one.weight), one._replace(weight=two.weight)
        yield from found

    law = cm.joint(Tables(5, 2, 2), lambda table: int(table.max()))
    monkeypatch.setattr(Tables, "margins", wrong)
    with pytest.raises(ConsistencyError):
        cm.joint(Tables(5, 2, 2), cm.Statistic("most", np.max, symmetry="transposition")).check()
    monkeypatch.undo()
    assert law.check()


def test_on_the_command_line(confmat, monkeypatch):
    out = succeed(confmat("table", 20, 3, 3, "--check"))
    checks = [f"Checked: {x}." for x in cm.joint(Tables(20, 3, 3), "med", "rd", "ard").check()]
    in_one_line = " ".join(out.split())
    assert in_one_line.count("Checked: ") == len(checks)
    assert " ".join(checks) in in_one_line
    assert "Checked" not in succeed(confmat("table", 8, 2, 2))
    found = json.loads(succeed(confmat("table", 20, 3, 3, "--check", "--only", "rd", "--json")))
    assert found["checked"][1] == {"of": "rd", "first": PASS, "second": RECURSION, "values": 122}
    alone = succeed(confmat("table", "--rows", "20,20,20", "--cols", "free:3", "--check"))
    assert alone.endswith(
        "Checked: the sum of the weights alone; there is no second method for this class.\n"
    )
    right = rdlaw.rand_distance_counts
    monkeypatch.setattr(rdlaw, "rand_distance_counts", lambda *x, **y: right(*x, **y)[::-1])
    error = fail(confmat("table", 8, 2, 2, "--check"))
    assert error.startswith(
        "confmat: law of rd over Tables(n=8, r=2, s=2, empty=False): one pass gives 0 the"
    )
    assert error.count("\n") == 1
