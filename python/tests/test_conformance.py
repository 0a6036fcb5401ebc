"""All conformance vectors through Python, with the inputs as those of a query and as those of documents."""

import json
import pathlib

import numpy as np
import pytest
import tenrex

VECTORS = pathlib.Path(__file__).parents[2] / "tests" / "conformance" / "vectors.jsonl"


def vectors():
    with open(VECTORS, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def tolerance(vector, inputs):
    names_others = "float" in vector["expression"] or "int8" in vector["expression"]
    return 1e-5 if names_others or any(t.type.cell_type != "double" for t in inputs.values()) else 1e-9


def bfloat16_places(cells):
    """Where numbers stand on the line of all bfloat16 numbers."""
    bits = np.asarray(cells, np.float32).view(np.uint32).astype(np.int64) >> 16
    return np.where(bits >= 0x8000, -(bits - 0x8000), bits)


def agree(actual, expected, cell_type, limit):
    a, b = np.asarray(actual, float), np.asarray(expected, float)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    finite = np.isfinite(a) & np.isfinite(b)
    if cell_type == "int8":
        return same
    if cell_type == "bfloat16":
        return same | (finite & (np.abs(bfloat16_places(a) - bfloat16_places(b)) <= 1))
    most = limit if cell_type == "double" else 1e-5
    with np.errstate(invalid="ignore"):
        return same | (finite & (np.abs(a - b) <= most * np.maximum(1, np.maximum(np.abs(a), np.abs(b)))))


def check(actual, expected, limit, what):
    assert str(actual.type) == str(expected.type), what
    kind = expected.type.cell_type
    if not expected.type.mapped:
        assert agree(actual.cells(), expected.cells(), kind, limit).all(), (what, actual, expected)
        return
    found, wanted = dict(zip(actual.labels, actual.cells())), dict(zip(expected.labels, expected.cells()))
    assert len(found) == len(actual.labels) and found.keys() == wanted.keys(), (what, actual, expected)
    for labels, block in wanted.items():
        assert agree(found[labels], block, kind, limit).all(), (what, labels, actual, expected)


def as_tensor(value, of_type):
    """What a call gives, as a Tensor."""
    return value if isinstance(value, tenrex.Tensor) else tenrex.Tensor(value, of_type)


def column(tensor):
    """The same value for two documents, as arrays or as Tensors."""
    return [tensor, tensor] if tensor.type.mapped else np.stack([tensor.cells(), tensor.cells()])


@pytest.mark.parametrize("stage", ["query", "document"])
def test_all_vectors(stage):
    seen = 0
    for vector in vectors():
        inputs = {name: tenrex.Tensor(text) for name, text in vector["inputs"].items()}
        types = {name: tensor.type for name, tensor in inputs.items()}
        if vector.get("error"):
            with pytest.raises(tenrex.Error):
                tenrex.compile(vector["expression"], **{stage: types})
            seen += 1
            continue
        plan = tenrex.compile(vector["expression"], **{stage: types})
        expected = tenrex.Tensor(vector["expect"])
        of_type = plan.outputs[""]
        if stage == "query" or not plan.document_inputs:
            result = [as_tensor(plan.bind(inputs)(), of_type)]
        else:
            both = plan.bind()({name: column(tensor) for name, tensor in inputs.items()})
            result = [as_tensor(value, of_type) for value in both]
            assert len(result) == 2
            result.append(as_tensor(plan.bind()(inputs), of_type))
        for value in result:
            check(value, expected, tolerance(vector, inputs), vector["id"])
        seen += 1
    assert seen == sum(1 for _ in vectors()) > 2000
