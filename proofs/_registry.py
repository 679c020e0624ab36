"""What each statement of the registry rests on, computed; and the tables that are written from it.

``python -m proofs --write`` writes ``confmat/conjectures/evidence.json`` and the tables of README.md and
proofs/README.md; ``--all`` repeats the checks that take minutes as well.
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
from confmat.cli.check import parse_shapes, parse_sizes
from confmat.conjectures import LITERATURE, Certificate, Counterexample, check, domain
from confmat.conjectures.registry import HERE, Statement, read
from proofs._rocq import digests

ROOT = Path(__file__).parents[1]
SOURCES = Path(confmat.__file__).parent
EVIDENCE = HERE / "evidence.json"

Evidence = dict[str, dict[str, Any]]

# Where the code names a statement: statement `med-max` in a docstring or a basis, Theorem("med-max", ...) in a record.
_NAMED = re.compile(r"statement\s+`([^`]+)`|Theorem\(\s*\"([^\"]+)\"")


# --- evidence -------------------------------------------------------------------------------------


def statements() -> dict[str, Statement]:
    """The registry as it stands in its files now."""
    return read((HERE / "statements.toml").read_text(encoding="utf-8"), stored())


def stored() -> Evidence:
    """The evidence that was written last."""
    found: Evidence = json.loads(EVIDENCE.read_text(encoding="utf-8"))
    return found


def evidence(everything: bool = False) -> Evidence:
    """What is known of each statement.

    The first range of ``checked`` is checked again; of the others, and of certified values, which take minutes, the
    digests are those of the last time, unless ``everything``.
    """
    before, rocq, users = stored(), digests(), mentions()
    known: Evidence = {}
    for name, statement in statements().items():
        old = before.get(name, {})
        facts: dict[str, Any] = {"rocq": {x: rocq[x] for x in statement.rocq if x in rocq}}
        facts["checked"] = {}
        for i, arguments in enumerate(statement.checked):
            again = everything or i == 0
            facts["checked"][arguments], found = _checked(name, arguments, again)
            if not again:
                facts["checked"][arguments]["digest"] = (
                    old.get("checked", {}).get(arguments, {}).get("digest")
                )
            if isinstance(found, Counterexample):
                facts["counterexample"] = {"class": found.matrices.to_json()} | _lists(found.witness)
        facts["certified"] = {
            x: certified(x) if everything else old.get("certified", {}).get(x) for x in statement.certified
        }
        facts["used_by"] = sorted(users.get(name, ()))
        known[name] = {key: value for key, value in facts.items() if value}
    return known


def _checked(name: str, arguments: str, again: bool) -> tuple[dict[str, Any], Any]:
    """The members of a range, the digest of the answer, and the answer, if it is checked again."""
    conjecture = LITERATURE[name]
    _, shapes, _, sizes = arguments.split()
    classes = domain(conjecture, list(parse_shapes(shapes)), parse_sizes(sizes))
    answer = check(conjecture, classes) if again else None
    facts: dict[str, Any] = {}
    if not isinstance(answer, Counterexample):
        facts["members"] = sum(matrices.count() for matrices in classes)
    if answer is not None:
        facts["digest"] = digest(answer, conjecture.statement)
    return facts, answer


def digest(answer: Certificate | Counterexample, text: str) -> str:
    """That of a certificate, which seals the text of the statement; of a counterexample and the text it refutes."""
    if isinstance(answer, Certificate):
        return answer.digest
    return sha256(f"{text}\n{answer.to_json()}".encode()).hexdigest()


def _lists(witness: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(dict(witness), default=str))
    return found


def certified(arguments: str) -> str:
    """Digest of the certified largest ARD of a shape at each n of a range, "3x5 --n ..55"."""
    from confmat.classes import Tables
    from confmat.search import maximize

    shape, _, sizes = arguments.split()
    ((r, s),) = parse_shapes(shape)
    found = (maximize(Tables(n, r, s), "ard") for n in parse_sizes(sizes) if n >= max(r, s))
    return sha256("\n".join(f"{x.matrices.n} {x.value}" for x in found).encode()).hexdigest()


def mentions() -> dict[str, set[str]]:
    """The functions, classes and modules whose text names a statement, by the name of the statement."""
    users: dict[str, set[str]] = {}
    for file in sorted(SOURCES.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        for place, text in _parts(source):
            for found in _NAMED.finditer(text):
                module = ".".join(file.relative_to(SOURCES.parent).with_suffix("").parts)
                where = module.removesuffix(".__init__") + place
                users.setdefault(found[1] or found[2], set()).add(where)
    return users


def _parts(source: str) -> Iterator[tuple[str, str]]:
    """The top-level definitions of a module, ".name" and text; "" for the rest, its docstring among it."""
    for node in ast.parse(source).body:
        text = ast.get_source_segment(source, node) or ""
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield f".{node.name}", text
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield f".{node.targets[0].id}", text
        else:
            yield "", text


# --- tables ---------------------------------------------------------------------------------------


def rows(known: Mapping[str, Statement]) -> str:
    """The table of proofs/README.md: one line an entry of statements.toml."""
    lines = ["| Statement | Asked by | Status | Evidence | Used by |", "|---|---|---|---|---|"]
    for _, members in groupby(known.values(), key=lambda statement: statement.family):
        group = list(members)
        cells = [_text(group), group[0].source, _status(group), "; ".join(_evidence(group)), _users(group)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _text(group: list[Statement]) -> str:
    names = ", ".join(f"`{statement.name}`" for statement in group)
    others = f" (and so on for the {len(group)})" if len(group) > 1 else ""
    return f"{names}: {group[0].text}{others}"


def _status(group: list[Statement]) -> str:
    first = group[0]
    words = first.status + (", formally too" if first.rocq else "")
    if first.counterexample:
        matrices = first.counterexample["class"]
        size = matrices["n"], *(matrices[side] for side in ("r", "s") if side in matrices)
        words += f" at {size}" + f": {first.counterexample['matrix']}" * ("matrix" in first.counterexample)
    if first.status == "verified":
        words += ", else open"
    return f"{words} ({first.scope})" if first.scope else words


def _evidence(group: list[Statement]) -> Iterator[str]:
    first = group[0]
    yield from (f"[{module}]({module}.py)" for module in first.proof)
    for file in dict.fromkeys(theorem.split(".")[0] for theorem in first.rocq):
        theorems = [x.split(".")[1] for x in first.rocq if x.startswith(f"{file}.")]
        yield f"[{file}.v](rocq/{file}.v): " + ", ".join(f"`{x}`" for x in theorems)
    yield from filter(None, (first.argument, first.note))
    for arguments, facts in first.checked.items():
        members = f": {facts['members']:,} members" if "members" in facts else ""
        yield f"`confmat check {first.name} {arguments}`{members}"
    if first.certified:
        yield "certified maxima: " + ", ".join(x.replace(" --n ..", ", n <= ") for x in first.certified)


def _users(group: list[Statement]) -> str:
    return ", ".join(f"`{user}`" for user in dict.fromkeys(u for x in group for u in x.used_by))


def summary(known: Mapping[str, Statement]) -> str:
    """The table of README.md: the titles of the statements, by what is known."""
    kinds = {
        "Proved, by machine too (Rocq, without axioms)": lambda x: x.status == "proved" and x.rocq,
        "Proved": lambda x: x.status == "proved" and not x.rocq,
        "Verified on every table of the sizes stated, else open": lambda x: x.status == "verified",
        "Open": lambda x: x.status == "open",
        "Refuted, with the smallest counterexample": lambda x: x.status == "refuted",
    }
    lines = ["| | Statements |", "|---|---|"]
    for kind, belongs in kinds.items():
        titles = [x.title for x in known.values() if x.title and belongs(x)]
        if titles:
            lines.append(f"| {kind} | {'; '.join(dict.fromkeys(titles))} |")
    return "\n".join(lines)


def tables(known: Mapping[str, Statement]) -> dict[Path, str]:
    """The files that hold a table, with the text that they should have."""
    files = {ROOT / "README.md": summary(known), ROOT / "proofs" / "README.md": rows(known)}
    return {file: _replaced(file.read_text(encoding="utf-8"), table) for file, table in files.items()}


def _replaced(text: str, table: str) -> str:
    """The text with another table between its two marks."""
    start, end = "<!-- statements -->\n", "\n<!-- end of statements -->"
    before, _, rest = text.partition(start)
    return before + start + table + end + rest.partition(end)[2]


def write(everything: bool = False) -> None:
    """Compute the evidence and write it, and the tables."""
    lines = (f" {json.dumps(name)}: {json.dumps(facts)}" for name, facts in evidence(everything).items())
    EVIDENCE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    for file, text in tables(statements()).items():
        file.write_text(text, encoding="utf-8")
