"""Command ``warmup``, which compiles the kernels of all commands in advance."""

import time

import confmat as cm
from confmat.cli.output import say, spinner


def warmup() -> None:
    """Compile the kernels of all commands, once after the installation: about ten seconds.

    \b
      confmat warmup
    """
    start = time.perf_counter()
    tables = cm.Tables(40, 3, 3)  # smaller classes are enumerated without kernels
    with spinner("Compiling"):
        _ = list(cm.joint_distribution(tables, "med", "rd", "ard").groupby("med"))
        _ = cm.joint_distribution(tables, "ard", weight="labelings")["ard"].mean()
        cm.sample(tables, 10, rng=1)
        cm.maximize(cm.Tables(12, 3, 3), "ard", method="bound-and-prune")
        str(cm.compare([[40, 1, 0], [0, 30, 3], [2, 0, 50]]))
        cm.permutation_test([[3, 1], [0, 4]])
    say(f"compiled in {time.perf_counter() - start:.1f} s")
