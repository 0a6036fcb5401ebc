#!/usr/bin/env python3
"""Times a text encoder of random weights, with Tenrex, ONNX Runtime and OpenVINO on the same file; an object a line.

    make perf-rivals                          installs both in build/rivals, a virtual environment
    build/rivals/bin/python perf/rivals/encoders.py --benchmark build/release/perf/rivals/encoders_benchmark

The model is made as exporters write encoders: layers of attention, gelu and normalizations out of single operators, and a mask.
Embeddings are compared before anything is timed. One thread, time of the processor, milliseconds of a text, the least of several
runs, in turns: Tenrex at each precision, ONNX Runtime with the file and with its dynamic int8 form of it, a scale for each
column of the weights, OpenVINO with the file in float and in bfloat16. Exit status: 1 if results differ.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
import onnxruntime
import onnxruntime.quantization
import openvino

# Layers, width, heads, cells behind the first product of the second half.
SHAPES = {"MiniLM-L6": (6, 384, 12, 1536), "BERT-base": (12, 768, 12, 3072)}
LENGTHS = (8, 16, 32, 64, 128, 256, 512)
WORDS = 2000
POSITIONS = 512
TURNS = 3
# How far embeddings may be from those of ONNX Runtime in float.
PRECISIONS = {"f32": 1e-5, "bf16": 1e-3, "int8": 0.015}


class Writer:
    """Nodes and weights of a graph."""

    def __init__(self):
        self.random = numpy.random.default_rng(1)
        self.nodes, self.weights, self.names = [], [], 0

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def constant(self, value):
        self.weights.append(onnx.numpy_helper.from_array(numpy.asarray(value), self.name()))
        return self.weights[-1].name

    def number(self, value):
        return self.constant(numpy.float32(value))

    def integers(self, *values):
        return self.constant(numpy.array(values, numpy.int64))

    def matrix(self, rows, columns):
        return self.constant((self.random.standard_normal((rows, columns)) / numpy.sqrt(rows)).astype(numpy.float32))

    def row(self, columns, around=0):
        return self.constant((around + 0.1 * self.random.standard_normal(columns)).astype(numpy.float32))

    def add(self, op, inputs, **attributes):
        result = self.name()
        self.nodes.append(onnx.helper.make_node(op, inputs, [result], **attributes))
        return result

    def size(self, value, axis):
        shape = self.add("Shape", [value])
        return self.add("Unsqueeze", [self.add("Gather", [shape, self.constant(numpy.int64(axis))], axis=0), self.integers(0)])

    def layer(self, value, rows, columns):
        return self.add("Add", [self.add("MatMul", [value, self.matrix(rows, columns)]), self.row(columns)])

    def normalized(self, value, width):
        centered = self.add("Sub", [value, self.add("ReduceMean", [value], axes=[-1])])
        variance = self.add("ReduceMean", [self.add("Pow", [centered, self.number(2)])], axes=[-1])
        deviation = self.add("Sqrt", [self.add("Add", [variance, self.number(1e-12)])])
        return self.add("Add", [self.add("Mul", [self.add("Div", [centered, deviation]), self.row(width, 1)]), self.row(width)])

    def heads(self, value, heads, size, order):
        shape = self.add("Concat", [self.size(value, 0), self.size(value, 1), self.integers(heads), self.integers(size)], axis=0)
        return self.add("Transpose", [self.add("Reshape", [value, shape])], perm=order)

    def gelu(self, value):
        error = self.add("Erf", [self.add("Div", [value, self.number(numpy.sqrt(2))])])
        return self.add("Mul", [self.add("Mul", [value, self.add("Add", [error, self.number(1)])]), self.number(0.5)])


def encoder(layers, width, heads, inner):
    """A model with input_ids, attention_mask and token_type_ids, whose output is the mean of its rows."""
    writer = Writer()
    add, size = writer.add, width // heads
    mask = add("Unsqueeze", [add("Unsqueeze", ["attention_mask", writer.integers(1)]), writer.integers(2)])
    kept = add("Sub", [writer.number(1), add("Cast", [mask], to=onnx.TensorProto.FLOAT)])
    mask = add("Mul", [kept, writer.number(numpy.finfo(numpy.float32).min)])
    places = writer.constant(numpy.arange(POSITIONS, dtype=numpy.int64)[None, :])
    places = add("Slice", [places, writer.integers(0), writer.size("input_ids", 1), writer.integers(1), writer.integers(1)])
    rows = add("Add", [add("Gather", [writer.matrix(WORDS, width), "input_ids"]),
                       add("Gather", [writer.matrix(POSITIONS, width), places])])
    rows = writer.normalized(add("Add", [rows, add("Gather", [writer.matrix(2, width), "token_type_ids"])]), width)
    for _ in range(layers):
        query = writer.heads(writer.layer(rows, width, width), heads, size, [0, 2, 1, 3])
        key = writer.heads(writer.layer(rows, width, width), heads, size, [0, 2, 3, 1])
        value = writer.heads(writer.layer(rows, width, width), heads, size, [0, 2, 1, 3])
        scores = add("Add", [add("Div", [add("MatMul", [query, key]), writer.number(numpy.sqrt(size))]), mask])
        mixed = add("Transpose", [add("MatMul", [add("Softmax", [scores], axis=-1), value])], perm=[0, 2, 1, 3])
        shape = add("Concat", [writer.size(mixed, 0), writer.size(mixed, 1), writer.integers(width)], axis=0)
        joined = writer.layer(add("Reshape", [mixed, shape]), width, width)
        rows = writer.normalized(add("Add", [joined, rows]), width)
        more = writer.layer(writer.gelu(writer.layer(rows, width, inner)), inner, width)
        rows = writer.normalized(add("Add", [more, rows]), width)
    counts = add("Cast", [add("Unsqueeze", ["attention_mask", writer.integers(-1)])], to=onnx.TensorProto.FLOAT)
    counts = add("Expand", [counts, add("Shape", [rows])])
    sums = add("ReduceSum", [add("Mul", [rows, counts]), writer.integers(1)], keepdims=0)
    total = add("ReduceSum", [counts, writer.integers(1)], keepdims=0)
    writer.nodes.append(onnx.helper.make_node("Div", [sums, total], ["embedding"]))
    helper, tensor = onnx.helper, onnx.TensorProto
    inputs = [helper.make_tensor_value_info(name, tensor.INT64, ["batch", "sequence"])
              for name in ("input_ids", "attention_mask", "token_type_ids")]
    outputs = [helper.make_tensor_value_info("embedding", tensor.FLOAT, ["batch", width])]
    model = helper.make_model(helper.make_graph(writer.nodes, "encoder", inputs, outputs, writer.weights),
                              opset_imports=[helper.make_opsetid("", 14)])
    model.ir_version = 8
    return model


class Rival:
    """A model in one thread."""

    def __call__(self, tokens):
        """The embedding."""
        raise NotImplementedError

    def milliseconds(self, tokens, seconds=0.4):
        self(tokens)
        least, end = 1e9, time.process_time() + seconds
        while time.process_time() < end:
            start = time.process_time()
            self(tokens)
            least = min(least, (time.process_time() - start) * 1e3)
        return least


def inputs_of(tokens):
    return {"input_ids": tokens[None, :], "attention_mask": numpy.ones((1, len(tokens)), numpy.int64),
            "token_type_ids": numpy.zeros((1, len(tokens)), numpy.int64)}


class OnnxRuntime(Rival):
    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def __call__(self, tokens):
        return self.session.run(["embedding"], inputs_of(tokens))[0][0]


class OpenVino(Rival):
    def __init__(self, path, precision):
        settings = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": precision}
        self.request = openvino.Core().compile_model(path, "CPU", settings).create_infer_request()

    def __call__(self, tokens):
        return self.request.infer(inputs_of(tokens))["embedding"][0]


def tenrex(benchmark, folder, model, tokens, precision):
    """What the program says, and the embedding."""
    tokens.astype(numpy.float64).tofile(folder / "tokens")
    done = subprocess.run([benchmark, model, folder / "tokens", folder / "embedding", precision], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout), numpy.fromfile(folder / "embedding")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmark", type=pathlib.Path, required=True, help="the program encoders_benchmark")
    parser.add_argument("--shape", choices=SHAPES, default="MiniLM-L6")
    parser.add_argument("--precisions", choices=PRECISIONS, nargs="+", default=list(PRECISIONS))
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS, help="tokens of a text")
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = folder / "encoder.onnx"
        onnx.save(encoder(*SHAPES[arguments.shape]), model)
        onnxruntime.quantization.quantize_dynamic(model, folder / "int8.onnx", per_channel=True,
                                                  weight_type=onnxruntime.quantization.QuantType.QInt8)
        rivals = {"onnxruntime": OnnxRuntime(model), "onnxruntime_int8": OnnxRuntime(folder / "int8.onnx"),
                  "openvino": OpenVino(model, "f32"), "openvino_bf16": OpenVino(model, "bf16")}
        for length in arguments.lengths:
            tokens = numpy.random.default_rng(length).integers(0, WORDS, length)
            expected = rivals["onnxruntime"](tokens).astype(numpy.float64)

            def distance(embedding):
                return 1 - float(embedding @ expected / numpy.linalg.norm(embedding) / numpy.linalg.norm(expected))

            figures = {"model": arguments.shape, "tokens": length}
            for precision in arguments.precisions:
                off = distance(tenrex(arguments.benchmark, folder, model, tokens, precision)[1])
                failed |= not off <= PRECISIONS[precision]
                figures[f"{precision}_distance"] = float(f"{off:.2g}")
            for name, rival in rivals.items():
                figures[f"{name}_distance"] = float(f"{distance(rival(tokens)):.2g}")
            least = {}
            for _ in range(TURNS):
                for precision in arguments.precisions:
                    ms = tenrex(arguments.benchmark, folder, model, tokens, precision)[0]["ms"]
                    least[precision] = min(ms, least.get(precision, ms))
                for name, rival in rivals.items():
                    ms = rival.milliseconds(tokens)
                    least[name] = min(ms, least.get(name, ms))
            figures.update({f"{name}_ms": round(ms, 3) for name, ms in least.items()})
            print(json.dumps(figures), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
