"""The cells of the tutorial run one after the other, as a program without Jupyter."""

import json
import pathlib

NOTEBOOK = pathlib.Path(__file__).parents[1] / "tutorial.ipynb"


def test_cells(capsys):
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), NOTEBOOK.name, "exec"), names)
    assert "did you mean 'taste'?" in capsys.readouterr().out
    assert len(names["hits"]) == 5 and names["table"].shape == (2000, 3)
