"""The history of measurements and the page about it."""

import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, os.path.join(ROOT, "perf/report"))

import answers  # noqa: E402
import check_page  # noqa: E402
import distances  # noqa: E402
import history  # noqa: E402
import page  # noqa: E402
import record as recording  # noqa: E402
import svg  # noqa: E402
import tables  # noqa: E402


def case(nanoseconds, **more):
    return {"ns": {"1": [nanoseconds * 3, nanoseconds * 2.9], "64": [nanoseconds, nanoseconds * 0.9]}, "compile_us": 12.5,
            "bind_us": 0.5, "document_bytes": 768, "cache_level": "L2", "flops_per_document": 1536.0, "peak_share": 0.42,
            "memory_bytes": 1234, "document_steps": 2, "compile_allocations": 100, "compile_allocated_bytes": 9999,
            "evaluate_allocations": 0, **more}


def record(commit, cases, cpu="Some <CPU> 2 GHz"):
    return {"commit": commit, "subject": "Faster & better", "date": "2026-01-02T03:04:05+00:00",
            "measured": "2026-01-02T04:04:05+00:00", "machine": {"cpu": cpu, "cores": 2}, "compiler": "g++ 12",
            "build": "Release", "flags": "-O3", "cases": cases,
            "rungs": ["naive, the reference evaluator", "+ contract", "+ narrow"],
            "components": {"parse/hybrid": [2000.0, 1e8], "read_json/float_768": [5e4, None]}, "consumer_bytes": 3400000, "kernels": {"avx2::dot_f32_f32/768": [40.0, 10.0]},
            "peaks": {"flops_per_second": 1e11, "arithmetic": [["float", "fma", 1e11], ["int8", "vpdpbusd", 4e11]], "levels": [["L1", 32768, 1.6e11], ["memory", 0, 1.7e10]]}}


class Page(html.parser.HTMLParser):
    """Whether the elements of a page are closed in order, and what it refers to."""

    VOID = ("meta", "br", "link", "img")

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.ids, self.problems, self.content = [], [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        self.ids += [attributes["id"]] if "id" in attributes else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(tag)

    def handle_data(self, data):
        self.content += data


class History(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def test_one_record_for_each_commit_and_machine(self):
        first = history.append(self.directory, record("aaa", {"c": case(1)}))
        self.assertEqual(os.path.basename(first), "some-cpu-2-ghz-2-cores.jsonl")
        history.append(self.directory, record("bbb", {"c": case(2)}))
        history.append(self.directory, record("aaa", {"c": case(3)}))
        other = history.append(self.directory, record("aaa", {}, cpu="Another"))
        self.assertNotEqual(first, other)
        kept = history.read_all(self.directory)[os.path.basename(first)]
        self.assertEqual([(r["commit"], r["cases"]["c"]["ns"]["64"][0]) for r in kept], [("bbb", 2), ("aaa", 3)])
        self.assertEqual(history.read_all(os.path.join(self.directory, "none")), {})

    def test_latest(self):
        self.assertEqual(history.latest(self.directory), [])
        history.append(self.directory, record("aaa", {}))
        history.append(self.directory, {**record("bbb", {}, cpu="Another"), "measured": "2026-02-02"})
        self.assertEqual(history.latest(self.directory)[-1]["commit"], "bbb")
        self.assertEqual(history.latest(self.directory, "some-cpu-2-ghz-2-cores")[-1]["commit"], "aaa")
        self.assertEqual(history.latest(self.directory, "none"), [])


class Rounds(unittest.TestCase):
    def test_samples_of_all_rounds_count(self):
        def measured(number):
            samples = [[30.0, 31.0, 32.0], [20.0, 21.0, 50.0]][number]
            return [{"name": "dot", "samples": {"64": samples}, "ns_per_document": {"64": samples[1]},
                     "least_ns_per_document": {"64": samples[0]}, "compile_us": 9.0 - number, "bind_us": 0.5 + number,
                     "peak_share": 0.25 + number / 4}]

        figures, = recording.in_rounds(measured, 2)
        self.assertEqual(figures["ns_per_document"]["64"], 31.0)
        self.assertEqual(figures["least_ns_per_document"]["64"], 20.0)
        self.assertEqual((figures["compile_us"], figures["bind_us"], figures["peak_share"]), (8.0, 0.5, 0.5))


class Report(unittest.TestCase):
    def test_page(self):
        ladder = [[0, 1000.0], [1, 100.0], [2, 100.0]]
        old = record("aaa", {"dot": case(30)})
        new = record("bbb", {"dot": case(20, ladder=ladder, rivals={"eigen": 40.0, "lightgbm": "not installed"}),
                             "seed.nn": case(5, ladder=ladder), "new <case>": case(7)})
        described = {"dot": {"expression": "sum(q*d)", "target_ns": 25, "peer_ns": [30, 40], "inputs": [
            {"name": "q", "stage": "query", "type": "tensor<float>(x[2])"}]}}
        text = page.page([old, new], described)
        parsed = Page(text)
        self.assertEqual((parsed.open, parsed.problems), ([], []))
        # Nothing is fetched, and links within the page lead somewhere.
        self.assertTrue(parsed.links)
        for link in parsed.links:
            self.assertTrue(link.startswith("#") and link[1:] in parsed.ids, link)
        self.assertNotIn("<script", text)
        self.assertIsNone(re.search(r"@import|url\(", text))
        for expected in ("Some <CPU> 2 GHz", "Faster & better", "sum(q*d)", "30–40", "not installed", "40 (2.00×)", "÷10.00",
                         "new <case>", "10 times as fast", "400 Gop/s with int8 (vpdpbusd)", "read_json/float_768", "50 µs",
                         "avx2::dot_f32_f32", "25 %"):
            self.assertIn(expected, parsed.content)
        # Parsing within a fifth of its target; least 18 against one of 25.
        self.assertIn('<span class="good">0.20</span>', text)
        self.assertIn('<span class="good">0.72</span>', text)
        self.assertIn("aaa", parsed.content)

    def test_cases_of_the_project(self):
        cases = page.read_cases(os.path.join(ROOT, "perf/expressions"))
        self.assertGreaterEqual(len(cases), 80)
        self.assertIn("seed.nn", cases)


class CheckPage(unittest.TestCase):
    FINE = {"problems": [], "width": 1000, "content": 1000, "text": 5000, "sections": 3, "without_chart": [], "cut": []}

    def test_mistakes(self):
        self.assertEqual(check_page.mistakes(self.FINE, "screen"), [])
        for member, value in (("problems", ["oops"]), ("content", 1001), ("text", 10), ("sections", 0), ("without_chart", ["dot"]),
                              ("cut", ["a label"])):
            self.assertEqual(len(check_page.mistakes({**self.FINE, member: value}, "screen")), 1, member)
        self.assertEqual(check_page.mistakes({"problems": ["no page"]}, "paper"), ["paper: no page"])


class Tables(unittest.TestCase):
    def test_tables(self):
        latest = record("bbb", {"seed.nn": case(20, ladder=[[0, 1000.0], [1, 100.0]]), "other": case(1234)})
        text = tables.results_table(latest, {"seed.nn": {"target_ns": 36, "peer_ns": [40, 50]}})
        self.assertIn("| seed.nn | 58 | 60 | 18 | 20 | 36 | 40–50 | 0.50 | 12 |", text)
        self.assertIn("| other | 3 579 | 3 702 | 1 111 | 1 234 |  |  |  | 12 |", text)
        self.assertRegex(tables.ladder_table(latest, 10000), r"\+ contract +100\.0 +1\.00 +10\.00 +10\n")

        self.assertIn("| parse/hybrid | 2 µs | 10 µs | 100 M |", tables.components_table(latest))
        latest["ranking"] = [{"threads": 1, "documents": 100, "load_documents_per_second": 7, "load_megabytes_per_second": 8,
                              "bytes_per_document": 9, "most_memory_bytes": 5e6, "nanoseconds_per_document": 1.5,
                              "queries_per_second": 2.5}]
        self.assertRegex(tables.ranking_table(latest), r"\n +1 +7 +8 +9 +5 +1\.5 +2\.5\n")

    def test_figures(self):
        latest = record("bbb", {"dot": case(20)})
        text = "a <!-- figure ns dot 64 -->?<!-- end --> b <!-- figure consumer --><!-- end --> <!-- figure gigaflops dot -->1<!-- end -->"
        self.assertEqual(re.sub("<!--.*?-->", "", tables.with_figures(text, latest)), "a 18 b 3.4 MB 85")
        for wrong in ("ns nothing 64", "weight dot"):
            with self.assertRaises(SystemExit, msg=wrong):
                tables.with_figures(f"<!-- figure {wrong} -->1<!-- end -->", latest)

    def test_figures_of_the_pages_are_those_of_the_record(self):
        """Every single figure names a case; where there is a record, all figures are its own."""
        cases = page.read_cases(os.path.join(ROOT, "perf/expressions"))
        any_record = record("bbb", {name: case(20) for name in cases})
        for name in tables.PAGES:
            with open(os.path.join(ROOT, name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("<!-- figure ", text)
            self.assertEqual(text.count("<!-- figure "), text.count("<!-- end -->"))
            tables.with_figures(text, any_record)
        if history.latest(os.path.join(ROOT, "perf/history")):
            done = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "perf/report/tables.py"), "--check"],
                                  stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_rivals(self):
        new = record("bbb", {"dot.f32.768": case(20, rivals={"Eigen": 40.0, "OpenBLAS": "not installed"}), "own": case(3),
                             "other": case(20, rivals={"loops": 1234567.0})})
        self.assertEqual(tables.rivals_table(new).splitlines()[:4], [
            "| nanoseconds of a document | Tenrex | Eigen | OpenBLAS | loops |", "|---|--:|--:|--:|--:|",
            "| dot product of 768 floats | %s | 40 |  |  |" % tables.digits(case(20)["ns"]["64"][0]),
            "| other | %s |  |  | 1 234 567 |" % tables.digits(case(20)["ns"]["64"][0])])

    def test_markers(self):
        old = "a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n"
        self.assertEqual(tables.replaced(old, "x", "new\n"), "a\n<!-- x: begin -->\nnew\n<!-- x: end -->\nb\n")
        with open(os.path.join(ROOT, "docs/measuring.md"), encoding="utf-8") as file:
            text = file.read()
        for marker in ("results", "components", "ladder", "ranking"):
            self.assertIn("new", tables.replaced(text, marker, "new\n"))


class Distances(unittest.TestCase):
    RECORD = record("aaa", {"net": case(10, roofline_ns=9), "tree": case(160, roofline_ns=9), "shape.row": case(30, roofline_ns=9),
                            "old": case(7)})

    def test_geometric_means(self):
        self.assertEqual(distances.means(self.RECORD), [["formulas, nets, vectors and labels", "2", "4.00", "1", "1"],
                                                        ["shapes and forests", "1", "3.00", "0", "0"]])

    def test_text(self):
        text = distances.markdown(self.RECORD)
        self.assertIn("| shapes and forests | 1 | 3.00 | 0 | 0 |", text)
        self.assertTrue(text.endswith("Above 4: tree 16."))
        self.assertIn("<td>4.00</td>", page.page([self.RECORD | {"cases": self.RECORD["cases"] | {page.SEED: case(1)}}], {}))


class Answers(unittest.TestCase):
    POINTS = [{"layers": layers, "precision": "int8", "tokens": 256, "threads": threads, "exact": 0.3, "f1": f1, "ms": ms,
               "processor_ms": 2 * ms, "machine": "Some <CPU>"}
              for layers, threads, f1, ms in ((12, 1, 0.6, 400), (6, 1, 0.5, 200), (6, 2, 0.5, 100), (4, 1, 0.45, 150), (3, 1, 0.4, 100),
                                              (2, 1, 0.3, 50))]

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = directory.name
        with open(os.path.join(self.folder, "question_answering.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(point) + "\n" for point in [*self.POINTS, {"layers": 12, "f1": 0.7}])
        self.comparison = answers.COMPARISONS[0]

    def test_front(self):
        points = self.comparison.points(self.folder)
        self.assertEqual(len(points), 6)  # one has no time yet
        kept = answers.front(points, self.comparison.cost, self.comparison.quality)
        self.assertEqual([(p["layers"], p["threads"]) for p in kept], [(2, 1), (6, 2), (12, 1)])
        self.assertEqual(answers.front([], self.comparison.cost, self.comparison.quality), [])
        self.assertEqual(answers.COMPARISONS[1].points(self.folder), [])

    def test_table(self):
        lines = answers.markdown(self.comparison, self.comparison.points(self.folder)).splitlines()
        self.assertEqual(lines[2:], ["| 1 | 2 | int8 | 256 | 1 | 0.300 | 0.300 | 50.0 | 100.0 |  |  |",
                                     "| 2 | 6 | int8 | 256 | 2 | 0.300 | 0.500 | 100.0 | 200.0 | 2.00 | 0.200 |",
                                     "| 3 | 12 | int8 | 256 | 1 | 0.300 | 0.600 | 400.0 | 800.0 | 4.00 | 0.100 |", "",
                                     "6 were measured, on Some <CPU>."])

    def test_page(self):
        text = page.page([record("aaa", {"dot": case(30)})], {}, self.folder)
        parsed = Page(text)
        self.assertEqual((parsed.open, parsed.problems), ([], []))
        for expected in ("Readers of answers", "milliseconds of an answer", "12 layers, int8, 256 tokens, 1 thread"):
            self.assertIn(expected, parsed.content)
        picture = text[text.index("Readers of answers"):]
        self.assertEqual((picture.count('fill="#ccc"'), picture.count('r="4"')), (3, 3))  # grey ones, and the front
        self.assertNotIn("Readers of answers", page.page([record("aaa", {"dot": case(30)})], {}, os.path.join(self.folder, "none")))


class Charts(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual([svg.short(n) for n in (0.5, 12, 999, 1234, 2.5e9)], ["0.5", "12", "999", "1.23 k", "2.5 G"])
        self.assertEqual(svg.powers_between(0.5, 200), [1.0, 10.0, 100.0])

    def test_bars_grow_with_their_numbers(self):
        widths = [float(w) for w in re.findall(r'<rect[^>]* width="([\d.]+)"', svg.bars([("a", 10.0), ("b", 100.0), ("c", 1000.0)]))]
        self.assertEqual(widths, sorted(widths))
        self.assertAlmostEqual(widths[2] - widths[1], widths[1] - widths[0], delta=0.2)

    def test_history_of_one_and_of_gaps(self):
        self.assertIn("<circle", svg.history(["a"], {"block 1": [5.0]}))
        self.assertEqual(svg.history(["a", "b", "c"], {"x": [5.0, None, 6.0]}).count("<circle"), 2)
        self.assertEqual(svg.history([], {"x": []}), "")


if __name__ == "__main__":
    unittest.main()
