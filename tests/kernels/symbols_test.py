"""symbols_test.py NM LIST: the kernel objects in LIST define nothing but the kernels.

An inline function or template that such an object shares with the rest of the program, compiled for a wider instruction
set, may be the copy that the linker keeps: the program then fails on weaker CPUs, far away from the kernel. So a kernel
object may define no weak symbol at all, and no global one outside the namespace of its target.
"""

import re
import subprocess
import sys


def findings(nm, path):
    """The symbols that the object must not define."""
    target = re.search(r"_([a-z0-9]+)\.cpp\.\w+$", path).group(1)
    output = subprocess.run([nm, "--demangle", "--defined-only", path], check=True, capture_output=True, text=True).stdout
    found = []
    for line in output.splitlines():
        _, kind, symbol = line.split(" ", 2)
        own = symbol.startswith(f"tenrex::kernels::{target}::")
        instrumentation = symbol.startswith("__")  # of sanitizers and coverage
        if not instrumentation and (kind in "WVuvw" or (kind.isupper() and not own)):
            found.append(f"{path}: {kind} {symbol}")
    return found


def main(nm, list_of_objects):
    # Beside the sources of a family for each target stands its list, <family>_kernels.cpp, which is ordinary code.
    kernels = re.compile(r"/lib/kernels/\w+/\w+_(?!kernels\.)[a-z0-9]+\.cpp\.\w+$")
    with open(list_of_objects, encoding="utf-8") as file:
        objects = [line for line in file.read().split("\n") if kernels.search(line)]
    if not objects:
        sys.exit(f"{list_of_objects} names no kernel objects")
    found = [finding for path in objects for finding in findings(nm, path)]
    print("\n".join(found + [f"{len(objects)} objects, {len(found)} findings"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
