"""Helpers for integers: compositions, partitions, and arrays of integers that may exceed 2^64.

>>> from confmat._integers.compositions import bounded_compositions
>>> list(bounded_compositions(2, (1, 2)))
[(0, 2), (1, 1)]
"""
