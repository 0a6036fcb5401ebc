"""The program that text encoders are measured with: its vectors are those of the model in whatever way texts are put together."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT, PROGRAM = os.path.abspath(sys.argv.pop(1)), sys.argv.pop(1)
sys.path.insert(0, os.path.join(ROOT, "tests/tools"))

from onnx_writer import INT64, floats, integers, model, node, port  # noqa: E402

TABLE = [[1, 2], [3, -4], [5, 6]]
WEIGHTS = [[2, 0], [1, 3]]


def encoder(width=2):
    """The mean of those rows of a table, times weights, that a mask leaves."""
    return model(
        [node("Gather", ["table", "input_ids"], ["rows"]), node("MatMul", ["rows", "weights"], ["products"]),
         node("Unsqueeze", ["attention_mask", "last"], ["column"]), node("Cast", ["column"], ["mask"], to=1),
         node("Mul", ["products", "mask"], ["kept"]), node("ReduceSum", ["kept", "second"], ["sums"], keepdims=0),
         node("ReduceSum", ["mask", "second"], ["count"], keepdims=0), node("Div", ["sums", "count"], ["embedding"])],
        [floats("table", [3, 2], sum(TABLE, [])), floats("weights", [2, 2], sum(WEIGHTS, [])), integers("last", [-1]), integers("second", [1])],
        [port("input_ids", ["batch", "sequence"], INT64), port("attention_mask", ["batch", "sequence"], INT64)],
        [port("embedding", ["batch", width])])


def expected(tokens):
    rows = [[sum(TABLE[token][i] * WEIGHTS[i][k] for i in range(2)) for k in range(2)] for token in tokens]
    return [sum(column) / len(tokens) for column in zip(*rows)]


class EncodersBenchmark(unittest.TestCase):
    TEXTS = [[0, 1, 2, 2], [1], [2, 0]]

    def run_program(self, lines, *words, content=None):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.onnx")
            with open(path, "wb") as file:
                file.write(encoder() if content is None else content)
            return subprocess.run([PROGRAM, path, *words], input="".join(json.dumps(line) + "\n" for line in lines),
                                  capture_output=True, text=True, check=False)

    def answers(self, lines, *words):
        done = self.run_program(lines, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_vectors(self):
        asked = [{"texts": self.TEXTS, "seconds": 0}, {"texts": self.TEXTS, "seconds": 0, "one_by_one": True},
                 {"texts": self.TEXTS, "seconds": 0, "padded_to": 7}]
        for words in ((), ("f32", "unfused"), ("unfused",)):
            for said in self.answers(asked, *words)[1:]:
                self.assertEqual(said["vectors"], [expected(tokens) for tokens in self.TEXTS])
                self.assertGreater(said["whole"], 0)

    def test_steps_are_all_of_it(self):
        about, said = self.answers([{"texts": self.TEXTS, "seconds": 0, "steps": True}])
        self.assertAlmostEqual(said["products"] + said["attention"] + said["rest"], said["whole"], delta=1e-6)
        self.assertEqual(said["attention"], 0)
        self.assertEqual(about["flops_per_token"], 8)
        self.assertGreater(said["context_bytes"], 0)

    def test_workers(self):
        for workers in (1, 3):
            said = self.answers([{"texts": self.TEXTS, "workers": workers, "seconds": 0.02}])[1]
            self.assertEqual(said["workers"], workers)
            self.assertGreater(said["texts_per_second"], 0)
            self.assertLessEqual(said["median_ms"], said["late_ms"])
            self.assertGreater(said["processor_ms"], 0)
            self.assertGreater(said["private_bytes"], said["context_bytes"])

    def test_sharing(self):
        threads = min(2, len(os.sched_getaffinity(0)))
        said = self.answers([{"texts": self.TEXTS, "sharing": threads, "seconds": 0}])[1]
        self.assertEqual(said["threads"], threads)
        for name in ("alone_ms", "shared_ms", "apart_ms", "share", "apart_share"):
            self.assertGreater(said[name], 0, name)
        done = self.run_program([{"texts": self.TEXTS, "sharing": 5000, "seconds": 0}])
        self.assertEqual(done.returncode, 1)
        self.assertIn("there are processors for", done.stderr)

    def test_failures(self):
        for line in ({"texts": []}, {"seconds": 1}, {"texts": "no"}):
            done = self.run_program([line])
            self.assertEqual(done.returncode, 1, line)
            self.assertNotEqual(done.stderr, "")
        done = self.run_program([], content=b"no model")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        for words in (("f64",), ("f32", "fused"), ("f32", "unfused", "more")):
            done = self.run_program([], *words)
            self.assertEqual((done.returncode, done.stderr.split()[0]), (2, "usage:"), words)

    def test_peaks(self):
        done = subprocess.run([PROGRAM, "peaks"], capture_output=True, text=True, check=True)
        self.assertGreater(json.loads(done.stdout)["arithmetic"][0]["operations_per_second"], 0)


if __name__ == "__main__":
    unittest.main()
