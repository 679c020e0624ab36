"""The largest misclassification error distance.

Statement `med-max`: the largest n MED is 2n - r - s for n <= r + s - 2, n - ceil((n + s - r)/s) up to (r - 1)s,
    then n - ceil(n/s), r <= s.
Statement `med-max-empty`: if empty rows and columns are allowed, the largest n MED is n - ceil(n/s) for every n and r
    <= s.

n MED = n - k, k the largest weight of a matching of the table, r <= s.  The s diagonals {(i, i+d mod s)} partition the
cells and each is a matching, so n <= s k: this is the second statement, as one row with balanced cells attains it.
Without empty rows and columns a table with k < r has a column that every best matching uses, hence n <= s(k-1) + r,
and always k >= r + s - n; tables below an envelope n_ij <= u_i + v_j attain this.  All of it is formal, and in words in
`rocq/MaxMed.v`; here the result meets all small tables.

The bound n - ceil(n/s) of Charon et al. (2006) is therefore not attained at (2,2,2) and, for n >= r + s - 1,
not at (8,3,4) first.
"""

from __future__ import annotations

from confmat.indices.extremes import max_med
from proofs import best_matching_weight, require, small_classes


def verify() -> str:
    """Check the largest MED against all small tables."""
    seen = 0
    for n, r, s, tables in small_classes((2, 2, 9), (2, 3, 8), (2, 4, 7), (3, 3, 7), (3, 4, 6), (4, 4, 5)):
        largest = n - min(map(best_matching_weight, tables))
        require(largest == n * max_med(n, r, s), f"the largest MED at {(n, r, s)}")
        seen += len(tables)
    for n, r, s, tables in small_classes(
        (1, 3, 6), (2, 2, 8), (2, 4, 6), (3, 3, 6), (3, 4, 5), allow_empty=True
    ):
        largest = n - min(map(best_matching_weight, tables))
        require(
            largest == n - -(-n // s) == n * max_med(n, r, s, allow_empty=True), f"empty lines at {(n, r, s)}"
        )
    require(max_med(8, 3, 4) * 8 == 5, "(8,3,4): the largest n MED is 5, not 6")
    return f"{seen} tables; every step formally: rocq/MaxMed.v"
