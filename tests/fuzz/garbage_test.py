#!/usr/bin/env python3
"""Hostile inputs of great size: each gets a short, clear error at once.

usage: garbage_test.py TENREX [unittest arguments]

Each class is a test of its own in CMakeLists.txt: they run beside each other.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import unittest

TENREX = ""
MEGABYTES = 16  # no limit that depends on the size lies between this and gigabytes, but that of an expression
EXPRESSION_LIMIT = 64 << 20
MANY_LINES = 2 << 20  # bytes of a stream of requests in which each line gets an answer
SECONDS = 10  # of processor time for what takes well under one in a release build: sanitizers are slow
DEEP = 100_000


def run(*arguments, stdin=b""):
    """Exit status, standard error, seconds of processor time and the peak memory of all runs so far in MiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([TENREX, *arguments], input=stdin, capture_output=True, timeout=300, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stderr.decode("utf-8", "replace"), seconds, after.ru_maxrss // 1024


def garbage():
    noise = random.Random(7)
    some = bytes(noise.getrandbits(8) for _ in range(1 << 20))
    text = bytes(noise.choice(b"abcxyz0123456789+-*/(){}[],.:<>=!&|\"' \n") for _ in range(1 << 20))
    return {
        "bytes": some * MEGABYTES,
        "text": text * MEGABYTES,
        "zeros": bytes(MEGABYTES << 20),
        "brackets": b"[" * (MEGABYTES << 20),
        "quote": b'"' + b"a" * (MEGABYTES << 20),
        "spaces": b" " * (MEGABYTES << 20),
        "type": b"tensor(x[3]):" + b"[1,2,3]," * (MEGABYTES << 17),
        "dimensions": b"tensor(" + b"a{},b{},c{},d{}," * (MEGABYTES << 16),
    }


class TestCase(unittest.TestCase):
    def check(self, status, message, seconds):
        self.assertIn(status, (1, 3), message[:500])  # wrong, or too large to be read at all
        self.assertIn("error", message)
        self.assertLess(len(message), 4000)
        self.assertLess(seconds, SECONDS)


class Megabytes(TestCase):
    def test_in_every_place(self):
        with tempfile.TemporaryDirectory() as directory:
            for name, content in garbage().items():
                for suffix in ("", ".json", ".tbf"):
                    path = os.path.join(directory, "value" + suffix)
                    with open(path, "wb") as file:
                        file.write(content)
                    for types in ([], ["--type", "a=tensor<float>(x[3])"]):
                        with self.subTest(garbage=name, value=suffix, types=types):
                            status, message, seconds, _ = run("eval", "a", *types, "a=@" + path)
                            self.check(status, message, seconds)
                with self.subTest(garbage=name, place="expression"):
                    status, message, seconds, _ = run("eval", "--file", os.path.join(directory, "value"))
                    self.check(status, message, seconds)
                with self.subTest(garbage=name, place="jsonl"):
                    stream = content[:MANY_LINES] if content.count(b"\n", 0, MANY_LINES) > 1 else content
                    status, message, seconds, _ = run("eval", "--jsonl", stdin=stream)
                    self.assertIn(status, (0, 1))
                    self.assertLess(seconds, SECONDS)


class Documents(TestCase):
    def test_of_garbage(self):
        profile = b"rank-profile p { first-phase { expression: attribute(n) + sum(attribute(v)) + sum(attribute(w)) } }\n"
        types = ["--attribute", "v:tensor<float>(x[3])", "--attribute", "w:tensor(k{})"]
        with tempfile.NamedTemporaryFile(suffix=".profile") as file:
            file.write(profile)
            file.flush()
            for name, content in garbage().items():
                for prefix in (b"", b'{"n":', b'{"v":', b'{"w":'):
                    documents = prefix + content[:MANY_LINES]
                    with self.subTest(garbage=name, prefix=prefix):
                        status, message, seconds, _ = run("rank", file.name, *types, stdin=documents)
                        self.assertEqual(status, 0 if name == "spaces" and not prefix else 1, message[:500])
                        self.assertLess(len(message), 4000)
                        self.assertLess(seconds, SECONDS)
                        status, message, seconds, _ = run(
                            "rank", file.name, *types, "--skip-bad-documents", stdin=documents)
                        self.assertEqual(status, 0, message[:500])
                        self.assertLess(len(message), 40000)
                        self.assertLess(seconds, SECONDS)


class Nesting(TestCase):
    def test_deep_nesting(self):
        nested = {
            "parentheses": "(" * DEEP,
            "balanced": "(" * DEEP + "1" + ")" * DEEP,
            "minus": "-" * DEEP + "a",
            "not": "!" * DEEP + "1",
            "power": "2^" * DEEP + "2",
            "calls": "sqrt(" * DEEP + "1" + ")" * DEEP,
            "if": "if(1,2," * DEEP + "3" + ")" * DEEP,
            "map": "map(" * DEEP,
            "lambda": "map(1,f(x)(" * DEEP,
            "literal": "tensor(x[1]):" + "[" * DEEP,
            "map literal": "tensor(x{}):" + "{a:" * DEEP,
            "generator": "tensor(x[1])(" * DEEP,
            "feature": "f(" * DEEP + ")" * DEEP,
            "peek": "a" + "{x:(a" * DEEP,
            "index": "a" + "[a" * DEEP,
            "switch": "switch(1){case 1:" * DEEP,
            "in": "1 in [" * DEEP,
        }
        for name, expression in nested.items():
            with self.subTest(nested=name):
                status, message, seconds, _ = run("eval", "-", stdin=expression.encode())
                self.check(status, message, seconds)

    def test_values_nested_deeply(self):
        for name, value in {
            "list": "tensor(x[3]):" + "[" * DEEP,
            "map": "tensor(x{}):" + "{a:" * DEEP,
            "json list": '{"type":"tensor(x[3])","values":' + "[" * DEEP,
            "json object": '{"type":"tensor(x{})","cells":' + '{"a":' * DEEP,
        }.items():
            with self.subTest(value=name), tempfile.NamedTemporaryFile(suffix=".json" if "json" in name else ".txt") as file:
                file.write(value.encode())
                file.flush()
                status, message, seconds, _ = run("eval", "a", "a=@" + file.name)
                self.check(status, message, seconds)


class Sizes(TestCase):
    def test_expression_beyond_the_limit(self):
        status, message, seconds, _ = run("eval", "-", stdin=b"1" + b" " * EXPRESSION_LIMIT)
        self.check(status, message, seconds)
        self.assertIn("limit", message)

    def test_types_of_too_many_cells(self):
        for text in (
            "tensor(x[%d])" % (1 << 60),
            "tensor<int8>(x[%d],y[%d])" % (1 << 30, 1 << 30),
            "tensor(a{},x[%d],y[%d],z[%d])" % (1 << 20, 1 << 20, 1 << 20),
            "tensor(x[18446744073709551615],y[18446744073709551615])",
            "tensor(x[99999999999999999999999999])",
        ):
            for expression in (text + "(1)", text + ":[]", "range" + text[6:], "a"):
                with self.subTest(type=text, expression=expression):
                    arguments = ["a=" + text + ":[]"] if expression == "a" else []
                    status, message, seconds, peak = run("eval", expression, *arguments)
                    self.check(status, message, seconds)
        self.assertLess(peak, 4096)

    def test_results_of_too_many_cells(self):
        wide = "tensor(%s[100000])(1)"
        for expression in (
            "reduce(" + "*".join(wide % name for name in "abcd") + ",sum)",
            "concat(" + wide % "a" + "," + wide % "b" + ",c)",
            "map(tensor(x[1000000000])(1),f(x)(x))",
            "tokenInputIds(1000000000000,a)",
        ):
            with self.subTest(expression=expression):
                status, message, seconds, _ = run("eval", expression, "a=tensor(d0[3]):[1,2,3]")
                self.check(status, message, seconds)


if __name__ == "__main__":
    TENREX = sys.argv.pop(1)
    unittest.main()
