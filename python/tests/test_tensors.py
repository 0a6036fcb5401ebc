"""Tensors: from and to numpy, dicts, literals, and back."""

import gc
import pickle

import numpy as np
import pytest
import tenrex
from tenrex import Tensor, TensorType


def test_type_tells_its_parts():
    t = TensorType("tensor<bfloat16>( y[2], x{}, a[3] )")
    assert str(t) == "tensor<bfloat16>(a[3],x{},y[2])"
    assert (t.cell_type, t.dims, t.mapped, t.indexed, t.shape) == ("bfloat16", ("a", "x", "y"), ("x",), ("a", "y"), (3, 2))
    assert t == TensorType(str(t)) and hash(t) == hash(TensorType(str(t))) and t != TensorType("double")
    assert pickle.loads(pickle.dumps(t)) == t


def test_type_with_a_mistake_shows_the_place():
    with pytest.raises(tenrex.Error) as caught:
        TensorType("tensor(x[3],x[4])")
    assert "\n" in str(caught.value) and "^" in str(caught.value)
    assert caught.value.issues[0].column == 13


@pytest.mark.parametrize("bad", [None, 3, b"double", ["double"]])
def test_type_of_no_text(bad):
    with pytest.raises(tenrex.Error, match="no type"):
        TensorType(bad)


def test_scalar():
    assert float(Tensor(2)) == 2.0 and str(Tensor(2.5).type) == "double"
    assert Tensor(2) == Tensor("2") != Tensor(3)
    assert Tensor(np.float32(1.5)).numpy().shape == ()
    assert np.isnan(float(Tensor(float("nan"))))


def test_dimensions_are_put_in_order():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    t = Tensor(array, dims=("y", "x"))
    assert str(t.type) == "tensor<float>(x[3],y[2])"
    assert (t.numpy() == array.T).all() and (t.numpy(("y", "x")) == array).all()
    assert t == Tensor("tensor<float>(x[3],y[2]):[[0,3],[1,4],[2,5]]")


@pytest.mark.parametrize("dtype, cells", [("f8", "double"), ("f4", "float"), ("f2", "float"), ("i1", "int8"), ("i8", "double"),
                                          ("u2", "double"), ("?", "double"), (">f8", "double"), (">f4", "float")])
def test_cell_type_of_a_dtype(dtype, cells):
    t = Tensor(np.array([0, 1], dtype), dims=["x"])
    assert t.type.cell_type == cells
    assert t.numpy().tolist() == [0, 1]


@pytest.mark.parametrize("array", [np.arange(12.0)[::2], np.arange(12.0)[::-2], np.arange(12.0).reshape(2, 6)[0, ::1],
                                   np.asfortranarray(np.arange(12.0).reshape(6, 2))[:, 1],
                                   np.broadcast_to(np.float64(3), 6), np.arange(6.0)[:, None][:, 0]])
def test_strides_are_followed(array):
    assert Tensor(array, dims=["x"]).numpy().tolist() == array.tolist()


def test_fortran_order():
    array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert (Tensor(array, "tensor(x[2],y[3])").numpy() == array).all()


def test_fields_of_records():
    records = np.zeros(3, [("flag", "i1"), ("price", "f8")])
    records["price"] = [1, 2, 3]
    assert Tensor(records["price"], dims=["x"]).numpy().tolist() == [1, 2, 3]


def test_labels():
    t = Tensor({"a": 1, "b": 2.5}, dims=["k"])
    assert str(t.type) == "tensor(k{})" and t.to_dict() == {"a": 1, "b": 2.5}
    assert t["b"] == 2.5 and len(t) == 2 and t.labels == [("a",), ("b",)]
    with pytest.raises(KeyError):
        t["c"]


def test_labels_may_be_numbers_or_odd_texts():
    t = Tensor({1: 1, "ä b": 2, "\udcff": 3}, dims=["k"])
    assert t.to_dict() == {"1": 1, "ä b": 2, "\udcff": 3} and t[1] == 1
    assert Tensor(t.to_literal()) == t == Tensor.from_json(t.to_json()) == Tensor.from_bytes(t.to_bytes())


def test_nested_labels_and_other_order():
    t = Tensor({"p": {"u": [1, 2], "v": [3, 4]}, "q": {"w": [5, 6]}}, dims=["z", "b", "x"])
    assert str(t.type) == "tensor(b{},x[2],z{})"
    assert t == Tensor({("u", "p"): [1, 2], ("v", "p"): [3, 4], ("w", "q"): [5, 6]}, "tensor(b{},x[2],z{})")
    assert t["v", "p"].tolist() == [3, 4]


def test_rows_get_numbers_as_labels():
    t = Tensor(np.eye(2, dtype=np.float32), "tensor<float>(token{},x[2])")
    assert t.labels == [("0",), ("1",)] and t["1"].tolist() == [0, 1]


def test_empty_values():
    assert Tensor({}, "tensor(k{})").to_dict() == {}
    assert Tensor([], "tensor<float>(k{},x[3])").cells().shape == (0, 3)
    assert Tensor({}, dims=["k"]) == Tensor("tensor(k{}):{}")


@pytest.mark.parametrize("value, kind, message", [
    ([1, 2], "tensor(x[3])", r"shape \(2,\), tensor\(x\[3\]\) needs \(3,\)"),
    ([[1, 2], [3]], "tensor(x[2],y[2])", "no array of numbers"),
    (["a"], "tensor(x[1])", "no array of numbers|dtype"),
    ([1j], "tensor(x[1])", "dtype complex128"),
    (np.array(["2020-01-01"], "M8[D]"), "tensor(x[1])", "dtype datetime64"),
    ([300], "tensor<int8>(x[1])", "from 300 to 300, beyond int8"),
    ([0.5], "tensor<int8>(x[1])", "whole"),
    ([float("nan")], "tensor<int8>(x[1])", "whole"),
    ({"a": 1}, "tensor(x[1])", "no array of numbers"),
    ({"a": {"b": 1}}, "tensor(k{})", "no array of numbers|shape"),
    ({"a": 1}, "tensor(j{},k{})", "must be a dict for the next mapped dimension"),
    ({("a", "b"): 1}, "tensor(k{})", "has 2 labels"),
    ({"": 1}, "tensor(k{})", "label is empty"),
    ({1: 1, "1": 2}, "tensor(k{})", "occurs twice"),
    ({1.5: 1}, "tensor(k{})", "is no label"),
    ({True: 1}, "tensor(k{})", "is no label"),
    (5, "tensor(k{})", "dict from labels"),
    ("tensor(x[3]):[1,2,3]", "tensor(x[2])", "tensor"),
])
def test_values_that_do_not_fit(value, kind, message):
    with pytest.raises(tenrex.Error, match=message):
        Tensor(value, kind)


def test_dimensions_without_names():
    with pytest.raises(tenrex.Error, match="needs their names"):
        Tensor([1, 2])
    with pytest.raises(tenrex.Error, match="1 axes, there are 2 names"):
        Tensor([1, 2], dims=["x", "y"])
    with pytest.raises(tenrex.Error, match="list of names"):
        Tensor([1, 2], dims="x")
    with pytest.raises(tenrex.Error, match="not both"):
        Tensor([1, 2], "tensor(x[2])", dims=["x"])


def test_bfloat16_truncates_as_the_language_does():
    numbers = [1.00390625, 1.0078125, -3.1415926, 1e-40, float("inf"), float("nan")]
    t = Tensor(numbers, "tensor<bfloat16>(x[6])")
    literal = Tensor("tensor<bfloat16>(x[6]):[1.00390625,1.0078125,-3.1415926,1e-40,inf,nan]")
    assert t == literal
    assert t.numpy().dtype == np.float32 or t.numpy().dtype.name == "bfloat16"


def test_int8_takes_whole_numbers_of_any_dtype():
    for dtype in ("i8", "u1", "f4", "f8", "?"):
        assert Tensor(np.array([0, 1], dtype), "tensor<int8>(x[2])").numpy().dtype == np.int8


def test_masked_arrays():
    filled = np.ma.masked_array([1.0, 2.0], mask=[False, False])
    assert Tensor(filled, dims=["x"]).numpy().tolist() == [1, 2]
    holes = np.ma.masked_array([1, 2], mask=[False, True])
    assert np.isnan(Tensor(holes, "tensor(x[2])").numpy()[1])


def test_cells_are_shared_and_outlive_the_tensor():
    t = Tensor(np.arange(1000.0), dims=["x"])
    array = t.numpy()
    assert array.ctypes.data == t.numpy().ctypes.data and not array.flags.writeable
    with pytest.raises(ValueError):
        array[0] = 1
    del t
    gc.collect()
    assert array.sum() == 499500


def test_a_tensor_does_not_change_with_the_array():
    array = np.ones(3)
    t = Tensor(array, dims=["x"])
    array[:] = 2
    assert t.numpy().tolist() == [1, 1, 1]


def test_numpy_protocol():
    t = Tensor(np.arange(3.0), dims=["x"])
    assert np.asarray(t, np.float32).dtype == np.float32
    assert np.array(t).flags.writeable
    assert pickle.loads(pickle.dumps(t)) == t
    assert t.astype("float").type == TensorType("tensor<float>(x[3])")
    assert Tensor({"a": 3}, dims=["k"]).astype("int8").to_dict() == {"a": 3}
    with pytest.raises(tenrex.Error, match="no cell type 'half'"):
        t.astype("half")
    with pytest.raises(tenrex.Error, match="labels is no array"):
        np.asarray(Tensor({"a": 1}, dims=["k"]))


def test_text_of_tensors():
    assert repr(Tensor([1, 2], dims=["x"])) == "Tensor('tensor(x[2]):[1,2]')"
    assert repr(Tensor(np.zeros(100), dims=["x"])) == "Tensor('tensor(x[100]):...')"
    assert str(Tensor(1.5)) == "1.5"
