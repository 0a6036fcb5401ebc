"""Columns through Arrow's C data interface, without pyarrow."""

import gc

import arrow_producer as arrow
import numpy as np
import pytest
import tenrex

PRICE = tenrex.compile("price * 2", document=["price"]).bind()
DENSE = tenrex.compile("sum(d * tensor<float>(x[3]):[1,10,100])", document={"d": "tensor<float>(x[3])"}).bind()
TAGS = tenrex.compile("sum(tags * w)", query={"w": "tensor(tag{})"}, document={"tags": "tensor(tag{})"})
TAGS = TAGS.bind(w={"red": 1, "blue": 10, "a label of many letters": 100, "7": 1000, "0": 1, "1": 10, "2": 100})
ROWS = tenrex.compile("sum(d)", document={"d": "tensor<float>(t{},x[2])"}).bind()


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"])
def test_numbers(dtype):
    assert PRICE(price=arrow.numbers([1, 2, 3], dtype)).tolist() == [2, 4, 6]


def test_doubles_are_not_copied():
    data = arrow.numbers([1, 2, 3])
    documents = PRICE.plan.documents(price=data)
    data.buffers[1][0] = 5
    assert PRICE(documents).tolist() == [10, 4, 6]


def test_slices():
    data = arrow.numbers(range(20))
    assert PRICE(price=data.sliced(9, 4)).tolist() == [18, 20, 22, 24]
    holes = arrow.numbers(range(20), valid=[i % 3 != 0 for i in range(20)])
    assert PRICE(price=holes.sliced(8, 4)).tolist()[:1] == [16] and np.isnan(PRICE(price=holes.sliced(9, 1))[0])
    flags = arrow.Data("b", 20, [None, arrow.bits([i % 2 for i in range(20)])])
    assert PRICE(price=flags.sliced(9, 4)).tolist() == [2, 0, 2, 0]


def test_nulls_are_missing():
    result = PRICE(price=arrow.numbers([1, 2, 3], "i4", valid=[1, 0, 1]))
    assert result[0] == 2 and np.isnan(result[1]) and result[2] == 6
    assert np.isnan(PRICE(price=arrow.Data("n", 2, []))).all()


def test_dictionaries():
    data = arrow.Data("c", 4, [arrow.bits([1, 1, 0, 1]), np.array([1, 0, 0, 1], "i1")], dictionary=arrow.numbers([5, 6]))
    assert PRICE(price=data).tolist()[:2] == [12, 10] and np.isnan(PRICE(price=data)[2])


def test_chunks():
    data = arrow.numbers(range(10))
    stream = arrow.Chunks(data, [data.sliced(0, 2), data.sliced(2, 0), data.sliced(5, 3)])
    assert PRICE(price=stream).tolist() == [0, 2, 10, 12, 14]
    assert PRICE(price=arrow.Chunks(data, [])).tolist() == []
    rows = arrow.fixed(arrow.numbers(range(9), "f4"), 3)
    assert DENSE(d=arrow.Chunks(rows, [])).tolist() == []
    assert TAGS(tags=arrow.Chunks(arrow.lists([0], arrow.texts([])), [])).tolist() == []


def test_a_stream_that_fails():
    with pytest.raises(tenrex.Error, match="the disk is gone"):
        PRICE(price=arrow.Chunks(arrow.numbers([1]), [], fails=True))


def test_rows_of_fixed_size():
    rows = arrow.fixed(arrow.numbers(range(12), "f4"), 3)
    assert DENSE(d=rows).tolist() == [210, 543, 876, 1209]
    assert DENSE(d=rows.sliced(1, 2)).tolist() == [543, 876]
    shifted = arrow.fixed(arrow.numbers(range(14), "f4").sliced(2, 12), 3)
    assert DENSE(d=shifted.sliced(1, 2)).tolist() == [5 + 60 + 700, 8 + 90 + 1000]


def test_rows_as_lists():
    assert DENSE(d=arrow.lists([0, 3, 6], arrow.numbers(range(6), "f8"))).tolist() == [210, 543]
    assert DENSE(d=arrow.lists([3, 6], arrow.numbers(range(6), "i4"), large=True)).tolist() == [543]
    with pytest.raises(tenrex.Error, match="2 elements in row 1, 3 are needed"):
        DENSE(d=arrow.lists([0, 3, 5], arrow.numbers(range(6))))
    with pytest.raises(tenrex.Error, match="2 elements in row 0"):
        DENSE(d=arrow.fixed(arrow.numbers(range(6), "f4"), 2))


def test_rows_that_are_null_are_zeros():
    rows = arrow.fixed(arrow.numbers(range(9), "f4"), 3, valid=[1, 0, 1])
    assert DENSE(d=rows).tolist() == [210, 0, 876]
    assert DENSE(d=arrow.lists([0, 3, 3, 6], arrow.numbers(range(6)), valid=[1, 0, 1])).tolist() == [210, 0, 543]
    with pytest.raises(tenrex.Error, match="nulls within a row"):
        DENSE(d=arrow.fixed(arrow.numbers(range(6), "f4", valid=[1, 1, 0, 1, 1, 1]), 3))


def test_matrices():
    plan = tenrex.compile("sum(d * tensor<float>(x[2],y[2]):[[1,10],[100,1000]])", document={"d": "tensor<float>(x[2],y[2])"})
    cells = arrow.fixed(arrow.fixed(arrow.numbers(range(8), "f4"), 2), 2)
    assert plan.bind()(d=cells).tolist() == [3210, 7654]


def maps(keys, values, offsets, **options):
    return arrow.lists(offsets, arrow.struct(keys, values), layout="+m", **options)


@pytest.mark.parametrize("words", [arrow.texts, lambda w: arrow.texts(w, large=True), arrow.text_views])
def test_maps(words):
    keys = words(["blue", "red", "a label of many letters", "red", "7"])
    data = maps(keys, arrow.numbers([1, 2, 3, 4, 5]), [0, 2, 2, 5])
    assert TAGS(tags=data).tolist() == [12, 0, 300 + 4 + 5000]
    assert TAGS(tags=data.sliced(1, 2)).tolist() == [0, 5304]
    assert TAGS(tags=arrow.Chunks(data, [data.sliced(2, 1), data.sliced(0, 2)])).tolist() == [5304, 12, 0]


def test_maps_that_are_null_are_empty():
    data = maps(arrow.texts(["red", "blue", "red"]), arrow.numbers([1, 2, 3]), [0, 1, 2, 3], valid=[1, 0, 1])
    assert TAGS(tags=data).tolist() == [1, 0, 3]


def test_labels_of_numbers_and_of_dictionaries():
    assert TAGS(tags=maps(arrow.numbers([7, 1], "i4"), arrow.numbers([1, 2]), [0, 2])).tolist() == [1020]
    coded = arrow.Data("c", 3, [None, np.array([1, 0, 1], "i1")], dictionary=arrow.texts(["red", "blue"]))
    assert TAGS(tags=arrow.lists([0, 2, 3], coded)).tolist() == [11, 10]
    with pytest.raises(tenrex.Error, match="below 0 or too large"):
        TAGS(tags=maps(arrow.numbers([-7], "i4"), arrow.numbers([1]), [0, 1]))
    with pytest.raises(tenrex.Error, match="below 0 or too large"):
        TAGS(tags=maps(arrow.numbers([1 << 63], "u8"), arrow.numbers([1]), [0, 1]))


def test_strings():
    query = tenrex.compile('genre == "a label of many letters"', document={"genre": "string"}).bind()
    words = ["red", "a label of many letters"]
    for column in (arrow.texts(words), arrow.text_views(words), arrow.Chunks(arrow.texts(words), [arrow.texts(words)])):
        assert query(genre=column).tolist() == [0, 1]


def test_lists_of_texts_are_sets():
    assert TAGS(tags=arrow.lists([0, 2, 3], arrow.texts(["red", "blue", "red"]))).tolist() == [11, 1]
    with pytest.raises(tenrex.Error, match="document 0 has the label red twice"):
        TAGS(tags=arrow.lists([0, 2], arrow.texts(["red", "red"])))


def test_lists_of_numbers_are_labelled_in_order():
    assert TAGS(tags=arrow.lists([0, 3, 3, 4], arrow.numbers([1, 2, 3, 4]))).tolist() == [321, 0, 4]


def test_ragged_rows():
    data = arrow.lists([0, 1, 1, 3], arrow.fixed(arrow.numbers(range(6), "f4"), 2), valid=[1, 0, 1])
    assert ROWS(d=data).tolist() == [1, 0, 14]
    assert ROWS(d=data.sliced(2, 1)).tolist() == [14]


def test_tables():
    table = arrow.struct(arrow.numbers([1, 2, 3], name="price"), arrow.texts(["a", "b", "c"], name="title"))
    assert PRICE(table).tolist() == [2, 4, 6]
    assert PRICE(arrow.Chunks(table, [table.sliced(1, 2), table.sliced(0, 1)])).tolist() == [4, 6, 2]
    assert PRICE(arrow.Chunks(table, [])).tolist() == [] == PRICE(table.sliced(1, 0)).tolist()
    with pytest.raises(tenrex.Error, match="no table but a column"):
        PRICE(arrow.numbers([1]))
    with pytest.raises(tenrex.Error, match="no value for 'price'"):
        PRICE(arrow.struct(arrow.numbers([1], name="other")))


@pytest.mark.parametrize("query, column", [
    (PRICE, {"price": arrow.texts(["a"])}),
    (PRICE, {"price": arrow.Data("tdD", 1, [None, np.array([1], "i4")])}),
    (PRICE, {"price": arrow.Data("d:10,2", 1, [None, np.zeros(16, "u1")])}),
    (DENSE, {"d": arrow.numbers([1])}),
    (TAGS, {"tags": arrow.numbers([1])}),
    (TAGS, {"tags": arrow.lists([0, 1], arrow.struct(arrow.numbers([1.5]), arrow.numbers([1])))}),
    (TAGS, {"tags": arrow.lists([0, 1], arrow.struct(arrow.numbers([1])))}),
])
def test_formats_that_do_not_fit(query, column):
    with pytest.raises(tenrex.Error, match="the value for"):
        query(**column)


def test_all_that_was_lent_is_released():
    gc.collect()
    arrow.released.clear()
    data = maps(arrow.texts(["red"]), arrow.numbers([1]), [0, 1])
    TAGS(tags=data)
    TAGS(tags=arrow.Chunks(data, [data, data]))
    with pytest.raises(tenrex.Error):
        PRICE(price=data)
    gc.collect()
    assert sorted(arrow.released) == ["array"] * 4 + ["schema"] * 3 + ["stream"]


def test_documents_keep_what_was_lent():
    gc.collect()
    arrow.released.clear()
    documents = PRICE.plan.documents(price=arrow.numbers([1, 2]))
    gc.collect()
    assert "array" not in arrow.released and PRICE(documents).tolist() == [2, 4]
    del documents
    gc.collect()
    assert "array" in arrow.released


def test_a_capsule_is_taken_once():
    class Twice:
        pair = arrow.numbers([1]).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema=None):
            return self.pair

    assert PRICE(price=Twice()).tolist() == [2]
    with pytest.raises(tenrex.Error, match="taken before"):
        PRICE(price=Twice())
