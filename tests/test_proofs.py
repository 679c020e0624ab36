"""Every proof runs, is listed, and notices when a step is wrong."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest

import proofs
from confmat.indices.extremes import max_adjusted_rand_distance
from proofs import __main__ as program
from proofs import (
    _registry,
    ard_given_few,
    ard_given_many,
    ard_given_med,
    ard_identities,
    ard_triangle,
    certified_search,
    comparison_identities,
    counting,
    distance_ratios,
    equal_classes_auc,
    expected_ndc,
    least_pairs,
    max_adjusted_rand,
    max_ard_2x2,
    max_ard_only_hooks,
    max_ard_populations,
    max_ard_two_rows,
    max_med,
    max_rand_distance,
    med_generating_function,
    med_limits,
    min_distances,
    monotone_indices,
    null_moments,
    pair_tail_bound,
    rand_distance_recursion,
    rand_given_med,
    rand_given_med_lower,
    rand_given_med_small,
    require_equal,
    require_nonnegative,
    row_tail_bracket,
    row_tail_error,
    smallest_ari,
    soft_null_moments,
)

README = Path(proofs.__file__).with_name("README.md").read_text()


# By the program alone, which ``.ci/run`` starts beside the tests: certified searches, a visit of every table of
# 15 shapes, what takes SymPy over a second.  That wrong steps are noticed is tested below.
LONG = (
    max_ard_only_hooks,
    max_ard_populations,
    max_adjusted_rand,
    rand_given_med_lower,
    rand_given_med_small,
    med_generating_function,
    rand_distance_recursion,
    max_ard_two_rows,
    max_rand_distance,
    distance_ratios,
    soft_null_moments,
    row_tail_error,
    row_tail_bracket,
    null_moments,
    ard_triangle,
    smallest_ari,
    ard_given_few,
    ard_given_many,
    ard_given_med,
    med_limits,
)


@pytest.mark.parametrize(
    "module",
    [pytest.param(m, marks=pytest.mark.slow if m in LONG else ()) for m in proofs.modules()],
    ids=lambda module: module.__name__,
)
def test_proof(module):
    module.verify()


def test_skipped_proofs_run_in_ci():
    """All but one, whose stored certificates take minutes."""
    script = Path(proofs.__file__).parents[1] / ".ci" / "run"
    called = re.search(r"\n  python -m proofs ([\w\s\\]+)", script.read_text())[1]
    names = {module.__name__.removeprefix("proofs.") for module in LONG}
    assert set(called.replace("\\", "").split()) == names - {"max_ard_only_hooks"}


def test_files_in_the_table_exist():
    folder = Path(proofs.__file__).parent
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (folder / target).exists(), target


def test_wrong_algebra_is_noticed():
    import sympy as sp

    x, y = sp.symbols("x y")
    require_equal((x**2 - y**2) / (x - y), x + y, "right")
    with pytest.raises(AssertionError, match="wrong"):
        require_equal((x**2 - y**2) / (x - y), x - y, "wrong")
    require_nonnegative(x**2 + 3 * y, {x: 0, y: 0}, "right")
    require_nonnegative((x - 2) / (x - 1), {x: 2}, "right")
    require_nonnegative(1 - 1 / x, {x: 2}, "right", strict=True)
    for wrong, least in (((x - y) ** 2, {x: 0, y: 0}), (x - 2, {x: 1}), (1 / (x - 1), {x: 1})):
        with pytest.raises(AssertionError, match="wrong"):
            require_nonnegative(wrong, least, "wrong: not by its coefficients")
    with pytest.raises(AssertionError, match="wrong"):
        require_nonnegative(x - 2, {x: 2}, "wrong: not strictly", strict=True)


def always(table):
    return True


DAMAGE = [
    (ard_given_med, "phi", lambda mu: 4 * (4 - 3 * mu) / ((2 - mu) ** 2 * (4 + mu))),
    (ard_given_med, "COEFFICIENTS", ard_given_med.COEFFICIENTS[::-1]),
    (ard_given_med, "QUARTICS", ard_given_med.QUARTICS[::-1]),
    (ard_given_med, "CORNER", ard_given_med.CORNER[::-1]),
    (ard_given_med, "below_the_middle", lambda h, v: 0),
    (ard_given_med, "ROOT", Fraction(8284, 10_000)),
    (ard_given_med, "SMALL", Fraction(2, 10)),
    (ard_given_med, "LARGER", ard_given_med.LARGER - {(9, 7)}),
    (ard_given_med, "CORNERS_FROM", 5),
    (ard_given_med, "table_bound", lambda bound, n: bound),
    (ard_given_med, "is_hook", lambda table: False),
    (ard_given_few, "is_hook", lambda table: False),
    (ard_given_few, "hook_of_ones", lambda n, m: [[n - m, m - 1], [1, 0]]),
    (ard_given_few, "misplaced", lambda table: 0),
    (ard_given_many, "FIRST", 1500),
    (ard_given_many, "ABOVE", Fraction(1, 10)),
    (ard_given_many, "BELOW", Fraction(3, 10)),
    (ard_given_many, "STEEP", Fraction(1)),
    (ard_given_many, "LOSS", Fraction(3, 10)),
    (ard_given_many, "TOP", Fraction(1392, 1000)),
    (ard_given_many, "AFTER", Fraction(42, 100)),
    (ard_given_many, "slope", lambda share, e, t: Fraction(1, 10)),
    (ard_given_many, "TILT", {place: 9 * x for place, x in ard_given_many.TILT.items()}),
    (ard_given_many, "LINE", ard_given_many.LINE[::-1]),
    (ard_given_many, "pairs_of", lambda n, m, off: (n - m, 1, 0)),
    (med_limits, "UPPER", Fraction(1, 3)),
    (med_limits, "MEAN", Fraction(1, 2)),
    (med_limits, "moment", lambda j, end, t: end ** (j + 1) / (j + 1)),
    (counting, "tables", lambda n, r, s: counting.compositions(n, r * s)),
    (max_med, "max_med", lambda n, r, s, allow_empty=False: Fraction(n - -(-n // s), n)),
    (
        max_rand_distance,
        "largest",
        lambda n, r, s, allow_empty=False: (n - r) * (n - r + 1) + (n - s) * (n - s + 1),
    ),
    (max_rand_distance, "balanced_squares", lambda total, parts: total * total // parts),
    (max_rand_distance, "is_hook", always),
    (max_rand_distance, "is_hook", lambda table: False),
    (max_ard_2x2, "EXCEPTIONS", {(4, 2)}),
    (max_ard_2x2, "TIES", {(5, 2)}),
    (max_ard_2x2, "AT_ONE", {5: [[2, 1], [0, 2]]}),
    (max_ard_2x2, "ard_range_given_med_2x2", lambda n, d: (Fraction(d, n), Fraction(1))),
    (smallest_ari, "EQUAL", {((2, 1), (2, 1))}),
    (soft_null_moments, "product_moments", lambda X, Y, diagonal: (Fraction(0), Fraction(1))),
    (soft_null_moments, "sari_mean", lambda U, V: (Fraction(0), Fraction(1))),
    (smallest_ari, "need", lambda A, B, M: 6 * A * B - M * (A + B) + 1),
    (max_adjusted_rand, "equal_cells", lambda n, r, s: Fraction(1)),
    (least_pairs, "least", lambda X, Y, Z, r, s: (1 + (r - 1) * X**2 + (s - 1) * Y**2) / (r * s)),
    (least_pairs, "least_squares", lambda rows, cols: 1),
    (
        max_ard_populations,
        "limit",
        lambda r, s: (Fraction(11079, 10000), Fraction(17, 100), Fraction(17, 100)),
    ),
    (max_ard_only_hooks, "NO_HOOK", {(3, 3): [7, 8, 9], (3, 4): [10, 11, 12]}),
    (max_ard_only_hooks, "stored", dict),
    (max_ard_two_rows, "FROM", max_ard_two_rows.FROM | {12: 18}),
    (max_ard_two_rows, "OTHERS", max_ard_two_rows.OTHERS | {6: [8]}),
    (max_ard_two_rows, "TIES", set()),
    (max_ard_two_rows, "is_hook", lambda table: True),
    (certified_search, "optimal", lambda l: {max(l, 0) // 2}),
    (certified_search, "least_squares", lambda rows, cols: sum(rows)),
    (ard_triangle, "constant", lambda M: Fraction(3, 2)),
    (ard_triangle, "chance", lambda x, y: x + y - x * y),
    (distance_ratios, "fall", lambda n, row: n - 1),
    (distance_ratios, "surplus", lambda table, i, j: table[i][j] * (table[i][i] + table[j][j] - 1)),
    (distance_ratios, "FIRST", 6),
    (distance_ratios, "constant", lambda n, r, s: (n, 4)),
    (min_distances, "parted", lambda n, often: sum(often)),
    (min_distances, "min_med", lambda n, r, s: Fraction(0)),
    (ard_identities, "excess", lambda M, A, B, P: (A * B - P * M, M * (A + B) - 2 * A * B)),
    (ard_identities, "in_points", lambda n, *squares: [n**2 * x / 2 for x in (1, *squares)]),
    (null_moments, "remaining", lambda margin: null_moments.falling(margin, 2) ** 2),
    (rand_given_med_lower, "constant", lambda r, s: s * (r + s - 1) / (r * (s - 1) ** 2)),
    (rand_given_med_lower, "plane", lambda r, s: (s / (r + s) ** 3, s, r, 1)),
    (rand_given_med_small, "variance", lambda k, s, j: k**2 / s - 1 / s**2),
    (rand_given_med_small, "stored", list),
    (rand_given_med_small, "in_order", lambda table: table),
    (rand_given_med_small, "positive_definite", lambda matrix: False),
    (rand_given_med_small, "STARS", [[1] * 12] * 2),
    (rand_given_med, "balanced_squares", lambda total, parts: total * total // parts + parts),
    (comparison_identities, "balanced_ard", lambda n, d: (n, d)),
    (equal_classes_auc, "against_the_rest", lambda s, K: 1 - (1 - s) * K / (2 * K - 1)),
    (expected_ndc, "mean_by_formula", lambda e, f: 1),
    (monotone_indices, "INDICES", monotone_indices.INDICES | {"ri": lambda a, b, p, m: (m - a - b + p, m)}),
    (med_generating_function, "best_matching_weight", lambda table: 0),
    (rand_distance_recursion, "energy", lambda x, field: 0),
    (pair_tail_bound, "probability", lambda table, rows, cols: Fraction(1, 2)),
    (pair_tail_bound, "cell_sum", lambda weight, tilt, most: Fraction(1)),
    (row_tail_bracket, "whole", lambda kind, table: prod(x + 1 for x in table.ravel().tolist())),
    (row_tail_bracket, "probability", lambda table, rows, cols: Fraction(1, 2)),
    (row_tail_error, "UNIT", Fraction(1, 2**55)),
    (row_tail_error, "probability", lambda table, rows, cols: Fraction(1, 2)),
]


# Steps of half a second to two that come before the damaged one and pass: what notices it comes after them.
PASSED_BEFORE = {
    (max_rand_distance, "balanced_squares"): ("check_without_empty_lines",),
    (max_rand_distance, "always"): ("check_without_empty_lines", "check_with_empty_lines"),
    (distance_ratios, "fall"): ("check_few_points",),
    (distance_ratios, "surplus"): ("check_few_points",),
    (distance_ratios, "FIRST"): ("check_few_points",),
    (rand_given_med_small, "stored"): ("check_variance", "check_generators"),
    (rand_given_med_small, "STARS"): ("check_variance", "check_generators"),
    (rand_given_med_small, "positive_definite"): ("check_variance", "check_generators"),
    (soft_null_moments, "sari_mean"): ("check_totals", "check_adjusted"),
    (max_ard_two_rows, "FROM"): ("check_hooks", "check_others"),
    (max_ard_two_rows, "OTHERS"): ("check_hooks", "check_others", "check_start", "check_search"),
    (max_ard_two_rows, "TIES"): ("check_hooks", "check_others", "check_start", "check_search"),
    (max_ard_two_rows, "is_hook"): ("check_hooks", "check_others", "check_start"),
    (max_ard_only_hooks, "NO_HOOK"): ("check_algebra",),
    (max_ard_only_hooks, "stored"): ("check_algebra",),
    (smallest_ari, "EQUAL"): ("check_algebra",),
    (row_tail_error, "probability"): ("check_shares",),
}


# Found by the last steps of proofs that take two seconds.
FOUND_LATE = {(ard_given_med, "LARGER"), (ard_given_med, "is_hook"), (med_limits, "UPPER")}


@pytest.mark.parametrize(
    ("module", "name", "wrong"),
    [pytest.param(*x, marks=pytest.mark.slow if x[:2] in FOUND_LATE else ()) for x in DAMAGE],
)
def test_wrong_step_is_noticed(module, name, wrong, monkeypatch):
    for step in PASSED_BEFORE.get((module, "always" if wrong is always else name), ()):
        monkeypatch.setattr(module, step, lambda *_: 0)
    if (module, name) == (smallest_ari, "EQUAL"):
        monkeypatch.setattr(module, "LARGEST", 5)  # equality is at n = 3 and 4
    monkeypatch.setattr(module, name, wrong)
    with pytest.raises(AssertionError, match="this step of the proof fails"):
        module.verify()


def test_every_proof_is_damaged_above():
    """What ``verify`` re-derives fails when it is wrong: a proof for which nothing is planted shows no such thing."""
    assert {module.__name__ for module, _, _ in DAMAGE} == {module.__name__ for module in proofs.modules()}


def test_a_cover_with_a_box_too_large_is_noticed():
    tree = max_ard_only_hooks.stored()["3x3"][0][2]
    with pytest.raises(AssertionError, match="only hooks are largest at"):
        max_ard_only_hooks.check_covers(3, 3, [(95, 95, "+....")])
    with pytest.raises(AssertionError, match="for every n"):
        max_ard_only_hooks.check_covers(3, 3, [(90, 90, tree)])
    with pytest.raises(AssertionError, match="complete"):
        max_ard_only_hooks.check_covers(3, 3, [(95, 95, tree[:-1])])
    assert max_ard_only_hooks.check_covers(3, 3, [(95, 95, tree)]) == 95


def test_no_claim_of_all_shapes_from_a_smaller_number_of_points_on(monkeypatch):
    """The argument for all n at once has an end: it does not hold at 2(r + s), where there are exceptions."""
    three = max_ard_only_hooks.Lines(3, 3)
    assert max_ard_only_hooks.FromOn(three, three).holds(Fraction(9, 10), 6)
    monkeypatch.setattr(max_ard_only_hooks, "C", 2)
    assert not max_ard_only_hooks.FromOn(three, three).holds(Fraction(9, 10), 6)


def test_limits_of_the_hooks_are_approached():
    """Of two clusters each no table passes a hook."""
    values = [max_adjusted_rand_distance(n, 2, 2) for n in (100, 200, 400)]
    assert values == sorted(values, reverse=True)
    assert 0 < float(values[-1]) - max_ard_populations.limit(2, 2)[0] < 0.01


def test_program(monkeypatch, capsys):
    monkeypatch.setattr(_registry, "faults", lambda known: [])  # tests/conjectures/test_registry.py
    monkeypatch.setattr(sys, "argv", ["proofs", "max_ard_2x2"])
    monkeypatch.setattr(max_ard_2x2, "EXCEPTIONS", set())
    assert program.main() == 1
    assert "FAILED" in capsys.readouterr().out
    monkeypatch.setattr(max_ard_2x2, "verify", lambda: "")
    assert program.main() == 0
    shown = capsys.readouterr().out
    assert "max_ard_2x2" in shown
    assert "[[d1," in shown
    monkeypatch.setattr(sys, "argv", ["proofs", "riemann"])
    assert program.main() == 2
    assert "no proof is called riemann" in capsys.readouterr().err
