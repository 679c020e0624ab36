"""``python notebooks/build_largest_ard.py`` writes the table and the figures of ``pages/largest_ard.md``.

The values are those of the best hooks; a test compares the table.
"""

from pathlib import Path

from confmat.indices.hooks import best_hook
from proofs.max_ard_only_hooks import stored
from proofs.max_ard_populations import limit

HERE = Path(__file__).parent
PAGE, FIGURES = HERE / "pages" / "largest_ard.md", HERE / "figures"
SHAPES = [
    (2, 2),
    (2, 3),
    (2, 4),
    (3, 3),
    (3, 4),
    (3, 5),
    (4, 4),
    (4, 5),
    (5, 5),
    (6, 6),
    (7, 7),
    (8, 8),
    (10, 10),
]
START, END = "<!-- table -->\n", "<!-- end of table -->\n"


def table() -> str:
    """One line a shape: the best hook at two sizes, the limit with its hook, and where certificates begin."""
    covers = stored()
    lines = [
        "| r x s | n = 50 | n = 10^9 | limit | arm | leg | certificates from n |",
        "|---|---|---|---|---|---|---|",
    ]
    for r, s in SHAPES:
        value, arm, leg = map(float, limit(r, s))
        few, many = (float(best_hook(n, r, s).ard) for n in (50, 10**9))
        first = covers[f"{r}x{s}"][-1][0] if r > 2 else "two rows: every n"
        lines.append(
            f"| {r} x {s} | {few:.6f} | {many:.6f} | {value:.6f} | {arm:.4f} | {leg:.4f} | {first} |"
        )
    return "\n".join(lines) + "\n"


def with_table(text: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = text.partition(START)
    return before + START + table() + END + rest.partition(END)[2]


def figures() -> None:
    """A hook, and the largest ARD by n."""
    import matplotlib.pyplot as plt
    import numpy as np

    plt.rcParams["svg.hashsalt"] = "confmat"
    fig, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    hook = np.array(best_hook(60, 4, 5).matrix())
    axes[0].imshow(np.sqrt(hook), cmap="Blues")
    for (i, j), x in np.ndenumerate(hook):
        axes[0].text(j, i, x or "", ha="center", va="center", color="white" if x > 15 else "black")
    axes[0].set(title="the best hook, 4 x 5, n = 60", xticks=[], yticks=[])
    for r, s in [(2, 2), (3, 3), (4, 4), (5, 5), (10, 10)]:
        sizes = np.unique(np.geomspace(max(14, 2 * (r + s)), 3000, 60).astype(int)).tolist()
        (line,) = axes[1].semilogx(sizes, [float(best_hook(n, r, s).ard) for n in sizes], label=f"{r} x {s}")
        axes[1].axhline(float(limit(r, s)[0]), color=line.get_color(), linestyle=":", linewidth=1)
    axes[1].set(title="largest ARD, and its limits (dotted)", xlabel="n")
    axes[1].legend()
    fig.savefig(FIGURES / "largest_ard.svg", metadata={"Date": None})


if __name__ == "__main__":
    figures()
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
