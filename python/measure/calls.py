"""What a call costs from Python beside the same call from C++ (calls.cpp): prints the tables of docs/python_calls.md.

Both run in turns, over the same arrays. A ratio is that of the least times of a turn, and the median of all turns counts. A
call that makes an array for the scores is compared with one in C++ that makes a vector; one with ``out`` with one that writes
to memory that stays.
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
    "`a * 2 + b`, numbers": ("a * 2 + b", {}, {"a": "double", "b": "double"}),
    "`sum(a * 2 + b)`, one float each": ("sum(a * 2 + b)", {}, {"a": "tensor<float>(x[1])", "b": "tensor<float>(x[1])"}),
    "`sum(q * d) - price`, 16 floats": ("sum(q * d) - price", {"q": "tensor<float>(x[16])"}, {"d": "tensor<float>(x[16])", "price": "double"}),
    "`sum(q * d)`, 128 floats": ("sum(q * d)", {"q": "tensor<float>(x[128])"}, {"d": "tensor<float>(x[128])"}),
    "`sum(q * d)`, 384 floats": ("sum(q * d)", {"q": "tensor<float>(x[384])"}, {"d": "tensor<float>(x[384])"}),
    f"a forest of {TREES.trees} trees": ("forest(clicks)", {}, {name: "double" for name in TREES.used_features}),
}
ROUNDS = 15


def values(types, documents, random):
    made = {}
    for name, text in types.items():
        of_type = tenrex.TensorType(text)
        dtype = np.float64 if of_type.cell_type == "double" else np.float32
        made[name] = random.random(documents + of_type.shape).astype(dtype)
    return made


def least(call, values, seconds, count):
    """The least time of a call, which is a text, of rounds of so many calls: what others do meanwhile only adds to it."""
    rounds = timeit.Timer(call, globals=values)  # as in a loop of a program: without another function around it
    found, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        found = min(found, rounds.timeit(count) / count)
    return found


def compared(first, second):
    """The medians of two measurements in turns, and of their ratios."""
    pairs = [(first(), second()) for _ in range(ROUNDS)]
    return statistics.median(a for a, _ in pairs), statistics.median(b / a for a, b in pairs)


def more(ratio):
    return f"{100 * abs(ratio - 1):.1f} % {'more' if ratio > 1 else 'less'}"


def beside_cpp(documents):
    in_library = ctypes.CDLL(tenrex._core.__file__).tenrex_measure_calls
    in_library.restype, in_library.argtypes = ctypes.c_double, [ctypes.c_char_p]
    random = np.random.default_rng(0)
    print("| expression | a new array: C++ | Python | with `out`: C++ | Python | with `documents`, too |\n|---|---|---|---|---|---|")
    for title, (expression, query_types, document_types) in CASES.items():
        forests = {"clicks": str(FOREST)} if "forest" in expression else {}
        plan = tenrex.compile(expression, query=query_types, document=document_types, forests={"clicks": TREES} if forests else {})
        query = plan.bind(values(query_types, (), random))
        columns = values(document_types, (documents,), random)
        out = np.empty(documents)
        names = {**columns, "query": query, "ready": plan.documents(columns), "out": out}
        given = ", ".join(f"{name}={name}" for name in columns)
        row = f"| {title}"
        for is_fresh, calls in ((True, [f"query({given})"]), (False, [f"query({given}, out=out)", "query(ready, out=out)"])):
            request = json.dumps({"expression": expression, "query": query_types, "document": document_types,
                                  "forests": forests, "documents": documents, "fresh": is_fresh, "out": out.ctypes.data,
                                  "columns": {name: array.ctypes.data for name, array in columns.items()}}).encode()
            count = 1000 if documents == 1 else 20  # so that reading the clock costs nothing
            found = [compared(lambda: in_library(request), lambda: least(call, names, 0.1, count)) for call in calls]
            microseconds = found[0][0] * 1e6
            row += f" | {microseconds:.{1 if microseconds < 100 else 0}f} us" + "".join(f" | {more(ratio)}" for _, ratio in found)
        print(row + " |", flush=True)


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
    names = {"numbers": numbers, "four": four, "genre": genre, "labels": labels, "both": {"a": 1.0, "b": 2.0},
             "named": {"a": a, "b": b}, "a": a, "b": b, "number": a[0], "small": row[0], "row": row,
             "vector": row.tolist(), "sum_of_row": sum_of_row}
    print("| given as | time |\n|---|---|")
    for what, calls in {
        "two numbers, of Python or numpy; a text": ["numbers(a=1.0, b=2.0)", "numbers(a=1, b=2)", "numbers(both)", "numbers(a=number, b=2.0)",
                                                    "numbers(a=small, b=2.0)", "genre(genre='jazz')"],
        "two arrays": ["numbers(a=a, b=b)", "numbers(named)"],
        "four inputs: two numbers, an array, a vector": ["four(a=1.0, b=2.0, c=a, d=row)"],
        "two lists; a list of 16 numbers; a list of a text": ["numbers(a=[1.0], b=[2.0])", "sum_of_row(d=vector)", "genre(genre=['jazz'])"],
        "a dict of two labels; a list of such a dict": ["labels(t={'a': 1, 'b': 2})", "labels(t=[{'a': 1, 'b': 2}])"],
    }.items():
        times = [statistics.median(least(call, names, 0.05, 1000) for _ in range(ROUNDS)) * 1e6 for call in calls]
        low, high = f"{min(times):.2f}", f"{max(times):.2f}"
        print(f"| {what} | {low if low == high else f'{low} to {high}'} us |", flush=True)


print("10,000 documents:\n")
beside_cpp(10000)
print("\nOne document:\n")
one_document()
