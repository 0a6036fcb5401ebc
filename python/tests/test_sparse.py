"""Columns of inputs with labels: dicts, Tensors and ragged rows."""

import numpy as np
import pytest
import tenrex
from tenrex import Ragged, Tensor

TAGS = tenrex.compile("sum(tags * w)", query={"w": "tensor(tag{})"}, document={"tags": "tensor(tag{})"}).bind(
    w={"red": 1, "blue": 10, "7": 100})
MAXSIM = tenrex.compile("sum(reduce(sum(q * d, x), max, dt), qt)", query={"q": "tensor<float>(qt{},x[2])"},
                        document={"d": "tensor<float>(dt{},x[2])"})


def test_dicts():
    documents = [{"red": 2, "green": 5}, {}, None, {"blue": 1, 7: 3}]
    assert TAGS(tags=documents).tolist() == [2, 0, 0, 310]
    assert TAGS(tags=tuple(documents)).tolist() == TAGS(tags=np.array(documents, object)).tolist() == [2, 0, 0, 310]
    assert TAGS(tags=[]).tolist() == []


def test_labels_without_cells():
    assert TAGS(tags=[["red", "blue"], {"7"}, ("x",), None, []]).tolist() == [11, 100, 0, 0, 0]
    with pytest.raises(tenrex.Error, match="label red twice"):
        TAGS(tags=[["red", "red"]])


def test_what_pandas_makes_of_none_is_missing():
    assert TAGS(tags=[{"red": 1}, float("nan"), np.nan]).tolist() == [1, 0, 0]
    dense = tenrex.compile("sum(d)", document={"d": "tensor<float>(x[2])"}).bind()
    assert dense(d=[[1, 2], float("nan"), None]).tolist() == [3, 0, 0]


def test_tensors():
    documents = [Tensor({"red": 2}, dims=["tag"]), Tensor("tensor(tag{}):{blue:1,7:1}")]
    assert TAGS(tags=documents).tolist() == [2, 110]
    with pytest.raises(tenrex.Error, match=r"tensor<float>\(tag\{\}\) for document 1, not tensor\(tag\{\}\)"):
        TAGS(tags=[documents[0], documents[1].astype("float")])


def test_one_value():
    assert TAGS(tags={"red": 3}) == 3.0 and TAGS(tags=Tensor({"blue": 1}, dims=["tag"])) == 10.0
    plan = tenrex.compile("sum(tags) + price", document={"tags": "tensor(tag{})", "price": "double"})
    assert plan.bind()(tags={"a": 1}, price=[2]).tolist() == [3]
    with pytest.raises(tenrex.Error, match=r"one value for all documents(.|\n)*\[value\] \* 2"):
        plan.bind()(tags={"a": 1}, price=[2, 3])
    assert plan.bind()(tags=[{"a": 1}] * 2, price=[2, 3]).tolist() == [3, 4]


def test_late_interaction():
    random = np.random.default_rng(0)
    q = random.integers(-9, 9, (3, 2)).astype(np.float32)
    lengths = random.integers(1, 6, 50)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    tokens = random.integers(-9, 9, (offsets[-1], 2)).astype(np.float32)
    expected = [(q @ tokens[a:b].T).max(axis=1).sum() for a, b in zip(offsets, offsets[1:])]
    query = MAXSIM.bind(q=q)
    assert query(d=Ragged(tokens, offsets)).tolist() == expected
    assert query(d=[tokens[a:b] for a, b in zip(offsets, offsets[1:])]).tolist() == expected
    labels = random.permutation(offsets[-1])
    assert query(d=Ragged(tokens, offsets, labels)).tolist() == expected
    assert query(d=Ragged(tokens, offsets, [f"t{i}" for i in labels])).tolist() == expected
    assert query(d=Ragged(tokens.astype("f8"), offsets.astype("i4"))).tolist() == expected


def test_several_mapped_dimensions():
    plan = tenrex.compile("sum(d * w)", query={"w": "tensor(b{},x[2])"}, document={"d": "tensor(a{},b{},x[2])"})
    query = plan.bind(w={"u": [1, 2], "v": [3, 4]})
    assert query(d=[{"p": {"u": [1, 1], "v": [1, 0]}}, {("p", "v"): [0, 1], ("q", "v"): [1, 0]}]).tolist() == [6, 7]
    with pytest.raises(tenrex.Error, match="2 mapped dimensions"):
        query(d=[[1, 2]])
    with pytest.raises(tenrex.Error, match="is ragged"):
        query(d=Ragged(np.ones((1, 2)), [0, 1]))


@pytest.mark.parametrize("tags, message", [
    ([{"red": "x"}], "document 0 of the value for 'tags'"),
    ([{"red": [1, 2]}], r"shape \(2,\), tensor\(tag\{\}\) needs \(\)"),
    ([{"red": 1}, {"red": 1, 1: 2, "1": 3}], "document 1 has the label 1 twice"),
    ([{"": 1}], "label is empty"),
    ([{None: 1}], "None is no label"),
    (5, "needs a dict for each document"),
    ([5], "dict from labels to blocks, not int"),
])
def test_values_that_do_not_fit(tags, message):
    with pytest.raises(tenrex.Error, match=message):
        TAGS(tags=tags)


@pytest.mark.parametrize("arguments, message", [
    (([1, 2], [0, 1]), "end with 1, there are 2 rows"),
    (([1, 2], [0, 3, 2]), "ascend"),
    (([1, 2], [1, 2]), "begin with 0"),
    (([1, 2], [0.0, 2.0]), "whole numbers"),
    (([1, 2], []), "whole numbers"),
    (([1, 2], [0, 2], ["a"]), "1 labels for 2 rows"),
])
def test_ragged_rows_that_do_not_fit(arguments, message):
    with pytest.raises(tenrex.Error, match=message):
        Ragged(*arguments)
    for label in (-1, np.uint64(1 << 63)):  # the ids of texts begin there
        with pytest.raises(tenrex.Error, match="below 0 or too large"):
            TAGS(tags=Ragged([1], [0, 1], [label]))
    assert TAGS(tags=Ragged([1], [0, 1], [(1 << 63) - 1])).tolist() == [0]


def test_labels_leave_with_their_documents():
    plan = TAGS.plan
    before = plan._core.labels.memory_bytes
    for round_number in range(20):
        TAGS(tags=[{f"label {round_number} {i}": 1} for i in range(1000)])
    assert plan._core.labels.size < 10
    assert plan._core.labels.memory_bytes < before + 20 * 1000 * 16


def test_plans_may_share_labels():
    labels = tenrex.Labels()
    first = tenrex.compile("sum(t)", document={"t": "tensor(k{})"}, labels=labels)
    second = tenrex.compile("sum(t * t)", document={"t": "tensor(k{})"}, labels=labels)
    assert first._core.labels is second._core.labels
    assert first.bind()(t=[{"a": 2}]).tolist() == [2] and second.bind()(t=[{"a": 2}]).tolist() == [4]
