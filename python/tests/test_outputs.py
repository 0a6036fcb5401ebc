"""What a call gives back, and memory of the caller that takes it."""

import numpy as np
import pytest
import tenrex
from four_documents import D, EXPECTED, PRICE


def test_out(query):
    out = np.full(6, -1.0)
    assert query(d=D, price=PRICE, out=out[1:5]).base is out
    assert out.tolist() == [-1, *EXPECTED, -1]


def test_out_is_no_column(query):
    with pytest.raises(tenrex.Error, match="there is no input 'prize'; there are: d, price") as caught:
        query(d=D, price=PRICE, prize=1, out=np.empty(4))
    assert "out" not in str(caught.value).split("there are")[1].split(";")[0].split()
    assert query(query.plan.documents(d=D, price=PRICE), out=None).tolist() == list(EXPECTED)


def test_out_is_read_only_or_empty(query):
    locked = np.empty(4)
    locked.flags.writeable = False
    with pytest.raises(tenrex.Error, match="contiguous, writable array of 4 doubles"):
        query(d=D, price=PRICE, out=locked)
    none = np.empty(0)
    assert query(d=D[:0], price=PRICE[:0], out=none) is none
    one = np.empty(2)[::2]
    assert query(d=D[:1], price=PRICE[:1], out=one) is one and one.tolist() == [EXPECTED[0]]


def test_out_that_is_also_a_column(query):
    price = np.repeat(PRICE, 1)
    assert query(d=D, price=price, out=price) is price
    assert price.tolist() == list(EXPECTED)
    backwards = PRICE.copy()
    query(d=D, price=backwards[::-1], out=backwards)
    assert backwards.tolist() == (EXPECTED - PRICE + PRICE[::-1]).tolist()


@pytest.mark.parametrize("out", [np.empty(3), np.empty((4, 1)), np.empty(4, np.float32), np.empty(8)[::2], [0.0] * 4,
                                 np.empty(4, ">f8"), np.broadcast_to(0.0, 4)])
def test_out_that_does_not_fit(query, out):
    with pytest.raises(tenrex.Error, match="contiguous, writable array of 4 doubles"):
        query(d=D, price=PRICE, out=out)


def test_several_outputs():
    plan = tenrex.compile({"a": "x + 1", "b": "x * y"}, document=["x", "y"])
    result = plan.bind()(x=[1, 2], y=3)
    assert list(result) == ["a", "b"] and result["a"].tolist() == [2, 3] and result["b"].tolist() == [3, 6]
    assert plan.bind()(x=1, y=3) == {"a": 2.0, "b": 3.0}
    for out in (np.empty(2), {"c": np.empty(2)}):
        with pytest.raises(tenrex.Error, match="dict of arrays for the outputs a, b"):
            plan.bind()(x=[1, 2], y=3, out=out)
    out = {"b": np.empty(2)}
    assert plan.bind()(x=[1, 2], y=3, out=out)["b"] is out["b"] and out["b"].tolist() == [3, 6]


def test_tensors_as_outputs():
    plan = tenrex.compile({"dense": "d * 2", "sparse": "d * w", "sum": "sum(d)"}, query={"w": "tensor<float>(k{})"},
                          document={"d": "tensor<float>(x[3])"})
    query = plan.bind(w={"a": 1, "b": -1})
    result = query(d=D)
    assert result["dense"].dtype == np.float32 and (result["dense"] == D * 2).all()
    assert [t["b"].tolist() for t in result["sparse"]] == (-D).tolist()
    assert result["sum"].tolist() == D.sum(axis=1).tolist()
    one = query(d=D[0])
    assert one["dense"].tolist() == [0, 2, 4] and one["sparse"]["a"].tolist() == [0, 1, 2] and one["sum"].shape == ()
    with pytest.raises(tenrex.Error, match="only scores"):
        query(d=D, out={})
