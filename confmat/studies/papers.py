"""The papers whose tables and figures are computed again, by name; their modules are imported when asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any

from confmat.matrices.arguments import as_choice
from confmat.studies import PaperItem


@dataclass(frozen=True)
class Paper:
    """What a paper is, and how many tables and figures it prints: each of them is named by an item."""

    title: str
    tables: int
    figures: int


PAPERS = {
    "chacon2019": Paper("Chacon (2019), MED against ARI", tables=3, figures=8),
    "amodio2015": Paper("Amodio et al. (2015), adjusted concordance index", tables=11, figures=0),
    "flynt2019": Paper("Flynt, Dean & Nugent (2019), sARI", tables=10, figures=11),
    "santos2009": Paper("Santos & Embrechts (2009), ARI for classification", tables=5, figures=1),
    "espindola2005": Paper("Espindola & Ebecken (2005), F and G measures", tables=2, figures=5),
}
"""Name (of the module and in the command line) -> the paper."""


def items(paper: str) -> tuple[PaperItem, ...]:
    """All items of a paper.  Raises ValueError for an unknown paper.

    >>> [item.id for item in items("flynt2019")][:2]
    ['table-1', 'audit']
    """
    module = f"confmat.studies.{as_choice('paper', paper, PAPERS)}"
    found: tuple[PaperItem, ...] = import_module(module).ITEMS
    return found


def find_item(paper: str, item: str) -> PaperItem:
    """An item of a paper by one of its names.  Raises ValueError, with all names, for an unknown one.

    >>> find_item("chacon2019", "table-1").description
    'iris, three mixture components: MED, RD, ARD'
    >>> find_item("espindola2005", "figure-2").id
    'figures-1-3'
    """
    known = {name: entry for entry in items(paper) for name in entry.names}
    return known[as_choice(f"item of {paper}", item, known)]


def taken(function: Callable[..., Any], **options: Any) -> dict[str, Any]:
    """Those of the options that a function takes and that are not None.

    >>> taken(lambda seed=1: seed, seed=2, replications=5)
    {'seed': 2}
    """
    names = signature(function).parameters
    return {name: value for name, value in options.items() if value is not None and name in names}


def is_simulated(item: PaperItem) -> bool:
    """Whether the numbers of an item are random, and so take a seed.

    >>> is_simulated(find_item("chacon2019", "table-1"))
    False
    """
    return "seed" in signature(item.compute).parameters
