"""Report of ``sample`` on standard error: the method of the draws, and its rejection rate."""

from __future__ import annotations

import confmat as cm
from confmat._display.sheets import whole
from confmat.cli.output import say


def say_how(draws: cm.sampling.Stream) -> None:
    """Print the method of some draws, and the results of rejection."""
    method_chosen = draws.method
    say(f"drawn by {method_chosen.name} ({method_chosen.why})")
    if method_chosen.proposals is not None and draws.accepted > 1:
        _say_counts(draws)


def _say_counts(draws: cm.sampling.Stream) -> None:
    """Print the rejection rate and the estimated number of matrices. For rejection the exact numbers follow."""
    from confmat.sampling.methods import acceptance

    rate = f"rejection rate {float(draws.rejection_rate):.4g}"
    try:
        value, error = draws.estimated_count()
    except OverflowError:  # the number of matrices exceeds the range of float
        estimate = ""
    else:
        estimate = f": about {value:.5g} matrices (standard error {error:.1g})"
    say(rate + estimate)
    # The number of matrices with a given MED is unknown.
    if draws.method.name != "rejection":
        return
    try:
        share = acceptance(draws.matrices)
        count = draws.matrices.count()
    except ValueError:  # margins that cannot be counted
        return
    say(f"exactly: rejection rate {float(1 - share):.4g}, {whole(count)} matrices")
