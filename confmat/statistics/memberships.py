"""Soft indices as statistics: of a pair of memberships, exact, over whole blocks of pairs on a grid.

A statistic of two labelings is there that of the modal clusters, each object in its largest membership; undefined where
one has several.

>>> U, V = np.array([[[3, 0], [1, 2], [0, 3]]]), np.array([[[3, 0], [3, 0], [0, 3]]])
>>> [values(soft_or_hard(name), U, V, 3)[0] for name in ("sari", "ari")]
[Fraction(-4, 17), Fraction(-1, 2)]
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, nan
from typing import Any

import numpy as np

from confmat.indices.soft.relabelings import INDICES, relabelled
from confmat.statistics.record import Statistic
from confmat.statistics.table import as_statistic, exact_value

# Products of four of these fit into 64 bits.
_LARGEST_FACTOR = 2**15


def _refused_on_tables(name: str) -> Callable[[Any], Any]:
    def refuse(table: Any) -> Any:
        raise TypeError(f"{name} is of two memberships, not of a table: cm.MembershipGrids(n, r, s, d)")

    return refuse


def _irrational(name: str) -> bool:
    return name.startswith("brouwer") or name.endswith("_fm")


SOFT = {
    name: Statistic(name, _refused_on_tables(name), symmetry="permutations", exact=not _irrational(name))
    for name in INDICES
}
"""The soft indices by name, as formulas have them."""


def is_soft(statistic: Statistic) -> bool:
    """Whether it is one of ``SOFT``.

    >>> is_soft(SOFT["sari"]), is_soft(as_statistic("ari"))
    (True, False)
    """
    return SOFT.get(statistic.name) is statistic


def soft_or_hard(name: str | Statistic) -> Statistic:
    """The statistic of a pair of memberships that a name stands for; ValueError for one of a classifier.

    >>> soft_or_hard("ndc").name, soft_or_hard("ari") is as_statistic("ari")
    ('ndc', True)
    """
    if isinstance(name, str):
        given_record = SOFT.get(name)
    else:
        given_record = name
    if given_record is None:
        record = as_statistic(name)
    else:
        record = given_record
    if not is_soft(record) and not record.of_clusterings:
        raise ValueError(f"statistic must be of two clusterings, got {record.name!r}, of a classifier")
    return record


def values(statistic: Statistic, U: np.ndarray, V: np.ndarray, d: int) -> list[Any]:
    """The exact values of a statistic at pairs times d, (size, n, r) and (size, n, s); nan where it is undefined.

    >>> values(SOFT["ndc"], np.array([[[1, 1], [2, 0]]]), np.array([[[1, 1], [0, 2]]]), 2)
    [Fraction(1, 1)]
    """
    if not is_soft(statistic):
        return _of_modal_clusters(statistic, U, V)
    ratios = _ratios(
        statistic.name,
        U.astype(np.int64),
        V.astype(np.int64),
        d,
    )
    if ratios is not None:
        return _divided(*ratios)
    shares = np.array([Fraction(x, d) for x in range(d + 1)], object)
    pairs = zip(shares[U].tolist(), shares[V].tolist())
    return [relabelled(statistic.name, u, v).observed for u, v in pairs]


def _divided(top: np.ndarray, bottom: np.ndarray) -> list[Any]:
    """Quotients as Fractions, each computed once."""
    terms, places = np.unique(np.column_stack([top, bottom]), axis=0, return_inverse=True)
    quotients = []
    for x, y in terms.tolist():
        quotients.append(Fraction(x, y) if y else nan)
    return [quotients[i] for i in places.ravel().tolist()]


def _of_modal_clusters(statistic: Statistic, U: np.ndarray, V: np.ndarray) -> list[Any]:
    tied = _have_ties(U) | _have_ties(V)
    labels = np.stack(
        [
            U.argmax(axis=2),
            V.argmax(axis=2),
        ],
        axis=2,
    )
    of_tables: dict[bytes, Any] = {}
    results = []
    for cells, is_tied in zip(labels, tied):
        if is_tied:
            results.append(nan)
            continue
        table = np.zeros((U.shape[2], V.shape[2]), np.int64)
        np.add.at(table, tuple(cells.T), 1)
        key = table.tobytes()
        if key not in of_tables:
            of_tables[key] = exact_value(statistic, table)
        results.append(of_tables[key])
    return results


def _have_ties(side: np.ndarray) -> np.ndarray:
    """Which memberships have an object with several largest clusters."""
    is_largest = side == side.max(axis=2, keepdims=True)
    clusters = is_largest.sum(axis=2)
    return np.asarray((clusters > 1).any(axis=1))


def _ratios(name: str, U: np.ndarray, V: np.ndarray, d: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Numerators and denominators of an index, in whole numbers of 64 bits; None where it has no such form here."""
    n = U.shape[1]
    family, _, function = {"sari": "anderson_adjusted_rand"}.get(name, name).partition("_")
    if n * d * d > _LARGEST_FACTOR or n < 2:
        return None
    if name == "ndc":
        pairs = comb(n, 2) * d
        return pairs - _sum_of_distances(U, V), np.full(len(U), pairs)
    if family not in ("anderson", "frigui") or function == "fm":
        return None
    a, b, c, all_pairs = _doubled_counts(U, V, d, own=family == "anderson")
    if function == "rand":
        return all_pairs - b - c, np.full(len(U), all_pairs)
    if function == "jaccard":
        return a, a + b + c
    if function == "dice":
        return 2 * a, 2 * a + b + c
    rest = all_pairs - a - b - c
    top = 2 * (a * rest - b * c)
    bottom = (a + b) * (b + rest) + (a + c) * (c + rest)
    agree = (b == 0) & (c == 0)
    return np.where(agree, 1, top), np.where(agree, 1, bottom)


def _sum_of_distances(U: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Sum over pairs of objects of |E_U - E_V|, times d."""
    i, j = np.triu_indices(U.shape[1], 1)
    apart_in_u = abs(U[:, i] - U[:, j]).sum(axis=2)
    apart_in_v = abs(V[:, i] - V[:, j]).sum(axis=2)
    differences = abs(apart_in_u - apart_in_v)
    return differences.sum(axis=1) // 2


def _doubled_counts(U: np.ndarray, V: np.ndarray, d: int, own: bool) -> tuple[Any, Any, Any, int]:
    """a, b, c and all, doubled, in units 1/d^4; with ``own`` an object is half a pair with itself."""
    unit = d * d
    n = U.shape[1]
    table = np.einsum("tik,til->tkl", U, V)
    # The norms of the objects, by which a pair of one with itself counts.
    if own:
        norms_u = np.full(U.shape[:2], unit)
    else:
        norms_u = (U**2).sum(axis=2)
    if own:
        norms_v = np.full(V.shape[:2], unit)
    else:
        norms_v = (V**2).sum(axis=2)
    squares = table**2
    with_itself = (norms_u * norms_v).sum(axis=1)
    a = squares.sum(axis=(1, 2)) - with_itself
    b = _pairs_together(U, norms_u) * unit - a
    c = _pairs_together(V, norms_v) * unit - a
    return a, b, c, n * (n - 1) * unit**2


def _pairs_together(side: np.ndarray, norms: np.ndarray) -> np.ndarray:
    """Sum over clusters of the squares of their sizes, less what pairs of an object with itself add."""
    sizes = side.sum(axis=1)
    return np.asarray((sizes**2).sum(axis=1) - norms.sum(axis=1))
