"""What a call costs from Python beside the same call from C++ (calls.cpp). Both run in turns; the least time counts."""

import ctypes
import json
import time

import numpy as np
import tenrex

CASES = {
    "dot of 128": ("sum(q * d)", {"q": "tensor<float>(x[128])"}, {"d": "tensor<float>(x[128])"}),
    "dot of 16, price": ("sum(q * d) - price", {"q": "tensor<float>(x[16])"}, {"d": "tensor<float>(x[16])", "price": "double"}),
    "two numbers": ("a * 2 + b", {}, {"a": "double", "b": "double"}),
}
ROUNDS = 15


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
    in_library = ctypes.CDLL(tenrex._core.__file__).tenrex_measure_calls
    in_library.restype, in_library.argtypes = ctypes.c_double, [ctypes.c_char_p]
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
                                  "documents": documents,
                                  "columns": {name: array.ctypes.data for name, array in columns.items()}}).encode()
            in_cpp, in_python, prepared = [], [], []
            for _ in range(ROUNDS):
                in_cpp.append(in_library(request))
                measure = least_of_many if documents == 1 else least
                in_python.append(measure(lambda: query(**columns), 0.1))
                prepared.append(measure(lambda: query(ready, out=out), 0.1))
            cpp, python, held = min(in_cpp), min(in_python), min(prepared)
            print(f"{name:18} {documents:9} {cpp * 1e6:9.3f} us {python * 1e6:9.3f} us {100 * (python / cpp - 1):7.1f} %"
                  f"   with Documents and out: {held * 1e6:.3f} us, {100 * (held / cpp - 1):.1f} %")


main()
