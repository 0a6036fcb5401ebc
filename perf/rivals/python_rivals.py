#!/usr/bin/env python3
"""Times ONNX Runtime and LightGBM on the data of some cases, after comparing the results; an object a line.

    make perf-rivals                                     installs them in build/rivals, a virtual environment
    perf/rivals/python_rivals.py --benchmark build/release/perf/rivals/rivals_benchmark

Where one is not installed, its objects say so. Blocks of 64 documents, one thread, the time of the processor.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import trees

NETS = ("net.100-64-1", "net.768-256-1")
FORESTS = ("trees.1x4", "trees.10x3")
BLOCK = 64


def import_or_none(name):
    try:
        return __import__(name)
    except ImportError:
        return None


class Data:
    """What rivals_benchmark --export writes of a case."""

    def __init__(self, directory, name, numpy):
        description = json.loads((directory / f"{name}.json").read_text(encoding="utf-8"))
        self.documents = description["documents"]
        self.expression = description["expression"]
        self.inputs = list(description["inputs"])
        self.sizes = description["inputs"]
        self._read = lambda what: numpy.fromfile(directory / f"{name}.{what}.f32", dtype=numpy.float32)
        self.expected = self._read("expected")

    def array(self, name, *shape):
        return self._read(name).reshape(shape)


def median_nanoseconds(documents, evaluate, runs=5, seconds=0.05):
    """Of a document; evaluate() evaluates all."""
    evaluate()
    times = []
    for _ in range(runs):
        start, repeats = time.process_time(), 0
        while time.process_time() - start < seconds:
            evaluate()
            repeats += 1
        times.append((time.process_time() - start) * 1e9 / (repeats * documents))
    return sorted(times)[runs // 2]


def outcome(numpy, data, evaluate):
    """The time, or what is wrong. evaluate(first, last) gives the results of these documents."""
    blocks = [(first, min(first + BLOCK, data.documents)) for first in range(0, data.documents, BLOCK)]
    actual = numpy.concatenate([numpy.asarray(evaluate(*block)).reshape(-1) for block in blocks])
    usual = max(1.0, float(numpy.sqrt(numpy.mean(data.expected ** 2))))
    greatest = float(numpy.max(numpy.abs(actual - data.expected)))
    if not greatest <= 1e-4 * usual:
        return {"error": f"a result is off by {greatest}"}

    def all_blocks():
        for block in blocks:
            evaluate(*block)
    return {"ns": median_nanoseconds(data.documents, all_blocks)}


def onnx_session(onnx, runtime, data):
    """A dense layer, elu and another layer as an ONNX model."""
    hidden, x = data.sizes["W1"]["hidden"], data.sizes["W1"]["x"]
    make = onnx.helper
    weights = {"W1": data.array("W1", hidden, x), "b1": data.array("b1", hidden), "W2": data.array("W2", hidden, 1),
               "b2": data.array("b2", 1)}
    nodes = [make.make_node("Gemm", ["d", "W1", "b1"], ["h"], transB=1), make.make_node("Elu", ["h"], ["e"]),
             make.make_node("Gemm", ["e", "W2", "b2"], ["score"])]
    tensor = onnx.TensorProto.FLOAT
    graph = make.make_graph(nodes, "net", [make.make_tensor_value_info("d", tensor, ["n", x])],
                            [make.make_tensor_value_info("score", tensor, ["n", 1])],
                            [onnx.numpy_helper.from_array(value, name) for name, value in weights.items()])
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 13)])
    model.ir_version = 8
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]), x


def onnx_outcome(modules, data):
    session, x = onnx_session(modules["onnx"], modules["onnxruntime"], data)
    documents = data.array("d", data.documents, x)
    return outcome(modules["numpy"], data, lambda first, last: session.run(None, {"d": documents[first:last]})[0])


def lightgbm_outcome(modules, data):
    numpy = modules["numpy"]
    booster = modules["lightgbm"].Booster(model_str=trees.model_text(trees.parse_sum(data.expression), data.inputs))
    documents = numpy.stack([data.array(name, data.documents) for name in data.inputs], axis=1).astype(numpy.float64)
    return outcome(numpy, data, lambda first, last: booster.predict(documents[first:last], num_threads=1, raw_score=True))


RIVALS = (("ONNX Runtime", NETS, ("numpy", "onnx", "onnxruntime"), onnx_outcome),
          ("LightGBM", FORESTS, ("numpy", "lightgbm"), lightgbm_outcome))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True, help="the program rivals_benchmark")
    parser.add_argument("--filter", default="", help="a regular expression for the names of cases")
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for rival, cases, needed, measure in RIVALS:
            modules = {name: import_or_none(name) for name in needed}
            for name in cases:
                if not re.search(arguments.filter, name):
                    continue
                if None in modules.values():
                    result = {"missing": "not installed"}
                else:
                    subprocess.run([arguments.benchmark, "--export", folder, "--filter", f"^{re.escape(name)}$"], check=True)
                    result = measure(modules, Data(pathlib.Path(folder), name, modules["numpy"]))
                failed = failed or "error" in result
                print(json.dumps({"name": name, "rival": rival, **result}), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
