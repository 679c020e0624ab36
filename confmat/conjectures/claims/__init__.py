"""Predicates of the statements of the literature."""
