"""Exhaustive combinatorics over confusion matrices: exact laws, extremes and proofs for indices."""
