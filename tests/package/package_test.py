"""Tests of the package as others use it: installs a build, builds small programs with it and runs them.

    package_test.py TEST SOURCE BUILD COMPILER
"""

import glob
import os
import re
import shutil
import subprocess
import sys

test, source, build, compiler = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
consumer = os.path.join(here, "consumer")
work = os.path.join(build, "tests", "package", "installed")
prefix = os.path.join(work, "prefix")
scratch = os.path.join(work, test)
shared = os.path.exists(os.path.join(build, "libtenrex.so"))
# What a consumer may need at run time: the C++ and C libraries.
SYSTEM_LIBRARIES = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2",
                    "ld-linux-aarch64.so.1"}
INTERNAL = r"\b(fmt|nlohmann|tenrex::(syntax|sema|reference|ir|optimizer))::"


def run(*command, **options):
    """Runs a command and gives its output; a failure ends the test with it."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if result.returncode != 0:
        print("$", *command)
        print(result.stdout)
        sys.exit(f"exit status {result.returncode}")
    return result.stdout


def require(condition, message):
    if not condition:
        sys.exit(message)


def configure(project, directory, *options):
    # With ccache nothing is compiled twice where two of these tests, or another build, compile the same.
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run("cmake", "-S", project, "-B", directory, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
        "-DCMAKE_BUILD_TYPE=Release", *launcher, *options)


def configure_and_build(project, directory, *options):
    configure(project, directory, *options)
    run("cmake", "--build", directory, "--parallel", str(os.cpu_count()))


def library_path():
    return glob.glob(f"{prefix}/lib*/**/libtenrex.*", recursive=True)[0]


def expect_ok(program):
    environment = {**os.environ, "LD_LIBRARY_PATH": os.path.dirname(library_path())} if shared else None
    output = run(program, env=environment)
    require(output == "ok\n", output)


def pkg_config(*arguments):
    folder = os.path.join(os.path.dirname(library_path()), "pkgconfig")
    return run("pkg-config", *arguments, "tenrex", env={**os.environ, "PKG_CONFIG_PATH": folder}).split()


def test_install():
    """Installs; the tree is then moved, since a package must not remember where it was installed."""
    first = prefix + "-first"
    run("cmake", "--install", build, "--prefix", first)
    os.rename(first, prefix)
    installed = set(os.listdir(os.path.join(prefix, "include/tenrex")))
    require(installed == set(os.listdir(os.path.join(source, "include/tenrex"))), f"installed headers: {installed}")
    for path in glob.glob(f"{prefix}/**", recursive=True):
        if path.endswith((".cmake", ".pc")):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            require(source not in text and first not in text, f"{path} names a directory of this machine")


def test_find_package():
    configure_and_build(consumer, scratch, f"-DCMAKE_PREFIX_PATH={prefix}", "-DWANTED_VERSION=0.1")
    program = os.path.join(scratch, "consumer")
    expect_ok(program)
    if not shared:
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "--dynamic", program)))
        require(needed <= SYSTEM_LIBRARIES, f"needs more than the system's libraries: {needed - SYSTEM_LIBRARIES}")
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
            configuration = re.search("^CMAKE_BUILD_TYPE:.*=(.*)", file.read(), flags=re.M).group(1)
        stripped = program + "-stripped"
        run("strip", "-o", stripped, program)
        print(f"stripped size of the consumer, {configuration}, static: {os.path.getsize(stripped):,} bytes")


def test_text():
    configure_and_build(os.path.join(here, "text"), scratch, f"-DCMAKE_PREFIX_PATH={prefix}")
    expect_ok(os.path.join(scratch, "consumer"))


def test_version():
    """A version with another interface is refused."""
    result = subprocess.run(["cmake", "-S", consumer, "-B", scratch, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
                             f"-DCMAKE_CXX_COMPILER={compiler}", "-DWANTED_VERSION=0.2"],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    require(result.returncode != 0 and "0.1.0" in result.stdout, result.stdout)


def test_pkg_config():
    os.makedirs(scratch)
    program = os.path.join(scratch, "consumer")
    run(compiler, "-std=c++20", "-O1", os.path.join(consumer, "main.cpp"), "-o", program, *pkg_config("--cflags", "--libs"))
    expect_ok(program)
    require(pkg_config("--modversion") == ["0.1.0"], "wrong version")


def test_pkg_config_static():
    """A compiler of C links the static library with what pkg-config says."""
    os.makedirs(scratch)
    program = os.path.join(scratch, "consumer")
    with open(program + ".c", "w", encoding="utf-8") as file:
        file.write('#include <stdio.h>\n#include <tenrex/c_api.h>\n'
                   'int main(void) { return puts(tenrex_version()[0] ? "ok" : "no version") < 0; }\n')
    # The library for tests with sanitizers needs their run time, which it is not the package's business to name.
    run("cc", "-std=c99", "-Wall", "-Werror", program + ".c", "-o", program, *pkg_config("--cflags", "--static", "--libs"))
    expect_ok(program)


def test_no_exceptions():
    """Programs without exceptions and run-time type information can use the library."""
    os.makedirs(scratch)
    program = os.path.join(scratch, "consumer")
    run(compiler, "-std=c++20", "-O1", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
        os.path.join(consumer, "main.cpp"), "-o", program, *pkg_config("--cflags", "--libs"))
    expect_ok(program)


def defined(files, kinds, *options):
    """The functions that libraries or objects define, by their readable names; kinds: T, and W for inline ones."""
    lines = run("nm", "--defined-only", "--demangle", *options, *files).split("\n")
    return {match.group(1) for match in (re.match(rf"[0-9a-f]+ [{kinds}] (.*)", line) for line in lines) if match}


def public_names():
    """Classes and functions that the public headers declare."""
    names = set()
    for path in glob.glob(os.path.join(source, "include/tenrex/*.h")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        names |= set(re.findall(r"^(?:class|struct) (?:\[\[nodiscard\]\] )?(?:TENREX_EXPORT )?(\w+)[^;]*\{", text, flags=re.M))
        names |= set(re.findall(r"^(?:TENREX_EXPORT )?\w[\w:<>*& ]*[ &](\w+)\((?:[^;{}]|\{\})*\)(?: noexcept)?;", text, flags=re.M))
    return names


def test_symbols():
    """The shared library shows its whole interface and hides what it is made of."""
    shown = defined([library_path()], "TW", "--dynamic")
    inside = [symbol for symbol in shown if re.search(INTERNAL, symbol)]
    require(not inside, "internal symbols are visible:\n" + "\n".join(inside[:20]))

    names = public_names()
    require({"Expression", "TensorType", "from_json", "functions", "render"} <= names, f"names not found: {names}")
    interface = re.compile(r"tenrex::(" + "|".join(names) + r")(\[abi:\w+\])?(::\w+)?\(")
    objects = glob.glob(os.path.join(build, "CMakeFiles/tenrex.dir/**/*.o"), recursive=True)
    # Who calls an inline function has it.
    wanted = {symbol for symbol in defined(objects, "T") if interface.match(symbol)}
    require(len(wanted) > 50, f"too few functions found: {wanted}")
    missing = sorted(wanted - shown)
    with open(os.path.join(source, "include/tenrex/c_api.h"), encoding="utf-8") as file:
        c_functions = set(re.findall(r"^TENREX_C_EXPORT [^;(]*?(\w+)\(", file.read(), flags=re.M))
    require("tenrex_compile" in c_functions and len(c_functions) > 20, f"functions for C not found: {c_functions}")
    missing += sorted(c_functions - {symbol.split("(")[0] for symbol in shown})
    require(not missing, "not visible; mark them TENREX_EXPORT:\n" + "\n".join(missing[:40]))


def test_subdirectory():
    """The sources as a part of another project. A source of each layer is compiled there, which shows whether flags and
    paths hold: the rest of the library is that of this build, unless TENREX_FULL_MATRIX asks for all of it."""
    project = os.path.join(here, "subdirectory")
    program = os.path.join(scratch, "consumer")
    if "TENREX_FULL_MATRIX" in os.environ:
        configure_and_build(project, scratch, f"-DTENREX_SOURCE={source}")
        require(run(program) == "ok\n", "wrong output")
        return
    configure(project, scratch, f"-DTENREX_SOURCE={source}", f"-DBUILD_SHARED_LIBS={'ON' if shared else 'OFF'}")
    main, *layers = some_objects(scratch)
    run("ninja", "-C", scratch, main, *layers)
    run(compiler, os.path.join(scratch, main), library_path(), "-o", program)
    expect_ok(program)


def some_objects(directory):
    """The consumer's object, and one of each layer of the library."""
    objects = re.findall(r"^(\S+\.o): CXX_COMPILER", run("ninja", "-C", directory, "-t", "targets", "all"), flags=re.M)
    consumer = [name for name in objects if "consumer.dir" in name]
    layers = [re.search(r"/tenrex\.dir/((?:lib/)?\w+)/", name) for name in objects]
    library = {layer.group(1): name for layer, name in zip(layers, objects) if layer}
    require(len(consumer) == 1 and len(library) > 10, f"objects of another project: {objects}")
    return consumer + list(library.values())


shutil.rmtree(work if test == "install" else scratch, ignore_errors=True)
globals()[f"test_{test}"]()
