"""Exact integers of any size as residues modulo word-size primes (Chinese remainder theorem).

Sums over a class soon pass 2^64 (labelings of 50 points by 4 and 4 labels: 2^200).  Compiled code keeps each
such integer as its remainders modulo enough primes; remainders add and multiply without ever growing, and the
integer is put together once, at the end.
"""

from functools import lru_cache

import numpy as np

PRIME_BITS = 31


@lru_cache
def primes_for(bound: int) -> tuple[int, ...]:
    """The largest primes below 2^31, as many as it takes for their product to exceed ``bound`` (>= 0).

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


def to_residues(values: np.ndarray, primes: tuple[int, ...]) -> np.ndarray:
    """Remainders of an integer array (any integer dtype, or Python ints): shape (len(primes), *values.shape)."""
    return np.stack([np.asarray(values % p, dtype=np.int64) for p in primes])


def from_residues(residues: np.ndarray, primes: tuple[int, ...], plain: bool = False) -> np.ndarray:
    """The non-negative integers below the product of ``primes`` with these remainders.

    Shape (len(primes), ...) to (...), as Python ints, or int64 with ``plain`` (all below 2^63).
    Garner's mixed-radix algorithm: x = d0 + p0 (d1 + p1 (...)).

    >>> primes = primes_for(10**30)
    >>> from_residues(to_residues(np.array([10**30, 7], dtype=object), primes), primes).tolist()
    [1000000000000000000000000000000, 7]
    """
    residues = residues[..., None]  # NumPy makes scalars of arrays without axes, and these overflow
    digits: list[np.ndarray] = []
    for i, p in enumerate(primes):
        # Remainder mod p of what the digits so far stand for (Horner), then the next digit.
        known = np.zeros(residues.shape[1:], np.int64)
        for q, digit in zip(reversed(primes[:i]), reversed(digits)):
            known = (known * q + digit) % p
        inverse = pow(int(np.prod(np.array(primes[:i], dtype=object))), -1, p) if i else 1
        digits.append((residues[i] - known) % p * inverse % p)
    value = np.zeros(residues.shape[1:], np.int64 if plain else object)
    for p, digit in zip(reversed(primes), reversed(digits)):
        value = value * p + digit if value.any() else digit.astype(value.dtype)
    return value[..., 0]
