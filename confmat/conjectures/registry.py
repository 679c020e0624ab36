"""The registry of statements: what is proved, verified, open or refuted, and what each rests on.

``statements.toml`` is the one place of every text, range and status; ``evidence.json`` holds what is computed from the
proofs, the checks and the code (``python -m proofs --write``).  Tables, the command ``conjectures``, the literature's
conjectures and the theorems that searches name all read it here.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from confmat._display import Answer, Part, Verbatim
from confmat._display.sheets import whole
from confmat.errors import UnsupportedError

HERE = Path(__file__).parent
STATUSES = ("proved", "verified", "open", "refuted")

# The kinds of evidence of what is proved, the strongest first.
WHOLE, PART = "by machine (Rocq, whole)", "in part by machine"
STEPS, ARGUMENT = "steps re-derived by a program", "argument or citation"
LEMMA, EXHAUSTION = "a lemma of one line", "every case enumerated"
PROOFS = (WHOLE, PART, STEPS, EXHAUSTION, ARGUMENT, LEMMA)
OTHER_EVIDENCE = {
    "verified": "every member of the sizes stated",
    "open": "no proof, no counterexample at the sizes stated",
    "refuted": "the smallest counterexample",
}


@dataclass(frozen=True, repr=False)
class Statement(Answer):
    """A statement with its status and its evidence.

    ``status``: "proved" (a written proof: ``proof``, modules of the folder proofs, or ``argument``, a sentence, of a
    ``lemma`` one line; or ``exhaustive``: the statement is about no more than the ranges ``checked``),
    "verified" (on every member of the ranges ``checked``, open beyond), "open" or "refuted" (by
    ``counterexample``, the smallest).  ``formula``: it as ``Conjecture`` reads it, of tables whose n, r and s meet
    ``where``.  ``on``: what it is about if that is not a class of tables, such as "triples of clusterings"; ``check``
    then refuses it.  ``scope`` restricts the status.  ``rocq``: theorems of
    proofs/rocq, and the digest of each one's text and of the definitions in it; ``formal``: what they prove where that
    is a part.  ``evidence``: the kind of proof, one of ``PROOFS``, or what else there is.  ``checked``: classes as
    text, of ``confmat check NAME``, with the ``members`` they visit and the ``digest`` of the answer, where it takes
    seconds.  ``used_by``: the code that says it relies on the statement.  ``family``: the entry of ``statements.toml``
    that it is a member of.  ``seal``: digest of its words, status, scope and formal part when the evidence was
    computed.

    >>> known = STATEMENTS["med-max-empty"]
    >>> known.statement
    'with empty lines allowed the largest n MED is n - ceil(n/s) for every n, r <= s'
    >>> known.status, known.proof, known.used_by
    ('proved', ('max_med',), ('confmat.indices.extremes.max_med',))
    >>> known.evidence
    'steps re-derived by a program'
    """

    name: str
    statement: str
    status: str
    formula: str = ""
    on: str = ""
    where: str = ""
    scope: str = ""
    title: str = ""
    source: str = ""
    proof: tuple[str, ...] = ()
    argument: str = ""
    lemma: bool = False
    exhaustive: bool = False
    formal: str = ""
    rocq: Mapping[str, str] = field(default_factory=dict)
    checked: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    note: str = ""
    counterexample: Mapping[str, Any] = field(default_factory=dict)
    sharpened: str | None = None
    used_by: tuple[str, ...] = ()
    family: str = ""
    seal: str = ""

    @property
    def evidence(self) -> str:
        """The kind of proof, or what there is in its place.

        >>> [STATEMENTS[name].evidence for name in ("rd-max", "ard-identities", "kappa-of-pairs")]
        ['by machine (Rocq, whole)', 'in part by machine', 'argument or citation']
        """
        if self.status != "proved":
            return OTHER_EVIDENCE[self.status]
        if self.rocq:
            return PART if self.formal else WHOLE
        if self.exhaustive:
            return EXHAUSTION
        if self.lemma:
            return LEMMA
        return STEPS if self.proof else ARGUMENT

    def _parts(self) -> Iterator[Part]:
        """Its name with what is known of it, its words, and its evidence."""
        facts = [self.status]
        if self.status == "proved":
            facts.append(self.evidence)
        if self.formal:
            facts.append(f"by machine: {self.formal}")
        if self.scope:
            facts.append(self.scope)
        if self.sharpened:
            facts.append(f"see {self.sharpened}")
        yield Verbatim(f"{self.name} ({'; '.join(facts)})")
        if self.source:
            source = f" [{self.source}]"
        else:
            source = ""
        yield f"    {self.statement}{source}"
        if evidence := "; ".join(self._rests_on()):
            yield f"    {evidence}"

    def _rests_on(self) -> Iterator[str]:
        """What it rests on, in words."""
        yield from (f"proof: proofs/{module}.py" for module in self.proof)
        yield from filter(None, [self.argument])
        if self.rocq:
            yield f"Rocq: {', '.join(self.rocq)}"
        for arguments, facts in self.checked.items():
            if "members" in facts:
                yield f"checked: {arguments}, {whole(facts['members'])} members"
        yield from filter(None, [self.note])
        if self.counterexample:
            matrices, *witness = self.counterexample.items()
            words = "".join(f", {name} {value}" for name, value in witness)
            yield f"counterexample: n = {matrices[1]['n']}{words}"

    def _facts(self) -> dict[str, Any]:
        """What is known, without empty fields.

        >>> STATEMENTS["rd-max-value"].to_json()["sharpened"]
        'rd-max'
        """
        fields = {"name": self.name, "status": self.status, "evidence": self.evidence}
        return fields | {key: value for key, value in asdict(self).items() if value}


def read(text: str, evidence: Mapping[str, Mapping[str, Any]]) -> dict[str, Statement]:
    """The statements of a TOML text, by name, with their evidence.

    Raises ValueError naming the entry: a name that occurs twice, a field that does not exist, no words, another status,
    a range of a statement that is not about tables.

    >>> found = read("['a-{x}']\\nstatement = 'n > {x}'\\nstatus = 'open'\\neach = [{x = 1}, {x = 2}]", {})
    >>> [known.statement for known in found.values()]
    ['n > 1', 'n > 2']
    """
    statements: dict[str, Statement] = {}
    for family, entry in tomllib.loads(text).items():
        for name, values in _members(family, entry):
            if name in statements:
                raise ValueError(f"statement {name!r} occurs twice")
            if unknown := set(values) - {x.name for x in fields(Statement)}:
                raise ValueError(f"statement {name!r} has unknown fields: {', '.join(sorted(unknown))}")
            if values.get("status") not in STATUSES:
                raise ValueError(f"statement {name!r} must have a status of {', '.join(STATUSES)}")
            if not values.get("statement"):
                raise ValueError(f"statement {name!r} must say something")
            if "on" in values and {"formula", "checked"} & set(values):
                raise ValueError(
                    f"statement {name!r} must have no formula and no range, because it has on = {values['on']}"
                )
            facts = evidence.get(name, {})
            for key in ("rocq", "checked"):
                values[key] = {x: facts.get(key, {}).get(x, {}) for x in values.get(key, ())}
            values["proof"] = tuple(values.get("proof", ()))
            values.setdefault("counterexample", facts.get("counterexample", {}))
            values["used_by"] = tuple(facts.get("used_by", ()))
            statements[name] = Statement(**values, name=name, family=family, seal=facts.get("seal", ""))
    return statements


def _members(family: str, entry: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name and the fields of each member of an entry."""
    common = {key: value for key, value in entry.items() if key != "each"}
    if "each" not in entry:
        yield family, common
    for letters in entry.get("each", ()):
        texts = {key: common[key].format(**letters) for key in ("statement", "formula") if key in common}
        own = {key: value for key, value in letters.items() if key == "counterexample"}
        yield family.format(**letters), common | texts | own


def _stored() -> Mapping[str, Statement]:
    text = (HERE / "statements.toml").read_text(encoding="utf-8")
    return MappingProxyType(read(text, json.loads((HERE / "evidence.json").read_text(encoding="utf-8"))))


STATEMENTS: Mapping[str, Statement] = _stored()
"""Every statement, by name."""


def refuse_uncheckable(name: str) -> None:
    """Raise UnsupportedError if ``name`` is a statement on record that is not about a class of tables.

    >>> refuse_uncheckable("ard-metric")
    Traceback (most recent call last):
    ...
    confmat.errors.UnsupportedError: statement 'ard-metric' is on triples of clusterings, which check does not \
enumerate: see its counterexample in confmat conjectures
    """
    entry = STATEMENTS.get(name)
    if entry is not None and entry.on:
        evidence = {"proved": "proof", "open": "note"}.get(entry.status, "counterexample")
        raise UnsupportedError(
            f"statement {name!r} is on {entry.on}, which check does not enumerate: see its {evidence} in "
            "confmat conjectures"
        )
