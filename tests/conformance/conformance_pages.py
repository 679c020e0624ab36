"""The pages on other packages' metrics, from results.json.

python tests/conformance/conformance_pages.py
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from definitions import DEFINITIONS, INDICES
from ecosystem import LIBRARIES, METRICS, Metric, as_sets
from small_tables import classifier_orbits, degenerate, orbits

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE.parents[1] / "notebooks" / "pages" / "conformance.md"
REPRODUCERS = HERE / "reproducers.md"

_HEAD = """# Metrics of other packages, on every small case

This page compares {metrics} metrics of {libraries} packages with their definitions and checks their properties.

The metrics compare two clusterings, or a classifier with the truth. Each of them is called with **every** case of up
to six objects. The cases are one contingency table of each orbit under permutations of rows and of columns (437), or
one confusion matrix of each orbit (up to three classes). The values are compared with the definition of a textbook in
exact arithmetic. `cm.check_metric` checks the properties: whether the order of objects, the names of labels or the
order of the clusterings changes the value, whether only equal clusterings have the value of equal clusterings, and
whether bounds and the triangle inequality hold. A counterexample is the smallest one.

- *agrees*: "all 436" means that the metric agrees with the definition in all 436 cases in which this has a value.
  Otherwise the number of differences and the smallest case are given, with both values. It is not a degenerate case
  (one object, one cluster, all singletons in a clustering, equal clusterings) if another one exists.
- *at 0/0*: the results for cases in which the definition is 0/0, with their numbers. No result is wrong there.
- *broken*: the properties that do not hold, or hold except in degenerate cases.
- *large*: multiples of the table [[2, 1], [1, 2]]. The metric is right up to N objects, or wrong from N objects on.

Each difference has a [reproducer](../../tests/conformance/reproducers.md), a program that was run. This page is the
output of `python tests/conformance/conform.py` with the packages that are installed. The definitions are in
`tests/conformance/definitions.py`, the calls in `ecosystem.py` next to it, and all results in `results.json`. To
cite a result, name the version of the package and the date below.

"""

_REPRODUCERS = """# Reproducers

A program for each metric of the [table](../../notebooks/pages/conformance.md) that differs from its definition or
breaks a property: the smallest case, and what is printed. `tests/conformance/conform.py` writes and runs them.

"""


def of_case(case: list[Any]) -> str:
    return ", ".join(str(side).replace(" ", "") for side in case)


def agreement(textbook: dict[str, Any] | None) -> str:
    if textbook is None:
        return "no definition compared"
    if not textbook["differ"]:
        return f"all {textbook['tried']}"
    worst = textbook["telling"] or textbook["first"]
    return (
        f"**{textbook['differ']} of {textbook['tried']} differ**: {of_case(worst['case'])} has {worst['value']}, "
        f"not {worst['exact']}" + (f" ({worst['degenerate']})" if worst["degenerate"] else "")
    )


def zero(textbook: dict[str, Any] | None) -> str:
    """What there is at 0/0: each value, or the span of many."""
    found = {} if textbook is None else textbook["zero"]
    numbers = sorted(float(value) for value in found if is_decimal(value))
    if len(numbers) > 3:
        many = sum(x["cases"] for value, x in found.items() if is_decimal(value))
        span = [f"{numbers[0]:.3g} to {numbers[-1]:.3g} ({many})"]
        return "; ".join(
            span + [f"{name(value)} ({x['cases']})" for value, x in found.items() if not is_decimal(value)]
        )
    return "; ".join(f"{name(value)} ({x['cases']})" for value, x in found.items())


def is_decimal(value: str) -> bool:
    return value.lstrip("-")[:1].isdigit()


def name(value: str) -> str:
    """The value, or the kind of the error; nan of NumPy is nan.

    >>> name("np.float64(nan)"), name("ValueError: no value")
    ('nan', 'ValueError')
    """
    return value.split(":")[0].removeprefix("np.float64(").rstrip(")")


def size(answer: dict[str, Any]) -> str:
    large, textbook = answer["large"], answer["textbook"]
    if large is None or textbook["telling"]:
        return ""
    if "wrong at" in large:
        return f"**wrong from n = {large['wrong at']:,}**: {large['value']}, not {large['exact']:.6g}"
    return f"right to {large['right to']:,}"


def broken(answer: dict[str, Any]) -> str:
    """The claims that are; without those on a value that the definition does not have either."""
    kinds = {"broken": "", "undefined": " (nothing is defined)", "degenerate": " (degenerate cases)"}
    as_defined = answer["textbook"] and not answer["textbook"]["differ"]
    claims = {
        name: x["status"] for name, x in answer["claims"].items() if not (name == "value" and as_defined)
    }
    return ", ".join(name + kinds[status] for name, status in claims.items() if status in kinds)


def table(answers: list[dict[str, Any]]) -> str:
    head = "| metric | definition | agrees | at 0/0 | broken | large |\n|---|---|---|---|---|---|\n"
    rows = (
        [
            f"`{x['call'].replace('|', '')}`",
            (x["definition"] or "") + (f" ({x['why']})" if x["why"] else ""),
            agreement(x["textbook"]),
            zero(x["textbook"]),
            broken(x),
            size(x),
        ]
        for x in answers
    )
    return head + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def summary(record: dict[str, Any]) -> str:
    """A line for each package: how many metrics are their definitions, and which are not."""
    lines = ["| package | metrics | as defined | not | wrong when large |\n|---|---|---|---|---|\n"]
    for library, about in record["libraries"].items():
        answers = [x for x in record["metrics"] if x["library"] == library and x["textbook"]]
        not_so = [x for x in answers if x["textbook"]["differ"]]
        large = [x for x in answers if x not in not_so and "wrong at" in (x["large"] or {})]
        cells = [
            f"{library} {about['version']}",
            str(sum(x["library"] == library for x in record["metrics"])),
            f"{len(answers) - len(not_so)} of {len(answers)}",
            *(", ".join(f"`{x['call']}`" for x in some) for some in (not_so, large)),
        ]
        lines.append(f"| {' | '.join(cells)} |\n")
    return "".join(lines)


@cache
def kinds_at_zero(definition: str) -> frozenset[str | None]:
    """Of what kinds the small tables are where a definition is 0/0: None is one that is not degenerate.

    >>> sorted(kinds_at_zero("Rand")), None in kinds_at_zero("macro recall")
    (['one object'], True)
    """
    textbook = DEFINITIONS[definition]
    found = set()
    for n in range(1, 5):
        tables = (x for k in (1, 2, 3) for x in classifier_orbits(n, k))
        for table in tables if textbook.claims.get("classifier") else orbits(n):
            try:
                textbook(table)
            except ZeroDivisionError:
                found.add(degenerate(table))
    return frozenset(found)


def metric_of_ci(library: str) -> Metric:
    """The first metric that has a value wherever it should; else the first."""
    metrics = [metric for metric in METRICS if metric.library == library]
    for metric in metrics:
        if metric.definition and None not in kinds_at_zero(metric.definition):
            return metric
    return metrics[0]


def ci_options(metric: Metric) -> dict[str, Any]:
    """What the contract of a metric says in the CI of its package."""
    options: dict[str, Any] = {"takes": metric.takes}
    library = LIBRARIES[metric.library]
    if metric.takes == "labels":
        options.update({} if library.labels == "any" else {"labels": library.labels})
    if metric.definition is None:
        return {**options, **metric.claims}
    kinds = sorted(kinds_at_zero(metric.definition))
    undefined = {"undefined": tuple(kinds)} if kinds else {}
    if metric.definition not in INDICES:
        return {**options, **metric.all_claims, **undefined}
    return {**options, "reference": INDICES[metric.definition], **undefined}


def ci_function(metric: Metric) -> Callable[..., Any]:
    """Return the metric as a function of two lists of labels or of a table."""
    return LIBRARIES[metric.library].function(metric.call, metric.names)


def ci_line(library: str, about: dict[str, Any]) -> str:
    """The contract that the CI of a package would run, and what it says of the recorded version."""
    metric = metric_of_ci(library)
    said = "".join(f", {name}={value!r}" for name, value in ci_options(metric).items())
    of_sets = getattr(LIBRARIES[metric.library], "form", None) is as_sets
    form = " of sets of objects" if of_sets else ""
    line = f"In its CI: `cm.check_metric(metric{said}).check()`, where the metric is `{metric.call}`{form}"
    if "ci" not in about:
        return f"{line}."
    return f"{line}: {about['ci'] or 'all hold'}."


def pages(record: dict[str, Any]) -> dict[Path, str]:
    """The text of each page."""
    parts, reproducers = [], []
    for name, library in record["libraries"].items():
        answers = [x for x in record["metrics"] if x["library"] == name]
        title = f"## {name} {library['version']}\n\n"
        parts.append(
            f"{title}{len(answers)} metrics, {library['date']}. {ci_line(name, library)}\n\n{table(answers)}"
        )
        found = [x["reproducer"] for x in answers if x["reproducer"]]
        shown = [
            f"**{x['title']}**\n\n```{x['fence']}\n{x['code']}```\n\nprints\n\n```text\n{x['output']}```\n"
            for x in found
        ]
        if shown:
            reproducers.append(title + "\n".join(shown))
    head = _HEAD.format(metrics=len(record["metrics"]), libraries=len(record["libraries"]))
    return {
        PAGE: head + summary(record) + "\n" + "\n".join(parts),
        REPRODUCERS: _REPRODUCERS + "\n".join(reproducers),
    }


def write() -> None:
    for page, text in pages(json.loads(RESULTS.read_text())).items():
        page.write_text(text)


if __name__ == "__main__":
    write()
