"""Exhaustive combinatorics over confusion matrices: exact laws, extremes and proofs for indices.

Where things are:

    confmat.matrix                   from labels, memberships, arrays to a contingency matrix; best matching
    confmat.indices.partition        indices of two clusterings: MED, Rand, adjusted Rand, normalised, ...
    confmat.indices.classification   metrics of a classifier: accuracy, recall, F, G-means, AUC, over two strategies
    confmat.indices.soft             indices of soft and fuzzy clusterings
    confmat.indices.information      variation of information, mutual information
    confmat.indices.extremes         largest values at a given size, in closed form
    confmat.indices.null_moments     exact mean and variance under chance
    confmat.indices.undefined        what an index answers when it is 0/0
    confmat.classes                  classes of matrices: count, iterate, rank, unrank, orbits
    confmat.laws                     exact joint and conditional laws over a class
    confmat.medlaw                   the law of the MED for every n, by generating functions
    confmat.rdlaw                    the law of the Rand distance without enumeration
    confmat.engine.run               where an enumeration runs: threads, processes, clusters, checkpoints
    confmat.engine.plan              what an enumeration will cost
    confmat.sampling                 uniform random matrices of a class, also given the MED
    confmat.null                     null models and their exact laws
    confmat.null_models              what the null models are, and draws from them
    confmat.significance             is an agreement more than chance?
    confmat.search                   worst cases, exhaustive or certified
    confmat.conjectures              a statement over a class: certificate or smallest counterexample
    confmat.certificates             what a check leaves behind, as a file
    confmat.literature               the statements of the literature
    confmat.archive                  the exact tables of many classes as Parquet files
    confmat.strategies               Hypothesis strategies
    confmat.testing                  what an index claims, checked on any function
    confmat.feature_selection        features ranked by the ARI of their intervals
    confmat.ari_selector             the same as a scikit-learn selector
    confmat.plots                    pictures of laws
    confmat.plots_null               pictures of null models
    confmat.plots_classification     pictures of metrics given the ARI
    confmat.studies                  the tables and figures of five papers, computed again
    confmat.studies.papers           the list of them

Inside, for who reads the code: statistics (named ones and one's own) with evaluation and tablewise (their values over
a class; jitted: functions compiled by Numba), describe and tabular (a law in words and in files), grouping (equal
rows), claims (the statements that literature lists), membership_grids, strategy_draws,
strategy_arguments, testing_claims, labels, matching, validation.
"""
