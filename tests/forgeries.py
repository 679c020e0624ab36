"""Every small change of a JSON document, for tests that a reader notices all of them."""

from __future__ import annotations

import json
from copy import deepcopy

from confmat.certificates.verdict import seal


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
            yield path, json.dumps({**tree, "digest": seal(tree)})
