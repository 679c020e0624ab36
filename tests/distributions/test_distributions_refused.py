"""What laws refuse, and the faults that they find in themselves."""

import pytest

from confmat.classes import Tables
from confmat.distributions import joint_distribution
from confmat.errors import TooLargeError


def test_questions_to_a_streamed_distribution_are_refused():
    law = joint_distribution(Tables(60, 4, 4), "med", "rd", "ard")
    assert not law._held
    for refused in (lambda: list(law), law.to_frame, lambda: list(law), lambda: list(law.groupby("rd"))):
        with pytest.raises(TooLargeError, match=r"d.probability"):
            refused()


def test_bad_questions_are_named():
    law = joint_distribution(Tables(5, 2, 2), "med", "rd")
    for ask, message in [
        (lambda: law["med"].quantile(2), "q must be from 0 to 1, got 2"),
        (lambda: law["med"].cdf("x"), "x must be a number, .* got 'x'"),
        (lambda: law.given("med"), "condition"),
        (lambda: law.groupby("ard"), "name must be one of med, rd, got 'ard'"),
    ]:
        with pytest.raises(ValueError, match=message):
            ask()
    with pytest.raises(KeyError, match="name must be one of med, rd, got 'ard'"):
        law["ard"]


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        (
            (Tables(5, 2, 2), "mde"),
            {},
            "statistic must be the name of a statistic, got 'mde'; did you mean med",
        ),
        ((Tables(5, 2, 2),), {}, "statistics must name at least one"),
        ((Tables(5, 2, 2), "med", "med"), {}, "different names"),
        ((Tables(5, 2, 2), "med"), {"weight": "uniform"}, "weight must be .* got 'uniform'"),
        (("20,3,3", "med"), {}, "a class must read like"),
        ((Tables(5, 2, 2), 3), {}, "statistic must be the short name of a statistic or a function"),
    ],
)
def test_bad_arguments_are_named(arguments, keywords, message):
    with pytest.raises((TypeError, ValueError), match=message):
        joint_distribution(*arguments, **keywords)


def test_conditioning_on_an_absent_statistic():
    with pytest.raises(ValueError, match="name must be one of med, rd, got 'ard'"):
        joint_distribution(Tables(5, 2, 2), "med", "rd").groupby("ard")
