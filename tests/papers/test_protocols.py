"""Each paper takes data and sizes of one's own; wrong ones are refused by name, before any work."""

import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import amodio2015
import chacon2019
import confmat as cm
import espindola2005
import flynt2019
import santos2009
from confmat.indices import soft


@pytest.fixture
def mine(tmp_path):
    """Twelve objects of two features and three classes."""
    X, y = santos2009.example_data()
    frame = pd.DataFrame(X, columns=["feat1", "feat2"]).assign(y=y)
    path = tmp_path / "mine.csv"
    frame.to_csv(path, index=False)
    return path


def table(capsys):
    """The rows of a printed table, each as a list of words."""
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_features_ranked_by_any_index_and_bins(mine, capsys):
    options = ["--data", str(mine), "--class", "y", "--bins", "3,6", "--index", "ari,ami,nmi"]
    assert santos2009.main(options) == 0
    rows = table(capsys)
    assert [row[0] for row in rows[1:]] == ["feat2", "feat1"]  # the paper: feat2 has the higher ARI
    X, y = santos2009.example_data()
    intervals = santos2009.equal_width_bins(X, 6)[:, 1].tolist()
    expected = [float(cm.ari(y.tolist(), intervals)), float(cm.ami(y.tolist(), intervals))]
    printed = list(map(float, rows[1][1:]))  # ari 3, ari 6, ami 3, ami 6, nmi 3, nmi 6
    assert [printed[1], printed[3]] == pytest.approx(expected, rel=1e-6)
    assert santos2009.main([*options, "--cut", "quantile"]) == 0


def test_clusterings_of_own_data(mine, capsys):
    assert amodio2015.main(["--data", str(mine), "--class", "y", "--k", "2,3"]) == 0
    rows = table(capsys)
    assert [" ".join(row[:-8]) for row in rows[1:]] == [
        "classes against k = 2",
        "classes against k = 3",
        "k = 2 against k = 3",
    ]


def test_posteriors_off_by_a_thousandth_are_normalised_on_request(tmp_path, capsys):
    z = np.array([[0.333, 0.333, 0.333], [0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.0, 0.0, 1.0]])
    for name in ("z", "other"):
        pd.DataFrame(z).to_csv(tmp_path / f"{name}.csv", index=False)
    files = ["--posterior", str(tmp_path / "z.csv"), "--posterior", str(tmp_path / "other.csv")]
    with pytest.raises(SystemExit):
        flynt2019.main(files)
    assert "--normalise accepts rows off by 0.001" in capsys.readouterr().err
    assert flynt2019.main([*files, "--normalise"]) == 0
    row = table(capsys)[1]
    rows = z / z.sum(axis=1, keepdims=True)
    assert float(row[4]) == pytest.approx(float(soft.sari(rows, rows)), rel=1e-6)
    pd.DataFrame([[0.5, 0.45], [1, 0]]).to_csv(tmp_path / "z.csv", index=False)
    with pytest.raises(SystemExit):
        flynt2019.main([*files, "--normalise"])
    assert "data row 1 adds up to 0.95, more than 0.001 from 1" in capsys.readouterr().err


def test_any_matrix_and_measures(capsys, tmp_path):
    matrix = [[40, 5, 5], [4, 40, 6], [1, 2, 7]]
    text = ";".join(",".join(map(str, row)) for row in matrix)
    measures = ["auc1", "auc3", "cor", "f_2", "f_1/2", "mcc"]
    assert espindola2005.main(["--matrix", text, "--measures", ",".join(measures)]) == 0
    values = {row[0]: row[1] for row in table(capsys)[1:]}
    assert list(values) == measures
    assert float(values["f_2"]) == pytest.approx(cm.f_beta(matrix, beta=2), rel=1e-6)
    assert float(values["f_1/2"]) == pytest.approx(cm.f_beta(matrix, beta=0.5), rel=1e-6)
    assert float(values["auc3"]) == pytest.approx(
        cm.indices.classification.auc(matrix, strategy="ovo"), rel=1e-6
    )
    assert espindola2005.main(["--matrix", "3,1;0,2"]) == 0
    file = tmp_path / "matrix.txt"
    file.write_text(text.replace(";", "\n"))
    assert espindola2005.read_matrix(str(file)) == matrix


PAPERS = {paper.__name__: paper for paper in (santos2009, amodio2015, espindola2005, flynt2019, chacon2019)}


def commands_shown():
    """The protocols as docstrings and the README write them: paper, words."""
    folder = Path(santos2009.__file__).parent
    texts = [(folder / "README.md").read_text(), *(str(paper.__doc__) for paper in PAPERS.values())]
    for line in "\n".join(texts).splitlines():
        if not line.strip().startswith("python "):
            continue
        command, *_ = re.split(" {3,}", line.strip())  # what follows is a comment
        words = shlex.split(command)
        if (paper := Path(words[1]).stem) in PAPERS:
            yield paper, [word.strip("[]") for word in words[2:]]


# The sizes that chacon2019 shows take 12 s; smaller ones are asked below.
SHOWN = [pytest.param(x, marks=pytest.mark.slow) if x == "chacon2019" else x for x in PAPERS]


def test_every_paper_shows_how_it_is_run():
    shown = list(commands_shown())
    assert len(shown) >= 10
    assert {paper for paper, _ in shown} == set(PAPERS)


@pytest.mark.parametrize("name", SHOWN)
def test_the_commands_that_are_shown_run_as_they_are_written(name, tmp_path, monkeypatch, capsys):
    rng = np.random.default_rng(1)
    y = np.arange(40) % 4
    features = rng.normal(size=(40, 2)) + y[:, None]
    pd.DataFrame(features, columns=["f1", "f2"]).assign(y=y).to_csv(tmp_path / "mine.csv", index=False)
    for file in ("z", "other"):
        rows = pd.DataFrame(rng.dirichlet(np.ones(3), 40).round(3), columns=["p1", "p2", "p3"])
        (rows.assign(y=y) if file == "z" else rows).to_csv(tmp_path / f"{file}.csv", index=False)
    monkeypatch.chdir(tmp_path)
    for words in [words for paper, words in commands_shown() if paper == name]:
        if name == "flynt2019" and "--class" not in words:
            words = [*words, "--class", "y"]  # z.csv holds a column of classes here
        assert PAPERS[name].main(words) == 0, words
        assert len(capsys.readouterr().out.splitlines()) >= 2


def test_own_sizes(capsys):
    assert chacon2019.main(["--n", "8", "--r", "2", "--s", "3", "--draws", "100"]) == 0
    rows = {row[0] + row[1]: row for row in table(capsys)[1:] if row[:1] == ["MED"]}
    law = cm.joint_distribution(cm.Tables(8, 2, 3), "med")["med"]
    assert [int(row[2]) for row in rows.values()] == [weight for _, weight in law]


@pytest.mark.parametrize(
    ("main", "arguments", "said"),
    [
        (chacon2019.main, ["--n", "5", "--r", "3", "--s", "9"], "--r and --s must be from 2 to n"),
        (
            chacon2019.main,
            ["--n", "x", "--r", "3", "--s", "9"],
            "--n: must be an integer from 1 on, got 'x'",
        ),
        (santos2009.main, ["--data", "MINE", "--class", "z"], "has no column 'z'; it has feat1, feat2, y"),
        (santos2009.main, ["--data", "none.csv", "--class", "z"], "none.csv cannot be read as CSV"),
        (santos2009.main, ["--data", "MINE", "--class", "y", "--index", "arj"], "did you mean ari"),
        (amodio2015.main, ["--data", "MINE", "--k", "3"], "--k must name two numbers of clusters"),
        (
            amodio2015.main,
            ["--data", "BAD", "--k", "2,3"],
            "column 'b', data row 2 must be a number, got 'x'",
        ),
        (flynt2019.main, ["--posterior", "MINE"], "--posterior must be given twice"),
        (espindola2005.main, ["--matrix", "1,2;3"], "--matrix must be square"),
        (espindola2005.main, ["--matrix", "1,b;3,4"], "matrix[0, 1] must be an integer, got 'b'"),
        (espindola2005.main, ["--matrix", "1,2;3,4", "--measures", "acu1"], "acu1"),
    ],
)
def test_wrong_arguments_are_named(mine, tmp_path, capsys, main, arguments, said):
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n3,x\n")
    paths = {"MINE": str(mine), "BAD": str(tmp_path / "bad.csv")}
    with pytest.raises(SystemExit) as ended:
        main([paths.get(word, word) for word in arguments])
    assert ended.value.code == 2
    assert said in " ".join(capsys.readouterr().err.split())
