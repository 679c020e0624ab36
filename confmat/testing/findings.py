"""Results of a check of properties.

For each property they are its status, the numbers of examples, and the smallest counterexample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from hypothesis import Phase, find, settings, target
from hypothesis.errors import Flaky, NoSuchExample
from hypothesis.strategies import SearchStrategy

from confmat._display import Answer, Fields, Part, Verbatim
from confmat._display.sheets import Sheet
from confmat._limits import look
from confmat.errors import ContractError


class UndefinedCase(Exception):
    """Exception for an example at which the index has no value, so that a property cannot be judged.

    ``cause`` is the reason without the example.
    """

    def __init__(self, case: str, cause_words: str) -> None:
        super().__init__(f"{case} {cause_words}")
        # Only the type of an exception, because its message may contain the case.
        self.cause = cause_words.partition(":")[0]


@dataclass(frozen=True)
class Fault:
    """Violation of a property by an example, in words, and the exception that was raised, if any."""

    text: str
    error: BaseException | None = None


@dataclass(frozen=True)
class Claim:
    """Property of an index, with its examples and a function that judges an example.

    Attributes
    ----------
    small : callable
        Returns the small examples in order of size.
    drawn, aimed : list of strategies
        Strategies for random examples. For ``aimed`` strategies Hypothesis maximizes the function ``aim``.
    judge : callable
        Returns the fault of an example or None, and raises ``UndefinedCase`` for an undefined value.
    place : callable
        Returns the number of objects of an example, and its kind if it is degenerate, otherwise None.
    """

    name: str
    small: Callable[[], Iterable[Any]]
    drawn: Sequence[SearchStrategy[Any]]
    judge: Callable[[Any], Fault | None]
    place: Callable[[Any], tuple[int, str | None]]
    aim: Callable[[Any], float] | None = None
    aimed: Sequence[SearchStrategy[Any]] = ()


class NotDeterministic(Exception):
    """Error for an index, or a reference, that returned two values for one example."""


@dataclass(frozen=True, eq=False)
class ClaimCounterexample:
    """Counterexample of a property.

    Attributes
    ----------
    claim : str
        Name of the property.
    example : object
        Example, None if there is none.
    found : str
        Violation, in words.
    n : int
        Number of objects of the example.
    degenerate : str or None
        Kind of the example, such as "one cluster" or "equal", or None if it is not degenerate.
    error : Exception or None
        Exception that the index raised.
    shrunk : bool
        True if it was found at random and shrunk by Hypothesis. False if it is the first of all examples in order
        of size.
    """

    claim: str
    example: Any
    found: str
    n: int
    degenerate: str | None
    error: BaseException | None
    shrunk: bool

    def __str__(self) -> str:
        """Return the counterexample in one line.

        >>> from confmat.testing import check_metric
        >>> print(check_metric(lambda t: t.max(axis=0).sum() / t.sum(), n=3, examples=5).broken["symmetry"])
        [[1, 1]] has 1.0, [[1], [1]] has 0.5 (one cluster)
        """
        return self.found + (f" ({self.degenerate})" if self.degenerate else "")


@dataclass(frozen=True)
class ClaimFinding(Fields):
    """Result of the check of one property.

    Attributes
    ----------
    claim : str
        Name of the property.
    small, drawn : int
        Numbers of enumerated and of random examples.
    causes : dict
        Reasons for undefined values, with their number and the first example of each.
    counterexample : ClaimCounterexample or None
        Smallest counterexample.
    beyond : ClaimCounterexample or None
        Smallest counterexample that is not degenerate.
    """

    claim: str
    small: int
    drawn: int
    causes: dict[str, tuple[int, str]]
    counterexample: ClaimCounterexample | None
    beyond: ClaimCounterexample | None

    @property
    def undefined(self) -> int:
        """Number of examples without a value."""
        return sum(times for times, _ in self.causes.values())

    @property
    def status(self) -> str:
        """Status: "kept", "broken", "degenerate" (only degenerate counterexamples), or "undefined" (no values)."""
        if self.counterexample is None:
            return "kept"
        if self.counterexample.example is None:
            return "broken" if self.claim == "deterministic" else "undefined"
        if self.beyond is None and self.counterexample.degenerate:
            return "degenerate"
        return "broken"

    def _facts(self) -> dict[str, Any]:
        """Return the result as a dictionary, for JSON.

        >>> from confmat.testing import check_metric
        >>> check_metric("rd", n=3, examples=5)["symmetry"].to_json()["status"]
        'kept'
        """
        smallest = self.counterexample
        return {
            "status": self.status,
            "small": self.small,
            "drawn": self.drawn,
            "undefined": self.undefined,
            "counterexample": None if smallest is None else smallest.found,
            "degenerate": None if smallest is None else smallest.degenerate,
            "beyond": None if self.beyond is None else self.beyond.found,
        }


@dataclass(frozen=True, repr=False)
class Contract(Answer):
    """Result of `check_metric`: a `ClaimFinding` for each property. It is true if all properties hold.

    Attributes
    ----------
    name : str
        Name of the index.
    takes : str
        Input of the index: "table", "labels" or "memberships".
    n : int
        Largest number of objects of enumerated examples.
    findings : tuple of ClaimFinding
    """

    name: str
    takes: str
    n: int
    findings: tuple[ClaimFinding, ...]

    def __bool__(self) -> bool:
        """Return whether all properties hold."""
        return not self.broken

    def __getitem__(self, claim: str) -> ClaimFinding:
        """Return the finding of a property by name. Raise KeyError for an unknown name."""
        for finding in self.findings:
            if finding.claim == claim:
                return finding
        claims_known = ", ".join(finding.claim for finding in self.findings)
        raise KeyError(f"claim must be one of {claims_known}, got {claim!r}")

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the properties that hold for every example."""
        return tuple(finding.claim for finding in self.findings if finding.status == "kept")

    @property
    def broken(self) -> dict[str, ClaimCounterexample]:
        """Smallest counterexample of every broken property, by the name of the property."""
        return {x.claim: x.counterexample for x in self.findings if x.counterexample is not None}

    def check(self) -> None:
        """Raise ContractError if a property is broken. Its message ends with the report that ``print`` shows.

        The example of the error is the smallest counterexample that is not degenerate, if there is one.

        >>> from confmat.testing import check_metric
        >>> check_metric("ari", n=4, examples=10).check()
        """
        __tracebackhide__ = True  # pytest shows the line of the caller
        broken = [x.beyond or x.counterexample for x in self.findings if x.counterexample is not None]
        broken.sort(key=lambda counterexample: counterexample.degenerate is not None)
        if broken:
            first = broken[0]
            raise ContractError(first.claim, first.example, f"{first}\n\n{self}") from first.error

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text: a table of the properties, and their counterexamples.

        >>> from confmat.testing import check_metric
        >>> print(check_metric("rd", identity=1, n=3, examples=5))
        rd: all cases of up to 3 objects, up to symmetry
        <BLANKLINE>
        claim          is      small  drawn
        ───────────────────────────────────
        deterministic  kept       39      5
        value          kept      141      5
        order          kept       90      5
        symmetry       kept      141      5
        bounds         kept      141     10
        identity       broken     14      0
        <BLANKLINE>
        identity: [[0, 1], [2, 0]], equal clusterings, has 0, and should have 1
        identity: [[1]], equal clusterings, has 0, and should have 1 (one object)
        degenerate cases may be declared: undefined=('one object',)
        """
        yield f"{self.name}: all cases of up to {self.n} objects, up to symmetry"
        sheet = Sheet(("claim", "is", "small", "drawn"), ("claim", "is"))
        for finding in self.findings:
            sheet.add_row(finding.claim, finding.status, finding.small, finding.drawn)
        yield sheet
        examples_told: set[str] = set()
        for finding in self.findings:
            examples = map(str, filter(None, (finding.beyond, finding.counterexample)))
            for example in dict.fromkeys(examples):
                if example not in examples_told:
                    yield Verbatim(f"{finding.claim}: {example}")
                examples_told.add(example)
        yield from self._undefined_lines()
        kinds = {x.counterexample.degenerate: True for x in self.findings if x.counterexample is not None}
        kinds.pop(None, None)
        if kinds:
            yield Verbatim(f"degenerate cases may be declared: undefined={(*kinds,)}")

    def _facts(self) -> dict[str, Any]:
        """Return name, n, whether all properties hold, and the findings by name, for JSON."""
        return {
            "name": self.name,
            "n": self.n,
            "kept": bool(self),
            "claims": {finding.claim: finding for finding in self.findings},
        }

    def _undefined_lines(self) -> list[str]:
        """Return one line of text for each cause of undefined values."""
        causes_found: dict[str, tuple[int, str]] = {}
        for finding in self.findings:
            for cause, (times, case_words) in finding.causes.items():
                times_at_most, example = causes_found.get(cause, (0, case_words))
                causes_found[cause] = max(times_at_most, times), example
        return [
            f"undefined on up to {times_at_most} examples of a claim, as {example}"
            for times_at_most, example in causes_found.values()
        ]


class Trial:
    """Check of one property of an index on examples.

    All small examples are checked first, up to a counterexample that is not degenerate. Random examples follow.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.small = self.drawn = 0
        self.causes: dict[str, tuple[int, str]] = {}
        self.first: ClaimCounterexample | None = None
        self.beyond: ClaimCounterexample | None = None
        # Whether some example that is not degenerate was judged, and whether one was undefined.
        self.some_judged = self.some_undefined = False

    def run(self, examples: int, seed: int) -> ClaimFinding:
        """Check the property and return the finding.

        ``examples`` is the number of random examples of each strategy.
        """
        for example in self.claim.small():
            self.small += 1
            if self._keep(example, shrunk=False):
                break
        for strategy in self.claim.drawn:
            self._draw(strategy, examples, seed, None)
        for strategy in self.claim.aimed:
            self._draw(strategy, examples, seed, self.claim.aim)
        examples_tried = self.small + self.drawn
        times_undefined = sum(times for times, _ in self.causes.values())
        if self.first is None and (
            times_undefined == examples_tried or (self.some_undefined and not self.some_judged)
        ):
            exception_words = "" if times_undefined == examples_tried else ", but degenerate ones"
            case_told = "".join(f": {case_words}" for _, case_words in list(self.causes.values())[:1])
            words = f"nothing is defined on {examples_tried} examples{exception_words}{case_told}"
            self.first = self.beyond = ClaimCounterexample(self.claim.name, None, words, 0, None, None, False)
        return ClaimFinding(self.claim.name, self.small, self.drawn, self.causes, self.first, self.beyond)

    def _keep(self, example: Any, shrunk: bool) -> bool:
        """Record the fault of an example, if any. Return whether it is a counterexample that is not degenerate.

        ``shrunk`` is True if Hypothesis found the example and shrunk it.
        """
        fault = self._judge(example)
        if fault is None:
            return False
        n, degenerate = self.claim.place(example)
        counterexample = ClaimCounterexample(
            self.claim.name, example, fault.text, n, degenerate, fault.error, shrunk
        )
        self.first = self.first or counterexample
        if degenerate is None:
            self.beyond = counterexample
        return degenerate is None

    def _judge(self, example: Any) -> Fault | None:
        """Return the fault of an example, None if there is no fault or the index is undefined at the example."""
        look("the check of the claims")
        try:
            fault = self.claim.judge(example)
        except UndefinedCase as nothing:
            times, first_case = self.causes.get(nothing.cause, (0, str(nothing)))
            self.causes = {**self.causes, nothing.cause: (times + 1, first_case)}
            self.some_undefined = self.some_undefined or self.claim.place(example)[1] is None
            return None
        self.some_judged = self.some_judged or self.claim.place(example)[1] is None
        return fault

    def _draw(
        self, strategy: SearchStrategy[Any], examples: int, seed: int, aim: Callable[[Any], float] | None
    ) -> None:
        """Check the property for random examples of a strategy.

        If ``aim`` is a function of an example, Hypothesis draws towards its large values.
        """
        if self.beyond is not None:
            return
        wanted_any = self.first is None

        def breaks(example: Any) -> bool:
            self.drawn += 1
            fault = self._judge(example)
            if aim is not None:
                with suppress(UndefinedCase):
                    target(aim(example))
            return fault is not None and (wanted_any or self.claim.place(example)[1] is None)

        broken: list[Any] = []
        if aim is None:
            counts_before = dict(vars(self))
            for example in map(deepcopy, _examples_of(strategy, examples, seed)):
                if breaks(example):
                    broken = [example]
                    break
            else:
                return
            # The counterexample is searched again by Hypothesis, and its examples are counted.
            vars(self).update(counts_before)
        try:
            # If modules were imported in between, Hypothesis draws other examples.
            for example in _examples_that_break(strategy, breaks, examples, seed) or broken:
                self._keep(example, shrunk=True)
        except Flaky as error:
            words = f"{self.claim.name} is broken by an example, and is not when the same is tried again"
            raise NotDeterministic(words) from error


def _examples_that_break(
    strategy: SearchStrategy[Any], condition: Callable[[Any], Any], examples: int, seed: int
) -> list[Any]:
    """Return a list of the smallest example that Hypothesis finds for which ``condition`` is true.

    The list is empty if Hypothesis finds none.
    """
    options = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.target, Phase.shrink),
    )
    with suppress(NoSuchExample):
        return [find(strategy, condition, settings=options, random=Random(seed))]
    return []


@lru_cache(16)
def _examples_of(strategy: SearchStrategy[Any], examples: int, seed: int) -> list[Any]:
    """Return the random examples of a strategy. All properties with this strategy use the same examples."""
    drawn: list[Any] = []
    _examples_that_break(strategy, drawn.append, examples, seed)
    return drawn
