"""One table of names: what a statistic is called by a field, a paper or scikit-learn is read everywhere."""

from fractions import Fraction

import pytest
from command_line import fail, succeed
from late import sk_metrics

import confmat as cm
from confmat.statistics import STATISTICS, Statistic, as_condition, as_statistic, register

OTHERS = [(other, name) for name, statistic in STATISTICS.items() for other in statistic.names]
TABLE = [[8, 2, 1], [1, 4, 0], [0, 3, 6]]


def test_no_name_is_of_two_statistics():
    names = [*STATISTICS, *(other for other, _ in OTHERS)]
    assert len(names) == len(set(names))
    assert not {*names} & {"n", "r", "s", "and", "or", "not"}
    assert {"accuracy", "balanced_accuracy", "f1", "recall", "precision", "ari", "med"} <= {*STATISTICS}


@pytest.mark.parametrize(("other", "name"), OTHERS)
def test_another_name_is_read_everywhere(other, name):
    statistic = STATISTICS[name]
    assert as_statistic(other) is STATISTICS[other] is statistic
    assert getattr(cm, other) is getattr(cm, name) is statistic.index
    assert str(as_condition(f"{other} >= 1/2")) == f"{name} >= 1/2"
    assert cm.joint_distribution(cm.Tables(4, 2, 2), other)[other].name == name


def test_commands_read_other_names(confmat):
    for one, other in (("acc", "accuracy"), ("adjusted_rand_score", "ari"), ("rand", "ri")):
        said = [succeed(confmat("table", "2x2", "n=6", "--only", name, "--json")) for name in (one, other)]
        assert said[0] == said[1]
    said = [succeed(confmat("search", name, "2x2", "n=6", "--json")) for name in ("cor", "accuracy")]
    assert said[0] == said[1]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("acuracy", "accuracy"),
        ("adjusted rand", "ari"),
        ("bacc_", "balanced_accuracy"),
        ("adjusted_rand_scor", "ari"),
        ("v_mesure", "v_measure"),
        ("macro f1", "f1"),
    ],
)
def test_suggestions_for_misspelled_names(confmat, typed, meant):
    with pytest.raises(ValueError, match=f"did you mean {meant}\\?"):
        as_statistic(typed)
    assert f"did you mean {meant}?" in fail(confmat("table", "2x2", "n=5", "--only", typed))


def test_no_misspelling_of_accuracy_is_another_index():
    for typed in ("ac", "accc", "accu", "accuracyy", "acc_"):
        with pytest.raises(ValueError, match="must be the name") as error:
            as_statistic(typed)
        assert "mcc" not in str(error.value).partition("did you mean")[2]


def test_the_package_suggests_names():
    with pytest.raises(AttributeError, match=r"no attribute 'Table'; did you mean Tables\?"):
        _ = cm.Table
    with pytest.raises(AttributeError, match=r"no attribute 'ajusted_rand_index'; did you mean ari\?"):
        _ = cm.ajusted_rand_index
    assert not hasattr(cm, "__wrapped__")


@pytest.mark.parametrize("name", ["recall", "precision", "f1"])
def test_macro_means_are_those_of_scikit_learn(name):
    truth = [i for i, row in enumerate(TABLE) for x in row for _ in range(x)]
    found = [j for row in TABLE for j, x in enumerate(row) for _ in range(x)]
    theirs = getattr(sk_metrics, f"{name}_score")(truth, found, average="macro")
    assert float(STATISTICS[name](TABLE)) == pytest.approx(theirs, abs=1e-14)
    assert getattr(cm, name)(truth, found, exact=True) == STATISTICS[name](TABLE)
    assert isinstance(STATISTICS[name](TABLE), Fraction)


def test_a_name_that_is_taken_is_refused():
    for names in ((), ("adjusted_rand_score",)):
        own = Statistic("own" if names else "acc", lambda table: int(table.max()), names=names)
        with pytest.raises(ValueError, match="must have an unused name"):
            register(own)
