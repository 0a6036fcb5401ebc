"""Builds the modules with CMake. TENREX_BUILD names a build of the project to use, relative to its root."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r"project\(tenrex VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)

TARGETS = {"tenrex._core": "tenrex_python", "tenrex._text": "tenrex_python_text", "tenrex._embed": "tenrex_python_embed"}


class BuildModule(build_ext):
    def build_extension(self, extension: Extension) -> None:
        build = ROOT / os.environ.get("TENREX_BUILD", "build/python/release")
        is_new = not (build / "CMakeCache.txt").exists()
        # The interpreter that an environment is made of: environments come and go.
        options = [f"-DPython_EXECUTABLE={getattr(sys, '_base_executable', sys.executable)}", "-DTENREX_PYTHON=ON"]
        try:
            import pybind11
            options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
        except ImportError:
            pass  # CMake finds that of the system
        if is_new:
            options += ["-DCMAKE_BUILD_TYPE=Release", "-DTENREX_BUILD_TESTS=OFF", "-DTENREX_BUILD_TOOLS=OFF", "-DTENREX_TEXT=ON", "-GNinja"]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *options], check=True)
        jobs = os.environ.get("JOBS", str(os.cpu_count()))
        subprocess.run(["cmake", "--build", build, "--target", TARGETS[extension.name], "--parallel", jobs], check=True)
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        module, = (build / "python").glob(extension.name.removeprefix("tenrex.") + ".*.so")
        shutil.copy(module, target)
        # A shared library comes along, under the name by which the module looks for it.
        for library in build.glob("libtenrex.so.?"):
            shutil.copy(library, target.parent)


# Nothing is left beside the sources.
WORK = ROOT / "build" / "python" / "setuptools"
WORK.mkdir(parents=True, exist_ok=True)

setup(version=VERSION, options={"egg_info": {"egg_base": str(WORK)}, "build": {"build_base": str(WORK)}},
      ext_modules=[Extension(name, sources=[]) for name in TARGETS], cmdclass={"build_ext": BuildModule})
