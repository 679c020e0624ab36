"""The committed notebooks are what their code gives today: executed in order, with the same text and a picture."""

import re

import nbformat
import pytest
from execute_notebooks import NOTEBOOKS, cleaned, execute, notebooks

PATHS = notebooks()
LINES = 15  # of a cell: what is longer hides the mathematics
WIDTH = 68  # characters of a line of code, that a page of the site shows without wrapping
PICTURES = {"image/png", "image/svg+xml"}

every_notebook = pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(cell):
    """What the cell printed and showed, as text; a picture counts as its kind."""
    shown = []
    for output in cell.outputs:
        if output.output_type == "stream":
            # Warnings of a machine, such as an old threading library, are not part of the answer.
            shown += [output.text] if output.name == "stdout" else []
        else:
            shown += [output.data.get("text/plain"), *sorted(PICTURES & set(output.data))]
    return shown


def test_there_are_notebooks():
    assert PATHS


# Some ten seconds each, in a process of its own: ``.ci/run`` executes the first.
@pytest.mark.slow
@every_notebook
def test_executing_gives_the_committed_text(path):
    committed = nbformat.read(path, as_version=4)
    executed = execute(path)
    for before, after in zip(code_cells(committed), code_cells(executed), strict=True):
        assert texts(after) == texts(before), f"{before.id}:\n{before.source}"


@every_notebook
def test_committed_as_executed(path):
    committed = nbformat.read(path, as_version=4)
    nbformat.validate(committed)
    cells = code_cells(committed)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert committed == cleaned(committed), f"run: python -m tests.execute_notebooks {path.name[:2]}"
    outputs = [output for cell in cells for output in cell.outputs]
    assert any(PICTURES & set(output.get("data", {})) for output in outputs)
    assert not [output.text for output in outputs if output.get("name") == "stderr"]


@every_notebook
def test_can_be_read(path):
    assert re.fullmatch(r"\d\d_[a-z0-9_]+\.ipynb", path.name)
    assert path.stat().st_size < 2_500_000
    notebook = nbformat.read(path, as_version=4)
    assert not [cell.id for cell in code_cells(notebook) if len(cell.source.splitlines()) > LINES]
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert prose[0].startswith("# ")
    assert "?" in prose[0]
    assert "## The answer" in "\n".join(prose[-2:])
    for target in re.findall(r"\]\(([^)#]+)\)", "\n".join(prose)):
        assert target.startswith("https://") or (NOTEBOOKS / target).exists(), target


@every_notebook
def test_code_is_as_wide_as_a_page(path):
    lines = []
    for cell in code_cells(nbformat.read(path, as_version=4)):
        lines += cell.source.splitlines()
    assert not [line for line in lines if len(line) > WIDTH]


@pytest.mark.parametrize("new", ["print(7)", "1 / 0"])
def test_changed_outputs_are_noticed(tmp_path, new):
    """The check itself: a notebook with stale outputs, or one that fails, does not pass."""
    from nbclient.exceptions import CellExecutionError

    path = tmp_path / "00_stale.ipynb"
    six = nbformat.v4.new_output("stream", text="6\n")
    cell = nbformat.v4.new_code_cell(new, id="cell-01", outputs=[six])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    with pytest.raises((AssertionError, CellExecutionError), match=r"cell-01|ZeroDivisionError"):
        test_executing_gives_the_committed_text(path)
