"""Tenrex and its rivals with one model each, in a thread of their own."""

import json
import subprocess
import time

import numpy
import onnxruntime
import openvino

from encoder_model import WORDS


def tokens_of(lengths):
    """Texts of so many tokens, always the same ones."""
    return [numpy.random.default_rng([length, place]).integers(0, WORDS, length) for place, length in enumerate(lengths)]


def inputs_of(tokens):
    return {"input_ids": tokens[None, :], "attention_mask": numpy.ones((1, len(tokens)), numpy.int64),
            "token_type_ids": numpy.zeros((1, len(tokens)), numpy.int64)}


class Rival:
    """A model in one thread."""

    def __call__(self, tokens):
        """The embedding."""
        raise NotImplementedError

    def milliseconds(self, texts, seconds):
        """Of the texts together, one after the other: the least of at least two times, by the time of the processor."""
        least, runs, end = 1e9, 0, time.process_time() + seconds
        while runs < 2 or time.process_time() < end:
            start = time.process_time()
            for tokens in texts:
                self(tokens)
            least, runs = min(least, (time.process_time() - start) * 1e3), runs + 1
        return least


class OnnxRuntime(Rival):
    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def __call__(self, tokens):
        return self.session.run(["embedding"], inputs_of(tokens))[0][0]


class OpenVino(Rival):
    def __init__(self, path, precision):
        settings = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": precision}
        self.request = openvino.Core().compile_model(path, "CPU", settings).create_infer_request()

    def __call__(self, tokens):
        return self.request.infer(inputs_of(tokens))["embedding"][0].copy()


class Tenrex:
    """The program encoders_benchmark, which stays and answers."""

    def __init__(self, benchmark, model, precision, is_fused=True):
        command = [str(benchmark), str(model), precision] + ([] if is_fused else ["unfused"])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.model = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args[0]} failed")
        return json.loads(line)

    def __call__(self, texts, **options):
        """What it says of the texts, with their vectors."""
        self.process.stdin.write(json.dumps({"texts": [tokens.tolist() for tokens in texts], **options}) + "\n")
        self.process.stdin.flush()
        said = self.answer()
        if "vectors" in said:
            said["vectors"] = numpy.array(said["vectors"])
        return said

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def peaks_of(benchmark):
    return json.loads(subprocess.run([str(benchmark), "peaks"], stdout=subprocess.PIPE, text=True, check=True).stdout)


def distance(one, other):
    """The greatest cosine distance of rows."""
    one, other = numpy.asarray(one, numpy.float64), numpy.asarray(other, numpy.float64)
    norms = numpy.linalg.norm(one, axis=-1) * numpy.linalg.norm(other, axis=-1)
    return float(numpy.max(1 - numpy.sum(one * other, axis=-1) / norms))
