"""Operators that keep the shape of an operand, or reduce it. Each takes a builder and adds one node to its model."""

import numpy
from onnx import TensorProto

from onnx_models.builder import BOOL, FLOAT, INT, NUMBERS, REALS, Skip


def unary(b):
    b.node(b.one_of("Abs", "Atan", "Cos", "Elu", "Erf", "Exp", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu", "Mish",
                    "Neg", "Relu", "Selu", "Sigmoid", "Sin", "Softplus", "Softsign", "Tanh", "Celu", "Identity",
                    "Asinh", "Sinh", "Cosh"), [b.pick()])


def exact_unary(b):
    b.node(b.one_of("Abs", "Neg", "Relu", "Identity"), [b.pick(exact=True)], exact=True)


def jumping(b):
    b.node(b.one_of("Ceil", "Floor", "Round", "Sign", "ThresholdedRelu", "Shrink"), [b.pick(exact=True)], exact=True)


def positive(b):
    x = b.pick()
    if x.array.min() < 0.01:
        raise Skip
    b.node(b.one_of("Log", "Sqrt", "Reciprocal"), [x])


def binary(b):
    x = b.pick(NUMBERS)
    b.node(b.one_of("Add", "Sub", "Mul"), [x, b.beside(x)], exact=True)


def division(b):
    x = b.pick()
    y = b.beside(x)
    if numpy.abs(y.array).min() < 0.2:
        raise Skip
    b.node("Div", [x, y])


def whole_division(b):
    x = b.pick((INT, numpy.int32))
    y = b.beside(x)
    if numpy.abs(y.array).min() < 1:
        raise Skip
    b.node(b.one_of("Div", "Mod"), [x, y], exact=True)


def power(b):
    b.node("Pow", [b.pick(), b.add(numpy.array(b.one_of(2.0, 3.0, 1.0), dtype=FLOAT), True)])


def several(b):
    x = b.pick()
    b.node(b.one_of("Max", "Min", "Sum", "Mean"), [x, b.beside(x), b.beside(x)][:int(b.random.integers(1, 4))])


def comparison(b):
    x = b.pick(NUMBERS, exact=True)
    y = b.beside(x)
    if not y.exact:
        raise Skip
    b.node(b.one_of("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"), [x, y], exact=True)


def logic(b):
    x = b.pick((BOOL,))
    if b.random.random() < 0.2:
        b.node("Not", [x], exact=True)
    else:
        b.node(b.one_of("And", "Or", "Xor"), [x, b.beside(x)], exact=True)


def where(b):
    condition = b.pick((BOOL,), least=1)
    b.node("Where", [condition, b.beside(condition, (FLOAT,)), b.beside(condition, (FLOAT,))], exact=True)


def clip(b):
    low = b.add(numpy.array(-1, dtype=FLOAT), True) if b.random.random() < 0.7 else None
    high = b.add(numpy.array(0.75, dtype=FLOAT)) if b.random.random() < 0.7 else None
    b.node("Clip", [b.pick(), low, high], exact=True)


def cast(b):
    x = b.pick((FLOAT, INT, BOOL, numpy.int32), exact=True)
    if numpy.abs(x.array.astype(numpy.float64)).max() > 120 or x.array.astype(numpy.float64).min() < 0:
        to = b.one_of(TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL)
    else:
        to = b.one_of(TensorProto.FLOAT, TensorProto.INT64, TensorProto.UINT8, TensorProto.INT8, TensorProto.INT32)
    b.node("Cast", [x], to=to, exact=True)


def reduction(b):
    x = b.pick(REALS)
    op = b.one_of("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare",
                  "ReduceProd", "ReduceLogSumExp")
    axes = None
    if x.array.ndim and b.random.random() < 0.8:
        count = int(b.random.integers(1, x.array.ndim + 1))
        axes = b.list([int(a) - (x.array.ndim if b.random.random() < 0.3 else 0)
                       for a in b.random.choice(x.array.ndim, count, replace=False)])
    b.node(op, [x, axes] if axes else [x], keepdims=int(b.random.integers(2)))


def arg(b):
    x = b.pick(exact=True, least=1)
    b.node(b.one_of("ArgMax", "ArgMin"), [x], axis=b.axis(x), keepdims=int(b.random.integers(2)),
           select_last_index=int(b.random.integers(2)), exact=True)


def along_axis(b):
    x = b.pick(least=1)
    b.node(b.one_of("Softmax", "LogSoftmax", "LpNormalization"), [x], axis=b.axis(x))


def hardmax(b):
    x = b.pick(exact=True, least=1)
    b.node("Hardmax", [x], axis=b.axis(x), exact=True)


def cum_sum(b):
    x = b.pick(least=1)
    b.node("CumSum", [x, b.add(numpy.array(b.axis(x), dtype=INT), True)], exclusive=int(b.random.integers(2)),
           reverse=int(b.random.integers(2)), exact=True)


def layer_normalization(b):
    x = b.pick(least=1)
    axis = b.axis(x)
    shape = x.array.shape[axis:]
    b.node("LayerNormalization", [x, b.add(b.numbers(shape)), b.add(b.numbers(shape))], axis=axis)


def bits(b):
    x = b.pick((INT, numpy.int32), exact=True)
    if b.random.random() < 0.2:
        b.node("BitwiseNot", [x], exact=True)
    else:
        b.node(b.one_of("BitwiseAnd", "BitwiseOr", "BitwiseXor"), [x, b.beside(x)], exact=True)


def products_of_those_before(b):
    x = b.pick(least=1)
    b.node("CumProd", [x, b.add(numpy.array(b.axis(x), dtype=INT), True)], exclusive=int(b.random.integers(2)),
           reverse=int(b.random.integers(2)))


def groups(b):
    groups, channels, n = (int(i) for i in b.random.integers(1, 4, 3))
    each = [b.add(b.numbers([groups * channels]), True) for _ in range(2)]
    b.node("GroupNormalization", [b.add(b.numbers([1, groups * channels, n + 1]), False), *each], num_groups=groups)


def gate(b):
    b.node("Swish", [b.pick()], alpha=b.one_of(1.0, 0.5))
