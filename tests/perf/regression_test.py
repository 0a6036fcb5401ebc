"""When a build counts as slower: with times that are made up, since real ones depend on the machine."""

import os
import random
import sys
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, os.path.join(ROOT, "perf/regression"))

import check  # noqa: E402
import decision  # noqa: E402


def rounds(generator, count, factor, noise=0.03):
    """Times of two programs that take turns on a machine with phases; the second takes `factor` times as long."""
    base, head = [], []
    for _ in range(count):
        phase = generator.choice((1, 1, 1, 1.4))

        def time(length, phase=phase):
            disturbance = generator.expovariate(8) if generator.random() < 0.2 else 0
            return length * phase * (1 + abs(generator.gauss(0, noise)) + disturbance)

        base.append(time(100))
        head.append(time(100 * factor))
    return base, head


class Decision(unittest.TestCase):
    def share(self, factor, rule, count, trials=400):
        generator = random.Random(7)
        return sum(rule(*rounds(generator, count, factor)) for _ in range(trials)) / trials

    def test_no_difference(self):
        """An unchanged case passes all three stages once in many thousand times."""
        suspects = self.share(1, decision.is_suspect, 3)
        confirmed = self.share(1, decision.is_slower, 10)
        self.assertLess(suspects, 0.2)
        self.assertLess(confirmed, 0.003)

    def test_a_tenth_slower(self):
        self.assertGreater(self.share(1.10, decision.is_suspect, 3), 0.85)
        self.assertGreater(self.share(1.10, decision.is_slower, 10), 0.6)
        self.assertGreater(self.share(1.25, decision.is_slower, 10), 0.95)

    def test_faster(self):
        self.assertEqual(self.share(0.9, decision.is_slower, 10), 0)

    def test_ranks(self):
        low, high = list(range(1, 11)), list(range(11, 21))
        self.assertLess(decision.rank_probability(low, high), 0.001)
        self.assertGreater(decision.rank_probability(high, low), 0.999)
        self.assertEqual(decision.rank_probability([1] * 10, [2] * 10), 1 / 1024)
        self.assertEqual(decision.rank_probability([1, 1], [0.5, 4]), 1 / 2)

    def test_growth_is_of_minima_and_pairs(self):
        self.assertAlmostEqual(decision.growth([100, 100, 200], [120, 110, 230]), 0.1)
        self.assertAlmostEqual(decision.growth([90, 100, 110], [90, 130, 140]), 0)


def figures(**more):
    return {"compile_us": 10.0, "ns_per_document": {"64": 5.0}, "least_ns_per_document": {"64": 4.0},
            "document_steps": 2, "memory_bytes": 1000, "compile_allocations": 200, "compile_allocated_bytes": 10000,
            "evaluate_allocations": 0, **more}


class Counters(unittest.TestCase):
    def test_growth(self):
        base = {"a": figures(), "b": figures(), "gone": figures()}
        head = {"a": figures(document_steps=3, compile_allocations=201), "b": figures(memory_bytes=999), "new": figures()}
        self.assertEqual(check.grown_counters(base, head), [("a", "document_steps", 2, 3)])
        head["b"] = figures(evaluate_allocations=1, compile_allocated_bytes=10200)
        self.assertEqual([row[:2] for row in check.grown_counters(base, head)][1:],
                         [("b", "evaluate_allocations"), ("b", "compile_allocated_bytes")])

    def test_a_base_that_does_not_count(self):
        base = {"a": {"compile_us": 10.0, "ns_per_document": {"64": {"median": 5.0, "least": 4.0}}, "document_steps": 2}}
        self.assertEqual(check.grown_counters(base, {"a": figures()}), [])
        series = check.Series()
        for _ in range(10):
            series.add(base, {"a": figures(least_ns_per_document={"64": 5.0})})
        self.assertEqual(series.chosen(decision.is_slower), {("a", "block 64")})

    def test_cases(self):
        self.assertIn("seed.nn", check.case_names())


if __name__ == "__main__":
    unittest.main()
