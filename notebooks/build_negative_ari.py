"""``python notebooks/build_negative_ari.py`` writes the table and the figure of ``pages/negative_ari.md``.

A test compares the table.
"""

from fractions import Fraction
from math import floor
from pathlib import Path

from confmat.indices.extremes import LargestArd, ard_bound, max_ard_given_med

HERE = Path(__file__).parent
PAGE, FIGURE = HERE / "pages" / "negative_ari.md", HERE / "figures" / "negative_ari.svg"
SIZES = (20, 50, 200)
PERCENT = (1, 2, 4, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90)
START, END = "<!-- table -->\n", "<!-- end of table -->\n"


def at(n: int, percent: int) -> LargestArd | None:
    """The largest ARD of n objects at this MED in percent, if n MED is an integer and 2 or more."""
    m = Fraction(percent * n, 100)
    if m.denominator > 1 or m < 2 or m > n - 2:
        return None
    return max_ard_given_med(n, int(m))


def lowest(known: LargestArd | None) -> str:
    """The lowest ARI, rounded downwards; with a star where only an attained value is known."""
    if known is None:
        return ""
    text = rounded_down(1 - known.attained)
    return text if known.exact else f"{text}\\*"


def rounded_down(x: Fraction) -> str:
    """Four decimal places, at most x.

    >>> rounded_down(Fraction(-1, 3))
    '-0.3334'
    """
    return f"{floor(x * 10**4) / 10**4:.4f}"


def table() -> str:
    """One line for each MED: the limit, and the exact values of three sizes."""
    lines = ["| MED | limit | " + " | ".join(f"n = {n}" for n in SIZES) + " |", "|---|---|---|---|---|"]
    for percent in PERCENT:
        limit = rounded_down(1 - ard_bound(Fraction(percent, 100)))
        cells = (lowest(at(n, percent)) for n in SIZES)
        lines.append(f"| {percent} % | {limit} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def with_table(text: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = text.partition(START)
    return before + START + table() + END + rest.partition(END)[2]


def figure() -> None:
    """The largest ARD against the MED: the supremum of populations and three sizes, with two tables."""
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "confmat"
    fig, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
    meds = [Fraction(i, 500) for i in range(1, 500)]
    ax.plot(list(map(float, meds)), [float(ard_bound(x)) for x in meds], color="black", label="populations")
    for n, color in zip(SIZES, ("tab:orange", "tab:blue", "tab:green")):
        known = {m: max_ard_given_med(n, m) for m in range(2, n - 1, max(1, n // 50))}
        for exact in (True, False):
            points = [(m / n, float(x.attained)) for m, x in known.items() if x.exact == exact]
            style = {"color": color, "markersize": 4, "fillstyle": "full" if exact else "none"}
            ax.plot(*zip(*points), "o", label=f"n = {n}" if exact else None, **style)
    for m, at_text in ((4, (0.3, 1.06)), (10, (0.6, 1.16))):
        arm = m - m // 2
        text = f"corner {20 - m}, {arm} ones beside and {m // 2} below"
        ax.annotate(
            text, (m / 20, float(max_ard_given_med(20, m).attained)), at_text, arrowprops={"arrowstyle": "-"}
        )
    ax.set(xlabel="MED", ylabel="largest ARD = 1 - lowest ARI")
    ax.set_title("Filled: proved. Hollow: attained, the largest if conjecture ard-given-med-hooks is true")
    ax.title.set_fontsize(10)
    ax.legend()
    fig.savefig(FIGURE, metadata={"Date": None})


if __name__ == "__main__":
    figure()
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
