"""What a call costs from Python beside the same call from C++ (calls.cpp).

Both run in turns, over the same arrays. A ratio is that of the medians of a turn, and the median of all turns counts. A call
that makes an array for the scores is compared with one in C++ that makes a vector; one with ``out`` with one that writes to
memory that stays.
"""

import ctypes
import json
import pathlib
import statistics
import time
import timeit

import numpy as np
import tenrex

FOREST = pathlib.Path(__file__).parents[2] / "tests" / "forest" / "trained" / "lightgbm_binary.txt"
TREES = tenrex.lightgbm(FOREST)
CASES = {
    "two numbers": ("a * 2 + b", {}, {"a": "double", "b": "double"}),
    "two floats": ("sum(a * 2 + b)", {}, {"a": "tensor<float>(x[1])", "b": "tensor<float>(x[1])"}),
    "dot of 16, price": ("sum(q * d) - price", {"q": "tensor<float>(x[16])"}, {"d": "tensor<float>(x[16])", "price": "double"}),
    "dot of 128": ("sum(q * d)", {"q": "tensor<float>(x[128])"}, {"d": "tensor<float>(x[128])"}),
    "dot of 384": ("sum(q * d)", {"q": "tensor<float>(x[384])"}, {"d": "tensor<float>(x[384])"}),
    "a forest": ("forest(clicks)", {}, {name: "double" for name in TREES.used_features}),
}
ROUNDS = 15


def values(types, documents, random):
    made = {}
    for name, text in types.items():
        of_type = tenrex.TensorType(text)
        dtype = np.float64 if of_type.cell_type == "double" else np.float32
        made[name] = random.random(documents + of_type.shape).astype(dtype)
    return made


def median(call, values, seconds, count):
    """The median time of a call, which is a text, over some rounds of so many calls."""
    rounds = timeit.Timer(call, globals=values)  # as in a loop of a program: without another function around it
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        times.append(rounds.timeit(count) / count)
    return statistics.median(times)


def compared(first, second):
    """The medians of two measurements in turns, and of their ratios."""
    pairs = [(first(), second()) for _ in range(ROUNDS)]
    return (statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs),
            statistics.median(b / a for a, b in pairs))


def beside_cpp():
    in_library = ctypes.CDLL(tenrex._core.__file__).tenrex_measure_calls
    in_library.restype, in_library.argtypes = ctypes.c_double, [ctypes.c_char_p]
    random = np.random.default_rng(0)
    print(f"{'expression':18} {'documents':>9} {'scores':>8} {'C++':>12} {'Python':>12} {'more':>8} {'prepared':>12} {'more':>8}")
    for name, (expression, query_types, document_types) in CASES.items():
        forests = {"clicks": str(FOREST)} if "forest" in expression else {}
        plan = tenrex.compile(expression, query=query_types, document=document_types, forests={"clicks": TREES} if forests else {})
        query = plan.bind(values(query_types, (), random))
        for documents in (1, 10000):
            columns = values(document_types, (documents,), random)
            ready = plan.documents(columns)
            out = np.empty(documents)
            for kept in (None, out):
                request = json.dumps({"expression": expression, "query": query_types, "document": document_types,
                                      "forests": forests, "documents": documents, "fresh": kept is None, "out": out.ctypes.data,
                                      "columns": {key: array.ctypes.data for key, array in columns.items()}}).encode()
                count = 1000 if documents == 1 else 20  # so that reading the clock costs nothing
                in_cpp = lambda: in_library(request)
                given = dict(columns) if kept is None else {**columns, "out": kept}
                call = f"query({', '.join(f'{name}={name}' for name in given)})"
                with_ready = "query(ready)" if kept is None else "query(ready, out=out)"
                names = {**given, "query": query, "ready": ready}
                cpp, python, ratio = compared(in_cpp, lambda: median(call, names, 0.1, count))
                _, prepared, held = compared(in_cpp, lambda: median(with_ready, names, 0.1, count))
                print(f"{name:18} {documents:9} {'new' if kept is None else 'out':>8} {cpp * 1e6:9.3f} us {python * 1e6:9.3f} us "
                      f"{100 * (ratio - 1):7.1f} % {prepared * 1e6:9.3f} us {100 * (held - 1):7.1f} %", flush=True)


def one_document():
    """How long one call takes for one document, given in several ways."""
    numbers = tenrex.compile("a * 2 + b", document=["a", "b"]).bind()
    a, b = np.ones(1), np.ones(1)
    four = tenrex.compile("a + b + c + sum(q * d)", query={"q": "tensor<float>(x[16])"},
                          document={"a": "double", "b": "double", "c": "double", "d": "tensor<float>(x[16])"}).bind(q=np.ones(16))
    row = np.ones(16, np.float32)
    sum_of_row = tenrex.compile("sum(d)", document={"d": "tensor<float>(x[16])"}).bind()
    genre = tenrex.compile('genre == "jazz"', document={"genre": "string"}).bind()
    labels = tenrex.compile("sum(t * w)", query={"w": "tensor(k{})"}, document={"t": "tensor(k{})"}).bind(w={"a": 1})
    values = {"numbers": numbers, "four": four, "genre": genre, "labels": labels, "both": {"a": 1.0, "b": 2.0},
              "named": {"a": a, "b": b}, "a": a, "b": b, "number": a[0], "small": row[0], "row": row,
              "vector": row.tolist(), "cheap": sum_of_row}
    for what, call in {
        "two floats": "numbers(a=1.0, b=2.0)", "two ints": "numbers(a=1, b=2)", "two floats in a dict": "numbers(both)",
        "two arrays": "numbers(a=a, b=b)", "two arrays in a dict": "numbers(named)",
        "float64 of numpy": "numbers(a=number, b=2.0)", "float32 of numpy": "numbers(a=small, b=2.0)",
        "two lists": "numbers(a=[1.0], b=[2.0])", "four inputs": "four(a=1.0, b=2.0, c=a, d=row)",
        "a list of 16": "cheap(d=vector)", "a text": "genre(genre='jazz')", "a list of a text": "genre(genre=['jazz'])",
        "a dict of labels": "labels(t={'a': 1, 'b': 2})", "a list of a dict": "labels(t=[{'a': 1, 'b': 2}])",
    }.items():
        times = [median(call, values, 0.05, 1000) for _ in range(ROUNDS)]
        print(f"one document, {what:22} {statistics.median(times) * 1e6:9.3f} us")


one_document()
beside_cpp()
