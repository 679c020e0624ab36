"""Claims about laws that hold from some n on, and where those that held so far first fail."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from confmat.classes import Tables
from confmat.conjectures.certificates import Certificate, Counterexample, Entry
from confmat.conjectures.stated import Conjecture
from confmat.discovery.facts import law_questions
from confmat.discovery.known import Knowledge
from confmat.discovery.proposals import Proposal, Range, Shape, Shown, Tried

# A claim about laws is worth a line where it first fails if so many smaller classes have it; and is proposed from some
# n on if it holds at so many n.
_LEAST_BEFORE = 10
_LEAST_SIZES = 5


def of_laws(shown: Shown, statistics: tuple[str, ...], known: Knowledge, tried: Tried) -> Iterator[Proposal]:
    """Those that neither the registry nor a stronger one implies."""
    listed = sorted((m for m, facts in shown.items() if facts["laws"]), key=lambda m: (m.n, m.shape))
    telling: dict[str, list[Tables]] = {}
    held: dict[str, dict[Shape, Range]] = {}
    for question in law_questions(statistics):
        verdicts = {m: shown[m]["laws"][question.words] for m in listed}
        telling[question.words] = asked = [m for m in listed if not verdicts[m]["says nothing"]]
        right = [m for m in asked if verdicts[m]["wrong"] is None]
        held[question.words] = dict(_ranges(asked, right))
    for question in law_questions(statistics):
        tried.count("claims about laws")
        asked = telling[question.words]
        tried.count("claims about laws that all have one point", not asked)
        verdicts = {m: shown[m]["laws"][question.words] for m in listed}
        failing = [m for m in asked if verdicts[m]["wrong"]]
        ranges = held[question.words]
        tried.count("claims about laws that fail in every shape", bool(asked) and not ranges)
        before = asked[: asked.index(failing[0])] if failing else asked
        if not ranges and len(before) < _LEAST_BEFORE:
            continue
        if known.law(question.claim):
            tried.count("claims about laws that the registry decides")
            continue
        new = {shape: x for shape, x in ranges.items() if not _stronger(question.words, shape, x, held)}
        tried.count("claims about laws of a shape that follow from stronger ones", len(ranges) - len(new))
        picture = {"verdicts": {m: not v["wrong"] for m, v in verdicts.items()}}
        if new:
            claims = tuple(
                (_law_conjecture(question.words, question.claim, where), where) for where in new.values()
            )
            entries = [[_entry(m, verdicts) for m in where.classes if m in verdicts] for _, where in claims]
            certificates = tuple(Certificate(c.about, tuple(x)) for (c, _), x in zip(claims, entries))
            words = f"{question.words} in every class of these ranges: {'; '.join(map(str, new.values()))}"
            number = sum(map(len, entries))
            yield Proposal("law", words, claims, tried=number, shown=picture, certificates=certificates)
        if failing and len(before) >= _LEAST_BEFORE:
            first, wrong = failing[0], verdicts[failing[0]]["wrong"]
            where = Range(first.shape, first.n, first.n)
            conjecture = _law_conjecture(question.words, question.claim, None)
            found = Counterexample(
                conjecture.about, first, wrong, {}, tuple(_entry(m, verdicts) for m in before)
            )
            size = (first.n, *first.shape)
            words = f"{question.words} is false, first at (n, r, s) = {size}, after {len(before)} classes: {wrong}"
            yield Proposal("first failure", words, ((conjecture, where),), tried=len(before), shown=picture,
                           certificates=(found,))  # fmt: skip


def conjecture_in_words(name: str, words: str) -> Conjecture | None:
    """The claim about laws that a proposal makes in these words, to verify its certificate; None for other words.

    >>> conjecture_in_words("mine", "the law of 1 - jaccard is unimodal").on
    'laws'
    >>> conjecture_in_words("mine", "the law of nothing is unimodal") is None
    True
    """
    if (found := _OF_A_LAW.match(words)) is None:
        return None
    try:
        asked = law_questions([found[1]])
    except ValueError:
        return None
    claims = (question.claim for question in asked if question.words == words)
    return next((Conjecture(name, words, predicate=claim, on="laws") for claim in claims), None)


_OF_A_LAW = re.compile(r"(?:the|each) (?:law|mean|weights) of (.+?) (?:is|given|rises?|falls?)\b")


def _law_conjecture(words: str, claim: Any, where: Range | None) -> Conjecture:
    if where is None:
        return Conjecture(words, words, predicate=claim, on="laws")
    return Conjecture(f"{words}, {where}", words, predicate=claim, on="laws", applies=where)


def _entry(matrices: Tables, verdicts: Mapping[Tables, Mapping[str, Any]]) -> Entry:
    return Entry(matrices, verdicts[matrices]["covered"], verdicts[matrices]["digest"])


def _ranges(asked: Iterable[Tables], right: list[Tables]) -> Iterator[tuple[Shape, Range]]:
    """Where a claim holds from some n on to the end, of each shape: at several n, and more than half of all."""
    sizes: dict[Shape, list[int]] = {}
    for matrices in asked:
        sizes.setdefault(matrices.shape, []).append(matrices.n)
    for shape, ns in sizes.items():
        wrong = max((i for i, n in enumerate(ns) if Tables(n, *shape) not in right), default=-1)
        if len(ns) - wrong - 1 >= max(_LEAST_SIZES, len(ns) / 2):
            yield shape, Range(shape, ns[wrong + 1], ns[-1])


def _stronger(words: str, shape: Shape, where: Range, held: Mapping[str, Mapping[Shape, Range]]) -> bool:
    """Whether a claim that implies this one holds in the same classes."""
    others = [words.replace("the mean of", "the law of", 1)]
    if words.startswith("the law of") and words.endswith("is unimodal"):
        name = words.removeprefix("the law of ").removesuffix(" is unimodal")
        others += [f"the weights of {name} rise", f"the weights of {name} fall"]
    implied = (held.get(other, {}).get(shape) for other in others if other != words)
    return any(x is not None and x.first <= where.first for x in implied)
