"""``python -m proofs``: run every proof and print the statements that it proves. The exit status is 1 if a step fails.

``python -m proofs NAME ...`` runs the proofs with these names. ``python -m proofs --write [--all]`` writes the
evidence of every statement and the tables, see ``proofs._registry``.
"""

from __future__ import annotations

import sys
import time

from rich.console import Console
from rich.padding import Padding

from proofs import _registry, modules


def main() -> int:
    """Run the proofs named on the command line, or all of them."""
    wanted = set(sys.argv[1:])
    if "--write" in wanted:
        _registry.write(everything="--all" in wanted)
        return 0
    names = [module.__name__.removeprefix("proofs.") for module in modules()]
    if unknown := wanted - set(names):
        print(
            f"no proof is called {', '.join(sorted(unknown))}; there are {', '.join(names)}", file=sys.stderr
        )
        return 2
    console = Console(highlight=False, markup=False, emoji=False)
    known = _registry.statements()
    faults = _registry.faults(known)
    for fault in faults:
        console.print(f"FAILED: {fault}")
    failed = len(faults)
    for name, module in zip(names, modules()):
        if wanted and name not in wanted:
            continue
        started = time.perf_counter()
        try:
            outcome = str(module.verify() or "every step")
        except AssertionError as error:
            failed += 1
            outcome = f"FAILED: {error}"
        console.print(f"{name} ({time.perf_counter() - started:.1f} s)", style="bold")
        proved = [f"{x.name}: {x.statement} ({x.status})" for x in known.values() if name in x.proof]
        for text in (*proved, f"Checked: {outcome}"):
            console.print(Padding(text, (0, 0, 0, 4)))
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
