"""Tests of statements about classes and matrices, used by `confmat.conjectures.literature`."""
