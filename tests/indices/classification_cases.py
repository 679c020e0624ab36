"""Confusion matrices and labelings that the tests of classifiers share."""

from hypothesis import strategies as st

from confmat.indices import classification as c

BY_CLASS = {
    "recall": c.sensitivity,
    "specificity": c.specificity,
    "precision": c.precision,
    "f": c.f_beta,
    "gsp": c.g_mean_sp,
    "gss": c.g_mean_ss,
    "auc": c.auc,
}

THREE = [[5, 1, 0], [2, 3, 1], [0, 1, 7]]
SKEWED = [[5, 2, 0], [1, 3, 0], [1, 1, 4]]


@st.composite
def matrices(draw, least=1, most=4, largest=6):
    """Square matrices, not all zero, with empty classes and empty predictions among them."""
    k = draw(st.integers(least, most))
    cells = st.one_of(st.just(0), st.integers(0, largest))
    matrix = draw(st.lists(st.lists(cells, min_size=k, max_size=k), min_size=k, max_size=k))
    if not any(map(any, matrix)):
        matrix[draw(st.integers(0, k - 1))][draw(st.integers(0, k - 1))] = 1
    return matrix


def labels_of(matrix):
    """Two labelings with this confusion matrix."""
    pairs = [(i, j) for i, row in enumerate(matrix) for j, count in enumerate(row) for _ in range(count)]
    return [i for i, _ in pairs], [j for _, j in pairs]
