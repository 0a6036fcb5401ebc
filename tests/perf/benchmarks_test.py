"""The programs with Google Benchmark, each with next to no effort: every kernel of the lists is there, and nothing fails."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
KERNELS, MATMUL, COMPONENTS = (sys.argv.pop(1) for _ in range(3))


def names(program):
    return subprocess.run([program, "--benchmark_list_tests"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def results(program, pattern):
    done = subprocess.run([program, f"--benchmark_filter={pattern}", "--benchmark_min_time=0.0001", "--benchmark_format=json"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return json.loads(done.stdout)["benchmarks"]


def lines_of_lists(folders):
    """Target and function of each line of the lists that any processor can run."""
    found = set()
    for folder in folders:
        text = (ROOT / "lib/kernels" / folder / "kernels.def").read_text(encoding="utf-8")
        for line in re.findall(r"^TENREX_KERNEL\((.*)\)$", text, re.MULTILINE):
            target, function = [word.strip() for word in line.split(",")][-4:-2]
            if target == "baseline":
                found.add(f"{target}::{function}")
    return found


class Benchmarks(unittest.TestCase):
    def test_every_kernel_is_there(self):
        lists = {path.parent.name for path in (ROOT / "lib/kernels").glob("*/kernels.def")}
        for program, folders in ((KERNELS, lists - {"matmul"}), (MATMUL, {"matmul"})):
            expected = lines_of_lists(folders)
            self.assertTrue(expected)
            self.assertEqual(expected - {name.split("/")[0] for name in names(program)}, set())

    def test_kernels(self):
        found = results(KERNELS, "^baseline::.*/(1|16)/64/(cache|unaligned)$") + results(MATMUL, "^baseline::.*/1x64x100$")
        self.assertGreater(len(found), 100)
        for each in found:
            self.assertNotIn("error_occurred", each)
            self.assertGreater(each["cpu_time"], 0)
            self.assertGreater(each["roofline"], 0)

    def test_components(self):
        found = results(COMPONENTS, "^(parse|check|compile)/[a-z]*$|^(read|write)_.*|^rank")
        self.assertTrue({"parse/hybrid", "compile/maxsim", "read_hex/float_768", "rank/query_10000"} <= {f["name"] for f in found})
        for each in found:
            self.assertNotIn("error_occurred", each, each.get("error_message"))
            self.assertGreater(each["cpu_time"], 0)


if __name__ == "__main__":
    unittest.main()
