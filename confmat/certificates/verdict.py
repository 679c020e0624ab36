"""What the checkers of all certificates share: how a file is read, and when it is right.

Plain Python that nothing outside this folder is needed for: ``confmat verify --script`` prints it behind the checker
of one kind of certificate.
"""

import itertools
import json
import operator
import sys
from hashlib import sha256

# --- whole numbers and tables ---------------------------------------------------------------------


def partitions(n, parts, least, most=None):
    """Decreasing tuples of whole numbers >= least with sum n, the largest first."""
    if parts == 1 or n == least * parts:
        yield from [(n // parts,) * parts] * (least * parts <= n)
        return
    top = n - least * (parts - 1)
    for first in range(top if most is None else min(top, most), -(-n // parts) - 1, -1):
        yield from ((first, *rest) for rest in partitions(n - first, parts - 1, least, first))


def matched(table):
    """The most points that a matching of rows and columns keeps: n (1 - MED)."""
    lines, others = sorted((table, [*zip(*table)]), key=len)
    orders = itertools.permutations(range(len(others)), len(lines))
    return max(sum(map(operator.getitem, lines, x)) for x in orders)


# --- reading, and the verdict ---------------------------------------------------------------------


class Wrong(Exception):
    """The certificate says something that is not so."""


class Unreadable(Exception):
    """It is no certificate, or one that this file cannot check."""


# Of the form of certificates and of what they claim; the third says of functions that they are not bound, the bounds of
# extremes are those of the fourth.
VERSION = 4

# What reading fields of another form ends in.
STRANGE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def canonical(tree):
    """The one JSON text of a value: 1, true and "1" differ, lists and tuples do not."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"))


def seal(content):
    """SHA-256 of the canonical text of everything but the digest."""
    return sha256(canonical({key: x for key, x in content.items() if key != "digest"}).encode()).hexdigest()


def read(text):
    """The content of a certificate; Unreadable for another text, Wrong for a broken seal."""

    def once(pairs):
        return dict(pairs) if len(dict(pairs)) == len(pairs) else refused("a key twice")

    def refused(what):
        raise Unreadable(f"it has {what}")

    try:
        content = json.loads(text, object_pairs_hook=once, parse_float=refused, parse_constant=refused)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is not JSON: {error}") from None
    if not isinstance(content, dict) or content.get("format") != "confmat certificate":
        raise Unreadable('it does not have the format "confmat certificate"')
    if content.get("version") in (1, 2, 3):
        raise Unreadable(f"it is older than its checker: its version is {content['version']}, not {VERSION}")
    if content.get("version") != VERSION:
        raise Unreadable(f"its version is {content.get('version')!r:.80}, not {VERSION}")
    if content.get("digest") != seal(content):
        raise Wrong(f"its digest should be {seal(content)}, it says {content.get('digest')!r:.80}")
    return content


def check(text, checks):
    """What a certificate shows, in words; Wrong or Unreadable where it does not.

    Of each kind the check returns these words, and every field as it should be.
    """
    content = read(text)
    if content.get("kind") not in [*checks]:
        raise Unreadable(
            f"its kind is {content.get('kind')!r:.80}: `confmat verify FILE --script` prints the checker"
        )
    try:
        said, right = checks[content["kind"]](content)
    except STRANGE as error:
        raise Unreadable(f"a field is missing or of another form: {error!r:.80}") from None
    right |= {key: content[key] for key in ("format", "kind", "digest")} | {"version": VERSION}
    held, right = ({key: canonical(x) for key, x in tree.items()} for tree in (content, right))
    for key in sorted({*held, *right}):
        if held.get(key) != right.get(key):
            raise Wrong(f"{key} should be {right.get(key)!s:.200}, it says {held.get(key)!s:.200}")
    return said


def main(arguments, checks):
    """Check a file, say what was found, and return the exit code."""
    try:
        (name,) = arguments
        with open(name, encoding="utf-8") as file:
            print("right:", check(file.read(), checks))
        return 0
    except Wrong as error:
        print("wrong:", error)
        return 1
    except (Unreadable, OSError, ValueError) as error:
        said = "unreadable" if isinstance(error, Unreadable) else "usage: python3 -I verify.py FILE"
        print(f"{said}: {error}", file=sys.stderr)
        return 2
