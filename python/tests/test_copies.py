"""Pickling and copying: what goes to other processes, and what cannot."""

import copy
import multiprocessing
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
import tenrex

ROOT = pathlib.Path(__file__).parents[2]
FOREST = ROOT / "tests" / "forest" / "trained" / "lightgbm_binary.txt"
D = np.array([[0.5, 1], [2, 4]], np.float32)


def again(value, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(value, protocol))


def plan_of_all():
    return tenrex.compile({"a": "sum(q * d) + w", "b": "sum(t * k) + (genre == wanted)"},
                          query={"q": "tensor<float>(x[2])", "t": "tensor(label{})", "wanted": "string"},
                          document={"d": "tensor<float>(x[2])", "genre": "string"},
                          constants={"w": 5, "k": "tensor(label{}):{red:2}"}, max_isa="baseline", disable=["simplify"])


VALUES = {"q": [1, 2], "t": {"red": 3, "blue": 1}, "wanted": "jazz"}
COLUMNS = {"d": D, "genre": ["jazz", "rock"]}


def scores(query):
    return {name: values.tolist() for name, values in query(COLUMNS).items()}


EXPECTED = {"a": [7.5, 15], "b": [7, 6]}


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_plans_and_queries(protocol):
    plan = plan_of_all()
    assert scores(plan.bind(VALUES)) == EXPECTED
    there = again(plan, protocol)
    assert scores(there.bind(VALUES)) == EXPECTED
    assert (there.outputs, there.query_inputs, there.explain()) == (plan.outputs, plan.query_inputs, plan.explain())
    query = again(plan.bind(VALUES), protocol)
    assert scores(query) == EXPECTED and scores(query.plan.bind(VALUES)) == EXPECTED
    assert scores(again(query)) == EXPECTED


def test_what_the_caller_changes_later_is_not_pickled():
    types, constants = {"x": "double"}, {"w": 2}
    plan = tenrex.compile("x * w", document=types, constants=constants)
    types["y"], constants["w"] = "double", 3
    assert again(plan).bind()(x=4) == 8


def test_plans_that_share_labels_share_them_elsewhere():
    labels = tenrex.Labels()
    plans = [tenrex.compile(text, document={"t": "tensor(k{})"}, labels=labels) for text in ("sum(t)", "sum(t * t)")]
    (first, second), their_labels = again((plans, labels))
    assert first._source[2]["labels"] is their_labels is second._source[2]["labels"] is not labels
    assert second.bind()(t={"a": 3}) == 9


def test_models():
    forest = tenrex.lightgbm(FOREST)
    of_bytes = tenrex.lightgbm(bytearray(FOREST.read_bytes()))
    row = {name: 0.5 for name in forest.used_features}
    expected = forest.plan().bind()(row)
    for each in (again(forest), again(of_bytes)):
        assert repr(each) == repr(forest) and each.plan().bind()(row) == expected
    plan = tenrex.compile("forest(clicks) + 1", document=forest.used_features, forests={"clicks": of_bytes})
    assert again(plan).bind()(row) == expected + 1


def test_a_path_means_the_same_in_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(FOREST.parent)
    pickled = pickle.dumps(tenrex.lightgbm(FOREST.name))
    monkeypatch.chdir(tmp_path)
    assert pickle.loads(pickled).trees > 0


def test_profiles(tmp_path):
    text = "rank-profile p { inputs { query(w) double: 2 } first-phase { expression: query(w) * attribute(price) } }"
    (tmp_path / "p.profile").write_text(text)
    for profiles in (tenrex.Profiles(text), tenrex.Profiles.read(tmp_path / "p.profile")):
        assert again(profiles).names == ["p"]
        profile = again(profiles.compile(attributes={"price": "double"}))
        assert profile.scores({"price": [1, 2]}, {"w": 3}).tolist() == [3, 6]


def test_an_index_is_copied():
    index = tenrex.VectorIndex(2)
    index.add([[1, 0], [0, 1]])
    for copied in (again(index), copy.deepcopy(index), copy.copy(index)):
        assert copied.options == index.options and copied.search([0, 1], 1)[0].tolist() == [1]
        copied.add([1, 1])
    assert len(index) == 2


def test_tokenizers():
    tokenizer = tenrex.Tokenizer.read_vocabulary("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nB", lower_case=False)
    assert again(tokenizer).encode("a B").tokens == ["[CLS]", "a", "B", "[SEP]"]
    trained = tenrex.Tokenizer.load(ROOT / "tests" / "text" / "trained" / "word_piece.json")
    assert again(trained).vocabulary_size == trained.vocabulary_size
    encodings = again(tokenizer.encode_batch(["a", "a B"]))
    assert [each.tokens for each in encodings] == [["[CLS]", "a", "[SEP]"], ["[CLS]", "a", "B", "[SEP]"]]


def test_what_does_not_change_is_its_own_copy():
    plan = plan_of_all()
    query, labels, tensor = plan.bind(VALUES), tenrex.Labels(), tenrex.Tensor([1, 2], dims=["x"])
    for each in (plan, query, labels, tensor, tenrex.lightgbm(FOREST)):
        assert copy.copy(each) is each and copy.deepcopy([each])[0] is each


def test_values():
    plan = plan_of_all()
    query = plan.bind(VALUES)
    for each in (tenrex.Ragged([1, 2], [0, 1, 2]), plan.graph(), plan.steps()[0], query.profile(COLUMNS)):
        assert repr(again(each)).split(" at ")[0] == repr(each).split(" at ")[0]
    with pytest.raises(tenrex.Error) as caught:
        tenrex.compile("sum(q")
    there = again(caught.value)
    assert type(there) is tenrex.Error and (str(there), there.issues) == (str(caught.value), caught.value.issues)


def test_documents_cannot():
    documents = plan_of_all().documents(COLUMNS)
    for refused in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be copied or pickled\n  hint: pickle the columns"):
            refused(documents)


def call_with(query, columns):
    return query(columns).tolist()


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_other_processes(method):
    query = tenrex.compile("sum(q * d)", query={"q": "tensor<float>(x[2])"}, document={"d": "tensor<float>(x[2])"}).bind(q=[1, 2])
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.starmap(call_with, [(query, {"d": D}), (query, {"d": D * 2})]) == [[2.5, 10], [5, 20]]
        assert pool.map(query, [{"d": D}])[0].tolist() == [2.5, 10]
        with pytest.raises(tenrex.Error, match="shape"):
            pool.apply(call_with, (query, {"d": [1, 2, 3]}))


def test_a_program_that_only_unpickles():
    """The package is imported by the pickle itself."""
    pickled = pickle.dumps(plan_of_all().bind(VALUES))
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer)(d=[[0.5, 1]], genre=['jazz'])['a'].tolist())"
    done = subprocess.run([sys.executable, "-c", program], input=pickled, capture_output=True)
    assert (done.stdout.decode(), done.stderr.decode()) == ("[7.5]\n", "")
