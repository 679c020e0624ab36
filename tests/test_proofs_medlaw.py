"""The proof of the generating function notices wrong coefficients, degrees and formulas."""

from __future__ import annotations

import dataclasses

import pytest

from confmat.distributions.med_distribution import generating_function
from proofs import med_generating_function as proof


def test_triangulation_of_a_square_of_cells():
    # On each facet "this diagonal is 1" lie two cells and four pairs.  The polytope, two triangles multiplied,
    # has volume 1/4: six simplices of volume 1/4!.
    member, _, sizes = proof.faces_without_zero(2, 2)
    assert sizes == [1] * 4 + [2] * 4
    assert member.sum(axis=1).max() == 6
    assert proof.require_triangulation(2, 2) == 6


def test_wrong_numerator_is_noticed(monkeypatch):
    right = generating_function(2, 3)
    numerator = right.numerator.copy()
    numerator[2, 3] += 1
    wrong = dataclasses.replace(right, numerator=numerator)
    monkeypatch.setattr(proof, "generating_function", lambda r, s: wrong)
    with pytest.raises(AssertionError, match="triangulation"):
        proof.require_triangulation(2, 3)
    with pytest.raises(AssertionError, match="coefficients"):
        proof.require_fraction(2, 3, 4)


def test_wrong_degree_bound_is_noticed(monkeypatch):
    monkeypatch.setattr(proof, "ranks", lambda r, s: (1, 3))
    with pytest.raises(AssertionError, match="degree bounds"):
        proof.require_triangulation(2, 2)


def test_wrong_consequences_are_noticed(monkeypatch):
    monkeypatch.setitem(proof.QUADRATICS_3X3, 2, (63, -369, 424))
    with pytest.raises(AssertionError, match="m = 2"):
        proof.verify_consequences()
    monkeypatch.undo()
    monkeypatch.setitem(proof.NUMERATOR_3X3, 1, {1: 6, 2: 13, 3: 2})
    with pytest.raises(AssertionError, match="3 x 3 generating function"):
        proof.verify_consequences()
