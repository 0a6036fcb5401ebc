"""Writes small models in the format of ONNX, field by field: the numbers of the fields are those of onnx.proto."""

import struct


INT64 = 7


def varint(value):
    out = b''
    value &= (1 << 64) - 1
    while value >= 0x80:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def floats(name, shape, cells):
    """A tensor."""
    return (b''.join(number(1, size) for size in shape) + number(2, 1) + data(8, name) +
            data(9, struct.pack('<%df' % len(cells), *cells)))


def integers(name, cells, shape=None):
    """A tensor of int64, of one axis if no shape is told."""
    return (b''.join(number(1, size) for size in ([len(cells)] if shape is None else shape)) + number(2, INT64) +
            data(8, name) + b''.join(number(7, cell) for cell in cells))


def attribute(name, value):
    """Of a number, a text, a tensor in bytes, or a list of whole numbers."""
    if isinstance(value, int):
        return data(1, name) + number(3, value) + number(20, 2)
    if isinstance(value, float):
        return data(1, name) + varint(2 << 3 | 5) + struct.pack('<f', value) + number(20, 1)
    if isinstance(value, str):
        return data(1, name) + data(4, value) + number(20, 3)
    if isinstance(value, bytes):
        return data(1, name) + data(5, value) + number(20, 4)
    return data(1, name) + b''.join(number(8, item) for item in value) + number(20, 7)


def port(name, shape, element=1):
    """An input or output, of floats if nothing is told; a text in the shape is the name of an axis."""
    axes = b''.join(data(1, data(2, axis) if isinstance(axis, str) else number(1, axis)) for axis in shape)
    return data(1, name) + data(2, data(1, number(1, element) + data(2, axes)))


def node(op, inputs, outputs, **attributes):
    return (b''.join(data(1, name) for name in inputs) + b''.join(data(2, name) for name in outputs) +
            data(3, 'the_' + op) + data(4, op) + b''.join(data(5, attribute(*each)) for each in attributes.items()))


def model(nodes, weights, inputs, outputs, opset=17):
    graph = b''.join(data(field, message) for field, messages in ((1, nodes), (5, weights), (11, inputs), (12, outputs))
                     for message in messages)
    return number(1, 8) + data(2, 'writer') + data(3, '1.0') + data(7, graph + data(2, 'graph')) + data(8, number(2, opset))


def layer(op='Relu'):
    """op(x[n,2] times a matrix of two columns, plus a bias)."""
    return model([node('MatMul', ['x', 'w'], ['product']), node('Add', ['product', 'b'], ['sum']),
                  node(op, ['sum'], ['out/0'])],
                 [floats('w', [2, 2], [1, -2, 3, 4]), floats('b', [2], [0.5, -20])],
                 [port('x', ['n', 2])], [port('out/0', ['n', 2])])
