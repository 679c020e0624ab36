"""Random memberships and labels, and the soft indices by name, for the tests of the soft indices."""

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from confmat.indices import soft

RANDS = {
    "ndc": soft.ndc,
    "campello": soft.campello_rand,
    "brouwer": soft.brouwer_rand,
    "frigui": soft.frigui_rand,
    "anderson": soft.anderson_rand,
}
ADJUSTED = {
    "aci": soft.aci,
    "sari": soft.sari,
    "campello": soft.campello_adjusted_rand,
    "brouwer": soft.brouwer_adjusted_rand,
    "frigui": soft.frigui_adjusted_rand,
    "anderson": soft.anderson_adjusted_rand,
}
TOY = (
    [[Fraction(k, 100), Fraction(100 - k, 100)] for k in (29, 79, 41, 88)],
    [[Fraction(k, 100), Fraction(100 - k, 100)] for k in (94, 5, 53, 89)],
)
EVERY = settings(max_examples=60)


@st.composite
def rows(draw, clusters, q):
    cuts = sorted(draw(st.lists(st.integers(0, q), min_size=clusters - 1, max_size=clusters - 1)))
    return [Fraction(high - low, q) for low, high in zip([0, *cuts], [*cuts, q])]


@st.composite
def membership_pairs(draw, sides=2, min_n=2):
    """Matrices of one number of objects, rational, with their own numbers of clusters and denominators."""
    n = draw(st.integers(min_n, 6))
    shapes = [(draw(st.integers(1, 4)), draw(st.integers(1, 7))) for _ in range(sides)]
    return [draw(st.lists(rows(k, q), min_size=n, max_size=n)) for k, q in shapes]


label_pairs = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
)


def counts(pairs):
    return [pairs.a, pairs.b, pairs.c, pairs.d]
