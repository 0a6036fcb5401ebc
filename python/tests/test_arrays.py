"""Columns that are arrays of all dtypes and layouts."""

import pickle

import numpy as np
import pytest
import tenrex
from four_documents import check, D, EXPECTED, PRICE


def test_plain_arrays(query):
    check(query)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">f4", ">f8", ">i4", "<f8",
                                   np.longdouble])
def test_all_dtypes(query, dtype):
    check(query, d=D.astype(dtype))
    check(query, price=(PRICE * 2).astype(dtype), expected=EXPECTED + PRICE)


def test_bool(query):
    check(query, price=np.array([True, False, True, True]), expected=EXPECTED - PRICE + [1, 0, 1, 1])


@pytest.mark.parametrize("make", [
    lambda a: np.asfortranarray(a),
    lambda a: np.repeat(a, 2, axis=0)[::2],
    lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    lambda a: a[::-1].copy()[::-1],
    lambda a: a[:, ::-1].copy()[:, ::-1],
    lambda a: a.T.copy().T,
    lambda a: np.concatenate([a, a], axis=1)[:, :a.shape[1]],
    lambda a: np.lib.stride_tricks.as_strided(a, a.shape, a.strides),
    lambda a: np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),
    lambda a: a.tolist(),
    lambda a: tuple(map(tuple, a)),
    lambda a: list(a),
    lambda a: np.array([*a, None], dtype=object)[:-1],
    lambda a: memoryview(a),
    lambda a: a.view(np.recarray) if a.dtype.names else a.view(type("Sub", (np.ndarray,), {})),
    lambda a: np.ma.masked_array(a),
])
def test_all_layouts(query, make):
    check(query, d=make(D))


def test_read_only(query):
    locked = D.copy()
    locked.flags.writeable = False
    check(query, d=locked)


def test_fields_of_records(query):
    records = np.zeros(4, [("flag", "i1"), ("d", "f4", (3,)), ("price", "f8")])
    records["d"], records["price"] = D, PRICE
    check(query, d=records["d"], price=records["price"])
    assert query(records).tolist() == list(EXPECTED)


@pytest.mark.parametrize("seed", range(40))
def test_random_strides(query, seed):
    """Slices of larger arrays, with any steps and orders of axes."""
    random = np.random.default_rng(seed)
    base = random.integers(-8, 8, (9, 8, 5)).astype(random.choice(["f4", "f8", "i2"]))
    array = base.transpose(random.permutation(3))
    steps = [slice(None, None, int(random.choice([-2, -1, 1, 2]))) for _ in range(3)]
    array = array[tuple(steps)][:, :3, 0] if array.shape[1] >= 6 else array[:, :3, 0]
    price = random.integers(-8, 8, 40)[:: int(random.choice([-3, -1, 1, 2]))][:len(array)].astype(">f8")
    expected = array.astype(float) @ [1, 10, 100] + price
    assert query(d=array, price=price).tolist() == expected.tolist()


def test_arrays_that_are_not_as_numpy_makes_them(query):
    """Arrays with another object for their dtype, and with memory that is not aligned, are read as others are."""
    check(query, d=pickle.loads(pickle.dumps(D)), price=pickle.loads(pickle.dumps(PRICE)))
    renamed = D.astype(np.dtype("f4", metadata={"unit": "m"}))
    assert renamed.dtype is not D.dtype
    check(query, d=renamed)
    room = bytearray(1 + 8 * 4)
    unaligned = np.frombuffer(room, np.float64, offset=1)
    with pytest.raises(tenrex.Error, match="contiguous, writable array"):
        query(d=D, price=PRICE, out=unaligned)


def test_no_documents(query):
    for d in (np.empty((0, 3), np.float32), np.empty((0, 3)), []):
        result = query(d=d, price=[])
        assert result.shape == (0,) and result.dtype == np.float64


def test_masked_numbers_are_missing(query):
    price = np.ma.masked_array(PRICE, [False, True, False, False])
    assert np.isnan(query(d=D, price=price)).tolist() == [False, True, False, False]


def test_bfloat16_columns():
    plan = tenrex.compile("sum(d)", document={"d": "tensor<bfloat16>(x[2])"})
    assert plan.bind()(d=np.array([[1.00390625, 2], [3, 4]])).tolist() == [3, 7]
    assert plan.bind()(d=np.array([[1, 2], [3, 4]], np.uint16)).tolist() == [3, 7]


def test_int8_columns():
    plan = tenrex.compile("sum(d)", document={"d": "tensor<int8>(x[2])"})
    assert plan.bind()(d=np.array([[1, 2], [-3, 4]])).tolist() == [3, 1]
    with pytest.raises(tenrex.Error, match="beyond int8"):
        plan.bind()(d=np.array([[1, 200]]))
