"""From classes to proposals: one pass over each class, closed forms, what is new, certificates.

Claims about laws that hold from some n on, and where those that held so far first fail.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from confmat.classes import Tables
from confmat.conjectures.certificates import Certificate, Counterexample, Entry
from confmat.conjectures.functions import warn_not_kept
from confmat.conjectures.law_shapes import LawClaim
from confmat.conjectures.predicates import outcomes_of_signatures
from confmat.conjectures.registry import STATEMENTS
from confmat.conjectures.stated import Conjecture, domain
from confmat.discovery.bounds import bounds_at_med, sharp_bounds
from confmat.discovery.facts import DISTANCES, Facts, LawQuestion, facts_of, law_questions
from confmat.discovery.known import Knowledge
from confmat.discovery.proposals import Discovery, Proposal, Range, Shape, Shown
from confmat.discovery.same import Values, can_be_asked, different, relatives
from confmat.engine.checkpoint import SECONDS_AGAIN, ManifestFolder, disagrees, some_of
from confmat.engine.pieces import work_of
from confmat.errors import ConsistencyError
from confmat.laws.sources import Pass
from confmat.matrices.arguments import as_few
from confmat.plans import Resources, admit
from confmat.statistics.conditions import Condition, as_condition
from confmat.statistics.table import STATISTICS, as_statistic, is_known

# A claim about laws is worth a line where it first fails if so many smaller classes have it; and is proposed from some
# n on if it holds at so many n.
_LEAST_BEFORE = 10
_LEAST_SIZES = 5


def of_laws(
    shown: Shown,
    statistics: tuple[str, ...],
    known: Knowledge,
    tried: Counter[str],
    known_as: Mapping[str, list[tuple[str, bool]]],
) -> Iterator[Proposal]:
    """Those that neither the registry nor a stronger one implies.

    ``known_as``: of what statistics of the package each is made; what the registry says of these it says of it.
    """
    listed = sorted((m for m, facts in shown.items() if facts["laws"]), key=lambda m: (m.n, m.shape))
    if not listed:
        return
    telling: dict[str, list[Tables]] = {}
    held: dict[str, dict[Shape, Range]] = {}
    for question in law_questions(statistics):
        verdicts = {m: shown[m]["laws"][question.words] for m in listed}
        telling[question.words] = asked = [m for m in listed if not verdicts[m]["says nothing"]]
        right = [m for m in asked if verdicts[m]["wrong"] is None]
        held[question.words] = dict(_ranges(asked, right))
    for question in law_questions(statistics):
        tried["claims about laws"] += 1
        asked = telling[question.words]
        tried["claims about laws that all have one point"] += not asked
        verdicts = {m: shown[m]["laws"][question.words] for m in listed}
        failing = [m for m in asked if verdicts[m]["wrong"]]
        ranges = held[question.words]
        tried["claims about laws that fail in every shape"] += bool(asked) and not ranges
        before = asked[: asked.index(failing[0])] if failing else asked
        if not ranges and len(before) < _LEAST_BEFORE:
            continue
        if any(known.law(claim) for claim in _said_of(question, known_as)):
            tried["claims about laws that the registry decides"] += 1
            continue
        moving = {shape: x for shape, x in ranges.items() if not _is_of_the_med(question, x, known)}
        tried["claims about laws of a shape at MEDs that fix the statistic"] += len(ranges) - len(moving)
        new = {shape: x for shape, x in moving.items() if not _stronger(question.words, shape, x, held)}
        tried["claims about laws of a shape that follow from stronger ones"] += len(moving) - len(new)
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


_MIRRORED = {
    "rises": "falls",
    "falls": "rises",
    "rise": "fall",
    "fall": "rise",
    "left": "right",
    "right": "left",
}


def _said_of(question: LawQuestion, known_as: Mapping[str, list[tuple[str, bool]]]) -> Iterator[LawClaim]:
    """The same claim about each statistic of which its own is made: where one falls as the other rises, mirrored."""
    yield question.claim
    name = str(question.claim.statistics[-1])
    for other, together in known_as.get(name, ()):
        words = question.words.replace(f" of {name} ", f" of {other} ", 1)
        if not together:
            words = " ".join(_MIRRORED.get(word, word) for word in words.split(" "))
        yield from (asked.claim for asked in law_questions([other]) if asked.words == words)


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


def _is_of_the_med(question: LawQuestion, where: Range, known: Knowledge) -> bool:
    """Whether a claim is about a statistic at given MED which, as is known, the MED fixes."""
    sums = known.last(where.classes) if question.names[0] == "med" and len(question.names) > 1 else None
    return sums is not None and sums.med_fixes(str(question.claim.statistics[-1]))


# About how many seconds two statistics take in a class, and for each of its signatures.
_A_CLASS, _A_SIGNATURE = 0.01, 7e-5


def discover(
    shapes: Iterable[tuple[int, int]],
    sizes: Iterable[int],
    statistics: Iterable[str] = DISTANCES,
    *,
    known: Collection[str] = tuple(STATEMENTS),
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Discovery:
    """Propose what is true of the tables of some shapes and totals: sharp bounds with closed forms, properties of laws.

    ``statistics``: short names, or texts made of them such as "1 - jaccard", with formulas in (m, A, B, P) that
    transposition leaves unchanged.  The largest value of each, and of the ratio and of the difference of each two, is
    found for every class, a closed form in n is fitted on some n and must be right at others (the last third); so are
    the extremes of each at given MED; and what its law does.  ``known``: names of statements of the registry; what
    follows from these, compared by values on all m, A, B and P that they allow, is left out.  ``checkpoint``: a folder
    where each class is kept, so that a run that was killed goes on, once some of them showed the same again; it is not
    used for statistics of one's own without a ``version``.
    ``progress`` is called with a line before each class.

    Every proposal holds on all members of its range, again by a pass of its own: it has a certificate.  Nothing is
    proved beyond.  Classes without members are left out.

    Raises TypeError or ValueError for shapes, sizes, statistics or names that are none, TooLarge where it would take
    more than a ``budget``.  O(tables up to symmetry) for a class, as ``joint``.

    >>> found = discover([(3, 3)], range(3, 12), ["med", "rd"], known=[])
    >>> best = found.proposals[0]
    >>> best.sentence, best.conjectures[0].statement
    ('the largest rd/med is 2*(n - 2)/(n - 1), of 3 x 3, 4 <= n <= 11', 'rd <= 2*(n - 2)/(n - 1) * med')
    >>> print(best.certificates[0])
    rd <= 2 * (n - 2) / (n - 1) * med is true for all 106,870 members of 8 classes
    """
    classes = _classes(shapes, sizes)
    asked = _statistics(statistics)
    knowledge = Knowledge(_names(known))
    seconds = {
        matrices: (_A_CLASS + _A_SIGNATURE * work_of(matrices).signatures) * len(asked) ** 2
        for matrices in classes
    }
    admit(f"questions about {len(classes)} classes", sum(seconds.values()))
    values = Values(classes)
    chosen, left_out = different(asked, values)
    names = tuple(chosen)
    folder = None if checkpoint is None else _folder(checkpoint, names)
    kept = [] if folder is None else [x for x in classes if _path(folder, x).exists()]
    again = some_of({x: seconds[x] for x in kept}, SECONDS_AGAIN)
    shown: dict[Tables, Facts] = {}
    for i, matrices in enumerate(classes):
        if progress is not None:
            progress(f"{matrices} ({i + 1} of {len(classes)})")
        shown[matrices] = _facts(matrices, names, folder, matrices in again)
    tried: Counter[str] = Counter()
    for words in left_out:
        tried[f"statistics left out, as {words} on every table"] += 1
    known_as = {name: relatives(name, values) for name in names}
    found = [
        x
        for proposed in (
            sharp_bounds(shown, names, knowledge, tried),
            bounds_at_med(shown, names, knowledge, tried),
            of_laws(shown, names, knowledge, tried, known_as),
        )
        for x in proposed
    ]
    found.sort(key=lambda x: (-x.score, x.sentence))
    return Discovery(names, tuple(classes), tuple(certified(found, progress)), dict(tried))


def _statistics(statistics: Iterable[str]) -> tuple[str, ...]:
    # A text is kept as it was given; anything else is called by its name.
    few = as_few("statistics", statistics)
    for record in [as_statistic(x) for x in few if not isinstance(x, str)]:
        if STATISTICS.get(record.name) is not record:
            raise ValueError(f"statistics must stand in the table to be called by a name, got {record!r}")
    names = tuple(dict.fromkeys(x if isinstance(x, str) else as_statistic(x).name for x in few))
    if not names:
        raise ValueError('statistics must name at least one statistic, such as "rd"')
    for name in names:
        if not can_be_asked(as_statistic(name)):
            raise ValueError(
                f"statistics must have formulas in m, A, B and P that transposition leaves unchanged, got {name!r}"
            )
    return names


def _names(known: Collection[str]) -> frozenset[str]:
    names = as_few("known", known)
    if wrong := [name for name in names if name not in tuple(STATEMENTS)]:
        raise ValueError(f"known must be names of statements of the registry, got {wrong[0]!r}")
    return frozenset(names)


def _classes(shapes: Iterable[tuple[int, int]], sizes: Iterable[int]) -> list[Tables]:
    """The classes with members, in increasing size; ValueError for none."""
    found: list[Any] = list(domain(Conjecture("any", "n >= 0"), shapes, sizes))
    if not found:
        raise ValueError(f"shapes and sizes must have members, got {shapes!r:.60} and {sizes!r:.60}")
    return found


def _folder(folder: str | os.PathLike[str], statistics: tuple[str, ...]) -> ManifestFolder | None:
    """Where what classes showed is kept, a sealed file for each; None where nothing tells what it is of."""
    own = [x for name in statistics for x in as_condition(f"{name} >= 0").statistics if not is_known(x)]
    for statistic in own:
        if not statistic.version:
            warn_not_kept(folder, f"{statistic.name!r} is a statistic of one's own")
            return None
    of: dict[str, object] = {"statistics": statistics, "versions": [(x.name, x.version) for x in own]}
    return ManifestFolder(folder, "confmat discover 3", of, lambda found: "run; it is left as it is")


def _path(kept: ManifestFolder, matrices: Tables) -> Path:
    return kept.folder / f"{matrices.n:04d}-{matrices.r}x{matrices.s}.json"


def _facts(matrices: Tables, names: tuple[str, ...], kept: ManifestFolder | None, again: bool) -> Facts:
    """What a class shows, read where it is kept, and kept there; ``again``: what is kept is compared."""
    if kept is None:
        return facts_of(matrices, names)
    path = _path(kept, matrices)
    found: Facts | None = kept.read_sealed_json(path)
    if found is not None and not again:
        return found
    facts = facts_of(matrices, names)
    if found is None:
        kept.write_sealed_json(path, facts)
    elif json.loads(json.dumps(facts)) != found:
        raise disagrees(path, "other facts")
    return facts


def certified(found: Iterable[Proposal], progress: Callable[[str], None] | None = None) -> list[Proposal]:
    """The proposals with a certificate for each statement, from one more pass over each class for all of them.

    ConsistencyError, naming statement and class, for one that fails: it was made from the same numbers.

    >>> certified([])
    []
    """
    chosen = list(found)
    waiting: dict[Tables, list[Conjecture]] = {}
    for proposal in chosen:
        for conjecture, where in proposal.claims if not proposal.certificates else ():
            for matrices in where.classes:
                waiting.setdefault(matrices, []).append(conjecture)
    entries: dict[str, list[Entry]] = {}
    for matrices in sorted(waiting, key=lambda x: (x.n, x.shape)):
        if progress is not None:
            progress(f"certificates of {matrices}")
        whole = Pass(matrices, "tables", Resources())
        for conjecture in waiting[matrices]:
            entries.setdefault(conjecture.name, []).append(_entry_of(conjecture, matrices, whole))
    return [
        replace(
            x,
            certificates=x.certificates
            or tuple(Certificate(c.about, tuple(entries[c.name])) for c, _ in x.claims),
        )
        for x in chosen
    ]


def _entry_of(conjecture: Conjecture, matrices: Tables, whole: Pass) -> Entry:
    assert isinstance(conjecture.predicate, Condition)
    outcomes, failing, _ = outcomes_of_signatures(conjecture.predicate, matrices, of=whole)
    if failing:
        raise ConsistencyError(f"{conjecture.statement} was found over {matrices!r}, and is false there")
    return Entry(matrices, outcomes.covered, outcomes.digest, outcomes.cases)
