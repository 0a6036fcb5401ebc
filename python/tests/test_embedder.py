"""Vectors of texts: those of the network, of the tokens, of the recipe in the folder."""

import json
import pathlib
import sys
import threading
import time

import numpy as np
import pytest
import tenrex

sys.path.append(str(pathlib.Path(__file__).parents[2] / "tests" / "tools"))
import bert_writer as bert  # noqa: E402

VOCABULARY = "[UNK]\n[CLS]\n[SEP]\nun\n##able\n"
TEXTS = ["unable", "un", "", "un un", "able un", "unable un"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(bert.safetensors())
    (tmp_path / "config.json").write_text(bert.config())
    (tmp_path / "vocab.txt").write_text(VOCABULARY)
    return tmp_path


def expected(folder, text, expression):
    ids = tenrex.Tokenizer.load(folder / "vocab.txt").encode(text, plain_text=True).ids.astype(np.float64)[None, :]
    names = ("input_ids", "attention_mask", "token_type_ids")
    plan = tenrex.compile(expression, document={name: f"tensor(d0[1],d1[{ids.shape[1]}])" for name in names},
                          networks={"m": tenrex.onnx(folder / "model.safetensors")})
    return plan.bind()(dict(zip(names, (ids, np.ones_like(ids), np.zeros_like(ids)))))


@pytest.mark.parametrize("options, expression", [
    ({}, "reduce(onnx(m),avg,d0,d1)"),
    ({"pooling": "cls"}, "onnx(m){d0:0,d1:0}"),
    ({"pooling": "max"}, "reduce(onnx(m),max,d0,d1)"),
    ({"normalize": True}, "l2_normalize(reduce(onnx(m),avg,d0,d1),d2)")])
def test_vectors(folder, options, expression):
    embedder = tenrex.Embedder.load(str(folder), **options)
    found = embedder.embed(TEXTS)
    assert found.dtype == np.float32 and found.shape == (len(TEXTS), embedder.size) == (6, 4)
    for text, vector in zip(TEXTS, found):
        np.testing.assert_allclose(vector, expected(folder, text, expression), rtol=1e-5, atol=1e-6)
        assert np.array_equal(embedder.embed(text), vector)


def test_neither_neighbours_nor_threads_matter(folder):
    embedder = tenrex.Embedder.load(folder)
    many = TEXTS * 40
    found = embedder.embed(many)
    for threads in (2, 5):
        assert np.array_equal(embedder.embed(iter(many), threads=threads), found)
    assert np.array_equal(embedder.embed(many, progress=True), found)
    assert np.array_equal(found, np.tile(embedder.embed(TEXTS), (40, 1)))
    assert embedder.embed([]).shape == (0, 4) and embedder.embed([], cells="bits").shape == (0, 1)


def test_cells(folder):
    embedder = tenrex.Embedder.load(folder)
    floats, whole, bits = (embedder.embed(TEXTS, cells=cells) for cells in ("float", "int8", "bits"))
    assert whole.dtype == bits.dtype == np.int8
    np.testing.assert_array_equal(whole, np.rint(floats / np.abs(floats).max(1, keepdims=True).astype(np.float64) * 127))
    np.testing.assert_array_equal(bits.view(np.uint8), np.packbits(floats > 0, axis=1))
    first = tenrex.Embedder.load(folder, dimensions=3)
    assert first.size == 3
    np.testing.assert_array_equal(first.embed(TEXTS), floats[:, :3])


def test_what_the_folder_says(folder):
    (folder / "modules.json").write_text(json.dumps([{"type": "x.Transformer", "path": ""}, {"type": "x.Normalize", "path": "n"}]))
    (folder / "config_sentence_transformers.json").write_text(
        json.dumps({"prompts": {"query": "un "}, "default_prompt_name": "query"}))
    embedder = tenrex.Embedder.load(folder)
    assert (embedder.prefix, embedder.max_length) == ("un ", 6) and "4 cells" in repr(embedder)
    np.testing.assert_allclose(np.linalg.norm(embedder.embed(TEXTS), axis=1), 1, rtol=1e-6)
    bare = tenrex.Embedder.load(folder, prefix="", normalize=False)
    assert np.array_equal(bare.embed("un able"), tenrex.Embedder.load(folder, normalize=False).embed("able"))
    assert bare.prefix == "" and abs(np.linalg.norm(bare.embed("un")) - 1) > 1e-3


def test_long_texts_are_cut_with_a_warning(folder):
    embedder = tenrex.Embedder.load(folder, max_length=4)
    with pytest.warns(UserWarning, match="1 of 2 texts have more tokens than are taken"):
        found = embedder.embed(["un un un un", "un un"])
    assert np.array_equal(found[0], found[1])


def test_cache(folder):
    plain, cached = tenrex.Embedder.load(folder), tenrex.Embedder.load(folder, cache_bytes=1 << 20)
    assert plain.cache is None
    for _ in range(2):
        assert np.array_equal(cached.embed(TEXTS), plain.embed(TEXTS))
    assert (cached.cache["hits"], cached.cache["misses"], cached.cache["vectors"]) == (6, 6, 6)


def test_precision_and_instructions(folder):
    floats = tenrex.Embedder.load(folder).embed(TEXTS)
    for precision in ("bf16", "int8"):
        found = tenrex.Embedder.load(folder, precision=precision).embed(TEXTS)
        assert not np.array_equal(found, floats)
        np.testing.assert_allclose(found, floats, atol=0.1)
    np.testing.assert_allclose(tenrex.Embedder.load(folder, max_isa="baseline").embed(TEXTS), floats, rtol=1e-5, atol=1e-6)


def test_mistakes(folder, tmp_path_factory):
    def message(call):
        with pytest.raises(tenrex.Error) as caught:
            call()
        return str(caught.value)

    embedder = tenrex.Embedder.load(folder)
    assert "has no model" in message(lambda: tenrex.Embedder.load(tmp_path_factory.mktemp("empty")))
    assert "there is no pooling 'sum'" in message(lambda: tenrex.Embedder.load(folder, pooling="sum"))
    assert "there is no precision 'f16'" in message(lambda: tenrex.Embedder.load(folder, precision="f16"))
    assert "the model has 6 positions" in message(lambda: tenrex.Embedder.load(folder, max_length=7))
    assert "the model gives 4" in message(lambda: tenrex.Embedder.load(folder, dimensions=5))
    assert "max_length must be 1 or more" in message(lambda: tenrex.Embedder.load(folder, max_length=0))
    assert "text 1 of texts is 7, not a str" in message(lambda: embedder.embed(["a", 7]))
    assert "there is no kind of cells 'int4'" in message(lambda: embedder.embed(TEXTS, cells="int4"))
    assert "threads must be 1 or more" in message(lambda: embedder.embed(TEXTS, threads=0))
    with pytest.raises(TypeError):
        embedder.embed(None)


def test_other_threads_run_meanwhile(folder):
    embedder = tenrex.Embedder.load(folder)
    many, steps, done = ["unable un"] * 20000, [], threading.Event()

    def count():
        while not done.is_set():
            steps.append(1)
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    embedder.embed(many)
    done.set()
    counter.join()
    assert len(steps) > 5


def test_threads_share_it(folder):
    embedder = tenrex.Embedder.load(folder, cache_bytes=1 << 16)
    wanted, wrong = embedder.embed(TEXTS), []

    def run():
        for _ in range(20):
            if not np.array_equal(embedder.embed(TEXTS, threads=2), wanted):
                wrong.append(1)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
