"""Registry of statements: which are proved, verified, open or refuted, and their evidence.

``statements.toml`` contains the text, range and status of every statement. ``evidence.json`` contains data that
``python -m proofs --write`` computes from the proofs, the checks and the code.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from confmat._display import Answer, Part, Verbatim
from confmat._display.sheets import whole
from confmat.errors import UnsupportedError

HERE = Path(__file__).parent

# Kinds of evidence of a proved statement, the strongest first.
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
    """Statement on record, with its status and its evidence.

    Attributes
    ----------
    status : {"proved", "verified", "open", "refuted"}
        "verified" means checked for all matrices of the ranges ``checked``, and open for larger ones.
    formula : str
        The statement as `Conjecture` accepts it, for tables whose n, r and s satisfy the condition ``where``.
    on : str
        Subject of a statement that is not about a class of tables, such as "triples of clusterings". `check` does
        not accept it.
    scope : str
        Restriction of the status, such as "proved for n >= 2000".
    proof : tuple of str
        Modules of the directory proofs.
    argument : str
        Proof in words. It has one line if ``lemma`` is True.
    exhaustive : bool
        True if the statement is about the ranges ``checked`` only.
    rocq : dict
        Names of theorems of proofs/rocq, each with the digest of its text and of its definitions.
    formal : str
        Part of the statement that these theorems prove, if it is not the whole.
    evidence : str
        Kind of proof, one of ``PROOFS``, or another description.
    checked : dict
        Ranges of ``confmat check NAME`` with the number of matrices (``members``) and the ``digest`` of the result.
    counterexample : dict
        The smallest counterexample of a refuted statement.
    sharpened : str
        Name of a corrected statement that is true.
    used_by : tuple of str
        Functions that rely on the statement.
    family : str
        Name of the entry of ``statements.toml`` that defines this statement together with others.
    seal : str
        Digest of text, status, scope and formal part of the statement at the time when the evidence was computed.

    Examples
    --------
    >>> known = STATEMENTS["med-max-empty"]
    >>> known.statement
    'if empty rows and columns are allowed, the largest n MED is n - ceil(n/s) for every n and r <= s'
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
        """Return the kind of proof or, if there is none, a description of the other evidence.

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
        """Yield the parts of the printed text: the name and status, the statement, and the evidence."""
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
        """Yield the evidence in words."""
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
        """Return the fields of the JSON output, without empty fields.

        >>> STATEMENTS["rd-max-value"].to_json()["sharpened"]
        'rd-max'
        """
        fields = {"name": self.name, "status": self.status, "evidence": self.evidence}
        return fields | {key: value for key, value in asdict(self).items() if value}


def read(text: str, evidence: Mapping[str, Mapping[str, Any]]) -> dict[str, Statement]:
    """Return the statements of a TOML text by name, with their evidence.

    >>> found = read("['a-{x}']\\nstatement = 'n > {x}'\\nstatus = 'open'\\neach = [{x = 1}, {x = 2}]", {})
    >>> [known.statement for known in found.values()]
    ['n > 1', 'n > 2']
    """
    statements: dict[str, Statement] = {}
    for family, entry in tomllib.loads(text).items():
        for name, values in _members(family, entry):
            facts = evidence.get(name, {})
            for key in ("rocq", "checked"):
                values[key] = {x: facts.get(key, {}).get(x, {}) for x in values.get(key, ())}
            values["proof"] = tuple(values.get("proof", ()))
            values.setdefault("counterexample", facts.get("counterexample", {}))
            values["used_by"] = tuple(facts.get("used_by", ()))
            statements[name] = Statement(**values, name=name, family=family, seal=facts.get("seal", ""))
    return statements


def _members(family: str, entry: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the fields of each statement that the entry ``family`` of the TOML text defines."""
    common = {key: value for key, value in entry.items() if key != "each"}
    if "each" not in entry:
        yield family, common
    for letters in entry.get("each", ()):
        texts = {key: common[key].format(**letters) for key in ("statement", "formula") if key in common}
        own = {key: value for key, value in letters.items() if key == "counterexample"}
        yield family.format(**letters), common | texts | own


def _stored() -> Mapping[str, Statement]:
    """Return the statements of the package by name."""
    text = (HERE / "statements.toml").read_text(encoding="utf-8")
    return MappingProxyType(read(text, json.loads((HERE / "evidence.json").read_text(encoding="utf-8"))))


STATEMENTS: Mapping[str, Statement] = _stored()
"""Every statement, by name."""


def refuse_uncheckable(name: str) -> None:
    """Raise UnsupportedError if ``name`` is a statement on record that is not about a class of tables.

    >>> refuse_uncheckable("ard-metric")
    Traceback (most recent call last):
    ...
    confmat.errors.UnsupportedError: statement 'ard-metric' is about triples of clusterings, which check does not \
enumerate. See its counterexample in confmat conjectures
    """
    entry = STATEMENTS.get(name)
    if entry is not None and entry.on:
        evidence = {"proved": "proof", "open": "note"}.get(entry.status, "counterexample")
        raise UnsupportedError(
            f"statement {name!r} is about {entry.on}, which check does not enumerate. See its {evidence} in "
            "confmat conjectures"
        )
