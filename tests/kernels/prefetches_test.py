"""prefetches_test.py OBJDUMP LIST: the kernels over gathered rows among the objects in LIST ask for rows before they need them.

GCC takes a function that does nothing but prefetch for one that does nothing at all, and leaves calls of it out: results are the
same, and each row is waited for.
"""

import re
import subprocess
import sys


def main(objdump, list_of_objects):
    with open(list_of_objects, encoding="utf-8") as file:
        objects = [line for line in file.read().split("\n") if re.search(r"/lib/kernels/\w+/\w+_[a-z0-9]+\.cpp\.\w+$", line)]
    found, without = 0, []
    for path in objects:
        output = subprocess.run([objdump, "--disassemble", "--demangle", "--no-show-raw-insn", path], check=True, capture_output=True,
                                text=True).stdout
        for function in re.split(r"\n(?=[0-9a-f]+ <)", output):
            name = re.match(r"[0-9a-f]+ <(tenrex::kernels::\w+::gathered_\w+)\(", function)
            if name:
                found += 1
                if not re.search(r"\b(prefetch\w+|prfm)\b", function):
                    without.append(f"{path}: {name[1]} never prefetches")
    print("\n".join([*without, f"{found} kernels over gathered rows, {len(without)} findings"]))
    return 1 if without or not found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
