"""Answers as pictures: worst cases, tests, counterexamples, certificates, draws, classifiers; and --plot."""

from fractions import Fraction

import numpy as np
import pytest
from command_line import fail, succeed

import confmat as cm
from confmat.plots import classifier

TABLE = [[4, 1, 0], [1, 3, 1], [0, 0, 2]]
MAGIC = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def shown(ax):
    """The matrix that a heat map shows."""
    return np.array([int(text.get_text()) for text in ax.texts]).reshape(ax.images[0].get_array().shape)


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("exact", [True, False])
def test_the_observed_point_stands_at_the_p_value(alternative, exact):
    result = cm.permutation_test(TABLE, exact=exact, draws=999, rng=1, alternative=alternative)
    for ax, p in zip(result.plot().axes, (result.p_ari, result.p_med), strict=True):
        tail, point = ax.lines[:2]
        ((_, reached),) = point.get_xydata()
        sides = 2 if alternative == "two-sided" else 1
        # Of draws the p-value counts the observed table as one more.
        value = float(p.pvalue) if exact else (float(p.pvalue) / sides * 1000 - 1) / 999 * sides
        assert min(1, sides * reached) == pytest.approx(value)
        assert ax.get_yscale() == "log"
        assert max(tail.get_ydata()) == pytest.approx(1)


def test_the_map_of_a_law_has_its_weights_and_extreme_tables():
    law = cm.joint_distribution(cm.Tables(12, 3, 3), "med", "ard")
    figure = law.plot()
    mesh = figure.axes[0].collections[0]
    assert mesh.get_array().sum() == law.total
    tables = [shown(ax).tolist() for ax in figure.axes[1:4]]
    assert [cm.med(tables[0], exact=True), *(cm.ard(x, exact=True) for x in tables[1:])] == [
        law["med"].max(),
        law["ard"].max(),
        law["ard"].min(),
    ]
    given = law.given("med<=1/4").plot()
    assert given.axes[0].collections[0].get_array().sum() == law.given("med<=1/4").total
    assert given.get_suptitle().endswith("given med <= 1/4")


def test_where_both_sides_weigh_the_same_the_one_of_the_p_value_is_hatched():
    """At these margins an ARI of -1/44 has as much of the law at or below it as at or above."""
    table = next(
        x for x in cm.FixedMargins((3, 2, 1), (3, 2, 1)) if cm.ari(x, exact=True) == Fraction(-1, 44)
    )
    result = cm.permutation_test(table, exact=True, alternative="two-sided")
    below, above = (
        cm.permutation_test(table, exact=True, alternative=side).p_ari.pvalue for side in ("less", "greater")
    )
    assert below == above
    filled = result.plot().axes[0].collections[0].get_paths()[0].vertices[:, 0]
    assert filled.min() == pytest.approx(-1 / 44)
    assert filled.max() == 1


def test_worst_cases_are_those_of_the_result():
    result = cm.maximize(cm.Tables(7, 3, 3), "med")
    assert len(result.tables) == 9
    axes = result.plot().axes
    assert [shown(ax).tolist() for ax in axes] == [table.tolist() for table in result.tables[:6]]
    none = cm.maximize(cm.Tables(6, 2, 2), "ard", "med=1/6, rd>2/3")
    with pytest.raises(ValueError, match="nothing can be drawn"):
        none.plot()


def test_answers_of_checks():
    classes = [cm.Tables(n, r, 2) for r in (2, 3) for n in range(2, 8)]
    true = cm.check(cm.Conjecture("low", "no cell is below 0", predicate=lambda t: t.min() >= 0), classes)
    lines = {line.get_label(): dict(line.get_xydata().tolist()) for line in true.plot().lines}
    assert lines["3 × 2"] == {
        n: cm.Tables(n, 3, 2).count() for n in range(2, 8) if cm.Tables(n, 3, 2).count()
    } | {n: 0 for n in range(2, 8) if not cm.Tables(n, 3, 2).count()}
    false = cm.check(cm.Conjecture("near", "ari >= 0"), classes)
    assert [shown(ax).tolist() for ax in false.plot().axes] == [false.counterexample.tolist()]


def test_a_certificate_draws_its_classes():
    classes = [cm.Tables(n, r, 3) for r in (2, 3) for n in range(3, 8)]
    ax = cm.check("rd <= 1", classes).plot()
    assert ax.get_ylabel() == "members enumerated"
    for line in ax.lines:
        r, s = map(int, line.get_label().split(" × "))
        numbers = {x.n: float(x.count()) for x in classes if x.shape == (r, s)}
        assert dict(line.get_xydata().tolist()) == numbers


def test_law_of_draws():
    law = cm.sample(cm.Tables(12, 3, 3), 200, rng=1).distribution("med", "ard")
    figure = law.plot()
    assert "200 draws" in figure.get_suptitle()
    for ax in figure.axes:
        assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(1)


def test_classifier_with_its_classes():
    names = ("cat", "dog", "a name of more than twenty-four characters")
    left, right = classifier(TABLE, (names, names)).axes
    assert shown(left).tolist() == TABLE
    ticks = [text.get_text() for text in right.get_yticklabels()]
    assert ticks[:2] == ["cat", "dog"]
    assert len(ticks[2]) == 24
    sensitivity, *_ = right.lines
    assert sensitivity.get_xdata() == pytest.approx([4 / 5, 3 / 5, 1])


COMMANDS = {
    "compare": ("--matrix", "4,1;1,3"),
    "test": ("--matrix", "4,1;1,3"),
    "classification-report": ("--matrix", "4,1;1,3"),
    "search": ("ard", 8, 2, 2),
    "table": (8, 2, 2, "--only", "rd"),
    "check": ("rd<=1", "2x2", "n=..4"),
}


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_plot_writes_the_picture(confmat, tmp_path, command):
    without = succeed(confmat(command, *COMMANDS[command]))
    suffix = sorted(MAGIC)[len(command) % 3]
    code, out, err = confmat(command, *COMMANDS[command], "--plot", tmp_path / f"answer{suffix}")
    assert code == 0
    assert [line.partition(" s)")[0] for line in out.splitlines()][:1] == without.splitlines()[:1]
    assert f"wrote {tmp_path}" in err
    assert (tmp_path / f"answer{suffix}").read_bytes().startswith(MAGIC[suffix])
    assert "--plot must end in .png or .svg or .pdf" in fail(
        confmat(command, *COMMANDS[command], "--plot", tmp_path / "answer.gif")
    )


def test_the_same_picture_in_every_run(confmat, tmp_path):
    for name in ("a.svg", "b.svg"):
        succeed(confmat("compare", "--matrix", "4,1;1,3", "--plot", tmp_path / name))
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("search", "ard", 6, 2, 2, "--given", "med=1/6, rd>2/3"), 0),
        (("check", "med_max<=0", "2x2", "n=4"), 1),
    ],
)
def test_an_answer_without_a_picture_is_still_the_answer(confmat, tmp_path, arguments, status):
    code, out, err = confmat(*arguments, "--plot", tmp_path / "a.png")
    without = confmat(*arguments)
    assert (code, out.partition(" s)")[0]) == (status, without[1].partition(" s)")[0])
    assert err.startswith(f"{without[2]}confmat: --plot {tmp_path / 'a.png'} was not drawn: ")
    assert err.count("\n") == without[2].count("\n") + 1
    assert list(tmp_path.iterdir()) == []
