"""The report in a headless browser, and reports that must not pass. Without a browser nothing is tested."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, os.path.join(ROOT, "perf/report"))

import check_page  # noqa: E402
import page  # noqa: E402


def report():
    case = {"ns": {"1": [60.0, 58.0], "64": [20.0, 18.0]}, "compile_us": 12.5, "bind_us": 0.5, "document_bytes": 768,
            "cache_level": "L2", "flops_per_document": 1536.0, "peak_share": 0.42, "memory_bytes": 1234, "document_steps": 2,
            "ladder": [[0, 1000.0], [1, 100.0]]}
    record = {"commit": "abc", "subject": "Faster", "date": "2026-01-02T03:04:05+00:00", "measured": "2026-01-02T04:04:05+00:00",
              "machine": {"cpu": "Some 2 GHz", "cores": 2}, "compiler": "g++ 12", "build": "Release", "flags": "-O3",
              "rungs": ["naive, the reference evaluator", "+ contract"], "cases": {"seed.nn": case},
              "peaks": {"flops_per_second": 1e11, "levels": [["L1", 32768, 1.6e11], ["memory", 0, 1.7e10]]}}
    return page.page([record], {})


@unittest.skipIf(check_page.browser() is None, "no browser is installed")
class Browser(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "perf/report/check_page.py"), path],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            return done.returncode, done.stdout

    def test_report(self):
        status, output = self.check(report())
        self.assertEqual(status, 0, output)

    def test_what_must_not_pass(self):
        text = report()
        for wrong, expected in (
                ("<html><head></head><body></body></html>", "the picture is blank"),
                (text.replace("</h1>", "</h1><script>nope()</script>"), "nope is not defined"),
                (re.sub("<svg.*?</svg>", "", text, count=1), "no chart in"),
                (text.replace("</h1>", "</h1><div style='width:2000px'>wide</div>"), "pixels wide"),
                (text.replace("<text ", "<text dx='5000' ", 1), "reaches beyond its chart")):
            status, output = self.check(wrong)
            self.assertEqual(status, 1, expected)
            self.assertIn(expected, output)


if __name__ == "__main__":
    unittest.main()
