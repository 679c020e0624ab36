"""What ``sample`` says on standard error about its draws: how they were made, how good they are."""

from __future__ import annotations

import numpy as np

import confmat as cm
from confmat.answers.sheets import whole
from confmat.cli.output import say


def scalars(tables: np.ndarray) -> np.ndarray:
    """Two numbers a draw for the diagnostics of chains: pairs within cells, and the first cell."""
    cells = tables.reshape(len(tables), -1).astype(float)
    return np.column_stack(
        (
            (cells * (cells - 1)).sum(axis=1) / 2,
            cells[:, 0],
        )
    )


def say_how(draws: cm.sampling.Stream, watched: list[np.ndarray]) -> None:
    """The method; the diagnostics of a chain from ``scalars`` of its chunks; what rejection tells."""
    chosen = draws.method
    say(f"drawn by {chosen.name} ({chosen.why})")
    if not chosen.exact:
        say("draws are approximate: only nearly uniform, and dependent")
        say(_diagnosis(watched, chosen.block))
    if chosen.proposals is not None and draws.accepted > 1:
        _say_counts(draws)


def _diagnosis(watched: list[np.ndarray], chain: int) -> str:
    if watched:
        values = np.concatenate(watched)
    else:
        values = np.empty((0, 2))
    if len(values) < 8:
        return f"too few draws for a diagnosis of the chain: {len(values)}, at least 8 are needed"
    # Tables of zeros and ones all have 0 pairs within cells.
    of_pairs = values[:, 0].min() < values[:, 0].max()
    report = cm.sampling.chain_report(values[:, 0 if of_pairs else 1], chain)
    name = "pairs within cells" if of_pairs else "the first cell"
    return f"{name}: effective size {whole(round(report.ess))} of {whole(report.draws)}, R-hat {report.r_hat:.3f}"


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
    if draws.method.name != "rejection" or isinstance(draws.matrices, cm.classes.RandomModel):
        return
    try:
        share = acceptance(draws.matrices)
        count = draws.matrices.count()
    except ValueError:  # margins that cannot be counted
        return
    say(f"exactly: rejection rate {float(1 - share):.4g}, {whole(count)} matrices")
