"""The stored answers: enough of them, asked by the drawn questions, and able to fail."""

import json
import random
from collections import Counter
from pathlib import Path

from kept import __main__ as kept
from kept import printed
from kept.answering import KINDS, answer
from kept.plain_answers import NoPlainAnswer, extreme_value, plain_answer
from kept.questions import drawn_groups
from kept.reading import SEPARATOR

HERE = Path(kept.__file__).parent


def test_stored_answers_are_those_of_the_drawn_questions():
    stored = kept.load(slow=False)
    assert len(stored) >= 10_000
    assert {kept.kind_of(question) for question in stored} == set(KINDS)
    assert set(stored) <= {question for group in drawn_groups() for question in group}


def test_a_changed_answer_is_named_with_its_question():
    question = "whole | tables 5 2 2 | tables | med rd | mean | rd"
    right = {question: answer(question)}
    assert right == {question: "2/5"}
    assert kept.differences(right, right) == []
    assert kept.differences({question: "3/5"}, right) == [f"{question}\n    stored 3/5\n    now    2/5"]


def test_stored_answers_are_not_overwritten_without_force(capsys):
    before = kept.STORED[False].read_bytes()
    assert kept.write(slow=False, force=False) == 1
    assert "--force" in capsys.readouterr().out
    assert kept.STORED[False].read_bytes() == before


def test_stored_answers_are_those_of_loops_over_all_tables():
    stored = kept.load(slow=False)
    sample = random.Random(61).sample(sorted(stored), 3_000)
    agreed = Counter()
    for question in sample:
        plain = plain_answer(question)
        if plain is not None:
            assert stored[question] == plain, question
            agreed[kept.kind_of(question)] += 1
    assert agreed.total() > 800
    assert len(agreed) >= 12


def test_stored_extremes_are_those_of_loops_over_all_tables():
    number = 0
    for question, stored in kept.load(slow=False).items():
        kind, *arguments = question.split(SEPARATOR)
        if kind != "extreme" or stored.startswith("#"):
            continue
        try:
            value = extreme_value(*arguments)
        except NoPlainAnswer:
            continue
        assert stored.startswith(f"[{value},") or (stored, value) == ("[none,True True]", "none"), question
        number += 1
    assert number > 40


def test_one_file_names_the_interface():
    lines = (HERE / "adapter.py").read_text().splitlines()
    assert len(lines) <= 60
    for path in HERE.glob("*.py"):
        if path.name != "adapter.py":
            assert "import confmat" not in path.read_text(), path
            assert "from confmat" not in path.read_text(), path


def test_stored_files_are_small():
    assert sum(path.stat().st_size for path in HERE.glob("*.gz")) <= 3 * 2**20


def test_a_changed_number_of_a_notebook_is_named(monkeypatch):
    assert printed.compare_notebooks() == []
    changed = {name: text.replace("2806281", "2806282") for name, text in printed.notebooks_now().items()}
    monkeypatch.setattr(printed, "notebooks_now", lambda: changed)
    assert any("2806281" in line for line in printed.compare_notebooks())


def test_fewer_digits_of_a_paper_are_named(monkeypatch):
    stored = json.loads(printed.STORED_PAPERS.read_text())
    monkeypatch.setattr(printed, "agreement", stored.__getitem__)
    assert printed.compare_papers() == []
    stored["chacon2019"] = stored["chacon2019"] | {"table-1": {"cells": 3, "agree": 2, "digits": 4}}
    assert [line.partition(":")[0] for line in printed.compare_papers()] == ["paper chacon2019, table-1"]
