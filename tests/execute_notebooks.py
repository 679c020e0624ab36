"""Execute notebooks and keep of them only what is the same on every run.

``python -m tests.execute_notebooks 03 04`` executes these (all without arguments) and saves them in place: cells
are named cell-01, cell-02, ..., metadata say the language and nothing else, no times are recorded.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import nbformat
from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
SECONDS = 120  # for one cell

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT = {"text/plain", "text/html", "image/png", "image/svg+xml"}


def notebooks(*numbers: str) -> list[Path]:
    """The notebooks whose names start with the numbers, all without numbers; in order.

    Raises ValueError for a number that no notebook has.
    """
    paths = sorted(NOTEBOOKS.glob("*.ipynb"))
    for number in numbers:
        if not any(path.name.startswith(number) for path in paths):
            raise ValueError(f"no notebook starts with {number!r}: {', '.join(p.name for p in paths)}")
    return [path for path in paths if path.name.startswith(numbers or "")]


def execute(path: Path) -> NotebookNode:
    """The notebook as this interpreter runs it, in the folder where it lies; the file stays as it is.

    Raises nbclient's CellExecutionError, with the cell and the traceback, when a cell fails.
    """
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    # No folders of kernels: python3 is then the interpreter that runs this, whatever the machine has installed.
    manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
    client = NotebookClient(
        notebook,
        km=manager,
        timeout=SECONDS,
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=[
            "--InlineBackend.figure_format=retina"
        ],  # two pixels for each, sharp where people zoom
    )
    client.execute(cleanup_kc=True)  # else a kernel that nbclient did not make itself lives on
    return cleaned(notebook)


def cleaned(notebook: NotebookNode) -> NotebookNode:
    """A copy with stable cell ids, minimal metadata and no output but text and pictures."""
    cells = []
    for number, cell in enumerate(notebook.cells, 1):
        kept = {
            "cell_type": cell.cell_type,
            "id": f"cell-{number:02d}",
            "metadata": {},
            "source": cell.source,
        }
        if cell.cell_type == "code":
            outputs = [_cleaned_output(output) for output in cell.outputs]
            kept |= {"execution_count": cell.execution_count, "outputs": outputs}
        cells.append(kept)
    return nbformat.from_dict({"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5})


def _cleaned_output(output: NotebookNode) -> dict[str, object]:
    kept = {key: value for key, value in output.items() if key not in ("metadata", "data", "transient")}
    if "data" in output:
        sizes = {kind: size for kind, size in output.metadata.items() if kind == "image/png"}
        kept |= {"metadata": sizes, "data": {kind: x for kind, x in output.data.items() if kind in KEPT}}
    return kept


def main(numbers: list[str]) -> None:
    for path in notebooks(*numbers):
        start = time.perf_counter()
        nbformat.write(execute(path), path)
        size = path.stat().st_size / 1000
        print(f"{path.name}: {time.perf_counter() - start:.1f} s, {size:.0f} kB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
