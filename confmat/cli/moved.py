"""Commands that are elsewhere now: they say where, for one release."""

from __future__ import annotations

from typing import Annotated

import typer

from confmat.cli.output import Failure


def reproduce(
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[PAPER [ITEM]]", help="As before.")
    ] = None,
) -> None:
    """Moved: five papers are computed again by notebooks/papers/compare.py of the repository.

    \b
    In a copy of the repository:
      python notebooks/papers/compare.py
    """
    command = " ".join(["python notebooks/papers/compare.py", *(arguments or [])])
    raise Failure(
        f"the papers are no part of the package any more; in a copy of the repository run: {command}"
    )
