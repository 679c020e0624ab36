"""What ``sample`` reports on standard error about its draws: how they were made, how many were rejected."""

from __future__ import annotations

import confmat as cm
from confmat._display.sheets import whole
from confmat.cli.output import say


def say_how(draws: cm.sampling.Stream) -> None:
    """Print the method, and what rejection tells."""
    method_chosen = draws.method
    say(f"drawn by {method_chosen.name} ({method_chosen.why})")
    if method_chosen.proposals is not None and draws.accepted > 1:
        _say_counts(draws)


def _say_counts(draws: cm.sampling.Stream) -> None:
    from confmat.sampling.methods import acceptance

    rate = f"rejection rate {float(draws.rejection_rate):.4g}"
    try:
        value, error = draws.estimated_count()
    except OverflowError:  # more matrices than a double can count
        estimate = ""
    else:
        estimate = f": about {value:.5g} matrices (standard error {error:.1g})"
    say(rate + estimate)
    # Given a MED it is not known how many have it.
    if draws.method.name != "rejection":
        return
    try:
        share = acceptance(draws.matrices)
        count = draws.matrices.count()
    except ValueError:  # margins that cannot be counted
        return
    say(f"exactly: rejection rate {float(1 - share):.4g}, {whole(count)} matrices")
