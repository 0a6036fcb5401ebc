"""Columns of pandas, pyarrow, polars and DuckDB; bfloat16 of ml_dtypes. Each is skipped where the package is missing."""

import numpy as np
import pytest
import tenrex

QUERY = tenrex.compile("price * 2 + sum(d)", document={"price": "double", "d": "tensor<float>(x[2])"}).bind()
TAGS = tenrex.compile("sum(tags * w)", query={"w": "tensor(tag{})"}, document={"tags": "tensor(tag{})"}).bind(
    w={"red": 1, "blue": 10, "a label of many letters": 100})
PRICE, D = [1.0, 2.5, None], [[1, 2], [3, 4], [5, 6]]
SETS = [["red"], [], ["blue", "a label of many letters"]]


def check(result):
    assert result[:2].tolist() == [5, 12] and np.isnan(result[2])


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"price": PRICE, "d": D, "other": ["a", "b", "c"]})
    check(QUERY(frame))
    check(QUERY(price=frame["price"], d=D))
    check(QUERY(price=frame["price"].astype("Float64"), d=D))
    check(QUERY(price=frame[::-1][::-1]["price"], d=frame["d"]))
    whole = pandas.Series([1, 2, 3], dtype="Int64")
    assert QUERY(price=whole, d=[0, 0]).tolist() == [2, 4, 6]
    assert TAGS(tags=pandas.Series([{"red": 1}, {"blue": 1}])).tolist() == [1, 10]
    with pytest.raises(tenrex.Error, match="no value for 'd'"):
        QUERY(frame[["price"]])


def test_rows_and_parts_of_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"price": [1.0, 2.5], "d": [[1, 2], [3, 4]]})
    assert QUERY(frame.iloc[1]) == 12
    parts = pandas.DataFrame({"first": [1.0, 3], "second": [2.0, 4]})
    assert QUERY(price=frame["price"], d=parts).tolist() == [5, 12]
    with pytest.raises(tenrex.Error, match="column 'price' twice"):
        QUERY(pandas.DataFrame([[1, 2]], columns=["price", "price"]))
    joined = frame.merge(pandas.DataFrame({"price": [1.0], "tags": [{"red": 2}]}), how="left")
    assert TAGS(tags=joined["tags"]).tolist() == [2, 0]


def test_categories():
    pandas = pytest.importorskip("pandas")
    genre = tenrex.compile('genre == "jazz"', document={"genre": "string"}).bind()
    for dtype in ("category", "string", object):
        assert genre(genre=pandas.Series(["jazz", "rock", None], dtype=dtype)).tolist() == [1, 0, 0]
    assert np.isnan(QUERY(price=pandas.Series([None, 2], dtype="Int64"), d=[0, 0])).tolist() == [True, False]
    with pytest.raises(tenrex.Error, match="dtype datetime64"):
        QUERY(price=pandas.to_datetime(["2020-01-01"]), d=[0, 0])


def test_pyarrow():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"price": PRICE, "d": pyarrow.array(D, pyarrow.list_(pyarrow.float32(), 2))})
    check(QUERY(table))
    check(QUERY(table.to_batches()[0]))
    check(QUERY(price=table["price"], d=table["d"].combine_chunks()))
    check(QUERY(pyarrow.concat_tables([table.slice(0, 1), table.slice(1)])))
    assert QUERY(table.slice(1, 1)).tolist() == [12]
    assert QUERY(table.slice(0, 0)).tolist() == []
    ragged = pyarrow.array(D, pyarrow.list_(pyarrow.float64()))
    check(QUERY(price=table["price"], d=ragged))
    maps = pyarrow.array([[("red", 2)], None, [("blue", 1), ("x", 5)]], pyarrow.map_(pyarrow.string(), pyarrow.int32()))
    assert TAGS(tags=maps).tolist() == [2, 0, 10] and TAGS(tags=maps[1:]).tolist() == [0, 10]
    for text in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(),
                 pyarrow.dictionary(pyarrow.int32(), pyarrow.string())):
        values = pyarrow.array([word for words in SETS for word in words], pyarrow.string())
        values = values.dictionary_encode() if pyarrow.types.is_dictionary(text) else values.cast(text)
        lists = pyarrow.ListArray.from_arrays([0, 1, 1, 3], values)
        assert TAGS(tags=lists).tolist() == [1, 0, 110]
        assert TAGS(tags=lists.slice(2)).tolist() == [110]
    with pytest.raises(tenrex.Error, match="cast it"):
        QUERY(price=pyarrow.array([1]).cast(pyarrow.timestamp("s")), d=[0, 0])


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"price": PRICE, "d": D}, schema={"price": polars.Float64, "d": polars.Array(polars.Float32, 2)})
    check(QUERY(frame))
    check(QUERY(price=frame["price"], d=frame["d"]))
    check(QUERY(polars.concat([frame[:1], frame[1:]], rechunk=False)))
    assert QUERY(frame.filter(polars.col("price") > 2)).tolist() == [12]
    with pytest.raises(tenrex.Error, match="LazyFrame has no columns(.|\n)*collect[(][)]"):
        QUERY(frame.lazy())
    lists = polars.Series(SETS, dtype=polars.List(polars.String))
    assert TAGS(tags=lists).tolist() == [1, 0, 110]
    assert TAGS(tags=lists.cast(polars.List(polars.Categorical))).tolist() == [1, 0, 110]


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select * from (values (1.0::double, [1, 2]::float[2]), (2.5, [3, 4]), (null, [5, 6])) t(price, d)")
    check(QUERY(relation))
    maps = duckdb.sql("select map {'red': 2, 'blue': i::int} as tags from range(3) t(i)")
    assert TAGS(maps).tolist() == [2, 12, 22]


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    cells = np.array([[1.5, 2], [3, 4]], ml_dtypes.bfloat16)
    t = tenrex.Tensor(cells[0], dims=["x"])
    assert t.type.cell_type == "bfloat16" and t.numpy().dtype == ml_dtypes.bfloat16 and t.numpy().tolist() == [1.5, 2]
    assert np.shares_memory(t.numpy(), t.numpy())
    query = tenrex.compile("sum(d)", document={"d": "tensor<bfloat16>(x[2])"}).bind()
    assert query(d=cells).tolist() == [3.5, 7] and query(d=cells[::-1]).tolist() == [7, 3.5]
    assert query(d=np.asfortranarray(cells)).tolist() == [3.5, 7]
    documents = query.plan.documents(d=cells)
    cells[0, 0] = 10
    assert query(documents).tolist() == [12, 7]  # read where it is
    assert QUERY(price=np.array([1, 2], ml_dtypes.bfloat16), d=cells).tolist() == [14, 11]
    output = tenrex.compile("d", document={"d": "tensor<bfloat16>(x[2])"}).bind()(d=cells)
    assert output.dtype == ml_dtypes.bfloat16 and output.tolist() == cells.tolist()
