"""Closed forms, publication formats, JSON, completion, suggestions and seeds on the command line."""

import json
from fractions import Fraction

import pytest
import sympy as sp
from command_line import fail, run, succeed

import confmat as cm
from confmat.cli.app import COMMANDS
from confmat.distributions import formulas
from confmat.distributions.med_distribution import med_counts

N = sp.Symbol("n")


@pytest.mark.parametrize("allow_empty", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (2, 2), (3, 2)])
def test_formulas_are_true_for_every_small_n(shape, allow_empty):
    count, moments = (
        formulas.count_formulas(*shape, allow_empty),
        formulas.moments_formulas(*shape, allow_empty),
    )
    (count,) = count.values()
    for n in range(1, 10):
        tables = cm.Tables(n, *shape, allow_empty=allow_empty)
        assert count.subs(N, n) == tables.count()
        if not tables or n < 2:
            continue
        law = cm.joint_distribution(tables, "med", "rd")
        square = sum(w * x**2 for x, w in law["med"]) / Fraction(law.total)
        expected = {
            "mean MED": law["med"].mean(exact=True),
            "mean MED^2": square,
            "mean RD": law["rd"].mean(exact=True),
        }
        for name, formula in moments.items():
            what, _, when = name.partition(", n = ")
            residue, _, period = when.partition(" mod ")
            if not when or n % int(period) == int(residue):
                assert sp.limit(formula, N, n) == expected[what]


def test_the_generating_function_of_the_med_has_its_counts():
    x, y = sp.symbols("x y")
    series = sp.series(formulas.med_formulas(2, 3)["G(x, y)"], x, 0, 5).removeO()
    counts = med_counts(4, 2, 3, allow_empty=True)
    assert [sp.Poly(series, x, y).coeff_monomial(x**4 * y ** (4 - m)) for m in range(len(counts))] == counts


def test_counts_of_a_range_and_their_formats(confmat):
    counts = [cm.Tables(n, 2, 3).count() for n in range(2, 6)]
    bfile = succeed(confmat("count", "2..5", 2, 3, "--format", "bfile"))
    assert bfile.split() == [str(x) for pair in zip(range(2, 6), counts) for x in pair]
    assert succeed(confmat("count", "2..5", 2, 3, "--format", "csv")).splitlines()[0] == "n,count"
    assert [x["count"] for x in json.loads(succeed(confmat("count", "2..5", 2, 3, "--json")))] == counts
    assert json.loads(succeed(confmat("count", 5, 2, 3, "--json")))["count"] == counts[-1]
    assert "the end of a range of n must be at least its start, got '5..2'" in fail(
        confmat("count", "5..2", 2, 3)
    )


def test_laws_in_formats(confmat):
    law = cm.joint_distribution(cm.Tables(9, 2, 2), "med")
    weights = [weight for _, weight in law["med"]]
    bfile = succeed(confmat("table", 9, 2, 2, "--only", "med", "--format", "bfile"))
    assert bfile == "".join(f"{k} {weight}\n" for k, weight in enumerate(weights))
    tex = succeed(confmat("table", 9, 2, 2, "--format", "tex"))
    assert tex.count(r"\begin{tabular}") == 3
    assert "| index | name |" in succeed(confmat("compare", "--matrix", "3,1;0,2", "--format", "md"))
    assert "--format bfile needs a column named 'count'" in fail(confmat("statistics", "--format", "bfile"))


def test_misspelled_names_get_one_suggestion(confmat):
    assert "did you mean rd?" in fail(confmat("search", "rdd", 5, 2, 2))
    assert "did you mean ari?" in fail(confmat("table", 5, 2, 2, "--only", "arii"))
    assert "Did you mean 'table'" in fail(confmat("tabel", 5, 2, 2))


def test_flags_have_no_type_in_help_and_seeds_are_said(confmat):
    below = [("archive", name) for name in ("build", "query", "verify")]
    for command in [(), *((name,) for name in COMMANDS), *below]:
        assert "<bool>" not in succeed(confmat(*command, "--help")), command
    _, drawn, err = confmat("sample", 9, 2, 2, "--size", 3)
    seed = err.partition("--seed ")[2].split()[0]
    assert confmat("sample", 9, 2, 2, "--size", 3, "--seed", seed)[1] == drawn
    assert "--seed" not in confmat("sample", 9, 2, 2, "--size", 3, "--seed", 5)[2]


@pytest.mark.parametrize(
    ("words", "completed"),
    [("confmat tab", "table"), ("confmat search nme", "nmed"), ("confmat check rd-m", "rd-max")],
)
def test_the_shell_completes_commands_and_statistics(capsys, monkeypatch, words, completed):
    monkeypatch.setenv("_CONFMAT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    assert run([]) == 0
    assert completed in capsys.readouterr().out.split()
