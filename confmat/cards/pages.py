"""The reference card on a page: its sheets and lines, in text, Markdown, HTML, LaTeX and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from math import sqrt
from textwrap import fill
from typing import TYPE_CHECKING, Any

from confmat.cards.values import Value, exact_text, probability_text
from confmat.indices.logarithms import LogRatio
from confmat.indices.numbers import number_json
from confmat.matrices.matrix import best_matching, count_best_matchings, dense
from confmat.sheets import Sheet
from confmat.statistics.table import STATISTICS

if TYPE_CHECKING:
    from confmat.cards.comparisons import Comparison, Neighbour
    from confmat.cards.places import End, Place
    from confmat.chance.p_values import PValue

Part = Sheet | str

_MOST_LINES = 16  # of a contingency table on a page, or of matched pairs
_MOST_IN_JSON = 1000  # lines of a matrix that is written out
_EXACT_WIDTH = 27
_UNPROVED = "°"


def parts(card: Comparison) -> Iterator[Part]:
    """What the card says, in order: sheets, and lines between them."""
    r, s = card.clusters
    a, b = card.names
    yield f"{_number(card.n, 'object')}, {_number(r, 'cluster')} in {a} (rows), {s:,} in {b} (columns)."
    yield from _table(card)
    if card.place is not None:
        yield from _standing(card.place)
    sheet = Sheet(("index", "name", "value", "exact"), ("index", "name", "exact"), "Every index")
    long = []
    for name, value in card.items():
        exact = exact_text(value)
        if len(exact) > _EXACT_WIDTH:
            # Logarithms of a dozen primes tell nobody anything.
            long += [] if isinstance(value, LogRatio) else [f"{name} = {exact}"]
            exact = "" if isinstance(value, LogRatio) else "below"
        sheet.add_row(STATISTICS[name].title, name, _decimal(value), exact)
    yield sheet
    yield from long
    yield from _beside(card)


def _table(card: Comparison) -> Iterator[Part]:
    """The contingency table, the best matching marked, or where it is large the matched pairs alone."""
    matching = best_matching(card.matrix)
    best = count_best_matchings(card.matrix)
    which = "" if best is None or best == 1 else f", one of {best:,}"
    title = f"Best matching (*){which}: {matching.total:,} of {card.n:,} objects"
    if max(card.matrix.shape) <= _MOST_LINES:
        marked = set(matching.pairs)
        sheet = Sheet(("", *map(str, card.labels[1]), "sum"), ("",), title)
        cells = dense(card.matrix).tolist()
        for i, (label, row) in enumerate(zip(card.labels[0], cells)):
            texts = (f"{x:,}{'*' if (i, j) in marked else ''}" for j, x in enumerate(row))
            sheet.add_row(str(label), *texts, f"{sum(row):,}")
        sheet.add_row("sum", *(f"{sum(col):,}" for col in zip(*cells)), f"{card.n:,}")
        yield sheet
        return
    sheet = Sheet((*card.names, "objects"), card.names, title.replace(" (*)", ""))
    for i, j in matching.pairs[:_MOST_LINES]:
        sheet.add_row(str(card.labels[0][i]), str(card.labels[1][j]), f"{card.matrix[i, j]:,}")
    yield sheet
    if len(matching.pairs) > _MOST_LINES:
        yield f"and {len(matching.pairs) - _MOST_LINES:,} more pairs"


def _standing(place: Place) -> Iterator[Part]:
    """The place of the main indices, and how it was found."""
    names = [x.name for x in place.standings]
    sheet = Sheet(("", *(name.upper() for name in names)), ("",), "Where it stands")
    sheet.add_row("observed", *(_decimal(x.observed) for x in place.standings))
    sheet.add_row("worst possible", *(_end(x.worst) for x in place.standings))
    sheet.add_row("best possible", *(_end(x.best) for x in place.standings))
    for population in place.populations:
        sheet.add_row(population.words, *(share_text(x.shares[population.name]) for x in place.standings))
    yield sheet
    yield (
        "In the last three lines: the share that agrees as well as observed, or better, of tables and of labelings "
        "with as many objects and clusters, and under chance, where labels are permuted and clusters keep their sizes."
    )
    drawn = [x for x in place.populations if x.draws is not None]
    if drawn:
        of = "all three" if len(drawn) == len(place.populations) else " and ".join(x.words for x in drawn)
        yield f"{drawn[0].draws:,} drawn of {of} (seed {place.seed}); ± and <: 99 % intervals."
        errors = {x.shares["margins"].error for x in place.standings} - {None}
        yield from (
            f"P-values without them: counted by a recursion, relative error below {e:.0e}." for e in errors
        )
    if any(end is not None and not end.proved for x in place.standings for end in (x.worst, x.best)):
        yield f"{_UNPROVED} the best known, not proved to be the end."


def _beside(card: Comparison) -> Iterator[Part]:
    """Largest values, the ARI under chance, and what moving one object does to it."""
    largest = ", ".join(f"{name.upper()} {_decimal(x)}" for name, x in card.largest)
    yield f"Largest over all tables with as many objects and clusters: {largest}."
    mean, variance = card.null
    sd = sqrt(variance)
    score = f"; it is {(float(card['ari'] or 0) - mean) / sd:.4g} sd above" if sd else ""
    yield f"The ARI of random labels with these cluster sizes: mean {float(mean):.4g}, sd {sd:.4g}{score}."
    for word, neighbour in zip(("lower", "higher"), card.neighbours):
        if neighbour is not None:
            yield f"One object moved: the next {word} ARI is {_decimal(neighbour.ari)}, {_move(card, neighbour)}."


def _move(card: Comparison, neighbour: Neighbour) -> str:
    start, end = (
        [card.labels[side][k] for side, k in enumerate(cell)] for cell in (neighbour.start, neighbour.end)
    )
    return f"from ({start[0]}, {start[1]}) to ({end[0]}, {end[1]})"


def share_text(share: PValue) -> str:
    """A share: exact, or of draws with half the length of its interval, or below its upper end.

    >>> from confmat.chance.p_values import p_of_draws
    >>> share_text(p_of_draws(2300, 0, 9999)), share_text(p_of_draws(0, 0, 9999))
    ('0.23±0.011', '<0.00053')
    """
    if share.interval is None:
        return probability_text(share.value)
    low, high = share.interval
    if low == 0:
        return f"<{high:.2g}"
    return f"{float(share):.3g}±{(high - low) / 2:.2g}"


def _end(end: End | None) -> str:
    return "unknown" if end is None else _decimal(end.value) + _UNPROVED * (not end.proved)


def _decimal(value: Value) -> str:
    if value is None:
        return "undefined"
    x = float(value)
    return f"{x:.7f}" if x == 0 or abs(x) >= 1e-4 else f"{x:.3e}"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


# --- formats --------------------------------------------------------------------------------------


def text(card: Comparison, width: int) -> str:
    """Plain text.

    >>> from confmat.cards import compare
    >>> print(text(compare([[9, 1], [2, 8]]), 80).splitlines()[0])
    20 objects, 2 clusters in a (rows), 2 in b (columns).
    """
    return "\n".join(
        fill(part, width, break_long_words=False, break_on_hyphens=False)
        if isinstance(part, str)
        else f"\n{part.title}\n{part.text(width)}\n"
        for part in parts(card)
    )


def published(card: Comparison, form: Callable[[Sheet], str]) -> str:
    """The card with its sheets in one of the formats of ``confmat.sheets.FORMATS``, a blank line between parts."""
    return "\n\n".join(part if isinstance(part, str) else form(part) for part in parts(card))


def html(card: Comparison) -> str:
    """HTML, for notebooks."""
    return "".join(f"<p>{escape(x)}</p>" if isinstance(x, str) else x.html() for x in parts(card))


def json(card: Comparison) -> dict[str, Any]:
    """What stands beside the indices: "table", "place", "neighbours"."""

    def end(x: End | None) -> dict[str, Any] | None:
        return None if x is None else number_json(x.value) | {"basis": x.basis, "proved": x.proved}

    def share(p: PValue, draws: int | None) -> dict[str, Any]:
        return {
            "p": number_json(p.value),
            "interval": p.interval and list(p.interval),
            "draws": p.interval and draws,
        }

    def neighbour(x: Neighbour | None) -> dict[str, Any] | None:
        return None if x is None else {"ari": number_json(x.ari), "from": list(x.start), "to": list(x.end)}

    place, sparse = card.place, max(card.matrix.shape) > _MOST_IN_JSON
    standings = place and {
        x.name: {"observed": number_json(x.observed), "worst": end(x.worst), "best": end(x.best)}
        | {group.name: share(x.shares[group.name], group.draws) for group in place.populations}
        for x in place.standings
    }
    return {
        "table": {
            "names": list(card.names),
            "rows": list(map(str, card.labels[0])),
            "columns": list(map(str, card.labels[1])),
            "matrix": None if sparse else dense(card.matrix).tolist(),
            "matching": [list(pair) for pair in best_matching(card.matrix).pairs],
            "matchings": count_best_matchings(card.matrix),
        },
        "place": standings,
        "neighbours": dict(zip(("lower", "higher"), map(neighbour, card.neighbours))),
    }
