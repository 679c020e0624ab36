"""Evidence of each statement in the registry, checks that statements, proofs and code agree, and tables of statements.

``python -m proofs --write`` writes ``confmat/conjectures/evidence.json`` and the tables of README.md and
proofs/README.md. With ``--all`` it also repeats the checks that take minutes.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import confmat
from confmat.conjectures import LITERATURE, Certificate, check, domain
from confmat.conjectures.registry import HERE, PROOFS, Statement, read
from proofs import modules
from proofs._rocq import digests, main_theorems

ROOT = Path(__file__).parents[1]
SOURCES = Path(confmat.__file__).parent
TEXTS, EVIDENCE = HERE / "statements.toml", HERE / "evidence.json"

Known = Mapping[str, Statement]

# How the tables call what is not proved.
HEADS = {
    "verified": "Verified on every table of the sizes stated, open beyond",
    "open": "Open: no proof, no counterexample at the sizes stated",
    "refuted": "Refuted, with the smallest counterexample",
}

# Where the code names a statement: statement `med-max` in a docstring or a basis, Theorem("med-max", ...) in a record.
_NAMED = re.compile(r"statement\s+`([^`]+)`|Theorem\(\s*\"([^\"]+)\"")


def statements() -> dict[str, Statement]:
    """Return the statements in the current files of the registry."""
    return read(TEXTS.read_text(encoding="utf-8"), json.loads(EVIDENCE.read_text(encoding="utf-8")))


# --- evidence -------------------------------------------------------------------------------------


def evidence(known: Known, ranges: int | None) -> dict[str, dict[str, Any]]:
    """Compute the evidence of each statement: digests, theorems in Rocq, results of checks, and users in the code.

    The first ``ranges`` of the ranges on which a statement is checked are checked again. None means all of them,
    which takes minutes. Results of the other ranges are those of the last time. They are computed again if an
    earlier range of the same statement has a new digest, because outcomes are then written in another way.
    """
    rocq, users = digests(), mentions()
    found = {}
    for name, statement in known.items():
        counterexample, answers = statement.counterexample, {}
        is_another = False
        for i, (arguments, last) in enumerate(statement.checked.items()):
            if ranges is None or i < ranges or is_another:
                answers[arguments], counterexample = checked(name, arguments)
                is_another = answers[arguments] != last
            else:
                answers[arguments] = (last or {}) | members(name, arguments)
        facts = {
            "seal": seal(statement),
            "rocq": {theorem: rocq.get(theorem) for theorem in statement.rocq},
            "checked": answers,
            "counterexample": {} if statement.on else counterexample,
            "used_by": sorted(users.get(name, ())),
        }
        found[name] = {key: value for key, value in facts.items() if value}
    return found


def seal(statement: Statement) -> str:
    """Return the digest of the words, status, scope and formal part of a statement."""
    said = f"{statement.status}\n{statement.scope}\n{statement.formal}\n{statement.statement}"
    return sha256(said.encode()).hexdigest()[:16]


def checked(name: str, arguments: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the number of members and a digest of ``confmat check NAME ARGUMENTS``, and the counterexample.

    The digest is that of the statement, the outcomes of all classes, and the counterexample. Without a
    counterexample the second dict is empty.
    """
    conjecture = LITERATURE[name]
    answer = check(conjecture, domain(conjecture, arguments))
    said = [conjecture.statement, [entry.to_json() for entry in answer.entries]]
    if isinstance(answer, Certificate):
        return {"members": answer.covered, "digest": _digest(said)}, {}
    found = json.loads(json.dumps({"class": answer.matrices.to_json()} | dict(answer.witness), default=str))
    return {"digest": _digest([*said, answer.detail, found])}, found


def _digest(content: Any) -> str:
    return sha256(json.dumps(content).encode()).hexdigest()


def members(name: str, arguments: str) -> dict[str, Any]:
    """Return the number of members of a range in closed form, or an empty dict for a refuted statement.

    The check of a refuted statement stops at the counterexample.
    """
    if LITERATURE[name].status == "refuted":
        return {}
    return {"members": sum(matrices.count() for matrices in domain(LITERATURE[name], arguments))}


def mentions() -> dict[str, set[str]]:
    """Return for each statement the names of functions, classes and modules whose source mentions it."""
    users: dict[str, set[str]] = {}
    for file in sorted(SOURCES.rglob("*.py")):
        module = ".".join(file.relative_to(SOURCES.parent).with_suffix("").parts).removesuffix(".__init__")
        for place, text in _parts(file.read_text(encoding="utf-8")):
            for named in _NAMED.finditer(text):
                users.setdefault(named[1] or named[2], set()).add(module + place)
    return users


def _parts(source: str) -> Iterator[tuple[str, str]]:
    """Yield a name such as ".f" and the source of each top-level definition of a module.

    All other top-level statements, among them the docstring, have the name "".
    """
    if not _NAMED.search(source):
        return
    lines = source.splitlines()
    for node in ast.parse(source).body:
        first = min(part.lineno for part in (*getattr(node, "decorator_list", ()), node))
        text = "\n".join(lines[first - 1 : node.end_lineno])
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield f".{node.name}", text
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield f".{node.targets[0].id}", text
        else:
            yield "", text


# --- what must fit together -----------------------------------------------------------------------


def faults(known: Known) -> list[str]:
    """Return a list of contradictions between statements, evidence, proofs, Rocq, and code that names statements."""
    fresh, main = evidence(known, ranges=0), main_theorems()
    docstrings = {m.__name__.removeprefix("proofs."): " ".join((m.__doc__ or "").split()) for m in modules()}
    found = [f"{name}: {fault}" for name, x in known.items() for fault in _faults(x, fresh[name], docstrings)]
    for name, users in mentions().items():
        if name not in known or known[name].status not in ("proved", "verified"):
            found.append(f"{name}: {', '.join(users)} rely on it, but it is not proved or verified")
    rested_on = [theorem for x in known.values() for theorem in x.rocq]
    found += [f"{x}: no main theorem of proofs/rocq" for x in rested_on if x not in main]
    found += [f"{x}: a main theorem that no statement rests on" for x in main if x not in rested_on]
    proved = [module for x in known.values() for module in x.proof]
    found += [f"{x}: a proof that no statement rests on" for x in docstrings if x not in proved]
    return found


def _faults(statement: Statement, fresh: Mapping[str, Any], docstrings: Mapping[str, str]) -> Iterator[str]:
    if statement.seal != fresh["seal"]:
        yield "its words, status, scope or formal part are not those for which the evidence was computed"
    for key in ("rocq", "checked", "used_by"):
        stored = getattr(statement, key)
        stored = list(stored) if isinstance(stored, tuple) else stored
        if stored != fresh.get(key, type(stored)()) or (key != "used_by" and None in stored.values()):
            yield f"{key} is {stored}, and not what there is: {fresh.get(key)}"
    rests_on = {
        "proved": statement.rocq
        or statement.proof
        or (statement.argument and (statement.checked or statement.on))
        or (statement.exhaustive and statement.checked),
        "verified": statement.checked,
        "open": True,
        "refuted": statement.counterexample,
    }
    if not rests_on[statement.status]:
        yield f"it is {statement.status}, but nothing says so"
    if statement.formal and not statement.rocq:
        yield "a part of it is said to be formal, but no theorem of Rocq is named"
    for module in statement.proof:
        if module not in docstrings:
            yield f"there is no proof proofs/{module}.py"
    if statement.proof and f"Statement `{statement.name}`: {statement.statement}." not in docstrings.get(
        statement.proof[0], ""
    ):
        yield f"proofs/{statement.proof[0]}.py does not state it word for word"


# --- tables ---------------------------------------------------------------------------------------


def rows(known: Known) -> str:
    """Return the table of proofs/README.md with a row for each entry of statements.toml."""
    lines = ["| Statement | Asked by | Status | Evidence | Used by |", "|---|---|---|---|---|"]
    for _, members in groupby(known.values(), key=lambda statement: statement.family):
        group = list(members)
        first = group[0]
        others = " (and so on)" if len(group) > 1 else ""
        words = f"{', '.join(f'`{x.name}`' for x in group)}: {first.statement}{others}"
        users = ", ".join(dict.fromkeys(f"`{user}`" for x in group for user in x.used_by))
        cells = words, first.source, _status(first), "; ".join(_evidence(first)), users
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _status(statement: Statement) -> str:
    words = statement.status
    if words == "proved":
        words += f", {statement.evidence}"
        words += f": {statement.formal}" if statement.formal else ""
    if statement.counterexample:
        matrices = statement.counterexample["class"]
        size = (str(matrices[key]) for key in ("n", "r", "s") if matrices.get(key) is not None)
        words += f" at ({', '.join(size)})"
        words += f": {matrix}" if (matrix := statement.counterexample.get("matrix")) else ""
    words += ", else open" if statement.status == "verified" else ""
    return f"{words} ({statement.scope})" if statement.scope else words


def _evidence(statement: Statement) -> Iterator[str]:
    yield from (f"[{module}]({module}.py)" for module in statement.proof)
    for file, theorems in groupby(statement.rocq, key=lambda theorem: theorem.split(".")[0]):
        yield f"[{file}.v](rocq/{file}.v): " + ", ".join(f"`{x.split('.')[1]}`" for x in theorems)
    yield from filter(None, (statement.argument, statement.note))
    for arguments, facts in statement.checked.items():
        number = f": {facts['members']:,} members" if "members" in facts else ""
        yield f"`confmat check {statement.name} {arguments}`{number}"


def by_evidence(known: Known) -> dict[str, list[Statement]]:
    """Return the statements under each heading of the tables: the kind of proof if proved, otherwise the status."""
    heads: dict[str, list[Statement]] = {f"Proved: {kind}": [] for kind in PROOFS}
    heads |= {HEADS[status]: [] for status in ("verified", "open", "refuted")}
    for statement in known.values():
        head = HEADS.get(statement.status, f"Proved: {statement.evidence}")
        heads[head].append(statement)
    return heads


def summary(known: Known) -> str:
    """Return the table of README.md: the number of statements of each kind."""
    return _by_head({head: str(len(group)) for head, group in by_evidence(known).items()})


def titles(known: Known) -> str:
    """Return the first table of proofs/README.md: titles of statements by kind of evidence, with the sizes checked."""
    titled = {}
    for head, group in by_evidence(known).items():
        titled[head] = "; ".join(dict.fromkeys(x.title + _sizes(x) for x in group if x.title))
    return _by_head({head: names for head, names in titled.items() if names})


def _by_head(cells: Mapping[str, str]) -> str:
    lines = [f"| {head} | {cell} |" for head, cell in cells.items()]
    return "\n".join(["| | Statements |", "|---|---|", *lines])


def _sizes(statement: Statement) -> str:
    """Return the sizes for which an unproved statement was checked, such as " (2x2..5x5, n <= 14)"."""
    if statement.status not in ("verified", "open") or not statement.checked:
        return ""
    ranges = list(statement.checked)[-1:]
    readable = [x.replace(" n=..", ", n <= ") for x in ranges]
    return f" ({', '.join(readable)})"


def tables(known: Known) -> dict[Path, str]:
    """Return the files that contain a table, each with its complete new text."""
    in_full = f"{titles(known)}\n\n{rows(known)}"
    files = {ROOT / "README.md": summary(known), ROOT / "proofs" / "README.md": in_full}
    return {file: _replaced(file.read_text(encoding="utf-8"), table) for file, table in files.items()}


def _replaced(text: str, table: str) -> str:
    """Return ``text`` with ``table`` between its two marks."""
    start, end = "<!-- statements -->\n", "\n<!-- end of statements -->"
    before, _, rest = text.partition(start)
    return before + start + table + end + rest.partition(end)[2]


def write(everything: bool = False) -> None:
    """Compute the evidence, and write it and the tables. ``everything`` repeats also the checks that take minutes."""
    found = evidence(statements(), None if everything else 1)
    lines = (f" {json.dumps(name)}: {json.dumps(facts)}" for name, facts in found.items())
    EVIDENCE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    for file, text in tables(statements()).items():
        file.write_text(text, encoding="utf-8")
