"""Extremes as certificates, which show a search to one who does not trust it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from confmat.certificates.seals import check_known, sealed
from confmat.errors import Unsupported
from confmat.search.pruning import LARGEST_N, number_of_margin_classes, open_potentials
from confmat.statistics.clusterings import ARD
from confmat.statistics.table import STATISTICS

if TYPE_CHECKING:
    from confmat.search.result import Result


def extreme_certificate(result: Result) -> str:
    """The certificate of a proved and complete extreme: see ``Result.certificate``."""
    spec, value = result.matrices.to_json(), result.value
    names = {result.statistic, *(result.given.names if result.given is not None else ())}
    if not (result.proved and result.complete):
        raise Unsupported(
            f'a certificate needs every matrix that attains the value, which "{result.method}" does not list'
        )
    check_known(spec, names)
    proof: dict[str, Any] = {"members": result.matrices.count()}
    if result.method == "bound-and-prune":
        if result.matrices.n > LARGEST_N:
            raise Unsupported(f"a certificate by bounds is for n <= {LARGEST_N}, got {result.matrices.n}")
        adjusted = STATISTICS[result.statistic].base == ARD
        found = open_potentials(result.matrices, adjusted, result.maximizers[0])
        proof = {
            "margin_classes": number_of_margin_classes(result.matrices),
            "potentials": found.tolist(),
        }
    return sealed(
        "extreme",
        {
            "class": spec,
            "statistic": result.statistic,
            "largest": result.largest,
            "given": None if result.given is None else str(result.given),
            "value": None if value is None else str(Fraction(value)),
            "matrices": [table.tolist() for table in result.maximizers],
            "proof": proof,
        },
    )
