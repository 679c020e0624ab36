"""Random conditions as text, for Python and in our grammar."""

import re

from hypothesis import strategies as st

NAMES = ("med", "rd", "n")

# --- against Python -------------------------------------------------------------------------------

numbers = st.recursive(
    st.sampled_from(NAMES) | st.integers(0, 9).map(lambda k: f"Fraction({k})"),
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda x: f"({x[0]} {x[1]} {x[2]})")
        | inner.map(lambda x: f"(-{x})")
    ),
    max_leaves=6,
)
relations = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
comparisons = st.tuples(numbers, relations, numbers).map(" ".join) | st.tuples(
    numbers, relations, numbers, relations, numbers
).map(" ".join)
truths = st.recursive(
    comparisons.map(lambda x: f"({x})"),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda x: f"({' '.join(x)})")
        | inner.map(lambda x: f"(not {x})")
    ),
    max_leaves=6,
)
fractions = st.fractions(-2, 2, max_denominator=6)


def ours(text):
    return re.sub(r"Fraction\((\d+)\)", r"\1", text)
