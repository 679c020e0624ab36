"""Metrics of other packages as records: how each is called, and which textbook definition it has."""

import math
import subprocess
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from itertools import groupby
from typing import Any

import numpy as np
from definitions import DEFINITIONS, Definition


def as_sets(labels: list[Any]) -> list[set[int]]:
    """The clusters as sets of the numbers of their objects, in the order of their labels."""
    return [{i for i, x in enumerate(labels) if x == label} for label in sorted(set(labels))]


@dataclass(frozen=True)
class Python:
    """Packages of Python: ``setup`` is run once, a call is an expression of what ``arguments`` names."""

    package: str
    setup: str
    labels: str = "any"
    most_labels: int = 2**17
    # What a list of labels is made into before the call, in the snippets too.
    form: Callable[[list[Any]], Any] | None = None

    def version(self) -> str | None:
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None

    def function(self, call: str, names: str) -> Callable[..., Any]:
        space: dict[str, Any] = {}
        exec(self.setup, space)
        function = eval(f"lambda {names}: {call}", space)
        return function if self.form is None else lambda *case: function(*map(self.form, case))

    def snippet(self, call: str, cases: list[dict[str, Any]]) -> str:
        numpy = "table" in cases[0] and "import numpy" not in self.setup
        lines = ["import numpy", self.setup] if numpy else [self.setup]
        for case in cases:
            values = [self._literal(name, value) for name, value in case.items()]
            lines += [f"{', '.join(case)} = {', '.join(values)}", f"print({call})"]
        return "\n".join(lines) + "\n"

    def _literal(self, name: str, value: Any) -> str:
        if self.form is not None:
            return " ".join(repr(self.form(value)).split())
        return f"numpy.array({value!r})" if name == "table" else repr(value)

    def run(self, code: str) -> str:
        """What the code prints, and the last line of its traceback if it ends in one."""
        printed = StringIO()
        with redirect_stdout(printed):
            try:
                exec(code, {})
            except Exception as error:
                print(f"{type(error).__name__}: {error}")
        return printed.getvalue()

    fence = "python"


class RError(RuntimeError):
    """What R said in place of a number."""


@dataclass(frozen=True)
class R:
    """Packages of R: labels are numbered from 1, as factors are."""

    package: str
    setup: str
    labels: str = "ints"
    most_labels: int = 2**17

    _LOOP = (
        'con <- file("stdin"); open(con); while (length(line <- readLines(con, 1))) cat(tryCatch('
        "format(as.numeric(eval(parse(text = line))), digits = 17), error = function(e) "
        'paste("error", gsub("\\n", " ", conditionMessage(e)))), "\\n")'
    )

    def version(self) -> str | None:
        said = f'cat(tryCatch(as.character(packageVersion("{self.package}")), error = function(e) ""))'
        try:
            ran = subprocess.run(["Rscript", "-e", said], capture_output=True, text=True)
        except FileNotFoundError:
            return None
        return ran.stdout.strip() or None

    @cached_property
    def _process(self) -> subprocess.Popen[str]:
        setup = f"suppressMessages({{{self.setup}}}); " + self._LOOP
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(["Rscript", "-e", setup], text=True, **pipes)

    def function(self, call: str, names: str) -> Callable[..., Any]:
        def ask(*arguments: list[int]) -> float:
            values = "; ".join(
                f"{name} <- {self._vector(x)}" for name, x in zip(names.split(", "), arguments)
            )
            self._process.stdin.write(f"{{{values}; {call}}}\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline().strip()
            if answer.startswith("error"):
                raise RError(answer.removeprefix("error "))
            return math.nan if answer == "NA" else float(answer)

        return ask

    def snippet(self, call: str, cases: list[dict[str, Any]]) -> str:
        lines = [self.setup]
        for case in cases:
            lines += [f"{name} <- {self._vector(value)}" for name, value in case.items()]
            lines.append(f"print({call})")
        return "\n".join(lines) + "\n"

    def run(self, code: str) -> str:
        ran = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True)
        return ran.stdout + (ran.stderr if ran.returncode else "")

    @staticmethod
    def _vector(labels: list[int]) -> str:
        if len(labels) <= 100:
            return f"c({', '.join(f'{x + 1}L' for x in labels)})"
        # A command line, and a reader, take no list of thousands: the labels in runs of equal ones.
        runs = [(label, len(list(equal))) for label, equal in groupby(labels)]
        names = ", ".join(f"{label + 1}L" for label, _ in runs)
        lengths = ", ".join(str(length) for _, length in runs)
        return f"rep(c({names}), c({lengths}))"

    fence = "r"


@dataclass(frozen=True)
class Metric:
    """A metric: ``call`` is an expression of labels a, b, or of a table, as ``names`` says.

    ``claims`` are beside those of its definition; ``why`` says where its documentation makes them, or differs.
    """

    library: str
    call: str
    definition: str | None
    names: str = "a, b"
    claims: dict[str, Any] = field(default_factory=dict)
    why: str = ""

    @property
    def textbook(self) -> Definition:
        return DEFINITIONS[self.definition] if self.definition else Definition("", "", None, {})

    @property
    def all_claims(self) -> dict[str, Any]:
        return {**self.textbook.claims, **self.claims}

    @property
    def takes(self) -> str:
        return {"a, b": "labels", "table": "table"}[self.names]


_CLUSIM = """from clusim import clusimelement, sim
from clusim.clustering import Clustering

def clustering(labels):
    return Clustering().from_membership_list(labels)
"""

_MIR_EVAL = """import numpy
from mir_eval import segment

def spans(labels):
    return numpy.array([[i, i + 1.0] for i in range(len(labels))]), [str(label) for label in labels]
"""
_RIVER = """from river import metrics

def value(metric, a, b):
    for truth, found in zip(a, b):
        metric.update(truth, found)
    return metric.get()
"""

# Its documentation: clusters are numbered from 1 on.
_FPC = """library(fpc)
compared <- function(a, b) cluster.stats(NULL, as.integer(factor(a)), as.integer(factor(b)), compareonly = TRUE)"""


def credal(labels):
    """Crisp masses: one focal set for each cluster."""
    names = sorted(set(labels))
    return {"mass": np.array([[float(x == name) for name in names] for x in labels]), "F": np.eye(len(names))}


LIBRARIES: dict[str, Python | R] = {
    "scikit-learn": Python("scikit-learn", "from sklearn import metrics"),
    "clusim": Python("clusim", _CLUSIM),
    "permetrics": Python("permetrics", "from permetrics import ClassificationMetric, ClusteringMetric"),
    "genieclust": Python("genieclust", "import numpy\nfrom genieclust import compare_partitions", "ints"),
    "igraph": Python("igraph", "from igraph import compare_communities", "ints"),
    "pycm": Python("pycm", "from pycm import ConfusionMatrix"),
    "imbalanced-learn": Python("imbalanced-learn", "from imblearn import metrics"),
    # Each of these in an environment of its own: pip install PACKAGE==VERSION as it is recorded.
    "clusterval": Python("clusterval", "from clusterval.external import calculate_external", form=as_sets),
    "evclust": Python(
        "evclust", "from numpy import array; from evclust.metrics import credalRI", form=credal
    ),
    "mir_eval": Python("mir_eval", _MIR_EVAL, most_labels=2**8),  # it holds all pairs
    "disarray": Python("disarray", "import disarray, numpy, pandas"),
    "river": Python("river", _RIVER),
    "scikit-image": Python("scikit-image", "import numpy\nfrom skimage import metrics", "ints"),
    "nf1": Python("nf1", "from nf1 import NF1", form=as_sets),
    "krippendorff": Python("krippendorff", "import krippendorff", "ints"),
    # It asks for an older SciPy than this package: pip install --no-deps.
    "irrCAC": Python("irrCAC", "import numpy, pandas\nfrom irrCAC.table import CAC"),
    "mclust": R("mclust", "library(mclust)"),
    "clue": R("clue", "library(clue)\npartition <- as.cl_hard_partition"),
    "e1071": R("e1071", "library(e1071)"),
    "fpc": R("fpc", _FPC),
}


def _all(library: str, call: str, definitions: dict[str, str | None], **other: Any) -> list[Metric]:
    return [
        Metric(library, call.format(name), definition, **other) for name, definition in definitions.items()
    ]


_SKLEARN = {
    "rand_score": "Rand",
    "adjusted_rand_score": "adjusted Rand",
    "fowlkes_mallows_score": "Fowlkes-Mallows",
    "mutual_info_score": "mutual information",
    "adjusted_mutual_info_score": "adjusted mutual information",
    "normalized_mutual_info_score": "normalised mutual information",
    "homogeneity_score": "homogeneity",
    "completeness_score": "completeness",
    "v_measure_score": "normalised mutual information",
    "accuracy_score": "accuracy",
    "hamming_loss": "error rate",
    "zero_one_loss": "error rate",
    "cohen_kappa_score": "kappa",
    "matthews_corrcoef": "Matthews",
    "balanced_accuracy_score": "macro recall",
}
_CLUSIM_NAMES = {
    "rand_index": "Rand",
    "adjrand_index": "adjusted Rand",
    "jaccard_index": "Jaccard",
    "fowlkes_mallows_index": "Fowlkes-Mallows",
    "fmeasure": "Dice",
    "rogers_tanimoto_index": "Rogers-Tanimoto",
    "southwood_index": "Southwood",
    "mi": "mutual information in bits",
    "nmi": "normalised mutual information",
    "adj_mi": "adjusted mutual information",
    "vi": "variation of information in bits",
    "omega_index": "adjusted Rand",
}
_PERMETRICS = {
    "rand_score": "Rand",
    "adjusted_rand_score": "adjusted Rand",
    "fowlkes_mallows_score": "Fowlkes-Mallows",
    "mutual_info_score": "mutual information",
    "normalized_mutual_info_score": "normalised mutual information",
    "homogeneity_score": "homogeneity",
    "completeness_score": "completeness",
    "v_measure_score": "normalised mutual information",
    "precision_score": "precision of pairs",
    "recall_score": "recall of pairs",
    "f_measure_score": "Dice",
    "czekanowski_dice_score": "Dice",
    "jaccard_score": "Jaccard",
    "kulczynski_score": "Kulczynski",
    "hubert_gamma_score": "correlation of pairs",
    "phi_score": "correlation of pairs",
    "rogers_tanimoto_score": "Rogers-Tanimoto",
    "russel_rao_score": "Russell-Rao",
    "sokal_sneath1_score": "Sokal-Sneath 1",
    "sokal_sneath2_score": "Sokal-Sneath 2",
    "purity_score": "purity",
    "entropy_score": "conditional entropy in bits",
    "gamma_score": "Hubert's gamma",
    "gplus_score": "discordance",
}
_PERMETRICS_CLASSES = {
    "precision_score": "macro precision",
    "recall_score": "macro recall",
    "specificity_score": "macro specificity",
    "negative_predictive_value": "macro negative predictive value",
    "f1_score": "macro F",
    "jaccard_similarity_index": "macro Jaccard",
}
_GENIECLUST = {
    "rand_score": "Rand",
    "adjusted_rand_score": "adjusted Rand",
    "fm_score": "Fowlkes-Mallows",
    "adjusted_fm_score": "adjusted Fowlkes-Mallows",
    "mi_score": "mutual information",
    "normalized_mi_score": "normalised mutual information",
    "adjusted_mi_score": "adjusted mutual information",
}
_GENIECLUST_SQUARE = {
    "normalized_clustering_accuracy": "normalised clustering accuracy",
    "normalized_pivoted_accuracy": "pivoted accuracy",
}
_FILLED = "defined for square tables; of others missing lines are 0 here, as in its pair sets index"
_IGRAPH = {
    "rand": "Rand",
    "adjusted_rand": "adjusted Rand",
    "nmi": "normalised mutual information",
    "vi": "variation of information",
    "split-join": "split-join",
}
_PYCM = {
    "Overall ACC": "accuracy",
    "Kappa": "kappa",
    "Overall MCC": "Matthews",
    "TPR Macro": "macro recall",
    "PPV Macro": "macro precision",
    "TNR Macro": "macro specificity",
    "NPV Macro": "macro negative predictive value",
    "F1 Macro": "macro F",
    "Hamming Loss": "error rate",
    "Mutual Information": "mutual information in bits",
    "ARI": "adjusted Rand",
}
_CLUE = {"Rand": "Rand", "cRand": "adjusted Rand", "FM": "Fowlkes-Mallows", "Jaccard": "Jaccard"}

_E1071 = {"rand": "Rand", "crand": "adjusted Rand"}
_CLUSTERVAL = {"AR": "adjusted Rand", "J": "Jaccard", "FM": "Fowlkes-Mallows"}
_RIVER_NAMES = {
    "Rand": "Rand",
    "AdjustedRand": "adjusted Rand",
    "FowlkesMallows": "Fowlkes-Mallows",
    "VBeta": "normalised mutual information",
    "CohenKappa": "kappa",
}
_MIR_EVAL_NAMES = {
    "segment.mutual_information(*spans(a), *spans(b), frame_size=1)[1]": "adjusted mutual information",
    "segment.mutual_information(*spans(a), *spans(b), frame_size=1)[2]": "NMI by the geometric mean",
}

METRICS: list[Metric] = [
    *_all("scikit-learn", "metrics.{}(a, b)", _SKLEARN),
    *[
        Metric(
            "scikit-learn",
            f"metrics.normalized_mutual_info_score(a, b, average_method={average!r})",
            f"NMI by the {word}",
        )
        for average, word in {
            "geometric": "geometric mean",
            "max": "larger entropy",
            "min": "smaller entropy",
        }.items()
    ],
    *_all(
        "scikit-learn",
        "metrics.{}(a, b, average='macro')",
        {
            "precision_score": "macro precision",
            "recall_score": "macro recall",
            "f1_score": "macro F",
            "jaccard_score": "macro Jaccard",
        },
    ),
    Metric(
        "scikit-learn",
        "metrics.mutual_info_score(None, None, contingency=table)",
        "mutual information",
        "table",
    ),
    *_all("clusim", "sim.{}(clustering(a), clustering(b))", _CLUSIM_NAMES),
    Metric(
        "clusim",
        "sim.pearson_correlation(clustering(a), clustering(b))",
        "correlation of pairs",
        why="its documentation gives the formula without the root, and so does its code",
    ),
    *[
        Metric(
            "clusim",
            f"sim.nmi(clustering(a), clustering(b), norm_type={average!r})",
            f"NMI by the {word}",
        )
        for average, word in {
            "sqrt": "geometric mean",
            "max": "larger entropy",
            "min": "smaller entropy",
        }.items()
    ],
    Metric(
        "clusim",
        "sim.purity_index(clustering(a), clustering(b))",
        None,
        claims={"bounds": (0, 1)},
        why="it takes maxima along the clustering with more clusters, so that the order should not matter",
    ),
    Metric(
        "clusim",
        "sim.classification_error(clustering(a), clustering(b))",
        None,
        claims={"bounds": (0, 1)},
        why="1 - purity_index",
    ),
    Metric("clusim", "sim.geometric_accuracy(clustering(a), clustering(b))", None, claims={"bounds": (0, 1)}),
    Metric(
        "clusim", "sim.onmi(clustering(a), clustering(b))", None, claims={"bounds": (0, 1), "identity": 1}
    ),
    Metric(
        "clusim",
        "sim.rmi(clustering(a), clustering(b), norm_type='normalized')",
        None,
        claims={"bounds": (None, 1)},
    ),
    Metric(
        "clusim",
        "clusimelement.element_sim(clustering(a), clustering(b))",
        None,
        claims={"bounds": (0, 1), "identity": 1},
    ),
    *_all("permetrics", "ClusteringMetric().{}(a, b)", _PERMETRICS),
    *_all("permetrics", "ClassificationMetric().{}(a, b, average='macro')", _PERMETRICS_CLASSES),
    Metric("permetrics", "ClassificationMetric().accuracy_score(a, b)", "accuracy"),
    *_all("genieclust", "compare_partitions.{}(a, b)", _GENIECLUST),
    *_all("genieclust", "compare_partitions.{}(a, b)", _GENIECLUST_SQUARE, why=_FILLED),
    Metric(
        "genieclust",
        "compare_partitions.pair_sets_index(a, b)",
        None,
        claims={"bounds": (0, 1), "identity": 1},
    ),
    *_all("genieclust", "compare_partitions.{}(table)", _GENIECLUST, names="table"),
    *_all("genieclust", "compare_partitions.{}(table)", _GENIECLUST_SQUARE, names="table", why=_FILLED),
    Metric(
        "genieclust",
        "compare_partitions.rand_score(numpy.asfortranarray(table))",
        "Rand",
        "table",
        why="pandas holds tables by columns: DataFrame.to_numpy(), and so crosstab",
    ),
    *_all("igraph", "compare_communities(a, b, method='{}')", _IGRAPH),
    *_all("pycm", "ConfusionMatrix(a, b).overall_stat['{}']", _PYCM),
    *_all(
        "imbalanced-learn",
        "metrics.{}(a, b, average='macro')",
        {"sensitivity_score": "macro recall", "specificity_score": "macro specificity"},
    ),
    Metric("imbalanced-learn", "metrics.geometric_mean_score(a, b)", "G-mean"),
    *_all("clusterval", "calculate_external(a, b, ['{0}'])['{0}']", _CLUSTERVAL),
    Metric("evclust", "credalRI(a, b)", "Rand", why="of crisp partitions it is stated to be this"),
    *_all("mir_eval", "{}", _MIR_EVAL_NAMES),
    Metric(
        "disarray",
        "pandas.DataFrame(table).da.micro_f1",
        "accuracy",
        "table",
        why="of one label an object the micro F is the accuracy",
    ),
    *_all("river", "value(metrics.{}(), a, b)", _RIVER_NAMES),
    Metric(
        "scikit-image",
        "metrics.adapted_rand_error(numpy.array(a), numpy.array(b))[0]",
        None,
        claims={"bounds": (0, 1), "identity": 0},
        why="ignore_labels is (0,) by default",
    ),
    Metric(
        "scikit-image",
        "metrics.variation_of_information(numpy.array(a), numpy.array(b)).sum()",
        "variation of information in bits",
    ),
    Metric(
        "nf1",
        "NF1(a, b).get_f1()[0]",
        None,
        claims={"bounds": (0, 1), "identity": 1, "symmetric": False},
    ),
    Metric(
        "krippendorff",
        "krippendorff.alpha(reliability_data=[a, b], level_of_measurement='nominal')",
        "Krippendorff's alpha",
    ),
    *_all(
        "irrCAC",
        "CAC(pandas.DataFrame(table), digits=12).{}()['est']['coefficient_value']",
        {
            "pa2": "accuracy",
            "cohen": "kappa",
            "scott": "Scott's pi",
            "krippendorff": "Krippendorff's alpha",
            "gwet": None,
            "bp": None,
        },
        names="table",
        claims={"classifier": True, "bounds": (None, 1), "identity": 1, "symmetric": True},
    ),
    Metric("mclust", "adjustedRandIndex(a, b)", "adjusted Rand"),
    Metric("mclust", "classError(a, b)$errorRate", "larger projection distance"),
    *_all("clue", 'cl_agreement(partition(a), partition(b), method = "{}")', _CLUE),
    Metric("clue", 'cl_agreement(partition(a), partition(b), method = "NMI")', "NMI by the geometric mean"),
    Metric("clue", 'cl_dissimilarity(partition(a), partition(b), method = "VI")', "variation of information"),
    *_all("e1071", "classAgreement(table(a, b))${}", _E1071),
    *_all(
        "e1071", "classAgreement(table(a, b), match.names = TRUE)${}", {"diag": "accuracy", "kappa": "kappa"}
    ),
    *_all("fpc", "compared(a, b)${}", {"corrected.rand": "adjusted Rand", "vi": "variation of information"}),
]
