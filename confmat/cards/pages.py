"""The reference card on a page: the sentence that answers, its sheets and lines."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from confmat.answers import Part, counted, exact_text, number_json, probability_text
from confmat.answers.sheets import Sheet, whole
from confmat.cards.places import MOST_CELLS_PLACED
from confmat.indices.classification.roots import RootSum
from confmat.indices.logarithms import LogRatio
from confmat.matrices.matrix import best_matching, count_best_matchings, dense
from confmat.statistics.table import STATISTICS

if TYPE_CHECKING:
    from confmat.cards.comparisons import Comparison, IndexValue, Neighbour
    from confmat.cards.places import End, Place, Standing
    from confmat.chance.p_values import PValue

MOST_LINES_ON_PAGE = 16
"""Lines of a matrix on a page, of matched pairs, or of classes."""

_MOST_IN_JSON = 1000  # lines of a matrix that is written out
_LONGEST_BELOW = 68
_EXACT_WIDTH = 27
_LONGEST_SHOWN = 40
_OFTEN = 10**9  # rarer chances are powers of ten
_UNPROVED = "°"


def parts(card: Comparison) -> Iterator[Part]:
    """What the card says, in order: the answer, the table and the indices, then what takes seconds."""
    if card.is_quick:
        yield sentence(card)
    yield from computed(card)
    if card.place is not None:
        if not card.is_quick:
            yield sentence(card)
        yield from _standing(card.place)
    elif card.n:
        yield f"No place among other tables: it is told of at most {MOST_CELLS_PLACED:,} cells and 10^8 objects."
    yield from _beside(card)


def computed(card: Comparison) -> Iterator[Part]:
    """The table and every index."""
    r, s = card.clusters
    a, b = card.names
    yield f"{counted(card.n, 'object')}, {counted(r, 'cluster')} in {a} (rows), {whole(s)} in {b} (columns)."
    yield from _table(card)
    sheet = Sheet(
        ("index", "name", "value", "exact"),
        ("index", "name", "exact"),
        "Every index",
    )
    long = []
    for name, value in card.items():
        exact = exactly(value)
        if len(exact) > _EXACT_WIDTH:
            # Logarithms of a dozen primes tell nobody anything.
            is_told = not isinstance(value, LogRatio)
            long += [f"{name} = {exact}"] if is_told else []
            exact = "below" if is_told else ""
        sheet.add_row(
            STATISTICS[name].title,
            name,
            _seven_decimals(value),
            exact,
        )
    yield sheet
    yield from long


def sentence(card: Comparison) -> str:
    """The answer: how good the ARI is among all tables of this size, and how often chance does as well.

    >>> from confmat.cards import compare
    >>> sentence(compare([[9, 1], [2, 8]]))
    'ARI 0.4620: better than 84.9 % of all 2 x 2 tables of 20; labels at random do as well once in 183 (exact).'
    """
    ari = card["ari"]
    if ari is None:
        told = "ARI undefined (0/0)"
    else:
        told = f"ARI {float(ari):.4f}"
    if card.place is None:
        return f"{told}."
    standing = card.place.standings[0]
    by_name = {group.name: group for group in card.place.populations}
    r, s = card.clusters
    of = f"all {r} x {s} tables of {whole(card.n)}"
    group = by_name["tables"]
    share = standing.shares.get("tables")
    if share is None:
        among = f"{of} {group.refused}"
    else:
        better = f"{100 * (1 - float(share.value)):.1f} %"
        among = f"better than {'' if group.draws is None else 'about '}{better} of {of}"
    by_chance_of = by_name["margins"]
    chance = standing.shares.get("margins")
    if chance is None:
        by_chance = f"labels at random {by_chance_of.refused}"
    else:
        by_chance = _chance(chance, by_chance_of.draws)
    return f"{told}: {among}; {by_chance}."


def _chance(p: PValue, number: int | None) -> str:
    """How often labels at random agree as well.

    >>> from confmat.chance.p_values import PValue, p_of_draws
    >>> _chance(p_of_draws(0, 0, 9999), 9999)
    'labels at random do as well less than once in 1,887 (9,999 drawn)'
    >>> _chance(PValue(Fraction(1), Fraction(1), None), None)
    'labels at random always do as well (exact)'
    """
    if p.interval is not None:
        low, high = p.interval
        draws = f"({whole(number or 0)} drawn)"
        if p.value == 1:
            return f"labels at random always do as well {draws}"
        if low == 0:
            return f"labels at random do as well less than once in {whole(int(1 / high))} {draws}"
        return f"labels at random do as well about once in {_rounded_times(1 / Fraction(p.value))} {draws}"
    how = "exact" if p.error is None else "by a recursion"
    if p.value >= 1 - (p.error or 0):
        return f"labels at random always do as well ({how})"
    one_in = 1 / Fraction(p.value)
    if one_in >= _OFTEN:
        return f"labels at random do as well with probability {probability_text(p.value)} ({how})"
    return f"labels at random do as well once in {_rounded_times(one_in)} ({how})"


def _rounded_times(x: Fraction) -> str:
    """How many times, to a whole number, or below ten to one decimal.

    >>> _rounded_times(Fraction(36589, 10)), _rounded_times(Fraction(7, 2)), _rounded_times(Fraction(1))
    ('3,659', '3.5', '1')
    """
    if x >= 10 or x.denominator == 1:
        return whole(round(x))
    return f"{float(x):.1f}"


def _table(card: Comparison) -> Iterator[Part]:
    """The contingency table, the best matching marked, or where it is large the matched pairs alone."""
    matching = best_matching(card.matrix)
    best = count_best_matchings(card.matrix)
    if best is None or best == 1:
        which = ""
    else:
        which = f", one of {best:,}"
    title = f"Best matching (*){which}: {matching.total:,} of {card.n:,} objects"
    if max(card.matrix.shape) <= MOST_LINES_ON_PAGE:
        marked = set(matching.pairs)
        sheet = Sheet(("", *map(str, card.labels[1]), "sum"), ("",), title)
        cells = dense(card.matrix).tolist()
        for i, (label, row) in enumerate(zip(card.labels[0], cells)):
            texts = (f"{x:,}{'*' if (i, j) in marked else ''}" for j, x in enumerate(row))
            sheet.add_row(
                str(label),
                *texts,
                f"{sum(row):,}",
            )
        sheet.add_row(
            "sum",
            *(f"{sum(col):,}" for col in zip(*cells)),
            f"{card.n:,}",
        )
        yield sheet
        return
    sheet = Sheet(
        (*card.names, "objects"),
        card.names,
        title.replace(" (*)", ""),
    )
    for i, j in matching.pairs[:MOST_LINES_ON_PAGE]:
        sheet.add_row(
            str(card.labels[0][i]),
            str(card.labels[1][j]),
            int(card.matrix[i, j]),
        )
    yield sheet
    if len(matching.pairs) > MOST_LINES_ON_PAGE:
        yield f"and {whole(len(matching.pairs) - MOST_LINES_ON_PAGE)} more pairs"


def _standing(place: Place) -> Iterator[Part]:
    """The place of the main indices, and how it was found."""
    names = [x.name for x in place.standings]
    sheet = Sheet(("", *(name.upper() for name in names)), ("",), "Where it stands")
    sheet.add_row("observed", *(_seven_decimals(x.observed) for x in place.standings))
    sheet.add_row("worst possible", *(_end(x.worst) for x in place.standings))
    sheet.add_row("best possible", *(_end(x.best) for x in place.standings))
    for population in place.populations:
        shares = (x.shares.get(population.name) for x in place.standings)
        sheet.add_row(population.words, *("not drawn" if x is None else share_text(x) for x in shares))
    yield sheet
    yield (
        "In the last two lines: the share that agrees as well as observed, or better, of tables with as many objects "
        "and clusters, and under chance, where labels are permuted and clusters keep their sizes."
    )
    drawn = [x for x in place.populations if x.draws]
    if drawn:
        of = ", ".join(f"{whole(x.draws or 0)} of {x.words}" for x in drawn)
        yield f"Drawn: {of} (seed {place.seed}); ± and <: 99 % intervals."
        errors = {x.shares["margins"].error for x in place.standings if "margins" in x.shares} - {None}
        yield from (
            f"P-values without them: counted by a recursion, relative error below {e:.0e}." for e in errors
        )
    yield from (f"{x.words}: {x.refused}." for x in place.populations if x.refused)
    if any(end is not None and not end.proved for x in place.standings for end in (x.worst, x.best)):
        yield f"{_UNPROVED} the best known, not proved to be the end."


def _beside(card: Comparison) -> Iterator[Part]:
    """Largest values, the ARI under chance, and what moving one object does to it."""
    largest = ", ".join(f"{name.upper()} {_seven_decimals(x)}" for name, x in card.largest)
    yield f"Largest over all tables with as many objects and clusters: {largest}."
    mean, variance = card.null
    sd = sqrt(variance)
    if sd:
        score = f"; it is {(float(card['ari'] or 0) - mean) / sd:.4g} sd above"
    else:
        score = ""
    yield f"The ARI of random labels with these cluster sizes: mean {float(mean):.4g}, sd {sd:.4g}{score}."
    for word, neighbour in zip(("lower", "higher"), card.neighbours):
        if neighbour is not None:
            value = _seven_decimals(neighbour.ari)
            yield f"One object moved: the next {word} ARI is {value}, {_move(card, neighbour)}."


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
    if end is None:
        return "unknown"
    return _seven_decimals(end.value) + _UNPROVED * (not end.proved)


def _seven_decimals(value: IndexValue) -> str:
    if value is None:
        return "undefined"
    x = float(value)
    if x == 0 or abs(x) >= 1e-4:
        return f"{x:.7f}"
    return f"{x:.3e}"


def exactly(value: IndexValue) -> str:
    """The exact value in writing: a fraction, a root of one; nothing for a float, and for what takes more than a line.

    >>> exactly(Fraction(1, 4)), exactly(RootSum.sqrt(Fraction(1, 8))), exactly(0.25), exactly(None)
    ('1/4', 'sqrt(1/8)', '', '0/0')
    """
    if value is None:
        return "0/0"
    if isinstance(value, RootSum):
        radicand = exact_text((value**2).rational, _LONGEST_BELOW)
        return f"sqrt({radicand})" if radicand else ""
    return exact_text(value, _LONGEST_BELOW)


def shown(value: IndexValue) -> str:
    """The exact value, where it is short, and the decimal one.

    >>> shown(Fraction(1, 4)), shown(Fraction(2)), shown(None)
    ('1/4 = 0.25', '2', '0/0')
    """
    if value is None:
        return "0/0"
    exact = exactly(value)
    decimal = f"{float(value):.7g}"
    if not exact or len(exact) > _LONGEST_SHOWN:
        return decimal
    if exact == decimal:
        return exact
    return f"{exact} = {decimal}"


def as_dict(card: Comparison) -> dict[str, Any]:
    """What stands beside the indices: "table", "place", "neighbours"."""
    is_sparse = max(card.matrix.shape) > _MOST_IN_JSON
    return {
        "table": {
            "names": card.names,
            "rows": list(map(str, card.labels[0])),
            "columns": list(map(str, card.labels[1])),
            "matrix": None if is_sparse else dense(card.matrix),
            "matching": best_matching(card.matrix).pairs,
            "matchings": count_best_matchings(card.matrix),
        },
        "place": card.place and {x.name: _standing_json(card.place, x) for x in card.place.standings},
        "neighbours": dict(zip(("lower", "higher"), map(_neighbour_json, card.neighbours))),
    }


def _standing_json(place: Place, standing: Standing) -> dict[str, Any]:
    def end(x: End | None) -> dict[str, Any] | None:
        if x is None:
            return None
        return number_json(x.value) | {"basis": x.basis, "proved": x.proved}

    known: dict[str, Any] = {
        "observed": standing.observed,
        "worst": end(standing.worst),
        "best": end(standing.best),
    }
    for group in place.populations:
        p = standing.shares.get(group.name)
        known[group.name] = p and {
            "p": number_json(p.value),
            "interval": p.interval,
            "draws": p.interval and group.draws,
        }
    return known


def _neighbour_json(x: Neighbour | None) -> dict[str, Any] | None:
    if x is None:
        return None
    return {"ari": x.ari, "from": x.start, "to": x.end}
