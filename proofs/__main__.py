"""``python -m proofs``: run every proof and print the table; exit status 1 if a step fails."""

from __future__ import annotations

import sys
import time

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from proofs import modules


def main() -> int:
    """Run the proofs named on the command line, or all of them."""
    wanted = set(sys.argv[1:])
    names = [module.__name__.removeprefix("proofs.") for module in modules()]
    if unknown := wanted - set(names):
        print(
            f"no proof is called {', '.join(sorted(unknown))}; there are {', '.join(names)}", file=sys.stderr
        )
        return 2
    table = Table("proof", "statement", "checked", "seconds", show_lines=True)
    failed = 0
    for name, module in zip(names, modules()):
        if wanted and name not in wanted:
            continue
        started = time.perf_counter()
        try:
            outcome = str(module.verify() or "every step")
        except AssertionError as error:
            failed += 1
            outcome = f"FAILED: {error}"
        table.add_row(name, escape(module.STATEMENT), escape(outcome), f"{time.perf_counter() - started:.1f}")
    Console().print(table)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
