"""Reading of certificates, and the verdict whether a certificate is right.

Plain Python without imports from other directories. ``confmat verify --script`` prints it after ``standalone``.
"""

import itertools
import json
import operator
import sys
from hashlib import sha256

# --- integers and tables --------------------------------------------------------------------------


def partitions(n, parts, least, most=None):
    """Yield the decreasing tuples of ``parts`` integers >= ``least`` with sum n, the lexicographically largest first.

    The integers are at most ``most``, if that is given.

    >>> [*partitions(5, 3, 1)]
    [(3, 1, 1), (2, 2, 1)]
    """
    if parts == 1 or n == least * parts:
        if least * parts <= n:
            yield (n // parts,) * parts
        return
    largest_part = n - least * (parts - 1)
    if most is not None:
        largest_part = min(largest_part, most)
    mean_rounded_up = -(-n // parts)
    for first_part in range(largest_part, mean_rounded_up - 1, -1):
        for other_parts in partitions(n - first_part, parts - 1, least, first_part):
            yield (first_part, *other_parts)


def matched(table):
    """Return the largest sum of cells of a matching of rows to columns: n (1 - MED).

    >>> matched([[2, 1, 0], [3, 0, 1]])
    4
    """
    lines, other_lines = sorted((table, [*zip(*table)]), key=len)
    points = []
    for matching in itertools.permutations(range(len(other_lines)), len(lines)):
        points.append(sum(map(operator.getitem, lines, matching)))
    return max(points)


# --- reading, and the verdict ---------------------------------------------------------------------


class Wrong(Exception):
    """Error for a certificate whose claim is false."""


class Unreadable(Exception):
    """Error for a string that is not a certificate, or a certificate that this file does not support."""


# Version of the format and of the meaning of certificates. Version 3 marks unbound functions. Version 4 has other
# bounds of extremes.
VERSION = 4

# Errors that reading invalid fields can raise.
STRANGE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def canonical(tree):
    """Return the canonical JSON of a value. 1, true and "1" differ, lists and tuples do not."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"))


def seal(content):
    """Return the SHA-256 digest of the canonical JSON of all fields except the digest."""
    sealed_fields = {key: field for key, field in content.items() if key != "digest"}
    return sha256(canonical(sealed_fields).encode()).hexdigest()


def read(text):
    """Return the content of a certificate. Raise Unreadable for another text, Wrong if the digest does not match."""

    def refused(words):
        raise Unreadable(f"it has {words}")

    def once(pairs):
        fields = dict(pairs)
        if len(fields) < len(pairs):
            refused("a key twice")
        return fields

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
        raise Wrong(f"its digest should be {seal(content)}, got {content.get('digest')!r:.80}")
    return content


def check(text, checks):
    """Return the claim of a certificate in words. Raise Wrong if it is false, Unreadable if it is not supported.

    ``checks`` maps each kind of certificate to a function. It returns these words, and all fields of a correct
    certificate.
    """
    content = read(text)
    if content.get("kind") not in [*checks]:
        raise Unreadable(
            f"its kind {content.get('kind')!r:.80} is unknown. `confmat verify FILE --script` prints its checker"
        )
    try:
        words, fields = checks[content["kind"]](content)
    except STRANGE as error:
        raise Unreadable(f"a field is missing or invalid: {error!r:.80}") from None
    for key in ("format", "kind", "digest"):
        fields[key] = content[key]
    fields["version"] = VERSION
    texts = {key: canonical(field) for key, field in content.items()}
    right_texts = {key: canonical(field) for key, field in fields.items()}
    for key in sorted({*texts, *right_texts}):
        if texts.get(key) != right_texts.get(key):
            raise Wrong(f"{key} should be {right_texts.get(key)!s:.200}, got {texts.get(key)!s:.200}")
    return words


def main(arguments, checks):
    """Check a file, print the verdict, and return the exit code."""
    try:
        (name,) = arguments
        with open(name, encoding="utf-8") as file:
            print("right:", check(file.read(), checks))
        return 0
    except Wrong as error:
        print("wrong:", error)
        return 1
    except (Unreadable, OSError, ValueError) as error:
        words = "unreadable" if isinstance(error, Unreadable) else "usage: python3 -I verify.py FILE"
        print(f"{words}: {error}", file=sys.stderr)
        return 2
