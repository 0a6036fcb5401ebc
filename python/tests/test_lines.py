"""python -m tenrex: what it says without pyarrow, and of files that it cannot read; extras/test_parquet.py has the rest."""

import math
import subprocess
import sys

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
