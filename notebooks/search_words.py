"""Words that readers search for, and the page of the site that each means."""

from __future__ import annotations

from confmat.statistics import STATISTICS
from pages_of_indices import words_for

PAGES = {
    "notebooks/01_quick_tour": ["quick tour", "getting started", "tutorial", "example"],
    "notebooks/index": ["install", "installation", "confmat"],
    "notebooks/pages/labels_in_a_file": [
        "csv",
        "csv file",
        "labels",
        "two labelings",
        "excel",
        "read a file",
        "missing labels nan",
        "missing labels",
        "missing values",
        "dataframe",
        "pandas",
    ],
    "notebooks/pages/glossary": ["glossary", "words and symbols", "notation", "terms"],
    "notebooks/pages/p_values": ["p-value", "p-values", "p value", "p values", "significance", "chance"],
    "notebooks/pages/exact_tests": ["fisher's exact test", "exact test", "fisher exact test", "r x c table"],
    "notebooks/pages/soft_agreement": ["fuzzy", "fuzzy clustering", "soft clustering", "membership matrix"],
    "indices/gss": ["g-mean", "geometric mean", "geometric mean score"],
    "notebooks/gallery": [
        *("plot", "plots", "picture", "pictures", "gallery", "figure", "heat map", "matplotlib", "savefig"),
        *("figure size", "plot figure size", "figures for print", "latex table", "latex"),
    ],
    "notebooks/pages/contracts": [
        "contract",
        "test a metric",
        "metric of your own",
        "property-based testing",
    ],
    "notebooks/pages/contract_in_ci": ["ci", "github actions", "continuous integration", "pytest"],
    "notebooks/pages/conformance": ["scikit-learn", "sklearn", "other packages", "mclust", "conformance"],
    "notebooks/pages/what_to_expect": ["0/0", "undefined", "rounding", "exact", "precision of results"],
    "notebooks/pages/benchmarks": ["benchmark", "benchmarks", "faster"],
    "notebooks/pages/cost": ["cost", "how long", "time", "speed", "plan", "memory"],
    "notebooks/pages/many_machines": [
        "dask",
        "cluster of machines",
        "parallel",
        "many machines",
        "checkpoint",
        "resume checkpoint",
        "resume",
        "interrupted run",
        "long run",
    ],
    "notebooks/pages/archive": ["archive", "sql", "parquet", "parquet sql", "database"],
    "notebooks/pages/citing": ["cite", "how to cite", "citation", "doi", "bibtex"],
    "notebooks/pages/reports": [
        "bug report",
        "reports for other projects",
        "bugs in other packages",
        "fisher.test",
    ],
    "notebooks/pages/releasing": ["release", "releasing", "pypi"],
    "reference/confmat.classes": [
        "fixed margins",
        "contingency table fixed margins",
        "row sums",
        "count tables",
    ],
    "reference/confmat.sampling": ["random tables", "sample", "random contingency table"],
    "reference/confmat.testing": ["hypothesis", "hypothesis strategies", "strategies"],
    "notebooks/pages/sequences": ["oeis", "sequence", "sequences", "number of tables", "generating function"],
    "notebooks/pages/negative_ari": ["negative ari", "lowest ari", "misplaced objects"],
    "notebooks/pages/largest_ard": ["largest ard", "hooks", "hook"],
    "notebooks/pages/contributing": ["contributing", "add an index", "new index", "development"],
    "worst_cases/index": ["worst case", "worst cases", "maximum", "minimum", "extreme", "extremes"],
    "proofs/README": ["theorem", "theorems", "proof", "proofs", "conjectures of the literature"],
    "proofs/rocq/README": ["rocq", "coq", "formal proof", "machine-checked"],
    "papers": ["papers", "reproduce a paper", "chacon 2019", "replication"],
    "indices/index": ["indices", "index", "metrics", "list of indices", "statistics"],
    "notebooks/05_own_conjecture": ["conjecture", "counterexample", "own conjecture"],
    "notebooks/08_classifiers": ["classifier", "classifiers", "confusion matrix"],
    "notebooks/06_how_surprising": ["null model", "random model", "which chance"],
    "notebooks/11_is_it_possible": ["printed score", "reported scores", "impossible scores"],
    "notebooks/12_propose_a_conjecture": ["propose", "linear bound", "linprog"],
    "reference/commands": ["command line", "commands", "cli", "options"],
}


def words_of_pages() -> dict[str, list[str]]:
    """Return the words of each page. Those of an index are its names.

    >>> "adjusted rand index" in words_of_pages()["indices/ari"]
    True
    """
    of_indices = {f"indices/{name}": words_for(statistic) for name, statistic in STATISTICS.items()}
    return {page: [*PAGES.get(page, ()), *of_indices.get(page, ())] for page in PAGES | of_indices}


def pages_found(query: str) -> list[str]:
    """Return the pages whose words match a query best, scored as the search of Sphinx scores entries of the index.

    >>> pages_found("Adjusted Rand")
    ['indices/ari']
    """
    typed = query.lower().strip()
    scores: dict[str, int] = {}
    for page, words in words_of_pages().items():
        for word in words:
            if typed in word and 2 * len(typed) >= len(word):
                scores[page] = max(scores.get(page, 0), round(100 * len(typed) / len(word)))
    return sorted(page for page, score in scores.items() if score == max(scores.values()))
