"""A small ONNX file for each kind of operator, as seeds."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "tools"))
from onnx_writer import INT64, floats, integers, model, node, port  # noqa: E402


def made(operator, inputs, outputs, **attributes):
    return node(operator, inputs.split(), outputs.split(), **attributes)


def small(nodes, weights, inputs):
    return model(nodes, weights, inputs, [port("out", ["n"])])


def onnx_seeds():
    row = port("x", ["n", 4])
    texts = port("x", ["batch", "sequence", 4])
    square = [float(i % 5) - 2 for i in range(16)]
    matrix = floats("w", [4, 4], square)
    for operator in ("Relu", "Erf", "Sigmoid", "Softmax", "LogSoftmax", "Hardmax", "ReduceMean", "ReduceMax", "ArgMax",
                     "Shape", "Size", "Transpose", "Flatten", "Identity", "DynamicQuantizeLinear", "Round", "Trilu",
                     "Squeeze", "EyeLike", "IsNaN", "Not", "LpNormalization", "MeanVarianceNormalization", "Gelu"):
        yield small([made(operator, "x", "out")], [], [row])
        yield small([made(operator, "x", "out", axis=1, keepdims=0)], [], [texts])
    for operator in ("Add", "Sub", "Mul", "Div", "Pow", "MatMul", "Gemm", "Max", "Less", "Equal", "And", "Mod", "PRelu"):
        yield small([made(operator, "x w", "out")], [matrix], [row])
    yield small([made("Gemm", "x w b", "out", alpha=0.5, transB=1)], [matrix, floats("b", [4], square[:4])], [row])
    yield small([made("LayerNormalization", "x b b", "out", axis=-1, epsilon=1e-5)],
                [floats("b", [4], [1.0, 2.0, 0.5, -1.0])], [texts])
    yield small([made("Einsum", "x w", "out", equation="bij,jk->bik")], [matrix], [texts])
    lists = [integers("zero", [0]), integers("one", [1]), integers("two", [2]), integers("end", [(1 << 63) - 1]),
             integers("minus", [-1]), integers("shape", [0, -1, 2, 2]), integers("pads", [0, 1, 0, 1])]
    yield small([made("Reshape", "x shape", "y"), made("Transpose", "y", "out", perm=[0, 2, 1, 3])], lists, [texts])
    yield small([made("Shape", "x", "s"), made("Gather", "s one", "t"), made("Concat", "minus t two two", "r", axis=0),
                 made("Reshape", "x r", "out")], lists, [texts])
    yield small([made("Slice", "x zero end one one", "out")], lists, [texts])
    yield small([made("Slice", "x minus zero one minus", "out")], lists, [row])
    yield small([made("Expand", "x two", "y"), made("Tile", "y pads", "out")], lists, [row])
    yield small([made("Pad", "x pads", "out", mode="reflect")], lists, [row])
    yield small([made("Split", "x", "a out", axis=1)], lists, [row])
    yield small([made("Unsqueeze", "x minus", "y"), made("Concat", "y y", "out", axis=-1)], lists, [texts])
    yield small([made("CumSum", "x one", "out", reverse=1)], lists, [texts])
    yield small([made("OneHot", "i two pair", "out")], lists + [floats("pair", [2], [0.0, 1.0])],
                [port("i", ["n"], INT64)])
    yield small([made("Gather", "w i", "e"), made("ReduceSum", "e one", "out", keepdims=0)], lists + [matrix],
                [port("i", ["batch", "sequence"], INT64)])
    yield small([made("GatherElements", "x i", "out", axis=1)], [], [row, port("i", ["n", 4], INT64)])
    yield small([made("GatherND", "x i", "out")], [], [row, port("i", ["n", 2], INT64)])
    yield small([made("Shape", "x", "s"), made("ConstantOfShape", "s", "out", value=floats("", [1], [2.0]))], [], [texts])
    yield small([made("Shape", "x", "s"), made("Gather", "s one", "t"), made("Squeeze", "t", "u"),
                 made("Range", "zeroes u ones", "out")],
                lists + [integers("zeroes", [0], []), integers("ones", [1], [])], [texts])
    yield small([made("Cast", "x", "y", to=3), made("Cast", "y", "out", to=10)], [], [row])
    yield small([made("Where", "c x x", "out"), made("Less", "x x", "d")], [], [row, port("c", ["n", 4], 9)])
    yield small([made("QuantizeLinear", "x s z", "q"), made("DequantizeLinear", "q s z", "out")],
                [floats("s", [], [0.5]), integers("z", [3], [])], [row])
    # An encoder's attention over tokens of any number.
    yield small([made("Gather", "w i", "h"), made("MatMul", "h w", "q"), made("Reshape", "q shape", "r"),
                 made("Transpose", "r", "a", perm=[0, 2, 1, 3]), made("Transpose", "r", "b", perm=[0, 2, 3, 1]),
                 made("MatMul", "a b", "s"), made("Softmax", "s", "p", axis=-1), made("MatMul", "p a", "v"),
                 made("Transpose", "v", "t", perm=[0, 2, 1, 3]), made("Reshape", "t flat", "f"),
                 made("Add", "f h", "g"), made("LayerNormalization", "g b b", "out")],
                lists + [matrix, integers("flat", [0, 0, 4]), floats("b", [4], [1.0, 2.0, 0.5, -1.0])],
                [port("i", ["batch", "sequence"], INT64)])
