"""Every small change of a JSON document, for tests that a reader notices all of them; certificates to change."""

from __future__ import annotations

import json
from copy import deepcopy
from hashlib import sha256
from types import ModuleType

import confmat as cm
from confmat.certificates import script
from confmat.classes import FixedMargins, FixedRows, Tables


def printed_checker():
    """The file that strangers run, as a module."""
    module = ModuleType("printed checker")
    exec(compile(script(), module.__name__, "exec"), vars(module))
    return module


CHECKER = printed_checker()
REJECTED = (CHECKER.Wrong, CHECKER.Unreadable)


def alone(text):
    """What the printed checker says."""
    return CHECKER.check(text, CHECKER.CHECKS_OF_CLAIMS)


def resealed(fields):
    """A certificate as text with the digest of its fields, as anyone who forges one makes it."""
    others = {key: value for key, value in fields.items() if key != "digest"}
    canonical = json.dumps(others, sort_keys=True, separators=(",", ":"))
    return json.dumps({**others, "digest": sha256(canonical.encode()).hexdigest()})


def formula(text, sizes=range(2, 5)):
    return cm.check(cm.Conjecture(text, text), [Tables(n, 2, 2) for n in sizes]).to_json()


# Of every kind that can be checked without the package, made when it is asked for.
CERTIFICATES = {
    "certificate": lambda: formula("med<=1/2 -> not (ard > 3/2, rd<1)"),
    "counterexample": lambda: formula("rd <= 1/2 or wallace_ab < n/20", range(2, 6)),
    "extreme": lambda: cm.maximize(Tables(5, 2, 3), "ard", given="med<=2/5").certificate(),
    "bounds": lambda: cm.maximize(Tables(8, 3, 3), "ard", method="bound-and-prune").certificate(),
    "margins": lambda: cm.maximize(FixedRows((3, 2), 3), "rd", method="bound-and-prune").certificate(),
    # The Wallace index is undefined where no two objects are together.
    "distribution": lambda: (
        cm.joint_distribution(Tables(2, 2, 2, True), "ari", "wallace_ba").given("med<1").certificate()
    ),
    "labelings": lambda: cm.joint_distribution(
        FixedMargins((2, 1), (2, 1)), "jaccard", weight="labelings"
    ).certificate(),
}


def changes(value):
    """What may stand in the place of a number, a text, a truth or nothing."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, value - 1, -value or 7, str(value), value + 0.5, True]
    if isinstance(value, str):
        return [value + "x", value[1:], value.upper() if value.upper() != value else "other", 3, None]
    return [1, "none", False] if value is None else []


def mutations(tree, path=()):
    """Pairs of a path and a document changed there: a value, a key dropped or added, neighbours swapped."""
    if isinstance(tree, dict):
        for key in tree:
            yield (*path, key), {k: x for k, x in tree.items() if k != key}
            for where, part in mutations(tree[key], (*path, key)):
                yield where, {**tree, key: part}
        yield (*path, "added"), {**tree, "added": 1}
    elif isinstance(tree, list):
        for i, inside in enumerate(tree):
            for where, part in mutations(inside, (*path, i)):
                yield where, [*tree[:i], part, *tree[i + 1 :]]
            if i and tree[i - 1] != inside:
                yield (*path, i), [*tree[: i - 1], inside, tree[i - 1], *tree[i + 1 :]]
        yield (*path, "added"), [*tree, *deepcopy(tree[-1:] or [1])]
    for other in changes(tree):
        yield path, other


def forged(text):
    """The same with a right seal: pairs of a path and a text."""
    for path, tree in mutations(json.loads(text)):
        if path[:1] != ("digest",):
            yield path, resealed(tree)
