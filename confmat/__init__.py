"""Exhaustive combinatorics over confusion matrices: exact laws, extremes and proofs for indices.

Where things are:

    confmat.matrices      from labels, memberships, arrays to a contingency matrix; best matchings
    confmat.classes       classes of matrices: count, iterate, rank, unrank, orbits
    confmat.indices       numbers of one matrix: of two clusterings, of a classifier, soft, largest values
    confmat.statistics    the table of statistics, and one's own
    confmat.engine        inner parts: enumeration, kernels, where it runs, checkpoints
    confmat.laws          exact joint and conditional laws over a class
    confmat.sampling      uniform random matrices of a class, also given the MED
    confmat.chance        null models, their exact laws, p-values
    confmat.search        worst cases, exhaustive or certified
    confmat.conjectures   a statement over classes: certificate or smallest counterexample; the literature's
    confmat.testing       Hypothesis strategies, and the contract of an index
    confmat.archive       the exact tables of many classes as Parquet files
    confmat.plots         pictures of laws, null models, metrics
    confmat.studies       the tables and figures of five papers, computed again
    confmat.cli           the command line
"""
