"""What a class of matrices declares, tried: on all of its members where they are few, else on some that are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice, pairwise
from math import factorial, prod
from typing import Any

import numpy as np

from confmat.classes import MatrixClass, Tables
from confmat.classes.matrix_class import check_hashable
from confmat.classes.orbits import ALL, GENERATORS, images, largest_image, nested
from confmat.errors import ConsistencyError, ContractError
from confmat.integers.compositions import compositions_count
from confmat.matrices.texts import matrix_text
from confmat.plans import admit
from confmat.testing.class_margins import check_margins, named, random_below, symmetries

# Members looked at one by one; of larger classes so many are drawn.
MOST_MEMBERS_LISTED = 10**4
MEMBERS_DRAWN = 10**3

# Matrices of the same shape and total that are tried as strangers, members whose orbits are looked at, and positions
# of proposals that are told apart: seconds each.
_STRANGERS = 2000
_TURNED = 100
_BINS_OF_DRAWS = 100

_SECONDS_OF_MEMBER = 1e-3  # seconds that a member takes

_NO_MATRICES: tuple[object, ...] = (None, "text", [[1, -1]], [1, 2], [[0.5, 0.5]], [[]])


def check_class(matrices: MatrixClass) -> tuple[str, ...]:
    """Try everything that a class of matrices declares; the names of what was tried, ContractError at the first fault.

    "form": hashable, whole numbers for ``n``, ``shape`` and ``count``, a set of generators for ``symmetry``;
    "members": integer arrays of the right shape and total, each once and contained; what is no member is not.
    "count"; "rank", the inverse of "unrank", in the order of iteration; "symmetry": every declared generator maps
    members to members; "orbits": these, ``representative`` and ``member_like`` give members of the right orbits;
    "clusters": no member uses more lines, or fewer, than ``clusters`` and ``may_be_empty`` say;
    "margins": under every symmetry, weights times numbers of matrices add up to the count, and the
    matrices with these margins are, orbit by orbit, the members; "sides", and ``unrestricted``; "labelings":
    ``labelings_count``; "proposals": those that are members are uniform (chi-square, a fixed seed).
    Of classes with more than 10^4 members 10^3 are drawn by ``unrank``; margins are then compared with these, and under
    one symmetry with those under another, where they are at most 10^5.

    >>> from confmat.classes import FixedColumns, Tables
    >>> check_class(Tables(5, 2, 3))
    ('form', 'members', 'count', 'rank', 'symmetry', 'orbits', 'clusters', 'margins', 'sides', 'labelings')
    >>> class Wrong(FixedColumns):
    ...     def count(self):
    ...         return super().count() + 1
    >>> check_class(Wrong(2, (2, 1)))
    Traceback (most recent call last):
    ...
    confmat.errors.ContractError: count fails: 6 members are iterated, count() says 7
    """
    if not isinstance(matrices, MatrixClass):
        raise TypeError(f"matrices must be a class of matrices such as Tables(20, 3, 3), got {matrices!r}")
    try:
        return _tried_claims(matrices)
    except ConsistencyError as error:  # what is iterated does not even enter
        raise ContractError("members", matrices, str(error)) from error


def _tried_claims(matrices: MatrixClass) -> tuple[str, ...]:
    """The claims that were tried."""
    _check_form(matrices)
    all_listed = matrices.count() <= MOST_MEMBERS_LISTED
    admit(
        f"trying the members of {matrices!r}",
        _SECONDS_OF_MEMBER * min(matrices.count(), MOST_MEMBERS_LISTED),
    )
    members = _listed(matrices) if all_listed else _some_members(matrices)
    tables = list(members.values())
    _check_members(matrices, tables, all_listed)
    _check_order(matrices, members, all_listed)
    _check_symmetry(matrices, tables)
    _check_orbits(matrices, tables, all_listed)
    claims_tried = ["form", "members", "count", "rank", "symmetry", "orbits"]
    if all_listed or matrices.says_clusters:
        _check_clusters(matrices, tables)
        claims_tried.append("clusters")
    if matrices.has_margins and check_margins(matrices, tables, all_listed):
        claims_tried.append("margins")
    if matrices.sides is not None or matrices.unrestricted:
        _check_sides(matrices, tables)
        claims_tried.append("sides")
    if all_listed:
        _check_labelings(matrices, tables)
        claims_tried.append("labelings")
    if matrices.proposes and tables:
        _check_proposals(matrices, members if all_listed else None)
        claims_tried.append("proposals")
    return tuple(claims_tried)


def _check_form(matrices: MatrixClass) -> None:
    try:
        check_hashable(matrices)
    except TypeError as error:
        raise ContractError("form", matrices, str(error)) from None
    if not _is_integer(matrices.n) or matrices.n < 0:
        raise ContractError("form", matrices, f"n must be a whole number, got {matrices.n!r}")
    shape = matrices.shape
    if not (isinstance(shape, tuple) and len(shape) == 2 and all(_is_integer(k) and k > 0 for k in shape)):
        raise ContractError("form", matrices, f"shape must be a pair of whole numbers, got {shape!r}")
    if not _is_integer(matrices.count()) or matrices.count() < 0:
        raise ContractError("form", matrices, f"count() must be a whole number, got {matrices.count()!r}")
    symmetry = matrices.symmetry
    if not isinstance(symmetry, frozenset) or not symmetry <= ALL:
        raise ContractError(
            "form", matrices, f"symmetry must be a frozenset of {', '.join(GENERATORS)}, got {symmetry!r}"
        )


def _is_integer(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


# --- members, their number and order ------------------------------------------------------------------


def _listed(matrices: MatrixClass) -> dict[int, np.ndarray]:
    """All members by position."""
    members = [np.asarray(member) for member in islice(matrices, 2 * MOST_MEMBERS_LISTED + 1)]
    if len(members) != matrices.count():
        if len(members) > 2 * MOST_MEMBERS_LISTED:
            more_than = "more than "
        else:
            more_than = ""
        number_words = f"{more_than}{min(len(members), 2 * MOST_MEMBERS_LISTED)}"
        raise ContractError(
            "count", matrices, f"{number_words} members are iterated, count() says {matrices.count()}"
        )
    return dict(enumerate(members))


def _some_members(matrices: MatrixClass) -> dict[int, np.ndarray]:
    """Members by position: the first, as they are iterated, and some that are drawn."""
    rng = np.random.default_rng(0)
    members: dict[int, np.ndarray] = {}
    for position, member in enumerate(islice(matrices, _TURNED)):
        members[position] = np.array(member)
    for _ in range(MEMBERS_DRAWN):
        position = random_below(rng, matrices.count())
        members[position] = np.asarray(matrices.unrank(position))
    return members


def _check_members(matrices: MatrixClass, members: list[np.ndarray], all_listed: bool) -> None:
    for member in members:
        if member.shape != matrices.shape or member.dtype.kind not in "iuO":
            words = f"{matrix_text(np.atleast_2d(member))} is no array of integers of shape {matrices.shape}"
            raise ContractError("members", member, words)
        if member.min(initial=0) < 0 or member.sum() != matrices.n:
            raise ContractError(
                "members", member, f"{matrix_text(member)} has no total {matrices.n} of counts"
            )
        if member not in matrices:
            raise ContractError("members", member, f"{matrix_text(member)} is iterated and not contained")
    if bool(matrices) != bool(members):
        raise ContractError(
            "members", matrices, f"bool() says {bool(matrices)}, {len(members)} members are there"
        )
    for thing in _no_members(members):
        try:
            is_contained = thing in matrices
        except Exception as error:
            raise ContractError(
                "members", thing, f"whether {thing!r} is contained raises {error!r}"
            ) from error
        if is_contained:
            raise ContractError("members", thing, f"{thing!r} is contained")
    members_iterated = {nested(member) for member in members}
    if all_listed and len(members_iterated) < len(members):
        raise ContractError(
            "members", matrices, f"{len(members) - len(members_iterated)} members are repeated"
        )
    for stranger in _strangers(matrices):
        if nested(stranger) in members_iterated or stranger not in matrices:
            continue
        if all_listed or nested(matrices.unrank(matrices.rank(stranger))) != nested(stranger):
            raise ContractError("members", stranger, f"{matrix_text(stranger)} is contained and not iterated")


def _no_members(members: list[np.ndarray]) -> Iterator[object]:
    """What no class contains: no matrices, and matrices near a member of another kind, sign, total or shape."""
    yield from _NO_MATRICES
    for table in members[:1]:
        yield table[None]
        yield table + 1
        yield table[:, :-1]
        if table.size > 1:
            move = np.zeros(table.shape, np.int64)
            move.flat[0], move.flat[-1] = 1, -1
            yield table + move / 2
            yield table + move * (int(table.flat[-1]) + 1)


def _strangers(matrices: MatrixClass) -> Iterator[np.ndarray]:
    """Matrices of the same shape and total: all of them where they are few, else drawn."""
    n = matrices.n
    cells = prod(matrices.shape)
    if compositions_count(n, cells) <= _STRANGERS:
        yield from Tables(n, *matrices.shape, empty=True)
        return
    rng = np.random.default_rng(0)
    places = n + cells - 1
    for _ in range(_STRANGERS):
        # Points and the bars between cells in a line: places are drawn for those that are fewer.
        places_drawn: set[int] = set()
        while len(places_drawn) < min(n, cells - 1):
            places_drawn.add(random_below(rng, places))
        bars = sorted({*range(places)} - places_drawn if n < cells - 1 else places_drawn)
        counts = [b - a - 1 for a, b in pairwise([-1, *bars, places])]
        yield np.array(counts, object if n >= 2**63 else np.int64).reshape(matrices.shape)


def _check_order(matrices: MatrixClass, members: dict[int, np.ndarray], all_listed: bool) -> None:
    for position, member in list(members.items())[:: 1 + len(members) // (2 * MEMBERS_DRAWN)]:
        rank = matrices.rank(member)
        if rank != position:
            raise ContractError(
                "rank", member, f"{matrix_text(member)} has the position {position}, rank() says {rank}"
            )
        # What was drawn is unrank(position).
        if (all_listed or position < _TURNED) and nested(matrices.unrank(rank)) != nested(member):
            raise ContractError(
                "rank", member, f"unrank({rank}) is not {matrix_text(member)}, which has that rank"
            )
    for index in (-1, matrices.count()):
        if _answers_at_all(matrices.unrank, index):
            raise ContractError(
                "rank", index, f"unrank({index}) must be an error, {matrices.count()} are counted"
            )
    stranger = np.ones(
        (
            matrices.shape[0],
            matrices.shape[1] + 1,
        ),
        np.int64,
    )
    if _answers_at_all(matrices.rank, stranger):
        raise ContractError(
            "rank", stranger, f"rank() must be an error for {matrix_text(stranger)}, no member"
        )


def _answers_at_all(function: Any, argument: Any) -> bool:
    try:
        function(argument)
    except (ValueError, IndexError):
        return False
    return True


# --- symmetry -------------------------------------------------------------------------------------------


def _check_symmetry(matrices: MatrixClass, members: list[np.ndarray]) -> None:
    for member in members:
        for generator, image in images(member, matrices.symmetry):
            if image not in matrices:
                words = f"{generator!r} is declared, {matrix_text(member)} is a member and {matrix_text(image)} is not"
                raise ContractError("symmetry", member, words)


def _check_orbits(matrices: MatrixClass, members: list[np.ndarray], all_listed: bool) -> None:
    r, s = matrices.shape
    # Some images are found by trying all orders of the lines.
    if max(r, s) <= 4:
        most_members = _TURNED
    else:
        most_members = 4
    for member in members[:: 1 + len(members) // most_members]:
        images = {
            named(group): (group, matrices.representative(member, group)) for group in symmetries(matrices)
        }
        if factorial(r) * factorial(s) <= _TURNED:
            images["member_like"] = ALL, matrices.member_like(member)
        for name, (group, image) in images.items():
            if image not in matrices or nested(largest_image(image, group)) != nested(
                largest_image(member, group)
            ):
                turned_text = matrix_text(np.atleast_2d(image))
                words = f"{turned_text} ({name}) is no member of the orbit of {matrix_text(member)}"
                raise ContractError("orbits", member, words)
    if all_listed:
        _check_sizes(matrices, members)


def _check_sizes(matrices: MatrixClass, members: list[np.ndarray]) -> None:
    """The orbits of all permutations and transposition are made up of those of the class."""
    sizes_of_orbits = Counter(nested(largest_image(member, ALL)) for member in members)
    sizes: Counter[Any] = Counter()
    for table, size in matrices.orbits():
        if table not in matrices:
            raise ContractError(
                "orbits", table, f"{matrix_text(table)} stands for an orbit, and is no member"
            )
        sizes[nested(largest_image(np.asarray(table), ALL))] += size
    if sizes != sizes_of_orbits:
        words = f"the sizes of the orbits do not make up {len(members)} members, orbit by orbit"
        raise ContractError("orbits", matrices, words)


def _check_clusters(matrices: MatrixClass, members: list[np.ndarray]) -> None:
    r, s, may_be_fewer = matrices.clusters
    for member in members:
        lines = [int(np.any(member, axis=axis).sum()) for axis in (1, 0)]
        has_empty_line = lines != list(member.shape)
        if has_empty_line and not matrices.may_be_empty:
            raise ContractError(
                "clusters", member, f"may_be_empty is False, {matrix_text(member)} has an empty line"
            )
        more_lines = lines[0] > r or lines[1] > s
        if more_lines or (lines != [r, s] and not may_be_fewer):
            raise ContractError(
                "clusters", member, f"{matrix_text(member)} has not the clusters {(r, s, may_be_fewer)}"
            )


def _check_sides(matrices: MatrixClass, members: list[np.ndarray]) -> None:
    if matrices.unrestricted:
        everything = Tables(matrices.n, *matrices.shape, empty=matrices.may_be_empty)
        if everything.count() != matrices.count():
            words = f"unrestricted is declared, {everything!r} has {everything.count()} members"
            raise ContractError("sides", matrices, f"{words}, the count is {matrices.count()}")
    if matrices.sides is None:
        return
    rows, cols = matrices.sides
    for table in chain(members, _strangers(matrices)):
        row_sums, column_sums = (tuple(table.sum(axis=axis).tolist()) for axis in (1, 0))
        if (rows.admits(row_sums) and cols.admits(column_sums)) != (table in matrices):
            raise ContractError("sides", table, f"the sides are wrong about {matrix_text(table)}")


# --- numbers of labelings, proposals --------------------------------------------------------------------


def _check_labelings(matrices: MatrixClass, members: list[np.ndarray]) -> None:
    labeling_pairs = 0
    for member in members:
        orders_within_cells = prod(factorial(int(x)) for x in member.flat)
        labeling_pairs += factorial(matrices.n) // orders_within_cells
    if labeling_pairs != matrices.labelings_count():
        words = f"{labeling_pairs} pairs of labelings are there, labelings_count() says {matrices.labelings_count()}"
        raise ContractError("labelings", matrices, words)


def _check_proposals(matrices: MatrixClass, members: dict[int, np.ndarray] | None) -> None:
    """Whether the proposals that are members have uniform positions, put together to no more than 100 bins."""
    from scipy.stats import chisquare

    count = matrices.count()
    size = 50 * min(count, 200)
    proposals = np.asarray(matrices.propose(np.random.default_rng(0), size))
    if proposals.shape != (size, *matrices.shape):
        words = f"{size} were asked for, an array of shape {proposals.shape} was given"
        raise ContractError("proposals", matrices, words)
    proposed_members = [table for table in proposals if table in matrices]
    if members is None:
        positions = [matrices.rank(table) for table in proposed_members]
    else:
        position_of_member = {nested(member): position for position, member in members.items()}
        positions = [position_of_member[nested(table)] for table in proposed_members]
    # Five are expected in a bin at least, else chi-square is no good.
    bins = min(count, _BINS_OF_DRAWS, len(positions) // 5)
    if not positions and members is not None:
        raise ContractError("proposals", matrices, f"none of {size} proposals is a member")
    if bins < 2:
        return
    edges = [-(-count * i // bins) for i in range(bins + 1)]
    numbers_observed = Counter(position * bins // count for position in positions)
    numbers_expected = [len(positions) * (b - a) / count for a, b in pairwise(edges)]
    if chisquare([numbers_observed[i] for i in range(bins)], numbers_expected).pvalue < 1e-6:
        words = f"of {bins} equal parts of the order they fall {sorted(numbers_observed.items())}: not equally often"
        raise ContractError("proposals", matrices, words)
