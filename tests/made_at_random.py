"""Command lines and calls at random, from the parameters of commands and the signatures of public functions."""

from __future__ import annotations

import contextlib
import inspect
import random
from enum import EnumType
from fractions import Fraction
from pathlib import Path

NUMBERS = [
    *map(str, [0, 1, 2, 3, 4, 5, 7, 12, 20, 60, 1000, -1, 2.5, int("10" * 9), 10**400]),
    "nan",
    "x",
    "",
]
SMALL = ["1", "2", "3", "4", "6", "8"]
FORMULAS = [
    "med<=1/10 -> ari>=0",
    "rd<=ard",
    "ard>1",
    "med=2/6",
    "exists ard > 1",
    "ari_after >= ari_before",
    "1/0>med",
    "((",
    "med",
    "",
]
MATRICES = [
    "3,1;0,4",
    "6,1,1;2,5,0;1,0,4",
    "0,0;0,0",
    "1",
    "-1,2;3,4",
    "1,2;3",
    "x",
    "1e9,2;3,4",
    "10000000000,1;1,10000000000",
]
NAMES = ["med", "rd", "ard", "ari", "ri", "nmi", "vi", "bcr", "cor", "kappa", "ard/med", "no_such", ""]
TEXTS = {
    "--given": FORMULAS,
    "--only": NAMES,
    "--matrix": MATRICES,
    "--part": ["1/2", "3/2", "x", "0/0"],
    "--bounds": ["0..1", "x", "1..0"],
}
FILES = ["new.json", "labels.csv", "archive", "law", "law.csv", "proof.json", "certificate.json"]
FILES += ["none/x.csv", "x.png", "x.csv"]
POSITIONS = {
    "CLASS": [*SMALL, "3x3", "n=4", "empty", "rows=3,1", "cols=free"],
    "CLASSES": [
        "2x2",
        "n=..4",
        "2x2..3x3",
        "x",
        "n=3",
        "2x2..99999999x99999999",
        "0x2",
        "n=..99999999999",
        "n=5..2",
    ],
    "STATEMENT": [*FORMULAS, "med-max", "rd-max", "no-such"],
    "NAME": NAMES,
    "SQL": ["SELECT 1", "DROP x", "", "SELECT * FROM distributions"],
}


def values(parameter, rng: random.Random, folder: Path, tame: bool) -> str:
    """A value of an option or argument, by its name, its kind, or at random; a likely one where it is ``tame``."""
    kind = parameter.type_descriptor.annotation
    if isinstance(kind, EnumType) and rng.random() < 0.9:
        return rng.choice(list(kind)).value
    metavar = str(parameter.metavar or "")
    for option in parameter.opts:
        if option in TEXTS:
            return rng.choice(TEXTS[option][: 2 if tame else None])
    if any(word in metavar for word in ("FILE", "DIR", "FOLDER", "CERT", "LABELS")):
        return rng.choice([str(folder / name) for name in FILES])
    return rng.choice(
        SMALL if tame and metavar not in POSITIONS else POSITIONS.get(metavar, NUMBERS + SMALL + NAMES)
    )


def command(rng: random.Random, folder: Path) -> list[str]:
    """A command line."""
    import typer

    from confmat.cli.app import application

    words, tame, group = [], rng.random() < 0.6, typer.main.get_command(application())
    while hasattr(group, "commands"):
        name = rng.choice(sorted(set(group.commands) - {"warmup"}))
        words, group = [*words, name], group.commands[name]
    for parameter in group.params:
        if parameter.param_type_name == "argument":
            number = 3 if parameter.nargs == -1 else 1
            given = [values(parameter, rng, folder, tame) for _ in range(number)]
            words += given if parameter.required or rng.random() < 0.8 else []
        elif not {"--help", "--yes"} & {*parameter.opts} and (  # --yes lifts the budget
            parameter.required or rng.random() < (0.05 if tame else 0.15)
        ):
            words.append(parameter.opts[0])
            if not parameter.is_flag:
                words.append(values(parameter, rng, folder, tame))
    return words


def functions() -> dict[str, object]:
    """Public functions and classes, by their names."""
    import confmat as cm

    found = {}
    rooms = (
        *("indices", "significance", "distributions", "classes", "contingency", "search", "sampling"),
        *("conjectures", "reports", "archive", "testing", "statistics", "fixed_margins"),
    )
    for room in ("", *rooms):
        module = getattr(cm, room) if room else cm
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            made = (
                isinstance(thing, type)
                and room != "classes"
                and name not in ("Statistic", "Conjecture", "Limits")
            )
            if callable(thing) and not made and name != "limits":
                found[f"{room}.{name}".lstrip(".")] = thing
    return found


def pool(name: str, rng: random.Random, tame: bool):
    """A value for a parameter of this name; a likely one where it is ``tame``."""
    import numpy as np

    import confmat as cm

    numbers = [0, 1, 2, 3, 4, 6, 9, 20, 10**3, 10**9, 10**18, 10**400, -1, 2.5, float("nan"), True, "3", None]
    arrays = [
        [[3, 1], [0, 4]],
        [[6, 1, 1], [2, 5, 0], [1, 0, 4]],
        [[0, 0], [0, 0]],
        np.eye(3, dtype=int),
        [[1, 2], [3]],
        [[-1, 2], [3, 4]],
        [[10**30, 1], [2, 10**30]],
        [],
        [[]],
        [[0.5, 1], [1, 1]],
        np.zeros((0, 0), int),
        "3,1;0,4",
    ]
    labels = [
        [0, 0, 1, 1],
        ["a", "a", "b", "b"],
        [1, 2, 3, 4],
        [],
        [0, None, 1, 1],
        np.array([1, 1, 2, 2]),
        [[0, 1], [1, 0]],
        "aabb",
        range(4),
    ]
    classes = [
        cm.Tables(6, 2, 2),
        cm.Tables(8, 3, 3),
        cm.Tables(0, 2, 2),
        cm.Tables(10**9, 3, 3),
        cm.Tables(60, 9, 9),
        cm.Tables(2, 3, 3),
        cm.FixedMargins([3, 2], [4, 1]),
        cm.FixedRows([3, 2], 2),
        cm.FixedMargins([10**6] * 9, [10**6] * 9),
        cm.Tables(5, 2, 2, allow_empty=True),
        cm.Tables,
        None,
        3,
    ]
    texts = [
        *NAMES,
        *FORMULAS,
        "tables",
        "labelings",
        "clusters",
        "sizes",
        "two-sided",
        "less",
        ";",
        cm.ari,
        cm.STATISTICS["med"] if hasattr(cm, "STATISTICS") else "med",
    ]
    either, counts = arrays + labels, [3, 4, 0, 1, 2, 5, *numbers]
    kinds = {
        **dict.fromkeys(("matrix", "table"), arrays),
        **dict.fromkeys(("matrix_or_labels_a", "matrix_or_y_true"), either),
        **dict.fromkeys(("labels_a", "labels_b", "y_true", "y_pred", "masses"), labels),
        **dict.fromkeys(("matrices", "tables", "cls", "model"), classes),
        **dict.fromkeys(("statistic", "statistics", "name", "names", "given", "weight", "index"), texts),
        **dict.fromkeys(("r", "s", "n", "m", "size", "clusters", "seed", "rng"), counts),
        "classes": [[x] for x in classes] + classes,
        "rows": [[3, 2], [4, 1], [5], [], [10**9, 2], [-1, 2], 3],
        "cols": [[4, 1], [2, 3], [1] * 5, [0, 5], None],
        "shapes": [[(2, 2)], [(2, 2), (2, 3)], [(0, 2)], [(99, 99)], [(2,)], 3],
        "sizes": [[4], range(3, 6), range(10**12), [10**9], [-1], "4"],
        "shape": [(2, 2), (2, 3), (0, 2), (10**9, 2), 3],
        "conjecture": [cm.Conjecture("a", "rd <= ard"), cm.conjectures.LITERATURE["med-max"], *FORMULAS],
        "statement": FORMULAS,
        "d": [Fraction(1, 3), Fraction(1, 2), 0, 1, *numbers],
        "law": [
            cm.joint_distribution(classes[0], "rd", "ard"),
            cm.joint_distribution(classes[1], "med"),
            *texts,
        ],
    }
    if name in kinds and (tame or rng.random() < 0.9):
        return rng.choice(kinds[name][: 3 if tame else None])
    return rng.choice(rng.choice([numbers, arrays, labels, classes, texts]))


def call(rng: random.Random):
    """A public function, positional and named arguments."""
    name, function = rng.choice(sorted(functions().items()))
    given, named, tame = [], {}, rng.random() < 0.6
    with contextlib.suppress(ValueError, TypeError):
        for x in inspect.signature(function).parameters.values():
            if x.name in ("folder", "out", "path", "executor", "checkpoint", "progress", "limits"):
                if x.default is x.empty:
                    return call(rng)
            elif x.kind in (x.POSITIONAL_ONLY, x.POSITIONAL_OR_KEYWORD, x.VAR_POSITIONAL):
                if x.default is x.empty or rng.random() < 0.3:
                    given.append(pool(x.name, rng, tame))
                else:
                    break
        for x in inspect.signature(function).parameters.values():
            if (
                x.kind is x.KEYWORD_ONLY
                and (x.default is x.empty or rng.random() < 0.15)
                and x.name not in ("limits", "progress")
            ):
                named[x.name] = pool(x.name, rng, tame)
    return name, function, given, named
