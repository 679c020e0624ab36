"""Exhaustive enumeration of a class of matrices, one margin class at a time."""
