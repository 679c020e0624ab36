"""Answers of an earlier commit, stored, and compared with what the package answers now: ``python -m tests.kept``."""
