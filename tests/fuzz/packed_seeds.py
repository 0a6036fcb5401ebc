"""Packed models as the fuzz program takes them: the length of the table, the table, the parts."""

import pathlib
import struct
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "tools"))
from onnx_writer import floats, model, node, port  # noqa: E402


def number(value):
    return struct.pack("<Q", value)


def text(value):
    return number(len(value)) + value.encode()


def numbers(values):
    return number(len(values)) + struct.pack(f"<{len(values)}d", *values)


def packed_seeds():
    square = [float(i % 5) - 2 for i in range(16)]
    network = model([node("MatMul", ["x", "w"], ["out"])], [floats("w", [4, 4], square)], [port("x", ["n", 4])],
                    [port("out", ["n"])])
    begin = len(network) - len(network) % 64 + 64
    matrix = bytes(range(256)) * 2
    for precision in ("f32", "bf16", "int8"):
        origin = "weights w" if precision == "f32" else "as they are 0 weights w"
        table = b"".join([
            text("0"), text("none"), text("model.onnx"), text(precision),
            number(1), text(""), number(0), number(len(network)), number(1), number(16), number(8),
            number(1), text(origin), text("matmul"), number(begin), number(len(matrix)),
            number(1), text(origin), numbers([2.0] * 4), numbers([0.5] * 4)])
        yield number(len(table)) + table + network.ljust(begin, b"\0") + matrix
