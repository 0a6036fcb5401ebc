"""Rank profiles: the rankings that tests/profiles expects, which were worked out without Tenrex, and mistakes."""

import json
import pathlib
import sys

import numpy as np
import pytest
import tenrex

sys.path.append(str(pathlib.Path(__file__).parents[2] / "tests" / "tools"))
import onnx_writer as onnx  # noqa: E402

FOLDER = pathlib.Path(__file__).parents[2] / "tests" / "profiles"
CASES = sorted(path for path in FOLDER.glob("*.json") if "hits" in json.loads(path.read_text()))


def columns_of(path):
    """The documents of a file as lists by the names of attributes and features."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    fields = {field for row in rows for field in row} - {"features"}
    features = {feature for row in rows for feature in row.get("features", {})}
    return {**{field: [row.get(field) for row in rows] for field in fields},
            **{feature: [row["features"].get(feature) for row in rows] for feature in features}}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_rankings(path):
    case = json.loads(path.read_text())
    profiles = tenrex.Profiles.read(FOLDER / case["file"])
    profile = profiles.compile(case["profile"], features=["bm25(body)", "bm25(title)"], undeclared_attributes=True)
    documents = columns_of(FOLDER / case["documents"])
    hits = profile.rank(documents, case["query"], hits=1000, now=case["now"])
    # The files also have the hits behind those that are scored again; a drop limit holds for their rescaled scores, too.
    limit = (profile._core.second_phase() or {}).get("drop_limit")
    expected = [(document, float(score)) for document, score in case["hits"] if limit is None or float(score) > limit]
    assert [hit.document for hit in hits] == [document for document, _ in expected]
    assert np.allclose([hit.score for hit in hits], [score for _, score in expected], 1e-5, 1e-6, equal_nan=True)
    assert profile.rank(documents, case["query"], hits=2, now=case["now"]) == hits[:2]


def test_there_are_rankings():
    assert len(CASES) >= 10


TEXT = """
rank-profile good {
    inputs { query(q) tensor<float>(x[2]): [1, 1]
             query(boost) double }
    function match() { expression: sum(query(q) * attribute(v)) }
    first-phase { expression: match + query(boost) * attribute(price) }
    match-features: match attribute(price) bm25(title)
}
"""
ATTRIBUTES = {"v": "tensor<float>(x[2])", "price": "double"}
DOCUMENTS = {"v": [[1, 0], [0, 2], [1, 1]], "price": [1, 2, 3], "bm25(title)": [5, 6, 7]}


def profile():
    return tenrex.Profiles(TEXT).compile(attributes=ATTRIBUTES, features=["bm25(title)"])


def test_what_a_profile_tells():
    made = profile()
    assert made.name == "good" and repr(made) == "<RankProfile good>"
    assert made.inputs == {"query(q)": tenrex.TensorType("tensor<float>(x[2])"), "query(boost)": tenrex.TensorType("double")}
    assert set(made.columns) == {"attribute(v)", "attribute(price)", "bm25(title)"} and made.warnings == []
    assert tenrex.Profiles(TEXT).check(attributes=ATTRIBUTES, features=["bm25(title)"]) == []


def test_scores_and_defaults():
    assert profile().scores(DOCUMENTS).tolist() == [1, 2, 2]
    assert profile().scores(DOCUMENTS, {"boost": 10, "query(q)": [1, 0]}).tolist() == [11, 20, 31]
    assert profile().rank(DOCUMENTS, hits=2) == [tenrex.Hit(1, 2.0), tenrex.Hit(2, 2.0)]


def test_features_for_training(capsys, monkeypatch):
    features = profile().features(DOCUMENTS, {"q": [0, 1]})
    assert {name: values.tolist() for name, values in features.items()} == {
        "match": [0, 2, 1], "attribute(price)": [1, 2, 3], "bm25(title)": [5, 6, 7]}
    first, second = {"q": [0, 1]}, {"q": [10, 0]}
    assert profile().features(DOCUMENTS, [first, second, first])["match"].tolist() == [0, 0, 1]
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # as if tqdm were not installed
    profile().features(DOCUMENTS, [first, second, first], progress=True)
    assert capsys.readouterr().err == "\r1 of 2 queries\r2 of 2 queries\n"
    with pytest.raises(tenrex.Error, match="2 queries and 3 documents"):
        profile().features(DOCUMENTS, [first, second])
    plain = tenrex.Profiles("rank-profile p { first-phase { expression: attribute(a) } }").compile(undeclared_attributes=True)
    with pytest.raises(tenrex.Error, match="no features"):
        plain.features({"a": [1]})


def test_strings_arrays_and_weighted_sets():
    made = tenrex.Profiles("""
        rank-profile p { first-phase { expression {
            (attribute(genre) == "rock") + 10 * attribute(marks, 1) + 100 * attribute(tags, live).weight
        } } }""").compile(attributes={"genre": "string", "marks": "array<int>", "tags": "weightedset<string>"})
    documents = {"genre": ["rock", None, "pop"], "marks": [[1, 2], [], [3]], "tags": [{"live": 2}, {}, None]}
    assert made.scores(documents)[0] == 221
    assert made.rank(documents)[0] == tenrex.Hit(0, 221.0)


def test_texts_and_truth_that_documents_lack():
    text = """schema s {
        document s {
            field genre type string { indexing: attribute }
            field sold type bool { indexing: attribute }
            field price type int { indexing: attribute }
        }
        rank-profile p { first-phase { expression {
            if(attribute(sold), 1, 2) + if(attribute(genre) == "", 10, 20) + if(isNan(attribute(price)), 100, 200)
        } } }
    }"""
    attributes = {"genre": "string", "sold": "bool", "price": "int"}
    for made in (tenrex.Profiles(text).compile(),
                 tenrex.Profiles(text[text.index("rank-profile"):-1]).compile(attributes=attributes)):
        documents = {"genre": ["rock", None, ""], "sold": [True, None, False], "price": [1, None, 2]}
        assert made.scores(documents).tolist() == [221, 112, 212]
        assert made.scores({**documents, "sold": np.array([True, False, False])}).tolist() == [221, 112, 212]
        assert made.scores({**documents, "sold": np.array([np.nan, 0, 1])}).tolist() == [222, 112, 211]


def test_structs():
    made = tenrex.Profiles("""
        schema shop {
            document shop {
                struct offer { field price type double {} field city type string {} }
                field offers type array<offer> {
                    indexing: summary
                    struct-field price { indexing: attribute }
                    struct-field city { indexing: attribute }
                }
            }
            rank-profile p { first-phase { expression {
                attribute(offers.price, 0) + 10 * sum(tensorFromStructs(attribute(offers), city, price, float) * cities)
            } } constants { cities tensor<float>(city{}): {oslo: 1} } }
        }""").compile()
    offers = [[{"price": 3, "city": "oslo"}, {"price": 5, "city": "rome"}], [{"price": 1, "city": "rome"}]]
    assert made.scores({"offers": offers}).tolist() == [33, 1]


def test_structs_with_several_keys():
    made = tenrex.Profiles("""rank-profile p { first-phase { expression {
        sum(tensorFromStructs(attribute(offers), seller, city, price, double) * tensor(city{}):{oslo: 10, rome: 1})
    } } }""").compile()
    offers = [[{"price": 3, "city": "oslo", "seller": "a"}, {"price": 5, "city": "rome", "seller": "a"}], []]
    assert made.scores({"offers": offers}).tolist() == [35, 0]


@pytest.mark.parametrize("documents, query, message", [
    ({"v": [[1, 0]], "price": [1]}, None, "no column for 'bm25"),
    ({**DOCUMENTS, "price": [1, 2]}, None, "documents"),
    ({**DOCUMENTS, "price": 1}, None, "one number for all documents"),
    (DOCUMENTS, {"p": 1}, "no input 'p'(.|\n)*the inputs are query"),
    (DOCUMENTS, {"q": [1]}, r"shape \(1,\)"),
])
def test_what_does_not_fit(documents, query, message):
    with pytest.raises(tenrex.Error, match=message):
        profile().features(documents, query)


def test_mistakes_show_their_place():
    with pytest.raises(tenrex.Error) as caught:
        tenrex.Profiles(TEXT, "shop.profile").compile(attributes={"v": "tensor<float>(x[2])", "prize": "double"},
                                                      features=["bm25(title)"])
    assert "shop.profile:6:" in str(caught.value) and "did you mean 'attribute(prize)'" in str(caught.value)
    with pytest.raises(tenrex.Error, match="shop.profile:1:"):
        tenrex.Profiles("rank-profile {", "shop.profile")
    with pytest.raises(tenrex.Error, match="no kind of attribute 'text'"):
        tenrex.Profiles(TEXT).compile(attributes={"v": "text"})
    with pytest.raises(tenrex.Error, match="2 profiles: a, b"):
        tenrex.Profiles("rank-profile a {} rank-profile b {}").compile()


def test_files_are_read_from_a_folder_only(tmp_path):
    text = "rank-profile p { constants { w tensor(x[2]): file:w.json } first-phase { expression: sum(w) } }"
    (tmp_path / "w.json").write_text("[1, 2]")
    (tmp_path / "p.profile").write_text(text)
    made = tenrex.Profiles.read(tmp_path / "p.profile").compile()
    with pytest.raises(tenrex.Error, match="reads nothing of documents"):
        made.rank({})
    with pytest.raises(tenrex.Error, match="w.json"):
        tenrex.Profiles(text).compile()
    (tmp_path / "w.json").unlink()
    with pytest.raises(tenrex.Error, match="No such file"):
        tenrex.Profiles.read(tmp_path / "p.profile").compile()


def test_files_of_an_application(tmp_path):
    for folder in ("schemas/shop", "models", "search/query-profiles/types"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "schemas/shop.sd").write_text("""schema shop {
        document shop { field price type int { indexing: attribute } }
        constant w { file: files/w.json type: tensor(x[2]) }
        rank-profile base { function worth() { expression: 100 - attribute(price) + sum(constant(w)) } }
    }""")
    (tmp_path / "schemas/shop/cheap.profile").write_text(
        "rank-profile cheap inherits base { first-phase { expression: worth + sum(query(user)) } }")
    (tmp_path / "models/files").mkdir()
    (tmp_path / "models/files/w.json").write_text("[1, 2]")
    (tmp_path / "search/query-profiles/types/root.xml").write_text(
        '<query-profile-type id="root"><field name="ranking.features.query(user)" type="tensor&lt;float&gt;(x{})"/></query-profile-type>')
    profiles = tenrex.Profiles.read(tmp_path / "schemas/shop.sd")
    assert profiles.names == ["base", "cheap"]
    cheap = profiles.compile("cheap")
    assert cheap.inputs == {"query(user)": tenrex.TensorType("tensor<float>(x{})")} and cheap.warnings == []
    assert cheap.scores({"price": [10, 20]}, {"user": {"a": 5}}).tolist() == [98, 88]


def test_features_of_an_engine():
    profiles = tenrex.Profiles("""rank-profile p {
        first-phase { expression: bm25(title) + fieldMatch(title).completeness + sum(elementwise(bm25(title), i, float)) } }""")
    needs = profiles.needs()
    assert {name: str(of_type) for name, of_type in needs.items()} == {
        "bm25(title)": "double", "elementwise(bm25(title),i,float)": "tensor<float>(i{})", "fieldMatch(title).completeness": "double"}
    documents = {"bm25(title)": [1, 2], "fieldMatch(title).completeness": [10, 20],
                 "elementwise(bm25(title),i,float)": [{"0": 100}, None]}
    for features in (needs, "*"):
        assert profiles.compile(features=features).scores(documents).tolist() == [111, 22]
    assert list(profiles.needs(features=["bm25(title)"])) == list(needs)[1:] and profiles.needs(features="*") == {}
    with pytest.raises(tenrex.Error) as caught:
        profiles.compile(features="bm25(title)")
    assert caught.value.__notes__ == ["needs: features=['elementwise(bm25(title),i,float)', 'fieldMatch(title).completeness']"]


def test_nearest():
    profiles = tenrex.Profiles("""rank-profile p {
        inputs { query(a) tensor<float>(x[2])
                 query(b) tensor<float>(x[2]) }
        first-phase { expression: distance(field, v) + 10 * distance(label, second) } }""")
    attributes = {"v": "tensor<float>(x[2])"}
    with pytest.raises(tenrex.Error, match="query"):
        profiles.compile(attributes=attributes)
    made = profiles.compile(attributes=attributes, nearest={"v": "a", "second:v": "query(b)"})
    assert made.scores({"v": [[0, 0], [3, 4]]}, {"a": [0, 0], "b": [3, 4]}).tolist() == [50, 5]


def test_networks(tmp_path):
    network = onnx.model([onnx.node("MatMul", ["x", "w"], ["out"])], [onnx.floats("w", [2, 1], [1.0, 10.0])],
                         [onnx.port("x", ["n", 2])], [onnx.port("out", ["n", 1])])
    (tmp_path / "layer.onnx").write_bytes(network)
    (tmp_path / "p.profile").write_text("""
rank-profile p {
    onnx-model layer { file: layer.onnx
                       input x: features }
    function features() { expression: tensor<float>(d0[1],d1[2]):[[attribute(price), 2]] }
    first-phase { expression: sum(onnx(layer).out) }
}""")
    made = tenrex.Profiles.read(tmp_path / "p.profile").compile(attributes={"price": "double"})
    assert made.scores({"price": [1, 2.5]}).tolist() == [21, 22.5]
    (tmp_path / "layer.onnx").write_bytes(network[:20])
    with pytest.raises(tenrex.Error, match="layer.onnx"):
        tenrex.Profiles.read(tmp_path / "p.profile").compile(attributes={"price": "double"})
