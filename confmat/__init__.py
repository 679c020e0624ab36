"""Exhaustive combinatorics over confusion matrices: exact laws, extremes and proofs for indices.

    >>> import confmat as cm

Two labelings, by every index: each short name is a function of a matrix or of two labelings, exact on request.
``cm.compare`` gives all of them; ``cm.permutation_test`` says whether the agreement is more than chance.

    >>> truth, found = [0, 0, 0, 1, 1, 1], ["a", "a", "b", "b", "b", "b"]
    >>> cm.med(truth, found), cm.ari([[2, 1], [0, 3]], exact=True)
    (0.16666666666666666, Fraction(12, 37))
    >>> cm.permutation_test(truth, found).p_ari.pvalue
    Fraction(2, 5)

All matrices of a size, as one value: how many, which, and the exact law of any statistic over them.

    >>> tables = cm.Tables(20, 3, 3)
    >>> law = cm.joint_distribution(tables, "med", "ari")
    >>> tables.count(), law["med"].mean(exact=True), round(law["ari"].mean(), 4)
    (2806281, Fraction(2569969, 6236180), 0.1636)
    >>> law["ari"].quantile(0.99), law.probability("ari<0"), law.given("med<=1/5")["ari"].min()
    (Fraction(6189, 8849), Fraction(51632, 311809), Fraction(-203, 1887))

The worst case of a statistic, proved.

    >>> cm.minimize(tables, "ari").value
    Fraction(-1811, 8829)

A conjecture: a certificate, or the smallest counterexample.

    >>> claim = cm.Conjecture("half", "med <= 1/2")
    >>> print(cm.check(claim, [cm.Tables(n, 2, 2) for n in range(2, 9)]))
    med <= 1/2 is true for all 350 members of 7 classes

Random members of a class, each equally likely, and the method and cost of a distribution before it is computed.

    >>> cm.sample(tables, 1000, rng=1).shape, cm.plan(cm.joint_distribution, tables, "ard").method
    ((1000, 3, 3), 'one pass')

Where things are:

    confmat._integers      inner parts: compositions and partitions of an integer, arrays of large ones
    confmat._display       what every answer shows: text, tables, JSON
    confmat.certificates   results as sealed files, and their checker in one file of plain Python
    confmat.contingency    from labels, memberships, arrays to a contingency matrix; best matchings
    confmat._limits        inner parts: what a call may use, which method answers a question, at what cost
    confmat.classes        classes of matrices: count, iterate, rank, unrank, orbits
    confmat.indices        numbers of one matrix: of two clusterings, of a classifier, soft, largest values
    confmat.statistics     the table of statistics, and one's own
    confmat._engine        inner parts: enumeration, kernels, where it runs, checkpoints
    confmat.fixed_margins  tables with fixed margins, row by row: tails of sums over cells
    confmat.distributions  exact joint and conditional laws over a class
    confmat.sampling       uniform random matrices of a class, also given the MED
    confmat.significance   null models, their exact laws, p-values
    confmat.search         worst cases, exhaustive or certified
    confmat.conjectures    a statement over classes: certificate or smallest counterexample; the literature's
    confmat.graphs         tables joined by moves of one object; which index bounds which
    confmat.testing        Hypothesis strategies, and the contract of an index
    confmat.archive        the exact tables of many classes as Parquet files
    confmat.plots          pictures of laws, null models, metrics
    confmat.reports        two clusterings by every index, and the metrics of a classifier
    confmat.cli            the command line
"""

import lazy_loader as _lazy

_attached, _, __all__ = _lazy.attach_stub(__name__, __file__)

# Rare statistics and inner subpackages, which ``dir`` leaves out.
_UNLISTED = """
    entropy_a entropy_b f_beta fisher_probability g2 mirkin nmed nmi_geometric nmi_joint nmi_max nmi_min nrd pair_kappa
    wallace_ab wallace_ba MembershipGrids Plan contingency distributions fixed_margins reports sampling search
    significance
"""


def __dir__() -> list[str]:
    unlisted = _UNLISTED.split()
    return [name for name in __all__ if name not in unlisted]


def __getattr__(name: str) -> object:
    """What the stub names, and every statistic under its other names: cm.adjusted_rand_score is cm.ari."""
    try:
        return _attached(name)
    except AttributeError:
        if name.startswith("_"):
            raise
    from confmat._arguments import meant
    from confmat.statistics.grammar import meant_among
    from confmat.statistics.table import STATISTICS

    if name == "fisher_exact":  # as SciPy calls it
        return _attached("exact_test")
    if name in STATISTICS:
        return STATISTICS[name].index
    doors = {door.lower(): door for door in __all__}
    hint = meant(name, doors, doors) or meant_among(name, STATISTICS)
    raise AttributeError(f"module 'confmat' has no attribute {name!r}{hint}")


# The one place of the version: pyproject.toml reads it from here.
__version__ = "0.1.0"
