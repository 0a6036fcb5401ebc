"""What is installed: the package itself, complete, and not the source tree."""

import importlib.metadata
import pathlib
import re
import shutil
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
    assert {"tenrex/py.typed", "tenrex/_core.pyi", "tenrex/_text.pyi", "tenrex/_embed.pyi"} <= files


@pytest.mark.parametrize("name", ["_core", "_text", "_embed"])
def test_the_modules_name_no_folder_of_the_build(name):
    module, = pathlib.Path(tenrex.__file__).parent.glob(f"{name}.*.so")
    listed = subprocess.run(["readelf", "--dynamic", module], capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"(?:RPATH|RUNPATH).*\[(.*)\]", listed)) <= {"$ORIGIN"}
    assert ("libicu" in listed) == (name != "_core")  # who needs no tokenizer needs no ICU


def test_import_needs_no_optional_package():
    program = ("import sys; import tenrex; "
               "print(sorted({'pandas', 'pyarrow', 'polars', 'ml_dtypes', 'scipy'} & set(sys.modules)))")
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


def test_works_from_any_folder(tmp_path):
    program = "import tenrex; print(tenrex.compile('2 * 3').bind()())"
    result = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert result.stdout == "6.0\n"


@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="there is no emulator")
def test_works_on_an_old_processor():
    """One that has AVX and nothing that came later, as numpy itself needs: nothing wider is executed."""
    program = ("import tenrex; print(tenrex.compile('sum(q * q)', query={'q': 'tensor<float>(x[64])'}).bind(q=[1] * 64)()); "
               "index = tenrex.VectorIndex(16); index.add([[1] * 16]); print(index.search([2] * 16)[0]); "
               "print(tenrex.Tokenizer.read_vocabulary('[UNK]\\n[CLS]\\n[SEP]\\na').encode('a').ids)")
    result = subprocess.run(["qemu-x86_64", "-cpu", "SandyBridge", sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "64.0\n[0]\n[1 3 2]\n"
