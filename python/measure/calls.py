"""What a call costs from Python beside the same call from C++: calls.py BUILD. Both run in turns; the least time counts.

The program in C++ is python/measure/calls.cpp, which is compiled with the library of the build.
"""

import json
import pathlib
import subprocess
import sys
import time

import numpy as np
import tenrex

HERE = pathlib.Path(__file__).resolve().parent
CASES = {
    "dot of 128": ("sum(q * d)", {"q": "tensor<float>(x[128])"}, {"d": "tensor<float>(x[128])"}),
    "dot of 16, price": ("sum(q * d) - price", {"q": "tensor<float>(x[16])"}, {"d": "tensor<float>(x[16])", "price": "double"}),
    "two numbers": ("a * 2 + b", {}, {"a": "double", "b": "double"}),
}
ROUNDS = 15


def compiled(build):
    """The program in C++, and how to start it."""
    root = HERE.parent.parent
    program = build / "python_calls"
    library = next(path for name in ("libtenrex.so", "libtenrex.a") if (path := build / name).exists())
    flags = ["-DTENREX_SHARED", f"-Wl,-rpath,{build}"] if library.suffix == ".so" else []
    subprocess.run(["g++", "-std=c++20", "-O2", f"-I{root / 'include'}", HERE / "calls.cpp", library, *flags, "-o", program],
                   check=True)
    return program


def values(types, documents, random):
    made = {}
    for name, text in types.items():
        of_type = tenrex.TensorType(text)
        dtype = np.float64 if of_type.cell_type == "double" else np.float32
        made[name] = random.random(documents + of_type.shape).astype(dtype)
    return made


def least(call, seconds):
    """The least time of a call, over some rounds."""
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def least_of_many(call, seconds, count=1000):
    def calls():
        for _ in range(count):
            call()

    return least(calls, seconds) / count


def main():
    program = compiled(pathlib.Path(sys.argv[1]).resolve())
    random = np.random.default_rng(0)
    print(f"{'expression':18} {'documents':>9} {'C++':>12} {'Python':>12} {'more':>8}")
    for name, (expression, query_types, document_types) in CASES.items():
        plan = tenrex.compile(expression, query=query_types, document=document_types)
        query = plan.bind(values(query_types, (), random))
        for documents in (1, 10000):
            columns = values(document_types, (documents,), random)
            ready = plan.documents(columns)
            out = np.empty(documents)
            request = json.dumps({"expression": expression, "query": query_types, "document": document_types,
                                  "documents": documents})
            in_cpp, in_python, prepared = [], [], []
            for _ in range(ROUNDS):
                line = subprocess.run([program], input=request, capture_output=True, text=True, check=True).stdout
                in_cpp.append(float(line))
                measure = least_of_many if documents == 1 else least
                in_python.append(measure(lambda: query(**columns), 0.1))
                prepared.append(measure(lambda: query(ready, out=out), 0.1))
            cpp, python, held = min(in_cpp), min(in_python), min(prepared)
            print(f"{name:18} {documents:9} {cpp * 1e6:9.3f} us {python * 1e6:9.3f} us {100 * (python / cpp - 1):7.1f} %"
                  f"   with Documents and out: {held * 1e6:.3f} us, {100 * (held / cpp - 1):.1f} %")


main()
