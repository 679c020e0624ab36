"""Arrays of integers: grouping of equal rows, and exact integers above 2^64 as residues modulo 31-bit primes.

Counts soon exceed 2^64: there are 2^200 pairs of labelings of 50 objects with 4 labels each. Compiled code
represents such a count by its remainders modulo enough primes. Remainders can be added and multiplied without
growing. At the end the integer is reconstructed from them (Chinese remainder theorem).

>>> [part.tolist() for part in summed(np.array([[2, 1], [1, 3], [2, 1]]), np.array([5, 1, 2]))]
[[[1, 3], [2, 1]], [1, 7]]
>>> primes = primes_for(10**30)
>>> from_residues(np.array([[10**30 % p, 7] for p in primes]), primes).tolist()
[1000000000000000000000000000000, 7]
"""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

PRIME_BITS = 31

# Chunks are merged when they have more distinct rows than this, in addition to those of the merged chunk.
ROWS_WAITING = 2**16

# Rows of integers (tables or keys) and an integer for each row (its multiplicity or weight).
Chunk = tuple[np.ndarray, np.ndarray]


@lru_cache
def primes_for(bound: int) -> tuple[int, ...]:
    """Return the largest primes below 2^31 whose product exceeds ``bound`` >= 0, in decreasing order, at least one.

    >>> primes_for(10**9)
    (2147483647,)
    >>> len(primes_for(2**200))
    7
    """
    primes: list[int] = []
    product = 1
    candidate = 2**PRIME_BITS - 1
    divisors = np.arange(3, 2 ** (PRIME_BITS / 2), 2, dtype=np.int64)
    while product <= bound or not primes:
        if (candidate % divisors).all():
            primes.append(candidate)
            product *= candidate
        candidate -= 2
    return tuple(primes)


@lru_cache
def _inverses(primes: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Return, for each prime p except the last, a column of the inverses of p modulo the later primes.

    >>> [inverses.tolist() for inverses in _inverses((7, 5, 3))]
    [[[3], [1]], [[2]]]
    """
    columns = ([[pow(p, -1, q)] for q in primes[i + 1 :]] for i, p in enumerate(primes[:-1]))
    return tuple(read_only(np.array(column)) for column in columns)


def from_residues(residues: np.ndarray, primes: tuple[int, ...], plain: bool = False) -> np.ndarray:
    """Return the non-negative integers below the product of ``primes`` with the given remainders.

    ``residues`` has the shape (len(primes), ...), the result the shape (...). The results are Python ints, or int64
    if ``plain`` is true, which requires that all are below 2^63. The algorithm is Garner's mixed radix: x = d0 + p0
    (d1 + p1 (...)).

    >>> primes = primes_for(10**30)
    >>> from_residues(np.array([[10**30 % p, 7] for p in primes]), primes).tolist()
    [1000000000000000000000000000000, 7]
    """
    digits = residues.reshape(len(primes), -1).astype(np.int64)
    moduli = np.array(primes)[:, None]
    digits %= moduli
    for i, inverses in enumerate(_inverses(primes)):
        # Remainders of (x - d0 - p0 d1 - ...) / (p0 p1 ...) modulo the later primes. The first one is the next digit.
        later = digits[i + 1 :]
        later -= digits[i]
        later *= inverses
        later %= moduli[i + 1 :]
    value = digits[-1].astype(np.int64 if plain else object)
    for p, digit in zip(primes[-2::-1], digits[-2::-1]):
        value = value * p + digit
    return value.reshape(residues.shape[1:])


def read_only(array: np.ndarray) -> np.ndarray:
    """Return ``array`` itself after marking it as read-only, so that it can be cached.

    >>> read_only(np.zeros(2)).flags.writeable
    False
    """
    array.flags.writeable = False
    return array


def uniform_below(rng: np.random.Generator, bound: int) -> int:
    """Draw a uniform integer from 0, ..., ``bound`` - 1 with the generator ``rng``. ``bound`` may have any size.

    Random bits that give larger integers are rejected.

    >>> uniform_below(np.random.default_rng(1), 1)
    0
    """
    bits = (bound - 1).bit_length()
    width = (bits + 7) // 8
    while True:
        value = int.from_bytes(rng.bytes(width)) >> (8 * width - bits)
        if value < bound:
            return value


def portions(sizes: np.ndarray, most: int) -> list[np.ndarray]:
    """Split the indices of ``sizes`` into consecutive parts, and return the indices of each part.

    A part ends before the cumulative sum of all sizes reaches the next multiple of ``most``. The sizes of a part
    therefore add up to less than ``most`` plus its first size.

    >>> [places.tolist() for places in portions(np.array([3, 1, 4, 1]), 4)]
    [[0], [1], [2, 3]]
    """
    places = np.arange(len(sizes))
    number = np.cumsum(sizes) // most
    if len(sizes):
        return np.split(places, np.flatnonzero(np.diff(number)) + 1)
    return []


def ends_after(sizes: np.ndarray) -> np.ndarray:
    """Return the boundaries of consecutive intervals with the given sizes: 0 and the cumulative sums.

    >>> ends_after(np.array([3, 1, 4])).tolist()
    [0, 3, 4, 8]
    """
    return np.concatenate([[0], np.cumsum(sizes)])


def compositions(total: int, parts: int) -> np.ndarray:
    """Return all vectors of ``parts`` nonnegative integers with the sum ``total``, in increasing lexicographic order.

    They are the rows of an array.

    >>> compositions(2, 2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    columns = np.zeros((0, 1), np.int64)
    rest = np.array([total])
    for _ in range(parts - 1):
        choices = rest + 1
        parents = np.repeat(np.arange(len(rest)), choices)
        firsts = ends_after(choices)[:-1]
        x = np.arange(len(parents)) - firsts[parents]
        earlier_columns = columns[:, parents]
        columns = np.concatenate([earlier_columns, x[None]])
        rest = rest[parents] - x
    every_column = np.concatenate([columns, rest[None]])
    return every_column.T


def groups(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group equal rows of the integer array ``keys`` of shape (N, c), in time O(N c log N).

    Return the distinct rows in lexicographic order, a permutation ``order`` that sorts all rows, and the index
    ``starts`` in ``order`` at which each group begins.

    >>> rows, order, starts = groups(np.array([[2, 1], [1, 3], [2, 1]]))
    >>> rows.tolist(), order.tolist(), starts.tolist()
    ([[1, 3], [2, 1]], [1, 0, 2], [0, 1])
    """
    if keys.dtype == object:  # lexsort does not accept objects
        order = np.array(
            sorted(
                range(len(keys)),
                key=keys.tolist().__getitem__,
            ),
            np.int64,
        )
    else:
        order = np.lexsort(keys.T[::-1])
    ordered = keys[order]
    new = np.ones(len(keys), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    return ordered[starts], order, starts


def distinct(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted distinct rows of the integer array ``keys`` (N x c), and for each row its index among them.

    >>> distinct(np.array([[2, 1], [1, 3], [2, 1]]))
    (array([[1, 3],
           [2, 1]]), array([1, 0, 1]))
    """
    rows, order, starts = groups(keys)
    which = np.empty(len(keys), np.int64)
    which[order] = np.repeat(
        np.arange(len(starts)),
        np.diff(starts, append=len(keys)),
    )
    return rows, which


def summed(keys: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted distinct rows of the integer array ``keys`` (N x c), and the sum of the weights of each.

    >>> [part.tolist() for part in summed(np.array([[2, 1], [1, 3], [2, 1]]), np.array([5, 1, 2]))]
    [[[1, 3], [2, 1]], [1, 7]]
    """
    rows, order, starts = groups(keys)
    if len(rows):
        weights = np.add.reduceat(weights[order], starts)
    return rows, weights


@dataclass
class MergedChunks:
    """Accumulator of rows with weights: equal rows are merged and their weights added.

    A row has ``width`` integers. A weight is an integer, or an array of integers of the shape ``lanes``. Chunks of
    rows are merged as soon as they have many more rows than the merged ones.

    >>> chunks = MergedChunks(2)
    >>> for weight in (3, 4):
    ...     chunks.add(np.array([[1, 2]]), np.array([weight]))
    >>> rows, weights = chunks.together()
    >>> rows.tolist(), weights.tolist()
    ([[1, 2]], [7])
    """

    width: int
    lanes: tuple[int, ...] = ()
    _parts: list[Chunk] = field(default_factory=list)
    _rows_waiting: int = 0

    def add(self, keys: np.ndarray, weights: np.ndarray) -> None:
        """Add the rows of ``keys`` (N x ``width``) with a weight for each row."""
        self._parts.append(summed(keys, weights))
        self._rows_waiting += len(self._parts[-1][0])
        if self._rows_waiting > len(self._parts[0][0]) + ROWS_WAITING:
            self._parts = [self.together()]
            self._rows_waiting = 0

    def together(self) -> Chunk:
        """Return the sorted distinct rows of all chunks, and the sum of the weights of each."""
        no_rows = np.zeros((0, self.width), np.int64)
        no_weights = np.zeros((0, *self.lanes), np.int64)
        parts = zip((no_rows, no_weights), *self._parts)
        return summed(*map(np.concatenate, parts))
