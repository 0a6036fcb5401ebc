"""A model of ONNX that grows node by node: each is computed by the reference of the package onnx as it is added, or by
ONNX Runtime if the operator is its own."""

import numpy
import onnx
from onnx import helper
from onnx.reference import ReferenceEvaluator

RUNTIME = "com.microsoft"
LARGEST = 1e4
FLOAT, INT, BOOL = numpy.float32, numpy.int64, numpy.bool_
REALS = (numpy.float32, numpy.float64)
NUMBERS = (FLOAT, INT, numpy.int32)
ALL = (FLOAT, INT, numpy.int32, BOOL)


def port(name, array, names=None):
    shape = [(names or {}).get(i, n) for i, n in enumerate(array.shape)]
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), shape)


def model_of(graph, opset):
    sets = [helper.make_opsetid("", opset), helper.make_opsetid(RUNTIME, 1)]
    return helper.make_model(graph, opset_imports=sets, ir_version=10)


class Skip(Exception):
    """The values at hand do not fit the operator."""


class Value:
    def __init__(self, name, array, exact, known):
        # exact: all programs compute the same numbers. known: the value stands in the model.
        self.name, self.array, self.exact, self.known = name, array, exact, known


class Builder:
    def __init__(self, random, opset):
        self.random, self.opset = random, opset
        self.values, self.nodes, self.weights, self.inputs = [], [], [], []
        self.counted = 0

    def name(self):
        self.counted += 1
        return f"v{self.counted}"

    def numbers(self, shape, kind=FLOAT, low=-8, high=8):
        if kind == BOOL:
            return self.random.integers(0, 2, shape).astype(bool)
        whole = self.random.integers(low, high + 1, shape)
        return (whole * 0.25).astype(kind) if kind in (numpy.float32, numpy.float64) else whole.astype(kind)

    def add(self, array, as_weight=None):
        """A new input, or weights."""
        if as_weight is None:
            as_weight = bool(self.random.random() < 0.4)
        value = Value(self.name(), numpy.asarray(array), True, as_weight)
        (self.weights if as_weight else self.inputs).append(value)
        self.values.append(value)
        return value

    def shape(self, most=3, least=0):
        return [int(n) for n in self.random.integers(1, 5, int(self.random.integers(least, most + 1)))]

    def pick(self, kinds=(FLOAT,), least=0, exact=False, most=5):
        """A value at hand, or a new one."""
        fitting = [v for v in self.values if v.array.dtype.type in kinds and least <= v.array.ndim <= most and
                   (v.exact or not exact) and v.array.size]
        if fitting and self.random.random() < 0.8:
            return fitting[int(self.random.integers(len(fitting)))]
        kind = kinds[int(self.random.integers(len(kinds)))]
        return self.add(self.numbers(self.shape(min(most, max(3, least)), least), kind))

    def beside(self, value, kinds=None):
        """An operand that is broadcast with the other one."""
        kinds = kinds or (value.array.dtype.type,)
        fitting = [v for v in self.values if v.array.dtype.type in kinds and v.array.ndim <= value.array.ndim and
                   all(a in (1, b) for a, b in zip(v.array.shape[::-1], value.array.shape[::-1]))]
        if fitting and self.random.random() < 0.5:
            return fitting[int(self.random.integers(len(fitting)))]
        shape = list(value.array.shape)[int(self.random.integers(value.array.ndim + 1)):]
        return self.add(self.numbers([1 if self.random.random() < 0.2 else n for n in shape], kinds[0]))

    def one_of(self, *choices):
        return choices[int(self.random.integers(len(choices)))]

    def axis(self, value):
        if value.array.ndim == 0:
            raise Skip
        return int(self.random.integers(-value.array.ndim, value.array.ndim))

    def list(self, numbers):
        return self.add(numpy.array(numbers, dtype=INT), as_weight=True)

    def node(self, op, operands, outputs=1, exact=False, **attributes):
        """Runs the node alone; its outputs become values if they are numbers that all programs may agree on."""
        names = [value.name if value is not None else "" for value in operands]
        made = [self.name() for _ in range(outputs)]
        node = helper.make_node(op, names, made, **attributes)
        given = {value.name: value.array for value in operands if value is not None}
        graph = helper.make_graph([node], "one", [port(name, array) for name, array in given.items()],
                                  [onnx.ValueInfoProto(name=name) for name in made])
        try:
            results = self.results(model_of(graph, self.opset), attributes.get("domain"), given)
        except Exception as error:
            raise Skip from error
        is_exact = exact and all(value is None or value.exact for value in operands)
        for name, result in zip(made, results):
            array = numpy.asarray(result)
            if array.size == 0 or array.ndim > 6 or array.size > 2000 or \
                    not numpy.all(numpy.isfinite(array.astype(numpy.float64))) or \
                    numpy.abs(array.astype(numpy.float64)).max() > LARGEST:
                raise Skip
        self.nodes.append(node)
        known = all(value is None or value.known for value in operands)
        for name, result in zip(made, results):
            self.values.append(Value(name, numpy.asarray(result), is_exact, known))

    @staticmethod
    def results(model, domain, given):
        if domain != RUNTIME:
            return ReferenceEvaluator(model).run(None, given)
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, given)
