"""Ask the stored questions again and compare the answers.

    python -m tests.kept                 compare; exit code 1 if an answer differs
    python -m tests.kept --slow          the large classes and the papers too (minutes)
    python -m tests.kept --papers        the printed digits of five papers alone
    python -m tests.kept --kind extreme  the questions of some kinds
    python -m tests.kept --write         store the answers of this commit (a maintainer's decision: add --force)

Two processes share the groups of questions. Each difference is printed with its question. The numbers that notebooks
show are compared every time.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import sys
import time
from collections import Counter
from multiprocessing import get_context
from pathlib import Path

from . import printed
from .answering import FAILED, REFUSED, answered
from .questions import drawn_groups, large_groups
from .reading import SEPARATOR

HERE = Path(__file__).parent
STORED = {False: HERE / "answers.json.gz", True: HERE / "large.json.gz"}
PROCESSES = 2
MOST_PRINTED = 40

Answers = dict[str, str]


def load(slow: bool) -> Answers:
    """Return the stored answers by question, those corrected that were wrong."""
    answers: Answers = json.loads(gzip.decompress(STORED[slow].read_bytes()))
    corrected = printed.gone("corrected")
    return {question: corrected.get(question, answer) for question, answer in answers.items()}


def save(slow: bool, answers: Answers) -> None:
    """Store answers so that equal answers make equal files."""
    lines = json.dumps(answers, indent=0, ensure_ascii=True)
    STORED[slow].write_bytes(gzip.compress(lines.encode(), compresslevel=9, mtime=0))


def kind_of(question: str) -> str:
    return question.split(SEPARATOR)[0]


def answers_to(groups: list[list[str]]) -> Answers:
    """Answer all questions, the groups shared between the processes; the order is that of the groups."""
    with get_context("spawn").Pool(PROCESSES) as pool:
        found: Answers = {}
        for part in pool.imap(answered, groups):
            found |= part
    return found


def differences(stored: Answers, found: Answers) -> list[str]:
    """Return a line for each stored answer that is not found again."""
    lines = []
    for question, expected in stored.items():
        if found.get(question) != expected:
            lines.append(f"{question}\n    stored {expected}\n    now    {found.get(question, 'not asked')}")
    return lines


def compare(slow: bool, kinds: str | None) -> int:
    """Compare stored answers with those of this commit; return the number that differ."""
    start = time.perf_counter()
    stored = {q: a for q, a in load(slow).items() if kinds is None or kind_of(q) in kinds.split(",")}
    excused = tuple(printed.gone("questions"))
    left_out = [question for question in stored if question.startswith(excused)] if excused else []
    for question in left_out:
        del stored[question]
    drawn = large_groups() if slow else drawn_groups()
    groups = [[question for question in group if question in stored] for group in drawn]
    found = answers_to([group for group in groups if group])
    lines = differences(stored, found)
    print("\n".join(lines[:MOST_PRINTED]), end="\n" * bool(lines))
    if len(lines) > MOST_PRINTED:
        print(f"... and {len(lines) - MOST_PRINTED} more")
    numbers = Counter(map(kind_of, stored))
    print(", ".join(f"{number} {name}" for name, number in numbers.most_common()))
    seconds = time.perf_counter() - start
    print(f"{len(stored)} stored answers, {len(left_out)} excused, {len(lines)} differ, {seconds:.0f} s")
    return len(lines)


def write(slow: bool, force: bool) -> int:
    """Store the answers of this commit; those that are refusals are left out."""
    if STORED[slow].exists() and not force:
        print(f"{STORED[slow].name} exists: add --force to overwrite the stored answers")
        return 1
    found = answers_to(large_groups() if slow else drawn_groups())
    failed = [f"{question}: {text}" for question, text in found.items() if text.startswith(FAILED)]
    if failed:
        print("\n".join(failed[:MOST_PRINTED]))
        return 1
    kept = {question: found_answer for question, found_answer in found.items() if found_answer != REFUSED}
    save(slow, kept)
    digest = hashlib.sha256(STORED[slow].read_bytes()).hexdigest()
    print(f"{len(kept)} answers stored, {len(found) - len(kept)} refusals left out, {digest}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kept", description=__doc__.splitlines()[0])
    parser.add_argument("--slow", action="store_true", help="the large classes, in addition")
    parser.add_argument("--papers", action="store_true", help="the papers alone")
    parser.add_argument("--kind", help="the questions of some kinds, such as count,rank")
    parser.add_argument("--write", action="store_true", help="store the answers of this commit")
    parser.add_argument("--force", action="store_true", help="overwrite stored answers")
    options = parser.parse_args()
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")  # two processes share the cores
    if options.write:
        return write(options.slow, options.force)
    lines = []
    if options.papers or options.slow:
        lines += printed.compare_papers()
    if not options.kind:
        lines += printed.compare_notebooks()
    print("\n".join(lines), end="\n" * bool(lines))
    failed = len(lines)
    if not options.papers:
        failed += compare(False, options.kind)
    if options.slow:
        failed += compare(True, options.kind)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
