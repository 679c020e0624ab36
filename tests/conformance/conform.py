"""Put the metrics of other packages through their contracts, and compare them with the textbook; write what is found.

Run in an environment with the packages that are to be looked at (those that are absent keep what is recorded):

    python tests/conformance/conform.py [LIBRARY...]

It writes results.json beside itself, and notebooks/pages/conformance.md and reproducers.md from it.
"""

import json
import sys
import time
import warnings
from datetime import date
from numbers import Real
from typing import Any

import numpy as np
from conformance_pages import RESULTS, ci_function, ci_options, metric_of_ci, write
from ecosystem import LIBRARIES, METRICS, Metric
from small_tables import classifier_orbits, degenerate, orbits, spelled_out

from confmat.testing import check_metric

MOST = 6
CLASSES = 3
TOLERANCE = 1e-9
# Larger cases are multiples of one table, until a call takes longer than this, or labels would be more than these.
PATIENCE = 1.0
PATTERN = np.array([[2, 1], [1, 2]])
MOST_IN_TABLE = 2**60


def cases_of(metric: Metric, n: int) -> Any:
    """All cases of n objects, one of each orbit: (arguments of the metric, arguments of its definition)."""
    if metric.all_claims.get("classifier"):
        for table in (x for k in range(1, CLASSES + 1) for x in classifier_orbits(n, k)):
            yield as_case(metric, table), (table,)
    else:
        for table in orbits(n):
            yield as_case(metric, table), (table,)


def as_case(metric: Metric, table: np.ndarray) -> tuple[Any, ...]:
    return (table,) if metric.takes == "table" else tuple(list(side) for side in spelled_out(table))


def remembering(function: Any) -> Any:
    """The function, called once for each case."""
    known: dict[str, tuple[Any, Exception | None]] = {}

    def call(*case: Any) -> Any:
        key = str(plain(case))
        if key not in known:
            try:
                known[key] = function(*case), None
            except Exception as error:
                known[key] = None, error
        value, error = known[key]
        if error is not None:
            raise error
        return value

    return call


def outcome(function: Any, case: Any) -> Any:
    """A number rounded to 12 digits, or what came in its place, in words."""
    try:
        value = function(*case)
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"[:90]
    return float(f"{float(value):.12g}") if isinstance(value, Real) and value - value == 0 else repr(value)


def plain(case: Any) -> list[Any]:
    return [side.tolist() if isinstance(side, np.ndarray) else list(side) for side in case]


def agrees(value: Any, exact: Any) -> bool:
    return isinstance(value, float) and abs(value - exact) <= TOLERANCE * max(1, abs(exact))


def against_the_textbook(metric: Metric, function: Any) -> dict[str, Any]:
    """Every small case: where the value is another than the definition's, and what there is where that is 0/0."""
    differing, zero, tried = [], {}, 0
    for n in range(1, MOST + 1):
        for case, arguments in cases_of(metric, n):
            value = outcome(function, case)
            try:
                exact = metric.textbook.value(*arguments)
            except ZeroDivisionError:
                zero.setdefault(str(value), []).append(case)
                continue
            tried += 1
            if not agrees(value, exact):
                odd = degenerate(*arguments)
                if metric.all_claims.get("classifier") and odd not in ("one object", "one cluster"):
                    odd = None
                differing.append(
                    {"n": n, "case": plain(case), "value": value, "exact": str(exact), "degenerate": odd}
                )
    telling = [x for x in differing if not x["degenerate"]]
    return {
        "tried": tried,
        "differ": len(differing),
        "first": differing[0] if differing else None,
        "telling": telling[0] if telling else None,
        "agrees to": differing[0]["n"] - 1 if differing else MOST,
        "zero": {value: {"cases": len(found), "first": plain(found[0])} for value, found in zero.items()},
    }


def large(metric: Metric, function: Any) -> dict[str, Any]:
    """The first multiple of a table where the value is wrong, or how far it was right."""
    most = MOST_IN_TABLE if metric.takes == "table" else LIBRARIES[metric.library].most_labels
    right, wrong, k = 0, None, 1
    while wrong is None and k * int(PATTERN.sum()) <= most:
        begun = time.process_time()
        if fault := wrong_at(metric, function, k):
            wrong = k, fault
            break
        right, k = k, 2 * k
        if time.process_time() - begun > PATIENCE:
            break
    if wrong is None:
        return {"right to": right * int(PATTERN.sum())}
    while wrong[0] - right > 1:
        middle = (wrong[0] + right) // 2
        if fault := wrong_at(metric, function, middle):
            wrong = middle, fault
        else:
            right = middle
    return {"wrong at": wrong[0] * int(PATTERN.sum()), **wrong[1]}


def wrong_at(metric: Metric, function: Any, k: int) -> dict[str, Any] | None:
    table = k * PATTERN
    value, exact = outcome(function, as_case(metric, table)), metric.textbook.value(table)
    if isinstance(value, float) and abs(value - exact) <= 1e-6 * max(1, abs(exact)):
        return None
    return {"table": table.tolist(), "value": value, "exact": float(exact)}


# What a metric is called with for an example of a claim.
CALLS = {
    "deterministic": lambda x: [x],
    "value": lambda x: [x],
    "bounds": lambda x: [x],
    "identity": lambda x: [x],
    "symmetry": lambda x: [x, x.T if isinstance(x, np.ndarray) else x[::-1]],
    "order": lambda x: [
        x[0],
        x[1](x[0]) if isinstance(x[0], np.ndarray) else [[y[i] for i in x[1]] for y in x[0]],
    ],
    "names": lambda x: [x[0], [[names[y] for y in labels] for labels, names in zip(x[0], x[1:])]],
    "triangle inequality": lambda x: [(x[0], x[2]), (x[0], x[1]), (x[1], x[2])],
}


def of_finding(metric: Metric, finding: Any) -> dict[str, Any]:
    answer: dict[str, Any] = {"status": finding.status}
    found = finding.beyond or finding.counterexample
    if found is not None and found.example is None and finding.claim == "deterministic":
        case = as_case(metric, np.array([[1, 1], [1, 0]]))  # any: nothing can be called
        return {**answer, "n": 3, "found": found.found, "cases": [plain(case)]}
    if found is None or found.example is None:
        return answer
    cases = CALLS[finding.claim](found.example)
    return {
        **answer,
        "n": found.n,
        "found": found.found,
        "cases": [plain([x] if metric.takes == "table" else x) for x in cases],
    }


# What is told of a metric that is not as it should be, the plainest fault first.
TITLES = {
    "deterministic": "raises whatever it is called with, or differs when it is called again",
    "names": "depends on the names of the labels",
    "order": "depends on the order of the objects or the clusters",
    "symmetry": "depends on which of the two comes first",
    "textbook": "is not its definition",
    "value": "has no value",
    "bounds": "is out of its bounds",
    "identity": "does not tell equal clusterings from others",
    "triangle inequality": "breaks the triangle inequality",
}


def reproducer(metric: Metric, answer: dict[str, Any]) -> dict[str, Any] | None:
    """A snippet that shows the plainest fault of a metric, and what it prints; None if there is none."""
    textbook = answer["textbook"] or {}
    worst = textbook.get("telling") or textbook.get("first")
    cases = {x: claim["cases"] for x, claim in answer["claims"].items() if claim["status"] == "broken"}
    cases |= {"textbook": [worst["case"]]} if worst else {}
    if textbook and not worst:  # only where the definition has none either
        cases.pop("value", None)
    fault = next((name for name in TITLES if name in cases), None)
    if fault is None and "wrong at" not in (answer["large"] or {}):
        return None
    if fault is None:
        fault, wrong = "textbook", answer["large"]
        cases[fault] = [plain(as_case(metric, np.array(wrong["table"])))]
        worst = {"exact": wrong["exact"]}
    library, names = LIBRARIES[metric.library], metric.names.split(", ")
    code = library.snippet(metric.call, [dict(zip(names, case)) for case in cases[fault]])
    said = f": {worst['exact']}, {metric.textbook.formula}" if fault == "textbook" else ""
    return {
        "title": f"`{metric.call}` {TITLES[fault]}{said}",
        "fence": library.fence,
        "code": code,
        "output": library.run(code),
    }


def conform(metric: Metric) -> dict[str, Any]:
    library = LIBRARIES[metric.library]
    plainly = library.function(metric.call, metric.names)
    function = remembering(plainly)
    options = {"labels": "ints"} if metric.takes == "labels" and library.labels == "ints" else {}
    found = check_metric(
        function,
        takes=metric.takes,
        n=MOST,
        every=4,
        examples=30,
        max_n=60,
        **options,
        **metric.all_claims,
    )
    answer: dict[str, Any] = {
        "library": metric.library,
        "call": metric.call,
        "definition": metric.definition,
        "why": metric.why,
        "claims": {
            x.claim: of_finding(metric, x)
            for x in found.findings
            if x.claim != "deterministic" or x.status != "kept"
        },
        "textbook": against_the_textbook(metric, function) if metric.definition else None,
        "large": large(metric, plainly) if metric.definition else None,
    }
    return {**answer, "reproducer": reproducer(metric, answer)}


def in_ci(library: str) -> str:
    """What the contract in the CI of a package says: its smallest counterexample, nothing where it is kept."""
    metric = metric_of_ci(library)
    found = check_metric(ci_function(metric), **ci_options(metric))
    for finding in found.findings:
        if finding.counterexample is not None:
            return f"{finding.claim}: {finding.beyond or finding.counterexample}"
    return ""


def main(wanted: list[str]) -> None:
    """Look at the packages that are named, or at all; with --ci first, only at the line for their CI."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    lines_only = wanted[:1] == ["--ci"]
    wanted = wanted[lines_only:]
    record = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"libraries": {}, "metrics": []}
    for name in wanted or list(LIBRARIES):
        if (found := LIBRARIES[name].version()) is None:
            print(f"{name} is not installed: its record stays", file=sys.stderr, flush=True)
            continue
        if lines_only:
            record["libraries"][name]["ci"] = in_ci(name)
            RESULTS.write_text(json.dumps(record, indent=1) + "\n")
            continue
        begun = time.process_time()
        answers = [conform(metric) for metric in METRICS if metric.library == name]
        others = [x for x in record["metrics"] if x["library"] != name]
        # In one order, whatever was run: a run that finds the same changes nothing.
        record["metrics"] = sorted([*others, *answers], key=lambda x: [*LIBRARIES].index(x["library"]))
        record["libraries"][name] = {
            "version": found,
            "date": date.today().isoformat(),
            "ci": in_ci(name),
        }
        print(
            f"{name} {found}: {len(answers)} metrics, {time.process_time() - begun:.0f} s",
            file=sys.stderr,
            flush=True,
        )
        RESULTS.write_text(json.dumps(record, indent=1) + "\n")
    write()


if __name__ == "__main__":
    main(sys.argv[1:])
