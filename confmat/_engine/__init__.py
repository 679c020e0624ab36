"""Exhaustive enumeration of a class of matrices: for each pair of row sums and column sums, up to their order."""
