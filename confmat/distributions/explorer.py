"""Page for a browser: heat map of two statistics, exact values, conditions, and a table of the user.

The page is one file that needs no network. It has the distinct sufficient statistics (m, A, B, P) with their exact
weights and an example table for each. Its script computes every statistic by its formula. When it is opened, it
adds up its weights and computes the sufficient statistic of every example table again.

>>> from confmat.statistics import STATISTICS
>>> formula_in_script(STATISTICS["rd"], 20)
'[((A + B) - (2 * P)), 190]'
"""

from __future__ import annotations

import base64
import json
import zlib
from functools import partialmethod
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat._arguments import as_count, as_path
from confmat._integers.arrays import groups, summed
from confmat.errors import TooLargeError
from confmat.statistics.record import Statistic
from confmat.statistics.table import STATISTICS, as_statistic

if TYPE_CHECKING:
    from confmat.distributions.held import Held

# Largest number of sufficient statistics of a page: some megabytes of text, which a browser draws in a second.
MOST_SIGNATURES = 200_000

# Largest number of objects for which JavaScript computes products of two numbers of pairs without rounding.
MOST_OBJECTS_EXPLORED = 5_000

# Directory of the parts of the page, next to this module.
_PARTS = "explorer_page"


class Written:
    """Symbolic expression in m, A, B and P that records arithmetic as the text of a script.

    >>> a, b = Written("A"), Written("B")
    >>> (2 * a - b * b + 1).text
    '(((2 * A) - (B * B)) + 1)'
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def _with(self, sign: str, other: Any, comes_second: bool = False) -> Written:
        """Return the expression of an operation with another operand. ``sign`` is the operator.

        If ``comes_second`` is True, this expression is the right operand.
        """
        texts = [self.text, other.text if isinstance(other, Written) else str(int(other))]
        if comes_second:
            texts.reverse()
        return Written(f"({f' {sign} '.join(texts)})")

    __add__ = partialmethod(_with, "+")
    __sub__ = partialmethod(_with, "-")
    __mul__ = partialmethod(_with, "*")
    __radd__ = partialmethod(_with, "+", comes_second=True)
    __rsub__ = partialmethod(_with, "-", comes_second=True)
    __rmul__ = partialmethod(_with, "*", comes_second=True)


def formula_in_script(statistic: Statistic, n: int) -> str:
    """Return numerator and denominator of a statistic of n objects as JavaScript expressions in m, A, B and P.

    >>> formula_in_script(STATISTICS["ri"], 4)
    '[(6 - ((A + B) - (2 * P))), 6]'
    """
    formula = statistic.base.formula
    assert formula is not None
    numerator, denominator = formula(n, *(Written(name) for name in "mABP"))
    if statistic.complement:
        numerator = denominator - numerator
    texts = [side.text if isinstance(side, Written) else str(int(side)) for side in (numerator, denominator)]
    return f"[{', '.join(texts)}]"


def offered() -> list[Statistic]:
    """Return the statistics that a page can show: indices of two clusterings that sufficient statistics determine.

    >>> [statistic.name for statistic in offered()]
    ['med', 'rd', 'ri', 'ard', 'ari', 'fm', 'jaccard', 'pair_kappa']
    """
    return [
        statistic
        for statistic in STATISTICS.values()
        if statistic.counted and statistic.factor is None and "transposition" in statistic.generators
    ]


def explore(law: Held, path: Any, x: str, y: str, most: int) -> Path:
    """Write the page of a distribution, see ``JointDistribution.explore``."""
    target = as_path("path", path)
    most = as_count("most", most, minimum=1)
    names = [statistic.name for statistic in offered()]
    across, upwards = (as_statistic(name).name for name in (x, y))
    for argument, name in (("x", across), ("y", upwards)):
        if name not in names:
            raise ValueError(f"{argument} must be one of {', '.join(names)}, got {name!r}")
    n = law.matrices.n
    if not 2 <= n <= MOST_OBJECTS_EXPLORED:
        raise ValueError(
            f"the page of a distribution can be made for n from 2 to {MOST_OBJECTS_EXPLORED} objects, got n = {n}"
        )
    cells, weights, tables = _signature_rows(law, most)
    head = {
        "n": n,
        "shape": list(law.matrices.shape),
        "total": str(law.total),
        "weight": law.weight,
        "title": f"Distribution over {law.matrices.words()}",
        "conditions": [str(condition) for condition in law.conditions],
        "assumptions": law.assumptions,
        "x": across,
        "y": upwards,
    }
    columns = [
        *cells.T.tolist(),
        [str(weight) for weight in weights],
        tables.reshape(len(tables), -1).tolist(),
    ]
    target.write_text(page(head, columns), encoding="utf-8")
    return target


def _signature_rows(law: Held, most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the sufficient statistics with A >= B, their weights, and an example table for each.

    Raise TooLargeError if there are more than ``most``.
    """
    signatures = law.sufficient_statistics()
    if len(signatures["m"]) > 2 * most:
        raise TooLargeError(
            f"a page must have at most {most} sufficient statistics, got more for {law!r}. "
            "Use a smaller class, a condition, or a larger argument most."
        )
    tables = law.example_tables()
    larger = np.maximum(signatures["A"], signatures["B"])
    smaller = np.minimum(signatures["A"], signatures["B"])
    cells = np.stack([signatures["m"], larger, smaller, signatures["P"]], axis=1)
    distinct, total = summed(cells, signatures["weight"])
    if len(distinct) > most:
        raise TooLargeError(
            f"a page of {law!r} would have {len(distinct)} sufficient statistics (limit most={most})"
        )
    _, order, starts = groups(cells)
    return distinct, total, tables[order[starts]]


def page(head: dict[str, Any], columns: list[Any]) -> str:
    """Return the HTML of the page.

    ``head`` has the title and the settings of the page, ``columns`` the sufficient statistics and weights. A
    content security policy allows only the script and the style sheet of the page, by their digests.

    >>> text = page({"title": "Law", "n": 2}, [])
    >>> "default-src 'none'" in text, "<title>Law</title>" in text
    (True, True)
    """
    folder = files("confmat.distributions") / _PARTS
    markup, style, script = (
        (folder / name).read_text(encoding="utf-8") for name in ("page.html", "page.css", "page.js")
    )
    script = f"{_statistics_in_script(head['n'])}\n{script}"
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = json.dumps(columns, separators=(",", ":"))
    packed_data = compressor.compress(text.encode()) + compressor.flush()
    policy = f"default-src 'none'; script-src {_source_hash(script)}; style-src {_source_hash(style)}"
    parts = {
        "POLICY": policy,
        "TITLE": escape(head["title"]),
        "HEAD": json.dumps(head).replace("<", "\\u003c"),
        "DATA": base64.b64encode(packed_data).decode(),
        "STYLE": style,
        "SCRIPT": script,
    }
    for name, part in parts.items():
        markup = markup.replace(f"{{{{{name}}}}}", part)
    return markup


def _source_hash(text: str) -> str:
    """Return the hash of a script or style sheet for the content security policy."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def _statistics_in_script(n: int) -> str:
    """Return the table of statistics as JavaScript."""
    records = []
    for statistic in offered():
        value_if_undefined = statistic.base.undefined
        value_instead = "null"
        if value_if_undefined == value_if_undefined:
            value = 1 - value_if_undefined if statistic.complement else value_if_undefined
            value_instead = f"[{value.numerator}, {value.denominator}]"  # type: ignore[union-attr]
        root = "true" if statistic.base.root else "false"
        formula = f"(m, A, B, P) => {formula_in_script(statistic, n)}"
        names = json.dumps([statistic.name, *statistic.names])
        records.append(
            f"  {statistic.name}: {{ title: {json.dumps(statistic.title)}, names: {names}, root: {root}, "
            f"undefined: {value_instead}, formula: {formula} }},"
        )
    lines = "\n".join(records)
    head = f'"use strict";\n// Written out of the table of statistics, for {n} objects.'
    return f"{head}\nconst STATISTICS = {{\n{lines}\n}};"
