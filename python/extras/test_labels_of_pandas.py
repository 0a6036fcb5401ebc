"""Tensors from and to Series and data frames, whose indexes have labels."""

import numpy as np
import pytest
import tenrex
from tenrex import Tensor

pandas = pytest.importorskip("pandas")


def again(table, dims=None):
    """The tensor of a table, after it has been made a table once more."""
    tensor = Tensor.from_pandas(table, dims)
    back = Tensor.from_pandas(tensor.to_pandas())
    assert back == tensor and back.type == tensor.type
    return tensor


def test_series():
    weights = pandas.Series({"red": 1, "blue": 0.5}, dtype="f4").rename_axis("colour")
    assert again(weights) == Tensor("tensor<float>(colour{}):{red:1,blue:0.5}") == again(weights, ["colour"])
    assert again(pandas.Series({7: 1.0, 9: 2.0}), ["id"]) == Tensor("tensor(id{}):{7:1,9:2}")
    assert again(pandas.Series([1.0, 2.0]), ["x"]) == Tensor("tensor(x[2]):[1,2]")
    assert again(pandas.Series([1.0, 2.0, 3.0])[1:], ["x"]) == Tensor("tensor(x{}):{1:2,2:3}")
    table = Tensor("tensor<float>(colour{}):{red:1,blue:0.5}").to_pandas()
    assert table.index.name == "colour" and table["blue"] == 0.5 and table.dtype == np.float32


def test_levels_of_an_index():
    table = pandas.DataFrame({"user": ["u", "u", "v"], "item": ["i", "j", "i"], "stars": [5, 3, 1]})
    tensor = again(table.set_index(["user", "item"])["stars"])
    assert tensor == Tensor("tensor(item{},user{}):{{item:i,user:u}:5,{item:j,user:u}:3,{item:i,user:v}:1}")
    assert tensor.to_pandas().index.names == ["item", "user"]


def test_frames():
    vectors = pandas.DataFrame([[1, 2], [3, 4]], index=["a", "b"], dtype="f4")
    expected = Tensor("tensor<float>(k{},x[2]):{a:[1,2],b:[3,4]}")
    assert again(vectors, ["k", "x"]) == expected
    assert again(vectors.T, ["x", "k"]) == expected
    assert expected.to_pandas().loc["b"].tolist() == [3, 4]
    assert again(vectors.reset_index(drop=True), ["y", "x"]) == Tensor("tensor<float>(x[2],y[2]):[[1,3],[2,4]]")
    both = pandas.DataFrame({"x": [1.0, np.nan], "y": [2.0, 3.0]}, index=["a", "b"])
    assert again(both, ["row", "column"]) == Tensor("tensor(column{},row{}):{{column:x,row:a}:1,{column:y,row:a}:2,{column:y,row:b}:3}")


def test_what_is_no_table():
    with pytest.raises(tenrex.Error, match="the index has no name(.|\n)*rename_axis"):
        Tensor.from_pandas(pandas.Series({"a": 1}))
    with pytest.raises(tenrex.Error, match="2 names of dimensions for 1 levels"):
        Tensor.from_pandas(pandas.Series({"a": 1}), ["x", "y"])
    with pytest.raises(tenrex.Error, match="dims must be a list"):
        Tensor.from_pandas(pandas.Series({"a": 1}), "xy")
    with pytest.raises(tenrex.Error, match="'a' is in the index twice"):
        Tensor.from_pandas(pandas.Series([1, 2], index=["a", "a"]), ["x"])
    with pytest.raises(tenrex.Error, match="a column is there twice"):
        Tensor.from_pandas(pandas.DataFrame([[1, 2]], columns=["a", "a"], index=["r"]), ["x", "y"])
    with pytest.raises(tenrex.Error, match="nan is no label"):
        Tensor.from_pandas(pandas.Series([1, 2], index=["a", np.nan]), ["x"])
    with pytest.raises(tenrex.Error, match="dict is no Series"):
        Tensor.from_pandas({"a": 1}, ["x"])
    for tensor in (Tensor(1), Tensor(np.zeros((1, 1, 1)), dims="a b c".split()), Tensor({"a": [[1]]}, "tensor(k{},x[1],y[1])")):
        with pytest.raises(tenrex.Error, match="is no table"):
            tensor.to_pandas()


def test_bound_values_keep_their_labels():
    plan = tenrex.compile("sum(weights * tags)", query={"weights": "tensor(tag{})"}, document={"tags": "tensor(tag{})"})
    tags = [{"red": 1}, {"blue": 1, "1": 100}]
    assert plan.bind(weights=pandas.Series({"red": 2, "blue": 3}))(tags=tags).tolist() == [2, 3]
    assert plan.bind(weights=pandas.Series([2.0, 3.0]))(tags=tags).tolist() == [0, 300]
    with pytest.raises(tenrex.Error, match="'red' is in the index twice"):
        plan.bind(weights=pandas.Series([1, 2], index=["red", "red"]))
    tables = tenrex.compile("sum(table{k:red} * d)", query={"table": "tensor<float>(k{},x[2])"}, document={"d": "tensor<float>(x[2])"})
    vectors = pandas.DataFrame([[1, 2], [3, 4]], index=["blue", "red"])
    assert tables.bind(table=vectors)(d=[1, 10]) == 43
