"""Bad reports, and the command: exit codes, JSON, files of reports."""

import json

import pytest

from confmat.auditing import audit

# --- errors, and the command ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "give a report"),
        ({"classes": (3, 3)}, "scores must be 1 to 26"),
        ({"classes": (3, 3), "acc": 0.9}, "'0.90' and not 0.9, got 0.9"),
        ({"classes": (3, 3), "acc": "x"}, "acc must be a printed number such as 0.893 or 89.3%, got 'x'"),
        ({"classes": (3, 3), "acc": "120%"}, "acc must be from 0 to 1, got '120%'"),
        (
            {"classes": (3, 3), "acc": "89.3"},
            "acc must be from 0 to 1, or with its sign as 89.3%, got '89.3'",
        ),
        (
            {"classes": (3, 3), "mcc": "-1.01"},
            "mcc must be from -1 to 1, or with its sign as 89.3%, got '-1.01'",
        ),
        ({"classes": (3, 3), "acc": "1.2"}, "acc must be from 0 to 1"),
        ({"classes": (3, 3), "acc": "0.9", "nmi": "-0.01", "folds": 3}, "nmi must be from 0 to 1"),
        ({"classes": (3, 3), "gmean": "100.1%", "rounding": "half-up"}, "gmean must be from 0 to 1"),
        ({"classes": (3, 3), "f1_2": "1.1"}, "f1_2 must be from 0 to 1"),
        ({"classes": (3, 3), "f1_of_means": "1.1"}, "f1_of_means must be from 0 to 1"),
        ({"classes": (3, 3), "kappa": "1.1"}, "kappa must be from -1 to 1"),
        ({"n": 5, "clusters": (2, 2), "ari": "1.1"}, "ari must be from -1/2 to 1"),
        ({"n": 5, "clusters": (2, 2), "ard": "-0.1"}, "ard must be from 0 to 3/2"),
        ({"n": 5, "clusters": (2, 2), "ard": "2.1"}, "ard must be from 0 to 3/2"),
        ({"classes": (3, 3), "acc": "٠.٩"}, "acc must be a printed number"),
        ({"classes": (3, 3), "arii": "0.9"}, "got 'arii'; did you mean ari?"),
        ({"classes": (3, 3), "f1_3": "0.9"}, "f1_3 must be of one of 2 classes"),
        ({"classes": 3, "acc": "0.9"}, "n must be given"),
        ({"classes": (3, 3), "n": 7, "acc": "1"}, "n must be the sum of classes, 6, got 7"),
        ({"n": 5, "clusters": (2, 2), "acc": "0.9"}, "acc needs classes in rows and columns"),
        ({"n": 5, "clusters": (2, 2, 2), "ari": "0.9"}, "clusters must be one number or two, got 3"),
        ({"n": 2, "clusters": (3, 3), "ari": "0.9"}, "n must be at least 3"),
        ({"classes": (3, 3), "acc": "1", "columns": 3}, "columns must be"),
        ({"classes": (3, 3), "acc": "1", "columns": (-1, 7)}, "columns"),
        ({"n": 5, "clusters": 2, "ari": "0.9"}, "give classes, or clusters as two numbers"),
        ({"classes": (0, 0), "acc": "1"}, "n must be at least 1, got 0"),
        ({"classes": (3, 3), "acc": "1", "rounding": "up"}, "rounding must be one of"),
        ({"classes": (3, 3), "acc": "1", "undefined": "x"}, "undefined must be a number, got 'x'"),
        ({"classes": (3, 3), "acc": "1", "undefined": -1}, "undefined must be from 0 to 1, got -1"),
        ({"classes": (3, 3), "acc": "1", "undefined": 1.5}, "undefined must be from 0 to 1, got 3/2"),
        ({"classes": (3, 3), "acc": "1", "empty": 2}, "empty must be True or False"),
        ({"classes": (3, 3), "acc": "1", "empty": True}, "empty is about clusters, of which there are none"),
    ],
)
def test_bad_reports_are_refused_by_name(fields, says):
    with pytest.raises((TypeError, ValueError)) as caught:
        audit(**fields)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_command_has_the_exit_codes_and_the_json_of_its_answer(confmat, tmp_path):
    code, out, _ = confmat("audit", "--classes", "50,50,50", "--acc", "0.893", "--ari", "0.7302", "--json")
    said = json.loads(out)
    assert (code, said["possible"], said["matrices"], said["report"]["scores"]) == (
        *(0, True, 6),
        {"acc": "0.893", "ari": "0.7302"},
    )
    assert said["ranges"]["kappa"]["least"] == {"exact": "21/25", "value": 0.84}
    assert len(said["some"]) == 6
    assert said["complete"]
    path = tmp_path / "impossible.json"
    code, out, _ = confmat(
        *(
            "audit",
            "--classes",
            "100,100",
            "--acc=.7700",
            "--kappa",
            ".5401",
            "--mcc",
            ".5625",
            "--certificate",
            path,
        )
    )
    assert code == 1
    assert "without kappa  possible" in out
    assert "None of the confusion matrices" in out
    assert confmat("verify", path)[0] == 0
    assert confmat("audit", "--classes", "50,50", "--kappa", "-0.9")[0] == 0
    code, out, _ = confmat(
        "audit", "--classes", "50,50,50", "--column-sizes", "50,49,51", "--ard", "0.0589877"
    )
    assert code == 0
    assert "and columns of 50, 49, 51" in out
    code, out, _ = confmat("audit", "--classes", "9,9", "--acc", "0.94", "--folds", "3", "--json")
    assert (code, json.loads(out)["report"]["folds"]) == (0, [[3, 3]] * 3)
    code, out, _ = confmat("audit", "--classes", "5,4", "--acc", "0.95", "--folds", "3,2/2,2")
    assert code == 1
    assert (
        "choices of 2 confusion matrices of classes of 3, 2 (1 fold); 2, 2 (1 fold), one a fold, has mean accuracy 0.95"
        in " ".join(out.split())
    )
    assert (
        confmat("audit", "--classes", "9,9", "--acc", "0.95", "--folds", "3", "--certificate", path)[0] == 1
    )
    assert confmat("verify", path)[0] == 0
    code, out, _ = confmat("audit", "--classes", "50,50,50", "--acc", "0.893", "--plan")
    assert code == 0
    assert "listing" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--classes", "50,50", "--acc"), "scores must be given as --acc 0.893"),
        (("--classes", "50,x", "--acc", "0.9"), "classes must be a whole number, got 'x'"),
        (("--classes", "50,50", "0.9"), "scores must be given as --acc 0.893"),
        (("--classes", "50,50", "--acc", "0.9", "--acc", "0.8"), "--acc must be given once"),
        (
            ("--classes", "50,50", "--json", "--format", "md"),
            "no option or score --format; scores are --acc, ",
        ),
        (("--classes", "50,50", "--f1-weigthed", ".9"), "--f1-weigthed; scores are"),
        (("--classes", "50,50", "--arii", "0.9"), "did you mean --ari?"),
        (("--acc", "0.9"), "give classes"),
        (("--reports", "x.csv", "--acc", "0.9"), "--reports stands for the report"),
        (("--reports", "x.csv", "--csv"), "no option or score --csv"),
        (("--reports", "missing.csv"), "missing.csv cannot be read"),
        (("--classes", "50,50", "--acc", "0.9", "--folds", "x"), "--folds must be a whole number, got 'x'"),
        (
            ("--classes", "5,5", "--acc", "0.83", "--folds", "3"),
            "--folds must divide every class of (5, 5), or be the sizes of the classes in each, such as 2,2/2,2/1,1, "
            "got 3",
        ),
        (("--classes", "5,5", "--acc", "0.83", "--folds", "2,2/2,1"), "classes (5, 5), got 2,2/2,1"),
        (
            ("--classes", "5,5", "--acc", "89.3"),
            "--acc must be from 0 to 1, or with its sign as 89.3%, got '89.3'",
        ),
        # A variable of a shell that is not set.
        (("--classes", "5,4", "--acc", "0.95", "--folds", ""), "--folds must be a whole number, got ''"),
        (("--classes", "5,4", "--acc", "0.95", "--n", ""), "--n must be a whole number, got ''"),
        (("--reports", "x.csv", "--classes", ""), "--reports stands for the report"),
        # Only folds are separated by /.
        (("--classes", "5/4", "--acc", "0.9"), "--classes must be a whole number, got '5/4'"),
        (("--classes", "2", "--n", "5/6", "--acc", "0.9"), "--n must be a whole number, got '5/6'"),
        (
            ("--classes", "5,4", "--acc", "0.95", "--folds", "5,4"),
            "--folds must be K, or the sizes of the classes in each such as 3,2/2,2, got '5,4'",
        ),
        (
            ("--classes", "5,4", "--acc", "0.95", "--folds", "3,2/2"),
            "--folds must be K, or the sizes of the classes in each such as 3,2/2,2, got '3,2/2'",
        ),
        (("--classes", "5,4", "--acc", "0.95", "--at-most"), "--at-most is about clusters"),
    ],
)
def test_the_command_refuses(confmat, arguments, says):
    code, _, err = confmat("audit", *arguments)
    assert code == 2
    assert says in err
    assert err.count("\n") == 1


def test_many_reports_from_a_file(confmat, tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(
        "report,classes,acc,ari\niris,50;50;50,0.893,0.7302\nforged,50;50;50,0.893,0.9302\nsmall,5 7 4,,0.7\n"
    )
    code, out, _ = confmat("audit", "--reports", path, "--json")
    assert code == 1
    assert [x["possible"] for x in json.loads(out)] == [True, False, True]
    assert [x["line"] for x in json.loads(out)] == [2, 3, 4]
    code, out, _ = confmat("audit", "--reports", path)
    assert code == 1
    assert "no               0  ari" in out
    path.write_text("classes,acc\n50;50,0.9\n50;50,zero\n")
    code, _, err = confmat("audit", "--reports", path)
    assert code == 2
    assert "line 3: acc must be a printed number" in err
    path.write_text("classes,acc\n50;50,0.9\n50;50,1.2\n")
    code, _, err = confmat("audit", "--reports", path)
    assert code == 2
    assert "line 3: acc must be from 0 to 1, or with its sign as 89.3%, got '1.2'" in err
    for name, cell, option in (("undefined", 1, "--undefined"), ("empty", True, "--at-most")):
        path.write_text(f"classes,acc,{name}\n50;50,0.9,{cell}\n")
        code, _, err = confmat("audit", "--reports", path)
        assert code == 2
        assert f"must have no column {name}: give {option}, for the whole file" in err
    path.write_text("classes,acc\n")
    code, _, err = confmat("audit", "--reports", path)
    assert code == 2
    assert "results.csv has no line with a report" in err


def test_each_line_of_a_file_has_its_folds_and_rounding_and_an_answer_of_its_own(confmat, tmp_path):
    path = tmp_path / "results.csv"
    lines = ["classes,n,clusters,folds,rounding,acc,ari", "9 9,,,3,,0.94,", ",1000000,3 3,,,,0.5"]
    lines += ["9 9,,,3,,0.95,", "3 3,,,,half-up,0.6,", "3 3,,,,,0.6,"]
    for many, answers, exit_code in ((3, [True, None], 2), (6, [True, None, False, False, True], 1)):
        path.write_text("\n".join(lines[:many]) + "\n")
        code, out, _ = confmat("audit", "--reports", path, "--json")
        assert code == exit_code
        assert [x["possible"] for x in json.loads(out)] == answers
        assert "ways to divide the rows" in json.loads(out)[1]["refused"]
        code, out, _ = confmat("audit", "--reports", path)
        assert code == exit_code
        assert "   3  open" in out
        assert "line 3: audit adjusted Rand index 0.5 of tables of 1000000 objects" in out
