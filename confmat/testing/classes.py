"""What a class of matrices declares, tried: on all of its members where they are few, else on some that are drawn."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import factorial, prod

import numpy as np

from confmat.classes import FixedMargins, MatrixClass
from confmat.classes.compositions import compositions_count
from confmat.classes.orbits import largest_image
from confmat.classes.symmetry import NAMED, Symmetry, images
from confmat.errors import ContractError

# Members looked at one by one; of larger classes so many are drawn.
MOST_LISTED = 10**4
DRAWN = 10**3

# Matrices of the same shape and total that are tried as strangers.
_STRANGERS = 2000

_NO_MATRICES: tuple[object, ...] = (None, "text", [[1, -1]], [1, 2], [[0.5, 0.5]], [[]])


def check_class(matrices: MatrixClass) -> tuple[str, ...]:
    """Try everything that a class of matrices declares; the names of what was tried, ContractError at the first fault.

    "members": integer arrays of the right shape and total, each once and contained; what is no member is not.
    "count"; "rank", the inverse of "unrank", in the order of iteration; "symmetry": every declared generator maps
    members to members; "margins": under every symmetry, weights times numbers of matrices add up to the count, and the
    matrices with these margins are, orbit by orbit, the members; "sides"; "labelings": ``labelings_count``;
    "proposals": those that are members are uniform (chi-square, a fixed seed).
    Of classes with more than 10^4 members 10^3 are drawn by ``unrank``, and margins are compared by their totals.

    >>> from confmat.classes import FixedColumns, Tables
    >>> check_class(Tables(5, 2, 3))
    ('members', 'count', 'rank', 'symmetry', 'margins', 'sides', 'labelings')
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
    whole = matrices.count() <= MOST_LISTED
    members = _listed(matrices) if whole else _drawn(matrices)
    _check_members(matrices, members, whole)
    _check_rank(matrices, members, whole)
    _check_symmetry(matrices, members)
    tried = ["members", "count", "rank", "symmetry"]
    if matrices.has_margins:
        for symmetry in {**{name: NAMED[name] for name in NAMED}, "its own": matrices.symmetry}.values():
            _check_margins(matrices, members, symmetry, whole)
        tried.append("margins")
    if matrices.sides is not None:
        _check_sides(matrices, members, whole)
        tried.append("sides")
    if whole:
        _check_labelings(matrices, members)
        tried.append("labelings")
    if matrices.proposes and members:
        _check_proposals(matrices, members, whole)
        tried.append("proposals")
    return tuple(tried)


def _listed(matrices: MatrixClass) -> list[np.ndarray]:
    members = [np.asarray(member) for member in islice(matrices, 2 * MOST_LISTED + 1)]
    if len(members) != matrices.count():
        more = "more than " if len(members) > 2 * MOST_LISTED else ""
        found = f"{more}{min(len(members), 2 * MOST_LISTED)}"
        raise ContractError(
            "count", matrices, f"{found} members are iterated, count() says {matrices.count()}"
        )
    return members


def _drawn(matrices: MatrixClass) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    positions = (int.from_bytes(rng.bytes(64)) % matrices.count() for _ in range(DRAWN))
    return [np.asarray(matrices.unrank(position)) for position in positions]


def _check_members(matrices: MatrixClass, members: list[np.ndarray], whole: bool) -> None:
    for member in members:
        integers = member.shape == matrices.shape and member.dtype.kind in "iuO"
        said = f"{member.tolist()} is no array of integers of shape {matrices.shape}"
        _expect(integers, "members", member, said)
        counts = member.min(initial=0) >= 0 and member.sum() == matrices.n
        _expect(counts, "members", member, f"{member.tolist()} has no total {matrices.n} of counts")
        _expect(member in matrices, "members", member, f"{member.tolist()} is iterated and not contained")
    said = f"bool() says {bool(matrices)}, {len(members)} members are there"
    _expect(bool(matrices) == bool(members), "members", matrices, said)
    for thing in _NO_MATRICES:
        _expect(thing not in matrices, "members", thing, f"{thing!r} is contained")
    known = {_key(member) for member in members}
    repeated = len(members) - len(known)
    _expect(not (whole and repeated), "members", matrices, f"{repeated} members are repeated")
    for stranger in _strangers(matrices) if whole else ():
        alike = _key(stranger) in known or stranger not in matrices
        _expect(alike, "members", stranger, f"{stranger.tolist()} is contained and not iterated")


def _strangers(matrices: MatrixClass) -> Iterator[np.ndarray]:
    """Matrices of the same shape and total: all of them where they are few, else drawn."""
    from confmat.classes import Tables

    everything = Tables(matrices.n, *matrices.shape, empty=True)
    if compositions_count(matrices.n, prod(matrices.shape)) <= _STRANGERS:
        yield from everything
        return
    rng = np.random.default_rng(0)
    for _ in range(_STRANGERS):
        yield everything.unrank(int.from_bytes(rng.bytes(64)) % everything.count())


def _check_rank(matrices: MatrixClass, members: list[np.ndarray], whole: bool) -> None:
    for position, member in enumerate(members[:: 1 + len(members) // DRAWN]):
        rank = matrices.rank(member)
        at = position * (1 + len(members) // DRAWN)
        said = f"{member.tolist()} is number {at} iterated, rank() says {rank}"
        _expect(rank == at or not whole, "rank", member, said)
        same = _key(matrices.unrank(rank)) == _key(member)
        _expect(same, "rank", member, f"unrank({rank}) is not {member.tolist()}, which has that rank")


def _check_symmetry(matrices: MatrixClass, members: list[np.ndarray]) -> None:
    for member in members:
        for generator, image in images(member, matrices.symmetry):
            said = f"{generator!r} is declared, {member.tolist()} is a member and {image.tolist()} is not"
            _expect(image in matrices, "symmetry", member, said)


def _check_margins(matrices: MatrixClass, members: list[np.ndarray], symmetry: Symmetry, whole: bool) -> None:
    margins = list(matrices.margins(symmetry))
    under = f"under {{{', '.join(sorted(symmetry))}}}"
    found = sum(m.weight * FixedMargins(m.rows, m.cols).count() for m in margins)
    said = f"{under} weights times numbers of matrices add up to {found}, the count is {matrices.count()}"
    _expect(found == matrices.count(), "margins", matrices, said)
    orbits: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for m in margins if whole else ():
        for table in FixedMargins(m.rows, m.cols):
            said = f"{under} {table.tolist()} has the margins {m.rows}, {m.cols} and is no member"
            _expect(table in matrices or not symmetry <= matrices.symmetry, "margins", table, said)
            orbits[_key(largest_image(table, symmetry))] += m.weight
    same = not whole or orbits == Counter(_key(largest_image(member, symmetry)) for member in members)
    _expect(same, "margins", matrices, f"{under} the matrices visited are not those of the class")


def _check_sides(matrices: MatrixClass, members: list[np.ndarray], whole: bool) -> None:
    assert matrices.sides is not None
    rows, cols = matrices.sides

    def admitted(table: np.ndarray) -> bool:
        return rows.admits(tuple(table.sum(axis=1).tolist())) and cols.admits(
            tuple(table.sum(axis=0).tolist())
        )

    known = {_key(member) for member in members}
    for table in [*members, *(_strangers(matrices) if whole else ())]:
        member = _key(table) in known if whole else table in matrices
        _expect(admitted(table) == member, "sides", table, f"the sides are wrong about {table.tolist()}")


def _check_labelings(matrices: MatrixClass, members: list[np.ndarray]) -> None:
    found = sum(factorial(matrices.n) // prod(factorial(int(x)) for x in member.flat) for member in members)
    said = f"{found} pairs of labelings are there, labelings_count() says {matrices.labelings_count()}"
    _expect(found == matrices.labelings_count(), "labelings", matrices, said)


def _check_proposals(matrices: MatrixClass, members: list[np.ndarray], whole: bool) -> None:
    from scipy.stats import chisquare

    rng = np.random.default_rng(0)
    proposed = [np.asarray(table) for table in matrices.propose(rng, 50 * min(len(members), 200))]
    seen = Counter(_key(table) for table in proposed if table in matrices)
    if whole and len(members) <= 200:
        observed = [seen[_key(member)] for member in members]
        equally = any(observed) and chisquare(observed).pvalue >= 1e-6
        _expect(equally, "proposals", matrices, f"members were proposed {observed} times, not equally often")


def _expect(holds: object, claim: str, example: object, said: str) -> None:
    if not holds:
        raise ContractError(claim, example, said)


def _key(table: np.ndarray) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, np.asarray(table).tolist()))
