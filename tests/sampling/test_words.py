"""From random words to draws: every word is tried, or those where rejection decides, so that no bias is too small.

A draw is uniform when each of its values comes from equally many words.  States of the generator are made here whose
next words are chosen; a word is *rejected* where the value depends on the words after it.  A chi-square of tables would
see a bias of 1/20, this a single word of 2^32.
"""

from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from goodness import p_value, support, uniform

from confmat._integers.arrays import uniform_below
from confmat.classes import Tables
from confmat.sampling import kernels, lanes, random_bits

MASK = 2**64 - 1


def rotated(x, k):
    return x << np.uint64(k) | x >> np.uint64(64 - k)


def state_giving(*words):
    """States of xoshiro256** whose next words are these, numbers or arrays, at most four: its step, undone."""
    words = np.broadcast_arrays(*(np.asarray(w, np.uint64) for w in (*words, *[0] * (4 - len(words)))))
    fifth, ninth = (np.uint64(pow(k, -1, 2**64)) for k in (5, 9))
    with np.errstate(over="ignore"):
        # What stood in state[1] when each word was made: word = rotl(5 x, 7) 9.
        x0, x1, x2, x3 = (rotated(w * ninth, 57) * fifth for w in words)
    s2 = x0 ^ x1 ^ x0 << np.uint64(17)
    s0 = x2 ^ x1 ^ s2
    s3 = x3 ^ x2 ^ s2 ^ s0 ^ x1 << np.uint64(17) ^ s0 ^ x1
    third = rotated(s3, 19) ^ x0
    first = s0 ^ x0 ^ third
    return np.stack([first, x0, first ^ x0 ^ x1, third], axis=-1)


def test_states_are_made_that_give_chosen_words():
    for words in np.random.default_rng(1).integers(0, 2**63, (20, 4)).tolist():
        state = state_giving(*words)
        assert [int(random_bits.next_word(state)) for _ in range(4)] == words


BOUNDS = [
    1,
    2,
    3,
    5,
    6,
    7,
    48,
    1000,
    2999,
    65535,
    65537,
    10**6 + 3,
    3 * 2**29,
    2**31 + 1,
    3 * 2**30,
    2**32 - 1,
]


@pytest.mark.parametrize("bound", BOUNDS)
def test_bounded_integers_come_from_equally_many_words(bound):
    """Of the 2^32 words, cut into those with one quotient, only the first of a value may be rejected."""
    most, rng = 2**32 // bound, np.random.default_rng(bound)
    values = (
        range(bound) if bound < 200 else {0, 1, bound - 1, bound // 2, *rng.integers(0, bound, 200).tolist()}
    )
    others = ((most + 1) % 2**32 << 32, (2**32 - 1) << 32)  # words of two other values, or of one
    for value in values:
        first, end = -(-value * 2**32 // bound), -(-(value + 1) * 2**32 // bound)
        accepted = 0
        for word in {first, min(first + 1, end - 1), end - 1}:
            found = {
                int(random_bits.below(state_giving(word << 32 | 0xDEADBEEF, other), bound))
                for other in others
            }
            if word > first:
                assert found == {value}
            else:
                accepted = found == {value}
        assert end - first - 1 + accepted == most or bound == 1
        assert end - first == most or not accepted or bound == 1


@pytest.mark.parametrize("bound", [2**32, 2**32 + 1, 3 * 2**61, 2**62, 2**63 - 1])
def test_large_bounded_integers_are_words_that_are_small_enough(bound):
    mask = 2 ** (bound - 1).bit_length() - 1
    for word in (0, 1, bound - 1, bound, bound + 1, mask):
        expected = word if word <= mask and word < bound else 5
        for high in (0, MASK ^ mask):
            assert random_bits.below(state_giving(word & mask | high, 5), bound) == (
                expected if word <= mask else word & mask
            )


@pytest.mark.parametrize(("total", "parts"), [(2, 2), (49, 2), (126, 2), (3, 3), (50, 4)])
def test_bars_of_tables_side_by_side_come_from_equally_many_words(total, parts):
    """All 2^16 words of the first bar and of the last, in the four lanes of a word."""
    places = total + parts - 1
    for varied in {0, parts - 2}:
        free, fixed = places - varied, 40_001
        starts = np.arange(0, 2**16, 4, dtype=np.uint64)
        chosen = sum(starts + np.uint64(lane) << np.uint64(16 * lane) for lane in range(4))
        others = sum(fixed << 16 * lane for lane in range(4))
        states = state_giving(*(chosen if i == varied else others for i in range(parts - 1)))
        cells = np.empty((len(starts), parts, 4), np.uint8)
        drawn = np.ones((len(starts), 4), np.uint8)
        for state, cells_of_state, drawn_of_state in zip(states, cells, drawn):
            lanes._compose(state, total, cells_of_state, drawn_of_state)
        tables = cells.transpose(0, 2, 1)[drawn.astype(bool)]
        assert (tables.sum(axis=1) == total).all()
        seen = Counter(map(tuple, tables.tolist()))
        most = (
            2**16 // free
        )  # of the first bar two places may give the same bars: the last is then the other one
        assert sum(seen.values()) == most * free
        assert {count % most for count in seen.values()} == {0}
        assert varied == 0 < parts - 2 or len(seen) == free


@pytest.mark.parametrize("bound", [2, 3, 5, 200, 255, 256, 257, 1000, 2**16])
def test_large_integers_are_bits_that_are_small_enough(bound):
    """Of positions and weights of any size: all words of so many bytes, one each."""

    class Words:
        def __init__(self, word, width):
            self.words, self.width = iter([word, 0]), width

        def bytes(self, width):
            assert width == self.width
            return next(self.words).to_bytes(width)

    bits = (bound - 1).bit_length()
    width = (bits + 7) // 8
    seen = Counter()
    for word in range(256**width):
        stream = Words(word, width)
        value = uniform_below(stream, bound)
        if next(stream.words, None) is not None:  # the first was taken
            seen[value] += 1
    assert len(seen) == bound
    assert set(seen.values()) == {2 ** (8 * width - bits)}


def words_of(bounds):
    """A word for each value of bounded integers drawn in turn: its middle, which is never rejected."""
    return product(*([(2 * value + 1) * 2**63 // bound for value in range(bound)] for bound in bounds))


def test_every_order_comes_from_one_choice_of_each_bounded_integer():
    """Fisher and Yates: as many orders as choices, whatever they start from."""
    seen = Counter()
    for words in words_of((4, 3, 2)):
        order = np.arange(4)
        kernels._shuffle_first(state_giving(*words), order, 3)
        seen[tuple(order.tolist())] += 1
    assert seen == Counter(permutations(range(4)))


def test_tables_with_many_best_matchings_are_as_likely_as_others():
    """A table is proposed once for each of its best matchings, here 4 to 12 of them."""
    state, out = (
        np.random.SeedSequence(20261123).generate_state(4, np.uint64),
        np.zeros((12_000, 2, 5), np.int64),
    )
    _, kept = kernels.propose_matched(state, 2, 4, True, 10**6, out)
    assert kept == len(out)
    members = support(Tables(6, 2, 5, allow_empty=True), 4)
    ways = {sum(x[0][i] + x[1][j] == 2 for i, j in permutations(range(5), 2)) for x in members}
    assert ways == {4, 6, 7, 8, 12}
    assert p_value(uniform(members), out) > 0.001
