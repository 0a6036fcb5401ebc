"""Sums of trees, as LightGBM gets them."""

import json
import os
import random
import sys
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, os.path.join(ROOT, "perf/rivals"))

import trees  # noqa: E402


def lightgbm_value(text, row):
    """What the model file says, read on its own: the sum of all trees for the values of a row."""
    total = 0
    for part in text.split("Tree=")[1:]:
        fields = dict(line.split("=", 1) for line in part.split("\n\n")[0].split("\n")[1:])
        numbers = {name: [float(word) for word in value.split()] for name, value in fields.items()}
        node = 0 if numbers["split_feature"] else -1
        while node >= 0:
            goes_left = row[int(numbers["split_feature"][node])] <= numbers["threshold"][node]
            node = int(numbers["left_child" if goes_left else "right_child"][node])
        total += numbers["leaf_value"][-node - 1]
    return total


class Trees(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(trees.parse_sum("if(a<0.5,1,if(b<-2,-3,4)) + 5"),
                         [("a", 0.5, 1.0, ("b", -2.0, -3.0, 4.0)), 5.0])
        for wrong in ("if(a>1,2,3)", "if(a<1,2)", "a*2", "1+", "if(a<1,2,3"):
            with self.assertRaises(ValueError, msg=wrong):
                trees.parse_sum(wrong)

    def test_models_of_the_cases(self):
        with open(os.path.join(ROOT, "perf/expressions/formulas.json"), encoding="utf-8") as file:
            cases = {case["name"]: case for case in json.load(file)["cases"]}
        generator = random.Random(3)
        for name in ("trees.1x4", "trees.10x3"):
            names = [each["name"] for each in cases[name]["inputs"]]
            parsed = trees.parse_sum(cases[name]["expression"])
            model = trees.model_text(parsed, names)
            for _ in range(100):
                row = [generator.uniform(-1, 1) for _ in names]
                expected = sum(trees.evaluate(tree, dict(zip(names, row))) for tree in parsed)
                self.assertAlmostEqual(lightgbm_value(model, row), expected)
        sizes = [int(word) for word in model.split("tree_sizes=")[1].split("\n")[0].split()]
        body = model[model.index("Tree=0"):model.index("end of trees")]
        self.assertEqual(sum(sizes), len(body))


if __name__ == "__main__":
    unittest.main()
