"""What is installed: the package itself, complete, and not the source tree."""

import importlib.metadata
import pathlib
import re
import subprocess
import sys

import pytest
import tenrex

ROOT = pathlib.Path(__file__).parents[2]


def test_the_installed_package_is_tested():
    assert pathlib.Path(tenrex.__file__).is_relative_to(sys.prefix)
    assert not pathlib.Path(tenrex.__file__).is_relative_to(ROOT / "python")


def test_metadata():
    version, = re.findall(r"project\(tenrex VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    metadata = importlib.metadata.metadata("tenrex")
    assert tenrex.__version__ == metadata["Version"] == version
    assert metadata["License"] == "Apache-2.0" and "numpy" in metadata["Requires-Dist"]
    files = {str(file) for file in importlib.metadata.files("tenrex")}
    assert {"tenrex/py.typed", "tenrex/_core.pyi", "tenrex/_text.pyi"} <= files


@pytest.mark.parametrize("name", ["_core", "_text"])
def test_the_modules_name_no_folder_of_the_build(name):
    module, = pathlib.Path(tenrex.__file__).parent.glob(f"{name}.*.so")
    listed = subprocess.run(["readelf", "--dynamic", module], capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"(?:RPATH|RUNPATH).*\[(.*)\]", listed)) <= {"$ORIGIN"}
    assert ("libicu" in listed) == (name == "_text")  # who needs no tokenizer needs no ICU


def test_import_needs_no_optional_package():
    program = ("import sys; import tenrex; "
               "print(sorted({'pandas', 'pyarrow', 'polars', 'ml_dtypes', 'scipy'} & set(sys.modules)))")
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


def test_works_from_any_folder(tmp_path):
    program = "import tenrex; print(tenrex.compile('2 * 3').bind()())"
    result = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert result.stdout == "6.0\n"
