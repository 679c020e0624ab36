"""Prints random_models.json: Rand indexes under three random models by clusim (``pip install clusim==0.4``)."""

import json
from importlib.metadata import version

TABLES = [
    [[3, 1], [0, 3]],
    [[2, 1, 0], [0, 1, 2], [1, 0, 0]],
    [[5, 0], [0, 4]],
    [[1, 1, 1, 1], [1, 1, 1, 1]],
    [[4, 1, 2]],
    [[1, 1, 1]],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[6]],
    [[7, 2, 1], [3, 3, 3], [0, 6, 5], [4, 0, 8]],
    [[50, 0, 0], [0, 48, 2], [0, 1, 49]],
]
MODELS = ["perm", "num", "num1"]


def case(table):
    # Here, as the tests import every file.
    from clusim import sim
    from clusim.clustering import Clustering

    first = [i for i, row in enumerate(table) for x in row for _ in range(x)]
    second = [j for row in table for j, x in enumerate(row) for _ in range(x)]
    a, b = (Clustering().from_membership_list(labels) for labels in (first, second))

    def expected(model):
        return sim.expected_rand_index(
            len(first), model, a.n_clusters, b.n_clusters, a.clu_size_seq, b.clu_size_seq
        )

    values = {model: [expected(model), sim.adjrand_index(a, b, model)] for model in MODELS}
    return json.dumps({"table": table} | {k: [float(x) for x in pair] for k, pair in values.items()})


def main():
    lines = ",\n    ".join(map(case, TABLES))
    print(f"""{{
  "description": "[expected, adjusted] Rand index by random model; num1 gives the columns.",
  "source": "clusim {version("clusim")}, sim.expected_rand_index and sim.adjrand_index; printed by random_models.py",
  "cases": [
    {lines}
  ]
}}""")


if __name__ == "__main__":
    main()
