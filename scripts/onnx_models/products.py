"""Products of matrices, attention, and their operators of integers. Each takes a builder and adds nodes to its model."""

import numpy

from onnx_models.builder import BOOL, FLOAT, RUNTIME


def mat_mul(b):
    x = b.pick(least=1)
    shape = [x.array.shape[-1]] + ([int(b.random.integers(1, 5))] if b.random.random() < 0.9 else [])
    if x.array.ndim > 2 and len(shape) == 2 and b.random.random() < 0.4:
        shape = list(x.array.shape[:-2]) + shape
    b.node("MatMul", [x, b.add(b.numbers(shape))], exact=True)


def two_of_one(b):
    x = b.pick(least=2)
    order = list(range(x.array.ndim - 2)) + [x.array.ndim - 1, x.array.ndim - 2]
    b.node("Transpose", [x], perm=order, exact=True)
    b.node("MatMul", [x, b.values[-1]], exact=True)


def gemm(b):
    x = b.pick(least=2, most=2)
    turned = [int(b.random.integers(2)), int(b.random.integers(2))]
    k = x.array.shape[0 if turned[0] else 1]
    n = int(b.random.integers(1, 5))
    c = [b.add(b.numbers([n]))] if b.random.random() < 0.7 else []
    b.node("Gemm", [x, b.add(b.numbers([n, k] if turned[1] else [k, n])), *c], transA=turned[0], transB=turned[1],
           alpha=0.5, beta=2.0, exact=True)


def einsum(b):
    x = b.pick(least=2, most=2)
    b.node("Einsum", [x, b.add(b.numbers([x.array.shape[1], 3]))], equation=b.one_of("ij,jk->ik", "ij,jk->ki", "ij,jk->k"),
           exact=True)


def integer_product(b):
    a = b.add(b.random.integers(0, 256, [3, 4]).astype(numpy.uint8), False)
    w = b.add(b.random.integers(-20, 21, [4, 2]).astype(numpy.int8), True)
    zero = b.add(numpy.array(b.random.integers(0, 256), dtype=numpy.uint8))
    b.node("MatMulInteger", [a, w, zero], exact=True)


def adds_pairs_in_16_bits():
    """Whether ONNX Runtime adds pairs of products of bytes in 16 bits, which saturate: it does on x86 without VNNI."""
    with open("/proc/cpuinfo", encoding="ascii") as file:
        flags = set(file.read().split())
    return "avx2" in flags and not flags & {"avx512_vnni", "avx_vnni"}


# The sum of two products of bytes with these fits into 16 bits.
LEAST_OF_INT8, MOST_OF_INT8 = (-64, 63) if adds_pairs_in_16_bits() else (-128, 127)


def bytes_of(b, shape, kind, as_weight):
    least, most = (LEAST_OF_INT8, MOST_OF_INT8) if kind == numpy.int8 else (0, 255)
    return b.add(b.random.integers(least, most + 1, shape).astype(kind), as_weight)


def scale(b, shape=()):
    return b.add(numpy.array(b.random.integers(1, 9, shape) / 256, dtype=FLOAT), True)


def zero(b, kind, shape=()):
    low = numpy.iinfo(kind).min
    return b.add(numpy.array(b.random.integers(low + 100, low + 156, shape), dtype=kind), True)


def even_zero(b, kind):
    """The reference rounds a half after it has added the zero point, runtimes before."""
    return b.add(numpy.array(2 * int(b.random.integers(-20, 21)) + (100 if kind == numpy.uint8 else 0), dtype=kind), True)


def columns(b, count):
    """A number, or one for each column."""
    return b.one_of((), (count,))


def q_linear_mat_mul(b):
    rows, weights, out = b.one_of(*((numpy.uint8, w, o) for w in (numpy.uint8, numpy.int8) for o in (numpy.uint8, numpy.int8)),
                                  (numpy.int8, numpy.int8, numpy.int8))
    k, n = int(b.random.integers(1, 70)), int(b.random.integers(1, 20))
    a = bytes_of(b, [*b.one_of([], [2]), int(b.random.integers(1, 5)), k], rows, False)
    w = bytes_of(b, [k, n], weights, b.random.random() < 0.8)
    by = columns(b, n)
    b.node("QLinearMatMul", [a, scale(b), zero(b, rows), w, scale(b, by), zero(b, weights, by),
                              b.add(numpy.array(b.one_of(0.25, 1, 4), dtype=FLOAT), True), even_zero(b, out)], exact=True)


def integer_to_float(b):
    kind = b.one_of(numpy.uint8, numpy.int8)
    k, n = int(b.random.integers(1, 70)), int(b.random.integers(1, 20))
    a = bytes_of(b, [int(b.random.integers(1, 3)), int(b.random.integers(1, 5)), k], numpy.uint8, False)
    w = bytes_of(b, [k, n], kind, b.random.random() < 0.8)
    by = columns(b, n)
    b.node("MatMulIntegerToFloat", [a, w, scale(b), scale(b, by), zero(b, numpy.uint8), zero(b, kind, by),
                                    b.one_of(None, b.add(b.numbers([n]), True))], domain=RUNTIME)


def dynamic_product(b):
    kind = b.one_of(numpy.uint8, numpy.int8)
    x = b.add(b.numbers([1, int(b.random.integers(1, 5)), int(b.random.integers(1, 40))]), False)
    n = int(b.random.integers(1, 20))
    w = bytes_of(b, [x.array.shape[-1], n], kind, True)
    by = columns(b, n)
    b.node("DynamicQuantizeMatMul", [x, w, scale(b, by), zero(b, kind, by), b.one_of(None, b.add(b.numbers([n]), True))], domain=RUNTIME)


def quantized_attention(b):
    kind = b.one_of(numpy.uint8, numpy.int8)
    heads, size, length = int(b.random.integers(1, 4)), int(b.random.integers(1, 9)), int(b.random.integers(1, 8))
    width = heads * size
    x = bytes_of(b, [1, length, width], numpy.uint8, False)
    w = bytes_of(b, [width, 3 * width], kind, True)
    by = columns(b, 3 * width)
    mask = b.one_of(None, b.add(b.random.integers(0, 2, [1, length]).astype(numpy.int32), False))
    b.node("QAttention", [x, w, b.add(b.numbers([3 * width]), True), scale(b), scale(b, by), mask, zero(b, numpy.uint8), zero(b, kind, by)],
           domain=RUNTIME, num_heads=heads, unidirectional=int(b.random.integers(2)))


def quantize(b):
    x = b.pick(exact=True)
    scale = b.add(numpy.array(0.5, dtype=FLOAT), True)
    zero = b.add(numpy.array(3, dtype=b.one_of(numpy.uint8, numpy.int8)), True)
    b.node("QuantizeLinear", [x, scale, zero], exact=True)
    b.node("DequantizeLinear", [b.values[-1], scale, zero], exact=True)


def attention(b):
    heads, of_keys = b.one_of((1, 1), (2, 2), (4, 2))
    n, m, size, value_size = (int(i) for i in b.random.integers(1, 5, 4))
    attributes = {"is_causal": int(b.random.random() < 0.3)}
    if b.random.random() < 0.3:
        attributes |= {"left_window_size": int(b.random.integers(-1, 3)), "right_window_size": int(b.random.integers(-1, 3))}
    if b.random.random() < 0.3:
        attributes["softcap"] = 2.0
    if b.random.random() < 0.3:
        attributes["scale"] = 0.5
    if b.random.random() < 0.5:
        shapes = [heads, n, size], [of_keys, m, size], [of_keys, m, value_size]
    else:
        shapes = [n, heads * size], [m, of_keys * size], [m, of_keys * value_size]
        attributes |= {"q_num_heads": heads, "kv_num_heads": of_keys}
    operands = [b.add(b.numbers([1, *shape], low=-4, high=4), False) for shape in shapes]
    if b.random.random() < 0.6:
        # Of a mask with one row for all queries the reference takes the first row of what is causal for all.
        shape = b.one_of([n, m], [1, heads, n, m], *([] if attributes["is_causal"] else [[1, m], [1, 1, 1, m]]))
        operands.append(b.add(b.numbers(shape, b.one_of(BOOL, FLOAT)), False))
    b.node("Attention", operands, **attributes)


def rotation(b):
    heads, n, half = (int(i) for i in b.random.integers(1, 4, 3))
    width = 2 * half + b.one_of(0, 0, 2)
    angles = b.numbers([1, n, half])
    tables = [b.add(function(angles).astype(FLOAT), True) for function in (numpy.cos, numpy.sin)]
    b.node("RotaryEmbedding", [b.add(b.numbers([1, heads, n, width]), False), *tables], rotary_embedding_dim=2 * half,
           interleaved=int(b.random.integers(2)))
