"""Operators that move cells: what they read stands elsewhere afterwards. Each takes a builder and adds nodes to its model."""

import numpy

from onnx_models.builder import ALL, FLOAT, INT, Skip


def concat(b):
    x = b.pick(ALL, least=1)
    axis = b.axis(x)
    others = []
    for _ in range(int(b.random.integers(1, 3))):
        shape = list(x.array.shape)
        shape[axis] = int(b.random.integers(1, 4))
        others.append(x if b.random.random() < 0.3 else b.add(b.numbers(shape, x.array.dtype.type)))
    b.node("Concat", [x, *others], axis=axis, exact=True)


def transpose(b):
    x = b.pick(ALL, least=1)
    b.node("Transpose", [x], perm=[int(i) for i in b.random.permutation(x.array.ndim)], exact=True)


def reshape(b):
    x = b.pick(ALL)
    rest, shape = x.array.size, []
    while rest > 1 and len(shape) < 4:
        divisors = [d for d in range(1, rest + 1) if rest % d == 0]
        shape.append(int(divisors[int(b.random.integers(len(divisors)))]))
        rest //= shape[-1]
    shape.append(rest)
    if b.random.random() < 0.5:
        shape[int(b.random.integers(len(shape)))] = -1
    b.node("Reshape", [x, b.list(shape)], exact=True)


def flatten(b):
    x = b.pick(ALL, least=1)
    b.node("Flatten", [x], axis=int(b.random.integers(x.array.ndim + 1)), exact=True)


def squeeze(b):
    x = b.pick(ALL)
    b.node("Squeeze", [x], exact=True)


def unsqueeze(b):
    x = b.pick(ALL)
    b.node("Unsqueeze", [x, b.list([int(b.random.integers(x.array.ndim + 1))])], exact=True)


def expand(b):
    x = b.pick(ALL)
    shape = [int(b.random.integers(1, 4)) if n == 1 else n for n in x.array.shape]
    b.node("Expand", [x, b.list(b.shape(1) + shape)], exact=True)


def tile(b):
    x = b.pick(ALL, least=1)
    b.node("Tile", [x, b.list([int(n) for n in b.random.integers(1, 3, x.array.ndim)])], exact=True)


def slices(b):
    x = b.pick(ALL, least=1)
    axis = b.axis(x)
    size = x.array.shape[axis]
    step = b.one_of(1, 1, 2, -1, -2)
    ends = [int(b.random.integers(-size, size + 1)), int(b.random.integers(-size - 1, size + 2))]
    b.node("Slice", [x, b.list(ends[:1]), b.list(ends[1:]), b.list([axis]), b.list([step])], exact=True)


def split(b):
    x = b.pick(ALL, least=1)
    axis = b.axis(x)
    size = x.array.shape[axis]
    if size < 2:
        raise Skip
    first = int(b.random.integers(1, size))
    b.node("Split", [x, b.list([first, size - first])], 2, axis=axis, exact=True)


def gather(b):
    x = b.pick(ALL, least=1)
    axis = b.axis(x)
    size = x.array.shape[axis]
    b.node("Gather", [x, b.add(b.random.integers(-size, size, b.shape(2)).astype(INT))], axis=axis, exact=True)


def gather_elements(b):
    x = b.pick(ALL, least=1)
    axis = b.axis(x)
    shape = list(x.array.shape)
    shape[axis] = int(b.random.integers(1, 4))
    size = x.array.shape[axis]
    b.node("GatherElements", [x, b.add(b.random.integers(-size, size, shape).astype(INT))], axis=axis, exact=True)


def gather_nd(b):
    x = b.pick(ALL, least=1)
    depth = int(b.random.integers(1, x.array.ndim + 1))
    count = b.shape(2, 1)
    index = numpy.stack([b.random.integers(-n, n, count) for n in x.array.shape[:depth]], axis=-1)
    b.node("GatherND", [x, b.add(index.astype(INT))], exact=True)


def pad(b):
    x = b.pick(least=1)
    mode = b.one_of("constant", "edge", "reflect")
    if mode == "reflect" and min(x.array.shape) < 3:
        raise Skip
    b.node("Pad", [x, b.list([int(n) for n in b.random.integers(0, 3, 2 * x.array.ndim)])], mode=mode, exact=True)


def trilu(b):
    b.node("Trilu", [b.pick(ALL, least=2), b.add(numpy.array(b.random.integers(-2, 3), dtype=INT), True)],
           upper=int(b.random.integers(2)), exact=True)


def one_hot(b):
    index = b.add(b.random.integers(-3, 3, b.shape(2, 1)).astype(INT))
    b.node("OneHot", [index, b.list([4]), b.add(numpy.array([-1, 2], dtype=FLOAT))], axis=b.one_of(-1, 0), exact=True)


def top_k(b):
    x = b.add(b.random.permutation(12).reshape(3, 4).astype(FLOAT))
    b.node("TopK", [x, b.list([int(b.random.integers(1, 4))])], 2, axis=b.one_of(0, 1),
           largest=int(b.random.integers(2)), exact=True)


def shape_arithmetic(b):
    x = b.pick(ALL, least=1)
    b.node("Shape", [x], exact=True)
    shape = b.values[-1]
    if b.random.random() < 0.5:
        b.node("ConstantOfShape", [shape], exact=True)
    else:
        b.node("Gather", [shape, b.add(numpy.array(0, dtype=INT), True)], exact=True)
