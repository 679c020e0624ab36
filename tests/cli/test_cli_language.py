"""All commands walked: an option name has one metavar and one meaning; help tells what a command is in Python."""

import inspect
import re
from functools import reduce
from importlib import import_module

import pytest
import typer
from command_line import fail, succeed

import confmat as cm
from confmat.cli.app import COMMANDS, application


def commands(group=None, path=()):
    """(name, command) of every command, those of groups as "archive build"."""
    for name, command in (group or typer.main.get_command(application())).commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


EVERY = dict(commands())


def options_of(command):
    """Option name: (metavar or choices, help) of each."""
    for parameter in command.params:
        if parameter.param_type_name == "option":
            said = parameter.metavar or str(parameter.type_descriptor.annotation)
            yield parameter.opts[0], ("flag" if parameter.is_flag else said), parameter.help or ""


# What each option that several commands have is about: a word that every help of it has.
MEANS = {
    "--certificate": "confmat verify",
    "--checkpoint": "[Kk]eep",
    "--columns": "columns with labels",
    "--format": "LaTeX",
    "--given": "Only matrices",
    "--json": "JSON",
    "--matrix": "instead of labels",
    "--na": "Objects without a label",
    "--out": "[Ww]rite|archive",
    "--plan": "compute nothing",
    "--plot": "Draw",
    "--python": "Python file",
    "--seconds": "Stop after S seconds",
    "--seed": "^Seed",
    "--yes": "even",
}


def test_an_option_has_one_metavar_and_one_meaning():
    metavars, helps = {}, {}
    for command in EVERY.values():
        for option, metavar, said in options_of(command):
            metavars.setdefault(option, set()).add(metavar)
            helps.setdefault(option, []).append(said)
    assert {option: found for option, found in metavars.items() if len(found) > 1} == {}
    shared = {option for option, said in helps.items() if len(said) > 1}
    assert shared == set(MEANS)
    for option in shared:
        assert all(re.search(MEANS[option], said) for said in helps[option]), (option, helps[option])


def test_every_command_stands_in_one_of_five_panels(confmat):
    panels = list(dict.fromkeys(place.panel for place in COMMANDS.values()))
    said = succeed(confmat("--help"))
    assert len(panels) == 5
    assert sorted(panels, key=said.index) == panels
    for name in COMMANDS:
        assert re.search(rf"^│ {name} ", said, re.MULTILINE), name


@pytest.mark.parametrize("name", [name for name, place in COMMANDS.items() if place.python])
def test_help_names_the_python_function_and_its_docstring_the_command(confmat, name):
    arguments = [name, "--help"]
    python = COMMANDS[name].python
    assert f"In Python: {python}" in " ".join(succeed(confmat(*arguments)).split()) or name == "archive"
    for text in python.split(", "):
        if text.startswith("confmat."):
            assert import_module(text)
            continue
        found = reduce(getattr, text.removeprefix("cm.").split("."), cm)
        called_otherwise = inspect.isfunction(found) and found.__name__ != name.replace("-", "_")
        if called_otherwise:
            assert f"confmat {name}" in inspect.getdoc(found), text


def test_each_long_command_has_a_plan(confmat):
    planned = {
        name
        for name, command in EVERY.items()
        if "--plan" in [option for option, _, _ in options_of(command)]
    }
    assert planned == {"table", "search", "check", "sample"}
    for arguments in (
        ["table", "3x3", "n=20"],
        ["search", "ard", "3x3", "n=20"],
        ["check", "rd-max", "2x2..3x3", "n=..20"],
        ["sample", "4x4", "n=50"],
    ):
        assert re.search(r"^(time|method) ", succeed(confmat(*arguments, "--plan")), re.MULTILINE), arguments
    assert "No such command 'plan'" in fail(confmat("plan", 20, 3, 3))


def test_help_of_seed_names_the_argument_rng():
    for module in public_modules():
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                assert "seed" not in inspect.signature(thing).parameters, thing
    seeded = []
    for name, command in EVERY.items():
        for option, _, said in options_of(command):
            if option == "--seed":
                assert said.endswith("rng in Python."), name
                seeded.append(name)
    assert {"sample", "test"} == set(seeded)
    for function in (cm.maximize, cm.sample, cm.permutation_test, cm.check_metric, cm.archive.verify):
        assert "rng" in inspect.signature(function).parameters, function


def public_modules(module=cm):
    """A module, then those that it exports, and they."""
    yield module
    for name in getattr(module, "__all__", ()):
        if inspect.ismodule(getattr(module, name)):
            yield from public_modules(getattr(module, name))


def test_the_largest_is_the_largest_whether_it_is_said_or_not(confmat):
    said = [succeed(confmat("search", "ard", "3x3", "n=9", *more)) for more in ([], ["--maximize"])]
    assert said[0] == said[1] != succeed(confmat("search", "ard", "3x3", "n=9", "--minimize"))


def test_classes_are_said_one_way_everywhere(confmat):
    for command in (["table"], ["count"], ["sample", "--seed", "1"], ["search", "rd"]):
        said = [
            succeed(confmat(*command, *words, "--json"))
            for words in (["9", "2", "3"], ["2x3", "n=9"], ["2x3 n=9"], ["n=9", "2x3"])
        ]
        assert len({*said}) == 1
        margins = [
            succeed(confmat(*command, *words, "--json"))
            for words in (["rows=3,2", "cols=4,1"], ["cols=4,1 rows=3,2"])
        ]
        assert margins[0] == margins[1]
    assert '"answer": "true"' in succeed(confmat("check", "med<=3/4", "rows=3,2", "cols=4,1", "--json"))
    assert "CLASS must be a single class for this command, got 3" in fail(confmat("table", "2x2", "n=4..6"))


@pytest.mark.parametrize("name", EVERY)
def test_lines_of_help_that_are_not_filled_fit_into_eighty_columns(name):
    for paragraph in inspect.cleandoc(EVERY[name].help).split("\n\n"):
        if paragraph.startswith("\b"):
            assert [line for line in paragraph.splitlines() if len(line) > 78] == []
