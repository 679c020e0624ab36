"""Exhaustive enumeration of a class of matrices, by one row margin and one column margin after another.

Margins that differ only by the order of sums are enumerated once.
"""
