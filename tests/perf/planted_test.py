"""The regression check with real programs: it is to find what is planted, and nothing where there is nothing."""

import argparse
import os
import sys
import tempfile
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
PROGRAM = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, os.path.join(ROOT, "perf/regression"))

import check  # noqa: E402


def with_options(folder, *options):
    """A program that measures with these options: a compiler that lost something."""
    path = os.path.join(folder, "-".join(options).strip("-"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec '{PROGRAM}' {' '.join(options)} \"$@\"\n")
    os.chmod(path, 0o755)
    return path


class Planted(unittest.TestCase):
    def compare(self, head, cases):
        arguments = argparse.Namespace(filter=cases, rounds=3, confirmations=8, runs=2, run_ms=1)
        slow, base_figures, head_figures = check.slower([PROGRAM, head], arguments)
        return set(slow), {(name, what) for name, what, _, _ in check.grown_counters(base_figures, head_figures)}

    def test_nothing(self):
        self.assertEqual(self.compare(PROGRAM, "^(dot.f32.768|seed.nn)$"), (set(), set()))

    def test_slower_kernels(self):
        with tempfile.TemporaryDirectory() as folder:
            slow, grown = self.compare(with_options(folder, "--isa", "baseline"), "^dot.i8.768$")
        self.assertIn(("dot.i8.768", "block 64"), slow)
        self.assertEqual(grown, set())

    def test_lost_optimizations(self):
        with tempfile.TemporaryDirectory() as folder:
            _, grown = self.compare(with_options(folder, "--disable", "all"), "^seed.nn$")
        self.assertEqual({name for name, _ in grown}, {"seed.nn"})
        self.assertTrue({"document_steps", "memory_bytes"} <= {what for _, what in grown})


if __name__ == "__main__":
    unittest.main()
