"""Documents from Parquet, features to Parquet; the bar of tqdm."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest
import tenrex

PROFILE = """
rank-profile shop {
    inputs { query(budget) double: 20 }
    function affordable() { expression: attribute(price) <= query(budget) }
    first-phase { expression: attribute(rating) + affordable + sum(attribute(embedding)) }
    match-features: affordable attribute(rating) attribute(embedding)
}"""


def test_parquet(tmp_path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    vectors = pyarrow.array([[1, 2], [3, 4], [5, 6]], pyarrow.list_(pyarrow.float32(), 2))
    table = pyarrow.table({"price": [14.5, None, 9], "rating": pyarrow.array([4, 5, 3], pyarrow.int32()), "embedding": vectors,
                           "unused": ["x", "y", "z"]})
    parquet.write_table(table, tmp_path / "documents.parquet", row_group_size=2)
    documents = parquet.read_table(tmp_path / "documents.parquet")
    profile = tenrex.Profiles(PROFILE).compile(
        attributes={"price": "double", "rating": "double", "embedding": "tensor<float>(x[2])"})
    assert profile.scores(documents).tolist() == [8, 12, 15]
    assert [hit.document for hit in profile.rank(documents)] == [2, 1, 0]
    features = profile.features(documents)
    columns = {name: list(values) for name, values in features.items()}
    parquet.write_table(pyarrow.table(columns), tmp_path / "features.parquet")
    read = parquet.read_table(tmp_path / "features.parquet")
    assert read["affordable"].to_pylist() == [1, 0, 1] and read["attribute(rating)"].to_pylist() == [4, 5, 3]
    assert read["attribute(embedding)"].to_pylist() == [[1, 2], [3, 4], [5, 6]]


def test_tqdm(capsys):
    pytest.importorskip("tqdm")
    index = tenrex.VectorIndex(2)
    assert len(index.add(np.random.default_rng(0).normal(size=(2500, 2)), progress=True)) == 2500
    assert "2500" in capsys.readouterr().err and len(index) == 2500


def lines(*arguments):
    done = subprocess.run([sys.executable, "-m", "tenrex", "jsonl", *map(str, arguments)], capture_output=True, text=True)
    return done.stdout.splitlines(), done.stderr, done.returncode


def test_lines_for_the_program(tmp_path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    feather = pytest.importorskip("pyarrow.feather")
    table = pyarrow.table({
        "id": ["a", "b\n", "c"], "price": [14.5, None, math.inf], "good": [True, False, None],
        "vector": pyarrow.array([[1, 2], [3, 4], [5, 6]], pyarrow.list_(pyarrow.float32(), 2)),
        "tags": pyarrow.array([[("red", 2)], None, []], pyarrow.map_(pyarrow.string(), pyarrow.int32())),
        "owner": [{"age": 3, "born": None}, None, {"age": None, "born": 4}]})
    expected = ['{"id":"a","price":14.5,"good":1,"vector":[1.0,2.0],"tags":{"red":2},"owner":{"age":3,"born":null}}',
                '{"id":"b\\n","good":0,"vector":[3.0,4.0]}']
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=2)
    feather.write_feather(table, tmp_path / "t.arrow")
    for name in ("t.parquet", "t.arrow"):
        written, errors, status = lines(tmp_path / name)
        assert (written[:2], errors, status, len(written)) == (expected, "", 0, 3)
        third = json.loads(written[2])
        assert third["price"] == 10**400 and third["tags"] == {} and third["owner"] == {"age": None, "born": 4}
        assert lines(tmp_path / name, tmp_path / name, "--columns", "id")[0] == ['{"id":"a"}', '{"id":"b\\n"}', '{"id":"c"}'] * 2
    assert lines(tmp_path / "t.parquet", "--if-there=good", "--if-there=other")[0] == ['{"good":1}', '{"good":0}', "{}"]
    assert lines(tmp_path / "t.parquet", "--if-there=other")[0] == ["{}"] * 3
    assert lines(tmp_path / "t.parquet", "--columns", "id,prize")[1].startswith(f"tenrex: {tmp_path}/t.parquet has no column 'prize'")
    for kind in (pyarrow.list_(pyarrow.float64()), pyarrow.large_list(pyarrow.int16()), pyarrow.list_(pyarrow.float32(), 2)):
        column = pyarrow.array([[9, 9], None, [1, 2], [3, 4], [5, None]], kind)
        parquet.write_table(pyarrow.table({"v": column}).slice(1, 3), tmp_path / "v.parquet")
        assert [json.loads(line) for line in lines(tmp_path / "v.parquet")[0]] == [{}, {"v": [1, 2]}, {"v": [3, 4]}]
        parquet.write_table(pyarrow.table({"v": column}).slice(3), tmp_path / "v.parquet")
        assert [json.loads(line) for line in lines(tmp_path / "v.parquet")[0]] == [{"v": [3, 4]}, {"v": [5, None]}]
    dates = pyarrow.table({"day": pyarrow.array([1], pyarrow.int32()).cast(pyarrow.date32())})
    parquet.write_table(dates, tmp_path / "d.parquet")
    assert "the column 'day' has values of the type date" in lines(tmp_path / "d.parquet")[1]
    (tmp_path / "d.parquet").write_bytes(b"PAR1")
    assert lines(tmp_path / "d.parquet")[1].startswith("tenrex: ") and lines(tmp_path / "d.parquet")[2] == 1
