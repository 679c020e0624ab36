"""What a terminal shows while a command works: what the plan says that it takes, and nothing once it is done."""

import pytest
from command_line import succeed

import confmat as cm
from confmat._limits import listening
from confmat.cli import output


class Shown(list):
    """Stands for Rich's bars: what they are told."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def add_task(self, text, **_):
        self.append(text)

    def update(self, _, description):
        self.append(description)


@pytest.fixture
def shown(monkeypatch):
    bars = Shown()
    monkeypatch.setattr(output, "_shown", lambda columns: bars)
    monkeypatch.setattr(output, "_SHORT", -1)
    return bars


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (("count", 30, 3, 3), "Counting"),
        (("search", "jaccard", 8, 2, 2), "Searching 2x2 n=8, about less than a second (exhaustive)"),
        (("table", 30, 3, 3, "--only", "rd"), "Distribution of rd, about less than a second ("),
        (("test", "--matrix", "5,1;2,4"), "Distribution under chance, about less than a second ("),
    ],
)
def test_a_command_reports_the_method_of_its_plan(confmat, shown, command, text):
    succeed(confmat(*command))
    assert any(line.startswith(text) for line in shown), shown


def test_plans_are_told_to_the_innermost_listener():
    outer, inner = [], []
    with listening(outer.append):
        with listening(inner.append):
            cm.maximize(cm.Tables(6, 2, 2), "jaccard")
        cm.minimize(cm.Tables(6, 2, 2), "jaccard")
    assert [len(outer), len(inner)] == [1, 1]
