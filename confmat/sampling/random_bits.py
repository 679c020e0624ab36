"""Random integers inside compiled loops: xoshiro256** (Blackman and Vigna 2021), and unbiased bounded integers.

NumPy's generators called from Numba take 60 ns per integer, these functions 2 ns. A state is four 64-bit words from
``numpy.random.SeedSequence``. Streams of different chunks are therefore independent, and equal on all machines.
"""

import numpy as np

from confmat._numba import njit

_LOW_HALF = np.uint64(0xFFFFFFFF)


def state_of(seeds: np.random.SeedSequence) -> np.ndarray:
    """Return the initial state of the generator, four 64-bit words.

    >>> state_of(np.random.SeedSequence(1)).shape
    (4,)
    """
    return seeds.generate_state(4, np.uint64)


def generator_of(seeds: np.random.SeedSequence) -> np.random.Generator:
    """Return a NumPy generator (PCG64), for draws of whole arrays.

    >>> generator_of(np.random.SeedSequence(1)).integers(100)
    np.int64(47)
    """
    return np.random.Generator(np.random.PCG64(seeds))


@njit(inline="always")
def _rotate(x: np.uint64, k: int) -> np.uint64:
    """Return a 64-bit word rotated to the left by ``k`` bits."""
    return (x << np.uint64(k)) | (x >> np.uint64(64 - k))


@njit(inline="always")
def ones(word: np.uint64) -> int:
    """Return the number of bits that are set in a 64-bit word. LLVM compiles this form to one instruction.

    >>> int(ones(np.uint64(2**63 + 5)))
    3
    """
    number = 0
    while word:
        word &= word - np.uint64(1)  # without its lowest bit
        number += 1
    return number


@njit
def next_word(state: np.ndarray) -> np.uint64:
    """Return 64 random bits and advance the state."""
    word = _rotate(state[1] * np.uint64(5), 7) * np.uint64(9)
    shifted_word = state[1] << np.uint64(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted_word
    state[3] = _rotate(state[3], 45)
    return word


@njit
def below(state: np.ndarray, bound: int) -> np.int64:
    """Return a uniform integer in [0, bound), without bias, for 1 <= bound < 2^63.

    Bounds below 2^32 use multiplication and shift with rejection (Lemire 2019), larger bounds a mask with
    rejection.

    >>> state = state_of(np.random.SeedSequence(1))
    >>> [int(below(state, 6)) for _ in range(8)]
    [4, 0, 2, 1, 5, 1, 5, 4]
    """
    limit = np.uint64(bound)
    if limit <= _LOW_HALF:
        product = (next_word(state) >> np.uint64(32)) * limit
        if (product & _LOW_HALF) < limit:
            uneven = (np.uint64(2**32) - limit) % limit
            while (product & _LOW_HALF) < uneven:
                product = (next_word(state) >> np.uint64(32)) * limit
        return np.int64(product >> np.uint64(32))
    mask = limit - np.uint64(1)
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> np.uint64(shift)
    while True:
        word = next_word(state) & mask
        if word < limit:
            return np.int64(word)
