"""Small ONNX files, field by field: a model for each kind of operator, as seeds."""

import struct

INT64, FLOAT = 7, 1


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def floats(name, shape, cells):
    return (b"".join(number(1, size) for size in shape) + number(2, FLOAT) + text(8, name)
            + text(9, struct.pack("<%df" % len(cells), *cells)))


def integers(name, cells, shape=None):
    sizes = [len(cells)] if shape is None else shape
    return (b"".join(number(1, size) for size in sizes) + number(2, INT64) + text(8, name)
            + b"".join(number(7, cell) for cell in cells))


def attribute(name, value):
    if isinstance(value, int):
        return text(1, name) + number(3, value) + number(20, 2)
    if isinstance(value, float):
        return text(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)
    if isinstance(value, str):
        return text(1, name) + text(4, value) + number(20, 3)
    if isinstance(value, bytes):
        return text(1, name) + text(5, value) + number(20, 4)
    return text(1, name) + b"".join(number(8, item) for item in value) + number(20, 7)


def node(operator, inputs, outputs, domain="", **attributes):
    return (b"".join(text(1, name) for name in inputs.split()) + b"".join(text(2, name) for name in outputs.split())
            + text(3, "node") + text(4, operator)
            + b"".join(text(5, attribute(name, value)) for name, value in attributes.items()) + text(7, domain))


def port(name, axes, element=FLOAT):
    shape = b"".join(text(1, text(2, axis) if isinstance(axis, str) else number(1, axis)) for axis in axes)
    return text(1, name) + text(2, text(1, number(1, element) + text(2, shape)))


def model(nodes, weights, inputs, opset=17, output="out"):
    graph = b"".join(text(1, each) for each in nodes) + b"".join(text(5, each) for each in weights)
    graph += b"".join(text(11, each) for each in inputs) + text(12, port(output, ["n"]))
    return number(1, 8) + text(2, "seeds") + text(7, graph) + text(8, number(2, opset))


def onnx_seeds():
    row = port("x", ["n", 4])
    texts = port("x", ["batch", "sequence", 4])
    square = [float(i % 5) - 2 for i in range(16)]
    matrix = floats("w", [4, 4], square)
    for operator in ("Relu", "Erf", "Sigmoid", "Softmax", "LogSoftmax", "Hardmax", "ReduceMean", "ReduceMax", "ArgMax",
                     "Shape", "Size", "Transpose", "Flatten", "Identity", "DynamicQuantizeLinear", "Round", "Trilu",
                     "Squeeze", "EyeLike", "IsNaN", "Not", "LpNormalization", "MeanVarianceNormalization", "Gelu"):
        yield model([node(operator, "x", "out")], [], [row])
        yield model([node(operator, "x", "out", axis=1, keepdims=0)], [], [texts])
    for operator in ("Add", "Sub", "Mul", "Div", "Pow", "MatMul", "Gemm", "Max", "Less", "Equal", "And", "Mod", "PRelu"):
        yield model([node(operator, "x w", "out")], [matrix], [row])
    yield model([node("Gemm", "x w b", "out", alpha=0.5, transB=1)], [matrix, floats("b", [4], square[:4])], [row])
    yield model([node("LayerNormalization", "x b b", "out", axis=-1, epsilon=1e-5)],
                [floats("b", [4], [1.0, 2.0, 0.5, -1.0])], [texts])
    yield model([node("Einsum", "x w", "out", equation="bij,jk->bik")], [matrix], [texts])
    lists = [integers("zero", [0]), integers("one", [1]), integers("two", [2]), integers("end", [(1 << 63) - 1]),
             integers("minus", [-1]), integers("shape", [0, -1, 2, 2]), integers("pads", [0, 1, 0, 1])]
    yield model([node("Reshape", "x shape", "y"), node("Transpose", "y", "out", perm=[0, 2, 1, 3])], lists, [texts])
    yield model([node("Shape", "x", "s"), node("Gather", "s one", "t"), node("Concat", "minus t two two", "r", axis=0),
                 node("Reshape", "x r", "out")], lists, [texts])
    yield model([node("Slice", "x zero end one one", "out")], lists, [texts])
    yield model([node("Slice", "x minus zero one minus", "out")], lists, [row])
    yield model([node("Expand", "x two", "y"), node("Tile", "y pads", "out")], lists, [row])
    yield model([node("Pad", "x pads", "out", mode="reflect")], lists, [row])
    yield model([node("Split", "x", "a out", axis=1)], lists, [row])
    yield model([node("Unsqueeze", "x minus", "y"), node("Concat", "y y", "out", axis=-1)], lists, [texts])
    yield model([node("CumSum", "x one", "out", reverse=1)], lists, [texts])
    yield model([node("OneHot", "i two pair", "out")], lists + [floats("pair", [2], [0.0, 1.0])],
                [port("i", ["n"], INT64)])
    yield model([node("Gather", "w i", "e"), node("ReduceSum", "e one", "out", keepdims=0)], lists + [matrix],
                [port("i", ["batch", "sequence"], INT64)])
    yield model([node("GatherElements", "x i", "out", axis=1)], [], [row, port("i", ["n", 4], INT64)])
    yield model([node("GatherND", "x i", "out")], [], [row, port("i", ["n", 2], INT64)])
    yield model([node("Shape", "x", "s"), node("ConstantOfShape", "s", "out", value=floats("", [1], [2.0]))], [], [texts])
    yield model([node("Shape", "x", "s"), node("Gather", "s one", "t"), node("Squeeze", "t", "u"),
                 node("Range", "zeroes u ones", "out")],
                lists + [integers("zeroes", [0], []), integers("ones", [1], [])], [texts])
    yield model([node("Cast", "x", "y", to=3), node("Cast", "y", "out", to=10)], [], [row])
    yield model([node("Where", "c x x", "out"), node("Less", "x x", "d")], [], [row, port("c", ["n", 4], 9)])
    yield model([node("QuantizeLinear", "x s z", "q"), node("DequantizeLinear", "q s z", "out")],
                [floats("s", [], [0.5]), integers("z", [3], [])], [row])
    # An encoder's attention over tokens of any number.
    yield model([node("Gather", "w i", "h"), node("MatMul", "h w", "q"), node("Reshape", "q shape", "r"),
                 node("Transpose", "r", "a", perm=[0, 2, 1, 3]), node("Transpose", "r", "b", perm=[0, 2, 3, 1]),
                 node("MatMul", "a b", "s"), node("Softmax", "s", "p", axis=-1), node("MatMul", "p a", "v"),
                 node("Transpose", "v", "t", perm=[0, 2, 1, 3]), node("Reshape", "t flat", "f"),
                 node("Add", "f h", "g"), node("LayerNormalization", "g b b", "out")],
                lists + [matrix, integers("flat", [0, 0, 4]), floats("b", [4], [1.0, 2.0, 0.5, -1.0])],
                [port("i", ["batch", "sequence"], INT64)])
