"""Each paper takes data and sizes of one's own; wrong ones are refused by name, before any work."""

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


def test_any_matrix_and_measures(capsys):
    matrix = [[40, 5, 5], [4, 40, 6], [1, 2, 7]]
    text = ";".join(",".join(map(str, row)) for row in matrix)
    measures = ["auc1", "auc3", "cor", "mcc"]
    assert espindola2005.main(["--matrix", text, "--measures", ",".join(measures)]) == 0
    values = {row[0]: row[1] for row in table(capsys)[1:]}
    assert list(values) == measures
    assert float(values["auc3"]) == pytest.approx(cm.indices.discrete_auc(matrix, strategy="ovo"), rel=1e-6)
    assert espindola2005.main(["--matrix", "3,1;0,2"]) == 0


def test_own_sizes(capsys):
    assert chacon2019.main(["--n", "8", "--r", "2", "--s", "3", "--draws", "100"]) == 0
    rows = {row[0] + row[1]: row for row in table(capsys)[1:] if row[:1] == ["MED"]}
    law = cm.joint(cm.Tables(8, 2, 3), "med")["med"]
    assert [int(row[2]) for row in rows.values()] == [weight for _, weight in law]


@pytest.mark.parametrize(
    ("main", "arguments", "said"),
    [
        (chacon2019.main, ["--n", "5", "--r", "3", "--s", "9"], "--r and --s must be from 2 to n"),
        (
            chacon2019.main,
            ["--n", "x", "--r", "3", "--s", "9"],
            "--n: must be a whole number from 1 on, got 'x'",
        ),
        (santos2009.main, ["--data", "MINE", "--class", "z"], "has no column 'z'; it has feat1, feat2, y"),
        (santos2009.main, ["--data", "none.csv", "--class", "z"], "none.csv cannot be read as CSV"),
        (santos2009.main, ["--data", "MINE", "--class", "y", "--index", "arj"], "did you mean ari?"),
        (amodio2015.main, ["--data", "MINE", "--k", "3"], "--k must name two numbers of clusters"),
        (
            amodio2015.main,
            ["--data", "BAD", "--k", "2,3"],
            "column 'b', data row 2 must be a number, got 'x'",
        ),
        (flynt2019.main, ["--posterior", "MINE"], "--posterior must be given twice"),
        (espindola2005.main, ["--matrix", "1,2;3"], "--matrix must be square"),
        (espindola2005.main, ["--matrix", "1,b;3,4"], "--matrix must be whole numbers"),
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
