"""The stub of the front door names every record of an index: ``python -m tests.stubs`` compares, ``--write`` writes it.

`import confmat` runs the stub to know its names; which they are, the records at the functions of `confmat.indices` say.
"""

import re
import sys
from pathlib import Path

import confmat
from confmat.indices import classification, partition
from confmat.statistics import STATISTICS

STUB = Path(confmat.__file__).with_suffix(".pyi")

# The modules that export indices, others stand in their own; and what else they give to the door.
MODULES = (partition, classification)
OTHERS = [
    f"from .indices.classification import {name} as {name}"
    for name in ("confusion_matrix", "f1_score", "fbeta_score", "precision_score", "recall_score")
]

# Scores that few need: functions of confmat.indices.classification alone.
RARE = {"auc3", "auc_pairs", "f_pairs", "gsp", "gsp_pairs", "gss", "gss_pairs"}


def line_of(name, index):
    """
    >>> line_of("ari", partition.ari)
    'from .indices.partition import ari as ari'
    """
    modules = [module.__name__ for module in MODULES if getattr(module, name, None) is index]
    module = [*modules, index.__module__][0]
    return f"from {module.removeprefix('confmat')} import {name} as {name}"


def module_and_name(line):
    _, module, _, name, *_ = line.split()
    return module, name


def with_indices(text, records):
    """A stub whose lines for indices are those of these records."""
    lines = text.splitlines()
    is_of_an_index = [line.startswith("from .indices.") for line in lines]
    first = is_of_an_index.index(True)
    daily = {name: record for name, record in records.items() if name not in RARE}
    of_indices = [*OTHERS, *(line_of(name, record.index) for name, record in daily.items())]
    lines_kept = [line for line, is_replaced in zip(lines, is_of_an_index) if not is_replaced]
    lines_kept[first:first] = sorted(of_indices, key=module_and_name)
    other_names = {other: name for name, record in daily.items() for other in record.names}
    lines_kept = [line for line in lines_kept if not re.fullmatch(r"\w+ = \w+", line)]
    lines_kept += [f"{other} = {name}" for other, name in sorted(other_names.items())]
    return "\n".join(lines_kept) + "\n"


if __name__ == "__main__":
    text = with_indices(STUB.read_text(), STATISTICS)
    if "--write" in sys.argv:
        STUB.write_text(text)
    elif text != STUB.read_text():
        sys.exit(f"{STUB.name} names other indices than there are records: python -m tests.stubs --write")
