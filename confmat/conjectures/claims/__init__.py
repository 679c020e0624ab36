"""Tests of statements about whole classes and about matrices, of which `confmat.conjectures.literature` is made."""
