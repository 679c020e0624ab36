"""What a command of the fixture ``confmat`` must have done."""


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
