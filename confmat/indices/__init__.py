"""Indices of agreement between two partitions, two memberships, or a classifier and the truth."""
