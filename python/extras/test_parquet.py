"""Documents from Parquet, features to Parquet; the bar of tqdm."""

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
