"""Measure the wording of docstrings, messages, pages and names of tests; fail if a number exceeds its limit.

    python tests/wording.py           print the numbers beside their limits
    python tests/wording.py --list    print each place as well; --list PART only those of files whose path has PART
    python tests/wording.py --write   lower the limits in wording.toml to the current numbers

The rules are in CONTRIBUTING.md, the terms and the limits in wording.toml. A limit may only fall.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CONFIG = Path(__file__).with_name("wording.toml")

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

# Occurrences per 1000 words of prose. "where m = n MED" after a formula is standard.
RATES = {
    "what": r"\bwhat\b",
    "where": r"\bwhere\b(?!\s+\w+\s+=)",
    "semicolon": r";",
    "return": r"\breturns?\b",
}

# Parts of a docstring that are no prose: examples, literals, headings of sections, types of parameters.
NOT_PROSE = (
    r"^[ \t]*>>>.*(?:\n(?![ \t]*\n).*)*",
    r"``.*?``|`[^`\n]*`|\"[^\"\n]*\"",
    r"^[ \t]*[A-Z][A-Za-z ]+\n[ \t]*-{3,}[ \t]*$",
    r"^[ \t]*[\w*][\w, *]* : .*$",
    r"^={3,}(?: +={3,})+$.*?^={3,}(?: +={3,})+$\n(?:.*?^={3,}(?: +={3,})+$)?",  # tables
)
# Parts of a page that are no prose: fenced and indented code, and the above.
NOT_PROSE_OF_PAGE = (r"^```.*?^```", r"^(?: {4}|\t)+\S.*$", *NOT_PROSE)


class Place(NamedTuple):
    """A violation of a rule."""

    path: Path
    line: int
    rule: str
    text: str


class Wording:
    """The violations and the rates of the texts that were read."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.places: list[Place] = []
        self.words: Counter[str] = Counter()
        self.longest = config["longest_sentence"]
        self.first_words = set(config["forbidden_first_words"])
        self.verbs = set(config["verbs"])
        self.allowed = [re.compile(pattern, re.I) for pattern in config["allowed"]]
        self.terms = {term: re.compile(rf"\b(?:{ours})\b", re.I) for ours, term in config["terms"].items()}

    def add(self, path: Path, line: int, rule: str, text: str) -> None:
        self.places.append(Place(path, line, rule, " ".join(text.split())[:100]))

    def read_terms(self, path: Path, line: int, text: str, rule: str) -> None:
        """Count words that have a standard term."""
        for pattern in self.allowed:
            text = pattern.sub(" ", text)
        for term, pattern in self.terms.items():
            for found in pattern.finditer(text):
                if not found.group().isupper():
                    at = line + text[: found.start()].count("\n")
                    self.add(path, at, rule, f"{found.group()!r}: use {term}")

    def read_prose(self, path: Path, line: int, prose: str, rule: str) -> None:
        """Count long sentences, frequent words and terms."""
        self.words["all"] += len(re.findall(r"[A-Za-z][\w'-]*", prose))
        for name, pattern in RATES.items():
            self.words[name] += len(re.findall(pattern, prose, re.I))
        for sentence in re.split(r"[.!?:](?:\s|$)|\n\s*\n|\n\s*[-*] ", prose):
            words = re.findall(r"[A-Za-z][\w'-]*", sentence)
            if len(words) > self.longest:
                self.add(path, line, "long sentence", f"{len(words)} words: {sentence}")
        self.read_terms(path, line, prose, rule)

    def read_module(self, path: Path, public: set[str]) -> None:
        """Read the docstrings and the error messages of a module with these public names."""
        tree = ast.parse(path.read_text())
        for name, node in [("", tree), *definitions(tree.body)]:
            docstring = ast.get_docstring(node)
            line = getattr(node, "lineno", 1)
            is_public = name.split(".")[0] in public and not name.split(".")[-1].startswith("_")
            if docstring is None:
                if is_public or not name:
                    self.add(path, line, "no docstring", name or "module")
                continue
            self._read_first_word(path, node, docstring)
            self.read_prose(path, line, without(docstring, NOT_PROSE), "term in docstring")
            if is_public and isinstance(node, FUNCTIONS):
                for section in missing_sections(node, docstring):
                    self.add(path, line, f"no section {section}", name)
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                for text in filter(None, map(literal, node.exc.args)):
                    self.read_terms(path, node.lineno, text, "term in message")
                    if ";" in text:
                        self.add(path, node.lineno, "semicolon in message", text)

    def _read_first_word(self, path: Path, node: ast.AST, docstring: str) -> None:
        found = re.match(r"\W*(\w+)", docstring)
        word = found.group(1) if found else ""
        line = getattr(node, "lineno", 1)
        if word.lower() in self.first_words:
            self.add(path, line, "first word", docstring)
        elif isinstance(node, FUNCTIONS) and not is_property(node) and word not in self.verbs:
            self.add(path, line, "first word is not a verb", docstring)

    def read_page(self, path: Path) -> None:
        """Read a page in Markdown."""
        self.read_terms(path, 1, without(path.read_text(), NOT_PROSE_OF_PAGE), "term in page")

    def read_tests(self, path: Path) -> None:
        """Read the names of tests."""
        for name, node in definitions(ast.parse(path.read_text()).body):
            if re.search(r"(^|_)what(ever)?(_|$)", name.split(".")[-1]) and "test_" in name:
                self.add(path, node.lineno, "what in the name of a test", name)

    def numbers(self) -> dict[str, float]:
        """Return the number of violations of each rule, and the rates per 1000 words."""
        numbers: dict[str, float] = dict(sorted(Counter(place.rule for place in self.places).items()))
        for name in RATES:
            numbers[f"{name} per 1000 words"] = round(1000 * self.words[name] / self.words["all"], 2)
        return numbers


def definitions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Definition]]:
    """Yield the qualified names and the nodes of functions, methods and classes of a module."""
    for node in body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield prefix + node.name, node
        if isinstance(node, ast.ClassDef):
            yield from definitions(node.body, f"{prefix}{node.name}.")


def without(text: str, patterns: tuple[str, ...]) -> str:
    """Return a text without what matches a pattern; its lines keep their numbers."""
    for pattern in patterns:
        text = re.sub(
            pattern,
            lambda found: "\n" * found.group().count("\n") or " x ",
            text,
            flags=re.M | re.S if pattern.startswith(("^```", "``", "^=")) else re.M,
        )
    return text


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a method is a property."""
    names = {getattr(each, "id", getattr(each, "attr", "")) for each in node.decorator_list}
    return bool(names & {"property", "cached_property"})


def missing_sections(node: ast.FunctionDef | ast.AsyncFunctionDef, docstring: str) -> list[str]:
    """Return the numpydoc sections that the docstring of a public function lacks."""
    if is_property(node):
        return []
    required = ["Examples"]
    arguments = node.args
    named = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    if any(each is not None and each.arg not in ("self", "cls") for each in named):
        required.append("Parameters")
    if node.returns is not None and ast.unparse(node.returns) not in ("None", "NoReturn"):
        yields = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))
        required.append("Yields" if yields else "Returns")
    return [name for name in required if not re.search(rf"^[ \t]*{name}\n[ \t]*-{{3,}}", docstring, re.M)]


def literal(node: ast.expr) -> str | None:
    """Return the text of a string or an f-string, with {} for each expression; None for another node."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def public_names(package: Path) -> dict[Path, set[str]]:
    """Return the public names by the file that defines them: names of ``__all__``, and their imports."""
    names: dict[Path, set[str]] = {}
    for path in sorted(package.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            if any(getattr(target, "id", "") == "__all__" for target in targets):
                found = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
                names.setdefault(path, set()).update(map(str, found))
    stubs = [*package.rglob("__init__.pyi"), *package.rglob("__init__.py")]
    for path in stubs:
        for node in ast.parse(path.read_text()).body:
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            if not (node.level or node.module.startswith(package.name)):
                continue
            parts = node.module.split(".")[0 if node.level else 1 :]
            target = (path.parent if node.level else package).joinpath(*parts)
            file = target / "__init__.py" if target.is_dir() else target.with_suffix(".py")
            imported = {each.name for each in node.names if not each.name.startswith("_")}
            if path.suffix == ".py":
                imported &= names.get(path, set())
            names.setdefault(file, set()).update(imported)
    return names


def measured(config: dict[str, Any]) -> Wording:
    """Return the wording of this project."""
    wording = Wording(config)
    package = ROOT / "confmat"
    public = public_names(package)
    for path in sorted(package.rglob("*.py")):
        wording.read_module(path, public.get(path, set()))
    for path in [ROOT / "README.md", *sorted((ROOT / "notebooks").rglob("*.md"))]:
        wording.read_page(path)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        wording.read_tests(path)
    return wording


def main() -> int:
    """Print the numbers; return 1 if one exceeds its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--list", nargs="?", const="", help="print each place, or those of some files")
    parser.add_argument("--write", action="store_true", help="lower the limits to the current numbers")
    options = parser.parse_args()
    config = tomllib.loads(CONFIG.read_text())
    wording = measured(config)
    if options.list is not None:
        for place in wording.places:
            path = str(place.path.relative_to(ROOT))
            if options.list in path:
                print(f"{path}:{place.line}: {place.rule}: {place.text}")
    limits = config["limits"]
    numbers = wording.numbers()
    if options.write:
        lowered = {}
        for name, number in numbers.items():
            least = config["goals"].get(name, 0)  # a limit at its goal stays there
            lowered[name] = least if name in config["at_least"] else max(least, min(number, limits[name]))
        head = CONFIG.read_text().split("[limits]")[0].rstrip()
        lines = [f'"{name}" = {number}' for name, number in lowered.items()]
        CONFIG.write_text("\n".join([head, "", "[limits]", *lines, ""]))
        return 0
    failed = False
    for name, number in numbers.items():
        limit = limits.get(name, 0)
        exceeded = number < limit if name in config["at_least"] else number > limit
        failed |= exceeded
        print(f"{name:32}{number:10}   limit {limit:8}{'   EXCEEDED' if exceeded else ''}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
