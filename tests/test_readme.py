"""What the README shows is what happens."""

import doctest
import re
import shlex
from pathlib import Path

import pandas
import pytest
import typer
from command_line import succeed

import confmat as cm
from confmat.cli.app import application

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_python_examples():
    blocks = re.findall(r"^```python\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", "README.md", 0)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("line", re.findall(r"^    (confmat [^#\n]*)", README, flags=re.MULTILINE))
def test_command_lines_can_be_parsed(line):
    _, name, *arguments = shlex.split(line)
    command = typer.main.get_command(application()).commands[name]
    command.make_context(name, arguments)


def of_labels():
    """The lines of README that take its file of labels."""
    return [
        line.strip()
        for line in re.findall(r"^    (confmat [^#\n]* labels\.csv [^#\n]*)", README, re.MULTILINE)
    ]


@pytest.mark.parametrize("line", of_labels())
def test_the_file_of_labels_works_for_all_its_commands(line, confmat, monkeypatch):
    monkeypatch.chdir(ROOT / "notebooks")
    assert succeed(confmat(*shlex.split(line)[1:]))


def test_the_first_line_is_the_example():
    assert len(of_labels()) == 3
    labels = pandas.read_csv(ROOT / "notebooks" / "labels.csv")
    for name in ("truth", "a"):
        assert f'list("{"".join(labels[name])}")' in README
    ari = re.search(r"adjusted Rand index of (\d\.\d\d)", README)[1]
    assert f"{cm.ari(labels['truth'], labels['a']):.2f}" == ari


@pytest.mark.parametrize(
    "line",
    [
        "python -m pip install . && confmat table 20 3 3",
        "python -m pip install -e '.[dev]' && python -m pytest",
    ],
)
def test_the_two_commands_are_those_of_the_ci(line):
    assert f"    {line}\n" in README
    assert line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_links_lead_somewhere():
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert targets
    for target in targets:
        assert (ROOT / target).exists(), target


def test_short_and_its_pages_link():
    assert len(README.split()) < 1000
    for page in (ROOT / "notebooks" / "pages").glob("*.md"):
        assert f"(notebooks/pages/{page.name})" in README
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_citation_has_the_version_and_the_title_of_the_page_that_shows_it():
    entry = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    version, title = (
        re.search(r'^version: "(.*)"$', entry, re.MULTILINE)[1],
        re.search('title: "(.*)"', entry)[1],
    )
    page = (ROOT / "notebooks" / "pages" / "citing.md").read_text(encoding="utf-8")
    assert version == cm.__version__
    assert f"*{title}*, version {version}." in page
