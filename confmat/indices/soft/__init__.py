"""Agreement of soft (fuzzy) clusterings: membership matrices or hard labels.

Every function takes two arguments ``U`` and ``V``. Each is an (n, K) or (n, L) array of memberships whose rows sum
to 1, or n hard labels. Hard labels give the Rand index or the adjusted Rand index.

===============  ================================  ====================================  =======
author           degree of "i and j are together"  functions                             U = V
===============  ================================  ====================================  =======
Huellermeier     1 - (1/2) sum_k abs(u_ik - u_jk)  ndc, huellermeier_pairs               1
Amodio           the same, adjusted for chance     aci                                   1
Campello         max_k min(u_ik, u_jk)             campello_rand, _adjusted_rand         below 1
Brouwer          cosine of u_i and u_j             brouwer_rand, _adjusted_rand          below 1
Frigui           sum_k u_ik u_jk                   frigui_rand, _adjusted_rand           below 1
Anderson, Flynt  pair counts of the table U'V      anderson_rand, _adjusted_rand, sari   below 1
Andrews          u_i u_j, squares scaled to 1      fari                                  1
===============  ================================  ====================================  =======

Let the objects of V be permuted at random. The adjusted indices of Amodio, Andrews (``fari``), Brouwer and Frigui
then have mean 0, and the others do not. `null_moments` returns mean and variance, and `adjusted` corrects an index
by its mean.

``campello_pairs`` and similar functions return the four pair counts, from which the Jaccard, Dice and
Fowlkes-Mallows indices follow.
"""

from itertools import product

from confmat.indices.soft.cardinalities import (
    anderson_adjusted_rand,
    anderson_pairs,
    anderson_rand,
    brouwer_adjusted_rand,
    brouwer_pairs,
    brouwer_rand,
    campello_adjusted_rand,
    campello_pairs,
    campello_rand,
    frigui_adjusted_rand,
    frigui_pairs,
    frigui_rand,
    sari,
    table_pairs,
)
from confmat.indices.soft.concordance import (
    aci,
    expected_ndc,
    huellermeier_pairs,
    ndc,
)
from confmat.indices.soft.memberships import (
    ROW_TOLERANCE,
    FuzzyPairCounts,
    Memberships,
    SoftNumber,
    as_memberships,
    normalised,
    one_hot,
    read_memberships,
)
from confmat.indices.soft.null_moments import SoftMoments, adjusted, fari, null_moments
from confmat.indices.soft.relabelings import FUNCTIONS, INDICES, index_of
from confmat.indices.undefined import Undefined, check_undefined

__all__ = [
    "INDICES",
    "ROW_TOLERANCE",
    "FuzzyPairCounts",
    "SoftMoments",
    "SoftNumber",
    "aci",
    "adjusted",
    "all_indices",
    "anderson_adjusted_rand",
    "anderson_pairs",
    "anderson_rand",
    "as_memberships",
    "brouwer_adjusted_rand",
    "brouwer_pairs",
    "brouwer_rand",
    "campello_adjusted_rand",
    "campello_pairs",
    "campello_rand",
    "expected_ndc",
    "fari",
    "frigui_adjusted_rand",
    "frigui_pairs",
    "frigui_rand",
    "huellermeier_pairs",
    "ndc",
    "normalised",
    "null_moments",
    "one_hot",
    "read_memberships",
    "sari",
    "table_pairs",
]


def all_indices(
    U: Memberships,
    V: Memberships,
    *,
    undefined: Undefined = "nan",
) -> dict[str, float]:
    """Return every soft index as a float.

    Parameters
    ----------
    U, V : array_like
        Memberships of shape (n, K) and (n, L), each row with sum 1, or n hard labels.
    undefined : {"raise", "nan"} or number
        Result if an index is 0/0. Default: "nan".

    Returns
    -------
    dict of str to float
        Values by short name. ``sari`` and ``anderson_adjusted_rand`` are the same number.

    Notes
    -----
    Time O(n^2 (K + L)). Memory 8 n^2 bytes for the ACI.

    Examples
    --------
    >>> values = all_indices([0, 0, 1, 1], [[1, 0], [0.5, 0.5], [0, 1], [0, 1]])
    >>> {name: round(values[name], 4) for name in ("ndc", "aci", "sari", "campello_rand")}
    {'ndc': 0.75, 'aci': 0.4706, 'sari': 0.3636, 'campello_rand': 0.75}
    """
    # reads: every family of indices is listed once
    check_undefined(undefined)
    families = {
        "huellermeier": huellermeier_pairs(U, V),
        "campello": campello_pairs(U, V),
        "brouwer": brouwer_pairs(U, V),
        "frigui": frigui_pairs(U, V),
        "anderson": anderson_pairs(U, V),
    }
    values = {
        "ndc": ndc(U, V),
        "aci": aci(U, V),
        "fari": fari(U, V, exact=False, undefined=undefined),
        "sari": families["anderson"].adjusted_rand(undefined),
    }
    for family, function in product(families, FUNCTIONS):
        name = f"{family}_{function}"
        if name in INDICES:  # the Rand index of Huellermeier's pairs is the NDC, adjusted: the ACI
            values[name] = index_of(families[family], function, undefined)
    return {name: float(value) for name, value in values.items()}
