"""A rung of a ladder whose plan is that of the rung before is the same program: it has the same figure, whatever a clock says."""

import json
import subprocess
import sys
import unittest

EXPRESSIONS = sys.argv.pop(1)


class Ladder(unittest.TestCase):
    def test_equal_plans_have_one_figure(self):
        done = subprocess.run([EXPRESSIONS, "--ladder", "--filter", "^dot.f32.768$"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=True)
        rungs = dict(json.loads(done.stdout)["ladder"])
        for name in ("hoist_renames", "unpack_bits", "peek_ranges", "split_concat"):  # there is nothing for them to do
            names = list(rungs)
            before = names[names.index("+ " + name) - 1]
            self.assertEqual(rungs["+ " + name], rungs[before], name)
        self.assertNotEqual(rungs["+ contract"], rungs["+ count_addresses"])
        self.assertNotEqual(rungs["+ blocks of 64 documents"], rungs["+ pack_scalars"])


if __name__ == "__main__":
    unittest.main()
