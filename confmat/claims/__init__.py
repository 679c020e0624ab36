"""Tests of statements about whole classes and about matrices, of which `confmat.literature` is made."""
