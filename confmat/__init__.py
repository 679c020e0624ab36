"""Exhaustive combinatorics over confusion matrices: exact distributions, extremes and proofs for indices.

    >>> import confmat as cm

Each index is a function of a matrix or of two labelings. ``exact=True`` returns a fraction. ``cm.compare`` returns all
indices, and ``cm.permutation_test`` tests whether the agreement is larger than by chance.

    >>> truth, found = [0, 0, 0, 1, 1, 1], ["a", "a", "b", "b", "b", "b"]
    >>> cm.med(truth, found), cm.ari([[2, 1], [0, 3]], exact=True)
    (0.16666666666666666, Fraction(12, 37))
    >>> cm.permutation_test(truth, found).p_ari.pvalue
    Fraction(2, 5)

A class is the set of all matrices of a size. It can be counted and enumerated. The distribution of any statistic over
it is computed exactly.

    >>> tables = cm.Tables(20, 3, 3)
    >>> law = cm.joint_distribution(tables, "med", "ari")
    >>> tables.count(), law["med"].mean(exact=True), round(law["ari"].mean(), 4)
    (2806281, Fraction(2569969, 6236180), 0.1636)
    >>> law["ari"].quantile(0.99), law.probability("ari<0"), law.given("med<=1/5")["ari"].min()
    (Fraction(6189, 8849), Fraction(51632, 311809), Fraction(-203, 1887))

The smallest value of a statistic over a class is proved.

    >>> cm.minimize(tables, "ari").value
    Fraction(-1811, 8829)

The check of a conjecture gives a certificate, or the smallest counterexample.

    >>> claim = cm.Conjecture("half", "med <= 1/2")
    >>> print(cm.check(claim, [cm.Tables(n, 2, 2) for n in range(2, 9)]))
    med <= 1/2 is true for all 350 members of 7 classes

Random matrices of a class are equally likely. ``cm.plan`` returns the method and the cost of a computation in advance.

    >>> cm.sample(tables, 1000, rng=1).shape, cm.plan(cm.joint_distribution, tables, "ard").method
    ((1000, 3, 3), 'one pass')

Subpackages and modules:

    confmat.contingency   : contingency matrices of labelings, best matchings of rows to columns
    confmat.indices       : indices of two clusterings, of a classifier, of memberships, and their extremes
    confmat.statistics    : registry of statistics, user-defined statistics, conditions
    confmat.classes       : classes of matrices: count, iterate, rank, unrank, orbits
    confmat.distributions : exact joint and conditional distributions over a class
    confmat.fixed_margins : sums over cells of tables with fixed margins, by recursion over rows
    confmat.sampling      : uniform random matrices of a class, also at a given MED
    confmat.significance  : null models, their exact distributions, p-values
    confmat.search        : largest and smallest values of a statistic over a class
    confmat.conjectures   : statements about classes: checks and a registry of statements on record
    confmat.certificates  : results as files with a digest, and their checker in one file of plain Python
    confmat.graphs        : graph of tables that differ by one object, graph of inequalities between indices
    confmat.testing       : Hypothesis strategies, and tests of the properties of an index
    confmat.archive       : exact distributions over many classes as Parquet files
    confmat.plots         : figures of distributions, null models and metrics
    confmat.reports       : two clusterings by every index, and the metrics of a classifier
    confmat.cli           : the command line
    confmat._engine       : internal, enumeration, compiled functions, parallel execution, checkpoints
    confmat._limits       : internal, limits of time and memory, choice of a method, its cost
    confmat._display      : internal, text, tables and JSON of results
    confmat._integers     : internal, compositions and partitions of an integer, arrays of large integers
"""

import lazy_loader as _lazy

_attached, _, __all__ = _lazy.attach_stub(__name__, __file__)

# Rare statistics and inner subpackages, which ``dir`` leaves out.
_UNLISTED = """
    entropy_a entropy_b f_beta fisher_probability g2 mirkin nmed nmi_geometric nmi_joint nmi_max nmi_min nrd pair_kappa
    wallace_ab wallace_ba MembershipGrids Plan contingency distributions fixed_margins reports sampling search
    significance f1_score fbeta_score precision_score recall_score
"""


def __dir__() -> list[str]:
    unlisted = _UNLISTED.split()
    return [name for name in __all__ if name not in unlisted]


def __getattr__(name: str) -> object:
    """Return a public name, or a statistic by one of its other names: ``cm.adjusted_rand_score`` is ``cm.ari``."""
    try:
        return _attached(name)
    except AttributeError:
        if name.startswith("_"):
            raise
    from confmat._arguments import meant
    from confmat.statistics.grammar import meant_among
    from confmat.statistics.table import STATISTICS

    if name == "fisher_exact":  # the name in SciPy
        return _attached("exact_test")
    if name in STATISTICS:
        return STATISTICS[name].index
    doors = {door.lower(): door for door in __all__}
    hint = meant(name, doors, doors) or meant_among(name, STATISTICS)
    raise AttributeError(f"module 'confmat' has no attribute {name!r}{hint}")


# pyproject.toml reads the version from here.
__version__ = "0.1.0"
