"""Command ``formula``: closed forms, for every n, of counts and of the distribution of the MED."""

from typing import Annotated, Literal

import typer

from confmat._display import Told, Verbatim
from confmat.cli.output import at_least, tell

# What has a closed form.
Quantity = Literal["count", "med", "moments"]


def formula(
    quantity: Annotated[
        Quantity, typer.Argument(metavar="count|med|moments", help="What has a closed form.")
    ],
    r: Annotated[int, typer.Argument(parser=at_least("R", 1), metavar="R", help="Rows.")],
    s: Annotated[int, typer.Argument(parser=at_least("S", 1), metavar="S", help="Columns.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON: name, formula, LaTeX.")] = False,
) -> None:
    """Print closed forms in n for all R x S tables with total n and no empty row or column.

    \b
    The number of tables, a polynomial:
      confmat formula count 4 4
    The generating function of the MED of tables with any rows and columns. The
    coefficient of x^n y^k counts tables of n objects, k of them in the matching:
      confmat formula med 3 3
    The means of MED, its square and RD, rational functions of n:
      confmat formula moments 2 3
    """
    from confmat.distributions import formulas

    found = getattr(formulas, f"{quantity}_formulas")(r, s)
    import sympy as sp

    facts = [{"name": name, "formula": str(x), "tex": sp.latex(x)} for name, x in found.items()]
    lines = [Verbatim(f"{one['name']} = {one['formula']}") for one in facts]
    tell(Told(lines, facts), json=json)
