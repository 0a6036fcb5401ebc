"""What text encoders cost: floors, lengths of texts, points in files, and the tables and the section of the page that are made of them."""

import argparse
import html.parser
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
sys.path += [os.path.join(ROOT, "perf", name) for name in ("encoders", "report")]

import encoder_section  # noqa: E402
import encoders  # noqa: E402
import page  # noqa: E402
import points  # noqa: E402
import shapes  # noqa: E402
import text_lengths  # noqa: E402

HERE = "Some <CPU>, 2 cores"


def peaks(**more):
    found = shapes.Peaks()
    found.add({"arithmetic": [{"cells": "float", "operations_per_second": 1e11}, {"cells": "int8", "operations_per_second": 2e11}],
               "levels": [{"name": name, "bytes": size, "load_bytes_per_second": speed, "store_bytes_per_second": speed / 2}
                          for name, size, speed in (("L1", 32e3, 4e11), ("L2", 512e3, 2e11), ("L3", 32e6, 1e11), ("memory", 0, 2e10))], **more})
    return found


def point(model="MiniLM-L6", precision="f32", tokens=128, whole=30.0, products=24.0, machine=HERE, **more):
    return {"model": model, "precision": precision, "tokens": tokens, "texts": 1,
            "floor": {"products": 22.8, "attention": 1.7, "element_wise": 0.1, "weights": 2.0, "level": "memory"},
            "ms": {"products": products, "attention": 2.0, "rest": whole - products - 2, "whole": whole},
            "rivals": {"onnxruntime": 40.0, "onnxruntime_int8": 20.0, "openvino": 41.0, "openvino_bf16": 42.0},
            "machine": machine, **more}


class Floors(unittest.TestCase):
    def test_flops(self):
        # Milliseconds of 128 tokens on a core with 117 Gflop/s.
        for name, products, attention in (("MiniLM-L6", 23.23, 1.29), ("MiniLM-L12", 46.46, 2.58), ("BERT-base", 185.84, 5.16)):
            shape = shapes.SHAPES[name]
            self.assertAlmostEqual(shapes.product_flops(shape, [128]) / 117e6, products, delta=0.01)
            self.assertAlmostEqual(shapes.attention_flops(shape, [128]) / 117e6, attention, delta=0.01)
        small = shapes.SHAPES["MiniLM-L6"]
        self.assertEqual(shapes.product_flops(small, [8, 16]), shapes.product_flops(small, [24]))
        self.assertEqual(shapes.attention_flops(small, [3, 4]), shapes.attention_flops(small, [5]))

    def test_element_wise_bytes(self):
        self.assertEqual(shapes.element_wise_bytes((1, 10, 2, 40), [1]), (4 * 10 * 7, 4 * 10 * 3))

    def test_floors(self):
        shape = shapes.SHAPES["MiniLM-L6"]
        floor = shapes.floors(shape, [100], "int8", peaks())
        self.assertAlmostEqual(floor["products"], 1e3 * shapes.product_flops(shape, [100]) / 2e11)
        self.assertAlmostEqual(floor["attention"], 1e3 * shapes.attention_flops(shape, [100]) / 1e11)  # no peak for bfloat16
        self.assertEqual(floor["level"], "L3")
        self.assertAlmostEqual(floor["weights"], 1e3 * 10.6e6 / 1e11, delta=0.001)
        read, written = shapes.element_wise_bytes(shape, [100])
        self.assertAlmostEqual(floor["element_wise"], 1e3 * (read / 2e11 + written / 1e11))  # 461 KB: second level
        floor = shapes.floors(shape, [100], "f32", peaks())
        self.assertEqual(floor["level"], "memory")
        self.assertAlmostEqual(floor["weights"], 1e3 * 42.5e6 / 2e10, delta=0.01)

    def test_the_best_peak_counts(self):
        found = peaks()
        found.add({"arithmetic": [{"cells": "float", "operations_per_second": 3e11}, {"cells": "int8", "operations_per_second": 1e11}],
                   "levels": [{"name": "L1", "bytes": 32e3, "load_bytes_per_second": 1, "store_bytes_per_second": 9e12}]})
        self.assertEqual((found.operations("float"), found.operations("int8"), found.operations("bfloat16")), (3e11, 2e11, 3e11))
        self.assertEqual(found.levels["L1"], (32e3, 4e11, 9e12))


class Lengths(unittest.TestCase):
    def test_stated(self):
        lengths = text_lengths.quantiles("lognormal:13:0.25+lognormal:125:0.4", 16)
        self.assertEqual(len(lengths), 16)
        self.assertTrue(all(8 <= each <= 21 for each in lengths[:8]))
        self.assertTrue(all(55 <= each <= 275 for each in lengths[8:]))
        self.assertEqual(text_lengths.quantiles("lognormal:100:0", 3), [100, 100, 100])
        self.assertEqual(len(text_lengths.quantiles("lognormal:9:1+lognormal:9:1+lognormal:9:1", 7)), 7)
        for wrong in ("normal:3:1", "lognormal:3", "12", ""):
            with self.assertRaises(argparse.ArgumentTypeError, msg=wrong):
                text_lengths.quantiles(wrong, 4)

    def choose(self, *words, longest=text_lengths.LONGEST):
        parser = argparse.ArgumentParser()
        text_lengths.add_arguments(parser, 8)
        return text_lengths.chosen(parser.parse_args(words), longest)

    def test_an_order_that_stays(self):
        lengths, words = self.choose("--lengths", "lognormal:300:2")
        self.assertEqual((lengths, words), (self.choose("--lengths", "lognormal:300:2")[0], "lognormal:300:2"))
        self.assertNotEqual(lengths, sorted(lengths))
        self.assertEqual((max(lengths), max(self.choose("--lengths", "lognormal:300:2", longest=128)[0])), (512, 128))
        self.assertGreaterEqual(min(self.choose("--lengths", "lognormal:1:1")[0]), 3)

    def test_texts_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "xquad.en.json").write_text(json.dumps({"data": [{"title": "no text", "paragraphs": [
                {"context": "One two three.", "qas": [{"question": "Four?", "answers": [{"text": "One"}]}]}]}]}), encoding="utf-8")
            (path / "xquad.de.json").write_text(json.dumps({"data": [{"context": "Nicht gefragt"}]}), encoding="utf-8")
            (path / "qed-dev.jsonl").write_text('{"question_text": "five six"}\n{"paragraph_text": "seven"}\n', encoding="utf-8")
            (path / "lines.txt").write_text("a\n\nb c\n", encoding="utf-8")
            files = text_lengths.files_of(folder)
            self.assertEqual([each.name for each in files], ["qed-dev.jsonl", "xquad.en.json"])
            self.assertEqual([text for each in files for text in text_lengths.texts_of(each)],
                             ["five six", "seven", "One two three.", "Four?"])
            self.assertEqual(text_lengths.texts_of(path / "lines.txt"), ["a", "b c"])
            lengths, words = self.choose("--data", folder, "--texts", "4")
            self.assertEqual((sorted(lengths), words), ([3, 4, 4, 6], "4 texts of qed-dev.jsonl, xquad.en.json"))
            (path / "empty.txt").write_text("", encoding="utf-8")
            with self.assertRaises(SystemExit):
                self.choose("--data", str(path / "empty.txt"))


class Points(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = directory.name

    def test_new_ones_take_the_place_of_old_ones(self):
        self.assertEqual(points.read("budget", self.folder), [])
        points.write("budget", [point(whole=1.0), point(tokens=8)], self.folder)
        points.write("budget", [point(machine="Another")], self.folder)
        self.assertEqual([p["machine"] for p in encoders.of_machine("budget", "unknown", self.folder)], ["Another"])
        points.write("budget", [point(whole=2.0)], self.folder)
        self.assertEqual([(p["machine"], p["tokens"], p["ms"]["whole"]) for p in points.read("budget", self.folder)],
                         [("Another", 128, 30.0), (HERE, 128, 2.0), (HERE, 8, 30.0)])
        self.assertEqual(len(encoders.of_machine("budget", None, self.folder)), 2)
        self.assertEqual(len(encoders.of_machine("budget", "Another", self.folder)), 1)


class Tables(unittest.TestCase):
    def row(self, each):
        titles, (row,) = encoders.aim_rows([each])
        self.assertEqual(len(titles), len(row))
        return dict(zip(titles, row))

    def test_budget(self):
        titles, (row,) = encoders.budget_rows([point(whole=27.0, products=24.0)])
        self.assertEqual(len(titles), len(row))
        self.assertEqual([cell.text for cell in row], ["f32", "128", "22.8", "1.70", "0.10", "2.00", "24.0", "2.00", "1.00", "27.0"])

    def test_aims(self):
        good = self.row(point(whole=27.0, products=24.0))
        self.assertEqual((good["of peak: products"].text, good["of peak: products"].is_good), ("95 %", True))
        self.assertEqual((good["whole"].text, good["whole"].is_good), ("91 %", True))
        self.assertEqual((good["÷ rival"].text, good["÷ rival"].is_good), ("0.68", True))
        self.assertIsNone(good["÷ floor"].is_good)
        bad = self.row(point(whole=38.0, products=30.0))
        self.assertEqual([bad[name].is_good for name in ("of peak: products", "whole", "÷ rival")], [False, False, False])
        self.assertEqual(encoders.missed([bad.values()]), (3, 3))

    def test_aims_by_precision_length_and_width(self):
        for precision, model, tokens, most in (("f32", "BERT-base", 16, 0.92), ("bf16", "BERT-base", 256, 0.9), ("int8", "BERT-base", 64, 0.85),
                                               ("int8", "MiniLM-L12", 64, 0.75), ("int8", "MiniLM-L12", 8, 1), ("f32", "MiniLM-L6", 512, 1)):
            rival = point()["rivals"][encoders.RIVAL[precision]]
            for share in (0.99, 1.01):
                cell = self.row(point(model, precision, tokens, whole=share * most * rival))["÷ rival"]
                self.assertEqual(cell.is_good, share < 1, (precision, model, tokens))
        self.assertIsNone(self.row(point(precision="int8"))["whole"].is_good)
        self.assertIsNone(self.row(point(tokens=8))["of peak: products"].is_good)

    def test_a_short_text_may_take_what_its_weights_take(self):
        floor = {"products": 1.0, "attention": 0.2, "element_wise": 0.3, "level": "L3"}
        self.assertTrue(self.row(point(tokens=8, whole=2.5, floor={**floor, "weights": 2.0}))["÷ floor"].is_good)
        self.assertFalse(self.row(point(tokens=8, whole=2.5, floor={**floor, "weights": 1.0}))["÷ floor"].is_good)

    def test_mixed(self):
        def mixed(whole, apart):
            each = point(tokens="mixed", whole=whole, texts=16, sum=900, lengths="stated")
            return {**each, "ms": {**each["ms"], "apart": apart}}

        titles, rows = encoders.mixed_rows([point(whole=30.0), point(tokens=64, whole=49.0), mixed(29.0, 29.5)])
        (row,) = rows
        row = dict(zip(titles, row))
        self.assertEqual((row["÷ one by one"].text, row["÷ one by one"].is_good), ("0.98", True))
        self.assertEqual((row["of peak"].text, row["of peak"].is_good, row["of peak, best length"].text), ("84 %", True, "82 %"))
        (row,) = encoders.mixed_rows([point(whole=30.0), mixed(31.0, 30.0)])[1]
        self.assertEqual([cell.is_good for cell in row if cell.is_good is not None], [False, False])
        self.assertEqual(encoders.mixed_rows([mixed(31.0, 30.0)])[1], [])
        (row,) = encoders.mixed_rows([point(whole=30.0), {**mixed(31.0, 30.0), "by_apart": 0.97}])[1]
        self.assertEqual(row[titles.index("÷ one by one")].text, "0.97")

    def test_rows_are_in_order(self):
        found = [point(tokens="mixed", texts=16, sum=900), point(precision="int8"), point(tokens=512), point(tokens=8)]
        self.assertEqual([(row[0].text, row[1].text) for row in encoders.budget_rows(found)[1]],
                         [("f32", "8"), ("f32", "512"), ("f32", "16 texts, 900"), ("int8", "128")])

    def test_workers(self):
        found = [{"model": "m", "precision": "f32", "lengths": "l", "workers": n, "texts_per_second": speed, "median_ms": 3.0,
                  "late_ms": 9.0, "processor_ms": 8.0, "private_mb": 50.0, "context_mb": 1.0} for n, speed in ((1, 100), (2, 190), (64, 171))]
        titles, rows = encoders.worker_rows(found)
        self.assertEqual([[row[titles.index(name)].text for name in ("× one thread", "× two")] for row in rows],
                         [["", ""], ["1.90", ""], ["1.71", "0.90"]])

    def test_sharing(self):
        found = [{"model": "m", "precision": "f32", "tokens": tokens, "threads": 2, "alone_ms": 20.0, "shared_ms": 11.2, "apart_ms": 10.6,
                  "share": 0.56, "apart_share": 0.53} for tokens in (32, 128)]
        titles, rows = encoders.sharing_rows(found)
        at = titles.index("shared ÷ one")
        self.assertEqual([(row[at].text, row[at].is_good) for row in rows], [("0.56", None), ("0.56", False)])
        self.assertEqual(rows[0][titles.index("one each ÷ one")].text, "0.53")

    def test_ladder(self):
        titles, rows = encoders.ladder_rows({"steps": [["padded", 40.0], ["+ no padding", 16.0], ["+ int8", 4.0]]})
        self.assertEqual([[cell.text for cell in row] for row in rows],
                         [["padded", "40.0", "25.0", ""], ["+ no padding", "16.0", "62.5", "2.50"], ["+ int8", "4.00", "250.0", "4.00"],
                          ["all steps", "", "", "10.00"]])
        self.assertEqual(len(titles), 4)

    def test_markdown(self):
        self.assertEqual(encoders.markdown(["a", "b"], [[encoders.Cell(1, False), encoders.Cell(2, True)]]), "| a | b |\n|--:|--:|\n| **1** | 2 |\n")


class Section(unittest.TestCase):
    def test_section(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(encoder_section.section(HERE, page.table, folder), "")
            self.assertEqual(encoders.documents(folder), {})
            mixed = point(tokens="mixed", texts=16, sum=900)
            mixed["ms"]["apart"] = 40.0
            points.write("budget", [point(), mixed], folder)
            points.write("ladder", [{"model": "MiniLM-L6", "lengths": "stated <1>", "texts": 4, "sum": 99, "machine": HERE,
                                     "steps": [["padded", 40.0], ["+ int8", 4.0]]}], folder)
            points.write("loading", [{"model": "MiniLM-L6", "precision": "f32", "machine": HERE, **dict.fromkeys(
                ("file_mb", "packed_mb", "peak_mb", "after_mb", "context_mb", "load_ms", "plan_ms"), 12.5)}], folder)
            points.write("workers", [{"model": "MiniLM-L6", "precision": "f32", "lengths": "l", "workers": 1, "texts_per_second": 77.7,
                                      "median_ms": 3.0, "late_ms": 9.0, "processor_ms": 8.0, "private_mb": 50.0, "context_mb": 1.0,
                                      "machine": HERE}], folder)
            points.write("sharing", [{"model": "MiniLM-L6", "precision": "f32", "tokens": 128, "threads": 2, "alone_ms": 20.0,
                                      "shared_ms": 10.8, "apart_ms": 10.6, "share": 0.54, "apart_share": 0.53, "machine": HERE}], folder)
            text = encoder_section.section(HERE, page.table, folder)
            tables = encoders.documents(folder)
        self.assertEqual(set(tables), {"encoder_budget", "encoder_mixed", "encoder_ladder", "encoder_loading", "encoder_workers",
                                       "encoder_sharing"})
        self.assertIn("MiniLM-L6, 1 of 3 aims missed", tables["encoder_budget"])
        seen = []

        class Reader(html.parser.HTMLParser):
            def handle_data(self, data):
                seen.append(data)

        Reader().feed(text)
        content = " ".join(seen)
        for expected in ("Some <CPU>, 2 cores", "stated <1>", "10.0 times as many", "77.7", "0.54", "÷10.00", "1 of 3 aims are missed", "12.5"):
            self.assertIn(expected, content)
        for tag in ("section", "table", "p", "h3", "span", "svg"):
            self.assertEqual(len(re.findall(rf"<{tag}[ >]", text)), text.count(f"</{tag}>"), tag)
        self.assertIn('<span class="bad">82 %</span>', text)  # of the whole, at 88 %

    def test_points_of_the_project(self):
        """What is kept can be read and makes tables."""
        for kind in points.KEYS:
            for each in points.read(kind):
                self.assertIn("machine", each)
        encoders.documents()


if __name__ == "__main__":
    unittest.main()
