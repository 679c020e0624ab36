"""What is recorded of other packages: the textbook is right, the pages are the record's, known bugs are found."""

import json

import pytest
from conformance_pages import RESULTS, ci_options, metric_of_ci, pages
from definitions import DEFINITIONS, INDICES
from ecosystem import LIBRARIES, METRICS
from small_tables import classifier_orbits, orbits

from confmat.statistics import STATISTICS
from confmat.testing import check_metric

RECORD = json.loads(RESULTS.read_text())
ANSWERS = {(x["library"], x["call"]): x for x in RECORD["metrics"]}


@pytest.mark.parametrize("name", INDICES)
def test_the_textbook_agrees_with_the_package(name):
    """Two ways to write each definition, on one table of each orbit of up to 5 objects where both have a value."""
    definition, statistic = DEFINITIONS[name], STATISTICS[INDICES[name]]
    if definition.claims.get("classifier"):
        tables = [x for n in range(1, 5) for k in (1, 2, 3) for x in classifier_orbits(n, k)]
    else:
        tables = [x for n in range(1, 6) for x in orbits(n)]
    compared = 0
    for table in tables:
        try:
            value = definition.value(table)
        except ZeroDivisionError:
            continue
        assert float(statistic(table)) == pytest.approx(float(value), abs=1e-12), table
        compared += 1
    assert compared > len(tables) / 3


@pytest.mark.slow
@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_definition_keeps_its_claims(name):
    definition = DEFINITIONS[name]
    found = check_metric(
        definition.value,
        takes="table",
        undefined=ZeroDivisionError,
        n=5,
        every=3,
        examples=20,
        max_n=40,
        **definition.claims,
    )
    assert found, str(found)


def test_the_pages_are_those_of_the_record():
    for page, text in pages(RECORD).items():
        assert page.read_text() == text


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_line_for_the_ci_of_a_package_is_a_contract(library):
    """Whatever is wrong with the metric breaks it: 7 is not the definition, and out of bounds."""
    wrong = check_metric(
        lambda *case: 7.0, n=2, every=2, examples=1, max_n=10, **ci_options(metric_of_ci(library))
    )
    assert {"reference", "bounds", "identity"} & set(wrong.broken)


def test_the_lines_for_their_ci_were_run():
    """Of packages of Python; where the definition has no value the metric may have any, so that most are kept."""
    said = {name: about["ci"] for name, about in RECORD["libraries"].items() if "ci" in about}
    assert {name for name, library in LIBRARIES.items() if library.fence == "python"} <= set(said)
    kept = {name for name, what in said.items() if not what}
    assert {"scikit-learn", "clusim", "igraph", "river", "krippendorff", "irrCAC"} <= kept
    assert "clusterval" not in kept


@pytest.mark.slow
def test_the_line_for_scikit_learn_is_kept():
    conform = pytest.importorskip("conform")
    assert conform.in_ci("scikit-learn") == RECORD["libraries"]["scikit-learn"]["ci"] == ""


def test_every_metric_is_recorded_with_its_version():
    assert set(ANSWERS) == {(x.library, x.call) for x in METRICS}
    assert set(RECORD["libraries"]) == set(LIBRARIES)
    assert all(x["version"] and x["date"] for x in RECORD["libraries"].values())
    assert {x.definition for x in METRICS} - {None} == set(DEFINITIONS)


def of(library, call):
    return ANSWERS[library, call]


def test_bugs_that_are_known_are_found():
    rand = of("clusterval", "calculate_external(a, b, ['AR'])['AR']")["textbook"]["telling"]
    assert (rand["n"], rand["exact"]) == (3, "-1/2") or rand["value"] > 0.5
    assert of("evclust", "credalRI(a, b)")["claims"]["bounds"]["status"] == "broken"
    assert of("nf1", "NF1(a, b).get_f1()[0]")["claims"]["deterministic"]["status"] == "broken"
    assert "nan" in str(of("disarray", "pandas.DataFrame(table).da.micro_f1")["textbook"]["first"]["value"])
    v_measure = of("permetrics", "ClusteringMetric().v_measure_score(a, b)")
    assert v_measure["claims"]["names"]["status"] == "broken"
    for name in ("purity_index", "classification_error"):
        asymmetric = of("clusim", f"sim.{name}(clustering(a), clustering(b))")["claims"]["symmetry"]
        assert (asymmetric["status"], asymmetric["n"]) == ("broken", 5)
    adjusted = of("clusim", "sim.adjrand_index(clustering(a), clustering(b))")
    assert adjusted["textbook"]["zero"]["0.0"]["cases"] == 10
    assert any("ZeroDivisionError" in value for value in adjusted["textbook"]["zero"])
    onmi = of("clusim", "sim.onmi(clustering(a), clustering(b))")
    assert "inf" in onmi["claims"]["value"]["found"]
    for name in ("normalized_clustering_accuracy", "normalized_pivoted_accuracy"):
        refuses = of("genieclust", f"compare_partitions.{name}(a, b)")["claims"]["value"]
        assert refuses["status"] != "kept"
    assert "nan" in of("scikit-learn", "metrics.cohen_kappa_score(a, b)")["textbook"]["zero"]
    assert of("scikit-learn", "metrics.matthews_corrcoef(a, b)")["textbook"]["zero"]["0.0"]["first"] == [
        [0],
        [0],
    ]
    assert of("pycm", "ConfusionMatrix(a, b).overall_stat['Overall MCC']")["textbook"]["zero"]["'None'"]
    one_object = {x["library"] for x in ANSWERS.values() if x["claims"].get("value", {}).get("n") == 1}
    assert {"genieclust", "clusim", "permetrics", "igraph"} <= one_object
    assert of("scikit-learn", "metrics.fowlkes_mallows_score(a, b)")["textbook"]["zero"]["0.0"]["first"] == [
        [0],
        [0],
    ]


@pytest.mark.slow
def test_scikit_learn_is_as_it_was_recorded():
    conform = pytest.importorskip("conform")
    if LIBRARIES["scikit-learn"].version() != RECORD["libraries"]["scikit-learn"]["version"]:
        pytest.skip("another version than the recorded one")
    for metric in METRICS:
        if metric.library == "scikit-learn" and metric.definition in ("Fowlkes-Mallows", "kappa"):
            found = json.loads(json.dumps(conform.conform(metric)))
            assert found == of(metric.library, metric.call)
