"""From classes to proposals: one pass over each class, closed forms, what is new, certificates.

Claims about laws that hold from some n on, and where those that held so far first fail.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

from confmat.arguments import as_few
from confmat.classes import Tables
from confmat.conjectures.certificates import Certificate, Counterexample
from confmat.conjectures.functions import warn_not_kept
from confmat.conjectures.law_shapes import LawClaim
from confmat.conjectures.outcomes import OutcomeEntry
from confmat.conjectures.predicates import outcomes_of_signatures
from confmat.conjectures.registry import STATEMENTS
from confmat.conjectures.stated import Conjecture, domain
from confmat.discovery.bounds import bounds_at_med, sharp_bounds
from confmat.discovery.facts import DISTANCE_NAMES, AskedLaw, Facts, facts_of, law_questions
from confmat.discovery.known import Knowledge
from confmat.discovery.proposals import ConjectureAndRange, Discovery, Proposal, Range, Shape, Shown
from confmat.discovery.same import Values, can_be_asked, different, relatives
from confmat.engine.checkpoint import SECONDS_AGAIN, ManifestFolder, disagrees, some_of
from confmat.engine.pieces import work_of
from confmat.errors import ConsistencyError
from confmat.laws.sources import Pass
from confmat.plans import Resources, begin, telling
from confmat.statistics.conditions import Condition, as_condition
from confmat.statistics.table import STATISTICS, as_statistic, is_known

# A claim about laws is worth a line where it first fails if so many smaller classes have it; and is proposed from some
# n on if it holds at so many n.
_LEAST_BEFORE = 10
_LEAST_SIZES = 5


@dataclass(frozen=True)
class _Asked:
    """A claim about laws, and what became of it in each class, in increasing size."""

    question: AskedLaw
    verdicts: Mapping[Tables, Mapping[str, Any]]

    def holds(self, matrices: Tables) -> bool:
        """Whether it does in a class."""
        return self.verdicts[matrices]["wrong"] is None

    @cached_property
    def told(self) -> list[Tables]:
        """The classes of which it says something."""
        return [matrices for matrices, verdict in self.verdicts.items() if not verdict["says nothing"]]

    @cached_property
    def before(self) -> list[Tables]:
        """Those of them before the first where it fails."""
        return list(takewhile(self.holds, self.told))

    @cached_property
    def ranges(self) -> dict[Shape, Range]:
        """Where it holds from some n on to the end, of each shape: at several n, and at half of all or more."""
        ranges = {}
        for shape in dict.fromkeys(matrices.shape for matrices in self.told):
            of_shape = [matrices for matrices in self.told if matrices.shape == shape]
            at_the_end = list(takewhile(self.holds, reversed(of_shape)))
            if len(at_the_end) >= max(_LEAST_SIZES, len(of_shape) / 2):
                ranges[shape] = Range(
                    shape,
                    at_the_end[-1].n,
                    at_the_end[0].n,
                )
        return ranges

    def conjecture(self, sizes: Range | None) -> Conjecture:
        """The claim about laws, in a range."""
        words = self.question.words
        conjecture = Conjecture(words, words, predicate=self.question.claim, on="laws")
        if sizes is None:
            return conjecture
        return replace(conjecture, name=f"{words}, {sizes}", applies=sizes)

    def entries(self, classes: Iterable[Tables]) -> tuple[OutcomeEntry, ...]:
        """What a certificate says of those classes that were looked at."""
        entries = []
        for matrices in classes:
            verdict = self.verdicts.get(matrices)
            if verdict is not None:
                entries.append(OutcomeEntry(matrices, verdict["covered"], verdict["digest"]))
        return tuple(entries)

    @property
    def shown(self) -> dict[str, Any]:
        """What a picture shows."""
        return {"verdicts": {matrices: self.holds(matrices) for matrices in self.verdicts}}


def of_laws(
    facts_of_classes: Shown,
    statistics: tuple[str, ...],
    knowledge: Knowledge,
    tally: Counter[str],
    known_as: Mapping[str, list[tuple[str, bool]]],
) -> Iterator[Proposal]:
    """Those that neither the registry nor a stronger one implies.

    ``known_as``: of what statistics of the package each is made; what the registry says of these it says of it.
    """
    classes = [matrices for matrices, facts in facts_of_classes.items() if facts["laws"]]
    classes.sort(key=lambda matrices: (matrices.n, matrices.shape))
    if not classes:
        return
    questions = {}
    for question in law_questions(statistics):
        verdicts = {matrices: facts_of_classes[matrices]["laws"][question.words] for matrices in classes}
        questions[question.words] = _Asked(question, verdicts)
    for claim in questions.values():
        tally["claims about laws"] += 1
        tally["claims about laws that all have one point"] += not claim.told
        tally["claims about laws that fail in every shape"] += bool(claim.told) and not claim.ranges
        is_long_true = len(claim.before) >= _LEAST_BEFORE
        if not claim.ranges and not is_long_true:
            continue
        if any(map(knowledge.law, _alike(claim.question, known_as))):
            tally["claims about laws that the registry decides"] += 1
            continue
        moving = [
            sizes for sizes in claim.ranges.values() if not _is_of_the_med(claim.question, sizes, knowledge)
        ]
        fixed_by_med = len(claim.ranges) - len(moving)
        tally["claims about laws of a shape at MEDs that fix the statistic"] += fixed_by_med
        new_ranges = [sizes for sizes in moving if not _follows(claim.question.words, sizes, questions)]
        tally["claims about laws of a shape that follow from stronger ones"] += len(moving) - len(new_ranges)
        if new_ranges:
            yield _true_in(claim, new_ranges)
        if is_long_true and len(claim.before) < len(claim.told):
            yield _first_failure(claim)


def _true_in(claim: _Asked, ranges: list[Range]) -> Proposal:
    """That a claim about laws holds in every class of some ranges."""
    claims: list[ConjectureAndRange] = []
    certificates = []
    for sizes in ranges:
        conjecture = claim.conjecture(sizes)
        claims.append((conjecture, sizes))
        certificates.append(Certificate(conjecture.about, claim.entries(sizes.classes)))
    return Proposal(
        "law",
        f"{claim.question.words} in every class of these ranges: {'; '.join(map(str, ranges))}",
        tuple(claims),
        tried=sum(len(certificate.entries) for certificate in certificates),
        shown=claim.shown,
        certificates=tuple(certificates),
    )


def _first_failure(asked: _Asked) -> Proposal:
    """Where a claim about laws fails that holds in many smaller classes."""
    before = asked.before
    first = asked.told[len(before)]
    wrong = asked.verdicts[first]["wrong"]
    where = Range(first.shape, first.n, first.n)
    size = (first.n, *first.shape)
    conjecture = asked.conjecture(None)
    return Proposal(
        "first failure",
        f"{conjecture.name} is false, first at (n, r, s) = {size}, after {len(before)} classes: {wrong}",
        ((conjecture, where),),
        tried=len(before),
        shown=asked.shown,
        certificates=(Counterexample(conjecture.about, first, wrong, {}, asked.entries(before)),),
    )


_OF_A_LAW = re.compile(r"(?:the|each) (?:law|mean|weights) of (.+?) (?:is|given|rises?|falls?)\b")


def conjecture_in_words(name: str, words: str) -> Conjecture | None:
    """The claim about laws that a proposal makes in these words, to verify its certificate; None for other words.

    >>> conjecture_in_words("mine", "the law of 1 - jaccard is unimodal").on
    'laws'
    >>> conjecture_in_words("mine", "the law of nothing is unimodal") is None
    True
    """
    match = _OF_A_LAW.match(words)
    if match is None:
        return None
    try:
        claim = _claim(match[1], words)
    except ValueError:
        return None
    if claim is None:
        return None
    return Conjecture(name, words, predicate=claim, on="laws")


def _claim(statistic: str, words: str) -> LawClaim | None:
    """What is asked of the law of a statistic in these words."""
    claims = {question.words: question.claim for question in law_questions([statistic])}
    return claims.get(words)


_MIRRORED = {
    "rises": "falls",
    "falls": "rises",
    "rise": "fall",
    "fall": "rise",
    "left": "right",
    "right": "left",
}


def _alike(question: AskedLaw, known_as: Mapping[str, list[tuple[str, bool]]]) -> Iterator[LawClaim]:
    """The same claim about each statistic of which its own is made: where one falls as the other rises, mirrored."""
    yield question.claim
    name = str(question.claim.statistics[-1])
    for other_name, rise_together in known_as.get(name, ()):
        words = question.words.replace(
            f" of {name} ",
            f" of {other_name} ",
            1,
        )
        if not rise_together:
            words = " ".join(_MIRRORED.get(word, word) for word in words.split(" "))
        claim = _claim(other_name, words)
        if claim is not None:
            yield claim


def _follows(words: str, sizes: Range, questions: Mapping[str, _Asked]) -> bool:
    """Whether a claim that implies this one holds in the same classes."""
    implying = {words.replace("the mean of", "the law of", 1)}
    if words.startswith("the law of") and words.endswith("is unimodal"):
        name = words.removeprefix("the law of ").removesuffix(" is unimodal")
        implying |= {
            f"the weights of {name} rise",
            f"the weights of {name} fall",
        }
    for stronger in questions.keys() & implying - {words}:
        wider = questions[stronger].ranges.get(sizes.shape)
        if wider is not None and wider.first <= sizes.first:
            return True
    return False


def _is_of_the_med(question: AskedLaw, sizes: Range, knowledge: Knowledge) -> bool:
    """Whether a claim is about a statistic at given MED which, as is known, the MED fixes."""
    first_name, *names = question.names
    sums = knowledge.last(sizes.classes) if first_name == "med" and names else None
    return sums is not None and sums.med_fixes(str(question.claim.statistics[-1]))


# About how many seconds two statistics take in a class, and for each of its signatures.
_A_CLASS, _A_SIGNATURE = 0.01, 7e-5


@telling
def discover(
    shapes: Iterable[tuple[int, int]],
    sizes: Iterable[int],
    statistics: Iterable[str] = DISTANCE_NAMES,
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
    classes = _classes_with_members(shapes, sizes)
    statistics_asked = _statistics(statistics)
    knowledge = Knowledge(_names(known))
    seconds = {}
    for matrices in classes:
        of_two = _A_CLASS + _A_SIGNATURE * work_of(matrices).signatures
        seconds[matrices] = of_two * len(statistics_asked) ** 2
    members = sum(matrices.count() for matrices in classes)
    begin(
        f"questions about {len(classes)} classes",
        "class by class",
        "one pass over the signatures of each, and another for the certificates",
        "proposals with certificates",
        sum(seconds.values()),
        classes=len(classes),
        matrices=members,
    )
    values = Values(classes)
    different_names, left_out = different(statistics_asked, values)
    names = tuple(different_names)
    folder = None if checkpoint is None else _folder(checkpoint, names)
    finished_classes = []
    if folder is not None:
        finished_classes = [matrices for matrices in classes if _path(folder, matrices).exists()]
    looked_at_again = some_of({matrices: seconds[matrices] for matrices in finished_classes}, SECONDS_AGAIN)
    facts_of_classes: dict[Tables, Facts] = {}
    for i, matrices in enumerate(classes, 1):
        if progress is not None:
            progress(f"{matrices} ({i} of {len(classes)})")
        facts_of_classes[matrices] = _facts(matrices, names, folder, matrices in looked_at_again)
    tally: Counter[str] = Counter()
    for words in left_out:
        tally[f"statistics left out, as {words} on every table"] += 1
    known_as = {name: relatives(name, values) for name in names}
    proposals = [
        *sharp_bounds(facts_of_classes, names, knowledge, tally),
        *bounds_at_med(facts_of_classes, names, knowledge, tally),
        *of_laws(facts_of_classes, names, knowledge, tally, known_as),
    ]
    proposals.sort(key=lambda proposal: (-proposal.score, proposal.sentence))
    return Discovery(
        names,
        tuple(classes),
        tuple(certified(proposals, progress)),
        dict(tally),
    )


def _statistics(statistics: Iterable[str]) -> tuple[str, ...]:
    """Their names: a text is kept as it was given, anything else is called by its name."""
    names = []
    for statistic in as_few("statistics", statistics):
        if isinstance(statistic, str):
            names.append(statistic)
            continue
        record = as_statistic(statistic)
        if STATISTICS.get(record.name) is not record:
            raise ValueError(f"statistics must stand in the table to be called by a name, got {record!r}")
        names.append(record.name)
    if not names:
        raise ValueError('statistics must name at least one statistic, such as "rd"')
    for name in names:
        if not can_be_asked(as_statistic(name)):
            raise ValueError(
                f"statistics must have formulas in m, A, B and P that transposition leaves unchanged, got {name!r}"
            )
    return tuple(dict.fromkeys(names))


def _names(known: Collection[str]) -> frozenset[str]:
    names = as_few("known", known)
    if wrong := [name for name in names if name not in tuple(STATEMENTS)]:
        raise ValueError(f"known must be names of statements of the registry, got {wrong[0]!r}")
    return frozenset(names)


def _classes_with_members(shapes: Iterable[tuple[int, int]], sizes: Iterable[int]) -> list[Tables]:
    """The classes with members, in increasing size; ValueError for none."""
    classes: list[Any] = list(domain(Conjecture("any", "n >= 0"), shapes, sizes))
    if not classes:
        raise ValueError(f"shapes and sizes must have members, got {shapes!r:.60} and {sizes!r:.60}")
    return classes


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


def _facts(
    matrices: Tables, names: tuple[str, ...], kept_facts: ManifestFolder | None, is_looked_at_again: bool
) -> Facts:
    """What a class shows, read where it is kept, and kept there; ``is_looked_at_again``: what is kept is compared."""
    if kept_facts is None:
        return facts_of(matrices, names)
    path = _path(kept_facts, matrices)
    kept_before: Facts | None = kept_facts.read_sealed_json(path)
    if kept_before is not None and not is_looked_at_again:
        return kept_before
    facts = facts_of(matrices, names)
    if kept_before is None:
        kept_facts.write_sealed_json(path, facts)
    elif json.loads(json.dumps(facts)) != kept_before:
        raise disagrees(path, "other facts")
    return facts


def certified(
    proposals_found: Iterable[Proposal], progress: Callable[[str], None] | None = None
) -> list[Proposal]:
    """The proposals with a certificate for each statement, from one more pass over each class for all of them.

    ConsistencyError, naming statement and class, for one that fails: it was made from the same numbers.

    >>> certified([])
    []
    """
    proposals = list(proposals_found)
    waiting = defaultdict(list)
    for proposal in proposals:
        for conjecture, sizes in () if proposal.certificates else proposal.claims:
            for matrices in sizes.classes:
                waiting[matrices].append(conjecture)
    entries = defaultdict(list)
    for matrices in sorted(waiting, key=lambda x: (x.n, x.shape)):
        if progress is not None:
            progress(f"certificates of {matrices}")
        whole_pass = Pass(matrices, "tables", Resources())
        for conjecture in waiting[matrices]:
            entries[conjecture.name].append(_entry_of(conjecture, matrices, whole_pass))
    for i, proposal in enumerate(proposals):
        if not proposal.certificates:
            certificates = [Certificate(x.about, tuple(entries[x.name])) for x in proposal.conjectures]
            proposals[i] = replace(proposal, certificates=tuple(certificates))
    return proposals


def _entry_of(conjecture: Conjecture, matrices: Tables, whole_pass: Pass) -> OutcomeEntry:
    assert isinstance(conjecture.predicate, Condition)
    outcomes, failing, _ = outcomes_of_signatures(conjecture.predicate, matrices, of=whole_pass)
    if failing:
        raise ConsistencyError(f"{conjecture.statement} was found over {matrices!r}, and is false there")
    return OutcomeEntry(matrices, outcomes.covered, outcomes.digest, outcomes.cases)
