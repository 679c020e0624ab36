"""What a check of a statement of the literature answers, over small classes."""

from __future__ import annotations

from confmat.conjectures import LITERATURE, check, domain

SHAPES = [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4)]


def answer(name, shapes=SHAPES, most=9):
    conjecture = LITERATURE[name]
    return check(conjecture, domain(conjecture, shapes, range(1, most + 1)))
