"""Digests of the theorems in ``proofs/rocq``, with the assumptions of their sections and the definitions they use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).with_name("rocq")

_COMMENT = re.compile(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", re.DOTALL)
_NAMED = re.compile(r"(Theorem|Lemma|Corollary|Definition|Fixpoint|Notation|Let|Record)\s+\"?([\w']+)")
_ASSUMED = re.compile(r"(Variables?|Hypothes[ie]s|Context|Implicit Types?)\b")
_STATED = ("Theorem", "Lemma", "Corollary")


def sentences(source: str) -> list[str]:
    """Return the sentences of a Rocq file without comments. Spaces are collapsed."""
    while (without := _COMMENT.sub(" ", source)) != source:  # innermost first: comments nest
        source = without
    return [" ".join(sentence.split()) for sentence in re.split(r"\.(?=\s)", source)]


def _read(module: str, source: str) -> Iterator[tuple[str, str, str]]:
    """Yield kind, name and text of everything that a file states or defines.

    The text begins with the assumptions of the open sections.
    """
    sections: list[list[str]] = [[]]
    for sentence in sentences(source):
        sentence = re.sub(r"^(Local|Global|#\[\w+\]) ", "", sentence)
        if re.match(r"Section\b", sentence):
            sections.append([])
        elif re.match(r"End\b", sentence):
            sections.pop()
        elif _ASSUMED.match(sentence):
            sections[-1].append(sentence)
        elif found := _NAMED.match(sentence):
            kind, name = found.groups()
            assumed = [line for section in sections for line in section]
            yield kind, f"{module}.{name}" if kind in _STATED else name, "\n".join([*assumed, sentence])


def digests(folder: Path = HERE) -> dict[str, str]:
    """Return sixteen hexadecimal digits for each theorem and lemma, by name.

    They depend on its text and on every definition that it uses, directly or through other definitions. The digest
    changes if hypotheses, conclusion or words change, but not if the proof changes.
    """
    stated: dict[str, str] = {}
    defined: dict[str, str] = {}
    for file in sorted(folder.glob("*.v")):
        for kind, name, text in _read(file.stem, file.read_text(encoding="utf-8")):
            (stated if kind in _STATED else defined).setdefault(name, "")
            (stated if kind in _STATED else defined)[name] += text + "\n"

    def meaning(text: str) -> str:
        mentioned: set[str] = set()
        left = set(re.findall(r"[\w']+", text)) & set(defined)
        while left:
            mentioned |= left
            left = {
                w for name in left for w in re.findall(r"[\w']+", defined[name]) if w in defined
            } - mentioned
        return text + "".join(defined[name] for name in sorted(mentioned))

    return {name: sha256(meaning(text).encode()).hexdigest()[:16] for name, text in stated.items()}


def main_theorems(folder: Path = HERE) -> list[str]:
    """Return the theorems whose assumptions ``rocq/check`` prints, as "File.name"."""
    lines = (folder / "main_theorems").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
