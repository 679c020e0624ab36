"""``python notebooks/build_glossary.py`` draws the figure of ``pages/glossary.md``: a table with m, A, B and P."""

from pathlib import Path

import matplotlib.pyplot as plt

import confmat as cm
from confmat.indices.pairs import PairSums, pairs_within

FIGURE = Path(__file__).parent / "figures" / "glossary.svg"
TABLE = [[4, 1, 0], [1, 3, 0], [0, 1, 2]]


def pairs_of(objects: int) -> str:
    """Return the number of pairs of some objects in words."""
    pairs = pairs_within([objects])
    return f"{pairs} pair{'' if pairs == 1 else 's'}"


def main() -> None:
    """Draw the cells of the table, its margins, the best matching, and the pairs of each."""
    sums = PairSums.of(TABLE)
    rows = [sum(row) for row in TABLE]
    columns = [sum(column) for column in zip(*TABLE)]
    matched = set(cm.contingency.best_matching(TABLE).pairs)
    figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for i, row in enumerate(TABLE):
        for j, count in enumerate(row):
            colour = "#9ecae1" if (i, j) in matched else "white"
            ax.add_patch(plt.Rectangle((j, i), 1, 1, facecolor=colour, edgecolor="black"))
            ax.text(j + 0.5, i + 0.4, str(count), ha="center", va="center", fontsize=16)
            ax.text(j + 0.5, i + 0.78, pairs_of(count), ha="center", fontsize=8)
        ax.text(3.1, i + 0.5, f"row sum {rows[i]}, {pairs_of(rows[i])}", va="center")
    for j, total in enumerate(columns):
        ax.text(j + 0.5, 3.3, f"sum {total}", ha="center")
        ax.text(j + 0.5, 3.55, pairs_of(total), ha="center")
    ax.text(4.1, 3.4, f"A = {sums.A}\nB = {sums.B}\nP = {sums.P}", va="center", fontsize=12)
    ax.set(xlim=(-0.1, 5.3), ylim=(3.8, -0.6))
    m = sums.n - sum(TABLE[i][j] for i, j in matched)
    ax.text(0, -0.25, f"n = {sums.n} objects; blue: best matching, {sums.n - m} objects; m = n MED = {m}")
    ax.axis("off")
    figure.savefig(FIGURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
