"""A page for each statistic of the one table: what the site says of an index is computed when the site is built.

Formula, textbook definition, range, the exact law at (20, 3, 3) with its worst table, the value by chance, the
statements that name it, its other names, and which packages compute something else.

>>> from confmat.statistics import STATISTICS
>>> formula_of(STATISTICS["jaccard"])
'\\\\frac{P}{A + B - P}'
>>> definition_of(STATISTICS["jaccard"]).formula
'a / (a + b + c)'
>>> words_for(STATISTICS["jaccard"])[:3]
['jaccard', 'jaccard index', 'jaccard_index']
"""

from __future__ import annotations

import inspect
import json
import math
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import sympy

import confmat as cm
from confmat._figures import matrix_map, panels
from confmat.conjectures import STATEMENTS
from confmat.errors import UndefinedIndexError
from confmat.statistics import STATISTICS, Statistic

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "conformance"))
from conformance_pages import agreement, size
from definitions import DEFINITIONS, Definition

ROOT = Path(__file__).parents[1]
RESULTS = json.loads((ROOT / "tests" / "conformance" / "results.json").read_text(encoding="utf-8"))

TABLES = cm.Tables(20, 3, 3)
SIZES = (7, 7, 6)  # of the clusters of 20 objects whose labels are permuted
BY_CHANCE = cm.FixedMargins(SIZES, SIZES)

MOST = 5  # objects

SYMBOLS = sympy.symbols("n m A B P")
M = sympy.Symbol("M")

# A definition is that of a statistic if they agree on all of these, which have values of both on the most.
TRIED = [
    cm.Tables(n, r, s)
    for n in range(2, MOST + 1)
    for r, s in ((2, 2), (2, 3), (3, 2), (3, 3))
    if n >= max(r, s)
]
SAME = 1e-12  # doubles of one value differ by less

# What people say for a word of our titles.
SPELLINGS = {"normalised": "normalized", "inf.": "information", "correlation": "correlation coefficient"}


def formula_of(statistic: Statistic) -> str | None:
    """LaTeX of a formula in n, m, A, B and P, read off the function that computes it; None where there is none.

    >>> formula_of(STATISTICS["med"]), formula_of(STATISTICS["kappa"])
    ('\\\\frac{m}{n}', None)
    """
    formula = expression_of(statistic)
    return None if formula is None else formula[1]


def expression_of(statistic: Statistic) -> tuple[sympy.Expr, str] | None:
    """The same as an expression of SymPy, and its LaTeX: numerator and denominator as they were written."""
    base = statistic.base
    if base.formula is None or statistic.factor is not None:
        return None
    terms = [sympy.sympify(term).replace(sympy.floor, _all_pairs) for term in base.formula(*SYMBOLS)]
    numerator, denominator = terms
    value, text = numerator / denominator, rf"\frac{{{sympy.latex(numerator)}}}{{{sympy.latex(denominator)}}}"
    if statistic.root:
        value, text = sympy.sqrt(value), rf"\sqrt{{{text}}}"
    if statistic.complement:
        value, text = 1 - value, f"1 - {text}"
    return value, text


def _all_pairs(half: sympy.Expr) -> sympy.Symbol:
    """M for the whole number n (n - 1) // 2."""
    n = SYMBOLS[0]
    if sympy.expand(half - n * (n - 1) / 2) != 0:
        raise ValueError(f"a formula must halve n (n - 1) only, got {half}")
    return M


def value_at(function: Any, table: Any) -> float:
    """A value as a double, nan where there is none."""
    try:
        return float(function(table))
    except (UndefinedIndexError, ZeroDivisionError, IndexError):  # a table that is not square
        return math.nan


@cache
def values_of(name: str) -> tuple[float, ...]:
    """The values of a textbook definition on all that is tried."""
    definition = DEFINITIONS[name]
    return tuple(value_at(definition, table.tolist()) for tables in TRIED for table in tables)


def definition_of(statistic: Statistic) -> Definition | None:
    """The textbook definition whose values it has on every small table where both have one; None if there is none.

    >>> definition_of(STATISTICS["v_measure"]).name, definition_of(STATISTICS["med"])
    ('normalised mutual information', None)
    """
    square = not statistic.of_clusterings and "simultaneous" in statistic.generators
    tables = [table for tables in TRIED for table in tables]
    tried = [i for i, table in enumerate(tables) if not square or len(table) == len(table[0])]
    own = [value_at(statistic, tables[i]) for i in tried]
    for name, definition in DEFINITIONS.items():
        theirs = [values_of(name)[i] for i in tried]
        both = [(x, y) for x, y in zip(own, theirs) if x == x and y == y]
        if 2 * len(both) > len(tried) and all(abs(x - y) < SAME for x, y in both):
            return definition
    return None


def words_for(statistic: Statistic) -> list[str]:
    """What people may look for who mean it: its names, titles, and the same without their signs.

    >>> "adjusted rand index" in words_for(STATISTICS["ari"])
    True
    """
    labels = [statistic.title, *re.split(r"[()]", statistic.label)]
    function = statistic.index.__name__ if statistic.index else statistic.name
    said = [statistic.name, *labels, *statistic.names, function]
    for short, long in SPELLINGS.items():
        said += [word.replace(short, long) for word in said if long not in word]
    plain = [word.replace("_", " ").replace("-", " ").replace("'", "") for word in said]
    words = {" ".join(word.lower().split()) for word in [*said, *plain]}
    of_another = {word for word in words if word in STATISTICS and STATISTICS[word] is not statistic}
    return sorted(words - of_another - {""})


def statements_on(statistic: Statistic) -> list[cm.conjectures.Statement]:
    """The statements of the registry that name it: by its short name in capitals, or by its title.

    >>> [known.name for known in statements_on(STATISTICS["pair_kappa"])]
    ['statistic-ranges', 'kappa-of-pairs']
    """
    names = [rf"\b{re.escape(statistic.name.upper())}\b"]
    names += [rf"(?i:\b{re.escape(title)}(?!\w))" for title in (statistic.title, statistic.label)]
    named = re.compile("|".join(names))
    own_name = re.compile(rf"\b{re.escape(statistic.name.replace('_', '-'))}\b")
    return [
        x for x in STATEMENTS.values() if named.search(f"{x.statement} {x.title}") or own_name.search(x.name)
    ]


def implementations_of(definition: Definition) -> list[tuple[str, str, str, str]]:
    """(package, call, agreement with the definition, size up to which it is right) of every one that was called."""
    rows = []
    for answer in RESULTS["metrics"]:
        if answer["definition"] == definition.name and answer["textbook"]:
            package = f"{answer['library']} {RESULTS['libraries'][answer['library']]['version']}"
            rows.append((package, f"`{answer['call']}`", agreement(answer["textbook"]), size(answer)))
    return rows


def mean_by_chance(statistic: Statistic) -> tuple[Any, Fraction]:
    """The mean over labels permuted at random, sizes 7, 7, 6 on both sides; and the share without a value.

    >>> mean_by_chance(STATISTICS["ri"])[0]
    Fraction(29, 50)
    """
    law = cm.joint_distribution(BY_CHANCE, statistic.name, weight="labelings")[statistic.name]
    values = list(law)
    total = sum(weight for _, weight in values)
    exact = all(isinstance(value, Fraction) for value, _ in values)
    mean = sum(value * weight for value, weight in values) / total if exact else law.mean()
    return mean, Fraction(law.undefined, total + law.undefined)


def _number(value: Any) -> str:
    """A number with its exact form where that is short."""
    exact = str(value)
    rounded = f"{float(value):.4f}"
    return (
        f"{exact} = {rounded}"
        if isinstance(value, Fraction) and value.denominator > 1 and len(exact) < 24
        else (exact if isinstance(value, Fraction | int) and len(exact) < 24 else rounded)
    )


def _range(statistic: Statistic) -> str:
    low, high = ("" if end is None else str(end) for end in statistic.bounds)
    if low and high:
        return f"from {low} to {high}"
    return f"at least {low}" if low else f"at most {high}" if high else "any number"


def worst_end(statistic: Statistic) -> str | None:
    """ "min" or "max", the end where clusterings agree least; None for what does not measure agreement.

    >>> [worst_end(STATISTICS[name]) for name in ("ari", "rd", "chi2")]
    ['min', 'max', None]
    """
    same, different = ([[7, 0, 0], [0, 7, 0], [0, 0, 6]], [[3, 2, 2], [2, 3, 2], [2, 2, 2]])
    perfect = float(statistic(same))
    if statistic.bounds[1] is not None and perfect == statistic.bounds[1] != float(statistic(different)):
        return "min"
    return "max" if perfect == statistic.bounds[0] != float(statistic(different)) else None


def picture_of(statistic: Statistic, law: Any, path: Path) -> dict[str, str]:
    """The law in bars and the two extreme tables, as a file; the texts of the tables."""
    worst = worst_end(statistic)
    figure, (left, *beside) = panels(11, 3.6, columns=3, width_ratios=(3, 1, 1))
    law.plot("pmf", ax=left)
    left.set_title(f"all {TABLES.count():,} tables, equally likely")
    texts = {}
    for end, ax in zip(("min", "max"), beside):
        table, value = (law.argmin(), law.min()) if end == "min" else (law.argmax(), law.max())
        words = "worst" if end == worst else "smallest" if end == "min" else "largest"
        matrix_map(table, f"{words}\n{float(value):.4f}", ax=ax)
        texts[end] = cm.contingency.matrix_text(table)
    figure.savefig(path)
    return texts


def page_of(statistic: Statistic, folder: Path) -> Iterator[str]:
    """The lines of a page in Markdown; its picture is written into the folder."""
    name, definition, formula = statistic.name, definition_of(statistic), formula_of(statistic)
    law = cm.joint_distribution(TABLES, name)[name]
    texts = picture_of(statistic, law, folder / f"{name}.svg")
    call = statistic.index
    yield f"# {statistic.title[0].upper()}{statistic.title[1:]}"
    yield f"`cm.{name}(a, b)`: {statistic.label}. " + _first_sentence(call)
    others = [f"`{other}`" for other in statistic.names]
    if others:
        yield f"Also called {', '.join(others)}: `cm.X` and the commands read these names too."
    yield "## Formula"
    if formula:
        yield f"$${formula}$$"
        yield (
            "n objects, m of them outside a best matching of the clusters; A and B pairs of objects together in the "
            "first and in the second clustering, P in both, of M = n(n - 1)/2."
        )
    elif statistic.factor is not None:
        at = statistic.factor(TABLES)
        yield (
            f"The [{statistic.base.title}]({statistic.base.name}.md) times a factor that depends on n, r and s alone: "
            f"{at} for 3 x 3 tables of 20."
        )
    if definition:
        yield (
            f"As textbooks have it: `{definition.formula}` ({definition.name}). Both were compared on every table of "
            f"up to {MOST} objects where both have a value."
        )
        if statistic.counted:
            yield "There a pairs are together in both clusterings, b only in the first, c only in the second, d apart."
    reference = f"{call.__module__}.{call.__name__}" if call else ""
    yield f"Details: {{py:obj}}`cm.{name} <{reference}>`."
    yield "## Range"
    kind = "exact numbers" if statistic.exact else "roots, as doubles"
    yield f"{_range(statistic)[0].upper()}{_range(statistic)[1:]}; values are {kind}."
    yield "## All 3 x 3 tables of 20"
    yield f"![The law of {statistic.title} over all 3 x 3 tables of 20, and its extreme tables]({name}.svg)"
    yield from _numbers(law)
    worst = worst_end(statistic)
    if worst:
        side = law.min() if worst == "min" else law.max()
        yield f"The worst value is {_number(side)}, for example of `{texts[worst]}`."
    yield f"    confmat table 20 3 3 --only {name}\n    confmat search {name} 20 3 3{' --minimize' * (worst == 'min')}"
    yield "## By chance"
    mean, undefined = mean_by_chance(statistic)
    without = f" It is undefined for {float(undefined):.2g} of them." if undefined else ""
    yield (
        f"Labels permuted at random, three clusters of {', '.join(map(str, SIZES))} on both sides: "
        f"the mean is {_number(mean)}.{without}"
    )
    yield "## Statements"
    known = statements_on(statistic)
    for statement in known:
        yield f"- `{statement.name}` ({statement.status}): {_plain(statement.statement)}."
    yield (
        "[Their evidence](../proofs/README.md)."
        if known
        else "None in the registry of [statements](../proofs/README.md)."
    )
    yield "## Implementations"
    yield from _implementations(definition)


def _first_sentence(call: Any) -> str:
    text = (inspect.getdoc(call) or "").split("\n\n")[0].replace("\n", " ").replace("``", "`")
    return text if text.endswith(".") else f"{text}."


def _plain(text: str) -> str:
    """A statement without what Markdown would read as markup."""
    return re.sub(r"([*_<|\[\]])", r"\\\1", text).rstrip(".")


def _numbers(law: Any) -> Iterator[str]:
    numbers = law.describe()
    yield f"| {' | '.join(numbers)} |\n|{'---|' * len(numbers)}\n| {' | '.join(map(_number, numbers.values()))} |"
    if law.undefined:
        yield f"Undefined (0/0) in {law.undefined:,} of the tables."


def _implementations(definition: Definition | None) -> Iterator[str]:
    rows = implementations_of(definition) if definition else []
    if not rows:
        yield "No other package's function was compared; [those that were](../notebooks/pages/conformance.md)."
        return
    differ = [row for row in rows if not row[2].startswith("all ") or "wrong" in row[3]]
    yield (
        f"{len(rows)} functions of other packages were called with every case of up to six objects: "
        f"{len(rows) - len(differ)} agree, {len(differ) or 'none'} differ{'s' * (len(differ) == 1)}."
    )
    lines = ["| package | call | on small cases | on large ones |", "|---|---|---|---|"]
    for row in sorted(rows, key=lambda row: row not in differ):
        lines.append(f"| {' | '.join(row)} |")
    yield "\n".join(lines)
    yield "[All packages, and how it was compared](../notebooks/pages/conformance.md)."


def write_indices(folder: Path) -> None:
    """All pages, and the list of them."""
    folder.mkdir()
    lines = ["# Indices", "", "A page for each statistic: `confmat statistics` prints the same table.", ""]
    lines += ["| index | name | range | compares |", "|---|---|---|---|"]
    for name, statistic in STATISTICS.items():
        (folder / f"{name}.md").write_text("\n\n".join(page_of(statistic, folder)) + "\n", encoding="utf-8")
        compares = "two clusterings" if statistic.of_clusterings else "as its page says"
        if "simultaneous" in statistic.generators and not statistic.of_clusterings:
            compares = "classes and predictions"
        lines.append(f"| [{statistic.title}]({name}.md) | `{name}` | {_range(statistic)} | {compares} |")
    lines += ["", "```{toctree}", ":hidden:", *STATISTICS, "```"]
    (folder / "index.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
