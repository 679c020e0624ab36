"""The stored answers: enough of them, asked by the drawn questions, and able to fail."""

from kept import __main__ as kept
from kept.answering import answer
from kept.questions import drawn_groups


def test_stored_answers_are_those_of_the_drawn_questions():
    stored = kept.load(slow=False)
    assert len(stored) >= 10_000
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
