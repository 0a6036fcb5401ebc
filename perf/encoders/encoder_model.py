"""An encoder of random weights, as exporters write encoders: layers of attention, gelu and normalizations out of single operators, and
a mask."""

import numpy
import onnx

WORDS = 2000
POSITIONS = 512
# Rows and columns of the blocks of zeros of pruned weights.
BLOCK = 32


class Writer:
    """Nodes and weights of a graph."""

    def __init__(self, zero_blocks):
        self.random = numpy.random.default_rng(1)
        self.zero_blocks = zero_blocks
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

    def matrix(self, rows, columns, zero_blocks=0):
        cells = self.random.standard_normal((rows, columns)) / numpy.sqrt(rows)
        if zero_blocks > 0:
            blocks = self.random.random((-(-rows // BLOCK), -(-columns // BLOCK))) >= zero_blocks
            cells *= numpy.kron(blocks, numpy.ones((BLOCK, BLOCK)))[:rows, :columns]
        return self.constant(cells.astype(numpy.float32))

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
        return self.add("Add", [self.add("MatMul", [value, self.matrix(rows, columns, self.zero_blocks)]), self.row(columns)])

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


def encoder(layers, width, heads, inner, words=WORDS, zero_blocks=0):
    """A model with input_ids, attention_mask and token_type_ids, whose output is the mean of its rows. zero_blocks: the share of the
    blocks of its weights that are zeros."""
    writer = Writer(zero_blocks)
    add, size = writer.add, width // heads
    mask = add("Unsqueeze", [add("Unsqueeze", ["attention_mask", writer.integers(1)]), writer.integers(2)])
    kept = add("Sub", [writer.number(1), add("Cast", [mask], to=onnx.TensorProto.FLOAT)])
    mask = add("Mul", [kept, writer.number(numpy.finfo(numpy.float32).min)])
    places = writer.constant(numpy.arange(POSITIONS, dtype=numpy.int64)[None, :])
    places = add("Slice", [places, writer.integers(0), writer.size("input_ids", 1), writer.integers(1), writer.integers(1)])
    rows = add("Add", [add("Gather", [writer.matrix(words, width), "input_ids"]),
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
