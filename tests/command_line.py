"""The command line in this process, and what a command of the fixture ``confmat`` must have done."""

import gc

from confmat.cli import main


def run(arguments):
    """Its exit code."""
    threshold = gc.get_threshold()
    try:
        main(list(arguments))
    except SystemExit as end:
        return end.code
    finally:
        gc.set_threshold(*threshold)


def succeed(result):
    """What it printed; it did not fail."""
    code, out, err = result
    assert code == 0, err
    return out


def fail(result, code=2):
    """Its one line on standard error."""
    assert result[0] == code, result
    assert result[2].startswith("confmat: ")
    assert result[2].count("\n") == 1, result[2]
    return result[2]
