"""The tutorial is executed, and shows what it speaks of."""

import pathlib

import pytest

NOTEBOOK = pathlib.Path(__file__).parents[1] / "tutorial.ipynb"


def test_tutorial(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # the outputs are not kept
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    kinds = [kind for cell in notebook.cells for output in cell.get("outputs", []) for kind in output.get("data", {})]
    assert kinds.count("text/html") == 3 and kinds.count("image/svg+xml") == 1
