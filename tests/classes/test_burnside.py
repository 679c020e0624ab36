"""Numbers of orbits by Burnside's lemma, against their lists and against the checker's own count."""

from __future__ import annotations

from dataclasses import replace

import pytest
from forgeries import CHECKER

from confmat.classes import FixedRows, Tables
from confmat.conjectures import Conjecture, check

(ENTRY,) = check(Conjecture("", "n = n"), [Tables(4, 2, 2)]).entries


def orbits_count(matrices):
    """What a certificate says of a class that it covers."""
    return replace(ENTRY, matrices=matrices).orbits


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2), (3, 3), (4, 4)])
@pytest.mark.parametrize("allow_empty", [False, True])
def test_orbits_are_counted(shape, allow_empty):
    for n in range(5 if shape == (4, 4) else 7):
        matrices = Tables(n, *shape, allow_empty)
        assert orbits_count(matrices) == len(list(matrices.orbits())), matrices


def test_large_classes_have_the_number_that_the_checker_finds():
    for n, r, s, allow_empty in ((60, 4, 4, False), (14, 5, 5, False), (30, 2, 6, True)):
        assert orbits_count(Tables(n, r, s, allow_empty)) == CHECKER.orbits_of_tables(
            n, r, s, r == s, allow_empty
        )


def test_other_classes_have_no_number():
    assert orbits_count(FixedRows((2, 1), 2)) is None
    assert orbits_count(Tables(40, 2, 13)) is None
