"""Tokenizers of tests/text/trained give from Python what the package that trained them gave."""

import json
import pathlib
import subprocess
import sys
import threading
import zlib

import numpy as np
import pytest
import tenrex

TRAINED = pathlib.Path(__file__).parents[2] / "tests" / "text" / "trained"
NAMES = sorted(path.stem for path in TRAINED.glob("*.json"))
VOCABULARY = "\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "rank", "##ing", "##s", "ä", "b", "c"])
TOKENIZER = tenrex.Tokenizer.read_vocabulary(VOCABULARY, lower_case=False)


def texts():
    with open(TRAINED / "texts.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def line_of(encoding):
    """As the trainer's script writes it: how many tokens there are, and a sum over them."""
    described = "".join(f"{id}/{kind}/{begin}-{end} " for id, kind, (begin, end) in
                        zip(encoding.ids.tolist(), encoding.type_ids.tolist(), encoding.offsets.tolist()))
    return f"{len(encoding)} {zlib.crc32(described.encode()):08x}"


@pytest.mark.parametrize("name", NAMES)
def test_as_trained(name):
    expected = (TRAINED / f"{name}.expected").read_text(encoding="utf-8").splitlines()
    tokenizer = tenrex.Tokenizer.load(TRAINED / f"{name}.json")
    given = texts()
    assert len(NAMES) >= 10 and len(given) == len(expected) > 50
    for number, (text, wanted) in enumerate(zip(given, expected)):
        assert line_of(tokenizer.encode(text["text"], text.get("pair"))) == wanted, (number, text)
    singles = [text["text"] for text in given if "pair" not in text]
    batch = tokenizer.encode_batch(singles)
    assert len(batch) == len(singles) == len(batch.starts) - 1
    wanted = [line for text, line in zip(given, expected) if "pair" not in text]
    assert [line_of(encoding) for encoding in batch] == wanted
    pairs = [(text["text"], text["pair"]) for text in given if "pair" in text]
    if pairs:
        batch = tokenizer.encode_batch(*zip(*pairs))
        assert [line_of(encoding) for encoding in batch] == [line for text, line in zip(given, expected) if "pair" in text]
    assert tenrex.Tokenizer.read((TRAINED / f"{name}.json").read_bytes()).vocabulary_size == tokenizer.vocabulary_size


def test_offsets_count_characters_or_bytes():
    text = "ä rankings"
    found = TOKENIZER.encode(text)
    assert found.tokens == ["[CLS]", "ä", "rank", "##ing", "##s", "[SEP]"]
    assert [text[begin:end] for begin, end in found.offsets] == ["", "ä", "rank", "ing", "s", ""]
    raw = text.encode()
    assert [raw[begin:end].decode() for begin, end in TOKENIZER.encode(text, offsets="bytes").offsets] == ["", "ä", "rank", "ing", "s", ""]
    strange = "\udcff rank"  # a byte that is no UTF-8, as Python reads it
    found = TOKENIZER.encode(strange)
    assert strange[slice(*found.offsets[found.tokens.index("rank")])] == "rank"


def test_options():
    assert TOKENIZER.encode("a b", special_tokens=False).tokens == ["a", "b"]
    found = TOKENIZER.encode("a b c", "rank a", max_length=5)
    assert len(found) == 5 and found.is_truncated and found.type_ids.tolist() == sorted(found.type_ids.tolist())
    assert not TOKENIZER.encode("a b c", max_length=5).is_truncated
    assert TOKENIZER.encode("a [MASK]").tokens == ["[CLS]", "a", "[MASK]", "[SEP]"]
    assert "[MASK]" not in TOKENIZER.encode("a [MASK]", plain_text=True).tokens
    assert TOKENIZER.encode("").tokens == TOKENIZER.encode("  ").tokens == ["[CLS]", "[SEP]"]
    assert tenrex.Tokenizer.read_vocabulary(VOCABULARY).encode("RANK").tokens[1] == "rank"


def test_vocabulary():
    assert TOKENIZER.vocabulary_size == 12 and TOKENIZER.id_of("rank") == 6 and TOKENIZER.token(6) == "rank"
    assert TOKENIZER.id_of("no such token") is None and TOKENIZER.token(12) is None and TOKENIZER.token(-1) is None
    assert "12" in repr(TOKENIZER)


def test_batches():
    batch = TOKENIZER.encode_batch(["a", "rank rank", ""])
    assert batch.starts.tolist() == [0, 3, 7, 9] and len(batch.ids) == len(batch.type_ids) == len(batch.offsets) == 9
    assert batch[1].ids.tolist() == batch.ids[3:7].tolist() and batch[-1].tokens == ["[CLS]", "[SEP]"]
    assert [len(encoding) for encoding in batch[1:]] == [4, 2] and "3 texts" in repr(batch)
    with pytest.raises(IndexError):
        batch[3]
    ids, mask, type_ids = batch.padded()
    assert ids.tolist() == [[2, 5, 3, 0], [2, 6, 6, 3], [2, 3, 0, 0]] and ids.dtype == mask.dtype == type_ids.dtype == np.int64
    assert mask.tolist() == [[1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 0, 0]] and not type_ids.any()
    assert batch.padded(6, pad_id=9)[0][2].tolist() == [2, 3, 9, 9, 9, 9]
    with pytest.raises(tenrex.Error, match="4 tokens"):
        batch.padded(3)
    plan = tenrex.compile("reduce(ids, max)", document={"ids": "tensor<float>(token{})"})
    assert plan.bind()(ids=batch.ragged()).tolist() == [5, 6, 3]
    none = TOKENIZER.encode_batch([])
    assert len(none) == 0 and none.ids.shape == (0,) and none.offsets.shape == (0, 2) and none.padded()[0].shape == (0, 0)
    assert TOKENIZER.encode_batch(text for text in ["a", "b"]).ids.tolist() == [2, 5, 3, 2, 10, 3]


def test_mistakes(tmp_path):
    for call in (lambda: TOKENIZER.encode_batch("a b"), lambda: TOKENIZER.encode_batch(["a", 5]), lambda: TOKENIZER.encode(None),
                 lambda: TOKENIZER.encode_batch(["a"], ["b", "c"]), lambda: TOKENIZER.encode("a", offsets="words"),
                 lambda: TOKENIZER.encode("a", max_length=-1), lambda: TOKENIZER.encode("a", max_length=1),
                 lambda: tenrex.Tokenizer.load(tmp_path / "none.json"), lambda: tenrex.Tokenizer.read("{}"),
                 lambda: tenrex.Tokenizer.read(b"\xff")):
        with pytest.raises(tenrex.Error):
            call()
    with pytest.raises(tenrex.Error, match="text 0"):
        TOKENIZER.encode_batch(["a", "b"], max_length=1)


def test_threads():
    given = [text["text"] for text in texts()] * 3
    tokenizer = tenrex.Tokenizer.load(TRAINED / "unigram_unicode.json")
    expected, wrong = tokenizer.encode_batch(given).ids.tolist(), []

    def work():
        if tokenizer.encode_batch(given).ids.tolist() != expected:
            wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_progress(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # as if tqdm were not installed
    given = ["a", "rank b"] * 1100
    batch = TOKENIZER.encode_batch(given, ["c"] * 2200, progress=True)
    assert capsys.readouterr().err == "\r1000 of 2200 texts\r2000 of 2200 texts\r2200 of 2200 texts\n"
    expected = TOKENIZER.encode_batch(given, ["c"] * 2200)
    for name in ("starts", "ids", "type_ids", "offsets", "is_truncated"):
        assert (getattr(batch, name) == getattr(expected, name)).all()


def test_without_icu():
    """The package is of use without it, and tells what a tokenizer lacks."""
    program = """
import sys
sys.modules["tenrex._text"] = None
import tenrex
print(tenrex.compile("1 + 1").bind()())
try:
    tenrex.Tokenizer.read("{}")
except tenrex.Error as error:
    print(error)
"""
    lines = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0] == "2.0" and "tokenizers need ICU" in lines[1] and "libicu72" in lines[2]
    program = "import sys, tenrex; print('tenrex._text' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
