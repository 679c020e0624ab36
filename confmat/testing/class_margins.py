"""The margins that a class of matrices declares, tried: their number, their weights, their promise, what is visited."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations, islice

import numpy as np

from confmat.classes import FixedMargins, Margins, MatrixClass
from confmat.classes.orbits import GENERATORS, Generators, generated, largest_image, nested
from confmat.errors import ContractError
from confmat.matrices.texts import matrix_text

# Margins that are listed, and of a large class those looked at one by one: seconds.
MOST_MARGINS = 10**5
_LOOKED_AT = 10**3

MarginWeights = Counter[tuple[tuple[int, ...], ...]]


def symmetries(matrices: MatrixClass) -> list[Generators]:
    """All groups that the generators make of matrices of this shape, and the class's own as it is declared."""
    groups = {matrices.symmetry}
    for size in range(len(GENERATORS) + 1):
        for generators in combinations(GENERATORS, size):
            groups.add(generated(frozenset(generators), matrices.shape))
    return sorted(groups, key=lambda group: (len(group), sorted(group)))


def named(symmetry: Generators) -> str:
    return f"under {{{', '.join(sorted(symmetry))}}}"


def check_margins(matrices: MatrixClass, members: list[np.ndarray], all_listed: bool) -> bool:
    """Whether the margins were few enough to be tried under some symmetry."""
    margins_apart: list[Margins] = []
    were_tried = False
    for symmetry in symmetries(matrices):
        margins = list(islice(matrices.margins(symmetry), MOST_MARGINS + 1))
        if len(margins) > MOST_MARGINS:
            continue
        were_tried = True
        _check_total(matrices, margins, symmetry)
        _check_promise(matrices, margins, symmetry, all_listed)
        if all_listed:
            _check_visits(matrices, members, margins, symmetry)
            continue
        weights = _weights(margins, symmetry)
        if not symmetry:
            margins_apart = margins
        elif margins_apart and _weights(margins_apart, symmetry) != weights:
            raise ContractError(
                "margins", matrices, f"{named(symmetry)} the weights are not those without symmetry"
            )
        _check_margins_visited(members, weights, symmetry)
    return were_tried


def _check_total(matrices: MatrixClass, margins: list[Margins], symmetry: Generators) -> None:
    weighted_count = 0
    for m in margins:
        rows = tuple(sorted(m.rows))
        cols = tuple(sorted(m.cols))
        weighted_count += m.weight * _number_with_margins(rows, cols)
    if weighted_count != matrices.count():
        words = (
            f"weights times numbers of matrices add up to {weighted_count}, the count is {matrices.count()}"
        )
        raise ContractError("margins", matrices, f"{named(symmetry)} {words}")


@lru_cache(maxsize=1 << 16)
def _number_with_margins(rows: tuple[int, ...], cols: tuple[int, ...]) -> int:
    """Number of matrices with these margins; it does not depend on their order."""
    return FixedMargins(rows, cols).count()


def _check_promise(
    matrices: MatrixClass, margins: list[Margins], symmetry: Generators, all_listed: bool
) -> None:
    """Where the class has the symmetry, all matrices with the margins are members: some are drawn of a large class."""
    if not symmetry <= matrices.symmetry:
        return
    rng = np.random.default_rng(0)
    for m in margins if all_listed else margins[:: 1 + len(margins) // _LOOKED_AT]:
        fiber = FixedMargins(m.rows, m.cols)
        for table in fiber if all_listed else [fiber.unrank(random_below(rng, fiber.count()))]:
            if table not in matrices:
                words = f"{matrix_text(table)} has the margins {m.rows}, {m.cols} and is no member"
                raise ContractError("margins", table, f"{named(symmetry)} {words}")


def _check_visits(
    matrices: MatrixClass, members: list[np.ndarray], margins: list[Margins], symmetry: Generators
) -> None:
    """Every orbit is visited as often as it has members."""
    orbits: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for m in margins:
        for table in FixedMargins(m.rows, m.cols):
            orbits[nested(largest_image(table, symmetry))] += m.weight
    if orbits != Counter(nested(largest_image(member, symmetry)) for member in members):
        raise ContractError(
            "margins", matrices, f"{named(symmetry)} the matrices visited are not those of the class"
        )


def _check_margins_visited(members: list[np.ndarray], weights: MarginWeights, symmetry: Generators) -> None:
    """The margins of the members that were drawn are visited, and none twice where nothing is exchanged."""
    for pair, weight in weights.items() if not symmetry else ():
        if weight not in (0, 1):
            raise ContractError(
                "margins", pair, f"{named(symmetry)} the margins {pair} have the weight {weight}"
            )
    for member in members:
        rows, cols = (tuple(member.sum(axis=axis).tolist()) for axis in (1, 0))
        weight = weights[_margins_orbit(rows, cols, symmetry)]
        if weight < 1:
            words = f"the margins of the member {matrix_text(member)} have the weight {weight}"
            raise ContractError("margins", member, f"{named(symmetry)} {words}")


def _weights(margins: Iterable[Margins], symmetry: Generators) -> MarginWeights:
    """The weights of the orbits of margins."""
    weights: MarginWeights = Counter()
    for m in margins:
        weights[_margins_orbit(m.rows, m.cols, symmetry)] += m.weight
    return weights


def _margins_orbit(
    rows: tuple[int, ...], cols: tuple[int, ...], symmetry: Generators
) -> tuple[tuple[int, ...], ...]:
    """The largest pair of margins that a symmetry makes of one."""
    symmetry = generated(symmetry, (len(rows), len(cols)))
    pairs = [(rows, cols)]
    if "transposition" in symmetry:
        pairs.append((cols, rows))
    if symmetry & {"rows", "columns"}:
        pairs = [_with_exchanged_sorted(*pair, symmetry) for pair in pairs]
    elif "simultaneous" in symmetry:
        pairs = [tuple(zip(*sorted(zip(*pair), reverse=True))) for pair in pairs]  # type: ignore[misc]
    return max(pairs)


def _with_exchanged_sorted(
    rows: tuple[int, ...], cols: tuple[int, ...], symmetry: Generators
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The largest margins if a symmetry exchanges rows, or columns, as it likes.

    >>> _with_exchanged_sorted((1, 2), (1, 2), frozenset({"rows"}))
    ((2, 1), (1, 2))
    """
    if "rows" in symmetry:
        rows = tuple(sorted(rows, reverse=True))
    if "columns" in symmetry:
        cols = tuple(sorted(cols, reverse=True))
    return rows, cols


def random_below(rng: np.random.Generator, bound: int) -> int:
    return int.from_bytes(rng.bytes(bound.bit_length() // 8 + 8)) % bound
