"""A contract with a reference: planted faults are found at default settings, what is right is kept."""

import re
import sys
from fractions import Fraction
from itertools import count

import numpy as np
import pytest
from command_line import succeed

import confmat as cm
from confmat.statistics import STATISTICS
from confmat.testing import check_metric, every_labeling_pair, every_table

# --- an adjusted Rand index in doubles, and what can be wrong with it ---


def adjusted(together, rows, columns, pairs):
    expected = rows * columns / pairs if pairs else 0.0
    spread = (rows + columns) / 2 - expected
    return float((together - expected) / spread) if spread else 1.0


def double(table, dtype=float, less=0):
    table = np.asarray(table, dtype)

    def pairs(counts):
        return (counts * (counts - 1) / 2).sum()

    n = table.sum() - less
    return adjusted(pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0)), n * (n - 1) / 2)


def in_int32(table):
    def pairs(counts):
        small = counts.astype(np.int32)
        with np.errstate(over="ignore"):
            return float((small * (small - np.int32(1)) // np.int32(2)).sum(dtype=np.int32))

    n = float(table.sum())
    return adjusted(pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0)), n * (n - 1) / 2)


def without_the_ninth(table):
    return double(table[:, :8])


def in_blocks(table):
    blocks = table.shape == (4, 4) and not table[:2, 2:].any() and not table[2:, :2].any()
    filled = blocks and table[:2, :2].all() and table[2:, 2:].all()
    return double(table) + 0.01 * filled


def at_some_totals(table):
    return double(table) + 0.01 * (table.sum() % 23 == 17)


def in_float32(table):
    return double(table, np.float32)


def with_sums_in_float32(table):
    def pairs(counts):
        return float(np.float32((counts.astype(float) * (counts - 1.0) / 2).sum()))

    n = float(table.sum())
    return adjusted(pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0)), n * (n - 1) / 2)


def off_by_one(table):
    return double(table, less=int(table.sum() > 2**31))


def of_labels(index):
    return lambda a, b: index(np.asarray(cm.contingency_matrix(a, b, sparse=False)))


def without_noise(a, b):
    kept = [pair for pair in zip(a, b) if isinstance(pair[0], str) or pair[0] >= 0]
    return of_labels(double)(*zip(*kept)) if kept else 1.0


FAULTS = {
    "pair counts in int32": (in_int32, "table"),
    "ninth cluster dropped": (without_the_ninth, "table"),
    "block diagonal 4 x 4": (in_blocks, "table"),
    "n = 17 mod 23": (at_some_totals, "table"),
    "float32": (in_float32, "table"),
    "sums in float32": (with_sums_in_float32, "table"),
    "off by one beyond 2^31": (off_by_one, "table"),
    "pair counts in int32, of labels": (of_labels(in_int32), "labels"),
    "ninth cluster dropped, of labels": (of_labels(without_the_ninth), "labels"),
    "block diagonal 4 x 4, of labels": (of_labels(in_blocks), "labels"),
    "n = 17 mod 23, of labels": (of_labels(at_some_totals), "labels"),
    "float32, of labels": (of_labels(in_float32), "labels"),
    "sums in float32, of labels": (of_labels(with_sums_in_float32), "labels"),
    "negative labels": (without_noise, "labels"),
}
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 10))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_found_at_default_settings(fault, seed):
    index, takes = FAULTS[fault]
    found = check_metric(index, takes=takes, reference="ari", rng=seed)
    assert found["reference"].status == "broken"
    assert "but the reference ari" in str(found.broken["reference"])


def test_a_test_has_no_more_objects_than_it_says():
    totals = []

    def purity(table):
        totals.append(int(table.sum()))

    every_table(n=2, examples=30)(purity)()
    assert 100 < max(totals) <= 10**6
    pairs = []
    every_labeling_pair(n=2, examples=30)(lambda a, b: pairs.append(len(a)))()
    assert 30 <= max(pairs) <= 60


@pytest.mark.parametrize(
    "length",
    [1_000, pytest.param(300, marks=pytest.mark.slow), pytest.param(30_000, marks=pytest.mark.slow)],
)
def test_a_pause_at_one_length_leaves_no_longer_labels_out(length, monkeypatch):
    """Time that one case takes by accident (a collection of garbage, a compilation) is no forecast."""
    spent = [0.0]
    monkeypatch.setattr("confmat.testing.kinds.process_time", lambda: spent[0])

    def paused(a, b):
        spent[0] += 5.0 if len(a) == length else 0.001
        return of_labels(in_int32)(a, b)

    assert check_metric(paused, takes="labels", reference="ari")["reference"].status == "broken"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("index", "takes"), [(double, "table"), (of_labels(double), "labels")])
def test_doubles_are_kept(index, takes, seed):
    assert check_metric(index, takes=takes, reference="ari", rng=seed)


def test_the_least_total_is_told():
    assert check_metric(at_some_totals, reference="ari").broken["reference"].n == 17


# --- what a reference may be ---

FEW = {"n": 3, "every": 3, "examples": 5}


@pytest.mark.parametrize(
    "reference",
    ["rd", cm.rd, STATISTICS["rd"], lambda t: 1 - cm.ri(t)],
    ids=["name", "own function", "record", "function"],
)
def test_a_reference_is_a_name_a_record_or_a_function(reference):
    assert check_metric(cm.rd, reference=reference, undefined={"one object"}, **FEW)
    assert not check_metric(cm.med, reference=reference, undefined={"one object"}, **FEW)


def test_a_reference_of_other_inputs():
    soft = cm.indices.soft
    assert check_metric(soft.ndc, takes="memberships", reference=soft.ndc, n=2, examples=5)

    def kappa(table):
        return cm.kappa(table, undefined="nan")

    assert check_metric(kappa, reference="kappa", undefined=float("nan"), **FEW)
    with pytest.raises(
        ValueError, match="reference must be a function of the same input as the index, got 'ari'"
    ):
        check_metric(soft.ndc, takes="memberships", reference="ari")
    with pytest.raises(TypeError, match="reference must be a function or the name of a statistic, got 3"):
        check_metric(cm.ari, reference=3)


def test_memberships_are_no_longer_beside_a_reference():
    lengths = []

    def ndc(U, V):
        lengths.append(len(U))
        return cm.indices.soft.ndc(U, V)

    assert check_metric(ndc, takes="memberships", reference=cm.indices.soft.ndc, n=2, examples=30)
    assert 4 <= max(lengths) <= 12


def test_exact_values_are_compared_exactly_and_undefined_ones_with_undefined_ones():
    tiny = Fraction(1, 10**15)
    assert not check_metric(lambda t: cm.rd(t, exact=True) + tiny, reference="rd", **FEW)
    assert check_metric(lambda t: cm.rd(t) + 1e-15, reference="rd", **FEW)
    assert check_metric(cm.vi, reference="vi", **FEW)
    undefined = cm.errors.UndefinedIndexError
    assert check_metric(cm.jaccard, reference="jaccard", undefined=undefined, **FEW)
    zero = check_metric(lambda t: cm.jaccard(t, undefined=0), reference="jaccard", **FEW)
    assert zero["reference"].status == "degenerate"
    assert str(zero.broken["reference"]) == "[[1]] has 0.0, but the reference jaccard none (one object)"
    missing = check_metric(
        lambda t: cm.rd(t) if t.shape[1] < 9 else 1 / 0, reference="rd", undefined=ZeroDivisionError, **FEW
    )
    assert "ZeroDivisionError: division by zero, but the reference rd" in str(missing.broken["reference"])


def test_a_slow_index_is_not_called_with_long_labels(monkeypatch):
    lengths, spent = [], [0.0]
    monkeypatch.setattr("confmat.testing.kinds.process_time", lambda: spent[0])

    def quadratic(a, b):
        lengths.append(len(a))
        spent[0] += 0.2 * (len(a) / 1000) ** 2
        return cm.rd(a, b)

    check_metric(quadratic, takes="labels", reference="rd", **FEW)
    assert max(lengths) == 3000


# --- claim zero ---


def calls_of(index, **options):
    calls = []

    def counting(*case):
        calls.append(case)
        return index(*case)

    return check_metric(counting, **options), len(calls)


def two(a, b):
    return 0.0


def test_an_index_that_cannot_be_called_is_reported_once_with_a_guess():
    found = check_metric(two)
    assert str(found.broken["deterministic"]) == (
        "cannot be called with 1 argument. It accepts two arguments: use takes='labels'"
    )
    assert [finding.claim for finding in found.findings] == ["deterministic"]
    found = check_metric(lambda table: 0.0, takes="labels")
    assert "It accepts one argument: use takes='table'" in str(found.broken["deterministic"])
    found = check_metric(lambda a, b, c: 0.0, takes="labels")
    assert str(found.broken["deterministic"]) == "cannot be called with 2 arguments"
    found, calls = calls_of(lambda table: missing_module.index(table))  # noqa: F821
    assert calls <= 320
    assert "NameError" in str(found.broken["deterministic"])
    found, calls = calls_of(lambda table: float("nan"))
    assert calls < 1000
    assert list(found.broken) == ["value"]


def test_an_index_must_be_deterministic():
    numbers = count()
    assert list(check_metric(lambda table: next(numbers)).broken) == ["deterministic"]
    seen = set()

    def stateful(table):
        again = table.tobytes() in seen
        seen.add(table.tobytes())
        return float(cm.rd(table)) + 1e-3 * again

    found = check_metric(stateful, identity=0)
    assert [finding.claim for finding in found.findings] == ["deterministic"]
    assert "when called again has 0.001" in str(found.broken["deterministic"])

    def changes(table):
        table[0, 0] = 0
        return 0.0

    assert "is changed to" in str(check_metric(changes).broken["deterministic"])


def test_a_late_random_value_breaks_a_claim_without_exception():
    """Every third call for a table of many objects is another value: what is drawn fails, and does not again."""
    calls = count()

    def flickers(table):
        return 2.0 if table.sum() > 10**4 and next(calls) % 3 == 2 else 0.5

    found = check_metric(lambda table: 0.5, reference=flickers, n=2, every=2, max_n=10**6)
    assert list(found.broken) in (["deterministic"], ["reference"])
    found = check_metric(flickers, bounds=(0, 1), symmetric=False, n=2, every=2, max_n=10**6, examples=40)
    assert found.broken


# --- kinds of input, kinds of degenerate cases ---


def test_degenerate_cases_are_silenced_by_kind():
    def dice(table):
        pairs = cm.indices.pair_counts(table)
        return 2 * pairs.both / (2 * pairs.both + pairs.only_a + pairs.only_b)

    broken = check_metric(dice, identity=1, **FEW)
    kinds = ["one object", "all singletons"]
    assert {broken["value"].counterexample.degenerate} <= set(kinds)
    assert check_metric(dice, identity=1, undefined=set(kinds), **FEW)
    assert not check_metric(dice, identity=1, undefined=kinds[:1], **FEW)
    alone = check_metric(lambda t: 1 / (min(t.shape) - 1), undefined={"one cluster"}, symmetric=False, **FEW)
    assert alone.broken["value"].degenerate == "one object"
    with pytest.raises(
        TypeError,
        match=r"kinds of inputs at which it is undefined \('one object', 'one cluster', 'all singletons'",
    ):
        check_metric(dice, undefined="two clusters")


def test_one_line_tells_one_cause():
    said = str(check_metric("fm", **FEW))
    assert said.count("has nan") == 1
    assert said.count("undefined on up to") == 1


def test_a_reference_says_whether_there_are_true_and_predicted_classes():
    agreement = check_metric(lambda t: np.trace(t) / t.sum(), reference="accuracy", **FEW)
    assert agreement
    assert "order" in agreement.kept
    assert "symmetry" not in agreement.kept


# --- by name, and on the command line ---

OWN = """
import confmat as cm
def right(t):
    return cm.ari(t)
def wrong(t):
    return cm.ari(t) + (t.sum() == 30)
"""


def test_an_index_may_be_named_as_the_command_takes_it(tmp_path, monkeypatch, confmat):
    (tmp_path / "own_ari.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "own_ari", raising=False)
    assert cm.check_metric("own_ari:right", reference="ari", **FEW)
    assert cm.check_metric("own_ari:wrong", reference="ari", **FEW).broken["reference"].n == 30
    with pytest.raises(ValueError, match="own_ari:nothing cannot be imported: AttributeError"):
        cm.check_metric("own_ari:nothing")
    few = ("--n", 3, "--examples", 5)
    succeed(confmat("check-metric", "own_ari:right", "--reference", "ari", *few))
    code, out, _ = confmat("check-metric", "own_ari:wrong", "--reference", "ari", "--json", *few)
    assert code == 1
    assert '"reference"' in out
    code, out, _ = confmat("check-metric", "own_ari:wrong", "--reference", "own_ari:right", *few)
    assert (code, "but the reference right" in out) == (1, True)


def test_every_option_of_the_command_is_one_of_the_function(confmat):
    import inspect

    parameters = inspect.signature(check_metric).parameters
    of_command = {"seconds": "limits"}
    said = succeed(confmat("check-metric", "--help"))
    options = {*re.findall(r"--([a-z][a-z-]*)", said)} - {"help", "json", "plan"}
    assert {of_command.get(option, option) for option in options} <= {*parameters}
    assert len(options) >= 8
    few = ["--n", 3, "--examples", 2]
    assert "names" in succeed(confmat("check-metric", "rd", "--takes", "labels", *few))
