"""python -m tenrex: what it says without pyarrow, and of files that it cannot read; extras/test_parquet.py has the rest."""

import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest
import tenrex
from tenrex import _lines
from tenrex.__main__ import main


def test_without_pyarrow(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    assert main(["jsonl", str(tmp_path / "t.parquet")]) == 1
    assert capsys.readouterr().err == ("tenrex: Parquet and Arrow files are read with pyarrow, which is not installed\n"
                                       "  hint: pip install pyarrow\n")


def lines(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "tenrex", "jsonl", *map(str, arguments)], capture_output=True, **options)


def test_arrays_with_fields(tmp_path):
    array = np.array([("ä", 0.5, [1, 2], True), ("b", np.nan, [np.inf, 4], False)],
                     [("id", "U1"), ("price", ">f8"), ("vector", "f4", 2), ("good", "?")])
    path = tmp_path / "array.npy"
    np.save(path, array)
    expected = '{"id":"ä","price":0.5,"vector":[1.0,2.0],"good":1}'
    written = lines(path, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    first, second = written.stdout.decode().splitlines()
    assert (first, written.stderr) == (expected, b"")
    assert json.loads(second) == {"id": "b", "price": None, "vector": [10**400, 4], "good": 0}
    with open(path, "rb") as file:
        assert lines("-", stdin=file).stdout.decode().splitlines()[0] == expected
    with open(path, "rb") as file:
        chosen = lines("-", "--if-there=good", "--if-there=other", "--if-there", "id", stdin=file)
    assert chosen.stdout.decode() == '{"id":"ä","good":1}\n{"id":"b","good":0}\n'
    assert lines(path, "--columns", "good,other").stderr.decode().startswith(f"tenrex: {path} has no column 'other'\n  hint: it has id, price")


@pytest.mark.parametrize("content, message", [
    (np.zeros((2, 2)), "the array of float64 with the shape (2, 2) has no names of fields"),
    (np.zeros((2, 2), [("a", "f4")]), "with the shape (2, 2) has no names of fields"),
    (np.array([(b"x",)], [("a", "S1")]), "the column 'a' has values of the type bytes"),
    (np.array([{}]), "allow_pickle=False"), (b"\x93NUMPY\1", "expected 8 bytes"), (b"", "neither a Parquet file, nor one of Arrow"),
])
def test_what_is_not_read(tmp_path, content, message):
    path = tmp_path / "array.npy"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        np.save(path, content)
    refused = lines(path)
    assert refused.returncode == 1 and refused.stdout == b""
    assert refused.stderr.decode().startswith("tenrex: ") and message in refused.stderr.decode()


def test_values():
    assert [_lines._plain(value, "c") for value in (True, 3, "x", None, 1.5, math.nan)] == [1, 3, "x", None, 1.5, None]
    assert _lines._plain({"a": [1, {"b": -math.inf}]}, "c") == {"a": [1, {"b": -10**400}]}
    with pytest.raises(tenrex.Error, match="the column 'c' has values of the type bytes"):
        _lines._plain([b"x"], "c")


def test_command_line(tmp_path):
    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "tenrex", *arguments], capture_output=True, text=True)

    assert run("--version").stdout == tenrex.__version__ + "\n"
    assert "jsonl" in run("--help").stdout and run().returncode == 2
    missing = run("jsonl", str(tmp_path / "none.parquet"))
    assert missing.returncode == 1 and missing.stderr.startswith("tenrex: ")
